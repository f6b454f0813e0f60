/* SPDX-License-Identifier: BSD-3-Clause */
/* Random trees of up to 64 hosts, and some of 512, answer probes with noise: the links found against the true ones. CSV.
 * held of told: intervals of hosts' links, and of trunks found, that hold the true bandwidth.
 *
 * usage: trees [TREES [NOISE [LARGE [SEED]]]]     50 trees, 0.05 (standard deviation, a part; one reading in 50 is far off),
 *                                                 2, 3 */
#include "tests/plan/discover/truth.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void print_row(int tree, const truth *t, const verdict *v)
{
    printf("%d,%d,%d,%d,%.0f,%d,%d,%d,%.4f,%.4f,%.4f,%.4f,%d,%d,%d,%d\n", tree, t->hosts, v->rounds, v->probes,
           floor(6 * t->hosts * log2(t->hosts)), v->found, v->trunks, v->extra, v->median, v->late, v->clique[0],
           v->clique[1], v->held[0], v->told[0], v->held[1], v->told[1]);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    static truth t;
    int trees = argc > 1 ? atoi(argv[1]) : 50, large = argc > 3 ? atoi(argv[3]) : 2;
    double noise = argc > 2 ? atof(argv[2]) : 0.05;
    uint64_t seed = argc > 4 ? strtoull(argv[4], NULL, 10) : 3;
    hs__random random = {seed};
    puts("tree,hosts,rounds,flows,most_flows,found,trunks,extra,median,p95,clique_median,clique_p95,"
         "hosts_held,hosts_told,trunks_held,trunks_told");
    for (int k = 0; k < trees + large; k++) {
        truth_random(&t, k < trees ? 8 + (int)hs__random_below(&random, 57) : TRUTH_HOSTS, &random);
        verdict v = truth_judge(&t, noise, 100000, 1000 * (seed - 3) + (uint64_t)k);
        print_row(k, &t, &v);
    }
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* What rings cost that are planned on what probing finds, beside rings planned on the true platform, both judged on the
 * true one: random trees of up to 64 hosts of unequal speeds answer probes with noise. Beside it the best file without
 * shared links, a link with the true bandwidth for each pair. CSV; the step of a plan is its own shares of the work
 * between messages with the bandwidths that the true platform gives its ring. ratio: time of a halo over a link of
 * 100 Mbps / time of computing when nobody waits.
 *
 * usage: rings [TREES [NOISE]]     50 trees, 0.05 (as in trees) */
#include "tests/plan/discover/truth.h"
#include <heteroslice/hs_ring.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double ratios[] = {0.03, 0.3, 3}, link_rate = 12.5e6;

static void fail(const char *what)
{
    fprintf(stderr, "rings: %s\n", what);
    exit(1);
}

/* Each pair has what a flow between its hosts gets alone. */
static hs_platform *clique_of(const hs_platform *truly)
{
    hs_platform *clique = NULL;
    hs_route route = {0};
    int n = hs_platform_hosts(truly), link;
    if (hs_platform_create(HS_ROUTING_FULL, &clique) != HS_OK)
        fail("out of memory");
    for (int h = 0; h < n; h++)
        hs_platform_add_host(clique, hs_platform_node_id(truly, h), 1e9, 1, NULL, NULL);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) {
            char id[32];
            snprintf(id, sizeof id, "l%d_%d", i, j);
            if (hs_platform_route(truly, i, j, &route) != HS_OK ||
                hs_platform_add_link(clique, id, route.bandwidth, 0, HS_SHARED, &link, NULL) != HS_OK ||
                hs_platform_add_route(clique, i, j, &link, 1, 1, NULL) != HS_OK)
                fail("no clique");
        }
    hs_route_free(&route);
    return clique;
}

/* The step of a plan on the true platform: the plan's shares, and the true time of its ring's messages. */
static double true_step(const hs_platform *truly, const hs_ring_params *params, const hs_ring *plan)
{
    int n = hs_ring_size(plan), *order = malloc((size_t)n * sizeof *order);
    double step = 0;
    hs_ring *same = NULL;
    for (int k = 0; order && k < n; k++)
        order[k] = hs_ring_host(plan, k);
    if (!order || hs_ring_create_given(truly, params, order, n, &same, NULL) != HS_OK)
        fail("no such ring");
    for (int k = 0; k < n; k++) {
        int at = 0;
        while (hs_ring_host(same, at) != order[k])
            at++;
        step = fmax(step, hs_ring_compute_time(plan, k) + hs_ring_comm_time(same, at));
    }
    hs_ring_free(same);
    free(order);
    return step;
}

/* The step of the ring planned on one platform, on the true one. */
static double planned_on(const hs_platform *platform, const hs_platform *truly, const hs_ring_params *params)
{
    hs_ring *ring = NULL;
    if (hs_ring_create(platform, params, &ring, NULL) != HS_OK)
        fail("no ring");
    double step = true_step(truly, params, ring);
    hs_ring_free(ring);
    return step;
}

static void print_rows(int tree, const truth *t, double noise)
{
    double speed[TRUTH_HOSTS], sum = 0;
    hs__random random = {(uint64_t)tree};
    int rounds;
    hs_platform *truly = truth_platform(t), *clique = clique_of(truly);
    hs__discovery *d = truth_discover(truly, noise, 100000, &random, &rounds);
    hs_platform *found = truth_found(truly, d);
    for (int h = 0; h < t->hosts; h++)
        sum += speed[h] = 1e9 * (1 + (double)hs__random_below(&random, 4));
    for (size_t k = 0; k < sizeof ratios / sizeof *ratios; k++) {
        hs_ring_params params;
        hs_ring_params_init(&params);
        params.speed = speed;
        params.work = sum;
        params.halo = ratios[k] * link_rate;
        double best = planned_on(truly, truly, &params);
        printf("%d,%d,%g,%.4f,%.4f,%.4f\n", tree, t->hosts, ratios[k], best,
               planned_on(found, truly, &params) / best - 1, planned_on(clique, truly, &params) / best - 1);
        fflush(stdout);
    }
    hs__discovery_free(d);
    hs_platform_free(found);
    hs_platform_free(clique);
    hs_platform_free(truly);
}

int main(int argc, char **argv)
{
    static truth t;
    int trees = argc > 1 ? atoi(argv[1]) : 50;
    double noise = argc > 2 ? atof(argv[2]) : 0.05;
    hs__random random = {3};
    puts("tree,hosts,ratio,step_s,found_loss,clique_loss");
    for (int k = 0; k < trees; k++) {
        truth_random(&t, 8 + (int)hs__random_below(&random, 57), &random);
        print_rows(k, &t, noise);
    }
    return 0;
}

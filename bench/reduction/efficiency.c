/* SPDX-License-Identifier: BSD-3-Clause */
/* Table 1 of reduction-schedule: how much of all sequences the published branch and bound looks at. Clusters of 6 to 16
 * hosts, each of one of 3 to 6 classes at random, 50 a cell.
 *
 *     efficiency [RUNS]      default 50
 *
 * prints CSV: hosts,classes,published,by_sequences,by_nodes,exact_nodes,not_optimal. Efficiencies in per cent, 1 - p/P
 * with P the different sequences of the senders (the slowest host is the root). The paper leaves open what p counts:
 * complete sequences (by_sequences) or nodes of the tree (by_nodes). Its table of speeds is not printed either; here
 * class k of K needs time k. exact_nodes: nodes of our exact solver, mean. */
#include "util/random.h"
#include <heteroslice/hs_reduction.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { LEAST = 6, MOST = 16, LEAST_CLASSES = 3, MOST_CLASSES = 6 };

static const double published[MOST - LEAST + 1][MOST_CLASSES - LEAST_CLASSES + 1] = {
    {53.22, 56.48, 58.36, 63.82}, {64.28, 72.74, 77.41, 71.38}, {71.28, 79.24, 82.26, 84.18},
    {86.78, 91.88, 93.33, 94.48}, {89.99, 93.80, 94.70, 96.42}, {94.32, 96.84, 97.29, 98.71},
    {94.62, 97.58, 97.48, 98.82}, {96.40, 98.63, 99.09, 99.62}, {96.78, 98.64, 99.40, 99.65},
    {97.70, 99.45, 99.84, 99.83}, {98.21, 99.51, 99.84, 99.96},
};

/* Different sequences of all hosts but one of the slowest. */
static double sequences(const double *time, int hosts, int classes)
{
    double log_count = lgamma(hosts);
    int slowest = 0, size[MOST_CLASSES + 1] = {0};
    for (int i = 0; i < hosts; i++) {
        int k = (int)time[i];
        size[k]++;
        slowest = k > slowest ? k : slowest;
    }
    size[slowest]--;
    for (int k = 1; k <= classes; k++)
        log_count -= lgamma(size[k] + 1);
    return round(exp(log_count));
}

typedef struct cell {
    double by_sequences, by_nodes, exact_nodes;
    int not_optimal;
} cell;

static hs_reduction *plan_of(const double *time, int hosts, hs_reduction_method method)
{
    hs_reduction *plan;
    hs_error error;
    if (hs_reduction_create(time, hosts, method, 100000000, &plan, &error) == HS_OK)
        return plan;
    fprintf(stderr, "efficiency: %s\n", error.text);
    exit(1);
}

static cell run_cell(hs__random *random, int hosts, int classes, int runs)
{
    cell c = {0};
    double time[MOST];
    for (int r = 0; r < runs; r++) {
        for (int i = 0; i < hosts; i++)
            time[i] = 1.0 + (double)hs__random_below(random, classes);
        hs_reduction *paper = plan_of(time, hosts, HS_REDUCTION_PAPER);
        hs_reduction *exact = plan_of(time, hosts, HS_REDUCTION_OPTIMAL);
        double all = sequences(time, hosts, classes);
        c.by_sequences += 1.0 - (double)hs_reduction_sequences(paper) / all;
        c.by_nodes += 1.0 - (double)hs_reduction_explored(paper) / all;
        c.exact_nodes += (double)hs_reduction_explored(exact);
        c.not_optimal += !hs_reduction_is_optimal(exact) || !hs_reduction_is_optimal(paper) ||
                         fabs(hs_reduction_makespan(paper) - hs_reduction_makespan(exact)) > 1e-9;
        hs_reduction_free(exact);
        hs_reduction_free(paper);
    }
    return c;
}

int main(int argc, char **argv)
{
    int runs = argc > 1 ? atoi(argv[1]) : 50;
    hs__random random = {2002};
    if (runs < 1)
        return 2;
    printf("hosts,classes,published,by_sequences,by_nodes,exact_nodes,not_optimal\n");
    for (int hosts = LEAST; hosts <= MOST; hosts++)
        for (int classes = LEAST_CLASSES; classes <= MOST_CLASSES; classes++) {
            cell c = run_cell(&random, hosts, classes, runs);
            printf("%d,%d,%.2f,%.2f,%.2f,%.1f,%d\n", hosts, classes, published[hosts - LEAST][classes - LEAST_CLASSES],
                   100.0 * c.by_sequences / runs, 100.0 * c.by_nodes / runs, c.exact_nodes / runs, c.not_optimal);
        }
    return 0;
}

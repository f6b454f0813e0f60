/* SPDX-License-Identifier: BSD-3-Clause */
/* Table 1 of reduction-schedule: the fraction of sequences that the published branch and bound does not examine.
 * Clusters of 6 to 16 hosts of 3 to 6 random classes, 50 clusters a cell.
 *
 *     efficiency [RUNS [TABLES]]      default 50 9; minutes
 *
 * prints CSV: hosts,classes,published,median,least,most,by_nodes,exact_nodes,not_optimal. Efficiencies in per cent,
 * 1 - p/P averaged over the runs, with p the complete sequences that the search examines and P the different sequences of
 * the senders (the slowest host is the root). The paper does not print its "table" of relative speeds, so TABLES tables
 * are drawn for each number of classes, times from 1 to 10: the median, least and most of their efficiencies.
 * by_nodes: the median if p were the nodes of the search tree. exact_nodes: nodes of our exact solver, mean. */
#include "util/random.h"
#include <heteroslice/hs_reduction.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MIN_HOSTS = 6, MAX_HOSTS = 16, MIN_CLASSES = 3, MAX_CLASSES = 6, MAX_TABLES = 100 };

static const double published[MAX_HOSTS - MIN_HOSTS + 1][MAX_CLASSES - MIN_CLASSES + 1] = {
    {53.22, 56.48, 58.36, 63.82}, {64.28, 72.74, 77.41, 71.38}, {71.28, 79.24, 82.26, 84.18},
    {86.78, 91.88, 93.33, 94.48}, {89.99, 93.80, 94.70, 96.42}, {94.32, 96.84, 97.29, 98.71},
    {94.62, 97.58, 97.48, 98.82}, {96.40, 98.63, 99.09, 99.62}, {96.78, 98.64, 99.40, 99.65},
    {97.70, 99.45, 99.84, 99.83}, {98.21, 99.51, 99.84, 99.96},
};

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Number of different sequences of all hosts except one of the slowest. */
static double sequences(const double *speeds, int classes, const int *of_class, int hosts)
{
    double log_count = lgamma(hosts);
    int slowest = 0, size[MAX_CLASSES] = {0};
    for (int i = 0; i < hosts; i++) {
        size[of_class[i]]++;
        slowest = speeds[of_class[i]] > speeds[slowest] || size[slowest] == 0 ? of_class[i] : slowest;
    }
    size[slowest]--;
    for (int k = 0; k < classes; k++)
        log_count -= lgamma(size[k] + 1);
    return round(exp(log_count));
}

static hs_reduction *plan_of(const double *time, int hosts, hs_reduction_method method)
{
    hs_reduction *plan;
    hs_error error;
    if (hs_reduction_create(time, hosts, method, 100000000, &plan, &error) == HS_OK)
        return plan;
    fprintf(stderr, "efficiency: %s\n", error.text);
    exit(1);
}

typedef struct cell {
    double by_sequences, by_nodes, exact_nodes;
    int not_optimal;
} cell;

static cell run_cell(hs__random *random, const double *speeds, int hosts, int classes, int runs)
{
    cell c = {0};
    double time[MAX_HOSTS];
    int of_class[MAX_HOSTS];
    for (int r = 0; r < runs; r++) {
        for (int i = 0; i < hosts; i++) {
            of_class[i] = (int)hs__random_below(random, classes);
            time[i] = speeds[of_class[i]];
        }
        hs_reduction *paper = plan_of(time, hosts, HS_REDUCTION_PAPER);
        hs_reduction *exact = plan_of(time, hosts, HS_REDUCTION_OPTIMAL);
        double all = sequences(speeds, classes, of_class, hosts);
        c.by_sequences += 100.0 * (1.0 - (double)hs_reduction_sequences(paper) / all) / runs;
        c.by_nodes += 100.0 * (1.0 - (double)hs_reduction_explored(paper) / all) / runs;
        c.exact_nodes += (double)hs_reduction_explored(exact) / runs;
        c.not_optimal += !hs_reduction_is_optimal(exact) || !hs_reduction_is_optimal(paper) ||
                         fabs(hs_reduction_makespan(paper) - hs_reduction_makespan(exact)) > 1e-9;
        hs_reduction_free(exact);
        hs_reduction_free(paper);
    }
    return c;
}

static void run_tables(hs__random *random, double speeds[][MAX_CLASSES], int hosts, int classes, int runs, int tables)
{
    double by_sequences[MAX_TABLES], by_nodes[MAX_TABLES], exact_nodes = 0.0;
    int not_optimal = 0;
    for (int t = 0; t < tables; t++) {
        cell c = run_cell(random, speeds[t], hosts, classes, runs);
        by_sequences[t] = c.by_sequences;
        by_nodes[t] = c.by_nodes;
        exact_nodes += c.exact_nodes / tables;
        not_optimal += c.not_optimal;
    }
    qsort(by_sequences, (size_t)tables, sizeof *by_sequences, ascending);
    qsort(by_nodes, (size_t)tables, sizeof *by_nodes, ascending);
    printf("%d,%d,%.2f,%.2f,%.2f,%.2f,%.2f,%.1f,%d\n", hosts, classes,
           published[hosts - MIN_HOSTS][classes - MIN_CLASSES], by_sequences[tables / 2], by_sequences[0],
           by_sequences[tables - 1], by_nodes[tables / 2], exact_nodes, not_optimal);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    int runs = argc > 1 ? atoi(argv[1]) : 50, tables = argc > 2 ? atoi(argv[2]) : 9;
    double speeds[MAX_CLASSES + 1][MAX_TABLES][MAX_CLASSES];
    hs__random random = {2002};
    if (runs < 1 || tables < 1 || tables > MAX_TABLES)
        return 2;
    for (int classes = MIN_CLASSES; classes <= MAX_CLASSES; classes++)
        for (int t = 0; t < tables; t++)
            for (int k = 0; k < classes; k++)
                speeds[classes][t][k] = 1.0 + 9.0 * hs__random_unit(&random);
    printf("hosts,classes,published,median,least,most,by_nodes,exact_nodes,not_optimal\n");
    for (int hosts = MIN_HOSTS; hosts <= MAX_HOSTS; hosts++)
        for (int classes = MIN_CLASSES; classes <= MAX_CLASSES; classes++)
            run_tables(&random, speeds[classes], hosts, classes, runs, tables);
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Time to plan: slowest-node-first up to 100,000 hosts, exact up to 128 hosts of 6 classes.
 *
 *     planning [RUNS]      seeds a row, default 40
 *
 * prints CSV: method,hosts,classes,runs,median_ms,worst_ms,proven,worst_gap_percent. Classes: random times from 1 to
 * 10, hosts of random classes; classes 0: every host its own time. The gap is between the schedule and the bound where
 * optimality was not proven. */
#include "util/clock.h"
#include "util/random.h"
#include <heteroslice/hs_reduction.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void draw(hs__random *random, double *time, int hosts, int classes)
{
    double of_class[64];
    for (int k = 0; k < classes; k++)
        of_class[k] = 1.0 + 9.0 * hs__random_unit(random);
    for (int i = 0; i < hosts; i++)
        time[i] = classes ? of_class[hs__random_below(random, classes)] : 1.0 + 9.0 * hs__random_unit(random);
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void run_row(hs_reduction_method method, int hosts, int classes, int runs)
{
    static const char *const name[] = {"snf", "paper", "optimal"};
    double *time = calloc((size_t)hosts, sizeof *time), *taken = calloc((size_t)runs, sizeof *taken), gap = 0.0;
    hs__random random = {1};
    int proven = 0;
    if (!time || !taken)
        exit(1);
    for (int r = 0; r < runs; r++) {
        hs_reduction *plan;
        hs_error error;
        draw(&random, time, hosts, classes);
        double begin = hs__clock_wall();
        if (hs_reduction_create(time, hosts, method, 0, &plan, &error) != HS_OK)
            exit(1);
        taken[r] = hs__clock_wall() - begin;
        proven += hs_reduction_is_optimal(plan);
        gap = fmax(gap, hs_reduction_makespan(plan) / hs_reduction_lower_bound(plan) - 1.0);
        hs_reduction_free(plan);
    }
    qsort(taken, (size_t)runs, sizeof *taken, ascending);
    printf("%s,%d,%d,%d,%.3f,%.3f,%d,%.2f\n", name[method], hosts, classes, runs, 1e3 * taken[runs / 2],
           1e3 * taken[runs - 1], proven, 100.0 * gap);
    free(taken);
    free(time);
}

int main(int argc, char **argv)
{
    int runs = argc > 1 ? atoi(argv[1]) : 40;
    if (runs < 1)
        return 2;
    printf("method,hosts,classes,runs,median_ms,worst_ms,proven,worst_gap_percent\n");
    run_row(HS_REDUCTION_SNF, 1000, 0, runs);
    run_row(HS_REDUCTION_SNF, 10000, 0, runs);
    run_row(HS_REDUCTION_SNF, 100000, 0, runs);
    run_row(HS_REDUCTION_SNF, 100000, 6, runs);
    for (int hosts = 16; hosts <= 128; hosts *= 2)
        for (int classes = 3; classes <= 6; classes++)
            run_row(HS_REDUCTION_OPTIMAL, hosts, classes, runs);
    run_row(HS_REDUCTION_OPTIMAL, 16, 0, runs);
    run_row(HS_REDUCTION_OPTIMAL, 64, 0, runs);
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* What a cut of units with weights takes: processor seconds as CSV, the median of several problems for each size. */
#include "util/random.h"
#include <heteroslice/hs_slices.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { PROBLEMS = 5 };

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Weights over three decades, speeds over one. */
static double cut(hs__random *random, int64_t units, int hosts, double *excess)
{
    double *weight = malloc((size_t)units * sizeof *weight), *cycle = malloc((size_t)hosts * sizeof *cycle);
    double *comm = calloc((size_t)hosts, sizeof *comm), sum = 0, speed = 0, step = NAN;
    int64_t *count = malloc((size_t)hosts * sizeof *count);
    if (!weight || !cycle || !comm || !count)
        exit(1);
    for (int64_t u = 0; u < units; u++)
        sum += weight[u] = pow(10, 3 * hs__random_unit(random));
    for (int i = 0; i < hosts; i++)
        speed += 1 / (cycle[i] = 1 + 9 * hs__random_unit(random));
    clock_t begun = clock();
    if (hs_slices_compute_weighted(weight, cycle, comm, hosts, units, 1, HS_STEP_SERIAL, count, &step) != HS_OK)
        exit(1);
    double seconds = (double)(clock() - begun) / CLOCKS_PER_SEC;
    *excess = step / (sum / speed) - 1;
    free(weight);
    free(cycle);
    free(comm);
    free(count);
    return seconds;
}

int main(void)
{
    static const int64_t units[] = {10000, 1000000, 10000000};
    static const int hosts[] = {6, 100, 10000};
    hs__random random = {1};
    printf("units,hosts,seconds,above_divisible\n");
    for (size_t n = 0; n < 3; n++)
        for (size_t p = 0; p < 3; p++) {
            double seconds[PROBLEMS], excess[PROBLEMS];
            for (int k = 0; k < PROBLEMS; k++)
                seconds[k] = cut(&random, units[n], hosts[p], &excess[k]);
            qsort(seconds, PROBLEMS, sizeof *seconds, ascending);
            qsort(excess, PROBLEMS, sizeof *excess, ascending);
            printf("%lld,%d,%.4f,%.2g\n", (long long)units[n], hosts[p], seconds[PROBLEMS / 2], excess[PROBLEMS / 2]);
        }
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* How often and by how much slowest-node-first misses the optimum.
 *
 *     misses [RUNS]      a row, default 1000
 *
 * prints CSV: hosts,classes,runs,proven,missed_percent,mean_excess_percent,worst_excess_percent; the mean is over the
 * misses. Class times are random from 1 to 10, hosts of random classes. Only runs with a proven optimum count. */
#include "util/random.h"
#include <heteroslice/hs_reduction.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 64 };

static hs_reduction *plan_of(const double *time, int hosts, hs_reduction_method method)
{
    hs_reduction *plan;
    hs_error error;
    if (hs_reduction_create(time, hosts, method, 0, &plan, &error) == HS_OK)
        return plan;
    fprintf(stderr, "misses: %s\n", error.text);
    exit(1);
}

static void run_row(hs__random *random, int hosts, int classes, int runs)
{
    double time[MOST], of_class[8], sum = 0.0, worst = 0.0;
    int missed = 0, proven = 0;
    for (int r = 0; r < runs; r++) {
        for (int k = 0; k < classes; k++)
            of_class[k] = 1.0 + 9.0 * hs__random_unit(random);
        for (int i = 0; i < hosts; i++)
            time[i] = of_class[hs__random_below(random, classes)];
        hs_reduction *snf = plan_of(time, hosts, HS_REDUCTION_SNF);
        hs_reduction *best = plan_of(time, hosts, HS_REDUCTION_OPTIMAL);
        double excess = hs_reduction_makespan(snf) / hs_reduction_makespan(best) - 1.0;
        if (hs_reduction_is_optimal(best)) {
            proven++;
            missed += excess > 1e-9;
            sum += excess > 1e-9 ? excess : 0.0;
            worst = fmax(worst, excess);
        }
        hs_reduction_free(best);
        hs_reduction_free(snf);
    }
    printf("%d,%d,%d,%d,%.1f,%.2f,%.2f\n", hosts, classes, runs, proven, proven ? 100.0 * missed / proven : 0.0,
           missed ? 100.0 * sum / missed : 0.0, 100.0 * worst);
}

int main(int argc, char **argv)
{
    static const int hosts[] = {8, 9, 12, 16, 24, 32, 48, 64};
    int runs = argc > 1 ? atoi(argv[1]) : 1000;
    hs__random random = {3};
    if (runs < 1)
        return 2;
    printf("hosts,classes,runs,proven,missed_percent,mean_excess_percent,worst_excess_percent\n");
    for (size_t i = 0; i < sizeof hosts / sizeof *hosts; i++)
        for (int classes = 2; classes <= 6; classes += 2)
            run_row(&random, hosts[i], classes, runs);
    return 0;
}

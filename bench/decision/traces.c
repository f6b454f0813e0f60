/* SPDX-License-Identifier: BSD-3-Clause */
/* What deciding costs against hindsight and against never moving, over random runs on paper.
 * Usage: traces [COUNT [FIRST SEED]]: COUNT runs of each family; one line of CSV a family. */
#include "tests/plan/decision/traces.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const names[TRACE_FAMILIES] = {"steady",    "bursts", "periodic", "random",
                                                  "adversary", "fixed",  "declared", "wanders"};

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double quantile(const double *sorted, long n, double q)
{
    return sorted[(long)floor(q * (double)(n - 1))];
}

static void family(trace_family f, long count, long first, double *ratio, double *to_never)
{
    double worst = 0;
    long broken = 0, off = 0, worst_seed = first;
    for (long k = 0; k < count; k++) {
        trace_outcome o = trace_run(f, (uint64_t)(first + k));
        double bound = 2 * o.hindsight + 2 * o.phase;
        ratio[k] = o.total / o.hindsight;
        to_never[k] = o.total / o.never;
        broken += o.total > bound;
        off += o.off;
        if (o.total / bound > worst) {
            worst = o.total / bound;
            worst_seed = first + k;
        }
    }
    qsort(ratio, (size_t)count, sizeof *ratio, compare);
    qsort(to_never, (size_t)count, sizeof *to_never, compare);
    printf("%s,%ld,%ld,%.4f,%ld,%.4f,%.4f,%.4f,%.4f,%.4f,%.4f,%ld\n", names[f], count, broken, worst, worst_seed,
           quantile(ratio, count, 0.5), quantile(ratio, count, 0.999), ratio[count - 1], quantile(to_never, count, 0.5),
           quantile(to_never, count, 0.999), to_never[count - 1], off);
}

int main(int argc, char **argv)
{
    long count = argc > 1 ? atol(argv[1]) : 10000, first = argc > 2 ? atol(argv[2]) : 1;
    double *ratio = count > 0 ? malloc((size_t)count * sizeof *ratio) : NULL,
           *to_never = count > 0 ? malloc((size_t)count * sizeof *to_never) : NULL;
    if (!ratio || !to_never) {
        fprintf(stderr, "traces: COUNT is %s, expected at least 1\n", argc > 1 ? argv[1] : "too large");
        return 1;
    }
    printf("family,runs,above_bound,worst_to_bound,worst_seed,to_hindsight_median,to_hindsight_999,to_hindsight_worst,"
           "to_never_median,to_never_999,to_never_worst,off\n");
    for (trace_family f = 0; f < TRACE_FAMILIES; f++)
        family(f, count, first, ratio, to_never);
    free(ratio);
    free(to_never);
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* How well a platform file predicts what flows get: relative error of the max-min bandwidths of random sets of 1 to 8
 * flows, against a true file with the same host names. Beside it a clique: each pair has its true bandwidth to itself.
 *
 * usage: judge TRUE FOUND [SETS]     prints "median,p95,clique_median,clique_p95" */
#include "util/array.h"
#include "util/random.h"
#include <heteroslice/hs_platform.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { FLOWS = 8, SETS = 200 };

static hs_platform *read_platform(const char *path)
{
    hs_platform *platform = NULL;
    hs_error error = {0};
    if (hs_platform_read(path, &platform, &error) == HS_OK)
        return platform;
    fprintf(stderr, "judge: %s:%d: %s\n", path, error.line, error.text);
    exit(1);
}

/* The hosts of `there` that have the names of all hosts of `here`. */
static int *same_names(const hs_platform *here, const hs_platform *there)
{
    int n = hs_platform_hosts(here), *same = hs__array_new((size_t)n, sizeof *same);
    for (int h = 0; same && h < n; h++) {
        same[h] = hs_platform_find_node(there, hs_platform_node_id(here, h));
        if (same[h] < 0 || same[h] >= hs_platform_hosts(there)) {
            fprintf(stderr, "judge: %s is not in the file found\n", hs_platform_node_id(here, h));
            exit(1);
        }
    }
    return same;
}

static void max_min(const hs_platform *platform, int (*flow)[2], int n, double *rate)
{
    hs_route route[FLOWS] = {{0}};
    const int *links[FLOWS];
    size_t counts[FLOWS];
    for (int k = 0; k < n; k++) {
        if (hs_platform_route(platform, flow[k][0], flow[k][1], &route[k]) != HS_OK)
            exit(1);
        links[k] = route[k].links;
        counts[k] = route[k].count;
    }
    if (hs_platform_maxmin(platform, links, counts, (size_t)n, rate) != HS_OK)
        exit(1);
    for (int k = 0; k < n; k++)
        hs_route_free(&route[k]);
}

/* What a link for each pair, SHARED, leaves flow k. */
static double clique(const hs_platform *platform, int (*flow)[2], int n, int k)
{
    double alone;
    int sharers = 0;
    max_min(platform, &flow[k], 1, &alone);
    for (int m = 0; m < n; m++)
        sharers += (flow[m][0] == flow[k][0] && flow[m][1] == flow[k][1]) ||
                   (flow[m][0] == flow[k][1] && flow[m][1] == flow[k][0]);
    return alone / sharers;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void print_errors(double *error, int n, char end)
{
    qsort(error, (size_t)n, sizeof *error, ascending);
    printf("%.3f,%.3f%c", error[n / 2], error[n * 95 / 100], end);
}

int main(int argc, char **argv)
{
    int sets = argc > 3 ? atoi(argv[3]) : SETS, n = 0;
    if (argc < 3 || argc > 4 || sets < 1) {
        fputs("usage: judge TRUE FOUND [SETS]\n", stderr);
        return 2;
    }
    hs_platform *truly = read_platform(argv[1]), *found = read_platform(argv[2]);
    int *same = same_names(truly, found), hosts = hs_platform_hosts(truly);
    double *error = hs__array_new(2 * (size_t)sets * FLOWS, sizeof *error), *of_clique = error + (size_t)sets * FLOWS;
    hs__random random = {1};
    for (int s = 0; s < sets && error && same; s++) {
        int flows = 1 + (int)hs__random_below(&random, FLOWS), ends[FLOWS][2], ends_found[FLOWS][2];
        double right[FLOWS], got[FLOWS];
        for (int k = 0; k < flows; k++) {
            int i = (int)hs__random_below(&random, hosts), j = (int)hs__random_below(&random, hosts - 1);
            ends[k][0] = i;
            ends[k][1] = j + (j >= i);
            for (int end = 0; end < 2; end++)
                ends_found[k][end] = same[ends[k][end]];
        }
        max_min(truly, ends, flows, right);
        max_min(found, ends_found, flows, got);
        for (int k = 0; k < flows; k++, n++) {
            error[n] = fabs(got[k] / right[k] - 1);
            of_clique[n] = fabs(clique(truly, ends, flows, k) / right[k] - 1);
        }
    }
    print_errors(error, n, ',');
    print_errors(of_clique, n, '\n');
    free(error);
    free(same);
    hs_platform_free(truly);
    hs_platform_free(found);
    return 0;
}

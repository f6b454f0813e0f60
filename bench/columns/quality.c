/* SPDX-License-Identifier: BSD-3-Clause */
/* Quality of the partitions of 2 to 1000 hosts: the sum of half perimeters over the lower bound, for columns, recursive
 * cuts and the squarest R x C grid, and the part of the hosts' speed that a grid can use (the others use all of it).
 * Prints CSV: mean and worst over random draws. */
#include "speeds.h"
#include <heteroslice/hs_columns.h>
#include <heteroslice/hs_grid.h>
#include <stdio.h>
#include <stdlib.h>

enum { MAX_HOSTS = 1000, METHODS = 3, MAX_GRIDS = 8 };
enum {
    FEW_GRIDS = 64,
    FAST_GRIDS = 256
}; /* between these numbers of hosts a grid takes seconds, so only one is made */
static const char *const method_name[METHODS] = {"columns", "recursive", "grid"};

typedef struct score {
    double ratio, worst, used, seconds;
} score;

static void add(score *s, double ratio, double used, double seconds)
{
    s->ratio += ratio;
    s->worst = fmax(s->worst, ratio);
    s->used += used;
    s->seconds += seconds;
}

static int measure_columns(const double *speed, int hosts, hs_columns_method method, score *s, double *bound)
{
    hs_columns_params params;
    hs_columns *plan;
    hs_columns_params_init(&params);
    params.method = method;
    double begun = seconds_now();
    if (hs_columns_create(speed, hosts, &params, &plan) != HS_OK)
        return -1;
    double seconds = seconds_now() - begun;
    *bound = hs_columns_lower_bound(plan);
    add(s, hs_columns_half_perimeter_sum(plan) / *bound, 1, seconds);
    hs_columns_free(plan);
    return 0;
}

static int faster_first(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

/* The squarest R x C grid of the fastest hosts. Fewer than R hosts are left out, since a prime number of hosts would make
 * one row; the bound is that of the hosts used. The R C rectangles of the unit square have R heights and C widths. */
static int measure_grid(const double *speed, int hosts, score *s)
{
    int rows = (int)sqrt(hosts), columns = hosts / rows;
    double sum = 0, sorted[MAX_HOSTS];
    hs_grid *grid;
    for (int i = 0; i < hosts; i++)
        sum += sorted[i] = speed[i];
    qsort(sorted, (size_t)hosts, sizeof *sorted, faster_first);
    double bound;
    score ignored = {0};
    if (measure_columns(sorted, rows * columns, HS_COLUMNS_COLUMNS, &ignored, &bound) != 0)
        return -1;
    double begun = seconds_now();
    if (hs_grid_create(sorted, rows, columns, 0, &grid) != HS_OK)
        return -1;
    double seconds = seconds_now() - begun;
    add(s, (rows + columns) / bound, hs_grid_value(grid) / sum, seconds);
    hs_grid_free(grid);
    return 0;
}

static int measure(int kind, int hosts)
{
    static double speed[MAX_HOSTS];
    score scores[METHODS] = {{0}};
    hs__random random = {(uint64_t)(1000 * hosts + kind)};
    int grids = hosts > FEW_GRIDS && hosts <= FAST_GRIDS ? 1 : MAX_GRIDS;
    int draws = hosts <= 16 ? 100 : hosts <= 64 ? 40 : hosts <= 256 ? 10 : 4, failed = 0;
    for (int k = 0; k < draws && !failed; k++) {
        double bound = 1;
        draw_speeds(&random, kind, speed, hosts);
        failed |= measure_columns(speed, hosts, HS_COLUMNS_COLUMNS, &scores[0], &bound);
        failed |= measure_columns(speed, hosts, HS_COLUMNS_RECURSIVE, &scores[1], &bound);
        if (k < grids)
            failed |= measure_grid(speed, hosts, &scores[2]);
    }
    for (int m = 0; m < METHODS; m++) {
        int n = m == 2 && draws > grids ? grids : draws;
        printf("%s,%d,%s,%d,%.6f,%.6f,%.4f,%.6f\n", kind_name[kind], hosts, method_name[m], n, scores[m].ratio / n,
               scores[m].worst, scores[m].used / n, scores[m].seconds / n);
    }
    fflush(stdout);
    return failed;
}

int main(void)
{
    puts("speeds,hosts,method,draws,mean_ratio,worst_ratio,speed_used,seconds");
    for (int kind = 0; kind < KINDS; kind++)
        for (int hosts = 2; hosts <= MAX_HOSTS; hosts = hosts < 20 ? hosts + 1 : (int)(1.13 * hosts + 1))
            if (measure(kind, hosts) != 0)
                return EXIT_FAILURE;
    for (int kind = 0; kind < KINDS; kind++)
        if (measure(kind, MAX_HOSTS) != 0)
            return EXIT_FAILURE;
    return EXIT_SUCCESS;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Time to plan a partition for up to 100,000 hosts: columns and recursive cuts, sum and max, and the squarest grid, on
 * the unit square and on 10,000 x 10,000 blocks. Prints CSV. */
#include "speeds.h"
#include <heteroslice/hs_columns.h>
#include <heteroslice/hs_grid.h>
#include <stdio.h>
#include <stdlib.h>

enum { MAX_HOSTS = 100000, BLOCKS = 10000 };

static int measure(const double *speed, int kind, int hosts, hs_columns_params params)
{
    hs_columns *plan;
    double begun = seconds_now();
    hs_status status = hs_columns_create(speed, hosts, &params, &plan);
    double seconds = seconds_now() - begun;
    if (status != HS_OK || hs_columns_check(plan, NULL) != HS_OK)
        return -1;
    double found =
        params.objective == HS_COLUMNS_SUM ? hs_columns_half_perimeter_sum(plan) : hs_columns_half_perimeter_max(plan);
    printf("%s,%d,%s,%s,%lld,%.4f,%.6f\n", kind_name[kind], hosts, params.method ? "recursive" : "columns",
           params.objective ? "max" : "sum", (long long)params.blocks, seconds, found / hs_columns_lower_bound(plan));
    fflush(stdout);
    hs_columns_free(plan);
    return 0;
}

/* Its ratio is the sum of the hosts' speeds over the part of it that the grid can use. */
static int measure_grid(const double *speed, int kind, int hosts, int64_t blocks)
{
    int rows = (int)sqrt(hosts);
    double sum = 0;
    while (hosts % rows != 0)
        rows--;
    for (int k = 0; k < hosts; k++)
        sum += speed[k];
    hs_grid *grid;
    double begun = seconds_now();
    if (hs_grid_create(speed, rows, hosts / rows, blocks, &grid) != HS_OK)
        return -1;
    printf("%s,%d,grid,,%lld,%.4f,%.6f\n", kind_name[kind], hosts, (long long)blocks, seconds_now() - begun,
           sum / hs_grid_value(grid));
    fflush(stdout);
    hs_grid_free(grid);
    return 0;
}

int main(void)
{
    static double speed[MAX_HOSTS];
    hs__random random = {1};
    int failed = 0;
    puts("speeds,hosts,method,objective,blocks,seconds,ratio_to_bound");
    for (int hosts = 100; hosts <= MAX_HOSTS; hosts *= 10)
        for (int kind = 0; kind < KINDS && !failed; kind++) {
            draw_speeds(&random, kind, speed, hosts);
            for (int variant = 0; variant < 8 && !failed; variant++)
                failed = measure(speed, kind, hosts,
                                 (hs_columns_params){.objective = variant & 1 ? HS_COLUMNS_MAX : HS_COLUMNS_SUM,
                                                     .method = variant & 2 ? HS_COLUMNS_RECURSIVE : HS_COLUMNS_COLUMNS,
                                                     .blocks = variant & 4 ? BLOCKS : 0});
            for (int variant = 0; variant < 2 && !failed; variant++)
                failed = measure_grid(speed, kind, hosts, variant ? BLOCKS : 0);
        }
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

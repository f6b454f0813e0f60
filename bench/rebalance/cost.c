/* SPDX-License-Identifier: BSD-3-Clause */
/* Blocks that move when speeds drift, 4 to 400 hosts on 1000 x 1000 blocks: with slides only, with the paper's greedy
 * and with the exact method, for both prices of a row, and with a partition from scratch; and the time to plan. Drifts:
 * every host by up to 30 %, or one host to a quarter. The new largest area/speed is within 1 % of the smallest. Prints
 * CSV: means over random draws, as parts of all blocks. */
#include "../columns/speeds.h"
#include <heteroslice/hs_rebalance.h>
#include <stdio.h>
#include <stdlib.h>

enum { MAX_HOSTS = 400, BLOCKS = 1000, DRAWS = 10 };
enum { SLIDES, GREEDY, EXACT, METHODS };

typedef struct result {
    double cost[2][METHODS], moved[2], seconds[2][METHODS], scratch;
} result;

static int partition(const double *speed, int hosts, hs_columns **plan)
{
    hs_columns_params params;
    hs_columns_params_init(&params);
    params.blocks = BLOCKS;
    params.tolerance = 0.01;
    return hs_columns_create(speed, hosts, &params, plan) == HS_OK ? 0 : -1;
}

static double overlap(double a, double length_a, double b, double length_b)
{
    double end = fmin(a + length_a, b + length_b), begin = fmax(a, b);
    return end > begin ? end - begin : 0;
}

/* Number of blocks whose owner differs between two partitions. */
static double moved_between(const hs_columns *before, const hs_columns *after)
{
    double same = 0;
    for (int i = 0; i < hs_columns_count(before); i++)
        for (int j = 0; j < hs_columns_count(after); j++) {
            const hs_rectangle *a = hs_columns_rectangle(before, i), *b = hs_columns_rectangle(after, j);
            if (a->host == b->host)
                same += overlap(a->x, a->width, b->x, b->width) * overlap(a->y, a->height, b->y, b->height);
        }
    return (double)BLOCKS * BLOCKS - same;
}

static int measure_plan(const hs_column_layout *layout, const double *speed, int hosts, int model, int method,
                        result *r)
{
    static const hs_rebalance_method methods[] = {HS_REBALANCE_SLIDES, HS_REBALANCE_GREEDY, HS_REBALANCE_EXACT};
    hs_rebalance_params params = {.method = methods[method],
                                  .model = model ? HS_REBALANCE_OWNERS : HS_REBALANCE_CONSTANT,
                                  .row_cost = -1,
                                  .tolerance = 0.01};
    hs_rebalance *plan;
    double begun = seconds_now();
    if (hs_rebalance_create_speeds(layout, speed, hosts, &params, &plan, NULL) != HS_OK)
        return -1;
    r->seconds[model][method] += seconds_now() - begun;
    r->cost[model][method] += hs_rebalance_cost(plan);
    if (method == EXACT)
        r->moved[model] += (double)hs_rebalance_blocks_moved(plan);
    hs_rebalance_free(plan);
    return 0;
}

static int measure_draw(hs__random *random, int hosts, int drift, result *r)
{
    double speed[MAX_HOSTS];
    hs_columns *before, *after;
    hs_column_layout layout;
    draw_speeds(random, UNIFORM, speed, hosts);
    if (partition(speed, hosts, &before) != 0 || hs_columns_layout(before, &layout) != HS_OK)
        return -1;
    for (int i = 0; i < hosts && !drift; i++)
        speed[i] *= 0.7 + 0.6 * hs__random_unit(random);
    if (drift)
        speed[hs__random_below(random, hosts)] /= 4;
    int failed = partition(speed, hosts, &after);
    for (int k = 0; k < 2 * METHODS && !failed; k++)
        failed = measure_plan(&layout, speed, hosts, k / METHODS, k % METHODS, r);
    if (!failed) {
        r->scratch += moved_between(before, after);
        hs_columns_free(after);
    }
    hs_columns_free(before);
    return failed;
}

int main(void)
{
    const double all = (double)BLOCKS * BLOCKS * DRAWS;
    puts("drift,hosts,slides,greedy,exact,owners_greedy,owners_exact,moved,owners_moved,scratch,"
         "greedy_ms,exact_ms,owners_exact_ms");
    for (int drift = 0; drift < 2; drift++)
        for (int hosts = 4; hosts <= MAX_HOSTS; hosts = hosts < 10 ? hosts + 3 : hosts * 10 / 7) {
            hs__random random = {(uint64_t)(hosts + 1000 * drift)};
            result r = {{{0}}, {0}, {{0}}, 0};
            for (int k = 0; k < DRAWS; k++)
                if (measure_draw(&random, hosts, drift, &r) != 0)
                    return EXIT_FAILURE;
            printf("%s,%d,%.5f,%.5f,%.5f,%.5f,%.5f,%.5f,%.5f,%.5f,%.3f,%.3f,%.3f\n", drift ? "one" : "all", hosts,
                   r.cost[0][SLIDES] / all, r.cost[0][GREEDY] / all, r.cost[0][EXACT] / all, r.cost[1][GREEDY] / all,
                   r.cost[1][EXACT] / all, r.moved[0] / all, r.moved[1] / all, r.scratch / all,
                   1e3 * r.seconds[0][GREEDY] / DRAWS, 1e3 * r.seconds[0][EXACT] / DRAWS,
                   1e3 * r.seconds[1][EXACT] / DRAWS);
            fflush(stdout);
        }
    return EXIT_SUCCESS;
}

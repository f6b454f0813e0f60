/* SPDX-License-Identifier: BSD-3-Clause */
/* Time to plan for 10,000 x 10,000 blocks on 100 hosts: all speeds drift by up to 30 %, or every border has to move by
 * up to a hundred rows. Milliseconds, median and worst of 100 plans. Prints CSV. */
#include "../columns/speeds.h"
#include <heteroslice/hs_rebalance.h>
#include <stdio.h>
#include <stdlib.h>

enum { HOSTS = 100, BLOCKS = 10000, PLANS = 100 };

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Deltas that shift every border by a random number of rows. */
static void draw_deltas(hs__random *random, const hs_column_layout *l, int64_t *delta)
{
    for (int k = 0; k < l->first[l->columns]; k++)
        delta[k] = 0;
    for (int c = 0; c < l->columns; c++)
        for (int k = l->first[c]; k + 1 < l->first[c + 1]; k++) {
            int64_t rows = hs__random_below(random, 201) - 100;
            if (l->height[k] + delta[k] + rows < 0 || l->height[k + 1] + delta[k + 1] - rows < 0)
                continue;
            delta[k] += rows;
            delta[k + 1] -= rows;
        }
}

static double plan_once(hs__random *random, const hs_rebalance_params *params, int drift)
{
    double speed[HOSTS], begun;
    int64_t delta[HOSTS];
    hs_columns_params columns_params;
    hs_columns *columns;
    hs_column_layout layout;
    hs_rebalance *plan;
    hs_columns_params_init(&columns_params);
    columns_params.blocks = BLOCKS;
    draw_speeds(random, UNIFORM, speed, HOSTS);
    if (hs_columns_create(speed, HOSTS, &columns_params, &columns) != HS_OK ||
        hs_columns_layout(columns, &layout) != HS_OK)
        exit(EXIT_FAILURE);
    for (int i = 0; i < HOSTS; i++)
        speed[i] *= 0.7 + 0.6 * hs__random_unit(random);
    draw_deltas(random, &layout, delta);
    begun = seconds_now();
    hs_status status = drift ? hs_rebalance_create_speeds(&layout, speed, HOSTS, params, &plan, NULL)
                             : hs_rebalance_create(&layout, delta, params, &plan, NULL);
    double seconds = seconds_now() - begun;
    if (status != HS_OK)
        exit(EXIT_FAILURE);
    hs_rebalance_free(plan);
    hs_columns_free(columns);
    return 1e3 * seconds;
}

int main(void)
{
    static const char *const methods[] = {"exact", "greedy", "slides"}, *const models[] = {"constant", "owners"};
    double sample[PLANS];
    puts("imbalance,model,method,median_ms,worst_ms");
    for (int drift = 1; drift >= 0; drift--)
        for (int model = 0; model < 2; model++)
            for (int method = 0; method < 3; method++) {
                hs__random random = {7};
                hs_rebalance_params params = {
                    .method = (hs_rebalance_method)method, .model = (hs_rebalance_model)model, .row_cost = -1};
                for (int k = 0; k < PLANS; k++)
                    sample[k] = plan_once(&random, &params, drift);
                qsort(sample, PLANS, sizeof *sample, ascending);
                printf("%s,%s,%s,%.3f,%.3f\n", drift ? "speeds" : "borders", models[model], methods[method],
                       sample[PLANS / 2], sample[PLANS - 1]);
                fflush(stdout);
            }
    return EXIT_SUCCESS;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Units with weights: the first cut, weights that stay with their units, that change, and bad ones. */
#include "plan/slices/weighted.h"
#include "tests/runtime/slices/slices.h"

enum { UNITS = 240, STEP_S = 1000 };

/* Whole numbers: sums are exact. `round` tells the declarations apart. */
static double weight_of(int64_t u, int round)
{
    return (double)(1 + (u * 7 + round * 3) % 5 + (u >= UNITS / 2 + 10 * round ? 12 : 0));
}

static hs_status declare(hs_layout *layout, int round)
{
    double weight[UNITS];
    hs_slice slice = hs_layout_slice(layout);
    for (int64_t i = 0; i < slice.count; i++)
        weight[i] = weight_of(slice.first + i, round);
    return hs_layout_weights(layout, slice.count > 0 ? weight : NULL);
}

static void holds(const hs_layout *layout, int round)
{
    hs_slice slice = hs_layout_slice(layout);
    const double *weight = hs_layout_get_weights(layout);
    REQUIRE(weight != NULL);
    for (int64_t i = 0; i < slice.count; i++)
        REQUIRE(weight[i] == weight_of(slice.first + i, round));
    REQUIRE(hs__layout_check(layout, NULL) == HS_OK);
}

static double load_of(const hs_layout *layout)
{
    hs_slice slice = hs_layout_slice(layout);
    double load = 0;
    for (int64_t i = 0; i < slice.count; i++)
        load += hs_layout_get_weights(layout)[i];
    return load;
}

/* Equal hosts: no rank holds more than the ideal and the heaviest unit, before and after arrays are registered. */
static void the_first_cut(hs_context *context)
{
    hs_layout *layout;
    double sum = 0;
    int64_t *data;
    for (int64_t u = 0; u < UNITS; u++)
        sum += weight_of(u, 0);
    REQUIRE(hs_layout_create(context, UNITS, 1, HS_FIXED, &layout) == HS_OK);
    REQUIRE(hs_layout_get_weights(layout) == NULL);
    REQUIRE(declare(layout, 0) == HS_OK);
    holds(layout, 0);
    REQUIRE(load_of(layout) <= sum / context->size + 17);
    int64_t first = layout->first;
    REQUIRE(hs_layout_add_array(layout, sizeof *data, 1, (void **)&data) == HS_OK);
    REQUIRE(declare(layout, 1) == HS_OK); /* data would have to move: that is up to hs_balance() */
    REQUIRE(layout->first == first);
    holds(layout, 1);
    REQUIRE(declare(layout, 0) == HS_OK);
    hs_layout_free(layout);
}

static void weights_stay_with_their_units(hs_context *context)
{
    hs_layout *layout;
    hs__random random = {4};
    int64_t *data, count[MOST_RANKS];
    REQUIRE(hs_layout_create(context, UNITS, 0, HS_PERIODIC, &layout) == HS_OK);
    REQUIRE(hs_layout_add_array(layout, sizeof *data, 0, (void **)&data) == HS_OK);
    REQUIRE(declare(layout, 2) == HS_OK);
    for (int k = 0; k < 20; k++) {
        random_slices(&random, context->size, UNITS, count);
        REQUIRE(hs__move(layout, count) == HS_OK);
        holds(layout, k % 4 < 2 ? 2 : 3);
        if (k % 2) /* also from ranks without units */
            REQUIRE(declare(layout, k % 4 == 1 ? 3 : 2) == HS_OK);
    }
    hs_layout_free(layout);
}

static void bad_weights(hs_context *context)
{
    static const double bad[] = {-1, NAN, INFINITY}, beyond[] = {1.7e308, 1e101, 1e-102, 1e-320};
    hs_layout *layout;
    double weight[UNITS] = {0};
    int last = context->size - 1;
    REQUIRE(hs_layout_create(context, UNITS, 0, HS_FIXED, &layout) == HS_OK);
    REQUIRE(declare(layout, 0) == HS_OK);
    hs_slice slice = hs_layout_slice(layout);
    for (size_t k = 0; k < 3; k++) {
        weight[1] = context->rank == last ? bad[k] : 1;
        REQUIRE(hs_layout_weights(layout, weight) == HS_ERR_ARG);
        REQUIRE(context->rank != last || text_has(context, "expected 0 or more, and finite"));
        holds(layout, 0);
        REQUIRE(hs_layout_slice(layout).first == slice.first);
    }
    REQUIRE(hs_layout_weights(layout, context->rank == last ? NULL : weight) == HS_ERR_ARG);
    REQUIRE(context->rank != last || text_has(context, "weight is NULL, expected those of "));
    memset(weight, 0, sizeof weight);
    for (size_t k = 0; k < sizeof beyond / sizeof *beyond; k++) {
        weight[0] = weight[1] = beyond[k];
        REQUIRE(hs_layout_weights(layout, weight) == HS_ERR_ARG && text_has(context, "sum"));
        REQUIRE(text_has(context, ", expected 0 or 1e-100 to 1e100"));
        holds(layout, 0);
    }
    memset(weight, 0, sizeof weight); /* all zero: equal units */
    REQUIRE(hs_layout_weights(layout, weight) == HS_OK);
    REQUIRE(hs_layout_slice(layout).count <= UNITS / context->size + 1);
    for (int u = 0; u < UNITS; u++)
        weight[u] = layout->first == 0 && u == 0 ? 1e6 : 1; /* heavier than all others together */
    REQUIRE(hs_layout_weights(layout, weight) == HS_OK);
    REQUIRE(context->size == 1 || context->rank > 0 || hs_layout_slice(layout).count == 1);
    hs_layout_free(layout);
}

/* Iterations in step; a unit of weight takes weight_s on this rank. */
static void run(hs_layout *layout, int64_t *const *data, int iterations, double weight_s)
{
    for (int k = 0; k < iterations; k++) {
        step_in_time(layout, weight_s * load_of(layout));
        hs_slice slice = hs_layout_slice(layout);
        for (int64_t i = 0; i < slice.count; i++)
            REQUIRE((*data)[i] == slice.first + i);
    }
}

/* The longest computation over that of a divisible load. */
static double imbalance(hs_layout *layout, double weight_s)
{
    double mine[2] = {load_of(layout), 1 / weight_s}, sum[2], longest = mine[0] * weight_s;
    MPI_Allreduce(mine, sum, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, &longest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return longest / (sum[0] / sum[1]);
}

/* First weights change, then a host's speed, then both. */
static void balanced(hs_context *context)
{
    hs_layout *layout;
    hs_layout_stats stats;
    int64_t *data, moves = 0;
    double weight_s = (double)STEP_S / UNITS;
    REQUIRE(hs_layout_create(context, UNITS, 0, HS_FIXED, &layout) == HS_OK);
    REQUIRE(declare(layout, 0) == HS_OK);
    REQUIRE(hs_layout_add_array(layout, sizeof *data, 0, (void **)&data) == HS_OK);
    hs_slice slice = hs_layout_slice(layout);
    for (int64_t i = 0; i < slice.count; i++)
        data[i] = slice.first + i;
    for (int stage = 1; stage < 5; stage++) {
        if (stage != 2)
            REQUIRE(declare(layout, 2 * stage) == HS_OK);
        if (stage == 2 && context->rank == context->size / 2)
            weight_s *= 3;
        run(layout, &data, 60, weight_s);
        REQUIRE(imbalance(layout, weight_s) <= 1.25);
        holds(layout, stage == 2 ? 2 : 2 * stage);
        hs_layout_get_stats(layout, &stats);
        REQUIRE(context->size == 1 || stage == 4 || stats.moves > moves);
        moves = stats.moves;
    }
    hs_layout_free(layout);
}

/* Nothing is registered, so slices are cut at each declaration: by what was measured until then, which goes on. */
static void cut_as_measured(hs_context *context)
{
    hs_layout *layout;
    double weight_s = (double)STEP_S / UNITS * (context->rank == context->size / 2 ? 3 : 1);
    REQUIRE(hs_layout_create(context, UNITS, 0, HS_FIXED, &layout) == HS_OK);
    for (int k = 0; k < 20; k++) {
        REQUIRE(declare(layout, k % 5) == HS_OK);
        step_in_time(layout, weight_s * load_of(layout));
    }
    REQUIRE(imbalance(layout, weight_s) <= 1.25);
    hs_layout_free(layout);
}

/* Without balancing slices have equal weights, whatever the hosts' speeds. */
static void balance_off(void)
{
    hs_layout *layout;
    hs_context *context = start_unbalanced(PATIENCE);
    double sum = 0;
    for (int64_t u = 0; u < UNITS; u++)
        sum += weight_of(u, 0);
    REQUIRE(hs_layout_create(context, UNITS, 0, HS_FIXED, &layout) == HS_OK);
    REQUIRE(declare(layout, 0) == HS_OK);
    REQUIRE(load_of(layout) <= sum / context->size + 17 && load_of(layout) >= sum / context->size - 17);
    REQUIRE(hs_finalize(&context) == HS_OK);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    hs_context *context = start_balanced();
    the_first_cut(context);
    weights_stay_with_their_units(context);
    bad_weights(context);
    balanced(context);
    cut_as_measured(context);
    REQUIRE(hs_finalize(&context) == HS_OK);
    balance_off();
    MPI_Finalize();
    return 0;
}

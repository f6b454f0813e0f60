/* SPDX-License-Identifier: BSD-3-Clause */
/* Weights that are learned from brackets around units: what they come to, heavier units against slower hosts, ranks that
 * bracket nothing or have no units, declared weights, brackets that are wrong, and memory that fails. */
#include "runtime/slices/learn.h"
#include "tests/papi.h"
#include "tests/runtime/slices/slices.h"

enum { UNITS = 240, UNIT_S = 4 };

/* A program: seconds that each unit takes, and how it calls the library. */
typedef struct program {
    hs_layout *layout;
    int64_t units, *data;
    double work[UNITS];
    double slow;  /* wall-clock seconds of this rank for one of work */
    double cpu;   /* and CPU seconds */
    int brackets; /* 1: around its units */
    int range;    /* units of a bracket */
} program;

/* Units of unequal work: the first third is heavy, and shifted by `round` every third unit is. */
static void set_work(program *p, int round)
{
    for (int u = 0; u < UNITS; u++) {
        p->work[u] = UNIT_S * ((1 + u % 4) * (u < UNITS / 3 ? 5 : 1));
        if (round > 0 && u % 3 == round % 3)
            p->work[u] *= 6;
    }
}

static void begin(program *p, hs_context *context, int64_t units)
{
    *p = (program){.units = units, .slow = 1, .cpu = 1, .brackets = 1, .range = 1};
    set_work(p, 0);
    REQUIRE(hs_layout_create(context, units, 0, HS_FIXED, &p->layout) == HS_OK);
    REQUIRE(hs_layout_add_array(p->layout, sizeof *p->data, 0, (void **)&p->data) == HS_OK);
    hs_slice slice = hs_layout_slice(p->layout);
    for (int64_t i = 0; i < slice.count; i++)
        p->data[i] = slice.first + i;
}

static void compute(program *p)
{
    hs_slice slice = hs_layout_slice(p->layout);
    for (int64_t u = slice.first, end = slice.first + slice.count; u < end; u += p->range) {
        int64_t count = u + p->range < end ? p->range : end - u;
        hs_status status = p->brackets ? hs_unit_begin(p->layout, u, count) : HS_OK;
        REQUIRE(status == HS_OK || (status == HS_ERR_NOMEM && countdown < 0));
        for (int64_t i = u; i < u + count; i++) {
            clock_pass(p->slow * p->work[i]);
            clock_cpu_ahead += p->cpu * p->work[i];
            papi_executed += 1e9 * p->work[i];
        }
        REQUIRE(!p->brackets || hs_unit_end(p->layout) == HS_OK);
    }
}

static hs_status step(program *p)
{
    hs_compute_begin(p->layout);
    compute(p);
    hs_compute_end(p->layout);
    clock_meet();
    hs_status status = hs_balance(p->layout);
    hs_slice slice = hs_layout_slice(p->layout);
    for (int64_t i = 0; i < slice.count; i++)
        REQUIRE(p->data[i] == slice.first + i);
    REQUIRE(hs__layout_check(p->layout, NULL) == HS_OK);
    return status;
}

static void run(program *p, int iterations)
{
    for (int k = 0; k < iterations; k++)
        REQUIRE(step(p) >= 0);
}

/* The longest computation over that of a divisible load. */
static double imbalance(const program *p)
{
    hs_slice slice = hs_layout_slice(p->layout);
    double mine[2] = {0, 1 / p->slow}, sum[2], longest;
    for (int64_t i = 0; i < slice.count; i++)
        mine[0] += p->work[slice.first + i];
    longest = mine[0] * p->slow;
    MPI_Allreduce(mine, sum, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, &longest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return longest / (sum[0] / sum[1]);
}

/* The largest part of the work of units first <= u < end that the weights misplace. */
static double misplaced(const program *p, int64_t first, int64_t end)
{
    double work = 0, weight = 0, sum = 0, most = 0;
    for (int64_t u = first; u < end; u++) {
        work += p->work[u];
        weight += p->layout->weight[u];
    }
    for (int64_t u = first; u < end; u++) {
        sum += p->layout->weight[u] / weight - p->work[u] / work;
        most = fmax(most, fabs(sum));
    }
    return most;
}

/* All ranks have the same weights. */
static void weights_agree(const program *p)
{
    double first[UNITS];
    memcpy(first, p->layout->weight, (size_t)p->units * sizeof *first);
    MPI_Bcast(first, (int)p->units, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    REQUIRE(memcmp(first, p->layout->weight, (size_t)p->units * sizeof *first) == 0);
}

/* Hosts are equal, and said to be: weights are the work of all units, once they were timed in two iterations, and hold
 * while hosts change their speed. */
static void learned_and_told_apart(hs_context *context)
{
    program p;
    double before[UNITS];
    begin(&p, context, UNITS);
    REQUIRE(hs_layout_get_weights(p.layout) == NULL);
    run(&p, 40);
    REQUIRE(imbalance(&p) <= 1.15);
    REQUIRE((hs_layout_get_weights(p.layout) != NULL) == (context->size > 1));
    if (context->size > 1) {
        weights_agree(&p);
        REQUIRE(misplaced(&p, 0, UNITS) <= 0.03);
        memcpy(before, p.layout->weight, sizeof before);
        p.slow = context->rank == context->size / 2 ? 3 : 1; /* for the wall clock alone */
        run(&p, 40);
        REQUIRE(memcmp(before, p.layout->weight, sizeof before) == 0);
        REQUIRE(imbalance(&p) <= 1.2);
        for (int round = 1; round < 3; round++) { /* every third unit is heavier, then another third */
            set_work(&p, round);
            run(&p, 40);
            weights_agree(&p);
            REQUIRE(misplaced(&p, 0, UNITS) <= 0.03);
            REQUIRE(imbalance(&p) <= 1.25);
        }
    }
    hs_layout_free(p.layout);
}

/* A host that needs longer in CPU time, too: its scale follows, and weights stay. */
static void a_slower_clock(hs_context *context)
{
    program p;
    double before[UNITS];
    if (context->size == 1)
        return;
    begin(&p, context, UNITS);
    run(&p, 40);
    memcpy(before, p.layout->weight, sizeof before);
    p.slow = p.cpu = context->rank == 0 ? 3 : 1;
    int64_t held = hs_layout_slice(p.layout).count;
    run(&p, 40);
    REQUIRE(memcmp(before, p.layout->weight, sizeof before) == 0);
    REQUIRE(context->rank > 0 || hs_layout_slice(p.layout).count < held);
    REQUIRE(imbalance(&p) <= 1.2);
    hs_layout_free(p.layout);
}

/* All units of a slice need longer. Where instructions are counted it is seen whether there are more of them. */
static void a_slice_grows_as_a_whole(hs_context *context)
{
    program p;
    if (context->size == 1 || !COUNTED_HERE)
        return;
    papi_none = 0;
    begin(&p, context, UNITS);
    run(&p, 60);
    for (int64_t u = 0, end = hs_layout_counts(p.layout)[0]; u < end; u++)
        p.work[u] *= 4;
    run(&p, 12);
    REQUIRE(papi_running == 0);
    weights_agree(&p);
    REQUIRE(misplaced(&p, 0, UNITS) <= 0.03);
    run(&p, 40);
    REQUIRE(imbalance(&p) <= 1.2);
    hs_layout_free(p.layout);
    a_slower_clock(context);
    REQUIRE(papi_sets == 0);
    papi_none = 1;
}

/* The platform is wrong about a host, so that its units seem to be three times as heavy, or a third: each move between two
 * ranks makes the error of the next one smaller. */
static void a_wrong_platform(hs_context *context)
{
    for (int k = 0; k < 2; k++) {
        program p;
        begin(&p, context, UNITS);
        for (int u = 0; u < UNITS; u++)
            p.work[u] *= 3;
        p.slow = p.cpu = context->rank != context->size / 2 ? 1 : k == 0 ? 3 : 1 / 3.0;
        run(&p, 150);
        REQUIRE(imbalance(&p) <= 1.1);
        hs_layout_free(p.layout);
    }
}

/* A rank that brackets nothing counts its units as equal; ranges tell their mean. */
static void some_bracket_nothing(hs_context *context)
{
    program p;
    begin(&p, context, UNITS);
    p.brackets = context->rank > 0;
    p.range = 7;
    run(&p, 60);
    REQUIRE(imbalance(&p) <= 1.4);
    if (context->size > 1)
        weights_agree(&p);
    hs_layout_free(p.layout);
}

/* Fewer units than ranks. */
static void ranks_without_units(hs_context *context)
{
    program p;
    begin(&p, context, 3);
    p.work[1] *= 4;
    run(&p, 30);
    hs_slice slice = hs_layout_slice(p.layout);
    REQUIRE(slice.count > 0 || hs_unit_begin(p.layout, 0, 1) == HS_ERR_ARG);
    hs_layout_free(p.layout);
}

/* Learning turns the seconds of ranks with units into those of the new weights. What a rank without units says of its host's
 * speed holds for any weights. */
static void idle_ranks_keep_their_word(hs_context *context)
{
    program p;
    double news[MOST_RANKS], cycle[MOST_RANKS];
    if (context->size == 1)
        return;
    begin(&p, context, context->size - 1);
    compute(&p);
    for (int r = 0; r < context->size; r++) {
        news[r] = 1;
        cycle[r] = 1.5;
    }
    REQUIRE(hs__learning_adopt(p.layout, news, cycle) == HS_OK);
    for (int r = 0; r < context->size; r++) {
        double expected = p.layout->count[r] > 0 ? 1.5 * (double)p.layout->count[r] / p.layout->load[r] : 1.5;
        REQUIRE(fabs(cycle[r] - expected) <= 1e-12);
    }
    hs_layout_free(p.layout);
}

/* Declared weights are where learning begins, and hold until then; what is declared later holds, too. */
static void declared_weights(hs_context *context)
{
    program p;
    double weight[UNITS];
    for (int u = 0; u < UNITS; u++)
        weight[u] = 7;
    begin(&p, context, UNITS);
    REQUIRE(hs_layout_weights(p.layout, weight) == HS_OK);
    run(&p, 40);
    REQUIRE(hs_layout_get_weights(p.layout) != NULL);
    if (context->size > 1) {
        REQUIRE(imbalance(&p) <= 1.3);
        hs_slice slice = hs_layout_slice(p.layout);
        REQUIRE(misplaced(&p, slice.first, slice.first + slice.count) <= 0.05);
    }
    REQUIRE(hs_layout_weights(p.layout, weight) == HS_OK);
    for (int64_t i = 0; i < hs_layout_slice(p.layout).count; i++)
        REQUIRE(hs_layout_get_weights(p.layout)[i] == 7);
    p.brackets = 0;
    run(&p, 10);
    REQUIRE(p.layout->weight[0] == 7);
    hs_layout_free(p.layout);
}

static void wrong_brackets(hs_context *context)
{
    program p;
    char expected[80], begun[80];
    begin(&p, context, UNITS);
    hs_slice slice = hs_layout_slice(p.layout);
    REQUIRE(slice.count > 2);
    snprintf(expected, sizeof expected, "expected 1 or more of %lld from %lld on", (long long)slice.count,
             (long long)slice.first);
    snprintf(begun, sizeof begun, "units %lld to %lld have begun, and not ended", (long long)slice.first,
             (long long)slice.first + 1);
    REQUIRE(hs_unit_end(p.layout) == HS_ERR_STATE && text_has(context, "no units have begun"));
    const int64_t bad[][2] = {
        {slice.first - 1, 1},           {slice.first, 0},         {slice.first, -1}, {INT64_MAX, 1},
        {slice.first + 1, slice.count}, {slice.first, INT64_MAX}, {INT64_MIN, 1}};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        REQUIRE(hs_unit_begin(p.layout, bad[k][0], bad[k][1]) == HS_ERR_ARG && text_has(context, expected));
        REQUIRE(hs_unit_end(p.layout) == HS_ERR_STATE);
    }
    REQUIRE(hs_unit_begin(p.layout, slice.first, 2) == HS_OK && !hs_error_text(context)[0]);
    REQUIRE(hs_unit_begin(p.layout, slice.first + 1, 1) == HS_ERR_STATE && text_has(context, begun));
    REQUIRE(hs_unit_end(p.layout) == HS_OK && !hs_error_text(context)[0]);
    REQUIRE(hs_unit_end(p.layout) == HS_ERR_STATE);
    REQUIRE(hs_unit_begin(p.layout, slice.first, slice.count) == HS_OK);
    REQUIRE(hs_balance(p.layout) >= 0); /* ends the bracket */
    REQUIRE(hs_unit_end(p.layout) == HS_ERR_STATE);
    REQUIRE(hs_balance(p.layout) >= 0 && !hs_error_text(context)[0]);
    run(&p, 20);
    hs_layout_free(p.layout);
}

/* Without balancing nothing is timed. */
static void balance_off(void)
{
    program p;
    hs_context *context = start_unbalanced(PATIENCE);
    begin(&p, context, UNITS);
    run(&p, 5);
    REQUIRE(hs_layout_get_weights(p.layout) == NULL && p.layout->learning.times.units == 0);
    REQUIRE(hs_unit_end(p.layout) == HS_ERR_STATE);
    REQUIRE(hs_finalize(&context) == HS_OK);
}

/* Work changes, and is learned anew; the first failure of hs_balance() ends it, and all ranks have the same weights. */
static hs_status learn_anew(void *argument)
{
    static int round;
    program *p = argument;
    set_work(p, 1 + ++round % 2);
    for (int k = 0; k < 16; k++) {
        hs_status status = step(p);
        if (status >= 0)
            continue;
        REQUIRE(same_everywhere(status));
        if (p->layout->weight)
            weights_agree(p);
        return status;
    }
    return HS_OK;
}

static void memory_fails(hs_context *context)
{
    program p;
    begin(&p, context, UNITS);
    REQUIRE(fail_in_turn("hs_balance, learning", learn_anew, &p) > 0 || context->size == 1);
    run(&p, 30);
    REQUIRE(context->size == 1 || misplaced(&p, 0, UNITS) <= 0.1);
    hs_layout_free(p.layout);
}

int main(int argc, char **argv)
{
    static void (*const scenario[])(hs_context *) = {
        learned_and_told_apart, a_slower_clock,      a_slice_grows_as_a_whole,   a_wrong_platform,
        some_bracket_nothing,   ranks_without_units, idle_ranks_keep_their_word, declared_weights,
        wrong_brackets,         memory_fails};
    MPI_Init(&argc, &argv);
    papi_none = 1;
    for (size_t k = 0; k < sizeof scenario / sizeof *scenario; k++) {
        hs_context *context = start_balanced();
        scenario[k](context);
        REQUIRE(hs_finalize(&context) == HS_OK);
    }
    balance_off();
    MPI_Finalize();
    return 0;
}

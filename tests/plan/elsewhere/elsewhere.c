/* SPDX-License-Identifier: BSD-3-Clause */
/* The same program on paper runs on two platforms. What the log of one says of the other is what the other took. */
#include "plan/elsewhere/elsewhere.h"
#include "config.h"
#include "plan/placement/rank_order.h"
#include "tests/plan/one_switch.h"
#include "tests/short_of_memory.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RANKS = 4, UNITS = 1000, ITERATIONS = 10, PHASES = 60, HALO = 50 };

static const double here_speed[RANKS] = {8, 6, 4, 2}, there_speed[RANKS] = {2, 6, 8, 3};
static const hs__decide_rule runs_rule = {HS__DECIDE_LEAST_GAIN, 1}, never = {HS__DECIDE_LEAST_GAIN, INFINITY};

/* How many times longer than at first the host of a rank, as they were before any order, takes for a unit. */
static double drift(int rank, int phase)
{
    return rank == 0 && phase >= 10 && phase < 40 ? 4 : rank == 3 && phase >= 25 ? 0.5 : 1;
}

/* A program that runs on paper. */
typedef struct program {
    hs__rank_order order;
    double comm[HS__MAX_MEMBERSHIPS * RANKS], traffic[HS__MAX_MEMBERSHIPS];
    double first[RANKS];
    hs__slices slices;
    hs__decider *decider;
    int64_t count[RANKS];
    double move_unit, seconds;
    int moves;
} program;

static void start(program *p, const hs_platform *platform, int periodic, double move_unit)
{
    static const int host[RANKS] = {0, 1, 2, 3};
    static const double nothing[RANKS] = {0};
    *p = (program){.move_unit = move_unit};
    assert_int_equal(hs__rank_order_create(RANKS, &p->order), HS_OK);
    assert_int_equal(hs__rank_order_plan(&p->order, platform, host, HS__MAX_MEMBERSHIPS, NULL, NULL), HS_OK);
    size_t n = (size_t)p->order.memberships;
    hs__ring_ends ends = periodic ? HS__RING_CLOSED : HS__RING_OPEN;
    for (size_t i = 0; i < n * RANKS; i++)
        p->comm[i] = HALO * p->order.byte_s[ends * n * RANKS + i];
    memcpy(p->traffic, p->order.traffic + ends * n, n * sizeof *p->traffic);
    for (int r = 0; r < RANKS; r++)
        p->first[r] = 1 / p->order.speed[r];
    p->slices = (hs__slices){.ranks = RANKS, .units = UNITS, .minimum = 1, .model = HS_STEP_SERIAL, .count = p->count};
    assert_int_equal(hs__slices_start(&p->slices, (int)n, p->comm, p->traffic), HS_OK);
    assert_int_equal(hs__decider_create(RANKS, p->first, &p->decider), HS_OK);
    assert_int_equal(hs_slices_compute(p->first, nothing, RANKS, UNITS, 1, HS_STEP_SERIAL, p->count, NULL), HS_OK);
}

static void end(program *p)
{
    hs__slices_end(&p->slices);
    hs__decider_free(p->decider);
    hs__rank_order_free(&p->order);
}

static void write_start(const program *p, int periodic, FILE *log)
{
    static char names[RANKS][16];
    char *host[RANKS];
    for (int r = 0; r < RANKS; r++) {
        snprintf(names[r], sizeof names[r], "h%d", p->order.host[r]);
        host[r] = names[r];
    }
    const hs__trace_site site = {host, p->order.speed, HALO, periodic};
    json_t *line = hs__trace_layout(1, RANKS, p->first);
    hs__trace_slices(line, &p->slices);
    assert_int_equal(hs__trace_site_write(line, RANKS, &site), 0);
    assert_int_equal(hs__trace_write(log, line), 0);
}

static void run_phase(program *p, int k, FILE *log)
{
    double cycle[RANKS];
    const hs__step_fit serial = {1, 1, 0};
    for (int r = 0; r < RANKS; r++) /* host h is that of rank h */
        cycle[r] = p->first[r] * drift(p->order.host[r], k);
    hs__decide_phase phase = {
        .iterations = ITERATIONS,
        .cycle = cycle,
        .units = p->count,
        .step = hs__slices_step(&p->slices, p->slices.membership[p->slices.present].comm, &serial, p->count, cycle),
        .left = -1,
        .move_unit = p->move_unit};
    hs_status status = hs__decider_phase(p->decider, &phase, &hs__slices_kind, &p->slices);
    p->seconds += phase.step * ITERATIONS;
    if (log)
        assert_int_equal(
            hs__trace_write(log, hs__trace_phase(1, RANKS, k, &phase, hs__decider_last(p->decider), status == HS_OK)),
            0);
    if (status != HS_OK)
        return;
    double cost = p->move_unit * (double)hs__slices_kind.traffic(&p->slices);
    memcpy(p->count, p->slices.candidate, sizeof p->count);
    hs__slices_moved(&p->slices);
    hs__decider_moved(p->decider, cost);
    if (log)
        assert_int_equal(hs__trace_write(log, hs__trace_moved(1, cost)), 0);
    p->seconds += cost;
    p->moves++;
}

static void run(program *p, const hs__decide_rule *rule, FILE *log)
{
    hs__decider_set_rule(p->decider, rule);
    for (int k = 0; k < PHASES; k++)
        run_phase(p, k, log);
}

static hs__traces record(const hs_platform *platform, int periodic, double *slowest)
{
    program p;
    hs__traces traces;
    FILE *log = tmpfile();
    start(&p, platform, periodic, 0.05);
    write_start(&p, periodic, log);
    run(&p, &runs_rule, log);
    assert_true(p.moves >= 2);
    *slowest = 0;
    for (int r = 0; r < RANKS; r++)
        *slowest = fmax(*slowest, p.comm[r]);
    end(&p);
    rewind(log);
    assert_int_equal(hs__traces_read(log, &traces, NULL), HS_OK);
    assert_int_equal(traces.count, 1);
    fclose(log);
    return traces;
}

static hs__replay_outcome ask(const hs__traces *traces, const hs_platform *there, const hs__decide_rule *rule)
{
    hs__replay_place place;
    hs__replay_outcome outcome = {0};
    assert_int_equal(hs__elsewhere_create(&traces->trace[0], there, &place, NULL), HS_OK);
    assert_int_equal(hs__replay_suppose(&traces->trace[0], &place, rule, 1, &outcome), HS_OK);
    hs__elsewhere_free(&place);
    return outcome;
}

static void is_what_it_takes(int periodic, double bandwidth, const hs__decide_rule *rule)
{
    hs_platform *here = one_switch(here_speed, RANKS, 100, 1), *there = one_switch(there_speed, RANKS, bandwidth, 1);
    double slowest_here, slowest = 0;
    program p;
    hs__traces traces = record(here, periodic, &slowest_here);
    hs__replay_outcome found = ask(&traces, there, rule);
    start(&p, there, periodic, 0);
    for (int r = 0; r < RANKS; r++)
        slowest = fmax(slowest, p.comm[r]);
    p.move_unit = 0.05 * slowest / slowest_here; /* a move takes as much longer as the slowest halo */
    run(&p, rule, NULL);
    assert_int_equal(found.moves, p.moves);
    CHECK_CLOSE(found.seconds, p.seconds, 1e-9);
    end(&p);
    hs__traces_free(&traces);
    hs_platform_free(here);
    hs_platform_free(there);
}

static void another_platform_takes_what_it_takes(void **state)
{
    for (int periodic = 0; periodic <= 1; periodic++)
        for (double bandwidth = 1; bandwidth <= 1e4; bandwidth *= 10) {
            is_what_it_takes(periodic, bandwidth, &runs_rule);
            is_what_it_takes(periodic, bandwidth, &never);
        }
}

/* Its own platform is no other one: a run starts there as it did. */
static void starts_as_it_did(const hs__trace *trace, const hs_platform *here)
{
    hs__replay_place place;
    assert_int_equal(hs__elsewhere_create(trace, here, &place, NULL), HS_OK);
    const hs__trace *start = &place.start;
    assert_int_equal(start->memberships, trace->memberships);
    assert_true(trace->traffic[0] > 0); /* of all hosts; one alone sends nothing */
    for (int r = 0; r < RANKS; r++) {
        assert_int_equal(place.rank[r], r);
        CHECK_CLOSE(start->first[r], trace->first[r], 1e-12);
        CHECK_CLOSE(start->site.speed[r], trace->site.speed[r], 1e-12);
    }
    for (int m = 0; m < trace->memberships; m++) {
        CHECK_CLOSE(start->traffic[m], trace->traffic[m], 1e-12);
        for (int r = 0; r < RANKS; r++)
            CHECK_CLOSE(start->comm[m * RANKS + r], trace->comm[m * RANKS + r], 1e-12);
    }
    CHECK_CLOSE(place.move, 1, 1e-12);
    hs__elsewhere_free(&place);
}

static void the_same_platform_changes_nothing(void **state)
{
    hs_platform *here = one_switch(here_speed, RANKS, 100, 1);
    double slowest;
    hs__traces traces = record(here, 0, &slowest);
    starts_as_it_did(&traces.trace[0], here);
    hs__replay_outcome found = ask(&traces, here, &runs_rule), own;
    assert_int_equal(hs__replay_suppose(&traces.trace[0], NULL, &runs_rule, 1, &own), HS_OK);
    assert_int_equal(found.moves, own.moves);
    CHECK_CLOSE(found.seconds, own.seconds, 1e-12);
    CHECK_CLOSE(found.moving, own.moving, 1e-12);
    hs__traces_free(&traces);
    hs_platform_free(here);
}

/* It holds nothing there, and the others what it held. */
static void a_host_without_speed_takes_no_part(void **state)
{
    static const double speed[RANKS] = {8, 6, 0, 2}, others[RANKS] = {8, 6, 1e-9, 2};
    hs_platform *here = one_switch(here_speed, RANKS, 1e9, 1), *there = one_switch(speed, RANKS, 1e9, 1),
                *nearly = one_switch(others, RANKS, 1e9, 1);
    double slowest;
    hs__traces traces = record(here, 0, &slowest);
    hs__replay_outcome found = ask(&traces, there, &runs_rule), close = ask(&traces, nearly, &runs_rule);
    CHECK_CLOSE(found.seconds, close.seconds, 1e-3);
    assert_true(found.seconds > ask(&traces, here, &runs_rule).seconds);
    hs__traces_free(&traces);
    hs_platform_free(here);
    hs_platform_free(there);
    hs_platform_free(nearly);
}

/* A slice that is too large for the cache of its host is slower there, and none is beyond its room. */
static void functions_of_size_are_those_of_the_other(void **state)
{
    hs_platform *here = one_switch(here_speed, RANKS, 1e9, 1), *there = one_switch(here_speed, RANKS, 1e9, 1);
    const hs_speed_point half[] = {{1, 8}, {100, 8}, {101, 4}, {10000, 4}};
    const hs_speed_function function = {half, 4, INFINITY};
    double slowest;
    hs__traces traces = record(here, 0, &slowest);
    assert_int_equal(hs_platform_set_host_speed_function(there, 0, &function, NULL), HS_OK);
    double plain = ask(&traces, there, &runs_rule).seconds; /* nobody knows the bytes of a unit */
    CHECK_CLOSE(plain, ask(&traces, here, &runs_rule).seconds, 1e-12);
    traces.trace[0].said_bytes = 1;
    assert_true(ask(&traces, there, &runs_rule).seconds > 1.1 * plain);
    hs__traces_free(&traces);
    hs_platform_free(here);
    hs_platform_free(there);
}

static void refusals_have_a_reason(void **state)
{
    hs_platform *here = one_switch(here_speed, RANKS, 100, 1), *there = one_switch(here_speed, RANKS - 1, 100, 1);
    hs__replay_place place;
    hs_error error;
    double slowest;
    hs__traces traces = record(here, 0, &slowest);
    hs__trace *trace = &traces.trace[0];
    assert_int_equal(hs__elsewhere_create(trace, there, &place, &error), HS_ERR_UNREACHABLE);
    CHECK_ERROR_SAYS(&error, 0, "ran on 'h3', which is no host of the platform");
    trace->has_slices = 0;
    assert_int_equal(hs__elsewhere_create(trace, here, &place, &error), HS_ERR_UNSUPPORTED);
    trace->has_slices = 1;
    trace->site = (hs__trace_site){0};
    assert_int_equal(hs__elsewhere_create(trace, here, &place, &error), HS_ERR_UNSUPPORTED);
    CHECK_ERROR_SAYS(&error, 0, "layout 1: the log does not say where its ranks ran");
    hs__traces_free(&traces);
    hs_platform_free(here);
    hs_platform_free(there);
}

/* Whichever allocation fails; sanitizers see what is not freed. */
static void memory_that_runs_out_is_an_error(void **state)
{
    hs_platform *here = one_switch(here_speed, RANKS, 100, 1);
    double slowest;
    hs__traces traces = record(here, 0, &slowest);
    hs_status status = HS_ERR_NOMEM;
    for (int n = 0; status != HS_OK; n++) {
        hs__replay_place place;
        hs__replay_outcome outcome;
        hs_error error = {0, ""};
        memory_lasts(n);
        status = hs__elsewhere_create(&traces.trace[0], here, &place, &error);
        if (status == HS_OK) {
            status = hs__replay_suppose(&traces.trace[0], &place, &never, 1, &outcome);
            memory_is_back();
            hs__elsewhere_free(&place);
        } else {
            memory_is_back();
            assert_true(error.text[0]);
        }
        assert_true(status == HS_OK || status == HS_ERR_NOMEM);
    }
    hs__traces_free(&traces);
    hs_platform_free(here);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(another_platform_takes_what_it_takes),
        cmocka_unit_test(the_same_platform_changes_nothing),
        cmocka_unit_test(a_host_without_speed_takes_no_part),
        cmocka_unit_test(functions_of_size_are_those_of_the_other),
        cmocka_unit_test(refusals_have_a_reason),
        cmocka_unit_test(memory_that_runs_out_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

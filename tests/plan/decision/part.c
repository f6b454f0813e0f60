/* SPDX-License-Identifier: BSD-3-Clause */
/* Parts of a move that pay before the whole does: runs on paper of ranks whose speeds change once. */
#include "plan/decision/replay.h"
#include "tests/unit.h"
#include "util/random.h"
#include <heteroslice/hs_slices.h>

enum { MAX_RANKS = 16, UNITS = 3200, ITERATIONS = 10, MAX_PHASES = 2000 };

typedef struct run {
    int ranks;
    double cycle[MAX_RANKS], fixed, unit; /* of a move: seconds, seconds a unit */
    int64_t left;                         /* iterations still to come; -1: not known */
    int64_t count[MAX_RANKS];
    hs__slices slices;
    hs__decider *decider;
    FILE *log; /* NULL: none */
    int moves, parts;
    double seconds;
} run;

static double step_of(const run *r, const int64_t *count)
{
    double longest = 0;
    for (int i = 0; i < r->ranks; i++)
        longest = fmax(longest, r->cycle[i] * (double)count[i]);
    return longest;
}

/* Slices by the cycle times of the run so far. */
static void start(run *r, FILE *log)
{
    static const double comm[MAX_RANKS];
    r->left = -1;
    r->log = log;
    r->slices =
        (hs__slices){.ranks = r->ranks, .units = UNITS, .minimum = 1, .model = HS_STEP_SERIAL, .count = r->count};
    assert_int_equal(hs__slices_start(&r->slices, 1, comm, NULL), HS_OK);
    assert_int_equal(hs__decider_create(r->ranks, r->cycle, &r->decider), HS_OK);
    assert_int_equal(hs_slices_compute(r->cycle, comm, r->ranks, UNITS, 1, HS_STEP_SERIAL, r->count, NULL), HS_OK);
    if (!log)
        return;
    json_t *line = hs__trace_layout(1, r->ranks, r->cycle);
    hs__trace_slices(line, &r->slices);
    assert_int_equal(hs__trace_write(log, line), 0);
}

static void end(run *r)
{
    hs__slices_end(&r->slices);
    hs__decider_free(r->decider);
}

static void write_line(run *r, json_t *line)
{
    if (r->log)
        assert_int_equal(hs__trace_write(r->log, line), 0);
    else
        json_decref(line);
}

/* One phase. @return whether units moved */
static int phase(run *r)
{
    r->slices.count = r->count; /* the run may have been copied */
    hs__decide_phase p = {ITERATIONS, r->cycle, r->count, step_of(r, r->count), r->left, r->fixed, r->unit,
                          NULL,       0,        NULL};
    r->left -= r->left >= ITERATIONS ? ITERATIONS : 0;
    r->seconds += p.step * ITERATIONS;
    hs_status status = hs__decider_phase(r->decider, &p, &hs__slices_kind, &r->slices);
    const hs__decision *decision = hs__decider_last(r->decider);
    write_line(r, hs__trace_phase(1, r->ranks, 1, &p, decision, status == HS_OK));
    if (status != HS_OK)
        return 0;
    int64_t busiest = hs__moved_units_busiest(r->ranks, r->count, r->slices.candidate);
    double cost = r->fixed + r->unit * (double)busiest;
    assert_int_equal(busiest, hs__slices_kind.traffic(&r->slices));
    assert_int_equal(hs_slices_check(r->slices.candidate, r->ranks, UNITS, 1, NULL), HS_OK);
    memcpy(r->count, r->slices.candidate, (size_t)r->ranks * sizeof *r->count);
    hs__slices_moved(&r->slices);
    hs__decider_moved(r->decider, cost);
    write_line(r, hs__trace_moved(1, cost));
    r->seconds += cost;
    r->moves++;
    if (decision->part.moved > 0) {
        assert_int_equal(decision->part.moved, busiest);
        CHECK_CLOSE(decision->part.step, step_of(r, r->count), 1e-9);
        assert_true(decision->price > decision->part_price);
        r->parts++;
    }
    return 1;
}

/* One rank in the middle slows down to a half, and all ranks of one half of the machine by a tenth: what helps most is near,
 * the rest has a long way to go. */
static run slope(FILE *log)
{
    run r = {.ranks = MAX_RANKS, .fixed = 0.01};
    for (int i = 0; i < r.ranks; i++)
        r.cycle[i] = 1e-4;
    start(&r, log);
    for (int k = 0; k < 4; k++)
        assert_int_equal(phase(&r), 0);
    for (int i = 0; i < r.ranks / 2; i++)
        r.cycle[i] *= 1.1;
    r.cycle[r.ranks / 2 + 2] *= 2;
    return r;
}

static void what_gains_most_moves_first(void **state)
{
    run r = slope(NULL);
    double before = step_of(&r, r.count);
    int phases = 0;
    r.unit = 0.05;
    while (!phase(&r) && ++phases < MAX_PHASES)
        ;
    const hs__decision *decision = hs__decider_last(r.decider);
    assert_int_equal(r.parts, 1);
    assert_true(decision->part_price < 0.7 * decision->price);
    assert_true(before - step_of(&r, r.count) > 0.5 * (before - decision->best));
    assert_int_equal(r.count[0], UNITS / MAX_RANKS); /* the far end has not moved */
    while (!phase(&r) && ++phases < MAX_PHASES)
        ;
    assert_true(r.moves == 2 && r.parts == 1);
    CHECK_CLOSE(step_of(&r, r.count), hs__decider_last(r.decider)->best, 1e-9);
    end(&r);
}

/* Too little is left for the whole, not for a part. */
static void a_known_end_leaves_time_for_a_part(void **state)
{
    run r = slope(NULL);
    r.unit = 0.05;
    r.left = 60 * ITERATIONS;
    for (int k = 0; k < 60; k++)
        phase(&r);
    assert_true(r.moves == 1 && r.parts == 1);
    end(&r);
}

/* Nothing moves in parts when moving costs nothing by the unit, or when one move is all it takes. */
static void the_whole_moves_when_it_pays(void **state)
{
    run r = slope(NULL);
    r.unit = 0;
    for (int k = 0; k < 20; k++)
        phase(&r);
    assert_true(r.moves == 1 && r.parts == 0);
    end(&r);
}

static double seconds_between(hs__random *random, double low, double high)
{
    return low * exp(log(high / low) * hs__random_unit(random));
}

static const hs__decide_rule every_gain = {0, 1};

/* Another speed of some ranks, by more than what passes for noise. */
static run random_change(hs__random *random)
{
    run r = {.ranks = 4 + (int)hs__random_below(random, MAX_RANKS - 3)};
    for (int i = 0; i < r.ranks; i++)
        r.cycle[i] = seconds_between(random, 1e-4, 3e-4);
    start(&r, NULL);
    hs__decider_set_rule(r.decider, &every_gain);
    for (int k = 0; k < 4; k++)
        assert_int_equal(phase(&r), 0);
    double tilt = seconds_between(random, 1.1, 1.4);
    for (int i = 0; i < r.ranks / 2; i++)
        r.cycle[i] *= tilt;
    r.cycle[hs__random_below(random, r.ranks)] *= seconds_between(random, 1.1, 4);
    r.fixed = seconds_between(random, 1e-4, 100);
    r.unit = seconds_between(random, 1e-4, 100) / UNITS;
    return r;
}

/* Seconds beyond those of the best slices, after each phase of a change: at most twice what the cheaper of staying and moving
 * at once takes, but for the two phases in which a change is not believed and the last one, in which more is lost than it
 * takes to pay. @return parts that moved */
static int follow(run *r)
{
    static const double comm[MAX_RANKS];
    int64_t best_count[MAX_RANKS];
    double best;
    assert_int_equal(hs_slices_compute(r->cycle, comm, r->ranks, UNITS, 1, HS_STEP_SERIAL, best_count, &best), HS_OK);
    double lost = (step_of(r, r->count) - best) * ITERATIONS, begun = r->seconds;
    double whole = r->fixed + r->unit * (double)hs__moved_units_busiest(r->ranks, r->count, best_count);
    for (int k = 1; k <= MAX_PHASES && (step_of(r, r->count) - best) * ITERATIONS * 4 * MAX_PHASES > whole; k++) {
        phase(r);
        double extra = r->seconds - begun - k * best * ITERATIONS, hindsight = fmin(whole, lost * k);
        if (!(extra <= 2 * hindsight + 2 * lost + 1e-9))
            fail_msg("phase %d: %g s beyond the best, hindsight %g s, a phase %g s", k, extra, hindsight, lost);
    }
    assert_true(r->parts <= 1);
    return r->parts;
}

static void a_change_costs_twice_hindsight_at_most(void **state)
{
    enum { TRIALS = 400 };
    hs__random random = {31};
    int parts = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
        run r = random_change(&random);
        parts += follow(&r);
        end(&r);
    }
    print_message("%d of %d changes moved a part first\n", parts, TRIALS);
    assert_true(parts > TRIALS / 20);
}

static void a_part_is_decided_again_bit_for_bit(void **state)
{
    FILE *log = tmpfile();
    run r = slope(log);
    hs__traces traces;
    hs__replay_outcome outcome;
    int line = -1, parts = 0;
    r.unit = 0.05;
    for (int k = 0; k < 200 && r.moves < 2; k++)
        phase(&r);
    assert_true(r.moves == 2 && r.parts == 1);
    end(&r);
    rewind(log);
    assert_int_equal(hs__traces_read(log, &traces, NULL), HS_OK);
    assert_int_equal(hs__replay_verify(&traces.trace[0], &line), HS_OK);
    assert_int_equal(line, 0);
    const hs__decide_rule same = {HS__DECIDE_LEAST_GAIN, 1};
    assert_int_equal(hs__replay_suppose(&traces.trace[0], NULL, &same, 1, &outcome), HS_OK);
    assert_int_equal(outcome.moves, 2);
    CHECK_CLOSE(outcome.seconds, r.seconds, 1e-6);
    for (size_t k = 0; k < traces.trace[0].entries; k++) {
        hs__trace_entry *entry = &traces.trace[0].entry[k];
        if (entry->decision.part.moved == 0)
            continue;
        parts++;
        entry->decision.part.moved++;
        assert_int_equal(hs__replay_verify(&traces.trace[0], &line), HS_OK);
        assert_int_equal(line, entry->line);
    }
    assert_int_equal(parts, 1);
    hs__traces_free(&traces);
    fclose(log);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_gains_most_moves_first),         cmocka_unit_test(a_known_end_leaves_time_for_a_part),
        cmocka_unit_test(the_whole_moves_when_it_pays),        cmocka_unit_test(a_change_costs_twice_hindsight_at_most),
        cmocka_unit_test(a_part_is_decided_again_bit_for_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

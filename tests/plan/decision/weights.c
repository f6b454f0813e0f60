/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs on paper of units whose weights change: what is decided, what is said of it, and the same when it is decided again
 * from the log. */
#include "plan/decision/replay.h"
#include "plan/slices/weighted.h"
#include "tests/unit.h"
#include "util/random.h"

enum { RANKS = 4, UNITS = 600, ITERATIONS = 10, PHASES = 60 };

typedef struct run {
    hs__decide_rule rule;
    hs__slices slices;
    hs__decider *decider;
    int64_t count[RANKS];
    double weight[UNITS], prefix[UNITS + 1], load[RANKS], cycle[RANKS];
    double step, seconds;
    int moves;
    hs__random random;
    FILE *log;
} run;

static void start(run *r, hs__decide_rule rule, FILE *log)
{
    static const double first[RANKS] = {1e-3, 2e-3, 3e-3, 4e-3};
    *r = (run){.rule = rule, .random = {9}, .log = log};
    r->slices = (hs__slices){.ranks = RANKS, .units = UNITS, .minimum = 1, .model = HS_STEP_SERIAL, .count = r->count};
    for (int i = 0; i < RANKS; i++) {
        r->cycle[i] = first[i] / 7; /* the first guess knows only ratios */
        r->count[i] = UNITS / RANKS;
    }
    assert_int_equal(hs__slices_start(&r->slices, 1, NULL, NULL), HS_OK);
    assert_int_equal(hs__decider_create(RANKS, first, &r->decider), HS_OK);
    hs__decider_set_rule(r->decider, &r->rule);
    json_t *line = hs__trace_layout(3, RANKS, first);
    hs__trace_slices(line, &r->slices);
    assert_int_equal(hs__trace_write(log, line), 0);
}

static void end(run *r)
{
    hs__slices_end(&r->slices);
    hs__decider_free(r->decider);
    rewind(r->log);
}

/* Units first <= u < end weigh `heavy`, the others 1. */
static void weigh(run *r, int first, int end, double heavy)
{
    int first_time = !r->slices.prefix;
    for (int u = 0; u < UNITS; u++)
        r->weight[u] = u >= first && u < end ? heavy : 1;
    assert_int_equal(hs__weights_sum(r->weight, UNITS, r->prefix), HS_OK);
    hs__decider_weigh(r->decider, first_time);
    hs__slices_weigh(&r->slices, r->prefix);
    hs__slices_loads(&r->slices, r->count, r->load);
    assert_int_equal(hs__trace_write(r->log, hs__trace_weights(3, UNITS, r->weight)), 0);
}

/* One phase. @return whether units moved */
static int phase(run *r, int k, double noise)
{
    double seen[RANKS];
    r->step = 0;
    for (int i = 0; i < RANKS; i++) {
        double load = r->slices.prefix ? r->load[i] : (double)r->count[i];
        r->step = fmax(r->step, load * r->cycle[i]);
        seen[i] = r->cycle[i] * (1 + noise * (2 * hs__random_unit(&r->random) - 1));
    }
    hs__decide_phase p = {ITERATIONS, seen, r->count, r->step, -1, 0.01, 1e-6, r->slices.prefix ? r->load : NULL,
                          0,          NULL};
    hs_status status = hs__decider_phase(r->decider, &p, &hs__slices_kind, &r->slices);
    const hs__decision *decision = hs__decider_last(r->decider);
    assert_int_equal(hs__trace_write(r->log, hs__trace_phase(3, RANKS, k, &p, decision, status == HS_OK)), 0);
    r->seconds += r->step * ITERATIONS;
    if (status != HS_OK)
        return 0;
    double cost = p.move_fixed + p.move_unit * (double)hs__slices_kind.traffic(&r->slices);
    memcpy(r->count, r->slices.candidate, sizeof r->count);
    hs__slices_moved(&r->slices);
    if (r->slices.prefix)
        hs__slices_loads(&r->slices, r->count, r->load);
    hs__decider_moved(r->decider, cost);
    assert_int_equal(hs__trace_write(r->log, hs__trace_moved(3, cost)), 0);
    r->seconds += cost;
    r->moves++;
    return 1;
}

/* Seconds of a step of a divisible load. */
static double ideal(const run *r)
{
    double speed = 0;
    for (int i = 0; i < RANKS; i++)
        speed += 1 / r->cycle[i];
    return r->prefix[UNITS] / speed;
}

static const hs__decide_rule rule_of_runs = {HS__DECIDE_LEAST_GAIN, 1}, never = {HS__DECIDE_LEAST_GAIN, INFINITY},
                             cautious = {0.4, 1};

/* Weights wander through the units, a host slows down and recovers. */
static void wandering(run *r, hs__decide_rule rule, double noise, FILE *log)
{
    start(r, rule, log);
    for (int k = 0; k < PHASES; k++) {
        if (k % 12 == 5)
            weigh(r, 8 * k, 8 * k + 100, 5);
        if (k == 20 || k == 40)
            r->cycle[0] *= k == 20 ? 3 : 1 / 3.0;
        phase(r, k, noise);
    }
    end(r);
}

static hs__traces read_back(FILE *log)
{
    hs__traces traces;
    hs_error error = {0, ""};
    if (hs__traces_read(log, &traces, &error) != HS_OK)
        fail_msg("line %d: %s", error.line, error.text);
    return traces;
}

static void the_same_decisions_bit_for_bit(void **state)
{
    for (double noise = 0; noise < 0.1; noise += 0.03) {
        FILE *log = tmpfile();
        run r;
        int line = -1;
        wandering(&r, rule_of_runs, noise, log);
        hs__traces traces = read_back(log);
        assert_true(r.moves >= 4);
        assert_int_equal(traces.trace[0].entries, PHASES);
        assert_int_equal(traces.trace[0].weighings, 5);
        assert_int_equal(hs__replay_verify(&traces.trace[0], &line), HS_OK);
        assert_int_equal(line, 0);
        traces.trace[0].weighing[2].prefix[UNITS] += 1; /* another weight of the last unit comes to something else */
        assert_int_equal(hs__replay_verify(&traces.trace[0], &line), HS_OK);
        assert_true(line > 0);
        hs__traces_free(&traces);
        fclose(log);
    }
}

/* @return how often units would have moved */
static int suppose(hs__decide_rule rule)
{
    FILE *log = tmpfile(), *other = tmpfile();
    run r, wanted;
    hs__replay_outcome outcome;
    wandering(&r, rule_of_runs, 0, log);
    wandering(&wanted, rule, 0, other);
    hs__traces traces = read_back(log);
    assert_int_equal(hs__replay_suppose(&traces.trace[0], NULL, &rule, 1, &outcome), HS_OK);
    assert_int_equal(outcome.moves, wanted.moves);
    CHECK_CLOSE(outcome.seconds, wanted.seconds, 1e-6);
    assert_true(wanted.moves < r.moves);
    hs__traces_free(&traces);
    fclose(log);
    fclose(other);
    return wanted.moves;
}

static void what_another_rule_would_have_come_to(void **state)
{
    assert_int_equal(suppose(never), 0);
    assert_true(suppose(cautious) > 0);
}

/* A slice that gets heavier is no slower host, and the other way round; both end level. */
static void heavier_and_slower_are_told_apart(void **state)
{
    FILE *log = tmpfile();
    run r;
    const hs__decision *decision;
    int k = 0, moved = 0;
    start(&r, rule_of_runs, log);
    weigh(&r, 0, 0, 1);
    for (; k < 15; k++)
        phase(&r, k, 0);
    decision = hs__decider_last(r.decider);
    assert_true(decision->slower.factor == 0 && decision->heavier.factor == 0);
    assert_true(r.step <= 1.02 * ideal(&r));

    weigh(&r, UNITS - 50, UNITS, 9); /* the last rank has few units: the fastest is rank 0 */
    for (int n = 0; n < 8 && !moved; n++, k++)
        moved = phase(&r, k, 0);
    assert_true(moved);
    decision = hs__decider_last(r.decider);
    assert_true(decision->slower.factor == 0);
    assert_int_equal(decision->heavier.rank, RANKS - 1);
    assert_true(decision->heavier.factor > 5);
    phase(&r, k++, 0);
    assert_true(r.step <= 1.05 * ideal(&r)); /* a unit of 9 on the slowest host */

    r.cycle[1] *= 2.5;
    for (int n = 0; n < 8 && !(moved = phase(&r, k++, 0)); n++)
        ;
    assert_true(moved);
    decision = hs__decider_last(r.decider);
    assert_true(decision->heavier.factor == 0);
    assert_int_equal(decision->slower.rank, 1);
    CHECK_CLOSE(decision->slower.factor, 2.5, 1e-9);
    phase(&r, k++, 0);
    assert_true(r.step <= 1.05 * ideal(&r));
    end(&r);
    fclose(log);
}

/* Ranks whose units weigh nothing report no speed: nothing is decided from that, and nothing breaks. */
static void units_without_weight(void **state)
{
    FILE *log = tmpfile();
    run r;
    start(&r, rule_of_runs, log);
    for (int u = 0; u < UNITS; u++)
        r.weight[u] = u < UNITS / RANKS;
    assert_int_equal(hs__weights_sum(r.weight, UNITS, r.prefix), HS_OK);
    hs__decider_weigh(r.decider, 1);
    hs__slices_weigh(&r.slices, r.prefix);
    hs__slices_loads(&r.slices, r.count, r.load);
    for (int k = 0; k < 20; k++)
        phase(&r, k, 0);
    assert_true(r.step <= 1.05 * ideal(&r));
    end(&r);
    fclose(log);
}

static void refused(const char *runs)
{
    static const char layout[] =
        "{\"event\":\"layout\",\"layout\":1,\"ranks\":2,\"first_cycle\":[1,1],\"slices\":{\"units\":10,\"minimum\":1,"
        "\"model\":\"serial\",\"memberships\":[{\"traffic\":0,\"comm\":[0,0]}]}}";
    FILE *log = tmpfile();
    hs__traces traces;
    hs_error error = {0, ""};
    fprintf(log, "%s\n{\"event\":\"weights\",\"layout\":1,\"runs\":%s}\n", layout, runs);
    rewind(log);
    hs_status status = hs__traces_read(log, &traces, &error);
    if (strcmp(runs, "[[1.5,4],[0,6]]") == 0) {
        assert_int_equal(status, HS_OK);
        hs__traces_free(&traces);
    } else {
        assert_int_equal(status, HS_ERR_PARSE);
        CHECK_ERROR_SAYS(&error, 2, "\"runs\"");
    }
    fclose(log);
}

static void bad_weights_are_refused_with_their_line(void **state)
{
    const char *runs[] = {"[[1.5,4],[0,6]]",
                          "[[1,9]]",
                          "[[1,11]]",
                          "[[1,5],[-1,5]]",
                          "[[1,0],[1,10]]",
                          "[[1,10],[1,1]]",
                          "[[null,10]]",
                          "[1,10]",
                          "{}",
                          "[[1,4],[1,9223372036854775807]]"};
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++)
        refused(runs[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_decisions_bit_for_bit),
        cmocka_unit_test(what_another_rule_would_have_come_to),
        cmocka_unit_test(heavier_and_slower_are_told_apart),
        cmocka_unit_test(units_without_weight),
        cmocka_unit_test(bad_weights_are_refused_with_their_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

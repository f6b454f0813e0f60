/* SPDX-License-Identifier: BSD-3-Clause */
/* Deciding where the speed of a rank depends on the size of its slice. Truth is known: what a rank takes for a unit is its
 * cycle time over its true pace, which is the one that the platform tells or another one. */
#include "plan/decision/replay.h"
#include "plan/slices/weighted.h"
#include "tests/short_of_memory.h"
#include "util/random.h"
#include <heteroslice/hs_slices.h>
#include <stdlib.h>
#include <string.h>

enum { RANKS = 2, UNITS = 1000, ITERATIONS = 10, UNIT_BYTES = 8 };

typedef struct run {
    double cycle[RANKS], noise;     /* true, at pace 1 */
    hs_speed_function truth[RANKS]; /* by units */
    double weight[UNITS], prefix[UNITS + 1];
    hs__slices slices;
    hs__decider *decider;
    int64_t count[RANKS];
    double load[RANKS];
    int moves;
    double unit_bytes; /* as phases tell */
    FILE *log;
    hs__random random;
} run;

/* Pace 1 up to 600 units, and half of it beyond. */
static const hs_speed_point edge[] = {{600, 1}, {601, 0.5}}, flat[] = {{1, 1}};
static const hs_speed_function cached = {edge, 2, INFINITY}, steady = {flat, 1, INFINITY};

/* The functions of units, in bytes. */
static void in_bytes(const hs_speed_function *units, hs_speed_function *bytes, hs_speed_point (*point)[4])
{
    for (int i = 0; i < RANKS; i++) {
        bytes[i] = (hs_speed_function){point[i], units[i].points, units[i].max_size * UNIT_BYTES};
        for (int k = 0; k < units[i].points; k++)
            point[i][k] = (hs_speed_point){units[i].point[k].size * UNIT_BYTES, units[i].point[k].speed};
    }
}

static double seconds_of(const run *r, int i, double load)
{
    return load > 0 ? load * r->cycle[i] / hs_speed_at(&r->truth[i], load) : 0;
}

static double step_of(const run *r)
{
    return fmax(seconds_of(r, 0, r->load[0]), seconds_of(r, 1, r->load[1]));
}

/* Two equal ranks that hold half each. told: what the platform tells of them; NULL: nothing. Bytes are known from the
 * phases, or as the program says. */
static run start(const hs_speed_function *told, const hs_speed_function *truth, double said_bytes, FILE *log)
{
    static const double speed[RANKS] = {3e9, 3e9};
    hs_speed_function function[RANKS];
    hs_speed_point point[RANKS][4];
    run r = {.cycle = {1e-4, 1e-4},
             .truth = {truth[0], truth[1]},
             .count = {500, 500},
             .unit_bytes = UNIT_BYTES,
             .log = log,
             .random = {5}};
    r.slices = (hs__slices){.ranks = RANKS, .units = UNITS, .minimum = 1, .model = HS_STEP_SERIAL};
    assert_int_equal(hs__slices_start(&r.slices, 1, NULL, NULL), HS_OK);
    if (told) {
        in_bytes(told, function, point);
        for (int i = 0; i < RANKS; i++)
            for (int k = 0; k < function[i].points; k++)
                point[i][k].speed *= speed[i];
        assert_int_equal(hs__slices_by_size(&r.slices, function, speed, said_bytes), HS_OK);
    }
    assert_int_equal(hs__decider_create(RANKS, r.cycle, &r.decider), HS_OK);
    if (log) {
        json_t *line = hs__trace_layout(1, RANKS, r.cycle);
        hs__trace_slices(line, &r.slices);
        assert_int_equal(hs__trace_write(log, line), 0);
    }
    return r;
}

static void end(run *r)
{
    hs__slices_end(&r->slices);
    hs__decider_free(r->decider);
}

static void note(run *r, json_t *line)
{
    if (r->log)
        assert_int_equal(hs__trace_write(r->log, line), 0);
    else
        json_decref(line);
}

static void phase(run *r)
{
    double seen[RANKS];
    r->slices.count = r->count;
    hs__slices_loads(&r->slices, r->count, r->load);
    for (int i = 0; i < RANKS; i++) {
        seen[i] = r->load[i] > 0 ? seconds_of(r, i, r->load[i]) / r->load[i] : 1;
        seen[i] *= 1 + r->noise * (2 * hs__random_unit(&r->random) - 1);
    }
    const hs__decide_phase p = {
        ITERATIONS, seen, r->count, step_of(r), -1, 0.05, 0, r->slices.prefix ? r->load : NULL, r->unit_bytes, NULL};
    hs_status status = hs__decider_phase(r->decider, &p, &hs__slices_kind, &r->slices);
    note(r, hs__trace_phase(1, RANKS, r->moves, &p, hs__decider_last(r->decider), status == HS_OK));
    assert_true(status >= 0);
    if (status != HS_OK)
        return;
    memcpy(r->count, r->slices.candidate, sizeof r->count);
    hs__slices_moved(&r->slices);
    hs__decider_moved(r->decider, 0.05);
    note(r, hs__trace_moved(1, 0.05));
    r->moves++;
}

static void phases(run *r, int n)
{
    while (n-- > 0)
        phase(r);
    hs__slices_loads(&r->slices, r->count, r->load);
}

/* The first rank's units by which a step is shortest, when this is the truth. */
static int64_t best_first(run *r)
{
    int64_t best = 0;
    double least = INFINITY;
    for (int64_t n = 0; n <= UNITS; n++) {
        double step = fmax(seconds_of(r, 0, (double)n), seconds_of(r, 1, (double)(UNITS - n)));
        if (step < least) {
            least = step;
            best = n;
        }
    }
    return best;
}

/* The second rank becomes four times slower. Of equal speeds the first would take 800 units, and take as long for them as
 * before; beyond its cache 667 are best. */
static void a_slice_beyond_the_cache_is_planned_as_slower(void **state)
{
    const hs_speed_function truth[] = {cached, steady};
    for (int said = 0; said < 2; said++) {
        run r = start(truth, truth, said ? UNIT_BYTES : 0, NULL);
        phases(&r, 4);
        assert_int_equal(r.moves, 0);
        r.cycle[1] *= 4;
        phases(&r, 10);
        assert_int_equal(r.moves, 1); /* there at once, and nothing looks like a change of speed since */
        assert_int_equal(r.count[0], 667);
        assert_int_equal(r.count[0], best_first(&r));
        CHECK_CLOSE(hs__decider_cycles(r.decider)[0], 1e-4, 1e-9);
        r.cycle[1] /= 4; /* and back into the cache */
        phases(&r, 10);
        assert_int_equal(r.moves, 2);
        assert_int_equal(r.count[0], 500);
        end(&r);
    }
}

/* The cache ends at 600 units, and the second rank is no slower than to make those best. */
static void a_cache_is_filled_exactly(void **state)
{
    const hs_speed_function truth[] = {cached, steady};
    run r = start(truth, truth, 0, NULL);
    r.cycle[1] *= 1.8; /* by speeds 643 : 357; 600 in 0.06 s leave the second one 400, 0.072 s; 601 take 0.12 s */
    phases(&r, 10);
    assert_int_equal(r.count[0], 600);
    assert_int_equal(r.count[0], best_first(&r));
    end(&r);
}

static void no_slice_is_beyond_its_limit(void **state)
{
    const hs_speed_function truth[] = {{edge, 2, 650}, {flat, 1, 800}};
    run r = start(truth, truth, 0, NULL);
    hs__random random = {8};
    for (int k = 0; k < 40; k++) {
        r.cycle[0] = 1e-4 * exp(4 * hs__random_unit(&random) - 2);
        r.cycle[1] = 1e-4 * exp(4 * hs__random_unit(&random) - 2);
        phases(&r, 6);
        assert_true(r.count[0] <= 650 && r.count[1] <= 800);
    }
    r.cycle[0] = 1e-4;
    r.cycle[1] = 1;
    phases(&r, 10);
    assert_int_equal(r.count[0], 650);
    end(&r);
}

static void too_small_together(void **state)
{
    const hs_speed_function truth[] = {{edge, 2, 600}, {flat, 1, 399}};
    run r = start(truth, truth, 0, NULL);
    assert_true(hs__slices_hold(&r.slices)); /* for all that is known */
    r.cycle[1] *= 4;
    phases(&r, 10);
    assert_false(hs__slices_hold(&r.slices));
    assert_int_equal(r.moves, 0);
    assert_int_equal(r.count[0], 500);
    end(&r);
}

/* While bytes are not known every decision is the one without functions, bit for bit. */
static void nothing_changes_without_bytes(void **state)
{
    const hs_speed_function truth[] = {cached, steady};
    run with = start(truth, truth, 0, NULL), without = start(NULL, truth, 0, NULL);
    hs__random random = {9};
    with.noise = without.noise = 0.03;
    with.unit_bytes = 0;
    for (int k = 0; k < 200; k++) {
        if (k % 10 == 0)
            with.cycle[0] = without.cycle[0] = 1e-4 * exp(2 * hs__random_unit(&random) - 1);
        phase(&with);
        phase(&without);
        assert_memory_equal(with.count, without.count, sizeof with.count);
        assert_memory_equal(hs__decider_cycles(with.decider), hs__decider_cycles(without.decider), sizeof with.cycle);
    }
    assert_true(with.moves == without.moves && with.moves > 3);
    end(&with);
    end(&without);
}

/* Weights: half of the weight is half of the bytes. */
static void units_with_weights(void **state)
{
    const hs_speed_function truth[] = {cached, steady};
    run r = start(truth, truth, 0, NULL);
    for (int u = 0; u < UNITS; u++)
        r.weight[u] = u % 2 ? 0.5 : 1.5;
    assert_int_equal(hs__weights_sum(r.weight, UNITS, r.prefix), HS_OK);
    hs__slices_weigh(&r.slices, r.prefix);
    hs__decider_weigh(r.decider, 1);
    phases(&r, 4);
    r.cycle[1] *= 4;
    phases(&r, 10);
    assert_int_equal(r.moves, 1);
    assert_true(fabs(r.load[0] - 667) <= 1.5);
    end(&r);
}

/* Nothing is told of the cache, which the first phases beyond it show: the host did not become slower, and its units take as
 * long as before when they are in the cache again. */
static void what_phases_show_outranks_what_is_told(void **state)
{
    static const hs_speed_point wrong[] = {{700, 1}, {900, 0.2}}, late[] = {{400, 1}, {401, 0.6}};
    const hs_speed_function truth[] = {cached, steady};
    const hs_speed_function told[][RANKS] = {
        {steady, steady}, {{wrong, 2, INFINITY}, steady}, {{late, 2, INFINITY}, steady}};
    for (int k = 0; k < 3; k++)
        for (int level = 0; level < 4; level++) {
            run r = start(told[k], truth, 0, NULL);
            r.noise = 0.005 * level;
            phases(&r, 4);
            assert_int_equal(r.moves, 0);
            r.cycle[1] *= 4;
            phases(&r, 30);
            double least = 1e-4 * 2 * 667;
            if (!(step_of(&r) <= 1.03 * least) || r.moves > 6)
                fail_msg("told %d, noise %g: %lld units, %d moves", k, r.noise, (long long)r.count[0], r.moves);
            if (k < 2) /* it was as told in the cache */
                CHECK_CLOSE(hs__decider_cycles(r.decider)[0] / 1e-4, 1, 0.03);
            int moves = r.moves;
            r.cycle[1] /= 4;
            phases(&r, 10);
            if (!(step_of(&r) <= 1.02 * 0.05) || r.moves > moves + 2)
                fail_msg("told %d, noise %g: back to %lld units", k, r.noise, (long long)r.count[0]);
            end(&r);
        }
}

/* A host whose slice shrank and which became slower yet is slower: sizes do not explain that. */
static void a_slower_host_is_told_from_its_size(void **state)
{
    const hs_speed_function truth[] = {steady, steady};
    run r = start(truth, truth, 0, NULL);
    phases(&r, 4);
    r.cycle[1] *= 2;
    phases(&r, 3);
    assert_int_equal(r.moves, 1);
    assert_int_equal(r.count[0], 667);
    r.cycle[1] *= 2;
    phases(&r, 3);
    CHECK_CLOSE(hs__decider_cycles(r.decider)[1], 4e-4, 1e-9);
    assert_int_equal(r.slices.paces.lessons[1].lessons, 0);
    end(&r);
}

static run record(FILE *log)
{
    const hs_speed_function truth[] = {cached, steady}, told[] = {{flat, 1, 800}, steady};
    run r = start(told, truth, 0, log);
    r.noise = 0.02;
    for (int k = 0; k < 6; k++) {
        r.cycle[1] = k % 2 ? 4e-4 : 1e-4;
        phases(&r, 8);
    }
    assert_true(r.moves >= 3);
    end(&r);
    rewind(log);
    return r;
}

static void decided_again_from_the_log(void **state)
{
    FILE *log = tmpfile();
    hs__traces traces;
    hs__replay_outcome outcome;
    hs__decide_rule rule = {HS__DECIDE_LEAST_GAIN, 1};
    int line = -1;
    run r = record(log);
    assert_int_equal(hs__traces_read(log, &traces, NULL), HS_OK);
    assert_int_equal(hs__replay_verify(&traces.trace[0], &line), HS_OK);
    assert_int_equal(line, 0);
    assert_int_equal(hs__replay_suppose(&traces.trace[0], NULL, &rule, 1, &outcome), HS_OK);
    assert_int_equal(outcome.moves, r.moves);
    CHECK_CLOSE(outcome.seconds, hs__replay_measured(&traces.trace[0]).seconds, 0.02);
    traces.trace[0].pace[0].max_size = 640 * UNIT_BYTES;
    assert_int_equal(hs__replay_verify(&traces.trace[0], &line), HS_OK);
    assert_true(line > 0);
    hs__traces_free(&traces);
    fclose(log);
}

static hs_status read_log(const void *argument)
{
    hs__traces traces;
    rewind((FILE *)argument);
    hs_status status = hs__traces_read((FILE *)argument, &traces, NULL);
    if (status == HS_OK)
        hs__traces_free(&traces);
    return status;
}

static hs_status start_and_end(const void *argument)
{
    const hs_speed_function functions[] = {{edge, 2, 700}, steady};
    hs__slices slices = {.ranks = RANKS, .units = UNITS, .minimum = 1};
    hs_status status = hs__slices_start(&slices, 1, NULL, NULL);
    if (status == HS_OK)
        status = hs__slices_by_size(&slices, functions, NULL, 0);
    hs__slices_end(&slices);
    return status;
}

static void memory_that_is_short(void **state)
{
    FILE *log = tmpfile();
    record(log);
    assert_true(fail_each_allocation(read_log, log) > 5);
    assert_true(fail_each_allocation(start_and_end, NULL) > 5);
    fclose(log);
}

static void refuses(const char *slices)
{
    FILE *log = tmpfile();
    hs__traces traces;
    fprintf(
        log,
        "{\"event\":\"layout\",\"layout\":1,\"ranks\":2,\"first_cycle\":[1,1],\"slices\":{\"units\":9,\"minimum\":1,"
        "\"model\":\"serial\",\"memberships\":[{\"traffic\":0,\"comm\":[0,0]}],%s}}\n",
        slices);
    rewind(log);
    assert_int_equal(hs__traces_read(log, &traces, NULL), HS_ERR_PARSE);
    fclose(log);
}

static void bad_logs(void **state)
{
    refuses("\"pace\":[{\"points\":[[1,1]]},{\"points\":[[1,1]]}]");
    refuses("\"pace\":[{\"points\":[[1,1]]}],\"unit_bytes\":8");
    refuses("\"pace\":[{\"points\":[[1,1]]},{\"points\":[]}],\"unit_bytes\":8");
    refuses("\"pace\":[{\"points\":[[1,1]]},{\"points\":[[2,1],[1,1]]}],\"unit_bytes\":8");
    refuses("\"pace\":[{\"points\":[[1,1]]},{\"points\":[[1,1]],\"limit\":-1}],\"unit_bytes\":8");
    refuses("\"pace\":[{\"points\":[[1,1]]},{\"points\":[[1,1]]}],\"unit_bytes\":-8");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_slice_beyond_the_cache_is_planned_as_slower),
        cmocka_unit_test(a_cache_is_filled_exactly),
        cmocka_unit_test(no_slice_is_beyond_its_limit),
        cmocka_unit_test(too_small_together),
        cmocka_unit_test(nothing_changes_without_bytes),
        cmocka_unit_test(units_with_weights),
        cmocka_unit_test(what_phases_show_outranks_what_is_told),
        cmocka_unit_test(a_slower_host_is_told_from_its_size),
        cmocka_unit_test(decided_again_from_the_log),
        cmocka_unit_test(memory_that_is_short),
        cmocka_unit_test(bad_logs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

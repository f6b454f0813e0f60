/* SPDX-License-Identifier: BSD-3-Clause */
/* What is written of layouts, phases and decisions is read back, number by number, and no number of a decision may be another
 * one when it is decided again. */
#include "plan/decision/replay.h"
#include "tests/short_of_memory.h"

enum { RANKS = 2, UNITS = 30 };

static const double cycle[RANKS] = {0.25, 0.5}, comm[2][RANKS] = {{1, 2}, {0.5, INFINITY}}, traffic[2] = {9, 8};

static void write_line(FILE *log, json_t *line)
{
    assert_int_equal(hs__trace_write(log, line), 0);
}

static hs__traces read_back(FILE *log)
{
    hs__traces traces;
    hs_error error = {0, ""};
    rewind(log);
    if (hs__traces_read(log, &traces, &error) != HS_OK)
        fail_msg("line %d: %s", error.line, error.text);
    fclose(log);
    return traces;
}

/* Two layouts, the second one without slices, and their ranks in MPI_COMM_WORLD. */
static void layouts_are_read_back(void **state)
{
    static const double other_comm[3][RANKS] = {{3, 4}, {5, INFINITY}, {INFINITY, 6}}, other_traffic[3] = {1, 2, 3};
    static const hs_speed_point point[] = {{100, 1}, {200, 0.5}};
    static const hs_speed_function function[RANKS] = {{point, 2, 900}, {point, 1, INFINITY}};
    static const int64_t world[RANKS] = {7, -1};
    FILE *log = tmpfile();
    hs__slices slices = {.ranks = RANKS, .units = UNITS, .minimum = 3, .model = HS_STEP_OVERLAP, .most_memberships = 3};
    assert_int_equal(hs__slices_start(&slices, 2, comm[0], traffic), HS_OK);
    assert_int_equal(hs__slices_by_size(&slices, function, NULL, 8), HS_OK);
    json_t *line = hs__trace_layout(5, RANKS, cycle);
    assert_int_equal(hs__trace_world(line, RANKS, world), 0);
    assert_int_equal(hs__trace_slices(line, &slices), 0);
    write_line(log, line);
    write_line(log, hs__trace_layout(6, 1, (double[]){INFINITY}));
    hs__slices_replan(&slices, 3, other_comm[0], other_traffic);
    write_line(log, hs__trace_memberships(5, &slices));
    hs__slices_end(&slices);
    hs__traces traces = read_back(log);
    assert_int_equal(traces.count, 2);
    const hs__trace *trace = &traces.trace[0];
    assert_true(trace->layout == 5 && trace->ranks == RANKS && trace->has_slices && trace->memberships == 2);
    assert_memory_equal(trace->first, cycle, sizeof cycle);
    assert_memory_equal(trace->world, world, sizeof world);
    assert_memory_equal(trace->comm, comm, sizeof comm);
    assert_memory_equal(trace->traffic, traffic, sizeof traffic);
    assert_true(trace->slices.units == UNITS && trace->slices.minimum == 3 && trace->slices.model == HS_STEP_OVERLAP);
    assert_true(trace->pace[0].points == 2 && trace->pace[0].max_size == 900 && trace->said_bytes == 8);
    assert_memory_equal(trace->pace[0].point, point, sizeof point);
    assert_true(trace->pace[1].points == 1 && isinf(trace->pace[1].max_size));
    assert_int_equal(trace->replans, 1);
    assert_true(trace->replan[0].memberships == 3 && trace->replan[0].before == 0);
    assert_memory_equal(trace->replan[0].comm, other_comm, sizeof other_comm);
    assert_memory_equal(trace->replan[0].traffic, other_traffic, sizeof other_traffic);
    trace = &traces.trace[1];
    assert_true(trace->layout == 6 && trace->ranks == 1 && !trace->has_slices && !trace->world &&
                isinf(trace->first[0]));
    hs__traces_free(&traces);
}

/* Every field has a number of its own. */
static const int64_t units[RANKS] = {20, 10};
static const hs__decide_phase whole = {.iterations = 11,
                                       .cycle = cycle,
                                       .units = units,
                                       .step = 1.5,
                                       .left = 12,
                                       .move_fixed = 1.25,
                                       .move_unit = 0.125,
                                       .unit_bytes = 64};
static const hs__decision decision = {.now = 2.5,
                                      .best = 2.25,
                                      .loss = 3.5,
                                      .price = 3.25,
                                      .error = 0.0625,
                                      .moved = 13,
                                      .part = {2.375, 6, 7},
                                      .part_price = 1.75,
                                      .slower = {1, 1.5},
                                      .heavier = {0, 2.5},
                                      .drift = {HS__DRIFT_HOST, 1, 0.375, 0.5, 33}};

static void phases_are_read_back(void **state)
{
    FILE *log = tmpfile();
    hs__decide_phase last = whole;
    hs__decision bare = {.now = 1, .best = INFINITY, .drift = {HS__DRIFT_MESSAGES, 0, -0.5, 0.25, 20}};
    last.left = -1;
    last.unit_bytes = 0;
    last.step = 0;
    write_line(log, hs__trace_layout(0, RANKS, cycle));
    write_line(log, hs__trace_phase(0, RANKS, 44, &whole, &decision, 1));
    write_line(log, hs__trace_moved(0, 2.75));
    write_line(log, hs__trace_phase(0, RANKS, 45, &last, &bare, 0));
    hs__traces traces = read_back(log);
    assert_int_equal(traces.trace[0].entries, 2);
    const hs__trace_entry *entry = &traces.trace[0].entry[0];
    assert_true(entry->line == 2 && entry->iteration == 44 && entry->moves == 1 && entry->move_s == 2.75);
    assert_true(entry->phase.iterations == 11 && entry->phase.step == 1.5 && entry->phase.left == 12);
    assert_true(entry->phase.move_fixed == 1.25 && entry->phase.move_unit == 0.125 && entry->phase.unit_bytes == 64);
    assert_memory_equal(entry->phase.cycle, cycle, sizeof cycle);
    assert_memory_equal(entry->phase.units, units, sizeof units);
    const hs__decision *read = &entry->decision;
    assert_true(read->now == 2.5 && read->best == 2.25 && read->loss == 3.5 && read->price == 3.25);
    assert_true(read->error == 0.0625 && read->moved == 13 && read->part_price == 1.75);
    assert_true(read->part.step == 2.375 && read->part.moved == 6 && read->part.left == 7);
    assert_true(read->drift.kind == HS__DRIFT_HOST && read->drift.rank == 1 && read->drift.before == 0.375);
    assert_true(read->drift.after == 0.5 && read->drift.iterations == 33);
    entry++;
    assert_true(entry->line == 4 && entry->moves == 0 && entry->move_s < 0 && entry->phase.left == -1);
    assert_true(entry->phase.unit_bytes == 0 && isinf(entry->decision.best) && entry->decision.part.moved == 0);
    read = &entry->decision;
    assert_true(read->drift.kind == HS__DRIFT_MESSAGES && read->drift.rank == 0 && read->drift.before == -0.5);
    hs__traces_free(&traces);
}

static void check_change(const json_t *line, const char *key, int rank, double factor)
{
    const json_t *change = json_object_get(line, key);
    assert_int_equal(json_integer_value(json_object_get(change, "rank")), rank);
    CHECK_CLOSE(json_real_value(json_object_get(change, "factor")), factor, 0);
}

static void who_is_slower_and_heavier_is_written(void **state)
{
    json_t *line = hs__trace_phase(0, RANKS, 1, &whole, &decision, 1);
    check_change(line, "slower", 1, 1.5);
    check_change(line, "heavier", 0, 2.5);
    json_decref(line);
    const hs__decision none = {0};
    line = hs__trace_phase(0, RANKS, 1, &whole, &none, 0);
    static const char *keys[] = {"slower", "heavier", "part", "drift"};
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
        assert_null(json_object_get(line, keys[k]));
    json_decref(line);
}

/* Equal weights in a row are one run. */
static void weights_are_written_in_runs(void **state)
{
    static const double weight[] = {1, 1, 2.5, 0, 0, 0};
    json_t *line = hs__trace_weights(3, 6, weight);
    char *text = json_dumps(json_object_get(line, "runs"), JSON_COMPACT | JSON_REAL_PRECISION(17));
    assert_string_equal(text, "[[1.0,2],[2.5,1],[0.0,3]]");
    free(text);
    json_decref(line);
}

/* A log with phases of slices: the first rank slows down, and units move. */
static hs__traces record(double charge)
{
    static const double slow[RANKS] = {1, 0.5};
    FILE *log = tmpfile();
    int64_t count[RANKS] = {20, 10};
    hs__slices slices = {.ranks = RANKS, .units = UNITS, .minimum = 1, .model = HS_STEP_SERIAL, .count = count};
    hs__decider *decider;
    int moves = 0;
    assert_int_equal(hs__slices_start(&slices, 1, NULL, NULL), HS_OK);
    assert_int_equal(hs__decider_create(RANKS, cycle, &decider), HS_OK);
    json_t *line = hs__trace_layout(0, RANKS, cycle);
    hs__trace_slices(line, &slices);
    write_line(log, line);
    for (int k = 0; k < 30; k++) {
        const double *seen = k < 12 ? cycle : slow;
        const hs__decide_phase phase = {.iterations = 4,
                                        .cycle = seen,
                                        .units = count,
                                        .step = fmax(seen[0] * (double)count[0], seen[1] * (double)count[1]),
                                        .left = -1,
                                        .move_fixed = 300,
                                        .move_unit = 1};
        int moved = hs__decider_phase(decider, &phase, &hs__slices_kind, &slices) == HS_OK;
        write_line(log, hs__trace_phase(0, RANKS, k, &phase, hs__decider_last(decider), moved));
        if (!moved)
            continue;
        memcpy(count, slices.candidate, sizeof count);
        hs__slices_moved(&slices);
        hs__decider_moved(decider, charge * 310);
        write_line(log, hs__trace_moved(0, charge * 310));
        moves++;
    }
    assert_int_equal(moves, 1);
    assert_int_equal(count[0], 10);
    hs__slices_end(&slices);
    hs__decider_free(decider);
    return read_back(log);
}

/* The entry of the first drift, which has every number of a decision but those of a part; it is told while units stay. */
static hs__trace_entry *drifting(hs__traces *traces)
{
    hs__trace_entry *entry = traces->trace[0].entry;
    while (entry->decision.drift.kind == HS__DRIFT_NONE)
        entry++;
    assert_true(entry->decision.price > 0 && entry->decision.loss > 0);
    return entry;
}

static void verify(const hs__traces *traces, int expected)
{
    int line = -1;
    assert_int_equal(hs__replay_verify(&traces->trace[0], &line), HS_OK);
    assert_int_equal(line, expected);
}

static void no_number_of_a_decision_may_be_another_one(void **state)
{
    hs__traces traces = record(1);
    hs__trace_entry *entry = drifting(&traces);
    hs__decision *d = &entry->decision;
    double *reals[] = {&d->now,       &d->best,       &d->loss,         &d->price,      &d->error,
                       &d->part.step, &d->part_price, &d->drift.before, &d->drift.after};
    int64_t *integers[] = {&d->moved, &d->part.moved, &d->part.left, &d->drift.iterations};
    verify(&traces, 0);
    for (size_t k = 0; k < sizeof reals / sizeof *reals; k++) {
        double was = *reals[k];
        *reals[k] = nextafter(was, INFINITY);
        verify(&traces, entry->line);
        *reals[k] = was;
    }
    for (size_t k = 0; k < sizeof integers / sizeof *integers; k++) {
        ++*integers[k];
        verify(&traces, entry->line);
        --*integers[k];
    }
    d->drift.rank = 1;
    verify(&traces, entry->line);
    d->drift.rank = 0;
    d->drift.kind = HS__DRIFT_MESSAGES;
    verify(&traces, entry->line);
    d->drift.kind = HS__DRIFT_HOST;
    verify(&traces, 0);
    hs__traces_free(&traces);
}

/* Messages of the first rank take longer from the sixth phase on, as measured again: it gives units away, in every replay. */
static void memberships_planned_again_are_followed(void **state)
{
    static const double first[RANKS] = {1, 1}, again[RANKS] = {7, 1};
    FILE *log = tmpfile();
    int64_t count[RANKS] = {20, 10};
    hs__slices slices = {.ranks = RANKS, .units = UNITS, .minimum = 1, .model = HS_STEP_SERIAL, .count = count};
    hs__decider *decider;
    int moves = 0, differs = 0;
    assert_int_equal(hs__slices_start(&slices, 1, first, NULL), HS_OK);
    assert_int_equal(hs__decider_create(RANKS, cycle, &decider), HS_OK);
    json_t *line = hs__trace_layout(0, RANKS, cycle);
    hs__trace_slices(line, &slices);
    write_line(log, line);
    for (int k = 0; k < 12 && moves == 0; k++) {
        const hs__decide_phase phase = {
            .iterations = 1, .cycle = cycle, .units = count, .step = k < 6 ? 6 : 12, .left = -1, .move_fixed = 1};
        if (k == 6) {
            hs__slices_replan(&slices, 1, again, NULL);
            hs__decider_replan(decider);
            write_line(log, hs__trace_memberships(0, &slices));
        }
        moves += hs__decider_phase(decider, &phase, &hs__slices_kind, &slices) == HS_OK;
        write_line(log, hs__trace_phase(0, RANKS, k, &phase, hs__decider_last(decider), moves));
    }
    assert_int_equal(moves, 1);
    assert_int_equal(slices.candidate[0], 12); /* 10 s each */
    hs__slices_end(&slices);
    hs__decider_free(decider);
    hs__traces traces = read_back(log);
    assert_int_equal(traces.trace[0].replan[0].before, 6);
    verify(&traces, 0);
    traces.trace[0].replan[0].comm[0] = 6;
    assert_int_equal(hs__replay_verify(&traces.trace[0], &differs), HS_OK);
    assert_in_range(differs, 9, 10); /* the phases after the line of memberships */
    hs__traces_free(&traces);
}

static hs_status read_again(const void *log)
{
    hs__traces traces;
    rewind((FILE *)log);
    hs_status status = hs__traces_read((FILE *)log, &traces, NULL);
    hs__traces_free(&traces);
    return status;
}

/* Every kind of line, each allocation failing in turn. */
static void lines_need_memory(void **state)
{
    FILE *log = tmpfile();
    const double weight[UNITS] = {1};
    const int64_t world[RANKS] = {1, 0};
    hs__slices slices = {.ranks = RANKS, .units = UNITS, .minimum = 1};
    assert_int_equal(hs__slices_start(&slices, 2, comm[0], traffic), HS_OK);
    json_t *line = hs__trace_layout(0, RANKS, cycle);
    hs__trace_world(line, RANKS, world);
    hs__trace_slices(line, &slices);
    write_line(log, line);
    write_line(log, hs__trace_weights(0, UNITS, weight));
    write_line(log, hs__trace_memberships(0, &slices));
    write_line(log, hs__trace_phase(0, RANKS, 1, &whole, &decision, 1));
    write_line(log, hs__trace_moved(0, 1));
    assert_true(fail_each_allocation(read_again, log) >= 14);
    hs__slices_end(&slices);
    fclose(log);
}

/* Moves are charged as the caller says, and so they are when they are measured. */
static void what_moves_take_is_charged(void **state)
{
    static const hs__decide_rule same = {HS__DECIDE_LEAST_GAIN, 1};
    hs__traces traces = record(3);
    hs__replay_outcome measured = hs__replay_measured(&traces.trace[0]), once, thrice;
    assert_int_equal(hs__replay_suppose(&traces.trace[0], NULL, &same, 1, &once), HS_OK);
    assert_int_equal(hs__replay_suppose(&traces.trace[0], NULL, &same, 3, &thrice), HS_OK);
    assert_true(measured.moves == 1 && once.moves == 1 && thrice.moves == 1);
    CHECK_CLOSE(measured.moving, 930, 1e-12);
    CHECK_CLOSE(once.moving, 310, 1e-12);
    CHECK_CLOSE(thrice.moving, 930, 1e-12);
    CHECK_CLOSE(thrice.seconds, once.seconds + 620, 1e-12);
    CHECK_CLOSE(measured.seconds, thrice.seconds, 1e-6);
    hs__traces_free(&traces);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(layouts_are_read_back),
        cmocka_unit_test(phases_are_read_back),
        cmocka_unit_test(who_is_slower_and_heavier_is_written),
        cmocka_unit_test(weights_are_written_in_runs),
        cmocka_unit_test(no_number_of_a_decision_may_be_another_one),
        cmocka_unit_test(memberships_planned_again_are_followed),
        cmocka_unit_test(lines_need_memory),
        cmocka_unit_test(what_moves_take_is_charged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* A run on paper is recorded, read back and decided again. Truth is known here, so that what another rule would have
 * come to is known, too. */
#include "config.h"

#include "plan/decision/replay.h"
#include "tests/short_of_memory.h"
#include "util/random.h"
#include <heteroslice/hs_slices.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RANKS = 4, UNITS = 1000, ITERATIONS = 10, PHASES = 60 };

typedef struct run {
    hs__decide_rule rule;
    double noise;
    hs__slices slices;
    hs__decider *decider;
    int64_t count[RANKS];
    double seconds;
    int moves;
    hs__random random;
} run;

static const double first[RANKS] = {1e-4, 2e-4, 3e-4, 4e-4};

/* Cycle times of a phase: the first rank slows down for a while, the last one gets faster. */
static void truth(int phase, double *cycle)
{
    memcpy(cycle, first, sizeof first);
    if (phase >= 10 && phase < 40)
        cycle[0] *= 4;
    if (phase >= 25)
        cycle[3] *= 0.5;
}

static double step_of(const double *cycle, const int64_t *count)
{
    double longest = 0;
    for (int i = 0; i < RANKS; i++)
        longest = fmax(longest, cycle[i] * (double)count[i]);
    return longest;
}

static void start(run *r, FILE *log)
{
    static const double comm[RANKS] = {0};
    r->slices = (hs__slices){.ranks = RANKS, .units = UNITS, .minimum = 1, .model = HS_STEP_SERIAL, .count = r->count};
    assert_int_equal(hs__slices_start(&r->slices, 1, comm, NULL), HS_OK);
    assert_int_equal(hs__decider_create(RANKS, first, &r->decider), HS_OK);
    hs__decider_set_rule(r->decider, &r->rule);
    assert_int_equal(hs_slices_compute(first, comm, RANKS, UNITS, 1, HS_STEP_SERIAL, r->count, NULL), HS_OK);
    json_t *line = hs__trace_layout(7, RANKS, first);
    hs__trace_slices(line, &r->slices);
    assert_int_equal(hs__trace_write(log, line), 0);
}

static void run_phase(run *r, int k, FILE *log)
{
    double cycle[RANKS], seen[RANKS];
    truth(k, cycle);
    for (int i = 0; i < RANKS; i++)
        seen[i] = cycle[i] * (1 + r->noise * (2 * hs__random_unit(&r->random) - 1));
    hs__decide_phase phase = {ITERATIONS, seen, r->count, step_of(cycle, r->count), k % 3 ? -1 : 1000 - k, 0.05, 1e-5,
                              NULL,       0,    NULL};
    hs_status status = hs__decider_phase(r->decider, &phase, &hs__slices_kind, &r->slices);
    const hs__decision *decision = hs__decider_last(r->decider);
    assert_int_equal(hs__trace_write(log, hs__trace_phase(7, RANKS, k, &phase, decision, status == HS_OK)), 0);
    r->seconds += phase.step * ITERATIONS;
    if (status != HS_OK)
        return;
    double cost = phase.move_fixed + phase.move_unit * (double)hs__slices_kind.traffic(&r->slices);
    memcpy(r->count, r->slices.candidate, sizeof r->count);
    hs__slices_moved(&r->slices);
    hs__decider_moved(r->decider, cost);
    assert_int_equal(hs__trace_write(log, hs__trace_moved(7, cost)), 0);
    r->seconds += cost;
    r->moves++;
}

static run record(hs__decide_rule rule, double noise, FILE *log)
{
    run r = {.rule = rule, .noise = noise, .random = {3}};
    start(&r, log);
    for (int k = 0; k < PHASES; k++)
        run_phase(&r, k, log);
    hs__slices_end(&r.slices);
    hs__decider_free(r.decider);
    rewind(log);
    return r;
}

static const hs__decide_rule rule_of_runs = {HS__DECIDE_LEAST_GAIN, 1}, never = {HS__DECIDE_LEAST_GAIN, INFINITY},
                             always = {HS__DECIDE_LEAST_GAIN, 0};

static hs__traces read_back(FILE *log)
{
    hs__traces traces;
    hs_error error = {0, ""};
    hs_status status = hs__traces_read(log, &traces, &error);
    if (status != HS_OK)
        print_error("line %d: %s\n", error.line, error.text);
    assert_int_equal(status, HS_OK);
    assert_int_equal(traces.count, 1);
    assert_int_equal(traces.trace[0].entries, PHASES);
    return traces;
}

/* The phase that told of the first drift of a host. */
static hs__trace_entry *first_drift(const hs__traces *traces)
{
    for (size_t k = 0; k < traces->trace[0].entries; k++)
        if (traces->trace[0].entry[k].decision.drift.kind == HS__DRIFT_HOST)
            return &traces->trace[0].entry[k];
    return NULL;
}

static void drifts_are_recorded(void **state)
{
    FILE *log = tmpfile();
    int line = -1;
    record(rule_of_runs, 0.02, log);
    hs__traces traces = read_back(log);
    hs__trace_entry *entry = first_drift(&traces);
    assert_non_null(entry);
    assert_int_equal(entry->decision.drift.rank, 0);
    CHECK_CLOSE(entry->decision.drift.after / entry->decision.drift.before, 4, 0.02);
    entry->decision.drift.after *= 1 + 1e-12;
    assert_int_equal(hs__replay_verify(&traces.trace[0], &line), HS_OK);
    assert_int_equal(line, entry->line);
    entry->decision.drift.kind = HS__DRIFT_NONE; /* as in files of earlier versions */
    assert_int_equal(hs__replay_verify(&traces.trace[0], &line), HS_OK);
    assert_int_equal(line, 0);
    hs__traces_free(&traces);
    fclose(log);
}

static void the_same_decisions_bit_for_bit(void **state)
{
    for (double noise = 0; noise < 0.1; noise += 0.03) {
        FILE *log = tmpfile();
        int line = -1;
        run r = record(rule_of_runs, noise, log);
        assert_true(r.moves >= 2);
        hs__traces traces = read_back(log);
        assert_int_equal(hs__replay_verify(&traces.trace[0], &line), HS_OK);
        assert_int_equal(line, 0);
        hs__replay_outcome measured = hs__replay_measured(&traces.trace[0]);
        assert_int_equal(measured.moves, r.moves);
        assert_true(fabs(measured.seconds - r.seconds) < 1e-9 * r.seconds);
        hs__traces_free(&traces);
        fclose(log);
    }
}

static void a_changed_number_is_seen(void **state)
{
    FILE *log = tmpfile();
    int line = -1;
    record(rule_of_runs, 0.02, log);
    hs__traces traces = read_back(log);
    hs__trace_entry *entry = &traces.trace[0].entry[20];
    for (int i = 0; i < RANKS; i++)
        ((double *)entry->phase.cycle)[i] *= 1 + 1e-12;
    assert_int_equal(hs__replay_verify(&traces.trace[0], &line), HS_OK);
    assert_int_equal(line, entry->line);
    entry->moves = !entry->moves;
    assert_int_equal(hs__replay_verify(&traces.trace[0], &line), HS_OK);
    assert_int_equal(line, entry->line);
    hs__traces_free(&traces);
    fclose(log);
}

/* What is supposed of a rule from the log of another is what a run by that rule takes. */
static void what_another_rule_would_have_come_to(void **state)
{
    static const hs__decide_rule rules[] = {rule_of_runs, never, always, {0.2, 1}};
    for (size_t from = 0; from < 4; from++)
        for (size_t to = 0; to < 4; to++) {
            FILE *log = tmpfile(), *other = tmpfile();
            record(rules[from], 0, log);
            run wanted = record(rules[to], 0, other);
            hs__traces traces = read_back(log);
            hs__replay_outcome outcome;
            assert_int_equal(hs__replay_suppose(&traces.trace[0], NULL, &rules[to], 1, &outcome), HS_OK);
            assert_int_equal(outcome.moves, wanted.moves);
            assert_true(fabs(outcome.seconds - wanted.seconds) < 1e-6 * wanted.seconds);
            hs__traces_free(&traces);
            fclose(log);
            fclose(other);
        }
}

static void refused_bytes(const char *text, size_t length, int line, const char *said)
{
    FILE *log = tmpfile();
    hs__traces traces;
    hs_error error = {0, ""};
    assert_int_equal(fwrite(text, 1, length, log), length);
    rewind(log);
    assert_true(hs__traces_read(log, &traces, &error) < 0);
    CHECK_ERROR_SAYS(&error, line, said);
    assert_int_equal(traces.count, 0);
    fclose(log);
}

static void refused(const char *text, int line, const char *said)
{
    refused_bytes(text, strlen(text), line, said);
}

#define LAYOUT "{\"event\":\"layout\",\"layout\":1,\"ranks\":2,\"first_cycle\":[1,null]}\n"
#define SLICES                                                                                       \
    "{\"event\":\"layout\",\"layout\":1,\"ranks\":2,\"first_cycle\":[1,1],\"slices\":{\"units\":10," \
    "\"minimum\":1,\"model\":\"serial\",\"memberships\":[{\"traffic\":0,\"comm\":[0,0]}]}}\n"
#define MANY_UNITS                                                                                       \
    "{\"event\":\"layout\",\"layout\":1,\"ranks\":1,\"first_cycle\":[1],\"slices\":{\"units\":67108865," \
    "\"minimum\":1,\"model\":\"serial\",\"memberships\":[{\"traffic\":0,\"comm\":[0]}]}}\n"
#define MEMBERSHIPS(list)                                                                         \
    "{\"event\":\"layout\",\"layout\":1,\"ranks\":1,\"first_cycle\":[1],\"slices\":{\"units\":1," \
    "\"minimum\":1,\"model\":\"serial\",\"memberships\":" list "}}\n"
#define PHASE_OF(iterations, step, cycle, units, more)                                                       \
    "{\"event\":\"phase\",\"layout\":1,\"iteration\":1,\"iterations\":" iterations ",\"cycle\":" cycle       \
    ",\"units\":" units ",\"step\":" step                                                                    \
    ",\"left\":-1,\"move_fixed\":0,\"move_unit\":0,\"now\":1,\"best\":1,\"loss\":0,\"price\":0,\"error\":0," \
    "\"moved\":0," more "\"verdict\":\"stay\"}\n"
#define PHASE_AND(cycle, units, more) PHASE_OF("1", "1", cycle, units, more)
#define PHASE(cycle, units) PHASE_AND(cycle, units, "")
#define PART(part) PHASE_AND("[1,1]", "[5,5]", "\"part\":" part ",")

#define SITE(hosts, speeds, halo, periodic)                                                           \
    "{\"event\":\"layout\",\"layout\":1,\"ranks\":2,\"first_cycle\":[1,1],\"site\":{\"hosts\":" hosts \
    ",\"speeds\":" speeds ",\"halo\":" halo ",\"periodic\":" periodic "}}\n"

#define SECOND_SITE                                                                                                  \
    "{\"event\":\"layout\",\"layout\":2,\"ranks\":1,\"first_cycle\":[1],\"site\":{\"hosts\":[\"a\"],\"speeds\":[1]," \
    "\"halo\":0,\"periodic\":true}}\n"

static void bad_sites_are_refused(void **state)
{
    static const char why[] = "\"site\" is not \"hosts\" and \"speeds\" of all ranks";
    refused(SITE("[\"a\"]", "[1,2]", "8", "true"), 1, why);
    refused(SITE("[\"a\",7]", "[1,2]", "8", "true"), 1, why);
    refused(SITE("[\"a\",\"b\"]", "[1]", "8", "true"), 1, why);
    refused(SITE("[\"a\",\"b\"]", "[1,-2]", "8", "true"), 1, why);
    refused(SITE("[\"a\",\"b\"]", "[1,null]", "8", "true"), 1, why);
    refused(SITE("[\"a\",\"b\"]", "[1,2]", "-8", "true"), 1, why);
    refused(SITE("[\"a\",\"b\"]", "[1,2]", "\"8\"", "true"), 1, why);
    refused(SITE("[\"a\",\"b\"]", "[1,2]", "8", "1"), 1, why);
}

static void a_site_is_read_back(void **state)
{
    FILE *log = tmpfile();
    hs__traces traces;
    fputs(SITE("[\"a\",\"b\"]", "[1,2.5]", "8", "false"), log);
    rewind(log);
    assert_int_equal(hs__traces_read(log, &traces, NULL), HS_OK);
    const hs__trace_site *site = &traces.trace[0].site;
    assert_string_equal(site->host[0], "a");
    assert_string_equal(site->host[1], "b");
    assert_true(site->speed[0] == 1 && site->speed[1] == 2.5 && site->halo == 8 && !site->periodic);
    hs__traces_free(&traces);
    fclose(log);
}

static void bad_files_are_refused_with_their_line(void **state)
{
    refused("", 0, "no line of a layout");
    refused("nonsense\n", 1, "expected");
    refused("[1]\n", 1, "\"event\"");
    refused("{\"event\":\"dance\"}\n", 1, "\"event\"");
    refused("{\"event\":\"layout\",\"layout\":1,\"ranks\":0,\"first_cycle\":[]}\n", 1,
            "\"ranks\" is not an integer from 1 to 1048576");
    refused("{\"event\":\"layout\",\"layout\":1,\"ranks\":999999999,\"first_cycle\":[]}\n", 1, "\"ranks\"");
    refused("{\"event\":\"layout\",\"layout\":1,\"ranks\":2,\"first_cycle\":[1]}\n", 1, "\"first_cycle\"");
    refused("{\"event\":\"layout\",\"layout\":1,\"ranks\":2,\"first_cycle\":[1,-1]}\n", 1, "\"first_cycle\"");
    refused(LAYOUT LAYOUT, 2, "a number of its own");
    refused(LAYOUT "{\"event\":\"moved\",\"layout\":1,\"seconds\":1}\n", 2, "decided upon");
    refused(LAYOUT "{\"event\":\"moved\",\"layout\":2,\"seconds\":1}\n", 2, "\"layout\"");
    refused(LAYOUT PHASE("[1]", "[5,5]"), 2, "\"cycle\"");
    refused(LAYOUT PHASE("[1,1]", "[5,-5]"), 2, "\"units\"");
    refused(SLICES PHASE("[1,1]", "[5,6]"), 2, "\"units\"");
    refused(SLICES PHASE_OF("9223372036854775807", "1", "[1,1]", "[5,5]", ""), 2, "\"iterations\"");
    refused(SLICES PHASE_OF("1", "null", "[1,1]", "[5,5]", ""), 2, "\"step\" is not a number from 0 to 1e100");
    refused(SLICES PHASE_OF("1", "1e101", "[1,1]", "[5,5]", ""), 2, "\"step\"");
    refused(LAYOUT PHASE("[1,1]", "[9223372036854775807,1]"), 2, "\"units\"");
    refused(LAYOUT PHASE_AND("[1,1]", "[5,5]", "\"drift\":{\"of\":\"link\"},"), 2,
            "\"of\" is not \"host\" or \"messages\"");
    refused(MANY_UNITS "{\"event\":\"weights\",\"layout\":1,\"runs\":[[1.0,67108865]]}\n", 2,
            "\"runs\" is not read: the layout has more than 67108864 units");
    refused(SLICES PHASE("[1,1]", "[9223372036854775807,9223372036854775807]"), 2, "\"units\"");
    refused(SLICES PART("{\"step\":1,\"moved\":0,\"left\":1,\"price\":1}"), 2, "\"moved\"");
    refused(SLICES PART("{\"step\":1,\"moved\":1,\"left\":-1,\"price\":1}"), 2, "\"left\"");
    refused(SLICES PART("{\"moved\":1,\"left\":1,\"price\":1}"), 2, "\"step\"");
    refused(SLICES PART("7"), 2, "\"step\"");
    refused(SLICES PHASE("[1,1]", "[5,5]") "{\"event\":\"pha", 3, "");
    refused("{\"event\":\"layout\",\"layout\":1,\"ranks\":1048576,\"first_cycle\":[1]}\n", 1, "\"first_cycle\"");
    refused(MEMBERSHIPS("[{\"traffic\":0,\"comm\":[0]},{\"traffic\":0,\"comm\":[0,0]}]"), 1, "\"comm\"");
    refused(MEMBERSHIPS("[{\"traffic\":0,\"comm\":[]},{\"traffic\":0,\"comm\":[0]}]"), 1, "\"comm\"");
    refused(MEMBERSHIPS("[{\"traffic\":0,\"comm\":[-1]}]"), 1, "\"comm\"");
    refused(MEMBERSHIPS("[{\"comm\":[0]}]"), 1, "\"traffic\"");
    refused(MEMBERSHIPS("[]"), 1, "\"memberships\"");
    refused_bytes(LAYOUT "{}\0{}", sizeof LAYOUT + 4, 2, "");
}

/* Each membership has its own bytes; an unreachable rank is null. */
static void memberships_are_read_one_by_one(void **state)
{
    static const char layout[] =
        "{\"event\":\"layout\",\"layout\":1,\"ranks\":3,\"first_cycle\":[1,1,1],\"slices\":{\"units\":10,\"minimum\":2,"
        "\"model\":\"overlap\",\"memberships\":[{\"traffic\":5,\"comm\":[1,2,3]},{\"traffic\":4,\"comm\":[7,null,8]}]}}"
        "\n";
    static const double comm[] = {1, 2, 3, 7, INFINITY, 8};
    FILE *log = tmpfile();
    fputs(layout, log);
    rewind(log);
    hs__traces traces;
    assert_int_equal(hs__traces_read(log, &traces, NULL), HS_OK);
    const hs__trace *trace = &traces.trace[0];
    assert_int_equal(trace->memberships, 2);
    assert_true(trace->traffic[0] == 5 && trace->traffic[1] == 4);
    for (int k = 0; k < 6; k++)
        assert_true(trace->comm[k] == comm[k]);
    assert_true(trace->slices.units == 10 && trace->slices.minimum == 2 && trace->slices.model == HS_STEP_OVERLAP);
    hs__traces_free(&traces);
    fclose(log);
}

static ssize_t count_write(void *writes, const char *bytes, size_t size)
{
    (void)bytes;
    ++*(int *)writes;
    return (ssize_t)size;
}

/* A killed run leaves no part of a line, but for its end. */
static void a_long_line_is_written_at_once(void **state)
{
    static const double cycle[5000];
    int writes = 0;
    FILE *log = fopencookie(&writes, "w", (cookie_io_functions_t){.write = count_write});
    setvbuf(log, NULL, _IONBF, 0);
    assert_int_equal(hs__trace_write(log, hs__trace_layout(1, 5000, cycle)), 0);
    assert_int_equal(writes, 2);
    fclose(log);
}

/* Whichever allocation fails; sanitizers see what is not freed. */
static void memory_that_runs_out_is_an_error(void **state)
{
    hs_status status = HS_ERR_NOMEM;
    for (int n = 0; status != HS_OK; n++) {
        FILE *log = tmpfile();
        hs__traces traces;
        hs_error error = {0, ""};
        fputs(SLICES PHASE("[1,1]", "[5,5]") SECOND_SITE, log);
        rewind(log);
        memory_lasts(n);
        status = hs__traces_read(log, &traces, &error);
        memory_is_back();
        if (status == HS_OK) {
            assert_true(n > 3);
            hs__traces_free(&traces);
        } else {
            assert_int_equal(status, HS_ERR_NOMEM);
            assert_true(error.text[0]);
            assert_int_equal(traces.count, 0);
        }
        fclose(log);
    }
}

static void another_kind_answers_what_it_answered(void **state)
{
    FILE *log = tmpfile();
    hs__traces traces;
    hs__replay_outcome outcome;
    int line = -1;
    fputs(LAYOUT PHASE("[1,0]", "[10,0]"), log);
    rewind(log);
    assert_int_equal(hs__traces_read(log, &traces, NULL), HS_OK);
    assert_int_equal(hs__replay_suppose(&traces.trace[0], NULL, &never, 1, &outcome), HS_ERR_UNSUPPORTED);
    assert_int_equal(hs__replay_verify(&traces.trace[0], &line), HS_OK);
    assert_int_equal(line, 2); /* nothing is known after one reading, so the error cannot be 0 */
    hs__traces_free(&traces);
    fclose(log);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(drifts_are_recorded),
        cmocka_unit_test(the_same_decisions_bit_for_bit),
        cmocka_unit_test(a_changed_number_is_seen),
        cmocka_unit_test(what_another_rule_would_have_come_to),
        cmocka_unit_test(bad_sites_are_refused),
        cmocka_unit_test(a_site_is_read_back),
        cmocka_unit_test(bad_files_are_refused_with_their_line),
        cmocka_unit_test(a_long_line_is_written_at_once),
        cmocka_unit_test(memory_that_runs_out_is_an_error),
        cmocka_unit_test(memberships_are_read_one_by_one),
        cmocka_unit_test(another_kind_answers_what_it_answered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

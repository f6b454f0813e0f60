/* SPDX-License-Identifier: BSD-3-Clause */
/* The summary of a run, and what it says of drifts, of times written by hand; and what of them cannot be. */
#include "tests/runtime/report/told.h"

#include "runtime/report/drifts.h"
#include "runtime/report/report.h"
#include "runtime/watch/drifts.h"

enum { MOST = 8 };

static hs__efficiency efficiency_of(const hs__rank_report *ranks, int n)
{
    double compute[MOST], run[MOST], speed[MOST];
    hs__efficiency e;
    for (int r = 0; r < n; r++) {
        compute[r] = ranks[r].compute;
        run[r] = ranks[r].run;
        speed[r] = ranks[r].speed;
    }
    hs__efficiency_compute(compute, run, speed, n, &e);
    assert_null(hs__report_check(ranks, n, &e));
    return e;
}

static void check_print(const hs__rank_report *ranks, int n, const char *expected)
{
    told t;
    hs__efficiency e = efficiency_of(ranks, n);
    hs__report_print(told_file(&t), ranks, n, &e);
    told_check(&t, expected);
}

#define HEAD(host) "heteroslice: " host " ranks cpus speed share start-up compute transfer wait library = wall, s\n"

/* Two ranks of a do 6 s and 4 s of work at 2 Gf, that of b 8 s at 4 Gf: 20 and 32 of 52 Gflop. Mean 6 s of 8 s at most, of 10 s;
 * balanced all would compute for 52 / 8 = 6.5 s, 1.5 s less. */
static void two_hosts(void **state)
{
    hs__rank_report ranks[] = {
        {.host = "a", .quota = 1.5, .speed = 2e9, .startup = 0.5, .run = 10, .compute = 6, .transfer = 1, .wait = 2.9},
        {.host = "a", .quota = 1.5, .speed = 2e9, .startup = 0.5, .run = 10, .compute = 4, .transfer = 1, .wait = 4.9},
        {.host = "b", .quota = 8, .speed = 4e9, .startup = 0.5, .run = 10, .compute = 8, .transfer = 1, .wait = 0.9}};
    for (int r = 0; r < 3; r++) {
        ranks[r].library = 0.1;
        CPU_SET(r, ranks[r].bound.set);
    }
    ranks[0].iterations = 100;
    ranks[0].iteration = 0.1;
    ranks[2].queue = 0.5;
    ranks[2].drifts = 3;
    check_print(
        ranks, 3,
        "heteroslice: 3 ranks on 2 hosts, 10.5 s, 100 iterations of 100 ms, 1 rank changed speed\n"
        "heteroslice: ranks of b were ready but had no core for 500 ms (5 %), which counts as what they were in: "
        "its processes share cores\n" HEAD(
            "host") "heteroslice: a 2 1.5 4 Gf 38.5 % 0.50 5.00 1.00 3.90 0.10 10.50\n"
                    "heteroslice: b 1 1 4 Gf 61.5 % 0.50 8.00 1.00 0.90 0.10 10.50\n"
                    "heteroslice: all 3 8 Gf 100.0 % 0.50 6.00 1.00 2.90 0.10 10.50\n"
                    "heteroslice: 4.8 57.1 9.5 27.6 1.0 100.0 %\n"
                    "heteroslice: parallel efficiency 60 % = load balance 75 % x "
                    "communication 80 %; 19 % of the time lost to "
                    "imbalance; balanced it would take 9 s; do this: hs run -n 3 -- PROGRAM\n");
    ranks[2].queue = 0.2; /* no more than a fiftieth */
    ranks[1].drifts = 1;
    ranks[0].iterations = 0;
    check_print(ranks, 3,
                "heteroslice: 3 ranks on 2 hosts, 10.5 s, 2 ranks changed speed\n" HEAD(
                    "host") "heteroslice: a 2 1.5 4 Gf 38.5 % 0.50 5.00 1.00 3.90 0.10 10.50\n"
                            "heteroslice: b 1 1 4 Gf 61.5 % 0.50 8.00 1.00 0.90 0.10 10.50\n"
                            "heteroslice: all 3 8 Gf 100.0 % 0.50 6.00 1.00 2.90 0.10 10.50\n"
                            "heteroslice: 4.8 57.1 9.5 27.6 1.0 100.0 %\n"
                            "heteroslice: parallel efficiency 60 % = load balance 75 % x communication 80 %; 19 % of "
                            "the time lost to "
                            "imbalance; balanced it would take 9 s; do this: hs run -n 3 -- PROGRAM\n");
}

/* Parts of the work are those of the time where the platform does not have all hosts. */
static void a_speed_that_is_not_known(void **state)
{
    const hs__rank_report ranks[] = {{.host = "a", .speed = 2e9, .run = 5, .compute = 5},
                                     {.host = "b", .run = 5, .compute = 5}};
    check_print(ranks, 2,
                "heteroslice: 2 ranks on 2 hosts, 5 s\n" HEAD(
                    "host") "heteroslice: a 1 2 Gf 50.0 % 0.000 5.000 0.000 0.000 0.000 5.000\n"
                            "heteroslice: b 1 - 50.0 % 0.000 5.000 0.000 0.000 0.000 5.000\n"
                            "heteroslice: all 2 2 Gf 100.0 % 0.000 5.000 0.000 0.000 0.000 5.000\n"
                            "heteroslice: 0.0 100.0 0.0 0.0 0.0 100.0 %\n"
                            "heteroslice: parallel efficiency 100 % = load balance 100 % x communication 100 %; 0 % of "
                            "the time lost to imbalance; balanced it would take 5 s; nothing to do\n");
}

/* The two that compute longest and the two that compute least; the others are one row. */
static void many_hosts(void **state)
{
    static const double compute[] = {3, 7, 1, 5, 2, 6, 4};
    hs__rank_report ranks[7];
    for (int r = 0; r < 7; r++) {
        ranks[r] = (hs__rank_report){.run = 7, .compute = compute[r], .wait = 7 - compute[r]};
        snprintf(ranks[r].host, sizeof ranks[r].host, "h%g", compute[r]);
    }
    check_print(ranks, 7,
                "heteroslice: 7 ranks on 7 hosts, 7 s\n" HEAD(
                    "host") "heteroslice: h7 1 - 25.0 % 0.000 7.000 0.000 0.000 0.000 7.000\n"
                            "heteroslice: h6 1 - 21.4 % 0.000 6.000 0.000 1.000 0.000 7.000\n"
                            "heteroslice: 3 others 3 - 42.9 % 0.000 4.000 0.000 3.000 0.000 7.000\n"
                            "heteroslice: h2 1 - 7.1 % 0.000 2.000 0.000 5.000 0.000 7.000\n"
                            "heteroslice: h1 1 - 3.6 % 0.000 1.000 0.000 6.000 0.000 7.000\n"
                            "heteroslice: all 7 - 100.0 % 0.000 4.000 0.000 3.000 0.000 7.000\n"
                            "heteroslice: 0.0 57.1 0.0 42.9 0.0 100.0 %\n"
                            "heteroslice: parallel efficiency 57 % = load balance 57 % x communication 100 %; 43 % of "
                            "the time lost to "
                            "imbalance; balanced it would take 4 s; do this: hs run -n 7 -- PROGRAM\n");
}

/* Parts that are rounded add up all the same: the largest takes what is left. */
static void what_is_printed_adds_up(void **state)
{
    const hs__rank_report rank = {.host = "a",
                                  .startup = 0.0004,
                                  .run = 5.0016,
                                  .compute = 5.0004,
                                  .transfer = 0.0004,
                                  .wait = 0.0004,
                                  .library = 0.0004};
    check_print(&rank, 1,
                "heteroslice: 1 rank on 1 host, 5.002 s\n" HEAD(
                    "host") "heteroslice: a 1 - 100.0 % 0.000 5.002 0.000 0.000 0.000 5.002\n"
                            "heteroslice: all 1 - 100.0 % 0.000 5.002 0.000 0.000 0.000 5.002\n"
                            "heteroslice: 0.0 100.0 0.0 0.0 0.0 100.0 %\n"
                            "heteroslice: parallel efficiency 100 % = load balance 100 % x communication 100 %; 0 % of "
                            "the time lost to "
                            "imbalance; balanced it would take 5.002 s; nothing to do\n");
}

static void nothing_happened(void **state)
{
    const hs__rank_report rank = {.host = "a"};
    check_print(&rank, 1,
                "heteroslice: 1 rank on 1 host, 0 s\n" HEAD(
                    "host") "heteroslice: a 1 - 0.0 % 0.000000 0.000000 0.000000 0.000000 0.000000 0.000000\n"
                            "heteroslice: all 1 - 0.0 % 0.000000 0.000000 0.000000 0.000000 0.000000 0.000000\n"
                            "heteroslice: parallel efficiency 100 % = load balance 100 % x communication 100 %; 0 % of "
                            "the time lost to "
                            "imbalance; balanced it would take 0 s; nothing to do\n");
}

/* What the sentence at the end says to do, by what the run was like. */
static void the_sentence_says_what_to_do(void **state)
{
    static const struct {
        const char *set, *value, *host;
        int decisions;
        double wait, queue, startup;
        const char *end;
    } rows[] = {
        {"HS_BALANCE", "off", "b", 0, 0, 0, 0, "; do this: HS_BALANCE=on hs run -n 2 -- PROGRAM\n"},
        {"HS_PLATFORM", "p.xml", "b", 0, 0, 0, 0, "; do this: parts by speed (hs_balance, hs_counts, hs weights)\n"},
        {"HS_BALANCE", "on", "b", 9, 0, 0, 0,
         "; do this, to see why no more was moved: HS_LOG_DECISIONS=decisions hs run -n 2 -- PROGRAM\n"},
        {"HS_LOG_DECISIONS", "d", "b", 9, 0, 0, 0, "; do this, to see why no more was moved: hs report\n"},
        {"HS_REORDER", "off", "b", 0, 90, 0, 0, "; do this: HS_REORDER=topology hs run -n 2 -- PROGRAM\n"},
        {"HS_REORDER", "world", "b", 0, 90, 0, 0, "; do this: fewer and larger messages, or computing meanwhile\n"},
        {"HS_BALANCE", "off", "a", 0, 0, 2, 0,
         "; do this: fewer ranks where cores are shared, or: hs run -- PROGRAM\n"},
        {"HS_REORDER", "off", "b", 0, 90, 0, 400, "; nothing to do\n"}, /* most was start-up */
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        hs__rank_report ranks[] = {{.host = "a", .run = 4, .compute = 4}, {.run = 4, .compute = 2, .wait = 2}};
        char *text = NULL;
        size_t size;
        strcpy(ranks[1].host, rows[i].host);
        ranks[0].decisions = rows[i].decisions;
        for (int r = 0; r < 2; r++) {
            ranks[r].queue = rows[i].queue;
            ranks[r].startup = rows[i].startup;
            ranks[r].wait += rows[i].wait;
            ranks[r].run += rows[i].wait;
        }
        hs__efficiency e = efficiency_of(ranks, 2);
        FILE *file = open_memstream(&text, &size);
        setenv(rows[i].set, rows[i].value, 1);
        hs__report_print(file, ranks, 2, &e);
        unsetenv(rows[i].set);
        fclose(file);
        if (size < strlen(rows[i].end) || strcmp(text + size - strlen(rows[i].end), rows[i].end) != 0)
            fail_msg("row %zu: no '%s' at the end of '%s'", i, rows[i].end, text);
        free(text);
    }
}

/* More digits of a shorter run. */
static void digits_follow_the_time(void **state)
{
    static const struct {
        double wall;
        const char *printed;
    } rows[] = {{0.00125, "0.001250"}, {0.25, "0.25000"}, {2.5, "2.500"}, {250, "250.00"}, {2500, "2500"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const hs__rank_report rank = {.host = "a", .run = rows[i].wall, .compute = rows[i].wall};
        hs__efficiency e = efficiency_of(&rank, 1);
        char *text = NULL, line[100];
        size_t size;
        FILE *file = open_memstream(&text, &size);
        hs__report_print(file, &rank, 1, &e);
        fclose(file);
        snprintf(line, sizeof line, " %s\nheteroslice: all", rows[i].printed);
        if (!strstr(text, line))
            fail_msg("no '%s' in '%s'", line, text);
        free(text);
    }
}

static void check_refused(const hs__rank_report *rank, const hs__efficiency *e, const char *why)
{
    const char *said = hs__report_check(rank, 1, e);
    assert_non_null(said);
    assert_string_equal(said, why);
}

static void what_cannot_be(void **state)
{
    static const char negative[] = "a time is negative", measuring[] = "measuring is not a part of library",
                      sum[] = "compute + transfer + wait + library is not run",
                      part[] = "an efficiency is not between 0 and 1",
                      product[] = "load balance x communication efficiency x run is not the mean of compute";
    const hs__rank_report good = {
        .host = "a", .startup = 1, .run = 4, .compute = 1, .transfer = 1, .wait = 1, .library = 1, .measuring = 1};
    const hs__efficiency right = efficiency_of(&good, 1);
#define REFUSED(object, field, value, why)      \
    do {                                        \
        hs__rank_report rank = good;            \
        hs__efficiency efficiency = right;      \
        object.field = value;                   \
        check_refused(&rank, &efficiency, why); \
    } while (0)
    REFUSED(rank, compute, -1, negative);
    REFUSED(rank, transfer, -1, negative);
    REFUSED(rank, wait, -1, negative);
    REFUSED(rank, library, -1, negative);
    REFUSED(rank, startup, -1, negative);
    REFUSED(rank, queue, -1, negative);
    REFUSED(rank, wait, NAN, negative);
    REFUSED(rank, queue, 4.1, "queue is not a part of the run");
    REFUSED(rank, measuring, -1, measuring);
    REFUSED(rank, measuring, 1.1, measuring);
    REFUSED(rank, run, 4.1, sum);
    REFUSED(rank, wait, 1.1, sum);
    REFUSED(efficiency, load_balance, -0.1, part);
    REFUSED(efficiency, load_balance, 1.1, part);
    REFUSED(efficiency, communication, -0.1, part);
    REFUSED(efficiency, communication, 1.1, part);
    REFUSED(efficiency, communication, NAN, part);
    REFUSED(efficiency, load_balance, 0.5, product);
#undef REFUSED
}

static void check_drift(const json_t *drift, const char *of, int rank, int iteration, double before, double after)
{
    assert_string_equal(json_string_value(json_object_get(drift, "of")), of);
    if (rank < 0)
        assert_true(json_is_null(json_object_get(drift, "rank")));
    else
        assert_int_equal(json_integer_value(json_object_get(drift, "rank")), rank);
    assert_int_equal(json_integer_value(json_object_get(drift, "iteration")), iteration);
    assert_true(json_number_value(json_object_get(drift, "before")) == before);
    assert_true(json_number_value(json_object_get(drift, "after")) == after);
}

/* Six are told, the others are counted; no more than 64 are kept. */
static void drifts_are_told(void **state)
{
    static const hs__drift_note notes[] = {{HS__DRIFTED_HOST, 1, 40, 1e-6, 2.5e-6, ""},
                                           {HS__DRIFTED_HOST, 2, 50, 4e-6, 1e-6, ""},
                                           {HS__DRIFTED_HOST, -1, 60, 1, 2, ""},
                                           {HS__DRIFTED_MESSAGES, 0, 70, 0.001, 0.002, ""},
                                           {HS__DRIFTED_LINK, 0, 80, 5e6, 2.5e6, "trunk"}};
    enum { NOTES = sizeof notes / sizeof *notes };
    static const char told_of_five[] =
        "heteroslice: host b (rank 1) takes 2.5 times as long for a unit since iteration 40\n"
        "heteroslice: host ? (rank 2) takes 0.25 times as long for a unit since iteration 50\n"
        "heteroslice: host ? (rank -1) takes 2 times as long for a unit since iteration 60\n"
        "heteroslice: messages take 2 ms of a step since iteration 70, 1 ms before, and no host is slower\n"
        "heteroslice: link trunk carries 2.5 MBps since iteration 80, 5 MBps before\n";
    const hs__rank_report ranks[] = {{.host = "a"}, {.host = "b"}};
    hs__drift_note kept[HS__MAX_DRIFTS];
    char expected[1000];
    told t;
    hs__drifts_print(told_file(&t), ranks, 2);
    told_check(&t, "");
    for (int k = 0; k < NOTES; k++)
        hs__drifts_note(&notes[k]);
    hs__drifts_print(told_file(&t), ranks, 2);
    told_check(&t, told_of_five);
    json_t *list = hs__drifts_json(), *all = hs__drifts_merge((json_t *[]){list, NULL, list}, 3);
    assert_int_equal(json_array_size(list), NOTES);
    assert_int_equal(json_array_size(all), 2 * NOTES);
    check_drift(json_array_get(list, 0), "host", 1, 40, 1e-6, 2.5e-6);
    check_drift(json_array_get(all, NOTES + 2), "host", -1, 60, 1, 2);
    check_drift(json_array_get(list, 3), "messages", 0, 70, 0.001, 0.002);
    assert_null(json_object_get(json_array_get(list, 3), "link"));
    check_drift(json_array_get(all, 2 * NOTES - 1), "link", 0, 80, 5e6, 2.5e6);
    assert_string_equal(json_string_value(json_object_get(json_array_get(list, 4), "link")), "trunk");
    json_decref(all);
    json_decref(list);
    for (int k = 0; k < HS__MAX_DRIFTS; k++)
        hs__drifts_note(&notes[3]);
    assert_int_equal(hs__drifts_noted(kept), HS__MAX_DRIFTS);
    assert_int_equal(kept[4].what, HS__DRIFTED_LINK);
    assert_int_equal(kept[HS__MAX_DRIFTS - 1].iteration, 70);
    snprintf(expected, sizeof expected,
             "%sheteroslice: messages take 2 ms of a step since iteration 70, 1 ms before, and no host is slower\n"
             "heteroslice: ... and %d changes more\n",
             told_of_five, HS__MAX_DRIFTS - 6);
    hs__drifts_print(told_file(&t), ranks, 2);
    told_check(&t, expected);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_hosts),
        cmocka_unit_test(many_hosts),
        cmocka_unit_test(nothing_happened),
        cmocka_unit_test(what_is_printed_adds_up),
        cmocka_unit_test(what_cannot_be),
        cmocka_unit_test(digits_follow_the_time),
        cmocka_unit_test(drifts_are_told),
        cmocka_unit_test(the_sentence_says_what_to_do),
        cmocka_unit_test(a_speed_that_is_not_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

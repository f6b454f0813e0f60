/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls of partitioners, noted on each rank, brought together and told; gains by hand. */
#include "tests/runtime/report/told.h"

#include "runtime/report/partitions.h"

/* A call of two ranks for two parts, whose owners have speeds 3 and 1. */
static hs__partition_call call_for_two(const double *wished, const double *given, const double *reached)
{
    static const double speed[] = {3, 1};
    return (hs__partition_call){.call = "METIS_PartGraphKway",
                                .caller = "solver",
                                .ranks = 2,
                                .parts = 2,
                                .edges_cut = 7,
                                .wished = wished,
                                .given = given,
                                .speed = speed,
                                .reached = reached};
}

/* What one rank that made these calls tells; afterwards nothing of it is left. */
static json_t *list_of(const hs__partition_call *calls, int n)
{
    for (int k = 0; k < n; k++)
        hs__partitions_note(&calls[k]);
    json_t *list = hs__partitions_json();
    hs__partitions_free();
    return list;
}

static json_t *merge(json_t *first, json_t *second)
{
    json_t *merged = hs__partitions_merge((json_t *[]){first, NULL, second}, 3);
    json_decref(first);
    json_decref(second);
    return merged;
}

static void check_told(json_t *merged, const char *expected)
{
    told t;
    hs__partitions_print(told_file(&t), merged);
    told_check(&t, expected);
    json_decref(merged);
}

static const double half[] = {0.5, 0.5}, quarters[] = {0.75, 0.25};

/* As asked for, the slower owner would take 0.5 of the work; it got 25 of 100 units, for which the other takes as long. */
static void ranks_of_one_call_are_one(void **state)
{
    static const double mine[] = {30, 0}, theirs[] = {45, 25};
    const hs__partition_call first = call_for_two(half, quarters, mine), second = call_for_two(half, quarters, theirs);
    json_t *merged = merge(list_of(&first, 1), list_of(&second, 1));
    assert_int_equal(json_array_size(merged), 1);
    const json_t *one = json_array_get(merged, 0), *reached = json_object_get(one, "reached");
    assert_true(json_number_value(json_array_get(reached, 0)) == 75 &&
                json_number_value(json_array_get(reached, 1)) == 25);
    CHECK_CLOSE(json_number_value(json_object_get(one, "gain")), 2, 1e-12);
    check_told(merged,
               "heteroslice: METIS_PartGraphKway called by solver, 1 time, 2 parts, targets changed to 75 25 %; "
               "reached 75 25 % of 100; 7 edges cut; predicted: a step 2 times as fast as with the parts asked for\n");
}

/* A caller's name is that of a file, in any coding, and cut. */
static void names_are_any_bytes(void **state)
{
    hs__partition_call call = call_for_two(half, quarters, NULL);
    strcpy(call.caller, "l\xf6ser");
    json_t *list = list_of(&call, 1);
    assert_int_equal(json_array_size(list), 1);
    assert_string_equal(json_string_value(json_object_get(json_array_get(list, 0), "caller")), "l?ser");
    json_decref(list);
}

/* One rank does not know what it got: then what the targets promise counts. */
static void what_was_reached_is_not_known(void **state)
{
    static const double mine[] = {30, 0};
    hs__partition_call first = call_for_two(half, quarters, mine), second = call_for_two(half, quarters, NULL);
    first.edges_cut = second.edges_cut = -1;
    first.caller[0] = second.caller[0] = '\0';
    json_t *merged = merge(list_of(&first, 1), list_of(&second, 1));
    assert_true(json_is_null(json_object_get(json_array_get(merged, 0), "reached")));
    check_told(merged,
               "heteroslice: METIS_PartGraphKway, 1 time, 2 parts, targets changed to 75 25 %; predicted: a step 2 "
               "times as fast as with the parts asked for\n");
}

static void calls_that_pass_through(void **state)
{
    const hs__partition_call one = call_for_two(half, NULL, NULL);
    const hs__partition_call three[] = {one, one, one};
    json_t *merged = merge(list_of(three, 3), list_of(three, 3));
    assert_int_equal(json_array_size(merged), 1);
    assert_int_equal(json_integer_value(json_object_get(json_array_get(merged, 0), "times")), 3);
    assert_true(json_is_null(json_object_get(json_array_get(merged, 0), "gain")));
    check_told(merged,
               "heteroslice: METIS_PartGraphKway called by solver, 3 times, 2 parts, as asked: 50 50 %; 7 edges cut\n");
}

/* Two ranks tell of two calls where anything that all ranks of a call have in common differs. */
static void ranks_of_different_calls(void **state)
{
    static const double ones[] = {1, 1};
    const hs__partition_call one = call_for_two(half, quarters, ones);
    hs__partition_call other[] = {one, one, one, one, one, one, one};
    int n = (int)(sizeof other / sizeof *other);
    snprintf(other[0].call, sizeof other[0].call, "METIS_PartGraphRecursive");
    snprintf(other[1].caller, sizeof other[1].caller, "another");
    other[2].first = 1;
    other[3].ranks = 3;
    other[4].parts = 1;
    other[5].given = half;
    other[6].wished = quarters;
    for (int k = 0; k < n; k++) {
        json_t *merged = merge(list_of(&one, 1), list_of(&other[k], 1));
        assert_int_equal(json_array_size(merged), 2);
        json_decref(merged);
    }
}

/* Each rank's own: both are kept, and told in one line where they are alike. */
static void serial_calls(void **state)
{
    hs__partition_call mine = call_for_two(half, quarters, quarters), theirs = mine;
    mine.ranks = theirs.ranks = 1;
    theirs.first = 1;
    json_t *merged = merge(list_of(&mine, 1), list_of(&theirs, 1));
    assert_int_equal(json_array_size(merged), 2);
    static const char line[] =
        "heteroslice: METIS_PartGraphKway called by solver, 1 time, 2 parts, targets changed to 75 25 "
        "%; reached 75 25 % of 1; 7 edges cut; predicted: a step 2 times as fast as with the parts "
        "asked for\n";
    check_told(merged, line);
    theirs.reached = half;
    merged = merge(list_of(&mine, 1), list_of(&theirs, 1));
    char both[1000];
    snprintf(both, sizeof both,
             "%sheteroslice: METIS_PartGraphKway called by solver, 1 time, 2 parts, targets changed to 75 25 %%; "
             "reached 50 50 %% of 1; 7 edges cut; predicted: a step 1 times as fast as with the parts asked for\n",
             line);
    check_told(merged, both);
}

/* Calls differ by each of what makes their kind; what the last one got is kept. */
static void kinds_of_calls(void **state)
{
    static const double before[] = {1, 2}, after[] = {3, 4};
    hs__partition_call calls[9];
    for (int k = 0; k < 9; k++)
        calls[k] = call_for_two(half, quarters, before);
    snprintf(calls[1].call, sizeof calls[1].call, "METIS_PartGraphRecursive");
    snprintf(calls[2].caller, sizeof calls[2].caller, "libother.so");
    calls[3].first = 4;
    calls[4].ranks = 3;
    calls[5].wished = quarters;
    calls[6].given = half;
    calls[7].given = NULL;
    calls[8].reached = after;
    calls[8].edges_cut = 9;
    json_t *list = list_of(calls, 9);
    assert_int_equal(json_array_size(list), 8);
    const json_t *first = json_array_get(list, 0), *reached = json_object_get(first, "reached");
    assert_int_equal(json_integer_value(json_object_get(first, "times")), 2);
    assert_int_equal(json_integer_value(json_object_get(first, "edges_cut")), 9);
    assert_true(json_number_value(json_array_get(reached, 0)) == 3 &&
                json_number_value(json_array_get(reached, 1)) == 4);
    json_decref(list);
}

/* Twelve kinds are told, and twelve parts of each; of 130 kinds the first 128 are known, and how many calls the others were. */
static void many_kinds_and_parts(void **state)
{
    enum { PARTS = 13, KINDS = 130, KEPT = 128, TOLD = 12 };
    static double parts[PARTS], ones[PARTS];
    static char expected[3000];
    hs__partition_call call = {.ranks = 2, .parts = PARTS, .edges_cut = -1, .wished = parts, .speed = ones};
    size_t used = 0;
    for (int p = 0; p < PARTS; p++) {
        parts[p] = 1.0 / PARTS;
        ones[p] = 1;
    }
    for (int k = 0; k < KINDS; k++) {
        snprintf(call.call, sizeof call.call, "call_%d", k);
        hs__partitions_note(&call);
        if (k < TOLD)
            used +=
                (size_t)snprintf(expected + used, sizeof expected - used,
                                 "heteroslice: call_%d, 1 time, 13 parts, as asked: 7.69 7.69 7.69 7.69 7.69 7.69 7.69 "
                                 "7.69 7.69 7.69 7.69 7.69 ... %%\n",
                                 k);
    }
    snprintf(expected + used, sizeof expected - used,
             "heteroslice: ... and %d kinds of calls more\n"
             "heteroslice: of %d calls nothing was kept: there are more kinds than %d\n",
             KEPT - TOLD, KINDS - KEPT, KEPT);
    json_t *list = hs__partitions_json();
    assert_int_equal(json_array_size(list), KEPT);
    check_told(list, expected);
    hs__partitions_free();
    check_told(json_array(), "");
}

/* Of what the program itself contains. */
static void functions_that_are_not_seen(void **state)
{
    hs__partitions_note_linked("METIS_PartGraphKway");
    hs__partitions_note_linked("DMSetUp");
    json_t *linked = hs__partitions_linked_json(), *none = json_array();
    assert_int_equal(json_array_size(linked), 2);
    assert_string_equal(json_string_value(json_array_get(linked, 1)), "DMSetUp");
    json_decref(linked);
    check_told(none,
               "heteroslice: calls are not seen of what the program itself contains: METIS_PartGraphKway, DMSetUp\n");
    for (int k = 0; k < 40; k++)
        hs__partitions_note_linked("METIS_PartGraphKway");
    linked = hs__partitions_linked_json();
    assert_int_equal(json_array_size(linked), 32);
    json_decref(linked);
    hs__partitions_free();
    linked = hs__partitions_linked_json();
    assert_int_equal(json_array_size(linked), 0);
    json_decref(linked);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranks_of_one_call_are_one),
        cmocka_unit_test(names_are_any_bytes),
        cmocka_unit_test(what_was_reached_is_not_known),
        cmocka_unit_test(calls_that_pass_through),
        cmocka_unit_test(ranks_of_different_calls),
        cmocka_unit_test(serial_calls),
        cmocka_unit_test(kinds_of_calls),
        cmocka_unit_test(many_kinds_and_parts),
        cmocka_unit_test(functions_that_are_not_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* What is decided from the times of a trial. */
#include "tests/unit.h"

#include "runtime/collectives/collectives.h"

/* Rows of times of the library's and ours, and what is decided after them. */
static void decisions(void **state)
{
    static const struct {
        int size_class, pairs;
        hs__collective_phase phase;
        double library_s[9], ours_s[9];
    } row[] = {
        {20, 3, HS__PHASE_TAKE, {2, 2, 2}, {1, 1, 1.5}},
        {20, 3, HS__PHASE_TIMED, {2, 2, 2}, {1, 1, 1.6}},
        {20, 1, HS__PHASE_PASS, {2}, {3}},
        {20, 1, HS__PHASE_TIMED, {2}, {2.9}},
        {20, 5, HS__PHASE_TAKE, {2, 2, 2, 2, 2}, {1.8, 1.8, 1.8, 1.9, 2.1}},
        {20, 5, HS__PHASE_PASS, {2, 2, 2, 2, 2}, {1.81, 1.81, 1.81, 1, 1}},  /* less than 10 % */
        {20, 5, HS__PHASE_PASS, {2, 2, 2, 2, 2}, {1.5, 1.5, 1.5, 2.1, 2.1}}, /* two lost */
        {13, 3, HS__PHASE_TIMED, {2, 2, 2}, {1, 1, 1}},                      /* short: too early */
        {13, 1, HS__PHASE_TIMED, {2}, {9}},
        {13, 5, HS__PHASE_PASS, {2, 2, 2, 2, 2}, {9, 9, 3, 9, 9}},
        {13, 5, HS__PHASE_TAKE, {2, 2, 2, 2, 2}, {1, 1, 1, 1, 1.5}},
        {13, 8, HS__PHASE_TIMED, {2, 2, 2, 2, 2, 2, 2, 2}, {1, 1, 1, 1, 1, 1, 1, 3}},
        {13, 9, HS__PHASE_TAKE, {2, 2, 2, 2, 2, 2, 2, 2, 2}, {1, 1, 1, 1, 1, 1, 1, 1, 3}},
        {13, 9, HS__PHASE_PASS, {2, 2, 2, 2, 2, 2, 2, 2, 2}, {1, 1, 1, 1, 1, 1, 1, 3, 3}},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        hs__collective_entry entry = {.size_class = row[i].size_class};
        memcpy(entry.library_s, row[i].library_s, sizeof entry.library_s);
        memcpy(entry.ours_s, row[i].ours_s, sizeof entry.ours_s);
        assert_int_equal(hs__trial_judge(&entry, row[i].pairs), row[i].phase);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(decisions)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

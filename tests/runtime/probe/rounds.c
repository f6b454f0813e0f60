/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/probe/rounds.h"
#include "tests/unit.h"
#include "util/random.h"

static void ranks_are_grouped_by_name(void **state)
{
    static const struct {
        const char *names;
        int ranks, hosts, host_of[6], first[6];
    } rows[] = {
        {"a", 1, 1, {0}, {0}},
        {"aaaa", 4, 1, {0, 0, 0, 0}, {0}},
        {"abab", 4, 2, {0, 1, 0, 1}, {0, 1}},
        {"ddcba", 5, 4, {0, 0, 1, 2, 3}, {0, 2, 3, 4}},
        {"zazbza", 6, 3, {0, 1, 0, 2, 0, 1}, {0, 1, 3}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char names[6][4] = {""};
        int host_of[6], first[6];
        for (int r = 0; r < rows[i].ranks; r++)
            names[r][0] = rows[i].names[r];
        assert_int_equal(hs__group_hosts(names[0], 4, rows[i].ranks, host_of, first), rows[i].hosts);
        for (int r = 0; r < rows[i].ranks; r++)
            assert_int_equal(host_of[r], rows[i].host_of[r]);
        for (int h = 0; h < rows[i].hosts; h++)
            assert_int_equal(first[h], rows[i].first[h]);
    }
}

static void random_names_keep_their_group(void **state)
{
    enum { RANKS = 300, STRIDE = 8 };
    static char names[RANKS][STRIDE];
    int host_of[RANKS], first[RANKS];
    hs__random random = {7};
    for (int r = 0; r < RANKS; r++)
        snprintf(names[r], STRIDE, "n%d", (int)hs__random_below(&random, 40));
    int hosts = hs__group_hosts(names[0], STRIDE, RANKS, host_of, first);
    for (int r = 0; r < RANKS; r++) {
        assert_in_range(host_of[r], 0, hosts - 1);
        assert_string_equal(names[r], names[first[host_of[r]]]);
        assert_true(first[host_of[r]] <= r);
    }
    for (int h = 1; h < hosts; h++)
        assert_true(first[h] > first[h - 1]);
}

static void everybody_meets_everybody_once(void **state)
{
    for (int n = 2; n <= 33; n++) {
        int met[33][33] = {{0}};
        for (int round = 0; round < hs__tournament_rounds(n); round++)
            for (int i = 0; i < n; i++) {
                int partner = hs__tournament_partner(n, round, i);
                if (partner < 0) {
                    assert_int_equal(n % 2, 1);
                    continue;
                }
                assert_in_range(partner, 0, n - 1);
                assert_int_not_equal(partner, i);
                assert_int_equal(hs__tournament_partner(n, round, partner), i);
                met[i][partner]++;
            }
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                assert_int_equal(met[i][j], i != j);
    }
}

static void small_tournaments(void **state)
{
    assert_int_equal(hs__tournament_rounds(0), 0);
    assert_int_equal(hs__tournament_rounds(1), 0);
    assert_int_equal(hs__tournament_partner(1, 0, 0), -1);
    assert_int_equal(hs__tournament_rounds(2), 1);
    assert_int_equal(hs__tournament_partner(2, 0, 0), 1);
    assert_int_equal(hs__tournament_rounds(3), 3);
}

static void some_rounds_are_spread(void **state)
{
    for (int k = 0; k < 5; k++)
        assert_int_equal(hs__tournament_spread(6, 5, k), k);
    assert_int_equal(hs__tournament_spread(100, 3, 0), 0);
    assert_int_equal(hs__tournament_spread(100, 3, 1), 33);
    assert_int_equal(hs__tournament_spread(100, 3, 2), 66);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranks_are_grouped_by_name),      cmocka_unit_test(random_names_keep_their_group),
        cmocka_unit_test(everybody_meets_everybody_once), cmocka_unit_test(small_tournaments),
        cmocka_unit_test(some_rounds_are_spread),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

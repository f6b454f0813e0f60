/* SPDX-License-Identifier: BSD-3-Clause */
/* Memberships of a ring on one switch, where all that messages take is known by hand. */
#include "plan/ring/subrings.h"
#include "tests/plan/one_switch.h"

enum { HOSTS = 6, LINK = 100 };

static const double speed[HOSTS] = {32, 16, 8, 4, 2, 1};

static int members_of(const hs__subrings *s, int membership, char *member)
{
    int members = 0;
    for (int k = 0; k < s->size; k++) {
        member[k] = isfinite(hs__subrings_at(s, HS__RING_CLOSED, membership)[k].next);
        members += member[k];
    }
    return members;
}

/* Between its two neighbours a host has four messages on its link, at the end of an open ring two; each crosses two links. The
 * slower of its ends sets the rate of a message. */
static void check_membership(const hs__subrings *s, int membership)
{
    char member[HOSTS];
    int members = members_of(s, membership, member), edges[] = {members - 1, members > 1 ? members : 0};
    for (hs__ring_ends ends = HS__RING_OPEN; ends < HS__RING_ENDS; ends++) {
        const hs__byte_time *time = hs__subrings_at(s, ends, membership);
        double each_way = (ends == HS__RING_OPEN && members == 2 ? 2.0 : 4.0) / LINK;
        for (int k = 0, place = 0; k < s->size; k++) {
            if (!member[k]) {
                assert_true(isinf(time[k].prev) && isinf(time[k].next));
                continue;
            }
            int is_first = place == 0, is_last = ++place == members, closed = ends == HS__RING_CLOSED && members > 1;
            CHECK_CLOSE(time[k].prev, is_first && !closed ? 0 : each_way, 1e-12);
            CHECK_CLOSE(time[k].next, is_last && !closed ? 0 : each_way, 1e-12);
        }
        CHECK_CLOSE(s->traffic[(int)ends * s->count + membership], 2 * 2 * edges[ends], 0);
    }
}

static void memberships_by_hand(void **state)
{
    hs_platform *p = one_switch(speed, HOSTS, LINK, 0);
    hs__subrings *s;
    char member[HS__MAX_MEMBERSHIPS][HOSTS];
    assert_int_equal(hs__subrings_create(p, speed, HS__MAX_MEMBERSHIPS, &s, NULL), HS_OK);
    assert_int_equal(s->size, HOSTS);
    assert_true(s->count > 2);
    for (int m = 0; m < s->count; m++) {
        int members = members_of(s, m, member[m]), slowest = INT32_MAX, fastest_out = -1;
        assert_true(m == 0 ? members == HOSTS : members < HOSTS);
        check_membership(s, m);
        for (int k = 0; k < HOSTS; k++)
            if (member[m][k])
                slowest = speed[s->host[k]] < slowest ? (int)speed[s->host[k]] : slowest;
            else
                fastest_out = speed[s->host[k]] > fastest_out ? (int)speed[s->host[k]] : fastest_out;
        assert_true(slowest > fastest_out); /* all have the same links */
        for (int other = 0; other < m; other++)
            assert_memory_not_equal(member[other], member[m], HOSTS);
    }
    hs__subrings_free(s);
    hs__subrings_free(NULL);
    hs_platform_free(p);
}

/* Links are half as fast: the order and the memberships that are known stay, and their messages take twice as long. */
static void known_ones_are_kept(void **state)
{
    hs_platform *before = one_switch(speed, HOSTS, 2 * LINK, 0), *now = one_switch(speed, HOSTS, LINK, 0);
    hs__subrings *known, *again;
    char member[HS__MAX_MEMBERSHIPS][HOSTS], kept[HOSTS];
    assert_int_equal(hs__subrings_create(before, speed, 3, &known, NULL), HS_OK);
    assert_int_equal(known->count, 3);
    for (int m = 0; m < known->count; m++)
        members_of(known, m, member[m]);
    assert_int_equal(hs__subrings_again(now, speed, HS__MAX_MEMBERSHIPS, known, member[0], &again, NULL), HS_OK);
    assert_memory_equal(again->host, known->host, HOSTS * sizeof *known->host);
    assert_true(again->count > known->count);
    for (int m = 0; m < again->count; m++) {
        check_membership(again, m);
        members_of(again, m, kept);
        if (m < known->count)
            assert_memory_equal(kept, member[m], HOSTS);
    }
    hs__subrings_free(again);
    hs__subrings_free(known);
    hs_platform_free(now);
    hs_platform_free(before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(memberships_by_hand), cmocka_unit_test(known_ones_are_kept)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

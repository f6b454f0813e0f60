/* SPDX-License-Identifier: BSD-3-Clause */
/* Which flows a round has, given what is known already. */
#include "plan/discover/tree.h"
#include "tests/unit.h"

enum { HOSTS = 60, BEHIND_ONE = 25, BEHIND_BOTH = 35 };

/* Hosts of 10 behind a link of 30, most of them behind a link of 60 as well; those between are explored. */
static hs__discovery *two_links_in_a_row(void)
{
    static const double capacity[] = {30, 60};
    hs__discovery *d;
    assert_int_equal(hs__discovery_create(HOSTS, &d), HS_OK);
    for (int k = 0; k < 2; k++) {
        unsigned char side[HOSTS];
        for (int h = 0; h < HOSTS; h++)
            side[h] = h >= (k == 0 ? BEHIND_ONE : BEHIND_BOTH);
        assert_int_equal(hs__tree_add(d, &(hs__cut){.side = side, .host = -1}), HS_OK);
    }
    hs__tree_link(d);
    d->cut[HOSTS].explored[0] = d->cut[HOSTS].explored[1] = 2;
    for (int c = 0; c < d->cuts; c++)
        d->cut[c].capacity[0] = d->cut[c].capacity[1] = c < HOSTS ? 10 : capacity[c - HOSTS];
    return d;
}

/* Flows that could do 1.6 times what the link carries, counting those that are to fill the link before it; and no more. */
static void a_link_is_filled_and_no_fuller(void **state)
{
    hs__discovery *d = two_links_in_a_row();
    hs__probe_flow flow[HOSTS];
    int across[2] = {0}, sends[HOSTS] = {0}, receives[HOSTS] = {0}, n;
    assert_int_equal(hs__discovery_next(d, INFINITY, flow, &n), HS_OK);
    for (int k = 0; k < n; k++) {
        sends[flow[k].from]++;
        receives[flow[k].to]++;
        if ((flow[k].from >= BEHIND_BOTH) != (flow[k].to >= BEHIND_BOTH))
            across[flow[k].to >= BEHIND_BOTH]++;
    }
    for (int h = 0; h < HOSTS; h++)
        assert_true(sends[h] <= 1 && receives[h] <= 1);
    assert_int_equal(across[0], 10); /* 10 flows of 10 for 96 */
    assert_int_equal(across[1], 10);
    hs__discovery_free(d);
}

/* In how many of its flows a host takes part that takes part most, and how many flows there are. */
static int most_flows_of_one(hs__discovery *d, int *flows)
{
    hs__probe_flow flow[HOSTS];
    int part[HOSTS] = {0}, most = 0;
    assert_int_equal(hs__discovery_next(d, INFINITY, flow, flows), HS_OK);
    for (int k = 0; k < *flows; k++) {
        int from = ++part[flow[k].from], to = ++part[flow[k].to];
        most = from > most ? from : most;
        most = to > most ? to : most;
    }
    return most;
}

/* In two rounds of three all hosts send and receive at once, in the other one they do either. */
static void hosts_send_and_receive_at_once(void **state)
{
    hs__discovery *d;
    int n;
    assert_int_equal(hs__discovery_create(HOSTS, &d), HS_OK);
    for (d->rounds = 0; d->rounds < 6; d->rounds++) {
        int one_way = d->rounds % 3 == 1;
        assert_int_equal(most_flows_of_one(d, &n), one_way ? 1 : 2);
        assert_in_range(n, one_way ? HOSTS / 2 : HOSTS - 1,
                        one_way ? HOSTS / 2 : HOSTS); /* the last may be left with itself */
    }
    d->rounds = 0;
    hs__discovery_free(d);
}

/* Both ways of a link that is one medium at once would only share what it carries. */
static void half_duplex_hosts_take_part_once(void **state)
{
    hs__discovery *d;
    int n;
    assert_int_equal(hs__discovery_create(HOSTS, &d), HS_OK);
    for (int h = 0; h < HOSTS; h++)
        d->cut[h].policy = HS__CUT_SHARED;
    assert_int_equal(most_flows_of_one(d, &n), 1);
    assert_int_equal(n, HOSTS / 2);
    hs__discovery_free(d);
}

/* After rounds without news, a link that was not filled, hosts that were not explored, or both are worth another round. */
static void what_is_uncertain_keeps_it_going(void **state)
{
    for (int uncertain = 0; uncertain < 4; uncertain++) {
        hs__discovery *d = two_links_in_a_row();
        hs__probe_flow flow[HOSTS];
        int n;
        d->globals = d->quiet = 1000;
        for (int c = HOSTS; c < d->cuts; c++)
            d->cut[c].full[0] = d->cut[c].full[1] = 3;
        for (int h = 0; h < HOSTS; h++)
            d->cut[h].tried[1] = 1000; /* whether it is wider */
        d->cut[HOSTS].full[0] = uncertain & 1 ? 0 : 3;
        d->cut[HOSTS].explored[0] = uncertain & 2 ? 0 : 2;
        assert_int_equal(hs__discovery_next(d, INFINITY, flow, &n), HS_OK);
        assert_int_equal(n > 0, uncertain > 0);
        assert_int_equal(hs__discovery_ended(d), uncertain == 0);
        hs__discovery_free(d);
    }
}

/* Hosts of one switch that met one by one, in a round before the last ones; then some are sent to by two. */
static void late_rounds_look_for_wide_hosts(void **state)
{
    enum { FEW = 8, ROUNDS = 4 };
    for (int late = 0; late < 2; late++) {
        hs__discovery *d;
        hs__probe_flow flow[FEW];
        int n, several = 0;
        assert_int_equal(hs__discovery_create(FEW, &d), HS_OK);
        for (int round = 0; round < ROUNDS; round++) {
            assert_int_equal(hs__discovery_next(d, 1000, flow, &n), HS_OK);
            assert_true(n > 0);
            for (int k = 0; k < n; k++)
                flow[k].rate = 10;
            assert_int_equal(hs__discovery_add(d, flow, n), HS_OK);
        }
        assert_int_equal(hs__discovery_next(d, late ? 1 : 1000, flow, &n), HS_OK);
        for (int k = 0; k < n; k++)
            for (int m = 0; m < k; m++)
                several += flow[k].to == flow[m].to;
        assert_int_equal(several > 0, late);
        hs__discovery_free(d);
    }
}

/* Where one switch is all that is found, each round is of all hosts. Enough of them without news are the end. */
static void one_switch_is_soon_known(void **state)
{
    hs__discovery *d;
    hs__probe_flow flow[HOSTS];
    int n = 1;
    assert_int_equal(hs__discovery_create(HOSTS, &d), HS_OK);
    d->quiet = 1000;
    for (int round = 0; round < HOSTS && n > 0; round++)
        assert_int_equal(hs__discovery_next(d, INFINITY, flow, &n), HS_OK);
    assert_true(hs__discovery_ended(d));
    hs__discovery_free(d);
}

enum { PAIRS = 4 };

static void add(hs__discovery *d, const hs__probe_flow *flow)
{
    assert_int_equal(hs__discovery_add(d, flow, PAIRS), HS_OK);
}

/* Hosts that all have links of 10. */
static hs__discovery *equal_hosts(void)
{
    static const hs__probe_flow flow[2][PAIRS] = {{{0, 1, 10}, {2, 3, 10}, {4, 5, 10}, {6, 7, 10}},
                                                  {{1, 0, 10}, {3, 2, 10}, {5, 4, 10}, {7, 6, 10}}};
    hs__discovery *d;
    assert_int_equal(hs__discovery_create(2 * PAIRS, &d), HS_OK);
    for (int k = 0; k < 4; k++)
        add(d, flow[k % 2]);
    return d;
}

/* Two flows that one round held up alike are worth another look: the next round fills what they may have in common. One may be
 * an outlier. */
static void two_flows_are_a_suspicion(void **state)
{
    for (int held = 0; held <= 2; held++) {
        hs__discovery *d = equal_hosts();
        hs__probe_flow flow[2 * PAIRS] = {{0, 4, held > 0 ? 6 : 10}, {1, 5, held > 1 ? 6 : 10}, {2, 3, 10}, {6, 7, 10}};
        int n;
        add(d, flow);
        assert_int_equal(d->suspected, held == 2);
        assert_int_equal(hs__discovery_next(d, INFINITY, flow, &n), HS_OK);
        for (int k = 0; k < 2 && held == 2; k++) {
            assert_int_equal(d->suspect[flow[k].to], d->suspect[flow[0].to]);
            assert_int_equal(d->suspect[flow[k].from], !d->suspect[flow[0].to]);
        }
        hs__discovery_free(d);
    }
}

/* What one round says loudly does not hide what three say. */
static void a_sure_cut_comes_before_a_larger_one(void **state)
{
    static const hs__probe_flow loud[PAIRS] = {{4, 0, 3}, {5, 1, 3}, {6, 2, 3}, {7, 3, 3}};
    static const hs__probe_flow soft[PAIRS] = {{0, 2, 7}, {1, 3, 7}, {4, 7, 10}, {5, 6, 10}};
    hs__discovery *d = equal_hosts();
    add(d, loud);
    assert_int_equal(d->cuts, 2 * PAIRS);
    for (int k = 0; k < 3; k++)
        add(d, soft);
    assert_int_equal(d->cuts, 2 * PAIRS + 1);
    const unsigned char *side = d->cut[2 * PAIRS].side;
    assert_true(side[0] == side[1] && side[2] == side[3] && side[0] != side[2]);
    hs__discovery_free(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_link_is_filled_and_no_fuller),   cmocka_unit_test(hosts_send_and_receive_at_once),
        cmocka_unit_test(half_duplex_hosts_take_part_once), cmocka_unit_test(what_is_uncertain_keeps_it_going),
        cmocka_unit_test(late_rounds_look_for_wide_hosts),  cmocka_unit_test(one_switch_is_soon_known),
        cmocka_unit_test(two_flows_are_a_suspicion),        cmocka_unit_test(a_sure_cut_comes_before_a_larger_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

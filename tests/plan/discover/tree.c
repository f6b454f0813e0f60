/* SPDX-License-Identifier: BSD-3-Clause */
/* The tree of links, and what each of them adds to the latencies between hosts. */
#include "plan/discover/tree.h"
#include "plan/discover/cuts.h"
#include "tests/short_of_memory.h"
#include "util/array.h"
#include <stdlib.h>

enum { HOSTS = 6, TRUNKS = 2 };

/* Hosts 2 and 3, and 4 and 5, have a switch of their own. */
static const unsigned char sides[TRUNKS][HOSTS] = {{0, 0, 1, 1, 0, 0}, {0, 0, 0, 0, 1, 1}};

static hs__discovery *two_trunks(void)
{
    hs__discovery *d;
    assert_int_equal(hs__discovery_create(HOSTS, &d), HS_OK);
    for (int k = 0; k < TRUNKS; k++) {
        unsigned char side[HOSTS];
        memcpy(side, sides[k], sizeof side);
        assert_int_equal(hs__tree_add(d, &(hs__cut){.side = side, .host = -1}), HS_OK);
    }
    return d;
}

static double between(const double *of_host, const double *of_trunk, int i, int j)
{
    double sum = of_host[i] + of_host[j];
    for (int k = 0; k < TRUNKS; k++)
        sum += sides[k][i] != sides[k][j] ? of_trunk[k] : 0;
    return sum;
}

/* Of all pairs, and of all but those of two hosts, which others tell as well. */
static void latencies_are_divided_among_links(void **state)
{
    static const double of_host[HOSTS] = {.01, .02, .03, .04, .05, .06}, of_trunk[TRUNKS] = {.1, .2};
    for (int unmeasured = 0; unmeasured < 2; unmeasured++) {
        double *latency = hs__array_new(HOSTS * HOSTS, sizeof *latency);
        int n;
        hs__discovery *d = two_trunks();
        for (int i = 0; i < HOSTS; i++)
            for (int j = 0; j < HOSTS; j++)
                latency[i * HOSTS + j] = i == j ? 0 : between(of_host, of_trunk, i, j);
        if (unmeasured)
            latency[1 * HOSTS + 3] = latency[3 * HOSTS + 1] = 0;
        hs__discovery_latencies(d, latency);
        const hs__cut *cut = hs__discovery_cuts(d, &n);
        assert_int_equal(n, HOSTS + TRUNKS);
        for (int k = 0; k < n; k++)
            CHECK_CLOSE(cut[k].latency, k < HOSTS ? of_host[k] : of_trunk[k - HOSTS], 0.05);
        free(latency);
        hs__discovery_free(d);
    }
}

/* Host 0's own link and host 2's: the way out of a side and the way into it have their own capacities. */
static void a_flow_alone_has_the_least_capacity_on_its_way(void **state)
{
    unsigned char side[2][3] = {{1, 0, 0}, {0, 0, 1}};
    const hs__cut cut[] = {{.side = side[0], .host = 0, .capacity = {5, 7}},
                           {.side = side[1], .host = 2, .capacity = {3, 9}}};
    int least = -1;
    assert_true(hs__cuts_bandwidth(cut, 2, 1, 1, &least) == INFINITY && least == -1);
    assert_true(hs__cuts_bandwidth(cut, 2, 0, 2, &least) == 5 && least == 0);
    assert_true(hs__cuts_bandwidth(cut, 2, 2, 0, &least) == 3 && least == 1);
    assert_true(hs__cuts_bandwidth(cut, 2, 1, 2, NULL) == 9);
    assert_true(hs__cuts_bandwidth(cut, 2, 1, 0, NULL) == 7);
}

/* A pair whose way is shorter than its links: no link takes time back. */
static void no_latency_is_below_zero(void **state)
{
    static const double between_three[] = {0, 5, 1, 5, 0, 1, 1, 1, 0};
    double *latency = hs__array_new(9, sizeof *latency);
    hs__discovery *d;
    int n;
    assert_int_equal(hs__discovery_create(3, &d), HS_OK);
    memcpy(latency, between_three, sizeof between_three);
    hs__discovery_latencies(d, latency);
    const hs__cut *cut = hs__discovery_cuts(d, &n);
    assert_int_equal(n, 3);
    assert_true(cut[2].latency == 0 && cut[0].latency > 1 && cut[1].latency > 1);
    free(latency);
    hs__discovery_free(d);
}

/* Sanitizers see what is not freed. */
static void a_cut_that_finds_no_memory_is_not_there(void **state)
{
    for (int n = 0; n < 2; n++) {
        hs__discovery *d = two_trunks();
        unsigned char side[HOSTS] = {0, 1, 1, 1, 0, 0};
        int cuts = d->cuts;
        d->cut_room = (size_t)d->cuts; /* no more room for any */
        memory_lasts(n);
        assert_int_equal(hs__tree_add(d, &(hs__cut){.side = side, .host = -1}), HS_ERR_NOMEM);
        memory_is_back();
        assert_int_equal(d->cuts, cuts);
        assert_int_equal(hs__tree_add(d, &(hs__cut){.side = side, .host = -1}), HS_OK);
        assert_int_equal(d->cut[HOSTS].parent, cuts); /* within the new one */
        assert_int_equal(d->cut[HOSTS + 1].parent, -1);
        hs__tree_remove(d, cuts);
        assert_int_equal(d->cut[HOSTS].parent, -1);
        hs__discovery_free(d);
    }
}

/* Two flows of 30 into the side of a link between switches, from hosts of 30 and of 100. */
static hs__discovery *two_flows(hs__cut_policy policy, double capacity)
{
    enum { SENDERS = 2 };
    static const hs__probe_flow flow[SENDERS] = {{0, 2, 30}, {1, 3, 30}};
    hs__discovery *d;
    unsigned char side[2 * SENDERS] = {0, 0, 1, 1};
    assert_int_equal(hs__discovery_create(2 * SENDERS, &d), HS_OK);
    assert_int_equal(hs__discovery_add(d, flow, SENDERS), HS_OK);
    assert_int_equal(hs__tree_add(d, &(hs__cut){.side = side, .host = -1, .policy = policy}), HS_OK);
    for (int c = 0; c < d->cuts; c++)
        d->cut[c].capacity[0] = d->cut[c].capacity[1] = c == 2 * SENDERS ? capacity : c % 2 ? 100 : 30;
    hs__cuts_bound(d, -1);
    return d;
}

/* A link is full for a flow when it leaves it 1.1 times what another one does, at most; a host's own link is not when a
 * link between switches may be what holds the flow back; half of the flows are enough. */
static void full_links_by_hand(void **state)
{
    static const struct {
        hs__cut_policy policy;
        double capacity;
        int trunk, slow, fast; /* that link, into its side; the link of host 0, and of host 1, out of it */
    } rows[] = {
        {HS__CUT_DUPLEX, 100, 1, 1, 0}, /* leaves 70 each: it is what holds the second one back */
        {HS__CUT_DUPLEX, 60, 1, 0, 0},  /* leaves 30 each */
        {HS__CUT_DUPLEX, 150, 0, 1, 1}, /* leaves 120 each */
        {HS__CUT_FATPIPE, 33, 1, 0, 0},        {HS__CUT_FATPIPE, 35, 1, 1, 0},
        {HS__CUT_FATPIPE, 1.1 * 100, 1, 1, 1}, {HS__CUT_FATPIPE, 111, 0, 1, 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        hs__discovery *d = two_flows(rows[i].policy, rows[i].capacity);
        const int cut[] = {4, 0, 1}, way[] = {1, 0, 0}, full[] = {rows[i].trunk, rows[i].slow, rows[i].fast};
        for (int k = 0; k < 3; k++) {
            hs__cut_tally(d, d->cut[cut[k]].side);
            assert_int_equal(hs__cut_is_full(d, &d->cut[cut[k]], 0, way[k]), full[k]);
            assert_int_equal(hs__cut_is_full(d, &d->cut[cut[k]], 0, !way[k]), 0); /* nothing goes the other way */
        }
        hs__discovery_free(d);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_flow_alone_has_the_least_capacity_on_its_way),
        cmocka_unit_test(latencies_are_divided_among_links),
        cmocka_unit_test(no_latency_is_below_zero),
        cmocka_unit_test(a_cut_that_finds_no_memory_is_not_there),
        cmocka_unit_test(full_links_by_hand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Discovery against true networks that answer probes with 5 to 10 % noise and outliers. */
#include "tests/plan/discover/truth.h"
#include "tests/platform/read.h"

enum { TREES = 16 };

static const double unit = 125e3; /* bytes/s of a Mbps */
static const int all_rounds = 1000;

static truth one_switch(void)
{
    truth t = {0};
    truth_switch(&t, -1, 0, 8, 100 * unit);
    return t;
}

static truth two_sites(void)
{
    truth t = {0};
    truth_switch(&t, -1, 0, 4, 100 * unit);
    truth_switch(&t, 0, 100 * unit, 4, 100 * unit);
    return t;
}

static truth three_sites(void)
{
    truth t = {0};
    truth_switch(&t, -1, 0, 0, 0);
    for (int k = 0; k < 3; k++)
        truth_switch(&t, 0, 150 * unit, 4, 100 * unit);
    return t;
}

static truth chain(void)
{
    truth t = {0};
    truth_switch(&t, -1, 0, 2, 150 * unit);
    truth_switch(&t, 0, 90 * unit, 2, 150 * unit);
    truth_switch(&t, 1, 60 * unit, 2, 150 * unit);
    truth_switch(&t, 2, 80 * unit, 2, 150 * unit);
    return t;
}

static truth racks(void)
{
    truth t = {0};
    truth_switch(&t, -1, 0, 0, 0);
    for (int k = 0; k < 4; k++)
        truth_switch(&t, 0, (k == 3 ? 100 : 400) * unit, 4, 100 * unit);
    return t;
}

static truth unequal(void)
{
    truth t = {0};
    truth_switch(&t, -1, 0, 10, 100 * unit);
    for (int h = 0; h < t.hosts; h++)
        t.access[h] = (h % 3 == 0 ? 200 : h % 3 == 1 ? 100 : 50) * unit;
    return t;
}

static truth (*const topologies[])(void) = {one_switch, two_sites, three_sites, chain, racks, unequal};

static void finds_six_topologies(void **state)
{
    int told[2] = {0}, held[2] = {0};
    (void)state;
    for (size_t k = 0; k < sizeof topologies / sizeof *topologies; k++)
        for (uint64_t seed = 1; seed <= 12; seed++) {
            truth t = topologies[k]();
            verdict v = truth_judge(&t, 0.05, all_rounds, seed);
            printf("topology %zu: median %.3f, 95 %% %.3f, %d of %d trunks, %d probes\n", k, v.median, v.late, v.found,
                   v.trunks, v.probes);
            assert_true(v.median <= 0.1);
            assert_true(v.late <= 0.1);
            assert_int_equal(v.found, v.trunks);
            assert_int_equal(v.extra, 0);
            assert_true(v.probes <= 6 * t.hosts * log2(t.hosts));
            for (int of = 0; of < 2; of++) {
                told[of] += v.told[of];
                held[of] += v.held[of];
            }
        }
    for (int of = 0; of < 2; of++) {
        printf("%d of %d intervals hold the bandwidth\n", held[of], told[of]);
        assert_true(told[of] > 0 && 10 * held[of] >= 9 * told[of]); /* nine in ten are meant to */
    }
}

/* Equal hosts of one switch are of one kind: their links have one bandwidth and one interval, both ways. */
static void equal_hosts_have_equal_links(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        truth t = one_switch();
        hs__random random = {seed};
        hs_platform *p = truth_platform(&t);
        int rounds, cuts;
        hs__discovery *d = truth_discover(p, 0.02, all_rounds, &random, &rounds);
        const hs__cut *cut = hs__discovery_cuts(d, &cuts);
        assert_int_equal(cuts, t.hosts);
        for (int h = 0; h < t.hosts; h++)
            for (int way = 0; way < 2; way++) {
                CHECK_CLOSE(cut[h].capacity[way], 100 * unit, 0.02);
                assert_true(cut[h].capacity[way] == cut[0].capacity[0]);
                assert_true(cut[h].low[way] == cut[0].low[0] && cut[h].high[way] == cut[0].high[0]);
            }
        assert_true(cut[0].low[0] < cut[0].capacity[0] && cut[0].capacity[0] < cut[0].high[0]);
        CHECK_CLOSE(cut[0].high[0] - cut[0].capacity[0], cut[0].capacity[0] - cut[0].low[0], 1e-9);
        hs__discovery_free(d);
        hs_platform_free(p);
    }
}

/* A direction in which a host has met no link as wide as its own is as wide as the other one; where it has, it is not. */
static void a_direction_may_be_narrow_or_untried(void **state)
{
    enum { HOSTS = 6, ROUNDS = 4, FLOWS = 3, WIDE = 0, WIDE_TOO = 1, NARROW = 2, ONE_WAY = 5, TIMES = 4 };
    static const hs__probe_flow flow[ROUNDS][FLOWS] = {{{0, 1, 200}, {2, 3, 100}, {4, 5, 100}},
                                                       {{1, 2, 100}, {3, 0, 100}, {5, 4, 100}},
                                                       {{5, 1, 200}, {4, 0, 100}, {3, 2, 100}},
                                                       {{0, 5, 100}, {1, 3, 100}, {2, 4, 100}}};
    hs__discovery *d;
    int cuts;
    (void)state;
    assert_int_equal(hs__discovery_create(HOSTS, &d), HS_OK);
    for (int k = 0; k < TIMES * ROUNDS; k++)
        assert_int_equal(hs__discovery_add(d, flow[k % ROUNDS], FLOWS), HS_OK);
    assert_int_equal(hs__discovery_conclude(d), HS_OK);
    const hs__cut *cut = hs__discovery_cuts(d, &cuts);
    assert_int_equal(cuts, HOSTS);
    for (int way = 0; way < 2; way++) {
        CHECK_CLOSE(cut[WIDE].capacity[way], 200, 1e-9);
        CHECK_CLOSE(cut[WIDE_TOO].capacity[way], 200, 1e-9);
        CHECK_CLOSE(cut[NARROW].capacity[way], 100, 1e-9);
        CHECK_CLOSE(cut[ONE_WAY].capacity[way], way == 0 ? 200 : 100, 1e-9);
    }
    hs__discovery_free(d);
}

/* A host that sends does so once; one that receives from several does not send. @return the most that it received from */
static int check_round(const hs__probe_flow *flow, int n, int host, int hosts)
{
    int most = 0;
    for (int h = 0; h < hosts; h++) {
        int in = 0, out = 0;
        for (int k = 0; k < n; k++) {
            in += flow[k].to == h;
            out += flow[k].from == h;
        }
        assert_in_range(out, 0, 1);
        assert_in_range(in, 0, out ? 1 : HS__FLOWS_TO_ONE);
        most = h == host ? in : most;
    }
    return most;
}

/* Two and four times as wide as all others, which shows only when several send to one. */
static void hosts_wider_than_all_others_are_found(void **state)
{
    enum { WIDE = 2, WIDER = 9 };
    (void)state;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        truth t = {0};
        truth_switch(&t, -1, 0, 6, 100 * unit);
        truth_switch(&t, 0, 150 * unit, 12, 100 * unit);
        t.access[WIDE] = 200 * unit;
        t.access[WIDER] = 400 * unit;
        hs__random random = {seed};
        hs_platform *p = truth_platform(&t);
        int rounds, cuts, most = 0;
        hs__discovery *d = truth_discover(p, 0.05, all_rounds, &random, &rounds);
        const hs__cut *cut = hs__discovery_cuts(d, &cuts);
        for (int r = 0; r < rounds; r++) {
            const hs__probe_flow *flow;
            int n = hs__discovery_round(d, r, &flow), of_wider = check_round(flow, n, WIDER, t.hosts);
            most = of_wider > most ? of_wider : most;
        }
        assert_true(most >= 4);
        assert_int_equal(cuts, t.hosts + 1);
        for (int h = 0; h < t.hosts; h++)
            for (int way = 0; way < 2; way++)
                CHECK_CLOSE(cut[h].capacity[way], t.access[h], 0.1);
        assert_true(hs__discovery_probes(d) <= 6 * t.hosts * log2(t.hosts));
        hs__discovery_free(d);
        hs_platform_free(p);
    }
}

/* A trunk that two hosts on one side just fill, with few on the other. */
static void finds_trunks_between_few_hosts(void **state)
{
    enum { SEEDS = 20 };
    int trunks = 0, found = 0, extra = 0;
    (void)state;
    for (int far = 2; far <= 5; far++)
        for (uint64_t seed = 1; seed <= SEEDS; seed++) {
            truth t = {0};
            truth_switch(&t, -1, 0, 2, 100 * unit);
            truth_switch(&t, 0, 120 * unit, far, 100 * unit);
            verdict v = truth_judge(&t, 0.05, all_rounds, seed);
            trunks += v.trunks;
            found += v.found;
            extra += v.extra;
        }
    printf("few hosts: %d of %d trunks\n", found, trunks);
    assert_true(trunks == 4 * SEEDS && found >= trunks * 9 / 10);
    assert_int_equal(extra, 0);
}

static void bears_more_noise(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof topologies / sizeof *topologies; k++) {
        truth t = topologies[k]();
        verdict v = truth_judge(&t, 0.1, all_rounds, 2);
        assert_true(v.median <= 0.1);
        assert_int_equal(v.found, v.trunks);
    }
}

static void finds_random_trees(void **state)
{
    (void)state;
    hs__random random = {7};
    int trunks = 0, found = 0, median = 0, late = 0;
    for (int k = 0; k < TREES; k++) {
        truth t;
        truth_random(&t, 8 + (int)hs__random_below(&random, 33), &random);
        verdict v = truth_judge(&t, 0.05, all_rounds, (uint64_t)k);
        assert_true(v.probes <= 6 * t.hosts * log2(t.hosts));
        trunks += v.trunks;
        found += v.found;
        median += v.median <= 0.1;
        late += v.late <= 0.2;
    }
    printf("%d random trees: %d of %d trunks; median within 10 %%: %d, 95 %% within 20 %%: %d\n", TREES, found, trunks,
           median, late);
    assert_true(median >= TREES - 1);
    assert_true(late >= TREES * 90 / 100);
    assert_true(found >= trunks * 95 / 100);
}

/* Whatever the number of rounds there is a network, with every host on it. */
static void stops_at_any_time(void **state)
{
    (void)state;
    for (int rounds = 1; rounds <= 12; rounds++)
        for (size_t k = 0; k < sizeof topologies / sizeof *topologies; k++) {
            truth t = topologies[k]();
            verdict v = truth_judge(&t, 0.05, rounds, 1);
            assert_true(isfinite(v.median));
        }
}

static void tells_how_links_are_shared(void **state)
{
    (void)state;
    truth t = two_sites();
    t.trunk_policy = HS__CUT_SHARED;
    verdict v = truth_judge(&t, 0.05, all_rounds, 1);
    printf("shared trunk: median %.3f, 95 %% %.3f\n", v.median, v.late);
    assert_true(v.late <= 0.2);
    t = one_switch();
    t.host_policy = HS__CUT_SHARED;
    v = truth_judge(&t, 0.05, all_rounds, 1);
    printf("shared host links: median %.3f, 95 %% %.3f\n", v.median, v.late);
    assert_true(v.late <= 0.2);
    t = two_sites();
    t.trunk_policy = HS__CUT_FATPIPE;
    t.trunk[1] = 50 * unit;
    v = truth_judge(&t, 0.05, all_rounds, 1);
    printf("trunk for each flow: median %.3f, 95 %% %.3f\n", v.median, v.late);
    assert_true(v.late <= 0.2);
}

static void tiny_networks(void **state)
{
    (void)state;
    for (int hosts = 2; hosts <= 4; hosts++) {
        truth t = {0};
        truth_switch(&t, -1, 0, hosts, 100 * unit);
        verdict v = truth_judge(&t, 0.05, all_rounds, 1);
        assert_true(v.median <= 0.1);
        assert_int_equal(v.extra, 0);
    }
    hs__discovery *lonely = NULL;
    hs__probe_flow flow;
    int n;
    assert_int_equal(hs__discovery_create(1, &lonely), HS_OK);
    assert_false(hs__discovery_ended(lonely));
    assert_int_equal(hs__discovery_next(lonely, INFINITY, &flow, &n), HS_OK);
    assert_int_equal(n, 0);
    assert_true(hs__discovery_ended(lonely));
    hs__discovery_conclude(lonely);
    hs__discovery_free(lonely);
}

static int explains(hs__discovery *d)
{
    hs__fit fit;
    assert_int_equal(hs__discovery_conclude(d), HS_OK);
    assert_int_equal(hs__discovery_fit(d, &fit), HS_OK);
    hs__discovery_free(d);
    return fit.explains;
}

/* Each flow gets anything up to four hundred times the least. @return whether links explain it after so many rounds */
static int chance_is_explained(int hosts, int rounds, uint64_t seed)
{
    hs__discovery *d;
    hs__probe_flow flow[TRUTH_HOSTS];
    hs__random random = {seed};
    assert_int_equal(hs__discovery_create(hosts, &d), HS_OK);
    for (int r = 0, n; r < rounds; r++) {
        assert_int_equal(hs__discovery_next(d, rounds - r, flow, &n), HS_OK);
        for (int k = 0; k < n; k++)
            flow[k].rate = exp(6 * hs__random_unit(&random));
        assert_int_equal(hs__discovery_add(d, flow, n), HS_OK);
    }
    return explains(d);
}

/* With few rounds there are hardly more readings than links, which fit whatever they are. */
static void links_do_not_explain_chance(void **state)
{
    static const int hosts[] = {4, 7, 16};
    (void)state;
    for (size_t k = 0; k < sizeof hosts / sizeof *hosts; k++)
        for (int rounds = 4; rounds <= 12; rounds++) {
            int explained = 0;
            for (uint64_t seed = 1; seed <= 20; seed++)
                explained += chance_is_explained(hosts[k], rounds, seed);
            assert_true(explained <= 1);
        }
}

static void links_explain_what_they_are(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof topologies / sizeof *topologies; k++) {
        truth t = topologies[k]();
        hs_platform *p = truth_platform(&t);
        int explained = 0, all = 0;
        for (int most = 1; most <= 12; most++)
            for (uint64_t seed = 1; seed <= 5; seed++, all++) {
                hs__random random = {seed};
                int rounds;
                explained += explains(truth_discover(p, 0.05, most, &random, &rounds));
            }
        printf("topology %zu: explained in %d of %d\n", k, explained, all);
        assert_true(20 * explained >= 19 * all);
        hs_platform_free(p);
    }
}

/* Two clusters whose routes are a hundred times slower one way, and no tree. */
static void no_tree_explains_other_routes(void **state)
{
    hs_platform *p = read_platform("tests/platforms/clusters.xml");
    (void)state;
    for (uint64_t seed = 1; seed <= 5; seed++) {
        hs__random random = {seed};
        int rounds;
        assert_false(explains(truth_discover(p, 0.05, all_rounds, &random, &rounds)));
    }
    hs_platform_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_hosts_have_equal_links),
        cmocka_unit_test(finds_six_topologies),
        cmocka_unit_test(a_direction_may_be_narrow_or_untried),
        cmocka_unit_test(hosts_wider_than_all_others_are_found),
        cmocka_unit_test(finds_trunks_between_few_hosts),
        cmocka_unit_test(bears_more_noise),
        cmocka_unit_test(finds_random_trees),
        cmocka_unit_test(stops_at_any_time),
        cmocka_unit_test(tells_how_links_are_shared),
        cmocka_unit_test(tiny_networks),
        cmocka_unit_test(links_do_not_explain_chance),
        cmocka_unit_test(links_explain_what_they_are),
        cmocka_unit_test(no_tree_explains_other_routes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

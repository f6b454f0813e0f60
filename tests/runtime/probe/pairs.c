/* SPDX-License-Identifier: BSD-3-Clause */
/* What is concluded from readings, on networks whose rates are computed by max-min sharing and not measured. */
#include "runtime/probe/pairs.h"
#include "runtime/probe/rounds.h"
#include "tests/unit.h"
#include "util/random.h"

enum { MAX_HOSTS = 12, MOST_LINKS = MAX_HOSTS + 1 };

/* Hosts with access links on two sites, a link between the sites, and perhaps one medium that all flows cross. */
typedef struct network {
    int hosts, first_of_b;
    double access[MAX_HOSTS], between, medium;
} network;

static int crosses(const network *net, const hs__reading *flow, int link)
{
    if (link < net->hosts)
        return flow->i == link || flow->j == link;
    if (link == net->hosts)
        return (flow->i < net->first_of_b) != (flow->j < net->first_of_b);
    return 1;
}

static double capacity(const network *net, int link)
{
    return link < net->hosts ? net->access[link] : link == net->hosts ? net->between : net->medium;
}

/* Max-min rates by progressive filling; fills in the values. */
static void share(const network *net, hs__reading *flows, int n)
{
    double left[MOST_LINKS + 1];
    int fixed[MAX_HOSTS] = {0};
    for (int l = 0; l < net->hosts + 2; l++)
        left[l] = capacity(net, l);
    for (int done = 0; done < n;) {
        double least = INFINITY;
        int narrowest = 0;
        for (int l = 0; l < net->hosts + 2; l++) {
            int users = 0;
            for (int f = 0; f < n; f++)
                users += !fixed[f] && crosses(net, &flows[f], l);
            if (users && left[l] / users < least) {
                least = left[l] / users;
                narrowest = l;
            }
        }
        for (int f = 0; f < n; f++) {
            if (fixed[f] || !crosses(net, &flows[f], narrowest))
                continue;
            fixed[f] = 1;
            flows[f].value = least;
            done++;
            for (int l = 0; l < net->hosts + 2; l++)
                left[l] -= crosses(net, &flows[f], l) ? least : 0;
        }
    }
}

static double truth(const network *net, int i, int j)
{
    hs__reading flow = {i, j, 0};
    share(net, &flow, 1);
    return flow.value;
}

static void measure_round(const network *net, hs__pairs *pairs, int round, double noise, hs__random *random)
{
    hs__reading flows[MAX_HOSTS];
    int n = 0;
    for (int i = 0; i < net->hosts; i++) {
        int j = hs__tournament_partner(net->hosts, round, i);
        if (j > i && hs__pairs_joins(pairs, i, j))
            flows[n++] = (hs__reading){i, j, 0};
    }
    share(net, flows, n);
    for (int f = 0; f < n; f++)
        flows[f].value *= 1 + noise * (2 * hs__random_unit(random) - 1);
    assert_int_equal(hs__pairs_add(pairs, round, flows, n), HS_OK);
}

/* One sweep and then at most `most` readings alone. @return how many of those there were */
static int measure_all(const network *net, hs__pairs *pairs, int most, double noise, uint64_t seed)
{
    hs__random random = {seed};
    int alone = 0;
    for (int round = 0; round < hs__tournament_rounds(net->hosts); round++)
        measure_round(net, pairs, round, noise, &random);
    for (hs__reading flow; alone < most && hs__pairs_next_alone(pairs, HS__USEFUL, 1, &flow.i, &flow.j); alone++) {
        assert_true(flow.i < flow.j);
        assert_int_equal(hs__pairs_alone_count(pairs, flow.i, flow.j), 0);
        share(net, &flow, 1);
        flow.value *= 1 + noise * (2 * hs__random_unit(&random) - 1);
        assert_int_equal(hs__pairs_add(pairs, 0, &flow, 1), HS_OK);
    }
    return alone;
}

static const network two_switches = {6, 3, {25, 25, 25, 12.5, 12.5, 12.5}, 7.5, INFINITY};

static void all_of_two_switches_is_found(void **state)
{
    hs__pairs pairs = {0};
    hs_probe_link link[15];
    assert_int_equal(hs__pairs_init(&pairs, 6), HS_OK);
    int alone = measure_all(&two_switches, &pairs, 100, 0.02, 1);
    assert_in_range(alone, 9, 15);
    assert_int_equal(hs__pairs_conclude(&pairs, link), HS_OK);
    for (int j = 1; j < 6; j++)
        for (int i = 0; i < j; i++) {
            CHECK_CLOSE(link[hs__pair_number(i, j)].bandwidth, truth(&two_switches, i, j), 0.03);
            if ((i < 3) != (j < 3))
                assert_int_equal(link[hs__pair_number(i, j)].source, HS_PROBE_ALONE);
        }
    hs__pairs_free(&pairs);
}

/* Two readings alone confirm what the rounds' sums say; the other pairs are computed. */
static void two_readings_alone_tell_the_rest(void **state)
{
    hs__pairs pairs = {0};
    hs_probe_link link[15];
    int inferred = 0;
    assert_int_equal(hs__pairs_init(&pairs, 6), HS_OK);
    assert_int_equal(measure_all(&two_switches, &pairs, 2, 0.02, 2), 2);
    assert_int_equal(hs__pairs_conclude(&pairs, link), HS_OK);
    for (int j = 1; j < 6; j++)
        for (int i = 0; i < j; i++) {
            CHECK_CLOSE(link[hs__pair_number(i, j)].bandwidth, truth(&two_switches, i, j), 0.05);
            inferred += link[hs__pair_number(i, j)].source == HS_PROBE_INFERRED;
        }
    assert_int_equal(inferred, 7);
    hs__pairs_free(&pairs);
}

/* Readings as a lab gave them: 3-5 was disturbed, and the shared link that 2-4 crossed in the same round, 7.5, cannot
 * have carried its 9.5. It is measured again, and until then holds what was read. */
static void a_disturbed_reading_is_not_explained_by_a_shared_link(void **state)
{
    hs__reading rounds[5][3] = {{{0, 5, 2.42}, {1, 4, 2.37}, {2, 3, 2.43}},
                                {{0, 1, 24.76}, {2, 4, 7.41}, {3, 5, 9.5}},
                                {{0, 2, 24.98}, {1, 5, 7.25}, {3, 4, 12.54}},
                                {{0, 3, 7.45}, {1, 2, 24.63}, {4, 5, 11.70}},
                                {{0, 4, 2.42}, {1, 3, 2.42}, {2, 5, 2.41}}};
    hs__reading alone[] = {{1, 4, 7.45}, {2, 5, 7.43}};
    hs__pairs pairs = {0};
    hs_probe_link link[15];
    int i, j;
    assert_int_equal(hs__pairs_init(&pairs, 6), HS_OK);
    for (int round = 0; round < 5; round++)
        assert_int_equal(hs__pairs_add(&pairs, round, rounds[round], 3), HS_OK);
    for (int k = 0; k < 2; k++)
        assert_int_equal(hs__pairs_add(&pairs, 0, &alone[k], 1), HS_OK);
    assert_int_equal(hs__pairs_conclude(&pairs, link), HS_OK);
    CHECK_CLOSE(link[hs__pair_number(3, 5)].bandwidth, 9.5, 0);
    CHECK_CLOSE(link[hs__pair_number(2, 4)].bandwidth, 7.44, 1e-12);
    assert_int_equal(link[hs__pair_number(3, 5)].source, HS_PROBE_CONTENDED);
    assert_int_equal(link[hs__pair_number(2, 4)].source, HS_PROBE_INFERRED);
    assert_true(hs__pairs_next_alone(&pairs, HS__URGENT, 1, &i, &j));
    assert_int_equal(hs__pair_number(i, j), hs__pair_number(3, 5));
    hs__pairs_free(&pairs);
}

static void without_readings_alone_doubt_is_told(void **state)
{
    hs__pairs pairs = {0};
    hs_probe_link link[15];
    assert_int_equal(hs__pairs_init(&pairs, 6), HS_OK);
    measure_all(&two_switches, &pairs, 0, 0, 3);
    assert_int_equal(hs__pairs_conclude(&pairs, link), HS_OK);
    for (int j = 1; j < 6; j++)
        for (int i = 0; i < j; i++) {
            const hs_probe_link *between = &link[hs__pair_number(i, j)];
            int cross = (i < 3) != (j < 3);
            assert_int_equal(between->source, cross ? HS_PROBE_CONTENDED : HS_PROBE_TOGETHER);
            assert_true(between->bandwidth <= truth(&two_switches, i, j) + 1e-9);
        }
    hs__pairs_free(&pairs);
}

/* Every reading of a round is too low in the same way, so none looks doubtful at first. */
static void a_medium_that_all_share_is_found(void **state)
{
    const network hub = {5, 0, {100, 100, 100, 100, 100}, INFINITY, 12.5};
    hs__pairs pairs = {0};
    hs_probe_link link[10];
    assert_int_equal(hs__pairs_init(&pairs, 5), HS_OK);
    measure_all(&hub, &pairs, 100, 0.01, 4);
    assert_int_equal(hs__pairs_conclude(&pairs, link), HS_OK);
    for (int k = 0; k < 10; k++)
        CHECK_CLOSE(link[k].bandwidth, 12.5, 0.02);
    hs__pairs_free(&pairs);
}

static void random_networks_are_found(void **state)
{
    for (uint64_t seed = 1; seed <= 200; seed++) {
        hs__random random = {seed};
        network net = {.hosts = 2 + (int)hs__random_below(&random, MAX_HOSTS - 1), .medium = INFINITY};
        net.first_of_b = (int)hs__random_below(&random, net.hosts + 1);
        net.between = 1 + 50 * hs__random_unit(&random);
        for (int i = 0; i < net.hosts; i++)
            net.access[i] = 1 + 50 * hs__random_unit(&random);
        hs__pairs pairs = {0};
        hs_probe_link link[MAX_HOSTS * MAX_HOSTS];
        assert_int_equal(hs__pairs_init(&pairs, net.hosts), HS_OK);
        measure_all(&net, &pairs, 1000, 0.01, seed);
        assert_int_equal(hs__pairs_conclude(&pairs, link), HS_OK);
        for (int j = 1; j < net.hosts; j++)
            for (int i = 0; i < j; i++) {
                double found = link[hs__pair_number(i, j)].bandwidth, right = truth(&net, i, j);
                assert_true(found > 0.92 * right && found < 1.02 * right);
            }
        hs__pairs_free(&pairs);
    }
}

static void what_was_not_measured_is_estimated(void **state)
{
    hs__pairs pairs = {0};
    hs_probe_link link[6];
    hs__reading first = {0, 1, 10}, second = {1, 2, 4}, latency = {0, 1, 2e-6};
    assert_int_equal(hs__pairs_init(&pairs, 4), HS_OK);
    assert_int_equal(hs__pairs_add(&pairs, 0, &first, 1), HS_OK);
    assert_int_equal(hs__pairs_add(&pairs, 1, &second, 1), HS_OK);
    assert_int_equal(hs__pairs_add_latency(&pairs, &latency), HS_OK);
    assert_int_equal(hs__pairs_conclude(&pairs, link), HS_OK);
    static const struct {
        int i, j;
        double bandwidth;
        hs_probe_source source;
    } rows[] = {
        {0, 1, 10, HS_PROBE_ALONE},    {1, 2, 4, HS_PROBE_ALONE},     {0, 2, 4, HS_PROBE_ESTIMATED},
        {0, 3, 4, HS_PROBE_ESTIMATED}, {1, 3, 4, HS_PROBE_ESTIMATED}, {2, 3, 4, HS_PROBE_ESTIMATED},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        const hs_probe_link *between = &link[hs__pair_number(rows[k].j, rows[k].i)];
        CHECK_CLOSE(between->bandwidth, rows[k].bandwidth, 0);
        assert_int_equal(between->source, rows[k].source);
        assert_int_equal(between->readings, rows[k].source == HS_PROBE_ALONE);
        CHECK_CLOSE(between->latency, 2e-6, 0);
    }
    hs__pairs_free(&pairs);
}

/* A flow that brought nothing says no more than none at all. */
static void readings_of_zero_tell_nothing(void **state)
{
    hs__pairs pairs = {0};
    hs_probe_link link[3];
    hs__reading nothing = {0, 1, 0}, some = {1, 2, 4};
    assert_int_equal(hs__pairs_init(&pairs, 3), HS_OK);
    assert_int_equal(hs__pairs_add(&pairs, 0, &nothing, 1), HS_OK);
    assert_int_equal(hs__pairs_conclude(&pairs, link), HS_ERR_UNREACHABLE);
    assert_int_equal(hs__pairs_add(&pairs, 1, &some, 1), HS_OK);
    assert_int_equal(hs__pairs_conclude(&pairs, link), HS_OK);
    for (int k = 0; k < 3; k++)
        CHECK_CLOSE(link[k].bandwidth, 4, 0);
    assert_int_equal(link[hs__pair_number(0, 1)].source, HS_PROBE_ESTIMATED);
    hs__pairs_free(&pairs);
}

static void three_sweeps_are_steady(void **state)
{
    hs__pairs pairs = {0};
    hs__random random = {5};
    assert_int_equal(hs__pairs_init(&pairs, 6), HS_OK);
    measure_all(&two_switches, &pairs, 100, 0.01, 6);
    for (int sweep = 1; sweep < 3; sweep++) {
        assert_false(hs__pairs_steady(&pairs, 0.04));
        for (int round = 0; round < 5; round++)
            measure_round(&two_switches, &pairs, round, 0.01, &random);
        for (hs__reading flow; hs__pairs_next_alone(&pairs, HS__USEFUL, sweep + 1, &flow.i, &flow.j);) {
            share(&two_switches, &flow, 1);
            assert_int_equal(hs__pairs_add(&pairs, 0, &flow, 1), HS_OK);
        }
    }
    assert_true(hs__pairs_steady(&pairs, 0.04));
    hs__pairs_free(&pairs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_of_two_switches_is_found),
        cmocka_unit_test(two_readings_alone_tell_the_rest),
        cmocka_unit_test(a_disturbed_reading_is_not_explained_by_a_shared_link),
        cmocka_unit_test(without_readings_alone_doubt_is_told),
        cmocka_unit_test(a_medium_that_all_share_is_found),
        cmocka_unit_test(random_networks_are_found),
        cmocka_unit_test(what_was_not_measured_is_estimated),
        cmocka_unit_test(readings_of_zero_tell_nothing),
        cmocka_unit_test(three_sweeps_are_steady),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* A link of a platform changes, and a few rounds of flows tell which. Rates are the max-min rates of the changed platform,
 * exact or with noise. */
#include "plan/links/links.h"
#include "tests/duplex.h"
#include "tests/platform/read.h"
#include "tests/short_of_memory.h"
#include "util/random.h"
#include <unistd.h>

enum { MOST_HOSTS = 200, MOST_FLOWS = 8 * MOST_HOSTS, MOST_ROUNDS = 8 };

static const char *const files[] = {"examples/two-switches.xml", "bench/decision/chain.xml",
                                    "bench/boxes/three-switches.xml"};
enum { FILES = sizeof files / sizeof *files };

typedef struct readings {
    int rounds, first[MOST_ROUNDS + 1];
    hs__link_flow flow[MOST_FLOWS];
} readings;

static void rate(const hs_platform *platform, hs__link_flow *flow, int n)
{
    hs_route route[MOST_FLOWS] = {{0}};
    const int *links[MOST_FLOWS];
    size_t counts[MOST_FLOWS];
    double rates[MOST_FLOWS];
    for (int i = 0; i < n; i++) {
        assert_int_equal(hs_platform_route(platform, flow[i].from, flow[i].to, &route[i]), HS_OK);
        links[i] = route[i].links;
        counts[i] = route[i].count;
    }
    assert_int_equal(hs_platform_maxmin(platform, links, counts, (size_t)n, rates), HS_OK);
    for (int i = 0; i < n; i++) {
        flow[i].rate = rates[i];
        hs_route_free(&route[i]);
    }
}

/* All rounds of the hosts in the file's order. */
static readings measure(const hs_platform *platform)
{
    readings r = {.rounds = hs__link_rounds(hs_platform_hosts(platform))};
    int hosts = hs_platform_hosts(platform), n = 0;
    assert_true(hosts <= MOST_HOSTS);
    for (int k = 0; k < r.rounds; k++) {
        for (int h = 0; h < hosts; h++)
            if (hs__link_partner(hosts, k, h) != h)
                r.flow[n++] = (hs__link_flow){h, hs__link_partner(hosts, k, h), 0};
        r.first[k + 1] = n;
        rate(platform, r.flow + r.first[k], n - r.first[k]);
    }
    return r;
}

static hs__link_change explain(const hs_platform *platform, const readings *r)
{
    hs__link_change change = {.link = -2};
    assert_int_equal(hs__link_explain(platform, r->rounds, r->first, r->flow, &change), HS_OK);
    return change;
}

static void everybody_has_one_partner(void **state)
{
    assert_int_equal(hs__link_rounds(1), 0);
    assert_int_equal(hs__link_rounds(2), 1);
    for (int hosts = 2; hosts < 40; hosts++) {
        int met[40] = {0};
        assert_true(hs__link_rounds(hosts) <= HS__LINK_MAX_ROUNDS);
        for (int k = 0; k < hs__link_rounds(hosts); k++)
            for (int h = 0; h < hosts; h++) {
                int partner = hs__link_partner(hosts, k, h);
                assert_in_range(partner, 0, hosts - 1);
                assert_int_equal(hs__link_partner(hosts, k, partner), h);
                assert_true(partner != h || hosts % 2 == 1);
                met[h] |= partner == (h + 1) % hosts;
            }
        for (int h = 0; h < hosts; h++)
            assert_true(met[h]);
    }
}

static int are_alike(int hosts, int round, int other)
{
    for (int h = 0; h < hosts; h++)
        if (hs__link_partner(hosts, round, h) != hs__link_partner(hosts, other, h))
            return 0;
    return 1;
}

/* Rings of four and fewer hosts have no six rounds. */
static void no_round_repeats_another(void **state)
{
    for (int hosts = 5; hosts < 40; hosts++)
        for (int k = 0; k < hs__link_rounds(hosts); k++)
            for (int other = 0; other < k; other++)
                assert_false(are_alike(hosts, k, other));
}

static int flows_feel(const readings *before, const readings *after)
{
    for (int f = 0; f < before->first[before->rounds]; f++)
        if (fabs(after->flow[f].rate / before->flow[f].rate - 1) > 0.2)
            return 1;
    return 0;
}

/* Each link that flows fill, slower and faster: it is named, with what it carries now. */
static void the_link_that_changed_is_named(void **state)
{
    int named = 0;
    for (int i = 0; i < FILES; i++) {
        hs_platform *platform = read_platform(files[i]);
        readings before = measure(platform);
        for (int link = 0; link < hs_platform_links(platform); link++)
            for (double factor = 0.25; factor < 1; factor *= 2) {
                double bandwidth = hs_platform_link_bandwidth(platform, link);
                hs__platform_set_bandwidth(platform, link, factor * bandwidth);
                readings after = measure(platform);
                hs__platform_set_bandwidth(platform, link, bandwidth);
                if (!flows_feel(&before, &after))
                    continue;
                hs__link_change change = explain(platform, &after);
                assert_int_equal(change.link, link);
                assert_int_equal(change.twin, -1);
                CHECK_CLOSE(change.before, bandwidth, 1e-12);
                CHECK_CLOSE(change.after / bandwidth, factor, 0.02);
                named++;
            }
        hs_platform_free(platform);
    }
    print_message("%d changes named\n", named);
    assert_true(named >= 50);
}

static void both_halves_change_alike(void **state)
{
    hs_platform *platform = read_platform(files[0]);
    for (int link = 0; link < hs_platform_links(platform); link++) {
        int twin = hs_platform_link_twin(platform, link);
        if (twin < link)
            continue;
        double bandwidth = hs_platform_link_bandwidth(platform, link);
        set_duplex(platform, link, bandwidth / 4);
        readings after = measure(platform);
        set_duplex(platform, link, bandwidth);
        hs__link_change change = explain(platform, &after);
        assert_int_equal(change.link, link);
        assert_int_equal(change.twin, twin);
        assert_true(change.host < 0 || change.host < hs_platform_hosts(platform));
    }
    hs_platform_free(platform);
}

/* What is known is that the halves carry unlike: both lose the same part. */
static void halves_that_differ_change_alike(void **state)
{
    int named = 0;
    hs_platform *platform = read_platform(files[0]);
    (void)state;
    for (int link = 0; link < hs_platform_links(platform); link++) {
        int twin = hs_platform_link_twin(platform, link);
        if (twin < 0)
            continue;
        double bandwidth = hs_platform_link_bandwidth(platform, link);
        hs__platform_set_bandwidth(platform, link, bandwidth / 8);
        hs__platform_set_bandwidth(platform, twin, bandwidth / 16);
        readings after = measure(platform);
        hs__platform_set_bandwidth(platform, link, bandwidth / 2);
        hs__platform_set_bandwidth(platform, twin, bandwidth / 4);
        hs__link_change change = explain(platform, &after);
        if (change.twin >= 0) {
            int first = change.link == link;
            assert_int_equal(change.link, link < twin ? link : twin);
            assert_int_equal(change.twin, link < twin ? twin : link);
            CHECK_CLOSE(change.before / bandwidth, first ? 0.5 : 0.25, 1e-12);
            CHECK_CLOSE(change.twin_before / bandwidth, first ? 0.25 : 0.5, 1e-12);
            CHECK_CLOSE(change.after / change.before, 0.25, 0.02);
            CHECK_CLOSE(change.twin_after / change.twin_before, 0.25, 0.02);
            named++;
        }
        set_duplex(platform, link, bandwidth);
    }
    assert_true(named >= 4);
    hs_platform_free(platform);
}

/* backbone: the attributes of one, if any. */
static hs_platform *open_star(int hosts, const char *backbone)
{
    hs_platform *platform;
    char name[] = "/tmp/hs-star-XXXXXX";
    FILE *file = fdopen(mkstemp(name), "w");
    fprintf(file,
            "<?xml version='1.0'?>\n<platform version='4.1'>\n"
            "<cluster id='c' prefix='h' suffix='' radical='0-%d' speed='1Gf' bw='1GBps' lat='0s' %s/>\n</platform>\n",
            hosts - 1, backbone);
    fclose(file);
    assert_int_equal(hs_platform_read(name, &platform, NULL), HS_OK);
    unlink(name);
    return platform;
}

/* All links are crossed, all flows are in one round. Which of the two links that a flow crosses has changed cannot be told, but
 * the one that is named explains the rates. */
static void the_one_round_of_two_hosts_is_explained(void **state)
{
    hs_platform *platform = open_star(2, "");
    (void)state;
    for (int link = 0; link < hs_platform_links(platform); link++) {
        double bandwidth = hs_platform_link_bandwidth(platform, link);
        hs__platform_set_bandwidth(platform, link, bandwidth / 4);
        readings after = measure(platform);
        hs__platform_set_bandwidth(platform, link, bandwidth);
        hs__link_change change = explain(platform, &after);
        assert_int_equal(change.twin, -1);
        hs__platform_set_bandwidth(platform, change.link, change.after);
        readings same = measure(platform);
        hs__platform_set_bandwidth(platform, change.link, bandwidth);
        for (int f = 0; f < 2; f++)
            CHECK_CLOSE(same.flow[f].rate / after.flow[f].rate, 1, 0.02);
    }
    hs_platform_free(platform);
}

/* Each flow gets what a FATPIPE link has. */
static void a_link_that_nobody_shares_is_named(void **state)
{
    hs_platform *platform = open_star(4, "bb_bw='500MBps' bb_lat='0s' bb_sharing_policy='FATPIPE'");
    int backbone = 0;
    while (hs_platform_link_sharing(platform, backbone) != HS_FATPIPE)
        backbone++;
    hs__platform_set_bandwidth(platform, backbone, 200e6);
    readings after = measure(platform);
    hs__platform_set_bandwidth(platform, backbone, 500e6);
    hs__link_change change = explain(platform, &after);
    assert_int_equal(change.link, backbone);
    /* All flows cross it: a part of the change may be taken for what all rates are off by. */
    assert_true(change.after >= 200e6 / 1.1 && change.after <= 200e6 / 0.8);
    hs_platform_free(platform);
}

/* Not all of so many links are tried. */
static void a_link_among_hundreds_is_named(void **state)
{
    hs_platform *platform = open_star(MOST_HOSTS, "");
    int links = hs_platform_links(platform);
    (void)state;
    assert_true(links >= 2 * MOST_HOSTS);
    for (int link = 5; link < links; link += links / 3) {
        double bandwidth = hs_platform_link_bandwidth(platform, link);
        hs__platform_set_bandwidth(platform, link, bandwidth / 4);
        readings after = measure(platform);
        hs__platform_set_bandwidth(platform, link, bandwidth);
        hs__link_change change = explain(platform, &after);
        assert_int_equal(change.link, link);
        assert_int_equal(change.twin, -1);
        CHECK_CLOSE(change.after / bandwidth, 0.25, 0.02);
    }
    hs_platform_free(platform);
}

static void disturb(readings *r, double common, double noise, hs__random *random)
{
    for (int f = 0; f < r->first[r->rounds]; f++)
        r->flow[f].rate *= common * (1 + noise * (2 * hs__random_unit(random) - 1));
}

static void nothing_changed(void **state)
{
    hs__random random = {5};
    for (int i = 0; i < FILES; i++) {
        hs_platform *platform = read_platform(files[i]);
        for (int k = 0; k < 20; k++) {
            readings r = measure(platform);
            disturb(&r, 0.92, 0.1, &random);
            assert_int_equal(explain(platform, &r).link, -1);
        }
        hs_platform_free(platform);
    }
}

/* Each host sends and receives at most a part of what its link carries, not the same in each round, as one whose share of a
 * core is spent. */
static void slow_hosts(const hs_platform *platform, readings *r, hs__random *random)
{
    int hosts = hs_platform_hosts(platform);
    double most[MOST_HOSTS];
    for (int h = 0; h < hosts; h++)
        most[h] = 25e6 * (0.3 + 0.3 * hs__random_unit(random));
    for (int f = 0; f < r->first[r->rounds]; f++) {
        hs__link_flow *flow = &r->flow[f];
        double now = 0.7 + 0.3 * hs__random_unit(random);
        flow->rate = fmin(flow->rate, now * fmin(most[flow->from], most[flow->to]));
    }
}

/* Hosts hide their own links, but not the one between them. */
static void a_trunk_between_slow_hosts_is_named(void **state)
{
    hs_platform *platform = read_platform(files[0]);
    hs__random random = {7};
    int trunk = hs_platform_find_link(platform, "trunk_UP"), twin = hs_platform_link_twin(platform, trunk), named = 0;
    double bandwidth = hs_platform_link_bandwidth(platform, trunk);
    (void)state;
    for (int k = 0; k < 50; k++) {
        readings r = measure(platform);
        slow_hosts(platform, &r, &random);
        disturb(&r, 0.95, 0.08, &random);
        hs__link_change none = explain(platform, &r);
        assert_true(none.link < 0 || none.host >= 0); /* a slow host may be taken for its link */
        set_duplex(platform, trunk, bandwidth / 2);
        r = measure(platform);
        set_duplex(platform, trunk, bandwidth);
        slow_hosts(platform, &r, &random);
        disturb(&r, 0.95, 0.08, &random);
        hs__link_change change = explain(platform, &r);
        if (change.link != trunk)
            continue;
        named++;
        assert_int_equal(change.twin, twin);
        CHECK_CLOSE(change.after / bandwidth, 0.5, 0.15);
    }
    print_message("named %d of 50\n", named);
    assert_true(named >= 48);
    hs_platform_free(platform);
}

static void readings_that_are_none(void **state)
{
    static const double odd[] = {0, -1, NAN, INFINITY};
    hs_platform *platform = read_platform(files[0]);
    readings none = {0};
    assert_int_equal(explain(platform, &none).link, -1);
    for (int o = 0; o < 4; o++) {
        readings r = measure(platform);
        for (int f = 0; f < r.first[r.rounds]; f++)
            r.flow[f].rate = odd[o];
        hs__link_change change;
        assert_int_equal(hs__link_explain(platform, r.rounds, r.first, r.flow, &change), HS_OK);
        assert_true(change.link < 0 || change.after > 0);
    }
    hs_platform_free(platform);
}

typedef struct task {
    const hs_platform *platform;
    const readings *readings;
} task;

static hs_status explain_again(const void *argument)
{
    const task *t = argument;
    hs__link_change change;
    return hs__link_explain(t->platform, t->readings->rounds, t->readings->first, t->readings->flow, &change);
}

static void without_memory(void **state)
{
    task t = {.platform = read_platform(files[0])};
    readings r = measure(t.platform);
    t.readings = &r;
    assert_true(fail_each_allocation(explain_again, &t) > 10);
    hs_platform_free((hs_platform *)t.platform);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everybody_has_one_partner),
        cmocka_unit_test(no_round_repeats_another),
        cmocka_unit_test(the_link_that_changed_is_named),
        cmocka_unit_test(both_halves_change_alike),
        cmocka_unit_test(halves_that_differ_change_alike),
        cmocka_unit_test(the_one_round_of_two_hosts_is_explained),
        cmocka_unit_test(a_link_that_nobody_shares_is_named),
        cmocka_unit_test(a_link_among_hundreds_is_named),
        cmocka_unit_test(nothing_changed),
        cmocka_unit_test(a_trunk_between_slow_hosts_is_named),
        cmocka_unit_test(readings_that_are_none),
        cmocka_unit_test(without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

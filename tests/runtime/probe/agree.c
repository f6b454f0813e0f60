/* SPDX-License-Identifier: BSD-3-Clause */
/* What a short look saw against an earlier measurement: two hosts of 1 and 2 Gf, a link of 100 MBps, four flows over it. */
#include "platform/platform.h"
#include "runtime/probe/spot.h"
#include "tests/platform/read.h"

enum { HOSTS = 2, FLOWS = 4 };

static hs_platform *platform;

static int begin(void **state)
{
    int link;
    (void)state;
    assert_int_equal(hs_platform_create(HS_ROUTING_FULL, &platform), HS_OK);
    assert_int_equal(hs_platform_add_host(platform, "a", 1e9, 2, NULL, NULL), HS_OK);
    assert_int_equal(hs_platform_add_host(platform, "b", 2e9, 2, NULL, NULL), HS_OK);
    assert_int_equal(hs_platform_add_host(platform, "off", 0, 1, NULL, NULL), HS_OK);
    assert_int_equal(hs_platform_add_link(platform, "l", 1e8, 0, HS_SHARED, &link, NULL), HS_OK);
    return hs_platform_add_route(platform, 0, 1, &link, 1, 1, NULL) == HS_OK ? 0 : -1;
}

static int end(void **state)
{
    (void)state;
    hs_platform_free(platform);
    return 0;
}

static void rows_of_readings(void **state)
{
    static const struct {
        const char *second;
        int ranks;
        double speed[HOSTS], rate[FLOWS];
        const char *why; /* NULL: it agrees */
    } rows[] = {
        {"b", 2, {1e9, 2e9}, {1e8, 1e8, 1e8, 1e8}, NULL},
        {"b", 2, {1.24e9, 1.61e9}, {1e8, 1e8, 1.9e8, 0.51e8}, NULL},
        {"b", 2, {1.26e9, 2e9}, {1e8, 1e8, 1e8, 1e8}, "a: 1.26 Gf now, 1 Gf in F"},
        {"b", 2, {1e9, 1.59e9}, {1e8, 1e8, 1e8, 1e8}, "b: 1.59 Gf now, 2 Gf in F"},
        {"b", 2, {1e9, 0}, {1e8, 1e8, 1e8, 1e8}, "b: 0 f now, 2 Gf in F"},
        {"b", 4, {0.5e9, 1e9}, {1e8, 1e8, 1e8, 1e8}, NULL}, /* two ranks a core */
        {"b", 1, {1e9, 2e9}, {1e8, 1e8, 1e8, 1e8}, NULL},
        {"off", 1, {1e9, 7e9}, {1e8, 1e8, 1e8, 1e8}, NULL},
        {"c", 1, {1e9, 2e9}, {1e8, 1e8, 1e8, 1e8}, "c is not in F"},
        {"b", 1, {1e9, 2e9}, {1e8, 1e8, 1e8, 0.1e8}, NULL}, /* one flow in four may be disturbed */
        {"b", 1, {1e9, 2e9}, {1e8, 1e8, 0.4e8, 0.1e8}, "a to b: 10 MBps now, 100 MBps in F"},
        {"b", 1, {1e9, 2e9}, {0.1e8, 0.4e8, 1e8, 1e8}, "a to b: 10 MBps now, 100 MBps in F"},
        {"b", 1, {1e9, 2e9}, {1e8, 9e8, 9e8, 2.1e8}, NULL}, /* what lasts may be slower than a burst */
        {"b", 1, {1e9, 2e9}, {1e8, 1e8, 0, 0}, "a to b: 0 Bps now, 100 MBps in F"},
    };
    const double expected[FLOWS] = {1e8, 1e8, 1e8, 1e8};
    char why[200];
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *const name[] = {"a", rows[i].second};
        const int ranks[] = {rows[i].ranks, rows[i].ranks};
        hs__probe_flow flow[FLOWS];
        for (int k = 0; k < FLOWS; k++)
            flow[k] = (hs__probe_flow){0, 1, rows[i].rate[k]};
        const hs__spot spot = {HOSTS, FLOWS, name, ranks, rows[i].speed, flow, expected};
        int agrees = hs__spot_agrees(&spot, platform, "F", why, sizeof why);
        if (agrees != !rows[i].why)
            fail_msg("row %zu: %d", i, agrees);
        if (!agrees)
            assert_string_equal(why, rows[i].why);
    }
}

/* Speeds that differ by no more than twice are taken over, those that agree stay; where flows differ nothing changes. */
static void speeds_are_refreshed(void **state)
{
    static const struct {
        double speed[HOSTS], rate, after[HOSTS];
        int refreshed;
    } rows[] = {
        {{1.5e9, 2.2e9}, 1e8, {1.5e9, 2e9}, 1}, {{0.51e9, 3.9e9}, 1e8, {0.51e9, 3.9e9}, 1},
        {{1e9, 2e9}, 1e8, {1e9, 2e9}, 1},       {{0.49e9, 2e9}, 1e8, {1e9, 2e9}, 0},
        {{1.5e9, 4.1e9}, 1e8, {1e9, 2e9}, 0},   {{1.5e9, 2e9}, 0.4e8, {1e9, 2e9}, 0},
        {{0, 2e9}, 1e8, {1e9, 2e9}, 0},
    };
    const hs_speed_point points[] = {{1e6, 2e9}, {1e8, 1e9}};
    const hs_speed_function falling = {points, 2, 5e9};
    const char *const name[] = {"a", "b"};
    const int ranks[] = {2, 2};
    const double expected[] = {1e8};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        end(state);
        assert_int_equal(begin(state), 0);
        assert_int_equal(hs_platform_set_host_speed_function(platform, 1, &falling, NULL), HS_OK);
        const hs__probe_flow flow = {0, 1, rows[i].rate};
        const hs__spot spot = {HOSTS, 1, name, ranks, rows[i].speed, &flow, expected};
        assert_int_equal(hs__spot_refresh(&spot, platform), rows[i].refreshed);
        assert_int_equal(platform->comment && strstr(platform->comment, "Speeds were refreshed at 20"),
                         rows[i].refreshed);
        for (int h = 0; h < HOSTS; h++)
            CHECK_CLOSE(hs_platform_host_speed(platform, h), rows[i].after[h], 1e-12);
        const hs_speed_function *now = hs_platform_host_speed_function(platform, 1);
        assert_int_equal(now->points, 2);
        for (int k = 0; k < 2; k++) {
            CHECK_CLOSE(now->point[k].size, points[k].size, 0);
            CHECK_CLOSE(now->point[k].speed, points[k].speed * rows[i].after[1] / 2e9, 1e-12);
        }
        CHECK_CLOSE(now->max_size, 5e9, 0);
    }
}

/* Not of hosts that the file does not have, or has as one of many equal ones; one that is off stays so. */
static void not_all_can_be_refreshed(void **state)
{
    const char *const off[] = {"a", "off"}, *const other[] = {"a", "c"}, *const same[] = {"c1.x", "c2.x"};
    const int ranks[] = {2, 2};
    const double speed[] = {1.5e9, 7e9}, cluster_speed[] = {2e9, 2e9};
    const hs__spot spot = {HOSTS, 0, off, ranks, speed, NULL, NULL},
                   absent = {HOSTS, 0, other, ranks, speed, NULL, NULL},
                   equal = {HOSTS, 0, same, ranks, cluster_speed, NULL, NULL};
    (void)state;
    assert_false(hs__spot_refresh(&absent, platform));
    CHECK_CLOSE(hs_platform_host_speed(platform, 0), 1e9, 0);
    assert_true(hs__spot_refresh(&spot, platform));
    CHECK_CLOSE(hs_platform_host_speed(platform, 0), 1.5e9, 1e-12);
    CHECK_CLOSE(hs_platform_host_speed(platform, 2), 0, 0);
    end(state);
    platform = read_platform("tests/platforms/one-cluster.xml");
    assert_false(hs__spot_refresh(&equal, platform));
    CHECK_CLOSE(hs_platform_host_speed(platform, 0), 1.5e9, 0);
}

static void a_third_of_the_flows_may_be_slow(void **state)
{
    static const struct {
        int flows, slow, agrees;
    } rows[] = {{1, 1, 0}, {2, 1, 0}, {3, 1, 1}, {5, 2, 0}, {6, 2, 1}, {6, 3, 0}, {30, 10, 1}, {30, 11, 0}};
    const char *const name[] = {"a", "b"};
    const int ranks[] = {1, 1};
    const double speed[] = {1e9, 2e9};
    char why[200];
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        hs__probe_flow flow[30];
        double expected[30];
        for (int k = 0; k < rows[i].flows; k++) {
            flow[k] = (hs__probe_flow){0, 1, k < rows[i].slow ? 0.4e8 : 1e8};
            expected[k] = 1e8;
        }
        const hs__spot spot = {HOSTS, rows[i].flows, name, ranks, speed, flow, expected};
        if (hs__spot_agrees(&spot, platform, "F", why, sizeof why) != rows[i].agrees)
            fail_msg("%d of %d slow flows: expected %d", rows[i].slow, rows[i].flows, rows[i].agrees);
    }
}

static void flows_of_a_round_share_links(void **state)
{
    const char *const name[] = {"a", "b", "off"};
    const hs__probe_flow both[] = {{0, 1, 0}, {1, 0, 0}}, nowhere[] = {{0, 2, 0}};
    double rate[2] = {0};
    (void)state;
    assert_int_equal(hs__spot_expect(platform, name, both, 2, rate), HS_OK);
    CHECK_CLOSE(rate[0], 0.5e8, 1e-9);
    CHECK_CLOSE(rate[1], 0.5e8, 1e-9);
    assert_int_equal(hs__spot_expect(platform, name, nowhere, 1, rate), HS_ERR_UNREACHABLE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(rows_of_readings, begin, end),
        cmocka_unit_test_setup_teardown(speeds_are_refreshed, begin, end),
        cmocka_unit_test_setup_teardown(not_all_can_be_refreshed, begin, end),
        cmocka_unit_test_setup_teardown(a_third_of_the_flows_may_be_slow, begin, end),
        cmocka_unit_test_setup_teardown(flows_of_a_round_share_links, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

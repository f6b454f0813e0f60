/* SPDX-License-Identifier: BSD-3-Clause */
/* Seconds that messages take between hosts of a small platform, worked by hand, and the links that are only known to have at
 * least their bandwidth. */
#include "cli/base/bounds.h"
#include "cli/base/transfer_times.h"
#include "tests/cli/base/capture.h"
#include "tests/short_of_memory.h"
#include <math.h>

enum { HOSTS = 3 };

static int routes_asked;

hs_status __real_hs_platform_route(const hs_platform *platform, int from, int to, hs_route *route);
hs_status __wrap_hs_platform_route(const hs_platform *platform, int from, int to, hs_route *route);

hs_status __wrap_hs_platform_route(const hs_platform *platform, int from, int to, hs_route *route)
{
    routes_asked++;
    return __real_hs_platform_route(platform, from, to, route);
}

/* Hosts on one switch: links of 1000, 500 and 250 bytes a second with 1, 2 and 4 s of latency, or the other way round. */
static hs_platform *star(int reversed)
{
    static const double bandwidth[HOSTS] = {1000, 500, 250}, latency[HOSTS] = {1, 2, 4};
    int router, link;
    hs_platform *platform;
    assert_int_equal(hs_platform_create(HS_ROUTING_GRAPH, &platform), HS_OK);
    for (int h = 0; h < HOSTS; h++)
        assert_int_equal(hs_platform_add_host(platform, (char[]){(char)('a' + h), '\0'}, 1e9, 1, NULL, NULL), HS_OK);
    assert_int_equal(hs_platform_add_router(platform, "switch", &router, NULL), HS_OK);
    for (int h = 0; h < HOSTS; h++) {
        char id[8];
        int k = reversed ? HOSTS - 1 - h : h;
        snprintf(id, sizeof id, "l%d", h);
        assert_int_equal(hs_platform_add_link(platform, id, bandwidth[k], latency[k], HS_SHARED, &link, NULL), HS_OK);
        assert_int_equal(hs_platform_add_edge(platform, h, router, link, NULL), HS_OK);
    }
    return platform;
}

static void from_one_host(void **state)
{
    hs_platform *platform = star(0);
    double latency[HOSTS], transfer[HOSTS];
    assert_int_equal(cli_times_from(platform, 1, 2000, latency, transfer, NULL, NULL), HS_OK);
    CHECK_CLOSE(latency[0], 3, 1e-12);
    CHECK_CLOSE(transfer[0], 4, 1e-12);
    assert_true(latency[1] == 0 && transfer[1] == 0);
    CHECK_CLOSE(latency[2], 6, 1e-12);
    CHECK_CLOSE(transfer[2], 8, 1e-12);
    hs_platform_free(platform);
}

/* Each host to the one that it reaches first. */
static void to_the_nearest_host(void **state)
{
    hs_platform *platform = star(0);
    double time[HOSTS];
    hs__bounds bounds;
    assert_int_equal(hs__bounds_begin(platform, &bounds), HS_OK);
    assert_int_equal(cli_send_times(platform, 2000, time, &bounds, NULL), HS_OK);
    CHECK_CLOSE(time[0], 3 + 4, 1e-12);
    CHECK_CLOSE(time[1], 3 + 4, 1e-12);
    CHECK_CLOSE(time[2], 5 + 8, 1e-12);
    assert_int_equal(bounds.count, 0);
    hs_platform_free(platform);
    platform = star(1);
    bounds.platform = platform;
    assert_int_equal(cli_send_times(platform, 2000, time, &bounds, NULL), HS_OK);
    CHECK_CLOSE(time[0], 5 + 8, 1e-12);
    CHECK_CLOSE(time[1], 3 + 4, 1e-12);
    CHECK_CLOSE(time[2], 3 + 4, 1e-12);
    hs__bounds_end(&bounds);
    hs_platform_free(platform);
    assert_int_equal(hs_platform_create(HS_ROUTING_GRAPH, &platform), HS_OK);
    assert_int_equal(hs_platform_add_host(platform, "alone", 1e9, 1, NULL, NULL), HS_OK);
    assert_int_equal(hs__bounds_begin(platform, &bounds), HS_OK);
    assert_int_equal(cli_send_times(platform, 2000, time, &bounds, NULL), HS_OK);
    assert_true(time[0] == 0);
    hs__bounds_end(&bounds);
    hs_platform_free(platform);
}

/* A message of no bytes over a route without latency takes no time: another route counts where there is one. */
static void routes_that_take_no_time_do_not_count(void **state)
{
    hs_platform *platform;
    double time[HOSTS];
    int link, direct;
    hs__bounds bounds;
    assert_int_equal(hs_platform_create(HS_ROUTING_FULL, &platform), HS_OK);
    for (int h = 0; h < HOSTS; h++)
        assert_int_equal(hs_platform_add_host(platform, (char[]){(char)('a' + h), '\0'}, 1e9, 1, NULL, NULL), HS_OK);
    assert_int_equal(hs_platform_add_link(platform, "l", 100, 1, HS_SHARED, &link, NULL), HS_OK);
    assert_int_equal(hs_platform_add_link(platform, "direct", 100, 0, HS_SHARED, &direct, NULL), HS_OK);
    assert_int_equal(hs_platform_add_route(platform, 0, 1, &direct, 1, 1, NULL), HS_OK);
    assert_int_equal(hs_platform_add_route(platform, 0, 2, &link, 1, 1, NULL), HS_OK);
    assert_int_equal(hs_platform_add_route(platform, 1, 2, &link, 1, 1, NULL), HS_OK);
    assert_int_equal(hs__bounds_begin(platform, &bounds), HS_OK);
    assert_int_equal(cli_send_times(platform, 0, time, &bounds, NULL), HS_OK);
    for (int h = 0; h < HOSTS; h++)
        CHECK_CLOSE(time[h], 1, 1e-12);
    hs__bounds_end(&bounds);
    hs_platform_free(platform);
}

/* Of the links of unsure bandwidth those that limit a message. */
static void bounds_are_named(void **state)
{
    hs_platform *platform = star(0);
    double latency[HOSTS], transfer[HOSTS], time[HOSTS];
    char text[300];
    hs__bounds bounds;
    for (int link = 0; link < HOSTS; link++)
        hs_platform_set_link_at_least(platform, link);
    assert_int_equal(hs__bounds_begin(platform, &bounds), HS_OK);
    json_t *object = json_object();
    capture c = capture_begin(stdout);
    cli_print_bounds(&bounds);
    cli_name_bounds(object, &bounds);
    capture_end(&c, text, sizeof text);
    assert_string_equal(text, "");
    assert_null(json_object_get(object, "at_least"));
    assert_int_equal(cli_times_from(platform, 0, 2000, latency, transfer, &bounds, NULL), HS_OK);
    assert_int_equal(bounds.count, 2); /* not that of host a, which is wide enough */
    assert_true(!bounds.crossed[0] && bounds.crossed[1] && bounds.crossed[2]);
    c = capture_begin(stdout);
    cli_print_bounds(&bounds);
    capture_end(&c, text, sizeof text);
    assert_non_null(strstr(text, "only a lower bound: 2 (first: l1);"));
    cli_name_bounds(object, &bounds);
    char *names = json_dumps(json_object_get(object, "at_least"), JSON_COMPACT);
    assert_string_equal(names, "[\"l1\",\"l2\"]");
    free(names);
    json_decref(object);
    hs__bounds_end(&bounds);
    assert_int_equal(hs__bounds_begin(platform, &bounds), HS_OK);
    assert_int_equal(cli_send_times(platform, 2000, time, &bounds, NULL), HS_OK);
    assert_int_equal(bounds.count, 2);
    hs__bounds_end(&bounds);
    hs_platform_free(platform);
}

static void hosts_without_a_route_are_named(void **state)
{
    hs_platform *platform;
    hs_error error;
    double latency[2], transfer[2], time[2];
    hs__bounds bounds;
    assert_int_equal(hs_platform_create(HS_ROUTING_GRAPH, &platform), HS_OK);
    assert_int_equal(hs_platform_add_host(platform, "here", 1e9, 1, NULL, NULL), HS_OK);
    assert_int_equal(hs_platform_add_host(platform, "there", 1e9, 1, NULL, NULL), HS_OK);
    assert_int_equal(cli_times_from(platform, 1, 1, latency, transfer, NULL, &error), HS_ERR_UNREACHABLE);
    CHECK_ERROR_SAYS(&error, 0, "'there' to 'here': ");
    assert_int_equal(hs__bounds_begin(platform, &bounds), HS_OK);
    assert_int_equal(cli_send_times(platform, 1, time, &bounds, &error), HS_ERR_UNREACHABLE);
    CHECK_ERROR_SAYS(&error, 0, "'here' to 'there': ");
    hs__bounds_end(&bounds);
    hs_platform_free(platform);
}

/* The least time from a host to another one, by all its routes. */
static double least_time(const hs_platform *platform, int host, double bytes)
{
    int hosts = hs_platform_hosts(platform);
    double least = INFINITY, *latency = calloc((size_t)hosts, sizeof *latency),
           *transfer = calloc((size_t)hosts, sizeof *transfer);
    assert_true(latency && transfer);
    assert_int_equal(cli_times_from(platform, host, bytes, latency, transfer, NULL, NULL), HS_OK);
    for (int v = 0; v < hosts; v++)
        if (v != host)
            least = fmin(least, latency[v] + transfer[v]);
    free(transfer);
    free(latency);
    return least;
}

/* Bit for bit, on files with clusters, gateways and hosts of several cables. */
static void times_are_those_of_all_routes(void **state)
{
    static const char *const files[] = {"clusters.xml",   "one-cluster.xml",   "cabinets.xml", "three-levels.xml",
                                        "ties-floyd.xml", "ties-dijkstra.xml", "star.xml"};
    for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
        char path[4096];
        hs_platform *platform;
        hs_error error;
        hs__bounds bounds;
        snprintf(path, sizeof path, "%s/tests/platforms/%s", getenv("HS_TEST_SRCDIR"), files[f]);
        if (hs_platform_read(path, &platform, &error) != HS_OK)
            fail_msg("%s", error.text);
        double *time = calloc((size_t)hs_platform_hosts(platform), sizeof *time);
        assert_non_null(time);
        assert_int_equal(hs__bounds_begin(platform, &bounds), HS_OK);
        assert_int_equal(cli_send_times(platform, 1e6, time, &bounds, NULL), HS_OK);
        for (int h = 0; h < hs_platform_hosts(platform); h++)
            assert_true(time[h] == least_time(platform, h, 1e6));
        hs__bounds_end(&bounds);
        free(time);
        hs_platform_free(platform);
    }
}

/* Of hosts on one switch over cables of two kinds all routes are asked for two, and two of each. */
static void hosts_that_are_alike_share_times(void **state)
{
    enum { MANY = 60 };
    int router, link;
    double time[MANY];
    char id[8];
    hs_platform *platform;
    hs__bounds bounds;
    assert_int_equal(hs_platform_create(HS_ROUTING_GRAPH, &platform), HS_OK);
    for (int h = 0; h < MANY; h++) {
        snprintf(id, sizeof id, "h%d", h);
        assert_int_equal(hs_platform_add_host(platform, id, 1e9, 1, NULL, NULL), HS_OK);
    }
    assert_int_equal(hs_platform_add_router(platform, "switch", &router, NULL), HS_OK);
    for (int h = 0; h < MANY; h++) {
        snprintf(id, sizeof id, "l%d", h);
        assert_int_equal(hs_platform_add_link(platform, id, h % 2 ? 500 : 1000, 1, HS_SHARED, &link, NULL), HS_OK);
        assert_int_equal(hs_platform_add_edge(platform, h, router, link, NULL), HS_OK);
    }
    assert_int_equal(hs__bounds_begin(platform, &bounds), HS_OK);
    routes_asked = 0;
    assert_int_equal(cli_send_times(platform, 2000, time, &bounds, NULL), HS_OK);
    assert_true(routes_asked <= 2 * MANY + 2 * MANY);
    for (int h = 0; h < MANY; h++)
        CHECK_CLOSE(time[h], h % 2 ? 2 + 4 : 2 + 2, 1e-12);
    hs__bounds_end(&bounds);
    hs_platform_free(platform);
}

static hs_status send_times(const void *platform)
{
    double time[HOSTS];
    hs__bounds bounds;
    hs_status status = hs__bounds_begin(platform, &bounds);
    if (status == HS_OK)
        status = cli_send_times(platform, 2000, time, &bounds, NULL);
    hs__bounds_end(&bounds);
    return status;
}

static void times_need_memory(void **state)
{
    hs_platform *platform = star(0);
    assert_int_equal(send_times(platform), HS_OK); /* paths are kept from now on */
    assert_true(fail_each_allocation(send_times, platform) >= 3);
    hs_platform_free(platform);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(from_one_host),
        cmocka_unit_test(to_the_nearest_host),
        cmocka_unit_test(routes_that_take_no_time_do_not_count),
        cmocka_unit_test(bounds_are_named),
        cmocka_unit_test(hosts_without_a_route_are_named),
        cmocka_unit_test(times_need_memory),
        cmocka_unit_test(times_are_those_of_all_routes),
        cmocka_unit_test(hosts_that_are_alike_share_times),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

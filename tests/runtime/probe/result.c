/* SPDX-License-Identifier: BSD-3-Clause */
/* What becomes of a measurement: the platform, what its file says of itself, and the list of readings, of results written by
 * hand. */
#include "tests/short_of_memory.h"

#include "platform/platform.h"
#include "runtime/probe/pairs.h"
#include "runtime/probe/result.h"

enum { MOST = 4 };

static hs_probe_host hosts[MOST] = {{.name = "a--b", .ranks = 2, .speed = {1e9, 0, 3e8}},
                                    {.name = "b", .ranks = 1, .speed = {2e9, 0, 3e8}},
                                    {.name = "c", .ranks = 2, .speed = {2.08e9, 0, 3e8}},
                                    {.name = "d-", .ranks = 1, .speed = {4e9, 0, 3e8}}};
static hs_speed_point points[] = {{1e6, 2.08e9}, {1e9, 0.52e9}};
static hs_speed_function by_size[MOST] = {
    {NULL, 0, INFINITY}, {NULL, 0, 5e9}, {points, 2, INFINITY}, {NULL, 0, INFINITY}};
static hs_probe_link pairs[MOST * (MOST - 1) / 2];

/* 1,000,000,000 s after the beginning of 1970 it was 9 September 2001, 01:46:40. */
static hs_probe_result of_hosts(int n)
{
    return (hs_probe_result){.hosts = n,
                             .ranks = 5,
                             .host = hosts,
                             .link = pairs,
                             .by_size = by_size,
                             .kernel = HS_PROBE_STENCIL,
                             .time = 2.5,
                             .when = 1000000000};
}

static hs_probe_result of_three_pairs(void)
{
    pairs[hs__pair_number(0, 1)] = (hs_probe_link){1e8, 1e-5, 3, HS_PROBE_ALONE};
    pairs[hs__pair_number(0, 2)] = (hs_probe_link){5e7, 2e-5, 1, HS_PROBE_CONTENDED};
    pairs[hs__pair_number(1, 2)] = (hs_probe_link){6e7, 3e-5, 0, HS_PROBE_ESTIMATED};
    return of_hosts(3);
}

static hs_platform *platform_of(const hs_probe_result *result)
{
    hs_platform *platform = NULL;
    hs_error error = {0};
    if (hs_probe_platform(result, &platform, &error) != HS_OK)
        fail_msg("%s", error.text);
    return platform;
}

#define BEGINS "Measured until 2001-09-09 01:46:40 UTC in 2.50 s by 5 ranks on "

/* Speeds within a twentieth count as one, also those by size; bounds are said to be bounds. */
static void a_link_for_each_pair(void **state)
{
    hs_probe_result result = of_three_pairs();
    hs_platform *platform = platform_of(&result);
    assert_int_equal(hs_platform_hosts(platform), 3);
    assert_int_equal(hs_platform_links(platform), 3);
    CHECK_CLOSE(hs_platform_host_speed(platform, 0), 1e9, 0);
    CHECK_CLOSE(hs_platform_host_speed(platform, 1), 2.04e9, 1e-12);
    CHECK_CLOSE(hs_platform_host_speed(platform, 2), 2.04e9, 1e-12);
    assert_int_equal(hs_platform_host_cores(platform, 0), 2);
    assert_int_equal(hs_platform_host_cores(platform, 1), 1);
    const hs_speed_function *limited = hs_platform_host_speed_function(platform, 1),
                            *falling = hs_platform_host_speed_function(platform, 2);
    assert_true(limited->points == 0 && limited->max_size == 5e9);
    assert_int_equal(falling->points, 2);
    CHECK_CLOSE(falling->point[0].speed, 2.04e9, 1e-12);
    CHECK_CLOSE(falling->point[1].speed, 0.51e9, 1e-12);
    static const struct {
        const char *id;
        double bandwidth, latency;
        int at_least;
    } links[] = {{"link_0_1", 1e8, 1e-5, 0}, {"link_0_2", 5e7, 2e-5, 1}, {"link_1_2", 6e7, 3e-5, 1}};
    for (int k = 0; k < 3; k++) {
        int link = hs_platform_find_link(platform, links[k].id);
        assert_true(link >= 0);
        CHECK_CLOSE(hs_platform_link_bandwidth(platform, link), links[k].bandwidth, 0);
        CHECK_CLOSE(hs_platform_link_latency(platform, link), links[k].latency, 0);
        assert_int_equal(hs_platform_link_at_least(platform, link), links[k].at_least);
    }
    assert_string_equal(platform->comment,
                        BEGINS "3 hosts, the first of them a_-b: speeds by the kernel stencil,"
                               "\n       a link for each pair of hosts; which links they share is not known."
                               "\n       link_0_2: at least: other pairs probably slowed it"
                               "\n       link_1_2: not measured, taken from the others");
    hs_platform_free(platform);
}

/* Rounds of flows without a network are told of, no rounds are not. */
static void flows_that_no_link_explains(void **state)
{
    static const hs__probe_flow flows[] = {{0, 1, 5e6}, {1, 2, 4e6}};
    hs_probe_result result = of_three_pairs();
    assert_false(hs__probe_unexplained(&result));
    assert_int_equal(hs__discovery_create(3, &result.readings), HS_OK);
    assert_false(hs__probe_unexplained(&result));
    for (int rounds = 0; rounds < 2; rounds++)
        assert_int_equal(hs__discovery_add(result.readings, flows, 2), HS_OK);
    assert_true(hs__probe_unexplained(&result));
    hs_platform *platform = platform_of(&result);
    assert_non_null(strstr(platform->comment,
                           "\n       a link for each pair of hosts; which links they share is not known."
                           "\n       No tree of links explains what 4 flows in 2 rounds got."
                           "\n       link_0_2: at least"));
    hs_platform_free(platform);
    hs__discovery_free(result.readings);
}

static void one_host_has_no_link(void **state)
{
    hs_probe_result result = of_hosts(1);
    hs_platform *platform = platform_of(&result);
    result.kernel = HS_PROBE_STREAM;
    assert_int_equal(hs_platform_hosts(platform), 1);
    assert_int_equal(hs_platform_links(platform), 0);
    assert_string_equal(platform->comment, BEGINS "1 host, the first of them a_-b: speeds by the kernel stencil.");
    hs_platform_free(platform);
    platform = platform_of(&result);
    CHECK_CLOSE(hs_platform_host_speed(platform, 0), 3e8, 0);
    assert_string_equal(platform->comment, BEGINS "1 host, the first of them a_-b: speeds by the kernel stream.");
    hs_platform_free(platform);
}

/* Hosts 0 and 1 on the root switch, 2 and 3 behind a trunk. */
static unsigned char sides[5][MOST] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}, {0, 0, 1, 1}};
static hs__cut cuts[] = {
    {.side = sides[0], .host = 0, .capacity = {1e8, 1e8}, .low = {9e7, 9e7}, .high = {1.1e8, 1.1e8}, .parent = -1},
    {.side = sides[1],
     .host = 1,
     .capacity = {5e6, 5e6},
     .low = {5e6, 5e6},
     .high = {INFINITY, INFINITY},
     .parent = -1},
    {.side = sides[2], .host = 2, .capacity = {1e8, 1e8}, .high = {INFINITY, INFINITY}, .parent = 4},
    {.side = sides[3], .host = 3, .capacity = {2e6, 3e6}, .low = {1e6, 2e6}, .high = {3e6, INFINITY}, .parent = 4},
    {.side = sides[4], .host = -1, .capacity = {6e6, 6e6}, .low = {4e6, 4e6}, .high = {8e6, 8e6}, .parent = -1}};

#define INTERVALS                                                                   \
    ". Each link's bandwidth, with a probability of 90 %:"                          \
    "\n       host_a_-b: 90 MBps to 110 MBps"                                       \
    "\n       host_b: at least 5 MBps: nothing filled it"                           \
    "\n       host_c: not measured, taken from the others"                          \
    "\n       host_d-: 1 MBps to 3 MBps out, at least 2 MBps: nothing filled it in" \
    "\n       trunk_0: 4 MBps to 8 MBps"

/* Every rank can make the platform; rank 0 knows how many flows there were. */
static void links_that_were_found(void **state)
{
    static const hs__probe_flow flows[] = {{0, 1, 5e6}, {3, 2, 1999999.6}};
    hs_probe_result result = of_hosts(4);
    result.cut = cuts;
    result.cuts = 5;
    hs_platform *platform = platform_of(&result);
    assert_string_equal(platform->comment, BEGINS "4 hosts, the first of them a_-b: speeds by the kernel stencil,"
                                                  "\n       links from rounds of flows" INTERVALS);
    assert_int_equal(hs_platform_routers(platform), 2);
    hs_route route = {0};
    assert_int_equal(hs_platform_route(platform, 3, 0, &route), HS_OK);
    assert_int_equal(route.count, 3);
    CHECK_CLOSE(route.bandwidth, 2e6, 1e-12);
    hs_route_free(&route);
    hs_platform_free(platform);
    assert_int_equal(hs__discovery_create(4, &result.readings), HS_OK);
    assert_int_equal(hs__discovery_add(result.readings, flows, 2), HS_OK);
    assert_true(hs__probe_cut_short(&result));
    platform = platform_of(&result);
    assert_string_equal(platform->comment, BEGINS
                        "4 hosts, the first of them a_-b: speeds by the kernel stencil,"
                        "\n       links from 2 flows in 1 round, until the time was up: more of it may find more "
                        "links" INTERVALS);
    hs_platform_free(platform);
    hs__discovery_free(result.readings);
}

static void check_readings(const hs_probe_result *result, const char *expected)
{
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    hs__probe_readings(result, file);
    fclose(file);
    assert_string_equal(text, expected);
    free(text);
}

static void all_readings_are_listed(void **state)
{
    static const hs__probe_flow first[] = {{0, 1, 5e6}, {3, 2, 1999999.6}}, second[] = {{1, 3, 7}};
    hs_probe_result result = of_hosts(4);
    check_readings(&result, "round,from,to,bytes_per_second\n");
    assert_int_equal(hs__discovery_create(4, &result.readings), HS_OK);
    assert_int_equal(hs__discovery_add(result.readings, first, 2), HS_OK);
    assert_int_equal(hs__discovery_add(result.readings, second, 1), HS_OK);
    check_readings(&result, "round,from,to,bytes_per_second\n0,a--b,b,5000000\n0,d-,c,2000000\n1,b,d-,7\n");
    hs__discovery_free(result.readings);
}

static void names_of_kernels_and_sources(void **state)
{
    static const char *const sources[] = {"alone", "together", "inferred", "contended", "estimated"},
                             *const kernels[] = {"stencil", "dgemm", "stream"};
    for (int k = 0; k < 5; k++)
        assert_string_equal(hs_probe_source_name((hs_probe_source)k), sources[k]);
    for (int k = 0; k < 3; k++)
        assert_string_equal(hs_probe_kernel_name((hs_probe_kernel)k), kernels[k]);
    assert_null(hs_probe_source_name((hs_probe_source)5));
    assert_null(hs_probe_source_name((hs_probe_source)-1));
    assert_null(hs_probe_kernel_name(HS_PROBE_KERNELS));
    assert_null(hs_probe_kernel_name((hs_probe_kernel)-1));
}

static hs_status make_platform(const void *result)
{
    hs_platform *platform = NULL;
    hs_status status = hs_probe_platform(result, &platform, NULL);
    hs_platform_free(platform);
    return status;
}

static void platforms_need_memory(void **state)
{
    hs_probe_result result = of_hosts(4);
    for (int k = 0; k < 6; k++)
        pairs[k] = (hs_probe_link){1e8, 0, 1, HS_PROBE_ALONE};
    assert_true(fail_each_allocation(make_platform, &result) > 10);
    result.cut = cuts;
    result.cuts = 5;
    assert_true(fail_each_allocation(make_platform, &result) > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_link_for_each_pair),         cmocka_unit_test(one_host_has_no_link),
        cmocka_unit_test(flows_that_no_link_explains),  cmocka_unit_test(links_that_were_found),
        cmocka_unit_test(all_readings_are_listed),      cmocka_unit_test(platforms_need_memory),
        cmocka_unit_test(names_of_kernels_and_sources),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

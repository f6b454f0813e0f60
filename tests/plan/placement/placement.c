/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/placement/placement.h"
#include "tests/unit.h"
#include "util/random.h"
#include <math.h>
#include <string.h>

enum { MAX_HOSTS = 4 };

static double makespan(const hs__placement_host *host, int hosts, const int64_t *count)
{
    double longest = 0;
    for (int i = 0; i < hosts; i++)
        longest = fmax(longest, hs__placement_time(&host[i], count[i]));
    return longest;
}

/* The least over every placement of `left` ranks on hosts i, i + 1, ...; INFINITY when there is none. */
static double every_placement(const hs__placement_host *host, int hosts, int i, int64_t left, double longest)
{
    if (i == hosts)
        return left == 0 ? longest : INFINITY;
    double best = INFINITY;
    for (int64_t k = 0; k <= left && k <= host[i].max_ranks && (k == 0 || host[i].speed > 0); k++)
        best =
            fmin(best, every_placement(host, hosts, i + 1, left - k, fmax(longest, hs__placement_time(&host[i], k))));
    return best;
}

static void optimal_on_every_small_case(void **state)
{
    hs__random random = {11};
    for (int trial = 0; trial < 3000; trial++) {
        hs__placement_host host[MAX_HOSTS];
        int hosts = 1 + (int)hs__random_below(&random, MAX_HOSTS);
        int64_t count[MAX_HOSTS], ranks = hs__random_below(&random, 11), sum = 0;
        double slowest;
        for (int i = 0; i < hosts; i++) {
            host[i] = (hs__placement_host){(double)hs__random_below(&random, 5),
                                           0.5 * (1 + (double)hs__random_below(&random, 8)),
                                           hs__random_below(&random, 2) ? INT64_MAX : hs__random_below(&random, 6)};
        }
        double best = every_placement(host, hosts, 0, ranks, 0);
        hs_status status = hs__placement_counts(host, hosts, ranks, count, &slowest);
        assert_int_equal(status, isfinite(best) ? HS_OK : HS_ERR_INFEASIBLE);
        if (status != HS_OK)
            continue;
        for (int i = 0; i < hosts; i++) {
            assert_true(count[i] >= 0 && count[i] <= host[i].max_ranks);
            sum += count[i];
        }
        assert_int_equal(sum, ranks);
        assert_float_equal(slowest, best, 0);
        assert_float_equal(makespan(host, hosts, count), best, 0);
    }
}

static void counts_follow_speeds(void **state)
{
    const hs__placement_host host[] = {{8, 1, INT64_MAX}, {6, 1, INT64_MAX}, {4, 1, INT64_MAX},
                                       {4, 1, INT64_MAX}, {3, 1, INT64_MAX}, {2, 1, INT64_MAX}};
    const int64_t expected[] = {8, 6, 4, 4, 3, 2};
    int64_t count[6];
    double slowest;
    assert_int_equal(hs__placement_counts(host, 6, 27, count, &slowest), HS_OK);
    assert_memory_equal(count, expected, sizeof count);
    assert_float_equal(slowest, 1, 1e-15);
}

static void whole_cores_before_sharing(void **state)
{
    /* Four ranks: two cores of speed 2 and two of speed 1. Sharing the fast cores takes as long as using the slow. */
    const hs__placement_host host[] = {{2, 2, INT64_MAX}, {1, 2, INT64_MAX}};
    int64_t count[2];
    assert_int_equal(hs__placement_counts(host, 2, 4, count, NULL), HS_OK);
    assert_int_equal(count[0], 2);
    assert_int_equal(count[1], 2);
}

static void memory_is_a_limit(void **state)
{
    const hs__placement_host host[] = {{10, 4, 1}, {1, 1, INT64_MAX}};
    int64_t count[2] = {7, 7};
    assert_int_equal(hs__placement_counts(host, 2, 3, count, NULL), HS_OK);
    assert_int_equal(count[0], 1);
    assert_int_equal(count[1], 2);
    assert_int_equal(hs__placement_counts(host, 1, 3, count, NULL), HS_ERR_INFEASIBLE);
    assert_int_equal(count[0], 1);
}

static void bad_hosts(void **state)
{
    int64_t count[1] = {7};
    const hs__placement_host bad[] = {{-1, 1, 1}, {NAN, 1, 1}, {INFINITY, 1, 1}, {1, 0, 1}, {1, NAN, 1}, {1, 1, -1}};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
        assert_int_equal(hs__placement_counts(&bad[k], 1, 1, count, NULL), HS_ERR_ARG);
    const hs__placement_host good = {1, 1, 1};
    assert_int_equal(hs__placement_counts(&good, 0, 1, count, NULL), HS_ERR_ARG);
    assert_int_equal(hs__placement_counts(&good, 1, -1, count, NULL), HS_ERR_ARG);
    assert_int_equal(count[0], 7);
}

/* Two switches with a narrow link between them: the ring crosses it twice, whatever order the hosts come in. */
static void hosts_of_one_switch_stay_together(void **state)
{
    hs_platform *platform = NULL;
    int node[6], order[6], n, where[6];
    hs__placement_host host[6];
    int64_t count[6];
    assert_int_equal(hs_platform_create(HS_ROUTING_GRAPH, &platform), HS_OK);
    for (int i = 0; i < 6; i++) {
        char id[8];
        snprintf(id, sizeof id, "h%d", i);
        assert_int_equal(hs_platform_add_host(platform, id, 1e9, 1, &node[i], NULL), HS_OK);
        host[i] = (hs__placement_host){1e9, 1, INT64_MAX};
        count[i] = i == 5 ? 0 : 1;
    }
    int router[2], link;
    assert_int_equal(hs_platform_add_router(platform, "left", &router[0], NULL), HS_OK);
    assert_int_equal(hs_platform_add_router(platform, "right", &router[1], NULL), HS_OK);
    for (int i = 0; i < 6; i++) {
        char id[8];
        snprintf(id, sizeof id, "l%d", i);
        assert_int_equal(hs_platform_add_link(platform, id, 1e8, 0, HS_SHARED, &link, NULL), HS_OK);
        assert_int_equal(hs_platform_add_edge(platform, i, router[i % 2], link, NULL), HS_OK);
    }
    assert_int_equal(hs_platform_add_link(platform, "narrow", 1e6, 0, HS_SHARED, &link, NULL), HS_OK);
    assert_int_equal(hs_platform_add_edge(platform, router[0], router[1], link, NULL), HS_OK);
    assert_int_equal(hs__placement_order(platform, node, host, count, 6, 0.05, order, &n, NULL), HS_OK);
    assert_int_equal(n, 5);
    int crossings = 0;
    for (int k = 0; k < n; k++)
        where[k] = order[k] % 2;
    for (int k = 0; k < n; k++)
        crossings += where[k] != where[(k + 1) % n];
    assert_int_equal(crossings, 2);
    hs_platform_free(platform);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(optimal_on_every_small_case),
        cmocka_unit_test(counts_follow_speeds),
        cmocka_unit_test(whole_cores_before_sharing),
        cmocka_unit_test(memory_is_a_limit),
        cmocka_unit_test(bad_hosts),
        cmocka_unit_test(hosts_of_one_switch_stay_together),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks in the order of a ring over their hosts. */
#include "plan/placement/rank_order.h"
#include "config.h"
#include "tests/plan/one_switch.h"
#include "tests/short_of_memory.h"
#include <math.h>
#include <string.h>

enum { HOSTS = 4, RANKS = 6 };

static const double speed[HOSTS] = {8, 6, 4, 2};
static const int host[RANKS] = {1, 0, 3, 1, 0, 1}; /* none is on host 2 */

static hs__rank_order plan(const hs_platform *platform, int most)
{
    hs__rank_order order;
    assert_int_equal(hs__rank_order_create(RANKS, &order), HS_OK);
    assert_int_equal(hs__rank_order_plan(&order, platform, host, most, NULL, NULL), HS_OK);
    assert_int_equal(hs__rank_order_check(&order, NULL), HS_OK);
    return order;
}

static double byte_s(const hs__rank_order *order, hs__ring_ends ends, int membership, int rank)
{
    return order->byte_s[((size_t)ends * (size_t)order->memberships + (size_t)membership) * RANKS + (size_t)rank];
}

static void ranks_of_a_host_stand_together_as_they_were(void **state)
{
    hs_platform *p = one_switch(speed, HOSTS, 100, 1);
    hs__rank_order order = plan(p, 1);
    assert_int_equal(order.ring_hosts, 3);
    assert_int_equal(order.memberships, 1);
    for (int r = 0; r < RANKS; r++) {
        assert_int_equal(order.host[order.position[r]], host[r]);
        for (int q = r + 1; q < RANKS; q++)
            if (host[q] == host[r])
                assert_true(order.position[q] > order.position[r]);
    }
    for (int k = 0, at = 0; k < order.ring_hosts; k++)
        for (int n = hs__ranks_on(host, RANKS, order.ring[k]); n > 0; n--)
            assert_int_equal(order.host[at++], order.ring[k]);
    hs__rank_order_free(&order);
    hs_platform_free(p);
}

/* Each host has one core, which its ranks share. */
static void ranks_share_cores(void **state)
{
    hs_platform *p = one_switch(speed, HOSTS, 100, 1);
    hs__rank_order order = plan(p, 1);
    for (int r = 0; r < RANKS; r++)
        assert_true(order.speed[r] == speed[order.host[r]] / hs__ranks_on(host, RANKS, order.host[r]));
    assert_true(hs__rank_speed(p, host, RANKS, 2) == 4); /* nobody shares it */
    assert_null(order.curves.function);
    hs__rank_order_free(&order);
    hs_platform_free(p);
}

/* A byte to each neighbour over links of 100 bytes/s each way: a host of several ranks sends by its first and last one. */
static void messages_leave_a_host_at_its_ends(void **state)
{
    hs_platform *p = one_switch(speed, HOSTS, 100, 1);
    hs__rank_order order = plan(p, 1);
    for (int r = 0; r < RANKS; r++) {
        int first = r == 0 || order.host[r - 1] != order.host[r];
        int last = r == RANKS - 1 || order.host[r + 1] != order.host[r];
        CHECK_CLOSE(byte_s(&order, HS__RING_CLOSED, 0, r), first || last ? 0.02 : 0, 1e-9);
        if (r == 0) /* an open ring has no neighbour before it */
            assert_true(byte_s(&order, HS__RING_OPEN, 0, r) <= 0.02);
    }
    hs__rank_order_free(&order);
    hs_platform_free(p);
}

static void hosts_without_speed_or_route_come_last(void **state)
{
    static const double speeds[HOSTS] = {8, 0, 4, 2};
    hs_platform *p = one_switch(speeds, HOSTS, 100, 1);
    hs__rank_order order = plan(p, HS__MAX_MEMBERSHIPS);
    assert_int_equal(order.ring_hosts, 2);
    for (int r = 0; r < RANKS; r++)
        for (int m = 0; m < order.memberships; m++)
            for (hs__ring_ends ends = HS__RING_OPEN; ends < HS__RING_ENDS; ends++)
                if (r >= 3)
                    assert_true(isinf(byte_s(&order, ends, m, r)));
                else if (m == 0)
                    assert_true(isfinite(byte_s(&order, ends, m, r)));
    for (int r = 3; r < RANKS; r++)
        assert_int_equal(order.host[r], 1);
    hs__rank_order_free(&order);
    hs_platform_free(p);
}

/* Three hosts on a switch, two links apart. Who is no member takes forever, also to send nothing. */
static void messages_cost_what_their_bytes_take(void **state)
{
    static const double off[HOSTS] = {8, 0, 4, 2};
    double comm[RANKS];
    hs_platform *p = one_switch(speed, HOSTS, 100, 1);
    hs__rank_order order = plan(p, 1);
    CHECK_CLOSE(hs__rank_order_traffic(&order, HS__RING_CLOSED)[0], 6 * 2, 1e-9);
    CHECK_CLOSE(hs__rank_order_traffic(&order, HS__RING_OPEN)[0], 4 * 2, 1e-9);
    hs__rank_order_free(&order);
    hs_platform_free(p);
    p = one_switch(off, HOSTS, 100, 1);
    order = plan(p, 1);
    for (hs__ring_ends ends = HS__RING_OPEN; ends < HS__RING_ENDS; ends++)
        for (int bytes = 0; bytes <= 50; bytes += 50) {
            double longest = 0;
            hs__rank_order_messages(&order, ends, bytes, comm);
            for (int r = 0; r < RANKS; r++) {
                assert_true(r < 3 ? comm[r] == bytes * byte_s(&order, ends, 0, r) : comm[r] == INFINITY);
                longest = r < 3 ? fmax(longest, comm[r]) : longest;
            }
            assert_true(hs__rank_order_slowest(comm, RANKS) == longest && (longest > 0) == (bytes > 0));
            assert_true(hs__rank_order_slowest(comm + 3, RANKS - 3) == 0);
        }
    hs__rank_order_free(&order);
    hs_platform_free(p);
}

/* Its memberships come first, whatever the links have become. */
static void a_known_order_is_kept(void **state)
{
    static const double others[HOSTS] = {1, 9, 4, 5};
    static const int one_each[HOSTS] = {0, 1, 2, 3};
    int ring[HOSTS] = {2, 0, 3, 1};
    const char member[2 * HOSTS] = {1, 1, 1, 1, 1, 0, 0, 1};
    double seconds[2 * HOSTS];
    const hs__rank_order old = {
        .ranks = HOSTS, .host = ring, .ring = ring, .ring_hosts = HOSTS, .memberships = 2, .byte_s = seconds};
    hs_platform *p = one_switch(others, HOSTS, 10, 1);
    hs__rank_order order;
    assert_int_equal(hs__rank_order_create(HOSTS, &order), HS_OK);
    for (int k = 0; k < 2 * HOSTS; k++)
        seconds[k] = member[k] ? 1 : INFINITY;
    assert_int_equal(hs__rank_order_plan(&order, p, one_each, HS__MAX_MEMBERSHIPS, &old, NULL), HS_OK);
    assert_memory_equal(order.host, ring, sizeof ring);
    assert_true(order.memberships >= 2);
    for (int r = 0; r < HOSTS; r++) {
        assert_int_equal(order.position[ring[r]], r);
        assert_int_equal(isfinite(order.byte_s[HOSTS + r]) != 0, member[HOSTS + r]);
    }
    hs__rank_order_free(&order);
    hs_platform_free(p);
}

static void what_is_broken_is_found(void **state)
{
    hs_platform *p = one_switch(speed, HOSTS, 100, 1);
    hs__rank_order order = plan(p, 1);
    hs_error error;
    int position = order.position[2];
    order.position[2] = order.position[0];
    assert_int_equal(hs__rank_order_check(&order, &error), HS_ERR_INTERNAL);
    CHECK_ERROR_SAYS(&error, 0, "is taken");
    order.position[2] = position;
    order.speed[1] *= -1;
    assert_int_equal(hs__rank_order_check(&order, &error), HS_ERR_INTERNAL);
    order.speed[1] *= -1;
    order.byte_s[RANKS] = -1;
    assert_int_equal(hs__rank_order_check(&order, &error), HS_ERR_INTERNAL);
    CHECK_ERROR_SAYS(&error, 0, "less than no time");
    hs__rank_order_free(&order);
    hs_platform_free(p);
}

static void nobody_computes(void **state)
{
    static const double nothing[HOSTS] = {0};
    hs_platform *p = one_switch(nothing, HOSTS, 100, 1);
    hs__rank_order order;
    hs_error error = {0, ""};
    assert_int_equal(hs__rank_order_create(RANKS, &order), HS_OK);
    assert_true(hs__rank_order_plan(&order, p, host, 1, NULL, &error) < 0);
    assert_true(error.text[0]);
    hs__rank_order_free(&order);
    hs_platform_free(p);
}

static hs_status create_and_plan(const void *platform)
{
    hs__rank_order order;
    hs_status status = hs__rank_order_create(RANKS, &order);
    if (status == HS_OK)
        status = hs__rank_order_plan(&order, platform, host, 4, NULL, NULL);
    hs__rank_order_free(&order);
    return status;
}

static void memory_that_runs_out_is_an_error(void **state)
{
    const hs_speed_point half[] = {{1, 8}, {100, 4}};
    const hs_speed_function function = {half, 2, INFINITY};
    hs_platform *p = one_switch(speed, HOSTS, 100, 1);
    assert_int_equal(hs_platform_set_host_speed_function(p, 0, &function, NULL), HS_OK);
    assert_true(fail_each_allocation(create_and_plan, p) > 5);
    hs_platform_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranks_of_a_host_stand_together_as_they_were),
        cmocka_unit_test(ranks_share_cores),
        cmocka_unit_test(messages_leave_a_host_at_its_ends),
        cmocka_unit_test(hosts_without_speed_or_route_come_last),
        cmocka_unit_test(messages_cost_what_their_bytes_take),
        cmocka_unit_test(a_known_order_is_kept),
        cmocka_unit_test(what_is_broken_is_found),
        cmocka_unit_test(nobody_computes),
        cmocka_unit_test(memory_that_runs_out_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* The order of a ring in which the most units stay, against trying them all. */
#include "plan/ring/turn.h"
#include "tests/platform/read.h"
#include "tests/short_of_memory.h"
#include "util/array.h"
#include "util/random.h"

enum { MOST = 9, MOST_UNITS = 90 };

typedef struct ring {
    int members;
    int64_t units, count[MOST];
    hs__ring_held held[MOST];
} ring;

/* Units that stay in one order, unit by unit. */
static int64_t stays_in(const ring *r, int first, int reversed)
{
    int64_t stays = 0, u = 0;
    for (int i = 0; i < r->members; i++) {
        int k = (first + (reversed ? -i : i) + r->members) % r->members;
        for (int64_t end = u + r->count[k]; u < end; u++)
            stays += u >= r->held[k].first && u < r->held[k].first + r->held[k].count;
    }
    return stays;
}

static hs__turn nearest(const ring *r)
{
    hs__turn order = {-1, -1, -1};
    assert_int_equal(hs__ring_nearest_turn(r->members, r->count, r->held, &order), HS_OK);
    return order;
}

static void check(const ring *r)
{
    hs__turn best = {0, 0, -1}, found = nearest(r);
    for (int reversed = 0; reversed < 2; reversed++)
        for (int first = 0; first < r->members; first++)
            if (stays_in(r, first, reversed) > best.stays)
                best = (hs__turn){first, reversed, stays_in(r, first, reversed)};
    assert_int_equal(found.stays, best.stays);
    assert_int_equal(found.reversed, best.reversed);
    assert_int_equal(found.first, best.first);
}

/* What is held is the ring itself from a member on, one way or the other: nothing moves. */
static void the_same_ring(void **state)
{
    (void)state;
    ring r = {.members = 5, .units = 30, .count = {3, 9, 4, 6, 8}};
    for (int reversed = 0; reversed < 2; reversed++)
        for (int first = 0; first < r.members; first++) {
            int64_t next = 0;
            for (int i = 0; i < r.members; i++) {
                int k = (first + (reversed ? -i : i) + r.members) % r.members;
                r.held[k] = (hs__ring_held){next, r.count[k]};
                next += r.count[k];
            }
            hs__turn found = nearest(&r);
            assert_true(found.first == first && found.reversed == reversed && found.stays == 30);
        }
}

static void hand_computed(void **state)
{
    (void)state;
    /* Three members hold 4 each; with a fourth behind them, or before, they have 3 each, and 3 + 2 + 1 stay. */
    ring r = {4, 12, {3, 3, 3, 3}, {{0, 4}, {4, 4}, {8, 4}, {0, 0}}};
    hs__turn found = nearest(&r);
    assert_true(found.first == 0 && found.reversed == 0 && found.stays == 6);
    ring none = {2, 0, {0, 0}, {{0, 0}, {0, 0}}};
    found = nearest(&none);
    assert_true(found.first == 0 && found.reversed == 0 && found.stays == 0);
    ring alone = {1, 7, {7}, {{2, 3}}};
    found = nearest(&alone);
    assert_true(found.first == 0 && found.reversed == 0 && found.stays == 3);
    ring new_hosts = {3, 9, {3, 3, 3}, {{0, 0}, {0, 0}, {0, 0}}}; /* nothing stays anyway */
    found = nearest(&new_hosts);
    assert_true(found.first == 0 && found.reversed == 0 && found.stays == 0);
}

/* Members without units, hosts that have left or come, and slices longer than half of all. */
static void equals_trying_all_orders(void **state)
{
    (void)state;
    hs__random random = {21};
    for (int trial = 0; trial < 20000; trial++) {
        ring r = {.members = 1 + (int)hs__random_below(&random, MOST)};
        int64_t most = 1 + hs__random_below(&random, MOST_UNITS / MOST), next = 0;
        for (int k = 0; k < r.members; k++)
            r.units += r.count[k] = hs__random_below(&random, most + 1) * (hs__random_below(&random, 8) ? 1 : 4);
        int shift = (int)hs__random_below(&random, r.members), reversed = (int)hs__random_below(&random, 2);
        for (int i = 0; i < r.members; i++) { /* near some order; a gap was held by a host that has left */
            int k = (shift + (reversed ? -i : i) + r.members) % r.members;
            int64_t count = r.count[k] + hs__random_below(&random, 5) - 2, gap = hs__random_below(&random, 9) ? 0 : 2;
            next += gap;
            count = count < 0 || hs__random_below(&random, 6) == 0 ? 0 : count;
            count = next + count > r.units ? (r.units > next ? r.units - next : 0) : count;
            r.held[k] = (hs__ring_held){next, count};
            next += count;
        }
        check(&r);
    }
}

static void large_rings(void **state)
{
    (void)state;
    enum { MEMBERS = 10000 };
    int64_t *count = hs__array_new(MEMBERS, sizeof *count), next = 0;
    hs__ring_held *held = hs__array_new(MEMBERS, sizeof *held);
    for (int k = 0; k < MEMBERS; k++)
        count[k] = (int64_t)1000000000 * (1 + k % 7); /* sums beyond 2^31 */
    for (int i = 0; i < MEMBERS; i++) {
        int k = (1234 - i + MEMBERS) % MEMBERS;
        held[k] = (hs__ring_held){next, count[k] - 1};
        next += count[k];
    }
    hs__turn order;
    assert_int_equal(hs__ring_nearest_turn(MEMBERS, count, held, &order), HS_OK);
    assert_true(order.first == 1234 && order.reversed == 1 && order.stays == next - MEMBERS);
    free(count);
    free(held);
}

/* A plan stays what it is, but for where it begins. */
static void turned_plans_are_plans(void **state)
{
    (void)state;
    hs_platform *platform = read_platform("examples/two-switches.xml");
    hs_ring *plan;
    hs_error error;
    hs_ring_params params;
    hs_ring_params_init(&params);
    params.work = 27e9;
    params.halo = 1e5;
    params.units = 1000;
    assert_int_equal(hs_ring_create(platform, &params, &plan, &error), HS_OK);
    int size = hs_ring_size(plan), before[64];
    assert_true(size > 3 && size <= 64);
    for (int first = 0; first < size; first++)
        for (int reversed = 0; reversed < 2; reversed++) {
            hs__turn order = {first, reversed, 0};
            for (int k = 0; k < size; k++)
                before[k] = hs_ring_host(plan, k);
            assert_int_equal(hs__ring_apply_turn(plan, &order), HS_OK);
            assert_int_equal(hs_ring_check(platform, &params, plan, &error), HS_OK);
            for (int k = 0; k < size; k++) {
                int from = (first + (reversed ? -k : k) + size) % size, next = hs_ring_host(plan, (k + 1) % size);
                assert_int_equal(hs_ring_host(plan, k), before[from]);
                assert_int_equal(hs_ring_path_at(plan, 2 * k)->from, hs_ring_host(plan, k));
                assert_int_equal(hs_ring_path_at(plan, 2 * k)->to, next);
                assert_int_equal(hs_ring_path_at(plan, 2 * k + 1)->from, next);
            }
        }
    hs_ring_free(plan);
    hs_platform_free(platform);
}

static void memory_is_out(void **state)
{
    (void)state;
    ring r = {.members = 2, .units = 4, .count = {2, 2}};
    hs__turn order = {7, 7, 7};
    for (int n = 0; n < 2; n++) {
        memory_lasts(n);
        assert_int_equal(hs__ring_nearest_turn(r.members, r.count, r.held, &order), HS_ERR_NOMEM);
        memory_is_back();
        assert_int_equal(order.first, 7);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_ring),
        cmocka_unit_test(hand_computed),
        cmocka_unit_test(equals_trying_all_orders),
        cmocka_unit_test(large_rings),
        cmocka_unit_test(turned_plans_are_plans),
        cmocka_unit_test(memory_is_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

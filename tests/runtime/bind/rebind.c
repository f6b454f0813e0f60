/* SPDX-License-Identifier: BSD-3-Clause */
/* Decisions to bind the ranks of a node: readings written by hand and by a model of the node. */
#include "runtime/bind/rebind.h"
#include "plan/binding/binding.h"
#include "tests/unit.h"
#include "util/random.h"

static const double alike[] = {1, 1}, kinds[] = {1, 2};
static const char all[8] = {1, 1, 1, 1, 1, 1, 1, 1};
static const int one[] = {1, 1, 1, 1};

static hs__rebind *make(int ranks, const double *speed, const char *now)
{
    hs__rebind *rebind = NULL;
    assert_int_equal(hs__rebind_create(ranks, 2, speed, all, now, &rebind), HS_OK);
    return rebind;
}

/* A reading of a quarter of a second, or so much of it as the ranks' steps of this work fill. noise: of each rank. */
static hs_status read_node(hs__rebind *rebind, int ranks, const double *speed, const double *work, double noise,
                           hs__random *random)
{
    double step, compute[4];
    hs__binding_node node = {ranks, 2, work, NULL, speed, all};
    assert_int_equal(hs__binding_time(&node, hs__rebind_set(rebind), &step), HS_OK);
    for (int r = 0; r < ranks; r++) {
        const char *mine = hs__rebind_set(rebind) + 2 * r;
        double rate = (mine[0] * speed[0] + mine[1] * speed[1]) / (mine[0] + mine[1]);
        compute[r] = .25 * work[r] / rate / step * (1 + noise * (2 * hs__random_unit(random) - 1));
    }
    return hs__rebind_phase(rebind, .25, compute, one);
}

static void heavy_gets_its_own_core(void **state)
{
    static const double work[] = {1, 2, 1};
    hs__random random = {1};
    hs__rebind *rebind = make(3, alike, all);
    CHECK_CLOSE(hs__rebind_promise(rebind), 1, 0);
    assert_int_equal(read_node(rebind, 3, alike, work, 0, &random), HS_UNCHANGED); /* one reading is none */
    assert_int_equal(read_node(rebind, 3, alike, work, 0, &random), HS_OK);
    assert_memory_equal(hs__rebind_set(rebind), "\0\1\1\0\0\1", 6);
    CHECK_CLOSE(hs__rebind_promise(rebind), 2 / 2.5, 1e-9);
    for (int k = 0; k < 20; k++)
        assert_int_equal(read_node(rebind, 3, alike, work, .05, &random), HS_UNCHANGED);
    hs__rebind_free(rebind);
}

/* A burst of one reading moves nobody; a lasting change does, once it was seen twice. */
static void lasting_change(void **state)
{
    static const double before[] = {3, 1}, after[] = {1, 3};
    hs__random random = {2};
    hs__rebind *rebind = make(2, kinds, all);
    read_node(rebind, 2, kinds, before, 0, &random);
    assert_int_equal(read_node(rebind, 2, kinds, before, 0, &random), HS_OK);
    assert_memory_equal(hs__rebind_set(rebind), "\0\1\1\0", 4);
    for (int k = 0; k < 4; k++)
        assert_int_equal(read_node(rebind, 2, kinds, before, 0, &random), HS_UNCHANGED);
    assert_int_equal(read_node(rebind, 2, kinds, after, 0, &random), HS_UNCHANGED);
    for (int k = 0; k < 4; k++)
        assert_int_equal(read_node(rebind, 2, kinds, before, 0, &random), HS_UNCHANGED);
    assert_int_equal(read_node(rebind, 2, kinds, after, 0, &random), HS_UNCHANGED);
    assert_int_equal(read_node(rebind, 2, kinds, after, 0, &random), HS_OK);
    assert_memory_equal(hs__rebind_set(rebind), "\1\0\0\1", 4);
    hs__rebind_free(rebind);
}

/* Ranks alike on cores alike, however noisy; ranks that do nothing. */
static void nothing_to_gain(void **state)
{
    static const double work[] = {1, 1, 1, 1}, idle[4] = {0};
    hs__random random = {3};
    hs__rebind *rebind = make(4, alike, all);
    for (int k = 0; k < 500; k++)
        assert_int_equal(read_node(rebind, 4, alike, work, .3, &random), HS_UNCHANGED);
    assert_int_equal(hs__rebind_phase(rebind, .25, idle, one), HS_UNCHANGED);
    assert_int_equal(hs__rebind_phase(rebind, 0, work, one), HS_UNCHANGED);
    assert_memory_equal(hs__rebind_set(rebind), all, 8);
    hs__rebind_free(rebind);
    hs__rebind_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(heavy_gets_its_own_core), cmocka_unit_test(lasting_change),
                                       cmocka_unit_test(nothing_to_gain)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

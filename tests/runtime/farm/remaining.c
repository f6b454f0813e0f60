/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/farm/remaining.h"
#include "runtime/farm/pieces.h"
#include "tests/unit.h"
#include "util/random.h"

static void by_hand(void **state)
{
    (void)state;
    static const double busy[] = {1, 0}, w[] = {1, 2}, none[] = {0, 0}, slow[] = {0.5, 2};
    static const int order[] = {0, 1};
    double share[2];
    hs__remaining rest = {2, busy, w, none, 1, 1};
    assert_float_equal(hs__remaining_share(&rest, 5, order, share), 4.0, 1e-9); /* 3 + 2 */
    assert_float_equal(share[0], 3.0, 1e-9);
    assert_float_equal(share[1], 2.0, 1e-9);
    assert_float_equal(hs__remaining_end(&rest, share), 4.0, 1e-9);
    /* in one installment a <= T / 1.5 and b <= T / 4, which is less than port and backlog allow */
    rest.comm_time = slow;
    double end = hs__remaining_share(&rest, 5, order, share);
    assert_float_equal(end, 5.0 / (1.0 / 1.5 + 1.0 / 4.0), 1e-9);
    assert_float_equal(share[1], end / 4.0, 1e-9);
    rest.rounds = 1000000000; /* many: 0.5 (T - 1) + 2 b = T, (T - 1) + b = 5: T = 4.6, b = 1.4 */
    assert_float_equal(hs__remaining_share(&rest, 5, order, share), 4.6, 1e-6);
    assert_float_equal(share[1], 1.4, 1e-6);
    rest.one_port = 0; /* then (T - 1) + T / 2 = 5 */
    assert_float_equal(hs__remaining_share(&rest, 5, order, share), 4.0, 1e-6);
}

/* Against a linear search over T, and no rank or port is late. */
static void random_shares(void **state)
{
    (void)state;
    hs__random random = {11};
    for (int trial = 0; trial < 200; trial++) {
        enum { P = 6 };
        double busy[P], w[P], c[P], share[P], sum = 0, port = 0;
        int order[P] = {0, 1, 2, 3, 4, 5};
        int64_t count[P], n = 1 + (int64_t)(1000 * hs__random_unit(&random)), total = 0;
        for (int i = 0; i < P; i++) {
            busy[i] = 5 * hs__random_unit(&random);
            w[i] = 0.01 + hs__random_unit(&random);
            c[i] = i == 0 ? 0 : c[i - 1] + 0.1 * hs__random_unit(&random);
        }
        hs__remaining rest = {P, busy, w, c, 4, 1};
        double end = hs__remaining_share(&rest, n, order, share);
        for (int i = 0; i < P; i++) {
            assert_true(share[i] >= 0);
            assert_true(share[i] == 0 || busy[i] + w[i] * share[i] <= end * (1 + 1e-6));
            sum += share[i];
            port += c[i] * share[i];
        }
        assert_float_equal(sum, (double)n, 1e-6);
        assert_true(port <= end * (1 + 1e-6));
        hs__remaining_round(P, share, n, count);
        for (int i = 0; i < P; i++) {
            assert_true(count[i] >= 0 && fabs((double)count[i] - share[i]) <= 1.0);
            total += count[i];
        }
        assert_int_equal(total, n);
    }
}

/* No message has more than 2^30 items or, unless one item alone does, bytes. */
static void pieces(void **state)
{
    (void)state;
    assert_int_equal(hs__piece_items(0, HS__WHOLE), 1 << 30);
    assert_int_equal(hs__piece_items(1, HS__WHOLE), 1 << 30);
    assert_int_equal(hs__piece_items(1000, HS__WHOLE), 1073741);
    assert_int_equal(hs__piece_items((int64_t)1 << 40, HS__FINE), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(by_hand), cmocka_unit_test(random_shares),
                                       cmocka_unit_test(pieces)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

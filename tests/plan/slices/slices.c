/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/unit.h"
#include "util/random.h"
#include <float.h>
#include <heteroslice/hs_slices.h>

enum { MAX_HOSTS = 64 };

typedef struct sliced {
    hs_status status;
    int64_t count[MAX_HOSTS];
    double step_time;
} sliced;

static sliced slice(const double *w, const double *d, int hosts, int64_t units, int64_t minimum, hs_step_model model)
{
    sliced s = {.step_time = -1};
    s.status = hs_slices_compute(w, d, hosts, units, minimum, model, s.count, &s.step_time);
    return s;
}

static double host_time(double w, double d, int64_t n, hs_step_model model)
{
    if (n == 0)
        return 0;
    return model == HS_STEP_OVERLAP ? fmax((double)n * w, d) : (double)n * w + d;
}

/* The optimum over all counts by trying every one. */
static double brute_force(const double *w, const double *d, int hosts, int64_t units, int64_t minimum,
                          hs_step_model model)
{
    if (hosts == 0)
        return units == 0 ? 0 : INFINITY;
    double best = brute_force(w + 1, d + 1, hosts - 1, units, minimum, model);
    for (int64_t n = minimum; n <= units; n++) {
        double rest = brute_force(w + 1, d + 1, hosts - 1, units - n, minimum, model);
        best = fmin(best, fmax(host_time(*w, *d, n, model), rest));
    }
    return best;
}

static void check_valid(const sliced *s, const double *w, const double *d, int hosts, int64_t units, int64_t minimum,
                        hs_step_model model)
{
    double largest = 0;
    assert_int_equal(s->status, HS_OK);
    assert_int_equal(hs_slices_check(s->count, hosts, units, minimum, NULL), HS_OK);
    for (int i = 0; i < hosts; i++)
        largest = fmax(largest, host_time(w[i], d[i], s->count[i], model));
    assert_true(largest == s->step_time);
}

typedef struct row {
    const char *what;
    int hosts;
    double w[4], d[4];
    int64_t units, minimum;
    hs_step_model model;
    int64_t count[4];
    double step_time;
} row;

/* Worked by hand. */
static const row rows[] = {
    {"one host", 1, {2}, {1}, 5, 1, HS_STEP_SERIAL, {5}, 11},
    {"speeds 2:1", 2, {1, 2}, {0, 0}, 9, 1, HS_STEP_SERIAL, {6, 3}, 6},
    {"a tie goes to the lowest index", 3, {1, 1, 1}, {0, 0, 0}, 4, 1, HS_STEP_SERIAL, {2, 1, 1}, 2},
    {"dear messages leave a host out", 2, {1, 1}, {0, 9}, 8, 1, HS_STEP_SERIAL, {8, 0}, 8},
    {"the same under overlap pays", 2, {1, 1}, {0, 7}, 14, 1, HS_STEP_OVERLAP, {7, 7}, 7},
    {"fewer units than hosts", 4, {3, 1, 2, 1}, {0, 0, 0, 0}, 2, 1, HS_STEP_SERIAL, {0, 1, 0, 1}, 1},
    {"the minimum keeps the slow host out", 2, {1, 10}, {0, 0}, 12, 2, HS_STEP_SERIAL, {12, 0}, 12},
    {"the minimum admits two of three", 3, {1, 1, 1}, {0, 0, 0}, 11, 5, HS_STEP_SERIAL, {6, 5, 0}, 6},
    {"speed 0 takes nothing", 3, {INFINITY, 1, 1}, {0, 0, 0}, 4, 1, HS_STEP_SERIAL, {0, 2, 2}, 2},
    {"unreachable takes nothing", 2, {1, 1}, {INFINITY, 3}, 4, 1, HS_STEP_SERIAL, {0, 4}, 7},
};

static void worked_rows(void **state)
{
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        const row *x = &rows[r];
        sliced s = slice(x->w, x->d, x->hosts, x->units, x->minimum, x->model);
        check_valid(&s, x->w, x->d, x->hosts, x->units, x->minimum, x->model);
        CHECK_CLOSE(s.step_time, x->step_time, 1e-15);
        for (int i = 0; i < x->hosts; i++)
            if (s.count[i] != x->count[i])
                fail_msg("%s: host %d takes %lld", x->what, i, (long long)s.count[i]);
    }
}

/* Cycle times from few values make many ties; the minimum makes leaving out combinatorial. */
static void equals_brute_force(void **state)
{
    hs__random random = {7};
    for (int trial = 0; trial < 3000; trial++) {
        int hosts = 1 + (int)hs__random_below(&random, 5);
        int64_t units = 1 + hs__random_below(&random, 14), minimum = 1 + hs__random_below(&random, 4);
        hs_step_model model = hs__random_below(&random, 2) ? HS_STEP_OVERLAP : HS_STEP_SERIAL;
        int coarse = (int)hs__random_below(&random, 2);
        double w[5], d[5];
        for (int i = 0; i < hosts; i++) {
            w[i] = coarse ? 1 + (double)hs__random_below(&random, 3) : 0.1 + hs__random_unit(&random);
            d[i] = coarse ? (double)hs__random_below(&random, 5) : 4 * hs__random_unit(&random);
        }
        sliced s = slice(w, d, hosts, units, minimum, model);
        if (units < minimum) {
            assert_int_equal(s.status, HS_ERR_INFEASIBLE);
            continue;
        }
        check_valid(&s, w, d, hosts, units, minimum, model);
        assert_true(s.step_time == brute_force(w, d, hosts, units, minimum, model));
    }
}

/* No host could give its last unit to another and the step end earlier. */
static void large_counts_stay_exact(void **state)
{
    const int64_t sizes[] = {1000003, INT64_C(1) << 40, INT64_C(1) << 53, INT64_MAX};
    hs__random random = {11};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        double w[MAX_HOSTS], d[MAX_HOSTS];
        for (int i = 0; i < MAX_HOSTS; i++) {
            w[i] = exp(20 * hs__random_unit(&random) - 10);
            d[i] = 1e3 * hs__random_unit(&random);
        }
        sliced s = slice(w, d, MAX_HOSTS, sizes[k], 3, HS_STEP_SERIAL);
        check_valid(&s, w, d, MAX_HOSTS, sizes[k], 3, HS_STEP_SERIAL);
        double bound = 0, speed = 0;
        for (int i = 0; i < MAX_HOSTS; i++)
            speed += 1 / w[i];
        bound = (double)sizes[k] / speed;
        assert_true(s.step_time >= bound * (1 - 1e-12));
        assert_true(s.step_time <= bound * (1 + 1e-12) + 1e3 + 4 * exp(10));
    }
}

static void permuting_hosts_changes_only_ties(void **state)
{
    hs__random random = {13};
    for (int trial = 0; trial < 200; trial++) {
        double w[8], d[8], w_back[8], d_back[8];
        for (int i = 0; i < 8; i++) {
            w_back[7 - i] = w[i] = 0.1 + hs__random_unit(&random);
            d_back[7 - i] = d[i] = 20 * hs__random_unit(&random);
        }
        sliced a = slice(w, d, 8, 200, 4, HS_STEP_SERIAL), b = slice(w_back, d_back, 8, 200, 4, HS_STEP_SERIAL);
        assert_true(a.step_time == b.step_time);
        for (int i = 0; i < 8; i++)
            assert_int_equal(a.count[i], b.count[7 - i]);
    }
}

static void levels_the_rest(void **state)
{
    /* Host 2 needs 40 s for its minimum; the two others share the rest evenly, though each could take 40. */
    const double w[] = {1, 1, 4}, d[] = {0, 0, 0};
    sliced s = slice(w, d, 3, 81, 10, HS_STEP_SERIAL);
    CHECK_CLOSE(s.step_time, 40, 0);
    assert_int_equal(s.count[0], 36);
    assert_int_equal(s.count[1], 35);
    assert_int_equal(s.count[2], 10);
}

static void extreme_ratios(void **state)
{
    const double w[] = {1e-300, 1e12, 1}, d[] = {0, 0, 0}, huge[] = {DBL_MAX}, zero[] = {0};
    sliced s = slice(w, d, 3, INT64_C(1000000000000), 1, HS_STEP_SERIAL);
    check_valid(&s, w, d, 3, INT64_C(1000000000000), 1, HS_STEP_SERIAL);
    assert_int_equal(s.count[0], INT64_C(1000000000000));
    assert_int_equal(slice(huge, zero, 1, 2, 1, HS_STEP_SERIAL).status, HS_ERR_INFEASIBLE);
}

static void bad_input_is_refused(void **state)
{
    const double w[] = {1, 1}, d[] = {0, 0}, bad[][2] = {{0, 1}, {1, -1}, {NAN, 1}}, none[] = {INFINITY, INFINITY};
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(slice(bad[i], d, 2, 4, 1, HS_STEP_SERIAL).status, HS_ERR_ARG);
    assert_int_equal(slice(w, bad[1], 2, 4, 1, HS_STEP_SERIAL).status, HS_ERR_ARG);
    assert_int_equal(slice(w, bad[2], 2, 4, 1, HS_STEP_SERIAL).status, HS_ERR_ARG);
    assert_int_equal(slice(w, d, 0, 4, 1, HS_STEP_SERIAL).status, HS_ERR_ARG);
    assert_int_equal(slice(w, d, 2, -1, 1, HS_STEP_SERIAL).status, HS_ERR_ARG);
    assert_int_equal(slice(w, d, 2, 4, 0, HS_STEP_SERIAL).status, HS_ERR_ARG);
    assert_int_equal(slice(w, d, 2, 4, 1, (hs_step_model)7).status, HS_ERR_ARG);
    assert_int_equal(slice(NULL, d, 2, 4, 1, HS_STEP_SERIAL).status, HS_ERR_ARG);
    assert_int_equal(slice(w, NULL, 2, 4, 1, HS_STEP_SERIAL).status, HS_ERR_ARG);
    assert_int_equal(hs_slices_compute(w, d, 2, 4, 1, HS_STEP_SERIAL, NULL, NULL), HS_ERR_ARG);
    assert_int_equal(slice(none, d, 2, 4, 1, HS_STEP_SERIAL).status, HS_ERR_INFEASIBLE);
    sliced s = slice(w, d, 2, 4, 5, HS_STEP_SERIAL);
    assert_int_equal(s.status, HS_ERR_INFEASIBLE);
    assert_true(s.count[0] == 0 && s.step_time == -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(worked_rows),
        cmocka_unit_test(equals_brute_force),
        cmocka_unit_test(large_counts_stay_exact),
        cmocka_unit_test(permuting_hosts_changes_only_ties),
        cmocka_unit_test(levels_the_rest),
        cmocka_unit_test(extreme_ratios),
        cmocka_unit_test(bad_input_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

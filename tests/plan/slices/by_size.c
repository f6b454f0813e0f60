/* SPDX-License-Identifier: BSD-3-Clause */
/* Slices of hosts whose speed depends on the size: worked by hand, against trying every count, and random ones. */
#include "plan/slices/level.h"
#include "tests/unit.h"
#include "util/random.h"
#include "util/speed.h"
#include <heteroslice/hs_slices.h>

enum { MAX_HOSTS = 5, MAX_POINTS = 4 };

typedef struct problem {
    hs_speed_point point[MAX_HOSTS][MAX_POINTS];
    hs_speed_function function[MAX_HOSTS];
    double comm[MAX_HOSTS], work, data;
    int hosts;
    int64_t units, minimum;
    hs_step_model model;
} problem;

typedef struct sliced {
    hs_status status;
    int64_t count[MAX_HOSTS];
    double step_time;
} sliced;

static hs_slices_params params_of(const problem *p)
{
    return (hs_slices_params){.function = p->function,
                              .comm_time = p->comm,
                              .hosts = p->hosts,
                              .model = p->model,
                              .work = p->work,
                              .data = p->data,
                              .units = p->units,
                              .minimum = p->minimum};
}

static sliced slice(const problem *p)
{
    sliced s = {.step_time = -1};
    hs_slices_params params = params_of(p);
    s.status = hs_slices_compute_by_size(&params, s.count, &s.step_time);
    return s;
}

/* Seconds of n units on host i; INFINITY when they are beyond its largest slice. */
static double host_time(const problem *p, int i, int64_t n)
{
    double size = (double)n * (p->data / (double)p->units), compute;
    if (n == 0)
        return 0;
    if (size > p->function[i].max_size)
        return INFINITY;
    compute = hs__speed_time(&p->function[i], p->work / p->data, size);
    return p->model == HS_STEP_OVERLAP ? fmax(compute, p->comm[i]) : compute + p->comm[i];
}

static double brute_force(const problem *p, int i, int64_t left)
{
    if (i == p->hosts)
        return left == 0 ? 0 : INFINITY;
    double best = brute_force(p, i + 1, left);
    for (int64_t n = p->minimum; n <= left; n++)
        best = fmin(best, fmax(host_time(p, i, n), brute_force(p, i + 1, left - n)));
    return best;
}

static void check_valid(const problem *p, const sliced *s)
{
    double largest = 0;
    assert_int_equal(s->status, HS_OK);
    assert_int_equal(hs_slices_check(s->count, p->hosts, p->units, p->minimum, NULL), HS_OK);
    for (int i = 0; i < p->hosts; i++)
        largest = fmax(largest, host_time(p, i, s->count[i]));
    assert_true(largest == s->step_time && isfinite(largest));
}

/* 1000 bytes, a work unit each. In cache a host computes 10 a second up to 100 bytes and 2 from 300 on; the other has 5
 * at every size. */
static problem two_hosts(int64_t units)
{
    return (problem){.point = {{{100, 10}, {300, 2}}, {{1, 5}}},
                     .comm = {0, 0},
                     .work = 1000,
                     .data = 1000,
                     .hosts = 2,
                     .units = units,
                     .minimum = 1};
}

static void connect(problem *p, const int *points, const double *max_size)
{
    for (int i = 0; i < p->hosts; i++)
        p->function[i] = (hs_speed_function){p->point[i], points[i], max_size[i]};
}

/* Beyond its cache the first host has 2/7 of the work, by the speed of its small slices it would have 2/3. */
static void by_hand(void **state)
{
    problem p = two_hosts(700);
    connect(&p, (int[]){2, 1}, (double[]){INFINITY, INFINITY});
    p.work = p.data = 700;
    sliced s = slice(&p); /* 200 bytes at speed 6 take 33.3 s; 300 at 2 take 150 s, 500 at 5 take 100 s */
    check_valid(&p, &s);
    assert_true(s.count[0] > 260 && s.count[0] < 290); /* x / (14 - 0.04 x) = (700 - x) / 5 */
    CHECK_CLOSE(s.step_time, brute_force(&p, 0, 700), 0);
    p = two_hosts(1400);
    p.work = p.data = 1400;
    connect(&p, (int[]){2, 1}, (double[]){INFINITY, INFINITY});
    s = slice(&p);
    assert_int_equal(s.count[0], 400);
    CHECK_CLOSE(s.step_time, 200, 1e-12);
    connect(&p, (int[]){2, 1}, (double[]){INFINITY, 900});
    s = slice(&p);
    check_valid(&p, &s);
    assert_int_equal(s.count[1], 900);
    CHECK_CLOSE(s.step_time, 250, 1e-12);
}

static void refused(void **state)
{
    problem p = two_hosts(1000);
    connect(&p, (int[]){2, 1}, (double[]){500, 499});
    assert_int_equal(slice(&p).status, HS_ERR_INFEASIBLE);
    connect(&p, (int[]){2, 1}, (double[]){500, 500});
    assert_int_equal(slice(&p).status, HS_OK);
    connect(&p, (int[]){2, 0}, (double[]){999, INFINITY}); /* no points: it cannot compute */
    assert_int_equal(slice(&p).status, HS_ERR_INFEASIBLE);
    connect(&p, (int[]){0, 0}, (double[]){INFINITY, INFINITY});
    assert_int_equal(slice(&p).status, HS_ERR_INFEASIBLE);
    p.work = 0;
    assert_int_equal(slice(&p).status, HS_ERR_ARG);
    hs_slices_params params = params_of(&p);
    params.work = 1000;
    assert_int_equal(hs_slices_compute_by_size(&params, (int64_t[2]){0}, NULL), HS_ERR_INFEASIBLE);
    params.reserved[7] = 1;
    assert_int_equal(hs_slices_compute_by_size(&params, (int64_t[2]){0}, NULL), HS_ERR_ARG);
    assert_int_equal(hs_slices_compute_by_size(NULL, (int64_t[2]){0}, NULL), HS_ERR_ARG);
    p.work = 1000;
    p.point[0][1].speed = 30; /* three times as fast at three times the size */
    connect(&p, (int[]){2, 1}, (double[]){INFINITY, INFINITY});
    assert_int_equal(slice(&p).status, HS_ERR_ARG);
}

static void each_argument_is_asked_for(void **state)
{
    problem p = two_hosts(1000);
    connect(&p, (int[]){2, 1}, (double[]){INFINITY, INFINITY});
    int64_t count[2];
    const hs_slices_params good = params_of(&p);
    hs_slices_params bad[] = {good, good, good, good, good, good};
    bad[0].function = NULL;
    bad[1].comm_time = NULL;
    bad[2].hosts = 0;
    bad[3].units = 0;
    bad[4].work = NAN;
    bad[5].data = 0;
    assert_int_equal(hs_slices_compute_by_size(&good, count, NULL), HS_OK);
    assert_int_equal(hs_slices_compute_by_size(&good, NULL, NULL), HS_ERR_ARG);
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
        assert_int_equal(hs_slices_compute_by_size(&bad[k], count, NULL), HS_ERR_ARG);
}

/* Functions of one point without limits are constant speeds. */
static void one_point_is_a_constant_speed(void **state)
{
    hs__random random = {3};
    for (int trial = 0; trial < 300; trial++) {
        problem p = {.hosts = 1 + (int)hs__random_below(&random, MAX_HOSTS), .work = 64, .data = 64, .minimum = 1};
        double cycle[MAX_HOSTS], step;
        int64_t count[MAX_HOSTS];
        p.units = 64;
        for (int i = 0; i < p.hosts; i++) {
            double speed = 1 + (double)hs__random_below(&random, 9);
            p.point[i][0] = (hs_speed_point){1 + (double)hs__random_below(&random, 100), speed};
            p.function[i] = (hs_speed_function){p.point[i], 1, INFINITY};
            p.comm[i] = (double)hs__random_below(&random, 5);
            cycle[i] = 1 / speed;
        }
        sliced s = slice(&p);
        assert_int_equal(hs_slices_compute(cycle, p.comm, p.hosts, 64, 1, HS_STEP_SERIAL, count, &step), HS_OK);
        check_valid(&p, &s);
        CHECK_CLOSE(s.step_time, step, 1e-12);
    }
}

static void ask_random(hs__random *random, int64_t most_units, problem *made)
{
    *made = (problem){.hosts = 1 + (int)hs__random_below(random, MAX_HOSTS),
                      .units = 1 + hs__random_below(random, most_units),
                      .minimum = 1 + hs__random_below(random, 3),
                      .work = exp(10 * hs__random_unit(random)),
                      .data = exp(10 * hs__random_unit(random)),
                      .model = hs__random_below(random, 2) ? HS_STEP_OVERLAP : HS_STEP_SERIAL};
    for (int i = 0; i < made->hosts; i++) {
        double size = made->data * hs__random_unit(random) / 4 + 1e-3, time = 1;
        int points = (int)hs__random_below(random, MAX_POINTS + 1), limited = hs__random_below(random, 3) == 0;
        for (int k = 0; k < points; k++) {
            made->point[i][k] = (hs_speed_point){size, size / time};
            size *= 1.01 + 2 * hs__random_unit(random);
            time *= 1.01 + 4 * hs__random_unit(random);
        }
        made->function[i] =
            (hs_speed_function){made->point[i], points, limited ? made->data * hs__random_unit(random) : INFINITY};
        made->comm[i] = hs__random_below(random, 2) ? 0 : hs__random_unit(random);
    }
}

static void equals_brute_force(void **state)
{
    hs__random random = {7};
    int feasible = 0;
    for (int trial = 0; trial < 2000; trial++) {
        problem p;
        ask_random(&random, 12, &p);
        double best = brute_force(&p, 0, p.units);
        sliced s = slice(&p);
        if (isinf(best)) {
            assert_int_equal(s.status, HS_ERR_INFEASIBLE);
            continue;
        }
        check_valid(&p, &s);
        assert_true(s.step_time == best);
        feasible++;
    }
    assert_true(feasible > 500);
}

/* Real slices are of equal time, or their host is at its largest, or its messages alone take as long; integer ones of
 * many units come near them from above. */
static void real_slices_take_equal_time(void **state)
{
    hs__random random = {11};
    int feasible = 0;
    for (int trial = 0; trial < 1000; trial++) {
        problem p;
        ask_random(&random, 1, &p);
        p.model = HS_STEP_SERIAL;
        p.minimum = 1;
        hs__level_task task = {
            .function = p.function, .comm_time = p.comm, .hosts = p.hosts, .work = p.work, .data = p.data};
        double time = hs__level_time(&task), base = hs__level_base(&task), sum = 0, room = 0;
        for (int i = 0; i < p.hosts; i++)
            room += p.function[i].points > 0 ? p.function[i].max_size : 0;
        assert_int_equal(isfinite(time), room >= p.data);
        p.units = 10000000;
        sliced s = slice(&p);
        if (room < p.data || s.status == HS_ERR_INFEASIBLE) /* the last unit may not fit */
            continue;
        for (int i = 0; i < p.hosts; i++) {
            const hs_speed_function *f = &p.function[i];
            double size = hs__level_size(&task, i, time), busy = hs__speed_time(f, p.work / p.data, size) + p.comm[i];
            sum += size;
            assert_true(size <= f->max_size);
            if (size > 0 && size < f->max_size)
                CHECK_CLOSE(busy, base + time, 1e-9);
            else
                assert_true(size > 0 ? busy <= (base + time) * (1 + 1e-9)
                                     : f->points == 0 || p.comm[i] >= (base + time) * (1 - 1e-9));
        }
        CHECK_CLOSE(sum / p.data, 1, 1e-9);
        check_valid(&p, &s);
        assert_true(s.step_time >= (base + time) * (1 - 1e-9));
        if (room > p.data * 1.001)
            CHECK_CLOSE(s.step_time / (base + time), 1, 1e-2);
        feasible++;
    }
    assert_true(feasible > 200);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_hand),
        cmocka_unit_test(refused),
        cmocka_unit_test(each_argument_is_asked_for),
        cmocka_unit_test(one_point_is_a_constant_speed),
        cmocka_unit_test(equals_brute_force),
        cmocka_unit_test(real_slices_take_equal_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

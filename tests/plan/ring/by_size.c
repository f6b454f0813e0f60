/* SPDX-License-Identifier: BSD-3-Clause */
/* Rings of hosts whose speed depends on the size of their slice: worked by hand, against every ring, and random ones. */
#include "tests/plan/ring/check.h"
#include "tests/plan/ring/enumerate.h"
#include "util/speed.h"

static void give(hs_platform *p, int host, const hs_speed_point *point, int points, double max_size)
{
    hs_speed_function f = {point, points, max_size};
    assert_int_equal(hs_platform_set_host_speed_function(p, host, &f, NULL), HS_OK);
}

static const hs_speed_point cached[] = {{100, 10}, {300, 2}};

/* Two hosts without messages. The first computes 10 a second in its cache, 2 beyond, and 0.8 where its function does not
 * count; the second 5 always. */
static void by_hand(void **state)
{
    hs_platform *p = star((double[]){0.8, 5}, 2, 1e6);
    hs_ring_params params = asked(1400, 0);
    CHECK_CLOSE(planned_time(p, &params), 1400 / 5.8, 1e-9);
    give(p, 0, cached, 2, INFINITY);
    CHECK_CLOSE(planned_time(p, &params), 1400 / 5.8, 1e-9); /* functions count with data only */
    params.data = 1400;
    hs_ring *ring = planned(p, &params);
    CHECK_CLOSE(hs_ring_step_time(ring), 200, 1e-9); /* 400 at 2, 1000 at 5 */
    CHECK_CLOSE(hs_ring_lower_bound(ring), 200, 1e-9);
    for (int k = 0; k < 2; k++)
        CHECK_CLOSE(hs_ring_share_of(ring, k), hs_ring_host(ring, k) == 0 ? 400 / 1400.0 : 1000 / 1400.0, 1e-9);
    hs_ring_free(ring);
    params.data = 140; /* all in the cache */
    CHECK_CLOSE(planned_time(p, &params), 1400.0 / 15, 1e-9);
    give(p, 0, (hs_speed_point[]){{0.1, 20}}, 1, INFINITY); /* 20 whatever its slice */
    params.data = 0.5;
    CHECK_CLOSE(planned_time(p, &params), 1400.0 / 25, 1e-9);
    hs_platform_free(p);
}

/* The largest slice holds whatever it costs; the host that was left out for its messages is needed for its memory. */
static void limits(void **state)
{
    hs_platform *p = star((double[]){10, 1}, 2, 1);
    hs_ring_params params = asked(1000, 50);
    params.data = 1000;
    hs_ring *ring = planned(p, &params);
    assert_int_equal(hs_ring_size(ring), 1);
    CHECK_CLOSE(hs_ring_step_time(ring), 100, 1e-9);
    hs_ring_free(ring);
    give(p, 0, NULL, 0, 600);
    ring = planned(p, &params);
    assert_int_equal(hs_ring_size(ring), 2);
    CHECK_CLOSE(hs_ring_share_of(ring, hs_ring_host(ring, 1) == 0), 0.6, 1e-9);
    double comm = hs_ring_comm_time(ring, 0);
    CHECK_CLOSE(hs_ring_step_time(ring), comm + 400, 1e-9);
    hs_ring_free(ring);
    params.units = 7; /* of 142.9 bytes */
    ring = planned(p, &params);
    assert_int_equal(hs_ring_units(ring, hs_ring_host(ring, 1) == 0), 4);
    hs_ring_free(ring);
    hs_platform_free(p);
}

static void refused(void **state)
{
    hs_platform *p = star((double[]){10, 1}, 2, 1);
    hs_ring_params params = asked(100, 50);
    hs_ring *ring = NULL;
    hs_error error;
    params.data = 1000;
    give(p, 0, NULL, 0, 600);
    assert_int_equal(hs_ring_create_given(p, &params, (int[]){0}, 1, &ring, &error), HS_ERR_INFEASIBLE);
    CHECK_ERROR(&error, 0, "the largest slices of the ring's hosts are smaller than the data of 1000 bytes");
    give(p, 1, NULL, 0, 399);
    assert_int_equal(hs_ring_create(p, &params, &ring, &error), HS_ERR_INFEASIBLE);
    CHECK_ERROR(&error, 0, "the largest slices of all hosts together are smaller than the data of 1000 bytes");
    params.work = 0;
    assert_int_equal(hs_ring_create(p, &params, &ring, &error), HS_ERR_ARG);
    params.work = 1;
    params.data = -1;
    assert_int_equal(hs_ring_create(p, &params, &ring, &error), HS_ERR_ARG);
    params.data = 1;
    params.speed = (double[]){1, 1};
    assert_int_equal(hs_ring_create(p, &params, &ring, &error), HS_ERR_ARG);
    assert_null(ring);
    hs_platform_free(p);
}

/* A host that is off holds nothing, whatever its function says, and where all are off there is no plan. */
static void hosts_that_are_off(void **state)
{
    for (int on = 0; on < 2; on++) {
        hs_platform *p = star((double[]){on ? 5 : 0, 0}, 2, 1e6);
        hs_ring_params params = asked(1400, 0);
        params.data = 1400;
        give(p, 1, cached, 2, INFINITY);
        hs_ring *ring = NULL;
        hs_error error = {.line = 7};
        hs_status status = hs_ring_create(p, &params, &ring, &error);
        assert_int_equal(status, on ? HS_OK : HS_ERR_INFEASIBLE);
        if (on) {
            check_plan(p, &params, ring);
            assert_int_equal(hs_ring_size(ring), 1);
            assert_int_equal(hs_ring_host(ring, 0), 0);
            CHECK_CLOSE(hs_ring_step_time(ring), 280, 1e-9);
        } else {
            CHECK_ERROR(&error, 0, "no host of the platform can compute");
        }
        hs_ring_free(ring);
        hs_platform_free(p);
    }
}

/* The check finds a plan that another one than the functions made. */
static void damaged(void **state)
{
    hs_platform *p = star((double[]){10, 5}, 2, 1e6);
    hs_ring_params params = asked(1400, 0);
    hs_error error;
    params.data = 1400;
    hs_ring *even = planned(p, &params);
    give(p, 0, cached, 2, INFINITY);
    assert_int_equal(hs_ring_check(p, &params, even, &error), HS_ERR_INTERNAL);
    CHECK_ERROR_SAYS(&error, 0, "computes");
    give(p, 0, NULL, 0, 900);
    assert_int_equal(hs_ring_check(p, &params, even, &error), HS_ERR_INTERNAL);
    CHECK_ERROR_SAYS(&error, 0, "more than its largest slice");
    hs_platform *off = star((double[]){0, 5}, 2, 1e6); /* where the first is off, whatever its function says */
    give(off, 0, cached, 2, INFINITY);
    assert_int_equal(hs_ring_check(off, &params, even, &error), HS_ERR_INTERNAL);
    CHECK_ERROR_SAYS(&error, 0, "at speed 0");
    hs_ring_free(even);
    hs_platform_free(off);
    hs_platform_free(p);
}

/* Gives hosts random functions and limits, their sizes on the scale of `data`. */
static void give_random(hs_platform *p, hs__random *random, double data)
{
    for (int i = 0; i < hs_platform_hosts(p); i++) {
        hs_speed_point point[3];
        double size = data * hs__random_unit(random) / 2 + 1e-3 * data, time = size / hs_platform_host_speed(p, i);
        int points = (int)hs__random_below(random, 4);
        for (int k = 0; k < points; k++) {
            point[k] = (hs_speed_point){size, size / time};
            size *= 1.1 + hs__random_unit(random);
            time *= 1.1 + 3 * hs__random_unit(random);
        }
        give(p, i, point, points, hs__random_below(random, 3) ? INFINITY : data * hs__random_unit(random));
    }
}

/* T of a ring in which all give what they can within T, by bisection on T alone. */
static double time_by_size(const enumeration *e, const int *order, int q, const double *comm)
{
    double low = 0, high = 1e12, largest = 0;
    for (int step = 0; step < 200; step++) {
        double middle = (low + high) / 2, sum = 0;
        for (int k = 0; k < q; k++) {
            hs_speed_function f = *hs_platform_host_speed_function(e->platform, order[k]);
            hs_speed_point constant = {1, hs_platform_host_speed(e->platform, order[k])};
            if (f.points == 0) {
                f.point = &constant;
                f.points = 1;
            }
            double left = e->params->model == HS_STEP_OVERLAP ? middle : middle - comm[k], small = 0,
                   size = fmin(f.max_size, e->params->data);
            for (int inner = 0; inner < 100; inner++) { /* the largest slice within the time that is left */
                double try = inner == 0 ? size : (small + size) / 2;
                int fits = e->params->work * try / e->params->data / hs_speed_at(&f, try) <= left;
                *(fits ? &small : &size) = try;
            }
            sum += small;
        }
        *(sum >= e->params->data ? &high : &low) = middle;
    }
    for (int k = 0; k < q; k++)
        largest = fmax(largest, comm[k]);
    return high > 0.9e12 ? INFINITY : fmax(high, largest);
}

/* The best of all rings over the platform's routes. */
static void try_all(enumeration *e, int *order, int q, unsigned used)
{
    if (q > 0 && (q < 3 || order[1] < order[q - 1])) {
        const int *links[2 * MAX_HOSTS] = {NULL};
        size_t counts[2 * MAX_HOSTS] = {0}, messages = q > 1 ? 2 * (size_t)q : 0;
        double rate[2 * MAX_HOSTS], comm[MAX_HOSTS] = {0};
        for (int f = 0; f < (int)messages; f++) {
            int from, to;
            ends_of(order, q, f, &from, &to);
            links[f] = e->trips[from][to][0].links;
            counts[f] = e->trips[from][to][0].count;
        }
        assert_int_equal(hs_platform_maxmin(e->platform, links, counts, messages, rate), HS_OK);
        for (int f = 0; f < (int)messages; f++)
            comm[f % 2 ? (f / 2 + 1) % q : f / 2] += e->params->halo / rate[f];
        e->best = fmin(e->best, time_by_size(e, order, q, comm));
    }
    for (int host = q ? order[0] + 1 : 0; host < e->hosts; host++)
        if (!(used >> host & 1)) {
            order[q] = host;
            try_all(e, order, q + 1, used | 1u << host);
        }
}

static void equals_every_ring(void **state)
{
    static enumeration e;
    hs__random random = {31};
    int feasible = 0;
    for (int trial = 0; trial < 60; trial++) {
        int hosts = 2 + trial % 3, order[MAX_HOSTS];
        hs_platform *p = random_graph(&random, hosts, 1 + (int)hs__random_below(&random, 4), trial % 3, 3);
        hs_ring_params params = asked(exp(4 * hs__random_unit(&random)), exp(4 * hs__random_unit(&random) - 2));
        params.model = hs__random_below(&random, 4) ? HS_STEP_SERIAL : HS_STEP_OVERLAP;
        params.data = exp(5 * hs__random_unit(&random));
        give_random(p, &random, params.data);
        e = (enumeration){.platform = p, .params = &params, .hosts = hosts, .best = INFINITY};
        assert_true(use_routes(&e));
        try_all(&e, order, 0, 0);
        hs_ring *ring = NULL;
        if (isinf(e.best)) {
            assert_int_equal(hs_ring_create(p, &params, &ring, NULL), HS_ERR_INFEASIBLE);
        } else {
            ring = planned(p, &params);
            CHECK_CLOSE(hs_ring_step_time(ring) / e.best, 1, 1e-9);
            assert_true(hs_ring_lower_bound(ring) <= e.best * (1 + 1e-9));
            feasible++;
        }
        hs_ring_free(ring);
        hs_platform_free(p);
    }
    assert_true(feasible > 40);
}

/* Larger platforms, free routes, every way of sharing, units: plans pass their check. */
static void random_platforms(void **state)
{
    hs__random random = {37};
    for (int trial = 0; trial < 24; trial++) {
        int hosts = 4 + trial % 9;
        hs_platform *p = random_graph(&random, hosts, 3, 3, 3);
        hs_ring_params params = asked(exp(4 * hs__random_unit(&random)), exp(4 * hs__random_unit(&random) - 3));
        params.data = exp(5 * hs__random_unit(&random));
        params.routes = trial % 2 ? HS_RING_ROUTES_FREE : HS_RING_ROUTES_FIXED;
        params.share =
            trial % 3 == 0 ? HS_RING_SHARE_GREEDY : (trial % 3 == 1 ? HS_RING_SHARE_MAXMIN : HS_RING_SHARE_OPTIMAL);
        params.model = trial % 4 == 3 ? HS_STEP_OVERLAP : HS_STEP_SERIAL;
        give_random(p, &random, params.data);
        give(p, 0, NULL, 0, INFINITY);
        hs_ring *ring = planned(p, &params);
        double real = hs_ring_step_time(ring);
        hs_ring_free(ring);
        params.units = 1000;
        ring = planned(p, &params);
        assert_true(params.share == HS_RING_SHARE_GREEDY || hs_ring_step_time(ring) >= real * (1 - 1e-9));
        hs_ring_free(ring);
        hs_platform_free(p);
    }
}

/* A star of six hosts listed backwards, its sizes in other units: the same shares. */
static void order_and_units_do_not_matter(void **state)
{
    enum { HOSTS = 6 };
    hs__random random = {41};
    for (int trial = 0; trial < 20; trial++) {
        double speed[HOSTS], back[HOSTS], share[HOSTS] = {0}, share_back[HOSTS] = {0};
        for (int i = 0; i < HOSTS; i++)
            back[HOSTS - 1 - i] = speed[i] = 1 + 10 * hs__random_unit(&random);
        hs_platform *p = star(speed, HOSTS, 1e3), *q = star(back, HOSTS, 1e3);
        for (int i = 0; i < HOSTS; i++) {
            double size = 1 + 100 * hs__random_unit(&random), most = 200 + 400 * hs__random_unit(&random);
            hs_speed_point point[] = {{size, speed[i]}, {3 * size, speed[i] / 3}};
            give(p, i, point, 2, most);
            for (int k = 0; k < 2; k++)
                point[k].size *= 1024;
            give(q, HOSTS - 1 - i, point, 2, 1024 * most);
        }
        hs_ring_params params = asked(900, 500 * hs__random_unit(&random));
        params.data = 900;
        hs_ring *a = planned(p, &params);
        params.data *= 1024;
        hs_ring *b = planned(q, &params);
        CHECK_CLOSE(hs_ring_step_time(a), hs_ring_step_time(b), 1e-12);
        for (int k = 0; k < hs_ring_size(a); k++)
            share[hs_ring_host(a, k)] = hs_ring_share_of(a, k);
        for (int k = 0; k < hs_ring_size(b); k++)
            share_back[HOSTS - 1 - hs_ring_host(b, k)] = hs_ring_share_of(b, k);
        for (int i = 0; i < HOSTS; i++)
            CHECK_CLOSE(share[i], share_back[i], 1e-12);
        hs_ring_free(a);
        hs_ring_free(b);
        hs_platform_free(p);
        hs_platform_free(q);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_hand),          cmocka_unit_test(limits),
        cmocka_unit_test(refused),          cmocka_unit_test(hosts_that_are_off),
        cmocka_unit_test(damaged),          cmocka_unit_test(equals_every_ring),
        cmocka_unit_test(random_platforms), cmocka_unit_test(order_and_units_do_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

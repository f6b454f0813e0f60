/* SPDX-License-Identifier: BSD-3-Clause */
/* Whole items, latencies and start-ups without results: exact for a given order. */
#include "tests/plan/divisible/oracle.h"

enum { ITEMS = 40 };

/* The notes' dynamic program, section 2, for any star; latency and start-up are paid by hosts that get something. A
 * host with c = 0 is a master: it pays no latency. Costs of the hosts order[0 .. n-1]. */
static double dynamic_program(int n, const hs_divisible_params *p, const int *order, int items)
{
    static double cost[2][ITEMS + 1];
    for (int d = 0; d <= items; d++)
        cost[n & 1][d] = d == 0 ? 0 : INFINITY;
    for (int k = n - 1; k >= 0; k--) {
        int i = order[k];
        double *now = cost[k & 1], *rest = cost[(k + 1) & 1];
        double c = p->comm_time[i], l = p->latency && c > 0 ? p->latency[i] : 0, s = p->startup ? p->startup[i] : 0;
        for (int d = 0; d <= items; d++) {
            now[d] = rest[d];
            for (int e = 1; e <= d; e++)
                now[d] = fmin(now[d], l + e * c + fmax(s + e * p->cycle_time[i], rest[d - e]));
        }
    }
    return cost[0][items];
}

static void random_star(hs__random *random, int n, int coarse, int bus, double *w, double *c)
{
    for (int i = 0; i < n; i++) {
        w[i] = coarse ? 1 + (double)hs__random_below(random, 9) : hs__random_between(random, 0.2, 10);
        c[i] = coarse ? 1 + (double)hs__random_below(random, 6) : hs__random_between(random, 0.05, 6);
        if (bus)
            c[i] = c[0];
    }
    if (hs__random_below(random, 2))
        c[0] = 0;
}

static void shuffle(hs__random *random, int *order, int n)
{
    for (int k = 0; k < n; k++)
        order[k] = k;
    for (int k = n - 1; k > 0; k--) {
        int j = (int)hs__random_below(random, k + 1), t = order[k];
        order[k] = order[j];
        order[j] = t;
    }
}

/* Masters first, as every plan does. */
static void masters_first(int *order, int n, const double *c)
{
    for (int k = 1; k < n; k++)
        for (int j = k; j > 0 && c[order[j]] == 0 && c[order[j - 1]] > 0; j--) {
            int t = order[j];
            order[j] = order[j - 1];
            order[j - 1] = t;
        }
}

static double makespan_of(const hs_divisible_params *p)
{
    hs_divisible *plan = NULL;
    hs_error error;
    if (hs_divisible_create(p, &plan, &error) != HS_OK)
        fail_msg("%s", error.text);
    oracle_check_events(plan, p);
    for (int i = 0; p->items == HS_DIVISIBLE_INTEGER && i < p->hosts; i++)
        assert_true(hs_divisible_load(plan, i) == floor(hs_divisible_load(plan, i)));
    assert_true(hs_divisible_optimal(plan) || p->order == HS_DIVISIBLE_BEST);
    double makespan = hs_divisible_makespan(plan);
    hs_divisible_free(plan);
    return makespan;
}

static void against_the_program(int bus, int affine, uint64_t seed, int trials)
{
    hs__random random = {seed};
    for (int trial = 0; trial < trials; trial++) {
        int n = 1 + (int)hs__random_below(&random, 6), items = 1 + (int)hs__random_below(&random, ITEMS), order[6];
        double w[6], c[6], l[6], s[6];
        random_star(&random, n, trial & 1, bus, w, c);
        for (int i = 0; i < n; i++) {
            l[i] = hs__random_below(&random, 2) ? hs__random_between(&random, 0, 9) : 0;
            s[i] = hs__random_below(&random, 2) ? hs__random_between(&random, 0, 9) : 0;
        }
        shuffle(&random, order, n);
        masters_first(order, n, c);
        hs_divisible_params p = star_of(n, w, c, items);
        p.latency = affine ? l : NULL;
        p.startup = affine ? s : NULL;
        p.items = HS_DIVISIBLE_INTEGER;
        p.order = HS_DIVISIBLE_GIVEN;
        p.send_order = order;
        CHECK_CLOSE(makespan_of(&p), dynamic_program(n, &p, order, items), 1e-13);
    }
}

static void integer_bus_equals_the_notes_program(void **state)
{
    against_the_program(1, 0, 11, 2000);
}

static void integer_star_equals_the_notes_program(void **state)
{
    against_the_program(0, 0, 12, 4000);
}

static void integer_affine_equals_the_notes_program(void **state)
{
    against_the_program(0, 1, 13, 4000);
    against_the_program(1, 1, 14, 2000);
}

/* Real loads with latencies and start-ups: the best of all subsets that keep the order, each in equal-finish form or,
 * when that is not valid, worse than another subset. */
static double best_subset(const hs_divisible_params *p, const int *order)
{
    double best = INFINITY;
    for (int set = 1; set < 1 << p->hosts; set++) {
        double a[ORACLE_MAX][ORACLE_MAX] = {{0}}, b[ORACLE_MAX] = {0}, x[ORACLE_MAX], latency = 0;
        int n = 0, host[ORACLE_MAX];
        for (int k = 0; k < p->hosts; k++)
            if (set >> k & 1)
                host[n++] = order[k];
        for (int k = 0; k < n; k++) { /* unknowns: n loads, then T */
            int i = host[k], master = p->comm_time[i] == 0;
            latency += master ? 0 : p->latency[i];
            for (int j = 0; j <= k; j++)
                a[k][j] = p->comm_time[host[j]] * !master;
            a[k][k] += p->cycle_time[i];
            a[k][n] = -1;
            b[k] = -(p->startup[i] + (master ? 0 : latency));
            a[n][k] = 1;
        }
        b[n] = p->load;
        if (oracle_solve(n + 1, a, b, x) && oracle_sum_if_valid(n, x) > 0)
            best = fmin(best, x[n]);
    }
    return best;
}

static void affine_resource_selection(void **state)
{
    hs__random random = {15};
    for (int trial = 0; trial < 1500; trial++) {
        int n = 1 + (int)hs__random_below(&random, 6), order[6];
        double w[6], c[6], l[6], s[6];
        random_star(&random, n, 0, trial & 1, w, c);
        for (int i = 0; i < n; i++) {
            l[i] = hs__random_between(&random, 0, 9);
            s[i] = hs__random_between(&random, 0, 9);
        }
        shuffle(&random, order, n);
        masters_first(order, n, c);
        hs_divisible_params p = star_of(n, w, c, hs__random_between(&random, 0.5, 30));
        p.latency = l;
        p.startup = s;
        p.order = HS_DIVISIBLE_GIVEN;
        p.send_order = order;
        CHECK_CLOSE(makespan_of(&p), best_subset(&p, order), 1e-9);
    }
}

/* The seismic events of 1999 on 16 workers: two days for the notes' program. The real optimum bounds it from below. */
static void seismic_tomography(void **state)
{
    hs__random random = {16};
    for (int trial = 0; trial < 20; trial++) {
        double w[16], c[16], least = INFINITY;
        for (int i = 0; i < 16; i++) {
            w[i] = hs__random_between(&random, 0.004, 0.016);
            c[i] = trial & 1 ? 1e-5 : hs__random_between(&random, 1e-5, 1e-3);
            least = fmin(least, w[i] + c[i]);
        }
        hs_divisible_params p = star_of(16, w, c, 817101);
        hs_divisible *real = NULL;
        assert_int_equal(hs_divisible_create(&p, &real, NULL), HS_OK);
        p.items = HS_DIVISIBLE_INTEGER;
        p.order = trial & 2 ? HS_DIVISIBLE_GIVEN : HS_DIVISIBLE_BEST;
        double makespan = makespan_of(&p);
        assert_true(makespan >= hs_divisible_makespan(real) * (1 - 1e-12));
        if (!(trial & 2))
            assert_true(makespan <= hs_divisible_makespan(real) * (1 + 17.0 / 817101));
        hs_divisible_free(real);
    }
}

static double best_of_two(const double *cycle_time, const double *comm_time, const double *latency,
                          const double *startup, double load)
{
    hs_divisible_params p = star_of(2, cycle_time, comm_time, load);
    hs_divisible *plan = NULL;
    p.latency = latency;
    p.startup = startup;
    p.items = HS_DIVISIBLE_INTEGER;
    assert_int_equal(hs_divisible_create(&p, &plan, NULL), HS_OK);
    assert_int_equal(hs_divisible_optimal(plan), 1);
    double makespan = hs_divisible_makespan(plan);
    hs_divisible_free(plan);
    return makespan;
}

/* In a start-up there is time for so many items that not all their numbers can be looked at. By hand: host 0 takes n with
 * 10 + 1.1e-6 n = 1 + 1e-7 n + 3e-6 (1e7 - n), both in microseconds an item; with equal start-ups without the 9 s. */
static void long_start_ups(void **state)
{
    const double w[] = {1e-6, 2e-6}, c[] = {1e-7, 1e-6}, long_ones[] = {10, 10}, unlike[] = {10, 1};
    CHECK_CLOSE(best_of_two(w, c, NULL, long_ones, 1e7), 10 + 8.25, 1e-6);
    CHECK_CLOSE(best_of_two(w, c, NULL, unlike, 1e7), 10 + 1.1e-6 * (1 + 30 - 10) / 4e-6, 1e-6);
}

/* Beside a latency all items are lost in rounding, and no number of them takes longer than another. */
static void items_of_next_to_no_time(void **state)
{
    const double w[] = {1e-30, 1}, c[] = {1e-30, 1e-3}, latency[] = {1, 1};
    CHECK_CLOSE(best_of_two(w, c, latency, NULL, 1e12), 1, 0);
}

/* The optimum over all orders, and what best makes of it: the order matters, on a bus too. */
static void every_order(void **state)
{
    hs__random random = {17};
    double by_bandwidth = 1, best = 1, excess = 0;
    int trials = 200;
    for (int trial = 0; trial < trials; trial++) {
        int n = 3 + (int)hs__random_below(&random, 3), items = 3 + (int)hs__random_below(&random, 20);
        int order[6] = {0, 1, 2, 3, 4, 5};
        double w[6], c[6], l[6], s[6], least = INFINITY, first = 0;
        random_star(&random, n, trial & 1, trial & 2, w, c);
        for (int i = 0; i < n; i++) {
            l[i] = hs__random_between(&random, 0, 3);
            s[i] = hs__random_between(&random, 0, 3);
        }
        hs_divisible_params p = star_of(n, w, c, items);
        p.latency = trial & 4 ? l : NULL;
        p.startup = trial & 4 ? s : NULL;
        p.items = HS_DIVISIBLE_INTEGER;
        do {
            int settled[6];
            memcpy(settled, order, sizeof settled);
            masters_first(settled, n, c);
            least = fmin(least, dynamic_program(n, &p, settled, items));
        } while (oracle_next(n, order));
        p.order = HS_DIVISIBLE_EXACT;
        CHECK_CLOSE(makespan_of(&p), least, 1e-13);
        p.order = HS_DIVISIBLE_FIFO;
        first = makespan_of(&p) / least;
        p.order = HS_DIVISIBLE_BEST;
        double found = makespan_of(&p) / least;
        assert_true(found <= first * (1 + 1e-12));
        by_bandwidth = fmax(by_bandwidth, first);
        best = fmax(best, found);
        excess += found - 1;
    }
    assert_true(by_bandwidth > 1.05);
    assert_true(best < 1.05);
    assert_true(excess / trials < 0.002);
}

static void fewer_items_than_workers(void **state)
{
    const double w[] = {9, 1, 5, 1}, c[] = {1, 1, 1, 1};
    hs_divisible_params p = star_of(4, w, c, 2);
    hs_divisible *plan = NULL;
    p.items = HS_DIVISIBLE_INTEGER;
    assert_int_equal(hs_divisible_create(&p, &plan, NULL), HS_OK);
    CHECK_CLOSE(hs_divisible_makespan(plan), 3, 0);
    assert_int_equal(hs_divisible_count(plan, 1) + hs_divisible_count(plan, 3), 2);
    hs_divisible_free(plan);
}

/* More partial loads than the search follows, all the fewer the more hosts there are; most hosts are of no use here. Then
 * the answer takes no longer than what is filled in first, each host in turn with all it can do, and is not called optimal
 * when it is not. */
static void too_much_to_search(void **state)
{
    enum { MANY = 1000, USEFUL = 3 };
    static const struct {
        double w[USEFUL], c[USEFUL], l[USEFUL], s[USEFUL], filled, optimum;
    } row[] = {
        /* hosts 1 and 2 end together */
        {{1e12, 1, 2}, {3, 2, 1}, {0}, {0, 0, 50000}, 262500, 262500},
        /* host 2 is filled first since it is nearer: 300000 + 1.2 x 100000; host 1 alone takes 3 x 100000 */
        {{1e12, 1, .2}, {3, 2, 1}, {0}, {0, 0, 300000}, 420000, 300000},
        /* filled: 120000 + 180000, of which host 0 takes 3 x 60000 and host 1 3 x 40000; without host 0, 3 x 800000 / 9 */
        {{2, 1, 2.5}, {1, 2, 1}, {120000}, {0, 0, 50000}, 300000, 800000. / 3},
    };
    double w[MANY], c[MANY], l[MANY] = {0}, s[MANY] = {0};
    hs_divisible_params p = star_of(MANY, w, c, 100000);
    for (int i = 0; i < MANY; i++) {
        w[i] = 1e12;
        c[i] = 3;
    }
    p.latency = l;
    p.startup = s;
    p.items = HS_DIVISIBLE_INTEGER;
    p.order = HS_DIVISIBLE_GIVEN;
    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        hs_divisible *plan = NULL;
        memcpy(w, row[k].w, sizeof row[k].w);
        memcpy(c, row[k].c, sizeof row[k].c);
        memcpy(l, row[k].l, sizeof row[k].l);
        memcpy(s, row[k].s, sizeof row[k].s);
        assert_int_equal(hs_divisible_create(&p, &plan, NULL), HS_OK);
        oracle_check_events(plan, &p);
        double makespan = hs_divisible_makespan(plan);
        assert_true(makespan <= row[k].filled + 3); /* an item more or less of a host */
        assert_true(!hs_divisible_optimal(plan) || makespan <= row[k].optimum + 3);
        hs_divisible_free(plan);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integer_bus_equals_the_notes_program),
        cmocka_unit_test(integer_star_equals_the_notes_program),
        cmocka_unit_test(integer_affine_equals_the_notes_program),
        cmocka_unit_test(affine_resource_selection),
        cmocka_unit_test(seismic_tomography),
        cmocka_unit_test(every_order),
        cmocka_unit_test(fewer_items_than_workers),
        cmocka_unit_test(too_much_to_search),
        cmocka_unit_test(long_start_ups),
        cmocka_unit_test(items_of_next_to_no_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* The exact search against trying every subset and every pair of orders, and best against the exact search. */
#include "tests/plan/divisible/oracle.h"

static double planned(const hs_divisible_params *p, int *optimal)
{
    hs_divisible *plan = NULL;
    hs_error error;
    if (hs_divisible_create(p, &plan, &error) != HS_OK)
        fail_msg("%s", error.text);
    oracle_check_events(plan, p);
    double makespan = hs_divisible_makespan(plan);
    assert_true(makespan >= hs_divisible_lower_bound(plan) * (1 - 1e-9) || p->rounds > 1);
    if (optimal)
        *optimal = hs_divisible_optimal(plan);
    hs_divisible_free(plan);
    return makespan;
}

static void random_problem(hs__random *random, int m, hs_divisible_params *p, double *w, double *c)
{
    double spread_c = pow(10, hs__random_between(random, 0, 2)), spread_w = pow(10, hs__random_between(random, 0, 2));
    double scale = pow(10, hs__random_between(random, -1.5, 1.5));
    for (int i = 0; i < m; i++) {
        c[i] = hs__random_between(random, 1, spread_c);
        w[i] = scale * hs__random_between(random, 1, spread_w);
    }
    *p = star_of(m, w, c, 1);
    p->results = hs__random_between(random, 0.05, 1.6);
}

static void equals_brute_force(void **state)
{
    hs__random random = {31};
    for (int trial = 0; trial < 260; trial++) {
        int m = trial < 200 ? 1 + trial % 3 : 4, optimal;
        double w[4], c[4];
        hs_divisible_params p;
        random_problem(&random, m, &p, w, c);
        for (int port = 0; port < 2; port++) {
            p.port = (hs_divisible_port)port;
            double best = oracle_best_rate(m, w, c, p.results, p.port == HS_DIVISIBLE_ONE_PORT);
            p.order = HS_DIVISIBLE_EXACT;
            CHECK_CLOSE(planned(&p, &optimal) * best, 1, 1e-8);
            assert_true(optimal);
            p.order = HS_DIVISIBLE_BEST;
            CHECK_CLOSE(planned(&p, &optimal) * best, 1, 1e-8);
            assert_true(optimal);
        }
    }
}

/* A master that computes only adds its own rate. */
static void with_a_computing_master(void **state)
{
    hs__random random = {32};
    for (int trial = 0; trial < 60; trial++) {
        double w[4], c[4];
        hs_divisible_params p;
        random_problem(&random, 3, &p, w, c);
        c[3] = 0;
        w[3] = hs__random_between(&random, 1, 100);
        p.port = (hs_divisible_port)(trial & 1);
        double best = 1 / w[3] + oracle_best_rate(3, w, c, p.results, p.port == HS_DIVISIBLE_ONE_PORT);
        p.hosts = 4;
        p.order = HS_DIVISIBLE_EXACT;
        CHECK_CLOSE(planned(&p, NULL) * best, 1, 1e-8);
    }
}

/* Duplex is never slower than one-port, and in some cases faster. */
static void port_models_differ(void **state)
{
    hs__random random = {33};
    int faster = 0;
    for (int trial = 0; trial < 100; trial++) {
        double w[4], c[4];
        hs_divisible_params p;
        random_problem(&random, 4, &p, w, c);
        double one_port = planned(&p, NULL);
        p.port = HS_DIVISIBLE_DUPLEX;
        double duplex = planned(&p, NULL);
        assert_true(duplex <= one_port * (1 + 1e-8));
        faster += duplex < one_port * (1 - 1e-6);
    }
    assert_true(faster > 20);
}

/* Latencies and start-ups: all subsets, all orders, all rows tight or (one-port) one loose and the port always busy, or
 * two of them; the loads and T are the unknowns. */
static double affine_rows(int n, const hs_divisible_params *p, const int *send, const int *collect)
{
    double best = INFINITY;
    int one_port = p->port == HS_DIVISIBLE_ONE_PORT;
    for (int loose = -1; loose < (one_port ? n : 0); loose++) {
        double a[ORACLE_MAX][ORACLE_MAX] = {{0}}, b[ORACLE_MAX] = {0}, x[ORACLE_MAX], row[ORACLE_MAX], right = 0;
        oracle_rows(n, p->cycle_time, p->comm_time, p->results, send, collect, a);
        for (int k = 0; k < n; k++) {
            b[k] = -p->startup[send[k]];
            for (int j = 0; j <= k; j++)
                b[k] -= p->latency[send[j]];
            for (int j = n - 1, seen = 0; j >= 0 && !seen; j--) {
                b[k] -= p->latency[collect[j]];
                seen = collect[j] == send[k];
            }
            a[k][n] = -1;
        }
        double port_latency = 0;
        for (int k = 0; k < n; k++)
            port_latency += 2 * p->latency[send[k]];
        if (loose >= 0) {
            memcpy(row, a[loose], sizeof row);
            right = b[loose];
            for (int k = 0; k < n; k++)
                a[loose][k] = (1 + p->results) * p->comm_time[send[k]];
            b[loose] = -port_latency;
        }
        for (int k = 0; k < n; k++)
            a[n][k] = 1;
        b[n] = p->load;
        if (!oracle_solve(n + 1, a, b, x) || oracle_sum_if_valid(n, x) <= 0)
            continue;
        double port = port_latency, loose_row = -right;
        for (int k = 0; k < n; k++) {
            port += (1 + p->results) * p->comm_time[send[k]] * x[k];
            loose_row += loose >= 0 ? row[k] * x[k] : 0;
        }
        if ((!one_port || port <= x[n] * (1 + 1e-9)) && (loose < 0 || loose_row <= x[n] * (1 + 1e-9)))
            best = fmin(best, x[n]);
    }
    return best;
}

static double affine_brute_force(const hs_divisible_params *p)
{
    double best = INFINITY;
    for (int set = 1; set < 1 << p->hosts; set++) {
        int send[4], collect[4], n = 0;
        for (int i = 0; i < p->hosts; i++)
            if (set >> i & 1)
                send[n++] = i;
        do {
            int k = 0;
            for (int i = 0; i < p->hosts; i++)
                if (set >> i & 1)
                    collect[k++] = i;
            do
                best = fmin(best, affine_rows(n, p, send, collect));
            while (oracle_next(n, collect));
        } while (oracle_next(n, send));
    }
    return best;
}

static void affine_equals_brute_force(void **state)
{
    hs__random random = {34};
    double worst = 1;
    for (int trial = 0; trial < 120; trial++) {
        int m = 2 + trial % 2;
        double w[4], c[4], l[4], s[4];
        hs_divisible_params p;
        random_problem(&random, m, &p, w, c);
        for (int i = 0; i < m; i++) {
            l[i] = hs__random_between(&random, 0, 2);
            s[i] = hs__random_between(&random, 0, 2);
        }
        p.latency = l;
        p.startup = s;
        p.load = hs__random_between(&random, 0.2, 5);
        p.port = (hs_divisible_port)(trial & 1);
        p.order = HS_DIVISIBLE_EXACT;
        double best = affine_brute_force(&p);
        CHECK_CLOSE(planned(&p, NULL) / best, 1, 1e-8);
        p.order = HS_DIVISIBLE_BEST;
        worst = fmax(worst, planned(&p, NULL) / best);
    }
    assert_true(worst < 1.1);
}

/* Never worse than the best of the three, in all models; within 1 % of the optimum on average, without the exact search
 * that a small budget cuts off. */
static void best_keeps_its_word(void **state)
{
    hs__random random = {35};
    double excess = 0;
    int cases = 0;
    for (int trial = 0; trial < 150; trial++) {
        double w[6], c[6];
        hs_divisible_params p;
        random_problem(&random, 2 + trial % 5, &p, w, c);
        p.port = (hs_divisible_port)(trial & 1);
        p.items = trial & 2 ? HS_DIVISIBLE_INTEGER : HS_DIVISIBLE_REAL;
        p.load = 50 + trial;
        p.budget = 300;
        double best = planned(&p, NULL);
        for (int kind = HS_DIVISIBLE_FIFO; kind <= HS_DIVISIBLE_SPORT; kind++) {
            p.order = (hs_divisible_order)kind;
            assert_true(best <= planned(&p, NULL) * (1 + 1e-12));
        }
        if (p.items == HS_DIVISIBLE_INTEGER)
            continue;
        p.order = HS_DIVISIBLE_EXACT;
        excess += best / planned(&p, NULL) - 1;
        cases++;
    }
    assert_true(excess / cases < 0.01);
}

/* Nine workers with latencies have more send orders than are tried: the best one found is not said to be optimal, as the
 * loads for its order are. Of three all are tried. */
static void only_what_is_proved_is_called_optimal(void **state)
{
    static const double w[] = {3, 1, 4, 1.5, 5, 9, 2, 6, 5.3}, c[] = {.2, .7, .1, .8, .28, .18, .4, .3, .5};
    static const double latency[] = {.5, .1, .9, .3, .2, .6, .4, .8, .7};
    for (int hosts = 3; hosts <= 9; hosts += 6) {
        int optimal = -1;
        hs_divisible_params p = star_of(hosts, w, c, 100);
        p.latency = latency;
        planned(&p, &optimal);
        assert_int_equal(optimal, hosts == 3);
    }
}

/* Eight workers, and a master that computes; with latencies, too. Their messages are so short that no order is better. */
static void as_many_as_exact_takes(void **state)
{
    static const double w[] = {8, 7, 6, 5, 4, 3, 2, 1, 9};
    static const double short_time[] = {1e-13, 1e-13, 1e-13, 1e-13, 1e-13, 1e-13, 1e-13, 1e-13, 0};
    for (int k = 0; k < 4; k++) {
        int optimal = 0;
        hs_divisible_params p = star_of(8 + k % 2, w, short_time, 100);
        p.latency = k / 2 ? short_time : NULL;
        p.results = .5;
        p.order = HS_DIVISIBLE_BEST;
        double best = planned(&p, NULL);
        p.order = HS_DIVISIBLE_EXACT;
        assert_true(planned(&p, &optimal) <= best * (1 + 1e-9) && optimal);
    }
}

static void too_many_for_exact(void **state)
{
    double w[9], c[9];
    hs_divisible *plan = NULL;
    hs_error error = {.line = 7};
    hs_divisible_params p;
    hs__random random = {36};
    random_problem(&random, 9, &p, w, c);
    p.order = HS_DIVISIBLE_EXACT;
    assert_int_equal(hs_divisible_create(&p, &plan, &error), HS_ERR_UNSUPPORTED);
    assert_null(plan);
    CHECK_ERROR_SAYS(&error, 0, "at most 8");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_brute_force),     cmocka_unit_test(with_a_computing_master),
        cmocka_unit_test(port_models_differ),     cmocka_unit_test(affine_equals_brute_force),
        cmocka_unit_test(best_keeps_its_word),    cmocka_unit_test(only_what_is_proved_is_called_optimal),
        cmocka_unit_test(as_many_as_exact_takes), cmocka_unit_test(too_many_for_exact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

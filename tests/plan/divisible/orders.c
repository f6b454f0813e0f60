/* SPDX-License-Identifier: BSD-3-Clause */
/* FIFO, LIFO and SPORT: the published formulas, and valid schedules from them in both port models. */
#include "tests/plan/divisible/oracle.h"

static void random_workers(hs__random *random, int m, double *w, double *c)
{
    static const double low_c[] = {1, 1, 10, 10, 100}, high_c[] = {10, 100, 100, 1000, 1000};
    static const double low_e[] = {1, 10, 100, 1, 10}, high_e[] = {10, 100, 1000, 100, 1000};
    int kind_c = (int)hs__random_below(random, 5), kind_e = (int)hs__random_below(random, 5);
    for (int i = 0; i < m; i++) {
        c[i] = hs__random_between(random, low_c[kind_c], high_c[kind_c]);
        w[i] = hs__random_between(random, low_e[kind_e], high_e[kind_e]);
    }
}

static void by_bandwidth(int m, const double *c, int *order)
{
    for (int k = 0; k < m; k++) {
        int at = k;
        for (; at > 0 && c[order[at - 1]] > c[k]; at--)
            order[at] = order[at - 1];
        order[at] = k;
    }
}

/* Algorithm 1, steps 1 and 2, word for word: with the shift of step 2(d)i from k - 1 down to 1. */
static void published_sequences(int m, const double *e, const double *c, double d, int *send, int *collect)
{
    by_bandwidth(m, c, send);
    collect[0] = send[0];
    double c1 = c[send[0]], e1 = e[send[0]];
    for (int k = 1; k < m; k++) {
        double c2 = c[send[k]], e2 = e[send[k]];
        if (c1 * c2 * (e1 + c2 + e2 + d * c2) / ((c1 + e1 + d * c1) * (c2 + e2 + d * c2)) >= c2 - c1) {
            collect[k] = send[k];
            double sum = e1 + e2 + d * c1 + c2, next = (c1 * c2 + c1 * e2 + c2 * e1 + d * c1 * c2) / sum;
            e1 = (e1 * e2 - d * c1 * c2) / sum;
            c1 = next;
        } else {
            for (int j = k; j > 0; j--)
                collect[j] = collect[j - 1];
            collect[0] = send[k];
            double sum = e1 + e2 + d * c2 + c2, next = (c1 * c2 + c1 * e2 + c2 * e1 + d * c1 * c2) / sum;
            e1 = e1 * e2 / sum;
            c1 = next;
        }
    }
}

/* Steps 3 and 4 as published: m - 1 differences of neighbours' rows, and sum = 1. */
static int published_shares(int m, const double *e, const double *c, double d, const int *send, const int *collect,
                            double *share)
{
    double a[ORACLE_MAX][ORACLE_MAX] = {{0}}, b[ORACLE_MAX] = {0}, x[ORACLE_MAX];
    int place[ORACLE_MAX];
    for (int j = 0; j < m; j++)
        place[collect[j]] = j;
    for (int k = 0; k + 1 < m; k++) {
        int i = send[k], u = send[k + 1];
        a[k][i] += e[i];
        a[k][u] -= c[u] + e[u];
        if (place[u] > place[i])
            for (int j = place[i]; j < place[u]; j++)
                a[k][collect[j]] += d * c[collect[j]];
        else
            for (int j = place[u]; j < place[i]; j++)
                a[k][collect[j]] -= d * c[collect[j]];
    }
    for (int j = 0; j < m; j++)
        a[m - 1][j] = 1;
    b[m - 1] = 1;
    if (!oracle_solve(m, a, b, x))
        return 0;
    memcpy(share, x, (size_t)m * sizeof *share);
    return 1;
}

/* The O(m) loads are those of the published linear system, negative ones included. */
static void sport_equals_the_published_system(void **state)
{
    hs__random random = {21};
    int negative = 0;
    for (int trial = 0; trial < 20000; trial++) {
        int m = 1 + (int)hs__random_below(&random, ORACLE_MAX), send[ORACLE_MAX], collect[ORACLE_MAX];
        int send_here[ORACLE_MAX], collect_here[ORACLE_MAX];
        double w[ORACLE_MAX], c[ORACLE_MAX], d = hs__random_between(&random, 0, 1), share[ORACLE_MAX],
                                             share_here[ORACLE_MAX], makespan, largest = 0;
        random_workers(&random, m, w, c);
        published_sequences(m, w, c, d, send, collect);
        assert_true(published_shares(m, w, c, d, send, collect, share));
        assert_int_equal(hs_divisible_sport(w, c, m, d, send_here, collect_here, share_here, &makespan), HS_OK);
        assert_memory_equal(send, send_here, (size_t)m * sizeof *send);
        assert_memory_equal(collect, collect_here, (size_t)m * sizeof *collect);
        int below = 0;
        for (int i = 0; i < m; i++) {
            largest = fmax(largest, fabs(share[i]));
            below |= share[i] < 0;
        }
        for (int i = 0; i < m; i++)
            CHECK_CLOSE(share_here[i] / largest, share[i] / largest, 1e-8);
        double rate = 0;
        assert_true(oracle_equal_finish(m, w, c, d, send, collect, share));
        for (int i = 0; i < m; i++)
            rate += share[i];
        CHECK_CLOSE(makespan * rate, 1, 1e-8);
        negative += below;
    }
    assert_true(negative > 0);
}

/* The same at size: every worker of Eq. 1 finishes at once, checked with prefix sums. */
static void sport_loads_at_size(void **state)
{
    enum { MANY = 10000 };
    double *w = calloc(MANY, sizeof *w), *c = calloc(MANY, sizeof *c), *share = calloc(MANY, sizeof *share);
    double *row = calloc(MANY, sizeof *row), makespan, sum = 0, d = 0.5;
    int *send = calloc(MANY, sizeof *send), *collect = calloc(MANY, sizeof *collect);
    hs__random random = {22};
    for (int i = 0; i < MANY; i++) {
        w[i] = hs__random_between(&random, 1e6, 1e7);
        c[i] = hs__random_between(&random, 1, 100);
    }
    assert_int_equal(hs_divisible_sport(w, c, MANY, d, send, collect, share, &makespan), HS_OK);
    double sent = 0, returned = 0;
    for (int k = 0; k < MANY; k++) {
        sent += c[send[k]] * share[send[k]];
        row[send[k]] += sent + w[send[k]] * share[send[k]];
        sum += share[k];
    }
    for (int k = MANY - 1; k >= 0; k--) {
        returned += d * c[collect[k]] * share[collect[k]];
        row[collect[k]] += returned;
    }
    CHECK_CLOSE(sum, 1, 1e-12);
    for (int i = 0; i < MANY; i++)
        CHECK_CLOSE(row[i] / makespan, 1, 1e-9);
    free(collect);
    free(send);
    free(row);
    free(share);
    free(c);
    free(w);
}

static double plan_makespan(hs_divisible_params *p, hs_divisible_order order, int *all_take_part)
{
    hs_divisible *plan = NULL;
    hs_error error;
    p->order = order;
    if (hs_divisible_create(p, &plan, &error) != HS_OK)
        fail_msg("%s", error.text);
    oracle_check_events(plan, p);
    *all_take_part = hs_divisible_load(plan, hs_divisible_send_host(plan, p->hosts - 1)) > 0;
    double makespan = hs_divisible_makespan(plan);
    hs_divisible_free(plan);
    return makespan;
}

/* FIFO, LIFO and SPORT give valid schedules that are at least as good as the published ones where those are valid, and
 * the same where all take part. Without a master that computes. */
static void valid_and_no_worse(void **state)
{
    static const hs_divisible_order kinds[] = {HS_DIVISIBLE_FIFO, HS_DIVISIBLE_LIFO, HS_DIVISIBLE_SPORT};
    hs__random random = {23};
    int equal = 0, better = 0;
    for (int trial = 0; trial < 1500; trial++) {
        int m = 2 + (int)hs__random_below(&random, 5), send[ORACLE_MAX], collect[ORACLE_MAX], all;
        double w[ORACLE_MAX], c[ORACLE_MAX], share[ORACLE_MAX];
        random_workers(&random, m, w, c);
        hs_divisible_params p = star_of(m, w, c, 3);
        p.results = hs__random_between(&random, 0.05, 1.5);
        for (int port = 0; port < 2; port++)
            for (int kind = 0; kind < 3; kind++) {
                p.port = (hs_divisible_port)port;
                published_sequences(m, w, c, p.results, send, collect);
                for (int k = 0; k < m && kind < 2; k++)
                    collect[k] = send[kind == 0 ? k : m - 1 - k];
                double planned = plan_makespan(&p, kinds[kind], &all), sum = 0, port_busy = 0;
                assert_true(oracle_equal_finish(m, w, c, p.results, send, collect, share));
                int valid = 1;
                for (int i = 0; i < m; i++) {
                    sum += share[i];
                    port_busy += (1 + p.results) * c[i] * share[i];
                    valid &= share[i] >= 0;
                }
                valid &= port == HS_DIVISIBLE_DUPLEX || port_busy <= 1;
                if (!valid)
                    continue;
                assert_true(planned <= 3 / sum * (1 + 1e-9));
                equal += planned > 3 / sum * (1 - 1e-9);
                better += planned < 3 / sum * (1 - 1e-9);
                if (kind == 1)
                    CHECK_CLOSE(planned, 3 / sum, 1e-9);
            }
    }
    assert_true(equal > 1000 && better > 0);
}

/* Leaving hosts out of the same sequences: the optimum over all subsets. In the one-port model the program finds it, in
 * the duplex model all subsets are tried. */
static void leaving_out(void **state)
{
    hs__random random = {24};
    for (int trial = 0; trial < 600; trial++) {
        double w[5], c[5], best = 0;
        int order[5], reverse_middle[5], all;
        random_workers(&random, 5, w, c);
        by_bandwidth(5, c, order);
        hs_divisible_params p = star_of(5, w, c, 1);
        p.results = hs__random_between(&random, 0.1, 1);
        p.port = (hs_divisible_port)(trial & 1);
        for (int k = 0; k < 5; k++)
            reverse_middle[k] = trial & 2 ? order[k] : order[(k + 2) % 5];
        p.send_order = order;
        p.collect_order = reverse_middle;
        for (int set = 1; set < 32; set++) {
            int send[5], collect[5], n = 0, k = 0;
            for (int i = 0; i < 5; i++) {
                if (set >> order[i] & 1)
                    send[n++] = order[i];
                if (set >> reverse_middle[i] & 1)
                    collect[k++] = reverse_middle[i];
            }
            best = fmax(best, oracle_rate(n, w, c, p.results, p.port == HS_DIVISIBLE_ONE_PORT, send, collect));
        }
        double ratio = plan_makespan(&p, HS_DIVISIBLE_GIVEN, &all) * best;
        CHECK_CLOSE(ratio, 1, 1e-9);
    }
}

/* Above the size of the linear program: FIFO and SPORT by their chains. The leading hosts alone, planned with the
 * program, say what the chains should reach when the others hardly matter. */
static void chains_at_size(void **state)
{
    enum { MANY = 600, FEW = 500 };
    double w[MANY], c[MANY];
    hs__random random = {25};
    for (int trial = 0; trial < 4; trial++) {
        int all;
        for (int i = 0; i < MANY; i++) {
            w[i] = hs__random_between(&random, 100, 1000);
            c[i] = 1 + 0.01 * i;
        }
        hs_divisible_params p;
        hs_divisible_params_init(&p);
        p.cycle_time = w;
        p.comm_time = c;
        p.load = 1e6;
        p.results = 0.4;
        p.port = (hs_divisible_port)(trial & 1);
        for (int kind = HS_DIVISIBLE_FIFO; kind <= HS_DIVISIBLE_SPORT; kind++) {
            p.hosts = FEW;
            double few = plan_makespan(&p, (hs_divisible_order)kind, &all);
            p.hosts = MANY;
            double many = plan_makespan(&p, (hs_divisible_order)kind, &all);
            assert_true(many <= few * 1.02);
        }
    }
}

/* A master gets its items at once and computes to the end, however many workers it serves, and also when there are no
 * workers at all. With the last workers it is no slower than the program says that it is without them. */
static void masters_at_size(void **state)
{
    enum { MANY = 600, FEW = 500 };
    double w[MANY], c[MANY];
    int all;
    hs__random random = {26};
    for (int masters = 1; masters <= MANY; masters += MANY - 1) {
        for (int i = 0; i < MANY; i++) {
            w[i] = hs__random_between(&random, 100, 1000);
            c[i] = i < masters ? 0 : 1 + 0.01 * i;
        }
        hs_divisible_params p = star_of(MANY, w, c, 1e6);
        p.results = 0.4;
        for (p.order = HS_DIVISIBLE_FIFO; p.order <= HS_DIVISIBLE_SPORT; p.order++) {
            hs_divisible *plan = NULL;
            assert_int_equal(hs_divisible_create(&p, &plan, NULL), HS_OK);
            oracle_check_events(plan, &p);
            for (int i = 0; i < masters; i++)
                CHECK_CLOSE(w[i] * hs_divisible_load(plan, i) / hs_divisible_makespan(plan), 1, 1e-9);
            p.hosts = FEW;
            assert_true(hs_divisible_makespan(plan) <= plan_makespan(&p, p.order, &all) * 1.02);
            p.hosts = MANY;
            hs_divisible_free(plan);
        }
    }
}

enum { SEARCHED = 11 };

/* Moves a host from one place of an order to another. */
static void move(int *order, int from, int to)
{
    int host = order[from], step = to > from ? 1 : -1;
    for (int k = from; k != to; k += step)
        order[k] = order[k + step];
    order[to] = host;
}

/* The shortest plan of all in which one host has another place in an order of this plan. */
static double best_move(hs_divisible_params p, const hs_divisible *plan)
{
    int send[SEARCHED], collect[SEARCHED], all;
    double best = INFINITY;
    for (int k = 0; k < p.hosts; k++) {
        send[k] = hs_divisible_send_host(plan, k);
        collect[k] = hs_divisible_collect_host(plan, k);
    }
    p.send_order = send;
    p.collect_order = collect;
    for (int from = 0; from < p.hosts; from++)
        for (int to = 0; to < p.hosts; to++)
            for (int k = 0; k < 2 && from != to; k++) {
                int *order = k ? send : collect;
                move(order, from, to);
                best = fmin(best, plan_makespan(&p, HS_DIVISIBLE_GIVEN, &all));
                move(order, to, from);
            }
    return best;
}

/* The search for good orders ends when no host is better at another place. */
static void no_move_betters_what_was_searched(void **state)
{
    hs__random random = {27};
    for (int trial = 0; trial < 10; trial++) {
        double w[SEARCHED], c[SEARCHED];
        for (int i = 0; i < SEARCHED; i++) {
            w[i] = hs__random_between(&random, 1, 20);
            c[i] = hs__random_between(&random, 0.3, 3);
        }
        hs_divisible_params p = star_of(SEARCHED, w, c, 100);
        hs_divisible *plan = NULL;
        p.results = 0.7;
        p.port = (hs_divisible_port)(trial & 1);
        assert_int_equal(hs_divisible_create(&p, &plan, NULL), HS_OK);
        assert_true(best_move(p, plan) >= hs_divisible_makespan(plan) * (1 - 1e-9));
        hs_divisible_free(plan);
    }
}

static void bad_input_to_sport(void **state)
{
    const double good[] = {1, 2}, zero[] = {1, 0}, nan[] = {NAN, 1}, inf[] = {1, INFINITY};
    double share[2] = {-7, -7};
    int send[2], collect[2];
    assert_int_equal(hs_divisible_sport(good, zero, 2, 0.5, send, collect, share, NULL), HS_ERR_ARG);
    assert_int_equal(hs_divisible_sport(zero, good, 2, 0.5, send, collect, share, NULL), HS_ERR_ARG);
    assert_int_equal(hs_divisible_sport(nan, good, 2, 0.5, send, collect, share, NULL), HS_ERR_ARG);
    assert_int_equal(hs_divisible_sport(good, inf, 2, 0.5, send, collect, share, NULL), HS_ERR_ARG);
    assert_int_equal(hs_divisible_sport(good, good, 0, 0.5, send, collect, share, NULL), HS_ERR_ARG);
    assert_int_equal(hs_divisible_sport(good, good, 2, -0.5, send, collect, share, NULL), HS_ERR_ARG);
    assert_int_equal(hs_divisible_sport(NULL, good, 2, 0.5, send, collect, share, NULL), HS_ERR_ARG);
    assert_true(share[0] == -7 && share[1] == -7);
    assert_int_equal(hs_divisible_sport(good, good, 2, 0, send, collect, share, NULL), HS_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sport_equals_the_published_system),
        cmocka_unit_test(sport_loads_at_size),
        cmocka_unit_test(valid_and_no_worse),
        cmocka_unit_test(leaving_out),
        cmocka_unit_test(chains_at_size),
        cmocka_unit_test(masters_at_size),
        cmocka_unit_test(no_move_betters_what_was_searched),
        cmocka_unit_test(bad_input_to_sport),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* The bandwidth rules, by the paper's example, against each other and against their certificates. */
#include "plan/ring/problem.h"
#include "tests/plan/one_switch.h"
#include "util/random.h"

enum { MOST_MESSAGES = 24, MOST_LINKS = 32 };

/* A network of links and messages over them, without hosts that matter. */
typedef struct bench {
    hs_platform *platform;
    hs_ring_params params;
    hs__network network;
    hs__sharing sharing;
    const hs__path *path[MOST_MESSAGES];
    int messages;
} bench;

static void bench_init(bench *b, const double *bandwidth, const hs_sharing *sharing, int links)
{
    char id[16];
    *b = (bench){0};
    hs_ring_params_init(&b->params);
    assert_int_equal(hs_platform_create(HS_ROUTING_FULL, &b->platform), HS_OK);
    assert_int_equal(hs_platform_add_host(b->platform, "host", 1, 1, NULL, NULL), HS_OK);
    for (int l = 0; l < links; l++) {
        snprintf(id, sizeof id, "l%d", l);
        assert_int_equal(
            hs_platform_add_link(b->platform, id, bandwidth[l], 0, sharing ? sharing[l] : HS_SHARED, NULL, NULL),
            HS_OK);
    }
    assert_int_equal(hs__network_init(&b->network, b->platform, &b->params, NULL), HS_OK);
    assert_int_equal(hs__sharing_init(&b->sharing, &b->network), HS_OK);
}

/* A message over these links of the platform. */
static void bench_add(bench *b, const int *links, size_t count)
{
    int placed[8];
    for (size_t m = 0; m < count; m++)
        placed[m] = b->network.order.link_place[links[m]];
    assert_int_equal(hs__network_path(&b->network, placed, count, &b->path[b->messages]), HS_OK);
    b->messages++;
}

static void bench_free(bench *b)
{
    hs__sharing_free(&b->sharing);
    hs__network_free(&b->network);
    hs_platform_free(b->platform);
}

/* The paper's Figure 1: five hosts of cycle time 1, eight links of bandwidth 1, W = 10, H = 1. Letters are links;
 * message 2k leads ahead from P_k+1, 2k+1 back to it. */
static void figure_1(void **state)
{
    static const char *const paths[] = {"ab", "bgh", "cd", "def", "de", "ed", "fbg", "gbf", "h", "h"};
    static const int pair[] = {0, 9, 2, 1, 4, 3, 6, 5, 8, 7};
    double ones[8], weight[10], fixed[5] = {0}, rate[10], value, bound;
    bench b;
    for (int l = 0; l < 8; l++)
        ones[l] = 1;
    bench_init(&b, ones, NULL, 8);
    for (int f = 0; f < 10; f++) {
        int links[3], n = 0;
        for (const char *c = paths[f]; *c; c++)
            links[n++] = *c - 'a';
        bench_add(&b, links, (size_t)n);
        weight[f] = 0.2;
    }
    hs__share_task task = {10, b.path, 10.0 / 5, weight, 5, pair, 1.0, fixed};
    assert_int_equal(hs__share_maxmin(&b.sharing, b.path, 10, rate), HS_OK);
    CHECK_CLOSE(hs__share_value(&task, rate), 9.466667, 1e-7);
    double by_kinsol[10];
    memcpy(by_kinsol, rate, sizeof rate);
    assert_int_equal(hs__share_optimal(&b.sharing, &task, rate, &value, &bound), HS_OK);
    CHECK_CLOSE(value, 9.442221, 1e-7);
    CHECK_CLOSE(hs__share_value(&task, rate), value, 1e-15);
    assert_true(value - bound <= 1e-9 * value && bound <= value * (1 + 1e-15));
    hs_status status = hs__share_kinsol(&b.sharing, &task, by_kinsol);
    if (status != HS_ERR_UNSUPPORTED) {
        assert_int_equal(status, HS_OK);
        CHECK_CLOSE(hs__share_value(&task, by_kinsol), value, 1e-6);
    }
    bench_free(&b);
}

typedef struct random_task {
    bench bench;
    hs__share_task task;
    double weight[MOST_MESSAGES], fixed[MOST_MESSAGES / 2];
    int pair[MOST_MESSAGES];
    double rate[MOST_MESSAGES];
} random_task;

static void random_task_init(random_task *t, hs__random *random, double spread)
{
    double bandwidth[MOST_LINKS];
    hs_sharing sharing[MOST_LINKS];
    int links = 2 + (int)hs__random_below(random, MOST_LINKS - 2),
        pairs = 1 + (int)hs__random_below(random, MOST_MESSAGES / 2);
    for (int l = 0; l < links; l++) {
        bandwidth[l] = exp(spread * hs__random_unit(random));
        sharing[l] = hs__random_below(random, 6) ? HS_SHARED : HS_FATPIPE;
    }
    bench_init(&t->bench, bandwidth, sharing, links);
    double total = 0;
    for (int k = 0; k < pairs; k++) {
        double speed = exp(spread * hs__random_unit(random));
        for (int i = 0; i < 2; i++) {
            int crossed[6], count = (int)hs__random_below(random, 7);
            for (int m = 0; m < count; m++)
                crossed[m] = (int)hs__random_below(random, links); /* also one link twice */
            bench_add(&t->bench, crossed, (size_t)count);
            t->pair[2 * k + i] = 2 * k + i;
            t->weight[2 * k + i] = speed;
        }
        t->fixed[k] = hs__random_unit(random);
        total += speed;
    }
    for (int f = 0; f < 2 * pairs; f++)
        t->weight[f] /= total;
    t->task = (hs__share_task){2 * pairs, t->bench.path, 10 * hs__random_unit(random), t->weight, pairs, t->pair,
                               1.0,       t->fixed};
    assert_int_equal(hs__share_maxmin(&t->bench.sharing, t->bench.path, 2 * pairs, t->rate), HS_OK);
}

static void check_feasible(const bench *b, const double *rate)
{
    double used[MOST_LINKS] = {0};
    for (int f = 0; f < b->messages; f++)
        for (int m = 0; m < b->path[f]->count; m++) {
            int e = b->path[f]->links[m];
            used[e] += rate[f];
            assert_true(rate[f] <= b->network.fatpipe[e] * (1 + 1e-9));
        }
    for (int e = 0; e < b->network.links; e++)
        assert_true(used[e] <= b->network.capacity[e] * (1 + 1e-9));
}

static void maxmin_equals_the_platforms(void **state)
{
    hs__random random = {3};
    for (int trial = 0; trial < 500; trial++) {
        random_task t;
        random_task_init(&t, &random, trial % 2 ? 20 : 2);
        int links[MOST_MESSAGES][8];
        const int *crossed[MOST_MESSAGES];
        size_t counts[MOST_MESSAGES];
        double expected[MOST_MESSAGES];
        for (int f = 0; f < t.bench.messages; f++) {
            const hs__path *path = t.bench.path[f];
            crossed[f] = links[f];
            counts[f] = (size_t)path->count;
            for (int m = 0; m < path->count; m++)
                links[f][m] = t.bench.network.order.link[path->links[m]];
        }
        assert_int_equal(hs_platform_maxmin(t.bench.platform, crossed, counts, (size_t)t.bench.messages, expected),
                         HS_OK);
        for (int f = 0; f < t.bench.messages; f++)
            if (isinf(expected[f]))
                assert_true(isinf(t.rate[f]));
            else
                CHECK_CLOSE(t.rate[f] / expected[f], 1, 1e-12);
        check_feasible(&t.bench, t.rate);
        bench_free(&t.bench);
    }
}

/* Spread 27 makes ratios of 5e11 in speeds and bandwidths. */
static void optimal_is_certified(void **state)
{
    static const double spreads[] = {1, 6, 27};
    hs__random random = {4};
    for (int trial = 0; trial < 600; trial++) {
        random_task t;
        random_task_init(&t, &random, spreads[trial % 3]);
        double start = hs__share_value(&t.task, t.rate), value, bound;
        assert_int_equal(hs__share_optimal(&t.bench.sharing, &t.task, t.rate, &value, &bound), HS_OK);
        check_feasible(&t.bench, t.rate);
        CHECK_CLOSE(hs__share_value(&t.task, t.rate) / value, 1, 1e-14);
        assert_true(value <= start * (1 + 1e-12));
        assert_true(value - bound <= 1e-9 * value && bound <= value * (1 + 1e-12));
        bench_free(&t.bench);
    }
}

static void kinsol_agrees_with_optimal(void **state)
{
    hs__random random = {5};
    int converged = 0, trials = 60;
    for (int trial = 0; trial < trials; trial++) {
        random_task t;
        double value, bound, rate[MOST_MESSAGES];
        random_task_init(&t, &random, trial % 2 ? 5 : 1);
        memcpy(rate, t.rate, sizeof rate);
        hs_status status = hs__share_kinsol(&t.bench.sharing, &t.task, rate);
        if (status == HS_ERR_UNSUPPORTED) {
            bench_free(&t.bench);
            skip();
        }
        assert_int_equal(hs__share_optimal(&t.bench.sharing, &t.task, t.rate, &value, &bound), HS_OK);
        if (status == HS_OK) {
            converged++;
            check_feasible(&t.bench, rate);
            CHECK_CLOSE(hs__share_value(&t.task, rate) / value, 1, 1e-6);
        } else {
            assert_int_equal(status, HS_ERR_CONVERGENCE);
        }
        bench_free(&t.bench);
    }
    assert_true(converged >= trials * 95 / 100);
}

/* The analytical rule against the certified optimum of the same small problem. With nested = 1 the four paths are those
 * of a tree: to i and back, to j and back, with a common trunk. */
static void check_four(hs__random *random, int nested)
{
    double bandwidth[MOST_LINKS], weight[4], residual[MOST_LINKS], rate[4], best[4], value, bound;
    unsigned char mask[MOST_LINKS] = {0};
    bench b;
    for (int l = 0; l < 10; l++)
        bandwidth[l] = exp(3 * hs__random_unit(random));
    bench_init(&b, bandwidth, NULL, 10);
    for (int f = 0; f < 4; f++) {
        int links[6], n = 0;
        if (nested) {
            const int branch = f < 2 ? 2 : 4;
            links[n++] = 0;
            links[n++] = branch;
            links[n++] = branch + 1;
            links[n++] = 6 + f;
        } else {
            for (n = 0; n < 3; n++)
                links[n] = 3 * n + (int)hs__random_below(random, 3);
        }
        bench_add(&b, links, (size_t)n);
        weight[f] = exp(2 * hs__random_unit(random));
    }
    memcpy(residual, b.network.capacity, 10 * sizeof *residual);
    hs__share_closed_form(residual, mask, b.path, weight, rate);
    check_feasible(&b, rate);
    for (int l = 0; l < 10; l++)
        assert_int_equal(mask[l], 0);
    hs__share_task task = {.messages = 4, .path = b.path, .weight = weight};
    assert_int_equal(hs__share_maxmin(&b.sharing, b.path, 4, best), HS_OK);
    assert_int_equal(hs__share_optimal(&b.sharing, &task, best, &value, &bound), HS_OK);
    assert_true(hs__share_value(&task, rate) >= bound * (1 - 1e-12));
    CHECK_CLOSE(hs__share_value(&task, rate) / value, 1, 1e-8);
    bench_free(&b);
}

static void four_paths_are_shared_optimally(void **state)
{
    hs__random random = {6};
    for (int trial = 0; trial < 500; trial++)
        check_four(&random, 1);
    for (int trial = 0; trial < 500; trial++)
        check_four(&random, 0);
}

/* The prices of a ring's optimal bandwidths prove that it takes no less than it does; they rule out other rings. */
static void prices_prove_the_step_time(void **state)
{
    enum { HOSTS = 4 };
    static const double speed[HOSTS] = {1, 2, 3, 4};
    hs_ring_params params;
    hs__ring_problem p = {.params = &params};
    hs__pool pool = {0};
    hs_platform *platform = one_switch(speed, HOSTS, 10, 0);
    hs_ring_params_init(&params);
    params.work = 1000;
    params.halo = 100;
    assert_int_equal(hs__network_init(&p.network, platform, &params, NULL), HS_OK);
    assert_int_equal(hs__sharing_init(&p.sharing, &p.network), HS_OK);
    hs__ring_state ring = hs__ring_state_new(&pool, HOSTS);
    hs__prices prices = hs__prices_new(&pool, &p.network);
    assert_int_equal(hs__pool_status(&pool), HS_OK);
    ring.size = HOSTS;
    for (int k = 0; k < HOSTS; k++) {
        ring.order[k] = k;
        assert_int_equal(hs__network_route(&p.network, k, (k + 1) % HOSTS, &ring.path[2 * k]), HS_OK);
        assert_int_equal(hs__network_route(&p.network, (k + 1) % HOSTS, k, &ring.path[2 * k + 1]), HS_OK);
    }
    assert_int_equal(hs__ring_share(&p, HS_RING_SHARE_OPTIMAL, &ring, &prices), HS_OK);
    CHECK_CLOSE(hs__ring_price_bound(&p, &prices, &ring), hs__ring_cost_all(&params, &p.network, &ring).step_time,
                1e-6);
    hs__pool_free(&pool);
    hs__sharing_free(&p.sharing);
    hs__network_free(&p.network);
    hs_platform_free(platform);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figure_1),
        cmocka_unit_test(maxmin_equals_the_platforms),
        cmocka_unit_test(optimal_is_certified),
        cmocka_unit_test(kinsol_agrees_with_optimal),
        cmocka_unit_test(four_paths_are_shared_optimally),
        cmocka_unit_test(prices_prove_the_step_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* The search against every ring, by an enumeration and an evaluation of its own; and the certified bound below all. */
#include "tests/plan/ring_check.h"

enum { MOST_HOSTS = 6, MOST_PATHS = 6, MOST_ON_PATH = 16 };

typedef struct trip {
    int links[MOST_ON_PATH];
    size_t count;
} trip;

/* One platform, what is asked, and for every ordered pair the paths that a message may take. */
typedef struct enumeration {
    const hs_platform *platform;
    const hs_ring_params *params;
    int hosts;
    trip trips[MOST_HOSTS][MOST_HOSTS][MOST_PATHS];
    int count[MOST_HOSTS][MOST_HOSTS];
    double best;
} enumeration;

/* T of a ring with max-min bandwidths, from the definition. */
static double ring_time(const enumeration *e, const int *order, int q, const trip *const *chosen)
{
    const int *links[2 * MOST_HOSTS] = {NULL};
    size_t counts[2 * MOST_HOSTS] = {0};
    double rate[2 * MOST_HOSTS], comm[MOST_HOSTS] = {0}, speed = 0, weighted = 0, largest = 0;
    for (int f = 0; f < (q > 1 ? 2 * q : 0); f++) {
        links[f] = chosen[f]->links;
        counts[f] = chosen[f]->count;
    }
    assert_int_equal(hs_platform_maxmin(e->platform, links, counts, q > 1 ? 2 * (size_t)q : 0, rate), HS_OK);
    for (int f = 0; f < (q > 1 ? 2 * q : 0); f++)
        comm[f % 2 ? (f / 2 + 1) % q : f / 2] += e->params->halo / rate[f];
    for (int k = 0; k < q; k++) {
        double s = host_speed(e->platform, e->params, order[k]);
        speed += s;
        weighted += s * comm[k];
        largest = fmax(largest, comm[k]);
    }
    double level = e->params->model == HS_STEP_OVERLAP ? e->params->work / speed : (e->params->work + weighted) / speed;
    return fmax(level, largest);
}

/* All choices of paths for the messages of a ring. */
static void try_paths(enumeration *e, const int *order, int q, int f, const trip **chosen)
{
    if (q == 1 || f == 2 * q) {
        e->best = fmin(e->best, ring_time(e, order, q, chosen));
        return;
    }
    int near = order[f / 2], far = order[(f / 2 + 1) % q], from = f % 2 ? far : near, to = f % 2 ? near : far;
    for (int i = 0; i < e->count[from][to]; i++) {
        chosen[f] = &e->trips[from][to][i];
        try_paths(e, order, q, f + 1, chosen);
    }
}

static void try_orders(enumeration *e, int *order, int q, unsigned used)
{
    const trip *chosen[2 * MOST_HOSTS];
    if (q > 0 && (q < 3 || order[1] < order[q - 1]))
        try_paths(e, order, q, 0, chosen);
    for (int host = q ? order[0] + 1 : 0; host < e->hosts; host++)
        if (!(used >> host & 1)) {
            order[q] = host;
            try_orders(e, order, q + 1, used | 1u << host);
        }
}

static void use_routes(enumeration *e)
{
    hs_route route = {0};
    for (int a = 0; a < e->hosts; a++)
        for (int b = 0; b < e->hosts; b++) {
            if (a == b || hs_platform_route(e->platform, a, b, &route) != HS_OK)
                continue;
            assert_true(route.count <= MOST_ON_PATH);
            memcpy(e->trips[a][b][0].links, route.links, route.count * sizeof *route.links);
            e->trips[a][b][0].count = route.count;
            e->count[a][b] = 1;
        }
    hs_route_free(&route);
}

/* All simple paths of the graph. */
static int use_paths(enumeration *e, int from, int to, int at, unsigned seen, trip *so_far)
{
    const hs_arc *arc;
    size_t arcs;
    if (at == to) {
        if (e->count[from][to] == MOST_PATHS)
            return 0;
        e->trips[from][to][e->count[from][to]++] = *so_far;
        return 1;
    }
    assert_int_equal(hs_platform_arcs(e->platform, &arc, &arcs), HS_OK);
    for (size_t a = 0; a < arcs; a++)
        if (arc[a].from == at && !(seen >> arc[a].to & 1)) {
            so_far->links[so_far->count++] = arc[a].links[0];
            int fits = use_paths(e, from, to, arc[a].to, seen | 1u << arc[a].to, so_far);
            so_far->count--;
            if (!fits)
                return 0;
        }
    return 1;
}

static double optimum(enumeration *e)
{
    int order[MOST_HOSTS];
    e->best = INFINITY;
    try_orders(e, order, 0, 0);
    return e->best;
}

static void ask(hs_ring_params *params, hs__random *random)
{
    hs_ring_params_init(params);
    params->work = exp(4 * hs__random_unit(random));
    params->halo = exp(4 * hs__random_unit(random) - 2);
    params->model = hs__random_below(random, 4) ? HS_STEP_SERIAL : HS_STEP_OVERLAP;
}

static void fixed_routes(void **state)
{
    static enumeration e;
    hs__random random = {21};
    for (int trial = 0; trial < 200; trial++) {
        int hosts = 3 + trial % 4;
        hs_ring_params params;
        ask(&params, &random);
        hs_platform *p =
            random_graph(&random, hosts, 1 + (int)hs__random_below(&random, 5), (int)hs__random_below(&random, 4), 3);
        e = (enumeration){.platform = p, .params = &params, .hosts = hosts};
        use_routes(&e);
        hs_ring *ring = planned(p, &params);
        double best = optimum(&e);
        CHECK_CLOSE(hs_ring_step_time(ring) / best, 1, 1e-9);
        assert_true(hs_ring_lower_bound(ring) <= best * (1 + 1e-9));
        hs_ring_free(ring);
        params.share = HS_RING_SHARE_OPTIMAL;
        assert_true(planned_time(p, &params) <= best * (1 + 1e-9));
        params.search = HS_RING_SEARCH_PAPER;
        assert_true(planned_time(p, &params) >= hs_ring_lower_bound(ring = planned(p, &params)) * (1 - 1e-9));
        hs_ring_free(ring);
        hs_platform_free(p);
    }
}

/* Every ring over every choice of simple paths: within 5 % each, 1 % on average. */
static void free_routes(void **state)
{
    static enumeration e;
    hs__random random = {22};
    double sum = 0;
    int judged = 0;
    for (int trial = 0; trial < 120; trial++) {
        int hosts = 3, routers = 1 + (int)hs__random_below(&random, 3), fits = 1;
        hs_ring_params params;
        ask(&params, &random);
        params.routes = HS_RING_ROUTES_FREE;
        hs_platform *p = random_graph(&random, hosts, routers, 1 + (int)hs__random_below(&random, 2), 3);
        e = (enumeration){.platform = p, .params = &params, .hosts = hosts};
        for (int a = 0; a < hosts; a++)
            for (int b = 0; b < hosts; b++) {
                trip so_far = {.count = 0};
                fits = fits && (a == b || use_paths(&e, a, b, a, 1u << a, &so_far));
            }
        if (fits) {
            hs_ring *ring = planned(p, &params);
            double best = optimum(&e), ratio = hs_ring_step_time(ring) / best;
            assert_true(ratio >= 1 - 1e-9 && ratio <= 1.05);
            assert_true(hs_ring_lower_bound(ring) <= best * (1 + 1e-9));
            sum += ratio;
            judged++;
            hs_ring_free(ring);
        }
        hs_platform_free(p);
    }
    assert_true(judged >= 60);
    assert_true(sum / judged <= 1.01);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(fixed_routes), cmocka_unit_test(free_routes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Rings do not depend on the order in which a platform lists its hosts, routers and links, nor on units. */
#include "tests/plan/ring/check.h"

enum { MOST_NODES = 200, MOST_LINKS = 400 };

/** A platform listed in another order, or in other units. */
typedef struct listing {
    int node[MOST_NODES], link[MOST_LINKS]; /* [place in the copy] the number in the original; hosts come first */
    int place[MOST_NODES];                  /* the other way round; of nodes */
    int link_place[MOST_LINKS];
    int renamed;             /* ids follow the new order */
    double speed, bandwidth; /* what they are multiplied by */
} listing;

static void shuffle(hs__random *random, int *list, int n)
{
    for (int i = n - 1; i > 0; i--) {
        int j = (int)hs__random_below(random, i + 1), held = list[i];
        list[i] = list[j];
        list[j] = held;
    }
}

/* The order of the platform itself; random: a random one instead. */
static listing list(const hs_platform *p, hs__random *random)
{
    listing l = {.speed = 1, .bandwidth = 1};
    int hosts = hs_platform_hosts(p), routers = hs_platform_routers(p);
    assert_true(hosts + routers <= MOST_NODES && hs_platform_links(p) <= MOST_LINKS);
    for (int i = 0; i < hosts + routers; i++)
        l.node[i] = i;
    for (int i = 0; i < hs_platform_links(p); i++)
        l.link[i] = i;
    if (random) {
        shuffle(random, l.node, hosts);
        shuffle(random, l.node + hosts, routers);
        shuffle(random, l.link, hs_platform_links(p));
    }
    for (int i = 0; i < hosts + routers; i++)
        l.place[l.node[i]] = i;
    return l;
}

static hs_platform *copy_nodes(const hs_platform *p, const listing *l, hs_routing routing)
{
    hs_platform *copy;
    char id[64];
    assert_int_equal(hs_platform_create(routing, &copy), HS_OK);
    for (int i = 0; i < hs_platform_hosts(p) + hs_platform_routers(p); i++) {
        int v = l->node[i];
        snprintf(id, sizeof id, "n%d", i);
        const char *name = l->renamed ? id : hs_platform_node_id(p, v);
        if (v < hs_platform_hosts(p))
            assert_int_equal(hs_platform_add_host(copy, name, hs_platform_host_speed(p, v) * l->speed,
                                                  hs_platform_host_cores(p, v), NULL, NULL),
                             HS_OK);
        else
            assert_int_equal(hs_platform_add_router(copy, name, NULL, NULL), HS_OK);
    }
    return copy;
}

/* Adds the links, and both halves of duplex ones where the first half of them would be. */
static void copy_links(const hs_platform *p, listing *l, hs_platform *copy)
{
    char id[64];
    for (int i = 0; i < hs_platform_links(p); i++) {
        int e = l->link[i], twin = hs_platform_link_twin(p, e), *made = &l->link_place[e];
        double bandwidth = hs_platform_link_bandwidth(p, e) * l->bandwidth, latency = hs_platform_link_latency(p, e);
        if (twin >= 0 && twin < e)
            continue;
        snprintf(id, sizeof id, "l%d", i);
        if (!l->renamed)
            snprintf(id, sizeof id, "%.60s", hs_platform_link_id(p, e));
        if (twin < 0) {
            assert_int_equal(
                hs_platform_add_link(copy, id, bandwidth, latency, hs_platform_link_sharing(p, e), made, NULL), HS_OK);
            continue;
        }
        if (!l->renamed)
            id[strlen(id) - strlen("_UP")] = 0;
        assert_int_equal(hs_platform_add_duplex(copy, id, bandwidth, latency, made, NULL), HS_OK);
        l->link_place[twin] = *made + 1;
    }
}

/* A copy with the same edges. */
static hs_platform *copy_graph(const hs_platform *p, listing *l)
{
    hs_platform *copy = copy_nodes(p, l, HS_ROUTING_GRAPH);
    const hs_arc *arc;
    size_t arcs;
    copy_links(p, l, copy);
    assert_int_equal(hs_platform_arcs(p, &arc, &arcs), HS_OK);
    for (size_t a = 0; a < arcs; a++) {
        int e = arc[a].links[0], twin = hs_platform_link_twin(p, e);
        assert_int_equal(arc[a].count, 1);
        if (twin < 0 ? arc[a].from < arc[a].to : e < twin)
            assert_int_equal(
                hs_platform_add_edge(copy, l->place[arc[a].from], l->place[arc[a].to], l->link_place[e], NULL), HS_OK);
    }
    return copy;
}

/* A copy that gives the routes between hosts instead of edges: the shortest ones of a graph may depend on its order. */
static hs_platform *copy_routes(const hs_platform *p, listing *l)
{
    hs_platform *copy = copy_nodes(p, l, HS_ROUTING_FULL);
    hs_route route = {0};
    copy_links(p, l, copy);
    for (int a = 0; a < hs_platform_hosts(p); a++)
        for (int b = 0; b < hs_platform_hosts(p); b++) {
            if (a == b)
                continue;
            assert_int_equal(hs_platform_route(p, a, b, &route), HS_OK);
            for (size_t m = 0; m < route.count; m++)
                route.links[m] = l->link_place[route.links[m]];
            assert_int_equal(hs_platform_add_route(copy, l->place[a], l->place[b], route.links, route.count, 0, NULL),
                             HS_OK);
        }
    hs_route_free(&route);
    return copy;
}

/* The same hosts in the same order, whichever comes first and whichever way round. */
static void check_same_ring(const hs_ring *ring, const hs_ring *other, const listing *l)
{
    int q = hs_ring_size(ring), first = 0;
    assert_int_equal(hs_ring_size(other), q);
    while (first < q - 1 && l->node[hs_ring_host(other, first)] != hs_ring_host(ring, 0))
        first++;
    int way = q > 1 && l->node[hs_ring_host(other, (first + 1) % q)] != hs_ring_host(ring, 1) ? q - 1 : 1;
    for (int k = 0; k < q; k++)
        assert_int_equal(l->node[hs_ring_host(other, (first + k * way) % q)], hs_ring_host(ring, k));
}

/* Plans both; T must be `times` as large within a relative error. */
static void check_same_plan(const hs_platform *p, const hs_ring_params *params, const hs_platform *copy,
                            const hs_ring_params *copied, const listing *l, double times, double error)
{
    hs_ring *ring = planned(p, params), *other = planned(copy, copied);
    CHECK_CLOSE(hs_ring_step_time(other) / (times * hs_ring_step_time(ring)), 1, error);
    CHECK_CLOSE(hs_ring_lower_bound(other) / (times * hs_ring_lower_bound(ring)), 1, 1e-9);
    check_same_ring(ring, other, l);
    hs_ring_free(other);
    hs_ring_free(ring);
}

static hs_ring_params drawn(hs__random *random, int trial, double work, double halo)
{
    hs_ring_params params = asked(work, halo);
    params.share = (hs_ring_share)(trial % 3);
    params.search = (hs_ring_search)(trial % 4 > 0);
    params.model = (hs_step_model)(trial % 5 == 4);
    params.latency = (hs_ring_latency)(trial / 2 % 2);
    params.units = trial % 6 ? 0 : 1000;
    params.budget = trial % 12 == 1 ? 0 : 300 + hs__random_below(random, 1200);
    return params;
}

/* Plans a platform and a copy of it in another order, on free routes and on the routes given. */
static void check_reordered(const hs_platform *p, hs_ring_params params, hs__random *random, int renamed)
{
    listing own = list(p, NULL), other = list(p, random);
    other.renamed = renamed;
    hs_platform *copy = copy_graph(p, &other);
    params.routes = HS_RING_ROUTES_FREE;
    check_same_plan(p, &params, copy, &params, &other, 1, 1e-12);
    hs_platform_free(copy);
    hs_platform *given = copy_routes(p, &own);
    copy = copy_routes(p, &other);
    params.routes = HS_RING_ROUTES_FIXED;
    check_same_plan(given, &params, copy, &params, &other, 1, 1e-12);
    hs_platform_free(copy);
    hs_platform_free(given);
}

/* Many equal speeds and bandwidths, and the same ids. */
static void another_order_gives_the_same_ring(void **state)
{
    hs__random random = {61};
    for (int trial = 0; trial < 20; trial++) {
        int hosts = 3 + (int)hs__random_below(&random, 38), routers = 1 + (int)hs__random_below(&random, hosts + 8);
        int more = routers > 4 ? (int)hs__random_below(&random, routers) : 0;
        hs_platform *p;
        assert_int_equal(hs_platform_generate(hosts, routers, hosts + routers - 1 + more, (uint64_t)trial, &p, NULL),
                         HS_OK);
        double ratio = exp(5 * hs__random_unit(&random) - 3);
        check_reordered(p, drawn(&random, trial, 1e9, 1e6 * ratio), &random, 0);
        hs_platform_free(p);
    }
}

/* All speeds and bandwidths differ, and so may the ids. */
static void other_names_give_the_same_ring(void **state)
{
    hs__random random = {62};
    for (int trial = 0; trial < 20; trial++) {
        int hosts = 3 + (int)hs__random_below(&random, 30);
        hs_platform *p =
            random_graph(&random, hosts, 1 + (int)hs__random_below(&random, 20), (int)hs__random_below(&random, 12), 3);
        check_reordered(p, drawn(&random, trial, exp(5 * hs__random_unit(&random)), 1), &random, 1);
        hs_platform_free(p);
    }
}

static void kinsol_does_so_too(void **state)
{
    hs__random random = {63};
    for (int trial = 0; trial < 6; trial++) {
        hs_platform *p = random_graph(&random, 6, 3, 2, 2);
        hs_ring_params params = asked(exp(4 * hs__random_unit(&random)), 1);
        hs_ring *ring = NULL;
        params.share = HS_RING_SHARE_KINSOL;
        hs_status status = hs_ring_create(p, &params, &ring, NULL);
        hs_ring_free(ring);
        if (status != HS_ERR_UNSUPPORTED)
            check_reordered(p, params, &random, 1);
        hs_platform_free(p);
        if (status == HS_ERR_UNSUPPORTED)
            skip();
    }
}

/* Work, bytes or seconds in other units. */
static void other_units_give_the_same_ring(void **state)
{
    static const double factors[] = {1024, 1000, 0x1p-30, 1e-3, 1e6};
    enum { WORK, BYTES, SECONDS };
    hs__random random = {64};
    for (int trial = 0; trial < 45; trial++) {
        double factor = factors[trial % 5], ratio = exp(4 * hs__random_unit(&random) - 2);
        int unit = trial % 3, generated = trial % 2, hosts = 3 + (int)hs__random_below(&random, 38);
        hs_platform *p;
        if (generated)
            assert_int_equal(hs_platform_generate(hosts, 10 + hosts, 30 + 2 * hosts, (uint64_t)trial, &p, NULL), HS_OK);
        else
            p = random_graph(&random, hosts, 1 + hosts, (int)hs__random_below(&random, 12), 3);
        hs_ring_params params = drawn(&random, trial, generated ? 1e9 : 300, generated ? 1e6 * ratio : ratio), scaled;
        params.routes = (hs_ring_routes)(trial / 2 % 2);
        if (unit == SECONDS)
            params.latency = HS_RING_LATENCY_IGNORED; /* those of the copy stay as they are */
        listing other = list(p, NULL);
        other.speed = unit == BYTES ? 1 : factor;
        other.bandwidth = unit == WORK ? 1 : factor;
        scaled = params;
        scaled.work *= unit == WORK ? factor : 1;
        scaled.halo *= unit == BYTES ? factor : 1;
        hs_platform *copy = copy_graph(p, &other);
        check_same_plan(p, &params, copy, &scaled, &other, unit == SECONDS ? 1 / factor : 1, 1e-9);
        hs_platform_free(copy);
        hs_platform_free(p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(another_order_gives_the_same_ring),
        cmocka_unit_test(other_names_give_the_same_ring),
        cmocka_unit_test(kinsol_does_so_too),
        cmocka_unit_test(other_units_give_the_same_ring),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

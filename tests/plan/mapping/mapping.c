/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/mapping/mapping.h"
#include "plan/mapping/problem.h"
#include "tests/unit.h"
#include "util/random.h"
#include <heteroslice/hs_mapping.h>

enum { MOST = 64, EDGES = 512, ORACLE = 7 };

/* Two sites of `each` hosts on switches of 100 B/s a host, joined by one link of 10 B/s. */
static hs_platform *two_sites(int each)
{
    hs_platform *platform = NULL;
    int a, b, link;
    char name[16];
    assert_int_equal(hs_platform_create(HS_ROUTING_GRAPH, &platform), HS_OK);
    for (int h = 0; h < 2 * each; h++) {
        snprintf(name, sizeof name, "h%d", h);
        assert_int_equal(hs_platform_add_host(platform, name, 1, 1, NULL, NULL), HS_OK);
    }
    hs_platform_add_router(platform, "left", &a, NULL);
    hs_platform_add_router(platform, "right", &b, NULL);
    for (int h = 0; h < 2 * each; h++) {
        snprintf(name, sizeof name, "l%d", h);
        hs_platform_add_link(platform, name, 100, 0, HS_SHARED, &link, NULL);
        assert_int_equal(hs_platform_add_edge(platform, h, h < each ? a : b, link, NULL), HS_OK);
    }
    hs_platform_add_link(platform, "wide", 10, 0, HS_SHARED, &link, NULL);
    assert_int_equal(hs_platform_add_edge(platform, a, b, link, NULL), HS_OK);
    return platform;
}

static hs_mapping_cost cost_of(const hs_platform *platform, const hs_mapping_params *params,
                               const hs_mapping_graph *graph, const int *rank)
{
    hs_mapping_cost cost;
    assert_int_equal(hs__mapping_measure(platform, params, graph, rank, &cost), HS_OK);
    return cost;
}

static int is_better(hs_mapping_cost a, hs_mapping_cost b)
{
    if (fabs(a.busiest - b.busiest) > 1e-9 * b.busiest)
        return a.busiest < b.busiest;
    return a.total < b.total * (1 - 1e-9);
}

/* What must hold of every answer. */
static void check_answer(const hs_platform *platform, const hs_mapping_params *params, const hs_mapping_graph *graph,
                         hs_status status, const int *rank, hs_mapping_cost cost, hs_mapping_cost before)
{
    int *identity = malloc((size_t)(graph->vertices + 1) * sizeof *identity), same = 1;
    for (int v = 0; v < graph->vertices; v++) {
        identity[v] = v;
        same &= rank[v] == v;
    }
    assert_int_equal(hs_mapping_check(platform, params, graph, rank, cost, NULL), HS_OK);
    hs_mapping_cost real = cost_of(platform, params, graph, identity);
    CHECK_CLOSE(before.busiest, real.busiest, 1e-9);
    CHECK_CLOSE(before.total, real.total, 1e-9);
    assert_int_equal(status, same ? HS_UNCHANGED : HS_OK);
    assert_int_equal(is_better(cost, before), !same);
    free(identity);
}

/* ---- Against every mapping ---- */

static hs_platform *random_platform(hs__random *random, int hosts)
{
    hs_platform *platform = NULL;
    char name[16];
    int routers = 1 + (int)hs__random_below(random, 3), node, link;
    assert_int_equal(hs_platform_create(HS_ROUTING_GRAPH, &platform), HS_OK);
    for (int h = 0; h < hosts; h++) {
        snprintf(name, sizeof name, "h%d", h);
        hs_platform_add_host(platform, name, 1, 1, NULL, NULL);
    }
    for (int r = 0; r < routers; r++) {
        snprintf(name, sizeof name, "r%d", r);
        hs_platform_add_router(platform, name, &node, NULL);
    }
    for (int n = 0; n < hosts + routers; n++) {
        int to = n < hosts ? hosts + (int)hs__random_below(random, routers) : n + 1;
        if (to >= hosts + routers)
            break;
        snprintf(name, sizeof name, "l%d", n);
        double bandwidth = 1 + (double)hs__random_below(random, 8);
        if (hs__random_below(random, 4) == 0)
            hs_platform_add_duplex(platform, name, bandwidth, 0, &link, NULL);
        else
            hs_platform_add_link(platform, name, bandwidth, 0, hs__random_below(random, 5) ? HS_SHARED : HS_FATPIPE,
                                 &link, NULL);
        assert_int_equal(hs_platform_add_edge(platform, n, to, link, NULL), HS_OK);
    }
    return platform;
}

typedef struct random_graph {
    int64_t first[MOST + 1];
    int to[EDGES];
    double bytes[EDGES];
    hs_mapping_graph graph;
} random_graph;

static void make_graph(hs__random *random, int vertices, random_graph *x)
{
    int64_t edges = 0;
    x->first[0] = 0;
    for (int v = 0; v < vertices; v++) {
        for (int64_t k = hs__random_below(random, 4); k > 0 && edges < EDGES; k--) {
            x->to[edges] = (int)hs__random_below(random, vertices);
            x->bytes[edges++] = (double)hs__random_below(random, 10);
        }
        x->first[v + 1] = edges;
    }
    x->graph = (hs_mapping_graph){vertices, x->first, x->to, x->bytes};
}

static void best_of_all(const hs_platform *platform, const hs_mapping_params *params, const hs_mapping_graph *graph,
                        int *rank, int placed, int used, hs_mapping_cost *best)
{
    if (placed == graph->vertices) {
        hs_mapping_cost cost = cost_of(platform, params, graph, rank);
        if (is_better(cost, *best))
            *best = cost;
        return;
    }
    for (int r = 0; r < params->ranks; r++) {
        int twin = 0; /* an earlier free rank of the same host stands for this one */
        for (int q = 0; q < r && !twin; q++)
            twin = !(used >> q & 1) && params->host[q] == params->host[r];
        if (used >> r & 1 || twin || (params->keep_first && (placed == 0) != (r == 0)))
            continue;
        rank[placed] = r;
        best_of_all(platform, params, graph, rank, placed + 1, used | 1 << r, best);
    }
}

/* The search is a heuristic, but on problems this small it finds the least busy busiest link, and nearly always the
 * least total. */
static void optimal_on_small_cases(void **state)
{
    hs__random random = {5};
    int misses = 0;
    for (int trial = 0; trial < 300; trial++) {
        int hosts = 1 + (int)hs__random_below(&random, 4), host[ORACLE], rank[ORACLE], tried[ORACLE];
        hs_platform *platform = random_platform(&random, hosts);
        hs_mapping_params params = {.ranks = 1 + (int)hs__random_below(&random, ORACLE), .host = host};
        params.keep_first = hs__random_below(&random, 3) == 0;
        params.effort = 40000;
        random_graph x;
        hs_mapping_cost cost, before, best = {INFINITY, INFINITY};
        for (int r = 0; r < params.ranks; r++)
            host[r] = (int)hs__random_below(&random, hosts);
        make_graph(&random, params.keep_first ? params.ranks : 1 + (int)hs__random_below(&random, params.ranks), &x);
        hs_status status = hs_mapping_graph_ranks(platform, &params, &x.graph, rank, &cost, &before, NULL);
        assert_true(status >= HS_OK);
        check_answer(platform, &params, &x.graph, status, rank, cost, before);
        best_of_all(platform, &params, &x.graph, tried, 0, 0, &best);
        CHECK_CLOSE(cost.busiest, best.busiest, 1e-9);
        misses += is_better(best, cost);
        hs_platform_free(platform);
    }
    assert_true(misses <= 3);
}

/* ---- Grids and rings ---- */

/* Ranks dealt out to hosts in turn, as "by node" does. */
static void deal(int *host, int ranks, int hosts)
{
    for (int r = 0; r < ranks; r++)
        host[r] = r % hosts;
}

static void grids_are_cut_where_they_are_thin(void **state)
{
    static const struct {
        int each, extent[3], periodic[3], dimensions, ranks;
        double crossings; /* messages over the link between the sites, at the optimum */
    } rows[] = {
        {2, {4, 4}, {0, 0}, 2, 16, 8},
        {2, {2, 8}, {0, 0}, 2, 16, 4},
        {2, {8, 2}, {0, 0}, 2, 16, 4},
        {2, {4, 4}, {1, 1}, 2, 16, 16},
        {1, {3, 6}, {0, 0}, 2, 18, 6},
        {3, {6, 6}, {0, 0}, 2, 36, 12},
        {2, {4, 2, 2}, {0, 0, 0}, 3, 16, 8},
        {4, {64}, {0}, 1, 64, 2},
        {4, {64}, {1}, 1, 64, 4},
        {2, {3, 5}, {0, 0}, 2, 16, 8},
        {4, {2, 32}, {0, 1}, 2, 64, 8},
        {4, {8, 8}, {0, 0}, 2, 64, 16},
        {2, {4, 4, 4}, {0, 0, 0}, 3, 64, 32},
        {1, {2, 8, 2}, {0, 0, 0}, 3, 32, 8},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int host[MOST], rank[MOST], again[MOST];
        hs_mapping_params params = {.ranks = rows[i].ranks, .host = host, .effort = 1000000};
        hs_mapping_cost cost, before;
        hs_platform *platform = two_sites(rows[i].each);
        deal(host, params.ranks, 2 * rows[i].each);
        hs_status status = hs_mapping_grid_ranks(platform, &params, rows[i].dimensions, rows[i].extent,
                                                 rows[i].periodic, NULL, rank, &cost, &before, NULL);
        assert_true(status >= HS_OK);
        CHECK_CLOSE(cost.busiest, rows[i].crossings / 10, 1e-9);
        assert_int_equal(hs_mapping_grid_ranks(platform, &params, rows[i].dimensions, rows[i].extent, rows[i].periodic,
                                               NULL, again, NULL, NULL, NULL),
                         status);
        int cells = 1;
        for (int d = 0; d < rows[i].dimensions; d++)
            cells *= rows[i].extent[d];
        assert_memory_equal(rank, again, (size_t)cells * sizeof *rank);
        params.effort = 1; /* cuts alone, nothing is exchanged */
        assert_true(hs_mapping_grid_ranks(platform, &params, rows[i].dimensions, rows[i].extent, rows[i].periodic, NULL,
                                          again, &cost, NULL, NULL) >= HS_OK);
        CHECK_CLOSE(cost.busiest, rows[i].crossings / 10, 1e-9);
        hs_platform_free(platform);
    }
}

/* Of hosts that are equally far from each other each half is cut in the middle, so that all get squares. */
static void halves_are_cut_in_the_middle(void **state)
{
    enum { SIDE = 8, HOSTS = 16 };
    static const int64_t first[SIDE * SIDE + 1] = {0};
    static const int extent[] = {SIDE, SIDE};
    int host_of[SIDE * SIDE], chain[HOSTS], host[SIDE * SIDE], cells[HOSTS] = {0};
    const hs_mapping_graph graph = {SIDE * SIDE, first, NULL, NULL};
    const hs_mapping_params params = {.ranks = SIDE * SIDE, .host = host_of};
    hs_platform *platform = two_sites(HOSTS / 2);
    hs__mapping m;
    for (int r = 0; r < SIDE * SIDE; r++)
        host_of[r] = r / (SIDE * SIDE / HOSTS);
    for (int h = 0; h < HOSTS; h++)
        chain[h] = h;
    assert_int_equal(hs__mapping_init(&m, platform, &params, &graph, NULL), HS_OK);
    m.dimensions = 2;
    m.extent = extent;
    assert_int_equal(hs__mapping_halve(&m, chain, -1, host), HS_OK);
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++) {
            int at = host[y * SIDE + x];
            assert_int_equal(at, host[y / 2 * 2 * SIDE + x / 2 * 2]);
            cells[at]++;
        }
    for (int h = 0; h < HOSTS; h++)
        assert_int_equal(cells[h], 4);
    hs__mapping_free(&m);
    hs_platform_free(platform);
}

/* Three vertices that send a lot to each other, and one that sends little, on hosts of three ranks and one. */
static void the_smaller_part_grows(void **state)
{
    static const int64_t first[] = {0, 2, 3, 3, 4};
    static const int to[] = {1, 2, 2, 0}, host_of[] = {0, 0, 0, 1};
    static const double bytes[] = {10, 10, 10, 1};
    const hs_mapping_graph graph = {4, first, to, bytes};
    const hs_mapping_params params = {.ranks = 4, .host = host_of};
    hs_platform *platform = two_sites(1);
    hs__mapping m;
    assert_int_equal(hs__mapping_init(&m, platform, &params, &graph, NULL), HS_OK);
    for (int small = 0; small < 2; small++) { /* the first host of the chain, or the last */
        int chain[] = {!small, small}, host[4];
        assert_int_equal(hs__mapping_halve(&m, chain, -1, host), HS_OK);
        assert_memory_equal(host, host_of, sizeof host_of);
    }
    hs__mapping_free(&m);
    hs_platform_free(platform);
}

/* A path of six vertices, the last of which is in its middle: growing from an end of the path cuts one edge. */
static void parts_grow_from_the_rim(void **state)
{
    static const int64_t first[] = {0, 1, 2, 3, 3, 4, 5};
    static const int to[] = {4, 2, 3, 5, 1}, host_of[] = {0, 0, 0, 1, 1, 1}, chain[] = {0, 1};
    static const int expected[] = {0, 1, 1, 1, 0, 0};
    static const double bytes[] = {1, 1, 1, 1, 1};
    const hs_mapping_graph graph = {6, first, to, bytes};
    const hs_mapping_params params = {.ranks = 6, .host = host_of};
    hs_platform *platform = two_sites(1);
    int host[6];
    hs__mapping m;
    assert_int_equal(hs__mapping_init(&m, platform, &params, &graph, NULL), HS_OK);
    assert_int_equal(hs__mapping_halve(&m, chain, -1, host), HS_OK);
    assert_memory_equal(host, expected, sizeof expected);
    hs__mapping_free(&m);
    hs_platform_free(platform);
}

/* Heavy columns, light rows: the cut goes through the rows. */
static void weights_are_honoured(void **state)
{
    hs_platform *platform = two_sites(1);
    int host[16], rank[16], extent[2] = {4, 4}, periodic[2] = {0, 0};
    double bytes[2] = {100, 1};
    hs_mapping_params params = {.ranks = 16, .host = host};
    hs_mapping_cost cost;
    for (int r = 0; r < 16; r++)
        host[r] = r / 8;
    assert_int_equal(hs_mapping_grid_ranks(platform, &params, 2, extent, periodic, bytes, rank, &cost, NULL, NULL),
                     HS_OK);
    CHECK_CLOSE(cost.busiest, 0.8, 1e-9);
    bytes[0] = 1;
    bytes[1] = 100;
    assert_int_equal(hs_mapping_grid_ranks(platform, &params, 2, extent, periodic, bytes, rank, &cost, NULL, NULL),
                     HS_UNCHANGED);
    for (int v = 0; v < 16; v++)
        assert_int_equal(rank[v], v);
    hs_platform_free(platform);
}

/* Rings of two weights, and a hub whose lightest partner is left alone: by hand, over the link of 10 B/s. */
static void unequal_edges_are_cut_where_they_are_light(void **state)
{
    static const struct {
        int vertices, host[4];
        int64_t first[5];
        int to[8];
        double bytes[8], busiest;
        hs_status status;
    } rows[] = {
        {4, {0, 1, 0, 1}, {0, 2, 4, 6, 8}, {1, 3, 0, 2, 1, 3, 2, 0}, {1, 50, 1, 50, 50, 1, 1, 50}, 0.4, HS_OK},
        {4, {0, 0, 1, 1}, {0, 2, 4, 6, 8}, {1, 3, 0, 2, 1, 3, 2, 0}, {50, 1, 50, 1, 1, 50, 50, 1}, 0.4, HS_UNCHANGED},
        {4, {0, 1, 1, 1}, {0, 3, 3, 3, 3}, {1, 2, 3}, {10, 5, 1}, 0.1, HS_OK},
        {4, {0, 1, 1, 1}, {0, 0, 1, 2, 3}, {0, 0, 0}, {5, 10, 0.5}, 0.05, HS_OK},
        {3, {0, 1, 1, 0}, {0, 2, 3, 3}, {1, 1, 2}, {2, 3, 4}, 0.4, HS_OK}, /* two edges together weigh 5 */
    };
    hs_platform *platform = two_sites(1);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int keep = 0; keep < 2; keep++) {
            int rank[4];
            hs_mapping_graph graph = {rows[i].vertices, rows[i].first, rows[i].to, rows[i].bytes};
            hs_mapping_params params = {.ranks = rows[i].vertices, .host = rows[i].host, .keep_first = keep};
            hs_mapping_cost cost, before;
            hs_status status = hs_mapping_graph_ranks(platform, &params, &graph, rank, &cost, &before, NULL);
            check_answer(platform, &params, &graph, status, rank, cost, before);
            if (!keep) {
                assert_int_equal(status, rows[i].status);
                CHECK_CLOSE(cost.busiest, rows[i].busiest, 1e-9);
            }
        }
    hs_platform_free(platform);
}

/* Two edges from 0 to 1, with another between them, are one message: 5 bytes over a link that each message has alone. */
static void edges_of_a_pair_are_one_message(void **state)
{
    const int64_t first[] = {0, 3, 3, 3};
    const int to[] = {1, 2, 1}, host[] = {0, 1, 1};
    const double bytes[] = {2, 4, 3};
    const hs_mapping_graph graph = {3, first, to, bytes};
    const hs_mapping_params params = {.ranks = 3, .host = host};
    hs_platform *platform = NULL;
    hs_mapping_cost cost, before;
    int rank[3], link;
    assert_int_equal(hs_platform_create(HS_ROUTING_GRAPH, &platform), HS_OK);
    hs_platform_add_host(platform, "a", 1, 1, NULL, NULL);
    hs_platform_add_host(platform, "b", 1, 1, NULL, NULL);
    hs_platform_add_link(platform, "wide", 10, 0, HS_FATPIPE, &link, NULL);
    assert_int_equal(hs_platform_add_edge(platform, 0, 1, link, NULL), HS_OK);
    assert_int_equal(hs_mapping_graph_ranks(platform, &params, &graph, rank, &cost, &before, NULL), HS_OK);
    CHECK_CLOSE(before.busiest, 0.5, 1e-12);
    CHECK_CLOSE(cost.busiest, 0.4, 1e-12); /* 2 is alone */
    assert_int_equal(rank[2], 0);
    hs_platform_free(platform);
}

/* Four pairs that talk much within and little to another pair, which is at the other site. No exchange of two vertices
 * helps, since it tears pairs apart; one of hosts 1 and 2 does, or of 0 and 3, which a vertex that stays forbids. */
static void whole_hosts_are_exchanged(void **state)
{
    const int64_t first[] = {0, 2, 2, 4, 4, 5, 5, 6, 6};
    const int to[] = {1, 4, 3, 6, 5, 7}, host[] = {0, 0, 1, 1, 2, 2, 3, 3};
    const double bytes[] = {1000, 5, 1000, 5, 1000, 1000};
    const hs_mapping_graph graph = {8, first, to, bytes};
    hs_platform *platform = two_sites(2);
    for (int keep = 0; keep < 2; keep++) {
        const hs_mapping_params params = {.ranks = 8, .host = host, .keep_first = keep};
        hs__mapping m;
        hs__assignment s = {0};
        assert_int_equal(hs__mapping_init(&m, platform, &params, &graph, NULL), HS_OK);
        assert_int_equal(hs__assignment_init(&s, &m), HS_OK);
        hs__assignment_set(&s, &m, m.home);
        CHECK_CLOSE(s.busiest, 1, 1e-12);
        hs__mapping_descend(&m, &s);
        CHECK_CLOSE(s.busiest, 0.05, 1e-12);
        if (keep)
            assert_int_equal(s.host[0], m.home[0]);
        hs__assignment_free(&s);
        hs__mapping_free(&m);
    }
    hs_platform_free(platform);
}

/* More vertices than all pairs are looked at: pairs that were dealt to both sites come together. */
static void many_vertices_go_where_their_partners_are(void **state)
{
    enum { MANY = 104 };
    int64_t first[MANY + 1] = {0};
    int to[MANY / 2], host[MANY];
    double bytes[MANY / 2];
    for (int v = 0; v < MANY; v++) {
        int64_t edges = first[v];
        host[v] = v % 4;
        if (v % 4 < 2) {
            to[edges] = v + 2;
            bytes[edges++] = 10;
        }
        first[v + 1] = edges;
    }
    const hs_mapping_graph graph = {MANY, first, to, bytes};
    hs_platform *platform = two_sites(2);
    for (int keep = 0; keep < 2; keep++) {
        const hs_mapping_params params = {.ranks = MANY, .host = host, .keep_first = keep};
        hs__mapping m;
        hs__assignment s = {0};
        assert_int_equal(hs__mapping_init(&m, platform, &params, &graph, NULL), HS_OK);
        assert_int_equal(hs__assignment_init(&s, &m), HS_OK);
        hs__assignment_set(&s, &m, m.home);
        CHECK_CLOSE(s.busiest, MANY / 2, 1e-12); /* 10 bytes of each pair over the link of 10 B/s */
        hs__mapping_descend(&m, &s);
        CHECK_CLOSE(s.busiest, 0, 1e-12);
        if (keep)
            assert_int_equal(s.host[0], m.home[0]);
        hs__assignment_free(&s);
        hs__mapping_free(&m);
    }
    hs_platform_free(platform);
}

/* With more ranks than vertices the lonely ones go where they cost nothing. */
static void spare_ranks_are_left_out_well(void **state)
{
    hs_platform *platform = two_sites(1);
    int host[6] = {0, 1, 0, 1, 0, 1}, rank[3], extent = 3, periodic = 1;
    hs_mapping_params params = {.ranks = 6, .host = host};
    hs_mapping_cost cost;
    assert_int_equal(hs_mapping_grid_ranks(platform, &params, 1, &extent, &periodic, NULL, rank, &cost, NULL, NULL),
                     HS_OK);
    CHECK_CLOSE(cost.total, 0, 0);
    assert_true(host[rank[0]] == host[rank[1]] && host[rank[1]] == host[rank[2]]);
    hs_platform_free(platform);
}

static void invariants_on_random_cases(void **state)
{
    hs__random random = {23};
    for (int trial = 0; trial < 150; trial++) {
        int hosts = 1 + (int)hs__random_below(&random, 12), host[MOST], rank[MOST];
        hs_platform *platform = random_platform(&random, hosts);
        hs_mapping_params params = {.ranks = (int)hs__random_below(&random, MOST), .host = host, .effort = 100000};
        random_graph x;
        hs_mapping_cost cost, before;
        params.keep_first = trial % 2;
        for (int r = 0; r < params.ranks; r++)
            host[r] = (int)hs__random_below(&random, hosts);
        make_graph(&random, (int)hs__random_below(&random, params.ranks + 1), &x);
        if (x.graph.vertices < MOST)
            rank[x.graph.vertices] = -7;
        hs_status status = hs_mapping_graph_ranks(platform, &params, &x.graph, rank, &cost, &before, NULL);
        assert_true(status >= HS_OK);
        check_answer(platform, &params, &x.graph, status, rank, cost, before);
        assert_true(x.graph.vertices == MOST || rank[x.graph.vertices] == -7);
        hs_platform_free(platform);
    }
}

/* Messages of a byte are weighed beside those of 1e24: what is left of loads after the large ones is not their rounding. */
static void messages_of_all_sizes(void **state)
{
    hs__random random = {29};
    for (int trial = 0; trial < 100; trial++) {
        int hosts = 2 + (int)hs__random_below(&random, 5), host[MOST], rank[MOST];
        hs_platform *platform = random_platform(&random, hosts);
        hs_mapping_params params = {.ranks = 3 * hosts, .host = host, .effort = 20000};
        random_graph x;
        hs_mapping_cost cost, before;
        deal(host, params.ranks, hosts);
        make_graph(&random, params.ranks, &x);
        for (int64_t k = 0; k < x.first[params.ranks]; k++)
            x.bytes[k] = pow(10, (double)hs__random_below(&random, 25));
        hs_status status = hs_mapping_graph_ranks(platform, &params, &x.graph, rank, &cost, &before, NULL);
        assert_true(status >= HS_OK);
        check_answer(platform, &params, &x.graph, status, rank, cost, before);
        hs_platform_free(platform);
    }
}

static void bad_input_is_refused(void **state)
{
    hs_platform *platform = two_sites(1);
    int host[3] = {0, 1, 0}, rank[3] = {7, 7, 7}, extent[2] = {2, 2}, periodic[2] = {0, 0}, to[2] = {1, 0};
    int64_t first[3] = {0, 1, 2};
    double bytes[2] = {1, 1};
    hs_error error = {.line = 7};
    hs_mapping_params params = {.ranks = 3, .host = host};
    hs_mapping_graph graph = {2, first, to, bytes};
    assert_int_equal(hs_mapping_grid_ranks(platform, &params, 2, extent, periodic, NULL, rank, NULL, NULL, &error),
                     HS_ERR_ARG);
    CHECK_ERROR(&error, 0, "4 vertices are more than 3 ranks");
    extent[1] = 0;
    assert_int_equal(hs_mapping_grid_ranks(platform, &params, 2, extent, periodic, NULL, rank, NULL, NULL, &error),
                     HS_ERR_ARG);
    assert_int_equal(hs_mapping_grid_ranks(platform, &params, 99, extent, periodic, NULL, rank, NULL, NULL, &error),
                     HS_ERR_ARG);
    bytes[1] = NAN;
    assert_int_equal(hs_mapping_graph_ranks(platform, &params, &graph, rank, NULL, NULL, &error), HS_ERR_ARG);
    bytes[1] = -1;
    assert_int_equal(hs_mapping_graph_ranks(platform, &params, &graph, rank, NULL, NULL, &error), HS_ERR_ARG);
    bytes[1] = 1;
    to[0] = 2;
    assert_int_equal(hs_mapping_graph_ranks(platform, &params, &graph, rank, NULL, NULL, &error), HS_ERR_ARG);
    CHECK_ERROR(&error, 0, "vertex 0 sends to 2, which is no vertex");
    to[0] = 1;
    first[1] = 3;
    assert_int_equal(hs_mapping_graph_ranks(platform, &params, &graph, rank, NULL, NULL, &error), HS_ERR_ARG);
    first[1] = 1;
    host[2] = 2;
    assert_int_equal(hs_mapping_graph_ranks(platform, &params, &graph, rank, NULL, NULL, &error), HS_ERR_ARG);
    host[2] = -1;
    assert_int_equal(hs_mapping_graph_ranks(platform, &params, &graph, rank, NULL, NULL, &error), HS_ERR_ARG);
    host[2] = 0;
    params.effort = -1;
    assert_int_equal(hs_mapping_graph_ranks(platform, &params, &graph, rank, NULL, NULL, &error), HS_ERR_ARG);
    params.effort = 0;
    assert_int_equal(hs_mapping_graph_ranks(NULL, &params, &graph, rank, NULL, NULL, &error), HS_ERR_ARG);
    CHECK_ERROR(&error, 0, "no platform, parameters, hosts of the ranks, graph or first edges");
    params.host = NULL;
    assert_int_equal(hs_mapping_graph_ranks(platform, &params, &graph, rank, NULL, NULL, &error), HS_ERR_ARG);
    params.host = host;
    assert_int_equal(hs_mapping_graph_ranks(platform, &params, &graph, NULL, NULL, NULL, &error), HS_ERR_ARG);
    CHECK_ERROR(&error, 0, "no place for the ranks");
    const hs_mapping_graph no_ends = {2, first, NULL, NULL}, no_first = {2, NULL, to, NULL};
    assert_int_equal(hs_mapping_graph_ranks(platform, &params, &no_first, rank, NULL, NULL, &error), HS_ERR_ARG);
    assert_int_equal(hs_mapping_graph_ranks(platform, &params, &no_ends, rank, NULL, NULL, &error), HS_ERR_ARG);
    CHECK_ERROR(&error, 0, "the edges lead nowhere: to is NULL");
    extent[1] = 1;
    assert_int_equal(hs_mapping_grid_ranks(platform, &params, 2, NULL, periodic, NULL, rank, NULL, NULL, &error),
                     HS_ERR_ARG);
    assert_int_equal(hs_mapping_grid_ranks(platform, &params, 2, extent, NULL, NULL, rank, NULL, NULL, &error),
                     HS_ERR_ARG);
    CHECK_ERROR(&error, 0, "no extent of the dimensions, or not which are periodic");
    for (int v = 0; v < 3; v++)
        assert_int_equal(rank[v], 7);
    hs_platform_free(platform);
}

static void hosts_without_a_route_are_named(void **state)
{
    hs_platform *platform = NULL;
    hs_error error = {.line = 7};
    int host[2] = {0, 1}, rank[2], extent = 2, periodic = 0;
    hs_mapping_params params = {.ranks = 2, .host = host};
    hs_platform_create(HS_ROUTING_FULL, &platform);
    hs_platform_add_host(platform, "a", 1, 1, NULL, NULL);
    hs_platform_add_host(platform, "b", 1, 1, NULL, NULL);
    assert_int_equal(hs_mapping_grid_ranks(platform, &params, 1, &extent, &periodic, NULL, rank, NULL, NULL, &error),
                     HS_ERR_UNREACHABLE);
    CHECK_ERROR(&error, 0, "no route from 'a' to 'b'");
    hs_platform_free(platform);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(optimal_on_small_cases),
        cmocka_unit_test(grids_are_cut_where_they_are_thin),
        cmocka_unit_test(halves_are_cut_in_the_middle),
        cmocka_unit_test(the_smaller_part_grows),
        cmocka_unit_test(parts_grow_from_the_rim),
        cmocka_unit_test(weights_are_honoured),
        cmocka_unit_test(unequal_edges_are_cut_where_they_are_light),
        cmocka_unit_test(edges_of_a_pair_are_one_message),
        cmocka_unit_test(whole_hosts_are_exchanged),
        cmocka_unit_test(many_vertices_go_where_their_partners_are),
        cmocka_unit_test(spare_ranks_are_left_out_well),
        cmocka_unit_test(invariants_on_random_cases),
        cmocka_unit_test(messages_of_all_sizes),
        cmocka_unit_test(bad_input_is_refused),
        cmocka_unit_test(hosts_without_a_route_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

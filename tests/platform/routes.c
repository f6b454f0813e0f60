/* SPDX-License-Identifier: BSD-3-Clause */
/* Shortest paths and their ties against SimGrid's own loops, routes of files by hand, and routes from many threads. */
#include "platform/platform.h"
#include "tests/platform/read.h"
#include "tests/short_of_memory.h"
#include "util/random.h"
#include <limits.h>
#include <pthread.h>
#include <unistd.h>

enum { MOST = 12, ROUNDS = 400, THREADS = 4 };

/* Random directed edges of 1 to 3 links between n vertices, few enough for unreachable ones and many for ties. */
static hs_platform *random_zone(hs__routing routing, int n, hs__random *random)
{
    hs_platform *p = hs__platform_new();
    int zone, links[3];
    char id[16];
    assert_non_null(p);
    assert_int_equal(hs__platform_add_zone(p, -1, "zone", routing, &zone, NULL), HS_OK);
    for (int v = 0; v < n; v++) {
        snprintf(id, sizeof id, "v%d", v);
        assert_int_equal(hs__platform_add_node(p, zone, id, 1, 1, NULL, NULL), HS_OK);
    }
    for (int e = (int)hs__random_below(random, 3 * n); e >= 0; e--) {
        hs__edge edge = {.zone = zone,
                         .from = (int)hs__random_below(random, n),
                         .to = (int)hs__random_below(random, n),
                         .gw_from = -1,
                         .gw_to = -1,
                         .count = 1 + (int)hs__random_below(random, 4) / 3};
        if (edge.from == edge.to || hs__platform_find_edge(p, zone, edge.from, edge.to) >= 0)
            continue;
        for (int i = 0; i < edge.count; i++) {
            snprintf(id, sizeof id, "e%zu.%d", p->edge_count, i);
            assert_int_equal(hs__platform_add_link(p, zone, id, 1, 1, HS_SHARED, &links[i], NULL), HS_OK);
        }
        assert_int_equal(hs__platform_add_edge(p, edge, links, NULL), HS_OK);
    }
    return p;
}

/* SimGrid's Floyd: before[a][b] is the vertex before b on the way from a, -1 for no way. */
static void floyd(const hs_platform *p, int n, int before[MOST][MOST])
{
    int64_t cost[MOST][MOST];
    for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++) {
            int e = hs__platform_find_edge(p, 0, a, b);
            before[a][b] = e < 0 ? -1 : a;
            cost[a][b] = e < 0 ? INT64_MAX : p->edges[e].count;
        }
    for (int c = 0; c < n; c++)
        for (int a = 0; a < n; a++)
            for (int b = 0; b < n; b++)
                if (cost[a][c] < INT64_MAX && cost[c][b] < INT64_MAX && cost[a][c] + cost[c][b] < cost[a][b]) {
                    cost[a][b] = cost[a][c] + cost[c][b];
                    before[a][b] = before[c][b];
                }
}

/* SimGrid's Dijkstra: vertices settle by (cost, order of first mention), and only a shorter way replaces a way. */
static void dijkstra(const hs_platform *p, int n, int before[MOST][MOST])
{
    int rank[MOST], ranked = 0;
    for (int v = 0; v < n; v++)
        rank[v] = -1;
    for (size_t e = 0; e < p->edge_count; e++) {
        if (rank[p->edges[e].from] < 0)
            rank[p->edges[e].from] = ranked++;
        if (rank[p->edges[e].to] < 0)
            rank[p->edges[e].to] = ranked++;
    }
    for (int a = 0; a < n; a++) {
        int64_t cost[MOST];
        int settled[MOST] = {0};
        for (int v = 0; v < n; v++) {
            cost[v] = v == a ? 0 : INT64_MAX;
            before[a][v] = -1;
        }
        for (;;) {
            int v = -1;
            for (int u = 0; u < n; u++)
                if (!settled[u] && cost[u] < INT64_MAX &&
                    (v < 0 || cost[u] < cost[v] || (cost[u] == cost[v] && rank[u] < rank[v])))
                    v = u;
            if (v < 0)
                break;
            settled[v] = 1;
            for (size_t e = 0; e < p->edge_count; e++)
                if (p->edges[e].from == v && cost[v] + p->edges[e].count < cost[p->edges[e].to]) {
                    cost[p->edges[e].to] = cost[v] + p->edges[e].count;
                    before[a][p->edges[e].to] = v;
                }
        }
    }
}

static void check_path(const hs_platform *p, int from, int to, int before[MOST][MOST])
{
    int *edges = NULL;
    size_t count = 0, room = 0, i = 0;
    hs_status status = hs__zone_path(p, 0, from, to, &edges, &count, &room);
    if (before[from][to] < 0) {
        assert_int_equal(status, HS_ERR_UNREACHABLE);
        free(edges);
        return;
    }
    assert_int_equal(status, HS_OK);
    for (int at = to; at != from; at = before[from][at], i++) {
        assert_true(i < count);
        assert_int_equal(p->edges[edges[i]].to, at);
        assert_int_equal(p->edges[edges[i]].from, before[from][at]);
    }
    assert_int_equal(i, count);
    free(edges);
}

static void compare_paths(hs__routing routing, void (*reference)(const hs_platform *, int, int (*)[MOST]))
{
    hs__random random = {2024};
    for (int round = 0; round < ROUNDS; round++) {
        int n = 2 + (int)hs__random_below(&random, MOST - 1), before[MOST][MOST];
        hs_platform *p = random_zone(routing, n, &random);
        reference(p, n, before);
        for (int a = 0; a < n; a++)
            for (int b = 0; b < n; b++)
                if (a != b)
                    check_path(p, a, b, before);
        hs_platform_free(p);
    }
}

static void floyd_as_simgrid(void **state)
{
    compare_paths(HS__ROUTING_FLOYD, floyd);
}

static void dijkstra_as_simgrid(void **state)
{
    compare_paths(HS__ROUTING_DIJKSTRA, dijkstra);
}

/* Allocations that the paths between all hosts of one switch take. */
static int allocations_for_paths(hs__routing routing, int hosts)
{
    hs_platform *p = hs__platform_new();
    int zone, link, *edges = NULL;
    size_t room = 0;
    char id[16];
    assert_int_equal(hs__platform_add_zone(p, -1, "zone", routing, &zone, NULL), HS_OK);
    for (int v = 0; v <= hosts; v++) {
        snprintf(id, sizeof id, "v%d", v);
        assert_int_equal(hs__platform_add_node(p, zone, id, 1, v < hosts, NULL, NULL), HS_OK);
    }
    assert_int_equal(hs__platform_add_link(p, zone, "link", 1, 1, HS_SHARED, &link, NULL), HS_OK);
    for (int v = 0; v < 2 * hosts; v++) {
        int from = v < hosts ? v : hosts, to = v < hosts ? hosts : v - hosts;
        hs__edge edge = {.zone = zone, .from = from, .to = to, .gw_from = -1, .gw_to = -1, .count = 1};
        assert_int_equal(hs__platform_add_edge(p, edge, &link, NULL), HS_OK);
    }
    memory_lasts(INT_MAX);
    for (int a = 0; a < hosts; a++)
        for (int b = 0; b < hosts; b++) {
            size_t count = 0;
            assert_int_equal(hs__zone_path(p, zone, a, b, &edges, &count, &room), HS_OK);
            assert_int_equal(count, a == b ? 0 : 2);
        }
    int allocations = INT_MAX - allocations_left;
    assert_int_equal(memory_is_back(), 0);
    free(edges);
    hs_platform_free(p);
    return allocations;
}

/* Hosts of one cable share the row of their switch. */
static void hosts_need_no_rows(void **state)
{
    static const hs__routing routings[] = {HS__ROUTING_FLOYD, HS__ROUTING_DIJKSTRA};
    for (size_t i = 0; i < sizeof routings / sizeof *routings; i++)
        assert_int_equal(allocations_for_paths(routings[i], 30), allocations_for_paths(routings[i], 3));
}

/* Checks that a route crosses exactly these links, given as one text with '|' between. */
static void check_route(const hs_platform *p, const char *from, const char *to, const char *links)
{
    char text[1024] = "";
    hs_route route = {0};
    assert_int_equal(hs_platform_route(p, hs_platform_find_node(p, from), hs_platform_find_node(p, to), &route), HS_OK);
    for (size_t i = 0; i < route.count; i++) {
        strcat(text, i ? "|" : "");
        strcat(text, hs_platform_link_id(p, route.links[i]));
    }
    assert_string_equal(text, links);
    hs_route_free(&route);
}

static void demo_platform(void **state)
{
    hs_platform *p = read_platform("examples/two-switches.xml");
    assert_int_equal(hs_platform_hosts(p), 6);
    assert_int_equal(hs_platform_routers(p), 2);
    check_route(p, "a1", "a2", "la1_UP|la2_DOWN");
    check_route(p, "a1", "b3", "la1_UP|trunk_UP|lb3_DOWN");
    check_route(p, "b3", "a1", "lb3_UP|trunk_DOWN|la1_DOWN");
    CHECK_CLOSE(hs_platform_link_bandwidth(p, hs_platform_find_link(p, "trunk_UP")), 7.5e6, 0);
    hs_platform_free(p);
}

static void zones_in_zones(void **state)
{
    hs_platform *p = read_platform("tests/platforms/three-levels.xml");
    check_route(p, "n1", "n2", "ln1|ln2");
    check_route(p, "n1", "farm0", "ln1|north uplink|farm uplink_DOWN|farm_backbone|farm_link_0_DOWN");
    check_route(p, "n1", "c1",
                "ln1|north uplink|edge wire|north-core|lille-paris|paris-lyon_UP|south-core|a-b|lb3|b-c");
    check_route(p, "c1", "n1",
                "b-c|lb3|a-b|south-core|paris-lyon_DOWN|lille-paris|north-core|edge wire|north uplink|ln1");
    hs_platform_free(p);
    p = read_platform("tests/platforms/clusters.xml");
    check_route(p, "l1", "l2", "limited_link_1_limiter|limited_link_1_UP|limited_link_2_DOWN|limited_link_2_limiter");
    check_route(p, "n5", "n5", "half_link_5_loopback");
    check_route(p, "l1", "l1", "");
    check_route(p, "node-10.bb", "node-0.bb", "backboned_link_10_UP|backboned_backbone|backboned_link_0_DOWN");
    hs_platform_free(p);
}

static void unreachable(void **state)
{
    hs_platform *p = read_platform("tests/platforms/islands.xml");
    hs_route route = {0};
    assert_int_equal(hs_platform_route(p, 0, 2, &route), HS_ERR_UNREACHABLE);
    assert_int_equal(hs_platform_route(p, 0, 1, &route), HS_OK);
    assert_true(route.count > 0);
    const int nodes = hs_platform_hosts(p) + hs_platform_routers(p);
    assert_int_equal(hs_platform_route(p, 0, nodes, &route), HS_ERR_ARG); /* empty after a failure */
    assert_int_equal(route.count, 0);
    assert_true(isinf(route.bandwidth) && route.latency == 0);
    hs_route_free(&route);
    hs_platform_free(p);
}

static void arcs_of_zones(void **state)
{
    const hs_arc *arcs;
    size_t count;
    hs_platform *p = read_platform("tests/platforms/one-cluster.xml");
    assert_int_equal(hs_platform_arcs(p, &arcs, &count), HS_ERR_UNSUPPORTED); /* a backbone */
    hs_platform_free(p);
    p = read_platform("tests/platforms/three-levels.xml");
    assert_int_equal(hs_platform_arcs(p, &arcs, &count), HS_ERR_UNSUPPORTED); /* Full */
    hs_platform_free(p);
    p = read_platform("tests/platforms/star.xml");
    assert_int_equal(hs_platform_arcs(p, &arcs, &count), HS_OK);
    assert_int_equal(count, 8); /* two hosts of a cluster, the middle zone and the lone host: 4 edges both ways */
    int limiter = hs_platform_find_link(p, "star_link_0_limiter"), up = hs_platform_find_link(p, "star_link_0_UP");
    assert_int_equal(arcs[0].from, hs_platform_find_node(p, "s0"));
    assert_int_equal(arcs[0].to, hs_platform_find_node(p, "sstar_router"));
    assert_int_equal(arcs[0].count, 2);
    assert_int_equal(arcs[0].links[0], limiter);
    assert_int_equal(arcs[0].links[1], up);
    hs_platform_free(p);
}

/* Two hosts of a cluster, and what else is in it: before them, and after. */
static hs_platform *read_cluster(const char *before, const char *after)
{
    char path[] = "/tmp/hs-cluster-XXXXXX";
    hs_platform *p = NULL;
    hs_error error;
    FILE *file = fdopen(mkstemp(path), "w");
    assert_non_null(file);
    fprintf(
        file,
        "<platform version=\"4.1\"><zone id=\"z\" routing=\"Cluster\">%s<host id=\"a\" speed=\"1f\"/><host id=\"b\" "
        "speed=\"1f\"/><link id=\"l\" bandwidth=\"1Bps\" latency=\"1s\"/><host_link id=\"a\" up=\"l\" "
        "down=\"l\"/><host_link id=\"b\" up=\"l\" down=\"l\"/>%s</zone></platform>",
        before, after);
    fclose(file);
    if (hs_platform_read(path, &p, &error) != HS_OK)
        fail_msg("%s", error.text);
    unlink(path);
    return p;
}

/* Hosts of a cluster are neighbours of its only router, wherever the file names it. */
static void arcs_of_a_cluster(void **state)
{
    static const struct {
        const char *before, *after;
        hs_status status;
    } row[] = {{"<router id=\"r\"/>", "", HS_OK},
               {"", "<router id=\"r\"/>", HS_OK},
               {"", "", HS_ERR_UNSUPPORTED},
               {"<router id=\"r\"/>", "<router id=\"q\"/>", HS_ERR_UNSUPPORTED},
               {"<router id=\"r\"/><router id=\"q\"/>", "", HS_ERR_UNSUPPORTED}};
    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        const hs_arc *arcs;
        size_t count;
        hs_platform *p = read_cluster(row[k].before, row[k].after);
        assert_int_equal(hs_platform_arcs(p, &arcs, &count), row[k].status);
        if (row[k].status == HS_OK) {
            int router = hs_platform_find_node(p, "r");
            assert_int_equal(count, 4);
            for (size_t i = 0; i < count; i++)
                assert_true((arcs[i].from == router) != (arcs[i].to == router));
        }
        hs_platform_free(p);
    }
}

typedef struct asking {
    const hs_platform *platform;
    int64_t links; /* crossed by all routes together */
} asking;

static void *ask_all(void *argument)
{
    asking *a = argument;
    int n = hs_platform_hosts(a->platform);
    hs_route route = {0};
    for (int from = 0; from < n; from++)
        for (int to = 0; to < n; to++)
            if (hs_platform_route(a->platform, from, to, &route) == HS_OK)
                a->links += (int64_t)route.count;
    hs_route_free(&route);
    return NULL;
}

static void many_threads(void **state)
{
    static const char *const files[] = {"tests/platforms/ties-floyd.xml", "tests/platforms/ties-dijkstra.xml",
                                        "tests/platforms/three-levels.xml"};
    for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
        hs_platform *p = read_platform(files[f]);
        pthread_t threads[THREADS];
        asking asked[THREADS];
        for (int i = 0; i < THREADS; i++) {
            asked[i] = (asking){p, 0};
            assert_int_equal(pthread_create(&threads[i], NULL, ask_all, &asked[i]), 0);
        }
        for (int i = 0; i < THREADS; i++)
            pthread_join(threads[i], NULL);
        for (int i = 1; i < THREADS; i++)
            assert_int_equal(asked[i].links, asked[0].links);
        assert_true(asked[0].links > 0);
        hs_platform_free(p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(floyd_as_simgrid),  cmocka_unit_test(dijkstra_as_simgrid),
                                       cmocka_unit_test(demo_platform),     cmocka_unit_test(zones_in_zones),
                                       cmocka_unit_test(unreachable),       cmocka_unit_test(arcs_of_zones),
                                       cmocka_unit_test(arcs_of_a_cluster), cmocka_unit_test(many_threads),
                                       cmocka_unit_test(hosts_need_no_rows)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Platforms built in memory: ids, errors, routes by hand, arcs. */
#include "platform/bounds.h"
#include "platform/platform.h"
#include "platform/xml_read.h"
#include "tests/unit.h"
#include <heteroslice/hs_platform.h>

/* a, b behind router s, c behind router t; s - t is a duplex pair. */
static hs_platform *small(void)
{
    hs_platform *p;
    int link, up;
    assert_int_equal(hs_platform_create(HS_ROUTING_GRAPH, &p), HS_OK);
    assert_int_equal(hs_platform_add_host(p, "a", 3e9, 1, NULL, NULL), HS_OK);
    assert_int_equal(hs_platform_add_host(p, "b", 2e9, 4, NULL, NULL), HS_OK);
    assert_int_equal(hs_platform_add_host(p, "c", 0, 1, NULL, NULL), HS_OK);
    assert_int_equal(hs_platform_add_router(p, "s", NULL, NULL), HS_OK);
    assert_int_equal(hs_platform_add_router(p, "t", NULL, NULL), HS_OK);
    assert_int_equal(hs_platform_add_link(p, "as", 10, 1, HS_SHARED, &link, NULL), HS_OK);
    assert_int_equal(hs_platform_add_edge(p, 0, 3, link, NULL), HS_OK);
    assert_int_equal(hs_platform_add_link(p, "bs", 20, 2, HS_FATPIPE, &link, NULL), HS_OK);
    assert_int_equal(hs_platform_add_edge(p, 1, 3, link, NULL), HS_OK);
    assert_int_equal(hs_platform_add_duplex(p, "st", 5, 4, &up, NULL), HS_OK);
    assert_int_equal(hs_platform_add_edge(p, 3, 4, up, NULL), HS_OK);
    assert_int_equal(hs_platform_add_link(p, "ct", 30, 8, HS_SHARED, &link, NULL), HS_OK);
    assert_int_equal(hs_platform_add_edge(p, 4, 2, link, NULL), HS_OK);
    return p;
}

static void accessors(void **state)
{
    hs_platform *p = small();
    assert_int_equal(hs_platform_hosts(p), 3);
    assert_int_equal(hs_platform_routers(p), 2);
    assert_int_equal(hs_platform_links(p), 5);
    assert_string_equal(hs_platform_node_id(p, 4), "t");
    assert_string_equal(hs_platform_link_id(p, 3), "st_DOWN");
    assert_int_equal(hs_platform_find_node(p, "s"), 3);
    assert_int_equal(hs_platform_find_node(p, "nobody"), -1);
    assert_int_equal(hs_platform_find_link(p, "ct"), 4);
    assert_int_equal(hs_platform_find_link(p, "st"), -1);
    assert_int_equal(hs_platform_link_twin(p, 2), 3);
    assert_int_equal(hs_platform_link_twin(p, 3), 2);
    assert_int_equal(hs_platform_link_twin(p, 0), -1);
    assert_int_equal(hs_platform_link_sharing(p, 1), HS_FATPIPE);
    assert_int_equal(hs_platform_host_cores(p, 1), 4);
    CHECK_CLOSE(hs_platform_host_speed(p, 0), 3e9, 0);
    CHECK_CLOSE(hs_platform_link_bandwidth(p, 3), 5, 0);
    CHECK_CLOSE(hs_platform_link_latency(p, 3), 4, 0);
    hs_platform_free(p);
    hs_platform_free(NULL);
}

static void hosts_with_and_without_domain(void **state)
{
    static const char *const names[] = {"n3.here", "n2.here", "n1", "n3.there", "n4", "n4.here"};
    static const struct {
        const char *name;
        int host;
    } rows[] = {{"n1", 2},       {"n1.here", 2},  {"n2", 1},       {"n2.here", 1}, {"n2.there", -1},
                {"n3", -1},      {"n3.there", 3}, {"n3.else", -1}, {"n4", 4},      {"n4.here", 5},
                {"n4.there", 4}, {"n", -1},       {"router", -1},  {"n1.", 2},     {"router.a", -1}};
    hs_platform *p;
    assert_int_equal(hs_platform_create(HS_ROUTING_GRAPH, &p), HS_OK);
    for (size_t h = 0; h < sizeof names / sizeof *names; h++)
        assert_int_equal(hs_platform_add_host(p, names[h], 1, 1, NULL, NULL), HS_OK);
    assert_int_equal(hs_platform_add_router(p, "router", NULL, NULL), HS_OK);
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        assert_int_equal(hs__platform_find_host(p, rows[k].name), rows[k].host);
    hs_platform_free(p);
}

static void check_route(const hs_platform *p, int from, int to, const int *links, size_t count, double latency,
                        double bandwidth)
{
    hs_route route = {0};
    assert_int_equal(hs_platform_route(p, from, to, &route), HS_OK);
    assert_int_equal(route.count, count);
    if (count)
        assert_memory_equal(route.links, links, count * sizeof *links);
    CHECK_CLOSE(route.latency, latency, 0);
    CHECK_CLOSE(route.bandwidth, bandwidth, 0);
    hs_route_free(&route);
    assert_null(route.links);
}

static void graph_routes(void **state)
{
    hs_platform *p = small();
    check_route(p, 0, 1, (int[]){0, 1}, 2, 3, 10);
    check_route(p, 0, 2, (int[]){0, 2, 4}, 3, 13, 5);
    check_route(p, 2, 1, (int[]){4, 3, 1}, 3, 14, 5);
    check_route(p, 3, 2, (int[]){2, 4}, 2, 12, 5); /* from a router */
    check_route(p, 1, 1, NULL, 0, 0, INFINITY);
    hs_route route = {0};
    assert_int_equal(hs_platform_route(p, 0, 5, &route), HS_ERR_ARG);
    assert_int_equal(hs_platform_route(p, -1, 0, &route), HS_ERR_ARG);
    /* A new edge gives new routes, also when old ones are known. */
    assert_int_equal(hs_platform_add_edge(p, 0, 4, 0, NULL), HS_OK);
    check_route(p, 0, 2, (int[]){0, 4}, 2, 9, 10);
    hs_route_free(&route);
    hs_platform_free(p);
}

static void full_routes(void **state)
{
    hs_platform *p;
    int up, shared;
    hs_error error;
    assert_int_equal(hs_platform_create(HS_ROUTING_FULL, &p), HS_OK);
    for (int i = 0; i < 3; i++)
        assert_int_equal(hs_platform_add_host(p, (const char *[]){"x", "y", "z"}[i], 1e9, 1, NULL, NULL), HS_OK);
    assert_int_equal(hs_platform_add_duplex(p, "d", 5, 1, &up, NULL), HS_OK);
    assert_int_equal(hs_platform_add_link(p, "l", 7, 2, HS_SHARED, &shared, NULL), HS_OK);
    assert_int_equal(hs_platform_add_route(p, 0, 1, (int[]){up, shared}, 2, 1, NULL), HS_OK);
    assert_int_equal(hs_platform_add_route(p, 0, 2, (int[]){shared}, 1, 0, NULL), HS_OK);
    check_route(p, 0, 1, (int[]){0, 2}, 2, 3, 5);
    check_route(p, 1, 0, (int[]){2, 1}, 2, 3, 5);
    check_route(p, 0, 2, (int[]){2}, 1, 2, 7);
    hs_route route = {0};
    assert_int_equal(hs_platform_route(p, 2, 0, &route), HS_ERR_UNREACHABLE);
    assert_int_equal(route.count, 0);
    assert_int_equal(hs_platform_add_route(p, 1, 0, (int[]){shared}, 1, 0, &error), HS_ERR_ARG);
    CHECK_ERROR(&error, 0, "the route from 'y' to 'x' is there already");
    assert_int_equal(hs_platform_add_route(p, 2, 0, (int[]){shared}, 1, 1, &error), HS_ERR_ARG);
    CHECK_ERROR(&error, 0, "the route from 'x' to 'z' is there already (routes are symmetrical by default)");
    assert_int_equal(hs_platform_route(p, 2, 0, &route), HS_ERR_UNREACHABLE); /* nothing half done */
    assert_int_equal(hs_platform_add_route(p, 1, 2, (int[]){9}, 1, 1, &error), HS_ERR_ARG);
    assert_int_equal(hs_platform_add_route(p, 1, 7, (int[]){0}, 1, 1, &error), HS_ERR_ARG);
    assert_int_equal(hs_platform_add_route(p, 1, 2, NULL, 0, 1, &error), HS_ERR_ARG);
    CHECK_ERROR(&error, 0, "the route from 'y' to 'z' crosses no link");
    assert_int_equal(hs_platform_add_edge(p, 1, 2, 0, &error), HS_ERR_STATE);
    const hs_arc *arcs;
    size_t count;
    assert_int_equal(hs_platform_arcs(p, &arcs, &count), HS_ERR_UNSUPPORTED);
    hs_route_free(&route);
    hs_platform_free(p);
}

/* Files and JSON could not hold others. */
static void ids_are_utf8(void **state)
{
    static const char *const good[] = {"caf\xc3\xa9", "\xe0\xa0\x80", "\xed\x9f\xbf", "\xf0\x90\x80\x80",
                                       "\xf4\x8f\xbf\xbf"},
                             *const bad[] = {"caf\xe9",  "a\x80",        "\xc1\xbf",         "\xe0\x9f\xbf",
                                             "\xe2\x82", "\xed\xa0\x80", "\xf0\x8f\xbf\xbf", "\xf4\x90\x80\x80",
                                             "\xff",     "\xc3\xa9\xc3"};
    hs_platform *p = small();
    hs_error error;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        assert_int_equal(hs_platform_add_router(p, good[i], NULL, &error), HS_OK);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(hs_platform_add_router(p, bad[i], NULL, &error), HS_ERR_ARG);
        CHECK_ERROR(&error, 0, "the id of a router is not UTF-8");
    }
    assert_int_equal(hs_platform_add_link(p, bad[0], 1, 0, HS_SHARED, NULL, &error), HS_ERR_ARG);
    CHECK_ERROR(&error, 0, "the id of a link is not UTF-8");
    hs_platform_free(p);
}

static void refused(void **state)
{
    hs_platform *p = small();
    hs_error error = {.line = 7};
    assert_int_equal(hs_platform_add_host(p, "late", 1, 1, NULL, &error), HS_ERR_STATE);
    assert_int_equal(hs_platform_add_router(p, "a", NULL, &error), HS_ERR_ARG);
    CHECK_ERROR(&error, 0, "router 'a': a host of this id is there already");
    assert_int_equal(hs_platform_add_router(p, "", NULL, &error), HS_ERR_ARG);
    assert_int_equal(hs_platform_add_router(p, "tab\there", NULL, &error), HS_ERR_ARG);
    assert_int_equal(hs_platform_add_link(p, "st_UP", 1, 0, HS_SHARED, NULL, &error), HS_ERR_ARG);
    CHECK_ERROR(&error, 0, "link 'st_UP': a link of this id is there already");
    assert_int_equal(hs_platform_add_link(p, "x_DOWN", 1, 0, HS_SHARED, NULL, &error), HS_OK);
    assert_int_equal(hs_platform_add_duplex(p, "x", 1, 0, NULL, &error), HS_ERR_ARG);
    assert_int_equal(hs_platform_find_link(p, "x_UP"), -1); /* nothing half done */
    const double bad[] = {0, -1, NAN, INFINITY, 5e-324, 1e101};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(hs_platform_add_link(p, "l", bad[i], 0, HS_SHARED, NULL, &error), HS_ERR_ARG);
    for (size_t i = 1; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(hs_platform_add_link(p, "l", 1, bad[i], HS_SHARED, NULL, &error), HS_ERR_ARG);
        hs_platform *fresh;
        assert_int_equal(hs_platform_create(HS_ROUTING_FULL, &fresh), HS_OK);
        assert_int_equal(hs_platform_add_host(fresh, "h", bad[i], 1, NULL, &error), HS_ERR_ARG);
        assert_int_equal(hs_platform_add_host(fresh, "h", 1, 0, NULL, &error), HS_ERR_ARG);
        assert_int_equal(hs_platform_hosts(fresh), 0);
        hs_platform_free(fresh);
    }
    error.line = 7;
    assert_int_equal(hs_platform_add_route(p, 0, 1, (int[]){0}, 1, 1, &error), HS_ERR_STATE);
    CHECK_ERROR(&error, 0, "this platform takes edges, not routes");
    assert_int_equal(hs_platform_add_edge(p, 0, 3, 0, &error), HS_ERR_ARG); /* a parallel edge */
    hs_platform_free(p);
}

static void arcs_are_sorted(void **state)
{
    hs_platform *p = small();
    const hs_arc *arcs;
    size_t count;
    static const int expected[][3] = {{0, 3, 0}, {1, 3, 1}, {2, 4, 4}, {3, 0, 0},
                                      {3, 1, 1}, {3, 4, 2}, {4, 2, 4}, {4, 3, 3}};
    assert_int_equal(hs_platform_arcs(p, &arcs, &count), HS_OK);
    assert_int_equal(count, 8);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(arcs[i].from, expected[i][0]);
        assert_int_equal(arcs[i].to, expected[i][1]);
        assert_int_equal(arcs[i].count, 1);
        assert_int_equal(arcs[i].links[0], expected[i][2]);
    }
    hs_platform_free(p);
}

/* Between zones the arcs are those of the gateways, the first host among them. */
static void arcs_between_zones(void **state)
{
    static char text[] =
        "<platform version=\"4.1\"><zone id=\"all\" routing=\"Floyd\">"
        "<zone id=\"l\" routing=\"Floyd\"><host id=\"a\" speed=\"1f\"/></zone>"
        "<zone id=\"r\" routing=\"Floyd\"><host id=\"b\" speed=\"1f\"/></zone>"
        "<link id=\"w\" bandwidth=\"1Bps\" latency=\"0\"/><zoneRoute src=\"l\" dst=\"r\" gw_src=\"a\" gw_dst=\"b\">"
        "<link_ctn id=\"w\"/></zoneRoute></zone></platform>";
    FILE *stream = fmemopen(text, strlen(text), "r");
    hs_platform *p;
    const hs_arc *arcs;
    size_t count;
    assert_int_equal(hs__platform_read_stream(stream, &p, NULL), HS_OK);
    fclose(stream);
    assert_int_equal(hs_platform_arcs(p, &arcs, &count), HS_OK);
    assert_int_equal(count, 2);
    for (int k = 0; k < 2; k++) {
        assert_true(arcs[k].from == k && arcs[k].to == 1 - k);
        assert_true(arcs[k].count == 1 && arcs[k].links[0] == 0);
    }
    hs_platform_free(p);
}

/* hs_platform_check() finds what is broken. */
static void what_is_broken_is_found(void **state)
{
    hs_platform *p = small();
    hs_error error;
    assert_int_equal(hs_platform_check(p, &error), HS_OK);
    double bandwidth = p->links[0].bandwidth;
    p->links[0].bandwidth = 0;
    assert_int_equal(hs_platform_check(p, &error), HS_ERR_INTERNAL);
    CHECK_ERROR_SAYS(&error, 0, "0 bytes/s");
    p->links[0].bandwidth = bandwidth;
    p->nodes[0].vertex++;
    assert_int_equal(hs_platform_check(p, &error), HS_ERR_INTERNAL);
    CHECK_ERROR_SAYS(&error, 0, "not in its place");
    p->nodes[0].vertex--;
    int up = hs_platform_links(p) - 1;
    while (p->links[up].twin < 0)
        up--;
    p->links[up].twin = up;
    assert_int_equal(hs_platform_check(p, &error), HS_ERR_INTERNAL);
    CHECK_ERROR_SAYS(&error, 0, "twin");
    hs_platform_free(p);
}

static void check_broken(const hs_platform *p, const char *said)
{
    hs_error error = {.line = 7};
    assert_int_equal(hs_platform_check(p, &error), HS_ERR_INTERNAL);
    CHECK_ERROR_SAYS(&error, 0, said);
}

/* Breaks one thing at a time and mends it again. */
static void each_field_is_looked_at(void **state)
{
    hs_platform *p = small();
    const hs__node node = p->nodes[1];
    const hs__link link = p->links[2];
    char other[] = "other";
    p->nodes[1].id = other;
    check_broken(p, "node 1, 'other'");
    p->nodes[1] = node;
    p->nodes[1].cores = 0;
    check_broken(p, "node 1, 'b', has 0 cores");
    p->nodes[1] = node;
    p->nodes[3].cores = 1;
    check_broken(p, "node 3, 's', has 1 cores");
    p->nodes[3].cores = 0;
    p->nodes[1].speed = NAN;
    check_broken(p, "of speed");
    p->nodes[1] = node;
    p->nodes[1].by_size.max_size = -1;
    check_broken(p, "limit");
    p->nodes[1] = node;
    p->nodes[1].vertex = -1;
    check_broken(p, "not in its place");
    p->nodes[1].vertex = 99;
    check_broken(p, "not in its place");
    p->nodes[1] = node;
    p->links[2].id = other;
    check_broken(p, "link 2, 'other'");
    p->links[2] = link;
    p->links[2].latency = -1;
    check_broken(p, "-1 s");
    p->links[2].latency = NAN;
    check_broken(p, "nan s");
    p->links[2] = link;
    p->links[2].bandwidth = INFINITY;
    check_broken(p, "inf bytes/s");
    p->links[2] = link;
    p->links[2].twin = 99;
    check_broken(p, "no twin of link 99");
    p->links[2] = link;
    assert_int_equal(hs_platform_check(p, NULL), HS_OK);
    int crossed = p->crossed[0];
    p->crossed[0] = hs_platform_links(p);
    check_broken(p, "an arc from node");
    p->crossed[0] = -1;
    check_broken(p, "an arc from node");
    p->crossed[0] = crossed;
    assert_int_equal(hs_platform_check(p, NULL), HS_OK);
    hs_platform_free(p);
}

/* a - 10 - s - 5 - t - 30 - c: the links that may have more bandwidth than is known. */
static void unsure_links_of_a_route(void **state)
{
    hs_platform *p = small();
    hs_route route = {0};
    hs__bounds bounds;
    assert_int_equal(hs_platform_route(p, 0, 2, &route), HS_OK);
    assert_int_equal(hs__bounds_begin(p, &bounds), HS_OK);
    hs__bounds_add(&bounds, route.links, route.count);
    assert_true(bounds.count == 0 && bounds.first == -1); /* all are sure */
    hs_platform_set_link_at_least(p, 4);
    hs_platform_set_link_at_least(p, 2);
    hs__bounds_add_alone(&bounds, &route);
    assert_true(bounds.count == 1 && bounds.first == 2 && bounds.crossed[2]); /* the others are wide enough */
    hs__bounds_add(&bounds, route.links, route.count);
    assert_true(bounds.count == 2 && bounds.first == 2 && bounds.crossed[4] && !bounds.crossed[0]);
    hs_platform_set_link_at_least(p, 0);
    hs__bounds_add(&bounds, route.links, route.count);
    assert_true(bounds.count == 3 && bounds.first == 0);
    hs__bounds_end(&bounds);
    assert_true(!bounds.crossed && bounds.count == 0 && bounds.first == -1);
    hs_route_free(&route);
    hs_platform_free(p);
}

/* A view has other bandwidths, and the same routes and arcs. */
static void views_have_bandwidths_of_their_own(void **state)
{
    hs_platform *p = small(), *view = hs__platform_view(p);
    hs_route route = {0};
    const hs_arc *arc, *other;
    size_t arcs, others;
    assert_non_null(view);
    hs_platform_set_link_at_least(p, 2);
    hs__platform_set_bandwidth(view, 2, 1);
    assert_int_equal(hs_platform_route(view, 0, 2, &route), HS_OK);
    CHECK_CLOSE(route.bandwidth, 1, 0);
    assert_int_equal(hs_platform_route(p, 0, 2, &route), HS_OK);
    CHECK_CLOSE(route.bandwidth, 5, 0);
    assert_true(hs_platform_link_at_least(p, 2) && !hs_platform_link_at_least(view, 2));
    assert_int_equal(hs_platform_arcs(p, &arc, &arcs), HS_OK);
    assert_int_equal(hs_platform_arcs(view, &other, &others), HS_OK);
    assert_true(arcs == others && arc != other && arc[0].from == other[0].from);
    assert_int_equal(hs_platform_find_link(view, "ct"), hs_platform_find_link(p, "ct"));
    hs_platform_free(view);
    assert_string_equal(hs_platform_link_id(p, 0), "as");
    hs_route_free(&route);
    hs_platform_free(p);
    hs_platform_create(HS_ROUTING_GRAPH, &p);
    view = hs__platform_view(p); /* of nothing */
    assert_int_equal(hs_platform_links(view), 0);
    hs_platform_free(view);
    hs_platform_free(p);
}

/* Of a host that there is; what is refused changes nothing. */
static void speeds_by_size_are_those_of_hosts(void **state)
{
    const hs_speed_function limited = {NULL, 0, 1e9}, wrong = {NULL, 0, -1};
    char said[40];
    int router;
    hs_error error;
    hs_platform *p;
    assert_int_equal(hs_platform_create(HS_ROUTING_GRAPH, &p), HS_OK);
    assert_int_equal(hs_platform_add_host(p, "a", 1e9, 1, NULL, NULL), HS_OK);
    assert_int_equal(hs_platform_add_router(p, "r", &router, NULL), HS_OK);
    assert_int_equal(hs_platform_set_host_speed_function(p, 0, &limited, NULL), HS_OK);
    const int others[] = {-1, router, router + 1, INT32_MAX};
    for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
        assert_int_equal(hs_platform_set_host_speed_function(p, others[k], &limited, &error), HS_ERR_ARG);
        snprintf(said, sizeof said, "node %d is not a host", others[k]);
        CHECK_ERROR(&error, 0, said);
    }
    assert_true(hs_platform_set_host_speed_function(p, 0, &wrong, &error) < 0);
    CHECK_CLOSE(hs_platform_host_speed_function(p, 0)->max_size, 1e9, 0);
    hs_platform_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(accessors),
                                       cmocka_unit_test(graph_routes),
                                       cmocka_unit_test(full_routes),
                                       cmocka_unit_test(ids_are_utf8),
                                       cmocka_unit_test(refused),
                                       cmocka_unit_test(arcs_are_sorted),
                                       cmocka_unit_test(arcs_between_zones),
                                       cmocka_unit_test(what_is_broken_is_found),
                                       cmocka_unit_test(hosts_with_and_without_domain),
                                       cmocka_unit_test(each_field_is_looked_at),
                                       cmocka_unit_test(unsure_links_of_a_route),
                                       cmocka_unit_test(views_have_bandwidths_of_their_own),
                                       cmocka_unit_test(speeds_by_size_are_those_of_hosts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* What tc is told of links of 1448000 bytes of payload a second, which are 12.112 Mbit on the wire: one packet has 1448 bytes of
 * payload in 1514. */
#include "tests/unit.h"

#include "lab/lab.h"

#define FILTER(device)                                                                                               \
    "filter add dev " device " parent 1: protocol ip bpf bytecode '16,48 0 0 23,21 0 6 6,40 0 0 34,84 0 0 64512,"    \
    "21 10 0 61440,40 0 0 36,84 0 0 64512,21 7 0 61440,48 0 0 29,100 0 0 8,7 0 0 0,48 0 0 33,76 0 0 0,68 0 0 65536," \
    "22 0 0 0,6 0 0 0'\n"
#define REDIRECT(device, side, to) \
    "filter add dev " device " " side " protocol ip u32 match u32 0 0 action mirred egress redirect dev " to "\n"
#define BUCKET(device) "qdisc add dev " device " root handle 1: htb default 0\n"
#define ROOT(how, device, rate, burst)                                                                         \
    "class " how " dev " device " parent 1: classid 1:ffff htb rate " rate "bit burst " burst " cburst " burst \
    " quantum 1514\n"
#define CLASS(how, device, parent, flow, rate, ceil, burst)                                               \
    "class " how " dev " device " parent 1:" parent " classid 1:" flow " htb rate " rate "bit ceil " ceil \
    "bit burst " burst " cburst " burst " quantum 1514\n"

static const double bandwidth = 1448000;

typedef struct shaped {
    hs_platform *platform;
    lab_cluster *lab;
    lab_topology *topology;
} shaped;

static shaped begin(hs_routing routing)
{
    shaped s = {NULL, NULL, NULL};
    assert_int_equal(hs_platform_create(routing, &s.platform), HS_OK);
    assert_int_equal(hs_platform_add_host(s.platform, "a", 1e9, 1, NULL, NULL), HS_OK);
    assert_int_equal(hs_platform_add_host(s.platform, "b", 1e9, 1, NULL, NULL), HS_OK);
    return s;
}

static void lay_out(shaped *s)
{
    assert_int_equal(lab_create(s->platform, "x", 1, &s->lab, NULL), HS_OK);
    assert_int_equal(lab_topology_create(s->platform, &s->topology, NULL), HS_OK);
}

static void end(shaped *s)
{
    lab_topology_free(s->topology);
    lab_free(s->lab);
    hs_platform_free(s->platform);
}

/* Hosts a and b on a router: by a link of two directions, and by one that both directions share. */
static shaped star(double bytes_per_second)
{
    int router, duplex, shared;
    shaped s = begin(HS_ROUTING_GRAPH);
    assert_int_equal(hs_platform_add_router(s.platform, "r", &router, NULL), HS_OK);
    assert_int_equal(hs_platform_add_duplex(s.platform, "d", bytes_per_second, 0, &duplex, NULL), HS_OK);
    assert_int_equal(hs_platform_add_link(s.platform, "s", bytes_per_second, 0, HS_SHARED, &shared, NULL), HS_OK);
    assert_int_equal(hs_platform_add_edge(s.platform, 0, router, duplex, NULL), HS_OK);
    assert_int_equal(hs_platform_add_edge(s.platform, 1, router, shared, NULL), HS_OK);
    lay_out(&s);
    return s;
}

/* One link, to all routes of a Full zone. */
static shaped hub(hs_sharing sharing)
{
    int link;
    shaped s = begin(HS_ROUTING_FULL);
    assert_int_equal(hs_platform_add_link(s.platform, "l", bandwidth, 0, sharing, &link, NULL), HS_OK);
    assert_int_equal(hs_platform_add_route(s.platform, 0, 1, &link, 1, 1, NULL), HS_OK);
    lay_out(&s);
    return s;
}

static void check_shape(shaped *s, int station, const char *expected)
{
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    assert_int_equal(lab_shape(s->lab, s->topology, station, file), HS_OK);
    fclose(file);
    assert_string_equal(text, expected);
    free(text);
}

static void check_again(const shaped *s, int link, const char *expected)
{
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    lab_shape_again(s->lab, s->topology, link, file);
    fclose(file);
    assert_string_equal(text, expected);
    free(text);
}

static void check_device(const shaped *s, int link, const char *netns, const char *device)
{
    assert_string_equal(s->lab->link[link].netns, netns);
    assert_string_equal(s->lab->link[link].device, device);
}

/* Where traffic leaves, for one direction; both directions over one bucket at the end of the cable. */
static void cables_are_shaped_where_traffic_leaves(void **state)
{
    shaped s = star(bandwidth);
    check_shape(&s, 0,
                BUCKET("c0") ROOT("add", "c0", "12112000", "1600")
                    CLASS("add", "c0", "ffff", "102", "6056000", "12112000", "1600") FILTER("c0"));
    check_shape(&s, 1,
                BUCKET("b1") ROOT("add", "b1", "12112000", "1600")
                    CLASS("add", "b1", "ffff", "102", "4037333", "12112000", "1600")
                        CLASS("add", "b1", "ffff", "201", "4037333", "12112000", "1600")
                            FILTER("b1") "qdisc add dev c1 clsact\n" REDIRECT("c1", "ingress", "b1")
                                REDIRECT("c1", "egress", "b1"));
    check_shape(&s, 2,
                BUCKET("c0") ROOT("add", "c0", "12112000", "1600")
                    CLASS("add", "c0", "ffff", "201", "6056000", "12112000", "1600") FILTER("c0"));
    check_device(&s, 0, "hs.x.h0", "c0");
    check_device(&s, 1, "hs.x.r0", "c0");
    check_device(&s, 2, "hs.x.h1", "b1");
    end(&s);
}

static void hubs_shape_what_comes_in(void **state)
{
    shaped s = hub(HS_SHARED);
    check_shape(&s, 0, "");
    check_shape(&s, 2,
                BUCKET("hub") ROOT("add", "hub", "12112000", "1600")
                    CLASS("add", "hub", "ffff", "102", "4037333", "12112000", "1600")
                        CLASS("add", "hub", "ffff", "201", "4037333", "12112000", "1600")
                            FILTER("hub") "qdisc add dev c0 clsact\n" REDIRECT(
                                "c0", "ingress", "hub") "qdisc add dev c1 clsact\n" REDIRECT("c1", "ingress", "hub"));
    check_device(&s, 0, "hs.x.k0", "hub");
    s.lab->link[0].factor = 0.5;
    check_again(&s, 0,
                ROOT("change", "hub", "6056000", "1600")
                    CLASS("change", "hub", "ffff", "102", "2018666", "6056000", "1600")
                        CLASS("change", "hub", "ffff", "201", "2018666", "6056000", "1600"));
    end(&s);
}

/* Each flow has all of it. */
static void a_fatpipe_has_no_common_bucket(void **state)
{
    shaped s = hub(HS_FATPIPE);
    check_shape(&s, 2,
                BUCKET("hub") CLASS("add", "hub", "0", "102", "12112000", "12112000", "1600")
                    CLASS("add", "hub", "0", "201", "12112000", "12112000", "1600")
                        FILTER("hub") "qdisc add dev c0 clsact\n" REDIRECT(
                            "c0", "ingress", "hub") "qdisc add dev c1 clsact\n" REDIRECT("c1", "ingress", "hub"));
    end(&s);
}

/* 50 us of a fast link are more than a packet, and no rate is below 8 bit/s. */
static void fast_and_slow_links(void **state)
{
    shaped s = star(bandwidth);
    check_shape(&s, 0,
                BUCKET("c0") ROOT("add", "c0", "12112000", "1600")
                    CLASS("add", "c0", "ffff", "102", "6056000", "12112000", "1600") FILTER("c0"));
    s.lab->link[0].factor = 100;
    check_again(&s, 0,
                ROOT("change", "c0", "1211200000", "7240")
                    CLASS("change", "c0", "ffff", "102", "605600000", "1211200000", "7240"));
    s.lab->link[0].factor = 1e-7;
    check_again(&s, 0, ROOT("change", "c0", "8", "1600") CLASS("change", "c0", "ffff", "102", "8", "8", "1600"));
    end(&s);
}

/* A quarter of a millisecond of the slowest link that a host's traffic crosses, a packet at least and 64 KiB at most. */
static void segments_fit_the_slowest_link(void **state)
{
    static const struct {
        double bandwidth;
        int bytes;
    } rows[] = {{1e6, 1514}, {1e8, 25000}, {1e9, 65536}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        shaped s = star(rows[k].bandwidth);
        assert_int_equal(lab_segment_bytes(s.lab, s.topology, &s.topology->cables[0], 0), rows[k].bytes);
        assert_int_equal(lab_segment_bytes(s.lab, s.topology, &s.topology->cables[0], 1), 65536); /* of a router */
        s.lab->link[2].bandwidth = 8e6; /* behind the router */
        assert_int_equal(lab_segment_bytes(s.lab, s.topology, &s.topology->cables[0], 0), k == 0 ? 1514 : 2000);
        end(&s);
    }
}

static void bandwidths_that_tc_takes(void **state)
{
    static const struct {
        double bandwidth;
        hs_status status;
    } rows[] = {{1, HS_OK}, {0.99, HS_ERR_UNSUPPORTED}, {8e13, HS_OK}, {8.1e13, HS_ERR_UNSUPPORTED}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        hs_error error = {.line = 7};
        shaped s = star(bandwidth);
        s.lab->link[2].bandwidth = rows[k].bandwidth;
        assert_int_equal(lab_links_check(s.lab, s.topology, &error), rows[k].status);
        assert_true(rows[k].status == HS_OK || (strstr(error.text, "link 's' would carry") && error.line == 0));
        end(&s);
    }
}

static void namespaces_have_names(void **state)
{
    char text[64];
    shaped s = star(bandwidth), t = hub(HS_SHARED);
    assert_string_equal(lab_netns("x", s.topology, 1, text, sizeof text), "hs.x.h1");
    assert_string_equal(lab_netns("x", s.topology, 2, text, sizeof text), "hs.x.r0");
    assert_string_equal(lab_netns("x", t.topology, 2, text, sizeof text), "hs.x.k0");
    end(&s);
    end(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cables_are_shaped_where_traffic_leaves),
        cmocka_unit_test(hubs_shape_what_comes_in),
        cmocka_unit_test(a_fatpipe_has_no_common_bucket),
        cmocka_unit_test(fast_and_slow_links),
        cmocka_unit_test(segments_fit_the_slowest_link),
        cmocka_unit_test(bandwidths_that_tc_takes),
        cmocka_unit_test(namespaces_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

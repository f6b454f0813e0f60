/* SPDX-License-Identifier: BSD-3-Clause */
/* Drawings: the right stations and cables, nothing on top of anything else, well-formed and the same each time. */
#include "platform/draw.h"
#include "platform/labels.h"
#include "platform/platform.h"
#include "tests/platform/read.h"
#include <expat.h>

static hs__drawing *draw(const hs_platform *platform)
{
    hs__drawing *d;
    assert_int_equal(hs__drawing_create(platform, &d), HS_OK);
    for (int v = 0; v < d->stations; v++)
        assert_true(isfinite(d->x[v]) && isfinite(d->y[v]));
    return d;
}

/* Cables between the same two stations bend by different amounts, and one that is alone is straight. */
static void check_bends(const hs__drawing *d)
{
    for (size_t i = 0; i < d->cable_count; i++) {
        int before = 0;
        for (size_t k = 0; k < i; k++)
            before += d->cables[k].a == d->cables[i].a && d->cables[k].b == d->cables[i].b;
        assert_int_equal(d->cables[i].bend, before);
    }
}

static void parts(void **state)
{
    static const struct {
        const char *file;
        int stations; /* hosts, routers, links that join more than two, middles */
        size_t cables;
    } rows[] = {
        {"examples/two-switches.xml", 8, 7},        {"tests/platforms/lone-host.xml", 1, 0},
        {"tests/platforms/islands.xml", 3, 1},      {"tests/platforms/ties-floyd.xml", 25, 50},
        {"tests/platforms/one-cluster.xml", 10, 9}, /* 8 hosts, the router, the backbone */
        {"tests/platforms/cabinets.xml", 18, 18},   /* one host has a link up and another down */
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        hs_platform *p = read_platform(rows[i].file);
        hs__drawing *d = draw(p);
        assert_int_equal(d->stations, rows[i].stations);
        assert_int_equal(d->cable_count, rows[i].cables);
        check_bends(d);
        hs__drawing_free(d);
        hs_platform_free(p);
    }
}

static void check_apart(const hs__drawing *d, double gap)
{
    for (int v = 0; v < d->stations; v++)
        for (int u = 0; u < v; u++)
            assert_true(hypot(d->x[v] - d->x[u], d->y[v] - d->y[u]) >=
                        hs__drawing_radius(d, v) + hs__drawing_radius(d, u) + gap);
}

static void nothing_overlaps(void **state)
{
    hs_platform *p;
    for (uint64_t seed = 0; seed < 10; seed++) {
        assert_int_equal(hs_platform_generate(40, 50, 95, seed, &p, NULL), HS_OK);
        hs__drawing *d = draw(p);
        check_apart(d, 5);
        hs__drawing_free(d);
        hs_platform_free(p);
    }
    assert_int_equal(hs_platform_generate(60, 1, 60, 1, &p, NULL), HS_OK); /* one bunch */
    hs__drawing *d = draw(p);
    check_apart(d, 0);
    hs__drawing_free(d);
    hs_platform_free(p);
    p = read_platform("tests/platforms/three-levels.xml");
    d = draw(p);
    check_apart(d, 5);
    hs__drawing_free(d);
    hs_platform_free(p);
}

/* Hosts on a circle, in the order of the ring, which leaves one out; routers within. */
static void hosts_around(void **state)
{
    static const int ring[] = {3, 0, 5, 1, 4};
    hs_platform *p = read_platform("examples/two-switches.xml");
    hs__drawing *d = draw(p);
    d->loop = (hs__loop){ring, 5};
    assert_int_equal(hs__drawing_layout(d), HS_OK);
    check_apart(d, 5);
    double radius = hypot(d->x[0], d->y[0]), turned = 0;
    for (int v = 0; v < d->stations; v++)
        assert_true(v < p->hosts ? fabs(hypot(d->x[v], d->y[v]) - radius) < 1e-6 : hypot(d->x[v], d->y[v]) < radius);
    for (int i = 0; i < 5; i++) {
        int a = ring[i], b = ring[(i + 1) % 5];
        double step = atan2(d->y[b], d->x[b]) - atan2(d->y[a], d->x[a]);
        turned += step < 0 ? step + 2 * M_PI : step;
    }
    assert_true(fabs(turned - 2 * M_PI) < 1e-6);
    hs__drawing_free(d);
    hs_platform_free(p);
}

/* Without a ring, the hosts of one switch follow each other around as in the file. */
static void neighbours_in_order(void **state)
{
    enum { HOSTS = 28 };
    hs_platform *p;
    assert_int_equal(hs_platform_generate(HOSTS, 1, HOSTS, 1, &p, NULL), HS_OK);
    hs__drawing *d = draw(p);
    for (int h = 0; h + 1 < HOSTS; h++) {
        double step = atan2(d->y[h + 1], d->x[h + 1]) - atan2(d->y[h], d->x[h]);
        assert_true((step < 0 ? step + 2 * M_PI : step) < M_PI / 2);
    }
    hs__drawing_free(d);
    hs_platform_free(p);
}

/* A platform of hosts and routers, which link `joined` says are joined by links of their own: pairs of nodes. */
static hs_platform *join_pairs(int hosts, int routers, const int (*joined)[2], int pairs)
{
    hs_platform *p;
    int node, link;
    char id[16];
    assert_int_equal(hs_platform_create(HS_ROUTING_FULL, &p), HS_OK);
    for (int v = 0; v < hosts + routers; v++) {
        snprintf(id, sizeof id, "v%d", v);
        if (v < hosts)
            assert_int_equal(hs_platform_add_host(p, id, 1e9, 1, NULL, NULL), HS_OK);
        else
            assert_int_equal(hs_platform_add_router(p, id, &node, NULL), HS_OK);
    }
    for (int k = 0; k < pairs; k++) {
        snprintf(id, sizeof id, "l%d", k);
        assert_int_equal(hs_platform_add_link(p, id, 1e8, 0, HS_SHARED, &link, NULL), HS_OK);
        assert_int_equal(hs_platform_add_route(p, joined[k][0], joined[k][1], &link, 1, 0, NULL), HS_OK);
    }
    return p;
}

/* Without a ring, the hosts of one switch stand side by side, also where one switch has most. */
static void switches_are_not_mixed(void **state)
{
    static const int hosts_of[][4] = {{20, 8}, {14, 14}, {5, 4, 4, 4}, {7, 7, 7, 7}};
    for (size_t k = 0; k < sizeof hosts_of / sizeof *hosts_of; k++) {
        int joined[64][2], hosts = 0, switches = 0, pairs = 0, changes = 0;
        for (; switches < 4 && hosts_of[k][switches] > 0; switches++)
            hosts += hosts_of[k][switches];
        for (int s = 0, h = 0; s < switches; s++) {
            for (int end = h + hosts_of[k][s]; h < end; h++)
                memcpy(joined[pairs++], (int[]){h, hosts + s}, sizeof *joined);
            if (s > 0)
                memcpy(joined[pairs++], (int[]){hosts + s - 1, hosts + s}, sizeof *joined);
        }
        hs_platform *p = join_pairs(hosts, switches, joined, pairs);
        hs__drawing *d = draw(p);
        int around[32], at[32];
        for (int i = 0; i < pairs; i++)
            if (joined[i][0] < hosts)
                at[joined[i][0]] = joined[i][1];
        for (int h = 0; h < hosts; h++) {
            int place = 0; /* how many stand before it, going around */
            for (int other = 0; other < hosts; other++)
                place += atan2(d->y[other], d->x[other]) < atan2(d->y[h], d->x[h]);
            around[place] = at[h];
        }
        for (int i = 0; i < hosts; i++)
            changes += around[i] != around[(i + 1) % hosts];
        assert_int_equal(changes, switches);
        hs__drawing_free(d);
        hs_platform_free(p);
    }
}

static double between(const hs__drawing *d, int a, int b)
{
    return hypot(d->x[a] - d->x[b], d->y[a] - d->y[b]);
}

/* Two hosts, the ends of one cable: twice 50 apart, since there are few stations. */
static void a_pair_by_hand(void **state)
{
    hs_platform *p = join_pairs(2, 0, (const int[][2]){{0, 1}}, 1);
    hs__drawing *d = draw(p);
    CHECK_CLOSE(between(d, 0, 1), 2 * 50 + hs__drawing_radius(d, 0) + hs__drawing_radius(d, 1), 1e-9);
    CHECK_CLOSE(d->y[0], d->y[1], 1e-9); /* the part lies flat */
    hs__drawing_free(d);
    hs_platform_free(p);
}

/* A router with six others around it, w away from each by the cables and 2 w from one another. On a circle of radius r the
 * chords of a regular hexagon and their squares sum up to 6 cot(15 degrees) r and 36 r^2, so the stress
 * 6 (r - w)^2 / w^2 + sum (chord - 2 w)^2 / (2 w)^2 is least at r = w (1 + cot(15 degrees) / 2) / (1 + 6 / 4). Lone routers make
 * so many stations that the cables are not longer for being few. */
static void a_star_by_hand(void **state)
{
    enum { HOST, FIRST, HUB = FIRST + 6, LONE = 12 };
    const int joined[][2] = {{1, HUB}, {2, HUB}, {3, HUB}, {4, HUB}, {5, HUB}, {6, HUB}};
    hs_platform *p = join_pairs(1, 7 + LONE, joined, 6);
    hs__drawing *d = draw(p);
    double reach = hs__drawing_radius(d, HUB), w = 6 * 1.6 * 18 / (2 * M_PI) + 2 * reach;
    double radius = w * (1 + 0.5 / tan(M_PI / 12)) / (1 + 6 / 4.0), right = -INFINITY, top = INFINITY;
    for (int v = FIRST; v < HUB; v++) {
        double nearest = INFINITY;
        CHECK_CLOSE(between(d, v, HUB), radius, 1e-6);
        for (int u = FIRST; u < HUB; u++)
            nearest = u == v ? nearest : fmin(nearest, between(d, u, v));
        CHECK_CLOSE(nearest, radius, 1e-6);
        right = fmax(right, d->x[v] + reach);
        top = fmin(top, d->y[v] - reach);
    }
    CHECK_CLOSE(d->x[HOST] - hs__drawing_radius(d, HOST), 0, 1e-9); /* the host is the first part, the star the next */
    CHECK_CLOSE(d->y[HOST] - hs__drawing_radius(d, HOST), top, 1e-9);
    CHECK_CLOSE(right - d->x[HUB], d->x[HUB] - (2 * hs__drawing_radius(d, HOST) + 60), 1e-6);
    hs__drawing_free(d);
    hs_platform_free(p);
}

/* A host with more than ten lone ends has them around itself, the k-th at sqrt(0.32 (k + 4)) times what two of them and a name
 * take; what comes after it is 60 away from the disc. */
static void a_bunch_by_hand(void **state)
{
    enum { ENDS = 12, CENTRE = 0, FIRST = 1, NEXT = FIRST + ENDS };
    int joined[ENDS][2];
    for (int k = 0; k < ENDS; k++) {
        joined[k][0] = CENTRE;
        joined[k][1] = FIRST + k;
    }
    hs_platform *p = join_pairs(1, ENDS + 1, joined, ENDS);
    hs__drawing *d = draw(p);
    double step = 2 * hs__drawing_radius(d, FIRST) + 18, reach = step * sqrt(0.32 * (ENDS + 4));
    for (int k = 0; k < ENDS; k++)
        CHECK_CLOSE(between(d, CENTRE, FIRST + k), step * sqrt(0.32 * (k + 4)), 1e-9);
    CHECK_CLOSE(d->x[CENTRE], reach, 1e-9);
    CHECK_CLOSE(d->x[NEXT] - hs__drawing_radius(d, NEXT), 2 * reach + 60, 1e-9);
    hs__drawing_free(d);
    hs_platform_free(p);
}

/* Parts stand side by side, 60 apart, and begin a new row behind 1000. */
static void parts_in_rows(void **state)
{
    enum { ROUTERS = 40, WIDTH = 2 * 5 + 60, IN_ROW = 1000 / WIDTH + 1 };
    hs_platform *p = join_pairs(0, ROUTERS, NULL, 0);
    hs__drawing *d = draw(p);
    for (int v = 0; v < ROUTERS; v++) {
        CHECK_CLOSE(d->x[v], 5 + v % IN_ROW * WIDTH, 1e-9);
        CHECK_CLOSE(d->y[v], 5 + v / IN_ROW * WIDTH, 1e-9);
    }
    hs__drawing_free(d);
    hs_platform_free(p);
}

/* Inside of the hosts each router is in the middle of what it is joined to. */
static void routers_in_the_middle(void **state)
{
    enum { HOSTS = 4, LEFT = HOSTS, RIGHT };
    const int joined[][2] = {{0, LEFT}, {1, LEFT}, {LEFT, RIGHT}, {2, RIGHT}, {3, RIGHT}};
    hs_platform *p = join_pairs(HOSTS, 2, joined, 5);
    hs__drawing *d = draw(p);
    for (int axis = 0; axis < 2; axis++) {
        const double *at = axis ? d->y : d->x;
        CHECK_CLOSE(at[LEFT], (at[0] + at[1] + at[RIGHT]) / 3, 1e-9);
        CHECK_CLOSE(at[RIGHT], (at[2] + at[3] + at[LEFT]) / 3, 1e-9);
    }
    CHECK_CLOSE(d->y[LEFT], 0, 1e-9); /* they lie level */
    CHECK_CLOSE(d->y[RIGHT], 0, 1e-9);
    hs__drawing_free(d);
    hs_platform_free(p);
}

/* A text written by one of the two writers; the caller frees it. */
static char *write_text(const hs__drawing *d, hs_status (*put)(const hs__drawing *drawing, FILE *stream))
{
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    assert_int_equal(put(d, stream), HS_OK);
    fclose(stream);
    return text;
}

static int count(const char *text, const char *piece)
{
    int times = 0;
    for (; (text = strstr(text, piece)); text += strlen(piece))
        times++;
    return times;
}

static void svg_is_xml(void **state)
{
    hs_platform *p = read_platform("tests/platforms/old-spellings.xml"); /* ids with marks */
    hs__drawing *d = draw(p), *again = draw(p);
    const int ring[] = {0, 1, 2};
    d->loop = again->loop = (hs__loop){ring, 3};
    char *svg = write_text(d, hs__drawing_svg), *same = write_text(again, hs__drawing_svg);
    assert_string_equal(svg, same);
    XML_Parser parser = XML_ParserCreate(NULL);
    assert_int_equal(XML_Parse(parser, svg, (int)strlen(svg), 1), XML_STATUS_OK);
    XML_ParserFree(parser);
    assert_int_equal(count(svg, "<circle"), 3);
    assert_non_null(strstr(svg, "R&amp;D &quot;x&quot;"));
    assert_non_null(strstr(svg, "circle area: speed, 1 Gf to 6.6 Gf"));
    assert_non_null(strstr(svg, ">3 hosts, "));
    free(same);
    free(svg);
    hs__drawing_free(again);
    hs__drawing_free(d);
    hs_platform_free(p);
}

/* Two hosts, of 4 and 1 Gf, with a link each way between them, and a router behind the second. */
static hs_platform *small_platform(void)
{
    static const double bandwidths[] = {1e8, 1e7, 1e6};
    static const hs_sharing policies[] = {HS_SHARED, HS_FATPIPE, HS_SHARED};
    static const int from[] = {0, 1, 1}, to[] = {1, 0, 2};
    hs_platform *p;
    int router, link;
    char id[8];
    assert_int_equal(hs_platform_create(HS_ROUTING_FULL, &p), HS_OK);
    hs_platform_add_host(p, "a", 1e9, 4, NULL, NULL);
    hs_platform_add_host(p, "b", 1e9, 1, NULL, NULL);
    hs_platform_add_router(p, "r", &router, NULL);
    for (int l = 0; l < 3; l++) {
        snprintf(id, sizeof id, "l%d", l);
        hs_platform_add_link(p, id, bandwidths[l], 1e-3, policies[l], &link, NULL);
        assert_int_equal(hs_platform_add_route(p, from[l], to[l], &link, 1, 0, NULL), HS_OK);
    }
    return p;
}

/* Areas as speeds, widths as logarithms of bandwidths, cables between the same two bent to either side, and a loop that is
 * smooth: at each station it has the direction from the one before to the one after, a sixth of it to either side. */
static void sizes_by_hand(void **state)
{
    static const char *const pieces[] = {
        ">2 hosts, 3 links</text>",
        "<circle class=\"host\" fill=\"#e8a33d\" cx=\"0.0\" cy=\"0.0\" r=\"15.00\"",
        "<circle class=\"sheet\" fill=\"#ffffff\" cx=\"100.0\" cy=\"0.0\" r=\"7.50\"",
        "<title>a: 1 Gf on each of 4 cores</title>",
        "<title>b: 1 Gf</title>",
        "<rect class=\"router\" fill=\"#cfd6dd\" x=\"95.0\" y=\"95.0\" width=\"10.0\" height=\"10.0\" rx=\"1.5\"",
        "<title>r</title>",
        "M0.0 0.0Q50.0 0.0 100.0 0.0\" fill=\"none\" class=\"cable\" stroke=\"#6b7785\" stroke-width=\"6.00\">",
        "M0.0 0.0Q50.0 18.0 100.0 0.0\" fill=\"none\" class=\"fatpipe\" stroke=\"#5b86b5\" stroke-width=\"3.50\" "
        "stroke-dasharray",
        "M100.0 0.0Q100.0 50.0 100.0 100.0\" fill=\"none\" class=\"cable\" stroke=\"#6b7785\" stroke-width=\"1.00\">",
        "<title>l0: 100 MBps for all flows, 1 ms</title>",
        "<title>l1: 10 MBps for each flow, 1 ms</title>",
        "circle area: speed, 1 Gf to 4 Gf",
        "line width: bandwidth, ",
        "M0.0 0.0C0.0 -16.7 83.3 -16.7 100.0 0.0C116.7 16.7 116.7 100.0 100.0 100.0C83.3 100.0 0.0 16.7 0.0 0.0Z\"",
        "<text x=\"100.0\" y=\"102.5\" text-anchor=\"middle\" font-size=\"7\" fill=\"#5c1020\">3</text>",
    };
    static const int around[] = {0, 1, 2};
    static const double x[] = {0, 100, 100}, y[] = {0, 0, 100};
    static const unsigned char hollow[] = {0, 1};
    hs_platform *p = small_platform();
    hs__drawing *d = draw(p);
    assert_int_equal(d->stations, 3);
    memcpy(d->x, x, sizeof x);
    memcpy(d->y, y, sizeof y);
    d->hollow = hollow;
    d->loop = (hs__loop){around, 3};
    char *svg = write_text(d, hs__drawing_svg);
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++)
        if (!strstr(svg, pieces[i]))
            fail_msg("'%s' is not in %s", pieces[i], svg);
    static const double bends[] = {0, 18, -18, 36, -36};
    for (int i = 0; i < 5; i++) {
        double across, down;
        hs__drawing_bend(d, &(hs__cable){0, 1, 0, i}, &across, &down);
        CHECK_CLOSE(across, 50, 1e-9);
        CHECK_CLOSE(down, bends[i], 1e-9);
    }
    free(svg);
    hs__drawing_free(d);
    hs_platform_free(p);
}

/* What is written along a cable that rises or falls by 45 degrees is turned by them, to be read from the left. */
static void labels_lie_along_cables(void **state)
{
    static const double x[] = {0, 600, 0}, falling[] = {0, 600, 0}, rising[] = {600, 0, 600};
    hs_platform *p = small_platform();
    hs__drawing *d = draw(p);
    memcpy(d->x, x, sizeof x);
    for (int k = 0; k < 2; k++) {
        memcpy(d->y, k ? rising : falling, sizeof falling);
        char *svg = write_text(d, hs__drawing_svg);
        if (!strstr(svg, k ? "rotate(-45.0 " : "rotate(45.0 "))
            fail_msg("%s", svg);
        free(svg);
    }
    hs__drawing_free(d);
    hs_platform_free(p);
}

/* A number of the first tag: the picture's width, or where its view box begins and how wide it is. */
static void measure_svg(const hs__drawing *d, double *width, double *left, double *across)
{
    char *svg = write_text(d, hs__drawing_svg);
    int read =
        sscanf(svg, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%lf\" height=\"%*f\" viewBox=\"%lf %*f %lf",
               width, left, across);
    assert_int_equal(read, 3);
    free(svg);
}

/* How far the two hosts, of radius 15 and 7.5, and level texts are to the left and to the right. */
static void find_sides(const hs__drawing *d, double *left, double *right)
{
    hs__label *labels;
    size_t count;
    *left = d->x[0] - 15;
    *right = d->x[1] + 7.5;
    assert_int_equal(hs__labels_create(d, &labels, &count), HS_OK);
    for (size_t i = 0; i < count; i++)
        if (labels[i].angle == 0) {
            *left = fmin(*left, labels[i].x - labels[i].half_width);
            *right = fmax(*right, labels[i].x + labels[i].half_width);
        }
    free(labels);
}

/* As wide as what is drawn, with a border of 16 on either side; when a caption is wider, what is drawn is in the middle. */
static void as_wide_as_need_be(void **state)
{
    enum { BORDER = 16 };
    const double x[] = {0, 1000, 500}, close[] = {0, 100, 50}, y[] = {0, 0, 100};
    double width, begin, across, left, right;
    hs_platform *p = small_platform();
    hs__drawing *d = draw(p);
    memcpy(d->x, x, sizeof x);
    memcpy(d->y, y, sizeof y);
    find_sides(d, &left, &right);
    measure_svg(d, &width, &begin, &across);
    assert_true(fabs(begin - (left - BORDER)) <= 0.051); /* the file has one decimal place */
    assert_true(fabs(across - (right - left + 2 * BORDER)) <= 0.051);
    memcpy(d->x, close, sizeof close);
    find_sides(d, &left, &right);
    for (int k = 0; k < 3; k++) {
        char *caption = k == 0 ? d->area_caption : k == 1 ? d->width_caption : d->title;
        memset(caption, 'm', 90);
        double least = hs__label_width(caption, k == 2 ? 12 : 9) + 2 * BORDER;
        measure_svg(d, &width, &begin, &across);
        assert_true(fabs(width - least) <= 0.51 && fabs(across - least) <= 0.051);
        assert_true(fabs(begin + across / 2 - (left + right) / 2) <= 0.1);
        caption[0] = 0;
    }
    measure_svg(d, &width, &begin, &across);
    CHECK_CLOSE(across, 420, 1e-9);
    hs__drawing_free(d);
    hs_platform_free(p);
}

static void dot_has_all(void **state)
{
    hs_platform *p = read_platform("examples/two-switches.xml");
    hs__drawing *d = draw(p);
    char *dot = write_text(d, hs__drawing_dot);
    assert_int_equal(strncmp(dot, "graph platform {", 16), 0);
    assert_int_equal(count(dot, " -- "), 7);
    assert_int_equal(count(dot, "shape=circle"), 6);
    assert_non_null(strstr(dot, "label=\"a1\""));
    free(dot);
    hs__drawing_free(d);
    hs_platform_free(p);
}

/* More stations than are moved about: circles. */
static void large(void **state)
{
    hs_platform *p;
    assert_int_equal(hs_platform_generate(500, 1500, 2100, 1, &p, NULL), HS_OK);
    hs__drawing *d = draw(p);
    assert_int_equal(d->stations, 2000);
    assert_int_equal(d->cable_count, 2100);
    hs__drawing_free(d);
    hs_platform_free(p);
    hs__drawing_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts),
        cmocka_unit_test(nothing_overlaps),
        cmocka_unit_test(hosts_around),
        cmocka_unit_test(a_pair_by_hand),
        cmocka_unit_test(a_star_by_hand),
        cmocka_unit_test(a_bunch_by_hand),
        cmocka_unit_test(parts_in_rows),
        cmocka_unit_test(routers_in_the_middle),
        cmocka_unit_test(svg_is_xml),
        cmocka_unit_test(sizes_by_hand),
        cmocka_unit_test(labels_lie_along_cables),
        cmocka_unit_test(as_wide_as_need_be),
        cmocka_unit_test(dot_has_all),
        cmocka_unit_test(large),
        cmocka_unit_test(neighbours_in_order),
        cmocka_unit_test(switches_are_not_mixed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

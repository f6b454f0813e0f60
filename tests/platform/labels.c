/* SPDX-License-Identifier: BSD-3-Clause */
/* Texts of drawings: how names are shortened and bandwidths are written, and that no text lies on another or on a station. */
#include "platform/labels.h"
#include "platform/draw.h"
#include "platform/platform.h"
#include "tests/unit.h"

static void widths_by_hand(void **state)
{
    CHECK_CLOSE(hs__label_width("", 10), 0, 0);
    CHECK_CLOSE(hs__label_width("ab", 10), 12.8, 1e-12);
    CHECK_CLOSE(hs__label_width("a\xc3\xa4\xe2\x80\xa6", 9), 2.64 * 9, 1e-12); /* other letters are as wide as high */
}

static void bandwidths_in_bytes_or_bits(void **state)
{
    hs_platform *p;
    char text[32];
    assert_int_equal(hs_platform_create(HS_ROUTING_FULL, &p), HS_OK);
    assert_string_equal(hs__label_bandwidth(p, 1.25e7, text, sizeof text), "12.5 MBps");
    p->in_bits = 1;
    assert_string_equal(hs__label_bandwidth(p, 1.25e7, text, sizeof text), "100 Mbps");
    hs_platform_free(p);
}

/* Hosts with these names, each joined to the first one; the middle of a triangle is far from all of them. */
static hs__drawing *draw_names(const char *const *names, int n, hs_platform **p)
{
    hs__drawing *d;
    int link;
    assert_int_equal(hs_platform_create(HS_ROUTING_FULL, p), HS_OK);
    for (int h = 0; h < n; h++)
        assert_int_equal(hs_platform_add_host(*p, names[h], 1e9, 1, NULL, NULL), HS_OK);
    assert_int_equal(hs_platform_add_link(*p, "l", 1e8, 2e-3, HS_SHARED, &link, NULL), HS_OK);
    assert_int_equal(hs_platform_add_route(*p, 0, 1, &link, 1, 1, NULL), HS_OK);
    assert_int_equal(hs__drawing_create(*p, &d), HS_OK);
    return d;
}

static int has_text(const hs__label *labels, size_t count, const char *text)
{
    int times = 0;
    for (size_t i = 0; i < count; i++)
        times += strcmp(labels[i].text, text) == 0;
    return times;
}

/* 24 bytes are shown; of more the part before the first dot, or 23 bytes and an ellipsis, never half a letter. */
static void long_names_are_shortened(void **state)
{
    static const char *const names[] = {
        "123456789012345678901234",         "1234567890123456789012345",
        "node.cluster.example.org.x",       "123456789012345678901234.example.org",
        "1234567890123456789012\xc3\xa4yz",
    };
    static const char *const shown[] = {
        "123456789012345678901234", "12345678901234567890123\xe2\x80\xa6", "node",
        "123456789012345678901234", "1234567890123456789012\xe2\x80\xa6",
    };
    hs_platform *p;
    hs__drawing *d = draw_names(names, 5, &p);
    hs__label *labels;
    size_t count;
    assert_int_equal(hs__labels_create(d, &labels, &count), HS_OK);
    assert_int_equal(has_text(labels, count, shown[0]), 2);
    for (int k = 1; k < 5; k++)
        assert_int_equal(has_text(labels, count, shown[k]), k == 3 ? 2 : 1);
    for (size_t k = 0; k < count; k++) { /* each has the room of its text */
        CHECK_CLOSE(2 * labels[k].half_width, hs__label_width(labels[k].text, labels[k].size), 1e-12);
        CHECK_CLOSE(2 * labels[k].half_height, 1.2 * labels[k].size, 1e-12);
    }
    free(labels);
    hs__drawing_free(d);
    hs_platform_free(p);
}

/* Whether a point is on a label, which may be turned around its middle. */
static int is_on(const hs__label *l, double x, double y)
{
    double c = cos(l->angle), s = sin(l->angle), dx = x - l->x, dy = y - l->y;
    return fabs(c * dx + s * dy) < l->half_width && fabs(c * dy - s * dx) < l->half_height;
}

/* Points all over the label. */
static int is_clear(const hs__drawing *d, const hs__label *labels, size_t count, size_t mine)
{
    enum { STEPS = 40 };
    const hs__label *l = &labels[mine];
    double c = cos(l->angle), s = sin(l->angle);
    for (int i = -STEPS; i <= STEPS; i++)
        for (int k = -STEPS; k <= STEPS; k += 8) {
            double along = l->half_width * i / STEPS, across = l->half_height * k / STEPS;
            double x = l->x + c * along - s * across, y = l->y + s * along + c * across;
            for (size_t other = 0; other < count; other++)
                if (other != mine && is_on(&labels[other], x, y))
                    return 0;
            for (int v = 0; v < d->stations; v++)
                if (hypot(d->x[v] - x, d->y[v] - y) < hs__drawing_radius(d, v))
                    return 0;
        }
    return 1;
}

/* Every host has its name, which is nearer to it than to any other host. */
static void check_labels(const hs_platform *p, int names)
{
    hs__drawing *d;
    hs__label *labels;
    size_t count;
    int found = 0;
    assert_int_equal(hs__drawing_create(p, &d), HS_OK);
    assert_int_equal(hs__labels_create(d, &labels, &count), HS_OK);
    for (size_t i = 0; i < count; i++)
        assert_true(is_clear(d, labels, count, i));
    for (int h = 0; h < p->hosts; h++)
        for (size_t i = 0; i < count; i++)
            if (strcmp(labels[i].text, p->nodes[h].id) == 0) {
                double mine = hypot(d->x[h] - labels[i].x, d->y[h] - labels[i].y);
                for (int other = 0; other < p->hosts; other++)
                    assert_true(hypot(d->x[other] - labels[i].x, d->y[other] - labels[i].y) >= mine);
                found++;
            }
    assert_int_equal(found, names);
    free(labels);
    hs__drawing_free(d);
}

static void nothing_lies_on_anything(void **state)
{
    hs_platform *p;
    for (int hosts = 2; hosts <= 60; hosts += hosts < 10 ? 1 : 10) {
        assert_int_equal(hs_platform_generate(hosts, 1 + hosts / 4, hosts + hosts / 4, 7, &p, NULL), HS_OK);
        check_labels(p, hosts);
        hs_platform_free(p);
    }
}

/* A bandwidth beside its cable, with the latency where there is one. */
static void cables_say_what_they_carry(void **state)
{
    static const char *const names[] = {"a", "b"};
    hs_platform *p;
    hs__drawing *d = draw_names(names, 2, &p);
    hs__label *labels;
    size_t count;
    d->x[0] = d->y[0] = d->y[1] = 0;
    d->x[1] = 300;
    assert_int_equal(hs__labels_create(d, &labels, &count), HS_OK);
    assert_int_equal(count, 3);
    assert_int_equal(has_text(labels, count, "100 MBps, 2 ms"), 1);
    for (size_t i = 0; i < count; i++)
        if (labels[i].text[0] == '1') {
            CHECK_CLOSE(labels[i].x, 150, 1e-9); /* at the middle, and not farther off than needs be */
            CHECK_CLOSE(fabs(labels[i].y), labels[i].half_height + d->width[0] / 2 + 1, 1e-9);
        }
    free(labels);
    d->y[1] = 200; /* the same where the cable goes aslant */
    assert_int_equal(hs__labels_create(d, &labels, &count), HS_OK);
    for (size_t i = 0; i < count; i++)
        if (labels[i].text[0] == '1') {
            double length = hypot(300, 200), nx = 200 / length, ny = 300 / length;
            double off = fabs(-nx * labels[i].x + ny * labels[i].y);
            CHECK_CLOSE(off, nx * labels[i].half_width + ny * labels[i].half_height + d->width[0] / 2 + 1, 1e-9);
            CHECK_CLOSE(ny * labels[i].x + nx * labels[i].y, length / 2, 1e-9);
        }
    free(labels);
    d->y[1] = 0;
    d->x[1] = 90; /* the latency has no room any more */
    assert_int_equal(hs__labels_create(d, &labels, &count), HS_OK);
    assert_int_equal(has_text(labels, count, "100 MBps"), 1);
    free(labels);
    hs__drawing_free(d);
    hs_platform_free(p);
}

/* Between two hosts, 16 around what is drawn, 24 more above for the title where there is one, and 82 below for what is
 * explained. */
static void pictures_are_as_high_as_need_be(void **state)
{
    static const char *const names[] = {"a", "b"};
    hs_platform *p;
    hs__drawing *d = draw_names(names, 2, &p);
    hs__label *labels;
    size_t count;
    double top = -15, bottom = 95;
    d->x[0] = d->y[0] = 0;
    d->x[1] = 30;
    d->y[1] = 80;
    assert_int_equal(hs__labels_create(d, &labels, &count), HS_OK);
    for (size_t i = 0; i < count; i++)
        if (labels[i].angle == 0) {
            top = fmin(top, labels[i].y - labels[i].half_height);
            bottom = fmax(bottom, labels[i].y + labels[i].half_height);
        }
    free(labels);
    for (int titled = 1; titled >= 0; titled--) {
        char *svg = NULL;
        size_t size;
        double above, high;
        FILE *stream = open_memstream(&svg, &size);
        d->title[0] = titled ? 't' : '\0';
        assert_int_equal(hs__drawing_svg(d, stream), HS_OK);
        fclose(stream);
        const char *box = strstr(svg, "viewBox=\"");
        assert_non_null(box);
        assert_int_equal(sscanf(box, "viewBox=\"%*f %lf %*f %lf\"", &above, &high), 2);
        assert_true(fabs(above - (top - 16 - (titled ? 24 : 0))) <= 0.051); /* the file has one decimal place */
        assert_true(fabs(high - (bottom + 16 + 82 - above)) <= 0.11);
        assert_int_equal(strstr(svg, "font-size=\"12\"") != NULL, titled);
        free(svg);
    }
    hs__drawing_free(d);
    hs_platform_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(widths_by_hand),
        cmocka_unit_test(bandwidths_in_bytes_or_bits),
        cmocka_unit_test(long_names_are_shortened),
        cmocka_unit_test(nothing_lies_on_anything),
        cmocka_unit_test(cables_say_what_they_carry),
        cmocka_unit_test(pictures_are_as_high_as_need_be),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

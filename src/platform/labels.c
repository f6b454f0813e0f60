/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the texts of a drawing go: each takes the first of some places beside what it names where it touches no text
 * placed before and no station. Names of hosts on a circle go outwards, level if all have room so, else along the
 * radius. */
#include "platform/labels.h"
#include "platform/platform.h"
#include "util/array.h"
#include <heteroslice/hs_units.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_BYTES = 24 }; /* that are written of a name */
enum { NAME_SIZE = 9, CABLE_SIZE = 8 };
static const double em = 0.64, gap = 3;

typedef struct board {
    const hs__drawing *d;
    hs__label *labels;
    size_t count;
    double x, y; /* the middle of the hosts */
} board;

double hs__label_width(const char *text, int size)
{
    double width = 0;
    for (const unsigned char *c = (const unsigned char *)text; *c; c++)
        if ((*c & 0xc0) != 0x80)
            width += *c < 0x80 ? em : 1;
    return width * size;
}

char *hs__label_bandwidth(const hs_platform *platform, double bandwidth, char *buffer, size_t size)
{
    hs_quantity_format(platform->in_bits ? 8 * bandwidth : bandwidth, HS_UNIT_BANDWIDTH, buffer, size);
    char *unit = platform->in_bits ? strstr(buffer, "Bps") : NULL;
    if (unit)
        *unit = 'b';
    return buffer;
}

/* ---- What touches what ---- */

/* Half the length of a label's shadow on the axis at this angle. */
static double shadow(const hs__label *l, double axis)
{
    return fabs(cos(axis - l->angle)) * l->half_width + fabs(sin(axis - l->angle)) * l->half_height;
}

/* Two rectangles are apart when their shadows are on an axis of one of them. */
static int labels_touch(const hs__label *a, const hs__label *b)
{
    const double axes[] = {a->angle, a->angle + M_PI / 2, b->angle, b->angle + M_PI / 2};
    for (int i = 0; i < 4; i++) {
        double between = fabs((b->x - a->x) * cos(axes[i]) + (b->y - a->y) * sin(axes[i]));
        if (between > shadow(a, axes[i]) + shadow(b, axes[i]) + 1)
            return 0;
    }
    return 1;
}

static int touches_station(const hs__drawing *d, const hs__label *l, int v)
{
    double dx = d->x[v] - l->x, dy = d->y[v] - l->y, c = cos(l->angle), s = sin(l->angle);
    double along = fmax(0, fabs(c * dx + s * dy) - l->half_width);
    double across = fmax(0, fabs(c * dy - s * dx) - l->half_height);
    return hypot(along, across) < hs__drawing_radius(d, v) + 1;
}

static int is_free(const board *b, const hs__label *l)
{
    for (size_t i = 0; i < b->count; i++)
        if (labels_touch(&b->labels[i], l))
            return 0;
    for (int v = 0; v < b->d->stations; v++)
        if (touches_station(b->d, l, v))
            return 0;
    return 1;
}

/* The middle of a cable, on its curve. */
static void find_middle(const hs__drawing *d, const hs__cable *c, double *x, double *y)
{
    hs__drawing_bend(d, c, x, y);
    *x = (d->x[c->a] + d->x[c->b]) / 4 + *x / 2;
    *y = (d->y[c->a] + d->y[c->b]) / 4 + *y / 2;
}

/* Whether the line between two points goes over a label: no axis of the label, nor the one across the line, parts them. */
static int line_crosses(const hs__label *l, double ax, double ay, double bx, double by)
{
    const double axes[] = {l->angle, l->angle + M_PI / 2, atan2(by - ay, bx - ax) + M_PI / 2};
    for (int i = 0; i < 3; i++) {
        double c = cos(axes[i]), s = sin(axes[i]), half = shadow(l, axes[i]);
        double from = (ax - l->x) * c + (ay - l->y) * s, to = (bx - l->x) * c + (by - l->y) * s;
        if (fmin(from, to) > half || fmax(from, to) < -half)
            return 0;
    }
    return 1;
}

/* Whether another cable than its own goes over a label. */
static int is_crossed(const board *b, const hs__label *l, const hs__cable *own)
{
    const hs__drawing *d = b->d;
    for (size_t i = 0; i < d->cable_count; i++) {
        const hs__cable *c = &d->cables[i];
        double x, y;
        if (c == own)
            continue;
        find_middle(d, c, &x, &y);
        if (line_crosses(l, d->x[c->a], d->y[c->a], x, y) || line_crosses(l, x, y, d->x[c->b], d->y[c->b]))
            return 1;
    }
    return 0;
}

/* ---- Texts ---- */

/* All of a short name, of a long one the part before its first dot, or its beginning. */
static void shorten(const char *name, char *text, size_t size)
{
    size_t length = strlen(name), host = strcspn(name, ".");
    size_t shown = length <= NAME_BYTES ? length : host <= NAME_BYTES ? host : NAME_BYTES - 1;
    while (((unsigned char)name[shown] & 0xc0) == 0x80)
        shown--; /* not within a character */
    snprintf(text, size, "%.*s%s", (int)shown, name, name[shown] && name[shown] != '.' ? "\xe2\x80\xa6" : "");
}

static hs__label new_label(int size, int of_host)
{
    return (hs__label){.size = size, .of_host = of_host, .half_height = 0.6 * size};
}

static hs__label name_of(const hs__drawing *d, int station)
{
    const hs_platform *p = d->platform;
    int is_node = station < (int)p->node_count, link = is_node ? -1 : d->station_link[station];
    hs__label l = new_label(NAME_SIZE, station < p->hosts);
    if (is_node || link >= 0)
        shorten(is_node ? p->nodes[station].id : p->links[link].id, l.text, sizeof l.text);
    l.half_width = hs__label_width(l.text, l.size) / 2;
    return l;
}

/* ---- Hosts ---- */

/* Beside the host, on the side away from the middle. */
static void put_outwards(const board *b, int host, int level, hs__label *l)
{
    const hs__drawing *d = b->d;
    double angle = atan2(d->y[host] - b->y, d->x[host] - b->x), c = cos(angle), s = sin(angle);
    double away = hs__drawing_radius(d, host) + gap;
    if (level) {
        do { /* a corner may be nearer than the middle */
            l->x = d->x[host] + (away + l->half_width) * c;
            l->y = d->y[host] + (away + l->half_height) * s;
            away += gap;
        } while (touches_station(d, l, host));
    } else {
        l->angle = c < 0 ? angle - M_PI : angle; /* not upside down */
        l->x = d->x[host] + (away + l->half_width) * c;
        l->y = d->y[host] + (away + l->half_width) * s;
    }
}

/* Beside a station: below, above, right, left, and between these, near and farther off; clear: where no line goes over it. */
static int put_beside(const board *b, int station, int clear, hs__label *l)
{
    static const int order[] = {2, 6, 0, 4, 1, 3, 5, 7}; /* eighths of a turn */
    const hs__drawing *d = b->d;
    int is_node = station < (int)d->platform->node_count;
    double r = hs__drawing_radius(d, station), wide = is_node ? r : 2.5 * r; /* a bar is wider than high */
    for (int far = 0; far < 3; far++)
        for (int i = 0; i < 8; i++) {
            double c = cos(order[i] * M_PI / 4), s = sin(order[i] * M_PI / 4);
            l->x = d->x[station] + c * (wide + l->half_width + gap + 6 * far);
            l->y = d->y[station] + s * (r + l->half_height + gap + 6 * far);
            if (is_free(b, l) && !(clear && is_crossed(b, l, NULL)))
                return 1;
        }
    return 0;
}

/* Every host's name outwards. Returns whether none touches another or a station. */
static int put_hosts_outwards(board *b, int level)
{
    int apart = 1;
    b->count = 0;
    for (int h = 0; h < b->d->platform->hosts; h++) {
        hs__label l = name_of(b->d, h);
        put_outwards(b, h, level, &l);
        apart &= is_free(b, &l);
        b->labels[b->count++] = l;
    }
    return apart;
}

static void put_stations(board *b, int first)
{
    for (int v = first; v < b->d->stations; v++) {
        hs__label l = name_of(b->d, v);
        if (l.text[0] && (put_beside(b, v, 1, &l) || put_beside(b, v, 0, &l)))
            b->labels[b->count++] = l;
    }
}

/* ---- Cables ---- */

/* Between two switches, or two hosts. */
static int is_trunk(const hs__drawing *d, const hs__cable *c)
{
    int hosts = d->platform->hosts;
    return (c->a < hosts) == (c->b < hosts);
}

/* Level beside the line, not far from its middle, on either side. */
static int put_level(const board *b, const hs__cable *c, int clear, hs__label *l)
{
    static const double places[] = {0.5, 0.4, 0.6, 0.3, 0.7};
    const hs__drawing *d = b->d;
    double x, y, length = hypot(d->x[c->b] - d->x[c->a], d->y[c->b] - d->y[c->a]);
    hs__drawing_bend(d, c, &x, &y);
    l->angle = 0;
    for (int i = 0; i < 10 && length > 0; i++) {
        double t = places[i / 2], side = i % 2 ? 1 : -1, to_bend = 2 * t * (1 - t);
        double nx = side * (d->y[c->a] - d->y[c->b]) / length, ny = side * (d->x[c->b] - d->x[c->a]) / length;
        double away = fabs(nx) * l->half_width + fabs(ny) * l->half_height + d->width[c->link] / 2 + 1;
        l->x = (1 - t) * (1 - t) * d->x[c->a] + to_bend * x + t * t * d->x[c->b] + nx * away;
        l->y = (1 - t) * (1 - t) * d->y[c->a] + to_bend * y + t * t * d->y[c->b] + ny * away;
        if (is_free(b, l) && !(clear && is_crossed(b, l, c)))
            return 1;
    }
    return 0;
}

/* Along the line, on either side, so that it is plain whose it is: from a host on, where lines are farthest apart, of a trunk from
 * the middle on. */
static int put_along(const board *b, const hs__cable *c, int clear, hs__label *l)
{
    enum { STEP = 8 };
    const hs__drawing *d = b->d;
    int from = c->b < d->platform->hosts ? c->b : c->a, to = c->a + c->b - from;
    double dx = d->x[to] - d->x[from], dy = d->y[to] - d->y[from], length = hypot(dx, dy);
    double first = hs__drawing_radius(d, from) + gap + l->half_width, last = length - l->half_width;
    double away = l->half_height + d->width[c->link] / 2;
    l->angle = dx < 0 ? atan2(-dy, -dx) : atan2(dy, dx); /* not upside down */
    for (double along = is_trunk(d, c) ? fmax(first, length / 2) : first; along < last; along += STEP)
        for (int side = 1; side >= -1; side -= 2) {
            l->x = d->x[from] + (along * dx - side * away * dy) / length;
            l->y = d->y[from] + (along * dy + side * away * dx) / length;
            if (is_free(b, l) && !(clear && is_crossed(b, l, c)))
                return 1;
        }
    return 0;
}

/* The bandwidth, with the latency where that finds room; first where no other line goes over it. */
static void put_cable(board *b, const hs__cable *c)
{
    const hs__link *link = &b->d->platform->links[c->link];
    char bandwidth[32], latency[32];
    hs__label_bandwidth(b->d->platform, link->bandwidth, bandwidth, sizeof bandwidth);
    hs_quantity_format(link->latency, HS_UNIT_TIME, latency, sizeof latency);
    for (int clear = 1; clear >= 0; clear--)
        for (int both = link->latency > 0; both >= 0; both--) {
            hs__label l = new_label(CABLE_SIZE, 0);
            snprintf(l.text, sizeof l.text, "%s%s%s", bandwidth, both ? ", " : "", both ? latency : "");
            l.half_width = hs__label_width(l.text, l.size) / 2;
            if ((is_trunk(b->d, c) && put_level(b, c, clear, &l)) || put_along(b, c, clear, &l)) {
                b->labels[b->count++] = l;
                return;
            }
        }
}

static void put_cables(board *b, int trunks)
{
    const hs__drawing *d = b->d;
    for (size_t i = 0; i < d->cable_count; i++)
        if (d->cables[i].link >= 0 && is_trunk(d, &d->cables[i]) == trunks)
            put_cable(b, &d->cables[i]);
}

hs_status hs__labels_create(const hs__drawing *drawing, hs__label **labels, size_t *count)
{
    int hosts = drawing->platform->hosts;
    board b = {.d = drawing};
    if (drawing->stations <= HS__DRAWING_NAMED) {
        b.labels = hs__array_new((size_t)drawing->stations + drawing->cable_count, sizeof *b.labels);
        if (!b.labels)
            return HS_ERR_NOMEM;
        for (int h = 0; h < hosts; h++) {
            b.x += drawing->x[h] / hosts;
            b.y += drawing->y[h] / hosts;
        }
        if (!put_hosts_outwards(&b, 1) && !put_hosts_outwards(&b, 0))
            b.count = 0; /* no circle */
        put_stations(&b, b.count ? hosts : 0);
        for (int trunks = 1; trunks >= 0; trunks--)
            put_cables(&b, trunks);
    }
    *labels = b.labels;
    *count = b.count;
    return HS_OK;
}

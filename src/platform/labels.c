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

static hs__label new_label(int size, const char *colour)
{
    return (hs__label){.size = size, .colour = colour, .half_height = 0.6 * size};
}

static hs__label name_of(const hs__drawing *d, int station)
{
    const hs_platform *p = d->platform;
    int is_node = station < (int)p->node_count, link = is_node ? -1 : d->station_link[station];
    hs__label l = new_label(NAME_SIZE, station < p->hosts ? "#1d2329" : is_node ? "#6a7480" : "#4c6f9a");
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

/* Beside a station: below, above, right, left, and between these, near and farther off. */
static int put_beside(const board *b, int station, hs__label *l)
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
            if (is_free(b, l))
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
        if (l.text[0] && put_beside(b, v, &l))
            b->labels[b->count++] = l;
    }
}

/* ---- Cables ---- */

/* Not to a host. */
static int is_trunk(const hs__drawing *d, const hs__cable *c)
{
    return c->a >= d->platform->hosts && c->b >= d->platform->hosts;
}

/* Beside the line, not far from its middle, on either side. */
static int put_along(const board *b, const hs__cable *c, hs__label *l)
{
    static const double places[] = {0.5, 0.4, 0.6, 0.3, 0.7};
    const hs__drawing *d = b->d;
    double x, y, length = hypot(d->x[c->b] - d->x[c->a], d->y[c->b] - d->y[c->a]);
    hs__drawing_bend(d, c, &x, &y);
    for (int i = 0; i < 10 && length > 0; i++) {
        double t = places[i / 2], side = i % 2 ? 1 : -1, to_bend = 2 * t * (1 - t);
        double nx = side * (d->y[c->a] - d->y[c->b]) / length, ny = side * (d->x[c->b] - d->x[c->a]) / length;
        double away = fabs(nx) * l->half_width + fabs(ny) * l->half_height + d->width[c->link] / 2 + 1;
        l->x = (1 - t) * (1 - t) * d->x[c->a] + to_bend * x + t * t * d->x[c->b] + nx * away;
        l->y = (1 - t) * (1 - t) * d->y[c->a] + to_bend * y + t * t * d->y[c->b] + ny * away;
        if (is_free(b, l))
            return 1;
    }
    return 0;
}

/* Along the line where it leaves the host, on either side: the room among the lines of many hosts. */
static int put_at_host(const board *b, const hs__cable *c, hs__label *l)
{
    const hs__drawing *d = b->d;
    int host = c->a < d->platform->hosts ? c->a : c->b, other = c->a + c->b - host;
    double dx = d->x[other] - d->x[host], dy = d->y[other] - d->y[host], length = hypot(dx, dy);
    double along = hs__drawing_radius(d, host) + gap + l->half_width, away = l->half_height + d->width[c->link] / 2;
    l->angle = dx < 0 ? atan2(-dy, -dx) : atan2(dy, dx); /* not upside down */
    for (int side = 1; side >= -1 && length > 0; side -= 2) {
        l->x = d->x[host] + (along * dx - side * away * dy) / length;
        l->y = d->y[host] + (along * dy + side * away * dx) / length;
        if (along + l->half_width < length && is_free(b, l))
            return 1;
    }
    return 0;
}

/* The bandwidth, with the latency where that finds room. */
static void put_cable(board *b, const hs__cable *c)
{
    const hs__link *link = &b->d->platform->links[c->link];
    char bandwidth[32], latency[32];
    hs__label_bandwidth(b->d->platform, link->bandwidth, bandwidth, sizeof bandwidth);
    hs_quantity_format(link->latency, HS_UNIT_TIME, latency, sizeof latency);
    for (int both = link->latency > 0; both >= 0; both--) {
        hs__label l = new_label(CABLE_SIZE, "#4a545f");
        snprintf(l.text, sizeof l.text, "%s%s%s", bandwidth, both ? ", " : "", both ? latency : "");
        l.half_width = hs__label_width(l.text, l.size) / 2;
        int few = b->d->stations <= HS__DRAWING_FEW;
        if (few || is_trunk(b->d, c) ? put_along(b, c, &l) : put_at_host(b, c, &l)) {
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

/* SPDX-License-Identifier: BSD-3-Clause */
/* A drawing as SVG: cables below, stations above, names beside them while there is room, every id as a tooltip, and
 * what areas and widths mean underneath. */
#include "platform/draw.h"
#include "platform/platform.h"
#include "platform/xml_text.h"
#include <heteroslice/hs_units.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_BYTES = 14 }; /* that are written of a name */
enum { BORDER = 40, LEGEND = 69, MIN_WIDTH = 420 };

typedef struct sheet {
    const hs__drawing *d;
    FILE *stream;
    double left, top, width, height;
} sheet;

static void put_escaped(sheet *s, const char *text)
{
    hs__xml_put(s->stream, text, strlen(text));
}

static void measure(sheet *s)
{
    const hs__drawing *d = s->d;
    double right = -INFINITY, bottom = -INFINITY;
    s->left = s->top = INFINITY;
    for (int v = 0; v < d->stations; v++) {
        double r = hs__drawing_radius(d, v);
        s->left = fmin(s->left, d->x[v] - r);
        s->top = fmin(s->top, d->y[v] - r);
        right = fmax(right, d->x[v] + r);
        bottom = fmax(bottom, d->y[v] + r);
    }
    double slack = fmax(0, MIN_WIDTH - (right - s->left + 2 * BORDER)) / 2;
    s->left -= BORDER + slack;
    s->top -= BORDER;
    s->width = right - s->left + BORDER + slack;
    s->height = bottom - s->top + BORDER + LEGEND;
}

static void put_head(sheet *s)
{
    fprintf(s->stream,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" viewBox=\"%.1f %.1f %.1f %.1f\" "
            "font-family=\"sans-serif\" font-size=\"9\">\n"
            "<rect x=\"%.1f\" y=\"%.1f\" width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>\n",
            s->width, s->height, s->left, s->top, s->width, s->height, s->left, s->top);
}

/* The point beside the middle of a cable that bends it away from its parallels, alternately to either side. */
static void bend_of(const hs__drawing *d, const hs__cable *c, double *x, double *y)
{
    double dx = d->x[c->b] - d->x[c->a], dy = d->y[c->b] - d->y[c->a], length = hypot(dx, dy);
    double side = 18 * ((c->bend + 1) / 2) * (c->bend % 2 ? 1 : -1);
    *x = (d->x[c->a] + d->x[c->b]) / 2 - (length > 0 ? side * dy / length : 0);
    *y = (d->y[c->a] + d->y[c->b]) / 2 + (length > 0 ? side * dx / length : 0);
}

/* The id of a link and what it carries, in the words of a tooltip. */
static void put_link_title(sheet *s, int link)
{
    const hs__link *l = &s->d->platform->links[link];
    char bandwidth[32];
    fputs("<title>", s->stream);
    put_escaped(s, l->id);
    if (l->twin >= 0) {
        fputs(", ", s->stream);
        put_escaped(s, s->d->platform->links[l->twin].id);
    }
    fprintf(s->stream, ": %s%s</title>",
            hs_quantity_format(l->bandwidth, HS_UNIT_BANDWIDTH, bandwidth, sizeof bandwidth),
            l->twin >= 0               ? " each way"
            : l->sharing == HS_FATPIPE ? " for each flow"
                                       : " for all flows");
}

static void put_cable(sheet *s, const hs__cable *c)
{
    const hs__drawing *d = s->d;
    double x, y;
    bend_of(d, c, &x, &y);
    fprintf(s->stream, "<path d=\"M%.1f %.1fQ%.1f %.1f %.1f %.1f\" fill=\"none\"", d->x[c->a], d->y[c->a], x, y,
            d->x[c->b], d->y[c->b]);
    if (c->link < 0) {
        fputs(" stroke=\"#b8bec6\" stroke-width=\"1\"/>\n", s->stream);
        return;
    }
    int fat = d->platform->links[c->link].sharing == HS_FATPIPE;
    fprintf(s->stream, " stroke=\"%s\" stroke-width=\"%.2f\"%s>", fat ? "#7f9fc4" : "#6b7785", d->width[c->link],
            fat ? " stroke-dasharray=\"6 3\"" : "");
    put_link_title(s, c->link);
    fputs("</path>\n", s->stream);
}

static void put_cable_name(sheet *s, const hs__cable *c)
{
    char bandwidth[32];
    double x, y;
    bend_of(s->d, c, &x, &y);
    hs_quantity_format(s->d->platform->links[c->link].bandwidth, HS_UNIT_BANDWIDTH, bandwidth, sizeof bandwidth);
    fprintf(s->stream,
            "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\" font-size=\"7\" fill=\"#4a545f\" stroke=\"#ffffff\" "
            "stroke-width=\"2\" paint-order=\"stroke\">%s</text>\n",
            x, y + 2.5, bandwidth);
}

/* How much of a name is written: all of a short one, of a long one the part before its first dot, or its beginning. */
static size_t shown_length(const char *name)
{
    size_t length = strlen(name), host = strcspn(name, ".");
    if (length <= NAME_BYTES)
        return length;
    size_t shown = host <= NAME_BYTES ? host : NAME_BYTES - 1;
    while (((unsigned char)name[shown] & 0xc0) == 0x80)
        shown--; /* not within a character */
    return shown;
}

/* Pixels from a station's rim to the foot of its name, and how far a name should be from other stations. */
enum { NAME_ABOVE = 3, NAME_BELOW = 9, NAME_REACH = 10 };

static double name_y(const hs__drawing *d, int station, int above)
{
    double r = hs__drawing_radius(d, station);
    return d->y[station] + (above ? -r - NAME_ABOVE : r + NAME_BELOW);
}

/* How far a name is from the nearest other station; names are twice as wide as high. */
static double name_room(const hs__drawing *d, int station, int above)
{
    double room = NAME_REACH, y = name_y(d, station, above) - 3;
    for (int v = 0; v < d->stations; v++)
        if (v != station)
            room = fmin(room, hypot((d->x[v] - d->x[station]) / 2, d->y[v] - y) - hs__drawing_radius(d, v));
    return room;
}

/* A name goes where no station is near, or else to the side that fewer cables leave to. */
static int is_name_above(const hs__drawing *d, int station)
{
    double above = name_room(d, station, 1), below = name_room(d, station, 0);
    if (fabs(above - below) > 3)
        return above > below;
    int downwards = 0;
    for (size_t i = 0; i < d->cable_count; i++) {
        const hs__cable *c = &d->cables[i];
        if (c->a == station || c->b == station)
            downwards += d->y[c->a == station ? c->b : c->a] > d->y[station] ? 1 : -1;
    }
    return downwards > 0;
}

static void put_name(sheet *s, int station, const char *name, const char *colour)
{
    fprintf(s->stream,
            "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\" fill=\"%s\" stroke=\"#ffffff\" stroke-width=\"2.5\" "
            "paint-order=\"stroke\">",
            s->d->x[station], name_y(s->d, station, is_name_above(s->d, station)), colour);
    size_t shown = shown_length(name);
    hs__xml_put(s->stream, name, shown);
    fputs(name[shown] && name[shown] != '.' ? "\xe2\x80\xa6</text>\n" : "</text>\n", s->stream);
}

static void put_host(sheet *s, int host)
{
    const hs__node *node = &s->d->platform->nodes[host];
    char speed[32];
    int hollow = s->d->hollow && s->d->hollow[host];
    fprintf(s->stream,
            "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.2f\" fill=\"%s\" stroke=\"#8a5a10\" stroke-width=\"1\"><title>",
            s->d->x[host], s->d->y[host], hs__drawing_radius(s->d, host), hollow ? "#ffffff" : "#e8a33d");
    put_escaped(s, node->id);
    fprintf(s->stream, ": %s", hs_quantity_format(node->speed, HS_UNIT_SPEED, speed, sizeof speed));
    if (node->cores > 1)
        fprintf(s->stream, " on each of %d cores", node->cores);
    fputs("</title></circle>\n", s->stream);
}

/* A router is a square, a link that joins more than two things a bar. */
static void put_joint(sheet *s, int station)
{
    int link = s->d->station_link[station], is_router = station < (int)s->d->platform->node_count;
    double r = hs__drawing_radius(s->d, station), half = is_router ? r : 2.5 * r;
    fprintf(s->stream,
            "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"%s\" fill=\"%s\" stroke=\"#3d4650\" "
            "stroke-width=\"1\">",
            s->d->x[station] - half, s->d->y[station] - r, 2 * half, 2 * r, is_router ? "1.5" : "4",
            is_router ? "#cfd6dd" : "#9db8d6");
    if (link >= 0) {
        put_link_title(s, link);
    } else if (is_router) {
        fputs("<title>", s->stream);
        put_escaped(s, s->d->platform->nodes[station].id);
        fputs("</title>", s->stream);
    }
    fputs("</rect>\n", s->stream);
}

static void put_names(sheet *s)
{
    const hs__drawing *d = s->d;
    const hs_platform *p = d->platform;
    if (d->stations <= HS__DRAWING_FEW)
        for (size_t i = 0; i < d->cable_count; i++)
            if (d->cables[i].link >= 0)
                put_cable_name(s, &d->cables[i]);
    for (int v = 0; v < d->stations && d->stations <= HS__DRAWING_NAMED; v++) {
        if (v < p->hosts)
            put_name(s, v, p->nodes[v].id, "#1d2329");
        else if (v < (int)p->node_count)
            put_name(s, v, p->nodes[v].id, "#6a7480");
        else if (d->station_link[v] >= 0)
            put_name(s, v, p->links[d->station_link[v]].id, "#4c6f9a");
    }
}

/* A closed smooth curve through the stations of the loop, drawn under them. */
static void put_loop(sheet *s)
{
    const hs__drawing *d = s->d;
    const hs__loop *loop = &d->loop;
    if (loop->count < 2)
        return;
    fputs("<path d=\"", s->stream);
    for (size_t i = 0; i < loop->count; i++) {
        int v = loop->stations[i], next = loop->stations[(i + 1) % loop->count];
        int after = loop->stations[(i + 2) % loop->count], before = loop->stations[(i + loop->count - 1) % loop->count];
        if (i == 0)
            fprintf(s->stream, "M%.1f %.1f", d->x[v], d->y[v]);
        fprintf(s->stream, "C%.1f %.1f %.1f %.1f %.1f %.1f", d->x[v] + (d->x[next] - d->x[before]) / 6,
                d->y[v] + (d->y[next] - d->y[before]) / 6, d->x[next] - (d->x[after] - d->x[v]) / 6,
                d->y[next] - (d->y[after] - d->y[v]) / 6, d->x[next], d->y[next]);
    }
    fputs("Z\" fill=\"none\" stroke=\"#c8324b\" stroke-width=\"1.6\" stroke-opacity=\"0.75\"/>\n", s->stream);
}

/* The order in which the loop visits its stations. */
static void put_positions(sheet *s)
{
    const hs__drawing *d = s->d;
    for (size_t i = 0; i < d->loop.count; i++)
        fprintf(s->stream,
                "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\" font-size=\"7\" fill=\"#5c1020\">%zu</text>\n",
                d->x[d->loop.stations[i]], d->y[d->loop.stations[i]] + 2.5, i + 1);
}

static void put_legend(sheet *s)
{
    double x = s->left + 16, y = s->top + s->height - LEGEND + 18;
    fprintf(s->stream, "<g fill=\"#4a545f\"><text x=\"%.1f\" y=\"%.1f\">", x, y);
    put_escaped(s, s->d->area_caption);
    fprintf(s->stream, "</text>\n<text x=\"%.1f\" y=\"%.1f\">", x, y + 13);
    put_escaped(s, s->d->width_caption);
    fprintf(s->stream,
            "</text>\n<text x=\"%.1f\" y=\"%.1f\">square: router; bar: a link of more than two ends; "
            "dashed: each flow has the whole link</text>\n",
            x, y + 26);
    if (s->d->loop.count > 0)
        fprintf(s->stream, "<text x=\"%.1f\" y=\"%.1f\">red: the ring; its hosts are numbered in its order</text>\n", x,
                y + 39);
    fputs("</g>\n", s->stream);
}

void hs__drawing_svg(const hs__drawing *drawing, FILE *stream)
{
    sheet s = {.d = drawing, .stream = stream};
    measure(&s);
    put_head(&s);
    for (size_t i = 0; i < drawing->cable_count; i++)
        put_cable(&s, &drawing->cables[i]);
    put_loop(&s);
    for (int v = drawing->platform->hosts; v < drawing->stations; v++)
        put_joint(&s, v);
    for (int v = 0; v < drawing->platform->hosts; v++)
        put_host(&s, v);
    put_names(&s);
    if (drawing->stations <= HS__DRAWING_NAMED)
        put_positions(&s);
    put_legend(&s);
    fputs("</svg>\n", stream);
}

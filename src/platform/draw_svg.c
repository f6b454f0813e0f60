/* SPDX-License-Identifier: BSD-3-Clause */
/* A drawing as SVG: cables below, stations above, names beside them while there is room, every id as a tooltip, a title
 * above and what areas and widths mean underneath. A file has its own colours, for a white page; where a page of hs report has the
 * drawing, its style gives those of the page to the classes named here. */
#include "platform/draw.h"
#include "platform/labels.h"
#include "platform/platform.h"
#include "platform/xml_text.h"
#include <heteroslice/hs_units.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BORDER = 16, TITLE = 24, LEGEND = 82, MIN_WIDTH = 420, SIZE = 9, TITLE_SIZE = 12 };
static const char strong[] = "class=\"strong\" fill=\"#1d2329\"", soft[] = "class=\"soft\" fill=\"#4a545f\"";
static const char joints_caption[] = "square: router; bar: a link of more than two ends";
static const char dashes_caption[] = "dashed: each flow has the whole link";
static const char loop_caption[] = "red: the ring; its hosts are numbered in its order";

typedef struct sheet {
    const hs__drawing *d;
    FILE *stream;
    hs__label *labels; /* owned */
    size_t label_count;
    double left, top, right, bottom;
} sheet;

static void put_escaped(sheet *s, const char *text)
{
    hs__xml_put(s->stream, text, strlen(text));
}

static void include(sheet *s, double x, double y, double half_width, double half_height)
{
    s->left = fmin(s->left, x - half_width);
    s->top = fmin(s->top, y - half_height);
    s->right = fmax(s->right, x + half_width);
    s->bottom = fmax(s->bottom, y + half_height);
}

/* The picture holds all stations and texts, and is wide enough for the title and the legend. */
static void measure(sheet *s)
{
    const hs__drawing *d = s->d;
    s->left = s->top = INFINITY;
    s->right = s->bottom = -INFINITY;
    for (int v = 0; v < d->stations; v++) {
        double r = hs__drawing_radius(d, v);
        include(s, d->x[v], d->y[v], r, r);
    }
    for (size_t i = 0; i < s->label_count; i++) {
        const hs__label *l = &s->labels[i];
        double c = fabs(cos(l->angle)), n = fabs(sin(l->angle));
        include(s, l->x, l->y, c * l->half_width + n * l->half_height, n * l->half_width + c * l->half_height);
    }
    double words = fmax(hs__label_width(d->area_caption, SIZE), hs__label_width(d->width_caption, SIZE));
    double least = fmax(MIN_WIDTH, fmax(words, hs__label_width(d->title, TITLE_SIZE)) + 2 * BORDER);
    double slack = fmax(0, least - (s->right - s->left + 2 * BORDER)) / 2;
    s->left -= BORDER + slack;
    s->right += BORDER + slack;
    s->top -= BORDER + (d->title[0] ? TITLE : 0);
    s->bottom += BORDER + LEGEND;
}

static void put_head(sheet *s)
{
    double width = s->right - s->left, height = s->bottom - s->top;
    fprintf(s->stream,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" viewBox=\"%.1f %.1f %.1f %.1f\" "
            "font-family=\"sans-serif\" font-size=\"%d\">\n"
            "<rect class=\"sheet\" x=\"%.1f\" y=\"%.1f\" width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>\n",
            width, height, s->left, s->top, width, height, SIZE, s->left, s->top);
    if (!s->d->title[0])
        return;
    fprintf(s->stream, "<text %s x=\"%.1f\" y=\"%.1f\" font-size=\"%d\">", strong, s->left + BORDER,
            s->top + BORDER + 0.5 * TITLE_SIZE, TITLE_SIZE);
    put_escaped(s, s->d->title);
    fputs("</text>\n", s->stream);
}

/* The id of a link and what it carries, in the words of a tooltip. */
static void put_link_title(sheet *s, int link)
{
    const hs__link *l = &s->d->platform->links[link];
    char bandwidth[32], latency[32];
    fputs("<title>", s->stream);
    put_escaped(s, l->id);
    if (l->twin >= 0) {
        fputs(", ", s->stream);
        put_escaped(s, s->d->platform->links[l->twin].id);
    }
    fprintf(s->stream, ": %s%s, %s</title>",
            hs__label_bandwidth(s->d->platform, l->bandwidth, bandwidth, sizeof bandwidth),
            l->twin >= 0               ? " each way"
            : l->sharing == HS_FATPIPE ? " for each flow"
                                       : " for all flows",
            hs_quantity_format(l->latency, HS_UNIT_TIME, latency, sizeof latency));
}

static void put_cable(sheet *s, const hs__cable *c)
{
    const hs__drawing *d = s->d;
    double x, y;
    hs__drawing_bend(d, c, &x, &y);
    fprintf(s->stream, "<path d=\"M%.1f %.1fQ%.1f %.1f %.1f %.1f\" fill=\"none\"", d->x[c->a], d->y[c->a], x, y,
            d->x[c->b], d->y[c->b]);
    if (c->link < 0) {
        fputs(" class=\"cable\" stroke=\"#868f9a\" stroke-width=\"1\"/>\n", s->stream);
        return;
    }
    int fat = d->platform->links[c->link].sharing == HS_FATPIPE;
    fprintf(s->stream, " %s stroke-width=\"%.2f\"%s>",
            fat ? "class=\"fatpipe\" stroke=\"#5b86b5\"" : "class=\"cable\" stroke=\"#6b7785\"", d->width[c->link],
            fat ? " stroke-dasharray=\"6 3\"" : "");
    put_link_title(s, c->link);
    fputs("</path>\n", s->stream);
}

static void put_label(sheet *s, const hs__label *l)
{
    double y = l->y + 0.33 * l->size; /* of the letters' foot */
    fprintf(s->stream,
            "<text %s x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\" font-size=\"%d\" stroke=\"#ffffff\" "
            "stroke-width=\"2.5\" paint-order=\"stroke\"",
            l->of_host ? strong : soft, l->x, y, l->size);
    if (l->angle != 0)
        fprintf(s->stream, " transform=\"rotate(%.1f %.1f %.1f)\"", l->angle * 180 / M_PI, l->x, l->y);
    fputs(">", s->stream);
    put_escaped(s, l->text);
    fputs("</text>\n", s->stream);
}

static void put_host(sheet *s, int host)
{
    const hs__node *node = &s->d->platform->nodes[host];
    char speed[32];
    int hollow = s->d->hollow && s->d->hollow[host];
    fprintf(s->stream, "<circle %s cx=\"%.1f\" cy=\"%.1f\" r=\"%.2f\" stroke=\"#8a5a10\" stroke-width=\"1\"><title>",
            hollow ? "class=\"sheet\" fill=\"#ffffff\"" : "class=\"host\" fill=\"#e8a33d\"", s->d->x[host],
            s->d->y[host], hs__drawing_radius(s->d, host));
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
            "<rect %s x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"%s\" stroke=\"#3d4650\" "
            "stroke-width=\"1\">",
            is_router ? "class=\"router\" fill=\"#cfd6dd\"" : "class=\"bar\" fill=\"#9db8d6\"", s->d->x[station] - half,
            s->d->y[station] - r, 2 * half, 2 * r, is_router ? "1.5" : "4");
    if (link >= 0) {
        put_link_title(s, link);
    } else if (is_router) {
        fputs("<title>", s->stream);
        put_escaped(s, s->d->platform->nodes[station].id);
        fputs("</title>", s->stream);
    }
    fputs("</rect>\n", s->stream);
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
    double x = s->left + BORDER, y = s->bottom - LEGEND + 18;
    fprintf(s->stream, "<g %s><text x=\"%.1f\" y=\"%.1f\">", soft, x, y);
    put_escaped(s, s->d->area_caption);
    fprintf(s->stream, "</text>\n<text x=\"%.1f\" y=\"%.1f\">", x, y + 13);
    put_escaped(s, s->d->width_caption);
    fprintf(s->stream, "</text>\n<text x=\"%.1f\" y=\"%.1f\">%s</text>\n<text x=\"%.1f\" y=\"%.1f\">%s</text>\n", x,
            y + 26, joints_caption, x, y + 39, dashes_caption);
    if (s->d->loop.count > 0)
        fprintf(s->stream, "<text x=\"%.1f\" y=\"%.1f\">%s</text>\n", x, y + 52, loop_caption);
    fputs("</g>\n", s->stream);
}

hs_status hs__drawing_svg(const hs__drawing *drawing, FILE *stream)
{
    sheet s = {.d = drawing, .stream = stream};
    hs_status status = hs__labels_create(drawing, &s.labels, &s.label_count);
    if (status != HS_OK)
        return status;
    measure(&s);
    put_head(&s);
    for (size_t i = 0; i < drawing->cable_count; i++)
        put_cable(&s, &drawing->cables[i]);
    put_loop(&s);
    for (int v = drawing->platform->hosts; v < drawing->stations; v++)
        put_joint(&s, v);
    for (int v = 0; v < drawing->platform->hosts; v++)
        put_host(&s, v);
    for (size_t i = 0; i < s.label_count; i++)
        put_label(&s, &s.labels[i]);
    if (drawing->stations <= HS__DRAWING_NAMED)
        put_positions(&s);
    put_legend(&s);
    fputs("</svg>\n", stream);
    free(s.labels);
    return HS_OK;
}

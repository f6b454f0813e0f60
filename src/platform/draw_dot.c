/* SPDX-License-Identifier: BSD-3-Clause */
/* A drawing as a Graphviz file: `neato -n` keeps the places, any other layout makes its own. */
#include "platform/draw.h"
#include "platform/platform.h"

/* A text in double quotes as Graphviz reads it. */
static void put_quoted(FILE *stream, const char *text)
{
    fputc('"', stream);
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            fputc('\\', stream);
        fputc(*text, stream);
    }
    fputc('"', stream);
}

static void put_station(const hs__drawing *d, int station, FILE *stream)
{
    enum { POINTS_AN_INCH = 72 };
    const hs_platform *p = d->platform;
    int link = d->station_link[station], is_node = station < (int)p->node_count;
    const char *shape = station < p->hosts ? "circle" : "box";
    fprintf(stream, "  n%d [shape=%s, width=%.3f, pos=\"%.1f,%.1f\", label=", station, shape,
            2 * hs__drawing_radius(d, station) / POINTS_AN_INCH, d->x[station], -d->y[station]);
    put_quoted(stream, is_node ? p->nodes[station].id : link >= 0 ? p->links[link].id : "");
    fprintf(stream, ", fillcolor=\"%s\"];\n", station < p->hosts ? "#e8a33d" : is_node ? "#cfd6dd" : "#9db8d6");
}

static void put_cable(const hs__drawing *d, const hs__cable *cable, FILE *stream)
{
    fprintf(stream, "  n%d -- n%d [", cable->a, cable->b);
    if (cable->link >= 0) {
        fprintf(stream, "penwidth=%.2f, %stooltip=", d->width[cable->link],
                d->platform->links[cable->link].sharing == HS_FATPIPE ? "style=dashed, " : "");
        put_quoted(stream, d->platform->links[cable->link].id);
    }
    fputs("];\n", stream);
}

hs_status hs__drawing_dot(const hs__drawing *drawing, FILE *stream)
{
    fputs("graph platform {\n  node [style=filled, fontsize=9, fixedsize=true];\n  edge [color=\"#6b7785\"];\n",
          stream);
    for (int v = 0; v < drawing->stations; v++)
        put_station(drawing, v, stream);
    for (size_t i = 0; i < drawing->cable_count; i++)
        put_cable(drawing, &drawing->cables[i], stream);
    fputs("}\n", stream);
    return HS_OK;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes a platform as a SimGrid 4.1 file, zone by zone, in the order that gives all indices and ties back. */
#include "platform/platform.h"
#include "platform/xml_text.h"
#include "util/array.h"
#include "util/file.h"
#include "util/status.h"
#include "util/units.h"
#include <heteroslice/hs_units.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct writer {
    const hs_platform *platform;
    FILE *stream;
    int *first, *links; /* links of zone z in file order: links[first[z] .. first[z + 1]); owned */
} writer;

static void put_indent(writer *w, int depth)
{
    fprintf(w->stream, "%*s", 2 * depth, "");
}

/* Writes an attribute of the first `length` bytes of text. */
static void put_part(writer *w, const char *attribute, const char *text, size_t length)
{
    fprintf(w->stream, " %s=\"", attribute);
    hs__xml_put(w->stream, text, length);
    fputc('"', w->stream);
}

static void put_text(writer *w, const char *attribute, const char *text)
{
    put_part(w, attribute, text, strlen(text));
}

enum { QUANTITY = 64 }; /* bytes of a quantity's text */

/* The quantity in the unit that makes the shortest text reading back to the very same number, the larger unit among
 * equals; else in the base unit with all its digits. Returns best[QUANTITY]. */
static const char *quantity_text(double value, hs_unit unit, char *best)
{
    static const struct {
        const char *name;
        double factor;
    } units[4][5] = {
        [HS_UNIT_SPEED] = {{"Tf", 1e12}, {"Gf", 1e9}, {"Mf", 1e6}, {"kf", 1e3}, {"f", 1}},
        [HS_UNIT_BANDWIDTH] = {{"TBps", 1e12}, {"GBps", 1e9}, {"MBps", 1e6}, {"kBps", 1e3}, {"Bps", 1}},
        [HS_UNIT_TIME] = {{"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}, {"s", 1}},
        [HS_UNIT_SIZE] = {{"TiB", 0x1p40}, {"GiB", 0x1p30}, {"MiB", 0x1p20}, {"KiB", 0x1p10}, {"B", 1}},
    };
    char text[QUANTITY];
    double back;
    snprintf(best, QUANTITY, "%.17g%s", value, units[unit][4].name);
    for (int i = 0; i < 5; i++) {
        snprintf(text, sizeof text, "%.6g%s", value / units[unit][i].factor, units[unit][i].name);
        if (strlen(text) < strlen(best) && hs_quantity_parse(text, unit, HS_BARE_REFUSED, &back, NULL) == HS_OK &&
            back == value)
            memcpy(best, text, QUANTITY);
    }
    return best;
}

static void put_quantity(writer *w, const char *attribute, double value, hs_unit unit)
{
    char text[QUANTITY];
    put_text(w, attribute, quantity_text(value, unit, text));
}

static const char *policy_name(const hs__link *link)
{
    return link->twin >= 0 ? "SPLITDUPLEX" : link->sharing == HS_FATPIPE ? "FATPIPE" : "SHARED";
}

/* The id that a link has in <link>: a duplex half without its ending. */
static void put_link_id(writer *w, int link)
{
    const hs__link *l = &w->platform->links[link];
    size_t length = strlen(l->id);
    if (l->twin >= 0)
        length -= strlen(l->twin > link ? "_UP" : "_DOWN");
    put_part(w, "id", l->id, length);
}

static void put_link(writer *w, int depth, const hs__zone *zone, int link)
{
    const hs__link *l = &w->platform->links[link];
    if (l->twin >= 0 && l->twin < link)
        return; /* the _DOWN half stands with its twin */
    put_indent(w, depth);
    fprintf(w->stream, "<%s", link == zone->backbone ? "backbone" : "link");
    put_link_id(w, link);
    put_quantity(w, "bandwidth", l->bandwidth, HS_UNIT_BANDWIDTH);
    put_quantity(w, "latency", l->latency, HS_UNIT_TIME);
    if (link != zone->backbone && strcmp(policy_name(l), "SHARED") != 0)
        put_text(w, "sharing_policy", policy_name(l));
    if (!l->at_least || link == zone->backbone) {
        fputs("/>\n", w->stream);
        return;
    }
    fputs(">\n", w->stream);
    put_indent(w, depth + 1);
    fputs("<prop id=\"bandwidth\" value=\"at least\"/>\n", w->stream);
    put_indent(w, depth);
    fputs("</link>\n", w->stream);
}

/* The properties of a host that say what its speed is by size, inside <host>. */
static void put_speed_function(writer *w, int depth, const hs_speed_function *function)
{
    char size[QUANTITY], speed[QUANTITY];
    if (function->points > 0) {
        put_indent(w, depth);
        fputs("<prop id=\"speed_by_size\" value=\"", w->stream);
        for (int i = 0; i < function->points; i++)
            fprintf(w->stream, "%s%s:%s", i > 0 ? ", " : "", quantity_text(function->point[i].size, HS_UNIT_SIZE, size),
                    quantity_text(function->point[i].speed, HS_UNIT_SPEED, speed));
        fputs("\"/>\n", w->stream);
    }
    if (function->max_size < INFINITY) {
        put_indent(w, depth);
        fprintf(w->stream, "<prop id=\"max_slice\" value=\"%s\"/>\n",
                quantity_text(function->max_size, HS_UNIT_SIZE, size));
    }
}

static void put_node(writer *w, int depth, const hs__node *node)
{
    put_indent(w, depth);
    fputs(node->cores ? "<host" : "<router", w->stream);
    put_text(w, "id", node->id);
    if (node->cores)
        put_quantity(w, "speed", node->speed, HS_UNIT_SPEED);
    if (node->cores > 1)
        fprintf(w->stream, " core=\"%d\"", node->cores);
    if (node->by_size.points == 0 && isinf(node->by_size.max_size)) {
        fputs("/>\n", w->stream);
        return;
    }
    fputs(">\n", w->stream);
    put_speed_function(w, depth + 1, &node->by_size);
    put_indent(w, depth);
    fputs("</host>\n", w->stream);
}

/* A link on a route; `back` is the link that the way back crosses there, -1 when there is no such way. */
static void put_crossing(writer *w, int depth, int link, int back)
{
    const hs__link *l = &w->platform->links[link];
    put_indent(w, depth);
    fputs("<link_ctn", w->stream);
    if (l->twin >= 0 && back != link) {
        put_link_id(w, link);
        put_text(w, "direction", l->twin > link ? "UP" : "DOWN");
    } else {
        put_text(w, "id", l->id);
    }
    fputs("/>\n", w->stream);
}

static void put_edge(writer *w, int depth, int e)
{
    const hs_platform *p = w->platform;
    const hs__edge *edge = &p->edges[e], *back = edge->next == e + 1 && edge[1].mirror ? edge + 1 : NULL;
    const char *tag = edge->gw_from >= 0 ? "zoneRoute" : "route";
    put_indent(w, depth);
    fprintf(w->stream, "<%s", tag);
    put_text(w, "src", hs__vertex_id(p, edge->zone, edge->from));
    put_text(w, "dst", hs__vertex_id(p, edge->zone, edge->to));
    if (edge->gw_from >= 0) {
        put_text(w, "gw_src", p->nodes[edge->gw_from].id);
        put_text(w, "gw_dst", p->nodes[edge->gw_to].id);
    }
    fputs(back ? ">\n" : " symmetrical=\"NO\">\n", w->stream);
    for (int i = 0; i < edge->count; i++)
        put_crossing(w, depth + 1, p->crossed[edge->first + (size_t)i],
                     back ? p->crossed[back->first + (size_t)(edge->count - 1 - i)] : -1);
    put_indent(w, depth);
    fprintf(w->stream, "</%s>\n", tag);
}

static void put_host_link(writer *w, int depth, const char *host, const hs__spoke *spoke)
{
    put_indent(w, depth);
    fputs("<host_link", w->stream);
    put_text(w, "id", host);
    put_text(w, "up", w->platform->links[spoke->up].id);
    put_text(w, "down", w->platform->links[spoke->down].id);
    fputs("/>\n", w->stream);
}

/* A zone read from a <cluster>: all hosts have the attributes of the first one, and the router is the last vertex. */
static void put_cluster(writer *w, int depth, const hs__zone *zone)
{
    const hs_platform *p = w->platform;
    const hs__spoke *spoke = &zone->spokes[0];
    const hs__node *host = &p->nodes[zone->vertices[0]];
    put_indent(w, depth);
    fputs("<cluster", w->stream);
    put_text(w, "id", zone->id);
    put_text(w, "prefix", zone->cluster->prefix);
    put_text(w, "suffix", zone->cluster->suffix);
    put_text(w, "radical", zone->cluster->radical);
    put_quantity(w, "speed", host->speed, HS_UNIT_SPEED);
    fprintf(w->stream, " core=\"%d\"", host->cores);
    put_quantity(w, "bw", p->links[spoke->up].bandwidth, HS_UNIT_BANDWIDTH);
    put_quantity(w, "lat", p->links[spoke->up].latency, HS_UNIT_TIME);
    put_text(w, "sharing_policy", policy_name(&p->links[spoke->up]));
    if (zone->backbone >= 0) {
        put_quantity(w, "bb_bw", p->links[zone->backbone].bandwidth, HS_UNIT_BANDWIDTH);
        put_quantity(w, "bb_lat", p->links[zone->backbone].latency, HS_UNIT_TIME);
        put_text(w, "bb_sharing_policy", policy_name(&p->links[zone->backbone]));
    }
    if (spoke->limiter >= 0)
        put_quantity(w, "limiter_link", p->links[spoke->limiter].bandwidth, HS_UNIT_BANDWIDTH);
    if (spoke->loopback >= 0) {
        put_quantity(w, "loopback_bw", p->links[spoke->loopback].bandwidth, HS_UNIT_BANDWIDTH);
        put_quantity(w, "loopback_lat", p->links[spoke->loopback].latency, HS_UNIT_TIME);
    }
    put_text(w, "router_id", p->nodes[zone->vertices[zone->count - 1]].id);
    fputs("/>\n", w->stream);
}

static void put_zone(writer *w, int depth, int z)
{
    static const char *const routings[] = {[HS__ROUTING_FULL] = "Full",
                                           [HS__ROUTING_FLOYD] = "Floyd",
                                           [HS__ROUTING_DIJKSTRA] = "Dijkstra",
                                           [HS__ROUTING_DIJKSTRA_CACHE] = "DijkstraCache",
                                           [HS__ROUTING_CLUSTER] = "Cluster"};
    const hs_platform *p = w->platform;
    const hs__zone *zone = &p->zones[z];
    if (zone->cluster) {
        put_cluster(w, depth, zone);
        return;
    }
    put_indent(w, depth);
    fputs("<zone", w->stream);
    put_text(w, "id", zone->id);
    put_text(w, "routing", routings[zone->routing]);
    fputs(">\n", w->stream);
    int i = w->first[z];
    for (size_t v = 0; v < zone->count; v++) {
        int vertex = zone->vertices[v];
        if (vertex >= 0) {
            put_node(w, depth + 1, &p->nodes[vertex]);
            continue;
        }
        for (; i < w->first[z + 1] && w->links[i] < p->zones[~vertex].first_link; i++)
            put_link(w, depth + 1, zone, w->links[i]);
        put_zone(w, depth + 1, ~vertex);
    }
    for (; i < w->first[z + 1]; i++)
        put_link(w, depth + 1, zone, w->links[i]);
    for (size_t v = 0; zone->spokes && v < zone->count; v++)
        if (zone->spokes[v].up >= 0)
            put_host_link(w, depth + 1, p->nodes[zone->vertices[v]].id, &zone->spokes[v]);
    for (int e = zone->first_edge; e >= 0; e = p->edges[e].next)
        if (!p->edges[e].mirror)
            put_edge(w, depth + 1, e);
    put_indent(w, depth);
    fputs("</zone>\n", w->stream);
}

/* Sorts the links by the zone they were declared in. */
static hs_status sort_links(writer *w)
{
    const hs_platform *p = w->platform;
    w->first = hs__array_new(p->zone_count + 2, sizeof *w->first);
    w->links = hs__array_new(p->link_count, sizeof *w->links);
    if (!w->first || !w->links)
        return HS_ERR_NOMEM;
    for (size_t l = 0; l < p->link_count; l++)
        w->first[p->links[l].zone + 2]++;
    for (size_t z = 0; z < p->zone_count; z++)
        w->first[z + 2] += w->first[z + 1];
    for (size_t l = 0; l < p->link_count; l++)
        w->links[w->first[p->links[l].zone + 1]++] = (int)l;
    return HS_OK;
}

hs_status hs_platform_write(const hs_platform *platform, const char *path, hs_error *error)
{
    HS__RETURN_ERROR_IF_NULL(platform, error);
    HS__RETURN_ERROR_IF_NULL(path, error);
    writer w = {.platform = platform};
    hs__file *file = NULL;
    hs_status status = sort_links(&w);
    if (status != HS_OK) {
        hs__error_status(error, status);
        goto out;
    }
    status = hs__file_create(path, &file, error);
    if (status != HS_OK)
        goto out;
    w.stream = hs__file_stream(file);
    locale_t before = hs__c_locale_enter();
    fputs("<?xml version=\"1.0\"?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
          "<platform version=\"4.1\">\n",
          w.stream);
    if (platform->comment)
        fprintf(w.stream, "  <!-- %s -->\n", platform->comment);
    put_zone(&w, 1, 0);
    fputs("</platform>\n", w.stream);
    hs__c_locale_leave(before);
    status = hs__file_commit(file, error);
out:
    free(w.links);
    free(w.first);
    return status;
}

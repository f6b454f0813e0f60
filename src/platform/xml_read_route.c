/* SPDX-License-Identifier: BSD-3-Clause */
/* <route>, <zoneRoute> and <link_ctn>: routes and their links. */
#include "platform/xml_read.h"
#include "util/array.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Begins a route: the attributes that both kinds have. */
static hs_status open_route(hs__reader *reader, const char *symmetrical)
{
    const hs__zone *zone = &reader->platform->zones[reader->zone];
    if (zone->routing == HS__ROUTING_CLUSTER)
        return hs__reader_fail(reader, HS_ERR_PARSE, "a route in Cluster zone '%.*s', which takes host_link",
                               HS__MAX_TEXT, zone->id);
    if (strcasecmp(symmetrical, "YES") != 0 && strcasecmp(symmetrical, "NO") != 0)
        return hs__reader_fail(reader, HS_ERR_PARSE, "symmetrical '%.*s': YES and NO are read", HS__MAX_TEXT,
                               symmetrical);
    reader->symmetrical = strcasecmp(symmetrical, "YES") == 0;
    reader->edge = (hs__edge){.zone = reader->zone, .gw_from = -1, .gw_to = -1};
    return HS_OK;
}

/* An end of a <route>: a host or router of the open zone. */
static hs_status find_end(hs__reader *reader, const char *attribute, const char *id, int *vertex)
{
    const hs_platform *p = reader->platform;
    int node = hs_platform_find_node(p, id);
    if (node < 0 && hs__platform_find_zone(p, id) >= 0)
        return hs__reader_fail(reader, HS_ERR_PARSE, "<route> %s '%.*s' is a zone: zoneRoute joins zones", attribute,
                               HS__MAX_TEXT, id);
    if (node < 0)
        return hs__reader_fail(reader, HS_ERR_PARSE, "<route> %s '%.*s': no host or router of this id so far",
                               attribute, HS__MAX_TEXT, id);
    if (p->nodes[node].zone != reader->zone)
        return hs__reader_fail(reader, HS_ERR_PARSE, "<route> %s '%.*s' is not in this zone", attribute, HS__MAX_TEXT,
                               id);
    *vertex = p->nodes[node].vertex;
    return HS_OK;
}

hs_status hs__read_route(hs__reader *reader, const char *const *value)
{
    enum { SRC, DST, SYMMETRICAL };
    hs_status status = open_route(reader, value[SYMMETRICAL]);
    if (status == HS_OK)
        status = find_end(reader, "src", value[SRC], &reader->edge.from);
    return status == HS_OK ? find_end(reader, "dst", value[DST], &reader->edge.to) : status;
}

/* An end of a <zoneRoute>: a child of the open zone, and a gateway inside it. */
static hs_status find_zone_end(hs__reader *reader, const char *attribute, const char *id, const char *gateway,
                               int *vertex, int *node)
{
    const hs_platform *p = reader->platform;
    int zone = hs__platform_find_zone(p, id);
    if (zone < 0)
        return hs__reader_fail(reader, HS_ERR_PARSE, "<zoneRoute> %s '%.*s': no zone of this id so far", attribute,
                               HS__MAX_TEXT, id);
    if (p->zones[zone].parent != reader->zone)
        return hs__reader_fail(reader, HS_ERR_PARSE, "<zoneRoute> %s '%.*s' does not lie directly in this zone",
                               attribute, HS__MAX_TEXT, id);
    *node = hs_platform_find_node(p, gateway);
    if (*node < 0)
        return hs__reader_fail(reader, HS_ERR_PARSE, "<zoneRoute> gw_%s '%.*s': no host or router of this id so far",
                               attribute, HS__MAX_TEXT, gateway);
    if (!hs__zone_holds(p, zone, *node))
        return hs__reader_fail(reader, HS_ERR_PARSE, "<zoneRoute> gw_%s '%.*s' is not in zone '%.*s'", attribute,
                               HS__MAX_TEXT, gateway, HS__MAX_TEXT, id);
    *vertex = p->zones[zone].vertex;
    return HS_OK;
}

hs_status hs__read_zone_route(hs__reader *reader, const char *const *value)
{
    enum { SRC, DST, GW_SRC, GW_DST, SYMMETRICAL };
    hs__edge *edge = &reader->edge;
    hs_status status = open_route(reader, value[SYMMETRICAL]);
    if (status == HS_OK)
        status = find_zone_end(reader, "src", value[SRC], value[GW_SRC], &edge->from, &edge->gw_from);
    if (status == HS_OK)
        status = find_zone_end(reader, "dst", value[DST], value[GW_DST], &edge->to, &edge->gw_to);
    if (status == HS_OK && edge->from == edge->to)
        status =
            hs__reader_fail(reader, HS_ERR_PARSE, "<zoneRoute> from zone '%.*s' to itself", HS__MAX_TEXT, value[SRC]);
    return status;
}

/* The upper half of a duplex link; *half stays -1 when id is no duplex link. */
static hs_status find_half(hs__reader *reader, const char *id, int *half)
{
    const hs_platform *p = reader->platform;
    size_t size = strlen(id) + sizeof "_UP";
    char *name = hs__array_new(size, 1);
    if (!name)
        return hs__reader_fail(reader, HS_ERR_NOMEM, "out of memory");
    snprintf(name, size, "%s_UP", id);
    int link = hs_platform_find_link(p, name);
    free(name);
    if (link >= 0 && p->links[link].twin >= 0)
        *half = link;
    return HS_OK;
}

/* The links that a <link_ctn> stands for on the way there and on the way back. */
static hs_status find_crossed(hs__reader *reader, const char *id, const char *direction, int *there, int *back)
{
    const hs_platform *p = reader->platform;
    int up = strcmp(direction, "UP") == 0, down = strcmp(direction, "DOWN") == 0;
    if (!up && !down && strcmp(direction, "NONE") != 0)
        return hs__reader_fail(reader, HS_ERR_PARSE, "<link_ctn> '%.*s': direction '%.*s': UP, DOWN, NONE are read",
                               HS__MAX_TEXT, id, HS__MAX_TEXT, direction);
    int whole = hs_platform_find_link(p, id), half = -1;
    if ((up || down || whole < 0) && find_half(reader, id, &half) != HS_OK)
        return HS_ERR_NOMEM;
    if (whole < 0 && half < 0)
        return hs__reader_fail(reader, HS_ERR_PARSE, "<link_ctn> '%.*s': no link of this id so far", HS__MAX_TEXT, id);
    if ((up || down) && half < 0)
        return hs__reader_fail(reader, HS_ERR_PARSE, "<link_ctn> '%.*s': direction %s, but it is not SPLITDUPLEX",
                               HS__MAX_TEXT, id, direction);
    if (!up && !down && whole < 0)
        return hs__reader_fail(reader, HS_ERR_PARSE, "<link_ctn> '%.*s' is SPLITDUPLEX: it needs a direction",
                               HS__MAX_TEXT, id);
    *there = up ? half : down ? p->links[half].twin : whole;
    *back = up ? p->links[half].twin : down ? half : whole;
    return HS_OK;
}

hs_status hs__read_link_ctn(hs__reader *reader, const char *const *value)
{
    enum { ID, DIRECTION };
    int there = -1, back = -1;
    hs_status status = find_crossed(reader, value[ID], value[DIRECTION], &there, &back);
    if (status != HS_OK)
        return status;
    size_t n = (size_t)reader->edge.count;
    if (hs__array_reserve(&reader->there, &reader->there_room, n + 1, sizeof *reader->there) != 0 ||
        hs__array_reserve(&reader->back, &reader->back_room, n + 1, sizeof *reader->back) != 0)
        return hs__reader_fail(reader, HS_ERR_NOMEM, "out of memory");
    reader->there[n] = there;
    reader->back[n] = back;
    reader->edge.count++;
    return HS_OK;
}

hs_status hs__read_route_end(hs__reader *reader)
{
    hs_error error;
    hs__edge there = reader->edge, back = there;
    hs_status status = hs__platform_add_edge(reader->platform, there, reader->there, &error);
    if (status == HS_OK && reader->symmetrical && there.from != there.to) {
        for (int i = 0, j = there.count - 1; i < j; i++, j--) {
            int link = reader->back[i];
            reader->back[i] = reader->back[j];
            reader->back[j] = link;
        }
        back.from = there.to;
        back.to = there.from;
        back.gw_from = there.gw_to;
        back.gw_to = there.gw_from;
        back.mirror = 1;
        status = hs__platform_add_edge(reader->platform, back, reader->back, &error);
    }
    return hs__reader_check(reader, status, &error);
}

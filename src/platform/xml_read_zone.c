/* SPDX-License-Identifier: BSD-3-Clause */
/* <platform>, <zone>, <host>, <router>, <link>: zones, nodes and links. */
#include "platform/xml_read.h"
#include "util/units.h"
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

hs_status hs__read_quantity(hs__reader *reader, const char *owner, const char *id, const char *attribute,
                            const char *text, hs_unit unit, double *value)
{
    hs_error error;
    hs_status status = hs_quantity_parse(text, unit, HS_BARE_REFUSED, value, &error);
    if (status != HS_OK)
        return hs__reader_fail(reader, status, "%s '%.*s': %s: %s", owner, HS__MAX_TEXT, id, attribute, error.text);
    if (unit == HS_UNIT_BANDWIDTH && strstr(text, "bps"))
        reader->platform->in_bits = 1;
    return HS_OK;
}

hs_status hs__read_integer(hs__reader *reader, const char *owner, const char *id, const char *attribute,
                           const char *text, int low, int *value)
{
    char *end;
    errno = 0;
    long number = strtol(text, &end, 10);
    if (end == text || *end || errno || number < low || number > INT_MAX)
        return hs__reader_fail(reader, HS_ERR_PARSE, "%s '%.*s': %s: '%.*s' is not an integer of at least %d", owner,
                               HS__MAX_TEXT, id, attribute, HS__MAX_TEXT, text, low);
    *value = (int)number;
    return HS_OK;
}

hs_status hs__read_speed(hs__reader *reader, const char *owner, const char *id, const char *text, double *speed)
{
    double value; /* a speed is an amount of work a second and is written as one, but that may be 0 */
    if (hs_quantity_parse(text, HS_UNIT_WORK, HS_BARE_REFUSED, &value, NULL) == HS_OK && value == 0) {
        *speed = 0;
        return HS_OK;
    }
    return hs__read_quantity(reader, owner, id, "speed", text, HS_UNIT_SPEED, speed);
}

hs_status hs__read_speeds(hs__reader *reader, const char *owner, const char *id, const char *text, int pstate,
                          double *speed)
{
    char item[HS__MAX_TEXT];
    int states = 0;
    for (;;) {
        text += strspn(text, " \t\r\n");
        size_t length = strcspn(text, ","), kept = length;
        while (kept > 0 && strchr(" \t\r\n", text[kept - 1]))
            kept--;
        if (kept >= sizeof item)
            return hs__reader_fail(reader, HS_ERR_PARSE, "%s '%.*s': speed: '%.*s' is too long", owner, HS__MAX_TEXT,
                                   id, HS__MAX_TEXT, text);
        memcpy(item, text, kept);
        item[kept] = '\0';
        double value;
        hs_status status = hs__read_speed(reader, owner, id, item, &value);
        if (status != HS_OK)
            return status;
        if (states++ == pstate)
            *speed = value;
        if (!text[length])
            break;
        text += length + 1;
    }
    if (pstate >= states)
        return hs__reader_fail(reader, HS_ERR_PARSE, "%s '%.*s': pstate %d of %d speeds, counted from 0", owner,
                               HS__MAX_TEXT, id, pstate, states);
    return HS_OK;
}

hs_status hs__read_platform(hs__reader *reader, const char *const *value)
{
    char *end;
    double version = hs__strtod_c(value[0], &end);
    if (end == value[0] || *end || !(version > 3.995 && version < 4.105))
        return hs__reader_fail(reader, HS_ERR_UNSUPPORTED, "platform version '%.*s': 4 to 4.1 are read", HS__MAX_TEXT,
                               value[0]);
    return HS_OK;
}

hs_status hs__read_zone(hs__reader *reader, const char *const *value)
{
    static const struct {
        const char *name;
        hs__routing routing;
    } known[] = {{"Full", HS__ROUTING_FULL},
                 {"Floyd", HS__ROUTING_FLOYD},
                 {"Dijkstra", HS__ROUTING_DIJKSTRA},
                 {"DijkstraCache", HS__ROUTING_DIJKSTRA_CACHE},
                 {"Cluster", HS__ROUTING_CLUSTER}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcasecmp(value[1], known[i].name) == 0)
            return hs__reader_open_zone(reader, value[0], known[i].routing);
    return hs__reader_fail(reader, HS_ERR_UNSUPPORTED,
                           "zone '%.*s': routing '%.*s' is not covered: Full, Floyd, Dijkstra, DijkstraCache and "
                           "Cluster are",
                           HS__MAX_TEXT, value[0], HS__MAX_TEXT, value[1]);
}

hs_status hs__reader_open_zone(hs__reader *reader, const char *id, hs__routing routing)
{
    hs_platform *platform = reader->platform;
    if (reader->zone < 0 && platform->zone_count)
        return hs__reader_fail(reader, HS_ERR_PARSE, "zone '%.*s': a platform has one outermost zone", HS__MAX_TEXT,
                               id);
    if (reader->zone >= 0) {
        const hs__zone *parent = &platform->zones[reader->zone];
        if (parent->routing == HS__ROUTING_CLUSTER)
            return hs__reader_fail(reader, HS_ERR_PARSE, "zone '%.*s' inside Cluster zone '%.*s'", HS__MAX_TEXT, id,
                                   HS__MAX_TEXT, parent->id);
        if (parent->count && parent->vertices[0] >= 0)
            return hs__reader_fail(reader, HS_ERR_PARSE, "zone '%.*s' beside hosts or routers", HS__MAX_TEXT, id);
    }
    hs_error error;
    return hs__reader_check(reader, hs__platform_add_zone(platform, reader->zone, id, routing, &reader->zone, &error),
                            &error);
}

hs_status hs__read_zone_end(hs__reader *reader)
{
    const hs__zone *zone = &reader->platform->zones[reader->zone];
    for (size_t i = 0; zone->spokes && i < zone->count; i++)
        if (reader->platform->nodes[zone->vertices[i]].cores && zone->spokes[i].up < 0)
            return hs__reader_fail(reader, HS_ERR_PARSE, "host '%.*s' of Cluster zone '%.*s' has no host_link",
                                   HS__MAX_TEXT, reader->platform->nodes[zone->vertices[i]].id, HS__MAX_TEXT, zone->id);
    reader->zone = zone->parent;
    return HS_OK;
}

hs_status hs__reader_add_node(hs__reader *reader, const char *id, double speed, int cores, int *node)
{
    const hs__zone *zone = &reader->platform->zones[reader->zone];
    if (zone->count && zone->vertices[0] < 0)
        return hs__reader_fail(reader, HS_ERR_PARSE, "%s '%.*s' beside zones", cores ? "host" : "router", HS__MAX_TEXT,
                               id);
    hs_error error;
    return hs__reader_check(
        reader, hs__platform_add_node(reader->platform, reader->zone, id, speed, cores, node, &error), &error);
}

hs_status hs__read_host(hs__reader *reader, const char *const *value)
{
    enum { ID, SPEED, CORE, PSTATE };
    int cores = 1, pstate = 0;
    double speed = 0;
    hs_status status = hs__read_integer(reader, "host", value[ID], "core", value[CORE], 1, &cores);
    if (status == HS_OK)
        status = hs__read_integer(reader, "host", value[ID], "pstate", value[PSTATE], 0, &pstate);
    if (status == HS_OK)
        status = hs__read_speeds(reader, "host", value[ID], value[SPEED], pstate, &speed);
    return status == HS_OK ? hs__reader_add_node(reader, value[ID], speed, cores, NULL) : status;
}

hs_status hs__read_router(hs__reader *reader, const char *const *value)
{
    return hs__reader_add_node(reader, value[0], 0, 0, NULL);
}

hs_status hs__reader_policy(hs__reader *reader, const char *owner, const char *id, const char *text, int duplex_allowed,
                            hs__policy *policy)
{
    static const struct {
        const char *name;
        hs__policy policy;
    } known[] = {{"SHARED", HS__POLICY_SHARED},
                 {"FATPIPE", HS__POLICY_FATPIPE},
                 {"SPLITDUPLEX", HS__POLICY_DUPLEX},
                 {"FULLDUPLEX", HS__POLICY_DUPLEX}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(text, known[i].name) == 0 && (known[i].policy != HS__POLICY_DUPLEX || duplex_allowed)) {
            *policy = known[i].policy;
            return HS_OK;
        }
    return hs__reader_fail(reader, strcmp(text, "WIFI") == 0 ? HS_ERR_UNSUPPORTED : HS_ERR_PARSE,
                           "%s '%.*s': sharing policy '%.*s': SHARED, %sFATPIPE are read", owner, HS__MAX_TEXT, id,
                           HS__MAX_TEXT, text, duplex_allowed ? "SPLITDUPLEX, " : "");
}

hs_status hs__reader_add_link(hs__reader *reader, const char *id, double bandwidth, double latency, hs__policy policy,
                              int *link)
{
    hs_platform *p = reader->platform;
    hs_error error;
    hs_status status;
    if (policy == HS__POLICY_DUPLEX)
        status = hs__platform_add_duplex(p, reader->zone, id, bandwidth, latency, link, &error);
    else
        status = hs__platform_add_link(p, reader->zone, id, bandwidth, latency,
                                       policy == HS__POLICY_FATPIPE ? HS_FATPIPE : HS_SHARED, link, &error);
    return hs__reader_check(reader, status, &error);
}

hs_status hs__read_link(hs__reader *reader, const char *const *value)
{
    enum { ID, BANDWIDTH, LATENCY, POLICY };
    double bandwidth, latency;
    hs__policy policy;
    hs_status status =
        hs__read_quantity(reader, "link", value[ID], "bandwidth", value[BANDWIDTH], HS_UNIT_BANDWIDTH, &bandwidth);
    if (status == HS_OK)
        status = hs__read_quantity(reader, "link", value[ID], "latency", value[LATENCY], HS_UNIT_TIME, &latency);
    if (status == HS_OK)
        status = hs__reader_policy(reader, "link", value[ID], value[POLICY], 1, &policy);
    return status == HS_OK ? hs__reader_add_link(reader, value[ID], bandwidth, latency, policy, NULL) : status;
}

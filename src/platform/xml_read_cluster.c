/* SPDX-License-Identifier: BSD-3-Clause */
/* <cluster>, <cabinet>, <backbone>, <host_link>: stars of hosts. Names and link orders are SimGrid's. */
#include "config.h"

#include "platform/xml_read.h"
#include "util/array.h"
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reads a number and the blanks around it; -1 when there is none. */
static long read_number(const char **text)
{
    char *end;
    while (isspace((unsigned char)**text))
        ++*text;
    if (!isdigit((unsigned char)**text))
        return -1;
    errno = 0;
    long number = strtol(*text, &end, 10);
    if (errno || number > INT_MAX)
        return -1;
    while (isspace((unsigned char)*end))
        end++;
    *text = end;
    return number;
}

/* Read the numbers of a radical such as "1-29,58,60". On HS_OK *numbers is new; the caller frees it. */
static hs_status read_radical(hs__reader *reader, const char *owner, const char *id, const char *text, int **numbers,
                              size_t *count)
{
    const char *at = text;
    int *list = NULL;
    size_t n = 0, room = 0;
    for (;;) {
        long first = read_number(&at), last = first;
        if (first >= 0 && *at == '-') {
            at++;
            last = read_number(&at);
        }
        if (first < 0 || last < first || (*at && *at != ',')) {
            free(list);
            return hs__reader_fail(reader, HS_ERR_PARSE, "%s '%.*s': radical '%.*s': expected such as 1-29,58,60",
                                   owner, HS__MAX_TEXT, id, HS__MAX_TEXT, text);
        }
        size_t more = (size_t)(last - first) + 1;
        if (more > HS__MAX_NODES || n + more > HS__MAX_NODES) {
            free(list);
            return hs__reader_fail(reader, HS_ERR_UNSUPPORTED, "%s '%.*s': radical '%.*s': more than %d hosts", owner,
                                   HS__MAX_TEXT, id, HS__MAX_TEXT, text, HS__MAX_NODES);
        }
        if (hs__array_reserve(&list, &room, n + more, sizeof *list) != 0) {
            free(list);
            return hs__reader_fail(reader, HS_ERR_NOMEM, "out of memory");
        }
        for (long i = first; i <= last; i++)
            list[n++] = (int)i;
        if (!*at)
            break;
        at++;
    }
    *numbers = list;
    *count = n;
    return HS_OK;
}

/* A text like printf's on the heap; NULL without memory. */
static char *text_join(const char *format, ...) HS_PRINTF(1, 2);
static char *text_join(const char *format, ...)
{
    va_list arguments;
    char *text;
    va_start(arguments, format);
    int length = vasprintf(&text, format, arguments);
    va_end(arguments);
    return length < 0 ? NULL : text;
}

/* What every host of a <cluster> or <cabinet> has. */
typedef struct star {
    const char *owner, *id, *prefix, *suffix; /* owner: the tag */
    double speed, bandwidth, latency;
    int cores;
    hs__policy policy;
    double limiter, loopback, loopback_latency; /* 0: no such link */
} star;

/* Adds a link named `base` + `ending` when its bandwidth is not 0. */
static hs_status add_named_link(hs__reader *reader, const char *base, const char *ending, double bandwidth,
                                double latency, hs__policy policy, int *link)
{
    if (bandwidth == 0)
        return HS_OK;
    char *id = text_join("%s%s", base, ending);
    if (!id)
        return hs__reader_fail(reader, HS_ERR_NOMEM, "out of memory");
    hs_status status = hs__reader_add_link(reader, id, bandwidth, latency, policy, link);
    free(id);
    return status;
}

/* Adds a host and its links; `link` is the id of the link to the middle. */
static hs_status add_star_host(hs__reader *reader, const star *s, const char *host, const char *link)
{
    int node, first;
    hs__spoke spoke = {-1, -1, -1, -1};
    hs_status status = hs__reader_add_node(reader, host, s->speed, s->cores, &node);
    if (status == HS_OK)
        status = add_named_link(reader, link, "_loopback", s->loopback, s->loopback_latency, HS__POLICY_FATPIPE,
                                &spoke.loopback);
    if (status == HS_OK)
        status = add_named_link(reader, link, "_limiter", s->limiter, 0, HS__POLICY_SHARED, &spoke.limiter);
    if (status == HS_OK)
        status = hs__reader_add_link(reader, link, s->bandwidth, s->latency, s->policy, &first);
    if (status != HS_OK)
        return status;
    spoke.up = first;
    spoke.down = s->policy == HS__POLICY_DUPLEX ? first + 1 : first;
    reader->platform->zones[reader->zone].spokes[reader->platform->nodes[node].vertex] = spoke;
    return HS_OK;
}

/* Adds a host a number. A cluster names links <cluster>_link_<number>, a cabinet link_<host>. */
static hs_status add_star_hosts(hs__reader *reader, const star *s, const char *radical, int links_by_host)
{
    int *numbers = NULL;
    size_t count = 0;
    hs_status status = read_radical(reader, s->owner, s->id, radical, &numbers, &count);
    if (status != HS_OK)
        return status;
    for (size_t i = 0; i < count && status == HS_OK; i++) {
        char *host = text_join("%s%d%s", s->prefix, numbers[i], s->suffix);
        char *link = links_by_host ? text_join("link_%s%d%s", s->prefix, numbers[i], s->suffix)
                                   : text_join("%s_link_%d", s->id, numbers[i]);
        status = host && link ? add_star_host(reader, s, host, link)
                              : hs__reader_fail(reader, HS_ERR_NOMEM, "out of memory");
        free(link);
        free(host);
    }
    free(numbers);
    return status;
}

/* A quantity that may be absent: "" is 0. */
static hs_status read_optional(hs__reader *reader, const char *id, const char *attribute, const char *text,
                               hs_unit unit, double *value)
{
    *value = 0;
    return *text ? hs__read_quantity(reader, "cluster", id, attribute, text, unit, value) : HS_OK;
}

/* What the writer needs to give the tag back. */
static hs_status remember_cluster(hs__reader *reader, const char *prefix, const char *suffix, const char *radical)
{
    hs__cluster *made = hs__array_new(1, sizeof *made);
    reader->platform->zones[reader->zone].cluster = made; /* freed with the platform, whole or not */
    if (!made || !(made->prefix = hs__text_copy(prefix)) || !(made->suffix = hs__text_copy(suffix)) ||
        !(made->radical = hs__text_copy(radical)))
        return hs__reader_fail(reader, HS_ERR_NOMEM, "out of memory");
    return HS_OK;
}

static hs_status add_cluster_router(hs__reader *reader, const star *s, const char *router_id)
{
    char *id = *router_id ? hs__text_copy(router_id) : text_join("%s%s_router%s", s->prefix, s->id, s->suffix);
    if (!id)
        return hs__reader_fail(reader, HS_ERR_NOMEM, "out of memory");
    hs_status status = hs__reader_add_node(reader, id, 0, 0, NULL);
    free(id);
    return status;
}

hs_status hs__read_cluster(hs__reader *reader, const char *const *value)
{
    enum {
        ID,
        PREFIX,
        SUFFIX,
        RADICAL,
        SPEED,
        BW,
        LAT,
        CORE,
        POLICY,
        BB_BW,
        BB_LAT,
        BB_POLICY,
        ROUTER_ID,
        LIMITER_LINK,
        LOOPBACK_BW,
        LOOPBACK_LAT,
        TOPOLOGY
    };
    const char *id = value[ID];
    star s = {.owner = "cluster", .id = id, .prefix = value[PREFIX], .suffix = value[SUFFIX]};
    double bb_bandwidth, bb_latency;
    hs__policy bb_policy;
    hs_status status = HS_OK;
    int parent = reader->zone;
    if (strcmp(value[TOPOLOGY], "FLAT") != 0)
        return hs__reader_fail(reader, HS_ERR_UNSUPPORTED, "cluster '%.*s': topology '%.*s' is not covered: FLAT is",
                               HS__MAX_TEXT, id, HS__MAX_TEXT, value[TOPOLOGY]);
    if ((status = hs__read_integer(reader, "cluster", id, "core", value[CORE], 1, &s.cores)) ||
        (status = hs__read_speeds(reader, "cluster", id, value[SPEED], 0, &s.speed)) ||
        (status = hs__read_quantity(reader, "cluster", id, "bw", value[BW], HS_UNIT_BANDWIDTH, &s.bandwidth)) ||
        (status = hs__read_quantity(reader, "cluster", id, "lat", value[LAT], HS_UNIT_TIME, &s.latency)) ||
        (status = hs__reader_policy(reader, "cluster", id, value[POLICY], 1, &s.policy)) ||
        (status = read_optional(reader, id, "bb_bw", value[BB_BW], HS_UNIT_BANDWIDTH, &bb_bandwidth)) ||
        (status = read_optional(reader, id, "bb_lat", value[BB_LAT], HS_UNIT_TIME, &bb_latency)) ||
        (status = hs__reader_policy(reader, "cluster", id, value[BB_POLICY], 0, &bb_policy)) ||
        (status = read_optional(reader, id, "limiter_link", value[LIMITER_LINK], HS_UNIT_BANDWIDTH, &s.limiter)) ||
        (status = read_optional(reader, id, "loopback_bw", value[LOOPBACK_BW], HS_UNIT_BANDWIDTH, &s.loopback)) ||
        (status = read_optional(reader, id, "loopback_lat", value[LOOPBACK_LAT], HS_UNIT_TIME, &s.loopback_latency)))
        return status;
    if ((bb_bandwidth == 0 && bb_latency > 0) || (s.loopback == 0 && s.loopback_latency > 0))
        return hs__reader_fail(reader, HS_ERR_PARSE, "cluster '%.*s': %s", HS__MAX_TEXT, id,
                               bb_bandwidth == 0 && bb_latency > 0 ? "bb_lat without bb_bw"
                                                                   : "loopback_lat without loopback_bw");
    if ((status = hs__reader_open_zone(reader, id, HS__ROUTING_CLUSTER)) ||
        (status = remember_cluster(reader, s.prefix, s.suffix, value[RADICAL])) ||
        (status = add_named_link(reader, id, "_backbone", bb_bandwidth, bb_latency, bb_policy,
                                 &reader->platform->zones[reader->zone].backbone)) ||
        (status = add_star_hosts(reader, &s, value[RADICAL], 0)) ||
        (status = add_cluster_router(reader, &s, value[ROUTER_ID])))
        return status;
    reader->zone = parent;
    return HS_OK;
}

/* The open zone when it is of routing Cluster. */
static hs_status open_cluster_zone(hs__reader *reader, const char *tag, const char *id, hs__zone **zone)
{
    *zone = &reader->platform->zones[reader->zone];
    if ((*zone)->routing != HS__ROUTING_CLUSTER)
        return hs__reader_fail(reader, HS_ERR_PARSE, "<%s> '%.*s' outside a zone of routing Cluster", tag, HS__MAX_TEXT,
                               id);
    return HS_OK;
}

hs_status hs__read_cabinet(hs__reader *reader, const char *const *value)
{
    enum { ID, PREFIX, SUFFIX, RADICAL, SPEED, BW, LAT };
    const char *id = value[ID];
    star s = {.owner = "cabinet",
              .id = id,
              .prefix = value[PREFIX],
              .suffix = value[SUFFIX],
              .cores = 1,
              .policy = HS__POLICY_DUPLEX};
    hs__zone *zone;
    hs_status status;
    if ((status = open_cluster_zone(reader, "cabinet", id, &zone)) ||
        (status = hs__read_speed(reader, "cabinet", id, value[SPEED], &s.speed)) ||
        (status = hs__read_quantity(reader, "cabinet", id, "bw", value[BW], HS_UNIT_BANDWIDTH, &s.bandwidth)) ||
        (status = hs__read_quantity(reader, "cabinet", id, "lat", value[LAT], HS_UNIT_TIME, &s.latency)))
        return status;
    return add_star_hosts(reader, &s, value[RADICAL], 1);
}

hs_status hs__read_backbone(hs__reader *reader, const char *const *value)
{
    enum { ID, BANDWIDTH, LATENCY };
    const char *id = value[ID];
    double bandwidth, latency;
    hs__zone *zone;
    hs_status status;
    if ((status = open_cluster_zone(reader, "backbone", id, &zone)) ||
        (status =
             hs__read_quantity(reader, "backbone", id, "bandwidth", value[BANDWIDTH], HS_UNIT_BANDWIDTH, &bandwidth)) ||
        (status = hs__read_quantity(reader, "backbone", id, "latency", value[LATENCY], HS_UNIT_TIME, &latency)))
        return status;
    if (zone->backbone >= 0)
        return hs__reader_fail(reader, HS_ERR_PARSE, "<backbone> '%.*s': zone '%.*s' has one already", HS__MAX_TEXT, id,
                               HS__MAX_TEXT, zone->id);
    return hs__reader_add_link(reader, id, bandwidth, latency, HS__POLICY_SHARED, &zone->backbone);
}

static hs_status find_spoke_link(hs__reader *reader, const char *host, const char *attribute, const char *id, int *link)
{
    *link = hs_platform_find_link(reader->platform, id);
    if (*link < 0)
        return hs__reader_fail(reader, HS_ERR_PARSE, "<host_link> '%.*s': %s '%.*s': no link of this id so far",
                               HS__MAX_TEXT, host, attribute, HS__MAX_TEXT, id);
    return HS_OK;
}

hs_status hs__read_host_link(hs__reader *reader, const char *const *value)
{
    enum { ID, UP, DOWN };
    const char *id = value[ID];
    hs__spoke spoke = {-1, -1, -1, -1};
    hs__zone *zone;
    hs_status status;
    if ((status = open_cluster_zone(reader, "host_link", id, &zone)) ||
        (status = find_spoke_link(reader, id, "up", value[UP], &spoke.up)) ||
        (status = find_spoke_link(reader, id, "down", value[DOWN], &spoke.down)))
        return status;
    int node = hs_platform_find_node(reader->platform, id);
    if (node < 0 || reader->platform->nodes[node].zone != reader->zone || !reader->platform->nodes[node].cores)
        return hs__reader_fail(reader, HS_ERR_PARSE, "<host_link> '%.*s': no host of this id so far in this zone",
                               HS__MAX_TEXT, id);
    hs__spoke *place = &zone->spokes[reader->platform->nodes[node].vertex];
    if (place->up >= 0)
        return hs__reader_fail(reader, HS_ERR_PARSE, "<host_link> '%.*s': this host has one already", HS__MAX_TEXT, id);
    *place = spoke;
    return HS_OK;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_PLATFORM_XML_READ_H
#define HS_PLATFORM_XML_READ_H

/* The reader: xml_read.c drives expat and checks nesting and attributes by one table; each tag's meaning is a function
 * below, called with the attribute values in the table's order. */

#include "platform/platform.h"
#include <heteroslice/hs_units.h>
#include <stdio.h>

enum { HS__MAX_ATTRIBUTES = 20 };

typedef enum hs__tag {
    HS__TAG_NONE, /* outside the outermost tag */
    HS__TAG_PLATFORM,
    HS__TAG_CONFIG,
    HS__TAG_ZONE,
    HS__TAG_HOST,
    HS__TAG_ROUTER,
    HS__TAG_LINK,
    HS__TAG_ROUTE,
    HS__TAG_ZONE_ROUTE,
    HS__TAG_LINK_CTN,
    HS__TAG_CLUSTER,
    HS__TAG_CABINET,
    HS__TAG_BACKBONE,
    HS__TAG_HOST_LINK,
    HS__TAG_PROP,
    HS__TAGS
} hs__tag;

typedef struct hs__reader {
    void *parser; /* XML_Parser */
    hs_platform *platform;
    hs_status status; /* of the first thing that went wrong */
    hs_error error;
    hs__tag open[HS__MAX_DEPTH + 8]; /* the tags that are open, outermost first */
    int depth;
    int64_t tags;  /* that have begun */
    int zone;      /* the one that is open, -1 outside */
    hs__edge edge; /* the route that is open */
    int symmetrical;
    int *there, *back; /* its links each way, both in the order of the file; owned */
    size_t there_room, back_room;
} hs__reader;

/** Remember what is wrong at the current line and stop reading. Returns status. */
hs_status hs__reader_fail(hs__reader *reader, hs_status status, const char *format, ...) HS_PRINTF(3, 4);

/** Report a building function's error with the file's line. */
hs_status hs__reader_check(hs__reader *reader, hs_status status, const hs_error *error);

/** A link's sharing policy as the file spells it. */
typedef enum hs__policy { HS__POLICY_SHARED, HS__POLICY_FATPIPE, HS__POLICY_DUPLEX } hs__policy;

/** Read a sharing policy; SPLITDUPLEX (and its old spelling FULLDUPLEX) only where allowed. */
hs_status hs__reader_policy(hs__reader *reader, const char *owner, const char *id, const char *text, int duplex_allowed,
                            hs__policy *policy);

/** Add to the open zone, with the file's rules on what may stand beside what. */
hs_status hs__reader_open_zone(hs__reader *reader, const char *id, hs__routing routing);
hs_status hs__reader_add_node(hs__reader *reader, const char *id, double speed, int cores, int *node);
hs_status hs__reader_add_link(hs__reader *reader, const char *id, double bandwidth, double latency, hs__policy policy,
                              int *link);

/** Read an attribute's quantity with unit; an error names the owner ("host 'a': speed: ..."). */
hs_status hs__read_quantity(hs__reader *reader, const char *owner, const char *id, const char *attribute,
                            const char *text, hs_unit unit, double *value);

/** Read an integer in low .. INT_MAX. */
hs_status hs__read_integer(hs__reader *reader, const char *owner, const char *id, const char *attribute,
                           const char *text, int low, int *value);

/** As hs_platform_read(), from an open stream, up to its end. */
hs_status hs__platform_read_stream(FILE *stream, hs_platform **platform, hs_error *error);

/** Read a speed, or the 0 of a host that is off. */
hs_status hs__read_speed(hs__reader *reader, const char *owner, const char *id, const char *text, double *speed);

/** Read the first of a comma-separated list of speeds, or the one that pstate names. */
hs_status hs__read_speeds(hs__reader *reader, const char *owner, const char *id, const char *text, int pstate,
                          double *speed);

/* One function a tag. value[i] is attribute i of the tag's row in xml_read.c, its default, or NULL. */
hs_status hs__read_platform(hs__reader *reader, const char *const *value);
hs_status hs__read_zone(hs__reader *reader, const char *const *value);
hs_status hs__read_zone_end(hs__reader *reader);
hs_status hs__read_host(hs__reader *reader, const char *const *value);
hs_status hs__read_router(hs__reader *reader, const char *const *value);
hs_status hs__read_link(hs__reader *reader, const char *const *value);
hs_status hs__read_prop(hs__reader *reader, const char *const *value);
hs_status hs__read_route(hs__reader *reader, const char *const *value);
hs_status hs__read_zone_route(hs__reader *reader, const char *const *value);
hs_status hs__read_link_ctn(hs__reader *reader, const char *const *value);
hs_status hs__read_route_end(hs__reader *reader);
hs_status hs__read_cluster(hs__reader *reader, const char *const *value);
hs_status hs__read_cabinet(hs__reader *reader, const char *const *value);
hs_status hs__read_backbone(hs__reader *reader, const char *const *value);
hs_status hs__read_host_link(hs__reader *reader, const char *const *value);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads properties: a link's bandwidth that is a lower bound, a host's speed by the size of its slice, and its largest
 * slice. Other properties belong to somebody else and mean nothing here. */
#include "platform/xml_read.h"
#include "util/array.h"
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char speed_by_size[] = "speed_by_size", max_slice[] = "max_slice";

/* The open host: the last node. */
static hs__node *open_host(hs__reader *reader)
{
    return &reader->platform->nodes[reader->platform->node_count - 1];
}

/* Where `length` bytes of text begin and end without the blanks around them. */
static const char *strip(const char *text, size_t *length)
{
    for (; *length > 0 && strchr(" \t\r\n", *text); --*length)
        text++;
    while (*length > 0 && strchr(" \t\r\n", text[*length - 1]))
        --*length;
    return text;
}

/* Reads a quantity of the open host, the first `length` bytes of text. */
static hs_status read_part(hs__reader *reader, const char *text, size_t length, hs_unit unit, double *value)
{
    char part[HS__MAX_TEXT];
    text = strip(text, &length);
    if (length >= sizeof part)
        return hs__reader_fail(reader, HS_ERR_PARSE, "host '%.*s': %s: '%.*s' is too long", HS__MAX_TEXT,
                               open_host(reader)->id, speed_by_size, HS__MAX_TEXT, text);
    memcpy(part, text, length);
    part[length] = '\0';
    return hs__read_quantity(reader, "host", open_host(reader)->id, speed_by_size, part, unit, value);
}

/* Reads "size:speed", the first `length` bytes of text. */
static hs_status read_point(hs__reader *reader, const char *text, size_t length, hs_speed_point *point)
{
    const char *colon = memchr(text, ':', length);
    if (!colon) {
        text = strip(text, &length);
        return hs__reader_fail(reader, HS_ERR_PARSE, "host '%.*s': %s: '%.*s' is not SIZE:SPEED", HS__MAX_TEXT,
                               open_host(reader)->id, speed_by_size, length < HS__MAX_TEXT ? (int)length : HS__MAX_TEXT,
                               text);
    }
    size_t first = (size_t)(colon - text);
    hs_status status = read_part(reader, text, first, HS_UNIT_SIZE, &point->size);
    return status == HS_OK ? read_part(reader, colon + 1, length - first - 1, HS_UNIT_SPEED, &point->speed) : status;
}

/* Gives the open host the function, if that is one. */
static hs_status set_function(hs__reader *reader, const hs_speed_function *function, const char *property,
                              const char *text)
{
    hs_platform *p = reader->platform;
    hs_error error;
    hs_status status = hs_platform_set_host_speed_function(p, (int)p->node_count - 1, function, &error);
    if (status == HS_OK)
        return HS_OK;
    return hs__reader_fail(reader, status == HS_ERR_ARG ? HS_ERR_PARSE : status, "host '%.*s': %s '%.*s': %s",
                           HS__MAX_TEXT, open_host(reader)->id, property, HS__MAX_TEXT, text, error.text);
}

static hs_status fail_twice(hs__reader *reader, const char *property)
{
    return hs__reader_fail(reader, HS_ERR_PARSE, "host '%.*s': %s is given twice", HS__MAX_TEXT, open_host(reader)->id,
                           property);
}

static hs_status read_speed_by_size(hs__reader *reader, const char *text)
{
    hs_speed_function function = open_host(reader)->by_size;
    if (function.points > 0)
        return fail_twice(reader, speed_by_size);
    size_t points = 1;
    for (const char *c = text; *c; c++)
        points += *c == ',';
    hs_speed_point *point = hs__array_new(points, sizeof *point);
    if (!point || points > INT_MAX) {
        free(point);
        return hs__reader_fail(reader, HS_ERR_NOMEM, "out of memory");
    }
    hs_status status = HS_OK;
    const char *from = text;
    for (size_t i = 0; i < points && status == HS_OK; i++) {
        size_t length = strcspn(from, ",");
        status = read_point(reader, from, length, &point[i]);
        from += length + 1;
    }
    function.point = point;
    function.points = (int)points;
    if (status == HS_OK)
        status = set_function(reader, &function, speed_by_size, text);
    free(point);
    return status;
}

static hs_status read_max_slice(hs__reader *reader, const char *text)
{
    hs_speed_function function = open_host(reader)->by_size;
    if (function.max_size < INFINITY)
        return fail_twice(reader, max_slice);
    hs_status status =
        hs__read_quantity(reader, "host", open_host(reader)->id, max_slice, text, HS_UNIT_SIZE, &function.max_size);
    return status == HS_OK ? set_function(reader, &function, max_slice, text) : status;
}

hs_status hs__read_prop(hs__reader *reader, const char *const *value)
{
    enum { ID, VALUE };
    hs__tag in = reader->open[reader->depth - 1];
    int by_size = strcmp(value[ID], speed_by_size) == 0, limit = strcmp(value[ID], max_slice) == 0;
    if (in == HS__TAG_LINK && strcmp(value[ID], "bandwidth") == 0 && strcmp(value[VALUE], "at least") == 0)
        hs_platform_set_link_at_least(reader->platform, (int)reader->platform->link_count - 1);
    if (in == HS__TAG_HOST && by_size)
        return read_speed_by_size(reader, value[VALUE]);
    if (in == HS__TAG_HOST && limit)
        return read_max_slice(reader, value[VALUE]);
    if (in == HS__TAG_CLUSTER && (by_size || limit))
        return hs__reader_fail(reader, HS_ERR_UNSUPPORTED, "property %s of a cluster: it is one of hosts", value[ID]);
    return HS_OK;
}

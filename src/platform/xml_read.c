/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads SimGrid 4.1 files: expat, the table of tags, and the errors about the shape of a file. */
#include "platform/xml_read.h"
#include "util/assert.h"
#include "util/status.h"
#include <errno.h>
#include <expat.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a tag's attribute may be. */
typedef enum presence {
    OPTIONAL, /* absent: the fallback, which may be NULL */
    REQUIRED,
    IGNORED, /* says nothing about this model */
    VARYING  /* makes a value change over time, which this model does not cover; "" is as good as absent */
} presence;

typedef struct attribute_row {
    const char *name;
    presence presence;
    const char *fallback;
} attribute_row;

typedef struct tag_row {
    const char *name, *old_name;
    unsigned parents;                /* bits of hs__tag */
    const attribute_row *attributes; /* ended by a NULL name; at most HS__MAX_ATTRIBUTES */
    hs_status (*start)(hs__reader *reader, const char *const *value);
    hs_status (*end)(hs__reader *reader);
} tag_row;

static const attribute_row platform_attributes[] = {{"version", REQUIRED, NULL}, {NULL, OPTIONAL, NULL}};

static const attribute_row config_attributes[] = {{"id", IGNORED, NULL}, {NULL, OPTIONAL, NULL}};

static const attribute_row prop_attributes[] = {{"id", OPTIONAL, ""}, {"value", OPTIONAL, ""}, {NULL, OPTIONAL, NULL}};

static const attribute_row zone_attributes[] = {
    {"id", REQUIRED, NULL}, {"routing", REQUIRED, NULL}, {NULL, OPTIONAL, NULL}};

static const attribute_row host_attributes[] = {{"id", REQUIRED, NULL},
                                                {"speed", REQUIRED, NULL},
                                                {"core", OPTIONAL, "1"},
                                                {"pstate", OPTIONAL, "0"},
                                                {"coordinates", IGNORED, NULL},
                                                {"speed_file", VARYING, NULL},
                                                {"availability_file", VARYING, NULL},
                                                {"state_file", VARYING, NULL},
                                                {NULL, OPTIONAL, NULL}};

static const attribute_row router_attributes[] = {
    {"id", REQUIRED, NULL}, {"coordinates", IGNORED, NULL}, {NULL, OPTIONAL, NULL}};

static const attribute_row link_attributes[] = {{"id", REQUIRED, NULL},
                                                {"bandwidth", REQUIRED, NULL},
                                                {"latency", OPTIONAL, "0s"},
                                                {"sharing_policy", OPTIONAL, "SHARED"},
                                                {"bandwidth_file", VARYING, NULL},
                                                {"latency_file", VARYING, NULL},
                                                {"state_file", VARYING, NULL},
                                                {NULL, OPTIONAL, NULL}};

static const attribute_row route_attributes[] = {
    {"src", REQUIRED, NULL}, {"dst", REQUIRED, NULL}, {"symmetrical", OPTIONAL, "YES"}, {NULL, OPTIONAL, NULL}};

static const attribute_row zone_route_attributes[] = {{"src", REQUIRED, NULL},          {"dst", REQUIRED, NULL},
                                                      {"gw_src", REQUIRED, NULL},       {"gw_dst", REQUIRED, NULL},
                                                      {"symmetrical", OPTIONAL, "YES"}, {NULL, OPTIONAL, NULL}};

static const attribute_row link_ctn_attributes[] = {
    {"id", REQUIRED, NULL}, {"direction", OPTIONAL, "NONE"}, {NULL, OPTIONAL, NULL}};

static const attribute_row cluster_attributes[] = {{"id", REQUIRED, NULL},
                                                   {"prefix", REQUIRED, NULL},
                                                   {"suffix", REQUIRED, NULL},
                                                   {"radical", REQUIRED, NULL},
                                                   {"speed", REQUIRED, NULL},
                                                   {"bw", REQUIRED, NULL},
                                                   {"lat", REQUIRED, NULL},
                                                   {"core", OPTIONAL, "1"},
                                                   {"sharing_policy", OPTIONAL, "SPLITDUPLEX"},
                                                   {"bb_bw", OPTIONAL, ""},
                                                   {"bb_lat", OPTIONAL, "0s"},
                                                   {"bb_sharing_policy", OPTIONAL, "SHARED"},
                                                   {"router_id", OPTIONAL, ""},
                                                   {"limiter_link", OPTIONAL, ""},
                                                   {"loopback_bw", OPTIONAL, ""},
                                                   {"loopback_lat", OPTIONAL, "0s"},
                                                   {"topology", OPTIONAL, "FLAT"},
                                                   {"topo_parameters", IGNORED, NULL},
                                                   {NULL, OPTIONAL, NULL}};

static const attribute_row cabinet_attributes[] = {
    {"id", REQUIRED, NULL},    {"prefix", REQUIRED, NULL}, {"suffix", REQUIRED, NULL}, {"radical", REQUIRED, NULL},
    {"speed", REQUIRED, NULL}, {"bw", REQUIRED, NULL},     {"lat", REQUIRED, NULL},    {NULL, OPTIONAL, NULL}};

static const attribute_row backbone_attributes[] = {
    {"id", REQUIRED, NULL}, {"bandwidth", REQUIRED, NULL}, {"latency", REQUIRED, NULL}, {NULL, OPTIONAL, NULL}};

static const attribute_row host_link_attributes[] = {
    {"id", REQUIRED, NULL}, {"up", REQUIRED, NULL}, {"down", REQUIRED, NULL}, {NULL, OPTIONAL, NULL}};

#define IN(tag) (1u << HS__TAG_##tag)

static const tag_row tags[HS__TAGS] = {
    [HS__TAG_PLATFORM] = {"platform", NULL, IN(NONE), platform_attributes, hs__read_platform, NULL},
    [HS__TAG_CONFIG] = {"config", NULL, IN(PLATFORM), config_attributes, NULL, NULL},
    [HS__TAG_ZONE] = {"zone", "AS", IN(PLATFORM) | IN(ZONE), zone_attributes, hs__read_zone, hs__read_zone_end},
    [HS__TAG_HOST] = {"host", NULL, IN(ZONE), host_attributes, hs__read_host, NULL},
    [HS__TAG_ROUTER] = {"router", NULL, IN(ZONE), router_attributes, hs__read_router, NULL},
    [HS__TAG_LINK] = {"link", NULL, IN(ZONE), link_attributes, hs__read_link, NULL},
    [HS__TAG_ROUTE] = {"route", NULL, IN(ZONE), route_attributes, hs__read_route, hs__read_route_end},
    [HS__TAG_ZONE_ROUTE] = {"zoneRoute", "ASroute", IN(ZONE), zone_route_attributes, hs__read_zone_route,
                            hs__read_route_end},
    [HS__TAG_LINK_CTN] = {"link_ctn", NULL, IN(ROUTE) | IN(ZONE_ROUTE), link_ctn_attributes, hs__read_link_ctn, NULL},
    [HS__TAG_CLUSTER] = {"cluster", NULL, IN(PLATFORM) | IN(ZONE), cluster_attributes, hs__read_cluster, NULL},
    [HS__TAG_CABINET] = {"cabinet", NULL, IN(ZONE), cabinet_attributes, hs__read_cabinet, NULL},
    [HS__TAG_BACKBONE] = {"backbone", NULL, IN(ZONE), backbone_attributes, hs__read_backbone, NULL},
    [HS__TAG_HOST_LINK] = {"host_link", NULL, IN(ZONE), host_link_attributes, hs__read_host_link, NULL},
    [HS__TAG_PROP] = {"prop", NULL, IN(CONFIG) | IN(ZONE) | IN(HOST) | IN(LINK) | IN(CLUSTER), prop_attributes,
                      hs__read_prop, NULL},
};

/* SimGrid tags that our model does not support. */
static const struct {
    const char *name, *reason;
} unsupported[] = {
    {"bypassRoute", "routes that bypass others are not covered"},
    {"bypassZoneRoute", "routes that bypass others are not covered"},
    {"bypassASroute", "routes that bypass others are not covered"},
    {"peer", "places by coordinates are not covered"},
    {"trace", "values that change over time are not covered"},
    {"trace_connect", "values that change over time are not covered"},
    {"disk", "disks are not covered"},
    {"storage", "disks are not covered"},
    {"storage_type", "disks are not covered"},
    {"mount", "disks are not covered"},
    {"include", "files in files are not covered"},
    {"random", "random values are not covered"},
    {"actor", "programs are not covered"},
    {"process", "programs are not covered"},
};

/* Expat 2.9 deprecates the older of these functions. */
static int line_of(XML_Parser parser)
{
#if XML_MAJOR_VERSION * 1000 + XML_MINOR_VERSION >= 2009
    return (int)XML_GetCurrentLineNumber64(parser);
#else
    return (int)XML_GetCurrentLineNumber(parser);
#endif
}

hs_status hs__reader_fail(hs__reader *reader, hs_status status, const char *format, ...)
{
    if (reader->status != HS_OK)
        return reader->status;
    char text[sizeof reader->error.text];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    hs_error_set(&reader->error, status, line_of(reader->parser), "%s", text);
    reader->status = status;
    XML_StopParser(reader->parser, XML_FALSE);
    return status;
}

hs_status hs__reader_check(hs__reader *reader, hs_status status, const hs_error *error)
{
    if (status == HS_OK)
        return HS_OK;
    return hs__reader_fail(reader, status == HS_ERR_ARG ? HS_ERR_PARSE : status, "%s", error->text);
}

static hs__tag find_tag(const char *name)
{
    for (hs__tag tag = HS__TAG_PLATFORM; tag < HS__TAGS; tag++)
        if (strcmp(name, tags[tag].name) == 0 || (tags[tag].old_name && strcmp(name, tags[tag].old_name) == 0))
            return tag;
    return HS__TAG_NONE;
}

static void refuse_tag(hs__reader *reader, const char *name)
{
    for (size_t i = 0; i < sizeof unsupported / sizeof *unsupported; i++)
        if (strcmp(name, unsupported[i].name) == 0) {
            hs__reader_fail(reader, HS_ERR_UNSUPPORTED, "<%s>: %s", name, unsupported[i].reason);
            return;
        }
    hs__reader_fail(reader, HS_ERR_PARSE, "<%.*s> is not a tag of a platform file", HS__MAX_TEXT, name);
}

/* Sorts the attributes given into the order of the tag's row. */
static hs_status sort_attributes(hs__reader *reader, const tag_row *tag, const XML_Char **given, const char **value)
{
    const attribute_row *row = tag->attributes;
    for (size_t i = 0; row[i].name; i++)
        value[i] = row[i].fallback;
    for (; given[0]; given += 2) {
        size_t i = 0;
        while (row[i].name && strcmp(row[i].name, given[0]) != 0)
            i++;
        if (!row[i].name)
            return hs__reader_fail(reader, HS_ERR_PARSE, "<%s> has no attribute '%.*s'", tag->name, HS__MAX_TEXT,
                                   given[0]);
        if (row[i].presence == VARYING && *given[1])
            return hs__reader_fail(reader, HS_ERR_UNSUPPORTED, "<%s>: %s: values that change over time are not covered",
                                   tag->name, given[0]);
        value[i] = given[1];
    }
    for (size_t i = 0; row[i].name; i++)
        if (row[i].presence == REQUIRED && !value[i])
            return hs__reader_fail(reader, HS_ERR_PARSE, "<%s> without attribute '%s'", tag->name, row[i].name);
    return HS_OK;
}

static void XMLCALL on_start(void *user, const XML_Char *name, const XML_Char **attributes)
{
    hs__reader *reader = user;
    const char *value[HS__MAX_ATTRIBUTES] = {NULL};
    if (reader->status != HS_OK)
        return;
    hs__tag tag = find_tag(name), parent = reader->depth ? reader->open[reader->depth - 1] : HS__TAG_NONE;
    if (tag == HS__TAG_NONE) {
        refuse_tag(reader, name);
        return;
    }
    if (!(tags[tag].parents & 1u << parent)) {
        if (parent == HS__TAG_NONE)
            hs__reader_fail(reader, HS_ERR_PARSE, "<%s> outside <platform>", name);
        else
            hs__reader_fail(reader, HS_ERR_PARSE, "<%s> inside <%s>", name, tags[parent].name);
        return;
    }
    if (sort_attributes(reader, &tags[tag], attributes, value) != HS_OK)
        return;
    reader->tags++;
    if (!tags[tag].start || tags[tag].start(reader, value) == HS_OK)
        reader->open[reader->depth++] = tag;
}

static void XMLCALL on_end(void *user, const XML_Char *name)
{
    hs__reader *reader = user;
    if (reader->status != HS_OK)
        return;
    hs__tag tag = reader->open[--reader->depth];
    if (tags[tag].end)
        tags[tag].end(reader);
}

static void XMLCALL on_text(void *user, const XML_Char *text, int length)
{
    for (int i = 0; i < length; i++)
        if (!strchr(" \t\r\n", text[i])) {
            hs__reader_fail(user, HS_ERR_PARSE, "text outside tags: '%.*s'",
                            length - i < HS__MAX_TEXT ? length - i : HS__MAX_TEXT, text + i);
            return;
        }
}

/* What a file says of itself stands before its first tag inside <platform>. */
static void XMLCALL on_comment(void *user, const XML_Char *text)
{
    static const char blanks[] = " \t\r\n";
    hs__reader *reader = user;
    hs_platform *platform = reader->platform;
    if (reader->status != HS_OK || reader->tags != 1 || platform->comment)
        return;
    text += strspn(text, blanks);
    size_t length = strlen(text);
    while (length > 0 && strchr(blanks, text[length - 1]))
        length--;
    platform->comment = strndup(text, length);
    if (!platform->comment)
        hs__reader_fail(reader, HS_ERR_NOMEM, "out of memory");
}

/* Entities can blow up a short file to any size, and no platform needs them. */
static void XMLCALL on_entity(void *user, const XML_Char *name, int is_parameter, const XML_Char *value, int length,
                              const XML_Char *base, const XML_Char *system, const XML_Char *public,
                              const XML_Char *notation)
{
    hs__reader_fail(user, HS_ERR_PARSE, "entity '%.*s': entity declarations are not accepted", HS__MAX_TEXT, name);
}

static void XMLCALL on_skipped_entity(void *user, const XML_Char *name, int is_parameter)
{
    hs__reader_fail(user, HS_ERR_PARSE, "entity '%.*s' is not known", HS__MAX_TEXT, name);
}

/* Expat's error message, reworded where it would mislead. */
static void fail_syntax(hs__reader *reader, size_t bytes)
{
    enum XML_Error code = XML_GetErrorCode(reader->parser);
    if (code == XML_ERROR_NO_MEMORY)
        hs__reader_fail(reader, HS_ERR_NOMEM, "out of memory");
    else if (bytes == 0)
        hs__reader_fail(reader, HS_ERR_PARSE, "the file is empty");
    else if ((code == XML_ERROR_NO_ELEMENTS || code == XML_ERROR_UNCLOSED_TOKEN) && reader->depth > 0)
        hs__reader_fail(reader, HS_ERR_PARSE, "the file ends inside <%s>", tags[reader->open[reader->depth - 1]].name);
    else
        hs__reader_fail(reader, HS_ERR_PARSE, "not XML: %s", XML_ErrorString(code));
}

static void read_stream(hs__reader *reader, FILE *stream)
{
    enum { CHUNK = 1 << 16 };
    size_t bytes = 0, got;
    do {
        void *buffer = XML_GetBuffer(reader->parser, CHUNK);
        if (!buffer) {
            hs__reader_fail(reader, HS_ERR_NOMEM, "out of memory");
            return;
        }
        errno = 0;
        got = fread(buffer, 1, CHUNK, stream);
        if (ferror(stream)) {
            hs__reader_fail(reader, HS_ERR_IO, "cannot read it: %s", strerror(errno));
            reader->error.line = 0;
            return;
        }
        bytes += got;
        if (XML_ParseBuffer(reader->parser, (int)got, got == 0) == XML_STATUS_ERROR && reader->status == HS_OK)
            fail_syntax(reader, bytes);
    } while (got > 0 && reader->status == HS_OK);
    if (reader->status == HS_OK && reader->platform->hosts == 0)
        hs__reader_fail(reader, HS_ERR_PARSE, "no host in this platform");
}

static hs_status read_file(hs__reader *reader, FILE *stream)
{
    XML_Parser parser = XML_ParserCreate(NULL);
    reader->platform = hs__platform_new();
    if (!parser || !reader->platform) {
        XML_ParserFree(parser);
        return hs__error_status(&reader->error, HS_ERR_NOMEM);
    }
    reader->parser = parser;
    XML_SetUserData(parser, reader);
    XML_SetElementHandler(parser, on_start, on_end);
    XML_SetCharacterDataHandler(parser, on_text);
    XML_SetCommentHandler(parser, on_comment);
    XML_SetEntityDeclHandler(parser, on_entity);
    XML_SetSkippedEntityHandler(parser, on_skipped_entity);
    read_stream(reader, stream);
    XML_ParserFree(parser);
    if (reader->status == HS_OK && hs__platform_settle(reader->platform) != HS_OK)
        return hs__error_status(&reader->error, HS_ERR_NOMEM);
    if (reader->status == HS_OK && hs__checking())
        return hs_platform_check(reader->platform, &reader->error);
    return reader->status;
}

hs_status hs__platform_read_stream(FILE *stream, hs_platform **platform, hs_error *error)
{
    hs__reader reader = {.zone = -1};
    hs_status status = read_file(&reader, stream);
    free(reader.there);
    free(reader.back);
    if (status == HS_OK) {
        *platform = reader.platform;
        return HS_OK;
    }
    hs_platform_free(reader.platform);
    if (error)
        *error = reader.error;
    return status;
}

hs_status hs_platform_read(const char *path, hs_platform **platform, hs_error *error)
{
    HS__RETURN_ERROR_IF_NULL(path, error);
    HS__RETURN_ERROR_IF_NULL(platform, error);
    FILE *stream = fopen(path, "re");
    if (!stream)
        return hs_error_set(error, HS_ERR_IO, 0, "cannot read it: %s", strerror(errno));
    hs_status status = hs__platform_read_stream(stream, platform, error);
    fclose(stream);
    return status;
}

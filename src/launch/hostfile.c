/* SPDX-License-Identifier: BSD-3-Clause */
/* Hostfiles as launchers read them. */
#include "config.h"

#include "launch/host_list.h"
#include "util/assert.h"
#include "util/status.h"
#include <errno.h>
#include <heteroslice/hs_units.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int read_count(const char *text, int64_t *count)
{
    return hs__read_number(text, strlen(text), 1, HS__MAX_SLOTS, count);
}

static int is_one_of(const char *word, const char *const *list)
{
    while (*list && strcmp(word, *list) != 0)
        list++;
    return *list != NULL;
}

/* Parse a setting such as "slots=4". @return 0; -1 when it is invalid */
static int read_setting(char *word, int64_t *slots, int64_t *max_ranks, double *memory)
{
    static const char *const number[] = {"slots", "cpu", "count", NULL}; /* as Open MPI has them */
    static const char *const most[] = {"max_slots", "slots_max", "max_cpu", "cpu_max", "max_count", "count_max", NULL};
    char *value = strchr(word, '=');
    if (!value)
        return -1;
    *value++ = '\0';
    for (char *c = word; *c; c++)
        *c = *c == '-' ? '_' : *c;
    if (is_one_of(word, number))
        return read_count(value, slots);
    if (is_one_of(word, most))
        return read_count(value, max_ranks);
    if (strcmp(word, "memory") == 0)
        return hs_quantity_parse(value, HS_UNIT_SIZE, HS_BARE_ALLOWED, memory, NULL) == HS_OK && *memory > 0 ? 0 : -1;
    return -1;
}

/* Remove the blanks around the "=" of "slots = 4". */
static void close_gaps(char *line)
{
    char *out = line;
    for (char *in = line; *in; in++) {
        char *next = in + strspn(in, " \t");
        if (next > in && (*next == '=' || (out > line && out[-1] == '=')))
            in = next;
        *out++ = *in;
        if (!*in)
            return;
    }
    *out = '\0';
    HS_ASSERT(!strstr(line, "= ") && !strstr(line, " ="));
}

/* What one line says about its hosts. */
typedef struct hostfile_line {
    int64_t slots, max_ranks; /* slots 0: not given */
    double memory;
} hostfile_line;

static hs_status read_settings(char *rest, int number, hostfile_line *line, hs_error *error)
{
    for (char *word; (word = strtok_r(NULL, " \t\r\n", &rest));) {
        char copy[64];
        snprintf(copy, sizeof copy, "%s", word);
        if (read_setting(word, &line->slots, &line->max_ranks, &line->memory) != 0)
            return hs_error_set(error, HS_ERR_PARSE, number, "expected slots=N, max_slots=N or memory=SIZE, not '%s'",
                                copy);
    }
    return HS_OK;
}

/* "name:4", as MPICH has it. Several colons make an address. */
static hs_status read_colon(char *name, int number, hs__colon rule, int64_t *slots, hs_error *error)
{
    char *colon = strchr(name, ':');
    if (!colon || strchr(colon + 1, ':'))
        return HS_OK;
    if (rule == HS__COLON_REFUSED)
        return hs_error_set(error, HS_ERR_PARSE, number,
                            "'%s': Open MPI reads no slots after a colon (expected '%.*s slots=%s')", name,
                            (int)(colon - name), name, colon + 1);
    *colon = '\0';
    if (read_count(colon + 1, slots) != 0)
        return hs_error_set(error, HS_ERR_PARSE, number, "expected a number of slots from 1 to %d, not '%s'",
                            HS__MAX_SLOTS, colon + 1);
    return HS_OK;
}

static hs_status read_line(char *text, int number, hs__colon rule, hs__hosts *hosts, hs_error *error)
{
    char *rest = NULL;
    hs__hosts named = {0};
    hostfile_line line = {0, INT64_MAX, 0};
    close_gaps(text);
    char *name = strtok_r(text, " \t\r\n", &rest);
    if (!name)
        return HS_OK;
    if (strchr(name, '@'))
        return hs_error_set(error, HS_ERR_PARSE, number, "'%s': names of users are not read (expected a host's name)",
                            name);
    hs_status status = read_colon(name, number, rule, &line.slots, error);
    if (status == HS_OK)
        status = read_settings(rest, number, &line, error);
    if (status == HS_OK && (status = hs__hosts_expand("", name, &named, error)) != HS_OK)
        error->line = number;
    for (size_t i = 0; i < named.count && status == HS_OK; i++) {
        hs__host *host = hs__hosts_add(hosts, named.item[i].name, line.slots > 0 ? line.slots : 1);
        if (!host) {
            status = hs__error_status(error, HS_ERR_NOMEM);
            break;
        }
        if (hosts->count > HS__MAX_HOSTS) {
            status = hs_error_set(error, HS_ERR_PARSE, number, "over %d hosts", HS__MAX_HOSTS);
            break;
        }
        host->cores += line.slots;
        host->max_ranks = line.max_ranks < host->max_ranks ? line.max_ranks : host->max_ranks;
        host->memory = line.memory > 0 ? line.memory : host->memory;
    }
    hs__hosts_free(&named);
    return status;
}

/* A file with control bytes is no hostfile, and a byte order mark, which no editor shows, would be a part of a name. */
static hs_status check_bytes(const char *line, ssize_t length, int number, hs_error *error)
{
    if (strncmp(line, "\xEF\xBB\xBF", 3) == 0)
        return hs_error_set(error, HS_ERR_PARSE, number, "byte order mark: save the file as UTF-8 without one");
    for (ssize_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)line[i];
        int is_end = c == '\n' || (c == '\r' && i + 1 < length && line[i + 1] == '\n');
        if ((c < ' ' && c != '\t' && !is_end) || c == 127)
            return hs_error_set(error, HS_ERR_PARSE, number, "column %zd: control byte 0x%02x", i + 1, c);
    }
    return HS_OK;
}

/* Remove a comment, which begins with "#" or "//". */
static void cut_comment(char *line)
{
    char *slashes = strstr(line, "//");
    line[strcspn(line, "#")] = '\0';
    if (slashes)
        *slashes = '\0';
}

hs_status hs__hosts_read_stream(FILE *file, hs__colon rule, hs__hosts *hosts, hs_error *error)
{
    char *line = NULL;
    size_t room = 0;
    ssize_t length;
    hs_status status = HS_OK;
    for (int number = 1; status == HS_OK && (length = getline(&line, &room, file)) >= 0; number++) {
        status = check_bytes(line, length, number, error);
        cut_comment(line);
        if (status == HS_OK)
            status = read_line(line, number, rule, hosts, error);
    }
    if (status == HS_OK && ferror(file))
        status = hs_error_set(error, HS_ERR_IO, 0, "cannot read it: %s", strerror(errno));
    if (status == HS_OK && hosts->count == 0)
        status = hs_error_set(error, HS_ERR_PARSE, 0, "no hosts");
    free(line);
    return status;
}

hs_status hs__hosts_read(const char *path, hs__colon rule, hs__hosts *hosts, hs_error *error)
{
    FILE *file = fopen(path, "r");
    if (!file)
        return hs_error_set(error, HS_ERR_IO, 0, "%s", strerror(errno));
    hs_status status = hs__hosts_read_stream(file, rule, hosts, error);
    fclose(file);
    return status;
}

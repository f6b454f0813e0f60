/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists of hosts, and hostfiles as launchers read them. */
#include "config.h"

#include "cli/run_hosts.h"
#include "util/array.h"
#include <errno.h>
#include <heteroslice/hs_units.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_SLOTS = 1 << 24, MAX_NODES = 1 << 20 };

void run_hosts_free(run_hosts *hosts)
{
    for (size_t i = 0; i < hosts->count; i++) {
        free(hosts->item[i].name);
        free(hosts->item[i].id);
    }
    free(hosts->item);
    *hosts = (run_hosts){0};
}

/* This machine goes by several names. */
static int is_this_machine(const char *name)
{
    static const char *const names[] = {"localhost", "127.0.0.1", "::1"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return 1;
    return 0;
}

static char *id_of(const char *name)
{
    char own[256] = "localhost";
    gethostname(own, sizeof own - 1);
    return hs__text_copy(is_this_machine(name) ? own : name);
}

run_host *run_hosts_add(run_hosts *hosts, const char *name, int64_t slots)
{
    run_host host = {hs__text_copy(name), id_of(name), slots, 0, INT64_MAX, 0};
    if (!host.name || !host.id)
        goto out;
    for (size_t i = 0; i < hosts->count; i++)
        if (strcmp(hosts->item[i].id, host.id) == 0) {
            hosts->item[i].slots += slots;
            free(host.name);
            free(host.id);
            return &hosts->item[i];
        }
    if (hs__array_reserve(&hosts->item, &hosts->room, hosts->count + 1, sizeof *hosts->item) != 0)
        goto out;
    hosts->item[hosts->count] = host;
    return &hosts->item[hosts->count++];
out:
    free(host.name);
    free(host.id);
    return NULL;
}

/* ---- Ranges ---- */

static hs_status add_name(run_hosts *hosts, const char *where, const char *name, hs_error *error)
{
    if (hosts->count >= MAX_NODES)
        return hs_error_set(error, HS_ERR_PARSE, 0, "%sover %d hosts", where, MAX_NODES);
    return run_hosts_add(hosts, name, 0) ? HS_OK : hs_error_set(error, HS_ERR_NOMEM, 0, "out of memory");
}

/* "7" or "08-11" after a prefix; the width of the first number is kept. */
static hs_status add_range(run_hosts *hosts, const char *where, const char *prefix, const char *range,
                           const char *suffix, hs_error *error)
{
    char *end, name[256];
    long first = strtol(range, &end, 10), last = first;
    int width = (int)(end - range);
    if (width > 0 && *end == '-')
        last = strtol(end + 1, &end, 10);
    if (width == 0 || width > 18 || *end || first < 0 || last < first || last - first > MAX_NODES)
        return hs_error_set(error, HS_ERR_PARSE, 0, "%sinvalid range '%s'", where, range);
    hs_status status = HS_OK;
    for (long k = first; k <= last && status == HS_OK; k++) {
        snprintf(name, sizeof name, "%s%0*ld%s", prefix, width, k, suffix);
        status = add_name(hosts, where, name, error);
    }
    return status;
}

hs_status run_hosts_expand(const char *where, char *item, run_hosts *hosts, hs_error *error)
{
    char *open = strchr(item, '['), *close = open ? strchr(open, ']') : NULL;
    if (!open)
        return *item ? add_name(hosts, where, item, error)
                     : hs_error_set(error, HS_ERR_PARSE, 0, "%san empty host name", where);
    if (!close || strchr(close + 1, '['))
        return hs_error_set(error, HS_ERR_PARSE, 0, "%sinvalid item '%s'", where, item);
    *open = *close = '\0';
    hs_status status = HS_OK;
    char *rest = NULL;
    for (char *range = strtok_r(open + 1, ",", &rest); range && status == HS_OK; range = strtok_r(NULL, ",", &rest))
        status = add_range(hosts, where, item, range, close + 1, error);
    return status;
}

/* ---- Hostfiles ---- */

static int read_count(const char *text, int64_t *count)
{
    char *end;
    long long value = strtoll(text, &end, 10);
    if (end == text || *end || value < 1 || value > MAX_SLOTS)
        return -1;
    *count = value;
    return 0;
}

/* Parse a setting such as "slots=4". @return 0; -1 when it is invalid */
static int read_setting(char *word, int64_t *slots, int64_t *max_ranks, double *memory)
{
    char *value = strchr(word, '=');
    if (!value)
        return -1;
    *value++ = '\0';
    if (strcmp(word, "slots") == 0 || strcmp(word, "cpu") == 0 || strcmp(word, "count") == 0)
        return read_count(value, slots);
    if (strcmp(word, "max_slots") == 0 || strcmp(word, "max-slots") == 0)
        return read_count(value, max_ranks);
    if (strcmp(word, "memory") == 0)
        return hs_quantity_parse(value, HS_UNIT_SIZE, HS_BARE_ALLOWED, memory, NULL) == HS_OK && *memory > 0 ? 0 : -1;
    return -1;
}

/* Move "slots = 4" together. */
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
static hs_status read_colon(char *name, int number, run_colon rule, int64_t *slots, hs_error *error)
{
    char *colon = strchr(name, ':');
    if (!colon || strchr(colon + 1, ':'))
        return HS_OK;
    if (rule == RUN_COLON_REFUSED)
        return hs_error_set(error, HS_ERR_PARSE, number,
                            "'%s': Open MPI reads no slots after a colon (expected '%.*s slots=%s')", name,
                            (int)(colon - name), name, colon + 1);
    *colon = '\0';
    if (read_count(colon + 1, slots) != 0)
        return hs_error_set(error, HS_ERR_PARSE, number, "expected a number of slots from 1 to %d, not '%s'", MAX_SLOTS,
                            colon + 1);
    return HS_OK;
}

static hs_status read_line(char *text, int number, run_colon rule, run_hosts *hosts, hs_error *error)
{
    char *rest = NULL;
    run_hosts named = {0};
    hostfile_line line = {0, INT64_MAX, 0};
    close_gaps(text);
    char *name = strtok_r(text, " \t\r\n", &rest);
    if (!name)
        return HS_OK;
    hs_status status = read_colon(name, number, rule, &line.slots, error);
    if (status == HS_OK)
        status = read_settings(rest, number, &line, error);
    if (status == HS_OK && (status = run_hosts_expand("", name, &named, error)) != HS_OK)
        error->line = number;
    for (size_t i = 0; i < named.count && status == HS_OK; i++) {
        run_host *host = run_hosts_add(hosts, named.item[i].name, line.slots > 0 ? line.slots : 1);
        if (!host) {
            status = hs_error_set(error, HS_ERR_NOMEM, 0, "out of memory");
            break;
        }
        host->cores += line.slots;
        host->max_ranks = line.max_ranks < host->max_ranks ? line.max_ranks : host->max_ranks;
        host->memory = line.memory > 0 ? line.memory : host->memory;
    }
    run_hosts_free(&named);
    return status;
}

/* What is not text was not meant as a list of hosts. */
static hs_status check_bytes(const char *line, ssize_t length, int number, hs_error *error)
{
    for (ssize_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)line[i];
        int is_end = c == '\n' || (c == '\r' && i + 1 < length && line[i + 1] == '\n');
        if ((c < ' ' && c != '\t' && !is_end) || c == 127)
            return hs_error_set(error, HS_ERR_PARSE, number, "column %zd: control byte 0x%02x", i + 1, c);
    }
    return HS_OK;
}

/* After "#" or "//". */
static void cut_comment(char *line)
{
    char *slashes = strstr(line, "//");
    line[strcspn(line, "#")] = '\0';
    if (slashes)
        *slashes = '\0';
}

hs_status run_hosts_read(const char *path, run_colon rule, run_hosts *hosts, hs_error *error)
{
    char *line = NULL;
    size_t room = 0;
    ssize_t length;
    hs_status status = HS_OK;
    FILE *file = fopen(path, "r");
    if (!file)
        return hs_error_set(error, HS_ERR_IO, 0, "%s", strerror(errno));
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
    fclose(file);
    return status;
}

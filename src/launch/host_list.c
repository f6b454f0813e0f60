/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists of hosts, and the ranges in their names. */
#include "config.h"

#include "launch/host_list.h"
#include "util/array.h"
#include "util/assert.h"
#include "util/status.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_NAME = 255 };

void hs__hosts_free(hs__hosts *hosts)
{
    for (size_t i = 0; i < hosts->count; i++) {
        free(hosts->item[i].name);
        free(hosts->item[i].id);
    }
    free(hosts->item);
    hs__index_free(&hosts->by_id);
    *hosts = (hs__hosts){0};
}

/* Names of this machine. */
static int is_this_machine(const char *name)
{
    static const char *const names[] = {"localhost", "127.0.0.1", "::1"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return 1;
    return 0;
}

/* What launchers call a host: Open MPI 4 finds no localhost where each rank's host is given. */
static char *id_of(const char *name)
{
    char own[MAX_NAME + 1] = "localhost";
    gethostname(own, sizeof own - 1);
    return hs__text_copy(is_this_machine(name) ? own : name);
}

static int has_id(const void *hosts, int index, const void *id)
{
    return strcmp(((const hs__hosts *)hosts)->item[index].id, id) == 0;
}

hs__host *hs__hosts_add(hs__hosts *hosts, const char *name, int64_t slots)
{
    hs__host host = {.name = id_of(name), .id = id_of(name), .slots = slots, .threads = 1, .max_ranks = INT64_MAX};
    HS_ASSERT(slots >= 0);
    if (!host.name || !host.id)
        goto out;
    uint64_t hash = hs__hash_text(host.id);
    int known = hs__index_find(&hosts->by_id, hash, has_id, hosts, host.id);
    if (known >= 0) {
        hosts->item[known].slots += slots;
        free(host.name);
        free(host.id);
        return &hosts->item[known];
    }
    if (hs__array_reserve(&hosts->item, &hosts->room, hosts->count + 1, sizeof *hosts->item) != 0 ||
        hs__index_reserve(&hosts->by_id, 1) != 0)
        goto out;
    hs__index_add(&hosts->by_id, hash, (int)hosts->count);
    hosts->item[hosts->count] = host;
    return &hosts->item[hosts->count++];
out:
    free(host.name);
    free(host.id);
    return NULL;
}

hs_status hs__hosts_check_text(const char *name, const char *text, const char *marks, hs_error *error)
{
    const char *at = text;
    while (*at && (isalnum((unsigned char)*at) || strchr("._-", *at) || strchr(marks, *at)))
        at++;
    if (!*at)
        return HS_OK;
    return hs_error_set(error, HS_ERR_PARSE, 0, "%s: column %d: byte 0x%02x is in no host name", name,
                        (int)(at - text) + 1, (unsigned char)*at);
}

int hs__read_number(const char *text, size_t length, int64_t at_least, int64_t at_most, int64_t *number)
{
    if (length == 0 || length > 18 || strspn(text, "0123456789") < length)
        return -1;
    int64_t value = strtoll(text, NULL, 10);
    if (value < at_least || value > at_most)
        return -1;
    *number = value;
    return 0;
}

/* ---- Ranges ---- */

/* A name that is being expanded. */
typedef struct pattern {
    const char *where, *text;
    const char *open, *close; /* its first brackets */
} pattern;

/* "7" or "08-11": the width of the first number is kept. */
static hs_status expand_range(const pattern *p, const char *range, size_t length, hs__hosts *hosts, hs_error *error)
{
    char name[MAX_NAME + 1];
    size_t width = strcspn(range, "-,]");
    const char *second = range + width + 1;
    int is_range = width < length;
    int64_t first, last;
    if (hs__read_number(range, width, 0, INT64_MAX, &first) != 0 ||
        hs__read_number(is_range ? second : range, is_range ? length - width - 1 : width, first, INT64_MAX, &last) != 0)
        return hs_error_set(error, HS_ERR_PARSE, 0, "%sinvalid range '%.*s'", p->where, (int)length, range);
    hs_status status = HS_OK;
    for (int64_t k = first; k <= last && status == HS_OK; k++) {
        snprintf(name, sizeof name, "%.*s%0*lld%s", (int)(p->open - p->text), p->text, (int)width, (long long)k,
                 p->close + 1);
        status = hs__hosts_expand(p->where, name, hosts, error);
    }
    return status;
}

hs_status hs__hosts_expand(const char *where, const char *item, hs__hosts *hosts, hs_error *error)
{
    pattern p = {where, item, strchr(item, '['), strchr(item, ']')};
    hs_status status = HS_OK;
    if (!*item || strlen(item) > MAX_NAME)
        return hs_error_set(error, HS_ERR_PARSE, 0, "%s%s", where,
                            *item ? "a host name is too long" : "an empty host name");
    if (!p.open && !p.close) {
        if (hosts->count >= HS__MAX_HOSTS)
            return hs_error_set(error, HS_ERR_PARSE, 0, "%sover %d hosts", where, HS__MAX_HOSTS);
        return hs__hosts_add(hosts, item, 0) ? HS_OK : hs__error_status(error, HS_ERR_NOMEM);
    }
    if (!p.open || !p.close || p.close < p.open)
        return hs_error_set(error, HS_ERR_PARSE, 0, "%sinvalid item '%s'", where, item);
    for (const char *range = p.open; range < p.close && status == HS_OK;) {
        size_t length = strcspn(++range, ",]");
        status = expand_range(&p, range, length, hosts, error);
        range += length;
    }
    return status;
}

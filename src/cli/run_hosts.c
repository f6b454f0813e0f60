/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads lists of hosts as launchers and batch systems write them. */
#include "config.h"

#include "cli/run_hosts.h"
#include "util/array.h"
#include <errno.h>
#include <heteroslice/hs_units.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

run_host *run_hosts_add(run_hosts *hosts, const char *name, int64_t slots)
{
    for (size_t i = 0; i < hosts->count; i++)
        if (strcmp(hosts->item[i].name, name) == 0) {
            hosts->item[i].slots += slots;
            return &hosts->item[i];
        }
    if (hs__array_reserve(&hosts->item, &hosts->room, hosts->count + 1, sizeof *hosts->item) != 0)
        return NULL;
    run_host host = {hs__text_copy(name), hs__text_copy(name), slots, 0, INT64_MAX, 0};
    if (!host.name || !host.id) {
        free(host.name);
        free(host.id);
        return NULL;
    }
    hosts->item[hosts->count] = host;
    return &hosts->item[hosts->count++];
}

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

static hs_status read_line(char *line, int number, run_hosts *hosts, hs_error *error)
{
    char *rest = NULL, *name = strtok_r(line, " \t\r\n", &rest);
    int64_t slots = 0, max_ranks = INT64_MAX;
    double memory = 0;
    if (!name)
        return HS_OK;
    char *colon = strchr(name, ':');
    if (colon) {
        *colon = '\0';
        if (read_count(colon + 1, &slots) != 0)
            return hs_error_set(error, HS_ERR_PARSE, number, "expected a number of slots from 1 to %d, not '%s'",
                                MAX_SLOTS, colon + 1);
    }
    for (char *word; (word = strtok_r(NULL, " \t\r\n", &rest));) {
        char copy[64];
        snprintf(copy, sizeof copy, "%s", word);
        if (read_setting(word, &slots, &max_ranks, &memory) != 0)
            return hs_error_set(error, HS_ERR_PARSE, number, "expected slots=N, max_slots=N or memory=SIZE, not '%s'",
                                copy);
    }
    run_host *host = run_hosts_add(hosts, name, slots > 0 ? slots : 1);
    if (!host)
        return hs_error_set(error, HS_ERR_NOMEM, 0, "out of memory");
    host->cores += slots;
    host->max_ranks = max_ranks < host->max_ranks ? max_ranks : host->max_ranks;
    host->memory = memory > 0 ? memory : host->memory;
    return HS_OK;
}

hs_status run_hosts_read(const char *path, run_hosts *hosts, hs_error *error)
{
    char *line = NULL;
    size_t room = 0;
    hs_status status = HS_OK;
    FILE *file = fopen(path, "r");
    if (!file)
        return hs_error_set(error, HS_ERR_IO, 0, "%s", strerror(errno));
    for (int number = 1; status == HS_OK && getline(&line, &room, file) >= 0; number++) {
        line[strcspn(line, "#")] = '\0';
        status = read_line(line, number, hosts, error);
    }
    if (status == HS_OK && ferror(file))
        status = hs_error_set(error, HS_ERR_IO, 0, "cannot read it: %s", strerror(errno));
    if (status == HS_OK && hosts->count == 0)
        status = hs_error_set(error, HS_ERR_PARSE, 0, "no hosts");
    free(line);
    fclose(file);
    return status;
}

/* ---- Slurm ---- */

/* The next number of "4(x2),3"; *repeats counts the repetitions left. @return 0 at the end or at invalid text */
static int64_t next_task_count(const char **text, int64_t *last, int64_t *repeats)
{
    if (*repeats > 0) {
        --*repeats;
        return *last;
    }
    char *end;
    *last = strtoll(*text, &end, 10);
    if (end == *text || *last < 1 || *last > MAX_SLOTS)
        return 0;
    if (strncmp(end, "(x", 2) == 0) {
        *repeats = strtoll(end + 2, &end, 10) - 1;
        if (*end++ != ')' || *repeats < 0)
            return 0;
    }
    if (*end && *end != ',')
        return 0;
    *text = *end ? end + 1 : end;
    return *last;
}

static hs_status add_node(run_hosts *hosts, const char *name, hs_error *error)
{
    if (hosts->count >= MAX_NODES)
        return hs_error_set(error, HS_ERR_PARSE, 0, "SLURM_JOB_NODELIST names too many hosts");
    return run_hosts_add(hosts, name, 0) ? HS_OK : hs_error_set(error, HS_ERR_NOMEM, 0, "out of memory");
}

/* Add the hosts of a range, "7" or "08-11", between a prefix and a suffix. All numbers are as wide as the first. */
static hs_status add_range(run_hosts *hosts, const char *prefix, const char *range, const char *suffix, hs_error *error)
{
    char *end, name[256];
    long first = strtol(range, &end, 10), last = first;
    int width = (int)(end - range);
    if (width > 0 && *end == '-')
        last = strtol(end + 1, &end, 10);
    if (width == 0 || *end || first < 0 || last < first || last - first > MAX_NODES)
        return hs_error_set(error, HS_ERR_PARSE, 0, "SLURM_JOB_NODELIST: invalid range '%s'", range);
    hs_status status = HS_OK;
    for (long k = first; k <= last && status == HS_OK; k++) {
        snprintf(name, sizeof name, "%s%0*ld%s", prefix, width, k, suffix);
        status = add_node(hosts, name, error);
    }
    return status;
}

/* Add the hosts of one item of the list, "gpu2" or "n[1-3,07]". */
static hs_status add_item(run_hosts *hosts, char *item, hs_error *error)
{
    char *open = strchr(item, '['), *close = open ? strchr(open, ']') : NULL;
    if (!open)
        return *item ? add_node(hosts, item, error)
                     : hs_error_set(error, HS_ERR_PARSE, 0, "SLURM_JOB_NODELIST has an empty name");
    if (!close || strchr(close + 1, '['))
        return hs_error_set(error, HS_ERR_PARSE, 0, "SLURM_JOB_NODELIST: invalid item '%s'", item);
    *open = *close = '\0';
    hs_status status = HS_OK;
    char *rest = NULL;
    for (char *range = strtok_r(open + 1, ",", &rest); range && status == HS_OK; range = strtok_r(NULL, ",", &rest))
        status = add_range(hosts, item, range, close + 1, error);
    return status;
}

/* Ends the item at the next comma outside brackets. @return the next item; NULL when there is none */
static char *cut_item(char *text)
{
    int depth = 0;
    for (; *text; text++) {
        depth += (*text == '[') - (*text == ']');
        if (*text == ',' && depth == 0) {
            *text = '\0';
            return text + 1;
        }
    }
    return NULL;
}

/* Read a number for each host. @return 0 when the list is invalid or too short */
static int read_numbers(const char *text, size_t hosts, int64_t *number)
{
    int64_t last = 0, repeats = 0;
    for (size_t i = 0; i < hosts; i++)
        if ((number[i] = next_task_count(&text, &last, &repeats)) < 1)
            return 0;
    return 1;
}

hs_status run_hosts_slurm(const char *nodes, const char *tasks, const char *cpus, const char *memory, run_hosts *hosts,
                          hs_error *error)
{
    char *copy = hs__text_copy(nodes), *next = copy;
    hs_status status = copy ? HS_OK : hs_error_set(error, HS_ERR_NOMEM, 0, "out of memory");
    while (next && status == HS_OK) {
        char *item = next;
        next = cut_item(item);
        status = add_item(hosts, item, error);
    }
    free(copy);
    size_t n = hosts->count;
    int64_t *slots = hs__array_new(2 * n, sizeof *slots), *cores = slots + n;
    if (status == HS_OK && !slots)
        status = hs_error_set(error, HS_ERR_NOMEM, 0, "out of memory");
    if (status == HS_OK && !(read_numbers(tasks ? tasks : cpus, n, slots) && (!cpus || read_numbers(cpus, n, cores))))
        status = hs_error_set(error, HS_ERR_PARSE, 0, "Slurm gives fewer numbers of tasks or cpus than hosts");
    for (size_t i = 0; i < n && status == HS_OK; i++) {
        hosts->item[i].slots = slots[i];
        hosts->item[i].cores = cores[i];
        if (memory)
            hosts->item[i].memory = strtod(memory, NULL) * 1024 * 1024;
    }
    free(slots);
    return status;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* The report as JSON: doc/report.schema.json says what each key means. */
#include "config.h"

#include "runtime/bind/bind.h"
#include "runtime/report/drifts.h"
#include "runtime/report/partitions.h"
#include "runtime/report/report.h"
#include "runtime/report/sites.h"
#include "runtime/watch/traffic.h"
#include "runtime/watch/watched.h"
#include "util/array.h"
#include "util/assert.h"
#include "util/file.h"
#include "util/message.h"
#include "util/options.h"
#include "util/status.h"
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static json_t *destinations(const hs__traffic *v)
{
    json_t *list = json_array();
    for (int r = 0; r < v->size; r++)
        if (v->sent[r].messages > 0)
            json_array_append_new(list,
                                  json_pack("{s:i,s:o,s:I,s:I}", "rank", r, "world",
                                            v->world[r] >= 0 ? json_integer(v->world[r]) : json_null(), "messages",
                                            (json_int_t)v->sent[r].messages, "bytes", (json_int_t)v->sent[r].bytes));
    return list;
}

json_t *hs__report_name(const char *name)
{
    json_t *text = json_string(name);
    char *plain = text ? NULL : strdup(name);
    for (char *c = plain; c && *c; c++)
        if ((unsigned char)*c > 127)
            *c = '?';
    if (plain)
        text = json_string(plain);
    free(plain);
    return text;
}

static json_t *communicators(void)
{
    int n;
    json_t *list = json_array();
    const hs__traffic *const *v = hs__traffic_all(&n);
    for (int i = 0; i < n; i++)
        json_array_append_new(list, json_pack("{s:o,s:i,s:i,s:I,s:I,s:o}", "name", hs__report_name(v[i]->name), "size",
                                              v[i]->size, "rank", v[i]->rank, "collectives",
                                              (json_int_t)v[i]->collective.messages, "collective_bytes",
                                              (json_int_t)v[i]->collective.bytes, "sent", destinations(v[i])));
    return list;
}

/* The functions of MPI that took time, the longest first. */
static json_t *functions(void)
{
    json_t *list = json_array();
    const hs__function_time *by_function = hs__watch_functions();
    const char *(*call_name)(int number) = hs__report_started()->call_name;
    char told[HS__FUNCTIONS] = {0};
    for (;;) {
        int longest = -1;
        for (int k = 0; k < HS__FUNCTIONS; k++)
            if (by_function[k].count > 0 && !told[k] &&
                (longest < 0 || by_function[k].ticks > by_function[longest].ticks))
                longest = k;
        const char *name = longest >= 0 && call_name ? call_name(longest) : NULL;
        if (!name)
            return list;
        told[longest] = 1;
        json_array_append_new(list,
                              json_pack("{s:s,s:I,s:f}", "name", name, "calls", (json_int_t)by_function[longest].count,
                                        "time", 1e-9 * (double)hs__ticks_ns(by_function[longest].ticks)));
    }
}

static json_t *phases(void)
{
    int n;
    json_t *list = json_array();
    const hs__phase *phase = hs__report_phases(&n);
    for (int k = 0; k < n; k++)
        json_array_append_new(list, json_pack("{s:i,s:I,s:f,s:f}", "level", phase[k].level, "count",
                                              (json_int_t)phase[k].count, "compute", 1e-9 * (double)phase[k].compute_ns,
                                              "mpi", 1e-9 * (double)phase[k].mpi_ns));
    return list;
}

/* Whether it is read without an error: names of communicators are the program's. */
static int is_json(const char *text)
{
    json_t *object = json_loads(text, 0, NULL);
    json_decref(object);
    return object != NULL;
}

char *hs__report_details(void)
{
    int changes;
    const char *cpus = hs__binding_cpus(&changes);
    json_t *object = json_pack("{s:o,s:o,s:o,s:o,s:o}", "communicators", communicators(), "functions", functions(),
                               "phases", phases(), "partitions", hs__partitions_json(), "drifts", hs__drifts_json());
    json_t *sites = hs__sites_json(hs__report_started()->call_name);
    if (sites)
        json_object_set_new(object, "sites", sites);
    if (object && cpus)
        json_object_set_new(object, "binding", json_pack("{s:s,s:i}", "cpus", cpus, "changes", changes));
    char *text = object ? json_dumps(object, JSON_COMPACT | JSON_REAL_PRECISION(9)) : NULL;
    HS_ASSERT(!text || is_json(text));
    json_decref(object);
    return text;
}

static json_t *rank_json(const hs__rank_report *r, int rank, const char *details)
{
    json_t *object =
        json_pack("{s:i,s:o,s:I,s:f,s:f,s:f,s:f,s:f,s:f,s:f,s:f,s:I,s:f,s:f,s:f,s:I}", "rank", rank, "host",
                  hs__report_name(r->host), "pid", (json_int_t)r->pid, "processors", r->processors, "speed", r->speed,
                  "run", r->run, "compute", r->compute, "mpi", r->transfer + r->wait, "wait", r->wait, "transfer",
                  r->transfer, "library", r->library, "calls", (json_int_t)r->calls, "startup", r->startup, "measuring",
                  r->measuring, "queue", r->queue, "decisions", (json_int_t)r->decisions);
    json_t *iterations = json_pack("{s:I,s:I,s:f,s:f,s:f,s:I}", "count", (json_int_t)r->iterations, "calls",
                                   (json_int_t)r->period, "time", r->iteration, "compute_first", r->first,
                                   "compute_last", r->last, "drifts", (json_int_t)r->drifts);
    json_t *more = details ? json_loads(details, 0, NULL) : NULL;
    json_object_set_new(object, "iterations", iterations);
    json_object_del(more, "partitions");
    json_object_del(more, "drifts");
    json_object_del(more, "sites");
    json_object_update(object, more);
    json_decref(more);
    return object;
}

/* What each rank's details have under a key, brought together. */
static json_t *merge(char *const *details, int n, const char *key, json_t *(*merge_all)(json_t *const *own, int ranks))
{
    json_t **list = hs__array_new((size_t)n, sizeof *list), *merged = NULL;
    for (int r = 0; list && r < n; r++) {
        json_t *own = details[r] ? json_loads(details[r], 0, NULL) : NULL;
        list[r] = json_incref(json_object_get(own, key));
        json_decref(own);
    }
    if (list)
        merged = merge_all(list, n);
    for (int r = 0; list && r < n; r++)
        json_decref(list[r]);
    free(list);
    return merged;
}

json_t *hs__report_partitions(char *const *details, int n)
{
    json_t *merged = merge(details, n, "partitions", hs__partitions_merge);
    return merged ? merged : json_array();
}

/* Variables of this library that are set: the file says how the run was made. */
static json_t *settings(void)
{
    size_t n;
    const hs__option_row *row = hs__option_rows(&n);
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++) {
        const char *value = hs__options_environment(row[i].environment);
        if (value)
            json_array_append_new(list,
                                  json_pack("{s:s,s:o}", "name", row[i].environment, "value", hs__report_name(value)));
    }
    return list;
}

/* The words of rank 0's command line. */
static json_t *command_line(void)
{
    const hs__report_start *start = hs__report_started();
    const char *end = start->command + start->command_size;
    json_t *list = json_array();
    for (const char *word = start->command; word < end; word += strlen(word) + 1)
        json_array_append_new(list, hs__report_name(word));
    return list;
}

static json_t *program_json(void)
{
    char mpi[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length;
    PMPI_Get_library_version(mpi, &length);
    mpi[strcspn(mpi, "\n,")] = '\0';
    return json_pack("{s:o,s:s,s:s,s:o,s:o}", "command", command_line(), "started", hs__report_started()->date,
                     "heteroslice", PACKAGE_VERSION, "mpi", hs__report_name(mpi), "settings", settings());
}

static json_t *report_json(const hs__rank_report *ranks, char *const *details, int n, const hs__efficiency *e)
{
    json_t *list = json_array();
    for (int r = 0; r < n; r++)
        json_array_append_new(list, rank_json(&ranks[r], r, details[r]));
    json_t *sites = merge(details, n, "sites", hs__sites_merge);
    json_t *report =
        json_pack("{s:s,s:i,s:f,s:{s:f,s:f,s:f},s:f,s:f,s:o,s:o,s:o,s:o}", "report", "heteroslice", "version",
                  HS__REPORT_VERSION, "run", e->run, "efficiency", "parallel", e->parallel, "load_balance",
                  e->load_balance, "communication", e->communication, "lost_to_imbalance", e->lost, "balanced_run",
                  e->balanced, "program", program_json(), "partitions", hs__report_partitions(details, n),
                  "linked_partitioners", hs__partitions_linked_json(), "ranks", list);
    json_object_update(report, sites);
    json_decref(sites);
    json_t *drifts = merge(details, n, "drifts", hs__drifts_merge);
    if (drifts)
        json_object_set_new(report, "drifts", drifts);
    return report;
}

void hs__report_write(const char *path, const hs__rank_report *ranks, char *const *details, int n,
                      const hs__efficiency *e)
{
    hs_error error = {0};
    hs__file *file = NULL;
    hs__pipe_guard guard;
    json_t *report = report_json(ranks, details, n, e);
    hs__pipe_guard_begin(&guard);
    hs_status status = report ? hs__file_create(path, &file, &error) : hs__error_status(&error, HS_ERR_NOMEM);
    if (status == HS_OK) {
        json_dumpf(report, hs__file_stream(file), JSON_INDENT(1) | JSON_REAL_PRECISION(9));
        fputc('\n', hs__file_stream(file));
        status = hs__file_commit(file, &error);
    }
    hs__pipe_guard_end(&guard);
    if (status != HS_OK)
        hs__message("error: HS_REPORT: %s", error.text);
    json_decref(report);
}

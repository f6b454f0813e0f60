/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/decision/trace.h"
#include "plan/slices/weighted.h"
#include "util/array.h"
#include "util/pool.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* More ranks, memberships or weights than any run has. Memory is asked for only once the file has as many numbers as it
 * claims. */
enum { MOST_RANKS = 1 << 20, MOST_MEMBERSHIPS = 1 << 12, MOST_WEIGHTS = 1 << 26 };

/* Nor so many iterations in a phase; their sums stay within 64 bits. */
static const int64_t MOST_ITERATIONS = INT64_C(1000000000000);

/* Nor steps or moves of so many seconds; the sums of phases stay finite. */
#define MOST_SECONDS 1e100

/* The line that is read, and the first thing wrong with it. */
typedef struct reader {
    hs__traces *traces;
    int line;
    hs_status status;
    hs_error *error;
} reader;

static void refuse(reader *r, const char *key, const char *expected)
{
    if (r->status == HS_OK)
        r->status = hs_error_set(r->error, HS_ERR_PARSE, r->line, "\"%s\" is not %s", key, expected);
}

static void lack_memory(reader *r)
{
    if (r->status == HS_OK)
        r->status = hs_error_set(r->error, HS_ERR_NOMEM, r->line, "%s", hs_status_text(HS_ERR_NOMEM));
}

/* What came of reading a key. */
static void take(reader *r, hs_status status, const char *key, const char *expected)
{
    if (status == HS_ERR_NOMEM)
        lack_memory(r);
    else if (status != HS_OK)
        refuse(r, key, expected);
}

static int64_t read_integer(reader *r, const json_t *line, const char *key, int64_t least, int64_t most)
{
    char expected[80];
    const json_t *value = json_object_get(line, key);
    if (json_is_integer(value) && json_integer_value(value) >= least && json_integer_value(value) <= most)
        return json_integer_value(value);
    snprintf(expected, sizeof expected, "an integer from %lld to %lld", (long long)least, (long long)most);
    refuse(r, key, expected);
    return least;
}

/* NAN: it is no number. */
static double real(const json_t *value)
{
    return json_is_null(value) ? INFINITY : json_is_number(value) ? json_number_value(value) : NAN;
}

static double read_real(reader *r, const json_t *line, const char *key)
{
    double value = real(json_object_get(line, key));
    if (!(value >= 0))
        refuse(r, key, "a number of at least 0");
    return value;
}

static double read_seconds(reader *r, const json_t *line, const char *key)
{
    double value = real(json_object_get(line, key));
    if (!(value >= 0 && value <= MOST_SECONDS))
        refuse(r, key, "a number from 0 to 1e100");
    return value;
}

/* One of two words. @return 1 when it is the second */
static int read_word(reader *r, const json_t *line, const char *key, const char *first, const char *second)
{
    char expected[48];
    const char *value = json_string_value(json_object_get(line, key));
    if (value && strcmp(value, first) == 0)
        return 0;
    if (!value || strcmp(value, second) != 0) {
        snprintf(expected, sizeof expected, "\"%s\" or \"%s\"", first, second);
        refuse(r, key, expected);
    }
    return 1;
}

static void read_reals(reader *r, const json_t *line, const char *key, double *value, int n)
{
    const json_t *list = json_object_get(line, key);
    if (json_array_size(list) != (size_t)n) {
        refuse(r, key, "a list with a number a rank");
        return;
    }
    for (int i = 0; i < n; i++) {
        value[i] = real(json_array_get(list, (size_t)i));
        if (!(value[i] >= 0))
            refuse(r, key, "a list of numbers of at least 0");
    }
}

/* An integer a rank, of at least `least` and at most `most`, as the words say. */
static void read_integers(reader *r, const json_t *line, const char *key, int64_t *value, int n, int64_t least,
                          int64_t most, const char *words)
{
    const json_t *list = json_object_get(line, key);
    if (json_array_size(list) != (size_t)n) {
        refuse(r, key, "a list with an integer a rank");
        return;
    }
    for (int i = 0; i < n; i++) {
        const json_t *item = json_array_get(list, (size_t)i);
        value[i] = json_integer_value(item);
        if (!json_is_integer(item) || value[i] < least || value[i] > most)
            refuse(r, key, words);
    }
}

static void read_units(reader *r, const json_t *line, const hs__trace *trace, int64_t *units)
{
    int64_t all = 0;
    read_integers(r, line, "units", units, trace->ranks, 0, INT64_MAX, "a list of integers of at least 0");
    for (int i = 0; i < trace->ranks && r->status == HS_OK; i++) {
        if (units[i] > INT64_MAX - all)
            refuse(r, "units", "a list of integers with a sum below 2^63");
        else
            all += units[i];
    }
    if (trace->has_slices && all != trace->slices.units)
        refuse(r, "units", "what the layout's line says");
}

/* Files of earlier versions have no such list. */
static void read_world(reader *r, const json_t *line, hs__trace *trace)
{
    if (!json_object_get(line, "world"))
        return;
    trace->world = hs__pool_new(&trace->pool, (size_t)trace->ranks, sizeof *trace->world);
    if (trace->world)
        read_integers(r, line, "world", trace->world, trace->ranks, -1, MOST_RANKS - 1, "a list of ranks");
    else
        lack_memory(r);
}

static hs__trace *find(const reader *r, int layout)
{
    for (size_t i = 0; i < r->traces->count; i++)
        if (r->traces->trace[i].layout == layout)
            return &r->traces->trace[i];
    return NULL;
}

/* A list of the layout's line, or of a line of its own, under the key "memberships". */
static void read_memberships(reader *r, const json_t *object, hs__trace *trace, hs__trace_replan *read)
{
    const json_t *list = json_object_get(object, "memberships");
    size_t n = json_array_size(list), ranks = (size_t)trace->ranks;
    if (n < 1 || n > MOST_MEMBERSHIPS) {
        refuse(r, "memberships", "a list of at least one");
        return;
    }
    for (size_t m = 0; m < n; m++)
        if (json_array_size(json_object_get(json_array_get(list, m), "comm")) != ranks) {
            refuse(r, "comm", "a list with a number a rank");
            return;
        }
    read->comm = hs__pool_new(&trace->pool, n * ranks, sizeof *read->comm);
    read->traffic = hs__pool_new(&trace->pool, n, sizeof *read->traffic);
    if (hs__pool_status(&trace->pool) != HS_OK) {
        lack_memory(r);
        return;
    }
    read->memberships = (int)n;
    for (size_t m = 0; m < n; m++) {
        read->traffic[m] = read_real(r, json_array_get(list, m), "traffic");
        read_reals(r, json_array_get(list, m), "comm", read->comm + m * ranks, trace->ranks);
    }
}

static void read_slices(reader *r, const json_t *slices, hs__trace *trace)
{
    trace->has_slices = 1;
    trace->slices.ranks = trace->ranks;
    trace->slices.units = read_integer(r, slices, "units", 1, INT64_MAX);
    trace->slices.minimum = read_integer(r, slices, "minimum", 1, trace->slices.units);
    trace->slices.model = read_word(r, slices, "model", "serial", "overlap") ? HS_STEP_OVERLAP : HS_STEP_SERIAL;
    hs__trace_replan first = {0};
    read_memberships(r, slices, trace, &first);
    trace->memberships = trace->slices.most_memberships = first.memberships;
    trace->comm = first.comm;
    trace->traffic = first.traffic;
    take(r, hs__trace_read_paces(slices, trace), "pace",
         "a function of sizes for each rank, or \"unit_bytes\" is missing");
}

static void read_layout(reader *r, const json_t *line)
{
    hs__traces *all = r->traces;
    hs__trace trace = {.layout = (int)read_integer(r, line, "layout", 0, INT32_MAX),
                       .ranks = (int)read_integer(r, line, "ranks", 1, MOST_RANKS)};
    const json_t *slices = json_object_get(line, "slices");
    if (r->status != HS_OK)
        return;
    if (find(r, trace.layout)) {
        refuse(r, "layout", "a number of its own");
        return;
    }
    if (json_array_size(json_object_get(line, "first_cycle")) != (size_t)trace.ranks) {
        refuse(r, "first_cycle", "a list with a number a rank");
        return;
    }
    trace.first = hs__pool_new(&trace.pool, (size_t)trace.ranks, sizeof *trace.first);
    if (!trace.first || hs__array_reserve(&all->trace, &all->capacity, all->count + 1, sizeof trace) != 0) {
        hs__pool_free(&trace.pool);
        lack_memory(r);
        return;
    }
    read_reals(r, line, "first_cycle", trace.first, trace.ranks);
    read_world(r, line, &trace);
    take(r, hs__trace_site_read(line, &trace), "site",
         "\"hosts\" and \"speeds\" of all ranks, \"halo\" and \"periodic\"");
    if (slices)
        read_slices(r, slices, &trace);
    all->trace[all->count++] = trace;
}

/* Weights of units from u on, as many as the run says. @return the unit behind them; -1: it is no run */
static int64_t read_run(const json_t *run, int64_t u, int64_t units, double *weight)
{
    const json_t *value = json_array_get(run, 0), *count = json_array_get(run, 1);
    int64_t n = json_integer_value(count);
    if (!json_is_number(value) || !json_is_integer(count) || n < 1 || n > units - u)
        return -1;
    for (int64_t i = 0; i < n; i++)
        weight[u + i] = json_number_value(value);
    return u + n;
}

static void fill_weights(reader *r, const json_t *runs, int64_t units, double *weight, double *prefix)
{
    int64_t u = 0;
    for (size_t k = 0; k < json_array_size(runs) && u >= 0; k++)
        u = read_run(json_array_get(runs, k), u, units, weight);
    if (u != units || hs__weights_sum(weight, units, prefix) != HS_OK)
        refuse(r, "runs", "a list of weights of at least 0 and how often each comes, for all units");
}

/* The whole is decided upon when there is none. */
static void read_part(reader *r, const json_t *part, hs__decision *decision)
{
    if (!part)
        return;
    decision->part = (hs__decide_part){.step = read_real(r, part, "step"),
                                       .moved = read_integer(r, part, "moved", 1, INT64_MAX),
                                       .left = read_integer(r, part, "left", 0, INT64_MAX)};
    decision->part_price = read_real(r, part, "price");
}

/* Files of earlier versions do not tell. */
static double read_bytes(reader *r, const json_t *line)
{
    return json_object_get(line, "unit_bytes") ? read_real(r, line, "unit_bytes") : 0;
}

/* A real number of any sign; messages may take less than nothing beside computing, by noise. */
static double read_finite(reader *r, const json_t *line, const char *key)
{
    double value = real(json_object_get(line, key));
    if (!isfinite(value))
        refuse(r, key, "a number");
    return value;
}

/* Nothing drifts where there is none. */
static void read_drift(reader *r, const json_t *drift, const hs__trace *trace, hs__decision *decision)
{
    if (!drift)
        return;
    decision->drift =
        (hs__drift){.kind = read_word(r, drift, "of", "host", "messages") ? HS__DRIFT_MESSAGES : HS__DRIFT_HOST,
                    .rank = (int)read_integer(r, drift, "rank", 0, trace->ranks - 1),
                    .before = read_finite(r, drift, "before"),
                    .after = read_finite(r, drift, "after"),
                    .iterations = read_integer(r, drift, "iterations", 1, INT64_MAX)};
}

static void fill_entry(reader *r, const json_t *line, const hs__trace *trace, hs__trace_entry *entry, double *cycle,
                       int64_t *units)
{
    read_reals(r, line, "cycle", cycle, trace->ranks);
    read_units(r, line, trace, units);
    entry->line = r->line;
    entry->move_s = -1;
    entry->iteration = read_integer(r, line, "iteration", 0, INT64_MAX);
    entry->phase = (hs__decide_phase){.iterations = read_integer(r, line, "iterations", 1, MOST_ITERATIONS),
                                      .cycle = cycle,
                                      .units = units,
                                      .step = read_seconds(r, line, "step"),
                                      .left = read_integer(r, line, "left", -1, INT64_MAX),
                                      .move_fixed = read_seconds(r, line, "move_fixed"),
                                      .move_unit = read_seconds(r, line, "move_unit"),
                                      .unit_bytes = read_bytes(r, line)};
    entry->decision = (hs__decision){.now = read_real(r, line, "now"),
                                     .best = read_real(r, line, "best"),
                                     .loss = read_real(r, line, "loss"),
                                     .price = read_real(r, line, "price"),
                                     .error = read_real(r, line, "error"),
                                     .moved = read_integer(r, line, "moved", 0, INT64_MAX)};
    read_part(r, json_object_get(line, "part"), &entry->decision);
    read_drift(r, json_object_get(line, "drift"), trace, &entry->decision);
    entry->moves = read_word(r, line, "verdict", "stay", "move");
}

/* The layout that a line is of; NULL: no line of that layout came before. */
static hs__trace *layout_of(reader *r, const json_t *line)
{
    hs__trace *trace = find(r, (int)read_integer(r, line, "layout", 0, INT32_MAX));
    if (!trace)
        refuse(r, "layout", "a layout that the file began with");
    return r->status == HS_OK ? trace : NULL;
}

static void read_phase(reader *r, const json_t *line)
{
    hs__trace *trace = layout_of(r, line);
    if (!trace)
        return;
    double *cycle = hs__pool_new(&trace->pool, (size_t)trace->ranks, sizeof *cycle);
    int64_t *units = hs__pool_new(&trace->pool, (size_t)trace->ranks, sizeof *units);
    hs__trace_entry entry;
    if (!cycle || !units || hs__array_reserve(&trace->entry, &trace->capacity, trace->entries + 1, sizeof entry) != 0)
        lack_memory(r);
    else
        fill_entry(r, line, trace, &entry, cycle, units);
    if (r->status == HS_OK)
        trace->entry[trace->entries++] = entry;
}

static void read_weights(reader *r, const json_t *line)
{
    char expected[64];
    hs__trace *trace = layout_of(r, line);
    snprintf(expected, sizeof expected, "read: the layout has more than %d units", (int)MOST_WEIGHTS);
    if (trace && !trace->has_slices)
        refuse(r, "event", "weights of a layout of slices");
    else if (trace && trace->slices.units > MOST_WEIGHTS)
        refuse(r, "runs", expected);
    if (r->status != HS_OK)
        return;
    size_t units = (size_t)trace->slices.units;
    double *weight = hs__array_new(units, sizeof *weight);
    double *prefix = hs__pool_new(&trace->pool, units + 1, sizeof *prefix);
    if (!weight || !prefix ||
        hs__array_reserve(&trace->weighing, &trace->weighing_capacity, trace->weighings + 1, sizeof *trace->weighing) !=
            0)
        lack_memory(r);
    else
        fill_weights(r, json_object_get(line, "runs"), trace->slices.units, weight, prefix);
    free(weight);
    if (r->status == HS_OK)
        trace->weighing[trace->weighings++] = (hs__trace_weighing){trace->entries, prefix};
}

/* Memberships that were planned again: those that there were, and more. */
static void read_replan(reader *r, const json_t *line)
{
    hs__trace *trace = layout_of(r, line);
    hs__trace_replan replan = {0};
    if (trace && !trace->has_slices)
        refuse(r, "event", "memberships of a layout of slices");
    if (r->status == HS_OK)
        read_memberships(r, line, trace, &replan);
    if (r->status == HS_OK && replan.memberships < trace->slices.most_memberships)
        refuse(r, "memberships", "a list of at least those there were");
    if (r->status == HS_OK &&
        hs__array_reserve(&trace->replan, &trace->replan_capacity, trace->replans + 1, sizeof *trace->replan) != 0)
        lack_memory(r);
    if (r->status != HS_OK)
        return;
    replan.before = trace->entries;
    trace->slices.most_memberships = replan.memberships;
    trace->replan[trace->replans++] = replan;
}

static void read_moved(reader *r, const json_t *line)
{
    const hs__trace *trace = layout_of(r, line);
    double seconds = read_seconds(r, line, "seconds");
    if (!trace)
        return;
    if (trace->entries == 0 || !trace->entry[trace->entries - 1].moves)
        refuse(r, "event", "a move that the line before decided upon");
    else
        trace->entry[trace->entries - 1].move_s = seconds;
}

static void read_line(reader *r, const char *text, size_t length)
{
    json_error_t json_error;
    json_t *line = json_loadb(text, length, JSON_REJECT_DUPLICATES, &json_error);
    const char *event = json_string_value(json_object_get(line, "event"));
    if (!line)
        r->status = hs_error_set(r->error, HS_ERR_PARSE, r->line, "not a line of JSON: %.200s", json_error.text);
    else if (event && strcmp(event, "layout") == 0)
        read_layout(r, line);
    else if (event && strcmp(event, "phase") == 0)
        read_phase(r, line);
    else if (event && strcmp(event, "moved") == 0)
        read_moved(r, line);
    else if (event && strcmp(event, "weights") == 0)
        read_weights(r, line);
    else if (event && strcmp(event, "memberships") == 0)
        read_replan(r, line);
    else
        refuse(r, "event", "layout, weights, memberships, phase or moved");
    json_decref(line);
}

hs_status hs__traces_read(FILE *stream, hs__traces *traces, hs_error *error)
{
    reader r = {.traces = traces, .error = error};
    char *text = NULL;
    size_t size = 0;
    ssize_t length;
    *traces = (hs__traces){0};
    while (r.status == HS_OK && (length = getline(&text, &size, stream)) >= 0) {
        r.line++;
        read_line(&r, text, (size_t)length);
    }
    free(text);
    if (r.status == HS_OK && ferror(stream))
        r.status = hs_error_set(error, HS_ERR_IO, 0, "it cannot be read");
    if (r.status == HS_OK && traces->count == 0)
        r.status = hs_error_set(error, HS_ERR_PARSE, 0, "it has no line of a layout");
    if (r.status != HS_OK)
        hs__traces_free(traces);
    return r.status;
}

static void free_trace(hs__trace *trace)
{
    free(trace->entry);
    free(trace->weighing);
    free(trace->replan);
    hs__pool_free(&trace->pool);
}

void hs__traces_free(hs__traces *traces)
{
    for (size_t i = 0; i < traces->count; i++)
        free_trace(&traces->trace[i]);
    free(traces->trace);
    *traces = (hs__traces){0};
}

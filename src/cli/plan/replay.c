/* SPDX-License-Identifier: BSD-3-Clause */
/* hs replay: a log of decisions, decided again, and what other rules, or another platform, would have come to. */
#include "cli/base/cli.h"
#include "cli/base/verbs.h"
#include "plan/elsewhere/elsewhere.h"
#include "util/plural.h"
#include "util/status.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_RULES = 4 };

/** A rule that the run is held against. */
typedef struct supposed {
    const char *name;
    hs__decide_rule rule;
    double charge;
} supposed;

typedef struct request {
    const char *path, *platform;
    double threshold, cost;
    int threshold_given, cost_given, json;
    supposed rule[MOST_RULES];
    int rules;
} request;

static void list_rules(request *r)
{
    const double gain = HS__DECIDE_LEAST_GAIN;
    r->rule[r->rules++] = (supposed){"the run's rule", {gain, 1}, 1};
    r->rule[r->rules++] = (supposed){"never", {gain, INFINITY}, 1};
    r->rule[r->rules++] = (supposed){"always", {gain, 0}, 1};
    if (r->threshold_given || r->cost_given)
        r->rule[r->rules++] = (supposed){"as given", {r->threshold, r->cost}, r->cost};
}

/** What a layout's phases took, and would have taken by other rules. */
typedef struct row {
    const char *name;
    hs__replay_outcome outcome;
} row;

static hs_status suppose_all(const request *r, const hs__trace *trace, const hs__replay_place *there, row *rows,
                             int *count)
{
    hs_status status = HS_OK;
    for (int k = 0; k < r->rules && status == HS_OK; k++) {
        row *next = &rows[(*count)++];
        next->name = r->rule[k].name;
        status = hs__replay_suppose(trace, there, &r->rule[k].rule, r->rule[k].charge, &next->outcome);
    }
    return status;
}

/* The rows of a layout: as measured, and with slices by each rule. platform: NULL: where it ran */
static hs_status work_out(const request *r, const hs__trace *trace, const hs_platform *platform, row *rows, int *count,
                          hs_error *error)
{
    hs__replay_place there = {0};
    hs_status status = HS_OK;
    rows[0] = (row){"measured", hs__replay_measured(trace)};
    *count = 1;
    if (!trace->has_slices)
        return HS_OK;
    if (platform)
        status = hs__elsewhere_create(trace, platform, &there, error);
    if (status != HS_OK)
        return status;
    status = suppose_all(r, trace, platform ? &there : NULL, rows, count);
    if (status != HS_OK)
        hs__error_status(error, status);
    hs__elsewhere_free(&there);
    return status;
}

static json_t *layout_json(const hs__trace *trace, const row *rows, int count)
{
    json_t *outcomes = json_array();
    for (int k = 0; k < count; k++) {
        const hs__replay_outcome *o = &rows[k].outcome;
        json_array_append_new(outcomes, json_pack("{s:s, s:f, s:i, s:f}", "rule", rows[k].name, "seconds", o->seconds,
                                                  "moves", o->moves, "moving", o->moving));
    }
    return json_pack("{s:i, s:i, s:I, s:o}", "layout", trace->layout, "ranks", trace->ranks, "phases",
                     (json_int_t)trace->entries, "outcomes", outcomes);
}

/* All layouts, and what was measured of them together. */
static json_t *replay_json(const request *r, const hs__traces *traces, json_t *layouts)
{
    json_int_t phases = 0, moves = 0;
    double time = 0;
    for (size_t i = 0; i < traces->count; i++) {
        hs__replay_outcome measured = hs__replay_measured(&traces->trace[i]);
        phases += (json_int_t)traces->trace[i].entries;
        moves += measured.moves;
        time += measured.seconds;
    }
    return json_pack("{s:I, s:b, s:I, s:f, s:s*, s:o}", "phases", phases, "same", 1, "moves", moves, "time", time,
                     "platform", r->platform, "layouts", layouts);
}

static void print_layout(const request *r, const hs__trace *trace, const row *rows, int count)
{
    printf("layout %d: %d rank%s, %zu phase%s: the same decisions\n", trace->layout, trace->ranks,
           hs__plural(trace->ranks), trace->entries, hs__plural((long long)trace->entries));
    if (r->platform && count > 1)
        printf("  but for what was measured, on %s:\n", r->platform);
    printf("  %-16s %10s %7s %10s\n", "rule", "seconds", "moves", "moving");
    for (int k = 0; k < count; k++)
        printf("  %-16s %10.4g %7d %10.4g\n", rows[k].name, rows[k].outcome.seconds, rows[k].outcome.moves,
               rows[k].outcome.moving);
}

static hs_status verify(const hs__traces *traces, hs_error *error)
{
    for (size_t i = 0; i < traces->count; i++) {
        int line = 0;
        hs_status status = hs__replay_verify(&traces->trace[i], &line);
        if (status != HS_OK)
            return hs__error_status(error, status);
        if (line > 0)
            return hs_error_set(error, HS_ERR_MISMATCH, line,
                                "decided again, this phase comes to another decision: another version wrote the file, "
                                "or it was changed");
    }
    return HS_OK;
}

static int tell(const cli_verb *verb, const request *r, const hs__traces *traces, const hs_platform *platform)
{
    hs_error error;
    json_t *layouts = r->json ? json_array() : NULL;
    hs_status status = verify(traces, &error);
    for (size_t i = 0; i < traces->count && status == HS_OK; i++) {
        row rows[1 + MOST_RULES];
        int count = 0;
        status = work_out(r, &traces->trace[i], platform, rows, &count, &error);
        if (status == HS_OK && layouts)
            json_array_append_new(layouts, layout_json(&traces->trace[i], rows, count));
        else if (status == HS_OK)
            print_layout(r, &traces->trace[i], rows, count);
    }
    if (status == HS_OK && r->json)
        return cli_print_json(verb, replay_json(r, traces, layouts));
    json_decref(layouts);
    return status == HS_OK ? CLI_OK : cli_fail(verb, r->path, &error);
}

static int read_traces(const cli_verb *verb, const char *path, hs__traces *traces)
{
    hs_error error;
    FILE *stream = cli_open(path, &error);
    hs_status status = stream ? hs__traces_read(stream, traces, &error) : HS_ERR_IO;
    cli_close(stream);
    return status == HS_OK ? CLI_OK : cli_fail(verb, path, &error);
}

static int replay(const cli_verb *verb, const request *r)
{
    hs_error error;
    hs__traces traces = {0};
    hs_platform *platform = NULL;
    if (r->platform && cli_read_platform(r->platform, &platform, &error) != HS_OK)
        return cli_fail(verb, r->platform, &error);
    int code = read_traces(verb, r->path, &traces);
    if (code == CLI_OK) {
        code = tell(verb, r, &traces, platform);
        hs__traces_free(&traces);
    }
    hs_platform_free(platform);
    return code;
}

int cli_replay(const cli_verb *verb, int argc, char **argv)
{
    request r = {.threshold = HS__DECIDE_LEAST_GAIN, .cost = 1};
    const cli_option options[] = {
        {.name = "--threshold",
         .kind = CLI_QUANTITY,
         .target = &r.threshold,
         .unit = HS_UNIT_NUMBER,
         .given = &r.threshold_given},
        {.name = "--cost", .kind = CLI_QUANTITY, .target = &r.cost, .unit = HS_UNIT_NUMBER, .given = &r.cost_given},
        {.name = "--platform", .kind = CLI_TEXT, .target = &r.platform},
        {.name = "--json", .kind = CLI_FLAG, .target = &r.json},
        {.name = NULL}};
    char other[4096];
    int code = cli_parse(verb, argc, argv, options, &r.path, 1, NULL);
    if (code != CLI_OK)
        return code;
    if (!r.path)
        return cli_usage(verb, "no log of decisions given");
    if (r.threshold > 1)
        return cli_bad_value(verb, "--threshold takes a share of a step, 0 to 1, not %g", r.threshold);
    list_rules(&r);
    r.path = cli_find_log(r.path, other, sizeof other);
    return replay(verb, &r);
}

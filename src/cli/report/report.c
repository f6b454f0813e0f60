/* SPDX-License-Identifier: BSD-3-Clause */
/* hs report: what a run's report says, as one HTML file that needs nothing else. */
#include "cli/base/cli.h"
#include "cli/base/progress.h"
#include "cli/base/verbs.h"
#include "cli/report/html.h"
#include "cli/report/sections.h"
#include "util/array.h"
#include "util/assert.h"
#include "util/file.h"
#include "util/path.h"
#include "util/plural.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_RUNS = 16 };

typedef struct request {
    const char *path[MOST_RUNS + 1], *platform, *decisions, *output;
    int runs;
} request;

/** What is read, all of which is freed. */
typedef struct material {
    report_run run[MOST_RUNS]; /* the newest first, as given */
    int runs;
    hs_platform *platform; /* NULL: none */
    hs__traces traces;
    int has_traces;
} material;

/* The file that is asked for, which must be read; else the run's own, if it is still there: a report may be looked at elsewhere. */
static const char *choose(const char *asked, const report_run *run, const char *variable, int *must)
{
    const char *own = report_setting(run, variable);
    *must = asked != NULL;
    if (asked)
        return asked;
    return own && own[0] && !cli_is_standard(own) ? own : NULL;
}

/* The run names files that the command line does not: they are no place for the page either. */
static int spare(const cli_verb *verb, const request *r, const char *path)
{
    if (!path || !cli_are_one_file(r->output, path))
        return CLI_OK;
    return cli_bad_value(verb, "-o %s would overwrite %s, which the run names", r->output, path);
}

static int read_decisions(const cli_verb *verb, const char *path, int must, material *m)
{
    hs_error error;
    FILE *stream = cli_open(path, &error);
    m->has_traces = stream && hs__traces_read(stream, &m->traces, &error) == HS_OK;
    cli_close(stream);
    return m->has_traces || !must ? CLI_OK : cli_fail(verb, path, &error);
}

static int read_all(const cli_verb *verb, const request *r, material *m)
{
    hs_error error;
    char other[4096];
    int must, code;
    for (; m->runs < r->runs; m->runs++) {
        json_t *root = cli_read_json(r->path[m->runs], &error);
        if (!root || report_run_read(r->path[m->runs], root, &m->run[m->runs], &error) != HS_OK)
            return cli_fail(verb, r->path[m->runs], &error);
    }
    const char *platform = choose(r->platform, &m->run[0], "HS_PLATFORM", &must);
    if ((code = spare(verb, r, platform)) != CLI_OK)
        return code;
    if (platform && cli_read_platform(platform, &m->platform, &error) != HS_OK && must)
        return cli_fail(verb, platform, &error);
    const char *decisions = choose(r->decisions, &m->run[0], "HS_LOG_DECISIONS", &must);
    decisions = decisions ? cli_find_log(decisions, other, sizeof other) : NULL;
    code = spare(verb, r, decisions);
    return code == CLI_OK && decisions ? read_decisions(verb, decisions, must, m) : code;
}

static void put_title(const report_run *run, char *title, size_t size)
{
    const json_t *program = json_object_get(run->root, "program");
    const char *date = json_string_value(json_object_get(program, "started"));
    const char *command = json_string_value(json_array_get(json_object_get(program, "command"), 0));
    snprintf(title, size, "%s, %d rank%s%s%s", command ? hs__path_name(command) : "A run", run->ranks,
             hs__plural(run->ranks), date ? ", " : "", date ? date : "");
    html_cut(title, size - 4);
}

static hs_status write_page(FILE *out, const material *m)
{
    const report_run *run = &m->run[0];
    const hs__traces *traces = m->has_traces ? &m->traces : NULL;
    char title[1024];
    put_title(run, title, sizeof title);
    html_begin(out, title);
    report_summary(out, run, traces);
    report_time(out, run);
    hs_status status = report_hosts(out, run, m->platform);
    if (status == HS_OK)
        status = report_slices(out, run, traces);
    report_partitions(out, run);
    report_ranks(out, run);
    if (status == HS_OK)
        status = report_messages(out, run);
    if (status == HS_OK)
        status = report_calls(out, run);
    report_settings(out, run);
    report_changes(out, run, m->run + 1, m->runs - 1);
    html_end(out);
    return status;
}

static int write_file(const cli_verb *verb, const char *path, const material *m)
{
    hs_error error;
    hs__file *file = NULL;
    hs_status status = hs__file_create(path, &file, &error);
    if (status != HS_OK)
        return cli_fail(verb, NULL, &error);
    status = write_page(hs__file_stream(file), m);
    if (status == HS_OK)
        return hs__file_commit(file, &error) == HS_OK ? CLI_OK : cli_fail(verb, NULL, &error);
    hs__file_discard(file);
    return cli_bad_value(verb, "%s", hs_status_text(status));
}

int cli_report(const cli_verb *verb, int argc, char **argv)
{
    request r = {.runs = 0};
    const cli_option options[] = {{.name = "-o", .kind = CLI_OUTPUT, .target = &r.output},
                                  {.name = "--platform", .kind = CLI_TEXT, .target = &r.platform},
                                  {.name = "--decisions", .kind = CLI_TEXT, .target = &r.decisions},
                                  {.name = NULL}};
    int code = cli_parse(verb, argc, argv, options, r.path, MOST_RUNS + 1, NULL);
    if (code != CLI_OK)
        return code;
    while (r.runs <= MOST_RUNS && r.path[r.runs])
        r.runs++;
    if (r.runs > MOST_RUNS)
        return cli_usage(verb, "more than %d reports", MOST_RUNS);
    if (r.runs < 1)
        return cli_usage(verb, "no report given: expected the file that HS_REPORT named");
    if (!r.output)
        return cli_usage(verb, "-o FILE is missing");
    material *m = hs__array_new(1, sizeof *m);
    if (!m)
        return cli_bad_value(verb, "out of memory");
    if (!cli_is_standard(r.output))
        cli_progress_begin(verb, "making the page");
    code = read_all(verb, &r, m);
    HS_ASSERT(code != CLI_OK || m->runs == r.runs);
    if (code == CLI_OK)
        code = write_file(verb, r.output, m);
    cli_progress_end();
    while (m->runs > 0)
        report_run_free(&m->run[--m->runs]);
    if (m->has_traces)
        hs__traces_free(&m->traces);
    hs_platform_free(m->platform);
    free(m);
    return code;
}

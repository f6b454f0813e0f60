/* SPDX-License-Identifier: BSD-3-Clause */
/* Read what HS_REPORT wrote (doc/report.schema.json). Keys that later versions added may be missing. */
#include "cli/report/run.h"
#include "util/assert.h"
#include "util/status.h"
#include <math.h>
#include <string.h>

const char *const report_kind_names[REPORT_KINDS] = {"start-up", "compute", "wait", "transfer", "library"};
static const char *const keys[REPORT_KINDS] = {"startup", "compute", "wait", "transfer", "library"};

/* No run has larger numbers; their sums stay finite. */
#define LARGEST 1e100

double report_number(const json_t *number)
{
    double value = json_number_value(number);
    return value > 0 && value <= LARGEST ? value : 0;
}

static double number(const json_t *object, const char *key)
{
    return report_number(json_object_get(object, key));
}

double report_mean(const report_row *row, report_kind kind)
{
    return row->seconds[kind] / row->ranks;
}

double report_mean_wall(const report_row *row)
{
    double wall = 0;
    for (int k = 0; k < REPORT_KINDS; k++)
        wall += report_mean(row, (report_kind)k);
    return wall;
}

static void add(report_row *to, const report_row *rank)
{
    to->ranks++;
    to->speed += rank->speed;
    to->queue += rank->queue;
    to->decisions += rank->decisions;
    to->sent += rank->sent;
    for (int k = 0; k < REPORT_KINDS; k++)
        to->seconds[k] += rank->seconds[k];
}

static hs_status read_rank(report_run *run, int r, const json_t *rank, hs_error *error)
{
    report_row *row = &run->rank[r];
    const char *name = json_string_value(json_object_get(rank, "host"));
    if (!name || !json_is_number(json_object_get(rank, "compute")) ||
        !json_is_array(json_object_get(rank, "communicators")))
        return hs_error_set(error, HS_ERR_PARSE, 0, "rank %d: host, compute or communicators is missing", r);
    *row = (report_row){.name = name,
                        .ranks = 1,
                        .speed = number(rank, "speed"),
                        .queue = number(rank, "queue"),
                        .decisions = number(rank, "decisions")};
    for (int k = 0; k < REPORT_KINDS; k++)
        row->seconds[k] = number(rank, keys[k]);
    int h = 0;
    while (h < run->hosts && strcmp(run->host[h].name, name) != 0)
        h++;
    if (h == run->hosts)
        run->host[run->hosts++].name = name;
    run->host_of[r] = h;
    run->wall = fmax(run->wall, report_mean_wall(row));
    return HS_OK;
}

static void add_sent(void *context, int from, int to, double messages, double bytes)
{
    ((report_run *)context)->rank[from].sent += bytes;
}

/* Whether the hosts' ranks are all ranks. */
static int adds_up(const report_run *run)
{
    int ranks = 0;
    for (int h = 0; h < run->hosts; h++)
        ranks += run->host[h].ranks;
    return ranks == run->ranks && run->all.ranks == ranks;
}

static hs_status read_all(report_run *run, hs_error *error)
{
    const json_t *ranks = json_object_get(run->root, "ranks"), *efficiency = json_object_get(run->root, "efficiency");
    const char *kind = json_string_value(json_object_get(run->root, "report"));
    if (!kind || strcmp(kind, "heteroslice") != 0 || !json_is_array(ranks) || json_array_size(ranks) == 0 ||
        json_array_size(ranks) > 1 << 24)
        return hs_error_set(error, HS_ERR_PARSE, 0, "not a report that HS_REPORT wrote");
    if (json_integer_value(json_object_get(run->root, "version")) != 1)
        return hs_error_set(error, HS_ERR_UNSUPPORTED, 0, "a report of another version than 1");
    size_t n = json_array_size(ranks);
    run->ranks = (int)n;
    run->rank = hs__pool_new(&run->pool, n, sizeof *run->rank);
    run->host = hs__pool_new(&run->pool, n, sizeof *run->host);
    run->host_of = hs__pool_new(&run->pool, n, sizeof *run->host_of);
    if (hs__pool_status(&run->pool) != HS_OK)
        return hs__error_status(error, HS_ERR_NOMEM);
    for (int r = 0; r < run->ranks; r++)
        if (read_rank(run, r, json_array_get(ranks, (size_t)r), error) != HS_OK)
            return HS_ERR_PARSE;
    run->run = number(run->root, "run");
    double startup = fmax(0, run->wall - run->run);
    double after = run->wall > 0 ? (run->wall - startup) / run->wall : 0; /* MPI_Init */
    run->lost = number(run->root, "lost_to_imbalance") * after;
    run->balanced = number(run->root, "balanced_run") + startup;
    run->parallel = number(efficiency, "parallel");
    run->load_balance = number(efficiency, "load_balance");
    run->communication = number(efficiency, "communication");
    run->communicating = (1 - run->communication) * after;
    return HS_OK;
}

hs_status report_run_read(const char *path, json_t *root, report_run *run, hs_error *error)
{
    *run = (report_run){.path = path, .root = root};
    hs_status status = read_all(run, error);
    if (status != HS_OK) {
        report_run_free(run);
        return status;
    }
    report_run_messages(run, add_sent, run);
    run->all.name = "all";
    for (int r = 0; r < run->ranks; r++) {
        add(&run->host[run->host_of[r]], &run->rank[r]);
        add(&run->all, &run->rank[r]);
    }
    HS_ASSERT(adds_up(run));
    return HS_OK;
}

void report_run_free(report_run *run)
{
    json_decref(run->root);
    hs__pool_free(&run->pool);
    *run = (report_run){0};
}

void report_run_messages(const report_run *run,
                         void (*take)(void *context, int from, int to, double messages, double bytes), void *context)
{
    const json_t *ranks = json_object_get(run->root, "ranks");
    for (int r = 0; r < run->ranks; r++) {
        size_t c, i;
        const json_t *comm, *sent;
        json_array_foreach(json_object_get(json_array_get(ranks, (size_t)r), "communicators"), c, comm)
        {
            json_array_foreach(json_object_get(comm, "sent"), i, sent)
            {
                const json_t *world = json_object_get(sent, "world");
                json_int_t to = json_is_integer(world) ? json_integer_value(world) : -1;
                if (to >= 0 && to < run->ranks)
                    take(context, r, (int)to, number(sent, "messages"), number(sent, "bytes"));
            }
        }
    }
}

const char *report_setting(const report_run *run, const char *name)
{
    size_t i;
    const json_t *setting;
    json_array_foreach(json_object_get(json_object_get(run->root, "program"), "settings"), i, setting)
    {
        const char *own = json_string_value(json_object_get(setting, "name"));
        if (own && strcmp(own, name) == 0)
            return json_string_value(json_object_get(setting, "value"));
    }
    return NULL;
}

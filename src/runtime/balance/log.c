/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/balance/log.h"
#include "plan/decision/trace.h"
#include "runtime/base/environment.h"
#include "runtime/base/host_names.h"
#include "runtime/base/world_handle.h"
#include "util/array.h"
#include "util/message.h"
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The file of the process, opened when the first layout begins. */
static struct {
    pthread_mutex_t lock;
    FILE *stream;
    char path[4096 + 16]; /* once a layout has begun */
    int layouts, failed;
} log_file = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void give_up(const char *why)
{
    hs__environment_log(HS__LOG_WARN, "HS_LOG_DECISIONS: %s: %s", log_file.path, why);
    log_file.failed = 1;
    if (log_file.stream)
        fclose(log_file.stream);
    log_file.stream = NULL;
}

/* @return whether there is a log */
static int name_once(void)
{
    const char *given = hs__environment()->log_decisions;
    char path[4096];
    int rank = 0;
    if (!given[0] || log_file.path[0])
        return given[0] != '\0';
    PMPI_Comm_rank(hs__world.comm, &rank);
    hs__environment_path(given, path, sizeof path);
    if (hs__world_is_spawned())
        hs__environment_name_spawned(path, sizeof path);
    snprintf(log_file.path, sizeof log_file.path, rank == 0 ? "%s" : "%s.%d", path, rank);
    return 1;
}

static void open_once(void)
{
    if (!name_once() || log_file.stream || log_file.failed)
        return;
    log_file.stream = fopen(log_file.path, "we");
    if (log_file.stream)
        setvbuf(log_file.stream, NULL, _IONBF, 0); /* whole lines at once, however long */
    else
        give_up(strerror(errno));
}

static void write_line(json_t *line)
{
    int complete = line != NULL;
    hs__pipe_guard guard;
    hs__pipe_guard_begin(&guard);
    if (!log_file.stream)
        json_decref(line);
    else if (hs__trace_write(log_file.stream, line) != 0)
        give_up(complete ? strerror(errno) : hs_status_text(HS_ERR_NOMEM));
    hs__pipe_guard_end(&guard);
}

/* Without memory the line goes without. */
static void add_world(json_t *line, MPI_Comm comm, int ranks)
{
    int64_t *world = hs__array_new((size_t)ranks, sizeof *world);
    if (!world)
        return;
    for (int r = 0; r < ranks; r++)
        world[r] = hs__world_rank(comm, r);
    hs__trace_world(line, ranks, world);
    free(world);
}

/* Likewise. */
static void add_site(json_t *line, const hs_context *context, int periodic)
{
    hs__trace_site site = {hs__array_new((size_t)context->size, sizeof *site.host), context->order.speed,
                           context->params.halo, periodic};
    for (int r = 0; site.host && r < context->size; r++)
        site.host[r] = context->planner.names + (size_t)r * HS__HOST_NAME_SIZE;
    if (site.host)
        hs__trace_site_write(line, context->size, &site);
    free(site.host);
}

int hs__log_layout(const hs_context *context, const double *first, const hs__slices *slices, int periodic)
{
    int layout = 0;
    pthread_mutex_lock(&log_file.lock);
    open_once();
    if (log_file.stream) {
        layout = ++log_file.layouts;
        json_t *line = hs__trace_layout(layout, context->size, first);
        if (line)
            add_world(line, context->ring, context->size);
        if (line && slices)
            hs__trace_slices(line, slices);
        if (line && slices && context->planner.names)
            add_site(line, context, periodic);
        write_line(line);
    }
    pthread_mutex_unlock(&log_file.lock);
    return layout;
}

void hs__log_forget(void)
{
    struct stat facts;
    pthread_mutex_lock(&log_file.lock);
    if (!log_file.path[0] && name_once() && lstat(log_file.path, &facts) == 0 && S_ISREG(facts.st_mode))
        unlink(log_file.path);
    pthread_mutex_unlock(&log_file.lock);
}

static void write_locked(json_t *line)
{
    pthread_mutex_lock(&log_file.lock);
    write_line(line);
    pthread_mutex_unlock(&log_file.lock);
}

void hs__log_phase(int layout, int ranks, int64_t iteration, const hs__decide_phase *phase,
                   const hs__decision *decision, int moves)
{
    write_locked(hs__trace_phase(layout, ranks, iteration, phase, decision, moves));
}

void hs__log_weights(int layout, int64_t units, const double *weight)
{
    write_locked(hs__trace_weights(layout, units, weight));
}

void hs__log_moved(int layout, double seconds)
{
    write_locked(hs__trace_moved(layout, seconds));
}

void hs__log_memberships(int layout, const hs__slices *slices)
{
    write_locked(hs__trace_memberships(layout, slices));
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/base/backoff.h"
#include "runtime/base/environment.h"
#include "runtime/base/host_names.h"
#include "runtime/base/ticks.h"
#include "runtime/tracing/clocks.h"
#include "runtime/tracing/tracing.h"
#include "timeline/events.h"
#include "timeline/write.h"
#include "util/array.h"
#include "util/file.h"
#include "util/status.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What a rank tells before its events. */
typedef struct track {
    char host[HS__HOST_NAME_SIZE];
    int64_t n, left_out, error;
} track;

/* The process. */
static struct {
    MPI_Comm comm; /* MPI_COMM_NULL: nothing is traced */
    int rank, size;
    hs__clock_moment first;
    hs__event *other; /* [HS__EVENTS_MAX] on rank 0: another rank's */
    const char *(*call_name)(int number);
    char path[4096 + HS__HOST_NAME_SIZE + 300];
} self = {.comm = MPI_COMM_NULL};

/* ---- Start ---- */

/* Runs of the same program may share a folder, and on different hosts have the same process number. */
static hs_status name_file(hs_error *error)
{
    char folder[4096], host[HS__HOST_NAME_SIZE];
    if (strcmp(hs__environment()->trace, "-") == 0)
        return hs_error_set(error, HS_ERR_ARG, 0, "takes a folder, not standard output");
    hs__host_name(hs__environment()->lab_host, host);
    hs__environment_path(hs__environment()->trace, folder, sizeof folder);
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return hs__error_path(error, "cannot make", folder, errno);
    snprintf(self.path, sizeof self.path, "%s/%.200s-%s-%ld.pftrace", folder, program_invocation_short_name, host,
             (long)getpid());
    return HS_OK;
}

/* Rank 0: whether there can be a file. */
static hs_status try_file(hs_error *error)
{
    hs_status status = HS_ERR_UNSUPPORTED;
    if (hs__timeline_can_write())
        status = name_file(error);
    else
        hs_error_set(error, status, 0, "this library was built without protobuf-c, which traces need");
    if (status == HS_OK)
        status = hs__file_try(self.path, error);
    return status;
}

static hs_status get_memory(hs_error *error)
{
    int failed = hs__events_start() != 0;
    if (self.rank == 0 && self.size > 1)
        failed |= !(self.other = hs__array_new(HS__EVENTS_MAX, sizeof *self.other));
    return failed ? hs__error_status(error, HS_ERR_NOMEM) : HS_OK;
}

static void release(void)
{
    hs__events_free();
    free(self.other);
    self.other = NULL;
    PMPI_Comm_free(&self.comm);
}

/* @return NULL; on rank 0, why nothing can be recorded */
static const char *prepare(hs_error *error)
{
    hs_status status = self.rank == 0 ? try_file(error) : HS_OK;
    if (status == HS_OK)
        status = get_memory(error);
    if (!hs__all_ok(self.comm, status == HS_OK))
        return error->text[0] ? error->text : "another rank is out of memory";
    status = hs__clocks_compare(self.comm, &self.first);
    return hs__all_ok(self.comm, status == HS_OK) ? NULL : "MPI failed";
}

void hs__tracing_start(MPI_Comm comm, const char *(*call_name)(int number))
{
    hs_error error = {0};
    PMPI_Comm_dup(comm, &self.comm);
    PMPI_Comm_set_errhandler(self.comm, MPI_ERRORS_RETURN);
    PMPI_Comm_rank(comm, &self.rank);
    PMPI_Comm_size(comm, &self.size);
    self.call_name = call_name;
    const char *problem = prepare(&error);
    if (!problem)
        return;
    if (self.rank == 0)
        hs__environment_log(HS__LOG_ERROR, "HS_TRACE: %s: no trace", problem);
    release();
}

/* ---- End ---- */

/* This rank's events by rank 0's clock. */
static hs__events *align(track *own)
{
    hs__clock_moment last = {0};
    hs__events *events = hs__events_stop(hs__ticks());
    hs_status status = hs__clocks_compare(self.comm, &last);
    if (!hs__all_ok(self.comm, status == HS_OK))
        return NULL;
    for (size_t k = 0; k < events->n; k++) {
        hs__event *e = &events->event[k];
        e->begun = hs__clocks_map(&self.first, &last, e->begun);
        e->ended = hs__clocks_map(&self.first, &last, e->ended);
    }
    hs__host_name(hs__environment()->lab_host, own->host);
    own->n = (int64_t)events->n;
    own->left_out = events->left_out;
    own->error = self.first.error > last.error ? self.first.error : last.error;
    return events;
}

/* Perfetto shows tracks in the order of their names: all ranks have as many digits. */
static int write_track(FILE *out, int rank, const track *t, const hs__event *event)
{
    char name[HS__HOST_NAME_SIZE + 100];
    int digits = snprintf(NULL, 0, "%d", self.size - 1);
    int used = snprintf(name, sizeof name, "rank %0*d on %s", digits, rank, t->host);
    if (t->left_out > 0)
        snprintf(name + used, sizeof name - (size_t)used, " (%lld short events left out)", (long long)t->left_out);
    return hs__timeline_write(out, rank, name, event, (size_t)t->n, self.call_name);
}

/* Rank 0: all ranks' events into the file. The others' are received even where it cannot be written. */
static hs_status write_file(const track *tracks, const hs__event *own, hs_error *error)
{
    hs__file *file = NULL;
    int failed = 0;
    hs_status status = hs__file_create(self.path, &file, error);
    for (int r = 0; r < self.size; r++) {
        if (r > 0)
            failed |= PMPI_Recv(self.other, (int)(tracks[r].n * (int64_t)sizeof *own), MPI_BYTE, r, 0, self.comm,
                                MPI_STATUS_IGNORE) != MPI_SUCCESS;
        if (status == HS_OK && !failed)
            failed = write_track(hs__file_stream(file), r, &tracks[r], r > 0 ? self.other : own);
    }
    if (status == HS_OK && failed) {
        hs__file_discard(file);
        return hs__error_status(error, HS_ERR_NOMEM);
    }
    return status == HS_OK ? hs__file_commit(file, error) : status;
}

static void tell(const track *tracks)
{
    int64_t left_out = 0, error = 0;
    for (int r = 0; r < self.size; r++) {
        left_out += tracks[r].left_out;
        error = tracks[r].error > error ? tracks[r].error : error;
    }
    if (left_out > 0)
        hs__environment_log(HS__LOG_WARN, "HS_TRACE: %lld short events are left out, since a rank keeps %d of them",
                            (long long)left_out, (int)HS__EVENTS_MAX);
    hs__environment_log(HS__LOG_INFO, "HS_TRACE: wrote %s; clocks agree within %.1f us", self.path,
                        1e-3 * (double)error);
}

static void merge(const track *own, const hs__event *event)
{
    hs_error error = {0};
    track *tracks = self.rank == 0 ? hs__array_new((size_t)self.size, sizeof *tracks) : NULL;
    if (!hs__all_ok(self.comm, self.rank > 0 || tracks)) {
        if (self.rank == 0)
            hs__environment_log(HS__LOG_ERROR, "HS_TRACE: out of memory: no trace");
        return;
    }
    PMPI_Gather(own, sizeof *own, MPI_BYTE, tracks, sizeof *own, MPI_BYTE, 0, self.comm);
    if (self.rank > 0)
        PMPI_Send(event, (int)(own->n * (int64_t)sizeof *event), MPI_BYTE, 0, 0, self.comm);
    else if (write_file(tracks, event, &error) != HS_OK)
        hs__environment_log(HS__LOG_ERROR, "HS_TRACE: %s: no trace", error.text);
    else
        tell(tracks);
    free(tracks);
}

void hs__tracing_stop(void)
{
    track own = {0};
    if (self.comm == MPI_COMM_NULL)
        return;
    hs__events *events = align(&own);
    if (events)
        merge(&own, events->event);
    release();
}

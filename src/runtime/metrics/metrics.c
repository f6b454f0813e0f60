/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/base/backoff.h"
#include "runtime/base/environment.h"
#include "runtime/base/host_names.h"
#include "runtime/base/node_memory.h"
#include "runtime/metrics/metrics.h"
#include "runtime/metrics/text.h"
#include "runtime/watch/monitor.h"
#include "runtime/watch/moves.h"
#include "util/array.h"
#include "util/file.h"
#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const int64_t interval_ns = 1000000000;

/* What a rank writes; a line of its own, since all write at the same time. Values of two moments may be mixed up; none of
 * them ever falls. */
typedef struct posting {
    _Alignas(64) _Atomic int64_t value[HS__METRICS];
} posting;

int64_t hs__metrics_due = INT64_MAX;

/* The process. */
static struct {
    MPI_Comm node;
    posting *board;        /* [ranks]; shared, see node_memory.h */
    hs__metrics_row *rows; /* [ranks] of the first rank, which writes */
    int rank, ranks;       /* in the node */
    int world, world_size; /* in the program */
    int64_t interval;      /* ticks */
    int complained;
    char path[4096];
} self = {.node = MPI_COMM_NULL};

/* ---- The file ---- */

/* "%h" is the host: hosts may share a folder. */
static void find_path(void)
{
    char host[HS__HOST_NAME_SIZE], name[sizeof self.path];
    const char *given = hs__environment()->metrics;
    const char *place = strstr(given, "%h");
    hs__host_name(hs__environment()->lab_host, host);
    snprintf(name, sizeof name, "%.*s%s%s", place ? (int)(place - given) : (int)strlen(given), given, place ? host : "",
             place ? place + 2 : "");
    hs__environment_path(name, self.path, sizeof self.path);
}

static void complain(const char *text)
{
    if (!self.complained)
        hs__environment_log(HS__LOG_ERROR, "HS_METRICS: %s (tried again every second)", text);
    self.complained = 1;
}

/* A pipe would let the program wait for its reader, and end with it. */
static hs_status create_file(hs__file **file, hs_error *error)
{
    struct stat facts;
    if (stat(self.path, &facts) == 0 && S_ISFIFO(facts.st_mode))
        return hs_error_set(error, HS_ERR_IO, 0, "takes a file, not a pipe");
    return hs__file_create(self.path, file, error);
}

static void write_file(void)
{
    hs_error error = {0};
    hs__file *file = NULL;
    for (int r = 0; r < self.ranks; r++)
        for (int k = 0; k < HS__METRICS; k++)
            self.rows[r].value[k] = atomic_load_explicit(&self.board[r].value[k], memory_order_relaxed);
    hs_status status = create_file(&file, &error);
    if (status == HS_OK) {
        hs__metrics_write(hs__file_stream(file), program_invocation_short_name, self.world_size, self.rows, self.ranks);
        status = hs__file_commit(file, &error);
    }
    if (status != HS_OK)
        complain(error.text);
}

/* A device such as /dev/null stays, and so does a symbolic link: what it leads to was written. */
static void remove_file(void)
{
    struct stat facts;
    char *file = realpath(self.path, NULL);
    if (file && stat(file, &facts) == 0 && S_ISREG(facts.st_mode))
        unlink(file);
    free(file);
}

/* ---- The board ---- */

static void post(void)
{
    hs__monitor_times times;
    hs__monitor_read(&times);
    hs__moves moves = hs__moves_made();
    const int64_t value[HS__METRICS] = {
        [HS__METRIC_RANK] = self.world,
        [HS__METRIC_PID] = getpid(),
        [HS__METRIC_UPDATED_MS] = hs__clock_ns_of(CLOCK_REALTIME) / 1000000,
        [HS__METRIC_COMPUTE_NS] = times.compute_ns,
        [HS__METRIC_TRANSFER_NS] = times.transfer_ns,
        [HS__METRIC_WAIT_NS] = times.wait_ns,
        [HS__METRIC_LIBRARY_NS] = times.library_ns,
        [HS__METRIC_CALLS] = times.calls,
        [HS__METRIC_MOVES] = moves.count,
        [HS__METRIC_MOVES_NS] = moves.ns,
    };
    for (int k = 0; k < HS__METRICS; k++)
        atomic_store_explicit(&self.board[self.rank].value[k], value[k], memory_order_relaxed);
}

static size_t board_size(void)
{
    return (size_t)self.ranks * sizeof *self.board;
}

static void release(void)
{
    hs__metrics_due = INT64_MAX;
    hs__node_memory_free(self.board, board_size());
    self.board = NULL;
    if (self.node != MPI_COMM_NULL)
        PMPI_Comm_free(&self.node);
    free(self.rows);
    self.rows = NULL;
}

/* @return why there are no metrics of this node; NULL: there are */
static const char *start(MPI_Comm comm)
{
    void *base = NULL;
    if (PMPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &self.node) != MPI_SUCCESS)
        return "the ranks of a host cannot be found";
    PMPI_Comm_set_errhandler(self.node, MPI_ERRORS_RETURN);
    PMPI_Comm_rank(self.node, &self.rank);
    PMPI_Comm_size(self.node, &self.ranks);
    self.rows = self.rank == 0 ? hs__array_new((size_t)self.ranks, sizeof *self.rows) : NULL;
    if (!hs__all_ok(self.node, self.rank > 0 || self.rows))
        return "out of memory";
    if (hs__node_memory_get(self.node, board_size(), &base) != HS_OK)
        return "the ranks of a host get no common memory in /dev/shm";
    self.board = base;
    return NULL;
}

void hs__metrics_start(MPI_Comm comm)
{
    PMPI_Comm_rank(comm, &self.world);
    PMPI_Comm_size(comm, &self.world_size);
    int to_stdout = strcmp(hs__environment()->metrics, "-") == 0;
    const char *why = to_stdout ? "takes a file, not standard output" : start(comm);
    if (why) {
        if (to_stdout ? self.world == 0 : self.rank == 0)
            hs__environment_log(HS__LOG_ERROR, "HS_METRICS: %s: no metrics", why);
        release();
        return;
    }
    find_path();
    self.interval = hs__ticks_of_ns(interval_ns);
    post();
    PMPI_Barrier(self.node); /* all are on the board that is written first */
    hs__metrics_step();
}

void hs__metrics_step(void)
{
    post();
    if (self.rank == 0)
        write_file();
    hs__metrics_due = hs__ticks() + self.interval;
}

void hs__metrics_stop(void)
{
    if (hs__metrics_due != INT64_MAX && self.rank == 0)
        remove_file();
    release();
}

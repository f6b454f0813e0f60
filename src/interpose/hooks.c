/* SPDX-License-Identifier: BSD-3-Clause */
#include "interpose/hooks.h"
#include "interpose/collectives.h"
#include "interpose/forward.h"
#include "interpose/looks.h"
#include "interpose/reorder.h"
#include "interpose/waiting.h"
#include "runtime/base/environment.h"
#include "runtime/report/report.h"
#include "runtime/watch/traffic.h"
#include <errno.h>
#include <heteroslice/hs_status.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* A program may be linked to this library and be started with it preloaded as well. Then two copies of it are in the
 * process, and calls pass through both; only the foremost, which the dynamic linker takes hs_interposer from, acts. */
HS_API extern const char hs_interposer;
const char hs_interposer = 1;
extern const char own_interposer __attribute__((alias("hs_interposer"), visibility("hidden")));

static enum { BEFORE, STARTING, RUNNING, AFTER } life;

/* There in the library that is preloaded: programs that link the other one say themselves what they want told. */
extern const char hs__preloaded __attribute__((weak, visibility("hidden")));

static MPI_Comm own_comm = MPI_COMM_NULL; /* for the report */
static double started;
static int paused, planned;

/* Rank 0's word counts: hosts where it is set otherwise would wait for ever. */
static int is_to_bind(void)
{
    int mode = hs__environment()->bind;
    MPI_Comm parent = MPI_COMM_NULL;
    PMPI_Comm_get_parent(&parent); /* who has one shares its node with ranks it does not know of */
    return PMPI_Bcast(&mode, 1, MPI_INT, 0, MPI_COMM_WORLD) == MPI_SUCCESS && mode && parent == MPI_COMM_NULL;
}

static int is_foremost(void)
{
    return &hs_interposer == &own_interposer;
}

void hs__init_begin(int call)
{
    if (life != BEFORE) /* MPICH's Fortran MPI_INIT calls the C one */
        return;
    life = STARTING;
    const hs__options *options = hs__environment();
    /* Who is switched off must not hide a tool behind it. */
    if (options->forward == HS__FORWARD_NEXT || options->disable)
        hs__forward_to_next();
}

/* Plans that need the platform would miss it without a word. */
static void complain_of_platform(void)
{
    const char *path = hs__environment()->platform;
    if (path[0] && access(path, R_OK) != 0)
        hs__environment_log(HS__LOG_WARN, "HS_PLATFORM: cannot read %s: %s; doing without", path, strerror(errno));
}

void hs__init_end(void)
{
    int initialized = 0;
    if (life != STARTING)
        return;
    PMPI_Initialized(&initialized);
    life = initialized ? RUNNING : BEFORE;
    if (!initialized || hs__environment()->disable || !is_foremost())
        return;
    int rank;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        hs__environment_complain();
    if (rank == 0 && &hs__preloaded)
        complain_of_platform();
    hs__reorder_begin(&hs__preloaded != NULL);
    int bind = is_to_bind();
    if (&hs__preloaded || hs__environment()->report[0]) {
        PMPI_Comm_dup(hs__world, &own_comm);
        hs__traffic_start();
        hs__ticks_start();
    }
    if (own_comm != MPI_COMM_NULL || bind)
        hs__monitor_watch();
    hs__waiting_take(&hs__preloaded != NULL);
    hs__looks_take();
    hs__monitor_start();
    started = hs__clock_wall();
    if (bind)
        hs__binding_start(hs__world);
    planned = hs__environment()->platform[0] && hs__collectives_take();
}

/* What the calling thread did, for who asks for it. */
static void tell_times(void)
{
    int rank;
    hs__monitor_times times;
    PMPI_Comm_rank(hs__world, &rank);
    hs__monitor_read(&times);
    fprintf(stderr, "heteroslice: rank %d: debug: %lld MPI calls, %.6f s computing, %.6f s in MPI\n", rank,
            (long long)times.calls, 1e-9 * (double)times.compute_ns, 1e-9 * (double)times.mpi_ns);
}

void hs__finalize_begin(int call)
{
    if (life != RUNNING)
        return;
    life = AFTER;
    hs__reorder_end();
    if (!hs__monitor_on && !paused)
        return;
    if (hs__environment()->log >= HS__LOG_DEBUG)
        tell_times();
    hs__monitor_stop();
    hs__looks_leave();
    if (planned)
        hs__collectives_leave();
    hs__waiting_leave();
    hs__binding_stop();
    hs__traffic_stop();
    if (own_comm == MPI_COMM_NULL)
        return;
    const hs__options *options = hs__environment();
    int quiet = !&hs__preloaded || options->log < HS__LOG_WARN;
    hs__report_tell(own_comm, hs__clock_wall() - started, quiet ? NULL : stderr, options->report, options->platform,
                    options->lab_host);
    PMPI_Comm_free(&own_comm);
}

void hs__pcontrol(int level)
{
    if (life != RUNNING || (!hs__monitor_on && !paused))
        return;
    if (level >= HS__FIRST_PHASE)
        hs__report_mark(level);
    else if (level == 0)
        hs__monitor_stop();
    else if (level == 1 && paused)
        hs__monitor_resume();
    if (level == 0 || level == 1)
        paused = level == 0;
}

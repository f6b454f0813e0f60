/* SPDX-License-Identifier: BSD-3-Clause */
#include "interpose/hooks.h"
#include "interpose/forward.h"
#include "runtime/environment.h"
#include <heteroslice/hs_status.h>
#include <mpi.h>
#include <stdio.h>

/* A program may be linked to this library and be started with it preloaded as well. Then two copies of it are in the
 * process, and calls pass through both; only the foremost, which the dynamic linker takes hs_interposer from, acts. */
HS_API extern const char hs_interposer;
const char hs_interposer = 1;
extern const char own_interposer __attribute__((alias("hs_interposer"), visibility("hidden")));

static enum { BEFORE, STARTING, RUNNING, AFTER } life;

static int is_foremost(void)
{
    return &hs_interposer == &own_interposer;
}

void hs__init_begin(void)
{
    if (life != BEFORE) /* MPICH's Fortran MPI_INIT calls the C one */
        return;
    life = STARTING;
    const hs__options *options = hs__environment();
    /* Who is switched off must not hide a tool behind it. */
    if (options->forward == HS__FORWARD_NEXT || options->disable)
        hs__forward_to_next();
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
    hs__monitor_start();
}

/* What the calling thread did, for who asks for it. */
static void tell_times(void)
{
    int rank;
    hs__monitor_times times;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    hs__monitor_read(&times);
    fprintf(stderr, "heteroslice: rank %d: debug: %lld MPI calls, %.6f s computing, %.6f s in MPI\n", rank,
            (long long)times.calls, 1e-9 * (double)times.compute_ns, 1e-9 * (double)times.mpi_ns);
}

void hs__finalize_begin(void)
{
    if (life != RUNNING)
        return;
    life = AFTER;
    if (!hs__monitor_on)
        return;
    if (hs__environment()->log >= HS__LOG_DEBUG)
        tell_times();
    hs__monitor_stop();
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "interpose/session.h"

#if HS__HAS_MPI4
#include "interpose/forward.h"
#include "interpose/hooks.h"
#include "interpose/preloaded.h"
#include "launch/rank.h"
#include "runtime/base/backoff.h"
#include "runtime/base/environment.h"
#include "runtime/base/presence.h"
#include "runtime/report/report.h"
#include "runtime/watch/watched.h"
#include "util/assert.h"
#include "util/clock.h"
#include <pthread.h>

/* The process's sessions. The lock guards the first four, which threads may change at once. */
static struct {
    pthread_mutex_t lock;
    int open;
    MPI_Session only; /* the one that is open and was alone since; else null */
    int begun;        /* MPI_Session_init was called */
    double startup;   /* seconds in the first of these calls; before it ended, the clock when it began */

    MPI_Comm report;        /* a duplicate of `made`, for the report; null: there will be none */
    MPI_Comm made;          /* the program's handle; null: freed */
    MPI_Session made_while; /* this session was open */
    int told;               /* a report, or why there is none */
} self = {.lock = PTHREAD_MUTEX_INITIALIZER,
          .only = MPI_SESSION_NULL,
          .report = MPI_COMM_NULL,
          .made = MPI_COMM_NULL,
          .made_while = MPI_SESSION_NULL};

void hs__session_begin(void)
{
    pthread_mutex_lock(&self.lock);
    if (!self.begun) {
        self.startup = hs__clock_wall();
        if (hs__prepare())
            hs__presence_announce(&hs__preloaded != NULL);
    }
    self.begun = 1;
    pthread_mutex_unlock(&self.lock);
}

static int without_init(void)
{
    int initialized = 0;
    PMPI_Initialized(&initialized);
    return !initialized;
}

void hs__session_started(MPI_Session session)
{
    pthread_mutex_lock(&self.lock);
    self.only = ++self.open == 1 ? session : MPI_SESSION_NULL;
    if (hs__acts() && !hs__monitor_account.begun && without_init()) {
        self.startup = hs__clock_wall() - self.startup;
        hs__watch();
        hs__monitor_start();
    }
    pthread_mutex_unlock(&self.lock);
}

/* Rank 0's settings are everybody's, as after MPI_Init. */
static void share_settings(void)
{
    int rank;
    PMPI_Comm_rank(self.report, &rank);
    hs__environment_share(self.report);
    hs__report_begin(hs__environment()->report, 0, rank == 0, self.startup, hs__forward_name);
    if (rank == 0)
        hs__environment_complain();
}

void hs__session_made_comm(MPI_Comm comm)
{
    int size, fits, all_fit = 0;
    if (comm == MPI_COMM_NULL || !hs__acts() || !&hs__preloaded)
        return;
    PMPI_Comm_size(comm, &size);
    if (!hs__presence_in_job_of(size))
        return;
    pthread_mutex_lock(&self.lock);
    MPI_Session session = self.only;
    pthread_mutex_unlock(&self.lock);
    fits = session != MPI_SESSION_NULL && self.report == MPI_COMM_NULL && without_init();
    if (PMPI_Allreduce(&fits, &all_fit, 1, MPI_INT, MPI_MIN, comm) != MPI_SUCCESS || !all_fit ||
        PMPI_Comm_dup(comm, &self.report) != MPI_SUCCESS)
        return;
    self.made = comm;
    self.made_while = session;
    share_settings();
}

void hs__session_forget_comm(MPI_Comm comm, int disconnected)
{
    if (comm == MPI_COMM_NULL || comm != self.made)
        return;
    self.made = MPI_COMM_NULL;
    if (disconnected && self.report != MPI_COMM_NULL)
        PMPI_Comm_free(&self.report);
}

/* The time of the report is nobody's. It is of the times of the threads that opened the processes' first sessions. */
static void tell(void)
{
    const hs__options *options = hs__environment();
    int rank, counting = hs__monitor_account.on, known = hs__all_ok(self.report, hs__monitor_self.watched != 0);
    PMPI_Comm_rank(self.report, &rank);
    if (!known) {
        if (rank == 0)
            hs__environment_log(HS__LOG_WARN, "MPI_Session_finalize is called by another thread than MPI_Session_init: "
                                              "no report");
        return;
    }
    hs__monitor_stop();
    hs__report_say(self.report, options->log < HS__LOG_WARN, options->lab_host);
    if (counting)
        hs__monitor_resume();
}

/* The time until all processes are here is waiting. When one of them has begun MPI_Init since, MPI_Finalize reports. */
static void report(void)
{
    int alone = without_init(), all_alone = 0;
    PMPI_Allreduce(&alone, &all_alone, 1, MPI_INT, MPI_MIN, self.report);
    if (hs__monitor_account.on)
        hs__monitor_charge(hs__ticks(), HS__WAIT);
    if (all_alone)
        tell();
    PMPI_Comm_free(&self.report);
    self.made = MPI_COMM_NULL;
    self.told = 1;
    HS_ASSERT(self.report == MPI_COMM_NULL);
}

void hs__session_end(MPI_Session session)
{
    pthread_mutex_lock(&self.lock);
    int last = --self.open == 0;
    self.only = last || session == self.only ? MPI_SESSION_NULL : self.only;
    HS_ASSERT(self.open >= 0);
    pthread_mutex_unlock(&self.lock);
    if (self.report != MPI_COMM_NULL && session == self.made_while) {
        report();
    } else if (last && !self.told && &hs__preloaded && hs__acts() && without_init()) {
        self.told = 1;
        if (hs__launch_this_rank().rank <= 0)
            hs__environment_log(HS__LOG_WARN, "a program with sessions of MPI and without MPI_Init: no report, see "
                                              "hs-env");
    }
}
#endif

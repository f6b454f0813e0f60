/* SPDX-License-Identifier: BSD-3-Clause */
#include "interpose/hooks.h"
#include "interpose/collectives.h"
#include "interpose/forward.h"
#include "interpose/partition/partition.h"
#include "interpose/preloaded.h"
#include "interpose/reorder.h"
#include "interpose/waiting.h"
#include "runtime/base/backoff.h"
#include "runtime/base/environment.h"
#include "runtime/base/named_platform.h"
#include "runtime/base/presence.h"
#include "runtime/bind/bind.h"
#include "runtime/collectives/collectives.h"
#include "runtime/metrics/metrics.h"
#include "runtime/reorder/reorder.h"
#include "runtime/report/report.h"
#include "runtime/session/kept.h"
#include "runtime/tracing/tracing.h"
#include "runtime/watch/traffic.h"
#include "runtime/watch/watched.h"
#include "util/assert.h"
#include "util/clock.h"
#include "util/message.h"
#include <fenv.h>
#include <heteroslice/hs_status.h>
#include <mpi.h>

/* A program may be linked to this library and be started with it preloaded as well. Then two copies of it are in the
 * process, and calls pass through both; only the foremost, which the dynamic linker takes hs_interposer from, acts. */
HS_API extern const char hs_interposer;
const char hs_interposer = 1;
extern const char own_interposer __attribute__((alias("hs_interposer"), visibility("hidden")));

/* The process. */
static struct {
    enum { BEFORE, STARTING, RUNNING, AFTER } life;
    int acts;             /* in this copy of the library, and not switched off */
    int planned;          /* collective calls are this library's own */
    MPI_Comm report_comm; /* MPI_COMM_NULL where no report is wanted */
    double init_begun;    /* seconds of the clock */
    struct {
        int number;
        uintptr_t frame;
        const void *caller;
    } finalize; /* the call of MPI_Finalize */
} self = {.report_comm = MPI_COMM_NULL};

/* MPI was initialised by this thread. */
static __thread int begun_here;

_Atomic int64_t hs__due = INT64_MAX;

/* Binding needs the library preloaded on all ranks. A spawned process shares its node with ranks that it does not know. */
static int is_to_bind(void)
{
    return hs__environment()->bind && !hs__world_is_spawned() && hs__presence_known()->preloaded;
}

static int is_foremost(void)
{
    return &hs_interposer == &own_interposer;
}

/* A library that is switched off must not hide a tool that was preloaded after it. */
static void choose_targets(void)
{
    const hs__options *options = hs__environment();
    if (options->forward == HS__FORWARD_NEXT || options->disable)
        hs__forward_to_next();
    if (hs__preloaded_check)
        hs__preloaded_check();
}

int hs__acts(void)
{
    return !hs__environment()->disable && is_foremost();
}

int hs__prepare(void)
{
    if (self.life == BEFORE)
        choose_targets();
    return hs__acts();
}

void hs__init_begin(int number)
{
    if (self.life != BEFORE) /* MPICH's Fortran MPI_INIT calls the C one */
        return;
    self.life = STARTING;
    self.init_begun = hs__clock_wall();
    choose_targets();
    if (hs__acts())
        hs__presence_announce(&hs__preloaded != NULL);
}

/* With the library preloaded on every rank, all take rank 0's settings. Where a rank has no library they do nothing together,
 * and the first that has it preloaded warns. */
static void share_settings(void)
{
    const hs__presence *known = hs__presence_known();
    int size;
    if (known->preloaded && PMPI_Comm_dup(MPI_COMM_WORLD, &self.report_comm) == MPI_SUCCESS) {
        hs__environment_share(self.report_comm);
    } else if (&hs__preloaded && !known->everywhere && known->first) {
        PMPI_Comm_size(MPI_COMM_WORLD, &size);
        hs__environment_log(
            HS__LOG_WARN,
            "only %d of %d ranks are known to have the library: no report, and nothing else that takes all "
            "of them; where those on other hosts have it preloaded, set HS_RANKS=%d (see hs-env)",
            known->ranks, size, size);
    }
}

/* What hs run found in its cache. */
static void check_platform(void)
{
    if (hs__environment()->cache == HS__CACHE_RUN && hs__environment()->platform[0] &&
        self.report_comm != MPI_COMM_NULL && !hs__world_is_spawned())
        hs__kept_check(self.report_comm);
}

static void order_ranks(void)
{
    hs__reorder_begin(&hs__preloaded != NULL);
    if (self.report_comm != MPI_COMM_NULL &&
        hs__world.comm != MPI_COMM_WORLD) { /* the report's ranks are the program's */
        PMPI_Comm_free(&self.report_comm);
        PMPI_Comm_dup(hs__world.comm, &self.report_comm);
    }
}

static void find_due(void)
{
    hs__due = hs__bind.due < hs__metrics_due ? hs__bind.due : hs__metrics_due;
}

static int finish(MPI_Comm comm, int key, void *value, void *extra);

static void finish_in_finalize(void)
{
    int key = MPI_KEYVAL_INVALID;
    PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, finish, &key, NULL);
    PMPI_Comm_set_attr(MPI_COMM_SELF, key, NULL);
    PMPI_Comm_free_keyval(&key);
}

/* MPI is initialised. The account begins last: the library's preparations are not the program's computing. What the program
 * traps is put aside, as in watch/library.h. */
static void begin(void)
{
    fenv_t program;
    feholdexcept(&program);
    const hs__presence *known = hs__presence_known();
    int rank, place = 0; /* as MPI and as the program counts */
    HS_ASSERT(self.life == RUNNING && self.report_comm == MPI_COMM_NULL);
    hs__presence_find(&hs__preloaded != NULL);
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        hs__environment_complain();
    share_settings();
    if (rank == 0)
        hs__named_platform_check();
    check_platform();
    order_ranks();
    if (hs__partition_start)
        hs__partition_start();
    hs__ticks_start();
    PMPI_Comm_rank(hs__world.comm, &place);
    int bind = is_to_bind(), together = known->everywhere && (known->preloaded || known->alike);
    int metrics = together && hs__environment()->metrics[0] && !hs__world_is_spawned();
    int trace = together && hs__environment()->trace[0];
    int watching = &hs__preloaded || metrics || trace || hs__environment()->report[0];
    if (watching)
        hs__traffic_start();
    if (watching || bind)
        hs__watch();
    hs__waiting_start(&hs__preloaded != NULL);
    if (bind)
        hs__binding_start(hs__world.comm);
    if (metrics)
        hs__metrics_start(hs__world.comm);
    if (trace) {
        hs__tracing_start(hs__world.comm, hs__forward_name);
        hs__watch_closely();
    }
    find_due();
    self.planned = hs__environment()->platform[0] && together && hs__collectives_take();
    finish_in_finalize();
    hs__report_begin(hs__environment()->report, hs__world_is_spawned(), place == 0, hs__clock_wall() - self.init_begun,
                     hs__forward_name);
    hs__monitor_start();
    hs__monitor_charge(hs__ticks(), HS__LIBRARY); /* a session may have started it before */
    fesetenv(&program);
}

int hs__init_end(int number)
{
    int initialized = 0;
    if (self.life != STARTING)
        return 0;
    PMPI_Initialized(&initialized);
    self.life = initialized ? RUNNING : BEFORE;
    self.acts = initialized && hs__acts();
    begun_here = initialized;
    if (self.acts)
        begin();
    return 0;
}

void hs__do_due(void)
{
    int64_t now = hs__monitor_self.since;
    fenv_t program;
    if (!hs__monitor_self.watched)
        return;
    feholdexcept(&program);
    if (now >= hs__bind.due)
        hs__binding_step();
    if (now >= hs__metrics_due)
        hs__metrics_step();
    find_due();
    fesetenv(&program);
    hs__monitor_charge(hs__ticks(), HS__LIBRARY);
}

/* Programs that only link the library communicate here for the first time, when one of them may want a report. */
static int may_report(void)
{
    const hs__presence *known = hs__presence_known();
    if (self.report_comm == MPI_COMM_NULL && known->everywhere && (!known->alike || hs__environment()->report[0]))
        PMPI_Comm_dup(MPI_COMM_WORLD, &self.report_comm);
    return self.report_comm != MPI_COMM_NULL;
}

/* MPI_Finalize ends when all ranks have begun it, so the time until then is waiting. Then the account is closed. */
static void close_account(void)
{
    uintptr_t frame = self.finalize.frame;
    if (may_report())
        PMPI_Barrier(self.report_comm);
    hs__waiting_end(frame);
    if (hs__monitor_leave_call(frame)) /* after all iterations */
        hs__watch_note(self.finalize.number, hs__monitor_charge(hs__ticks(), HS__WAIT), 1, self.finalize.caller);
    hs__monitor_stop();
    HS_ASSERT(hs__monitor_self.inside == 0 && !hs__monitor_account.on);
}

/* Print the calling thread's times, for HS_LOG=debug. */
static void tell_times(void)
{
    int rank;
    hs__monitor_times times;
    PMPI_Comm_rank(hs__world.comm, &rank);
    hs__monitor_read(&times);
    HS_ASSERT(times.compute_ns + times.transfer_ns + times.wait_ns <= hs__monitor_run_ns() + HS__TIME_KINDS);
    hs__message("rank %d: debug: %lld MPI calls, %.6f s computing, %.6f s in MPI", rank, (long long)times.calls,
                1e-9 * (double)times.compute_ns, 1e-9 * (double)(times.transfer_ns + times.wait_ns));
}

/* The report is of the times of the threads that have initialised MPI, which may have ended since. */
static void report(void)
{
    const hs__options *options = hs__environment();
    int rank, quiet = !&hs__preloaded || options->log < HS__LOG_WARN, known = hs__all_ok(self.report_comm, begun_here);
    PMPI_Comm_rank(self.report_comm, &rank);
    if (rank == 0 && hs__partition_find_linked)
        hs__partition_find_linked();
    if (known)
        hs__report_say(self.report_comm, quiet, options->lab_host);
    else if (rank == 0 && (&hs__preloaded || options->report[0]))
        hs__environment_log(HS__LOG_WARN, "MPI_Finalize is called by another thread than MPI_Init: no report");
    if (!quiet)
        hs__reorder_tell();
    PMPI_Comm_free(&self.report_comm);
}

/* MPI_Finalize deletes the attributes of MPI_COMM_SELF first, the last one before the others: what the program does in its own,
 * such as to tell ranks that wait for it, is done, and MPI still works. */
static int finish(MPI_Comm comm, int key, void *value, void *extra)
{
    fenv_t program;
    if (self.life != AFTER) /* who calls PMPI_Finalize goes by without us */
        return MPI_SUCCESS;
    feholdexcept(&program);
    close_account();
    if (hs__environment()->log >= HS__LOG_DEBUG)
        tell_times();
    if (self.planned)
        hs__collectives_stop();
    hs__waiting_stop();
    hs__binding_stop();
    hs__metrics_stop();
    hs__tracing_stop();
    hs__traffic_stop();
    if (self.report_comm != MPI_COMM_NULL)
        report();
    if (hs__partition_stop)
        hs__partition_stop();
    fesetenv(&program);
    return MPI_SUCCESS;
}

void hs__finalize_enter(int number, uintptr_t frame, const void *caller)
{
    if (self.life != RUNNING)
        return;
    self.life = AFTER;
    hs__reorder_end();
    if (!self.acts)
        return;
    self.finalize.number = number;
    self.finalize.frame = frame;
    self.finalize.caller = caller;
    if (hs__monitor_enter_call(0, frame))
        hs__monitor_charge(hs__ticks(), HS__COMPUTE);
    hs__waiting_begin(frame);
}

/* A rank may begin MPI_Finalize while another still looks for its names in MPI_Init; when it ends all have looked. */
int hs__finalize_end(int number)
{
    if (self.life == AFTER)
        hs__presence_end();
    return 0;
}

/* Of the thread: MPICH's Fortran MPI_PCONTROL calls the C one, which then means nothing. */
static __thread int pcontrols_under_way;

void hs__pcontrol_end(void)
{
    pcontrols_under_way--;
}

void hs__pcontrol_begin(int level)
{
    int is_main = 0;
    if (pcontrols_under_way++ || self.life != RUNNING || !self.acts)
        return;
    PMPI_Is_thread_main(&is_main);
    if (!is_main) /* the report has the times of the main thread */
        return;
    if (level >= HS__FIRST_PHASE)
        hs__report_mark(level);
    else if (level == 0)
        hs__monitor_stop();
    else if (level == 1)
        hs__monitor_resume();
}

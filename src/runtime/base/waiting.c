/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "launch/rank.h"
#include "runtime/base/environment.h"
#include "runtime/base/quota.h"
#include "runtime/base/ticks.h"
#include "runtime/base/waiting.h"
#include "util/assert.h"
#include "util/backoff.h"
#include "util/processors.h"
#include <dlfcn.h>
#include <math.h>
#include <mpi.h>
#include <pthread.h>
#include <stdbool.h>
#include <unistd.h>

/* So many polls of a wait that find nothing are followed by a yield without a look at the clock, which would take a good part
 * of the time of a yield that nobody makes use of. */
enum { UNTIMED = 4 };

hs__waiting_state hs__waiting;

/* What the mode follows from. */
static struct {
    pthread_mutex_t lock;    /* of what follows, and of changes of the mode */
    hs__waiting_mode awake;  /* of a process that has something to compute */
    int layouts, with_units; /* this process's layouts, and those in which it has units */
    int counts_polls;        /* the library tells us of every poll, as Open MPI does */
    int yielded;             /* Open MPI yielded before it was told to */
} self = {.lock = PTHREAD_MUTEX_INITIALIZER};

__thread hs__waiting_call hs__waiting_self __attribute__((tls_model("initial-exec")));

/* ---- Open MPI's progress engine: what it exports for its plugins, not there in other libraries ---- */

typedef int poll_callback(int (*function)(void));

static poll_callback *find_callback(const char *name)
{
    poll_callback *function;
    *(void **)&function = dlsym(RTLD_DEFAULT, name);
    return function;
}

/* Called in every poll. It calls sched_yield after those that found nothing. */
static int count_poll(void)
{
    hs__waiting_self.polls++;
    return 0;
}

static void count_polls(void)
{
    poll_callback *begin = find_callback("opal_progress_register");
    if (begin && !self.counts_polls)
        self.counts_polls = begin(count_poll) == 0;
}

/* Whether to yield after a poll that found nothing. mpirun sets it where it knows of too many ranks. @return whether the library
 * has this switch */
static int switch_yield(bool on, int *before)
{
    bool (*set)(bool);
    *(void **)&set = dlsym(RTLD_DEFAULT, "opal_progress_set_yield_when_idle");
    if (set)
        *before = set(on);
    return set != NULL;
}

/* ---- The mode ---- */

static void set_mode(hs__waiting_mode mode)
{
    hs__waiting_state *w = &hs__waiting;
    int before = 0;
    if (w->mode == mode)
        return;
    int has_switch = switch_yield(mode != HS__WAITING_POLL || self.yielded, &before);
    if (w->mode == HS__WAITING_POLL)
        self.yielded = before;
    if (has_switch && mode == HS__WAITING_SLEEP)
        count_polls();
    w->mode = mode;
    w->pauses = mode == HS__WAITING_SLEEP || (mode == HS__WAITING_YIELD && !has_switch);
}

/* The processors of all ranks here: a rank may be bound to some of them, the process that has started it is not. */
static double processors_here(void)
{
    hs__processors here = hs__processors_of(0);
    const hs__processors launchers = hs__processors_of(getppid());
    uint64_t group;
    hs__processors_add(&here, &launchers);
    int cores = hs__processors_count(&here);
    return cores > 0 ? fmin(cores, hs__quota_group(&group)) : INFINITY;
}

static hs__waiting_mode choose(int asked, int preloaded)
{
    switch (asked) {
    case HS__WAIT_YIELD:
        return HS__WAITING_YIELD;
    case HS__WAIT_SLEEP:
        return HS__WAITING_SLEEP;
    case HS__WAIT_AUTO:
        if (!preloaded || hs__launch_this_rank().local_ranks <= processors_here())
            return HS__WAITING_POLL;
        /* Naps of a wait that cannot be seen to make progress could make it many times longer. */
        return find_callback("opal_progress_register") ? HS__WAITING_SLEEP : HS__WAITING_YIELD;
    default:
        return HS__WAITING_POLL;
    }
}

static void complain(void)
{
    int rank, ignored;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0 && !hs__waiting.polls_by_ucx && !switch_yield(true, &ignored))
        hs__environment_log(HS__LOG_WARN, "HS_WAIT: this MPI library waits as it does, since it cannot be told how to");
}

void hs__waiting_start(int preloaded)
{
    int asked = hs__environment()->wait;
    pthread_mutex_lock(&self.lock);
    self.awake = choose(asked, preloaded);
    set_mode(self.awake);
    pthread_mutex_unlock(&self.lock);
    if (asked == HS__WAIT_YIELD || asked == HS__WAIT_SLEEP)
        complain();
}

void hs__waiting_stop(void)
{
    pthread_mutex_lock(&self.lock);
    set_mode(HS__WAITING_POLL);
    if (self.counts_polls)
        find_callback("opal_progress_unregister")(count_poll);
    self.counts_polls = 0;
    pthread_mutex_unlock(&self.lock);
}

void hs__waiting_count_layouts(int layouts, int with_units)
{
    const hs__options *options = hs__environment();
    pthread_mutex_lock(&self.lock);
    self.layouts += layouts;
    self.with_units += with_units;
    HS_ASSERT(0 <= self.with_units && self.with_units <= self.layouts);
    if (options->wait == HS__WAIT_AUTO && !options->disable)
        set_mode(self.layouts > 0 && self.with_units == 0 ? HS__WAITING_SLEEP : self.awake);
    pthread_mutex_unlock(&self.lock);
}

int hs__waiting_nap(void)
{
    hs__waiting_call *wait = &hs__waiting_self;
    if (hs__waiting.mode != HS__WAITING_SLEEP || ++wait->quiet_polls <= UNTIMED)
        return 0;
    int64_t now = hs__ticks();
    if (wait->quiet_polls == UNTIMED + 1)
        wait->quiet_since = now;
    return hs__backoff_nap(hs__ticks_ns(now - wait->quiet_since));
}

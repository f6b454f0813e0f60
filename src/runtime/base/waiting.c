/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/base/environment.h"
#include "runtime/base/quota.h"
#include "runtime/base/ticks.h"
#include "runtime/base/waiting.h"
#include "util/array.h"
#include <dlfcn.h>
#include <math.h>
#include <sched.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Nanoseconds. Most answers come soon after the first look; naps shorter than the shortest cost more than they save. */
enum { EAGER = 20000, LONG_EAGER = 400000, SHORTEST = 10000, LEAST_CAP = 100000, MOST_CAP = 1000000 };

/* A wait that is eager for long and in vain costs LONG_EAGER of a thread's credit, and one that was worth it earns an
 * eighth of that. All others earn a part of their time: 1 / EXPENSE of the processor, over all ranks it has to carry.
 */
enum { CREDITS = 4, EXPENSE = 32 };

/* Waking up and looking takes some 6 us, so one rank a processor would spend 12 % of it on waiting this often. Longer
 * naps cost more than they save: the last rank to wake up holds up a collective call, once for each of its rounds. */
static const double look_interval = 50e3;

int hs__waiting_in_yield;
int hs__waiting_sees_looks;

static hs__waiting_mode mode;
static int64_t longest = LEAST_CAP;
static double growth = 0.125; /* a nap, as part of the time waited so far */
static double income;         /* of credit, as part of the time waited */

/* The thread's last wait, and its credit. */
static __thread struct {
    int64_t begun, last, eager, credit;
} history = {0, 0, 0, (int64_t)CREDITS *LONG_EAGER};

/* What a rank tells the others of its host. */
typedef struct place {
    uint64_t group; /* which control group */
    double quota;
    cpu_set_t bound;
} place;

/* Ranks of one control group share its quota; other groups have their own. */
static double sum_quotas(const place *all, int ranks)
{
    double sum = 0;
    for (int r = 0; r < ranks; r++) {
        int first = 1;
        for (int q = 0; q < r && first; q++)
            first = all[q].group != all[r].group;
        sum += first ? all[r].quota : 0;
    }
    return sum;
}

hs_status hs__waiting_count(MPI_Comm comm, hs__waiting_room *room)
{
    MPI_Comm host = MPI_COMM_NULL;
    place mine, *all = NULL;
    hs__waiting_room found = {0, 0};
    hs_status status = HS_ERR_MPI;
    cpu_set_t cores;
    memset(&mine, 0, sizeof mine);
    if (sched_getaffinity(0, sizeof mine.bound, &mine.bound) != 0)
        memset(&mine.bound, -1, sizeof mine.bound);
    mine.quota = hs__quota_group(&mine.group);
    if (PMPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host) != MPI_SUCCESS)
        return HS_ERR_MPI;
    PMPI_Comm_size(host, &found.ranks);
    all = hs__array_new((size_t)found.ranks, sizeof *all);
    if (!all) {
        status = HS_ERR_NOMEM;
        goto out;
    }
    if (PMPI_Allgather(&mine, sizeof mine, MPI_BYTE, all, sizeof mine, MPI_BYTE, host) != MPI_SUCCESS)
        goto out;
    CPU_ZERO(&cores);
    for (int r = 0; r < found.ranks; r++)
        CPU_OR(&cores, &cores, &all[r].bound);
    found.processors = fmin(CPU_COUNT(&cores), sum_quotas(all, found.ranks));
    *room = found;
    status = HS_OK;
out:
    free(all);
    PMPI_Comm_free(&host);
    return status;
}

void hs__waiting_set(hs__waiting_mode asked, const hs__waiting_room *room)
{
    double crowd = room->ranks / room->processors, cap = look_interval * crowd;
    mode = asked;
    growth = fmin(fmax(crowd / 32, 0.125), 0.25);
    income = 1 / (EXPENSE * fmax(crowd, 1));
    longest = cap > LEAST_CAP ? (int64_t)fmin(cap, MOST_CAP) : LEAST_CAP;
}

/* Returns whether there is such a switch, and how it stood. mpirun sets it where it knows of too many ranks. */
static int switch_yield(bool on, bool *before)
{
    bool (*set)(bool);
    *(void **)&set = dlsym(RTLD_DEFAULT, "opal_progress_set_yield_when_idle");
    if (set)
        *before = set(on);
    return set != NULL;
}

int hs__waiting_make_yield(void)
{
    bool before;
    if (!switch_yield(true, &before))
        return 0;
    hs__waiting_in_yield = mode == HS__WAITING_SLEEP;
    return 1;
}

void hs__waiting_rest(int resting)
{
    static int rests;
    static bool yielded;
    bool before;
    const hs__options *options = hs__environment();
    int may = mode == HS__WAITING_POLL && options->wait == HS__WAIT_AUTO && !options->disable;
    if (!rests && resting && may && (switch_yield(true, &yielded) || hs__waiting_sees_looks)) {
        mode = HS__WAITING_SLEEP;
        rests = hs__waiting_in_yield = 1;
    } else if (rests && !resting) {
        switch_yield(yielded, &before);
        mode = HS__WAITING_POLL;
        rests = hs__waiting_in_yield = 0;
    }
}

/* Without this the kernel adds 50 us to every nap. */
static void be_punctual(void)
{
    static __thread int done;
    if (!done)
        prctl(PR_SET_TIMERSLACK, 1000ul);
    done = 1;
}

/* Settle the thread's last wait, whose end nobody tells, and begin another. */
static void begin(hs__pause *pause, int64_t now)
{
    int64_t waited = history.last - history.begun, credit = history.credit + (int64_t)(income * (double)waited);
    if (history.eager == LONG_EAGER && waited > EAGER)
        credit += waited > LONG_EAGER ? -LONG_EAGER : LONG_EAGER / 8;
    history.credit = credit < (int64_t)CREDITS * LONG_EAGER ? credit : (int64_t)CREDITS * LONG_EAGER;
    history.eager = history.credit >= LONG_EAGER ? LONG_EAGER : EAGER;
    history.begun = history.last = now;
    pause->begun = now;
    pause->eager = history.eager;
}

void hs__pause_once(hs__pause *pause)
{
    if (mode == HS__WAITING_POLL)
        return;
    if (mode == HS__WAITING_YIELD || hs__pause_yields(pause))
        syscall(SYS_sched_yield); /* the function may lead back to here */
    else
        hs__pause_longer(pause);
}

void hs__pause_longer(hs__pause *pause)
{
    int64_t now = hs__ticks_ns(hs__ticks());
    if (!pause->begun)
        begin(pause, now);
    history.last = now;
    int64_t waited = now - pause->begun, nap = (int64_t)(growth * (double)waited);
    if (waited < pause->eager) {
        syscall(SYS_sched_yield);
        return;
    }
    pause->looks = HS__UNTIMED_LOOKS - 1; /* the next one, too, is followed by a nap */
    be_punctual();
    nap = nap < SHORTEST ? SHORTEST : nap > longest ? longest : nap;
    struct timespec time = {0, (long)nap};
    nanosleep(&time, NULL);
}

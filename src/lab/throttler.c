/* SPDX-License-Identifier: BSD-3-Clause */
/* The throttler holds hosts to their speeds at time scales shorter than a kernel quota's period.
 *
 * A kernel quota of 4 ms in 10 lets a process that has waited run 4 ms at full speed. The throttler keeps an account per
 * host (account.h), updates it every tick, and stops a host in debt, so work takes as long as on a steadily slow host,
 * regardless of earlier waits.
 * Processes are stopped by the freezer of control groups version 2, which they cannot notice, or without root by
 * signals. */
#include "config.h"

#include "lab/throttler.h"
#include "util/array.h"
#include "util/assert.h"
#include "util/clock.h"
#include <fcntl.h>
#include <math.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Ticks between checks of the state file, of the lists of processes, and of all processes of the machine. */
enum { TICKS_PER_STATE = 5, TICKS_PER_LIST = 40, TICKS_PER_SEARCH = 400 };

typedef struct lab_throttler {
    const char *name;
    lab_cluster *lab;
    struct stat state; /* of the state file that was read; a new state is a new file */
    lab_cpu freezer;   /* with network: where the groups are */
    lab_group *groups; /* without network: the registered process groups */
    int group_count;
    lab_unit *units;
    int unit_count;
    lab_list list; /* scratch */
} lab_throttler;

/* A handler of signals can reach nothing but such a variable. */
static volatile sig_atomic_t asked_to_end;

static void ask_to_end(int signal)
{
    (void)signal;
    asked_to_end = 1;
}

/* A file system may give a new file the inode of one that was removed: the second state after the one that was read can
 * have its. */
static int is_same_file(const struct stat *a, const struct stat *b)
{
    return a->st_ino == b->st_ino && a->st_ctim.tv_sec == b->st_ctim.tv_sec && a->st_ctim.tv_nsec == b->st_ctim.tv_nsec;
}

/* Read the state file again when it was replaced. @return 0 when the lab is gone */
static int refresh_state(lab_throttler *throttler)
{
    char path[LAB_PATH];
    struct stat facts;
    hs_error ignored;
    lab_cluster *fresh = NULL;
    if (stat(lab_file(throttler->name, LAB_STATE, path), &facts) != 0)
        return 0;
    if (throttler->lab && is_same_file(&facts, &throttler->state))
        return 1;
    if (lab_load(throttler->name, &fresh, &ignored) != HS_OK)
        return 0;
    lab_free(throttler->lab);
    throttler->lab = fresh;
    throttler->state = facts;
    return 1;
}

/* Number of cores with a quota of their own. */
static int separate_cores(const lab_throttler *throttler, int host)
{
    int cores = throttler->lab->host[host].cores;
    return throttler->lab->network && cores > 1 ? cores : 0;
}

/* A unit for each host and, with network, for each core of hosts with several cores. */
static int make_units(lab_throttler *throttler)
{
    int count = 0;
    for (int i = 0; i < throttler->lab->hosts; i++)
        count += 1 + separate_cores(throttler, i);
    throttler->units = hs__array_new((size_t)count, sizeof *throttler->units);
    if (!throttler->units)
        return -1;
    for (int i = 0; i < throttler->lab->hosts; i++)
        for (int core = -1; core < separate_cores(throttler, i); core++) {
            lab_unit *unit = &throttler->units[throttler->unit_count++];
            unit->place = (lab_place){i, core};
            unit->account = (lab_account){.cores = core < 0 ? throttler->lab->host[i].cores : 1, .width = 1};
            unit->freezer = -1;
            if (!throttler->lab->network)
                continue;
            unit->freezer = lab_freezer_open(&throttler->freezer, throttler->name, unit->place);
            if (unit->freezer < 0)
                return -1;
        }
    return 0;
}

static void signal_groups(const lab_throttler *throttler, int host, int signal)
{
    for (int i = 0; i < throttler->group_count; i++)
        if (throttler->groups[i].host == host)
            kill(-throttler->groups[i].group, signal);
}

static void stop_unit(const lab_throttler *throttler, lab_unit *unit, int stop)
{
    if (unit->freezer < 0)
        signal_groups(throttler, unit->place.host, stop ? SIGSTOP : SIGCONT);
    else if (pwrite(unit->freezer, stop ? "1" : "0", 1, 0) != 1)
        return;
    unit->stopped = stop;
}

/* Groups that join a stopped host wait with the others. */
static void stop_joined(const lab_throttler *throttler)
{
    for (int i = 0; i < throttler->unit_count; i++)
        if (throttler->units[i].stopped)
            signal_groups(throttler, throttler->units[i].place.host, SIGSTOP);
}

/* Read the list of groups again. @return whether it is another one: as many groups can be others */
static int refresh_groups(lab_throttler *throttler)
{
    lab_group *groups = NULL;
    int count = lab_groups(throttler->name, &groups), differ = count != throttler->group_count;
    for (int i = 0; i < count && !differ; i++) {
        const lab_group *now = &groups[i], *before = &throttler->groups[i];
        differ = now->host != before->host || now->group != before->group || now->start != before->start;
    }
    free(throttler->groups);
    throttler->groups = groups;
    throttler->group_count = count;
    return differ;
}

static void list_members(lab_throttler *throttler, int search)
{
    if (!throttler->lab->network) {
        int differ = refresh_groups(throttler);
        stop_joined(throttler);
        if (!search && !differ)
            return;
    }
    for (int i = 0; i < throttler->unit_count; i++) {
        lab_unit *unit = &throttler->units[i];
        if (throttler->lab->network)
            lab_cpu_list(&throttler->freezer, throttler->name, unit->place, &throttler->list);
        else
            lab_members_of_groups(throttler->groups, throttler->group_count, unit->place.host, &throttler->list);
        lab_members_take(unit, &throttler->list);
        if (search)
            lab_members_find_threads(unit);
    }
}

static void settle_running(lab_unit *unit, double per_core, double elapsed)
{
    double used, waited;
    lab_members_sample(unit, &used, &waited);
    lab_account_run(&unit->account, per_core, elapsed, used, waited);
    if (unit->account.balance < 0)
        unit->account.balance += lab_members_stopping_cost(unit);
}

static void settle_stopped(lab_unit *unit, double per_core, double elapsed)
{
    double used, waited;
    if (!lab_account_rest(&unit->account, per_core, elapsed))
        return;
    lab_members_sample(unit, &used, &waited);
    lab_account_continue(&unit->account, used);
}

static void settle(lab_throttler *throttler, lab_unit *unit, double elapsed)
{
    const lab_host *host = &throttler->lab->host[unit->place.host];
    double per_core = host->quota * host->factor / host->cores;
    if (unit->stopped)
        settle_stopped(unit, per_core, elapsed);
    else
        settle_running(unit, per_core, elapsed);
    int stop = unit->account.balance < 0;
    if (stop != unit->stopped)
        stop_unit(throttler, unit, stop);
}

/* Give the throttler precedence over the processes it throttles, and exact timers. @return the length of a tick */
static struct timespec prepare_ticks(const lab_throttler *throttler)
{
    const struct sched_param first = {.sched_priority = 10};
    prctl(PR_SET_TIMERSLACK, 1ul);
    sched_setscheduler(0, SCHED_FIFO, &first);
    return (struct timespec){0, throttler->lab->network ? 500 * 1000 : 1000 * 1000};
}

static void run_ticks(lab_throttler *throttler)
{
    struct timespec tick = prepare_ticks(throttler);
    double last = hs__clock_wall();
    for (long ticks = 0; !asked_to_end; ticks++) {
        if (ticks % TICKS_PER_STATE == 0 && !refresh_state(throttler))
            return;
        if (ticks % TICKS_PER_LIST == 0)
            list_members(throttler, ticks % TICKS_PER_SEARCH == 0);
        double time = hs__clock_wall();
        for (int i = 0; i < throttler->unit_count; i++)
            settle(throttler, &throttler->units[i], time - last);
        last = time;
        nanosleep(&tick, NULL);
    }
}

void lab_throttler_run(const char *name)
{
    lab_throttler throttler = {.name = name};
    struct sigaction action = {.sa_handler = ask_to_end};
    sigaction(SIGTERM, &action, NULL);
    if (!refresh_state(&throttler))
        return;
    if ((!throttler.lab->network || lab_freezer_find(LAB_MOUNTS, &throttler.freezer)) && make_units(&throttler) == 0)
        run_ticks(&throttler);
    for (int i = 0; i < throttler.unit_count; i++) {
        lab_unit *unit = &throttler.units[i];
        if (unit->stopped)
            stop_unit(&throttler, unit, 0);
        lab_members_free(unit);
        if (unit->freezer >= 0)
            close(unit->freezer);
    }
    lab_free(throttler.lab);
    free(throttler.groups);
    free(throttler.units);
    free(throttler.list.process);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* The keeper holds hosts to their speeds at time scales shorter than a kernel quota's period.
 *
 * A kernel quota of 4 ms in 10 lets a process that has waited run 4 ms at full speed. The keeper looks every tick:
 * while a host's processes want to run (they run, are ready without a core, or are stopped here) the host earns quota;
 * what they run is taken out; in debt they are stopped until it is paid. Waiting earns nothing, so work takes as long
 * as on a steadily slow host, whatever came before it. Processes are stopped by the freezer of control groups version
 * 2, which they cannot notice, or without root by signals. */
#include "config.h"

#include "lab/throttler.h"
#include "util/array.h"
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

static const double most_saved = 0.020; /* seconds of quota that may be caught up after waiting for a core */

/* Ticks between looks at the state file, at the lists of processes, and at all processes of the machine. */
enum { TICKS_PER_STATE = 5, TICKS_PER_LIST = 40, TICKS_PER_SEARCH = 400 };

typedef struct lab_throttler {
    const char *name;
    lab_cluster *lab;
    ino_t state;       /* of the state file that was read: it is replaced, never changed */
    lab_cpu freezer;   /* with network: where the groups are */
    lab_group *groups; /* without: the registered process groups */
    int group_count;
    lab_unit *units;
    int unit_count;
    lab_list list; /* scratch */
} lab_throttler;

static volatile sig_atomic_t asked_to_end;

static void ask_to_end(int signal)
{
    (void)signal;
    asked_to_end = 1;
}

/* Read the state again when it was replaced. @return 0 when the lab is gone */
static int refresh_state(lab_throttler *keeper)
{
    char path[LAB_PATH];
    struct stat facts;
    hs_error ignored;
    lab_cluster *fresh = NULL;
    size_t used = strlen(lab_directory(keeper->name, path));
    snprintf(path + used, sizeof path - used, "/state.json");
    if (stat(path, &facts) != 0)
        return 0;
    if (keeper->lab && facts.st_ino == keeper->state)
        return 1;
    if (lab_load(keeper->name, &fresh, &ignored) != HS_OK)
        return 0;
    lab_free(keeper->lab);
    keeper->lab = fresh;
    keeper->state = facts.st_ino;
    return 1;
}

static int cores_kept_apart(const lab_throttler *keeper, int host)
{
    int cores = keeper->lab->host[host].cores;
    return keeper->lab->network && cores > 1 ? cores : 0;
}

/* A unit for each host as a whole and, with network, for each core of those that have several. */
static int make_units(lab_throttler *keeper)
{
    int count = 0;
    for (int i = 0; i < keeper->lab->hosts; i++)
        count += 1 + cores_kept_apart(keeper, i);
    keeper->units = hs__array_new((size_t)count, sizeof *keeper->units);
    if (!keeper->units)
        return -1;
    for (int i = 0; i < keeper->lab->hosts; i++)
        for (int core = -1; core < cores_kept_apart(keeper, i); core++) {
            lab_unit *unit = &keeper->units[keeper->unit_count++];
            unit->place = (lab_place){i, core};
            unit->cores = core < 0 ? keeper->lab->host[i].cores : 1;
            unit->freezer = -1;
            unit->width = 1;
            if (!keeper->lab->network)
                continue;
            unit->freezer = lab_freezer_open(&keeper->freezer, keeper->name, unit->place);
            if (unit->freezer < 0)
                return -1;
        }
    return 0;
}

static void signal_groups(const lab_throttler *keeper, int host, int signal)
{
    for (int i = 0; i < keeper->group_count; i++)
        if (keeper->groups[i].host == host)
            kill(-keeper->groups[i].group, signal);
}

static void stop_unit(const lab_throttler *keeper, lab_unit *unit, int stop)
{
    if (unit->freezer < 0)
        signal_groups(keeper, unit->place.host, stop ? SIGSTOP : SIGCONT);
    else if (pwrite(unit->freezer, stop ? "1" : "0", 1, 0) != 1)
        return;
    unit->stopped = stop;
}

static void list_members(lab_throttler *keeper, int search)
{
    int known = keeper->group_count;
    if (!keeper->lab->network) {
        free(keeper->groups);
        keeper->groups = NULL;
        keeper->group_count = lab_groups(keeper->name, &keeper->groups);
        for (int i = 0; i < keeper->group_count; i++)
            if (kill(-keeper->groups[i].group, 0) != 0)
                lab_throttle_leave(keeper->name, &keeper->groups[i]);
        if (!search && keeper->group_count == known)
            return;
    }
    for (int i = 0; i < keeper->unit_count; i++) {
        lab_unit *unit = &keeper->units[i];
        if (keeper->lab->network)
            lab_cpu_list(&keeper->freezer, keeper->name, unit->place, &keeper->list);
        else
            lab_members_of_groups(keeper->groups, keeper->group_count, unit->place.host, &keeper->list);
        lab_members_take(unit, &keeper->list);
        if (search)
            lab_members_find_helpers(unit);
    }
}

/* Quota earned and used by a unit that was let run. Waiting is told only when it has ended, so what is told may be
 * longer than a tick, but not longer than the time that is not accounted for yet. A unit in debt was busy to the end,
 * though part of its waiting is not told. */
static void settle_running(lab_unit *unit, double per_core, double elapsed)
{
    double used, waited, most = per_core * unit->cores * most_saved;
    lab_members_look(unit, &used, &waited);
    unit->unexplained += unit->cores * elapsed;
    double wanted = fmin(used + waited, unit->unexplained);
    unit->width = (int)fmax(1, fmin(unit->cores, round(wanted / elapsed)));
    if (unit->balance + per_core * wanted - used < 0)
        wanted = fmax(wanted, fmin(unit->width * elapsed, unit->unexplained));
    unit->unexplained -= wanted;
    unit->balance = fmin(unit->balance + per_core * wanted - used, most);
}

/* A stopped unit earns all the time. On its way into the freezer a process may have run a little, and may have waited
 * for a core to get there, which is not to be earned twice. */
static void settle_stopped(lab_unit *unit, double per_core, double elapsed)
{
    double used, waited;
    unit->balance += per_core * unit->width * elapsed;
    if (unit->balance < 0)
        return;
    lab_members_look(unit, &used, &waited);
    unit->balance -= used;
    unit->unexplained = 0;
}

static void settle(lab_throttler *keeper, lab_unit *unit, double elapsed)
{
    const lab_host *host = &keeper->lab->host[unit->place.host];
    double per_core = host->quota * host->factor / host->cores;
    if (unit->stopped)
        settle_stopped(unit, per_core, elapsed);
    else
        settle_running(unit, per_core, elapsed);
    if (unit->balance < 0 && !unit->stopped)
        unit->balance += lab_members_stopping_cost(unit);
    int stop = unit->balance < 0;
    if (stop != unit->stopped)
        stop_unit(keeper, unit, stop);
}

/* Ticks must come on time, before the processes they are about. */
static struct timespec prepare_ticks(const lab_throttler *keeper)
{
    const struct sched_param first = {.sched_priority = 10};
    prctl(PR_SET_TIMERSLACK, 1ul);
    sched_setscheduler(0, SCHED_FIFO, &first);
    return (struct timespec){0, keeper->lab->network ? 500 * 1000 : 1000 * 1000};
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void keep(lab_throttler *keeper)
{
    struct timespec tick = prepare_ticks(keeper);
    double before = now();
    for (long ticks = 0; !asked_to_end; ticks++) {
        if (ticks % TICKS_PER_STATE == 0 && !refresh_state(keeper))
            return;
        if (ticks % TICKS_PER_LIST == 0)
            list_members(keeper, ticks % TICKS_PER_SEARCH == 0);
        double moment = now();
        for (int i = 0; i < keeper->unit_count; i++)
            settle(keeper, &keeper->units[i], moment - before);
        before = moment;
        nanosleep(&tick, NULL);
    }
}

void lab_throttler_run(const char *name)
{
    lab_throttler keeper = {.name = name};
    struct sigaction action = {.sa_handler = ask_to_end};
    sigaction(SIGTERM, &action, NULL);
    if (!refresh_state(&keeper))
        return;
    if ((!keeper.lab->network || lab_freezer_find(LAB_MOUNTS, &keeper.freezer)) && make_units(&keeper) == 0)
        keep(&keeper);
    for (int i = 0; i < keeper.unit_count; i++) {
        lab_unit *unit = &keeper.units[i];
        if (unit->stopped)
            stop_unit(&keeper, unit, 0);
        lab_members_free(unit);
        if (unit->freezer >= 0)
            close(unit->freezer);
    }
    lab_free(keeper.lab);
    free(keeper.groups);
    free(keeper.units);
    free(keeper.list.process);
}

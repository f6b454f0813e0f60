/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "platform/platform.h"
#include "runtime/base/backoff.h"
#include "runtime/base/environment.h"
#include "runtime/base/named_platform.h"
#include "runtime/base/quota.h"
#include "runtime/report/drifts.h"
#include "runtime/report/partitions.h"
#include "runtime/report/report.h"
#include "runtime/watch/moves.h"
#include "runtime/watch/watched.h"
#include "timeline/events.h"
#include "util/array.h"
#include "util/assert.h"
#include "util/message.h"
#include "util/units.h"
#include <heteroslice/hs_platform.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The phases of the process. */
static struct {
    hs__phase phase[HS__PHASES];
    int count;
    hs__phase *now;            /* the one under way; NULL before the first mark */
    hs__monitor_times at_mark; /* when it began */
} self;

static void close_phase(void)
{
    hs__monitor_times now;
    const hs__monitor_times *then = &self.at_mark;
    hs__monitor_read(&now);
    if (self.now) {
        self.now->compute_ns += now.compute_ns - then->compute_ns;
        self.now->mpi_ns += now.transfer_ns - then->transfer_ns + now.wait_ns - then->wait_ns;
        self.now->library_ns += now.library_ns - then->library_ns;
    }
    self.at_mark = now;
}

void hs__report_mark(int level)
{
    int k = 0;
    hs__events_phase(level, hs__ticks());
    while (k < self.count && self.phase[k].level != level)
        k++;
    if (k == HS__PHASES)
        return;
    close_phase();
    if (k == self.count)
        self.phase[self.count++].level = level;
    self.now = &self.phase[k];
    self.now->count++;
}

/* Whether every phase was entered, under a level of its own, and all together took no longer than the run. */
static int keep_to_run(void)
{
    int64_t sum = 0;
    for (int k = 0; k < self.count; k++) {
        const hs__phase *p = &self.phase[k];
        if (p->count < 1 || p->level < HS__FIRST_PHASE || p->compute_ns < 0 || p->mpi_ns < 0 || p->library_ns < 0)
            return 0;
        for (int other = 0; other < k; other++)
            if (self.phase[other].level == p->level)
                return 0;
        sum += p->compute_ns + p->mpi_ns + p->library_ns;
    }
    return sum <= hs__monitor_run_ns() + INT64_C(1000) * (self.count + 1); /* readings are rounded */
}

const hs__phase *hs__report_phases(int *n)
{
    close_phase();
    *n = self.count;
    HS_ASSERT(keep_to_run());
    return self.phase;
}

/* Marks tell better than the calls do: the phase entered most often is the iteration. */
static void describe_iterations(hs__rank_report *own)
{
    const hs__iterations *it = hs__watch_iterations();
    own->iterations = it->count;
    own->period = it->period;
    own->drifts = it->drifts;
    own->iteration = it->count > 0 ? 1e-9 * (double)hs__ticks_ns(it->time) / (double)it->count : 0;
    own->first = 1e-9 * (double)hs__ticks_ns((int64_t)it->first);
    own->last = 1e-9 * (double)hs__ticks_ns((int64_t)it->last);
    int n, most = -1;
    const hs__phase *phase = hs__report_phases(&n);
    for (int k = 0; k < n; k++)
        if (most < 0 || phase[k].count > phase[most].count)
            most = k;
    if (most >= 0) {
        own->iterations = phase[most].count;
        own->iteration = 1e-9 * (double)(phase[most].compute_ns + phase[most].mpi_ns + phase[most].library_ns) /
                         (double)phase[most].count;
    }
}

/* Seconds that a reading of the clock takes here: the best of some. */
static double time_reading(void)
{
    enum { TRIES = 20, READINGS = 16 };
    int64_t best = INT64_MAX;
    for (int k = 0; k < TRIES; k++) {
        int64_t begun = hs__ticks(), end = begun;
        for (int i = 0; i < READINGS; i++)
            end = hs__ticks();
        best = end - begun < best ? end - begun : best;
    }
    return 1e-9 * (double)hs__ticks_ns(best) / READINGS;
}

/* Every call's clock is read when it begins and when it ends. Half of a reading lies before the moment that it tells, so that
 * both readings together take as much from what is outside the call as from what is inside it. */
static void charge_measuring(hs__rank_report *own, int64_t timed)
{
    double half = (double)timed * time_reading(), mpi = own->wait + own->transfer;
    double outside = fmin(half, own->compute), inside = fmin(half, mpi), kept = mpi > 0 ? 1 - inside / mpi : 1;
    own->measuring = outside + inside;
    own->compute -= outside;
    own->wait *= kept;
    own->transfer *= kept;
    own->library += own->measuring;
}

static void describe(hs__rank_report *own, const char *host)
{
    hs__monitor_times times;
    uint64_t group;
    memset(own, 0, sizeof *own);
    hs__monitor_read(&times);
    if (host && host[0])
        strncpy(own->host, host, sizeof own->host - 1);
    else
        gethostname(own->host, sizeof own->host - 1);
    own->processors = hs__quota_processors();
    own->quota = hs__quota_group(&group);
    own->bound = hs__processors_of(0);
    own->run = 1e-9 * (double)hs__monitor_run_ns();
    own->compute = 1e-9 * (double)times.compute_ns;
    own->transfer = 1e-9 * (double)times.transfer_ns;
    own->library = 1e-9 * (double)times.library_ns;
    own->wait = 1e-9 * (double)times.wait_ns;
    own->calls = times.calls;
    own->startup = hs__report_started()->startup;
    /* Read a little after the account was closed, which in a short run may be longer than that. */
    own->queue = fmin(own->run, fmax(0, 1e-9 * (double)hs__monitor_account.queue));
    charge_measuring(own, hs__watch_calls() - hs__report_started()->timed);
    own->decisions = hs__moves_made().decisions;
    own->pid = getpid();
    describe_iterations(own);
}

static int ranks_on(const hs__rank_report *ranks, int n, const char *host)
{
    int there = 0;
    for (int r = 0; r < n; r++)
        there += strcmp(ranks[r].host, host) == 0;
    return there;
}

/* A host's cores shared among its ranks. Speeds stay unknown where a host is not in the file. */
static void find_speeds(hs__rank_report *ranks, int n)
{
    const hs_platform *platform = hs__named_platform();
    for (int r = 0; platform && r < n; r++) {
        int host = hs__platform_find_host(platform, ranks[r].host);
        if (host < 0)
            continue;
        double part = (double)hs_platform_host_cores(platform, host) / ranks_on(ranks, n, ranks[r].host);
        ranks[r].speed = hs_platform_host_speed(platform, host) * fmin(1, part);
    }
}

static int work_out(const hs__rank_report *ranks, int n, hs__efficiency *e)
{
    double *numbers = hs__array_new(3 * (size_t)n, sizeof *numbers);
    if (!numbers)
        return -1;
    for (int r = 0; r < n; r++) {
        numbers[r] = ranks[r].compute;
        numbers[n + r] = ranks[r].run;
        numbers[2 * n + r] = ranks[r].speed;
    }
    hs__efficiency_compute(numbers, numbers + n, numbers + 2 * n, n, e);
    free(numbers);
    return 0;
}

/* Readings are rounded to nanoseconds, and seconds to what a double has. */
static int equals(double a, double b)
{
    return fabs(a - b) <= 1e-7 + 1e-12 * fabs(b);
}

const char *hs__report_check(const hs__rank_report *ranks, int n, const hs__efficiency *e)
{
    double sum = 0;
    for (int r = 0; r < n; r++) {
        const hs__rank_report *own = &ranks[r];
        if (!(own->compute >= 0 && own->transfer >= 0 && own->wait >= 0 && own->library >= 0 && own->startup >= 0 &&
              own->queue >= 0))
            return "a time is negative";
        if (!(own->measuring >= 0 && own->measuring <= own->library))
            return "measuring is not a part of library";
        if (own->queue > own->run)
            return "queue is not a part of the run";
        if (!equals(own->compute + own->transfer + own->wait + own->library, own->run))
            return "compute + transfer + wait + library is not run";
        sum += own->compute;
    }
    if (!(e->load_balance >= 0 && e->load_balance <= 1 + 1e-12 && e->communication >= 0 &&
          e->communication <= 1 + 1e-12))
        return "an efficiency is not between 0 and 1";
    if (e->run > 0 && !equals(e->load_balance * e->communication * e->run, sum / n))
        return "load balance x communication efficiency x run is not the mean of compute";
    return NULL;
}

/* Every rank's text on rank 0, one message each. Without memory on rank 0 the report has no details. */
static void gather_details(MPI_Comm comm, int rank, int size, int *length, char **details)
{
    char *own = hs__report_details();
    int mine = own ? (int)strlen(own) + 1 : 0, complete = 1;
    PMPI_Gather(&mine, 1, MPI_INT, length, 1, MPI_INT, 0, comm);
    for (int r = 1; rank == 0 && r < size; r++)
        complete &= length[r] == 0 || (details[r] = hs__array_new((size_t)length[r], 1));
    complete = hs__all_ok(comm, complete);
    if (rank > 0 && complete && mine > 0)
        PMPI_Send(own, mine, MPI_CHAR, 0, 0, comm);
    for (int r = 1; rank == 0 && r < size; r++)
        if (complete && length[r] > 0)
            PMPI_Recv(details[r], length[r], MPI_CHAR, r, 0, comm, MPI_STATUS_IGNORE);
        else if (details[r])
            details[r][0] = '\0'; /* no JSON, which leaves the rank without details */
    if (rank == 0)
        details[0] = own;
    else
        free(own);
}

static void print_partitions(FILE *text, char *const *details, int n)
{
    json_t *partitions = hs__report_partitions(details, n);
    hs__partitions_print(text, partitions);
    json_decref(partitions);
}

/* Rank 0's wishes: 1 the summary, 2 the file, 4 the details of all ranks. */
static int find_wishes(FILE *text, const char *path)
{
    int partitions = hs__environment()->partition != HS__PARTITION_OFF;
    return (text ? 1 : 0) | (path[0] ? 2 : 0) | (path[0] || (text && partitions) ? 4 : 0);
}

void hs__report_tell(MPI_Comm comm, FILE *text, const char *host)
{
    const char *path = hs__report_started()->path;
    int rank, size, wanted;
    hs__rank_report own, *ranks = NULL;
    char **details = NULL;
    int *length = NULL;
    hs__efficiency efficiency;
    locale_t before = hs__c_locale_enter();
    PMPI_Comm_rank(comm, &rank);
    PMPI_Comm_size(comm, &size);
    if (rank == 0) {
        ranks = hs__array_new((size_t)size, sizeof *ranks);
        details = hs__array_new((size_t)size, sizeof *details);
        length = hs__array_new((size_t)size, sizeof *length);
    }
    wanted = ranks && details && length ? find_wishes(text, path) : 0;
    PMPI_Bcast(&wanted, 1, MPI_INT, 0, comm);
    if (wanted == 0)
        goto out;
    describe(&own, host);
    PMPI_Gather(&own, sizeof own, MPI_BYTE, ranks, sizeof own, MPI_BYTE, 0, comm);
    if (wanted & 4)
        gather_details(comm, rank, size, length, details);
    if (rank != 0)
        goto out;
    find_speeds(ranks, size);
    if (work_out(ranks, size, &efficiency) != 0)
        goto out;
    HS_ASSERT(hs__report_check(ranks, size, &efficiency) == NULL);
    if (wanted & 1) {
        hs__report_print(text, ranks, size, &efficiency);
        hs__drifts_print(text, ranks, size);
    }
    if ((wanted & 5) == 5)
        print_partitions(text, details, size);
    if (wanted & 2)
        hs__report_write(path, ranks, details, size, &efficiency);
out:
    for (int r = 0; details && r < size; r++)
        free(details[r]);
    free(details);
    free(length);
    free(ranks);
    hs__c_locale_leave(before);
}

/* Written at once: other ranks and tools speak at this moment as well. */
void hs__report_say(MPI_Comm comm, int quiet, const char *host)
{
    char *text = NULL;
    size_t size;
    FILE *memory = quiet ? NULL : open_memstream(&text, &size);
    hs__report_tell(comm, memory, host);
    if (memory && fclose(memory) == 0)
        hs__message_write(text);
    free(text);
}

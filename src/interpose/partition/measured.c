/* SPDX-License-Identifier: BSD-3-Clause */
#include "interpose/partition/measured.h"
#include "plan/decision/speeds.h"
#include "runtime/base/backoff.h"
#include "runtime/watch/monitor.h"
#include "util/array.h"
#include "util/pool.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_COMMUNICATORS = 16 };

struct hs__measured {
    int ranks, rank;
    hs__pool pool;
    int *world; /* [ranks] */
    hs__speeds *speeds;
    int running, reached_known; /* a phase runs; reached[] is known of it */
    int64_t compute_ns;         /* at its begin */
    double *share, *reached;    /* [ranks] as hs__measured_begin() was told */
    double *sums;               /* [2 ranks] what is brought together: units by part, seconds by rank */
};

/* Only the main thread uses what is known: the clock is its. */
static struct {
    const double *first; /* NULL: nothing is measured */
    hs__measured *known[MOST_COMMUNICATORS];
    int count;
} self;

static int64_t compute_now(void)
{
    hs__monitor_times times;
    hs__monitor_read(&times);
    return times.compute_ns;
}

static void release(hs__measured *m)
{
    hs__speeds_free(m->speeds);
    hs__pool_free(&m->pool);
    free(m);
}

static hs__measured *create(int ranks, int rank, const int *world)
{
    hs__measured *m = hs__array_new(1, sizeof *m);
    if (!m)
        return NULL;
    *m = (hs__measured){.ranks = ranks, .rank = rank};
    m->world = hs__pool_new(&m->pool, (size_t)ranks, sizeof *m->world);
    m->share = hs__pool_new(&m->pool, (size_t)ranks, sizeof *m->share);
    m->reached = hs__pool_new(&m->pool, (size_t)ranks, sizeof *m->reached);
    m->sums = hs__pool_new(&m->pool, 2 * (size_t)ranks, sizeof *m->sums);
    hs_status status = hs__pool_status(&m->pool);
    for (int r = 0; status == HS_OK && r < ranks; r++) {
        m->world[r] = world[r];
        m->share[r] = self.first[world[r]];
    }
    if (status == HS_OK)
        status = hs__speeds_create(ranks, m->share, &m->speeds);
    if (status == HS_OK)
        return m;
    release(m);
    return NULL;
}

/* NULL: there is no place or no memory, or this is another thread. */
static hs__measured *find_or_add(MPI_Comm comm, const int *world)
{
    int ranks, rank, is_main = 0;
    PMPI_Is_thread_main(&is_main);
    if (!is_main || !world)
        return NULL;
    PMPI_Comm_size(comm, &ranks);
    PMPI_Comm_rank(comm, &rank);
    for (int k = 0; k < self.count; k++)
        if (self.known[k]->ranks == ranks && memcmp(self.known[k]->world, world, (size_t)ranks * sizeof *world) == 0)
            return self.known[k];
    hs__measured *added = self.count < MOST_COMMUNICATORS ? create(ranks, rank, world) : NULL;
    if (added)
        self.known[self.count++] = added;
    return added;
}

/* What a rank can do, and so all ranks can whose least it is. */
enum { NOTHING, BEGIN, END_AS_GIVEN, END_AS_REACHED };

static int find_ability(const hs__measured *m)
{
    if (!m || !m->running)
        return m ? BEGIN : NOTHING;
    return m->reached_known ? END_AS_REACHED : END_AS_GIVEN;
}

/* Bring together the seconds of all, and the shares that were reached; else those given count. The phase is the same on all
 * ranks then, and so is what is decided. */
static void end_phase(hs__measured *m, MPI_Comm comm, int64_t compute_ns, int ability)
{
    size_t bytes = (size_t)m->ranks * sizeof *m->sums;
    double *reached = m->sums, *seconds = m->sums + m->ranks, all = 0;
    memcpy(reached, m->reached, bytes);
    memset(seconds, 0, bytes);
    seconds[m->rank] = 1e-9 * (double)(compute_ns - m->compute_ns);
    if (hs__backoff_sum(comm, m->sums, 2 * m->ranks) != HS_OK)
        return;
    for (int r = 0; r < m->ranks; r++)
        all += reached[r];
    if (ability < END_AS_REACHED || !(all > 0))
        memcpy(reached, m->share, bytes);
    hs__speeds_phase(m->speeds, reached, seconds);
}

static hs__measured *update(MPI_Comm comm, const int *world, int64_t compute_ns)
{
    hs__measured *m = find_or_add(comm, world);
    int ability = hs__backoff_least(comm, find_ability(m));
    if (ability >= END_AS_GIVEN)
        end_phase(m, comm, compute_ns, ability);
    if (m)
        m->running = 0;
    return ability >= BEGIN ? m : NULL;
}

/* A rank that is early waits here for the others, where without this library it would wait in the partitioner. */
hs__measured *hs__measured_update(MPI_Comm comm, const int *world)
{
    if (!self.first)
        return NULL;
    int64_t compute_ns = compute_now();
    int outermost = hs__monitor_enter_call(0, hs__monitor_frame());
    if (outermost)
        hs__monitor_charge(hs__ticks(), HS__COMPUTE);
    hs__measured *measured = update(comm, world, compute_ns);
    if (outermost && hs__monitor_leave_call(hs__monitor_frame()))
        hs__monitor_charge(hs__ticks(), HS__WAIT);
    return measured;
}

const double *hs__measured_speeds(const hs__measured *m)
{
    return hs__speeds_now(m->speeds);
}

void hs__measured_begin(hs__measured *m, const double *share, const double *reached)
{
    size_t bytes = (size_t)m->ranks * sizeof *share;
    memcpy(m->share, share, bytes);
    m->reached_known = reached != NULL;
    if (reached)
        memcpy(m->reached, reached, bytes);
    m->compute_ns = compute_now();
    m->running = 1;
}

void hs__measured_start(const double *first)
{
    self.first = first;
}

void hs__measured_stop(void)
{
    while (self.count > 0)
        release(self.known[--self.count]);
    self.first = NULL;
}

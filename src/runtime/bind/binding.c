/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/base/environment.h"
#include "runtime/base/hot.h"
#include "runtime/bind/binding.h"
#include <stddef.h>

HS__HOT int64_t hs__binding_due = INT64_MAX;

#ifdef HAVE_HWLOC
#include "runtime/base/host_names.h"
#include "runtime/bind/cores.h"
#include "runtime/bind/load.h"
#include "runtime/bind/rebind.h"
#include "runtime/watch/monitor.h"
#include "util/array.h"
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Nanoseconds: between looks at the board, and of one reading. Shorter readings would be less sure of the accounts of
 * kernels that keep them in ticks of 4 ms. */
enum { LOOK = 10000000, READING = 250000000 };

/* What a rank writes; a line of its own, since all write at the same time. Numbers of two readings may be mixed up. */
typedef struct posting {
    _Alignas(64) _Atomic int64_t count; /* readings up to now */
    _Atomic int64_t plan;               /* under which it was taken */
    _Atomic double compute;             /* part of the time */
    _Atomic int width;
} posting;

typedef struct board {
    _Atomic int64_t plan; /* number of the present one, counted by twos; odd while it is being written */
    _Atomic int is_over;  /* some rank cannot be bound */
    posting post[];       /* [ranks]; behind them the plan as _Atomic char [ranks * cores] */
} board;

/* The first rank's notes. */
typedef struct leader {
    hs__rebind *rebind;
    int64_t *taken; /* [ranks]: counts of the readings taken in */
    double *compute;
    int *width;
    int *world; /* ranks in the communicator that all began with */
} leader;

static const char own_threads[] = "threads of a rank are bound in different ways";

static struct {
    MPI_Comm node;
    MPI_Win window;
    board *board;
    _Atomic char *set; /* on the board */
    hs__cores *cores;
    int rank, ranks, n;    /* in the node; n: cores */
    int64_t look, reading; /* ticks */
    int64_t read_at;       /* ticks: the reading under way began */
    int64_t plan;          /* that is followed */
    char *own;             /* [n]: where this rank is bound */
    char cpus[256], host[HS__HOST_NAME_SIZE];
    int changes, was_started;
    leader lead;
} self = {.node = MPI_COMM_NULL, .window = MPI_WIN_NULL};

/* ---- Start ---- */

static void release(void)
{
    hs__binding_due = INT64_MAX;
    hs__rebind_free(self.lead.rebind);
    free(self.lead.taken);
    free(self.lead.compute);
    free(self.lead.width);
    free(self.lead.world);
    self.lead = (leader){0};
    free(self.own);
    self.own = NULL;
    if (self.window != MPI_WIN_NULL)
        PMPI_Win_free(&self.window);
    if (self.node != MPI_COMM_NULL)
        PMPI_Comm_free(&self.node);
    hs__cores_free(self.cores);
    self.cores = NULL;
}

/* Whether it is so on all ranks of the node. */
static int everywhere(int good)
{
    int all = 0;
    return PMPI_Allreduce(&good, &all, 1, MPI_INT, MPI_MIN, self.node) == MPI_SUCCESS && all;
}

/* All ranks see the same machine. */
static int is_same_machine(void)
{
    int pus = hs__cores_pus(self.cores), range[2] = {pus, -pus}, least[2] = {0, 0};
    return PMPI_Allreduce(range, least, 2, MPI_INT, MPI_MIN, self.node) == MPI_SUCCESS && least[0] == -least[1];
}

/* What the launcher gave to all ranks together is what they may exchange, as far as their control groups let them.
 * @param[out] now, allowed  [ranks * cores], of plan/binding/binding.h; the caller frees them
 * @return HS_OK; HS_ERR_NOMEM; HS_ERR_MPI */
static hs_status find_cores(char **now, char **allowed)
{
    size_t pus = (size_t)hs__cores_pus(self.cores), ranks = (size_t)self.ranks, n;
    char *mine = hs__array_new(pus, 1), *all = hs__array_new(ranks, pus), *together = hs__array_new(pus, 1);
    hs_status status = everywhere(mine && all && together) ? HS_OK : HS_ERR_NOMEM;
    if (status != HS_OK)
        goto out;
    hs__cores_look(self.cores, mine);
    if (PMPI_Allgather(mine, (int)pus, MPI_CHAR, all, (int)pus, MPI_CHAR, self.node) != MPI_SUCCESS) {
        status = HS_ERR_MPI;
        goto out;
    }
    for (size_t k = 0; k < ranks * pus; k++)
        together[k % pus] |= all[k];
    self.n = hs__cores_keep(self.cores, together);
    n = (size_t)self.n;
    *now = hs__array_new(ranks, n);
    *allowed = hs__array_new(ranks, n);
    self.own = hs__array_new(n, 1);
    for (size_t r = 0; *now && *allowed && r < ranks; r++) {
        hs__cores_with(self.cores, all + r * pus, HS__PU_BOUND, *now + r * n);
        hs__cores_with(self.cores, all + r * pus, HS__PU_ALLOWED, *allowed + r * n);
    }
    status = everywhere(*now && *allowed && self.own) ? HS_OK : HS_ERR_NOMEM;
    if (status == HS_OK)
        memcpy(self.own, *now + (size_t)self.rank * n, n);
out:
    free(together);
    free(all);
    free(mine);
    return status;
}

static hs_status make_board(void)
{
    int unit;
    void *base = NULL, *mine;
    MPI_Aint size = (MPI_Aint)(sizeof(board) + (size_t)self.ranks * (sizeof(posting) + (size_t)self.n));
    if (PMPI_Win_allocate_shared(self.rank == 0 ? size : 0, 1, MPI_INFO_NULL, self.node, &mine, &self.window) !=
            MPI_SUCCESS ||
        PMPI_Win_shared_query(self.window, 0, &size, &unit, &base) != MPI_SUCCESS)
        return HS_ERR_MPI;
    self.board = base;
    self.set = (_Atomic char *)(self.board->post + self.ranks);
    if (self.rank == 0)
        memset(base, 0, (size_t)size);
    return PMPI_Barrier(self.node) == MPI_SUCCESS ? HS_OK : HS_ERR_MPI;
}

static hs_status make_leader(const char *now, const char *allowed, int world)
{
    size_t ranks = (size_t)self.ranks;
    leader *lead = &self.lead;
    hs_status status = HS_OK;
    if (self.rank == 0) {
        lead->taken = hs__array_new(ranks, sizeof *lead->taken);
        lead->compute = hs__array_new(ranks, sizeof *lead->compute);
        lead->width = hs__array_new(ranks, sizeof *lead->width);
        lead->world = hs__array_new(ranks, sizeof *lead->world);
        status = lead->taken && lead->compute && lead->width && lead->world
                     ? hs__rebind_create(self.ranks, self.n, hs__cores_speed(self.cores), allowed, now, &lead->rebind)
                     : HS_ERR_NOMEM;
    }
    if (!everywhere(status == HS_OK))
        return HS_ERR_NOMEM;
    return PMPI_Gather(&world, 1, MPI_INT, lead->world, 1, MPI_INT, 0, self.node) == MPI_SUCCESS ? HS_OK : HS_ERR_MPI;
}

static void start_clock(void)
{
    double ticks_a_ns = 0x1p40 / (double)hs__ticks_ns((int64_t)1 << 40);
    self.look = (int64_t)(LOOK * ticks_a_ns);
    self.reading = (int64_t)(READING * ticks_a_ns);
    self.read_at = hs__ticks();
    self.plan = 0;
    self.was_started = 1;
    hs__cores_text(self.cores, self.own, self.cpus, sizeof self.cpus);
    hs__load_begin();
    hs__binding_due = self.read_at;
}

/* @return why nothing can be bound; NULL: it can */
static const char *start(MPI_Comm comm)
{
    int world;
    char *now = NULL, *allowed = NULL;
    const char *why = NULL;
    if (PMPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &self.node) != MPI_SUCCESS)
        return "its ranks cannot be found";
    PMPI_Comm_set_errhandler(self.node, MPI_ERRORS_RETURN);
    PMPI_Comm_rank(comm, &world);
    PMPI_Comm_rank(self.node, &self.rank);
    PMPI_Comm_size(self.node, &self.ranks);
    const char *host = hs__environment()->lab_host;
    hs__host_name(host[0] ? host : NULL, self.host);
    if (!everywhere(hs__cores_load(&self.cores) == HS_OK))
        why = "hwloc cannot bind here";
    else if (!everywhere(hs__cores_is_uniform(self.cores)))
        why = own_threads;
    else if (!is_same_machine())
        why = "its ranks see different processors";
    else if (find_cores(&now, &allowed) != HS_OK || make_leader(now, allowed, world) != HS_OK)
        why = "out of memory";
    else if (make_board() != HS_OK)
        why = "its ranks get no common memory from MPI";
    free(now);
    free(allowed);
    return why;
}

void hs__binding_start(MPI_Comm comm)
{
    const char *why = start(comm);
    if (!why) {
        start_clock();
        return;
    }
    if (self.rank == 0)
        hs__environment_log(HS__LOG_WARN, "HS_BIND: %s stays as it is bound: %s", self.host, why);
    release();
}

/* ---- Steps ---- */

/* The first rank: write the new binding on the board. */
static void post_plan(void)
{
    const char *set = hs__rebind_set(self.lead.rebind);
    int64_t number = atomic_load(&self.board->plan);
    atomic_store(&self.board->plan, number + 1);
    for (int k = 0; k < self.ranks * self.n; k++)
        atomic_store_explicit(&self.set[k], set[k], memory_order_relaxed);
    atomic_store(&self.board->plan, number + 2);
}

static void tell_plan(void)
{
    char line[400] = "", cpus[64];
    size_t used = 0;
    const char *set = hs__rebind_set(self.lead.rebind);
    for (int r = 0; r < self.ranks && used < sizeof line - 100; r++)
        used += (size_t)snprintf(line + used, sizeof line - used, "%s%d:%s", r ? " " : "", self.lead.world[r],
                                 hs__cores_text(self.cores, set + (size_t)r * (size_t)self.n, cpus, sizeof cpus));
    hs__environment_log(HS__LOG_INFO, "HS_BIND: %s: rank:processors %s; a step should take %.0f %% less", self.host,
                        line, 100 * (1 - hs__rebind_promise(self.lead.rebind)));
}

/* Decides once all ranks have a new reading under the present plan. */
static void decide(double seconds)
{
    leader *lead = &self.lead;
    const posting *post = self.board->post;
    for (int r = 0; r < self.ranks; r++)
        if (atomic_load(&post[r].count) == lead->taken[r] || atomic_load(&post[r].plan) != self.plan)
            return;
    for (int r = 0; r < self.ranks; r++) {
        lead->taken[r] = atomic_load(&post[r].count);
        lead->compute[r] = seconds * atomic_load(&post[r].compute);
        lead->width[r] = atomic_load(&post[r].width);
    }
    if (hs__rebind_phase(lead->rebind, seconds, lead->compute, lead->width) == HS_OK) {
        post_plan();
        tell_plan();
    }
}

static void read_load(void)
{
    hs__load load;
    posting *mine = &self.board->post[self.rank];
    hs__load_read(&load);
    atomic_store(&mine->compute, load.seconds > 0 ? load.compute / load.seconds : 0);
    atomic_store(&mine->width, load.width);
    atomic_store(&mine->plan, self.plan);
    atomic_fetch_add(&mine->count, 1);
    if (self.rank == 0)
        decide(load.seconds);
}

/* All ranks of the node are bound as before when one cannot be bound. */
static void give_up(const char *why)
{
    hs__environment_log(HS__LOG_WARN, "HS_BIND: %s stays as it is bound: %s", self.host, why);
    atomic_store(&self.board->is_over, 1);
}

static void go_to(const char *set)
{
    if (!hs__cores_is_uniform(self.cores)) {
        give_up(own_threads);
    } else if (hs__cores_bind(self.cores, set) != HS_OK) {
        give_up("the kernel refuses");
    } else {
        memcpy(self.own, set, (size_t)self.n);
        hs__cores_text(self.cores, set, self.cpus, sizeof self.cpus);
        self.changes++;
    }
}

/* Goes where the plan says, when there is a new one; a reading then begins anew. */
static void follow(int64_t now)
{
    int64_t number = atomic_load(&self.board->plan);
    if (number == self.plan || number % 2)
        return;
    const _Atomic char *mine = self.set + (size_t)self.rank * (size_t)self.n;
    char *set = hs__array_new((size_t)self.n, 1);
    for (int c = 0; set && c < self.n; c++)
        set[c] = atomic_load_explicit(&mine[c], memory_order_relaxed);
    if (set && atomic_load(&self.board->plan) == number) {
        if (memcmp(set, self.own, (size_t)self.n) != 0)
            go_to(set);
        self.plan = number;
        self.read_at = now;
        hs__load_begin();
    }
    free(set);
}

void hs__binding_step(void)
{
    if (!hs__monitor_self.note)
        return;
    int64_t now = hs__ticks();
    if (atomic_load(&self.board->is_over)) {
        hs__cores_restore(self.cores);
        hs__binding_due = INT64_MAX;
        return;
    }
    if (now - self.read_at >= self.reading) {
        read_load();
        self.read_at = now;
    }
    follow(now);
    hs__binding_due = now + self.look;
}

/* ---- End ---- */

void hs__binding_stop(void)
{
    if (self.cores)
        hs__cores_restore(self.cores);
    release();
}

const char *hs__binding_cpus(int *changes)
{
    *changes = self.changes;
    return self.was_started ? self.cpus : NULL;
}
#else
void hs__binding_start(MPI_Comm comm)
{
    int rank;
    PMPI_Comm_rank(comm, &rank);
    if (rank == 0)
        hs__environment_log(HS__LOG_WARN, "HS_BIND=on needs hwloc, which this library was built without");
}

void hs__binding_step(void)
{
}

void hs__binding_stop(void)
{
}

const char *hs__binding_cpus(int *changes)
{
    return NULL;
}
#endif

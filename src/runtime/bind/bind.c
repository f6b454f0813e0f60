/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/base/environment.h"
#include "runtime/bind/bind.h"
#include <stddef.h>

hs__bind_state hs__bind = {INT64_MAX, NULL};

#ifdef HAVE_HWLOC
#include "runtime/base/backoff.h"
#include "runtime/base/host_names.h"
#include "runtime/base/node_memory.h"
#include "runtime/bind/cores.h"
#include "runtime/bind/load.h"
#include "runtime/bind/rebind.h"
#include "runtime/watch/monitor.h"
#include "util/array.h"
#include "util/assert.h"
#include "util/pool.h"
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Nanoseconds: between polls of the board, and of one reading. Kernels that account in ticks of 4 ms make shorter
 * readings inaccurate. */
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
    posting post[];       /* [ranks]; after them the plan as _Atomic char [ranks * cores] */
} board;

/* The first rank's notes. */
typedef struct leader {
    hs__pool pool; /* of all arrays */
    hs__rebind *rebind;
    int64_t *taken; /* [ranks]: counts of the readings taken in */
    double *compute;
    int *width;
    int *world; /* ranks in the communicator that all began with */
} leader;

static const char own_threads[] = "threads of a rank are bound in different ways";

struct hs__binding {
    MPI_Comm node;
    board *board;      /* shared, see node_memory.h */
    _Atomic char *set; /* on the board */
    hs__cores *cores;
    int rank, ranks, n;    /* in the node; n: cores */
    int64_t look, reading; /* ticks */
    int64_t read_at;       /* ticks: the reading under way began */
    int64_t plan;          /* that is followed */
    hs__load_totals load;  /* when it began */
    char *own;             /* [n]: where this rank is bound */
    char cpus[256], host[HS__HOST_NAME_SIZE];
    int changes, was_started;
    leader lead;
};

/* ---- Start ---- */

static size_t board_size(const hs__binding *b)
{
    return sizeof(board) + (size_t)b->ranks * (sizeof(posting) + (size_t)b->n);
}

static void release(hs__binding *b)
{
    hs__bind.due = INT64_MAX;
    hs__rebind_free(b->lead.rebind);
    hs__pool_free(&b->lead.pool);
    b->lead = (leader){0};
    free(b->own);
    b->own = NULL;
    hs__node_memory_free(b->board, board_size(b));
    b->board = NULL;
    if (b->node != MPI_COMM_NULL)
        PMPI_Comm_free(&b->node);
    hs__cores_free(b->cores);
    b->cores = NULL;
}

/* All ranks see the same machine. */
static int is_same_machine(hs__binding *b)
{
    int pus = hs__cores_pus(b->cores), range[2] = {pus, -pus}, least[2] = {0, 0};
    return PMPI_Allreduce(range, least, 2, MPI_INT, MPI_MIN, b->node) == MPI_SUCCESS && least[0] == -least[1];
}

/* What the launcher gave to all ranks together is what they may exchange, as far as their control groups let them.
 * @param[out] now, allowed  [ranks * cores], of plan/binding/binding.h; the caller frees them
 * @return HS_OK; HS_ERR_NOMEM; HS_ERR_MPI */
static hs_status find_cores(hs__binding *b, char **now, char **allowed)
{
    size_t pus = (size_t)hs__cores_pus(b->cores), ranks = (size_t)b->ranks, n;
    char *mine = hs__array_new(pus, 1), *all = hs__array_new(ranks, pus), *together = hs__array_new(pus, 1);
    hs_status status = hs__all_ok(b->node, mine && all && together) ? HS_OK : HS_ERR_NOMEM;
    if (status != HS_OK)
        goto out;
    hs__cores_look(b->cores, mine);
    if (PMPI_Allgather(mine, (int)pus, MPI_CHAR, all, (int)pus, MPI_CHAR, b->node) != MPI_SUCCESS) {
        status = HS_ERR_MPI;
        goto out;
    }
    for (size_t k = 0; k < ranks * pus; k++)
        together[k % pus] |= all[k];
    b->n = hs__cores_keep(b->cores, together);
    n = (size_t)b->n;
    *now = hs__array_new(ranks, n);
    *allowed = hs__array_new(ranks, n);
    b->own = hs__array_new(n, 1);
    for (size_t r = 0; *now && *allowed && r < ranks; r++) {
        hs__cores_with(b->cores, all + r * pus, HS__PU_BOUND, *now + r * n);
        hs__cores_with(b->cores, all + r * pus, HS__PU_ALLOWED, *allowed + r * n);
    }
    status = hs__all_ok(b->node, *now && *allowed && b->own) ? HS_OK : HS_ERR_NOMEM;
    if (status == HS_OK)
        memcpy(b->own, *now + (size_t)b->rank * n, n);
out:
    free(together);
    free(all);
    free(mine);
    return status;
}

static hs_status make_board(hs__binding *b)
{
    void *base = NULL;
    hs_status status = hs__node_memory_get(b->node, board_size(b), &base);
    b->board = base;
    if (status == HS_OK)
        b->set = (_Atomic char *)(b->board->post + b->ranks);
    return status;
}

static hs_status make_leader(hs__binding *b, const char *now, const char *allowed, int world)
{
    size_t ranks = (size_t)b->ranks;
    leader *lead = &b->lead;
    hs_status status = HS_OK;
    if (b->rank == 0) {
        lead->taken = hs__pool_new(&lead->pool, ranks, sizeof *lead->taken);
        lead->compute = hs__pool_new(&lead->pool, ranks, sizeof *lead->compute);
        lead->width = hs__pool_new(&lead->pool, ranks, sizeof *lead->width);
        lead->world = hs__pool_new(&lead->pool, ranks, sizeof *lead->world);
        status = hs__pool_status(&lead->pool);
        if (status == HS_OK)
            status = hs__rebind_create(b->ranks, b->n, hs__cores_speed(b->cores), allowed, now, &lead->rebind);
    }
    if (!hs__all_ok(b->node, status == HS_OK))
        return HS_ERR_NOMEM;
    return PMPI_Gather(&world, 1, MPI_INT, lead->world, 1, MPI_INT, 0, b->node) == MPI_SUCCESS ? HS_OK : HS_ERR_MPI;
}

static void start_clock(hs__binding *b)
{
    b->look = hs__ticks_of_ns(LOOK);
    b->reading = hs__ticks_of_ns(READING);
    b->read_at = hs__ticks();
    b->plan = 0;
    b->was_started = 1;
    hs__cores_text(b->cores, b->own, b->cpus, sizeof b->cpus);
    hs__load_begin(&b->load);
    hs__bind.due = b->read_at;
}

/* @return why nothing can be bound; NULL: it can */
static const char *start(hs__binding *b, MPI_Comm comm)
{
    int world;
    char *now = NULL, *allowed = NULL;
    const char *why = NULL;
    if (PMPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &b->node) != MPI_SUCCESS)
        return "its ranks cannot be found";
    PMPI_Comm_set_errhandler(b->node, MPI_ERRORS_RETURN);
    PMPI_Comm_rank(comm, &world);
    PMPI_Comm_rank(b->node, &b->rank);
    PMPI_Comm_size(b->node, &b->ranks);
    hs__host_name(hs__environment()->lab_host, b->host);
    if (!hs__all_ok(b->node, hs__cores_load(&b->cores) == HS_OK))
        why = "hwloc cannot bind here";
    else if (!hs__all_ok(b->node, hs__cores_is_uniform(b->cores)))
        why = own_threads;
    else if (!is_same_machine(b))
        why = "its ranks see different processors";
    else if (find_cores(b, &now, &allowed) != HS_OK || make_leader(b, now, allowed, world) != HS_OK)
        why = "out of memory";
    else if (make_board(b) != HS_OK)
        why = "its ranks get no common memory in /dev/shm";
    free(now);
    free(allowed);
    return why;
}

void hs__binding_start(MPI_Comm comm)
{
    MPI_Comm none;
    hs__binding *b = hs__array_new(1, sizeof *b);
    if (!b) { /* the other ranks of the node do without this one */
        PMPI_Comm_split_type(comm, MPI_UNDEFINED, 0, MPI_INFO_NULL, &none);
        return;
    }
    b->node = MPI_COMM_NULL;
    free(hs__bind.binding); /* of an earlier start, ended, but told of since */
    hs__bind.binding = b;
    const char *why = start(b, comm);
    if (!why) {
        start_clock(b);
        return;
    }
    if (b->rank == 0)
        hs__environment_log(HS__LOG_WARN, "HS_BIND: %s stays as it is bound: %s", b->host, why);
    release(b);
}

/* ---- Steps ---- */

/* The first rank: write the new binding on the board. */
static void post_plan(hs__binding *b)
{
    const char *set = hs__rebind_set(b->lead.rebind);
    int64_t number = atomic_load(&b->board->plan);
    HS_ASSERT(b->rank == 0 && number % 2 == 0); /* one writer, who has ended the plan before */
    atomic_store(&b->board->plan, number + 1);
    for (int k = 0; k < b->ranks * b->n; k++)
        atomic_store_explicit(&b->set[k], set[k], memory_order_relaxed);
    atomic_store(&b->board->plan, number + 2);
}

static void log_plan(hs__binding *b)
{
    char line[400] = "", cpus[64];
    size_t used = 0;
    const char *set = hs__rebind_set(b->lead.rebind);
    for (int r = 0; r < b->ranks && used < sizeof line - 100; r++)
        used += (size_t)snprintf(line + used, sizeof line - used, "%s%d:%s", r ? " " : "", b->lead.world[r],
                                 hs__cores_text(b->cores, set + (size_t)r * (size_t)b->n, cpus, sizeof cpus));
    hs__environment_log(HS__LOG_INFO, "HS_BIND: %s: rank:processors %s; a step should take %.0f %% less", b->host, line,
                        100 * (1 - hs__rebind_promise(b->lead.rebind)));
}

/* Decides once all ranks have a new reading under the present plan. */
static void decide(hs__binding *b, double seconds)
{
    leader *lead = &b->lead;
    const posting *post = b->board->post;
    for (int r = 0; r < b->ranks; r++)
        if (atomic_load(&post[r].count) == lead->taken[r] || atomic_load(&post[r].plan) != b->plan)
            return;
    for (int r = 0; r < b->ranks; r++) {
        lead->taken[r] = atomic_load(&post[r].count);
        lead->compute[r] = seconds * atomic_load(&post[r].compute);
        lead->width[r] = atomic_load(&post[r].width);
    }
    if (hs__rebind_phase(lead->rebind, seconds, lead->compute, lead->width) == HS_OK) {
        post_plan(b);
        log_plan(b);
    }
}

static void read_load(hs__binding *b)
{
    hs__load load;
    posting *mine = &b->board->post[b->rank];
    hs__load_read(&b->load, &load);
    atomic_store(&mine->compute, load.seconds > 0 ? load.compute / load.seconds : 0);
    atomic_store(&mine->width, load.width);
    atomic_store(&mine->plan, b->plan);
    atomic_fetch_add(&mine->count, 1);
    if (b->rank == 0)
        decide(b, load.seconds);
}

/* All ranks of the node are bound as before when one cannot be bound. */
static void give_up(hs__binding *b, const char *why)
{
    hs__environment_log(HS__LOG_WARN, "HS_BIND: %s stays as it is bound: %s", b->host, why);
    atomic_store(&b->board->is_over, 1);
}

static void go_to(hs__binding *b, const char *set)
{
    if (!hs__cores_is_uniform(b->cores)) {
        give_up(b, own_threads);
    } else if (hs__cores_bind(b->cores, set) != HS_OK) {
        give_up(b, "the kernel refuses");
    } else {
        memcpy(b->own, set, (size_t)b->n);
        hs__cores_text(b->cores, set, b->cpus, sizeof b->cpus);
        b->changes++;
    }
}

/* Goes where the plan says, when there is a new one; a reading then begins anew. */
static void follow(hs__binding *b, int64_t now)
{
    int64_t number = atomic_load(&b->board->plan);
    if (number == b->plan || number % 2)
        return;
    const _Atomic char *mine = b->set + (size_t)b->rank * (size_t)b->n;
    char *set = hs__array_new((size_t)b->n, 1);
    for (int c = 0; set && c < b->n; c++)
        set[c] = atomic_load_explicit(&mine[c], memory_order_relaxed);
    if (set && atomic_load(&b->board->plan) == number) {
        if (memcmp(set, b->own, (size_t)b->n) != 0)
            go_to(b, set);
        b->plan = number;
        b->read_at = now;
        hs__load_begin(&b->load);
    }
    free(set);
}

void hs__binding_step(void)
{
    hs__binding *b = hs__bind.binding;
    if (!hs__monitor_self.watched)
        return;
    int64_t now = hs__ticks();
    if (atomic_load(&b->board->is_over)) {
        hs__cores_restore(b->cores);
        hs__bind.due = INT64_MAX;
        return;
    }
    if (now - b->read_at >= b->reading) {
        read_load(b);
        b->read_at = now;
    }
    follow(b, now);
    hs__bind.due = now + b->look;
}

/* ---- End ---- */

void hs__binding_stop(void)
{
    hs__binding *b = hs__bind.binding;
    if (b && b->cores)
        hs__cores_restore(b->cores);
    if (b)
        release(b);
}

const char *hs__binding_cpus(int *changes)
{
    const hs__binding *b = hs__bind.binding;
    if (!b || !b->was_started)
        return NULL;
    *changes = b->changes;
    return b->cpus;
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

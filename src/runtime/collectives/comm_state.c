/* SPDX-License-Identifier: BSD-3-Clause */
/* State attached to a communicator: an internal communicator for our messages, the ranks' hosts, and the plans. */
#include "runtime/base/backoff.h"
#include "runtime/base/host_names.h"
#include "runtime/base/named_platform.h"
#include "runtime/base/presence.h"
#include "runtime/base/world_handle.h"
#include "runtime/collectives/collectives.h"
#include "util/array.h"
#include "util/assert.h"
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MIN_HOSTS = 3, MAX_INTERNAL = 256 /* of some 2000 that MPICH has room for, and the program may want most */ };

/* A communicator that the program has made gets a state when it has lived for as many calls as a trial takes: finding hosts
 * and planning cost more than a few calls, which are all that communicators made in a loop are for. */
enum { CALLS_BEFORE = 2 * HS__TIMED_PAIRS + 2 };

static struct {
    int keyval, calls;    /* attributes: the state; before there is one, calls so far */
    _Atomic int internal; /* communicators of ours */
    char name[HS__HOST_NAME_SIZE];
} kept = {.keyval = MPI_KEYVAL_INVALID, .calls = MPI_KEYVAL_INVALID};

static void entry_free(hs__collective_entry *entry)
{
    while (entry) {
        hs__collective_entry *next = entry->next;
        free(entry->part.child);
        free(entry);
        entry = next;
    }
}

static void state_free(hs__comm_state *state)
{
    if (!state)
        return;
    for (int kind = 0; kind < HS__COLLECTIVE_KINDS; kind++)
        for (int c = 0; c < HS__COLLECTIVE_CLASSES; c++)
            entry_free(state->entry[kind][c]);
    if (state->internal != MPI_COMM_NULL) {
        PMPI_Comm_free(&state->internal);
        kept.internal--;
    }
    free(state->host);
    free(state->scratch);
    free(state);
}

/* MPI calls this when the communicator is freed. */
static int forget(MPI_Comm comm, int keyval, void *value, void *extra)
{
    state_free(value);
    return MPI_SUCCESS;
}

int hs__comm_states_start(const hs__options *options)
{
    if (PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, forget, &kept.keyval, NULL) != MPI_SUCCESS ||
        PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &kept.calls, NULL) != MPI_SUCCESS)
        return 0;
    hs__host_name(options->lab_host, kept.name);
    return 1;
}

void hs__comm_states_stop(void)
{
    void *state;
    int found = 0;
    PMPI_Comm_get_attr(hs__world.comm, kept.keyval, &state, &found);
    if (found)
        PMPI_Comm_delete_attr(hs__world.comm, kept.keyval);
    PMPI_Comm_free_keyval(&kept.keyval);
    PMPI_Comm_free_keyval(&kept.calls);
}

/* On rank 0: find the platform's host of each rank. @return the number of different hosts; 0 when one is unknown */
static int find_hosts(const char *names, int size, int *host)
{
    const hs_platform *platform = hs__named_platform();
    int hosts = 0;
    hs_error ignored;
    if (!platform || hs__host_names_find(platform, names, size, host, &ignored) != HS_OK)
        return 0;
    char *seen = hs__array_new((size_t)hs_platform_hosts(platform), 1);
    if (!seen)
        return 0;
    for (int r = 0; r < size; r++) {
        hosts += !seen[host[r]];
        seen[host[r]] = 1;
    }
    free(seen);
    return hosts <= HS_COLLECTIVE_HOSTS_MAX ? hosts : 0;
}

/* Whether MPI packs data without additions, which messages of packed bytes require. */
static int packs_plainly(MPI_Comm comm)
{
    int two = 0;
    return PMPI_Pack_size(2, MPI_DOUBLE, comm, &two) == MPI_SUCCESS && two == 2 * (int)sizeof(double);
}

/* Collective. @return 1 on all ranks when calls on the communicator can use our schedules */
static int settle(hs__comm_state *state, MPI_Comm comm)
{
    char *names = NULL;
    int use = 0;
    if (state->rank == 0) {
        names = hs__array_new((size_t)state->size, sizeof kept.name);
        state->host = hs__array_new((size_t)state->size, sizeof(int));
    }
    if (hs__all_ok(comm, kept.internal < MAX_INTERNAL && (state->rank != 0 || (names && state->host)))) {
        PMPI_Gather(kept.name, sizeof kept.name, MPI_CHAR, names, sizeof kept.name, MPI_CHAR, 0, comm);
        if (state->rank == 0)
            use = find_hosts(names, state->size, state->host) >= MIN_HOSTS && packs_plainly(comm);
        PMPI_Bcast(&use, 1, MPI_INT, 0, comm);
    }
    free(names);
    if (!use || PMPI_Comm_split(comm, 0, state->rank, &state->internal) != MPI_SUCCESS)
        return 0;
    kept.internal++;
    PMPI_Comm_set_errhandler(state->internal, MPI_ERRORS_RETURN);
    return 1;
}

static hs__comm_state *state_make(MPI_Comm comm)
{
    int inter = 0, size, may;
    hs__comm_state *state = hs__array_new(1, sizeof *state);
    PMPI_Comm_test_inter(comm, &inter);
    PMPI_Comm_size(comm, &size);
    may = !inter && size >= MIN_HOSTS && hs__presence_covers(comm) && hs__all_ok(comm, state != NULL);
    if (!state) {
        PMPI_Comm_set_attr(comm, kept.keyval, NULL); /* all ranks remember that nothing here is ours */
        return NULL;
    }
    state->internal = MPI_COMM_NULL;
    state->size = size;
    PMPI_Comm_rank(comm, &state->rank);
    if (may)
        settle(state, comm);
    PMPI_Comm_set_attr(comm, kept.keyval, state);
    return state;
}

/* Whether a communicator without a state gets one by this call, which is counted if it does not. */
static int is_due(MPI_Comm comm)
{
    void *value = NULL;
    int found = 0;
    PMPI_Comm_get_attr(comm, kept.calls, &value, &found);
    intptr_t calls = found ? (intptr_t)value : 0;
    if (comm == hs__world.comm || calls == CALLS_BEFORE)
        return 1;
    PMPI_Comm_set_attr(comm, kept.calls, (void *)(calls + 1));
    return 0;
}

hs__comm_state *hs__comm_state_of(MPI_Comm comm, int at_once)
{
    void *value = NULL;
    int found = 0;
    if (comm == MPI_COMM_NULL || PMPI_Comm_get_attr(comm, kept.keyval, &value, &found) != MPI_SUCCESS)
        return NULL;
    hs__comm_state *state = found ? value : at_once || is_due(comm) ? state_make(comm) : NULL;
    return state && state->internal != MPI_COMM_NULL ? state : NULL;
}

/* Rank 0's first message; parents, places and windows follow. */
typedef struct header {
    int shape, ready;
    double piece, expected;
} header;

static hs_collective *plan_of(const hs__comm_state *state, const hs__collective_entry *entry)
{
    hs_collective_params p;
    hs_collective *plan = NULL;
    hs_error ignored;
    hs_collective_params_init(&p);
    p.kind = entry->kind;
    p.bytes = ldexp(1.0, entry->size_class);
    p.ranks = state->size;
    p.host = state->host;
    p.root = entry->root;
    return hs_collective_create(hs__named_platform(), &p, &plan, &ignored) == HS_OK ? plan : NULL;
}

/* This rank's part of parents, places and windows, which follow each other. */
static hs_status part_init(hs__part *part, const hs__comm_state *state, const header *head, const int *parent)
{
    const int *place = parent + state->size, *window = place + state->size;
    *part = (hs__part){.shape = (hs_collective_shape)head->shape,
                       .parent = parent[state->rank],
                       .place = place[state->rank],
                       .piece = head->piece,
                       .expected = head->expected,
                       .window = window[state->rank],
                       .child = hs__array_new(2 * (size_t)state->size, sizeof(int))};
    if (!part->child)
        return HS_ERR_NOMEM;
    part->windows = part->child + state->size;
    for (int r = 0; r < state->size; r++) {
        HS_ASSERT(parent[r] < 0 || head->shape == HS_COLLECTIVE_RING || place[parent[r]] < place[r]);
        if (parent[r] != state->rank)
            continue;
        part->prev = r;
        int k = part->children++;
        for (; k > 0 && place[part->child[k - 1]] > place[r]; k--)
            part->child[k] = part->child[k - 1];
        part->child[k] = r;
    }
    for (int k = 0; k < part->children; k++)
        part->windows[k] = window[part->child[k]];
    return HS_OK;
}

hs_status hs__part_check(const hs__part *part, int rank, int size, hs_error *error)
{
    int is_ring = part->shape == HS_COLLECTIVE_RING;
    if (part->parent < (is_ring ? 0 : -1) || part->parent >= size || part->parent == rank || part->window < 0)
        return hs_error_set(error, HS_ERR_INTERNAL, 0, "rank %d of %d has the parent %d", rank, size, part->parent);
    if (is_ring && (part->children != 1 || part->child[0] != part->prev || part->place < 0 || part->place >= size))
        return hs_error_set(error, HS_ERR_INTERNAL, 0, "rank %d at place %d of the ring follows %d ranks", rank,
                            part->place, part->children);
    for (int k = 0; k < part->children; k++) {
        int child = part->child[k];
        if (child < 0 || child >= size || child == rank || (child == part->parent && size > 2) || part->windows[k] < 0)
            return hs_error_set(error, HS_ERR_INTERNAL, 0, "rank %d has the child %d", rank, child);
        for (int i = 0; i < k; i++)
            if (part->child[i] == child)
                return hs_error_set(error, HS_ERR_INTERNAL, 0, "rank %d has the child %d twice", rank, child);
    }
    return HS_OK;
}

/* The bytes that calls of a size class need whose elements have at most HS__ELEMENT_USUAL bytes and no holes. Ranks may
 * describe what they broadcast by different types: room for all of it, packed. Its pages are taken when it is used. */
static size_t usual_memory(const hs__part *part, hs_collective_kind kind, int size_class, int size)
{
    const size_t whole = (size_t)2 << size_class;
    if (part->shape == HS_COLLECTIVE_RING)
        return whole / (size_t)size + HS__ELEMENT_USUAL;
    if (kind == HS_COLLECTIVE_BROADCAST)
        return hs__tree_memory(part, 0) + whole;
    return hs__tree_memory(part, (size_t)fmin((double)whole, fmax(part->piece, HS__ELEMENT_USUAL)));
}

static hs_status scratch_reserve(hs__comm_state *state, size_t bytes)
{
    if (bytes <= state->scratch_size)
        return HS_OK;
    char *larger = hs__array_aligned(bytes, HS__ELEMENT_USUAL);
    if (!larger)
        return HS_ERR_NOMEM;
    free(state->scratch);
    state->scratch = larger;
    state->scratch_size = bytes;
    return HS_OK;
}

int hs__comm_state_plan(hs__comm_state *state, hs__collective_entry *entry)
{
    hs__part *part = &entry->part;
    header head = {0};
    size_t n = (size_t)state->size;
    int *all = hs__array_new(3 * n, sizeof *all);
    hs_collective *plan = state->rank == 0 && all ? plan_of(state, entry) : NULL;
    if (plan) {
        head = (header){(int)hs_collective_shape_of(plan), 1, hs_collective_piece(plan), hs_collective_time(plan)};
        memcpy(all, hs_collective_parent(plan), n * sizeof(int));
        memcpy(all + n, hs_collective_place(plan), n * sizeof(int));
        memcpy(all + 2 * n, hs_collective_window(plan), n * sizeof(int));
    }
    hs_collective_free(plan);
    PMPI_Bcast(&head, sizeof head, MPI_BYTE, 0, state->internal);
    int ready = hs__all_ok(state->internal, head.ready && all);
    if (ready) {
        PMPI_Bcast(all, 3 * state->size, MPI_INT, 0, state->internal);
        ready = part_init(part, state, &head, all) == HS_OK &&
                scratch_reserve(state, usual_memory(part, entry->kind, entry->size_class, state->size)) == HS_OK;
        ready = hs__all_ok(state->internal, ready);
    }
    HS_ASSERT(!ready || hs__part_check(part, state->rank, state->size, NULL) == HS_OK);
    free(all);
    return ready;
}

hs__collective_entry *hs__comm_state_entry(hs__comm_state *state, hs_collective_kind kind, int size_class, int root,
                                           int max_roots)
{
    hs__collective_entry **list = &state->entry[kind][size_class], *entry;
    int roots = 0;
    for (entry = *list; entry; entry = entry->next, roots++)
        if (entry->root == root)
            return entry;
    if (roots >= max_roots)
        return NULL;
    entry = hs__array_new(1, sizeof *entry);
    if (!hs__all_ok(state->internal, entry != NULL)) {
        free(entry);
        return NULL;
    }
    entry->kind = kind;
    entry->size_class = size_class;
    entry->root = root;
    entry->next = *list;
    *list = entry;
    return entry;
}

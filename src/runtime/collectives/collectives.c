/* SPDX-License-Identifier: BSD-3-Clause */
/* Entry points: decide whether a call is run by our schedule, and describe its vector. */
#include "runtime/collectives/collectives.h"
#include "runtime/base/backoff.h"
#include "runtime/base/parked_buffer.h"
#include "util/array.h"
#include "util/assert.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { REDUCE, ALLREDUCE, BCAST };
static const hs_collective_kind kind_of[] = {HS_COLLECTIVE_REDUCE, HS_COLLECTIVE_ALLREDUCE, HS_COLLECTIVE_BROADCAST};

/* Shorter vectors are passed to the library (unless deterministic): their time is mostly latency, which no schedule
 * saves. So are roots beyond the first MAX_ROOTS of a size class, since each needs a plan. */
enum { LEAST_BYTES = 4096, MAX_ROOTS = 16 };

static struct {
    hs__collective_calls calls;
    int mode; /* hs__collectives_mode */
} now;

int hs__collectives_start(const hs__options *options, const hs__collective_calls *calls)
{
    now.calls = *calls;
    now.mode = HS__COLLECTIVES_OFF;
    if (options->collectives == HS__COLLECTIVES_OFF || !options->platform[0] || !hs__comm_states_start(options))
        return 0;
    now.mode = options->collectives;
    return 1;
}

void hs__collectives_stop(void)
{
    if (now.mode != HS__COLLECTIVES_OFF)
        hs__comm_states_stop();
    now.mode = HS__COLLECTIVES_OFF;
}

/* A program's call. */
typedef struct call {
    int kind;
    const void *from; /* of a broadcast: none */
    void *into;
    int count;
    MPI_Datatype datatype;
    MPI_Op op; /* of a broadcast: none */
    int root;  /* of an all-reduce: -1 */
    MPI_Comm comm;
} call;

/* A size class holds the sizes from one power of two up to the next. */
static int class_of(int64_t bytes)
{
    return 63 - __builtin_clzll((unsigned long long)bytes);
}

/* Whether the order of ranks does not matter for a reduction. */
static int can_be_combined(const call *c)
{
    int commutes = 0;
    MPI_Aint lower, extent;
    return c->op != MPI_OP_NULL && PMPI_Op_commutative(c->op, &commutes) == MPI_SUCCESS && commutes &&
           PMPI_Type_get_extent(c->datatype, &lower, &extent) == MPI_SUCCESS && extent > 0;
}

/* MPI_BOTTOM may be NULL, too: then the type has addresses. */
static int is_absent(const void *buffer, MPI_Datatype datatype)
{
    int integers, addresses, types, combiner;
    return !buffer && PMPI_Type_get_envelope(datatype, &integers, &addresses, &types, &combiner) == MPI_SUCCESS &&
           combiner == MPI_COMBINER_NAMED;
}

/* Whether the library accepts the buffers. is_result: `into` counts */
static int has_valid_buffers(const call *c, int is_result)
{
    if (is_result && (c->into == MPI_IN_PLACE || is_absent(c->into, c->datatype)))
        return 0;
    return c->kind == BCAST || (c->from != (is_result ? c->into : MPI_IN_PLACE) && !is_absent(c->from, c->datatype));
}

/* The entry of a call; NULL: pass it to the library. */
static hs__collective_entry *find_entry(const call *c, hs__comm_state **state, int64_t *bytes)
{
    int always = now.mode == HS__COLLECTIVES_DETERMINISTIC;
    MPI_Count size = 0;
    if (now.mode == HS__COLLECTIVES_OFF || c->count <= 0 || c->datatype == MPI_DATATYPE_NULL ||
        (c->root < 0 && c->kind != ALLREDUCE) || PMPI_Type_size_x(c->datatype, &size) != MPI_SUCCESS || size <= 0 ||
        size > INT_MAX)
        return NULL;
    *bytes = c->count * (int64_t)size;
    if ((*bytes < LEAST_BYTES && !always) || (c->kind == BCAST ? *bytes > INT_MAX : !can_be_combined(c)))
        return NULL;
    *state = hs__comm_state_of(c->comm, always);
    if (!*state || c->root >= (*state)->size || !has_valid_buffers(c, c->kind != REDUCE || (*state)->rank == c->root))
        return NULL;
    hs__collective_entry *entry =
        hs__comm_state_entry(*state, kind_of[c->kind], class_of(*bytes), c->root, always ? INT_MAX : MAX_ROOTS);
    if (entry && always)
        hs__trial_skip(*state, entry);
    return entry && entry->phase != HS__PHASE_PASS ? entry : NULL;
}

static int pass_on(const call *c)
{
    switch (c->kind) {
    case REDUCE:
        return now.calls.reduce(c->from, c->into, c->count, c->datatype, c->op, c->root, c->comm);
    case ALLREDUCE:
        return now.calls.allreduce(c->from, c->into, c->count, c->datatype, c->op, c->comm);
    default:
        return now.calls.bcast(c->into, c->count, c->datatype, c->root, c->comm);
    }
}

/* Call the error handler of the program's communicator. */
static int report(MPI_Comm comm, int code)
{
    if (code != MPI_SUCCESS)
        PMPI_Comm_call_errhandler(comm, code);
    return code;
}

/* Send to this rank itself, on the internal communicator, where no receive of the program can match it. */
static int send_self(const hs__comm_state *state, const void *from, int64_t n, MPI_Datatype type, void *to, int64_t m,
                     MPI_Datatype to_type)
{
    return PMPI_Sendrecv(from, (int)n, type, state->rank, HS__TAG_SELF, to, (int)m, to_type, state->rank, HS__TAG_SELF,
                         state->internal, MPI_STATUS_IGNORE);
}

int hs__vector_copy(const hs__comm_state *state, const hs__vector *v, const void *from, void *to, int64_t count)
{
    if (v->extent == v->size && v->span == v->size) {
        memcpy((char *)to + v->lower, (const char *)from + v->lower, (size_t)(count * v->size));
        return MPI_SUCCESS;
    }
    return send_self(state, from, count, v->datatype, to, count, v->datatype);
}

/* ---- Reductions ---- */

static int vector_init(hs__vector *v, const hs__part *part, const call *c)
{
    int size, is_result = c->kind == ALLREDUCE || part->parent < 0;
    MPI_Aint ignored;
    *v = (hs__vector){.into = is_result ? c->into : NULL, .count = c->count, .datatype = c->datatype, .op = c->op};
    if (c->from != MPI_IN_PLACE) {
        v->from = c->from;
        v->has_from = 1;
    }
    if (PMPI_Type_size(c->datatype, &size) != MPI_SUCCESS ||
        PMPI_Type_get_extent(c->datatype, &ignored, &v->extent) != MPI_SUCCESS ||
        PMPI_Type_get_true_extent(c->datatype, &v->lower, &v->span) != MPI_SUCCESS)
        return MPI_ERR_TYPE;
    v->size = size;
    return MPI_SUCCESS;
}

/* Bytes that a reduction needs. */
static size_t memory_of(const hs__comm_state *state, const hs__part *part, const hs__vector *v)
{
    int is_ring = part->shape == HS_COLLECTIVE_RING;
    int64_t n = is_ring ? (v->count + state->size - 1) / state->size : hs__tree_piece(part, v);
    size_t reach = (size_t)((n - 1) * v->extent + v->span);
    return is_ring ? reach : hs__tree_memory(part, reach);
}

static int run_reduction(const hs__comm_state *state, const hs__part *part, const call *c, const hs__vector *v,
                         char *memory)
{
    if (part->shape == HS_COLLECTIVE_RING)
        return hs__run_ring(state, part, v, memory);
    return hs__run_tree(state, part, v, memory, 1, c->kind == ALLREDUCE);
}

/* Whether the operation is one for the type, which the MPI library knows: it looks before it finds out that there is nothing
 * to combine, and calls the error handler. */
static int check_operation(const call *c)
{
    return c->kind == ALLREDUCE ? PMPI_Allreduce(c->from, c->into, 0, c->datatype, c->op, c->comm)
                                : PMPI_Reduce(c->from, c->into, 0, c->datatype, c->op, c->root, c->comm);
}

static int our_reduction(const hs__comm_state *state, const hs__part *part, const call *c)
{
    hs__vector v;
    int code = vector_init(&v, part, c);
    if (code != MPI_SUCCESS)
        return report(c->comm, code);
    code = check_operation(c);
    if (code != MPI_SUCCESS)
        return code;
    size_t bytes = memory_of(state, part, &v);
    if (v.extent == v.size && v.span == v.size && v.size <= HS__ELEMENT_USUAL) {
        HS_ASSERT(bytes <= state->scratch_size);
        return report(c->comm, run_reduction(state, part, c, &v, state->scratch));
    }
    char *memory = hs__array_aligned(bytes, HS__ELEMENT_USUAL);
    int ours = hs__all_ok(state->internal, memory != NULL);
    code = ours ? report(c->comm, run_reduction(state, part, c, &v, memory)) : pass_on(c);
    hs__park_buffer(memory, ours && code != MPI_SUCCESS);
    return code;
}

/* ---- Broadcast ---- */

/* Whether elements have the same layout in memory and in a message: a named type without holes, or copies of one. */
static int is_plain(MPI_Datatype datatype, int64_t size)
{
    int integers, addresses, types, combiner;
    MPI_Aint lower, extent;
    return PMPI_Type_get_envelope(datatype, &integers, &addresses, &types, &combiner) == MPI_SUCCESS &&
           combiner == MPI_COMBINER_NAMED && PMPI_Type_get_extent(datatype, &lower, &extent) == MPI_SUCCESS &&
           extent == size;
}

/* Pack or unpack by sending to ourselves: packed data may be received as any type, and the other way round. MPI_Pack does
 * not accept MPI_BOTTOM everywhere. */
static int repack(const hs__comm_state *state, const call *c, int64_t bytes, char *packed, int pack)
{
    return pack ? send_self(state, c->into, c->count, c->datatype, packed, bytes, MPI_PACKED)
                : send_self(state, packed, bytes, MPI_PACKED, c->into, c->count, c->datatype);
}

/* Ranks may describe the same data by different types, so it travels as bytes. It travels also where the root's type is not
 * committed, since the other ranks wait for it. */
static int our_bcast(const hs__comm_state *state, const hs__part *part, const call *c, int64_t bytes)
{
    int code = MPI_SUCCESS;
    hs__vector v = {
        .into = c->into, .count = bytes, .datatype = MPI_BYTE, .extent = 1, .span = 1, .size = 1, .op = MPI_OP_NULL};
    if (is_plain(c->datatype, bytes / c->count))
        return hs__run_tree(state, part, &v, state->scratch, 0, 1);
    const size_t begin = hs__tree_memory(part, 0);
    HS_ASSERT(begin + (size_t)bytes <= state->scratch_size);
    v.into = state->scratch + begin;
    if (part->parent < 0)
        code = repack(state, c, bytes, v.into, 1);
    int passed = hs__run_tree(state, part, &v, state->scratch, 0, 1);
    if (passed == MPI_SUCCESS && part->parent >= 0)
        code = repack(state, c, bytes, v.into, 0);
    return passed == MPI_SUCCESS ? code : passed;
}

/* ---- Calls ---- */

static int carry_out(const call *c)
{
    hs__comm_state *state = NULL;
    int64_t bytes = 0;
    hs__collective_entry *entry = find_entry(c, &state, &bytes);
    if (!entry)
        return pass_on(c);
    hs__trial turn = hs__trial_begin(state, entry);
    int code;
    if (!turn.ours)
        code = pass_on(c);
    else if (c->kind == BCAST)
        code = report(c->comm, our_bcast(state, &entry->part, c, bytes));
    else
        code = our_reduction(state, &entry->part, c);
    hs__trial_end(state, entry, &turn, bytes);
    return code;
}

int hs__collective_reduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, int root,
                          MPI_Comm comm)
{
    return carry_out(&(call){REDUCE, sendbuf, recvbuf, count, datatype, op, root, comm});
}

int hs__collective_allreduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                             MPI_Comm comm)
{
    return carry_out(&(call){ALLREDUCE, sendbuf, recvbuf, count, datatype, op, -1, comm});
}

int hs__collective_bcast(void *buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm)
{
    return carry_out(&(call){BCAST, NULL, buffer, count, datatype, MPI_OP_NULL, root, comm});
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* The doors: is the call ours, whose turn is it, and the vector that goes through the plan. */
#include "runtime/collectives.h"
#include "util/array.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { REDUCE, ALLREDUCE, BCAST };
static const hs_collective_kind kind_of[] = {HS_COLLECTIVE_REDUCE, HS_COLLECTIVE_ALLREDUCE, HS_COLLECTIVE_BROADCAST};

/* Shorter vectors stay the library's unless all have to be ours: they take no longer than what cannot be gained, the
 * latencies. More roots of one size than these do, too: each takes time to plan for. */
enum { LEAST_BYTES = 4096, MOST_ROOTS = 16 };

static struct {
    hs__collective_calls calls;
    int mode; /* hs__collectives_mode */
} now;

int hs__collectives_start(const hs__options *options, const hs__collective_calls *calls)
{
    now.calls = *calls;
    now.mode = HS__COLLECTIVES_OFF;
    if (options->collectives == HS__COLLECTIVES_OFF || !options->platform[0] || !hs__crews_start(options))
        return 0;
    now.mode = options->collectives;
    return 1;
}

void hs__collectives_stop(void)
{
    if (now.mode != HS__COLLECTIVES_OFF)
        hs__crews_stop();
    now.mode = HS__COLLECTIVES_OFF;
}

/* A size class holds the sizes from one power of two up to the next. */
static int class_of(int64_t bytes)
{
    return 63 - __builtin_clzll((unsigned long long)bytes);
}

/* The entry that a call belongs to; NULL: not ours. */
static hs__collective_entry *find_entry(int kind, int count, MPI_Datatype datatype, int root, MPI_Comm comm,
                                        hs__crew **crew, int64_t *bytes)
{
    int size = 0;
    if (now.mode == HS__COLLECTIVES_OFF || count <= 0 || datatype == MPI_DATATYPE_NULL || root < -1)
        return NULL;
    if (PMPI_Type_size(datatype, &size) != MPI_SUCCESS || size <= 0)
        return NULL;
    *bytes = (int64_t)count * size;
    if (*bytes < LEAST_BYTES && now.mode != HS__COLLECTIVES_DETERMINISTIC)
        return NULL;
    *crew = hs__crew_of(comm);
    if (!*crew || root >= (*crew)->size)
        return NULL;
    int always = now.mode == HS__COLLECTIVES_DETERMINISTIC;
    hs__collective_entry *entry =
        hs__crew_entry(*crew, kind_of[kind], class_of(*bytes), root, always ? INT_MAX : MOST_ROOTS);
    if (entry && always)
        hs__turn_always(*crew, entry);
    return entry && entry->phase != HS__PHASE_PASS ? entry : NULL;
}

/* Errors go where the program wants them. */
static int report(MPI_Comm comm, int code)
{
    if (code != MPI_SUCCESS)
        PMPI_Comm_call_errhandler(comm, code);
    return code;
}

/* To this rank itself; in the crew, where no receive of the program's can catch it. */
static int send_self(const hs__crew *crew, const void *from, int64_t n, MPI_Datatype type, void *to, int64_t m,
                     MPI_Datatype to_type)
{
    return PMPI_Sendrecv(from, (int)n, type, crew->rank, HS__TAG_SELF, to, (int)m, to_type, crew->rank, HS__TAG_SELF,
                         crew->internal, MPI_STATUS_IGNORE);
}

int hs__vector_copy(const hs__crew *crew, const hs__vector *v, const void *from, void *to, int64_t count)
{
    if (v->extent == v->size && v->span == v->size) {
        memcpy((char *)to + v->lower, (const char *)from + v->lower, (size_t)(count * v->size));
        return MPI_SUCCESS;
    }
    return send_self(crew, from, count, v->datatype, to, count, v->datatype);
}

/* ---- Reductions ---- */

static int vector_init(hs__vector *v, const void *from, void *into, int count, MPI_Datatype datatype, MPI_Op op)
{
    int size;
    MPI_Aint ignored;
    *v = (hs__vector){.into = into, .count = count, .datatype = datatype, .op = op};
    if (from != MPI_IN_PLACE) {
        v->from = from;
        v->has_from = 1;
    }
    if (PMPI_Type_size(datatype, &size) != MPI_SUCCESS ||
        PMPI_Type_get_extent(datatype, &ignored, &v->extent) != MPI_SUCCESS)
        return 0;
    v->size = size;
    return PMPI_Type_get_true_extent(datatype, &v->lower, &v->span) == MPI_SUCCESS;
}

/* Reductions are ours when the order of the ranks does not matter. */
static hs__collective_entry *find_reduction(int kind, int count, MPI_Datatype datatype, MPI_Op op, int root,
                                            MPI_Comm comm, hs__crew **crew, int64_t *bytes)
{
    int commutes = 0;
    MPI_Aint lower, extent;
    if (op == MPI_OP_NULL || datatype == MPI_DATATYPE_NULL || now.mode == HS__COLLECTIVES_OFF ||
        PMPI_Op_commutative(op, &commutes) != MPI_SUCCESS || !commutes ||
        PMPI_Type_get_extent(datatype, &lower, &extent) != MPI_SUCCESS || extent <= 0)
        return NULL;
    return find_entry(kind, count, datatype, root, comm, crew, bytes);
}

/* A rank that is not the root has no place for results: one is made where children have to be combined. */
static int our_reduce(const hs__crew *crew, const hs__part *part, const void *sendbuf, void *recvbuf, int count,
                      MPI_Datatype datatype, MPI_Op op)
{
    hs__vector v;
    char *own = NULL;
    int is_root = part->parent < 0, code;
    if (!is_root && sendbuf == MPI_IN_PLACE)
        return MPI_ERR_BUFFER;
    if (!vector_init(&v, sendbuf, is_root ? recvbuf : NULL, count, datatype, op))
        return MPI_ERR_TYPE;
    if (!is_root && part->children > 0) {
        own = hs__array_new(1, (size_t)((count - 1) * v.extent + v.span));
        if (!own)
            return MPI_ERR_NO_MEM;
        v.into = own - v.lower;
    }
    code = hs__run_tree(crew, part, &v, 1, 0);
    free(own);
    return code;
}

int hs__collective_reduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, int root,
                          MPI_Comm comm)
{
    hs__crew *crew = NULL;
    int64_t bytes = 0;
    int code;
    hs__collective_entry *entry =
        root < 0 ? NULL : find_reduction(REDUCE, count, datatype, op, root, comm, &crew, &bytes);
    if (!entry)
        return now.calls.reduce(sendbuf, recvbuf, count, datatype, op, root, comm);
    hs__turn turn = hs__turn_begin(crew, entry);
    if (turn.ours)
        code = report(comm, our_reduce(crew, &entry->part, sendbuf, recvbuf, count, datatype, op));
    else
        code = now.calls.reduce(sendbuf, recvbuf, count, datatype, op, root, comm);
    hs__turn_end(crew, entry, &turn, bytes);
    return code;
}

static int our_allreduce(const hs__crew *crew, const hs__part *part, const void *sendbuf, void *recvbuf, int count,
                         MPI_Datatype datatype, MPI_Op op)
{
    hs__vector v;
    if (!vector_init(&v, sendbuf, recvbuf, count, datatype, op))
        return MPI_ERR_TYPE;
    return part->shape == HS_COLLECTIVE_RING ? hs__run_ring(crew, part, &v) : hs__run_tree(crew, part, &v, 1, 1);
}

int hs__collective_allreduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                             MPI_Comm comm)
{
    hs__crew *crew = NULL;
    int64_t bytes = 0;
    int code;
    hs__collective_entry *entry = find_reduction(ALLREDUCE, count, datatype, op, -1, comm, &crew, &bytes);
    if (!entry)
        return now.calls.allreduce(sendbuf, recvbuf, count, datatype, op, comm);
    hs__turn turn = hs__turn_begin(crew, entry);
    if (turn.ours)
        code = report(comm, our_allreduce(crew, &entry->part, sendbuf, recvbuf, count, datatype, op));
    else
        code = now.calls.allreduce(sendbuf, recvbuf, count, datatype, op, comm);
    hs__turn_end(crew, entry, &turn, bytes);
    return code;
}

/* ---- Broadcast ---- */

/* Whether elements lie in memory as they travel: a named type without holes, or copies of one. */
static int is_plain(MPI_Datatype datatype, int64_t size)
{
    int integers, addresses, types, combiner;
    MPI_Aint lower, extent;
    return PMPI_Type_get_envelope(datatype, &integers, &addresses, &types, &combiner) == MPI_SUCCESS &&
           combiner == MPI_COMBINER_NAMED && PMPI_Type_get_extent(datatype, &lower, &extent) == MPI_SUCCESS &&
           extent == size;
}

/* Pack or unpack in portions that MPI can count. What is packed may be received as anything, and the other way round;
 * MPI_Pack would not take MPI_BOTTOM everywhere. */
static int repack(const hs__crew *crew, void *buffer, int count, MPI_Datatype datatype, int64_t size, char *packed,
                  int pack)
{
    MPI_Aint lower, extent;
    int portion = size < (1 << 30) ? (int)((1 << 30) / size) : 1, code = MPI_SUCCESS;
    PMPI_Type_get_extent(datatype, &lower, &extent);
    for (int done = 0; done < count && code == MPI_SUCCESS;) {
        int n = count - done < portion ? count - done : portion;
        char *here = (char *)buffer + (MPI_Aint)done * extent, *there = packed + (int64_t)done * size;
        code = pack ? send_self(crew, here, n, datatype, there, n * size, MPI_PACKED)
                    : send_self(crew, there, n * size, MPI_PACKED, here, n, datatype);
        done += n;
    }
    return code;
}

/* Ranks may describe the same data by different types, so it travels as bytes. */
static int our_bcast(const hs__crew *crew, const hs__part *part, void *buffer, int count, MPI_Datatype datatype,
                     int64_t bytes)
{
    int64_t size = bytes / count;
    int code = MPI_SUCCESS;
    hs__vector v = {
        .into = buffer, .count = bytes, .datatype = MPI_BYTE, .extent = 1, .span = 1, .size = 1, .op = MPI_OP_NULL};
    if (is_plain(datatype, size))
        return hs__run_tree(crew, part, &v, 0, 1);
    v.into = hs__array_new(1, (size_t)bytes);
    if (!v.into)
        return MPI_ERR_NO_MEM;
    if (part->parent < 0)
        code = repack(crew, buffer, count, datatype, size, v.into, 1);
    if (code == MPI_SUCCESS)
        code = hs__run_tree(crew, part, &v, 0, 1);
    if (code == MPI_SUCCESS && part->parent >= 0)
        code = repack(crew, buffer, count, datatype, size, v.into, 0);
    free(v.into);
    return code;
}

int hs__collective_bcast(void *buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm)
{
    hs__crew *crew = NULL;
    int64_t bytes = 0;
    int code;
    hs__collective_entry *entry = root < 0 ? NULL : find_entry(BCAST, count, datatype, root, comm, &crew, &bytes);
    if (!entry)
        return now.calls.bcast(buffer, count, datatype, root, comm);
    hs__turn turn = hs__turn_begin(crew, entry);
    if (turn.ours)
        code = report(comm, our_bcast(crew, &entry->part, buffer, count, datatype, bytes));
    else
        code = now.calls.bcast(buffer, count, datatype, root, comm);
    hs__turn_end(crew, entry, &turn, bytes);
    return code;
}

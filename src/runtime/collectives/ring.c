/* SPDX-License-Identifier: BSD-3-Clause */
/* All-reduce around a ring. Each rank owns one part of the vector: in size - 1 steps the parts go around and are
 * combined, in as many more the results go around. */
#include "runtime/collectives/collectives.h"
#include "util/assert.h"

enum { MOST_AT_ONCE = 1 << 30 }; /* bytes a message */

typedef struct ring {
    const hs__comm_state *state;
    const hs__part *part;
    const hs__vector *v;
    char *inbox; /* room for the largest part */
} ring;

static int64_t begin_of(const ring *r, int part)
{
    int64_t share = r->v->count / r->state->size, more = r->v->count % r->state->size;
    return part * share + (part < more ? part : more);
}

/* One step: send one part on and receive another, in messages of a size that MPI can count. */
static int pass(const ring *r, int sent, int received, int combine)
{
    const hs__vector *v = r->v;
    int64_t most = MOST_AT_ONCE / v->size > 0 ? MOST_AT_ONCE / v->size : 1;
    int64_t out = begin_of(r, sent), out_end = begin_of(r, sent + 1);
    int64_t in = begin_of(r, received), in_end = begin_of(r, received + 1);
    HS_ASSERT(sent != received && in <= in_end && in_end <= v->count && in_end - in <= begin_of(r, 1));
    int code = MPI_SUCCESS;
    while (code == MPI_SUCCESS && (out < out_end || in < in_end)) {
        int64_t a = out_end - out < most ? out_end - out : most, b = in_end - in < most ? in_end - in : most;
        char *place = v->into + (MPI_Aint)in * v->extent, *landing = combine ? r->inbox - v->lower : place;
        code = PMPI_Sendrecv(v->into + (MPI_Aint)out * v->extent, (int)a, v->datatype,
                             a ? r->part->parent : MPI_PROC_NULL, HS__TAG_RING, landing, (int)b, v->datatype,
                             b ? r->part->prev : MPI_PROC_NULL, HS__TAG_RING, r->state->internal, MPI_STATUS_IGNORE);
        if (code == MPI_SUCCESS && combine && b > 0)
            code = PMPI_Reduce_local(landing, place, (int)b, v->datatype, v->op);
        out += a;
        in += b;
    }
    return code;
}

int hs__run_ring(const hs__comm_state *state, const hs__part *part, const hs__vector *v, char *inbox)
{
    ring r = {.state = state, .part = part, .v = v, .inbox = inbox};
    int p = state->size, me = part->place;
    int code = v->has_from ? hs__vector_copy(state, v, v->from, v->into, v->count) : MPI_SUCCESS;
    for (int k = 0; k < p - 1 && code == MPI_SUCCESS; k++)
        code = pass(&r, (me - k + p) % p, (me - k - 1 + p) % p, 1);
    for (int k = 0; k < p - 1 && code == MPI_SUCCESS; k++)
        code = pass(&r, (me + 1 - k + p) % p, (me - k + p) % p, 0);
    return code;
}

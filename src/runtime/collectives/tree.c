/* SPDX-License-Identifier: BSD-3-Clause */
/* Pipelined messages along a tree. A rank receives the pieces of its children, combines each piece in the order of the
 * plan, regardless of arrival, and sends it to its parent; results go the opposite way. WINDOW pieces are under way with
 * each neighbour: more would share a slow link and all arrive late, fewer would leave it idle. Over edges with time to
 * spare it is one piece, sent synchronously: otherwise the MPI library would buffer short pieces and send them all
 * before those for slow neighbours. */
#include "runtime/collectives/collectives.h"
#include "util/assert.h"
#include <stdint.h>

enum { WINDOW = 2, MOST_AT_ONCE = 1 << 30 /* bytes a message */ };

/* Pieces over one edge in one direction; they complete in order. */
typedef struct stream {
    int peer, tag;
    int most;             /* pieces sent and not yet taken at a time, <= WINDOW; 0: they are received */
    int64_t begun, done;  /* pieces */
    MPI_Request *request; /* [WINDOW] */
    char arrived[WINDOW]; /* completed, but not yet counted in done */
} stream;

typedef struct run {
    const hs__comm_state *state;
    const hs__vector *v;
    int up, down, children, parent;
    int64_t pieces, piece;         /* piece: elements */
    stream *from_child, *to_child; /* [children], in the order of combining, of passing on */
    stream to_parent, from_parent;
    MPI_Request *request; /* of all streams */
    int requests;
    char *inbox;      /* [children * WINDOW] pieces */
    char *outbox;     /* [WINDOW] pieces to the parent; NULL: the result's place */
    size_t step;      /* bytes from piece to piece of inbox and outbox */
    int64_t combined; /* pieces */
    int next_child;   /* whose part of the next piece is to be combined */
    int code;
} run;

static int64_t elements(const run *r, int64_t m)
{
    int64_t left = r->v->count - m * r->piece;
    return left < r->piece ? left : r->piece;
}

static char *result_at(const run *r, int64_t m)
{
    if (r->outbox)
        return r->outbox + (size_t)(m % WINDOW) * r->step - r->v->lower;
    return r->v->into + (MPI_Aint)(m * r->piece) * r->v->extent;
}

static const char *own_at(const run *r, int64_t m)
{
    return r->v->has_from ? (const char *)r->v->from + (MPI_Aint)(m * r->piece) * r->v->extent : result_at(r, m);
}

static char *inbox_at(const run *r, int child, int64_t m)
{
    return r->inbox + (size_t)(child * WINDOW + (int)(m % WINDOW)) * r->step - r->v->lower;
}

static void check(run *r, int code)
{
    if (code != MPI_SUCCESS && r->code == MPI_SUCCESS)
        r->code = code;
}

static void send_next(run *r, stream *s, const void *data)
{
    int64_t m = s->begun++;
    MPI_Request *request = &s->request[m % WINDOW];
    HS_ASSERT(*request == MPI_REQUEST_NULL && m < r->pieces && s->begun - s->done <= WINDOW);
    int n = (int)elements(r, m);
    if (s->most < WINDOW && r->pieces > WINDOW)
        check(r, PMPI_Issend(data, n, r->v->datatype, s->peer, s->tag, r->state->internal, request));
    else
        check(r, PMPI_Isend(data, n, r->v->datatype, s->peer, s->tag, r->state->internal, request));
}

static void receive_next(run *r, stream *s, void *data)
{
    int64_t m = s->begun++;
    HS_ASSERT(s->request[m % WINDOW] == MPI_REQUEST_NULL && m < r->pieces && s->begun - s->done <= WINDOW);
    check(r, PMPI_Irecv(data, (int)elements(r, m), r->v->datatype, s->peer, s->tag, r->state->internal,
                        &s->request[m % WINDOW]));
}

/* Whether the place of the next piece to combine is free: in the outbox, once an earlier piece has left. */
static int has_place(const run *r)
{
    return !r->outbox || r->combined < r->to_parent.done + WINDOW;
}

/* Combine the pieces that have arrived, child by child. @return whether there were any */
static int combine(run *r)
{
    int worked = 0;
    while (r->combined < r->pieces && has_place(r)) {
        int64_t m = r->combined;
        if (r->next_child < r->children) {
            stream *s = &r->from_child[r->next_child];
            if (s->done <= m)
                break;
            if (r->next_child == 0 && r->v->has_from)
                check(r, hs__vector_copy(r->state, r->v, own_at(r, m), result_at(r, m), elements(r, m)));
            check(r, PMPI_Reduce_local(inbox_at(r, r->next_child, m), result_at(r, m), (int)elements(r, m),
                                       r->v->datatype, r->v->op));
            r->next_child++;
        }
        if (r->next_child == r->children) {
            r->next_child = 0;
            r->combined++;
        }
        worked = 1;
    }
    return worked;
}

/* Pieces of a child whose place in the inbox is free again. */
static int64_t used(const run *r, int child)
{
    return r->combined + (child < r->next_child);
}

static void move_up(run *r)
{
    for (int worked = 1; worked;) {
        for (int c = 0; c < r->children; c++)
            while (r->from_child[c].begun < r->pieces && r->from_child[c].begun < used(r, c) + WINDOW)
                receive_next(r, &r->from_child[c], inbox_at(r, c, r->from_child[c].begun));
        worked = combine(r);
    }
    stream *s = &r->to_parent;
    while (r->parent >= 0 && s->begun < r->combined && s->begun < s->done + s->most)
        send_next(r, s, r->children > 0 ? result_at(r, s->begun) : own_at(r, s->begun));
}

static void move_down(run *r)
{
    stream *in = &r->from_parent;
    int64_t ready = r->up ? r->combined : r->pieces;
    if (r->parent >= 0) {
        int64_t free_to = r->up ? r->to_parent.done : r->pieces; /* what is still being sent must not be overwritten */
        while (in->begun < free_to && in->begun < in->done + WINDOW)
            receive_next(r, in, result_at(r, in->begun));
        ready = in->done;
    }
    for (int c = 0; c < r->children; c++) {
        stream *out = &r->to_child[c];
        while (out->begun < ready && out->begun < out->done + out->most)
            send_next(r, out, result_at(r, out->begun));
    }
}

static int is_finished(const run *r)
{
    if (r->up && (r->combined < r->pieces || (r->parent >= 0 && r->to_parent.done < r->pieces)))
        return 0;
    if (r->down && r->parent >= 0 && r->from_parent.done < r->pieces)
        return 0;
    for (int c = 0; r->down && c < r->children; c++)
        if (r->to_child[c].done < r->pieces)
            return 0;
    return 1;
}

static void count_arrivals(stream *s)
{
    while (s->done < s->begun && s->arrived[s->done % WINDOW])
        s->arrived[s->done++ % WINDOW] = 0;
}

static void wait_one(run *r, stream *const *all)
{
    int index = MPI_UNDEFINED;
    check(r, PMPI_Waitany(r->requests, r->request, &index, MPI_STATUS_IGNORE));
    if (index == MPI_UNDEFINED) {
        check(r, MPI_ERR_INTERN);
        return;
    }
    HS_ASSERT(all[index / WINDOW]->done < all[index / WINDOW]->begun); /* it was under way */
    all[index / WINDOW]->arrived[index % WINDOW] = 1;
    count_arrivals(all[index / WINDOW]);
}

/* After an error the others may never answer. Receives are cancelled, so that none takes a message of a later call; sends are left
 * to MPI, which reads their places until it has ended them. */
static void give_up(run *r, stream *const *all)
{
    for (int k = 0; k < r->requests; k++) {
        if (r->request[k] == MPI_REQUEST_NULL)
            continue;
        if (all[k / WINDOW]->most > 0) {
            PMPI_Request_free(&r->request[k]);
        } else {
            PMPI_Cancel(&r->request[k]);
            PMPI_Wait(&r->request[k], MPI_STATUS_IGNORE);
        }
    }
}

static void stream_init(run *r, stream *s, int peer, int tag, int number, stream **all)
{
    *s = (stream){.peer = peer, .tag = tag, .request = r->request + number * WINDOW};
    for (int w = 0; w < WINDOW; w++)
        s->request[w] = MPI_REQUEST_NULL;
    all[number] = s;
}

/* The next array of so many bytes in memory. */
static void *carve(char **memory, size_t bytes)
{
    char *here = *memory;
    HS_ASSERT((uintptr_t)here % sizeof(void *) == 0 && bytes % sizeof(void *) == 0);
    *memory += bytes;
    return here;
}

static size_t rounded(size_t bytes)
{
    return (bytes + 15) / 16 * 16;
}

/* Bytes of the arrays of streams, and of their requests. */
static size_t streams_bytes(const hs__part *part)
{
    return rounded(2 * ((size_t)part->children + 1) * (sizeof(stream *) + WINDOW * sizeof(MPI_Request)) +
                   2 * (size_t)part->children * sizeof(stream));
}

size_t hs__tree_memory(const hs__part *part, size_t reach)
{
    return streams_bytes(part) + (part->children > 0 ? ((size_t)part->children + 1) * WINDOW * rounded(reach) : 0);
}

int64_t hs__tree_piece(const hs__part *part, const hs__vector *v)
{
    double fit = (part->piece < MOST_AT_ONCE ? part->piece : MOST_AT_ONCE) / (double)v->size;
    return fit < 1.0 ? 1 : fit < (double)v->count ? (int64_t)fit : v->count;
}

static stream **run_init(run *r, const hs__part *part, char *memory)
{
    size_t n = (size_t)part->children;
    char *boxes = memory + streams_bytes(part);
    r->requests = 2 * (part->children + 1) * WINDOW;
    stream **all = carve(&memory, 2 * (n + 1) * sizeof(stream *));
    r->from_child = carve(&memory, n * sizeof(stream));
    r->to_child = carve(&memory, n * sizeof(stream));
    r->request = carve(&memory, (size_t)r->requests * sizeof(MPI_Request));
    HS_ASSERT(memory <= boxes);
    r->step = rounded((size_t)((r->piece - 1) * r->v->extent + r->v->span));
    r->inbox = boxes;
    r->outbox = r->v->into || n == 0 ? NULL : boxes + n * WINDOW * r->step;
    int number = 0;
    for (int c = 0; c < part->children; c++) {
        stream_init(r, &r->from_child[c], part->child[part->children - 1 - c], HS__TAG_UP, number++, all);
        stream_init(r, &r->to_child[c], part->child[c], HS__TAG_DOWN, number++, all);
        r->to_child[c].most = part->windows[c];
    }
    stream_init(r, &r->to_parent, part->parent, HS__TAG_UP, number++, all);
    r->to_parent.most = part->window;
    stream_init(r, &r->from_parent, part->parent, HS__TAG_DOWN, number, all);
    return all;
}

int hs__run_tree(const hs__comm_state *state, const hs__part *part, const hs__vector *v, char *memory, int up, int down)
{
    run r = {.state = state, .v = v, .up = up, .down = down, .children = part->children, .parent = part->parent};
    r.piece = hs__tree_piece(part, v);
    r.pieces = (v->count + r.piece - 1) / r.piece;
    stream **all = run_init(&r, part, memory);
    HS_ASSERT(v->into || (up && !down && part->parent >= 0));
    if (up && part->children == 0 && part->parent < 0 && v->has_from)
        r.code = hs__vector_copy(state, v, v->from, v->into, v->count);
    while (r.code == MPI_SUCCESS) {
        if (up)
            move_up(&r);
        if (down)
            move_down(&r);
        if (is_finished(&r) || r.code != MPI_SUCCESS)
            break;
        wait_one(&r, all);
    }
    if (r.code != MPI_SUCCESS)
        give_up(&r, all);
    HS_ASSERT(r.code != MPI_SUCCESS || !up || r.combined == r.pieces || (part->children == 0 && part->parent < 0));
    return r.code;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/slices/transfer.h"
#include "runtime/slices/spans.h"
#include "util/assert.h"
#include "util/pages.h"
#include <string.h>

hs__piece hs__piece_of(const hs__array *array, void *data, const int64_t *offset, int64_t unit, int64_t units)
{
    int64_t first = offset ? offset[unit] : unit, end = offset ? offset[unit + units] : unit + units;
    return (hs__piece){(char *)data + first * array->unit_bytes, (end - first) * array->unit_bytes};
}

/* Storages have the numbers behind those of offsets. */
const int64_t *hs__transfer_old_offsets(const hs__transfer *t, const hs__array *array)
{
    if (array->offsets < 0)
        return NULL;
    size_t k = (size_t)array->offsets, n = t->layout->offsets_count;
    return k < n ? *t->layout->offsets[k].offset : t->packed->offset[k - n];
}

const int64_t *hs__transfer_new_offsets(const hs__transfer *t, const hs__array *array)
{
    if (array->offsets < 0)
        return NULL;
    size_t k = (size_t)array->offsets, n = t->layout->offsets_count;
    return k < n ? t->lengths->offset[k] : t->packed->offset[t->packed->count + k - n];
}

/* ---- What a round carries. ---- */

/* One array between this rank and a peer, in a turn of a periodic layout. */
typedef struct pair {
    hs__transfer *transfer;
    size_t number; /* of the array */
    int peer;
    hs__direction way;
    int64_t shift;
    int counting; /* messages are only counted */
} pair;

/* Of so many bytes those that rounds 1 to `round` carry. */
static int64_t carried(int64_t bytes, int round, int rounds)
{
    return bytes / rounds * round + bytes % rounds * round / rounds;
}

/* Units that change from one rank's slice to another's. */
static hs__span changing_span(const hs__transfer *t, int source, int sink)
{
    return hs__span_in_both(hs__needed_span(t->layout->count, source, 0), hs__needed_span(t->count, sink, 0));
}

static hs_status post_message(const pair *p, hs__piece mine)
{
    hs__transfer *t = p->transfer;
    if (p->counting)
        return hs__messages_plan(&t->messages, mine.bytes, MPI_BYTE, p->peer, p->way);
    if (p->way == HS__RECEIVE && t->arrays[p->number].offsets >= 0)
        t->received += mine.bytes;
    return hs__messages_post(&t->messages, mine.place, mine.bytes, MPI_BYTE, p->peer, hs__move_tag(p->number), p->way);
}

/* Posts, counts or copies what one round of so many carries of a span, as the sink counts it. */
static hs_status post_span(const pair *p, hs__span s, int round, int rounds)
{
    hs__transfer *t = p->transfer;
    const hs_layout *layout = t->layout;
    const hs__array *array = &t->arrays[p->number];
    int rank = layout->context->rank;
    hs__piece from = {NULL, 0}, to = {NULL, 0};
    if (s.first >= s.end)
        return HS_OK;
    if (p->way == HS__SEND || p->peer == rank)
        from = hs__piece_of(array, *array->data, hs__transfer_old_offsets(t, array), s.first - p->shift - layout->first,
                            s.end - s.first);
    if (p->way == HS__RECEIVE)
        to = hs__piece_of(array, t->data[p->number], hs__transfer_new_offsets(t, array),
                          s.first - hs__layout_first(t->count, rank), s.end - s.first);
    hs__piece whole = p->way == HS__SEND ? from : to;
    int64_t first = carried(whole.bytes, round - 1, rounds), bytes = carried(whole.bytes, round, rounds) - first;
    if (p->way == HS__RECEIVE && !p->counting)
        t->held += bytes;
    if (p->peer != rank)
        return post_message(p, (hs__piece){whole.place + first, bytes});
    HS_ASSERT(from.bytes == to.bytes);
    if (!p->counting && bytes > 0)
        memcpy(to.place + first, from.place + first, (size_t)bytes);
    return HS_OK;
}

/* What a round carries of one turn: everything where all goes at once; round 0 the halos on both sides of the units that
 * change their owner, and each later one a part of these. */
static hs_status post_turn(const pair *p, int round)
{
    const hs__transfer *t = p->transfer;
    int rank = t->layout->context->rank;
    int source = p->way == HS__SEND ? rank : p->peer, sink = p->way == HS__SEND ? p->peer : rank;
    hs__span all = hs__common_span(t->layout, t->count, t->arrays[p->number].halo, source, sink, p->shift);
    hs__span changing = changing_span(t, source, sink);
    if (p->shift != 0 || changing.first == changing.end)
        changing = (hs__span){all.end, all.end};
    if (t->rounds == 1)
        return post_span(p, all, 1, 1);
    if (round > 0)
        return post_span(p, changing, round, t->rounds);
    hs_status status = post_span(p, (hs__span){all.first, changing.first}, 1, 1);
    return status == HS_OK ? post_span(p, (hs__span){changing.end, all.end}, 1, 1) : status;
}

static hs_status post_array(hs__transfer *t, size_t a, int peer, hs__direction way, int round, int counting)
{
    hs_status status = HS_OK;
    for (int64_t turn = -hs__wraps(t->layout); turn <= hs__wraps(t->layout) && status == HS_OK; turn++) {
        const pair p = {t, a, peer, way, turn * t->layout->units, counting};
        status = post_turn(&p, round);
    }
    return status;
}

/* Receives first, so that no message arrives unexpected. */
static hs_status post_round(hs__transfer *t, int round, int counting)
{
    const hs_context *context = t->layout->context;
    for (hs__direction way = HS__RECEIVE; way <= HS__SEND; way++)
        for (int step = 0; step < context->size; step++)
            for (size_t a = 0; a < t->array_count; a++) {
                int peer = (context->rank + step) % context->size;
                if (way == HS__SEND && peer == context->rank)
                    continue; /* copied while receiving */
                hs_status status = post_array(t, a, peer, way, round, counting);
                if (status != HS_OK)
                    return status;
            }
    return HS_OK;
}

static int first_round(const hs__transfer *t)
{
    return t->rounds == 1 ? 1 : 0;
}

hs_status hs__transfer_reserve(hs__transfer *t)
{
    hs_status status = HS_OK;
    for (int round = first_round(t); round <= t->rounds && status == HS_OK; round++)
        status = post_round(t, round, 1);
    return status == HS_OK ? hs__messages_reserve(&t->messages) : status;
}

/* ---- Carrying it out. ---- */

/* Gives back what a round has emptied of the old buffers. Their halos stay until all is done. */
static void release(hs__transfer *t, int round)
{
    const hs_layout *layout = t->layout;
    for (size_t a = 0; a < t->array_count; a++)
        for (int sink = 0; sink < layout->context->size; sink++) {
            const hs__array *array = &t->arrays[a];
            hs__span s = changing_span(t, layout->context->rank, sink);
            if (s.first == s.end)
                continue;
            hs__piece old = hs__piece_of(array, *array->data, hs__transfer_old_offsets(t, array),
                                         s.first - layout->first, s.end - s.first);
            t->held -= (int64_t)hs__pages_release(old.place, (size_t)carried(old.bytes, round - 1, t->rounds),
                                                  (size_t)carried(old.bytes, round, t->rounds));
        }
}

/* A message that was wrong ends nothing: the other ranks wait for those of the next rounds. */
hs_status hs__transfer_run(hs__transfer *t)
{
    hs_status status = HS_OK;
    for (int round = first_round(t); round <= t->rounds && t->messages.count == 0; round++) {
        hs_status posted = post_round(t, round, 0);
        t->peak = t->held > t->peak ? t->held : t->peak;
        hs_status done = posted == HS_OK ? hs__messages_wait(&t->messages) : posted;
        status = status == HS_OK ? done : status;
        if (round > 0 && t->rounds > 1 && status == HS_OK)
            release(t, round);
    }
    return status;
}

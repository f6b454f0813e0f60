/* SPDX-License-Identifier: BSD-3-Clause */
/* What the root of hs_farm_run() sends when.
 *
 * By an installment plan: one message after the other, in its order; before each further installment the rest is shared
 * out anew. To all at once: a rank gets more when what it has lasts no longer than LEAD_SECONDS, an eighth of what is
 * left for it each time, so that there is always something left to share out anew, and all end together. */
#include "runtime/farm/master.h"
#include "util/array.h"
#include <math.h>

/* A message must arrive, at the pace of hosts that pause for some 10 ms at a time, before the work before it ends. */
static const double LEAD_SECONDS = 0.06, LEAST_SECONDS = 0.02, CORRECTION_SECONDS = 0.02;
enum { PARTS = 8 };

/* As much of a chunk is handed to MPI at a time as its link carries until the root looks again: a library that is
 * handed all sends all before it returns, to one rank after the other. */
static const double WINDOW_SECONDS = 0.01;
enum { LEAST_WINDOW = 2 };

static hs_status post_order(hs__master *m, int rank, int64_t first, int64_t count)
{
    m->order[rank] = (hs__farm_order){first, count};
    hs__items bytes = {(char *)&m->order[rank], MPI_BYTE, 1, 1};
    return hs__pieces_post(&m->out[rank], HS__SEND, HS__WHOLE, &bytes, 0, sizeof *m->order, rank, HS__ORDER_TAG,
                           m->farm->context->internal);
}

/* Pieces that are handed over at a time. */
static size_t window_of(const hs__master *m, int rank)
{
    double seconds = m->farm->comm_time[rank] * (double)hs__piece_items(m->item.bytes, HS__FINE);
    double pieces = WINDOW_SECONDS / fmax(seconds, 1e-9);
    return (size_t)fmax(ceil(pieces), LEAST_WINDOW);
}

/* Hands over more of the rank's chunk. */
static hs_status feed(hs__master *m, int rank)
{
    hs__worker *hand = &m->hand[rank];
    hs__pieces *out = &m->out[rank];
    int64_t piece = hs__piece_items(m->item.bytes, HS__FINE);
    size_t window = hand->left > 0 ? window_of(m, rank) : 0;
    hs_status status = HS_OK;
    while (status == HS_OK && hand->left > 0 && out->count - out->ended < window) {
        int64_t count = hand->left < piece ? hand->left : piece;
        status = hs__pieces_post(out, HS__SEND, HS__FINE, &m->item, hand->leaving, count, rank, HS__ITEMS_TAG,
                                 m->farm->context->internal);
        hand->leaving += count;
        hand->left -= count;
    }
    return status;
}

static int sending(const hs__master *m, int rank)
{
    return m->out[rank].count > 0 || m->hand[rank].left > 0;
}

static hs_status give(hs__master *m, int rank, int64_t count)
{
    hs__worker *hand = &m->hand[rank];
    int64_t first = m->next;
    if (hs__array_reserve(&m->chunks, &m->chunk_capacity, m->chunk_count + 1, sizeof *m->chunks) != 0)
        return HS_ERR_NOMEM;
    m->chunks[m->chunk_count++] = (hs__chunk){rank, first, count};
    m->next += count;
    if (hand->sent == hand->done) {
        hand->alive_s = hs__master_now(m);
        double items = (double)(m->farm->plan.at_once ? hs__piece_items(m->item.bytes, HS__FINE) : count);
        hand->seen_s = hs__master_now(m) + m->farm->comm_time[rank] * fmin(items, (double)count);
    }
    hand->sent += count;
    if (rank == m->farm->root)
        return HS_OK;
    hand->leaving = first;
    hand->left = count;
    hs_status status = post_order(m, rank, first, count);
    return status == HS_OK ? feed(m, rank) : status;
}

/* ---- One message after the other ---- */

/* The next rank of the plan that gets anything. */
static hs_status give_next(hs__master *m)
{
    const hs__farm_plan *plan = &m->farm->plan;
    if (m->at == 0 && m->round > 0)
        hs__master_correct(m, hs__master_now(m));
    int rank = plan->send[m->at], size = m->farm->size;
    int64_t count = plan->chunk[m->round * size + rank];
    if (++m->at == size) {
        m->at = 0;
        m->round++;
    }
    return count > 0 ? give(m, rank, count) : HS_OK;
}

/* ---- To all at once ---- */

static hs_status give_who_needs(hs__master *m)
{
    const hs_farm *farm = m->farm;
    double now = hs__master_now(m);
    int corrected = m->next == 0 || now < m->corrected_s + CORRECTION_SECONDS;
    hs_status status = HS_OK;
    for (int k = 0; k < farm->size && status == HS_OK; k++) {
        int rank = farm->plan.send[k];
        int64_t *left = &farm->plan.chunk[rank];
        if (sending(m, rank) || hs__master_backlog(m, rank, now) > LEAD_SECONDS)
            continue;
        if (!corrected) {
            hs__master_correct(m, now);
            m->corrected_s = now;
            corrected = 1;
        }
        if (*left == 0)
            continue;
        int64_t least = (int64_t)ceil(LEAST_SECONDS / farm->cycle_time[rank]);
        int64_t count = *left / PARTS > least ? *left / PARTS : least;
        count = count < *left ? count : *left;
        *left -= count;
        status = give(m, rank, count);
    }
    return status;
}

/* ---- Both ---- */

int hs__master_sending_to(const hs__master *m)
{
    for (int r = 0; r < m->farm->size; r++)
        if (sending(m, r))
            return r;
    return -1;
}

static hs_status go_on_sending(hs__master *m)
{
    hs_status status = HS_OK;
    for (int r = 0; r < m->farm->size && status == HS_OK; r++) {
        int done = 0;
        size_t before = m->out[r].ended;
        if (m->out[r].count > 0)
            status = hs__pieces_test(&m->out[r], &done);
        if (done || m->out[r].ended > before) {
            m->event_ns = hs__clock_ns();
            m->hand[r].alive_s = hs__master_now(m);
        }
        if (status == HS_OK)
            status = feed(m, r);
    }
    return status;
}

static hs_status tell_the_end(hs__master *m)
{
    hs_status status = HS_OK;
    m->ended = 1;
    m->sent_s = hs__master_now(m);
    for (int r = 0; r < m->farm->size && status == HS_OK; r++)
        if (r != m->farm->root)
            status = post_order(m, r, 0, 0);
    return status;
}

hs_status hs__master_send(hs__master *m)
{
    int at_once = m->farm->plan.at_once;
    hs_status status = go_on_sending(m);
    if (m->ended || status != HS_OK)
        return status;
    if (at_once && m->next < m->job->n)
        status = give_who_needs(m);
    while (!at_once && status == HS_OK && m->next < m->job->n && hs__master_sending_to(m) < 0)
        status = give_next(m);
    if (status == HS_OK && m->next == m->job->n && hs__master_sending_to(m) < 0)
        status = tell_the_end(m);
    return status;
}

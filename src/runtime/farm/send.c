/* SPDX-License-Identifier: BSD-3-Clause */
/* What the root of hs_farm_run() sends when.
 *
 * By an installment plan: one message after the other, in the plan's order; before each further installment the items
 * that remain are shared out anew. To all at once: a rank gets more when what it has lasts no longer than LEAD_SECONDS, its
 * latency, and an item of a root that computes; then it gets an eighth of what is planned for it, so that there is always
 * something left to share out anew, but enough until the root looks again. */
#include "runtime/farm/master.h"
#include "util/array.h"
#include "util/assert.h"
#include <math.h>

/* Hosts with a quota pause for some 10 ms at a time; the next message must arrive before a rank has nothing to do. */
static const double LEAD_SECONDS = 0.06, MIN_CHUNK_SECONDS = 0.02, CORRECTION_SECONDS = 0.02;
enum { PARTS = 8 };

/* MPI gets as much of a chunk at a time as its link carries until the root polls again: some libraries send everything
 * that they were given before they return, to one rank after the other. */
static const double WINDOW_SECONDS = 0.01;
enum { MIN_WINDOW = 2 };

/* Seconds for which a rank may have to wait for the root, beside those of a batch of short items: it computes one at least. */
static double away_seconds(const hs__master *m, int rank)
{
    int root = m->farm->root;
    const hs__worker *own = &m->worker[root];
    int computes = own->done < own->assigned || hs__master_planned(m, root) > 0;
    return computes && rank != root ? m->farm->cycle_time[root] : 0.0;
}

static hs_status post_order(hs__master *m, int rank, int64_t first, int64_t count)
{
    m->sending.order[rank] = (hs__farm_order){first, count};
    hs__items bytes = {.data = (char *)&m->sending.order[rank], .type = MPI_BYTE, .extent = 1, .end = 1, .bytes = 1};
    return hs__pieces_post(&m->sending.out[rank], HS__SEND, HS__WHOLE, &bytes, 0, sizeof *m->sending.order, rank,
                           HS__ORDER_TAG, m->farm->context->internal);
}

/* Pieces under way to a rank at a time. */
static double window_of(const hs__master *m, int rank)
{
    double seconds = m->farm->comm_time[rank] * (double)hs__piece_items(m->item.bytes, HS__FINE);
    double pieces = (WINDOW_SECONDS + away_seconds(m, rank)) / fmax(seconds, 1e-9);
    return fmax(ceil(pieces), MIN_WINDOW);
}

/* Give MPI more of the rank's chunk. */
static hs_status fill_window(hs__master *m, int rank)
{
    hs__worker *worker = &m->worker[rank];
    hs__pieces *out = &m->sending.out[rank];
    int64_t piece = hs__piece_items(m->item.bytes, HS__FINE);
    double window = worker->unsent > 0 ? window_of(m, rank) : 0.0;
    hs_status status = HS_OK;
    while (status == HS_OK && worker->unsent > 0 && (double)(out->count - out->ended) < window) {
        int64_t count = worker->unsent < piece ? worker->unsent : piece;
        status = hs__pieces_post(out, HS__SEND, HS__FINE, &m->item, worker->next_out, count, rank, HS__ITEMS_TAG,
                                 m->farm->context->internal);
        worker->next_out += count;
        worker->unsent -= count;
    }
    return status;
}

static int is_sending(const hs__master *m, int rank)
{
    return m->sending.out[rank].count > 0 || m->worker[rank].unsent > 0;
}

/* Assign the next count items to a rank, and begin to send them. */
static hs_status assign(hs__master *m, int rank, int64_t count)
{
    hs__worker *worker = &m->worker[rank];
    int64_t first = m->next;
    HS_ASSERT(count > 0 && count <= m->job->n - m->next && !is_sending(m, rank));
    if (hs__array_reserve(&m->chunks, &m->chunk_capacity, m->chunk_count + 1, sizeof *m->chunks) != 0 ||
        hs__pieces_reserve(&m->results.in, &m->result, count) != HS_OK)
        return HS_ERR_NOMEM;
    m->chunks[m->chunk_count++] = (hs__chunk){rank, first, count};
    m->next += count;
    if (worker->assigned == worker->done) {
        double items = (double)(m->farm->plan.at_once ? hs__piece_items(m->item.bytes, HS__FINE) : count);
        worker->alive_s = hs__master_now(m);
        worker->busy_from_s = worker->alive_s + m->farm->comm_time[rank] * fmin(items, (double)count);
    }
    worker->assigned += count;
    if (rank == m->farm->root)
        return HS_OK;
    worker->next_out = first;
    worker->unsent = count;
    hs_status status = post_order(m, rank, first, count);
    return status == HS_OK ? fill_window(m, rank) : status;
}

/* ---- One message after the other ---- */

static hs_status send_next_chunk(hs__master *m)
{
    const hs__farm_plan *plan = &m->farm->plan;
    if (m->sending.place == 0 && m->sending.round > 0)
        hs__master_correct(m, hs__master_now(m));
    int rank = plan->send[m->sending.place], size = m->farm->size;
    int64_t *chunk = &plan->chunk[m->sending.round * size + rank], count = *chunk;
    HS_ASSERT(m->sending.round < plan->rounds);
    *chunk = 0;
    if (++m->sending.place == size) {
        m->sending.place = 0;
        m->sending.round++;
    }
    return count > 0 ? assign(m, rank, count) : HS_OK;
}

/* ---- To all at once ---- */

static hs_status feed_ranks(hs__master *m)
{
    const hs_farm *farm = m->farm;
    double now = hs__master_now(m);
    int corrected = m->next == 0 || now < m->correction.last_s + CORRECTION_SECONDS;
    hs_status status = HS_OK;
    for (int k = 0; k < farm->size && status == HS_OK; k++) {
        int rank = farm->plan.send[k];
        int64_t *planned = &farm->plan.chunk[rank];
        double away = away_seconds(m, rank);
        if (is_sending(m, rank) || hs__master_backlog(m, rank, now) > LEAD_SECONDS + away + farm->latency[rank])
            continue;
        if (!corrected) {
            hs__master_correct(m, now);
            m->correction.last_s = now;
            corrected = 1;
        }
        if (*planned == 0)
            continue;
        double least = ceil((MIN_CHUNK_SECONDS + away) / farm->cycle_time[rank]);
        int64_t count = (int64_t)fmin(fmax((double)(*planned / PARTS), least), (double)*planned);
        *planned -= count;
        status = assign(m, rank, count);
    }
    return status;
}

/* ---- Both ---- */

int hs__master_is_sending(const hs__master *m)
{
    for (int r = 0; r < m->farm->size; r++)
        if (is_sending(m, r))
            return 1;
    return 0;
}

static hs_status continue_sending(hs__master *m)
{
    hs_status status = HS_OK;
    for (int r = 0; r < m->farm->size && status == HS_OK; r++) {
        int done = 0;
        size_t before = m->sending.out[r].ended;
        if (m->sending.out[r].count > 0)
            status = hs__pieces_test(&m->sending.out[r], &done);
        if (done || m->sending.out[r].ended > before) {
            m->event_ns = hs__clock_ns();
            m->worker[r].alive_s = hs__master_now(m);
        }
        if (status == HS_OK)
            status = fill_window(m, r);
    }
    return status;
}

static hs_status send_end(hs__master *m)
{
    hs_status status = HS_OK;
    m->sending.ended = 1;
    for (int r = 0; r < m->farm->size && status == HS_OK; r++)
        if (r != m->farm->root)
            status = post_order(m, r, 0, 0);
    return status;
}

hs_status hs__master_send(hs__master *m)
{
    int at_once = m->farm->plan.at_once;
    hs_status status = continue_sending(m);
    if (m->sending.ended || status != HS_OK)
        return status;
    if (at_once && m->next < m->job->n)
        status = feed_ranks(m);
    while (!at_once && status == HS_OK && m->next < m->job->n && !hs__master_is_sending(m))
        status = send_next_chunk(m);
    if (status == HS_OK && m->next == m->job->n && !hs__master_is_sending(m))
        status = send_end(m);
    return status;
}

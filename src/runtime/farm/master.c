/* SPDX-License-Identifier: BSD-3-Clause */
/* The root of hs_farm_run(): sends by the plan, computes its own share meanwhile, hears reports, and collects results
 * in the planned order when all items are sent. */
#include "runtime/farm/master.h"
#include "runtime/base/backoff.h"
#include "runtime/base/parked_buffer.h"
#include "util/array.h"
#include <math.h>
#include <stdlib.h>

/* A prior worth this many seconds of computing; and how often progress is told. */
static const double PRIOR_SECONDS = 0.05;
#define TELL_NS 100000000

/* A rank may be this many times as slow as it usually is. */
static const double PATIENCE = 10.0;

/* The root must look this often within the time-out to accuse others of silence. */
static const double LOOKS = 8.0;

double hs__master_now(const hs__master *m)
{
    return 1e-9 * (double)(hs__clock_ns() - m->begun_ns);
}

/* After a failure messages may still be under way. */
static void master_free(hs__master *m, hs_status status)
{
    hs__park_buffer(m->order, status != HS_OK);
    hs__park_buffer(m->report, status != HS_OK);
    for (int r = 0; r < m->farm->size && m->out; r++)
        hs__pieces_free(&m->out[r]);
    free(m->out);
    free(m->heard);
    free(m->hand);
    free(m->chunks);
    free(m->listening);
    free(m->by_comm_time);
    free(m->busy);
    free(m->cycle_time);
    free(m->share);
    free(m->count);
    hs__pieces_free(&m->in);
}

static hs_status master_new(hs__master *m)
{
    size_t p = (size_t)m->farm->size;
    m->hand = hs__array_new(p, sizeof *m->hand);
    m->out = hs__array_new(p, sizeof *m->out);
    m->order = hs__array_new(p, sizeof *m->order);
    m->heard = hs__array_new(p, sizeof *m->heard);
    m->listening = hs__array_new(p, sizeof *m->listening);
    m->report = hs__array_new(p, sizeof *m->report);
    m->by_comm_time = hs__array_new(p, sizeof *m->by_comm_time);
    m->busy = hs__array_new(p, sizeof *m->busy);
    m->cycle_time = hs__array_new(p, sizeof *m->cycle_time);
    m->share = hs__array_new(p, sizeof *m->share);
    m->count = hs__array_new(p, sizeof *m->count);
    return m->hand && m->out && m->order && m->heard && m->listening && m->report && m->by_comm_time && m->busy &&
                   m->cycle_time && m->share && m->count
               ? HS_OK
               : HS_ERR_NOMEM;
}

static hs_status listen(hs__master *m, int rank)
{
    return PMPI_Irecv(&m->report[rank], sizeof *m->report, MPI_BYTE, rank, HS__REPORT_TAG, m->farm->context->internal,
                      &m->listening[rank]) == MPI_SUCCESS
               ? HS_OK
               : HS_ERR_MPI;
}

/* The cheapest messages first; ties by rank. */
static void sort_by_comm_time(hs__master *m)
{
    const double *c = m->farm->comm_time;
    for (int r = 0; r < m->farm->size; r++) {
        int k = r;
        for (; k > 0 && c[m->by_comm_time[k - 1]] > c[r]; k--)
            m->by_comm_time[k] = m->by_comm_time[k - 1];
        m->by_comm_time[k] = r;
    }
}

static hs_status begin(hs__master *m)
{
    hs_status status = HS_OK;
    for (int r = 0; r < m->farm->size; r++)
        m->listening[r] = MPI_REQUEST_NULL;
    for (int r = 0; r < m->farm->size && status == HS_OK; r++) {
        m->hand[r] = (hs__worker){.seconds = PRIOR_SECONDS, .items = PRIOR_SECONDS / m->farm->cycle_time[r]};
        if (r != m->farm->root)
            status = listen(m, r);
    }
    sort_by_comm_time(m);
    return status;
}

/* ---- Receiving ---- */

static hs_status hear(hs__master *m)
{
    int count = 0;
    hs_status status = HS_OK;
    if (PMPI_Testsome(m->farm->size, m->listening, &count, m->heard, MPI_STATUSES_IGNORE) != MPI_SUCCESS)
        return HS_ERR_MPI;
    for (int k = 0; k < count && status == HS_OK; k++) {
        int r = m->heard[k];
        m->event_ns = hs__clock_ns();
        hs__master_hear(m, r, &m->report[r], hs__master_now(m));
        status = listen(m, r);
    }
    return status;
}

static hs_status post_results(hs__master *m, int rank)
{
    hs_status status = HS_OK;
    for (size_t k = 0; k < m->chunk_count && status == HS_OK; k++)
        if (m->chunks[k].rank == rank)
            status = hs__pieces_post(&m->in, HS__RECEIVE, HS__WHOLE, &m->result, m->chunks[k].first, m->chunks[k].count,
                                     rank, HS__RESULTS_TAG, m->farm->context->internal);
    return status;
}

/* Results of one rank after the other. */
static hs_status collect_step(hs__master *m)
{
    hs_status status = HS_OK;
    while (status == HS_OK && m->ended && m->collected < m->farm->size) {
        int rank = m->farm->plan.collect[m->collected], done = 1;
        if (rank != m->farm->root && !m->collecting) {
            m->hand[rank].alive_s = hs__master_now(m);
            status = post_results(m, rank);
        }
        m->collecting = 1;
        if (status == HS_OK && m->in.count > 0)
            status = hs__pieces_test(&m->in, &done);
        if (status != HS_OK || !done)
            return status;
        m->event_ns = hs__clock_ns();
        m->collecting = 0;
        m->collected++;
    }
    return status;
}

/* ---- The root's own items ---- */

/* @return whether there was anything to compute */
static int compute_step(hs__master *m)
{
    int root = m->farm->root;
    double seconds;
    while (m->own < m->chunk_count && m->chunks[m->own].rank != root)
        m->own++;
    if (m->own == m->chunk_count)
        return 0;
    const hs__chunk *g = &m->chunks[m->own];
    int64_t at = g->first + m->own_done;
    int64_t n = hs__batch_run(&m->batch, m->job, &m->item, at, &m->result, at, at, g->count - m->own_done, &seconds);
    double now = hs__master_now(m);
    hs__master_hear(m, root, &(hs__farm_report){(double)n, fmax(seconds, now - m->idle_s)}, now);
    m->idle_s = now;
    m->own_done += n;
    if (m->own_done == g->count) {
        m->own++;
        m->own_done = 0;
    }
    return 1;
}

/* ---- All together ---- */

static int64_t items_done(const hs__master *m)
{
    int64_t sum = 0;
    for (int r = 0; r < m->farm->size; r++)
        sum += m->hand[r].done;
    return sum;
}

static void tell_progress(hs__master *m)
{
    int64_t now = hs__clock_ns();
    if (!m->job->progress || now - m->told_ns < TELL_NS)
        return;
    m->told_ns = now;
    m->job->progress(m->job->context, items_done(m), m->job->n);
}

/* Seconds that a rank may take to compute an item, or to return its results. */
static double patience_with(const hs__master *m, int rank)
{
    const hs_farm *farm = m->farm;
    const hs__worker *hand = &m->hand[rank];
    double items = (double)(hand->done < hand->sent ? hs__piece_items(m->item.bytes, HS__FINE) : hand->sent);
    double bytes = hand->done < hand->sent ? 1.0 : (double)m->result.bytes / fmax((double)m->item.bytes, 1.0);
    return farm->facts.timeout + PATIENCE * (farm->cycle_time[rank] + farm->comm_time[rank] * items * bytes);
}

/* Remembers when this rank was away too long: for a long batch, or because its host stood still. */
static void note_look(hs__master *m)
{
    double now = hs__master_now(m);
    if (now - m->looked_s > m->farm->facts.timeout / LOOKS)
        m->away_s = now;
    m->looked_s = now;
}

/* A rank that is waited for too long, not counting from before the root was away; -1: none. */
static int who_is_silent(const hs__master *m, double *silent)
{
    double now = hs__master_now(m);
    for (int r = 0; r < m->farm->size; r++) {
        const hs__worker *hand = &m->hand[r];
        int asked = m->collecting && m->farm->plan.collect[m->collected] == r;
        *silent = now - fmax(hand->alive_s, m->away_s);
        if (r != m->farm->root && (asked || hand->done < hand->sent) && *silent > patience_with(m, r))
            return r;
    }
    return -1;
}

/* Names the silent rank, and lets the others go. */
static hs_status give_up(hs__master *m, int who, double silent)
{
    static hs__farm_order stop = {0, -1};
    hs_context *context = m->farm->context;
    MPI_Request request;
    long long rest = m->hand[who].sent - m->hand[who].done;
    hs__context_fail(context, HS_ERR_TIMEOUT, "hs_farm_run: rank %d was silent for %.3g s with %lld %s", who, silent,
                     rest > 0 ? rest : (long long)m->hand[who].sent,
                     rest > 0 ? "items to compute" : "results to return");
    hs__context_log(context, HS__LOG_ERROR, "%s", context->error);
    context->gathering.broken = 1;
    for (int r = 0; r < m->farm->size; r++)
        if (r != m->farm->root && r != who &&
            PMPI_Isend(&stop, sizeof stop, MPI_BYTE, r, HS__ORDER_TAG, context->internal, &request) == MPI_SUCCESS)
            PMPI_Request_free(&request);
    return HS_ERR_TIMEOUT;
}

static int finished(const hs__master *m)
{
    return m->ended && hs__master_sending_to(m) < 0 && m->collected == m->farm->size && items_done(m) == m->job->n;
}

static hs_status serve(hs__master *m)
{
    hs_status status = begin(m);
    while (status == HS_OK && !finished(m)) {
        note_look(m);
        status = hs__master_send(m);
        if (status == HS_OK)
            status = hear(m);
        if (status == HS_OK)
            status = collect_step(m);
        if (status != HS_OK)
            break;
        double silent;
        int who = who_is_silent(m, &silent);
        if (who >= 0)
            return give_up(m, who, silent);
        tell_progress(m);
        if (compute_step(m)) {
            m->event_ns = hs__clock_ns();
            continue;
        }
        m->idle_s = hs__master_now(m);
        hs__backoff_since(m->event_ns);
    }
    return status;
}

/* Nobody reports any more. */
static void stop_listening(hs__master *m)
{
    for (int r = 0; r < m->farm->size; r++)
        if (m->listening[r] != MPI_REQUEST_NULL) {
            PMPI_Cancel(&m->listening[r]);
            PMPI_Wait(&m->listening[r], MPI_STATUS_IGNORE);
        }
}

/* The most installments that any rank got. */
static int max_chunks(const hs__master *m)
{
    int64_t most = 0;
    for (int r = 0; r < m->farm->size; r++)
        m->count[r] = 0;
    for (size_t k = 0; k < m->chunk_count; k++) {
        int64_t *count = &m->count[m->chunks[k].rank];
        most = ++*count > most ? *count : most;
    }
    return (int)most;
}

static void sum_up(const hs__master *m, hs_farm_report *report)
{
    hs_farm *farm = m->farm;
    int idle = farm->facts.root_role == HS_FARM_ROOT_IDLE && farm->size > 1;
    double speed = 0.0;
    int64_t away = m->job->n - m->hand[farm->root].sent;
    for (int r = 0; r < farm->size; r++) {
        if (farm->calibrating && m->hand[r].done > 0)
            farm->cycle_time[r] = m->hand[r].computing_s / (double)m->hand[r].done;
        speed += r == farm->root && idle ? 0.0 : 1.0 / farm->cycle_time[r];
    }
    report->rounds = max_chunks(m);
    for (int r = 0; r < farm->size; r++)
        farm->plan.count[r] = m->hand[r].sent;
    report->seconds = hs__master_now(m);
    report->efficiency = (double)m->job->n / speed / report->seconds;
    report->corrections = m->corrections;
    report->moved_bytes = away * (m->item.bytes + m->result.bytes);
}

hs_status hs__farm_serve(hs_farm *farm, const hs_farm_job *job, hs_farm_report *report)
{
    hs__master m = {.farm = farm, .job = job};
    m.begun_ns = m.event_ns = hs__clock_ns();
    hs__items_of(job->items, job->item_type, &m.item);
    hs__items_of(job->results, job->result_type, &m.result);
    hs_status status = master_new(&m);
    if (status == HS_OK)
        status = serve(&m);
    if (status == HS_OK) {
        farm->sending_s = m.sent_s;
        sum_up(&m, report);
        stop_listening(&m);
        if (job->progress)
            job->progress(job->context, job->n, job->n);
    }
    master_free(&m, status);
    return status;
}

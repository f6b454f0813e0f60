/* SPDX-License-Identifier: BSD-3-Clause */
/* The root of hs_farm_run(): sends by the plan, computes its own share meanwhile, receives reports, and collects results
 * in the planned order when all items are sent. */
#include "runtime/farm/master.h"
#include "runtime/base/backoff.h"
#include "runtime/base/parked_buffer.h"
#include "util/array.h"
#include "util/assert.h"
#include <math.h>
#include <stdlib.h>

/* The plan's speeds count as much as this many seconds of computing. */
static const double PRIOR_SECONDS = 0.05;

/* Between calls of job->progress. */
enum { PROGRESS_NS = 100000000 };

/* Only a root that polls so often within the time-out calls others silent. */
static const double MIN_POLLS = 8.0;

double hs__master_now(const hs__master *m)
{
    return 1e-9 * (double)(hs__clock_ns() - m->begun_ns);
}

/* After a failure messages may still be under way. */
static void master_free(hs__master *m, int failed)
{
    hs__park_buffer(m->sending.order, failed);
    hs__park_buffer(m->reports.report, failed);
    for (int r = 0; r < m->farm->size && m->sending.out; r++)
        hs__pieces_free(&m->sending.out[r]);
    hs__pool_free(&m->pool);
    free(m->chunks);
    hs__pieces_free(&m->results.in);
}

static hs_status master_new(hs__master *m)
{
    size_t p = (size_t)m->farm->size;
    m->worker = hs__pool_new(&m->pool, p, sizeof *m->worker);
    m->sending.out = hs__pool_new(&m->pool, p, sizeof *m->sending.out);
    m->sending.order = hs__array_new(p, sizeof *m->sending.order);
    m->reports.ready = hs__pool_new(&m->pool, p, sizeof *m->reports.ready);
    m->reports.request = hs__pool_new(&m->pool, p, sizeof *m->reports.request);
    m->reports.report = hs__array_new(p, sizeof *m->reports.report);
    m->correction.by_comm_time = hs__pool_new(&m->pool, p, sizeof *m->correction.by_comm_time);
    m->correction.busy = hs__pool_new(&m->pool, p, sizeof *m->correction.busy);
    m->correction.cycle_time = hs__pool_new(&m->pool, p, sizeof *m->correction.cycle_time);
    m->correction.share = hs__pool_new(&m->pool, p, sizeof *m->correction.share);
    m->correction.count = hs__pool_new(&m->pool, p, sizeof *m->correction.count);
    return m->sending.order && m->reports.report ? hs__pool_status(&m->pool) : HS_ERR_NOMEM;
}

static hs_status listen(hs__master *m, int rank)
{
    return PMPI_Irecv(&m->reports.report[rank], sizeof *m->reports.report, MPI_BYTE, rank, HS__REPORT_TAG,
                      m->farm->context->internal, &m->reports.request[rank]) == MPI_SUCCESS
               ? HS_OK
               : HS_ERR_MPI;
}

/* The cheapest messages first; ties by rank. */
static void sort_by_comm_time(hs__master *m)
{
    const double *c = m->farm->comm_time;
    int *rank = m->correction.by_comm_time;
    for (int r = 0; r < m->farm->size; r++) {
        int k = r;
        for (; k > 0 && c[rank[k - 1]] > c[r]; k--)
            rank[k] = rank[k - 1];
        rank[k] = r;
    }
}

static hs_status begin(hs__master *m)
{
    hs_status status = HS_OK;
    for (int r = 0; r < m->farm->size; r++)
        m->reports.request[r] = MPI_REQUEST_NULL;
    for (int r = 0; r < m->farm->size && status == HS_OK; r++) {
        m->worker[r] = (hs__worker){.seconds = PRIOR_SECONDS, .items = PRIOR_SECONDS / m->farm->cycle_time[r]};
        if (r != m->farm->root)
            status = listen(m, r);
    }
    sort_by_comm_time(m);
    return status;
}

/* ---- Receiving ---- */

/* At most one report of each rank; *count: how many. */
static hs_status receive_next_reports(hs__master *m, int *count)
{
    hs_status status = HS_OK;
    *count = 0;
    if (PMPI_Testsome(m->farm->size, m->reports.request, count, m->reports.ready, MPI_STATUSES_IGNORE) != MPI_SUCCESS)
        return HS_ERR_MPI;
    for (int k = 0; k < *count && status == HS_OK; k++) {
        int r = m->reports.ready[k];
        m->event_ns = hs__clock_ns();
        m->failed |= m->reports.report[r].items < 0;
        if (m->failed)
            break;
        hs__master_take_report(m, r, &m->reports.report[r], hs__master_now(m));
        status = listen(m, r);
    }
    return status;
}

/* All that have come: while the root computes a long item a rank may report several times. Open MPI's MPI_Testsome finds what
 * has come in its next call. */
static hs_status receive_reports(hs__master *m)
{
    hs_status status = HS_OK;
    for (int count, in_vain = 0; in_vain < 2 && status == HS_OK && !m->failed;) {
        status = receive_next_reports(m, &count);
        in_vain = count > 0 ? 0 : in_vain + 1;
    }
    return status;
}

static hs_status post_results(hs__master *m, int rank)
{
    hs_status status = HS_OK;
    for (size_t k = 0; k < m->chunk_count && status == HS_OK; k++)
        if (m->chunks[k].rank == rank)
            status = hs__pieces_post(&m->results.in, HS__RECEIVE, HS__WHOLE, &m->result, m->chunks[k].first,
                                     m->chunks[k].count, rank, HS__RESULTS_TAG, m->farm->context->internal);
    return status;
}

/* Results of one rank after the other. */
static hs_status collect_results(hs__master *m)
{
    hs__results *results = &m->results;
    hs_status status = HS_OK;
    while (status == HS_OK && m->sending.ended && results->next < m->farm->size) {
        int rank = m->farm->plan.collect[results->next], done = 1;
        if (rank != m->farm->root && !results->under_way) {
            m->worker[rank].alive_s = hs__master_now(m);
            status = post_results(m, rank);
        }
        results->under_way = 1;
        size_t before = results->in.ended;
        if (status == HS_OK && results->in.count > 0)
            status = hs__pieces_test(&results->in, &done);
        if (done || results->in.ended > before) {
            m->event_ns = hs__clock_ns();
            m->worker[rank].alive_s = hs__master_now(m);
        }
        if (status != HS_OK || !done)
            return status;
        results->under_way = 0;
        results->next++;
    }
    return status;
}

/* ---- The root's own items ---- */

/* @return whether there was anything to compute */
static int compute_batch(hs__master *m)
{
    hs__own_items *own = &m->own;
    int root = m->farm->root;
    double seconds;
    while (own->chunk < m->chunk_count && m->chunks[own->chunk].rank != root)
        own->chunk++;
    if (own->chunk == m->chunk_count)
        return 0;
    const hs__chunk *g = &m->chunks[own->chunk];
    int64_t at = g->first + own->done;
    int64_t n = hs__batch_run(&own->batch, m->job, &m->item, at, &m->result, at, at, g->count - own->done, &seconds);
    double now = hs__master_now(m);
    hs__master_take_report(m, root, &(hs__farm_report){(double)n, fmax(seconds, now - own->idle_s)}, now);
    own->idle_s = now;
    own->done += n;
    if (own->done == g->count) {
        own->chunk++;
        own->done = 0;
    }
    return 1;
}

/* ---- All together ---- */

static int64_t items_done(const hs__master *m)
{
    int64_t sum = 0;
    for (int r = 0; r < m->farm->size; r++)
        sum += m->worker[r].done;
    return sum;
}

static void report_progress(hs__master *m)
{
    int64_t now = hs__clock_ns();
    if (!m->job->progress || now - m->progress_ns < PROGRESS_NS)
        return;
    m->progress_ns = now;
    m->job->progress(m->job->context, items_done(m), m->job->n);
}

/* Seconds that a rank may take to compute an item, or to return its results. */
static double time_limit(const hs__master *m, int rank)
{
    const hs_farm *farm = m->farm;
    const hs__worker *worker = &m->worker[rank];
    double items =
        (double)(worker->done < worker->assigned ? hs__piece_items(m->item.bytes, HS__FINE) : worker->assigned);
    double bytes = worker->done < worker->assigned ? 1.0 : (double)m->result.bytes / fmax((double)m->item.bytes, 1.0);
    return hs__farm_patience(farm, farm->cycle_time[rank] + farm->comm_time[rank] * items * bytes);
}

/* Note when this rank has not polled for too long: for a long batch, or because its host stood still. */
static void note_poll(hs__master *m)
{
    double now = hs__master_now(m);
    if (now - m->polled_s > m->farm->facts.timeout / MIN_POLLS)
        m->away_s = now;
    m->polled_s = now;
}

/* A rank that is waited for too long, not counting the time before the root was away; -1: none. */
static int find_silent(const hs__master *m, double *silent)
{
    double now = hs__master_now(m);
    for (int r = 0; r < m->farm->size; r++) {
        const hs__worker *worker = &m->worker[r];
        int returns = m->results.under_way && m->farm->plan.collect[m->results.next] == r;
        *silent = now - fmax(worker->alive_s, m->away_s);
        if (r != m->farm->root && (returns || worker->done < worker->assigned) && *silent > time_limit(m, r))
            return r;
    }
    return -1;
}

/* Tell all workers but one why the run ends early. */
static void stop_workers(const hs_farm *farm, int except, hs_status why)
{
    static const int whys[] = {HS_ERR_TIMEOUT, HS_ERR_NOMEM}; /* outlive the messages */
    MPI_Request request;
    for (int r = 0; r < farm->size; r++)
        if (r != farm->root && r != except &&
            PMPI_Isend(&whys[why != HS_ERR_TIMEOUT], 1, MPI_INT, r, HS__STOP_TAG, farm->context->internal, &request) ==
                MPI_SUCCESS)
            PMPI_Request_free(&request);
}

/* Name the silent rank, and stop the others. */
static hs_status give_up(hs__master *m, int who, double silent)
{
    hs_context *context = m->farm->context;
    long long items = m->worker[who].assigned - m->worker[who].done;
    hs__context_fail(context, HS_ERR_TIMEOUT, "hs_farm_run: rank %d was silent for %.3g s with %lld %s", who, silent,
                     items > 0 ? items : (long long)m->worker[who].assigned,
                     items > 0 ? "items to compute" : "results to return");
    hs__context_log(context, HS__LOG_ERROR, "%s", context->error);
    context->peers.broken = 1;
    stop_workers(m->farm, who, HS_ERR_TIMEOUT);
    return HS_ERR_TIMEOUT;
}

static int finished(const hs__master *m)
{
    return m->sending.ended && !hs__master_is_sending(m) && m->results.next == m->farm->size &&
           items_done(m) == m->job->n;
}

static hs_status serve(hs__master *m)
{
    hs_status status = begin(m);
    while (status == HS_OK && !m->failed && !finished(m)) {
        note_poll(m);
        status = receive_reports(m);
        if (status == HS_OK && !m->failed)
            status = hs__master_send(m);
        if (status == HS_OK)
            status = collect_results(m);
        if (status != HS_OK || m->failed)
            break;
        double silent;
        int who = find_silent(m, &silent);
        if (who >= 0)
            return give_up(m, who, silent);
        report_progress(m);
        if (compute_batch(m)) {
            m->event_ns = hs__clock_ns();
            continue;
        }
        m->own.idle_s = hs__master_now(m);
        hs__backoff_since(m->event_ns);
    }
    return status;
}

/* No rank reports any more. */
static void stop_listening(hs__master *m)
{
    for (int r = 0; r < m->farm->size; r++)
        if (m->reports.request[r] != MPI_REQUEST_NULL) {
            PMPI_Cancel(&m->reports.request[r]);
            PMPI_Wait(&m->reports.request[r], MPI_STATUS_IGNORE);
        }
}

hs_status hs__master_check(const hs__master *m, hs_error *error)
{
    const hs__farm_plan *plan = &m->farm->plan;
    int64_t next = 0, planned = 0;
    for (size_t k = 0; k < m->chunk_count; next += m->chunks[k++].count)
        if (m->chunks[k].first != next || m->chunks[k].count < 1)
            return hs_error_set(error, HS_ERR_INTERNAL, 0, "chunk %zu begins at item %lld, not at %lld", k,
                                (long long)m->chunks[k].first, (long long)next);
    for (int r = 0; r < m->farm->size; r++) {
        const hs__worker *worker = &m->worker[r];
        int64_t assigned = 0;
        for (size_t k = 0; k < m->chunk_count; k++)
            assigned += m->chunks[k].rank == r ? m->chunks[k].count : 0;
        if (worker->assigned != assigned || worker->done > assigned || worker->unsent > assigned)
            return hs_error_set(error, HS_ERR_INTERNAL, 0,
                                "rank %d was assigned %lld items, its chunks have %lld and %lld are done", r,
                                (long long)worker->assigned, (long long)assigned, (long long)worker->done);
    }
    for (int k = 0; k < plan->rounds * m->farm->size; k++)
        planned += plan->chunk[k];
    if (next != m->next || next + planned != m->job->n)
        return hs_error_set(error, HS_ERR_INTERNAL, 0, "%lld items are assigned and %lld planned, not %lld in all",
                            (long long)next, (long long)planned, (long long)m->job->n);
    return HS_OK;
}

/* The largest number of chunks that a rank got. */
static int max_chunks(const hs__master *m)
{
    int64_t most = 0;
    for (int r = 0; r < m->farm->size; r++)
        m->correction.count[r] = 0;
    for (size_t k = 0; k < m->chunk_count; k++) {
        int64_t *count = &m->correction.count[m->chunks[k].rank];
        most = ++*count > most ? *count : most;
    }
    return (int)most;
}

/* Items a second, on the whole; of a rank that had none as far as known. */
static double shown_speed(const hs__master *m, int rank)
{
    const hs__worker *worker = &m->worker[rank];
    return worker->busy_s > 0 ? (double)worker->done / worker->busy_s : 1.0 / m->farm->cycle_time[rank];
}

static void sum_up(const hs__master *m, hs_farm_report *report)
{
    hs_farm *farm = m->farm;
    HS_ASSERT(hs__master_check(m, NULL) == HS_OK && m->next == m->job->n);
    double speed = 0.0;
    int64_t away = m->job->n - m->worker[farm->root].assigned;
    for (int r = 0; r < farm->size; r++)
        speed += hs__farm_computes(farm, r) ? shown_speed(m, r) : 0.0;
    report->rounds = max_chunks(m);
    for (int r = 0; r < farm->size; r++)
        farm->plan.count[r] = m->worker[r].assigned;
    report->seconds = hs__master_now(m);
    report->efficiency = (double)m->job->n / speed / report->seconds;
    report->corrections = m->correction.made;
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
    if (m.failed || (status != HS_OK && status != HS_ERR_TIMEOUT)) {
        stop_workers(farm, -1, HS_ERR_NOMEM);
    } else if (status == HS_OK) {
        sum_up(&m, report);
        stop_listening(&m);
        if (job->progress)
            job->progress(job->context, job->n, job->n);
    }
    master_free(&m, status != HS_OK || m.failed);
    return status;
}

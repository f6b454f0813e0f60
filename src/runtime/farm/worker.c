/* SPDX-License-Identifier: BSD-3-Clause */
/* A worker of hs_farm_run(): computes one installment while the next arrives. */
#include "runtime/base/backoff.h"
#include "runtime/base/parked_buffer.h"
#include "runtime/farm/run.h"
#include "util/array.h"
#include <math.h>
#include <stdlib.h>

enum { REPORT_NS = 40000000 };

/* One installment. Items are freed when it is computed; results are kept until the root collects. */
typedef struct installment {
    int64_t first, count;
    int64_t here, done; /* items that have arrived, and that are computed */
    char *items, *results;
} installment;

typedef struct worker {
    hs_farm *farm;
    const hs_farm_job *job;
    hs__items item, result; /* layouts; data is set per installment */
    installment *list;
    size_t count, capacity, current; /* list[current] is computed */
    size_t whole;                    /* installments that have arrived to the last item */
    hs__pieces arriving;
    hs__farm_order *order; /* owned */
    MPI_Request listening;
    int finished; /* no more will come */
    hs__batch batch;
    hs__farm_report report;
    int64_t heard_ns;
    int64_t reported_ns;
    double idle_s; /* when it last had nothing to compute, or ended a batch */
} worker;

static hs_status listen(worker *w)
{
    return PMPI_Irecv(w->order, sizeof *w->order, MPI_BYTE, w->farm->root, HS__ORDER_TAG, w->farm->context->internal,
                      &w->listening) == MPI_SUCCESS
               ? HS_OK
               : HS_ERR_MPI;
}

static hs_status accept_order(worker *w)
{
    if (w->order->count == 0) {
        w->finished = 1;
        return HS_OK;
    }
    if (w->order->count < 0) {
        w->farm->context->gathering.broken = 1;
        return hs__context_fail(w->farm->context, HS_ERR_TIMEOUT, "hs_farm_run: the root has given up");
    }
    if (hs__array_reserve(&w->list, &w->capacity, w->count + 1, sizeof *w->list) != 0)
        return HS_ERR_NOMEM;
    installment *x = &w->list[w->count++];
    *x = (installment){.first = w->order->first, .count = w->order->count};
    x->items = hs__array_new((size_t)x->count, (size_t)w->item.extent);
    x->results = hs__array_new((size_t)x->count, (size_t)w->result.extent);
    if (!x->items || !x->results)
        return HS_ERR_NOMEM;
    w->item.data = x->items;
    return hs__pieces_post(&w->arriving, HS__RECEIVE, HS__FINE, &w->item, 0, x->count, w->farm->root, HS__ITEMS_TAG,
                           w->farm->context->internal);
}

/* Takes what has come, without waiting. */
static hs_status look(worker *w)
{
    int done = 0;
    hs_status status = HS_OK;
    if (w->listening != MPI_REQUEST_NULL) {
        if (PMPI_Test(&w->listening, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS)
            return HS_ERR_MPI;
        if (done) {
            w->heard_ns = hs__clock_ns();
            status = accept_order(w);
        }
    }
    if (status != HS_OK || w->whole == w->count)
        return status;
    installment *x = &w->list[w->whole];
    size_t before = w->arriving.ended;
    status = hs__pieces_test(&w->arriving, &done);
    if (done || w->arriving.ended > before)
        w->heard_ns = hs__clock_ns();
    x->here = done ? x->count : (int64_t)w->arriving.ended * hs__piece_items(w->item.bytes, HS__FINE);
    if (status != HS_OK || !done)
        return status;
    w->whole = w->count;
    return listen(w);
}

static hs_status send_report(worker *w)
{
    int code =
        PMPI_Send(&w->report, sizeof w->report, MPI_BYTE, w->farm->root, HS__REPORT_TAG, w->farm->context->internal);
    w->report = (hs__farm_report){0};
    w->reported_ns = hs__clock_ns();
    return code == MPI_SUCCESS ? HS_OK : HS_ERR_MPI;
}

static hs_status compute(worker *w)
{
    installment *x = &w->list[w->current];
    double seconds;
    w->item.data = x->items;
    w->result.data = x->results;
    int64_t n = hs__batch_run(&w->batch, w->job, &w->item, x->done, &w->result, x->done, x->first + x->done,
                              x->here - x->done, &seconds);
    x->done += n;
    w->report.items += (double)n;
    double now = hs__clock_wall(); /* messages cost a worker time, too */
    w->report.seconds += fmax(seconds, now - w->idle_s);
    w->idle_s = now;
    w->heard_ns = hs__clock_ns();
    if (x->done < x->count)
        return w->heard_ns - w->reported_ns < REPORT_NS ? HS_OK : send_report(w);
    free(x->items);
    x->items = NULL;
    w->current++;
    return send_report(w);
}

/* The first of the workers tells it. */
static hs_status give_up(worker *w, const char *what, double seconds)
{
    hs_context *context = w->farm->context;
    context->gathering.broken = 1;
    hs__context_fail(context, HS_ERR_TIMEOUT, "hs_farm_run: rank %d, the root, %s for %.3g s", w->farm->root, what,
                     seconds);
    if (w->farm->rank == (w->farm->root == 0))
        hs__context_log(context, HS__LOG_ERROR, "%s", context->error);
    return HS_ERR_TIMEOUT;
}

static hs_status check_patience(worker *w)
{
    double silent = 1e-9 * (double)(hs__clock_ns() - w->heard_ns);
    return silent <= hs__farm_backoff(w->farm) ? HS_OK : give_up(w, "was silent", silent);
}

static hs_status compute_all(worker *w)
{
    hs_status status = listen(w);
    while (status == HS_OK && !(w->finished && w->current == w->count)) {
        status = look(w);
        if (status != HS_OK)
            return status;
        if (w->current < w->count && w->list[w->current].done < w->list[w->current].here) {
            status = compute(w);
            continue;
        }
        hs__backoff_since(w->heard_ns);
        w->idle_s = hs__clock_wall();
        status = check_patience(w);
    }
    return status;
}

static hs_status return_results(worker *w)
{
    hs__pieces out = {0};
    hs_status status = HS_OK;
    for (size_t k = 0; k < w->count && status == HS_OK; k++) {
        w->result.data = w->list[k].results;
        status = hs__pieces_post(&out, HS__SEND, HS__WHOLE, &w->result, 0, w->list[k].count, w->farm->root,
                                 HS__RESULTS_TAG, w->farm->context->internal);
    }
    if (status == HS_OK)
        status = hs__farm_wait(w->farm, hs__farm_backoff(w->farm), (int)out.count, out.request);
    if (status == HS_ERR_TIMEOUT)
        status = give_up(w, "took no results", hs__farm_backoff(w->farm));
    hs__pieces_free(&out);
    return status;
}

/* After a failure messages may still be under way. */
static void worker_free(worker *w, hs_status status)
{
    for (size_t k = 0; k < w->count; k++) {
        hs__park_buffer(w->list[k].items, status != HS_OK);
        hs__park_buffer(w->list[k].results, status != HS_OK);
    }
    hs__park_buffer(w->order, status != HS_OK);
    free(w->list);
    hs__pieces_free(&w->arriving);
}

hs_status hs__farm_work(hs_farm *farm, const hs_farm_job *job)
{
    worker w = {.farm = farm,
                .job = job,
                .listening = MPI_REQUEST_NULL,
                .order = hs__array_new(1, sizeof *w.order),
                .heard_ns = hs__clock_ns(),
                .idle_s = hs__clock_wall()};
    hs__items_of(NULL, job->item_type, &w.item);
    hs__items_of(NULL, job->result_type, &w.result);
    hs_status status = w.order ? compute_all(&w) : HS_ERR_NOMEM;
    if (status == HS_OK)
        status = return_results(&w);
    worker_free(&w, status);
    return status;
}

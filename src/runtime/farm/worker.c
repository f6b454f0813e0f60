/* SPDX-License-Identifier: BSD-3-Clause */
/* A worker of hs_farm_run(): computes one installment while the next arrives. */
#include "runtime/base/backoff.h"
#include "runtime/base/parked_buffer.h"
#include "runtime/farm/run.h"
#include "util/array.h"
#include "util/assert.h"
#include <math.h>
#include <stdlib.h>

enum { REPORT_NS = 40000000 };

/* One installment. Items are freed when it is computed; results are kept until the root collects. */
typedef struct installment {
    int64_t first, count;
    int64_t here, done; /* items that have arrived, and that are computed */
    hs__items items, results;
    void *item_room, *result_room; /* where they lie; owned */
} installment;

/* What MPI may write to even after a failure. */
typedef struct mailbox {
    hs__farm_order order;
    int stop; /* the status with which the root has stopped the run */
} mailbox;

typedef struct worker {
    hs_farm *farm;
    const hs_farm_job *job;
    hs__items item, result; /* layouts, without data */
    installment *list;
    size_t count, capacity, current; /* list[current] is computed */
    size_t complete;                 /* installments whose items have all arrived */
    hs__pieces arriving, returning;
    mailbox *mail; /* owned */
    MPI_Request order, stop;
    int ended;   /* no more items will come */
    int stopped; /* the run ends early */
    hs__batch batch;
    hs__farm_report report;
    int64_t event_ns;    /* clock when the root was last heard of */
    int64_t reported_ns; /* clock of the last report */
    double idle_s;       /* when it last had nothing to compute, or ended a batch */
} worker;

static hs_status listen(const worker *w, void *place, size_t bytes, int tag, MPI_Request *request)
{
    int code = PMPI_Irecv(place, (int)bytes, MPI_BYTE, w->farm->root, tag, w->farm->context->internal, request);
    return code == MPI_SUCCESS ? HS_OK : HS_ERR_MPI;
}

static hs_status listen_for_order(worker *w)
{
    return listen(w, &w->mail->order, sizeof w->mail->order, HS__ORDER_TAG, &w->order);
}

static hs_status accept_order(worker *w)
{
    const hs__farm_order *order = &w->mail->order;
    HS_ASSERT(order->count >= 0 && order->first >= 0 && order->first + order->count <= w->job->n);
    w->ended = order->count == 0;
    if (w->ended)
        return HS_OK;
    if (hs__array_reserve(&w->list, &w->capacity, w->count + 1, sizeof *w->list) != 0)
        return HS_ERR_NOMEM;
    installment *x = &w->list[w->count++];
    HS_ASSERT(w->count == 1 || order->first >= x[-1].first + x[-1].count);
    *x = (installment){.first = order->first, .count = order->count, .items = w->item, .results = w->result};
    x->item_room = hs__items_allocate(&x->items, x->count);
    x->result_room = hs__items_allocate(&x->results, x->count);
    if (!x->item_room || !x->result_room || hs__pieces_reserve(&w->returning, &w->result, x->count) != HS_OK)
        return HS_ERR_NOMEM;
    return hs__pieces_post(&w->arriving, HS__RECEIVE, HS__FINE, &x->items, 0, x->count, w->farm->root, HS__ITEMS_TAG,
                           w->farm->context->internal);
}

/* A root that stops the run for a silent rank waits for no agreement. */
static hs_status test_stop(worker *w)
{
    if (PMPI_Test(&w->stop, &w->stopped, MPI_STATUS_IGNORE) != MPI_SUCCESS)
        return HS_ERR_MPI;
    if (!w->stopped || w->mail->stop != HS_ERR_TIMEOUT)
        return HS_OK;
    w->farm->context->peers.broken = 1;
    return hs__context_fail(w->farm->context, HS_ERR_TIMEOUT, "hs_farm_run: the root has given up");
}

static hs_status test_order(worker *w)
{
    int done = 0;
    if (w->order == MPI_REQUEST_NULL)
        return HS_OK;
    if (PMPI_Test(&w->order, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS)
        return HS_ERR_MPI;
    if (done)
        w->event_ns = hs__clock_ns();
    return done ? accept_order(w) : HS_OK;
}

/* Items of the last installment; the next order may come when they are all here. */
static hs_status test_items(worker *w)
{
    int done = 0;
    if (w->complete == w->count)
        return HS_OK;
    installment *x = &w->list[w->complete];
    size_t before = w->arriving.ended;
    hs_status status = hs__pieces_test(&w->arriving, &done);
    if (done || w->arriving.ended > before)
        w->event_ns = hs__clock_ns();
    x->here = done ? x->count : (int64_t)w->arriving.ended * hs__piece_items(w->item.bytes, HS__FINE);
    HS_ASSERT(x->done <= x->here && x->here <= x->count);
    if (status != HS_OK || !done)
        return status;
    w->complete = w->count;
    return listen_for_order(w);
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
    int64_t n = hs__batch_run(&w->batch, w->job, &x->items, x->done, &x->results, x->done, x->first + x->done,
                              x->here - x->done, &seconds);
    x->done += n;
    HS_ASSERT(n > 0 && x->done <= x->here);
    w->report.items += (double)n;
    double now = hs__clock_wall(); /* messages cost a worker time, too */
    w->report.seconds += fmax(seconds, now - w->idle_s);
    w->idle_s = now;
    w->event_ns = hs__clock_ns();
    if (x->done < x->count)
        return w->event_ns - w->reported_ns < REPORT_NS ? HS_OK : send_report(w);
    free(x->item_room);
    x->item_room = NULL;
    w->current++;
    return send_report(w);
}

/* Wait a moment, unless the root has been silent for too long: then the first of the workers says so. Only here the
 * worker looks whether it is to stop, since each test of a request costs a host with a small quota computing time. */
static hs_status back_off(worker *w, const char *what)
{
    hs_context *context = w->farm->context;
    double silent = 1e-9 * (double)(hs__clock_ns() - w->event_ns);
    hs__backoff_since(w->event_ns);
    hs_status status = test_stop(w);
    if (status != HS_OK || w->stopped || silent <= hs__farm_time_limit(w->farm))
        return status;
    context->peers.broken = 1;
    hs__context_fail(context, HS_ERR_TIMEOUT, "hs_farm_run: rank %d, the root, %s for %.3g s", w->farm->root, what,
                     silent);
    if (w->farm->rank == (w->farm->root == 0))
        hs__context_log(context, HS__LOG_ERROR, "%s", context->error);
    return HS_ERR_TIMEOUT;
}

static hs_status compute_all(worker *w)
{
    hs_status status = HS_OK;
    while (status == HS_OK && !w->stopped && !(w->ended && w->current == w->count)) {
        status = test_order(w);
        if (status == HS_OK)
            status = test_items(w);
        if (status != HS_OK)
            return status;
        if (w->current < w->count && w->list[w->current].done < w->list[w->current].here) {
            status = compute(w);
            continue;
        }
        status = back_off(w, "was silent");
        w->idle_s = hs__clock_wall();
    }
    return status;
}

static hs_status return_results(worker *w)
{
    hs_status status = HS_OK;
    for (size_t k = 0; k < w->count && status == HS_OK; k++) {
        HS_ASSERT(w->list[k].done == w->list[k].count);
        status = hs__pieces_post(&w->returning, HS__SEND, HS__WHOLE, &w->list[k].results, 0, w->list[k].count,
                                 w->farm->root, HS__RESULTS_TAG, w->farm->context->internal);
    }
    for (int done = 0; status == HS_OK && !w->stopped;) {
        size_t before = w->returning.ended;
        status = hs__pieces_test(&w->returning, &done);
        if (done || status != HS_OK)
            break;
        if (w->returning.ended > before)
            w->event_ns = hs__clock_ns();
        status = back_off(w, "took no results");
    }
    return status;
}

static void cancel(MPI_Request *request)
{
    if (*request == MPI_REQUEST_NULL)
        return;
    PMPI_Cancel(request);
    PMPI_Wait(request, MPI_STATUS_IGNORE);
}

/* After a failure messages may still be under way. */
static void worker_free(worker *w, int failed)
{
    for (size_t k = 0; k < w->count; k++) {
        hs__park_buffer(w->list[k].item_room, failed);
        hs__park_buffer(w->list[k].result_room, failed);
    }
    if (!failed)
        cancel(&w->stop);
    hs__park_buffer(w->mail, failed);
    free(w->list);
    hs__pieces_free(&w->arriving);
    hs__pieces_free(&w->returning);
}

hs_status hs__farm_work(hs_farm *farm, const hs_farm_job *job)
{
    worker w = {.farm = farm,
                .job = job,
                .order = MPI_REQUEST_NULL,
                .stop = MPI_REQUEST_NULL,
                .mail = hs__array_new(1, sizeof *w.mail),
                .event_ns = hs__clock_ns(),
                .idle_s = hs__clock_wall()};
    hs__items_of(NULL, job->item_type, &w.item);
    hs__items_of(NULL, job->result_type, &w.result);
    hs_status status = w.mail ? listen(&w, &w.mail->stop, sizeof w.mail->stop, HS__STOP_TAG, &w.stop) : HS_ERR_NOMEM;
    if (status == HS_OK)
        status = listen_for_order(&w);
    if (status == HS_OK)
        status = compute_all(&w);
    if (status == HS_OK && !w.stopped)
        status = return_results(&w);
    if (status != HS_OK && status != HS_ERR_TIMEOUT) {
        w.report = (hs__farm_report){.items = -1};
        send_report(&w);
    }
    worker_free(&w, status != HS_OK || w.stopped);
    return status;
}

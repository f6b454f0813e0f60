/* SPDX-License-Identifier: BSD-3-Clause */
/* hs_farm_run() and hs_farm_sample(): what both sides share. */
#include "runtime/farm_run.h"
#include "runtime/monitor.h"
#include "util/array.h"
#include <math.h>
#include <sched.h>
#include <stdlib.h>
#include <time.h>

/* A look at messages costs some 10 us of processor time; a host with a small share of one takes long for that. */
static const double BATCH_CPU_SECONDS = 5e-4, BATCH_SECONDS = 1e-2;
static const double FIRST_SECONDS = 0.1; /* of a run whose items nobody knows */
enum { FIRST_SAMPLES = 16, MOST_SAMPLES = 4096, SHORTEST_WAIT_NS = 20000, LONGEST_PAUSE_NS = 200000 };

int64_t hs__batch_run(hs__batch *batch, const hs_farm_job *job, const hs__items *items, int64_t item_at,
                      const hs__items *results, int64_t result_at, int64_t first, int64_t count, double *seconds)
{
    int64_t n = batch->items < 1 ? 1 : batch->items;
    n = n < count ? n : count;
    double begun = hs__clock_wall(), cpu = hs__clock_cpu();
    job->compute(job->context, first, n, hs__items_at(items, item_at), hs__items_at(results, result_at));
    cpu = hs__clock_cpu() - cpu;
    *seconds = hs__clock_wall() - begun;
    double fit = (double)n * fmin(BATCH_CPU_SECONDS / fmax(cpu, 1e-9), BATCH_SECONDS / fmax(*seconds, 1e-9));
    batch->items = (int64_t)fmin(fmax(fit, 1.0), 2.0 * (double)n + 1.0);
    return n;
}

void hs__farm_pause(int64_t then_ns)
{
    int64_t waited = hs__clock_ns() - then_ns;
    if (waited < SHORTEST_WAIT_NS) {
        sched_yield();
        return;
    }
    struct timespec span = {0, waited / 8 < LONGEST_PAUSE_NS ? waited / 8 : LONGEST_PAUSE_NS};
    nanosleep(&span, NULL);
}

/* All ranks have the same job, of items and results that can be moved. */
static hs_status check_job(hs_farm *farm, const hs_farm_job *job, int operation, int64_t extra, hs_status status)
{
    static const char *const names[HS__RECORD_VALUES] = {"n", "bytes an item", "bytes a result", "samples"};
    hs__items item = {0}, result = {0};
    hs__context_clear(farm->context);
    if (job->n < 0 || job->n >= (int64_t)1 << 53 || !job->compute)
        status = HS_ERR_ARG;
    if (status == HS_OK)
        status = hs__items_of(job->items, job->item_type, &item);
    if (status == HS_OK)
        status = hs__items_of(job->results, job->result_type, &result);
    if (status == HS_OK && (item.extent < 1 || result.extent < 1))
        status = HS_ERR_ARG;
    hs__record record = {operation, status, {job->n, item.bytes, result.bytes, extra}, {0}};
    return hs__agree(farm->context, &record, names);
}

/* ---- Samples ---- */

typedef struct samples {
    int count;
    int64_t *index; /* of the job's items */
    hs__items item, result;
} samples;

static void samples_free(samples *x)
{
    free(x->index);
    free(x->item.data);
    free(x->result.data);
}

static hs_status samples_new(const hs_farm_job *job, int count, samples *x)
{
    hs__items_of(NULL, job->item_type, &x->item);
    hs__items_of(NULL, job->result_type, &x->result);
    x->count = count;
    x->index = hs__array_new((size_t)count, sizeof *x->index);
    x->item.data = hs__array_new((size_t)count, (size_t)x->item.extent);
    x->result.data = hs__array_new(1, (size_t)x->result.extent);
    for (int k = 0; x->index && k < count; k++)
        x->index[k] = (int64_t)(((double)k + 0.5) * (double)job->n / count);
    return x->index && x->item.data && x->result.data ? HS_OK : HS_ERR_NOMEM;
}

/* The root's chosen items become everybody's. */
static hs_status spread(hs_farm *farm, const hs_farm_job *job, samples *x)
{
    hs__items all;
    hs_status status = HS_OK;
    hs__items_of(job->items, job->item_type, &all);
    for (int k = 0; k < x->count && farm->rank == farm->root && status == HS_OK; k++) {
        hs__items place = {hs__items_at(&x->item, k), x->item.type, x->item.extent, x->item.bytes};
        status = hs__items_copy(&all, x->index[k], &place, 1, MPI_COMM_SELF);
    }
    MPI_Request request;
    if (status == HS_OK &&
        PMPI_Ibcast(x->item.data, x->count, x->item.type, farm->root, farm->context->internal, &request) != MPI_SUCCESS)
        status = HS_ERR_MPI;
    return status == HS_OK ? hs__wait_all(farm->context, 1, &request) : status;
}

/* Whole passes over the samples, so that each counts alike. @return seconds an item */
static double time_samples(const hs_farm_job *job, const samples *x, double seconds)
{
    double begun = hs__clock_wall(), now = begun;
    int64_t done = 0;
    while (done == 0 || now - begun < seconds) {
        for (int k = 0; k < x->count; k++)
            job->compute(job->context, x->index[k], 1, hs__items_at(&x->item, k), x->result.data);
        done += x->count;
        now = hs__clock_wall();
    }
    return fmax((now - begun) / (double)done, 1e-12);
}

static hs_status sample(hs_farm *farm, const hs_farm_job *job, int count, double seconds)
{
    samples x = {0};
    count = (int64_t)count < job->n ? count : (int)job->n;
    hs_status status = samples_new(job, count, &x);
    if (status == HS_OK)
        status = spread(farm, job, &x);
    double own = status == HS_OK ? time_samples(job, &x, seconds) : 0;
    hs__record record = {HS__OP_FARM_SAMPLE, status, {0}, {own}};
    status = hs__agree(farm->context, &record, NULL);
    for (int r = 0; r < farm->size && status == HS_OK; r++)
        farm->cycle_time[r] = farm->context->gathering.all[r].time[0];
    farm->timed |= status == HS_OK;
    samples_free(&x);
    return status;
}

hs_status hs_farm_sample(hs_farm *farm, const hs_farm_job *job, int items, double seconds)
{
    int bad = items < 1 || items > MOST_SAMPLES || !(seconds > 0) || !isfinite(seconds);
    hs__monitor_enter();
    hs_status status = check_job(farm, job, HS__OP_FARM_SAMPLE, items, bad ? HS_ERR_ARG : HS_OK);
    if (status == HS_OK && job->n > 0)
        status = sample(farm, job, items, seconds);
    hs__monitor_leave();
    return status;
}

/* ---- Runs ---- */

static hs_status run(hs_farm *farm, const hs_farm_job *job, hs_farm_report *report)
{
    hs_status status = check_job(farm, job, HS__OP_FARM_RUN, 0, HS_OK);
    if (status == HS_OK && !farm->timed && job->n > 0)
        status = sample(farm, job, FIRST_SAMPLES, FIRST_SECONDS);
    if (status == HS_OK)
        status = hs__farm_make_plan(farm, job->n, HS__FARM_OVERLAPPED);
    if (status != HS_OK)
        return status;
    report->planned = hs_farm_makespan(farm);
    report->rounds = farm->plan.rounds;
    if (job->n == 0)
        return HS_OK;
    return farm->rank == farm->root ? hs__farm_serve(farm, job, report) : hs__farm_work(farm, job);
}

hs_status hs_farm_run(hs_farm *farm, const hs_farm_job *job, hs_farm_report *out)
{
    hs_farm_report report = {0};
    hs__monitor_enter();
    hs_status status = run(farm, job, &report);
    if (!farm->context->gathering.broken) {
        hs__record record = {HS__OP_FARM_RUN, status, {0}, {0}};
        double usual = farm->context->params.timeout;
        farm->context->params.timeout = hs__farm_patience(farm);
        hs_status all = hs__agree(farm->context, &record, NULL);
        farm->context->params.timeout = usual;
        status = status == HS_OK ? all : status;
    }
    if (status == HS_OK)
        status = hs__farm_share(farm, &report, sizeof report);
    if (status == HS_OK)
        status = hs__farm_share(farm, farm->cycle_time, (size_t)farm->size * sizeof(double));
    if (status == HS_OK && out)
        *out = report;
    hs__monitor_leave();
    return status;
}

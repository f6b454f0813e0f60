/* SPDX-License-Identifier: BSD-3-Clause */
/* hs_farm_run(): what both sides share. */
#include "runtime/farm/run.h"
#include "runtime/watch/call_back.h"
#include "util/array.h"
#include <math.h>
#include <stdlib.h>

/* A poll for messages costs some 10 us of processor time, more wall-clock time on a host with a small quota. */
static const double BATCH_CPU_SECONDS = 5e-4, BATCH_SECONDS = 1e-2;
static const double FIRST_SECONDS = 0.1; /* to sample items of unknown cost */
enum { FIRST_SAMPLES = 16 };

int64_t hs__batch_run(hs__batch *batch, const hs_farm_job *job, const hs__items *items, int64_t item_at,
                      const hs__items *results, int64_t result_at, int64_t first, int64_t count, double *seconds)
{
    int64_t n = batch->items < 1 ? 1 : batch->items;
    n = n < count ? n : count;
    double begun = hs__clock_wall(), cpu = hs__clock_cpu();
    uintptr_t inside = hs__call_back_begin();
    job->compute(job->context, first, n, hs__items_at(items, item_at), hs__items_at(results, result_at));
    hs__call_back_end(inside);
    cpu = hs__clock_cpu() - cpu;
    *seconds = hs__clock_wall() - begun;
    double fit = (double)n * fmin(BATCH_CPU_SECONDS / fmax(cpu, 1e-9), BATCH_SECONDS / fmax(*seconds, 1e-9));
    batch->items = (int64_t)fmin(fmax(fit, 1.0), 2.0 * (double)n + 1.0);
    return n;
}

static const hs__items_names item_names = {"job->items", "job->item_type"},
                             result_names = {"job->results", "job->result_type"};

/* Local. */
static hs_status check_job(hs_farm *farm, const hs_farm_job *job, const char *call, hs__items *item, hs__items *result)
{
    if (!job)
        return hs__context_fail(farm->context, HS_ERR_ARG, "%s: job is NULL, expected a pointer", call);
    if (job->n < 0 || job->n >= HS__FARM_ITEMS_END)
        return hs__context_fail(farm->context, HS_ERR_ARG, "%s: job->n is %lld, expected 0 to %lld", call,
                                (long long)job->n, (long long)HS__FARM_ITEMS_END - 1);
    if (!job->compute)
        return hs__context_fail(farm->context, HS_ERR_ARG, "%s: job->compute is NULL", call);
    MPI_Comm comm = farm->context->internal;
    int64_t n = farm->rank == farm->root ? job->n : 0; /* elsewhere there are none */
    hs_error error = {0};
    *item = (hs__items){.data = (char *)job->items, .type = job->item_type};
    *result = (hs__items){.data = job->results, .type = job->result_type};
    if (hs__items_given(item, n, item_names, comm, &error) != HS_OK ||
        hs__items_given(result, n, result_names, comm, &error) != HS_OK)
        return hs__context_fail(farm->context, HS_ERR_ARG, "%s: %s", call, error.text);
    if (item->extent < 1 || result->extent < 1)
        return hs__context_fail(farm->context, HS_ERR_ARG, "%s: %s is no MPI datatype of some extent", call,
                                item->extent < 1 ? item_names.type : result_names.type);
    return HS_OK;
}

/* All ranks have the same job, of items and results that can be moved. */
hs_status hs__farm_check_job(hs_farm *farm, const hs_farm_job *job, int operation, int64_t extra, hs_status status)
{
    static const char *const names[HS__RECORD_VALUES] = {"n", "bytes an item", "bytes a result", "samples"};
    hs__items item = {0}, result = {0};
    if (status == HS_OK)
        status = check_job(farm, job, hs__operation_name(operation), &item, &result);
    hs__record record = {operation, status, {job ? job->n : 0, item.bytes, result.bytes, extra}, {0}};
    return hs__agree(farm->context, &record, names);
}

static hs_status carry_out(hs_farm *farm, const hs_farm_job *job, hs_farm_report *report)
{
    hs__peers *peers = &farm->context->peers;
    hs_status status = hs__farm_make_plan(farm, job->n, HS__FARM_OVERLAPPED);
    if (status != HS_OK || job->n == 0)
        return status;
    report->planned = hs_farm_makespan(farm);
    status = farm->rank == farm->root ? hs__farm_serve(farm, job, report) : hs__farm_work(farm, job);
    if (!peers->broken) {
        hs_status all =
            hs__farm_agree(farm, hs__farm_time_limit(farm), &(hs__record){HS__OP_FARM_RUN, status, {0}, {0}});
        status = status == HS_OK ? all : status;
        peers->broken |= status != HS_OK;
    }
    if (status == HS_OK)
        status = hs__farm_share(farm, report, sizeof *report);
    if (status == HS_OK)
        status = hs__farm_share(farm, farm->plan.count, (size_t)farm->size * sizeof *farm->plan.count);
    return status == HS_OK ? hs__farm_share(farm, farm->cycle_time, (size_t)farm->size * sizeof(double)) : status;
}

hs_status hs_farm_run(hs_farm *farm, const hs_farm_job *job, hs_farm_report *out)
{
    HS__RETURN_IF_NULL(farm);
    hs_farm_report report = {0};
    hs_status status = hs__context_begin(farm->context, __func__);
    if (status != HS_OK)
        return status;
    hs__monitor_enter();
    farm->context->calls_back = 1;
    status = hs__farm_check_job(farm, job, HS__OP_FARM_RUN, 0, HS_OK);
    if (status == HS_OK && !farm->timed && job->n > 0)
        status = hs__farm_sample(farm, job, HS__OP_FARM_RUN, FIRST_SAMPLES, FIRST_SECONDS);
    if (status == HS_OK)
        status = carry_out(farm, job, &report);
    if (status == HS_OK && out)
        *out = report;
    hs__context_called_back(farm->context, status);
    hs__monitor_leave();
    return status;
}

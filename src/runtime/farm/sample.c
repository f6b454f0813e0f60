/* SPDX-License-Identifier: BSD-3-Clause */
/* hs_farm_sample(): what items cost on each rank, timed on some of them. */
#include "runtime/base/parked_buffer.h"
#include "runtime/farm/run.h"
#include "runtime/watch/monitor.h"
#include "util/array.h"
#include "util/assert.h"
#include <math.h>
#include <stdlib.h>

enum { MAX_SAMPLES = 4096 };

/* Items spread evenly over those of a job. */
typedef struct samples {
    int count;
    int64_t *index;                /* number of each in the job; owned */
    hs__items item;                /* [count] */
    hs__items result;              /* of one item, overwritten by the next */
    void *item_room, *result_room; /* where they lie; owned */
} samples;

static void samples_free(samples *x, hs_status status)
{
    free(x->index);
    hs__park_buffer(x->item_room, status != HS_OK);
    free(x->result_room);
}

static hs_status samples_new(const hs_farm_job *job, int count, samples *x)
{
    hs__items_of(NULL, job->item_type, &x->item);
    hs__items_of(NULL, job->result_type, &x->result);
    x->count = count;
    x->index = hs__array_new((size_t)count, sizeof *x->index);
    x->item_room = hs__items_allocate(&x->item, count);
    x->result_room = hs__items_allocate(&x->result, 1);
    if (!x->index || !x->item_room || !x->result_room)
        return HS_ERR_NOMEM;
    for (int k = 0; k < count; k++) {
        x->index[k] = (int64_t)((k + 0.5) * (double)job->n / count);
        HS_ASSERT(x->index[k] < job->n && (k == 0 || x->index[k] > x->index[k - 1]));
    }
    return HS_OK;
}

/* Copy the root's chosen items to all ranks. */
static hs_status share_items(hs_farm *farm, const hs_farm_job *job, samples *x)
{
    hs__items all;
    hs_status status = HS_OK;
    hs__items_of(job->items, job->item_type, &all);
    for (int k = 0; k < x->count && farm->rank == farm->root && status == HS_OK; k++) {
        hs__items place = x->item;
        place.data = hs__items_at(&x->item, k);
        status = hs__items_copy(&all, x->index[k], &place, 1, farm->context->internal);
    }
    MPI_Request request;
    if (status == HS_OK &&
        PMPI_Ibcast(x->item.data, x->count, x->item.type, farm->root, farm->context->internal, &request) != MPI_SUCCESS)
        status = HS_ERR_MPI;
    return status == HS_OK ? hs__wait_all(farm->context, 1, &request) : status;
}

/* One sample, and more while there is time: then all of them again and again, so that each counts alike.
 * @return seconds an item */
static double time_samples(const hs_farm_job *job, const samples *x, double seconds)
{
    double begun = hs__clock_wall(), now = begun;
    int64_t done = 0;
    while (done == 0 || now - begun < seconds) {
        int first = done < x->count ? (int)done : 0, end = done < x->count ? first + 1 : x->count;
        for (int k = first; k < end; k++)
            job->compute(job->context, x->index[k], 1, hs__items_at(&x->item, k), x->result.data);
        done += end - first;
        now = hs__clock_wall();
    }
    return fmax((now - begun) / (double)done, 1e-12);
}

hs_status hs__farm_sample(hs_farm *farm, const hs_farm_job *job, hs__operation operation, int items, double seconds)
{
    samples x = {0};
    hs__record record = {operation, samples_new(job, job->n < items ? (int)job->n : items, &x), {0}, {0}};
    hs_status status = hs__agree(farm->context, &record, NULL);
    if (status == HS_OK) {
        record.status = share_items(farm, job, &x);
        record.time[0] = record.status == HS_OK ? time_samples(job, &x, seconds) : 0;
        status = hs__farm_agree(farm, hs__farm_patience(farm, record.time[0]), &record);
    }
    for (int r = 0; r < farm->size && status == HS_OK; r++)
        if (isfinite(farm->cycle_time[r])) /* a host that is off stays so */
            farm->cycle_time[r] = farm->context->gathering.all[r].time[0];
    farm->timed |= status == HS_OK;
    farm->sampled |= status == HS_OK;
    samples_free(&x, status);
    return status;
}

hs_status hs_farm_sample(hs_farm *farm, const hs_farm_job *job, int items, double seconds)
{
    HS__RETURN_IF_NULL(farm);
    hs_status status = hs__context_begin(farm->context, __func__);
    if (status != HS_OK)
        return status;
    if (items < 1 || items > MAX_SAMPLES)
        status = hs__context_fail(farm->context, HS_ERR_ARG, "hs_farm_sample: items is %d, expected 1 to %d", items,
                                  MAX_SAMPLES);
    else if (!(seconds > 0) || !isfinite(seconds))
        status =
            hs__context_fail(farm->context, HS_ERR_ARG, "hs_farm_sample: seconds is %g, expected above 0", seconds);
    hs__monitor_enter();
    farm->context->calls_back = 1;
    status = hs__farm_check_job(farm, job, HS__OP_FARM_SAMPLE, items, status);
    if (status == HS_OK && job->n > 0)
        status = hs__farm_sample(farm, job, HS__OP_FARM_SAMPLE, items, seconds);
    hs__context_called_back(farm->context, status);
    hs__monitor_leave();
    return status;
}

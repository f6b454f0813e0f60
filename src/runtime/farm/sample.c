/* SPDX-License-Identifier: BSD-3-Clause */
/* hs_farm_sample(): what items cost, first computed alone on all ranks, then in a short run with all that goes with it.
 */
#include "runtime/base/parked_buffer.h"
#include "runtime/farm/run.h"
#include "runtime/watch/monitor.h"
#include "util/array.h"
#include "util/median.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SAMPLES = 4096, LEAST_EACH = 8, CALIBRATION_BYTES = 1 << 28, CALIBRATION_RUNS = 8, KEPT = 3 };
static const double NO_PORT = 1e-9; /* of an item's time */
static const double ALIKE = 1.06;   /* the longest over the shortest of the rehearsals kept */

/* The k-th of `count` items spread evenly over n. */
static int64_t evenly(int64_t n, int64_t count, int64_t k)
{
    return (int64_t)(((double)k + 0.5) * (double)n / (double)count);
}

typedef struct samples {
    int count;
    int64_t *index; /* of the job's items */
    hs__items item, result;
} samples;

static void samples_free(samples *x, hs_status status)
{
    free(x->index);
    hs__park_buffer(x->item.data, status != HS_OK);
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
        x->index[k] = evenly(job->n, count, k);
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
        status = hs__items_copy(&all, x->index[k], &place, 1, farm->context->internal);
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

static hs_status time_alone(hs_farm *farm, const hs_farm_job *job, int count, double seconds)
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
    samples_free(&x, status);
    return status;
}

/* ---- Rehearsal ---- */

/* A job of some of another's items, spread evenly over it. */
typedef struct excerpt {
    const hs_farm_job *job;
    int64_t n;
    hs__items item, result;
} excerpt;

static void compute_excerpt(void *context, int64_t first, int64_t count, const void *items, void *results)
{
    excerpt *x = context;
    for (int64_t k = 0; k < count; k++)
        x->job->compute(x->job->context, evenly(x->job->n, x->n, first + k), 1,
                        (const char *)items + k * x->item.extent, (char *)results + k * x->result.extent);
}

/* As many items as all together compute in that time, if memory allows: 0 when they are too few to tell anything. */
static int64_t length_of(const hs_farm *farm, const hs_farm_job *job, const excerpt *x, double seconds)
{
    double speed = 0.0;
    for (int r = 0; r < farm->size; r++)
        if (r != farm->root || farm->facts.root_role == HS_FARM_ROOT_COMPUTES)
            speed += 1.0 / farm->cycle_time[r];
    double most = (double)CALIBRATION_BYTES / (double)(x->item.extent + x->result.extent);
    int64_t n = (int64_t)fmin(fmin(seconds * speed, most), (double)job->n);
    return farm->size > 1 && x->item.bytes > 0 && n >= LEAST_EACH * farm->size ? n : 0;
}

static hs_status excerpt_fill(hs_farm *farm, excerpt *x)
{
    hs__items all;
    hs_status status = HS_OK;
    hs__items_of(x->job->items, x->job->item_type, &all);
    x->item.data = hs__array_new((size_t)x->n, (size_t)x->item.extent);
    x->result.data = hs__array_new((size_t)x->n, (size_t)x->result.extent);
    if (!x->item.data || !x->result.data)
        return HS_ERR_NOMEM;
    for (int64_t k = 0; k < x->n && status == HS_OK; k++) {
        hs__items place = x->item;
        place.data = hs__items_at(&x->item, k);
        status = hs__items_copy(&all, evenly(x->job->n, x->n, k), &place, 1, farm->context->internal);
    }
    return status;
}

typedef struct calibration {
    double seconds;
    double *value; /* the cycle times of all ranks, the port time, the start-up; owned */
} calibration;

/* The shortest so far, in order, and one place more for the next: whatever disturbs a calibration makes it longer. */
typedef struct shown {
    int count;
    calibration of[KEPT + 1];
} shown;

static hs_status shown_new(const hs_farm *farm, shown *s)
{
    for (int k = 0; k <= KEPT; k++)
        if (!(s->of[k].value = hs__array_new((size_t)farm->size + 2, sizeof(double))))
            return HS_ERR_NOMEM;
    return HS_OK;
}

static void shown_free(shown *s)
{
    for (int k = 0; k <= KEPT; k++)
        free(s->of[k].value);
}

static void note(const hs_farm *farm, double seconds, shown *s)
{
    calibration now = {seconds, s->of[s->count].value};
    memcpy(now.value, farm->cycle_time, (size_t)farm->size * sizeof *now.value);
    now.value[farm->size] = farm->port_time;
    now.value[farm->size + 1] = farm->start_up_s;
    int k = s->count;
    for (; k > 0 && s->of[k - 1].seconds > seconds; k--)
        s->of[k] = s->of[k - 1];
    s->of[k] = now;
    s->count += s->count < KEPT;
}

static int alike(const shown *s)
{
    return s->count == KEPT && s->of[KEPT - 1].seconds <= ALIKE * s->of[0].seconds;
}

static double median_of(const shown *s, int which)
{
    double value[KEPT];
    for (int k = 0; k < KEPT; k++)
        value[k] = s->of[k].value[which];
    return hs__median(value, KEPT);
}

static void keep_medians(hs_farm *farm, const shown *s)
{
    for (int r = 0; r < farm->size; r++)
        farm->cycle_time[r] = median_of(s, r);
    farm->port_time = median_of(s, farm->size);
    farm->start_up_s = median_of(s, farm->size + 1);
}

static hs_status calibrate_once(hs_farm *farm, const hs_farm_job *part, shown *s)
{
    hs_farm_report report = {0};
    farm->port_time = NO_PORT * farm->cycle_time[farm->root]; /* not known yet: it does not count */
    farm->start_up_s = 0.0;
    farm->calibrating = 1;
    hs_status status = hs__farm_carry_out(farm, part, &report);
    farm->calibrating = 0;
    farm->port_time = 0.0;
    if (status == HS_OK && farm->rank == farm->root)
        hs__farm_calibrated(farm, part->n, &report);
    if (status == HS_OK)
        note(farm, report.seconds, s);
    return status;
}

/* Runs of an excerpt with messages to all at once. They show what items cost a worker that also receives them, how many
 * the root can send, and how long a run takes to start and end: what the speeds alone do not tell. */
static hs_status calibrate(hs_farm *farm, const hs_farm_job *job, double seconds)
{
    excerpt x = {.job = job};
    shown s = {0};
    hs__items_of(NULL, job->item_type, &x.item);
    hs__items_of(NULL, job->result_type, &x.result);
    x.n = length_of(farm, job, &x, seconds);
    if (x.n == 0)
        return HS_OK;
    hs_status status = shown_new(farm, &s);
    if (status == HS_OK && farm->rank == farm->root)
        status = excerpt_fill(farm, &x);
    hs__record record = {HS__OP_FARM_SAMPLE, status, {0}, {0}};
    status = hs__agree(farm->context, &record, NULL);
    hs_farm_job part = {x.n, x.item.data, job->item_type, x.result.data, job->result_type, compute_excerpt, NULL, &x};
    for (int k = 0; k < CALIBRATION_RUNS && status == HS_OK && !alike(&s); k++)
        status = calibrate_once(farm, &part, &s);
    if (status == HS_OK)
        keep_medians(farm, &s);
    shown_free(&s);
    hs__park_buffer(x.item.data, status != HS_OK);
    hs__park_buffer(x.result.data, status != HS_OK);
    return status;
}

hs_status hs__farm_sample(hs_farm *farm, const hs_farm_job *job, int items, double seconds)
{
    hs_status status = time_alone(farm, job, items, seconds);
    return status == HS_OK ? calibrate(farm, job, seconds) : status;
}

hs_status hs_farm_sample(hs_farm *farm, const hs_farm_job *job, int items, double seconds)
{
    int bad = items < 1 || items > MOST_SAMPLES || !(seconds > 0) || !isfinite(seconds);
    hs__monitor_enter();
    hs_status status = hs__farm_check_job(farm, job, HS__OP_FARM_SAMPLE, items, bad ? HS_ERR_ARG : HS_OK);
    if (status == HS_OK && job->n > 0)
        status = hs__farm_sample(farm, job, items, seconds);
    hs__monitor_leave();
    return status;
}

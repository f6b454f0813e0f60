/* SPDX-License-Identifier: BSD-3-Clause */
/* Shares for programs and libraries that move their own data. */
#include "runtime/base/world_handle.h"
#include "runtime/session/open.h"
#include "runtime/session/place.h"
#include "runtime/watch/library.h"
#include "util/array.h"
#include <heteroslice/hs_slices.h>
#include <stdlib.h>

/* Speeds by rank of comm; equal ones where balancing is switched off. */
static hs_status find_speeds(hs_context *context, double *speed, hs_error *error)
{
    hs__peers *peers = &context->peers;
    size_t size = (size_t)context->size;
    hs_platform *platform = NULL;
    for (size_t r = 0; r < size; r++)
        speed[r] = 1;
    if (context->params.mode == HS_BALANCE_OFF)
        return HS_OK;
    int *host = hs__array_new(size, sizeof *host);
    hs_status status = hs__peers_agree(peers, host ? HS_OK : HS_ERR_NOMEM, NULL);
    if (status == HS_OK)
        status = hs__peers_agree(peers, hs__place_find(peers, &context->params, &platform, host, speed, error), error);
    if (status == HS_OK)
        status = hs__peers_share(peers, 0, speed, size * sizeof *speed);
    hs_platform_free(platform);
    free(host);
    return status;
}

/* Divide n units by speed. Local. */
static hs_status cut(double *speed, int size, int64_t n, int64_t *counts)
{
    double *nothing = hs__array_new((size_t)size, sizeof *nothing);
    if (!nothing)
        return HS_ERR_NOMEM;
    for (int r = 0; r < size; r++)
        speed[r] = 1 / speed[r]; /* seconds a unit; INFINITY for a host that does not compute */
    hs_status status = hs_slices_compute(speed, nothing, size, n, 1, HS_STEP_SERIAL, counts, NULL);
    free(nothing);
    return status;
}

/* A request: counts of n units, or weights. */
typedef struct question {
    hs__record record;
    const char *const *names;
    hs_error problem;
    int64_t n, *counts;
    float *weights;
} question;

/* Local; writes the answer when it is known that all ranks have theirs. */
static hs_status answer(hs_context *context, const question *q, double *speed, int64_t *counts, hs_error *error)
{
    int size = context->size;
    double sum = 0;
    hs_status status = HS_OK;
    for (int r = 0; r < size; r++)
        sum += speed[r];
    if (!(sum > 0) && (q->weights || q->n > 0))
        status = hs_error_set(error, HS_ERR_INFEASIBLE, 0, "no rank computes: the speeds of their hosts are 0");
    else if (q->counts && q->n > 0)
        status = cut(speed, size, q->n, counts);
    status = hs__peers_agree(&context->peers, status, error);
    for (int r = 0; status == HS_OK && r < size; r++) {
        if (q->weights)
            q->weights[r] = (float)(speed[r] / sum);
        else
            q->counts[r] = counts[r];
    }
    return status;
}

/* Collective: the same status on all ranks. */
static hs_status ask(MPI_Comm comm, question *q)
{
    fenv_t program;
    hs_context *context = NULL;
    hs_error error = {0};
    int size = 0;
    hs__library_enter(&program);
    comm = hs__world_of(comm);
    if (hs__peers_check(comm, "", NULL) == HS_OK) /* else hs__session_open() returns the error */
        PMPI_Comm_size(comm, &size);
    double *speed = hs__array_new((size_t)size, sizeof *speed);
    int64_t *counts = hs__array_new((size_t)size, sizeof *counts);
    if (q->record.status == HS_OK && (!speed || !counts))
        q->record.status = HS_ERR_NOMEM;
    hs_status status = hs__session_open(comm, NULL, &q->record, q->names, &q->problem, &context, &error);
    if (status == HS_OK) {
        status = find_speeds(context, speed, &error);
        if (status == HS_OK)
            status = answer(context, q, speed, counts, &error);
        if (status != HS_OK)
            hs__report_failure(context, q->record.operation, status, &error);
        hs__context_free(context);
    }
    free(counts);
    free(speed);
    hs__library_leave(&program);
    return status;
}

hs_status hs_weights(MPI_Comm comm, float *weights)
{
    question q = {.record = {HS__OP_WEIGHTS, HS_OK, {0}, {0}}, .weights = weights};
    if (!weights)
        q.record.status = hs_error_set(&q.problem, HS_ERR_ARG, 0, "weights is NULL, expected one number a rank");
    return ask(comm, &q);
}

hs_status hs_counts(MPI_Comm comm, int64_t n, int64_t *counts)
{
    static const char *const names[HS__RECORD_VALUES] = {"n"};
    question q = {.record = {HS__OP_COUNTS, HS_OK, {n}, {0}}, .names = names, .n = n, .counts = counts};
    if (!counts)
        q.record.status = hs_error_set(&q.problem, HS_ERR_ARG, 0, "counts is NULL, expected one number a rank");
    if (n < 0)
        q.record.status = hs_error_set(&q.problem, HS_ERR_ARG, 0, "n is %lld, expected 0 or more", (long long)n);
    return ask(comm, &q);
}

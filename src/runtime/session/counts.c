/* SPDX-License-Identifier: BSD-3-Clause */
/* Shares for programs and libraries that move their own data. */
#include "runtime/base/environment.h"
#include "runtime/base/world_handle.h"
#include "runtime/session/open.h"
#include "runtime/session/place.h"
#include "runtime/watch/monitor.h"
#include "util/array.h"
#include <heteroslice/hs_slices.h>
#include <stdlib.h>

/* Speeds by rank of comm instead of by place in the ring; equal ones where balancing is switched off. */
static hs_status find_speeds(hs_context *context, double *speed, int *places, hs_error *error)
{
    int position = 0, size = context->size;
    double *ring_speed = NULL;
    for (int r = 0; r < size; r++)
        speed[r] = 1;
    if (context->params.mode == HS_BALANCE_OFF)
        return HS_OK;
    hs_status status = hs__place(context->internal, &context->params, &position, &ring_speed, NULL, error);
    if (status == HS_OK && PMPI_Allgather(&position, 1, MPI_INT, places, 1, MPI_INT, context->internal) != MPI_SUCCESS)
        status = hs_error_set(error, HS_ERR_MPI, 0, "MPI_Allgather failed");
    for (int r = 0; status == HS_OK && r < size; r++)
        speed[r] = ring_speed[places[r]];
    free(ring_speed);
    return status;
}

/* Collective: the same status on all ranks.
 * @param[out] speed  array of comm's size, which the caller frees */
static hs_status open_and_find(MPI_Comm comm, hs__record *mine, const char *const *names, const hs_error *problem,
                               double **speed)
{
    hs_context *context = NULL;
    hs_error error = {0};
    int size = 0, initialized = 0;
    comm = hs__world_of(comm);
    PMPI_Initialized(&initialized);
    if (initialized && comm != MPI_COMM_NULL)
        PMPI_Comm_size(comm, &size);
    double *found = hs__array_new((size_t)size, sizeof *found);
    int *places = hs__array_new((size_t)size, sizeof *places);
    if (mine->status == HS_OK && (!found || !places))
        mine->status = HS_ERR_NOMEM;
    hs_status status = hs__session_open(comm, NULL, mine, names, problem, &context, &error);
    if (status == HS_OK) {
        status = find_speeds(context, found, places, &error);
        if (status != HS_OK && context->rank == 0)
            hs__context_log(context, HS__LOG_ERROR, "%s", error.text);
        hs__context_free(context);
    }
    free(places);
    if (status == HS_OK)
        *speed = found;
    else
        free(found);
    return status;
}

/* @return the size of comm, once a call over it has gone well */
static int size_of(MPI_Comm comm)
{
    int size;
    PMPI_Comm_size(comm, &size);
    return size;
}

hs_status hs_weights(MPI_Comm comm, float *weights)
{
    hs__record mine = {HS__OP_WEIGHTS, HS_OK, {0}, {0}};
    double *speed = NULL, sum = 0;
    hs__monitor_enter();
    hs_status status = open_and_find(comm, &mine, NULL, NULL, &speed);
    int size = status == HS_OK ? size_of(comm) : 0;
    for (int r = 0; r < size; r++)
        sum += speed[r];
    if (status == HS_OK && !(sum > 0))
        status = HS_ERR_INFEASIBLE;
    for (int r = 0; status == HS_OK && r < size; r++)
        weights[r] = (float)(speed[r] / sum);
    free(speed);
    hs__monitor_leave();
    return status;
}

/* Cuts n units by speed. Local. */
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

hs_status hs_counts(MPI_Comm comm, int64_t n, int64_t *counts)
{
    static const char *const names[HS__RECORD_VALUES] = {"n"};
    hs__record mine = {HS__OP_COUNTS, HS_OK, {n}, {0}};
    hs_error problem = {0};
    double *speed = NULL;
    if (n < 0)
        mine.status = hs_error_set(&problem, HS_ERR_ARG, 0, "n is %lld, expected 0 or more", (long long)n);
    hs__monitor_enter();
    hs_status status = open_and_find(comm, &mine, names, &problem, &speed);
    int size = status == HS_OK ? size_of(comm) : 0;
    for (int r = 0; n == 0 && r < size; r++)
        counts[r] = 0;
    if (status == HS_OK && n > 0)
        status = cut(speed, size, n, counts);
    free(speed);
    hs__monitor_leave();
    return status;
}

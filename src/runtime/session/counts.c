/* SPDX-License-Identifier: BSD-3-Clause */
/* Shares for programs and libraries that move their own data. */
#include "runtime/base/environment.h"
#include "runtime/base/world_handle.h"
#include "runtime/session/context.h"
#include "runtime/session/place.h"
#include "runtime/watch/monitor.h"
#include "util/array.h"
#include <heteroslice/hs_slices.h>
#include <stdio.h>
#include <stdlib.h>

/* Speeds by rank of comm instead of by place in the ring. The same status on all ranks. */
static hs_status find_speeds(MPI_Comm comm, int size, const hs_params *params, double *speed, hs_error *error)
{
    int position = 0, *places = hs__array_new((size_t)size, sizeof *places), full = !places, anywhere_full = 1;
    double *ring_speed = NULL;
    PMPI_Allreduce(&full, &anywhere_full, 1, MPI_INT, MPI_MAX, comm);
    hs_status status = anywhere_full ? HS_ERR_NOMEM : hs__place(comm, params, &position, &ring_speed, NULL, error);
    if (status == HS_OK && PMPI_Allgather(&position, 1, MPI_INT, places, 1, MPI_INT, comm) != MPI_SUCCESS)
        status = HS_ERR_MPI;
    for (int r = 0; status == HS_OK && r < size; r++)
        speed[r] = ring_speed[places[r]];
    free(ring_speed);
    free(places);
    return status;
}

/* Equal speeds where balancing is switched off. */
static hs_status speeds(MPI_Comm comm, double *speed, int size)
{
    hs_error error = {0};
    int rank;
    hs_params params = hs__complete_params(NULL, hs__environment());
    comm = hs__world_of(comm);
    PMPI_Comm_rank(comm, &rank);
    if (rank == 0)
        hs__environment_complain();
    for (int r = 0; r < size; r++)
        speed[r] = 1;
    if (params.mode == HS_BALANCE_OFF)
        return HS_OK;
    hs_status status = find_speeds(comm, size, &params, speed, &error);
    if (status != HS_OK && rank == 0 && hs__environment()->log >= HS__LOG_ERROR)
        fprintf(stderr, "heteroslice: error: %s\n", error.text[0] ? error.text : hs_status_text(status));
    return status;
}

/* @return the size of comm; 0 when MPI is not at work */
static int size_of(MPI_Comm comm)
{
    int initialized = 0, finalized = 1, size = 0;
    PMPI_Initialized(&initialized);
    PMPI_Finalized(&finalized);
    if (initialized && !finalized)
        PMPI_Comm_size(comm, &size);
    return size;
}

hs_status hs_weights(MPI_Comm comm, float *weights)
{
    int size = size_of(comm);
    double *speed = hs__array_new((size_t)size, sizeof *speed), sum = 0;
    if (size == 0 || !speed) {
        free(speed);
        return size == 0 ? HS_ERR_STATE : HS_ERR_NOMEM;
    }
    hs__monitor_enter();
    hs_status status = speeds(comm, speed, size);
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

hs_status hs_counts(MPI_Comm comm, int64_t n, int64_t *counts)
{
    int size = size_of(comm);
    if (size == 0)
        return HS_ERR_STATE;
    if (n < 0)
        return HS_ERR_ARG;
    double *speed = hs__array_new((size_t)size, sizeof *speed), *nothing = hs__array_new((size_t)size, sizeof *nothing);
    hs_status status = speed && nothing ? HS_OK : HS_ERR_NOMEM;
    hs__monitor_enter();
    if (status == HS_OK)
        status = speeds(comm, speed, size);
    for (int r = 0; status == HS_OK && r < size; r++)
        speed[r] = 1 / speed[r]; /* seconds a unit; INFINITY for a host that does not compute */
    for (int r = 0; status == HS_OK && n == 0 && r < size; r++)
        counts[r] = 0;
    if (status == HS_OK && n > 0)
        status = hs_slices_compute(speed, nothing, size, n, 1, HS_STEP_SERIAL, counts, NULL);
    free(speed);
    free(nothing);
    hs__monitor_leave();
    return status;
}

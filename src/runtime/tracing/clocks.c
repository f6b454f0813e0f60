/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/tracing/clocks.h"
#include "runtime/base/backoff.h"
#include "runtime/base/ticks.h"
#include "util/assert.h"

enum { TRIES = 32, TAG = 1 };

/* Ranks whose turn comes later leave the processors to those who measure. */
static hs_status wait_for_turn(MPI_Comm comm)
{
    MPI_Request request;
    if (PMPI_Irecv(NULL, 0, MPI_BYTE, 0, TAG, comm, &request) != MPI_SUCCESS)
        return HS_ERR_MPI;
    return hs__backoff_wait(&request);
}

/* Rank 0 tells a rank the time until that has it. */
static hs_status answer(MPI_Comm comm, int rank)
{
    int failed = PMPI_Send(NULL, 0, MPI_BYTE, rank, TAG, comm) != MPI_SUCCESS;
    for (int k = 0; k < TRIES && !failed; k++) {
        failed = PMPI_Recv(NULL, 0, MPI_BYTE, rank, TAG, comm, MPI_STATUS_IGNORE) != MPI_SUCCESS;
        int64_t now = hs__clock_ns();
        failed |= PMPI_Send(&now, 1, MPI_INT64_T, rank, TAG, comm) != MPI_SUCCESS;
    }
    return failed ? HS_ERR_MPI : HS_OK;
}

static hs_status ask(MPI_Comm comm, hs__clock_moment *moment)
{
    int64_t shortest = INT64_MAX, now;
    if (wait_for_turn(comm) != HS_OK)
        return HS_ERR_MPI;
    for (int k = 0; k < TRIES; k++) {
        int64_t begun = hs__ticks();
        if (PMPI_Send(NULL, 0, MPI_BYTE, 0, TAG, comm) != MPI_SUCCESS ||
            PMPI_Recv(&now, 1, MPI_INT64_T, 0, TAG, comm, MPI_STATUS_IGNORE) != MPI_SUCCESS)
            return HS_ERR_MPI;
        int64_t trip = hs__ticks() - begun;
        if (trip < shortest) {
            shortest = trip;
            *moment = (hs__clock_moment){begun + trip / 2, now, hs__ticks_ns(trip) / 2};
        }
    }
    return HS_OK;
}

hs_status hs__clocks_compare(MPI_Comm comm, hs__clock_moment *moment)
{
    int rank, size;
    hs_status status = HS_OK;
    PMPI_Comm_rank(comm, &rank);
    PMPI_Comm_size(comm, &size);
    if (rank > 0)
        return ask(comm, moment);
    *moment = (hs__clock_moment){hs__ticks(), hs__clock_ns(), 0};
    for (int r = 1; r < size && status == HS_OK; r++)
        status = answer(comm, r);
    return status;
}

int64_t hs__clocks_map(const hs__clock_moment *first, const hs__clock_moment *last, int64_t ticks)
{
    HS_ASSERT(last->ticks > first->ticks);
    double rate = (double)(last->ns - first->ns) / (double)(last->ticks - first->ticks);
    return first->ns + (int64_t)((double)(ticks - first->ticks) * rate);
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/base/backoff.h"
#include "util/backoff.h"
#include "util/clock.h"
#include <string.h>

/* Collectives between measurements wait for the slowest rank's measurement. */
static const double BETWEEN_MEASUREMENTS = 5e-3;

void hs__backoff_since(int64_t then_ns)
{
    hs__backoff_pause(hs__clock_ns() - then_ns);
}

hs_status hs__backoff_wait(MPI_Request *request, double expected_s, MPI_Status *status)
{
    int64_t begun = hs__clock_ns(), expected = (int64_t)(1e9 * expected_s);
    for (int done = 0;;) {
        if (PMPI_Test(request, &done, status) != MPI_SUCCESS)
            return HS_ERR_MPI;
        if (done)
            return HS_OK;
        int64_t waited = hs__clock_ns() - begun;
        hs__backoff_pause(waited > expected ? waited : expected);
    }
}

hs_status hs__backoff_gather(MPI_Comm comm, const double *mine, int count, double *all)
{
    MPI_Request request;
    if (PMPI_Iallgather(mine, count, MPI_DOUBLE, all, count, MPI_DOUBLE, comm, &request) != MPI_SUCCESS)
        return HS_ERR_MPI;
    return hs__backoff_wait(&request, BETWEEN_MEASUREMENTS, MPI_STATUS_IGNORE);
}

hs_status hs__backoff_share(MPI_Comm comm, int root, void *bytes, int count)
{
    MPI_Request request;
    if (PMPI_Ibcast(bytes, count, MPI_BYTE, root, comm, &request) != MPI_SUCCESS)
        return HS_ERR_MPI;
    return hs__backoff_wait(&request, BETWEEN_MEASUREMENTS, MPI_STATUS_IGNORE);
}

int hs__all_ok(MPI_Comm comm, int ok)
{
    MPI_Request request;
    int all = 0;
    return PMPI_Iallreduce(&ok, &all, 1, MPI_INT, MPI_MIN, comm, &request) == MPI_SUCCESS &&
           hs__backoff_wait(&request, BETWEEN_MEASUREMENTS, MPI_STATUS_IGNORE) == HS_OK && all;
}

hs_status hs__backoff_agree(MPI_Comm comm, hs_status mine, hs_error *error)
{
    struct {
        int status, rank;
    } own = {mine, 0}, lowest;
    hs_error told = {0};
    MPI_Request request;
    PMPI_Comm_rank(comm, &own.rank);
    if (PMPI_Iallreduce(&own, &lowest, 1, MPI_2INT, MPI_MINLOC, comm, &request) != MPI_SUCCESS ||
        hs__backoff_wait(&request, BETWEEN_MEASUREMENTS, MPI_STATUS_IGNORE) != HS_OK)
        return hs_error_set(error, HS_ERR_MPI, 0, "%s", hs_status_text(HS_ERR_MPI));
    if (lowest.status >= 0)
        return (hs_status)lowest.status;
    if (own.rank == lowest.rank && error)
        told = *error;
    if (own.rank == lowest.rank && !told.text[0])
        hs_error_set(&told, mine, 0, "%s", hs_status_text(mine));
    if (hs__backoff_share(comm, lowest.rank, &told, sizeof told) != HS_OK)
        return hs_error_set(error, HS_ERR_MPI, 0, "%s", hs_status_text(HS_ERR_MPI));
    return hs_error_set(error, (hs_status)lowest.status, told.line, "%s", told.text);
}

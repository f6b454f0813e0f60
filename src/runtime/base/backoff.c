/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/base/backoff.h"
#include "util/backoff.h"
#include "util/clock.h"

/* Between two calls of this the other ranks may have something to do. */
static const int64_t EXPECTED_NS = 5000000;

void hs__backoff_since(int64_t then_ns)
{
    hs__backoff_pause(hs__clock_ns() - then_ns);
}

hs_status hs__backoff_wait(MPI_Request *request)
{
    int64_t begun = hs__clock_ns();
    for (int done = 0;;) {
        if (PMPI_Test(request, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS)
            return HS_ERR_MPI;
        if (done)
            return HS_OK;
        int64_t waited = hs__clock_ns() - begun;
        hs__backoff_pause(waited > EXPECTED_NS ? waited : EXPECTED_NS);
    }
}

hs_status hs__backoff_sum(MPI_Comm comm, double *value, int count)
{
    MPI_Request request;
    if (PMPI_Iallreduce(MPI_IN_PLACE, value, count, MPI_DOUBLE, MPI_SUM, comm, &request) != MPI_SUCCESS)
        return HS_ERR_MPI;
    return hs__backoff_wait(&request);
}

int hs__backoff_least(MPI_Comm comm, int mine)
{
    MPI_Request request;
    int least = 0;
    if (PMPI_Iallreduce(&mine, &least, 1, MPI_INT, MPI_MIN, comm, &request) != MPI_SUCCESS ||
        hs__backoff_wait(&request) != HS_OK)
        return 0;
    return least;
}

int hs__all_ok(MPI_Comm comm, int ok)
{
    return hs__backoff_least(comm, ok != 0);
}

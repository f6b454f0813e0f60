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

int hs__all_ok(MPI_Comm comm, int ok)
{
    MPI_Request request;
    int all = 0, done = 0;
    if (PMPI_Iallreduce(&ok, &all, 1, MPI_INT, MPI_MIN, comm, &request) != MPI_SUCCESS)
        return 0;
    for (int64_t begun = hs__clock_ns();;) {
        if (PMPI_Test(&request, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS)
            return 0;
        if (done)
            return all;
        int64_t waited = hs__clock_ns() - begun;
        hs__backoff_pause(waited > EXPECTED_NS ? waited : EXPECTED_NS);
    }
}

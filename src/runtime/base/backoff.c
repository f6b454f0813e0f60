/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/base/backoff.h"
#include "runtime/base/clock.h"
#include <sched.h>
#include <string.h>

/* For collectives between measurements: a look costs some 5 us, so 1 % of a processor. */
static const hs__backoff relaxed = {20e-6, 500e-6};

/* How long a wait only yields, and how long its pauses may grow: a waiting rank must not eat the quota of a busy one.
 */
enum { POLL_NS = 20000, LONGEST_PAUSE_NS = 200000 };

static void nap(double seconds)
{
    struct timespec time = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
    nanosleep(&time, NULL);
}

void hs__backoff_pause(int64_t then_ns)
{
    int64_t waited = hs__clock_ns() - then_ns;
    if (waited < POLL_NS)
        sched_yield();
    else
        nap(1e-9 * (double)(waited / 8 < LONGEST_PAUSE_NS ? waited / 8 : LONGEST_PAUSE_NS));
}

hs_status hs__backoff_wait(MPI_Request *request, hs__backoff patience, MPI_Status *status)
{
    double begin = hs__clock_wall();
    for (int done = 0;;) {
        if (PMPI_Test(request, &done, status) != MPI_SUCCESS)
            return HS_ERR_MPI;
        if (done)
            return HS_OK;
        if (hs__clock_wall() - begin >= patience.spin)
            nap(patience.nap);
    }
}

hs_status hs__backoff_gather(MPI_Comm comm, const double *mine, int count, double *all)
{
    MPI_Request request;
    if (PMPI_Iallgather(mine, count, MPI_DOUBLE, all, count, MPI_DOUBLE, comm, &request) != MPI_SUCCESS)
        return HS_ERR_MPI;
    return hs__backoff_wait(&request, relaxed, MPI_STATUS_IGNORE);
}

hs_status hs__backoff_share(MPI_Comm comm, int root, void *bytes, int count)
{
    MPI_Request request;
    if (PMPI_Ibcast(bytes, count, MPI_BYTE, root, comm, &request) != MPI_SUCCESS)
        return HS_ERR_MPI;
    return hs__backoff_wait(&request, relaxed, MPI_STATUS_IGNORE);
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
        hs__backoff_wait(&request, relaxed, MPI_STATUS_IGNORE) != HS_OK)
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

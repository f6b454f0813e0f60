/* SPDX-License-Identifier: BSD-3-Clause */
#include "interpose/partition/rank_speeds.h"
#include "plan/placement/cores.h"
#include "runtime/base/backoff.h"
#include "runtime/base/quota.h"
#include "util/array.h"
#include <stdlib.h>

void hs__rank_speeds_adjust(MPI_Comm comm, const int *host, double *speed)
{
    int rank, ranks;
    hs__rank_cores own = {.capacity = hs__quota_capacity()};
    own.quota = hs__quota_group(&own.group);
    PMPI_Comm_rank(comm, &rank);
    PMPI_Comm_size(comm, &ranks);
    hs__rank_cores *cores = rank == 0 ? hs__array_new((size_t)ranks, sizeof *cores) : NULL;
    if (hs__all_ok(comm, rank > 0 || cores)) {
        PMPI_Gather(&own, sizeof own, MPI_BYTE, cores, sizeof own, MPI_BYTE, 0, comm);
        if (rank == 0)
            (void)hs__rank_speeds_divide(ranks, host, cores, speed);
    }
    free(cores);
}

/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_LAUNCH_RANK_H
#define HS_LAUNCH_RANK_H

#include "util/mpi_flavour.h"
#include <stddef.h>

/** What a process learns from the launcher that started it, also before MPI is initialised. */
typedef struct hs__launch_rank {
    int rank, ranks;             /* in the job, and how many it has; -1: not told */
    int local_rank, local_ranks; /* the same on this host */
} hs__launch_rank;

hs__launch_rank hs__launch_this_rank(void);

/** The MPI library whose own launcher started this process, also where a script came in between; HS__MPI_NONE: no launcher
 * did, one within another, or one that starts programs of any, such as srun. */
hs__mpi_flavour hs__launch_flavour(void);

/** A name that all processes of one user's job share, and no other job's on this host; "" when the launcher tells none.
 * Open MPI's launcher and Slurm tell it by PMIx, MPICH's launcher by the socket to it. */
void hs__launch_this_job(char *job, size_t room);

#endif

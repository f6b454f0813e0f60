/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_RUNTIME_BASE_PRESENCE_H
#define HS_RUNTIME_BASE_PRESENCE_H

/* Who else in MPI_COMM_WORLD has this library. A program may preload or link it on some ranks only: a job of several
 * programs, a variable that reaches one host and not the next. The library communicates only where it knows that all
 * ranks take part, and a rank without it would not answer a message. Three sources need no message:
 *
 * - HS_RANKS, which `hs run` sets for all it starts, is the number of ranks in MPI_COMM_WORLD.
 * - Before MPI_Init each rank binds sockets whose names tell its job, its rank and what it has. MPI_Init ends when all
 *   ranks have begun it: then the names of all ranks of this host are there, or will never be. The kernel drops the
 *   names when a process ends.
 * - Where Open MPI is started by PMIx, each rank tells the others on all hosts by it, before MPI_Init, too. */

#include <mpi.h>

/** What is known once MPI is initialised; the same on all ranks that have the library. */
typedef struct hs__presence {
    int everywhere; /* every rank of MPI_COMM_WORLD has the library */
    int preloaded;  /* and has it preloaded */
    int alike;      /* and has the same values of the variables that must be the same */
    int ranks;      /* that are known to have it, this one among them */
    int first;      /* no rank before this one is known to have it preloaded */
} hs__presence;

/** Before MPI_Init or MPI_Session_init; further calls do nothing. */
void hs__presence_announce(int preloaded);

/** After MPI_Init. */
void hs__presence_find(int preloaded);

/** In a program without MPI_Init, when all ranks have announced themselves: whether so many ranks are the whole job, and
 * all are known to have the library preloaded. The same on all ranks that have it. */
int hs__presence_in_job_of(int ranks);

/** What was found; all 0 before. */
const hs__presence *hs__presence_known(void);

/** After MPI_Finalize, which ends when all ranks have begun it: earlier, a slow rank may still look for the names. */
void hs__presence_end(void);

/** Whether all members of a communicator are known to have the library: both groups of an inter-communicator. */
int hs__presence_covers(MPI_Comm comm);

#endif

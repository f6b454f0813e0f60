/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_LAUNCH_PMIX_H
#define HS_LAUNCH_PMIX_H

/* PMIx is how Open MPI's launchers and Slurm connect the ranks of a job. In MPI_Init the MPI library puts there what others
 * need to know, and commits it. A number of ours goes with that. Open MPI 4 and Slurm then hand everything on to all hosts;
 * with Open MPI 5 (PRRTE 3) it stays on its own host until somebody asks for it. */

#include <stdint.h>

/** Before MPI_Init: the number that other ranks shall know. */
void hs__pmix_tell(uint64_t number);

/** In place of PMIx_Put and PMIx_Commit, with what the library says. */
int hs__pmix_put(unsigned char scope, const char *key, void *value);
int hs__pmix_commit(void);

/** After MPI_Init, once, in a rank that has told something: ask the hosts of all ranks of a world of this size for what is
 * not known here. Some 2 milliseconds a rank asked for, many at once. */
void hs__pmix_ask(int size);

/** After MPI_Init, in a rank that has told something: what another one has, if it is known on this host. Some 50
 * microseconds. @return whether it is known */
int hs__pmix_told(int rank, uint64_t *number);

#endif

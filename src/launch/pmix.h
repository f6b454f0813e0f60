/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_LAUNCH_PMIX_H
#define HS_LAUNCH_PMIX_H

/* PMIx is how Open MPI's launchers and Slurm connect the ranks of a job. In MPI_Init the MPI library puts there what others
 * need to know, and commits it; then all have it, on all hosts. A number of ours goes with that. */

#include <stdint.h>

/** Before MPI_Init: the number that other ranks shall know. */
void hs__pmix_tell(uint64_t number);

/** In place of PMIx_Commit, with what the library says. */
int hs__pmix_commit(void);

/** After MPI_Init, in a rank that has told something: what another one has. It is the same on all ranks, as MPI_Init
 * hands on everything; where Open MPI was told not to (pmix_base_collect_data), only this rank's own is known. Some 50
 * microseconds. @return whether it is known */
int hs__pmix_told(int rank, uint64_t *number);

#endif

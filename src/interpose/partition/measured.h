/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_INTERPOSE_PARTITION_MEASURED_H
#define HS_INTERPOSE_PARTITION_MEASURED_H

/* Speeds that the phases of a repartitioning program show. A phase begins when a partitioner that all ranks of a communicator
 * call together returns, and ends when the same ranks call one again. The main thread's computing is measured. */

#include <mpi.h>

/** What is known of the ranks of a communicator, in its order; lives until hs__measured_stop(). */
typedef struct hs__measured hs__measured;

/** From now on phases are measured.
 * @param[in] first  by rank of hs__world.comm: speeds as long as no phase is known; lent until hs__measured_stop() */
void hs__measured_start(const double *first);

/** Forget all, and measure no more. */
void hs__measured_stop(void);

/** Before a call that repartitions: end the phase, bring together what each rank computed in it, and decide on speeds.
 * Collective over comm: every rank calls it, with the same ranks of hs__world.comm.
 * @param[in] world  [ranks] of the communicator in hs__world.comm; NULL: memory is out on this rank
 * @return the same on all ranks: NULL where it cannot be measured */
hs__measured *hs__measured_update(MPI_Comm comm, const int *world);

/** [ranks] Their speeds; lent. */
const double *hs__measured_speeds(const hs__measured *measured);

/** After the call, which left each rank with a share of the units: the next phase begins. Local.
 * @param[in] share    [ranks] that the partitioner was given
 * @param[in] reached  [ranks] units of this rank in each part; NULL: not known, so the shares count */
void hs__measured_begin(hs__measured *measured, const double *share, const double *reached);

#endif

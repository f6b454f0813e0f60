/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_INTERPOSE_PARTITION_RANK_SPEEDS_H
#define HS_INTERPOSE_PARTITION_RANK_SPEEDS_H

#include <mpi.h>

/** Divide the speeds of hosts among their ranks by the cores that each may use: see hs__rank_speeds_divide(). Collective; where
 * memory is out speeds stay as they are.
 * @param[in,out] speed  on rank 0: [ranks]; host [ranks] likewise; elsewhere not used */
void hs__rank_speeds_adjust(MPI_Comm comm, const int *host, double *speed);

#endif

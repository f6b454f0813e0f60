/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_TESTS_REPARTITION_H
#define HS_TESTS_REPARTITION_H

#include <mpi.h>

enum { VERTICES = 2700, MOST_RANKS = 8 };

/** Cut a path by one partitioner into a part for each rank. Collective over comm.
 * @param[in] dist  [ranks + 1] numbers of the first vertices that the ranks have before; dist[ranks] is VERTICES
 * @param[in,out] size  [ranks] this rank's vertices in each part are added */
void repartition(MPI_Comm comm, int rank, int ranks, const int *dist, int *size);

#endif

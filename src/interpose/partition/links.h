/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_INTERPOSE_PARTITION_LINKS_H
#define HS_INTERPOSE_PARTITION_LINKS_H

/* How far the hosts of the ranks are from each other, where their links are unequal. */

#include <heteroslice/hs_platform.h>
#include <mpi.h>

/** Learn it of all ranks. Collective over comm, whose ranks are those of hs__world.comm. Where it cannot be known, links count
 * as equal.
 * @param[in] platform, host  on rank 0: the platform, and [ranks] the host of each; elsewhere not used */
void hs__links_start(MPI_Comm comm, const hs_platform *platform, const int *host);
void hs__links_stop(void);

/** The largest distance between hosts; 1: links are equal, or nothing is known of them. */
int hs__links_farthest(void);

/** The distance between the hosts of two ranks of hs__world.comm, where some are farther than 1: see hs__distances_find(). */
int hs__links_distance(int a, int b);

/** Nested domains of parts, where some hosts are farther than 1: see hs__domains_find().
 * @param[in]  world   [parts] the owners, in hs__world.comm
 * @param[in]  weight  [parts]
 * @param[out] domain  [parts]
 * @return as hs__domains_find() */
hs_status hs__links_domains(int parts, const int *world, const double *weight, int *domain);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_INTERPOSE_LOOKS_H
#define HS_INTERPOSE_LOOKS_H

/** Have the MPI library call hs__monitor_look() while it waits, if it can and its threads do not wait for each other.
 * At the end of MPI_Init. */
void hs__looks_take(void);

/** Before MPI is finalized. */
void hs__looks_leave(void);

#endif

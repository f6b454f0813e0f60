/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_INTERPOSE_PARTITION_H
#define HS_INTERPOSE_PARTITION_H

/* Partitioners that a program calls (METIS, Scotch, p4est ...) get targets by measured host speed in the place of equal
 * ones. Only in the library that is preloaded, so the functions are weak. */

/** Once MPI is initialised and all ranks are known to have the library: learn the speed of every rank, when HS_PARTITION
 * asks for it. Collective over hs__world.comm. */
void hs__partition_start(void) __attribute__((weak, visibility("hidden")));

/** Before the report: note the partitioners that the program itself contains, whose calls pass by this library. Reads the
 * program's symbols, so only the rank that tells the report calls it. Local. */
void hs__partition_find_linked(void) __attribute__((weak, visibility("hidden")));

/** Before MPI_Finalize: from now on calls pass through. */
void hs__partition_stop(void) __attribute__((weak, visibility("hidden")));

#endif

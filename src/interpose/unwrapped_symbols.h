/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_INTERPOSE_UNWRAPPED_SYMBOLS_H
#define HS_INTERPOSE_UNWRAPPED_SYMBOLS_H

/** An MPI function that may take a communicator, is not wrapped, and that the program or a library it has loaded (not
 * the MPI library's own) calls; NULL when there is none. MPI's second names (PMPI_X) count as well. */
const char *hs__unwrapped_call(void);

/** Whether any of them calls a function of MPI at all. */
int hs__calls_mpi(void);

#endif

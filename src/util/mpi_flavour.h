/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_UTIL_MPI_FLAVOUR_H
#define HS_UTIL_MPI_FLAVOUR_H

/* MPI libraries whose programs need a runtime of their own: their handles and constants differ. */

/** Sets of flavours. */
typedef enum hs__mpi_flavour {
    HS__MPI_NONE = 0,
    HS__MPI_OPENMPI = 1,
    HS__MPI_MPICH = 2, /* and what has its ABI: Intel's, Cray's, MVAPICH */
    HS__MPI_ABI = 4    /* the ABI of MPI-5 */
} hs__mpi_flavour;

/** The flavour of a shared library, by its path or soname ("libmpi.so.40"); HS__MPI_NONE when it is no MPI library. */
hs__mpi_flavour hs__mpi_of_library(const char *path);

/** The flavour of a name, as configure has it: "openmpi", "mpich", "mpiabi"; HS__MPI_NONE for others. */
hs__mpi_flavour hs__mpi_of_name(const char *name);

/** The name of one flavour; NULL for none and for several. */
const char *hs__mpi_name(hs__mpi_flavour flavour);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_RUNTIME_BASE_FORTRAN_HANDLES_H
#define HS_RUNTIME_BASE_FORTRAN_HANDLES_H

/* Fortran's integers for handles. The ABI of MPI-5 has no MPI_Fint and no functions for it: it leaves Fortran to libraries
 * built upon it, which have handles' integers from MPI_Comm_toint() and its like. */

#include <mpi.h>

#if defined MPI_ABI_VERSION && MPI_ABI_VERSION > 0
typedef int MPI_Fint;
#define PMPI_Comm_c2f PMPI_Comm_toint
#define PMPI_Comm_f2c PMPI_Comm_fromint
#define PMPI_Errhandler_f2c PMPI_Errhandler_fromint
#define PMPI_Request_f2c PMPI_Request_fromint
#define PMPI_Session_f2c PMPI_Session_fromint
#define PMPI_Type_f2c PMPI_Type_fromint
#endif

#endif

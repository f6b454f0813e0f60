! SPDX-License-Identifier: BSD-3-Clause
! The three interfaces MPI has for Fortran: MODULE_MPI is `use mpi`, MODULE_F08 is `use mpi_f08`, neither is mpif.h.
#ifdef MODULE_F08
#define USE_MPI use mpi_f08
#define INCLUDE_MPI
#define COMM_TYPE type(MPI_Comm)
#define REQUEST_TYPE type(MPI_Request)
#define STATUS_TYPE type(MPI_Status)
#define STATUS_ARRAY(n) type(MPI_Status) :: statuses(n)
#define HANDLE_TYPE(x) type(x)
#define TAG_OF(n) statuses(n)%MPI_TAG
#define ONE_TAG status%MPI_TAG
#else
#ifdef MODULE_MPI
#define USE_MPI use mpi
#define INCLUDE_MPI
#else
#define USE_MPI
#define INCLUDE_MPI include 'mpif.h'
#endif
#define COMM_TYPE integer
#define REQUEST_TYPE integer
#define STATUS_TYPE integer, dimension(MPI_STATUS_SIZE)
#define STATUS_ARRAY(n) integer :: statuses(MPI_STATUS_SIZE, n)
#define HANDLE_TYPE(x) integer
#define TAG_OF(n) statuses(MPI_TAG, n)
#define ONE_TAG status(MPI_TAG)
#endif

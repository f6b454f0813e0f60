! SPDX-License-Identifier: BSD-3-Clause
! A program that calls nothing of the library: its MPI calls are seen when it is linked by the documented line. For two ranks.
program plain
#if defined MODULE_F08
    use mpi_f08
#elif defined MODULE_MPI
    use mpi
#endif
    implicit none
#if !defined MODULE_F08 && !defined MODULE_MPI
    include 'mpif.h'
#endif
    integer :: k, code, ranks
    call MPI_Init(code)
    do k = 1, 5
        call MPI_Barrier(MPI_COMM_WORLD, code)
    end do
    ranks = 1
    call MPI_Allreduce(MPI_IN_PLACE, ranks, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, code) ! a variable of the MPI library
    if (ranks /= 2) call MPI_Abort(MPI_COMM_WORLD, 1, code)
    call MPI_Finalize(code)
end program

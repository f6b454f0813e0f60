! SPDX-License-Identifier: BSD-3-Clause
! Fortran MPI that a program loads at run time and for itself alone, as Python does: see late.c.
subroutine late_part(ranks) bind(C)
  use, intrinsic :: iso_c_binding
  implicit none
  include 'mpif.h'
  integer(c_int), intent(out) :: ranks
  integer :: e
  call MPI_Init(e)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, e)
  call MPI_Barrier(MPI_COMM_WORLD, e)
  call MPI_Finalize(e)
end subroutine

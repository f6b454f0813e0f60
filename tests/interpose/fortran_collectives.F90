! SPDX-License-Identifier: BSD-3-Clause
! Reductions and broadcasts from Fortran, by the three interfaces as in fortran_calls.F90: each rank checks what it gets.
#include "fortran_interface.h"

module tally
  implicit none
  integer :: wrong = 0
contains
  subroutine expect(what, right)
    character(len=*), intent(in) :: what
    logical, intent(in) :: right
    if (right) return
    wrong = wrong + 1
    print '(2a)', 'wrong: ', what
  end subroutine
end module

#ifdef MODULE_F08
subroutine add_up(in, inout, n, datatype)
  use, intrinsic :: iso_c_binding
  use mpi_f08
  implicit none
  type(c_ptr), value :: in, inout
  integer :: n
  type(MPI_Datatype) :: datatype
  integer, pointer :: a(:), b(:)
  call c_f_pointer(in, a, [n])
  call c_f_pointer(inout, b, [n])
  b = b + a
end subroutine
#else
subroutine add_up(in, inout, n, datatype)
  implicit none
  integer :: n, datatype, in(n), inout(n)
  inout = inout + in
end subroutine
#endif

program collectives
  USE_MPI
  use tally
  implicit none
  INCLUDE_MPI
  external :: add_up
  integer, parameter :: n = 5000
  integer :: rank, ranks, root, i, ierror, pair(2), largest(2), addressed
  integer :: mine(n), all(n)
  integer(kind=MPI_ADDRESS_KIND) :: place(1)
  integer :: one(1)
  double precision :: x(n), y(n)
  logical :: flag, every
  HANDLE_TYPE(MPI_Op) :: op
  HANDLE_TYPE(MPI_Datatype) :: there(1), absolute

  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)

  mine = [(rank + i, i = 1, n)]
  call MPI_Allreduce(mine, all, n, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierror)
  call expect('allreduce', all(1) == ranks * (ranks - 1) / 2 + ranks .and. all(n) == ranks * (ranks - 1) / 2 + ranks * n)
  call MPI_Allreduce(MPI_IN_PLACE, mine, n, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierror)
  call expect('allreduce in place', maxval(abs(mine - all)) == 0)

  do root = 0, ranks - 1
    x = rank + 1
    y = -1
    call MPI_Reduce(x, y, n, MPI_DOUBLE_PRECISION, MPI_MAX, root, MPI_COMM_WORLD, ierror)
    call expect('reduce', (rank == root .and. all_are(y, dble(ranks))) .or. (rank /= root .and. all_are(y, -1d0)))
    if (rank == root) then
      call MPI_Reduce(MPI_IN_PLACE, x, n, MPI_DOUBLE_PRECISION, MPI_MAX, root, MPI_COMM_WORLD, ierror)
      call expect('reduce in place', all_are(x, dble(ranks)))
    else
      call MPI_Reduce(x, y, n, MPI_DOUBLE_PRECISION, MPI_MAX, root, MPI_COMM_WORLD, ierror)
    end if
    x = rank
    call MPI_Bcast(x, n, MPI_DOUBLE_PRECISION, root, MPI_COMM_WORLD, ierror)
    call expect('broadcast', all_are(x, dble(root)))
  end do

  call MPI_Op_create(add_up, .true., op, ierror)
  mine = rank
  call MPI_Allreduce(mine, all, n, MPI_INTEGER, op, MPI_COMM_WORLD, ierror)
  call expect('own operation', all(1) == ranks * (ranks - 1) / 2 .and. all(n) == all(1))
  call MPI_Op_free(op, ierror)

  pair = [mod(rank * 5, 7), rank]
  call MPI_Allreduce(pair, largest, 1, MPI_2INTEGER, MPI_MAXLOC, MPI_COMM_WORLD, ierror)
  call expect('largest and where', largest(1) == mod(largest(2) * 5, 7) .and. largest(1) >= pair(1))
  flag = rank /= 1
  call MPI_Allreduce(flag, every, 1, MPI_LOGICAL, MPI_LAND, MPI_COMM_WORLD, ierror)
  call expect('logical and', every .eqv. ranks == 1)

  ! Data at an absolute address, from MPI_BOTTOM.
  addressed = rank + 40
  call MPI_Get_address(addressed, place(1), ierror)
  one = 1
  there = MPI_INTEGER
  call MPI_Type_create_struct(1, one, place, there, absolute, ierror)
  call MPI_Type_commit(absolute, ierror)
  call MPI_Bcast(MPI_BOTTOM, 1, absolute, 0, MPI_COMM_WORLD, ierror)
  call read_again(addressed)
  call expect('broadcast from the bottom', addressed == 40)
  call MPI_Type_free(absolute, ierror)
#ifdef MODULE_F08
  mine = rank
  call MPI_Bcast(mine, n, MPI_INTEGER, 0, MPI_COMM_WORLD) ! without an error code
  call expect('broadcast without a code', maxval(mine) == 0)
#endif
  print '(a,i0,a)', 'rank ', rank, merge(': right', ': WRONG', wrong == 0)
  call MPI_Finalize(ierror)
contains
  logical function all_are(values, value)
    double precision, intent(in) :: values(:), value
    all_are = minval(values) == value .and. maxval(values) == value
  end function

  ! Keeps the compiler from remembering what it wrote.
  subroutine read_again(value)
    integer, volatile :: value
    if (value < 0) print *, value
  end subroutine
end program

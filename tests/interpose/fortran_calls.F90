! SPDX-License-Identifier: BSD-3-Clause
! A program that knows nothing of the library, for the three interfaces MPI has for Fortran: compiled with MODULE_MPI for
! `use mpi`, with MODULE_F08 for `use mpi_f08`, with neither for mpif.h. Every call is made through CALLED, which counts
! it; what the calls deliver goes into a running sum that is printed, so that two runs can be compared.
#include "fortran_interface.h"
#define CALLED made = made + 1; call

module tally
  implicit none
  integer, parameter :: wide = selected_int_kind(18)
  integer :: made = 0, rank, ranks, next, previous, handled = 0
  integer(wide) :: total = 0
contains
  subroutine mix(value)
    integer, intent(in) :: value
    total = mod(total * 31 + value, 1000000007_wide)
  end subroutine

  subroutine section(name)
    character(len=*), intent(in) :: name
    print '(a,i0,a,i0,4a,i0)', 'rank ', rank, ' of ', ranks, ': ', name, ': ', '', total
    total = 0
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
  b = b + a + 1
end subroutine

subroutine note_error(comm, code)
  use mpi_f08
  use tally
  implicit none
  type(MPI_Comm) :: comm
  integer :: code
  handled = handled + 1
end subroutine
#else
subroutine add_up(in, inout, n, datatype)
  implicit none
  integer :: n, datatype, in(n), inout(n)
  inout = inout + in + 1
end subroutine

subroutine note_error(comm, code)
  use tally
  implicit none
  integer :: comm, code
  handled = handled + 1
end subroutine
#endif

subroutine messages
  USE_MPI
  use tally
  implicit none
  INCLUDE_MPI
  integer, parameter :: many = 4
  integer :: out(many), in(many), e, k, done, index, places(2 * many), got
  logical :: flag
  REQUEST_TYPE :: requests(2 * many)
  STATUS_TYPE :: status
  STATUS_ARRAY(2 * many)
  out = [(100 * rank + k, k = 1, many)]
  in = -1
  CALLED MPI_Sendrecv(out, many, MPI_INTEGER, next, 1, in, many, MPI_INTEGER, previous, 1, MPI_COMM_WORLD, status, e)
  call mix(ONE_TAG)
  call mix(sum(in))
  call post
  CALLED MPI_Waitall(2 * many, requests, statuses, e)
  do k = 1, many
    call mix(TAG_OF(k))
  end do
  call mix(sum(in))
  call post
  CALLED MPI_Waitall(2 * many, requests, MPI_STATUSES_IGNORE, e)
  call mix(sum(in))
  ! Which comes first differs from run to run; the tags of all do not.
  call post
  done = 0
  got = 0
  do while (done < many)
    CALLED MPI_Waitsome(many, requests, k, places, statuses, e)
    do index = 1, k
      got = got + (TAG_OF(index) + 3)**2
    end do
    done = done + k
  end do
  call mix(got)
  CALLED MPI_Waitall(2 * many, requests, MPI_STATUSES_IGNORE, e)
  call post
  done = 0
  got = 0
  do while (done < many)
    CALLED MPI_Testany(many, requests, index, flag, status, e)
    if (flag) then
      done = done + 1
      got = got + (ONE_TAG + 3)**2
    end if
  end do
  call mix(got)
  CALLED MPI_Waitall(2 * many, requests, MPI_STATUSES_IGNORE, e)
  CALLED MPI_Testany(2 * many, requests, index, flag, MPI_STATUS_IGNORE, e)
  call mix(merge(1, 0, flag .and. index == MPI_UNDEFINED))
  CALLED MPI_Recv_init(in, 1, MPI_INTEGER, previous, 9, MPI_COMM_WORLD, requests(1), e)
  CALLED MPI_Send_init(out, 1, MPI_INTEGER, next, 9, MPI_COMM_WORLD, requests(2), e)
  CALLED MPI_Startall(2, requests, e)
  CALLED MPI_Wait(requests(1), status, e)
  CALLED MPI_Wait(requests(2), MPI_STATUS_IGNORE, e)
  call mix(in(1) + ONE_TAG)
  CALLED MPI_Request_free(requests(1), e)
  CALLED MPI_Request_free(requests(2), e)
  CALLED MPI_Isend(out, 1, MPI_INTEGER, next, 10, MPI_COMM_WORLD, requests(1), e)
  CALLED MPI_Probe(previous, 10, MPI_COMM_WORLD, status, e)
  call mix(ONE_TAG)
  CALLED MPI_Recv(in, 1, MPI_INTEGER, MPI_ANY_SOURCE, 10, MPI_COMM_WORLD, MPI_STATUS_IGNORE, e)
  CALLED MPI_Wait(requests(1), MPI_STATUS_IGNORE, e)
  call mix(in(1))
  CALLED MPI_Recv(in, 1, MPI_INTEGER, MPI_PROC_NULL, 11, MPI_COMM_WORLD, status, e)
  call mix(ONE_TAG + 7)
  CALLED MPI_Send(out, 1, MPI_INTEGER, MPI_PROC_NULL, 11, MPI_COMM_WORLD, e)
  CALLED MPI_Sendrecv(out, 1, MPI_INTEGER, next, 12, in, 1, MPI_INTEGER, MPI_PROC_NULL, 12, &
    MPI_COMM_WORLD, status, e)
  call mix(ONE_TAG + 7)
  CALLED MPI_Recv(in, 1, MPI_INTEGER, previous, 12, MPI_COMM_WORLD, status, e)
  call mix(in(1) + ONE_TAG)
contains
  subroutine post
    integer :: n
    in = -1
    do n = 1, many
      CALLED MPI_Irecv(in(n), 1, MPI_INTEGER, previous, n, MPI_COMM_WORLD, requests(n), e)
    end do
    do n = 1, many
      CALLED MPI_Isend(out(n), 1, MPI_INTEGER, next, n, MPI_COMM_WORLD, requests(many + n), e)
    end do
  end subroutine
end subroutine

! The buffers are given by datatypes with absolute addresses.
subroutine from_bottom
  USE_MPI
  use tally
  implicit none
  INCLUDE_MPI
  integer, target, save, asynchronous :: out(1), in(1)
  integer(MPI_ADDRESS_KIND) :: address(1)
  integer :: e
  HANDLE_TYPE(MPI_Datatype) :: sent, received, element(1)
  out = 7 * rank
  in = -1
  element(1) = MPI_INTEGER
  call MPI_Get_address(out, address(1), e)
  call MPI_Type_create_struct(1, [1], address, element, sent, e)
  call MPI_Type_commit(sent, e)
  call MPI_Get_address(in, address(1), e)
  call MPI_Type_create_struct(1, [1], address, element, received, e)
  call MPI_Type_commit(received, e)
  CALLED MPI_Sendrecv(MPI_BOTTOM, 1, sent, next, 2, MPI_BOTTOM, 1, received, previous, 2, MPI_COMM_WORLD, &
    MPI_STATUS_IGNORE, e)
  call MPI_Get_address(in, address(1), e)
  call mix(in(1))
  call MPI_Type_free(sent, e)
  call MPI_Type_free(received, e)
end subroutine

subroutine collectives
  USE_MPI
  use tally
  implicit none
  INCLUDE_MPI
  external :: add_up
  integer :: a(4), b(64), e, k, counts(64), places(64)
  HANDLE_TYPE(MPI_Op) :: op
  REQUEST_TYPE :: request
  a = [(rank + k, k = 1, 4)]
  b = 0
  counts = 1
  places = [(k, k = 0, 63)]
  CALLED MPI_Bcast(a, 2, MPI_INTEGER, ranks - 1, MPI_COMM_WORLD, e)
  CALLED MPI_Allreduce(MPI_IN_PLACE, a, 4, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, e)
  if (rank == 0) then
    CALLED MPI_Reduce(MPI_IN_PLACE, a, 4, MPI_INTEGER, MPI_MAX, 0, MPI_COMM_WORLD, e)
  else
    CALLED MPI_Reduce(a, b, 4, MPI_INTEGER, MPI_MAX, 0, MPI_COMM_WORLD, e)
  end if
  call MPI_Op_create(add_up, .true., op, e)
  CALLED MPI_Allreduce(a, b, 4, MPI_INTEGER, op, MPI_COMM_WORLD, e)
  call MPI_Op_free(op, e)
  b(rank + 5) = rank
  CALLED MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, b(5), 1, MPI_INTEGER, MPI_COMM_WORLD, e)
  CALLED MPI_Allgatherv(a, 1, MPI_INTEGER, b(17), counts, places, MPI_INTEGER, MPI_COMM_WORLD, e)
  CALLED MPI_Gather(a, 1, MPI_INTEGER, b(33), 1, MPI_INTEGER, 0, MPI_COMM_WORLD, e)
  CALLED MPI_Scatter(b(33), 1, MPI_INTEGER, a, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, e)
  CALLED MPI_Iallreduce(a, b(49), 4, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, request, e)
  CALLED MPI_Wait(request, MPI_STATUS_IGNORE, e)
  CALLED MPI_Barrier(MPI_COMM_WORLD, e)
  do k = 1, 32
    call mix(b(k))
  end do
  call mix(sum(b(49:52)))
  call mix(a(1))
end subroutine

subroutine communicators
  USE_MPI
  use tally
  implicit none
  INCLUDE_MPI
  external :: note_error
  COMM_TYPE :: comm, half, inter
  HANDLE_TYPE(MPI_Group) :: group, last
  HANDLE_TYPE(MPI_Errhandler) :: handler
  HANDLE_TYPE(MPI_Datatype) :: datatype
  character(len=MPI_MAX_OBJECT_NAME) :: name
  integer :: e, key, length, value, coordinates(1), dims(1), before, behind, place(1), mine(1), sum_there(1)
  integer(MPI_ADDRESS_KIND) :: attribute
  logical :: flag, periodic(1)
  CALLED MPI_Comm_dup(MPI_COMM_WORLD, comm, e)
  CALLED MPI_Comm_set_name(comm, 'a name', e)
  CALLED MPI_Comm_get_name(comm, name, length, e)
  call mix(length + len_trim(name))
  call MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, key, 0_MPI_ADDRESS_KIND, e)
  CALLED MPI_Comm_set_attr(comm, key, 77_MPI_ADDRESS_KIND, e)
  CALLED MPI_Comm_get_attr(comm, key, attribute, flag, e)
  call mix(merge(int(attribute), 0, flag))
  CALLED MPI_Comm_get_attr(comm, MPI_TAG_UB, attribute, flag, e)
  call mix(merge(1, 0, flag .and. attribute >= 32767))
  call MPI_Comm_create_errhandler(note_error, handler, e)
  CALLED MPI_Comm_set_errhandler(comm, handler, e)
  CALLED MPI_Send(length, 1, MPI_INTEGER, ranks, 1, comm, e)
  call mix(handled)
  call MPI_Errhandler_free(handler, e)
  ! An error without a communicator goes to MPI_COMM_WORLD's handler, from MPI-4 on to MPI_COMM_SELF's.
  CALLED MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, e)
  CALLED MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN, e)
  call MPI_Type_contiguous(-1, MPI_INTEGER, datatype, e)
  call mix(merge(1, 0, e /= MPI_SUCCESS))
  CALLED MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL, e)
  CALLED MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL, e)
  CALLED MPI_Comm_group(comm, group, e)
  CALLED MPI_Comm_create_group(comm, group, 3, half, e)
  CALLED MPI_Comm_compare(comm, half, value, e)
  call mix(value)
  CALLED MPI_Comm_free(half, e)
  call MPI_Group_incl(group, 1, [ranks - 1], last, e)
  call MPI_Group_translate_ranks(last, 1, [0], group, place, e)
  call mix(place(1))
  call MPI_Group_free(last, e)
  call MPI_Group_free(group, e)
  CALLED MPI_Comm_split(comm, merge(0, 1, rank == 0), -rank, half, e)
  if (ranks > 1) then
    CALLED MPI_Intercomm_create(half, 0, comm, merge(ranks - 1, 0, rank == 0), 4, inter, e)
    CALLED MPI_Comm_remote_size(inter, value, e)
    call mix(value)
    mine = rank + 1
    CALLED MPI_Allreduce(mine, sum_there, 1, MPI_INTEGER, MPI_SUM, inter, e)
    call mix(sum_there(1))
    CALLED MPI_Comm_free(inter, e)
  end if
  CALLED MPI_Comm_free(half, e)
  dims = ranks
  periodic = .true.
  CALLED MPI_Cart_create(comm, 1, dims, periodic, .false., half, e)
  CALLED MPI_Cart_get(half, 1, dims, periodic, coordinates, e)
  CALLED MPI_Cart_shift(half, 0, 1, before, behind, e)
  call mix(merge(coordinates(1), -1, periodic(1)) + before * 10 + behind * 100)
  CALLED MPI_Comm_free(half, e)
  CALLED MPI_Comm_free(comm, e)
end subroutine

subroutine windows_and_files
  USE_MPI
  use tally
  implicit none
  INCLUDE_MPI
  HANDLE_TYPE(MPI_Win) :: window
  HANDLE_TYPE(MPI_File) :: file
  STATUS_TYPE :: status
  character(len=256) :: path
  integer(MPI_ADDRESS_KIND), parameter :: nowhere = 0
  integer, asynchronous :: memory(4)
  integer :: e, value(1), bytes
  memory = 0
  value = rank + 3
  call MPI_Type_size(MPI_INTEGER, bytes, e)
  CALLED MPI_Win_create(memory, 4_MPI_ADDRESS_KIND * bytes, bytes, MPI_INFO_NULL, MPI_COMM_WORLD, window, e)
  CALLED MPI_Win_fence(0, window, e)
  CALLED MPI_Put(value, 1, MPI_INTEGER, next, nowhere, 1, MPI_INTEGER, window, e)
  CALLED MPI_Win_fence(0, window, e)
  CALLED MPI_Win_free(window, e)
  call mix(memory(1))
  call get_environment_variable('CALLS_FILE', path)
  if (path == '') return
  CALLED MPI_File_open(MPI_COMM_WORLD, trim(path), MPI_MODE_CREATE + MPI_MODE_RDWR, MPI_INFO_NULL, file, e)
  CALLED MPI_File_write_at_all(file, int(rank * bytes, MPI_OFFSET_KIND), value, 1, MPI_INTEGER, status, e)
  CALLED MPI_File_sync(file, e)
  CALLED MPI_Barrier(MPI_COMM_WORLD, e)
  CALLED MPI_File_read_at(file, int(rank * bytes, MPI_OFFSET_KIND), memory, 1, MPI_INTEGER, MPI_STATUS_IGNORE, e)
  CALLED MPI_File_close(file, e)
  CALLED MPI_Barrier(MPI_COMM_WORLD, e)
  if (rank == 0) then
    CALLED MPI_File_delete(trim(path), MPI_INFO_NULL, e)
  end if
  call mix(memory(1))
end subroutine

#if defined MODULE_F08 && MPI_STANDARD >= 4
subroutine large_counts
  use mpi_f08
  use tally
  implicit none
  integer(MPI_COUNT_KIND), parameter :: two = 2
  integer :: out(2), in(2), e
  type(MPI_Request) :: requests(3)
  out = [rank, 5]
  CALLED MPI_Irecv(in, two, MPI_INTEGER, previous, 1, MPI_COMM_WORLD, requests(1), e)
  CALLED MPI_Send(out, two, MPI_INTEGER, next, 1, MPI_COMM_WORLD, e)
  CALLED MPI_Wait(requests(1), MPI_STATUS_IGNORE, e)
  call mix(sum(in))
  CALLED MPI_Allreduce(out, in, two, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
  call mix(sum(in))
  CALLED MPI_Send_init(out, two, MPI_INTEGER, next, 2, MPI_COMM_WORLD, requests(1), e)
  CALLED MPI_Recv_init(in, two, MPI_INTEGER, previous, 2, MPI_COMM_WORLD, requests(2), e)
  CALLED MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, requests(3), e)
  CALLED MPI_Startall(3, requests, e)
  CALLED MPI_Waitall(3, requests, MPI_STATUSES_IGNORE, e)
  call mix(sum(in))
  CALLED MPI_Request_free(requests(1), e)
  CALLED MPI_Request_free(requests(2), e)
  CALLED MPI_Request_free(requests(3), e)
  CALLED MPI_Isendrecv(out, 2, MPI_INTEGER, next, 3, in, 2, MPI_INTEGER, previous, 3, MPI_COMM_WORLD, requests(1), e)
  CALLED MPI_Wait(requests(1), MPI_STATUS_IGNORE, e)
  call mix(sum(in))
end subroutine
#endif

program fortran_calls
  USE_MPI
  use tally
  implicit none
  INCLUDE_MPI
  integer :: e, provided
  integer :: code = 1 ! the compiler may drop a value that is assigned before a call that sets it
  logical :: flag
  call MPI_Initialized(flag, e)
  if (flag) stop 1
  call MPI_Init_thread(MPI_THREAD_FUNNELED, provided, e)
  CALLED MPI_Comm_rank(MPI_COMM_WORLD, rank, e)
  CALLED MPI_Comm_size(MPI_COMM_WORLD, ranks, e)
  next = mod(rank + 1, ranks)
  previous = mod(rank + ranks - 1, ranks)
  call messages
  call section('messages')
#ifdef PCONTROL_CODE
  ! MPICH's mpi_f08 has an error code, which may be absent as in the second call. The first call is the one that finds the function.
  call MPI_Pcontrol(16, code)
  call mix(code)
#else
  call MPI_Pcontrol(16)
#endif
  call from_bottom
  call section('bottom')
  call MPI_Pcontrol(17)
  call collectives
  call section('collectives')
  call communicators
  call section('communicators')
  call windows_and_files
  call section('windows and files')
#if defined MODULE_F08 && MPI_STANDARD >= 4
  call large_counts
  call section('large counts')
#endif
  print '(a,i0,a,i0,a,i0,a)', 'rank ', rank, ' of ', ranks, ': ', made, ' calls'
  call MPI_Finalize(e)
  call MPI_Finalized(flag, e)
  if (.not. flag) stop 1
end program

! SPDX-License-Identifier: BSD-3-Clause
! What programs do at the edges of MPI, as edges.c, by the three interfaces for Fortran: edges MODE [NUMBER].
#include "fortran_interface.h"

module edge
  use, intrinsic :: iso_c_binding, only: c_int
  implicit none
  integer :: rank = 0, ranks = 0
  interface
    integer(c_int) function fork_process() bind(C, name='fork')
      import :: c_int
    end function
    integer(c_int) function wait_for(process, status, options) bind(C, name='waitpid')
      import :: c_int
      integer(c_int), value :: process, options
      integer(c_int) :: status
    end function
    integer(c_int) function raise_signal(number) bind(C, name='raise')
      import :: c_int
      integer(c_int), value :: number
    end function
    subroutine exit_at_once(code) bind(C, name='_exit')
      import :: c_int
      integer(c_int), value :: code
    end subroutine
  end interface
contains
  subroutine say(what, value)
    character(len=*), intent(in) :: what
    integer, intent(in) :: value
    print '(a,i0,3a,i0)', 'rank ', rank, ': ', what, ' ', value
    flush (6)
  end subroutine

  subroutine fork_off
    integer(c_int) :: child, status
    child = fork_process()
    if (child == 0) call exit_at_once(7_c_int)
    child = wait_for(child, status, 0_c_int)
    call say('child', int(ishft(status, -8)))
    call execute_command_line('exit 5', exitstat=status)
    call say('shell', int(status))
  end subroutine
end module

integer function talk(comm, k)
  USE_MPI
  use edge, only: rank, ranks
  implicit none
  INCLUDE_MPI
  COMM_TYPE, intent(in) :: comm
  integer, intent(in) :: k
  integer :: n, e, out(1), in(1), total(1)
  talk = 0
  do n = 1, 50
    out = rank + n + k
    call MPI_Sendrecv(out, 1, MPI_INTEGER, mod(rank + 1, ranks), 0, in, 1, MPI_INTEGER, mod(rank + ranks - 1, ranks), 0, &
      comm, MPI_STATUS_IGNORE, e)
    call MPI_Allreduce(in, total, 1, MPI_INTEGER, MPI_SUM, comm, e)
    talk = mod(talk * 7 + total(1), 1000003)
  end do
end function

! Threads that call at once, each with a communicator of its own.
subroutine threads
  USE_MPI
  use edge, only: say
!$ use omp_lib
  implicit none
  INCLUDE_MPI
  COMM_TYPE :: comm(4)
  integer, external :: talk
  integer :: k, e, team = 1, sums(4)
  do k = 1, 4
    call MPI_Comm_dup(MPI_COMM_WORLD, comm(k), e)
  end do
!$omp parallel do num_threads(4) schedule(static, 1)
  do k = 1, 4
!$  if (k == 1) team = omp_get_num_threads()
    sums(k) = talk(comm(k), k)
  end do
!$omp end parallel do
  call say('threads', team)
  do k = 1, 4
    call say('thread', sums(k))
    call MPI_Comm_free(comm(k), e)
  end do
end subroutine

subroutine spawn
  USE_MPI
  use edge, only: say
  implicit none
  INCLUDE_MPI
  COMM_TYPE :: parent, children
  character(len=1024) :: program
  character(len=8) :: arguments(2) = ['spawn   ', '        ']
  integer :: e, mine(1), total(1)
  call MPI_Comm_get_parent(parent, e)
  if (parent == MPI_COMM_NULL) then
    mine = 1
    call get_command_argument(0, program)
    call MPI_Comm_spawn(program, arguments, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, children, MPI_ERRCODES_IGNORE, e)
    call MPI_Allreduce(mine, total, 1, MPI_INTEGER, MPI_SUM, children, e)
    call say('children', total(1))
    call MPI_Comm_disconnect(children, e)
  else
    mine = 10
    call MPI_Allreduce(mine, total, 1, MPI_INTEGER, MPI_SUM, parent, e)
    call say('parents', total(1))
    call MPI_Comm_disconnect(parent, e)
  end if
end subroutine

program edges
  USE_MPI
  use edge
  implicit none
  INCLUDE_MPI
  character(len=16) :: mode, text
  integer :: e, number = 0, version, subversion, provided
  logical :: flag, main_thread
  call get_command_argument(1, mode)
  call get_command_argument(2, text)
  if (text /= '') read (text, *) number
  call MPI_Initialized(flag, e)
  call MPI_Get_version(version, subversion, e)
  call say('before', merge(100, version, flag))
  if (mode == 'level') then
    call MPI_Init_thread(number, provided, e)
    call MPI_Is_thread_main(main_thread, e)
    call say('level', provided * 10 + merge(1, 0, main_thread))
  else
    call MPI_Init(e)
  end if
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, e)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, e)
  if (mode == 'fork') call fork_off
  if (mode == 'spawn') call spawn
  if (mode == 'level' .and. provided == MPI_THREAD_MULTIPLE) call threads
  if (mode == 'abort' .and. rank == 1) call MPI_Abort(MPI_COMM_WORLD, number, e)
  if (mode == 'kill' .and. rank == 1) e = raise_signal(9_c_int)
  if (mode == 'exit' .and. rank == 1) call exit(number)
  if (mode == 'fatal' .and. rank == 1) call MPI_Send(text, 1, MPI_CHARACTER, ranks, 0, MPI_COMM_WORLD, e)
  call MPI_Barrier(MPI_COMM_WORLD, e)
  if (mode == 'leave') call exit(number)
  call MPI_Finalize(e)
  call MPI_Finalized(flag, e)
  call MPI_Initialized(main_thread, e)
  call MPI_Get_version(version, subversion, e)
  call say('after', merge(version, 100, flag .and. main_thread))
end program

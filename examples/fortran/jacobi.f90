! SPDX-License-Identifier: BSD-3-Clause
! The Jacobi solver of apps/stencil/stencil.c in Fortran: columns of the grid are the units that move between ranks.
!
!     mpifort jacobi.f90 $(pkg-config --cflags --libs heteroslice-fortran)
!     mpirun ./a.out ROWS COLUMNS ITERATIONS off|static|on
program jacobi
    use, intrinsic :: iso_fortran_env, only: int64, real64, error_unit
    use mpi_f08
    use heteroslice
    implicit none

    integer :: rows, columns, iterations, mode, k
    real(real64), pointer, contiguous :: u(:, :), v(:, :), swap(:, :)
    type(hs_context) :: context
    type(hs_layout) :: layout
    type(hs_array) :: old, new
    type(hs_slice) :: slice
    type(MPI_Comm) :: comm
    type(MPI_Request) :: requests(4)

    call MPI_Init()
    call read_arguments()
    call require(hs_init(MPI_COMM_WORLD, context, mode=mode, work=4.0_real64 * rows * columns, &
                         halo=8.0_real64 * (rows + 2), model=HS_STEP_OVERLAP, steps=int(iterations, int64)))
    call require(hs_layout_create(context, columns, 1, HS_FIXED, layout))
    call require(hs_layout_add_array(layout, old, u, [rows + 2], halo=1))
    call require(hs_layout_add_array(layout, new, v, [rows + 2], halo=1))
    call hs_comm(context, comm)
    slice = hs_layout_slice(layout)

    call fill(1.0_real64, u)
    do k = 1, iterations
        call MPI_Irecv(v(:, slice%first - 1), rows + 2, MPI_DOUBLE_PRECISION, slice%prev, 0, comm, requests(1))
        call MPI_Irecv(v(:, slice%last + 1), rows + 2, MPI_DOUBLE_PRECISION, slice%next, 1, comm, requests(2))
        call relax(slice%first, min(slice%first, slice%last))
        call relax(max(slice%first + 1, slice%last), slice%last)
        call MPI_Isend(v(:, slice%first), rows + 2, MPI_DOUBLE_PRECISION, slice%prev, 1, comm, requests(3))
        call MPI_Isend(v(:, slice%last), rows + 2, MPI_DOUBLE_PRECISION, slice%next, 0, comm, requests(4))
        call relax(slice%first + 1, slice%last - 1)
        call MPI_Waitall(4, requests, MPI_STATUSES_IGNORE)
        call hs_array_swap(old, new)
        swap => u
        u => v
        v => swap
        if (moved()) then
            slice = hs_layout_slice(layout)
            call hs_array_get(old, u)
            call hs_array_get(new, v)
        end if
    end do
    call report()
    call require(hs_finalize(context))
    call MPI_Finalize()

contains

    subroutine read_arguments()
        character(32) :: word(4)
        integer :: i, code
        do i = 1, 4
            call get_command_argument(i, word(i))
        end do
        read (word(1:3), *, iostat=code) rows, columns, iterations
        select case (word(4))
        case ("off"); mode = HS_BALANCE_OFF
        case ("static"); mode = HS_BALANCE_STATIC
        case ("on"); mode = HS_BALANCE_ON
        case default; code = 1
        end select
        if (code /= 0) then
            write (error_unit, "(a)") "usage: jacobi ROWS COLUMNS ITERATIONS off|static|on"
            call MPI_Abort(MPI_COMM_WORLD, 2)
        end if
    end subroutine

    ! The library has printed the reason of an error.
    subroutine require(status)
        integer, intent(in) :: status
        if (status < 0) call MPI_Abort(MPI_COMM_WORLD, 1)
    end subroutine

    logical function moved()
        integer :: status
        status = hs_balance(layout)
        call require(status)
        moved = status == HS_OK
    end function

    subroutine relax(from, to)
        integer(int64), intent(in) :: from, to
        integer(int64) :: j
        do j = from, to
            v(2:rows + 1, j) = 0.25_real64 * ((u(2:rows + 1, j - 1) + u(2:rows + 1, j + 1)) + &
                                              (u(1:rows, j) + u(3:rows + 2, j)))
        end do
    end subroutine

    ! An eigenmode of that height, with a boundary of zeros.
    subroutine fill(height, grid)
        real(real64), intent(in) :: height
        real(real64), pointer, intent(in) :: grid(:, :)
        integer(int64) :: j
        do j = max(lbound(grid, 2), 1), min(ubound(grid, 2), columns)
            call exact(height, j, grid(:, j))
        end do
    end subroutine

    subroutine exact(height, j, column)
        real(real64), intent(in) :: height
        integer(int64), intent(in) :: j
        real(real64), intent(out) :: column(:)
        real(real64), parameter :: pi = acos(-1.0_real64)
        integer :: i
        column = 0
        do i = 1, rows
            column(i + 1) = height * sin(pi * i / (rows + 1)) * sin(pi * j / (columns + 1))
        end do
    end subroutine

    ! A sweep shrinks the eigenmode by a known factor. The checksum is the exclusive or of all values' bits.
    subroutine report()
        real(real64), parameter :: pi = acos(-1.0_real64)
        real(real64) :: height, error, column(rows + 2)
        integer(int64) :: j, bits, checksum
        integer :: i, rank
        type(hs_layout_stats) :: stats
        height = ((cos(pi / (rows + 1)) + cos(pi / (columns + 1))) / 2)**iterations
        error = 0
        bits = 0
        do j = slice%first, slice%last
            call exact(height, j, column)
            error = max(error, maxval(abs(u(:, j) - column)))
            do i = 1, rows
                bits = ieor(bits, ishftc(transfer(u(i + 1, j), bits), int(mod((j - 1) * rows + i, 64_int64))))
            end do
        end do
        call MPI_Allreduce(MPI_IN_PLACE, error, 1, MPI_DOUBLE_PRECISION, MPI_MAX, comm)
        call MPI_Allreduce(bits, checksum, 1, MPI_INTEGER8, MPI_BXOR, comm)
        stats = hs_layout_get_stats(layout)
        call MPI_Comm_rank(comm, rank)
        if (rank == 0) print "(a, l1, a, z16.16, a, i0, a)", "verified ", error < 1e-12_real64 * (iterations + 1), &
            ", checksum ", checksum, ", ", stats%moves, " rebalances"
        if (error >= 1e-12_real64 * (iterations + 1)) call MPI_Abort(comm, 1)
    end subroutine
end program

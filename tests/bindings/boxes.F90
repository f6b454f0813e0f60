! SPDX-License-Identifier: BSD-3-Clause
! Boxes with halos, whose cells are numbered, before and after they move; and why a context cannot begin.
program boxes
    use, intrinsic :: iso_c_binding, only: c_f_pointer, c_ptr
    use, intrinsic :: iso_fortran_env, only: int64, real64, error_unit
    use mpi_f08
    use heteroslice
    implicit none
    integer, parameter :: extent(2) = [24, 18], halo = 2
    type(hs_context) :: context
    type(hs_box_layout) :: layout
    type(hs_box_array) :: array
    real(real64), pointer :: u(:, :)
    real(real64), allocatable :: speed(:)
    character(:), allocatable :: text
    integer :: ranks, method, k

    call MPI_Init()
    call MPI_Comm_size(MPI_COMM_WORLD, ranks)
    allocate(speed(ranks))
    speed = 1
    speed(1) = 3
    call require(hs_error_text(context) == "", "a text of no context")
    call require(hs_init(MPI_COMM_WORLD, context, platform="/no.xml", error=text) == HS_ERR_IO, "a platform that is not there")
    call require(index(text, "/no.xml: cannot read it") > 0, "the text of an error: '"//text//"'")
    call require(hs_init(MPI_COMM_WORLD, context, mode=HS_BALANCE_ON, error=text) == HS_OK, "hs_init")
    call require(text == "", "an error without a failure: '"//text//"'")
    call require(hs_box_create(context, [0, 4], halo, layout) == HS_ERR_ARG, "a domain without cells")
    call refuse_sizes()
    do method = HS_BOXES_BEST, HS_BOXES_COLUMNS
        call require(hs_box_create(context, extent, halo, layout, periodic=[.true., .true.], &
                                   stencil=HS_BOXES_CORNERS, method=method) == HS_OK, "hs_box_create")
        call require(hs_box_add_array(layout, storage_size(0.0_real64) / 8, array) == HS_OK, "hs_box_add_array")
        call fill()
        call check()
        call require(hs_box_rebalance(layout, speed) == merge(HS_OK, HS_UNCHANGED, ranks > 1), "hs_box_rebalance")
        call check()
        do k = 1, 3
            call require(hs_box_balance(layout) >= 0, "hs_box_balance")
        end do
        call check()
        call hs_box_free(layout)
    end do
    call require(hs_finalize(context) == HS_OK, "hs_finalize")
    call MPI_Finalize()

contains

    include "require.inc"

    ! Nothing is read or written beyond an array of another size than the ranks or dimensions.
    subroutine refuse_sizes()
        integer(int64) :: counts(ranks + 1)
        real :: weights(ranks + 1)
        integer :: n
        counts = -7
        weights = -7
        do n = ranks - 1, ranks + 1, 2
            call require(hs_counts(MPI_COMM_WORLD, 100_int64, counts(:n)) == HS_ERR_ARG, "another number of counts")
            call require(hs_weights(MPI_COMM_WORLD, weights(:n)) == HS_ERR_ARG, "another number of weights")
        end do
        call require(all(counts == -7) .and. all(weights == -7), "counts or weights in spite of an error")
        do n = 1, 3, 2
            call require(hs_box_create(context, extent, halo, layout, periodic=spread(.true., 1, n)) == HS_ERR_ARG, &
                         "another number of dimensions")
        end do
        call require(hs_box_create(context, extent, halo, layout) == HS_OK, "hs_box_create")
        call require(hs_box_rebalance(layout, speed(2:)) == HS_ERR_ARG, "a speed too few")
        call require(hs_box_rebalance(layout, [speed, 1.0_real64]) == HS_ERR_ARG, "a speed too many")
        call require(hs_error_text(context) == "hs_box_rebalance: speed is NULL, expected one a rank", hs_error_text(context))
        call hs_box_free(layout)
    end subroutine

    real(real64) function number(i, j)
        integer(int64), intent(in) :: i, j
        number = modulo(i - 1, int(extent(1), int64)) + 100 * modulo(j - 1, int(extent(2), int64))
    end function

    subroutine point()
        type(c_ptr) :: address
        real(real64), pointer :: local(:, :)
        integer(int64) :: lower(2), shape(2)
        call hs_box_array_get(array, address, lower, shape)
        call c_f_pointer(address, local, shape)
        u(lower(1):, lower(2):) => local
    end subroutine

    subroutine fill()
        type(hs_box) :: box
        integer(int64) :: i, j
        box = hs_box_mine(layout)
        call point()
        u = -1
        do j = box%first(2), box%last(2)
            do i = box%first(1), box%last(1)
                u(i, j) = number(i, j)
            end do
        end do
    end subroutine

    ! All halo cells have the numbers that their owners gave them.
    subroutine check()
        type(hs_box) :: box
        integer(int64) :: i, j
        integer :: cells
        box = hs_box_mine(layout)
        call point()
        call require(hs_box_exchange_start(layout, array) == HS_OK, "hs_box_exchange_start")
        call require(hs_box_exchange_wait(layout, array) == HS_OK, "hs_box_exchange_wait")
        do j = lbound(u, 2, int64), ubound(u, 2, int64)
            do i = lbound(u, 1, int64), ubound(u, 1, int64)
                call require(u(i, j) == number(i, j), "another cell")
            end do
        end do
        call require(product(box%count(:2)) == 0 .or. all(shape(u) == box%count(:2) + 2 * halo), "bounds")
        cells = int(product(box%count(:2)))
        call MPI_Allreduce(MPI_IN_PLACE, cells, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
        call require(cells == product(extent), "cells are missing")
    end subroutine
end program

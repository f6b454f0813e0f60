! SPDX-License-Identifier: BSD-3-Clause
! Weights of units, declared and learned, on two ranks of one speed.
program weights
    use, intrinsic :: iso_fortran_env, only: int64, real64, error_unit
    use mpi_f08
    use heteroslice
    implicit none
    real(real64), parameter :: heavy(8) = [7, 1, 1, 1, 1, 1, 1, 1], patience = 60 ! seconds
    type(hs_context) :: context
    type(MPI_Comm) :: comm

    call MPI_Init()
    call require(hs_init(MPI_COMM_WORLD, context, mode=HS_BALANCE_ON) == HS_OK, "hs_init")
    call hs_comm(context, comm)
    call declare()
    call learn()
    call require(hs_finalize(context) == HS_OK, "hs_finalize")
    call MPI_Finalize()

contains

    include "require.inc"

    subroutine declare()
        type(hs_layout) :: layout
        type(hs_slice) :: slice
        integer(int64) :: counts(3)
        real(real64), pointer, contiguous :: weight(:)
        call require(hs_layout_create(context, 8, 0, HS_FIXED, layout) == HS_OK, "hs_layout_create")
        weight => hs_layout_get_weights(layout)
        call require(.not. associated(weight), "there are weights")
        call require(hs_layout_weights(layout, [1.0_real64]) == HS_ERR_ARG, "too few weights")
        slice = hs_layout_slice(layout)
        call require(hs_layout_weights(layout, heavy(slice%first:slice%last)) == HS_OK, "hs_layout_weights")
        call hs_layout_counts(layout, counts)
        call require(all(counts == [1, 7, 0]), "the slices are not those of the weights")
        slice = hs_layout_slice(layout)
        weight => hs_layout_get_weights(layout)
        call require(lbound(weight, 1) == slice%first .and. ubound(weight, 1) == slice%last, "bounds of weights")
        call require(all(weight == heavy(slice%first:slice%last)), "other weights")
        call hs_layout_free(layout)
    end subroutine

    ! Until weights are learned, which a busy machine may put off.
    subroutine learn()
        type(hs_layout) :: layout
        type(hs_array) :: array
        type(hs_slice) :: slice
        real(real64), pointer :: u(:), v(:, :, :)
        real(real64), pointer, contiguous :: weight(:)
        real(real64) :: begun
        integer(int64) :: unit
        logical :: done
        call require(hs_layout_create(context, 8, 0, HS_FIXED, layout) == HS_OK, "hs_layout_create")
        call require(hs_layout_add_array(layout, array, v, [-2, -3]) == HS_ERR_ARG, "an extent below 0")
        call require(hs_layout_add_array(layout, array, u) == HS_OK, "hs_layout_add_array")
        call require(hs_unit_end(layout) == HS_ERR_STATE, "an end without begin")
        call require(hs_unit_begin(layout, 9) == HS_ERR_ARG, "a unit outside of the slice")
        begun = MPI_Wtime()
        do
            weight => hs_layout_get_weights(layout)
            done = associated(weight) .or. MPI_Wtime() > begun + patience
            call MPI_Allreduce(MPI_IN_PLACE, done, 1, MPI_LOGICAL, MPI_LOR, comm)
            if (done) exit
            slice = hs_layout_slice(layout)
            do unit = slice%first, slice%last
                call require(hs_unit_begin(layout, unit) == HS_OK, "hs_unit_begin")
                call work(merge(0.008_real64, 0.001_real64, mod(unit, 4_int64) == 1))
                call require(hs_unit_end(layout) == HS_OK, "hs_unit_end")
            end do
            call require(hs_balance(layout) >= 0, "hs_balance")
        end do
        if (associated(weight)) then
            call require(all(weight > 0), "learned weights")
            print '(a)', "weights learned"
        else
            print '(a)', "nothing learned on this machine"
        end if
    end subroutine

    subroutine work(seconds)
        real(real64), intent(in) :: seconds
        real(real64) :: begun, now
        call cpu_time(begun)
        now = begun
        do while (now < begun + seconds)
            call cpu_time(now)
        end do
    end subroutine
end program

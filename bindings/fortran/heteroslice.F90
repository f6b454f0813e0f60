! SPDX-License-Identifier: BSD-3-Clause
! HeteroSlice for Fortran: hs_runtime.h in Fortran's terms, with communicators of mpif.h, `use mpi` and `use mpi_f08`.
!
!     status = hs_init(MPI_COMM_WORLD, context)
!     status = hs_layout_create(context, columns, 1, HS_FIXED, layout)
!     status = hs_layout_add_array(layout, old, u, [rows], halo=1)     ! real, pointer :: u(:,:)
!     do ...
!         ! computes u(:, slice%first:slice%last)
!         if (hs_balance(layout) == HS_OK) then                        ! the slices moved
!             slice = hs_layout_slice(layout)
!             call hs_array_get(old, u)
!         end if
!     end do
!     status = hs_finalize(context)
!
! Units are what the last dimension counts, from 1, and pointers have global bounds: u(:, slice%first) is the rank's first
! unit, u(:, slice%first - 1) its halo. hs_runtime.h says what each function does; optional arguments are its defaults.
module heteroslice
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env, only: int32, int64, real32, real64
#ifdef HS_MPI_F08
    use mpi_f08, only: MPI_Comm
#endif
    implicit none
    private

    enum, bind(c) ! hs_status
        enumerator :: HS_OK = 0, HS_UNCHANGED = 1, HS_ERR_ARG = -1, HS_ERR_NOMEM = -2, HS_ERR_IO = -3, HS_ERR_PARSE = -4
        enumerator :: HS_ERR_UNREACHABLE = -5, HS_ERR_INFEASIBLE = -6, HS_ERR_UNSUPPORTED = -7, HS_ERR_STATE = -8
        enumerator :: HS_ERR_MISMATCH = -9, HS_ERR_TIMEOUT = -10, HS_ERR_MPI = -11, HS_ERR_SYSTEM = -12
        enumerator :: HS_ERR_CONVERGENCE = -13, HS_ERR_INTERNAL = -14
    end enum
    enum, bind(c) ! hs_balance_mode
        enumerator :: HS_BALANCE_DEFAULT, HS_BALANCE_OFF, HS_BALANCE_STATIC, HS_BALANCE_ON
    end enum
    enum, bind(c) ! hs_step_model
        enumerator :: HS_STEP_SERIAL, HS_STEP_OVERLAP
    end enum
    enum, bind(c) ! hs_edges
        enumerator :: HS_FIXED, HS_PERIODIC
    end enum
    enum, bind(c) ! hs_boxes_stencil
        enumerator :: HS_BOXES_FACES, HS_BOXES_CORNERS
    end enum
    enum, bind(c) ! hs_boxes_method
        enumerator :: HS_BOXES_BEST, HS_BOXES_ROWS, HS_BOXES_GRID, HS_BOXES_COLUMNS, HS_BOXES_GRID_3D, HS_BOXES_SLABS
    end enum
    public :: HS_OK, HS_UNCHANGED, HS_ERR_ARG, HS_ERR_NOMEM, HS_ERR_IO, HS_ERR_PARSE, HS_ERR_UNREACHABLE
    public :: HS_ERR_INFEASIBLE, HS_ERR_UNSUPPORTED, HS_ERR_STATE, HS_ERR_MISMATCH, HS_ERR_TIMEOUT, HS_ERR_MPI
    public :: HS_ERR_SYSTEM, HS_ERR_CONVERGENCE, HS_ERR_INTERNAL
    public :: HS_BALANCE_DEFAULT, HS_BALANCE_OFF, HS_BALANCE_STATIC, HS_BALANCE_ON
    public :: HS_STEP_SERIAL, HS_STEP_OVERLAP, HS_FIXED, HS_PERIODIC, HS_BOXES_FACES, HS_BOXES_CORNERS
    public :: HS_BOXES_BEST, HS_BOXES_ROWS, HS_BOXES_GRID, HS_BOXES_COLUMNS, HS_BOXES_GRID_3D, HS_BOXES_SLABS

    type, public :: hs_context
        private
        type(c_ptr) :: handle = c_null_ptr
    end type
    type, public :: hs_layout
        private
        type(c_ptr) :: handle = c_null_ptr
        integer :: ranks = 0
    end type

    ! An array that moves with a layout.
    type, public :: hs_array
        private
        type(c_ptr), pointer :: unit => null() ! the rank's first unit; the library changes it
        type(c_ptr) :: layout = c_null_ptr
        integer, allocatable :: extent(:)      ! of one unit
        integer :: halo = 0, element_bytes = 0
    end type

    ! Units first .. last, none when count is 0; ranks of the neighbours, which may be MPI_PROC_NULL.
    type, public :: hs_slice
        integer(int64) :: first = 1, last = 0, count = 0
        integer :: prev = 0, next = 0
    end type

    ! A domain in boxes. Dimensions are Fortran's, the contiguous one first: C's in reverse, so HS_BOXES_ROWS cuts the last one,
    ! and of three HS_BOXES_GRID and HS_BOXES_COLUMNS leave the first whole.
    type, public :: hs_box_layout
        private
        type(c_ptr) :: handle = c_null_ptr
        integer :: ranks = 0, dims = 0
        integer(c_int64_t) :: halo = 0
    end type
    type, public :: hs_box_array
        private
        type(c_ptr), pointer :: cell => null() ! the first cell of the box; the library changes it
        type(hs_box_layout) :: layout
        integer(c_int64_t) :: cell_bytes = 0
    end type

    ! Cells first(d) .. last(d) of dimension d.
    type, public :: hs_box
        integer(int64) :: first(3) = 1, last(3) = 0, count(3) = 0
    end type

    type, bind(c), public :: hs_layout_stats
        integer(c_int64_t) :: iterations, phases, moves, moved_units, moved_bytes
        real(c_double) :: decide_s, move_s, compute_s
    end type

    type, bind(c) :: c_params
        integer(c_int) :: mode = HS_BALANCE_DEFAULT
        type(c_ptr) :: platform = c_null_ptr
        real(c_double) :: probe_budget = 0, timeout = 0, work = 0, halo = 0
        integer(c_int) :: model = HS_STEP_SERIAL
        type(c_ptr) :: host = c_null_ptr
        real(c_double) :: move_memory = 0, data = 0
        integer(c_int64_t) :: steps = 0, reserved(5) = 0
    end type
    type, bind(c) :: c_slice
        integer(c_int64_t) :: first, count
        integer(c_int) :: prev, next
    end type
    type, bind(c) :: c_domain
        integer(c_int) :: dims
        integer(c_int64_t) :: extent(3) = 1
        integer(c_int) :: periodic(3) = 0
        integer(c_int64_t) :: halo
        integer(c_int) :: stencil = HS_BOXES_FACES
    end type
    type, bind(c) :: c_box_params
        integer(c_int) :: method = HS_BOXES_BEST
        integer(c_int64_t) :: halo_bytes = 0, steps = 0, reserved(8) = 0
    end type
    type, bind(c) :: c_box
        integer(c_int64_t) :: first(3), count(3)
    end type
    type, bind(c) :: c_error
        integer(c_int) :: line = 0
        character(kind=c_char) :: text(256) = c_null_char
    end type

    public :: hs_init, hs_finalize, hs_comm, hs_error_text, hs_layout_create, hs_layout_free, hs_layout_add_array
    public :: hs_array_get, hs_array_swap, hs_layout_slice, hs_layout_counts, hs_layout_get_stats, hs_balance
    public :: hs_compute_begin, hs_compute_end, hs_counts, hs_weights
    public :: hs_box_create, hs_box_free, hs_box_mine, hs_box_add_array, hs_box_array_get, hs_box_balance, hs_box_rebalance
    public :: hs_box_exchange_start, hs_box_exchange_wait
    public :: hs_layout_weights, hs_layout_get_weights, hs_unit_begin, hs_unit_end

    interface hs_init
        procedure init_integer
#ifdef HS_MPI_F08
        procedure init_f08
#endif
    end interface
    interface hs_comm
        procedure comm_integer
#ifdef HS_MPI_F08
        procedure comm_f08
#endif
    end interface
    interface hs_counts
        procedure counts_integer
#ifdef HS_MPI_F08
        procedure counts_f08
#endif
    end interface
    interface hs_weights
        procedure weights_integer
#ifdef HS_MPI_F08
        procedure weights_f08
#endif
    end interface
    interface hs_unit_begin
        procedure unit_begin_int32, unit_begin_int64
    end interface
    interface hs_layout_create
        procedure layout_create_int32, layout_create_int64
    end interface
    interface hs_layout_add_array
        procedure add_int32_1, add_int32_2, add_int32_3, add_int64_1, add_int64_2, add_int64_3
        procedure add_real32_1, add_real32_2, add_real32_3, add_real64_1, add_real64_2, add_real64_3
    end interface
    ! Point to the array as it is now: needed after hs_balance() has moved slices or hs_array_swap(). The result is null
    ! when the array was added with another rank or size of elements.
    interface hs_array_get
        procedure get_int32_1, get_int32_2, get_int32_3, get_int64_1, get_int64_2, get_int64_3
        procedure get_real32_1, get_real32_2, get_real32_3, get_real64_1, get_real64_2, get_real64_3
    end interface

    interface
        integer(c_int) function c_init(comm, params, context, error) bind(c, name="hs_fortran_init")
            import
            integer(c_int), value :: comm
            type(c_params), intent(in) :: params
            type(c_ptr), intent(out) :: context
            type(c_error), intent(out) :: error
        end function
        integer(c_int) function c_finalize(context) bind(c, name="hs_finalize")
            import
            type(c_ptr), intent(inout) :: context
        end function
        integer(c_int) function c_comm(context) bind(c, name="hs_fortran_comm")
            import
            type(c_ptr), value :: context
        end function
        integer(c_int) function c_ranks(comm) bind(c, name="hs_fortran_ranks")
            import
            integer(c_int), value :: comm
        end function
        type(c_ptr) function c_error_text(context) bind(c, name="hs_error_text")
            import
            type(c_ptr), value :: context
        end function
        integer(c_size_t) function c_strlen(text) bind(c, name="strlen")
            import
            type(c_ptr), value :: text
        end function
        integer(c_int) function c_layout_create(context, units, halo, edges, layout) bind(c, name="hs_layout_create")
            import
            type(c_ptr), value :: context
            integer(c_int64_t), value :: units, halo
            integer(c_int), value :: edges
            type(c_ptr), intent(out) :: layout
        end function
        subroutine c_layout_free(layout) bind(c, name="hs_layout_free")
            import
            type(c_ptr), value :: layout
        end subroutine
        integer(c_int) function c_layout_add_array(layout, bytes, halo, unit) bind(c, name="hs_layout_add_array")
            import
            type(c_ptr), value :: layout, unit
            integer(c_int64_t), value :: bytes, halo
        end function
        type(c_slice) function c_layout_slice(layout) bind(c, name="hs_layout_slice")
            import
            type(c_ptr), value :: layout
        end function
        type(c_ptr) function c_layout_counts(layout) bind(c, name="hs_layout_counts")
            import
            type(c_ptr), value :: layout
        end function
        subroutine c_layout_get_stats(layout, stats) bind(c, name="hs_layout_get_stats")
            import
            type(c_ptr), value :: layout
            type(hs_layout_stats), intent(out) :: stats
        end subroutine
        integer(c_int) function c_balance(layout) bind(c, name="hs_balance")
            import
            type(c_ptr), value :: layout
        end function
        integer(c_int) function c_box_create(context, domain, params, layout) bind(c, name="hs_box_create")
            import
            type(c_ptr), value :: context
            type(c_domain), intent(in) :: domain
            type(c_box_params), intent(in) :: params
            type(c_ptr), intent(out) :: layout
        end function
        subroutine c_box_free(layout) bind(c, name="hs_box_free")
            import
            type(c_ptr), value :: layout
        end subroutine
        type(c_box) function c_box_mine(layout) bind(c, name="hs_box_mine")
            import
            type(c_ptr), value :: layout
        end function
        integer(c_int) function c_box_add_array(layout, bytes, cell) bind(c, name="hs_box_add_array")
            import
            type(c_ptr), value :: layout, cell
            integer(c_int64_t), value :: bytes
        end function
        integer(c_int) function c_box_exchange_start(layout, cell) bind(c, name="hs_box_exchange_start")
            import
            type(c_ptr), value :: layout, cell
        end function
        integer(c_int) function c_box_exchange_wait(layout, cell) bind(c, name="hs_box_exchange_wait")
            import
            type(c_ptr), value :: layout, cell
        end function
        integer(c_int) function c_box_balance(layout) bind(c, name="hs_box_balance")
            import
            type(c_ptr), value :: layout
        end function
        integer(c_int) function c_box_rebalance(layout, speed) bind(c, name="hs_box_rebalance")
            import
            type(c_ptr), value :: layout, speed
        end function
        integer(c_int) function c_layout_weights(layout, weight) bind(c, name="hs_layout_weights")
            import
            type(c_ptr), value :: layout, weight
        end function
        type(c_ptr) function c_layout_get_weights(layout) bind(c, name="hs_layout_get_weights")
            import
            type(c_ptr), value :: layout
        end function
        integer(c_int) function c_unit_begin(layout, first, count) bind(c, name="hs_unit_begin")
            import
            type(c_ptr), value :: layout
            integer(c_int64_t), value :: first, count
        end function
        integer(c_int) function c_unit_end(layout) bind(c, name="hs_unit_end")
            import
            type(c_ptr), value :: layout
        end function
        subroutine c_compute_begin(layout) bind(c, name="hs_compute_begin")
            import
            type(c_ptr), value :: layout
        end subroutine
        subroutine c_compute_end(layout) bind(c, name="hs_compute_end")
            import
            type(c_ptr), value :: layout
        end subroutine
        integer(c_int) function c_counts(comm, n, counts) bind(c, name="hs_fortran_counts")
            import
            integer(c_int), value :: comm
            integer(c_int64_t), value :: n
            type(c_ptr), value :: counts
        end function
        integer(c_int) function c_weights(comm, weights) bind(c, name="hs_fortran_weights")
            import
            integer(c_int), value :: comm
            type(c_ptr), value :: weights
        end function
    end interface

contains

    ! error: what is wrong, where hs_init fails
    integer(c_int) function init_integer(comm, context, mode, platform, probe_budget, timeout, work, halo, model, error, data, &
        steps) result(status)
        integer, intent(in) :: comm
        type(hs_context), intent(out) :: context
        integer(c_int), intent(in), optional :: mode, model
        character(*), intent(in), optional :: platform
        real(c_double), intent(in), optional :: probe_budget, timeout, work, halo, data
        integer(c_int64_t), intent(in), optional :: steps
        character(:), allocatable, intent(out), optional :: error
        character(kind=c_char), allocatable, target :: path(:)
        type(c_params) :: params
        type(c_error), target :: what
        if (present(mode)) params%mode = mode
        if (present(model)) params%model = model
        if (present(probe_budget)) params%probe_budget = probe_budget
        if (present(timeout)) params%timeout = timeout
        if (present(work)) params%work = work
        if (present(halo)) params%halo = halo
        if (present(data)) params%data = data
        if (present(steps)) params%steps = steps
        if (present(platform)) then
            path = transfer(trim(platform)//c_null_char, [c_null_char])
            params%platform = c_loc(path)
        end if
        status = c_init(comm, params, context%handle, what)
        if (present(error)) error = fortran_text(c_loc(what%text))
    end function

    integer(c_int) function hs_finalize(context) result(status)
        type(hs_context), intent(inout) :: context
        status = c_finalize(context%handle)
    end function

    subroutine comm_integer(context, comm)
        type(hs_context), intent(in) :: context
        integer, intent(out) :: comm
        comm = c_comm(context%handle)
    end subroutine

    function hs_error_text(context) result(text)
        type(hs_context), intent(in) :: context
        character(:), allocatable :: text
        text = '' ! of no context: hs_init() tells why
        if (c_associated(context%handle)) text = fortran_text(c_error_text(context%handle))
    end function

    function fortran_text(address) result(text)
        type(c_ptr), intent(in) :: address
        character(:), allocatable :: text
        character(kind=c_char), pointer :: letter(:)
        integer :: i
        call c_f_pointer(address, letter, [c_strlen(address)])
        allocate(character(size(letter)) :: text)
        do i = 1, size(letter)
            text(i:i) = letter(i)
        end do
    end function

    integer(c_int) function layout_create_int64(context, units, halo, edges, layout) result(status)
        type(hs_context), intent(in) :: context
        integer(int64), intent(in) :: units
        integer, intent(in) :: halo
        integer(c_int), intent(in) :: edges
        type(hs_layout), intent(out) :: layout
        layout%ranks = c_ranks(c_comm(context%handle))
        status = c_layout_create(context%handle, units, int(halo, c_int64_t), edges, layout%handle)
    end function

    integer(c_int) function layout_create_int32(context, units, halo, edges, layout) result(status)
        type(hs_context), intent(in) :: context
        integer(int32), intent(in) :: units
        integer, intent(in) :: halo
        integer(c_int), intent(in) :: edges
        type(hs_layout), intent(out) :: layout
        status = layout_create_int64(context, int(units, int64), halo, edges, layout)
    end function

    subroutine hs_layout_free(layout)
        type(hs_layout), intent(inout) :: layout
        call c_layout_free(layout%handle)
        layout%handle = c_null_ptr
    end subroutine

    ! What all kinds of arrays have in common. extent: of a unit, needed when the array has more than one dimension.
    integer(c_int) function add_array(layout, array, extent, halo, dimensions, element_bytes) result(status)
        type(hs_layout), intent(in) :: layout
        type(hs_array), intent(inout) :: array
        integer, intent(in), optional :: extent(:), halo
        integer, intent(in) :: dimensions, element_bytes
        integer(c_int64_t) :: bytes
        array%extent = [integer ::]
        if (present(extent)) array%extent = extent
        if (present(halo)) array%halo = halo
        ! what the library refuses on every rank
        if (size(array%extent) /= dimensions - 1 .or. any(array%extent < 1)) array%extent = [0]
        bytes = element_bytes * product(int(array%extent, c_int64_t))
        array%element_bytes = element_bytes
        array%layout = layout%handle
        allocate(array%unit)
        array%unit = c_null_ptr
        status = c_layout_add_array(layout%handle, bytes, int(array%halo, c_int64_t), c_loc(array%unit))
    end function

    ! Exchange what two arrays hold; both of the same kind and halo.
    subroutine hs_array_swap(a, b)
        type(hs_array), intent(inout) :: a, b
        type(c_ptr) :: unit
        unit = a%unit
        a%unit = b%unit
        b%unit = unit
    end subroutine

    type(c_ptr) function first_address(array)
        type(hs_array), intent(in) :: array
        integer(c_intptr_t) :: address
        address = transfer(array%unit, address)
        address = address - array%halo * array%element_bytes * product(int(array%extent, c_intptr_t))
        first_address = transfer(address, first_address)
    end function

    integer(c_int64_t) function stored_units(array)
        type(hs_array), intent(in) :: array
        type(c_slice) :: slice
        slice = c_layout_slice(array%layout)
        stored_units = slice%count + 2 * array%halo
    end function

    integer(c_int64_t) function lower_bound(array)
        type(hs_array), intent(in) :: array
        type(c_slice) :: slice
        slice = c_layout_slice(array%layout)
        lower_bound = slice%first + 1 - array%halo
    end function

    type(hs_slice) function hs_layout_slice(layout) result(slice)
        type(hs_layout), intent(in) :: layout
        type(c_slice) :: c
        c = c_layout_slice(layout%handle)
        slice = hs_slice(c%first + 1, c%first + c%count, c%count, c%prev, c%next)
    end function

    ! counts: one element a rank of hs_comm(); more are 0
    subroutine hs_layout_counts(layout, counts)
        type(hs_layout), intent(in) :: layout
        integer(int64), intent(out) :: counts(:)
        integer(c_int64_t), pointer :: all(:)
        call c_f_pointer(c_layout_counts(layout%handle), all, [min(size(counts), layout%ranks)])
        counts = 0
        counts(:size(all)) = all
    end subroutine

    type(hs_layout_stats) function hs_layout_get_stats(layout) result(stats)
        type(hs_layout), intent(in) :: layout
        call c_layout_get_stats(layout%handle, stats)
    end function

    ! HS_OK: the slices moved; ask hs_layout_slice() and hs_array_get() again. HS_UNCHANGED: nothing moved.
    integer(c_int) function hs_balance(layout) result(status)
        type(hs_layout), intent(in) :: layout
        status = c_balance(layout%handle)
    end function

    subroutine hs_compute_begin(layout)
        type(hs_layout), intent(in) :: layout
        call c_compute_begin(layout%handle)
    end subroutine

    subroutine hs_compute_end(layout)
        type(hs_layout), intent(in) :: layout
        call c_compute_end(layout%handle)
    end subroutine

    ! weight: one element for each unit of this rank's slice. Another size is refused, on all ranks; without units any is taken
    integer(c_int) function hs_layout_weights(layout, weight) result(status)
        type(hs_layout), intent(in) :: layout
        real(real64), intent(in), contiguous, target :: weight(:)
        type(c_slice) :: slice
        type(c_ptr) :: address
        slice = c_layout_slice(layout%handle)
        address = c_null_ptr
        if (size(weight) == slice%count .and. slice%count > 0) address = c_loc(weight)
        status = c_layout_weights(layout%handle, address)
    end function

    ! The weights of units slice%first .. slice%last, until the next hs_layout_weights() or hs_balance(); null: there are none.
    function hs_layout_get_weights(layout) result(weight)
        type(hs_layout), intent(in) :: layout
        real(real64), pointer, contiguous :: weight(:)
        real(real64), pointer, contiguous :: local(:)
        type(c_slice) :: slice
        type(c_ptr) :: address
        weight => null()
        address = c_layout_get_weights(layout%handle)
        if (.not. c_associated(address)) return
        slice = c_layout_slice(layout%handle)
        call c_f_pointer(address, local, [slice%count])
        weight(slice%first + 1:) => local
    end function

    ! count: of units, by default 1
    integer(c_int) function unit_begin_int64(layout, first, count) result(status)
        type(hs_layout), intent(in) :: layout
        integer(int64), intent(in) :: first
        integer(int64), intent(in), optional :: count
        integer(c_int64_t) :: units
        units = 1
        if (present(count)) units = count
        status = c_unit_begin(layout%handle, first - 1, units)
    end function

    integer(c_int) function unit_begin_int32(layout, first, count) result(status)
        type(hs_layout), intent(in) :: layout
        integer(int32), intent(in) :: first
        integer(int32), intent(in), optional :: count
        integer(c_int64_t) :: units
        units = 1
        if (present(count)) units = count
        status = c_unit_begin(layout%handle, int(first, c_int64_t) - 1, units)
    end function

    integer(c_int) function hs_unit_end(layout) result(status)
        type(hs_layout), intent(in) :: layout
        status = c_unit_end(layout%handle)
    end function

    ! extent: cells of each dimension. periodic: one value a dimension, by default all false. Another size is refused, on all ranks
    integer(c_int) function hs_box_create(context, extent, halo, layout, periodic, stencil, method, halo_bytes, steps) &
        result(status)
        type(hs_context), intent(in) :: context
        integer, intent(in) :: extent(:), halo
        type(hs_box_layout), intent(out) :: layout
        logical, intent(in), optional :: periodic(:)
        integer(c_int), intent(in), optional :: stencil, method
        integer(int64), intent(in), optional :: halo_bytes, steps
        type(c_domain) :: domain
        type(c_box_params) :: params
        integer :: d
        domain%dims = size(extent)
        domain%halo = halo
        do d = 1, min(size(extent), 3)
            domain%extent(d) = extent(size(extent) + 1 - d)
        end do
        if (present(periodic)) then
            domain%periodic = -1 ! which the library refuses
            do d = 1, merge(min(size(extent), 3), 0, size(periodic) == size(extent))
                domain%periodic(d) = merge(1, 0, periodic(size(extent) + 1 - d))
            end do
        end if
        if (present(stencil)) domain%stencil = stencil
        if (present(method)) params%method = method
        if (present(halo_bytes)) params%halo_bytes = halo_bytes
        if (present(steps)) params%steps = steps
        layout%ranks = c_ranks(c_comm(context%handle))
        layout%dims = size(extent)
        layout%halo = halo
        status = c_box_create(context%handle, domain, params, layout%handle)
    end function

    subroutine hs_box_free(layout)
        type(hs_box_layout), intent(inout) :: layout
        call c_box_free(layout%handle)
        layout%handle = c_null_ptr
    end subroutine

    type(hs_box) function hs_box_mine(layout) result(box)
        type(hs_box_layout), intent(in) :: layout
        type(c_box) :: c
        c = c_box_mine(layout%handle)
        box%first(:layout%dims) = c%first(layout%dims:1:-1) + 1
        box%count(:layout%dims) = c%count(layout%dims:1:-1)
        box%last = box%first + box%count - 1
    end function

    ! cell_bytes: of an element, such as storage_size(u) / 8
    integer(c_int) function hs_box_add_array(layout, cell_bytes, array) result(status)
        type(hs_box_layout), intent(in) :: layout
        integer, intent(in) :: cell_bytes
        type(hs_box_array), intent(out) :: array
        array%layout = layout
        array%cell_bytes = cell_bytes
        allocate(array%cell)
        array%cell = c_null_ptr
        status = c_box_add_array(layout%handle, array%cell_bytes, c_loc(array%cell))
    end function

    ! Where the array is now, for c_f_pointer(address, local, extent) and u(lower(1):, lower(2):) => local: its box with the
    ! halo, of any type, in the domain's bounds. One element a dimension; without cells the address is null and the extent 0.
    subroutine hs_box_array_get(array, address, lower, extent)
        type(hs_box_array), intent(in) :: array
        type(c_ptr), intent(out) :: address
        integer(int64), intent(out) :: lower(:), extent(:)
        type(hs_box) :: box
        integer(c_intptr_t) :: first
        integer :: d
        box = hs_box_mine(array%layout)
        lower = box%first(:size(lower)) - array%layout%halo
        extent = 0
        address = array%cell
        if (.not. c_associated(address)) return
        extent = box%count(:size(extent)) + 2 * array%layout%halo
        first = transfer(address, first)
        do d = 1, array%layout%dims
            first = first - array%layout%halo * array%cell_bytes * product(extent(:d - 1))
        end do
        address = transfer(first, address)
    end subroutine

    integer(c_int) function hs_box_exchange_start(layout, array) result(status)
        type(hs_box_layout), intent(in) :: layout
        type(hs_box_array), intent(in) :: array
        status = c_box_exchange_start(layout%handle, array%cell)
    end function

    integer(c_int) function hs_box_exchange_wait(layout, array) result(status)
        type(hs_box_layout), intent(in) :: layout
        type(hs_box_array), intent(in) :: array
        status = c_box_exchange_wait(layout%handle, array%cell)
    end function

    ! HS_OK: the boxes moved; ask hs_box_mine() and hs_box_array_get() again. HS_UNCHANGED: nothing moved.
    integer(c_int) function hs_box_balance(layout) result(status)
        type(hs_box_layout), intent(in) :: layout
        status = c_box_balance(layout%handle)
    end function

    ! speed, counts, weights: one element a rank. Another size is refused, on all ranks
    integer(c_int) function hs_box_rebalance(layout, speed) result(status)
        type(hs_box_layout), intent(in) :: layout
        real(real64), intent(in), contiguous, target :: speed(:)
        type(c_ptr) :: address
        address = c_null_ptr
        if (size(speed) == layout%ranks) address = c_loc(speed)
        status = c_box_rebalance(layout%handle, address)
    end function

    integer(c_int) function counts_integer(comm, n, counts) result(status)
        integer, intent(in) :: comm
        integer(int64), intent(in) :: n
        integer(int64), intent(out), contiguous, target :: counts(:)
        type(c_ptr) :: address
        address = c_null_ptr
        if (size(counts) == c_ranks(comm)) address = c_loc(counts)
        status = c_counts(comm, n, address)
    end function

    integer(c_int) function weights_integer(comm, weights) result(status)
        integer, intent(in) :: comm
        real(real32), intent(out), contiguous, target :: weights(:)
        type(c_ptr) :: address
        address = c_null_ptr
        if (size(weights) == c_ranks(comm)) address = c_loc(weights)
        status = c_weights(comm, address)
    end function

#ifdef HS_MPI_F08
    integer(c_int) function init_f08(comm, context, mode, platform, probe_budget, timeout, work, halo, model, error, data, steps) &
        result(status)
        type(MPI_Comm), intent(in) :: comm
        type(hs_context), intent(out) :: context
        integer(c_int), intent(in), optional :: mode, model
        character(*), intent(in), optional :: platform
        real(c_double), intent(in), optional :: probe_budget, timeout, work, halo, data
        integer(c_int64_t), intent(in), optional :: steps
        character(:), allocatable, intent(out), optional :: error
        character(:), allocatable :: text ! gfortran 12 loses the length of an optional argument that is handed on
        status = init_integer(comm%MPI_VAL, context, mode, platform, probe_budget, timeout, work, halo, model, text, data, steps)
        if (present(error)) error = text
    end function

    subroutine comm_f08(context, comm)
        type(hs_context), intent(in) :: context
        type(MPI_Comm), intent(out) :: comm
        comm%MPI_VAL = c_comm(context%handle)
    end subroutine

    integer(c_int) function counts_f08(comm, n, counts) result(status)
        type(MPI_Comm), intent(in) :: comm
        integer(int64), intent(in) :: n
        integer(int64), intent(out), contiguous :: counts(:)
        status = counts_integer(comm%MPI_VAL, n, counts)
    end function

    integer(c_int) function weights_f08(comm, weights) result(status)
        type(MPI_Comm), intent(in) :: comm
        real(real32), intent(out), contiguous :: weights(:)
        status = weights_integer(comm%MPI_VAL, weights)
    end function
#endif

#define DIMENSIONS (:)
#define LEADING
#define ELEMENT integer(int32)
#define ADD add_int32_1
#define GET get_int32_1
#include "array.inc"
#define ELEMENT integer(int64)
#define ADD add_int64_1
#define GET get_int64_1
#include "array.inc"
#define ELEMENT real(real32)
#define ADD add_real32_1
#define GET get_real32_1
#include "array.inc"
#define ELEMENT real(real64)
#define ADD add_real64_1
#define GET get_real64_1
#include "array.inc"
#undef DIMENSIONS
#undef LEADING
#define DIMENSIONS (:,:)
#define LEADING 1:,
#define ELEMENT integer(int32)
#define ADD add_int32_2
#define GET get_int32_2
#include "array.inc"
#define ELEMENT integer(int64)
#define ADD add_int64_2
#define GET get_int64_2
#include "array.inc"
#define ELEMENT real(real32)
#define ADD add_real32_2
#define GET get_real32_2
#include "array.inc"
#define ELEMENT real(real64)
#define ADD add_real64_2
#define GET get_real64_2
#include "array.inc"
#undef DIMENSIONS
#undef LEADING
#define DIMENSIONS (:,:,:)
#define LEADING 1:, 1:,
#define ELEMENT integer(int32)
#define ADD add_int32_3
#define GET get_int32_3
#include "array.inc"
#define ELEMENT integer(int64)
#define ADD add_int64_3
#define GET get_int64_3
#include "array.inc"
#define ELEMENT real(real32)
#define ADD add_real32_3
#define GET get_real32_3
#include "array.inc"
#define ELEMENT real(real64)
#define ADD add_real64_3
#define GET get_real64_3
#include "array.inc"
end module

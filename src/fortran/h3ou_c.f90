! SPDX-License-Identifier: BSD-3-Clause
!> Interfaces of the C face (include/h3ou.h), the context of a process's component, and the handling of errors. The module does not
!> use MPI, so that it is the same for every MPI.
module h3ou_c
  use, intrinsic :: iso_c_binding, only: c_int, c_int64_t, c_double, c_float, c_char, c_ptr, c_funptr, c_null_char, c_null_ptr, &
    c_associated
  implicit none
  public

  integer, parameter :: name_len = 64
  integer(c_int), parameter :: type_byte = 0, type_int = 1, type_long = 2, type_real = 3, type_double = 4 !< enum h3ou_type
  integer(c_int), parameter :: face_fortran = 1 !< enum h3ou_face

  type(c_ptr), save :: ctx = c_null_ptr !< of the component that the calls are about

  !> Mirrors h3ou_arrays of include/h3ou.h.
  type, bind(C) :: c_arrays
    integer(c_int) :: type, rank
    integer(c_int64_t) :: extent(3)
    integer(c_int) :: count
    type(c_ptr) :: component(3), share
    integer(c_int64_t) :: nshare
  end type

  interface
    integer(c_int) function c_announce(n, component) bind(C, name='h3ou_announce')
      import :: c_int, c_ptr
      integer(c_int), value :: n
      type(c_ptr), intent(in) :: component(*)
    end function
    integer(c_int) function c_find(component, out) bind(C, name='h3ou_find')
      import :: c_int, c_ptr
      type(c_ptr), value :: component
      type(c_ptr), intent(out) :: out
    end function
    integer(c_int) function c_open(component, config, nensemble, out) bind(C, name='h3ou_open')
      import :: c_int, c_char, c_ptr
      character(kind=c_char), intent(in) :: component(*), config(*)
      integer(c_int), value :: nensemble
      type(c_ptr), intent(out) :: out
    end function
    integer(c_int) function c_open_in(component, config, nensemble, comm, out) bind(C, name='h3ou_open_in')
      import :: c_int, c_char, c_ptr
      character(kind=c_char), intent(in) :: component(*), config(*)
      integer(c_int), value :: nensemble, comm
      type(c_ptr), intent(out) :: out
    end function
    integer(c_int) function c_close(c, time, finalize) bind(C, name='h3ou_close')
      import :: c_int, c_ptr
      type(c_ptr), value :: c, time
      integer(c_int), value :: finalize
    end function
    subroutine c_abort(c, code) bind(C, name='h3ou_abort')
      import :: c_int, c_ptr
      type(c_ptr), value :: c
      integer(c_int), value :: code
    end subroutine
    subroutine c_abort_text(c, text) bind(C, name='h3ou_abort_text')
      import :: c_ptr, c_char
      type(c_ptr), value :: c
      character(kind=c_char), intent(in) :: text(*)
    end subroutine
    integer(c_int) function c_unsupported(what) bind(C, name='h3ou_unsupported')
      import :: c_int, c_char
      character(kind=c_char), intent(in) :: what(*)
    end function
    subroutine c_face(face) bind(C, name='h3ou_face')
      import :: c_int
      integer(c_int), value :: face
    end subroutine
    integer(c_int) function c_wrong(sentence) bind(C, name='h3ou_wrong')
      import :: c_int, c_char
      character(kind=c_char), intent(in) :: sentence(*)
    end function
    integer(c_int) function c_local(c, comm, group, size, rank) bind(C, name='h3ou_local')
      import :: c_int, c_ptr
      type(c_ptr), value :: c
      integer(c_int), intent(out) :: comm, group, size, rank
    end function
    integer(c_int) function c_local_named(c, name, comm, group, size, rank) bind(C, name='h3ou_local_named')
      import :: c_int, c_ptr, c_char
      type(c_ptr), value :: c
      character(kind=c_char), intent(in) :: name(*)
      integer(c_int), intent(out) :: comm, group, size, rank
    end function
    integer(c_int) function c_my_name(c, name) bind(C, name='h3ou_my_name')
      import :: c_int, c_ptr, c_char
      type(c_ptr), value :: c
      character(kind=c_char), intent(out) :: name(*)
    end function
    integer(c_int) function c_is_coupled(c) bind(C, name='h3ou_is_coupled')
      import :: c_int, c_ptr
      type(c_ptr), value :: c
    end function
    integer(c_int) function c_couple_id(c) bind(C, name='h3ou_couple_id')
      import :: c_int, c_ptr
      type(c_ptr), value :: c
    end function
    integer(c_int) function c_component_id(c, name, id) bind(C, name='h3ou_component_id')
      import :: c_int, c_ptr, c_char
      type(c_ptr), value :: c
      character(kind=c_char), intent(in) :: name(*)
      integer(c_int), intent(out) :: id
    end function
    integer(c_int) function c_my_component_id(c) bind(C, name='h3ou_my_component_id')
      import :: c_int, c_ptr
      type(c_ptr), value :: c
    end function
    integer(c_int) function c_target_name(c, name) bind(C, name='h3ou_target_name')
      import :: c_int, c_ptr, c_char
      type(c_ptr), value :: c
      character(kind=c_char), intent(out) :: name(*)
    end function
    integer(c_int) function c_pair_cells(c, send_comp, recv_comp, tag, nsource, ntarget) bind(C, name='h3ou_pair_cells')
      import :: c_int, c_ptr, c_char
      type(c_ptr), value :: c
      character(kind=c_char), intent(in) :: send_comp(*), recv_comp(*)
      integer(c_int), value :: tag
      integer(c_int), intent(out) :: nsource, ntarget
    end function
    integer(c_int) function c_grid_define(c, component, grid, index, n, nz) bind(C, name='h3ou_grid_define')
      import :: c_int, c_int64_t, c_ptr, c_char
      type(c_ptr), value :: c
      character(kind=c_char), intent(in) :: component(*), grid(*)
      integer(c_int), intent(in) :: index(*)
      integer(c_int64_t), value :: n
      integer(c_int), value :: nz
    end function
    integer(c_int) function c_grid_centres(c, grid, lon, lat, units) bind(C, name='h3ou_grid_centres')
      import :: c_int, c_ptr, c_char, c_double
      type(c_ptr), value :: c
      character(kind=c_char), intent(in) :: grid(*), units(*)
      real(c_double), intent(in) :: lon(*), lat(*)
    end function
    integer(c_int) function c_grid_corners(c, grid, most, lon, lat, units) bind(C, name='h3ou_grid_corners')
      import :: c_int, c_ptr, c_char, c_double
      type(c_ptr), value :: c
      character(kind=c_char), intent(in) :: grid(*), units(*)
      integer(c_int), value :: most
      real(c_double), intent(in) :: lon(*), lat(*)
    end function
    integer(c_int) function c_grid_mask(c, grid, mask) bind(C, name='h3ou_grid_mask')
      import :: c_int, c_ptr, c_char
      type(c_ptr), value :: c
      character(kind=c_char), intent(in) :: grid(*)
      integer(c_int), intent(in) :: mask(*)
    end function
    integer(c_int) function c_grid_area(c, grid, area) bind(C, name='h3ou_grid_area')
      import :: c_int, c_ptr, c_char, c_double
      type(c_ptr), value :: c
      character(kind=c_char), intent(in) :: grid(*)
      real(c_double), intent(in) :: area(*)
    end function
    integer(c_int) function c_grid_angle(c, grid, angle, units) bind(C, name='h3ou_grid_angle')
      import :: c_int, c_ptr, c_char, c_double
      type(c_ptr), value :: c
      character(kind=c_char), intent(in) :: grid(*), units(*)
      real(c_double), intent(in) :: angle(*)
    end function
    integer(c_int) function c_grid_shape(c, grid, nx, ny, cyclic, fold) bind(C, name='h3ou_grid_shape')
      import :: c_int, c_ptr, c_char
      type(c_ptr), value :: c
      character(kind=c_char), intent(in) :: grid(*)
      integer(c_int), value :: nx, ny, cyclic, fold
    end function
    integer(c_int) function c_grid_block(c, grid, nx, ny) bind(C, name='h3ou_grid_block')
      import :: c_int, c_ptr, c_char
      type(c_ptr), value :: c
      character(kind=c_char), intent(in) :: grid(*)
      integer(c_int), value :: nx, ny
    end function
    integer(c_int) function c_grid_halo(c, grid, halo) bind(C, name='h3ou_grid_halo')
      import :: c_int, c_ptr, c_char
      type(c_ptr), value :: c
      character(kind=c_char), intent(in) :: grid(*)
      integer(c_int), intent(in) :: halo(4)
    end function
    integer(c_int) function c_grid_positions(c, grid, rank, shape, position) bind(C, name='h3ou_grid_positions')
      import :: c_int, c_ptr, c_char
      type(c_ptr), value :: c
      character(kind=c_char), intent(in) :: grid(*)
      integer(c_int), value :: rank
      integer(c_int), intent(in) :: shape(*), position(*)
    end function
    integer(c_int) function c_grid_edges(c, grid, edges) bind(C, name='h3ou_grid_edges')
      import :: c_int, c_ptr, c_char
      type(c_ptr), value :: c
      character(kind=c_char), intent(in) :: grid(*), edges(*)
    end function
    integer(c_int) function c_grid_end(c) bind(C, name='h3ou_grid_end')
      import :: c_int, c_ptr
      type(c_ptr), value :: c
    end function
    integer(c_int) function c_table_set(c, my_name, send_comp, send_grid, recv_comp, recv_grid, tag, send_index, recv_index, coef, &
                                        coef_cos, coef_sin, n, mode) bind(C, name='h3ou_table_set_rotated')
      import :: c_int, c_int64_t, c_ptr, c_char
      type(c_ptr), value :: c, send_index, recv_index, coef, coef_cos, coef_sin
      character(kind=c_char), intent(in) :: my_name(*), send_comp(*), send_grid(*), recv_comp(*), recv_grid(*)
      integer(c_int), value :: tag, mode
      integer(c_int64_t), value :: n
    end function
    integer(c_int) function c_time_init(c, time) bind(C, name='h3ou_time_init')
      import :: c_int, c_ptr
      type(c_ptr), value :: c
      integer(c_int), intent(in) :: time(6)
    end function
    integer(c_int) function c_time_set(c, component, time, step) bind(C, name='h3ou_time_set')
      import :: c_int, c_ptr, c_char
      type(c_ptr), value :: c
      character(kind=c_char), intent(in) :: component(*)
      integer(c_int), intent(in) :: time(6)
      integer(c_int), value :: step
    end function
    integer(c_int) function c_time_pass(c, component, time, step) bind(C, name='h3ou_time_pass')
      import :: c_int, c_ptr, c_char
      type(c_ptr), value :: c
      character(kind=c_char), intent(in) :: component(*)
      integer(c_int), intent(in) :: time(6)
      integer(c_int), value :: step
    end function
    integer(c_int) function c_send_now(c, send, recv) bind(C, name='h3ou_send_now')
      import :: c_int, c_ptr, c_char
      type(c_ptr), value :: c
      character(kind=c_char), intent(in) :: send(*), recv(*)
    end function
    integer(c_int) function c_recv_now(c, send, recv) bind(C, name='h3ou_recv_now')
      import :: c_int, c_ptr, c_char
      type(c_ptr), value :: c
      character(kind=c_char), intent(in) :: send(*), recv(*)
    end function
    integer(c_int) function c_time_set_seconds(c, component, seconds, step) bind(C, name='h3ou_time_set_seconds')
      import :: c_int, c_ptr, c_char, c_double
      type(c_ptr), value :: c
      character(kind=c_char), intent(in) :: component(*)
      real(c_double), value :: seconds, step
    end function
    integer(c_int) function c_time_set_months(c, component, time, months) bind(C, name='h3ou_time_set_months')
      import :: c_int, c_ptr, c_char
      type(c_ptr), value :: c
      character(kind=c_char), intent(in) :: component(*)
      integer(c_int), intent(in) :: time(6)
      integer(c_int), value :: months
    end function
    integer(c_int) function c_write_restart(c, file) bind(C, name='h3ou_write_restart')
      import :: c_int, c_ptr, c_char
      type(c_ptr), value :: c
      character(kind=c_char), intent(in) :: file(*)
    end function
    integer(c_int) function c_read_restart(c, file) bind(C, name='h3ou_read_restart')
      import :: c_int, c_ptr, c_char
      type(c_ptr), value :: c
      character(kind=c_char), intent(in) :: file(*)
    end function
    integer(c_int) function c_should_stop(c, stop) bind(C, name='h3ou_should_stop')
      import :: c_int, c_ptr
      type(c_ptr), value :: c
      integer(c_int), intent(out) :: stop
    end function
    integer(c_int) function c_time_add_months(c, time, months) bind(C, name='h3ou_time_add_months')
      import :: c_int, c_ptr
      type(c_ptr), value :: c
      integer(c_int), intent(inout) :: time(6)
      integer(c_int), value :: months
    end function
    integer(c_int) function c_time_add(c, time, step) bind(C, name='h3ou_time_add')
      import :: c_int, c_ptr
      type(c_ptr), value :: c
      integer(c_int), intent(inout) :: time(6)
      integer(c_int), value :: step
    end function
    integer(c_int) function c_put_arrays(c, field, arrays) bind(C, name='h3ou_put_arrays')
      import :: c_int, c_ptr, c_char, c_arrays
      type(c_ptr), value :: c
      character(kind=c_char), intent(in) :: field(*)
      type(c_arrays), intent(in) :: arrays
    end function
    integer(c_int) function c_get_arrays(c, field, arrays, ok) bind(C, name='h3ou_get_arrays')
      import :: c_int, c_ptr, c_char, c_arrays
      type(c_ptr), value :: c
      character(kind=c_char), intent(in) :: field(*)
      type(c_arrays), intent(in) :: arrays
      integer(c_int), intent(out) :: ok
    end function
    integer(c_int) function c_field(c, name, field) bind(C, name='h3ou_field')
      import :: c_int, c_ptr, c_char
      type(c_ptr), value :: c
      character(kind=c_char), intent(in) :: name(*)
      integer(c_int), intent(out) :: field
    end function
    integer(c_int) function c_field_put_arrays(c, field, arrays) bind(C, name='h3ou_field_put_arrays')
      import :: c_int, c_ptr, c_arrays
      type(c_ptr), value :: c
      integer(c_int), value :: field
      type(c_arrays), intent(in) :: arrays
    end function
    integer(c_int) function c_field_get_arrays(c, field, arrays, ok) bind(C, name='h3ou_field_get_arrays')
      import :: c_int, c_ptr, c_arrays
      type(c_ptr), value :: c
      integer(c_int), value :: field
      type(c_arrays), intent(in) :: arrays
      integer(c_int), intent(out) :: ok
    end function
    integer(c_int) function c_is_wanted(c, field) bind(C, name='h3ou_is_wanted')
      import :: c_int, c_ptr, c_char
      type(c_ptr), value :: c
      character(kind=c_char), intent(in) :: field(*)
    end function
    integer(c_int) function c_put_count(c) bind(C, name='h3ou_put_count')
      import :: c_int, c_ptr
      type(c_ptr), value :: c
    end function
    integer(c_int) function c_get_count(c) bind(C, name='h3ou_get_count')
      import :: c_int, c_ptr
      type(c_ptr), value :: c
    end function
    integer(c_int) function c_put_name(c, number, name) bind(C, name='h3ou_put_name')
      import :: c_int, c_ptr, c_char
      type(c_ptr), value :: c
      integer(c_int), value :: number
      character(kind=c_char), intent(out) :: name(*)
    end function
    integer(c_int) function c_get_name(c, number, name) bind(C, name='h3ou_get_name')
      import :: c_int, c_ptr, c_char
      type(c_ptr), value :: c
      integer(c_int), value :: number
      character(kind=c_char), intent(out) :: name(*)
    end function
    integer(c_int) function c_members(c, field, members) bind(C, name='h3ou_members')
      import :: c_int, c_ptr, c_char
      type(c_ptr), value :: c
      character(kind=c_char), intent(in) :: field(*)
      integer(c_int), intent(out) :: members
    end function
    integer(c_int) function c_layers(c, field, nlayer) bind(C, name='h3ou_layers')
      import :: c_int, c_ptr, c_char
      type(c_ptr), value :: c
      character(kind=c_char), intent(in) :: field(*)
      integer(c_int), intent(out) :: nlayer
    end function
    integer(c_int) function c_comm_model(c, first, second, comm) bind(C, name='h3ou_comm_model')
      import :: c_int, c_ptr, c_char
      type(c_ptr), value :: c
      character(kind=c_char), intent(in) :: first(*), second(*)
      integer(c_int), intent(out) :: comm
    end function
    integer(c_int) function c_comm_rank(c, comm, rank) bind(C, name='h3ou_comm_rank')
      import :: c_int, c_ptr
      type(c_ptr), value :: c
      integer(c_int), value :: comm
      integer(c_int), intent(out) :: rank
    end function
    integer(c_int) function c_comm_size(c, comm, size) bind(C, name='h3ou_comm_size')
      import :: c_int, c_ptr
      type(c_ptr), value :: c
      integer(c_int), value :: comm
      integer(c_int), intent(out) :: size
    end function
    integer(c_int) function c_op_create(c, function, user, commutes, op) bind(C, name='h3ou_op_create')
      import :: c_int, c_ptr, c_funptr
      type(c_ptr), value :: c, user
      type(c_funptr), value :: function
      integer(c_int), value :: commutes
      integer(c_int), intent(out) :: op
    end function
    integer(c_int) function c_op_free(c, op) bind(C, name='h3ou_op_free')
      import :: c_int, c_ptr
      type(c_ptr), value :: c
      integer(c_int), value :: op
    end function
    integer(c_int) function c_barrier(c, comm) bind(C, name='h3ou_barrier')
      import :: c_int, c_ptr
      type(c_ptr), value :: c
      integer(c_int), value :: comm
    end function
    integer(c_int) function c_bcast(c, comm, root, data, n, kind) bind(C, name='h3ou_bcast')
      import :: c_int, c_int64_t, c_ptr
      type(c_ptr), value :: c, data
      integer(c_int), value :: comm, root, kind
      integer(c_int64_t), value :: n
    end function
    integer(c_int) function c_gather(c, comm, root, send, n, recv, kind) bind(C, name='h3ou_gather')
      import :: c_int, c_int64_t, c_ptr
      type(c_ptr), value :: c, send, recv
      integer(c_int), value :: comm, root, kind
      integer(c_int64_t), value :: n
    end function
    integer(c_int) function c_gatherv(c, comm, root, send, n, recv, counts, displs, kind) bind(C, name='h3ou_gatherv')
      import :: c_int, c_int64_t, c_ptr
      type(c_ptr), value :: c, send, recv, counts, displs
      integer(c_int), value :: comm, root, kind
      integer(c_int64_t), value :: n
    end function
    integer(c_int) function c_scatter(c, comm, root, send, recv, n, kind) bind(C, name='h3ou_scatter')
      import :: c_int, c_int64_t, c_ptr
      type(c_ptr), value :: c, send, recv
      integer(c_int), value :: comm, root, kind
      integer(c_int64_t), value :: n
    end function
    integer(c_int) function c_scatterv(c, comm, root, send, counts, displs, recv, n, kind) bind(C, name='h3ou_scatterv')
      import :: c_int, c_int64_t, c_ptr
      type(c_ptr), value :: c, send, recv, counts, displs
      integer(c_int), value :: comm, root, kind
      integer(c_int64_t), value :: n
    end function
    integer(c_int) function c_allgather(c, comm, send, n, recv, kind) bind(C, name='h3ou_allgather')
      import :: c_int, c_int64_t, c_ptr
      type(c_ptr), value :: c, send, recv
      integer(c_int), value :: comm, kind
      integer(c_int64_t), value :: n
    end function
    integer(c_int) function c_allgatherv(c, comm, send, recv, counts, displs, kind) bind(C, name='h3ou_allgatherv')
      import :: c_int, c_ptr
      type(c_ptr), value :: c, send, recv, counts, displs
      integer(c_int), value :: comm, kind
    end function
    integer(c_int) function c_alltoall(c, comm, send, recv, n, kind) bind(C, name='h3ou_alltoall')
      import :: c_int, c_int64_t, c_ptr
      type(c_ptr), value :: c, send, recv
      integer(c_int), value :: comm, kind
      integer(c_int64_t), value :: n
    end function
    integer(c_int) function c_alltoallv(c, comm, send, send_counts, send_displs, recv, recv_counts, recv_displs, kind) &
        bind(C, name='h3ou_alltoallv')
      import :: c_int, c_ptr
      type(c_ptr), value :: c, send, send_counts, send_displs, recv, recv_counts, recv_displs
      integer(c_int), value :: comm, kind
    end function
    integer(c_int) function c_reduce(c, comm, root, send, recv, n, kind, op) bind(C, name='h3ou_reduce')
      import :: c_int, c_int64_t, c_ptr
      type(c_ptr), value :: c, send, recv
      integer(c_int), value :: comm, root, kind, op
      integer(c_int64_t), value :: n
    end function
    integer(c_int) function c_allreduce(c, comm, send, recv, n, kind, op) bind(C, name='h3ou_allreduce')
      import :: c_int, c_int64_t, c_ptr
      type(c_ptr), value :: c, send, recv
      integer(c_int), value :: comm, kind, op
      integer(c_int64_t), value :: n
    end function
    integer(c_int) function c_reduce_scatter(c, comm, send, recv, counts, kind, op) bind(C, name='h3ou_reduce_scatter')
      import :: c_int, c_ptr
      type(c_ptr), value :: c, send, recv, counts
      integer(c_int), value :: comm, kind, op
    end function
    integer(c_int) function c_scan(c, comm, send, recv, n, kind, op) bind(C, name='h3ou_scan')
      import :: c_int, c_int64_t, c_ptr
      type(c_ptr), value :: c, send, recv
      integer(c_int), value :: comm, kind, op
      integer(c_int64_t), value :: n
    end function
    integer(c_int) function c_bcast_global(c, source, data, n, kind) bind(C, name='h3ou_bcast_global')
      import :: c_int, c_int64_t, c_ptr, c_char
      type(c_ptr), value :: c, data
      character(kind=c_char), intent(in) :: source(*)
      integer(c_int64_t), value :: n
      integer(c_int), value :: kind
    end function
    integer(c_int) function c_bcast_model(c, source, target, data, n, kind) bind(C, name='h3ou_bcast_model')
      import :: c_int, c_int64_t, c_ptr, c_char
      type(c_ptr), value :: c, data
      character(kind=c_char), intent(in) :: source(*), target(*)
      integer(c_int64_t), value :: n
      integer(c_int), value :: kind
    end function
    integer(c_int) function c_bcast_local(c, source_rank, data, n, kind) bind(C, name='h3ou_bcast_local')
      import :: c_int, c_int64_t, c_ptr
      type(c_ptr), value :: c, data
      integer(c_int), value :: source_rank, kind
      integer(c_int64_t), value :: n
    end function
    integer(c_int) function c_send(c, target, data, n, kind) bind(C, name='h3ou_send')
      import :: c_int, c_int64_t, c_ptr, c_char
      type(c_ptr), value :: c, data
      character(kind=c_char), intent(in) :: target(*)
      integer(c_int64_t), value :: n
      integer(c_int), value :: kind
    end function
    integer(c_int) function c_recv(c, source, data, n, kind) bind(C, name='h3ou_recv')
      import :: c_int, c_int64_t, c_ptr, c_char
      type(c_ptr), value :: c, data
      character(kind=c_char), intent(in) :: source(*)
      integer(c_int64_t), value :: n
      integer(c_int), value :: kind
    end function
    integer(c_int) function c_send_model(c, target, rank, data, n, kind) bind(C, name='h3ou_send_model')
      import :: c_int, c_int64_t, c_ptr, c_char
      type(c_ptr), value :: c, data
      character(kind=c_char), intent(in) :: target(*)
      integer(c_int), value :: rank, kind
      integer(c_int64_t), value :: n
    end function
    integer(c_int) function c_recv_model(c, source, rank, data, n, kind) bind(C, name='h3ou_recv_model')
      import :: c_int, c_int64_t, c_ptr, c_char
      type(c_ptr), value :: c, data
      character(kind=c_char), intent(in) :: source(*)
      integer(c_int), value :: rank, kind
      integer(c_int64_t), value :: n
    end function
    integer(c_int) function c_send_local(c, rank, data, n, kind) bind(C, name='h3ou_send_local')
      import :: c_int, c_int64_t, c_ptr
      type(c_ptr), value :: c, data
      integer(c_int), value :: rank, kind
      integer(c_int64_t), value :: n
    end function
    integer(c_int) function c_recv_local(c, rank, data, n, kind) bind(C, name='h3ou_recv_local')
      import :: c_int, c_int64_t, c_ptr
      type(c_ptr), value :: c, data
      integer(c_int), value :: rank, kind
      integer(c_int64_t), value :: n
    end function
    integer(c_int) function c_isend_model(c, target, rank, data, n, kind) bind(C, name='h3ou_isend_model')
      import :: c_int, c_int64_t, c_ptr, c_char
      type(c_ptr), value :: c, data
      character(kind=c_char), intent(in) :: target(*)
      integer(c_int), value :: rank, kind
      integer(c_int64_t), value :: n
    end function
    integer(c_int) function c_irecv_model(c, source, rank, data, n, kind) bind(C, name='h3ou_irecv_model')
      import :: c_int, c_int64_t, c_ptr, c_char
      type(c_ptr), value :: c, data
      character(kind=c_char), intent(in) :: source(*)
      integer(c_int), value :: rank, kind
      integer(c_int64_t), value :: n
    end function
    integer(c_int) function c_isend_waitall(c) bind(C, name='h3ou_isend_waitall')
      import :: c_int, c_ptr
      type(c_ptr), value :: c
    end function
    integer(c_int) function c_irecv_waitall(c) bind(C, name='h3ou_irecv_waitall')
      import :: c_int, c_ptr
      type(c_ptr), value :: c
    end function
  end interface

contains

  !> Ends the run in every job, with one message, after an error, because the Fortran calls have no status argument.
  subroutine check(code)
    integer(c_int), intent(in) :: code
    if (code == 0) return
    call c_face(face_fortran)
    call c_abort(ctx, code)
  end subroutine

  subroutine unsupported(what)
    character(*), intent(in) :: what
    call check(c_unsupported(c_text(what)))
  end subroutine

  function c_text(text) result(c)
    character(*), intent(in) :: text
    character(:, kind=c_char), allocatable :: c
    c = trim(text) // c_null_char
  end function

  !> Two sizes, as the end of a sentence about an array that has another one than it must have.
  function sizes(awaited, found) result(text)
    integer, intent(in) :: awaited, found
    character(:), allocatable :: text
    character(40) :: room
    write (room, '(2(a,i0))') ', ', awaited, ', not ', found
    text = trim(room)
  end function

  function f_text(c) result(text)
    character(kind=c_char), intent(in) :: c(:)
    character(name_len) :: text
    integer :: i
    text = ''
    do i = 1, min(size(c), name_len)
      if (c(i) == c_null_char) exit
      text(i:i) = c(i)
    end do
  end function

end module h3ou_c

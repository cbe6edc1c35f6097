! SPDX-License-Identifier: BSD-3-Clause
!> The calls that models make. Names, arguments and meaning are those of h3-Open-UTIL/MP; docs/user-guide.md explains them.
!> Every error ends the run, in every job, with one message (see h3ou_abort in include/h3ou.h).
module h3ou_api
  use, intrinsic :: iso_c_binding, only: c_int, c_int64_t, c_double, c_char, c_ptr, c_null_ptr, c_null_char, c_loc, &
    c_associated
  use h3ou_c, only: ctx, check, unsupported, c_text, f_text, name_len, c_announce, c_find, c_open, c_close, c_abort_text, c_local, &
    sizes, c_open_in, c_my_name, c_is_coupled, c_couple_id, c_target_name, c_pair_cells, c_local_named, &
    c_component_id, c_my_component_id, c_grid_define, c_grid_end, c_table_set, c_time_init, c_time_set, c_time_add, &
    c_put_count, c_get_count, c_put_name, c_get_name, c_layers, c_members, c_isend_waitall, c_irecv_waitall, c_wrong, &
    c_grid_centres, c_grid_corners, c_grid_mask, c_grid_area, c_grid_angle, c_grid_shape, c_grid_edges, &
    c_grid_block, c_grid_halo, c_grid_positions, c_field, c_is_wanted, c_time_set_seconds, c_time_set_months, c_time_add_months, &
    c_time_pass, c_send_now, c_recv_now, c_face, face_fortran, c_write_restart, c_read_restart, c_should_stop
  use h3ou_beside
  use h3ou_collectives
  use h3ou_fields
  use h3ou_handles
  implicit none
  private

  ! The run
  public :: h3ou_announce, h3ou_init, h3ou_select, h3ou_coupling_end, h3ou_end, h3ou_abort
  public :: h3ou_get_mpi_parameter, h3ou_get_my_comm, h3ou_get_my_rank, h3ou_get_my_size, h3ou_get_my_name
  public :: h3ou_is_coupled, h3ou_is_local_leader, h3ou_is_my_component
  public :: h3ou_get_model_id, h3ou_get_comp_num_from_name, h3ou_get_couple_id, h3ou_get_target_name
  ! Grids and tables
  public :: h3ou_def_grid, h3ou_end_grid_def, h3ou_set_interpolation_table
  public :: h3ou_get_num_of_send_grid, h3ou_get_num_of_recv_grid
  ! Time and fields
  public :: h3ou_init_time, h3ou_set_time, h3ou_inc_time, h3ou_inc_calendar
  public :: h3ou_put_data, h3ou_put_data_1d, h3ou_put_data_25d, h3ou_get_data, h3ou_get_data_1d, h3ou_get_data_25d
  public :: h3ou_set_time_seconds, h3ou_set_time_months, h3ou_inc_months
  public :: h3ou_field, h3ou_is_wanted, h3ou_put_data_xyz, h3ou_get_data_xyz
  public :: h3ou_get_num_of_put_data, h3ou_get_num_of_get_data, h3ou_get_put_data_name, h3ou_get_get_data_name, h3ou_get_vlayer
  public :: h3ou_get_members, h3ou_write_restart, h3ou_read_restart, h3ou_should_stop
  public :: h3ou_send_data_immediately, h3ou_recv_data_immediately
  ! Communication beside the exchange
  public :: h3ou_bcast_global, h3ou_bcast_global_string, h3ou_bcast_global_int, h3ou_bcast_global_real, h3ou_bcast_global_double
  public :: h3ou_bcast_model, h3ou_bcast_model_int, h3ou_bcast_model_real, h3ou_bcast_model_double
  public :: h3ou_bcast_local, h3ou_bcast_local_int, h3ou_bcast_local_real, h3ou_bcast_local_double
  public :: h3ou_send, h3ou_send_int_scalar, h3ou_send_real_scalar, h3ou_send_double_scalar
  public :: h3ou_recv, h3ou_recv_int_scalar, h3ou_recv_real_scalar, h3ou_recv_double_scalar
  public :: h3ou_send_array, h3ou_send_array_str, h3ou_send_array_int, h3ou_send_array_real, h3ou_send_array_dbl
  public :: h3ou_send_array_str_2, h3ou_send_array_int_2, h3ou_send_array_real_2, h3ou_send_array_dbl_2
  public :: h3ou_recv_array, h3ou_recv_array_str, h3ou_recv_array_int, h3ou_recv_array_real, h3ou_recv_array_dbl
  public :: h3ou_recv_array_str_2, h3ou_recv_array_int_2, h3ou_recv_array_real_2, h3ou_recv_array_dbl_2
  public :: h3ou_send_model, h3ou_send_model_int, h3ou_send_model_real, h3ou_send_model_double
  public :: h3ou_recv_model, h3ou_recv_model_int, h3ou_recv_model_real, h3ou_recv_model_double
  public :: h3ou_isend_model_int, h3ou_isend_model_real, h3ou_isend_model_double, h3ou_isend_waitall
  public :: h3ou_irecv_model_int, h3ou_irecv_model_real, h3ou_irecv_model_double, h3ou_irecv_waitall
  public :: h3ou_send_local, h3ou_recv_local
  public :: h3ou_send_local_all, h3ou_send_local_int, h3ou_send_local_real, h3ou_send_local_double
  public :: h3ou_recv_local_all, h3ou_recv_local_int, h3ou_recv_local_real, h3ou_recv_local_double
  ! Collective calls
  public :: h3ou_comm_model, h3ou_comm_rank, h3ou_comm_size, h3ou_comm_global, h3ou_comm_leader, h3ou_comm_local
  public :: h3ou_barrier, h3ou_bcast, h3ou_gather, h3ou_gatherv, h3ou_scatter, h3ou_scatterv
  public :: h3ou_allgather, h3ou_allgatherv, h3ou_alltoall, h3ou_alltoallv
  public :: h3ou_reduce, h3ou_allreduce, h3ou_reduce_scatter, h3ou_scan, h3ou_op_sum, h3ou_op_min, h3ou_op_max
  public :: h3ou_op_create_int, h3ou_op_create_long, h3ou_op_create_real, h3ou_op_create_double, h3ou_op_create_char, h3ou_op_free
  public :: h3ou_function_int, h3ou_function_long, h3ou_function_real, h3ou_function_double, h3ou_function_char

  !> Names that programs written for h3-Open-UTIL/MP may declare variables with: no call takes them. There the types are its
  !> descriptions of a field that is put and of one that is got, and the numbers say what kind of coefficients an array has.
  type, public :: jcup_varp_type
  end type
  type, public :: jcup_varg_type
  end type
  integer, parameter, public :: OPERATION_COEF = 0, SEND_COEF = 1, RECV_COEF = 2

contains

  !> Says which components this process opens, when it opens several, as a driver does that calls two models in turn. Then h3ou_init
  !> is called once for each of them. Each call is about the component of the last h3ou_init or h3ou_select. The other processes of
  !> a component may open other components, or it alone. Members of an ensemble are not possible in such a run.
  !>   comp_names: their names, 1 to 8
  !> Collective: no; it is called before the first h3ou_init. The calls that are collective over a component are made for the
  !>   components in the same order by all processes.
  !> Errors: h3ou_init was called; a name is given twice.
  !> Example:
  !>     call h3ou_announce([character(5) :: "atmos", "ocean"])
  subroutine h3ou_announce(comp_names)
    character(*), intent(in) :: comp_names(:)
    character(kind=c_char), target :: text(len(comp_names) + 1, size(comp_names))
    type(c_ptr) :: place(size(comp_names))
    integer :: i, k
    text = c_null_char
    do i = 1, size(comp_names)
      do k = 1, len_trim(comp_names(i))
        text(k, i) = comp_names(i)(k:k)
      end do
      place(i) = c_loc(text(1, i))
    end do
    call c_face(face_fortran)
    call check(c_announce(size(comp_names, kind=c_int), place))
  end subroutine

  !> Makes the calls that follow be about another component that this process has opened (h3ou_announce).
  !>   comp_name: its name
  !> Collective: no.
  !> Errors: this process has not opened this component, or has ended it.
  !> Example:
  !>     call h3ou_select("atmos")
  subroutine h3ou_select(comp_name)
    character(*), intent(in) :: comp_name
    character(kind=c_char), target :: text(len(comp_name) + 1)
    type(c_ptr) :: found
    integer :: k
    text = c_null_char
    do k = 1, len_trim(comp_name)
      text(k) = comp_name(k:k)
    end do
    call check(c_find(c_loc(text), found))
    ctx = found
  end subroutine

  !> Joins the coupled run as one component, and reads the namelist. It calls MPI_Init unless the program has done so.
  !>   comp_name: name of my component, 1 to 64 characters; the namelist uses it
  !>   config_file_name: path of the namelist; rank 0 of each component reads it
  !>   nensemble: members of my component in all jobs, 1 to 9999; 1 (the default): no ensemble
  !>   comm: the communicator in which the run takes place, of an MPI that runs; it is duplicated. The processes outside it call
  !>     nothing of h3ou. Without it: MPI_COMM_WORLD
  !> Collective: all processes of all components of the run.
  !> Errors: another job does not join in time, the namelist is wrong, the components' configurations differ, or comm is no
  !>   communicator of an MPI that runs.
  !> Example:
  !>     call h3ou_init("ocean", "coupling.conf")
  subroutine h3ou_init(comp_name, config_file_name, nensemble, comm)
    character(*), intent(in) :: comp_name, config_file_name
    integer, intent(in), optional :: nensemble, comm
    integer(c_int) :: n
    n = 1
    if (present(nensemble)) n = nensemble
    call c_face(face_fortran)
    if (present(comm)) then
      call check(c_open_in(c_text(comp_name), c_text(config_file_name), n, int(comm, c_int), ctx))
    else
      call check(c_open(c_text(comp_name), c_text(config_file_name), n, ctx))
    end if
  end subroutine

  !> Sends what is due up to the end of the last step, and leaves the run. Of several components of a process (h3ou_announce) each
  !> is ended; the last one leaves the run, and its is_call_finalize counts. After that of one the calls are about another one.
  !>   itime: the time reached: year, month, day, hour, minute, second; accepted for existing programs, and not used
  !>   is_call_finalize: .true.: MPI_Finalize is called now; .false.: never by the library; without it: now if h3ou_init
  !>     called MPI_Init, else when the program ends with status 0 and has not called it itself
  !> Collective: all processes of all components of the run.
  !> Errors: another component has failed or does not come to the end in time.
  !> Example:
  !>     call h3ou_coupling_end(time, .true.)
  subroutine h3ou_coupling_end(itime, is_call_finalize)
    integer, intent(in), optional :: itime(:)
    logical, intent(in), optional :: is_call_finalize
    integer(c_int), target :: time(6)
    integer(c_int) :: finalize
    type(c_ptr) :: place
    finalize = -1
    if (present(is_call_finalize)) finalize = merge(1, 0, is_call_finalize)
    place = c_null_ptr
    if (present(itime)) then
      time = six(itime)
      place = c_loc(time)
    end if
    call check(c_close(ctx, place, finalize))
    if (c_find(c_null_ptr, ctx) /= 0) ctx = c_null_ptr
  end subroutine

  !> Leaves the run as h3ou_coupling_end without arguments does, with all components of the process; does nothing when the run was
  !> left already.
  !> Collective: all processes of all components of the run.
  !> Errors: as of h3ou_coupling_end.
  subroutine h3ou_end()
    do while (c_associated(ctx))
      call h3ou_coupling_end()
    end do
  end subroutine

  !> Ends the run in every job; all print the text, the component and the rank. Does not return. May be called at any time.
  !>   text: the sentence to print
  !> Collective: no; any process may call it.
  !> Errors: none; it does not return.
  !> Example:
  !>     if (any(sst < 200)) call h3ou_abort("the ocean is too cold")
  subroutine h3ou_abort(text)
    character(*), intent(in) :: text
    call c_abort_text(ctx, c_text(text))
  end subroutine

  !> Returns the communicator of my component, my rank in it, and its size. A model uses this communicator, and not
  !> MPI_COMM_WORLD. It lives until MPI_Finalize, also after h3ou_coupling_end, and is not to be freed.
  !>   comp_name: name of my component
  !>   comm: Fortran handle of the communicator, of the MPI that this process runs
  !>   group: Fortran handle of its group
  !>   size: number of processes of my component
  !>   rank: my rank, from 0
  !> Collective: no.
  !> Errors: comp_name is not a component of the run. Another component than mine is a warning, and an error with strict=.true.
  !> Example:
  !>     call h3ou_get_mpi_parameter("ocean", comm, group, nproc, rank)
  subroutine h3ou_get_mpi_parameter(comp_name, comm, group, size, rank)
    character(*), intent(in) :: comp_name
    integer, intent(out) :: comm, group, size, rank
    comm = 0
    group = 0
    size = 0
    rank = 0
    call check(c_local_named(ctx, c_text(comp_name), comm, group, size, rank))
  end subroutine

  !> Returns the Fortran handle of my component's communicator; see h3ou_get_mpi_parameter.
  !> Collective: no.
  !> Errors: before h3ou_init or after the end.
  integer function h3ou_get_my_comm() result(comm)
    integer(c_int) :: group, size, rank
    call check(c_local(ctx, comm, group, size, rank))
  end function

  !> Returns my rank in my component, from 0.
  !> Collective: no.
  !> Errors: before h3ou_init or after the end.
  integer function h3ou_get_my_rank() result(rank)
    integer(c_int) :: comm, group, size
    call check(c_local(ctx, comm, group, size, rank))
  end function

  !> Returns the number of processes of my component.
  !> Collective: no.
  !> Errors: before h3ou_init or after the end.
  integer function h3ou_get_my_size() result(size)
    integer(c_int) :: comm, group, rank
    call check(c_local(ctx, comm, group, size, rank))
  end function

  !> Returns the name of my component, padded with blanks.
  !> Collective: no.
  !> Errors: before h3ou_init or after the end.
  character(name_len) function h3ou_get_my_name() result(name)
    character(kind=c_char) :: c(name_len + 1)
    call check(c_my_name(ctx, c))
    name = f_text(c)
  end function

  !> Returns .true. between h3ou_init and h3ou_coupling_end, also when one component runs alone.
  !> Collective: no.
  !> Errors: none.
  logical function h3ou_is_coupled()
    h3ou_is_coupled = c_is_coupled(ctx) /= 0
  end function

  !> Returns .true. on rank 0 of my component.
  !> Collective: no.
  !> Errors: before h3ou_init or after the end.
  logical function h3ou_is_local_leader()
    h3ou_is_local_leader = h3ou_get_my_rank() == 0
  end function

  !> Returns the number of a component. Components count from 1 in the alphabetical order of their names.
  !>   comp_name: name of a component
  !>   comp_id: its number
  !> Collective: no.
  !> Errors: no component of that name takes part in the run.
  subroutine h3ou_get_model_id(comp_name, comp_id)
    character(*), intent(in) :: comp_name
    integer, intent(out) :: comp_id
    comp_id = 0
    call check(c_component_id(ctx, c_text(comp_name), comp_id))
  end subroutine

  !> As h3ou_get_model_id, but a function: returns the number.
  integer function h3ou_get_comp_num_from_name(comp_name) result(comp_id)
    character(*), intent(in) :: comp_name
    call h3ou_get_model_id(comp_name, comp_id)
  end function

  !> Returns .true. if a number is that of my component.
  !>   comp_id: number of a component, as h3ou_get_model_id returns it
  !> Collective: no.
  !> Errors: none.
  logical function h3ou_is_my_component(comp_id)
    integer, intent(in) :: comp_id
    h3ou_is_my_component = comp_id == c_my_component_id(ctx) .and. comp_id > 0
  end function

  !> Returns the number of my couple, from 1: the members of all components that have the same number. 1 without ensembles.
  !> Collective: no.
  !> Errors: none.
  integer function h3ou_get_couple_id()
    h3ou_get_couple_id = c_couple_id(ctx)
  end function

  !> Returns the name of the other component; of several the one that the namelist first names together with mine. It is
  !> 'NO_TARGET' for a component that runs alone.
  !> Collective: no.
  !> Errors: before h3ou_init or after the end.
  character(name_len) function h3ou_get_target_name() result(name)
    character(kind=c_char) :: c(name_len + 1)
    call check(c_target_name(ctx, c))
    name = f_text(c)
  end function

  !> Defines a grid of my component by the cells that this process holds; all arrays are copied.
  !>
  !> The optional arguments say where the cells are, in the order of grid_index. They are needed where the library makes the
  !> weights (the key `method` of the namelist) and where it turns vectors.
  !>   grid_index: (cell), global indices of this process's cells, from 1; each cell is held by one process
  !>   comp_name: name of my component
  !>   grid_name: name of the grid, 1 to 64 characters; the namelist uses it
  !>   nz: the largest number of layers of a field on this grid
  !>   lon, lat: (cell), centres, in `units`; both or none
  !>   lon_corners, lat_corners: (corner, cell), 3 to 1000 corners in either sense of rotation, in `units`; a cell with fewer
  !>     corners repeats one; both or none
  !>   mask: (cell), 0 where a cell takes no part (its centre and corners may be missing), any other number where it does
  !>   area: (cell), areas in steradians, which norm='destarea' conserves
  !>   angle: (cell), from local east to the first component of a vector, anticlockwise, in `units`
  !>   units: 'degrees' (the default) or 'radians', of all coordinates and angles
  !>   grid_shape: (2), nx and ny of a grid that has rows: index = x + nx*(y - 1)
  !>   cyclic: .true.: x = nx and x = 1 are neighbours; needs grid_shape
  !>   fold: .true.: the last rows meet themselves (tripolar grids, pivot T or F); needs grid_shape
  !>   edges: 'great_circle' or 'latitude': what runs between two corners of one latitude; by default circles of latitude
  !>     where all cells are boxes of two longitudes and two latitudes, else great circles
  !>   local_shape: (2), the cells of this process are a block of nx by ny, grid_index runs along its rows. Fields may then be
  !>     (x, y) and (x, y, layer). It need not be given where grid_index fills rows of grid_shape
  !>   halo: (4), how many cells more the arrays of fields have at the left, the right, the low and the high end; these belong to
  !>     the model
  !>   shape: (1 to 3), extents of the arrays of fields, where these hold the cells in several regions, each with a halo; -1 for
  !>     one of them says that it is the index of the layers, as in [gall, -1, lall]; else layers are the last index
  !>   position: (indices but that of the layers, cell), where each cell stands in such an array, from 1; it may be in the model's
  !>     halo, as that of a pole. Put reads and get sets these elements alone. shape and position go together, without
  !>     local_shape and halo
  !> Collective: no, but every process of my component calls it, each grid once, before h3ou_end_grid_def.
  !> Errors: an array does not have the size of grid_index; a coordinate is not on the sphere (the sentence names the cell).
  !> Example:
  !>     call h3ou_def_grid(index, "ocean", "tripolar", 1, lon, lat, lon_corners, lat_corners, mask=mask)
  subroutine h3ou_def_grid(grid_index, comp_name, grid_name, nz, lon, lat, lon_corners, lat_corners, mask, area, angle, units, &
                           grid_shape, cyclic, fold, edges, local_shape, halo, shape, position)
    integer, intent(in) :: grid_index(:)
    character(*), intent(in) :: comp_name, grid_name
    integer, intent(in) :: nz
    real(c_double), intent(in), optional :: lon(:), lat(:), lon_corners(:, :), lat_corners(:, :), area(:), angle(:)
    integer, intent(in), optional :: mask(:), grid_shape(2), local_shape(2), halo(4), shape(:), position(:, :)
    character(*), intent(in), optional :: units, edges
    logical, intent(in), optional :: cyclic, fold
    integer(c_int) :: copy(size(grid_index))
    character(16) :: unit
    copy = grid_index
    call check(c_grid_define(ctx, c_text(comp_name), c_text(grid_name), copy, size(copy, kind=c_int64_t), int(nz, c_int)))
    unit = 'degrees'
    if (present(units)) unit = units
    if (present(lon) .neqv. present(lat)) call wrong('lon and lat go together')
    if (present(lon_corners) .neqv. present(lat_corners)) call wrong('lon_corners and lat_corners go together')
    if (present(mask)) then ! before the centres, which masked cells need not have
      if (size(mask) /= size(copy)) call wrong('mask must have the size of grid_index' // sizes(size(copy), size(mask)))
      call check(c_grid_mask(ctx, c_text(grid_name), [mask, 0]))
    end if
    if (present(lon)) then
      if (any([size(lon), size(lat)] /= size(copy))) call wrong('lon and lat must have the size of grid_index' // &
        sizes(size(copy), merge(size(lat), size(lon), size(lon) == size(copy))))
      call check(c_grid_centres(ctx, c_text(grid_name), whole(lon), whole(lat), c_text(unit)))
    end if
    if (present(lon_corners)) then
      if (size(lon_corners, 1) /= size(lat_corners, 1) .or. any([size(lon_corners, 2), size(lat_corners, 2)] /= size(copy))) &
        call wrong('lon_corners and lat_corners must be (corner, cell)')
      call check(c_grid_corners(ctx, c_text(grid_name), size(lon_corners, 1, kind=c_int), whole(pack(lon_corners, .true.)), &
                                whole(pack(lat_corners, .true.)), c_text(unit)))
    end if
    if (present(area)) then
      if (size(area) /= size(copy)) call wrong('area must have the size of grid_index' // sizes(size(copy), size(area)))
      call check(c_grid_area(ctx, c_text(grid_name), whole(area)))
    end if
    if (present(angle)) then
      if (size(angle) /= size(copy)) call wrong('angle must have the size of grid_index' // sizes(size(copy), size(angle)))
      call check(c_grid_angle(ctx, c_text(grid_name), whole(angle), c_text(unit)))
    end if
    if (present(grid_shape)) call check(c_grid_shape(ctx, c_text(grid_name), int(grid_shape(1), c_int), &
                                                     int(grid_shape(2), c_int), is(cyclic), is(fold)))
    if (present(edges)) call check(c_grid_edges(ctx, c_text(grid_name), c_text(edges)))
    if (present(local_shape)) call check(c_grid_block(ctx, c_text(grid_name), int(local_shape(1), c_int), &
                                                      int(local_shape(2), c_int)))
    if (present(halo)) call check(c_grid_halo(ctx, c_text(grid_name), int(halo, c_int)))
    if (present(position) .and. .not. present(shape)) call wrong('shape and position go together')
    if (present(shape)) call set_positions()
  contains
    subroutine set_positions()
      integer(c_int), allocatable :: place(:)
      allocate (place(0))
      if (present(position)) then
        if (size(position, 2) /= size(copy) .or. size(position, 1) /= count(shape /= -1)) &
          call wrong('position must be (indices of shape but that of the layers, cell)')
        place = int(pack(position, .true.), c_int)
      else if (size(copy) > 0) then ! a position without elements may look as if it were absent
        call wrong('shape and position go together')
      end if
      call check(c_grid_positions(ctx, c_text(grid_name), size(shape, kind=c_int), int([shape, 0], c_int), &
                                  [place, 1_c_int] - 1_c_int))
    end subroutine
    subroutine wrong(sentence)
      character(*), intent(in) :: sentence
      call check(c_wrong(c_text('h3ou_def_grid: grid ' // trim(grid_name) // ': ' // sentence)))
    end subroutine
    !> Contiguous, and with an address also when there is no cell.
    function whole(values) result(all)
      real(c_double), intent(in) :: values(:)
      real(c_double) :: all(size(values) + 1)
      all(:size(values)) = values
      all(size(values) + 1) = 0
    end function
    integer(c_int) function is(flag)
      logical, intent(in), optional :: flag
      is = 0
      if (present(flag)) is = merge(1, 0, flag)
    end function
  end subroutine

  !> Ends the definition of grids, and checks that no cell is held twice.
  !> Collective: all processes of my component.
  !> Errors: two processes hold one cell, or an index is below 1.
  subroutine h3ou_end_grid_def()
    call check(c_grid_end(ctx))
  end subroutine

  !> Gives the interpolation table of a pair of grids: recv(recv_index(i)) = sum of coef(i)*send(send_index(i)), in the order of i.
  !> One of the two components passes the arrays; what its rank 0 passes counts, unless is_spread is .true. They are copied.
  !>   my_name: name of my component
  !>   send_comp_name: name of the component that puts
  !>   send_grid_name: name of its grid
  !>   recv_comp_name: name of the component that gets
  !>   recv_grid_name: name of its grid
  !>   mapping_tag: the pair's mapping_tag in the namelist
  !>   send_index: (link), global indices of source cells, from 1
  !>   recv_index: (link), global indices of target cells, from 1
  !>   coef: (link), coefficients, without unit; without it all are 1, with a warning
  !>   coef_cos, coef_sin: (link), cosine and sine of the angle from the source's to the target's local frame, for vectors:
  !>     u' = sum of coef*(coef_cos*u - coef_sin*v), v' = sum of coef*(coef_sin*u + coef_cos*v); other fields use coef alone
  !>   is_spread: .true. on all processes of the giving component: each passes a part of the table
  !> Collective: no, but every process of both components calls it, after h3ou_end_grid_def and before h3ou_init_time.
  !> Errors: the arrays differ in size, an index is no cell of its grid, or both components or none gave the
  !>   table; h3ou_init_time finds the last two.
  !> Example:
  !>     call h3ou_set_interpolation_table("ocean", "ocean", "tripolar", "atmos", "gaussian", 1, send_index, recv_index, coef)
  subroutine h3ou_set_interpolation_table(my_name, send_comp_name, send_grid_name, recv_comp_name, recv_grid_name, mapping_tag, &
                                          send_index, recv_index, coef, coef_cos, coef_sin, is_spread)
    character(*), intent(in) :: my_name, send_comp_name, send_grid_name, recv_comp_name, recv_grid_name
    integer, intent(in) :: mapping_tag
    integer, intent(in), optional :: send_index(:), recv_index(:)
    real(c_double), intent(in), optional :: coef(:), coef_cos(:), coef_sin(:)
    logical, intent(in), optional :: is_spread
    integer(c_int), allocatable, target :: send_copy(:), recv_copy(:)
    real(c_double), allocatable, target :: coef_copy(:), cos_copy(:), sin_copy(:)
    type(c_ptr) :: place(5)
    integer(c_int) :: mode
    integer(c_int64_t) :: n
    mode = 0
    if (present(is_spread)) mode = merge(1, 0, is_spread)
    n = -1
    place = c_null_ptr
    if (.not. (present(send_index) .or. present(recv_index) .or. present(coef))) then
      n = 0
    else if (present(send_index) .and. present(recv_index)) then
      if (size(send_index) == size(recv_index)) n = size(send_index, kind=c_int64_t)
    end if
    if (present(coef)) then
      if (size(coef) /= n) n = -1
    end if
    if (n >= 0 .and. present(send_index)) then
      allocate (send_copy(n + 1), recv_copy(n + 1)) ! one more: an empty table has an address too
      send_copy(1:n) = send_index
      recv_copy(1:n) = recv_index
      place(1:2) = [c_loc(send_copy), c_loc(recv_copy)]
      if (present(coef)) then
        allocate (coef_copy(n + 1))
        coef_copy(1:n) = coef
        place(3) = c_loc(coef_copy)
      end if
    end if
    if (present(coef_cos)) call turn(coef_cos, cos_copy, place(4))
    if (present(coef_sin)) call turn(coef_sin, sin_copy, place(5))
    call check(c_table_set(ctx, c_text(my_name), c_text(send_comp_name), c_text(send_grid_name), c_text(recv_comp_name), &
                           c_text(recv_grid_name), int(mapping_tag, c_int), place(1), place(2), place(3), place(4), place(5), n, &
                           mode))
  contains
    !> Of another size than coef it counts as missing, which the C face then says.
    subroutine turn(values, copy, at)
      real(c_double), intent(in) :: values(:)
      real(c_double), allocatable, target, intent(out) :: copy(:)
      type(c_ptr), intent(inout) :: at
      if (size(values) /= n) return
      allocate (copy(n + 1))
      copy(1:n) = values
      at = c_loc(copy)
    end subroutine
  end subroutine

  !> Returns how many source cells this process needs in a pair of grids: 0 on the sending side.
  !>   recv_model_name: name of the component that gets
  !>   send_model_name: name of the component that puts
  !>   grid_tag: the pair's mapping_tag; 1 by default. The first pair of the two counts when none has it
  !>   num_of_grid: the number of cells
  !> Collective: no; after h3ou_init_time.
  !> Errors: the two components have no pair, or h3ou_init_time was not called.
  subroutine h3ou_get_num_of_send_grid(recv_model_name, send_model_name, grid_tag, num_of_grid)
    character(*), intent(in) :: recv_model_name, send_model_name
    integer, intent(in), optional :: grid_tag
    integer, intent(inout) :: num_of_grid
    integer :: cells(2)
    cells = pair_cells(recv_model_name, send_model_name, grid_tag)
    num_of_grid = cells(1)
  end subroutine

  !> As h3ou_get_num_of_send_grid, but returns how many cells of this process have a row in the table.
  subroutine h3ou_get_num_of_recv_grid(recv_model_name, send_model_name, grid_tag, num_of_grid)
    character(*), intent(in) :: recv_model_name, send_model_name
    integer, intent(in), optional :: grid_tag
    integer, intent(inout) :: num_of_grid
    integer :: cells(2)
    cells = pair_cells(recv_model_name, send_model_name, grid_tag)
    num_of_grid = cells(2)
  end subroutine

  function pair_cells(recv_model_name, send_model_name, grid_tag) result(cells)
    character(*), intent(in) :: recv_model_name, send_model_name
    integer, intent(in), optional :: grid_tag
    integer :: cells(2)
    integer(c_int) :: tag
    tag = 1
    if (present(grid_tag)) tag = grid_tag
    call check(c_pair_cells(ctx, c_text(send_model_name), c_text(recv_model_name), tag, cells(1), cells(2)))
  end function

  !> Says when the run begins. The library makes the weights that models did not give, and plans all exchanges.
  !>   time_array: (6), year, month, day, hour, minute, second, in the calendar of the namelist
  !> Collective: all processes of all components that exchange fields.
  !> Errors: a pair has no table and no method, a table or a grid is wrong, or the times of two components
  !>   differ with strict=.true.
  !> Example:
  !>     time = [2026, 1, 1, 0, 0, 0]
  !>     call h3ou_init_time(time)
  subroutine h3ou_init_time(time_array)
    integer, intent(in) :: time_array(6)
    call check(c_time_init(ctx, int(time_array, c_int)))
  end subroutine

  !> Begins a time step. Values that are due are sent here.
  !>   component_name: name of my component
  !>   time_array: (6), beginning of the step: the start plus the sum of the steps so far
  !>   delta_t: length of the step in seconds
  !>   is_exchange: .false.: the exchanges that are due do not take place, nothing is sent for them and no get of the step returns a
  !>     value; a mean goes on to the next exchange that takes place. Both components leave out the same exchanges. Default: .true.
  !> Collective: no, but every process of my component calls it once a step. At the log level LOUD they wait for each other.
  !> Errors: time_array is not the start plus the sum of the steps (a warning without strict=.true.), an interval of a field is no
  !>   multiple of delta_t, or no initial value was put.
  !> Example:
  !>     call h3ou_set_time("ocean", time, step)
  subroutine h3ou_set_time(component_name, time_array, delta_t, is_exchange)
    character(*), intent(in) :: component_name
    integer, intent(in) :: time_array(:)
    integer, intent(in) :: delta_t
    logical, intent(in), optional :: is_exchange
    logical :: exchanges
    exchanges = .true.
    if (present(is_exchange)) exchanges = is_exchange
    if (exchanges) then
      call check(c_time_set(ctx, c_text(component_name), six(time_array), int(delta_t, c_int)))
    else
      call check(c_time_pass(ctx, c_text(component_name), six(time_array), int(delta_t, c_int)))
    end if
  end subroutine

  !> As h3ou_set_time, for models that count seconds.
  !>   seconds: beginning of the step, in seconds since the start of my component
  !>   delta_t: length of the step in seconds. A fraction with a denominator up to 1000000 (0.1d0, 1d0/3) is counted exactly, any
  !>     other number in whole billionths of a second
  subroutine h3ou_set_time_seconds(component_name, seconds, delta_t)
    character(*), intent(in) :: component_name
    real(c_double), intent(in) :: seconds, delta_t
    call check(c_time_set_seconds(ctx, c_text(component_name), seconds, delta_t))
  end subroutine

  !> As h3ou_set_time, for a step of whole months of the namelist's calendar.
  !>   months: length of the step in months
  !> Errors: also when the calendar is 'none', or the step begins after day 28 of a month.
  subroutine h3ou_set_time_months(component_name, time_array, months)
    character(*), intent(in) :: component_name
    integer, intent(in) :: time_array(:), months
    call check(c_time_set_months(ctx, c_text(component_name), six(time_array), int(months, c_int)))
  end subroutine

  !> Writes all that my component needs to go on at the end of its step: values that were put, sums of intervals, exchanges on
  !> their way. A run that reads it, with the same namelist and any numbers of processes, gets the same bits as one that was never
  !> stopped. The file is written beside its name and takes it when it is complete; the former one is then FILE.former.
  !>   file: of my component alone; rank 0 writes it
  !> Collective: all processes of my component, at the end of a step, after its puts and gets; all components at the same model
  !>   time. It waits for the sender of a field with lag=0 or below -1, until that one writes its own.
  !> Errors: it can't be written (the former file is as it was), before the first step, a component has ended, the step does not end
  !>   at a whole second, a group of members with some keys, or lags with which restarts would wait for each other.
  !> Example:
  !>     if (mod(step, 240) == 0) call h3ou_write_restart("ocean.h3ou")
  subroutine h3ou_write_restart(file)
    character(*), intent(in) :: file
    call check(c_write_restart(ctx, c_text(file)))
  end subroutine

  !> Goes on from a restart: h3ou_init_time has said the time at which it was written. No initial values are put.
  !>   file: of h3ou_write_restart; when it is of another time, FILE.former is read if that is of this time
  !> Collective: all processes of my component, between h3ou_init_time and the first step; all components read theirs.
  !> Errors: no such file, it is cut off, damaged, of another format, component or time, the namelist or a grid has changed, or a
  !>   value was put before.
  !> Example:
  !>     call h3ou_read_restart("ocean.h3ou")
  subroutine h3ou_read_restart(file)
    character(*), intent(in) :: file
    call check(c_read_restart(ctx, c_text(file)))
  end subroutine

  !> Says whether to stop now, because `h3ou stop`, a signal that H3OU_STOP_SIGNAL names, or h3ou run before a time limit asked for
  !> it: at the end of the same model time in all components (with a lag above 1 the sender some intervals later), which then write
  !> their restarts and end.
  !> Collective: no, but every process of my component calls it, at the end of each step, or of every n-th. It waits for others only
  !>   while a stop is being agreed on.
  !> Returns: .true.: to stop now.
  !> Errors: before h3ou_init_time, the time agreed on is past since the length of my steps has changed, or the others did not agree.
  !> Example:
  !>     if (h3ou_should_stop()) call h3ou_write_restart("ocean.h3ou") ! and then h3ou_coupling_end
  logical function h3ou_should_stop()
    integer(c_int) :: stop
    call check(c_should_stop(ctx, stop))
    h3ou_should_stop = stop /= 0
  end function

  !> Adds months to a time, in the calendar of the namelist. A day that the month has not becomes its last.
  !>   time_array: (6), year, month, day, hour, minute, second
  !>   months: months to add
  !> Collective: no.
  !> Errors: the array has fewer than 6 elements, or is no date in this calendar.
  subroutine h3ou_inc_months(time_array, months)
    integer, intent(inout) :: time_array(:)
    integer, intent(in) :: months
    integer(c_int) :: time(6)
    time = six(time_array)
    call check(c_time_add_months(ctx, time, int(months, c_int)))
    time_array(1:6) = time
  end subroutine

  !> Adds seconds to a time, in the calendar of the namelist.
  !>   time_array: (6), year, month, day, hour, minute, second
  !>   delta_t: seconds to add
  !> Collective: no.
  !> Errors: the array has fewer than 6 elements, or is no date in this calendar.
  !> Example:
  !>     call h3ou_inc_time(time, step)
  subroutine h3ou_inc_time(time_array, delta_t)
    integer, intent(inout) :: time_array(:)
    integer, intent(in) :: delta_t
    integer(c_int) :: time(6)
    time = six(time_array)
    call check(c_time_add(ctx, time, int(delta_t, c_int)))
    time_array(1:6) = time
  end subroutine

  function six(time_array) result(time)
    integer, intent(in) :: time_array(:)
    integer(c_int) :: time(6)
    time = 0
    if (size(time_array) < 6) call unsupported('a time array of fewer than 6 elements (year, month, day, hour, minute, second)')
    time = time_array(1:6)
  end function

  !> As h3ou_inc_time.
  subroutine h3ou_inc_calendar(time_array, delta_t)
    integer, intent(inout) :: time_array(:)
    integer, intent(in) :: delta_t
    call h3ou_inc_time(time_array, delta_t)
  end subroutine

  !> Returns a handle of a field, which h3ou_put_data and h3ou_get_data take in place of its name and find without looking for it. A
  !> field that is both put and got has one handle. It is valid until h3ou_coupling_end, for the component that was selected.
  !>   data_name: name of the field
  !> Returns: the handle, above 0; 0 for a field that the namelist does not name, with unknown_put="ignore": a put by this handle
  !>   does nothing.
  !> Collective: no.
  !> Errors: the namelist has no such field of my component (unless unknown_put="ignore").
  !> Example:
  !>     sst_field = h3ou_field("sst")
  !>     call h3ou_put_data(sst_field, sst)
  integer function h3ou_field(data_name) result(field)
    character(*), intent(in) :: data_name
    integer(c_int) :: handle
    call check(c_field(ctx, c_text(data_name), handle))
    field = handle
  end function

  !> Returns .true. if the namelist lets my component put a field. With unknown_put="ignore" a put of another field does nothing.
  !>   data_name: name of the field
  !> Collective: no.
  !> Errors: none.
  logical function h3ou_is_wanted(data_name)
    character(*), intent(in) :: data_name
    h3ou_is_wanted = c_is_wanted(ctx, c_text(data_name)) /= 0
  end function

  !> Returns the number of fields that the namelist lets my component put.
  !> Collective: no.
  !> Errors: none.
  integer function h3ou_get_num_of_put_data()
    h3ou_get_num_of_put_data = c_put_count(ctx)
  end function

  !> Returns the number of fields that the namelist lets my component get.
  !> Collective: no.
  !> Errors: none.
  integer function h3ou_get_num_of_get_data()
    h3ou_get_num_of_get_data = c_get_count(ctx)
  end function

  !> Returns the name of a field that my component puts, padded with blanks.
  !>   data_num: its number, from 1 to h3ou_get_num_of_put_data()
  !> Collective: no.
  !> Errors: there is no field of that number.
  character(name_len) function h3ou_get_put_data_name(data_num) result(name)
    integer, intent(in) :: data_num
    character(kind=c_char) :: c(name_len + 1)
    call check(c_put_name(ctx, int(data_num, c_int), c))
    name = f_text(c)
  end function

  !> Returns the name of a field that my component gets, padded with blanks.
  !>   data_num: its number, from 1 to h3ou_get_num_of_get_data()
  !> Collective: no.
  !> Errors: there is no field of that number.
  character(name_len) function h3ou_get_get_data_name(data_num) result(name)
    integer, intent(in) :: data_num
    character(kind=c_char) :: c(name_len + 1)
    call check(c_get_name(ctx, int(data_num, c_int), c))
    name = f_text(c)
  end function

  !> Returns the number of layers of a field; of a name that is both put and got, of the field that is put.
  !>   data_name: name of the field
  !> Collective: no.
  !> Errors: the namelist has no such field of my component.
  integer function h3ou_get_vlayer(data_name) result(nlayer)
    character(*), intent(in) :: data_name
    nlayer = 0
    call check(c_layers(ctx, c_text(data_name), nlayer))
  end function

  !> Returns how many members of an ensemble took part in the exchange of a field that get returned last: fewer than there were at
  !> the start when some were lost (the key ensemble_min_members); of a statistic that has the values of one member, and of a field
  !> that one member sends, 1. Before the first exchange the number at the start.
  !>   data_name: name of a field that is got
  !> Collective: no.
  !> Errors: no such field to get.
  integer function h3ou_get_members(data_name) result(members)
    character(*), intent(in) :: data_name
    members = 0
    call check(c_members(ctx, c_text(data_name), members))
  end function

  !> Sends the fields that the namelist lets my component put for another one at once, whether or not they are due: what was put
  !> last, or what flag says of the values put since the last exchange. The exchanges that are due stay as they are.
  !>   send_comp: name of my component
  !>   recv_comp: name of the component that gets them; all of its processes call h3ou_recv_data_immediately
  !>   time_lag: accepted for existing programs, and not used
  !> Collective: no, but every process of my component calls it, after h3ou_init_time.
  !> Errors: send_comp is not my component, the namelist has no field from it to the other one, or a receiver has failed.
  !> Example:
  !>     call h3ou_send_data_immediately("ocean", "atmos", -1)
  subroutine h3ou_send_data_immediately(send_comp, recv_comp, time_lag)
    character(*), intent(in) :: send_comp, recv_comp
    integer, intent(in) :: time_lag
    call check(c_send_now(ctx, c_text(send_comp), c_text(recv_comp)))
  end subroutine

  !> Receives what h3ou_send_data_immediately of another component sends. The next h3ou_get_data of each of these fields in this
  !> step, or, before the first h3ou_set_time, in the first, returns it, whether or not an exchange is due; of a field that is
  !> due, too, the get after that returns the exchange.
  !>   send_comp: name of the component that puts them
  !>   recv_comp: name of my component
  !> Collective: no, but every process of my component calls it, once for each h3ou_send_data_immediately.
  !> Errors: recv_comp is not my component, the namelist has no field from the other one to it, or that has put no value of one.
  !> Example:
  !>     call h3ou_recv_data_immediately("ocean", "atmos")
  subroutine h3ou_recv_data_immediately(send_comp, recv_comp)
    character(*), intent(in) :: send_comp, recv_comp
    call check(c_recv_now(ctx, c_text(send_comp), c_text(recv_comp)))
  end subroutine

  !> Waits until all messages of h3ou_isend_model_int, _real and _double have left; then their arrays may be changed.
  !> Collective: no.
  !> Errors: a receiver has failed, or patience ended.
  subroutine h3ou_isend_waitall()
    call check(c_isend_waitall(ctx))
  end subroutine

  !> Waits until all messages of h3ou_irecv_model_int, _real and _double have arrived in their arrays.
  !> Collective: no.
  !> Errors: a sender has failed, patience ended, or a message is longer than its array.
  subroutine h3ou_irecv_waitall()
    call check(c_irecv_waitall(ctx))
  end subroutine

end module h3ou_api

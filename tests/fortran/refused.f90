! SPDX-License-Identifier: BSD-3-Clause
!> What the module does not serve, and what a program does wrong, must end the run with a sentence. One component.
!>
!>   refused CASE CONFIG
program refused
  ! All published names, so that one that is missing is found here.
  use h3ou_api, only: h3ou_abort, h3ou_bcast_global, h3ou_bcast_global_double, h3ou_bcast_global_int, h3ou_bcast_global_real, &
    h3ou_bcast_global_string, h3ou_bcast_local, h3ou_bcast_local_double, h3ou_bcast_local_int, &
    h3ou_bcast_local_real, h3ou_bcast_model, h3ou_bcast_model_double, h3ou_bcast_model_int, &
    h3ou_bcast_model_real, h3ou_coupling_end, h3ou_def_grid, h3ou_end, h3ou_end_grid_def, &
    h3ou_get_comp_num_from_name, h3ou_get_couple_id, h3ou_get_data, h3ou_get_data_1d, h3ou_get_data_25d, &
    h3ou_get_get_data_name, h3ou_get_model_id, h3ou_get_mpi_parameter, h3ou_get_my_comm, h3ou_get_my_name, &
    h3ou_get_my_rank, h3ou_get_my_size, h3ou_get_num_of_get_data, h3ou_get_num_of_put_data, &
    h3ou_get_num_of_recv_grid, h3ou_get_num_of_send_grid, h3ou_get_put_data_name, h3ou_get_target_name, &
    h3ou_get_vlayer, h3ou_inc_calendar, h3ou_inc_time, h3ou_init, h3ou_init_time, h3ou_irecv_model_double, &
    h3ou_irecv_model_int, h3ou_irecv_model_real, h3ou_irecv_waitall, h3ou_is_coupled, h3ou_is_local_leader, &
    h3ou_is_my_component, h3ou_isend_model_double, h3ou_isend_model_int, h3ou_isend_model_real, &
    h3ou_isend_waitall, h3ou_put_data, h3ou_put_data_1d, h3ou_put_data_25d, h3ou_recv, h3ou_recv_array, &
    h3ou_recv_array_dbl, h3ou_recv_array_dbl_2, h3ou_recv_array_int, h3ou_recv_array_int_2, &
    h3ou_recv_array_real, h3ou_recv_array_real_2, h3ou_recv_array_str, h3ou_recv_array_str_2, &
    h3ou_recv_data_immediately, h3ou_recv_double_scalar, h3ou_recv_int_scalar, h3ou_recv_local, &
    h3ou_recv_local_all, h3ou_recv_local_double, h3ou_recv_local_int, h3ou_recv_local_real, h3ou_recv_model, &
    h3ou_recv_model_double, h3ou_recv_model_int, h3ou_recv_model_real, h3ou_recv_real_scalar, h3ou_send, &
    h3ou_send_array, h3ou_send_array_dbl, h3ou_send_array_dbl_2, h3ou_send_array_int, h3ou_send_array_int_2, &
    h3ou_send_array_real, h3ou_send_array_real_2, h3ou_send_array_str, h3ou_send_array_str_2, &
    h3ou_send_data_immediately, h3ou_send_double_scalar, h3ou_send_int_scalar, h3ou_send_local, &
    h3ou_send_local_all, h3ou_send_local_double, h3ou_send_local_int, h3ou_send_local_real, h3ou_send_model, &
    h3ou_send_model_double, h3ou_send_model_int, h3ou_send_model_real, h3ou_send_real_scalar, &
    h3ou_set_interpolation_table, h3ou_set_time, h3ou_set_time_seconds
  use mpi, only: MPI_COMM_NULL, MPI_Init
  use, intrinsic :: ieee_arithmetic, only: ieee_value, ieee_quiet_nan
  implicit none
  integer, parameter :: dp = kind(1d0)
  character(40) :: fault
  character(400) :: config
  character(64) :: name
  integer :: ints(8), comm, group, nproc, rank, number
  real(dp) :: doubles(8), layers(2, 2), corners(4, 8)
  logical :: ok
  ints = 1
  doubles = 1
  layers = 1
  corners = 1
  call get_command_argument(1, fault)
  call get_command_argument(2, config)
  if (fault == 'before-init') comm = h3ou_get_my_comm()
  if (fault == 'comm-early') call h3ou_init('solo', trim(config), comm=0)
  if (fault == 'comm-null') then
    call MPI_Init(number)
    call h3ou_init('solo', trim(config), comm=MPI_COMM_NULL)
  end if
  if (fault == 'ensemble') call h3ou_init('solo', trim(config), 4)
  call h3ou_init('solo', trim(config))
  select case (fault)
  case ('none')
  case ('own-words')
    call h3ou_abort('the model has no more salt')
  case ('not-mine')
    call h3ou_get_mpi_parameter('other', comm, group, nproc, rank)
  case ('unknown-component')
    call h3ou_get_model_id('sole', number)
  case ('no-such-field')
    name = h3ou_get_put_data_name(1)
  case ('short-time')
    call h3ou_inc_time(ints(1:3), 60)
  case ('no-date')
    ints(1:6) = [2001, 2, 29, 0, 0, 0]
    call h3ou_inc_time(ints(1:6), 60)
  case ('rotated-table')
    call h3ou_set_interpolation_table('solo', 'solo', 'g', 'solo', 'g', 1, ints, ints, doubles, doubles, doubles)
  case ('half-rotated')
    call h3ou_set_interpolation_table('solo', 'solo', 'g', 'solo', 'g', 1, ints, ints, doubles, coef_cos=doubles)
  case ('ragged-rotated')
    call h3ou_set_interpolation_table('solo', 'solo', 'g', 'solo', 'g', 1, ints, ints, doubles, doubles, doubles(1:7))
  case ('lone-lon')
    call grid(lon=doubles)
  case ('lone-corners')
    call grid(lat_corners=corners)
  case ('short-centres')
    call grid(lon=doubles(1:7), lat=doubles(1:7))
  case ('short-corners')
    call grid(lon_corners=corners(:, 1:7), lat_corners=corners(:, 1:7))
  case ('short-mask')
    call grid(mask=ints(1:7))
  case ('short-area')
    call grid(area=doubles(1:7))
  case ('short-angle')
    call grid(angle=doubles(1:7))
  case ('beyond')
    doubles(5) = 90.01_dp
    call grid(lon=doubles, lat=doubles)
  case ('not-finite')
    doubles(3) = ieee_value(1._dp, ieee_quiet_nan)
    call grid(lon=doubles, lat=doubles)
  case ('radians')
    call grid(lon=doubles, lat=2*doubles, units='radians')
  case ('units')
    call grid(lon=doubles, lat=doubles, units='degree')
  case ('two-corners')
    call grid(lon_corners=corners(1:2, :), lat_corners=corners(1:2, :))
  case ('area')
    doubles(8) = -1
    call grid(area=doubles)
  case ('edges')
    call grid(edges='rhumb')
  case ('shape')
    call grid(grid_shape=[0, 4])
  case ('local-shape')
    call grid(local_shape=[3, 3])
  case ('negative-halo')
    call grid(grid_shape=[4, 5], halo=[0, 1, -1, 0])
  case ('lone-shape')
    call grid(shape=[5, -1, 2])
  case ('short-position')
    call grid(shape=[5, -1, 2], position=reshape([1, 1], [1, 2]))
  case ('two-layers')
    call grid(shape=[-1, -1, 8], position=reshape([1, 2, 3, 4, 5, 6, 7, 8], [1, 8]))
  case ('outside')
    call grid(shape=[8, -1, 2], position=reshape([1, 1, 2, 2, 3, 1, 4, 3, 5, 1, 6, 1, 7, 1, 8, 1], [2, 8]))
  case ('one-place')
    call grid(shape=[8, -1, 2], position=reshape([1, 1, 2, 2, 3, 1, 2, 2, 5, 1, 6, 1, 7, 1, 8, 1], [2, 8]))
  case ('two-layouts')
    call grid(local_shape=[4, 2], shape=[8], position=reshape([1, 2, 3, 4, 5, 6, 7, 8], [1, 8]))
    call h3ou_end_grid_def()
  case ('lone-halo')
    call grid(halo=[1, 1, 1, 1])
    call h3ou_end_grid_def()
  case ('no-rows')
    call grid(grid_shape=[5, 4], halo=[1, 1, 1, 1])
    call h3ou_end_grid_def()
  case ('ragged-table')
    call h3ou_set_interpolation_table('solo', 'solo', 'g', 'solo', 'g', 1, ints, ints(1:7), doubles)
  case ('half-table')
    call h3ou_set_interpolation_table('solo', 'solo', 'g', 'solo', 'g', 1, send_index=ints)
  case ('grid-sizes')
    call h3ou_get_num_of_send_grid('solo', 'solo', num_of_grid=number)
  case ('grid-sizes-recv')
    call h3ou_get_num_of_recv_grid('solo', 'solo', 1, number)
  case ('send-now')
    call h3ou_send_data_immediately('solo', 'other', -1)
  case ('recv-now')
    call h3ou_recv_data_immediately('other', 'solo')
  case ('no-exchange')
    call h3ou_set_time('solo', [2000, 1, 1, 0, 0, 0], 60, .false.)
  case ('half-second')
    call h3ou_set_time_seconds('solo', 0d0, -0.5d0)
  case ('put-vector')
    call h3ou_put_data('f', doubles, doubles)
  case ('put-share')
    call h3ou_put_data('f', doubles, share=doubles)
  case ('put-short-share')
    call h3ou_put_data('f', doubles, share=doubles(1:1))
  case ('put-short-vector')
    call h3ou_put_data('f', doubles, doubles(1:3))
  case ('put-layers')
    call h3ou_put_data('f', layers, layers, share=doubles(1:2))
  case ('get-layers')
    call h3ou_get_data('f', layers, layers, ok)
  case ('get-vector')
    call h3ou_get_data('f', doubles, doubles, ok)
  case ('get-vector-layers')
    call h3ou_get_data('f', layers, data_vector=doubles, is_recv_ok=ok)
  case ('started-section')
    call h3ou_isend_model_int('solo', 0, ints(1:8:2))
  case ('started-section-recv')
    call h3ou_irecv_model_double('solo', 0, doubles(8:1:-1))
  case default
    error stop 'no such case'
  end select
  call h3ou_end()
  call h3ou_end() ! once more does no harm

contains

  subroutine grid(lon, lat, lon_corners, lat_corners, mask, area, angle, units, grid_shape, edges, local_shape, halo, &
                  shape, position)
    real(dp), intent(in), optional :: lon(:), lat(:), lon_corners(:, :), lat_corners(:, :), area(:), angle(:)
    integer, intent(in), optional :: mask(:), grid_shape(2), local_shape(2), halo(4), shape(:), position(:, :)
    character(*), intent(in), optional :: units, edges
    call h3ou_def_grid([11, 12, 13, 14, 15, 16, 17, 18], 'solo', 'g', 1, lon, lat, lon_corners, lat_corners, mask, area, angle, &
                       units, grid_shape, edges=edges, local_shape=local_shape, halo=halo, shape=shape, position=position)
  end subroutine

end program refused

! SPDX-License-Identifier: BSD-3-Clause
!> The ocean: knows the names of fields, not who is at the other end.
!>
!>   ocean CONFIG WEIGHTS_DIR CLIMATOLOGY.nc OUT.nc DAYS [STEP_SECONDS]
program ocean
  use files, only: weights_read, out_type, out_define, out_variable, out_begin, out_write, out_close, missing
  use h3ou_api
  use halo, only: halo_gather, halo_refuse
  use ocean_model, only: sea_grid_type, sea_grid_read, sea_type, sea_create, sea_step, sea_check_step
  use, intrinsic :: iso_fortran_env, only: output_unit
  implicit none
  integer, parameter :: dp = kind(1d0)
  character(*), parameter :: me = 'ocean', my_grid = 'ocean_2deg', air = 'atmos', air_grid = 'atmos_icos'
  character(400) :: config, weights, climatology, out_file, text
  integer :: days, step, comm, group, nproc, rank, now(6), i, n
  integer, allocatable :: send_index(:), recv_index(:)
  real(dp), allocatable :: coef(:), heat(:), taux(:), tauy(:), lon(:), lat(:), blon(:, :), blat(:, :)
  logical :: ok
  type(sea_grid_type) :: grid
  type(sea_type) :: sea
  type(out_type) :: out

  call get_command_argument(1, config)
  call get_command_argument(2, weights)
  call get_command_argument(3, climatology)
  call get_command_argument(4, out_file)
  days = number(5, 10)
  step = number(6, 3600)

  call h3ou_init(me, trim(config))
  call h3ou_get_mpi_parameter(me, comm, group, nproc, rank)
  call sea_grid_read(trim(climatology), grid)
  call sea_create(comm, nproc, grid, sea)
  call sea_check_step(sea, real(step, dp), text)
  if (len_trim(text) > 0) call halo_refuse(sea%halo, 'ocean: ' // text)

  ! Land is no part of the grid that others know.
  n = sea%halo%nown
  allocate (lon(n), lat(n), blon(4, n), blat(4, n))
  call place(sea%halo%global(1:n))
  call h3ou_def_grid(sea%halo%global(1:n), me, my_grid, 1, lon, lat, blon, blat) ! for maps and budgets
  call h3ou_end_grid_def()
  allocate (send_index(0), recv_index(0), coef(0))
  if (rank == 0) call weights_read(trim(weights) // '/ocean_to_atmos.nc', send_index, recv_index, coef)
  call h3ou_set_interpolation_table(me, air, air_grid, me, my_grid, 1)
  call h3ou_set_interpolation_table(me, me, my_grid, air, air_grid, 1, send_index, recv_index, coef)

  now = [2000, 1, 1, 0, 0, 0]
  call h3ou_init_time(now)
  allocate (heat(n), taux(n), tauy(n))
  heat = grid%heat(sea%halo%global(1:n))
  taux = grid%taux(sea%halo%global(1:n))
  tauy = grid%tauy(sea%halo%global(1:n))
  call h3ou_put_data('sst', sea%t(1:n))

  do i = 0, days*86400/step - 1
    call h3ou_set_time(me, now, step)
    call h3ou_get_data('heat_flux', heat, is_recv_ok=ok)
    call h3ou_get_data('taux', taux, is_recv_ok=ok)
    call h3ou_get_data('tauy', tauy, is_recv_ok=ok)
    if (modulo(i*step, 86400) == 0) call report(i*step/86400)
    call sea_step(sea, real(step, dp), heat, taux, tauy)
    call h3ou_put_data('sst', sea%t(1:n))
    call h3ou_inc_time(now, step)
  end do
  call report(days)
  if (rank == 0) call out_close(out)
  call h3ou_coupling_end(now, .true.)

contains

  !> Centres and corners of cells, in degrees.
  subroutine place(cell)
    integer, intent(in) :: cell(:)
    real(dp) :: east, north
    integer :: c
    east = (grid%lon(2) - grid%lon(1))/2
    north = (grid%lat(2) - grid%lat(1))/2
    do c = 1, size(cell)
      lon(c) = grid%lon(modulo(cell(c) - 1, grid%nx) + 1)
      lat(c) = grid%lat((cell(c) - 1)/grid%nx + 1)
      blon(:, c) = lon(c) + east*[-1, 1, 1, -1]
      blat(:, c) = lat(c) + north*[-1, -1, 1, 1]
    end do
  end subroutine

  integer function number(place, default)
    integer, intent(in) :: place, default
    character(40) :: arg
    number = default
    if (command_argument_count() < place) return
    call get_command_argument(place, arg)
    read (arg, *) number
  end function

  !> A day's fields to the file, and a line for who looks on.
  subroutine report(day)
    integer, intent(in) :: day
    if (day == 0 .and. rank == 0) then
      call out_define(trim(out_file), 'ocean of the h3ou sample', grid%lon, grid%lat, .true., out)
      call out_variable(out, 'sst', 'sea surface temperature', 'degC')
      call out_variable(out, 'heat_flux', 'heat flux into the sea, as received', 'W m-2')
      call out_variable(out, 'taux', 'zonal wind stress, as received', 'N m-2')
      call out_variable(out, 'tauy', 'meridional wind stress, as received', 'N m-2')
      call out_variable(out, 'u_sea', 'zonal current', 'm s-1')
      call out_variable(out, 'v_sea', 'meridional current', 'm s-1')
    end if
    if (rank == 0) call out_begin(out, real(day, dp))
    call write_field('sst', sea%t(1:n))
    call write_field('heat_flux', heat)
    call write_field('taux', taux)
    call write_field('tauy', tauy)
    call write_field('u_sea', sea%u(1:n))
    call write_field('v_sea', sea%v(1:n))
    if (rank == 0) write (*, '(a,i0,a,i0)') 'ocean: day ', day, ' of ', days
    if (rank == 0) flush (output_unit)
  end subroutine

  subroutine write_field(name, field)
    character(*), intent(in) :: name
    real(dp), intent(in) :: field(:)
    real(dp) :: whole(grid%nx*grid%ny)
    call halo_gather(sea%halo, field, missing, whole)
    if (rank == 0) call out_write(out, name, whole)
  end subroutine

end program ocean

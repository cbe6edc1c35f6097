! SPDX-License-Identifier: BSD-3-Clause
!> The atmosphere: knows the names of fields, not who is at the other end.
!>
!>   atmos CONFIG WEIGHTS_DIR OUT.nc DAYS [STEP_SECONDS [LEVEL]]
program atmos
  use atmos_model, only: air_type, air_create, air_step, air_sst, air_check_step
  use files, only: weights_read, out_type, out_define, out_variable, out_begin, out_write, out_close, missing
  use h3ou_api
  use halo, only: halo_type, halo_create, halo_gather, halo_refuse
  use icosahedron, only: grid_type, grid_create, grid_owner, pi
  use, intrinsic :: iso_fortran_env, only: output_unit
  implicit none
  integer, parameter :: dp = kind(1d0)
  character(*), parameter :: me = 'atmos', my_grid = 'atmos_icos', sea = 'ocean', sea_grid = 'ocean_2deg'
  character(400) :: config, weights, out_file, text
  integer :: days, step, level, comm, group, nproc, rank, now(6), i, n
  integer, allocatable :: owner(:), send_index(:), recv_index(:)
  real(dp), allocatable :: coef(:), sst(:), lon(:), lat(:), blon(:, :), blat(:, :)
  logical :: ok
  type(grid_type) :: grid
  type(halo_type) :: cells
  type(air_type) :: air
  type(out_type) :: out

  call get_command_argument(1, config)
  call get_command_argument(2, weights)
  call get_command_argument(3, out_file)
  days = number(4, 10)
  step = number(5, 900)
  level = number(6, 5)

  call h3ou_init(me, trim(config))
  call h3ou_get_mpi_parameter(me, comm, group, nproc, rank)
  call grid_create(level, grid)
  allocate (owner(grid%ncell))
  call grid_owner(grid, nproc, owner)
  call halo_create(comm, owner, grid%neighbour, cells)
  call air_create(grid, cells, air)
  call air_check_step(air, real(step, dp), text)
  if (len_trim(text) > 0) call halo_refuse(cells, 'atmos: ' // text)

  n = cells%nown
  allocate (lon(n), lat(n), blon(6, n), blat(6, n))
  call place(cells%global(1:n), lon, lat, blon, blat)
  call h3ou_def_grid(cells%global(1:n), me, my_grid, 1, lon, lat, blon, blat) ! for maps and budgets; the weights are given
  call h3ou_end_grid_def()
  allocate (send_index(0), recv_index(0), coef(0))
  if (rank == 0) call weights_read(trim(weights) // '/atmos_to_ocean.nc', send_index, recv_index, coef)
  call h3ou_set_interpolation_table(me, me, my_grid, sea, sea_grid, 1, send_index, recv_index, coef)
  call h3ou_set_interpolation_table(me, sea, sea_grid, me, my_grid, 1)

  now = [2000, 1, 1, 0, 0, 0]
  call h3ou_init_time(now)
  allocate (sst(n))
  sst = -999 ! where nothing arrives there is no sea
  call put_fluxes() ! the initial values: a wind, and no heat, since the sea is not known yet

  do i = 0, days*86400/step - 1
    call h3ou_set_time(me, now, step)
    call h3ou_get_data('sst', sst, is_recv_ok=ok)
    if (i == 0) call air_sst(air, sst)
    if (modulo(i*step, 86400) == 0) call report(i*step/86400)
    call air_step(air, real(step, dp), sst)
    call put_fluxes()
    call h3ou_inc_time(now, step)
  end do
  call report(days)
  if (rank == 0) call out_close(out)
  call h3ou_coupling_end(now, .true.)

contains

  integer function number(place, default)
    integer, intent(in) :: place, default
    character(40) :: arg
    number = default
    if (command_argument_count() < place) return
    call get_command_argument(place, arg)
    read (arg, *) number
  end function

  subroutine put_fluxes()
    call h3ou_put_data('heat_flux', air%heat)
    call h3ou_put_data('taux', air%taux)
    call h3ou_put_data('tauy', air%tauy)
  end subroutine

  !> A day's fields to the file, and a line for who looks on.
  subroutine report(day)
    integer, intent(in) :: day
    real(dp) :: u(n), v(n)
    integer :: k
    if (day == 0 .and. rank == 0) call open_file()
    if (rank == 0) call out_begin(out, real(day, dp))
    do k = 1, n
      u(k) = dot_product(air%u(k, :), air%east(:, k))
      v(k) = dot_product(air%u(k, :), air%north(:, k))
    end do
    call write_field('t_air', air%t(1:n))
    call write_field('u_air', u)
    call write_field('v_air', v)
    call write_field('sst', merge(sst, missing, sst > -900))
    call write_field('heat_flux', merge(air%heat, missing, sst > -900))
    call write_field('taux', air%taux)
    call write_field('tauy', air%tauy)
    if (rank == 0) write (*, '(a,i0,a,i0)') 'atmos: day ', day, ' of ', days
    if (rank == 0) flush (output_unit)
  end subroutine

  subroutine write_field(name, field)
    character(*), intent(in) :: name
    real(dp), intent(in) :: field(:)
    real(dp) :: whole(grid%ncell)
    call halo_gather(cells, field, missing, whole)
    if (rank == 0) call out_write(out, name, whole)
  end subroutine

  subroutine open_file()
    real(dp) :: lon(grid%ncell), lat(grid%ncell), blon(6, grid%ncell), blat(6, grid%ncell)
    integer :: c
    call place([(c, c=1, grid%ncell)], lon, lat, blon, blat)
    call out_define(trim(out_file), 'atmosphere of the h3ou sample', lon, lat, .false., out, blon, blat)
    call out_variable(out, 't_air', 'near-surface air temperature', 'degC')
    call out_variable(out, 'u_air', 'zonal wind', 'm s-1')
    call out_variable(out, 'v_air', 'meridional wind', 'm s-1')
    call out_variable(out, 'sst', 'sea surface temperature, as received', 'degC')
    call out_variable(out, 'heat_flux', 'heat flux into the sea', 'W m-2')
    call out_variable(out, 'taux', 'zonal wind stress', 'N m-2')
    call out_variable(out, 'tauy', 'meridional wind stress', 'N m-2')
  end subroutine

  !> Centres and corners of cells, in degrees.
  subroutine place(cell, lon, lat, blon, blat)
    integer, intent(in) :: cell(:)
    real(dp), intent(out) :: lon(:), lat(:), blon(:, :), blat(:, :)
    integer :: c, k
    do c = 1, size(cell)
      call degrees(grid%x(:, cell(c)), lon(c), lat(c))
      do k = 1, 6
        call degrees(grid%corner(:, k, cell(c)), blon(k, c), blat(k, c))
        ! Corners on the cell's side of the date line.
        if (blon(k, c) - lon(c) > 180) blon(k, c) = blon(k, c) - 360
        if (blon(k, c) - lon(c) < -180) blon(k, c) = blon(k, c) + 360
      end do
    end do
  end subroutine

  subroutine degrees(x, lon, lat)
    real(dp), intent(in) :: x(3)
    real(dp), intent(out) :: lon, lat
    lat = asin(max(-1d0, min(1d0, x(3))))*180/pi
    lon = atan2(x(2), x(1))*180/pi
  end subroutine

end program atmos

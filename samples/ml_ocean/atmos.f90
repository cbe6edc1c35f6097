! SPDX-License-Identifier: BSD-3-Clause
!> The atmosphere: puts its temperature and wind speed, and gets the heat flux. Whether an ocean or a network made the flux it cannot
!> know.
!>
!>   atmos CONFIG DAYS [STEP_SECONDS [LEVEL [MEMBERS]]]
!>
!> In each of several members the storms travel at a pace of their own, so that what begins alike departs from day to day.
program atmos
  use atmos_model, only: air_type, air_create, air_step, air_check_step
  use h3ou_api
  use halo, only: halo_type, halo_create, halo_refuse
  use icosahedron, only: grid_type, grid_create, grid_owner, pi
  use weather, only: weather_winds, weather_heat
  use, intrinsic :: iso_fortran_env, only: output_unit
  implicit none
  integer, parameter :: dp = kind(1d0)
  character(*), parameter :: me = 'atmos'
  character(400) :: config, text
  integer :: days, step, level, members, comm, group, nproc, rank, now(6), i, n
  integer, allocatable :: owner(:)
  real(dp), allocatable :: heat(:), state(:, :), usual(:, :)
  real(dp) :: pace
  logical :: is_new
  type(grid_type) :: grid
  type(halo_type) :: cells
  type(air_type) :: air

  call get_command_argument(1, config)
  days = number(2, 10)
  step = number(3, 1800)
  level = number(4, 4)
  members = number(5, 1)

  call h3ou_init(me, trim(config), nensemble=members)
  call h3ou_get_mpi_parameter(me, comm, group, nproc, rank)
  call grid_create(level, grid)
  allocate (owner(grid%ncell))
  call grid_owner(grid, nproc, owner)
  call halo_create(comm, owner, grid%neighbour, cells)
  call air_create(grid, cells, air)
  call air_check_step(air, real(step, dp), text)
  if (len_trim(text) > 0) call halo_refuse(cells, 'atmos: ' // text)
  air%is_closed = .true. ! what lies below acts through the coupler alone
  usual = air%calm
  pace = 1
  if (members > 1) pace = 1 + 0.12d0*(h3ou_get_couple_id() - 0.5d0*(members + 1))/members

  n = cells%nown
  call define_grid()
  now = [2000, 1, 1, 0, 0, 0]
  call h3ou_init_time(now)
  allocate (heat(n), state(n, 2))
  heat = 0 ! over land, where no flux arrives
  call put_state()

  do i = 0, days*86400/step - 1
    call h3ou_set_time(me, now, step)
    call h3ou_get_data('heat_flux', heat, is_recv_ok=is_new)
    call weather_winds(air, usual, pace*real(i, dp)*step)
    call air_step(air, real(step, dp), heat)
    call weather_heat(air, real(step, dp), heat)
    call put_state()
    call h3ou_inc_time(now, step)
    if (modulo((i + 1)*step, 86400) == 0 .and. rank == 0 .and. h3ou_get_couple_id() <= 1) then
      write (*, '(a,i0,a,i0)') 'atmos: day ', (i + 1)*step/86400, ' of ', days
      flush (output_unit)
    end if
  end do
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

  subroutine put_state()
    integer :: k
    do k = 1, n
      state(k, 1) = air%t(k)
      state(k, 2) = sqrt(sum(air%u(k, :)**2) + 4) ! gusts are always there
    end do
    call h3ou_put_data('air', state)
  end subroutine

  subroutine define_grid()
    real(dp) :: lon(n), lat(n), blon(6, n), blat(6, n)
    integer :: k, j
    do k = 1, n
      call angles(grid%x(:, cells%global(k)), lon(k), lat(k))
      do j = 1, 6
        call angles(grid%corner(:, j, cells%global(k)), blon(j, k), blat(j, k))
      end do
    end do
    call h3ou_def_grid(cells%global(1:n), me, 'atmos_icos', 2, lon, lat, blon, blat, units='radians')
    call h3ou_end_grid_def()
  end subroutine

  subroutine angles(x, lon, lat)
    real(dp), intent(in) :: x(3)
    real(dp), intent(out) :: lon, lat
    lat = asin(max(-1d0, min(1d0, x(3))))
    lon = atan2(x(2), x(1))
  end subroutine

end program atmos

! SPDX-License-Identifier: BSD-3-Clause
!> Near-surface air on the icosahedral grid: temperature and wind, advected by a non-divergent flow, diffused, and relaxed to what
!> lies below. Finite volumes: what leaves a cell through an edge enters the next, so heat is conserved to rounding. Sums run over
!> a cell's edges in the grid's order and every edge is computed from its lower cell to its higher one, so that the same bits come
!> out for any number of processes.
module atmos_model
  use halo, only: halo_type, halo_exchange, halo_max
  use icosahedron, only: grid_type, pi
  implicit none
  private
  public :: air_type, air_create, air_step, air_sst, air_check_step

  integer, parameter :: dp = kind(1d0)
  real(dp), parameter :: radius = 6.371d6        !< m
  real(dp), parameter :: day = 86400d0           !< s
  real(dp), parameter :: omega = 7.292d-5        !< 1/s, the Earth's rotation
  real(dp), parameter :: diffusivity = 4d5       !< m2/s
  real(dp), parameter :: rho = 1.2d0, cp = 1004d0, depth = 1000d0 !< kg/m3, J/kg/K, m
  real(dp), parameter :: exchange = 1.3d-3       !< bulk coefficients of heat and momentum
  real(dp), parameter :: gust = 2d0              !< m/s, wind that is always there
  real(dp), parameter :: land_days = 5d0, wind_days = 2d0
  real(dp), parameter :: pressure_response = 30d0 !< m2/s2/K: warm air is light

  type :: air_type
    type(grid_type) :: grid
    type(halo_type) :: halo
    real(dp), allocatable :: t(:)             !< [nall] temperature, degrees C
    real(dp), allocatable :: u(:, :)          !< [nall, 3] wind, tangential vector, m/s
    real(dp), allocatable :: area(:)          !< [nown] m2
    integer, allocatable :: next(:, :)        !< [6, nown] local neighbours
    real(dp), allocatable :: flow(:, :)       !< [6, nown] volume flux outward through each edge, m2/s
    real(dp), allocatable :: stiff(:, :)      !< [6, nown] edge length / distance of centres
    real(dp), allocatable :: normal(:, :, :)  !< [3, 6, nown] outward, times edge length, m
    real(dp), allocatable :: east(:, :), north(:, :) !< [3, nown]
    real(dp), allocatable :: lat(:), lon(:)   !< [nown] radians
    real(dp), allocatable :: usual(:)         !< [nall] climatological temperature, degrees C
    real(dp), allocatable :: land(:)          !< [nown] temperature of land at the latitude, degrees C
    real(dp), allocatable :: calm(:, :)       !< [nown, 3] climatological wind
    real(dp), allocatable :: heat(:)          !< [nown] W/m2, into what lies below
    real(dp), allocatable :: taux(:), tauy(:) !< [nown] N/m2
    logical :: is_closed = .false.            !< no exchange with what lies below: for tests of conservation
  end type

contains

  subroutine air_create(grid, h, a)
    type(grid_type), intent(in) :: grid
    type(halo_type), intent(in) :: h
    type(air_type), intent(out) :: a
    integer :: i, c
    a%grid = grid
    a%halo = h
    allocate (a%t(h%nall), a%u(h%nall, 3), a%area(h%nown), a%next(6, h%nown), a%flow(6, h%nown), a%stiff(6, h%nown), &
              a%normal(3, 6, h%nown), a%east(3, h%nown), a%north(3, h%nown), a%lat(h%nown), a%lon(h%nown), a%land(h%nown), &
              a%calm(h%nown, 3), a%heat(h%nown), a%taux(h%nown), a%tauy(h%nown), a%usual(h%nall))
    do i = 1, h%nown
      c = h%global(i)
      call cell_geometry(a, i, c)
      a%land(i) = 28d0 - 50d0*sin(a%lat(i))**2
      a%calm(i, :) = zonal_wind(a%lat(i))*a%east(:, i)
      a%u(i, :) = a%calm(i, :)
    end do
    do i = 1, h%nall
      a%usual(i) = 26d0 - 42d0*grid%x(3, h%global(i))**2
    end do
    a%t = a%usual
    a%heat = 0
    a%taux = 0
    a%tauy = 0
    call refresh(a)
    call surface(a, spread(-999d0, 1, h%nown))
  end subroutine

  subroutine cell_geometry(a, i, c)
    type(air_type), intent(inout) :: a
    integer, intent(in) :: i, c
    real(dp) :: x(3), from(3), to(3), d(3), length
    integer :: k, n, other
    x = a%grid%x(:, c)
    a%lat(i) = asin(max(-1d0, min(1d0, x(3))))
    a%lon(i) = atan2(x(2), x(1))
    a%east(:, i) = [-sin(a%lon(i)), cos(a%lon(i)), 0d0]
    a%north(:, i) = [-sin(a%lat(i))*cos(a%lon(i)), -sin(a%lat(i))*sin(a%lon(i)), cos(a%lat(i))]
    a%area(i) = a%grid%area(c)*radius**2
    n = a%grid%nedge(c)
    a%next(:, i) = 0
    do k = 1, n
      other = a%grid%neighbour(k, c)
      a%next(k, i) = a%halo%local(other)
      from = a%grid%corner(:, k, c)
      to = a%grid%corner(:, modulo(k, n) + 1, c)
      length = radius*acos(max(-1d0, min(1d0, dot_product(from, to))))
      d = a%grid%x(:, max(c, other)) - a%grid%x(:, min(c, other))
      d = d/sqrt(sum(d**2))
      if (other < c) d = -d
      a%normal(:, k, i) = length*d
      a%stiff(k, i) = length/(radius*acos(dot_product(x, a%grid%x(:, other))))
      ! The difference of a stream function at the edge's ends: the flow out of a cell sums to nothing.
      a%flow(k, i) = stream(from) - stream(to)
    end do
  end subroutine

  !> Stream function of the advecting flow, m2/s: the climatological zonal wind, and a wave that bends it.
  pure real(dp) function stream(p)
    real(dp), intent(in) :: p(3)
    real(dp) :: lat, lon
    lat = asin(max(-1d0, min(1d0, p(3))))
    lon = atan2(p(2), p(1))
    stream = -radius*(stream_zonal(lat) - 5d0*cos(lat)**4*sin(lat)*sin(4*lon))
  end function

  !> Easterlies in the tropics, westerlies beyond: -6 cos(lat) + 40 sin2(lat) cos3(lat), m/s.
  pure real(dp) function zonal_wind(lat)
    real(dp), intent(in) :: lat
    zonal_wind = -6*cos(lat) + 40*sin(lat)**2*cos(lat)**3
  end function

  !> Its integral over the latitude.
  pure real(dp) function stream_zonal(lat)
    real(dp), intent(in) :: lat
    real(dp) :: s
    s = sin(lat)
    stream_zonal = -6*s + 40*(s**3/3 - s**5/5)
  end function

  !> A step that is too long for the flow or the diffusion; text is empty when it is not. Collective.
  subroutine air_check_step(a, dt, text)
    type(air_type), intent(in) :: a
    real(dp), intent(in) :: dt
    character(*), intent(out) :: text
    real(dp) :: courant, diffusive
    integer :: i
    courant = 0
    diffusive = 0
    do i = 1, a%halo%nown
      courant = max(courant, dt*sum(abs(a%flow(:, i)), mask=a%next(:, i) > 0)/2/a%area(i))
      diffusive = max(diffusive, dt*diffusivity*sum(a%stiff(:, i), mask=a%next(:, i) > 0)/a%area(i))
    end do
    courant = halo_max(a%halo, courant)
    diffusive = halo_max(a%halo, diffusive)
    text = ''
    if (courant + diffusive > 0.9d0) write (text, '(a,f0.0,a,f0.2,a)') 'the time step of ', dt, &
      ' s is too long for this grid (Courant and diffusion number ', courant + diffusive, ', at most 0.9)'
  end subroutine

  subroutine refresh(a)
    type(air_type), intent(inout) :: a
    integer :: k
    call halo_exchange(a%halo, a%t)
    do k = 1, 3
      call halo_exchange(a%halo, a%u(:, k))
    end do
  end subroutine

  !> Upwind advection and diffusion of a field: what it gains in dt.
  subroutine transport(a, q, dt, gain)
    type(air_type), intent(in) :: a
    real(dp), intent(in) :: q(:), dt
    real(dp), intent(out) :: gain(:)
    real(dp) :: out, here, there
    integer :: i, k
    do i = 1, a%halo%nown
      out = 0
      here = q(i)
      do k = 1, 6
        if (a%next(k, i) == 0) cycle
        there = q(a%next(k, i))
        out = out + max(a%flow(k, i), 0d0)*here + min(a%flow(k, i), 0d0)*there + diffusivity*a%stiff(k, i)*(here - there)
      end do
      gain(i) = -dt*out/a%area(i)
    end do
  end subroutine

  !> What the air gives to what lies below, from its temperature and wind; sst below -900 is land.
  subroutine surface(a, sst)
    type(air_type), intent(inout) :: a
    real(dp), intent(in) :: sst(:)
    real(dp) :: speed, u, v
    integer :: i
    do i = 1, a%halo%nown
      u = dot_product(a%u(i, :), a%east(:, i))
      v = dot_product(a%u(i, :), a%north(:, i))
      speed = sqrt(u**2 + v**2 + gust**2)
      a%taux(i) = rho*exchange*speed*u
      a%tauy(i) = rho*exchange*speed*v
      a%heat(i) = 0
      if (sst(i) > -900d0) a%heat(i) = rho*cp*exchange*speed*(a%t(i) - sst(i))
    end do
  end subroutine

  !> One step; sst(nown): sea-surface temperature below each cell, degrees C, or -999 over land.
  subroutine air_step(a, dt, sst)
    type(air_type), intent(inout) :: a
    real(dp), intent(in) :: dt, sst(:)
    real(dp) :: gain(a%halo%nown, 4)
    integer :: i, k
    call transport(a, a%t, dt, gain(:, 4))
    do k = 1, 3
      call transport(a, a%u(:, k), dt, gain(:, k))
    end do
    call pressure(a, dt, gain)
    if (.not. a%is_closed) call surface(a, sst)
    do i = 1, a%halo%nown
      a%t(i) = a%t(i) + gain(i, 4)
      if (a%is_closed) cycle
      if (sst(i) > -900d0) then
        a%t(i) = a%t(i) - dt*a%heat(i)/(rho*cp*depth)
      else
        a%t(i) = a%t(i) + dt*(a%land(i) - a%t(i))/(land_days*day)
      end if
    end do
    do i = 1, a%halo%nown
      call turn(a, i, a%u(i, :) + gain(i, 1:3), dt)
    end do
    call refresh(a)
  end subroutine

  !> Air flows to where it is warmer than usual: minus the gradient of a pressure that falls with temperature (Green and Gauss).
  subroutine pressure(a, dt, gain)
    type(air_type), intent(in) :: a
    real(dp), intent(in) :: dt
    real(dp), intent(inout) :: gain(:, :)
    real(dp) :: g(3), warm(a%halo%nall)
    integer :: i, k
    warm = a%t - a%usual
    do i = 1, a%halo%nown
      g = 0
      do k = 1, 6
        if (a%next(k, i) > 0) g = g + 0.5d0*(warm(a%next(k, i)) - warm(i))*a%normal(:, k, i)
      end do
      gain(i, 1:3) = gain(i, 1:3) + dt*pressure_response*g/a%area(i)
    end do
  end subroutine

  !> A pressure field that is not computed balances the climatological wind. What departs from it, the Earth's rotation turns by an
  !> angle, which keeps its size, and drag lets it fade. The result is tangential again.
  subroutine turn(a, i, wind, dt)
    type(air_type), intent(inout) :: a
    integer, intent(in) :: i
    real(dp), intent(in) :: wind(3), dt
    real(dp) :: angle, u, v, fade
    u = dot_product(wind - a%calm(i, :), a%east(:, i))
    v = dot_product(wind - a%calm(i, :), a%north(:, i))
    angle = 2*omega*sin(a%lat(i))*dt
    fade = 1/(1 + dt/(wind_days*day))
    a%u(i, :) = a%calm(i, :) + fade*((u*cos(angle) + v*sin(angle))*a%east(:, i) + (v*cos(angle) - u*sin(angle))*a%north(:, i))
  end subroutine

  !> Sets up fluxes for a first sea-surface temperature.
  subroutine air_sst(a, sst)
    type(air_type), intent(inout) :: a
    real(dp), intent(in) :: sst(:)
    call surface(a, sst)
  end subroutine

end module atmos_model

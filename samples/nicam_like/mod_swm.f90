! SPDX-License-Identifier: BSD-3-Clause
!> Two layers of shallow water, each with a temperature, on all points of the grid (an A-grid): winds are three Cartesian components.
!> Finite volumes: what leaves a cell through an edge enters the next one, so mass is conserved to rounding. A cell sums over its
!> edges in a fixed order: the same bits for any number of processes. Steps are of Runge and Kutta, with three stages.
module mod_swm
  use icosahedron, only: pi
  use mod_adm
  use mod_comm, only: COMM_data_transfer, COMM_sum
  use mod_prc, only: PRC_stop
  implicit none
  private
  public :: SWM_start, SWM_step, SWM_mass, SWM_check

  integer, parameter :: dp = kind(1d0), kall = ADM_kall
  integer, parameter, public :: I_DEPTH = 1, I_VX = 2, I_VY = 3, I_VZ = 4, I_HEAT = 5, SWM_nprg = 5
  real(dp), parameter :: radius = 6.371d6, omega = 7.292d-5, gravity = 9.8d0, day = 86400d0
  real(dp), parameter :: depth(kall) = [5000d0, 2000d0]  !< m, at the equator
  real(dp), parameter :: lightness = 0.8d0               !< density of the upper layer over that of the lower one
  real(dp), parameter :: colder(kall) = [0d0, 30d0]      !< K, the layers' usual temperature
  real(dp), parameter :: diffusivity = 2d5               !< m2/s
  real(dp), parameter :: upwind = 0.2d0                  !< 0: depth and wind at an edge are means of both sides; 0.5: what comes in
  real(dp), parameter :: usual_days = 20d0
  real(dp), parameter :: warm = 20d0                     !< m2/s2/K: warm air is light
  real(dp), parameter :: heat_capacity = 1.2d0*1004*5000 !< J/m2/K, of the lower layer, as air; much less is unstable with exchanges every 3 h

  !> [gall, kall, lall, variable]: depth (m), vx, vy, vz (m/s), depth times temperature (m degC)
  real(dp), allocatable, public :: SWM_prg(:, :, :, :), SWM_prg_pl(:, :, :, :)

  type :: point_type
    real(dp) :: x(3)                 !< unit vector
    real(dp) :: area                 !< m2
    real(dp) :: normal(3, 6)         !< of each edge, outward, times its length; 0: no edge
    real(dp) :: stiff(6)             !< edge length / distance of centres
    real(dp) :: base(6)              !< how much the usual lower layer is deeper there, m
    real(dp) :: usual(0:6)           !< temperature here and there, degC
  end type
  type(point_type), allocatable :: point(:, :)
  type(point_type) :: point_pl(ADM_lall_pl)

contains

  subroutine SWM_start(member)
    integer, intent(in) :: member
    integer :: l, ij, k, next(6)
    allocate (point(ADM_gall, ADM_lall), SWM_prg(ADM_gall, kall, ADM_lall, SWM_nprg), &
              SWM_prg_pl(ADM_gall_pl, kall, ADM_lall_pl, SWM_nprg))
    SWM_prg = 0
    SWM_prg(:, :, :, I_DEPTH) = 1 ! also in elements that are no cell
    SWM_prg_pl = 0
    do l = 1, ADM_lall
      do ij = 1, ADM_gall
        if (.not. is_inner(ij)) cycle
        next = ADM_cell(ij + ADM_next, ADM_rgnid(l))
        point(ij, l) = point_of(ADM_cell(ij, ADM_rgnid(l)), next)
        do k = 1, kall
          SWM_prg(ij, k, l, :) = first_state(point(ij, l)%x, k, member)
        end do
      end do
    end do
    do l = 1, ADM_lall_pl
      next = [ADM_pl(2:6, l), ADM_pl(1, l)]
      point_pl(l) = point_of(ADM_pl(1, l), next)
      do k = 1, kall
        SWM_prg_pl(1, k, l, :) = first_state(point_pl(l)%x, k, member)
      end do
    end do
    call COMM_data_transfer(SWM_prg, SWM_prg_pl)
  end subroutine

  pure logical function is_inner(ij)
    integer, intent(in) :: ij
    integer :: i, j
    i = modulo(ij - 1, ADM_gall_1d) + 1
    j = (ij - 1)/ADM_gall_1d + 1
    is_inner = min(i, j) >= ADM_gmin .and. max(i, j) <= ADM_gmax
  end function

  !> A cell's geometry. next: its neighbours; a pentagon has itself in the place of the sixth.
  function point_of(cell, next) result(p)
    integer, intent(in) :: cell, next(6)
    type(point_type) :: p
    real(dp) :: from(3), to(3), d(3), length
    integer :: m, k
    p%x = ADM_grid%x(:, cell)
    p%area = ADM_grid%area(cell)*radius**2
    p%normal = 0
    p%stiff = 0
    p%base = 0
    p%usual = usual_temperature(p%x)
    do m = 1, 6
      if (next(m) == cell) cycle
      k = findloc(ADM_grid%neighbour(:, cell), next(m), 1)
      from = ADM_grid%corner(:, k, cell)
      to = ADM_grid%corner(:, modulo(k, ADM_grid%nedge(cell)) + 1, cell)
      length = radius*acos(max(-1d0, min(1d0, dot_product(from, to))))
      d = ADM_grid%x(:, next(m)) - p%x
      p%normal(:, m) = length*d/sqrt(sum(d**2))
      p%stiff(m) = length/(radius*acos(dot_product(p%x, ADM_grid%x(:, next(m)))))
      p%base(m) = base_depth(ADM_grid%x(3, next(m))) - base_depth(p%x(3))
      p%usual(m) = usual_temperature(ADM_grid%x(:, next(m)))
    end do
  end function

  pure real(dp) function usual_temperature(x)
    real(dp), intent(in) :: x(3)
    usual_temperature = 26d0 - 42d0*x(3)**2
  end function

  !> Easterlies in the tropics, westerlies beyond, m/s.
  pure real(dp) function zonal_wind(lat)
    real(dp), intent(in) :: lat
    zonal_wind = -6*cos(lat) + 120*sin(lat)**2*cos(lat)**3
  end function

  !> What balances that wind: the departure of the depth at sin(lat) = z from that at the equator, by Simpson's rule.
  pure real(dp) function base_depth(z)
    real(dp), intent(in) :: z
    integer, parameter :: n = 100
    real(dp) :: lat, at, u, total
    integer :: i
    lat = asin(max(-1d0, min(1d0, z)))
    total = 0
    do i = 0, n
      at = lat*i/n
      u = zonal_wind(at)
      total = total + merge(1, merge(4, 2, modulo(i, 2) == 1), i == 0 .or. i == n) &
              *(2*omega*sin(at)*u*radius + u**2*sin(at)/max(cos(at), 1d-9))
    end do
    base_depth = -total*lat/(3*n)/gravity
  end function

  !> The balanced flow, and five vortices on each hemisphere, high and low in turn. Each member has them elsewhere.
  function first_state(x, k, member) result(s)
    real(dp), intent(in) :: x(3)
    integer, intent(in) :: k, member
    real(dp) :: s(SWM_nprg), lat, lon, c(3), high, wind(3), f
    real(dp), parameter :: size_of = 1.3d6, strength = 400d0
    integer :: v
    lat = asin(max(-1d0, min(1d0, x(3))))
    wind = zonal_wind(lat)*[-x(2), x(1), 0d0]/max(cos(lat), 1d-9)
    s(I_DEPTH) = depth(k)
    if (k == 1) s(I_DEPTH) = s(I_DEPTH) + base_depth(x(3))
    do v = 0, 9
      lat = merge(1, -1, v < 5)*(40d0 + 4*modulo(v, 3))*pi/180
      lon = 2*pi/5*(v + 0.37d0*member + 0.11d0*modulo(v*v, 3))
      c = [cos(lat)*cos(lon), cos(lat)*sin(lon), sin(lat)]
      high = strength*merge(1, -1, modulo(v, 2) == 0)*exp(-radius**2*sum((x - c)**2)/size_of**2)
      f = 2*omega*sin(lat)
      ! g/f k x grad(high)
      wind = wind + gravity/f*high*2*radius/size_of**2*cross(x, c)
      if (k == 1) s(I_DEPTH) = s(I_DEPTH) + high
    end do
    s(I_VX:I_VZ) = wind - dot_product(wind, x)*x
    s(I_HEAT) = s(I_DEPTH)*(usual_temperature(x) - colder(k))
  end function

  pure function cross(a, b) result(c)
    real(dp), intent(in) :: a(3), b(3)
    real(dp) :: c(3)
    c = [a(2)*b(3) - a(3)*b(2), a(3)*b(1) - a(1)*b(3), a(1)*b(2) - a(2)*b(1)]
  end function

  !> heat(gall, lall), heat_pl(lall_pl): W/m2 out of the lower layer.
  subroutine SWM_step(dt, heat, heat_pl)
    real(dp), intent(in) :: dt, heat(:, :), heat_pl(:)
    real(dp), dimension(ADM_gall, kall, ADM_lall, SWM_nprg) :: old
    real(dp), dimension(ADM_gall_pl, kall, ADM_lall_pl, SWM_nprg) :: old_pl
    real(dp) :: gain(SWM_nprg), part
    real(dp), allocatable :: now(:, :, :, :), now_pl(:, :, :, :)
    integer :: stage, ij, k, l
    old = SWM_prg
    old_pl = SWM_prg_pl
    do stage = 1, 3
      part = dt/(4 - stage)
      now = SWM_prg
      now_pl = SWM_prg_pl
      do l = 1, ADM_lall
        do k = 1, kall
          do ij = 1, ADM_gall
            if (.not. is_inner(ij)) cycle
            call tendency(point(ij, l), k, now([ij, ij + ADM_next], :, l, :), heat(ij, l), gain)
            SWM_prg(ij, k, l, :) = advanced(point(ij, l), old(ij, k, l, :), part*gain)
          end do
        end do
      end do
      do l = 1, ADM_lall_pl
        if (.not. ADM_have_pl(l)) cycle
        do k = 1, kall
          call tendency(point_pl(l), k, now_pl([1, 2, 3, 4, 5, 6, 1], :, l, :), heat_pl(l), gain)
          SWM_prg_pl(1, k, l, :) = advanced(point_pl(l), old_pl(1, k, l, :), part*gain)
        end do
      end do
      call COMM_data_transfer(SWM_prg, SWM_prg_pl)
    end do
  end subroutine

  !> The wind stays on the sphere.
  pure function advanced(p, old, gain) result(new)
    type(point_type), intent(in) :: p
    real(dp), intent(in) :: old(SWM_nprg), gain(SWM_nprg)
    real(dp) :: new(SWM_nprg)
    new = old + gain
    new(I_VX:I_VZ) = new(I_VX:I_VZ) - dot_product(new(I_VX:I_VZ), p%x)*p%x
  end function

  !> s: a cell and its neighbours, all layers. The part of depth and wind that comes from upwind keeps the grid's shortest waves small.
  pure subroutine tendency(p, k, s, heat, gain)
    type(point_type), intent(in) :: p
    integer, intent(in) :: k
    real(dp), intent(in) :: s(0:6, kall, SWM_nprg), heat
    real(dp), intent(out) :: gain(SWM_nprg)
    real(dp) :: potential(0:6), t(0:6), flow, smooth, mass, wind(3), other(3)
    integer :: m
    potential = gravity*(s(:, 1, I_DEPTH) + merge(lightness, 1d0, k == 1)*s(:, 2, I_DEPTH))
    t = s(:, k, I_HEAT)/s(:, k, I_DEPTH)
    if (k == 1) potential = potential - warm*(t - p%usual)
    wind = s(0, k, I_VX:I_VZ)
    gain = 0
    do m = 1, 6
      other = s(m, k, I_VX:I_VZ)
      flow = 0.5d0*dot_product(wind + other, p%normal(:, m))
      smooth = diffusivity*p%stiff(m) + upwind*abs(flow)
      mass = 0.5d0*(s(0, k, I_DEPTH) + s(m, k, I_DEPTH))*flow + smooth &
             *(s(0, k, I_DEPTH) - s(m, k, I_DEPTH) + merge(p%base(m), 0d0, k == 1))
      gain(I_DEPTH) = gain(I_DEPTH) - mass
      gain(I_HEAT) = gain(I_HEAT) - mass*merge(t(0), t(m), mass > 0)
      gain(I_VX:I_VZ) = gain(I_VX:I_VZ) + (smooth - 0.5d0*flow)*(other - wind) &
                        - 0.5d0*(potential(m) - potential(0))*p%normal(:, m)
    end do
    gain = gain/p%area
    gain(I_VX:I_VZ) = gain(I_VX:I_VZ) - 2*omega*p%x(3)*cross(p%x, wind)
    gain(I_HEAT) = gain(I_HEAT) + s(0, k, I_DEPTH)*((p%usual(0) - colder(k) - t(0))/(usual_days*day) &
                                                    - merge(heat/heat_capacity, 0d0, k == 1))
  end subroutine

  !> The volume of both layers, m3. Called by all processes of the model.
  real(dp) function SWM_mass()
    real(dp) :: part(ADM_lall), part_pl(ADM_lall_pl)
    integer :: l, ij
    part = 0
    do l = 1, ADM_lall
      do ij = 1, ADM_gall
        if (is_inner(ij)) part(l) = part(l) + point(ij, l)%area*sum(SWM_prg(ij, :, l, I_DEPTH))
      end do
    end do
    part_pl = point_pl%area*sum(SWM_prg_pl(1, :, :, I_DEPTH), 1)
    SWM_mass = COMM_sum(part, part_pl)
  end function

  !> Stops the run when the wind has left its bounds.
  subroutine SWM_check()
    if (.not. all(abs(SWM_prg(:, :, :, I_VX:I_VZ)) < 150)) call PRC_stop('the wind is above 150 m/s: is the time step too long?')
  end subroutine

end module mod_swm

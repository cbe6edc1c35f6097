! SPDX-License-Identifier: BSD-3-Clause
!> What drives the air of this sample: storms, which are travelling waves of the wind, and the warm and cold air that they bring.
module weather
  use atmos_model, only: air_type
  use halo, only: halo_exchange
  implicit none
  private
  public :: weather_winds, weather_heat

  integer, parameter :: dp = kind(1d0), nwave = 5
  real(dp), parameter :: pi = 3.14159265358979323846d0
  real(dp), parameter :: day = 86400d0, radius = 6.371d6          !< s, m
  real(dp), parameter :: rho = 1.2d0, cp = 1004d0, depth = 6000d0 !< kg/m3, J/kg/K, m: the air that the sea warms
  real(dp), parameter :: usual_days = 4d0                         !< radiation leads back to the usual temperature
  integer, parameter :: wave(nwave) = [3, 4, 5, 6, 7]             !< how often around the Earth
  real(dp), parameter :: period(nwave) = [9.7d0, 7.1d0, 5.3d0, 4.3d0, 3.1d0] !< days; none is a multiple of another: no day repeats
  real(dp), parameter :: size_of(nwave) = [0.6d0, 0.8d0, 1d0, 0.8d0, 0.6d0]

contains

  !> Northward and eastward wind of the storms, m/s, strongest at 45 degrees.
  pure subroutine storms(lat, lon, seconds, east, north)
    real(dp), intent(in) :: lat, lon, seconds
    real(dp), intent(out) :: east, north
    real(dp) :: strength, phase
    integer :: k
    strength = 11*exp(-((abs(lat) - pi/4)/0.35d0)**2) + 4*cos(lat)**2
    east = 0
    north = 0
    do k = 1, nwave
      phase = wave(k)*lon - 2*pi*seconds/(period(k)*day) + merge(1.3d0, 0d0, lat < 0)*k + k**2
      north = north + strength*size_of(k)*cos(phase)
      east = east - strength*size_of(k)*sin(phase)*sin(2*lat)
    end do
  end subroutine

  !> Sets the wind to which the air's drag leads, for the step that begins at `seconds`. usual: that of the atmosphere itself.
  subroutine weather_winds(a, usual, seconds)
    type(air_type), intent(inout) :: a
    real(dp), intent(in) :: usual(:, :), seconds
    real(dp) :: east, north
    integer :: i
    do i = 1, a%halo%nown
      call storms(a%lat(i), a%lon(i), seconds, east, north)
      a%calm(i, :) = usual(i, :) + east*a%east(:, i) + north*a%north(:, i)
    end do
  end subroutine

  !> Warms the air for dt: by the wind, which carries it across the usual temperatures, by radiation, and by what the sea gives. heat:
  !> W/m2 into the sea, mean over the cell.
  subroutine weather_heat(a, dt, heat)
    type(air_type), intent(inout) :: a
    real(dp), intent(in) :: dt, heat(:)
    real(dp) :: north, slope
    integer :: i
    do i = 1, a%halo%nown
      north = dot_product(a%calm(i, :), a%north(:, i)) ! the storms alone: what they warm must not strengthen them
      slope = -84*sin(a%lat(i))*cos(a%lat(i))/radius ! of atmos_model's usual temperature, K/m
      a%t(i) = a%t(i) + dt*(-0.2d0*north*slope + (a%usual(i) - a%t(i))/(usual_days*day) - heat(i)/(rho*cp*depth))
    end do
    call halo_exchange(a%halo, a%t)
  end subroutine

end module weather

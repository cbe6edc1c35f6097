! SPDX-License-Identifier: BSD-3-Clause
!> The sea as columns that know nothing of each other: a mixed layer whose depth follows the wind, and the heat that it exchanges with
!> the air. The depth is the sea's memory: nobody but the column sees it.
module sea_columns
  implicit none
  private
  public :: columns_type, columns_create, columns_step

  integer, parameter :: dp = kind(1d0)
  real(dp), parameter :: pi = 3.14159265358979323846d0, day = 86400d0
  real(dp), parameter :: rho = 1025d0, cp = 3990d0                              !< sea: kg/m3, J/kg/K
  real(dp), parameter :: air_rho = 1.2d0, air_cp = 1004d0, latent = 2.5d6       !< air: kg/m3, J/kg/K, J/kg
  real(dp), parameter :: exchange = 1.3d-3                                      !< bulk coefficient
  real(dp), parameter :: declination = -21d0*pi/180                             !< of January's sun
  real(dp), parameter :: freezing = -1.8d0, restore_days = 15d0
  real(dp), parameter :: shallow = 4d0, deep = 60d0                             !< m
  real(dp), parameter :: deepen = 8*3600d0, shoal = 3*day                       !< s
  real(dp), parameter :: colder = 1d0                                           !< K, the water below the layer

  type :: columns_type
    real(dp), allocatable :: sst(:), depth(:)    !< degrees C, m
    real(dp), allocatable :: january(:)          !< observed temperature, to which currents lead back
    real(dp), allocatable :: lat(:), lon(:)      !< radians
  end type

contains

  !> january in degrees C; lat, lon in degrees.
  subroutine columns_create(january, lat, lon, c)
    real(dp), intent(in) :: january(:), lat(:), lon(:)
    type(columns_type), intent(out) :: c
    c%january = max(freezing, january)
    c%sst = c%january
    c%depth = spread(15d0, 1, size(january))
    c%lat = lat*pi/180
    c%lon = lon*pi/180
  end subroutine

  !> Specific humidity of saturated air, kg/kg.
  pure real(dp) function saturated(t)
    real(dp), intent(in) :: t
    saturated = 3.8d-3*exp(17.3d0*t/(t + 237.3d0))
  end function

  !> Heat of the air into the sea, W/m2: by its temperature, and by the humidity that evaporates. Warm air on cold water is stable, and
  !> exchanges less; storms break that.
  pure real(dp) function turbulent(air, speed, sst)
    real(dp), intent(in) :: air, speed, sst
    real(dp) :: transfer
    transfer = air_rho*exchange*speed*(1 - 0.6d0*tanh((air - sst)/(1 + 0.02d0*speed**2)))
    turbulent = transfer*(air_cp*(air - sst) + latent*(0.8d0*saturated(air) - 0.98d0*saturated(sst)))
  end function

  !> Sunshine minus what the sea radiates, W/m2.
  pure real(dp) function radiation(lat, lon, seconds)
    real(dp), intent(in) :: lat, lon, seconds
    real(dp) :: hour
    hour = 2*pi*seconds/day + lon - pi
    radiation = 700*max(0d0, sin(lat)*sin(declination) + cos(lat)*cos(declination)*cos(hour)) - 60
  end function

  !> A step that begins `seconds` after midnight in Greenwich. air: degrees C; speed: of the wind, m/s; flux: W/m2 into the sea.
  subroutine columns_step(c, dt, seconds, air, speed, flux)
    type(columns_type), intent(inout) :: c
    real(dp), intent(in) :: dt, seconds, air(:), speed(:)
    real(dp), intent(out) :: flux(:)
    real(dp) :: wanted, grown
    integer :: i
    do i = 1, size(flux)
      flux(i) = turbulent(air(i), speed(i), c%sst(i))
      wanted = min(deep, shallow + 0.03d0*speed(i)**3)
      grown = dt*(wanted - c%depth(i))/merge(deepen, shoal, wanted > c%depth(i))
      ! What the layer takes in from below is colder.
      if (grown > 0) c%sst(i) = c%sst(i) + (c%january(i) - colder - c%sst(i))*grown/(c%depth(i) + grown)
      c%depth(i) = c%depth(i) + grown
      c%sst(i) = max(freezing, c%sst(i) + dt*(flux(i) + radiation(c%lat(i), c%lon(i), seconds))/(rho*cp*c%depth(i)) &
                     + dt*(c%january(i) - c%sst(i))/(restore_days*day))
    end do
  end subroutine

end module sea_columns

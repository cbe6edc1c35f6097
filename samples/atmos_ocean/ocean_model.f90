! SPDX-License-Identifier: BSD-3-Clause
!> A mixed layer on the 2-degree grid of an observed climatology: temperature and a slab current, driven by heat flux and wind
!> stress. Cells without an observed January temperature are land. Bit-identical for any number of processes: a cell's value
!> depends on itself and its four neighbours, always summed in one order.
module ocean_model
  use netcdf
  use halo, only: halo_type, halo_create, halo_exchange, halo_max
  implicit none
  private
  public :: sea_grid_type, sea_grid_read, sea_type, sea_create, sea_step, sea_check_step

  integer, parameter :: dp = kind(1d0)
  real(dp), parameter :: pi = 3.14159265358979323846d0
  real(dp), parameter :: radius = 6.371d6, day = 86400d0, omega = 7.292d-5
  real(dp), parameter :: rho = 1025d0, cp = 3990d0, depth = 50d0 !< kg/m3, J/kg/K, m
  real(dp), parameter :: diffusivity = 2d3                       !< m2/s
  real(dp), parameter :: drag_days = 2d0, restore_days = 60d0
  real(dp), parameter :: freezing = -1.8d0                       !< degrees C
  real(dp), parameter :: fastest = 1d0                           !< m/s, current that the time step has to bear
  real(dp), parameter :: air_rho = 1.2d0, air_cp = 1004d0, exchange = 1.3d-3, gust = 2d0

  type, public :: sea_grid_type
    integer :: nx, ny
    real(dp), allocatable :: lon(:), lat(:)  !< degrees
    logical, allocatable :: is_sea(:)        !< [nx*ny] longitude fastest
    integer, allocatable :: neighbours(:, :) !< [4, nx*ny] east, north, west, south; 0: land or none
    real(dp), allocatable :: sst(:)          !< January, degrees C
    real(dp), allocatable :: heat(:)         !< W/m2, January's own exchange with the air
    real(dp), allocatable :: taux(:), tauy(:) !< N/m2, January's wind
  end type

  type :: sea_type
    type(sea_grid_type) :: grid
    type(halo_type) :: halo
    real(dp), allocatable :: t(:), u(:), v(:) !< [nall] degrees C, m/s
    integer, allocatable :: next(:, :)        !< [4, nown]
  end type

contains

  subroutine check(status, what)
    integer, intent(in) :: status
    character(*), intent(in) :: what
    if (status == nf90_noerr) return
    write (*, '(4a)') 'ocean: ', what, ': ', trim(nf90_strerror(status))
    error stop 1
  end subroutine

  subroutine sea_grid_read(file, g)
    character(*), intent(in) :: file
    type(sea_grid_type), intent(out) :: g
    integer :: nc, i, j, c, dim
    real(dp), allocatable :: air(:), wind_u(:), wind_v(:)
    real(dp) :: speed
    call check(nf90_open(file, nf90_nowrite, nc), file)
    call check(nf90_inq_dimid(nc, 'lon', dim), file)
    call check(nf90_inquire_dimension(nc, dim, len=g%nx), file)
    call check(nf90_inq_dimid(nc, 'lat', dim), file)
    call check(nf90_inquire_dimension(nc, dim, len=g%ny), file)
    allocate (g%lon(g%nx), g%lat(g%ny), g%neighbours(4, g%nx*g%ny), g%heat(g%nx*g%ny), g%taux(g%nx*g%ny), g%tauy(g%nx*g%ny))
    call read_axis(nc, 'lon', g%lon)
    call read_axis(nc, 'lat', g%lat)
    call read_january(nc, 'SST', g, g%sst)
    call read_january(nc, 'AIRT', g, air)
    call read_january(nc, 'UWND', g, wind_u)
    call read_january(nc, 'VWND', g, wind_v)
    call check(nf90_close(nc), file)
    g%is_sea = g%sst > -100
    g%neighbours = 0
    do j = 1, g%ny
      do i = 1, g%nx
        c = cell(g, i, j)
        if (.not. g%is_sea(c)) cycle
        g%neighbours(:, c) = [sea_cell(g, i + 1, j), sea_cell(g, i, j + 1), sea_cell(g, i - 1, j), sea_cell(g, i, j - 1)]
        g%heat(c) = 0
        g%taux(c) = 0
        g%tauy(c) = 0
        if (wind_u(c) < -100 .or. wind_v(c) < -100) cycle
        speed = sqrt(wind_u(c)**2 + wind_v(c)**2 + gust**2)
        g%taux(c) = air_rho*exchange*speed*wind_u(c)
        g%tauy(c) = air_rho*exchange*speed*wind_v(c)
        if (air(c) > -100) g%heat(c) = air_rho*air_cp*exchange*speed*(air(c) - g%sst(c))
      end do
    end do
  end subroutine

  subroutine read_axis(nc, name, axis)
    integer, intent(in) :: nc
    character(*), intent(in) :: name
    real(dp), intent(out) :: axis(:)
    integer :: id
    call check(nf90_inq_varid(nc, name, id), name)
    call check(nf90_get_var(nc, id, axis), name)
  end subroutine

  !> January of a packed variable; missing: -999.
  subroutine read_january(nc, name, g, value)
    integer, intent(in) :: nc
    character(*), intent(in) :: name
    type(sea_grid_type), intent(in) :: g
    real(dp), allocatable, intent(out) :: value(:)
    integer :: id, packed(g%nx, g%ny), fill, rank
    real(dp) :: scale
    call check(nf90_inq_varid(nc, name, id), name)
    call check(nf90_inquire_variable(nc, id, ndims=rank), name)
    call check(nf90_get_att(nc, id, '_FillValue', fill), name)
    call check(nf90_get_att(nc, id, 'scale_factor', scale), name)
    if (rank == 3) then
      call check(nf90_get_var(nc, id, packed, start=[1, 1, 1], count=[g%nx, g%ny, 1]), name)
    else
      call check(nf90_get_var(nc, id, packed), name)
    end if
    value = reshape(merge(-999d0, packed*scale, packed == fill), [g%nx*g%ny])
  end subroutine

  pure integer function cell(g, i, j)
    type(sea_grid_type), intent(in) :: g
    integer, intent(in) :: i, j
    cell = (j - 1)*g%nx + modulo(i - 1, g%nx) + 1
  end function

  pure integer function sea_cell(g, i, j)
    type(sea_grid_type), intent(in) :: g
    integer, intent(in) :: i, j
    sea_cell = 0
    if (j < 1 .or. j > g%ny) return
    if (g%is_sea(cell(g, i, j))) sea_cell = cell(g, i, j)
  end function

  !> Sea cells in bands of latitude, of about equal numbers; land belongs to nobody.
  subroutine sea_create(comm, nproc, g, s)
    integer, intent(in) :: comm, nproc
    type(sea_grid_type), intent(in) :: g
    type(sea_type), intent(out) :: s
    integer :: owner(g%nx*g%ny), c, k, seen, i
    seen = 0
    do c = 1, size(owner)
      owner(c) = -1
      if (.not. g%is_sea(c)) cycle
      owner(c) = int(int(seen, selected_int_kind(18))*nproc/count(g%is_sea))
      seen = seen + 1
    end do
    s%grid = g
    call halo_create(comm, owner, g%neighbours, s%halo)
    allocate (s%t(s%halo%nall), s%u(s%halo%nall), s%v(s%halo%nall), s%next(4, s%halo%nown))
    s%u = 0
    s%v = 0
    s%next = 0
    do i = 1, s%halo%nall
      s%t(i) = max(freezing, g%sst(s%halo%global(i)))
    end do
    do i = 1, s%halo%nown
      do k = 1, 4
        if (g%neighbours(k, s%halo%global(i)) > 0) s%next(k, i) = s%halo%local(g%neighbours(k, s%halo%global(i)))
      end do
    end do
    ! The current that January's wind has driven until now.
    do k = 1, 120
      do i = 1, s%halo%nown
        call drive(s, i, 3600d0, g%taux(s%halo%global(i)), g%tauy(s%halo%global(i)))
      end do
    end do
  end subroutine

  !> A step that is too long for the smallest cells; text is empty when it is not. Collective.
  subroutine sea_check_step(s, dt, text)
    type(sea_type), intent(in) :: s
    real(dp), intent(in) :: dt
    character(*), intent(out) :: text
    real(dp) :: x, y, share, most
    integer :: i
    most = 0
    y = width_north()
    do i = 1, s%halo%nown
      x = width_east(s, i)
      ! Upwind: at most one neighbour in each direction gives.
      share = dt*(2*diffusivity*(1/x**2 + 1/y**2) + fastest*(1/x + 1/y) + 1/(restore_days*day))
      most = max(most, share)
    end do
    most = halo_max(s%halo, most)
    text = ''
    if (most > 1) write (text, '(a,f0.0,a,f0.2,a)') 'the time step of ', dt, &
      ' s is too long for this grid (Courant and diffusion number ', most, ', at most 1)'
  end subroutine

  real(dp) function width_east(s, i)
    type(sea_type), intent(in) :: s
    integer, intent(in) :: i
    width_east = radius*cos(latitude(s, i))*2*pi/s%grid%nx
  end function

  real(dp) function width_north()
    width_north = radius*2*pi/180
  end function

  real(dp) function latitude(s, i)
    type(sea_type), intent(in) :: s
    integer, intent(in) :: i
    latitude = s%grid%lat((s%halo%global(i) - 1)/s%grid%nx + 1)*pi/180
  end function

  !> Slab current: wind, the Earth's rotation (an angle, which keeps the speed), drag.
  subroutine drive(s, i, dt, taux, tauy)
    type(sea_type), intent(inout) :: s
    integer, intent(in) :: i
    real(dp), intent(in) :: dt, taux, tauy
    real(dp) :: angle, u, v
    u = s%u(i) + dt*taux/(rho*depth)
    v = s%v(i) + dt*tauy/(rho*depth)
    angle = 2*omega*sin(latitude(s, i))*dt
    s%u(i) = (u*cos(angle) + v*sin(angle))/(1 + dt/(drag_days*day))
    s%v(i) = (v*cos(angle) - u*sin(angle))/(1 + dt/(drag_days*day))
  end subroutine

  !> One step: heat(nown) in W/m2 into the sea, stress in N/m2. January's own heat exchange is subtracted: what is left changes the
  !> observed temperature, to which the sea slowly returns.
  subroutine sea_step(s, dt, heat, taux, tauy)
    type(sea_type), intent(inout) :: s
    real(dp), intent(in) :: dt, heat(:), taux(:), tauy(:)
    real(dp) :: gain(s%halo%nown)
    integer :: i, c
    call halo_exchange(s%halo, s%t)
    do i = 1, s%halo%nown
      c = s%halo%global(i)
      gain(i) = dt*(heat(i) - s%grid%heat(c))/(rho*cp*depth) + dt*mixing(s, i) + &
                dt*(s%grid%sst(c) - s%t(i))/(restore_days*day)
    end do
    do i = 1, s%halo%nown
      s%t(i) = max(freezing, s%t(i) + gain(i))
      call drive(s, i, dt, taux(i), tauy(i))
    end do
  end subroutine

  !> Diffusion and upwind advection by the current; nothing passes a coast.
  real(dp) function mixing(s, i)
    type(sea_type), intent(in) :: s
    integer, intent(in) :: i
    real(dp) :: width(4), speed(4)
    integer :: k
    width(1:3:2) = width_east(s, i)
    width(2:4:2) = width_north()
    speed = [-s%u(i), -s%v(i), s%u(i), s%v(i)] ! from the neighbour to me
    mixing = 0
    do k = 1, 4
      if (s%next(k, i) == 0) cycle
      mixing = mixing + (s%t(s%next(k, i)) - s%t(i))*(diffusivity/width(k)**2 + max(0d0, speed(k))/width(k))
    end do
  end function

end module ocean_model

! SPDX-License-Identifier: BSD-3-Clause
!> Writes the grids for `h3ou weights`: atmos.nc and ocean.nc, land masked in both. A masked cell of the atmosphere gets no
!> sea-surface temperature, and gives no flux: over land there is none.
!>
!>   make_grids LEVEL CLIMATOLOGY.nc DIRECTORY
program make_grids
  use files, only: write_scrip
  use icosahedron, only: grid_type, grid_create, pi
  use ocean_model, only: sea_grid_type, sea_grid_read
  implicit none
  integer, parameter :: dp = kind(1d0)
  character(400) :: arg, climatology, dir
  integer :: level, c, i, j
  type(grid_type) :: g
  type(sea_grid_type) :: sea
  real(dp), allocatable :: lon(:), lat(:)
  logical, allocatable :: over_sea(:)
  call get_command_argument(1, arg)
  read (arg, *) level
  call get_command_argument(2, climatology)
  call get_command_argument(3, dir)
  call grid_create(level, g)
  call sea_grid_read(trim(climatology), sea)
  allocate (lon(g%ncell), lat(g%ncell), over_sea(g%ncell))
  do c = 1, g%ncell
    lat(c) = asin(max(-1d0, min(1d0, g%x(3, c))))*180/pi
    lon(c) = modulo(atan2(g%x(2, c), g%x(1, c))*180/pi, 360d0)
    ! A cell lies over what its centre lies over.
    i = int(modulo(lon(c) - sea%lon(1) + 1, 360d0)/2) + 1
    j = min(sea%ny, int((lat(c) + 90)/2) + 1)
    over_sea(c) = sea%is_sea((j - 1)*sea%nx + modulo(i - 1, sea%nx) + 1)
  end do
  call write_scrip(trim(dir) // '/atmos.nc', [g%ncell], lon, lat, over_sea)
  call write_scrip(trim(dir) // '/ocean.nc', [sea%nx, sea%ny], [((sea%lon(i), i=1, sea%nx), j=1, sea%ny)], &
                   [((sea%lat(j), i=1, sea%nx), j=1, sea%ny)], sea%is_sea)
  deallocate (lon, lat, over_sea)
end program make_grids

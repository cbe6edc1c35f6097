! SPDX-License-Identifier: BSD-3-Clause
!> The ocean: gets the air's temperature and wind speed, and puts the heat flux; its temperature, too, for those who learn.
!>
!>   ocean CONFIG CLIMATOLOGY.nc DAYS [STEP_SECONDS]
program ocean
  use h3ou_api
  use ocean_model, only: sea_grid_type, sea_grid_read
  use sea_columns, only: columns_type, columns_create, columns_step
  implicit none
  integer, parameter :: dp = kind(1d0)
  character(*), parameter :: me = 'ocean'
  character(400) :: config, climatology
  integer :: days, step, comm, group, nproc, rank, now(6), i, n
  integer, allocatable :: cell(:)
  real(dp), allocatable :: air(:, :), flux(:)
  logical :: is_new
  type(sea_grid_type) :: grid
  type(columns_type) :: sea

  call get_command_argument(1, config)
  call get_command_argument(2, climatology)
  days = number(3, 10)
  step = number(4, 3600)

  call h3ou_init(me, trim(config))
  call h3ou_get_mpi_parameter(me, comm, group, nproc, rank)
  call sea_grid_read(trim(climatology), grid)
  call define_grid()
  now = [2000, 1, 1, 0, 0, 0]
  call h3ou_init_time(now)
  n = size(cell)
  allocate (air(n, 2), flux(n))
  flux = 0
  call h3ou_put_data('heat_flux', flux)
  call h3ou_put_data('sst', sea%sst)

  do i = 0, days*86400/step - 1
    call h3ou_set_time(me, now, step)
    call h3ou_get_data('air', air, is_recv_ok=is_new)
    call columns_step(sea, real(step, dp), real(i, dp)*step, air(:, 1), air(:, 2), flux)
    call h3ou_put_data('heat_flux', flux)
    call h3ou_put_data('sst', sea%sst)
    call h3ou_inc_time(now, step)
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

  !> Each process has as many cells of the sea as the others; land is no part of the grid.
  subroutine define_grid()
    integer, allocatable :: all_cells(:)
    real(dp), allocatable :: lon(:), lat(:), blon(:, :), blat(:, :)
    integer :: k
    all_cells = pack([(k, k=1, size(grid%is_sea))], grid%is_sea)
    cell = all_cells(size(all_cells)*rank/nproc + 1:size(all_cells)*(rank + 1)/nproc)
    lon = grid%lon(modulo(cell - 1, grid%nx) + 1)
    lat = grid%lat((cell - 1)/grid%nx + 1)
    allocate (blon(4, size(cell)), blat(4, size(cell)))
    do k = 1, size(cell)
      blon(:, k) = lon(k) + [-1, 1, 1, -1]
      blat(:, k) = lat(k) + [-1, -1, 1, 1]
    end do
    call columns_create(grid%sst(cell), lat, lon, sea)
    call h3ou_def_grid(cell, me, 'ocean_2deg', 2, lon, lat, blon, blat)
    call h3ou_end_grid_def()
  end subroutine

end program ocean

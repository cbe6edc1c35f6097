! SPDX-License-Identifier: BSD-3-Clause
program ocean
  use mpi
  use h3ou_api
  use blocks
  implicit none
  integer, parameter :: nx = 90, ny = 45, step = 3600     ! cells of 4 degrees; a time step of an hour
  type(block) :: b
  integer :: time(6) = [2026, 1, 1, 0, 0, 0], comm, group, nproc, rank, hour, x, y, ierr
  integer, allocatable :: index(:), mask(:), sea(:, :)
  real(8), allocatable :: lon(:), lat(:), lon_corners(:, :), lat_corners(:, :)
  real(8), allocatable :: sst(:, :), air(:, :), u(:, :), v(:, :), next(:, :)
  real(8) :: mine(2), all(2)
  logical :: arrived

  call h3ou_init("ocean", "coupling.conf")
  call h3ou_get_mpi_parameter("ocean", comm, group, nproc, rank)
  b = block_of(comm, nx, ny)
  call block_cells(b, nx, ny, index, lon, lat, lon_corners, lat_corners)
  mask = merge(0, 1, sin(3.14159d0 * lon / 60) * cos(3.14159d0 * lat / 180) > 0.6d0)     ! three continents: 0 is land
  call h3ou_def_grid(index, "ocean", "sea", 1, lon=lon, lat=lat, lon_corners=lon_corners, lat_corners=lat_corners, &
       mask=mask, grid_shape=[nx, ny], cyclic=.true., &
       local_shape=[b%x1 - b%x0 + 1, b%y1 - b%y0 + 1], halo=[1, 1, 1, 1])
  call h3ou_end_grid_def()

  allocate (sst(b%x0 - 1:b%x1 + 1, b%y0 - 1:b%y1 + 1), source=285d0)                     ! with its halo
  allocate (air, u, v, next, source=sst)
  allocate (sea(b%x0 - 1:b%x1 + 1, b%y0 - 1:b%y1 + 1), source=0)
  sea(b%x0:b%x1, b%y0:b%y1) = reshape(mask, [b%x1 - b%x0 + 1, b%y1 - b%y0 + 1])

  call h3ou_init_time(time)
  call h3ou_put_data("sst", sst)                          ! the library leaves the halo and the land out
  do hour = 0, 23
    call h3ou_set_time("ocean", time, step)
    call h3ou_get_data("wind", u, data_vector=v, is_recv_ok=arrived)                     ! eastward and northward, m/s
    call h3ou_get_data("air_temperature", air, is_recv_ok=arrived)
    call swap_halo(b, sst)
    next = sst
    do y = max(b%y0, 2), min(b%y1, ny - 1)
      do x = b%x0, b%x1
        if (sea(x, y) == 0) cycle
        next(x, y) = sst(x, y) + 0.02d0 * (sum(sst(x - 1:x + 1, y)) + sst(x, y - 1) + sst(x, y + 1) - 5 * sst(x, y)) &
             + 1d-3 * hypot(u(x, y), v(x, y)) * (air(x, y) - sst(x, y))
      end do
    end do
    sst = next
    call h3ou_put_data("sst", sst)
    call h3ou_inc_time(time, step)
  end do

  mine = [sum(sst(b%x0:b%x1, b%y0:b%y1) * sea(b%x0:b%x1, b%y0:b%y1)), real(count(mask /= 0), 8)]
  call MPI_Reduce(mine, all, 2, MPI_DOUBLE_PRECISION, MPI_SUM, 0, comm, ierr)
  if (rank == 0) print "(a,f9.4)", "ocean: mean temperature after a day", all(1) / all(2)
  call h3ou_coupling_end(time, .true.)
end program ocean

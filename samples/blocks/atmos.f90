! SPDX-License-Identifier: BSD-3-Clause
program atmos
  use mpi
  use h3ou_api
  use blocks
  implicit none
  integer, parameter :: nx = 64, ny = 32, step = 1800     ! coarser cells; half an hour
  real(8), parameter :: radian = 3.14159265358979d0 / 180
  type(block) :: b
  integer :: time(6) = [2026, 1, 1, 0, 0, 0], comm, group, nproc, rank, i, shape(2), ierr
  integer, allocatable :: index(:)
  real(8), allocatable :: lon(:), lat(:), lon_corners(:, :), lat_corners(:, :), u(:, :), v(:, :), air(:, :)
  real(4), allocatable :: sst(:, :)                       ! in single precision, and without a halo: as the model has it
  real(8) :: mine(2), all(2)
  logical :: arrived

  call h3ou_init("atmos", "coupling.conf")
  call h3ou_get_mpi_parameter("atmos", comm, group, nproc, rank)
  b = block_of(comm, nx, ny)
  call block_cells(b, nx, ny, index, lon, lat, lon_corners, lat_corners)
  shape = [b%x1 - b%x0 + 1, b%y1 - b%y0 + 1]
  call h3ou_def_grid(index, "atmos", "air", 1, lon=lon, lat=lat, lon_corners=lon_corners, lat_corners=lat_corners, &
       grid_shape=[nx, ny], cyclic=.true., local_shape=shape)
  call h3ou_end_grid_def()

  ! A wind of 20 m/s around an axis that leans over by 45 degrees: it crosses the poles of the grid.
  u = reshape(20 * sqrt(0.5d0) * (cos(radian * lat) + sin(radian * lat) * cos(radian * lon)), shape)
  v = reshape(-20 * sqrt(0.5d0) * sin(radian * lon), shape)
  air = reshape(260 + 40 * cos(radian * lat), shape)
  allocate (sst(shape(1), shape(2)), source=0.)           ! stays 0 where there is no sea: missing="keep"

  call h3ou_init_time(time)
  call h3ou_put_data("wind", u, data_vector=v)
  call h3ou_put_data("air_temperature", air)
  do i = 0, 47
    call h3ou_set_time("atmos", time, step)
    call h3ou_get_data("sst", sst, is_recv_ok=arrived)
    where (sst > 0) air = air + 1d-3 * (sst - air)
    call h3ou_put_data("wind", u, data_vector=v)
    call h3ou_put_data("air_temperature", air)
    call h3ou_inc_time(time, step)
  end do

  mine = [sum(real(sst, 8)), real(count(sst > 0), 8)]
  call MPI_Reduce(mine, all, 2, MPI_DOUBLE_PRECISION, MPI_SUM, 0, comm, ierr)
  if (rank == 0) print "(a,i5,a,f9.4)", "atmos:", nint(all(2)), " cells over the sea, whose mean temperature is", all(1) / all(2)
  call h3ou_coupling_end(time, .true.)
end program atmos

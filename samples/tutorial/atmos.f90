! SPDX-License-Identifier: BSD-3-Clause
program atmos
  use h3ou_api
  use cells
  implicit none
  integer, parameter :: nx = 24, ny = 12, step = 1800       ! cells of 15 degrees; half an hour
  real(8), parameter :: capacity = 1d7                      ! J/m2/K
  integer :: time(6) = [2026, 1, 1, 0, 0, 0], comm, group, nproc, rank, i, from, to, unit
  integer, allocatable :: index(:)
  real(8), allocatable :: lon(:), lat(:), lon_corners(:, :), lat_corners(:, :), area(:), sst(:), heat(:), air(:)
  real(8) :: given = 0, part(2), total(2)
  logical :: arrived, own

  call read_arguments(from, to, own)
  call h3ou_init("atmos", "coupling.conf")
  call h3ou_get_mpi_parameter("atmos", comm, group, nproc, rank)
  call cells_of(rank, nproc, nx, ny, index, lon, lat, lon_corners, lat_corners, area)
  call h3ou_def_grid(index, "atmos", "air", 1, lon=lon, lat=lat, lon_corners=lon_corners, lat_corners=lat_corners)
  call h3ou_end_grid_def()
  if (own) call h3ou_set_interpolation_table("atmos", "atmos", "air", "ocean", "sea", 1)

  call h3ou_inc_time(time, 3600 * from)
  call h3ou_init_time(time)
  heat = 0 * lat
  sst = heat
  if (from == 0) then
    air = 260 + 40 * cos(radian * lat)
    call h3ou_put_data("heat", heat)
  else
    air = heat
    open (newunit=unit, file=state_file("atmos", rank), access="stream", form="unformatted", status="old")
    read (unit) air, sst, given
    close (unit)
    call h3ou_read_restart("atmos.h3ou")
  end if

  do i = 2 * from, 2 * to - 1
    call h3ou_set_time("atmos", time, step)
    call h3ou_get_data("sst", sst, is_recv_ok=arrived)      ! kept until the next exchange
    heat = 20 * (air - sst)
    air = air + (150 * cos(radian * lat) - 100 + 50 * sin(i * step * 2 * 180 * radian / 86400) - heat) * step / capacity
    given = given + sum(area * heat) * step
    call h3ou_put_data("heat", heat)                        ! coupling.conf says what is made of it
    call h3ou_inc_time(time, step)
  end do

  open (newunit=unit, file=state_file("atmos", rank), access="stream", form="unformatted", status="replace")
  write (unit) air, sst, given
  close (unit)
  call h3ou_write_restart("atmos.h3ou")
  part = [sum(area * air), given]
  call h3ou_allreduce(h3ou_comm_local, part, total, h3ou_op_sum)
  if (rank == 0) print "(a,f9.4,a,f9.4,a)", "mean temperature ", total(1), " K, heat given ", total(2) / 1d6, " MJ/m2"
  call h3ou_coupling_end(time, .true.)
end program atmos

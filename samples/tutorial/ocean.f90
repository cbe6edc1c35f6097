! SPDX-License-Identifier: BSD-3-Clause
program ocean
  use h3ou_api
  use cells
  implicit none
  integer, parameter :: nx = 72, ny = 36, step = 3600       ! cells of 5 degrees; an hour
  real(8), parameter :: capacity = 2d8                      ! J/m2/K: 50 m of water
  integer :: time(6) = [2026, 1, 1, 0, 0, 0], comm, group, nproc, rank, hour, from, to, unit
  integer, allocatable :: index(:), parent(:)
  real(8), allocatable :: lon(:), lat(:), lon_corners(:, :), lat_corners(:, :), area(:), sst(:), heat(:)
  real(8) :: taken = 0, part(2), total(2)
  logical :: arrived, own

  call read_arguments(from, to, own)
  call h3ou_init("ocean", "coupling.conf")                  ! joins the run
  call h3ou_get_mpi_parameter("ocean", comm, group, nproc, rank)
  call cells_of(rank, nproc, nx, ny, index, lon, lat, lon_corners, lat_corners, area)
  call h3ou_def_grid(index, "ocean", "sea", 1, lon=lon, lat=lat, lon_corners=lon_corners, lat_corners=lat_corners)
  call h3ou_end_grid_def()
  if (own) then                                             ! section 7
    parent = (index - 1) / (3 * nx) * 24 + mod(index - 1, nx) / 3 + 1
    call h3ou_set_interpolation_table("ocean", "atmos", "air", "ocean", "sea", 1, parent, index, 0 * lon + 1, is_spread=.true.)
  end if

  call h3ou_inc_time(time, 3600 * from)                     ! the time at which this run begins
  call h3ou_init_time(time)
  heat = 0 * lat
  if (from == 0) then
    sst = 272 + 28 * cos(radian * lat)
    call h3ou_put_data("sst", sst)                          ! the value that others get at the start
  else
    sst = heat
    open (newunit=unit, file=state_file("ocean", rank), access="stream", form="unformatted", status="old")
    read (unit) sst, heat, taken
    close (unit)
    call h3ou_read_restart("ocean.h3ou")
  end if

  do hour = from, to - 1
    call h3ou_set_time("ocean", time, step)
    call h3ou_get_data("heat", heat, is_recv_ok=arrived)    ! W/m2; kept until the next exchange
    sst = sst + heat * step / capacity
    taken = taken + sum(area * heat) * step
    call h3ou_put_data("sst", sst)
    call h3ou_inc_time(time, step)
  end do

  open (newunit=unit, file=state_file("ocean", rank), access="stream", form="unformatted", status="replace")
  write (unit) sst, heat, taken
  close (unit)
  call h3ou_write_restart("ocean.h3ou")
  part = [sum(area * sst), taken]
  call h3ou_allreduce(h3ou_comm_local, part, total, h3ou_op_sum)
  if (rank == 0) print "(a,f9.4,a,f9.4,a)", "mean temperature ", total(1), " K, heat taken ", total(2) / 1d6, " MJ/m2"
  call h3ou_coupling_end(time, .true.)                      ! leaves the run
end program ocean

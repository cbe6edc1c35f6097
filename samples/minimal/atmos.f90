! SPDX-License-Identifier: BSD-3-Clause
program atmos
  use h3ou_api
  implicit none
  integer, parameter :: cells = 24, step = 1800           ! a finer ring; half an hour
  integer :: time(6) = [2026, 1, 1, 0, 0, 0], comm, group, nproc, rank, i
  integer, allocatable :: mine(:)
  real(8), allocatable :: air(:), sst(:), heat(:)
  logical :: arrived

  call h3ou_init("atmos", "coupling.conf")
  call h3ou_get_mpi_parameter("atmos", comm, group, nproc, rank)
  mine = pack([(i, i=1, cells)], [(mod(i - 1, nproc) == rank, i=1, cells)])
  call h3ou_def_grid(mine, "atmos", "ring24", 1)
  call h3ou_end_grid_def()

  ! An ocean cell gets the mean of the two atmosphere cells above it.
  call h3ou_set_interpolation_table("atmos", "ocean", "ring12", "atmos", "ring24", 1)
  call h3ou_set_interpolation_table("atmos", "atmos", "ring24", "ocean", "ring12", 1, &
       [(i, i=1, 24)], [((i + 1) / 2, i=1, 24)], [(0.5d0, i=1, 24)])

  call h3ou_init_time(time)
  air = 285 + 0 * mine
  sst = air
  heat = 0 * air
  call h3ou_put_data("heat", heat)
  do i = 0, 47
    call h3ou_set_time("atmos", time, step)
    call h3ou_get_data("sst", sst, is_recv_ok=arrived)    ! else sst stays as it was
    heat = 20 * (air - sst)
    air = air - heat * step / 1d6
    call h3ou_put_data("heat", heat)                      ! averaged until the ocean gets it: AVR in coupling.conf
    call h3ou_inc_time(time, step)
  end do
  call h3ou_coupling_end(time, .true.)
end program atmos

! SPDX-License-Identifier: BSD-3-Clause
program ocean
  use h3ou_api
  implicit none
  integer, parameter :: cells = 12, step = 3600           ! a ring of 12 cells; a time step of an hour
  integer :: time(6) = [2026, 1, 1, 0, 0, 0], comm, group, nproc, rank, hour, i
  integer, allocatable :: mine(:)
  real(8), allocatable :: sst(:), heat(:)
  logical :: arrived

  call h3ou_init("ocean", "coupling.conf")                ! joins the run; calls MPI_Init
  call h3ou_get_mpi_parameter("ocean", comm, group, nproc, rank)
  mine = pack([(i, i=1, cells)], [(mod(i - 1, nproc) == rank, i=1, cells)])
  call h3ou_def_grid(mine, "ocean", "ring12", 1)          ! the cells of this process, by their global numbers
  call h3ou_end_grid_def()

  ! Who sends gives the table: atmosphere cell recv_index += coef * ocean cell send_index. What rank 0 passes counts.
  call h3ou_set_interpolation_table("ocean", "ocean", "ring12", "atmos", "ring24", 1, &
       [((i + 1) / 2, i=1, 24)], [(i, i=1, 24)], [(1d0, i=1, 24)])
  call h3ou_set_interpolation_table("ocean", "atmos", "ring24", "ocean", "ring12", 1)

  call h3ou_init_time(time)
  sst = 290 + mine
  heat = 0 * sst
  call h3ou_put_data("sst", sst)                          ! the value that others get at the start
  do hour = 0, 23
    call h3ou_set_time("ocean", time, step)
    call h3ou_get_data("heat", heat, is_recv_ok=arrived)  ! .true. every three hours: intvl in coupling.conf
    if (arrived .and. rank == 0) print "(a,i3,2(a,f8.3))", "ocean: hour", hour, "  heat", heat(1), "  sst", sst(1)
    sst = sst + heat * step / 1d6
    call h3ou_put_data("sst", sst)
    call h3ou_inc_time(time, step)
  end do
  call h3ou_coupling_end(time, .true.)                    ! leaves the run; calls MPI_Finalize
end program ocean

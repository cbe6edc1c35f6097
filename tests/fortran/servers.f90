! SPDX-License-Identifier: BSD-3-Clause
!> A model with a process of its own that takes no part in the coupling: the last process of each component in a job writes for the
!> others, and calls nothing of h3ou. B gets what A put, and its writer adds up what all of B got.
!>
!>   servers A|B CONFIG keep|inter|all
!>
!> keep: as said; inter, all: an intercommunicator, and a communicator whose processes do not all call h3ou_init.
program servers
  use h3ou_api
  use mpi
  implicit none
  integer, parameter :: dp = kind(1d0), ncell = 12, steps = 4
  character(8) :: me, how
  character(400) :: config
  integer :: ierr, world_rank, exe, exe_rank, exe_size, models, comm, group, nproc, rank, between
  logical :: is_writer
  call get_command_argument(1, me)
  call get_command_argument(2, config)
  call get_command_argument(3, how)
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, world_rank, ierr)
  call MPI_Comm_split(MPI_COMM_WORLD, iachar(me(1:1)), world_rank, exe, ierr) ! the model's own processes
  call MPI_Comm_rank(exe, exe_rank, ierr)
  call MPI_Comm_size(exe, exe_size, ierr)
  is_writer = exe_rank == exe_size - 1
  call MPI_Comm_split(MPI_COMM_WORLD, merge(1, 0, is_writer), world_rank, models, ierr)
  if (how == 'inter') call MPI_Intercomm_create(models, 0, MPI_COMM_WORLD, merge(0, exe_size - 1, is_writer), 5, between, ierr)
  if (how == 'inter') models = between
  if (how == 'all') models = MPI_COMM_WORLD
  if (is_writer) then
    call write_sums()
  else
    call h3ou_init(trim(me), trim(config), comm=models)
    call MPI_Comm_free(models, ierr) ! the library has its own
    call run_model()
  end if
  call MPI_Finalize(ierr)

contains

  subroutine write_sums()
    integer :: step, i
    real(dp) :: part, total
    do step = 1, steps
      total = 0
      do i = 1, exe_size - 1
        call MPI_Recv(part, 1, MPI_DOUBLE_PRECISION, MPI_ANY_SOURCE, step, exe, MPI_STATUS_IGNORE, ierr)
        total = total + part
      end do
      print '(a,1x,a,1x,i0,1x,f0.1)', 'sum', trim(me), step, total
    end do
    call MPI_Recv(part, 1, MPI_DOUBLE_PRECISION, MPI_ANY_SOURCE, 99, exe, MPI_STATUS_IGNORE, ierr) ! after the model's end
    print '(a,1x,a)', 'written', trim(me)
  end subroutine

  subroutine run_model()
    integer :: i, step, time(6), all_of_mine
    real(dp), allocatable :: x(:)
    logical :: ok
    call h3ou_get_mpi_parameter(trim(me), comm, group, nproc, rank)
    if (nproc /= exe_size - 1 .or. rank /= exe_rank) error stop 2
    call MPI_Allreduce(1, all_of_mine, 1, MPI_INTEGER, MPI_SUM, comm, ierr)
    if (all_of_mine /= nproc) error stop 3
    allocate (x(size([(i, i=1 + rank, ncell, nproc)])), source=0._dp)
    call h3ou_def_grid([(i, i=1 + rank, ncell, nproc)], trim(me), 'g', 1)
    call h3ou_end_grid_def()
    if (me == 'A' .and. rank == 0) then
      call h3ou_set_interpolation_table('A', 'A', 'g', 'B', 'g', 1, [(i, i=1, ncell)], [(i, i=1, ncell)], [(1._dp, i=1, ncell)])
    else
      call h3ou_set_interpolation_table(trim(me), 'A', 'g', 'B', 'g', 1)
    end if
    time = [2001, 1, 1, 0, 0, 0]
    call h3ou_init_time(time)
    do step = 0, steps
      if (step > 0) call h3ou_set_time(trim(me), time, 60)
      if (step > 0) call h3ou_inc_time(time, 60)
      if (me == 'B' .and. step > 0) call h3ou_get_data('f', x, is_recv_ok=ok)
      if (me == 'A') x = [(i + 100._dp*step, i=1 + rank, ncell, nproc)]
      if (me == 'A') call h3ou_put_data('f', x)
      if (step > 0) call MPI_Send(sum(x), 1, MPI_DOUBLE_PRECISION, exe_size - 1, step, exe, ierr)
    end do
    call h3ou_coupling_end()
    call MPI_Barrier(comm, ierr)
    if (rank == 0) call MPI_Send(0._dp, 1, MPI_DOUBLE_PRECISION, exe_size - 1, 99, exe, ierr)
  end subroutine

end program servers

! SPDX-License-Identifier: BSD-3-Clause
!> Exchanges that are left out (is_exchange=.false. of h3ou_set_time), and others outside the intervals
!> (h3ou_send_data_immediately). A puts every 60 s, B gets every 120 s; both may have members, of which A's put 10 more each.
!>
!>   immediate A|B CONFIG MEMBERS-OF-MINE MEMBERS-OF-A CASE
!>
!> plain: as said; left-out: A alone leaves an exchange out; nothing: A has put nothing that it could send at once; send-name,
!> recv-name: names that fit nothing; got-again: B gets an exchange again that was replaced by what it received at once.
!>
!> With lag=1, restart: both write CONFIG.A and CONFIG.B after two steps, and leave out the exchange that A has sent for these;
!> restart-end: they end there; restart-read: they go on from there, and leave it out.
program immediate
  use h3ou_api
  use mpi
  implicit none
  save ! so that the main program's arrays are not taken for leaks at its end
  integer, parameter :: dp = kind(1d0), ncell = 7, own = -7777
  character(16) :: me, how, number
  character(400) :: config
  integer :: comm, group, nproc, rank, time(6), step, mine, of_a, bad, worst, ierr, i
  integer, allocatable :: cell(:)
  logical :: ok
  call get_command_argument(1, me)
  call get_command_argument(2, config)
  call get_command_argument(3, number)
  read (number, *) mine
  call get_command_argument(4, number)
  read (number, *) of_a
  call get_command_argument(5, how)
  bad = 0
  call h3ou_init(trim(me), trim(config), mine)
  call h3ou_get_mpi_parameter(trim(me), comm, group, nproc, rank)
  cell = [(i, i=1 + rank, ncell, nproc)]
  call h3ou_def_grid(cell, trim(me), 'g', 1)
  call h3ou_end_grid_def()
  if (me == 'A' .and. rank == 0) then ! nothing goes to the last cell
    call h3ou_set_interpolation_table('A', 'A', 'g', 'B', 'g', 1, [(i, i=1, ncell - 1)], [(i, i=1, ncell - 1)], &
      [(1._dp, i=2, ncell)])
  else
    call h3ou_set_interpolation_table(trim(me), 'A', 'g', 'B', 'g', 1)
  end if
  time = [2001, 1, 1, 0, merge(2, 0, how == 'restart-read'), 0]
  call h3ou_init_time(time)
  if (how(:7) == 'restart') call leave_out_after_restart()
  if (how == 'send-name' .and. me == 'A') call h3ou_send_data_immediately('A', 'C', 0)
  if (how == 'recv-name' .and. me == 'B') call h3ou_recv_data_immediately('A', 'A')
  do step = -1, merge(-2, 6, how(:7) == 'restart')
    if (step >= 0) call h3ou_set_time(trim(me), time, 60, is_exchange=step /= 2 .or. (how == 'left-out' .and. me == 'B'))
    if (me == 'A') call run_a()
    if (me == 'B') call run_b()
    if (step >= 0) call h3ou_inc_time(time, 60)
  end do
  call MPI_Allreduce(bad, worst, 1, MPI_INTEGER, MPI_MAX, comm, ierr)
  call h3ou_coupling_end(time, .true.)
  if (worst > 0) error stop 1

contains

  subroutine leave_out_after_restart()
    real(dp) :: x(size(cell))
    x = cell
    if (how == 'restart-read') call h3ou_read_restart(trim(config)//'.'//trim(me))
    do step = merge(2, 0, how == 'restart-read'), merge(1, 2, how == 'restart-end')
      call h3ou_set_time(trim(me), time, 60, is_exchange=step /= 2)
      if (me == 'A') call h3ou_put_data('snap', x)
      if (me == 'A') call h3ou_put_data('mean', x)
      if (me == 'B' .and. step == 0) call h3ou_get_data('snap', x, is_recv_ok=ok)
      if (me == 'B' .and. step == 0) call h3ou_get_data('mean', x, is_recv_ok=ok)
      if (step == 1) call h3ou_write_restart(trim(config)//'.'//trim(me))
      call h3ou_inc_time(time, 60)
    end do
  end subroutine

  subroutine run_a()
    if (step == 6) call h3ou_send_data_immediately('A', 'B', 0) ! before the put of this step
    if (how /= 'nothing' .or. step >= 0) then
      call h3ou_put_data('snap', cell + 100._dp*step + 10*(h3ou_get_couple_id() - 1))
      call h3ou_put_data('mean', cell + 100._dp*step + 10*(h3ou_get_couple_id() - 1))
    end if
    if (step == -1 .or. step == 5 .or. (step == 4 .and. how == 'got-again')) call h3ou_send_data_immediately('A', 'B', -1)
  end subroutine

  subroutine run_b()
    if (step == -1 .or. step == 5 .or. step == 6) call h3ou_recv_data_immediately('A', 'B')
    select case (step)
    case (-1) ! before the first step
      call get('snap', -1._dp)
      call get('mean', -1._dp)
      return
    case (0)
      call get('snap', -1._dp)
      call get('mean', -1._dp)
    case (4) ! the exchange of step 2 was left out
      call get('snap', 3._dp)
      call get('mean', 1.5_dp)
      if (how /= 'got-again') return
      call h3ou_recv_data_immediately('A', 'B')
      call get('mean', 4._dp)
      call get('snap', 4._dp)
      call get('snap', 3._dp)
    case (5)
      call get('snap', 5._dp)
      call get('mean', 4.5_dp)
    case (6) ! at once, before the put of the step: then what is due
      call get('snap', 5._dp)
      call get('mean', 5._dp)
      call get('snap', 5._dp)
      call get('mean', 4.5_dp)
      return
    end select
    if (step /= 0 .and. step /= 4) call nothing('snap')
    if (step /= 0 .and. step /= 4) call nothing('mean')
  end subroutine

  subroutine get(field, steps)
    character(*), intent(in) :: field
    real(dp), intent(in) :: steps
    real(dp) :: x(size(cell)), awaited(size(cell))
    x = own
    awaited = cell + 100*steps + 5*(of_a - 1)
    where (cell == ncell) awaited = own
    call h3ou_get_data(field, x, is_recv_ok=ok)
    if (ok .and. all(abs(x - awaited) < 1e-9_dp)) return
    bad = 1
    print *, trim(me), rank, ' step ', step, field, ok, x, ' awaited: ', awaited
  end subroutine

  subroutine nothing(field)
    character(*), intent(in) :: field
    real(dp) :: x(size(cell))
    x = own
    call h3ou_get_data(field, x, is_recv_ok=ok)
    if (.not. ok .and. all(x == own)) return
    bad = 1
    print *, trim(me), rank, ' step ', step, field, ok, x, ' but nothing is due'
  end subroutine

end program immediate

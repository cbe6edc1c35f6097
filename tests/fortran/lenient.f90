! SPDX-License-Identifier: BSD-3-Clause
!> What programs written for h3-Open-UTIL/MP may do, between components A, B and C:
!>
!>   lenient A|B|C CONFIG all|other|longer|third|coef|late|late-table
program lenient
  use h3ou_api
  implicit none
  integer, parameter :: dp = kind(1d0)
  character(64) :: me, what
  character(400) :: config
  integer :: comm, group, nproc, rank, time(6)
  logical :: is_a, is_b

  call get_command_argument(1, me)
  call get_command_argument(2, config)
  call get_command_argument(3, what)
  is_a = me == 'A'
  is_b = me == 'B'
  call h3ou_init(trim(me), trim(config))
  call h3ou_get_mpi_parameter(trim(me), comm, group, nproc, rank)
  if (does('other')) call other_name()
  if (does('longer')) call longer()
  if (does('third')) call third()
  if (does('coef') .or. what(1:4) == 'late') call exchange()
  call h3ou_coupling_end(is_call_finalize=.true.)

contains

  logical function does(case)
    character(*), intent(in) :: case
    does = what == 'all' .or. what == case
  end function

  subroutine expect(is, sentence)
    logical, intent(in) :: is
    character(*), intent(in) :: sentence
    if (.not. is) call h3ou_abort('not true: ' // sentence)
  end subroutine

  subroutine other_name()
    integer :: other(4)
    call h3ou_get_mpi_parameter(merge('B', 'A', is_a), other(1), other(2), other(3), other(4))
    call expect(all(other == [comm, group, nproc, rank]), 'my communicator')
  end subroutine

  !> The tail is each process's own.
  subroutine longer()
    integer :: ints(5)
    real(dp) :: doubles(4)
    ints = rank + 10
    doubles = rank + 20
    if (is_a) call h3ou_send('A', 'B', [1, 2, 3])
    if (is_a) call h3ou_send_array('B', [1d0, 2d0])
    if (.not. is_b) return
    call h3ou_recv('B', 'A', ints)
    call h3ou_recv_array('A', doubles)
    call expect(all(ints == [1, 2, 3, rank + 10, rank + 10]), 'integers in a longer array')
    call expect(all(doubles == [1d0, 2d0, rank + 20d0, rank + 20d0]), 'reals in a longer array')
  end subroutine

  subroutine third()
    integer :: ints(2)
    ints = merge(7, 0, is_a .and. rank == 0)
    call h3ou_bcast_model('A', 'B', ints)
    call expect(all(ints == merge(7, 0, is_a .or. is_b)), 'a broadcast to two of three components')
  end subroutine

  !> Late: A gives its table after h3ou_init_time, and B says that it has none; in one case the initial value is put before.
  subroutine exchange()
    integer :: index(2)
    logical :: is_late
    is_late = what(1:4) == 'late'
    index = 2*rank + [1, 2]
    call h3ou_def_grid(index, trim(me), trim(me) // '_g', 1)
    call h3ou_def_grid(index, trim(me), trim(me) // '_h', 4)
    call h3ou_end_grid_def()
    time = [2000, 1, 1, 0, 0, 0]
    if (.not. (is_a .and. is_late)) call tables()
    if (is_a .and. what == 'late') call put_all(index)
    call h3ou_init_time(time)
    if (is_a .and. is_late) call tables()
    if (is_a .and. what /= 'late') call put_all(index)
    call h3ou_set_time(trim(me), time, 3600)
    if (is_b) call check_all(index)
  end subroutine

  !> Two tables between the same grids, a third between others: A numbers them as pairs of components count, B and C not at all.
  subroutine tables()
    integer :: i
    if (is_a) then
      call h3ou_set_interpolation_table('A', 'A', 'A_g', 'B', 'B_g', 1, [1, 2, 3, 4, 4], [1, 2, 3, 4, 1])
      if (what == 'all') then
        call h3ou_set_interpolation_table('A', 'A', 'A_g', 'B', 'B_g', 2, [1, 2, 3, 4], [1, 2, 3, 4], spread(3d0, 1, 4))
        call h3ou_set_interpolation_table('A', 'A', 'A_h', 'B', 'B_h', 3, [1, 2, 3, 4], [1, 2, 3, 4], spread(5d0, 1, 4), &
                                          spread(3d0, 1, 4), spread(4d0, 1, 4))
      end if
      call h3ou_set_interpolation_table('A', 'A', 'A_g', 'C', 'C_g', 7, [1, 2], [1, 2], [1d0, 1d0])
    else if (is_b) then
      do i = 1, merge(2, 1, what == 'all')
        call h3ou_set_interpolation_table('B', 'A', 'A_g', 'B', 'B_g', 1)
      end do
      if (what == 'all') call h3ou_set_interpolation_table('B', 'A', 'A_h', 'B', 'B_h', 1)
    else
      call h3ou_set_interpolation_table('C', 'A', 'A_g', 'C', 'C_g', 1)
    end if
  end subroutine

  subroutine put_all(index)
    integer, intent(in) :: index(:)
    real(dp) :: layers(2, 4)
    integer :: k
    do k = 1, 4
      layers(:, k) = 100*k + index
    end do
    call h3ou_put_data('p', real(index, dp))
    if (what /= 'all') return
    call h3ou_put_data('q', real(index, dp))
    call h3ou_put_data('r', real(index, dp))
    call h3ou_put_data('w', layers)
  end subroutine

  subroutine check_all(index)
    integer, intent(in) :: index(:)
    real(dp) :: field(2), layers(2, 4), u(2), v(2)
    integer :: k
    logical :: ok
    call h3ou_get_data('p', field, is_recv_ok=ok)
    call expect(ok .and. all(field == index + merge(4, 0, index == 1)), 'a table without coefficients')
    if (what /= 'all') return
    call h3ou_get_data('q', field, is_recv_ok=ok)
    call expect(ok .and. all(field == 3*index), 'the second table between two grids')
    call h3ou_get_data('r', field, is_recv_ok=ok)
    call expect(ok .and. all(field == 5*index), 'the table of the third pair')
    call h3ou_get_data('w', layers, is_recv_ok=ok)
    do k = 1, 2
      u = 100*k + index
      v = 100*(k + 2) + index
      call expect(ok .and. all(layers(:, k) == 3*u - 4*v) .and. all(layers(:, k + 2) == 4*u + 3*v), 'a vector in halves of layers')
    end do
  end subroutine

end program lenient

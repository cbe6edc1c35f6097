! SPDX-License-Identifier: BSD-3-Clause
!> What is wanted, what is missing and what is NaN. B has eight cells around the equator, A the first five of them.
!>
!>   wanted A|B CONFIG SECONDS-TOO-MANY
program wanted
  use, intrinsic :: ieee_arithmetic, only: ieee_value, ieee_quiet_nan, ieee_is_nan
  use h3ou_api, only: h3ou_init, h3ou_get_mpi_parameter, h3ou_def_grid, h3ou_end_grid_def, h3ou_set_interpolation_table, &
    h3ou_init_time, h3ou_set_time, h3ou_set_time_seconds, h3ou_put_data, h3ou_get_data, h3ou_field, h3ou_is_wanted, &
    h3ou_inc_time, h3ou_coupling_end
  use mpi
  implicit none
  save ! so that the main program's arrays are not taken for leaks at its end
  integer, parameter :: dp = kind(1d0), sp = kind(1.0), own = -7
  character(8) :: me
  character(400) :: config
  integer :: comm, group, nproc, rank, time(6), i, n, step, bad, worst, ierr
  integer, allocatable :: index(:)
  real(dp), allocatable :: x(:), lon(:, :), lat(:, :)
  real(dp) :: nan, late
  logical :: ok
  call get_command_argument(1, me)
  call get_command_argument(3, config)
  read (config, *) late
  call get_command_argument(2, config)
  nan = ieee_value(nan, ieee_quiet_nan)
  bad = 0
  call h3ou_init(trim(me), trim(config))
  call h3ou_get_mpi_parameter(trim(me), comm, group, nproc, rank)
  index = [(i, i=1 + rank, merge(5, 8, me == 'A'), nproc)]
  n = size(index)
  allocate (x(n), lon(4, n), lat(4, n))
  do i = 1, n
    lon(:, i) = 45*(index(i) - 1) + [0, 45, 45, 0]
    lat(:, i) = [-20, -20, 20, 20]
  end do
  call define()
  call expect(h3ou_is_wanted('kept') .eqv. me == 'A', 'a field that is put is wanted by its sender')
  call expect(.not. h3ou_is_wanted('nothing'), 'a field that nobody names is not wanted')
  call h3ou_put_data('nothing', [1d0]) ! before anything is planned
  call expect(h3ou_field('nothing') == 0 .and. h3ou_field('kept') > 0 .and. h3ou_field('kept') /= h3ou_field('lost'), 'handles')
  time = [2001, 1, 1, 0, 0, 0]
  call h3ou_init_time(time)
  do step = 0, 2
    if (step > 0 .and. me == 'A') call h3ou_set_time_seconds('A', 60d0*(step - 1)*(1 + 1e-12_dp) + late, 60d0)
    if (step > 0 .and. me == 'B') call h3ou_set_time('B', time, 60)
    if (step > 0 .and. me == 'B') call get_all()
    if (me == 'A') call put_all()
    if (step > 0) call h3ou_inc_time(time, 60)
  end do
  call MPI_Allreduce(bad, worst, 1, MPI_INTEGER, MPI_MAX, comm, ierr)
  call h3ou_coupling_end(time, .true.)
  if (worst > 0) error stop 1

contains

  subroutine expect(is_so, what)
    logical, intent(in) :: is_so
    character(*), intent(in) :: what
    if (is_so) return
    bad = 1
    print '(a,2(1x,i0),2a)', trim(me), rank, step, ': wrong: ', what
  end subroutine

  subroutine define()
    real(dp) :: ones(5)
    ones = 1
    call h3ou_def_grid(index, trim(me), trim(me) // '_g', 2, lon(1, :) + 22.5_dp, 0*lon(1, :), lon, lat)
    call h3ou_end_grid_def()
    if (me == 'A') then ! the cells go to themselves, the first one to the last as well
      call h3ou_set_interpolation_table('A', 'A', 'A_g', 'B', 'B_g', 1, [1, 2, 3, 4, 5, 1], [1, 2, 3, 4, 5, 8], [ones, 1d0])
    else
      call h3ou_set_interpolation_table('B', 'A', 'A_g', 'B', 'B_g', 1)
    end if
  end subroutine

  !> Cell 2 is missing, cell 4 in the second layer of "layers".
  subroutine put_all()
    real(dp) :: two(n, 2)
    x = 10*index + 100*step
    call h3ou_put_data('number', x)
    where (index == 2) x = nan
    two(:, 1) = x
    two(:, 2) = merge(nan, x + 1, index == 4)
    call h3ou_put_data('kept', x)
    call h3ou_put_data(h3ou_field('lost'), x)
    call h3ou_put_data('value', x)
    call h3ou_put_data(h3ou_field('layers'), real(two, sp))
    call h3ou_put_data('made', x)
    call h3ou_put_data('mean', merge(nan, 10d0*index + 100*step, index == 2 .and. step == 1))
    call h3ou_put_data(h3ou_field('wind'), x, -x)
    call h3ou_put_data(h3ou_field('nothing'), [1d0])
    call h3ou_put_data(h3ou_field('shared'), merge(nan, x, index == 3), share=merge(0d0, 1d0, index == 3 .or. index == 2))
  end subroutine

  !> What a put of the step before has in my cells; -1 where the table does not reach.
  function sent() result(v)
    real(dp) :: v(n)
    v = merge(10*index + 100*(step - 1), -1, index <= 5)
    where (index == 8) v = 10 + 100*(step - 1)
  end function

  logical function same(got, awaited)
    real(dp), intent(in) :: got(:), awaited(:)
    same = ok .and. all(abs(got - awaited) < 1e-9_dp .or. (ieee_is_nan(got) .and. ieee_is_nan(awaited)))
  end function

  subroutine get_all()
    real(dp) :: v(n), w(n), two(n, 2)
    real(sp) :: single(n, 2)
    v = merge(real(own, dp), sent(), sent() < 0)
    call get('number', v)
    call get('value', merge(nan, v, index == 2))
    call get('kept', merge(real(own, dp), v, index == 2))
    call get('lost', merge(-99d0, v, index == 2))
    call get('shared', merge(real(own, dp), v, index == 2 .or. index == 3))
    single = own
    call h3ou_get_data(h3ou_field('layers'), single, ok)
    two = single
    call expect(same(two(:, 1), merge(real(own, dp), v, index == 2)), 'layers 1')
    call expect(same(two(:, 2), merge(real(own, dp), v + 1, index == 2 .or. index == 4 .or. v < 0)), 'layers 2')
    x = own
    w = own
    call h3ou_get_data(h3ou_field('wind'), x, w, ok)
    where (index == 8) ! comes from another place on the sphere, where directions are others
      x = v
      w = -v
    end where
    call expect(same(x, merge(real(own, dp), v, index == 2)), 'the first component of a vector')
    call expect(same(w, merge(real(own, dp), merge(v, -v, v == own), index == 2)), 'the second component of a vector')
    where (index == 8) v = own ! conservative weights do not reach it
    call get('made', merge(real(own, dp), v, index == 2))
    v = merge(real(own, dp), sent(), sent() < 0)
    if (step == 2) v = merge(real(own, dp), v, index == 2)
    call get('mean', v)
  end subroutine

  subroutine get(field, awaited)
    character(*), intent(in) :: field
    real(dp), intent(in) :: awaited(:)
    x = own
    if (step == 1) call h3ou_get_data(field, x, ok)
    if (step == 2) call h3ou_get_data(h3ou_field(field), x, is_recv_ok=ok)
    call expect(same(x, awaited), field)
    if (bad > 0) print *, x
  end subroutine

end program wanted

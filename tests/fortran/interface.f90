! SPDX-License-Identifier: BSD-3-Clause
!> Every generic of h3ou_api, between two components and inside them: what arrives is compared, on all ranks.
!>
!>   interface A|B CONFIG
!>
!> With RESTARTS=FOLDER in the environment they also stop early, and write restarts there.
module functions
  use, intrinsic :: iso_c_binding, only: c_char, c_int64_t
  implicit none
contains
  !> A value is some digits, and their number: the digits of the second operand come behind those of the first.
  subroutine join_digits(in, inout)
    integer(c_int64_t), intent(in) :: in(:)
    integer(c_int64_t), intent(inout) :: inout(:)
    inout = (in/100*10_c_int64_t**mod(inout, 100_c_int64_t) + inout/100)*100 + mod(in, 100_c_int64_t) + mod(inout, 100_c_int64_t)
  end subroutine

  subroutine exclude(in, inout)
    character(kind=c_char), intent(in) :: in(:)
    character(kind=c_char), intent(inout) :: inout(:)
    inout = achar(ieor(iachar(in), iachar(inout)))
  end subroutine

end module

program interface
  use functions
  use h3ou_api
  use mpi
  implicit none
  integer, parameter :: dp = kind(1d0), sp = kind(1.0)
  character(64) :: me, other
  character(400) :: config
  character(20) :: text
  integer :: comm, group, nproc, rank, bad, worst, ierr, id, time(6), i
  integer :: ints(4), ints2(2, 3), int1, index(4)
  real(sp) :: reals(4), real1
  real(dp) :: doubles(4), double1, cube(2, 2, 2), field(4), layers(4, 3), strided(8)
  logical :: is_a, ok

  call get_command_argument(1, me)
  call get_command_argument(2, config)
  is_a = me == 'A'
  other = merge('B', 'A', is_a)
  bad = 0
  call h3ou_init(trim(me), trim(config), 1)
  call h3ou_get_mpi_parameter(trim(me), comm, group, nproc, rank)
  call place()
  call names_without_calls()
  call broadcasts()
  call collectives()
  call leaders()
  call process_to_process()
  call inside()
  call exchange()
  call MPI_Allreduce(bad, worst, 1, MPI_INTEGER, MPI_MAX, comm, ierr)
  call h3ou_coupling_end(time, .false.)
  call h3ou_end()
  call MPI_Finalize(ierr)
  if (worst > 0) error stop 1

contains

  !> As programs that came from the coupler below h3-Open-UTIL/MP declare them.
  subroutine names_without_calls()
    type(jcup_varp_type), pointer :: put
    type(jcup_varg_type), pointer :: got(:)
    integer :: kinds(3)
    kinds = [OPERATION_COEF, SEND_COEF, RECV_COEF]
    allocate (put, got(2))
    call expect(associated(put) .and. size(got) == 2 .and. all(kinds == [0, 1, 2]), 'types and numbers')
    deallocate (put, got)
  end subroutine

  subroutine expect(is, what)
    logical, intent(in) :: is
    character(*), intent(in) :: what
    if (is) return
    bad = 1
    write (*, '(4a,i0)') 'not true: ', what, ' in ', trim(me), rank
  end subroutine

  subroutine place()
    integer :: r, n
    call MPI_Comm_rank(h3ou_get_my_comm(), r, ierr)
    call MPI_Comm_size(comm, n, ierr)
    call expect(r == rank .and. h3ou_get_my_rank() == rank, 'my rank')
    call expect(n == nproc .and. h3ou_get_my_size() == nproc, 'my size')
    call MPI_Group_size(group, n, ierr)
    call expect(n == nproc, 'size of my group')
    call expect(h3ou_get_my_name() == me, 'my name')
    call expect(h3ou_is_coupled(), 'coupled')
    call expect(h3ou_is_local_leader() .eqv. rank == 0, 'leader')
    call h3ou_get_model_id(trim(me), id)
    call expect(h3ou_is_my_component(id) .and. id == h3ou_get_comp_num_from_name(trim(me)), 'my component')
    call expect(.not. h3ou_is_my_component(h3ou_get_comp_num_from_name(trim(other))), 'the other component')
    call expect(id == merge(1, 2, is_a), 'components count alphabetically')
    call expect(h3ou_get_couple_id() == 1 .and. h3ou_get_target_name() == other, 'the other component is the target')
    call expect(h3ou_get_num_of_put_data() == 3 .and. h3ou_get_num_of_get_data() == 3, 'numbers of fields')
    call expect(h3ou_get_put_data_name(1) == trim(me) // '_v', 'name of a put field')
    call expect(h3ou_get_get_data_name(2) == trim(other) // '_w', 'name of a get field')
    call expect(h3ou_get_vlayer(trim(me) // '_w') == 3 .and. h3ou_get_vlayer(trim(other) // '_v') == 1, 'layers')
    call expect(h3ou_get_vlayer('both') == merge(1, 3, is_a), 'layers of a name that is put and got')
  end subroutine

  subroutine broadcasts()
    text = merge('from A to everybody  ', 'nothing yet          ', is_a .and. rank == 0)
    call h3ou_bcast_global('A', text)
    call expect(text == 'from A to everybody', 'bcast_global of a string')
    ints = merge(7, 0, .not. is_a .and. rank == 0)
    call h3ou_bcast_global('B', ints)
    call expect(all(ints == 7), 'bcast_global of integers')
    reals = merge(1.5, 0.0, is_a .and. rank == 0)
    call h3ou_bcast_global('A', reals)
    call expect(all(reals == 1.5), 'bcast_global of reals')
    doubles = merge(2.5d0, 0d0, is_a .and. rank == 0)
    call h3ou_bcast_global('A', doubles)
    call expect(all(doubles == 2.5d0), 'bcast_global of doubles')
    strided = 0
    if (is_a .and. rank == 0) strided(1:8:2) = [1, 2, 3, 4]
    call h3ou_bcast_model('A', 'B', strided(1:8:2))
    call expect(all(strided(1:8:2) == [1, 2, 3, 4]) .and. all(strided(2:8:2) == 0), 'bcast_model of a section')
    ints = merge(8, 0, .not. is_a .and. rank == 0)
    call h3ou_bcast_model('B', 'A', ints)
    call expect(all(ints == 8), 'bcast_model of integers')
    reals = merge(9.0, 0.0, is_a .and. rank == 0)
    call h3ou_bcast_model('A', 'B', reals)
    call expect(all(reals == 9.0), 'bcast_model of reals')
    ints = merge(1, 0, rank == nproc - 1)
    reals = ints
    doubles = ints
    call h3ou_bcast_local(nproc - 1, ints)
    call h3ou_bcast_local(nproc - 1, reals)
    call h3ou_bcast_local(nproc - 1, doubles)
    call expect(all(ints == 1) .and. all(reals == 1) .and. all(doubles == 1), 'bcast_local')
  end subroutine

  !> The calls of a communicator; twin.py makes the same ones.
  subroutine all_collectives(c, joined, exclusive)
    integer, intent(in) :: c, joined, exclusive
    integer :: r, n, last, first, k
    integer :: two(2), one
    integer(c_int64_t) :: long(2), joins(1), digits
    real :: real_one(1)
    double precision :: sums(2)
    character(kind=c_char) :: letter(1), letters(1)
    integer, allocatable :: all_of(:), counts(:), in_counts(:), out(:)
    integer(c_int64_t), allocatable :: longs(:), part(:)
    real, allocatable :: many(:)
    double precision, allocatable :: halves(:), mine(:)
    r = h3ou_comm_rank(c)
    n = h3ou_comm_size(c)
    last = n - 1
    counts = [(mod(k, 3), k=0, last)]
    long = merge([ishft(3_c_int64_t, 40), 4_c_int64_t], 0_c_int64_t, r == last)
    call h3ou_bcast(c, last, long)
    call expect(all(long == [ishft(3_c_int64_t, 40), 4_c_int64_t]), 'bcast')
    allocate (all_of(2*n), source=-1)
    call h3ou_gather(c, 0, [r, 2*r], all_of)
    call expect(r /= 0 .or. all(all_of(1::2) == [(k, k=0, last)]) .and. all(all_of(2::2) == [(2*k, k=0, last)]), 'gather')
    two = -1
    call h3ou_scatter(c, 0, all_of, two)
    call expect(all(two == [r, 2*r]), 'scatter')
    allocate (halves(sum(counts)), source=0d0)
    mine = spread(r + 0.5d0, 1, counts(r + 1))
    call h3ou_gatherv(c, last, mine, halves, counts)
    do k = 0, last
      first = sum(counts(:k))
      call expect(r /= last .or. all(halves(first + 1:first + counts(k + 1)) == k + 0.5d0), 'gatherv')
    end do
    mine = 0
    call h3ou_scatterv(c, last, halves, mine, counts)
    call expect(all(mine == r + 0.5d0), 'scatterv')
    allocate (many(2*n), source=-1.0)
    call h3ou_allgather(c, [real(r)], many(1::2))
    call expect(all(many(1::2) == [(real(k), k=0, last)]) .and. all(many(2::2) == -1), 'allgather into a section')
    allocate (longs(3*n), source=-1_c_int64_t)
    call h3ou_allgatherv(c, spread(int(r, c_int64_t), 1, counts(r + 1)), longs, counts, [(3*k, k=0, last)])
    do k = 0, last
      call expect(all(longs(3*k + 1:3*k + counts(k + 1)) == k), 'allgatherv')
      call expect(all(longs(3*k + counts(k + 1) + 1:3*k + 3) == -1), 'allgatherv with gaps')
    end do
    call h3ou_alltoall(c, [(100*r + k, k=0, last)], all_of(:n))
    call expect(all(all_of(:n) == [(100*k + r, k=0, last)]), 'alltoall')
    in_counts = [(r + k, k=0, last)]
    out = [(spread(100*r + k, 1, r + k), k=0, last)]
    deallocate (all_of)
    allocate (all_of(sum(in_counts)), source=-1)
    call h3ou_alltoallv(c, out, in_counts, all_of, in_counts)
    call expect(all(all_of == [(spread(100*k + r, 1, r + k), k=0, last)]), 'alltoallv')
    sums = 0
    call h3ou_reduce(c, last, [r + 0.5d0, 1d0], sums, h3ou_op_sum)
    call expect(r /= last .or. all(sums == [n*last/2d0 + n/2d0, dble(n)]), 'reduce')
    call h3ou_allreduce(c, [r, -r], two, h3ou_op_max)
    call expect(all(two == [last, 0]), 'allreduce')
    allocate (part(counts(r + 1)), source=-1_c_int64_t)
    call h3ou_reduce_scatter(c, [(int(k + r, c_int64_t), k=0, sum(counts) - 1)], part, counts, h3ou_op_sum)
    first = sum(counts(:r))
    call expect(all(part == [(int(n*k + n*last/2, c_int64_t), k=first, first + size(part) - 1)]), 'reduce_scatter')
    call h3ou_scan(c, [real(r)], real_one, h3ou_op_sum)
    call expect(real_one(1) == r*(r + 1)/2, 'scan')
    call h3ou_allreduce(c, [int((r + 1)*100 + 1, c_int64_t)], joins, joined)
    digits = 0
    do k = 1, n
      digits = 10*digits + k
    end do
    call expect(joins(1) == digits*100 + n, 'allreduce by a function that does not commute')
    letter = achar(r + 1)
    call h3ou_allreduce(c, letter, letters, exclusive)
    one = 0
    do k = 1, n
      one = ieor(one, k)
    end do
    call expect(all(iachar(letters) == one), 'allreduce of characters')
    call h3ou_barrier(c)
  end subroutine

  subroutine collectives()
    integer :: joined, exclusive, model
    call h3ou_op_create_long(join_digits, .false., joined)
    call h3ou_op_create_char(exclude, .true., exclusive)
    model = h3ou_comm_model('A', 'B')
    call expect(h3ou_comm_rank(model) == rank + merge(0, h3ou_comm_size(model) - nproc, is_a), 'rank in Model')
    call expect(h3ou_comm_rank(h3ou_comm_leader) == merge(min(1, h3ou_comm_rank(h3ou_comm_global)), -1, rank == 0), 'Leader')
    call all_collectives(h3ou_comm_global, joined, exclusive)
    call all_collectives(model, joined, exclusive)
    call all_collectives(h3ou_comm_local, joined, exclusive)
    if (rank == 0) call all_collectives(h3ou_comm_leader, joined, exclusive)
    call h3ou_op_free(joined)
    call h3ou_op_free(exclusive)
  end subroutine

  !> Leader to leader, then everybody of the receiver.
  subroutine leaders()
    if (is_a) then
      call h3ou_send('B', 5)
      call h3ou_send('B', 5.5)
      call h3ou_send('B', 5.25d0)
      call h3ou_send('A', 'B', 'a text')
      call h3ou_send('A', 'B', [1, 2, 3, 4])
      call h3ou_send('A', 'B', [1.0, 2.0, 3.0, 4.0])
      call h3ou_send_array('A', 'B', [1d0, 2d0, 3d0, 4d0])
      call h3ou_send_array('B', 'short')
      call h3ou_send_array('B', [4, 3, 2, 1])
      call h3ou_send_array('B', [4.0, 3.0, 2.0, 1.0])
      call h3ou_send_array('B', [4d0, 3d0, 2d0, 1d0])
    else
      call h3ou_recv('A', int1)
      call h3ou_recv('A', real1)
      call h3ou_recv('A', double1)
      call expect(int1 == 5 .and. real1 == 5.5 .and. double1 == 5.25d0, 'scalars')
      text = '12345678'
      call h3ou_recv('B', 'A', text)
      call expect(text == 'a text78', 'a string that keeps its tail')
      call h3ou_recv('B', 'A', ints)
      call h3ou_recv('B', 'A', reals)
      call h3ou_recv_array('B', 'A', doubles)
      call expect(all(ints == [1, 2, 3, 4]) .and. all(reals == [1, 2, 3, 4]) .and. all(doubles == [1, 2, 3, 4]), 'arrays')
      text = ''
      call h3ou_recv_array('A', text)
      call expect(text == 'short', 'a string, two arguments')
      call h3ou_recv_array('A', ints)
      call h3ou_recv_array('A', reals)
      call h3ou_recv_array('A', doubles)
      call expect(all(ints == [4, 3, 2, 1]) .and. all(reals == [4, 3, 2, 1]) .and. all(doubles == [4, 3, 2, 1]), &
                  'arrays, two arguments')
    end if
  end subroutine

  subroutine process_to_process()
    ! Rank 0 of A and the last of B, whose number A is told.
    if (.not. is_a) int1 = nproc - 1
    ints = int1
    call h3ou_bcast_global('B', ints)
    int1 = ints(1)
    if (is_a .and. rank == 0) then
      call h3ou_send_model('B', int1, [1, 2, 3, 4])
      call h3ou_send_model('B', int1, [1.0, 2.0, 3.0, 4.0])
      call h3ou_send_model('B', int1, [1d0, 2d0, 3d0, 4d0])
      call h3ou_irecv_model_int('B', int1, ints)
      call h3ou_irecv_model_real('B', int1, reals)
      call h3ou_irecv_model_double('B', int1, doubles)
      call h3ou_irecv_waitall()
      call expect(all(ints == 11) .and. all(reals == 11) .and. all(doubles == 11), 'irecv_model')
    else if (.not. is_a .and. rank == nproc - 1) then
      call h3ou_recv_model('A', 0, ints)
      call h3ou_recv_model('A', 0, reals)
      call h3ou_recv_model('A', 0, doubles)
      call expect(all(ints == [1, 2, 3, 4]) .and. all(reals == [1, 2, 3, 4]) .and. all(doubles == [1, 2, 3, 4]), 'recv_model')
      ints = 11
      reals = 11
      doubles = 11
      call h3ou_isend_model_int('A', 0, ints)
      call h3ou_isend_model_real('A', 0, reals)
      call h3ou_isend_model_double('A', 0, doubles)
      call h3ou_isend_waitall()
    end if
  end subroutine

  !> Between the first and the last process of a component.
  subroutine inside()
    integer :: last
    last = nproc - 1
    if (nproc == 1) return
    ints2 = 0
    cube = 0
    if (rank == 0) then
      ints2(2, 2:3) = [5, 6]
      cube(2, 1:2, 2) = [7, 8]
      call h3ou_send_local_all(last, [1, 2, 3, 4])
      call h3ou_send_local_all(last, [1.0, 2.0, 3.0, 4.0])
      call h3ou_send_local_all(last, [1d0, 2d0, 3d0, 4d0])
      call h3ou_send_local([9, 8, 7, 6], 2, 3, last)
      call h3ou_send_local(ints2, 2, 2, 2, 3, last)
      call h3ou_send_local(cube, 2, 2, 1, 2, 2, 2, last)
    else if (rank == last) then
      call h3ou_recv_local_all(0, ints)
      call h3ou_recv_local_all(0, reals)
      call h3ou_recv_local_all(0, doubles)
      call expect(all(ints == [1, 2, 3, 4]) .and. all(reals == [1, 2, 3, 4]) .and. all(doubles == [1, 2, 3, 4]), 'recv_local_all')
      ints = 0
      call h3ou_recv_local(ints, 2, 3, 0)
      call expect(all(ints == [0, 8, 7, 0]), 'recv_local of a section')
      call h3ou_recv_local(ints2, 2, 2, 2, 3, 0)
      call expect(all(ints2 == reshape([0, 0, 0, 5, 0, 6], [2, 3])), 'recv_local of rank 2')
      call h3ou_recv_local(cube, 2, 2, 1, 2, 2, 2, 0)
      call expect(all(cube(2, :, 2) == [7, 8]) .and. sum(cube) == 15, 'recv_local of rank 3')
    end if
  end subroutine

  !> Fields of one and of three layers, from sections of arrays, with the optional arguments by position and by keyword.
  subroutine exchange()
    real(dp) :: wide(8, 3)
    index = [(4*rank + i, i=1, 4)]
    call h3ou_def_grid(index, trim(me), trim(me) // '_g', 3)
    call h3ou_end_grid_def()
    if (is_a) then ! A gives both tables, cell to cell
      call h3ou_set_interpolation_table('A', 'A', 'A_g', 'B', 'B_g', 1, [1, 2, 3, 4], [1, 2, 3, 4], [1d0, 1d0, 1d0, 1d0])
      call h3ou_set_interpolation_table('A', 'B', 'B_g', 'A', 'A_g', 1, index, index, [2d0, 2d0, 2d0, 2d0], is_spread=.true.)
    else
      call h3ou_set_interpolation_table('B', 'A', 'A_g', 'B', 'B_g', 1)
      call h3ou_set_interpolation_table('B', 'B', 'B_g', 'A', 'A_g', 1)
    end if
    time = [2000, 2, 28, 23, 0, 0]
    call h3ou_init_time(time)
    call count_cells()
    do i = 0, 3
      strided = 0
      strided(1:8:2) = [(real(100*i + index(id), dp), id=1, 4)]
      wide = 0
      wide(1:8:2, 1) = strided(1:8:2) + 1000
      wide(1:8:2, 2) = strided(1:8:2) + 2000
      wide(1:8:2, 3) = strided(1:8:2) + 3000
      if (i > 0) call h3ou_set_time(trim(me), time, 3600)
      if (i > 0) call check_fields()
      call h3ou_put_data(trim(me) // '_v', strided(1:8:2))
      call h3ou_put_data(trim(me) // '_w', wide(1:8:2, :))
      if (i == 1) call h3ou_inc_calendar(time, 3600)
      if (i > 1) call h3ou_inc_time(time, 3600)
    end do
    call expect(all(time == [2000, 2, 29, 2, 0, 0]), 'the calendar')
    call stop_early()
    time = [2000, 2, 29, 2, 0, 0]
    call h3ou_inc_months(time, -11)
    call expect(all(time == [1999, 3, 29, 2, 0, 0]), 'months before')
    call h3ou_inc_months(time, 23)
    call expect(all(time == [2001, 2, 28, 2, 0, 0]), 'the last day of a month that is shorter')
  end subroutine

  !> Both go on until they are to stop, which the run's folder asks for, and write restarts (RESTARTS in the environment).
  subroutine stop_early()
    character(400) :: folder
    integer :: step, length, file
    logical :: stops
    call get_environment_variable('RESTARTS', folder, length)
    if (length == 0) return
    do step = 1, 5000
      call h3ou_set_time(trim(me), time, 3600)
      call h3ou_put_data(trim(me) // '_v', strided(1:8:2))
      call h3ou_put_data(trim(me) // '_w', layers)
      call h3ou_inc_time(time, 3600)
      stops = h3ou_should_stop()
      if (stops) exit
      call h3ou_bcast_local(0, ints) ! processes without cells to exchange would run ahead
    end do
    call expect(stops, 'the run is to stop')
    call h3ou_write_restart(trim(folder) // '/' // trim(me))
    if (rank > 0) return
    open (newunit=file, file=trim(folder) // '/' // trim(me) // '.time')
    write (file, '(6(i0,1x))') time
    close (file)
  end subroutine

  !> From A to B as many cells arrive as both grids have; of the other table all cells of A do.
  subroutine count_cells()
    integer :: n(4)
    n = -1
    call h3ou_get_num_of_send_grid('B', 'A', 1, n(1))
    call h3ou_get_num_of_recv_grid('B', 'A', num_of_grid=n(2))
    call h3ou_get_num_of_send_grid('A', 'B', num_of_grid=n(3))
    call h3ou_get_num_of_recv_grid('A', 'B', 1, n(4))
    call expect(all(n(merge([3, 4], [1, 2], .not. is_a)) == 0), 'the sender of a pair has no cells of it')
    if (is_a) call expect(n(3) == n(4) .and. n(4) <= 4, 'cells that A receives')
    if (.not. is_a) call expect(all(n(1:2) == merge(4, 0, rank == 0)), 'cells that B receives')
  end subroutine

  subroutine check_fields()
    real(dp) :: factor, was
    integer :: k, cell
    factor = merge(2, 1, is_a)
    field = -9
    layers = -9
    ok = .false.
    if (mod(i, 2) == 0) then
      call h3ou_get_data(trim(other) // '_v', field, is_recv_ok=ok)
    else
      call h3ou_get_data(trim(other) // '_v', field, ok)
    end if
    call expect(ok, 'an exchange is due')
    ok = .false.
    if (mod(i, 2) == 0) then
      call h3ou_get_data(trim(other) // '_w', layers, is_recv_ok=ok)
    else
      call h3ou_get_data(trim(other) // '_w', layers, ok)
    end if
    call expect(ok, 'an exchange of layers is due')
    do cell = 1, 4
      was = 100*(i - 1) + index(cell)
      if (index(cell) > 4 .or. (is_a .and. rank > 0)) cycle ! only the first four cells exist on both sides
      call expect(field(cell) == factor*was, 'a field')
      do k = 1, 3
        call expect(layers(cell, k) == factor*(was + 1000*k), 'a field of layers')
      end do
    end do
    if (.not. is_a .and. rank > 0) call expect(all(field == -9) .and. all(layers == -9), 'cells that no source covers')
  end subroutine

end program interface

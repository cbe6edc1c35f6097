! SPDX-License-Identifier: BSD-3-Clause
!> Arrays as icosahedral models have them: (inside of a region, layer, region), regions with a halo dealt to the processes, poles that
!> stand in the halo. A says where its layers are, those of B are the last index. Each cell goes to itself.
!>
!>   positions A|B CONFIG
program positions
  use h3ou_api, only: h3ou_init, h3ou_get_mpi_parameter, h3ou_def_grid, h3ou_end_grid_def, h3ou_set_interpolation_table, &
    h3ou_init_time, h3ou_set_time, h3ou_put_data, h3ou_get_data, h3ou_inc_time, h3ou_coupling_end
  use mpi
  implicit none
  save ! so that the main program's arrays are not taken for leaks at its end
  integer, parameter :: dp = kind(1d0), sp = kind(1.0), side = 3, gall = (side + 2)**2, nregion = 4, kall = 3, own = -7
  integer, parameter :: ncell = nregion*side**2 + 2
  character(8) :: me
  character(400) :: config
  integer :: comm, group, nproc, rank, time(6), lall, n, bad, worst, ierr, step, c, every(ncell)
  integer, allocatable :: index(:), position(:, :)
  real(dp), allocatable :: lon(:), lat(:)
  real(dp) :: ones(ncell)
  logical :: ok
  call get_command_argument(1, me)
  call get_command_argument(2, config)
  call h3ou_init(trim(me), trim(config))
  call h3ou_get_mpi_parameter(trim(me), comm, group, nproc, rank)
  call deal_regions()
  lon = 9*real(index, dp)
  lat = 4*real(index, dp) - 80
  if (me == 'A') then
    call h3ou_def_grid(index, 'A', 'g', kall, lon, lat, shape=[gall, -1, lall], position=position)
  else
    call h3ou_def_grid(index, 'B', 'g', kall, lon, lat, shape=[gall, lall], position=position)
  end if
  call h3ou_end_grid_def()
  every = [(c, c=1, ncell)]
  ones = 1
  if (me == 'A') then
    call h3ou_set_interpolation_table('A', 'A', 'g', 'B', 'g', 1, every(3:), every(3:), ones(3:)) ! not to the first two cells
  else
    call h3ou_set_interpolation_table('B', 'A', 'g', 'B', 'g', 1)
  end if
  bad = 0
  time = [2001, 1, 1, 0, 0, 0]
  call h3ou_init_time(time)
  do step = 0, 2
    if (step > 0) call h3ou_set_time(trim(me), time, 60)
    if (step > 0 .and. me == 'B') call get_all()
    if (me == 'A') call put_all()
    if (step > 0) call h3ou_inc_time(time, 60)
  end do
  call MPI_Allreduce(bad, worst, 1, MPI_INTEGER, MPI_MAX, comm, ierr)
  call h3ou_coupling_end(time, .true.)
  if (worst > 0) error stop 1

contains

  !> Which regions are mine, and where their cells stand. A fifth process has none. Poles: in the first corner of the halo of region
  !> 1, and in the last one of region 4.
  subroutine deal_regions()
    integer :: r, i, j, owner
    allocate (index(0))
    lall = 0
    do r = nregion, 1, -1
      owner = mod(merge(r, 2*r + 1, me == 'A'), min(nproc, nregion))
      if (owner /= rank) cycle
      lall = lall + 1
      if (r == nregion) call add(ncell, gall)
      do j = side, 1, -1
        do i = 1, side
          call add((r - 1)*side**2 + (j - 1)*side + i, j*(side + 2) + i + 1)
        end do
      end do
      if (r == 1) call add(ncell - 1, 1)
    end do
    n = size(index)
    if (.not. allocated(position)) allocate (position(2, 0))
  end subroutine

  subroutine add(cell, inside)
    integer, intent(in) :: cell, inside
    integer, allocatable :: more(:, :)
    index = [index, cell]
    allocate (more(2, size(index)))
    if (allocated(position)) more(:, :size(index) - 1) = position
    more(:, size(index)) = [inside, lall]
    call move_alloc(more, position)
  end subroutine

  !> What a field has in a cell: a whole number, so that both kinds of reals hold it.
  elemental real(dp) function value(field, i, layer, at)
    integer, intent(in) :: field, i, layer, at
    value = field*10000 + i*10 + layer + at*1000
  end function

  !> (gall, kall, lall); where no cell stands it has what no cell has.
  function filled(field) result(f)
    integer, intent(in) :: field
    real(dp) :: f(gall, kall, lall)
    integer :: i, k
    f = own
    do i = 1, n
      do k = 1, kall
        f(position(1, i), k, position(2, i)) = value(field, index(i), k, step)
      end do
    end do
  end function

  subroutine put_all()
    real(dp) :: f(gall, kall, lall), one(gall, lall), cells(n, kall)
    integer :: i
    f = filled(1)
    one = f(:, 1, :)
    do i = 1, n
      cells(i, :) = f(position(1, i), :, position(2, i))
    end do
    call h3ou_put_data('cube', f)
    call h3ou_put_data('to_cells', f)
    call h3ou_put_data('single', real(f, sp))
    call h3ou_put_data('plane', one)
    call h3ou_put_data('one_layer', f(:, 1:1, :))
    call h3ou_put_data('cells', cells)
    call h3ou_put_data('cell', cells(:, 1))
    call h3ou_put_data('wind', f, data_vector=-f)
    call h3ou_put_data('share', f, share=0*one + 0.5_dp)
  end subroutine

  subroutine expect(is_so, what)
    logical, intent(in) :: is_so
    character(*), intent(in) :: what
    if (is_so) return
    bad = 1
    print '(a,2(1x,i0),2a)', trim(me), rank, step, ': wrong: ', what
  end subroutine

  !> (gall, lall, kall) as B gets it: set where a cell stands that the table reaches.
  function due(layers, sign) result(f)
    integer, intent(in) :: layers, sign
    real(dp) :: f(gall, lall, layers)
    integer :: i, k
    f = own
    do i = 1, n
      do k = 1, layers
        if (index(i) > 2) f(position(1, i), position(2, i), k) = sign*value(1, index(i), k, step - 1)
      end do
    end do
  end function

  subroutine get_all()
    real(dp) :: f(gall, lall, kall), other(gall, lall, kall), one(gall, lall), cells(n, kall)
    real(sp) :: single(gall, lall, kall)
    integer :: i
    character(9), parameter :: alike(3) = ['cube     ', 'cells    ', 'share    '], flat(3) = ['plane    ', 'one_layer', 'cell     ']
    do i = 1, size(alike)
      f = own
      call h3ou_get_data(alike(i), f, ok)
      call expect(ok .and. all(f == due(kall, 1)), alike(i))
      one = own
      call h3ou_get_data(flat(i), one, ok)
      call expect(ok .and. all(one == reshape(due(1, 1), [gall, lall])), flat(i))
    end do
    single = own
    call h3ou_get_data('single', single, ok)
    call expect(ok .and. all(single == real(due(kall, 1), sp)), 'single')
    f = own
    other = own
    call h3ou_get_data('wind', f, data_vector=other, is_recv_ok=ok)
    call expect(ok .and. all(abs(f - due(kall, 1)) < 1e-6) .and. all(abs(other - due(kall, -1)) < 1e-6), 'a vector')
    cells = own
    call h3ou_get_data('to_cells', cells, ok)
    do i = 1, n
      if (index(i) > 2) call expect(ok .and. all(cells(i, :) == value(1, index(i), [1, 2, 3], step - 1)), 'to cells')
      if (index(i) <= 2) call expect(all(cells(i, :) == own), 'to cells that nothing reaches')
    end do
  end subroutine

end program positions

! SPDX-License-Identifier: BSD-3-Clause
!> What models have is put and got as it lies: expressions, both kinds of reals, (cell), (cell, layer), (x, y),
!> (x, y, layer) and (cell, layer, member), with and without halo, sections with gaps. A and B have the same cells, each goes to itself.
!>
!>   arrays A|B CONFIG
program arrays
  use h3ou_api, only: h3ou_init, h3ou_get_mpi_parameter, h3ou_def_grid, h3ou_end_grid_def, h3ou_set_interpolation_table, &
    h3ou_init_time, h3ou_set_time, h3ou_put_data, h3ou_get_data, h3ou_inc_time, h3ou_coupling_end
  use mpi
  implicit none
  save ! so that the main program's arrays are not taken for leaks at its end
  integer, parameter :: dp = kind(1d0), sp = kind(1.0), nx = 12, ny = 6, nz = 3, own = -7
  character(8) :: me
  character(400) :: config
  integer :: comm, group, nproc, rank, time(6), halo(4), mx, my, x0, y0, n, bad, worst, ierr, step
  integer, allocatable :: index(:)
  real(dp), allocatable :: cell(:), cells(:, :), plane(:, :), second(:, :), cube(:, :, :), other(:, :, :)
  logical :: ok
  call get_command_argument(1, me)
  call get_command_argument(2, config)
  call h3ou_init(trim(me), trim(config))
  call h3ou_get_mpi_parameter(trim(me), comm, group, nproc, rank)
  call take_block()
  call define()
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

  !> My block: the processes stand in two columns if they can. The first of three has no cells.
  subroutine take_block()
    integer :: columns, rows, place, i, j
    place = rank
    if (nproc == 3) place = rank - 1
    columns = 1
    if (mod(nproc, 2) == 0) columns = 2
    rows = merge(2, nproc/columns, nproc == 3)
    x0 = nx*mod(max(place, 0), columns)/columns
    y0 = ny*(max(place, 0)/columns)/rows
    mx = nx*(mod(max(place, 0), columns) + 1)/columns - x0
    my = ny*(max(place, 0)/columns + 1)/rows - y0
    if (place < 0) mx = 0
    n = mx*my
    halo = merge([2, 1, 1, 3], [1, 0, 0, 2], me == 'A')
    index = [((x0 + i + nx*(y0 + j - 1), i=1, mx), j=1, my)]
    allocate (cell(n), cells(n, nz), plane(1 - halo(1):mx + halo(2), 1 - halo(3):my + halo(4)))
    allocate (second, mold=plane)
    allocate (cube(1 - halo(1):mx + halo(2), 1 - halo(3):my + halo(4), nz))
    allocate (other, mold=cube)
  end subroutine

  !> The block of A is found from grid_shape, that of B is said.
  subroutine define()
    integer :: all(nx*ny), i
    real(dp) :: lon(n), lat(n), ones(nx*ny)
    all = [(i, i=1, nx*ny)]
    ones = 1
    lon = 30*(mod(index - 1, nx) + 0.5_dp)
    lat = 30*((index - 1)/nx + 0.5_dp) - 90
    if (me == 'A') then
      call h3ou_def_grid(index, 'A', 'A_g', nz, lon, lat, grid_shape=[nx, ny], cyclic=.true., halo=halo)
      call h3ou_end_grid_def()
      call h3ou_set_interpolation_table('A', 'A', 'A_g', 'B', 'B_g', 1, all(3:), all(3:), ones(3:)) ! not to the first two cells
    else
      call h3ou_def_grid(index, 'B', 'B_g', nz, lon, lat, local_shape=[mx, my], halo=halo)
      call h3ou_end_grid_def()
      call h3ou_set_interpolation_table('B', 'A', 'A_g', 'B', 'B_g', 1)
    end if
  end subroutine

  !> What a field has in a cell: a whole number, so that both kinds of reals hold it.
  elemental real(dp) function value(field, i, layer, at)
    integer, intent(in) :: field, i, layer, at
    value = field*10000 + i*10 + layer + at*1000
  end function

  !> Fills the arrays with a field: the halo has what no cell has.
  subroutine fill(field)
    integer, intent(in) :: field
    integer :: i, j, k
    plane = own
    cube = own
    do k = nz, 1, -1
      cells(:, k) = value(field, index, k, step)
      do j = 1, my
        do i = 1, mx
          cube(i, j, k) = value(field, x0 + i + nx*(y0 + j - 1), k, step)
        end do
      end do
    end do
    cell = value(field, index, 1, step)
    plane = cube(:, :, 1)
    second = -plane
    other = -cube
  end subroutine

  subroutine put_all()
    real(sp) :: wide(2*size(cube, 1), size(cube, 2), nz)
    call fill(1)
    call h3ou_put_data('negative', -cell)
    call h3ou_put_data('single', real(-cell, sp))
    call h3ou_put_data('packed', pack(cells(:, 1), .true.))
    call h3ou_put_data('reshaped', reshape(cells, [n, nz]))
    call h3ou_put_data('single_layers', real(cells, sp))
    call h3ou_put_data('members', reshape(cells, [n, nz, 1]))
    call fill(2)
    call h3ou_put_data('plane', plane)
    call h3ou_put_data('plane_inside', plane)
    call h3ou_put_data('single_plane', real(plane, sp))
    call h3ou_put_data('one_layer', cells(:, 1:1))
    call fill(3)
    call h3ou_put_data('cube', cube)
    wide = 0
    wide(2::2, :, :) = real(cube, sp)
    call h3ou_put_data('single_cube', wide(2::2, :, :))
    call h3ou_put_data('cube_sections', cube(:, :, nz:1:-1))
    call h3ou_put_data('share', plane, share=merge(0.5_dp, 1.0_dp, plane > 30100))
    call fill(4)
    call h3ou_put_data('wind', plane, second)
    call h3ou_put_data('winds', cube, data_vector=other)
    call h3ou_put_data('single_wind', real(plane, sp), real(second, sp))
    call h3ou_put_data('winds_share', cube, other, share=0*plane + 0.25_dp)
  end subroutine

  subroutine expect(is_so, what)
    logical, intent(in) :: is_so
    character(*), intent(in) :: what
    if (is_so) return
    bad = 1
    print '(a,2(1x,i0),2a)', trim(me), rank, step, ': wrong: ', what
  end subroutine

  !> What the table reaches; the rest is as it was.
  elemental real(dp) function due(field, i, layer)
    integer, intent(in) :: field, i, layer
    due = merge(value(field, i, layer, step - 1), real(own, dp), i > 2)
  end function

  logical function is_cells(field, sign, got)
    integer, intent(in) :: field, sign
    real(dp), intent(in) :: got(:, :)
    integer :: k
    is_cells = ok
    do k = 1, size(got, 2)
      is_cells = is_cells .and. all(abs(got(:, k) - merge(real(own, dp), sign*due(field, index, k), index <= 2)) < 1e-6)
    end do
  end function

  !> with its halo
  logical function is_cube(field, sign, got)
    integer, intent(in) :: field, sign
    real(dp), intent(in) :: got(1 - halo(1):, 1 - halo(3):, :)
    integer :: i, j, k, at
    is_cube = ok
    do k = 1, size(got, 3)
      do j = lbound(got, 2), ubound(got, 2)
        do i = lbound(got, 1), ubound(got, 1)
          at = x0 + i + nx*(y0 + j - 1)
          if (i < 1 .or. i > mx .or. j < 1 .or. j > my .or. at <= 2) then
            is_cube = is_cube .and. got(i, j, k) == own
          else
            is_cube = is_cube .and. abs(got(i, j, k) - sign*due(field, at, k)) < 1e-2
          end if
        end do
      end do
    end do
  end function

  logical function is_plane(field, sign, got)
    integer, intent(in) :: field, sign
    real(dp), intent(in) :: got(:, :)
    is_plane = is_cube(field, sign, reshape(got, [size(got, 1), size(got, 2), 1]))
  end function

  subroutine get_all()
    real(sp), allocatable :: s1(:), s2(:, :), s2b(:, :), s3(:, :, :), wide(:, :, :)
    real(dp), allocatable :: inside(:, :), members(:, :, :)
    cell = own
    call h3ou_get_data('negative', cell, ok)
    call expect(is_cells(1, -1, reshape(cell, [n, 1])), 'an expression')
    allocate (s1(n), source=real(own, sp))
    call h3ou_get_data('single', s1, is_recv_ok=ok)
    call expect(is_cells(1, -1, reshape(real(s1, dp), [n, 1])), 'a real(4) expression')
    s1 = own
    call h3ou_get_data('packed', s1, ok)
    call expect(is_cells(1, 1, reshape(real(s1, dp), [n, 1])), 'pack, into real(4)')
    cells = own
    call h3ou_get_data('reshaped', cells, ok)
    call expect(is_cells(1, 1, cells), 'reshape')
    allocate (s2(n, nz), source=real(own, sp))
    call h3ou_get_data('single_layers', s2, ok)
    call expect(is_cells(1, 1, real(s2, dp)), 'real(4) layers')
    allocate (members(n, nz, 1), source=real(own, dp))
    call h3ou_get_data('members', members, ok)
    call expect(is_cells(1, 1, members(:, :, 1)), '(cell, layer, member)')
    plane = own
    call h3ou_get_data('plane', plane, ok)
    call expect(is_plane(2, 1, plane), '(x, y)')
    plane = own
    call h3ou_get_data('single_plane', plane, is_recv_ok=ok)
    call expect(is_plane(2, 1, plane), 'from real(4) (x, y)')
    allocate (inside(n, 1), source=real(own, dp))
    call h3ou_get_data('plane_inside', inside, ok)
    call expect(is_cells(2, 1, inside), 'from (x, y) to (cell, 1)')
    deallocate (s2)
    allocate (s2(size(plane, 1), size(plane, 2)), source=real(own, sp))
    call h3ou_get_data('one_layer', s2, ok)
    call expect(is_plane(2, 1, real(s2, dp)), 'from (cell, 1) to real(4) (x, y)')
    cube = own
    call h3ou_get_data('cube', cube, ok)
    call expect(is_cube(3, 1, cube), '(x, y, layer)')
    allocate (s3(size(cube, 1), size(cube, 2), nz), wide(2*size(cube, 1), size(cube, 2), nz), source=real(own, sp))
    call h3ou_get_data('single_cube', wide(1::2, :, :), is_recv_ok=ok)
    call expect(is_cube(3, 1, real(wide(1::2, :, :), dp)), 'sections of real(4) (x, y, layer)')
    call expect(all(wide(2::2, :, :) == own), 'between the section')
    cube = own
    call h3ou_get_data('cube_sections', cube(:, :, nz:1:-1), ok)
    call expect(is_cube(3, 1, cube), 'layers backwards')
    plane = own
    call h3ou_get_data('share', plane, ok)
    call expect(is_plane(3, 1, plane), 'with shares')
    call get_vectors()
  end subroutine

  subroutine get_vectors()
    real(sp), allocatable :: u(:, :), v(:, :)
    plane = own
    second = own
    call h3ou_get_data('wind', plane, second, ok)
    call expect(is_plane(4, 1, plane) .and. is_plane(4, -1, second), 'a vector (x, y)')
    cube = own
    other = own
    call h3ou_get_data('winds', cube, data_vector=other, is_recv_ok=ok)
    call expect(is_cube(4, 1, cube) .and. is_cube(4, -1, other), 'a vector (x, y, layer)')
    allocate (u(size(plane, 1), size(plane, 2)), v(size(plane, 1), size(plane, 2)), source=real(own, sp))
    call h3ou_get_data('single_wind', u, v, ok)
    call expect(is_plane(4, 1, real(u, dp)) .and. is_plane(4, -1, real(v, dp)), 'a vector of real(4)')
    cube = own
    other = own
    call h3ou_get_data('winds_share', cube, other, ok)
    call expect(is_cube(4, 1, cube) .and. is_cube(4, -1, other), 'a vector with shares (x, y)')
  end subroutine

end program arrays

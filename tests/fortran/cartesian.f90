! SPDX-License-Identifier: BSD-3-Clause
!> Vectors as three Cartesian components, to and from those and two along the directions of a grid. A and B have the same
!> cells with other directions; what blows is the rotation of a sphere.
!>
!>   cartesian A|B CONFIG [east | skewed]
!>
!> east: the grids have no angle. skewed: nor are their columns meridians.
program cartesian
  use, intrinsic :: ieee_arithmetic, only: ieee_value, ieee_quiet_nan
  use h3ou_api, only: h3ou_init, h3ou_get_mpi_parameter, h3ou_def_grid, h3ou_end_grid_def, h3ou_set_interpolation_table, &
    h3ou_field, h3ou_init_time, h3ou_set_time, h3ou_put_data, h3ou_get_data, h3ou_put_data_xyz, h3ou_get_data_xyz, h3ou_coupling_end
  use mpi
  implicit none
  save ! so that the main program's arrays are not taken for leaks at its end
  integer, parameter :: dp = kind(1d0), sp = kind(1.0), nx = 8, ny = 4, nz = 2, own = -7
  real(dp), parameter :: degree = acos(-1d0)/180
  character(8) :: me, directions
  character(400) :: config
  integer :: comm, group, nproc, rank, time(6), i, mx, my, bad, worst, ierr
  integer, allocatable :: index(:)
  real(dp), allocatable :: lon(:), lat(:), angle(:), x(:, :), y(:, :), z(:, :), u(:, :), v(:, :)
  logical :: ok
  call get_command_argument(1, me)
  call get_command_argument(2, config)
  call get_command_argument(3, directions)
  call h3ou_init(trim(me), trim(config))
  call h3ou_get_mpi_parameter(trim(me), comm, group, nproc, rank)
  mx = nx
  my = ny*(rank + 1)/nproc - ny*rank/nproc
  index = [(i, i=nx*(ny*rank/nproc) + 1, nx*(ny*(rank + 1)/nproc))]
  bad = 0
  lon = 360._dp/nx*(mod(index - 1, nx) + 0.5_dp)
  lat = 180._dp/ny*((index - 1)/nx + 0.5_dp) - 90
  if (directions == 'skewed') lon = lon + 3*lat
  if (directions == '') angle = [(merge(20._dp, 130._dp, me == 'A'), i=1, mx*my)]
  call make_wind(merge(merge(20._dp, 130._dp, me == 'A'), 0._dp, directions == ''))
  call h3ou_def_grid(index, trim(me), trim(me) // '_g', nz, lon, lat, angle=angle, local_shape=[mx, my], halo=[1, 2, 0, 1])
  call h3ou_end_grid_def()
  call give_tables()
  time = [2000, 1, 1, 0, 0, 0]
  call h3ou_init_time(time)
  if (me == 'A') call put_all()
  call h3ou_set_time(trim(me), time, 60)
  if (me == 'B') call get_all()
  call MPI_Allreduce(bad, worst, 1, MPI_INTEGER, MPI_MAX, comm, ierr)
  call h3ou_coupling_end(time, .true.)
  if (worst > 0) error stop 1

contains

  !> As Cartesian components, and along directions that are turned by angle from east.
  subroutine make_wind(angle)
    real(dp), intent(in) :: angle
    real(dp) :: axis(3), place(3), w(3), east, north
    integer :: k
    allocate (x(mx*my, nz), y(mx*my, nz), z(mx*my, nz), u(mx*my, nz), v(mx*my, nz))
    do k = 1, nz
      axis = [0.3_dp*k, -0.4_dp, 0.9_dp]
      do i = 1, mx*my
        place = [cos(lat(i)*degree)*cos(lon(i)*degree), cos(lat(i)*degree)*sin(lon(i)*degree), sin(lat(i)*degree)]
        w = [axis(2)*place(3) - axis(3)*place(2), axis(3)*place(1) - axis(1)*place(3), axis(1)*place(2) - axis(2)*place(1)]
        x(i, k) = w(1)
        y(i, k) = w(2)
        z(i, k) = w(3)
        east = -w(1)*sin(lon(i)*degree) + w(2)*cos(lon(i)*degree)
        north = -(w(1)*cos(lon(i)*degree) + w(2)*sin(lon(i)*degree))*sin(lat(i)*degree) + w(3)*cos(lat(i)*degree)
        u(i, k) = east*cos(angle*degree) + north*sin(angle*degree)
        v(i, k) = -east*sin(angle*degree) + north*cos(angle*degree)
      end do
    end do
  end subroutine

  !> Each cell goes to itself. The second table turns what has two components by 90 degrees.
  subroutine give_tables()
    integer :: all(nx*ny)
    real(dp) :: ones(nx*ny), zeros(nx*ny)
    all = [(i, i=1, nx*ny)]
    ones = 1
    zeros = 0
    if (me == 'A') then
      call h3ou_set_interpolation_table('A', 'A', 'A_g', 'B', 'B_g', 1, all, all, ones)
      call h3ou_set_interpolation_table('A', 'A', 'A_g', 'B', 'B_g', 2, all, all, ones, zeros, ones)
    else
      call h3ou_set_interpolation_table('B', 'A', 'A_g', 'B', 'B_g', 1)
      call h3ou_set_interpolation_table('B', 'A', 'A_g', 'B', 'B_g', 2)
    end if
  end subroutine

  !> (cell, layer) as (x, y, layer) with the halo.
  function cube(values) result(whole)
    real(dp), intent(in) :: values(:, :)
    real(dp) :: whole(mx + 3, my + 1, nz)
    whole = own
    whole(2:mx + 1, 1:my, :) = reshape(values, [mx, my, nz])
  end function

  subroutine put_all()
    real(dp) :: holed(mx*my, nz), single(mx*my)
    call h3ou_put_data_xyz('kept', x, y, z)
    call h3ou_put_data_xyz('lowered', x, y, z)
    call h3ou_put_data(h3ou_field('raised'), u, v)
    call h3ou_put_data_xyz(h3ou_field('lowered_2'), x, y, z)
    call h3ou_put_data_xyz(h3ou_field('halo'), cube(x), cube(y), cube(z))
    call h3ou_put_data_xyz(h3ou_field('single'), real(x(:, 1), sp), real(y(:, 1), sp), real(z(:, 1), sp))
    holed = y
    holed(:, 1) = merge(ieee_value(0._dp, ieee_quiet_nan), y(:, 1), mod(index, 3) == 0)
    call h3ou_put_data_xyz(h3ou_field('holed'), x, holed, z)
    call h3ou_put_data_xyz('radial', spread(cos(lat*degree)*cos(lon*degree), 2, 1), spread(cos(lat*degree)*sin(lon*degree), 2, 1), &
                           spread(sin(lat*degree), 2, 1))
    single = 1
    call h3ou_put_data_xyz(h3ou_field('share'), x(:, 1), y(:, 1), z(:, 1), share=merge(0*single, single, mod(index, 3) == 0))
  end subroutine

  subroutine expect(is_so, what)
    logical, intent(in) :: is_so
    character(*), intent(in) :: what
    if (is_so .and. ok) return
    bad = 1
    print '(a,1x,i0,2a)', 'B', rank, ': wrong: ', what
  end subroutine

  logical function near(a, b)
    real(dp), intent(in) :: a(:, :), b(:, :)
    near = all(abs(a - b) < 1e-12_dp)
  end function

  subroutine get_all()
    real(dp) :: a(mx*my, nz), b(mx*my, nz), c(mx*my, nz), big(mx + 3, my + 1, nz, 3)
    real(sp) :: s(mx*my, 3)
    logical :: holes(mx*my, nz)
    call h3ou_get_data_xyz('kept', a, b, c, ok)
    call expect(near(a, x) .and. near(b, y) .and. near(c, z), 'from three components to three')
    call h3ou_get_data('lowered', a, b, ok)
    call expect(near(a, u) .and. near(b, v), 'from three components to two')
    call h3ou_get_data_xyz('raised', a, b, c, is_recv_ok=ok)
    call expect(near(a, x) .and. near(b, y) .and. near(c, z), 'from two components to three')
    call h3ou_get_data(h3ou_field('lowered_2'), a, b, ok)
    call expect(near(a, u) .and. near(b, v), 'by a table that turns two components, from three')
    big = own
    call h3ou_get_data_xyz(h3ou_field('halo'), big(:, :, :, 1), big(:, :, :, 2), big(:, :, :, 3), ok)
    call expect(all(abs(big(:, :, :, 1) - cube(x)) < 1e-12_dp) .and. all(abs(big(:, :, :, 2) - cube(y)) < 1e-12_dp) .and. &
                all(abs(big(:, :, :, 3) - cube(z)) < 1e-12_dp), '(x, y, layer) with halo')
    call h3ou_get_data_xyz(h3ou_field('single'), s(:, 1), s(:, 2), s(:, 3), ok)
    call expect(all(abs(s(:, 1) - x(:, 1)) < 1e-6) .and. all(abs(s(:, 2) - y(:, 1)) < 1e-6) .and. &
                all(abs(s(:, 3) - z(:, 1)) < 1e-6), 'real(4)')
    a = own
    b = own
    c = own
    call h3ou_get_data_xyz(h3ou_field('holed'), a, b, c, ok)
    holes = .false.
    holes(:, 1) = mod(index, 3) == 0
    call expect(near(a, merge(0*x + own, x, holes)) .and. near(b, merge(0*y + own, y, holes)) .and. &
                near(c, merge(0*z + own, z, holes)), 'one component missing')
    call h3ou_get_data_xyz('radial', a(:, 1), b(:, 1), c(:, 1), ok)
    call expect(all(abs(c(:, 1) - sin(lat*degree)) < 1e-12_dp), 'what points upwards stays')
    call h3ou_get_data_xyz('share', a(:, 1), b(:, 1), c(:, 1), ok)
    call expect(near(a(:, 1:1), merge(0*x(:, 1:1) - 99, x(:, 1:1), holes(:, 1:1))) .and. &
                near(c(:, 1:1), merge(0*z(:, 1:1) - 99, z(:, 1:1), holes(:, 1:1))), 'with shares')
  end subroutine

end program cartesian

! SPDX-License-Identifier: BSD-3-Clause
!> What the optional arguments do: coordinates, vectors in every shape, shares. A and B have the same cells; B's directions are
!> turned by 90 degrees from A's, so a vector (u, v) of A is (v, -u) of B.
!>
!>   remap A|B CONFIG
program remap
  use, intrinsic :: ieee_arithmetic, only: ieee_is_nan
  use h3ou_api, only: h3ou_init, h3ou_get_mpi_parameter, h3ou_def_grid, h3ou_end_grid_def, h3ou_set_interpolation_table, &
    h3ou_init_time, h3ou_set_time, h3ou_put_data, h3ou_get_data, h3ou_inc_time, h3ou_coupling_end
  implicit none
  save ! so that the main program's arrays are not taken for leaks at its end
  integer, parameter :: dp = kind(1d0), nx = 8, ny = 4, nz = 2
  character(8) :: me
  character(400) :: config
  integer :: comm, group, nproc, rank, time(6), i, n
  integer, allocatable :: index(:), mask(:)
  real(dp), allocatable :: lon(:), lat(:), angle(:), lon_corners(:, :), lat_corners(:, :), u(:, :), v(:, :), flat(:), share(:)
  logical :: ok
  call get_command_argument(1, me)
  call get_command_argument(2, config)
  call h3ou_init(trim(me), trim(config))
  call h3ou_get_mpi_parameter(trim(me), comm, group, nproc, rank)
  index = [(i, i=nx*ny - rank, 1, -nproc)]
  n = size(index)
  lon = 360._dp/nx*(mod(index - 1, nx) + 0.5_dp)
  lat = 180._dp/ny*((index - 1)/nx + 0.5_dp) - 90
  allocate (angle(n), mask(n), lon_corners(4, n), lat_corners(4, n), u(n, nz), v(n, nz), flat(n*nz), share(n))
  angle = 30
  if (me == 'B') angle = 120
  mask = 1
  do i = 1, n
    lon_corners(:, i) = lon(i) + 180._dp/nx*[-1, 1, 1, -1]
    lat_corners(:, i) = lat(i) + 90._dp/ny*[-1, -1, 1, 1]
  end do
  call h3ou_def_grid(index, trim(me), trim(me) // '_g', nz, lon, lat, lon_corners, lat_corners, mask, angle=angle, &
                     units='degrees', grid_shape=[nx, ny], cyclic=.true., fold=.false., edges='latitude')
  call h3ou_end_grid_def()
  call give_table()
  time = [2000, 1, 1, 0, 0, 0]
  call h3ou_init_time(time)
  if (me == 'A') call put_all()
  call h3ou_set_time(trim(me), time, 60)
  if (me == 'B') call get_all()
  call h3ou_inc_time(time, 60)
  call h3ou_coupling_end(time)

contains

  !> One entry a cell; it turns vectors by 90 degrees the other way: (u, v) becomes (-v, u).
  subroutine give_table()
    integer :: all(nx*ny), k
    real(dp) :: ones(nx*ny), zeros(nx*ny)
    all = [(k, k=1, nx*ny)]
    ones = 1
    zeros = 0
    if (me == 'A') then
      call h3ou_set_interpolation_table('A', 'A', 'A_g', 'B', 'B_g', 2, all, all, ones, zeros, ones)
    else
      call h3ou_set_interpolation_table('B', 'A', 'A_g', 'B', 'B_g', 2)
    end if
  end subroutine

  subroutine make(sign)
    integer, intent(in) :: sign
    integer :: k
    do k = 1, nz
      u(:, k) = index + 1000*k
      v(:, k) = sign*(index/10._dp + k)
    end do
    share = merge(0._dp, 1._dp/index, mod(index, 3) == 0)
  end subroutine

  subroutine put_all()
    call make(1)
    call h3ou_put_data('flat', u(:, 1), v(:, 1))
    call h3ou_put_data('rank1', u, pack(v, .true.))
    call h3ou_put_data('rank2', u, v)
    call h3ou_put_data('sections', u(:, nz:1:-1), v(:, nz:1:-1))
    call h3ou_put_data('both', u, v, share=share)
    call h3ou_put_data('ice', u(:, 1), share=share)
    call h3ou_put_data('ices', u, share=share)
    call h3ou_put_data('turned', u, data_vector=v)
  end subroutine

  subroutine expect(is_so, what)
    logical, intent(in) :: is_so
    character(*), intent(in) :: what
    if (is_so) return
    print '(a)', 'B: wrong: ' // what
    error stop 1
  end subroutine

  logical function near(a, b)
    real(dp), intent(in) :: a(:, :), b(:, :)
    near = all(abs(a - b) < 1e-9_dp)
  end function

  subroutine get_all()
    real(dp) :: a(n, nz), b(n, nz), one(n), two(n)
    call make(1)
    call h3ou_get_data('flat', one, two, ok)
    call expect(ok .and. all(abs(one - v(:, 1)) < 1e-9_dp) .and. all(abs(two + u(:, 1)) < 1e-9_dp), 'a vector')
    call h3ou_get_data('rank1', a, data_vector=flat, is_recv_ok=ok)
    call expect(ok .and. near(a, v) .and. near(reshape(flat, [n, nz]), -u), 'a vector with layers, the second part flat')
    call h3ou_get_data('rank2', a, b, ok)
    call expect(ok .and. near(a, v) .and. near(b, -u), 'a vector with layers')
    call h3ou_get_data('sections', a(:, nz:1:-1), b(:, nz:1:-1), ok)
    call expect(ok .and. near(a, v) .and. near(b, -u), 'sections of arrays')
    call h3ou_get_data('both', a, b, ok)
    call expect(ok .and. all(ieee_is_nan(a) .eqv. spread(share <= 0, 2, nz)), 'a vector with shares: what is missing')
    call expect(near(merge(v, a, ieee_is_nan(a)), v) .and. near(merge(-u, b, ieee_is_nan(b)), -u), 'a vector with shares')
    one = 7
    call h3ou_get_data('ice', one, is_recv_ok=ok)
    call expect(ok .and. all(abs(one - merge(-1._dp, u(:, 1), share <= 0)) < 1e-9_dp), 'shares')
    call h3ou_get_data('ices', a, ok)
    call expect(ok .and. near(a, merge(spread([(-1._dp, i=1, n)], 2, nz), u, spread(share <= 0, 2, nz))), 'shares with layers')
    call h3ou_get_data('turned', a, b, ok)
    call expect(ok .and. near(a, -v) .and. near(b, u), 'a vector by coef_cos and coef_sin')
  end subroutine

end program remap

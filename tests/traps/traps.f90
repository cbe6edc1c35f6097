! SPDX-License-Identifier: BSD-3-Clause
!> Two components as they are debugged: compiled with -ffpe-trap=invalid,zero,overflow and -finit-real=snan. Any exception that
!> is raised in a call of the library ends the program. A has land, where its arrays hold what a debugger's compiler put there;
!> B has cells on the poles, and cells that nothing serves.
!>
!>   traps A|B CONFIG
program traps
  use, intrinsic :: ieee_arithmetic, only: ieee_is_nan, ieee_is_finite, ieee_value, ieee_signaling_nan, ieee_quiet_nan, &
    ieee_positive_inf
  use h3ou_api, only: h3ou_init, h3ou_get_mpi_parameter, h3ou_def_grid, h3ou_end_grid_def, h3ou_init_time, h3ou_set_time, &
    h3ou_put_data, h3ou_get_data, h3ou_inc_time, h3ou_coupling_end, h3ou_set_interpolation_table, &
    h3ou_get_num_of_put_data, h3ou_get_num_of_get_data, h3ou_get_put_data_name, h3ou_get_get_data_name
  implicit none
  integer, parameter :: dp = kind(1d0), nz = 9, steps = 5
  real(dp), parameter :: pi = acos(-1._dp)
  !> A grid's cells of this process.
  type cells
    integer :: n = 0, nx = 0, ny = 0
    integer, allocatable :: index(:), mask(:)
    real(dp), allocatable :: lon(:), lat(:), x(:, :), y(:, :)
  end type
  character(8) :: me
  character(400) :: config
  integer :: comm, group, nproc, rank, time(6), step
  type(cells) :: box, row
  call get_command_argument(1, me)
  call get_command_argument(2, config)
  call h3ou_init(trim(me), trim(config))
  call h3ou_get_mpi_parameter(trim(me), comm, group, nproc, rank)
  if (me == 'A') then
    box = boxes(18, 9)
    row = rows(12, 7)
  else
    box = boxes(10, 6)
    row = rows(9, 5)
  end if
  call define_boxes()
  call define_rows()
  call h3ou_end_grid_def()
  call give_table()
  time = [2000, 1, 1, 0, 0, 0]
  call h3ou_init_time(time)
  if (me == 'A') call put_all(0)
  do step = 1, steps
    call h3ou_set_time(trim(me), time, 600)
    if (me == 'B') call get_all()
    if (me == 'A') call put_all(step)
    call h3ou_inc_time(time, 600)
  end do
  call h3ou_coupling_end(time)

contains

  !> Round continents, which leave nothing to some targets.
  elemental integer function sea(lon, lat)
    real(dp), intent(in) :: lon, lat
    sea = merge(0, 1, cos(lat*pi/180)*cos(lon*pi/180) > 0.5_dp .or. lat > 65)
  end function

  !> Dealt out cell by cell: no process has a whole row.
  type(cells) function dealt(nx, ny) result(c)
    integer, intent(in) :: nx, ny
    integer :: i
    c%nx = nx
    c%ny = ny
    c%index = [(i, i=rank + 1, nx*ny, nproc)]
    c%n = size(c%index)
  end function

  type(cells) function boxes(nx, ny) result(c)
    integer, intent(in) :: nx, ny
    integer :: i
    c = dealt(nx, ny)
    c%lon = 360._dp/nx*(mod(c%index - 1, nx) + 0.5_dp)
    c%lat = 180._dp/ny*((c%index - 1)/nx + 0.5_dp) - 90
    c%mask = sea(c%lon, c%lat)
    allocate (c%x(4, c%n), c%y(4, c%n))
    do i = 1, c%n
      c%x(:, i) = c%lon(i) + 180._dp/nx*[-1, 1, 1, -1]
      c%y(:, i) = c%lat(i) + 90._dp/ny*[-1, -1, 1, 1]
    end do
  end function

  !> The first and the last row stand on the poles.
  type(cells) function rows(nx, ny) result(c)
    integer, intent(in) :: nx, ny
    c = dealt(nx, ny)
    c%lon = 360._dp/nx*mod(c%index - 1, nx)
    c%lat = 180._dp/(ny - 1)*((c%index - 1)/nx) - 90
    allocate (c%mask(c%n), source=1)
    if (me == 'A') where (c%lon > 100 .and. c%lon < 200) c%mask = 0
  end function

  !> What the compiler put there, where the model never sets anything.
  real(dp) function nothing()
    nothing = ieee_value(1._dp, ieee_signaling_nan)
  end function

  subroutine define_boxes()
    real(dp) :: angle(box%n), area(box%n)
    integer :: i
    angle = 10
    area = 0.01_dp
    do i = 1, box%n
      if (box%mask(i) /= 0) cycle
      angle(i) = merge(nothing(), ieee_value(1._dp, ieee_positive_inf), mod(i, 2) == 0)
      box%x(:, i) = nothing()
      box%y(:, i) = ieee_value(1._dp, ieee_quiet_nan)
    end do
    if (me == 'A') then
      call h3ou_def_grid(box%index, 'A', 'A_box', nz, box%lon, box%lat, box%x, box%y, box%mask, area, angle, &
                         grid_shape=[box%nx, box%ny], cyclic=.true.)
    else
      call h3ou_def_grid(box%index, 'B', 'B_box', nz, box%lon, box%lat, box%x, box%y, box%mask, angle=angle)
    end if
  end subroutine

  subroutine define_rows()
    if (me == 'A') then
      call h3ou_def_grid(row%index, 'A', 'A_row', nz, row%lon, row%lat, mask=row%mask, grid_shape=[row%nx, row%ny], cyclic=.true.)
    else
      call h3ou_def_grid(row%index, 'B', 'B_row', nz, row%lon, row%lat)
    end if
  end subroutine

  !> Two sources of one target, whose coefficients cancel when one of them is missing.
  subroutine give_table()
    integer, parameter :: send(16) = [1, 2, 3, 4, 9, 10, 11, 12, 13, 14, 15, 16, 21, 22, 23, 24]
    integer :: recv(16)
    real(dp) :: coef(16), c(16), s(16)
    recv = (send + 1)/2
    coef = merge(2._dp, -1._dp, mod(send, 2) == 0)
    c = 0
    s = 1
    if (me == 'A') then
      call h3ou_set_interpolation_table('A', 'A', 'A_row', 'B', 'B_row', 7, send, recv, coef, c, s)
    else
      call h3ou_set_interpolation_table('B', 'A', 'A_row', 'B', 'B_row', 7)
    end if
  end subroutine

  !> A field's first letter says its grid (b, r), the second what it is: p plain, h with holes (missing=-999), k with holes that are
  !> kept, s with shares, v a vector, w a vector with shares, l with layers, f in single precision with holes (missing=-999.9), g
  !> in single precision where that of `missing` is infinity.
  subroutine put_all(number)
    integer, intent(in) :: number
    character(64) :: name
    integer :: i
    do i = 1, h3ou_get_num_of_put_data()
      name = h3ou_get_put_data_name(i)
      if (name(1:1) == 'b') call put_one(trim(name), box, number)
      if (name(1:1) == 'r') call put_one(trim(name), row, number)
    end do
  end subroutine

  subroutine put_one(name, c, number)
    character(*), intent(in) :: name
    type(cells), intent(in) :: c
    integer, intent(in) :: number
    real(dp) :: u(c%n, nz), v(c%n, nz), share(c%n)
    real :: single(c%n)
    integer :: i
    do i = 1, nz
      u(:, i) = 1 + cos(c%lon*pi/180)*cos(c%lat*pi/180) + number
      v(:, i) = -u(:, i)/i
    end do
    share = merge(0._dp, 0.5_dp, mod(c%index + number, 5) == 0) ! 5 divides no row: not all cells of a meridian at once
    if (name(2:2) == 'h') where (mod(c%index, 3) == 0) u(:, 1) = -999
    if (name(2:2) == 'h' .or. name(2:2) == 'k') where (mod(c%index, 7) == 0) u(:, 1) = ieee_value(1._dp, ieee_quiet_nan)
    if (name(2:2) == 's' .or. name(2:2) == 'w') where (share <= 0) u(:, 1) = ieee_value(1._dp, ieee_positive_inf)
    single = real(u(:, 1))
    if (name(2:2) == 'f') where (mod(c%index, 3) == 0) single = -999.9
    where (c%mask == 0) single = ieee_value(1., ieee_signaling_nan)
    ! Nobody computes on land: there is what the compiler put there, or a fill value as large as can be.
    where (c%mask == 0) u(:, 1) = nothing()
    where (c%mask == 0 .and. mod(c%index, 2) == 0) u(:, 1) = huge(1._dp)
    where (c%mask == 0) v(:, 1) = nothing()
    select case (name(2:2))
    case ('p', 'h', 'k')
      call h3ou_put_data(name, u(:, 1))
    case ('f', 'g')
      call h3ou_put_data(name, single)
    case ('l')
      do i = 2, nz
        u(:, i) = u(:, 1)
      end do
      call h3ou_put_data(name, u)
    case ('s')
      call h3ou_put_data(name, u(:, 1), share=share)
    case ('v')
      call h3ou_put_data(name, u(:, 1), data_vector=v(:, 1))
    case ('w')
      call h3ou_put_data(name, u(:, 1), data_vector=v(:, 1), share=share)
    end select
  end subroutine

  subroutine get_all()
    character(64) :: name
    integer :: i
    do i = 1, h3ou_get_num_of_get_data()
      name = h3ou_get_get_data_name(i)
      if (name(1:1) == 'b') call get_one(trim(name), box%n)
      if (name(1:1) == 'r') call get_one(trim(name), row%n)
    end do
  end subroutine

  !> The numbers are looked at as far as a model with traps may: NaN is asked for before anything is compared.
  subroutine get_one(name, n)
    character(*), intent(in) :: name
    integer, intent(in) :: n
    real(dp) :: u(n, nz), v(n)
    real :: single(n)
    logical :: ok
    integer :: i, values
    u = 77
    v = 77
    single = 77
    if (name(2:2) == 'l') then
      call h3ou_get_data(name, u, ok)
    else if (name(2:2) == 'v' .or. name(2:2) == 'w') then
      call h3ou_get_data(name, u(:, 1), data_vector=v, is_recv_ok=ok)
    else if (name(2:2) == 'f' .or. name(2:2) == 'g') then
      call h3ou_get_data(name, single, ok)
      if (name(2:2) == 'f' .and. any(single > -999.8 .and. single < 0)) call wrong(name // ' mixes values with missing ones')
      where (.not. ieee_is_finite(single)) single = -999.9
      u(:, 1) = single
    else
      call h3ou_get_data(name, u(:, 1), ok)
    end if
    if (.not. ok) call wrong(name // ' was not due')
    single = real(u(:, 1)) ! NaN stays NaN
    values = 0
    do i = 1, n
      if (ieee_is_nan(u(i, 1)) .neqv. ieee_is_nan(single(i))) call wrong(name // ' changes in single precision')
      if (ieee_is_nan(u(i, 1))) cycle
      if (abs(u(i, 1)) > 1e4) call wrong(name // ' is out of range')
      values = values + 1
    end do
    if (n > 10 .and. values < 2) call wrong(name // ' has no values')
  end subroutine

  subroutine wrong(text)
    character(*), intent(in) :: text
    print '(a)', trim(me) // ': ' // text
    error stop 1
  end subroutine

end program traps

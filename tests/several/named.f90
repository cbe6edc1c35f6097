! SPDX-License-Identifier: BSD-3-Clause
!> named NAMES CONFIG PAIRS: the components of several.c, as AB, in each process of a job, by the calls of h3ou_api; it prints the
!> same lines, with the bits of the values in hexadecimal.
program named
  use, intrinsic :: iso_fortran_env, only: real64, int64
  use h3ou_api
  implicit none
  integer, parameter :: cells = 80, steps = 7, step = 600
  type model
    character(1) :: name
    integer :: n = 0
    integer :: cell(cells), time(6) = [2000, 1, 1, 0, 0, 0]
    real(real64) :: state(cells)
  end type
  character(80) :: names, config, pairs
  type(model), allocatable :: m(:)
  integer :: c, k

  call get_command_argument(1, names)
  call get_command_argument(2, config)
  call get_command_argument(3, pairs)
  allocate (m(len_trim(names)))
  do c = 1, size(m)
    m(c)%name = names(c:c)
  end do
  call h3ou_announce(m%name)
  do c = 1, size(m)
    call h3ou_init(m(c)%name, trim(config))
  end do
  do c = 1, size(m)
    call h3ou_select(m(c)%name)
    call define(m(c))
  end do
  do c = 1, size(m)
    call h3ou_select(m(c)%name)
    call h3ou_init_time(m(c)%time)
    call put_all(m(c), .true.)
  end do
  do k = 1, steps
    do c = 1, size(m)
      call h3ou_select(m(c)%name)
      call h3ou_set_time(m(c)%name, m(c)%time, step)
      call h3ou_inc_time(m(c)%time, step)
      call get_all(m(c))
      call put_all(m(c), .false.)
    end do
  end do
  do c = 1, size(m)
    do k = 1, m(c)%n
      print '(a, 1x, i0, 1x, z16.16)', m(c)%name, m(c)%cell(k), transfer(m(c)%state(k), 0_int64)
    end do
  end do
  call h3ou_end()
  deallocate (m)
contains
  subroutine define(a)
    type(model), intent(inout) :: a
    integer :: i
    do i = 1, size_of(a%name)
      if (mod(i, h3ou_get_my_size()) /= h3ou_get_my_rank()) cycle
      a%n = a%n + 1
      a%cell(a%n) = i
      a%state(a%n) = i + 0.125_real64 * ichar(a%name)
    end do
    call h3ou_def_grid(a%cell(:a%n), a%name, a%name // '_g', 1)
    call h3ou_end_grid_def()
    do i = 1, len_trim(pairs), 3
      if (pairs(i:i) == a%name .or. pairs(i + 1:i + 1) == a%name) call give_table(a%name, pairs(i:i), pairs(i + 1:i + 1))
    end do
  end subroutine

  integer function size_of(name)
    character(1), intent(in) :: name
    size_of = 60 + ichar(name) - ichar('A')
  end function

  subroutine give_table(me, from, to)
    character(1), intent(in) :: me, from, to
    integer :: i
    if (me == from) then
      call h3ou_set_interpolation_table(me, from, from // '_g', to, to // '_g', 1, &
        [(mod(7 * i + 3, size_of(from)) + 1, i=0, 3 * size_of(to) - 1)], [(i / 3 + 1, i=0, 3 * size_of(to) - 1)], &
        [(1.0_real64 / (3 + mod(i, 5)), i=0, 3 * size_of(to) - 1)])
    else
      call h3ou_set_interpolation_table(me, from, from // '_g', to, to // '_g', 1)
    end if
  end subroutine

  subroutine put_all(a, initial)
    type(model), intent(in) :: a
    logical, intent(in) :: initial
    integer :: i
    do i = 1, h3ou_get_num_of_put_data()
      if (initial .and. index(h3ou_get_put_data_name(i), 'now') == 1) cycle
      call h3ou_put_data_1d(trim(h3ou_get_put_data_name(i)), a%state(:a%n) * (1.0_real64 + i / 16.0_real64))
    end do
  end subroutine

  subroutine get_all(a)
    type(model), intent(inout) :: a
    real(real64) :: data(a%n), sum(a%n)
    integer :: i
    logical :: ok
    sum = 0.0_real64
    do i = 1, h3ou_get_num_of_get_data()
      call h3ou_get_data_1d(trim(h3ou_get_get_data_name(i)), data, is_recv_ok=ok)
      if (ok) sum = sum + data / (i + 1)
    end do
    a%state(:a%n) = 0.5_real64 * a%state(:a%n) + 0.25_real64 * sum + 0.01_real64 * a%cell(:a%n)
  end subroutine
end program

! SPDX-License-Identifier: BSD-3-Clause
!> The model of Lorenz (1996): forty cells around a circle of latitude, on which waves grow, travel and break.
!>
!>   lorenz96 nature|model CONFIG MEMBERS STEPS
!>
!> `model` is corrected in each step by what comes back of its state; `nature` is the truth, and gets nothing.
program lorenz96
  use h3ou_api
  implicit none
  integer, parameter :: dp = kind(1d0)
  integer, parameter :: ncell = 40
  real(dp), parameter :: forcing = 8d0
  real(dp), parameter :: dt = 0.05d0         !< of the model's time; errors double in about 0.42 of it, as in 2 days of weather
  integer, parameter :: step_seconds = 21600 !< so that such a step is six hours
  integer, parameter :: spin_up = 1000       !< steps before the run, in which the start is forgotten
  character(400) :: me, config
  integer :: steps, members, i, now(6), comm, group, nproc, rank
  real(dp) :: x(ncell)
  logical :: is_nature, is_new

  call get_command_argument(1, me)
  call get_command_argument(2, config)
  members = number(3)
  steps = number(4)
  is_nature = me == 'nature'

  call h3ou_init(trim(me), trim(config), nensemble=members)
  call h3ou_get_mpi_parameter(trim(me), comm, group, nproc, rank)
  if (nproc /= 1) call h3ou_abort('lorenz96: a member is one process: start as many as there are members')
  call begin(x)
  call define_grid()
  now = [2000, 1, 1, 0, 0, 0]
  call h3ou_init_time(now)
  do i = 1, steps
    call h3ou_set_time(trim(me), now, step_seconds)
    call advance(x)
    call h3ou_put_data(trim(merge('truth', 'state', is_nature)), x)
    if (.not. is_nature) call h3ou_get_data('analysis', x, is_recv_ok=is_new)
    call h3ou_inc_time(now, step_seconds)
  end do
  call h3ou_coupling_end(now, .true.)

contains

  integer function number(place)
    integer, intent(in) :: place
    character(40) :: arg
    call get_command_argument(place, arg)
    read (arg, *) number
  end function

  !> Each member begins with noise of its own, and has forgotten it but for where its waves are when the run begins.
  subroutine begin(x)
    real(dp), intent(out) :: x(:)
    integer :: k, seed_size
    call random_seed(size=seed_size)
    call random_seed(put=[(1000*merge(0, h3ou_get_couple_id(), is_nature) + k, k = 1, seed_size)])
    call random_number(x)
    x = forcing + x - 0.5d0
    do k = 1, spin_up
      call advance(x)
    end do
  end subroutine

  !> dx(i)/dt = (x(i+1) - x(i-2)) x(i-1) - x(i) + forcing
  pure function tendency(x)
    real(dp), intent(in) :: x(:)
    real(dp) :: tendency(size(x))
    tendency = (cshift(x, 1) - cshift(x, -2))*cshift(x, -1) - x + forcing
  end function

  !> One step by the method of Runge and Kutta of order four.
  pure subroutine advance(x)
    real(dp), intent(inout) :: x(:)
    real(dp), dimension(size(x)) :: a, b, c, d
    a = tendency(x)
    b = tendency(x + dt/2*a)
    c = tendency(x + dt/2*b)
    d = tendency(x + dt*c)
    x = x + dt/6*(a + 2*b + 2*c + d)
  end subroutine

  subroutine define_grid()
    integer :: k
    call h3ou_def_grid([(k, k = 1, ncell)], trim(me), 'circle', 1, [(360d0/ncell*(k - 1), k = 1, ncell)], [(0d0, k = 1, ncell)])
    call h3ou_end_grid_def()
  end subroutine

end program lorenz96

! SPDX-License-Identifier: BSD-3-Clause
!> All that the model knows of the coupler.
module mod_coupler
  use h3ou_api
  use mod_adm
  use mod_prc, only: PRC_comm
  implicit none
  private
  public :: COUPLER_start, COUPLER_put, COUPLER_step, COUPLER_get, COUPLER_end

  integer, parameter :: dp = kind(1d0)
  character(*), parameter :: me = 'nicam'
  integer :: time(6) = [2000, 1, 1, 0, 0, 0], step = 0

contains

  !> Several members are several jobs. MPI runs already: the coupler lives in the model's communicator.
  subroutine COUPLER_start(config, nmember)
    character(*), intent(in) :: config
    integer, intent(in) :: nmember
    call h3ou_init(me, config, nensemble=nmember, comm=PRC_comm)
    call define_grid()
    call h3ou_init_time(time)
  end subroutine

  !> Which cells I hold, and where in arrays (gall, kall, lall) they stand: the inside of my regions; a pole in a region's halo.
  subroutine define_grid()
    integer :: cell(ADM_lall*ADM_gall), position(2, ADM_lall*ADM_gall), n, l, i, j, k
    real(dp), allocatable :: lon(:), lat(:), lon_corners(:, :), lat_corners(:, :)
    n = 0
    do l = 1, ADM_lall
      do j = ADM_gmin, ADM_gmax
        do i = ADM_gmin, ADM_gmax
          call add(i + (j - 1)*ADM_gall_1d, l)
        end do
      end do
    end do
    do k = 1, ADM_lall_pl
      if (ADM_have_pl(k)) call add(ADM_ij4pl(k), findloc(ADM_rgnid, ADM_rgn4pl(k), 1))
    end do
    allocate (lon(n), lat(n), lon_corners(6, n), lat_corners(6, n))
    call angles(reshape(ADM_grid%x(:, cell(1:n)), [3, n]), lon, lat)
    do k = 1, 6
      call angles(reshape(ADM_grid%corner(:, k, cell(1:n)), [3, n]), lon_corners(k, :), lat_corners(k, :))
    end do
    call h3ou_def_grid(cell(1:n), me, 'nicam_icos', ADM_kall, lon, lat, lon_corners, lat_corners, units='radians', &
                       shape=[ADM_gall, -1, ADM_lall], position=position(:, 1:n))
    call h3ou_end_grid_def()

  contains

    subroutine add(ij, region)
      integer, intent(in) :: ij, region
      n = n + 1
      cell(n) = ADM_cell(ij, ADM_rgnid(region))
      position(:, n) = [ij, region]
    end subroutine

  end subroutine

  pure subroutine angles(x, lon, lat)
    real(dp), intent(in) :: x(:, :)
    real(dp), intent(out) :: lon(:), lat(:)
    lat = asin(max(-1d0, min(1d0, x(3, :))))
    lon = atan2(x(2, :), x(1, :))
  end subroutine

  !> var(gall, kall, lall), with its halo filled: so the poles are put, too.
  subroutine COUPLER_put(name, var)
    character(*), intent(in) :: name
    real(dp), intent(in) :: var(:, :, :)
    call h3ou_put_data(name, var)
  end subroutine

  subroutine COUPLER_step(dt)
    integer, intent(in) :: dt
    if (step > 0) call h3ou_inc_time(time, step)
    step = dt
    call h3ou_set_time(me, time, step)
  end subroutine

  !> var(gall, lall), var_pl(lall_pl): as they were where nothing came.
  subroutine COUPLER_get(name, var, var_pl)
    character(*), intent(in) :: name
    real(dp), intent(inout) :: var(:, :), var_pl(:)
    logical :: is_new
    integer :: k
    call h3ou_get_data(name, var, is_recv_ok=is_new)
    do k = 1, ADM_lall_pl
      if (is_new .and. ADM_have_pl(k)) var_pl(k) = var(ADM_ij4pl(k), findloc(ADM_rgnid, ADM_rgn4pl(k), 1))
    end do
  end subroutine

  subroutine COUPLER_end()
    call h3ou_inc_time(time, step)
    call h3ou_coupling_end(time, .false.)
  end subroutine

end module mod_coupler

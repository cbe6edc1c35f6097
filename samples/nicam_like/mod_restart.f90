! SPDX-License-Identifier: BSD-3-Clause
!> Restart files: one for each region and one for each pole, so that a run may go on with another number of processes; and files of
!> the cells' coordinates for those who draw. Unformatted streams of real(8) without the halo: (i, j, layer, variable).
module mod_restart
  use mod_adm
  use mod_comm, only: COMM_data_transfer
  use mod_prc, only: PRC_stop
  use mod_swm, only: SWM_prg, SWM_prg_pl
  implicit none
  private
  public :: RESTART_read, RESTART_write

  integer, parameter :: dp = kind(1d0)

contains

  subroutine RESTART_read(folder)
    character(*), intent(in) :: folder
    integer :: l, unit, i
    real(dp), allocatable :: values(:, :, :, :)
    allocate (values(ADM_gmax - 1, ADM_gmax - 1, ADM_kall, size(SWM_prg, 4)))
    do l = 1, ADM_lall
      call open_file(folder, 'restart.rgn', ADM_rgnid(l), 'old', unit)
      read (unit, iostat=i) values
      if (i /= 0) call PRC_stop('a restart file in ' // trim(folder) // ' is too short')
      close (unit)
      do i = ADM_gmin, ADM_gmax
        SWM_prg((i - 1)*ADM_gall_1d + ADM_gmin:(i - 1)*ADM_gall_1d + ADM_gmax, :, l, :) = values(:, i - 1, :, :)
      end do
    end do
    do l = 1, ADM_lall_pl
      if (.not. ADM_have_pl(l)) cycle
      call open_file(folder, 'restart.pl', l, 'old', unit)
      read (unit, iostat=i) SWM_prg_pl(1, :, l, :)
      if (i /= 0) call PRC_stop('a restart file in ' // trim(folder) // ' is too short')
      close (unit)
    end do
    call COMM_data_transfer(SWM_prg, SWM_prg_pl)
  end subroutine

  subroutine RESTART_write(folder)
    character(*), intent(in) :: folder
    integer :: l, unit, i
    integer, allocatable :: inner(:)
    inner = [((i, i=(l - 1)*ADM_gall_1d + ADM_gmin, (l - 1)*ADM_gall_1d + ADM_gmax), l=ADM_gmin, ADM_gmax)]
    do l = 1, ADM_lall
      call open_file(folder, 'restart.rgn', ADM_rgnid(l), 'replace', unit)
      write (unit) SWM_prg(inner, :, l, :)
      close (unit)
      call open_file(folder, 'grid.rgn', ADM_rgnid(l), 'replace', unit)
      write (unit) ADM_grid%x(:, ADM_cell(inner, ADM_rgnid(l))), ADM_grid%area(ADM_cell(inner, ADM_rgnid(l)))
      close (unit)
    end do
    do l = 1, ADM_lall_pl
      if (.not. ADM_have_pl(l)) cycle
      call open_file(folder, 'restart.pl', l, 'replace', unit)
      write (unit) SWM_prg_pl(1, :, l, :)
      close (unit)
      call open_file(folder, 'grid.pl', l, 'replace', unit)
      write (unit) ADM_grid%x(:, ADM_pl(1, l)), ADM_grid%area(ADM_pl(1, l))
      close (unit)
    end do
  end subroutine

  subroutine open_file(folder, name, number, status, unit)
    character(*), intent(in) :: folder, name, status
    integer, intent(in) :: number
    integer, intent(out) :: unit
    character(8) :: digits
    integer :: failed
    write (digits, '(i5.5)') number
    open (newunit=unit, file=trim(folder) // '/' // name // trim(digits), form='unformatted', access='stream', status=status, &
          iostat=failed)
    if (failed /= 0) call PRC_stop('cannot open ' // trim(folder) // '/' // name // trim(digits))
  end subroutine

end module mod_restart

! SPDX-License-Identifier: BSD-3-Clause
!> A small model that is built as NICAM is; alone, or coupled with an ocean.
!>
!>   nicam NAMELIST [SERVERS]
program nicam
  use mod_adm
  use mod_comm, only: COMM_start
  use mod_coupler
  use mod_prc
  use mod_restart, only: RESTART_read, RESTART_write
  use mod_swm
  implicit none
  integer, parameter :: dp = kind(1d0)
  integer :: glevel = 5, rlevel = 1, dt = 600, nstep = 144, member = 0, nmember = 1
  character(400) :: mnginfo = 'mnginfo.txt', restart_input = '', restart_output = '.', config = '', logfile = 'nicam.log'
  namelist /nicam_param/ glevel, rlevel, mnginfo, dt, nstep, member, nmember, restart_input, restart_output, config, logfile
  character(400) :: file, servers
  real(dp), allocatable :: heat(:, :)
  real(dp) :: heat_pl(ADM_lall_pl)
  logical :: is_coupled
  integer :: i, unit, status

  call get_command_argument(1, file)
  call get_command_argument(2, servers)
  call PRC_start(merge(1, 0, servers == '1'))
  open (newunit=unit, file=file, status='old', action='read', iostat=status)
  if (status == 0) read (unit, nml=nicam_param, iostat=status)
  if (status /= 0) call PRC_stop('cannot read the namelist nicam_param of ' // trim(file))
  close (unit)
  if (PRC_is_server) then
    call PRC_serve(trim(logfile))
    call PRC_finish()
    stop
  end if

  call ADM_start(glevel, rlevel, trim(mnginfo))
  call COMM_start()
  call SWM_start(member)
  if (len_trim(restart_input) > 0) call RESTART_read(trim(restart_input))
  allocate (heat(ADM_gall, ADM_lall))
  heat = 0 ! over land, where no flux arrives
  heat_pl = 0
  is_coupled = len_trim(config) > 0
  if (is_coupled) then
    call COUPLER_start(trim(config), nmember)
    call put_air()
  end if
  call report(0)
  do i = 1, nstep
    if (is_coupled) then
      call COUPLER_step(dt)
      call COUPLER_get('heat_flux', heat, heat_pl)
    end if
    call SWM_step(real(dt, dp), heat, heat_pl)
    call SWM_check()
    if (is_coupled) call put_air()
    if (modulo(i*dt, 21600) == 0) call report(i)
  end do
  call RESTART_write(trim(restart_output))
  if (is_coupled) call COUPLER_end()
  call PRC_finish()

contains

  !> Temperature and wind speed of the lower layer; gusts are always there.
  subroutine put_air()
    real(dp) :: air(ADM_gall, 2, ADM_lall)
    air(:, 1, :) = SWM_prg(:, 1, :, I_HEAT)/SWM_prg(:, 1, :, I_DEPTH)
    air(:, 2, :) = sqrt(sum(SWM_prg(:, 1, :, I_VX:I_VZ)**2, 3) + 4)
    call COUPLER_put('air', air)
  end subroutine

  subroutine report(step)
    integer, intent(in) :: step
    character(120) :: line
    write (line, '(a,i0,a,i0,a,es24.16,a)') 'nicam: member ', member, ', ', step*dt, ' s: volume', SWM_mass(), ' m3'
    call PRC_log(line)
  end subroutine

end program nicam

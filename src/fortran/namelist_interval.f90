! SPDX-License-Identifier: BSD-3-Clause
!> The key intvl, which is a number or a text. Each is read by Fortran's own reader, and handed on as a text.
module namelist_interval
  use namelist_groups, only: group, as_namelist
  use, intrinsic :: iso_c_binding, only: c_int64_t, c_double
  implicit none
  private
  public :: interval_text

contains

  !> Returns the value of key i as a text; stat is not 0 when it is none of the three.
  subroutine interval_text(g, i, text, stat)
    type(group), intent(in) :: g
    integer, intent(in) :: i
    character(:), allocatable, intent(out) :: text
    integer, intent(out) :: stat
    character(:), allocatable :: raw
    raw = adjustl(g%text(g%key(i)%equals + 1:g%key(i)%last))
    raw = raw(:verify(raw, ' ,', back=.true.))
    if (scan(raw, '''"') == 1) then
      call read_text(as_namelist(g, i, i), text, stat)
    else if (verify(raw, '+-0123456789*') == 0) then
      call read_whole(as_namelist(g, i, i), text, stat)
    else
      call read_real(as_namelist(g, i, i), text, stat)
    end if
  end subroutine

  subroutine read_text(from, text, stat)
    character(*), intent(in) :: from
    character(:), allocatable, intent(out) :: text
    integer, intent(out) :: stat
    character(64) :: intvl
    namelist /h3ou_var/ intvl
    intvl = ''
    read (from, nml=h3ou_var, iostat=stat)
    text = trim(adjustl(intvl))
  end subroutine

  subroutine read_whole(from, text, stat)
    character(*), intent(in) :: from
    character(:), allocatable, intent(out) :: text
    integer, intent(out) :: stat
    integer(c_int64_t) :: intvl
    character(32) :: number
    namelist /h3ou_var/ intvl
    intvl = 0
    read (from, nml=h3ou_var, iostat=stat)
    write (number, '(i0)') intvl
    text = trim(number)
  end subroutine

  subroutine read_real(from, text, stat)
    character(*), intent(in) :: from
    character(:), allocatable, intent(out) :: text
    integer, intent(out) :: stat
    real(c_double) :: intvl
    character(32) :: number
    namelist /h3ou_var/ intvl
    intvl = 0
    read (from, nml=h3ou_var, iostat=stat)
    write (number, '(es25.16e3)') intvl
    text = trim(adjustl(number))
  end subroutine

end module namelist_interval

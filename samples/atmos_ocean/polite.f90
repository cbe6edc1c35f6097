! SPDX-License-Identifier: BSD-3-Clause
!> Waiting for messages without keeping the core: some MPIs spin while they wait, which is slow where processes outnumber cores.
module polite
  use, intrinsic :: iso_c_binding, only: c_int
  use mpi
  implicit none
  private
  public :: wait_all

  interface
    integer(c_int) function sched_yield() bind(C, name='sched_yield')
      import :: c_int
    end function
    integer(c_int) function usleep(microseconds) bind(C, name='usleep')
      import :: c_int
      integer(c_int), value :: microseconds
    end function
  end interface

contains

  subroutine wait_all(n, request)
    integer, intent(in) :: n
    integer, intent(inout) :: request(:)
    logical :: done
    integer :: turn, ierr
    integer(c_int) :: ignored
    turn = 0
    do
      call MPI_Testall(n, request, done, MPI_STATUSES_IGNORE, ierr)
      if (done) exit
      turn = turn + 1
      if (turn < 200) then
        ignored = sched_yield()
      else
        ignored = usleep(50_c_int)
      end if
    end do
  end subroutine

end module polite

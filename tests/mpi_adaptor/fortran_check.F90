! SPDX-License-Identifier: BSD-3-Clause
! What the cases of Fortran share: who this process is, and what went wrong. Prints "ok CASE" or "FAIL CASE".
#include "fortran_face.h"
module fortran_check
  BINDING
  implicit none
  HEADER
  integer, parameter :: n = 4
  integer :: me, left, right, wrong = 0, failed = 0, cases = 0, calls = 0
  integer, save :: seen
contains
  subroutine check(ok, what)
    logical, intent(in) :: ok
    character(len=*), intent(in) :: what
    if (ok) return
    wrong = wrong + 1
    print '(a,i0,2a)', 'rank ', me, ': ', what
  end subroutine check

  subroutine call_ok(code, what)
    integer, intent(in) :: code
    character(len=*), intent(in) :: what
    character(len=MPI_MAX_ERROR_STRING) :: text
    integer :: length, ierr
    if (code == MPI_SUCCESS) return
    call MPI_Error_string(code, text, length, ierr)
    call check(.false., what//' failed: '//text(:length))
  end subroutine call_ok

  subroutine end_case(name)
    character(len=*), intent(in) :: name
    integer :: all, ierr
    call MPI_Allreduce(wrong, all, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
    cases = cases + 1
    if (all > 0) failed = failed + 1
    if (me == 0) print '(2a)', merge('FAIL ', 'ok   ', all > 0), name
    wrong = 0
  end subroutine end_case
end module fortran_check

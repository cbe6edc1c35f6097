! SPDX-License-Identifier: BSD-3-Clause
! One-sided calls: windows of each kind, each way to synchronise, attributes and error handlers of windows.
#include "fortran_face.h"
module fortran_windows
  use fortran_check
  use, intrinsic :: iso_c_binding, only: c_ptr, c_f_pointer
  implicit none
  private
  public :: window_cases
  integer, parameter :: aint = MPI_ADDRESS_KIND
  integer :: ierr
contains
  subroutine window_cases
    call locks
    call requests
    call posts
    call kinds
    call handled
  end subroutine window_cases

  subroutine locks
    HANDLE(MPI_Win) :: win
    type(c_ptr) :: base
    integer, pointer, asynchronous :: memory(:)
    integer, asynchronous :: before, mine, other, result(1)
    call MPI_Win_allocate(64_aint, 4, MPI_INFO_NULL, MPI_COMM_WORLD, base, win, ierr)
    call call_ok(ierr, 'MPI_Win_allocate')
    call c_f_pointer(base, memory, [2])
    memory = 0
    mine = me + 1
    call MPI_Barrier(MPI_COMM_WORLD, ierr)
    call MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win, ierr)
    call MPI_Fetch_and_op(mine, before, MPI_INTEGER, 0, 0_aint, MPI_SUM, win, ierr)
    call MPI_Win_flush(0, win, ierr)
    call check(before >= 0 .and. before <= 10 - mine, 'MPI_Fetch_and_op')
    call MPI_Win_unlock(0, win, ierr)
    call MPI_Barrier(MPI_COMM_WORLD, ierr)
    call MPI_Win_lock_all(0, win, ierr)
    call MPI_Fetch_and_op(mine, before, MPI_INTEGER, 0, 0_aint, MPI_NO_OP, win, ierr)
    call MPI_Win_flush_all(win, ierr)
    call check(before == 10, 'MPI_NO_OP')
    call MPI_Barrier(MPI_COMM_WORLD, ierr)
    if (me == 2) then
      mine = 99
      other = 10
      call MPI_Compare_and_swap(mine, other, before, MPI_INTEGER, 0, 0_aint, win, ierr)
      call MPI_Win_flush_local(0, win, ierr)
      call MPI_Win_flush(0, win, ierr)
      call check(before == 10, 'MPI_Compare_and_swap')
    end if
    call MPI_Barrier(MPI_COMM_WORLD, ierr)
    mine = me + 1
    call MPI_Get_accumulate(mine, 1, MPI_INTEGER, result, 1, MPI_INTEGER, right, 1_aint, 1, MPI_INTEGER, MPI_REPLACE, win, ierr)
    call MPI_Win_flush_local_all(win, ierr)
    call MPI_Get(before, 1, MPI_INTEGER, 0, 0_aint, 1, MPI_INTEGER, win, ierr)
    call MPI_Win_flush_all(win, ierr)
    call check(result(1) == 0 .and. before == 99, 'MPI_Get_accumulate and MPI_Get')
    call MPI_Win_sync(win, ierr)
    call MPI_Win_unlock_all(win, ierr)
    call MPI_Barrier(MPI_COMM_WORLD, ierr)
    call check(memory(2) == left + 1, 'what the left neighbour put')
    call MPI_Win_free(win, ierr)
    call end_case('windows_locks')
  end subroutine locks

  subroutine requests
    HANDLE(MPI_Win) :: win
    HANDLE(MPI_Request) :: all_of(4)
    type(c_ptr) :: base
    integer, pointer, asynchronous :: memory(:)
    integer, asynchronous :: mine(2), got(2)
    call MPI_Win_allocate(64_aint, 4, MPI_INFO_NULL, MPI_COMM_WORLD, base, win, ierr)
    call c_f_pointer(base, memory, [4])
    memory = [1, 2, 3, 4]
    mine = [me, 10]
    call MPI_Barrier(MPI_COMM_WORLD, ierr)
    call MPI_Win_lock_all(MPI_MODE_NOCHECK, win, ierr)
    call MPI_Rput(mine(1), 1, MPI_INTEGER, right, 0_aint, 1, MPI_INTEGER, win, all_of(1), ierr)
    call MPI_Raccumulate(mine(2), 1, MPI_INTEGER, right, 1_aint, 1, MPI_INTEGER, MPI_SUM, win, all_of(2), ierr)
    call MPI_Rget_accumulate(mine(2), 1, MPI_INTEGER, got(1), 1, MPI_INTEGER, right, 2_aint, 1, MPI_INTEGER, MPI_PROD, win, all_of(3), ierr)
    call MPI_Rget(got(2), 1, MPI_INTEGER, right, 3_aint, 1, MPI_INTEGER, win, all_of(4), ierr)
    call MPI_Waitall(4, all_of, MPI_STATUSES_IGNORE, ierr)
    call check(got(1) == 3 .and. got(2) == 4, 'MPI_Rget')
    call MPI_Win_flush_all(win, ierr)
    call MPI_Win_unlock_all(win, ierr)
    call MPI_Barrier(MPI_COMM_WORLD, ierr)
    call check(all(memory == [left, 12, 30, 4]), 'MPI_Rput')
    call MPI_Win_free(win, ierr)
    call end_case('windows_requests')
  end subroutine requests

  subroutine posts
    HANDLE(MPI_Win) :: win
    HANDLE(MPI_Group) :: world, near
    type(c_ptr) :: base
    integer, pointer, asynchronous :: memory(:)
    integer, asynchronous :: mine
    integer :: round
    logical :: flag
    call MPI_Win_allocate(64_aint, 4, MPI_INFO_NULL, MPI_COMM_WORLD, base, win, ierr)
    call c_f_pointer(base, memory, [4])
    memory = -1
    call MPI_Win_get_group(win, world, ierr)
    call MPI_Group_incl(world, 2, merge([2, 3], [0, 1], me < 2), near, ierr)
    do round = 1, 2
      mine = 10*round + me
      if (me < 2) then
        call MPI_Win_start(near, 0, win, ierr)
        call MPI_Put(mine, 1, MPI_INTEGER, 2, int(me, aint), 1, MPI_INTEGER, win, ierr)
        call MPI_Put(mine, 1, MPI_INTEGER, 3, int(me, aint), 1, MPI_INTEGER, win, ierr)
        call MPI_Win_complete(win, ierr)
      else
        call MPI_Win_post(near, 0, win, ierr)
        flag = round == 2
        do while (.not. flag)
          call MPI_Win_test(win, flag, ierr)
          if (ierr /= MPI_SUCCESS) exit
        end do
        if (round == 2) call MPI_Win_wait(win, ierr)
        call check(memory(1) == 10*round .and. memory(2) == 10*round + 1, 'MPI_Win_post')
      end if
    end do
    call MPI_Win_fence(0, win, ierr)
    mine = 1
    call MPI_Accumulate(mine, 1, MPI_INTEGER, 0, 3_aint, 1, MPI_INTEGER, MPI_SUM, win, ierr)
    call MPI_Win_fence(0, win, ierr)
    call check(memory(4) == merge(3, -1, me == 0), 'MPI_Accumulate')
    call MPI_Group_free(near, ierr)
    call MPI_Group_free(world, ierr)
    call MPI_Win_free(win, ierr)
    call end_case('windows_posts')
  end subroutine posts

  subroutine kinds
    HANDLE(MPI_Win) :: win
    HANDLE(MPI_Info) :: info
    type(c_ptr) :: base
    integer, pointer, asynchronous :: memory(:), theirs(:)
    integer, asynchronous, save :: attached(16)
    integer, asynchronous :: mine
    integer(aint) :: size, places(n), place
    integer :: unit, length
    character(len=MPI_MAX_OBJECT_NAME) :: name
    call MPI_Win_allocate_shared(64_aint, 4, MPI_INFO_NULL, MPI_COMM_WORLD, base, win, ierr)
    call c_f_pointer(base, memory, [2])
    call MPI_Win_lock_all(0, win, ierr)
    memory = 7*me
    call MPI_Win_sync(win, ierr)
    call MPI_Barrier(MPI_COMM_WORLD, ierr)
    call MPI_Win_shared_query(win, right, size, unit, base, ierr)
    call c_f_pointer(base, theirs, [2])
    call MPI_Win_sync(win, ierr)
    call check(size == 64 .and. unit == 4 .and. theirs(1) == 7*right, 'MPI_Win_shared_query')
    call MPI_Barrier(MPI_COMM_WORLD, ierr)
    call MPI_Win_unlock_all(win, ierr)
    call MPI_Win_set_name(win, 'shared', ierr)
    call MPI_Win_get_name(win, name, length, ierr)
#ifdef HAS_WINDOW_NAME
    call check(name == 'shared' .and. length == 6, 'MPI_Win_set_name')
#endif
    call MPI_Win_get_info(win, info, ierr)
    call MPI_Win_set_info(win, info, ierr)
    call call_ok(ierr, 'MPI_Win_set_info')
    call MPI_Info_free(info, ierr)
    call MPI_Win_free(win, ierr)
    call MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, win, ierr)
    call MPI_Win_attach(win, attached, 64_aint, ierr)
    attached = -1
    call MPI_Get_address(attached(2), place, ierr)
    call MPI_Allgather(place, 1, MPI_AINT, places, 1, MPI_AINT, MPI_COMM_WORLD, ierr)
    mine = me
    call MPI_Win_fence(0, win, ierr)
    call MPI_Put(mine, 1, MPI_INTEGER, right, places(right + 1), 1, MPI_INTEGER, win, ierr)
    call MPI_Win_fence(0, win, ierr)
    call check(attached(2) == left .and. attached(1) == -1, 'MPI_Win_attach')
    call MPI_Win_detach(win, attached, ierr)
    call call_ok(ierr, 'MPI_Win_detach')
    call MPI_Win_free(win, ierr)
    call end_case('windows_kinds')
  end subroutine kinds

  subroutine copy_value(win, key, extra, in, out, flag, ierror)
    HANDLE(MPI_Win) :: win
    integer :: key, ierror
    integer(aint) :: extra, in, out
    logical :: flag
    out = in + extra + 0*key
    flag = win /= MPI_WIN_NULL
    ierror = MPI_SUCCESS
  end subroutine copy_value

  subroutine delete_value(win, key, value, extra, ierror)
    HANDLE(MPI_Win) :: win
    integer :: key, ierror
    integer(aint) :: value, extra
    calls = calls + merge(1, 1000, value == 3000000000_aint .and. extra == 5) ! Open MPI 4.1.4 passes a null window
    ierror = merge(MPI_SUCCESS, MPI_ERR_OTHER, key /= MPI_KEYVAL_INVALID)
  end subroutine delete_value

  subroutine on_win(win, code)
    HANDLE(MPI_Win) :: win
    integer :: code
    calls = calls + merge(1, 1000, win /= MPI_WIN_NULL)
    call MPI_Error_class(code, seen, ierr)
  end subroutine on_win

  subroutine handled
    HANDLE(MPI_Win) :: win
    HANDLE(MPI_Errhandler) :: handler, got
    type(c_ptr) :: base
    integer :: key
    integer(aint) :: value
    logical :: flag
    call MPI_Win_allocate(64_aint, 4, MPI_INFO_NULL, MPI_COMM_WORLD, base, win, ierr)
    call MPI_Win_create_keyval(copy_value, delete_value, key, 5_aint, ierr)
    call MPI_Win_set_attr(win, key, 3000000000_aint, ierr)
    call MPI_Win_get_attr(win, key, value, flag, ierr)
    call check(flag .and. value == 3000000000_aint, 'MPI_Win_get_attr')
    calls = 0
    call MPI_Win_delete_attr(win, key, ierr)
    call check(calls == 1, 'MPI_Win_delete_attr')
    call MPI_Win_free_keyval(key, ierr)
    call MPI_Win_create_errhandler(on_win, handler, ierr)
    call MPI_Win_set_errhandler(win, handler, ierr)
    call MPI_Win_get_errhandler(win, got, ierr)
    call check(got == handler, 'MPI_Win_get_errhandler')
    calls = 0
    call MPI_Win_call_errhandler(win, MPI_ERR_RMA_SYNC, ierr)
    call check(calls == 1 .and. seen == MPI_ERR_RMA_SYNC, 'MPI_Win_call_errhandler')
    call MPI_Errhandler_free(handler, ierr)
    call MPI_Win_free(win, ierr)
    call end_case('windows_handled')
  end subroutine handled
end module fortran_windows

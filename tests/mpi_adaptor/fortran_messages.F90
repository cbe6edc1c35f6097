! SPDX-License-Identifier: BSD-3-Clause
! Messages in each mode, started, persistent, probed and cancelled; packing.
#include "fortran_face.h"
module fortran_messages
  use fortran_check
  use, intrinsic :: iso_c_binding, only: c_ptr
  implicit none
  private
  public :: message_cases
  integer :: ierr
contains
  subroutine message_cases
    call modes
    call sets
    call persistent
    call matched
    call packed
  end subroutine message_cases

  subroutine modes
    character, asynchronous, save :: room(2000)
    integer, asynchronous :: mine(4), got(4)
    integer :: size, i
    type(c_ptr) :: base
    STATUSES(4) :: statuses
    HANDLE(MPI_Request) :: sends(4), receives(4)
    STATUS :: status
    call MPI_Buffer_attach(room, 2000, ierr)
    call call_ok(ierr, 'MPI_Buffer_attach')
    mine = [(10*me + i, i = 1, 4)]
    do i = 1, 4
      call MPI_Irecv(got(i), 1, MPI_INTEGER, left, i, MPI_COMM_WORLD, receives(i), ierr)
    end do
    call MPI_Barrier(MPI_COMM_WORLD, ierr)
    call MPI_Bsend(mine(1), 1, MPI_INTEGER, right, 1, MPI_COMM_WORLD, ierr)
    call MPI_Ssend(mine(2), 1, MPI_INTEGER, right, 2, MPI_COMM_WORLD, ierr)
    call MPI_Rsend(mine(3), 1, MPI_INTEGER, right, 3, MPI_COMM_WORLD, ierr)
    call MPI_Send(mine(4), 1, MPI_INTEGER, right, 4, MPI_COMM_WORLD, ierr)
    call MPI_Waitall(4, receives, statuses, ierr)
    call check(all(got == [(10*left + i, i = 1, 4)]) .and. TAG_AT(statuses, 3) == 3, 'blocking modes')
    do i = 1, 4
      call MPI_Irecv(got(i), 1, MPI_INTEGER, left, i, MPI_COMM_WORLD, receives(i), ierr)
    end do
    call MPI_Barrier(MPI_COMM_WORLD, ierr)
    mine = mine + 1000
    call MPI_Ibsend(mine(1), 1, MPI_INTEGER, right, 1, MPI_COMM_WORLD, sends(1), ierr)
    call MPI_Issend(mine(2), 1, MPI_INTEGER, right, 2, MPI_COMM_WORLD, sends(2), ierr)
    call MPI_Irsend(mine(3), 1, MPI_INTEGER, right, 3, MPI_COMM_WORLD, sends(3), ierr)
    call MPI_Isend(mine(4), 1, MPI_INTEGER, right, 4, MPI_COMM_WORLD, sends(4), ierr)
    call MPI_Waitall(4, sends, MPI_STATUSES_IGNORE, ierr)
    call MPI_Waitall(4, receives, MPI_STATUSES_IGNORE, ierr)
    call check(all(got == [(1000 + 10*left + i, i = 1, 4)]), 'started modes')
    call MPI_Buffer_detach(base, size, ierr)
    call check(ierr == MPI_SUCCESS .and. size == 2000, 'MPI_Buffer_detach')
    got(1) = me
    call MPI_Sendrecv_replace(got, 1, MPI_INTEGER, right, 7, left, 7, MPI_COMM_WORLD, status, ierr)
    call check(got(1) == left .and. SOURCE_OF(status) == left .and. TAG_OF(status) == 7, 'MPI_Sendrecv_replace')
    call end_case('messages_modes')
  end subroutine modes

  subroutine sets
    integer, asynchronous :: mine, got(3)
    integer :: place, places(3), done, i, total
    HANDLE(MPI_Request) :: receives(3), one
    STATUSES(3) :: statuses
    STATUS :: status
    logical :: flag
    mine = me
    do i = 1, 3
      call MPI_Irecv(got(i), 1, MPI_INTEGER, left, i, MPI_COMM_WORLD, receives(i), ierr)
    end do
    do i = 1, 3
      call MPI_Send(mine + i, 1, MPI_INTEGER, right, i, MPI_COMM_WORLD, ierr)
    end do
    flag = .false.
    do while (.not. flag)
      call MPI_Request_get_status(receives(1), flag, status, ierr)
      if (ierr /= MPI_SUCCESS) exit
    end do
    call check(SOURCE_OF(status) == left .and. receives(1) /= MPI_REQUEST_NULL, 'MPI_Request_get_status')
    flag = .false.
    do while (.not. flag)
      call MPI_Test(receives(1), flag, status, ierr)
      if (ierr /= MPI_SUCCESS) exit
    end do
    call check(got(1) == left + 1 .and. TAG_OF(status) == 1 .and. receives(1) == MPI_REQUEST_NULL, 'MPI_Test')
    flag = .false.
    do while (.not. flag)
      call MPI_Testany(3, receives, place, flag, status, ierr)
      if (ierr /= MPI_SUCCESS) exit
    end do
    call check(TAG_OF(status) == 2 .or. TAG_OF(status) == 3, 'MPI_Testany')
#ifndef WITH_F08
    call check(place == TAG_OF(status), 'MPI_Testany counts from 1') ! MPICH 4.0.2 counts from 0 with mpi_f08
#endif
    total = 0
    do while (total < 1)
      call MPI_Testsome(3, receives, done, places, statuses, ierr)
      if (ierr /= MPI_SUCCESS) exit
      total = total + done
    end do
    call check(total == 1 .and. TAG_AT(statuses, 1) + TAG_OF(status) == 5, 'MPI_Testsome')
    call check(all(got == [left + 1, left + 2, left + 3]), 'what was received')
    call MPI_Irecv(got, 1, MPI_INTEGER, left, 99, MPI_COMM_WORLD, one, ierr)
    call MPI_Cancel(one, ierr)
    call MPI_Wait(one, status, ierr)
    call MPI_Test_cancelled(status, flag, ierr)
    call check(flag, 'MPI_Test_cancelled')
    call MPI_Status_set_elements_x(status, MPI_INTEGER, 5000000000_MPI_COUNT_KIND, ierr)
    block
      integer(MPI_COUNT_KIND) :: many
      call MPI_Get_elements_x(status, MPI_INTEGER, many, ierr)
      call check(many == 5000000000_MPI_COUNT_KIND, 'MPI_Get_elements_x')
    end block
    call MPI_Status_set_elements(status, MPI_INTEGER, 3, ierr)
    call MPI_Status_set_cancelled(status, .false., ierr)
    call MPI_Test_cancelled(status, flag, ierr)
    call MPI_Get_elements(status, MPI_INTEGER, done, ierr)
    call check(done == 3 .and. .not. flag, 'status that was set')
    call end_case('messages_sets')
  end subroutine sets

  subroutine persistent
    character, asynchronous, save :: room(2000)
    integer, asynchronous :: mine(4), got(4)
    integer :: round, size, i
    type(c_ptr) :: base
    HANDLE(MPI_Request) :: sends(4), receives(4)
    logical :: flag
    call MPI_Buffer_attach(room, 2000, ierr)
    do i = 1, 4
      call MPI_Recv_init(got(i), 1, MPI_INTEGER, left, i, MPI_COMM_WORLD, receives(i), ierr)
    end do
    call MPI_Send_init(mine(1), 1, MPI_INTEGER, right, 1, MPI_COMM_WORLD, sends(1), ierr)
    call MPI_Bsend_init(mine(2), 1, MPI_INTEGER, right, 2, MPI_COMM_WORLD, sends(2), ierr)
    call MPI_Ssend_init(mine(3), 1, MPI_INTEGER, right, 3, MPI_COMM_WORLD, sends(3), ierr)
    call MPI_Rsend_init(mine(4), 1, MPI_INTEGER, right, 4, MPI_COMM_WORLD, sends(4), ierr)
    do round = 1, 2
      mine = [(100*round + 10*me + i, i = 1, 4)]
      call MPI_Startall(4, receives, ierr)
      call MPI_Barrier(MPI_COMM_WORLD, ierr)
      do i = 1, 4
        call MPI_Start(sends(i), ierr)
      end do
      call MPI_Waitall(4, sends, MPI_STATUSES_IGNORE, ierr)
      flag = .false.
      do while (.not. flag)
        call MPI_Testall(4, receives, flag, MPI_STATUSES_IGNORE, ierr)
        if (ierr /= MPI_SUCCESS) exit
      end do
      call check(all(got == [(100*round + 10*left + i, i = 1, 4)]), 'persistent messages')
    end do
    do i = 1, 4
      call MPI_Request_free(sends(i), ierr)
      call MPI_Request_free(receives(i), ierr)
    end do
    call check(sends(2) == MPI_REQUEST_NULL, 'MPI_Request_free')
    call MPI_Buffer_detach(base, size, ierr)
    call end_case('messages_persistent')
  end subroutine persistent

  subroutine matched
    integer :: got(2), count
    HANDLE(MPI_Message) :: message
    HANDLE(MPI_Request) :: send(2), receive
    STATUS :: status
    logical :: flag
    integer, asynchronous :: mine(2)
    mine = [me, 77]
    call MPI_Isend(mine, 2, MPI_INTEGER, right, 1, MPI_COMM_WORLD, send(1), ierr)
    call MPI_Mprobe(left, 1, MPI_COMM_WORLD, message, status, ierr)
    call MPI_Get_count(status, MPI_INTEGER, count, ierr)
    call check(count == 2 .and. message /= MPI_MESSAGE_NULL, 'MPI_Mprobe')
    call MPI_Mrecv(got, 2, MPI_INTEGER, message, status, ierr)
    call check(got(1) == left .and. got(2) == 77 .and. message == MPI_MESSAGE_NULL, 'MPI_Mrecv')
    call MPI_Isend(mine, 1, MPI_INTEGER, right, 2, MPI_COMM_WORLD, send(2), ierr)
    flag = .false.
    do while (.not. flag)
      call MPI_Improbe(MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, flag, message, status, ierr)
      if (ierr /= MPI_SUCCESS) exit
    end do
    got = 0
    call MPI_Imrecv(got, 1, MPI_INTEGER, message, receive, ierr)
    call MPI_Wait(receive, MPI_STATUS_IGNORE, ierr)
    call check(got(1) == left .and. SOURCE_OF(status) == left, 'MPI_Imrecv')
    call MPI_Waitall(2, send, MPI_STATUSES_IGNORE, ierr)
    call MPI_Mprobe(MPI_PROC_NULL, 2, MPI_COMM_WORLD, message, status, ierr)
    call check(message == MPI_MESSAGE_NO_PROC, 'MPI_MESSAGE_NO_PROC')
    call MPI_Mrecv(got, 1, MPI_INTEGER, message, status, ierr)
    call end_case('messages_matched')
  end subroutine matched

  subroutine packed
    integer, parameter :: length = 64
    character :: room(length)
    integer :: place, size, numbers(2), got(2)
    integer(MPI_ADDRESS_KIND) :: at, bytes
    real(8) :: real_got
    call MPI_Pack_size(2, MPI_INTEGER, MPI_COMM_WORLD, size, ierr)
    call check(size >= 8, 'MPI_Pack_size')
    place = 0
    numbers = [me, 5]
    call MPI_Pack(numbers, 2, MPI_INTEGER, room, length, place, MPI_COMM_WORLD, ierr)
    call MPI_Pack(me + 0.5d0, 1, MPI_DOUBLE_PRECISION, room, length, place, MPI_COMM_WORLD, ierr)
    call check(place >= 16 .and. place <= length, 'MPI_Pack')
    size = place
    place = 0
    call MPI_Unpack(room, size, place, got, 2, MPI_INTEGER, MPI_COMM_WORLD, ierr)
    call MPI_Unpack(room, size, place, real_got, 1, MPI_DOUBLE_PRECISION, MPI_COMM_WORLD, ierr)
    call check(all(got == numbers) .and. real_got == me + 0.5d0 .and. place == size, 'MPI_Unpack')
    call MPI_Pack_external_size('external32', 2, MPI_INTEGER, bytes, ierr)
    call check(bytes == 8, 'MPI_Pack_external_size')
    at = 0
    numbers = [259, 7]
    call MPI_Pack_external('external32', numbers, 2, MPI_INTEGER, room, int(length, MPI_ADDRESS_KIND), at, ierr)
    call check(at == 8 .and. iachar(room(3)) == 1 .and. iachar(room(4)) == 3 .and. iachar(room(8)) == 7, 'MPI_Pack_external')
    at = 0
    call MPI_Unpack_external('external32', room, int(length, MPI_ADDRESS_KIND), at, got, 2, MPI_INTEGER, ierr)
    call check(all(got == numbers) .and. at == 8, 'MPI_Unpack_external')
    call end_case('messages_packed')
  end subroutine packed
end module fortran_messages

! SPDX-License-Identifier: BSD-3-Clause
! Processes that come later: started ones with words, two groups that meet at a port, what is published. Only where the program has the word "spawn".
#include "fortran_face.h"
module fortran_spawn
  use fortran_check
  implicit none
  private
  public :: spawn_cases, is_child, be_child
  integer :: ierr
contains
  logical function is_child()
    HANDLE(MPI_Comm) :: parent
    call MPI_Comm_get_parent(parent, ierr)
    is_child = parent /= MPI_COMM_NULL
  end function is_child

  subroutine spawn_cases
    character(len=20) :: word
    call get_command_argument(1, word)
    if (word /= 'spawn') return
    call start
    call meet
    call publish
  end subroutine spawn_cases

  ! Sends the numbers that stand in its words to rank 0 of the parents.
  subroutine be_child
    HANDLE(MPI_Comm) :: parent
    character(len=20) :: word
    integer :: numbers(2), i
    numbers = -1
    do i = 1, command_argument_count()
      call get_command_argument(i, word)
      read (word, *) numbers(i)
    end do
    call MPI_Comm_get_parent(parent, ierr)
    call MPI_Send(numbers, 2, MPI_INTEGER, 0, 1, parent, ierr)
    call MPI_Barrier(parent, ierr)
    call MPI_Comm_disconnect(parent, ierr)
  end subroutine be_child

  ! Receives what the children send, and compares.
  subroutine compare(children, expected, what)
    HANDLE(MPI_Comm), intent(inout) :: children
    integer, intent(in) :: expected(:, :)
    character(len=*), intent(in) :: what
    integer :: got(2), i, length
    call MPI_Comm_remote_size(children, length, ierr)
    call check(length == size(expected, 2), what//': size')
    do i = 1, size(expected, 2)
      if (me > 0) exit
      call MPI_Recv(got, 2, MPI_INTEGER, i - 1, 1, children, MPI_STATUS_IGNORE, ierr)
      call check(all(got == expected(:, i)), what)
    end do
    call MPI_Barrier(children, ierr)
    call MPI_Comm_disconnect(children, ierr)
  end subroutine compare

  subroutine start
    HANDLE(MPI_Comm) :: children
    HANDLE(MPI_Info) :: infos(2)
    character(len=500) :: program, programs(2)
    character(len=10) :: words(3), many(2, 3)
    integer :: codes(2), length
    call get_command_argument(0, program, length)
    words = [character(len=10) :: '12', '34', ' ']
    codes = -1
    call MPI_Comm_spawn(program, words, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, children, codes, ierr)
    call call_ok(ierr, 'MPI_Comm_spawn')
    if (ierr /= MPI_SUCCESS) return
    call check(all(codes == MPI_SUCCESS), 'codes of MPI_Comm_spawn')
    call compare(children, reshape([12, 34, 12, 34], [2, 2]), 'MPI_Comm_spawn')
    call MPI_Comm_spawn(program, MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, children, MPI_ERRCODES_IGNORE, ierr)
    call compare(children, reshape([-1, -1], [2, 1]), 'MPI_ARGV_NULL')
    programs = program
    many(1, :) = [character(len=10) :: '1', '2', ' ']
    many(2, :) = [character(len=10) :: '3', ' ', ' ']
    infos = MPI_INFO_NULL
    codes = -1
    call MPI_Comm_spawn_multiple(2, programs, many, [1, 1], infos, 0, MPI_COMM_WORLD, children, codes, ierr)
    call check(all(codes == MPI_SUCCESS), 'codes of MPI_Comm_spawn_multiple')
    call compare(children, reshape([1, 2, 3, -1], [2, 2]), 'MPI_Comm_spawn_multiple')
    call MPI_Comm_spawn_multiple(2, programs, MPI_ARGVS_NULL, [1, 1], infos, 0, MPI_COMM_WORLD, children, MPI_ERRCODES_IGNORE, ierr)
    call compare(children, reshape([-1, -1, -1, -1], [2, 2]), 'MPI_ARGVS_NULL')
    call end_case('spawn_programs')
  end subroutine start

  subroutine meet
    HANDLE(MPI_Comm) :: half, other
    character(len=MPI_MAX_PORT_NAME) :: port
    integer :: got
    call MPI_Comm_split(MPI_COMM_WORLD, me/2, me, half, ierr)
    port = ' '
    if (me == 0) call MPI_Open_port(MPI_INFO_NULL, port, ierr)
    call MPI_Bcast(port, MPI_MAX_PORT_NAME, MPI_CHARACTER, 0, MPI_COMM_WORLD, ierr)
    if (me < 2) then
      call MPI_Comm_accept(port, MPI_INFO_NULL, 0, half, other, ierr)
    else
      call MPI_Comm_connect(port, MPI_INFO_NULL, 0, half, other, ierr)
    end if
    call MPI_Sendrecv(me, 1, MPI_INTEGER, modulo(me, 2), 1, got, 1, MPI_INTEGER, modulo(me, 2), 1, other, MPI_STATUS_IGNORE, ierr)
    call check(got == modulo(me + 2, n), 'MPI_Comm_accept')
    call MPI_Comm_disconnect(other, ierr)
    if (me == 0) call MPI_Close_port(port, ierr)
    call call_ok(ierr, 'MPI_Close_port')
    call MPI_Comm_free(half, ierr)
    call end_case('spawn_port')
  end subroutine meet

  ! Open MPI 4.1.4 publishes nothing; what is published must be found.
  subroutine publish
    character(len=MPI_MAX_PORT_NAME) :: port
    character(len=30) :: name
    integer :: class, code
    write (name, '(a,i0)') 'h3ou fortran ', me
    call MPI_Publish_name(name, MPI_INFO_NULL, 'a port', code)
    if (code == MPI_SUCCESS) then
      call MPI_Lookup_name(name, MPI_INFO_NULL, port, ierr)
      call check(port == 'a port', 'MPI_Lookup_name')
    end if
    call MPI_Unpublish_name(name, MPI_INFO_NULL, 'a port', ierr)
    call call_ok(ierr, 'MPI_Unpublish_name')
    call MPI_Lookup_name(name, MPI_INFO_NULL, port, code)
    call MPI_Error_class(code, class, ierr)
    call check(class == MPI_ERR_NAME, 'MPI_Lookup_name of nothing')
    call end_case('spawn_names')
  end subroutine publish
end module fortran_spawn

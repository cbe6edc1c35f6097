! SPDX-License-Identifier: BSD-3-Clause
! Calls of MPI in Fortran, with mpif.h, or with the module mpi (-DWITH_MODULE): handles, logicals, texts, statuses, constants that are
! common blocks, places counted from 1, attributes, and functions of the user. Prints "ok CASE" or "FAIL CASE", and in the end how many.
#include "fortran_face.h"
module fortran_functions
  use fortran_check
  implicit none
contains
  subroutine larger(in, inout, length, kind_of)
    integer, intent(in) :: length, kind_of
    integer, intent(in) :: in(length)
    integer, intent(inout) :: inout(length)
    calls = calls + 1
    seen = kind_of
    inout = max(in, inout)
  end subroutine larger

  subroutine on_error(comm, code)
    integer :: comm, code
    integer :: ierr
    calls = calls + 1
    call MPI_Error_class(code, seen, ierr)
    if (comm == MPI_COMM_WORLD) seen = -1
  end subroutine on_error

  subroutine copy_value(comm, key, extra, in, out, flag, ierr)
    integer, intent(in) :: comm, key
    integer(MPI_ADDRESS_KIND), intent(in) :: extra, in
    integer(MPI_ADDRESS_KIND), intent(out) :: out
    logical, intent(out) :: flag
    integer, intent(out) :: ierr
    calls = calls + 1
    seen = comm
    out = in + extra + 0*key
    flag = .true.
    ierr = MPI_SUCCESS
  end subroutine copy_value

  subroutine delete_value(comm, key, value, extra, ierr)
    integer, intent(in) :: comm, key
    integer(MPI_ADDRESS_KIND), intent(in) :: value, extra
    integer, intent(out) :: ierr
    calls = calls + int(value - value + extra - extra) + 100 + 0*(comm + key)
    ierr = MPI_SUCCESS
  end subroutine delete_value

  subroutine query(extra, status, ierr)
    integer(MPI_ADDRESS_KIND), intent(in) :: extra
    integer, intent(inout) :: status(MPI_STATUS_SIZE)
    integer, intent(out) :: ierr
    call MPI_Status_set_elements(status, MPI_INTEGER, int(extra), ierr)
    call MPI_Status_set_cancelled(status, .false., ierr)
    status(MPI_SOURCE) = 42
    status(MPI_TAG) = 43
  end subroutine query

  subroutine on_free(extra, ierr)
    integer(MPI_ADDRESS_KIND), intent(in) :: extra
    integer, intent(out) :: ierr
    calls = calls + int(extra)
    ierr = MPI_SUCCESS
  end subroutine on_free

  subroutine on_cancel(extra, complete, ierr)
    integer(MPI_ADDRESS_KIND), intent(in) :: extra
    logical, intent(in) :: complete
    integer, intent(out) :: ierr
    calls = calls + int(extra) + merge(1000, 0, complete)
    ierr = MPI_SUCCESS
  end subroutine on_cancel
end module fortran_functions

program fortran_cases
  use fortran_functions
  use fortran_messages
  use fortran_collectives
  use fortran_types
  use fortran_groups
  use fortran_windows
  use fortran_files
  use fortran_spawn
  implicit none
  integer :: ierr, provided, size
  logical :: flag
  call MPI_Initialized(flag, ierr)
  call check(.not. flag, 'not initialized')
  call MPI_Init_thread(MPI_THREAD_SERIALIZED, provided, ierr)
  call call_ok(ierr, 'MPI_Init_thread')
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, me, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, size, ierr)
  if (is_child()) then
    call be_child
    call MPI_Finalize(ierr)
    stop
  end if
  if (size /= n) then
    print '(a)', 'fortran_cases: start 4 processes'
    call MPI_Abort(MPI_COMM_WORLD, 2, ierr)
  end if
  left = modulo(me - 1, n)
  right = modulo(me + 1, n)
  call messages
  call requests
  call collectives
  call types
  call communicators
  call texts
  call attributes
  call functions
  call windows
  call files
  call message_cases
  call collective_cases
  call type_cases
  call group_cases
  call window_cases
  call file_cases
  call spawn_cases
  if (me == 0) print '(i0,a,i0,a)', cases, ' cases, ', failed, ' failed'
  call MPI_Finalize(ierr)
  if (failed > 0) stop 1
contains
  subroutine messages
    integer :: status(MPI_STATUS_SIZE), got, count, request
    logical :: is_there
    real(8) :: section(4, 3)
    call MPI_Sendrecv(me, 1, MPI_INTEGER, right, 5, got, 1, MPI_INTEGER, left, MPI_ANY_TAG, MPI_COMM_WORLD, status, ierr)
    call call_ok(ierr, 'MPI_Sendrecv')
    call check(got == left .and. status(MPI_SOURCE) == left .and. status(MPI_TAG) == 5, 'message of the left neighbour')
    call MPI_Get_count(status, MPI_INTEGER, count, ierr)
    call check(count == 1, 'MPI_Get_count')
    section = me
    section(2, :) = [1, 2, 3]
    call MPI_Isend(section, 12, MPI_DOUBLE_PRECISION, right, 6, MPI_COMM_WORLD, request, ierr)
    call MPI_Probe(MPI_ANY_SOURCE, 6, MPI_COMM_WORLD, status, ierr)
    call MPI_Iprobe(status(MPI_SOURCE), 6, MPI_COMM_WORLD, is_there, MPI_STATUS_IGNORE, ierr)
    call check(is_there, 'MPI_Iprobe')
    block
      real(8) :: mine(4, 3)
      call MPI_Recv(mine, 12, MPI_DOUBLE_PRECISION, left, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
      call check(mine(1, 1) == left .and. mine(2, 3) == 3, 'array')
    end block
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
    call check(request == MPI_REQUEST_NULL, 'request is null')
    call MPI_Recv(got, 1, MPI_INTEGER, MPI_PROC_NULL, 0, MPI_COMM_WORLD, status, ierr)
    call check(status(MPI_SOURCE) == MPI_PROC_NULL .and. status(MPI_TAG) == MPI_ANY_TAG, 'status of no process')
    call end_case('messages')
  end subroutine messages

  subroutine requests
    integer :: all(8), status(MPI_STATUS_SIZE), statuses(MPI_STATUS_SIZE, 8), i, place, places(4), done, extra_request
    integer, asynchronous :: mine(4), got(4) ! they change while requests are active
    integer(MPI_ADDRESS_KIND), save :: extra = 7
    logical :: is_done
    mine = [(10*me + i, i = 1, 4)]
    do i = 1, 4
      call MPI_Irecv(got(i), 1, MPI_INTEGER, left, i, MPI_COMM_WORLD, all(i), ierr)
      call MPI_Isend(mine(i), 1, MPI_INTEGER, right, i, MPI_COMM_WORLD, all(4 + i), ierr)
    end do
    call MPI_Waitany(4, all, place, status, ierr)
    call check(place >= 1 .and. place <= 4 .and. status(MPI_TAG) == place, 'MPI_Waitany counts from 1')
    call MPI_Waitsome(4, all, done, places, statuses, ierr)
    call check(done >= 1 .and. minval(places(:done)) >= 1 .and. all_in(places(:done), statuses(MPI_TAG, :done)), 'MPI_Waitsome counts from 1')
    call MPI_Waitall(8, all, MPI_STATUSES_IGNORE, ierr)
    call check(any(got == 10*left + 1) .and. got(4) == 10*left + 4 .and. count(all == MPI_REQUEST_NULL) == 8, 'MPI_Waitall')
    call MPI_Waitany(4, all, place, MPI_STATUS_IGNORE, ierr)
    call check(place < 0, 'no place of null requests') ! MPICH 4.0.2 adds 1 to MPI_UNDEFINED
    call MPI_Send_init(mine, 4, MPI_INTEGER, right, 9, MPI_COMM_WORLD, all(1), ierr)
    call MPI_Recv_init(got, 4, MPI_INTEGER, left, 9, MPI_COMM_WORLD, all(2), ierr)
    do i = 1, 2
      got = 0
      call MPI_Startall(2, all, ierr)
      call MPI_Waitall(2, all, statuses, ierr)
      call check(got(3) == 10*left + 3 .and. statuses(MPI_SOURCE, 2) == left, 'persistent requests')
    end do
    call MPI_Request_free(all(1), ierr)
    call MPI_Request_free(all(2), ierr)
    call MPI_Testall(2, all, is_done, MPI_STATUSES_IGNORE, ierr)
    call check(is_done, 'MPI_Testall of nothing')
    calls = 0
    call MPI_Grequest_start(query, on_free, on_cancel, extra, extra_request, ierr)
    call MPI_Grequest_complete(extra_request, ierr)
    call MPI_Wait(extra_request, status, ierr)
    call MPI_Get_count(status, MPI_INTEGER, done, ierr)
    call check(calls == 7 .and. status(MPI_SOURCE) == 42 .and. done == 7, 'generalised request')
    call end_case('requests')
  end subroutine requests

  logical function all_in(a, b)
    integer, intent(in) :: a(:), b(:)
    all_in = all(a == b)
  end function all_in

  subroutine collectives
    integer :: values(n), sum, i, types(n), counts(n), places(n), got(n)
    values = 0
    values(me + 1) = me + 1
    call MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, values, 1, MPI_INTEGER, MPI_COMM_WORLD, ierr)
    call call_ok(ierr, 'MPI_Allgather')
    call check(all(values == [(i, i = 1, n)]), 'MPI_Allgather in place')
    sum = me
    call MPI_Allreduce(MPI_IN_PLACE, sum, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
    call check(sum == 6, 'MPI_Allreduce in place')
    types = MPI_INTEGER
    counts = 1
    places = [(4*(i - 1), i = 1, n)]
    values = [(10*me + i, i = 1, n)]
    call MPI_Alltoallw(values, counts, places, types, got, counts, places, types, MPI_COMM_WORLD, ierr)
    call check(all(got == [(10*(i - 1) + me + 1, i = 1, n)]), 'MPI_Alltoallw')
    call end_case('collectives')
  end subroutine collectives

  subroutine types
    integer :: pair, got_types(2), numbers(3), ni, na, nt, combiner, size
    integer(MPI_ADDRESS_KIND) :: places(2), lower, extent, address, a, b
    integer :: got(2), status(MPI_STATUS_SIZE)
    integer, asynchronous :: i ! it changes by its address
    real(8), asynchronous :: r
    real(8) :: back
    i = me
    r = me + 0.5d0
    call MPI_Get_address(i, a, ierr)
    call MPI_Get_address(r, b, ierr)
    places = [a, b]
    call MPI_Type_create_struct(2, [1, 1], places, [MPI_INTEGER, MPI_DOUBLE_PRECISION], pair, ierr)
    call call_ok(ierr, 'MPI_Type_create_struct')
    call MPI_Type_commit(pair, ierr)
    call MPI_Type_size(pair, size, ierr)
    call check(size == 12, 'MPI_Type_size')
    call MPI_Type_get_envelope(pair, ni, na, nt, combiner, ierr)
    call check(ni == 3 .and. na == 2 .and. nt == 2 .and. combiner == MPI_COMBINER_STRUCT, 'envelope')
    call MPI_Type_get_contents(pair, 3, 2, 2, numbers, places, got_types, ierr)
    call check(got_types(1) == MPI_INTEGER .and. got_types(2) == MPI_DOUBLE_PRECISION .and. places(2) == b, 'contents')
    if (modulo(me, 2) == 0) then
      call MPI_Send(MPI_BOTTOM, 1, pair, right, 1, MPI_COMM_WORLD, ierr)
    else
      call MPI_Probe(left, 1, MPI_COMM_WORLD, status, ierr)
      call MPI_Get_elements(status, pair, size, ierr)
      call check(size == 2, 'elements')
      call MPI_Recv(MPI_BOTTOM, 1, pair, left, 1, MPI_COMM_WORLD, status, ierr)
      call MPI_Get_address(r, address, ierr)
      back = r
      call check(i == left .and. back == left + 0.5d0 .and. address == b, 'absolute addresses')
    end if
    call MPI_Type_free(pair, ierr)
    call check(pair == MPI_DATATYPE_NULL, 'type is null')
    call MPI_Type_vector(2, 1, 3, MPI_INTEGER, pair, ierr)
    call MPI_Type_get_extent(pair, lower, extent, ierr)
    call check(lower == 0 .and. extent == 16, 'extent of a vector')
    call MPI_Type_free(pair, ierr)
    call MPI_Type_create_f90_real(12, MPI_UNDEFINED, pair, ierr)
    call MPI_Type_size(pair, size, ierr)
    call check(size == 8, 'MPI_Type_create_f90_real')
    got = 0
    call end_case('types')
  end subroutine types

  subroutine communicators
    integer :: half, grid, world, group, rank, dims(2), coords(2), source, target, compared, inter
    logical :: periods(2), is_inter
    call MPI_Comm_split(MPI_COMM_WORLD, me/2, me, half, ierr)
    call call_ok(ierr, 'MPI_Comm_split')
    call MPI_Comm_rank(half, rank, ierr)
    call check(rank == modulo(me, 2), 'rank in a half')
    call MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 2 - 2*(me/2), 3, inter, ierr)
    call MPI_Comm_test_inter(inter, is_inter, ierr)
    call check(is_inter, 'MPI_Comm_test_inter')
    call MPI_Comm_free(inter, ierr)
    call MPI_Comm_group(MPI_COMM_WORLD, world, ierr)
    call MPI_Group_incl(world, 2, [3, 1], group, ierr)
    call MPI_Group_rank(group, rank, ierr)
    call check(rank == merge(merge(0, 1, me == 3), MPI_UNDEFINED, modulo(me, 2) == 1), 'rank in a group')
    call MPI_Group_free(group, ierr)
    call MPI_Group_free(world, ierr)
    dims = 0
    call MPI_Dims_create(n, 2, dims, ierr)
    call MPI_Cart_create(MPI_COMM_WORLD, 2, dims, [.true., .false.], .false., grid, ierr)
    call MPI_Cart_get(grid, 2, dims, periods, coords, ierr)
    call check(all(dims == 2) .and. periods(1) .and. .not. periods(2) .and. coords(1) == me/2, 'grid')
    call MPI_Cart_shift(grid, 1, 1, source, target, ierr)
    call check(source == merge(me - 1, MPI_PROC_NULL, modulo(me, 2) == 1), 'shift')
    call MPI_Comm_compare(grid, MPI_COMM_WORLD, compared, ierr)
    call check(compared == MPI_CONGRUENT, 'MPI_Comm_compare')
    call MPI_Comm_free(grid, ierr)
    call MPI_Comm_free(half, ierr)
    call check(half == MPI_COMM_NULL, 'communicator is null')
    call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, [left], MPI_UNWEIGHTED, 1, [right], MPI_UNWEIGHTED, MPI_INFO_NULL, .false., grid, ierr)
    call call_ok(ierr, 'MPI_Dist_graph_create_adjacent')
    call MPI_Dist_graph_neighbors_count(grid, source, target, is_inter, ierr)
    call check(source == 1 .and. target == 1 .and. .not. is_inter, 'graph without weights')
    call MPI_Comm_free(grid, ierr)
    call end_case('communicators')
  end subroutine communicators

  subroutine texts
    character(len=MPI_MAX_OBJECT_NAME) :: name
    character(len=20) :: value
    integer :: length, info, copy
    logical :: is_set
    call MPI_Comm_dup(MPI_COMM_WORLD, copy, ierr)
    call MPI_Comm_set_name(copy, 'a name   ', ierr)
    name = 'x'
    call MPI_Comm_get_name(copy, name, length, ierr)
    call check(name == 'a name' .and. length == 6 .and. name(MPI_MAX_OBJECT_NAME:) == ' ', 'name')
    call MPI_Comm_free(copy, ierr)
    call MPI_Info_create(info, ierr)
    call MPI_Info_set(info, ' key ', ' the value ', ierr)
    value = 'x'
    call MPI_Info_get(info, 'key', 20, value, is_set, ierr)
    call check(is_set .and. value == 'the value', 'value of an info')
    call MPI_Info_get(info, 'another', 20, value, is_set, ierr)
    call check(.not. is_set .and. value == 'the value', 'missing key')
    call MPI_Info_get_nthkey(info, 0, name, ierr)
    call check(name == 'key', 'key')
    call MPI_Info_free(info, ierr)
    call MPI_Get_processor_name(name, length, ierr)
    call check(len_trim(name) == length, 'processor')
    call check(MPI_Wtime() >= 0 .and. MPI_Wtick() >= 0, 'clock')
    call end_case('texts')
  end subroutine texts

  subroutine attributes
    integer :: key, copy, again, plain
    integer(MPI_ADDRESS_KIND) :: value
    logical :: is_set
    call MPI_Comm_create_keyval(copy_value, delete_value, key, 5_MPI_ADDRESS_KIND, ierr)
    call call_ok(ierr, 'MPI_Comm_create_keyval')
    call MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, plain, 0_MPI_ADDRESS_KIND, ierr)
    call MPI_Comm_dup(MPI_COMM_WORLD, copy, ierr)
    call MPI_Comm_set_attr(copy, key, 1000000000000_MPI_ADDRESS_KIND, ierr)
    call MPI_Comm_set_attr(copy, plain, 12_MPI_ADDRESS_KIND, ierr)
    calls = 0
    call MPI_Comm_dup(copy, again, ierr)
    call check(calls == 1 .and. seen == copy, 'copied once, with the communicator')
    call MPI_Comm_get_attr(again, key, value, is_set, ierr)
    call check(is_set .and. value == 1000000000005_MPI_ADDRESS_KIND, 'copied value')
    call MPI_Comm_get_attr(again, plain, value, is_set, ierr)
    call check(is_set .and. value == 12, 'value copied by MPI_COMM_DUP_FN')
    calls = 0
    call MPI_Comm_free(again, ierr)
    call check(calls == 100, 'deleted once')
    call MPI_Comm_delete_attr(copy, key, ierr)
    call MPI_Comm_get_attr(copy, key, value, is_set, ierr)
    call check(.not. is_set, 'deleted value')
    call MPI_Comm_free_keyval(key, ierr)
    call check(key == MPI_KEYVAL_INVALID, 'key is invalid')
    call MPI_Comm_free(copy, ierr)
    call MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, value, is_set, ierr)
    call check(is_set .and. value >= 32767 .and. value <= 2147483647_MPI_ADDRESS_KIND, 'MPI_TAG_UB')
    call end_case('attributes')
  end subroutine attributes

  subroutine functions
    integer :: op, handler, copy, got, got_handler
    logical :: commutes
    call MPI_Op_create(larger, .true., op, ierr)
    call call_ok(ierr, 'MPI_Op_create')
    call MPI_Op_commutative(op, commutes, ierr)
    call check(commutes, 'MPI_Op_commutative')
    call MPI_Allreduce(me, got, 1, MPI_INTEGER, op, MPI_COMM_WORLD, ierr)
    call check(got == 3, 'reduction by a function of Fortran')
    calls = 0
    call MPI_Reduce_local(me, got, 1, MPI_INTEGER, op, ierr)
    call check(calls == 1 .and. seen == MPI_INTEGER, 'the function gets the type')
    call MPI_Op_free(op, ierr)
    call check(op == MPI_OP_NULL, 'op is null')
    call MPI_Comm_dup(MPI_COMM_WORLD, copy, ierr)
    call MPI_Comm_create_errhandler(on_error, handler, ierr)
    call MPI_Comm_set_errhandler(copy, handler, ierr)
    call MPI_Comm_get_errhandler(copy, got_handler, ierr)
    call check(got_handler == handler, 'handler')
    calls = 0
    call MPI_Send(me, 1, MPI_INTEGER, 99, 0, copy, ierr)
    call check(calls == 1 .and. seen == MPI_ERR_RANK, 'handler in Fortran')
    call MPI_Errhandler_free(handler, ierr)
    call MPI_Comm_free(copy, ierr)
    call end_case('functions')
  end subroutine functions

  subroutine windows
    integer, parameter :: words = 16
    integer, save, asynchronous :: memory(words)
    integer :: win
    integer(MPI_ADDRESS_KIND) :: value
    logical :: is_set
    memory = 0
    call MPI_Win_create(memory, 4_MPI_ADDRESS_KIND*words, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierr)
    call call_ok(ierr, 'MPI_Win_create')
    call MPI_Win_fence(0, win, ierr)
    call MPI_Put(me + 1, 1, MPI_INTEGER, right, 0_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win, ierr)
    call MPI_Win_fence(0, win, ierr)
    call check(memory(1) == left + 1, 'MPI_Put')
    call MPI_Win_get_attr(win, MPI_WIN_SIZE, value, is_set, ierr)
    call check(is_set .and. value == 4*words, 'MPI_WIN_SIZE')
    call MPI_Win_get_attr(win, MPI_WIN_DISP_UNIT, value, is_set, ierr)
    call check(is_set .and. value == 4, 'MPI_WIN_DISP_UNIT')
    call MPI_Win_free(win, ierr)
    call check(win == MPI_WIN_NULL, 'window is null')
    call end_case('windows')
  end subroutine windows

  subroutine files
    character(len=200) :: name
    character(len=20) :: rep
    integer :: file, etype, filetype, got, length
    integer(MPI_OFFSET_KIND) :: place
    call get_environment_variable('TMPDIR', name, length)
    if (length == 0) name = '/tmp'
    call system_clock(got)
    call MPI_Bcast(got, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, ierr)
    write (name(len_trim(name) + 1:), '(a,i0)') '/h3ou-fortran-cases-', got
    call MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE + MPI_MODE_RDWR + MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, file, ierr)
    call call_ok(ierr, 'MPI_File_open')
    call MPI_File_set_view(file, 4_MPI_OFFSET_KIND*me, MPI_INTEGER, MPI_INTEGER, 'native', MPI_INFO_NULL, ierr)
    call MPI_File_get_view(file, place, etype, filetype, rep, ierr)
    call check(place == 4*me .and. etype == MPI_INTEGER .and. rep == 'native', 'view')
    call MPI_File_write_at(file, 0_MPI_OFFSET_KIND, me, 1, MPI_INTEGER, MPI_STATUS_IGNORE, ierr)
    call MPI_File_sync(file, ierr)
    call MPI_Barrier(MPI_COMM_WORLD, ierr)
    call MPI_File_sync(file, ierr)
    call MPI_File_set_view(file, 0_MPI_OFFSET_KIND, MPI_INTEGER, MPI_INTEGER, 'native', MPI_INFO_NULL, ierr)
    call MPI_File_read_at(file, int(right, MPI_OFFSET_KIND), got, 1, MPI_INTEGER, MPI_STATUS_IGNORE, ierr)
    call check(got == right, 'file')
    call MPI_File_close(file, ierr)
    call check(file == MPI_FILE_NULL, 'file is null')
    call end_case('files')
  end subroutine files
end program fortran_cases

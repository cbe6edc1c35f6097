! SPDX-License-Identifier: BSD-3-Clause
! Calls of MPI with the module mpi_f08: handles and statuses with types, errors left out, sections of arrays, functions of the user.
module f08_functions
  use mpi_f08
  implicit none
  integer :: functions_called = 0
contains
  subroutine copy_value(comm, key, extra, in, out, flag, ierror)
    type(MPI_Comm) :: comm
    integer :: key, ierror
    integer(MPI_ADDRESS_KIND) :: extra, in, out
    logical :: flag
    functions_called = functions_called + 1
    out = in + extra
    flag = comm /= MPI_COMM_NULL
    ierror = merge(MPI_SUCCESS, MPI_ERR_OTHER, key /= MPI_KEYVAL_INVALID)
  end subroutine copy_value

  subroutine delete_value(comm, key, value, extra, ierror)
    type(MPI_Comm) :: comm
    integer :: key, ierror
    integer(MPI_ADDRESS_KIND) :: value, extra
    functions_called = functions_called + merge(100, 1000, value >= 3000000000_MPI_ADDRESS_KIND .and. extra == 5)
    ierror = merge(MPI_SUCCESS, MPI_ERR_OTHER, key /= MPI_KEYVAL_INVALID)
  end subroutine delete_value

  subroutine query(extra, status, ierror)
    integer(MPI_ADDRESS_KIND) :: extra
    type(MPI_Status) :: status
    integer :: ierror
    call MPI_Status_set_elements(status, MPI_INTEGER, int(extra), ierror)
    call MPI_Status_set_cancelled(status, .false., ierror)
    status%MPI_SOURCE = 42
    status%MPI_TAG = 43
    ierror = MPI_SUCCESS
  end subroutine query

  subroutine on_free(extra, ierror)
    integer(MPI_ADDRESS_KIND) :: extra
    integer :: ierror
    functions_called = functions_called + int(extra)
    ierror = MPI_SUCCESS
  end subroutine on_free

  subroutine on_cancel(extra, complete, ierror)
    integer(MPI_ADDRESS_KIND) :: extra
    logical :: complete
    integer :: ierror
    functions_called = functions_called + merge(1000, 2000, complete) + int(extra)
    ierror = MPI_SUCCESS
  end subroutine on_cancel

  subroutine larger(in, inout, length, kind_of)
    use, intrinsic :: iso_c_binding, only: c_ptr, c_f_pointer
    type(c_ptr), value :: in, inout
    integer :: length
    type(MPI_Datatype) :: kind_of
    integer, pointer :: a(:), b(:)
    call c_f_pointer(in, a, [length])
    call c_f_pointer(inout, b, [length])
    if (kind_of == MPI_INTEGER) b = max(a, b)
  end subroutine larger
end module f08_functions

program f08_cases
  use mpi_f08
  use f08_functions
  use fortran_check
  use fortran_messages
  use fortran_collectives
  use fortran_types
  use fortran_groups
  use fortran_windows
  use fortran_files
  use fortran_spawn
  implicit none
  integer :: size, provided
  logical :: is_there
  call MPI_Initialized(is_there)
  call check(.not. is_there, 'not initialized')
  call MPI_Init_thread(MPI_THREAD_SERIALIZED, provided)
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN)
  call MPI_Comm_rank(MPI_COMM_WORLD, me)
  call MPI_Comm_size(MPI_COMM_WORLD, size)
  if (is_child()) then
    call be_child
    call MPI_Finalize
    stop
  end if
  if (size /= n) call MPI_Abort(MPI_COMM_WORLD, 2)
  left = modulo(me - 1, n)
  right = modulo(me + 1, n)
  call messages
  call requests
  call collectives
  call types_and_texts
  call functions
  call end_case('f08')
  call more_messages
  call communicators
  call attributes
  call memory_and_files
  call message_cases
  call collective_cases
  call type_cases
  call group_cases
  call window_cases
  call file_cases
  call spawn_cases
  if (me == 0) print '(i0,a,i0,a)', cases, ' cases, ', failed, ' failed'
  call MPI_Finalize
  if (failed > 0) stop 1
contains
  subroutine messages
    type(MPI_Status) :: status
    integer :: got, count, ierr
    real(8) :: whole(4, 4), part(4)
    call MPI_Sendrecv(me, 1, MPI_INTEGER, right, 5, got, 1, MPI_INTEGER, left, MPI_ANY_TAG, MPI_COMM_WORLD, status)
    call check(got == left .and. status%MPI_SOURCE == left .and. status%MPI_TAG == 5, 'message of the left neighbour')
    call MPI_Get_count(status, MPI_INTEGER, count, ierr)
    call check(count == 1 .and. ierr == MPI_SUCCESS, 'MPI_Get_count')
    whole = me
    whole(2, :) = [1, 2, 3, 4]
    call MPI_Sendrecv(whole(2, :), 4, MPI_DOUBLE_PRECISION, right, 6, part, 4, MPI_DOUBLE_PRECISION, left, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    call check(all(part == [1, 2, 3, 4]), 'section of an array')
    call MPI_Send(me, 1, MPI_INTEGER, 99, 0, MPI_COMM_WORLD, ierr)
    call check(ierr /= MPI_SUCCESS, 'an error is returned')
  end subroutine messages

  subroutine requests
    type(MPI_Request) :: all_of(2)
    type(MPI_Status) :: statuses(2)
    integer, asynchronous :: mine, got
    integer :: place
    logical :: is_done
    mine = me
    call MPI_Irecv(got, 1, MPI_INTEGER, left, 1, MPI_COMM_WORLD, all_of(1))
    call MPI_Isend(mine, 1, MPI_INTEGER, right, 1, MPI_COMM_WORLD, all_of(2))
    call MPI_Waitall(2, all_of, statuses)
    call check(got == left .and. statuses(1)%MPI_SOURCE == left .and. all_of(1) == MPI_REQUEST_NULL, 'MPI_Waitall')
    call MPI_Isend(mine, 1, MPI_INTEGER, me, 1, MPI_COMM_WORLD, all_of(1))
    call MPI_Irecv(got, 1, MPI_INTEGER, me, 1, MPI_COMM_WORLD, all_of(2))
    call MPI_Waitany(2, all_of, place, MPI_STATUS_IGNORE)
    call check(place >= 0 .and. place <= 2, 'MPI_Waitany') ! MPICH 4.0.2 counts from 0 with this module
    call MPI_Waitall(2, all_of, MPI_STATUSES_IGNORE)
    call MPI_Testall(2, all_of, is_done, MPI_STATUSES_IGNORE)
    call check(is_done .and. got == me, 'MPI_Testall')
  end subroutine requests

  subroutine collectives
    integer :: values(n), i
    values = 0
    values(me + 1) = me + 1
    call MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, values, 1, MPI_INTEGER, MPI_COMM_WORLD)
    call check(all(values == [(i, i = 1, n)]), 'MPI_Allgather in place')
  end subroutine collectives

  subroutine types_and_texts
    type(MPI_Datatype) :: pair
    type(MPI_Comm) :: copy
    type(MPI_Info) :: info
    integer(MPI_ADDRESS_KIND) :: lower, extent
    character(len=MPI_MAX_OBJECT_NAME) :: name
    character(len=8) :: value
    integer :: length
    logical :: is_set
    call MPI_Type_vector(2, 1, 3, MPI_INTEGER, pair)
    call MPI_Type_get_extent(pair, lower, extent)
    call check(lower == 0 .and. extent == 16, 'extent of a vector')
    call MPI_Type_free(pair)
    call check(pair == MPI_DATATYPE_NULL, 'type is null')
    call MPI_Comm_dup(MPI_COMM_WORLD, copy)
    call check(copy /= MPI_COMM_WORLD, 'another handle')
    call MPI_Comm_set_name(copy, 'a name')
    call MPI_Comm_get_name(copy, name, length)
    call check(name == 'a name' .and. length == 6, 'name')
    call MPI_Comm_free(copy)
    call MPI_Info_create(info)
    call MPI_Info_set(info, 'key', 'value')
    call MPI_Info_get(info, 'key', 8, value, is_set)
    call check(is_set .and. value == 'value', 'value of an info')
    call MPI_Info_free(info)
  end subroutine types_and_texts

  subroutine functions
    type(MPI_Op) :: op
    integer :: got
    call MPI_Op_create(larger, .true., op)
    call MPI_Allreduce(me, got, 1, MPI_INTEGER, op, MPI_COMM_WORLD)
    call check(got == 3, 'reduction by a function of Fortran')
    call MPI_Op_free(op)
    call check(op == MPI_OP_NULL, 'op is null')
  end subroutine functions

  subroutine more_messages
    type(MPI_Request) :: send, receive, both(2)
    type(MPI_Status) :: status, statuses(2)
    real(8), asynchronous :: whole(4, 4), part(4, 4)
    integer, asynchronous :: mine, got(2)
    integer(MPI_ADDRESS_KIND), save :: extra = 7
    integer :: done, places(2), i
    logical :: flag
    whole = me
    part = -1
    whole(2, :) = [1, 2, 3, 4]
    if (MPI_SUBARRAYS_SUPPORTED) then ! sections that are started, too
      call MPI_Irecv(part(3, :), 4, MPI_DOUBLE_PRECISION, left, 6, MPI_COMM_WORLD, receive)
      call MPI_Isend(whole(2, :), 4, MPI_DOUBLE_PRECISION, right, 6, MPI_COMM_WORLD, send)
      call MPI_Wait(send, MPI_STATUS_IGNORE)
      call MPI_Wait(receive, status)
      call check(all(part(3, :) == [1, 2, 3, 4]) .and. part(2, 1) == -1 .and. status%MPI_TAG == 6, 'sections of started messages')
    end if
    mine = me
    call MPI_Isend(mine, 1, MPI_INTEGER, right, 7, MPI_COMM_WORLD, send)
    call MPI_Probe(left, 7, MPI_COMM_WORLD, status)
    call MPI_Iprobe(left, 7, MPI_COMM_WORLD, flag, status)
    call check(flag .and. status%MPI_SOURCE == left, 'MPI_Iprobe')
    call MPI_Recv(got, 1, MPI_INTEGER, left, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    call MPI_Wait(send, MPI_STATUS_IGNORE)
    do i = 1, 2
      call MPI_Irecv(got(i), 1, MPI_INTEGER, left, i, MPI_COMM_WORLD, both(i))
    end do
    do i = 1, 2
      call MPI_Send(me + i, 1, MPI_INTEGER, right, i, MPI_COMM_WORLD)
    end do
    call MPI_Waitsome(2, both, done, places, statuses)
    call check(done >= 1 .and. statuses(1)%MPI_SOURCE == left, 'MPI_Waitsome')
    call MPI_Waitall(2, both, MPI_STATUSES_IGNORE)
    call check(all(got == left + [1, 2]), 'MPI_Waitall')
    functions_called = 0
    call MPI_Grequest_start(query, on_free, on_cancel, extra, send)
    call MPI_Grequest_complete(send)
    call MPI_Wait(send, status)
    call MPI_Get_count(status, MPI_INTEGER, done)
    call check(functions_called == 7 .and. status%MPI_SOURCE == 42 .and. done == 7, 'generalised request')
    call check(MPI_Wtime() >= 0 .and. MPI_Wtick() > 0, 'clock')
    call end_case('f08_messages')
  end subroutine more_messages

  subroutine communicators
    type(MPI_Comm) :: grid, half, inter
    type(MPI_Group) :: group
    integer :: dims(2), coords(2), source, target, compared, rank, length
    logical :: periods(2), flag
    character(len=MPI_MAX_PROCESSOR_NAME) :: name
    dims = 0
    call MPI_Dims_create(n, 2, dims)
    call MPI_Cart_create(MPI_COMM_WORLD, 2, dims, [.true., .false.], .false., grid)
    call MPI_Cart_get(grid, 2, dims, periods, coords)
    call check(all(dims == 2) .and. periods(1) .and. .not. periods(2) .and. coords(2) == modulo(me, 2), 'grid')
    call MPI_Cart_shift(grid, 1, 1, source, target)
    call check(source == merge(me - 1, MPI_PROC_NULL, modulo(me, 2) == 1), 'shift')
    call MPI_Comm_compare(grid, MPI_COMM_WORLD, compared)
    call check(compared == MPI_CONGRUENT, 'MPI_Comm_compare')
    call MPI_Comm_free(grid)
    call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, [left], MPI_UNWEIGHTED, 1, [right], MPI_UNWEIGHTED, MPI_INFO_NULL, .false., grid)
    call MPI_Dist_graph_neighbors_count(grid, source, target, flag)
    call check(source == 1 .and. target == 1 .and. .not. flag, 'graph without weights')
    call MPI_Comm_free(grid)
    call MPI_Comm_split(MPI_COMM_WORLD, me/2, me, half)
    call MPI_Comm_group(half, group)
    call MPI_Group_rank(group, rank)
    call check(rank == modulo(me, 2), 'MPI_Group_rank')
    call MPI_Group_free(group)
    call MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 2 - 2*(me/2), 3, inter)
    call MPI_Comm_test_inter(inter, flag)
    call check(flag, 'MPI_Comm_test_inter')
    call MPI_Comm_free(inter)
    call MPI_Comm_free(half)
    call MPI_Get_processor_name(name, length)
    call check(len_trim(name) == length, 'processor')
    call end_case('f08_communicators')
  end subroutine communicators

  subroutine attributes
    type(MPI_Comm) :: copy, again
    type(MPI_Errhandler) :: handler
    type(MPI_Info) :: info
    integer :: key
    integer(MPI_ADDRESS_KIND) :: value
    logical :: flag
    character(len=MPI_MAX_INFO_KEY) :: name
    call MPI_Comm_create_keyval(copy_value, delete_value, key, 5_MPI_ADDRESS_KIND)
    call MPI_Comm_dup(MPI_COMM_WORLD, copy)
    call MPI_Comm_set_attr(copy, key, 3000000000_MPI_ADDRESS_KIND)
    functions_called = 0
    call MPI_Comm_dup(copy, again)
    call MPI_Comm_get_attr(again, key, value, flag)
    call check(functions_called == 1 .and. flag .and. value == 3000000005_MPI_ADDRESS_KIND, 'copied value')
    call MPI_Comm_delete_attr(again, key)
    call check(functions_called == 101, 'MPI_Comm_delete_attr')
    call MPI_Comm_free(again)
    call MPI_Comm_free(copy)
    call check(functions_called == 201, 'deleted with the communicator')
    call MPI_Comm_free_keyval(key)
    call check(key == MPI_KEYVAL_INVALID, 'MPI_Comm_free_keyval')
    call MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, value, flag)
    call check(flag .and. value >= 32767 .and. value <= 2147483647_MPI_ADDRESS_KIND, 'MPI_TAG_UB')
    call MPI_Comm_get_errhandler(MPI_COMM_WORLD, handler)
    call check(handler == MPI_ERRORS_RETURN, 'MPI_Comm_get_errhandler')
    call MPI_Info_create(info)
    call MPI_Info_set(info, 'a key', 'a value')
    call MPI_Info_get_nthkey(info, 0, name)
    call check(name == 'a key', 'MPI_Info_get_nthkey')
    call MPI_Info_free(info)
    call end_case('f08_attributes')
  end subroutine attributes

  subroutine memory_and_files
    integer, asynchronous, save :: memory(16)
    integer, asynchronous :: mine, got
    type(MPI_Win) :: win
    type(MPI_Op) :: op
    type(MPI_File) :: file
    type(MPI_Datatype) :: etype, filetype
    integer(MPI_OFFSET_KIND) :: place
    character(len=MPI_MAX_DATAREP_STRING) :: rep
    character(len=200) :: name
    integer(8) :: number
    logical :: flag
    memory = 0
    mine = me + 1
    call MPI_Win_create(memory, 64_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win)
    call MPI_Win_fence(0, win)
    call MPI_Put(mine, 1, MPI_INTEGER, right, 0_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win)
    call MPI_Win_fence(0, win)
    call check(memory(1) == left + 1, 'MPI_Win_create')
    call MPI_Win_free(win)
    call MPI_Op_create(larger, .true., op)
    call MPI_Op_commutative(op, flag)
    got = -1
    call MPI_Reduce_local(mine, got, 1, MPI_INTEGER, op)
    call check(flag .and. got == mine, 'MPI_Reduce_local')
    call MPI_Op_free(op)
    call get_environment_variable('TMPDIR', name, size)
    if (size == 0) name = '/tmp'
    call system_clock(number)
    call MPI_Bcast(number, 1, MPI_INTEGER8, 0, MPI_COMM_WORLD)
    write (name(len_trim(name) + 1:), '(a,i0)') '/h3ou-f08-cases-', number
    call MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE + MPI_MODE_RDWR + MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, file)
    call MPI_File_set_view(file, 4_MPI_OFFSET_KIND*me, MPI_INTEGER, MPI_INTEGER, 'native', MPI_INFO_NULL)
    call MPI_File_get_view(file, place, etype, filetype, rep)
    call check(place == 4*me .and. etype == MPI_INTEGER .and. rep == 'native', 'MPI_File_get_view')
    call MPI_File_write_at(file, 0_MPI_OFFSET_KIND, mine, 1, MPI_INTEGER, MPI_STATUS_IGNORE)
    call MPI_File_read_at(file, 0_MPI_OFFSET_KIND, got, 1, MPI_INTEGER, MPI_STATUS_IGNORE)
    call check(got == mine, 'MPI_File_read_at')
    call MPI_File_close(file)
    call end_case('f08_files')
  end subroutine memory_and_files
end program f08_cases

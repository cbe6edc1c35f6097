! SPDX-License-Identifier: BSD-3-Clause
! Calls of MPI with the module mpi_f08: handles and statuses with types, errors left out, sections of arrays, functions of the user.
module f08_functions
  use mpi_f08
  implicit none
contains
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
  use f08_functions, only: larger
  implicit none
  integer, parameter :: n = 4
  integer :: me, left, right, size, provided, wrong = 0, all_wrong
  logical :: is_there
  call MPI_Initialized(is_there)
  call check(.not. is_there, 'not initialized')
  call MPI_Init_thread(MPI_THREAD_SERIALIZED, provided)
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN)
  call MPI_Comm_rank(MPI_COMM_WORLD, me)
  call MPI_Comm_size(MPI_COMM_WORLD, size)
  if (size /= n) call MPI_Abort(MPI_COMM_WORLD, 2)
  left = modulo(me - 1, n)
  right = modulo(me + 1, n)
  call messages
  call requests
  call collectives
  call types_and_texts
  call functions
  call MPI_Allreduce(wrong, all_wrong, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
  if (me == 0) print '(a,i0,a)', '1 cases, ', merge(1, 0, all_wrong > 0), ' failed'
  call MPI_Finalize
  if (all_wrong > 0) stop 1
contains
  subroutine check(ok, what)
    logical, intent(in) :: ok
    character(len=*), intent(in) :: what
    if (ok) return
    wrong = wrong + 1
    print '(a,i0,2a)', 'rank ', me, ': ', what
  end subroutine check

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
end program f08_cases

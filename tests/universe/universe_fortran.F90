! SPDX-License-Identifier: BSD-3-Clause
! Messages over several jobs in Fortran, with mpif.h, or with the module mpi (-DWITH_MODULE). Every process prints
! "rank R of N: C cases, F failed", as universe_cases does.
#ifdef WITH_MODULE
#define BINDING use mpi
#define HEADER
#else
#define BINDING
#define HEADER include 'mpif.h'
#endif
module checks
  implicit none
  integer :: me, total, left, right, wrong = 0
contains
  subroutine check(ok, what)
    logical, intent(in) :: ok
    character(len=*), intent(in) :: what
    if (ok) return
    wrong = wrong + 1
    print '(a,i0,2a)', 'rank ', me, ': ', what
  end subroutine check
end module checks

program universe_fortran
  BINDING
  use checks
  implicit none
  HEADER
  integer :: ierr
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, me, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, total, ierr)
  left = modulo(me - 1, total)
  right = modulo(me + 1, total)
  call ring()
  call requests()
  call any_source()
  call strided()
  print '(a,i0,a,i0,a,i0,a)', 'rank ', me, ' of ', total, ': 4 cases, ', min(wrong, 1), ' failed'
  call MPI_Finalize(ierr)
  if (wrong > 0) stop 1
contains
  subroutine ring()
    double precision :: out(5), in(5)
    integer :: status(MPI_STATUS_SIZE), count
    out = me + [0.0d0, 0.25d0, 0.5d0, 0.75d0, 1.0d0]
    call MPI_Sendrecv(out, 5, MPI_DOUBLE_PRECISION, right, 3, in, 5, MPI_DOUBLE_PRECISION, left, MPI_ANY_TAG, MPI_COMM_WORLD, status, ierr)
    call MPI_Get_count(status, MPI_DOUBLE_PRECISION, count, ierr)
    call check(count == 5 .and. status(MPI_SOURCE) == left .and. status(MPI_TAG) == 3, 'status of MPI_Sendrecv')
    call check(in(1) == left .and. in(4) == left + 0.75d0, 'values of MPI_Sendrecv')
    call MPI_Sendrecv_replace(out, 5, MPI_DOUBLE_PRECISION, left, 4, right, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    call check(out(5) == right + 1.0d0, 'values of MPI_Sendrecv_replace')
  end subroutine ring

  subroutine requests()
    integer :: request(2 * total), status(MPI_STATUS_SIZE, 2 * total), in(total), out(total), r, round, place
    logical :: flag
    do r = 1, total
      call MPI_Recv_init(in(r), 1, MPI_INTEGER, r - 1, 5, MPI_COMM_WORLD, request(r), ierr)
      call MPI_Send_init(out(r), 1, MPI_INTEGER, r - 1, 5, MPI_COMM_WORLD, request(total + r), ierr)
    end do
    do round = 1, 2
      out = [(100 * me + r + 7 * round, r = 0, total - 1)]
      in = -1
      call MPI_Startall(2 * total, request, ierr)
      call MPI_Waitall(2 * total, request, status, ierr)
      call check(all(in == [(100 * r + me + 7 * round, r = 0, total - 1)]), 'values of persistent requests')
      call check(all(status(MPI_SOURCE, 1:total) == [(r, r = 0, total - 1)]), 'statuses of MPI_Waitall')
    end do
    do r = 1, 2 * total
      call MPI_Request_free(request(r), ierr)
      call check(request(r) == MPI_REQUEST_NULL, 'MPI_Request_free')
    end do
    call MPI_Irecv(in(1), 1, MPI_INTEGER, MPI_ANY_SOURCE, 6, MPI_COMM_WORLD, request(1), ierr)
    call MPI_Issend(me, 1, MPI_INTEGER, right, 6, MPI_COMM_WORLD, request(2), ierr)
    call MPI_Waitany(2, request, place, status(:, 1), ierr)
    call check(place == 1 .or. place == 2, 'place of MPI_Waitany')
    flag = .false.
    do while (.not. flag)
      call MPI_Testall(2, request, flag, MPI_STATUSES_IGNORE, ierr)
    end do
    call check(in(1) == left, 'value of MPI_Issend')
  end subroutine requests

  subroutine any_source()
    integer :: status(MPI_STATUS_SIZE), value, r, count
    if (me > 0) then
      call MPI_Send([(me, r = 1, me)], me, MPI_INTEGER, 0, 7, MPI_COMM_WORLD, ierr)
      return
    end if
    value = 0
    do r = 1, total - 1
      call MPI_Probe(MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, status, ierr)
      call MPI_Get_count(status, MPI_INTEGER, count, ierr)
      call check(count == status(MPI_SOURCE), 'length of a probed message')
      call take(count, status(MPI_SOURCE))
      value = value + count
    end do
    call check(value == total * (total - 1) / 2, 'messages from any source')
  end subroutine any_source

  subroutine take(count, from)
    integer, intent(in) :: count, from
    integer :: in(count)
    call MPI_Recv(in, count, MPI_INTEGER, from, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    call check(all(in == from), 'values of a probed message')
  end subroutine take

  subroutine strided()
    integer :: matrix(4, 6), row, column(6), i, j
    matrix = reshape([((100 * me + 10 * i + j, i = 1, 4), j = 1, 6)], [4, 6])
    call MPI_Type_vector(6, 1, 4, MPI_INTEGER, row, ierr)
    call MPI_Type_commit(row, ierr)
    call MPI_Sendrecv(matrix(2, 1), 1, row, right, 8, column, 6, MPI_INTEGER, left, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    call check(all(column == [(100 * left + 20 + j, j = 1, 6)]), 'a row of a matrix')
    call MPI_Type_free(row, ierr)
  end subroutine strided
end program universe_fortran

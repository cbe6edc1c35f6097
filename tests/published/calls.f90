! SPDX-License-Identifier: BSD-3-Clause
! The calls of waitio.h from Fortran, by their link symbols only; the communicator is declared wider than it is. No finalize.
module predicates
  use iso_c_binding, only: c_int
  implicit none
contains
  integer(c_int) function all_of(pbid, rank) bind(C)
    integer(c_int), value :: pbid, rank
    all_of = merge(1, 0, pbid >= 0 .and. rank >= 0)
  end function all_of
end module predicates

program calls
  use iso_c_binding
  use predicates
  implicit none
  external :: waitio_init, waitio_get_nprocs, waitio_create_group, waitio_group_rank, waitio_group_size, waitio_pb_rank
  external :: waitio_pb_size, waitio_isend, waitio_irecv, waitio_wait, waitio_create_group_wranks
  integer, parameter :: most = 16
  integer, target :: last(2, most)
  type(c_funptr) :: members(most)
  type(c_ptr) :: lists(most)
  integer(8) :: group, other
  integer :: nprocs(most), order(most), send(22), receive(22), before(2), npb, pbs, pb, me, rank, n, mine, ierr, i
  call waitio_init(30, ierr)
  if (ierr /= 0) stop 1
  call waitio_pb_size(pbs, ierr)
  call waitio_get_nprocs(nprocs, npb)
  if (ierr /= 0 .or. npb /= pbs) stop 2
  do i = 1, npb
    members(i) = c_funloc(all_of)
    last(:, i) = [nprocs(i) - 1, -1]
    lists(i) = c_loc(last(1, i))
    order(i) = i
  end do
  group = -1
  call waitio_create_group(21, members, order, group, ierr)
  if (ierr /= 0) stop 3
  call waitio_group_rank(group, rank, ierr)
  call waitio_group_size(group, n, ierr)
  call waitio_pb_rank(pb, ierr)
  call waitio_create_group_wranks(22, lists, order, other, ierr)
  call waitio_group_rank(other, me, ierr)
  mine = 10 * rank
  before = -1
  call waitio_irecv(group, modulo(rank - 1, n), before, 4, 9, receive, ierr)
  call waitio_isend(group, modulo(rank + 1, n), mine, 4, 9, send, ierr)
  call waitio_wait(receive, ierr)
  call waitio_wait(send, ierr)
  write (*, '(a,5(1x,i0))') 'calls', pb, rank, n, before(1), me
  call waitio_isend(group, 0, mine, -4, 9, send, ierr)
  if (ierr >= 0 .or. before(2) /= -1) stop 4
end program calls

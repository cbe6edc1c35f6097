! SPDX-License-Identifier: BSD-3-Clause
! Collective calls that block and that are started, with unequal parts, and among neighbours.
#include "fortran_face.h"
module fortran_collectives
  use fortran_check
  implicit none
  private
  public :: collective_cases
  integer :: ierr
  integer, parameter :: ones(n) = 1, counts(n) = [1, 2, 3, 4], places(n) = [0, 1, 3, 6], straight(n) = [0, 1, 2, 3]
contains
  subroutine collective_cases
    call parts
    call started_parts
    call reductions
    call exchanges
    call neighbours
    call started_neighbours
#ifndef WITH_F08
    call persistent
    call persistent_neighbours
#endif
  end subroutine collective_cases

  subroutine parts
    integer :: all_of(n), many(10), few(4), i, one
    call MPI_Gather(me, 1, MPI_INTEGER, all_of, 1, MPI_INTEGER, 1, MPI_COMM_WORLD, ierr)
    if (me == 1) call check(all(all_of == [0, 1, 2, 3]), 'MPI_Gather')
    all_of = [(50 + i, i = 1, n)]
    call MPI_Scatter(all_of, 1, MPI_INTEGER, one, 1, MPI_INTEGER, 2, MPI_COMM_WORLD, ierr)
    call check(one == 51 + me, 'MPI_Scatter')
    few = 10*me + [0, 1, 2, 3]
    many = -1
    call MPI_Gatherv(few, me + 1, MPI_INTEGER, many, counts, places, MPI_INTEGER, 0, MPI_COMM_WORLD, ierr)
    if (me == 0) call check(many(1) == 0 .and. many(3) == 11 .and. many(10) == 33, 'MPI_Gatherv')
    few = -1
    call MPI_Scatterv(many, counts, places, MPI_INTEGER, few, me + 1, MPI_INTEGER, 0, MPI_COMM_WORLD, ierr)
    call check(few(me + 1) == 11*me, 'MPI_Scatterv')
    few = 10*me + [0, 1, 2, 3]
    call MPI_Allgatherv(few, me + 1, MPI_INTEGER, many, counts, places, MPI_INTEGER, MPI_COMM_WORLD, ierr)
    call check(many(1) == 0 .and. many(6) == 22 .and. many(10) == 33, 'MPI_Allgatherv')
    if (me == 3) then
      all_of = [9, 9, 9, 3]
      call MPI_Gather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all_of, 1, MPI_INTEGER, 3, MPI_COMM_WORLD, ierr)
      call check(all(all_of == [0, 1, 2, 3]), 'MPI_Gather in place')
    else
      call MPI_Gather(me, 1, MPI_INTEGER, all_of, 1, MPI_INTEGER, 3, MPI_COMM_WORLD, ierr)
    end if
    call end_case('collectives_parts')
  end subroutine parts

  subroutine wait_for(request)
    HANDLE(MPI_Request), intent(inout) :: request
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
    call check(ierr == MPI_SUCCESS .and. request == MPI_REQUEST_NULL, 'a started collective call')
  end subroutine wait_for

  subroutine started_parts
    integer, asynchronous :: all_of(n), many(10), few(4), one, mine
    HANDLE(MPI_Request) :: request
    mine = me
    call MPI_Ibarrier(MPI_COMM_WORLD, request, ierr)
    call wait_for(request)
    one = merge(11, 0, me == 2)
    call MPI_Ibcast(one, 1, MPI_INTEGER, 2, MPI_COMM_WORLD, request, ierr)
    call wait_for(request)
    call check(one == 11, 'MPI_Ibcast')
    call MPI_Igather(mine, 1, MPI_INTEGER, all_of, 1, MPI_INTEGER, 1, MPI_COMM_WORLD, request, ierr)
    call wait_for(request)
    if (me == 1) call check(all(all_of == [0, 1, 2, 3]), 'MPI_Igather')
    all_of = [51, 52, 53, 54]
    call MPI_Iscatter(all_of, 1, MPI_INTEGER, one, 1, MPI_INTEGER, 2, MPI_COMM_WORLD, request, ierr)
    call wait_for(request)
    call check(one == 51 + me, 'MPI_Iscatter')
    call MPI_Iallgather(mine, 1, MPI_INTEGER, all_of, 1, MPI_INTEGER, MPI_COMM_WORLD, request, ierr)
    call wait_for(request)
    call check(all(all_of == [0, 1, 2, 3]), 'MPI_Iallgather')
    few = 10*me + [0, 1, 2, 3]
    many = -1
    call MPI_Igatherv(few, me + 1, MPI_INTEGER, many, counts, places, MPI_INTEGER, 0, MPI_COMM_WORLD, request, ierr)
    call wait_for(request)
    if (me == 0) call check(many(10) == 33, 'MPI_Igatherv')
    few = -1
    call MPI_Iscatterv(many, counts, places, MPI_INTEGER, few, me + 1, MPI_INTEGER, 0, MPI_COMM_WORLD, request, ierr)
    call wait_for(request)
    call check(few(me + 1) == 11*me, 'MPI_Iscatterv')
    few = 10*me + [0, 1, 2, 3]
    call MPI_Iallgatherv(few, me + 1, MPI_INTEGER, many, counts, places, MPI_INTEGER, MPI_COMM_WORLD, request, ierr)
    call wait_for(request)
    call check(many(6) == 22 .and. many(10) == 33, 'MPI_Iallgatherv')
    call end_case('collectives_started')
  end subroutine started_parts

  subroutine reductions
    integer, asynchronous :: got, mine, values(n), part
    HANDLE(MPI_Request) :: request
    mine = me + 1
    values = 10*me + [0, 1, 2, 3]
    got = -1
    call MPI_Reduce(mine, got, 1, MPI_INTEGER, MPI_PROD, 3, MPI_COMM_WORLD, ierr)
    call check(got == merge(24, -1, me == 3), 'MPI_Reduce')
    call MPI_Scan(mine, got, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
    call check(got == (me + 1)*(me + 2)/2, 'MPI_Scan')
    got = -1
    call MPI_Exscan(mine, got, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
    call check(got == merge(-1, me*(me + 1)/2, me == 0), 'MPI_Exscan')
    call MPI_Reduce_scatter(values, part, ones, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
    call check(part == 60 + 4*me, 'MPI_Reduce_scatter')
    call MPI_Reduce_scatter_block(values, part, 1, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD, ierr)
    call check(part == 30 + me, 'MPI_Reduce_scatter_block')
    call MPI_Iallreduce(mine, got, 1, MPI_INTEGER, MPI_MIN, MPI_COMM_WORLD, request, ierr)
    call wait_for(request)
    call check(got == 1, 'MPI_Iallreduce')
    got = -1
    call MPI_Ireduce(mine, got, 1, MPI_INTEGER, MPI_MAX, 0, MPI_COMM_WORLD, request, ierr)
    call wait_for(request)
    call check(got == merge(4, -1, me == 0), 'MPI_Ireduce')
    call MPI_Iscan(mine, got, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, request, ierr)
    call wait_for(request)
    call check(got == (me + 1)*(me + 2)/2, 'MPI_Iscan')
    got = -1
    call MPI_Iexscan(mine, got, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, request, ierr)
    call wait_for(request)
    call check(got == merge(-1, me*(me + 1)/2, me == 0), 'MPI_Iexscan')
    call MPI_Ireduce_scatter(values, part, ones, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, request, ierr)
    call wait_for(request)
    call check(part == 60 + 4*me, 'MPI_Ireduce_scatter')
    call MPI_Ireduce_scatter_block(values, part, 1, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD, request, ierr)
    call wait_for(request)
    call check(part == 30 + me, 'MPI_Ireduce_scatter_block')
    call end_case('collectives_reductions')
  end subroutine reductions

  subroutine exchanges
    integer, asynchronous :: mine(n), got(n)
    integer :: expected(n), bytes(n)
    HANDLE(MPI_Datatype) :: types(n)
    HANDLE(MPI_Request) :: request
    mine = 10*me + [0, 1, 2, 3]
    expected = [0, 10, 20, 30] + me
    bytes = 4*straight
    types = MPI_INTEGER
    call MPI_Alltoall(mine, 1, MPI_INTEGER, got, 1, MPI_INTEGER, MPI_COMM_WORLD, ierr)
    call check(all(got == expected), 'MPI_Alltoall')
    got = -1
    call MPI_Alltoallv(mine, ones, straight, MPI_INTEGER, got, ones, straight, MPI_INTEGER, MPI_COMM_WORLD, ierr)
    call check(all(got == expected), 'MPI_Alltoallv')
    got = mine
    call MPI_Alltoallw(MPI_IN_PLACE, ones, bytes, types, got, ones, bytes, types, MPI_COMM_WORLD, ierr)
    call check(all(got == expected), 'MPI_Alltoallw in place')
    got = -1
    call MPI_Ialltoall(mine, 1, MPI_INTEGER, got, 1, MPI_INTEGER, MPI_COMM_WORLD, request, ierr)
    call wait_for(request)
    call check(all(got == expected), 'MPI_Ialltoall')
    got = -1
    call MPI_Ialltoallv(mine, ones, straight, MPI_INTEGER, got, ones, straight, MPI_INTEGER, MPI_COMM_WORLD, request, ierr)
    call wait_for(request)
    call check(all(got == expected), 'MPI_Ialltoallv')
    got = -1
    call MPI_Ialltoallw(mine, ones, bytes, types, got, ones, bytes, types, MPI_COMM_WORLD, request, ierr)
    call wait_for(request)
    call check(all(got == expected), 'MPI_Ialltoallw')
    call end_case('collectives_exchanges')
  end subroutine exchanges

  subroutine make_ring(ring)
    HANDLE(MPI_Comm), intent(out) :: ring
    call MPI_Cart_create(MPI_COMM_WORLD, 1, [n], [.true.], .false., ring, ierr)
  end subroutine make_ring

  ! What goes left is the first value; the left neighbour's second one comes.
  subroutine neighbours
    integer :: mine(2), got(2)
    integer(MPI_ADDRESS_KIND) :: bytes(2)
    HANDLE(MPI_Comm) :: ring
    HANDLE(MPI_Datatype) :: types(2)
    call make_ring(ring)
    mine = [10*me, 10*me + 1]
    bytes = [0, 4]
    types = MPI_INTEGER
    call MPI_Neighbor_allgather(mine, 1, MPI_INTEGER, got, 1, MPI_INTEGER, ring, ierr)
    call check(all(got == [10*left, 10*right]), 'MPI_Neighbor_allgather')
    call MPI_Neighbor_allgatherv(mine, 1, MPI_INTEGER, got, [1, 1], [1, 0], MPI_INTEGER, ring, ierr)
    call check(all(got == [10*right, 10*left]), 'MPI_Neighbor_allgatherv')
    call MPI_Neighbor_alltoall(mine, 1, MPI_INTEGER, got, 1, MPI_INTEGER, ring, ierr)
    call check(all(got == [10*left + 1, 10*right]), 'MPI_Neighbor_alltoall')
    call MPI_Neighbor_alltoallv(mine, [1, 1], [0, 1], MPI_INTEGER, got, [1, 1], [1, 0], MPI_INTEGER, ring, ierr)
    call check(all(got == [10*right, 10*left + 1]), 'MPI_Neighbor_alltoallv')
#ifdef HAS_NEIGHBOUR_W
    got = -1
    call MPI_Neighbor_alltoallw(mine, [1, 1], bytes, types, got, [1, 1], bytes, types, ring, ierr)
    call check(all(got == [10*left + 1, 10*right]), 'MPI_Neighbor_alltoallw')
#endif
    call MPI_Comm_free(ring, ierr)
    call end_case('collectives_neighbours')
  end subroutine neighbours

  subroutine started_neighbours
    integer, asynchronous :: mine(2), got(2)
    integer(MPI_ADDRESS_KIND) :: bytes(2)
    integer :: one(2), turned(2), forward(2)
    HANDLE(MPI_Comm) :: ring
    HANDLE(MPI_Datatype) :: types(2)
    HANDLE(MPI_Request) :: request
    call make_ring(ring)
    mine = [10*me, 10*me + 1]
    bytes = [0, 4]
    one = 1
    turned = [1, 0]
    forward = [0, 1]
    types = MPI_INTEGER
    call MPI_Ineighbor_allgather(mine, 1, MPI_INTEGER, got, 1, MPI_INTEGER, ring, request, ierr)
    call wait_for(request)
    call check(all(got == [10*left, 10*right]), 'MPI_Ineighbor_allgather')
    call MPI_Ineighbor_allgatherv(mine, 1, MPI_INTEGER, got, one, turned, MPI_INTEGER, ring, request, ierr)
    call wait_for(request)
    call check(all(got == [10*right, 10*left]), 'MPI_Ineighbor_allgatherv')
    call MPI_Ineighbor_alltoall(mine, 1, MPI_INTEGER, got, 1, MPI_INTEGER, ring, request, ierr)
    call wait_for(request)
    call check(all(got == [10*left + 1, 10*right]), 'MPI_Ineighbor_alltoall')
    call MPI_Ineighbor_alltoallv(mine, one, forward, MPI_INTEGER, got, one, turned, MPI_INTEGER, ring, request, ierr)
    call wait_for(request)
    call check(all(got == [10*right, 10*left + 1]), 'MPI_Ineighbor_alltoallv')
#ifdef HAS_NEIGHBOUR_W
    got = -1
    call MPI_Ineighbor_alltoallw(mine, one, bytes, types, got, one, bytes, types, ring, request, ierr)
    call wait_for(request)
    call check(all(got == [10*left + 1, 10*right]), 'MPI_Ineighbor_alltoallw')
#endif
    call MPI_Comm_free(ring, ierr)
    call end_case('collectives_started_neighbours')
  end subroutine started_neighbours

#ifndef WITH_F08
! Calls of MPI-4, which Open MPI 4.1 has as extensions.
#ifdef BUILT_WITH_openmpi
#define INIT(name_) MPIX_/**/name_/**/_init
#else
#define INIT(name_) MPI_/**/name_/**/_init
#endif
  subroutine complete(request)
    integer, intent(inout) :: request
    call call_ok(ierr, 'a persistent call')
    call MPI_Start(request, ierr)
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
    call check(ierr == MPI_SUCCESS .and. request /= MPI_REQUEST_NULL, 'a persistent request')
    call MPI_Request_free(request, ierr)
  end subroutine complete

  subroutine persistent
    integer, asynchronous :: mine, got, values(n), all_of(n), many(10), few(4), part
    integer :: types(n), bytes(n), request, expected(n)
    mine = me + 1
    values = 10*me + [0, 1, 2, 3]
    expected = [0, 10, 20, 30] + me
    types = MPI_INTEGER
    bytes = 4*straight
    call INIT(Barrier)(MPI_COMM_WORLD, MPI_INFO_NULL, request, ierr)
    call complete(request)
    got = merge(70, 0, me == 2)
    call INIT(Bcast)(got, 1, MPI_INTEGER, 2, MPI_COMM_WORLD, MPI_INFO_NULL, request, ierr)
    call complete(request)
    call check(got == 70, 'MPI_Bcast_init')
    call INIT(Allreduce)(mine, got, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, request, ierr)
    call complete(request)
    call check(got == 10, 'MPI_Allreduce_init')
    call INIT(Reduce)(mine, got, 1, MPI_INTEGER, MPI_MAX, 0, MPI_COMM_WORLD, MPI_INFO_NULL, request, ierr)
    call complete(request)
    call check(got == merge(4, 10, me == 0), 'MPI_Reduce_init')
    call INIT(Scan)(mine, got, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, request, ierr)
    call complete(request)
    call check(got == (me + 1)*(me + 2)/2, 'MPI_Scan_init')
    got = -1
    call INIT(Exscan)(mine, got, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, request, ierr)
    call complete(request)
    call check(got == merge(-1, me*(me + 1)/2, me == 0), 'MPI_Exscan_init')
    call INIT(Reduce_scatter)(values, part, ones, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, request, ierr)
    call complete(request)
    call check(part == 60 + 4*me, 'MPI_Reduce_scatter_init')
    call INIT(Reduce_scatter_block)(values, part, 1, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD, MPI_INFO_NULL, request, ierr)
    call complete(request)
    call check(part == 30 + me, 'MPI_Reduce_scatter_block_init')
    call INIT(Gather)(mine, 1, MPI_INTEGER, all_of, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, MPI_INFO_NULL, request, ierr)
    call complete(request) ! MPICH 4.0.2 has the values too late
    all_of = [51, 52, 53, 54]
    call INIT(Scatter)(all_of, 1, MPI_INTEGER, got, 1, MPI_INTEGER, 2, MPI_COMM_WORLD, MPI_INFO_NULL, request, ierr)
    call complete(request)
    call check(got == 51 + me, 'MPI_Scatter_init')
    call INIT(Allgather)(mine, 1, MPI_INTEGER, all_of, 1, MPI_INTEGER, MPI_COMM_WORLD, MPI_INFO_NULL, request, ierr)
    call complete(request)
    call check(all(all_of == [1, 2, 3, 4]), 'MPI_Allgather_init')
    few = values
    call INIT(Allgatherv)(few, me + 1, MPI_INTEGER, many, counts, places, MPI_INTEGER, MPI_COMM_WORLD, MPI_INFO_NULL, request, ierr)
    call complete(request)
    call check(many(6) == 22 .and. many(10) == 33, 'MPI_Allgatherv_init')
    many = -1
    call INIT(Gatherv)(few, me + 1, MPI_INTEGER, many, counts, places, MPI_INTEGER, 0, MPI_COMM_WORLD, MPI_INFO_NULL, request, ierr)
    call complete(request)
    call check(many(10) == merge(33, -1, me == 0), 'MPI_Gatherv_init')
    call INIT(Scatterv)(many, counts, places, MPI_INTEGER, few, me + 1, MPI_INTEGER, 0, MPI_COMM_WORLD, MPI_INFO_NULL, request, ierr)
    call complete(request)
    call check(few(me + 1) == 11*me, 'MPI_Scatterv_init')
    call INIT(Alltoall)(values, 1, MPI_INTEGER, all_of, 1, MPI_INTEGER, MPI_COMM_WORLD, MPI_INFO_NULL, request, ierr)
    call complete(request)
    call check(all(all_of == expected), 'MPI_Alltoall_init')
    all_of = -1
    call INIT(Alltoallv)(values, ones, straight, MPI_INTEGER, all_of, ones, straight, MPI_INTEGER, MPI_COMM_WORLD, MPI_INFO_NULL, request, ierr)
    call complete(request)
    call check(all(all_of == expected), 'MPI_Alltoallv_init')
    all_of = -1
    call INIT(Alltoallw)(values, ones, bytes, types, all_of, ones, bytes, types, MPI_COMM_WORLD, MPI_INFO_NULL, request, ierr)
    call complete(request)
    call check(all(all_of == expected), 'MPI_Alltoallw_init')
    call end_case('collectives_persistent')
  end subroutine persistent

  subroutine persistent_neighbours
    integer, asynchronous :: mine(2), got(2)
    integer :: one(2), turned(2), forward(2), types(2), ring, request
    integer(MPI_ADDRESS_KIND) :: bytes(2)
    call make_ring(ring)
    mine = [10*me, 10*me + 1]
    bytes = [0, 4]
    one = 1
    turned = [1, 0]
    forward = [0, 1]
    types = MPI_INTEGER
    call INIT(Neighbor_allgather)(mine, 1, MPI_INTEGER, got, 1, MPI_INTEGER, ring, MPI_INFO_NULL, request, ierr)
    call complete(request)
    call check(all(got == [10*left, 10*right]), 'MPI_Neighbor_allgather_init')
    call INIT(Neighbor_allgatherv)(mine, 1, MPI_INTEGER, got, one, turned, MPI_INTEGER, ring, MPI_INFO_NULL, request, ierr)
    call complete(request)
    call check(all(got == [10*right, 10*left]), 'MPI_Neighbor_allgatherv_init')
    call INIT(Neighbor_alltoall)(mine, 1, MPI_INTEGER, got, 1, MPI_INTEGER, ring, MPI_INFO_NULL, request, ierr)
    call complete(request)
    call check(all(got == [10*left + 1, 10*right]), 'MPI_Neighbor_alltoall_init')
    call INIT(Neighbor_alltoallv)(mine, one, forward, MPI_INTEGER, got, one, turned, MPI_INTEGER, ring, MPI_INFO_NULL, request, ierr)
    call complete(request)
    call check(all(got == [10*right, 10*left + 1]), 'MPI_Neighbor_alltoallv_init')
    got = -1
    call INIT(Neighbor_alltoallw)(mine, one, bytes, types, got, one, bytes, types, ring, MPI_INFO_NULL, request, ierr)
    call complete(request)
    call check(all(got == [10*left + 1, 10*right]), 'MPI_Neighbor_alltoallw_init')
    call MPI_Comm_free(ring, ierr)
    call end_case('collectives_persistent_neighbours')
  end subroutine persistent_neighbours
#endif
end module fortran_collectives

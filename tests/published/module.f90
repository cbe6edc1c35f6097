! SPDX-License-Identifier: BSD-3-Clause
! The module with its types; ierr given and left out; scalars, arrays, sections and characters as buffers.
program module
  use waitio_mpif90
  implicit none
  type(WAITIO_MPI_Comm) :: comm, block
  type(WAITIO_MPI_Request) :: req(2)
  type(WAITIO_MPI_Datatype) :: words
  integer :: ierr, me, n, pb, npb, inside, nblock, value, sums(2), stat(WAITIO_STATUS_SIZE, 2), counts(16), places(16), i
  integer :: all(2, 16), mine(2)
  real(8) :: grid(4, 3), got(4)
  character(4) :: word
  call WMPI_Init(ierr)
  if (ierr /= WAITIO_MPI_SUCCESS) stop 1
  call WMPI_Create_universe(comm, ierr)
  call WAITIO_MPI_Comm_rank(comm, me)
  call WAITIO_MPI_Comm_size(comm, n, ierr)
  call WAITIO_PB_rank(pb)
  call WAITIO_PB_size(npb)
  call WAITIO_Create_pbgroup(block, pb, ierr)
  call WAITIO_Group_rank(block, inside)
  call WAITIO_Group_size(block, nblock)
  grid = 100*me
  grid(:, 2) = me
  call WAITIO_MPI_Irecv(got, 4, WAITIO_MPI_DOUBLE_PRECISION, modulo(me - 1, n), 4, comm, req(1), ierr)
  call WAITIO_MPI_Isend(grid(:, 2), 4, WAITIO_MPI_REAL8, modulo(me + 1, n), 4, comm, req(2))
  call WAITIO_MPI_Waitall(2, req, stat, ierr)
  if (ierr /= 0 .or. any(got /= modulo(me - 1, n))) stop 2
  call WAITIO_MPI_Isend(me, 1, WAITIO_MPI_INTEGER, me, 5, comm, req(1))
  call WAITIO_MPI_Irecv(value, 1, WAITIO_MPI_INTEGER, me, 5, comm, req(2))
  call WAITIO_Wait(req(1))
  call WAITIO_Wait(req(2), ierr)
  if (value /= me) stop 3
  words = WAITIO_MPI_CHARACTER
  word = merge('warm', 'cold', me == 0)
  call WAITIO_MPI_Bcast(word, 4, words, 0, comm, ierr)
  if (word /= 'warm') stop 4
  call WAITIO_MPI_Allreduce([me, 1], sums, 2, WAITIO_MPI_INTEGER, WAITIO_MPI_SUM, comm, ierr)
  if (any(sums /= [n*(n - 1)/2, n])) stop 5
  value = -1
  call WAITIO_MPI_Reduce(me, value, 1, WAITIO_MPI_INT, WAITIO_MPI_MIN, n - 1, comm, ierr)
  if (value /= merge(0, -1, me == n - 1)) stop 6
  counts = 2
  places = [(2*i, i=0, 15)]
  call WAITIO_MPI_Gather([me, -me], 2, WAITIO_MPI_INTEGER, all, 2, WAITIO_MPI_INTEGER, 0, comm)
  call WAITIO_MPI_Scatter(all, 2, WAITIO_MPI_INTEGER, mine, 2, WAITIO_MPI_INTEGER, 0, comm, ierr)
  if (ierr /= 0 .or. any(mine /= [me, -me])) stop 7
  call WAITIO_MPI_Gatherv(mine, 2, WAITIO_MPI_INTEGER, all, counts, places, WAITIO_MPI_INTEGER, 0, comm)
  mine = -1
  call WAITIO_MPI_Scatterv(all, counts, places, WAITIO_MPI_INTEGER, mine, 2, WAITIO_MPI_INTEGER, 0, comm, ierr)
  if (ierr /= 0 .or. any(mine /= [me, -me])) stop 8
  call WAITIO_MPI_Allgather(mine, 2, WAITIO_MPI_INTEGER, all, 2, WAITIO_MPI_INTEGER, comm, ierr)
  if (any(all(1, :n) /= [(i, i=0, n - 1)])) stop 9
  call WAITIO_MPI_Barrier(comm, ierr)
  write (*, '(a,6(1x,i0))') 'module', me, n, pb, npb, inside, nblock
  call WAITIO_Finalize(ierr)
  if (ierr /= 0) stop 10
end program module

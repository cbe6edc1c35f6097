! SPDX-License-Identifier: BSD-3-Clause
! A program of MPI in free form with the module and its types, whose names the test changes.
program modern
  use mpi_f08
  implicit none
  type(MPI_Comm) :: comm
  type(MPI_Request) :: req(2)
  type(MPI_Status) :: stat(2)
  integer :: me, n, i, total(3), part(2), ierr
  integer, allocatable :: all(:), counts(:), places(:)
  real(8) :: mine(3), got(3)
  call MPI_Init(ierr)
  comm = MPI_COMM_WORLD
  call MPI_Comm_rank(comm, me)
  call MPI_Comm_size(comm, n, ierr)
  mine = [(me + 0.5d0*i, i=1, 3)]
  call MPI_Irecv(got, 3, MPI_DOUBLE_PRECISION, modulo(me - 1, n), 3, comm, req(1))
  call MPI_Isend(mine, 3, MPI_DOUBLE_PRECISION, modulo(me + 1, n), 3, comm, req(2), ierr)
  call MPI_Waitall(2, req, stat)
  write (*, '(a,i3,3f8.2)') 'ring', me, got
  call MPI_Allreduce([me, 2, 7 - me], total, 3, MPI_INTEGER, MPI_PROD, comm)
  write (*, '(a,i3,3i8)') 'prod', me, total
  call MPI_Allreduce([me, 8, 2*me], total, 3, MPI_INTEGER, MPI_BXOR, comm, ierr)
  write (*, '(a,i3,3i8)') 'bxor', me, total
  total = 0
  call MPI_Reduce([me, 0, 1], total, 3, MPI_INTEGER, MPI_MAX, 0, comm)
  write (*, '(a,i3,3i8)') 'max', me, total
  allocate (all(2*n), counts(n), places(n))
  all = -1
  counts = [(mod(i, 3), i=1, n)]
  places = [(2*(n - i), i=1, n)]
  call MPI_Gatherv([me, -me], counts(me + 1), MPI_INTEGER, all, counts, places, MPI_INTEGER, n - 1, comm)
  call MPI_Bcast(all, 2*n, MPI_INTEGER, n - 1, comm)
  write (*, '(a,i3,*(i4))') 'gatherv', me, all
  part = -5
  call MPI_Scatterv(all, counts, places, MPI_INTEGER, part, counts(me + 1), MPI_INTEGER, n - 1, comm)
  write (*, '(a,i3,2i4)') 'scatterv', me, part
  call MPI_Barrier(comm)
  call MPI_Finalize()
end program modern

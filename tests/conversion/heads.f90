! SPDX-License-Identifier: BSD-3-Clause
! The job's MPI inside, and WaitIO between the first processes of the jobs, in one program with both include files.
program heads_of_jobs
  use mpi
  implicit none
  include 'waitio_mpif.h'
  integer :: ierr, rank, inside, head, nhead, heads
  real(8) :: mine, part, total
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call waitio_create_universe_pbhead(heads, ierr)
  if (ierr /= WAITIO_MPI_SUCCESS) error stop 'no communicator of the heads'
  call waitio_group_rank(heads, head, ierr)
  call waitio_group_size(heads, nhead, ierr)
  mine = 1.5d0 + rank
  part = 0
  total = -1
  call MPI_Reduce(mine, part, 1, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD, ierr)
  if (head >= 0) call waitio_mpi_allreduce(part, total, 1, WAITIO_MPI_DOUBLE_PRECISION, WAITIO_MPI_SUM, heads, ierr)
  call MPI_Bcast(total, 1, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, inside, ierr)
  write (*, '(a,i0,1x,i0,a,i0,a,i0,a,f0.1)') 'heads ', rank, inside, ' of ', nhead, ', head ', head, ', total ', total
  call MPI_Finalize(ierr)
end program heads_of_jobs

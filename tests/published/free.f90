! SPDX-License-Identifier: BSD-3-Clause
! The include file in free form, with a communicator that is declared wider than it is; between MPI_Init and MPI_Finalize when
! compiled for an MPI.
program free
#ifdef WITH_MPI
  use mpi
#endif
  implicit none
  include 'waitio_mpif.h'
  integer(8) :: comm
  integer :: ierr, me, n, i, mine, total(2), req(WAITIO_REQUEST_SIZE), stat(WAITIO_STATUS_SIZE)
  real(8), allocatable :: field(:)
#ifdef WITH_MPI
  call MPI_Init(ierr)
#endif
  comm = -1
  call waitio_create_universe(comm, ierr)
  if (ierr /= WAITIO_MPI_SUCCESS) stop 1
  call waitio_group_rank(comm, me, ierr)
  call waitio_group_size(comm, n, ierr)
  mine = me
  call waitio_mpi_allreduce([mine, -mine], total, 2, WAITIO_MPI_INTEGER, WAITIO_MPI_SUM, comm, ierr)
  if (ierr /= 0 .or. any(total /= [n*(n - 1)/2, -n*(n - 1)/2])) stop 2
  allocate (field(30000))
  field = [(real(i + me, 8), i=1, size(field))]
  if (n > 1 .and. me == 0) then
    call waitio_mpi_isend(field, size(field), WAITIO_MPI_DOUBLE_PRECISION, n - 1, 8, comm, req, ierr)
    call waitio_mpi_wait(req, stat, ierr)
  else if (n > 1 .and. me == n - 1) then
    call waitio_mpi_recv(field, size(field), WAITIO_MPI_DOUBLE_PRECISION, 0, 8, comm, ierr)
    if (any(field /= [(real(i, 8), i=1, size(field))])) stop 3
  end if
  write (*, '(a,2(1x,i0))') 'free', me, n
#ifdef WITH_MPI
  call MPI_Finalize(ierr)
#endif
end program free

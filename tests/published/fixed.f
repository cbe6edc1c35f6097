! SPDX-License-Identifier: BSD-3-Clause
! A program of MPI in fixed form with WAITIO_ put before its names.
      program fixed
      implicit none
      include 'waitio_mpif.h'
      integer comm, heads, ierr, me, n, head, nhead, i, total, largest
      integer req(WAITIO_REQUEST_SIZE, 2), before
      integer stat(WAITIO_STATUS_SIZE, 2)
      integer all(64), counts(64), places(64), mine(2)
      double precision x(3), y(3)
      call WAITIO_CREATE_UNIVERSE(comm, ierr)
      if (ierr .ne. WAITIO_MPI_SUCCESS) stop 1
      call waitio_group_rank(comm, me, ierr)
      call waitio_mpi_comm_size(comm, n, ierr)
      before = -1
      call WAITIO_MPI_IRECV(before, 1, WAITIO_MPI_INTEGER,
     &     mod(me + n - 1, n), 3, comm, req(1, 1), ierr)
      call WAITIO_MPI_ISEND(me, 1, WAITIO_MPI_INTEGER,
     &     mod(me + 1, n), 3, comm, req(1, 2), ierr)
      call WAITIO_MPI_WAITALL(2, req, stat, ierr)
      if (before .ne. mod(me + n - 1, n)) stop 2
      do i = 1, 3
         x(i) = me + 0.5d0 * i
         y(i) = -1
      end do
      call WAITIO_MPI_ALLREDUCE(x, y, 3, WAITIO_MPI_DOUBLE_PRECISION,
     &     WAITIO_MPI_SUM, comm, ierr)
      do i = 1, 3
         if (y(i) .ne. n * (n - 1) / 2 + 0.5d0 * i * n) stop 3
      end do
      call WAITIO_MPI_REDUCE(me, largest, 1, WAITIO_MPI_INTEGER,
     &     WAITIO_MPI_MAX, 0, comm, ierr)
      call WAITIO_MPI_BCAST(largest, 1, WAITIO_MPI_INTEGER, 0, comm,
     &     ierr)
      if (largest .ne. n - 1) stop 4
      mine(1) = me
      mine(2) = -me
      do i = 1, n
         counts(i) = 2
         places(i) = 2 * (n - i)
      end do
      call WAITIO_MPI_GATHERV(mine, 2, WAITIO_MPI_INTEGER, all, counts,
     &     places, WAITIO_MPI_INTEGER, n - 1, comm, ierr)
      if (me .eq. n - 1) then
         do i = 1, n
            if (all(places(i) + 1) .ne. i - 1) stop 5
         end do
      end if
      mine(1) = -9
      call WAITIO_MPI_SCATTER(all, 2, WAITIO_MPI_INTEGER, mine, 2,
     &     WAITIO_MPI_INTEGER, n - 1, comm, ierr)
      if (mine(1) .ne. n - 1 - me) stop 6
      call WAITIO_MPI_ALLGATHER(me, 1, WAITIO_MPI_INTEGER, all, 1,
     &     WAITIO_MPI_INTEGER, comm, ierr)
      if (all(n) .ne. n - 1) stop 7
      call WAITIO_MPI_BARRIER(comm, ierr)
      call WAITIO_CREATE_UNIVERSE_PBHEAD(heads, ierr)
      call waitio_group_rank(heads, head, ierr)
      call waitio_group_size(heads, nhead, ierr)
      total = -1
      if (head .ge. 0) then
         call WAITIO_MPI_ALLREDUCE(me, total, 1, WAITIO_MPI_INTEGER,
     &        WAITIO_MPI_SUM, heads, ierr)
      end if
      write (*, '(a,5(1x,i0))') 'fixed', me, n, head, nhead, total
      end

! SPDX-License-Identifier: BSD-3-Clause
! A program of MPI in fixed form, whose names the test changes.
      program punched
      implicit none
      include 'mpif.h'
      integer ierr, me, n, i
      integer req(MPI_STATUS_SIZE * 20, 2), stat(MPI_STATUS_SIZE, 2)
      integer*2 s(2), st(2)
      integer*8 k(2), kt(2)
      real r(2), rt(2)
      double precision d(2), dt(2)
      complex c(2), ct(2)
      double complex z(2), zt(2)
      logical l(2), lt(2)
      call MPI_INIT(ierr)
      call MPI_COMM_RANK(MPI_COMM_WORLD, me, ierr)
      call MPI_COMM_SIZE(MPI_COMM_WORLD, n, ierr)
      do i = 1, 2
         s(i) = int(me + i, 2)
         k(i) = int(me - i, 8) * 10000000000_8
         r(i) = me * 0.5 + i
         d(i) = me * 0.25d0 - i
         c(i) = cmplx(i, me + 1)
         z(i) = dcmplx(me + 1, -i)
         l(i) = mod(me, i + 1) .eq. 0
      end do
      call MPI_ALLREDUCE(s, st, 2, MPI_INTEGER2, MPI_PROD,
     &     MPI_COMM_WORLD, ierr)
      call MPI_ALLREDUCE(k, kt, 2, MPI_INTEGER8, MPI_SUM,
     &     MPI_COMM_WORLD, ierr)
      call MPI_ALLREDUCE(r, rt, 2, MPI_REAL, MPI_MAX,
     &     MPI_COMM_WORLD, ierr)
      call MPI_ALLREDUCE(d, dt, 2, MPI_DOUBLE_PRECISION, MPI_MIN,
     &     MPI_COMM_WORLD, ierr)
      call MPI_ALLREDUCE(c, ct, 2, MPI_COMPLEX, MPI_PROD,
     &     MPI_COMM_WORLD, ierr)
      call MPI_ALLREDUCE(z, zt, 2, MPI_DOUBLE_COMPLEX, MPI_SUM,
     &     MPI_COMM_WORLD, ierr)
      call MPI_ALLREDUCE(l, lt, 2, MPI_LOGICAL, MPI_LAND,
     &     MPI_COMM_WORLD, ierr)
      write (*, '(a,i3,2i6,2i20,8f9.2,2l2)') 'all', me, st, kt, rt, dt,
     &     ct, lt
      write (*, '(a,i3,4f9.2)') 'complex', me, zt
      call MPI_ALLREDUCE(l, lt, 2, MPI_LOGICAL, MPI_LXOR,
     &     MPI_COMM_WORLD, ierr)
      write (*, '(a,i3,2l2)') 'odd', me, lt
      call MPI_IRECV(zt, 2, MPI_DOUBLE_COMPLEX, mod(me + n - 1, n), 4,
     &     MPI_COMM_WORLD, req(1, 1), ierr)
      call MPI_ISEND(z, 2, MPI_DOUBLE_COMPLEX, mod(me + 1, n), 4,
     &     MPI_COMM_WORLD, req(1, 2), ierr)
      call MPI_WAIT(req(1, 1), stat, ierr)
      call MPI_WAIT(req(1, 2), stat, ierr)
      write (*, '(a,i3,4f9.2)') 'ring', me, zt
      call MPI_FINALIZE(ierr)
      end

! SPDX-License-Identifier: BSD-3-Clause
! Constants of WaitIO-MPI for include in fixed and in free form;
! waitio_mpi.h has their meaning. Statuses are not written.
      integer WAITIO_REQUEST_SIZE, WAITIO_STATUS_SIZE
      parameter (WAITIO_REQUEST_SIZE = 22, WAITIO_STATUS_SIZE = 4)
      integer WAITIO_MPI_SUCCESS, WAITIO_MPI_DEFTAG
      parameter (WAITIO_MPI_SUCCESS = 0, WAITIO_MPI_DEFTAG = 524288)
      integer WAITIO_MPI_ANY_SOURCE, WAITIO_MPI_COMM_NULL
      parameter (WAITIO_MPI_ANY_SOURCE = -1, WAITIO_MPI_COMM_NULL = 0)
      integer WAITIO_MPI_INT, WAITIO_MPI_INTEGER
      parameter (WAITIO_MPI_INT = 524289, WAITIO_MPI_INTEGER = 524289)
      integer WAITIO_MPI_LONG, WAITIO_MPI_INTEGER8
      parameter (WAITIO_MPI_LONG = 524290)
      parameter (WAITIO_MPI_INTEGER8 = 524290)
      integer WAITIO_MPI_CHAR, WAITIO_MPI_CHARACTER
      parameter (WAITIO_MPI_CHAR = 524291)
      parameter (WAITIO_MPI_CHARACTER = 524291)
      integer WAITIO_MPI_FLOAT, WAITIO_MPI_REAL, WAITIO_MPI_REAL4
      parameter (WAITIO_MPI_FLOAT = 524292, WAITIO_MPI_REAL = 524292)
      parameter (WAITIO_MPI_REAL4 = 524292)
      integer WAITIO_MPI_DOUBLE, WAITIO_MPI_DOUBLE_PRECISION
      parameter (WAITIO_MPI_DOUBLE = 524293)
      parameter (WAITIO_MPI_DOUBLE_PRECISION = 524293)
      integer WAITIO_MPI_REAL8, WAITIO_MPI_BYTE
      parameter (WAITIO_MPI_REAL8 = 524293, WAITIO_MPI_BYTE = 524294)
      integer WAITIO_MPI_SUM, WAITIO_MPI_MAX, WAITIO_MPI_MIN
      parameter (WAITIO_MPI_SUM = 524289, WAITIO_MPI_MAX = 524290)
      parameter (WAITIO_MPI_MIN = 524291)
      integer WAITIO_MPI_STATUS_IGNORE(4)
      parameter (WAITIO_MPI_STATUS_IGNORE = (/ 0, 0, 0, 0 /))
      integer WAITIO_MPI_STATUSES_IGNORE(4)
      parameter (WAITIO_MPI_STATUSES_IGNORE = (/ 0, 0, 0, 0 /))

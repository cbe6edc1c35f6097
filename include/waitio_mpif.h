! SPDX-License-Identifier: BSD-3-Clause
! Constants of WaitIO-MPI for include in fixed and in free form;
! waitio_mpi.h has their meaning. Statuses are not written.
      integer WAITIO_REQUEST_SIZE, WAITIO_STATUS_SIZE
      parameter (WAITIO_REQUEST_SIZE = 22, WAITIO_STATUS_SIZE = 4)
      integer WAITIO_MPI_STATUS_SIZE
      parameter (WAITIO_MPI_STATUS_SIZE = 4)
      integer WAITIO_MPI_SUCCESS
      parameter (WAITIO_MPI_SUCCESS = 0)
      integer WAITIO_MPI_DEFTAG
      parameter (WAITIO_MPI_DEFTAG = 524288)
      integer WAITIO_MPI_ANY_SOURCE
      parameter (WAITIO_MPI_ANY_SOURCE = -1)
      integer WAITIO_MPI_COMM_NULL
      parameter (WAITIO_MPI_COMM_NULL = 0)
      integer WAITIO_MPI_COMM_WORLD
      parameter (WAITIO_MPI_COMM_WORLD = -1)
      integer WAITIO_MPI_INT
      parameter (WAITIO_MPI_INT = 524289)
      integer WAITIO_MPI_INTEGER
      parameter (WAITIO_MPI_INTEGER = 524289)
      integer WAITIO_MPI_INTEGER4
      parameter (WAITIO_MPI_INTEGER4 = 524289)
      integer WAITIO_MPI_INT32_T
      parameter (WAITIO_MPI_INT32_T = 524289)
      integer WAITIO_MPI_LONG
      parameter (WAITIO_MPI_LONG = 524290)
      integer WAITIO_MPI_INTEGER8
      parameter (WAITIO_MPI_INTEGER8 = 524290)
      integer WAITIO_MPI_CHAR
      parameter (WAITIO_MPI_CHAR = 524291)
      integer WAITIO_MPI_CHARACTER
      parameter (WAITIO_MPI_CHARACTER = 524291)
      integer WAITIO_MPI_FLOAT
      parameter (WAITIO_MPI_FLOAT = 524292)
      integer WAITIO_MPI_REAL
      parameter (WAITIO_MPI_REAL = 524292)
      integer WAITIO_MPI_REAL4
      parameter (WAITIO_MPI_REAL4 = 524292)
      integer WAITIO_MPI_DOUBLE
      parameter (WAITIO_MPI_DOUBLE = 524293)
      integer WAITIO_MPI_DOUBLE_PRECISION
      parameter (WAITIO_MPI_DOUBLE_PRECISION = 524293)
      integer WAITIO_MPI_REAL8
      parameter (WAITIO_MPI_REAL8 = 524293)
      integer WAITIO_MPI_BYTE
      parameter (WAITIO_MPI_BYTE = 524294)
      integer WAITIO_MPI_SHORT
      parameter (WAITIO_MPI_SHORT = 524295)
      integer WAITIO_MPI_INTEGER2
      parameter (WAITIO_MPI_INTEGER2 = 524295)
      integer WAITIO_MPI_INT16_T
      parameter (WAITIO_MPI_INT16_T = 524295)
      integer WAITIO_MPI_UNSIGNED
      parameter (WAITIO_MPI_UNSIGNED = 524296)
      integer WAITIO_MPI_UINT32_T
      parameter (WAITIO_MPI_UINT32_T = 524296)
      integer WAITIO_MPI_UNSIGNED_SHORT
      parameter (WAITIO_MPI_UNSIGNED_SHORT = 524297)
      integer WAITIO_MPI_UINT16_T
      parameter (WAITIO_MPI_UINT16_T = 524297)
      integer WAITIO_MPI_UNSIGNED_LONG
      parameter (WAITIO_MPI_UNSIGNED_LONG = 524298)
      integer WAITIO_MPI_LONG_LONG
      parameter (WAITIO_MPI_LONG_LONG = 524299)
      integer WAITIO_MPI_LONG_LONG_INT
      parameter (WAITIO_MPI_LONG_LONG_INT = 524299)
      integer WAITIO_MPI_INT64_T
      parameter (WAITIO_MPI_INT64_T = 524299)
      integer WAITIO_MPI_UNSIGNED_LONG_LONG
      parameter (WAITIO_MPI_UNSIGNED_LONG_LONG = 524300)
      integer WAITIO_MPI_UINT64_T
      parameter (WAITIO_MPI_UINT64_T = 524300)
      integer WAITIO_MPI_SIGNED_CHAR
      parameter (WAITIO_MPI_SIGNED_CHAR = 524301)
      integer WAITIO_MPI_INTEGER1
      parameter (WAITIO_MPI_INTEGER1 = 524301)
      integer WAITIO_MPI_INT8_T
      parameter (WAITIO_MPI_INT8_T = 524301)
      integer WAITIO_MPI_UNSIGNED_CHAR
      parameter (WAITIO_MPI_UNSIGNED_CHAR = 524302)
      integer WAITIO_MPI_UINT8_T
      parameter (WAITIO_MPI_UINT8_T = 524302)
      integer WAITIO_MPI_COMPLEX
      parameter (WAITIO_MPI_COMPLEX = 524303)
      integer WAITIO_MPI_COMPLEX8
      parameter (WAITIO_MPI_COMPLEX8 = 524303)
      integer WAITIO_MPI_C_COMPLEX
      parameter (WAITIO_MPI_C_COMPLEX = 524303)
      integer WAITIO_MPI_C_FLOAT_COMPLEX
      parameter (WAITIO_MPI_C_FLOAT_COMPLEX = 524303)
      integer WAITIO_MPI_DOUBLE_COMPLEX
      parameter (WAITIO_MPI_DOUBLE_COMPLEX = 524304)
      integer WAITIO_MPI_COMPLEX16
      parameter (WAITIO_MPI_COMPLEX16 = 524304)
      integer WAITIO_MPI_C_DOUBLE_COMPLEX
      parameter (WAITIO_MPI_C_DOUBLE_COMPLEX = 524304)
      integer WAITIO_MPI_LOGICAL
      parameter (WAITIO_MPI_LOGICAL = 524305)
      integer WAITIO_MPI_SUM
      parameter (WAITIO_MPI_SUM = 524289)
      integer WAITIO_MPI_MAX
      parameter (WAITIO_MPI_MAX = 524290)
      integer WAITIO_MPI_MIN
      parameter (WAITIO_MPI_MIN = 524291)
      integer WAITIO_MPI_PROD
      parameter (WAITIO_MPI_PROD = 524292)
      integer WAITIO_MPI_LAND
      parameter (WAITIO_MPI_LAND = 524293)
      integer WAITIO_MPI_LOR
      parameter (WAITIO_MPI_LOR = 524294)
      integer WAITIO_MPI_LXOR
      parameter (WAITIO_MPI_LXOR = 524295)
      integer WAITIO_MPI_BAND
      parameter (WAITIO_MPI_BAND = 524296)
      integer WAITIO_MPI_BOR
      parameter (WAITIO_MPI_BOR = 524297)
      integer WAITIO_MPI_BXOR
      parameter (WAITIO_MPI_BXOR = 524298)
      integer WAITIO_MPI_STATUS_IGNORE(4)
      parameter (WAITIO_MPI_STATUS_IGNORE = (/ 0, 0, 0, 0 /))
      integer WAITIO_MPI_STATUSES_IGNORE(4)
      parameter (WAITIO_MPI_STATUSES_IGNORE = (/ 0, 0, 0, 0 /))
      double precision WAITIO_MPI_WTIME
      external WAITIO_MPI_WTIME

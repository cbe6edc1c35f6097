! SPDX-License-Identifier: BSD-3-Clause
!> WaitIO-MPI for Fortran: calls of MPI between the processes of all jobs (waitio_mpi.h). Arguments are MPI's; ierr may be left out.
!! Interfaces only, so that -lwaitio is all that a program needs; no status is written.
module waitio_mpif90
  use, intrinsic :: iso_c_binding, only: c_double, c_int
  implicit none
  private

  integer, parameter, public :: WAITIO_REQUEST_SIZE = 22, WAITIO_STATUS_SIZE = 4
  integer, parameter, public :: WAITIO_MPI_SUCCESS = 0, WAITIO_MPI_DEFTAG = 524288, WAITIO_MPI_ANY_SOURCE = -1
  integer, parameter, public :: WAITIO_MPI_STATUS_IGNORE(WAITIO_STATUS_SIZE) = 0
  integer, parameter, public :: WAITIO_MPI_STATUSES_IGNORE(WAITIO_STATUS_SIZE) = 0

  type, bind(C), public :: WAITIO_MPI_Comm
    integer(c_int) :: number
  end type WAITIO_MPI_Comm
  type, bind(C), public :: WAITIO_MPI_Datatype
    integer(c_int) :: number
  end type WAITIO_MPI_Datatype
  type, bind(C), public :: WAITIO_MPI_Op
    integer(c_int) :: number
  end type WAITIO_MPI_Op
  type, bind(C), public :: WAITIO_MPI_Request
    integer(c_int) :: opaque(WAITIO_REQUEST_SIZE)
  end type WAITIO_MPI_Request
  type, bind(C), public :: WAITIO_MPI_Status !< is not written
    integer(c_int) :: opaque(WAITIO_STATUS_SIZE)
  end type WAITIO_MPI_Status

  type(WAITIO_MPI_Comm), parameter, public :: WAITIO_MPI_COMM_NULL = WAITIO_MPI_Comm(0)
  type(WAITIO_MPI_Comm), parameter, public :: WAITIO_MPI_COMM_WORLD = WAITIO_MPI_Comm(-1)
  type(WAITIO_MPI_Datatype), parameter, public :: WAITIO_MPI_INT = WAITIO_MPI_Datatype(WAITIO_MPI_DEFTAG + 1)
  type(WAITIO_MPI_Datatype), parameter, public :: WAITIO_MPI_INTEGER = WAITIO_MPI_Datatype(WAITIO_MPI_DEFTAG + 1)
  type(WAITIO_MPI_Datatype), parameter, public :: WAITIO_MPI_INTEGER4 = WAITIO_MPI_Datatype(WAITIO_MPI_DEFTAG + 1)
  type(WAITIO_MPI_Datatype), parameter, public :: WAITIO_MPI_INT32_T = WAITIO_MPI_Datatype(WAITIO_MPI_DEFTAG + 1)
  type(WAITIO_MPI_Datatype), parameter, public :: WAITIO_MPI_LONG = WAITIO_MPI_Datatype(WAITIO_MPI_DEFTAG + 2)
  type(WAITIO_MPI_Datatype), parameter, public :: WAITIO_MPI_INTEGER8 = WAITIO_MPI_Datatype(WAITIO_MPI_DEFTAG + 2)
  type(WAITIO_MPI_Datatype), parameter, public :: WAITIO_MPI_CHAR = WAITIO_MPI_Datatype(WAITIO_MPI_DEFTAG + 3)
  type(WAITIO_MPI_Datatype), parameter, public :: WAITIO_MPI_CHARACTER = WAITIO_MPI_Datatype(WAITIO_MPI_DEFTAG + 3)
  type(WAITIO_MPI_Datatype), parameter, public :: WAITIO_MPI_FLOAT = WAITIO_MPI_Datatype(WAITIO_MPI_DEFTAG + 4)
  type(WAITIO_MPI_Datatype), parameter, public :: WAITIO_MPI_REAL = WAITIO_MPI_Datatype(WAITIO_MPI_DEFTAG + 4)
  type(WAITIO_MPI_Datatype), parameter, public :: WAITIO_MPI_REAL4 = WAITIO_MPI_Datatype(WAITIO_MPI_DEFTAG + 4)
  type(WAITIO_MPI_Datatype), parameter, public :: WAITIO_MPI_DOUBLE = WAITIO_MPI_Datatype(WAITIO_MPI_DEFTAG + 5)
  type(WAITIO_MPI_Datatype), parameter, public :: WAITIO_MPI_DOUBLE_PRECISION = WAITIO_MPI_Datatype(WAITIO_MPI_DEFTAG + 5)
  type(WAITIO_MPI_Datatype), parameter, public :: WAITIO_MPI_REAL8 = WAITIO_MPI_Datatype(WAITIO_MPI_DEFTAG + 5)
  type(WAITIO_MPI_Datatype), parameter, public :: WAITIO_MPI_BYTE = WAITIO_MPI_Datatype(WAITIO_MPI_DEFTAG + 6)
  type(WAITIO_MPI_Datatype), parameter, public :: WAITIO_MPI_SHORT = WAITIO_MPI_Datatype(WAITIO_MPI_DEFTAG + 7)
  type(WAITIO_MPI_Datatype), parameter, public :: WAITIO_MPI_INTEGER2 = WAITIO_MPI_Datatype(WAITIO_MPI_DEFTAG + 7)
  type(WAITIO_MPI_Datatype), parameter, public :: WAITIO_MPI_INT16_T = WAITIO_MPI_Datatype(WAITIO_MPI_DEFTAG + 7)
  type(WAITIO_MPI_Datatype), parameter, public :: WAITIO_MPI_UNSIGNED = WAITIO_MPI_Datatype(WAITIO_MPI_DEFTAG + 8)
  type(WAITIO_MPI_Datatype), parameter, public :: WAITIO_MPI_UINT32_T = WAITIO_MPI_Datatype(WAITIO_MPI_DEFTAG + 8)
  type(WAITIO_MPI_Datatype), parameter, public :: WAITIO_MPI_UNSIGNED_SHORT = WAITIO_MPI_Datatype(WAITIO_MPI_DEFTAG + 9)
  type(WAITIO_MPI_Datatype), parameter, public :: WAITIO_MPI_UINT16_T = WAITIO_MPI_Datatype(WAITIO_MPI_DEFTAG + 9)
  type(WAITIO_MPI_Datatype), parameter, public :: WAITIO_MPI_UNSIGNED_LONG = WAITIO_MPI_Datatype(WAITIO_MPI_DEFTAG + 10)
  type(WAITIO_MPI_Datatype), parameter, public :: WAITIO_MPI_LONG_LONG = WAITIO_MPI_Datatype(WAITIO_MPI_DEFTAG + 11)
  type(WAITIO_MPI_Datatype), parameter, public :: WAITIO_MPI_LONG_LONG_INT = WAITIO_MPI_Datatype(WAITIO_MPI_DEFTAG + 11)
  type(WAITIO_MPI_Datatype), parameter, public :: WAITIO_MPI_INT64_T = WAITIO_MPI_Datatype(WAITIO_MPI_DEFTAG + 11)
  type(WAITIO_MPI_Datatype), parameter, public :: WAITIO_MPI_UNSIGNED_LONG_LONG = WAITIO_MPI_Datatype(WAITIO_MPI_DEFTAG + 12)
  type(WAITIO_MPI_Datatype), parameter, public :: WAITIO_MPI_UINT64_T = WAITIO_MPI_Datatype(WAITIO_MPI_DEFTAG + 12)
  type(WAITIO_MPI_Datatype), parameter, public :: WAITIO_MPI_SIGNED_CHAR = WAITIO_MPI_Datatype(WAITIO_MPI_DEFTAG + 13)
  type(WAITIO_MPI_Datatype), parameter, public :: WAITIO_MPI_INTEGER1 = WAITIO_MPI_Datatype(WAITIO_MPI_DEFTAG + 13)
  type(WAITIO_MPI_Datatype), parameter, public :: WAITIO_MPI_INT8_T = WAITIO_MPI_Datatype(WAITIO_MPI_DEFTAG + 13)
  type(WAITIO_MPI_Datatype), parameter, public :: WAITIO_MPI_UNSIGNED_CHAR = WAITIO_MPI_Datatype(WAITIO_MPI_DEFTAG + 14)
  type(WAITIO_MPI_Datatype), parameter, public :: WAITIO_MPI_UINT8_T = WAITIO_MPI_Datatype(WAITIO_MPI_DEFTAG + 14)
  type(WAITIO_MPI_Datatype), parameter, public :: WAITIO_MPI_COMPLEX = WAITIO_MPI_Datatype(WAITIO_MPI_DEFTAG + 15)
  type(WAITIO_MPI_Datatype), parameter, public :: WAITIO_MPI_COMPLEX8 = WAITIO_MPI_Datatype(WAITIO_MPI_DEFTAG + 15)
  type(WAITIO_MPI_Datatype), parameter, public :: WAITIO_MPI_C_COMPLEX = WAITIO_MPI_Datatype(WAITIO_MPI_DEFTAG + 15)
  type(WAITIO_MPI_Datatype), parameter, public :: WAITIO_MPI_C_FLOAT_COMPLEX = WAITIO_MPI_Datatype(WAITIO_MPI_DEFTAG + 15)
  type(WAITIO_MPI_Datatype), parameter, public :: WAITIO_MPI_DOUBLE_COMPLEX = WAITIO_MPI_Datatype(WAITIO_MPI_DEFTAG + 16)
  type(WAITIO_MPI_Datatype), parameter, public :: WAITIO_MPI_COMPLEX16 = WAITIO_MPI_Datatype(WAITIO_MPI_DEFTAG + 16)
  type(WAITIO_MPI_Datatype), parameter, public :: WAITIO_MPI_C_DOUBLE_COMPLEX = WAITIO_MPI_Datatype(WAITIO_MPI_DEFTAG + 16)
  type(WAITIO_MPI_Datatype), parameter, public :: WAITIO_MPI_LOGICAL = WAITIO_MPI_Datatype(WAITIO_MPI_DEFTAG + 17)
  type(WAITIO_MPI_Op), parameter, public :: WAITIO_MPI_SUM = WAITIO_MPI_Op(WAITIO_MPI_DEFTAG + 1)
  type(WAITIO_MPI_Op), parameter, public :: WAITIO_MPI_MAX = WAITIO_MPI_Op(WAITIO_MPI_DEFTAG + 2)
  type(WAITIO_MPI_Op), parameter, public :: WAITIO_MPI_MIN = WAITIO_MPI_Op(WAITIO_MPI_DEFTAG + 3)
  type(WAITIO_MPI_Op), parameter, public :: WAITIO_MPI_PROD = WAITIO_MPI_Op(WAITIO_MPI_DEFTAG + 4)
  type(WAITIO_MPI_Op), parameter, public :: WAITIO_MPI_LAND = WAITIO_MPI_Op(WAITIO_MPI_DEFTAG + 5)
  type(WAITIO_MPI_Op), parameter, public :: WAITIO_MPI_LOR = WAITIO_MPI_Op(WAITIO_MPI_DEFTAG + 6)
  type(WAITIO_MPI_Op), parameter, public :: WAITIO_MPI_LXOR = WAITIO_MPI_Op(WAITIO_MPI_DEFTAG + 7)
  type(WAITIO_MPI_Op), parameter, public :: WAITIO_MPI_BAND = WAITIO_MPI_Op(WAITIO_MPI_DEFTAG + 8)
  type(WAITIO_MPI_Op), parameter, public :: WAITIO_MPI_BOR = WAITIO_MPI_Op(WAITIO_MPI_DEFTAG + 9)
  type(WAITIO_MPI_Op), parameter, public :: WAITIO_MPI_BXOR = WAITIO_MPI_Op(WAITIO_MPI_DEFTAG + 10)

  public :: WAITIO_MPI_Comm_rank, WAITIO_MPI_Comm_size, WAITIO_MPI_Type_size, WAITIO_MPI_Isend, WAITIO_MPI_Irecv
  public :: WAITIO_MPI_Wait, WAITIO_MPI_Waitall, WAITIO_MPI_Send, WAITIO_MPI_Recv, WAITIO_MPI_Barrier
  public :: WAITIO_MPI_Bcast, WAITIO_MPI_Reduce, WAITIO_MPI_Allreduce, WAITIO_MPI_Gather, WAITIO_MPI_Gatherv
  public :: WAITIO_MPI_Init, WAITIO_MPI_Finalize, WAITIO_MPI_Wtime
  public :: WAITIO_MPI_Allgather, WAITIO_MPI_Scatter, WAITIO_MPI_Scatterv, WMPI_Init, WMPI_Create_universe
  public :: WAITIO_Create_universe, WAITIO_Create_universe_pbhead, WAITIO_Create_pbgroup, WAITIO_Wait, WAITIO_Finalize
  public :: WAITIO_Group_rank, WAITIO_Group_size, WAITIO_PB_rank, WAITIO_PB_size

  interface
    !> Returns my rank in a communicator, as MPI_Comm_rank does.
    !>   comm: communicator
    !>   rank: my rank, from 0; -1 if I am no member
    !>   ierr: WAITIO_MPI_SUCCESS or a negative error of waitio.h; may be left out
    !> Collective: no.
    !> Errors: in ierr, as of waitio_mpi_comm_rank (C); without ierr they are not seen.
    subroutine WAITIO_MPI_Comm_rank(comm, rank, ierr) bind(C, name="waitio_mpi_comm_rank_")
      import :: c_int, WAITIO_MPI_Comm
      type(WAITIO_MPI_Comm), intent(in) :: comm
      integer(c_int), intent(out) :: rank
      integer(c_int), intent(out), optional :: ierr
    end subroutine WAITIO_MPI_Comm_rank
    !> Returns the number of members of a communicator, as MPI_Comm_size does.
    !>   comm: communicator
    !>   size: number of members
    !>   ierr: WAITIO_MPI_SUCCESS or a negative error of waitio.h; may be left out
    !> Collective: no.
    !> Errors: in ierr, as of waitio_mpi_comm_size (C); without ierr they are not seen.
    subroutine WAITIO_MPI_Comm_size(comm, size, ierr) bind(C, name="waitio_mpi_comm_size_")
      import :: c_int, WAITIO_MPI_Comm
      type(WAITIO_MPI_Comm), intent(in) :: comm
      integer(c_int), intent(out) :: size
      integer(c_int), intent(out), optional :: ierr
    end subroutine WAITIO_MPI_Comm_size
    !> Returns the bytes of an element of a type, as MPI_Type_size does.
    !>   type: datatype
    !>   size: bytes of an element
    !>   ierr: WAITIO_MPI_SUCCESS or a negative error of waitio.h; may be left out
    !> Collective: no.
    !> Errors: in ierr, as of waitio_mpi_type_size (C); without ierr they are not seen.
    subroutine WAITIO_MPI_Type_size(type, size, ierr) bind(C, name="waitio_mpi_type_size_")
      import :: c_int, WAITIO_MPI_Datatype
      type(WAITIO_MPI_Datatype), intent(in) :: type
      integer(c_int), intent(out) :: size
      integer(c_int), intent(out), optional :: ierr
    end subroutine WAITIO_MPI_Type_size
    !> Starts to send a message, as MPI_Isend does.
    !>   buf: (count), any type; must not change until the request is complete
    !>   count: number of elements
    !>   type: datatype of the elements
    !>   dest: rank that receives, from 0
    !>   tag: number that tells messages apart, not negative
    !>   comm: communicator
    !>   request: completed by WAITIO_MPI_Wait or WAITIO_MPI_Waitall
    !>   ierr: WAITIO_MPI_SUCCESS or a negative error of waitio.h; may be left out
    !> Collective: no.
    !> Errors: in ierr, as of waitio_mpi_isend (C); without ierr they are not seen.
    subroutine WAITIO_MPI_Isend(buf, count, type, dest, tag, comm, request, ierr) bind(C, name="waitio_mpi_isend_")
      import :: c_int, WAITIO_MPI_Datatype, WAITIO_MPI_Comm, WAITIO_MPI_Request
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf
      !DIR$ IGNORE_TKR buf
      type(*), dimension(*), intent(in) :: buf
      integer(c_int), intent(in) :: count
      type(WAITIO_MPI_Datatype), intent(in) :: type
      integer(c_int), intent(in) :: dest
      integer(c_int), intent(in) :: tag
      type(WAITIO_MPI_Comm), intent(in) :: comm
      type(WAITIO_MPI_Request), intent(inout) :: request
      integer(c_int), intent(out), optional :: ierr
    end subroutine WAITIO_MPI_Isend
    !> Starts to receive a message, as MPI_Irecv does.
    !>   buf: (count), any type; set when the request is complete
    !>   count: number of elements for which buf has room
    !>   type: datatype of the elements
    !>   source: rank that sends, from 0, or WAITIO_MPI_ANY_SOURCE
    !>   tag: tag of the message
    !>   comm: communicator
    !>   request: completed by WAITIO_MPI_Wait or WAITIO_MPI_Waitall
    !>   ierr: WAITIO_MPI_SUCCESS or a negative error of waitio.h; may be left out
    !> Collective: no.
    !> Errors: in ierr, as of waitio_mpi_irecv (C); without ierr they are not seen.
    subroutine WAITIO_MPI_Irecv(buf, count, type, source, tag, comm, request, ierr) bind(C, name="waitio_mpi_irecv_")
      import :: c_int, WAITIO_MPI_Datatype, WAITIO_MPI_Comm, WAITIO_MPI_Request
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf
      !DIR$ IGNORE_TKR buf
      type(*), dimension(*) :: buf
      integer(c_int), intent(in) :: count
      type(WAITIO_MPI_Datatype), intent(in) :: type
      integer(c_int), intent(in) :: source
      integer(c_int), intent(in) :: tag
      type(WAITIO_MPI_Comm), intent(in) :: comm
      type(WAITIO_MPI_Request), intent(inout) :: request
      integer(c_int), intent(out), optional :: ierr
    end subroutine WAITIO_MPI_Irecv
    !> Waits until a request is complete, as MPI_Wait does.
    !>   request: of WAITIO_MPI_Isend or WAITIO_MPI_Irecv
    !>   status: not written; WAITIO_MPI_STATUS_IGNORE will do
    !>   ierr: WAITIO_MPI_SUCCESS or a negative error of waitio.h; may be left out
    !> Collective: no.
    !> Errors: in ierr, as of waitio_mpi_wait (C); without ierr they are not seen.
    subroutine WAITIO_MPI_Wait(request, status, ierr) bind(C, name="waitio_mpi_wait_")
      import :: c_int, WAITIO_MPI_Request
      type(WAITIO_MPI_Request), intent(inout) :: request
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: status
      !DIR$ IGNORE_TKR status
      type(*), dimension(*) :: status
      integer(c_int), intent(out), optional :: ierr
    end subroutine WAITIO_MPI_Wait
    !> Waits until all requests are complete, as MPI_Waitall does.
    !>   count: number of requests
    !>   requests: (count), the requests
    !>   statuses: not written; WAITIO_MPI_STATUSES_IGNORE will do
    !>   ierr: WAITIO_MPI_SUCCESS or a negative error of waitio.h; may be left out
    !> Collective: no.
    !> Errors: in ierr, as of waitio_mpi_waitall (C); without ierr they are not seen.
    subroutine WAITIO_MPI_Waitall(count, requests, statuses, ierr) bind(C, name="waitio_mpi_waitall_")
      import :: c_int, WAITIO_MPI_Request
      integer(c_int), intent(in) :: count
      type(WAITIO_MPI_Request), intent(inout) :: requests(*)
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: statuses
      !DIR$ IGNORE_TKR statuses
      type(*), dimension(*) :: statuses
      integer(c_int), intent(out), optional :: ierr
    end subroutine WAITIO_MPI_Waitall
    !> Sends a message, as MPI_Send does; buf may change when the call returns.
    !>   buf: (count), any type
    !>   count: number of elements
    !>   type: datatype of the elements
    !>   dest: rank that receives, from 0
    !>   tag: number that tells messages apart, not negative
    !>   comm: communicator
    !>   ierr: WAITIO_MPI_SUCCESS or a negative error of waitio.h; may be left out
    !> Collective: no.
    !> Errors: in ierr, as of waitio_mpi_send (C); without ierr they are not seen.
    subroutine WAITIO_MPI_Send(buf, count, type, dest, tag, comm, ierr) bind(C, name="waitio_mpi_send_")
      import :: c_int, WAITIO_MPI_Datatype, WAITIO_MPI_Comm
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf
      !DIR$ IGNORE_TKR buf
      type(*), dimension(*), intent(in) :: buf
      integer(c_int), intent(in) :: count
      type(WAITIO_MPI_Datatype), intent(in) :: type
      integer(c_int), intent(in) :: dest
      integer(c_int), intent(in) :: tag
      type(WAITIO_MPI_Comm), intent(in) :: comm
      integer(c_int), intent(out), optional :: ierr
    end subroutine WAITIO_MPI_Send
    !> Receives a message, as MPI_Recv does, but without a status.
    !>   buf: (count), any type
    !>   count: number of elements for which buf has room
    !>   type: datatype of the elements
    !>   source: rank that sends, from 0, or WAITIO_MPI_ANY_SOURCE
    !>   tag: tag of the message
    !>   comm: communicator
    !>   ierr: WAITIO_MPI_SUCCESS or a negative error of waitio.h; may be left out
    !> Collective: no.
    !> Errors: in ierr, as of waitio_mpi_recv (C); without ierr they are not seen.
    subroutine WAITIO_MPI_Recv(buf, count, type, source, tag, comm, ierr) bind(C, name="waitio_mpi_recv_")
      import :: c_int, WAITIO_MPI_Datatype, WAITIO_MPI_Comm
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf
      !DIR$ IGNORE_TKR buf
      type(*), dimension(*) :: buf
      integer(c_int), intent(in) :: count
      type(WAITIO_MPI_Datatype), intent(in) :: type
      integer(c_int), intent(in) :: source
      integer(c_int), intent(in) :: tag
      type(WAITIO_MPI_Comm), intent(in) :: comm
      integer(c_int), intent(out), optional :: ierr
    end subroutine WAITIO_MPI_Recv
    !> Returns when all members have called it, as MPI_Barrier does.
    !>   comm: communicator
    !>   ierr: WAITIO_MPI_SUCCESS or a negative error of waitio.h; may be left out
    !> Collective: all members of comm.
    !> Errors: in ierr, as of waitio_mpi_barrier (C); without ierr they are not seen.
    subroutine WAITIO_MPI_Barrier(comm, ierr) bind(C, name="waitio_mpi_barrier_")
      import :: c_int, WAITIO_MPI_Comm
      type(WAITIO_MPI_Comm), intent(in) :: comm
      integer(c_int), intent(out), optional :: ierr
    end subroutine WAITIO_MPI_Barrier
    !> Broadcasts from the root, as MPI_Bcast does.
    !>   buf: (count), any type: read on the root, set elsewhere
    !>   count: number of elements
    !>   type: datatype of the elements
    !>   root: rank of the root, from 0
    !>   comm: communicator
    !>   ierr: WAITIO_MPI_SUCCESS or a negative error of waitio.h; may be left out
    !> Collective: all members of comm.
    !> Errors: in ierr, as of waitio_mpi_bcast (C); without ierr they are not seen.
    subroutine WAITIO_MPI_Bcast(buf, count, type, root, comm, ierr) bind(C, name="waitio_mpi_bcast_")
      import :: c_int, WAITIO_MPI_Datatype, WAITIO_MPI_Comm
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf
      !DIR$ IGNORE_TKR buf
      type(*), dimension(*) :: buf
      integer(c_int), intent(in) :: count
      type(WAITIO_MPI_Datatype), intent(in) :: type
      integer(c_int), intent(in) :: root
      type(WAITIO_MPI_Comm), intent(in) :: comm
      integer(c_int), intent(out), optional :: ierr
    end subroutine WAITIO_MPI_Bcast
    !> Combines the members' elements on the root, as MPI_Reduce does. Sums have the same bits for the same size and root.
    !>   sendbuf: (count), my elements
    !>   recvbuf: (count), the result, on the root; may be sendbuf
    !>   count: number of elements
    !>   type: datatype of the elements
    !>   op: WAITIO_MPI_SUM, _PROD, _MAX, _MIN, _LAND, _LOR, _LXOR, _BAND, _BOR or _BXOR, if the type has it
    !>   root: rank of the root, from 0
    !>   comm: communicator
    !>   ierr: WAITIO_MPI_SUCCESS or a negative error of waitio.h; may be left out
    !> Collective: all members of comm.
    !> Errors: in ierr, as of waitio_mpi_reduce (C); without ierr they are not seen.
    subroutine WAITIO_MPI_Reduce(sendbuf, recvbuf, count, type, op, root, comm, ierr) bind(C, name="waitio_mpi_reduce_")
      import :: c_int, WAITIO_MPI_Datatype, WAITIO_MPI_Op, WAITIO_MPI_Comm
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
      !DIR$ IGNORE_TKR sendbuf
      type(*), dimension(*), intent(in) :: sendbuf
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
      !DIR$ IGNORE_TKR recvbuf
      type(*), dimension(*) :: recvbuf
      integer(c_int), intent(in) :: count
      type(WAITIO_MPI_Datatype), intent(in) :: type
      type(WAITIO_MPI_Op), intent(in) :: op
      integer(c_int), intent(in) :: root
      type(WAITIO_MPI_Comm), intent(in) :: comm
      integer(c_int), intent(out), optional :: ierr
    end subroutine WAITIO_MPI_Reduce
    !> As WAITIO_MPI_Reduce, with the result on all members: MPI_Allreduce.
    !>   recvbuf: (count), the result; may be sendbuf
    !>   ierr: WAITIO_MPI_SUCCESS or a negative error of waitio.h; may be left out
    !> Collective: all members of comm.
    subroutine WAITIO_MPI_Allreduce(sendbuf, recvbuf, count, type, op, comm, ierr) bind(C, name="waitio_mpi_allreduce_")
      import :: c_int, WAITIO_MPI_Datatype, WAITIO_MPI_Op, WAITIO_MPI_Comm
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
      !DIR$ IGNORE_TKR sendbuf
      type(*), dimension(*), intent(in) :: sendbuf
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
      !DIR$ IGNORE_TKR recvbuf
      type(*), dimension(*) :: recvbuf
      integer(c_int), intent(in) :: count
      type(WAITIO_MPI_Datatype), intent(in) :: type
      type(WAITIO_MPI_Op), intent(in) :: op
      type(WAITIO_MPI_Comm), intent(in) :: comm
      integer(c_int), intent(out), optional :: ierr
    end subroutine WAITIO_MPI_Allreduce
    !> Gathers the members' elements on the root in the order of ranks, as MPI_Gather does.
    !>   sendbuf: (sendcount), my elements
    !>   sendcount: number of elements that I send
    !>   sendtype: their datatype
    !>   recvbuf: (recvcount*members), on the root
    !>   recvcount: number of elements of one member
    !>   recvtype: datatype of the elements that arrive
    !>   root: rank of the root, from 0
    !>   comm: communicator
    !>   ierr: WAITIO_MPI_SUCCESS or a negative error of waitio.h; may be left out
    !> Collective: all members of comm.
    !> Errors: in ierr, as of waitio_mpi_gather (C); without ierr they are not seen.
    subroutine WAITIO_MPI_Gather(sendbuf, sendcount, sendtype, recvbuf, recvcount, &
        recvtype, root, comm, ierr) bind(C, name="waitio_mpi_gather_")
      import :: c_int, WAITIO_MPI_Datatype, WAITIO_MPI_Comm
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
      !DIR$ IGNORE_TKR sendbuf
      type(*), dimension(*), intent(in) :: sendbuf
      integer(c_int), intent(in) :: sendcount
      type(WAITIO_MPI_Datatype), intent(in) :: sendtype
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
      !DIR$ IGNORE_TKR recvbuf
      type(*), dimension(*) :: recvbuf
      integer(c_int), intent(in) :: recvcount
      type(WAITIO_MPI_Datatype), intent(in) :: recvtype
      integer(c_int), intent(in) :: root
      type(WAITIO_MPI_Comm), intent(in) :: comm
      integer(c_int), intent(out), optional :: ierr
    end subroutine WAITIO_MPI_Gather
    !> Gathers different numbers of elements on the root, as MPI_Gatherv does.
    !>   sendbuf: (sendcount), my elements
    !>   sendcount: number of elements that I send
    !>   sendtype: their datatype
    !>   recvbuf: on the root: the elements of rank i begin at displs(i + 1)
    !>   recvcounts: (members), number of elements of each, on the root
    !>   displs: (members), where each begins in recvbuf, in elements from 0, on the root
    !>   recvtype: datatype of the elements that arrive
    !>   root: rank of the root, from 0
    !>   comm: communicator
    !>   ierr: WAITIO_MPI_SUCCESS or a negative error of waitio.h; may be left out
    !> Collective: all members of comm.
    !> Errors: in ierr, as of waitio_mpi_gatherv (C); without ierr they are not seen.
    subroutine WAITIO_MPI_Gatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, &
        displs, recvtype, root, comm, ierr) bind(C, name="waitio_mpi_gatherv_")
      import :: c_int, WAITIO_MPI_Datatype, WAITIO_MPI_Comm
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
      !DIR$ IGNORE_TKR sendbuf
      type(*), dimension(*), intent(in) :: sendbuf
      integer(c_int), intent(in) :: sendcount
      type(WAITIO_MPI_Datatype), intent(in) :: sendtype
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
      !DIR$ IGNORE_TKR recvbuf
      type(*), dimension(*) :: recvbuf
      integer(c_int), intent(in) :: recvcounts(*)
      integer(c_int), intent(in) :: displs(*)
      type(WAITIO_MPI_Datatype), intent(in) :: recvtype
      integer(c_int), intent(in) :: root
      type(WAITIO_MPI_Comm), intent(in) :: comm
      integer(c_int), intent(out), optional :: ierr
    end subroutine WAITIO_MPI_Gatherv
    !> Gathers the members' elements on all members in the order of ranks, as MPI_Allgather does.
    !>   sendbuf: (sendcount), my elements
    !>   sendcount: number of elements that I send
    !>   sendtype: their datatype
    !>   recvbuf: (recvcount*members)
    !>   recvcount: number of elements of one member
    !>   recvtype: datatype of the elements that arrive
    !>   comm: communicator
    !>   ierr: WAITIO_MPI_SUCCESS or a negative error of waitio.h; may be left out
    !> Collective: all members of comm.
    !> Errors: in ierr, as of waitio_mpi_allgather (C); without ierr they are not seen.
    subroutine WAITIO_MPI_Allgather(sendbuf, sendcount, sendtype, recvbuf, recvcount, &
        recvtype, comm, ierr) bind(C, name="waitio_mpi_allgather_")
      import :: c_int, WAITIO_MPI_Datatype, WAITIO_MPI_Comm
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
      !DIR$ IGNORE_TKR sendbuf
      type(*), dimension(*), intent(in) :: sendbuf
      integer(c_int), intent(in) :: sendcount
      type(WAITIO_MPI_Datatype), intent(in) :: sendtype
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
      !DIR$ IGNORE_TKR recvbuf
      type(*), dimension(*) :: recvbuf
      integer(c_int), intent(in) :: recvcount
      type(WAITIO_MPI_Datatype), intent(in) :: recvtype
      type(WAITIO_MPI_Comm), intent(in) :: comm
      integer(c_int), intent(out), optional :: ierr
    end subroutine WAITIO_MPI_Allgather
    !> Gives each member its part of the root's elements, in the order of ranks, as MPI_Scatter does.
    !>   sendbuf: (sendcount*members), on the root
    !>   sendcount: number of elements for one member
    !>   sendtype: datatype of the elements that are sent
    !>   recvbuf: (recvcount), my elements
    !>   recvcount: number of elements that I get
    !>   recvtype: their datatype
    !>   root: rank of the root, from 0
    !>   comm: communicator
    !>   ierr: WAITIO_MPI_SUCCESS or a negative error of waitio.h; may be left out
    !> Collective: all members of comm.
    !> Errors: in ierr, as of waitio_mpi_scatter (C); without ierr they are not seen.
    subroutine WAITIO_MPI_Scatter(sendbuf, sendcount, sendtype, recvbuf, recvcount, &
        recvtype, root, comm, ierr) bind(C, name="waitio_mpi_scatter_")
      import :: c_int, WAITIO_MPI_Datatype, WAITIO_MPI_Comm
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
      !DIR$ IGNORE_TKR sendbuf
      type(*), dimension(*), intent(in) :: sendbuf
      integer(c_int), intent(in) :: sendcount
      type(WAITIO_MPI_Datatype), intent(in) :: sendtype
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
      !DIR$ IGNORE_TKR recvbuf
      type(*), dimension(*) :: recvbuf
      integer(c_int), intent(in) :: recvcount
      type(WAITIO_MPI_Datatype), intent(in) :: recvtype
      integer(c_int), intent(in) :: root
      type(WAITIO_MPI_Comm), intent(in) :: comm
      integer(c_int), intent(out), optional :: ierr
    end subroutine WAITIO_MPI_Scatter
    !> Gives each member a part of the root's elements of its own size, as MPI_Scatterv does.
    !>   sendbuf: on the root: the elements for rank i begin at displs(i + 1)
    !>   sendcounts: (members), number of elements for each, on the root
    !>   displs: (members), where each begins in sendbuf, in elements from 0, on the root
    !>   sendtype: datatype of the elements that are sent
    !>   recvbuf: (recvcount), my elements
    !>   recvcount: number of elements that I get
    !>   recvtype: their datatype
    !>   root: rank of the root, from 0
    !>   comm: communicator
    !>   ierr: WAITIO_MPI_SUCCESS or a negative error of waitio.h; may be left out
    !> Collective: all members of comm.
    !> Errors: in ierr, as of waitio_mpi_scatterv (C); without ierr they are not seen.
    subroutine WAITIO_MPI_Scatterv(sendbuf, sendcounts, displs, sendtype, recvbuf, &
        recvcount, recvtype, root, comm, ierr) bind(C, name="waitio_mpi_scatterv_")
      import :: c_int, WAITIO_MPI_Datatype, WAITIO_MPI_Comm
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf
      !DIR$ IGNORE_TKR sendbuf
      type(*), dimension(*), intent(in) :: sendbuf
      integer(c_int), intent(in) :: sendcounts(*)
      integer(c_int), intent(in) :: displs(*)
      type(WAITIO_MPI_Datatype), intent(in) :: sendtype
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: recvbuf
      !DIR$ IGNORE_TKR recvbuf
      type(*), dimension(*) :: recvbuf
      integer(c_int), intent(in) :: recvcount
      type(WAITIO_MPI_Datatype), intent(in) :: recvtype
      integer(c_int), intent(in) :: root
      type(WAITIO_MPI_Comm), intent(in) :: comm
      integer(c_int), intent(out), optional :: ierr
    end subroutine WAITIO_MPI_Scatterv
    !> Joins WaitIO, as MPI_Init starts MPI.
    !>   ierr: WAITIO_MPI_SUCCESS or a negative error of waitio.h; may be left out
    !> Collective: all processes of all PBs.
    !> Errors: another PB does not join in time.
    subroutine WMPI_Init(ierr) bind(C, name="waitio_wmpi_init_")
      import :: c_int
      integer(c_int), intent(out), optional :: ierr
    end subroutine WMPI_Init
    !> As WMPI_Init; MPI_Init of a program in which all names have been changed. A program that is linked with an MPI has this
    !> started first, so that collective calls may use it.
    subroutine WAITIO_MPI_Init(ierr) bind(C, name="waitio_mpi_init_")
      import :: c_int
      integer(c_int), intent(out), optional :: ierr
    end subroutine WAITIO_MPI_Init
    !> As WAITIO_Finalize; also ends the MPI that WAITIO_MPI_Init started.
    subroutine WAITIO_MPI_Finalize(ierr) bind(C, name="waitio_mpi_finalize_")
      import :: c_int
      integer(c_int), intent(out), optional :: ierr
    end subroutine WAITIO_MPI_Finalize
    !> Returns seconds since some moment in the past, as MPI_Wtime does.
    !> Collective: no.
    !> Errors: none.
    function WAITIO_MPI_Wtime() result(seconds) bind(C, name="waitio_mpi_wtime_")
      import :: c_double
      real(c_double) :: seconds
    end function WAITIO_MPI_Wtime
    !> As WAITIO_Create_universe.
    subroutine WMPI_Create_universe(comm, ierr) bind(C, name="waitio_create_universe_")
      import :: c_int, WAITIO_MPI_Comm
      type(WAITIO_MPI_Comm), intent(out) :: comm
      integer(c_int), intent(out), optional :: ierr
    end subroutine WMPI_Create_universe
    !> Makes the communicator of all processes of all PBs, by PBID and rank. Joins WaitIO if this process has not joined yet.
    !>   comm: the communicator
    !>   ierr: WAITIO_MPI_SUCCESS or a negative error of waitio.h; may be left out
    !> Collective: all processes of all PBs, if this joins WaitIO.
    !> Errors: another PB does not join in time.
    subroutine WAITIO_Create_universe(comm, ierr) bind(C, name="waitio_create_universe_")
      import :: c_int, WAITIO_MPI_Comm
      type(WAITIO_MPI_Comm), intent(out) :: comm
      integer(c_int), intent(out), optional :: ierr
    end subroutine WAITIO_Create_universe
    !> Makes the communicator of rank 0 of each PB; my rank in it is -1 if I am no member. Joins WaitIO if not yet joined.
    !>   comm: the communicator
    !>   ierr: WAITIO_MPI_SUCCESS or a negative error of waitio.h; may be left out
    !> Collective: all processes of all PBs, if this joins WaitIO.
    !> Errors: another PB does not join in time.
    subroutine WAITIO_Create_universe_pbhead(comm, ierr) bind(C, name="waitio_create_universe_pbhead_")
      import :: c_int, WAITIO_MPI_Comm
      type(WAITIO_MPI_Comm), intent(out) :: comm
      integer(c_int), intent(out), optional :: ierr
    end subroutine WAITIO_Create_universe_pbhead
    !> Makes the communicator of the processes of one PB; my rank in it is -1 if I am no member.
    !>   comm: the communicator
    !>   pbid: number of the PB, from 0
    !>   ierr: WAITIO_MPI_SUCCESS or a negative error of waitio.h; may be left out
    !> Collective: no.
    !> Errors: in ierr, as of waitio_create_pbgroup (C); without ierr they are not seen.
    subroutine WAITIO_Create_pbgroup(comm, pbid, ierr) bind(C, name="waitio_create_pbgroup_")
      import :: c_int, WAITIO_MPI_Comm
      type(WAITIO_MPI_Comm), intent(out) :: comm
      integer(c_int), intent(in) :: pbid
      integer(c_int), intent(out), optional :: ierr
    end subroutine WAITIO_Create_pbgroup
    !> Waits until a request is complete; WAITIO_MPI_Wait without a status.
    !>   request: of WAITIO_MPI_Isend or WAITIO_MPI_Irecv
    !>   ierr: WAITIO_MPI_SUCCESS or a negative error of waitio.h; may be left out
    !> Collective: no.
    !> Errors: in ierr, as of waitio_wait (C); without ierr they are not seen.
    subroutine WAITIO_Wait(request, ierr) bind(C, name="waitio_wait_")
      import :: c_int, WAITIO_MPI_Request
      type(WAITIO_MPI_Request), intent(inout) :: request
      integer(c_int), intent(out), optional :: ierr
    end subroutine WAITIO_Wait
    !> Leaves WaitIO after all that was sent has been delivered.
    !>   ierr: WAITIO_MPI_SUCCESS or a negative error of waitio.h; may be left out
    !> Collective: all processes of all PBs.
    !> Errors: in ierr, as of waitio_finalize (C); without ierr they are not seen.
    subroutine WAITIO_Finalize(ierr) bind(C, name="waitio_finalize_")
      import :: c_int
      integer(c_int), intent(out), optional :: ierr
    end subroutine WAITIO_Finalize
    !> As WAITIO_MPI_Comm_rank.
    subroutine WAITIO_Group_rank(comm, rank, ierr) bind(C, name="waitio_group_rank_")
      import :: c_int, WAITIO_MPI_Comm
      type(WAITIO_MPI_Comm), intent(in) :: comm
      integer(c_int), intent(out) :: rank
      integer(c_int), intent(out), optional :: ierr
    end subroutine WAITIO_Group_rank
    !> As WAITIO_MPI_Comm_size.
    subroutine WAITIO_Group_size(comm, size, ierr) bind(C, name="waitio_group_size_")
      import :: c_int, WAITIO_MPI_Comm
      type(WAITIO_MPI_Comm), intent(in) :: comm
      integer(c_int), intent(out) :: size
      integer(c_int), intent(out), optional :: ierr
    end subroutine WAITIO_Group_size
    !> Returns the number of my PB, its PBID.
    !>   rank: PBID, from 0
    !>   ierr: WAITIO_MPI_SUCCESS or a negative error of waitio.h; may be left out
    !> Collective: no.
    !> Errors: in ierr, as of waitio_pb_rank (C); without ierr they are not seen.
    subroutine WAITIO_PB_rank(rank, ierr) bind(C, name="waitio_pb_rank_")
      import :: c_int
      integer(c_int), intent(out) :: rank
      integer(c_int), intent(out), optional :: ierr
    end subroutine WAITIO_PB_rank
    !> Returns the number of PBs of the run.
    !>   size: number of PBs
    !>   ierr: WAITIO_MPI_SUCCESS or a negative error of waitio.h; may be left out
    !> Collective: no.
    !> Errors: in ierr, as of waitio_pb_size (C); without ierr they are not seen.
    subroutine WAITIO_PB_size(size, ierr) bind(C, name="waitio_pb_size_")
      import :: c_int
      integer(c_int), intent(out) :: size
      integer(c_int), intent(out), optional :: ierr
    end subroutine WAITIO_PB_size
  end interface
end module waitio_mpif90

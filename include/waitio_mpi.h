/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls of MPI between the processes of all jobs, over WaitIO: put WAITIO_ before the name that a program knows.
 * Arguments are MPI's; a receive has no status, and none is written by waitall. Every call returns WAITIO_MPI_SUCCESS
 * or a negative error, of which waitio_error() has the sentence. Elements arrive with their values between machines of
 * unlike byte order. Each call has a Fortran form (waitio_mpif.h, module waitio_mpif90).
 */
#ifndef WAITIO_MPI_H
#define WAITIO_MPI_H

#include "waitio.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef waitio_group_t WAITIO_MPI_Comm;
typedef waitio_req_t WAITIO_MPI_Request;
typedef int WAITIO_MPI_Datatype;
typedef int WAITIO_MPI_Op;
typedef int WAITIO_MPI_Status; /* of waitall, which does not write it */

#define WAITIO_STATUS_SIZE            4 /* in integers, in Fortran */
#define WAITIO_MPI_SUCCESS            0
#define WAITIO_MPI_ANY_SOURCE         WAITIO_ANY_SOURCE
#define WAITIO_MPI_COMM_NULL          ((WAITIO_MPI_Comm)0)
#define WAITIO_MPI_COMM_WORLD         waitio_mpi_comm_world()
#define WAITIO_MPI_STATUS_IGNORE      ((WAITIO_MPI_Status *)0)
#define WAITIO_MPI_STATUSES_IGNORE    ((WAITIO_MPI_Status *)0)
#define WAITIO_MPI_DEFTAG             524288
#define WAITIO_MPI_INT                (WAITIO_MPI_DEFTAG + 1)
#define WAITIO_MPI_INTEGER            WAITIO_MPI_INT
#define WAITIO_MPI_INTEGER4           WAITIO_MPI_INT
#define WAITIO_MPI_INT32_T            WAITIO_MPI_INT
#define WAITIO_MPI_LONG               (WAITIO_MPI_DEFTAG + 2)
#define WAITIO_MPI_INTEGER8           WAITIO_MPI_LONG
#define WAITIO_MPI_CHAR               (WAITIO_MPI_DEFTAG + 3)
#define WAITIO_MPI_CHARACTER          WAITIO_MPI_CHAR
#define WAITIO_MPI_FLOAT              (WAITIO_MPI_DEFTAG + 4)
#define WAITIO_MPI_REAL               WAITIO_MPI_FLOAT
#define WAITIO_MPI_REAL4              WAITIO_MPI_FLOAT
#define WAITIO_MPI_DOUBLE             (WAITIO_MPI_DEFTAG + 5)
#define WAITIO_MPI_DOUBLE_PRECISION   WAITIO_MPI_DOUBLE
#define WAITIO_MPI_REAL8              WAITIO_MPI_DOUBLE
#define WAITIO_MPI_BYTE               (WAITIO_MPI_DEFTAG + 6)
#define WAITIO_MPI_SHORT              (WAITIO_MPI_DEFTAG + 7)
#define WAITIO_MPI_INTEGER2           WAITIO_MPI_SHORT
#define WAITIO_MPI_INT16_T            WAITIO_MPI_SHORT
#define WAITIO_MPI_UNSIGNED           (WAITIO_MPI_DEFTAG + 8)
#define WAITIO_MPI_UINT32_T           WAITIO_MPI_UNSIGNED
#define WAITIO_MPI_UNSIGNED_SHORT     (WAITIO_MPI_DEFTAG + 9)
#define WAITIO_MPI_UINT16_T           WAITIO_MPI_UNSIGNED_SHORT
#define WAITIO_MPI_UNSIGNED_LONG      (WAITIO_MPI_DEFTAG + 10)
#define WAITIO_MPI_LONG_LONG          (WAITIO_MPI_DEFTAG + 11)
#define WAITIO_MPI_LONG_LONG_INT      WAITIO_MPI_LONG_LONG
#define WAITIO_MPI_INT64_T            WAITIO_MPI_LONG_LONG
#define WAITIO_MPI_UNSIGNED_LONG_LONG (WAITIO_MPI_DEFTAG + 12)
#define WAITIO_MPI_UINT64_T           WAITIO_MPI_UNSIGNED_LONG_LONG
#define WAITIO_MPI_SIGNED_CHAR        (WAITIO_MPI_DEFTAG + 13)
#define WAITIO_MPI_INTEGER1           WAITIO_MPI_SIGNED_CHAR
#define WAITIO_MPI_INT8_T             WAITIO_MPI_SIGNED_CHAR
#define WAITIO_MPI_UNSIGNED_CHAR      (WAITIO_MPI_DEFTAG + 14)
#define WAITIO_MPI_UINT8_T            WAITIO_MPI_UNSIGNED_CHAR
#define WAITIO_MPI_COMPLEX            (WAITIO_MPI_DEFTAG + 15)
#define WAITIO_MPI_COMPLEX8           WAITIO_MPI_COMPLEX
#define WAITIO_MPI_C_COMPLEX          WAITIO_MPI_COMPLEX
#define WAITIO_MPI_C_FLOAT_COMPLEX    WAITIO_MPI_COMPLEX
#define WAITIO_MPI_DOUBLE_COMPLEX     (WAITIO_MPI_DEFTAG + 16)
#define WAITIO_MPI_COMPLEX16          WAITIO_MPI_DOUBLE_COMPLEX
#define WAITIO_MPI_C_DOUBLE_COMPLEX   WAITIO_MPI_DOUBLE_COMPLEX
#define WAITIO_MPI_LOGICAL            (WAITIO_MPI_DEFTAG + 17)
#define WAITIO_MPI_SUM                (WAITIO_MPI_DEFTAG + 1)
#define WAITIO_MPI_MAX                (WAITIO_MPI_DEFTAG + 2)
#define WAITIO_MPI_MIN                (WAITIO_MPI_DEFTAG + 3)
#define WAITIO_MPI_PROD               (WAITIO_MPI_DEFTAG + 4)
#define WAITIO_MPI_LAND               (WAITIO_MPI_DEFTAG + 5)
#define WAITIO_MPI_LOR                (WAITIO_MPI_DEFTAG + 6)
#define WAITIO_MPI_LXOR               (WAITIO_MPI_DEFTAG + 7)
#define WAITIO_MPI_BAND               (WAITIO_MPI_DEFTAG + 8)
#define WAITIO_MPI_BOR                (WAITIO_MPI_DEFTAG + 9)
#define WAITIO_MPI_BXOR               (WAITIO_MPI_DEFTAG + 10)

/* Makes the communicator of all processes of all PBs, by PBID and rank. Joins WaitIO if this process has not joined
 * yet.
 *   comm: out, the communicator
 * Collective: all processes of all PBs, if it joins.
 * Errors: as of waitio_init; WAITIO_ENOMEM.
 */
H3OU_API int waitio_create_universe(WAITIO_MPI_Comm *comm);

/* Makes the communicator of rank 0 of each PB; others get one of which their rank is -1. Joins WaitIO if not yet
 * joined.
 *   comm: out, the communicator
 * Collective: all processes of all PBs, if it joins.
 * Errors: as of waitio_init; WAITIO_ENOMEM.
 */
H3OU_API int waitio_create_universe_pbhead(WAITIO_MPI_Comm *comm);

/* Makes the communicator of the processes of one PB; others get one of which their rank is -1.
 *   comm: out, the communicator
 *   pbid: number of the PB, from 0
 * Collective: no.
 * Errors: WAITIO_EARG: no such PB.
 */
H3OU_API int waitio_create_pbgroup(WAITIO_MPI_Comm *comm, int pbid);

/* Joins WaitIO, if this process has not joined yet: MPI_Init of a program in which all names have been changed. A program
 * that is linked with an MPI has this started first, so that collective calls may use it.
 *   argc: not used; may be NULL
 *   argv: not used; may be NULL
 * Collective: all processes of all PBs, if it joins.
 * Errors: as of waitio_init.
 */
H3OU_API int waitio_mpi_init(int *argc, char ***argv);

/* Leaves WaitIO, as waitio_finalize; ends the MPI that waitio_mpi_init started.
 * Collective: all processes of all PBs.
 * Errors: as of waitio_finalize.
 */
H3OU_API int waitio_mpi_finalize(void);

/* Returns the communicator of all processes of all PBs, always the same one: WAITIO_MPI_COMM_WORLD. Joins WaitIO if this
 * process has not joined yet.
 * Collective: all processes of all PBs, if it joins.
 * Returns: the communicator; WAITIO_MPI_COMM_NULL after an error.
 * Errors: as of waitio_create_universe.
 */
H3OU_API WAITIO_MPI_Comm waitio_mpi_comm_world(void);

/* Returns seconds since some moment in the past, as MPI_Wtime does.
 * Collective: no.
 * Returns: seconds.
 * Errors: none.
 */
H3OU_API double waitio_mpi_wtime(void);

/* Returns my rank in a communicator.
 *   comm: communicator
 *   rank: out, from 0; -1: I am no member
 * Collective: no.
 * Errors: as of waitio_group_rank.
 */
H3OU_API int waitio_mpi_comm_rank(WAITIO_MPI_Comm comm, int *rank);

/* Returns the number of members of a communicator.
 *   comm: communicator
 *   size: out
 * Collective: no.
 * Errors: as of waitio_group_size.
 */
H3OU_API int waitio_mpi_comm_size(WAITIO_MPI_Comm comm, int *size);

/* Returns the bytes of an element of a type.
 *   type: datatype
 *   size: out, bytes
 * Collective: no.
 * Errors: WAITIO_EARG: no such type.
 */
H3OU_API int waitio_mpi_type_size(WAITIO_MPI_Datatype type, int *size);

/* Starts to send a message, as MPI_Isend does.
 *   buf: [count], the elements; borrowed until the request is complete
 *   count: number of elements
 *   type: datatype
 *   dest: rank that receives, from 0
 *   tag: number that tells messages apart, not negative
 *   comm: communicator
 *   request: out, completed by waitio_mpi_wait or waitio_mpi_waitall
 * Collective: no.
 * Errors: WAITIO_EARG: an argument; as of waitio_isend, waitio_irecv and waitio_wait.
 */
H3OU_API int waitio_mpi_isend(const void *buf, int count, WAITIO_MPI_Datatype type, int dest, int tag,
                              WAITIO_MPI_Comm comm, WAITIO_MPI_Request *request);

/* Starts to receive a message, as MPI_Irecv does.
 *   buf: out, [count]; borrowed until the request is complete
 *   count: number of elements for which buf has room
 *   type: datatype
 *   source: rank that sends, from 0, or WAITIO_MPI_ANY_SOURCE
 *   tag: tag of the message
 *   comm: communicator
 *   request: out, completed by waitio_mpi_wait or waitio_mpi_waitall
 * Collective: no.
 * Errors: WAITIO_EARG: an argument; as of waitio_isend, waitio_irecv and waitio_wait.
 */
H3OU_API int waitio_mpi_irecv(void *buf, int count, WAITIO_MPI_Datatype type, int source, int tag, WAITIO_MPI_Comm comm,
                              WAITIO_MPI_Request *request);

/* Waits until a request is complete.
 *   request: the request
 *   status: not written; WAITIO_MPI_STATUS_IGNORE
 * Collective: no.
 * Errors: as of waitio_wait.
 */
H3OU_API int waitio_mpi_wait(WAITIO_MPI_Request *request, void *status);

/* Waits until all requests are complete.
 *   count: number of requests
 *   requests: [count], the requests
 *   statuses: not written; WAITIO_MPI_STATUSES_IGNORE
 * Collective: no.
 * Errors: as of waitio_waitall.
 */
H3OU_API int waitio_mpi_waitall(int count, WAITIO_MPI_Request *requests, void *statuses);

/* Sends a message, as MPI_Send does.
 *   buf: [count], the elements; may change when the call returns
 *   count: number of elements
 *   type: datatype
 *   dest: rank that receives, from 0
 *   tag: number that tells messages apart, not negative
 *   comm: communicator
 * Collective: no.
 * Errors: WAITIO_EARG: an argument; as of waitio_isend, waitio_irecv and waitio_wait.
 */
H3OU_API int waitio_mpi_send(const void *buf, int count, WAITIO_MPI_Datatype type, int dest, int tag,
                             WAITIO_MPI_Comm comm);

/* Receives a message, as MPI_Recv does, but without a status.
 *   buf: out, [count]; set when the call returns
 *   count: number of elements for which buf has room
 *   type: datatype
 *   source: rank that sends, from 0, or WAITIO_MPI_ANY_SOURCE
 *   tag: tag of the message
 *   comm: communicator
 * Collective: no.
 * Errors: WAITIO_EARG: an argument; as of waitio_isend, waitio_irecv and waitio_wait.
 */
H3OU_API int waitio_mpi_recv(void *buf, int count, WAITIO_MPI_Datatype type, int source, int tag, WAITIO_MPI_Comm comm);

/* Returns when all members have called it.
 *   comm: communicator
 * Collective: all members of comm.
 * Errors: WAITIO_EARG: an argument; WAITIO_EPEER, WAITIO_ETIMEOUT: a member.
 */
H3OU_API int waitio_mpi_barrier(WAITIO_MPI_Comm comm);

/* Broadcasts from the root.
 *   buf: [count], in on the root, elsewhere out
 *   count: number of elements
 *   type: datatype
 *   root: rank of the root, from 0
 *   comm: communicator
 * Collective: all members of comm.
 * Errors: WAITIO_EARG: an argument; WAITIO_EPEER, WAITIO_ETIMEOUT: a member.
 */
H3OU_API int waitio_mpi_bcast(void *buf, int count, WAITIO_MPI_Datatype type, int root, WAITIO_MPI_Comm comm);

/* Combines the members' elements on the root. Sums have the same bits each time for the same number of members and
 * the same root.
 *   sendbuf: [count], my elements; may be recvbuf
 *   recvbuf: out, [count], on the root
 *   count: number of elements
 *   type: datatype
 *   op: WAITIO_MPI_SUM, _PROD, _MAX, _MIN, _LAND, _LOR, _LXOR, _BAND, _BOR or _BXOR, if the type has it
 *   root: rank of the root, from 0
 *   comm: communicator
 * Collective: all members of comm.
 * Errors: WAITIO_EARG: an argument; WAITIO_EPEER, WAITIO_ETIMEOUT: a member.
 */
H3OU_API int waitio_mpi_reduce(const void *sendbuf, void *recvbuf, int count, WAITIO_MPI_Datatype type,
                               WAITIO_MPI_Op op, int root, WAITIO_MPI_Comm comm);

/* As waitio_mpi_reduce, with the result on all members.
 *   recvbuf: out, [count]; may be sendbuf
 */
H3OU_API int waitio_mpi_allreduce(const void *sendbuf, void *recvbuf, int count, WAITIO_MPI_Datatype type,
                                  WAITIO_MPI_Op op, WAITIO_MPI_Comm comm);

/* Gathers the members' elements on the root, in the order of ranks.
 *   sendbuf: [sendcount], my elements
 *   sendcount: number of elements that I send
 *   sendtype: their datatype
 *   recvbuf: out, [recvcount * members], on the root
 *   recvcount: number of elements of one member
 *   recvtype: datatype of the elements that arrive
 *   root: rank of the root, from 0
 *   comm: communicator
 * Collective: all members of comm.
 * Errors: WAITIO_EARG: an argument; WAITIO_EPEER, WAITIO_ETIMEOUT: a member.
 */
H3OU_API int waitio_mpi_gather(const void *sendbuf, int sendcount, WAITIO_MPI_Datatype sendtype, void *recvbuf,
                               int recvcount, WAITIO_MPI_Datatype recvtype, int root, WAITIO_MPI_Comm comm);

/* Gathers different numbers of elements on the root.
 *   sendbuf: [sendcount], my elements
 *   sendcount: number of elements that I send
 *   sendtype: their datatype
 *   recvbuf: out, on the root
 *   recvcounts: [members], number of elements of each, on the root
 *   displs: [members], where each begins in recvbuf, in elements, on the root
 *   recvtype: datatype of the elements that arrive
 *   root: rank of the root, from 0
 *   comm: communicator
 * Collective: all members of comm.
 * Errors: WAITIO_EARG: an argument; WAITIO_EPEER, WAITIO_ETIMEOUT: a member.
 */
H3OU_API int waitio_mpi_gatherv(const void *sendbuf, int sendcount, WAITIO_MPI_Datatype sendtype, void *recvbuf,
                                const int recvcounts[], const int displs[], WAITIO_MPI_Datatype recvtype, int root,
                                WAITIO_MPI_Comm comm);

/* As waitio_mpi_gather, with the result on all members.
 *   recvbuf: out, [recvcount * members]
 */
H3OU_API int waitio_mpi_allgather(const void *sendbuf, int sendcount, WAITIO_MPI_Datatype sendtype, void *recvbuf,
                                  int recvcount, WAITIO_MPI_Datatype recvtype, WAITIO_MPI_Comm comm);

/* Gives each member its part of the root's elements, in the order of ranks.
 *   sendbuf: [sendcount * members], on the root
 *   sendcount: number of elements for one member
 *   sendtype: datatype of the elements that are sent
 *   recvbuf: out, [recvcount], my elements
 *   recvcount: number of elements that I get
 *   recvtype: their datatype
 *   root: rank of the root, from 0
 *   comm: communicator
 * Collective: all members of comm.
 * Errors: WAITIO_EARG: an argument; WAITIO_EPEER, WAITIO_ETIMEOUT: a member.
 */
H3OU_API int waitio_mpi_scatter(const void *sendbuf, int sendcount, WAITIO_MPI_Datatype sendtype, void *recvbuf,
                                int recvcount, WAITIO_MPI_Datatype recvtype, int root, WAITIO_MPI_Comm comm);

/* Gives each member a part of the root's elements of its own size.
 *   sendbuf: the elements, on the root
 *   sendcounts: [members], number of elements for each, on the root
 *   displs: [members], where each begins in sendbuf, in elements, on the root
 *   sendtype: datatype of the elements that are sent
 *   recvbuf: out, [recvcount], my elements
 *   recvcount: number of elements that I get
 *   recvtype: their datatype
 *   root: rank of the root, from 0
 *   comm: communicator
 * Collective: all members of comm.
 * Errors: WAITIO_EARG: an argument; WAITIO_EPEER, WAITIO_ETIMEOUT: a member.
 */
H3OU_API int waitio_mpi_scatterv(const void *sendbuf, const int sendcounts[], const int displs[],
                                 WAITIO_MPI_Datatype sendtype, void *recvbuf, int recvcount,
                                 WAITIO_MPI_Datatype recvtype, int root, WAITIO_MPI_Comm comm);

#define WAITIO_MPI_Init      waitio_mpi_init
#define WAITIO_MPI_Finalize  waitio_mpi_finalize
#define WAITIO_MPI_Wtime     waitio_mpi_wtime
#define WAITIO_MPI_Comm_rank waitio_mpi_comm_rank
#define WAITIO_MPI_Comm_size waitio_mpi_comm_size
#define WAITIO_MPI_Type_size waitio_mpi_type_size
#define WAITIO_MPI_Isend     waitio_mpi_isend
#define WAITIO_MPI_Irecv     waitio_mpi_irecv
#define WAITIO_MPI_Wait      waitio_mpi_wait
#define WAITIO_MPI_Waitall   waitio_mpi_waitall
#define WAITIO_MPI_Send      waitio_mpi_send
#define WAITIO_MPI_Recv      waitio_mpi_recv
#define WAITIO_MPI_Barrier   waitio_mpi_barrier
#define WAITIO_MPI_Bcast     waitio_mpi_bcast
#define WAITIO_MPI_Reduce    waitio_mpi_reduce
#define WAITIO_MPI_Allreduce waitio_mpi_allreduce
#define WAITIO_MPI_Gather    waitio_mpi_gather
#define WAITIO_MPI_Gatherv   waitio_mpi_gatherv
#define WAITIO_MPI_Allgather waitio_mpi_allgather
#define WAITIO_MPI_Scatter   waitio_mpi_scatter
#define WAITIO_MPI_Scatterv  waitio_mpi_scatterv

#ifdef __cplusplus
}
#endif
#endif

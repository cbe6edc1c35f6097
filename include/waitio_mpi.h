/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls of MPI between the processes of all jobs, over WaitIO: put WAITIO_ before the name that a program knows.
 * Arguments are MPI's; a receive has no status, and none is written by waitall. Every call answers WAITIO_MPI_SUCCESS
 * or a negative error, of which waitio_error() has the sentence. Element types keep their bytes: jobs must agree on the
 * order of bytes. Each call has a Fortran form (waitio_mpif.h, module waitio_mpif90).
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

#define WAITIO_STATUS_SIZE          4 /* in integers, in Fortran */
#define WAITIO_MPI_SUCCESS          0
#define WAITIO_MPI_ANY_SOURCE       WAITIO_ANY_SOURCE
#define WAITIO_MPI_COMM_NULL        ((WAITIO_MPI_Comm)0)
#define WAITIO_MPI_STATUS_IGNORE    ((WAITIO_MPI_Status *)0)
#define WAITIO_MPI_STATUSES_IGNORE  ((WAITIO_MPI_Status *)0)
#define WAITIO_MPI_DEFTAG           524288
#define WAITIO_MPI_INT              (WAITIO_MPI_DEFTAG + 1)
#define WAITIO_MPI_INTEGER          WAITIO_MPI_INT
#define WAITIO_MPI_LONG             (WAITIO_MPI_DEFTAG + 2)
#define WAITIO_MPI_CHAR             (WAITIO_MPI_DEFTAG + 3)
#define WAITIO_MPI_FLOAT            (WAITIO_MPI_DEFTAG + 4)
#define WAITIO_MPI_DOUBLE           (WAITIO_MPI_DEFTAG + 5)
#define WAITIO_MPI_DOUBLE_PRECISION WAITIO_MPI_DOUBLE
#define WAITIO_MPI_BYTE             (WAITIO_MPI_DEFTAG + 6)
#define WAITIO_MPI_SUM              (WAITIO_MPI_DEFTAG + 1)
#define WAITIO_MPI_MAX              (WAITIO_MPI_DEFTAG + 2)
#define WAITIO_MPI_MIN              (WAITIO_MPI_DEFTAG + 3)

/* Join WaitIO if this process has not yet, and make a communicator of all processes; of rank 0 of each PB; of the
 * processes of one PB. Who is no member gets a communicator of which his rank is -1. The first two are collective if
 * they join. */
H3OU_API int waitio_create_universe(WAITIO_MPI_Comm *comm);
H3OU_API int waitio_create_universe_pbhead(WAITIO_MPI_Comm *comm);
H3OU_API int waitio_create_pbgroup(WAITIO_MPI_Comm *comm, int pbid);

H3OU_API int waitio_mpi_comm_rank(WAITIO_MPI_Comm comm, int *rank);
H3OU_API int waitio_mpi_comm_size(WAITIO_MPI_Comm comm, int *size);
H3OU_API int waitio_mpi_type_size(WAITIO_MPI_Datatype type, int *size);

/* Messages. Tags are not negative. */
H3OU_API int waitio_mpi_isend(const void *buf, int count, WAITIO_MPI_Datatype type, int dest, int tag,
                              WAITIO_MPI_Comm comm, WAITIO_MPI_Request *request);
H3OU_API int waitio_mpi_irecv(void *buf, int count, WAITIO_MPI_Datatype type, int source, int tag, WAITIO_MPI_Comm comm,
                              WAITIO_MPI_Request *request);
H3OU_API int waitio_mpi_wait(WAITIO_MPI_Request *request, void *status);
H3OU_API int waitio_mpi_waitall(int count, WAITIO_MPI_Request *requests, void *statuses);
H3OU_API int waitio_mpi_send(const void *buf, int count, WAITIO_MPI_Datatype type, int dest, int tag,
                             WAITIO_MPI_Comm comm);
H3OU_API int waitio_mpi_recv(void *buf, int count, WAITIO_MPI_Datatype type, int source, int tag, WAITIO_MPI_Comm comm);

/* Collectives. Sums have the same bits each time for the same number of members and the same root. sendbuf may be
 * recvbuf in a reduction. */
H3OU_API int waitio_mpi_barrier(WAITIO_MPI_Comm comm);
H3OU_API int waitio_mpi_bcast(void *buf, int count, WAITIO_MPI_Datatype type, int root, WAITIO_MPI_Comm comm);
H3OU_API int waitio_mpi_reduce(const void *sendbuf, void *recvbuf, int count, WAITIO_MPI_Datatype type,
                               WAITIO_MPI_Op op, int root, WAITIO_MPI_Comm comm);
H3OU_API int waitio_mpi_allreduce(const void *sendbuf, void *recvbuf, int count, WAITIO_MPI_Datatype type,
                                  WAITIO_MPI_Op op, WAITIO_MPI_Comm comm);
H3OU_API int waitio_mpi_gather(const void *sendbuf, int sendcount, WAITIO_MPI_Datatype sendtype, void *recvbuf,
                               int recvcount, WAITIO_MPI_Datatype recvtype, int root, WAITIO_MPI_Comm comm);
H3OU_API int waitio_mpi_gatherv(const void *sendbuf, int sendcount, WAITIO_MPI_Datatype sendtype, void *recvbuf,
                                const int recvcounts[], const int displs[], WAITIO_MPI_Datatype recvtype, int root,
                                WAITIO_MPI_Comm comm);
H3OU_API int waitio_mpi_allgather(const void *sendbuf, int sendcount, WAITIO_MPI_Datatype sendtype, void *recvbuf,
                                  int recvcount, WAITIO_MPI_Datatype recvtype, WAITIO_MPI_Comm comm);
H3OU_API int waitio_mpi_scatter(const void *sendbuf, int sendcount, WAITIO_MPI_Datatype sendtype, void *recvbuf,
                                int recvcount, WAITIO_MPI_Datatype recvtype, int root, WAITIO_MPI_Comm comm);
H3OU_API int waitio_mpi_scatterv(const void *sendbuf, const int sendcounts[], const int displs[],
                                 WAITIO_MPI_Datatype sendtype, void *recvbuf, int recvcount,
                                 WAITIO_MPI_Datatype recvtype, int root, WAITIO_MPI_Comm comm);

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

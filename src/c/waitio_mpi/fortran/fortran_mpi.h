/* SPDX-License-Identifier: BSD-3-Clause */
/* The Fortran forms of the calls of waitio_mpi.h: as those of waitio.h in fortran.h; a communicator is a group. Where
 * Fortran knows no type of a choice argument, it is an address. */
#ifndef WAITIO_MPI_FORTRAN_MPI_H
#define WAITIO_MPI_FORTRAN_MPI_H

#include "waitio_mpi.h"

#pragma GCC visibility push(default)
void waitio_mpi_init_(int *ierr);
void waitio_wmpi_init_(int *ierr); /* joins with the default patience; WMPI_Init of the module */
void waitio_mpi_finalize_(int *ierr);
double waitio_mpi_wtime_(void);
void waitio_create_universe_(int *comm, int *ierr);
void waitio_create_universe_pbhead_(int *comm, int *ierr);
void waitio_create_pbgroup_(int *comm, const int *pbid, int *ierr);
void waitio_mpi_comm_rank_(const int *comm, int *rank, int *ierr);
void waitio_mpi_comm_size_(const int *comm, int *size, int *ierr);
void waitio_mpi_type_size_(const int *type, int *size, int *ierr);
void waitio_mpi_isend_(const void *buf, const int *count, const int *type, const int *dest, const int *tag,
                       const int *comm, waitio_req_t *request, int *ierr);
void waitio_mpi_irecv_(void *buf, const int *count, const int *type, const int *source, const int *tag, const int *comm,
                       waitio_req_t *request, int *ierr);
void waitio_mpi_wait_(waitio_req_t *request, void *status, int *ierr);
void waitio_mpi_waitall_(const int *count, waitio_req_t *requests, void *statuses, int *ierr);
void waitio_mpi_send_(const void *buf, const int *count, const int *type, const int *dest, const int *tag,
                      const int *comm, int *ierr);
void waitio_mpi_recv_(void *buf, const int *count, const int *type, const int *source, const int *tag, const int *comm,
                      int *ierr);
void waitio_mpi_barrier_(const int *comm, int *ierr);
void waitio_mpi_bcast_(void *buf, const int *count, const int *type, const int *root, const int *comm, int *ierr);
void waitio_mpi_reduce_(const void *sendbuf, void *recvbuf, const int *count, const int *type, const int *op,
                        const int *root, const int *comm, int *ierr);
void waitio_mpi_allreduce_(const void *sendbuf, void *recvbuf, const int *count, const int *type, const int *op,
                           const int *comm, int *ierr);
void waitio_mpi_gather_(const void *sendbuf, const int *sendcount, const int *sendtype, void *recvbuf,
                        const int *recvcount, const int *recvtype, const int *root, const int *comm, int *ierr);
void waitio_mpi_gatherv_(const void *sendbuf, const int *sendcount, const int *sendtype, void *recvbuf,
                         const int recvcounts[], const int displs[], const int *recvtype, const int *root,
                         const int *comm, int *ierr);
void waitio_mpi_allgather_(const void *sendbuf, const int *sendcount, const int *sendtype, void *recvbuf,
                           const int *recvcount, const int *recvtype, const int *comm, int *ierr);
void waitio_mpi_scatter_(const void *sendbuf, const int *sendcount, const int *sendtype, void *recvbuf,
                         const int *recvcount, const int *recvtype, const int *root, const int *comm, int *ierr);
void waitio_mpi_scatterv_(const void *sendbuf, const int sendcounts[], const int displs[], const int *sendtype,
                          void *recvbuf, const int *recvcount, const int *recvtype, const int *root, const int *comm,
                          int *ierr);
#pragma GCC visibility pop

#endif

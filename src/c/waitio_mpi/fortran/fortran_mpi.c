/* SPDX-License-Identifier: BSD-3-Clause */
#include "waitio_mpi/fortran/fortran_mpi.h"

#include "base/error.h"
#include "waitio_mpi/fortran/fortran.h"
#include "waitio_mpi/numbers.h"

void waitio_mpi_init_(int *ierr)
{
    waitio__tell(ierr, waitio_mpi_init(NULL, NULL));
}

void waitio_wmpi_init_(int *ierr)
{
    waitio__tell(ierr, waitio_init(0));
}

void waitio_mpi_finalize_(int *ierr)
{
    waitio__tell(ierr, waitio_mpi_finalize());
}

double waitio_mpi_wtime_(void)
{
    return waitio_mpi_wtime();
}

static int number_comm(int code, WAITIO_MPI_Comm made, int *comm)
{
    *comm = 0;
    return code ? code : waitio__numbers_add(made, comm);
}

void waitio_create_universe_(int *comm, int *ierr)
{
    WAITIO_MPI_Comm made = NULL;
    int code = waitio_create_universe(&made);
    waitio__tell(ierr, number_comm(code, made, comm));
}

void waitio_create_universe_pbhead_(int *comm, int *ierr)
{
    WAITIO_MPI_Comm made = NULL;
    int code = waitio_create_universe_pbhead(&made);
    waitio__tell(ierr, number_comm(code, made, comm));
}

void waitio_create_pbgroup_(int *comm, const int *pbid, int *ierr)
{
    WAITIO_MPI_Comm made = NULL;
    int code = waitio_create_pbgroup(&made, *pbid);
    waitio__tell(ierr, number_comm(code, made, comm));
}

void waitio_mpi_comm_rank_(const int *comm, int *rank, int *ierr)
{
    waitio__tell(ierr, waitio_mpi_comm_rank(waitio__numbers_find(*comm), rank));
}

void waitio_mpi_comm_size_(const int *comm, int *size, int *ierr)
{
    waitio__tell(ierr, waitio_mpi_comm_size(waitio__numbers_find(*comm), size));
}

void waitio_mpi_type_size_(const int *type, int *size, int *ierr)
{
    waitio__tell(ierr, waitio_mpi_type_size(*type, size));
}

void waitio_mpi_isend_(const void *buf, const int *count, const int *type, const int *dest, const int *tag,
                       const int *comm, waitio_req_t *request, int *ierr)
{
    waitio__tell(ierr, waitio_mpi_isend(buf, *count, *type, *dest, *tag, waitio__numbers_find(*comm), request));
}

void waitio_mpi_irecv_(void *buf, const int *count, const int *type, const int *source, const int *tag, const int *comm,
                       waitio_req_t *request, int *ierr)
{
    waitio__tell(ierr, waitio_mpi_irecv(buf, *count, *type, *source, *tag, waitio__numbers_find(*comm), request));
}

void waitio_mpi_wait_(waitio_req_t *request, void *status, int *ierr)
{
    waitio__tell(ierr, waitio_mpi_wait(request, status));
}

void waitio_mpi_waitall_(const int *count, waitio_req_t *requests, void *statuses, int *ierr)
{
    waitio__tell(ierr, waitio_mpi_waitall(*count, requests, statuses));
}

void waitio_mpi_send_(const void *buf, const int *count, const int *type, const int *dest, const int *tag,
                      const int *comm, int *ierr)
{
    waitio__tell(ierr, waitio_mpi_send(buf, *count, *type, *dest, *tag, waitio__numbers_find(*comm)));
}

void waitio_mpi_recv_(void *buf, const int *count, const int *type, const int *source, const int *tag, const int *comm,
                      int *ierr)
{
    waitio__tell(ierr, waitio_mpi_recv(buf, *count, *type, *source, *tag, waitio__numbers_find(*comm)));
}

void waitio_mpi_barrier_(const int *comm, int *ierr)
{
    waitio__tell(ierr, waitio_mpi_barrier(waitio__numbers_find(*comm)));
}

void waitio_mpi_bcast_(void *buf, const int *count, const int *type, const int *root, const int *comm, int *ierr)
{
    waitio__tell(ierr, waitio_mpi_bcast(buf, *count, *type, *root, waitio__numbers_find(*comm)));
}

void waitio_mpi_reduce_(const void *sendbuf, void *recvbuf, const int *count, const int *type, const int *op,
                        const int *root, const int *comm, int *ierr)
{
    waitio__tell(ierr, waitio_mpi_reduce(sendbuf, recvbuf, *count, *type, *op, *root, waitio__numbers_find(*comm)));
}

void waitio_mpi_allreduce_(const void *sendbuf, void *recvbuf, const int *count, const int *type, const int *op,
                           const int *comm, int *ierr)
{
    waitio__tell(ierr, waitio_mpi_allreduce(sendbuf, recvbuf, *count, *type, *op, waitio__numbers_find(*comm)));
}

void waitio_mpi_gather_(const void *sendbuf, const int *sendcount, const int *sendtype, void *recvbuf,
                        const int *recvcount, const int *recvtype, const int *root, const int *comm, int *ierr)
{
    waitio__tell(ierr, waitio_mpi_gather(sendbuf, *sendcount, *sendtype, recvbuf, *recvcount, *recvtype, *root,
                                         waitio__numbers_find(*comm)));
}

void waitio_mpi_gatherv_(const void *sendbuf, const int *sendcount, const int *sendtype, void *recvbuf,
                         const int recvcounts[], const int displs[], const int *recvtype, const int *root,
                         const int *comm, int *ierr)
{
    waitio__tell(ierr, waitio_mpi_gatherv(sendbuf, *sendcount, *sendtype, recvbuf, recvcounts, displs, *recvtype, *root,
                                          waitio__numbers_find(*comm)));
}

void waitio_mpi_allgather_(const void *sendbuf, const int *sendcount, const int *sendtype, void *recvbuf,
                           const int *recvcount, const int *recvtype, const int *comm, int *ierr)
{
    waitio__tell(ierr, waitio_mpi_allgather(sendbuf, *sendcount, *sendtype, recvbuf, *recvcount, *recvtype,
                                            waitio__numbers_find(*comm)));
}

void waitio_mpi_scatter_(const void *sendbuf, const int *sendcount, const int *sendtype, void *recvbuf,
                         const int *recvcount, const int *recvtype, const int *root, const int *comm, int *ierr)
{
    waitio__tell(ierr, waitio_mpi_scatter(sendbuf, *sendcount, *sendtype, recvbuf, *recvcount, *recvtype, *root,
                                          waitio__numbers_find(*comm)));
}

void waitio_mpi_scatterv_(const void *sendbuf, const int sendcounts[], const int displs[], const int *sendtype,
                          void *recvbuf, const int *recvcount, const int *recvtype, const int *root, const int *comm,
                          int *ierr)
{
    waitio__tell(ierr, waitio_mpi_scatterv(sendbuf, sendcounts, displs, *sendtype, recvbuf, *recvcount, *recvtype,
                                           *root, waitio__numbers_find(*comm)));
}

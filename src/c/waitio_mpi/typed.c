/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages of MPI: element types in the place of bytes. */
#include "waitio_mpi/typed.h"

#include "base/error.h"
#include "base/types.h"

static const waitio_tag_t OF_COLLECTIVES = (waitio_tag_t)1 << 40;

int waitio__typed_find(const char *call, WAITIO_MPI_Datatype type, waitio__typed *out)
{
    *out = (waitio__typed){0};
    switch (type) {
    case WAITIO_MPI_INT:
        *out = (waitio__typed){sizeof(int), H3OU__INT32};
        break;
    case WAITIO_MPI_LONG:
        *out = (waitio__typed){sizeof(long), sizeof(long) == 8 ? H3OU__INT64 : H3OU__INT32};
        break;
    case WAITIO_MPI_FLOAT:
        *out = (waitio__typed){sizeof(float), H3OU__FLOAT};
        break;
    case WAITIO_MPI_DOUBLE:
        *out = (waitio__typed){sizeof(double), H3OU__DOUBLE};
        break;
    case WAITIO_MPI_CHAR:
    case WAITIO_MPI_BYTE:
        *out = (waitio__typed){1, H3OU__BYTE};
        break;
    default:
        return h3ou__fail(H3OU__EARG, "%s: the type %d is none of waitio_mpi.h", call, type);
    }
    return H3OU__OK;
}

int waitio__typed_bytes(const char *call, int count, WAITIO_MPI_Datatype type, size_t *bytes)
{
    waitio__typed t;
    *bytes = 0;
    int code = waitio__typed_find(call, type, &t);
    if (!code && count < 0)
        code = h3ou__fail(H3OU__EARG, "%s: the count is %d, it must be 0 or more", call, count);
    if (!code)
        *bytes = (size_t)count * t.size;
    return code;
}

int waitio_mpi_type_size(WAITIO_MPI_Datatype type, int *size)
{
    waitio__typed t;
    int code = waitio__typed_find("waitio_mpi_type_size", type, &t);
    if (!code)
        *size = (int)t.size;
    return code;
}

waitio_tag_t waitio__typed_tag(uint32_t n)
{
    return OF_COLLECTIVES + n;
}

int waitio__typed_place(const char *call, WAITIO_MPI_Comm comm, int root, int *rank, int *size)
{
    int code = waitio_group_rank(comm, rank);
    if (!code)
        code = waitio_group_size(comm, size);
    if (!code && *rank < 0)
        code = h3ou__fail(H3OU__EARG, "%s: this process is not a member of the communicator", call);
    if (!code && (root < 0 || root >= *size))
        code = h3ou__fail(H3OU__EARG, "%s: rank %d, the root, is not in a communicator of %d processes", call, root, *size);
    return code;
}

int waitio_mpi_isend(const void *buf, int count, WAITIO_MPI_Datatype type, int dest, int tag, WAITIO_MPI_Comm comm,
                     WAITIO_MPI_Request *request)
{
    size_t bytes;
    int code = waitio__typed_bytes("waitio_mpi_isend", count, type, &bytes);
    return code ? code : waitio_isend(comm, dest, (char *)(uintptr_t)buf, bytes, tag, request);
}

int waitio_mpi_irecv(void *buf, int count, WAITIO_MPI_Datatype type, int source, int tag, WAITIO_MPI_Comm comm,
                     WAITIO_MPI_Request *request)
{
    size_t bytes;
    int code = waitio__typed_bytes("waitio_mpi_irecv", count, type, &bytes);
    return code ? code : waitio_irecv(comm, source, buf, bytes, tag, request);
}

int waitio_mpi_wait(WAITIO_MPI_Request *request, void *status)
{
    (void)status;
    return waitio_wait(request);
}

int waitio_mpi_waitall(int count, WAITIO_MPI_Request *requests, void *statuses)
{
    (void)statuses;
    return waitio_waitall(count, requests, NULL);
}

int waitio_mpi_send(const void *buf, int count, WAITIO_MPI_Datatype type, int dest, int tag, WAITIO_MPI_Comm comm)
{
    WAITIO_MPI_Request request;
    int code = waitio_mpi_isend(buf, count, type, dest, tag, comm, &request);
    return code ? code : waitio_wait(&request);
}

int waitio_mpi_recv(void *buf, int count, WAITIO_MPI_Datatype type, int source, int tag, WAITIO_MPI_Comm comm)
{
    WAITIO_MPI_Request request;
    int code = waitio_mpi_irecv(buf, count, type, source, tag, comm, &request);
    return code ? code : waitio_wait(&request);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages of MPI: element types in the place of bytes. */
#include "waitio_mpi/typed.h"

#include "base/error.h"
#include "waitio_mpi/byte_order.h"
#include "waitio_mpi/operation.h"

static const waitio_tag_t OF_COLLECTIVES = (waitio_tag_t)1 << 40;

/* A type's line of the table, of integers whose size depends on the machine. */
#define SIGNED(type)                                                                                                   \
    {                                                                                                                  \
        sizeof(type), sizeof(type), sizeof(type) == 8 ? WAITIO__INT64 : WAITIO__INT32                                  \
    }
#define UNSIGNED(type)                                                                                                 \
    {                                                                                                                  \
        sizeof(type), sizeof(type), sizeof(type) == 8 ? WAITIO__UINT64 : WAITIO__UINT32                                \
    }

static const waitio__typed table[] = {
    [WAITIO_MPI_INT - WAITIO_MPI_DEFTAG] = SIGNED(int),
    [WAITIO_MPI_LONG - WAITIO_MPI_DEFTAG] = SIGNED(long),
    [WAITIO_MPI_CHAR - WAITIO_MPI_DEFTAG] = {1, 1, WAITIO__LETTER},
    [WAITIO_MPI_FLOAT - WAITIO_MPI_DEFTAG] = {sizeof(float), sizeof(float), WAITIO__FLOAT},
    [WAITIO_MPI_DOUBLE - WAITIO_MPI_DEFTAG] = {sizeof(double), sizeof(double), WAITIO__DOUBLE},
    [WAITIO_MPI_BYTE - WAITIO_MPI_DEFTAG] = {1, 1, WAITIO__RAW},
    [WAITIO_MPI_SHORT - WAITIO_MPI_DEFTAG] = {2, 2, WAITIO__INT16},
    [WAITIO_MPI_UNSIGNED - WAITIO_MPI_DEFTAG] = UNSIGNED(unsigned),
    [WAITIO_MPI_UNSIGNED_SHORT - WAITIO_MPI_DEFTAG] = {2, 2, WAITIO__UINT16},
    [WAITIO_MPI_UNSIGNED_LONG - WAITIO_MPI_DEFTAG] = UNSIGNED(unsigned long),
    [WAITIO_MPI_LONG_LONG - WAITIO_MPI_DEFTAG] = SIGNED(long long),
    [WAITIO_MPI_UNSIGNED_LONG_LONG - WAITIO_MPI_DEFTAG] = UNSIGNED(unsigned long long),
    [WAITIO_MPI_SIGNED_CHAR - WAITIO_MPI_DEFTAG] = {1, 1, WAITIO__INT8},
    [WAITIO_MPI_UNSIGNED_CHAR - WAITIO_MPI_DEFTAG] = {1, 1, WAITIO__UINT8},
    [WAITIO_MPI_COMPLEX - WAITIO_MPI_DEFTAG] = {2 * sizeof(float), sizeof(float), WAITIO__FLOAT_COMPLEX},
    [WAITIO_MPI_DOUBLE_COMPLEX - WAITIO_MPI_DEFTAG] = {2 * sizeof(double), sizeof(double), WAITIO__DOUBLE_COMPLEX},
    [WAITIO_MPI_LOGICAL - WAITIO_MPI_DEFTAG] = {sizeof(int), sizeof(int), WAITIO__TRUTH},
};
_Static_assert(sizeof(short) == 2 && sizeof(int) == 4, "short has 2 bytes and int 4");

int waitio__typed_find(const char *call, WAITIO_MPI_Datatype type, waitio__typed *out)
{
    const int n = sizeof table / sizeof *table;
    int64_t at = (int64_t)type - WAITIO_MPI_DEFTAG;
    *out = at > 0 && at < n ? table[at] : (waitio__typed){0};
    return out->size ? H3OU__OK : h3ou__fail(H3OU__EARG, "%s: the type %d is none of waitio_mpi.h", call, type);
}

static int describe_message(const char *call, int count, WAITIO_MPI_Datatype type, size_t *bytes, waitio__typed *t)
{
    *bytes = 0;
    int code = waitio__typed_find(call, type, t);
    if (!code && count < 0)
        code = h3ou__fail(H3OU__EARG, "%s: the count is %d, it must be 0 or more", call, count);
    if (!code)
        *bytes = (size_t)count * (size_t)t->size;
    return code;
}

int waitio__typed_bytes(const char *call, int count, WAITIO_MPI_Datatype type, size_t *bytes)
{
    waitio__typed t;
    return describe_message(call, count, type, bytes, &t);
}

int waitio_mpi_type_size(WAITIO_MPI_Datatype type, int *size)
{
    waitio__typed t;
    int code = waitio__typed_find("waitio_mpi_type_size", type, &t);
    if (!code)
        *size = t.size;
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
        code = h3ou__fail(H3OU__EARG, "%s: rank %d, the root, is not in a communicator of %d processes", call, root,
                          *size);
    return code;
}

int waitio_mpi_isend(const void *buf, int count, WAITIO_MPI_Datatype type, int dest, int tag, WAITIO_MPI_Comm comm,
                     WAITIO_MPI_Request *request)
{
    size_t bytes;
    waitio__typed t;
    int code = describe_message("waitio_mpi_isend", count, type, &bytes, &t);
    return code ? code : waitio__byte_order_isend(comm, dest, buf, bytes, t.unit, tag, request);
}

int waitio_mpi_irecv(void *buf, int count, WAITIO_MPI_Datatype type, int source, int tag, WAITIO_MPI_Comm comm,
                     WAITIO_MPI_Request *request)
{
    size_t bytes;
    waitio__typed t;
    int code = describe_message("waitio_mpi_irecv", count, type, &bytes, &t);
    return code ? code : waitio__byte_order_irecv(comm, source, buf, bytes, t.unit, tag, request);
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

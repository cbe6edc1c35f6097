/* SPDX-License-Identifier: BSD-3-Clause */
/* Gather and scatter, by one message between the root and each other member. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "waitio_mpi/typed.h"

/* The arguments of a gather or scatter. The root's array has a part for each member, of one count or of counts[] at
 * displs[], in elements of a type. */
typedef struct parts {
    const char *call;
    bool is_scatter;
    WAITIO_MPI_Comm comm;
    int root;
    char *all;
    int count;
    const int *counts, *displs;
    WAITIO_MPI_Datatype type;
    char *mine; /* the part of this member */
    int my_count;
    WAITIO_MPI_Datatype my_type;
} parts;

static int find_part(const parts *p, int rank, char **part, size_t *bytes)
{
    waitio__typed t;
    int code = waitio__typed_find(p->call, p->type, &t);
    if (!code)
        code = waitio__typed_bytes(p->call, p->counts ? p->counts[rank] : p->count, p->type, bytes);
    if (code)
        return code;
    ptrdiff_t at = p->displs ? p->displs[rank] : (ptrdiff_t)rank * p->count;
    *part = *bytes ? p->all + at * (ptrdiff_t)t.size : NULL;
    return H3OU__OK;
}

/* Copies the root's own part. */
static int copy_own_part(const parts *p, char *part, size_t bytes, size_t my_bytes)
{
    char *to = p->is_scatter ? p->mine : part, *from = p->is_scatter ? part : p->mine;
    size_t given = p->is_scatter ? bytes : my_bytes, room = p->is_scatter ? my_bytes : bytes;
    if (given > room)
        return h3ou__fail(H3OU__ETRUNC, "%s: the root's own part has %zu bytes, but the buffer has room for %zu", p->call, given,
                          room);
    if (given && to != from)
        memmove(to, from, given);
    return H3OU__OK;
}

static int transfer_as_root(const parts *p, int rank, int size, size_t my_bytes)
{
    waitio_req_t *req = malloc((size_t)size * sizeof *req);
    int n = 0, code = req ? H3OU__OK : h3ou__fail(H3OU__ENOMEM, "%s: no memory for %d members", p->call, size);
    for (int other = 0; other < size && !code; other++) {
        char *part = NULL;
        size_t bytes = 0;
        code = find_part(p, other, &part, &bytes);
        if (!code && other == rank)
            code = copy_own_part(p, part, bytes, my_bytes);
        else if (!code && (code = waitio__typed_start(p->is_scatter, part, bytes, other, p->comm, &req[n])) == H3OU__OK)
            n++;
    }
    if (!code)
        code = waitio_waitall(n, req, NULL);
    free(req);
    return code;
}

static int transfer_parts(const parts *p)
{
    size_t my_bytes;
    int rank, size, code = waitio__typed_place(p->call, p->comm, p->root, &rank, &size);
    if (!code)
        code = waitio__typed_bytes(p->call, p->my_count, p->my_type, &my_bytes);
    if (code)
        return code;
    code = rank == p->root ? transfer_as_root(p, rank, size, my_bytes)
                           : waitio__typed_move(!p->is_scatter, p->mine, my_bytes, p->root, p->comm);
    return code ? h3ou__fail_in(code, "%s", p->call) : H3OU__OK;
}

int waitio_mpi_gather(const void *sendbuf, int sendcount, WAITIO_MPI_Datatype sendtype, void *recvbuf, int recvcount,
                      WAITIO_MPI_Datatype recvtype, int root, WAITIO_MPI_Comm comm)
{
    return transfer_parts(&(parts){.call = "waitio_mpi_gather",
                                   .comm = comm,
                                   .root = root,
                                   .all = recvbuf,
                                   .count = recvcount,
                                   .type = recvtype,
                                   .mine = (char *)(uintptr_t)sendbuf,
                                   .my_count = sendcount,
                                   .my_type = sendtype});
}

int waitio_mpi_gatherv(const void *sendbuf, int sendcount, WAITIO_MPI_Datatype sendtype, void *recvbuf,
                       const int recvcounts[], const int displs[], WAITIO_MPI_Datatype recvtype, int root,
                       WAITIO_MPI_Comm comm)
{
    return transfer_parts(&(parts){.call = "waitio_mpi_gatherv",
                                   .comm = comm,
                                   .root = root,
                                   .all = recvbuf,
                                   .counts = recvcounts,
                                   .displs = displs,
                                   .type = recvtype,
                                   .mine = (char *)(uintptr_t)sendbuf,
                                   .my_count = sendcount,
                                   .my_type = sendtype});
}

int waitio_mpi_scatter(const void *sendbuf, int sendcount, WAITIO_MPI_Datatype sendtype, void *recvbuf, int recvcount,
                       WAITIO_MPI_Datatype recvtype, int root, WAITIO_MPI_Comm comm)
{
    return transfer_parts(&(parts){.call = "waitio_mpi_scatter",
                                   .is_scatter = true,
                                   .comm = comm,
                                   .root = root,
                                   .all = (char *)(uintptr_t)sendbuf,
                                   .count = sendcount,
                                   .type = sendtype,
                                   .mine = recvbuf,
                                   .my_count = recvcount,
                                   .my_type = recvtype});
}

int waitio_mpi_scatterv(const void *sendbuf, const int sendcounts[], const int displs[], WAITIO_MPI_Datatype sendtype,
                        void *recvbuf, int recvcount, WAITIO_MPI_Datatype recvtype, int root, WAITIO_MPI_Comm comm)
{
    return transfer_parts(&(parts){.call = "waitio_mpi_scatterv",
                                   .is_scatter = true,
                                   .comm = comm,
                                   .root = root,
                                   .all = (char *)(uintptr_t)sendbuf,
                                   .counts = sendcounts,
                                   .displs = displs,
                                   .type = sendtype,
                                   .mine = recvbuf,
                                   .my_count = recvcount,
                                   .my_type = recvtype});
}

int waitio_mpi_allgather(const void *sendbuf, int sendcount, WAITIO_MPI_Datatype sendtype, void *recvbuf, int recvcount,
                         WAITIO_MPI_Datatype recvtype, WAITIO_MPI_Comm comm)
{
    int size, code = waitio_mpi_gather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, 0, comm);
    if (!code)
        code = waitio_group_size(comm, &size);
    if (!code && (long long)recvcount * size > INT32_MAX)
        code = h3ou__fail(H3OU__EARG, "waitio_mpi_allgather: %d elements of each of %d members: at most %d in all",
                          recvcount, size, INT32_MAX);
    return code ? code : waitio_mpi_bcast(recvbuf, recvcount * size, recvtype, 0, comm);
}

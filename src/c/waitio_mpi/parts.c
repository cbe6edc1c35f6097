/* SPDX-License-Identifier: BSD-3-Clause */
/* Gather, scatter and allgather. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "waitio_mpi/collective_call.h"
#include "waitio_mpi/typed.h"

/* The arguments of a gather or scatter. The root's array has a part for each member, of one count or of counts[] at
 * displs[], in elements of a type. */
typedef struct parts {
    const char *call;
    bool is_scatter, is_vector;
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

/* Lists the sizes and places of all parts in bytes. place: [2 * size], sizes and then places. */
static int list_parts(const parts *p, int size, int64_t place[])
{
    waitio__typed t;
    int code = waitio__typed_find(p->call, p->type, &t);
    for (int rank = 0; rank < size && !code; rank++) {
        size_t bytes = 0;
        code = waitio__typed_bytes(p->call, p->counts ? p->counts[rank] : p->count, p->type, &bytes);
        place[rank] = (int64_t)bytes;
        place[size + rank] = (p->displs ? p->displs[rank] : (int64_t)rank * p->count) * (int64_t)t.size;
    }
    return code;
}

/* Copies the part of a root that gathers to its place, from which the schedule then takes it: it may be shorter than
 * that. */
static int place_own_part(const parts *p, int64_t at, size_t room, size_t my_bytes)
{
    size_t given = p->is_scatter ? room : my_bytes, most = p->is_scatter ? my_bytes : room;
    if (given > most)
        return h3ou__fail(H3OU__ETRUNC, "%s: the root's own part has %zu bytes, but the buffer has room for %zu",
                          p->call, given, most);
    if (!p->is_scatter && given && p->all + at != p->mine)
        memmove(p->all + at, p->mine, given);
    return H3OU__OK;
}

/* Runs the call at the root, whose counts and places are needed. */
static int run_as_root(const parts *p, h3ou__call *call, int rank, int size, size_t my_bytes, int unit)
{
    int64_t *place = malloc(2 * sizeof *place * (size_t)size);
    int code =
        place ? list_parts(p, size, place) : h3ou__fail(H3OU__ENOMEM, "%s: no memory for %d members", p->call, size);
    if (!code)
        code = place_own_part(p, place[size + rank], (size_t)place[rank], my_bytes);
    if (!code) {
        call->count = place[rank];
        call->counts = p->counts ? place : NULL;
        call->displs = p->counts ? place + size : NULL;
        h3ou__coll_data data =
            p->is_scatter
                ? (h3ou__coll_data){.input = p->all, .output = p->mine}
                : (h3ou__coll_data){.input = place[rank] ? p->all + place[size + rank] : NULL, .output = p->all};
        code = waitio__collective_run(p->call, call, &data, p->comm, unit);
    }
    free(place);
    return code;
}

static int transfer_parts(const parts *p)
{
    size_t my_bytes;
    waitio__typed t;
    int rank, size, code = waitio__typed_place(p->call, p->comm, p->root, &rank, &size);
    if (!code)
        code = waitio__typed_bytes(p->call, p->my_count, p->my_type, &my_bytes);
    if (!code)
        code = waitio__typed_find(p->call, rank == p->root ? p->type : p->my_type, &t);
    if (code)
        return code;
    h3ou__call call = {.operation = p->is_scatter ? H3OU__COLL_SCATTER : H3OU__COLL_GATHER,
                       .root = p->root,
                       .element = 1,
                       .count = (int64_t)my_bytes,
                       .is_vector = p->is_vector};
    if (rank == p->root)
        return run_as_root(p, &call, rank, size, my_bytes, t.unit);
    h3ou__coll_data data = p->is_scatter ? (h3ou__coll_data){.output = p->mine} : (h3ou__coll_data){.input = p->mine};
    return waitio__collective_run(p->call, &call, &data, p->comm, t.unit);
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
                                   .is_vector = true,
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
                                   .is_vector = true,
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
    const char *name = "waitio_mpi_allgather";
    size_t given = 0, room;
    waitio__typed t;
    int code = waitio__typed_bytes(name, recvcount, recvtype, &room);
    if (!code)
        code = waitio__typed_find(name, recvtype, &t);
    if (!code)
        code = waitio__typed_bytes(name, sendcount, sendtype, &given);
    if (!code && given != room)
        code =
            h3ou__fail(H3OU__EARG, "%s: this process sends %zu bytes, but receives %zu of each: all must be the same",
                       name, given, room);
    h3ou__call call = {.operation = H3OU__COLL_ALLGATHER, .element = 1, .count = (int64_t)room};
    h3ou__coll_data data = {.input = sendbuf, .output = recvbuf};
    return code ? code : waitio__collective_run(name, &call, &data, comm, t.unit);
}

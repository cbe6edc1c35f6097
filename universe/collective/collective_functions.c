/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The collective functions of MPI. Each has six forms: blocking, started and persistent, with counts of int and of MPI_Count. NAME_TAKES are
 * its parameters, with N as the type of counts and P as that of places; NAME_GIVES what is handed to the job's MPI; NAME_MEANS what it is for the universe,
 * where `is_long` tells whether N is MPI_Count.
 */
#include "universe/collective/plans.h"
#include "universe/world/layer.h"
#include "universe/world/waiting.h"

/* MPI-3.1 has arrays of constants where nothing is changed; ours are cleared of const once. */
static inline void *plain(const void *buf)
{
    return (void *)(uintptr_t)buf;
}

#define NUMBERS(array) {array, is_long}

#define BARRIER_TAKES(N, P) abi_Comm comm
#define BARRIER_GIVES       comm
#define BARRIER_MEANS       .plan = universe_plan_barrier, .root = UNIVERSE_ROOTLESS

#define BCAST_TAKES(N, P) void *buffer, N count, abi_Datatype datatype, int root, abi_Comm comm
#define BCAST_GIVES       buffer, count, datatype, root, comm
#define BCAST_MEANS       .plan = universe_plan_bcast, .recv = {.buf = buffer, .count = count, .type = datatype}, .root = root

/* Reductions: the values at `send` are as many and of the same type as those at `recv`. */
#define REDUCE_TAKES(N, P)    const void *sendbuf, void *recvbuf, N count, abi_Datatype datatype, abi_Op op, int root, abi_Comm comm
#define REDUCE_GIVES          sendbuf, recvbuf, count, datatype, op, root, comm
#define ALLREDUCE_TAKES(N, P) const void *sendbuf, void *recvbuf, N count, abi_Datatype datatype, abi_Op op, abi_Comm comm
#define ALLREDUCE_GIVES       sendbuf, recvbuf, count, datatype, op, comm
#define REDUCTION             .send = {.buf = plain(sendbuf), .type = datatype}, .recv = {.buf = recvbuf, .count = count, .type = datatype}, .op = op
#define REDUCE_MEANS          .plan = universe_plan_reduce, REDUCTION, .root = root
#define ALLREDUCE_MEANS       .plan = universe_plan_allreduce, REDUCTION, .root = UNIVERSE_ROOTLESS
#define SCAN_TAKES            ALLREDUCE_TAKES
#define SCAN_GIVES            ALLREDUCE_GIVES
#define SCAN_MEANS            .plan = universe_plan_scan, REDUCTION, .root = UNIVERSE_ROOTLESS
#define EXSCAN_TAKES          ALLREDUCE_TAKES
#define EXSCAN_GIVES          ALLREDUCE_GIVES
#define EXSCAN_MEANS          .plan = universe_plan_exscan, REDUCTION, .root = UNIVERSE_ROOTLESS

#define REDUCE_SCATTER_TAKES(N, P)                                                                                                         \
    const void *sendbuf, void *recvbuf, const N recvcounts[], abi_Datatype datatype, abi_Op op, abi_Comm comm
#define REDUCE_SCATTER_GIVES sendbuf, recvbuf, recvcounts, datatype, op, comm
#define REDUCE_SCATTER_MEANS                                                                                                               \
    .plan = universe_plan_reduce_scatter, .send = {.buf = plain(sendbuf), .type = datatype},                                               \
    .recv = {.buf = recvbuf, .type = datatype, .counts = NUMBERS(recvcounts)}, .op = op, .root = UNIVERSE_ROOTLESS
#define REDUCE_SCATTER_BLOCK_TAKES(N, P)                                                                                                   \
    const void *sendbuf, void *recvbuf, N recvcount, abi_Datatype datatype, abi_Op op, abi_Comm comm
#define REDUCE_SCATTER_BLOCK_GIVES sendbuf, recvbuf, recvcount, datatype, op, comm
#define REDUCE_SCATTER_BLOCK_MEANS                                                                                                         \
    .plan = universe_plan_reduce_scatter, .send = {.buf = plain(sendbuf), .type = datatype},                                               \
    .recv = {.buf = recvbuf, .count = recvcount, .type = datatype}, .op = op, .root = UNIVERSE_ROOTLESS

#define SEND_ONE .send = {.buf = plain(sendbuf), .count = sendcount, .type = sendtype}
#define RECV_ONE .recv = {.buf = recvbuf, .count = recvcount, .type = recvtype}
#define SEND_SOME(starts)                                                                                                                  \
    .send = {.buf = plain(sendbuf), .type = sendtype, .counts = NUMBERS(sendcounts), .places = NUMBERS(starts)}
#define RECV_SOME(starts) .recv = {.buf = recvbuf, .type = recvtype, .counts = NUMBERS(recvcounts), .places = NUMBERS(starts)}

#define GATHER_TAKES(N, P)                                                                                                                 \
    const void *sendbuf, N sendcount, abi_Datatype sendtype, void *recvbuf, N recvcount, abi_Datatype recvtype, int root, abi_Comm comm
#define GATHER_GIVES  sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm
#define GATHER_MEANS  .plan = universe_plan_gather, .recv_is_for_root = true, SEND_ONE, RECV_ONE, .root = root
#define SCATTER_TAKES GATHER_TAKES
#define SCATTER_GIVES GATHER_GIVES
#define SCATTER_MEANS .plan = universe_plan_scatter, .send_is_for_root = true, SEND_ONE, RECV_ONE, .root = root

#define GATHERV_TAKES(N, P)                                                                                                                \
    const void *sendbuf, N sendcount, abi_Datatype sendtype, void *recvbuf, const N recvcounts[], const P displs[], abi_Datatype recvtype, \
        int root, abi_Comm comm
#define GATHERV_GIVES sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm
#define GATHERV_MEANS .plan = universe_plan_gatherv, .recv_is_for_root = true, SEND_ONE, RECV_SOME(displs), .root = root
#define SCATTERV_TAKES(N, P)                                                                                                               \
    const void *sendbuf, const N sendcounts[], const P displs[], abi_Datatype sendtype, void *recvbuf, N recvcount, abi_Datatype recvtype, \
        int root, abi_Comm comm
#define SCATTERV_GIVES sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root, comm
#define SCATTERV_MEANS .plan = universe_plan_scatterv, .send_is_for_root = true, SEND_SOME(displs), RECV_ONE, .root = root

#define ALLGATHER_TAKES(N, P)                                                                                                              \
    const void *sendbuf, N sendcount, abi_Datatype sendtype, void *recvbuf, N recvcount, abi_Datatype recvtype, abi_Comm comm
#define ALLGATHER_GIVES sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm
#define ALLGATHER_MEANS .plan = universe_plan_allgather, SEND_ONE, RECV_ONE, .root = UNIVERSE_ROOTLESS
#define ALLGATHERV_TAKES(N, P)                                                                                                             \
    const void *sendbuf, N sendcount, abi_Datatype sendtype, void *recvbuf, const N recvcounts[], const P displs[], abi_Datatype recvtype, \
        abi_Comm comm
#define ALLGATHERV_GIVES sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm
#define ALLGATHERV_MEANS .plan = universe_plan_allgather, SEND_ONE, RECV_SOME(displs), .root = UNIVERSE_ROOTLESS

#define ALLTOALL_TAKES ALLGATHER_TAKES
#define ALLTOALL_GIVES ALLGATHER_GIVES
#define ALLTOALL_MEANS .plan = universe_plan_alltoall, SEND_ONE, RECV_ONE, .root = UNIVERSE_ROOTLESS
#define ALLTOALLV_TAKES(N, P)                                                                                                              \
    const void *sendbuf, const N sendcounts[], const P sdispls[], abi_Datatype sendtype, void *recvbuf, const N recvcounts[],              \
        const P rdispls[], abi_Datatype recvtype, abi_Comm comm
#define ALLTOALLV_GIVES sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm
#define ALLTOALLV_MEANS .plan = universe_plan_alltoall, SEND_SOME(sdispls), RECV_SOME(rdispls), .root = UNIVERSE_ROOTLESS
#define ALLTOALLW_TAKES(N, P)                                                                                                              \
    const void *sendbuf, const N sendcounts[], const P sdispls[], const abi_Datatype sendtypes[], void *recvbuf, const N recvcounts[],     \
        const P rdispls[], const abi_Datatype recvtypes[], abi_Comm comm
#define ALLTOALLW_GIVES sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm
#define ALLTOALLW_MEANS                                                                                                                    \
    .plan = universe_plan_alltoall,                                                                                                        \
    .send = {.buf = plain(sendbuf), .counts = NUMBERS(sendcounts), .places = NUMBERS(sdispls), .types = sendtypes},                        \
    .recv = {.buf = recvbuf, .counts = NUMBERS(recvcounts), .places = NUMBERS(rdispls), .types = recvtypes}, .root = UNIVERSE_ROOTLESS

#define NEIGHBORS                     .nsend = universe_neighbors_out(c), .nrecv = universe_neighbors_in(c), .root = UNIVERSE_ROOTLESS
#define NEIGHBOR_ALLGATHER_TAKES      ALLGATHER_TAKES
#define NEIGHBOR_ALLGATHER_GIVES      ALLGATHER_GIVES
#define NEIGHBOR_ALLGATHER_MEANS      .plan = universe_plan_neighbor_allgather, SEND_ONE, RECV_ONE, NEIGHBORS
#define NEIGHBOR_ALLGATHERV_TAKES     ALLGATHERV_TAKES
#define NEIGHBOR_ALLGATHERV_GIVES     ALLGATHERV_GIVES
#define NEIGHBOR_ALLGATHERV_MEANS     .plan = universe_plan_neighbor_allgather, SEND_ONE, RECV_SOME(displs), NEIGHBORS
#define NEIGHBOR_ALLTOALL_TAKES       ALLTOALL_TAKES
#define NEIGHBOR_ALLTOALL_GIVES       ALLTOALL_GIVES
#define NEIGHBOR_ALLTOALL_MEANS       .plan = universe_plan_neighbor_alltoall, SEND_ONE, RECV_ONE, NEIGHBORS
#define NEIGHBOR_ALLTOALLV_TAKES      ALLTOALLV_TAKES
#define NEIGHBOR_ALLTOALLV_GIVES      ALLTOALLV_GIVES
#define NEIGHBOR_ALLTOALLV_MEANS      .plan = universe_plan_neighbor_alltoall, SEND_SOME(sdispls), RECV_SOME(rdispls), NEIGHBORS
#define NEIGHBOR_ALLTOALLW_TAKES(N, P) ALLTOALLW_TAKES(N, abi_Aint)
#define NEIGHBOR_ALLTOALLW_GIVES      ALLTOALLW_GIVES
#define NEIGHBOR_ALLTOALLW_MEANS                                                                                                           \
    .plan = universe_plan_neighbor_alltoall,                                                                                               \
    .send = {.buf = plain(sendbuf), .counts = NUMBERS(sendcounts), .places = {sdispls, true}, .types = sendtypes},                         \
    .recv = {.buf = recvbuf, .counts = NUMBERS(recvcounts), .places = {rdispls, true}, .types = recvtypes}, NEIGHBORS

/* blocks: whether it is the form that blocks. */
#define FORM(name, long, takes, gives, means, blocks, call)                                                                                \
    int universe_##name(takes)                                                                                                             \
    {                                                                                                                                      \
        enum { is_long = long };                                                                                                           \
        universe_comm *c = universe_comm_of(comm);                                                                                         \
        (void)is_long;                                                                                                                     \
        if (!c) {                                                                                                                          \
            bool is_watched = blocks && universe_block_begin();                                                                            \
            int code = universe.mpi->name(gives);                                                                                          \
            universe_block_end(is_watched);                                                                                                \
            return code;                                                                                                                   \
        }                                                                                                                                  \
        const universe_arguments a = {.function = "MPI_" #name, means};                                                                    \
        return call;                                                                                                                       \
    }
#define LIST(...) __VA_ARGS__
#define FORMS(Name, name, NAME, suffix, long, N, P)                                                                                        \
    FORM(Name##suffix, long, LIST(NAME##_TAKES(N, P)), LIST(NAME##_GIVES), LIST(NAME##_MEANS), true, universe_collective_run(c, &a))       \
    FORM(I##name##suffix, long, LIST(NAME##_TAKES(N, P), abi_Request *request), LIST(NAME##_GIVES, request), LIST(NAME##_MEANS), false,    \
         universe_collective_start(c, &a, request))                                                                                        \
    FORM(Name##_init##suffix, long, LIST(NAME##_TAKES(N, P), abi_Info info, abi_Request *request), LIST(NAME##_GIVES, info, request),      \
         LIST(NAME##_MEANS), false, universe_collective_init(c, &a, request))
#define FUNCTION(Name, name, NAME) FORMS(Name, name, NAME, , 0, int, int) FORMS(Name, name, NAME, _c, 1, abi_Count, abi_Aint)
#define NOTHING

FORM(Barrier, 0, LIST(BARRIER_TAKES(, )), LIST(BARRIER_GIVES), LIST(BARRIER_MEANS), true, universe_collective_run(c, &a))
FORM(Ibarrier, 0, LIST(BARRIER_TAKES(, ), abi_Request *request), LIST(BARRIER_GIVES, request), LIST(BARRIER_MEANS), false,
     universe_collective_start(c, &a, request))
FORM(Barrier_init, 0, LIST(BARRIER_TAKES(, ), abi_Info info, abi_Request *request), LIST(BARRIER_GIVES, info, request), LIST(BARRIER_MEANS), false,
     universe_collective_init(c, &a, request))
FUNCTION(Bcast, bcast, BCAST)
FUNCTION(Reduce, reduce, REDUCE)
FUNCTION(Allreduce, allreduce, ALLREDUCE)
FUNCTION(Reduce_scatter, reduce_scatter, REDUCE_SCATTER)
FUNCTION(Reduce_scatter_block, reduce_scatter_block, REDUCE_SCATTER_BLOCK)
FUNCTION(Scan, scan, SCAN)
FUNCTION(Exscan, exscan, EXSCAN)
FUNCTION(Gather, gather, GATHER)
FUNCTION(Gatherv, gatherv, GATHERV)
FUNCTION(Scatter, scatter, SCATTER)
FUNCTION(Scatterv, scatterv, SCATTERV)
FUNCTION(Allgather, allgather, ALLGATHER)
FUNCTION(Allgatherv, allgatherv, ALLGATHERV)
FUNCTION(Alltoall, alltoall, ALLTOALL)
FUNCTION(Alltoallv, alltoallv, ALLTOALLV)
FUNCTION(Alltoallw, alltoallw, ALLTOALLW)
FUNCTION(Neighbor_allgather, neighbor_allgather, NEIGHBOR_ALLGATHER)
FUNCTION(Neighbor_allgatherv, neighbor_allgatherv, NEIGHBOR_ALLGATHERV)
FUNCTION(Neighbor_alltoall, neighbor_alltoall, NEIGHBOR_ALLTOALL)
FUNCTION(Neighbor_alltoallv, neighbor_alltoallv, NEIGHBOR_ALLTOALLV)
FUNCTION(Neighbor_alltoallw, neighbor_alltoallw, NEIGHBOR_ALLTOALLW)

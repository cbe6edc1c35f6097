/* SPDX-License-Identifier: BSD-3-Clause */
/* Collective calls among the neighbours of a topology: a ring, as a grid and as a graph. */
#include "mpi_case.h"

static MPI_Comm make_ring(bool is_graph)
{
    MPI_Comm ring = MPI_COMM_NULL;
    int size = PROCESSES, periodic = 1, both[2] = {left, right};
    if (is_graph)
        CALL(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, both, MPI_UNWEIGHTED, 2, both, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &ring));
    else
        CALL(MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &periodic, 0, &ring));
    return ring;
}

static void wait_for(MPI_Request *request)
{
    CALL(MPI_Wait(request, MPI_STATUS_IGNORE));
}

static void gather_neighbours(bool is_graph)
{
    MPI_Comm ring = make_ring(is_graph);
    MPI_Request request;
    int got[2] = {-1, -1}, mine[2] = {my_rank, 5}, v[3] = {-1, -1, -1}, counts[2] = {1, 1}, places[2] = {2, 0};
    CALL(MPI_Neighbor_allgather(&my_rank, 1, MPI_INT, got, 1, MPI_INT, ring));
    CHECK(got[0] == left && got[1] == right);
    CALL(MPI_Neighbor_allgatherv(mine, 1, MPI_INT, v, counts, places, MPI_INT, ring));
    CHECK(v[2] == left && v[0] == right && v[1] == -1);
    got[0] = got[1] = v[0] = v[2] = -1;
    CALL(MPI_Ineighbor_allgather(&my_rank, 1, MPI_INT, got, 1, MPI_INT, ring, &request));
    wait_for(&request);
    CHECK(got[0] == left && got[1] == right);
    CALL(MPI_Ineighbor_allgatherv(mine, 1, MPI_INT, v, counts, places, MPI_INT, ring, &request));
    wait_for(&request);
    CHECK(v[2] == left && v[0] == right && v[1] == -1);
    CALL(MPI_Comm_free(&ring));
}

static void exchange_neighbours(bool is_graph)
{
    MPI_Comm ring = make_ring(is_graph);
    MPI_Request request;
    int mine[2] = {10 * my_rank, 10 * my_rank + 1}, got[2], counts[2] = {1, 1}, places[2] = {1, 0};
    MPI_Aint bytes[2] = {4, 0}, straight[2] = {0, 4};
    MPI_Datatype types[2] = {MPI_INT, MPI_INT};
    /* What goes left is the first value; the left neighbour's second one comes. */
    for (int round = 0; round < 2; round++) {
        got[0] = got[1] = -1;
        if (round) {
            CALL(MPI_Ineighbor_alltoall(mine, 1, MPI_INT, got, 1, MPI_INT, ring, &request));
            wait_for(&request);
        } else {
            CALL(MPI_Neighbor_alltoall(mine, 1, MPI_INT, got, 1, MPI_INT, ring));
        }
        CHECK(got[0] == 10 * left + 1 && got[1] == 10 * right);
        got[0] = got[1] = -1;
        if (round) {
            CALL(MPI_Ineighbor_alltoallv(mine, counts, places, MPI_INT, got, counts, places, MPI_INT, ring, &request));
            wait_for(&request);
        } else {
            CALL(MPI_Neighbor_alltoallv(mine, counts, places, MPI_INT, got, counts, places, MPI_INT, ring));
        }
        CHECK(got[1] == 10 * left && got[0] == 10 * right + 1);
        got[0] = got[1] = -1;
        if (round) {
            CALL(MPI_Ineighbor_alltoallw(mine, counts, bytes, types, got, counts, straight, types, ring, &request));
            wait_for(&request);
        } else {
            CALL(MPI_Neighbor_alltoallw(mine, counts, bytes, types, got, counts, straight, types, ring));
        }
        CHECK(got[0] == 10 * left && got[1] == 10 * right + 1);
    }
    CALL(MPI_Comm_free(&ring));
}

static void on_grid(void)
{
    gather_neighbours(false);
    exchange_neighbours(false);
}

static void on_graph(void)
{
    gather_neighbours(true);
    exchange_neighbours(true);
}

const mpi_case neighbour_cases[] = {{"neighbour_grid", on_grid}, {"neighbour_graph", on_graph}, {NULL, NULL}};

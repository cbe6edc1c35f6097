/* SPDX-License-Identifier: BSD-3-Clause */
/* Cartesian, graph and distributed-graph topologies. Messages are not needed. */
#include "universe_case.h"

static void check_kind(MPI_Comm comm, int expected)
{
    int kind = -1;
    CALL(MPI_Topo_test(comm, &kind));
    EQUAL(kind, expected);
}

/* A grid of 2 x (half of the world), the first dimension closed. */
static MPI_Comm make_grid(int dims[2], MPI_Comm parent)
{
    MPI_Comm cart;
    int periods[2] = {1, 0};
    dims[0] = 2;
    dims[1] = world_size / 2;
    CALL(MPI_Cart_create(parent, 2, dims, periods, 1, &cart));
    return cart;
}

static void check_grid(MPI_Comm cart, const int dims[2])
{
    int rank = -1, n = 0, got[2] = {0, 0}, periods[2] = {9, 9}, coords[2], before, behind, at = -1;
    CALL(MPI_Comm_rank(cart, &rank));
    check_kind(cart, MPI_CART);
    CALL(MPI_Cartdim_get(cart, &n));
    EQUAL(n, 2);
    CALL(MPI_Cart_get(cart, 2, got, periods, coords));
    CHECK(got[0] == dims[0] && got[1] == dims[1] && periods[0] == 1 && periods[1] == 0);
    CHECK(coords[0] == rank / dims[1] && coords[1] == rank % dims[1]);
    CALL(MPI_Cart_coords(cart, rank, 2, got));
    CHECK(got[0] == coords[0] && got[1] == coords[1]);
    got[0] = coords[0] - 2; /* a closed dimension may be left */
    CALL(MPI_Cart_rank(cart, got, &at));
    EQUAL(at, rank);
    CALL(MPI_Cart_shift(cart, 0, 1, &before, &behind));
    EQUAL(before, (rank + dims[1]) % (2 * dims[1]));
    EQUAL(behind, (rank + dims[1]) % (2 * dims[1]));
    CALL(MPI_Cart_shift(cart, 1, 1, &before, &behind));
    EQUAL(before, coords[1] > 0 ? rank - 1 : MPI_PROC_NULL);
    EQUAL(behind, coords[1] + 1 < dims[1] ? rank + 1 : MPI_PROC_NULL);
    CALL(MPI_Cart_shift(cart, 1, -dims[1], &before, &behind));
    EQUAL(before, MPI_PROC_NULL);
    EQUAL(behind, MPI_PROC_NULL);
}

static void check_subgrids(MPI_Comm cart, const int dims[2])
{
    int remain[2] = {0, 1}, rank = -1, sub_rank = -1, size = -1, n = -1, period = -1, coord = -1, coords[2];
    MPI_Comm row, column;
    CALL(MPI_Comm_rank(cart, &rank));
    CALL(MPI_Cart_coords(cart, rank, 2, coords));
    CALL(MPI_Cart_sub(cart, remain, &row));
    CALL(MPI_Comm_size(row, &size));
    EQUAL(size, dims[1]);
    CALL(MPI_Comm_rank(row, &sub_rank));
    EQUAL(sub_rank, coords[1]);
    CALL(MPI_Cart_get(row, 1, &n, &period, &coord));
    CHECK(n == dims[1] && period == 0 && coord == coords[1]);
    remain[0] = 1;
    remain[1] = 0;
    CALL(MPI_Cart_sub(cart, remain, &column));
    CALL(MPI_Cart_get(column, 1, &n, &period, &coord));
    CHECK(n == 2 && period == 1 && coord == coords[0]);
    CALL(MPI_Comm_free(&row));
    CALL(MPI_Comm_free(&column));
}

CASE(topology_cart)
{
    int dims[2], new_rank = -1, free_dims[2] = {0, 0};
    MPI_Comm cart = make_grid(dims, MPI_COMM_WORLD), dup;
    CHECK((cart == MPI_COMM_NULL) == (my_rank >= 2 * dims[1]));
    check_kind(MPI_COMM_WORLD, MPI_UNDEFINED);
    CALL(MPI_Cart_map(MPI_COMM_WORLD, 2, dims, free_dims, &new_rank));
    if (jobs > 1)
        EQUAL(new_rank, my_rank < 2 * dims[1] ? my_rank : MPI_UNDEFINED);
    CALL(MPI_Dims_create(world_size, 2, free_dims));
    EQUAL(free_dims[0] * free_dims[1], world_size);
    if (cart == MPI_COMM_NULL)
        return;
    check_grid(cart, dims);
    CALL(MPI_Comm_dup(cart, &dup));
    CALL(MPI_Comm_free(&cart));
    check_grid(dup, dims); /* a duplicate has the topology */
    check_subgrids(dup, dims);
    CALL(MPI_Comm_free(&dup));
}

/* A star: rank 0 is the neighbour of all others. */
CASE(topology_graph)
{
    int index[64], edges[128], got_index[64], got_edges[128], nodes = -1, count = -1, n = world_size;
    MPI_Comm graph;
    for (int r = 0; r < n; r++)
        index[r] = n - 1 + r;
    for (int r = 1; r < n; r++) {
        edges[r - 1] = r;
        edges[n - 2 + r] = 0;
    }
    CALL(MPI_Graph_create(MPI_COMM_WORLD, n, index, edges, 0, &graph));
    check_kind(graph, MPI_GRAPH);
    CALL(MPI_Graph_map(MPI_COMM_WORLD, n, index, edges, &count));
    if (jobs > 1)
        EQUAL(count, my_rank);
    CALL(MPI_Graphdims_get(graph, &nodes, &count));
    CHECK(nodes == n && count == 2 * n - 2);
    CALL(MPI_Graph_get(graph, 64, 128, got_index, got_edges));
    for (int r = 0; r < n; r++)
        EQUAL(got_index[r], index[r]);
    for (int e = 0; e < 2 * n - 2; e++)
        EQUAL(got_edges[e], edges[e]);
    CALL(MPI_Graph_neighbors_count(graph, 0, &count));
    EQUAL(count, n - 1);
    CALL(MPI_Graph_neighbors(graph, n - 1, 1, got_edges));
    EQUAL(got_edges[0], 0);
    CALL(MPI_Comm_free(&graph));
}

/* Each process sends to the right with its rank as weight, and to rank 0. */
static void check_ring(MPI_Comm ring)
{
    int in = -1, out = -1, weighted = -1, sources[64], source_weights[64], destinations[2], weights[2];
    check_kind(ring, MPI_DIST_GRAPH);
    CALL(MPI_Dist_graph_neighbors_count(ring, &in, &out, &weighted));
    EQUAL(in, 1 + (my_rank == 0 ? world_size : 0));
    EQUAL(out, 2);
    EQUAL(weighted, 1);
    CALL(MPI_Dist_graph_neighbors(ring, in, sources, source_weights, 2, destinations, weights));
    int sum = 0, weight_sum = 0, all = world_size * (world_size - 1) / 2;
    for (int i = 0; i < in; i++) {
        sum += sources[i];
        weight_sum += source_weights[i];
    }
    EQUAL(sum, left + (my_rank == 0 ? all : 0));
    EQUAL(weight_sum, left + (my_rank == 0 ? 1000 * world_size : 0));
    EQUAL(destinations[0] + destinations[1], right);
    EQUAL(weights[0] + weights[1], my_rank + 1000);
}

CASE(topology_dist_graph)
{
    MPI_Comm ring, empty;
    int sources[64], source_weights[64], in = 0, destinations[2] = {right, 0}, weights[2] = {my_rank, 1000}, degree = 2;
    sources[in] = left;
    source_weights[in++] = left;
    for (int r = 0; r < world_size && my_rank == 0; r++) {
        sources[in] = r;
        source_weights[in++] = 1000;
    }
    CALL(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, in, sources, source_weights, 2, destinations, weights, MPI_INFO_NULL, 0, &ring));
    check_ring(ring);
    CALL(MPI_Comm_free(&ring));
    /* Each process gives the edges of its left neighbour. */
    int of_left[2] = {my_rank, 0}, weights_of_left[2] = {left, 1000};
    CALL(MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &left, &degree, of_left, weights_of_left, MPI_INFO_NULL, 0, &ring));
    check_ring(ring);
    CALL(MPI_Comm_free(&ring));
    int out = -1, weighted = -1;
    CALL(MPI_Dist_graph_create(MPI_COMM_WORLD, my_rank == 0, &right, &degree, destinations, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &empty));
    CALL(MPI_Dist_graph_neighbors_count(empty, &in, &out, &weighted));
    EQUAL(weighted, 0);
    EQUAL(out, my_rank == 1 ? 2 : 0);
    EQUAL(in, (my_rank == 0) + (my_rank == 1));
    CALL(MPI_Comm_free(&empty));
}

/* Not every MPI checks this, so it is tried over jobs only. */
CASE(topology_negative_degree)
{
    int sources[2] = {my_rank, my_rank}, degrees[2] = {-1, 3}, destinations[3] = {left, right, my_rank};
    MPI_Comm made;
    if (jobs == 1)
        return;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    FAILS(MPI_ERR_ARG, MPI_Dist_graph_create(MPI_COMM_WORLD, 2, sources, degrees, destinations, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &made));
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Topologies: grids, graphs, and graphs that are spread over the processes. */
#include "mpi_case.h"

enum { N = PROCESSES };

static int kind_of(MPI_Comm comm)
{
    int kind = -1;
    CALL(MPI_Topo_test(comm, &kind));
    return kind;
}

static void make_grid(void)
{
    int dims[2] = {0, 2}, periods[2] = {1, 0}, coords[2] = {-1, -1}, n = -1, rank = -1, source = -7, target = -7;
    int got_dims[2], got_periods[2];
    MPI_Comm grid, row;
    CALL(MPI_Dims_create(N, 2, dims));
    CHECK(dims[0] == 2 && dims[1] == 2);
    CALL(MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid));
    EQUAL(kind_of(grid), MPI_CART);
    EQUAL(kind_of(MPI_COMM_WORLD), MPI_UNDEFINED);
    CALL(MPI_Cartdim_get(grid, &n));
    EQUAL(n, 2);
    CALL(MPI_Cart_get(grid, 2, got_dims, got_periods, coords));
    CHECK(got_dims[0] == 2 && got_periods[0] == 1 && got_periods[1] == 0 && coords[0] == my_rank / 2 && coords[1] == my_rank % 2);
    CALL(MPI_Cart_coords(grid, 3, 2, coords));
    CHECK(coords[0] == 1 && coords[1] == 1);
    coords[0] = 3; /* periodic */
    coords[1] = 0;
    CALL(MPI_Cart_rank(grid, coords, &rank));
    EQUAL(rank, 2);
    CALL(MPI_Cart_shift(grid, 1, 1, &source, &target));
    EQUAL(source, my_rank % 2 ? my_rank - 1 : MPI_PROC_NULL);
    EQUAL(target, my_rank % 2 ? MPI_PROC_NULL : my_rank + 1);
    CALL(MPI_Cart_shift(grid, 0, 1, &source, &target));
    EQUAL(source, (my_rank + 2) % N);
    CALL(MPI_Cart_sub(grid, (int[]){0, 1}, &row));
    CALL(MPI_Comm_size(row, &n));
    EQUAL(n, 2);
    CALL(MPI_Comm_rank(row, &rank));
    EQUAL(rank, my_rank % 2);
    CALL(MPI_Cart_map(MPI_COMM_WORLD, 2, dims, periods, &rank));
    CHECK(rank >= 0 && rank < N);
    CALL(MPI_Comm_free(&row));
    CALL(MPI_Comm_free(&grid));
}

static void make_graph(void)
{
    int index[N] = {1, 3, 5, 6}, edges[6] = {1, 0, 2, 1, 3, 2}, nodes = -1, n = -1, got_index[N], got_edges[6], near[2] = {-1, -1}, rank = -1;
    MPI_Comm graph;
    CALL(MPI_Graph_create(MPI_COMM_WORLD, N, index, edges, 0, &graph));
    EQUAL(kind_of(graph), MPI_GRAPH);
    CALL(MPI_Graphdims_get(graph, &nodes, &n));
    CHECK(nodes == N && n == 6);
    CALL(MPI_Graph_get(graph, N, 6, got_index, got_edges));
    CHECK(got_index[3] == 6 && got_edges[2] == 2);
    CALL(MPI_Graph_neighbors_count(graph, 1, &n));
    EQUAL(n, 2);
    CALL(MPI_Graph_neighbors(graph, 1, 2, near));
    CHECK(near[0] == 0 && near[1] == 2);
    CALL(MPI_Graph_map(MPI_COMM_WORLD, N, index, edges, &rank));
    CHECK(rank >= 0 && rank < N);
    CALL(MPI_Comm_free(&graph));
}

static void spread_graph(void)
{
    int from[2] = {left, my_rank}, weights[2] = {3, 4 + my_rank}, to[2] = {right, my_rank}, in = -1, out = -1, weighted = -1;
    int sources[4], source_weights[4], targets[4], target_weights[4];
    MPI_Comm graph;
    CALL(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, from, weights, 2, to, weights, MPI_INFO_NULL, 0, &graph));
    EQUAL(kind_of(graph), MPI_DIST_GRAPH);
    CALL(MPI_Dist_graph_neighbors_count(graph, &in, &out, &weighted));
    CHECK(in == 2 && out == 2 && weighted);
    CALL(MPI_Dist_graph_neighbors(graph, 2, sources, source_weights, 2, targets, target_weights));
    CHECK(sources[0] == left && source_weights[0] == 3 && source_weights[1] == 4 + my_rank && targets[0] == right);
    CALL(MPI_Comm_free(&graph));
    CALL(MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &my_rank, (int[]){1}, &right, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph));
    CALL(MPI_Dist_graph_neighbors_count(graph, &in, &out, &weighted));
    CHECK(in == 1 && out == 1 && !weighted);
    CALL(MPI_Dist_graph_neighbors(graph, 1, sources, MPI_UNWEIGHTED, 1, targets, MPI_UNWEIGHTED));
    CHECK(sources[0] == left && targets[0] == right);
    CALL(MPI_Comm_free(&graph));
    /* Rank 0 names all edges of a star; the others name none, and have empty weights. */
    int degrees[1] = {N - 1}, others[N - 1] = {1, 2, 3}, star[N - 1] = {7, 8, 9}, zero = 0;
    CALL(MPI_Dist_graph_create(MPI_COMM_WORLD, my_rank ? 0 : 1, &zero, degrees, others, my_rank ? MPI_WEIGHTS_EMPTY : star,
                               MPI_INFO_NULL, 0, &graph));
    CALL(MPI_Dist_graph_neighbors_count(graph, &in, &out, &weighted));
    CHECK(weighted && in == (my_rank ? 1 : 0) && out == (my_rank ? 0 : N - 1));
    CALL(MPI_Dist_graph_neighbors(graph, in, sources, source_weights, out, targets, target_weights));
    if (my_rank)
        CHECK(sources[0] == 0 && source_weights[0] == 6 + my_rank);
    CALL(MPI_Comm_free(&graph));
}

const mpi_case topology_cases[] = {
    {"topology_grid", make_grid}, {"topology_graph", make_graph}, {"topology_spread", spread_graph}, {NULL, NULL}};

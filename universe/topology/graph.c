/* SPDX-License-Identifier: BSD-3-Clause */
/* Graphs of which every process knows all edges, and MPI_Topo_test. */
#include "universe/communicator/making.h"
#include "universe/world/layer.h"
#include "universe/world/topology.h"

int universe_Topo_test(abi_Comm comm, int *status)
{
    const universe_comm *c = universe_comm_of(comm);
    if (!c)
        return universe.mpi->Topo_test(comm, status);
    *status = c->topology ? c->topology->kind : ABI_UNDEFINED;
    return 0;
}

static int first_edge(const int index[], int node)
{
    return node ? index[node - 1] : 0;
}

static universe_topology *graph_new(int rank, int nnodes, const int index[], const int edges[])
{
    int nedges = nnodes ? index[nnodes - 1] : 0;
    universe_topology *t = universe_topology_new(ABI_GRAPH, (int64_t)nnodes + nedges);
    if (!t)
        return NULL;
    t->nnodes = nnodes;
    t->nedges = nedges;
    t->index = universe_topology_array(t, nnodes, index);
    t->edges = universe_topology_array(t, nedges, edges);
    t->sources = t->destinations = t->edges + first_edge(t->index, rank);
    t->nsource = t->ndestination = t->index[rank] - first_edge(t->index, rank);
    return t;
}

static int graph_check(universe_comm *c, int nnodes, const int index[], const int edges[], const char *function)
{
    if (nnodes < 0 || nnodes > c->size)
        return universe_fail(c, ABI_ERR_ARG, function, "%d nodes on %d processes", nnodes, c->size);
    for (int i = 0; i < nnodes; i++)
        if (index[i] < first_edge(index, i))
            return universe_fail(c, ABI_ERR_ARG, function, "the index of node %d is less than that of the one before", i);
    for (int e = 0; nnodes && e < index[nnodes - 1]; e++)
        if (edges[e] < 0 || edges[e] >= nnodes)
            return universe_fail(c, ABI_ERR_ARG, function, "edge %d leads to node %d of %d", e, edges[e], nnodes);
    return 0;
}

int universe_Graph_create(abi_Comm comm_old, int nnodes, const int indx[], const int edges[], int reorder, abi_Comm *comm_graph)
{
    universe_comm *c = universe_comm_of(comm_old);
    const char *function = "MPI_Graph_create";
    if (!c)
        return universe.mpi->Graph_create(comm_old, nnodes, indx, edges, reorder, comm_graph);
    int code = graph_check(c, nnodes, indx, edges, function);
    if (!code)
        code = universe_comm_split(c, c->rank < nnodes ? 0 : ABI_UNDEFINED, c->rank, function, comm_graph);
    if (code || (intptr_t)*comm_graph == ABI_COMM_NULL)
        return code;
    universe_comm *made = universe_comm_of(*comm_graph);
    if (made) {
        made->topology = graph_new(made->rank, nnodes, indx, edges);
        return made->topology ? 0 : universe_fail(c, ABI_ERR_NO_MEM, function, "no memory for a topology");
    }
    abi_Comm plain = *comm_graph;
    code = universe.mpi->Graph_create(plain, nnodes, indx, edges, 0, comm_graph);
    universe.mpi->Comm_free(&plain);
    return code;
}

int universe_Graph_map(abi_Comm comm, int nnodes, const int indx[], const int edges[], int *newrank)
{
    universe_comm *c = universe_comm_of(comm);
    if (!c)
        return universe.mpi->Graph_map(comm, nnodes, indx, edges, newrank);
    int code = graph_check(c, nnodes, indx, edges, "MPI_Graph_map");
    if (!code)
        *newrank = c->rank < nnodes ? c->rank : ABI_UNDEFINED;
    return code;
}

/* Returns the topology if it is a graph, or NULL after the error handler, with *code. */
static const universe_topology *graph_of(universe_comm *c, const char *function, int *code)
{
    const universe_topology *t = c->topology && c->topology->kind == ABI_GRAPH ? c->topology : NULL;
    *code = t ? 0 : universe_fail(c, ABI_ERR_TOPOLOGY, function, "the communicator has no graph topology");
    return t;
}

int universe_Graphdims_get(abi_Comm comm, int *nnodes, int *nedges)
{
    universe_comm *c = universe_comm_of(comm);
    if (!c)
        return universe.mpi->Graphdims_get(comm, nnodes, nedges);
    int code;
    const universe_topology *t = graph_of(c, "MPI_Graphdims_get", &code);
    if (t) {
        *nnodes = t->nnodes;
        *nedges = t->nedges;
    }
    return code;
}

int universe_Graph_get(abi_Comm comm, int maxindex, int maxedges, int indx[], int edges[])
{
    universe_comm *c = universe_comm_of(comm);
    if (!c)
        return universe.mpi->Graph_get(comm, maxindex, maxedges, indx, edges);
    int code;
    const universe_topology *t = graph_of(c, "MPI_Graph_get", &code);
    for (int i = 0; t && i < t->nnodes && i < maxindex; i++)
        indx[i] = t->index[i];
    for (int e = 0; t && e < t->nedges && e < maxedges; e++)
        edges[e] = t->edges[e];
    return code;
}

/* As graph_of(), after a look at the rank. */
static const universe_topology *graph_at(universe_comm *c, int rank, const char *function, int *code)
{
    const universe_topology *t = graph_of(c, function, code);
    if (!t || (rank >= 0 && rank < t->nnodes))
        return t;
    *code = universe_fail(c, ABI_ERR_RANK, function, "rank %d of %d", rank, t->nnodes);
    return NULL;
}

int universe_Graph_neighbors_count(abi_Comm comm, int rank, int *nneighbors)
{
    universe_comm *c = universe_comm_of(comm);
    if (!c)
        return universe.mpi->Graph_neighbors_count(comm, rank, nneighbors);
    int code;
    const universe_topology *t = graph_at(c, rank, "MPI_Graph_neighbors_count", &code);
    if (t)
        *nneighbors = t->index[rank] - first_edge(t->index, rank);
    return code;
}

int universe_Graph_neighbors(abi_Comm comm, int rank, int maxneighbors, int neighbors[])
{
    universe_comm *c = universe_comm_of(comm);
    if (!c)
        return universe.mpi->Graph_neighbors(comm, rank, maxneighbors, neighbors);
    int code;
    const universe_topology *t = graph_at(c, rank, "MPI_Graph_neighbors", &code);
    int first = t ? first_edge(t->index, rank) : 0;
    for (int i = 0; t && i < maxneighbors && first + i < t->index[rank]; i++)
        neighbors[i] = t->edges[first + i];
    return code;
}

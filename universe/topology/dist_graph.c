/* SPDX-License-Identifier: BSD-3-Clause */
/* Graphs of which each process gives a part: the edges at itself, or any edges, which are then told to all. */
#include <limits.h>
#include <stdlib.h>

#include "base/error.h"
#include "universe/communicator/making.h"
#include "universe/world/layer.h"
#include "universe/world/topology.h"
#include "universe/world/member_exchange.h"

/* MPI_UNWEIGHTED and MPI_WEIGHTS_EMPTY are no arrays. */
static bool has_weights(const int weights[])
{
    return weights && weights != ABI_UNWEIGHTED && weights != ABI_WEIGHTS_EMPTY;
}

static const char *const no_memory = "no memory for a topology";

static int check_ranks(universe_comm *c, int n, const int rank[], const char *function)
{
    if (n < 0)
        return universe_fail(c, ABI_ERR_ARG, function, "the number of edges is %d", n);
    for (int i = 0; i < n; i++)
        if ((rank[i] < 0 || rank[i] >= c->size) && rank[i] != ABI_PROC_NULL)
            return universe_fail(c, ABI_ERR_ARG, function, "an edge at rank %d of %d", rank[i], c->size);
    return 0;
}

/* A topology with room for so many edges of this process. */
static universe_topology *dist_new(int nsource, int ndestination, bool is_weighted)
{
    universe_topology *t = universe_topology_new(ABI_DIST_GRAPH, 2 * ((int64_t)nsource + ndestination));
    if (!t)
        return NULL;
    t->nsource = nsource;
    t->ndestination = ndestination;
    t->is_weighted = is_weighted;
    t->sources = universe_topology_array(t, nsource, NULL);
    t->destinations = universe_topology_array(t, ndestination, NULL);
    t->source_weights = universe_topology_array(t, nsource, NULL);
    t->destination_weights = universe_topology_array(t, ndestination, NULL);
    return t;
}

/* All members take part, so the result is over several jobs as c is. Takes t. */
static int make(universe_comm *c, universe_topology *t, const char *function, abi_Comm *made)
{
    int code = t ? universe_comm_split(c, 0, c->rank, function, made) : universe_fail(c, ABI_ERR_NO_MEM, function, "%s", no_memory);
    if (code)
        universe_topology_drop(t);
    else
        universe_comm_of(*made)->topology = t;
    return code;
}

int universe_Dist_graph_create_adjacent(abi_Comm comm_old, int indegree, const int sources[], const int sourceweights[], int outdegree,
                                        const int destinations[], const int destweights[], abi_Info info, int reorder, abi_Comm *comm_dist_graph)
{
    universe_comm *c = universe_comm_of(comm_old);
    const char *function = "MPI_Dist_graph_create_adjacent";
    if (!c)
        return universe.mpi->Dist_graph_create_adjacent(comm_old, indegree, sources, sourceweights, outdegree, destinations, destweights, info, reorder,
                                                        comm_dist_graph);
    int code = check_ranks(c, indegree, sources, function);
    if (!code)
        code = check_ranks(c, outdegree, destinations, function);
    if (code)
        return code;
    universe_topology *t = dist_new(indegree, outdegree, sourceweights != ABI_UNWEIGHTED && destweights != ABI_UNWEIGHTED);
    for (int i = 0; t && i < indegree; i++) {
        t->sources[i] = sources[i];
        t->source_weights[i] = has_weights(sourceweights) ? sourceweights[i] : 1;
    }
    for (int i = 0; t && i < outdegree; i++) {
        t->destinations[i] = destinations[i];
        t->destination_weights[i] = has_weights(destweights) ? destweights[i] : 1;
    }
    return make(c, t, function, comm_dist_graph);
}

typedef struct edge {
    int from, to, weight;
} edge;

/* Tells all edges to all. Sets *all to c->size * *most edges, of which those with from < 0 are none; the caller frees it. */
static int share_edges(universe_comm *c, const edge mine[], int n, edge **all, int *most)
{
    int *counts = malloc((size_t)c->size * sizeof *counts);
    int err = counts ? universe_exchange(c, &n, sizeof n, counts) : H3OU__ENOMEM;
    *most = 0;
    for (int r = 0; r < c->size && !err; r++)
        *most = counts[r] > *most ? counts[r] : *most;
    free(counts);
    if (err)
        return err;
    size_t bytes = (size_t)*most * sizeof **all;
    edge *padded = malloc(bytes + 1);
    *all = malloc((size_t)c->size * bytes + 1);
    if (!padded || !*all) {
        free(padded);
        return h3ou__fail(H3OU__ENOMEM, "%s", no_memory);
    }
    for (int i = 0; i < *most; i++)
        padded[i] = i < n ? mine[i] : (edge){-1, -1, 0};
    err = universe_exchange(c, padded, (int64_t)bytes, *all);
    free(padded);
    return err;
}

/* Takes the edges at this process from all. */
static universe_topology *pick_edges(const universe_comm *c, const edge all[], int64_t n, bool is_weighted)
{
    int in = 0, out = 0;
    for (int64_t i = 0; i < n; i++) {
        in += all[i].to == c->rank;
        out += all[i].from == c->rank;
    }
    universe_topology *t = dist_new(in, out, is_weighted);
    in = out = 0;
    for (int64_t i = 0; i < n && t; i++) {
        if (all[i].to == c->rank) {
            t->sources[in] = all[i].from;
            t->source_weights[in++] = all[i].weight;
        }
        if (all[i].from == c->rank) {
            t->destinations[out] = all[i].to;
            t->destination_weights[out++] = all[i].weight;
        }
    }
    return t;
}

int universe_Dist_graph_create(abi_Comm comm_old, int n, const int sources[], const int degrees[], const int destinations[], const int weights[],
                               abi_Info info, int reorder, abi_Comm *comm_dist_graph)
{
    universe_comm *c = universe_comm_of(comm_old);
    const char *function = "MPI_Dist_graph_create";
    if (!c)
        return universe.mpi->Dist_graph_create(comm_old, n, sources, degrees, destinations, weights, info, reorder, comm_dist_graph);
    int64_t given = 0;
    int most = 0, at = 0, code = check_ranks(c, n, sources, function);
    for (int i = 0; i < n && !code; i++) {
        given += degrees[i];
        if (degrees[i] < 0 || given > INT_MAX)
            code = universe_fail(c, ABI_ERR_ARG, function, "degree %d is %d, with which there are %lld edges", i, degrees[i], (long long)given);
    }
    if (!code)
        code = check_ranks(c, (int)given, destinations, function);
    if (code)
        return code;
    edge *mine = malloc((size_t)given * sizeof *mine + 1), *all = NULL;
    for (int i = 0; i < n && mine; i++)
        for (int k = 0; k < degrees[i]; k++, at++)
            mine[at] = (edge){sources[i], destinations[at], has_weights(weights) ? weights[at] : 1};
    int err = mine ? share_edges(c, mine, at, &all, &most) : h3ou__fail(H3OU__ENOMEM, "%s", no_memory);
    if (err)
        code = universe_fail_waitio(c, err, function);
    else
        code = make(c, pick_edges(c, all, (int64_t)c->size * most, weights != ABI_UNWEIGHTED), function, comm_dist_graph);
    free(mine);
    free(all);
    return code;
}

/* Returns the topology if it is a distributed graph, or NULL after the error handler, with *code. */
static const universe_topology *dist_of(universe_comm *c, const char *function, int *code)
{
    const universe_topology *t = c->topology && c->topology->kind == ABI_DIST_GRAPH ? c->topology : NULL;
    *code = t ? 0 : universe_fail(c, ABI_ERR_TOPOLOGY, function, "the communicator has no topology of a distributed graph");
    return t;
}

int universe_Dist_graph_neighbors_count(abi_Comm comm, int *indegree, int *outdegree, int *weighted)
{
    universe_comm *c = universe_comm_of(comm);
    if (!c)
        return universe.mpi->Dist_graph_neighbors_count(comm, indegree, outdegree, weighted);
    int code;
    const universe_topology *t = dist_of(c, "MPI_Dist_graph_neighbors_count", &code);
    if (t) {
        *indegree = t->nsource;
        *outdegree = t->ndestination;
        *weighted = t->is_weighted;
    }
    return code;
}

static void give(int most, int n, const int from[], int to[])
{
    for (int i = 0; i < n && i < most; i++)
        to[i] = from[i];
}

int universe_Dist_graph_neighbors(abi_Comm comm, int maxindegree, int sources[], int sourceweights[], int maxoutdegree, int destinations[],
                                  int destweights[])
{
    universe_comm *c = universe_comm_of(comm);
    if (!c)
        return universe.mpi->Dist_graph_neighbors(comm, maxindegree, sources, sourceweights, maxoutdegree, destinations, destweights);
    int code;
    const universe_topology *t = dist_of(c, "MPI_Dist_graph_neighbors", &code);
    if (!t)
        return code;
    give(maxindegree, t->nsource, t->sources, sources);
    give(maxoutdegree, t->ndestination, t->destinations, destinations);
    if (t->is_weighted && has_weights(sourceweights))
        give(maxindegree, t->nsource, t->source_weights, sourceweights);
    if (t->is_weighted && has_weights(destweights))
        give(maxoutdegree, t->ndestination, t->destination_weights, destweights);
    return 0;
}

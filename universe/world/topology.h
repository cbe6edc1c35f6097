/* SPDX-License-Identifier: BSD-3-Clause */
/* The topology of a communicator over several jobs. It does not change, and duplicates share it. */
#ifndef H3OU_UNIVERSE_WORLD_TOPOLOGY_H
#define H3OU_UNIVERSE_WORLD_TOPOLOGY_H

#include <stdbool.h>

#include "universe/world/spanning.h"

typedef struct universe_topology universe_topology;
struct universe_topology {
    int kind; /* ABI_CART, ABI_GRAPH, ABI_DIST_GRAPH */
    int refs;
    /* Of this process, in the order of the neighbourhood collectives. A Cartesian one has for each dimension the process before and
     * the one behind, ABI_PROC_NULL at the ends. */
    int nsource, ndestination;
    int *sources, *destinations;
    bool is_weighted; /* of a distributed graph */
    int *source_weights, *destination_weights;
    int ndims;                     /* of a Cartesian one */
    int *dims, *periods, *coords; /* coords: of this process */
    int nnodes, nedges;            /* of a graph */
    int *index, *edges;
};

#pragma GCC visibility push(hidden)
/* Returns a cleared topology with one reference, whose arrays are set by universe_topology_array(); NULL: no memory. numbers: of all its arrays. */
universe_topology *universe_topology_new(int kind, int64_t numbers);
/* Returns the next `count` numbers of its memory, copied from `from` unless that is NULL. */
int *universe_topology_array(universe_topology *t, int count, const int *from);
void universe_topology_hold(universe_topology *t); /* NULL is allowed, here and below */
void universe_topology_drop(universe_topology *t);

/* Cartesian topologies: the rank of coordinates, which may lie outside where the dimension is periodic; ABI_PROC_NULL: outside of the grid. */
int universe_cart_rank(const universe_topology *t, const int coords[]);
void universe_cart_coords(const universe_topology *t, int rank, int coords[]);
#pragma GCC visibility pop

#endif

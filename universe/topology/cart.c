/* SPDX-License-Identifier: BSD-3-Clause */
/* Cartesian topologies. Ranks are not reordered; the last dimension runs fastest. */
#include <stdlib.h>

#include "universe/communicator/making.h"
#include "universe/world/layer.h"
#include "universe/world/topology.h"

int universe_cart_rank(const universe_topology *t, const int coords[])
{
    int rank = 0;
    for (int d = 0; d < t->ndims; d++) {
        int at = coords[d];
        if (at < 0 || at >= t->dims[d]) {
            if (!t->periods[d])
                return ABI_PROC_NULL;
            at %= t->dims[d];
            at += at < 0 ? t->dims[d] : 0;
        }
        rank = rank * t->dims[d] + at;
    }
    return rank;
}

void universe_cart_coords(const universe_topology *t, int rank, int coords[])
{
    for (int d = t->ndims - 1; d >= 0; d--) {
        coords[d] = rank % t->dims[d];
        rank /= t->dims[d];
    }
}

/* The rank `by` steps along a dimension. */
static int neighbour(const universe_topology *t, int dimension, int64_t by)
{
    int64_t here = t->coords[dimension], at = here + by, n = t->dims[dimension], stride = 1;
    if ((at < 0 || at >= n) && !t->periods[dimension])
        return ABI_PROC_NULL;
    at = (at % n + n) % n;
    for (int d = dimension + 1; d < t->ndims; d++)
        stride *= t->dims[d];
    return universe_cart_rank(t, t->coords) + (int)((at - here) * stride);
}

static universe_topology *cart_new(int rank, int ndims, const int dims[], const int periods[])
{
    universe_topology *t = universe_topology_new(ABI_CART, 5 * (int64_t)ndims);
    if (!t)
        return NULL;
    t->ndims = ndims;
    t->dims = universe_topology_array(t, ndims, dims);
    t->periods = universe_topology_array(t, ndims, periods);
    t->coords = universe_topology_array(t, ndims, NULL);
    t->sources = t->destinations = universe_topology_array(t, 2 * ndims, NULL);
    t->nsource = t->ndestination = 2 * ndims;
    universe_cart_coords(t, rank, t->coords);
    for (int d = 0; d < ndims; d++) {
        t->sources[2 * d] = neighbour(t, d, -1);
        t->sources[2 * d + 1] = neighbour(t, d, 1);
    }
    return t;
}

/* Makes *comm, the members of a grid in the order of their ranks, Cartesian: by the job's MPI when it is inside a job. */
static int attach(universe_comm *parent, abi_Comm *comm, int ndims, const int dims[], const int periods[], const char *function)
{
    universe_comm *c = universe_comm_of(*comm);
    if ((intptr_t)*comm == ABI_COMM_NULL)
        return 0;
    if (!c) {
        abi_Comm plain = *comm;
        int code = universe.mpi->Cart_create(plain, ndims, dims, periods, 0, comm);
        universe.mpi->Comm_free(&plain);
        return code;
    }
    c->topology = cart_new(c->rank, ndims, dims, periods);
    return c->topology ? 0 : universe_fail(parent, ABI_ERR_NO_MEM, function, "no memory for a topology");
}

/* Returns the number of processes of a grid, or -1 after the error handler. */
static int64_t count_nodes(universe_comm *c, int ndims, const int dims[], const char *function, int *code)
{
    int64_t nodes = 1;
    *code = 0;
    if (ndims < 0)
        *code = universe_fail(c, ABI_ERR_DIMS, function, "the number of dimensions is %d", ndims);
    for (int d = 0; d < ndims && !*code; d++) {
        if (dims[d] <= 0)
            *code = universe_fail(c, ABI_ERR_DIMS, function, "dimension %d has %d processes", d, dims[d]);
        nodes = nodes > c->size ? nodes : nodes * dims[d];
    }
    if (!*code && nodes > c->size)
        *code = universe_fail(c, ABI_ERR_DIMS, function, "the grid has more than the %d processes of the communicator", c->size);
    return nodes;
}

int universe_Cart_create(abi_Comm comm_old, int ndims, const int dims[], const int periods[], int reorder, abi_Comm *comm_cart)
{
    universe_comm *c = universe_comm_of(comm_old);
    if (!c)
        return universe.mpi->Cart_create(comm_old, ndims, dims, periods, reorder, comm_cart);
    int code;
    int64_t nodes = count_nodes(c, ndims, dims, "MPI_Cart_create", &code);
    if (!code)
        code = universe_comm_split(c, c->rank < nodes ? 0 : ABI_UNDEFINED, c->rank, "MPI_Cart_create", comm_cart);
    return code ? code : attach(c, comm_cart, ndims, dims, periods, "MPI_Cart_create");
}

int universe_Cart_map(abi_Comm comm, int ndims, const int dims[], const int periods[], int *newrank)
{
    universe_comm *c = universe_comm_of(comm);
    if (!c)
        return universe.mpi->Cart_map(comm, ndims, dims, periods, newrank);
    int code;
    int64_t nodes = count_nodes(c, ndims, dims, "MPI_Cart_map", &code);
    if (!code)
        *newrank = c->rank < nodes ? c->rank : ABI_UNDEFINED;
    return code;
}

/* Returns the topology if it is Cartesian, or NULL after the error handler, with *code. */
static const universe_topology *cart_of(universe_comm *c, const char *function, int *code)
{
    const universe_topology *t = c->topology && c->topology->kind == ABI_CART ? c->topology : NULL;
    *code = t ? 0 : universe_fail(c, ABI_ERR_TOPOLOGY, function, "the communicator has no Cartesian topology");
    return t;
}

int universe_Cartdim_get(abi_Comm comm, int *ndims)
{
    universe_comm *c = universe_comm_of(comm);
    if (!c)
        return universe.mpi->Cartdim_get(comm, ndims);
    int code;
    const universe_topology *t = cart_of(c, "MPI_Cartdim_get", &code);
    if (t)
        *ndims = t->ndims;
    return code;
}

int universe_Cart_get(abi_Comm comm, int maxdims, int dims[], int periods[], int coords[])
{
    universe_comm *c = universe_comm_of(comm);
    if (!c)
        return universe.mpi->Cart_get(comm, maxdims, dims, periods, coords);
    int code;
    const universe_topology *t = cart_of(c, "MPI_Cart_get", &code);
    for (int d = 0; t && d < t->ndims && d < maxdims; d++) {
        dims[d] = t->dims[d];
        periods[d] = t->periods[d] != 0;
        coords[d] = t->coords[d];
    }
    return code;
}

int universe_Cart_rank(abi_Comm comm, const int coords[], int *rank)
{
    universe_comm *c = universe_comm_of(comm);
    if (!c)
        return universe.mpi->Cart_rank(comm, coords, rank);
    int code;
    const universe_topology *t = cart_of(c, "MPI_Cart_rank", &code);
    int found = t ? universe_cart_rank(t, coords) : 0;
    if (found == ABI_PROC_NULL)
        return universe_fail(c, ABI_ERR_ARG, "MPI_Cart_rank", "the coordinates are outside of the grid");
    if (t)
        *rank = found;
    return code;
}

int universe_Cart_coords(abi_Comm comm, int rank, int maxdims, int coords[])
{
    universe_comm *c = universe_comm_of(comm);
    if (!c)
        return universe.mpi->Cart_coords(comm, rank, maxdims, coords);
    int code;
    const universe_topology *t = cart_of(c, "MPI_Cart_coords", &code);
    if (!t)
        return code;
    if (rank < 0 || rank >= c->size)
        return universe_fail(c, ABI_ERR_RANK, "MPI_Cart_coords", "rank %d of %d", rank, c->size);
    int *all = malloc((size_t)t->ndims * sizeof *all + 1);
    if (!all)
        return universe_fail(c, ABI_ERR_NO_MEM, "MPI_Cart_coords", "no memory for %d coordinates", t->ndims);
    universe_cart_coords(t, rank, all);
    for (int d = 0; d < t->ndims && d < maxdims; d++)
        coords[d] = all[d];
    free(all);
    return 0;
}

int universe_Cart_shift(abi_Comm comm, int direction, int disp, int *rank_source, int *rank_dest)
{
    universe_comm *c = universe_comm_of(comm);
    if (!c)
        return universe.mpi->Cart_shift(comm, direction, disp, rank_source, rank_dest);
    int code;
    const universe_topology *t = cart_of(c, "MPI_Cart_shift", &code);
    if (!t)
        return code;
    if (direction < 0 || direction >= t->ndims)
        return universe_fail(c, ABI_ERR_ARG, "MPI_Cart_shift", "direction %d of %d", direction, t->ndims);
    *rank_source = neighbour(t, direction, -(int64_t)disp);
    *rank_dest = neighbour(t, direction, disp);
    return 0;
}

int universe_Cart_sub(abi_Comm comm, const int remain_dims[], abi_Comm *newcomm)
{
    universe_comm *c = universe_comm_of(comm);
    if (!c)
        return universe.mpi->Cart_sub(comm, remain_dims, newcomm);
    int code, color = 0, key = 0, n = 0;
    const universe_topology *t = cart_of(c, "MPI_Cart_sub", &code);
    if (!t)
        return code;
    int *dims = malloc(2 * (size_t)t->ndims * sizeof *dims + 1), *periods = dims + t->ndims;
    if (!dims)
        return universe_fail(c, ABI_ERR_NO_MEM, "MPI_Cart_sub", "no memory for %d dimensions", t->ndims);
    for (int d = 0; d < t->ndims; d++) {
        int *number = remain_dims[d] ? &key : &color;
        *number = *number * t->dims[d] + t->coords[d];
        if (remain_dims[d]) {
            dims[n] = t->dims[d];
            periods[n++] = t->periods[d];
        }
    }
    code = universe_comm_split(c, color, key, "MPI_Cart_sub", newcomm);
    if (!code)
        code = attach(c, newcomm, n, dims, periods, "MPI_Cart_sub");
    free(dims);
    return code;
}

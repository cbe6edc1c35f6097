/* SPDX-License-Identifier: BSD-3-Clause */
#include PIECE_HEADER

int members(outer_Comm comm)
{
    inner_Comm c = Comm_inner(comm);
    int is_inter = 0, size = 0;
    if (inner->Comm_test_inter(c, &is_inter) != 0)
        return 0;
    int error = is_inter ? inner->Comm_remote_size(c, &size) : inner->Comm_size(c, &size);
    return error ? 0 : size;
}

static void neighbours(outer_Comm comm, int *in, int *out)
{
    inner_Comm c = Comm_inner(comm);
    int kind = 0, rank = 0, weighted = 0;
    *in = *out = 0;
    if (inner->Topo_test(c, &kind) != 0)
        return;
    kind = topology_of_hub(kind);
    if (kind == ABI_CART) {
        int dimensions = 0;
        if (inner->Cartdim_get(c, &dimensions) == 0)
            *in = *out = 2 * dimensions;
    } else if (kind == ABI_GRAPH) {
        if (inner->Comm_rank(c, &rank) == 0 && inner->Graph_neighbors_count(c, rank, in) == 0)
            *out = *in;
    } else if (kind == ABI_DIST_GRAPH && inner->Dist_graph_neighbors_count(c, in, out, &weighted) != 0) {
        *in = *out = 0;
    }
}

int sources(outer_Comm comm)
{
    int in, out;
    neighbours(comm, &in, &out);
    return in;
}

int destinations(outer_Comm comm)
{
    int in, out;
    neighbours(comm, &in, &out);
    return out;
}

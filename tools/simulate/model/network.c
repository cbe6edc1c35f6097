/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/simulate/model/network.h"

int64_t network_links(const network *n)
{
    int64_t switches = n->is_tree ? (n->nodes + n->radix - 1) / n->radix : 0;
    return n->is_tree ? 2 * (int64_t)n->nodes + 2 * switches * n->uplinks : 6 * (int64_t)n->nodes;
}

/* Sets the place of a node in a torus. */
static void place_node(const network *n, int node, int at[3])
{
    int row = node / n->extent[0], plane = row / n->extent[1];
    at[0] = node % n->extent[0];
    at[1] = row % n->extent[1];
    at[2] = plane;
    if (n->is_snake && row % 2)
        at[0] = n->extent[0] - 1 - at[0];
    if (n->is_snake && plane % 2)
        at[1] = n->extent[1] - 1 - at[1];
}

void path_begin(path *p, const network *n, int from, int to)
{
    *p = (path){.net = n, .from_node = from, .to_node = to};
    if (!n->is_tree) {
        place_node(n, from, p->at);
        place_node(n, to, p->to);
    }
}

static int64_t next_in_tree(path *p)
{
    const network *n = p->net;
    int from = p->from_node / n->radix, to = p->to_node / n->radix;
    int64_t core = 2 * (int64_t)n->nodes, switches = (n->nodes + n->radix - 1) / n->radix,
            lane = p->to_node % n->uplinks;
    if (p->from_node == p->to_node)
        return -1;
    switch (p->hop++) {
    case 0:
        return p->from_node;
    case 1:
        if (from != to)
            return core + (int64_t)from * n->uplinks + lane;
        break;
    case 2:
        if (from != to)
            return core + (switches + to) * n->uplinks + lane;
        return -1;
    case 3:
        break;
    default:
        return -1;
    }
    return n->nodes + (int64_t)p->to_node;
}

static int64_t next_in_torus(path *p)
{
    const network *n = p->net;
    for (int axis = 0; axis < 3; axis++) {
        int extent = n->extent[axis], ahead = (p->to[axis] - p->at[axis] + extent) % extent;
        if (!ahead)
            continue;
        bool is_back = 2 * ahead > extent;
        int64_t node = p->at[0] + (int64_t)n->extent[0] * (p->at[1] + (int64_t)n->extent[1] * p->at[2]);
        p->at[axis] = (p->at[axis] + (is_back ? extent - 1 : 1)) % extent;
        return 6 * node + 2 * axis + is_back;
    }
    return -1;
}

int64_t path_next(path *p)
{
    return p->net->is_tree ? next_in_tree(p) : next_in_torus(p);
}

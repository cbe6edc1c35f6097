/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Broadcast over a mesh down a tree of binary trees, in segments: the nodes on the root's line along the first axis
 * form a binary tree, each of these is the root of one along the second axis, and each node of that plane of one along
 * the third. 3d: one such tree. 6d: one for each direction of each axis, in which that axis comes first, with a part of
 * the message each.
 */
#include "coll/bcast/bcast.h"
#include "coll/bcast/torus.h"
#include "coll/schedule/cost.h"

/* Returns the number of generations between a node of a binary tree, filled level by level, and its root. */
static int count_levels(int node)
{
    int n = 0;
    for (; node; node = (node - 1) / 2)
        n++;
    return n;
}

/* Adds my children in the binary tree along an axis. */
static void add_children(const h3ou__torus *mesh, int axis, const int at[3], h3ou__tree *tree)
{
    for (int64_t node = 2 * (int64_t)at[axis] + 1; node <= 2 * (int64_t)at[axis] + 2 && node < mesh->extent[axis];
         node++) {
        int child[3] = {at[0], at[1], at[2]};
        child[axis] = (int)node;
        tree->child[tree->nchild++] = h3ou__torus_rank(mesh, child);
    }
}

/* first: the axis that comes first. */
static void fill_tree(const h3ou__torus *mesh, int me, int first, h3ou__tree *tree)
{
    int at[3];
    *tree = (h3ou__tree){.parent = -1};
    h3ou__torus_place(mesh, me, at);
    for (int i = 0; i < mesh->naxis; i++) {
        int axis = (first + i) % mesh->naxis;
        bool is_last = true; /* of the axes on which I am not at 0 */
        for (int j = i + 1; j < mesh->naxis; j++)
            is_last = is_last && at[(first + j) % mesh->naxis] == 0;
        if (is_last)
            add_children(mesh, axis, at, tree);
        if (is_last && at[axis]) {
            int up[3] = {at[0], at[1], at[2]};
            up[axis] = (at[axis] - 1) / 2;
            tree->parent = h3ou__torus_rank(mesh, up);
        }
        tree->depth += count_levels(at[axis]);
    }
}

static int build(const h3ou__call *call, bool is_6d, h3ou__schedule *out)
{
    h3ou__torus mesh;
    h3ou__tree_load load[6];
    int n = 0;
    for (int direction = 1; direction >= (is_6d ? -1 : 1); direction -= 2) {
        h3ou__torus_open(call, direction, &mesh);
        for (int first = 0; first < (is_6d ? mesh.naxis : mesh.naxis > 0); first++, n++) {
            fill_tree(&mesh, call->me, first, &load[n].tree);
            load[n].part = h3ou__call_share(call, n, is_6d ? 2 * mesh.naxis : 1);
        }
    }
    if (n)
        h3ou__tree_broadcast(call, load, n, out);
    return out->error;
}

static int build_3d(const h3ou__call *call, h3ou__schedule *out)
{
    return build(call, false, out);
}

static int build_6d(const h3ou__call *call, h3ou__schedule *out)
{
    return build(call, true, out);
}

/* The root has up to two children on each axis, of each tree. The first segment goes down one axis after the other. */
static void cost_of(const h3ou__call *call, bool is_6d, int ports, h3ou__cost *cost)
{
    h3ou__torus mesh;
    int first = 0, nchild = 0;
    h3ou__torus_open(call, 1, &mesh);
    for (int i = 0; i < mesh.naxis; i++) {
        int n = mesh.extent[i] > 2 ? 2 : 1;
        first += h3ou__cost_log2(mesh.extent[i] / 2 + 1) * h3ou__cost_serial(n, ports);
        nchild += n;
    }
    int ntree = is_6d ? 2 * mesh.naxis : 1;
    h3ou__cost_pipeline(cost, ntree, 0, h3ou__cost_serial(nchild * ntree, ports));
    cost->first = is_6d ? cost->serial + (first - 1.0) * h3ou__cost_serial(ntree, ports) : first;
}

static void cost_of_3d(const h3ou__call *call, int ports, h3ou__cost *cost)
{
    cost_of(call, false, ports, cost);
}

static void cost_of_6d(const h3ou__call *call, int ports, h3ou__cost *cost)
{
    cost_of(call, true, ports, cost);
}

const h3ou__algorithm h3ou__bcast_bintree_3d = {
    .name = "bintree_3d", .operation = H3OU__COLL_BCAST, .has_segments = true, .cost = cost_of_3d, .build = build_3d};
const h3ou__algorithm h3ou__bcast_bintree_6d = {
    .name = "bintree_6d", .operation = H3OU__COLL_BCAST, .has_segments = true, .cost = cost_of_6d, .build = build_6d};

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Broadcast over a mesh by trees of which no two use the same link in the same direction, each with a part of the
 * message and in segments: one tree for each axis (x3), or for each direction of each axis (x6). A member has at most
 * three children in a tree, and a tree is NX + NY + NZ - 2 deep.
 *
 * With coordinates counted from the root, the three trees of one direction come to a node by its three incoming links
 * of that direction, one each. Tree a comes by the link along axis a, except to the nodes with coordinate 1 on that
 * axis: from the root's neighbour on the axis, where the tree begins, these are reached along the other two axes. There
 * the tree whose link it takes comes along axis a in exchange. The trees of the other direction are their mirror
 * images.
 */
#include "coll/bcast/bcast.h"
#include "coll/bcast/torus.h"
#include "coll/schedule/cost.h"

/* Returns the axis along which tree a comes to a node with coordinate 1 on axis a. */
static int turn_axis(const h3ou__torus *mesh, const int at[3], int a)
{
    int next = (a + 1) % mesh->naxis, last = (a + 2) % mesh->naxis;
    if (mesh->naxis == 3 && at[last])
        return last;
    return mesh->naxis > 1 && at[next] ? next : a;
}

/* Sets the axis along which each tree comes to a node: a permutation of the axes. */
static void find_axes(const h3ou__torus *mesh, const int at[3], int axis[3])
{
    bool is_taken[3] = {false};
    for (int a = 0; a < mesh->naxis; a++) {
        axis[a] = at[a] == 1 ? turn_axis(mesh, at, a) : -1;
        if (axis[a] >= 0)
            is_taken[axis[a]] = true;
    }
    for (int a = 0; a < mesh->naxis; a++)
        if (axis[a] < 0 && !is_taken[a]) {
            axis[a] = a;
            is_taken[a] = true;
        }
    for (int a = 0; a < mesh->naxis; a++)
        for (int free = 0; axis[a] < 0 && free < mesh->naxis; free++)
            if (!is_taken[free]) {
                axis[a] = free;
                is_taken[free] = true;
            }
}

/* Moves to the parent of a node, which is not the root, in tree a. */
static void move_up(const h3ou__torus *mesh, int a, int at[3])
{
    int axis[3];
    find_axes(mesh, at, axis);
    int n = mesh->extent[axis[a]];
    at[axis[a]] = (at[axis[a]] + n - 1) % n;
}

/* Returns the number of nodes between a node and the root of tree a, with one of them. The axes depend only on which
 * coordinates are 0 and which are 1: from the others the tree goes straight on to 2, in one step here. */
static int find_depth(const h3ou__torus *mesh, int a, int at[3])
{
    int depth = 0, axis[3];
    while (at[0] || at[1] || at[2]) {
        find_axes(mesh, at, axis);
        int *along = &at[axis[a]];
        if (*along > 2) {
            depth += *along - 2;
            *along = 2;
        } else {
            move_up(mesh, a, at);
            depth++;
        }
    }
    return depth;
}

static void fill_tree(const h3ou__torus *mesh, int me, int a, h3ou__tree *tree)
{
    int at[3], axis[3];
    *tree = (h3ou__tree){.parent = -1};
    h3ou__torus_place(mesh, me, at);
    for (int i = 0; i < mesh->naxis; i++) {
        int child[3] = {at[0], at[1], at[2]};
        child[i] = (at[i] + 1) % mesh->extent[i];
        find_axes(mesh, child, axis);
        if (axis[a] == i && (child[0] || child[1] || child[2]))
            tree->child[tree->nchild++] = h3ou__torus_rank(mesh, child);
    }
    if (at[0] || at[1] || at[2]) {
        int up[3] = {at[0], at[1], at[2]};
        move_up(mesh, a, up);
        tree->parent = h3ou__torus_rank(mesh, up);
    }
    tree->depth = find_depth(mesh, a, at);
}

static int build(const h3ou__call *call, int ndirection, h3ou__schedule *out)
{
    h3ou__torus mesh;
    h3ou__tree_load load[6];
    int n = 0;
    for (int direction = 1; direction >= (ndirection == 2 ? -1 : 1); direction -= 2) {
        h3ou__torus_open(call, direction, &mesh);
        for (int a = 0; a < mesh.naxis; a++, n++) {
            fill_tree(&mesh, call->me, a, &load[n].tree);
            load[n].part = h3ou__call_share(call, n, mesh.naxis * ndirection);
        }
    }
    if (n)
        h3ou__tree_broadcast(call, load, n, out);
    return out->error;
}

static int build_x3(const h3ou__call *call, h3ou__schedule *out)
{
    return build(call, 1, out);
}

static int build_x6(const h3ou__call *call, h3ou__schedule *out)
{
    return build(call, 2, out);
}

static void cost_of(const h3ou__call *call, int ndirection, int ports, h3ou__cost *cost)
{
    h3ou__torus mesh;
    int depth = 0;
    h3ou__torus_open(call, 1, &mesh);
    for (int i = 0; i < mesh.naxis; i++)
        depth += mesh.extent[i] - 1;
    h3ou__cost_pipeline(cost, mesh.naxis * ndirection, depth + (mesh.naxis > 1),
                        h3ou__cost_serial(mesh.naxis * ndirection, ports));
}

static void cost_of_x3(const h3ou__call *call, int ports, h3ou__cost *cost)
{
    cost_of(call, 1, ports, cost);
}

static void cost_of_x6(const h3ou__call *call, int ports, h3ou__cost *cost)
{
    cost_of(call, 2, ports, cost);
}

const h3ou__algorithm h3ou__bcast_trinary_x3 = {
    .name = "trinary_x3", .operation = H3OU__COLL_BCAST, .has_segments = true, .cost = cost_of_x3, .build = build_x3};
const h3ou__algorithm h3ou__bcast_trinary_x6 = {
    .name = "trinary_x6", .operation = H3OU__COLL_BCAST, .has_segments = true, .cost = cost_of_x6, .build = build_x6};

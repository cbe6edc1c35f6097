/* SPDX-License-Identifier: BSD-3-Clause */
/* Broadcast by two binary trees over one half of the other members each. A half of the message goes down each tree, in
 * segments; at the end every member of a tree exchanges halves with its like in the other one. The last member of the
 * first tree, which has no like when the number of members is even, gets the other half from the root. */
#include "coll/bcast/bcast.h"
#include "coll/schedule/cost.h"
#include "coll/schedule/tree.h"

/* Sets the root's place in the tree: its only child is the member at `first`, if the tree has members. */
static void place_root(const h3ou__call *call, int first, int n, h3ou__tree *tree)
{
    *tree = (h3ou__tree){.parent = -1};
    if (n > 0)
        tree->child[tree->nchild++] = h3ou__call_member(call, first);
}

/* Sets the place of another member: a binary tree over n members from place `first` on, below the root. */
static void place_member(const h3ou__call *call, int first, int n, h3ou__tree *tree)
{
    h3ou__call half = {.size = n, .me = h3ou__call_place(call) - first};
    h3ou__tree_binary(&half, tree);
    tree->depth++;
    tree->parent = h3ou__call_member(call, tree->parent < 0 ? 0 : first + tree->parent);
    for (int i = 0; i < tree->nchild; i++)
        tree->child[i] = h3ou__call_member(call, first + tree->child[i]);
}

/* Adds the last round. nleft, nright: members of the trees. */
static void exchange_halves(const h3ou__call *call, int nleft, int nright, const h3ou__part half[2],
                            h3ou__schedule *out)
{
    int place = h3ou__call_place(call);
    bool is_left = place <= nleft, has_like = !is_left || place <= nright;
    h3ou__part have = half[!is_left], need = half[is_left];
    if (place == 0) {
        if (nleft > nright)
            h3ou__schedule_send(out, h3ou__call_member(call, nleft), h3ou__output(half[1].at), half[1].bytes);
    } else {
        int like = !has_like ? call->root : h3ou__call_member(call, is_left ? place + nleft : place - nleft);
        h3ou__schedule_recv(out, like, h3ou__output(need.at), need.bytes);
        if (has_like)
            h3ou__schedule_send(out, like, h3ou__output(have.at), have.bytes);
    }
    h3ou__schedule_end_round(out);
}

static int build(const h3ou__call *call, h3ou__schedule *out)
{
    int place = h3ou__call_place(call), nleft = call->size / 2, nright = call->size - 1 - nleft;
    h3ou__part half[2] = {h3ou__call_share(call, 0, 2), h3ou__call_share(call, 1, 2)};
    h3ou__tree_load load[2] = {{.part = half[0]}, {.part = half[1]}};
    if (place == 0) {
        place_root(call, 1, nleft, &load[0].tree);
        place_root(call, nleft + 1, nright, &load[1].tree);
        h3ou__tree_broadcast(call, load, 2, out);
    } else {
        bool is_left = place <= nleft;
        place_member(call, is_left ? 1 : nleft + 1, is_left ? nleft : nright, &load[!is_left].tree);
        h3ou__tree_broadcast(call, &load[!is_left], 1, out);
    }
    if (call->size > 1)
        exchange_halves(call, nleft, nright, half, out);
    return out->error;
}

static void cost_of(const h3ou__call *call, int ports, h3ou__cost *cost)
{
    int half = call->size / 2; /* members of the larger tree */
    h3ou__cost_pipeline(cost, 2, 1 + h3ou__cost_log2(half / 2 + 1), h3ou__cost_serial(2, ports));
    h3ou__cost_rounds(cost, 1, (double)h3ou__call_bytes(call) / 2);
}

const h3ou__algorithm h3ou__bcast_split_binary = {
    .name = "split_binary", .operation = H3OU__COLL_BCAST, .has_segments = true, .cost = cost_of, .build = build};

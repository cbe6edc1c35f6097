/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll/schedule/tree.h"

#include "coll/schedule/cost.h"

void h3ou__tree_chain(const h3ou__call *call, h3ou__tree *tree)
{
    int place = h3ou__call_place(call);
    *tree = (h3ou__tree){.parent = place ? h3ou__call_member(call, place - 1) : -1, .depth = place};
    if (place + 1 < call->size)
        tree->child[tree->nchild++] = h3ou__call_member(call, place + 1);
}

void h3ou__tree_binary(const h3ou__call *call, h3ou__tree *tree)
{
    int place = h3ou__call_place(call);
    *tree = (h3ou__tree){.parent = place ? h3ou__call_member(call, (place - 1) / 2) : -1};
    for (int up = place; up; up = (up - 1) / 2)
        tree->depth++;
    for (int64_t child = 2 * (int64_t)place + 1; child <= 2 * (int64_t)place + 2 && child < call->size; child++)
        tree->child[tree->nchild++] = h3ou__call_member(call, (int)child);
}

void h3ou__tree_binomial(const h3ou__call *call, h3ou__tree *tree)
{
    int place = h3ou__call_place(call);
    int64_t bit = 1;
    while (bit < call->size && !(place & bit))
        bit <<= 1;
    *tree = (h3ou__tree){.parent = place ? h3ou__call_member(call, place - (int)bit) : -1};
    for (int up = place; up; up &= up - 1)
        tree->depth++;
    for (bit >>= 1; bit > 0; bit >>= 1)
        if (place + bit < call->size)
            tree->child[tree->nchild++] = h3ou__call_member(call, place + (int)bit);
}

void h3ou__tree_cost_binomial(const h3ou__call *call, int ports, h3ou__cost *cost)
{
    int depth = h3ou__cost_log2(call->size);
    h3ou__cost_pipeline(cost, 1, depth, 1);
    cost->serial = h3ou__cost_serial(depth, ports);
}

/* A part without elements has one segment too, so that all members take part in every call. */
static int64_t count_segments(const h3ou__call *call, int64_t bytes)
{
    int64_t segment = h3ou__call_segment(call, bytes);
    return bytes ? (bytes + segment - 1) / segment : 1;
}

static h3ou__part find_segment(const h3ou__call *call, h3ou__part part, int64_t k)
{
    int64_t segment = h3ou__call_segment(call, part.bytes), left = part.bytes - k * segment;
    return (h3ou__part){part.at + k * segment, left < segment ? left : segment};
}

static void add_receive(const h3ou__call *call, const h3ou__tree_load *load, int64_t k, h3ou__schedule *out)
{
    h3ou__part segment = find_segment(call, load->part, k);
    h3ou__schedule_recv(out, load->tree.parent, h3ou__output(segment.at), segment.bytes);
}

static void add_sends(const h3ou__call *call, const h3ou__tree_load *load, int64_t k, h3ou__schedule *out)
{
    h3ou__part segment = find_segment(call, load->part, k);
    for (int i = 0; i < load->tree.nchild; i++)
        h3ou__schedule_send(out, load->tree.child[i], h3ou__output(segment.at), segment.bytes);
}

void h3ou__tree_broadcast(const h3ou__call *call, const h3ou__tree_load load[], int n, h3ou__schedule *out)
{
    int64_t begin = load[0].tree.depth, end = 0;
    for (int i = 0; i < n; i++) {
        int64_t last = load[i].tree.depth + count_segments(call, load[i].part.bytes);
        begin = load[i].tree.depth < begin ? load[i].tree.depth : begin;
        end = last > end ? last : end;
    }
    for (int64_t now = begin; now <= end && !out->error; now++) {
        for (int i = 0; i < n; i++) {
            int64_t k = now - load[i].tree.depth, nsegment = count_segments(call, load[i].part.bytes);
            if (load[i].tree.depth && k >= 0 && k < nsegment)
                add_receive(call, &load[i], k, out);
            if (k >= 1 && k <= nsegment)
                add_sends(call, &load[i], k - 1, out);
        }
        h3ou__schedule_end_round(out);
    }
}

/* Combines segment k of the children's values with mine. slot: [nchild] where these were received. Returns where the
 * result is: the output at the root, else the first child's slot, or the input of a member without children. */
static h3ou__span combine_children(const h3ou__tree *tree, h3ou__part mine, h3ou__span slot, int64_t stride,
                                   h3ou__schedule *out)
{
    h3ou__span own = h3ou__input(mine.at), result = h3ou__output(mine.at);
    if (tree->parent < 0)
        h3ou__schedule_local(out, H3OU__STEP_COPY, result, own, mine.bytes);
    for (int i = tree->nchild - 1; i >= 0; i--) {
        h3ou__span child = h3ou__span_after(slot, i * stride);
        if (tree->parent < 0) {
            h3ou__schedule_local(out, H3OU__STEP_COMBINE, result, child, mine.bytes);
        } else {
            h3ou__schedule_local(out, H3OU__STEP_COMBINE_LEFT, child, own, mine.bytes);
            own = child;
        }
    }
    return tree->parent < 0 ? result : own;
}

void h3ou__tree_reduce(const h3ou__call *call, const h3ou__tree *tree, h3ou__schedule *out)
{
    h3ou__part all = {0, h3ou__call_bytes(call)};
    int64_t stride = h3ou__call_segment(call, all.bytes), nsegment = count_segments(call, all.bytes);
    h3ou__span slot[2] = {{0}};
    for (int i = 0; i < 2 && tree->nchild; i++)
        slot[i] = h3ou__schedule_scratch(out, tree->nchild * stride);
    for (int64_t k = 0; k <= nsegment && !out->error; k++) {
        h3ou__part now = find_segment(call, all, k), before = k ? find_segment(call, all, k - 1) : now;
        if (k) {
            h3ou__span result = combine_children(tree, before, slot[(k - 1) % 2], stride, out);
            if (tree->parent >= 0)
                h3ou__schedule_send(out, tree->parent, result, before.bytes);
        }
        for (int i = 0; i < tree->nchild && k < nsegment; i++)
            h3ou__schedule_recv(out, tree->child[i], h3ou__span_after(slot[k % 2], i * stride), now.bytes);
        h3ou__schedule_end_round(out);
    }
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Trees over the members of a collective call, each known to a member as its own place in it only. */
#ifndef H3OU_COLL_SCHEDULE_TREE_H
#define H3OU_COLL_SCHEDULE_TREE_H

#include "coll/schedule/algorithm.h"

typedef struct h3ou__tree {
    int parent; /* -1: I am the root */
    int depth;  /* 0: the root */
    int nchild;
    int child[31]; /* in the order in which they are served */
} h3ou__tree;

/* Fill the place of call->me in a tree with root call->root. */
typedef void h3ou__tree_maker(const h3ou__call *call, h3ou__tree *tree);
h3ou__tree_maker h3ou__tree_chain;    /* each sends to the next one */
h3ou__tree_maker h3ou__tree_binary;   /* two children each, filled level by level */
h3ou__tree_maker h3ou__tree_binomial; /* ceil(log2 size) deep, the largest branches first */

/* The cost of a broadcast or reduction over the binomial tree, as h3ou__algorithm.cost. */
void h3ou__tree_cost_binomial(const h3ou__call *call, int ports, h3ou__cost *cost);

/* A part of the message that goes down a tree. */
typedef struct h3ou__tree_load {
    h3ou__tree tree;
    h3ou__part part; /* of the output */
} h3ou__tree_load;

/* Adds the broadcast of n parts down one tree each, at the same time and in segments. The round in which a member
 * receives segment k of a tree is the same, counted from the beginning, as that in which its parent sends it: depth +
 * k. So no member waits for one tree before it serves another on which that one depends. */
void h3ou__tree_broadcast(const h3ou__call *call, const h3ou__tree_load load[], int n, h3ou__schedule *out);
/* Adds the reduction of the message up a tree, in segments. A member combines its own value, on the left, with those of
 * its children, from the last child to the first, each on the right. Scratch memory: two segments for each child. */
void h3ou__tree_reduce(const h3ou__call *call, const h3ou__tree *tree, h3ou__schedule *out);

#endif

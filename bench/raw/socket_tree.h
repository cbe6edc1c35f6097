/* SPDX-License-Identifier: BSD-3-Clause */
/* Collective calls by messages of WaitIO alone, along a tree: what hybrid ones are measured against. */
#ifndef H3OU_BENCH_SOCKET_TREE_H
#define H3OU_BENCH_SOCKET_TREE_H

#include "waitio.h"

/* Members of a group that stand in `njob` blocks of consecutive ranks of equal size. */
typedef struct socket_tree {
    waitio_group_t group;
    int rank, size, njob;
    int is_layered; /* 1: the root serves its own block and the first of each other one, these serve theirs, one member
                       after the other; 0: a binomial tree over all */
    double *partial; /* room for the longest message of a reduction */
} socket_tree;

/* Return 0 or an error of WaitIO. Collective over the group. */
int socket_tree_bcast(const socket_tree *t, double *data, size_t n, int root);
int socket_tree_reduce(const socket_tree *t, const double *in, double *out, size_t n, int root); /* out: everywhere */
int socket_tree_allreduce(const socket_tree *t, const double *in, double *out, size_t n);

#endif

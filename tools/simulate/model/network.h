/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The links between the nodes of one modelled job. A torus of one to three dimensions has two links at each node for
 * each of its dimensions, one in each direction; a message takes the shorter way along the first dimension, then along
 * the second and the third. A fat tree has one link from each node to its switch and one back, and between each switch
 * and the core as many as `uplinks`, of which the destination decides.
 */
#ifndef H3OU_TOOL_SIMULATE_NETWORK_H
#define H3OU_TOOL_SIMULATE_NETWORK_H

#include <stdbool.h>
#include <stdint.h>

typedef struct network {
    bool is_tree;
    int nodes;
    int extent[3];       /* of the torus */
    int radix, uplinks;  /* of the tree: nodes at a switch, links between it and the core */
    bool is_snake;       /* consecutive nodes of a torus are neighbours: every second row runs backwards */
} network;

/* The way of a message from node to node, which is followed link by link. */
typedef struct path {
    const network *net;
    int at[3], to[3]; /* of a torus */
    int from_node, to_node;
    int hop; /* of a tree */
} path;

int64_t network_links(const network *n);
void path_begin(path *p, const network *n, int from, int to);
/* Returns the number of the next link, 0 to network_links - 1, or -1 at the destination. */
int64_t path_next(path *p);

#endif

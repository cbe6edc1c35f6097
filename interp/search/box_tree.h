/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A tree of bounding boxes in space, which the searches of points and of cells share. Boxes are given in the order of a
 * Morton curve over the six faces of a cube, so that neighbours in the order are neighbours on the sphere; every FAN of
 * them are a node of level 0, every FAN nodes one of the level above. A node keeps the boxes of its parts by
 * coordinate, so that one instruction of the processor handles several.
 */
#ifndef H3OU_INTERP_SEARCH_BOX_TREE_H
#define H3OU_INTERP_SEARCH_BOX_TREE_H

#include <stdint.h>

enum { H3OU__FAN = 8, H3OU__BOX_LEVELS = 11 }; /* 8^11 > 2^31 */

typedef struct h3ou__box {
    double low[3], high[3];
} h3ou__box;

/* The boxes around the parts of a node, by middle and half width, rounded outwards; an absent part lies far away. */
typedef struct h3ou__box_node {
    float middle[3][H3OU__FAN], half[3][H3OU__FAN];
} h3ou__box_node;

typedef struct h3ou__box_tree {
    int level; /* number of levels; 0: no boxes */
    int64_t size[H3OU__BOX_LEVELS];
    h3ou__box_node *node[H3OU__BOX_LEVELS];
} h3ou__box_tree;

typedef struct h3ou__curve_key {
    uint32_t code;
    int32_t item;
} h3ou__curve_key;

/* The position of a place on the curve; the place need not be on the sphere. */
uint32_t h3ou__curve_code(const double x[3]);
/* Sorts by code; equal codes keep their order. */
int h3ou__curve_sort(int64_t n, h3ou__curve_key *key);

/* Over n boxes in the curve's order; box(of, i, out) fills the i-th. H3OU__ENOMEM: free what there is. */
int h3ou__box_tree_fill(h3ou__box_tree *t, int64_t n, void (*box)(const void *of, int64_t i, h3ou__box *out),
                        const void *of);
void h3ou__box_tree_release(h3ou__box_tree *t);

#endif

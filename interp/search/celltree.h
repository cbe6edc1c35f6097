/* SPDX-License-Identifier: BSD-3-Clause */
/* Which cells may touch a box in space: a box tree (box_tree.h) over cells. */
#ifndef H3OU_INTERP_SEARCH_CELLTREE_H
#define H3OU_INTERP_SEARCH_CELLTREE_H

#include <stdint.h>

#include "interp/grid/cells.h"
#include "interp/sphere/polygon.h"

typedef struct h3ou__celltree h3ou__celltree;

typedef struct h3ou__bound {
    float low[3], high[3]; /* rounded outwards */
} h3ou__bound;

/* Over the cells that take part (mask) and have corners, curved edges and bulge included. Borrows c. */
int h3ou__celltree_create(const h3ou__cells *c, h3ou__celltree **out);
/* Over any n bounds, e.g. of dual cells; copies. */
int h3ou__celltree_over(int64_t n, const h3ou__bound bound[], h3ou__celltree **out);
void h3ou__celltree_free(h3ou__celltree *t);
/* The bound of a polygon or of a cell; of a point with a radius (chord). */
void h3ou__polygon_bound(const h3ou__polygon *p, h3ou__bound *out);
void h3ou__cell_bound(const h3ou__cells *c, int64_t i, h3ou__bound *out);
void h3ou__point_bound(const double x[3], double radius, h3ou__bound *out);
/* All cells whose bound touches b, or is within 1e-5 of it, ascending. *list grows as needed (start with NULL and 0); returns how many, or a
 * negative error. Thread-safe when every thread has its own list. */
int64_t h3ou__celltree_touching(const h3ou__celltree *t, const h3ou__bound *b, int32_t **list, int64_t *room);

#endif

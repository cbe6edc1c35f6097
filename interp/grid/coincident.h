/* SPDX-License-Identifier: BSD-3-Clause */
/* Cells of a grid that lie at one place: overlap columns, rows that a tripolar grid has twice, longitudes from 0 to 360
 * inclusive, points at a pole. For methods they are one place, whose value is that of the lowest cell that takes part. */
#ifndef H3OU_INTERP_GRID_COINCIDENT_H
#define H3OU_INTERP_GRID_COINCIDENT_H

#include <stddef.h>

#include "interp/grid/cells.h"

/* Makes same_centre, of centres within H3OU__SAME_PLACE of each other; in grids with rows and columns finds the overlap
 * columns too. xyz must be there. Cheap when it is done. Not thread-safe. */
int h3ou__cells_compare_centres(h3ou__cells *c);
/* Makes same_polygon, of polygons all of whose corners are the same places. */
int h3ou__cells_compare_polygons(h3ou__cells *c);
/* The same over places alone: of each point the lowest point with mask 1 at its place, else itself. *same is NULL when
 * there are no two at one place; the caller frees it. mask NULL: all are 1. */
int h3ou__coincident_places(int64_t n, const double xyz[], const unsigned char mask[], int32_t **same);
/* The cell whose value stands for that of cell i. */
static inline int64_t h3ou__cell_of_centre(const h3ou__cells *c, int64_t i)
{
    return c->same_centre ? c->same_centre[i] : i;
}
static inline bool h3ou__cell_is_repeated(const h3ou__cells *c, int64_t i)
{
    return c->same_polygon && c->same_polygon[i] != i;
}

/* Cells that take part and stand for nothing, since another one at their place does; numbers from 1. */
typedef struct h3ou__coincident {
    int64_t count, first, first_as; /* the first of them and the cell that is used; 0: none */
} h3ou__coincident;
void h3ou__coincident_count(const h3ou__cells *c, const int32_t same[], h3ou__coincident *out);
/* "52 cells have the centre of another cell, which stands for them (first: 41, by 1)", or "". Returns text. */
char *h3ou__coincident_text(const h3ou__cells *c, char text[], size_t size);

#endif

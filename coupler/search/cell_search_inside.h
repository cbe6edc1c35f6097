/* SPDX-License-Identifier: BSD-3-Clause */
/* What the sender's and the receiver's part of the distributed search have in common. */
#ifndef H3OU_COUPLER_SEARCH_CELL_SEARCH_INSIDE_H
#define H3OU_COUPLER_SEARCH_CELL_SEARCH_INSIDE_H

#include "coupler/search/cell_search.h"

/* What receivers must know of the sending grid. */
enum {
    H3OU__ABOUT_LEVEL,    /* of the bins */
    H3OU__ABOUT_CELLS,    /* of the whole grid */
    H3OU__ABOUT_DIAMETER, /* of its largest cell, radians; of points: their typical distance */
    H3OU__ABOUT_MOST,     /* corners that travel with a cell; 0: points, or boxes */
    H3OU__ABOUT_BOXES,    /* the bounds of columns and rows travel instead */
    H3OU__ABOUT_SCATTERED,
    H3OU__ABOUT_EDGES,
    H3OU__ABOUT_NX, /* 0: the grid has no rows */
    H3OU__ABOUT_NY,
    H3OU__ABOUT_LATITUDE_ROWS, /* latitude_rows of h3ou__cells */
    H3OU__ABOUT_CYCLIC,
    H3OU__ABOUT_FOLD,
    H3OU__ABOUT_FOLD_SHIFT,
    H3OU__ABOUT_FOLD_ROWS,
    H3OU__ABOUT_OVERLAP,
    H3OU__ABOUT_AREA, /* areas of the users' own */
    H3OU__ABOUT
};

/* A cell as it travels: number, centre, mask, area, then most longitudes and most latitudes. */
enum { H3OU__CELL_ID, H3OU__CELL_LON, H3OU__CELL_LAT, H3OU__CELL_MASK, H3OU__CELL_AREA, H3OU__CELL_HEAD };
static inline int64_t h3ou__cell_width(const double about[H3OU__ABOUT])
{
    return H3OU__CELL_HEAD + 2 * (int64_t)about[H3OU__ABOUT_MOST];
}

/* The cap that encloses a cell: its middle, and the distance from there to its farthest point. */
void h3ou__cell_cap(const h3ou__cells *c, int64_t i, double x[3], double *radius);

/* The bins of the counts that tell where the sources are: at most 32766 numbers travel. */
static inline int h3ou__counts_level(const double about[H3OU__ABOUT])
{
    return about[H3OU__ABOUT_LEVEL] < 6 ? (int)about[H3OU__ABOUT_LEVEL] : 6;
}
/* Returns the largest number of nearest sources that a method of the stack may use; 0: no method uses the nearest
 * sources however far they are. */
int h3ou__nearest_wanted(const h3ou__stack *stack, double source_diameter);

int h3ou__cell_search_sender(const h3ou__cell_search_task *task);
int h3ou__cell_search_receiver(const h3ou__cell_search_task *task, h3ou__cells **part, int64_t **owner);

#endif

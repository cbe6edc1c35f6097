/* SPDX-License-Identifier: BSD-3-Clause */
/* Corners of cells that lie along meridians and parallels. */
#ifndef H3OU_INTERP_GRID_LONLAT_CORNERS_H
#define H3OU_INTERP_GRID_LONLAT_CORNERS_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "interp/grid/cells.h"
#include "interp/sphere/angles.h"

#define H3OU__SAME_ANGLE 1e-10 /* radians: less is rounding of corners */

static inline bool h3ou__same_lon(double a, double b)
{
    return fabs(h3ou__less_turns(a - b)) < H3OU__SAME_ANGLE;
}

static inline bool h3ou__same_lat(double a, double b)
{
    return fabs(a - b) < H3OU__SAME_ANGLE;
}

/* Corners of n cells, in radians, as users give them. Borrowed. */
typedef struct h3ou__corner_lists {
    int64_t n;
    int most;                  /* corner k of cell i is number i * most + k */
    const double *lon, *lat;   /* of the corners; of the nodes, where there are some */
    const int64_t *node;       /* [n * most] the node of each corner, below 0: no more; NULL: there are no nodes */
    const int *count;          /* [n] corners of each cell; NULL: most */
    const unsigned char *mask; /* [n] cells of 0 may have any corners; NULL: all take part */
    const int64_t *id;         /* [n] global numbers, from 0, ascending; NULL: id[i] = i */
} h3ou__corner_lists;

int h3ou__corner_count(const h3ou__corner_lists *g, int64_t i);

/* Does every edge of the cell run along a meridian or a parallel? */
bool h3ou__corners_follow(const h3ou__corner_lists *g, int64_t i);
/* Does every edge, of all cells that take part, run along a meridian or a parallel (to 1e-10)? At a pole the longitude
 * is free. Such cells are meant to be bounded by circles of latitude. */
bool h3ou__corners_follow_latitudes(const h3ou__corner_lists *g);

typedef struct h3ou__lonlat_box {
    double west, east, south, north; /* as given; only east may be one turn more, so that it is beyond west */
} h3ou__lonlat_box;

/* Is the cell all that lies between two meridians and two parallels? */
bool h3ou__corners_box(const h3ou__corner_lists *g, int64_t i, h3ou__lonlat_box *out);

/* Of cells of which bad ones are to be masked (c->bad): masks and lists those with bad corners, before these say what
 * kind of edges the grid has. */
int h3ou__cells_mask_bad_corners(h3ou__cells *c, const h3ou__corner_lists *lists, int edges);

#endif

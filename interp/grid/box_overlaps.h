/* SPDX-License-Identifier: BSD-3-Clause */
/* Overlaps of two regular longitude-latitude grids: products of overlaps of their columns and of their rows. */
#ifndef H3OU_INTERP_GRID_BOX_OVERLAPS_H
#define H3OU_INTERP_GRID_BOX_OVERLAPS_H

#include "interp/grid/cells.h"
#include "interp/grid/neighbours.h"

typedef struct h3ou__box_overlaps {
    h3ou__lists column, row; /* of each target column or row the source's that overlap it, ascending */
    double *west, *east;     /* [column.start[n]] of the overlap, radians */
    double *south, *north;   /* [row.start[n]] */
    int64_t *first; /* [rows of the source + 1] where the cells of each row begin among those that this process holds */
} h3ou__box_overlaps;

int h3ou__box_overlaps_make(const h3ou__cells *source, const h3ou__cells *target, h3ou__box_overlaps *out);
void h3ou__box_overlaps_free(h3ou__box_overlaps *o); /* frees the arrays, not o */
/* What the latitudes of a box give to its area, which is width * 2.0 * factor[0] * factor[1]. */
void h3ou__row_factors(double south, double north, double factor[2]);
/* Exact area and, unless NULL, moment of the box between the angles. */
double h3ou__box_measure(double west, double east, double south, double north, double moment[3]);

#endif

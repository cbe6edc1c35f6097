/* SPDX-License-Identifier: BSD-3-Clause */
/* Gradients of a field on the cells of a grid, as sparse linear forms of the neighbours' values, by least squares. */
#ifndef H3OU_INTERP_STENCILS_SLOPES_H
#define H3OU_INTERP_STENCILS_SLOPES_H

#include "interp/grid/cells.h"
#include "interp/grid/neighbours.h"

/* The gradient of cell i, to the east and to the north in the frame of h3ou__tangent_frame_towards(middle + 3 * i): the
 * sums of gx and gy times the values of the cells near.list, from near.start[i] on; the cell itself is among them. All
 * coefficients are 0 where the neighbours do not determine a gradient, or nearly coincide with the cell, so that the
 * gradient would change values over the cell by more than eight times their differences. */
typedef struct h3ou__slopes {
    double *middle; /* [3 * n] mean position over the cell, inside the sphere */
    h3ou__lists near;
    double *gx, *gy; /* [near.start[n]] per radian */
} h3ou__slopes;

/* Least squares over the neighbours by edge that take part, weighted by 1 / distance^2: exact for fields that are
 * linear in the tangent plane. area: of the cells, steradians. */
int h3ou__slopes_make(const h3ou__cells *c, const double area[], int threads, h3ou__slopes *out);
void h3ou__slopes_free(h3ou__slopes *s); /* frees the arrays, not s */

#endif

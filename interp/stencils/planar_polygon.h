/* SPDX-License-Identifier: BSD-3-Clause */
/* Interpolation inside a polygon of a few points in a plane whose origin is the target. */
#ifndef H3OU_INTERP_STENCILS_PLANAR_POLYGON_H
#define H3OU_INTERP_STENCILS_PLANAR_POLYGON_H

#include <stdbool.h>
#include <stdint.h>

#include "interp/grid/cells.h"
#include "interp/stencils/method.h"

enum { H3OU__PATCH_MOST = 512 }; /* corners of a polygon */

/* Generalised barycentric coordinates of the origin: by E. L. Wachspress (1975) in convex polygons of up to 12 corners,
 * else mean value coordinates (M. S. Floater, 2003). They reproduce linear functions. False when the origin is outside.
 */
bool h3ou__patch_barycentric(int n, const double p[][2], double coef[]);
/* Where in the unit square the bilinear map to the convex quadrilateral has the origin: corners (0, 0), (1, 0), (1, 1),
 * (0, 1). False when the origin is outside; *convex says whether there is such a map. */
bool h3ou__patch_bilinear(const double p[4][2], double uv[2], bool *convex);

/* Adds what counts to the row, scaled to the sum 1: coefficients below 1e-12 do not. False, and an empty row, when a
 * cell that counts is masked or below 0 (not held). */
bool h3ou__patch_put(const h3ou__cells *c, int n, const int64_t cell[], const double coef[], h3ou__row *row, int *err);

#endif

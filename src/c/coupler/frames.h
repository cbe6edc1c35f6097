/* SPDX-License-Identifier: BSD-3-Clause */
/* The local frames of a grid's cells: vectors leave as three components in space and come back into the other grid's
 * frames, which knows no pole. */
#ifndef H3OU_COUPLER_FRAMES_H
#define H3OU_COUPLER_FRAMES_H

#include "coupler/grid.h"

/* frame[6 * i]: the unit vectors, in space, of the first and of the second component at my cell i: east and north,
 * turned by the grid's angle. The caller frees it. H3OU__EARG when the grid has no coordinates. */
int h3ou__frames_make(const h3ou__grid *g, double **frame);
/* [3][n] from u and v, [n] each, and back. A value that is NaN makes all three NaN. */
void h3ou__frames_to_space(const double frame[], int64_t n, const double u[], const double v[], double space[]);
void h3ou__frames_from_space(const double frame[], int64_t n, const double space[], double u[], double v[]);

#endif

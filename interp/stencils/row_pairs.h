/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Bilinear interpolation in a list of cells whose centres stand in rows along circles of latitude, of unlike length: in
 * longitude between the two centres around the target in the row south of it and in that north of it, then in latitude
 * between the rows. Poleward of the last row the interpolation goes on across the pole, to the opposite meridian.
 */
#ifndef H3OU_INTERP_STENCILS_ROW_PAIRS_H
#define H3OU_INTERP_STENCILS_ROW_PAIRS_H

#include "interp/grid/cells.h"
#include "interp/stencils/method.h"

typedef struct h3ou__row_pairs h3ou__row_pairs;

/* *out is NULL when the cells are no such list (latitude_rows.h). Borrows c, whose xyz is there. */
int h3ou__row_pairs_create(h3ou__cells *c, h3ou__row_pairs **out);
void h3ou__row_pairs_free(h3ou__row_pairs *p);
/* The row of a target, or an empty one. */
int h3ou__row_pairs_serve(const h3ou__row_pairs *p, double lon, double lat, h3ou__row *row);

#endif

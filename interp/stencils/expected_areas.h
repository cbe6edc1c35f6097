/* SPDX-License-Identifier: BSD-3-Clause */
/* What source cells must give in conservative weights, by the overlaps of the cells of both grids. */
#ifndef H3OU_INTERP_STENCILS_EXPECTED_AREAS_H
#define H3OU_INTERP_STENCILS_EXPECTED_AREAS_H

#include "interp/grid/cells.h"
#include "interp/stencils/method.h"
#include "interp/weights/weights.h"

/*
 * Sets *out to the sum, over the targets, of target area times weight that each source cell must have; free(). In the
 * first order that is the part of the cell that targets cover. In the second order of h3ou a cell that targets cover in
 * part adds its gradient times the first moment of that part, which its neighbours share out. In weights of another or
 * an unknown program the gradients are not known: there a cell must give its area if all rows that it takes part in
 * come from wholly covered cells, and is NaN otherwise, or where it takes part in the row of a target that covers
 * nothing.
 *
 * *out is NULL when nothing is known: the weights are not conservative or have no areas, a grid has no corners, the
 * weights refer to areas that the user gave, or their areas are not those of the cells (edges of another kind).
 *
 * first: the first method of the stack, NULL if it is not known. source and target are the grids of w; what is known of
 * cells at one place is added to them.
 */
int h3ou__expected_areas(const h3ou__weights *w, const h3ou__method *first, h3ou__cells *source, h3ou__cells *target,
                         double **out);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The copies of pack_cells.h out of a model's array in which `missing`, or NaN, says that a cell has no value: both are
 * written as a quiet NaN. With missing NaN only NaN says so. Each returns whether one of the written values is NaN,
 * and raises no floating-point exception for a NaN.
 */
#ifndef H3OU_COUPLER_CELLS_PACK_MISSING_H
#define H3OU_COUPLER_CELLS_PACK_MISSING_H

#include "coupler/cells/pack_cells.h"

/* Sets to[row * count + i]. */
bool h3ou__pack_missing_rows(const h3ou__picked *cells, double missing, const double from[], int64_t n, int rows,
                             double to[]);
/* Sets to[i * rows + row]. */
bool h3ou__pack_missing_together(const h3ou__picked *cells, double missing, const double from[], int64_t n, int rows,
                                 double to[]);

#endif

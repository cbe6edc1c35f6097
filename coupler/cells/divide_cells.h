/* SPDX-License-Identifier: BSD-3-Clause */
/* Dividing the cells of a message whose layers stand together, while they are packed. */
#ifndef H3OU_COUPLER_CELLS_DIVIDE_CELLS_H
#define H3OU_COUPLER_CELLS_DIVIDE_CELLS_H

#include "coupler/cells/pack_cells.h"

/* Sets to[i * width + row] to from[row * n + at[i]] / by[i] * times, and to 0 where by[i] is not above 0; all of them
 * are read. No by[i] is NaN. Returns whether one of the new values is NaN. */
bool h3ou__divide_together(const h3ou__picked *cells, const double from[], int64_t n, int rows, int64_t width,
                           const double by[], double times, double to[]);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Grids that need no file: those that CDO knows by name (CDO User Guide, "Grid description"). */
#ifndef H3OU_INTERP_FILE_NAMED_GRID_H
#define H3OU_INTERP_FILE_NAMED_GRID_H

#include "interp/grid/cells.h"

/* rNXxNY: global, regular, from longitude 0 and the south; global_STEP: the same with cells of STEP degrees, from -180;
 * nN or FN: the full Gaussian grid of 2 N latitudes from the north; hpN, hpN_ring: Healpix in rings, N a power of 2;
 * gmeN: hexagons, see named_gme.h. */
bool h3ou__named_grid_is(const char *name);
/* H3OU__EARG: what is wrong with the numbers. */
int h3ou__named_grid_make(const char *name, int edges, h3ou__cells **out);

#endif

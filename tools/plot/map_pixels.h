/* SPDX-License-Identifier: BSD-3-Clause */
/* A grid as pixels of an equirectangular map: of each the cell whose centre is nearest. */
#ifndef H3OU_TOOLS_PLOT_MAP_PIXELS_H
#define H3OU_TOOLS_PLOT_MAP_PIXELS_H

#include "tools/plot/region.h"

/* out[height * width], the north first: the cell, or -1 where the grid does not reach. area: of the cells, or NULL. The
 * cells get their unit vectors. */
int raster_make(h3ou__cells *c, const double area[], const region *box, int width, int height, int64_t out[]);

#endif

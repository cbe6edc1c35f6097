/* SPDX-License-Identifier: BSD-3-Clause */
/* A grid as pixels of an equirectangular map: for each pixel the cell whose centre is nearest. */
#ifndef H3OU_TOOLS_PLOT_MAP_PIXELS_H
#define H3OU_TOOLS_PLOT_MAP_PIXELS_H

#include "tools/plot/region.h"

/* Fills out[height * width], north first, with the number of the cell, or -1 outside the grid. area: of the cells, or
 * NULL. Computes the cells' unit vectors. */
int raster_make(h3ou__cells *c, const double area[], const region *box, int width, int height, int64_t out[]);

#endif

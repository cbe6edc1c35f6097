/* SPDX-License-Identifier: BSD-3-Clause */
/* The range of longitudes and latitudes of a grid, as the model gave it: a wrong unit shows there first. */
#ifndef H3OU_COUPLER_WEIGHTS_GRID_RANGE_H
#define H3OU_COUPLER_WEIGHTS_GRID_RANGE_H

#include <stdbool.h>
#include <stddef.h>

#include "comm/comm.h"
#include "coupler/grid/grid.h"

/* In degrees, of the centres of all cells of the component's grid, or of the corners where it gave no centres. */
typedef struct h3ou__grid_range {
    double west, east, south, north; /* west > east: no cell has coordinates */
} h3ou__grid_range;

/* Collective over the component. */
int h3ou__grid_range_find(const h3ou__grid *g, h3ou__comm *local, h3ou__grid_range *out);
bool h3ou__grid_range_has_cells(const h3ou__grid_range *r);
/* Writes the range of a grid that has cells, as "0 to 359 E, -89.5 to 89.5 N". Returns text. */
char *h3ou__grid_range_text(const h3ou__grid_range *r, char text[], size_t size);
/* Returns whether the whole grid lies within 2 pi degrees of longitude and pi/2 degrees of latitude, as radians would.
 */
bool h3ou__grid_range_like_radians(const h3ou__grid_range *r);

/* Asks by a warning whether the units are right: of a grid in degrees that lies within what radians can be, and of
 * longitudes or angles in radians beyond 2 pi, unless the longitudes span just one turn. Collective over the component,
 * after h3ou__grid_register. */
int h3ou__grid_range_ask_units(const h3ou__grid *g, h3ou__comm *local);

#endif

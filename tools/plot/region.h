/* SPDX-License-Identifier: BSD-3-Clause */
/* The smallest box of longitudes and latitudes around the centres of some cells of a grid. */
#ifndef H3OU_TOOLS_PLOT_REGION_H
#define H3OU_TOOLS_PLOT_REGION_H

#include <stdbool.h>

#include "interp/grid/cells.h"

typedef struct region {
    int64_t n;                       /* cells */
    double west, east, south, north; /* degrees; west in [-180, 180), west <= east < west + 360 */
} region;

/* Returns the box of the cells for which is(user, cell). Without memory the box is the globe. */
region region_find(const h3ou__cells *c, bool (*is)(const void *user, int64_t cell), const void *user);
/* Writes "12.5W to 30E, 60S to 10N", or "60S to 10N at all longitudes" when they go nearly around; returns text. */
char *region_text(const region *r, char text[], int size);
/* Writes an angle in degrees as "12.5W", "30E", "0", "45S"; kind: "WE" or "SN"; returns text. */
char *region_angle(double angle, const char kind[2], char text[], int size);

#endif

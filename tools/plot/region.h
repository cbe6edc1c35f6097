/* SPDX-License-Identifier: BSD-3-Clause */
/* Where some cells of a grid are: the smallest box of longitudes and latitudes around their centres. */
#ifndef H3OU_TOOLS_PLOT_REGION_H
#define H3OU_TOOLS_PLOT_REGION_H

#include <stdbool.h>

#include "interp/grid/cells.h"

typedef struct region {
    int64_t n;                       /* cells */
    double west, east, south, north; /* degrees; west in [-180, 180), west <= east < west + 360 */
} region;

/* Of the cells for which is(user, cell). Where there is no memory for it, the box is the globe. */
region region_find(const h3ou__cells *c, bool (*is)(const void *user, int64_t cell), const void *user);
/* "12.5W to 30E, 60S to 10N"; "60S to 10N at all longitudes" where they go nearly around. */
char *region_text(const region *r, char text[], int size);
/* "12.5W", "30E", "0", "45S"; kind: "WE" or "SN". The angle in degrees. */
char *region_angle(double angle, const char kind[2], char text[], int size);

#endif

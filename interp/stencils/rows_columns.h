/* SPDX-License-Identifier: BSD-3-Clause */
/* The rows and columns of a regular longitude-latitude grid (boxes), as far as this process knows them, and functions
 * along them. */
#ifndef H3OU_INTERP_STENCILS_ROWS_COLUMNS_H
#define H3OU_INTERP_STENCILS_ROWS_COLUMNS_H

#include <stdbool.h>
#include <stdint.h>

#include "interp/grid/cells.h"
#include "interp/stencils/method.h"

enum { H3OU__LINE_MOST = 4 };

typedef struct h3ou__raster {
    const h3ou__cells *cells;
    int64_t ncolumn, nrow; /* those of which a cell is held */
    int64_t *column, *row; /* their numbers, x and y; of several at one place the lowest */
    int64_t *column_again; /* the highest of those at the column's place */
    double *lon, *lat;     /* ascending; longitudes from 0 to 2 pi */
    bool round[2];         /* the grid goes round the south, the north pole */
} h3ou__raster;

/* Coefficients along a row or a column: of places at[] (x or y). */
typedef struct h3ou__line {
    int n;
    int64_t at[H3OU__LINE_MOST];
    double coef[H3OU__LINE_MOST];
    bool across[H3OU__LINE_MOST]; /* of a column: beyond the pole, on the opposite meridian */
} h3ou__line;

/* *out is NULL when the cells are no boxes, or their centres do not stand in rows and columns. Borrows c. */
int h3ou__raster_create(const h3ou__cells *c, h3ou__raster **out);
void h3ou__raster_free(h3ou__raster *r);
/* Interpolation along a row to a longitude, along a column to a latitude (radians): by 2 points, or by 4 (cubic,
 * J. L. Lagrange), all on one side at an edge; by 2 where there are no 4. Across a pole the column goes on along the
 * opposite meridian. False outside the centres. */
bool h3ou__raster_along_row(const h3ou__raster *r, double lon, int points, h3ou__line *out);
bool h3ou__raster_along_column(const h3ou__raster *r, double lat, int points, h3ou__line *out);
/* The product of both: the row of a target, or an empty one. */
int h3ou__raster_serve(const h3ou__raster *r, double lon, double lat, int points, h3ou__row *row);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* The search of methods that interpolate between the centres around a target: by rows on grids that have rows along
 * circles of latitude, else in the polygons between the centres. */
#ifndef H3OU_INTERP_STENCILS_CENTRE_SEARCH_H
#define H3OU_INTERP_STENCILS_CENTRE_SEARCH_H

#include "interp/stencils/dual_polygons.h"
#include "interp/stencils/method.h"
#include "interp/stencils/row_pairs.h"
#include "interp/stencils/rows_columns.h"

typedef struct h3ou__centre_search {
    h3ou__raster *raster;   /* of a regular grid; else NULL */
    h3ou__row_pairs *pairs; /* of a list of cells in rows of unlike length; else NULL */
    h3ou__dual *dual;       /* NULL when there is one of these */
} h3ou__centre_search;

/* Opens the search of a method of that name; by_rows: a regular grid is searched by its rows and columns, a
 * list of cells in rows along circles of latitude by these. *state, also
 * after an error, is released by h3ou__centre_search_close, which is a method's `close`. */
int h3ou__centre_search_open(const h3ou__method_task *task, const char *name, bool by_rows, void **state);
void h3ou__centre_search_close(void *state); /* NULL allowed */

#endif

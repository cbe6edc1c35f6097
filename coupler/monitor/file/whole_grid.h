/* SPDX-License-Identifier: BSD-3-Clause */
/* The grid of a field in a NetCDF file, put together from the parts of all processes: rows and columns where the model gave their
 * numbers and processes hold all cells, or those that are missing leave no row and no column unknown; else a list of the cells that
 * processes hold. */
#ifndef H3OU_COUPLER_MONITOR_FILE_WHOLE_GRID_H
#define H3OU_COUPLER_MONITOR_FILE_WHOLE_GRID_H

#include <stdbool.h>
#include <stdint.h>

#include "coupler/monitor/file/raw_reader.h"

typedef struct h3ou__whole_grid {
    int64_t n;       /* values of a layer in the file */
    int nx, ny;      /* 0: a list */
    bool is_regular; /* one longitude for each column, one latitude for each row */
    int64_t last;
    int64_t *place; /* [last] of the cell with an index, minus 1; -1: no process holds it */
    int32_t *index; /* [n] of a list the cells' indices; else NULL */
    int most;       /* corners of a cell; 0: not known */
    bool is_middle; /* the centres are the middle of the corners */
    double *lon, *lat;                 /* [n] degrees, with is_regular [nx] and [ny]; NULL: not known */
    double *lon_bounds, *lat_bounds;   /* [n][most], with is_regular [nx][2] and [ny][2]; NULL: not known */
} h3ou__whole_grid;

/* grid: of each of n parts the number of the grid in it. */
int h3ou__whole_grid_make(const h3ou__raw_part part[], int n, const int grid[], h3ou__whole_grid *out);
void h3ou__whole_grid_free(h3ou__whole_grid *w);

#endif

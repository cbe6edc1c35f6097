/* SPDX-License-Identifier: BSD-3-Clause */
/* What a user wishes of the reading of a grid: which mask it has, and what becomes of bad cells. */
#ifndef H3OU_INTERP_FILE_NETCDF_GRID_READING_H
#define H3OU_INTERP_FILE_NETCDF_GRID_READING_H

#include <stdbool.h>

#include "interp/grid/bad_cells.h"

typedef struct h3ou__grid_reading {
    int edges; /* enum h3ou__edges, or H3OU__EDGES_UNREAD */
    /* NULL: the mask that the file has; "none": no mask; "VAR" of the same file or "FILE:VAR", both perhaps with
     * ":masked=V,..." behind, or ":masked=missing": cells of these values, or of missing ones, are masked. Borrowed. */
    const char *mask;
    h3ou__bad_cells *bad; /* bad cells are masked and listed here; NULL: they are errors. Borrowed */
    char said[400];       /* result: where the mask came from and how many cells it takes out, or why it was left out */
} h3ou__grid_reading;

#endif

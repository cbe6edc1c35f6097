/* SPDX-License-Identifier: BSD-3-Clause */
/* Grid and weight files (NetCDF). Only tools use this floor: libh3ou itself reads no NetCDF. */
#ifndef H3OU_INTERP_FILE_NCFILE_H
#define H3OU_INTERP_FILE_NCFILE_H

#include "interp/cells.h"
#include "interp/weights.h"

/* A grid: a SCRIP grid file (grid_center_lat, grid_center_lon, grid_imask), or any file whose first field has
 * longitudes and latitudes (1-d: a regular grid or a list of cells; 2-d), where its missing values at the first time
 * are the mask. Degrees or radians by the units attribute. H3OU__EFILE names file, variable and what is wrong. */
int h3ou__gridfile_read(const char *file, h3ou__cells **out);
/* SCRIP weights, with the names that CDO reads: src_address, dst_address (from 1), remap_matrix(num_links, 1), both
 * grids' centres, masks and sizes. */
int h3ou__weightfile_write(const char *file, const h3ou__weights *w, const h3ou__cells *source,
                           const h3ou__cells *target);
/* Links and sizes only: for looking at a file. */
int h3ou__weightfile_read(const char *file, h3ou__weights **out, int64_t *nsource);

#endif

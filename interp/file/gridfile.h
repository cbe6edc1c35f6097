/* SPDX-License-Identifier: BSD-3-Clause */
/* Grids in NetCDF files: one format per file behind the table in formats.c. */
#ifndef H3OU_INTERP_FILE_GRIDFILE_H
#define H3OU_INTERP_FILE_GRIDFILE_H

#include "interp/file/netcdf/grid_reading.h"
#include "interp/grid/cells.h"

/* A grid, by what the file holds: SCRIP (grid_center_lat, grid_corner_lat, grid_imask), UGRID (a mesh_topology
 * variable), an ESMF mesh (nodeCoords, elementConn), OASIS (grids.nc:NAME, with masks.nc beside it), or CF: the first
 * field that has longitudes and latitudes (1-d: a regular grid, whose cells are boxes, or a list of cells; 2-d:
 * curvilinear), its bounds or vertices, and its missing values at the first time as the mask. Degrees or radians by the
 * units attribute. edges: enum h3ou__edges, or H3OU__EDGES_UNREAD when no method needs corners: then a list of cells is
 * read without them. A name of CDO's for a grid (named_grid.h) stands for a file, where there is no file of that name.
 * H3OU__EFILE names file, variable and what is wrong. */
int h3ou__gridfile_read(const char *file, int edges, h3ou__cells **out);
/* The same as the user wishes; reading->said tells of the mask. */
int h3ou__gridfile_read_as(const char *file, h3ou__grid_reading *reading, h3ou__cells **out);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* A NetCDF file with the contents of another one, remapped to the target grid. */
#ifndef H3OU_TOOL_NCREMAPPED_H
#define H3OU_TOOL_NCREMAPPED_H

#include "tools/weights/netcdf/ncbounds.h"
#include "tools/weights/netcdf/ncfields.h"

enum ncshape { NCSHAPE_REGULAR, NCSHAPE_CURVILINEAR, NCSHAPE_LIST };

typedef struct ncremapped {
    const char *name;
    const ncfile *from;
    const h3ou__cells *target;
    int nc;
    enum ncshape shape;
    int nspace, space[2]; /* dimensions of the target grid in the file: (lat, lon), (y, x) or (cell) */
    int lon, lat;         /* variables */
    ncbounds bounds;
    int lon_bounds, lat_bounds; /* variables, when bounds.width > 0 */
    char lon_name[NC_MAX_NAME + 1], lat_name[NC_MAX_NAME + 1];
    int dim[NC_MAX_DIMS]; /* id of each dimension of `from` here; -1: not needed */
    int *var;             /* [from->nvar] id of each variable of `from` here; -1: left out */
    double *missing;      /* [from->nvar] missing value of each field */
} ncremapped;

/* Creates the file with all its dimensions, variables, attributes and coordinates, and copies what has no horizontal
 * dimension. corners: of the target, which are taken over. history: the command, for the attribute. H3OU__EFILE, and
 * then there is no file. */
int ncremapped_create(const char *name, const ncfile *from, const h3ou__cells *target, h3ou__side_corners *corners,
                      const char *history, ncremapped **out);
/* Closes the file, and removes it after an error: `err`, if not 0, or that of closing, which is returned. NULL allowed.
 */
int ncremapped_close(ncremapped *r, int err);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* A NetCDF file like another one, but on the target grid. */
#ifndef H3OU_TOOL_NCREMAPPED_H
#define H3OU_TOOL_NCREMAPPED_H

#include "tools/weights/ncfields.h"

enum ncshape { NCSHAPE_REGULAR, NCSHAPE_CURVILINEAR, NCSHAPE_LIST };

typedef struct ncremapped {
    const char *name;
    const ncfile *from;
    const h3ou__cells *target;
    int nc;
    enum ncshape shape;
    int nspace, space[2]; /* dimensions of the target grid in the file: (lat, lon), (y, x) or (cell) */
    int lon, lat;         /* variables */
    char lon_name[NC_MAX_NAME + 1], lat_name[NC_MAX_NAME + 1];
    int dim[NC_MAX_DIMS]; /* of each dimension of `from`; -1: not needed */
    int *var;             /* [from->nvar] of each variable of `from`; -1: not there */
    double *missing;      /* [from->nvar] what stands for no value in each field */
} ncremapped;

/* Creates the file with all its dimensions, variables, attributes and coordinates, and copies what has no horizontal
 * dimension. history: the command, for the attribute. H3OU__EFILE, and then there is no file. */
int ncremapped_create(const char *name, const ncfile *from, const h3ou__cells *target, const char *history,
                      ncremapped **out);
/* Closes; a file that cannot be closed, or is not wanted because of `err`, is removed. NULL allowed. Answers err or
 * its own. */
int ncremapped_close(ncremapped *r, int err);

#endif

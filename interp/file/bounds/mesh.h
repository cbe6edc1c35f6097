/* SPDX-License-Identifier: BSD-3-Clause */
/* What the formats of meshes have in common: cells as lists of shared nodes. */
#ifndef H3OU_INTERP_FILE_BOUNDS_MESH_H
#define H3OU_INTERP_FILE_BOUNDS_MESH_H

#include "interp/file/netcdf/reader.h"

typedef struct h3ou__mesh {
    const char *connectivity; /* the variable's name, for messages */
    int64_t n, nnode;
    int most;
    int64_t *node;                   /* [n * most] from 0; below 0: no more */
    double *lon, *lat;               /* [nnode] radians */
    double *centre_lon, *centre_lat; /* [n] or NULL */
    int *mask;                       /* [n] or NULL */
} h3ou__mesh;

/* All of v to m->node: less the attribute start_index (else `first`), the attribute _FillValue and what is below 0
 * become -1. */
int h3ou__mesh_read_nodes(const h3ou__nc *r, const h3ou__nc_var *v, int64_t first, h3ou__mesh *m);
/* Checks the lists and makes cells of them. */
int h3ou__mesh_cells(const h3ou__nc *r, const h3ou__mesh *m, int edges, h3ou__cells **out);
void h3ou__mesh_free(h3ou__mesh *m); /* what it holds */

#endif

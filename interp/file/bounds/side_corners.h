/* SPDX-License-Identifier: BSD-3-Clause */
/* Corners of the cells of one side in files of weights, from which other programs, and `h3ou weights apply`, write the
 * bounds of remapped fields. */
#ifndef H3OU_INTERP_FILE_BOUNDS_SIDE_CORNERS_H
#define H3OU_INTERP_FILE_BOUNDS_SIDE_CORNERS_H

#include "interp/file/netcdf/reader.h"

/* Corner k of cell i is number i * most + k: degrees, longitudes within 180 degrees of the centre's. Cells with fewer
 * corners repeat the last, cells without any their centre. */
typedef struct h3ou__side_corners {
    int64_t n;
    int most;
    double *lon, *lat;
} h3ou__side_corners;

int h3ou__side_corners_make(const h3ou__cells *c, h3ou__side_corners *out);
/* Those of the target of a file of weights, of n cells; out->lon stays NULL when the file has none. */
int h3ou__side_corners_read(const char *file, int64_t n, h3ou__side_corners *out);
void h3ou__side_corners_free(h3ou__side_corners *s); /* what it holds */

#endif

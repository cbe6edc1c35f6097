/* SPDX-License-Identifier: BSD-3-Clause */
/* Cells on the sphere: what methods that make weights know of a grid. */
#ifndef H3OU_INTERP_CELLS_H
#define H3OU_INTERP_CELLS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct h3ou__cells {
    int64_t n;
    double *lon, *lat;   /* [n] centres, radians */
    double *xyz;         /* [3 * n] the same as unit vectors */
    unsigned char *mask; /* [n] 0: the cell takes no part */
    int rank;            /* of the grid in its file: 1 or 2 */
    int64_t dims[2];     /* sizes, fastest first */
    char name[64];       /* for messages */
} h3ou__cells;

/* Copies centres, in radians, and the mask (NULL: all take part). H3OU__EARG names the first cell whose centre is not
 * finite or lies beyond a pole. */
int h3ou__cells_create(const char *name, int64_t n, const double lon[], const double lat[], const int mask[],
                       h3ou__cells **out);
void h3ou__cells_free(h3ou__cells *c);

#endif

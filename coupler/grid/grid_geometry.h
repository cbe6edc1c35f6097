/* SPDX-License-Identifier: BSD-3-Clause */
/* The geometry that the model gave for this process's cells of a grid: all of it optional, in the order of the cells'
 * indices. Angles are kept in radians. */
#ifndef H3OU_COUPLER_GRID_GRID_GEOMETRY_H
#define H3OU_COUPLER_GRID_GRID_GEOMETRY_H

#include <stdbool.h>
#include <stdint.h>

typedef struct h3ou__geometry {
    double *lon, *lat;                 /* [n] */
    int most;                          /* corners of a cell */
    double *corner_lon, *corner_lat;   /* [n * most] */
    int *mask;                         /* [n] */
    double *area;                      /* [n] steradians */
    double *angle;                     /* [n] */
    bool in_degrees, angle_in_degrees; /* how centres (else corners), and angles, were given */
    int nx, ny;                        /* shape of the whole grid; 0: not given */
    bool cyclic, fold;
    int edges; /* enum h3ou__edges */
} h3ou__geometry;

void h3ou__geometry_free(h3ou__geometry *g); /* frees the arrays, not g */
/* The following calls copy what they are given; each is allowed once. units: "degrees" or "radians". index: the cells'
 * global numbers, for error messages. */
int h3ou__geometry_centres(h3ou__geometry *g, const char *grid, int64_t n, const int64_t index[], const double lon[],
                           const double lat[], const char *units);
int h3ou__geometry_corners(h3ou__geometry *g, const char *grid, int64_t n, int most, const double lon[],
                           const double lat[], const char *units);
int h3ou__geometry_mask(h3ou__geometry *g, const char *grid, int64_t n, const int mask[]);
int h3ou__geometry_area(h3ou__geometry *g, const char *grid, int64_t n, const int64_t index[], const double area[]);
int h3ou__geometry_angle(h3ou__geometry *g, const char *grid, int64_t n, const double angle[], const char *units);
int h3ou__geometry_shape(h3ou__geometry *g, const char *grid, int nx, int ny, bool cyclic, bool fold);
int h3ou__geometry_edges(h3ou__geometry *g, const char *grid, const char *edges);
/* Returns whether the edges of all cells run along meridians and parallels (to 1e-10). True without cells. */
bool h3ou__geometry_is_boxes(const h3ou__geometry *g, int64_t n);

#endif

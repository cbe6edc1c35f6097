/* SPDX-License-Identifier: BSD-3-Clause */
/* Spherical polygons whose edges are arcs of great circles or of latitude circles: area, moment, intersection. */
#ifndef H3OU_INTERP_SPHERE_POLYGON_H
#define H3OU_INTERP_SPHERE_POLYGON_H

#include <stdbool.h>
#include <stdint.h>

enum { H3OU__POLYGON_MOST = 1000 }; /* corners of a polygon at most */

typedef struct h3ou__polygon {
    int n;
    bool convex;                              /* the intersection of its edges' half-spaces */
    bool has_circles;                         /* some edge is an arc of a latitude circle */
    double v[H3OU__POLYGON_MOST][3];          /* corners, unit vectors, anticlockwise from outside */
    unsigned char circle[H3OU__POLYGON_MOST]; /* edge k, from corner k to the next, is an arc of a latitude circle */
} h3ou__polygon;

/* Area in steradians; exact to rounding for both kinds of edges. Below 0 for a clockwise polygon. */
double h3ou__polygon_area(const h3ou__polygon *p);
/* The integral of the position over the polygon, [3]: half the line integral of r x dr. Its direction is the
 * centroid's, divided by the area it is the mean position (inside the sphere). */
void h3ou__polygon_moment(const h3ou__polygon *p, double moment[3]);
/* Is every corner on the inner side of every edge? Then the polygon is the intersection of its edges' half-spaces. */
bool h3ou__polygon_is_convex(const h3ou__polygon *p);
/* Is the unit vector inside (or on the edge)? */
bool h3ou__polygon_contains(const h3ou__polygon *p, const double x[3]);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* What the edges of spherical polygons add to area and moment. Places are given as a unit vector and differences from
 * it, so that small cells keep their digits: the difference of two places near each other is exact. */
#ifndef H3OU_INTERP_SPHERE_ARCS_H
#define H3OU_INTERP_SPHERE_ARCS_H

#include <stdbool.h>

/* Eastward angle from a to a + step on their latitude circle, as the tangent of its half. */
double h3ou__half_tangent(const double a[3], const double step[3]);
/* The area between an arc of the latitude circle z, eastward by 2 atan(t), and the great circle's arc between the same
 * ends: 2 atan(z t) - 2 z atan(t), positive where the circle's arc lies farther from the pole of z's sign. */
double h3ou__lens_area(double z, double t);
/* Half the area of the triangle o, o + da, o + db; below 0 when clockwise (F. Eriksson, 1990). */
double h3ou__half_excess(const double o[3], const double da[3], const double db[3]);
/* Adds to sum[3] what the edge from a by step gives to twice the moment; da: a as seen from any place fixed for the
 * polygon. The moment is half the line integral of r x dr; with r = o + d the part of o and the chords cancels round a
 * polygon and is left out, so d_a x d_b and the bend of the arc remain. */
void h3ou__edge_moment(const double a[3], const double da[3], const double step[3], bool circle, double sum[3]);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Intersections of spherical polygons. */
#ifndef H3OU_INTERP_SPHERE_CLIP_H
#define H3OU_INTERP_SPHERE_CLIP_H

#include "interp/sphere/polygon.h"

/* An edge's inner side: {x: n . (x - at) >= 0}, or {x: sign * (z - at[2]) >= 0} for a latitude circle; `at` is seen
 * from the clipper's origin. */
typedef struct h3ou__side {
    bool circle;
    double n[3], at[3], length2; /* of n, squared */
    double sign, level;          /* z of the circle */
} h3ou__side;

/* A polygon prepared for clipping others. */
typedef struct h3ou__clipper {
    const h3ou__polygon *polygon; /* borrowed */
    double origin[3];             /* its first corner */
    int n;                        /* sides; 0: not convex */
    const h3ou__side *side;       /* [n] borrowed */
} h3ou__clipper;

/* side: room for as many as the polygon has corners. */
void h3ou__clipper_set(h3ou__clipper *c, const h3ou__polygon *p, h3ou__side side[]);
/* The area of the intersection with the clipper's polygon and, unless NULL, its moment. Either polygon may be anything
 * that does not cross itself. Two neighbours cut along the same edge at the same places, so that what they cut tiles a
 * third polygon to rounding. */
double h3ou__clipper_overlap(const h3ou__clipper *c, const h3ou__polygon *p, double moment[3]);
double h3ou__polygon_overlap(const h3ou__polygon *a, const h3ou__polygon *b, double moment[3]);

#endif

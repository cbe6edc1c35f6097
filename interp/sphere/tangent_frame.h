/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Local east, north and up at a place of the sphere.
 *
 * At a pole every direction is north or south, so that a rule decides: a place given by longitude and latitude keeps
 * the east of its longitude; a place given as a vector has no longitude there and gets the frame of longitude 0, whose
 * east is the y axis.
 */
#ifndef H3OU_INTERP_SPHERE_TANGENT_FRAME_H
#define H3OU_INTERP_SPHERE_TANGENT_FRAME_H

#include <stdbool.h>

typedef struct h3ou__tangent_frame {
    double east[3], north[3], up[3]; /* unit vectors, right-handed */
} h3ou__tangent_frame;

/* The frame at a unit vector. */
void h3ou__tangent_frame_at(const double place[3], h3ou__tangent_frame *out);
/* The frame at the direction of a vector of any length, such as a cell's mean position, which is inside the sphere. */
void h3ou__tangent_frame_towards(const double vector[3], h3ou__tangent_frame *out);
/* The frame at a longitude and a latitude, in radians. */
void h3ou__tangent_frame_lon_lat(double lon, double lat, h3ou__tangent_frame *out);

/* The gnomonic image of the place x in the tangent plane, as components to the east and to the north: great circles
 * become straight lines. Returns false for places more than about 87 degrees away. */
bool h3ou__tangent_frame_image(const h3ou__tangent_frame *f, const double x[3], double out[2]);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* The vectors of many cells as Cartesian ones, and back, by loops of which a compiler makes vectors. */
#ifndef H3OU_COUPLER_GRID_TURN_VECTORS_H
#define H3OU_COUPLER_GRID_TURN_VECTORS_H

#include "coupler/grid/vector_frames.h"

/* The frames of some cells, in an order of theirs: number k of the first unit vector of cell i at of[k * count + i], of
 * the second one at of[(3 + k) * count + i]. Of frames that point east (h3ou__vector_frames_point_east) there are
 * first[0], first[1], sine and second[2], in this order. */
typedef struct h3ou__axes {
    double *of;
    int64_t count;
    bool point_east;
} h3ou__axes;

/* Allocates those of so many cells, which all point east, or may not. Returns false without memory. */
bool h3ou__axes_create(int64_t count, bool point_east, h3ou__axes *out);
/* Sets those of cell i. */
void h3ou__axes_set(h3ou__axes *a, int64_t i, const h3ou__vector_frame *frame);
void h3ou__axes_free(h3ou__axes *a);
/* Writes n vectors (u[i], v[i]) of the cells from number `first` on as h3ou__vector_frame_raise does, to x[i], x[stride
 * + i] and x[2 * stride + i]. Returns whether a value is NaN. */
bool h3ou__vectors_raise(const h3ou__axes *a, int64_t first, int64_t n, const double u[], const double v[],
                         int64_t stride, double x[]);
/* Projects such vectors onto the frames of the cells, as h3ou__vector_frame_lower does. */
void h3ou__vectors_lower(const h3ou__axes *a, int64_t first, int64_t n, const double x[], int64_t stride, double u[],
                         double v[]);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Turning vectors between local frames. The two components at a source cell become three Cartesian ones, which are
 * interpolated like any field and projected onto the target cell's frame. A solid-body rotation, whose Cartesian
 * components are linear in space, is thus interpolated as accurately as the method allows, at the poles too.
 */
#ifndef H3OU_COUPLER_GRID_VECTOR_FRAMES_H
#define H3OU_COUPLER_GRID_VECTOR_FRAMES_H

#include <stdbool.h>
#include <stdint.h>

#include "coupler/grid/grid.h"

/* The frame of a cell: the unit vectors of its first and its second component. The first is local east, or east turned
 * anticlockwise by the grid's angle; the second is 90 degrees farther. */
typedef struct h3ou__vector_frame {
    double first[3], second[3];
    double sine; /* of the latitude, where `first` is local east; else NaN */
} h3ou__vector_frame;

/* Makes the frames of my cells, in their order. H3OU__EARG when the grid has no centres, given or made from its
 * corners. The caller frees *out. */
int h3ou__vector_frames_create(const h3ou__grid *g, h3ou__vector_frame **out);

/* Returns whether the first unit vectors of n frames are local east, and the second ones, with the same bits, (-sine *
 * first[1], sine * first[0], second[2]). */
bool h3ou__vector_frames_point_east(int64_t n, const h3ou__vector_frame frame[]);

/* Writes the vector (u, v) of the frame as Cartesian components x[0], x[stride], x[2 * stride]. */
static inline void h3ou__vector_frame_raise(const h3ou__vector_frame *f, double u, double v, double *x, int64_t stride)
{
    for (int k = 0; k < 3; k++)
        x[k * stride] = u * f->first[k] + v * f->second[k];
}

/* Projects Cartesian components onto the frame; the part outside the tangent plane is dropped. */
static inline void h3ou__vector_frame_lower(const h3ou__vector_frame *f, const double *x, int64_t stride, double *u,
                                            double *v)
{
    *u = f->first[0] * x[0] + f->first[1] * x[stride] + f->first[2] * x[2 * stride];
    *v = f->second[0] * x[0] + f->second[1] * x[stride] + f->second[2] * x[2 * stride];
}

#endif

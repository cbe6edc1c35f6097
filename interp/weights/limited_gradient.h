/* SPDX-License-Identifier: BSD-3-Clause */
/* The product of the second order that keeps the gradients of a field in bounds. */
#ifndef H3OU_INTERP_WEIGHTS_LIMITED_GRADIENT_H
#define H3OU_INTERP_WEIGHTS_LIMITED_GRADIENT_H

#include <stdint.h>

#include "interp/weights/sparse.h"

/* Of each source cell that has a part in a row: the stencil of its gradient, and where its corners are in the tangent
 * frame; of each link of the weights the displacement of the overlap's centroid. With these the product is limited so
 * that no value leaves the range of the stencil's (T. J. Barth and D. C. Jespersen, 1989). */
typedef struct h3ou__gradient {
    int64_t ncell;
    int32_t *cell;    /* [ncell] source cell */
    int64_t *start;   /* [ncell + 1] */
    int32_t *stencil; /* [start[ncell]] source cells */
    double *gx, *gy;  /* [start[ncell]] */
    int64_t *corner;  /* [ncell + 1] */
    double *cx, *cy;  /* [corner[ncell]] corners minus the cell's mean position */
    int64_t nrow;     /* as the weights' targets; rows of other methods are empty here */
    int64_t *link;    /* [nrow + 1] */
    int32_t *of;      /* [link[nrow]] index in cell[] */
    double *share;    /* [link[nrow]] first-order coefficient */
    double *dx, *dy;  /* [link[nrow]] share * displacement */
} h3ou__gradient;

void h3ou__gradient_free(h3ou__gradient *g);
/* Sets target(row, layer) of the rows that g has; the others are left as they are. Both cells fastest; nsource and
 * ntarget cells. A cell with a missing neighbour (how->share 0, or NaN with skip_nan) counts with its mean alone. */
int h3ou__gradient_apply(const h3ou__gradient *g, const h3ou__apply *how, int64_t nsource, const double source[],
                         int64_t ntarget, double target[]);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Gradients of a field on the cells of a grid, as sparse linear forms of the neighbours' values, by least squares. */
#ifndef H3OU_INTERP_GRADIENT_H
#define H3OU_INTERP_GRADIENT_H

#include <stdint.h>

#include "interp/cells.h"

/* Of each source cell that has a part in a row: the stencil of its gradient in a tangent frame, and where its corners
 * are in that frame; of each link of the weights the displacement of the overlap's centroid. With these the product is
 * limited so that no value leaves the range of the stencil's (T. J. Barth and D. C. Jespersen, 1989). */
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

#endif

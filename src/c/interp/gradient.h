/* SPDX-License-Identifier: BSD-3-Clause */
/* Gradients of a field on the cells of a grid, as sparse linear forms of the neighbours' values, by least squares, and
 * the product that keeps them in bounds. */
#ifndef H3OU_INTERP_GRADIENT_H
#define H3OU_INTERP_GRADIENT_H

#include <stdint.h>

#include "interp/cells.h"
#include "interp/neighbours.h"
#include "interp/sparse.h"

/* The gradient of cell i in the tangent frame of h3ou__tangent_frame(middle + 3 * i): the sums of gx and gy times the
 * values of near.list, from near.start[i] on; the cell itself is among them. Empty where the neighbours do not say. */
typedef struct h3ou__slopes {
    double *middle; /* [3 * n] mean position over the cell, inside the sphere */
    h3ou__lists near;
    double *gx, *gy; /* [near.start[n]] per radian */
} h3ou__slopes;

/* Least squares over the neighbours by edge that take part, weighted by 1 / distance^2: exact for fields that are
 * linear in the tangent plane. area: of the cells, steradians. */
int h3ou__slopes_make(const h3ou__cells *c, const double area[], int threads, h3ou__slopes *out);
void h3ou__slopes_free(h3ou__slopes *s); /* frees the arrays, not s */
/* Two unit vectors across m: east and north, or the axes at a pole. */
void h3ou__tangent_frame(const double m[3], double east[3], double north[3]);

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

struct h3ou__weights;
/* For the rows of method number `number` of w, which must be conservative2. */
int h3ou__gradient_make(const h3ou__cells *source, const h3ou__cells *target, struct h3ou__weights *w, int number,
                        int threads, h3ou__gradient **out);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Applying weights to fields, with everything that a file of weights may hold: also fixed values and the limiter. */
#ifndef H3OU_TOOL_PRODUCT_H
#define H3OU_TOOL_PRODUCT_H

#include "interp/weights/sparse.h"
#include "interp/weights/weights.h"

/* The rows of weights that are not empty. Borrows the weights. */
typedef struct product {
    const h3ou__weights *weights;
    h3ou__sparse rows;
} product;

int product_create(const h3ou__weights *w, product *out);
void product_free(product *p);
/* Computes target[layer * ntarget + cell] from source[layer * nsource + cell]; target cells without a value get
 * `missing`. NaN in source is left out of the means, or, with is_spread, makes every target missing that has a link to
 * it. */
int product_apply(const product *p, int nlayer, bool is_spread, double missing, const double source[], double target[]);

#endif

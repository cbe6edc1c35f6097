/* SPDX-License-Identifier: BSD-3-Clause */
/* Weights times fields: all a file of weights says, fixed values and limiter included. */
#ifndef H3OU_TOOL_PRODUCT_H
#define H3OU_TOOL_PRODUCT_H

#include "interp/weights/sparse.h"
#include "interp/weights/weights.h"

/* The rows of weights that are not empty. Borrows the weights; frees nothing of theirs. */
typedef struct product {
    const h3ou__weights *weights;
    h3ou__sparse rows;
} product;

int product_create(const h3ou__weights *w, product *out);
void product_free(product *p);
/* target[layer * ntarget + cell] of source[layer * nsource + cell]; target cells without a value get `missing`. NaN in
 * source: left out of the means (is_spread: makes the targets missing that they have a part in). */
int product_apply(const product *p, int nlayer, bool is_spread, double missing, const double source[], double target[]);

#endif

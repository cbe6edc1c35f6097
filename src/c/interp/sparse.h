/* SPDX-License-Identifier: BSD-3-Clause */
/* Weights as sparse rows (one row a target cell) and their product with a field. */
#ifndef H3OU_INTERP_SPARSE_H
#define H3OU_INTERP_SPARSE_H

#include <stdint.h>

typedef struct h3ou__sparse {
    int64_t nrow;   /* target cells that have a row; others are left alone */
    int64_t *row;   /* [nrow] target cell, ascending, from 0 */
    int64_t *start; /* [nrow + 1] first entry of each row; the last is the number of entries */
    int64_t *col;   /* [start[nrow]] source cell, from 0, in the order of summation */
    double *coef;   /* [start[nrow]] */
} h3ou__sparse;

void h3ou__sparse_free(h3ou__sparse *s); /* frees the arrays, not s */
/* target[layer * ntarget + row] = factor * sum of coef * source[layer * nsource + col], in the row's order: the same
 * bits however the rows are spread over processes. */
void h3ou__sparse_apply(const h3ou__sparse *s, int64_t nsource, const double source[], int64_t ntarget, double target[],
                        int nlayer, double factor);

#endif

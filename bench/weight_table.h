/* SPDX-License-Identifier: BSD-3-Clause */
/* A table of as many weights for each target cell as bilinear interpolation has, for measurements. */
#ifndef H3OU_BENCH_WEIGHT_TABLE_H
#define H3OU_BENCH_WEIGHT_TABLE_H

#include <stdint.h>

enum { WEIGHT_LINKS = 4 };

typedef struct weight_table {
    int target, source; /* cells */
    int *col;           /* [target * WEIGHT_LINKS] source cells, from 0 */
    double *coef;
} weight_table;

/* Makes links to sources that are near in memory but not adjacent, as interpolation on a sphere has them. */
void weight_table_make(weight_table *t, int target, int source);
/* from: [layers][source]; to: [layers][target]. */
void weight_table_apply(const weight_table *t, int layers, const double *from, double *to);

#endif

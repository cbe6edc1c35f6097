/* SPDX-License-Identifier: BSD-3-Clause */
/* Some rows of a product of which not all entries count: shares of source cells, and values that are NaN. */
#ifndef H3OU_INTERP_WEIGHTS_COUNTED_ROWS_H
#define H3OU_INTERP_WEIGHTS_COUNTED_ROWS_H

#include <stdbool.h>

#include "interp/weights/row_sums.h"

enum { H3OU__PART_ENTRIES = 1024 }; /* the most that h3ou__counted_rows takes */

typedef struct h3ou__counted_rows {
    h3ou__rows rows; /* the entries whose share is above 0, coefficients times shares; may point into this struct */
    double factor;   /* of the results; that of rows is 1 */
    double missing;
    double whole[H3OU__PART_ROWS], weight[H3OU__PART_ROWS]; /* h3ou__row_weights */
    double counted[H3OU__PART_ROWS];                        /* sum of the coefficients in rows */
    int64_t start[H3OU__PART_ROWS + 1];
    int32_t col[H3OU__PART_ENTRIES];
    double coef[H3OU__PART_ENTRIES];
} h3ou__counted_rows;

/* share NULL: all count. Borrows the arrays of rows. */
void h3ou__counted_rows_make(h3ou__counted_rows *c, const h3ou__rows *rows, const double share[], double missing);
/* Makes means of the sums of c->rows, that of row r in layer k at sum[r * layers + k]. */
void h3ou__counted_rows_scale(const h3ou__counted_rows *c, int layers, double sum[]);
/* Returns the weights for the kernel `counted`; its rows are c->rows with the factor c->factor. */
h3ou__row_weights h3ou__counted_rows_weights(const h3ou__counted_rows *c);

#endif

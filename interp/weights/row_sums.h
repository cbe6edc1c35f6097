/* SPDX-License-Identifier: BSD-3-Clause */
/* The sums of some rows of a sparse product, by the widest vectors that this machine has. */
#ifndef H3OU_INTERP_WEIGHTS_ROW_SUMS_H
#define H3OU_INTERP_WEIGHTS_ROW_SUMS_H

#include <stdbool.h>
#include <stdint.h>

enum { H3OU__PART_ROWS = 64 }; /* the most rows that are computed together */

/* Rows whose entries stand one after the other. */
typedef struct h3ou__rows {
    int64_t count;
    /* [count + 1] first entry of each in col and coef; NULL: row r has `links`, from r * links on */
    const int64_t *start;
    int links;
    const int32_t *col;
    const double *coef;
    int64_t entries; /* how many may be read from col on: those of these rows, and of rows after them */
    double factor;   /* of all sums */
} h3ou__rows;

/* What rows of which not all entries count need beside their sums. */
typedef struct h3ou__row_weights {
    const double *whole;  /* [count] sum of coef over all entries, also those that h3ou__rows leaves out */
    const double *weight; /* [count] sum of |coef| over the same */
    double missing;       /* the result where nothing counts */
} h3ou__row_weights;

/* Which values of one layer do not count. */
typedef struct h3ou__absence {
    const double *share; /* of each source, or NULL */
    bool skips_nan;
    double missing; /* the result where nothing counts */
} h3ou__absence;

/* Each table's calls compute the same bits. `layers` may be any number. `from` has doubles, or, in the tables whose name
 * says single, floats, which are converted to double when they are read. */
typedef struct h3ou__row_kernels {
    /* to[r * to_stride + k] = factor * sum of coef * from[col * stride + k], begun with 0, in the order of the entries,
     * for each layer k. */
    void (*together)(const h3ou__rows *p, const void *from, int64_t stride, int layers, double *to, int64_t to_stride);
    /* The same with the layers apart: to[k * to_stride + r] of from[k * stride + col]. */
    void (*apart)(const h3ou__rows *p, const void *from, int64_t stride, int layers, double *to, int64_t to_stride);
    /* As `together`, of the entries whose values are not NaN: their mean, scaled by the sum of the whole row. */
    void (*counted)(const h3ou__rows *p, const h3ou__row_weights *w, const void *from, int64_t stride, int layers,
                    double *to, int64_t to_stride);
    /* to[r] of one layer with its cells next to each other, as sparse.h says it for shares and NaN. Without shares, to
     * has the plain results, of which only those that are NaN are computed. */
    void (*layer_counted)(const h3ou__rows *p, const h3ou__absence *a, const void *from, double *to);
    /* Returns whether the share of every entry's source is 1. */
    int (*count_fully)(const h3ou__rows *p, const double *share);
    int (*has_nan)(int64_t n, const double *value);
    /* to[k * to_stride + r] = from[r * stride + k] for r below count. */
    void (*turn)(int64_t count, int layers, const double *from, int64_t stride, double *to, int64_t to_stride);
    /* The same for results that are not read soon, with PART_ROWS rows at most. */
    void (*turn_past_caches)(int64_t count, int layers, const double *from, int64_t stride, double *to,
                             int64_t to_stride);
} h3ou__row_kernels;

extern const h3ou__row_kernels h3ou__row_kernels_plain, h3ou__row_kernels_plain_single;
#ifdef __x86_64__
extern const h3ou__row_kernels h3ou__row_kernels_avx2, h3ou__row_kernels_avx512;
extern const h3ou__row_kernels h3ou__row_kernels_avx2_single, h3ou__row_kernels_avx512_single;
#endif

/* Returns the fastest ones of this machine, for sources of float or double. */
const h3ou__row_kernels *h3ou__row_kernels_here(bool is_single);

#endif

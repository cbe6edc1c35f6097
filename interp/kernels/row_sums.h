/* SPDX-License-Identifier: BSD-3-Clause */
/* The sums of some rows of a sparse product, by the widest vectors that this machine has. */
#ifndef H3OU_INTERP_KERNELS_ROW_SUMS_H
#define H3OU_INTERP_KERNELS_ROW_SUMS_H

#include <stdbool.h>
#include <stdint.h>

enum { H3OU__PART_ROWS = 64 };  /* the most rows that are computed together */
enum { H3OU__STORE_ROWS = 256 }; /* the most rows whose results are stored together */

/* What is fetched into the caches before it is read, since the processor does not foresee it. */
enum h3ou__fetched { H3OU__FETCH_NOTHING, H3OU__FETCH_ENTRIES, H3OU__FETCH_SOURCES /* and entries */ };

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
    const double *divisor, *whole; /* [count] of the calls that scale sums; else not read */
    /* enum h3ou__fetched: what of the table the layers apart fetch; layers together fetch entries and sources of any.
     * Of a table whose entries are fetched, so are divisors, and shares that are looked up. */
    int fetched;
} h3ou__rows;

/* What the sources of a row are by their shares: all have share 1, as those of a row without entries; none counts, and
 * the coefficients do not add up to 0; or anything else. */
enum h3ou__row_kind { H3OU__ROW_FULL, H3OU__ROW_GONE, H3OU__ROW_MIXED };

/* Rows that are sorted by the shares of their sources. */
typedef struct h3ou__sorted_rows {
    const uint8_t *kind; /* enum h3ou__row_kind, of each row */
    h3ou__rows listed;   /* those of kind H3OU__ROW_MIXED, with coefficients times shares, divisors, and wholes */
} h3ou__sorted_rows;

/* Which values do not count, as sparse.h says it for shares and NaN. */
typedef struct h3ou__absence {
    const double *share; /* of each source, or NULL */
    bool skips_nan;
    double missing;     /* the result where nothing counts */
    const void *marked; /* with the layers apart, the sources as `mark` makes them of share, or NULL */
    const double *paired; /* with one layer, share and value of each source as `pair` makes them, or NULL */
} h3ou__absence;

/* Each table's calls compute the same bits. `layers` may be any number. `from` has doubles, or, in the tables whose name
 * says single, floats, which are converted to double when they are read. */
typedef struct h3ou__row_kernels {
    /* to[r * to_stride + k] = factor * sum of coef * from[col * stride + k], begun with 0, in the order of the entries,
     * for each layer k. */
    void (*together)(const h3ou__rows *p, const void *from, int64_t stride, int layers, double *to, int64_t to_stride);
    /* The same with the layers apart: to[k * to_stride + r] of from[k * stride + col]. */
    void (*apart)(const h3ou__rows *p, const void *from, int64_t stride, int layers, double *to, int64_t to_stride);
    /* The same two, of what counts. */
    void (*together_counted)(const h3ou__rows *p, const h3ou__absence *a, const void *from, int64_t stride, int layers,
                             double *to, int64_t to_stride);
    void (*apart_counted)(const h3ou__rows *p, const h3ou__absence *a, const void *from, int64_t stride, int layers,
                          double *to, int64_t to_stride);
    /* The first two again, with factor * (sum / divisor[r] * whole[r]) for each row r. Returns whether a result is NaN. */
    int (*together_scaled)(const h3ou__rows *p, const void *from, int64_t stride, int layers, double *to,
                           int64_t to_stride);
    int (*apart_scaled)(const h3ou__rows *p, const void *from, int64_t stride, int layers, double *to,
                        int64_t to_stride);
    /* The result of `together_counted` where the rows are sorted by a->share. Where a scaled sum is NaN, the value is
     * computed by its definition. Returns 0, and writes nothing, unless the layers fill one to five vectors. */
    int (*together_sorted)(const h3ou__rows *p, const h3ou__sorted_rows *sorted, const h3ou__absence *a,
                           const void *from, int64_t stride, int layers, double *to, int64_t to_stride);
    /* Returns whether n numbers are 1. */
    int (*are_ones)(int64_t n, const double *share);
    /* Copies the sources first..first+n-1 of one layer; one that does not count becomes NaN, and one of which only a
     * part counts, or that is NaN and counts, another NaN. Returns how many became the other. */
    int64_t (*mark)(int64_t n, const h3ou__absence *a, int64_t first, const void *from, void *marked);
    /* Writes as pairs[2 * i] and the number after it the share and the value of the sources first..first+n-1, as
     * doubles, both 0 of one that does not count. Returns how many count in part, or are NaN and count. */
    int64_t (*pair)(int64_t n, const h3ou__absence *a, int64_t first, const void *from, void *pairs);
    /* to[k * to_stride + r] = from[r * stride + k] for r below count. */
    void (*turn)(int64_t count, int layers, const double *from, int64_t stride, double *to, int64_t to_stride);
    /* The same for results that are not read soon, with STORE_ROWS rows at most. */
    void (*turn_past_caches)(int64_t count, int layers, const double *from, int64_t stride, double *to,
                             int64_t to_stride);
} h3ou__row_kernels;

extern const h3ou__row_kernels h3ou__row_kernels_plain, h3ou__row_kernels_plain_single;
#ifdef __x86_64__
extern const h3ou__row_kernels h3ou__row_kernels_avx2, h3ou__row_kernels_avx512;
extern const h3ou__row_kernels h3ou__row_kernels_avx2_single, h3ou__row_kernels_avx512_single;
#endif

/* Returns the fastest ones of this machine, for sources of float or double. together: how many layers stand together, 0
 * where the layers are apart. Layers that fill no vector would be computed one by one, so few of them get narrower
 * vectors. */
const h3ou__row_kernels *h3ou__row_kernels_here(bool is_single, int together);

#endif

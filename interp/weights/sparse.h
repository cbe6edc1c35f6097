/* SPDX-License-Identifier: BSD-3-Clause */
/* Weights as sparse rows (one row a target cell) and their product with a field. */
#ifndef H3OU_INTERP_WEIGHTS_SPARSE_H
#define H3OU_INTERP_WEIGHTS_SPARSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct h3ou__sparse {
    int64_t nrow;   /* target cells that have a row; others are left alone */
    int64_t *row;   /* [nrow] target cell, ascending, from 0 */
    int64_t *start; /* [nrow + 1] first entry of each row; the last is the number of entries */
    int32_t *col;   /* [start[nrow]] source cell, from 0, in the order of summation */
    double *coef;   /* [start[nrow]] */
    uint8_t *links; /* h3ou__sparse_prepare; or NULL */
    /* [nrun] first rows of runs, whose target cells stand next to each other; borrowed */
    const int64_t *run;
    int64_t nrun;   /* 0: there is one run, or nobody knows */
    int fetched;    /* h3ou__sparse_prepare: enum h3ou__fetched of row_sums.h */
} h3ou__sparse;

enum { H3OU__FAR_ENTRIES = 1 << 20 }; /* from which number on a table does not stay in the caches */

enum { H3OU__SPARSE_PART = 64 }; /* rows */
/* Returns `count` rows from row `first` on, which is a multiple of H3OU__SPARSE_PART, as a table of their own; target:
 * its [count] target cells. Nothing is copied, and it is not freed. */
h3ou__sparse h3ou__sparse_part(const h3ou__sparse *s, int64_t first, int64_t count, int64_t target[]);

void h3ou__sparse_free(h3ou__sparse *s); /* frees the arrays, not s */
/* Finds once what makes products faster; rows and entries may not change any more. H3OU__ENOMEM. */
int h3ou__sparse_prepare(h3ou__sparse *s);
/* Copies the arrays, which s must own, so that the memory of each part of them is first written by the thread that computes
 * its rows, which on many machines then has it near. threads as in h3ou__apply; does nothing for one thread, nor where memory is
 * short. */
void h3ou__sparse_place(h3ou__sparse *s, int threads);

/* The position of the value of a cell in a layer, for n cells. */
enum h3ou__layout {
    H3OU__CELLS_FASTEST, /* [layer * n + cell] */
    H3OU__LAYERS_FASTEST /* [cell * nlayer + layer] */
};

/* How the product is made. All zero but nlayer and factor: a plain product. */
typedef struct h3ou__apply {
    int nlayer;
    double factor;
    int source_layout, target_layout; /* enum h3ou__layout */
    int threads;                      /* 0: see h3ou__threads */
    /* [nsource] share of each source cell that counts, 0 to 1, the same for all layers; NULL: all count. The row
     * becomes sum(coef * share * value) / sum(coef * share), scaled by the row's own sum. */
    const double *share;
    /* Only with one layer, of double, with source_layout H3OU__CELLS_FASTEST, without share and skip_nan: the source is
     * [nsource][2], the share and the value of each cell, which are both 0 where it does not count. */
    bool is_paired;
    bool skip_nan;  /* source values that are NaN count with share 0 */
    double missing; /* of a target cell none of whose sources counts (only with share, is_paired or skip_nan) */
    /* h3ou__apply_room bytes, or NULL: with it, shares take less time with one layer, and with several where most are 0
     * or 1, with source_layout H3OU__CELLS_FASTEST. */
    void *room;
    /* Of this table, or NULL: with it, shares that are those of the product before take less time: what they make of the
     * rows is kept there. The product changes it. */
    struct h3ou__kept_shares *kept;
    int64_t share_number; /* above 0: products with the same number have the same shares; 0: they are compared */
    bool is_single; /* the sources are of float: they are converted to double, in which all sums are made */
    /* The sources were written last by another core: those that the caches hold are read once in their order, which takes less
     * time than to wait for them in the order of the rows. */
    bool is_from_afar;
    bool gives_single; /* results are rounded to float; only with target_layout H3OU__CELLS_FASTEST */
    const struct h3ou__row_kernels *kernels; /* row_sums.h, of the sources' type; NULL: the fastest of this machine */
} h3ou__apply;

/* Returns the bytes of how->room, for its nlayer and is_single. */
size_t h3ou__apply_room(const h3ou__apply *how, int64_t nsource);

/* target(row, layer) = factor * sum of coef * source(col, layer), in the row's order: the same bits however the rows
 * are spread over processes and threads, however many layers there are and in whichever layout. source: of double, or
 * with is_single of float; target: with gives_single of float. */
void h3ou__sparse_apply(const h3ou__sparse *s, const h3ou__apply *how, int64_t nsource, const void *source,
                        int64_t ntarget, void *target);

#endif

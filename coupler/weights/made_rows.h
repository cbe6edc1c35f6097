/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rows that a receiving process made from coordinates: of its own target cells only, and the search told which process
 * of the sending component owns each source cell. So they become a plan without asking any directory.
 */
#ifndef H3OU_COUPLER_WEIGHTS_MADE_ROWS_H
#define H3OU_COUPLER_WEIGHTS_MADE_ROWS_H

#include <stdint.h>

#include "coupler/weights/weights_cache.h"
#include "interp/weights/sparse.h"

typedef struct h3ou__made_rows {
    int64_t nsource, source_room;
    int64_t *source; /* [nsource] global index, from 1 */
    int64_t *owner;  /* [nsource] its process, as a rank of the sending component */
    int64_t n, room;
    int32_t *target; /* [n] of each link the position of the target cell among my cells */
    int32_t *col;    /* [n] and the source cell, as a position in source; a row's links in the order of summation */
    double *coef;    /* [n] */
} h3ou__made_rows;

/* Creates rows without links. id: [nsource] global numbers, from 0; owner: [nsource]; both are copied. */
int h3ou__made_rows_create(int64_t nsource, const int64_t id[], const int64_t owner[], h3ou__made_rows **out);
void h3ou__made_rows_free(h3ou__made_rows *r);

/* Makes room for so many links more. */
int h3ou__made_rows_reserve(h3ou__made_rows *r, int64_t links);
/* Appends a link, for which there is room. */
static inline void h3ou__made_rows_append(h3ou__made_rows *r, int64_t target, int64_t col, double coef)
{
    r->target[r->n] = (int32_t)target;
    r->col[r->n] = (int32_t)col;
    r->coef[r->n++] = coef;
}
/* Appends a source cell, whose position is the number of those before; it may be there already. */
int h3ou__made_rows_add_source(h3ou__made_rows *r, int64_t index, int64_t owner);

/* Drops the sources that no link uses, and sorts the others by ascending index, each once. */
int h3ou__made_rows_compact(h3ou__made_rows *r);
/* Makes sparse rows of ncell target cells from the links: col is a position in source. *out is zero before; H3OU__EARG
 * for a coefficient that is not finite. */
int h3ou__made_rows_to_sparse(const h3ou__made_rows *r, int64_t ncell, h3ou__sparse *out);
/* Appends the links as global indices to `links`, which may hold links of other processes' cells. index: [cells] the
 * indices of this process's cells. */
int h3ou__made_rows_to_links(const h3ou__made_rows *r, const int64_t index[], h3ou__cache_rows *links);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* A table of as many weights for each target cell as bilinear interpolation has, and the fastest product of it that is
 * known, for measurements: loops of its own, or the product of the library, whichever is measured to be faster. */
#ifndef H3OU_BENCH_LINK_TABLE_H
#define H3OU_BENCH_LINK_TABLE_H

#include <stdint.h>

enum { CELL_LINKS = 4 };

/* What a product fetches into the caches before it reads it. */
enum link_fetched { FETCH_NOTHING, FETCH_LINKS, FETCH_SOURCES /* and links */, FETCHES };

typedef struct link_table {
    int target, source; /* cells */
    int *col;           /* [target * CELL_LINKS] source cells, from 0 */
    double *coef;
    int after;   /* links that may be read after these */
    int fetched; /* enum link_fetched: link_table_tune */
    struct h3ou__sparse
        *rows; /* the same for the product of the library, if that is faster: link_table_tune; or NULL */
} link_table;

/* Makes links to sources that are near in memory but not adjacent, as interpolation on a sphere has them. */
void link_table_make(link_table *t, int target, int source);
/* Reads what exchange.py writes: target and source as int32, then the arrays. Returns 0, or -1. */
int link_table_read(link_table *t, const char *path);
/* Sets *out to the same rows with the sources in the order in which the rows read them first, and order[k], [source],
 * to the source that stands at k there. Returns how many are read; 0, and *out is nothing, where a cache of 32 kB would
 * not have to fetch lines for half of them less often: then it takes longer to put them in that order than it gains. */
int link_table_by_reading(const link_table *t, link_table *out, int *order);
/* Finds out, by measuring each, what a product of so many layers should fetch, and whether the library's is faster. */
void link_table_tune(link_table *t, int layers);
/* Finds out the first only, and takes the loops of this file. */
void link_table_tune_loops(link_table *t, int layers);
/* Makes it by the loops of this file, where the library's is faster, too. */
void link_table_apply_loops(const link_table *t, int layers, const double *from, double *to);
/* The layers of a cell stand together, which is the fastest for many: from: [source][layers]; to: [target][layers]. */
void link_table_apply(const link_table *t, int layers, const double *from, double *to);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* A table of places on the sphere in which places within H3OU__SAME_PLACE of each other count as one. */
#ifndef H3OU_INTERP_GRID_PLACE_TABLE_H
#define H3OU_INTERP_GRID_PLACE_TABLE_H

#include <stdint.h>

#define H3OU__SAME_PLACE 1e-9 /* length of a chord: 6 mm on the earth */

/* A hash table that has the places by their box of a fine lattice; for a place near the border of its box the
 * neighbouring boxes are searched as well. */
typedef struct h3ou__place_table {
    uint64_t mask; /* size of the table - 1 */
    int32_t *slot; /* place + 1, 0: empty */
    int64_t nplace;
    double *place; /* [3 * nplace] */
} h3ou__place_table;

/* The hashes of the boxes that a place touches when it may move by H3OU__SAME_PLACE; returns how many, 1 to 8. */
int h3ou__place_boxes(const double x[3], uint64_t hash[8]);

/* For up to n places; what names what they are, for the error. */
int h3ou__place_table_create(int64_t n, const char *what, h3ou__place_table *out);
void h3ou__place_table_free(h3ou__place_table *t); /* frees the arrays, not t */
/* The number of the place that was added first within H3OU__SAME_PLACE, or -1. */
int32_t h3ou__place_table_find(const h3ou__place_table *t, const double x[3]);
int32_t h3ou__place_table_find_or_add(h3ou__place_table *t, const double x[3]);

#endif

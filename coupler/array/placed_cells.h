/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where cells stand in the arrays that a model passes, as lists of numbers of their elements: with them a message is
 * packed from an array with a halo, or a product computed into it, without a copy of the cells. Lists are kept, since a
 * model passes arrays of the same shape in each step.
 */
#ifndef H3OU_COUPLER_ARRAY_PLACED_CELLS_H
#define H3OU_COUPLER_ARRAY_PLACED_CELLS_H

#include "coupler/array/model_array.h"
#include "coupler/cells/pack_cells.h"

/* The cells of some messages. All zero: of none. */
typedef struct h3ou__placed_cells {
    h3ou__place place; /* of the arrays for which they were found */
    h3ou__picked *list;
    int32_t *at;
} h3ou__placed_cells;

/* Returns for each of `lists` lists of cells that of their elements in the first layer. NULL: out of memory, or an
 * element has a number that does not fit. */
const h3ou__picked *h3ou__placed_cells_find(h3ou__placed_cells *p, const h3ou__place *place, int lists,
                                            const h3ou__picked list[]);
void h3ou__placed_cells_free(h3ou__placed_cells *p);

/* The cells of some rows of weights. All zero: of none. */
typedef struct h3ou__placed_rows {
    h3ou__place place;
    int columns;
    int64_t *at;
    bool ascends;
    int64_t *run; /* [nrun] first rows of long runs, whose elements stand next to each other; NULL: most are short */
    int64_t nrun;
} h3ou__placed_rows;

/* Finds the elements of `count` cells in the first layer, and the runs; or, of an array in which so many layers of a
 * cell stand together as columns, the numbers of these. columns: 1, or so many layers. Returns false if memory is
 * short, or the numbers do not ascend. */
bool h3ou__placed_rows_find(h3ou__placed_rows *p, const h3ou__place *place, int columns, int64_t count,
                            const int64_t cell[]);
void h3ou__placed_rows_free(h3ou__placed_rows *p);

#endif

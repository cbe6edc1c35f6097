/* SPDX-License-Identifier: BSD-3-Clause */
/* The arrays that a model passes to put and get, in the layout that they have in its memory. */
#ifndef H3OU_COUPLER_ARRAY_MODEL_ARRAY_H
#define H3OU_COUPLER_ARRAY_MODEL_ARRAY_H

#include <stdbool.h>
#include <stdint.h>

#include "coupler/config/config.h"
#include "coupler/grid/grid.h"

/* The arrays of one call, all of one type and shape, the first index fastest: (cell), (cell, layer), (x, y) or (x, y,
 * layer), x and y with the halo of the grid's block; (x, y) may stand as one index, too. Or of the shape that came with
 * the positions of the grid's cells. Where the members of an ensemble have a slice each, layers are those of all members,
 * or the two are two indices: (cell, layer, member). */
typedef struct h3ou__arrays {
    bool is_single; /* float, else double */
    int rank;       /* 1 to 3 */
    int64_t extent[3];
    int count;          /* components: 1, or of a vector 2 or, Cartesian, 3 */
    void *component[3]; /* borrowed; put only reads */
    const void *share;  /* (cell) or (x, y) of the same type, NULL: none */
    int64_t nshare;
} h3ou__arrays;

/* Where the cells of a grid stand in such an array: in rows of `row` cells, the first at `first`; or, with positions, cell
 * i at low[i] + high[i] * next_high. All numbers count elements. */
typedef struct h3ou__place {
    bool is_single;
    int64_t row, first, next_row, next_layer;
    const h3ou__positions *positions; /* NULL: in rows */
    int64_t next_high;
} h3ou__place;

/* Returns the element of the first layer where a cell stands. */
static inline int64_t h3ou__place_of(const h3ou__place *p, int64_t cell)
{
    if (p->positions)
        return p->positions->low[cell] + p->positions->high[cell] * p->next_high;
    if (p->next_row == p->row) /* no division is needed */
        return p->first + cell;
    return p->first + cell / p->row * p->next_row + cell % p->row;
}

/* Returns whether arrays of that shape hold `layer` layers of the grid's cells; sets *out when they do. */
bool h3ou__place_find(const h3ou__grid *g, const h3ou__arrays *a, int layer, h3ou__place *out);
/* The same for arrays of `slices` slices of so many layers. */
bool h3ou__place_find_slices(const h3ou__grid *g, const h3ou__arrays *a, int layer, int slices, h3ou__place *out);
/* The same for the array of shares. */
bool h3ou__place_find_share(const h3ou__grid *g, const h3ou__arrays *a, h3ou__place *out);
/* Fails with H3OU__ESIZE, naming the shape of the arrays and the shapes that would fit. */
int h3ou__arrays_misfit(const h3ou__arrays *a, const h3ou__config *config, const h3ou__config_var *var,
                        const char *field, const h3ou__grid *g, int slices);
/* Returns whether the cells stand one after the other; _is_plain: as doubles. */
bool h3ou__place_is_dense(const h3ou__place *p, int64_t n);
bool h3ou__place_is_plain(const h3ou__place *p, int64_t n);
/* Returns whether the layers of a cell stand together, and nothing between these columns. */
bool h3ou__place_has_columns(const h3ou__place *p);
/* Reads to[layer * n + cell] from the array, and returns whether one of the values is NaN, which raises no floating-point
 * exception. */
bool h3ou__place_read(const h3ou__place *p, int64_t n, int layer, const void *array, double to[]);
/* The same of some cells of one layer: to[i] is cell first + i. */
bool h3ou__place_read_cells(const h3ou__place *p, int64_t first, int64_t count, int layer, const void *array,
                            double to[]);
/* Returns where the values of cells from `cell` on stand one after the other as doubles, of at least *count cells, or
 * of all that there are; NULL: they do not, and *count is large. */
const double *h3ou__place_run(const h3ou__place *p, int64_t cell, int layer, const void *array, int64_t *count);
/* Writes one value to all layers of a cell. */
void h3ou__place_fill(const h3ou__place *p, int64_t cell, int layer, double value, void *array);
/* Writes array(cell[i], layer) from from[layer * n + cell[i]], i < count, for all layers; with skip_nan the array keeps
 * its value where that is NaN. */
void h3ou__place_write(const h3ou__place *p, int64_t n, int layer, const double from[], const int64_t cell[],
                       int64_t count, bool skip_nan, void *array);

#endif

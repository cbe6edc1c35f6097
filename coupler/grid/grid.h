/* SPDX-License-Identifier: BSD-3-Clause */
/* A grid of my component: which global cells this process holds, and a directory of who holds which cell. */
#ifndef H3OU_COUPLER_GRID_GRID_H
#define H3OU_COUPLER_GRID_GRID_H

#include <stdint.h>

#include "comm/comm.h"
#include "coupler/common/index_set.h"
#include "coupler/grid/cell_positions.h"
#include "coupler/grid/grid_geometry.h"
#include "coupler/grid/local_block.h"
#include "interp/grid/cells.h"
#include "interp/rows/regular_grid.h"

/* The directory is distributed: process r of the component keeps the entries of the indices r * block + 1 to
 * (r + 1) * block. */
typedef struct h3ou__grid {
    char name[H3OU__NAME + 1];
    int nz;         /* largest number of layers of a field on this grid */
    int64_t n;      /* my cells */
    int64_t *index; /* [n] global index, from 1 */
    int64_t last;   /* largest global index of the component; 0 for an empty grid */
    int64_t block;
    int64_t first;          /* of my block */
    h3ou__index_set kept;   /* the indices of my block that some process holds, minus `first` */
    int32_t *owner, *place; /* [kept.n] by ascending index: the rank that holds it, and its position among that rank's cells */
    h3ou__geometry geometry;
    h3ou__block local;  /* the layout of my cells in the model's arrays, when it is known */
    h3ou__positions positions; /* instead: where each of them stands there */
    h3ou__cells *cells; /* my cells by ascending index; NULL until h3ou__grid_cells */
    h3ou__regular_grid boxes; /* what the cells of all processes make up, found with `cells` */
    double *area;       /* [n] steradians, by h3ou__grid_find_areas; else NULL */
    int64_t *order;     /* [n] order[i]: the position in `index` of cell i of `cells` */
} h3ou__grid;

/* Copies the indices. H3OU__EINDEX for one below 1 or given twice on this process. */
int h3ou__grid_create(const char *name, const int index[], int64_t n, int nz, h3ou__grid **out);
void h3ou__grid_free(h3ou__grid *g);
/* Builds the directory. Collective over the component. H3OU__EINDEX, naming both ranks, for an index on two processes.
 */
int h3ou__grid_register(h3ou__grid *g, h3ou__comm *local);
/* Returns the process that keeps the entry of an index; -1 when the index is out of range. */
int h3ou__grid_keeper(const h3ou__grid *g, int64_t index);
/* Finds the rank that holds an index of my block, and its position among that rank's cells; false: no process holds it. */
bool h3ou__grid_owner(const h3ou__grid *g, int64_t index, int *rank, int64_t *place);

/* Makes `cells` and `order` from the geometry, once; needs centres or corners. All processes agree on what a file of the
 * whole grid would say: the kind of edges (circles of latitude when all cells of the grid are boxes, unless the model
 * said otherwise), and whether the cells are the boxes of a regular grid, with which bounds. Collective over the
 * component. H3OU__EARG names bad cells by their index. */
int h3ou__grid_cells(h3ou__grid *g, h3ou__comm *local);
/* The position among my cells of a global index, or -1; after h3ou__grid_cells. */
int64_t h3ou__grid_find_place(const h3ou__grid *g, int64_t index);

#endif

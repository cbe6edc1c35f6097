/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where the cells of this process stand in the model's own arrays, one by one, as the model said: for arrays that hold
 * cells in several regions, each with a halo, and whose layers may be any of their indices. Elements where no cell
 * stands belong to the model: the coupler neither reads nor writes them.
 */
#ifndef H3OU_COUPLER_GRID_CELL_POSITIONS_H
#define H3OU_COUPLER_GRID_CELL_POSITIONS_H

#include <stdint.h>

enum { H3OU__MAX_RANK = 3, H3OU__LAYERS_HERE = -1 };

typedef struct h3ou__positions {
    int rank;      /* extents of an array without layers; 0: the model gave no positions */
    int layers_at; /* how many of them stand before the layers */
    int64_t extent[H3OU__MAX_RANK];
    int64_t inner, size; /* elements of the extents before the layers; of one layer */
    int64_t *low, *high; /* [n] in an array of one layer the cell is element low + high * inner */
} h3ou__positions;

/* Stores what the model gave, from 0. shape: [rank] extents of its arrays, the first index fastest; H3OU__LAYERS_HERE
 * in place of one of them says where the layers are, else they are last. position: [n][indices but that of the layers].
 * index: [n] global index of each cell, for sentences. H3OU__EARG when a shape or a position is wrong, or two cells
 * stand in one place; H3OU__ESTATE when they were given before. */
int h3ou__positions_set(h3ou__positions *p, const char *grid, int64_t n, const int64_t index[], int rank,
                        const int shape[], const int position[]);
void h3ou__positions_free(h3ou__positions *p);

#endif

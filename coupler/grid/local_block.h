/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The cells of this process as a block of x by y cells with a halo around it, as models hold them in their own arrays;
 * in the order of the grid's indices x runs fastest. The halo belongs to the model: the coupler neither reads nor
 * writes it.
 */
#ifndef H3OU_COUPLER_GRID_LOCAL_BLOCK_H
#define H3OU_COUPLER_GRID_LOCAL_BLOCK_H

#include <stdbool.h>
#include <stdint.h>

typedef struct h3ou__block {
    bool is_known;
    bool has_halo;   /* the model gave the widths of the halo */
    int64_t nx, ny;  /* cells without the halo */
    int64_t halo[4]; /* left and right of a row, below the first row and above the last */
} h3ou__block;

/* Stores the sizes that the model gave. n: my cells. H3OU__EARG when n is not nx * ny. */
int h3ou__block_set(h3ou__block *b, const char *grid, int64_t n, int nx, int ny);
/* Stores the widths of the halo that the model gave: left, right, low, high. */
int h3ou__block_set_halo(h3ou__block *b, const char *grid, const int halo[4]);
/* Called when the model has described the grid. A block whose sizes it did not give is found from the indices of its n
 * cells when these fill rows of a grid with grid_nx columns (0: the grid has no rows). H3OU__EARG when there is a halo
 * but no block. */
int h3ou__block_complete(h3ou__block *b, const char *grid, const int64_t index[], int64_t n, int grid_nx);

/* Return the sizes of the block with its halo. */
static inline int64_t h3ou__block_width(const h3ou__block *b)
{
    return b->halo[0] + b->nx + b->halo[1];
}

static inline int64_t h3ou__block_height(const h3ou__block *b)
{
    return b->halo[2] + b->ny + b->halo[3];
}

#endif

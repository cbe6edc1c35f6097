/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/grid/local_block.h"

#include <inttypes.h>

#include "base/error.h"

int h3ou__block_set(h3ou__block *b, const char *grid, int64_t n, int nx, int ny)
{
    if (b->is_known)
        return h3ou__fail(H3OU__ESTATE, "h3ou_grid_block: the local shape of grid %s is given twice", grid);
    if (nx < 0 || ny < 0 || (int64_t)nx * ny != n)
        return h3ou__fail(H3OU__EARG,
                          "h3ou_grid_block: grid %s: a local shape of %d x %d cells does not fit the %" PRId64
                          " cells of this process; leave the halo out",
                          grid, nx, ny, n);
    b->is_known = true;
    b->nx = nx;
    b->ny = ny;
    return H3OU__OK;
}

int h3ou__block_set_halo(h3ou__block *b, const char *grid, const int halo[4])
{
    if (b->has_halo)
        return h3ou__fail(H3OU__ESTATE, "h3ou_grid_halo: the halo of grid %s is given twice", grid);
    for (int i = 0; i < 4; i++) {
        if (halo[i] < 0)
            return h3ou__fail(H3OU__EARG, "h3ou_grid_halo: grid %s: a halo of width %d: the four widths (left, right, low, high) "
                              "must be 0 or more",
                              grid, halo[i]);
        b->halo[i] = halo[i];
    }
    b->has_halo = true;
    return H3OU__OK;
}

/* Returns whether the cells are rows of equal length in the same columns; sets *length to the length of a row. */
static bool find_rows(const int64_t index[], int64_t n, int grid_nx, int64_t *length)
{
    *length = 0;
    while (*length < n && (index[*length] - 1) / grid_nx == (index[0] - 1) / grid_nx)
        ++*length;
    if (n == 0 || n % *length != 0)
        return n == 0;
    for (int64_t row = *length; row < n; row += *length)
        for (int64_t i = 0; i < *length; i++)
            if ((index[row + i] - 1) % grid_nx != (index[i] - 1) % grid_nx ||
                (index[row + i] - 1) / grid_nx != (index[row] - 1) / grid_nx)
                return false;
    return true;
}

int h3ou__block_complete(h3ou__block *b, const char *grid, const int64_t index[], int64_t n, int grid_nx)
{
    int64_t length;
    if (b->is_known)
        return H3OU__OK;
    if (grid_nx > 0 && find_rows(index, n, grid_nx, &length)) {
        b->is_known = true;
        b->nx = length;
        b->ny = n > 0 ? n / length : 0;
    } else if (b->has_halo) {
        return h3ou__fail(H3OU__EARG,
                          "grid %s has a halo, but the cells of this process are not known to be a block: %s (give "
                          "local_shape=[nx, ny], the sizes of this process's block without its halo)",
                          grid, grid_nx > 0 ? "their indices are no rows of grid_shape" : "there is no grid_shape");
    }
    return H3OU__OK;
}

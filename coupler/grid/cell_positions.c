/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/grid/cell_positions.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/grow.h"

static int set_shape(h3ou__positions *p, const char *grid, int rank, const int shape[])
{
    if (rank < 1 || rank > H3OU__MAX_RANK)
        return h3ou__fail(H3OU__EARG, "h3ou_grid_positions: grid %s: arrays of %d indices: there are 1 to %d", grid,
                          rank, H3OU__MAX_RANK);
    int used = 0, layers_at = -1;
    for (int i = 0; i < rank; i++) {
        if (shape[i] == H3OU__LAYERS_HERE && layers_at < 0)
            layers_at = used;
        else if (shape[i] < 0)
            return h3ou__fail(
                H3OU__EARG,
                "h3ou_grid_positions: grid %s: an extent of %d: extents are 0 or more, and one may be -1, "
                "which stands for the layers",
                grid, shape[i]);
        else
            p->extent[used++] = shape[i];
    }
    if (used == 0)
        return h3ou__fail(H3OU__EARG, "h3ou_grid_positions: grid %s: the shape has no index but that of the layers",
                          grid);
    p->layers_at = layers_at < 0 ? used : layers_at;
    p->inner = p->size = 1;
    for (int i = 0; i < used; i++) {
        if (p->extent[i] > 0 && p->size > INT64_MAX / p->extent[i])
            return h3ou__fail(H3OU__EARG, "h3ou_grid_positions: grid %s: the shape is too large", grid);
        p->size *= p->extent[i];
        p->inner *= i < p->layers_at ? p->extent[i] : 1;
    }
    p->rank = used;
    return H3OU__OK;
}

static int set_position(h3ou__positions *p, const char *grid, int64_t index, const int at[], int64_t *low,
                        int64_t *high)
{
    int64_t step = 1;
    *low = *high = 0;
    for (int i = 0; i < p->rank; i++) {
        if (i == p->layers_at)
            step = 1;
        if (at[i] < 0 || at[i] >= p->extent[i])
            return h3ou__fail(H3OU__EARG,
                              "h3ou_grid_positions: grid %s: cell %" PRId64
                              " stands outside of the array: index %d of its "
                              "position is number %" PRId64 " of %" PRId64,
                              grid, index, i + 1, (int64_t)at[i] + 1, p->extent[i]);
        *(i < p->layers_at ? low : high) += step * at[i];
        step *= p->extent[i];
    }
    return H3OU__OK;
}

typedef struct placed {
    int64_t at, index;
} placed;

static int compare_places(const void *a, const void *b)
{
    const placed *x = a, *y = b;
    return x->at != y->at ? (x->at > y->at) - (x->at < y->at) : (x->index > y->index) - (x->index < y->index);
}

/* No two cells may stand in one place, since get could not set both. */
static int check_distinct(const h3ou__positions *p, const char *grid, int64_t n, const int64_t index[])
{
    int err = H3OU__OK;
    placed *all = n > 0 ? malloc((size_t)n * sizeof *all) : NULL;
    if (n > 0 && !all)
        return h3ou__no_memory("the positions of the cells of grid %s", grid);
    for (int64_t i = 0; i < n; i++)
        all[i] = (placed){p->low[i] + p->high[i] * p->inner, index[i]};
    if (n > 1)
        qsort(all, (size_t)n, sizeof *all, compare_places);
    for (int64_t i = 1; i < n && !err; i++)
        if (all[i].at == all[i - 1].at)
            err = h3ou__fail(H3OU__EARG,
                             "h3ou_grid_positions: grid %s: the cells %" PRId64 " and %" PRId64
                             " stand in one place of the array",
                             grid, all[i - 1].index, all[i].index);
    free(all);
    return err;
}

int h3ou__positions_set(h3ou__positions *p, const char *grid, int64_t n, const int64_t index[], int rank,
                        const int shape[], const int position[])
{
    if (p->rank > 0)
        return h3ou__fail(H3OU__ESTATE, "h3ou_grid_positions: the positions of the cells of grid %s are given twice",
                          grid);
    h3ou__positions given = {0};
    int err = set_shape(&given, grid, rank, shape);
    if (!err && n > 0) {
        given.low = malloc((size_t)n * sizeof *given.low);
        given.high = malloc((size_t)n * sizeof *given.high);
        err = given.low && given.high ? H3OU__OK : h3ou__no_memory("the positions of the cells of grid %s", grid);
    }
    for (int64_t i = 0; i < n && !err; i++)
        err = set_position(&given, grid, index[i], position + i * given.rank, &given.low[i], &given.high[i]);
    if (!err)
        err = check_distinct(&given, grid, n, index);
    if (err)
        h3ou__positions_free(&given);
    else
        *p = given;
    return err;
}

void h3ou__positions_free(h3ou__positions *p)
{
    free(p->low);
    free(p->high);
    *p = (h3ou__positions){0};
}

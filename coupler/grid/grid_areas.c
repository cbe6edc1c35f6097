/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/grid/grid_areas.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/grow.h"
#include "comm/collective/collective.h"
#include "interp/grid/cell_areas.h"

int h3ou__grid_measure(const h3ou__grid *g, int threads, double **out)
{
    double *by_number = NULL;
    int err = H3OU__OK;
    *out = NULL;
    if (g->n > 0 && !g->geometry.area && g->cells)
        err = h3ou__cells_measure(g->cells, threads, &by_number);
    if (err || (g->n > 0 && !g->geometry.area && !by_number))
        return err;
    double *area = *out = calloc((size_t)g->n + 1, sizeof *area);
    for (int64_t i = 0; i < g->n && area; i++)
        if (g->geometry.area)
            area[i] = g->geometry.area[i];
        else
            area[g->order[i]] = by_number[i];
    free(by_number);
    return area ? H3OU__OK : h3ou__no_memory("the areas of cells");
}

int h3ou__grid_find_areas(h3ou__grid *g, h3ou__comm *local)
{
    const h3ou__geometry *m = &g->geometry;
    int64_t lacks[2] = {g->n > 0 && !m->area, g->n > 0 && !m->area && !m->corner_lon}, all[2];
    if (g->area)
        return H3OU__OK;
    int err = h3ou__allreduce(local, lacks, all, 2, H3OU__INT64, H3OU__MAX);
    if (err || all[1])
        return err;
    if (all[0])
        err = h3ou__grid_cells(g, local);
    return err ? err : h3ou__grid_measure(g, 1, &g->area);
}

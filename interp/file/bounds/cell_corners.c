/* SPDX-License-Identifier: BSD-3-Clause */
#include "interp/file/bounds/cell_corners.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/grow.h"
#include "interp/file/bounds/curvilinear.h"

/* *found: the cells have become boxes. */
static int set_boxes(h3ou__cells *c, const h3ou__corner_lists *g, int64_t nx, int64_t ny, int edges, bool *found)
{
    double *lon = malloc(2 * sizeof *lon * (size_t)nx), *lat = malloc(2 * sizeof *lat * (size_t)ny);
    int err = lon && lat ? H3OU__OK : h3ou__no_memory("the bounds of %s", c->name);
    *found = !err && h3ou__corners_are_regular(g, nx, ny, lon, lat);
    if (*found)
        err = h3ou__cells_set_boxes(c, nx, ny, lon, lat, edges);
    free(lon);
    free(lat);
    return err;
}

int h3ou__cell_corners_set(h3ou__cells *c, const h3ou__corner_lists *g, int64_t nnode, int64_t nx, int64_t ny,
                           int edges)
{
    bool is_list = nx == 0, found = false;
    int err = c->bad ? h3ou__cells_mask_bad_corners(c, g, edges) : H3OU__OK;
    if (err)
        return err;
    if (is_list) {
        nx = h3ou__corners_row_length(g);
        ny = nx > 1 ? c->n / nx : 0;
    }
    if (nx > 1 && ny > 1)
        err = set_boxes(c, g, nx, ny, edges, &found);
    c->listed = found && is_list;
    if (err || found)
        return err;
    err = g->node ? h3ou__cells_set_nodes(c, nnode, g->lon, g->lat, g->most, g->node, edges)
                  : h3ou__cells_set_corners(c, g->most, g->lon, g->lat, g->count, edges);
    if (!err && !is_list)
        err = h3ou__curvilinear_set(c, nx, ny);
    return err;
}

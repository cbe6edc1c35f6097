/* SPDX-License-Identifier: BSD-3-Clause */
#include "interp/file/bounds/cell_corners.h"

#include <stddef.h>

#include "interp/file/bounds/curvilinear.h"
#include "interp/rows/regular_grid.h"

int h3ou__cell_corners_set(h3ou__cells *c, const h3ou__corner_lists *g, int64_t nnode, int64_t nx, int64_t ny,
                           int edges)
{
    bool is_list = nx == 0;
    h3ou__regular_grid boxes = {0};
    int err = c->bad ? h3ou__cells_mask_bad_corners(c, g, edges) : H3OU__OK;
    if (!err && (is_list || (nx > 1 && ny > 1)))
        err = h3ou__regular_grid_find(g, nx, ny, c->n, NULL, &boxes);
    bool found = boxes.nx > 0;
    if (!err && found)
        err = h3ou__cells_set_boxes(c, boxes.nx, boxes.ny, boxes.lon_bounds, boxes.lat_bounds, edges);
    h3ou__regular_grid_free(&boxes);
    c->listed = found && is_list;
    if (err || found)
        return err;
    err = g->node ? h3ou__cells_set_nodes(c, nnode, g->lon, g->lat, g->most, g->node, edges)
                  : h3ou__cells_set_corners(c, g->most, g->lon, g->lat, g->count, edges);
    if (!err && !is_list)
        err = h3ou__curvilinear_set(c, nx, ny);
    return err;
}

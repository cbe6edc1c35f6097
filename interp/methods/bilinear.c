/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Interpolation between the centres around a target.
 *
 * bilinear: in longitude and latitude on regular grids, by the inverse of the bilinear map on curvilinear ones. Between
 * the last row and a pole that the grid goes round: along the meridian, from the ring before the pole to that behind
 * it, which is of second order too. In rows of unlike length the same, with each row's own two cells. Cells that are no
 * quadrilaterals: as barycentric. barycentric: generalised
 * barycentric coordinates in the polygons between the centres of the cells around each vertex.
 */
#include "interp/stencils/centre_search.h"

static int open_bilinear(const h3ou__method_task *task, void **state)
{
    return h3ou__centre_search_open(task, "bilinear", true, state);
}

static int open_barycentric(const h3ou__method_task *task, void **state)
{
    return h3ou__centre_search_open(task, "barycentric", false, state);
}

static int serve_bilinear(const h3ou__method_task *task, const void *state, int64_t target, h3ou__row *row)
{
    const h3ou__centre_search *s = state;
    const h3ou__cells *t = task->target;
    if (s->raster)
        return h3ou__raster_serve(s->raster, t->lon[target], t->lat[target], 2, row);
    if (s->pairs)
        return h3ou__row_pairs_serve(s->pairs, t->lon[target], t->lat[target], row);
    const h3ou__spot spot = {t->xyz + 3 * target, t->lon[target], t->lat[target]};
    return h3ou__dual_serve(s->dual, &spot, true, row);
}

static int serve_barycentric(const h3ou__method_task *task, const void *state, int64_t target, h3ou__row *row)
{
    const h3ou__centre_search *s = state;
    const h3ou__cells *t = task->target;
    const h3ou__spot spot = {t->xyz + 3 * target, t->lon[target], t->lat[target]};
    return h3ou__dual_serve(s->dual, &spot, false, row);
}

/* A centre that counts belongs to a cell at a vertex near the target: two diameters away. That the polygons around are
 * whole takes a third; cells whose centres stand askew, a fourth. */
static double bilinear_halo(const h3ou__method_keys *keys, double source_diameter)
{
    (void)keys;
    return 4.0 * source_diameter;
}

const h3ou__method h3ou__method_bilinear = {
    .name = "bilinear",
    .links = 4.0,
    .help = "bilinear between four centres, also in rows of unlike length; polygons: as barycentric",
    .keys = "",
    .open = open_bilinear,
    .serve = serve_bilinear,
    .close = h3ou__centre_search_close,
    .halo = bilinear_halo,
    .latitude_rows = true,
    .source_corners = true,
    .map_method = {.name = "Bilinear remapping"},
};
const h3ou__method h3ou__method_barycentric = {
    .name = "barycentric",
    .links = 3.0,
    .help = "linear between the centres of the cells around a vertex, of any shape",
    .keys = "",
    .open = open_barycentric,
    .serve = serve_barycentric,
    .close = h3ou__centre_search_close,
    .halo = bilinear_halo,
    .source_corners = true,
};

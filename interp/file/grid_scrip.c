/* SPDX-License-Identifier: BSD-3-Clause */
/* Grids as SCRIP describes them (P. W. Jones, 1998, A User's Guide for SCRIP, section 2.2.3). */
#include <stdlib.h>

#include "base/error.h"
#include "interp/file/bounds/cell_corners.h"
#include "interp/file/bounds/curvilinear.h"
#include "interp/file/formats.h"
#include "interp/file/netcdf/field_mask.h"

static bool is_scrip_grid(const h3ou__nc *r)
{
    return h3ou__nc_has(r, "grid_center_lat");
}

static int read_corners(const h3ou__nc *r, const h3ou__nc_var *centre_lon, const h3ou__nc_var *centre_lat,
                        const int size[2], int edges, h3ou__cells *c)
{
    h3ou__nc_var lon, lat;
    double *x = NULL, *y = NULL;
    size_t n = (size_t)c->n;
    if (!h3ou__nc_has(r, "grid_corner_lat") && !h3ou__nc_has(r, "grid_corner_lon"))
        return size[0] > 0 ? h3ou__curvilinear_set(c, size[0], size[1]) : H3OU__OK;
    int err = h3ou__nc_need(r, "grid_corner_lat", 0, &lat);
    if (!err)
        err = h3ou__nc_need(r, "grid_corner_lon", lat.all, &lon);
    if (!err && (lat.rank != 2 || lat.size[0] != n || lon.rank != 2 || lon.size[0] != n || lat.size[1] > 1000))
        err =
            h3ou__nc_bad(r, "grid_corner_lat", "must have the dimensions (grid_size, grid_corners) with %zu cells", n);
    if (!err)
        err = h3ou__nc_angles(r, &lon, centre_lon, &x);
    if (!err)
        err = h3ou__nc_angles(r, &lat, centre_lat, &y);
    const h3ou__corner_lists lists = {
        .n = c->n, .most = err ? 0 : (int)lat.size[1], .lon = x, .lat = y, .mask = c->mask};
    if (!err && (err = h3ou__cell_corners_set(c, &lists, 0, size[0], size[1], edges)) != H3OU__OK)
        err = h3ou__nc_bad_in(r, "grid_corner_lon, grid_corner_lat", err);
    free(x);
    free(y);
    return err;
}

/* Columns and rows; 0: the grid is a list of cells. */
static int read_dims(const h3ou__nc *r, int64_t n, int size[2])
{
    h3ou__nc_var v;
    int *given = NULL;
    size[0] = size[1] = 0;
    if (!h3ou__nc_find(r, "grid_dims", &v) || v.all != 2)
        return H3OU__OK;
    int err = h3ou__nc_ints(r, &v, &given);
    if (err)
        return err;
    if (given[0] < 1 || given[1] < 1 || (int64_t)given[0] * given[1] != n)
        err = h3ou__nc_bad(r, "grid_dims", "is %d x %d, the grid has %lld cells", given[0], given[1], (long long)n);
    else if (given[0] > 1 && given[1] > 1) {
        size[0] = given[0];
        size[1] = given[1];
    }
    free(given);
    return err;
}

static int read_grid(const h3ou__nc *r, int edges, h3ou__cells **out)
{
    h3ou__nc_var lon, lat;
    double *x = NULL, *y = NULL;
    int *m = NULL, size[2], err = h3ou__nc_need(r, "grid_center_lat", 0, &lat);
    if (!err)
        err = h3ou__nc_need(r, "grid_center_lon", lat.all, &lon);
    if (!err && lat.all == 0)
        err = h3ou__nc_bad(r, "grid_center_lat", "has no cells");
    if (!err)
        err = h3ou__nc_angles(r, &lon, NULL, &x);
    if (!err)
        err = h3ou__nc_angles(r, &lat, NULL, &y);
    if (!err)
        err = h3ou__nc_wanted_mask(r, lat.all, &m);
    if (!err && h3ou__nc_mask_is_own(r) && h3ou__nc_has(r, "grid_imask"))
        err = h3ou__nc_int_mask(r, "grid_imask", lat.all, 0, &m);
    if (!err && (err = h3ou__nc_cells(r, r->base, lat.all, x, y, m, out)) != H3OU__OK)
        err = h3ou__nc_bad_in(r, "grid_center_lon, grid_center_lat", err);
    free(x);
    free(y);
    free(m);
    if (!err)
        err = read_dims(r, (*out)->n, size);
    if (!err)
        err = read_corners(r, &lon, &lat, size, edges == H3OU__EDGES_UNREAD ? H3OU__EDGES_DEFAULT : edges, *out);
    if (!err)
        err = h3ou__nc_areas(r, "grid_area", lat.all, (*out)->mask, &(*out)->area);
    return err;
}

const h3ou__grid_format h3ou__grid_scrip = {
    .name = "scrip",
    .known_by = "grid_center_lat (SCRIP)",
    .is = is_scrip_grid,
    .read = read_grid,
};

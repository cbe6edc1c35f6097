/* SPDX-License-Identifier: BSD-3-Clause */
/* Grids as OASIS3-MCT keeps them (S. Valcke et al., OASIS3-MCT User Guide, "Grid data files"): grids.nc has NAME.lon,
 * NAME.lat and the corners NAME.clo, NAME.cla of many grids, each (y, x) or (corners, y, x); masks.nc beside it has
 * NAME.msk, in which 1 is masked. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/log.h"
#include "interp/file/bounds/cell_corners.h"
#include "interp/file/bounds/curvilinear.h"
#include "interp/file/formats.h"
#include "interp/file/netcdf/field_mask.h"

static bool has_of(const h3ou__nc *r, const char *grid, const char *suffix)
{
    char name[NC_MAX_NAME + 8];
    snprintf(name, sizeof name, "%s%s", grid, suffix);
    return h3ou__nc_has(r, name);
}

/* The k-th grid of the file; "": there are fewer. */
static void find_grid(const h3ou__nc *r, int k, char grid[NC_MAX_NAME + 1])
{
    int n = 0;
    nc_inq_nvars(r->id, &n);
    for (int id = 0; id < n; id++) {
        if (nc_inq_varname(r->id, id, grid))
            continue;
        size_t length = strlen(grid);
        if (length < 5 || strcmp(grid + length - 4, ".lon") != 0)
            continue;
        grid[length - 4] = 0;
        if (has_of(r, grid, ".lat") && k-- == 0)
            return;
    }
    grid[0] = 0;
}

static bool is_oasis_grids(const h3ou__nc *r)
{
    char grid[NC_MAX_NAME + 1];
    find_grid(r, 0, grid);
    return grid[0] != 0;
}

/* The grid that is asked for, or the only one. */
static int choose_grid(const h3ou__nc *r, char grid[NC_MAX_NAME + 1])
{
    char names[2 * NC_MAX_NAME] = "";
    int k = 0;
    for (find_grid(r, 0, grid); grid[0]; find_grid(r, ++k, grid)) {
        size_t used = strlen(names);
        if (r->grid && !strcmp(grid, r->grid))
            return H3OU__OK;
        snprintf(names + used, sizeof names - used, "%s%s", k > 0 ? ", " : "", grid);
    }
    find_grid(r, 0, grid);
    if (r->grid)
        return h3ou__nc_bad(r, r->grid, "there is no such grid; the file has %s", names);
    if (k > 1)
        return h3ou__nc_bad(r, "grid", "the file has the grids %s: name one, as in %s:%s", names, r->file, grid);
    return H3OU__OK;
}

static int read_angles(const h3ou__nc *r, const char *grid, const char *suffix, size_t n, h3ou__nc_var *v, double **out)
{
    char name[NC_MAX_NAME + 8];
    snprintf(name, sizeof name, "%s%s", grid, suffix);
    int err = h3ou__nc_need(r, name, n, v);
    return err ? err : h3ou__nc_angles(r, v, NULL, out);
}

/* The name of the file of masks: that of the grids with "masks" for "grids", or masks.nc in the same folder. */
static void name_masks(const h3ou__nc *r, char *name, size_t room)
{
    int folder = (int)(r->base - r->file);
    const char *word = strstr(r->base, "grids");
    if (word)
        snprintf(name, room, "%.*smasks%s", (int)(word - r->file), r->file, word + 5);
    else
        snprintf(name, room, "%.*smasks.nc", folder, r->file);
}

/* In OASIS's masks 1 is masked; h3ou's, as SCRIP's, are the other way round. */
static int read_mask(const h3ou__nc *r, const char *grid, size_t n, int **out)
{
    char file[4096], name[NC_MAX_NAME + 8];
    h3ou__nc masks;
    if (!h3ou__nc_mask_is_own(r))
        return h3ou__nc_wanted_mask(r, n, out);
    name_masks(r, file, sizeof file);
    if (access(file, F_OK) != 0) {
        h3ou__log(H3OU__LOG_WHISPER, "grid", "file=%s mask=none why=\"there is no %s\"", r->file, file);
        return H3OU__OK;
    }
    snprintf(name, sizeof name, "%s.msk", grid);
    int err = h3ou__nc_open(file, &masks);
    if (err)
        return err;
    masks.reading = r->reading;
    err = h3ou__nc_int_mask(&masks, name, n, 1, out);
    h3ou__nc_close(&masks);
    return err;
}

/* (corners, cells) to (cells, corners). */
static double *transpose_corners(const double *from, size_t n, size_t most)
{
    double *to = malloc(sizeof *to * (n * most + 1));
    for (size_t i = 0; to && i < n; i++)
        for (size_t k = 0; k < most; k++)
            to[i * most + k] = from[k * n + i];
    return to;
}

static int read_corners(const h3ou__nc *r, const char *grid, int edges, int64_t nx, int64_t ny, h3ou__cells *c)
{
    h3ou__nc_var v, w;
    double *lon = NULL, *lat = NULL, *x = NULL, *y = NULL;
    size_t n = (size_t)c->n, most = 0;
    int err = read_angles(r, grid, ".clo", 0, &v, &lon);
    if (!err)
        err = read_angles(r, grid, ".cla", v.all, &w, &lat);
    if (!err && (v.rank < 2 || (most = v.size[0]) * n != v.all || most > 1000))
        err = h3ou__nc_bad(r, v.name, "must have the dimensions (corners, y, x) with %zu cells", n);
    if (!err && (!(x = transpose_corners(lon, n, most)) || !(y = transpose_corners(lat, n, most))))
        err = h3ou__nc_no_memory(r, v.name);
    const h3ou__corner_lists lists = {.n = c->n, .most = (int)most, .lon = x, .lat = y, .mask = c->mask};
    if (!err && (err = h3ou__cell_corners_set(c, &lists, 0, nx, ny, edges)) != H3OU__OK)
        err = h3ou__nc_bad_in(r, v.name, err);
    free(lon);
    free(lat);
    free(x);
    free(y);
    return err;
}

static int read_grid(const h3ou__nc *r, int edges, h3ou__cells **out)
{
    char grid[NC_MAX_NAME + 1];
    h3ou__nc_var lon, lat;
    double *x = NULL, *y = NULL;
    int *mask = NULL, err = choose_grid(r, grid);
    if (!err)
        err = read_angles(r, grid, ".lon", 0, &lon, &x);
    if (!err)
        err = read_angles(r, grid, ".lat", lon.all, &lat, &y);
    if (!err && (lon.all == 0 || lon.rank > 2))
        err = h3ou__nc_bad(r, lon.name, "must have the dimensions (y, x), or one");
    if (!err)
        err = read_mask(r, grid, lon.all, &mask);
    if (!err && (err = h3ou__nc_cells(r, grid, lon.all, x, y, mask, out)) != H3OU__OK)
        err = h3ou__nc_bad_in(r, lon.name, err);
    free(x);
    free(y);
    free(mask);
    if (err)
        return err;
    bool is_plane = lon.rank == 2 && lon.size[0] > 1 && lon.size[1] > 1;
    int64_t nx = is_plane ? (int64_t)lon.size[1] : 0, ny = is_plane ? (int64_t)lon.size[0] : 0;
    if (has_of(r, grid, ".clo"))
        return read_corners(r, grid, edges == H3OU__EDGES_UNREAD ? H3OU__EDGES_DEFAULT : edges, nx, ny, *out);
    return is_plane ? h3ou__curvilinear_set(*out, nx, ny) : H3OU__OK;
}

const h3ou__grid_format h3ou__grid_oasis = {
    .name = "oasis",
    .known_by = "NAME.lon and NAME.lat (OASIS)",
    .is = is_oasis_grids,
    .read = read_grid,
    .has_names = true,
};

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Regular grids whose pole is turned (CF conventions 1.10, appendix F, "Rotated pole"): the field's own dimensions are
 * longitude and latitude of the grid, and its grid_mapping tells where the pole is. Files that give longitudes and
 * latitudes with bounds, too, are read as CF.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "interp/file/named/axis_bounds.h"
#include "interp/file/bounds/cell_corners.h"
#include "interp/file/bounds/curvilinear.h"
#include "interp/file/formats.h"
#include "interp/file/netcdf/field_mask.h"
#include "interp/sphere/angles.h"

typedef struct rotated {
    h3ou__nc_var field, lon, lat;
    double pole_lon, pole_lat, turn; /* radians; of the grid's pole; longitude of the true pole in the grid */
} rotated;

/* The variable of a dimension's name. Not all programs write the standard name, so only the other axis' is refused. */
static bool find_axis(const h3ou__nc *r, int dim, const char *not_this, h3ou__nc_var *out)
{
    char name[NC_MAX_NAME + 1], text[64];
    return nc_inq_dimname(r->id, dim, name) == NC_NOERR && h3ou__nc_find(r, name, out) && out->rank == 1 &&
           strcmp(h3ou__nc_text(r, out->id, "standard_name", text, sizeof text), not_this) != 0;
}

static bool find_pole(const h3ou__nc *r, const h3ou__nc_var *field, rotated *g)
{
    char mapping[NC_MAX_NAME + 1], text[64];
    double lon = 0.0, lat = 0.0, turn = 0.0;
    int id;
    h3ou__nc_text(r, field->id, "grid_mapping", mapping, sizeof mapping);
    if (!mapping[0] || nc_inq_varid(r->id, mapping, &id) ||
        strcmp(h3ou__nc_text(r, id, "grid_mapping_name", text, sizeof text), "rotated_latitude_longitude") != 0 ||
        !h3ou__nc_number(r, id, "grid_north_pole_longitude", &lon) ||
        !h3ou__nc_number(r, id, "grid_north_pole_latitude", &lat))
        return false;
    h3ou__nc_number(r, id, "north_pole_grid_longitude", &turn);
    g->pole_lon = lon * H3OU__RADIANS_PER_DEGREE;
    g->pole_lat = lat * H3OU__RADIANS_PER_DEGREE;
    g->turn = turn * H3OU__RADIANS_PER_DEGREE;
    return true;
}

/* Has one of the field's coordinates bounds of its own? */
static bool has_true_bounds(const h3ou__nc *r, const h3ou__nc_var *field)
{
    char names[2048], bounds[NC_MAX_NAME + 1], *next = NULL;
    h3ou__nc_var v;
    h3ou__nc_text(r, field->id, "coordinates", names, sizeof names);
    for (char *word = strtok_r(names, " ", &next); word; word = strtok_r(NULL, " ", &next))
        if (h3ou__nc_find(r, word, &v) && v.rank == 2 &&
            h3ou__nc_has(r, h3ou__nc_text(r, v.id, "bounds", bounds, sizeof bounds)))
            return true;
    return false;
}

static bool find_field(const h3ou__nc *r, rotated *g)
{
    int n = 0;
    nc_inq_nvars(r->id, &n);
    for (int id = 0; id < n; id++)
        if (h3ou__nc_look(r, id, &g->field) && g->field.rank > 1 &&
            find_axis(r, g->field.dim[g->field.rank - 1], "grid_latitude", &g->lon) &&
            find_axis(r, g->field.dim[g->field.rank - 2], "grid_longitude", &g->lat) && find_pole(r, &g->field, g))
            return !has_true_bounds(r, &g->field);
    return false;
}

static bool is_rotated(const h3ou__nc *r)
{
    rotated g;
    return find_field(r, &g);
}

/* A place of the rotated grid in true longitude and latitude. */
static void unrotate(const rotated *g, double lon, double lat, double *true_lon, double *true_lat)
{
    double level = cos(lat), x = level * cos(lon - g->turn), y = level * sin(lon - g->turn), z = sin(lat);
    double up = cos(g->pole_lat) * x + sin(g->pole_lat) * z, out = cos(g->pole_lat) * z - sin(g->pole_lat) * x;
    *true_lon = remainder(g->pole_lon + atan2(-y, out), 2 * H3OU__PI);
    *true_lat = atan2(up, hypot(out, y));
}

/* Two bounds of each value of an axis, in radians: the file's, or halfway. */
static int read_bounds(const h3ou__nc *r, const h3ou__nc_var *axis, double **out)
{
    char name[NC_MAX_NAME + 1];
    h3ou__nc_var v;
    size_t n = axis->all;
    double *value = NULL, *room = malloc(sizeof *room * (n + 1));
    h3ou__nc_text(r, axis->id, "bounds", name, sizeof name);
    int err = room ? H3OU__OK : h3ou__nc_no_memory(r, axis->name);
    if (!err && name[0] && h3ou__nc_has(r, name) && !(err = h3ou__nc_need(r, name, 2 * n, &v)))
        err = h3ou__nc_angles(r, &v, axis, out);
    else if (!err && (err = h3ou__nc_angles(r, axis, NULL, &value)) == H3OU__OK) {
        *out = malloc(2 * sizeof **out * n);
        if (*out) /* not as latitudes, since the grid's own pole is a place like others */
            h3ou__axis_bounds(value, n, 2 * H3OU__PI, false, room, *out);
        else
            err = h3ou__nc_no_memory(r, axis->name);
    }
    free(value);
    free(room);
    return err;
}

static int set_corners(const h3ou__nc *r, const rotated *g, int edges, h3ou__cells *c)
{
    size_t nx = g->lon.all, ny = g->lat.all;
    double *x = NULL, *y = NULL, *lon = malloc(4 * sizeof *lon * nx * ny), *lat = malloc(4 * sizeof *lat * nx * ny);
    int err = lon && lat ? H3OU__OK : h3ou__nc_no_memory(r, g->lon.name);
    if (!err)
        err = read_bounds(r, &g->lon, &x);
    if (!err)
        err = read_bounds(r, &g->lat, &y);
    for (size_t i = 0; i < nx * ny && !err; i++)
        for (size_t k = 0; k < 4; k++)
            unrotate(g, x[2 * (i % nx) + (k == 1 || k == 2)], y[2 * (i / nx) + k / 2], &lon[4 * i + k],
                     &lat[4 * i + k]);
    const h3ou__corner_lists lists = {.n = c->n, .most = 4, .lon = lon, .lat = lat, .mask = c->mask};
    if (!err && (err = h3ou__cell_corners_set(c, &lists, 0, (int64_t)nx, (int64_t)ny, edges)) != H3OU__OK)
        err = h3ou__nc_bad_in(r, g->lon.name, err);
    free(x);
    free(y);
    free(lon);
    free(lat);
    return err;
}

static int make_cells(const h3ou__nc *r, const rotated *g, const int *mask, h3ou__cells **out)
{
    size_t nx = g->lon.all, n = nx * g->lat.all;
    double *x = NULL, *y = NULL, *lon = malloc(sizeof *lon * n), *lat = malloc(sizeof *lat * n);
    int err = lon && lat ? H3OU__OK : h3ou__nc_no_memory(r, g->lon.name);
    if (!err)
        err = h3ou__nc_angles(r, &g->lon, NULL, &x);
    if (!err)
        err = h3ou__nc_angles(r, &g->lat, NULL, &y);
    for (size_t i = 0; i < n && !err; i++)
        unrotate(g, x[i % nx], y[i / nx], &lon[i], &lat[i]);
    if (!err && (err = h3ou__nc_cells(r, r->base, n, lon, lat, mask, out)) != H3OU__OK)
        err = h3ou__nc_bad_in(r, g->lon.name, err);
    free(x);
    free(y);
    free(lon);
    free(lat);
    return err;
}

static int read_grid(const h3ou__nc *r, int edges, h3ou__cells **out)
{
    rotated g;
    int *mask = NULL;
    if (!find_field(r, &g))
        return h3ou__nc_bad(r, "grid", "no rotated longitudes and latitudes");
    if (g.lon.all < 2 || g.lat.all < 2 || g.lon.all > INT32_MAX / g.lat.all)
        return h3ou__nc_bad(r, g.lon.name, "%zu x %zu cells: 2 x 2 to 2^31 - 1 cells are possible", g.lon.all,
                            g.lat.all);
    int err = h3ou__nc_wanted_mask(r, g.lon.all * g.lat.all, &mask);
    if (!err && h3ou__nc_mask_is_own(r))
        err = h3ou__nc_field_mask(r, &g.field, g.lon.all * g.lat.all, &mask);
    if (!err)
        err = make_cells(r, &g, mask, out);
    if (!err)
        err = set_corners(r, &g, edges == H3OU__EDGES_UNREAD ? H3OU__EDGES_DEFAULT : edges, *out);
    free(mask);
    return err;
}

const h3ou__grid_format h3ou__grid_rotated = {
    .name = "rotated",
    .is = is_rotated,
    .read = read_grid,
};

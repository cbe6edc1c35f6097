/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The grid of the first field that has longitudes and latitudes (CF conventions 1.10, sections 4.1, 4.2, 5 and 7.1), or
 * of the first such pair in a file without fields. One dimension each: a regular grid of boxes; one dimension for both:
 * a list of cells; two dimensions: curvilinear.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "base/log.h"
#include "interp/file/named/axis_bounds.h"
#include "interp/file/bounds/cell_corners.h"
#include "interp/file/bounds/curvilinear.h"
#include "interp/file/formats.h"
#include "interp/file/netcdf/field_mask.h"
#include "interp/sphere/angles.h"

typedef struct cf {
    h3ou__nc_var lon, lat, field;
    bool has_field;
} cf;

/* Is it a longitude ('e') or latitude ('n')? */
static bool is_coordinate(const h3ou__nc *r, const h3ou__nc_var *v, char which)
{
    char text[64];
    h3ou__nc_text(r, v->id, "standard_name", text, sizeof text);
    if (!strcmp(text, which == 'e' ? "longitude" : "latitude"))
        return true;
    h3ou__nc_text(r, v->id, "units", text, sizeof text);
    if (strncasecmp(text, "degree", 6) != 0)
        return false;
    const char *p = text + 6;
    p += *p == 's';
    p += *p == '_';
    return *p == which || *p == which - 'a' + 'A';
}

/* Finds the first of the names (words) that is such a coordinate. */
static bool find_in(const h3ou__nc *r, const char *names, char which, h3ou__nc_var *v)
{
    char word[NC_MAX_NAME + 1];
    for (const char *p = names; *p;) {
        size_t length = strcspn(p, " ");
        snprintf(word, sizeof word, "%.*s", (int)length, p);
        p += length + strspn(p + length, " ");
        if (h3ou__nc_find(r, word, v) && v->rank > 0 && is_coordinate(r, v, which))
            return true;
    }
    return false;
}

/* By the attribute coordinates, else by the field's last two dimensions' own variables. */
static bool find_coordinates(const h3ou__nc *r, const h3ou__nc_var *field, h3ou__nc_var *lon, h3ou__nc_var *lat)
{
    char names[2048], dim[NC_MAX_NAME + 1];
    h3ou__nc_text(r, field->id, "coordinates", names, sizeof names - 2 * sizeof dim);
    for (int i = field->rank - 1; i >= 0 && i >= field->rank - 2; i--)
        if (nc_inq_dimname(r->id, field->dim[i], dim) == NC_NOERR) {
            strcat(names, " ");
            strcat(names, dim);
        }
    const char *first = names + strspn(names, " ");
    return find_in(r, first, 'e', lon) && find_in(r, first, 'n', lat);
}

static bool find_field(const h3ou__nc *r, cf *g)
{
    int n = 0;
    char named[NC_MAX_NAME + 1];
    if (*h3ou__nc_mask_variable(r, named) && h3ou__nc_find(r, named, &g->field) && g->field.rank > 0 &&
        find_coordinates(r, &g->field, &g->lon, &g->lat)) /* the user's mask says which of several grids it is */
        return g->has_field = true;
    nc_inq_nvars(r->id, &n);
    for (int id = 0; id < n; id++)
        if (h3ou__nc_look(r, id, &g->field) && g->field.rank > 0 && find_coordinates(r, &g->field, &g->lon, &g->lat) &&
            id != g->lon.id && id != g->lat.id)
            return g->has_field = true;
    bool lon = false, lat = false;
    for (int id = 0; id < n && !(lon && lat); id++) {
        h3ou__nc_var v;
        if (!h3ou__nc_look(r, id, &v) || v.rank < 1)
            continue;
        if (!lon && is_coordinate(r, &v, 'e')) {
            g->lon = v;
            lon = true;
        } else if (!lat && is_coordinate(r, &v, 'n')) {
            g->lat = v;
            lat = true;
        }
    }
    g->has_field = false;
    return lon && lat;
}

static bool has_coordinates(const h3ou__nc *r)
{
    cf g;
    return find_field(r, &g);
}

/* The last dimensions of the field must be those of its coordinates, latitude before longitude. */
static int check_field(const h3ou__nc *r, const cf *g, int ndim, const int dim[])
{
    if (!g->has_field)
        return H3OU__OK;
    bool fits = g->field.rank >= ndim;
    for (int i = 0; i < ndim && fits; i++)
        fits = g->field.dim[g->field.rank - ndim + i] == dim[i];
    if (fits)
        return H3OU__OK;
    return h3ou__nc_bad(r, g->field.name,
                        "its last dimensions must be those of %s and %s, latitude before longitude: reorder the field",
                        g->lat.name, g->lon.name);
}

/* The bounds of both coordinates, with the coordinate's own dimensions and one of `width` (0: at least 3); *found is
 * false when there are none. */
static int find_bounds(const h3ou__nc *r, const cf *g, size_t width, h3ou__nc_var bounds[2], bool *found)
{
    const h3ou__nc_var *of[2] = {&g->lon, &g->lat};
    char name[2][NC_MAX_NAME + 1];
    int there = 0;
    for (int i = 0; i < 2; i++) {
        h3ou__nc_text(r, of[i]->id, "bounds", name[i], sizeof name[i]);
        there += name[i][0] && h3ou__nc_has(r, name[i]);
        if (name[i][0] && !h3ou__nc_has(r, name[i]))
            h3ou__log(H3OU__LOG_WHISPER, "grid", "file=%s variable=%s bounds=%s missing", r->file, of[i]->name,
                      name[i]);
    }
    *found = there == 2;
    if (there == 1)
        return h3ou__nc_bad(r, name[0][0] && h3ou__nc_has(r, name[0]) ? of[1]->name : of[0]->name,
                            "has no bounds, the other coordinate has: give both or none");
    for (int i = 0; i < 2 && *found; i++) {
        int err = h3ou__nc_need(r, name[i], 0, &bounds[i]);
        if (err)
            return err;
        bool fits = bounds[i].rank == of[i]->rank + 1;
        for (int k = 0; k < of[i]->rank && fits; k++)
            fits = bounds[i].dim[k] == of[i]->dim[k];
        size_t last = fits ? bounds[i].size[of[i]->rank] : 0;
        if (!fits || (width > 0 ? last != width : last < 3 || last > 1000) ||
            (i == 1 && width == 0 && last != bounds[0].size[of[0]->rank]))
            return h3ou__nc_bad(r, bounds[i].name, "its dimensions must be those of %s and one of %s", of[i]->name,
                                width > 0 ? "2" : "3 or more corners, the same for both coordinates");
    }
    return H3OU__OK;
}

static bool bounds_are_narrow(const double *bounds, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!(fabs(bounds[2 * i + 1] - bounds[2 * i]) < 0.999 * H3OU__PI))
            return false;
    return true;
}

/* Bounds in radians of n values in the units of the variable, halfway between them; NULL when there is but one. */
static int halfway_bounds(const h3ou__nc *r, const h3ou__nc_var *axis, const double *given, size_t n, bool latitudes,
                          double **out)
{
    double factor, *value = NULL;
    *out = NULL;
    if (n < 2)
        return H3OU__OK;
    int err = h3ou__nc_factor(r, axis, NULL, &factor);
    if (err)
        return err;
    value = malloc(sizeof *value * n);
    *out = malloc(2 * sizeof **out * n);
    if (!value || !*out)
        err = h3ou__nc_no_memory(r, axis->name);
    else {
        h3ou__axis_bounds(given, n, 2 * H3OU__PI / factor, latitudes, value, *out);
        for (size_t i = 0; i < 2 * n; i++)
            (*out)[i] *= factor;
    }
    free(value);
    return err;
}

/* Bounds of one axis in radians; NULL when it has no neighbours to make them from. */
static int axis_bounds(const h3ou__nc *r, const h3ou__nc_var *axis, const h3ou__nc_var *bounds, bool latitudes,
                       double **out)
{
    double *given = NULL;
    *out = NULL;
    if (bounds)
        return h3ou__nc_angles(r, bounds, axis, out);
    int err = h3ou__nc_unpacked(r, axis, &given);
    if (!err)
        err = halfway_bounds(r, axis, given, axis->all, latitudes, out);
    free(given);
    return err;
}

/* Centres of a regular grid, longitudes fastest. */
static int spread_axes(const h3ou__nc *r, const cf *g, h3ou__cells *c)
{
    size_t nx = g->lon.all, ny = g->lat.all;
    double *x = NULL, *y = NULL;
    int err = h3ou__nc_angles(r, &g->lon, NULL, &x);
    if (!err)
        err = h3ou__nc_angles(r, &g->lat, NULL, &y);
    for (size_t i = 0; i < nx && !err; i++)
        if (!isfinite(x[i]))
            err = h3ou__nc_bad(r, g->lon.name, "value %zu is not finite (cell %zu)", i + 1, i + 1);
    for (size_t j = 0; j < ny && !err; j++)
        if (!(fabs(y[j]) <= H3OU__PI / 2 + 1e-6))
            err = h3ou__nc_bad(r, g->lat.name, "value %zu is %g degrees (cell %zu): no latitude", j + 1,
                               y[j] * H3OU__DEGREES_PER_RADIAN, j * nx + 1);
    if (!err && (!(c->lon = malloc(sizeof *c->lon * nx * ny)) || !(c->lat = malloc(sizeof *c->lat * nx * ny))))
        err = h3ou__nc_no_memory(r, g->lon.name);
    for (size_t j = 0; j < ny && !err; j++)
        for (size_t i = 0; i < nx; i++) {
            c->lon[j * nx + i] = x[i];
            c->lat[j * nx + i] = y[j];
        }
    free(x);
    free(y);
    return err;
}

static int read_regular(const h3ou__nc *r, const cf *g, int edges, const int *mask, h3ou__cells **out)
{
    size_t nx = g->lon.all, ny = g->lat.all;
    h3ou__nc_var of[2];
    double *x = NULL, *y = NULL;
    bool found = false;
    int err = h3ou__nc_cells(r, r->base, nx * ny, NULL, NULL, mask, out);
    if (err)
        return h3ou__nc_bad_in(r, g->lon.name, err);
    (*out)->rank = 2;
    (*out)->dims[0] = (int64_t)nx;
    (*out)->dims[1] = (int64_t)ny;
    err = spread_axes(r, g, *out);
    if (!err)
        err = find_bounds(r, g, 2, of, &found);
    if (!err)
        err = axis_bounds(r, &g->lon, found ? &of[0] : NULL, false, &x);
    if (!err)
        err = axis_bounds(r, &g->lat, found ? &of[1] : NULL, true, &y);
    bool boxes = x && y && (found || (bounds_are_narrow(x, nx) && bounds_are_narrow(y, ny)));
    if (!err && boxes &&
        (err = h3ou__cells_set_boxes(*out, (int64_t)nx, (int64_t)ny, x, y,
                                     edges == H3OU__EDGES_UNREAD ? H3OU__EDGES_DEFAULT : edges)) != H3OU__OK)
        err = h3ou__nc_bad_in(r, found ? of[0].name : g->lon.name, err);
    if (!err)
        h3ou__log(boxes ? H3OU__LOG_LOUD : H3OU__LOG_WHISPER, "grid", "file=%s bounds=%s", r->file,
                  !boxes  ? "none: cells are points"
                  : found ? "read"
                          : "halfway between centres");
    free(x);
    free(y);
    return err;
}

/* Two-dimensional coordinates of a regular grid: the first row and the first column say all. */
static bool repeats_axes(const double *lon, const double *lat, size_t nx, size_t ny)
{
    for (size_t j = 0; j < ny; j++)
        for (size_t i = 0; i < nx; i++)
            if (lon[j * nx + i] != lon[i] || lat[j * nx + i] != lat[j * nx])
                return false;
    return true;
}

/* Boxes for two-dimensional coordinates without bounds, as those of one dimension have; *found: they are regular. */
static int make_boxes(const h3ou__nc *r, const cf *g, int edges, h3ou__cells *c, bool *found)
{
    size_t nx = g->lon.size[1], ny = g->lon.size[0];
    double *lon = NULL, *lat = NULL, *x = NULL, *y = NULL;
    int err = h3ou__nc_unpacked(r, &g->lon, &lon);
    if (!err)
        err = h3ou__nc_unpacked(r, &g->lat, &lat);
    *found = !err && repeats_axes(lon, lat, nx, ny);
    for (size_t j = 0; *found && j < ny; j++)
        lat[j] = lat[j * nx];
    if (*found)
        err = halfway_bounds(r, &g->lon, lon, nx, false, &x);
    if (!err && *found)
        err = halfway_bounds(r, &g->lat, lat, ny, true, &y);
    *found = *found && !err && bounds_are_narrow(x, nx) && bounds_are_narrow(y, ny);
    if (*found && (err = h3ou__cells_set_boxes(c, (int64_t)nx, (int64_t)ny, x, y, edges)) != H3OU__OK)
        err = h3ou__nc_bad_in(r, g->lon.name, err);
    free(lon);
    free(lat);
    free(x);
    free(y);
    return err;
}

/* A list of cells (nx = 0) or rows and columns. */
static int read_polygons(const h3ou__nc *r, const cf *g, int edges, const int *mask, size_t nx, h3ou__cells **out)
{
    h3ou__nc_var of[2];
    double *x = NULL, *y = NULL, *cx = NULL, *cy = NULL;
    bool found = false, boxes = false;
    size_t ny = nx > 0 ? g->lon.all / nx : 0;
    int most = 4, err = h3ou__nc_angles(r, &g->lon, NULL, &x);
    if (!err)
        err = h3ou__nc_angles(r, &g->lat, NULL, &y);
    if (!err && (err = h3ou__nc_cells(r, r->base, g->lon.all, x, y, mask, out)) != H3OU__OK)
        err = h3ou__nc_bad_in(r, g->lon.name, err);
    bool unread = edges == H3OU__EDGES_UNREAD &&
                  nx == 0; /* a curvilinear grid needs corners to find out whether it is cyclic or has a fold */
    if (!err && !unread)
        err = find_bounds(r, g, 0, of, &found);
    edges = edges == H3OU__EDGES_UNREAD ? H3OU__EDGES_DEFAULT : edges;
    if (!err && found) {
        most = (int)of[0].size[g->lon.rank];
        err = h3ou__nc_angles(r, &of[0], &g->lon, &cx);
        err = err ? err : h3ou__nc_angles(r, &of[1], &g->lat, &cy);
    } else if (!err && nx > 1 && ny > 1) {
        err = make_boxes(r, g, edges, *out, &boxes);
        if (!err && !boxes)
            err = h3ou__curvilinear_corners((int64_t)nx, (int64_t)ny, x, y, &cx, &cy);
    }
    free(x);
    free(y);
    const h3ou__corner_lists lists = {
        .n = (int64_t)g->lon.all, .most = most, .lon = cx, .lat = cy, .mask = *out ? (*out)->mask : NULL};
    if (!err && !found) /* that corners made from the centres are bad is no fault of the cells */
        (*out)->bad = NULL;
    if (!err && cx && (err = h3ou__cell_corners_set(*out, &lists, 0, (int64_t)nx, (int64_t)ny, edges)) != H3OU__OK) {
        if (found)
            err = h3ou__nc_bad_in(r, of[0].name, err);
        else { /* corners made from the centres may be unusable: the cells are points then */
            h3ou__log(H3OU__LOG_WHISPER, "grid", "file=%s corners=none why=\"%s\"", r->file, h3ou__fail_text());
            h3ou__cells_drop_corners(*out);
            err = H3OU__OK;
        }
    }
    free(cx);
    free(cy);
    if (!err && !cx && !boxes && !unread)
        h3ou__log(H3OU__LOG_WHISPER, "grid", "file=%s bounds=none: cells are points", r->file);
    if (!err && nx > 0 && !h3ou__cells_have_corners(*out))
        err = h3ou__curvilinear_set(*out, (int64_t)nx, (int64_t)ny);
    return err;
}

static int check_coordinates(const h3ou__nc *r, const cf *g, bool axes)
{
    if (g->lon.all == 0 || g->lat.all == 0)
        return h3ou__nc_bad(r, g->lon.name, "has no values");
    if (axes) {
        const int dim[2] = {g->lat.dim[0], g->lon.dim[0]};
        if (g->lon.all > INT32_MAX / g->lat.all)
            return h3ou__nc_bad(r, g->lon.name, "%zu x %zu cells are too many", g->lon.all, g->lat.all);
        return check_field(r, g, 2, dim);
    }
    if (g->lon.rank != g->lat.rank || g->lon.rank > 2 || g->lon.dim[0] != g->lat.dim[0] ||
        (g->lon.rank == 2 && g->lon.dim[1] != g->lat.dim[1]))
        return h3ou__nc_bad(r, g->lon.name, "and %s must both have one dimension, or the same two", g->lat.name);
    return check_field(r, g, g->lon.rank, g->lon.dim);
}

static int read_grid(const h3ou__nc *r, int edges, h3ou__cells **out)
{
    cf g;
    int *mask = NULL;
    if (!find_field(r, &g))
        return h3ou__nc_bad(r, "grid", "no longitudes and latitudes");
    bool axes = g.lon.rank == 1 && g.lat.rank == 1 && g.lon.dim[0] != g.lat.dim[0];
    size_t n = axes ? g.lon.all * g.lat.all : g.lon.all;
    int err = check_coordinates(r, &g, axes);
    if (!err)
        err = h3ou__nc_wanted_mask(r, n, &mask);
    if (!err && g.has_field && h3ou__nc_mask_is_own(r))
        err = h3ou__nc_field_mask(r, &g.field, n, &mask);
    if (!err)
        err = axes ? read_regular(r, &g, edges, mask, out)
                   : read_polygons(r, &g, edges, mask, g.lon.rank == 2 ? g.lon.size[1] : 0, out);
    free(mask);
    return err;
}

const h3ou__grid_format h3ou__grid_cf = {
    .name = "cf",
    .known_by = "longitudes and latitudes (units degrees_east and degrees_north, or standard names)",
    .is = has_coordinates,
    .read = read_grid,
};

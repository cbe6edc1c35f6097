/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/monitor/file/field_netcdf.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "interp/file/netcdf/writer.h"

enum { MOST_DIMENSIONS = 4 };

/* The variables of a file that is written. */
typedef struct variables {
    h3ou__ncw w;
    int ndim, dim[MOST_DIMENSIONS]; /* of the values, time first */
    int time, layer, lon, lat, lon_bounds, lat_bounds, index;
    int value[3];
} variables;

static void coordinate(variables *v, int id, const char *standard, const char *axis)
{
    h3ou__ncw_text(&v->w, id, "standard_name", standard);
    h3ou__ncw_text(&v->w, id, "long_name", standard);
    if (axis)
        h3ou__ncw_text(&v->w, id, "axis", axis);
}

static void define_time(variables *v, const char *run)
{
    char start[H3OU__RAW_TEXT], calendar[H3OU__RAW_TEXT], units[H3OU__RAW_TEXT + 32];
    h3ou__raw_find(run, "start", start);
    h3ou__raw_find(run, "calendar", calendar);
    snprintf(units, sizeof units, "seconds since %s", start);
    v->dim[v->ndim++] = h3ou__ncw_dim(&v->w, "time", NC_UNLIMITED);
    v->time = h3ou__ncw_var(&v->w, "time", NC_DOUBLE, 1, v->dim, units);
    coordinate(v, v->time, "time", "T");
    h3ou__ncw_text(&v->w, v->time, "calendar",
                   !strcmp(calendar, "gregorian") || !strcmp(calendar, "none") ? "proleptic_gregorian" : calendar);
}

static void define_layers(variables *v, int layers)
{
    v->layer = -1;
    if (layers == 1)
        return;
    v->dim[v->ndim++] = h3ou__ncw_dim(&v->w, "layer", layers);
    v->layer = h3ou__ncw_var(&v->w, "layer", NC_DOUBLE, 1, &v->dim[v->ndim - 1], NULL);
    h3ou__ncw_text(&v->w, v->layer, "long_name", "layer");
    h3ou__ncw_text(&v->w, v->layer, "axis", "Z");
}

/* Defines coordinates of the dimensions dims, and their bounds. */
static void define_coordinates(variables *v, const h3ou__whole_grid *g, int rank, const int lon[], const int lat[])
{
    int bounds[MOST_DIMENSIONS];
    v->lon = h3ou__ncw_var(&v->w, "lon", NC_DOUBLE, rank, lon, "degrees_east");
    v->lat = h3ou__ncw_var(&v->w, "lat", NC_DOUBLE, rank, lat, "degrees_north");
    coordinate(v, v->lon, "longitude", g->is_regular ? "X" : NULL);
    coordinate(v, v->lat, "latitude", g->is_regular ? "Y" : NULL);
    if (!g->most)
        return;
    int corners = h3ou__ncw_dim(&v->w, g->is_regular ? "bnds" : "nv", g->most);
    memcpy(bounds, lon, sizeof *bounds * (size_t)rank);
    bounds[rank] = corners;
    v->lon_bounds = h3ou__ncw_var(&v->w, "lon_bnds", NC_DOUBLE, rank + 1, bounds, NULL);
    memcpy(bounds, lat, sizeof *bounds * (size_t)rank);
    v->lat_bounds = h3ou__ncw_var(&v->w, "lat_bnds", NC_DOUBLE, rank + 1, bounds, NULL);
    h3ou__ncw_text(&v->w, v->lon, "bounds", "lon_bnds");
    h3ou__ncw_text(&v->w, v->lat, "bounds", "lat_bnds");
}

static void define_grid(variables *v, const h3ou__whole_grid *g)
{
    int *dim = v->dim + v->ndim;
    v->lon = v->lat = v->lon_bounds = v->lat_bounds = v->index = -1;
    if (g->nx > 0) {
        dim[0] = h3ou__ncw_dim(&v->w, g->is_regular ? "lat" : "y", g->ny);
        dim[1] = h3ou__ncw_dim(&v->w, g->is_regular ? "lon" : "x", g->nx);
    } else {
        dim[0] = h3ou__ncw_dim(&v->w, "cell", g->n);
        v->index = h3ou__ncw_var(&v->w, "cell", NC_INT, 1, dim, NULL);
        h3ou__ncw_text(&v->w, v->index, "long_name", "index of the cell in the model's grid");
    }
    int rank = g->nx > 0 ? 2 : 1;
    v->ndim += rank;
    if (g->lon && g->is_regular)
        define_coordinates(v, g, 1, dim + 1, dim);
    else if (g->lon)
        define_coordinates(v, g, rank, dim, dim);
}

/* Gives the file (NC_GLOBAL), or a variable, what a text has for a key. Returns whether it has something. */
static bool describe(variables *v, int id, const char *text, const char *key, const char *name)
{
    char value[H3OU__RAW_TEXT];
    bool has = h3ou__raw_find(text, key, value);
    if (has)
        h3ou__ncw_text(&v->w, id, name, value);
    return has;
}

static void define_values(variables *v, const h3ou__kept_field *f)
{
    const h3ou__raw_field *of = f->of[0];
    char name[H3OU__RAW_TEXT], variable[H3OU__RAW_TEXT + 16];
    h3ou__raw_find(of->text, "field", name);
    for (int k = 0; k < of->components; k++) {
        const double missing = NC_FILL_DOUBLE;
        const float missing_single = NC_FILL_FLOAT;
        snprintf(variable, sizeof variable, of->components > 1 ? "%s_%d" : "%s", name, k + 1);
        v->value[k] = h3ou__ncw_var(&v->w, variable, of->is_single ? NC_FLOAT : NC_DOUBLE, v->ndim, v->dim, NULL);
        if (!describe(v, v->value[k], of->text, "long_name", "long_name"))
            h3ou__ncw_text(&v->w, v->value[k], "long_name", variable);
        describe(v, v->value[k], of->text, "units", "units");
        describe(v, v->value[k], of->text, "standard_name", "standard_name");
        if (f->grid->lon && !f->grid->is_regular) {
            h3ou__ncw_text(&v->w, v->value[k], "coordinates", "lat lon");
            if (f->grid->nx == 0)
                h3ou__ncw_text(&v->w, v->value[k], "CDI_grid_type", "unstructured");
        }
        if (!v->w.code)
            v->w.code = of->is_single ? nc_put_att_float(v->w.id, v->value[k], "_FillValue", NC_FLOAT, 1, &missing_single)
                                      : nc_put_att_double(v->w.id, v->value[k], "_FillValue", NC_DOUBLE, 1, &missing);
    }
    h3ou__ncw_text(&v->w, NC_GLOBAL, "Conventions", "CF-1.8");
    describe(v, NC_GLOBAL, f->part->run, "component", "h3ou_component");
    describe(v, NC_GLOBAL, of->text, "field", "h3ou_field");
    describe(v, NC_GLOBAL, of->text, "side", "h3ou_side");
    describe(v, NC_GLOBAL, of->text, "partner", "h3ou_partner");
    describe(v, NC_GLOBAL, of->text, "partner_field", "h3ou_partner_field");
    describe(v, NC_GLOBAL, f->part[0].grid[of->grid].text, "name", "h3ou_grid");
}

static void write_coordinates(variables *v, const h3ou__kept_field *f)
{
    const h3ou__whole_grid *g = f->grid;
    for (size_t k = 0; k < (size_t)f->of[0]->layers && v->layer >= 0 && !v->w.code; k++) {
        double number = (double)k + 1.0;
        v->w.code = nc_put_var1_double(v->w.id, v->layer, &k, &number);
    }
    if (v->index >= 0)
        h3ou__ncw_ints(&v->w, v->index, g->n, g->index, 0);
    if (v->lon >= 0) {
        h3ou__ncw_doubles(&v->w, v->lon, g->lon);
        h3ou__ncw_doubles(&v->w, v->lat, g->lat);
    }
    if (v->lon_bounds >= 0) {
        h3ou__ncw_doubles(&v->w, v->lon_bounds, g->lon_bounds);
        h3ou__ncw_doubles(&v->w, v->lat_bounds, g->lat_bounds);
    }
}

/* Puts a layer together from all processes. whole: [grid->n]; part: room for the cells of a process. */
static int gather_layer(const h3ou__kept_field *f, int time, int component, int layer, double whole[], double part[])
{
    int err = H3OU__OK;
    for (int64_t i = 0; i < f->grid->n; i++)
        whole[i] = NAN;
    for (int k = 0; k < f->n && !err; k++) {
        const h3ou__raw_grid *g = &f->part[k].grid[f->of[k]->grid];
        if (f->of[k]->n == 0)
            continue; /* it has no values of this side */
        /* Of a process without partners each record has the same values. */
        int64_t record = f->record[time] < f->of[k]->n ? f->record[time] : f->of[k]->n - 1;
        err = h3ou__raw_layer(&f->part[k], f->of[k], record, component, layer, part);
        for (int64_t i = 0; i < g->n && !err; i++)
            whole[f->grid->place[g->index[i] - 1]] = part[i];
    }
    for (int64_t i = 0; i < f->grid->n; i++)
        if (isnan(whole[i]))
            whole[i] = f->of[0]->is_single ? (double)NC_FILL_FLOAT : NC_FILL_DOUBLE;
    return err;
}

static int write_layer(variables *v, const h3ou__kept_field *f, int time, int component, int layer, double whole[], double part[])
{
    const h3ou__whole_grid *g = f->grid;
    int err = gather_layer(f, time, component, layer, whole, part), at = v->layer >= 0 ? 2 : 1;
    size_t start[MOST_DIMENSIONS] = {(size_t)time, (size_t)layer}, count[MOST_DIMENSIONS] = {1, 1, 1, 1};
    start[at] = 0;
    count[at] = g->nx > 0 ? (size_t)g->ny : (size_t)g->n;
    if (g->nx > 0)
        count[at + 1] = (size_t)g->nx;
    if (!err && !v->w.code)
        v->w.code = nc_put_vara_double(v->w.id, v->value[component], start, count, whole);
    return err;
}

static int write_values(variables *v, const h3ou__kept_field *f)
{
    int64_t most = 1;
    for (int k = 0; k < f->n; k++) {
        int64_t n = f->part[k].grid[f->of[k]->grid].n;
        most = n > most ? n : most;
    }
    double *whole = malloc(sizeof *whole * (size_t)(f->grid->n + 1)), *part = malloc(sizeof *part * (size_t)(most + 1));
    int err = whole && part ? H3OU__OK : h3ou__no_memory("the values of a field");
    for (int t = 0; t < f->ntime && !err; t++) {
        size_t at = (size_t)t;
        if (!v->w.code)
            v->w.code = nc_put_var1_double(v->w.id, v->time, &at, &f->time[t]);
        for (int k = 0; k < f->of[0]->components && !err; k++)
            for (int layer = 0; layer < f->of[0]->layers && !err; layer++)
                err = write_layer(v, f, t, k, layer, whole, part);
    }
    free(whole);
    free(part);
    return err;
}

int h3ou__field_netcdf_write(const char *file, const h3ou__kept_field *f)
{
    variables v = {0};
    int err = h3ou__ncw_create(file, &v.w);
    if (err)
        return err;
    define_time(&v, f->part->run);
    define_layers(&v, f->of[0]->layers);
    define_grid(&v, f->grid);
    define_values(&v, f);
    h3ou__ncw_begin(&v.w);
    write_coordinates(&v, f);
    err = write_values(&v, f);
    if (!err)
        return h3ou__ncw_close(&v.w);
    char why[H3OU__ERROR_TEXT];
    snprintf(why, sizeof why, "%s", h3ou__fail_text());
    v.w.code = v.w.code ? v.w.code : NC_EIO; /* the file is not kept */
    h3ou__ncw_close(&v.w);
    return h3ou__fail(err, "%s", why);
}

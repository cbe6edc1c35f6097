/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/weights/netcdf/ncremapped.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/error.h"
#include "tools/cli/command_group.h"

enum { TEXT = 1024 };
static const double degree = M_PI / 180.0;

/* Returns whether all rows have the same longitudes and all columns the same latitudes, so that coordinates of one
 * dimension suffice. */
static bool has_rows_and_columns(const h3ou__cells *c)
{
    const double slack = 1e-9;
    int64_t nx = c->dims[0];
    for (int64_t i = 0; i < c->n; i++)
        if (fabs(c->lon[i] - c->lon[i % nx]) > slack || fabs(c->lat[i] - c->lat[i - i % nx]) > slack)
            return false;
    return true;
}

static enum ncshape shape_of(const h3ou__cells *c)
{
    if (c->rank != 2 || c->dims[0] < 2 || c->dims[1] < 2 || c->dims[0] * c->dims[1] != c->n)
        return NCSHAPE_LIST;
    return has_rows_and_columns(c) ? NCSHAPE_REGULAR : NCSHAPE_CURVILINEAR;
}

/* Finds a name that no dimension or variable of the new file has. */
static void find_free_name(const ncremapped *r, const char *wanted, char name[NC_MAX_NAME + 1])
{
    snprintf(name, NC_MAX_NAME, "%s", wanted);
    for (int k = 2, is_taken = 1; is_taken; k++) {
        is_taken = 0;
        for (int i = 0; i < r->from->ndim; i++)
            is_taken |= r->dim[i] >= 0 && !strcmp(r->from->dim_name[i], name);
        for (int i = 0; i < r->from->nvar; i++)
            is_taken |= (r->from->var[i].role == NCROLE_COPY || r->from->var[i].role == NCROLE_FIELD) &&
                        !strcmp(r->from->var[i].name, name);
        if (is_taken)
            snprintf(name, NC_MAX_NAME, "%s_%d", wanted, k);
    }
}

/* Defines those dimensions of `from` that the new file needs, in their order. */
static int define_dims(ncremapped *r)
{
    const ncfile *f = r->from;
    int code = NC_NOERR;
    for (int i = 0; i < f->ndim; i++)
        r->dim[i] = -1;
    for (int i = 0; i < f->nvar; i++) {
        const ncvar *v = &f->var[i];
        int n = v->role == NCROLE_FIELD ? v->rank - v->horizontal : v->role == NCROLE_COPY ? v->rank : 0;
        for (int k = 0; k < n; k++)
            r->dim[v->dim[k]] = 0;
    }
    for (int i = 0; i < f->ndim && !code; i++)
        if (r->dim[i] == 0)
            code =
                nc_def_dim(r->nc, f->dim_name[i], ncfile_is_unlimited(f, i) ? NC_UNLIMITED : f->length[i], &r->dim[i]);
    return code;
}

static int put_text(int nc, int var, const char *name, const char *text)
{
    return nc_put_att_text(nc, var, name, strlen(text), text);
}

static int define_angle(ncremapped *r, bool is_lon, int rank, const int dims[])
{
    char *name = is_lon ? r->lon_name : r->lat_name;
    int *var = is_lon ? &r->lon : &r->lat;
    const char *whole = is_lon ? "longitude" : "latitude";
    int code = nc_def_var(r->nc, name, NC_DOUBLE, rank, dims, var);
    if (!code)
        code = put_text(r->nc, *var, "standard_name", whole);
    if (!code)
        code = put_text(r->nc, *var, "long_name", whole);
    if (!code)
        code = put_text(r->nc, *var, "units", is_lon ? "degrees_east" : "degrees_north");
    if (!code && r->shape == NCSHAPE_REGULAR)
        code = put_text(r->nc, *var, "axis", is_lon ? "X" : "Y");
    return code;
}

static int define_bounds_of(ncremapped *r, bool is_lon, int rank, const int space[], int corner)
{
    char name[NC_MAX_NAME + 1], wanted[32];
    int dims[3], *var = is_lon ? &r->lon_bounds : &r->lat_bounds;
    for (int k = 0; k < rank; k++)
        dims[k] = space[k];
    dims[rank] = corner;
    snprintf(wanted, sizeof wanted, "%s_bnds", is_lon ? "lon" : "lat");
    find_free_name(r, wanted, name);
    int code = nc_def_var(r->nc, name, NC_DOUBLE, rank + 1, dims, var);
    return code ? code : put_text(r->nc, is_lon ? r->lon : r->lat, "bounds", name);
}

static int define_bounds(ncremapped *r)
{
    char name[NC_MAX_NAME + 1];
    bool is_regular_grid = r->shape == NCSHAPE_REGULAR;
    int rank = is_regular_grid ? 1 : r->nspace, corner;
    if (r->bounds.width == 0)
        return NC_NOERR;
    find_free_name(r, is_regular_grid ? "bnds" : "nv", name);
    int code = nc_def_dim(r->nc, name, (size_t)r->bounds.width, &corner);
    if (!code)
        code = define_bounds_of(r, true, rank, is_regular_grid ? &r->space[1] : r->space, corner);
    return code ? code : define_bounds_of(r, false, rank, r->space, corner);
}

static int define_grid(ncremapped *r)
{
    static const char *const names[3][2] = {{"lat", "lon"}, {"y", "x"}, {"cell", ""}};
    const h3ou__cells *c = r->target;
    char name[NC_MAX_NAME + 1];
    int code = NC_NOERR;
    find_free_name(r, "lon", r->lon_name);
    find_free_name(r, "lat", r->lat_name);
    r->nspace = r->shape == NCSHAPE_LIST ? 1 : 2;
    for (int k = 0; k < r->nspace && !code; k++) {
        if (r->shape == NCSHAPE_REGULAR)
            snprintf(name, sizeof name, "%s", k ? r->lon_name : r->lat_name);
        else
            find_free_name(r, names[r->shape][k], name);
        size_t length = (size_t)(r->nspace == 1 ? c->n : c->dims[1 - k]);
        code = nc_def_dim(r->nc, name, length, &r->space[k]);
    }
    bool is_regular_grid = r->shape == NCSHAPE_REGULAR;
    if (!code)
        code = define_angle(r, true, is_regular_grid ? 1 : r->nspace, is_regular_grid ? &r->space[1] : r->space);
    if (!code)
        code = define_angle(r, false, is_regular_grid ? 1 : r->nspace, r->space);
    return code ? code : define_bounds(r);
}

/* Returns whether an attribute is not copied, because it is about the source grid or packing, or is written anew. */
static bool is_not_copied(const ncvar *v, const char *name)
{
    static const char *const always[] = {
        "_FillValue", "missing_value", "coordinates",      "cell_measures",      "grid_mapping", "mesh",
        "location",   "CDI_grid_type", "CDI_grid_num_LPE", "CDI_grid_latitudes", "grid_type",    "bounds"};
    static const char *const packed[] = {"scale_factor", "add_offset",  "valid_min",
                                         "valid_max",    "valid_range", "_Unsigned"};
    for (size_t i = 0; i < sizeof always / sizeof *always; i++)
        if (!strcmp(name, always[i]))
            return true;
    for (size_t i = 0; i < sizeof packed / sizeof *packed; i++)
        if (!strcmp(name, packed[i]) && (v->is_packed || v->unpacked != v->type))
            return true;
    return false;
}

static int copy_attributes(const ncremapped *r, int from, int to, const ncvar *v)
{
    char name[NC_MAX_NAME + 1];
    int code = NC_NOERR;
    for (int i = 0; i < v->natt && !code; i++) {
        code = nc_inq_attname(r->from->nc, from, i, name);
        if (!code && (v->role != NCROLE_FIELD || !is_not_copied(v, name)))
            code = nc_copy_att(r->from->nc, from, name, r->nc, to);
    }
    return code;
}

/* Writes the attribute `coordinates`: those copied, then those of the target grid unless its dimensions name them. */
static int put_coordinates(const ncremapped *r, int from, int to)
{
    char old[TEXT], text[2 * TEXT] = "";
    ncfile_text(r->from->nc, from, "coordinates", old, sizeof old);
    for (int i = 0; i < r->from->nvar; i++)
        if (r->from->var[i].role == NCROLE_COPY && ncfile_has_word(old, r->from->var[i].name))
            snprintf(text + strlen(text), sizeof text - strlen(text), "%s ", r->from->var[i].name);
    if (r->shape != NCSHAPE_REGULAR)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s %s", r->lat_name, r->lon_name);
    else if (*text)
        text[strlen(text) - 1] = 0;
    int code = *text ? put_text(r->nc, to, "coordinates", text) : NC_NOERR;
    if (!code && r->shape == NCSHAPE_LIST)
        code = put_text(r->nc, to, "CDI_grid_type", "unstructured");
    return code;
}

/* Writes the field's missing value: its own, if its type is kept; NaN for fields that have none. */
static int put_missing(ncremapped *r, int i, int to)
{
    const ncvar *v = &r->from->var[i];
    double fill = !isnan(v->fill[0]) ? v->fill[0] : v->fill[1];
    if (v->type != v->unpacked && !isnan(fill))
        fill = NC_FILL_FLOAT;
    r->missing[i] = fill;
    float small = (float)fill;
    int code = v->unpacked == NC_DOUBLE ? nc_put_att_double(r->nc, to, "_FillValue", NC_DOUBLE, 1, &fill)
                                        : nc_put_att_float(r->nc, to, "_FillValue", NC_FLOAT, 1, &small);
    if (code || isnan(v->fill[1]))
        return code;
    return v->unpacked == NC_DOUBLE ? nc_put_att_double(r->nc, to, "missing_value", NC_DOUBLE, 1, &fill)
                                    : nc_put_att_float(r->nc, to, "missing_value", NC_FLOAT, 1, &small);
}

static int define_var(ncremapped *r, int i)
{
    const ncvar *v = &r->from->var[i];
    int dims[NC_MAX_VAR_DIMS], n = 0, code;
    bool is_field = v->role == NCROLE_FIELD;
    r->var[i] = -1;
    if (!is_field && v->role != NCROLE_COPY)
        return NC_NOERR;
    for (int k = 0; k < v->rank - (is_field ? v->horizontal : 0); k++)
        dims[n++] = r->dim[v->dim[k]];
    for (int k = 0; is_field && k < r->nspace; k++)
        dims[n++] = r->space[k];
    code = nc_def_var(r->nc, v->name, is_field ? v->unpacked : v->type, n, dims, &r->var[i]);
    if (!code && is_field)
        code = put_missing(r, i, r->var[i]);
    if (!code)
        code = copy_attributes(r, i, r->var[i], v);
    return !code && is_field ? put_coordinates(r, i, r->var[i]) : code;
}

static int put_history(const ncremapped *r, const char *command)
{
    char name[NC_MAX_NAME + 1], date[32], old[16 * TEXT];
    int natt, code = nc_inq_natts(r->from->nc, &natt);
    for (int i = 0; i < natt && !code; i++) {
        code = nc_inq_attname(r->from->nc, NC_GLOBAL, i, name);
        if (!code && strcmp(name, "history") != 0)
            code = nc_copy_att(r->from->nc, NC_GLOBAL, name, r->nc, NC_GLOBAL);
    }
    time_t now = time(NULL);
    struct tm utc;
    strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
    ncfile_text(r->from->nc, NC_GLOBAL, "history", old, sizeof old);
    size_t size = strlen(date) + strlen(command) + strlen(old) + 8;
    char *text = malloc(size);
    if (!text)
        return NC_ENOMEM;
    snprintf(text, size, "%s: %s%s%s", date, command, *old ? "\n" : "", old);
    if (!code)
        code = put_text(r->nc, NC_GLOBAL, "history", text);
    free(text);
    size_t length;
    if (!code && nc_inq_attlen(r->nc, NC_GLOBAL, "Conventions", &length) != NC_NOERR)
        code = put_text(r->nc, NC_GLOBAL, "Conventions", "CF-1.8");
    return code;
}

static int put_grid(const ncremapped *r)
{
    const h3ou__cells *c = r->target;
    bool is_regular_grid = r->shape == NCSHAPE_REGULAR;
    int64_t nx = is_regular_grid ? c->dims[0] : c->n, ny = is_regular_grid ? c->dims[1] : c->n;
    double *angle = malloc(sizeof *angle * (size_t)(c->n + 1));
    if (!angle)
        return NC_ENOMEM;
    for (int64_t i = 0; i < nx; i++)
        angle[i] = c->lon[i] / degree;
    int code = nc_put_var_double(r->nc, r->lon, angle);
    for (int64_t i = 0; i < ny; i++)
        angle[i] = c->lat[is_regular_grid ? i * c->dims[0] : i] / degree;
    if (!code)
        code = nc_put_var_double(r->nc, r->lat, angle);
    if (!code && r->bounds.width > 0)
        code = nc_put_var_double(r->nc, r->lon_bounds, r->bounds.lon);
    if (!code && r->bounds.width > 0)
        code = nc_put_var_double(r->nc, r->lat_bounds, r->bounds.lat);
    free(angle);
    return code;
}

/* Copies all values of a variable without horizontal dimensions, bytes unchanged. */
static int copy_variable(const ncremapped *r, int i)
{
    const ncvar *v = &r->from->var[i];
    size_t start[NC_MAX_VAR_DIMS] = {0}, count[NC_MAX_VAR_DIMS], n = 1, size;
    for (int k = 0; k < v->rank; k++)
        n *= count[k] = r->from->length[v->dim[k]];
    int code = nc_inq_type(r->from->nc, v->type, NULL, &size);
    if (code || n == 0)
        return code;
    void *value = malloc(n * size);
    code = value ? nc_get_var(r->from->nc, i, value) : NC_ENOMEM;
    if (!code)
        code = nc_put_vara(r->nc, r->var[i], start, count, value);
    free(value);
    return code;
}

/* Returns the format of the new file: the one of the old file, or a wider one when a variable would be too large for
 * it. */
static int format_of(const ncfile *f, const h3ou__cells *target)
{
    double most = 0.0;
    if (f->format == NC_FORMAT_NETCDF4 || f->format == NC_FORMAT_NETCDF4_CLASSIC)
        return NC_NETCDF4 | (f->format == NC_FORMAT_NETCDF4_CLASSIC ? NC_CLASSIC_MODEL : 0);
    for (int i = 0; i < f->nvar; i++) {
        double bytes = 8.0 * (double)target->n;
        for (int k = 0; k < f->var[i].rank - f->var[i].horizontal; k++)
            bytes *= ncfile_is_unlimited(f, f->var[i].dim[k]) ? 1.0 : (double)f->length[f->var[i].dim[k]];
        most = f->var[i].role == NCROLE_FIELD ? fmax(most, bytes) : most;
    }
    return f->format == NC_FORMAT_CDF5 || most > 4e9 ? NC_64BIT_DATA : NC_64BIT_OFFSET;
}

static int write_file(ncremapped *r, const char *history)
{
    int code = define_dims(r), old;
    const char *variable = NULL;
    if (!code)
        code = define_grid(r);
    for (int i = 0; i < r->from->nvar && !code; i++) {
        code = define_var(r, i);
        variable = code ? r->from->var[i].name : NULL;
    }
    if (!code)
        code = put_history(r, history);
    if (!code)
        code = nc_set_fill(r->nc, NC_NOFILL, &old);
    if (!code)
        code = nc_enddef(r->nc);
    if (!code)
        code = put_grid(r);
    for (int i = 0; i < r->from->nvar && !code; i++)
        if (r->from->var[i].role == NCROLE_COPY) {
            code = copy_variable(r, i);
            variable = code ? r->from->var[i].name : NULL;
        }
    return code ? ncfile_fail(r->name, variable, code) : H3OU__OK;
}

static void release(ncremapped *r)
{
    ncbounds_free(&r->bounds);
    free(r->var);
    free(r->missing);
    free(r);
}

static int make_bounds(ncremapped *r, h3ou__side_corners *corners)
{
    const h3ou__cells *c = r->target;
    bool is_regular_grid = r->shape == NCSHAPE_REGULAR;
    return ncbounds_create(corners, is_regular_grid ? c->dims[0] : 0, is_regular_grid ? c->dims[1] : 0, &r->bounds);
}

int ncremapped_create(const char *name, const ncfile *from, const h3ou__cells *target, h3ou__side_corners *corners,
                      const char *history, ncremapped **out)
{
    ncremapped *r = calloc(1, sizeof *r);
    if (r) {
        *r = (ncremapped){.name = name, .from = from, .target = target, .shape = shape_of(target)};
        r->var = calloc((size_t)from->nvar + 1, sizeof *r->var);
        r->missing = calloc((size_t)from->nvar + 1, sizeof *r->missing);
    }
    if (!r || !r->var || !r->missing) {
        if (r)
            release(r);
        return h3ou__fail(H3OU__ENOMEM, "out of memory for %s", name);
    }
    int err = make_bounds(r, corners);
    if (err) {
        release(r);
        return err;
    }
    int code = nc_create(name, NC_CLOBBER | format_of(from, target), &r->nc);
    if (code) {
        release(r);
        return ncfile_fail(name, NULL, code);
    }
    err = write_file(r, history);
    if (err)
        return ncremapped_close(r, err);
    *out = r;
    return H3OU__OK;
}

int ncremapped_close(ncremapped *r, int err)
{
    if (!r)
        return err;
    int code = nc_close(r->nc);
    if (code && !err)
        err = ncfile_fail(r->name, NULL, code);
    if (err)
        discard_file(r->name);
    release(r);
    return err;
}

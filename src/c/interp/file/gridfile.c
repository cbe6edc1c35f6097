/* SPDX-License-Identifier: BSD-3-Clause */
#include <inttypes.h>
#include <math.h>
#include <netcdf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "interp/file/ncfile.h"

typedef struct reader {
    const char *file;
    int nc;
} reader;

typedef struct variable {
    int id, rank, dim[NC_MAX_VAR_DIMS];
    size_t size[NC_MAX_VAR_DIMS], all;
    char name[NC_MAX_NAME + 1];
} variable;

static int bad(const reader *r, const char *what, const char *why)
{
    return h3ou__fail(H3OU__EFILE, "%s: %s: %s", r->file, what, why);
}

static int look(const reader *r, int id, variable *v)
{
    v->id = id;
    v->all = 1;
    int code = nc_inq_var(r->nc, id, v->name, NULL, &v->rank, v->dim, NULL);
    for (int i = 0; i < v->rank && !code; i++) {
        code = nc_inq_dimlen(r->nc, v->dim[i], &v->size[i]);
        v->all *= v->size[i];
    }
    return code ? bad(r, v->name, nc_strerror(code)) : H3OU__OK;
}

static bool find(const reader *r, const char *name, variable *v)
{
    int id;
    return nc_inq_varid(r->nc, name, &id) == NC_NOERR && look(r, id, v) == H3OU__OK;
}

static int read_doubles(const reader *r, const variable *v, double **out)
{
    *out = malloc(sizeof **out * (v->all + 1));
    if (!*out)
        return h3ou__fail(H3OU__ENOMEM, "%s: %s: out of memory", r->file, v->name);
    int code = nc_get_var_double(r->nc, v->id, *out);
    if (code == NC_NOERR)
        return H3OU__OK;
    free(*out);
    *out = NULL;
    return bad(r, v->name, nc_strerror(code));
}

static char *text_attribute(const reader *r, const variable *v, const char *name, char *text, size_t room)
{
    size_t length = 0;
    nc_type type;
    text[0] = 0;
    if (nc_inq_att(r->nc, v->id, name, &type, &length) == NC_NOERR && type == NC_CHAR && length < room &&
        nc_get_att_text(r->nc, v->id, name, text) == NC_NOERR)
        text[length] = 0;
    return text;
}

static void to_radians(const reader *r, const variable *v, double *value)
{
    char units[64];
    text_attribute(r, v, "units", units, sizeof units);
    double factor = !strncasecmp(units, "rad", 3) ? 1.0 : 3.14159265358979323846 / 180.0;
    for (size_t i = 0; i < v->all; i++)
        value[i] *= factor;
}

static int read_angles(const reader *r, const variable *v, double **out)
{
    int err = read_doubles(r, v, out);
    if (!err)
        to_radians(r, v, *out);
    return err;
}

static int read_mask(const reader *r, const variable *v, int **out)
{
    *out = malloc(sizeof **out * (v->all + 1));
    if (!*out)
        return h3ou__fail(H3OU__ENOMEM, "%s: %s: out of memory", r->file, v->name);
    int code = nc_get_var_int(r->nc, v->id, *out);
    return code == NC_NOERR ? H3OU__OK : bad(r, v->name, nc_strerror(code));
}

static int read_scrip(const reader *r, const variable *lat, h3ou__cells **out)
{
    variable lon, mask, dims;
    double *x = NULL, *y = NULL;
    int *m = NULL, err;
    if (!find(r, "grid_center_lon", &lon) || lon.all != lat->all)
        return bad(r, "grid_center_lon", "missing, or of another size than grid_center_lat");
    if ((err = read_angles(r, &lon, &x)) != H3OU__OK || (err = read_angles(r, lat, &y)) != H3OU__OK)
        goto done;
    if (find(r, "grid_imask", &mask)) {
        err = mask.all == lat->all ? read_mask(r, &mask, &m)
                                   : bad(r, "grid_imask", "of another size than grid_center_lat");
        if (err)
            goto done;
    }
    err = h3ou__cells_create(r->file, (int64_t)lat->all, x, y, m, out);
    int size[2];
    if (!err && find(r, "grid_dims", &dims) && dims.all == 2 && nc_get_var_int(r->nc, dims.id, size) == NC_NOERR &&
        (int64_t)size[0] * size[1] == (*out)->n) {
        (*out)->rank = 2;
        (*out)->dims[0] = size[0];
        (*out)->dims[1] = size[1];
    }
done:
    free(x);
    free(y);
    free(m);
    return err;
}

/* The variable of `names` (words) that is a coordinate whose units begin with the given word. */
static bool find_in(const reader *r, const char *names, const char *units, variable *v)
{
    char word[NC_MAX_NAME + 1], text[64];
    for (const char *p = names; *p;) {
        size_t length = strcspn(p, " ");
        snprintf(word, sizeof word, "%.*s", (int)length, p);
        p += length + strspn(p + length, " ");
        if (!find(r, word, v))
            continue;
        text_attribute(r, v, "standard_name", text, sizeof text);
        if (!strcmp(text, !strcmp(units, "degrees_n") ? "latitude" : "longitude"))
            return true;
        if (!strncasecmp(text_attribute(r, v, "units", text, sizeof text), units, strlen(units)))
            return true;
    }
    return false;
}

/* Longitude and latitude of a field: its coordinates attribute, else its last two dimensions' own variables. */
static bool find_coordinates(const reader *r, const variable *field, variable *lon, variable *lat)
{
    char names[1024], dim[NC_MAX_NAME + 1];
    text_attribute(r, field, "coordinates", names, sizeof names);
    for (int i = field->rank - 1; i >= 0 && i >= field->rank - 2; i--)
        if (nc_inq_dimname(r->nc, field->dim[i], dim) == NC_NOERR)
            snprintf(names + strlen(names), sizeof names - strlen(names), " %s", dim);
    return find_in(r, names + strspn(names, " "), "degrees_e", lon) &&
           find_in(r, names + strspn(names, " "), "degrees_n", lat);
}

/* Values at the first time and level; missing ones are no part of the grid. */
static int mask_of(const reader *r, const variable *field, int64_t n, int **out)
{
    size_t start[NC_MAX_VAR_DIMS] = {0}, count[NC_MAX_VAR_DIMS];
    double *value = malloc(sizeof *value * (size_t)(n + 1)), missing = NC_FILL_DOUBLE, fill = NC_FILL_FLOAT;
    *out = malloc(sizeof **out * (size_t)(n + 1));
    if (!value || !*out) {
        free(value);
        return h3ou__fail(H3OU__ENOMEM, "%s: %s: out of memory", r->file, field->name);
    }
    size_t covered = 1;
    for (int i = field->rank - 1; i >= 0; i--) {
        count[i] = covered < (size_t)n ? field->size[i] : 1;
        covered *= count[i];
    }
    int code = covered == (size_t)n ? nc_get_vara_double(r->nc, field->id, start, count, value) : NC_EDIMSIZE;
    nc_get_att_double(r->nc, field->id, "missing_value", &missing);
    nc_get_att_double(r->nc, field->id, "_FillValue", &fill);
    for (int64_t i = 0; i < n && !code; i++)
        (*out)[i] = !(isnan(value[i]) || value[i] == missing || value[i] == fill);
    free(value);
    return code ? bad(r, field->name, nc_strerror(code)) : H3OU__OK;
}

/* Two axes make a grid; longitudes run fastest. */
static int spread_axes(double **x, size_t nx, double **y, size_t ny)
{
    double *a = malloc(sizeof *a * nx * ny), *b = malloc(sizeof *b * nx * ny);
    if (!a || !b) {
        free(a);
        free(b);
        return h3ou__fail(H3OU__ENOMEM, "out of memory for a grid");
    }
    for (size_t j = 0; j < ny; j++)
        for (size_t i = 0; i < nx; i++) {
            a[j * nx + i] = (*x)[i];
            b[j * nx + i] = (*y)[j];
        }
    free(*x);
    free(*y);
    *x = a;
    *y = b;
    return H3OU__OK;
}

static int read_field(const reader *r, const variable *field, const variable *lon, const variable *lat,
                      h3ou__cells **out)
{
    double *x = NULL, *y = NULL;
    int *mask = NULL;
    bool axes = lon->rank == 1 && lat->rank == 1 && lon->dim[0] != lat->dim[0];
    size_t n = axes ? lon->all * lat->all : lon->all;
    if (!axes && lon->all != lat->all)
        return bad(r, lon->name, "longitudes and latitudes differ in size");
    int err = read_angles(r, lon, &x);
    if (!err)
        err = read_angles(r, lat, &y);
    if (!err && axes)
        err = spread_axes(&x, lon->all, &y, lat->all);
    if (!err)
        err = mask_of(r, field, (int64_t)n, &mask);
    if (!err)
        err = h3ou__cells_create(r->file, (int64_t)n, x, y, mask, out);
    if (!err && (axes || lon->rank == 2)) {
        (*out)->rank = 2;
        (*out)->dims[0] = (int64_t)(axes ? lon->all : lon->size[1]);
        (*out)->dims[1] = (int64_t)(axes ? lat->all : lon->size[0]);
    }
    free(x);
    free(y);
    free(mask);
    return err;
}

static int read_any(const reader *r, h3ou__cells **out)
{
    int n = 0;
    variable v, lon, lat;
    if (find(r, "grid_center_lat", &v))
        return read_scrip(r, &v, out);
    nc_inq_nvars(r->nc, &n);
    for (int id = 0; id < n; id++)
        if (look(r, id, &v) == H3OU__OK && v.rank > 0 && find_coordinates(r, &v, &lon, &lat) && v.id != lon.id &&
            v.id != lat.id)
            return read_field(r, &v, &lon, &lat, out);
    return bad(r, "grid",
               "no grid_center_lat (a SCRIP grid), and no field with longitudes (units degrees_east) and latitudes");
}

int h3ou__gridfile_read(const char *file, int edges, h3ou__cells **out)
{
    reader r = {file, 0};
    (void)edges;
    int code = nc_open(file, NC_NOWRITE, &r.nc);
    if (code != NC_NOERR)
        return h3ou__fail(H3OU__EFILE, "%s: %s", file, nc_strerror(code));
    int err = read_any(&r, out);
    nc_close(r.nc);
    return err;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/weights/netcdf/ncfields.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "interp/file/netcdf/reader.h"

enum { TEXT = 1024 };

int ncfile_fail(const char *file, const char *variable, int code)
{
    const char *remedy = code == NC_EHDFERR ? " (the file is cut short, or the disk is full)" : "";
    return h3ou__fail(H3OU__EFILE, "%s%s%s%s: %s%s", file, variable ? ": variable '" : "", variable ? variable : "",
                      variable ? "'" : "", nc_strerror(code), remedy);
}

char *ncfile_text(int nc, int var, const char *name, char text[], size_t size)
{
    nc_type type;
    size_t length;
    text[0] = 0;
    if (nc_inq_att(nc, var, name, &type, &length) == NC_NOERR && type == NC_CHAR && length < size &&
        nc_get_att_text(nc, var, name, text) == NC_NOERR)
        text[length] = 0;
    return text;
}

bool ncfile_has_word(const char *text, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = text; *at;) {
        size_t end = strcspn(at, " \n\t");
        if (end == length && length > 0 && !strncmp(at, word, length))
            return true;
        at += end + strspn(at + end, " \n\t");
    }
    return false;
}

bool ncfile_is_unlimited(const ncfile *f, int dim)
{
    for (int i = 0; i < f->nunlimited; i++)
        if (f->unlimited[i] == dim)
            return true;
    return false;
}

static double read_attribute(int nc, int var, const char *name, double otherwise)
{
    size_t length;
    double value;
    if (nc_inq_attlen(nc, var, name, &length) == NC_NOERR && length == 1 &&
        nc_get_att_double(nc, var, name, &value) == NC_NOERR)
        return value;
    return otherwise;
}

static bool is_numeric(nc_type type)
{
    return type >= NC_BYTE && type <= NC_UINT64 && type != NC_CHAR;
}

/* Reads the CF attributes of missing and packed values. */
static void read_value_attributes(const ncfile *f, int id, ncvar *v)
{
    nc_type type;
    double range[2];
    v->scale = read_attribute(f->nc, id, "scale_factor", 1.0);
    v->offset = read_attribute(f->nc, id, "add_offset", 0.0);
    v->is_packed = nc_inq_atttype(f->nc, id, "scale_factor", &type) == NC_NOERR ||
                   nc_inq_atttype(f->nc, id, "add_offset", &type) == NC_NOERR;
    v->fill[0] = read_attribute(f->nc, id, "_FillValue", NAN);
    v->fill[1] = read_attribute(f->nc, id, "missing_value", NAN);
    v->valid[0] = read_attribute(f->nc, id, "valid_min", -INFINITY);
    v->valid[1] = read_attribute(f->nc, id, "valid_max", INFINITY);
    size_t length;
    if (nc_inq_attlen(f->nc, id, "valid_range", &length) == NC_NOERR && length == 2 &&
        nc_get_att_double(f->nc, id, "valid_range", range) == NC_NOERR) {
        v->valid[0] = range[0];
        v->valid[1] = range[1];
    }
    v->unpacked = v->type == NC_DOUBLE || v->type == NC_INT || v->type >= NC_UINT ? NC_DOUBLE : NC_FLOAT;
    if (v->is_packed && (nc_inq_atttype(f->nc, id, "scale_factor", &type) == NC_NOERR ||
                         nc_inq_atttype(f->nc, id, "add_offset", &type) == NC_NOERR))
        v->unpacked = type == NC_DOUBLE ? NC_DOUBLE : NC_FLOAT;
}

static int read_dimensions(ncfile *f)
{
    int nvar, natt, code = nc_inq(f->nc, &f->ndim, &nvar, &natt, NULL);
    f->nvar = nvar;
    for (int i = 0; i < f->ndim && !code; i++)
        code = nc_inq_dim(f->nc, i, f->dim_name[i], &f->length[i]);
    if (!code)
        code = nc_inq_unlimdims(f->nc, &f->nunlimited, f->unlimited);
    return code ? code : nc_inq_format(f->nc, &f->format);
}

static int read_vars(ncfile *f)
{
    int code = NC_NOERR;
    f->var = calloc((size_t)f->nvar + 1, sizeof *f->var);
    if (!f->var)
        return NC_ENOMEM;
    for (int i = 0; i < f->nvar && !code; i++) {
        ncvar *v = &f->var[i];
        code = nc_inq_var(f->nc, i, v->name, &v->type, &v->rank, v->dim, &v->natt);
        if (!code)
            read_value_attributes(f, i, v);
    }
    return code;
}

/* Returns how many of the last dimensions of a variable are the source grid's: 0, 1 or 2. */
static int count_grid_dims(const ncfile *f, const ncvar *v, int64_t nsource, const h3ou__cells *source)
{
    size_t last = v->rank > 0 ? f->length[v->dim[v->rank - 1]] : 0;
    size_t before = v->rank > 1 ? f->length[v->dim[v->rank - 2]] : 0;
    bool is_plane = source && source->rank == 2;
    if (v->rank > 1 && is_plane && last == (size_t)source->dims[0] && before == (size_t)source->dims[1])
        return 2;
    if (v->rank > 0 && last == (size_t)nsource)
        return 1;
    return v->rank > 1 && !is_plane && last > 1 && before > 1 && last * before == (size_t)nsource ? 2 : 0;
}

static bool is_angle(const ncfile *f, int id)
{
    char units[TEXT], name[TEXT];
    ncfile_text(f->nc, id, "units", units, sizeof units);
    ncfile_text(f->nc, id, "standard_name", name, sizeof name);
    return !strncmp(units, "degrees_", 8) || !strncmp(units, "degree_", 7) || !strcmp(name, "longitude") ||
           !strcmp(name, "latitude") || !strcmp(name, "grid_longitude") || !strcmp(name, "grid_latitude") ||
           !strcmp(name, "projection_x_coordinate") || !strcmp(name, "projection_y_coordinate");
}

static void set_role(ncfile *f, const char *names, enum ncrole role)
{
    for (int i = 0; i < f->nvar; i++)
        if (ncfile_has_word(names, f->var[i].name))
            f->var[i].role = role;
}

/* Finds the variables that describe a grid, by attributes of other variables and by their own. */
static void find_grid_variables(ncfile *f)
{
    static const char *const of_field[] = {"grid_mapping", "mesh"};
    static const char *const of_mesh[] = {
        "node_coordinates",       "edge_coordinates",       "face_coordinates",
        "face_node_connectivity", "edge_node_connectivity", "face_edge_connectivity",
        "face_face_connectivity", "edge_face_connectivity", "boundary_node_connectivity"};
    char text[TEXT];
    for (int i = 0; i < f->nvar; i++) {
        if (is_angle(f, i)) {
            f->var[i].role = NCROLE_GRID;
            set_role(f, ncfile_text(f->nc, i, "bounds", text, sizeof text), NCROLE_GRID);
        }
        for (size_t k = 0; k < sizeof of_field / sizeof *of_field; k++)
            set_role(f, ncfile_text(f->nc, i, of_field[k], text, sizeof text), NCROLE_GRID);
        if (strcmp(ncfile_text(f->nc, i, "cf_role", text, sizeof text), "mesh_topology") == 0) {
            f->var[i].role = NCROLE_GRID;
            for (size_t k = 0; k < sizeof of_mesh / sizeof *of_mesh; k++)
                set_role(f, ncfile_text(f->nc, i, of_mesh[k], text, sizeof text), NCROLE_GRID);
        }
        ncfile_text(f->nc, i, "cell_measures", text,
                    sizeof text); /* "area: name": an area is not a field to be averaged */
        const char *colon = strchr(text, ':');
        set_role(f, colon ? colon + 1 : "", NCROLE_GRID);
    }
}

/* Returns whether the variable is a coordinate of a grid's dimension without being an angle: (x), (y), (cell). */
static bool is_dim_variable(const ncfile *f, const ncvar *v)
{
    return v->rank == 1 && !strcmp(v->name, f->dim_name[v->dim[0]]);
}

static void sort_variables(ncfile *f, int64_t nsource, const h3ou__cells *source)
{
    find_grid_variables(f);
    for (int i = 0; i < f->nvar; i++) {
        ncvar *v = &f->var[i];
        v->horizontal = v->role == NCROLE_COPY && is_numeric(v->type) ? count_grid_dims(f, v, nsource, source) : 0;
        if (!v->horizontal || is_dim_variable(f, v))
            continue;
        v->role = NCROLE_FIELD;
        f->nfield++;
        for (int k = v->rank - v->horizontal; k < v->rank; k++)
            f->is_horizontal[v->dim[k]] = true;
    }
    for (int i = 0; i < f->nvar; i++) {
        ncvar *v = &f->var[i];
        bool has_horizontal = false, is_leading = false;
        for (int k = 0; k < v->rank; k++)
            has_horizontal |= f->is_horizontal[v->dim[k]];
        for (int k = 0; k < v->rank - v->horizontal; k++)
            is_leading |= f->is_horizontal[v->dim[k]];
        if (v->role == NCROLE_COPY && has_horizontal) {
            v->role = is_dim_variable(f, v) ? NCROLE_GRID : NCROLE_LEFT;
            v->why = "the grid's dimensions are not its last ones, as in (..., lat, lon)";
        } else if (v->role == NCROLE_FIELD && is_leading) {
            v->role = NCROLE_LEFT;
            v->why = "a dimension of the grid comes twice";
            f->nfield--;
        } else if (v->role == NCROLE_COPY && !is_numeric(v->type) && v->type != NC_CHAR) {
            v->role = NCROLE_LEFT;
            v->why = "its type is neither a number nor characters";
        }
    }
}

static int fail_no_field(const ncfile *f, int64_t nsource, const h3ou__cells *source)
{
    char grid[64], shapes[512] = "";
    if (source && source->rank == 2)
        snprintf(grid, sizeof grid, "%lld x %lld cells", (long long)source->dims[1], (long long)source->dims[0]);
    else
        snprintf(grid, sizeof grid, "%lld cells", (long long)nsource);
    for (int i = 0, said = 0; i < f->nvar && said < 4; i++) {
        const ncvar *v = &f->var[i];
        if (v->rank < 2 && (v->role == NCROLE_GRID || is_dim_variable(f, v)))
            continue;
        size_t used = strlen(shapes);
        snprintf(shapes + used, sizeof shapes - used, "%s%s(", said++ ? ", " : "", v->name);
        for (int k = 0; k < v->rank; k++) {
            used = strlen(shapes);
            snprintf(shapes + used, sizeof shapes - used, "%s%s=%zu", k ? ", " : "", f->dim_name[v->dim[k]],
                     f->length[v->dim[k]]);
        }
        used = strlen(shapes);
        snprintf(shapes + used, sizeof shapes - used, ")");
    }
    int ngroup = 0;
    nc_inq_grps(f->nc, &ngroup, NULL);
    return h3ou__fail(
        H3OU__EFILE,
        "%s: no variable is on the weights' source grid of %s%s%s%s; give a file on that grid, or make weights "
        "for this one",
        f->name, grid, *shapes ? ": it has " : "", shapes,
        ngroup > 0 ? ", and groups, which are not read (move their variables to the root, as with 'ncks -G :')" : "");
}

int ncfile_open(const char *name, int64_t nsource, const h3ou__cells *source, ncfile **out)
{
    ncfile *f = calloc(1, sizeof *f);
    if (!f)
        return h3ou__fail(H3OU__ENOMEM, "out of memory for %s", name);
    f->name = name;
    h3ou__nc opened; /* detects truncated files, which NetCDF would read as zeros */
    int code, err = h3ou__nc_open(name, &opened);
    if (err) {
        free(f);
        return err;
    }
    f->nc = opened.id;
    code = read_dimensions(f);
    if (!code)
        code = read_vars(f);
    if (code)
        err = ncfile_fail(name, NULL, code);
    else
        sort_variables(f, nsource, source);
    if (!err && f->nfield == 0)
        err = fail_no_field(f, nsource, source);
    if (err) {
        ncfile_close(f);
        return err;
    }
    *out = f;
    return H3OU__OK;
}

void ncfile_close(ncfile *f)
{
    if (!f)
        return;
    nc_close(f->nc);
    free(f->var);
    free(f);
}

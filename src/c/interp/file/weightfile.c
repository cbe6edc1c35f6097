/* SPDX-License-Identifier: BSD-3-Clause */
#include <inttypes.h>
#include <netcdf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "interp/file/ncfile.h"

typedef struct writer {
    const char *file;
    int nc, code; /* the first failure stays */
} writer;

static int dim(writer *w, const char *name, size_t size)
{
    int id = -1;
    if (!w->code)
        w->code = nc_def_dim(w->nc, name, size, &id);
    return id;
}

static int var(writer *w, const char *name, nc_type type, int rank, const int dims[], const char *units)
{
    int id = -1;
    if (!w->code)
        w->code = nc_def_var(w->nc, name, type, rank, dims, &id);
    if (!w->code && units)
        w->code = nc_put_att_text(w->nc, id, "units", strlen(units), units);
    return id;
}

static void attribute(writer *w, const char *name, const char *text)
{
    if (!w->code)
        w->code = nc_put_att_text(w->nc, NC_GLOBAL, name, strlen(text), text);
}

static void put_doubles(writer *w, int id, const double *value)
{
    if (!w->code)
        w->code = nc_put_var_double(w->nc, id, value);
}

/* Integers of any kind, by way of int. */
static void put_ints(writer *w, int id, int64_t n, const int64_t *number, const unsigned char *flag, const int32_t *small,
                     int64_t add)
{
    int *value = malloc(sizeof *value * (size_t)(n + 1));
    if (!value && !w->code)
        w->code = NC_ENOMEM;
    for (int64_t i = 0; value && i < n; i++)
        value[i] = (int)((number ? number[i] : flag ? flag[i] : small[i]) + add);
    if (!w->code)
        w->code = nc_put_var_int(w->nc, id, value);
    free(value);
}

typedef struct grid_ids {
    int dims, lat, lon, mask, area, frac;
} grid_ids;

static grid_ids define_grid(writer *w, const char *side, const h3ou__cells *c)
{
    grid_ids g;
    char name[64];
    snprintf(name, sizeof name, "%s_grid_size", side);
    int size = dim(w, name, (size_t)c->n);
    snprintf(name, sizeof name, "%s_grid_rank", side);
    int rank = dim(w, name, (size_t)c->rank);
    snprintf(name, sizeof name, "%s_grid_dims", side);
    g.dims = var(w, name, NC_INT, 1, &rank, NULL);
    snprintf(name, sizeof name, "%s_grid_center_lat", side);
    g.lat = var(w, name, NC_DOUBLE, 1, &size, "radians");
    snprintf(name, sizeof name, "%s_grid_center_lon", side);
    g.lon = var(w, name, NC_DOUBLE, 1, &size, "radians");
    snprintf(name, sizeof name, "%s_grid_imask", side);
    g.mask = var(w, name, NC_INT, 1, &size, "unitless");
    snprintf(name, sizeof name, "%s_grid_frac", side);
    g.frac = var(w, name, NC_DOUBLE, 1, &size, "unitless");
    return g;
}

static void put_grid(writer *w, const grid_ids *g, const h3ou__cells *c, const h3ou__weights *served)
{
    put_ints(w, g->dims, c->rank, c->dims, NULL, NULL, 0);
    put_doubles(w, g->lat, c->lat);
    put_doubles(w, g->lon, c->lon);
    put_ints(w, g->mask, c->n, NULL, c->mask, NULL, 0);
    double *frac = malloc(sizeof *frac * (size_t)(c->n + 1));
    if (!frac && !w->code)
        w->code = NC_ENOMEM;
    for (int64_t i = 0; frac && i < c->n; i++)
        frac[i] = served ? served->served[i] >= 0 : c->mask[i];
    if (frac)
        put_doubles(w, g->frac, frac);
    free(frac);
}

int h3ou__weightfile_write(const char *file, int format, const h3ou__weights *weights, const h3ou__cells *source,
                           const h3ou__cells *target)
{
    int64_t n = weights->start[weights->ntarget];
    int32_t *to = malloc(sizeof *to * (size_t)(n + 1));
    for (int64_t i = 0; i < weights->ntarget; i++)
        for (int64_t k = weights->start[i]; k < weights->start[i + 1]; k++)
            to[k] = (int32_t)i;
    (void)format;
    writer w = {.file = file};
    if (source->n > INT32_MAX || target->n > INT32_MAX)
        return h3ou__fail(H3OU__EFILE, "%s: SCRIP files number cells with 32 bits", file);
    w.code = nc_create(file, NC_CLOBBER | NC_64BIT_OFFSET, &w.nc);
    if (w.code)
        return h3ou__fail(H3OU__EFILE, "%s: %s", file, nc_strerror(w.code));
    attribute(&w, "title", "interpolation weights");
    attribute(&w, "source", "h3ou weights");
    attribute(&w, "normalization", "none");
    attribute(&w, "map_method", "Distance weighted avg of nearest neighbors");
    attribute(&w, "h3ou_method", weights->how);
    attribute(&w, "conventions", "SCRIP");
    attribute(&w, "source_grid", source->name);
    attribute(&w, "dest_grid", target->name);
    grid_ids src = define_grid(&w, "src", source), dst = define_grid(&w, "dst", target);
    int link[2] = {dim(&w, "num_links", (size_t)n), dim(&w, "num_wgts", 1)};
    int src_id = var(&w, "src_address", NC_INT, 1, link, NULL), dst_id = var(&w, "dst_address", NC_INT, 1, link, NULL);
    int matrix = var(&w, "remap_matrix", NC_DOUBLE, 2, link, NULL);
    if (!w.code)
        w.code = nc_enddef(w.nc);
    put_grid(&w, &src, source, NULL);
    put_grid(&w, &dst, target, weights);
    put_ints(&w, src_id, n, NULL, NULL, weights->src, 1);
    put_ints(&w, dst_id, n, NULL, NULL, to, 1);
    free(to);
    put_doubles(&w, matrix, weights->coef);
    int code = nc_close(w.nc);
    w.code = w.code ? w.code : code;
    if (w.code) {
        remove(file); /* half a file would be taken for a whole one */
        return h3ou__fail(H3OU__EFILE, "%s: %s", file, nc_strerror(w.code));
    }
    return H3OU__OK;
}


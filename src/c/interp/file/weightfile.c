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
static void put_ints(writer *w, int id, int64_t n, const int64_t *number, const unsigned char *flag, int64_t add)
{
    int *value = malloc(sizeof *value * (size_t)(n + 1));
    if (!value && !w->code)
        w->code = NC_ENOMEM;
    for (int64_t i = 0; value && i < n; i++)
        value[i] = (int)((number ? number[i] : flag[i]) + add);
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
    put_ints(w, g->dims, c->rank, c->dims, NULL, 0);
    put_doubles(w, g->lat, c->lat);
    put_doubles(w, g->lon, c->lon);
    put_ints(w, g->mask, c->n, NULL, c->mask, 0);
    double *frac = malloc(sizeof *frac * (size_t)(c->n + 1));
    if (!frac && !w->code)
        w->code = NC_ENOMEM;
    for (int64_t i = 0; frac && i < c->n; i++)
        frac[i] = served ? served->served[i] >= 0 : c->mask[i];
    if (frac)
        put_doubles(w, g->frac, frac);
    free(frac);
}

int h3ou__weightfile_write(const char *file, const h3ou__weights *weights, const h3ou__cells *source,
                           const h3ou__cells *target)
{
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
    int link[2] = {dim(&w, "num_links", (size_t)weights->n), dim(&w, "num_wgts", 1)};
    int src_id = var(&w, "src_address", NC_INT, 1, link, NULL), dst_id = var(&w, "dst_address", NC_INT, 1, link, NULL);
    int matrix = var(&w, "remap_matrix", NC_DOUBLE, 2, link, NULL);
    if (!w.code)
        w.code = nc_enddef(w.nc);
    put_grid(&w, &src, source, NULL);
    put_grid(&w, &dst, target, weights);
    put_ints(&w, src_id, weights->n, weights->src, NULL, 1);
    put_ints(&w, dst_id, weights->n, weights->dst, NULL, 1);
    put_doubles(&w, matrix, weights->coef);
    int code = nc_close(w.nc);
    w.code = w.code ? w.code : code;
    if (w.code) {
        remove(file); /* half a file would be taken for a whole one */
        return h3ou__fail(H3OU__EFILE, "%s: %s", file, nc_strerror(w.code));
    }
    return H3OU__OK;
}

static int read_size(int nc, const char *name, size_t *size)
{
    int id, code = nc_inq_dimid(nc, name, &id);
    return code ? code : nc_inq_dimlen(nc, id, size);
}

static int read_links(int nc, h3ou__weights *w, size_t n, size_t nsource)
{
    int err = H3OU__OK, id, code, *src = malloc(sizeof *src * (n + 1)), *dst = malloc(sizeof *dst * (n + 1));
    double *coef = malloc(sizeof *coef * (n + 1));
    if (!src || !dst || !coef)
        err = h3ou__fail(H3OU__ENOMEM, "out of memory for weights");
    else if ((code = nc_inq_varid(nc, "src_address", &id)) || (code = nc_get_var_int(nc, id, src)) ||
             (code = nc_inq_varid(nc, "dst_address", &id)) || (code = nc_get_var_int(nc, id, dst)) ||
             (code = nc_inq_varid(nc, "remap_matrix", &id)) || (code = nc_get_var_double(nc, id, coef)))
        err = h3ou__fail(H3OU__EFILE, "src_address, dst_address or remap_matrix: %s", nc_strerror(code));
    for (size_t i = 0; i < n && !err; i++) {
        if (src[i] < 1 || (size_t)src[i] > nsource || dst[i] < 1 || dst[i] > w->ntarget)
            err =
                h3ou__fail(H3OU__EFILE, "link %zu: from cell %d to cell %d is beyond the grids", i + 1, src[i], dst[i]);
        else if ((err = h3ou__weights_add(w, src[i] - 1, dst[i] - 1, coef[i])) == H3OU__OK)
            w->served[dst[i] - 1] = 0;
    }
    free(src);
    free(dst);
    free(coef);
    return err;
}

int h3ou__weightfile_read(const char *file, h3ou__weights **out, int64_t *nsource)
{
    int nc, code = nc_open(file, NC_NOWRITE, &nc), id;
    size_t links = 0, wgts = 0, source = 0, target = 0;
    if (code)
        return h3ou__fail(H3OU__EFILE, "%s: %s", file, nc_strerror(code));
    if ((code = read_size(nc, "num_links", &links)) || (code = read_size(nc, "num_wgts", &wgts)) ||
        (code = read_size(nc, "src_grid_size", &source)) || (code = read_size(nc, "dst_grid_size", &target)) ||
        wgts != 1) {
        nc_close(nc);
        return h3ou__fail(H3OU__EFILE, "%s: not SCRIP weights with one coefficient a link: %s", file,
                          code ? nc_strerror(code) : "num_wgts");
    }
    unsigned char *mask = calloc(target + 1, 1);
    int *imask = calloc(target + 1, sizeof *imask);
    h3ou__cells cells = {.n = (int64_t)target, .mask = mask};
    bool has_mask =
        imask && nc_inq_varid(nc, "dst_grid_imask", &id) == NC_NOERR && nc_get_var_int(nc, id, imask) == NC_NOERR;
    for (size_t i = 0; mask && i < target; i++)
        mask[i] = !has_mask || imask[i] != 0;
    int err = mask && imask ? h3ou__weights_create(&cells, out) : h3ou__fail(H3OU__ENOMEM, "out of memory for weights");
    if (!err && (err = read_links(nc, *out, links, source)) != H3OU__OK) {
        h3ou__weights_free(*out);
        err = h3ou__fail_in(err, "%s", file);
    }
    *nsource = (int64_t)source;
    free(mask);
    free(imask);
    nc_close(nc);
    return err ? err : h3ou__weights_sort(*out);
}

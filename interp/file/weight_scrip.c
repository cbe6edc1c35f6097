/* SPDX-License-Identifier: BSD-3-Clause */
/* Weights as SCRIP and CDO write them (P. W. Jones, 1998, A User's Guide for SCRIP, section 3.2). */
#include "interp/file/weight_scrip.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "interp/file/links.h"
#include "interp/file/bounds/side_corners.h"

static const h3ou__link_names link_names = {"src_address", "dst_address", "remap_matrix"};
static const h3ou__side_names source_names = {"src_grid_center_lon", "src_grid_center_lat", "src_grid_imask",
                                              "src_grid_dims"};
static const h3ou__side_names target_names = {"dst_grid_center_lon", "dst_grid_center_lat", "dst_grid_imask",
                                              "dst_grid_dims"};

bool h3ou__weight_scrip_has_links(const h3ou__nc *r)
{
    return h3ou__nc_has(r, link_names.src) && h3ou__nc_has(r, link_names.dst) && h3ou__nc_has(r, link_names.coef);
}

int h3ou__weight_scrip_read(const h3ou__nc *r, h3ou__weightfile *out)
{
    size_t nsource = 0, ntarget = 0;
    char text[64];
    if (!h3ou__nc_size(r, "src_grid_size", &nsource) || !h3ou__nc_size(r, "dst_grid_size", &ntarget) || nsource < 1 ||
        ntarget < 1 || nsource > INT32_MAX || ntarget > INT32_MAX)
        return h3ou__nc_bad(r, "src_grid_size, dst_grid_size",
                            "these dimensions must be the numbers of cells of the grids, they are %zu and %zu", nsource,
                            ntarget);
    h3ou__nc_text(r, NC_GLOBAL, "source_grid", text, sizeof text);
    int err = h3ou__side_read(r, &source_names, text, (int64_t)nsource, &out->source);
    h3ou__nc_text(r, NC_GLOBAL, "dest_grid", text, sizeof text);
    if (!err)
        err = h3ou__side_read(r, &target_names, text, (int64_t)ntarget, &out->target);
    if (!err)
        err = h3ou__links_read(r, &link_names, (int64_t)nsource, (int64_t)ntarget, out);
    if (!err)
        err = h3ou__frac_read(r, "dst_grid_frac", out->weights);
    if (!err)
        err = h3ou__area_read(r, "src_grid_area", (int64_t)nsource, &out->weights->source_area);
    if (!err)
        err = h3ou__area_read(r, "dst_grid_area", (int64_t)ntarget, &out->weights->target_area);
    if (err)
        return err;
    h3ou__how_read(r, out->weights);
    return h3ou__own_read(r, out->weights);
}

typedef struct side_ids {
    int size, dims, lat, lon, mask, area, frac;
} side_ids;

static int side_var(h3ou__ncw *f, const char *side, const char *what, nc_type type, int dim, const char *units)
{
    char name[64];
    snprintf(name, sizeof name, "%s_grid_%s", side, what);
    return h3ou__ncw_var(f, name, type, 1, &dim, units);
}

static side_ids define_side(h3ou__ncw *f, const char *side, const h3ou__cells *c, bool has_area)
{
    side_ids s = {.area = -1};
    char name[64];
    int32_t dims[2];
    snprintf(name, sizeof name, "%s_grid_size", side);
    s.size = h3ou__ncw_dim(f, name, c->n);
    snprintf(name, sizeof name, "%s_grid_rank", side);
    s.dims = side_var(f, side, "dims", NC_INT, h3ou__ncw_dim(f, name, h3ou__side_shape(c, dims)), NULL);
    s.lat = side_var(f, side, "center_lat", NC_DOUBLE, s.size, "radians");
    s.lon = side_var(f, side, "center_lon", NC_DOUBLE, s.size, "radians");
    s.mask = side_var(f, side, "imask", NC_INT, s.size, "unitless");
    if (has_area)
        s.area = side_var(f, side, "area", NC_DOUBLE, s.size, "square radians");
    s.frac = side_var(f, side, "frac", NC_DOUBLE, s.size, "unitless");
    return s;
}

static void write_side(h3ou__ncw *f, const side_ids *s, const h3ou__cells *c, const double *area, const double *frac)
{
    int32_t dims[2];
    h3ou__ncw_ints(f, s->dims, h3ou__side_shape(c, dims), dims, 0);
    h3ou__ncw_doubles(f, s->lat, c->lat);
    h3ou__ncw_doubles(f, s->lon, c->lon);
    h3ou__ncw_flags(f, s->mask, c->n, c->mask);
    if (area)
        h3ou__ncw_doubles(f, s->area, area);
    h3ou__ncw_doubles(f, s->frac, frac);
}

static void define_head(h3ou__ncw *f, const h3ou__weights *w, const char *const names[2])
{
    h3ou__ncw_text(f, NC_GLOBAL, "title", "h3ou weights");
    h3ou__ncw_text(f, NC_GLOBAL, "normalization",
                   !w->conserves               ? "none"
                   : w->norm == H3OU__DESTAREA ? "destarea"
                                               : "fracarea");
    h3ou__ncw_text(f, NC_GLOBAL, "map_method", h3ou__map_method(w));
    h3ou__ncw_text(f, NC_GLOBAL, "conventions", "SCRIP");
    h3ou__ncw_text(f, NC_GLOBAL, "source_grid", names[0]);
    h3ou__ncw_text(f, NC_GLOBAL, "dest_grid", names[1]);
}

typedef struct corner_ids {
    int lat, lon;
} corner_ids;

/* Only the target's: from them `h3ou weights apply` writes the bounds of the remapped fields. */
static corner_ids define_corners(h3ou__ncw *f, int size, const h3ou__side_corners *corners)
{
    corner_ids s = {-1, -1};
    if (!corners->lon)
        return s;
    int dims[2] = {size, h3ou__ncw_dim(f, "dst_grid_corners", corners->most)};
    s.lat = h3ou__ncw_var(f, "dst_grid_corner_lat", NC_DOUBLE, 2, dims, "degrees");
    s.lon = h3ou__ncw_var(f, "dst_grid_corner_lon", NC_DOUBLE, 2, dims, "degrees");
    return s;
}

static int write_file(const char *file, const h3ou__weights *w, const h3ou__cells *source, const h3ou__cells *target,
                      const char *const names[2], const h3ou__side_corners *corners, const double *frac, bool own)
{
    h3ou__ncw f;
    h3ou__own_ids ids;
    int64_t n = w->start[w->ntarget];
    int err = h3ou__ncw_create(file, &f);
    if (err)
        return err;
    define_head(&f, w, names);
    side_ids src = define_side(&f, "src", source, w->source_area), dst = define_side(&f, "dst", target, w->target_area);
    corner_ids bounds = define_corners(&f, dst.size, corners);
    int link[2] = {h3ou__ncw_dim(&f, "num_links", n), h3ou__ncw_dim(&f, "num_wgts", 1)};
    int from = h3ou__ncw_var(&f, link_names.src, NC_INT, 1, link, NULL);
    int to = h3ou__ncw_var(&f, link_names.dst, NC_INT, 1, link, NULL);
    int matrix = h3ou__ncw_var(&f, link_names.coef, NC_DOUBLE, 2, link, NULL);
    if (own)
        h3ou__own_define(&f, w, dst.size, &ids);
    h3ou__ncw_begin(&f);
    write_side(&f, &src, source, w->source_area, frac);
    write_side(&f, &dst, target, w->target_area, w->frac);
    if (corners->lon) {
        h3ou__ncw_doubles(&f, bounds.lat, corners->lat);
        h3ou__ncw_doubles(&f, bounds.lon, corners->lon);
    }
    h3ou__ncw_ints(&f, from, n, w->src, 1);
    h3ou__ncw_rows(&f, to, w->ntarget, w->start, 1);
    h3ou__ncw_doubles(&f, matrix, w->coef);
    if (own)
        h3ou__own_write(&f, w, &ids);
    return h3ou__ncw_close(&f);
}

int h3ou__weight_scrip_write(const char *file, const h3ou__weights *w, const h3ou__cells *source,
                             const h3ou__cells *target, const char *const names[2], bool own)
{
    h3ou__side_corners corners = {0};
    double *frac = NULL;
    int err = h3ou__source_frac(w, &frac);
    if (!err && h3ou__cells_have_corners(target))
        err = h3ou__side_corners_make(target, &corners);
    if (!err)
        err = write_file(file, w, source, target, names, &corners, frac, own);
    free(frac);
    h3ou__side_corners_free(&corners);
    return err;
}

static int write_weights(const char *file, const h3ou__weights *w, const h3ou__cells *source, const h3ou__cells *target)
{
    const char *const names[2] = {source->name, target->name};
    return h3ou__weight_scrip_write(file, w, source, target, names, true);
}

const h3ou__weight_format h3ou__weight_scrip = {
    .name = "scrip",
    .known_by = "src_address, dst_address and remap_matrix (SCRIP, OASIS, YAC)",
    .is = h3ou__weight_scrip_has_links,
    .read = h3ou__weight_scrip_read,
    .holds_fixed = true,
    .holds_gradient = true,
    .write = write_weights,
};

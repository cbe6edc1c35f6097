/* SPDX-License-Identifier: BSD-3-Clause */
/* Weights as ESMF_RegridWeightGen writes them (ESMF Reference Manual, "Weight file format"); a file of only row, col
 * and S, as xESMF writes it, is read too. */
#include <stdint.h>
#include <stdlib.h>

#include "base/error.h"
#include "interp/file/formats.h"
#include "interp/file/links.h"
#include "interp/file/bounds/side_corners.h"
#include "interp/sphere/angles.h"

static const h3ou__link_names link_names = {"col", "row", "S"};
static const h3ou__side_names source_names = {"xc_a", "yc_a", "mask_a", "src_grid_dims"};
static const h3ou__side_names target_names = {"xc_b", "yc_b", "mask_b", "dst_grid_dims"};

static bool is_esmf(const h3ou__nc *r)
{
    return h3ou__nc_has(r, "S") && h3ou__nc_has(r, "row") && h3ou__nc_has(r, "col");
}

static int read_weights(const h3ou__nc *r, h3ou__weightfile *out)
{
    size_t nsource = 0, ntarget = 0;
    bool sized = h3ou__nc_size(r, "n_a", &nsource) && h3ou__nc_size(r, "n_b", &ntarget);
    if (nsource > INT32_MAX || ntarget > INT32_MAX || (sized && (nsource < 1 || ntarget < 1)))
        return h3ou__nc_bad(r, "n_a, n_b", "the grids have %zu and %zu cells: 1 to 2^31 - 1 are possible", nsource,
                            ntarget);
    if (!sized)
        nsource = ntarget = 0;
    int err = sized ? h3ou__side_read(r, &source_names, "", (int64_t)nsource, &out->source) : H3OU__OK;
    if (!err && sized)
        err = h3ou__side_read(r, &target_names, "", (int64_t)ntarget, &out->target);
    if (!err)
        err = h3ou__links_read(r, &link_names, (int64_t)nsource, (int64_t)ntarget, out);
    if (!err && sized)
        err = h3ou__frac_read(r, "frac_b", out->weights);
    if (!err && sized)
        err = h3ou__area_read(r, "area_a", (int64_t)nsource, &out->weights->source_area);
    if (!err && sized)
        err = h3ou__area_read(r, "area_b", (int64_t)ntarget, &out->weights->target_area);
    if (err)
        return err;
    h3ou__how_read(r, out->weights);
    return h3ou__own_read(r, out->weights);
}

typedef struct side_ids {
    int size, dims, lat, lon, corner_lat, corner_lon, mask, area, frac;
} side_ids;

/* NCO and ncremap need the corners, also of grids of points. */
static side_ids define_side(h3ou__ncw *f, bool is_source, const h3ou__cells *c, int most)
{
    side_ids s;
    int32_t dims[2];
    s.size = h3ou__ncw_dim(f, is_source ? "n_a" : "n_b", c->n);
    int rank = h3ou__ncw_dim(f, is_source ? "src_grid_rank" : "dst_grid_rank", h3ou__side_shape(c, dims));
    s.dims = h3ou__ncw_var(f, is_source ? "src_grid_dims" : "dst_grid_dims", NC_INT, 1, &rank, NULL);
    s.lat = h3ou__ncw_var(f, is_source ? "yc_a" : "yc_b", NC_DOUBLE, 1, &s.size, "degrees");
    s.lon = h3ou__ncw_var(f, is_source ? "xc_a" : "xc_b", NC_DOUBLE, 1, &s.size, "degrees");
    int corner[2] = {s.size, h3ou__ncw_dim(f, is_source ? "nv_a" : "nv_b", most)};
    s.corner_lat = h3ou__ncw_var(f, is_source ? "yv_a" : "yv_b", NC_DOUBLE, 2, corner, "degrees");
    s.corner_lon = h3ou__ncw_var(f, is_source ? "xv_a" : "xv_b", NC_DOUBLE, 2, corner, "degrees");
    s.mask = h3ou__ncw_var(f, is_source ? "mask_a" : "mask_b", NC_INT, 1, &s.size, "unitless");
    s.area = h3ou__ncw_var(f, is_source ? "area_a" : "area_b", NC_DOUBLE, 1, &s.size, "square radians");
    s.frac = h3ou__ncw_var(f, is_source ? "frac_a" : "frac_b", NC_DOUBLE, 1, &s.size, "unitless");
    return s;
}

/* Unknown areas are written as 0, as in ESMF's own files of bilinear weights. */
static void write_side(h3ou__ncw *f, const side_ids *s, const h3ou__cells *c, const h3ou__side_corners *corners,
                       const double *area, const double *frac)
{
    int32_t dims[2];
    h3ou__ncw_ints(f, s->dims, h3ou__side_shape(c, dims), dims, 0);
    h3ou__ncw_scaled(f, s->lat, c->n, c->lat, H3OU__DEGREES_PER_RADIAN);
    h3ou__ncw_scaled(f, s->lon, c->n, c->lon, H3OU__DEGREES_PER_RADIAN);
    h3ou__ncw_doubles(f, s->corner_lat, corners->lat);
    h3ou__ncw_doubles(f, s->corner_lon, corners->lon);
    h3ou__ncw_flags(f, s->mask, c->n, c->mask);
    h3ou__ncw_scaled(f, s->area, c->n, area ? area : frac, area ? 1.0 : 0.0);
    h3ou__ncw_doubles(f, s->frac, frac);
}

static void define_head(h3ou__ncw *f, const h3ou__weights *w)
{
    /* By this title NCO knows the format. */
    h3ou__ncw_text(f, NC_GLOBAL, "title", "h3ou weights, as of the ESMF Offline Regridding Weight Generator");
    h3ou__ncw_text(f, NC_GLOBAL, "normalization", w->conserves && w->norm == H3OU__FRACAREA ? "fracarea" : "destarea");
    h3ou__ncw_text(f, NC_GLOBAL, "map_method", h3ou__map_method(w));
    h3ou__ncw_text(f, NC_GLOBAL, "conventions", "NCAR-CSM");
}

static int write_file(const char *file, const h3ou__weights *w, const h3ou__cells *source, const h3ou__cells *target,
                      const h3ou__side_corners corners[2], const double *frac)
{
    h3ou__ncw f;
    h3ou__own_ids own;
    int64_t n = w->start[w->ntarget];
    int err = h3ou__ncw_create(file, &f);
    if (err)
        return err;
    define_head(&f, w);
    side_ids src = define_side(&f, true, source, corners[0].most);
    side_ids dst = define_side(&f, false, target, corners[1].most);
    int link = h3ou__ncw_dim(&f, "n_s", n);
    int from = h3ou__ncw_var(&f, link_names.src, NC_INT, 1, &link, NULL);
    int to = h3ou__ncw_var(&f, link_names.dst, NC_INT, 1, &link, NULL);
    int matrix = h3ou__ncw_var(&f, link_names.coef, NC_DOUBLE, 1, &link, NULL);
    h3ou__own_define(&f, w, dst.size, &own);
    h3ou__ncw_begin(&f);
    write_side(&f, &src, source, &corners[0], w->source_area, frac);
    write_side(&f, &dst, target, &corners[1], w->target_area, w->frac);
    h3ou__ncw_ints(&f, from, n, w->src, 1);
    h3ou__ncw_rows(&f, to, w->ntarget, w->start, 1);
    h3ou__ncw_doubles(&f, matrix, w->coef);
    h3ou__own_write(&f, w, &own);
    return h3ou__ncw_close(&f);
}

static int write_weights(const char *file, const h3ou__weights *w, const h3ou__cells *source, const h3ou__cells *target)
{
    h3ou__side_corners corners[2] = {0};
    double *frac = NULL;
    int err = h3ou__source_frac(w, &frac);
    if (!err)
        err = h3ou__side_corners_make(source, &corners[0]);
    if (!err)
        err = h3ou__side_corners_make(target, &corners[1]);
    if (!err)
        err = write_file(file, w, source, target, corners, frac);
    free(frac);
    h3ou__side_corners_free(&corners[0]);
    h3ou__side_corners_free(&corners[1]);
    return err;
}

const h3ou__weight_format h3ou__weight_esmf = {
    .name = "esmf",
    .known_by = "row, col and S (ESMF)",
    .is = is_esmf,
    .read = read_weights,
    .holds_fixed = true,
    .holds_gradient = true,
    .write = write_weights,
};

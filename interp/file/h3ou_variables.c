/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What h3ou keeps in a file of weights beside the format's own variables: h3ou_method (attribute, the stack),
 * dst_grid_served, dst_grid_fixed, and h3ou_gradient_*, without which a limited second order could not be applied.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "interp/file/links.h"

static bool has_gradient(const h3ou__weights *w)
{
    const h3ou__gradient *g = w->gradient; /* a dimension of size 0 would become an unlimited one */
    return g && g->ncell > 0 && g->start[g->ncell] > 0 && g->corner[g->ncell] > 0 && g->link[g->nrow] > 0;
}

static void define_gradient(h3ou__ncw *f, const h3ou__gradient *g, int target_dim, h3ou__own_ids *ids)
{
    int cell = h3ou__ncw_dim(f, "h3ou_gradient_cells", g->ncell);
    int stencil = h3ou__ncw_dim(f, "h3ou_gradient_stencils", g->start[g->ncell]);
    int corner = h3ou__ncw_dim(f, "h3ou_gradient_corners", g->corner[g->ncell]);
    int link = h3ou__ncw_dim(f, "h3ou_gradient_links", g->link[g->nrow]);
    ids->cell = h3ou__ncw_var(f, "h3ou_gradient_cell", NC_INT, 1, &cell, NULL);
    ids->stencils = h3ou__ncw_var(f, "h3ou_gradient_stencil_count", NC_INT, 1, &cell, NULL);
    ids->corners = h3ou__ncw_var(f, "h3ou_gradient_corner_count", NC_INT, 1, &cell, NULL);
    ids->stencil = h3ou__ncw_var(f, "h3ou_gradient_stencil", NC_INT, 1, &stencil, NULL);
    ids->gx = h3ou__ncw_var(f, "h3ou_gradient_gx", NC_DOUBLE, 1, &stencil, NULL);
    ids->gy = h3ou__ncw_var(f, "h3ou_gradient_gy", NC_DOUBLE, 1, &stencil, NULL);
    ids->cx = h3ou__ncw_var(f, "h3ou_gradient_cx", NC_DOUBLE, 1, &corner, NULL);
    ids->cy = h3ou__ncw_var(f, "h3ou_gradient_cy", NC_DOUBLE, 1, &corner, NULL);
    ids->links = h3ou__ncw_var(f, "h3ou_gradient_link_count", NC_INT, 1, &target_dim, NULL);
    ids->of = h3ou__ncw_var(f, "h3ou_gradient_of", NC_INT, 1, &link, NULL);
    ids->share = h3ou__ncw_var(f, "h3ou_gradient_share", NC_DOUBLE, 1, &link, NULL);
    ids->dx = h3ou__ncw_var(f, "h3ou_gradient_dx", NC_DOUBLE, 1, &link, NULL);
    ids->dy = h3ou__ncw_var(f, "h3ou_gradient_dy", NC_DOUBLE, 1, &link, NULL);
}

void h3ou__own_define(h3ou__ncw *f, const h3ou__weights *w, int target_dim, h3ou__own_ids *ids)
{
    h3ou__ncw_text(f, NC_GLOBAL, "h3ou_method", w->how);
    ids->served = h3ou__ncw_var(f, "dst_grid_served", NC_BYTE, 1, &target_dim, NULL);
    h3ou__ncw_text(f, ids->served, "long_name",
                   "number in h3ou_method, from 0, of the method that served the cell; -1: none did, -2: masked");
    if (w->fixed) {
        ids->fixed = h3ou__ncw_var(f, "dst_grid_fixed", NC_DOUBLE, 1, &target_dim, NULL);
        h3ou__ncw_text(f, ids->fixed, "long_name", "value of cells that are served without links");
    }
    if (has_gradient(w))
        define_gradient(f, w->gradient, target_dim, ids);
}

void h3ou__own_write(h3ou__ncw *f, const h3ou__weights *w, const h3ou__own_ids *ids)
{
    h3ou__ncw_bytes(f, ids->served, w->served);
    if (w->fixed)
        h3ou__ncw_doubles(f, ids->fixed, w->fixed);
    if (!has_gradient(w))
        return;
    const h3ou__gradient *g = w->gradient;
    h3ou__ncw_ints(f, ids->cell, g->ncell, g->cell, 1);
    h3ou__ncw_counts(f, ids->stencils, g->ncell, g->start);
    h3ou__ncw_counts(f, ids->corners, g->ncell, g->corner);
    h3ou__ncw_ints(f, ids->stencil, g->start[g->ncell], g->stencil, 1);
    h3ou__ncw_doubles(f, ids->gx, g->gx);
    h3ou__ncw_doubles(f, ids->gy, g->gy);
    h3ou__ncw_doubles(f, ids->cx, g->cx);
    h3ou__ncw_doubles(f, ids->cy, g->cy);
    h3ou__ncw_counts(f, ids->links, g->nrow, g->link);
    h3ou__ncw_ints(f, ids->of, g->link[g->nrow], g->of, 1);
    h3ou__ncw_doubles(f, ids->share, g->share);
    h3ou__ncw_doubles(f, ids->dx, g->dx);
    h3ou__ncw_doubles(f, ids->dy, g->dy);
}

static int read_served(const h3ou__nc *r, h3ou__weights *w)
{
    h3ou__nc_var v;
    int *served = NULL, err = h3ou__nc_need(r, "dst_grid_served", (size_t)w->ntarget, &v);
    if (!err)
        err = h3ou__nc_ints(r, &v, &served);
    for (int64_t i = 0; i < w->ntarget && !err; i++) {
        bool has_row = w->start[i + 1] > w->start[i];
        if (served[i] < H3OU__MASKED || served[i] >= H3OU__STACK_MOST || (has_row && served[i] < 0))
            err = h3ou__nc_bad(r, v.name, "cell %" PRId64 " has the value %d%s", i + 1, served[i],
                               has_row ? " and links" : "");
        else
            w->served[i] = (signed char)served[i];
    }
    free(served);
    return err;
}

static int read_fixed(const h3ou__nc *r, h3ou__weights *w)
{
    h3ou__nc_var v;
    if (!h3ou__nc_has(r, "dst_grid_fixed"))
        return H3OU__OK;
    int err = h3ou__nc_need(r, "dst_grid_fixed", (size_t)w->ntarget, &v);
    if (!err)
        err = h3ou__nc_doubles(r, &v, &w->fixed);
    for (int64_t i = 0; i < w->ntarget && !err; i++)
        if (w->served[i] >= 0 && w->start[i + 1] == w->start[i])
            w->frac[i] = 1.0;
    return err;
}

/* Counts of n rows to their starts; *out has n + 1. */
static int read_starts(const h3ou__nc *r, const char *name, int64_t n, int64_t **out)
{
    h3ou__nc_var v;
    int *count = NULL, err = h3ou__nc_need(r, name, (size_t)n, &v);
    if (!err)
        err = h3ou__nc_ints(r, &v, &count);
    if (!err && !(*out = malloc(sizeof **out * (size_t)(n + 1))))
        err = h3ou__nc_no_memory(r, name);
    if (!err)
        (*out)[0] = 0;
    for (int64_t i = 0; i < n && !err; i++) {
        if (count[i] < 0)
            err = h3ou__nc_bad(r, name, "row %" PRId64 " has %d entries", i + 1, count[i]);
        (*out)[i + 1] = (*out)[i] + count[i];
    }
    free(count);
    return err;
}

/* n numbers from 1 to most, which become numbers from 0. */
static int read_numbers(const h3ou__nc *r, const char *name, int64_t n, int64_t most, int32_t **out)
{
    h3ou__nc_var v;
    int *number = NULL, err = n > 0 ? h3ou__nc_need(r, name, (size_t)n, &v) : h3ou__nc_bad(r, name, "is empty");
    if (!err)
        err = h3ou__nc_ints(r, &v, &number);
    *out = (int32_t *)number;
    for (int64_t i = 0; i < n && !err; i++) {
        if (number[i] < 1 || number[i] > most)
            err = h3ou__nc_bad(r, name, "value %" PRId64 " is %d of %" PRId64, i + 1, number[i], most);
        number[i]--;
    }
    return err;
}

static int read_values(const h3ou__nc *r, const char *name, int64_t n, double **out)
{
    h3ou__nc_var v;
    int err = n > 0 ? h3ou__nc_need(r, name, (size_t)n, &v) : h3ou__nc_bad(r, name, "is empty");
    if (!err)
        err = h3ou__nc_doubles(r, &v, out);
    for (int64_t i = 0; i < n && !err; i++)
        if (!isfinite((*out)[i]))
            err = h3ou__nc_bad(r, name, "value %" PRId64 " is %g", i + 1, (*out)[i]);
    return err;
}

static int read_gradient(const h3ou__nc *r, const h3ou__weights *w, h3ou__gradient *g)
{
    h3ou__nc_var v;
    int err = h3ou__nc_need(r, "h3ou_gradient_cell", 0, &v);
    if (err)
        return err;
    g->ncell = (int64_t)v.all;
    g->nrow = w->ntarget;
    if ((err = read_numbers(r, "h3ou_gradient_cell", g->ncell, w->nsource, &g->cell)) ||
        (err = read_starts(r, "h3ou_gradient_stencil_count", g->ncell, &g->start)) ||
        (err = read_starts(r, "h3ou_gradient_corner_count", g->ncell, &g->corner)) ||
        (err = read_starts(r, "h3ou_gradient_link_count", g->nrow, &g->link)))
        return err;
    int64_t stencils = g->start[g->ncell], corners = g->corner[g->ncell], links = g->link[g->nrow];
    if ((err = read_numbers(r, "h3ou_gradient_stencil", stencils, w->nsource, &g->stencil)) ||
        (err = read_values(r, "h3ou_gradient_gx", stencils, &g->gx)) ||
        (err = read_values(r, "h3ou_gradient_gy", stencils, &g->gy)) ||
        (err = read_values(r, "h3ou_gradient_cx", corners, &g->cx)) ||
        (err = read_values(r, "h3ou_gradient_cy", corners, &g->cy)) ||
        (err = read_numbers(r, "h3ou_gradient_of", links, g->ncell, &g->of)) ||
        (err = read_values(r, "h3ou_gradient_share", links, &g->share)) ||
        (err = read_values(r, "h3ou_gradient_dx", links, &g->dx)))
        return err;
    return read_values(r, "h3ou_gradient_dy", links, &g->dy);
}

int h3ou__own_read(const h3ou__nc *r, h3ou__weights *w)
{
    if (!h3ou__nc_has(r, "dst_grid_served"))
        return H3OU__OK;
    int err = read_served(r, w);
    if (!err)
        err = read_fixed(r, w);
    if (err || !h3ou__nc_has(r, "h3ou_gradient_cell"))
        return err;
    if (!(w->gradient = calloc(1, sizeof *w->gradient)))
        return h3ou__nc_no_memory(r, "h3ou_gradient_cell");
    return read_gradient(r, w, w->gradient);
}

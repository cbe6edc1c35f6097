/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Weights as YAC writes them ("yac weight file 1.0"): SCRIP's three lists, and targets of fixed values. Cells are
 * given by global numbers from 1; the file has neither the sizes of the grids nor coordinates.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/error.h"
#include "base/grow.h"
#include "interp/file/formats.h"
#include "interp/file/links.h"

static const h3ou__link_names link_names = {"src_address", "dst_address", "remap_matrix"};

static bool is_yac(const h3ou__nc *r)
{
    char text[64];
    return !strncmp(h3ou__nc_text(r, NC_GLOBAL, "version", text, sizeof text), "yac weight file", 15);
}

static bool says_true(const h3ou__nc *r, const char *attribute)
{
    char text[16];
    return !strcmp(h3ou__nc_text(r, NC_GLOBAL, attribute, text, sizeof text), "TRUE");
}

typedef struct fixed {
    size_t nvalue, ntarget;
    double *value;
    int *count, *target;
} fixed;

static int read_fixed(const h3ou__nc *r, fixed *f)
{
    h3ou__nc_var value, count, target;
    int err = h3ou__nc_need(r, "fixed_values", 0, &value);
    if (!err)
        err = h3ou__nc_need(r, "num_dst_per_fixed_value", value.all, &count);
    if (!err)
        err = h3ou__nc_need(r, "dst_address_fixed", 0, &target);
    if (!err)
        err = h3ou__nc_doubles(r, &value, &f->value);
    if (!err)
        err = h3ou__nc_ints(r, &count, &f->count);
    if (!err)
        err = h3ou__nc_ints(r, &target, &f->target);
    if (err)
        return err;
    f->nvalue = value.all;
    f->ntarget = target.all;
    int64_t sum = 0;
    for (size_t i = 0; i < f->nvalue && sum >= 0; i++)
        sum = f->count[i] < 0 ? -1 : sum + f->count[i];
    if (sum != (int64_t)f->ntarget)
        return h3ou__nc_bad(r, count.name, "does not sum to the %zu values of %s", f->ntarget, target.name);
    for (size_t i = 0; i < f->ntarget; i++)
        if (f->target[i] < 1)
            return h3ou__nc_bad(r, target.name, "value %zu is cell %d", i + 1, f->target[i]);
    return H3OU__OK;
}

static int put_fixed(const h3ou__nc *r, const fixed *f, h3ou__weights *w)
{
    if (h3ou__weights_hold_fixed(w))
        return h3ou__nc_no_memory(r, "fixed_values");
    for (size_t v = 0, at = 0; v < f->nvalue; v++)
        for (int k = 0; k < f->count[v]; k++, at++) {
            int64_t i = f->target[at] - 1;
            if (w->start[i + 1] > w->start[i])
                return h3ou__nc_bad(r, "dst_address_fixed", "cell %" PRId64 " has links, too", i + 1);
            w->fixed[i] = f->value[v];
            w->served[i] = 1;
            w->frac[i] = 1.0;
        }
    return H3OU__OK;
}

/* Refuses links of several source fields: the product has one source field. */
static int check_fields(const h3ou__nc *r)
{
    size_t fields = 1;
    if (h3ou__nc_size(r, "num_src_fields", &fields) && fields > 1)
        return h3ou__nc_bad(r, "num_src_fields", "links of %zu source fields: one is possible", fields);
    return H3OU__OK;
}

static int read_weights(const h3ou__nc *r, h3ou__weightfile *out)
{
    fixed f = {0};
    int64_t ntarget = 0;
    bool has_links = says_true(r, "contains_links"), has_fixed = says_true(r, "contains_fixed_dst");
    int err = has_links || has_fixed ? check_fields(r) : h3ou__nc_bad(r, "contains_links", "there are no weights");
    if (!err && has_fixed)
        err = read_fixed(r, &f);
    for (size_t i = 0; i < f.ntarget && !err; i++)
        ntarget = f.target[i] > ntarget ? f.target[i] : ntarget;
    if (!err && has_links)
        err = h3ou__links_read(r, &link_names, 0, 0, out);
    if (!err && (!has_links || out->weights->ntarget < ntarget)) {
        h3ou__weights *w =
            NULL; /* a fixed target has a larger number than all links: the rows are made again in a larger table */
        if (has_links) {
            h3ou__weights_free(out->weights);
            out->weights = NULL;
            err = h3ou__links_read(r, &link_names, 0, ntarget, out);
        } else if ((err = h3ou__weights_create(1, ntarget, NULL, &w)) == H3OU__OK)
            out->weights = w;
    }
    if (!err && has_fixed)
        err = put_fixed(r, &f, out->weights);
    if (!err)
        snprintf(out->weights->how, sizeof out->weights->how, "%s", has_fixed ? "table,value" : "table");
    free(f.value);
    free(f.count);
    free(f.target);
    return err;
}

/* Cells of fixed values, by ascending value. */
static int gather_fixed(const h3ou__weights *w, fixed *f)
{
    size_t room = (size_t)w->ntarget + 1;
    f->value = malloc(sizeof *f->value * room);
    f->count = calloc(room, sizeof *f->count);
    f->target = malloc(sizeof *f->target * room);
    if (!f->value || !f->count || !f->target)
        return h3ou__no_memory("fixed values");
    for (int64_t i = 0; i < w->ntarget; i++)
        if (h3ou__weights_is_fixed(w, i))
            f->value[f->ntarget++] = w->fixed[i];
    if (f->ntarget > 0)
        qsort(f->value, f->ntarget, sizeof *f->value, h3ou__compare_double);
    for (size_t k = 0; k < f->ntarget; k++)
        if (k == 0 || f->value[k] != f->value[f->nvalue - 1])
            f->value[f->nvalue++] = f->value[k];
    size_t at = 0;
    for (size_t v = 0; v < f->nvalue; v++)
        for (int64_t i = 0; i < w->ntarget; i++)
            if (h3ou__weights_is_fixed(w, i) && w->fixed[i] == f->value[v]) {
                f->target[at++] = (int)i;
                f->count[v]++;
            }
    return H3OU__OK;
}

typedef struct yac_ids {
    int src, dst, matrix, links, from, to, value, count, target;
} yac_ids;

static void define_fixed(h3ou__ncw *f, const fixed *x, yac_ids *ids)
{
    int value = h3ou__ncw_dim(f, "num_fixed_values", (int64_t)x->nvalue);
    int target = h3ou__ncw_dim(f, "num_fixed_dst", (int64_t)x->ntarget);
    ids->value = h3ou__ncw_var(f, "fixed_values", NC_DOUBLE, 1, &value, NULL);
    ids->count = h3ou__ncw_var(f, "num_dst_per_fixed_value", NC_INT, 1, &value, NULL);
    ids->target = h3ou__ncw_var(f, "dst_address_fixed", NC_INT, 1, &target, NULL);
}

enum { LOCATION = 10 }; /* characters of a location in the file */

static void define_file(h3ou__ncw *f, const h3ou__weights *w, const h3ou__cells *source, const h3ou__cells *target,
                        const fixed *x, yac_ids *ids)
{
    int64_t n = w->start[w->ntarget];
    h3ou__ncw_text(f, NC_GLOBAL, "version", "yac weight file 1.0");
    h3ou__ncw_text(f, NC_GLOBAL, "src_grid_name", source->name);
    h3ou__ncw_text(f, NC_GLOBAL, "dst_grid_name", target->name);
    h3ou__ncw_text(f, NC_GLOBAL, "contains_links", n > 0 ? "TRUE" : "FALSE");
    h3ou__ncw_text(f, NC_GLOBAL, "contains_fixed_dst", x->nvalue > 0 ? "TRUE" : "FALSE");
    int where[2] = {h3ou__ncw_dim(f, "num_src_fields", 1), h3ou__ncw_dim(f, "max_loc_str_len", LOCATION)};
    ids->from = h3ou__ncw_var(f, "src_locations", NC_CHAR, 2, where, NULL);
    ids->to = h3ou__ncw_var(f, "dst_location", NC_CHAR, 1, &where[1], NULL);
    if (n > 0) {
        int link[2] = {h3ou__ncw_dim(f, "num_links", n), h3ou__ncw_dim(f, "num_wgts", 1)};
        ids->src = h3ou__ncw_var(f, link_names.src, NC_INT, 1, link, NULL);
        ids->dst = h3ou__ncw_var(f, link_names.dst, NC_INT, 1, link, NULL);
        ids->matrix = h3ou__ncw_var(f, link_names.coef, NC_DOUBLE, 2, link, NULL);
        ids->links = h3ou__ncw_var(f, "num_links_per_src_field", NC_INT, 1, where, NULL);
    }
    if (x->nvalue > 0)
        define_fixed(f, x, ids);
}

static int write_weights(const char *file, const h3ou__weights *w, const h3ou__cells *source, const h3ou__cells *target)
{
    static const char cell[LOCATION] = "CELL";
    h3ou__ncw f;
    yac_ids ids = {0};
    fixed x = {0};
    int32_t n = (int32_t)w->start[w->ntarget];
    int err = gather_fixed(w, &x);
    if (!err && n == 0 && x.nvalue == 0)
        err =
            h3ou__fail(H3OU__EFILE, "%s: there are no links and no fixed values, without which YAC has no file", file);
    if (!err && (err = h3ou__ncw_create(file, &f)) == H3OU__OK) {
        define_file(&f, w, source, target, &x, &ids);
        h3ou__ncw_begin(&f);
        h3ou__ncw_chars(&f, ids.from, cell);
        h3ou__ncw_chars(&f, ids.to, cell);
        if (n > 0) {
            h3ou__ncw_ints(&f, ids.src, n, w->src, 1);
            h3ou__ncw_rows(&f, ids.dst, w->ntarget, w->start, 1);
            h3ou__ncw_doubles(&f, ids.matrix, w->coef);
            h3ou__ncw_ints(&f, ids.links, 1, &n, 0);
        }
        if (x.nvalue > 0) {
            h3ou__ncw_doubles(&f, ids.value, x.value);
            h3ou__ncw_ints(&f, ids.count, (int64_t)x.nvalue, x.count, 0);
            h3ou__ncw_ints(&f, ids.target, (int64_t)x.ntarget, x.target, 1);
        }
        err = h3ou__ncw_close(&f);
    }
    free(x.value);
    free(x.count);
    free(x.target);
    return err;
}

const h3ou__weight_format h3ou__weight_yac = {
    .name = "yac",
    .is = is_yac,
    .read = read_weights,
    .holds_fixed = true,
    .write = write_weights,
};

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

#include "base/error.h"
#include "base/log.h"
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
    if (!(w->fixed = malloc(sizeof *w->fixed * (size_t)(w->ntarget + 1))))
        return h3ou__nc_no_memory(r, "fixed_values");
    for (int64_t i = 0; i < w->ntarget; i++)
        w->fixed[i] = NAN;
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

const h3ou__weight_ops h3ou__weight_yac = {"yac", is_yac, read_weights, NULL};

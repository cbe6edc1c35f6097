/* SPDX-License-Identifier: BSD-3-Clause */
#include "interp/file/weightfile.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "base/log.h"
#include "interp/file/formats.h"
#include "interp/sphere/angles.h"

static bool can_hold(const h3ou__weight_format *format, const h3ou__weights *w)
{
    return (!w->fixed || format->holds_fixed) && (!w->gradient || format->holds_gradient);
}

static int fail_to_hold(const char *file, const h3ou__weight_format *format, const h3ou__weights *w)
{
    char others[H3OU__WEIGHT_FORMAT_NAMES] = "";
    for (int i = 0; h3ou__weight_formats[i]; i++)
        if (can_hold(h3ou__weight_formats[i], w))
            snprintf(others + strlen(others), sizeof others - strlen(others), "%s%s", *others ? " or " : "",
                     h3ou__weight_formats[i]->name);
    return h3ou__fail(H3OU__EARG, "%s: the format %s can't hold %s: write %s%s", file, format->name,
                      w->gradient ? "what limits the second order" : "cells of fixed values", others,
                      w->gradient ? ", or make the weights without --limit" : "");
}

int h3ou__weightfile_write(const char *file, const h3ou__weight_format *format, const h3ou__weights *w,
                           const h3ou__cells *source, const h3ou__cells *target)
{
    if (!can_hold(format, w))
        return fail_to_hold(file, format, w);
    if (source->n != w->nsource || target->n != w->ntarget || source->n < 1 || target->n < 1 || !source->lon ||
        !target->lon)
        return h3ou__fail(H3OU__EARG,
                          "%s: weights from %" PRId64 " to %" PRId64 " cells can't be written with grids of %" PRId64
                          " and %" PRId64 " cells%s",
                          file, w->nsource, w->ntarget, source->n, target->n,
                          source->lon && target->lon ? "" : " without centres");
    if (w->start[w->ntarget] > INT32_MAX)
        return h3ou__fail(H3OU__EFILE, "%s: %" PRId64 " links: a file holds 2^31 - 1", file, w->start[w->ntarget]);
    return format->write(file, w, source, target);
}

static int fail_unknown(const h3ou__nc *r)
{
    char known[512] = "";
    for (int i = 0; h3ou__weight_formats[i]; i++)
        if (h3ou__weight_formats[i]->known_by)
            snprintf(known + strlen(known), sizeof known - strlen(known), "%s%s", *known ? " nor " : "neither ",
                     h3ou__weight_formats[i]->known_by);
    return h3ou__nc_bad(r, "weights", "%s: these are no weights", known);
}

int h3ou__weightfile_read(const char *file, h3ou__weightfile *out)
{
    h3ou__nc r;
    *out = (h3ou__weightfile){0};
    int err = h3ou__nc_open(file, &r);
    if (err) {
        char why[512];
        snprintf(why, sizeof why, "%s", h3ou__fail_text());
        return h3ou__fail(err, "%s: name a file of weights from the folder where the program runs; 'h3ou weights make' writes one", why);
    }
    for (int i = 0; h3ou__weight_formats[i]; i++)
        if (h3ou__weight_formats[i]->is(&r))
            out->format = h3ou__weight_formats[i];
    err = out->format ? out->format->read(&r, out) : fail_unknown(&r);
    if (!err)
        h3ou__log(H3OU__LOG_LOUD, "weights", "file=%s format=%s links=%" PRId64, file, out->format->name,
                  out->weights->start[out->weights->ntarget]);
    else
        h3ou__weightfile_free(out);
    h3ou__nc_close(&r);
    return err;
}

void h3ou__weightfile_free(h3ou__weightfile *f)
{
    h3ou__weights_free(f->weights);
    h3ou__cells_free(f->source);
    h3ou__cells_free(f->target);
    *f = (h3ou__weightfile){0};
}

static int widen_rows(h3ou__weights *w, int64_t n)
{
    if (!h3ou__resize(&w->start, sizeof *w->start, n + 1) || !h3ou__resize(&w->served, sizeof *w->served, n + 1) ||
        !h3ou__resize(&w->frac, sizeof *w->frac, n + 1) ||
        (w->fixed && !h3ou__resize(&w->fixed, sizeof *w->fixed, n + 1)))
        return h3ou__no_memory("weights");
    for (int64_t i = w->ntarget; i < n; i++) {
        w->start[i + 1] = w->start[i];
        w->served[i] = H3OU__BY_NONE;
        w->frac[i] = 0.0;
        if (w->fixed)
            w->fixed[i] = NAN;
    }
    w->ntarget = n;
    return H3OU__OK;
}

int h3ou__weightfile_complete(h3ou__weightfile *f, const h3ou__cells *source, const h3ou__cells *target)
{
    h3ou__weights *w = f->weights;
    if (source && !f->source && source->n > w->nsource)
        w->nsource = source->n;
    if (!target || f->target)
        return H3OU__OK;
    int err = target->n > w->ntarget ? widen_rows(w, target->n) : H3OU__OK;
    for (int64_t i = 0; i < target->n && !err; i++)
        if (w->served[i] == H3OU__BY_NONE && !target->mask[i])
            w->served[i] = H3OU__MASKED;
    return err;
}

int h3ou__weightfile_wrong_size(const char *file, const char *side, int64_t n, const char *grid, int64_t whole)
{
    return h3ou__fail(H3OU__EARG, "%s: its %s has %" PRId64 " cells, the grid %s has %" PRId64 ": make the weights of these grids", file, side,
                      n, grid, whole);
}

int h3ou__weightfile_check_cell(const char *file, const char *side, const h3ou__weightfile_cell *in_file,
                                const char *grid, const h3ou__weightfile_cell *in_run, int64_t index)
{
    const double NEAR = 1e-4; /* degrees: single precision at 360 degrees, twice rounded, and some */
    if (in_file->has_mask && in_run->has_mask && in_file->takes_part != in_run->takes_part)
        return h3ou__fail(H3OU__EARG,
                          "%s: cell %" PRId64 " of its %s is %smasked, in the grid %s it is %smasked: make the weights "
                          "again",
                          file, index, side, in_file->takes_part ? "not " : "", grid, in_run->takes_part ? "not " : "");
    if (!in_file->has_centre || !in_run->has_centre || (in_file->lon == in_run->lon && in_file->lat == in_run->lat))
        return H3OU__OK;
    double off = H3OU__DEGREES_PER_RADIAN * h3ou__great_circle(in_file->lon, in_file->lat, in_run->lon, in_run->lat);
    if (off <= NEAR)
        return H3OU__OK;
    return h3ou__fail(H3OU__EARG,
                      "%s: cell %" PRId64 " of its %s is centred at longitude %.9g, latitude %.9g, %.3g degrees from "
                      "where the grid %s has it: make the weights of these grids",
                      file, index, side, in_file->lon * H3OU__DEGREES_PER_RADIAN,
                      in_file->lat * H3OU__DEGREES_PER_RADIAN, off, grid);
}

static h3ou__weightfile_cell describe_cell(const h3ou__cells *c, int64_t i)
{
    bool has_centre = c->lon && c->lat && !h3ou__cell_is_nowhere(c, i);
    return (h3ou__weightfile_cell){.has_mask = true,
                                   .takes_part = c->mask[i] != 0,
                                   .has_centre = has_centre,
                                   .lon = has_centre ? c->lon[i] : 0.0,
                                   .lat = has_centre ? c->lat[i] : 0.0};
}

int h3ou__weightfile_fits(const char *file, const char *side, const h3ou__cells *in_file, int64_t size,
                          const h3ou__cells *c)
{
    int64_t n = in_file ? in_file->n : size, whole = c->rank == 2 ? c->dims[0] * c->dims[1] : c->n;
    if (c->id && c->rank != 2) /* a part of a grid of unknown size */
        whole = c->n > 0 && h3ou__cell_id(c, c->n - 1) >= n ? h3ou__cell_id(c, c->n - 1) + 1 : n;
    /* A file without grids may know fewer cells: the last ones may have no links. */
    if (in_file ? n != whole : n > whole)
        return h3ou__weightfile_wrong_size(file, side, n, c->name, whole);
    int err = H3OU__OK;
    for (int64_t i = 0; i < c->n && in_file && !err; i++) {
        int64_t k = h3ou__cell_id(c, i);
        h3ou__weightfile_cell theirs = describe_cell(in_file, k), mine = describe_cell(c, i);
        err = h3ou__weightfile_check_cell(file, side, &theirs, c->name, &mine, k + 1);
    }
    return err;
}

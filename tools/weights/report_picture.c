/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/weights/report_picture.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "tools/plot/map_pixels.h"
#include "tools/plot/picture.h"
#include "tools/weights/weights_commands.h"

/* All that the three maps show. */
typedef struct pages {
    double *source, *exact, *remapped, *misfit;
    unsigned char *source_state, *target_state;
    int64_t *source_cell, *target_cell;
    char text[2048], title[512], subtitle[512], map_title[3][160];
} pages;

static bool is_not_masked(const void *user, int64_t cell)
{
    return ((const h3ou__weights *)user)->served[cell] != H3OU__MASKED;
}

/* The globe, or where the targets are with some room around, twice as wide as high. */
static region choose_box(const h3ou__weightfile *w)
{
    const region globe = {.west = -180.0, .east = 180.0, .south = -90.0, .north = 90.0};
    region r = region_find(w->target, is_not_masked, w->weights);
    double width = r.east - r.west, height = r.north - r.south;
    if (r.n < 2 || width > 150.0 || height > 75.0 || width + height <= 0.0)
        return globe;
    double high = 1.16 * fmax(height, 0.5 * width), lon = 0.5 * (r.west + r.east), lat = 0.5 * (r.south + r.north);
    lat = fmax(-90.0 + 0.5 * high, fmin(90.0 - 0.5 * high, lat));
    return (region){.west = lon - high, .east = lon + high, .south = lat - 0.5 * high, .north = lat + 0.5 * high};
}

static int allocate(const h3ou__weightfile *w, pages *p)
{
    size_t ns = (size_t)w->weights->nsource + 1, nt = (size_t)w->weights->ntarget + 1;
    size_t pixels = (size_t)PICTURE_WIDTH * PICTURE_HEIGHT;
    p->source = malloc(sizeof(double) * ns);
    p->exact = malloc(sizeof(double) * nt);
    p->remapped = malloc(sizeof(double) * nt);
    p->misfit = malloc(sizeof(double) * nt);
    p->source_state = malloc(ns);
    p->target_state = malloc(nt);
    p->source_cell = malloc(sizeof(int64_t) * pixels);
    p->target_cell = malloc(sizeof(int64_t) * pixels);
    if (p->source && p->exact && p->remapped && p->misfit && p->source_state && p->target_state && p->source_cell &&
        p->target_cell)
        return H3OU__OK;
    return h3ou__fail(H3OU__ENOMEM, "out of memory for a picture");
}

static void release(pages *p)
{
    free(p->source);
    free(p->exact);
    free(p->remapped);
    free(p->misfit);
    free(p->source_state);
    free(p->target_state);
    free(p->source_cell);
    free(p->target_cell);
}

static int fill_fields(const h3ou__weightfile *w, int which, pages *p)
{
    product all;
    int err = product_create(w->weights, &all);
    if (err)
        return err;
    err = measure_field(w, &all, &fields[which], p->source, p->exact, p->remapped);
    product_free(&all);
    for (int64_t i = 0; i < w->weights->nsource; i++)
        p->source_state[i] = w->source->mask[i] ? PICTURE_VALUE : PICTURE_MASKED;
    for (int64_t i = 0; i < w->weights->ntarget; i++) {
        int served = w->weights->served[i];
        p->target_state[i] = served == H3OU__MASKED ? PICTURE_MASKED : served < 0 ? PICTURE_UNMAPPED : PICTURE_VALUE;
        p->misfit[i] = fabs(p->remapped[i] - p->exact[i]) / fabs(p->exact[i]);
    }
    return err;
}

static void widen(double x, double *least, double *most)
{
    *least = isfinite(x) ? fmin(*least, x) : *least;
    *most = isfinite(x) ? fmax(*most, x) : *most;
}

/* The values that are seen give the scale of both fields. */
static void choose_scales(const measure_misfit *m, const pages *p, picture_map map[3])
{
    double least = INFINITY, most = -INFINITY;
    for (int64_t i = 0; i < (int64_t)PICTURE_WIDTH * PICTURE_HEIGHT; i++) {
        int64_t s = p->source_cell[i], t = p->target_cell[i];
        widen(s >= 0 && p->source_state[s] == PICTURE_VALUE ? p->source[s] : NAN, &least, &most);
        widen(t >= 0 && p->target_state[t] == PICTURE_VALUE ? p->remapped[t] : NAN, &least, &most);
    }
    map[0].least = map[1].least = isfinite(least) ? least : 0.0;
    map[0].most = map[1].most = isfinite(most) ? most : 1.0;
    /* Decades, five of them: what is smaller is pale in any case. */
    map[2].most = m->max > 0.0 ? pow(10.0, ceil(log10(m->max) - 1e-9)) : 1.0;
    map[2].least = 1e-5 * map[2].most;
    map[2].is_logarithmic = true;
    map[2].colours = COLOURS_ERROR;
}

static void add(pages *p, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void add(pages *p, const char *format, ...)
{
    size_t used = strlen(p->text);
    va_list rest;
    va_start(rest, format);
    vsnprintf(p->text + used, sizeof p->text - used, format, rest);
    va_end(rest);
}

static void add_share(pages *p, const char *name, double share)
{
    if (isnan(share))
        return;
    if (fabs(share - 1.0) < 1e-9)
        add(p, "%s\tall\n", name);
    else
        add(p, "%s\t%.4f %%\n", name, 100.0 * share);
}

static void write_text(const h3ou__weightfile *w, const measure *m, pages *p)
{
    char name[40];
    add(p, "*misfit\tmean\tRMS\tmaximum\tintegral\n");
    for (int k = 0; k < FIELDS; k++) {
        add(p, "%s\t%.2e\t%.2e\t%.2e\t", fields[k].name, m->misfit[k].mean, m->misfit[k].rms, m->misfit[k].max);
        if (isnan(m->misfit[k].conservation))
            add(p, "-\n");
        else
            add(p, "%.1e\n", m->misfit[k].conservation);
    }
    add(p, "\n*target cells\t%" PRId64 "\n", w->weights->ntarget);
    for (int k = 0; k < 3 && *weights_method_name(w->weights->how, k, name, sizeof name); k++) {
        name[24] = 0;
        add(p, "by %s\t%" PRId64 "\n", name, m->facts.by[k]);
    }
    add(p, "masked\t%" PRId64 "\nleft over\t%" PRId64 "\n\n", m->facts.masked, m->facts.unserved);
    add(p, "rows sum to %s within\t%.1e\n", w->weights->norm == H3OU__DESTAREA ? "share" : "1", m->facts.row_misfit);
    if (!isnan(m->facts.conservation))
        add(p, "source cells kept within\t%.1e\n", m->facts.conservation);
    add_share(p, "target area covered", m->target_covered);
    add_share(p, "source area given", m->source_given);
    add(p, "\n");
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static void write_titles(const char *file, const h3ou__weightfile *w, int which, pages *p, picture *out)
{
    const h3ou__weights *weights = w->weights;
    snprintf(p->title, sizeof p->title, "%.120s: %.200s", base_name(file),
             weights->how[0] ? weights->how : "unknown method");
    snprintf(p->subtitle, sizeof p->subtitle, "%.60s (%" PRId64 " cells)  to  %.60s (%" PRId64 " cells), %s",
             w->source->name[0] ? base_name(w->source->name) : "source", weights->nsource,
             w->target->name[0] ? base_name(w->target->name) : "target", weights->ntarget,
             weights->norm == H3OU__DESTAREA ? "destarea" : "fracarea");
    snprintf(p->map_title[0], sizeof *p->map_title, "source: %s, %s", fields[which].name, fields[which].title);
    snprintf(p->map_title[1], sizeof *p->map_title, "target: remapped");
    snprintf(p->map_title[2], sizeof *p->map_title, "misfit of the target");
    out->title = p->title;
    out->subtitle = p->subtitle;
    out->text = p->text;
    for (int i = 0; i < 3; i++) {
        out->map[i].title = p->map_title[i];
        out->map[i].scale_title = i < 2 ? fields[which].name : "|remapped - exact| / |exact|";
        out->map[i].cell = i ? p->target_cell : p->source_cell;
        out->map[i].state = i ? p->target_state : p->source_state;
        out->map[i].value = i == 0 ? p->source : i == 1 ? p->remapped : p->misfit;
    }
}

int report_picture(const char *out_file, const char *file, const h3ou__weightfile *w, const measure *m, int which)
{
    pages p = {0};
    picture out = {.box = choose_box(w)};
    int err = allocate(w, &p);
    if (!err)
        err = fill_fields(w, which, &p);
    if (!err)
        err = raster_make(w->source, w->weights->source_area, &out.box, PICTURE_WIDTH, PICTURE_HEIGHT, p.source_cell);
    if (!err)
        err = raster_make(w->target, w->weights->target_area, &out.box, PICTURE_WIDTH, PICTURE_HEIGHT, p.target_cell);
    if (!err) {
        choose_scales(&m->misfit[which], &p, out.map);
        write_text(w, m, &p);
        write_titles(file, w, which, &p, &out);
        err = picture_write(out_file, &out);
    }
    release(&p);
    return err ? h3ou__fail_in(err, "--picture") : H3OU__OK;
}

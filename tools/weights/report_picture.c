/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/weights/report_picture.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/error.h"
#include "base/grow.h"
#include "tools/cli/json_file.h"
#include "tools/plot/map_pixels.h"
#include "tools/plot/plotter.h"
#include "tools/weights/report_json.h"

/* WIDTH, HEIGHT: pixels of a map. DIGITS: of the values, more than a colour or the text beside the maps can show. */
enum { WIDTH = 860, HEIGHT = 430, DIGITS = 8 };

/* What a pixel shows, as a character in the JSON. */
enum pixel { PIXEL_VALUE = 'v', PIXEL_MASKED = 'm', PIXEL_LEFT_OVER = 'l', PIXEL_OUTSIDE = 'o' };

/* The values of each grid's cells, what each cell shows (enum pixel), and of each pixel of a map the cell, -1: none. */
typedef struct map_fields {
    double *source, *exact, *remapped, *misfit;
    unsigned char *source_shows, *target_shows;
    int64_t *source_cell, *target_cell;
} map_fields;

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

static int allocate_fields(const h3ou__weightfile *w, map_fields *f)
{
    size_t ns = (size_t)w->weights->nsource + 1, nt = (size_t)w->weights->ntarget + 1, pixels = (size_t)WIDTH * HEIGHT;
    f->source = malloc(sizeof(double) * ns);
    f->exact = malloc(sizeof(double) * nt);
    f->remapped = malloc(sizeof(double) * nt);
    f->misfit = malloc(sizeof(double) * nt);
    f->source_shows = malloc(ns);
    f->target_shows = malloc(nt);
    f->source_cell = malloc(sizeof(int64_t) * pixels);
    f->target_cell = malloc(sizeof(int64_t) * pixels);
    if (f->source && f->exact && f->remapped && f->misfit && f->source_shows && f->target_shows && f->source_cell &&
        f->target_cell)
        return H3OU__OK;
    return h3ou__no_memory("a picture");
}

static void free_fields(map_fields *f)
{
    free(f->source);
    free(f->exact);
    free(f->remapped);
    free(f->misfit);
    free(f->source_shows);
    free(f->target_shows);
    free(f->source_cell);
    free(f->target_cell);
}

static int fill_fields(const h3ou__weightfile *w, int which, map_fields *f)
{
    product all;
    int err = product_create(w->weights, &all);
    if (err)
        return err;
    err = measure_field(w, &all, &fields[which], f->source, f->exact, f->remapped);
    product_free(&all);
    for (int64_t i = 0; i < w->weights->nsource; i++)
        f->source_shows[i] = w->source->mask[i] ? PIXEL_VALUE : PIXEL_MASKED;
    for (int64_t i = 0; i < w->weights->ntarget; i++) {
        int served = w->weights->served[i];
        f->target_shows[i] = served == H3OU__MASKED ? PIXEL_MASKED : served < 0 ? PIXEL_LEFT_OVER : PIXEL_VALUE;
        f->misfit[i] = fabs(f->remapped[i] - f->exact[i]) / fabs(f->exact[i]);
    }
    return err;
}

/* A row of a map: a character for each pixel (enum pixel); the values of those that show one are added to *values. */
static json_t *row_to_json(const int64_t cell[], const unsigned char shows[], const double value[], json_t *values)
{
    char row[WIDTH + 1] = {0};
    for (int x = 0; x < WIDTH; x++) {
        int64_t i = cell[x];
        row[x] = (char)(i < 0                                        ? PIXEL_OUTSIDE
                        : shows[i] == PIXEL_VALUE && isnan(value[i]) ? PIXEL_LEFT_OVER
                                                                     : shows[i]);
        if (row[x] == PIXEL_VALUE && json_array_append_new(values, json_file_number(value[i])))
            return NULL;
    }
    return json_string(row);
}

/* {"title", "scale", "pixels": the rows from the north, "values": of the pixels 'v', in their order}; NULL: no memory.
 */
static json_t *map_to_json(const char *title, const char *scale, const int64_t cell[], const unsigned char shows[],
                           const double value[])
{
    json_t *rows = json_array(), *values = json_array();
    for (int y = 0; y < HEIGHT; y++)
        if (json_array_append_new(rows, row_to_json(cell + (int64_t)y * WIDTH, shows, value, values))) {
            json_decref(rows);
            json_decref(values);
            return NULL;
        }
    return json_pack("{s:s, s:s, s:o, s:o}", "title", title, "scale", scale, "pixels", rows, "values", values);
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static const char *grid_name(const h3ou__cells *c, const char *unnamed)
{
    return c->name[0] ? base_name(c->name) : unnamed;
}

static json_t *picture_to_json(const char *file, const h3ou__weightfile *w, const measure *m, const field *shown,
                               const region *box, const map_fields *f)
{
    char title[160];
    snprintf(title, sizeof title, "source: %s, %s", shown->name, shown->title);
    return json_pack("{s:o, s:o, s:o, s:o, s:s, s:{s:f, s:f, s:f, s:f}, s:[o, o, o]}", "report",
                     report_to_json(file, w, m), "name", json_file_text(base_name(file)), "source",
                     json_file_text(grid_name(w->source, "source")), "target",
                     json_file_text(grid_name(w->target, "target")), "function", shown->name, "box", "west", box->west,
                     "east", box->east, "south", box->south, "north", box->north, "maps",
                     map_to_json(title, shown->name, f->source_cell, f->source_shows, f->source),
                     map_to_json("target: remapped", shown->name, f->target_cell, f->target_shows, f->remapped),
                     map_to_json("misfit of the target", "|remapped - exact| / |exact|", f->target_cell,
                                 f->target_shows, f->misfit));
}

/* Python reads the JSON from memory that it inherits: no file is left behind, however the commands end. */
static int draw_json(json_t *root, const char *picture)
{
    char data[40];
    int fd = memfd_create("h3ou-picture", 0);
    if (fd < 0) {
        json_decref(root);
        return h3ou__fail(H3OU__EOS, "memory for a picture: %s", strerror(errno));
    }
    snprintf(data, sizeof data, "/proc/self/fd/%d", fd);
    int err = json_file_write(root, DIGITS, data);
    if (!err)
        err = plotter_draw("plot_report.py", data, picture);
    close(fd);
    return err;
}

int report_picture(const char *picture, const char *file, const h3ou__weightfile *w, const measure *m, int which)
{
    map_fields f = {0};
    region box = choose_box(w);
    int err = allocate_fields(w, &f);
    if (!err)
        err = fill_fields(w, which, &f);
    if (!err)
        err = raster_make(w->source, w->weights->source_area, &box, WIDTH, HEIGHT, f.source_cell);
    if (!err)
        err = raster_make(w->target, w->weights->target_area, &box, WIDTH, HEIGHT, f.target_cell);
    if (!err)
        err = draw_json(picture_to_json(file, w, m, &fields[which], &box, &f), picture);
    free_fields(&f);
    return err ? h3ou__fail_in(err, "--picture") : H3OU__OK;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/plot/picture.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "tools/plot/draw.h"
#include "tools/plot/page.h"

enum {
    LEFT = 64,  /* of a map: latitudes */
    GAP = 34,   /* between the columns */
    TOP = 86,   /* title */
    HEAD = 34,  /* title of a map */
    FOOT = 104, /* longitudes, scale */
    PANEL = HEAD + PICTURE_HEIGHT + FOOT,
    WIDTH = 2 * (LEFT + PICTURE_WIDTH) + GAP + 30,
    HEIGHT = TOP + 2 * PANEL + 10
};

static const uint32_t masked = 0xb4b4b4, unmapped = 0xe0102a, nowhere = 0xf2f2f2;

static void frame(cairo_t *cr, double x, double y, double width, double height)
{
    cairo_set_source_rgb(cr, 0.25, 0.25, 0.25);
    cairo_set_line_width(cr, 1.0);
    cairo_rectangle(cr, x - 0.5, y - 0.5, width + 1, height + 1);
    cairo_stroke(cr);
}

static uint32_t colour_of(const picture_map *m, int64_t cell, const uint32_t table[COLOURS])
{
    if (cell < 0)
        return nowhere;
    double v = m->value[cell], least = m->least, most = m->most;
    if (m->state[cell] == PICTURE_MASKED)
        return masked;
    if (m->state[cell] == PICTURE_UNMAPPED || isnan(v))
        return unmapped;
    if (m->is_logarithmic) {
        v = log(fmax(v, least));
        least = log(least);
        most = log(most);
    }
    double at = most > least ? (v - least) / (most - least) : 0.0;
    return table[(int)lround(fmax(0.0, fmin(1.0, at)) * (COLOURS - 1))];
}

static int draw_pixels(cairo_t *cr, double x0, double y0, const picture_map *m, const uint32_t table[COLOURS])
{
    cairo_surface_t *image = cairo_image_surface_create(CAIRO_FORMAT_RGB24, PICTURE_WIDTH, PICTURE_HEIGHT);
    if (cairo_surface_status(image) == CAIRO_STATUS_SUCCESS) {
        unsigned char *data = cairo_image_surface_get_data(image);
        int stride = cairo_image_surface_get_stride(image);
        cairo_surface_flush(image);
        for (int y = 0; y < PICTURE_HEIGHT; y++)
            for (int x = 0; x < PICTURE_WIDTH; x++) {
                uint32_t rgb = colour_of(m, m->cell[(int64_t)y * PICTURE_WIDTH + x], table);
                memcpy(data + (size_t)y * (size_t)stride + 4 * (size_t)x, &rgb, sizeof rgb);
            }
        cairo_surface_mark_dirty(image);
        cairo_set_source_surface(cr, image, x0, y0);
        cairo_paint(cr);
    }
    cairo_status_t status = cairo_surface_status(image);
    cairo_surface_destroy(image);
    return status == CAIRO_STATUS_SUCCESS ? H3OU__OK : h3ou__fail(H3OU__ENOMEM, "out of memory for a picture");
}

/* A round step that divides the range into about n parts. */
static double round_step(double range, int n)
{
    double raw = range / n, ten = pow(10.0, floor(log10(raw))), part = raw / ten;
    return ten * (part < 1.5 ? 1.0 : part < 3.5 ? 2.0 : part < 7.5 ? 5.0 : 10.0);
}

static double degrees_step(double range)
{
    static const double steps[] = {0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        if (range / steps[i] <= 6.5)
            return steps[i];
    return 60.0;
}

static void graticule_line(cairo_t *cr, double x1, double y1, double x2, double y2)
{
    cairo_set_source_rgba(cr, 0.0, 0.0, 0.0, 0.28);
    cairo_set_line_width(cr, 0.7);
    cairo_move_to(cr, x1, y1);
    cairo_line_to(cr, x2, y2);
    cairo_stroke(cr);
}

static void draw_graticule(cairo_t *cr, double x0, double y0, const region *box)
{
    char text[32];
    double width = box->east - box->west, height = box->north - box->south;
    double step = degrees_step(width), steps = degrees_step(height);
    for (double lon = ceil(box->west / step - 1e-9) * step; lon <= box->east + 1e-9; lon += step) {
        double x = x0 + (lon - box->west) / width * PICTURE_WIDTH;
        graticule_line(cr, x, y0, x, y0 + PICTURE_HEIGHT);
        cairo_set_source_rgb(cr, 0.2, 0.2, 0.2);
        draw_text(cr, x, y0 + PICTURE_HEIGHT + 17, 12.5, false, ALIGN_MIDDLE,
                  region_angle(lon, "WE", text, sizeof text));
    }
    for (double lat = ceil(box->south / steps - 1e-9) * steps; lat <= box->north + 1e-9; lat += steps) {
        double y = y0 + (box->north - lat) / height * PICTURE_HEIGHT;
        graticule_line(cr, x0, y, x0 + PICTURE_WIDTH, y);
        cairo_set_source_rgb(cr, 0.2, 0.2, 0.2);
        draw_text(cr, x0 - 7, y + 4.5, 12.5, false, ALIGN_RIGHT, region_angle(lat, "SN", text, sizeof text));
    }
}

static void tick(cairo_t *cr, double x, double y, const char *label)
{
    cairo_set_source_rgb(cr, 0.25, 0.25, 0.25);
    cairo_set_line_width(cr, 1.0);
    cairo_move_to(cr, x, y);
    cairo_line_to(cr, x, y + 5);
    cairo_stroke(cr);
    draw_text(cr, x, y + 18, 12.5, false, ALIGN_MIDDLE, label);
}

static void draw_ticks(cairo_t *cr, double x, double y, double width, const picture_map *m)
{
    char label[32];
    if (!(m->most > m->least)) {
        snprintf(label, sizeof label, "%g", m->least);
        tick(cr, x + width / 2, y, label);
        return;
    }
    if (m->is_logarithmic) {
        double low = log10(m->least), high = log10(m->most), step = ceil((high - low) / 8.0);
        for (double e = ceil(low - 1e-9); e <= high + 1e-9; e += step) {
            snprintf(label, sizeof label, "%g", pow(10.0, e));
            tick(cr, x + (e - low) / (high - low) * width, y, label);
        }
        return;
    }
    double range = m->most - m->least, step = round_step(range, 6);
    for (double v = ceil(m->least / step - 1e-9) * step; v <= m->most + 1e-9 * range; v += step) {
        snprintf(label, sizeof label, "%g", fabs(v) < 1e-9 * range ? 0.0 : v);
        tick(cr, x + (v - m->least) / range * width, y, label);
    }
}

static void draw_scale(cairo_t *cr, double x0, double y0, const picture_map *m, const uint32_t table[COLOURS])
{
    const double width = 0.62 * PICTURE_WIDTH, height = 15.0, x = x0 + (PICTURE_WIDTH - width) / 2;
    for (int i = 0; i < COLOURS; i++) {
        draw_colour(cr, table[i]);
        cairo_rectangle(cr, x + i * width / COLOURS, y0, width / COLOURS + 1.0, height);
        cairo_fill(cr);
    }
    frame(cr, x, y0, width + 1.0, height);
    draw_ticks(cr, x, y0 + height + 1, width, m);
    draw_text(cr, x0 + PICTURE_WIDTH / 2.0, y0 + height + 37, 13, false, ALIGN_MIDDLE, m->scale_title);
}

static int draw_map(cairo_t *cr, double x, double y, const picture *p, const picture_map *m)
{
    uint32_t table[COLOURS];
    colours_make(m->colours, table);
    cairo_set_source_rgb(cr, 0.1, 0.1, 0.1);
    draw_text(cr, x, y + HEAD - 11, 16, true, ALIGN_LEFT, m->title);
    int err = draw_pixels(cr, x, y + HEAD, m, table);
    draw_graticule(cr, x, y + HEAD, &p->box);
    frame(cr, x, y + HEAD, PICTURE_WIDTH, PICTURE_HEIGHT);
    draw_scale(cr, x, y + HEAD + PICTURE_HEIGHT + 32, m, table);
    return err;
}

static void legend(cairo_t *cr, double x, double y, uint32_t colour, const char *text)
{
    draw_colour(cr, colour);
    cairo_rectangle(cr, x, y - 12, 22, 14);
    cairo_fill(cr);
    frame(cr, x, y - 12, 22, 14);
    cairo_set_source_rgb(cr, 0.1, 0.1, 0.1);
    draw_text(cr, x + 30, y, 14, false, ALIGN_LEFT, text);
}

/* Lines of text; those that begin with '*' are bold; tabs lead to the next column, numbers end at its right edge. */
static void draw_page(cairo_t *cr, double x, double y, const char *text)
{
    static const double edge[] = {0, 320, 440, 560, 680, 800};
    while (*text) {
        size_t length = strcspn(text, "\n");
        bool is_bold = *text == '*';
        size_t at = is_bold;
        cairo_set_source_rgb(cr, 0.1, 0.1, 0.1);
        for (int column = 0; at <= length && column < 6; column++) {
            char word[160];
            size_t end = at + strcspn(text + at, "\t\n");
            snprintf(word, sizeof word, "%.*s", (int)(end - at), text + at);
            draw_text(cr, x + edge[column], y, 15, is_bold, column ? ALIGN_RIGHT : ALIGN_LEFT, word);
            at = end + 1;
        }
        y += length ? 24 : 12;
        text += length + (text[length] == '\n');
    }
    legend(cr, x, y + 16, masked, "masked");
    legend(cr, x + 140, y + 16, unmapped, "left over by all methods");
    legend(cr, x + 400, y + 16, nowhere, "outside the grid");
}

int picture_write(const char *file, const picture *p)
{
    cairo_t *cr = page_begin(file, WIDTH, HEIGHT);
    int err = H3OU__OK;
    cairo_set_source_rgb(cr, 0.1, 0.1, 0.1);
    draw_text(cr, LEFT, 38, 23, true, ALIGN_LEFT, p->title);
    draw_text(cr, LEFT, 64, 15, false, ALIGN_LEFT, p->subtitle);
    for (int i = 0; i < 3 && !err; i++)
        err = draw_map(cr, LEFT + (i % 2) * (PICTURE_WIDTH + GAP + LEFT), TOP + (i / 2) * PANEL, p, &p->map[i]);
    draw_page(cr, 2 * LEFT + PICTURE_WIDTH + GAP, TOP + PANEL + HEAD + 12, p->text);
    return page_end(cr, file, err);
}

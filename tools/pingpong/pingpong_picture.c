/* SPDX-License-Identifier: BSD-3-Clause */
/* Half a round trip and bandwidth over the size, beside each other: a colour for each way, a line style for each number
 * of pairs. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "tools/pingpong/pingpong_table.h"
#include "tools/plot/draw.h"
#include "tools/plot/page.h"

enum {
    WIDTH = 1720,
    LEFT = 96,
    TOP = 118,
    PLOT_WIDTH = 720,
    PLOT_HEIGHT = 560,
    GAP = 124,
    FOOT = 84, /* sizes and their title */
    LEGEND_LINE = 26,
    NAMES = 12
};

static const uint32_t ink = 0x222222, pale = 0xe3e3e3, paler = 0xf1f1f1;

typedef struct panel {
    double x, y;                  /* upper left corner */
    double least_size, most_size; /* logarithms of 2 */
    double least, most;           /* of the values; logarithms of 10 when is_logarithmic */
    bool is_logarithmic, is_bandwidth;
    const char *title;
} panel;

/* The different ways and numbers of pairs, in the table's order. */
typedef struct keys {
    const pingpong_way *way[NAMES];
    int pairs[PINGPONG_PAIRS];
    int nway, npairs;
} keys;

static void find_keys(const pingpong_table *t, keys *k)
{
    memset(k, 0, sizeof *k);
    for (int i = 0; i < t->nseries; i++) {
        int w = 0, p = 0;
        while (w < k->nway && strcmp(k->way[w]->name, t->series[i].way.name) != 0)
            w++;
        if (w == k->nway && w < NAMES)
            k->way[k->nway++] = &t->series[i].way;
        while (p < k->npairs && k->pairs[p] != t->series[i].pairs)
            p++;
        if (p == k->npairs && p < PINGPONG_PAIRS)
            k->pairs[k->npairs++] = t->series[i].pairs;
    }
}

/* Colours that stay apart for most colour-blind readers (Okabe and Ito 2008); raw TCP is grey. */
static uint32_t colour_of(const keys *k, const char *name)
{
    static const uint32_t waitio[] = {0x0072b2, 0x56b4e9, 0x009e73, 0xcc79a7, 0x7a5195};
    static const uint32_t mpi[] = {0xd55e00, 0xe69f00, 0x8c510a};
    int nwaitio = 0, nmpi = 0;
    for (int i = 0; i < k->nway; i++) {
        bool is_it = !strcmp(k->way[i]->name, name);
        if (k->way[i]->kind == PINGPONG_WAITIO) {
            if (is_it)
                return waitio[nwaitio % 5];
            nwaitio++;
        } else if (k->way[i]->kind == PINGPONG_MPI) {
            if (is_it)
                return mpi[nmpi % 3];
            nmpi++;
        }
    }
    return 0x6e6e6e;
}

static int style_of(const keys *k, int pairs)
{
    for (int i = 0; i < k->npairs; i++)
        if (k->pairs[i] == pairs)
            return i;
    return 0;
}

static void set_style(cairo_t *cr, int style)
{
    static const double dash[][4] = {{0}, {9, 5}, {2.5, 4}, {11, 4, 2.5, 4}};
    static const int n[] = {0, 2, 2, 4};
    cairo_set_dash(cr, dash[style % 4], n[style % 4], 0);
}

static void put_marker(cairo_t *cr, double x, double y, int style)
{
    const double r = 4.2;
    cairo_new_sub_path(cr);
    if (style % 4 == 0) {
        cairo_arc(cr, x, y, r, 0, 2 * M_PI);
    } else if (style % 4 == 1) {
        cairo_rectangle(cr, x - 0.88 * r, y - 0.88 * r, 1.76 * r, 1.76 * r);
    } else {
        double up = style % 4 == 2 ? -1.0 : 1.0;
        cairo_move_to(cr, x, y + 1.2 * up * r);
        cairo_line_to(cr, x + 1.1 * r, y - 0.8 * up * r);
        cairo_line_to(cr, x - 1.1 * r, y - 0.8 * up * r);
        cairo_close_path(cr);
    }
    if (style % 8 >= 4) {
        cairo_set_line_width(cr, 1.5);
        cairo_stroke(cr);
    } else {
        cairo_fill(cr);
    }
}

static double value_of(const panel *p, const pingpong_series *s, const pingpong_point *point)
{
    return p->is_bandwidth ? pingpong_bandwidth(s, point) : pingpong_half(point);
}

static void find_range(const pingpong_table *t, panel *p)
{
    double least = INFINITY, most = 0.0;
    p->least_size = INFINITY;
    p->most_size = 0.0;
    for (int i = 0; i < t->nseries; i++)
        for (int k = 0; k < t->series[i].npoint; k++) {
            double v = value_of(p, &t->series[i], &t->series[i].point[k]),
                   size = log2((double)t->series[i].point[k].bytes);
            if (v > 0.0) {
                least = fmin(least, v);
                most = fmax(most, v);
            }
            p->least_size = fmin(p->least_size, size);
            p->most_size = fmax(p->most_size, size);
        }
    if (!(most > 0.0)) {
        least = most = 1.0;
        p->least_size = isfinite(p->least_size) ? p->least_size : 0.0;
    }
    p->least_size -= 0.4;
    p->most_size += 0.4;
    p->least = p->is_logarithmic ? floor(log10(least) * 2.0 - 0.1) / 2.0 : 0.0;
    p->most = p->is_logarithmic ? ceil(log10(most) * 2.0 + 0.1) / 2.0 : 1.06 * most;
}

static double x_of(const panel *p, double bytes)
{
    return p->x + PLOT_WIDTH * (log2(bytes) - p->least_size) / (p->most_size - p->least_size);
}

static double y_of(const panel *p, double value)
{
    double v = p->is_logarithmic ? log10(fmax(value, 1e-30)) : value;
    return p->y + PLOT_HEIGHT * (p->most - v) / (p->most - p->least);
}

static void grid_line(cairo_t *cr, uint32_t colour, double x1, double y1, double x2, double y2)
{
    draw_colour(cr, colour);
    cairo_set_line_width(cr, 1.0);
    cairo_move_to(cr, floor(x1) + 0.5, floor(y1) + 0.5);
    cairo_line_to(cr, floor(x2) + 0.5, floor(y2) + 0.5);
    cairo_stroke(cr);
}

static void draw_value(cairo_t *cr, const panel *p, double v, uint32_t colour, bool is_labelled)
{
    char text[32];
    double y = y_of(p, v);
    if (y < p->y - 0.5 || y > p->y + PLOT_HEIGHT + 0.5)
        return;
    grid_line(cr, colour, p->x, y, p->x + PLOT_WIDTH, y);
    if (!is_labelled)
        return;
    snprintf(text, sizeof text, v >= 1e6 ? "%.0e" : "%g", v);
    draw_colour(cr, ink);
    draw_text(cr, p->x - 10, y + 5, 14, false, ALIGN_RIGHT, text);
}

static void draw_values(cairo_t *cr, const panel *p)
{
    if (p->is_logarithmic) {
        for (int e = (int)floor(p->least); e <= (int)ceil(p->most); e++) {
            for (int m = 2; m < 10; m++)
                draw_value(cr, p, m * pow(10.0, e), paler, p->most - p->least < 1.6 && (m == 2 || m == 5));
        }
        for (int e = (int)floor(p->least); e <= (int)ceil(p->most); e++)
            draw_value(cr, p, pow(10.0, e), pale, true);
        return;
    }
    double ten = pow(10.0, floor(log10(p->most))), part = p->most / ten;
    double step = part < 1.5 ? 0.2 * ten : part < 3.0 ? 0.5 * ten : part < 7.0 ? ten : 2.0 * ten;
    for (int i = 0; i * step <= p->most; i++)
        draw_value(cr, p, i * step, pale, true);
}

static void draw_sizes(cairo_t *cr, const panel *p)
{
    double range = p->most_size - p->least_size;
    int step = range > 13.0 ? 3 : range > 7.0 ? 2 : 1;
    char text[24];
    for (int e = (int)ceil(p->least_size); e <= (int)floor(p->most_size); e++) {
        double x = x_of(p, ldexp(1.0, e));
        bool is_labelled = (e - (int)ceil(p->least_size)) % step == 0;
        grid_line(cr, is_labelled ? pale : paler, x, p->y, x, p->y + PLOT_HEIGHT);
        if (!is_labelled)
            continue;
        draw_colour(cr, ink);
        draw_text(cr, x, p->y + PLOT_HEIGHT + 24, 14, false, ALIGN_MIDDLE, pingpong_size_text((int64_t)1 << e, text));
    }
    draw_colour(cr, ink);
    draw_text(cr, p->x + PLOT_WIDTH / 2.0, p->y + PLOT_HEIGHT + 52, 15, false, ALIGN_MIDDLE, "size of a message");
}

static void draw_series(cairo_t *cr, const panel *p, const pingpong_series *s, const keys *k)
{
    int style = style_of(k, s->pairs);
    draw_colour(cr, colour_of(k, s->way.name));
    cairo_set_line_width(cr, s->way.kind == PINGPONG_WAITIO ? 2.8 : 1.9);
    cairo_set_line_join(cr, CAIRO_LINE_JOIN_ROUND);
    set_style(cr, style);
    for (int i = 0; i < s->npoint; i++)
        cairo_line_to(cr, x_of(p, (double)s->point[i].bytes), y_of(p, value_of(p, s, &s->point[i])));
    cairo_stroke(cr);
    cairo_set_dash(cr, NULL, 0, 0);
    for (int i = 0; i < s->npoint; i++)
        put_marker(cr, x_of(p, (double)s->point[i].bytes), y_of(p, value_of(p, s, &s->point[i])), style);
}

static void draw_panel(cairo_t *cr, const panel *p, const pingpong_table *t, const keys *k)
{
    static const enum pingpong_kind order[] = {PINGPONG_RAW, PINGPONG_MPI, PINGPONG_WAITIO};
    draw_values(cr, p);
    draw_sizes(cr, p);
    cairo_save(cr);
    cairo_rectangle(cr, p->x - 6, p->y - 6, PLOT_WIDTH + 12, PLOT_HEIGHT + 12);
    cairo_clip(cr);
    for (int i = 0; i < 3; i++) /* ours above the others */
        for (int s = 0; s < t->nseries; s++)
            if (t->series[s].way.kind == order[i])
                draw_series(cr, p, &t->series[s], k);
    cairo_restore(cr);
    draw_colour(cr, 0x707070);
    cairo_set_line_width(cr, 1.2);
    cairo_rectangle(cr, p->x - 0.5, p->y - 0.5, PLOT_WIDTH + 1, PLOT_HEIGHT + 1);
    cairo_stroke(cr);
    draw_colour(cr, ink);
    draw_text(cr, p->x, p->y - 14, 17, true, ALIGN_LEFT, p->title);
}

static void draw_legend(cairo_t *cr, double y, const keys *k)
{
    char text[40];
    double x = LEFT;
    for (int i = 0; i < k->nway; i++, x += 220) {
        draw_colour(cr, colour_of(k, k->way[i]->name));
        cairo_rectangle(cr, x, y - 8, 30, 5);
        cairo_fill(cr);
        draw_colour(cr, ink);
        draw_text(cr, x + 38, y, 15, false, ALIGN_LEFT, k->way[i]->name);
    }
    x = LEFT;
    for (int i = 0; i < k->npairs; i++, x += 220) {
        draw_colour(cr, ink);
        cairo_set_line_width(cr, 2.0);
        set_style(cr, i);
        cairo_move_to(cr, x, y + LEGEND_LINE - 5);
        cairo_line_to(cr, x + 44, y + LEGEND_LINE - 5);
        cairo_stroke(cr);
        cairo_set_dash(cr, NULL, 0, 0);
        put_marker(cr, x + 22, y + LEGEND_LINE - 5, i);
        snprintf(text, sizeof text, "%d pair%s", k->pairs[i], k->pairs[i] > 1 ? "s" : "");
        draw_text(cr, x + 54, y + LEGEND_LINE, 15, false, ALIGN_LEFT, text);
    }
}

static void draw_page(cairo_t *cr, const pingpong_table *t)
{
    char text[700];
    keys k;
    panel half = {.x = LEFT, .y = TOP, .is_logarithmic = true, .title = "half a round trip, slowest pair [us]"};
    panel band = {.x = LEFT + PLOT_WIDTH + GAP,
                  .y = TOP,
                  .is_bandwidth = true,
                  .title = "bandwidth one way, all pairs together [GB/s]"};
    find_keys(t, &k);
    find_range(t, &half);
    find_range(t, &band);
    draw_colour(cr, ink);
    draw_text(cr, LEFT, 42, 24, true, ALIGN_LEFT, "Multi-stream ping-pong");
    snprintf(text, sizeof text, "%.500s, %s; median of the rounds", t->where, t->when);
    draw_text(cr, LEFT, 70, 15, false, ALIGN_LEFT, text);
    draw_panel(cr, &half, t, &k);
    draw_panel(cr, &band, t, &k);
    double y = TOP + PLOT_HEIGHT + FOOT + 16;
    draw_legend(cr, y, &k);
    for (int i = 0; i < t->nnote; i++) {
        draw_colour(cr, 0x555555);
        snprintf(text, sizeof text, "%.190s", t->note[i]);
        draw_text(cr, LEFT, y + 2 * LEGEND_LINE + 6 + i * 20, 13.5, false, ALIGN_LEFT, text);
    }
}

int pingpong_write_picture(const pingpong_table *t, const char *file)
{
    cairo_t *cr = page_begin(file, WIDTH, TOP + PLOT_HEIGHT + FOOT + 3 * LEGEND_LINE + 20 * t->nnote + 10);
    draw_page(cr, t);
    return page_end(cr, file, H3OU__OK);
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/monitor/file/whole_grid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "interp/sphere/angles.h"

static const double SAME = 1e-9; /* radians: two cells of a row have the same latitude */

static double *allocate(int64_t n)
{
    double *to = malloc(sizeof *to * (size_t)(n + 1));
    for (int64_t i = 0; to && i < n; i++)
        to[i] = NAN;
    return to;
}

/* Finds which cells are held, and the places of all of them in a list. */
static int find_places(const h3ou__raw_part part[], int n, const int grid[], h3ou__whole_grid *w)
{
    for (int k = 0; k < n; k++) {
        const h3ou__raw_grid *g = &part[k].grid[grid[k]];
        w->last = g->last > w->last ? g->last : w->last;
        w->nx = g->nx;
        w->ny = g->ny;
        w->most = g->most > w->most ? g->most : w->most;
    }
    w->place = malloc(sizeof *w->place * (size_t)(w->last + 1));
    if (!w->place)
        return h3ou__no_memory("the grid of a field");
    for (int64_t i = 0; i < w->last; i++)
        w->place[i] = -1;
    for (int k = 0; k < n; k++)
        for (int64_t i = 0; i < part[k].grid[grid[k]].n; i++)
            w->place[part[k].grid[grid[k]].index[i] - 1] = 0;
    for (int64_t i = 0; i < w->last; i++)
        if (w->place[i] == 0)
            w->place[i] = w->n++;
    return H3OU__OK;
}

/* Copies what all parts know of their cells, in radians; an array that some part lacks stays NULL. */
static int gather(const h3ou__raw_part part[], int n, const int grid[], h3ou__whole_grid *w)
{
    bool has_centres = true, has_corners = w->most > 0;
    for (int k = 0; k < n; k++) {
        const h3ou__raw_grid *g = &part[k].grid[grid[k]];
        has_centres = has_centres && (g->lon || g->n == 0);
        has_corners = has_corners && (g->most == w->most || g->n == 0);
    }
    w->most = has_corners ? w->most : 0;
    w->lon = has_centres ? allocate(w->n) : NULL;
    w->lat = has_centres ? allocate(w->n) : NULL;
    w->lon_bounds = has_corners ? allocate(w->n * w->most) : NULL;
    w->lat_bounds = has_corners ? allocate(w->n * w->most) : NULL;
    if ((has_centres && (!w->lon || !w->lat)) || (has_corners && (!w->lon_bounds || !w->lat_bounds)))
        return h3ou__no_memory("the grid of a field");
    for (int k = 0; k < n; k++) {
        const h3ou__raw_grid *g = &part[k].grid[grid[k]];
        for (int64_t i = 0; i < g->n; i++) {
            int64_t at = w->place[g->index[i] - 1];
            if (has_centres) {
                w->lon[at] = g->lon[i];
                w->lat[at] = g->lat[i];
            }
            if (has_corners) {
                memcpy(w->lon_bounds + at * w->most, g->corner_lon + i * w->most, sizeof(double) * (size_t)w->most);
                memcpy(w->lat_bounds + at * w->most, g->corner_lat + i * w->most, sizeof(double) * (size_t)w->most);
            }
        }
    }
    return H3OU__OK;
}

/* Finds the centres of cells that came with corners alone: the middle of the corners. */
static int find_centres(h3ou__whole_grid *w)
{
    if (w->lon || !w->most)
        return H3OU__OK;
    w->is_middle = true;
    w->lon = allocate(w->n);
    w->lat = allocate(w->n);
    if (!w->lon || !w->lat)
        return h3ou__no_memory("the grid of a field");
    for (int64_t i = 0; i < w->n; i++) {
        double x[3] = {0.0, 0.0, 0.0};
        for (int k = 0; k < w->most; k++) {
            double a = w->lon_bounds[i * w->most + k], b = w->lat_bounds[i * w->most + k];
            x[0] += cos(b) * cos(a);
            x[1] += cos(b) * sin(a);
            x[2] += sin(b);
        }
        w->lon[i] = atan2(x[1], x[0]);
        w->lat[i] = atan2(x[2], hypot(x[0], x[1]));
    }
    return H3OU__OK;
}

/* Widens a pair of bounds by an angle; longitudes are taken next to `near`. */
static void widen(double bounds[2], double angle, double near, bool turns)
{
    double turn = 2.0 * H3OU__PI;
    if (turns)
        angle -= turn * floor((angle - near) / turn + 0.5);
    bounds[0] = isnan(bounds[0]) ? angle : fmin(bounds[0], angle);
    bounds[1] = isnan(bounds[1]) ? angle : fmax(bounds[1], angle);
}

/* The columns and rows of a grid, found from its cells. */
typedef struct lines {
    double *lon, *lat, *lon_bounds, *lat_bounds;
    bool is_regular;
} lines;

/* Notes the coordinate of one cell for its line; returns whether it is that of the others. */
static bool note_line(double *line, double angle)
{
    double turn = 2.0 * H3OU__PI;
    if (isnan(*line))
        *line = angle;
    return fabs(angle - *line - turn * floor((angle - *line) / turn + 0.5)) <= SAME;
}

static void find_lines(const h3ou__whole_grid *w, lines *l)
{
    l->is_regular = true;
    for (int64_t i = 0; i < w->last && l->is_regular; i++) {
        int64_t x = i % w->nx, y = i / w->nx, at = w->place[i];
        if (at < 0)
            continue;
        l->is_regular = note_line(&l->lon[x], w->lon[at]) && note_line(&l->lat[y], w->lat[at]);
        for (int k = 0; k < w->most; k++) {
            if (fabs(fabs(w->lat_bounds[at * w->most + k]) - 0.5 * H3OU__PI) > SAME) /* a pole has no longitude */
                widen(l->lon_bounds + 2 * x, w->lon_bounds[at * w->most + k], l->lon[x], true);
            widen(l->lat_bounds + 2 * y, w->lat_bounds[at * w->most + k], l->lat[y], false);
        }
    }
    for (int x = 0; x < w->nx && l->is_regular; x++)
        l->is_regular = !isnan(l->lon[x]) && (!w->most || !isnan(l->lon_bounds[2 * x]));
    for (int y = 0; y < w->ny && l->is_regular; y++)
        l->is_regular = !isnan(l->lat[y]);
}

/* Lets longitudes go on from one column to the next, and puts centres that nobody gave in the middle of their bounds. */
static void arrange_lines(const h3ou__whole_grid *w, const lines *l)
{
    double turn = 2.0 * H3OU__PI;
    for (int x = 0; x < w->nx; x++) {
        if (w->is_middle)
            l->lon[x] = 0.5 * (l->lon_bounds[2 * x] + l->lon_bounds[2 * x + 1]);
        double back = x > 0 ? turn * floor((l->lon[x] - l->lon[x - 1]) / turn + 0.5) : 0.0;
        l->lon[x] -= back;
        l->lon_bounds[2 * x] -= back;
        l->lon_bounds[2 * x + 1] -= back;
    }
    for (int y = 0; y < w->ny && w->is_middle; y++)
        l->lat[y] = 0.5 * (l->lat_bounds[2 * y] + l->lat_bounds[2 * y + 1]);
}

static void swap_arrays(double **a, double **b)
{
    double *c = *a;
    *a = *b;
    *b = c;
}

/* Keeps one longitude for each column and one latitude for each row, if that is all there is. */
static int make_regular(h3ou__whole_grid *w)
{
    lines l = {allocate(w->nx), allocate(w->ny), allocate(2 * (int64_t)w->nx), allocate(2 * (int64_t)w->ny), false};
    int err = l.lon && l.lat && l.lon_bounds && l.lat_bounds ? H3OU__OK : h3ou__no_memory("the grid of a field");
    if (!err)
        find_lines(w, &l);
    if (!err && l.is_regular) {
        arrange_lines(w, &l);
        swap_arrays(&w->lon, &l.lon);
        swap_arrays(&w->lat, &l.lat);
        if (w->most) {
            swap_arrays(&w->lon_bounds, &l.lon_bounds);
            swap_arrays(&w->lat_bounds, &l.lat_bounds);
            w->most = 2;
        }
    }
    w->is_regular = !err && l.is_regular;
    free(l.lon);
    free(l.lat);
    free(l.lon_bounds);
    free(l.lat_bounds);
    return err;
}

/* Decides whether the file has rows and columns, or a list. */
static int choose_shape(h3ou__whole_grid *w)
{
    bool has_shape = w->nx > 1 && w->ny > 1 && w->last <= (int64_t)w->nx * w->ny && w->lon;
    bool is_whole = w->n == (int64_t)w->nx * w->ny;
    int err = has_shape ? make_regular(w) : H3OU__OK;
    if (err)
        return err;
    if (has_shape && (w->is_regular || is_whole)) {
        for (int64_t i = 0; i < w->last; i++)
            w->place[i] = i;
        w->n = (int64_t)w->nx * w->ny;
        return H3OU__OK;
    }
    w->nx = w->ny = 0;
    w->index = malloc(sizeof *w->index * (size_t)(w->n + 1));
    if (!w->index)
        return h3ou__no_memory("the grid of a field");
    for (int64_t i = 0; i < w->last; i++)
        if (w->place[i] >= 0)
            w->index[w->place[i]] = (int32_t)(i + 1);
    return H3OU__OK;
}

static void to_degrees(double *angle, int64_t n)
{
    for (int64_t i = 0; angle && i < n; i++)
        angle[i] /= H3OU__RADIANS_PER_DEGREE;
}

int h3ou__whole_grid_make(const h3ou__raw_part part[], int n, const int grid[], h3ou__whole_grid *w)
{
    *w = (h3ou__whole_grid){0};
    int err = find_places(part, n, grid, w);
    if (!err)
        err = gather(part, n, grid, w);
    if (!err)
        err = find_centres(w);
    if (!err)
        err = choose_shape(w);
    if (err)
        return err;
    to_degrees(w->lon, w->is_regular ? w->nx : w->n);
    to_degrees(w->lat, w->is_regular ? w->ny : w->n);
    to_degrees(w->lon_bounds, w->most * (w->is_regular ? w->nx : w->n));
    to_degrees(w->lat_bounds, w->most * (w->is_regular ? w->ny : w->n));
    return H3OU__OK;
}

void h3ou__whole_grid_free(h3ou__whole_grid *w)
{
    free(w->place);
    free(w->index);
    free(w->lon);
    free(w->lat);
    free(w->lon_bounds);
    free(w->lat_bounds);
    *w = (h3ou__whole_grid){0};
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "interp/rows/regular_grid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"

static const double BEYOND = 1e-6; /* radians: a pole in single precision is not quite one */

enum { LONGEST = 1000 }; /* in a list: how many times more columns than rows a grid may have, or the reverse */

static int64_t number_of(const h3ou__corner_lists *g, int64_t i)
{
    return g->id ? g->id[i] : i;
}

static bool takes_part(const h3ou__corner_lists *g, int64_t i)
{
    return !g->mask || g->mask[i];
}

/* The search for a regular grid. A number of a cell that does not exist is INFINITY. */
typedef struct search {
    const h3ou__corner_lists *g;
    const h3ou__agreement *agree;
    int64_t nx, ny, lines; /* lines: columns and rows, in this order */
    h3ou__lonlat_box *box; /* [g->n] west is NaN where a cell is none */
    double *who, *bounds;  /* [lines] the number of the cell that says a line's bounds; [2 * lines] these */
} search;

/* Makes the boxes of this process's cells. *other: the lowest number of a cell that takes part and is none. */
static void find_boxes(search *s, double *other)
{
    *other = INFINITY;
    for (int64_t i = 0; i < s->g->n && isinf(*other); i++) {
        if (h3ou__corners_box(s->g, i, &s->box[i]))
            continue;
        s->box[i].west = NAN;
        if (takes_part(s->g, i))
            *other = (double)number_of(s->g, i);
    }
}

static bool is_box(const search *s, int64_t i)
{
    return !isnan(s->box[i].west);
}

static bool shares_row(const h3ou__lonlat_box *b, const double row[2])
{
    return h3ou__same_lat(b->south, row[0]) && h3ou__same_lat(b->north, row[1]);
}

/* The length of a list's first row: the first number at which a box has other latitudes than the first box. */
static int find_row_length(search *s, int64_t all)
{
    int64_t i = 0;
    while (i < s->g->n && !is_box(s, i))
        i++;
    double mine = i < s->g->n ? (double)number_of(s->g, i) : INFINITY, first = mine;
    int err = h3ou__agree_on_least(s->agree, &first, 1);
    if (err || isinf(first))
        return err;
    double row[2] = {INFINITY, INFINITY}, end = INFINITY;
    if (mine == first) {
        row[0] = s->box[i].south;
        row[1] = s->box[i].north;
    }
    if ((err = h3ou__agree_on_least(s->agree, row, 2)) != H3OU__OK)
        return err;
    for (; i < s->g->n && isinf(end); i++)
        if (is_box(s, i) && !shares_row(&s->box[i], row))
            end = (double)number_of(s->g, i);
    if ((err = h3ou__agree_on_least(s->agree, &end, 1)) != H3OU__OK || isinf(end))
        return err;
    int64_t nx = (int64_t)end, ny = all / nx;
    if (all % nx == 0 && nx > 1 && ny > 1 && nx <= LONGEST * ny && ny <= LONGEST * nx) {
        s->nx = nx;
        s->ny = ny;
    }
    return H3OU__OK;
}

/* The bounds of a cell's column (0) or row (1), and that line's number. */
static int64_t line_of(const search *s, int64_t i, int which, double bounds[2])
{
    const h3ou__lonlat_box *b = &s->box[i];
    bounds[0] = which ? b->south : b->west;
    bounds[1] = which ? b->north : b->east;
    int64_t id = number_of(s->g, i);
    return which ? s->nx + id / s->nx : id % s->nx;
}

static bool is_said(const search *s, int64_t line)
{
    return !isinf(s->bounds[2 * line]);
}

static bool fits(const search *s, int64_t i, int which)
{
    double b[2];
    int64_t line = line_of(s, i, which, b);
    const double *said = s->bounds + 2 * line;
    return which ? h3ou__same_lat(b[0], said[0]) && h3ou__same_lat(b[1], said[1])
                 : h3ou__same_lon(b[0], said[0]) && h3ou__same_lon(b[1], said[1]);
}

/* Corners of masked cells may be anything: these only say what no other cell says, and must agree with what is said of
 * the line that crosses theirs. */
static bool may_say(const search *s, int64_t i, int which)
{
    double b[2];
    return !is_said(s, line_of(s, i, which, b)) && (!is_said(s, line_of(s, i, !which, b)) || fits(s, i, !which));
}

/* Lets the first cell, of those that take part or of the masked ones, say the bounds of each line. */
static int say_bounds(search *s, bool masked)
{
    for (int64_t k = 0; k < s->lines; k++)
        s->who[k] = INFINITY;
    for (int64_t i = 0; i < s->g->n; i++)
        for (int which = 0; which < 2; which++) {
            double b[2], id = (double)number_of(s->g, i);
            if (is_box(s, i) && takes_part(s->g, i) != masked && (!masked || may_say(s, i, which))) {
                int64_t line = line_of(s, i, which, b);
                s->who[line] = h3ou__lower(s->who[line], id);
            }
        }
    int err = h3ou__agree_on_least(s->agree, s->who, s->lines);
    for (int64_t i = 0; i < s->g->n && !err; i++)
        for (int which = 0; which < 2; which++) {
            double b[2];
            int64_t line = is_box(s, i) ? line_of(s, i, which, b) : -1;
            if (line >= 0 && s->who[line] == (double)number_of(s->g, i))
                memcpy(s->bounds + 2 * line, b, sizeof b);
        }
    return err ? err : h3ou__agree_on_least(s->agree, s->bounds, 2 * s->lines);
}

static bool are_complete(const double bounds[], int64_t n, double least, double most)
{
    for (int64_t i = 0; i < 2 * n; i++)
        if (!(bounds[i] >= least && bounds[i] <= most))
            return false;
    return true;
}

/* *found: all cells agree with the bounds of their columns and rows, and all of these are known. */
static int check_lines(search *s, bool *found)
{
    double good = 1.0;
    int err = say_bounds(s, false);
    for (int64_t i = 0; i < s->g->n && !err; i++)
        if (takes_part(s->g, i) && !(fits(s, i, 0) && fits(s, i, 1)))
            good = 0.0;
    if (!err)
        err = h3ou__agree_on_least(s->agree, &good, 1);
    bool is_complete = true;
    for (int64_t k = 0; k < s->lines && !err; k++)
        is_complete &= is_said(s, k);
    if (!err && good != 0.0 && !is_complete)
        err = say_bounds(s, true);
    *found = !err && good != 0.0 && are_complete(s->bounds, s->nx, -4 * H3OU__PI, 6 * H3OU__PI) &&
             are_complete(s->bounds + 2 * s->nx, s->ny, -H3OU__PI / 2 - BEYOND, H3OU__PI / 2 + BEYOND);
    return err;
}

static int keep_bounds(const search *s, h3ou__regular_grid *out)
{
    out->lon_bounds = malloc(2 * sizeof *out->lon_bounds * (size_t)s->nx);
    out->lat_bounds = malloc(2 * sizeof *out->lat_bounds * (size_t)s->ny);
    if (!out->lon_bounds || !out->lat_bounds) {
        h3ou__regular_grid_free(out);
        return h3ou__no_memory("the columns and rows of a grid");
    }
    memcpy(out->lon_bounds, s->bounds, 2 * sizeof *s->bounds * (size_t)s->nx);
    memcpy(out->lat_bounds, s->bounds + 2 * s->nx, 2 * sizeof *s->bounds * (size_t)s->ny);
    out->nx = s->nx;
    out->ny = s->ny;
    return H3OU__OK;
}

static int find_lines(search *s, h3ou__regular_grid *out)
{
    bool found = false;
    s->lines = s->nx + s->ny;
    s->who = malloc(sizeof *s->who * (size_t)s->lines);
    s->bounds = malloc(2 * sizeof *s->bounds * (size_t)s->lines);
    if (!s->who || !s->bounds)
        return h3ou__no_memory("the columns and rows of a grid");
    for (int64_t k = 0; k < 2 * s->lines; k++)
        s->bounds[k] = INFINITY;
    int err = check_lines(s, &found);
    return err || !found ? err : keep_bounds(s, out);
}

int h3ou__regular_grid_find(const h3ou__corner_lists *g, int64_t nx, int64_t ny, int64_t all,
                            const h3ou__agreement *agree, h3ou__regular_grid *out)
{
    search s = {.g = g, .agree = agree, .nx = nx, .ny = ny};
    double other = INFINITY;
    *out = (h3ou__regular_grid){0};
    if (!(s.box = malloc(sizeof *s.box * (size_t)(g->n + 1))))
        return h3ou__no_memory("the columns and rows of a grid");
    find_boxes(&s, &other);
    int err = h3ou__agree_on_least(agree, &other, 1);
    if (!err && isinf(other) && nx == 0)
        err = find_row_length(&s, all);
    if (!err && isinf(other) && s.nx > 0 && s.nx * s.ny >= all)
        err = find_lines(&s, out);
    free(s.box);
    free(s.who);
    free(s.bounds);
    return err;
}

void h3ou__regular_grid_free(h3ou__regular_grid *r)
{
    free(r->lon_bounds);
    free(r->lat_bounds);
    *r = (h3ou__regular_grid){0};
}

int h3ou__regular_grid_centres(const h3ou__regular_grid *r, const h3ou__cells *c, const h3ou__agreement *agree,
                               bool *aligned)
{
    int64_t lines = r->nx + r->ny;
    double *least = malloc(2 * sizeof *least * (size_t)lines), *most = least + lines;
    if (!least)
        return h3ou__no_memory("the columns and rows of a grid");
    for (int64_t k = 0; k < 2 * lines; k++)
        least[k] = INFINITY;
    for (int64_t i = 0; i < c->n; i++) {
        int64_t line[2] = {h3ou__cell_id(c, i) % r->nx, r->nx + h3ou__cell_id(c, i) / r->nx};
        const double angle[2] = {c->lon[i], c->lat[i]};
        for (int which = 0; which < 2; which++) {
            least[line[which]] = h3ou__lower(least[line[which]], angle[which]);
            most[line[which]] = h3ou__lower(most[line[which]], -angle[which]);
        }
    }
    int err = h3ou__agree_on_least(agree, least, 2 * lines);
    *aligned = true;
    for (int64_t k = 0; k < lines && !err; k++)
        *aligned &= isinf(least[k]) || least[k] == -most[k];
    free(least);
    return err;
}

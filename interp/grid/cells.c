/* SPDX-License-Identifier: BSD-3-Clause */
#include "interp/grid/cells.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "interp/sphere/angles.h"
#include "interp/sphere/polygon.h"
#include "interp/sphere/vector.h"

static const double SLACK = 1e-6; /* radians: the error of a pole's latitude in single precision */

static int fail_without_memory(const h3ou__cells *c)
{
    return h3ou__no_memory("the %" PRId64 " cells of %s", c->n, c->name);
}

static int put_nowhere(h3ou__cells *c, int64_t i)
{
    if (!c->nowhere && !(c->nowhere = calloc((size_t)c->n + 1, 1)))
        return fail_without_memory(c);
    c->nowhere[i] = 1;
    c->lon[i] = 0.0;
    c->lat[i] = -H3OU__PI / 2;
    return H3OU__OK;
}

int h3ou__cells_mask_bad(h3ou__cells *c, int64_t i, double lon, double lat, const char *why)
{
    h3ou__bad_cells *b = c->bad;
    if (!h3ou__grow(&b->cell, sizeof *b->cell, &b->room, b->n + 1))
        return fail_without_memory(c);
    c->mask[i] = 0;
    b->cell[b->n++] = (h3ou__bad_cell){h3ou__cell_id(c, i) + 1, lon * H3OU__DEGREES_PER_RADIAN,
                                       lat * H3OU__DEGREES_PER_RADIAN, why};
    return H3OU__OK;
}

static int check_centre(h3ou__cells *c, int64_t i)
{
    if (h3ou__is_place(c->lon[i], c->lat[i]))
        return H3OU__OK;
    if (c->mask[i] && c->bad) {
        int err = h3ou__cells_mask_bad(c, i, c->lon[i], c->lat[i], "a centre that is not on the sphere");
        if (err)
            return err;
    }
    if (!c->mask[i])
        return put_nowhere(c, i);
    return h3ou__fail(H3OU__EARG,
                      "%s: cell %" PRId64 ": centre at longitude %g, latitude %g degrees is not on the sphere", c->name,
                      i + 1, c->lon[i] * H3OU__DEGREES_PER_RADIAN, c->lat[i] * H3OU__DEGREES_PER_RADIAN);
}

static int set_centres(h3ou__cells *c, const double lon[], const double lat[])
{
    size_t room = (size_t)c->n + 1;
    if (!(c->lon = malloc(sizeof(double) * room)) || !(c->lat = malloc(sizeof(double) * room)))
        return fail_without_memory(c);
    memcpy(c->lon, lon, sizeof(double) * (size_t)c->n);
    memcpy(c->lat, lat, sizeof(double) * (size_t)c->n);
    int err = H3OU__OK;
    for (int64_t i = 0; i < c->n && !err; i++)
        err = check_centre(c, i);
    return err;
}

int h3ou__cells_create(const char *name, int64_t n, const double lon[], const double lat[], const int mask[],
                       h3ou__cells **out)
{
    return h3ou__cells_create_masking(name, n, lon, lat, mask, NULL, out);
}

int h3ou__cells_create_masking(const char *name, int64_t n, const double lon[], const double lat[], const int mask[],
                               h3ou__bad_cells *bad, h3ou__cells **out)
{
    h3ou__cells *c = calloc(1, sizeof *c);
    if (!c)
        return h3ou__no_memory("the cells of %s", name);
    snprintf(c->name, sizeof c->name, "%s", name);
    c->n = n;
    c->rank = 1;
    c->dims[0] = n;
    c->dims[1] = 1;
    c->edges = H3OU__EDGES_GREAT;
    c->bad = bad;
    int err = n > INT32_MAX ? h3ou__fail(H3OU__EARG, "%s: %" PRId64 " cells in one process: 2^31 - 1 at most", name, n)
                            : H3OU__OK;
    if (!err && !(c->mask = malloc((size_t)n + 1)))
        err = fail_without_memory(c);
    for (int64_t i = 0; i < n && !err; i++)
        c->mask[i] = !mask || mask[i] != 0;
    if (!err && lon && lat)
        err = set_centres(c, lon, lat);
    if (err) {
        h3ou__cells_free(c);
        return err;
    }
    *out = c;
    return H3OU__OK;
}

void h3ou__cells_free(h3ou__cells *c)
{
    if (!c)
        return;
    free(c->id);
    free(c->lon);
    free(c->lat);
    free(c->xyz);
    free(c->mask);
    free(c->nowhere);
    free(c->area);
    free(c->angle);
    free(c->first);
    free(c->corner);
    free(c->convex);
    free(c->lon_west);
    free(c->lon_east);
    free(c->lat_south);
    free(c->lat_north);
    free(c->box_trig);
    free(c->same_centre);
    free(c->same_polygon);
    free(c);
}

int h3ou__cells_number(h3ou__cells *c, const int64_t id[])
{
    if (!(c->id = malloc(sizeof *c->id * (size_t)(c->n + 1))))
        return fail_without_memory(c);
    for (int64_t i = 0; i < c->n; i++) {
        c->id[i] = id[i];
        if (id[i] < 0 || (i > 0 && id[i] <= id[i - 1]))
            return h3ou__fail(H3OU__EARG, "%s: global number %" PRId64 " does not ascend", c->name, id[i] + 1);
    }
    return H3OU__OK;
}

int64_t h3ou__cells_find_between(const h3ou__cells *c, int64_t id, int64_t first, int64_t end)
{
    if (!c->id)
        return id >= first && id < end ? id : -1;
    /* The numbers ascend, so that no more than id - id[first] of them stand before this one, and at least as many as in
     * a grid without gaps: where there are none, nothing is left to search. */
    int64_t n = end - first, before = n > 0 ? id - c->id[first] : -1, behind = n > 0 ? c->id[end - 1] - id : -1;
    if (before < 0 || behind < 0)
        return -1;
    int64_t low = behind < n ? end - 1 - behind : first, high = before < n ? first + before : end - 1;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (c->id[middle] < id)
            low = middle + 1;
        else
            high = middle;
    }
    return c->id[low] == id ? low : -1;
}

int64_t h3ou__cells_find(const h3ou__cells *c, int64_t id)
{
    return h3ou__cells_find_between(c, id, 0, c->n);
}

/* Another place for each cell, all of them deep inside the sphere, so that none is at or near the place of a cell. */
static void place_inside(int64_t i, double x[3])
{
    x[0] = (double)(i % 2048) / 8192.0;
    x[1] = (double)(i / 2048 % 2048) / 8192.0;
    x[2] = (double)(i / 4194304) / 8192.0;
}

int h3ou__cells_places(h3ou__cells *c)
{
    if (c->xyz)
        return H3OU__OK;
    if (!(c->xyz = malloc(3 * sizeof(double) * (size_t)(c->n + 1))))
        return fail_without_memory(c);
#pragma omp parallel for schedule(static)
    for (int64_t i = 0; i < c->n; i++)
        if (h3ou__cell_is_nowhere(c, i))
            place_inside(i, c->xyz + 3 * i);
        else
            h3ou__unit_vector(c->lon[i], c->lat[i], c->xyz + 3 * i);
    return H3OU__OK;
}

static void centre_by_corners(h3ou__cells *c, int64_t i)
{
    double m[3] = {0, 0, 0};
    for (int64_t k = c->first[i]; k < c->first[i + 1]; k++)
        for (int d = 0; d < 3; d++)
            m[d] += c->corner[3 * k + d];
    c->lon[i] = atan2(m[1], m[0]);
    c->lat[i] = atan2(m[2], hypot(m[0], m[1]));
}

int h3ou__cells_centre_by_corners(h3ou__cells *c)
{
    bool all = !c->lon;
    if (all &&
        (!(c->lon = calloc((size_t)c->n + 1, sizeof(double))) || !(c->lat = calloc((size_t)c->n + 1, sizeof(double)))))
        return fail_without_memory(c);
    for (int64_t i = 0; i < c->n; i++)
        if (all || (h3ou__cell_is_nowhere(c, i) && c->first[i + 1] > c->first[i])) {
            centre_by_corners(c, i);
            if (c->nowhere)
                c->nowhere[i] = 0;
        }
    return H3OU__OK;
}

static int check_bounds(const h3ou__cells *c, const char *what, int64_t n, const double bounds[], double least,
                        double most)
{
    for (int64_t i = 0; i < n; i++) {
        double width = fabs(bounds[2 * i + 1] - bounds[2 * i]);
        if (!isfinite(width) || !(width > 0) || width >= H3OU__PI - 1e-9)
            return h3ou__fail(H3OU__EARG,
                              "%s: %s %" PRId64 " has bounds %.9g and %.9g degrees: its width must lie "
                              "above 0 and below 180 degrees",
                              c->name, what, i + 1, bounds[2 * i] * H3OU__DEGREES_PER_RADIAN,
                              bounds[2 * i + 1] * H3OU__DEGREES_PER_RADIAN);
        for (int k = 0; k < 2; k++)
            if (bounds[2 * i + k] < least - SLACK || bounds[2 * i + k] > most + SLACK)
                return h3ou__fail(H3OU__EARG, "%s: %s %" PRId64 " has a bound of %.9g degrees: %.0f to %.0f are possible",
                                  c->name, what, i + 1, bounds[2 * i + k] * H3OU__DEGREES_PER_RADIAN,
                                  least * H3OU__DEGREES_PER_RADIAN, most * H3OU__DEGREES_PER_RADIAN);
    }
    return H3OU__OK;
}

static bool same_angle(double a, double b)
{
    return fabs(remainder(a - b, 2 * H3OU__PI)) < 1e-8;
}

/* How many of the last columns are the first ones again, one turn on, as the last of 0..360 inclusive. */
static int64_t count_overlap(int64_t nx, const double bounds[])
{
    int64_t first = nx / 2 + 1;
    while (first < nx && !(same_angle(bounds[2 * first], bounds[0]) && same_angle(bounds[2 * first + 1], bounds[1])))
        first++;
    for (int64_t x = first; x < nx; x++)
        for (int k = 0; k < 2; k++)
            if (!same_angle(bounds[2 * x + k], bounds[2 * (x - first) + k]))
                return 0;
    return nx - first;
}

static double at_most_pole(double lat)
{
    return fmin(H3OU__PI / 2, fmax(-H3OU__PI / 2, lat));
}

static void put_trig(double *to, int64_t n, const double angle[])
{
    for (int64_t i = 0; i < n; i++) {
        /* Exactly 0 at a pole, where cos(H3OU__PI / 2) is 6e-17 in floating point. */
        to[2 * i] = fabs(angle[i]) == H3OU__PI / 2 ? 0.0 : cos(angle[i]);
        to[2 * i + 1] = sin(angle[i]);
    }
}

static int fill_boxes(h3ou__cells *c, int64_t nx, int64_t ny, const double lon_bounds[], const double lat_bounds[])
{
    if (!(c->lon_west = malloc(sizeof(double) * (size_t)nx)) || !(c->lon_east = malloc(sizeof(double) * (size_t)nx)) ||
        !(c->lat_south = malloc(sizeof(double) * (size_t)ny)) ||
        !(c->lat_north = malloc(sizeof(double) * (size_t)ny)) ||
        !(c->box_trig = malloc(sizeof(double) * (size_t)(4 * nx + 4 * ny))))
        return fail_without_memory(c);
    for (int64_t x = 0; x < nx; x++) {
        c->lon_west[x] = fmin(lon_bounds[2 * x], lon_bounds[2 * x + 1]);
        c->lon_east[x] = fmax(lon_bounds[2 * x], lon_bounds[2 * x + 1]);
    }
    for (int64_t y = 0; y < ny; y++) {
        c->lat_south[y] = at_most_pole(fmin(lat_bounds[2 * y], lat_bounds[2 * y + 1]));
        c->lat_north[y] = at_most_pole(fmax(lat_bounds[2 * y], lat_bounds[2 * y + 1]));
    }
    put_trig(c->box_trig, nx, c->lon_west);
    put_trig(c->box_trig + 2 * nx, nx, c->lon_east);
    put_trig(c->box_trig + 4 * nx, ny, c->lat_south);
    put_trig(c->box_trig + 4 * nx + 2 * ny, ny, c->lat_north);
    return H3OU__OK;
}

/* The boxes as polygons, for edges that are great circles. */
static int boxes_to_polygons(h3ou__cells *c, int64_t nx, const double lon_bounds[], const double lat_bounds[])
{
    double *lon = malloc(4 * sizeof *lon * (size_t)(c->n + 1)), *lat = malloc(4 * sizeof *lat * (size_t)(c->n + 1));
    int err = lon && lat ? H3OU__OK : fail_without_memory(c);
    for (int64_t i = 0; i < c->n && !err; i++) {
        int64_t x = h3ou__cell_id(c, i) % nx, y = h3ou__cell_id(c, i) / nx;
        double west = fmin(lon_bounds[2 * x], lon_bounds[2 * x + 1]);
        double east = fmax(lon_bounds[2 * x], lon_bounds[2 * x + 1]);
        double south = at_most_pole(fmin(lat_bounds[2 * y], lat_bounds[2 * y + 1]));
        double north = at_most_pole(fmax(lat_bounds[2 * y], lat_bounds[2 * y + 1]));
        const double x4[4] = {west, east, east, west}, y4[4] = {south, south, north, north};
        memcpy(lon + 4 * i, x4, sizeof x4);
        memcpy(lat + 4 * i, y4, sizeof y4);
    }
    if (!err)
        err = h3ou__cells_set_corners(c, 4, lon, lat, NULL, H3OU__EDGES_GREAT);
    free(lon);
    free(lat);
    return err;
}

static int centre_boxes(h3ou__cells *c, int64_t nx, const double lon_bounds[], const double lat_bounds[])
{
    if (c->lon)
        return H3OU__OK;
    if (!(c->lon = malloc(sizeof(double) * (size_t)(c->n + 1))) ||
        !(c->lat = malloc(sizeof(double) * (size_t)(c->n + 1))))
        return fail_without_memory(c);
    for (int64_t i = 0; i < c->n; i++) {
        int64_t x = h3ou__cell_id(c, i) % nx, y = h3ou__cell_id(c, i) / nx;
        c->lon[i] = 0.5 * (lon_bounds[2 * x] + lon_bounds[2 * x + 1]);
        c->lat[i] = 0.5 * (lat_bounds[2 * y] + lat_bounds[2 * y + 1]);
    }
    return H3OU__OK;
}

int h3ou__cells_set_boxes(h3ou__cells *c, int64_t nx, int64_t ny, const double lon_bounds[], const double lat_bounds[],
                          int edges)
{
    int64_t last = c->n > 0 ? h3ou__cell_id(c, c->n - 1) : -1;
    if (nx < 1 || ny < 1 || last >= nx * ny || (!c->id && c->n != nx * ny))
        return h3ou__fail(H3OU__EARG, "%s: a regular grid of %" PRId64 " x %" PRId64 " cells has no cell %" PRId64,
                          c->name, nx, ny, last + 1);
    int err = check_bounds(c, "column", nx, lon_bounds, -4 * H3OU__PI, 6 * H3OU__PI);
    if (!err)
        err = check_bounds(c, "row", ny, lat_bounds, -H3OU__PI / 2, H3OU__PI / 2);
    if (!err)
        err = centre_boxes(c, nx, lon_bounds, lat_bounds);
    if (err)
        return err;
    c->rank = 2;
    c->dims[0] = nx;
    c->dims[1] = ny;
    double west = fmin(lon_bounds[0], lon_bounds[1]), east = fmax(lon_bounds[2 * nx - 2], lon_bounds[2 * nx - 1]);
    c->overlap = count_overlap(nx, lon_bounds);
    c->cyclic = c->overlap > 0 || fabs(remainder(east - west, 2 * H3OU__PI)) < 1e-8;
    if (edges == H3OU__EDGES_GREAT)
        return boxes_to_polygons(c, nx, lon_bounds, lat_bounds);
    c->edges = H3OU__EDGES_LATITUDE;
    return fill_boxes(c, nx, ny, lon_bounds, lat_bounds);
}

char *h3ou__cell_report_text(const h3ou__cell_report *r, char *text, int size)
{
    static const char *const fault[H3OU__CELL_FAULTS] = {
        "are clockwise and were turned", "repeat a corner, which was dropped",   "have no area or fewer than 3 corners",
        "have edges that cross",         "have a coordinate that is not finite", "have a corner beyond a pole"};
    int used = 0;
    text[0] = 0;
    for (int k = 0; k < H3OU__CELL_FAULTS && used < size; k++)
        if (r->count[k] > 0)
            used += snprintf(text + used, (size_t)(size - used), "%s%" PRId64 " cells %s (first: %" PRId64 ")",
                             used ? "; " : "", r->count[k], fault[k], r->first[k]);
    return text;
}

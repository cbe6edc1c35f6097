/* SPDX-License-Identifier: BSD-3-Clause */
#include "interp/grid/lonlat_corners.h"

#include <math.h>

#include "interp/sphere/angles.h"

static const double SAME = 1e-10, BEYOND = 1e-6; /* radians; a pole in single precision is not quite one */

int h3ou__corner_count(const h3ou__corner_lists *g, int64_t i)
{
    int n = g->count ? g->count[i] : g->most;
    if (g->node)
        for (n = 0; n < g->most && g->node[i * g->most + n] >= 0; n++)
            ;
    return n < 0 ? 0 : n > g->most ? g->most : n;
}

typedef struct place {
    double lon, lat;
} place;

static place corner_at(const h3ou__corner_lists *g, int64_t i, int k)
{
    int64_t at = i * g->most + k;
    if (g->node)
        at = g->node[at];
    return (place){g->lon[at], g->lat[at]};
}

static bool takes_part(const h3ou__corner_lists *g, int64_t i)
{
    return !g->mask || g->mask[i];
}

static bool is_pole(place p)
{
    return fabs(p.lat) > H3OU__PI / 2 - SAME;
}

static bool same_lon(double a, double b)
{
    return fabs(remainder(a - b, 2 * H3OU__PI)) < SAME;
}

static bool same_lat(double a, double b)
{
    return fabs(a - b) < SAME;
}

/* False too for coordinates that are not finite. */
static bool edge_follows(place a, place b)
{
    return same_lat(a.lat, b.lat) || same_lon(a.lon, b.lon) ||
           ((is_pole(a) || is_pole(b)) && isfinite(a.lat) && isfinite(b.lat));
}

bool h3ou__corners_follow(const h3ou__corner_lists *g, int64_t i)
{
    int n = h3ou__corner_count(g, i);
    for (int k = 0; k < n; k++)
        if (!edge_follows(corner_at(g, i, k), corner_at(g, i, k + 1 < n ? k + 1 : 0)))
            return false;
    return n > 2;
}

bool h3ou__corners_follow_latitudes(const h3ou__corner_lists *g)
{
    for (int64_t i = 0; i < g->n; i++)
        if (takes_part(g, i) && !h3ou__corners_follow(g, i))
            return false;
    return true;
}

typedef struct box {
    double west, east, south, north; /* as given; only east may be one turn more, so that it is beyond west */
} box;

/* The meridians and parallels around all corners. */
static bool enclose_corners(const h3ou__corner_lists *g, int64_t i, int n, box *b)
{
    bool has_lon = false;
    double from = 0.0, least = 0.0, most = 0.0;
    for (int k = 0; k < n; k++) {
        place p = corner_at(g, i, k);
        b->south = k > 0 ? fmin(b->south, p.lat) : p.lat;
        b->north = k > 0 ? fmax(b->north, p.lat) : p.lat;
        if (is_pole(p))
            continue;
        from = has_lon ? from : p.lon;
        double step = remainder(p.lon - from, 2 * H3OU__PI);
        b->west = !has_lon || step < least ? p.lon : b->west;
        b->east = !has_lon || step > most ? p.lon : b->east;
        least = fmin(least, step);
        most = fmax(most, step);
        has_lon = true;
    }
    b->east += b->east < b->west ? 2 * H3OU__PI : 0.0;
    double width = b->east - b->west;
    return has_lon && width > SAME && width < 0.999 * H3OU__PI && b->north - b->south > SAME;
}

/* Is the cell all that lies between two meridians and two parallels? */
static bool find_box(const h3ou__corner_lists *g, int64_t i, box *b)
{
    int n = h3ou__corner_count(g, i), seen = 0;
    if (!h3ou__corners_follow(g, i) || !enclose_corners(g, i, n, b))
        return false;
    for (int k = 0; k < n; k++) {
        place p = corner_at(g, i, k);
        bool west = same_lon(p.lon, b->west), east = same_lon(p.lon, b->east);
        bool south = same_lat(p.lat, b->south), north = same_lat(p.lat, b->north);
        if (!(south || north) || !(west || east || is_pole(p)))
            return false;
        seen |= is_pole(p) ? (south ? 3 : 12) : 1 << (2 * north + east);
    }
    return seen == 15;
}

int64_t h3ou__corners_row_length(const h3ou__corner_lists *g)
{
    bool has_first = false;
    box first, b;
    for (int64_t i = 0; i < g->n; i++) {
        if (!find_box(g, i, &b)) {
            if (takes_part(g, i))
                return 0;
            continue;
        }
        if (has_first && !(same_lat(b.south, first.south) && same_lat(b.north, first.north)))
            return g->n % i == 0 ? i : 0;
        first = has_first ? first : b;
        has_first = true;
    }
    return 0;
}

/* Keeps the first pair of values of an axis; compares further ones to it. */
static bool keep_bounds(double bounds[2], double low, double high, bool (*same)(double, double))
{
    if (!isnan(bounds[0]))
        return same(bounds[0], low) && same(bounds[1], high);
    bounds[0] = low;
    bounds[1] = high;
    return true;
}

/* The bounds that cells with this mask say; false: they contradict each other. Corners of masked cells may be anything,
 * so these only say what no other cell has said. */
static bool gather_bounds(const h3ou__corner_lists *g, int64_t nx, bool unmasked, double lon_bounds[],
                          double lat_bounds[])
{
    for (int64_t i = 0; i < g->n; i++) {
        double *lon = lon_bounds + 2 * (i % nx), *lat = lat_bounds + 2 * (i / nx);
        box b;
        if (takes_part(g, i) != unmasked || (!unmasked && !isnan(lon[0]) && !isnan(lat[0])))
            continue;
        bool fits = find_box(g, i, &b) && keep_bounds(lon, b.west, b.east, same_lon) &&
                    keep_bounds(lat, b.south, b.north, same_lat);
        if (!fits && unmasked)
            return false;
    }
    return true;
}

static bool are_complete(const double bounds[], int64_t n, double least, double most)
{
    for (int64_t i = 0; i < 2 * n; i++)
        if (!(bounds[i] >= least && bounds[i] <= most))
            return false;
    return true;
}

bool h3ou__corners_are_regular(const h3ou__corner_lists *g, int64_t nx, int64_t ny, double lon_bounds[],
                               double lat_bounds[])
{
    if (nx < 1 || ny < 1 || g->n != nx * ny || g->most < 3)
        return false;
    for (int64_t k = 0; k < 2 * nx; k++)
        lon_bounds[k] = NAN;
    for (int64_t k = 0; k < 2 * ny; k++)
        lat_bounds[k] = NAN;
    if (!gather_bounds(g, nx, true, lon_bounds, lat_bounds))
        return false;
    gather_bounds(g, nx, false, lon_bounds, lat_bounds);
    return are_complete(lon_bounds, nx, -4 * H3OU__PI, 6 * H3OU__PI) &&
           are_complete(lat_bounds, ny, -H3OU__PI / 2 - BEYOND, H3OU__PI / 2 + BEYOND);
}

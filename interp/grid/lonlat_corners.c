/* SPDX-License-Identifier: BSD-3-Clause */
#include "interp/grid/lonlat_corners.h"

static const double SAME = H3OU__SAME_ANGLE;

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

static bool edge_follows(place a, place b)
{
    return h3ou__same_lat(a.lat, b.lat) || h3ou__same_lon(a.lon, b.lon) || is_pole(a) || is_pole(b);
}

/* Masked cells may have corners that are no numbers; comparing these would raise an exception in a model that traps. */
static bool is_finite(const h3ou__corner_lists *g, int64_t i, int n)
{
    for (int k = 0; k < n; k++) {
        place p = corner_at(g, i, k);
        if (!isfinite(p.lon) || !isfinite(p.lat))
            return false;
    }
    return true;
}

bool h3ou__corners_follow(const h3ou__corner_lists *g, int64_t i)
{
    int n = h3ou__corner_count(g, i);
    if (!is_finite(g, i, n))
        return false;
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

/* The meridians and parallels around all corners. */
static bool enclose_corners(const h3ou__corner_lists *g, int64_t i, int n, h3ou__lonlat_box *b)
{
    bool has_lon = false;
    double from = 0.0, least = 0.0, most = 0.0;
    for (int k = 0; k < n; k++) {
        place p = corner_at(g, i, k);
        b->south = k > 0 ? h3ou__lower(b->south, p.lat) : p.lat;
        b->north = k > 0 ? h3ou__higher(b->north, p.lat) : p.lat;
        if (is_pole(p))
            continue;
        from = has_lon ? from : p.lon;
        double step = h3ou__less_turns(p.lon - from);
        b->west = !has_lon || step < least ? p.lon : b->west;
        b->east = !has_lon || step > most ? p.lon : b->east;
        least = h3ou__lower(least, step);
        most = h3ou__higher(most, step);
        has_lon = true;
    }
    b->east += b->east < b->west ? 2 * H3OU__PI : 0.0;
    double width = b->east - b->west;
    return has_lon && width > SAME && width < 0.999 * H3OU__PI && b->north - b->south > SAME;
}

bool h3ou__corners_box(const h3ou__corner_lists *g, int64_t i, h3ou__lonlat_box *b)
{
    int n = h3ou__corner_count(g, i), seen = 0;
    if (!h3ou__corners_follow(g, i) || !enclose_corners(g, i, n, b))
        return false;
    for (int k = 0; k < n; k++) {
        place p = corner_at(g, i, k);
        bool west = h3ou__same_lon(p.lon, b->west), east = h3ou__same_lon(p.lon, b->east);
        bool south = h3ou__same_lat(p.lat, b->south), north = h3ou__same_lat(p.lat, b->north);
        if (!(south || north) || !(west || east || is_pole(p)))
            return false;
        seen |= is_pole(p) ? (south ? 3 : 12) : 1 << (2 * north + east);
    }
    return seen == 15;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/grid/grid_geometry.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "coupler/cells/quiet_copy.h"
#include "interp/grid/lonlat_corners.h"
#include "interp/sphere/angles.h"
#include "interp/sphere/polygon.h"

void h3ou__geometry_free(h3ou__geometry *g)
{
    free(g->lon);
    free(g->lat);
    free(g->corner_lon);
    free(g->corner_lat);
    free(g->mask);
    free(g->area);
    free(g->angle);
    memset(g, 0, sizeof *g);
}

static int scale_of(const char *call, const char *grid, const char *units, double *scale)
{
    if (!strcmp(units, "degrees"))
        *scale = H3OU__RADIANS_PER_DEGREE;
    else if (!strcmp(units, "radians"))
        *scale = 1.0;
    else
        return h3ou__fail(H3OU__EARG, "%s: grid %s: units are 'degrees' or 'radians', not '%.40s'", call, grid, units);
    return H3OU__OK;
}

static int fail_given_twice(const char *call, const char *grid, const char *what)
{
    return h3ou__fail(H3OU__ESTATE, "%s: %s of grid %s are given twice", call, what, grid);
}

/* Returns a scaled copy, or fails and returns NULL. */
static double *copy_scaled(const char *grid, int64_t n, const double from[], double scale)
{
    double *to = malloc(sizeof *to * (size_t)(n + 1));
    if (!to)
        h3ou__fail(H3OU__ENOMEM, "grid %s: out of memory for its coordinates", grid);
    if (to)
        h3ou__quiet_copy(n, from, to);
    for (int64_t i = 0; to && i < n; i++)
        to[i] *= scale;
    return to;
}

int h3ou__geometry_centres(h3ou__geometry *g, const char *grid, int64_t n, const int64_t index[], const double lon[],
                           const double lat[], const char *units)
{
    const char *call = "h3ou_grid_centres";
    double scale = 1.0;
    if (g->lon)
        return fail_given_twice(call, grid, "centres");
    int err = scale_of(call, grid, units, &scale);
    if (err)
        return err;
    for (int64_t i = 0; i < n; i++)
        if (!h3ou__is_place(lon[i] * scale, lat[i] * scale) && (!g->mask || g->mask[i]))
            return h3ou__fail(H3OU__EARG,
                              "%s: grid %s, cell %" PRId64 ": longitude %g, latitude %g %s is not on the sphere%s",
                              call, grid, index[i], lon[i], lat[i], units,
                              isfinite(lon[i]) && fabs(lat[i]) <= 90.0 ? ": are these degrees?" : "");
    g->in_degrees = scale != 1.0;
    g->lon = copy_scaled(grid, n, lon, scale);
    g->lat = copy_scaled(grid, n, lat, scale);
    for (int64_t i = 0; i < n && g->lon && g->lat; i++)
        if (!h3ou__is_place(g->lon[i], g->lat[i]))
            g->lon[i] = g->lat[i] = NAN; /* quiet: an infinite angle's cosine would raise an exception */
    return g->lon && g->lat ? H3OU__OK : H3OU__ENOMEM;
}

int h3ou__geometry_corners(h3ou__geometry *g, const char *grid, int64_t n, int most, const double lon[],
                           const double lat[], const char *units)
{
    const char *call = "h3ou_grid_corners";
    double scale = 1.0;
    if (g->corner_lon)
        return fail_given_twice(call, grid, "corners");
    if (most < 3 || most > H3OU__POLYGON_MOST)
        return h3ou__fail(H3OU__EARG, "%s: grid %s: cells have 3 to %d corners, not %d", call, grid, H3OU__POLYGON_MOST,
                          most);
    int err = scale_of(call, grid, units, &scale);
    if (err)
        return err;
    g->most = most;
    if (!g->lon)
        g->in_degrees = scale != 1.0;
    g->corner_lon = copy_scaled(grid, n * most, lon, scale);
    g->corner_lat = copy_scaled(grid, n * most, lat, scale);
    return g->corner_lon && g->corner_lat ? H3OU__OK : H3OU__ENOMEM;
}

int h3ou__geometry_mask(h3ou__geometry *g, const char *grid, int64_t n, const int mask[])
{
    if (g->mask)
        return fail_given_twice("h3ou_grid_mask", grid, "mask values");
    if (!(g->mask = malloc(sizeof *g->mask * (size_t)(n + 1))))
        return h3ou__fail(H3OU__ENOMEM, "grid %s: out of memory for its mask", grid);
    if (n)
        memcpy(g->mask, mask, sizeof *mask * (size_t)n);
    return H3OU__OK;
}

static bool is_area(double area)
{
    return isfinite(area) && area > 0.0;
}

int h3ou__geometry_area(h3ou__geometry *g, const char *grid, int64_t n, const int64_t index[], const double area[])
{
    if (g->area)
        return fail_given_twice("h3ou_grid_area", grid, "areas");
    for (int64_t i = 0; i < n; i++)
        if (!is_area(area[i]) && (!g->mask || g->mask[i]))
            return h3ou__fail(H3OU__EARG, "h3ou_grid_area: grid %s, cell %" PRId64
                              ": an area of %g steradians, which must be a number above 0",
                              grid, index[i], area[i]);
    g->area = copy_scaled(grid, n, area, 1.0);
    for (int64_t i = 0; g->area && i < n; i++)
        if (!is_area(g->area[i])) /* of a masked cell */
            g->area[i] = 0.0;
    return g->area ? H3OU__OK : H3OU__ENOMEM;
}

int h3ou__geometry_angle(h3ou__geometry *g, const char *grid, int64_t n, const double angle[], const char *units)
{
    double scale = 1.0;
    if (g->angle)
        return fail_given_twice("h3ou_grid_angle", grid, "angles");
    int err = scale_of("h3ou_grid_angle", grid, units, &scale);
    if (err)
        return err;
    g->angle_in_degrees = scale != 1.0;
    g->angle = copy_scaled(grid, n, angle, scale);
    return g->angle ? H3OU__OK : H3OU__ENOMEM;
}

int h3ou__geometry_shape(h3ou__geometry *g, const char *grid, int nx, int ny, bool cyclic, bool fold)
{
    if (g->nx)
        return fail_given_twice("h3ou_grid_shape", grid, "sizes");
    if (nx < 1 || ny < 1)
        return h3ou__fail(H3OU__EARG, "h3ou_grid_shape: grid %s: a shape of %d x %d cells: both numbers must be 1 or more",
                          grid, nx, ny);
    g->nx = nx;
    g->ny = ny;
    g->cyclic = cyclic;
    g->fold = fold;
    return H3OU__OK;
}

int h3ou__geometry_edges(h3ou__geometry *g, const char *grid, const char *edges)
{
    if (!strcmp(edges, "latitude"))
        g->edges = H3OU__EDGES_LATITUDE;
    else if (!strcmp(edges, "great_circle"))
        g->edges = H3OU__EDGES_GREAT;
    else
        return h3ou__fail(H3OU__EARG, "h3ou_grid_edges: grid %s: edges are 'great_circle' or 'latitude', not '%.40s'",
                          grid, edges);
    return H3OU__OK;
}

bool h3ou__geometry_is_boxes(const h3ou__geometry *g, int64_t n)
{
    if (n > 0 && !g->corner_lon)
        return false;
    for (int64_t i = 0; i < n; i++) {
        const h3ou__corner_lists cell = {
            .n = 1, .most = g->most, .lon = g->corner_lon + i * g->most, .lat = g->corner_lat + i * g->most};
        if ((!g->mask || g->mask[i]) && !h3ou__corners_follow_latitudes(&cell))
            return false;
    }
    return true;
}

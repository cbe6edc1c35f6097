/* SPDX-License-Identifier: BSD-3-Clause */
#include "interp/file/bounds/side_corners.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/grow.h"
#include "interp/sphere/angles.h"

static int corner_room(const h3ou__cells *c)
{
    int most = 4;
    for (int64_t i = 0; c->first && i < c->n; i++)
        most = c->first[i + 1] - c->first[i] > most ? (int)(c->first[i + 1] - c->first[i]) : most;
    return most;
}

static void put_corner(const h3ou__cells *c, int64_t i, double lon, double lat, double to[2])
{
    double turn = 2 * H3OU__PI * round((lon - c->lon[i]) / (2 * H3OU__PI));
    to[0] = (lon - turn) * H3OU__DEGREES_PER_RADIAN;
    to[1] = lat * H3OU__DEGREES_PER_RADIAN;
}

/* Corner k of cell i as longitude and latitude. */
static void find_corner(const h3ou__cells *c, int64_t i, int k, double to[2])
{
    int64_t id = h3ou__cell_id(c, i), n = c->first ? c->first[i + 1] - c->first[i] : 0;
    if (c->lon_west) {
        int64_t x = id % c->dims[0], y = id / c->dims[0];
        put_corner(c, i, k == 0 || k > 2 ? c->lon_west[x] : c->lon_east[x], k < 2 ? c->lat_south[y] : c->lat_north[y],
                   to);
    } else if (n > 0) {
        const double *p = c->corner + 3 * (c->first[i] + (k < n ? k : n - 1));
        double level = hypot(p[0], p[1]);
        put_corner(c, i, level > 0.0 ? atan2(p[1], p[0]) : c->lon[i], atan2(p[2], level), to);
    } else
        put_corner(c, i, c->lon[i], c->lat[i], to);
}

int h3ou__side_corners_make(const h3ou__cells *c, h3ou__side_corners *out)
{
    int most = corner_room(c);
    size_t all = (size_t)c->n * (size_t)most + 1;
    *out = (h3ou__side_corners){c->n, most, malloc(sizeof(double) * all), malloc(sizeof(double) * all)};
    if (!out->lon || !out->lat) {
        h3ou__side_corners_free(out);
        return h3ou__no_memory("the corners of %s", c->name);
    }
#pragma omp parallel for schedule(static)
    for (int64_t i = 0; i < c->n; i++)
        for (int k = 0; k < most; k++) {
            double place[2];
            find_corner(c, i, k, place);
            out->lon[i * most + k] = place[0];
            out->lat[i * most + k] = place[1];
        }
    return H3OU__OK;
}

/* Two variables (cells, corners), to degrees. */
static int read_pair(const h3ou__nc *r, const char *lon, const char *lat, int64_t n, h3ou__side_corners *out)
{
    h3ou__nc_var x, y;
    int err = h3ou__nc_need(r, lon, 0, &x);
    if (!err)
        err = h3ou__nc_need(r, lat, x.all, &y);
    if (!err && (x.rank != 2 || y.rank != 2 || x.size[0] != (size_t)n || y.size[0] != (size_t)n || x.size[1] > 100000))
        err = h3ou__nc_bad(r, lon, "must have the dimensions (cells, corners)");
    if (!err)
        err = h3ou__nc_angles(r, &x, NULL, &out->lon);
    if (!err)
        err = h3ou__nc_angles(r, &y, NULL, &out->lat);
    if (err)
        return err;
    *out = (h3ou__side_corners){n, (int)x.size[1], out->lon, out->lat};
    for (size_t i = 0; i < x.all; i++) {
        out->lon[i] *= H3OU__DEGREES_PER_RADIAN;
        out->lat[i] *= H3OU__DEGREES_PER_RADIAN;
    }
    return H3OU__OK;
}

int h3ou__side_corners_read(const char *file, int64_t n, h3ou__side_corners *out)
{
    static const char *const names[][2] = {{"dst_grid_corner_lon", "dst_grid_corner_lat"}, {"xv_b", "yv_b"}};
    h3ou__nc r;
    *out = (h3ou__side_corners){0};
    int err = h3ou__nc_open(file, &r);
    if (err)
        return err;
    for (int k = 0; k < 2 && !err && !out->lon; k++)
        if (h3ou__nc_has(&r, names[k][0]) && h3ou__nc_has(&r, names[k][1]))
            err = read_pair(&r, names[k][0], names[k][1], n, out);
    if (err)
        h3ou__side_corners_free(out);
    h3ou__nc_close(&r);
    return err;
}

void h3ou__side_corners_free(h3ou__side_corners *s)
{
    free(s->lon);
    free(s->lat);
    *s = (h3ou__side_corners){0};
}

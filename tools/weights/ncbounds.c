/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/weights/ncbounds.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/grow.h"
#include "interp/grid/lonlat_corners.h"

static const double degree = M_PI / 180.0;

static void scale_angles(double value[], int64_t n, double factor)
{
    for (int64_t i = 0; i < n; i++)
        value[i] *= factor;
}

static int axes_of(h3ou__side_corners *corners, int64_t nx, int64_t ny, ncbounds *out)
{
    double *lon = malloc(2 * sizeof *lon * (size_t)nx), *lat = malloc(2 * sizeof *lat * (size_t)ny);
    int64_t all = corners->n * corners->most;
    if (!lon || !lat) {
        free(lon);
        free(lat);
        return h3ou__no_memory("the bounds of the target");
    }
    scale_angles(corners->lon, all, degree);
    scale_angles(corners->lat, all, degree);
    const h3ou__corner_lists lists = {.n = corners->n, .most = corners->most, .lon = corners->lon, .lat = corners->lat};
    bool regular = h3ou__corners_are_regular(&lists, nx, ny, lon, lat);
    *out = (ncbounds){regular ? 2 : 0, lon, lat};
    if (regular) {
        scale_angles(lon, 2 * nx, 1.0 / degree);
        scale_angles(lat, 2 * ny, 1.0 / degree);
    }
    return H3OU__OK;
}

/* In grids of points every cell's corners are its centre. */
static bool are_points(const h3ou__side_corners *c)
{
    for (int64_t i = 0; i < c->n; i++)
        for (int k = 1; k < c->most; k++)
            if (c->lon[i * c->most + k] != c->lon[i * c->most] || c->lat[i * c->most + k] != c->lat[i * c->most])
                return false;
    return true;
}

int ncbounds_create(h3ou__side_corners *corners, int64_t nx, int64_t ny, ncbounds *out)
{
    int err = H3OU__OK;
    *out = (ncbounds){0};
    if (!corners->lon || are_points(corners))
        return H3OU__OK;
    if (nx > 0)
        err = axes_of(corners, nx, ny, out);
    else {
        *out = (ncbounds){corners->most, corners->lon, corners->lat};
        corners->lon = corners->lat = NULL;
    }
    return err;
}

void ncbounds_free(ncbounds *b)
{
    free(b->lon);
    free(b->lat);
    *b = (ncbounds){0};
}

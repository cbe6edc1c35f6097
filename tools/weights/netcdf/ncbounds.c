/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/weights/netcdf/ncbounds.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/grow.h"
#include "interp/rows/regular_grid.h"

static const double degree = M_PI / 180.0;

static void scale_angles(double value[], int64_t n, double factor)
{
    for (int64_t i = 0; i < n; i++)
        value[i] *= factor;
}

static int axes_of(h3ou__side_corners *corners, int64_t nx, int64_t ny, ncbounds *out)
{
    h3ou__regular_grid boxes;
    int64_t all = corners->n * corners->most;
    scale_angles(corners->lon, all, degree);
    scale_angles(corners->lat, all, degree);
    const h3ou__corner_lists lists = {.n = corners->n, .most = corners->most, .lon = corners->lon, .lat = corners->lat};
    int err = h3ou__regular_grid_find(&lists, nx, ny, corners->n, NULL, &boxes);
    if (err)
        return err;
    *out = (ncbounds){boxes.nx > 0 ? 2 : 0, boxes.lon_bounds, boxes.lat_bounds};
    if (boxes.nx > 0) {
        scale_angles(out->lon, 2 * nx, 1.0 / degree);
        scale_angles(out->lat, 2 * ny, 1.0 / degree);
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

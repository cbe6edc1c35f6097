/* SPDX-License-Identifier: BSD-3-Clause */
#include "interp/cells.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

static const double PI = 3.14159265358979323846, SLACK = 1e-6; /* radians: what single precision does to a pole */

static int check_centre(const h3ou__cells *c, int64_t i)
{
    if (isfinite(c->lon[i]) && isfinite(c->lat[i]) && fabs(c->lat[i]) <= PI / 2 + SLACK)
        return H3OU__OK;
    return h3ou__fail(H3OU__EARG,
                      "%s: cell %" PRId64 ": centre at longitude %g, latitude %g degrees is not on the sphere", c->name,
                      i + 1, c->lon[i] * 180 / PI, c->lat[i] * 180 / PI);
}

int h3ou__cells_create(const char *name, int64_t n, const double lon[], const double lat[], const int mask[],
                       h3ou__cells **out)
{
    h3ou__cells *c = calloc(1, sizeof *c);
    size_t room = (size_t)n + 1;
    if (!c || !(c->lon = malloc(sizeof(double) * room)) || !(c->lat = malloc(sizeof(double) * room)) ||
        !(c->xyz = malloc(3 * sizeof(double) * room)) || !(c->mask = malloc(room))) {
        h3ou__cells_free(c);
        return h3ou__fail(H3OU__ENOMEM, "%s: out of memory for %" PRId64 " cells", name, n);
    }
    snprintf(c->name, sizeof c->name, "%s", name);
    c->n = n;
    c->rank = 1;
    c->dims[0] = n;
    c->dims[1] = 1;
    for (int64_t i = 0; i < n; i++) {
        c->lon[i] = lon[i];
        c->lat[i] = lat[i];
        c->mask[i] = !mask || mask[i] != 0;
        int err = check_centre(c, i);
        if (err) {
            h3ou__cells_free(c);
            return err;
        }
        c->xyz[3 * i] = cos(lat[i]) * cos(lon[i]);
        c->xyz[3 * i + 1] = cos(lat[i]) * sin(lon[i]);
        c->xyz[3 * i + 2] = sin(lat[i]);
    }
    *out = c;
    return H3OU__OK;
}

void h3ou__cells_free(h3ou__cells *c)
{
    if (!c)
        return;
    free(c->lon);
    free(c->lat);
    free(c->xyz);
    free(c->mask);
    free(c);
}

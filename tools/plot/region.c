/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/plot/region.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/compare.h"

static const double degree = M_PI / 180.0;

/* Finds west and east: the box begins after the widest gap between neighbouring longitudes. */
static void find_west_east(double lon[], int64_t n, region *r)
{
    qsort(lon, (size_t)n, sizeof *lon, h3ou__compare_double);
    double widest = lon[0] + 360.0 - lon[n - 1];
    r->west = lon[0];
    r->east = lon[n - 1];
    for (int64_t i = 1; i < n; i++)
        if (lon[i] - lon[i - 1] > widest) {
            widest = lon[i] - lon[i - 1];
            r->west = lon[i];
            r->east = lon[i - 1] + 360.0;
        }
}

region region_find(const h3ou__cells *c, bool (*is)(const void *user, int64_t cell), const void *user)
{
    region r = {.west = -180.0, .east = 180.0, .south = 90.0, .north = -90.0};
    double *lon = malloc(sizeof *lon * (size_t)(c->n + 1));
    for (int64_t i = 0; i < c->n; i++) {
        if (!is(user, i))
            continue;
        double a = remainder(c->lon[i] / degree, 360.0);
        if (lon)
            lon[r.n] = a >= 180.0 ? a - 360.0 : a;
        r.n++;
        r.south = fmin(r.south, c->lat[i] / degree);
        r.north = fmax(r.north, c->lat[i] / degree);
    }
    if (lon && r.n > 0)
        find_west_east(lon, r.n, &r);
    free(lon);
    return r;
}

char *region_angle(double angle, const char kind[2], char text[], int size)
{
    angle = kind[0] == 'W' ? remainder(angle, 360.0) : angle;
    double a = round(fabs(angle) * 100.0) / 100.0;
    if (a == 0.0 || (a == 180.0 && kind[0] == 'W'))
        snprintf(text, (size_t)size, "%g", a);
    else
        snprintf(text, (size_t)size, "%g%c", a, angle < 0.0 ? kind[0] : kind[1]);
    return text;
}

char *region_text(const region *r, char text[], int size)
{
    char west[24], east[24], south[24], north[24];
    if (r->east - r->west > 300.0) {
        snprintf(text, (size_t)size, "%s to %s at all longitudes", region_angle(r->south, "SN", south, sizeof south),
                 region_angle(r->north, "SN", north, sizeof north));
        return text;
    }
    snprintf(text, (size_t)size, "%s to %s, %s to %s", region_angle(r->west, "WE", west, sizeof west),
             region_angle(r->east, "WE", east, sizeof east), region_angle(r->south, "SN", south, sizeof south),
             region_angle(r->north, "SN", north, sizeof north));
    return text;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "interp/sphere/tangent_frame.h"

#include <math.h>
#include <string.h>

#include "interp/sphere/vector.h"

void h3ou__tangent_frame_at(const double place[3], h3ou__tangent_frame *out)
{
    double level = hypot(place[0], place[1]);
    memcpy(out->up, place, sizeof out->up);
    out->east[0] = level > 0.0 ? -place[1] / level : 0.0;
    out->east[1] = level > 0.0 ? place[0] / level : 1.0;
    out->east[2] = 0.0;
    h3ou__cross(out->up, out->east, out->north);
}

void h3ou__tangent_frame_towards(const double vector[3], h3ou__tangent_frame *out)
{
    h3ou__tangent_frame_at(vector, out);
    h3ou__normalise(out->north);
    h3ou__normalise(out->up);
}

void h3ou__tangent_frame_lon_lat(double lon, double lat, h3ou__tangent_frame *out)
{
    const double east[3] = {-sin(lon), cos(lon), 0.0};
    const double north[3] = {-sin(lat) * cos(lon), -sin(lat) * sin(lon), cos(lat)};
    memcpy(out->east, east, sizeof east);
    memcpy(out->north, north, sizeof north);
    h3ou__cross(out->east, out->north, out->up);
}

bool h3ou__tangent_frame_image(const h3ou__tangent_frame *f, const double x[3], double out[2])
{
    double high = h3ou__dot(f->up, x);
    if (!(high > 0.05))
        return false;
    out[0] = h3ou__dot(f->east, x) / high;
    out[1] = h3ou__dot(f->north, x) / high;
    return true;
}

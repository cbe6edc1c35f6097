/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/grid/vector_frames.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "interp/sphere/tangent_frame.h"

static void frame_at(double lon, double lat, double angle, h3ou__vector_frame *f)
{
    double c = cos(angle), s = sin(angle);
    h3ou__tangent_frame local;
    h3ou__tangent_frame_lon_lat(lon, lat, &local);
    f->sine = angle == 0.0 ? sin(lat) : NAN;
    if (angle == 0.0) { /* the products below would change the signs of zeros */
        memcpy(f->first, local.east, sizeof f->first);
        memcpy(f->second, local.north, sizeof f->second);
        return;
    }
    for (int k = 0; k < 3; k++) {
        f->first[k] = c * local.east[k] + s * local.north[k];
        f->second[k] = c * local.north[k] - s * local.east[k];
    }
}

bool h3ou__vector_frames_point_east(int64_t n, const h3ou__vector_frame frame[])
{
    for (int64_t i = 0; i < n; i++) {
        const h3ou__vector_frame *f = &frame[i];
        const double first[3] = {f->first[0], f->first[1], 0.0},
                     second[2] = {-(f->sine * f->first[1]), f->sine * f->first[0]};
        if (memcmp(first, f->first, sizeof first) != 0 || memcmp(second, f->second, sizeof second) != 0)
            return false;
    }
    return true;
}

int h3ou__vector_frames_create(const h3ou__grid *g, h3ou__vector_frame **out)
{
    const h3ou__geometry *m = &g->geometry;
    if (g->n > 0 && !m->lon && !g->cells)
        return h3ou__fail(H3OU__EARG,
                          "grid %s has no centres, which are needed to turn vectors into its directions: give lon and lat to "
                          "h3ou_grid_centres, or coef_cos and coef_sin to h3ou_table_set_rotated",
                          g->name);
    h3ou__vector_frame *frame = malloc(sizeof *frame * (size_t)(g->n + 1));
    if (!frame)
        return h3ou__fail(H3OU__ENOMEM, "grid %s: out of memory for the frames of its cells", g->name);
    for (int64_t k = 0; k < g->n; k++) {
        int64_t i = m->lon ? k : g->order[k]; /* centres that the library made from corners stand in another order */
        double lon = m->lon ? m->lon[k] : g->cells->lon[k], lat = m->lon ? m->lat[k] : g->cells->lat[k];
        double angle = m->angle ? m->angle[i] : 0.0;
        /* A masked cell may have an infinite angle, whose cosine would raise a floating-point exception. */
        frame_at(lon, lat, isfinite(angle) ? angle : NAN, &frame[i]);
    }
    *out = frame;
    return H3OU__OK;
}

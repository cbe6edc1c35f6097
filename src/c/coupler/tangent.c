/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/tangent.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"

int h3ou__frames_create(const h3ou__grid *g, h3ou__frame **out)
{
    const h3ou__geometry *m = &g->geometry;
    if (g->n > 0 && !m->lon)
        return h3ou__fail(H3OU__EARG,
                          "grid %s has no centres, between whose local frames vectors are turned: give lon and lat to "
                          "h3ou_def_grid (h3ou_grid_centres), or coef_cos and coef_sin to h3ou_set_interpolation_table",
                          g->name);
    h3ou__frame *frame = malloc(sizeof *frame * (size_t)(g->n + 1));
    if (!frame)
        return h3ou__fail(H3OU__ENOMEM, "grid %s: out of memory for the frames of its cells", g->name);
    for (int64_t i = 0; i < g->n; i++) {
        double angle = m->angle ? m->angle[i] : 0.0, c = cos(angle), s = sin(angle);
        double east[3] = {-sin(m->lon[i]), cos(m->lon[i]), 0.0};
        double north[3] = {-sin(m->lat[i]) * cos(m->lon[i]), -sin(m->lat[i]) * sin(m->lon[i]), cos(m->lat[i])};
        for (int k = 0; k < 3; k++) {
            frame[i].first[k] = c * east[k] + s * north[k];
            frame[i].second[k] = c * north[k] - s * east[k];
        }
    }
    *out = frame;
    return H3OU__OK;
}

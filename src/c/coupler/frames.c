/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/frames.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"

int h3ou__frames_make(const h3ou__grid *g, double **frame)
{
    const h3ou__geometry *m = &g->geometry;
    if (!m->lon && !g->cells)
        return h3ou__fail(
            H3OU__EARG,
            "grid %s has no coordinates, which vectors need: give lon and lat to h3ou_def_grid, or coef_cos "
            "and coef_sin to h3ou_set_interpolation_table",
            g->name);
    if (!(*frame = malloc(6 * sizeof **frame * (size_t)(g->n + 1))))
        return h3ou__fail(H3OU__ENOMEM, "grid %s: out of memory for its frames", g->name);
    for (int64_t i = 0; i < g->n; i++) {
        int64_t at = m->lon ? i : g->order[i];
        double lon = m->lon ? m->lon[i] : g->cells->lon[i], lat = m->lon ? m->lat[i] : g->cells->lat[i];
        double turn = m->angle ? m->angle[at] : 0.0, *f = *frame + 6 * at;
        double east[3] = {-sin(lon), cos(lon), 0.0}, north[3] = {-sin(lat) * cos(lon), -sin(lat) * sin(lon), cos(lat)};
        for (int d = 0; d < 3; d++) {
            f[d] = cos(turn) * east[d] + sin(turn) * north[d];
            f[3 + d] = cos(turn) * north[d] - sin(turn) * east[d];
        }
    }
    return H3OU__OK;
}

void h3ou__frames_to_space(const double frame[], int64_t n, const double u[], const double v[], double space[])
{
    for (int64_t i = 0; i < n; i++)
        for (int d = 0; d < 3; d++)
            space[d * n + i] = u[i] * frame[6 * i + d] + v[i] * frame[6 * i + 3 + d];
}

void h3ou__frames_from_space(const double frame[], int64_t n, const double space[], double u[], double v[])
{
    for (int64_t i = 0; i < n; i++) {
        const double *f = frame + 6 * i;
        double x = space[i], y = space[n + i], z = space[2 * n + i];
        u[i] = x * f[0] + y * f[1] + z * f[2];
        v[i] = x * f[3] + y * f[4] + z * f[5];
    }
}

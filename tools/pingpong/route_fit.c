/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/pingpong/route_fit.h"

#include <math.h>

#include "base/error.h"

int route_fit_points(const double bytes[], const double us[], int n, route_fit *out)
{
    double w = 0, wx = 0, wxx = 0, wt = 0, wxt = 0, least = us[0], most = 0;
    for (int i = 0; i < n; i++) {
        double weight = 1 / (us[i] * us[i]);
        w += weight;
        wx += weight * bytes[i];
        wxx += weight * bytes[i] * bytes[i];
        wt += weight * us[i];
        wxt += weight * bytes[i] * us[i];
        least = us[i] < least ? us[i] : least;
        most = bytes[i] / us[i] > most ? bytes[i] / us[i] : most;
    }
    double divisor = w * wxx - wx * wx;
    if (n < 2 || !(divisor > 0))
        return h3ou__fail(H3OU__EARG, "latency and bandwidth need the times of two sizes");
    double slope = (w * wxt - wx * wt) / divisor;
    *out = (route_fit){.latency = (wt - slope * wx) / w, .bandwidth = 1 / slope};
    /* Times that no such line describes: what the fastest messages showed. */
    if (!(out->latency > 0))
        out->latency = least;
    if (!(slope > 0))
        out->bandwidth = most;
    for (int i = 0; i < n; i++) {
        double error = fabs((out->latency + bytes[i] / out->bandwidth) / us[i] - 1);
        out->worst = error > out->worst ? error : out->worst;
    }
    return H3OU__OK;
}

int route_fit_series(const pingpong_series *s, const pingpong_plan *plan, route_fit *out)
{
    double bytes[PINGPONG_SIZES], us[PINGPONG_SIZES];
    int n = 0;
    for (int i = 0; i < plan->nsize; i++) {
        const pingpong_point *p = pingpong_find(s, plan->size[i]);
        if (p && p->n && pingpong_half(p) > 0) {
            bytes[n] = (double)p->bytes;
            us[n++] = pingpong_half(p);
        }
    }
    return n ? route_fit_points(bytes, us, n, out) : h3ou__fail(H3OU__EARG, "%s: nothing was measured", s->way.name);
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "interp/weights/area_balance.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/grow.h"
#include "interp/grid/coincident.h"
#include "interp/sphere/angles.h"

static double target_share(const h3ou__weights *w, int64_t i)
{
    return w->target_area[i] * (w->norm == H3OU__FRACAREA ? w->frac[i] : 1.0);
}

/* Have two targets the same area and row, up to rounding? */
static bool same_row(const h3ou__weights *w, int64_t i, int64_t k)
{
    const double SAME = 1e-9;
    int64_t n = w->start[i + 1] - w->start[i];
    if (w->start[k + 1] - w->start[k] != n ||
        !(fabs(w->target_area[i] - w->target_area[k]) <= SAME * w->target_area[i]))
        return false;
    for (int64_t j = 0; j < n; j++)
        if (w->src[w->start[i] + j] != w->src[w->start[k] + j] ||
            !(fabs(w->coef[w->start[i] + j] - w->coef[w->start[k] + j]) <= SAME))
            return false;
    return true;
}

bool h3ou__target_is_repeated(const h3ou__weights *w, const h3ou__cells *target, int64_t i)
{
    return target && target->same_centre && target->same_centre[i] != i && fabs(target->xyz[3 * i + 2]) < 1.0 - 1e-12 &&
           same_row(w, i, target->same_centre[i]);
}

/* What source cell s must give; NaN: that is not known. */
static double awaited(const h3ou__weights *w, const double expected[], const double given[], int64_t s)
{
    if (expected)
        return w->source_area[s] > 0.0 ? expected[s] : NAN;
    return given[s] == 0.0 ? NAN : w->source_area[s];
}

static void compare_areas(const h3ou__weights *w, const double given[], const unsigned char partly[],
                          const double expected[], h3ou__area_balance *out)
{
    for (int64_t s = 0; s < w->nsource; s++) {
        double must = awaited(w, expected, given, s);
        if (partly[s] || isnan(must))
            continue;
        double more = (given[s] - must) / w->source_area[s];
        out->judged++;
        if (out->misfit_cell < 0 || !(fabs(more) <= out->misfit)) {
            out->misfit = fabs(more);
            out->misfit_cell = s;
        }
        if (more > 0.0 && !(more <= out->excess)) {
            out->excess = more;
            out->excess_cell = s;
        }
    }
}

int h3ou__area_balance_make(const h3ou__weights *w, h3ou__cells *target, const double expected[],
                            h3ou__area_balance *out)
{
    double whole = 0.0;
    int err = H3OU__OK;
    *out = (h3ou__area_balance){.misfit_cell = -1, .excess_cell = -1, .is_whole = true, .is_expected = expected};
    if (!w->conserves || !w->source_area || !w->target_area)
        return H3OU__OK;
    if (target && target->n == w->ntarget && target->lon && (err = h3ou__cells_places(target)) == H3OU__OK)
        err = h3ou__cells_compare_centres(target);
    if (err)
        return err;
    double *given = calloc((size_t)w->nsource + 1, sizeof *given);
    unsigned char *partly = calloc((size_t)w->nsource + 1, 1);
    if (!given || !partly)
        err = h3ou__no_memory("the areas that source cells give");
    for (int64_t i = 0; i < w->ntarget && !err; i++) {
        out->is_whole &= w->served[i] != H3OU__MASKED;
        if (h3ou__target_is_repeated(w, target, i)) {
            out->repeated++;
            continue;
        }
        whole += w->target_area[i];
        if (expected && w->served[i] > 0) /* a row of another method */
            continue;
        for (int64_t k = w->start[i]; k < w->start[i + 1]; k++) {
            given[w->src[k]] += w->coef[k] * target_share(w, i);
            partly[w->src[k]] |= w->served[i] != 0;
        }
    }
    if (!err)
        compare_areas(w, given, partly, expected, out);
    out->is_known = !err;
    out->is_whole &= fabs(whole - 4 * H3OU__PI) < 1e-9;
    free(given);
    free(partly);
    return err;
}

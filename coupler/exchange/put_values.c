/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/exchange/put_values.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/single_precision.h"
#include "coupler/cells/cell_values.h"
#include "coupler/cells/line_values.h"
#include "coupler/cells/take_cells.h"
#include "coupler/exchange/interval_statistic.h"
#include "coupler/exchange/observer.h"

/* Checks the shares one by one. One that is beyond 0 or 1 by rounding only is taken as 0 or 1. */
static int limit_shares(const h3ou__outgoing *o, double share[])
{
    for (int64_t i = 0; i < o->n; i++) {
        if (isnan(share[i]) || share[i] < -1e-6 || share[i] > 1.0 + 1e-6)
            return h3ou__fail(H3OU__EARG,
                              "%s:%d: field %s, cell %" PRId64 ": share %g of the cell counts: it must be 0 to 1",
                              o->config->file, o->var->line, o->var->put, o->grid->index[i], share[i]);
        share[i] = fmin(fmax(share[i], 0.0), 1.0);
    }
    return H3OU__OK;
}

/* Returns whether o->share has these shares already. */
static bool are_same(const h3ou__outgoing *o, const double *share)
{
    return o->share_number > 0 && memcmp(o->share, share, sizeof *share * (size_t)o->n) == 0;
}

/* Takes o->share_aside as the shares. */
static void take_aside(h3ou__outgoing *o)
{
    double *before = o->share;
    h3ou__sum_complete_shares(o);
    o->share = o->share_aside;
    o->share_aside = before;
    o->share_number++;
}

/* Takes shares that are read as they stand, if they need no correction, and returns true. */
static bool take_plain(h3ou__outgoing *o, const double *share)
{
    if (are_same(o, share))
        return true;
    if (!h3ou__cells_copy_shares(o->n, share, o->share_aside))
        return false;
    take_aside(o);
    return true;
}

/* Takes any others: reads them to room of their own, where they can be corrected, and compared. */
static int read_shares(h3ou__outgoing *o, const h3ou__place *place, const void *given)
{
    h3ou__place_read(place, o->n, 1, given, o->share_aside);
    int err = h3ou__cells_are_shares(o->n, o->share_aside) ? H3OU__OK : limit_shares(o, o->share_aside);
    if (!err && !are_same(o, o->share_aside))
        take_aside(o);
    return err;
}

int h3ou__put_values_copy_share(h3ou__outgoing *o, const h3ou__arrays *given)
{
    h3ou__place place;
    int err = H3OU__OK;
    if (!given->share) {
        o->has_share = false;
        return H3OU__OK;
    }
    if (o->var->members.send == H3OU__SEND_STACKED)
        return h3ou__fail(
            H3OU__EARG,
            "%s:%d: field %s: with statistic='stacked' no cell counts in part: put it without share, with NaN in "
            "the cells that have no value",
            o->config->file, o->var->line, o->var->put);
    if (!h3ou__place_find_share(o->grid, given, &place))
        return h3ou__fail(H3OU__ESIZE,
                          "%s:%d: field %s: share has %" PRId64 " values, this process's part of the grid has %" PRId64
                          " cells",
                          o->config->file, o->var->line, o->var->put, given->nshare, o->n);
    if (!o->share_aside && !(o->share_aside = malloc(sizeof *o->share_aside * (size_t)(o->n + 1))))
        return h3ou__fail(H3OU__ENOMEM, "%s: out of memory", o->what);
    if (!h3ou__place_is_plain(&place, o->n) || !take_plain(o, given->share))
        err = read_shares(o, &place, given->share);
    o->has_share |= !err; /* those of the put before stay where these are refused */
    return err;
}

/* How the values of a put are taken. */
typedef struct taking {
    const h3ou__outgoing *o;
    h3ou__taking newest;
    h3ou__summing sum; /* SUM_NONE: they are not added */
    bool is_kept;      /* else they are only added */
} taking;

enum { SOME = 1024 }; /* values that are read together, and stay in the first cache */

/* Takes the values of `count` cells from cell `first` on, of the row that begins at value `start` of the field. Returns
 * whether a value that counts is NaN. */
static bool take_some(const taking *t, const double from[], int64_t start, int64_t first, int64_t count)
{
    const h3ou__outgoing *o = t->o;
    const double *share = o->has_share ? o->share + first : NULL;
    double *newest = t->is_kept ? o->newest + start + first : NULL;
    if (t->sum.action == H3OU__SUM_NONE)
        return h3ou__take_cells(&t->newest, count, from, share, newest);
    return h3ou__sum_cells(&t->sum, count,
                           &(h3ou__summed){from, share, o->has_sum + first, newest, o->sum + start + first});
}

/* The same of the cells from `first` to `end` of one layer of the model's array. */
static bool take_row(const taking *t, const h3ou__place *place, int layer, const void *array, int64_t start,
                     int64_t first, int64_t end)
{
    int64_t most = !place->is_single && !place->positions ? end - first : SOME;
    double some[SOME];
    bool has_nan = false;
    for (int64_t count; first < end; first += count) {
        const double *from = h3ou__place_run(place, first, layer, array, &count);
        count = count < most ? count : most;
        count = count < end - first ? count : end - first;
        if (!from)
            h3ou__place_read_cells(place, first, count, layer, array, some);
        has_nan |= take_some(t, from ? from : some, start, first, count);
    }
    return has_nan;
}

/* Takes all layers of one component, whose values begin at value `start` of the field: the missing value as NaN, which
 * is sent and summed as NaN, and 0 where the share is 0. Of an array whose layers stand together it takes some cells at
 * a time, so that each line of the array is read once. Returns whether a value that counts is NaN. */
static bool take_component(const taking *t, const h3ou__place *place, const void *array, int64_t start)
{
    int64_t n = t->o->n, each = h3ou__place_has_columns(place) ? SOME : n;
    bool has_nan = false;
    for (int64_t first = 0; first < n; first += each)
        for (int layer = 0; layer < t->o->layer; layer++)
            has_nan |= take_row(t, place, layer, array, start + layer * n, first, first + each < n ? first + each : n);
    return has_nan;
}

/* Makes all three Cartesian components of a vector NaN where one of them is. */
static void complete_missing_vectors(h3ou__outgoing *o)
{
    int64_t n = o->n * o->layer;
    if (!o->var->put_xyz || !o->has_nan)
        return;
    for (int64_t i = 0; i < n; i++)
        if (isnan(o->newest[i]) || isnan(o->newest[n + i]) || isnan(o->newest[2 * n + i]))
            o->newest[i] = o->newest[n + i] = o->newest[2 * n + i] = NAN;
}

double h3ou__put_values_missing(const h3ou__outgoing *o, const h3ou__arrays *given)
{
    const h3ou__config_remap *remap = &o->var->remap;
    if (!remap->has_missing || remap->keep_missing)
        return NAN;
    return given->is_single ? h3ou__quiet_single(&remap->missing) : remap->missing;
}

bool h3ou__put_values_add_at_once(const h3ou__outgoing *o)
{
    return h3ou__statistic_sums(&h3ou__statistics[o->var->flag]) && !o->var->put_xyz && !o->var->has_range &&
           !h3ou__is_watched(o->watched, H3OU__SIDE_PUT);
}

static void take_all(h3ou__outgoing *o, const taking *t, const h3ou__place *place, const h3ou__arrays *given)
{
    o->has_nan = false;
    for (int k = 0; k < given->count; k++)
        o->has_nan |= take_component(t, place, given->component[k], k * o->n * o->layer);
    end_lines(t->newest.is_past);
}

int h3ou__put_values_copy(h3ou__outgoing *o, const h3ou__arrays *given, double step, bool *is_kept)
{
    h3ou__place place;
    if (!h3ou__place_find_slices(o->grid, given, o->var->layer, o->slices_put, &place))
        return h3ou__arrays_misfit(given, o->config, o->var, o->var->put, o->grid, o->slices_put);
    int err = h3ou__put_values_copy_share(o, given);
    if (err)
        return err;
    taking t = {.o = o, .newest = {h3ou__put_values_missing(o, given), o->values > H3OU__MANY}, .is_kept = *is_kept};
    if (step > 0.0)
        t.sum = h3ou__sum_begin(o, step);
    t.sum.missing = t.newest.missing;
    t.sum.is_past = t.newest.is_past;
    take_all(o, &t, &place, given);
    if (step > 0.0)
        h3ou__sum_end(o, t.sum.weight);
    if (!t.is_kept && o->has_nan && !o->nan_logged) {
        t.sum.action = H3OU__SUM_NONE;
        t.is_kept = *is_kept = true;
        take_all(o, &t, &place, given);
    }
    complete_missing_vectors(o);
    return H3OU__OK;
}

void h3ou__put_values_clear(h3ou__outgoing *o)
{
    if (!o->has_share)
        return;
    o->has_nan = false;
    for (int64_t start = 0; start < o->values; start += o->n)
        o->has_nan |= h3ou__cells_clear(o->n, o->share, o->newest + start);
}

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
    o->has_share = false;
    if (!given->share)
        return H3OU__OK;
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
    o->has_share = !err;
    return err;
}

/* Takes the values of cells `first` to `end` of a layer, whose row begins at o->newest[start], from[0] on. What no
 * receiver needs is not added to the sums: it is taken by itself where it stands among the others. Returns whether a
 * value that counts is NaN. */
static bool take_some(const h3ou__outgoing *o, const h3ou__taking *t, const double from[], int64_t start, int64_t first,
                      int64_t end)
{
    enum { FEW = 64 };
    h3ou__taking only = {.missing = t->missing};
    bool has_nan = false;
    for (int64_t cell = first, count; cell < end; cell += count, from += count) {
        const double *share = o->has_share ? o->share + cell : NULL;
        int64_t at = start + cell, left = end - cell;
        count = t->action == H3OU__SUM_NONE ? left : h3ou__sum_run(o, cell, left);
        if (count > 0) {
            has_nan |= h3ou__take_cells(t, count, from, share, o->newest + at, o->sum ? o->sum + at : NULL);
            continue;
        }
        count = left < FEW ? left : FEW;
        has_nan |= h3ou__take_cells(&only, count, from, share, o->newest + at, NULL);
        h3ou__sum_add(o, t->weight, start, cell, count);
    }
    return has_nan;
}

/* Takes all layers of one component, whose values begin at o->newest[start]: the missing value as NaN, which is sent
 * and summed as NaN, and 0 where the share is 0. Returns whether a value that counts is NaN. */
static bool take_component(const h3ou__outgoing *o, const h3ou__taking *t, const h3ou__place *place, const void *array,
                           int64_t start)
{
    enum { SOME = 1024 };
    double some[SOME];
    bool has_nan = false;
    for (int layer = 0; layer < o->layer; layer++, start += o->n)
        for (int64_t first = 0, count; first < o->n; first += count) {
            const double *from = h3ou__place_run(place, first, layer, array, &count);
            int64_t most = from ? o->n : SOME;
            count = count < most ? count : most;
            count = count < o->n - first ? count : o->n - first;
            if (!from)
                h3ou__place_read_cells(place, first, count, layer, array, some);
            has_nan |= take_some(o, t, from ? from : some, start, first, first + count);
        }
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
    return !o->var->put_xyz && !o->var->has_range && !h3ou__is_watched(o->watched, H3OU__SIDE_PUT);
}

int h3ou__put_values_copy(h3ou__outgoing *o, const h3ou__arrays *given, double step)
{
    h3ou__place place;
    if (!h3ou__place_find_slices(o->grid, given, o->var->layer, o->slices_put, &place))
        return h3ou__arrays_misfit(given, o->config, o->var, o->var->put, o->grid, o->slices_put);
    int err = h3ou__put_values_copy_share(o, given);
    if (err)
        return err;
    o->has_nan = false;
    h3ou__taking t = {.missing = h3ou__put_values_missing(o, given), .is_past = o->values > H3OU__MANY};
    if (step > 0.0) {
        t.action = o->nsum == 0 ? H3OU__SUM_BEGIN : H3OU__SUM_ADD;
        t.weight = h3ou__sum_begin(o, step);
    }
    for (int k = 0; k < given->count; k++)
        o->has_nan |= take_component(o, &t, &place, given->component[k], k * o->n * o->layer);
    end_lines(t.is_past);
    if (step > 0.0)
        h3ou__sum_end(o, t.weight);
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

/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/exchange/put_values.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/single_precision.h"
#include "coupler/cells/cell_values.h"

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

/* Takes shares that are read as they stand, if they need no correction, and returns true. */
static bool take_plain(h3ou__outgoing *o, const double *share)
{
    if (are_same(o, share))
        return true;
    if (!h3ou__cells_are_shares(o->n, share))
        return false;
    memcpy(o->share, share, sizeof *share * (size_t)o->n);
    o->share_number++;
    return true;
}

/* Takes any others: reads them to room of their own, where they can be corrected, and compared. */
static int read_shares(h3ou__outgoing *o, const h3ou__place *place, const void *given)
{
    if (!o->share_aside && !(o->share_aside = malloc(sizeof *o->share_aside * (size_t)(o->n + 1))))
        return h3ou__fail(H3OU__ENOMEM, "%s: out of memory", o->what);
    h3ou__place_read(place, o->n, 1, given, o->share_aside);
    int err = h3ou__cells_are_shares(o->n, o->share_aside) ? H3OU__OK : limit_shares(o, o->share_aside);
    if (err || are_same(o, o->share_aside))
        return err;
    double *before = o->share;
    o->share = o->share_aside;
    o->share_aside = before;
    o->share_number++;
    return H3OU__OK;
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
    if (!h3ou__place_is_plain(&place, o->n) || !take_plain(o, given->share))
        err = read_shares(o, &place, given->share);
    o->has_share = !err;
    return err;
}

/* Copies all layers of one component, each as one row: the missing value as NaN, which is sent and summed as NaN, and 0
 * where the share is 0. Returns whether a value that counts is NaN. */
static bool copy_component(const h3ou__outgoing *o, const h3ou__place *place, const void *array, double *to)
{
    const h3ou__config_remap *remap = &o->var->remap;
    bool has_missing = remap->has_missing && !remap->keep_missing, has_nan = false;
    double missing = place->is_single ? h3ou__quiet_single(&remap->missing) : remap->missing;
    if (!has_missing && !o->has_share)
        return h3ou__place_read(place, o->n, o->layer, array, to);
    for (int layer = 0; layer < o->layer; layer++, to += o->n) {
        bool is_nan = h3ou__place_read(place, o->n, 1, h3ou__place_layer(place, array, layer), to);
        if (has_missing)
            is_nan |= h3ou__cells_find_missing(o->n, missing, to);
        if (o->has_share)
            is_nan = h3ou__cells_clear(o->n, o->share, to);
        has_nan |= is_nan;
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

int h3ou__put_values_copy(h3ou__outgoing *o, const h3ou__arrays *given)
{
    h3ou__place place;
    if (!h3ou__place_find_slices(o->grid, given, o->var->layer, o->slices_put, &place))
        return h3ou__arrays_misfit(given, o->config, o->var, o->var->put, o->grid, o->slices_put);
    int err = h3ou__put_values_copy_share(o, given);
    if (err)
        return err;
    o->has_nan = false;
    for (int k = 0; k < given->count; k++)
        o->has_nan |= copy_component(o, &place, given->component[k], o->newest + k * o->n * o->layer);
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

/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/cells/sum_cells.h"

#include "base/vector_clones.h"
#include "coupler/cells/line_values.h"
#include "coupler/cells/store_cells.h"
#include "coupler/cells/taken_bits.h"

/* Returns which of the value with these bits and the sum so far is less, or, with the sign -1, greater, as bits: the
 * sum where they are equal, and a NaN where one is NaN. No NaN is compared, which would raise an exception. */
INLINED uint64_t extreme_of(double sign, uint64_t bits, double sum)
{
    uint64_t old = h3ou__bits_of(&sum);
    uint64_t is_nan = -(h3ou__nan_mark_of(bits) >> 63), was_nan = -(h3ou__nan_mark_of(old) >> 63);
    double value = h3ou__value_of(bits & ~is_nan), before = h3ou__value_of(old & ~was_nan);
    uint64_t is_beyond = is_nan | (-(uint64_t)(sign * value < sign * before) & ~was_nan);
    return (bits & is_beyond) | (old & ~is_beyond);
}

/* Returns what becomes of a sum. */
INLINED double new_sum(enum h3ou__sum_action action, double weight, uint64_t bits, double sum)
{
    double value = h3ou__value_of(bits);
    switch (action) {
    case H3OU__SUM_BEGIN:
        return 0.0 + weight * value;
    case H3OU__SUM_ADD:
        return sum + weight * value;
    case H3OU__SUM_LEAST:
        return h3ou__value_of(extreme_of(1.0, bits, sum));
    case H3OU__SUM_MOST:
        return h3ou__value_of(extreme_of(-1.0, bits, sum));
    default:
        return value;
    }
}

/* Returns whether the action adds terms. */
INLINED bool adds(enum h3ou__sum_action action)
{
    return action == H3OU__SUM_BEGIN || action == H3OU__SUM_ADD;
}

/* Returns whether the action reads the sum so far. */
INLINED bool reads_sum(enum h3ou__sum_action action)
{
    return action == H3OU__SUM_ADD || action == H3OU__SUM_LEAST || action == H3OU__SUM_MOST;
}

/* Does the action, which is a constant where this is inlined, as is what the cells have. */
INLINED bool sum_kind(const h3ou__summing *s, int64_t n, const h3ou__summed *cells, const uint64_t mask[],
                      enum h3ou__sum_action action, bool has_share, bool has_newest)
{
    const double *restrict from = cells->from, *restrict share = cells->share;
    const uint64_t *restrict needed = mask;
    double *restrict newest = cells->newest, *restrict sum = cells->sum;
    double weight = s->weight, missing = s->missing;
    uint64_t any = 0, uncounted = adds(action) ? 0 : h3ou__bits_of(&s->uncounted);
    for (int64_t i = 0; i < n; i++) {
        uint64_t bits = h3ou__taken_bits(from + i, missing);
        if (has_share)
            bits = h3ou__bits_if(share[i] > 0.0, bits);
        if (has_newest)
            newest[i] = h3ou__value_of(bits);
        if (has_share)
            bits |= h3ou__bits_if(!(share[i] > 0.0), uncounted);
        bits &= needed[i];
        any |= h3ou__nan_mark_of(bits);
        sum[i] = new_sum(action, has_share && adds(action) ? weight * share[i] : weight, bits,
                         reads_sum(action) ? sum[i] : 0.0);
    }
    return any >> 63;
}

INLINED bool sum_full(const h3ou__summing *s, int64_t n, const h3ou__summed *cells, const uint64_t mask[],
                      enum h3ou__sum_action action)
{
    return cells->newest ? sum_kind(s, n, cells, mask, action, false, true)
                         : sum_kind(s, n, cells, mask, action, false, false);
}

INLINED bool sum_any(const h3ou__summing *s, int64_t n, const h3ou__summed *cells, const uint64_t mask[],
                     enum h3ou__sum_action action)
{
    if (!cells->share)
        return sum_full(s, n, cells, mask, action);
    return cells->newest ? sum_kind(s, n, cells, mask, action, true, true)
                         : sum_kind(s, n, cells, mask, action, true, false);
}

CLONES static bool sum_some(const h3ou__summing *s, int64_t n, const h3ou__summed *cells)
{
    uint64_t mask[H3OU__STORED];
    for (int64_t i = 0; i < n; i++)
        mask[i] = -(uint64_t)cells->needed[i];
    switch (s->action) {
    case H3OU__SUM_BEGIN:
        return sum_any(s, n, cells, mask, H3OU__SUM_BEGIN);
    case H3OU__SUM_ADD:
        return sum_any(s, n, cells, mask, H3OU__SUM_ADD);
    case H3OU__SUM_SET:
        return sum_any(s, n, cells, mask, H3OU__SUM_SET);
    case H3OU__SUM_LEAST:
        return sum_any(s, n, cells, mask, H3OU__SUM_LEAST);
    case H3OU__SUM_MOST:
        return sum_any(s, n, cells, mask, H3OU__SUM_MOST);
    default:
        return false;
    }
}

/* Returns the same arrays from cell i on. */
static h3ou__summed move(const h3ou__summed *cells, int64_t i)
{
    return (h3ou__summed){cells->from + i, cells->share ? cells->share + i : NULL, cells->needed + i,
                          cells->newest ? cells->newest + i : NULL, cells->sum + i};
}

bool h3ou__sum_cells(const h3ou__summing *s, int64_t n, const h3ou__summed *cells)
{
    double newest[H3OU__STORED], sum[H3OU__STORED];
    bool has_nan = false, is_new = s->is_past && cells->newest, is_begun = s->is_past && !reads_sum(s->action);
    for (int64_t i = 0, count; i < n; i += count) {
        h3ou__summed place = move(cells, i), part = place;
        count = n - i < H3OU__STORED ? n - i : H3OU__STORED;
        if (is_new)
            part.newest = newest;
        if (is_begun)
            part.sum = sum;
        has_nan |= sum_some(s, count, &part);
        if (is_new)
            h3ou__store_past(sizeof *newest * (size_t)count, newest, place.newest);
        if (is_begun)
            h3ou__store_past(sizeof *sum * (size_t)count, sum, place.sum);
    }
    return has_nan;
}

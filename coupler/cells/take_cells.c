/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/cells/take_cells.h"

#include <math.h>

#include "coupler/cells/line_values.h"
#include "coupler/cells/vector_clones.h"

/* Where the values of one line are. */
typedef struct line {
    const double *from, *share;
    double *newest, *sum;
} line;

/* Takes the values of one line, and sets the highest bits of *any where one is NaN. */
INLINED void take_line(const h3ou__taking *t, line at, bool has_share, enum h3ou__sum_action action, bool is_past,
                       line_numbers *any)
{
    const double nan = NAN;
    uint64_t nan_bits;
    line_values value, share, sum = {0};
    line_numbers bits;
    memcpy(&nan_bits, &nan, sizeof nan_bits);
    memcpy(&bits, at.from, sizeof bits);
    bits |= nan_marks_of(bits) >> 63 << 51;
    line_numbers is_missing = (line_numbers)((line_values)bits == t->missing);
    bits = (bits & ~is_missing) | (nan_bits & is_missing);
    if (has_share) {
        memcpy(&share, at.share, sizeof share);
        bits &= (line_numbers)(share > 0.0);
    }
    *any |= nan_marks_of(bits);
    value = (line_values)bits;
    store_line(&value, is_past, at.newest);
    if (action == H3OU__SUM_NONE)
        return;
    if (action == H3OU__SUM_ADD)
        memcpy(&sum, at.sum, sizeof sum);
    sum += (has_share ? t->weight * share : t->weight + (line_values){0}) * value;
    store_line(&sum, is_past && action == H3OU__SUM_BEGIN, at.sum);
}

/* Takes fewer values than those of a line, of which there is one at least: it stands in place of the others, since any
 * other value may be the missing one. */
INLINED void take_few(const h3ou__taking *t, int64_t n, line at, bool has_share, enum h3ou__sum_action action,
                      line_numbers *any)
{
    double from[LINE_VALUES], share[LINE_VALUES] = {0}, newest[LINE_VALUES], sum[LINE_VALUES] = {0};
    size_t size = sizeof *from * (size_t)n;
    memcpy(from, at.from, size);
    for (int64_t k = n; k < LINE_VALUES; k++)
        memcpy(&from[k], at.from, sizeof *from);
    if (has_share)
        memcpy(share, at.share, size);
    if (action == H3OU__SUM_ADD)
        memcpy(sum, at.sum, size);
    take_line(t, (line){from, share, newest, sum}, has_share, action, false, any);
    memcpy(at.newest, newest, size);
    if (action != H3OU__SUM_NONE)
        memcpy(at.sum, sum, size);
}

INLINED line move(line at, int64_t n, bool has_share, enum h3ou__sum_action action)
{
    return (line){at.from + n, has_share ? at.share + n : NULL, at.newest + n, action ? at.sum + n : NULL};
}

INLINED bool take(const h3ou__taking *t, int64_t n, line at, bool has_share, enum h3ou__sum_action action, bool is_past)
{
    line_numbers any = {0};
    int64_t few = is_past ? (int64_t)(-(uintptr_t)at.newest % LINE / sizeof(double)) : 0;
    few = few < n ? few : n;
    if (few > 0)
        take_few(t, few, at, has_share, action, &any);
    for (at = move(at, few, has_share, action), n -= few; n >= LINE_VALUES; n -= LINE_VALUES) {
        take_line(t, at, has_share, action, is_past, &any);
        at = move(at, LINE_VALUES, has_share, action);
    }
    if (n > 0)
        take_few(t, n, at, has_share, action, &any);
    return is_any_nan(&any);
}

INLINED bool take_any(const h3ou__taking *t, int64_t n, line at, bool has_share, bool is_past)
{
    switch (t->action) {
    case H3OU__SUM_BEGIN:
        return take(t, n, at, has_share, H3OU__SUM_BEGIN, is_past);
    case H3OU__SUM_ADD:
        return take(t, n, at, has_share, H3OU__SUM_ADD, is_past);
    default:
        return take(t, n, at, has_share, H3OU__SUM_NONE, is_past);
    }
}

CLONES bool h3ou__take_cells(const h3ou__taking *t, int64_t n, const double from[], const double share[],
                             double newest[], double sum[])
{
    enum { PIECE = 16 }; /* of what is stored past the caches */
    line at = {from, share, newest, sum};
    bool is_past = t->is_past && (!sum || ((uintptr_t)newest - (uintptr_t)sum) % PIECE == 0);
    if (share)
        return is_past ? take_any(t, n, at, true, true) : take_any(t, n, at, true, false);
    return is_past ? take_any(t, n, at, false, true) : take_any(t, n, at, false, false);
}

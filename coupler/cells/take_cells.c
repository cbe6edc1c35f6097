/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/cells/take_cells.h"

#include "base/single_precision.h"
#include "base/vector_clones.h"
#include "coupler/cells/store_cells.h"
#include "coupler/cells/taken_bits.h"

CLONES static bool take_full(double missing, int64_t n, const double *restrict from, double *restrict to)
{
    uint64_t any = 0;
    for (int64_t i = 0; i < n; i++) {
        uint64_t bits = h3ou__taken_bits(from + i, missing);
        any |= h3ou__nan_mark_of(bits);
        to[i] = h3ou__value_of(bits);
    }
    return any >> 63;
}

CLONES static bool take_shared(double missing, int64_t n, const double *restrict from, const double *restrict share,
                               double *restrict to)
{
    uint64_t any = 0;
    for (int64_t i = 0; i < n; i++) {
        uint64_t bits = h3ou__bits_if(share[i] > 0.0, h3ou__taken_bits(from + i, missing));
        any |= h3ou__nan_mark_of(bits);
        to[i] = h3ou__value_of(bits);
    }
    return any >> 63;
}

CLONES bool h3ou__take_rounded(double missing, int64_t n, const double *restrict from, float *restrict to)
{
    uint64_t any = 0;
    for (int64_t i = 0; i < n; i++) {
        uint64_t bits = h3ou__bits_without(missing, h3ou__bits_of(from + i));
        double value = h3ou__value_of(bits);
        any |= h3ou__nan_mark_of(bits);
        to[i] = h3ou__quiet_single(&value);
    }
    return any >> 63;
}

CLONES bool h3ou__take_singles(double missing, int64_t n, const float *restrict from, float *restrict to)
{
    const float rounded = h3ou__quiet_single(&missing);
    uint32_t any = 0;
    for (int64_t i = 0; i < n; i++) {
        uint32_t bits, mark;
        memcpy(&bits, from + i, sizeof bits);
        bits = h3ou__single_bits_without(rounded, bits);
        mark = h3ou__single_nan_mark(bits);
        any |= mark;
        bits |= mark >> 31 << 22;
        memcpy(to + i, &bits, sizeof bits);
    }
    return any >> 31;
}

bool h3ou__take_cells(const h3ou__taking *t, int64_t n, const double from[], const double share[], double to[])
{
    double some[H3OU__STORED];
    bool has_nan = false;
    for (int64_t i = 0, count; i < n; i += count) {
        count = t->is_past && n - i > H3OU__STORED ? H3OU__STORED : n - i;
        double *place = t->is_past ? some : to + i;
        has_nan |= share ? take_shared(t->missing, count, from + i, share + i, place)
                         : take_full(t->missing, count, from + i, place);
        if (t->is_past)
            h3ou__store_past(sizeof *some * (size_t)count, some, to + i);
    }
    return has_nan;
}

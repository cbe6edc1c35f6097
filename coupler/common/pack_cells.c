/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/common/pack_cells.h"

#include "coupler/common/quiet_copy.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

h3ou__picked h3ou__picked_of(const int64_t at[], int64_t count)
{
    h3ou__picked c = {at, count, true};
    for (int64_t i = 1; i < count && c.is_run; i++)
        c.is_run = at[i] == at[0] + i;
    return c;
}

static uint64_t copy_listed(const double *restrict from, const int64_t at[], int64_t count, double *restrict to)
{
    uint64_t any = 0;
    for (int64_t i = 0; i < count; i++) {
        double value = from[at[i]];
        any |= h3ou__nan_mark(value);
        to[i] = value;
    }
    return any;
}

bool h3ou__pack_rows(const h3ou__picked *cells, const double from[], int64_t n, int rows, double to[])
{
    bool has_nan = false;
    for (int row = 0; row < rows && cells->count > 0; row++, from += n, to += cells->count)
        has_nan |= cells->is_run ? h3ou__copy_noting_nan(cells->count, from + cells->at[0], to)
                                 : copy_listed(from, cells->at, cells->count, to) >> 63;
    return has_nan;
}

/* So many cells are copied together that their values stay in the first cache. Rows may lie a power of two apart, so
 * that they share few lines of a cache: of each row whole lines are read, of EIGHT rows at once. */
enum { TILE = 512, EIGHT = 8, LINE = 64, MANY = 1 << 18 };

static uint64_t turn_eight(const double *restrict from, int64_t n, const int64_t *restrict at, int64_t count,
                           int64_t width, double *restrict to)
{
    uint64_t any = 0;
    for (int64_t i = 0; i < count; i++, to += width)
        for (int row = 0; row < EIGHT; row++) {
            double value = from[row * n + at[i]];
            any |= h3ou__nan_mark(value);
            to[row] = value;
        }
    return any;
}

#ifdef __SSE2__
/* The same for whole lines of a cache, which are written past the caches: they are read by another process, and memory
 * that is only written need not be fetched first. */
static uint64_t turn_eight_past_caches(const double *restrict from, int64_t n, const int64_t *restrict at,
                                       int64_t count, int64_t width, double *restrict to)
{
    uint64_t any = 0;
    for (int64_t i = 0; i < count; i++, to += width) {
        const double *cell = from + at[i];
        for (int row = 0; row < EIGHT; row += 2) {
            double first = cell[row * n], second = cell[(row + 1) * n];
            any |= h3ou__nan_mark(first) | h3ou__nan_mark(second);
            _mm_stream_pd(to + row, _mm_set_pd(second, first));
        }
    }
    _mm_sfence(); /* what says that they are written comes after them */
    return any;
}
#else
#define turn_eight_past_caches turn_eight
#endif

static uint64_t turn_one(const double *restrict from, const int64_t *restrict at, int64_t count, int64_t width,
                         double *restrict to)
{
    uint64_t any = 0;
    for (int64_t i = 0; i < count; i++) {
        double value = from[at[i]];
        any |= h3ou__nan_mark(value);
        to[i * width] = value;
    }
    return any;
}

bool h3ou__pack_together(const h3ou__picked *cells, const double from[], int64_t n, int rows, int64_t width,
                         double to[])
{
    uint64_t any = 0;
    bool is_past = cells->count * width > MANY && width % EIGHT == 0 && (uintptr_t)to % LINE == 0;
    for (int64_t i = 0; i < cells->count; i += TILE, to += TILE * width) {
        int64_t count = i + TILE < cells->count ? TILE : cells->count - i;
        int row = 0;
        for (; row + EIGHT <= rows; row += EIGHT)
            any |= (is_past ? turn_eight_past_caches : turn_eight)(from + row * n, n, cells->at + i, count, width,
                                                                   to + row);
        for (; row < rows; row++)
            any |= turn_one(from + row * n, cells->at + i, count, width, to + row);
    }
    return any >> 63;
}

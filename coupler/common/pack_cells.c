/* SPDX-License-Identifier: BSD-3-Clause */
#define VALUE      double
#define BITS       uint64_t
#define MARK(bits) (((bits) & ~(UINT64_C(1) << 63)) + (UINT64_C(1) << 52) - 1)
#define COPY       h3ou__copy_noting_nan
#define ROWS       h3ou__pack_rows
#define TOGETHER   h3ou__pack_together
#include "coupler/common/pack_cells_inside.h"

h3ou__picked h3ou__picked_of(const int64_t at[], int64_t count)
{
    h3ou__picked c = {at, count, true, true};
    for (int64_t i = 1; i < count && c.ascends; i++) {
        c.ascends = at[i] > at[i - 1];
        c.is_run &= at[i] == at[0] + i;
    }
    c.is_run &= c.ascends;
    return c;
}

enum { CELLS = 128, SOME_ROWS = 16 }; /* cells, and rows of them, that are rounded together: they stay in the first cache */

bool h3ou__narrow_rows(const h3ou__picked *cells, const double from[], int64_t n, int rows, float to[])
{
    double some[CELLS];
    bool has_nan = false;
    for (int row = 0; row < rows && cells->count > 0; row++, from += n, to += cells->count)
        for (int64_t i = 0, count; i < cells->count; i += count) {
            count = cells->is_run ? cells->count : cells->count - i < CELLS ? cells->count - i : CELLS;
            h3ou__picked part = {cells->at + i, count, cells->is_run, cells->ascends};
            if (!cells->is_run)
                h3ou__pack_rows(&part, from, n, 1, some);
            has_nan |= h3ou__narrow(count, cells->is_run ? from + cells->at[0] : some, to + i);
        }
    return has_nan;
}

/* Turns rows of CELLS values each; rows: a constant where this is inlined. */
static inline void turn_some(const float *restrict from, int64_t count, int rows, int64_t width, float *restrict to)
{
    for (int64_t i = 0; i < count; i++, to += width)
        for (int row = 0; row < rows; row++)
            to[row] = from[row * CELLS + i];
}

bool h3ou__narrow_together(const h3ou__picked *cells, const double from[], int64_t n, int rows, int64_t width, float to[])
{
    float some[SOME_ROWS * CELLS];
    bool has_nan = false;
    for (int64_t i = 0; i < cells->count; i += CELLS, to += CELLS * width) {
        h3ou__picked part = {cells->at + i, cells->count - i < CELLS ? cells->count - i : CELLS, cells->is_run, cells->ascends};
        for (int row = 0; row < rows; row += SOME_ROWS) {
            int count = rows - row < SOME_ROWS ? rows - row : SOME_ROWS;
            for (int k = 0; k < count; k++)
                has_nan |= h3ou__narrow_rows(&part, from + (row + k) * n, n, 1, some + k * CELLS);
            if (count == SOME_ROWS)
                turn_some(some, part.count, SOME_ROWS, width, to + row);
            else
                turn_some(some, part.count, count, width, to + row);
        }
    }
    return has_nan;
}

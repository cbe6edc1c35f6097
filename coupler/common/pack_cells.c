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
    h3ou__picked c = {at, count, true};
    for (int64_t i = 1; i < count && c.is_run; i++)
        c.is_run = at[i] == at[0] + i;
    return c;
}

/* So many values are gathered before they are rounded: they stay in the first cache. */
enum { SOME = 2048 };

bool h3ou__narrow_rows(const h3ou__picked *cells, const double from[], int64_t n, int rows, float to[])
{
    double some[SOME];
    bool has_nan = false;
    for (int row = 0; row < rows; row++, from += n, to += cells->count)
        for (int64_t i = 0; i < cells->count; i += SOME) {
            h3ou__picked part = {cells->at + i, cells->count - i < SOME ? cells->count - i : SOME, cells->is_run};
            has_nan |= h3ou__pack_rows(&part, from, n, 1, some);
            h3ou__narrow(part.count, some, to + i);
        }
    return has_nan;
}

/* At most SOME rows of all cells. */
static bool narrow_some_rows(const h3ou__picked *cells, const double from[], int64_t n, int rows, int64_t width, float to[])
{
    double some[SOME];
    bool has_nan = false;
    int64_t most = SOME / rows;
    for (int64_t i = 0; i < cells->count; i += most, to += most * width) {
        h3ou__picked part = {cells->at + i, cells->count - i < most ? cells->count - i : most, cells->is_run};
        has_nan |= h3ou__pack_together(&part, from, n, rows, rows, some);
        if (rows == width)
            h3ou__narrow(part.count * rows, some, to);
        for (int64_t k = 0; k < part.count && rows != width; k++)
            h3ou__narrow(rows, some + k * rows, to + k * width);
    }
    return has_nan;
}

bool h3ou__narrow_together(const h3ou__picked *cells, const double from[], int64_t n, int rows, int64_t width, float to[])
{
    bool has_nan = false;
    for (int row = 0; row < rows; row += SOME)
        has_nan |= narrow_some_rows(cells, from + row * n, n, rows - row < SOME ? rows - row : SOME, width, to + row);
    return has_nan;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#define VALUE       double
#define BITS        uint64_t
#define MARK        nan_marks_of
#define IN_16_BYTES 2
#define COPY        h3ou__copy_noting_nan
#define ROWS        h3ou__pack_rows
#define TOGETHER    h3ou__pack_together
#include "coupler/cells/pack_cells_inside.h"

bool h3ou__pack_part_together(const h3ou__picked *cells, bool is_past, const double from[], int64_t n, int rows,
                              int64_t width, double to[])
{
    return turn_some_way(cells, is_past, from, n, rows, width, to);
}

h3ou__picked h3ou__picked_of(const int32_t at[], int64_t count)
{
    h3ou__picked c = {at, count, true, true, count};
    for (int64_t i = 1; i < count && c.ascends; i++) {
        c.ascends = at[i] > at[i - 1];
        c.is_run &= at[i] == at[0] + i;
    }
    c.is_run &= c.ascends;
    return c;
}

h3ou__picked h3ou__picked_part(const h3ou__picked *cells, int64_t i, int64_t most)
{
    int64_t count = cells->count - i < most ? cells->count - i : most;
    const int32_t *at = cells->at + i;
    bool is_run = cells->is_run || (cells->ascends && at[count - 1] - at[0] == count - 1);
    return (h3ou__picked){at, count, is_run, cells->ascends, cells->all};
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/cells/divide_cells.h"

#include "base/vector_clones.h"
#include "coupler/cells/line_values.h"
#include "coupler/cells/taken_bits.h"

/* So many values are divided in room that stays in the first cache, at most so many rows of so many cells. */
enum { ROOM = 2560, MOST_ROWS = 320, MOST_CELLS = 512 };

/* Rows of some cells: row k begins at from[k * n]. */
typedef struct rows {
    const double *from;
    int64_t n, count; /* cells */
    int rows;
} rows;

/* Sets to[k * count + i] to value i of row k / by[i] * times, or 0. Returns whether one of the values is NaN. */
CLONES static bool divide_each(const rows *r, const double *restrict by, double times, double *restrict to)
{
    const double *restrict from = r->from;
    int64_t count = r->count;
    uint64_t any = 0;
    for (int row = 0; row < r->rows; row++, from += r->n, to += count) {
        fetch_next(from, count);
        for (int64_t i = 0; i < count; i++) {
            to[i] = h3ou__divided(from + i, by + i, times);
            any |= h3ou__nan_mark_of(h3ou__bits_of(to + i));
        }
    }
    return any >> 63;
}

/* The same where all are divided by the same, which is above 0. */
CLONES static bool divide_alike(const rows *r, double by, double times, double *restrict to)
{
    const double *restrict from = r->from;
    int64_t count = r->count;
    uint64_t any = 0;
    for (int row = 0; row < r->rows; row++, from += r->n, to += count) {
        fetch_next(from, count);
        for (int64_t i = 0; i < count; i++) {
            to[i] = from[i] / by * times;
            any |= h3ou__nan_mark_of(h3ou__bits_of(to + i));
        }
    }
    return any >> 63;
}

/* Returns whether all of them are the first one. */
CLONES static bool are_alike(int64_t count, const double *restrict by)
{
    uint64_t first = h3ou__bits_of(by), others = 0;
    for (int64_t i = 0; i < count; i++)
        others |= h3ou__bits_of(by + i) ^ first;
    return others == 0;
}

/* Writes some rows of some cells. */
static bool divide_block(const h3ou__picked *cells, bool is_past, bool alike, const rows *all, int64_t width,
                         const double by[], double times, double to[])
{
    double picked[ROOM], room[ROOM];
    int32_t own[MOST_CELLS]; /* the places of the cells in room */
    rows r = {all->from + cells->at[0], all->n, cells->count, all->rows};
    for (int64_t i = 0; i < r.count; i++)
        own[i] = (int32_t)i;
    for (int row = 0; row < r.rows && !cells->is_run; row++)
        for (int64_t i = 0; i < r.count; i++)
            picked[row * r.count + i] = all->from[row * all->n + cells->at[i]];
    if (!cells->is_run)
        r = (rows){picked, r.count, r.count, r.rows};
    bool has_nan = alike ? divide_alike(&r, *by, times, room) : divide_each(&r, by, times, room);
    h3ou__picked in_room = {own, r.count, true, true, cells->all};
    h3ou__pack_part_together(&in_room, is_past, room, r.count, r.rows, width, to);
    return has_nan;
}

bool h3ou__divide_together(const h3ou__picked *cells, const double from[], int64_t n, int rows_in, int64_t width,
                           const double by[], double times, double to[])
{
    int at_once = rows_in < MOST_ROWS ? rows_in : MOST_ROWS;
    int64_t most = ROOM / at_once / LINE_VALUES * LINE_VALUES;
    bool is_past = cells->all * width > H3OU__MANY, has_nan = false, alike = by[0] > 0.0 && are_alike(cells->count, by);
    most = most < MOST_CELLS ? most : MOST_CELLS;
    for (int64_t i = 0; i < cells->count; i += most) {
        h3ou__picked part = h3ou__picked_part(cells, i, most);
        for (int row = 0, some; row < rows_in; row += some) {
            some = rows_in - row < at_once ? rows_in - row : at_once;
            rows r = {from + row * n, n, part.count, some};
            has_nan |= divide_block(&part, is_past, alike, &r, width, by + i, times, to + i * width + row);
        }
    }
    end_lines(is_past);
    return has_nan;
}

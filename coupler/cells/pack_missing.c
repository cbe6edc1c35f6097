/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/cells/pack_missing.h"

#include <math.h>

#include "coupler/cells/line_values.h"
#include "coupler/cells/store_cells.h"
#include "coupler/cells/take_cells.h"
#include "coupler/cells/taken_bits.h"
#include "coupler/cells/vector_clones.h"

/* So many cells of one row are taken together, or so many values, of at most so many rows and of at most so many cells:
 * they stay in the first cache. All rows are taken together where they can be, since a message of cells with only some
 * of them is not written past the caches. */
enum { TILE = 512, ROOM = 4096, MOST_ROWS = 512, MOST_CELLS = 128 };

/* Takes at most TILE cells of a row. Returns whether one of the new values is NaN. */
static bool take_row(const h3ou__taking *t, const h3ou__picked *cells, const double *row, int64_t n, double to[])
{
    double some[TILE];
    const double *from = cells->is_run ? row + cells->at[0] : some;
    if (!cells->is_run)
        h3ou__pack_rows(cells, row, n, 1, some);
    return h3ou__take_cells(t, cells->count, from, NULL, to);
}

bool h3ou__pack_missing_rows(const h3ou__picked *cells, double missing, const double from[], int64_t n, int rows,
                             double to[])
{
    static _Thread_local h3ou__store_way way;
    h3ou__cell_store store;
    bool has_nan = false;
    h3ou__cell_store_begin(&store, &way, cells->count * rows * (int64_t)sizeof *to);
    h3ou__taking t = {.missing = missing, .is_past = store.is_past};
    for (int row = 0; row < rows; row++, from += n, to += cells->count)
        for (int64_t i = 0; i < cells->count; i += TILE) {
            h3ou__picked part = h3ou__picked_part(cells, i, TILE);
            has_nan |= take_row(&t, &part, from, n, to + i);
        }
    h3ou__cell_store_end(&store);
    return has_nan;
}

/* Some cells of a message of `width` rows, and how they are packed. */
typedef struct block {
    h3ou__taking t;
    h3ou__cell_store store;
    h3ou__picked cells;
    int64_t most; /* of cells */
    int64_t width;
    double nan[TILE]; /* what is written where no cell has a value */
    int32_t own[MOST_CELLS]; /* 0, 1 and so on: cells in room of their own */
} block;

/* Finds the next cells, from cell i of the message on: those that follow one another, or a few of others. What stands
 * between cells is not read, since it may be a halo. */
static void find_block(block *b, const h3ou__picked *cells, int64_t i)
{
    int64_t left = cells->count - i, count = left < b->most ? left : b->most;
    if (cells->ascends) {
        int64_t run = h3ou__run_length(cells->at + i, count), few = count < H3OU__RUN ? count : H3OU__RUN;
        count = run > 0 ? run : few;
    }
    b->cells = h3ou__picked_part(cells, i, count);
}

/* Which of the values of a block are written as NaN. */
enum { NONE, ALL, SOME };

/* Returns which of the values of some rows are written as NaN, or SOME where that is not clear. count: a multiple of
 * LINE_VALUES. */
CLONES static int find_missing(int64_t count, const double *from, int64_t n, int rows, double missing)
{
    uint64_t compared = h3ou__compared_bits(missing), number = h3ou__bits_of(&missing) & compared, any = 0,
             all = ~UINT64_C(0);
    for (int row = 0; row < rows; row++, from += n) {
        fetch_next(from, count);
        for (int64_t k = 0; k < count; k++) {
            uint64_t bits = h3ou__bits_of(from + k),
                     mark = h3ou__nan_mark_of(bits) | -(uint64_t)((bits & compared) == number);
            any |= mark;
            all &= mark;
        }
    }
    return !(any >> 63) ? NONE : all >> 63 ? ALL : SOME;
}

/* Returns which of the values of some rows of a block are written as NaN, or SOME where that is not clear. */
static int missing_of_block(const block *b, const double from[], int64_t n, int rows)
{
    if (!b->cells.is_run || b->cells.count % LINE_VALUES != 0)
        return SOME;
    return find_missing(b->cells.count, from + b->cells.at[0], n, rows, b->t.missing);
}

/* Writes NaN in some rows of a block. */
static void write_nan(const block *b, int rows, double to[])
{
    bool is_all = rows == b->width;
    int64_t times = is_all ? 1 : b->cells.count, each = is_all ? b->cells.count * rows : rows;
    for (int64_t i = 0; i < times; i++, to += b->width)
        for (int64_t k = 0; k < each; k += TILE) {
            int64_t count = each - k < TILE ? each - k : TILE;
            h3ou__cell_store_copy(&b->store, sizeof *to * (size_t)count, b->nan, to + k);
        }
}

/* Takes some rows of a block into room, and packs them from there. Returns whether a value is NaN. */
static bool pack_from_room(const block *b, const double from[], int64_t n, int rows, double to[])
{
    double room[ROOM];
    bool has_nan = false;
    for (int row = 0; row < rows; row++, from += n)
        has_nan |= take_row(&b->t, &b->cells, from, n, room + row * b->most);
    h3ou__picked in_room = {b->own, b->cells.count, true, true, b->cells.all};
    h3ou__pack_part_together(&in_room, b->store.is_past, room, b->most, rows, b->width, to);
    return has_nan;
}

/* Packs some rows of a block. Returns whether a value is NaN. */
static bool pack_block(const block *b, const double from[], int64_t n, int rows, double to[])
{
    int missing = missing_of_block(b, from, n, rows);
    if (missing == SOME)
        return pack_from_room(b, from, n, rows, to);
    if (missing == ALL)
        write_nan(b, rows, to);
    else
        h3ou__pack_part_together(&b->cells, b->store.is_past, from, n, rows, b->width, to);
    return missing == ALL;
}

bool h3ou__pack_missing_together(const h3ou__picked *cells, double missing, const double from[], int64_t n, int rows,
                                 double to[])
{
    static _Thread_local h3ou__store_way way;
    int at_once = rows < MOST_ROWS ? rows : MOST_ROWS;
    int64_t most = ROOM / at_once / LINE_VALUES * LINE_VALUES;
    bool has_nan = false;
    block b = {.t.missing = missing, .most = most < MOST_CELLS ? most : MOST_CELLS, .width = rows};
    for (int i = 0; i < TILE; i++)
        b.nan[i] = NAN;
    for (int32_t i = 0; i < MOST_CELLS; i++)
        b.own[i] = i;
    h3ou__cell_store_begin(&b.store, &way, cells->count * rows * (int64_t)sizeof *to);
    for (int64_t i = 0; i < cells->count; i += b.cells.count) {
        find_block(&b, cells, i);
        for (int row = 0, some; row < rows; row += some) {
            some = rows - row < at_once ? rows - row : at_once;
            has_nan |= pack_block(&b, from + row * n, n, some, to + i * rows + row);
        }
    }
    h3ou__cell_store_end(&b.store);
    return has_nan;
}

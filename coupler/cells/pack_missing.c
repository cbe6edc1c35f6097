/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/cells/pack_missing.h"

#include <math.h>

#include "base/four_values.h"
#include "base/vector_clones.h"
#include "coupler/cells/line_values.h"
#include "coupler/cells/store_cells.h"
#include "coupler/cells/take_cells.h"
#include "coupler/cells/taken_bits.h"

/* TILE cells of one row are copied together, by way of room as many as ROOM has values, of at most MOST_ROWS rows and
 * MOST_CELLS cells: these stay in the first cache. All rows are copied together where they can be, since a message of
 * cells with only some of them is not written past the caches. */
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

/* Four values of a row, and their bits. */
typedef h3ou__four four;
typedef uint64_t four_bits __attribute__((vector_size(4 * sizeof(double))));

/* Rows that are turned, and what is missing in them. */
typedef struct turned_rows {
    const double *from;
    int64_t n; /* from a row to the next one */
    double missing;
    h3ou__missing_bits none; /* of `missing` */
    uint64_t nan;
    four_bits marks; /* of what was taken: the highest bit of one is set for a NaN */
} turned_rows;

/* Copies four values, the missing value and each NaN as a quiet NaN, and notes in t->marks whether one is NaN. */
INLINED void take_four(turned_rows *t, const double *from, four *to)
{
    four_bits bits, marks;
    memcpy(&bits, from, sizeof bits);
    four_bits is_missing = (four_bits)((bits & t->none.compared) == t->none.number);
    bits = (bits & ~is_missing) | (t->nan & is_missing);
    marks = nan_marks_of(bits);
    bits |= marks >> 63 << 51;
    t->marks |= marks;
    memcpy(to, &bits, sizeof bits);
}

/* Copies four cells, from cell i on, of `rows` rows, 4 or LINE_VALUES, so that the rows of a cell stand together. rows
 * and is_past: constants where this is inlined. */
INLINED void turn_four_cells(turned_rows *t, int64_t i, int64_t width, double *to, int rows, bool is_past)
{
    four x[LINE_VALUES];
    for (int row = 0; row < rows; row++)
        take_four(t, t->from + row * t->n + i, &x[row]);
    for (int row = 0; row < rows; row += 4)
        h3ou__transpose_four(x + row);
    for (int k = 0; k < 4; k++, to += width) {
        line_values line;
        memcpy(&line, &x[k], sizeof x[k]);
        if (rows == 4) {
            memcpy(to, &line, sizeof x[k]);
        } else {
            memcpy((double *)&line + 4, &x[4 + k], sizeof x[k]);
            store_line(&line, is_past, to);
        }
    }
}

/* Copies `count` cells that follow one another of `rows` rows, 4 or LINE_VALUES. */
INLINED void turn_some_rows(turned_rows *t, int64_t count, int64_t width, double *to, int rows, bool is_past)
{
    int64_t i = 0;
    for (; i + 4 <= count; i += 4, to += 4 * width) {
        for (int row = 0; row < rows && i % LINE_VALUES == 0; row++)
            __builtin_prefetch(t->from + row * t->n + i + TILE);
        turn_four_cells(t, i, width, to, rows, is_past);
    }
    for (; i < count; i++, to += width)
        for (int row = 0; row < rows; row++) {
            uint64_t bits = h3ou__taken_bits(t->from + row * t->n + i, t->missing);
            t->marks[0] |= h3ou__nan_mark_of(bits);
            to[row] = h3ou__value_of(bits);
        }
}

/* Sets to[i * rows + row] to value i of each row, or to a quiet NaN, for four rows or more. is_past: the values go past
 * the caches; then rows is a multiple of LINE_VALUES, and `to` begins where a line of memory does. Returns whether a
 * value is NaN. */
CLONES static bool turn_taken(double missing, const double *from, int64_t n, int64_t count, int rows, bool is_past,
                              double *to)
{
    const double nan = NAN;
    turned_rows t = {.n = n, .missing = missing, .none = h3ou__missing_bits_of(missing), .nan = h3ou__bits_of(&nan)};
    for (int row = 0, some; row < rows; row += some) {
        some = rows >= LINE_VALUES && rows - row > 4 ? LINE_VALUES : 4;
        int first = rows - row < some ? rows - some : row; /* some rows are turned again, to the same values */
        t.from = from + first * n;
        if (some == 4)
            turn_some_rows(&t, count, rows, to + first, 4, false);
        else if (is_past)
            turn_some_rows(&t, count, rows, to + first, LINE_VALUES, true);
        else
            turn_some_rows(&t, count, rows, to + first, LINE_VALUES, false);
    }
    return (t.marks[0] | t.marks[1] | t.marks[2] | t.marks[3]) >> 63;
}

/* Some cells of a message of `width` rows, and how they are packed. */
typedef struct block {
    h3ou__taking t;
    h3ou__cell_store store;
    h3ou__picked cells;
    int64_t most, longest; /* of cells, and of cells that follow one another */
    int64_t width;
    bool is_turned;          /* cells that follow one another are turned with all rows at once */
    bool has_lines;          /* each cell of the message fills lines of its own */
    int32_t own[MOST_CELLS]; /* 0, 1 and so on: cells in room of their own */
} block;

/* Finds the next cells, from cell i of the message on: those that follow one another, or a few of others. What stands
 * between cells is not read, since it may be a halo. */
static void find_block(block *b, const h3ou__picked *cells, int64_t i)
{
    int64_t left = cells->count - i, count = left < b->most ? left : b->most;
    if (cells->ascends) {
        int64_t run = h3ou__run_length(cells->at + i, left < b->longest ? left : b->longest);
        int64_t few = count < H3OU__RUN ? count : H3OU__RUN;
        count = run > 0 ? run : few;
    }
    b->cells = h3ou__picked_part(cells, i, count);
}

/* Packs all rows of cells that follow one another; past the caches by way of room, where lines of the message have more
 * than one cell. Returns whether a value is NaN. */
static bool pack_neighbours(const block *b, const double from[], int64_t n, int rows, double to[])
{
    _Alignas(LINE) double room[ROOM];
    const double *first = from + b->cells.at[0];
    if (b->has_lines || !b->store.is_past)
        return turn_taken(b->t.missing, first, n, b->cells.count, rows, b->store.is_past, to);
    bool has_nan = turn_taken(b->t.missing, first, n, b->cells.count, rows, false, room);
    h3ou__cell_store_copy(&b->store, sizeof *room * (size_t)(b->cells.count * rows), room, to);
    return has_nan;
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
    if (b->cells.is_run && b->is_turned)
        return pack_neighbours(b, from, n, rows, to);
    return pack_from_room(b, from, n, rows, to);
}

bool h3ou__pack_missing_together(const h3ou__picked *cells, double missing, const double from[], int64_t n, int rows,
                                 double to[])
{
    static _Thread_local h3ou__store_way way;
    int at_once = rows < MOST_ROWS ? rows : MOST_ROWS;
    int64_t most = ROOM / at_once / LINE_VALUES * LINE_VALUES;
    bool has_nan = false;
    block b = {.t.missing = missing, .most = most < MOST_CELLS ? most : MOST_CELLS, .width = rows};
    for (int32_t i = 0; i < MOST_CELLS; i++)
        b.own[i] = i;
    h3ou__cell_store_begin(&b.store, &way, cells->count * rows * (int64_t)sizeof *to);
    b.has_lines = rows % LINE_VALUES == 0 && (uintptr_t)to % LINE == 0;
    b.is_turned = rows >= 4 && rows <= MOST_ROWS;
    b.longest = b.is_turned && (b.has_lines || !b.store.is_past) ? TILE : b.most;
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

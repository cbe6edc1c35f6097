/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/cells/pack_missing.h"

#include "coupler/cells/line_values.h"
#include "coupler/cells/store_cells.h"
#include "coupler/cells/take_cells.h"
#include "coupler/cells/vector_clones.h"

/* So many cells of one row are taken together, or at most so many rows of so many cells, of few rows of more cells:
 * they stay in the first cache. */
enum { TILE = 512, SOME_ROWS = 64, CELLS = 64, FEW_ROWS = 16, MORE_CELLS = 128 };

bool h3ou__pack_missing_rows(const h3ou__picked *cells, double missing, const double from[], int64_t n, int rows,
                             double to[])
{
    static _Thread_local h3ou__store_way way;
    h3ou__cell_store store;
    double some[TILE];
    bool has_nan = false;
    h3ou__cell_store_begin(&store, &way, cells->count * rows * (int64_t)sizeof *to);
    h3ou__taking t = {.missing = missing, .is_past = store.is_past};
    for (int row = 0; row < rows; row++, from += n, to += cells->count)
        for (int64_t i = 0; i < cells->count; i += TILE) {
            h3ou__picked part = h3ou__picked_part(cells, i, TILE);
            if (!part.is_run)
                h3ou__pack_rows(&part, from, n, 1, some);
            has_nan |= h3ou__take_cells(&t, part.count, part.is_run ? from + part.at[0] : some, NULL, to + i, NULL);
        }
    h3ou__cell_store_end(&store);
    return has_nan;
}

/* Some cells of a message of `width` rows, and how they are packed. */
typedef struct block {
    h3ou__taking t;
    h3ou__picked cells;
    int64_t most; /* cells of a block */
    int64_t width;
    bool is_past;
} block;

/* Returns whether one of the values of some rows may have to be written as another one. This takes less work than
 * h3ou__take_cells, and most values are written as they are. What the next block has is fetched, since a processor
 * reads ahead only within a page. count: a multiple of LINE_VALUES. */
CLONES static bool need_taking(int64_t count, const double *from, int64_t n, int rows, double missing)
{
    uint64_t size;
    line_numbers any = {0}, bits;
    memcpy(&size, &missing, sizeof size);
    size &= ~SIGN;
    for (int row = 0; row < rows; row++, from += n)
        for (int64_t k = 0; k < count; k += LINE_VALUES) {
            __builtin_prefetch(from + count + k);
            memcpy(&bits, from + k, sizeof bits);
            any |= nan_marks_of(bits) | (line_numbers)((bits & ~SIGN) == size);
        }
    return is_any_nan(&any);
}

/* Packs some rows of a block. */
static bool pack_block(const block *b, const double from[], int64_t n, int rows, double to[])
{
    const h3ou__picked *cells = &b->cells;
    double room[SOME_ROWS * CELLS], some[MORE_CELLS];
    int32_t own[MORE_CELLS];
    bool has_nan = false;
    if (cells->is_run && cells->count == b->most &&
        !need_taking(cells->count, from + cells->at[0], n, rows, b->t.missing))
        return h3ou__pack_part_together(cells, b->is_past, from, n, rows, b->width, to);
    for (int row = 0; row < rows; row++, from += n) {
        if (!cells->is_run)
            h3ou__pack_rows(cells, from, n, 1, some);
        has_nan |= h3ou__take_cells(&b->t, cells->count, cells->is_run ? from + cells->at[0] : some, NULL,
                                    room + row * b->most, NULL);
    }
    for (int32_t i = 0; i < cells->count; i++)
        own[i] = i;
    h3ou__picked in_room = {own, cells->count, true, true, cells->all};
    h3ou__pack_part_together(&in_room, b->is_past, room, b->most, rows, b->width, to);
    return has_nan;
}

bool h3ou__pack_missing_together(const h3ou__picked *cells, double missing, const double from[], int64_t n, int rows,
                                 double to[])
{
    static _Thread_local h3ou__store_way way;
    h3ou__cell_store store;
    bool has_nan = false;
    h3ou__cell_store_begin(&store, &way, cells->count * rows * (int64_t)sizeof *to);
    int at_once = rows < SOME_ROWS ? rows : SOME_ROWS;
    block b = {.t.missing = missing, .width = rows, .is_past = store.is_past};
    b.most = rows <= FEW_ROWS ? MORE_CELLS : CELLS;
    for (int64_t i = 0; i < cells->count; i += b.most) {
        b.cells = h3ou__picked_part(cells, i, b.most);
        for (int row = 0, some; row < rows; row += some) {
            some = rows - row < at_once ? rows - row : at_once;
            has_nan |= pack_block(&b, from + row * n, n, some, to + i * rows + row);
        }
    }
    h3ou__cell_store_end(&store);
    return has_nan;
}

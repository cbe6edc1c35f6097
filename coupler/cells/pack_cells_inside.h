/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The copies of pack_cells.h, which are compiled once for each type of the values. The file that includes this has
 * defined VALUE, the type; BITS, the unsigned integer of its size; MARK, which makes of bits, of type BITS or vectors
 * of it, a number whose highest bit is set for a NaN; IN_16_BYTES, how many values these have; COPY, the copy of a run
 * of values, which returns whether one of them is NaN; ROWS and TOGETHER, the names of the two functions.
 */
#include "coupler/cells/pack_cells.h"

#include <string.h>

#include "base/single_precision.h"
#include "coupler/cells/line_values.h"
#include "coupler/cells/quiet_copy.h"
#include "coupler/cells/store_cells.h"

/* So many cells are copied together that their values stay in the first cache. Rows may lie a power of two apart, so
 * that they share few lines of a cache: of each row whole lines are read, of as many rows at once as fill a line of the
 * message. */
enum { TILE = 512, IN_LINE = LINE / sizeof(VALUE), TOP_BIT = 8 * sizeof(BITS) - 1 };

enum { CACHED = 10000000 }; /* bytes of a message that stays in the last cache while it is made */

static inline BITS nan_mark(VALUE value)
{
    BITS bits;
    memcpy(&bits, &value, sizeof bits);
    return MARK(bits);
}

/* What was copied is looked at by H3OU__RUN values, in vectors. Places are fetched ahead: since the last message other
 * work has taken the caches. */
static bool copy_scattered(const VALUE *restrict from, const int32_t at[], int64_t count, VALUE *restrict to)
{
    enum { AHEAD = 512 };
    BITS any = 0;
    int64_t i = 0;
    for (; i + H3OU__RUN <= count; i += H3OU__RUN) {
        for (int k = 0; k < H3OU__RUN; k += LINE / (int)sizeof *at)
            __builtin_prefetch(at + i + AHEAD + k);
        for (int k = 0; k < H3OU__RUN; k++)
            to[i + k] = from[at[i + k]];
        for (int k = 0; k < H3OU__RUN; k++)
            any |= nan_mark(to[i + k]);
    }
    for (; i < count; i++)
        any |= nan_mark(to[i] = from[at[i]]);
    return any >> TOP_BIT;
}

#ifdef __SSE2__
/* Copies a run past the caches, for another process, whole lines without fetching them first. */
static bool copy_past_caches(int64_t count, const VALUE *restrict from, VALUE *restrict to)
{
    typedef BITS piece __attribute__((vector_size(sizeof(__m128i))));
    enum { IN_PIECE = sizeof(piece) / sizeof(VALUE) };
    piece marks = {0}, some;
    BITS any = 0;
    int64_t i = 0;
    for (; i < count && (uintptr_t)(to + i) % LINE != 0; i++)
        any |= nan_mark(to[i] = from[i]);
    for (; i + IN_LINE <= count; i += IN_LINE)
        for (int k = 0; k < IN_LINE; k += IN_PIECE) {
            memcpy(&some, from + i + k, sizeof some);
            marks |= MARK(some);
            _mm_stream_si128((__m128i *)(void *)(to + i + k), (__m128i)some);
        }
    for (int k = 0; k < IN_PIECE; k++)
        any |= marks[k];
    for (; i < count; i++)
        any |= nan_mark(to[i] = from[i]);
    return any >> TOP_BIT;
}
#else
#define copy_past_caches COPY
#endif

static bool copy_run(bool is_past, const VALUE *from, int64_t count, VALUE *to)
{
    return is_past ? copy_past_caches(count, from, to) : COPY(count, from, to);
}

/* Copies cells in an order of their own. Past the caches they go from room that stays in the first one. */
static bool copy_in_order(bool is_past, const VALUE *from, const int32_t at[], int64_t count, VALUE *to)
{
    VALUE some[TILE];
    if (!is_past)
        return copy_scattered(from, at, count, to);
    bool has_nan = false;
    for (int64_t i = 0; i < count; i += TILE) {
        int64_t part = count - i < TILE ? count - i : TILE;
        copy_scattered(from, at + i, part, some);
        has_nan |= copy_past_caches(part, some, to + i);
    }
    return has_nan;
}

/* Copies cells that ascend: those that follow one another as runs, and between these pieces of as many as make a run,
 * so that each begins where a line of the message does. */
static bool copy_ascending(bool is_past, const VALUE *from, const int32_t at[], int64_t count, VALUE *to)
{
    bool has_nan = false;
    for (int64_t i = 0, some; i < count; i += some) {
        int64_t left = count - i;
        some = h3ou__run_length(at + i, left);
        if (some > 0) {
            has_nan |= copy_run(is_past, from + at[i], some, to + i);
        } else {
            some = left > H3OU__RUN ? H3OU__RUN : left;
            has_nan |= copy_in_order(is_past, from, at + i, some, to + i);
        }
    }
    return has_nan;
}

/* Copies one row. Messages of cells that are copied alike take one way. */
static bool copy_row(const h3ou__picked *cells, const VALUE *from, VALUE *to)
{
    static _Thread_local h3ou__store_way of_runs, ascending, in_order;
    h3ou__store_way *way = cells->is_run ? &of_runs : cells->ascends ? &ascending : &in_order;
    const int32_t *at = cells->at;
    h3ou__cell_store store;
    h3ou__cell_store_begin(&store, way, cells->count * (int64_t)sizeof *to);
    bool has_nan = cells->is_run    ? copy_run(store.is_past, from + at[0], cells->count, to)
                   : cells->ascends ? copy_ascending(store.is_past, from, at, cells->count, to)
                                    : copy_in_order(store.is_past, from, at, cells->count, to);
    h3ou__cell_store_end(&store);
    return has_nan;
}

bool ROWS(const h3ou__picked *cells, const VALUE from[], int64_t n, int rows, VALUE to[])
{
    bool has_nan = false;
    for (int row = 0; row < rows && cells->count > 0; row++, from += n, to += cells->count)
        has_nan |= copy_row(cells, from, to);
    return has_nan;
}

#ifdef __SSE2__
enum { IN_PIECE = sizeof(__m128i) / sizeof(VALUE) };
#endif

/* rows: a constant where this is inlined. */
INLINED BITS turn_rows(const VALUE *restrict from, int64_t n, const int32_t *restrict at, int64_t count, int64_t width,
                       VALUE *restrict to, int rows)
{
    BITS any = 0;
    for (int64_t i = 0; i < count; i++, to += width)
        for (int row = 0; row < rows; row++) {
            VALUE value = from[row * n + at[i]];
            any |= nan_mark(value);
            to[row] = value;
        }
    return any;
}

static BITS turn_line(const VALUE *restrict from, int64_t n, const int32_t *restrict at, int64_t count, int64_t width,
                      VALUE *restrict to)
{
    return turn_rows(from, n, at, count, width, to, IN_LINE);
}

static BITS turn_half(const VALUE *restrict from, int64_t n, const int32_t *restrict at, int64_t count, int64_t width,
                      VALUE *restrict to)
{
    return turn_rows(from, n, at, count, width, to, IN_LINE / 2);
}

#ifdef __SSE2__
/* The same for whole lines of a cache, which are written past the caches: they are read by another process, and memory
 * that is only written need not be fetched first. */
static BITS turn_line_past_caches(const VALUE *restrict from, int64_t n, const int32_t *restrict at, int64_t count,
                                  int64_t width, VALUE *restrict to)
{
    BITS any = 0;
    for (int64_t i = 0; i < count; i++, to += width) {
        const VALUE *cell = from + at[i];
        for (int row = 0; row < IN_LINE; row += IN_PIECE) {
            VALUE some[IN_PIECE];
            __m128i piece;
            for (int k = 0; k < IN_PIECE; k++) {
                some[k] = cell[(row + k) * n];
                any |= nan_mark(some[k]);
            }
            memcpy(&piece, some, sizeof piece);
            _mm_stream_si128((__m128i *)(void *)(to + row), piece);
        }
    }
    return any;
}
#else
#define turn_line_past_caches turn_line
#endif

/* n: of the rows that the others turn, too; not needed for one. */
static BITS turn_one(const VALUE *restrict from, int64_t n, const int32_t *restrict at, int64_t count, int64_t width,
                     VALUE *restrict to)
{
    BITS any = 0;
    (void)n;
    for (int64_t i = 0; i < count; i++) {
        VALUE value = from[at[i]];
        any |= nan_mark(value);
        to[i * width] = value;
    }
    return any;
}

/* Turns rows of some cells: as many as fill a line, or half of one. */
typedef BITS turn(const VALUE *restrict from, int64_t n, const int32_t *restrict at, int64_t count, int64_t width,
                  VALUE *restrict to);
/* whole_line: for rows of which none was turned before. */
typedef struct kernels {
    turn *whole_line, *line, *half;
} kernels;

/* How the cells of a message are turned: those of tiles in which most follow one another, and others; where they
 * belong, or in room of their own, from which they are copied past the caches. */
typedef struct turning {
    const kernels *neighbours, *others;
    bool has_room;
} turning;

static const kernels one_by_one = {turn_line, turn_line, turn_half};
/* Where lines come from memory before they are written, cell after cell is faster. */
static const turning through_caches = {&one_by_one, &one_by_one, false};

#ifdef __SSE2__
#include "coupler/cells/turn_neighbours.h"

static const kernels one_by_one_past_caches = {turn_line_past_caches, turn_line, turn_half},
                     by_squares = {turn_neighbours_line, turn_neighbours_line, turn_neighbours_half},
                     fetched = {turn_neighbours_line_fetched, turn_neighbours_line_fetched,
                                turn_neighbours_half_fetched},
                     lines_by_squares = {turn_neighbours_line_past_caches, turn_neighbours_line, turn_neighbours_half},
                     halves_by_squares = {NULL, NULL, turn_neighbours_half_past_caches};
static const turning short_through_caches = {&by_squares, &one_by_one, false},
                     from_room = {&fetched, &one_by_one, true},
                     lines_past_caches = {&lines_by_squares, &one_by_one_past_caches, false},
                     halves_past_caches = {&halves_by_squares, &one_by_one, false};
#else
#define short_through_caches through_caches
#endif

enum { ROOM = 4096 }; /* values that are turned into room of their own: they stay in the first two caches */

/* Returns how a message is turned past the caches of which `rows` of `width` rows are written: by lines; by half lines,
 * if these are all of a cell; any other number of rows from room of its own. NULL: it cannot be. */
static const turning *turning_past_caches(int rows, int64_t width, const VALUE *to)
{
#ifdef __SSE2__
    if ((uintptr_t)to % LINE != 0)
        return NULL;
    if (width % IN_LINE == 0)
        return &lines_past_caches;
    if (rows == width && width <= ROOM / IN_LINE)
        return width == IN_LINE / 2 ? &halves_past_caches : &from_room;
#else
    (void)rows, (void)width, (void)to;
#endif
    return NULL;
}

/* Returns how many rows to turn at once: those of a line, of half of one, or one. */
static int rows_at_once(int left, int rows)
{
    if (rows < IN_LINE / 2)
        return 1;
    return rows < IN_LINE || left <= IN_LINE / 2 ? IN_LINE / 2 : IN_LINE;
}

/* Returns whether most of the cells follow one another. */
static bool are_neighbours(const h3ou__picked *cells, const int32_t *at, int64_t count)
{
    return cells->ascends && at[count - 1] - at[0] < 2 * count;
}

/* Turns all rows of `count` cells from cell i on. Of the last rows some are turned again, if fewer are left than are
 * turned at once. */
static BITS turn_tile(const turning *how, const h3ou__picked *cells, int64_t i, int64_t count, const VALUE *from,
                      int64_t n, int rows, int64_t width, VALUE *to)
{
    const int32_t *at = cells->at + i;
    const kernels *by = are_neighbours(cells, at, count) ? how->neighbours : how->others;
    BITS any = 0;
    for (int row = 0, some; row < rows; row += some) {
        some = rows_at_once(rows - row, rows);
        bool is_whole = row + some <= rows;
        int first = is_whole ? row : rows - some;
        turn *call = some == 1 ? turn_one : some < IN_LINE ? by->half : is_whole ? by->whole_line : by->line;
        any |= call(from + first * n, n, at, count, width, to + first);
    }
    return any;
}

/* Turns some cells at a time into room from which they are copied past the caches. */
static bool turn_from_room(const turning *how, const h3ou__picked *cells, const VALUE from[], int64_t n, int rows,
                           VALUE to[])
{
    _Alignas(LINE) VALUE room[ROOM];
    bool has_nan = false;
    int64_t most = ROOM / rows / IN_LINE * IN_LINE;
    most = most < TILE ? most : TILE;
    for (int64_t i = 0; i < cells->count; i += most, to += most * rows) {
        int64_t count = i + most < cells->count ? most : cells->count - i;
        turn_tile(how, cells, i, count, from, n, rows, rows, room);
        has_nan |= copy_past_caches(count * rows, room, to);
    }
    return has_nan;
}

/* Turns cells into a message of which `rows` of `width` rows are written. */
static bool turn_message(const turning *how, const h3ou__picked *cells, const VALUE from[], int64_t n, int rows,
                         int64_t width, VALUE to[])
{
    if (how->has_room)
        return turn_from_room(how, cells, from, n, rows, to);
    BITS any = 0;
    for (int64_t i = 0; i < cells->count; i += TILE, to += TILE * width)
        any |= turn_tile(how, cells, i, i + TILE < cells->count ? TILE : cells->count - i, from, n, rows, width, to);
    return any >> TOP_BIT;
}

/* Turns cells past the caches if it is said and possible. */
static bool turn_some_way(const h3ou__picked *cells, bool is_past, const VALUE from[], int64_t n, int rows,
                          int64_t width, VALUE to[])
{
    bool is_cached = cells->all * width * (int64_t)sizeof *to <= CACHED;
    const turning *past = is_past ? turning_past_caches(rows, width, to) : NULL,
                  *through = is_cached ? &short_through_caches : &through_caches;
    return turn_message(past ? past : through, cells, from, n, rows, width, to);
}

bool TOGETHER(const h3ou__picked *cells, const VALUE from[], int64_t n, int rows, int64_t width, VALUE to[])
{
    static _Thread_local h3ou__store_way way;
    h3ou__cell_store store;
    if (!turning_past_caches(rows, width, to))
        return turn_some_way(cells, false, from, n, rows, width, to);
    h3ou__cell_store_begin(&store, &way, cells->all * width * (int64_t)sizeof *to);
    bool has_nan = turn_some_way(cells, store.is_past, from, n, rows, width, to);
    h3ou__cell_store_end(&store);
    return has_nan;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The copies of pack_cells.h, which are compiled once for each type of the values. The file that includes this has
 * defined VALUE, the type; BITS, the unsigned integer of its size; MARK, which makes of bits, of type BITS or vectors
 * of it, a number whose highest bit is set for a NaN; IN_16_BYTES, how many values these have; COPY, the copy of a run
 * of values, which returns whether one of them is NaN; ROWS and TOGETHER, the names of the two functions.
 */
#include "coupler/cells/pack_cells.h"

#include "base/single_precision.h"
#include "coupler/cells/line_values.h"
#include "coupler/cells/quiet_copy.h"
#include "coupler/cells/store_way.h"
#include "os/os_clock.h"

/* So many cells are copied together that their values stay in the first cache. Rows may lie a power of two apart, so
 * that they share few lines of a cache: of each row whole lines are read, of as many rows at once as fill a line of the
 * message. */
enum { TILE = 512, IN_LINE = LINE / sizeof(VALUE), FEW = 1 << 13, TOP_BIT = 8 * sizeof(BITS) - 1 };

enum { CACHED = 10000000 }; /* bytes of a message that stays in the last cache while it is made */

static inline BITS nan_mark(VALUE value)
{
    BITS bits;
    memcpy(&bits, &value, sizeof bits);
    return MARK(bits);
}

/* What was copied is looked at by H3OU__RUN values, in vectors. */
static BITS copy_scattered(const VALUE *restrict from, const int64_t at[], int64_t count, VALUE *restrict to)
{
    BITS any = 0;
    int64_t i = 0;
    for (; i + H3OU__RUN <= count; i += H3OU__RUN) {
        for (int k = 0; k < H3OU__RUN; k++)
            to[i + k] = from[at[i + k]];
        for (int k = 0; k < H3OU__RUN; k++)
            any |= nan_mark(to[i + k]);
    }
    for (; i < count; i++)
        any |= nan_mark(to[i] = from[at[i]]);
    return any;
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
    _mm_sfence(); /* what says that they are written comes after them */
    for (int k = 0; k < IN_PIECE; k++)
        any |= marks[k];
    for (; i < count; i++)
        any |= nan_mark(to[i] = from[i]);
    return any >> TOP_BIT;
}
#else
#define copy_past_caches COPY
#endif

/* A long run stays in no cache until its receiver reads it; of one that fits there the way is measured. */
static bool copy_run(int64_t count, const VALUE *from, VALUE *to)
{
    static _Thread_local h3ou__store_way way;
    if (count > H3OU__MANY)
        return copy_past_caches(count, from, to);
    if (count < FEW)
        return COPY(count, from, to);
    double begin = h3ou__now();
    bool has_nan = (h3ou__store_way_is_past(&way) ? copy_past_caches : COPY)(count, from, to);
    h3ou__store_way_took(&way, count * (int64_t)sizeof(VALUE), h3ou__now() - begin);
    return has_nan;
}

/* Picks values into room that stays in the first cache, and writes them past the caches from there. */
static bool copy_scattered_past_caches(const VALUE *from, const int64_t at[], int64_t count, VALUE *to)
{
    VALUE some[TILE];
    bool has_nan = false;
    for (int64_t i = 0; i < count; i += TILE) {
        int64_t part = count - i < TILE ? count - i : TILE;
        copy_scattered(from, at + i, part, some);
        has_nan |= copy_past_caches(part, some, to + i);
    }
    return has_nan;
}

/* Copies cells in an order of their own; the way is found as that of a run. */
static bool copy_in_order(const VALUE *from, const int64_t at[], int64_t count, VALUE *to)
{
    static _Thread_local h3ou__store_way way;
    if (count > H3OU__MANY)
        return copy_scattered_past_caches(from, at, count, to);
    if (count < FEW)
        return copy_scattered(from, at, count, to) >> TOP_BIT;
    double begin = h3ou__now();
    bool has_nan = h3ou__store_way_is_past(&way) ? copy_scattered_past_caches(from, at, count, to)
                                                 : copy_scattered(from, at, count, to) >> TOP_BIT;
    h3ou__store_way_took(&way, count * (int64_t)sizeof(VALUE), h3ou__now() - begin);
    return has_nan;
}

static bool copy_listed(const h3ou__picked *cells, const VALUE *from, VALUE *to)
{
    bool has_nan = false;
    if (!cells->ascends)
        return copy_in_order(from, cells->at, cells->count, to);
    for (int64_t i = 0, count; i < cells->count; i += count) {
        const int64_t *at = cells->at + i;
        int64_t left = cells->count - i;
        count = h3ou__run_length(at, left);
        if (count > 0) {
            has_nan |= copy_run(count, from + at[0], to + i);
        } else {
            count = left > H3OU__RUN ? H3OU__RUN : left;
            has_nan |= copy_scattered(from, at, count, to + i) >> TOP_BIT;
        }
    }
    return has_nan;
}

bool ROWS(const h3ou__picked *cells, const VALUE from[], int64_t n, int rows, VALUE to[])
{
    bool has_nan = false;
    for (int row = 0; row < rows && cells->count > 0; row++, from += n, to += cells->count)
        has_nan |= cells->is_run ? copy_run(cells->count, from + cells->at[0], to)
                                 : copy_listed(cells, from, to);
    return has_nan;
}

#ifdef __SSE2__
enum { IN_PIECE = sizeof(__m128i) / sizeof(VALUE) };
#endif

/* rows: a constant where this is inlined. */
INLINED BITS turn_rows(const VALUE *restrict from, int64_t n, const int64_t *restrict at, int64_t count, int64_t width,
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

static BITS turn_line(const VALUE *restrict from, int64_t n, const int64_t *restrict at, int64_t count, int64_t width,
                      VALUE *restrict to)
{
    return turn_rows(from, n, at, count, width, to, IN_LINE);
}

static BITS turn_half(const VALUE *restrict from, int64_t n, const int64_t *restrict at, int64_t count, int64_t width,
                      VALUE *restrict to)
{
    return turn_rows(from, n, at, count, width, to, IN_LINE / 2);
}

#ifdef __SSE2__
/* The same for whole lines of a cache, which are written past the caches: they are read by another process, and memory
 * that is only written need not be fetched first. */
static BITS turn_line_past_caches(const VALUE *restrict from, int64_t n, const int64_t *restrict at, int64_t count,
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
    _mm_sfence(); /* what says that they are written comes after them */
    return any;
}
#else
#define turn_line_past_caches turn_line
#endif

/* n: of the rows that the others turn, too; not needed for one. */
static BITS turn_one(const VALUE *restrict from, int64_t n, const int64_t *restrict at, int64_t count, int64_t width,
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

#ifdef __SSE2__
#include "coupler/cells/turn_neighbours.h"
#else
#define turn_neighbours_line        turn_line
#define turn_neighbours_half        turn_half
#define turn_neighbours_past_caches turn_line_past_caches
#endif

/* Turns rows of some cells: as many as fill a line, or half of one. */
typedef BITS turn(const VALUE *restrict from, int64_t n, const int64_t *restrict at, int64_t count, int64_t width,
                  VALUE *restrict to);

static const struct kernels {
    turn *line, *half, *line_past_caches;
} one_by_one = {turn_line, turn_half, turn_line_past_caches},
  by_squares = {turn_neighbours_line, turn_neighbours_half, turn_neighbours_past_caches};

/* Returns how many rows to turn at once: those of a line, of half of one, or one. */
static int rows_at_once(int left, int rows)
{
    if (rows < IN_LINE / 2)
        return 1;
    return rows < IN_LINE || left <= IN_LINE / 2 ? IN_LINE / 2 : IN_LINE;
}

/* Turns all rows of some cells. Of the last ones some are turned again, if fewer are left than are turned at once. */
static BITS turn_tile(const struct kernels *kernels, bool is_past, const VALUE *from, int64_t n, const int64_t *at,
                      int64_t count, int rows, int64_t width, VALUE *to)
{
    BITS any = 0;
    for (int row = 0, some; row < rows; row += some) {
        some = rows_at_once(rows - row, rows);
        bool is_whole = row + some <= rows;
        int first = is_whole ? row : rows - some;
        turn *call = some == 1 ? turn_one : some < IN_LINE ? kernels->half : kernels->line;
        if (is_past && is_whole && some == IN_LINE)
            call = kernels->line_past_caches;
        any |= call(from + first * n, n, at, count, width, to + first);
    }
    return any;
}

/* Returns whether most of the cells follow one another. */
static bool are_neighbours(const h3ou__picked *cells, const int64_t *at, int64_t count)
{
    return cells->ascends && at[count - 1] - at[0] < 2 * count;
}

/* Where a message of more than CACHED bytes is not written past the caches, its lines come from memory first: then cell
 * after cell is faster. */
bool TOGETHER(const h3ou__picked *cells, const VALUE from[], int64_t n, int rows, int64_t width, VALUE to[])
{
    BITS any = 0;
    bool is_past = h3ou__goes_past_caches(cells, width, sizeof *to, to),
         can_turn_squares = is_past || cells->all * width * (int64_t)sizeof *to <= CACHED;
    for (int64_t i = 0; i < cells->count; i += TILE, to += TILE * width) {
        const int64_t *at = cells->at + i;
        int64_t count = i + TILE < cells->count ? TILE : cells->count - i;
        any |= turn_tile(can_turn_squares && are_neighbours(cells, at, count) ? &by_squares : &one_by_one, is_past,
                         from, n, at, count, rows, width, to);
    }
    return any >> TOP_BIT;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#define VALUE       double
#define BITS        uint64_t
#define MARK        nan_marks_of
#define IN_16_BYTES 2
#define COPY        h3ou__copy_noting_nan
#define ROWS        h3ou__pack_rows
#define TOGETHER    h3ou__pack_together
#include "coupler/cells/pack_cells_inside.h"

#include <math.h>

#include "coupler/cells/take_cells.h"

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

/* Cells, and rows of them, that are rounded together: they stay in the first cache. */
enum { CELLS = 64, SOME_ROWS = 64 };

h3ou__picked h3ou__picked_part(const h3ou__picked *cells, int64_t i, int64_t most)
{
    int64_t count = cells->count - i < most ? cells->count - i : most;
    const int32_t *at = cells->at + i;
    bool is_run = cells->is_run || (cells->ascends && at[count - 1] - at[0] == count - 1);
    return (h3ou__picked){at, count, is_run, cells->ascends, cells->all};
}

/* Writes the cells of a row, which is taken from value `at` on. A run may have more than CELLS. */
static bool pack_floats_part(const h3ou__picked *part, const h3ou__floats *from, int64_t at, float to[])
{
    double some[CELLS];
    float single[CELLS];
    int64_t first = part->is_run ? at + part->at[0] : 0;
    if (from->single) {
        if (!part->is_run)
            h3ou__pack_single_rows(part, from->single + at, 0, 1, single);
        return h3ou__take_singles(from->missing, part->count, part->is_run ? from->single + first : single, to);
    }
    if (!part->is_run)
        h3ou__pack_rows(part, from->value + at, 0, 1, some);
    const double *value = part->is_run ? from->value + first : some;
    return isnan(from->missing) ? h3ou__narrow(part->count, value, to)
                                : h3ou__take_rounded(from->missing, part->count, value, to);
}

bool h3ou__pack_floats_rows(const h3ou__picked *cells, const h3ou__floats *from, int64_t at, int64_t n, int rows,
                            float to[])
{
    bool has_nan = false;
    for (int row = 0; row < rows && cells->count > 0; row++, at += n, to += cells->count)
        for (int64_t i = 0, count; i < cells->count; i += count) {
            h3ou__picked part = h3ou__picked_part(cells, i, cells->is_run ? cells->count : CELLS);
            count = part.count;
            has_nan |= pack_floats_part(&part, from, at, to + i);
        }
    return has_nan;
}

/* Turns `rows` rows, of CELLS values each, of which the first `count` are taken. */
static void turn_some(const float *restrict from, int64_t count, int rows, int64_t width, float *restrict to)
{
    int64_t i = 0;
#ifdef __SSE2__
    for (; i + 4 <= count; i += 4, to += 4 * width) {
        int row = 0;
        for (; row + 4 <= rows; row += 4) {
            __m128 x[4];
            for (int k = 0; k < 4; k++)
                x[k] = _mm_loadu_ps(from + (row + k) * CELLS + i);
            _MM_TRANSPOSE4_PS(x[0], x[1], x[2], x[3]);
            for (int k = 0; k < 4; k++)
                _mm_storeu_ps(to + k * width + row, x[k]);
        }
        for (; row < rows; row++)
            for (int k = 0; k < 4; k++)
                to[k * width + row] = from[row * CELLS + i + k];
    }
#endif
    for (; i < count; i++, to += width)
        for (int row = 0; row < rows; row++)
            to[row] = from[row * CELLS + i];
}

#ifdef __SSE2__
/* Turns rows that are all those of a message, and writes it past the caches: another process reads it, and memory that
 * is only written need not be fetched first. */
static void turn_past_caches(const float *from, int64_t count, int rows, float *to)
{
    float cell[4 * SOME_ROWS];
    for (int64_t i = 0; i < count; i += 4) {
        int cells = count - i < 4 ? (int)(count - i) : 4;
        turn_some(from + i, cells, rows, rows, cell);
        for (int k = 0; k < cells * rows; k += 4, to += 4)
            _mm_stream_ps(to, _mm_loadu_ps(cell + k));
    }
}

/* Returns whether turn_past_caches is of use, and can be used. */
static bool goes_past_caches(int64_t count, int rows, int64_t width, const float *to)
{
    return count * width > H3OU__MANY && rows == width && rows <= SOME_ROWS && width % 4 == 0 &&
           (uintptr_t)to % sizeof(__m128) == 0;
}
#else
#define turn_past_caches(from, count, rows, to)  turn_some(from, count, rows, rows, to)
#define goes_past_caches(count, rows, width, to) false
#endif

/* Fetches the values of the cells that are rounded next. Without, these come from memory row by row. */
static void fetch_ahead(const h3ou__picked *cells, int64_t i, const h3ou__floats *from, int64_t at)
{
    if (i + 2 * CELLS > cells->count)
        return;
    size_t size = from->single ? sizeof *from->single : sizeof *from->value;
    const char *row = (from->single ? (const char *)from->single : (const char *)from->value) + at * (int64_t)size;
    for (int64_t k = i + CELLS; k < i + 2 * CELLS; k += LINE / (int64_t)size)
        __builtin_prefetch(row + cells->at[k] * (int64_t)size);
}

bool h3ou__pack_floats_together(const h3ou__picked *cells, const h3ou__floats *from, int64_t at, int64_t n, int rows,
                                int64_t width, float to[])
{
    float some[SOME_ROWS * CELLS];
    bool has_nan = false, is_past = goes_past_caches(cells->all, rows, width, to);
    for (int64_t i = 0; i < cells->count; i += CELLS, to += CELLS * width) {
        h3ou__picked part = h3ou__picked_part(cells, i, CELLS);
        for (int row = 0, count; row < rows; row += count) {
            count = rows - row < SOME_ROWS ? rows - row : SOME_ROWS;
            for (int k = 0; k < count; k++) {
                fetch_ahead(cells, i, from, at + (row + k) * n);
                has_nan |= pack_floats_part(&part, from, at + (row + k) * n, some + k * CELLS);
            }
            if (is_past)
                turn_past_caches(some, part.count, rows, to);
            else
                turn_some(some, part.count, count, width, to + row);
        }
    }
    end_lines(is_past);
    return has_nan;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* The copies of pack_cells.h whose message has floats, in place of doubles, or of floats of which some are missing. */
#include <math.h>

#include "base/four_values.h"
#include "base/single_precision.h"
#include "base/vector_clones.h"
#include "coupler/cells/line_values.h"
#include "coupler/cells/pack_cells.h"
#include "coupler/cells/store_cells.h"
#include "coupler/cells/take_cells.h"

/* Cells, and rows of them, that are rounded together: they stay in the first cache. */
enum { CELLS = 64, SOME_ROWS = 64 };

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

/* So many rows of as many cells are rounded and turned together, as vectors. */
enum { SQUARE = 4 };

typedef h3ou__four_floats four_floats;
typedef h3ou__four_mask four_sizes;
typedef uint64_t four_bits __attribute__((vector_size(SQUARE * sizeof(double))));

INLINED uint64_t any_of(const four_bits *x)
{
    return (*x)[0] | (*x)[1] | (*x)[2] | (*x)[3];
}

/* Sets the highest bits of *marks where a value is missing, NaN, or too large for a float. */
INLINED void mark_special(h3ou__missing_bits missing, const four_bits *bits, four_bits *marks)
{
    *marks |= (*bits & ~SIGN) + (SIGN - H3OU__BEYOND_SINGLE);
    *marks |= (four_bits)((*bits & missing.compared) == missing.number);
}

/* Changes values to those that are rounded to the right float without a floating-point exception: a quiet NaN for the
 * missing value and for each NaN, and infinity for one that is too large. Sets all bits of *nans where NaN is among
 * them. */
INLINED void soften(h3ou__missing_bits missing, four_bits *bits, four_bits *nans)
{
    const uint64_t infinity = UINT64_C(0x7ff0000000000000), quiet = UINT64_C(1) << 51;
    four_bits is_missing = (four_bits)((*bits & missing.compared) == missing.number), size = *bits & ~SIGN;
    four_bits is_nan = is_missing | (four_bits)((four_sizes)size > (int64_t)infinity);
    four_bits is_beyond = (four_bits)((four_sizes)size >= (int64_t)H3OU__BEYOND_SINGLE) & ~is_nan;
    *bits = (*bits & ~is_missing) | (is_missing & infinity) | (is_nan & quiet);
    *bits = (*bits & ~(is_beyond & ~SIGN)) | (is_beyond & infinity);
    *nans |= is_nan;
}

/* Rounds and turns SQUARE cells of as many rows, which begin n values apart. */
INLINED void round_square(h3ou__missing_bits missing, const double *from, int64_t n, int64_t width, float *to,
                          four_bits *nans)
{
    four_bits bits[SQUARE], marks = {0};
    four_floats x[SQUARE];
#pragma GCC unroll 4
    for (int k = 0; k < SQUARE; k++) {
        memcpy(&bits[k], from + k * n, sizeof bits[k]);
        mark_special(missing, &bits[k], &marks);
    }
    for (int k = 0; k < SQUARE && any_of(&marks) >> 63; k++)
        soften(missing, &bits[k], nans);
#pragma GCC unroll 4
    for (int k = 0; k < SQUARE; k++)
        x[k] = __builtin_convertvector((h3ou__four)bits[k], four_floats);
    h3ou__transpose_four_floats(x);
#pragma GCC unroll 4
    for (int k = 0; k < SQUARE; k++)
        memcpy(to + k * width, &x[k], sizeof x[k]);
}

/* Rounds and turns cells that follow one another, SQUARE of them at least, of as many rows or more; of the last ones
 * some are turned again, if they fill no square. What stands CELLS further on, where the next cells mostly are, is
 * fetched; it may lie behind the array. Returns whether a float is NaN. */
CLONES static bool round_run(double no_value, const double *restrict from, int64_t n, int64_t count, int rows,
                             int64_t width, float *restrict to)
{
    four_bits nans = {0};
    const h3ou__missing_bits missing = h3ou__missing_bits_of(no_value);
    for (int row = 0; row < rows; row += SQUARE) {
        int r = row + SQUARE <= rows ? row : rows - SQUARE;
        for (int64_t i = 0; i < count; i += SQUARE) {
            int64_t c = i + SQUARE <= count ? i : count - SQUARE;
            for (int k = 0; k < SQUARE && i % LINE_VALUES == 0; k++)
                __builtin_prefetch(from + (r + k) * n + i + CELLS);
            round_square(missing, from + r * n + c, n, width, to + c * width + r, &nans);
        }
    }
    return any_of(&nans) != 0;
}

/* Turns `rows` rows, of CELLS values each, of which the first `count` are taken. */
static void turn_some(const float *restrict from, int64_t count, int rows, int64_t width, float *restrict to)
{
    int64_t i = 0;
    for (; i + SQUARE <= count; i += SQUARE, to += SQUARE * width) {
        int row = 0;
        for (; row + SQUARE <= rows; row += SQUARE) {
            four_floats x[SQUARE];
            for (int k = 0; k < SQUARE; k++)
                memcpy(&x[k], from + (row + k) * CELLS + i, sizeof x[k]);
            h3ou__transpose_four_floats(x);
            for (int k = 0; k < SQUARE; k++)
                memcpy(to + k * width + row, &x[k], sizeof x[k]);
        }
        for (; row < rows; row++)
            for (int k = 0; k < SQUARE; k++)
                to[k * width + row] = from[row * CELLS + i + k];
    }
    for (; i < count; i++, to += width)
        for (int row = 0; row < rows; row++)
            to[row] = from[row * CELLS + i];
}

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

/* Rounds and turns the next CELLS cells, from cell i on. */
static bool turn_part(const h3ou__picked *cells, int64_t i, const h3ou__floats *from, int64_t at, int64_t n, int rows,
                      int64_t width, float to[])
{
    float some[SOME_ROWS * CELLS];
    h3ou__picked part = h3ou__picked_part(cells, i, CELLS);
    bool has_nan = false;
    if (part.is_run && !from->single && part.count >= SQUARE && rows >= SQUARE)
        return round_run(from->missing, from->value + at + part.at[0], n, part.count, rows, width, to);
    for (int row = 0, count; row < rows; row += count) {
        count = rows - row < SOME_ROWS ? rows - row : SOME_ROWS;
        for (int k = 0; k < count; k++) {
            fetch_ahead(cells, i, from, at + (row + k) * n);
            has_nan |= pack_floats_part(&part, from, at + (row + k) * n, some + k * CELLS);
        }
        turn_some(some, part.count, count, width, to + row);
    }
    return has_nan;
}

/* Rows that are all those of a long message are turned in room of their own, from which it is written past the caches:
 * another process reads it, and memory that is only written need not be fetched first. */
bool h3ou__pack_floats_together(const h3ou__picked *cells, const h3ou__floats *from, int64_t at, int64_t n, int rows,
                                int64_t width, float to[])
{
    _Alignas(LINE) float room[SOME_ROWS * CELLS];
    bool has_nan = false, is_past = cells->all * width > H3OU__MANY && rows == width && rows <= SOME_ROWS;
    for (int64_t i = 0; i < cells->count; i += CELLS, to += CELLS * width) {
        has_nan |= turn_part(cells, i, from, at, n, rows, width, is_past ? room : to);
        if (is_past)
            h3ou__store_past(sizeof *to * (size_t)(width * (cells->count - i < CELLS ? cells->count - i : CELLS)), room,
                             to);
    }
    end_lines(is_past);
    return has_nan;
}

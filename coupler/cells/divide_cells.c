/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/cells/divide_cells.h"

#include "coupler/cells/line_values.h"
#include "coupler/cells/vector_clones.h"

enum { AHEAD = 512 }; /* how many values before a cell is divided its values are fetched */

/* Returns whether the values of a message, `width` of each cell, are written past the caches, by whole lines from `to`
 * on: memory that is only written need not be fetched first. */
static bool goes_past_caches(const h3ou__picked *cells, int64_t width, const double *to)
{
    return cells->all * width > H3OU__MANY && width % LINE_VALUES == 0 && (uintptr_t)to % LINE == 0;
}

/* Divides the values of so many rows, one of each, that stand n apart. They are those of a whole line where `rows` is
 * LINE_VALUES; it is a constant where this is inlined. */
INLINED void divide_cell(const double *from, int64_t n, int rows, double by, double times, bool is_past, double *to,
                         line_numbers *any)
{
    bool counts = by > 0.0;
    double some[LINE_VALUES] = {0};
    line_values value;
    for (int row = 0; row < rows; row++)
        some[row] = from[row * n];
    memcpy(&value, some, sizeof value);
    line_numbers bits = (line_numbers)(value) & -(uint64_t)counts;
    value = (line_values)bits / (counts ? by : 1.0) * times;
    *any |= nan_marks_of((line_numbers)value);
    if (rows == LINE_VALUES)
        store_line(&value, is_past, to);
    else
        memcpy(to, &value, sizeof *to * (size_t)rows);
}

/* The same of some rows of all cells. */
INLINED void divide_rows(const h3ou__picked *cells, const double *from, int64_t n, int rows, int64_t width,
                         const double *by, double times, bool is_past, double *to, line_numbers *any)
{
    for (int64_t i = 0; i < cells->count; i++) {
        if (is_past && i % LINE_VALUES == 0) /* a processor reads ahead only within a page */
            for (int row = 0; row < rows; row++)
                __builtin_prefetch(from + cells->at[i] + row * n + AHEAD);
        divide_cell(from + cells->at[i], n, rows, by[i], times, is_past, to + i * width, any);
    }
}

CLONES bool h3ou__divide_together(const h3ou__picked *cells, const double from[], int64_t n, int rows, int64_t width,
                                  const double by[], double times, double to[])
{
    bool is_past = goes_past_caches(cells, width, to);
    line_numbers any = {0};
    int row = 0;
    for (; row + LINE_VALUES <= rows; row += LINE_VALUES)
        if (is_past)
            divide_rows(cells, from + row * n, n, LINE_VALUES, width, by, times, true, to + row, &any);
        else
            divide_rows(cells, from + row * n, n, LINE_VALUES, width, by, times, false, to + row, &any);
    if (row > 0 && row < rows) { /* the last rows, as many as fill a line: some of them are divided again */
        row = rows - LINE_VALUES;
        divide_rows(cells, from + row * n, n, LINE_VALUES, width, by, times, false, to + row, &any);
        row = rows;
    }
    for (; row + 2 <= rows; row += 2)
        divide_rows(cells, from + row * n, n, 2, width, by, times, false, to + row, &any);
    for (; row < rows; row++)
        divide_rows(cells, from + row * n, n, 1, width, by, times, false, to + row, &any);
    end_lines(is_past);
    return is_any_nan(&any);
}

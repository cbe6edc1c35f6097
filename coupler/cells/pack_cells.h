/* SPDX-License-Identifier: BSD-3-Clause */
/* Copying the cells that a message has out of rows of values: a row has a value for each cell of the grid. */
#ifndef H3OU_COUPLER_CELLS_PACK_CELLS_H
#define H3OU_COUPLER_CELLS_PACK_CELLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "coupler/cells/taken_bits.h"

/* The cells of one message. */
typedef struct h3ou__picked {
    const int32_t *at; /* [count] places in a row; borrowed */
    int64_t count;
    bool is_run;  /* each place follows the one before */
    bool ascends; /* each place is greater than the one before */
    int64_t all;  /* cells of the whole message, of which these may be a part */
} h3ou__picked;

h3ou__picked h3ou__picked_of(const int32_t at[], int64_t count);
/* Returns some of the cells from cell i on, `most` at most. Most parts of a list that ascends are runs, though it is
 * none. */
h3ou__picked h3ou__picked_part(const h3ou__picked *cells, int64_t i, int64_t most);

enum { H3OU__RUN = 32 }; /* places that follow one another are looked for by so many */

/* Returns how many places, a multiple of H3OU__RUN, follow one another from the first one on. Places ascend, so those
 * between two that are as far apart as they are in the list follow one another, too: few of them are read. */
static inline int64_t h3ou__run_length(const int32_t at[], int64_t count)
{
    int64_t run = 0, step = H3OU__RUN;
    for (; run + step <= count && at[run + step - 1] == at[0] + run + step - 1; step *= 2)
        run += step;
    for (step /= 2; step >= H3OU__RUN; step /= 2)
        if (run + step <= count && at[run + step - 1] == at[0] + run + step - 1)
            run += step;
    return run;
}

enum { H3OU__MANY = 1 << 18 }; /* so many values do not stay in the caches until somebody reads them */

/* Returns a number whose highest bit is set when the value is NaN. It looks at the bits, because comparing a NaN may
 * raise a floating-point exception. */
static inline uint64_t h3ou__nan_mark(double value)
{
    return h3ou__nan_mark_of(h3ou__bits_of(&value));
}

/* Sets to[row * count + i] to from[row * n + at[i]]. Returns whether one of the values is NaN. */
bool h3ou__pack_rows(const h3ou__picked *cells, const double from[], int64_t n, int rows, double to[]);
/* Sets to[i * width + row] to the same. Returns whether one of the values is NaN. */
bool h3ou__pack_together(const h3ou__picked *cells, const double from[], int64_t n, int rows, int64_t width,
                         double to[]);
/* The same of a part of a message. is_past: it is written past the caches, if that is possible, and the caller ends the
 * store (store_cells.h). */
bool h3ou__pack_part_together(const h3ou__picked *cells, bool is_past, const double from[], int64_t n, int rows,
                              int64_t width, double to[]);

/* The same of values of float. */
bool h3ou__pack_single_rows(const h3ou__picked *cells, const float from[], int64_t n, int rows, float to[]);
bool h3ou__pack_single_together(const h3ou__picked *cells, const float from[], int64_t n, int rows, int64_t width,
                                float to[]);

/* Values that a message has as floats. */
typedef struct h3ou__floats {
    const double *value;
    const float *single; /* in place of value, or NULL */
    double missing;      /* cells with this value, rounded where `single` is given, have none; NaN: all have one */
} h3ou__floats;

/* Write the cells of `rows` rows as floats, as the functions above: row k of the values begins at at + k * n. What is
 * missing, and each NaN, is written as a quiet NaN. Return whether one of the floats is NaN. */
bool h3ou__pack_floats_rows(const h3ou__picked *cells, const h3ou__floats *from, int64_t at, int64_t n, int rows,
                            float to[]);
bool h3ou__pack_floats_together(const h3ou__picked *cells, const h3ou__floats *from, int64_t at, int64_t n, int rows,
                                int64_t width, float to[]);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Copying values of cells out of a model's array. */
#ifndef H3OU_COUPLER_CELLS_TAKE_CELLS_H
#define H3OU_COUPLER_CELLS_TAKE_CELLS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct h3ou__taking {
    double missing; /* this value is taken as NaN; NaN: none is */
    bool is_past; /* what is only written is written past the caches: nobody reads it soon. The caller ends it by
                   * end_lines (line_values.h), or ends the store of the message */
} h3ou__taking;

/* Sets to[i] to from[i], i < n: a NaN to a quiet one, the missing value to NaN, and to 0 where share[i] is 0. share
 * may be NULL: all cells count; no share is NaN. The arrays do not overlap. Returns whether one of
 * the new values is NaN. Raises no floating-point exception for a NaN or for what stands in cells that do not count. */
bool h3ou__take_cells(const h3ou__taking *t, int64_t n, const double from[], const double share[], double to[]);

/* The same of all cells, where each value is rounded as h3ou__quiet_single does. */
bool h3ou__take_rounded(double missing, int64_t n, const double from[], float to[]);
/* The same of floats. missing: it is rounded, too. */
bool h3ou__take_singles(double missing, int64_t n, const float from[], float to[]);

#endif

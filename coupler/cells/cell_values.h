/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Loops over the values of a row, one for each cell, made of vectors. None of them raises a floating-point exception
 * for what stands in cells that do not count. The arrays of a function do not overlap.
 */
#ifndef H3OU_COUPLER_CELLS_CELL_VALUES_H
#define H3OU_COUPLER_CELLS_CELL_VALUES_H

#include <stdbool.h>
#include <stdint.h>

/* Returns whether all shares are from 0 to 1; false for one that is NaN or the negative zero. */
bool h3ou__cells_are_shares(int64_t n, const double share[]);
/* Copies shares; returns the same. */
bool h3ou__cells_copy_shares(int64_t n, const double from[], double share[]);
/* Sets the values of cells with share 0 to 0. Returns whether one of the others is NaN. No share is NaN. */
bool h3ou__cells_clear(int64_t n, const double share[], double value[]);
/* Writes pairs of a share and a value: pairs[2 * i] = share[i], pairs[2 * i + 1] = value[i], or 0 with share 0. Returns
 * whether one of the values is NaN then. No share is NaN. */
bool h3ou__cells_pair(int64_t n, const double share[], const double value[], double pairs[]);
/* Takes pairs apart. */
void h3ou__cells_split(int64_t n, const double pairs[], double share[], double value[]);
/* Adds the values so many times, once at least, one time after the other, to the sums, or to 0 where these begin. */
void h3ou__cells_add_times(int64_t n, const double value[], int64_t times, bool begins, double sum[]);
/* sum += weight * value. */
void h3ou__cells_add(int64_t n, double weight, const double value[], double sum[]);
/* Sets the values to value / weight * times, and to 0 where the weight is not above 0. Returns whether one of them is
 * NaN. No weight is NaN. */
bool h3ou__cells_divide(int64_t n, const double weight[], double times, double value[]);

#endif

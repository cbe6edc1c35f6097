/* SPDX-License-Identifier: BSD-3-Clause */
/* Recognises lists of cells whose centres stand in rows along circles of latitude, as in reduced Gaussian grids, by the
 * centres alone and in any order of the cells: the list has few latitudes for its number of cells. */
#ifndef H3OU_INTERP_ROWS_LATITUDE_ROWS_H
#define H3OU_INTERP_ROWS_LATITUDE_ROWS_H

#include "interp/grid/cells.h"

/* Could the cells be such a list? They have no rows and columns, and they are points or longitude-latitude boxes. */
bool h3ou__latitude_rows_possible(const h3ou__cells *c);
/* The length of a table of the latitudes of a grid that has n cells in all. */
int64_t h3ou__latitude_rows_room(int64_t n);
/* Enters the cells' latitudes in a table [h3ou__latitude_rows_room]; the maximum of several processes' tables is that
 * of all their cells. */
void h3ou__latitude_rows_enter(const h3ou__cells *c, int64_t n, int64_t table[]);
/* Sets latitude_rows and dims[0] of the cells by the table of the whole grid, which has n cells. */
void h3ou__latitude_rows_set(h3ou__cells *c, int64_t n, const int64_t table[]);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Masks of grids from the values of variables. */
#ifndef H3OU_INTERP_FILE_NETCDF_FIELD_MASK_H
#define H3OU_INTERP_FILE_NETCDF_FIELD_MASK_H

#include "interp/file/netcdf/reader.h"

/* The mask by a variable's missing values: cells whose value at the first time and level is missing are masked. The
 * variable's last dimensions hold the n cells. *out stays NULL, and r->reading says why, where that changes in time (of
 * up to 32 times, fewer in large grids, the first and the last among them): then there is no mask. */
int h3ou__nc_field_mask(const h3ou__nc *r, const h3ou__nc_var *field, size_t n, int **out);
/* Does the user leave the choice of the mask to the file? Else its own need not be read. */
bool h3ou__nc_mask_is_own(const h3ou__nc *r);
/* The variable of the same file that the user names, "" if he does not. */
const char *h3ou__nc_mask_variable(const h3ou__nc *r, char name[NC_MAX_NAME + 1]);
/* The mask that the user wishes; *out stays NULL where he leaves it to the file or wants none. A mask that changes in
 * time is an error. */
int h3ou__nc_wanted_mask(const h3ou__nc *r, size_t n, int **out);
/* The same for grids that are no files. */
int h3ou__wanted_mask(h3ou__grid_reading *reading, const char *grid, size_t n, int **out);
/* The mask of a format, an integer for each cell, of which `masked` stands for cells that take no part: 0, or 1 where
 * only 1 does. */
int h3ou__nc_int_mask(const h3ou__nc *r, const char *name, size_t n, int masked, int **out);
/* The cells of a grid in a file, as h3ou__cells_create_masking; bad ones are what r->reading says. */
int h3ou__nc_cells(const h3ou__nc *r, const char *name, size_t n, const double lon[], const double lat[],
                   const int mask[], h3ou__cells **out);
/* Notes for the report that `what` masks cells. */
void h3ou__nc_note_mask(const h3ou__nc *r, const char *what, size_t n, const int mask[]);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* A NetCDF file that is only read. Every value is checked before it is used; every error is H3OU__EFILE (or
 * H3OU__ENOMEM) and names the file and the variable. */
#ifndef H3OU_INTERP_FILE_NETCDF_READER_H
#define H3OU_INTERP_FILE_NETCDF_READER_H

#include <netcdf.h>
#include <stdbool.h>
#include <stdint.h>

#include "interp/file/netcdf/grid_reading.h"
#include "interp/grid/cells.h"

typedef struct h3ou__nc {
    const char *file; /* borrowed */
    const char *base; /* its name without folders */
    const char *grid; /* which of several grids in the file is asked for; NULL: none is named */
    h3ou__grid_reading *reading; /* the user's wishes, borrowed; NULL: none */
    int id;
} h3ou__nc;

enum { H3OU__NC_RANK = 8 }; /* variables of more dimensions are not looked at */

typedef struct h3ou__nc_var {
    int id, rank, dim[H3OU__NC_RANK];
    size_t size[H3OU__NC_RANK], all; /* all: their product */
    nc_type type;
    char name[NC_MAX_NAME + 1];
} h3ou__nc_var;

/* A file that is shorter than its header says is an error here, so that sizes from a header may be allocated. */
int h3ou__nc_open(const char *file, h3ou__nc *out);
void h3ou__nc_close(h3ou__nc *r);
int h3ou__nc_bad(const h3ou__nc *r, const char *variable, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Puts file and variables before the sentence of a failed callee; the code becomes H3OU__EFILE, unless memory failed.
 */
int h3ou__nc_bad_in(const h3ou__nc *r, const char *variables, int err);
int h3ou__nc_no_memory(const h3ou__nc *r, const char *variable);

bool h3ou__nc_look(const h3ou__nc *r, int id, h3ou__nc_var *out);           /* false: not a variable of numbers */
bool h3ou__nc_find(const h3ou__nc *r, const char *name, h3ou__nc_var *out); /* the same by name */
/* Must be there and have n values (0: any number). */
int h3ou__nc_need(const h3ou__nc *r, const char *name, size_t n, h3ou__nc_var *out);
bool h3ou__nc_has(const h3ou__nc *r, const char *name); /* a variable of any type */
bool h3ou__nc_size(const h3ou__nc *r, const char *dimension, size_t *size);
/* The text of an attribute of a variable or NC_GLOBAL; "" when there is none. */
char *h3ou__nc_text(const h3ou__nc *r, int variable, const char *name, char *text, size_t room);
bool h3ou__nc_number(const h3ou__nc *r, int variable, const char *name, double *value);

int h3ou__nc_doubles(const h3ou__nc *r, const h3ou__nc_var *v, double **out);  /* all values; free() */
int h3ou__nc_unpacked(const h3ou__nc *r, const h3ou__nc_var *v, double **out); /* scale_factor, add_offset applied */
int h3ou__nc_ints(const h3ou__nc *r, const h3ou__nc_var *v, int **out);
/* The factor from the variable's values to radians: by its units, or, if it has none, those of `parent` (NULL:
 * degrees). */
int h3ou__nc_factor(const h3ou__nc *r, const h3ou__nc_var *v, const h3ou__nc_var *parent, double *factor);
int h3ou__nc_angles(const h3ou__nc *r, const h3ou__nc_var *v, const h3ou__nc_var *parent, double **out);
/* Areas in steradians. When the units are others, *out stays NULL and a line is logged. Cells of which the mask (or NULL)
 * is 0 may have any; what is none becomes 0. */
int h3ou__nc_areas(const h3ou__nc *r, const char *name, size_t n, const unsigned char mask[], double **out);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A NetCDF file of texts and of arrays [rows][cells], which are written and read in pieces. It is written beside its name,
 * with ".part" behind, and gets its name when all of it is on the disk; what had this name before then has ".former" behind
 * its own. So one complete file has the name at any moment from the first writing on.
 */
#ifndef H3OU_INTERP_FILE_NETCDF_STATE_FILE_H
#define H3OU_INTERP_FILE_NETCDF_STATE_FILE_H

#include <stdint.h>

enum { H3OU__STATE_PATH = 4096 };

typedef struct h3ou__state_file {
    char file[H3OU__STATE_PATH], part[H3OU__STATE_PATH];
    int id, code; /* code: of the first failure, a NetCDF code or errno; later calls of the writer do nothing then */
} h3ou__state_file;

int h3ou__state_file_create(const char *file, h3ou__state_file *s);
void h3ou__state_file_text(h3ou__state_file *s, const char *name, const char *text);
/* Returns the variable's id. check: a number that is kept with it. rows and cells are above 0. */
int h3ou__state_file_array(h3ou__state_file *s, const char *name, int64_t rows, int64_t cells, int64_t check);
void h3ou__state_file_begin(h3ou__state_file *s); /* texts and arrays are named, values begin */
/* Writes the cells first to first + count - 1 of all rows; value: [rows][count]. */
void h3ou__state_file_put(h3ou__state_file *s, int var, int64_t rows, int64_t first, int64_t count, const double value[]);
/* Gives the file its name; after any failure removes what was written instead, and says why: H3OU__EFILE. */
int h3ou__state_file_finish(h3ou__state_file *s);

/* For reading. A file that is shorter than its header says is an error. */
int h3ou__state_file_open(const char *file, h3ou__state_file *s);
/* Sets *text, which the caller frees; NULL when the file has no such text. */
int h3ou__state_file_find_text(const h3ou__state_file *s, const char *name, char **text);
int h3ou__state_file_find_array(const h3ou__state_file *s, const char *name, int64_t rows, int64_t cells, int *var, int64_t *check);
int h3ou__state_file_get(const h3ou__state_file *s, int var, int64_t rows, int64_t first, int64_t count, double value[]);
void h3ou__state_file_close(h3ou__state_file *s);

#endif

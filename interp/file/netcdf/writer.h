/* SPDX-License-Identifier: BSD-3-Clause */
/* A NetCDF file that is written: under a temporary name in the same folder, and renamed when it is complete. */
#ifndef H3OU_INTERP_FILE_NETCDF_WRITER_H
#define H3OU_INTERP_FILE_NETCDF_WRITER_H

#include <netcdf.h>
#include <stdint.h>

typedef struct h3ou__ncw {
    const char *file; /* borrowed */
    char beside[4096];
    int id, code; /* of the first failure; later calls do nothing then */
} h3ou__ncw;

int h3ou__ncw_create(const char *file, h3ou__ncw *out);
int h3ou__ncw_close(h3ou__ncw *w); /* H3OU__EFILE, and no file, after any failure */

int h3ou__ncw_dim(h3ou__ncw *w, const char *name, int64_t size);
int h3ou__ncw_var(h3ou__ncw *w, const char *name, nc_type type, int rank, const int dims[], const char *units);
void h3ou__ncw_text(h3ou__ncw *w, int variable, const char *name, const char *text);
void h3ou__ncw_begin(h3ou__ncw *w); /* definitions end, values begin */

void h3ou__ncw_doubles(h3ou__ncw *w, int id, const double value[]);
void h3ou__ncw_chars(h3ou__ncw *w, int id, const char value[]); /* as many as the variable has */
void h3ou__ncw_bytes(h3ou__ncw *w, int id, const signed char value[]);
/* n values plus `add`; from 32 bits, from flags. */
void h3ou__ncw_ints(h3ou__ncw *w, int id, int64_t n, const int32_t value[], int add);
void h3ou__ncw_flags(h3ou__ncw *w, int id, int64_t n, const unsigned char value[]);
/* How many each row has: start[i + 1] - start[i]. */
void h3ou__ncw_counts(h3ou__ncw *w, int id, int64_t n, const int64_t start[]);
/* The number of the row, plus `add`, of each of its entries. */
void h3ou__ncw_rows(h3ou__ncw *w, int id, int64_t n, const int64_t start[], int add);
/* value[i] * factor. */
void h3ou__ncw_scaled(h3ou__ncw *w, int id, int64_t n, const double value[], double factor);

#endif

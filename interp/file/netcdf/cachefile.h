/* SPDX-License-Identifier: BSD-3-Clause */
/* The cache's NetCDF file: links by rows, fixed values, and the key of what they were made from. Its names are SCRIP's,
 * so other tools can look at it, but it has no grids. */
#ifndef H3OU_INTERP_FILE_NETCDF_CACHEFILE_H
#define H3OU_INTERP_FILE_NETCDF_CACHEFILE_H

#include <stdint.h>

typedef struct h3ou__cachefile h3ou__cachefile;

/* 1: a complete file with this key; 0: no such file; below 0 (with a sentence): broken, or with another key. */
int h3ou__cachefile_check(const char *file, const char *key);
/* Part `rank` of `size` equal parts of the links; fixed values go to part 0. Arrays are the caller's to free. */
int h3ou__cachefile_read(const char *file, int rank, int size, int64_t *n, int **send, int **recv, double **coef,
                         int64_t *nfixed, int **fixed, double **value);
/* Writes under a temporary name; close renames the file, or removes it when it is incomplete or keep is 0. */
int h3ou__cachefile_create(const char *file, const char *key, const char *how, int64_t nlink, int64_t nfixed,
                           h3ou__cachefile **out);
int h3ou__cachefile_append(h3ou__cachefile *c, int64_t n, const int send[], const int recv[], const double coef[],
                           int64_t nfixed, const int fixed[], const double value[]);
int h3ou__cachefile_close(h3ou__cachefile *c, int keep);

#endif

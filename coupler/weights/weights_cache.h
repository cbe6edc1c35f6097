/* SPDX-License-Identifier: BSD-3-Clause */
/* Weights kept from run to run, under a name made of all that they depend on: two grids, methods and options. */
#ifndef H3OU_COUPLER_WEIGHTS_WEIGHTS_CACHE_H
#define H3OU_COUPLER_WEIGHTS_WEIGHTS_CACHE_H

#include "comm/comm.h"
#include "coupler/grid/grid.h"
#include "coupler/weights/make_online.h"
#include "interp/weights/weights.h"

enum { H3OU__DIGEST = 4 }; /* numbers of 32 bits */

/* The digest of a grid's coordinates, corners, mask, areas, edges and shape, the same however its cells are spread.
 * Collective over its component. */
int h3ou__cache_grid(const h3ou__grid *g, h3ou__comm *local, int64_t digest[H3OU__DIGEST]);
/* Writes the name of the file, "FOLDER/h3ou-0123456789abcdef.nc", and the whole key, 32 hexadecimal digits. */
void h3ou__cache_name(const h3ou__make_online_task *task, const int64_t source[H3OU__DIGEST],
                      const int64_t target[H3OU__DIGEST], char *file, int size, char key[65]);

/* The links and fixed values that one process holds. */
typedef struct h3ou__cache_rows {
    int64_t n;
    int *send, *recv; /* [n] global indices, from 1 */
    double *coef;
    int64_t nfixed;
    int *fixed;    /* [nfixed] target indices, from 1; negative: of a target that the sources cover in part, and whose values stand for that part */
    double *value; /* [nfixed] the fixed value, or the fraction of the target that is covered */
} h3ou__cache_rows;
void h3ou__cache_rows_free(h3ou__cache_rows *r);
/* Adds what stands beside the links of target i of w, whose index is `index`: its fixed value, or its fraction. The arrays have room. */
void h3ou__cache_rows_add_beside(h3ou__cache_rows *r, const h3ou__weights *w, int64_t i, int index);
/* Returns whether there is a whole file for this key. A file that is damaged, or has another key, is logged. */
bool h3ou__cache_has(const char *file, const char *key);
/* Reads this process's share of the file's links. */
int h3ou__cache_read(const char *file, int rank, int size, h3ou__cache_rows *out);
/* Collective over the component: rank 0 writes what all have, process by process. What fails is a line in the log, not
 * an error: the run does not need the file. */
int h3ou__cache_write(const char *file, const char *key, h3ou__world *world, h3ou__comm *local,
                      const h3ou__cache_rows *mine, const char *how);

#endif

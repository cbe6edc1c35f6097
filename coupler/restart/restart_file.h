/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The restart file of a component: its rank 0 writes and reads it, and the values of all processes pass through it in
 * pieces of bounded size, ordered by the cells' global indices. So any number of processes may read what another number
 * wrote. Each array has a sum over its values' bits, which says whether it was read as it was written.
 *
 * All calls are collective over the component; an error of rank 0 is that of all.
 */
#ifndef H3OU_COUPLER_RESTART_RESTART_FILE_H
#define H3OU_COUPLER_RESTART_RESTART_FILE_H

#include <stdbool.h>

#include "comm/comm.h"
#include "coupler/restart/restart_list.h"

/* What is written, to be raised when texts or arrays change, and the oldest one that is read. */
enum { H3OU__RESTART_FORMAT = 3, H3OU__RESTART_OLDEST = 2 };

typedef struct h3ou__restart_file h3ou__restart_file;

int h3ou__restart_file_write(h3ou__comm *local, const char *file, h3ou__restart_list *list);

/* H3OU__EFILE when the file is cut off, is no restart file, or one of a format that is not read. */
int h3ou__restart_file_open(h3ou__comm *local, const char *file, h3ou__restart_file **out);
void h3ou__restart_file_close(h3ou__restart_file *r);
const char *h3ou__restart_file_name(const h3ou__restart_file *r);
/* Sets text to that of a name, and *has to whether there is one. */
int h3ou__restart_file_text(h3ou__restart_file *r, const char *name, char text[H3OU__RESTART_TEXT], bool *has);
/* Reads the values of my cells, [rows][grid->n]. */
int h3ou__restart_file_array(h3ou__restart_file *r, const char *name, const h3ou__grid *grid, int64_t rows, double value[]);
/* Writes a line about the grid as a whole, by which it is recognised: the same for any spread over processes. */
int h3ou__restart_grid_text(h3ou__comm *local, const h3ou__grid *grid, char text[H3OU__RESTART_TEXT]);

#endif

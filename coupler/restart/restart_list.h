/* SPDX-License-Identifier: BSD-3-Clause */
/* What a component writes to its restart file: texts, and arrays [rows][cells of a grid on this process]. */
#ifndef H3OU_COUPLER_RESTART_RESTART_LIST_H
#define H3OU_COUPLER_RESTART_RESTART_LIST_H

#include <stdint.h>

#include "coupler/grid/grid.h"

enum { H3OU__RESTART_NAME = 64, H3OU__RESTART_TEXT = 1024 };

typedef struct h3ou__restart_text {
    char name[H3OU__RESTART_NAME], text[H3OU__RESTART_TEXT];
} h3ou__restart_text;

typedef struct h3ou__restart_array {
    char name[H3OU__RESTART_NAME];
    const h3ou__grid *grid; /* borrowed */
    int64_t rows;
    const double *value; /* borrowed */
    int64_t check;       /* used by restart_file.c */
    int var;
} h3ou__restart_array;

typedef struct h3ou__restart_list {
    int ntext, narray, text_room, array_room;
    h3ou__restart_text *text;
    h3ou__restart_array *array;
} h3ou__restart_list;

/* All processes of a component add the same texts and arrays in the same order. */
int h3ou__restart_list_text(h3ou__restart_list *l, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* An array of a grid without cells, or without rows, is left out. */
int h3ou__restart_list_array(h3ou__restart_list *l, const char *name, const h3ou__grid *grid, int64_t rows, const double value[]);
void h3ou__restart_list_free(h3ou__restart_list *l);

#endif

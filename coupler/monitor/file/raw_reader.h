/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads a file of raw_format.h as far as it has whole records. Nothing in it is believed before it is checked. */
#ifndef H3OU_COUPLER_MONITOR_FILE_RAW_READER_H
#define H3OU_COUPLER_MONITOR_FILE_RAW_READER_H

#include <stdbool.h>
#include <stdint.h>

#include "coupler/monitor/file/raw_format.h"

enum { H3OU__RAW_TEXT = 1024 };

typedef struct h3ou__raw_grid {
    char text[H3OU__RAW_TEXT];
    int64_t n, last;
    int nx, ny, most; /* most: corners of a cell; 0: none */
    int64_t *index;
    double *lon, *lat, *corner_lon, *corner_lat; /* radians; NULL: not known */
} h3ou__raw_grid;

typedef struct h3ou__raw_field {
    char text[H3OU__RAW_TEXT];
    int grid, layers, components;
    bool is_single;
    int64_t n, room; /* records of values */
    double *time;    /* [n] */
    int64_t *at;     /* [n] where the values of each begin */
} h3ou__raw_field;

typedef struct h3ou__raw_part {
    char name[4096];
    int fd;
    char run[H3OU__RAW_TEXT]; /* text of the record RUN */
    int ngrid, nfield;
    h3ou__raw_grid *grid;
    h3ou__raw_field *field;
    bool has_ended; /* has the record END */
    bool is_cut;    /* something stands behind the last whole record */
} h3ou__raw_part;

/* Copies what a text has for a key; false: nothing. */
bool h3ou__raw_find(const char *text, const char *key, char value[H3OU__RAW_TEXT]);
/* The same for whole numbers; 0: nothing. */
int64_t h3ou__raw_number(const char *text, const char *key);
/* H3OU__EFILE for a file that is none, or whose records contradict each other. */
int h3ou__raw_read(const char *name, h3ou__raw_part *p);
void h3ou__raw_part_free(h3ou__raw_part *p);
/* Reads layer `layer` of component `component` of record `record` of a field; value: one for each cell of the grid. */
int h3ou__raw_layer(const h3ou__raw_part *p, const h3ou__raw_field *f, int64_t record, int component, int layer, double value[]);

#endif

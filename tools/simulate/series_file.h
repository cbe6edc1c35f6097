/* SPDX-License-Identifier: BSD-3-Clause */
/* The results of simulations as a table: CSV, a row for each, and a picture of the file. */
#ifndef H3OU_TOOL_SIMULATE_SERIES_FILE_H
#define H3OU_TOOL_SIMULATE_SERIES_FILE_H

#include <stdio.h>

#include "tools/simulate/model/simulation.h"

typedef struct series_row {
    const char *call, *way;
    int jobs, processes; /* processes: of all jobs */
    int64_t bytes, segment;
    simulation_result result;
} series_row;

typedef struct series_file {
    FILE *f;
    const char *name; /* NULL: standard output */
} series_file;

int series_file_open(series_file *s, const char *name); /* borrows name; NULL: standard output */
void series_file_write(series_file *s, const series_row *row);
/* Closes, also after an error, in which case a file is removed. Returns `code`, or the error of writing. */
int series_file_close(series_file *s, int code);

#endif

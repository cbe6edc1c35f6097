/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the file of raw_format.h: a record is put together in memory, and appended by one write. What cannot be written, as on a full
 * disk, is told once, and from then on the file is left as it is: the run goes on. */
#ifndef H3OU_COUPLER_MONITOR_RAW_FILE_H
#define H3OU_COUPLER_MONITOR_RAW_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "coupler/monitor/file/raw_format.h"

typedef struct h3ou__raw_file {
    char name[4096];
    int fd; /* -1: closed, or not to be written any more */
    int64_t length;
    unsigned char *buffer; /* of one record */
    size_t used, room;
    bool is_short_of_memory;
} h3ou__raw_file;

/* Creates the file in `folder`, which is made, and empties one that is there. */
void h3ou__raw_open(h3ou__raw_file *f, const char *folder, const char *component, int rank);
void h3ou__raw_close(h3ou__raw_file *f);
void h3ou__raw_begin(h3ou__raw_file *f, int kind, int number);
void h3ou__raw_u32(h3ou__raw_file *f, uint32_t value);
void h3ou__raw_text(h3ou__raw_file *f, const char *format, ...) __attribute__((format(printf, 2, 3)));
void h3ou__raw_integers(h3ou__raw_file *f, int64_t n, const int64_t value[]);
/* single: as f32. */
void h3ou__raw_reals(h3ou__raw_file *f, int64_t n, const double value[], bool single);
/* Appends the record. */
void h3ou__raw_end(h3ou__raw_file *f);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a replay finds: in the log, and as lines in the file H3OU_REPLAY_REPORT, to which all processes append:
 *   difference, component, whether it is before the first step, time (numerator, denominator), number of the put in its process, cell, values
 *   that differ, sentence
 *   end, component, puts, gets, values that differ
 * between which tabs stand.
 */
#ifndef H3OU_COUPLER_RECORD_REPLAY_REPORT_H
#define H3OU_COUPLER_RECORD_REPLAY_REPORT_H

#include <stdbool.h>
#include <stdint.h>

#include "coupler/time/rational.h"

typedef struct h3ou__replay_report {
    const char *component; /* borrowed */
    int fd;          /* -1: there is no file */
    bool does_stop;  /* the first difference is an error */
    int64_t nputs, ngets, nvalues;
    int ntold;
    bool *is_told;   /* [ntold] by variable */
} h3ou__replay_report;

typedef struct h3ou__difference {
    int var;
    const char *field;
    bool is_early;
    h3ou__rational time;
    int64_t cell, nvalues; /* 0: a put that was made in one of the two runs only */
} h3ou__difference;

void h3ou__replay_report_open(const char *component, h3ou__replay_report *r);
void h3ou__replay_report_close(h3ou__replay_report *r);
/* Tells the first difference of a variable, and counts all. H3OU__ESTATE, with the sentence, when the first one is to be an error. */
int h3ou__replay_tell(h3ou__replay_report *r, const h3ou__difference *d, const char *format, ...) __attribute__((format(printf, 3, 4)));
void h3ou__replay_report_end(const h3ou__replay_report *r);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* The model clock of my component. Its time is the start plus the sum of the steps; the arrays that the model gives are
 * only compared with it. */
#ifndef H3OU_COUPLER_CLOCK_MODEL_CLOCK_H
#define H3OU_COUPLER_CLOCK_MODEL_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "comm/comm.h"
#include "coupler/config/config.h"
#include "coupler/time/calendar.h"
#include "coupler/time/rational.h"

typedef struct h3ou__clock {
    bool is_set;                           /* h3ou_time_init was called */
    bool is_running;                       /* h3ou_time_set was called */
    int date[6];                           /* the run's start, as it was given */
    int64_t start;                         /* the same in seconds since 1970 */
    int64_t begin;                         /* my component's start, in seconds since the run's */
    h3ou__rational now;                    /* beginning of the current step, in seconds since the run's start; before the first step `begin` */
    h3ou__rational step;                   /* length of the current step in seconds */
    int day[3];                            /* year, month and day of the date that the model gave last; a zero month: none yet */
    int64_t day_begin;                     /* seconds from the run's start to the beginning of that day */
    bool is_idle;                          /* the current step began without an exchange */
    bool is_cut;                           /* a restart was written or read: nothing is put or got before the next step */
    bool is_restored;                      /* a restart was read, and the run has not gone on yet */
    bool date_told, time_told, start_told; /* warnings that were given: no date, another time, another start */
} h3ou__clock;

/* Checks a date that the model gave to `call`: an invalid one is a case of leniency (leniency.h). */
int h3ou__clock_check_date(h3ou__clock *k, const h3ou__config *config, const char *call, const int date[6]);
/* Sets the run's start, and my component's to `date`. */
int h3ou__clock_begin(h3ou__clock *k, const h3ou__config *config, const int date[6]);
/* Returns the time of the step that follows the current one, in seconds since the run's start. */
h3ou__rational h3ou__clock_next(const h3ou__clock *k);
/* Compares the model's date for the next step with that time: a difference is a case of leniency. */
int h3ou__clock_check(h3ou__clock *k, const h3ou__config *config, h3ou__world *world, const char *call,
                      const int date[6]);
/* The same for a model that counts the seconds since its start, whose next step has the length `step`. */
int h3ou__clock_check_seconds(h3ou__clock *k, const h3ou__config *config, h3ou__world *world, double seconds,
                              h3ou__rational step);
/* The date at `time`, in seconds since the run's start. Returns `text`. */
char *h3ou__clock_text(const h3ou__clock *k, const h3ou__config *config, h3ou__rational time,
                       char text[H3OU__DATE_TEXT]);
/* Sets *seconds to the length of the next step when it has so many months. */
int h3ou__clock_months(const h3ou__clock *k, const h3ou__config *config, int months, h3ou__rational *seconds);
/* Makes the next step, of `step` seconds, the current one. */
void h3ou__clock_advance(h3ou__clock *k, h3ou__rational step);

#endif

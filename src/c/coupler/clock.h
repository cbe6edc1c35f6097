/* SPDX-License-Identifier: BSD-3-Clause */
/* The model clock of my component: where the run starts, where the current step is, how long it is. */
#ifndef H3OU_COUPLER_CLOCK_H
#define H3OU_COUPLER_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

typedef struct h3ou__clock {
    bool is_set;     /* h3ou_time_init was called */
    bool is_running; /* h3ou_time_set was called */
    int64_t start;   /* seconds since 1970 */
    int64_t now;     /* seconds since start: of the current step */
    int64_t step;    /* seconds */
} h3ou__clock;

#endif

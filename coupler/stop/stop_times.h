/* SPDX-License-Identifier: BSD-3-Clause */
/* When a component can stop: the ends of steps at which its model asks, as far as they can be known beforehand; and the first
 * time that several components have in common. */
#ifndef H3OU_COUPLER_STOP_STOP_TIMES_H
#define H3OU_COUPLER_STOP_STOP_TIMES_H

#include <stdbool.h>
#include <stdint.h>

#include "coupler/time/rational.h"

enum { H3OU__STOP_TIMES_MOST = 48 };

typedef struct h3ou__stop_times {
    h3ou__rational from;  /* one of the times; no earlier one counts */
    h3ou__rational every; /* the others follow at this distance; H3OU__NEVER: they are those of the list */
    int n;
    int64_t list[H3OU__STOP_TIMES_MOST]; /* whole seconds, ascending, none before `from` */
} h3ou__stop_times;

/* Moves the times of a component so much earlier. */
void h3ou__stop_times_lead(h3ou__stop_times *t, h3ou__rational lead);
/* Moves them on by so many: the first ones count no more. A list of no more times stays as it is. */
void h3ou__stop_times_put_off(h3ou__stop_times *t, int64_t times);
/* Returns the first whole second that all n have in common and that is_good(user, time) accepts; -1: none was found. */
int64_t h3ou__stop_times_common(int n, const h3ou__stop_times t[], bool (*is_good)(void *user, int64_t time), void *user);

#endif

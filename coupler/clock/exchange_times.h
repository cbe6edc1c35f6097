/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * When the exchanges of a variable are due. Times are seconds since the run's start, from which the intervals count;
 * exchange k has the time of k intervals. A variable without an interval has exchange 0 alone, at the later of the starts
 * of both components. With lag=0 exchanges are puts: they are counted, not timed, and get takes the next one.
 *
 * With lag=-n exchange k has what was put in the interval that ends n - 1 intervals before its time, with lag=n in the
 * one that ends n intervals after it. Before the sender's first interval ends it has the initial value.
 */
#ifndef H3OU_COUPLER_CLOCK_EXCHANGE_TIMES_H
#define H3OU_COUPLER_CLOCK_EXCHANGE_TIMES_H

#include <stdbool.h>
#include <stdint.h>

#include "coupler/config/config.h"
#include "coupler/time/rational.h"

typedef struct h3ou__schedule {
    h3ou__interval every;
    int lag;
    int calendar, date[6]; /* the run's start, for intervals in months */
    h3ou__rational sender, receiver, common; /* starts of both components; the later of the two */
} h3ou__schedule;

/* sender, receiver: when these components start. */
h3ou__schedule h3ou__schedule_make(const h3ou__config_var *v, int calendar, const int date[6], h3ou__rational sender,
                                   h3ou__rational receiver);

/* The same before a run: all components start with it, on the day that the configuration says, if it does. */
h3ou__schedule h3ou__schedule_before_run(const h3ou__config *config, const h3ou__config_var *v);

/* Returns the exchange with which a field begins, and the one with which its sender begins to count intervals, which is
 * before it when the receiver starts later: these exchanges are not sent. */
int64_t h3ou__exchange_first(const h3ou__schedule *s);
int64_t h3ou__exchange_first_of_sender(const h3ou__schedule *s);
/* Returns the first exchange of a run that goes on at `time` (of one that begins there the first one). With lag=0: 0. */
int64_t h3ou__exchange_from(const h3ou__schedule *s, h3ou__rational time);
/* Returns when exchange k takes place at the receiver; not with lag=0. */
h3ou__rational h3ou__exchange_time(const h3ou__schedule *s, int64_t k);
/* Returns the number that identifies exchange k in its messages: its time, or with lag=0 k itself. */
double h3ou__exchange_mark(const h3ou__schedule *s, int64_t k);
/* Returns whether exchange k has the initial value. */
bool h3ou__exchange_is_initial(const h3ou__schedule *s, int64_t k);
/* Returns the sender's time at which exchange k is sent; H3OU__NEVER also for lag=0, where there is no given time. */
h3ou__rational h3ou__exchange_leaves(const h3ou__schedule *s, int64_t k);
/* Returns when the interval begins whose values exchange k has; k is sent at its end. */
h3ou__rational h3ou__exchange_gathers(const h3ou__schedule *s, int64_t k);
/* Returns whether exchange k is past at the receiver's time `now`, so that no later get asks for it. */
bool h3ou__exchange_is_over(const h3ou__schedule *s, int64_t k, h3ou__rational now);
/* Returns the first exchange time after `time`, or H3OU__NEVER. */
h3ou__rational h3ou__exchange_after(const h3ou__schedule *s, h3ou__rational time);
/* Returns the exchange that a get at the receiver's time `now` asks for when one is due. Not with lag=0. */
int64_t h3ou__exchange_at(const h3ou__schedule *s, h3ou__rational now);
/* Returns whether a get at the receiver's time `now` returns values. */
bool h3ou__exchange_is_due(const h3ou__schedule *s, h3ou__rational now);
/* Returns whether the interval is a multiple of a step that begins at `now`; of months those that are left of this one. */
bool h3ou__exchange_fits(const h3ou__schedule *s, h3ou__rational now, h3ou__rational step);

#endif

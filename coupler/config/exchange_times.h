/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * When the exchanges of a variable are due. Exchange k has the time k * intvl after the start; a variable without an
 * interval has exchange 0 alone. With lag=0 exchanges are puts: they are counted, not timed, and get takes the next
 * one.
 */
#ifndef H3OU_COUPLER_CONFIG_EXCHANGE_TIMES_H
#define H3OU_COUPLER_CONFIG_EXCHANGE_TIMES_H

#include <stdbool.h>
#include <stdint.h>

#include "coupler/config/config.h"

/* What the messages of exchange k carry: its time, or with lag=0 its number. */
static inline int64_t h3ou__exchange_time(const h3ou__config_var *v, int64_t k)
{
    return v->lag == 0 ? k : k * v->intvl;
}

/* The time of the sender at which exchange k leaves; INT64_MAX: never, or not by time. */
static inline int64_t h3ou__exchange_leaves(const h3ou__config_var *v, int64_t k)
{
    if (v->lag == 0 || (v->intvl == 0 && k > 0))
        return INT64_MAX;
    return (k + (v->lag > 0)) * v->intvl;
}

/* Is exchange k over at this time of the receiver, so that no get asks for it any more? */
static inline bool h3ou__exchange_is_over(const h3ou__config_var *v, int64_t k, int64_t now)
{
    return v->lag != 0 && (v->intvl > 0 || k == 0) && k * v->intvl < now;
}

/* The first exchange time after `time`, or INT64_MAX. time -1: before the start. */
static inline int64_t h3ou__exchange_after(const h3ou__config_var *v, int64_t time)
{
    if (time < 0)
        return 0;
    return v->lag == 0 || v->intvl == 0 ? INT64_MAX : (time / v->intvl + 1) * v->intvl;
}

/* The exchange that a get at this time of the receiver asks for, when one is due. Not with lag=0. */
static inline int64_t h3ou__exchange_at(const h3ou__config_var *v, int64_t now)
{
    return v->intvl == 0 ? 0 : now / v->intvl;
}

/* Does get answer at this time of the receiver? */
static inline bool h3ou__exchange_is_due(const h3ou__config_var *v, int64_t now)
{
    return v->lag == 0 || (v->intvl == 0 ? now == 0 : now % v->intvl == 0);
}

#endif

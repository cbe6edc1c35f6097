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

/* Returns the number that identifies exchange k in its messages: its time, or with lag=0 k itself. */
static inline int64_t h3ou__exchange_time(const h3ou__config_var *v, int64_t k)
{
    return v->lag == 0 ? k : k * v->intvl;
}

/* Returns the sender's model time at which exchange k is sent; INT64_MAX: never, or, with lag=0, at no given time. */
static inline int64_t h3ou__exchange_leaves(const h3ou__config_var *v, int64_t k)
{
    if (v->lag == 0 || (v->intvl == 0 && k > 0))
        return INT64_MAX;
    return (k + (v->lag > 0)) * v->intvl;
}

/* Returns whether exchange k is past at the receiver's model time `now`, so that no later get asks for it. */
static inline bool h3ou__exchange_is_over(const h3ou__config_var *v, int64_t k, int64_t now)
{
    return v->lag != 0 && (v->intvl > 0 || k == 0) && k * v->intvl < now;
}

/* Returns the first exchange time after `time` (-1: before the start), or INT64_MAX. */
static inline int64_t h3ou__exchange_after(const h3ou__config_var *v, int64_t time)
{
    if (time < 0)
        return 0;
    return v->lag == 0 || v->intvl == 0 ? INT64_MAX : (time / v->intvl + 1) * v->intvl;
}

/* Returns the exchange that a get at the receiver's model time `now` asks for when one is due. Not with lag=0. */
static inline int64_t h3ou__exchange_at(const h3ou__config_var *v, int64_t now)
{
    return v->intvl == 0 ? 0 : now / v->intvl;
}

/* Returns whether a get at the receiver's model time `now` returns values. */
static inline bool h3ou__exchange_is_due(const h3ou__config_var *v, int64_t now)
{
    return v->lag == 0 || (v->intvl == 0 ? now == 0 : now % v->intvl == 0);
}

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* What an exchange sends of the values put since the one before: the statistic that the key `flag` names. */
#ifndef H3OU_COUPLER_EXCHANGE_INTERVAL_STATISTIC_H
#define H3OU_COUPLER_EXCHANGE_INTERVAL_STATISTIC_H

#include "coupler/config/interval_flag.h"
#include "coupler/exchange/outgoing.h"

/* Values to be divided by scale, or by each cell's weight, and multiplied by `times`. Cells with share 0 do not count and
 * may hold anything, infinity too: they are sent as 0. */
typedef struct h3ou__sample {
    const double *value;
    const double *weight; /* [n], or NULL */
    double scale, times;
    const double *share; /* [n], to be divided by share_scale; NULL: no shares are sent */
    double share_scale;
    const float *single; /* [values] in place of value, sent as they are (only with type='real4'); or NULL */
    bool is_clear;       /* all values of cells with share 0 are 0 */
    int64_t share_number; /* above 0: samples of the field with the same number have the same shares; 0: nobody knows */
} h3ou__sample;

typedef struct h3ou__statistic {
    void (*add)(h3ou__outgoing *o, double step); /* adds the newest value, put in a step of so many seconds; NULL: it
                                                     alone is sent, and the field needs no sums */
    h3ou__sample (*result)(const h3ou__outgoing *o);
    h3ou__sample (*idle)(const h3ou__outgoing *o); /* of an interval in which no step of the sender begins */
} h3ou__statistic;

extern const h3ou__statistic h3ou__statistics[H3OU__NFLAG]; /* by enum h3ou__flag */

#endif

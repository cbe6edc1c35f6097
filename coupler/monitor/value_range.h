/* SPDX-License-Identifier: BSD-3-Clause */
/* What this process saw of one component of a field in the exchanges of a step, for the log at level LOUD. */
#ifndef H3OU_COUPLER_MONITOR_VALUE_RANGE_H
#define H3OU_COUPLER_MONITOR_VALUE_RANGE_H

#include <math.h>

typedef struct h3ou__value_range {
    double exchanges, time;   /* how many there were, and h3ou__exchange_time of the last */
    double most, minus_least; /* largest value, and minus the least */
    double values, missing,
        scaled; /* number of values, number of missing ones, sum of the values times H3OU__VALUE_RANGE_SCALE */
} h3ou__value_range;

#define H3OU__VALUE_RANGE_SCALE                                                                                        \
    0x1p-64 /* huge values do not overflow, which would trap in a model that is debugged                               \
             */

static inline void h3ou__value_range_clear(h3ou__value_range *s)
{
    *s = (h3ou__value_range){.most = -INFINITY, .minus_least = -INFINITY};
}

/* A value that is not finite counts as missing. */
static inline void h3ou__value_range_add(h3ou__value_range *s, double value)
{
    if (!isfinite(value)) {
        s->missing += 1.0;
        return;
    }
    s->values += 1.0;
    s->scaled += value * H3OU__VALUE_RANGE_SCALE;
    s->most = value > s->most ? value : s->most;
    s->minus_least = -value > s->minus_least ? -value : s->minus_least;
}

#endif

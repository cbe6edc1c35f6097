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
    const float *single; /* [values] in place of value (only with type='real4'); or NULL */
    const h3ou__picked *placed; /* [partners] elements of the cells of each message in a row of value or single; NULL:
                                 * rows have the grid's cells */
    int64_t next_row;           /* placed: how far apart rows are */
    bool has_columns;           /* placed: all rows of a cell stand together, and nothing between these */
    bool has_missing;    /* `missing` is sent as NaN, and each NaN as a quiet one: values are those of the model */
    double missing;      /* NaN: no value is */
    bool is_clear;       /* all values of cells with share 0 are 0 */
    int64_t share_number; /* above 0: samples of the field with the same number have the same shares; 0: nobody knows */
} h3ou__sample;

typedef struct h3ou__statistic {
    /* What becomes of the sums in the first put of an interval, and in the others. SUM_NONE: the newest value alone is
     * sent, and the field needs no sums. */
    enum h3ou__sum_action first, next;
    double uncounted; /* the least or greatest value of a cell that has not counted yet in the interval */
    /* What is sent, of an interval in which a step of the sender begins, and of others. Both may complete or clear the
     * sums. */
    h3ou__sample (*result)(h3ou__outgoing *o);
    h3ou__sample (*idle)(h3ou__outgoing *o);
} h3ou__statistic;

extern const h3ou__statistic h3ou__statistics[H3OU__NFLAG]; /* by enum h3ou__flag */

/* Returns whether the field needs sums. */
static inline bool h3ou__statistic_sums(const h3ou__statistic *statistic)
{
    return statistic->next != H3OU__SUM_NONE;
}

/* Adds the newest value, put in a step of so many seconds. */
void h3ou__sum_newest(h3ou__outgoing *o, double step);
/* The same, part by part, while the values are taken: between _begin, which returns how they are added, and _end, which
 * is told the weight, each cell of each row is added once by h3ou__sum_cells. The shares of the put are known before.
 */
h3ou__summing h3ou__sum_begin(h3ou__outgoing *o, double step);
void h3ou__sum_end(h3ou__outgoing *o, double weight);
/* Makes o->share_sum those of all puts of the interval: before o->share becomes others, and before they are read. */
void h3ou__sum_complete_shares(h3ou__outgoing *o);

#endif

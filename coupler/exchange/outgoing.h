/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A field that my component puts, for one receiving component: values are gathered by put and leave when their exchange
 * time is reached. Exchange time k is start + k * intvl. With lag -1 it gets what was put before it (at the start: the
 * initial value), with lag 1 what was put before exchange time k + 1. With lag 0 each put leaves at once. In an average
 * each value counts by the length of its step.
 *
 * A message is a head of two numbers (exchange time in seconds since the start, see exchange_times.h; state) and layer after layer the cells
 * of the plan's slots; of a vector all layers of one component after the other: the model's two when the table says how
 * to turn them and both models have two, else three Cartesian ones. State H3OU__SHARED: the shares of the cells follow, once for all layers.
 * State H3OU__END: nothing follows this exchange time, and a third number is the time at which the component ended.
 */
#ifndef H3OU_COUPLER_EXCHANGE_OUTGOING_H
#define H3OU_COUPLER_EXCHANGE_OUTGOING_H

#include <stdbool.h>
#include <stdint.h>

#include "coupler/config/config.h"
#include "coupler/config/model_clock.h"
#include "coupler/exchange/model_array.h"
#include "coupler/exchange/value_range.h"
#include "coupler/exchange/vector_frames.h"
#include "coupler/grid/grid.h"
#include "coupler/plan/plan.h"

enum { H3OU__HEAD = 2, H3OU__END_HEAD = 3 }; /* numbers before the cells; of a message with state H3OU__END */
enum h3ou__message_state { H3OU__VALUE = 0, H3OU__NO_VALUE = 1, H3OU__END = 2, H3OU__SHARED = 3 };

/* Components of a field on its way. */
static inline int h3ou__message_width(const h3ou__config_var *var, const h3ou__plan *plan)
{
    return !var->is_vector ? 1 : plan->rotated && !var->put_xyz && !var->get_xyz ? 2 : 3;
}

typedef struct h3ou__parcel h3ou__parcel; /* messages of one exchange time that are on their way */

typedef struct h3ou__outgoing {
    const h3ou__config *config;
    const h3ou__config_var *var;
    const h3ou__plan *plan; /* borrowed; NULL until it is made */
    h3ou__world *world;
    const h3ou__grid *grid; /* borrowed */
    int64_t n;              /* its cells here */
    int64_t next;           /* exchange that leaves next */
    bool has_value;         /* something was put */
    bool has_initial;       /* it was put before the first step */
    bool nan_logged;        /* the log has its first NaN */
    int64_t *needed;        /* [nneeded] those that somebody needs, ascending */
    int64_t nneeded;
    int64_t values;         /* n * layer * components */
    double *newest;         /* [values]; what is missing is NaN */
    double *share;          /* [n] of newest */
    bool has_share;         /* else all of them count */
    double *sum;            /* [values], AVR only; of share times value, when some put of the interval had shares */
    double *share_sum;      /* [n] */
    bool sum_has_share;     /* else sum_weight stands for all */
    int64_t nsum;
    int64_t sum_step; /* s, of the first put in sum: the others count by their steps' ratio to it */
    double sum_weight;
    bool is_fresh; /* something was put since the last exchange */
    bool is_warned; /* that its interval does not fit my steps */
    bool stale_warned;
    h3ou__vector_frame *frame; /* [n] of a vector of two components that travels as three; else NULL */
    h3ou__value_range *range;  /* [component] NULL: not watched */
    int tag;
    int window; /* parcels on their way at most, before the sender waits for the oldest */
    int nparcel;
    h3ou__parcel *first, *last;
    char what[3 * H3OU__NAME];
} h3ou__outgoing;

/* Initial values may be put before there is a plan. */
int h3ou__outgoing_create(const h3ou__config *config, int var, h3ou__world *world, const h3ou__grid *grid,
                          h3ou__outgoing **out);
/* Before the first step. */
int h3ou__outgoing_plan(h3ou__outgoing *o, const h3ou__plan *plan, const h3ou__clock *clock);
void h3ou__outgoing_free(h3ou__outgoing *o);
/* Copies what the model gives; with lag 0 sends it. H3OU__ESIZE when the arrays do not fit the grid and the layers, H3OU__EARG for a share
 * that is none. */
int h3ou__outgoing_put(h3ou__outgoing *o, const h3ou__clock *clock, const h3ou__arrays *given);
/* Moves what is on its way, without waiting: a long message goes on only while its sender is in a call. */
int h3ou__outgoing_progress(h3ou__outgoing *o);
/* Sends what is due at `now` (seconds since the start); clock: of the step before. Waits only when the window is full. */
int h3ou__outgoing_advance(h3ou__outgoing *o, const h3ou__clock *clock, int64_t now);
/* Says that nothing follows, since my component ends at `now`. */
int h3ou__outgoing_end(h3ou__outgoing *o, int64_t now);
/* Completes what is on its way. */
int h3ou__outgoing_drain(h3ou__outgoing *o);

#endif

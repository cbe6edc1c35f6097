/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A field that my component puts, for one receiving component: values are gathered by put and leave when their exchange
 * time is reached. Exchange time k is start + k * intvl. With lag -1 it gets what was put before it (at the start: the
 * initial value), with lag 1 what was put before exchange time k + 1.
 *
 * A message is a head of two numbers (exchange time in seconds since the start, state) and layer after layer the cells
 * of the plan's slots. A vector has three times the layers, its components in space, or twice when the table has a
 * rotation.
 */
#ifndef H3OU_COUPLER_OUTGOING_H
#define H3OU_COUPLER_OUTGOING_H

#include <stdbool.h>
#include <stdint.h>

#include "coupler/clock.h"
#include "coupler/config.h"
#include "coupler/plan.h"

enum { H3OU__HEAD = 2 }; /* numbers before the cells */
/* SHARED: after the layers comes each cell's share, how much of it counts. */
enum h3ou__message_state { H3OU__VALUE = 0, H3OU__NO_VALUE = 1, H3OU__END = 2, H3OU__SHARED = 3 };

typedef struct h3ou__parcel h3ou__parcel; /* messages of one exchange time that are on their way */

typedef struct h3ou__outgoing {
    const h3ou__config *config;
    const h3ou__config_var *var;
    const h3ou__plan *plan; /* borrowed */
    h3ou__world *world;
    int64_t n;         /* my cells of the grid */
    int64_t next;      /* exchange that leaves next */
    bool has_value;    /* something was put */
    bool has_initial;  /* it was put before the first step */
    int layers;        /* of a message: those of the field times the components */
    double *frame;     /* of a vector without rotation (frames.h) */
    double *newest;    /* [n * layers] */
    double *share;     /* [n] of the newest; NULL until a share is put */
    bool is_shared;    /* the newest has a share */
    double *sum;       /* [n * layers], AVR only; with shares: of share * value */
    double *sum_share; /* [n], AVR only; NULL until a share is put */
    bool sum_is_shared;
    int64_t nsum;
    int tag;
    int window; /* parcels on their way at most, before the sender waits for the oldest */
    int nparcel;
    h3ou__parcel *first, *last;
    char what[3 * H3OU__NAME];
} h3ou__outgoing;

int h3ou__outgoing_create(const h3ou__config *config, int var, const h3ou__plan *plan, h3ou__world *world,
                          const h3ou__grid *grid, h3ou__outgoing **out);
void h3ou__outgoing_free(h3ou__outgoing *o);
/* Copies [n * layer] values, cells fastest; second: of a vector; share: [n], or NULL. */
int h3ou__outgoing_put(h3ou__outgoing *o, const h3ou__clock *clock, const double data[], const double second[],
                       const double share[]);
/* Moves what is on its way, without waiting: a long message goes on only while its sender is in a call. */
int h3ou__outgoing_progress(h3ou__outgoing *o);
/* Sends what is due at `now` (seconds since the start). Waits only when the window is full. */
int h3ou__outgoing_advance(h3ou__outgoing *o, int64_t now);
/* Says that nothing follows. */
int h3ou__outgoing_end(h3ou__outgoing *o);
/* Completes what is on its way. */
int h3ou__outgoing_drain(h3ou__outgoing *o);

#endif

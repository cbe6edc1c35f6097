/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Observers see the values of a component's fields on their way, and change none of them. Rooms above this one add theirs when the
 * fields are created, before any value is put. A field that nobody observes costs one comparison in each call.
 *
 * What is seen of a field (enum h3ou__side), in the order in which it happens in a process:
 *   put        each call of put that was accepted, once for every component that gets the field, initial values too
 *   sent       each exchange that leaves for another component, when it leaves: the statistic of the interval, on the sending
 *              grid; of a group of members only its leader sends
 *   received   the values of an exchange after remapping, on the receiving grid, when they are computed: before the model's array,
 *              perturbations and missing='keep' are looked at. A second get in one step computes them again, with the same mark
 *              (with lag=0 each get takes another exchange). With flag='INT', or ahead of a restart, they are computed before the
 *              get; exchanges that the model does not get are not computed. Members that follow a leader receive nothing.
 *   got        each call of get that returns no error, also one in a step without an exchange, where *ok is false
 *
 * mark is h3ou__exchange_mark of the exchange (its time, or with lag=0 its number), and -1, -2, ... for what h3ou_send_now sends.
 */
#ifndef H3OU_COUPLER_EXCHANGE_OBSERVER_H
#define H3OU_COUPLER_EXCHANGE_OBSERVER_H

#include <stdbool.h>

#include "coupler/array/model_array.h"
#include "coupler/clock/model_clock.h"
#include "coupler/config/monitor_keys.h"
#include "coupler/exchange/incoming.h"
#include "coupler/exchange/interval_statistic.h"
#include "coupler/exchange/outgoing.h"

/* The calls of an observer. self is what was given with them. All arguments are borrowed for the call. An error ends the model's
 * call in which the value is seen. clock: of the component; before h3ou_init_time clock->is_set is false, and it has no time. Calls
 * of sides that `wants` never accepts may be NULL. */
typedef struct h3ou__observer_ops {
    /* Returns whether values of this side of a variable are to be seen. Is asked when the field is created. */
    bool (*wants)(const void *self, const h3ou__config_var *var, int side);
    /* given: the model's arrays, which h3ou__place_find_slices (o->var->layer, o->slices_put) and h3ou__place_read read. */
    int (*put)(void *self, const h3ou__outgoing *o, const h3ou__clock *clock, const h3ou__arrays *given);
    /* state: enum h3ou__message_state; sample: of H3OU__VALUE and H3OU__SHARED, else NULL. Its rows (h3ou__sample_row: o->layer *
     * o->slices for each component) are valid in the cells o->needed, and read by h3ou__sample_value. */
    int (*sent)(void *self, const h3ou__outgoing *o, const h3ou__clock *clock, double mark, int state, const h3ou__sample *sample);
    /* value[k]: of component k, [in->layer][in->n]. The cells that were set are those of in->plan->rows.row and of in->plan->left. */
    int (*received)(void *self, const h3ou__incoming *in, const h3ou__clock *clock, double mark, const double *const value[]);
    /* to: the model's arrays, which ok says whether values were written to (in->var->layer, in->slices). */
    int (*got)(void *self, const h3ou__incoming *in, const h3ou__clock *clock, const h3ou__arrays *to, bool ok);
    /* NULL, or: collective over the component, in each h3ou_set_time that exchanges something anywhere, and at its end. */
    int (*step)(void *self, const h3ou__clock *clock);
    void (*free)(void *self); /* NULL: nothing to free */
    /* NULL, or: collective over the component, at its end, when nothing is put, sent or got any more. Is not called when the run fails. */
    int (*end)(void *self, const h3ou__clock *clock);
} h3ou__observer_ops;

enum { H3OU__MOST_OBSERVERS = 4 };

typedef struct h3ou__observers {
    const h3ou__clock *clock; /* borrowed: of the component */
    int n;
    bool has_step; /* one of them has a call `step` */
    struct {
        const h3ou__observer_ops *ops;
        void *self;
    } one[H3OU__MOST_OBSERVERS];
} h3ou__observers;

/* Adds an observer; self is freed by h3ou__observers_free. */
int h3ou__observers_add(h3ou__observers *s, const h3ou__observer_ops *ops, void *self);
void h3ou__observers_free(h3ou__observers *s);
/* Asks all observers what they want to see of a field. */
void h3ou__observers_watch_puts(const h3ou__observers *s, h3ou__outgoing *o);
void h3ou__observers_watch_gets(const h3ou__observers *s, h3ou__incoming *in);
/* Call `step`, and `end`, of all observers. */
int h3ou__observers_step(const h3ou__observers *s);
int h3ou__observers_end(const h3ou__observers *s);

static inline bool h3ou__is_watched(unsigned watched, int side)
{
    return watched >> side & 1;
}

/* Call all observers that want to see that side of the field; for fields of which it is watched. */
int h3ou__observe_put(const h3ou__outgoing *o, const h3ou__arrays *given);
int h3ou__observe_sent(const h3ou__outgoing *o, double mark, int state, const h3ou__sample *sample);
int h3ou__observe_received(const h3ou__incoming *in, const double *const value[]);
int h3ou__observe_got(const h3ou__incoming *in, const h3ou__arrays *to, bool ok);

#endif

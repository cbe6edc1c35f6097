/* SPDX-License-Identifier: BSD-3-Clause */
/* The calls of the time loop but put and get: set_time, and the end. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "coupler/check/step_fit.h"
#include "coupler/clock/exchange_times.h"
#include "coupler/config/leniency.h"
#include "coupler/coupler.h"
#include "coupler/early_stop.h"
#include "coupler/ensemble/losses.h"
#include "coupler/quiet_steps.h"
#include "coupler/setup_facts.h"
#include "coupler/siblings.h"
#include "coupler/time/calendar.h"
#include "coupler/unused_fields.h"

static const char *my_name(const h3ou__coupler *c)
{
    return h3ou__coupler_name(c);
}

/* Warns when steps of this length, of which the first begins at `now`, do not reach every exchange time. */
static int check_step(const h3ou__coupler *c, const h3ou__config_var *v, const h3ou__schedule *times, bool *warned,
                      h3ou__rational now, h3ou__rational step)
{
    char text[H3OU__ERROR_TEXT];
    if (h3ou__step_fits(c->config, v, times, my_name(c), now, step, text, sizeof text))
        return H3OU__OK;
    return h3ou__lenient(c->config, warned, H3OU__ETIME, "%s", text);
}

static bool is_from_myself(const h3ou__coupler *c, const h3ou__incoming *in)
{
    return h3ou__config_is_own(&c->config->pair[in->var->pair]);
}

static int check_steps(const h3ou__coupler *c, h3ou__rational now, h3ou__rational step)
{
    int err = H3OU__OK;
    for (int i = 0; i < c->nout && !err; i++)
        err = check_step(c, c->out[i]->var, &c->out[i]->times, &c->out[i]->is_warned, now, step);
    for (int i = 0; i < c->nin && !err; i++)
        if (!is_from_myself(c, c->in[i])) /* the sender's side warns */
            err = check_step(c, c->in[i]->var, &c->in[i]->times, &c->in[i]->is_warned, now, step);
    return err;
}

/* Warns when a step passes over an exchange time, which changing steps may do though each of them divides the interval.
 */
static int check_jump(const h3ou__coupler *c, const char *call, const h3ou__config_var *v, bool *warned,
                      h3ou__rational due, h3ou__rational now)
{
    char text[H3OU__DATE_TEXT];
    if (h3ou__rational_compare(due, now) >= 0 || *warned)
        return H3OU__OK;
    return h3ou__lenient(c->config, warned, H3OU__ETIME,
                         "%s: %s jumps over the exchange of field %s, due %.15g s after the start: let a step "
                         "begin at that time, or no get returns this exchange",
                         call, h3ou__clock_text(&c->clock, c->config, now, text), v->put, h3ou__rational_real(due));
}

/* Sets *stop to the first exchange time of any field after `past` and before `now`, or to `now` when there is none. */
static int next_stop(const h3ou__coupler *c, const char *call, h3ou__rational past, h3ou__rational now, h3ou__rational *stop)
{
    int err = H3OU__OK;
    *stop = now;
    for (int i = 0; i < c->nout + c->nin && !err; i++) {
        bool puts = i < c->nout;
        h3ou__incoming *in = puts ? NULL : c->in[i - c->nout];
        const h3ou__config_var *v = puts ? c->out[i]->var : in->var;
        h3ou__rational due = h3ou__exchange_after(puts ? &c->out[i]->times : &in->times, past);
        if (puts || !is_from_myself(c, in))
            err = check_jump(c, call, v, puts ? &c->out[i]->is_warned : &in->is_warned, due, now);
        *stop = h3ou__rational_compare(due, *stop) < 0 ? due : *stop;
    }
    return err;
}

/* Sends the exchanges due at `time`, then receives and drops those that no get can ask for any more. */
static int exchange_at_time(h3ou__coupler *c, h3ou__rational time)
{
    int err = H3OU__OK;
    for (int i = 0; i < c->nin; i++)
        h3ou__incoming_release(c->in[i]);
    for (int i = 0; i < c->nout && !err; i++)
        err = h3ou__outgoing_advance(c->out[i], &c->clock, time);
    if (!err)
        err = h3ou__bundles_close(&c->bundles);
    for (int i = 0; i < c->nin && !err; i++)
        err = h3ou__incoming_advance(c->in[i], time);
    h3ou__send_off(c->world);
    return err ? err : h3ou__observers_step(&c->observers);
}

/* Handles the exchange times after the last step and before `now` one after the other, as a model with shorter steps
 * would. If all of them were sent at once, two components that do so could wait for each other. */
static int exchange_until(h3ou__coupler *c, const char *call, h3ou__rational now)
{
    h3ou__rational past = c->clock.now, stop;
    int err = H3OU__OK;
    while (c->clock.is_running && (err = next_stop(c, call, past, now, &stop)) == H3OU__OK &&
           h3ou__rational_compare(stop, now) < 0 && (err = exchange_at_time(c, stop)) == H3OU__OK)
        past = stop;
    return err;
}

static int check_call(const h3ou__coupler *c, const char *call, const char *component, h3ou__rational step)
{
    if (!c->clock.is_set)
        return h3ou__siblings_fail_unplanned(c, call);
    if (!h3ou__coupler_is_me(c, component))
        return h3ou__fail(H3OU__ENAME, "%s: component '%s' is not mine: this program is '%s'", call, component,
                          my_name(c));
    if (h3ou__rational_compare(step, h3ou__whole(0)) <= 0)
        return h3ou__fail(H3OU__ETIME, "%s: the time step is %.15g s, it must be above 0", call,
                          h3ou__rational_real(step));
    if (!h3ou__rational_is_finite(h3ou__rational_add(h3ou__clock_next(&c->clock), step)))
        return h3ou__fail(H3OU__ETIME,
                          "%s: the time step is %.15g s: the sum of the steps is no fraction of 64 bits any more; let "
                          "steps between two exchanges have a common divisor",
                          call, h3ou__rational_real(step));
    return H3OU__OK;
}

/* Fails because a step without an exchange leaves out one that has been sent. */
static int fail_left_out(const h3ou__coupler *c, const char *call, const h3ou__outgoing *o, enum h3ou__sent_by by)
{
    const h3ou__config_var *v = o->var;
    if (by == H3OU__SENT_BY_PUT)
        return h3ou__fail(H3OU__ESTATE,
                          "%s:%d: %s: component %s leaves out an exchange of field %s, which second_put='error' has sent in put: "
                          "leave that key out",
                          c->config->file, v->line, call, my_name(c), v->put);
    if (by == H3OU__SENT_BY_RESTART)
        return h3ou__fail(
            H3OU__ESTATE,
            "%s:%d: %s: component %s leaves out an exchange of field %s that was completed for the restart of "
            "this time: write the restart at another time, or do not leave the exchange out",
            c->config->file, v->line, call, my_name(c), v->put);
    return h3ou__fail(H3OU__ESTATE,
                      "%s: component %s leaves out an exchange of field %s which component %s, opened by the same process, "
                      "has got already",
                      call, my_name(c), v->put, c->config->pair[v->pair].comp_get);
}

static int check_not_sent(const h3ou__coupler *c, const char *call)
{
    for (int i = 0; i < c->nout; i++) {
        enum h3ou__sent_by by = h3ou__outgoing_sent_by(c->out[i], &c->clock);
        if (by != H3OU__SENT_BY_NONE)
            return fail_left_out(c, call, c->out[i], by);
    }
    return H3OU__OK;
}

/* Exchanges all that is due by the beginning of a step. */
static int exchange_of_step(h3ou__coupler *c, const char *call, h3ou__rational now)
{
    h3ou__timeline *timeline = h3ou__world_timeline(c->world);
    h3ou__timeline_step(timeline, h3ou__rational_real(now));
    h3ou__timeline_enter(timeline, H3OU__ACT_EXCHANGE, 0);
    int err = exchange_until(c, call, now);
    if (!err)
        err = exchange_at_time(c, now);
    h3ou__timeline_leave(timeline);
    return err;
}

/* is_uneven: the steps that follow have other lengths. */
static int begin_step(h3ou__coupler *c, const char *call, h3ou__rational step, bool exchanges, bool is_uneven)
{
    h3ou__rational now = h3ou__clock_next(&c->clock);
    c->clock.is_idle = !exchanges;
    h3ou__early_stop_begin_step(c, now, step, is_uneven);
    int err = h3ou__losses_check(c->config, c->world);
    if (!err)
        err = h3ou__coupler_plan_rest(c);
    if (!err && !exchanges)
        err = check_not_sent(c, call);
    if (!err && c->sibling != c)
        err = h3ou__siblings_send_all_ahead(c, now);
    if (!err && (!c->clock.is_running || h3ou__rational_compare(step, c->clock.step) != 0))
        err = check_steps(c, now, step);
    bool is_quiet = !err && h3ou__quiet_step_is(c, now);
    if (!err && !is_quiet)
        err = exchange_of_step(c, call, now);
    if (err)
        return err;
    h3ou__timeline_phase(h3ou__world_timeline(c->world), H3OU__ACT_COMPUTE);
    h3ou__clock_advance(&c->clock, step);
    h3ou__recorder_step(c->recorder, &c->clock);
    h3ou__world_set_time(c->world, now.num, now.den);
    h3ou__setup_facts_step(c, step);
    if (h3ou__world_is_shown(c->world))
        h3ou__world_show_step(c->world, c->clock.start, h3ou__calendar_name(c->config->calendar), h3ou__rational_real(now),
                              h3ou__rational_real(step));
    c->step_is_quiet = is_quiet;
    if (!is_quiet)
        h3ou__quiet_steps_find(c);
    return H3OU__OK;
}

int h3ou__coupler_time_set(h3ou__coupler *c, const char *call, const char *component, const int date[6], int step,
                           bool exchanges)
{
    int err = check_call(c, call, component, h3ou__whole(step));
    if (!err)
        err = h3ou__clock_check(&c->clock, c->config, c->world, call, date);
    return err ? err : begin_step(c, call, h3ou__whole(step), exchanges, false);
}

int h3ou__coupler_time_set_months(h3ou__coupler *c, const char *call, const char *component, const int date[6],
                                  int months)
{
    h3ou__rational step = h3ou__whole(months);
    int err = c->clock.is_set ? h3ou__clock_months(&c->clock, c->config, months, &step) : H3OU__OK;
    if (!err)
        err = check_call(c, call, component, step);
    if (!err)
        err = h3ou__clock_check(&c->clock, c->config, c->world, call, date);
    return err ? err : begin_step(c, call, step, true, true);
}

int h3ou__coupler_time_set_seconds(h3ou__coupler *c, const char *call, const char *component, double seconds,
                                   double step)
{
    h3ou__rational exact = h3ou__rational_nearest(step);
    if (exact.num <= 0 || !h3ou__rational_is_finite(exact))
        return h3ou__fail(H3OU__ETIME, "%s: the time step is %.9g s, it must be above 0", call, step);
    int err = check_call(c, call, component, exact);
    if (!err)
        err = h3ou__clock_check_seconds(&c->clock, c->config, c->world, seconds, exact);
    return err ? err : begin_step(c, call, exact, true, false);
}

int h3ou__coupler_time_add(h3ou__coupler *c, int date[6], int seconds)
{
    int err = h3ou__clock_check_date(&c->clock, c->config, "h3ou_inc_time", date);
    if (!err)
        h3ou__date_add(c->config->calendar, date, seconds);
    return err;
}

int h3ou__coupler_time_now(const h3ou__coupler *c, int date[6])
{
    if (!c->clock.is_set)
        return h3ou__fail(H3OU__ESTATE, "h3ou_time_now comes before h3ou_init_time");
    h3ou__rational begin = c->clock.is_restored ? h3ou__clock_next(&c->clock) : c->clock.now;
    int64_t now = h3ou__rational_divide(begin, h3ou__whole(1));
    h3ou__date_from_seconds(c->config->calendar, c->clock.start + now, date);
    return H3OU__OK;
}

/* A field of which something is still to be received, and when that was sent. */
typedef struct unreceived {
    h3ou__rational leaves;
    int number; /* in c->in */
} unreceived;

static bool is_before(const unreceived *a, const unreceived *b)
{
    int order = h3ou__rational_compare(a->leaves, b->leaves);
    return order < 0 || (order == 0 && a->number < b->number);
}

/* Moves entry i of a heap of n, of which the earliest stands first, to its place. */
static void sift_down(unreceived heap[], int n, int i)
{
    for (int child = 2 * i + 1; child < n; i = child, child = 2 * i + 1) {
        child += child + 1 < n && is_before(&heap[child + 1], &heap[child]);
        if (!is_before(&heap[child], &heap[i]))
            return;
        unreceived later = heap[i];
        heap[i] = heap[child];
        heap[child] = later;
    }
}

static unreceived unreceived_of(const h3ou__coupler *c, int number)
{
    return (unreceived){h3ou__exchange_leaves(&c->in[number]->times, c->in[number]->next), number};
}

/* Receives and drops what others still send, in the order in which they send it: they may wait until one field's exchanges
 * are received before they send another's. */
static int drop_rest(h3ou__coupler *c)
{
    unreceived *heap = malloc(sizeof *heap * (size_t)(c->nin + 1));
    int n = 0, err = heap ? H3OU__OK : h3ou__no_memory("a list of %d fields", c->nin);
    for (int i = 0; i < c->nin && !err; i++)
        if (h3ou__incoming_awaits_end(c->in[i]))
            heap[n++] = unreceived_of(c, i);
    for (int i = n / 2; i >= 0 && !err; i--)
        sift_down(heap, n, i);
    while (n > 0 && !err) {
        int first = heap[0].number;
        err = h3ou__incoming_drop(c->in[first]);
        heap[0] = h3ou__incoming_awaits_end(c->in[first]) ? unreceived_of(c, first) : heap[--n];
        sift_down(heap, n, 0);
    }
    free(heap);
    return err;
}

int h3ou__coupler_send_bundles(h3ou__coupler *c)
{
    return h3ou__bundles_close(&c->bundles);
}

int h3ou__coupler_leave(h3ou__coupler *c)
{
    h3ou__rational now = h3ou__clock_next(&c->clock);
    int err = H3OU__OK;
    if (c->stop && (err = h3ou__stop_leave(c->stop, now)) != H3OU__OK)
        return err;
    c->clock.is_idle = false;
    c->has_left = true;
    if (!c->clock.is_set)
        return H3OU__OK; /* nothing was planned, so no other component waits for this one */
    for (int i = 0; i < c->nout && !err; i++)
        err = h3ou__outgoing_advance(c->out[i], &c->clock, now);
    for (int i = 0; i < c->nout && !err; i++)
        err = h3ou__outgoing_end(c->out[i], now);
    if (!err)
        err = h3ou__bundles_close(&c->bundles);
    h3ou__send_off(c->world);
    return err;
}

/* Says in the record that my component ended well, or compares the end with the record. */
static int end_record(h3ou__coupler *c)
{
    h3ou__recorder_end(c->recorder);
    return c->replay ? h3ou__replay_end(c->replay, c->config, &c->clock) : H3OU__OK;
}

/* Ends what my component receives and sends. */
static int end_exchanges(h3ou__coupler *c)
{
    int err = !c->clock.is_set && !c->has_left ? h3ou__coupler_leave(c) : H3OU__OK;
    if (err || !c->clock.is_set)
        return err ? err : end_record(c);
    h3ou__timeline_phase(h3ou__world_timeline(c->world), H3OU__ACT_FINISH);
    if (!c->has_left && (err = h3ou__coupler_plan_rest(c)) == H3OU__OK) {
        c->clock.is_idle = false;
        if ((err = exchange_until(c, "h3ou_coupling_end", h3ou__clock_next(&c->clock))) == H3OU__OK)
            err = h3ou__coupler_leave(c);
    }
    if (!err)
        err = h3ou__observers_step(&c->observers);
    if (!err)
        err = drop_rest(c);
    for (int i = 0; i < c->nin && !err; i++)
        err = h3ou__incoming_end(c->in[i]);
    for (int i = 0; i < c->nout && !err; i++)
        err = h3ou__outgoing_drain(c->out[i]);
    if (!err)
        err = h3ou__bundles_drain(&c->bundles);
    if (!err)
        err = h3ou__observers_end(&c->observers);
    if (!err)
        err = end_record(c);
    if (!err)
        err = h3ou__setup_facts_ended(c);
    return err ? err : h3ou__unused_fields_tell(c);
}

int h3ou__coupler_end(h3ou__coupler *c)
{
    int err = end_exchanges(c);
    return err || !c->stop ? err : h3ou__stop_end(c->stop);
}

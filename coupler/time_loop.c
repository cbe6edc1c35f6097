/* SPDX-License-Identifier: BSD-3-Clause */
/* The calls of the time loop: set_time, get, put, and the end. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/log.h"
#include "base/nearest_name.h"
#include "coupler/common/calendar.h"
#include "coupler/config/exchange_times.h"
#include "coupler/config/interval.h"
#include "coupler/config/leniency.h"
#include "coupler/coupler.h"
#include "coupler/ensemble/slices.h"
#include "coupler/monitor.h"
#include "coupler/unused_fields.h"

static const char *my_name(const h3ou__coupler *c)
{
    return h3ou__coupler_name(c);
}

/* Warns when steps of this length, of which the first begins at `now`, do not reach every exchange time. */
static int check_step(const h3ou__coupler *c, const h3ou__config_var *v, const h3ou__schedule *times, bool *warned,
                      h3ou__rational now, h3ou__rational step)
{
    char interval[H3OU__INTERVAL_TEXT], seconds[H3OU__RATIONAL_TEXT];
    if (h3ou__exchange_fits(times, now, step))
        return H3OU__OK;
    return h3ou__lenient(c->config, warned, H3OU__ETIME,
                         "%s:%d: intvl=%s of field %s is no multiple of the time step of %s, %s s", c->config->file,
                         v->line, h3ou__interval_text(&v->intvl, interval), v->put, my_name(c),
                         h3ou__rational_text(step, seconds));
}

static int check_steps(const h3ou__coupler *c, h3ou__rational now, h3ou__rational step)
{
    int err = H3OU__OK;
    for (int i = 0; i < c->nout && !err; i++)
        err = check_step(c, c->out[i]->var, &c->out[i]->times, &c->out[i]->is_warned, now, step);
    for (int i = 0; i < c->nin && !err; i++)
        err = check_step(c, c->in[i]->var, &c->in[i]->times, &c->in[i]->is_warned, now, step);
    return err;
}

/* Warns when a step passes over an exchange time, which changing steps may do though each of them divides the interval.
 */
static int check_jump(const h3ou__coupler *c, const h3ou__config_var *v, bool *warned, h3ou__rational due,
                      h3ou__rational now)
{
    char text[H3OU__DATE_TEXT];
    if (h3ou__rational_compare(due, now) >= 0 || *warned)
        return H3OU__OK;
    return h3ou__lenient(c->config, warned, H3OU__ETIME,
                         "h3ou_set_time: %s jumps over the exchange of field %s, due %.15g s after the start: let a step "
                         "begin at that time, or no get returns this exchange",
                         h3ou__clock_text(&c->clock, c->config, now, text), v->put, h3ou__rational_real(due));
}

/* Sets *stop to the first exchange time of any field after `past` and before `now`, or to `now` when there is none. */
static int next_stop(const h3ou__coupler *c, h3ou__rational past, h3ou__rational now, h3ou__rational *stop)
{
    int err = H3OU__OK;
    *stop = now;
    for (int i = 0; i < c->nout + c->nin && !err; i++) {
        bool puts = i < c->nout;
        h3ou__incoming *in = puts ? NULL : c->in[i - c->nout];
        const h3ou__config_var *v = puts ? c->out[i]->var : in->var;
        h3ou__rational due = h3ou__exchange_after(puts ? &c->out[i]->times : &in->times, past);
        err = check_jump(c, v, puts ? &c->out[i]->is_warned : &in->is_warned, due, now);
        *stop = h3ou__rational_compare(due, *stop) < 0 ? due : *stop;
    }
    return err;
}

/* Sends the exchanges due at `time`, then receives and drops those that no get can ask for any more. */
static int exchange_at_time(h3ou__coupler *c, h3ou__rational time)
{
    int err = H3OU__OK;
    for (int i = 0; i < c->nout && !err; i++)
        err = h3ou__outgoing_advance(c->out[i], &c->clock, time);
    for (int i = 0; i < c->nin && !err; i++)
        err = h3ou__incoming_advance(c->in[i], time);
    h3ou__send_off(c->world);
    return err ? err : h3ou__monitor_log(c);
}

/* Handles the exchange times after the last step and before `now` one after the other, as a model with shorter steps
 * would. If all of them were sent at once, two components that do so could wait for each other. */
static int exchange_until(h3ou__coupler *c, h3ou__rational now)
{
    h3ou__rational past = c->clock.now, stop;
    int err = H3OU__OK;
    while (c->clock.is_running && (err = next_stop(c, past, now, &stop)) == H3OU__OK &&
           h3ou__rational_compare(stop, now) < 0 && (err = exchange_at_time(c, stop)) == H3OU__OK)
        past = stop;
    return err;
}

static int check_call(const h3ou__coupler *c, const char *call, const char *component, h3ou__rational step)
{
    if (!c->clock.is_set)
        return h3ou__fail(H3OU__ESTATE, "%s comes before h3ou_init_time", call);
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

static int begin_step(h3ou__coupler *c, h3ou__rational step, bool exchanges)
{
    h3ou__rational now = h3ou__clock_next(&c->clock);
    c->clock.is_idle = !exchanges;
    int err = h3ou__coupler_plan_rest(c);
    if (!err && (!c->clock.is_running || h3ou__rational_compare(step, c->clock.step) != 0))
        err = check_steps(c, now, step);
    if (!err)
        err = exchange_until(c, now);
    if (!err)
        err = exchange_at_time(c, now);
    if (!err)
        h3ou__clock_advance(&c->clock, step);
    return err;
}

int h3ou__coupler_time_set(h3ou__coupler *c, const char *call, const char *component, const int date[6], int step,
                           bool exchanges)
{
    int err = check_call(c, call, component, h3ou__whole(step));
    if (!err)
        err = h3ou__clock_check(&c->clock, c->config, c->world, call, date);
    return err ? err : begin_step(c, h3ou__whole(step), exchanges);
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
    return err ? err : begin_step(c, step, true);
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
    return err ? err : begin_step(c, exact, true);
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
    int64_t now = h3ou__rational_divide(c->clock.now, h3ou__whole(1));
    h3ou__date_from_seconds(c->config->calendar, c->clock.start + now, date);
    return H3OU__OK;
}

/* Fails for an unknown field, with a hint to the nearest known one. */
static int fail_unknown_field(const h3ou__coupler *c, const char *call, const char *field, bool put)
{
    enum { MOST = 256 };
    char hint[H3OU__HINT];
    const char *names[MOST];
    int n = 0;
    for (int i = 0; i < (put ? c->nout : c->nin) && n < MOST; i++)
        names[n++] = put ? c->out[i]->var->put : c->in[i]->var->get;
    return h3ou__fail(H3OU__ENAME, "%s: %s gives component %s no field '%s' to %s%s", call, c->config->file,
                      my_name(c), field, put ? "put" : "get", h3ou__did_you_mean(field, names, n, hint));
}

/* Checks that a call passes as many arrays as the field has components at this side. */
static int check_component_count(const h3ou__coupler *c, const h3ou__config_var *v, const char *field, bool xyz,
                                 int count)
{
    static const char *const kinds[] = {
        "is no vector: name it with var_put_vec and var_get_vec to put and get two components, with var_put_xyz and "
        "var_get_xyz for three",
        "is a vector (var_put_vec, var_get_vec): pass both components (data and data_vector) by h3ou_put_vector; get takes "
        "them alike",
        "is a vector of three Cartesian components (var_put_xyz, var_get_xyz): put and get it by h3ou_put_xyz and "
        "h3ou_get_xyz"};
    int has = h3ou__config_components(v, xyz);
    if (count == has)
        return H3OU__OK;
    return h3ou__fail(H3OU__EARG, "%s:%d: field %s %s", c->config->file, v->line, field, kinds[has - 1]);
}

bool h3ou__coupler_is_wanted(const h3ou__coupler *c, const char *field)
{
    return h3ou__names_find(&c->puts.names, field) >= 0;
}

int h3ou__coupler_put(h3ou__coupler *c, const char *call, const char *field, const h3ou__arrays *given)
{
    bool found = false;
    if (c->config->ignore_unknown_put && !h3ou__coupler_is_wanted(c, field)) {
        h3ou__log(H3OU__LOG_LOUD, "put-ignored", "field=%s", field);
        return H3OU__OK;
    }
    if (!c->grids_ended)
        return h3ou__fail(H3OU__ESTATE, "%s: field %s comes before h3ou_init_time", call, field);
    if (!c->clock.is_set && h3ou__lenient(c->config, &c->warned.early_put, H3OU__ESTATE,
                                          "h3ou_put_data: field %s comes before h3ou_init_time", field))
        return H3OU__ESTATE;
    for (int i = h3ou__fields_first(&c->puts, field); i >= 0; i = c->puts.next[i]) {
        h3ou__outgoing *o = c->out[i];
        int err = check_component_count(c, o->var, field, o->var->put_xyz, given->count);
        if (err || (err = h3ou__outgoing_put(o, &c->clock, given)) != H3OU__OK ||
            (err = h3ou__outgoing_progress(o)) != H3OU__OK)
            return err;
        found = true;
    }
    h3ou__send_off(c->world);
    return found ? H3OU__OK : fail_unknown_field(c, call, field, true);
}

int h3ou__coupler_get(h3ou__coupler *c, const char *call, const char *field, const h3ou__arrays *to, bool *ok)
{
    *ok = false;
    int i = h3ou__fields_first(&c->gets, field);
    if (!c->clock.is_running && (i < 0 || i >= c->nin || !c->in[i]->has_now))
        return h3ou__fail(H3OU__ESTATE, "%s: field %s comes before the first h3ou_set_time", call, field);
    if (i < 0)
        return fail_unknown_field(c, call, field, false);
    h3ou__incoming *in = c->in[i];
    int err = check_component_count(c, in->var, field, in->var->get_xyz, to->count);
    if (!err)
        err = h3ou__incoming_get(in, &c->clock, to, ok);
    h3ou__send_off(c->world);
    return err;
}

/* Receives and drops what others still send, in the order in which they send it: they may wait until one field's exchanges
 * are received before they send another's. */
static int drop_rest(h3ou__coupler *c)
{
    for (;;) {
        h3ou__incoming *first = NULL;
        h3ou__rational earliest = H3OU__NEVER;
        for (int i = 0; i < c->nin; i++) {
            h3ou__incoming *in = c->in[i];
            h3ou__rational leaves = h3ou__exchange_leaves(&in->times, in->next);
            if (h3ou__incoming_awaits_end(in) && (!first || h3ou__rational_compare(leaves, earliest) < 0)) {
                first = in;
                earliest = leaves;
            }
        }
        int err = first ? h3ou__incoming_drop(first) : H3OU__OK;
        if (err || !first)
            return err;
    }
}

int h3ou__coupler_end(h3ou__coupler *c)
{
    if (!c->clock.is_set)
        return H3OU__OK; /* nothing was planned, so no other component waits for this one */
    h3ou__rational now = h3ou__clock_next(&c->clock);
    c->clock.is_idle = false;
    int err = h3ou__coupler_plan_rest(c);
    if (!err)
        err = exchange_until(c, now);
    for (int i = 0; i < c->nout && !err; i++)
        if ((err = h3ou__outgoing_advance(c->out[i], &c->clock, now)) == H3OU__OK)
            err = h3ou__outgoing_end(c->out[i], now);
    if (!err)
        err = h3ou__monitor_log(c);
    if (!err)
        err = drop_rest(c);
    for (int i = 0; i < c->nin && !err; i++)
        err = h3ou__incoming_end(c->in[i]);
    for (int i = 0; i < c->nout && !err; i++)
        err = h3ou__outgoing_drain(c->out[i]);
    return err ? err : h3ou__unused_fields_tell(c);
}

int h3ou__coupler_layers(const h3ou__coupler *c, const char *field, int *nlayer)
{
    int put = h3ou__names_find(&c->puts.names, field), get = h3ou__names_find(&c->gets.names, field);
    if (put < 0 && get < 0)
        return h3ou__fail(H3OU__ENAME, "%s gives component %s no field '%s'", c->config->file, my_name(c), field);
    int var = put >= 0 ? c->puts.var[put] : c->gets.var[get];
    const h3ou__config_var *v = &c->config->var[var];
    *nlayer = v->layer * (put >= 0 ? h3ou__slices_put(c->world, c->config, v) : h3ou__slices_got(c->world, c->config, v));
    return H3OU__OK;
}

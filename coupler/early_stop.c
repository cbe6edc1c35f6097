/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/early_stop.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/error.h"
#include "base/log.h"
#include "comm/watch/run_state.h"
#include "coupler/config/interval.h"
#include "coupler/stop/stop_agreement.h"

/* Returns the first exchange time of any field of mine after `after`: steps of every length end there. */
static h3ou__rational next_exchange(void *user, h3ou__rational after)
{
    const h3ou__coupler *c = user;
    h3ou__rational next = H3OU__NEVER;
    for (int i = 0; i < c->nout + c->nin; i++) {
        const h3ou__schedule *times = i < c->nout ? &c->out[i]->times : &c->in[i - c->nout]->times;
        h3ou__rational due = h3ou__exchange_after(times, after);
        next = h3ou__rational_compare(due, next) < 0 ? due : next;
    }
    return next;
}

static bool is_between_components(const h3ou__coupler *c, const h3ou__config_var *v)
{
    return !h3ou__config_is_own(&c->config->pair[v->pair]);
}

static bool can_stop(void *user)
{
    const h3ou__coupler *c = user;
    return !c->stop_leads.late;
}

static h3ou__rational lead(void *user, int component)
{
    const h3ou__coupler *c = user;
    return h3ou__stop_leads_of(&c->stop_leads, h3ou__world_component_base(c->world, component));
}

/* With a lag above 0 the sender sends what the receiver needs before its end until its own end only if both end at exchange times. */
static bool is_good(void *user, int64_t time)
{
    const h3ou__coupler *c = user;
    bool is = true;
    for (int i = 0; i < c->stop_leads.n && is; i++)
        is = h3ou__rational_add(h3ou__whole(time), c->stop_leads.lead[i]).den == 1;
    for (int i = 0; i < c->config->nvar && is; i++) {
        const h3ou__config_var *v = &c->config->var[i];
        if (v->lag < 1 || !is_between_components(c, v) || !h3ou__interval_is_given(&v->intvl))
            continue;
        h3ou__schedule times = h3ou__schedule_make(v, c->config->calendar, c->clock.date, h3ou__whole(0), h3ou__whole(0));
        h3ou__rational ends = h3ou__stop_leads_of(&c->stop_leads, c->config->pair[v->pair].comp_get);
        is = h3ou__exchange_is_due(&times, h3ou__rational_add(h3ou__whole(time), ends));
    }
    return is;
}

/* Lets all components of this process answer while one of them waits. */
static void poll_all(void *user)
{
    h3ou__coupler *c = user, *s = c;
    do {
        if (s->stop && s->clock.is_set)
            h3ou__stop_poll(s->stop);
        s = s->sibling;
    } while (s != c);
}

int h3ou__early_stop_begin(h3ou__coupler *c, bool wanted)
{
    h3ou__coupler *s = c;
    int err = H3OU__OK;
    do {
        const h3ou__stop_model model = {s, next_exchange, can_stop, is_good, lead};
        err = h3ou__stop_leads_find(s->config, &s->stop_leads);
        if (wanted && !err)
            err = h3ou__stop_create(s->world, &model, &s->stop);
        if (wanted && !err)
            h3ou__world_when_waiting(s->world, poll_all, s);
        s = s->sibling;
    } while (s != c && !err);
    return err;
}

void h3ou__early_stop_begin_step(h3ou__coupler *c, h3ou__rational now, h3ou__rational step, bool is_uneven)
{
    if (c->stop)
        h3ou__stop_begin_step(c->stop, now, h3ou__rational_add(now, step), is_uneven);
}

/* Tells once what was decided. */
static void tell_decision(h3ou__coupler *c, int64_t time)
{
    char text[H3OU__DATE_TEXT], why[256] = "the steps of the components have no common end";
    const h3ou__config_var *latest = c->stop_leads.late;
    c->stop_told = true;
    h3ou__world_show_stop(c->world, time < 0 ? H3OU__CANNOT_STOP : H3OU__STOPS, (double)time);
    if (!c->config->is_leader)
        return;
    if (time >= 0) {
        h3ou__log(H3OU__LOG_WHISPER, "stop", "component=%s at=\"%s\"", h3ou__coupler_name(c),
                  h3ou__clock_text(&c->clock, c->config, h3ou__whole(time), text));
        return;
    }
    if (latest && h3ou__interval_is_given(&latest->intvl) && latest->intvl.months > 0)
        snprintf(why, sizeof why, "%.100s:%d: field %.64s has lag=%d and an interval in months: its receiver needs what the sender puts some "
                 "months later", c->config->file, latest->line, latest->put, latest->lag);
    else if (latest)
        snprintf(why, sizeof why, "%.100s:%d: with lag=%d of field %.64s components wait for each other", c->config->file, latest->line,
                 latest->lag, latest->put);
    h3ou__log(H3OU__LOG_WARNING, "cannot_stop", "component=%s because=\"%s\"", h3ou__coupler_name(c), why);
}

int h3ou__coupler_should_stop(h3ou__coupler *c, bool *stop)
{
    int64_t time;
    *stop = false;
    if (!c->clock.is_set)
        return h3ou__fail(H3OU__ESTATE, "h3ou_should_stop comes before h3ou_init_time");
    if (!c->stop || !c->clock.is_running || c->clock.is_restored)
        return H3OU__OK;
    if (!c->stop_asks)
        h3ou__world_show_stop(c->world, H3OU__ASKS, 0.0);
    c->stop_asks = true;
    int err = h3ou__stop_ask(c->stop, h3ou__clock_next(&c->clock), stop);
    if (!err && !c->stop_told && h3ou__stop_is_decided(c->stop, &time))
        tell_decision(c, time);
    return err;
}

bool h3ou__early_stop_is_at(const h3ou__coupler *c, h3ou__rational now)
{
    int64_t time;
    return c->stop && h3ou__stop_is_decided(c->stop, &time) && time >= 0 && h3ou__rational_compare(now, h3ou__whole(time)) == 0;
}

h3ou__rational h3ou__early_stop_of(const h3ou__coupler *c, const char *component, h3ou__rational now)
{
    if (!h3ou__early_stop_is_at(c, now))
        return now;
    h3ou__rational mine = h3ou__stop_leads_of(&c->stop_leads, h3ou__coupler_name(c));
    return h3ou__rational_add(now, h3ou__rational_subtract(h3ou__stop_leads_of(&c->stop_leads, component), mine));
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/siblings.h"

#include "base/error.h"
#include "coupler/clock/exchange_times.h"

int h3ou__siblings_fail_unplanned(const h3ou__coupler *c, const char *call)
{
    if (!c->is_begun)
        return h3ou__fail(H3OU__ESTATE, "%s comes before h3ou_init_time", call);
    const h3ou__coupler *other = c->sibling;
    while (other != c && other->is_begun)
        other = other->sibling;
    return h3ou__fail(H3OU__ESTATE,
                      "%s of component %s comes before h3ou_init_time of component %s: a process that opens several components "
                      "begins the steps after h3ou_init_time of all of them",
                      call, h3ou__coupler_name(c), other == c ? h3ou__world_unopened() : h3ou__coupler_name(other));
}

/* Returns the number of the exchange of `in` that a component must have sent before a call at `now` can receive it. */
static int64_t awaited_exchange(const h3ou__incoming *in, h3ou__rational now, bool takes)
{
    return h3ou__exchange_at(&in->times, now) - !takes;
}

int h3ou__siblings_send_ahead(const h3ou__coupler *c, const h3ou__incoming *in, h3ou__rational now, bool takes)
{
    int64_t var = in->var - c->config->var; /* all components of a process have the same configuration */
    int err = H3OU__OK;
    for (const h3ou__coupler *s = c->sibling; s != c && in->var->lag != 0 && !err; s = s->sibling)
        if (s->out_of[var] && !s->has_left)
            err = h3ou__outgoing_send_ahead(s->out_of[var], &s->clock, awaited_exchange(in, now, takes));
    return err;
}

int h3ou__siblings_send_complete(const h3ou__coupler *c, h3ou__rational now, bool takes)
{
    int err = H3OU__OK;
    for (const h3ou__coupler *s = c->sibling; s != c && !err; s = s->sibling)
        for (int i = 0; i < s->nout && !err && !s->has_left; i++)
            err = h3ou__outgoing_send_complete(s->out[i], &s->clock, now, !takes);
    return err;
}

int h3ou__siblings_send_all_ahead(const h3ou__coupler *c, h3ou__rational now)
{
    int err = h3ou__siblings_send_complete(c, now, false);
    for (int i = 0; i < c->nin && c->sibling != c && !err; i++)
        err = h3ou__siblings_send_ahead(c, c->in[i], now, false);
    return err;
}

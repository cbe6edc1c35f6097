/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/quiet_steps.h"

static h3ou__rational earlier(h3ou__rational a, h3ou__rational b)
{
    return h3ou__rational_compare(a, b) < 0 ? a : b;
}

void h3ou__quiet_steps_find(h3ou__coupler *c)
{
    h3ou__rational until = H3OU__NEVER, now = c->clock.now;
    for (int i = 0; i < c->nout; i++) {
        const h3ou__outgoing *o = c->out[i];
        until = earlier(until, h3ou__exchange_after(&o->times, now));
        until = earlier(until, h3ou__exchange_leaves(&o->times, o->next));
    }
    for (int i = 0; i < c->nin; i++) {
        const h3ou__incoming *in = c->in[i];
        until = earlier(until, h3ou__exchange_after(&in->times, now));
        if (in->var->lag != 0 && !in->has_ended)
            until = earlier(until, h3ou__exchange_time(&in->times, in->next));
    }
    c->is_quiet = c->is_planned && !c->observers.has_step;
    c->quiet_until = until;
}

bool h3ou__quiet_step_is(const h3ou__coupler *c, h3ou__rational now)
{
    bool is_quiet = c->is_quiet && h3ou__rational_compare(now, c->quiet_until) < 0;
    for (int i = 0; i < c->nout && is_quiet; i++)
        is_quiet = !c->out[i]->parcels.first;
    for (int i = 0; i < c->bundles.nsent && is_quiet; i++)
        is_quiet = !c->bundles.sent[i]->parcels.first && !c->bundles.sent[i]->open;
    return is_quiet;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/exchange/observer.h"

#include "base/error.h"

int h3ou__observers_add(h3ou__observers *s, const h3ou__observer_ops *ops, void *self)
{
    if (s->n == H3OU__MOST_OBSERVERS) {
        if (ops->free)
            ops->free(self);
        return h3ou__fail(H3OU__EUNSUPPORTED, "more than %d observers of a component's fields", H3OU__MOST_OBSERVERS);
    }
    s->one[s->n].ops = ops;
    s->one[s->n++].self = self;
    s->has_step |= ops->step != NULL;
    return H3OU__OK;
}

void h3ou__observers_free(h3ou__observers *s)
{
    for (int i = 0; i < s->n; i++)
        if (s->one[i].ops->free)
            s->one[i].ops->free(s->one[i].self);
    s->n = 0;
}

static bool is_wanted(const h3ou__observers *s, int i, const h3ou__config_var *var, int side)
{
    return s->one[i].ops->wants(s->one[i].self, var, side);
}

/* Returns the bits of the sides that somebody wants to see. */
static unsigned find_watched(const h3ou__observers *s, const h3ou__config_var *var)
{
    unsigned watched = 0;
    for (int i = 0; i < s->n; i++)
        for (int side = 0; side < H3OU__NSIDE; side++)
            watched |= (unsigned)is_wanted(s, i, var, side) << side;
    return watched;
}

void h3ou__observers_watch_puts(const h3ou__observers *s, h3ou__outgoing *o)
{
    o->observers = s;
    o->watched = find_watched(s, o->var);
}

void h3ou__observers_watch_gets(const h3ou__observers *s, h3ou__incoming *in)
{
    in->observers = s;
    in->watched = find_watched(s, in->var);
}

int h3ou__observers_step(const h3ou__observers *s)
{
    int err = H3OU__OK;
    for (int i = 0; i < s->n && !err; i++)
        if (s->one[i].ops->step)
            err = s->one[i].ops->step(s->one[i].self, s->clock);
    return err;
}

int h3ou__observers_end(const h3ou__observers *s)
{
    int err = H3OU__OK;
    for (int i = 0; i < s->n && !err; i++)
        if (s->one[i].ops->end)
            err = s->one[i].ops->end(s->one[i].self, s->clock);
    return err;
}

int h3ou__observe_put(const h3ou__outgoing *o, const h3ou__arrays *given)
{
    const h3ou__observers *s = o->observers;
    int err = H3OU__OK;
    for (int i = 0; i < s->n && !err; i++)
        if (is_wanted(s, i, o->var, H3OU__SIDE_PUT))
            err = s->one[i].ops->put(s->one[i].self, o, s->clock, given);
    return err;
}

int h3ou__observe_sent(const h3ou__outgoing *o, double mark, int state, const h3ou__sample *sample)
{
    const h3ou__observers *s = o->observers;
    int err = H3OU__OK;
    for (int i = 0; i < s->n && !err; i++)
        if (is_wanted(s, i, o->var, H3OU__SIDE_SENT))
            err = s->one[i].ops->sent(s->one[i].self, o, s->clock, mark, state, sample);
    return err;
}

int h3ou__observe_received(const h3ou__incoming *in, const double *const value[])
{
    const h3ou__observers *s = in->observers;
    double mark = in->is_at_once ? (double)-in->now_count : in->got;
    int err = H3OU__OK;
    for (int i = 0; i < s->n && !err; i++)
        if (is_wanted(s, i, in->var, H3OU__SIDE_RECEIVED))
            err = s->one[i].ops->received(s->one[i].self, in, s->clock, mark, value);
    return err;
}

int h3ou__observe_got(const h3ou__incoming *in, const h3ou__arrays *to, bool ok)
{
    const h3ou__observers *s = in->observers;
    int err = H3OU__OK;
    for (int i = 0; i < s->n && !err; i++)
        if (is_wanted(s, i, in->var, H3OU__SIDE_GOT))
            err = s->one[i].ops->got(s->one[i].self, in, s->clock, to, ok);
    return err;
}

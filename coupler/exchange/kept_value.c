/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/exchange/kept_value.h"

#include "base/error.h"

/* Returns whether the interval of exchange o->next ends with my component's step. */
static bool is_last_step(const h3ou__outgoing *o, const h3ou__clock *clock)
{
    return h3ou__rational_compare(h3ou__exchange_leaves(&o->times, o->next), h3ou__clock_next(clock)) <= 0;
}

bool h3ou__kept_value_is_needed(const h3ou__outgoing *o, const h3ou__clock *clock)
{
    return o->put_habit != H3OU__PUTS_REGULAR || h3ou__rational_compare(o->put_step, clock->step) != 0 ||
           is_last_step(o, clock);
}

void h3ou__kept_value_put(h3ou__outgoing *o, const h3ou__clock *clock, bool is_kept)
{
    o->is_behind = !is_kept;
    o->put_step = clock->step;
    o->put_ends = clock->is_running && o->plan && is_last_step(o, clock);
}

void h3ou__kept_value_end(h3ou__outgoing *o)
{
    if (o->put_habit == H3OU__PUTS_REGULAR && !o->put_ends)
        o->put_habit = H3OU__PUTS_IRREGULAR;
    if (o->put_habit == H3OU__PUTS_UNKNOWN && o->put_ends)
        o->put_habit = H3OU__PUTS_REGULAR;
    o->put_ends = false;
}

int h3ou__kept_value_check(const h3ou__outgoing *o, const h3ou__sample *s)
{
    if (s->value != o->newest || !o->is_behind)
        return H3OU__OK;
    return h3ou__fail(H3OU__ESTATE,
                      "%s:%d: field %s: its last value is to be sent, and was not kept: for the first time it was not "
                      "put in the last step of its interval. Put it in that step, or in this one",
                      o->config->file, o->var->line, o->var->put);
}

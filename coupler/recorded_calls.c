/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/recorded_calls.h"

#include "base/error.h"
#include "coupler/ensemble/slices.h"
#include "coupler/plan_pairs.h"

bool h3ou__face_field_find(const h3ou__coupler *c, const char *call, bool puts, int number, h3ou__face_field *f)
{
    const h3ou__fields *fields = puts ? &c->puts : &c->gets;
    if (number < 0)
        return false;
    int var = fields->var[number];
    const h3ou__config_var *v = &c->config->var[var];
    const h3ou__config_pair *pair = &c->config->pair[v->pair];
    *f = (h3ou__face_field){.call = call,
                            .puts = puts,
                            .var = var,
                            .name = fields->names.name[number],
                            .config = c->config,
                            .grid = h3ou__find_grid(c, puts ? pair->grid_put : pair->grid_get),
                            .slices = puts ? h3ou__slices_put(c->world, c->config, v) : h3ou__slices_got(c->world, c->config, v)};
    return f->grid;
}

void h3ou__recorded_put(h3ou__coupler *c, const char *call, int number, const h3ou__arrays *given)
{
    h3ou__face_field f;
    if (h3ou__face_field_find(c, call, true, number, &f))
        h3ou__recorder_put(c->recorder, &f, &c->clock, given);
}

int h3ou__replayed_put(h3ou__coupler *c, const char *call, int number, const h3ou__arrays *given)
{
    h3ou__face_field f;
    if (!h3ou__face_field_find(c, call, true, number, &f))
        return h3ou__fail(H3OU__ESTATE, "%s comes before the grid of the field is defined", call);
    return h3ou__replay_put(c->replay, &f, &c->clock, given);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Exchanges outside the time loop's order: all fields from one component to another, at once. */
#include <inttypes.h>
#include <string.h>

#include "base/error.h"
#include "coupler/coupler.h"

static int check_order(const h3ou__coupler *c, const char *call, const char *mine)
{
    if (!c->clock.is_set)
        return h3ou__fail(H3OU__ESTATE, "%s comes before h3ou_init_time", call);
    if (!h3ou__coupler_is_me(c, mine))
        return h3ou__fail(H3OU__ENAME, "%s: component '%s' is not mine: this program is '%s'", call, mine, h3ou__coupler_name(c));
    return H3OU__OK;
}

static int fail_no_field(const h3ou__coupler *c, const char *call, const char *send, const char *recv)
{
    return h3ou__fail(H3OU__ENAME, "%s: %s has no field from component '%s' to '%s'", call, c->config->file, send, recv);
}

static int fail_no_plan(const char *call, const char *field)
{
    return h3ou__fail(H3OU__ESTATE,
                      "%s: field %s has no interpolation table yet: call h3ou_set_interpolation_table before h3ou_init_time", call,
                      field);
}

/* Returns by how many calls what my component has sent itself at once is ahead of what it has received, of a field that it gets
 * from itself. */
static int64_t calls_ahead(const h3ou__coupler *c, const h3ou__config_var *v)
{
    int64_t var = v - c->config->var;
    return (c->out_of[var] ? c->out_of[var]->now_count : 0) - (c->in_of[var] ? c->in_of[var]->now_count : 0);
}

/* Inside one component: a call that would wait for what the same process does later. */
static int check_own_order(const h3ou__coupler *c, const char *call, const h3ou__config_var *v, bool sends)
{
    int64_t ahead = h3ou__config_is_own(&c->config->pair[v->pair]) ? calls_ahead(c, v) : sends ? 0 : 1;
    if (!sends && ahead <= 0)
        return h3ou__fail(H3OU__ESTATE, "%s: field %s: component %s receives it from itself, and has not called h3ou_send_now before",
                          call, v->get, h3ou__coupler_name(c));
    if (sends && ahead >= H3OU__NOW_AHEAD)
        return h3ou__fail(H3OU__ESTATE, "%s: field %s: component %s sends it to itself, and has called this %" PRId64 " times without "
                          "h3ou_recv_now", call, v->put, h3ou__coupler_name(c), ahead);
    return H3OU__OK;
}

int h3ou__coupler_send_now(h3ou__coupler *c, const char *send, const char *recv)
{
    const char *const call = "h3ou_send_now";
    int err = check_order(c, call, send), n = 0;
    if (c->replay)
        return err;
    if (!err)
        err = h3ou__coupler_send_bundles(c);
    for (int i = 0; i < c->nout && !err; i++) {
        h3ou__outgoing *o = c->out[i];
        if (strcmp(c->config->pair[o->var->pair].comp_get, recv) != 0)
            continue;
        n++;
        if ((err = check_own_order(c, call, o->var, true)) != H3OU__OK)
            break;
        err = o->plan ? h3ou__outgoing_send_now(o, &c->clock) : fail_no_plan(call, o->var->put);
    }
    h3ou__send_off(c->world);
    return err || n > 0 ? err : fail_no_field(c, call, send, recv);
}

int h3ou__coupler_recv_now(h3ou__coupler *c, const char *send, const char *recv)
{
    const char *const call = "h3ou_recv_now";
    int err = check_order(c, call, recv), n = 0;
    if (c->replay)
        return err; /* the record has what the next get returned */
    if (!err)
        err = h3ou__coupler_send_bundles(c);
    c->is_quiet = c->step_is_quiet = false; /* the next get returns what comes now, the next step forgets it */
    for (int i = 0; i < c->nin && !err; i++) {
        h3ou__incoming *in = c->in[i];
        if (strcmp(c->config->pair[in->var->pair].comp_put, send) != 0)
            continue;
        n++;
        err = check_own_order(c, call, in->var, false);
        if (!err)
            err = h3ou__incoming_recv_now(in);
    }
    return err || n > 0 ? err : fail_no_field(c, call, send, recv);
}

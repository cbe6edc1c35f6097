/* SPDX-License-Identifier: BSD-3-Clause */
/* Exchanges outside the time loop's order: all fields from one component to another, at once. */
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

int h3ou__coupler_send_now(h3ou__coupler *c, const char *send, const char *recv)
{
    const char *const call = "h3ou_send_now";
    int err = check_order(c, call, send), n = 0;
    for (int i = 0; i < c->nout && !err; i++) {
        h3ou__outgoing *o = c->out[i];
        if (strcmp(c->config->pair[o->var->pair].comp_get, recv) != 0)
            continue;
        n++;
        err = o->plan ? h3ou__outgoing_send_now(o, &c->clock) : fail_no_plan(call, o->var->put);
    }
    h3ou__send_off(c->world);
    return err || n > 0 ? err : fail_no_field(c, call, send, recv);
}

int h3ou__coupler_recv_now(h3ou__coupler *c, const char *send, const char *recv)
{
    const char *const call = "h3ou_recv_now";
    int err = check_order(c, call, recv), n = 0;
    for (int i = 0; i < c->nin && !err; i++) {
        h3ou__incoming *in = c->in[i];
        if (strcmp(c->config->pair[in->var->pair].comp_put, send) != 0)
            continue;
        n++;
        err = h3ou__incoming_recv_now(in);
    }
    return err || n > 0 ? err : fail_no_field(c, call, send, recv);
}

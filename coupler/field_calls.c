/* SPDX-License-Identifier: BSD-3-Clause */
/* Put and get, by the name of a field or by its handle, and what a program may ask of a field. */
#include <string.h>

#include "base/error.h"
#include "base/log.h"
#include "coupler/check/field_fit.h"
#include "coupler/config/interval_flag.h"
#include "coupler/config/leniency.h"
#include "coupler/coupler.h"
#include "coupler/ensemble/slices.h"
#include "coupler/exchange/observer.h"
#include "coupler/recorded_calls.h"
#include "coupler/setup_facts.h"
#include "coupler/siblings.h"

static int fail_unknown_field(const h3ou__coupler *c, const char *call, const char *field, bool put)
{
    return h3ou__field_fail_unknown(c->config, call, h3ou__coupler_name(c), field, put, put ? &c->puts.names : &c->gets.names);
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

/*
 * A handle is (number << COMPONENT_BITS) | component: component is the number of the component among those of this process, so that
 * another one rejects the handle; number counts the names that are put from 1, and those that are got only behind them. The handle 0
 * stands for a field that the namelist does not name, where puts of such fields do nothing.
 */
enum { COMPONENT_BITS = 4 };

static int handle_of(const h3ou__coupler *c, int number)
{
    return (number + 1) << COMPONENT_BITS | c->own_number;
}

int h3ou__coupler_field(h3ou__coupler *c, const char *field, int *handle)
{
    int put = h3ou__names_find(&c->puts.names, field), get = h3ou__names_find(&c->gets.names, field);
    *handle = put >= 0 ? handle_of(c, put) : get >= 0 ? handle_of(c, c->puts.names.n + get) : 0;
    if (put < 0 && get < 0 && !c->config->ignore_unknown_put)
        return h3ou__field_fail_no_handle(c->config, h3ou__coupler_name(c), field, &c->puts.names, &c->gets.names);
    h3ou__setup_facts_named(c, "handle", field);
    return H3OU__OK;
}

/* Sets *number to what the handle says. */
static int open_handle(const h3ou__coupler *c, const char *call, int handle, int *number)
{
    *number = (handle >> COMPONENT_BITS) - 1;
    bool is_mine = (handle & ((1 << COMPONENT_BITS) - 1)) == c->own_number;
    if (is_mine && *number >= 0 && *number < c->puts.names.n + c->gets.names.n)
        return H3OU__OK;
    return h3ou__fail(H3OU__EARG, "%s: %d is no handle of a field of component %s: h3ou_field returns one for a name", call, handle,
                      h3ou__coupler_name(c));
}

static const char *name_of(const h3ou__coupler *c, int number)
{
    int nput = c->puts.names.n;
    return number < nput ? c->puts.names.name[number] : c->gets.names.name[number - nput];
}

int h3ou__coupler_field_name(const h3ou__coupler *c, int handle, const char **name)
{
    int number, err = open_handle(c, "h3ou_field_name", handle, &number);
    if (!err)
        *name = name_of(c, number);
    return err;
}

static int fail_early(h3ou__coupler *c, const char *call, const char *field)
{
    if (!c->grids_ended)
        return h3ou__fail(H3OU__ESTATE, "%s: field %s comes before h3ou_init_time", call, field);
    return h3ou__lenient(c->config, &c->warned.early_put, H3OU__ESTATE, "%s: field %s comes before h3ou_init_time", call, field)
               ? H3OU__ESTATE
               : H3OU__OK;
}

static int fail_cut(const h3ou__coupler *c, const char *call, const char *field)
{
    if (c->clock.is_restored)
        return h3ou__fail(H3OU__ESTATE,
                          "%s: field %s comes between h3ou_read_restart and h3ou_set_time: what was put before is in the restart, so put "
                          "no initial value in a run that goes on from one", call, field);
    return h3ou__fail(H3OU__ESTATE,
                      "%s: field %s comes between h3ou_write_restart and h3ou_set_time: put and get before the restart is written, "
                      "which has the state of the end of the step", call, field);
}

/* Stores a value for one receiver, and sends it where it is due. */
static int put_for_one(h3ou__coupler *c, h3ou__outgoing *o, const char *field, const h3ou__arrays *given, bool *may_send)
{
    if (c->is_begun && !c->clock.is_set && o->var->lag == 0 && o->has_value)
        return h3ou__siblings_fail_unplanned(c, "the second h3ou_put_data of a field with lag=0");
    bool busy;
    int err = check_component_count(c, o->var, field, o->var->put_xyz, given->count);
    if (!err)
        err = h3ou__outgoing_progress(o, &busy); /* the put may need the memory of messages that have left */
    if (err || (err = h3ou__outgoing_put(o, &c->clock, given)) != H3OU__OK)
        return err;
    err = h3ou__outgoing_progress(o, &busy);
    *may_send |= busy || o->members;
    return err;
}

/* number: of the name among those that are put, or -1. */
static int put_number(h3ou__coupler *c, const char *call, const char *field, int number, const h3ou__arrays *given)
{
    bool may_send = false;
    int err = c->clock.is_cut ? fail_cut(c, call, field) : c->is_begun ? H3OU__OK : fail_early(c, call, field);
    if (err)
        return err;
    if (c->replay && number >= 0)
        return h3ou__replayed_put(c, call, number, given);
    int first = number < 0 ? -1 : c->puts.first[number];
    if (number >= 0)
        c->puts.calls[number]++;
    for (int i = first; i >= 0 && !err; i = c->puts.next[i])
        err = put_for_one(c, c->out[i], field, given, &may_send);
    if (may_send)
        h3ou__send_off(c->world);
    if (!err && c->recorder)
        h3ou__recorded_put(c, call, number, given);
    return err || first >= 0 ? err : fail_unknown_field(c, call, field, true);
}

int h3ou__coupler_put(h3ou__coupler *c, const char *call, const char *field, const h3ou__arrays *given)
{
    int number = h3ou__names_find(&c->puts.names, field);
    if (number >= 0 || !c->config->ignore_unknown_put)
        return put_number(c, call, field, number, given);
    h3ou__log(H3OU__LOG_LOUD, "put-ignored", "field=%s", field);
    h3ou__setup_facts_named(c, "ignored", field);
    return H3OU__OK;
}

int h3ou__coupler_field_put(h3ou__coupler *c, const char *call, int handle, const h3ou__arrays *given)
{
    int number, err;
    if (handle == 0 && c->config->ignore_unknown_put)
        return H3OU__OK;
    if ((err = open_handle(c, call, handle, &number)) != H3OU__OK)
        return err;
    return put_number(c, call, name_of(c, number), number < c->puts.names.n ? number : -1, given);
}

/* With lag=0 inside my component: a get of what this process itself has yet to put would never end. */
static int check_own_put(const h3ou__coupler *c, const char *call, const h3ou__incoming *in)
{
    if (in->var->lag != 0 || !in->plan->from_itself || in->has_now)
        return H3OU__OK;
    const h3ou__outgoing *o = c->out_of[in->var - c->config->var];
    if (!o || o->next > in->next || in->ahead)
        return H3OU__OK;
    return h3ou__fail(H3OU__ENOVALUE,
                      "%s: %s:%d: field %s: component %s gets it from itself with lag=0, and has not put %s since it "
                      "got it last: put it before the get, or give lag=-1",
                      call, c->config->file, in->var->line, in->var->get, h3ou__coupler_name(c), in->var->put);
}

static int show_got(const h3ou__incoming *in, const h3ou__arrays *to, bool ok)
{
    return h3ou__is_watched(in->watched, H3OU__SIDE_GOT) ? h3ou__observe_got(in, to, ok) : H3OU__OK;
}

/* Gets from the exchange, and records what came. */
static int get_incoming(h3ou__coupler *c, const char *call, int number, h3ou__incoming *in, const h3ou__arrays *to, bool *ok)
{
    h3ou__face_field f;
    if (!c->recorder || !h3ou__face_field_find(c, call, false, number, &f) || h3ou__recorder_expect(c->recorder, &f, to))
        return h3ou__incoming_get(in, &c->clock, to, ok);
    int err = h3ou__incoming_get(in, &c->clock, to, ok);
    h3ou__recorder_got(c->recorder, &f, &c->clock, to, err, *ok);
    return err;
}

/* The same in a step in which nothing can be due. */
static int get_nothing(h3ou__coupler *c, const char *call, int number, h3ou__incoming *in, const h3ou__arrays *to)
{
    h3ou__face_field f;
    int err = h3ou__incoming_get_nothing(in, to);
    if (!err && c->recorder && h3ou__face_field_find(c, call, false, number, &f))
        h3ou__recorder_got_nothing(c->recorder, &f, &c->clock, to);
    return err ? err : show_got(in, to, false);
}

/* number: of the name among those that are got, or -1. */
static int get_number(h3ou__coupler *c, const char *call, const char *field, int number, const h3ou__arrays *to, bool *ok)
{
    int i = number < 0 ? -1 : c->gets.first[number];
    h3ou__face_field f;
    *ok = false;
    if (c->clock.is_cut)
        return fail_cut(c, call, field);
    if (c->replay && h3ou__face_field_find(c, call, false, number, &f))
        return h3ou__replay_get(c->replay, &f, &c->clock, to, ok);
    if (!c->clock.is_running && (i < 0 || !c->in[i]->has_now))
        return h3ou__fail(H3OU__ESTATE, "%s: field %s comes before the first h3ou_set_time", call, field);
    if (i < 0)
        return fail_unknown_field(c, call, field, false);
    c->gets.calls[number]++;
    h3ou__incoming *in = c->in[i];
    int err = check_component_count(c, in->var, field, in->var->get_xyz, to->count);
    if (c->step_is_quiet && in->var->lag != 0 && in->var->flag != H3OU__FLAG_INT && c->sibling == c)
        return err ? err : get_nothing(c, call, number, in, to);
    if (!err && c->sibling != c && !in->has_now &&
        (err = h3ou__siblings_send_complete(c, c->clock.now, true)) == H3OU__OK)
        err = h3ou__siblings_send_ahead(c, in, c->clock.now, true);
    if (!err)
        err = check_own_put(c, call, in);
    if (!err)
        err = h3ou__coupler_send_bundles(c); /* the get may wait */
    if (!err)
        err = get_incoming(c, call, number, in, to, ok);
    if (!err)
        err = show_got(in, to, *ok);
    if (err || *ok || c->sibling != c)
        h3ou__send_off(c->world);
    return err;
}

int h3ou__coupler_get(h3ou__coupler *c, const char *call, const char *field, const h3ou__arrays *to, bool *ok)
{
    return get_number(c, call, field, h3ou__names_find(&c->gets.names, field), to, ok);
}

int h3ou__coupler_field_get(h3ou__coupler *c, const char *call, int handle, const h3ou__arrays *to, bool *ok)
{
    int nput = c->puts.names.n, number, err = open_handle(c, call, handle, &number);
    *ok = false;
    if (err)
        return err;
    return get_number(c, call, name_of(c, number), number < nput ? c->got_as[number] : number - nput, to, ok);
}

int64_t h3ou__coupler_cells(const h3ou__coupler *c, const char *field, bool put, int *nlayer)
{
    h3ou__face_field f;
    if (!h3ou__face_field_find(c, "", put, h3ou__names_find(put ? &c->puts.names : &c->gets.names, field), &f))
        return 0;
    *nlayer = *nlayer ? *nlayer : c->config->var[f.var].layer;
    return f.grid->n;
}

int h3ou__coupler_members(const h3ou__coupler *c, const char *field, int *members)
{
    int number = h3ou__names_find(&c->gets.names, field);
    if (number < 0)
        return fail_unknown_field(c, "h3ou_get_members", field, false);
    int i = c->gets.first[number];
    *members = i >= 0 && i < c->nin && c->in[i]->streams
                   ? h3ou__member_streams_members(c->in[i]->streams)
                   : h3ou__members_counted(c->world, c->config, &c->config->var[c->gets.var[number]]);
    return H3OU__OK;
}

int h3ou__coupler_layers(const h3ou__coupler *c, const char *field, int *nlayer)
{
    int put = h3ou__names_find(&c->puts.names, field), get = h3ou__names_find(&c->gets.names, field);
    if (put < 0 && get < 0)
        return h3ou__fail(H3OU__ENAME, "%s gives component %s no field '%s'", c->config->file, h3ou__coupler_name(c), field);
    int var = put >= 0 ? c->puts.var[put] : c->gets.var[get];
    const h3ou__config_var *v = &c->config->var[var];
    *nlayer = v->layer * (put >= 0 ? h3ou__slices_put(c->world, c->config, v) : h3ou__slices_got(c->world, c->config, v));
    return H3OU__OK;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* The C face: argument checks in front of world and coupler. */
#include "h3ou.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/beside_call.h"
#include "base/error.h"
#include "base/log.h"
#include "coupler/time/calendar.h"

int h3ou__ctx_check(const h3ou_ctx *ctx, const char *call)
{
    if (!ctx || !ctx->world || !ctx->coupler || ctx->has_left)
        return h3ou__fail(H3OU__ESTATE, "%s comes before h3ou_init, or after the end", call);
    h3ou__log_select(ctx);
    return H3OU__OK;
}

int h3ou__ctx_check_wait(const h3ou_ctx *ctx, const char *call)
{
    int err = h3ou__ctx_check(ctx, call);
    return err ? err : h3ou__coupler_send_bundles(ctx->coupler);
}

int h3ou__name_check(const char *call, const char *argument, const char *name)
{
    size_t length = name ? strnlen(name, H3OU__NAME + 1) : 0;
    if (length == 0 || length > H3OU__NAME)
        return h3ou__fail(H3OU__EARG, "%s: %s '%.80s' must have 1 to %d characters", call, argument, name ? name : "",
                          H3OU__NAME);
    return H3OU__OK;
}

/* Joins the run, or begins that of one component of a record. */
static int open_world(h3ou_ctx *ctx, const char *component, int nensemble, const int *comm, h3ou__replay **replay)
{
    if (!h3ou__replay_is_asked())
        return h3ou__world_open(component, nensemble, comm, &ctx->world);
    int err = h3ou__replay_open(component, replay);
    if (err)
        return err;
    const h3ou__recording *r = h3ou__replay_recording(*replay);
    if ((err = h3ou__world_open_alone(r->ncomponent, r->known, r->me, comm, &ctx->world)) != H3OU__OK) {
        h3ou__replay_free(*replay);
        return err;
    }
    return H3OU__OK;
}

static int context_open(const char *component, const char *config, int nensemble, const int *comm, h3ou_ctx **out)
{
    *out = NULL;
    h3ou_ctx *ctx = calloc(1, sizeof *ctx);
    if (!ctx)
        return h3ou__fail(H3OU__ENOMEM, "out of memory for the context of a run");
    *out = ctx;
    h3ou__world_when_stuck(h3ou__end_stuck);
    h3ou__watch_begin(ctx);
    int err = h3ou__name_check("h3ou_init", "component name", component);
    if (err)
        return err;
    strncpy(ctx->name, component, H3OU__NAME);
    h3ou__watch_begin(ctx);
    if (!config || !*config)
        return h3ou__fail(H3OU__EARG, "h3ou_init: the name of the configuration file is empty");
    if (h3ou__replay_is_asked())
        h3ou__log_install(ctx, H3OU__LOG_WARNING); /* until the configuration is read, which is in the record */
    else
        h3ou__log_install_early(ctx, config); /* so that a long wait for other jobs is logged */
    if (nensemble < 1 || nensemble > H3OU__MEMBERS_MOST)
        return h3ou__fail(H3OU__EARG, "h3ou_init: nensemble=%d: an ensemble has 1 to %d members", nensemble, H3OU__MEMBERS_MOST);
    h3ou__replay *replay = NULL;
    if ((err = open_world(ctx, component, nensemble, comm, &replay)) != H3OU__OK)
        return err;
    strncpy(ctx->name, h3ou__world_component_name(ctx->world, h3ou__world_me(ctx->world)), H3OU__NAME);
    h3ou__watch_begin(ctx);
    if ((err = h3ou__coupler_open(ctx->world, config, ctx->next ? ctx->next->coupler : NULL, replay, &ctx->coupler)) != H3OU__OK)
        return err;
    h3ou__log_install(ctx, ctx->coupler->config->log_level);
    if (h3ou__world_component_member(ctx->world, h3ou__world_me(ctx->world)) == 0) /* all members have the same file */
        h3ou__config_log(ctx->coupler->config);
    return h3ou__stop_step(ctx, 2, "the end of h3ou_init");
}

int h3ou_open(const char *component, const char *config, int nensemble, h3ou_ctx **out)
{
    return context_open(component, config, nensemble, NULL, out);
}

int h3ou_open_in(const char *component, const char *config, int nensemble, int comm, h3ou_ctx **out)
{
    return context_open(component, config, nensemble, &comm, out);
}

void h3ou__context_free(h3ou_ctx *ctx)
{
    h3ou__log_remove();
    h3ou__watch_end(ctx);
    h3ou__coupler_free(ctx->coupler);
    free(ctx->sends.req);
    free(ctx->receives.req);
    free(ctx->function);
    free(ctx->awaited);
    free(ctx);
}

int h3ou_close(h3ou_ctx *ctx, const int time[6], int finalize)
{
    (void)time; /* the run ends at the end of the last step */
    if (!ctx)
        return H3OU_OK;
    if (ctx->coupler && h3ou__world_own() > 1)
        return h3ou__several_close(ctx, finalize);
    int err = ctx->coupler ? h3ou__coupler_end(ctx->coupler) : H3OU__OK;
    if (!err && ctx->world)
        err = h3ou__world_close(ctx->world, finalize);
    if (err)
        return err; /* ctx is kept for h3ou_abort */
    ctx->world = NULL;
    h3ou__context_free(ctx);
    return H3OU_OK;
}

int h3ou_local(const h3ou_ctx *ctx, int *comm, int *group, int *size, int *rank)
{
    int err = h3ou__ctx_check(ctx, "h3ou_local");
    if (err)
        return err;
    h3ou__comm *local = h3ou__world_local(ctx->world);
    *size = h3ou__comm_size(local);
    *rank = h3ou__comm_rank(local);
    return h3ou__comm_to_fortran(local, comm, group);
}

int h3ou_my_name(const h3ou_ctx *ctx, char name[65])
{
    int err = h3ou__ctx_check(ctx, "h3ou_my_name");
    if (!err)
        memcpy(name, ctx->name, sizeof ctx->name);
    return err;
}

/* Returns the number of a component among those of its couple, from 1, by alphabet; without ensembles all components are
 * one couple. 0: it is a member with which no other component is coupled. */
static int couple_number(const h3ou__world *world, int id)
{
    int number = 1, size = 0;
    for (int i = 0; i < h3ou__world_components(world); i++) {
        if (h3ou__world_component_member(world, i) != h3ou__world_component_member(world, id))
            continue;
        size++;
        number += strcmp(h3ou__world_component_base(world, i), h3ou__world_component_base(world, id)) < 0;
    }
    return h3ou__world_is_ensemble(world) && size == 1 ? 0 : number;
}

int h3ou_is_coupled(const h3ou_ctx *ctx)
{
    if (!ctx || !ctx->world)
        return 0;
    int me = h3ou__world_me(ctx->world);
    return !h3ou__world_is_ensemble(ctx->world) || couple_number(ctx->world, me) > 0;
}

int h3ou_couple_id(const h3ou_ctx *ctx)
{
    return ctx && ctx->world ? h3ou__world_component_member(ctx->world, h3ou__world_me(ctx->world)) + 1 : 0;
}

int h3ou_component_count(const h3ou_ctx *ctx)
{
    return ctx && ctx->world ? h3ou__world_components(ctx->world) : 0;
}

int h3ou_component_id(const h3ou_ctx *ctx, const char *name, int *id)
{
    const char *const call = "h3ou_get_model_id";
    int err = h3ou__ctx_check(ctx, call);
    if (err)
        return err;
    int found = h3ou__world_find(ctx->world, name);
    if (found < 0)
        return h3ou__fail(H3OU__ENAME, "%s: no component '%s' was started", call, name);
    *id = couple_number(ctx->world, found);
    return H3OU_OK;
}

int h3ou_my_component_id(const h3ou_ctx *ctx)
{
    return ctx && ctx->world ? couple_number(ctx->world, h3ou__world_me(ctx->world)) : 0;
}

int h3ou_grid_define(h3ou_ctx *ctx, const char *component, const char *grid, const int index[], int64_t n, int nz)
{
    int err = h3ou__ctx_check(ctx, "h3ou_def_grid");
    if (err || (err = h3ou__name_check("h3ou_def_grid", "grid name", grid)) != H3OU__OK)
        return err;
    if (n < 0 || (n > 0 && !index) || nz < 1)
        return h3ou__fail(H3OU__EARG, "h3ou_def_grid: grid %s: %lld cells and nz=%d layers: a process has 0 cells or more, with "
                          "their indices, and a grid 1 layer or more",
                          grid, (long long)n, nz);
    if ((err = h3ou__stop_step(ctx, 3, "the beginning of h3ou_def_grid")) == H3OU__OK &&
        (err = h3ou__coupler_grid_define(ctx->coupler, component, grid, index, n, nz)) == H3OU__OK)
        err = h3ou__stop_step(ctx, 4, "the end of h3ou_def_grid");
    return err;
}

int h3ou_grid_end(h3ou_ctx *ctx)
{
    int err = h3ou__ctx_check(ctx, "h3ou_end_grid_def");
    if (!err && (err = h3ou__stop_step(ctx, 5, "the beginning of h3ou_end_grid_def")) == H3OU__OK &&
        (err = h3ou__coupler_grid_end(ctx->coupler)) == H3OU__OK)
        err = h3ou__stop_step(ctx, 6, "the end of h3ou_end_grid_def");
    return err;
}

/* Returns a component's name without the number of a member. */
static const char *name_in_namelist(const h3ou_ctx *ctx, const char *name)
{
    int id = h3ou__world_find(ctx->world, name);
    return id < 0 ? name : h3ou__world_component_base(ctx->world, id);
}

static int set_table(h3ou_ctx *ctx, const char *call, const char *my_name, const char *send_component,
                     const char *send_grid, const char *recv_component, const char *recv_grid, int tag,
                     const int send_index[], const int recv_index[], const double coef[], const double coef_cos[],
                     const double coef_sin[], int64_t n, int mode)
{
    int err = h3ou__ctx_check(ctx, call);
    if (err || (err = h3ou__name_check(call, "send_comp_name", send_component)) != H3OU__OK ||
        (err = h3ou__name_check(call, "send_grid_name", send_grid)) != H3OU__OK ||
        (err = h3ou__name_check(call, "recv_comp_name", recv_component)) != H3OU__OK ||
        (err = h3ou__name_check(call, "recv_grid_name", recv_grid)) != H3OU__OK)
        return err;
    if (!h3ou__coupler_is_me(ctx->coupler, my_name))
        return h3ou__fail(H3OU__ENAME, "%s: my_name '%s' is not mine: this program is '%s'", call, my_name, ctx->name);
    send_component = name_in_namelist(ctx, send_component);
    recv_component = name_in_namelist(ctx, recv_component);
    if (!h3ou__coupler_is_me(ctx->coupler, send_component) && !h3ou__coupler_is_me(ctx->coupler, recv_component))
        return h3ou__fail(H3OU__ENAME, "%s: %s is neither the sending component '%s' nor the receiving one '%s'", call,
                          ctx->name, send_component, recv_component);
    if (n < 0 || !send_index != !recv_index || (coef && !send_index))
        return h3ou__fail(H3OU__EARG, "%s: send_index, recv_index and coef must be given together, with one size",
                          call);
    if (!coef_cos != !coef_sin || (coef_cos && !send_index))
        return h3ou__fail(H3OU__EARG, "%s: coef_cos and coef_sin must be given together, with coef and of its size",
                          call);
    h3ou__pair_name name = {send_component, send_grid, recv_component, recv_grid, tag};
    if ((err = h3ou__stop_step(ctx, 7, "the beginning of h3ou_set_interpolation_table")) == H3OU__OK &&
        (err = h3ou__coupler_table_set(ctx->coupler, &name, send_index, recv_index, coef, coef_cos, coef_sin, n,
                                       mode == H3OU_TABLE_SPREAD)) == H3OU__OK)
        err = h3ou__stop_step(ctx, 8, "the end of h3ou_set_interpolation_table");
    return err;
}

int h3ou_table_set(h3ou_ctx *ctx, const char *my_name, const char *send_component, const char *send_grid,
                   const char *recv_component, const char *recv_grid, int tag, const int send_index[],
                   const int recv_index[], const double coef[], int64_t n, int mode)
{
    return set_table(ctx, "h3ou_table_set", my_name, send_component, send_grid, recv_component, recv_grid, tag,
                     send_index, recv_index, coef, NULL, NULL, n, mode);
}

int h3ou_table_set_rotated(h3ou_ctx *ctx, const char *my_name, const char *send_component, const char *send_grid,
                           const char *recv_component, const char *recv_grid, int tag, const int send_index[],
                           const int recv_index[], const double coef[], const double coef_cos[],
                           const double coef_sin[], int64_t n, int mode)
{
    return set_table(ctx, "h3ou_table_set_rotated", my_name, send_component, send_grid, recv_component, recv_grid, tag,
                     send_index, recv_index, coef, coef_cos, coef_sin, n, mode);
}

int h3ou_time_init(h3ou_ctx *ctx, const int time[6])
{
    int err = h3ou__ctx_check(ctx, "h3ou_init_time");
    if (!err && (err = h3ou__stop_step(ctx, 9, "the beginning of h3ou_init_time")) == H3OU__OK &&
        (err = h3ou__coupler_time_init(ctx->coupler, time)) == H3OU__OK && (err = h3ou__several_plan(ctx)) == H3OU__OK)
        err = h3ou__stop_step(ctx, 10, "the end of h3ou_init_time");
    return err;
}

int h3ou_time_set(h3ou_ctx *ctx, const char *component, const int time[6], int step)
{
    int err = h3ou__ctx_check(ctx, "h3ou_time_set");
    return err ? err : h3ou__coupler_time_set(ctx->coupler, "h3ou_time_set", component, time, step, true);
}

int h3ou_time_pass(h3ou_ctx *ctx, const char *component, const int time[6], int step)
{
    int err = h3ou__ctx_check(ctx, "h3ou_time_pass");
    return err ? err : h3ou__coupler_time_set(ctx->coupler, "h3ou_time_pass", component, time, step, false);
}

static int check_components(const h3ou_ctx *ctx, const char *call, const char *send_component, const char *recv_component)
{
    int err = h3ou__ctx_check(ctx, call);
    if (!err && (err = h3ou__name_check(call, "send_comp", send_component)) == H3OU__OK)
        err = h3ou__name_check(call, "recv_comp", recv_component);
    return err;
}

int h3ou_send_now(h3ou_ctx *ctx, const char *send_component, const char *recv_component)
{
    int err = check_components(ctx, "h3ou_send_now", send_component, recv_component);
    return err ? err : h3ou__coupler_send_now(ctx->coupler, send_component, name_in_namelist(ctx, recv_component));
}

int h3ou_recv_now(h3ou_ctx *ctx, const char *send_component, const char *recv_component)
{
    int err = check_components(ctx, "h3ou_recv_now", send_component, recv_component);
    return err ? err : h3ou__coupler_recv_now(ctx->coupler, name_in_namelist(ctx, send_component), recv_component);
}

int h3ou_time_set_seconds(h3ou_ctx *ctx, const char *component, double seconds, double step)
{
    const char *const call = "h3ou_time_set_seconds";
    int err = h3ou__ctx_check(ctx, call);
    return err ? err : h3ou__coupler_time_set_seconds(ctx->coupler, call, component, seconds, step);
}

int h3ou_time_set_months(h3ou_ctx *ctx, const char *component, const int time[6], int months)
{
    const char *const call = "h3ou_time_set_months";
    int err = h3ou__ctx_check(ctx, call);
    return err ? err : h3ou__coupler_time_set_months(ctx->coupler, call, component, time, months);
}

/* Checks the name of a file that the program passed. */
static int check_file(const h3ou_ctx *ctx, const char *call, const char *file)
{
    int err = h3ou__ctx_check(ctx, call);
    return err || (file && *file) ? err : h3ou__fail(H3OU__EARG, "%s: the name of the file is empty", call);
}

int h3ou_write_restart(h3ou_ctx *ctx, const char *file)
{
    int err = check_file(ctx, "h3ou_write_restart", file);
    return err ? err : h3ou__coupler_write_restart(ctx->coupler, file);
}

int h3ou_read_restart(h3ou_ctx *ctx, const char *file)
{
    int err = check_file(ctx, "h3ou_read_restart", file);
    return err ? err : h3ou__coupler_read_restart(ctx->coupler, file);
}

int h3ou_should_stop(h3ou_ctx *ctx, int *stop)
{
    const char *const call = "h3ou_should_stop";
    bool is_now = false;
    int err = h3ou__ctx_check_wait(ctx, call);
    if (!err && !h3ou__is_replayed(ctx))
        err = h3ou__coupler_should_stop(ctx->coupler, &is_now);
    *stop = is_now;
    return h3ou__beside_end_array(ctx, call, err, stop, 1, sizeof *stop);
}

int h3ou_time_now(const h3ou_ctx *ctx, int time[6])
{
    int err = h3ou__ctx_check(ctx, "h3ou_time_now");
    return err ? err : h3ou__coupler_time_now(ctx->coupler, time);
}

int h3ou_time_inc(int time[6], int step)
{
    int err = h3ou__date_check(H3OU__GREGORIAN, time);
    if (!err)
        h3ou__date_add(H3OU__GREGORIAN, time, step);
    return err;
}

int h3ou_time_add(h3ou_ctx *ctx, int time[6], int step)
{
    return ctx && ctx->coupler ? h3ou__coupler_time_add(ctx->coupler, time, step) : h3ou_time_inc(time, step);
}

int h3ou_time_add_months(h3ou_ctx *ctx, int time[6], int months)
{
    int calendar = ctx && ctx->coupler ? ctx->coupler->config->calendar : H3OU__GREGORIAN;
    int err = h3ou__date_check(calendar, time);
    if (!err)
        h3ou__date_add_months(calendar, time, months);
    return err;
}

int h3ou_put_count(const h3ou_ctx *ctx)
{
    return ctx && ctx->coupler ? ctx->coupler->puts.names.n : 0;
}

int h3ou_get_count(const h3ou_ctx *ctx)
{
    return ctx && ctx->coupler ? ctx->coupler->gets.names.n : 0;
}

static int copy_name(const char *call, const h3ou__names *names, int number, char name[65])
{
    if (number < 1 || number > names->n)
        return h3ou__fail(H3OU__EARG, "%s: there is no field number %d, the configuration gives this component %d of them", call,
                          number, names->n);
    snprintf(name, 65, "%s", names->name[number - 1]);
    return H3OU_OK;
}

int h3ou_put_name(const h3ou_ctx *ctx, int number, char name[65])
{
    const char *const call = "h3ou_get_put_data_name";
    int err = h3ou__ctx_check(ctx, call);
    return err ? err : copy_name(call, &ctx->coupler->puts.names, number, name);
}

int h3ou_get_name(const h3ou_ctx *ctx, int number, char name[65])
{
    const char *const call = "h3ou_get_get_data_name";
    int err = h3ou__ctx_check(ctx, call);
    return err ? err : copy_name(call, &ctx->coupler->gets.names, number, name);
}

int h3ou_layers(const h3ou_ctx *ctx, const char *field, int *nlayer)
{
    int err = h3ou__ctx_check(ctx, "h3ou_get_vlayer");
    return err ? err : h3ou__coupler_layers(ctx->coupler, field, nlayer);
}

int h3ou_members(const h3ou_ctx *ctx, const char *field, int *members)
{
    const char *const call = "h3ou_get_members";
    int err = h3ou__ctx_check(ctx, call);
    if (!err)
        err = h3ou__coupler_members(ctx->coupler, field, members);
    return err ? err : h3ou__beside_end_array((h3ou_ctx *)(uintptr_t)ctx, call, err, members, 1, sizeof *members);
}

int h3ou_missing(const h3ou_ctx *ctx, const char *field, double *value)
{
    int err = h3ou__ctx_check(ctx, "h3ou_missing");
    if (err)
        return err;
    int number = h3ou__names_find(&ctx->coupler->gets.names, field);
    if (number < 0)
        return h3ou__fail(H3OU__ENAME, "h3ou_missing: there is no field '%s' to get", field);
    const h3ou__config_remap *remap = &ctx->coupler->config->var[ctx->coupler->gets.var[number]].remap;
    *value = remap->has_missing ? remap->missing : NAN;
    return H3OU_OK;
}

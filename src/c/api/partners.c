/* SPDX-License-Identifier: BSD-3-Clause */
/* Questions about my component and its partners: names, ids, number of cells exchanged. */
#include <stdio.h>
#include <string.h>

#include "api/beside_call.h"
#include "base/error.h"
#include "coupler/config/leniency.h"

/* Returns the component of the first pair in the namelist that has mine at the other side, or NULL. */
static const char *partner_by_namelist(const h3ou_ctx *ctx)
{
    const h3ou__config *config = ctx->coupler->config;
    const char *me = h3ou__coupler_name(ctx->coupler);
    for (int i = 0; i < config->npair; i++) {
        if (h3ou__config_is_own(&config->pair[i]))
            continue;
        if (!strcmp(config->pair[i].comp_put, me))
            return config->pair[i].comp_get;
        if (!strcmp(config->pair[i].comp_get, me))
            return config->pair[i].comp_put;
    }
    return NULL;
}

static const char *partner_by_name(const h3ou_ctx *ctx)
{
    const char *first = NULL, *me = h3ou__coupler_name(ctx->coupler);
    for (int i = 0; i < h3ou__world_components(ctx->world); i++) {
        const char *name = h3ou__world_component_base(ctx->world, i);
        if (strcmp(name, me) != 0 && (!first || strcmp(name, first) < 0))
            first = name;
    }
    return first;
}

/* Returns the name of the member that mine is coupled with, of the component `partner`; NULL: none. */
static const char *name_of_target(const h3ou_ctx *ctx, const char *partner)
{
    int me = h3ou__world_me(ctx->world), id = h3ou__world_find(ctx->world, partner);
    if (id < 0 || h3ou__world_component_member(ctx->world, id) != h3ou__world_component_member(ctx->world, me))
        return NULL;
    return h3ou__world_component_name(ctx->world, id);
}

int h3ou_local_named(h3ou_ctx *ctx, const char *name, int *comm, int *group, int *size, int *rank)
{
    const char *const call = "h3ou_local_named";
    int err = h3ou__ctx_check(ctx, call);
    if (err)
        return err;
    if (h3ou__world_find(ctx->world, name) < 0)
        return h3ou__fail(H3OU__ENAME, "%s: no component '%s' was started", call, name);
    if (!h3ou__coupler_is_me(ctx->coupler, name))
        err = h3ou__lenient(ctx->coupler->config, &ctx->coupler->warned.other_name, H3OU__EARG,
                            "%s: component '%s' is not mine: this call is about '%s'", call, name, ctx->name);
    return err ? err : h3ou_local(ctx, comm, group, size, rank);
}

int h3ou_target_name(const h3ou_ctx *ctx, char name[65])
{
    int err = h3ou__ctx_check(ctx, "h3ou_target_name");
    if (err)
        return err;
    const char *partner = partner_by_namelist(ctx);
    if (!partner)
        partner = partner_by_name(ctx);
    if (partner)
        partner = name_of_target(ctx, partner);
    snprintf(name, 65, "%s", partner ? partner : "NO_TARGET");
    return H3OU_OK;
}

/* Returns the pair of grids from `send` to `recv` with this tag, else the first one, or -1. */
static int find_pair(const h3ou__config *config, const char *send, const char *recv, int tag)
{
    int first = -1;
    for (int i = config->npair - 1; i >= 0; i--) {
        const h3ou__config_pair *p = &config->pair[i];
        if (strcmp(p->comp_put, send) != 0 || strcmp(p->comp_get, recv) != 0)
            continue;
        first = i;
        if (p->mapping_tag == tag)
            return i;
    }
    return first;
}

/* Counts the cells of a pair of grids that my component receives. */
static int count_cells(const h3ou_ctx *ctx, const char *call, int pair, int *nsource, int *ntarget)
{
    for (int i = 0; i < ctx->coupler->nplan; i++) {
        const h3ou__plan *plan = ctx->coupler->plan[i].plan;
        if (ctx->coupler->plan[i].pair != pair || plan->sender)
            continue;
        *nsource = (int)plan->start[plan->npartner];
        *ntarget = (int)plan->rows.nrow;
        return H3OU_OK;
    }
    return h3ou__fail(H3OU__ESTATE, "%s: the number of cells is known only after h3ou_init_time", call);
}

int h3ou_pair_cells(const h3ou_ctx *ctx, const char *send_component, const char *recv_component, int tag, int *nsource,
                    int *ntarget)
{
    const char *const call = "h3ou_pair_cells";
    *nsource = *ntarget = 0;
    int err = h3ou__ctx_check(ctx, call);
    if (err)
        return err;
    int pair = find_pair(ctx->coupler->config, send_component, recv_component, tag);
    if (pair < 0)
        return h3ou__fail(H3OU__ENAME, "%s: the namelist has no pair of grids from component '%s' to '%s'", call,
                          send_component, recv_component);
    if (strcmp(recv_component, h3ou__coupler_name(ctx->coupler)) != 0)
        return H3OU_OK;
    int counts[2] = {0, 0};
    if (!h3ou__is_replayed(ctx))
        err = count_cells(ctx, call, pair, &counts[0], &counts[1]);
    err = h3ou__beside_end_array((h3ou_ctx *)(uintptr_t)ctx, call, err, counts, 2, sizeof *counts);
    *nsource = counts[0];
    *ntarget = counts[1];
    return err;
}

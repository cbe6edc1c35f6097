/* SPDX-License-Identifier: BSD-3-Clause */
/* Questions about my component and its partners: names, ids, number of cells exchanged. */
#include <stdio.h>
#include <string.h>

#include "api/context.h"
#include "base/error.h"
#include "coupler/config/leniency.h"

/* Returns the component of the first pair in the namelist that has mine at the other side, or NULL. */
static const char *partner_by_namelist(const h3ou_ctx *ctx)
{
    const h3ou__config *config = ctx->coupler->config;
    for (int i = 0; i < config->npair; i++) {
        if (!strcmp(config->pair[i].comp_put, ctx->name))
            return config->pair[i].comp_get;
        if (!strcmp(config->pair[i].comp_get, ctx->name))
            return config->pair[i].comp_put;
    }
    return NULL;
}

static const char *partner_by_name(const h3ou_ctx *ctx)
{
    const char *first = NULL;
    for (int i = 0; i < h3ou__world_components(ctx->world); i++) {
        const char *name = h3ou__world_component_name(ctx->world, i);
        if (i != h3ou__world_me(ctx->world) && (!first || strcmp(name, first) < 0))
            first = name;
    }
    return first;
}

int h3ou_local_named(h3ou_ctx *ctx, const char *name, int *comm, int *group, int *size, int *rank)
{
    const char *const call = "h3ou_local_named";
    int err = h3ou__ctx_check(ctx, call);
    if (err)
        return err;
    if (h3ou__world_find(ctx->world, name) < 0)
        return h3ou__fail(H3OU__ENAME, "%s: no component '%s' was started", call, name);
    if (strcmp(name, ctx->name) != 0)
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
    if (strcmp(recv_component, ctx->name) != 0)
        return H3OU_OK;
    for (int i = 0; i < ctx->coupler->nplan; i++) {
        const h3ou__plan *plan = ctx->coupler->plan[i].plan;
        if (ctx->coupler->plan[i].pair != pair)
            continue;
        *nsource = (int)plan->start[plan->npartner];
        *ntarget = (int)plan->rows.nrow;
        return H3OU_OK;
    }
    return h3ou__fail(H3OU__ESTATE, "%s: the number of cells is known only after h3ou_init_time", call);
}

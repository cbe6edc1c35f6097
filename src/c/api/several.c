/* SPDX-License-Identifier: BSD-3-Clause */
/* Several components in one process: what is done for all of them at once. */
#include "api/context.h"
#include "base/error.h"
#include "os/turns.h"

int h3ou_announce(int n, const char *const component[])
{
    const char *const call = "h3ou_announce";
    for (int i = 0; i < n; i++) {
        int err = h3ou__name_check(call, "component name", component ? component[i] : NULL);
        if (err)
            return err;
    }
    return h3ou__world_announce(n, component);
}

int h3ou_find(const char *component, h3ou_ctx **out)
{
    *out = h3ou__context_find(component);
    if (*out)
        return H3OU_OK;
    return h3ou__fail(H3OU__ENAME, "h3ou_find: this process has no open component '%s'", component ? component : "");
}

/* Adds the component to the sentence of an error: the call that meets it is about another one, perhaps. */
static int name_component(const h3ou_ctx *ctx, int err)
{
    return err ? h3ou__fail_in(err, "component %s", ctx->name) : H3OU__OK;
}

static int plan_one(void *user)
{
    h3ou_ctx *ctx = user;
    return name_component(ctx, h3ou__coupler_plan(ctx->coupler));
}

static void select_context(void *user)
{
    h3ou__log_select(user);
}

int h3ou__several_plan(h3ou_ctx *ctx)
{
    void *all[H3OU__OWN_MOST];
    int n = 0;
    if (h3ou__world_own() == 1)
        return h3ou__coupler_plan(ctx->coupler);
    for (h3ou_ctx *c = h3ou__contexts(); c; c = c->next)
        if (c->coupler && c->coupler->is_begun)
            all[n++] = c;
    if (n < h3ou__world_own())
        return H3OU__OK; /* planned with the last one */
    int err = h3ou__turns_run(n, all, plan_one, select_context);
    h3ou__log_select(ctx);
    return err;
}

/* Returns the step after which the run stops. Where a process opens several components the calls from h3ou_def_grid on
 * cannot be left at any place, since processes that have one of them would wait in the next call for those that go on
 * with another. */
static int last_step(const h3ou_ctx *ctx)
{
    enum { END_OF_INIT = 2, END_OF_INIT_TIME = 10 };
    int last = ctx->coupler->config->stop_step;
    return h3ou__world_is_shared(ctx->world) && last > END_OF_INIT ? END_OF_INIT_TIME : last;
}

bool h3ou__several_reached(h3ou_ctx *ctx, int step)
{
    int n = 0, last = last_step(ctx);
    ctx->reached = step;
    for (const h3ou_ctx *c = h3ou__contexts(); c; c = c->next)
        n += c->reached >= last;
    return n >= h3ou__world_own();
}

/* Returns the context of this process whose component has the lowest number above `id`, or NULL. All processes end
 * their components in this order, because the end has collective parts. */
static h3ou_ctx *next_by_id(int id)
{
    h3ou_ctx *next = NULL;
    for (h3ou_ctx *c = h3ou__contexts(); c; c = c->next)
        if (h3ou__world_me(c->world) > id && (!next || h3ou__world_me(c->world) < h3ou__world_me(next->world)))
            next = c;
    return next;
}

static int end_all(void)
{
    int err = H3OU__OK;
    for (h3ou_ctx *c = next_by_id(-1); c && !err; c = next_by_id(h3ou__world_me(c->world))) {
        h3ou__log_select(c);
        err = name_component(c, h3ou__coupler_end(c->coupler));
    }
    return err;
}

int h3ou__several_close(h3ou_ctx *ctx, int finalize)
{
    const char *unopened = h3ou__world_unopened();
    if (unopened)
        return h3ou__fail(H3OU__ESTATE, "h3ou_coupling_end: component %s was named to h3ou_announce, and not opened",
                          unopened);
    int err = h3ou__coupler_leave(ctx->coupler);
    if (err)
        return err;
    ctx->has_left = true;
    h3ou_ctx *open = h3ou__context_find(NULL);
    if (open) {
        h3ou__watch_begin(open);
        return H3OU_OK;
    }
    err = end_all();
    for (h3ou_ctx *c = h3ou__contexts(); c && !err; c = c->next) {
        err = h3ou__world_close(c->world, finalize);
        c->world = err ? c->world : NULL;
    }
    while (!err && h3ou__contexts())
        h3ou__context_free(h3ou__contexts());
    return err;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/restart/restart_circle.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "coupler/config/interval.h"

static const h3ou__config_pair *pair_of(const h3ou__config *config, int var)
{
    return &config->pair[config->var[var].pair];
}

/* Returns whether a receiver that writes its restart waits until the sender has come to the same model time. */
static bool is_awaited(const h3ou__config *config, int var)
{
    const h3ou__config_var *v = &config->var[var];
    return !h3ou__config_is_own(pair_of(config, var)) && (v->lag == 0 || (v->lag < -1 && h3ou__interval_is_given(&v->intvl)));
}

/* Returns whether a receiver comes to that time only when the sender has gone on from it. */
static bool is_late(const h3ou__config *config, int var)
{
    const h3ou__config_var *v = &config->var[var];
    return !h3ou__config_is_own(pair_of(config, var)) && v->lag > 1 && h3ou__interval_is_given(&v->intvl);
}

/* Returns whether the restart of who gets `awaited` waits for the sender of that, which waits for the sender of `late`. */
static bool follows(const h3ou__config *config, int awaited, int late)
{
    return is_awaited(config, awaited) && is_late(config, late) &&
           !strcmp(pair_of(config, awaited)->comp_put, pair_of(config, late)->comp_get);
}

/* Marks the fields with a lag above 1 whose senders must have written before the one that gets `var` can complete its restart. */
static void mark_from(const h3ou__config *config, int var, bool marked[])
{
    for (int late = 0; late < config->nvar; late++) {
        if (!follows(config, var, late) || marked[late])
            continue;
        marked[late] = true;
        for (int next = 0; next < config->nvar; next++)
            if (is_awaited(config, next) && !strcmp(pair_of(config, next)->comp_get, pair_of(config, late)->comp_put))
                mark_from(config, next, marked);
    }
}

static int fail_circle(const h3ou__config *config, const char *call, int awaited, int late)
{
    const h3ou__config_var *a = &config->var[awaited], *l = &config->var[late];
    const h3ou__config_pair *p = pair_of(config, awaited);
    return h3ou__fail(H3OU__EUNSUPPORTED,
                      "%s:%d: %s: with lag=%d of field %s, which %s gets from %s, and lag=%d of field %s (line %d), the components would wait "
                      "for each other: give %s a lag of -1 or 1, or %s one of 1 at most",
                      config->file, a->line, call, a->lag, a->get, p->comp_get, p->comp_put, l->lag, l->get, l->line, a->get, l->get);
}

int h3ou__restart_circle_check(const h3ou__config *config, const char *call)
{
    bool *marked = calloc((size_t)config->nvar + 1, sizeof *marked);
    int err = marked ? H3OU__OK : h3ou__no_memory("a list of %d fields", config->nvar);
    for (int var = 0; var < config->nvar && !err; var++) {
        if (!is_awaited(config, var))
            continue;
        memset(marked, 0, sizeof *marked * (size_t)config->nvar);
        mark_from(config, var, marked);
        for (int late = 0; late < config->nvar && !err; late++)
            if (marked[late] && !strcmp(pair_of(config, late)->comp_put, pair_of(config, var)->comp_get))
                err = fail_circle(config, call, var, late);
    }
    free(marked);
    return err;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/message/bundle_plan.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "coupler/config/ensemble_keys.h"
#include "coupler/message/message_form.h"

enum { AUTO_PART = 4 << 10, AUTO_WHOLE = 64 << 10 }; /* bytes of a message, and of a bundle (docs/measured/exchange.md) */

/* A message that may be bundled. */
typedef struct candidate {
    const h3ou__config *config;
    h3ou__comm *model;
    int partner;
    h3ou__bundled part;
} candidate;

static bool may_bundle(const h3ou__config *config, const h3ou__world *world, const h3ou__config_var *v)
{
    const h3ou__config_pair *p = &config->pair[v->pair];
    bool is_early = v->second_put == H3OU__SECOND_IS_ERROR && v->bundle != H3OU__BUNDLE_ALWAYS;
    return v->bundle != H3OU__BUNDLE_NEVER && !is_early && v->lag != 0 && !h3ou__config_is_own(p) &&
           v->members.send == H3OU__SEND_MEAN && !v->members.is_own &&
           !h3ou__world_is_shared(world) && config->min_members == 0 &&
           h3ou__world_members(world, p->comp_put) == h3ou__world_members(world, p->comp_get);
}

static int compare_numbers(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

/* Orders variables by what those of a bundle have in common. */
static int compare_kinds(const candidate *a, const candidate *b)
{
    const h3ou__config_var *v = &a->config->var[a->part.var], *w = &b->config->var[b->part.var];
    const h3ou__config_pair *p = &a->config->pair[v->pair], *q = &b->config->pair[w->pair];
    int order = strcmp(p->comp_put, q->comp_put);
    order = order ? order : strcmp(p->comp_get, q->comp_get);
    order = order ? order : compare_numbers(v->intvl.months, w->intvl.months);
    order = order ? order : compare_numbers(v->intvl.num, w->intvl.num);
    order = order ? order : compare_numbers(v->intvl.den, w->intvl.den);
    order = order ? order : compare_numbers(v->lag, w->lag);
    order = order ? order : compare_numbers(v->second_put, w->second_put);
    return order ? order : compare_numbers(a->partner, b->partner);
}

static int compare_candidates(const void *a, const void *b)
{
    const candidate *x = a, *y = b;
    int order = compare_kinds(x, y);
    return order ? order : compare_numbers(x->part.var, y->part.var);
}

/* Lists the messages of a variable that may be bundled. */
static void list_variable(const h3ou__config *config, int var, const h3ou__plan *plan, candidate list[], int64_t *n)
{
    const h3ou__config_var *v = &config->var[var];
    int64_t rows = (int64_t)v->layer * h3ou__message_width(v, plan);
    for (int k = 0; k < plan->npartner; k++) {
        int64_t cells = plan->start[k + 1] - plan->start[k];
        int64_t length = h3ou__message_length(h3ou__message_has_singles(v), cells, rows);
        if (v->bundle == H3OU__BUNDLE_ALWAYS || length * (int64_t)sizeof(double) <= AUTO_PART)
            list[(*n)++] = (candidate){config, plan->model, plan->partner[k], {var, k, length + cells}};
    }
}

/* Returns how many of n messages from the first one on are in one bundle. */
static int64_t count_bundle(const candidate first[], int64_t n)
{
    int64_t count = 0, bytes = 0;
    for (; count < n && compare_kinds(first, &first[count]) == 0; count++) {
        bytes += first[count].part.most * (int64_t)sizeof(double);
        bool is_long = first->config->var[first[count].part.var].bundle != H3OU__BUNDLE_ALWAYS && bytes > AUTO_WHOLE;
        if (count > 0 && is_long)
            break;
    }
    return count;
}

static void add_bundle(const candidate first[], int64_t n, h3ou__bundle_plans *out)
{
    h3ou__bundle_plan *before = out->n > 0 ? &out->bundle[out->n - 1] : NULL;
    h3ou__bundle_plan *b = &out->bundle[out->n++];
    *b = (h3ou__bundle_plan){first->model, first->partner, (int)n, before ? before->part + before->n : out->part};
    for (int64_t i = 0; i < n; i++)
        b->part[i] = first[i].part;
}

int h3ou__bundle_plans_make(const h3ou__config *config, const h3ou__world *world, const h3ou__plan *const plan[],
                            h3ou__bundle_plans *out)
{
    int64_t most = 0, n = 0;
    *out = (h3ou__bundle_plans){0};
    for (int v = 0; v < config->nvar; v++)
        most += plan[v] && may_bundle(config, world, &config->var[v]) ? plan[v]->npartner : 0;
    if (most < 2)
        return H3OU__OK;
    candidate *list = malloc(sizeof *list * (size_t)most);
    out->bundle = malloc(sizeof *out->bundle * (size_t)(most / 2));
    out->part = malloc(sizeof *out->part * (size_t)most);
    if (!list || !out->bundle || !out->part) {
        free(list);
        h3ou__bundle_plans_free(out);
        return h3ou__no_memory("bundles of messages");
    }
    for (int v = 0; v < config->nvar; v++)
        if (plan[v] && may_bundle(config, world, &config->var[v]))
            list_variable(config, v, plan[v], list, &n);
    qsort(list, (size_t)n, sizeof *list, compare_candidates);
    for (int64_t i = 0, count; i < n; i += count) {
        count = count_bundle(&list[i], n - i);
        if (count > 1)
            add_bundle(&list[i], count, out);
    }
    free(list);
    return H3OU__OK;
}

void h3ou__bundle_plans_free(h3ou__bundle_plans *plans)
{
    free(plans->bundle);
    free(plans->part);
    *plans = (h3ou__bundle_plans){0};
}

int64_t h3ou__bundle_first(int n)
{
    return h3ou__bundle_after(0, H3OU__HEAD + (int64_t)n * H3OU__BUNDLE_ENTRY);
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/clock/stop_leads.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "coupler/config/interval.h"

/* Returns the number of a component in the list, or l->n. */
static int find(const h3ou__stop_leads *l, const char *component)
{
    int i = 0;
    while (i < l->n && strcmp(l->name[i], component) != 0)
        i++;
    return i;
}

static void add(h3ou__stop_leads *l, const char *component)
{
    if (find(l, component) < l->n)
        return;
    l->name[l->n] = component;
    l->lead[l->n++] = h3ou__whole(0);
}

/* Returns how much later than its receiver the sender of a field ends at least. */
static h3ou__rational least_lead(const h3ou__config_var *v)
{
    h3ou__rational every = h3ou__interval_seconds(&v->intvl);
    if (v->lag == 0)
        return h3ou__whole(0);
    if (v->intvl.months > 0)
        every = h3ou__rational_nearest(h3ou__interval_least(&v->intvl));
    return h3ou__rational_times(every, v->lag > 0 ? v->lag - 1 : v->lag + 1);
}

/* Raises the lead of the sender of a field to what the receiver's asks for. Returns whether it was less. */
static bool raise_sender(h3ou__stop_leads *l, const h3ou__config *config, const h3ou__config_var *v)
{
    const h3ou__config_pair *p = &config->pair[v->pair];
    bool is_once = v->lag != 0 && !h3ou__interval_is_given(&v->intvl);
    if (h3ou__config_is_own(p) || is_once)
        return false;
    h3ou__rational *sender = &l->lead[find(l, p->comp_put)];
    h3ou__rational least = h3ou__rational_add(l->lead[find(l, p->comp_get)], least_lead(v));
    bool is_less = h3ou__rational_compare(*sender, least) < 0;
    *sender = is_less ? least : *sender;
    return is_less;
}

/* Raises all leads until they fit, which takes one round for each component at most, unless there is a circle. */
static void raise_all(h3ou__stop_leads *l, const h3ou__config *config)
{
    const h3ou__config_var *raised = &config->var[0];
    for (int round = 0; round <= l->n && raised; round++) {
        raised = NULL;
        for (int i = 0; i < config->nvar; i++)
            if (raise_sender(l, config, &config->var[i]) && (!raised || config->var[i].lag > raised->lag))
                raised = &config->var[i];
    }
    l->late = raised;
}

int h3ou__stop_leads_find(const h3ou__config *config, h3ou__stop_leads *out)
{
    size_t most = 2 * (size_t)config->npair + 1;
    *out = (h3ou__stop_leads){.name = calloc(most, sizeof *out->name), .lead = calloc(most, sizeof *out->lead)};
    if (!out->name || !out->lead)
        return h3ou__no_memory("a list of %d pairs", config->npair);
    for (int i = 0; i < config->npair; i++) {
        add(out, config->pair[i].comp_put);
        add(out, config->pair[i].comp_get);
    }
    if (config->nvar > 0)
        raise_all(out, config);
    for (int i = 0; i < config->nvar && !out->late; i++)
        if (config->var[i].lag > 1 && config->var[i].intvl.months > 0 && !h3ou__config_is_own(&config->pair[config->var[i].pair]))
            out->late = &config->var[i];
    return H3OU__OK;
}

void h3ou__stop_leads_free(h3ou__stop_leads *l)
{
    free(l->name);
    free(l->lead);
    *l = (h3ou__stop_leads){0};
}

h3ou__rational h3ou__stop_leads_of(const h3ou__stop_leads *l, const char *component)
{
    int i = find(l, component);
    return i < l->n ? l->lead[i] : h3ou__whole(0);
}

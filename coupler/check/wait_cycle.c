/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/check/wait_cycle.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/grow.h"
#include "coupler/config/interval.h"

enum { MOST_STEPS = 200000 }; /* of a component; then it is taken to go on */

/* An exchange of the configuration that can make its receiver wait. */
typedef struct wait {
    const h3ou__config_var *var;
    int sender, receiver; /* among the components */
    h3ou__schedule times;
} wait;

typedef struct rehearsal {
    const h3ou__config *config;
    const h3ou__timed *timed;
    int nwait;
    wait *wait;
    h3ou__rational *now, *step;  /* [timed->n] the beginning of the current step, and its length */
    int *taken;                  /* [timed->n] steps */
    h3ou__rational enough, most; /* when a component has gone far enough, and beyond which it does not go */
} rehearsal;

static int find_component(const h3ou__timed *timed, const char *name)
{
    for (int i = 0; i < timed->n; i++)
        if (!strcmp(timed->name[i], name))
            return i;
    return -1;
}

static void collect_waits(rehearsal *r)
{
    const h3ou__config *c = r->config;
    for (int i = 0; i < c->nvar; i++) {
        const h3ou__config_var *v = &c->var[i];
        const h3ou__config_pair *p = &c->pair[v->pair];
        int sender = find_component(r->timed, p->comp_put), receiver = find_component(r->timed, p->comp_get);
        if (v->lag == 0 || !h3ou__interval_is_given(&v->intvl) || sender < 0 || receiver < 0 || sender == receiver)
            continue;
        r->wait[r->nwait++] = (wait){v, sender, receiver, h3ou__schedule_before_run(c, v)};
    }
}

/* Sets the steps that are not known to the component's shortest interval, and how far all are to go. */
static void choose_steps(rehearsal *r)
{
    double longest = 0.0;
    for (int i = 0; i < r->timed->n; i++) {
        r->now[i] = h3ou__whole(0);
        r->step[i] = r->timed->step[i];
    }
    for (int i = 0; i < r->nwait; i++) {
        const wait *w = &r->wait[i];
        h3ou__rational least = h3ou__rational_nearest(h3ou__interval_least(&w->var->intvl));
        const int ends[2] = {w->sender, w->receiver};
        for (int end = 0; end < 2; end++)
            if (r->timed->step[ends[end]].num == 0 &&
                (r->step[ends[end]].num == 0 || h3ou__rational_compare(least, r->step[ends[end]]) < 0))
                r->step[ends[end]] = least;
        double most = h3ou__interval_most(&w->var->intvl);
        longest = longest < most ? most : longest;
    }
    r->enough = h3ou__rational_nearest(3 * longest + r->config->longest_lag);
    r->most = h3ou__rational_nearest(6 * longest + 3 * r->config->longest_lag);
}

/* Returns the exchange for which a component waits at its present time, or NULL. */
static const wait *find_wait(const rehearsal *r, int component)
{
    h3ou__rational now = r->now[component];
    for (int i = 0; i < r->nwait; i++) {
        const wait *w = &r->wait[i];
        if (w->receiver != component || !h3ou__exchange_is_due(&w->times, now))
            continue;
        int64_t k = h3ou__exchange_at(&w->times, now);
        if (!h3ou__exchange_is_initial(&w->times, k) &&
            h3ou__rational_compare(r->now[w->sender], h3ou__exchange_leaves(&w->times, k)) < 0)
            return w;
    }
    return NULL;
}

/* Takes the steps that a component can; returns whether there was one. */
static bool go_on(rehearsal *r, int component)
{
    bool moved = false;
    while (r->step[component].num > 0 && r->taken[component] < MOST_STEPS &&
           h3ou__rational_compare(r->now[component], r->most) < 0 && !find_wait(r, component)) {
        r->now[component] = h3ou__rational_add(r->now[component], r->step[component]);
        r->taken[component]++;
        moved = true;
    }
    return moved;
}

static bool has_gone_enough(const rehearsal *r, int component)
{
    return r->step[component].num == 0 || r->taken[component] >= MOST_STEPS ||
           h3ou__rational_compare(r->now[component], r->enough) >= 0;
}

/* Describes the waits from one component to the next, until the first comes again. */
static int fail_cycle(const rehearsal *r, int component)
{
    char text[1200] = "";
    size_t used = 0;
    const wait *w = NULL;
    for (int i = 0; i < r->timed->n; i++, component = w->sender) /* steps onto the cycle */
        if (!(w = find_wait(r, component)))
            return H3OU__OK;
    int first = component;
    const h3ou__config_var *line = find_wait(r, first)->var;
    do {
        w = find_wait(r, component);
        char now[H3OU__RATIONAL_TEXT];
        used += (size_t)snprintf(
            text + used, sizeof text - used, "%s%s waits %s s after the start for field %s of %s (line %d, lag=%d)",
            used ? ", " : "", r->timed->name[component], h3ou__rational_text(r->now[component], now), w->var->get,
            r->timed->name[w->sender], w->var->line, w->var->lag);
        component = w->sender;
    } while (component != first && used < sizeof text);
    return h3ou__fail(H3OU__ECONFIG,
                      "%s:%d: h3ou_var: components would wait for each other for ever: %s; give one "
                      "of these fields lag=-1, or all of them one interval",
                      r->config->file, line->line, text);
}

static int rehearse(rehearsal *r)
{
    collect_waits(r);
    choose_steps(r);
    for (bool moved = true; moved;) {
        moved = false;
        for (int i = 0; i < r->timed->n; i++)
            moved |= go_on(r, i);
    }
    int err = H3OU__OK;
    for (int i = 0; i < r->timed->n && !err; i++)
        if (!has_gone_enough(r, i))
            err = fail_cycle(r, i);
    return err;
}

int h3ou__wait_cycle_check(const h3ou__config *config, const h3ou__timed *timed)
{
    size_t n = (size_t)timed->n + 1;
    rehearsal r = {.config = config, .timed = timed};
    r.wait = malloc(sizeof *r.wait * ((size_t)config->nvar + 1));
    r.now = malloc(sizeof *r.now * n);
    r.step = malloc(sizeof *r.step * n);
    r.taken = calloc(n, sizeof *r.taken);
    int err = r.wait && r.now && r.step && r.taken ? rehearse(&r) : h3ou__no_memory("the check of %s", config->file);
    free(r.wait);
    free(r.now);
    free(r.step);
    free(r.taken);
    return err;
}

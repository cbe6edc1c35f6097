/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/outgoing.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/log.h"
#include "coupler/frames.h"

struct h3ou__parcel {
    h3ou__parcel *next;
    int n;
    h3ou__req *req;
    double *data; /* all messages, one after the other */
};

static int no_memory(const h3ou__outgoing *o)
{
    return h3ou__fail(H3OU__ENOMEM, "%s: out of memory", o->what);
}

/* A receiver that waits for a lag 1 field cannot take the others meanwhile: as many of those as fit in that interval
 * must be able to be on their way, or both would wait for ever. */
static int window_of(const h3ou__config *config, const h3ou__config_var *var)
{
    int64_t longest = 0;
    for (int i = 0; i < config->nvar; i++)
        if (config->var[i].lag > 0 && config->var[i].intvl > longest)
            longest = config->var[i].intvl;
    return (int)(4 + 2 * longest / var->intvl);
}

int h3ou__outgoing_create(const h3ou__config *config, int var, const h3ou__plan *plan, h3ou__world *world,
                          const h3ou__grid *grid, h3ou__outgoing **out)
{
    h3ou__outgoing *o = calloc(1, sizeof *o);
    if (!o)
        return h3ou__fail(H3OU__ENOMEM, "out of memory for a field");
    o->config = config;
    o->var = &config->var[var];
    o->plan = plan;
    o->world = world;
    o->n = grid->n;
    o->layers = o->var->layer * (!o->var->is_vector ? 1 : plan->rotated ? 2 : 3);
    o->tag = H3OU__TAG_FIELD + var;
    o->window = window_of(config, o->var);
    snprintf(o->what, sizeof o->what, "field %s for %s", o->var->put, config->pair[o->var->pair].comp_get);
    size_t values = (size_t)(grid->n * o->layers);
    o->newest = calloc(values + 1, sizeof *o->newest);
    o->sum = o->var->flag == H3OU__AVR ? calloc(values + 1, sizeof *o->sum) : NULL;
    if (!o->newest || (o->var->flag == H3OU__AVR && !o->sum)) {
        int err = no_memory(o);
        h3ou__outgoing_free(o);
        return err;
    }
    if (o->var->is_vector && !plan->rotated) {
        int err = h3ou__frames_make(grid, &o->frame);
        if (err) {
            h3ou__outgoing_free(o);
            return h3ou__fail_in(err, "%s:%d: field %s", config->file, config->var[var].line, config->var[var].put);
        }
    }
    *out = o;
    return H3OU__OK;
}

static void parcel_free(h3ou__parcel *p)
{
    free(p->req);
    free(p->data);
    free(p);
}

void h3ou__outgoing_free(h3ou__outgoing *o)
{
    if (!o)
        return;
    while (o->first) {
        h3ou__parcel *next = o->first->next;
        parcel_free(o->first);
        o->first = next;
    }
    free(o->frame);
    free(o->newest);
    free(o->share);
    free(o->sum);
    free(o->sum_share);
    free(o);
}

/* The newest value, in the layers that travel. */
static void keep(h3ou__outgoing *o, const double data[], const double second[])
{
    int64_t one = o->n * o->var->layer;
    if (!second)
        memcpy(o->newest, data, sizeof *data * (size_t)one);
    else if (o->plan->rotated) {
        memcpy(o->newest, data, sizeof *data * (size_t)one);
        memcpy(o->newest + one, second, sizeof *data * (size_t)one);
    } else
        for (int layer = 0; layer < o->var->layer; layer++)
            h3ou__frames_to_space(o->frame, o->n, data + layer * o->n, second + layer * o->n,
                                  o->newest + 3 * layer * o->n);
}

static int keep_share(h3ou__outgoing *o, const double share[])
{
    o->is_shared = share != NULL;
    if (!share)
        return H3OU__OK;
    for (int64_t i = 0; i < o->n; i++)
        if (!(share[i] >= 0.0 && share[i] <= 1.0))
            return h3ou__fail(H3OU__EARG, "%s: the share of cell %" PRId64 " of this process is %g: it lies in 0..1",
                              o->what, i + 1, share[i]);
    if (!o->share && !(o->share = malloc(sizeof *share * (size_t)(o->n + 1))))
        return no_memory(o);
    memcpy(o->share, share, sizeof *share * (size_t)o->n);
    return H3OU__OK;
}

/* From the first share in an interval on, values count by their shares; those before it counted whole. */
static int begin_shares(h3ou__outgoing *o)
{
    if (!o->sum_share && !(o->sum_share = malloc(sizeof *o->sum_share * (size_t)(o->n + 1))))
        return no_memory(o);
    for (int64_t i = 0; i < o->n; i++)
        o->sum_share[i] = (double)o->nsum;
    o->sum_is_shared = true;
    return H3OU__OK;
}

static int add_to_sum(h3ou__outgoing *o)
{
    int err = o->is_shared && !o->sum_is_shared ? begin_shares(o) : H3OU__OK;
    if (err)
        return err;
    for (int layer = 0; layer < o->layers; layer++) {
        const double *from = o->newest + layer * o->n;
        double *to = o->sum + layer * o->n;
        if (!o->is_shared)
            for (int64_t i = 0; i < o->n; i++)
                to[i] += from[i];
        else
            for (int64_t i = 0; i < o->n; i++)
                if (o->share[i] > 0.0) /* what does not count may be undefined */
                    to[i] += o->share[i] * from[i];
    }
    for (int64_t i = 0; o->sum_is_shared && i < o->n; i++)
        o->sum_share[i] += o->is_shared ? o->share[i] : 1.0;
    o->nsum++;
    return H3OU__OK;
}

int h3ou__outgoing_put(h3ou__outgoing *o, const h3ou__clock *clock, const double data[], const double second[],
                       const double share[])
{
    int err = keep_share(o, share);
    if (err)
        return err;
    keep(o, data, second);
    o->has_value = true;
    if (!clock->is_running) {
        o->has_initial = true;
        return H3OU__OK; /* an initial value is no part of a mean */
    }
    return o->var->flag == H3OU__AVR ? add_to_sum(o) : H3OU__OK;
}

static int wait_for_oldest(h3ou__outgoing *o)
{
    h3ou__parcel *p = o->first;
    int err = h3ou__waitall(o->world, p->n, p->req);
    if (err)
        return err; /* the requests may still borrow the parcel's memory: it stays */
    o->first = p->next;
    if (!o->first)
        o->last = NULL;
    o->nparcel--;
    parcel_free(p);
    return H3OU__OK;
}

int h3ou__outgoing_progress(h3ou__outgoing *o)
{
    while (o->first) {
        for (int k = 0; k < o->first->n; k++) {
            bool done;
            int err = h3ou__test(o->world, &o->first->req[k], &done);
            if (err || !done)
                return err;
        }
        int err = wait_for_oldest(o);
        if (err)
            return err;
    }
    return H3OU__OK;
}

/* What leaves: layers, what they are divided by, and shares. A sum with shares is divided cell by cell. */
typedef struct cargo {
    const double *value; /* NULL: heads only */
    double scale;
    const double *share;     /* or NULL */
    const double *sum_share; /* or NULL */
    double nsum;
} cargo;

static void pack(const h3ou__outgoing *o, const cargo *c, int k, double *message)
{
    const h3ou__plan *p = o->plan;
    double *to = message + H3OU__HEAD;
    for (int layer = 0; layer < o->layers; layer++) {
        const double *from = c->value + layer * o->n;
        for (int64_t i = p->start[k]; i < p->start[k + 1]; i++) {
            int64_t slot = p->slot[i];
            if (!c->sum_share)
                *to++ = from[slot] / c->scale;
            else
                *to++ = c->sum_share[slot] > 0.0 ? from[slot] / c->sum_share[slot] : 0.0;
        }
    }
    for (int64_t i = p->start[k]; i < p->start[k + 1] && (c->share || c->sum_share); i++)
        *to++ = c->sum_share ? c->sum_share[p->slot[i]] / c->nsum : c->share[p->slot[i]];
}

static int send_parcel(h3ou__outgoing *o, double time, int state, const cargo *c)
{
    const h3ou__plan *plan = o->plan;
    if (plan->npartner == 0)
        return H3OU__OK;
    int layers = c->value ? o->layers + (state == H3OU__SHARED) : 0;
    h3ou__parcel *p = calloc(1, sizeof *p);
    if (!p)
        return no_memory(o);
    p->req = calloc((size_t)plan->npartner, sizeof *p->req);
    p->data = malloc(sizeof *p->data * (size_t)(plan->npartner * H3OU__HEAD + plan->start[plan->npartner] * layers));
    if (!p->req || !p->data) {
        parcel_free(p);
        return no_memory(o);
    }
    if (o->last)
        o->last->next = p;
    else
        o->first = p;
    o->last = p;
    o->nparcel++;
    double *message = p->data;
    for (int k = 0; k < plan->npartner; k++) {
        int64_t size = H3OU__HEAD + (plan->start[k + 1] - plan->start[k]) * layers;
        message[0] = time;
        message[1] = state;
        if (c->value)
            pack(o, c, k, message);
        int err = h3ou__isend(plan->model, plan->partner[k], o->tag, message, size, H3OU__DOUBLE, o->what, &p->req[k]);
        if (err)
            return err;
        p->n = k + 1;
        message += size;
    }
    return H3OU__OK;
}

/* The value of exchange k, and what it is divided by. */
static int send_exchange(h3ou__outgoing *o)
{
    double time = (double)(o->next * o->var->intvl);
    bool initial = o->next == 0 && o->var->lag < 0;
    bool mean = o->var->flag == H3OU__AVR && !initial;
    bool has = initial ? o->has_initial : mean ? o->nsum > 0 : o->has_value;
    bool shared = has && (mean ? o->sum_is_shared : o->is_shared);
    cargo c = {.value = !has   ? NULL
                        : mean ? o->sum
                               : o->newest,
               .scale = mean ? (double)o->nsum : 1.0,
               .share = shared && !mean ? o->share : NULL,
               .sum_share = shared && mean ? o->sum_share : NULL,
               .nsum = (double)o->nsum};
    int err = send_parcel(o, time, !has ? H3OU__NO_VALUE : shared ? H3OU__SHARED : H3OU__VALUE, &c);
    h3ou__log(H3OU__LOG_LOUD, "send", "field=%s to=%s time=%.0f state=%s values=%" PRId64, o->var->put,
              o->config->pair[o->var->pair].comp_get, time, has ? (mean ? "mean" : "snapshot") : "none",
              mean ? o->nsum : 1);
    if (mean) {
        memset(o->sum, 0, sizeof *o->sum * (size_t)(o->n * o->layers));
        o->sum_is_shared = false;
        o->nsum = 0;
    }
    o->next++;
    return err;
}

int h3ou__outgoing_advance(h3ou__outgoing *o, int64_t now)
{
    int err = h3ou__outgoing_progress(o);
    while (!err && (o->next + (o->var->lag > 0)) * o->var->intvl <= now) {
        while (!err && o->nparcel >= o->window)
            err = wait_for_oldest(o);
        if (!err)
            err = send_exchange(o);
    }
    return err;
}

int h3ou__outgoing_end(h3ou__outgoing *o)
{
    const cargo nothing = {0};
    return send_parcel(o, (double)(o->next * o->var->intvl), H3OU__END, &nothing);
}

int h3ou__outgoing_drain(h3ou__outgoing *o)
{
    int err = H3OU__OK;
    while (o->first && !err)
        err = wait_for_oldest(o);
    return err;
}

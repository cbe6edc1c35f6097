/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/outgoing.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/log.h"

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

int h3ou__outgoing_create(const h3ou__config *config, int var, const h3ou__plan *plan, h3ou__world *world, int64_t n,
                          h3ou__outgoing **out)
{
    h3ou__outgoing *o = calloc(1, sizeof *o);
    if (!o)
        return h3ou__fail(H3OU__ENOMEM, "out of memory for a field");
    o->config = config;
    o->var = &config->var[var];
    o->plan = plan;
    o->world = world;
    o->n = n;
    o->tag = H3OU__TAG_FIELD + var;
    o->window = window_of(config, o->var);
    snprintf(o->what, sizeof o->what, "field %s for %s", o->var->put, config->pair[o->var->pair].comp_get);
    size_t values = (size_t)(n * o->var->layer);
    o->newest = calloc(values + 1, sizeof *o->newest);
    o->sum = o->var->flag == H3OU__AVR ? calloc(values + 1, sizeof *o->sum) : NULL;
    if (!o->newest || (o->var->flag == H3OU__AVR && !o->sum)) {
        int err = no_memory(o);
        h3ou__outgoing_free(o);
        return err;
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
    free(o->newest);
    free(o->sum);
    free(o);
}

void h3ou__outgoing_put(h3ou__outgoing *o, const h3ou__clock *clock, const double data[])
{
    int64_t values = o->n * o->var->layer;
    memcpy(o->newest, data, sizeof *data * (size_t)values);
    o->has_value = true;
    if (!clock->is_running) {
        o->has_initial = true;
        return; /* an initial value is no part of a mean */
    }
    if (o->var->flag != H3OU__AVR)
        return;
    for (int64_t i = 0; i < values; i++)
        o->sum[i] += data[i];
    o->nsum++;
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

static void pack(const h3ou__outgoing *o, const double value[], double scale, int k, double *message)
{
    const h3ou__plan *p = o->plan;
    double *to = message + H3OU__HEAD;
    for (int layer = 0; layer < o->var->layer; layer++) {
        const double *from = value + layer * o->n;
        for (int64_t i = p->start[k]; i < p->start[k + 1]; i++)
            *to++ = from[p->slot[i]] / scale;
    }
}

/* value NULL: heads only. */
static int send_parcel(h3ou__outgoing *o, double time, int state, const double value[], double scale)
{
    const h3ou__plan *plan = o->plan;
    if (plan->npartner == 0)
        return H3OU__OK;
    int layers = value ? o->var->layer : 0;
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
        if (value)
            pack(o, value, scale, k, message);
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
    int err = has ? send_parcel(o, time, H3OU__VALUE, mean ? o->sum : o->newest, mean ? (double)o->nsum : 1.0)
                  : send_parcel(o, time, H3OU__NO_VALUE, NULL, 1.0);
    h3ou__log(H3OU__LOG_LOUD, "send", "field=%s to=%s time=%.0f state=%s values=%" PRId64, o->var->put,
              o->config->pair[o->var->pair].comp_get, time, has ? (mean ? "mean" : "snapshot") : "none",
              mean ? o->nsum : 1);
    if (mean) {
        memset(o->sum, 0, sizeof *o->sum * (size_t)(o->n * o->var->layer));
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
    return send_parcel(o, (double)(o->next * o->var->intvl), H3OU__END, NULL, 1.0);
}

int h3ou__outgoing_drain(h3ou__outgoing *o)
{
    int err = H3OU__OK;
    while (o->first && !err)
        err = wait_for_oldest(o);
    return err;
}

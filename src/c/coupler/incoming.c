/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/incoming.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/log.h"
#include "coupler/calendar.h"
#include "coupler/frames.h"
#include "coupler/outgoing.h"

int h3ou__incoming_create(const h3ou__config *config, int var, const h3ou__plan *plan, h3ou__world *world,
                          const h3ou__grid *grid, h3ou__incoming **out)
{
    h3ou__incoming *in = calloc(1, sizeof *in);
    if (!in)
        return h3ou__fail(H3OU__ENOMEM, "out of memory for a field");
    in->config = config;
    in->var = &config->var[var];
    in->plan = plan;
    in->world = world;
    in->n = grid->n;
    in->layers = in->var->layer * (!in->var->is_vector ? 1 : plan->rotated ? 2 : 3);
    in->tag = H3OU__TAG_FIELD + var;
    snprintf(in->what, sizeof in->what, "field %s of %s", in->var->get, config->pair[in->var->pair].comp_put);
    size_t slots = (size_t)plan->start[plan->npartner], values = slots * (size_t)in->layers;
    size_t turned = in->var->is_vector ? (size_t)(in->n * in->layers) : 0;
    in->req = calloc((size_t)plan->npartner + 1, sizeof *in->req);
    in->message = malloc(sizeof *in->message * (values + slots + (size_t)plan->npartner * H3OU__HEAD + 1));
    in->source = malloc(sizeof *in->source * (values + 1));
    in->share = malloc(sizeof *in->share * (slots + 1));
    in->vector = malloc(sizeof *in->vector * (turned + 1));
    int err = in->req && in->message && in->source && in->share && in->vector
                  ? H3OU__OK
                  : h3ou__fail(H3OU__ENOMEM, "out of memory for a field");
    if (!err && in->var->is_vector && !plan->rotated && (err = h3ou__frames_make(grid, &in->frame)) != H3OU__OK)
        err = h3ou__fail_in(err, "%s:%d: field %s", config->file, in->var->line, in->var->get);
    if (err)
        h3ou__incoming_free(in);
    else
        *out = in;
    return err;
}

void h3ou__incoming_free(h3ou__incoming *in)
{
    if (!in)
        return;
    free(in->req);
    free(in->message);
    free(in->source);
    free(in->share);
    free(in->frame);
    free(in->vector);
    free(in);
}

/* Numbers of a message with values; and room for shares behind them. */
static int64_t value_size(const h3ou__incoming *in, int k)
{
    return H3OU__HEAD + (in->plan->start[k + 1] - in->plan->start[k]) * in->layers;
}

static int64_t message_size(const h3ou__incoming *in, int k)
{
    return value_size(in, k) + in->plan->start[k + 1] - in->plan->start[k];
}

static int post(h3ou__incoming *in)
{
    double *message = in->message;
    for (int k = 0; k < in->plan->npartner; k++) {
        int64_t size = message_size(in, k);
        int err = h3ou__irecv(in->plan->model, in->plan->partner[k], in->tag, message, size, H3OU__DOUBLE, in->what,
                              &in->req[k]);
        if (err)
            return err;
        message += size;
    }
    in->is_posted = true;
    return H3OU__OK;
}

/* Messages carry their exchange time: what arrived must be the one that is due. */
static int check_heads(h3ou__incoming *in, int *state)
{
    const double *message = in->message;
    double due = (double)(in->next * in->var->intvl);
    *state = H3OU__VALUE;
    for (int k = 0; k < in->plan->npartner; k++) {
        int64_t size = message_size(in, k);
        int64_t got = h3ou__req_count(&in->req[k], H3OU__DOUBLE), awaited = -1;
        int said = got >= H3OU__HEAD ? (int)message[1] : -1;
        if (said == H3OU__VALUE || said == H3OU__SHARED)
            awaited = said == H3OU__SHARED ? size : value_size(in, k);
        else if (said == H3OU__NO_VALUE || said == H3OU__END)
            awaited = H3OU__HEAD;
        if (got != awaited || message[0] != due)
            return h3ou__fail(H3OU__EPROTO,
                              "%s: awaited the exchange at %.0f s after the start, got %" PRId64 " numbers for %.0f s",
                              in->what, due, got, got > 0 ? message[0] : -1.0);
        if (said != H3OU__SHARED && said > *state)
            *state = said;
        message += size;
    }
    return H3OU__OK;
}

/* From messages (partner by partner) to layers of slots. */
static void unpack(h3ou__incoming *in)
{
    const h3ou__plan *p = in->plan;
    const double *message = in->message;
    int64_t nslot = p->start[p->npartner];
    in->is_shared = false;
    for (int k = 0; k < p->npartner; k++, message += message_size(in, k - 1)) {
        int64_t count = p->start[k + 1] - p->start[k];
        const double *from = message + H3OU__HEAD;
        for (int layer = 0; layer < in->layers; layer++, from += count)
            memcpy(in->source + layer * nslot + p->start[k], from, sizeof *from * (size_t)count);
        bool shared = (int)message[1] == H3OU__SHARED;
        in->is_shared |= shared;
        for (int64_t i = 0; i < count; i++)
            in->share[p->start[k] + i] = shared ? from[i] : 1.0;
    }
    for (int64_t i = 0; in->var->remap.has_missing && i < nslot * in->layers; i++)
        if (in->source[i] == in->var->remap.missing)
            in->source[i] = NAN;
}

/* Completes exchange in->next, and awaits the following one at once: its data may travel while the model computes. */
static int take(h3ou__incoming *in, int *state)
{
    int err = in->is_posted ? H3OU__OK : post(in);
    if (!err)
        err = h3ou__waitall(in->world, in->plan->npartner, in->req);
    if (err || (err = check_heads(in, state)) != H3OU__OK)
        return err;
    in->is_posted = false;
    in->has_ended = *state == H3OU__END;
    if (*state == H3OU__VALUE)
        unpack(in);
    if (in->has_ended || in->plan->npartner == 0)
        return H3OU__OK;
    in->next++;
    return post(in);
}

int h3ou__incoming_advance(h3ou__incoming *in, int64_t now)
{
    int err = H3OU__OK, state;
    if (in->plan->npartner == 0)
        return H3OU__OK;
    if (!in->is_posted && !in->has_ended)
        err = post(in);
    while (!err && !in->has_ended && in->next * in->var->intvl < now)
        err = take(in, &state);
    return err;
}

static int no_value(const h3ou__incoming *in, int64_t time, int state)
{
    const h3ou__config_pair *pair = &in->config->pair[in->var->pair];
    if (state == H3OU__END)
        return h3ou__fail(H3OU__ENOVALUE,
                          "%s:%d: field %s: %s ended before %" PRId64 " s after the start, where %s gets it",
                          in->config->file, in->var->line, in->var->get, pair->comp_put, time, pair->comp_get);
    if (time == 0 && in->var->lag < 0)
        return h3ou__fail(H3OU__ENOVALUE,
                          "%s:%d: field %s: %s gets it at the start, but %s put no initial value: put %s once "
                          "between h3ou_init_time and the first h3ou_set_time",
                          in->config->file, in->var->line, in->var->get, pair->comp_get, pair->comp_put, in->var->put);
    return h3ou__fail(H3OU__ENOVALUE,
                      "%s:%d: field %s: %s put no value of %s for the exchange at %" PRId64
                      " s after the start (intvl=%d, lag=%d)",
                      in->config->file, in->var->line, in->var->get, pair->comp_put, in->var->put, time, in->var->intvl,
                      in->var->lag);
}

static double missing_value(const h3ou__incoming *in)
{
    return in->var->remap.has_missing ? in->var->remap.missing : NAN;
}

/* Rows on `layers` layers of the source from `first` on, with what the making of the weights left. */
static int apply(const h3ou__incoming *in, const h3ou__sparse *rows, int first, int layers, double factor, double to[])
{
    const h3ou__plan *p = in->plan;
    int64_t nslot = p->start[p->npartner];
    const double *from = in->source + first * nslot;
    h3ou__apply how = {.nlayer = layers,
                       .factor = factor,
                       .share = in->is_shared ? in->share : NULL,
                       .skip_nan = in->var->remap.has_missing,
                       .missing = missing_value(in)};
    int err = h3ou__sparse_apply(rows, &how, nslot, from, in->n, to);
    if (!err && p->left.gradient)
        err = h3ou__gradient_apply(p->left.gradient, &how, nslot, from, in->n, to);
    return err;
}

static void fill_rest(const h3ou__incoming *in, double to[], int layers)
{
    const h3ou__remainder *left = &in->plan->left;
    for (int layer = 0; layer < layers; layer++) {
        for (int64_t i = 0; i < left->nunserved; i++)
            to[layer * in->n + left->unserved[i]] = missing_value(in);
        for (int64_t i = 0; i < left->nfixed; i++)
            to[layer * in->n + left->fixed[i]] = left->value[i];
    }
}

/* A vector in space comes into my frames. Cells that no row covers keep what the model has. */
static int take_vector(h3ou__incoming *in, double u[], double v[])
{
    const h3ou__plan *p = in->plan;
    int64_t n = in->n;
    int err = H3OU__OK;
    for (int layer = 0; layer < in->var->layer && !err; layer++) {
        double *space = in->vector, *a = u + layer * n, *b = v + layer * n;
        h3ou__frames_to_space(in->frame, n, a, b, space);
        err = apply(in, &p->rows, 3 * layer, 3, in->var->factor, space);
        for (int64_t r = 0; r < p->rows.nrow && !err; r++)
            for (int d = 0; d < 3; d++)
                if (in->var->remap.has_missing && space[d * n + p->rows.row[r]] == in->var->remap.missing)
                    space[d * n + p->rows.row[r]] = NAN;
        for (int64_t r = 0; r < p->rows.nrow && !err; r++) {
            int64_t i = p->rows.row[r];
            double at[3] = {space[i], space[n + i], space[2 * n + i]};
            h3ou__frames_from_space(in->frame + 6 * i, 1, at, &a[i], &b[i]);
            a[i] = isnan(a[i]) ? missing_value(in) : a[i];
            b[i] = isnan(b[i]) ? missing_value(in) : b[i];
        }
    }
    return err;
}

/* u' = sum of coef (cos u - sin v), v' = sum of coef (sin u + cos v): the sums are made apart. */
static int take_rotated(h3ou__incoming *in, double u[], double v[])
{
    const h3ou__plan *p = in->plan;
    int layer = in->var->layer;
    int64_t size = in->n * layer;
    double *sine = in->vector;
    int err = apply(in, &p->rows, 0, layer, in->var->factor, u);
    if (!err)
        err = apply(in, &p->rows, layer, layer, in->var->factor, v);
    if (!err)
        err = apply(in, &p->rows_sin, layer, layer, in->var->factor, sine);
    if (!err)
        err = apply(in, &p->rows_sin, 0, layer, in->var->factor, sine + size);
    for (int k = 0; k < layer && !err; k++)
        for (int64_t r = 0; r < p->rows.nrow; r++) {
            int64_t i = k * in->n + p->rows.row[r];
            u[i] -= sine[i];
            v[i] += sine[size + i];
        }
    return err;
}

int h3ou__incoming_get(h3ou__incoming *in, const h3ou__clock *clock, double data[], double second[], bool *ok)
{
    int state = H3OU__VALUE, err = H3OU__OK;
    *ok = clock->now % in->var->intvl == 0;
    if (!*ok)
        return H3OU__OK;
    int64_t exchange = clock->now / in->var->intvl;
    if (in->plan->npartner > 0 && in->has_ended)
        return no_value(in, clock->now, H3OU__END);
    if (in->plan->npartner > 0 && in->next <= exchange) { /* else: got twice in one step, the same again */
        if ((err = take(in, &state)) != H3OU__OK)
            return err;
        if (state != H3OU__VALUE)
            return no_value(in, clock->now, state);
    }
    if (in->plan->npartner > 0)
        err = !second             ? apply(in, &in->plan->rows, 0, in->layers, in->var->factor, data)
              : in->plan->rotated ? take_rotated(in, data, second)
                                  : take_vector(in, data, second);
    if (err)
        return err;
    fill_rest(in, data, in->var->layer);
    if (second)
        fill_rest(in, second, in->var->layer);
    h3ou__log(H3OU__LOG_LOUD, "get", "field=%s from=%s time=%" PRId64 " cells=%" PRId64, in->var->get,
              in->config->pair[in->var->pair].comp_put, clock->now, in->plan->rows.nrow);
    return H3OU__OK;
}

int h3ou__incoming_end(h3ou__incoming *in)
{
    int err = H3OU__OK, state;
    while (!err && !in->has_ended && in->plan->npartner > 0)
        err = take(in, &state);
    return err;
}

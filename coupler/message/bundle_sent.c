/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/message/bundle_sent.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "coupler/common/message_tags.h"
#include "coupler/message/message_form.h"

static int open_ring(h3ou__bundle_sent *b, const h3ou__config *config, const h3ou__bundle_plan *plan)
{
    const h3ou__config_var *v = &config->var[plan->part->var];
    snprintf(b->what, sizeof b->what, "field %s and %d others for %s", v->put, plan->n - 1, config->pair[v->pair].comp_get);
    int err = h3ou__ring_open(plan->model, plan->partner, H3OU__TAG_FIELD + plan->part->var, b->at[b->n], H3OU__HEAD_RING, b->what,
                              &b->ring);
    if (!err && v->second_put == H3OU__SECOND_IS_ERROR)
        h3ou__ring_send_early(b->ring);
    return err;
}

int h3ou__bundle_sent_create(h3ou__world *world, const h3ou__config *config, const h3ou__bundle_plan *plan, int window,
                             h3ou__bundle_sent **out)
{
    h3ou__bundle_sent *b = calloc(1, sizeof *b);
    *out = b;
    if (!b)
        return h3ou__no_memory("a bundle of messages");
    b->n = plan->n;
    b->window = window;
    b->parcels = (h3ou__parcels){.world = world, .npartner = 1};
    b->at = malloc(sizeof *b->at * (size_t)(b->n + 1));
    b->has = calloc((size_t)b->n, sizeof *b->has);
    if (!b->at || !b->has)
        return h3ou__no_memory("a bundle of messages");
    b->at[0] = h3ou__bundle_first(b->n);
    for (int i = 0; i < b->n; i++)
        b->at[i + 1] = h3ou__bundle_after(b->at[i], plan->part[i].most);
    return open_ring(b, config, plan);
}

void h3ou__bundle_sent_free(h3ou__bundle_sent *b)
{
    if (!b)
        return;
    if (b->parcel)
        h3ou__parcel_depart(&b->parcels, b->parcel);
    h3ou__parcel_free_all(&b->parcels);
    h3ou__ring_free(b->ring);
    free(b->at);
    free(b->has);
    free(b);
}

double *h3ou__bundle_sent_place(h3ou__bundle_sent *b, int field)
{
    double *message = b->open;
    if (message ? b->parcel || b->has[field] : !(message = h3ou__ring_place(b->ring)))
        return NULL;
    return message + b->at[field];
}

static int open_message(h3ou__bundle_sent *b)
{
    b->open = h3ou__ring_place(b->ring);
    if (!b->open) {
        b->parcel = h3ou__parcel_take(&b->parcels, b->at[b->n]);
        if (!b->parcel)
            return h3ou__no_memory("%s", b->what);
        b->open = b->parcel->data;
        b->end = b->at[0];
        memset(b->open, 0, sizeof *b->open * (size_t)b->end);
    }
    b->nhas = 0;
    memset(b->has, 0, sizeof *b->has * (size_t)b->n);
    return H3OU__OK;
}

int h3ou__bundle_sent_room(h3ou__bundle_sent *b, int field, double **room)
{
    int err = b->open && b->has[field] ? h3ou__bundle_sent_close(b) : H3OU__OK;
    if (!err && !b->open)
        err = open_message(b);
    if (!err)
        *room = b->open + (b->parcel ? b->end : b->at[field]);
    return err;
}

int h3ou__bundle_sent_add(h3ou__bundle_sent *b, int field, const double *message, int64_t numbers)
{
    int err = b->open ? H3OU__OK : open_message(b);
    if (err)
        return err;
    double *entry = b->open + H3OU__HEAD + (int64_t)b->nhas++ * H3OU__BUNDLE_ENTRY;
    int64_t begin = message - b->open;
    entry[H3OU__BUNDLE_FIELD] = field;
    entry[H3OU__BUNDLE_BEGIN] = (double)begin;
    entry[H3OU__BUNDLE_NUMBERS] = (double)numbers;
    b->has[field] = true;
    if (b->parcel) {
        b->end = h3ou__bundle_after(begin, numbers);
        for (int64_t i = begin + numbers; i < b->end; i++)
            b->open[i] = 0.0;
    }
    return b->nhas == b->n ? h3ou__bundle_sent_close(b) : H3OU__OK;
}

int h3ou__bundle_sent_close(h3ou__bundle_sent *b)
{
    if (!b->open || b->nhas == 0)
        return H3OU__OK;
    h3ou__parcel *p = b->parcel ? b->parcel : h3ou__parcel_take(&b->parcels, 0);
    if (!p)
        return h3ou__no_memory("%s", b->what);
    double *message = b->open, mark = message[(int64_t)message[H3OU__HEAD + H3OU__BUNDLE_BEGIN] + H3OU__HEAD_MARK];
    int64_t numbers = b->parcel ? b->end : b->at[b->n];
    memset(message, 0, sizeof *message * H3OU__HEAD);
    message[H3OU__HEAD_MARK] = mark;
    message[H3OU__HEAD_STATE] = H3OU__BUNDLED;
    message[H3OU__HEAD_MORE] = b->nhas;
    b->is_split |= b->nhas < b->n;
    b->open = NULL;
    b->parcel = NULL;
    h3ou__parcel_depart(&b->parcels, p);
    int err = h3ou__ring_send(b->ring, message, numbers, &p->req[0]);
    p->n = !err;
    return err;
}

bool h3ou__bundle_sent_is_full(const h3ou__bundle_sent *b)
{
    return b->parcels.n / (b->is_split ? b->n : 1) >= b->window;
}

int h3ou__bundle_sent_await(h3ou__bundle_sent *b)
{
    int err = H3OU__OK;
    while (!err && h3ou__bundle_sent_is_full(b))
        err = h3ou__parcel_await(&b->parcels);
    return err;
}

int h3ou__bundle_sent_drain(h3ou__bundle_sent *b)
{
    int err = h3ou__bundle_sent_close(b);
    while (!err && b->parcels.first)
        err = h3ou__parcel_await(&b->parcels);
    return err;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/message/bundles.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/grow.h"

static int make_sent(h3ou__world *world, const h3ou__config *config, const h3ou__bundle_plans *plans,
                     const h3ou__plan *const plan[], const int window[], h3ou__bundles *all)
{
    int err = H3OU__OK;
    for (int i = 0; i < plans->n && !err; i++) {
        const h3ou__bundle_plan *b = &plans->bundle[i];
        err = h3ou__bundle_sent_create(world, config, b, window[b->part->var], &all->sent[all->nsent++]);
        for (int k = 0; k < b->n && !err; k++) {
            h3ou__sent_in **in = &all->sent_in[b->part[k].var];
            if (!*in && !(*in = calloc((size_t)plan[b->part[k].var]->npartner, sizeof **in)))
                return h3ou__no_memory("bundles of messages");
            (*in)[b->part[k].at] = (h3ou__sent_in){all->sent[i], k};
        }
    }
    return err;
}

static int make_got(const h3ou__config *config, const h3ou__bundle_plans *plans, const h3ou__plan *const plan[], h3ou__bundles *all)
{
    int err = H3OU__OK;
    for (int i = 0; i < plans->n && !err; i++) {
        const h3ou__bundle_plan *b = &plans->bundle[i];
        err = h3ou__bundle_got_create(config, b, &all->got[all->ngot++]);
        for (int k = 0; k < b->n && !err; k++) {
            h3ou__got_in **in = &all->got_in[b->part[k].var];
            if (!*in && !(*in = calloc((size_t)plan[b->part[k].var]->npartner, sizeof **in)))
                return h3ou__no_memory("bundles of messages");
            (*in)[b->part[k].at] = (h3ou__got_in){all->got[i], k};
        }
    }
    return err;
}

int h3ou__bundles_make(h3ou__world *world, const h3ou__config *config, const h3ou__plan *const sent[],
                       const h3ou__plan *const got[], const int window[], h3ou__bundles *out)
{
    h3ou__bundle_plans away = {0}, here = {0};
    int err = h3ou__bundle_plans_make(config, world, sent, &away);
    if (!err)
        err = h3ou__bundle_plans_make(config, world, got, &here);
    out->nvar = config->nvar;
    out->sent = calloc((size_t)away.n + 1, sizeof(void *));
    out->got = calloc((size_t)here.n + 1, sizeof(void *));
    out->sent_in = calloc((size_t)config->nvar + 1, sizeof(void *));
    out->got_in = calloc((size_t)config->nvar + 1, sizeof(void *));
    if (!err && (!out->sent || !out->got || !out->sent_in || !out->got_in))
        err = h3ou__no_memory("bundles of messages");
    if (!err)
        err = make_sent(world, config, &away, sent, window, out);
    if (!err)
        err = make_got(config, &here, got, out);
    h3ou__bundle_plans_free(&away);
    h3ou__bundle_plans_free(&here);
    return err;
}

void h3ou__bundles_free(h3ou__bundles *all)
{
    for (int i = 0; i < all->nsent; i++)
        h3ou__bundle_sent_free(all->sent[i]);
    for (int i = 0; i < all->ngot; i++)
        h3ou__bundle_got_free(all->got[i]);
    for (int v = 0; v < all->nvar; v++) {
        if (all->sent_in)
            free(all->sent_in[v]);
        if (all->got_in)
            free(all->got_in[v]);
    }
    free(all->sent);
    free(all->got);
    free(all->sent_in);
    free(all->got_in);
    *all = (h3ou__bundles){0};
}

int h3ou__bundles_close(h3ou__bundles *all)
{
    int err = H3OU__OK;
    for (int i = 0; i < all->nsent && !err; i++)
        err = h3ou__bundle_sent_close(all->sent[i]);
    return err;
}

int h3ou__bundles_drain(h3ou__bundles *all)
{
    int err = H3OU__OK;
    for (int i = 0; i < all->nsent && !err; i++)
        err = h3ou__bundle_sent_drain(all->sent[i]);
    return err;
}

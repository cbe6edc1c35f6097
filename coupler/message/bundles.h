/* SPDX-License-Identifier: BSD-3-Clause */
/* All bundles of my component: messages of several fields between the same two processes that go as one (bundle_plan.h). */
#ifndef H3OU_COUPLER_MESSAGE_BUNDLES_H
#define H3OU_COUPLER_MESSAGE_BUNDLES_H

#include "coupler/message/bundle_got.h"
#include "coupler/message/bundle_sent.h"

/* The bundle in which a field's messages to or from a partner are, and as which of its fields; NULL: they go by themselves. */
typedef struct h3ou__sent_in {
    h3ou__bundle_sent *bundle;
    int field;
} h3ou__sent_in;

typedef struct h3ou__got_in {
    h3ou__bundle_got *bundle;
    int field;
} h3ou__got_in;

typedef struct h3ou__bundles {
    int nsent, ngot;
    h3ou__bundle_sent **sent;
    h3ou__bundle_got **got;
    h3ou__sent_in **sent_in; /* [variables] [partners of its plan], NULL: none of its messages is bundled */
    h3ou__got_in **got_in;
    int nvar;
} h3ou__bundles;

/* sent, got: [variables of the configuration] the plans by which my component sends and gets each, or NULL; window: [variables] of
 * what is sent. */
int h3ou__bundles_make(h3ou__world *world, const h3ou__config *config, const h3ou__plan *const sent[],
                       const h3ou__plan *const got[], const int window[], h3ou__bundles *out);
void h3ou__bundles_free(h3ou__bundles *all);
/* Sends what is put together: called before this process waits, and at the end of its step. */
int h3ou__bundles_close(h3ou__bundles *all);
int h3ou__bundles_drain(h3ou__bundles *all);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* What all links of an instance share: the poller, and the buffer into which bytes are read before they have a place.
 */
#ifndef WAITIO_HUB_H
#define WAITIO_HUB_H

#include <stdbool.h>

#include "os/poller.h"
#include "waitio/conduit.h"

typedef struct waitio__source waitio__source;
struct waitio__source { /* what the poller's events point to; the first member of who owns a descriptor */
    void (*ready)(waitio__source *source, bool readable, bool writable);
};

typedef struct waitio__hub {
    h3ou__poller poller;
    size_t staging_size;
    unsigned char *staging;
} waitio__hub;

typedef struct waitio__listener { /* a link on which others arrive */
    waitio__source source;
    waitio__hub *hub;
    waitio__link link;
    waitio__address address;
    /* Takes the link. */
    void (*arrived)(void *owner, waitio__link *link);
    void *owner;
    bool is_open, is_watched;
} waitio__listener;

int waitio__hub_open(waitio__hub *hub);
void waitio__hub_close(waitio__hub *hub);
/* Handles what is ready, sleeping at most `seconds` when nothing is. Answers the number of events. */
int waitio__hub_turn(waitio__hub *hub, double seconds);

int waitio__listener_open(waitio__listener *l, const waitio__conduit *conduit, const waitio__address *at);
/* Begins to accept. owner is borrowed until the listener is closed. */
int waitio__listener_watch(waitio__listener *l, waitio__hub *hub, void (*arrived)(void *, waitio__link *), void *owner);
/* Accepts again after it ran out of descriptors. */
void waitio__listener_retry(waitio__listener *l);
void waitio__listener_close(waitio__listener *l);

#endif

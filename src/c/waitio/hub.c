/* SPDX-License-Identifier: BSD-3-Clause */
#include "waitio/hub.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/log.h"

enum { STAGING = 65536, EVENTS = 64, ACCEPTS = 64 };

int waitio__hub_open(waitio__hub *hub)
{
    hub->staging_size = STAGING;
    hub->staging = malloc(STAGING);
    if (!hub->staging)
        return h3ou__fail(H3OU__ENOMEM, "no memory for %d bytes", STAGING);
    int code = h3ou__poller_open(&hub->poller);
    if (code) {
        free(hub->staging);
        hub->staging = NULL;
    }
    return code;
}

void waitio__hub_close(waitio__hub *hub)
{
    if (!hub->staging)
        return;
    h3ou__poller_close(&hub->poller);
    free(hub->staging);
    hub->staging = NULL;
}

int waitio__hub_turn(waitio__hub *hub, double seconds)
{
    h3ou__event event[EVENTS];
    int n = h3ou__poller_wait(&hub->poller, seconds, event, EVENTS);
    for (int i = 0; i < n; i++) {
        waitio__source *source = event[i].ref;
        source->ready(source, event[i].readable, event[i].writable);
    }
    return n;
}

static void listener_ready(waitio__source *source, bool readable, bool writable)
{
    waitio__listener *l = (waitio__listener *)source;
    (void)readable;
    (void)writable;
    for (int i = 0; i < ACCEPTS && l->is_open; i++) {
        waitio__link link;
        int code = l->link.conduit->accept(&l->link, &link);
        if (code == WAITIO__AGAIN)
            return;
        if (code) {
            /* Level-triggered, it would be reported without end: look away until the next retry. */
            h3ou__log(H3OU__LOG_WHISPER, "accept_failed", "reason=\"%s\"", h3ou__fail_text());
            h3ou__poller_remove(&l->hub->poller, l->link.fd);
            l->is_watched = false;
            return;
        }
        l->arrived(l->owner, &link);
    }
}

int waitio__listener_open(waitio__listener *l, const waitio__conduit *conduit, const waitio__address *at)
{
    *l = (waitio__listener){.source.ready = listener_ready};
    int code = conduit->listen(at, &l->link, &l->address);
    l->is_open = !code;
    return code;
}

int waitio__listener_watch(waitio__listener *l, waitio__hub *hub, void (*arrived)(void *, waitio__link *), void *owner)
{
    l->hub = hub;
    l->arrived = arrived;
    l->owner = owner;
    int code = h3ou__poller_add(&hub->poller, l->link.fd, &l->source, false);
    l->is_watched = !code;
    return code;
}

void waitio__listener_retry(waitio__listener *l)
{
    if (l->is_open && l->hub && !l->is_watched)
        l->is_watched = !h3ou__poller_add(&l->hub->poller, l->link.fd, &l->source, false);
}

void waitio__listener_close(waitio__listener *l)
{
    if (!l->is_open)
        return;
    if (l->is_watched)
        h3ou__poller_remove(&l->hub->poller, l->link.fd);
    l->link.conduit->close(&l->link);
    l->is_open = l->is_watched = false;
}

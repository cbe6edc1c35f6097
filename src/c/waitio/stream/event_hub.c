/* SPDX-License-Identifier: BSD-3-Clause */
#include "waitio/stream/event_hub.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/log.h"

/* ACCEPTS: few, so that a flood of connections does not delay the links that stand. */
enum { STAGING = 65536, EVENTS = 64, ACCEPTS = 8 };

static const double blind = 1e-3; /* s: the longest sleep while a link cannot be watched */

int waitio__hub_open(waitio__hub *hub, waitio__memory *memory)
{
    *hub = (waitio__hub){.memory = memory, .staging_size = STAGING};
    hub->staging = waitio__memory_take(memory, WAITIO__USE_FIXED, STAGING);
    if (!hub->staging)
        return H3OU__ENOMEM;
    int code = h3ou__poller_open(&hub->poller);
    if (code) {
        waitio__memory_give(memory, WAITIO__USE_FIXED, hub->staging, STAGING);
        hub->staging = NULL;
    }
    return code;
}

void waitio__hub_close(waitio__hub *hub)
{
    if (!hub->staging)
        return;
    h3ou__poller_close(&hub->poller);
    waitio__memory_give(hub->memory, WAITIO__USE_FIXED, hub->staging, STAGING);
    waitio__memory_give(hub->memory, WAITIO__USE_FIXED, hub->asked, (size_t)hub->room * sizeof(waitio__source *));
    hub->staging = NULL;
    hub->asked = NULL;
    hub->nasked = hub->room = 0;
}

/* Uses the place of a source that was removed, as that of a greeting is when its link goes to a lane. False: none. */
static bool fill_hole(waitio__hub *hub, waitio__source *source)
{
    for (int i = 0; hub->has_holes && i < hub->nasked; i++)
        if (!hub->asked[i]) {
            source->round = i;
            hub->asked[i] = source;
            return true;
        }
    return false;
}

static int enter_round(waitio__hub *hub, waitio__source *source)
{
    if (hub->nasked == hub->room) {
        int room = hub->room ? 2 * hub->room : 8;
        waitio__source **larger =
            waitio__memory_take(hub->memory, WAITIO__USE_FIXED, (size_t)room * sizeof(waitio__source *));
        if (!larger)
            return fill_hole(hub, source) ? H3OU__OK : H3OU__ENOMEM;
        for (int i = 0; i < hub->nasked; i++)
            larger[i] = hub->asked[i];
        waitio__memory_give(hub->memory, WAITIO__USE_FIXED, hub->asked, (size_t)hub->room * sizeof(waitio__source *));
        hub->asked = larger;
        hub->room = room;
    }
    source->round = hub->nasked;
    hub->asked[hub->nasked++] = source;
    return H3OU__OK;
}

int waitio__hub_add(waitio__hub *hub, waitio__source *source, waitio__link *link, bool write)
{
    source->link = link;
    source->wants_write = write;
    source->round = -1;
    int code = link->conduit->ready ? enter_round(hub, source) : H3OU__OK;
    /* The descriptor of an asked link is a doorbell: it has nothing to say about writing. */
    if (!code && link->fd >= 0)
        code = h3ou__poller_add(&hub->poller, link->fd, source, write && !link->conduit->ready);
    if (code)
        source->link = NULL;
    return code;
}

void waitio__hub_set_aside(waitio__hub *hub, waitio__source *source)
{
    if (hub->aside || source->round >= 0)
        return;
    h3ou__poller_remove(&hub->poller, source->link->fd);
    hub->aside = source;
}

/* Lets the poller watch the source set aside. False: it cannot, so its owner has to be called in each turn. */
static bool watch_set_aside(waitio__hub *hub)
{
    waitio__source *s = hub->aside;
    if (s && h3ou__poller_add(&hub->poller, s->link->fd, s, s->wants_write))
        return false;
    hub->aside = NULL;
    return true;
}

void waitio__hub_want(waitio__hub *hub, waitio__source *source, bool write)
{
    if (source->wants_write == write || !source->link)
        return;
    source->wants_write = write;
    if (hub->aside == source)
        watch_set_aside(hub);
    else if (source->round < 0)
        h3ou__poller_change(&hub->poller, source->link->fd, source, write);
}

void waitio__hub_remove(waitio__hub *hub, waitio__source *source)
{
    if (!source->link)
        return;
    if (hub->aside == source)
        hub->aside = NULL;
    else if (source->link->fd >= 0)
        h3ou__poller_remove(&hub->poller, source->link->fd);
    if (source->round >= 0) {
        hub->asked[source->round] = NULL;
        hub->has_holes = true;
    }
    source->link = NULL;
    source->round = -1;
}

/* Not to be called while `asked` is walked through. */
static void close_holes(waitio__hub *hub)
{
    int n = 0;
    for (int i = 0; i < hub->nasked; i++)
        if (hub->asked[i]) {
            hub->asked[n] = hub->asked[i];
            hub->asked[n]->round = n;
            n++;
        }
    hub->nasked = n;
    hub->has_holes = false;
}

int waitio__hub_ask_ready(waitio__hub *hub)
{
    int n = 0;
    hub->is_asking = true;
    for (int i = 0; i < hub->nasked; i++) {
        waitio__source *s = hub->asked[i];
        if (s && s->link->conduit->ready(s->link, s->wants_write)) {
            s->ready(s, true, s->wants_write);
            n++;
        }
    }
    hub->is_asking = false;
    if (hub->has_holes)
        close_holes(hub);
    return n;
}

double waitio__hub_sleep_begin(waitio__hub *hub, double seconds, int *n)
{
    if (hub->has_holes)
        close_holes(hub);
    for (*n = 0; *n < hub->nasked && seconds > 0; (*n)++) {
        waitio__link *l = hub->asked[*n]->link;
        double most = l->conduit->sleep_begin(l, hub->asked[*n]->wants_write);
        seconds = most < seconds ? most : seconds;
    }
    return seconds;
}

void waitio__hub_sleep_end(waitio__hub *hub)
{
    for (int i = 0; i < hub->nasked; i++)
        if (hub->asked[i])
            hub->asked[i]->link->conduit->sleep_end(hub->asked[i]->link);
}

int waitio__hub_turn(waitio__hub *hub, double seconds)
{
    h3ou__event event[EVENTS];
    int dozing = 0, asked = waitio__hub_ask_ready(hub);
    if (hub->aside && !watch_set_aside(hub)) {
        hub->aside->ready(hub->aside, true, hub->aside->wants_write);
        seconds = seconds < blind ? seconds : blind;
    }
    if (asked)
        seconds = 0;
    if (seconds > 0)
        seconds = waitio__hub_sleep_begin(hub, seconds, &dozing);
    hub->sleeps += seconds > 0;
    int n = h3ou__poller_wait(&hub->poller, seconds, event, EVENTS);
    if (dozing)
        waitio__hub_sleep_end(hub);
    hub->events += n > 0 ? (uint64_t)n : 0;
    for (int i = 0; i < n; i++) {
        waitio__source *source = event[i].ref;
        source->ready(source, event[i].readable, event[i].writable);
    }
    if (dozing)
        asked += waitio__hub_ask_ready(hub);
    if (hub->has_holes)
        close_holes(hub);
    return n + asked;
}

static void listener_ready(waitio__source *source, bool readable, bool writable)
{
    waitio__listener *l = (waitio__listener *)source;
    (void)readable;
    (void)writable;
    for (int i = 0; i < ACCEPTS && l->is_open; i++) {
        if (l->hub->has_room && !l->hub->has_room(l->hub->guests))
            return;
        waitio__link link;
        int code = l->link.conduit->accept(&l->link, &link);
        if (code == WAITIO__AGAIN)
            return;
        if (code) {
            /* The poller is level-triggered and would report it in every turn: it is not watched until the next retry.
             */
            h3ou__log(H3OU__LOG_WHISPER, "accept_failed", "reason=\"%s\"", h3ou__fail_text());
            waitio__hub_remove(l->hub, &l->source);
            l->is_watched = false;
            return;
        }
        l->arrived(l->owner, &link);
    }
}

int waitio__listener_open(waitio__listener *l, const waitio__conduit *conduit, const waitio__conduit_settings *set,
                          const waitio__address *at)
{
    *l = (waitio__listener){.source.ready = listener_ready};
    int code = conduit->listen(set, at, &l->link, &l->address);
    l->is_open = !code;
    return code;
}

int waitio__listeners_open(waitio__listener l[], const waitio__conduit *conduit, const waitio__conduit_settings *set,
                           const waitio__address at[], int n)
{
    int nopen = 0, code = n > 0 ? H3OU__OK : h3ou__fail(H3OU__EHOST, "no address to listen at");
    for (int i = 0; i < n && code != H3OU__EREFUSED; i++) {
        code = waitio__listener_open(&l[nopen], conduit, set, &at[i]);
        nopen += !code;
    }
    if (nopen && code != H3OU__EREFUSED)
        return H3OU__OK;
    while (nopen)
        waitio__listener_close(&l[--nopen]);
    return code;
}

void waitio__listener_adopt(waitio__listener *l, waitio__link *link)
{
    *l = (waitio__listener){.source.ready = listener_ready, .link = *link, .is_open = true};
}

int waitio__listener_watch(waitio__listener *l, waitio__hub *hub, void (*arrived)(void *, waitio__link *), void *owner)
{
    l->hub = hub;
    l->arrived = arrived;
    l->owner = owner;
    int code = waitio__hub_add(hub, &l->source, &l->link, false);
    l->is_watched = !code;
    return code;
}

void waitio__listener_retry(waitio__listener *l)
{
    if (l->is_open && l->hub && !l->is_watched)
        l->is_watched = !waitio__hub_add(l->hub, &l->source, &l->link, false);
}

void waitio__listener_close(waitio__listener *l)
{
    if (!l->is_open)
        return;
    if (l->is_watched)
        waitio__hub_remove(l->hub, &l->source);
    l->link.conduit->close(&l->link);
    l->is_open = l->is_watched = false;
}

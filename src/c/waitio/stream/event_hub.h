/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The event hub, the event loop of an instance. It holds what all its links share: the poller for links with a
 * descriptor, the list of links whose `ready` is called in each turn, and the buffer into which bytes are read before
 * it is known where they belong.
 */
#ifndef WAITIO_STREAM_EVENT_HUB_H
#define WAITIO_STREAM_EVENT_HUB_H

#include <stdbool.h>

#include "os/poller.h"
#include "waitio/conduit/conduit.h"
#include "waitio/stream/memory.h"

typedef struct waitio__source waitio__source;
struct waitio__source { /* the object to which the poller's events point; the first member of the owner of a link */
    void (*ready)(waitio__source *source, bool readable, bool writable);
    waitio__link *link; /* while it is in the hub */
    bool wants_write;
    int round; /* index in `asked`; -1: the poller alone tells when it is ready */
};

typedef struct waitio__hub {
    h3ou__poller poller;
    waitio__memory *memory;
    size_t staging_size;
    unsigned char *staging;
    waitio__source **asked; /* [nasked] the sources whose conduit has `ready`; NULL: one that has just been removed */
    int nasked, room;
    bool has_holes;
    bool is_asking; /* the source is being called because its link's `ready` returned true, not because of its
                       descriptor */
    bool is_behind; /* some channel may hold bytes that its link has not taken (departure.h) */
    uint64_t sleeps, events; /* how often it has blocked, and what the poller has reported */
    waitio__source *aside; /* the source that the poller does not watch, because its owner blocks in reading from it */
    /* NULL, or: returns whether one more link may be accepted now. The others stay in the system's queue. */
    bool (*has_room)(void *guests);
    void *guests;
} waitio__hub;

typedef struct waitio__listener { /* a listening link of a conduit */
    waitio__source source;
    waitio__hub *hub;
    waitio__link link;
    waitio__address address;
    /* Called with an accepted link, which it takes. */
    void (*arrived)(void *owner, waitio__link *link);
    void *owner;
    bool is_open, is_watched;
} waitio__listener;

int waitio__hub_open(waitio__hub *hub, waitio__memory *memory);
void waitio__hub_close(waitio__hub *hub);
/* From now on source->ready is called when link may be read or written. link is borrowed until remove. */
int waitio__hub_add(waitio__hub *hub, waitio__source *source, waitio__link *link, bool write);
void waitio__hub_want(waitio__hub *hub, waitio__source *source, bool write);
/* The poller does not watch it until the next turn: a process that blocks in reading from a link is woken sooner then.
 */
void waitio__hub_set_aside(waitio__hub *hub, waitio__source *source);
void waitio__hub_remove(waitio__hub *hub, waitio__source *source);
/* Calls `ready` of the links that have it, and handles those that are. Returns their number. Costs no system call. */
int waitio__hub_ask_ready(waitio__hub *hub);
/* Handles the links that are ready, and blocks for at most `seconds` while none is. Returns the number of events. */
int waitio__hub_turn(waitio__hub *hub, double seconds);

/* For a caller that blocks by itself: tells all links with `ready`. Returns the seconds for which it may block, at most
 * `seconds`. Call sleep_end afterwards. */
double waitio__hub_sleep_begin(waitio__hub *hub, double seconds, int *dozing);
void waitio__hub_sleep_end(waitio__hub *hub);

int waitio__listener_open(waitio__listener *l, const waitio__conduit *conduit, const waitio__conduit_settings *set,
                          const waitio__address *at);
/* At each of the n addresses that can be listened at on this machine; l has n places. None is open after an error:
 * H3OU__EREFUSED: another process has one of the addresses; else why the last address could not be had. */
int waitio__listeners_open(waitio__listener l[], const waitio__conduit *conduit, const waitio__conduit_settings *set,
                           const waitio__address at[], int n);
/* Makes l a listener of a link that listens already; takes the link. */
void waitio__listener_adopt(waitio__listener *l, waitio__link *link);
/* Begins to accept links. owner is borrowed until the listener is closed. */
int waitio__listener_watch(waitio__listener *l, waitio__hub *hub, void (*arrived)(void *, waitio__link *), void *owner);
/* Accepts links again after the process had run out of descriptors. */
void waitio__listener_retry(waitio__listener *l);
void waitio__listener_close(waitio__listener *l);

#endif

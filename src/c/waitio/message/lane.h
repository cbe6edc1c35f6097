/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A lane: one stream of frames to a peer. It outlives its connection. When the connection breaks, both ends try to make
 * another one (lane_connect.h), tell how many bytes they have received, and send again what did not arrive. A lane may
 * also rest (lane_rest.h): its idle connection is closed by agreement until the next message. A peer has one lane for
 * messages, and others for the data of long messages when several connections (WAITIO_STREAMS) or files carry it.
 */
#ifndef WAITIO_MESSAGE_LANE_H
#define WAITIO_MESSAGE_LANE_H

#include "waitio/message/instance.h"
#include "waitio/stream/channel.h"

enum waitio__lane_state {
    WAITIO__IDLE,    /* no connection, and none wanted: never made, or resting */
    WAITIO__OPENING, /* being made: by me, or (no greeting) awaited from the other end */
    WAITIO__READY,
    WAITIO__BROKEN /* broken, and between two attempts to make it again (OPENING) */
};
/* Number of messages in close succession before one is kept for a moment to leave with the next. */
enum { WAITIO__STREAK = 16, WAITIO__STREAK_MOST = 65536 };
extern const double waitio__lane_close_gap; /* s: messages follow each other closely when no more lies between them */
enum { WAITIO__LANE_WRONGS = 5 };           /* damaged frames at one place, or refused greetings, that end a lane */

enum waitio__rest { WAITIO__AWAKE, WAITIO__ASKED, WAITIO__AGREED };

struct waitio__lane {
    waitio__channel channel;
    waitio__peer *peer;
    int number;
    enum waitio__lane_state state;
    enum waitio__rest rest;
    waitio__greeting *greeting; /* mine, under way */
    int route;                  /* index of the conduit that is being tried */
    bool is_fragile;            /* cannot continue over another link: bytes that would have to be sent again are gone */
    bool is_wrong;              /* the peer broke the protocol */
    unsigned char by;           /* place of its link's conduit, sealed or not, in waitio__conduits, from 1; 0: it had none */
    bool is_dirty, is_owing;
    waitio__lane *next_dirty, *next_owing;
    uint32_t epoch;      /* number of its last link, the same at both ends; 0: there was none */
    uint32_t attempts;   /* number that the next attempt at a link gets: never less than epoch */
    double since;        /* when its link was established, or the attempt began */
    double broken;       /* when it broke; 0: it did not */
    double next_attempt; /* with a pause that grows */
    double pause;
    uint64_t used;  /* turn of the last message */
    double sent_at; /* of the last message that I sent; `streak` of them followed each other closely in this episode */
    int streak, last_streak;
    uint64_t episode;
    uint64_t promised; /* position behind the last frame that the peer waits for (departure.h) */
    uint64_t told;     /* position that was acknowledged last */
    uint64_t wrong_at;
    int wrongs;     /* damaged frames at that position */
    int unanswered; /* consecutive attempts that the peer's system accepted, but its process did not answer */
    /* Where the payload that is arriving goes: */
    waitio__request *receiver; /* to the buffer of this receive */
    waitio__arrival *arrival;  /* or to this unexpected message */
    char *text;                /* or, of an ABORT, to this sentence */
    char cause[160];           /* of the last break or failed attempt */
};

/* Returns the conduit of its link, or of the last one that it had; NULL: it had none. */
static inline const waitio__conduit *waitio__lane_conduit(const waitio__lane *l)
{
    return l->by ? waitio__conduits[l->by - 1] : NULL;
}
/* Returns lane `number` of p, which is created if it does not exist. */
int waitio__lane_get(waitio__peer *p, int number, waitio__lane **out);
/* Notes that frames were put into the outbox: they leave at the end of the turn. */
void waitio__lane_mark_dirty(waitio__lane *l);
/* Puts an ACK frame, which also tells the peer its credit. */
void waitio__lane_acknowledge(waitio__lane *l);
/* Called when an ACK arrived. When it is the only frame since the last ACK of this process, it is not acknowledged
 * itself: else the two processes would acknowledge each other's ACKs without end. */
void waitio__lane_heard_ack(waitio__lane *l);
/* Called when bytes arrived: acknowledges them when enough have come since the last ACK. */
void waitio__lane_bytes_arrived(waitio__lane *l);
/* Position of the stream up to which everything has arrived and has been checked. A frame that is arriving does not
 * count: its checksum may show that it must be sent again. */
uint64_t waitio__lane_bytes_safe(const waitio__lane *l);
/* Gives back the buffers that requests lent to the lane, which from now on can only send BYE. */
void waitio__lane_detach(waitio__lane *l);
void waitio__lane_close(waitio__lane *l, int code);
void waitio__lane_tick(waitio__lane *l, double now);
/* Returns whether l waits for something that no event of the poller reports. A first connection that the listening
 * socket of the peer has accepted is no such case: the peer may be busy, and gets seconds to answer. */
bool waitio__lane_has_near_timeout(const waitio__lane *l);
/* Sends what the dirty lanes have in their outboxes. */
void waitio__lanes_flush(waitio__instance *in);
/* Acknowledges on the lanes whose peer waits for it. */
void waitio__lanes_acknowledge_owed(waitio__instance *in);

/* For lane_connect.c and lane_rest.c: */

/* Sets the state, and counts the connection that ended. */
void waitio__lane_leave_ready(waitio__lane *l, enum waitio__lane_state state);
/* The peer has said goodbye, and waits for the goodbye of this process and for all before it. */
bool waitio__lane_is_awaited(const waitio__lane *l);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A lane: one stream of frames to a peer. It outlives its connection. When the connection breaks, both ends try to make
 * another one (lane_connect.h), tell how many bytes they have received, and send again what did not arrive. A lane may
 * also rest (lane_rest.h): its connection is closed by agreement until there is need. A peer has one lane for messages,
 * and others for the data of long messages when several connections (WAITIO_STREAMS) or files carry it.
 */
#ifndef WAITIO_MESSAGE_LANE_H
#define WAITIO_MESSAGE_LANE_H

#include "waitio/message/instance.h"
#include "waitio/stream/channel.h"

enum waitio__lane_state {
    WAITIO__IDLE,    /* no connection, and none wanted: never made, or resting */
    WAITIO__OPENING, /* being made: by me, or (no greeting) awaited from the other end */
    WAITIO__READY,
    WAITIO__BROKEN /* to be made again; OPENING alternates with it */
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
    int route;                  /* that is being tried */
    bool is_fragile;            /* cannot go on over another link: what it would need is gone */
    bool is_wrong;              /* the peer broke the protocol */
    bool is_by_tcp;             /* its link, sealed or not */
    bool is_dirty, is_owing;
    waitio__lane *next_dirty, *next_owing;
    uint32_t epoch;      /* number of its last link, the same at both ends; 0: there was none */
    uint32_t attempts;   /* number that the next attempt at a link gets: never less than epoch */
    double since;        /* its link stands, or it is being made */
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
    int unanswered; /* attempts in turn that the peer's system accepted, and its process did not answer */
    /* What is arriving. */
    waitio__request *receiver; /* whose buffer the payload goes to */
    waitio__arrival *arrival;  /* or what keeps it */
    char *text;                /* or a sentence */
    char cause[160];           /* of the last break or failed attempt */
};

/* Returns lane `number` of p; makes it if there is none. */
int waitio__lane_get(waitio__peer *p, int number, waitio__lane **out);
/* Remembers that frames were put: they leave at the end of the turn. */
void waitio__lane_mark_dirty(waitio__lane *l);
/* Puts an ACK frame, which also tells the peer its credit. */
void waitio__lane_acknowledge(waitio__lane *l);
/* An ACK arrived. When it is all that came since the last ACK of this process, it is not acknowledged itself: else the
 * two processes would acknowledge each other's ACKs without end. */
void waitio__lane_heard_ack(waitio__lane *l);
/* Bytes arrived: acknowledges them when enough have come since the last ACK. */
void waitio__lane_bytes_arrived(waitio__lane *l);
/* Position of the stream up to which everything has arrived and has been checked. A frame that is arriving does not
 * count: its checksum may show that it must be sent again. */
uint64_t waitio__lane_bytes_safe(const waitio__lane *l);
/* Returns the buffers that requests lent to the lane. It can only say goodbye from now on. */
void waitio__lane_detach(waitio__lane *l);
void waitio__lane_close(waitio__lane *l, int code);
void waitio__lane_tick(waitio__lane *l, double now);
/* True if l waits for what no event tells. A first link that is being made by a listening socket is not such a one: the
 * peer may be busy, and is given seconds. */
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

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A lane: one stream of frames to a peer. It outlives its connection. When that breaks, both ends try to make another,
 * tell how far they came, and what did not arrive is sent again. It may also rest: closed by agreement, until there is
 * need. A peer has one lane, and others for long messages when several streams or files carry them.
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
/* Messages that follow each other closely before one is kept to leave with the next. */
enum { WAITIO__STREAK = 16, WAITIO__STREAK_MOST = 65536 };
extern const double waitio__lane_close_gap; /* s */

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
    uint32_t epoch;             /* number of its last link, the same at both ends; 0: there was none */
    uint32_t attempts;          /* number that the next attempt at a link gets: never less than epoch */
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

/* Made when it is not there. */
int waitio__lane_get(waitio__peer *p, int number, waitio__lane **out);
/* Makes sure that it stands or is on its way. */
void waitio__lane_connect(waitio__lane *l);
/* Something was put: it leaves at the end of the turn. */
void waitio__lane_mark_dirty(waitio__lane *l);
/* Puts an acknowledgement. */
void waitio__lane_acknowledge(waitio__lane *l);
/* An ACK arrived: nothing else since mine needs no answer, or the two would answer each other without end. */
void waitio__lane_heard_ack(waitio__lane *l);
/* After bytes arrived: acknowledges when it is time. */
void waitio__lane_bytes_arrived(waitio__lane *l);
/* The other end's REST frame. */
int waitio__lane_heard_rest(waitio__lane *l, const waitio__frame *f);
/* What was borrowed for it goes back; it can only say goodbye from now on. */
void waitio__lane_detach(waitio__lane *l);
void waitio__lane_close(waitio__lane *l, int code);
void waitio__lane_tick(waitio__lane *l, double now);
/* Sends what the lanes have been given. */
void waitio__lanes_flush(waitio__instance *in);
/* Acknowledges where somebody waits for it. */
void waitio__lanes_acknowledge_owed(waitio__instance *in);
/* Asks the least recently used to rest while there are too many. */
void waitio__lanes_rest_excess(waitio__instance *in);
/* The ears' arrived. */
void waitio__lane_accept(void *instance, waitio__link *link);

#endif

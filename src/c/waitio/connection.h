/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Peers, that is processes that this one has to do with, and the one connection to each. A connection is made at the
 * first message by whichever side comes first; when both come at once, that of the lower rank stays. Nothing but HELLO
 * travels before HELLO_ACK.
 */
#ifndef WAITIO_CONNECTION_H
#define WAITIO_CONNECTION_H

#include "waitio/channel.h"
#include "waitio/instance.h"

typedef struct waitio__arrival waitio__arrival;

enum waitio__conn_state {
    WAITIO__GUEST,   /* accepted; has not said who it is */
    WAITIO__OPENING, /* mine; not acknowledged */
    WAITIO__READY,
    WAITIO__WAITING, /* mine; the peer's own will replace it. Kept because its end tells that the peer died */
    WAITIO__SHADOW   /* the peer's; mine will replace it */
};

struct waitio__conn {
    waitio__channel channel;
    waitio__instance *in;
    waitio__peer *peer; /* NULL: a guest */
    enum waitio__conn_state state;
    double since;
    waitio__conn *next;        /* among guests, or the buried */
    char *text;                /* a name or a sentence that arrives */
    waitio__request *receiver; /* whose buffer the payload goes to */
    waitio__arrival *arrival;  /* or what keeps it */
};

struct waitio__peer {
    waitio__instance *in;
    int global;
    waitio__peer *next; /* all peers */
    waitio__conn *conn, *shadow;
    waitio__request *active;                 /* all that are not complete */
    waitio__request *posted, *posted_last;   /* receives in order */
    waitio__request *pending, *pending_last; /* sends that wait for the connection, in order */
    waitio__arrival *arrival, *arrival_last; /* messages that nobody has asked for, in order */
    char name[WAITIO__NAME_MOST + 1];
    bool said_bye, heard_bye, heard_abort, is_told; /* is_told: an ABORT of mine is to be answered */
    char *last_word;                                /* an ABORT that waits for the connection */
    int failed;                                     /* code of why */
    double lost; /* when its connection broke; it fails a little later unless somebody says why */
    char *why;
};

int waitio__peer_get(waitio__instance *in, int global, waitio__peer **out);
/* Makes sure that a connection is there or on its way. */
void waitio__peer_connect(waitio__peer *p);
/* A send, in the order of the calls: now, or when the connection stands. */
void waitio__peer_send(waitio__peer *p, waitio__request *r);
int waitio__peer_send_frame(waitio__peer *p, const waitio__frame *f, const void *payload);
/* All its requests fail; the connection closes. */
void waitio__peer_fail(waitio__peer *p, int code, const char *text);
void waitio__peer_say_bye(waitio__peer *p);
/* What time brings: silent guests go, lost peers fail. */
void waitio__conns_tick(waitio__instance *in, double now);
void waitio__conns_bury(waitio__instance *in);
void waitio__conns_free(waitio__instance *in);
/* The ear's arrived. */
void waitio__conn_arrived(void *instance, waitio__link *link);
/* What the handlers of frames (incoming.c) tell; a name that came is in c->text. */
int waitio__conn_hello(waitio__conn *c, const waitio__frame *f);
int waitio__conn_acknowledged(waitio__conn *c, const waitio__frame *f);
int waitio__conn_crossed(waitio__conn *c);
void waitio__conn_closed(waitio__conn *c, int code);

#endif

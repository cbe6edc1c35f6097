/* SPDX-License-Identifier: BSD-3-Clause */
/* Inside WaitIO: the instance that this process is part of, and the nouns that hang on it. */
#ifndef WAITIO_INSTANCE_H
#define WAITIO_INSTANCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "waitio.h"
#include "waitio/conduit.h"
#include "waitio/frame.h"
#include "waitio/inside.h"

typedef struct waitio__instance waitio__instance;
typedef struct waitio__peer waitio__peer;
typedef struct waitio__conn waitio__conn;
typedef struct waitio__request waitio__request;
typedef struct waitio__message waitio__message;

/* --- a message or receive in progress; waitio_req_t holds its id (request.c) --- */
struct waitio__request {
    uint64_t id;
    bool is_send, is_done;
    int err;
    waitio__peer *peer;
    uint32_t group;
    int64_t tag;
    char *buf;      /* the caller's */
    uint64_t len;   /* of the caller's buffer */
    uint64_t got;   /* bytes of the message that arrived or left so far, beyond len too */
    uint64_t total; /* of the message, once known */
    double began;
    char *error; /* sentence, when err */
    waitio__request *next; /* posted receives of a peer */
};

/* --- what waits to be written to a peer (peer.c) --- */
typedef struct waitio__parcel {
    struct waitio__parcel *next;
    waitio__frame frame; /* its seq is set when it is written */
    unsigned char bytes[WAITIO__FRAME];
    bool is_numbered;
    const char *payload; /* borrowed from the request, or `own` */
    char *own;
    uint64_t size, written; /* payload; frame and payload */
    uint64_t request;       /* id of the send that this parcel belongs to; 0: none */
} waitio__parcel;

/* --- a message that came before its receive (match.c) --- */
struct waitio__message {
    waitio__message *next;
    uint32_t group;
    int64_t tag;
    uint64_t length;
    bool is_long;      /* announced by an RTS: id is the send's */
    uint64_t id;
    char *data;        /* of an eager one */
    bool is_whole;     /* data has arrived */
    uint64_t taker;    /* receive that took it before it was whole; 0: none */
    uint64_t own_send; /* of a message to oneself: the send request */
};

/* --- the other process (peer.c) --- */
struct waitio__peer {
    waitio__peer *next; /* in its bucket */
    int rank;           /* in the instance */
    waitio__conn *conn; /* NULL: none yet, or lost */
    char name[128];     /* what it calls itself */
    bool is_dead, said_bye, bye_sent;
    char *death; /* the sentence */
    waitio__parcel *first, *last;
    waitio__request *posted, **posted_end;
    waitio__message *unexpected, **unexpected_end;
};

/* --- a stream to it (connection.c) --- */
enum waitio__conn_state {
    WAITIO__OPENING,  /* connect is under way */
    WAITIO__ASKED,    /* my HELLO is sent */
    WAITIO__ASKING,   /* accepted; its HELLO or HERE is awaited */
    WAITIO__READY,
    WAITIO__LEAVING,  /* not taken (CROSSED): only an ABORT may still come */
    WAITIO__LINK,     /* between King and master, before the table is known */
    WAITIO__CLOSED    /* to be freed when nobody is using it */
};

struct waitio__conn {
    waitio__conn *next; /* all of the instance */
    waitio__instance *instance;
    int state;
    bool is_link; /* of a King: its end means that a job ended */
    int pb;       /* of a LINK */
    waitio__peer *peer;
    waitio__pipe pipe;
    uint32_t events; /* asked of epoll */
    uint64_t seq_in, seq_out;
    waitio__parcel *first, *last; /* own parcels: HELLO and the like, before those of the peer */
    /* the frame being read */
    unsigned char head[WAITIO__FRAME];
    int have;
    waitio__frame frame;
    bool in_payload;
    char *dest;          /* where the payload goes; NULL: dropped */
    uint64_t keep, rest; /* of the payload: bytes that fit at dest; bytes still to come */
    char *own;           /* payload kept until it is whole */
    waitio__message *message;
    uint64_t request;
};

/* --- a set of processes, in an order (group.c) --- */
typedef struct waitio__part {
    int pb, first, count; /* rank in the group of its first member */
    int *member;          /* NULL: all of the PB */
} waitio__part;

struct waitio_group {
    uint32_t id;
    int size, rank, npart;
    waitio__part *part;
};

/* --- the instance --- */
enum { WAITIO__BUCKETS = 1024 };

struct waitio__instance {
    int pb, npb, rank, size; /* rank and size in my PB */
    int me;                  /* my rank in the instance */
    int *first;              /* [npb + 1] rank in the instance of each PB's King */
    unsigned char *endpoint; /* [all * H3OU__ADDR_BYTES] */
    uint64_t id;
    h3ou__addr address;      /* mine */
    char name[128];
    waitio__pipe listener, master; /* master: where Kings join; fd -1 elsewhere */
    int epoll;
    waitio__conn *conns;
    waitio__peer *bucket[WAITIO__BUCKETS];
    uint64_t eager_limit, segment;
    double patience;
    bool is_leaving;
    int failed; /* code; the sentence is failure */
    char failure[WAITIO__TEXT];
    /* requests by slot; an id is slot and generation */
    waitio__request **slot;
    uint32_t nslot, *generation, *free_slot, nfree;
    char *stage; /* what is read from a stream before it is sorted */
    struct waitio__boot *boot; /* while joining */
};

enum { WAITIO__STAGE = 64 * 1024 };

/* instance.c */
extern waitio__instance *waitio__me; /* of this process; NULL outside init and finalize */
int waitio__check(void);             /* joined and not failed */
void waitio__fail_instance(waitio__instance *w, int code, const char *format, ...) __attribute__((format(printf, 3, 4)));
int waitio__pb_of(const waitio__instance *w, int rank);
int waitio__endpoint(const waitio__instance *w, int rank, h3ou__addr *out);
void waitio__instance_free(waitio__instance *w);
int waitio__instance_create(waitio__instance **out);

/* peer.c */
waitio__peer *waitio__peer_get(waitio__instance *w, int rank); /* NULL: out of memory */
char *waitio__peer_text(const waitio__instance *w, const waitio__peer *p, char *text, int size);
/* Puts a frame behind what waits for the peer, opening a connection if there is none. payload is borrowed until written,
 * or copied. request: completed when it is written; 0: none. */
int waitio__peer_send(waitio__instance *w, waitio__peer *p, const waitio__frame *f, const char *payload, uint64_t size, bool copy,
                      uint64_t request);
void waitio__peer_die(waitio__instance *w, waitio__peer *p, int code, const char *why);
void waitio__peers_free(waitio__instance *w);
waitio__parcel *waitio__parcel_new(const waitio__frame *f, const char *payload, uint64_t size, bool copy);
void waitio__parcel_free(waitio__parcel *p);

/* connection.c */
int waitio__conn_open(waitio__instance *w, const h3ou__addr *to, waitio__conn **out);
int waitio__conn_add(waitio__instance *w, const waitio__pipe *pipe, int state, waitio__conn **out);
int waitio__conn_send(waitio__conn *c, const waitio__frame *f, const char *payload, uint64_t size); /* copies */
void waitio__conn_close(waitio__conn *c);
void waitio__conn_events(waitio__conn *c, uint32_t events);
void waitio__conn_flush(waitio__conn *c);
void waitio__conns_sweep(waitio__instance *w); /* frees the closed ones */
int waitio__peer_connect(waitio__instance *w, waitio__peer *p); /* opens one unless there is one */

/* receive.c: frames as they come in */
void waitio__conn_read(waitio__conn *c);
int waitio__begin_payload(waitio__conn *c);
int waitio__frame_done(waitio__conn *c);

/* match.c */
void waitio__post(waitio__instance *w, waitio__request *r);
int waitio__arrive(waitio__instance *w, waitio__conn *c, waitio__peer *p, const waitio__frame *f);
int waitio__arrive_own(waitio__instance *w, waitio__request *send);
int waitio__message_whole(waitio__instance *w, waitio__message *m);
int waitio__cts(waitio__instance *w, waitio__peer *p, const waitio__frame *f);
void waitio__unpost(waitio__request *r);

/* request.c */
waitio__request *waitio__request_new(waitio__instance *w);
waitio__request *waitio__request_of(waitio__instance *w, uint64_t id); /* NULL: no such request (any more) */
void waitio__request_done(waitio__request *r, int err, const char *why);
void waitio__requests_fail(waitio__instance *w, const waitio__peer *p, int err, const char *why); /* p NULL: all */
void waitio__requests_free(waitio__instance *w);

/* progress.c */
int waitio__progress_open(waitio__instance *w);
int waitio__watch(waitio__instance *w, int fd, uint32_t events, void *owner, bool is_new);
void waitio__unwatch(waitio__instance *w, int fd);
/* Handles what is ready; sleeps at most that long when nothing is. *moved (may be NULL): something was ready. */
int waitio__progress(waitio__instance *w, double seconds, bool *moved);

/* bootstrap.c: frames on links */
int waitio__link_frame(waitio__conn *c);
void waitio__link_lost(waitio__conn *c, const char *why);
int waitio__bootstrap(waitio__instance *w, const waitio__inside *inside, double timeout);

#endif

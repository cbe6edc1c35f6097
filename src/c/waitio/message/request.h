/* SPDX-License-Identifier: BSD-3-Clause */
/* Requests: sends and receives that isend and irecv have started. The caller's waitio_req_t holds index and generation,
 * and may be moved.
 */
#ifndef WAITIO_MESSAGE_REQUEST_H
#define WAITIO_MESSAGE_REQUEST_H

#include "waitio/message/instance.h"

enum waitio__request_kind { WAITIO__SPARE, WAITIO__SEND, WAITIO__RECV };
enum waitio__request_state {
    WAITIO__PENDING,   /* send: waits for the connection or for credit */
    WAITIO__ANNOUNCED, /* send: RTS is on its way, waits for CTS */
    WAITIO__POSTED,    /* receive: no message yet */
    WAITIO__CLAIMED,   /* receive: its message is arriving elsewhere */
    WAITIO__MOVING,    /* data between the two */
    WAITIO__COMPLETE
};

struct waitio__request {
    waitio__instance *in;
    int index;
    uint32_t generation; /* changes at each use of the request, also from one instance to the next */
    enum waitio__request_kind kind;
    enum waitio__request_state state;
    waitio__peer *peer;                     /* NULL: from any source, no message yet */
    waitio__request *before, *after;        /* in the peer's list of requests that are not complete */
    waitio__request *prev, *next;           /* posted, pending, being moved, or spare */
    waitio_group_t group;                   /* with a reference */
    int rank;                               /* of the other process in the group; -1: any, no message yet */
    int64_t tag;                            /* of a receive: its own, and that of the message once there is one */
    bool is_any_tag, is_any_source, is_cancelled; /* is_any_source: in the list of receives from any source */
    bool was_stalled, is_single_copy;             /* is_single_copy: the receiver may copy a part of it itself */
    bool is_synchronous; /* send: it is announced, whatever its length, and ends when a receive takes it */
    bool is_offered; /* send: the receiver has not reported yet whether it copied its part */
    bool is_owed;    /* send: the receiver could not copy, so that part must be sent */
    uint64_t serial;
    unsigned char *data;
    uint64_t length;      /* of the caller's buffer */
    uint64_t expected;    /* receive: length of the message; may exceed that of the buffer */
    uint64_t arrived;     /* receive: bytes in the buffer */
    uint64_t coming;      /* receive: bytes of segments that are arriving, by one stream or several */
    uint64_t partner;     /* id of the other end's request */
    uint64_t end;         /* send that was copied: position of the main lane's stream behind it; else 0 */
    uint64_t take, moved; /* send: bytes that the receiver takes; of them given to a lane */
    int parts;            /* send: pieces that are lent to lanes */
    double since;
    int code;
    char *why;  /* the error sentence that belongs to code */
    void *copy; /* send: memory that is freed when the program learns of its end; NULL: none */
    int unit;   /* receive: its elements' bytes are then reversed, in groups of so many; 0: not */
};

/* Makes a request and puts it into the peer's list of active ones (peer NULL: into none). Refers to group. */
int waitio__request_new(waitio__instance *in, waitio__peer *peer, enum waitio__request_kind kind, waitio_group_t group,
                        waitio__request **out);
void waitio__request_release(waitio__request *r);
/* Reverses the bytes of each whole group of `unit` bytes. */
void waitio__request_reverse(void *data, size_t bytes, int unit);
/* Returns the request with that id, or NULL if it is not active. */
waitio__request *waitio__request_find(waitio__instance *in, uint64_t id);
uint64_t waitio__request_id(const waitio__request *r);
/* Binds a receive from any source to p, whose message it takes. */
void waitio__request_meet(waitio__request *r, waitio__peer *p, int rank);
void waitio__request_complete(waitio__request *r, int code, const char *why);
/* Completes a receive whose message has arrived: an error if it was longer than the buffer. */
void waitio__request_received(waitio__request *r);
/* Fails a send whose receiver leaves the run without having taken the message. */
void waitio__request_untaken(waitio__request *send);
void waitio__requests_free(waitio__instance *in);
/* A request is in one list at a time (posted, any source, pending, moving). */
void waitio__request_append(waitio__request **first, waitio__request **last, waitio__request *r);
void waitio__request_cut(waitio__request **first, waitio__request **last, waitio__request *r);

#endif

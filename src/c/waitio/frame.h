/* SPDX-License-Identifier: BSD-3-Clause */
/* The control frame: 48 bytes, little-endian, before every payload. Nothing in it is believed before frame_read said so. */
#ifndef WAITIO_FRAME_H
#define WAITIO_FRAME_H

#include <stdint.h>

#define WAITIO__MAGIC 0x57334849u /* "IH3W" */
#define WAITIO__VERSION 1

enum waitio__kind {
    WAITIO__HERE = 1,  /* King to master: source PBID, group NPB, length of no payload, id processes */
    WAITIO__WELCOME,   /* master to King: go on */
    WAITIO__JOIN,      /* King to master: payload the endpoints of its PB */
    WAITIO__TABLE,     /* master to King: payload the table of all endpoints; id the instance */
    WAITIO__REFUSE,    /* master to King: payload why the run cannot begin */
    WAITIO__HELLO,     /* first on a connection: source and tag are the two ends, id the instance, payload a name */
    WAITIO__HELLO_ACK, /* taken; payload a name */
    WAITIO__CROSSED,   /* not taken: a connection the other way is being made */
    WAITIO__EAGER,     /* a whole message: group, tag, payload */
    WAITIO__RTS,       /* a long message wants to be sent: group, tag, length, id of the send */
    WAITIO__CTS,       /* ... and may: id of the send, tag the id of the receive */
    WAITIO__DATA,      /* ... a segment: id of the receive, tag the offset, payload */
    WAITIO__BYE,       /* the last frame of this end */
    WAITIO__ABORT,     /* the run ends: payload why */
    WAITIO__KINDS
};

enum { WAITIO__FRAME = 48, WAITIO__TEXT = 2048, WAITIO__MOST_PROCS = 1 << 24 };

typedef struct waitio__frame {
    int kind;
    uint64_t seq; /* counts the frames of one direction of a connection */
    uint32_t source;
    uint32_t group;
    int64_t tag;
    uint64_t length; /* bytes of the payload; of an RTS, of the message */
    uint64_t id;
} waitio__frame;

void waitio__frame_write(const waitio__frame *f, unsigned char bytes[WAITIO__FRAME]);
/* H3OU__EPROTO, saying what is wrong: magic, version, kind, sequence number, a length beyond what the kind may have. */
int waitio__frame_read(const unsigned char bytes[WAITIO__FRAME], uint64_t seq, uint64_t eager_limit, waitio__frame *f);
/* The bytes that follow the frame. */
uint64_t waitio__frame_payload(const waitio__frame *f);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The control frame that precedes everything on a link: 48 bytes, little-endian, at
 *   0 magic (4)  4 version (2)  6 kind (2)  8 sequence number on this link (8)  16 sender's rank (4)  20 group (4)
 *   24 tag (8)  32 length (8)  40 id (8)
 * and, for the kinds that have one, `length` bytes of payload after it. Ranks here count all processes of all PBs.
 */
#ifndef WAITIO_FRAME_H
#define WAITIO_FRAME_H

#include <stdint.h>

enum {
    WAITIO__FRAME = 48,
    WAITIO__VERSION = 1,
    WAITIO__NAME_MOST = 63,           /* bytes of a process's name */
    WAITIO__TEXT_MOST = 2000,         /* bytes of an error's sentence */
    WAITIO__PAYLOAD_MOST = 1 << 20,   /* of one eager message or one segment */
    WAITIO__PROCESSES_MOST = 1 << 24, /* of all PBs */
    WAITIO__PBS_MOST = 1 << 16
};

#define WAITIO__FRAMES(X)                                                                                              \
    /* between two processes */                                                                                        \
    X(HELLO, 1)     /* tag: rank that is meant; id: instance; payload: my name */                                      \
    X(HELLO_ACK, 2) /* id: instance; payload: my name */                                                               \
    X(CROSSED, 3)   /* my own connection to you is on its way: wait for that one */                                    \
    X(EAGER, 4)     /* a whole message */                                                                              \
    X(RTS, 5)       /* a message of length bytes; id: the send */                                                      \
    X(CTS, 6)       /* id: the send; tag: the receive; length: bytes it takes */                                       \
    X(DATA, 7)      /* id: the receive; tag: offset; payload: the segment */                                           \
    X(BYE, 8)       /* nothing follows */                                                                              \
    X(ABORT, 9)     /* the run has failed; tag: error code; payload: the sentence */                                   \
    /* between a King and the master, who also say BYE and ABORT */                                                    \
    X(JOIN, 10)    /* tag: PBID; group: NPB */                                                                         \
    X(WELCOME, 11) /* the answer, and again when that changes; payload: who is missing */                              \
    X(RECORDS, 12) /* payload: the addresses of the PB */                                                              \
    X(TABLE, 13)   /* id: instance; payload: NPB sizes (4 bytes each), all addresses */                                \
    X(REFUSED, 14) /* tag: error code; payload: the sentence */

#define X(name, value) WAITIO__##name = value,
enum waitio__kind { WAITIO__FRAMES(X) WAITIO__KINDS };
#undef X

typedef struct waitio__frame {
    int kind; /* enum waitio__kind */
    uint64_t seq;
    int32_t source;
    int32_t group;
    int64_t tag;
    uint64_t length;
    uint64_t id;
} waitio__frame;

void waitio__frame_put(const waitio__frame *f, unsigned char bytes[WAITIO__FRAME]);
/* H3OU__EPROTO, with the reason, for bytes that are not a frame that this version believes. seq: the number expected.
 */
int waitio__frame_get(const unsigned char bytes[WAITIO__FRAME], uint64_t seq, waitio__frame *f);
/* Bytes of payload that follow. */
uint64_t waitio__frame_payload(const waitio__frame *f);
const char *waitio__frame_name(int kind);

#endif

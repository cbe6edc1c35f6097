/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The frame that precedes everything on a connection once both ends have greeted (greeting.h): 48 bytes, little-endian,
 * at 0 magic (4)  4 version (2)  6 kind (1)  7 flags (1)  8 number in this stream (8)  16 checksum, 0 for none (4)  20
 * group (4) 24 tag (8)  32 length (8)  40 id (8) and, for the kinds that have one, `length` bytes of payload after it.
 */
#ifndef WAITIO_STREAM_FRAME_H
#define WAITIO_STREAM_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    WAITIO__FRAME = 48,
    WAITIO__VERSION = 4,
    WAITIO__ADDRESS = 20,     /* bytes of a process's address in a King's list: IP 16, port 2, scope 2 */
    WAITIO__SALT = 8,         /* bytes of the salt of a PB, from which the local names of its processes are derived */
    WAITIO__NAME_MOST = 63,   /* bytes of a process's name */
    WAITIO__TEXT_MOST = 2000, /* bytes of an error's sentence */
    WAITIO__RUN_MOST = 64,    /* bytes of the name of a run */
    WAITIO__PAYLOAD_MOST = 1 << 20,   /* of one eager message or one segment */
    WAITIO__PROCESSES_MOST = 1 << 24, /* of all PBs */
    WAITIO__PBS_MOST = 1 << 16
};

#define WAITIO__FRAMES(X)                                                                                              \
    /* between two processes */                                                                                        \
    X(EAGER, 1) /* a whole message */                                                                                  \
    X(RTS, 2)   /* a message of length bytes; id: the send */                                                          \
    X(CTS, 3)   /* id: the send; tag: the receive; length: bytes it takes */                                           \
    X(DATA, 4)  /* id: the receive; tag: offset; payload: the segment */                                               \
    X(ACK, 5)   /* tag: bytes of the stream that arrived; id: bytes of credit granted in all */                        \
    X(REST, 6)  /* may this connection, the one numbered group, close? id: enum waitio__rest_word; tag: as ACK */      \
    X(BYE, 7)   /* nothing follows */                                                                                  \
    X(ABORT, 8) /* the run has failed; tag: error code; payload: the sentence */                                       \
    /* between a King and the master, who also say BYE and ABORT */                                                    \
    X(JOIN, 9)     /* tag: PBID; group: NPB; payload: the run, or nothing */                                           \
    X(WELCOME, 10) /* reply to JOIN, and again when another joins; payload: the missing PBs */                         \
    X(RECORDS, 11) /* payload: salt and addresses of the PB */                                                         \
    X(TABLE, 12)   /* id: instance; payload: all addresses (endpoints.h) */                                            \
    X(REFUSED, 13) /* tag: error code; payload: the sentence */                                                        \
    /* between two processes of which one can copy the other's memory */                                               \
    X(PULL, 14)   /* reply to a CTS with REACH: id: the receive; tag: where the bytes are; length: of them */          \
    X(PULLED, 15) /* id: the send; tag: 0, or 1: it did not work, send them */                                         \
    X(FIN, 16)    /* id: the receive: the bytes were still those of the message */                                     \
    X(PUSHED, 17) /* id: the receive: the sender itself has copied so many bytes there, in length */                   \
    /* between two processes, and between a King and the master */                                                     \
    X(LOST, 18) /* the job of a PB, which may be lost, was lost; tag: its number; payload: the sentence */

#define X(name, value) WAITIO__##name = value,
enum waitio__kind { WAITIO__FRAMES(X) WAITIO__KINDS };
#undef X

/* Of a REST frame, in id. */
enum waitio__rest_word { WAITIO__REST_QUESTION = 0, WAITIO__REST_AGREED = 1, WAITIO__REST_NOT_NOW = 2 };

enum {
    WAITIO__ACK_SOON = 1, /* flags: the sender waits for the acknowledgement */
    WAITIO__REACH = 2,   /* of a CTS: the receiver can copy the sender's memory; check and group: address of its buffer,
                            low and high half */
    WAITIO__DECLINED = 4 /* of a CTS: the receiver leaves the run and does not take the message */
};

typedef struct waitio__frame {
    int kind; /* enum waitio__kind */
    unsigned flags;
    uint64_t seq;
    uint32_t check;
    int32_t group;
    int64_t tag;
    uint64_t length;
    uint64_t id;
} waitio__frame;

void waitio__frame_put(const waitio__frame *f, unsigned char bytes[WAITIO__FRAME]);
/* Writes a frame with the given number and checksum instead of its own. */
void waitio__frame_put_as(const waitio__frame *f, uint64_t seq, uint32_t check, unsigned char bytes[WAITIO__FRAME]);
/* H3OU__EPROTO, with the reason, for bytes that are not a frame that this version believes. seq: the number expected.
 */
int waitio__frame_get(const unsigned char bytes[WAITIO__FRAME], uint64_t seq, waitio__frame *f);
/* Returns the bytes of payload that follow the frame. */
uint64_t waitio__frame_payload(const waitio__frame *f);
const char *waitio__frame_name(int kind);
/* The checksum over a frame and its payload, begun with the frame (its check taken as 0). XXH64, low half, never 0. */
typedef struct waitio__check waitio__check;
struct waitio__check {
    uint64_t state[11];
};
void waitio__check_begin(waitio__check *c, const waitio__frame *f) __attribute__((cold));
void waitio__check_more(waitio__check *c, const void *bytes, size_t n) __attribute__((noinline));
uint32_t waitio__check_end(const waitio__check *c) __attribute__((cold));

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A collective call as data: the steps that one member performs, in rounds. An algorithm builds them (algorithm.h), an
 * executor performs them (coll/execute.h), and play.h checks those of all members without performing anything.
 *
 * A round is a number of local steps (copies and combinations) followed by messages. The local steps are performed one
 * after the other, then all messages of the round are started together, and the round ends when all of them are
 * complete. Messages between two members meet in the order in which each lists them. A schedule must not depend on a
 * send being complete before its receive is started.
 */
#ifndef H3OU_COLL_SCHEDULE_SCHEDULE_H
#define H3OU_COLL_SCHEDULE_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>

enum h3ou__step_kind {
    H3OU__STEP_SEND,        /* to peer */
    H3OU__STEP_RECV,        /* from peer */
    H3OU__STEP_COPY,        /* to = from */
    H3OU__STEP_COMBINE,     /* to = to op from */
    H3OU__STEP_COMBINE_LEFT /* to = from op to */
};

/* The buffers of a member: what the caller gives, what it gets (a broadcast has only this one), and memory of the
 * executor. They do not overlap. */
enum h3ou__buffer { H3OU__INPUT, H3OU__OUTPUT, H3OU__SCRATCH, H3OU__BUFFERS };

typedef struct h3ou__span { /* where bytes begin */
    int buffer;
    int64_t at; /* bytes */
} h3ou__span;

typedef struct h3ou__step {
    uint8_t kind;
    uint8_t buffer, from_buffer; /* of `at`, the bytes sent, received or changed; and of `from`, for local steps */
    bool is_last;                /* of its round */
    int peer;                    /* of messages */
    int64_t at, from, bytes;
} h3ou__step;

typedef struct h3ou__schedule {
    int64_t n;
    h3ou__step *step; /* [n] */
    int64_t scratch;  /* bytes that the steps use of it */
    int64_t room;
    int error; /* of the first step that could not be added; the sentence is recorded */
} h3ou__schedule;

static inline h3ou__span h3ou__input(int64_t at)
{
    return (h3ou__span){H3OU__INPUT, at};
}

static inline h3ou__span h3ou__output(int64_t at)
{
    return (h3ou__span){H3OU__OUTPUT, at};
}

static inline bool h3ou__step_is_message(const h3ou__step *s)
{
    return s->kind == H3OU__STEP_SEND || s->kind == H3OU__STEP_RECV;
}

static inline h3ou__span h3ou__span_after(h3ou__span s, int64_t bytes)
{
    return (h3ou__span){s.buffer, s.at + bytes};
}

#pragma GCC visibility push(default)
/* Add a step to the round that is being built. Errors are kept in s->error, and further steps then have no effect. A
 * message of no bytes is a message; a local step of no bytes is left out. A local step after messages begins a new
 * round. */
void h3ou__schedule_send(h3ou__schedule *s, int peer, h3ou__span from, int64_t bytes);
void h3ou__schedule_recv(h3ou__schedule *s, int peer, h3ou__span to, int64_t bytes);
void h3ou__schedule_local(h3ou__schedule *s, enum h3ou__step_kind kind, h3ou__span to, h3ou__span from, int64_t bytes);
void h3ou__schedule_end_round(h3ou__schedule *s); /* no effect in an empty round */
/* Returns the beginning of `bytes` more of the scratch buffer, aligned for every type of element. */
h3ou__span h3ou__schedule_scratch(h3ou__schedule *s, int64_t bytes);
/* Returns the index of the first step after the round that begins at `first`. */
int64_t h3ou__schedule_round_end(const h3ou__schedule *s, int64_t first);
void h3ou__schedule_free(h3ou__schedule *s);
#pragma GCC visibility pop

#endif

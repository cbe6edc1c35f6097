/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Who does not know the secret: greetings that are valid in form with fields of its choice, what it has recorded of
 * others, said again, changed, cut short or in another order, what it was told itself, reflected, and noise; over many
 * connections at a time, in pieces of any size, slowly.
 */
#ifndef TESTS_FUZZ_STRANGER_H
#define TESTS_FUZZ_STRANGER_H

#include <stdbool.h>
#include <stdint.h>

#include "waitio/identity/greeting.h"

enum { STRANGER_CALLS = 24, STRANGER_RECORDED = 64 };

typedef struct stranger {
    /* A connection to one of the doors, or -1; the descriptor does not block. */
    int (*call)(void *owner);
    void *owner;
    int fd[STRANGER_CALLS];
    unsigned char recorded[STRANGER_RECORDED][WAITIO__GREET]; /* of others, then what was said to it */
    unsigned nrecorded, noted;
    uint64_t said, called, heard; /* messages, connections, answers */
} stranger;

void stranger_begin(stranger *s, int (*call)(void *owner), void *owner);
/* Listens to a true greeting of two processes, over this purpose's key: what goes over the wire is kept. */
void stranger_record(stranger *s, const waitio__greet *hello, const waitio__key *key);
/* The next thing on some connection. */
void stranger_step(stranger *s);
void stranger_end(stranger *s);

#endif

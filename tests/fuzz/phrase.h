/* SPDX-License-Identifier: BSD-3-Clause */
/* What a speaker says next: mostly what could be said at that moment, often with one field that is not as it should. */
#ifndef TESTS_FUZZ_PHRASE_H
#define TESTS_FUZZ_PHRASE_H

#include "speaker.h"

enum { PHRASE_GROUPS = 2, PHRASE_TAGS = 4, PHRASE_SHORT = 1200, PHRASE_LONG = 40000 };

/* The next frame, but for its number and checksum. True: something in it is bent. */
bool phrase_next(speaker *s, waitio__frame *f);
/* 0, 1, powers of two and their neighbours, the largest, or any. */
uint64_t phrase_edge(void);
/* Of a PROOF or VERDICT: what it says of the state of a stream. */
void phrase_bend_greeting(waitio__greet *g);
/* Of a HELLO: who (but none of the first `honest`), whom, what for. */
void phrase_bend_hello(waitio__greet *g, int honest);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Waiting for another process to change a number in memory that both share, without polling it. */
#ifndef H3OU_OS_BELL_H
#define H3OU_OS_BELL_H

#include <stdatomic.h>
#include <stdint.h>

typedef struct h3ou__bell {
    _Atomic uint32_t rung;    /* how often */
    _Atomic uint32_t sleeper; /* not 0 while a process waits for it */
} h3ou__bell;

#pragma GCC visibility push(default)
/* Wakes the process that waits for the bell. Cheap where none does. What was written before is seen by it. */
void h3ou__bell_ring(h3ou__bell *b);
/* Returns the number that h3ou__bell_wait is to be given; what the waiting process looks for is to be looked at after
 * this. */
uint32_t h3ou__bell_heard(h3ou__bell *b);
/* Waits until the bell is rung, at most `seconds`; returns at once where it was rung since `heard` was read. */
void h3ou__bell_wait(h3ou__bell *b, uint32_t heard, double seconds);
#pragma GCC visibility pop

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* As bell.h, for several processes that wait for each other: who rings says for which of them, and wakes these by one system call. Woken
 * one by one, each could take the core from the process that is still to wake the others. */
#ifndef H3OU_OS_GROUP_BELL_H
#define H3OU_OS_GROUP_BELL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct h3ou__group_bell {
    _Atomic uint64_t sleepers; /* bits of the processes that wait */
    _Atomic uint32_t rung;     /* how often, for whomever */
} h3ou__group_bell;

#pragma GCC visibility push(default)
/* Wakes those of some processes that wait; bit i: process i, below 64. Cheap where none waits. What was written before is seen by them. */
void h3ou__group_bell_ring(h3ou__group_bell *b, uint64_t processes);
/* Returns the number that h3ou__group_bell_wait is to be given; what the waiting process looks for is to be looked at after this. */
uint32_t h3ou__group_bell_heard(h3ou__group_bell *b);
/* Waits as process `me` until the bell is rung for it, at most `seconds`; returns at once where it was rung for any process since `heard`
 * was read. Returns false where the time has passed. */
bool h3ou__group_bell_wait(h3ou__group_bell *b, int me, uint32_t heard, double seconds);
#pragma GCC visibility pop

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Collective calls of the processes of a block (host_block.h), in memory that they share. All start the same calls in the same
 * order; several may be under way at a time. A call that is started goes on only while it is tested. Long messages pass in pieces.
 *
 * A reduction always combines the values in the same order: those of process n - 2 with those of n - 1, then those of n - 3 with
 * the result, to process 0.
 */
#ifndef H3OU_HOST_HOST_CALL_H
#define H3OU_HOST_HOST_CALL_H

#include <stdbool.h>
#include <stdint.h>

#include "host/host_block.h"

enum h3ou__host_kind { H3OU__HOST_BCAST, H3OU__HOST_REDUCE, H3OU__HOST_ALLREDUCE, H3OU__HOST_PASS /* from one to another */ };

/* The caller sets the first part. Buffers are borrowed until the call is done; those that a process does not need may be NULL. in and
 * out may be the same. */
typedef struct h3ou__host_call {
    int kind;
    int root;        /* 0 for H3OU__HOST_ALLREDUCE; of H3OU__HOST_PASS the one that takes */
    int giver;       /* of H3OU__HOST_PASS: another one than root */
    const void *in;  /* what this process gives */
    void *out;       /* where it takes the result */
    int64_t count;   /* elements */
    int element;     /* bytes of one */
    int label;       /* of type and operation, below 256: alike on all processes */
    void (*combine)(const void *user, void *to, const void *from, int64_t count); /* to = from op to */
    const void *user;                                                              /* of combine */

    uint64_t first; /* number of the first piece */
    int64_t each;   /* elements of a piece */
    int64_t npiece, given, taken;
    bool gives, takes, is_together; /* is_together: each process has a part of the slot, and one combines them all */
    bool combines_last;             /* process 0, which is the root: the result of a longer reduction needs no slot */
} h3ou__host_call;

#pragma GCC visibility push(default)
void h3ou__host_call_start(h3ou__host_block *b, h3ou__host_call *call);
/* Goes on with the call; never blocks. *moved is set if something was done. Fails when the processes do not make the same call. */
int h3ou__host_call_test(h3ou__host_block *b, h3ou__host_call *call, bool *done, bool *moved);
#pragma GCC visibility pop

#endif

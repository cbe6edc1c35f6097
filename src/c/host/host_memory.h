/* SPDX-License-Identifier: BSD-3-Clause */
/* What lies in the memory of a block (host_block.h), for the files of this room. */
#ifndef H3OU_HOST_HOST_MEMORY_H
#define H3OU_HOST_HOST_MEMORY_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "host/host_block.h"
#include "os/group_bell.h"

enum { H3OU__HOST_LINE = 64, H3OU__HOST_SLOTS = 8, H3OU__HOST_PIECE = 1 << 18, H3OU__HOST_CORES = 1024 /* that are told apart */ };

/* The place of one piece of a call. Piece k of all calls of the block stands in slot k % H3OU__HOST_SLOTS. */
typedef struct h3ou__host_slot {
    _Alignas(H3OU__HOST_LINE) _Atomic uint64_t open; /* the piece that may use it now */
    _Atomic uint64_t call;                           /* what the first process said of its call; 0: none came yet */
    _Atomic uint64_t ready;                          /* the last piece whose result is there, plus 1 */
    _Alignas(H3OU__HOST_LINE) _Atomic uint32_t given; /* processes whose part is in it */
    _Atomic uint32_t taken;                          /* processes that have taken its result */
} h3ou__host_slot;

/* What a process tells the others. */
typedef struct h3ou__host_word {
    _Alignas(H3OU__HOST_LINE) _Atomic uint64_t begun; /* calls that it has begun (h3ou__host_block_begin) */
    _Atomic uint64_t awaited; /* the piece for which it awaits a slot, if its bit of wants_room is set */
} h3ou__host_word;

typedef struct h3ou__host_memory {
    uint64_t key;
    _Alignas(H3OU__HOST_LINE) _Atomic uint64_t wants_room; /* bits of the processes that wait for a slot */
    _Atomic uint64_t core[H3OU__HOST_CORES / 64]; /* bits of the cores on which at least one of the processes may run */
    _Atomic int64_t session;      /* that of the process which came first (core_session.h), plus 1; -1: none came yet */
    _Atomic int has_sessions;     /* not all processes share cores in the same one */
    _Alignas(H3OU__HOST_LINE) h3ou__group_bell bell;
    h3ou__host_word of[H3OU__HOST_MOST];
    h3ou__host_slot slot[H3OU__HOST_SLOTS];
    _Alignas(H3OU__HOST_LINE) unsigned char data[H3OU__HOST_SLOTS][H3OU__HOST_PIECE];
} h3ou__host_memory;

struct h3ou__host_block {
    h3ou__host_memory *memory;
    int n, me;
    uint64_t next;  /* piece of the next call */
    int is_crowded, must_sleep; /* -1: not looked yet */
    bool awaits_room; /* this process has said so in `awaited` and wants_room */
};

#endif

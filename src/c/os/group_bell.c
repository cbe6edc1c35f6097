/* SPDX-License-Identifier: BSD-3-Clause */
#include "os/group_bell.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* The system tells waiting processes apart by 32 bits: processes i and i + 32 wake together. */
static uint32_t fold(uint64_t processes)
{
    return (uint32_t)(processes | processes >> 32);
}

void h3ou__group_bell_ring(h3ou__group_bell *b, uint64_t processes)
{
    atomic_fetch_add(&b->rung, 1);
    uint64_t waiting = atomic_load(&b->sleepers) & processes;
    if (waiting)
        syscall(SYS_futex, &b->rung, FUTEX_WAKE_BITSET, INT_MAX, NULL, NULL, fold(waiting));
}

uint32_t h3ou__group_bell_heard(h3ou__group_bell *b)
{
    return atomic_load(&b->rung);
}

bool h3ou__group_bell_wait(h3ou__group_bell *b, int me, uint32_t heard, double seconds)
{
    const long SECOND = 1000000000;
    uint64_t bit = UINT64_C(1) << me;
    struct timespec end;
    clock_gettime(CLOCK_MONOTONIC, &end);
    long ns = end.tv_nsec + (long)((seconds - (double)(time_t)seconds) * 1e9);
    end.tv_sec += (time_t)seconds + ns / SECOND;
    end.tv_nsec = ns % SECOND;
    atomic_fetch_or(&b->sleepers, bit);
    long result = syscall(SYS_futex, &b->rung, FUTEX_WAIT_BITSET, heard, &end, NULL, fold(bit));
    bool is_rung = result == 0 || errno == EAGAIN;
    atomic_fetch_and(&b->sleepers, ~bit);
    return is_rung;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "os/bell.h"

#include <linux/futex.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

void h3ou__bell_ring(h3ou__bell *b)
{
    atomic_fetch_add(&b->rung, 1);
    if (atomic_load(&b->sleeper))
        syscall(SYS_futex, &b->rung, FUTEX_WAKE, 1, NULL, NULL, 0);
}

uint32_t h3ou__bell_heard(h3ou__bell *b)
{
    return atomic_load(&b->rung);
}

void h3ou__bell_wait(h3ou__bell *b, uint32_t heard, double seconds)
{
    struct timespec most = {.tv_sec = (time_t)seconds, .tv_nsec = (long)((seconds - (double)(time_t)seconds) * 1e9)};
    atomic_store(&b->sleeper, 1);
    syscall(SYS_futex, &b->rung, FUTEX_WAIT, heard, &most, NULL, 0);
    atomic_store(&b->sleeper, 0);
}

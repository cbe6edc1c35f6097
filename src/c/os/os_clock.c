/* SPDX-License-Identifier: BSD-3-Clause */
#include "os/os_clock.h"

#include <errno.h>
#include <time.h>

double h3ou__now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void h3ou__sleep(double seconds)
{
    if (seconds <= 0)
        return;
    struct timespec t = {.tv_sec = (time_t)seconds};
    t.tv_nsec = (long)((seconds - (double)t.tv_sec) * 1e9);
    while (nanosleep(&t, &t) && errno == EINTR)
        ;
}

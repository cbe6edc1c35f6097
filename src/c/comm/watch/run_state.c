/* SPDX-License-Identifier: BSD-3-Clause */
#include "comm/watch/run_state.h"

#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

_Static_assert(offsetof(h3ou__run_state, began) == 32 && offsetof(h3ou__run_state, start) == 72 &&
                   offsetof(h3ou__run_state, waited_then) == 104 && offsetof(h3ou__run_state, what) == 192 && offsetof(h3ou__run_state, stop_at) == 344 &&
                   sizeof(h3ou__run_state) == 512,
               "the offsets that tools/run/state/states.py reads");

static double clock_of_the_day(void)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

h3ou__run_state *h3ou__run_state_open(const char *component, int rank, int size)
{
    const char *folder = getenv("H3OU_RUN_DIRECTORY");
    char file[4096];
    if (!folder || snprintf(file, sizeof file, "%s/state/%s.%d", folder, component, rank) >= (int)sizeof file)
        return NULL;
    int fd = open(file, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0644);
    if (fd < 0)
        return NULL;
    /* Room that is set aside now cannot be missing when it is written. */
    void *at = posix_fallocate(fd, 0, sizeof(h3ou__run_state))
                   ? MAP_FAILED
                   : mmap(NULL, sizeof(h3ou__run_state), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    if (at == MAP_FAILED) {
        unlink(file);
        return NULL;
    }
    h3ou__run_state *s = at;
    s->pid = (uint32_t)getpid();
    s->size = (uint32_t)size;
    s->began = clock_of_the_day();
    gethostname(s->host, sizeof s->host - 1);
    s->version = 2;
    memcpy(s->magic, "h3ourun", sizeof s->magic);
    return s;
}

void h3ou__run_state_waits(h3ou__run_state *s, double seconds, const char *what, const char *who)
{
    if (!s)
        return;
    __atomic_fetch_add(&s->changes, 1, __ATOMIC_ACQ_REL);
    s->since = clock_of_the_day() - seconds;
    snprintf(s->what, sizeof s->what, "%s", what);
    snprintf(s->who, sizeof s->who, "%s", who);
    s->doing = H3OU__WAITS;
    __atomic_fetch_add(&s->changes, 1, __ATOMIC_ACQ_REL);
}

void h3ou__run_state_computes(h3ou__run_state *s, double waited)
{
    if (!s)
        return;
    s->waited = waited;
    if (s->doing == H3OU__WAITS)
        s->doing = s->steps ? H3OU__COMPUTES : H3OU__STARTS;
}

void h3ou__run_state_step(h3ou__run_state *s, int64_t start, const char *calendar, double time, double step)
{
    if (!s)
        return;
    if (!s->steps) {
        s->start = start;
        s->first = time;
        s->begun = clock_of_the_day();
        s->waited_then = s->waited;
        snprintf(s->calendar, sizeof s->calendar, "%s", calendar);
        s->doing = H3OU__COMPUTES;
    }
    s->time = time;
    s->step = step;
    __atomic_store_n(&s->steps, s->steps + 1, __ATOMIC_RELEASE);
}

void h3ou__run_state_stop(h3ou__run_state *s, int stop, double at)
{
    if (!s)
        return;
    s->stop_at = at;
    __atomic_store_n(&s->stop, (uint32_t)stop, __ATOMIC_RELEASE);
}

void h3ou__run_state_close(h3ou__run_state *s)
{
    if (!s)
        return;
    s->since = clock_of_the_day();
    s->doing = H3OU__HAS_ENDED;
    munmap(s, sizeof *s);
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "host/host_block.h"

#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/core_session.h"
#include "host/host_memory.h"
#include "os/share.h"

enum { HOST, PID, DESCRIPTOR, KEY }; /* of an offer */

int64_t h3ou__host_number(void)
{
    static const char *const space[] = {"/proc/self/ns/net", "/proc/self/ns/pid"};
    char boot[64] = "";
    FILE *f = fopen("/proc/sys/kernel/random/boot_id", "r");
    bool is_known = f && fgets(boot, sizeof boot, f);
    uint64_t number = 14695981039346656037u;
    if (f)
        fclose(f);
    for (const char *c = boot; *c; c++)
        number = (number ^ (unsigned char)*c) * 1099511628211u;
    for (int i = 0; i < 2; i++) {
        struct stat s = {0};
        is_known = !stat(space[i], &s) && is_known;
        number = (number ^ (uint64_t)s.st_ino) * 1099511628211u;
    }
    return is_known ? (int64_t)(number >> 1) : -1;
}

void h3ou__host_block_offer(int n, int64_t offer[H3OU__HOST_OFFER])
{
    int fd;
    void *base;
    uint64_t key = 0;
    memset(offer, 0, sizeof *offer * H3OU__HOST_OFFER);
    offer[DESCRIPTOR] = -1;
    if (n > H3OU__HOST_MOST || getrandom(&key, sizeof key, 0) != (ssize_t)sizeof key ||
        h3ou__share_new(sizeof(h3ou__host_memory), &fd, &base))
        return;
    h3ou__host_memory *m = base;
    m->key = key;
    atomic_store(&m->session, -1);
    for (uint64_t i = 0; i < H3OU__HOST_SLOTS; i++)
        atomic_store(&m->slot[i].open, i);
    h3ou__share_unmap(base, sizeof *m);
    offer[HOST] = h3ou__host_number();
    offer[PID] = getpid();
    offer[DESCRIPTOR] = fd;
    memcpy(&offer[KEY], &key, sizeof key);
}

/* Returns the memory; NULL: it cannot be opened. */
static h3ou__host_memory *open_memory(const int64_t offer[H3OU__HOST_OFFER])
{
    char path[64];
    struct stat s;
    void *base = NULL;
    snprintf(path, sizeof path, "/proc/%lld/fd/%lld", (long long)offer[PID], (long long)offer[DESCRIPTOR]);
    int fd = open(path, O_RDWR | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (fd < 0)
        return NULL;
    if (fstat(fd, &s) || s.st_uid != geteuid() || h3ou__share_map(fd, sizeof(h3ou__host_memory), &base))
        base = NULL;
    close(fd);
    if (base && memcmp(&((h3ou__host_memory *)base)->key, &offer[KEY], sizeof offer[KEY]) != 0) {
        h3ou__share_unmap(base, sizeof(h3ou__host_memory));
        base = NULL;
    }
    return base;
}

/* Tells the others on which cores this process may run. */
static void tell_cores(h3ou__host_memory *m)
{
    cpu_set_t cores;
    if (sched_getaffinity(0, sizeof cores, &cores))
        return;
    for (int i = 0; i < CPU_SETSIZE && i < H3OU__HOST_CORES; i++)
        if (CPU_ISSET(i, &cores))
            atomic_fetch_or(&m->core[i / 64], UINT64_C(1) << i % 64);
}

/* Tells the others in which session this process shares cores: whether it is another one than theirs. */
static void tell_session(h3ou__host_memory *m)
{
    int64_t mine = h3ou__core_session() + 1, first = -1; /* no session: 1; not known: 0 */
    bool is_first = atomic_compare_exchange_strong(&m->session, &first, mine);
    if (mine == 0 || (!is_first && first != mine))
        atomic_store(&m->has_sessions, 1);
}

h3ou__host_block *h3ou__host_block_open(const int64_t offer[H3OU__HOST_OFFER], int n, int me, bool may)
{
    if (!may || offer[DESCRIPTOR] < 0 || offer[HOST] < 0 || offer[HOST] != h3ou__host_number())
        return NULL;
    h3ou__host_memory *m = open_memory(offer);
    h3ou__host_block *b = m ? calloc(1, sizeof *b) : NULL;
    if (!b) {
        h3ou__share_unmap(m, sizeof *m);
        return NULL;
    }
    *b = (h3ou__host_block){.memory = m, .n = n, .me = me, .is_crowded = -1, .must_sleep = -1};
    tell_cores(m);
    tell_session(m);
    return b;
}

void h3ou__host_block_close_offer(const int64_t offer[H3OU__HOST_OFFER])
{
    if (offer[DESCRIPTOR] >= 0)
        close((int)offer[DESCRIPTOR]);
}

void h3ou__host_block_free(h3ou__host_block *b)
{
    if (!b)
        return;
    h3ou__share_unmap(b->memory, sizeof *b->memory);
    free(b);
}

void h3ou__host_block_begin(h3ou__host_block *b)
{
    atomic_fetch_add(&b->memory->of[b->me].begun, 1);
}

bool h3ou__host_block_is_here(const h3ou__host_block *b, int process)
{
    return atomic_load(&b->memory->of[process].begun) >= atomic_load(&b->memory->of[b->me].begun);
}

bool h3ou__host_block_is_crowded(h3ou__host_block *b)
{
    int ncore = 0;
    for (int i = 0; i < H3OU__HOST_CORES / 64 && b->is_crowded < 0; i++)
        ncore += __builtin_popcountll(atomic_load(&b->memory->core[i]));
    if (b->is_crowded < 0)
        b->is_crowded = ncore > 0 && b->n > ncore;
    return b->is_crowded;
}

bool h3ou__host_block_must_sleep(h3ou__host_block *b)
{
    if (b->must_sleep < 0)
        b->must_sleep = h3ou__host_block_is_crowded(b) && atomic_load(&b->memory->has_sessions);
    return b->must_sleep;
}

uint32_t h3ou__host_block_heard(h3ou__host_block *b)
{
    return h3ou__group_bell_heard(&b->memory->bell);
}

bool h3ou__host_block_sleep(h3ou__host_block *b, uint32_t heard, double seconds)
{
    return h3ou__group_bell_wait(&b->memory->bell, b->me, heard, seconds);
}

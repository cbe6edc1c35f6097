/* SPDX-License-Identifier: BSD-3-Clause */
/* Takes the table of addresses as it arrives, and puts it where the processes of this host share it. */
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/error.h"
#include "base/log.h"
#include "os/os_clock.h"
#include "os/share.h"
#include "waitio/identity/endpoints.h"
#include "waitio/stream/frame.h"

/* What stands before the arrays in shared memory. */
typedef struct plate {
    _Atomic uint32_t state; /* 0: being made; 1: complete */
    uint32_t npb, nhost, nprocess;
    uint64_t bytes;
} plate;

enum { PLATE = 64 };
/* An emulated machine of the other byte order may run on this host: it has a table of its own. */
static const char *const order = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? "-big" : "";
enum part { HEAD, SIZES, HOSTS, PROCESSES, COMPLETE };

struct waitio__endpoint_table_reader {
    waitio__endpoints *e;
    waitio__memory *memory;
    uint64_t instance;
    bool is_maker;
    enum part part;
    uint64_t index, npb, nhost, nprocess, sum; /* of the element that comes next; counts; processes so far */
    unsigned char element[WAITIO__ADDRESS];
    size_t got;
    /* Where the maker writes. */
    uint64_t *salt;
    int32_t *first;
    unsigned char *ip;
    uint16_t *scope, *port;
    uint32_t *host;
};

typedef struct layout { /* offsets from the base */
    size_t salt, first, host, ip, port, scope, bytes;
} layout;

static layout make_layout(uint64_t npb, uint64_t nhost, uint64_t nprocess)
{
    layout l = {.salt = PLATE};
    l.first = l.salt + 8 * npb;
    l.host = l.first + 4 * (npb + 1);
    l.ip = l.host + 4 * nprocess;
    l.port = l.ip + 16 * nhost;
    l.scope = l.port + 2 * nprocess;
    l.bytes = l.scope + 2 * nhost;
    return l;
}

int waitio__endpoint_table_begin(waitio__endpoint_table_reader **out, waitio__endpoints *e, uint64_t instance,
                                 waitio__memory *memory)
{
    *e = (waitio__endpoints){.fd = -1, .memory = memory};
    *out = calloc(1, sizeof **out);
    if (!*out)
        return h3ou__fail(H3OU__ENOMEM, "no memory for the table of addresses");
    (*out)->e = e;
    (*out)->memory = memory;
    (*out)->instance = instance;
    return H3OU__OK;
}

static void table_point(waitio__endpoints *e, uint64_t npb, uint64_t nhost, uint64_t nprocess)
{
    layout l = make_layout(npb, nhost, nprocess);
    char *base = e->base;
    e->npb = (int)npb;
    e->nhost = (int)nhost;
    e->salt = (uint64_t *)(base + l.salt);
    e->first = (int32_t *)(base + l.first);
    e->host = (uint32_t *)(base + l.host);
    e->ip = (unsigned char *)(base + l.ip);
    e->port = (uint16_t *)(base + l.port);
    e->scope = (uint16_t *)(base + l.scope);
}

static int place_privately(waitio__endpoint_table_reader *r, size_t bytes)
{
    waitio__endpoints *e = r->e;
    e->base = waitio__memory_take(r->memory, WAITIO__USE_TABLE, bytes);
    r->is_maker = true;
    return e->base ? H3OU__OK : H3OU__ENOMEM;
}

/* In shared memory when that is possible: the first process of a host makes the table. */
static int table_place(waitio__endpoint_table_reader *r)
{
    waitio__endpoints *e = r->e;
    e->bytes = make_layout(r->npb, r->nhost, r->nprocess).bytes;
    int code = H3OU__OK;
    if (r->instance) {
        snprintf(e->name, sizeof e->name, "/waitio-%u-%016llx%s", (unsigned)geteuid(), (unsigned long long)r->instance,
                 order);
        h3ou__share_sweep("waitio-");
        if (h3ou__share_open(e->name, e->bytes, &r->is_maker, &e->fd, &e->base)) {
            h3ou__log(H3OU__LOG_LOUD, "table_private", "reason=\"%s\"", h3ou__fail_text());
            e->fd = -1;
            e->base = NULL;
        }
    }
    if (!e->base)
        code = place_privately(r, e->bytes);
    if (code)
        return code;
    table_point(e, r->npb, r->nhost, r->nprocess);
    r->salt = (uint64_t *)e->salt;
    r->first = (int32_t *)e->first;
    r->host = (uint32_t *)e->host;
    r->ip = (unsigned char *)e->ip;
    r->port = (uint16_t *)e->port;
    r->scope = (uint16_t *)e->scope;
    return H3OU__OK;
}

static int take_head(waitio__endpoint_table_reader *r, const unsigned char *b)
{
    r->npb = h3ou__get32(b);
    r->nhost = h3ou__get32(b + 4);
    r->nprocess = h3ou__get64(b + 8);
    if (r->npb < 1 || r->npb > WAITIO__PBS_MOST || r->nprocess < r->npb || r->nprocess > WAITIO__PROCESSES_MOST ||
        r->nhost < 1 || r->nhost > r->nprocess)
        return h3ou__fail(H3OU__EPROTO, "a table of addresses with %zu jobs, %zu hosts and %zu processes",
                          (size_t)r->npb, (size_t)r->nhost, (size_t)r->nprocess);
    return table_place(r);
}

static int take_size(waitio__endpoint_table_reader *r, const unsigned char *b)
{
    uint32_t size = h3ou__get32(b);
    if (!size || r->sum + size > r->nprocess || (r->index + 1 == r->npb && r->sum + size != r->nprocess))
        return h3ou__fail(H3OU__EPROTO, "a table of addresses in which PB %d has %u processes", (int)r->index, size);
    if (r->is_maker) {
        r->salt[r->index] = h3ou__get64(b + 4);
        r->first[r->index] = (int32_t)r->sum;
    }
    r->sum += size;
    if (r->is_maker && r->index + 1 == r->npb)
        r->first[r->npb] = (int32_t)r->sum;
    return H3OU__OK;
}

static int take_host(waitio__endpoint_table_reader *r, const unsigned char *b)
{
    if (r->is_maker) {
        memcpy(r->ip + 16 * r->index, b, 16);
        r->scope[r->index] = h3ou__get16(b + 16);
    }
    return H3OU__OK;
}

static int take_process(waitio__endpoint_table_reader *r, const unsigned char *b)
{
    uint32_t host = h3ou__get32(b);
    if (host >= r->nhost)
        return h3ou__fail(H3OU__EPROTO, "a table of addresses in which process %zu is on host %u of %zu",
                          (size_t)r->index, host, (size_t)r->nhost);
    if (r->is_maker) {
        r->host[r->index] = host;
        r->port[r->index] = h3ou__get16(b + 4);
    }
    return H3OU__OK;
}

static const struct {
    size_t bytes;
    int (*take)(waitio__endpoint_table_reader *, const unsigned char *);
} parts[] = {{WAITIO__TABLE_HEAD, take_head}, {4 + WAITIO__SALT, take_size}, {18, take_host}, {6, take_process}};

static void reader_step(waitio__endpoint_table_reader *r)
{
    const uint64_t count[] = {1, r->npb, r->nhost, r->nprocess};
    if (++r->index < count[r->part])
        return;
    r->index = 0;
    r->part++;
}

int waitio__endpoint_table_take(waitio__endpoint_table_reader *r, const unsigned char *bytes, size_t n)
{
    int code = H3OU__OK;
    while (n && !code) {
        if (r->part == COMPLETE)
            return h3ou__fail(H3OU__EPROTO, "a table of addresses that does not end where it should");
        size_t want = parts[r->part].bytes, take = want - r->got;
        if (!r->got && n >= want) {
            code = parts[r->part].take(r, bytes);
            take = want;
        } else {
            take = n < take ? n : take;
            memcpy(r->element + r->got, bytes, take);
            r->got += take;
            if (r->got == want)
                code = parts[r->part].take(r, r->element);
        }
        bytes += take;
        n -= take;
        if (take == want || r->got == want) {
            r->got = 0;
            reader_step(r);
        }
    }
    return code;
}

/* Another process of this host makes it. */
static int table_await(waitio__endpoint_table_reader *r, double seconds)
{
    plate *p = r->e->base;
    double end = h3ou__now() + seconds;
    while (!atomic_load_explicit(&p->state, memory_order_acquire)) {
        if (h3ou__now() > end)
            return h3ou__fail(H3OU__ETIMEOUT,
                              "waited %g s for the process of this host that makes the shared table of addresses "
                              "(/dev/shm%s)",
                              seconds, r->e->name);
        h3ou__sleep(0.001);
    }
    if (p->npb != r->npb || p->nhost != r->nhost || p->nprocess != r->nprocess || p->bytes != r->e->bytes)
        return h3ou__fail(H3OU__EPROTO, "the shared table /dev/shm%s is of another run", r->e->name);
    return H3OU__OK;
}

int waitio__endpoint_table_end(waitio__endpoint_table_reader *r, int code, double seconds)
{
    waitio__endpoints *e = r->e;
    if (!code && r->part != COMPLETE)
        code = h3ou__fail(H3OU__EPROTO, "a table of addresses that ends early");
    if (!code && !r->is_maker)
        code = table_await(r, seconds);
    if (!code && r->is_maker) {
        plate *p = e->base;
        p->npb = (uint32_t)r->npb;
        p->nhost = (uint32_t)r->nhost;
        p->nprocess = (uint32_t)r->nprocess;
        p->bytes = e->bytes;
        atomic_store_explicit(&p->state, 1, memory_order_release);
    }
    if (code)
        waitio__endpoints_free(e);
    free(r);
    return code;
}

void waitio__endpoints_free(waitio__endpoints *e)
{
    if (e->base && e->fd >= 0)
        h3ou__share_close(e->name, e->fd, e->base, e->bytes);
    else if (e->base)
        waitio__memory_give(e->memory, WAITIO__USE_TABLE, e->base, e->bytes);
    *e = (waitio__endpoints){.fd = -1};
}

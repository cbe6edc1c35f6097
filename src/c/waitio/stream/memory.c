/* SPDX-License-Identifier: BSD-3-Clause */
#include "waitio/stream/memory.h"

#include <stdlib.h>

#include "base/error.h"

static const uint64_t spare_most = 4 << 20; /* bytes that the pool keeps; what is more goes back to the system */

/* The bytes that malloc uses: its own word, and rounding to 16. */
static int64_t allocated_size(size_t n)
{
    return (int64_t)((n + 8 + 15) & ~(size_t)15);
}

void waitio__memory_count(waitio__memory *m, enum waitio__use use, int64_t n)
{
    m->held[use] += (uint64_t)n;
}

void *waitio__memory_take(waitio__memory *m, enum waitio__use use, size_t n)
{
    void *p = calloc(1, n ? n : 1);
    if (!p) {
        h3ou__fail(H3OU__ENOMEM, "no memory for %zu bytes", n);
        return NULL;
    }
    waitio__memory_count(m, use, allocated_size(n));
    return p;
}

void waitio__memory_give(waitio__memory *m, enum waitio__use use, void *p, size_t n)
{
    if (!p)
        return;
    waitio__memory_count(m, use, -allocated_size(n));
    free(p);
}

uint64_t waitio__memory_held(const waitio__memory *m)
{
    uint64_t sum = 0;
    for (int i = 0; i < WAITIO__USE_COUNT; i++)
        sum += m->held[i];
    return sum;
}

static int find_class(size_t n, uint32_t *size)
{
    int k = 0;
    for (*size = WAITIO__CHUNK_LEAST; *size < n && k < WAITIO__CHUNK_CLASSES - 1; k++)
        *size *= 4;
    return k;
}

waitio__chunk *waitio__chunk_take(waitio__memory *m, size_t least)
{
    uint32_t size;
    int k = find_class(least + sizeof(waitio__chunk), &size);
    waitio__chunk *c = m->spare[k];
    if (c) {
        m->spare[k] = c->next;
        m->spared -= size;
    } else {
        c = malloc(size);
        if (!c) {
            h3ou__fail(H3OU__ENOMEM, "no memory for a buffer of %u bytes", size);
            return NULL;
        }
        waitio__memory_count(m, WAITIO__USE_BUFFERS, allocated_size(size));
    }
    c->next = NULL;
    c->refs = 1;
    c->used = 0;
    c->size = size - (uint32_t)sizeof *c;
    return c;
}

void waitio__chunk_drop(waitio__memory *m, waitio__chunk *c)
{
    if (!c || --c->refs)
        return;
    uint32_t size;
    int k = find_class(c->size + sizeof *c, &size);
    if (m->spared + size > spare_most) {
        waitio__memory_count(m, WAITIO__USE_BUFFERS, -allocated_size(size));
        free(c);
        return;
    }
    c->next = m->spare[k];
    m->spare[k] = c;
    m->spared += size;
}

void waitio__memory_free(waitio__memory *m)
{
    for (int k = 0; k < WAITIO__CHUNK_CLASSES; k++)
        while (m->spare[k]) {
            waitio__chunk *c = m->spare[k];
            m->spare[k] = c->next;
            waitio__memory_count(m, WAITIO__USE_BUFFERS, -allocated_size(c->size + sizeof *c));
            free(c);
        }
    m->spared = 0;
}

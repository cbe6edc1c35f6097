/* SPDX-License-Identifier: BSD-3-Clause */
#include "waitio/message/request.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "waitio/message/group.h"
#include "waitio/message/peer.h"

static _Atomic uint32_t last_generation;

static int request_grow_table(waitio__instance *in)
{
    int room = in->waiting.nrequest ? 2 * in->waiting.nrequest : 16, old = in->waiting.nrequest;
    waitio__request **larger = waitio__memory_take(&in->memory, WAITIO__USE_REQUESTS, (size_t)room * sizeof *larger);
    if (!larger)
        return H3OU__ENOMEM;
    /* One block for all that are new; freed by the first of them. */
    waitio__request *block =
        waitio__memory_take(&in->memory, WAITIO__USE_REQUESTS, (size_t)(room - old) * sizeof *block);
    if (!block) {
        waitio__memory_give(&in->memory, WAITIO__USE_REQUESTS, larger, (size_t)room * sizeof *larger);
        return H3OU__ENOMEM;
    }
    if (old)
        memcpy(larger, in->waiting.request, (size_t)old * sizeof *larger);
    waitio__memory_give(&in->memory, WAITIO__USE_REQUESTS, in->waiting.request, (size_t)old * sizeof *larger);
    in->waiting.request = larger;
    for (int i = old; i < room; i++) {
        waitio__request *r = &block[i - old];
        r->in = in;
        r->index = i;
        r->next = in->waiting.spare;
        in->waiting.spare = r;
        in->waiting.request[i] = r;
    }
    in->waiting.nrequest = room;
    return H3OU__OK;
}

/* Never 0. Threads with instances of their own may get the same one: they have no requests in common. */
static uint32_t next_generation(void)
{
    uint32_t next = atomic_load_explicit(&last_generation, memory_order_relaxed) + 1;
    next += next == 0;
    atomic_store_explicit(&last_generation, next, memory_order_relaxed);
    return next;
}

/* Each field by itself: a block this long would be cleared by a call. */
static void request_clear(waitio__request *r)
{
    r->state = WAITIO__PENDING;
    r->peer = NULL;
    r->before = r->after = r->prev = r->next = NULL;
    r->is_any_tag = r->is_any_source = r->is_cancelled = r->was_stalled = r->is_single_copy = r->is_offered =
        r->is_owed = r->is_synchronous = false;
    r->expected = r->arrived = r->coming = r->partner = r->take = r->moved = r->end = 0;
    r->parts = r->code = r->unit = 0;
    r->why = NULL;
    r->copy = NULL;
}

static void request_enlist(waitio__request *r, waitio__peer *peer)
{
    r->peer = peer;
    r->before = NULL;
    r->after = peer->active;
    if (peer->active)
        peer->active->before = r;
    peer->active = r;
}

int waitio__request_new(waitio__instance *in, waitio__peer *peer, enum waitio__request_kind kind, waitio_group_t group,
                        waitio__request **out)
{
    if (!in->waiting.spare) {
        int code = request_grow_table(in);
        if (code)
            return code;
    }
    waitio__request *r = in->waiting.spare;
    in->waiting.spare = r->next;
    request_clear(r);
    r->generation = next_generation();
    r->kind = kind;
    r->group = group;
    r->rank = -1;
    r->since = in->now;
    if (group)
        waitio__group_hold(group);
    if (peer)
        request_enlist(r, peer);
    *out = r;
    return H3OU__OK;
}

void waitio__request_release(waitio__request *r)
{
    free(r->why);
    free(r->copy);
    r->why = NULL;
    r->copy = NULL;
    waitio__group_drop(r->group);
    r->group = NULL;
    r->kind = WAITIO__SPARE;
    r->next = r->in->waiting.spare;
    r->in->waiting.spare = r;
}

void waitio__request_reverse(void *data, size_t bytes, int unit)
{
    unsigned char *at = data;
    for (size_t n = bytes / (size_t)unit; n > 0; n--, at += unit)
        for (int i = 0; i < unit / 2; i++) {
            unsigned char first = at[i];
            at[i] = at[unit - 1 - i];
            at[unit - 1 - i] = first;
        }
}

uint64_t waitio__request_id(const waitio__request *r)
{
    return (uint64_t)r->generation << 32 | (uint32_t)r->index;
}

waitio__request *waitio__request_find(waitio__instance *in, uint64_t id)
{
    uint32_t index = (uint32_t)id;
    if (index >= (uint32_t)in->waiting.nrequest)
        return NULL;
    waitio__request *r = in->waiting.request[index];
    return r->kind != WAITIO__SPARE && r->generation == id >> 32 ? r : NULL;
}

void waitio__request_meet(waitio__request *r, waitio__peer *p, int rank)
{
    request_enlist(r, p);
    r->rank = rank;
}

void waitio__request_complete(waitio__request *r, int code, const char *why)
{
    if (r->peer) {
        if (r->before)
            r->before->after = r->after;
        else
            r->peer->active = r->after;
        if (r->after)
            r->after->before = r->before;
        r->before = r->after = NULL;
    }
    r->state = WAITIO__COMPLETE;
    r->in->completed++;
    r->code = code;
    r->why = code && why ? strdup(why) : NULL;
}

void waitio__request_received(waitio__request *r)
{
    r->in->counters.messages_received++;
    r->in->counters.bytes_received += r->arrived;
    if (r->expected <= r->length) {
        waitio__request_complete(r, H3OU__OK, NULL);
        return;
    }
    char who[WAITIO__WHO], why[WAITIO__WHO + 128];
    snprintf(why, sizeof why, "message of %zu bytes from %s, tag %lld, is longer than its buffer of %zu",
             (size_t)r->expected, waitio__who(r->in, r->peer->global, who), (long long)r->tag, (size_t)r->length);
    waitio__request_complete(r, H3OU__ETRUNC, why);
}

void waitio__request_untaken(waitio__request *send)
{
    char who[WAITIO__WHO], why[WAITIO__WHO + 128];
    snprintf(why, sizeof why, "%s has left the run (waitio_finalize) without taking a message of %zu bytes, tag %lld",
             waitio__who(send->in, send->peer->global, who), (size_t)send->length, (long long)send->tag);
    waitio__request_complete(send, H3OU__EPEER, why);
}

void waitio__requests_free(waitio__instance *in)
{
    for (int i = 0; i < in->waiting.nrequest; i++) {
        free(in->waiting.request[i]->why);
        free(in->waiting.request[i]->copy);
        if (in->waiting.request[i]->kind != WAITIO__SPARE)
            waitio__group_drop(in->waiting.request[i]->group);
    }
    /* Blocks of 16, 16, 32, 64 ... */
    for (int begin = 0, end = 16; begin < in->waiting.nrequest; begin = end, end *= 2)
        waitio__memory_give(&in->memory, WAITIO__USE_REQUESTS, in->waiting.request[begin],
                            (size_t)(end - begin) * sizeof(waitio__request));
    waitio__memory_give(&in->memory, WAITIO__USE_REQUESTS, in->waiting.request,
                        (size_t)in->waiting.nrequest * sizeof(waitio__request *));
    in->waiting.request = NULL;
    in->waiting.spare = NULL;
    in->waiting.nrequest = 0;
}

void waitio__request_append(waitio__request **first, waitio__request **last, waitio__request *r)
{
    r->next = NULL;
    r->prev = *last;
    *(*last ? &(*last)->next : first) = r;
    *last = r;
}

void waitio__request_cut(waitio__request **first, waitio__request **last, waitio__request *r)
{
    *(r->prev ? &r->prev->next : first) = r->next;
    *(r->next ? &r->next->prev : last) = r->prev;
    r->prev = r->next = NULL;
}

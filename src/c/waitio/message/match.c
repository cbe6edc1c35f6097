/* SPDX-License-Identifier: BSD-3-Clause */
#include "waitio/message/match.h"

#include <stdio.h>
#include <string.h>

#include "waitio/message/group.h"
#include "waitio/message/job_loss.h"
#include "waitio/message/single_copy.h"

static void unlink_arrival(waitio__arrival *a)
{
    waitio__peer *p = a->peer;
    waitio__instance *in = p->in;
    *(a->prev ? &a->prev->next : &p->arrival) = a->next;
    *(a->next ? &a->next->prev : &p->arrival_last) = a->prev;
    *(a->before ? &a->before->after : &in->unexpected.first) = a->after;
    *(a->after ? &a->after->before : &in->unexpected.last) = a->before;
    in->counters.unexpected_bytes -= a->bytes - sizeof *a;
    waitio__memory_give(&in->memory, WAITIO__USE_UNEXPECTED, a, a->bytes);
}

/* Called when a message is matched with its receive: grants its sender the same amount of credit again. */
static void arrival_consume(waitio__arrival *a)
{
    waitio__peer *p = a->peer;
    uint64_t cost = WAITIO__COST + (a->is_announced ? 0 : a->length);
    unlink_arrival(a);
    waitio__peer_consumed(p, cost);
}

static void request_post(waitio__request *r)
{
    r->state = WAITIO__POSTED;
    r->serial = r->in->waiting.serial++;
    r->is_any_source = !r->peer;
    if (r->is_any_source)
        waitio__request_append(&r->in->waiting.any_source, &r->in->waiting.any_source_last, r);
    else
        waitio__request_append(&r->peer->posted, &r->peer->posted_last, r);
}

void waitio__match_unpost(waitio__request *r)
{
    if (r->state != WAITIO__POSTED)
        return;
    waitio__request **first = r->is_any_source ? &r->in->waiting.any_source : &r->peer->posted;
    waitio__request **last = r->is_any_source ? &r->in->waiting.any_source_last : &r->peer->posted_last;
    waitio__request_cut(first, last, r);
    r->is_any_source = false;
}

static bool request_fits(const waitio__request *r, int32_t group, int64_t tag)
{
    return r->group->id == group && (r->is_any_tag || r->tag == tag);
}

/* Returns the rank of p in the receive's group. */
static int rank_of(const waitio__request *r, const waitio__peer *p)
{
    int pb, rank;
    waitio__endpoints_find(&p->in->table, p->global, &pb, &rank);
    return waitio__group_rank_of(r->group, pb, rank);
}

waitio__request *waitio__match_posted(waitio__peer *p, int32_t group, int64_t tag)
{
    waitio__request *r = p->posted, *any_source = p->in->waiting.any_source;
    while (r && !request_fits(r, group, tag))
        r = r->next;
    while (any_source && !(request_fits(any_source, group, tag) && rank_of(any_source, p) >= 0))
        any_source = any_source->next;
    bool is_any_source = any_source && (!r || any_source->serial < r->serial);
    if (is_any_source)
        r = any_source;
    if (!r)
        return NULL;
    waitio__match_unpost(r);
    r->state = WAITIO__CLAIMED;
    r->tag = tag;
    if (is_any_source)
        waitio__request_meet(r, p, rank_of(r, p));
    return r;
}

/* Returns how many members of the group belong to jobs that were lost; *p: one of them. */
static int lost_members(waitio__instance *in, waitio_group_t g, waitio__peer **p)
{
    int n = 0, pb, rank;
    for (int i = 0; in->nlost && i < g->npart; i++) {
        if (!waitio__job_loss_is_known(in, g->part[i].pb))
            continue;
        n += g->part[i].n;
        waitio__group_member(g, g->part[i].first, &pb, &rank);
        waitio__peer_get(in, waitio__endpoints_global(&in->table, pb, rank), p);
    }
    return n;
}

waitio__peer *waitio__match_missing(const waitio__request *any_source)
{
    waitio__instance *in = any_source->in;
    waitio__peer *left = NULL;
    int others = any_source->group->size - 1 - lost_members(in, any_source->group, &left);
    for (waitio__peer *p = in->peers.ngone ? in->peers.first : NULL; p; p = p->next) {
        if (!(p->failed || p->heard_bye) || rank_of(any_source, p) < 0 || waitio__job_loss_covers(p))
            continue;
        if (p->failed)
            return p;
        left = p;
        others--;
    }
    return others ? NULL : left;
}

waitio__arrival *waitio__match_keep(waitio__peer *p, int32_t group, int64_t tag, uint64_t length, uint64_t room)
{
    waitio__instance *in = p->in;
    size_t bytes = sizeof(waitio__arrival) + room;
    waitio__arrival *a = waitio__memory_take(&in->memory, WAITIO__USE_UNEXPECTED, bytes);
    if (!a)
        return NULL;
    a->peer = p;
    a->group = group;
    a->tag = tag;
    a->length = length;
    a->bytes = bytes;
    a->prev = p->arrival_last;
    *(a->prev ? &a->prev->next : &p->arrival) = a;
    p->arrival_last = a;
    a->before = in->unexpected.last;
    *(a->before ? &a->before->after : &in->unexpected.first) = a;
    in->unexpected.last = a;
    in->counters.unexpected++;
    in->counters.unexpected_bytes += room;
    a->is_announced = length && !room;
    return a;
}

waitio__arrival *waitio__match_lose(waitio__peer *p, int32_t group, int64_t tag, uint64_t length)
{
    waitio__arrival *a = waitio__match_keep(p, group, tag, length, 0);
    if (a) {
        a->is_announced = false;
        a->is_lost = a->is_whole = true;
    }
    return a;
}

static void fail_lost(waitio__request *r, const waitio__arrival *a)
{
    char who[WAITIO__WHO], why[WAITIO__WHO + 160];
    snprintf(why, sizeof why, "this process had no memory for a message of %zu bytes from %s, tag %lld: it is lost",
             (size_t)a->length, waitio__who(r->in, a->peer->global, who), (long long)a->tag);
    r->expected = a->length;
    waitio__request_complete(r, H3OU__ENOMEM, why);
}

/* Copies a message from memory into the receive's buffer. */
static void message_copy(waitio__request *r, const unsigned char *data, uint64_t length)
{
    r->expected = length;
    r->arrived = length < r->length ? length : r->length;
    if (r->arrived)
        memcpy(r->data, data, r->arrived);
    waitio__request_received(r);
}

void waitio__match_whole(waitio__arrival *a)
{
    a->is_whole = true;
    if (!a->claimed) {
        if (a->peer->in->is_leaving)
            arrival_consume(a);
        return;
    }
    message_copy(a->claimed, a->data, a->length);
    arrival_consume(a);
}

void waitio__match_refuse(waitio__peer *p, uint64_t partner)
{
    waitio__frame f = {.kind = WAITIO__CTS, .flags = WAITIO__DECLINED, .id = partner};
    /* Nothing may follow BYE, from which the sender learns the same. */
    if (!p->said_bye)
        waitio__peer_send_frame(p, &f, NULL);
}

static void arrival_decline(waitio__arrival *a)
{
    if (a->claimed || !(a->is_announced || a->is_whole))
        return; /* its bytes are arriving at this moment */
    if (a->send)
        waitio__request_untaken(a->send);
    else if (a->is_announced)
        waitio__match_refuse(a->peer, a->partner);
    arrival_consume(a);
}

void waitio__match_decline(waitio__instance *in)
{
    for (waitio__arrival *a = in->unexpected.first, *after; a; a = after) {
        after = a->after;
        arrival_decline(a);
    }
}

void waitio__match_take(waitio__request *r, uint64_t partner, uint64_t length)
{
    uint64_t take = length < r->length ? length : r->length;
    r->state = WAITIO__MOVING;
    r->expected = length;
    r->partner = partner;
    waitio__frame f = {.kind = WAITIO__CTS,
                       .group = r->group->id,
                       .tag = (int64_t)waitio__request_id(r),
                       .length = take,
                       .id = partner};
    if (waitio__single_copy_applies(r->peer, take)) {
        uint64_t address = (uint64_t)(uintptr_t)r->data;
        f.flags = WAITIO__REACH;
        r->is_single_copy = true;
        f.check = (uint32_t)address;
        f.group = (int32_t)(uint32_t)(address >> 32);
    }
    int code = waitio__peer_send_frame(r->peer, &f, NULL);
    if (code == H3OU__ENOMEM)
        waitio__peer_out_of_memory(r->peer);
    if (!code && !take)
        waitio__request_received(r); /* no data will follow */
}

waitio__arrival *waitio__match_find(const waitio__request *r)
{
    if (r->peer) {
        waitio__arrival *a = r->peer->arrival;
        while (a && (a->claimed || !request_fits(r, a->group, a->tag)))
            a = a->next;
        return a;
    }
    waitio__arrival *a = r->in->unexpected.first;
    while (a && (a->claimed || !request_fits(r, a->group, a->tag) || rank_of(r, a->peer) < 0))
        a = a->after;
    return a;
}

void waitio__match_receive(waitio__request *r)
{
    waitio__arrival *a = waitio__match_find(r);
    if (!a) {
        request_post(r);
        return;
    }
    if (!r->peer)
        waitio__request_meet(r, a->peer, rank_of(r, a->peer));
    r->tag = a->tag;
    if (!a->is_announced && !a->is_whole) {
        a->claimed = r;
        r->state = WAITIO__CLAIMED;
        return;
    }
    if (a->is_lost) {
        fail_lost(r, a);
    } else if (a->send) {
        waitio__request *send = a->send;
        message_copy(r, send->data, send->length);
        waitio__request_complete(send, H3OU__OK, NULL);
    } else if (a->is_announced) {
        waitio__match_take(r, a->partner, a->length);
    } else {
        message_copy(r, a->data, a->length);
    }
    arrival_consume(a);
}

void waitio__match_self(waitio__request *send)
{
    waitio__peer *p = send->peer;
    int32_t group = send->group->id;
    waitio__request *r = waitio__match_posted(p, group, send->tag);
    if (r) {
        message_copy(r, send->data, send->length);
        waitio__request_complete(send, H3OU__OK, NULL);
        return;
    }
    bool is_short = !send->is_synchronous && send->length <= send->in->set.eager;
    waitio__arrival *a = waitio__match_keep(p, group, send->tag, send->length, is_short ? send->length : 0);
    if (!a) {
        waitio__request_complete(send, H3OU__ENOMEM, h3ou__fail_text());
        return;
    }
    if (is_short) {
        if (send->length)
            memcpy(a->data, send->data, send->length);
        a->is_whole = true;
        waitio__request_complete(send, H3OU__OK, NULL);
        return;
    }
    a->is_announced = true;
    a->send = send;
    send->state = WAITIO__ANNOUNCED;
}

void waitio__match_free(waitio__peer *p, bool all)
{
    for (waitio__arrival *a = p->arrival, *next; a; a = next) {
        next = a->next;
        /* A complete message can still be received after its sender has ended. */
        if (all || !a->is_whole)
            unlink_arrival(a);
    }
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "waitio/match.h"

#include <stdlib.h>
#include <string.h>

static void unlink_arrival(waitio__peer *p, waitio__arrival *a)
{
    waitio__arrival **place = &p->arrival, *before = NULL;
    while (*place != a) {
        before = *place;
        place = &before->next;
    }
    *place = a->next;
    if (p->arrival_last == a)
        p->arrival_last = before;
    free(a);
}

static void post(waitio__request *r)
{
    waitio__peer *p = r->peer;
    r->state = WAITIO__POSTED;
    r->next = NULL;
    if (p->posted_last)
        p->posted_last->next = r;
    else
        p->posted = r;
    p->posted_last = r;
}

void waitio__match_unpost(waitio__request *r)
{
    waitio__peer *p = r->peer;
    waitio__request **place = &p->posted, *before = NULL;
    while (*place && *place != r) {
        before = *place;
        place = &before->next;
    }
    if (!*place)
        return;
    *place = r->next;
    if (p->posted_last == r)
        p->posted_last = before;
    r->next = NULL;
}

waitio__request *waitio__match_posted(waitio__peer *p, int32_t group, int64_t tag)
{
    for (waitio__request *r = p->posted; r; r = r->next)
        if (r->group == group && r->tag == tag) {
            waitio__match_unpost(r);
            r->state = WAITIO__CLAIMED;
            return r;
        }
    return NULL;
}

waitio__arrival *waitio__match_keep(waitio__peer *p, int32_t group, int64_t tag, uint64_t length, uint64_t room)
{
    waitio__arrival *a = malloc(sizeof *a + room);
    if (!a) {
        h3ou__fail(H3OU__ENOMEM, "no memory for a message of %zu bytes that nobody has asked for", (size_t)length);
        return NULL;
    }
    *a = (waitio__arrival){.group = group, .tag = tag, .length = length};
    if (p->arrival_last)
        p->arrival_last->next = a;
    else
        p->arrival = a;
    p->arrival_last = a;
    return a;
}

/* The message is in memory: into the receive's buffer. */
static void copy(waitio__request *r, const unsigned char *data, uint64_t length)
{
    r->expected = length;
    r->arrived = length < r->length ? length : r->length;
    if (r->arrived)
        memcpy(r->data, data, r->arrived);
    waitio__request_received(r);
}

void waitio__match_whole(waitio__peer *p, waitio__arrival *a)
{
    a->is_whole = true;
    if (!a->claimed)
        return;
    copy(a->claimed, a->data, a->length);
    unlink_arrival(p, a);
}

static void no_matter(waitio__out *o, int code)
{
    (void)o;
    (void)code;
}

void waitio__match_take(waitio__request *r, uint64_t partner, uint64_t length)
{
    uint64_t take = length < r->length ? length : r->length;
    r->state = WAITIO__MOVING;
    r->expected = length;
    r->partner = partner;
    r->out.frame = (waitio__frame){.kind = WAITIO__CTS,
                                   .source = r->in->me,
                                   .group = r->group,
                                   .tag = (int64_t)waitio__request_id(r),
                                   .length = take,
                                   .id = partner};
    r->out.data = NULL;
    r->out.length = 0;
    r->out.is_segmented = false;
    r->out.done = no_matter;
    if (!take) {
        /* No data will follow, so r may be gone before its own frame is: a copy is sent. */
        if (!waitio__peer_send_frame(r->peer, &r->out.frame, NULL))
            waitio__request_received(r);
        return;
    }
    waitio__peer_send(r->peer, r);
}

void waitio__match_receive(waitio__request *r)
{
    waitio__peer *p = r->peer;
    waitio__arrival *a = p->arrival;
    while (a && (a->claimed || a->group != r->group || a->tag != r->tag))
        a = a->next;
    if (!a) {
        post(r);
        return;
    }
    if (!a->is_announced && !a->is_whole) {
        a->claimed = r;
        r->state = WAITIO__CLAIMED;
        return;
    }
    if (a->send) {
        waitio__request *send = a->send;
        copy(r, send->data, send->length);
        waitio__request_complete(send, H3OU__OK, NULL);
    } else if (a->is_announced) {
        waitio__match_take(r, a->partner, a->length);
    } else {
        copy(r, a->data, a->length);
    }
    unlink_arrival(p, a);
}

void waitio__match_self(waitio__request *send)
{
    waitio__peer *p = send->peer;
    waitio__request *r = waitio__match_posted(p, send->group, send->tag);
    if (r) {
        copy(r, send->data, send->length);
        waitio__request_complete(send, H3OU__OK, NULL);
        return;
    }
    bool is_short = send->length <= send->in->set.eager;
    waitio__arrival *a = waitio__match_keep(p, send->group, send->tag, send->length, is_short ? send->length : 0);
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

void waitio__match_free(waitio__peer *p)
{
    waitio__arrival *a = p->arrival;
    p->arrival = p->arrival_last = NULL;
    while (a) {
        waitio__arrival *next = a->next;
        /* What is whole here can still be received, though its sender is gone. */
        if (p->failed && !p->in->failed && a->is_whole) {
            a->next = NULL;
            if (p->arrival_last)
                p->arrival_last->next = a;
            else
                p->arrival = a;
            p->arrival_last = a;
        } else {
            free(a);
        }
        a = next;
    }
}

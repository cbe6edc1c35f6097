/* SPDX-License-Identifier: BSD-3-Clause */
#include "waitio/message/frame_handlers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "waitio/message/job_loss.h"
#include "waitio/message/lane_rest.h"
#include "waitio/message/match.h"
#include "waitio/message/peer.h"
#include "waitio/message/request.h"
#include "waitio/message/single_copy.h"

/* The peer broke the protocol: another connection would not help. */
static int lane_mark_wrong(waitio__lane *l, int code)
{
    l->is_wrong = true;
    return code;
}

/* Which frames may come on which lane, and when. */
static bool is_expected(const waitio__lane *l, const waitio__frame *f)
{
    switch (f->kind) {
    case WAITIO__EAGER:
    case WAITIO__RTS:
    case WAITIO__CTS:
    case WAITIO__PULL:
    case WAITIO__PULLED:
    case WAITIO__FIN:
    case WAITIO__PUSHED:
    case WAITIO__BYE:
        return l->number == 0 && !l->peer->heard_bye;
    case WAITIO__ABORT:
    case WAITIO__LOST:
        return l->number == 0;
    case WAITIO__DATA:
        return l->number || !l->peer->heard_bye; /* on another lane it may come after the goodbye */
    case WAITIO__ACK:
    case WAITIO__REST:
        return true;
    }
    return false;
}

static void take_text(waitio__lane *l, const waitio__frame *f, unsigned char **place, uint64_t *room)
{
    free(l->text);
    l->text = calloc(1, f->length + 1);
    *place = (unsigned char *)l->text;
    *room = l->text ? f->length : 0; /* without memory for the sentence the run still ends */
}

/* Charges the peer's credit. H3OU__EPROTO: the peer sent more than it was granted. */
static int credit_charge(waitio__peer *p, uint64_t cost)
{
    if (p->charged + cost > p->granted)
        return h3ou__fail(H3OU__EPROTO, "more bytes at once than it was granted");
    p->charged += cost;
    return H3OU__OK;
}

static int take_eager(waitio__lane *l, const waitio__frame *f, unsigned char **place, uint64_t *room)
{
    waitio__peer *p = l->peer;
    int code = credit_charge(p, WAITIO__COST + f->length);
    if (code)
        return code;
    waitio__request *r = waitio__match_posted(p, f->group, f->tag);
    if (r) {
        waitio__peer_consumed(p, WAITIO__COST + f->length);
        l->receiver = r;
        r->expected = f->length;
        *place = r->data;
        *room = f->length < r->length ? f->length : r->length;
        return H3OU__OK;
    }
    l->arrival = waitio__match_keep(p, f->group, f->tag, f->length, f->length);
    if (!l->arrival) {
        *room = 0;
        return waitio__match_lose(p, f->group, f->tag, f->length) ? H3OU__OK : H3OU__ENOMEM;
    }
    *place = l->arrival->data;
    *room = f->length;
    return H3OU__OK;
}

static int take_data(waitio__lane *l, const waitio__frame *f, unsigned char **place, uint64_t *room)
{
    waitio__request *r = waitio__request_find(l->peer->in, f->id);
    if (!r || r->peer != l->peer || r->kind != WAITIO__RECV || r->state != WAITIO__MOVING)
        return h3ou__fail(H3OU__EPROTO, "data for a receive that is not there");
    uint64_t take = r->expected < r->length ? r->expected : r->length;
    if (f->tag < 0 || !f->length || (uint64_t)f->tag > take || f->length > take - (uint64_t)f->tag ||
        f->length > take - r->arrived - r->coming)
        return h3ou__fail(H3OU__EPROTO, "%zu bytes of data at %lld of %zu, of which %zu are here or coming",
                          (size_t)f->length, (long long)f->tag, (size_t)take, (size_t)(r->arrived + r->coming));
    r->coming += f->length; /* so that data on another stream does not complete the receive meanwhile */
    l->receiver = r;
    *place = r->data + f->tag;
    *room = f->length;
    return H3OU__OK;
}

int waitio__incoming_frame(void *owner, const waitio__frame *f, unsigned char **place, uint64_t *room)
{
    waitio__lane *l = owner;
    int code = H3OU__OK;
    if (!is_expected(l, f))
        return lane_mark_wrong(l, h3ou__fail(H3OU__EPROTO, "frame %s out of order", waitio__frame_name(f->kind)));
    if (f->kind == WAITIO__ABORT || f->kind == WAITIO__LOST)
        take_text(l, f, place, room);
    else if (l->peer->in->failed || l->peer->failed)
        return H3OU__OK;
    else if (f->kind == WAITIO__EAGER)
        code = take_eager(l, f, place, room);
    else if (f->kind == WAITIO__DATA)
        code = take_data(l, f, place, room);
    return code == H3OU__EPROTO ? lane_mark_wrong(l, code) : code;
}

static int rts_arrived(waitio__lane *l, const waitio__frame *f)
{
    waitio__peer *p = l->peer;
    int code = credit_charge(p, WAITIO__COST);
    if (code)
        return code;
    waitio__request *r = waitio__match_posted(p, f->group, f->tag);
    if (r) {
        waitio__peer_consumed(p, WAITIO__COST);
        waitio__match_take(r, f->id, f->length);
        return H3OU__OK;
    }
    if (p->in->is_leaving) {
        waitio__peer_consumed(p, WAITIO__COST);
        waitio__match_refuse(p, f->id);
        return H3OU__OK;
    }
    waitio__arrival *a = waitio__match_keep(p, f->group, f->tag, f->length, 0);
    if (!a)
        return H3OU__ENOMEM;
    a->is_announced = true;
    a->partner = f->id;
    return H3OU__OK;
}

/* Handles CTS: the receiver asks for `length` bytes of a long message. */
static int cts_arrived(waitio__lane *l, const waitio__frame *f)
{
    waitio__peer *p = l->peer;
    waitio__request *r = waitio__request_find(p->in, f->id);
    if (!r || r->peer != p || r->kind != WAITIO__SEND || r->state != WAITIO__ANNOUNCED || f->length > r->length)
        return h3ou__fail(H3OU__EPROTO, "a receive for a message that was not announced");
    if (f->flags & WAITIO__DECLINED) {
        waitio__request_untaken(r);
        return H3OU__OK;
    }
    if (!f->length) {
        waitio__request_complete(r, H3OU__OK, NULL);
        return H3OU__OK;
    }
    r->partner = (uint64_t)f->tag;
    if (f->flags & WAITIO__REACH)
        return waitio__single_copy_offer(r, f);
    waitio__peer_move(p, r, f->length);
    return H3OU__OK;
}

static void eager_arrived(waitio__lane *l)
{
    waitio__request *r = l->receiver;
    waitio__arrival *a = l->arrival;
    l->receiver = NULL;
    l->arrival = NULL;
    if (r) {
        r->arrived = r->expected < r->length ? r->expected : r->length;
        waitio__request_received(r);
    } else if (a) {
        waitio__match_whole(a);
    }
}

static void data_arrived(waitio__lane *l, const waitio__frame *f)
{
    waitio__request *r = l->receiver;
    l->receiver = NULL;
    if (!r)
        return;
    r->coming -= f->length;
    r->arrived += f->length;
    if (r->arrived == (r->expected < r->length ? r->expected : r->length))
        waitio__request_received(r);
}

static int ack_arrived(waitio__lane *l, const waitio__frame *f)
{
    waitio__peer *p = l->peer;
    if (l->channel.out.retains && (f->tag < 0 || waitio__outbox_acked(&l->channel.out, (uint64_t)f->tag)))
        return h3ou__fail(H3OU__EPROTO, "bytes acknowledged that were never sent");
    waitio__lane_heard_ack(l);
    if (f->id > p->credit) {
        p->credit = f->id;
        waitio__peer_start_pending(p);
    }
    return H3OU__OK;
}

/* A job was lost, or ends itself. */
static int lost_arrived(waitio__lane *l, const waitio__frame *f)
{
    waitio__peer *p = l->peer;
    waitio__instance *in = p->in;
    int pb, rank;
    if (f->tag < 0 || f->tag >= in->table.npb)
        return h3ou__fail(H3OU__EPROTO, "the loss of a job with number %lld of %d", (long long)f->tag, in->table.npb);
    waitio__endpoints_find(&in->table, p->global, &pb, &rank);
    /* What another job's King tells it tells all Kings; the job itself may end before it has told them all. */
    bool was_told = pb == in->set.pbid ? in->self.rank != 0 : pb != f->tag;
    if (!in->failed)
        waitio__job_loss_note(in, (int)f->tag, l->text && *l->text ? l->text : "a job was lost", 0, was_told);
    if (pb == f->tag)
        waitio__peer_say_bye(p); /* it waits for an answer */
    return H3OU__OK;
}

static void handle_abort(waitio__lane *l, const waitio__frame *f)
{
    waitio__peer *p = l->peer;
    waitio__instance *in = p->in;
    int pb, rank, code = f->tag < 0 && f->tag > -1000 ? (int)f->tag : H3OU__EABORT;
    const char *text = l->text && *l->text ? l->text : "another process ended the run";
    p->heard_abort = true;
    waitio__endpoints_find(&in->table, p->global, &pb, &rank);
    if (pb != in->set.pbid && waitio__job_loss_is_allowed(in, pb))
        waitio__job_loss_ended(in, pb, text); /* it did not know yet that it may be lost */
    else
        waitio__instance_fail(in, code, text);
    waitio__peer_say_bye(p);
}

/* After BYE the peer sends nothing more, also no CTS: fails the sends that the peer has not taken. */
static void end_sends(waitio__peer *p)
{
    for (waitio__request *r = p->active, *after; r; r = after) {
        after = r->after;
        if (r->kind != WAITIO__SEND || (r->state != WAITIO__ANNOUNCED && r->state != WAITIO__PENDING))
            continue;
        if (r->state == WAITIO__PENDING)
            waitio__peer_withdraw(r);
        waitio__request_untaken(r);
    }
}

static void end_receives(waitio__peer *p)
{
    while (p->posted) {
        waitio__request *r = p->posted;
        char who[WAITIO__WHO], why[WAITIO__WHO + 128];
        snprintf(why, sizeof why, "%s has left the run (waitio_finalize) without sending tag %lld",
                 waitio__who(p->in, p->global, who), (long long)r->tag);
        waitio__match_unpost(r);
        waitio__request_complete(r, H3OU__EPEER, why);
    }
    for (waitio__request *r = p->in->waiting.any_source, *next; r; r = next) {
        char who[WAITIO__WHO], why[WAITIO__WHO + 128];
        next = r->next;
        if (!waitio__match_missing(r))
            continue;
        snprintf(why, sizeof why, "%s has left the run (waitio_finalize) as the last that could have sent",
                 waitio__who(p->in, p->global, who));
        waitio__match_unpost(r);
        waitio__request_complete(r, H3OU__EPEER, why);
    }
}

static void heard_bye(waitio__lane *l, const waitio__frame *f)
{
    waitio__peer *p = l->peer;
    p->is_exiting = f->tag != 0;
    p->in->peers.ngone += !p->heard_bye && !p->failed;
    p->heard_bye = true;
    waitio__lane_acknowledge(l); /* the peer waits for the acknowledgement before it leaves */
    end_sends(p);
    end_receives(p);
}

static int frame_handle(waitio__lane *l, const waitio__frame *f)
{
    switch (f->kind) {
    case WAITIO__EAGER:
        eager_arrived(l);
        return H3OU__OK;
    case WAITIO__RTS:
        return rts_arrived(l, f);
    case WAITIO__CTS:
        return cts_arrived(l, f);
    case WAITIO__DATA:
        data_arrived(l, f);
        return H3OU__OK;
    case WAITIO__ACK:
        return ack_arrived(l, f);
    case WAITIO__REST:
        return waitio__lane_heard_rest(l, f);
    case WAITIO__PULL:
        return waitio__single_copy_pull(l, f);
    case WAITIO__PULLED:
        return waitio__single_copy_pulled(l, f);
    case WAITIO__FIN:
        return waitio__single_copy_done(l, f);
    case WAITIO__PUSHED:
        return waitio__single_copy_pushed(l, f);
    }
    return H3OU__OK;
}

int waitio__incoming_payload(void *owner, const waitio__frame *f)
{
    waitio__lane *l = owner;
    int code = H3OU__OK;
    if (f->kind == WAITIO__ABORT)
        handle_abort(l, f);
    else if (f->kind == WAITIO__LOST)
        code = lost_arrived(l, f);
    else if (f->kind == WAITIO__BYE)
        heard_bye(l, f);
    else if (!l->peer->failed && (!l->peer->in->failed || f->kind == WAITIO__ACK))
        code = frame_handle(l, f);
    if ((f->flags & WAITIO__ACK_SOON) && !l->is_owing) {
        l->is_owing = true;
        l->next_owing = l->peer->in->waiting.owing;
        l->peer->in->waiting.owing = l;
    }
    waitio__lane_bytes_arrived(l);
    return code == H3OU__EPROTO ? lane_mark_wrong(l, code) : code;
}

bool waitio__incoming_whole(void *owner, const waitio__frame *f, const unsigned char *payload, int *code)
{
    waitio__lane *l = owner;
    const waitio__peer *p = l->peer;
    unsigned char *place;
    uint64_t room;
    if (f->kind != WAITIO__EAGER || f->flags || l->number || p->heard_bye || p->failed || p->in->failed)
        return false;
    *code = take_eager(l, f, &place, &room);
    if (*code) {
        *code = *code == H3OU__EPROTO ? lane_mark_wrong(l, *code) : *code;
        return true;
    }
    if (room)
        memcpy(place, payload, room);
    eager_arrived(l);
    waitio__lane_bytes_arrived(l);
    return true;
}

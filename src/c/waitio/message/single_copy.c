/* SPDX-License-Identifier: BSD-3-Clause */
#include "waitio/message/single_copy.h"

#include "base/log.h"
#include "waitio/message/group.h"

enum { PAGE = 4096, PIECE = 256 * 1024, TURNS = 256 * 1024 };

bool waitio__single_copy_applies(waitio__peer *p, uint64_t n)
{
    waitio__lane *l = waitio__peer_main(p);
    if (!p->in->set.single_copy || n < p->in->set.single_copy || !l || !l->channel.has_link)
        return false;
    const waitio__conduit *c = l->channel.link.conduit;
    return c->reach && c->reach(&l->channel.link);
}

/* Copies the bytes behind `from` to the receiver's memory, until the kernel refuses. */
static void bytes_push(waitio__request *send, uint64_t address, uint64_t from)
{
    waitio__link *link = &waitio__peer_main(send->peer)->channel.link;
    send->moved = from;
    while (send->moved < send->take) {
        uint64_t rest = send->take - send->moved, n = rest < PIECE ? rest : PIECE;
        if (link->conduit->put(link, address + send->moved, send->data + send->moved, n)) {
            h3ou__log(H3OU__LOG_WHISPER, "single_copy_failed", "peer=%d reason=\"%s\"", send->peer->global,
                      h3ou__fail_text());
            return;
        }
        send->moved += n;
    }
}

static bool is_under_way(const waitio__request *r)
{
    return r && r->kind == WAITIO__SEND && (r->state == WAITIO__ANNOUNCED || r->state == WAITIO__MOVING);
}

/* Bytes that the receiver copies; the sender copies the others at the same time. Of several short messages each copies
 * every other one, since going to the kernel for one costs as much as a quarter of its bytes. */
static uint64_t share_of_receiver(waitio__request *send, uint64_t take)
{
    waitio__peer *p = send->peer;
    if (!waitio__single_copy_applies(p, take))
        return take;
    if (take > TURNS || !(is_under_way(send->before) || is_under_way(send->after)))
        return take / 2 / PAGE * PAGE;
    p->copies = !p->copies;
    return p->copies ? 0 : take;
}

int waitio__single_copy_offer(waitio__request *send, const waitio__frame *cts)
{
    waitio__peer *p = send->peer;
    uint64_t address = (uint64_t)(uint32_t)cts->group << 32 | cts->check, take = cts->length;
    uint64_t share = share_of_receiver(send, take);
    waitio__frame f = {.kind = WAITIO__PULL,
                       .group = send->group->id,
                       .tag = (int64_t)(uintptr_t)send->data,
                       .length = share,
                       .id = send->partner};
    send->state = WAITIO__MOVING;
    send->is_single_copy = true;
    send->take = take;
    send->moved = send->expected = share; /* expected: the bytes that the receiver copies */
    send->parts = share > 0;
    send->is_offered = share > 0;
    int code = share ? waitio__peer_send_frame(p, &f, NULL) : H3OU__OK;
    waitio__channel_flush(&waitio__peer_main(p)->channel); /* both copy at the same time */
    if (code || share == take)
        return code;
    bytes_push(send, address, share);
    f = (waitio__frame){.kind = WAITIO__PUSHED, .length = send->moved - share, .id = send->partner};
    code = waitio__peer_send_frame(p, &f, NULL);
    if (!code && send->moved < take)
        waitio__peer_move_rest(p, send);
    else if (!code && !send->parts)
        waitio__single_copy_finish(send);
    return code;
}

void waitio__single_copy_finish(waitio__request *send)
{
    waitio__frame fin = {.kind = WAITIO__FIN, .id = send->partner};
    if (send->is_owed) {
        send->is_owed = false;
        send->take = send->expected;
        send->moved = 0;
        waitio__peer_move_rest(send->peer, send);
        return;
    }
    if (send->is_single_copy && waitio__peer_send_frame(send->peer, &fin, NULL) == H3OU__ENOMEM)
        waitio__peer_out_of_memory(send->peer);
    waitio__request_complete(send, H3OU__OK, NULL);
}

static waitio__request *moving_request(waitio__lane *l, uint64_t id, enum waitio__request_kind kind)
{
    waitio__request *r = waitio__request_find(l->peer->in, id);
    return r && r->peer == l->peer && r->kind == kind && r->state == WAITIO__MOVING ? r : NULL;
}

static uint64_t taken_by(const waitio__request *r)
{
    return r->expected < r->length ? r->expected : r->length;
}

/* Copies the offered bytes. The link may be another one than that over which the receive was answered (it rested
 * meanwhile): by this one the sender may be out of reach, also since it has closed its end already. */
static int copy_offered(waitio__link *link, const waitio__frame *f, waitio__request *r)
{
    const waitio__conduit *c = link->conduit;
    if (!f->length)
        return H3OU__OK;
    if (!c->reach || !c->reach(link))
        return h3ou__fail(H3OU__EOS, "by this connection the sender's memory is out of reach");
    return c->get(link, (uint64_t)f->tag, r->data, f->length);
}

int waitio__single_copy_pull(waitio__lane *l, const waitio__frame *f)
{
    waitio__request *r = moving_request(l, f->id, WAITIO__RECV);
    if (!r || r->arrived || r->coming || f->length > taken_by(r))
        return h3ou__fail(H3OU__EPROTO, "an offer to copy for a receive that did not ask for it");
    int failed = copy_offered(&l->channel.link, f, r);
    if (failed)
        h3ou__log(H3OU__LOG_WHISPER, "single_copy_failed", "peer=%d reason=\"%s\"", l->peer->global, h3ou__fail_text());
    else
        r->arrived += f->length;
    waitio__frame answer = {.kind = WAITIO__PULLED, .tag = failed != 0, .id = r->partner};
    int code = waitio__peer_send_frame(l->peer, &answer, NULL);
    waitio__channel_flush(&l->channel); /* frames that arrived with this one may take long: they may be more to copy */
    return code;
}

int waitio__single_copy_pulled(waitio__lane *l, const waitio__frame *f)
{
    waitio__request *r = moving_request(l, f->id, WAITIO__SEND);
    if (!r || !r->is_offered)
        return h3ou__fail(H3OU__EPROTO, "a copy of a message that was not offered");
    r->is_offered = false;
    r->parts--;
    r->is_owed = f->tag != 0; /* the receiver's part is sent after the sender's own */
    if (!r->parts && r->moved == r->take)
        waitio__single_copy_finish(r);
    return H3OU__OK;
}

int waitio__single_copy_pushed(waitio__lane *l, const waitio__frame *f)
{
    waitio__request *r = moving_request(l, f->id, WAITIO__RECV);
    if (!r || f->length > taken_by(r) - r->arrived - r->coming)
        return h3ou__fail(H3OU__EPROTO, "more bytes copied than the receive has room for");
    r->arrived += f->length;
    return H3OU__OK;
}

int waitio__single_copy_done(waitio__lane *l, const waitio__frame *f)
{
    waitio__request *r = moving_request(l, f->id, WAITIO__RECV);
    /* A receive whose last bytes came as DATA is complete already. */
    if (r && r->arrived == taken_by(r))
        waitio__request_received(r);
    return H3OU__OK;
}

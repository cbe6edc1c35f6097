/* SPDX-License-Identifier: BSD-3-Clause */
/* Requests: what isend and irecv start, and wait and test finish. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/log.h"
#include "os/clock.h"
#include "waitio/instance.h"

static const double TELL_AFTER = 30.0; /* seconds until a long wait is told */

/* What the caller's waitio_req_t holds: plain numbers, so that it may be copied and moved. */
typedef struct handle {
    uint64_t id; /* 0: complete */
    uint64_t bytes;
} handle;
_Static_assert(sizeof(handle) <= sizeof(waitio_req_t), "waitio_req_t is too small");

static int grow_slots(waitio__instance *w)
{
    uint32_t room = w->nslot ? 2 * w->nslot : 64;
    waitio__request **slot = realloc(w->slot, sizeof *slot * room);
    w->slot = slot ? slot : w->slot;
    uint32_t *generation = realloc(w->generation, sizeof *generation * room);
    w->generation = generation ? generation : w->generation;
    uint32_t *free_slot = realloc(w->free_slot, sizeof *free_slot * room);
    w->free_slot = free_slot ? free_slot : w->free_slot;
    if (!slot || !generation || !free_slot)
        return h3ou__fail(H3OU__ENOMEM, "out of memory for a request");
    for (uint32_t i = room; i-- > w->nslot;) {
        slot[i] = NULL;
        generation[i] = 1;
        free_slot[w->nfree++] = i;
    }
    w->nslot = room;
    return H3OU__OK;
}

waitio__request *waitio__request_new(waitio__instance *w)
{
    if (w->nfree == 0 && grow_slots(w))
        return NULL;
    waitio__request *r = calloc(1, sizeof *r);
    if (!r) {
        h3ou__fail(H3OU__ENOMEM, "out of memory for a request");
        return NULL;
    }
    uint32_t at = w->free_slot[--w->nfree];
    w->slot[at] = r;
    r->id = (uint64_t)w->generation[at] << 32 | at;
    r->began = h3ou__now();
    return r;
}

waitio__request *waitio__request_of(waitio__instance *w, uint64_t id)
{
    uint32_t at = (uint32_t)id;
    return at < w->nslot && w->slot[at] && w->slot[at]->id == id ? w->slot[at] : NULL;
}

static void release(waitio__instance *w, waitio__request *r)
{
    uint32_t at = (uint32_t)r->id;
    w->slot[at] = NULL;
    w->generation[at]++;
    w->free_slot[w->nfree++] = at;
    free(r->error);
    free(r);
}

void waitio__request_done(waitio__request *r, int err, const char *why)
{
    if (r->is_done)
        return;
    r->is_done = true;
    r->err = err;
    r->error = err ? strdup(why) : NULL;
}

void waitio__requests_fail(waitio__instance *w, const waitio__peer *p, int err, const char *why)
{
    for (uint32_t i = 0; i < w->nslot; i++) {
        waitio__request *r = w->slot[i];
        if (!r || r->is_done || (p && r->peer != p))
            continue;
        if (!r->is_send)
            waitio__unpost(r);
        waitio__request_done(r, err, why);
    }
}

void waitio__requests_free(waitio__instance *w)
{
    for (uint32_t i = 0; i < w->nslot; i++)
        if (w->slot[i])
            release(w, w->slot[i]);
    free(w->slot);
    free(w->generation);
    free(w->free_slot);
}

static int global_rank(const waitio__instance *w, waitio_group_t grp, int rank, int *out)
{
    for (int i = 0; grp && i < grp->npart; i++) {
        const waitio__part *part = &grp->part[i];
        int k = rank - part->first;
        if (k >= 0 && k < part->count) {
            *out = w->first[part->pb] + (part->member ? part->member[k] : k);
            return H3OU__OK;
        }
    }
    return h3ou__fail(H3OU__EARG, "WaitIO: rank %d of a group of %d", rank, grp ? grp->size : 0);
}

static int begin(waitio_group_t grp, int rank, bool is_send, char *buf, size_t len, waitio_tag_t tag, waitio_req_t *req,
                 waitio__request **out)
{
    int global = -1;
    waitio__instance *w = waitio__me;
    memset(req, 0, sizeof *req);
    int err = waitio__check();
    if (err || (err = global_rank(w, grp, rank, &global)) != H3OU__OK)
        return err;
    if (len > INT64_MAX || (len && !buf))
        return h3ou__fail(H3OU__EARG, "WaitIO: a message of %zu bytes at %p", len, (void *)buf);
    waitio__peer *p = waitio__peer_get(w, global);
    if (!p)
        return H3OU__ENOMEM;
    if (p->is_dead && is_send)
        return h3ou__fail(H3OU__EPEER, "%s", p->death);
    waitio__request *r = waitio__request_new(w);
    if (!r)
        return H3OU__ENOMEM;
    r->is_send = is_send;
    r->peer = p;
    r->group = grp->id;
    r->tag = tag;
    r->buf = buf;
    r->len = len;
    ((handle *)(void *)req)->id = r->id;
    *out = r;
    return H3OU__OK;
}

int waitio_isend(waitio_group_t grp, int dst, char *buf, size_t len, waitio_tag_t tag, waitio_req_t *req)
{
    waitio__instance *w = waitio__me;
    waitio__request *r = NULL;
    int err = begin(grp, dst, true, buf, len, tag, req, &r);
    if (err)
        return err;
    r->total = len;
    waitio__frame f = {.kind = len <= w->eager_limit ? WAITIO__EAGER : WAITIO__RTS,
                       .source = (uint32_t)w->me,
                       .group = r->group,
                       .tag = tag,
                       .length = len,
                       .id = r->id};
    bool is_eager = f.kind == WAITIO__EAGER;
    if (r->peer->rank == w->me)
        err = waitio__arrive_own(w, r);
    else
        err = waitio__peer_send(w, r->peer, &f, is_eager ? buf : NULL, is_eager ? len : 0, false, is_eager ? r->id : 0);
    if (err) {
        release(w, r);
        memset(req, 0, sizeof *req);
    }
    return err;
}

int waitio_irecv(waitio_group_t grp, int src, char *buf, size_t len, waitio_tag_t tag, waitio_req_t *req)
{
    waitio__request *r = NULL;
    int err = begin(grp, src, false, buf, len, tag, req, &r);
    if (err)
        return err;
    waitio__post(waitio__me, r);
    /* The receiver may be the first to connect, so that it learns of a sender that is gone. */
    if (!r->is_done && r->peer->rank != waitio__me->me)
        err = waitio__peer_connect(waitio__me, r->peer);
    return err;
}

/* A finished request leaves its slot; its handle keeps what arrived. */
static int finish(waitio__instance *w, waitio__request *r, handle *h)
{
    int err = r->err ? h3ou__fail(r->err, "%s", r->error ? r->error : h3ou__strerror(r->err)) : H3OU__OK;
    h->bytes = r->is_send ? r->len : r->got;
    h->id = 0;
    release(w, r);
    return err;
}

static waitio__request *find(waitio_req_t *req, int *err)
{
    const handle *h = (const handle *)(const void *)req;
    *err = H3OU__OK;
    if (h->id == 0)
        return NULL; /* complete already */
    if (!waitio__me) {
        *err = h3ou__fail(H3OU__ESTATE, "WaitIO: the instance is gone");
        return NULL;
    }
    waitio__request *r = waitio__request_of(waitio__me, h->id);
    if (!r)
        *err = h3ou__fail(H3OU__EARG, "WaitIO: not a request");
    return r;
}

int waitio_test(waitio_req_t *req, int *done)
{
    int err;
    waitio__request *r = find(req, &err);
    *done = !r && !err;
    if (!r)
        return err;
    if (!r->is_done && (err = waitio__progress(waitio__me, 0.0, NULL)) != H3OU__OK)
        return err;
    if (!r->is_done)
        return waitio__check();
    *done = 1;
    return finish(waitio__me, r, (handle *)(void *)req);
}

static int too_late(waitio__instance *w, waitio__request *r, double waited)
{
    char peer[256];
    waitio__peer_text(w, r->peer, peer, sizeof peer);
    return h3ou__fail(H3OU__ETIMEOUT, "%s: awaited for %.0f s to %s %" PRIu64 " bytes (group %u, tag %" PRId64
                      "), which is the patience of this run (WAITIO_PATIENCE)", peer, waited, r->is_send ? "take" : "send",
                      r->is_send ? r->total : r->len, r->group, r->tag);
}

static void tell(waitio__instance *w, const waitio__request *r, double waited)
{
    char peer[256];
    h3ou__log(H3OU__LOG_WHISPER, "waiting", "seconds=%.0f peer=\"%s\" for=%s tag=%" PRId64, waited,
              waitio__peer_text(w, r->peer, peer, sizeof peer), r->is_send ? "send" : "receive", r->tag);
}

int waitio_wait(waitio_req_t *req)
{
    int err;
    bool told = false;
    waitio__instance *w = waitio__me;
    waitio__request *r = find(req, &err);
    if (!r)
        return err;
    h3ou__pause pause;
    h3ou__pause_begin(&pause);
    while (!r->is_done) {
        bool moved;
        double waited = h3ou__now() - pause.began;
        if ((err = waitio__check()) != H3OU__OK)
            return err;
        if (waited > w->patience)
            return too_late(w, r, waited);
        if (waited > TELL_AFTER && !told) {
            told = true;
            tell(w, r, waited);
        }
        /* Yield for a moment, then sleep until a descriptor is ready. */
        double nap = h3ou__pause_next(&pause) > 0.0 ? 0.1 : 0.0;
        if ((err = waitio__progress(w, nap, &moved)) != H3OU__OK)
            return err;
    }
    return finish(w, r, (handle *)(void *)req);
}

int waitio_received(const waitio_req_t *req, size_t *len)
{
    const handle *h = (const handle *)(const void *)req;
    if (h->id)
        return h3ou__fail(H3OU__ESTATE, "waitio_received: the request is not complete");
    *len = h->bytes;
    return H3OU__OK;
}

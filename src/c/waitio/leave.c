/* SPDX-License-Identifier: BSD-3-Clause */
/* Joining's other half: the end, in good order or not. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/log.h"
#include "os/clock.h"
#include "waitio/instance.h"

int waitio__join(const waitio__inside *inside, double timeout)
{
    waitio__instance *w;
    if (waitio__me)
        return h3ou__fail(H3OU__ESTATE, "waitio_init is called twice");
    int err = waitio__instance_create(&w);
    if (err)
        return err;
    if ((err = waitio__bootstrap(w, inside, timeout)) != H3OU__OK) {
        waitio__instance_free(w);
        return err;
    }
    waitio__me = w;
    if (w->rank == 0)
        h3ou__log(H3OU__LOG_LOUD, "instance", "pb=%d pbs=%d processes=%d conduit=tcp", w->pb, w->npb, w->first[w->npb]);
    return H3OU__OK;
}

/* What is still to be said to a peer, or heard from it; NULL: nothing. */
static const char *unfinished(const waitio__peer *p)
{
    if (p->is_dead)
        return NULL;
    if (p->first || (p->conn && p->conn->first))
        return "to take what was sent to it";
    if (p->conn && p->conn->state != WAITIO__READY)
        return "to answer";
    return p->bye_sent && !p->said_bye ? "to finish as well" : NULL;
}

static int say_bye(waitio__instance *w, waitio__peer *p)
{
    /* Only on a connection that stands, and behind all that waits: what has not begun yet is awaited first. */
    if (p->bye_sent || p->is_dead || !p->conn || p->conn->state != WAITIO__READY)
        return H3OU__OK;
    waitio__frame f = {.kind = WAITIO__BYE, .source = (uint32_t)w->me};
    p->bye_sent = true;
    return waitio__peer_send(w, p, &f, NULL, 0, false, 0);
}

static const waitio__peer *say_bye_to_all(waitio__instance *w, int *err)
{
    const waitio__peer *awaited = NULL;
    for (int b = 0; b < WAITIO__BUCKETS && !*err; b++)
        for (waitio__peer *p = w->bucket[b]; p && !*err; p = p->next) {
            *err = say_bye(w, p);
            if (p->is_dead && !p->said_bye)
                *err = h3ou__fail(H3OU__EPEER, "%s", p->death);
            if (unfinished(p))
                awaited = p;
        }
    return awaited;
}

int waitio_finalize(void)
{
    waitio__instance *w = waitio__me;
    int err = waitio__check();
    double began = h3ou__now();
    const waitio__peer *awaited = NULL;
    if (err)
        return err;
    w->is_leaving = true;
    while (!err && (awaited = say_bye_to_all(w, &err)) != NULL && !err) {
        double waited = h3ou__now() - began;
        char peer[256];
        if (waited > w->patience)
            err = h3ou__fail(H3OU__ETIMEOUT, "%s: awaited for %.0f s %s", waitio__peer_text(w, awaited, peer, sizeof peer), waited,
                             unfinished(awaited));
        else if ((err = waitio__progress(w, 0.05, NULL)) == H3OU__OK)
            err = waitio__check();
    }
    if (err)
        return err;
    waitio__me = NULL;
    waitio__instance_free(w);
    return H3OU__OK;
}

/* Kings that have not been told yet. */
static bool still_telling(const waitio__instance *w)
{
    for (const waitio__conn *c = w->conns; c; c = c->next)
        if (c->state != WAITIO__CLOSED && c->first)
            return true;
    return false;
}

int waitio_abort(const char *text, double seconds)
{
    waitio__instance *w = waitio__me;
    if (!w)
        return h3ou__fail(H3OU__ESTATE, "WaitIO: there is no instance to abort");
    double end = h3ou__now() + seconds;
    char cut[WAITIO__TEXT];
    snprintf(cut, sizeof cut, "%s", text);
    waitio__frame f = {.kind = WAITIO__ABORT, .source = (uint32_t)w->me};
    for (int pb = 0; pb < w->npb; pb++) {
        waitio__peer *king = pb == w->pb ? NULL : waitio__peer_get(w, w->first[pb]);
        if (!king || king->is_dead || waitio__peer_connect(w, king) || !king->conn)
            continue;
        waitio__conn_send(king->conn, &f, cut, strlen(cut));
    }
    while (still_telling(w) && h3ou__now() < end)
        if (waitio__progress(w, 0.02, NULL))
            break;
    waitio__fail_instance(w, H3OU__EABORT, "%s", cut);
    return H3OU__OK;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages, by the job's MPI inside a job and by WaitIO between jobs; one loop progresses both. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "comm/long_wait.h"
#include "comm/own_messages.h"
#include "comm/ring_request.h"
#include "comm/world.h"
#include "os/os_clock.h"
#include "os/pause.h"
#include "os/turns.h"
#include "waitio/progress/departure.h"

enum route { DONE, BY_MPI, BY_WAITIO, LOOKING, OWN, BY_RING }; /* OWN: between components of this process */

static const double RING_NAP = 0.005; /* seconds after which a process that waits for a ring looks at WaitIO */

enum { NO_TAG = H3OU__TAG_COLLECTIVE - 1 }; /* of no message */

/* Sends and receives of this process that the MPI has not completed: it may move them only while it is called. */
static int64_t leaving, arriving;

typedef struct request {
    int route;
    int peer;
    const h3ou__comm *comm;
    const char *what;
    int64_t
        bytes; /* length of a send; of a receive the length of its buffer, once it is complete that of the message */
    bool is_send;
    bool is_lost; /* its peer's job has ended, which may be */
    union {
        h3ou__mpi_req mpi;
        waitio_req_t waitio;
        h3ou__own_receive *own;
        h3ou__ring *ring;
        struct { /* LOOKING: the receive to be posted to MPI once the message is known to fit */
            void *buf;
            int64_t count;
            int type, tag;
        } look;
    } by;
} request;
_Static_assert(sizeof(request) <= sizeof(h3ou__req), "h3ou__req is too small");

static request *open_req(h3ou__req *req)
{
    return (request *)(void *)req->opaque;
}

static int add_context(const request *r, int err)
{
    char member[128];
    return h3ou__fail_in(err, "%s %s %s", r->what ? r->what : "message", r->is_send ? "to" : "from",
                         h3ou__comm_member(r->comm, r->peer, member, sizeof member));
}

/* Fails with the error of a request; completes it instead where its peer may be lost, and is. */
static int fail_or_lose(request *r, int err)
{
    int job, job_rank;
    const h3ou__world *w = r->comm->world;
    if (err != H3OU__EPEER || !r->comm->may_lose || !w->may_lose)
        return add_context(r, err);
    h3ou__comm_place(r->comm, r->peer, &job, &job_rank);
    if (!w->may_lose[job])
        return add_context(r, err);
    r->is_lost = true;
    r->route = DONE;
    return H3OU__OK;
}

/* Fails because a message is longer than its buffer. bytes: the length of the message, negative if it is not known. */
static int fail_too_long(const request *r, int64_t bytes)
{
    char from[128], to[128], length[40] = "more";
    h3ou__comm_member(r->comm, r->peer, from, sizeof from);
    h3ou__comm_member(r->comm, r->comm->rank, to, sizeof to);
    if (bytes >= 0)
        snprintf(length, sizeof length, "%lld bytes", (long long)bytes);
    return h3ou__fail(H3OU__ETRUNC,
                      "%s: the message from %s has %s, but %s awaits %lld bytes: give both calls the same number and "
                      "type of elements",
                      r->what ? r->what : "message", from, length, to, (long long)r->bytes);
}

/* Initialises a request, and finds the job of the other end and its rank there. */
static int open_request(h3ou__comm *c, bool is_send, int peer, int64_t bytes, const char *what, h3ou__req *out, int *job,
                        int *job_rank)
{
    memset(out, 0, sizeof *out);
    if (peer < 0 || peer >= c->size)
        return h3ou__fail(H3OU__EARG, "%s: rank %d is not in a communicator of %d processes", what ? what : "message",
                          peer, c->size);
    h3ou__comm_place(c, peer, job, job_rank);
    bool is_own = c->world->is_shared && *job == c->world->job && *job_rank == c->world->job_rank;
    *open_req(out) = (request){.route = is_own ? OWN : *job == c->world->job ? BY_MPI : BY_WAITIO,
                               .peer = peer,
                               .comm = c,
                               .what = what,
                               .is_send = is_send,
                               .bytes = bytes};
    return H3OU__OK;
}

/* Starts a message to or from another component of this process. */
static int start_own(request *r, bool is_send, int tag, void *buf)
{
    if (!is_send)
        return h3ou__own_receive_begin(r->comm->kind, tag, buf, r->bytes, &r->by.own);
    int err = h3ou__own_send(r->comm->kind, tag, buf, r->bytes);
    r->route = err ? OWN : DONE;
    return err;
}

/* by_waitio: inside a job, too. */
static int start_request(h3ou__comm *c, bool is_send, int peer, int tag, void *buf, int64_t count, int type,
                         const char *what, bool by_waitio, h3ou__req *out)
{
    h3ou__world *w = c->world;
    request *r = open_req(out);
    int job, job_rank, err = open_request(c, is_send, peer, count * h3ou__type_size(type), what, out, &job, &job_rank);
    if (err)
        return err;
    tag = h3ou__comm_tag(c, is_send, peer, tag);
    if (r->route == BY_MPI && by_waitio)
        r->route = BY_WAITIO;
    if (r->route == OWN) {
        err = start_own(r, is_send, tag, buf);
    } else if (r->route == BY_MPI) {
        err = is_send ? w->mpi->isend(w->route[c->kind], buf, count, type, job_rank, tag, &r->by.mpi)
                      : w->mpi->irecv(w->route[c->kind], buf, count, type, job_rank, tag, &r->by.mpi);
    } else {
        waitio_tag_t long_tag = (waitio_tag_t)c->kind << 32 | tag;
        size_t bytes = (size_t)(count * h3ou__type_size(type));
        int global = w->first[job] + job_rank;
        err = is_send ? waitio_isend(w->group, global, buf, bytes, long_tag, &r->by.waitio)
                      : waitio_irecv(w->group, global, buf, bytes, long_tag, &r->by.waitio);
    }
    leaving += !err && is_send && r->route == BY_MPI;
    arriving += !err && !is_send && r->route == BY_MPI;
    return err ? fail_or_lose(r, err) : H3OU__OK;
}

int h3ou__isend(h3ou__comm *c, int dst, int tag, const void *buf, int64_t count, int type, const char *what,
                h3ou__req *req)
{
    return start_request(c, true, dst, tag, (void *)(uintptr_t)buf, count, type, what, false, req);
}

int h3ou__isend_by(h3ou__comm *c, bool by_waitio, int dst, int tag, const double *buf, int64_t count, const char *what, h3ou__req *req)
{
    return start_request(c, true, dst, tag, (void *)(uintptr_t)buf, count, H3OU__DOUBLE, what, by_waitio, req);
}

int h3ou__irecv_by(h3ou__comm *c, bool by_waitio, int src, int tag, double *buf, int64_t count, const char *what, h3ou__req *req)
{
    return start_request(c, false, src, tag, buf, count, H3OU__DOUBLE, what, by_waitio, req);
}

int h3ou__ring_request(h3ou__comm *c, int peer, h3ou__ring *r, const char *what, h3ou__req *req)
{
    int job, job_rank, err = open_request(c, false, peer, 0, what, req, &job, &job_rank);
    request *q = open_req(req);
    q->route = err ? DONE : BY_RING;
    q->by.ring = r;
    return err;
}

void h3ou__ring_request_done(h3ou__req *req)
{
    memset(req, 0, sizeof *req);
    open_req(req)->route = DONE;
}

int h3ou__irecv(h3ou__comm *c, int src, int tag, void *buf, int64_t count, int type, const char *what, h3ou__req *req)
{
    return start_request(c, false, src, tag, buf, count, type, what, false, req);
}

/* Posts the receive when the message is there and fits into the buffer. */
static int probe_message(h3ou__world *w, request *r)
{
    int job, job_rank, found = 0, err;
    int64_t bytes = 0;
    h3ou__comm_place(r->comm, r->peer, &job, &job_rank);
    h3ou__mpi_comm route = w->route[r->comm->kind];
    err = w->mpi->iprobe(route, job_rank, r->by.look.tag, &found, &bytes);
    if (err || !found)
        return err ? add_context(r, err) : H3OU__OK;
    if (bytes > r->bytes)
        return fail_too_long(r, bytes);
    void *buf = r->by.look.buf;
    r->route = BY_MPI;
    err = w->mpi->irecv(route, buf, r->by.look.count, r->by.look.type, job_rank, r->by.look.tag, &r->by.mpi);
    arriving += !err;
    return err ? add_context(r, err) : H3OU__OK;
}

static int test_mpi(h3ou__world *w, request *r, int *done)
{
    int64_t bytes = 0;
    int err = w->mpi->test(&r->by.mpi, done, r->is_send ? NULL : &bytes);
    leaving -= r->is_send && (err || *done);
    arriving -= !r->is_send && (err || *done);
    if (err)
        return err == H3OU__ETRUNC ? fail_too_long(r, bytes) : add_context(r, err);
    if (*done && !r->is_send)
        r->bytes = bytes;
    return H3OU__OK;
}

static int test_waitio(request *r, int *done)
{
    waitio_status_t status = {0};
    int err = waitio_test(&r->by.waitio, done);
    if (err == H3OU__ETRUNC && waitio_get_status(&r->by.waitio, &status) == H3OU__OK)
        return fail_too_long(r, (int64_t)status.length);
    size_t bytes = 0;
    if (!err && *done && !r->is_send && (err = waitio_received(&r->by.waitio, &bytes)) == H3OU__OK)
        r->bytes = (int64_t)bytes;
    return err ? fail_or_lose(r, err) : H3OU__OK;
}

static int test_own(request *r, int *done)
{
    int64_t bytes = 0;
    *done = h3ou__own_test(r->by.own, &bytes);
    if (*done && bytes > r->bytes)
        return fail_too_long(r, bytes);
    r->bytes = *done ? bytes : r->bytes;
    return H3OU__OK;
}

/* Looks for a message of a ring. One that comes by another way is received by that from now on. */
static int test_ring(h3ou__req *req, int *done)
{
    request *r = open_req(req);
    int64_t bytes = r->bytes;
    int found = h3ou__ring_look(r->by.ring, &bytes);
    *done = found == H3OU__RING_HERE;
    r->bytes = bytes;
    return found == H3OU__RING_OTHERWISE ? h3ou__ring_receive_otherwise(r->by.ring, req) : H3OU__OK;
}

/* Progresses a request once, without waiting. */
static int test_request(h3ou__world *w, h3ou__req *req)
{
    request *r = open_req(req);
    int done = 0, err = r->route == LOOKING ? probe_message(w, r) : r->route == BY_RING ? test_ring(req, &done) : H3OU__OK;
    if (!err && r->route == BY_MPI)
        err = test_mpi(w, r, &done);
    else if (!err && r->route == BY_WAITIO)
        err = test_waitio(r, &done);
    else if (!err && r->route == OWN)
        err = test_own(r, &done);
    if (err || done)
        r->route = DONE;
    return err;
}

/* What a process waits for. */
typedef struct awaited {
    bool only_waitio, only_rings, has_waitio;
    bool has_mpi; /* a message by the MPI, or one whose way is not known yet */
    h3ou__ring *ring; /* the first of them */
    int64_t by_mpi;   /* bytes of the messages that the MPI may be moving */
} awaited;

static void await(awaited *a, const request *r)
{
    a->only_waitio &= r->route == BY_WAITIO;
    a->only_rings &= r->route == BY_RING;
    a->has_waitio |= r->route == BY_WAITIO;
    a->has_mpi |= r->route == BY_MPI || r->route == LOOKING;
    a->by_mpi += r->route == BY_MPI ? r->bytes : 0;
    if (r->route == BY_RING && !a->ring)
        a->ring = r->by.ring;
}

bool h3ou__messages_by_mpi(void)
{
    return leaving || arriving;
}

int h3ou__progress_mpi(const h3ou__world *w)
{
    int found;
    int64_t bytes;
    return w->mpi->iprobe(w->route[0], H3OU__ANY_SOURCE, NO_TAG, &found, &bytes);
}

int h3ou__look_at_mpi(const h3ou__world *w, const h3ou__pause *pause)
{
    return h3ou__pause_looks_at_mpi(pause) ? h3ou__progress_mpi(w) : H3OU__OK;
}

int h3ou__yield_for_mpi(const h3ou__world *w)
{
    return w->job_host && w->job_host->is_crowded ? H3OU__YIELD_CROWDED_MPI : H3OU__YIELD_MPI;
}

double h3ou__nap_most(const h3ou__world *w, const h3ou__pause *pause, double most)
{
    const double EACH = 1e-3, MOST = 1e-2; /* seconds: how much longer each sleep of a wait is than the one before */
    double seconds = EACH * pause->naps < MOST ? EACH * pause->naps : MOST;
    return w->job_size > 1 && seconds < most ? seconds : most;
}

/* Returns whether a longer sleep holds up nothing: short messages of the MPI are awaited, and nothing else, none is
 * being sent, and no other component has a turn in this thread. */
static bool may_nap_longer(const awaited *a)
{
    bool is_short = a->has_mpi && a->by_mpi <= H3OU__SHORT_WAIT;
    return is_short && !a->has_waitio && !a->ring && !leaving && !h3ou__turns_are_taken();
}

/* Yields or sleeps between two tests, and progresses WaitIO, so that another job's abort is noticed in any wait. The MPI
 * copies long messages piece by piece while both ends poll it, so that a process which slept meanwhile would make each
 * piece wait: time for a slow copy is added before the first sleep. */
static int pause_wait(h3ou__world *w, h3ou__pause *pause, const awaited *a)
{
    const double SLOW_COPY = 2e-9; /* seconds a byte */
    h3ou__turns_pass();
    bool only_waitio = a->only_waitio && !leaving, only_rings = a->only_rings && !leaving;
    int yield = only_waitio ? H3OU__YIELD_DESCRIPTOR : only_rings ? H3OU__YIELD_MEMORY : h3ou__yield_for_mpi(w);
    double nap = h3ou__pause_next(pause, 1e-6 * yield + SLOW_COPY * (double)a->by_mpi);
    nap = may_nap_longer(a) ? h3ou__pause_longer(pause, nap) : nap;
    bool looks_around = h3ou__pause_looks_around(pause, nap); /* at WaitIO costs more than at a ring, or at the MPI */
    int err = H3OU__OK;
    if (leaving && !a->by_mpi)
        err = h3ou__progress_mpi(w);
    else if (looks_around && !a->by_mpi)
        err = h3ou__look_at_mpi(w, pause);
    if (only_rings && nap > 0.0 && !err) {
        h3ou__ring_sleep(a->ring, h3ou__nap_most(w, pause, RING_NAP));
        nap = 0.0;
    }
    if (err || !(looks_around || a->has_waitio))
        return err;
    if (w->group)
        return waitio_progress(only_waitio && nap > 0.0 ? h3ou__nap_most(w, pause, 0.05) : nap);
    if (nap > 0.0)
        h3ou__sleep(nap);
    return H3OU__OK;
}

typedef struct patience {
    h3ou__pause pause;
    h3ou__long_wait told;
    bool has_waited;
} patience;

/* Adds the time of a wait that has ended. Reads the clock only if the process has paused. */
static void count_wait(h3ou__world *w, patience *p)
{
    if (p->has_waited)
        h3ou__long_wait_end(&p->told, w, h3ou__now() - p->pause.began);
    p->has_waited = false;
}

/* Returns whether the configured patience has ended; tells of a long wait. */
static bool is_patience_over(const h3ou__world *w, patience *p, const char *what, const char *who)
{
    double waited = h3ou__now() - p->pause.began;
    h3ou__long_wait_tell(&p->told, w, waited, what, who);
    return waited > w->patience;
}

static int fail_too_late(const h3ou__world *w, const char *what, const char *who)
{
    char time[64] = "";
    if (w->time_den > 0)
        snprintf(time, sizeof time, " in the step at %.15g s after the start", (double)w->time_num / (double)w->time_den);
    return h3ou__fail(H3OU__ETIMEOUT,
                      "%s: %s was awaited for %.0f s, which is the patience of this run (H3OU_PATIENCE)%s", what, who,
                      w->patience, time);
}

/* Fails because this process, which waits, would have to send the message itself. */
static int fail_own(const request *r)
{
    char member[128], me[128];
    return h3ou__fail(H3OU__ESTATE,
                      "%s: %s, which this process opened, too, has not sent it, and cannot while %s waits for it: make the call "
                      "that sends it before this one",
                      r->what ? r->what : "message", h3ou__comm_member(r->comm, r->peer, member, sizeof member),
                      h3ou__comm_member(r->comm, r->comm->rank, me, sizeof me));
}

/* Returns whether an earlier receive from the same member is still to be posted: it gets the next message. */
static bool is_behind(h3ou__req req[], int first, int i)
{
    const request *r = open_req(&req[i]);
    for (int k = first; r->route == LOOKING && k < i; k++) {
        const request *earlier = open_req(&req[k]);
        if (earlier->route == LOOKING && earlier->peer == r->peer && earlier->by.look.tag == r->by.look.tag)
            return true;
    }
    return false;
}

int h3ou__testall(h3ou__world *w, int n, h3ou__req req[], bool *done)
{
    *done = true;
    for (int i = 0; i < n; i++) {
        request *r = open_req(&req[i]);
        int err = r->route == DONE || is_behind(req, 0, i) ? H3OU__OK : test_request(w, &req[i]);
        if (err)
            return err;
        *done = *done && r->route == DONE;
    }
    return H3OU__OK;
}

int h3ou__waitall(h3ou__world *w, int n, h3ou__req req[])
{
    patience p = {0};
    char member[128];
    int named = -1; /* the request whose peer `member` names */
    h3ou__pause_begin(&p.pause);
    for (int first = 0;;) {
        bool moved = false;
        awaited all = {.only_waitio = true, .only_rings = true};
        for (int i = first; i < n; i++) {
            request *r = open_req(&req[i]);
            if (r->route == DONE || is_behind(req, first, i))
                continue;
            int err = test_request(w, &req[i]);
            if (err)
                return err;
            if (r->route == OWN && !h3ou__turns_are_taken())
                return fail_own(r);
            moved |= r->route == DONE;
            if (r->route != DONE)
                await(&all, r);
        }
        while (first < n && open_req(&req[first])->route == DONE)
            first++;
        if (moved || first == n)
            count_wait(w, &p);
        if (first == n)
            return H3OU__OK;
        if (moved) {
            h3ou__pause_begin(&p.pause);
            continue;
        }
        const request *r = open_req(&req[first]);
        if (named != first)
            h3ou__comm_member(r->comm, r->peer, member, sizeof member);
        named = first;
        if (is_patience_over(w, &p, r->what ? r->what : "message", member))
            return fail_too_late(w, r->what ? r->what : "message", member);
        p.has_waited = true;
        int err = pause_wait(w, &p.pause, &all);
        if (err)
            return err;
    }
}

int h3ou__world_await(h3ou__world *w, bool (*is_over)(void *user), void *user, const char *what, const char *who, bool endless)
{
    patience p = {0};
    h3ou__pause_begin(&p.pause);
    while (!is_over(user)) {
        if (is_patience_over(w, &p, what, who) && !endless)
            return fail_too_late(w, what, who);
        p.has_waited = true;
        int err = pause_wait(w, &p.pause, &(awaited){0});
        if (err)
            return err;
    }
    count_wait(w, &p);
    return H3OU__OK;
}

int h3ou__irecv_probed(h3ou__comm *c, int src, int tag, void *buf, int64_t count, int type, const char *what,
                       h3ou__req *req)
{
    int job, job_rank, err = open_request(c, false, src, count * h3ou__type_size(type), what, req, &job, &job_rank);
    if (err)
        return err;
    request *r = open_req(req);
    if (r->route != BY_MPI) {
        err = start_request(c, false, src, tag, buf, count, type, what, false, req);
    } else {
        r->route = LOOKING;
        r->by.look.buf = buf;
        r->by.look.count = count;
        r->by.look.type = type;
        r->by.look.tag = h3ou__comm_tag(c, false, src, tag);
    }
    return err;
}

int h3ou__recv(h3ou__comm *c, int src, int tag, void *buf, int64_t count, int type, const char *what, h3ou__req *req)
{
    int err = h3ou__irecv_probed(c, src, tag, buf, count, type, what, req);
    return err ? err : h3ou__waitall(c->world, 1, req);
}

int h3ou__test(h3ou__world *w, h3ou__req *req, bool *done)
{
    request *r = open_req(req);
    int err = r->route == DONE ? H3OU__OK : test_request(w, req);
    *done = !err && r->route == DONE;
    return err;
}

void h3ou__send_off(const h3ou__world *w)
{
    if (w->group)
        waitio__departure_of_current();
}

int64_t h3ou__req_count(const h3ou__req *req, int type)
{
    const request *r = (const request *)(const void *)req->opaque;
    return r->bytes / h3ou__type_size(type);
}

bool h3ou__req_is_lost(const h3ou__req *req)
{
    return ((const request *)(const void *)req->opaque)->is_lost;
}

int h3ou__wait_mpi(h3ou__world *w, h3ou__mpi_req *req, const char *what)
{
    patience p = {0};
    h3ou__pause_begin(&p.pause);
    for (;;) {
        int done, err = w->mpi->test(req, &done, NULL);
        if (err)
            return h3ou__fail_in(err, "%s, for which all processes must give the same number and type of elements", what);
        if (done) {
            count_wait(w, &p);
            return H3OU__OK;
        }
        if (is_patience_over(w, &p, what, "another process of this job"))
            return fail_too_late(w, what, "another process of this job");
        p.has_waited = true;
        if ((err = pause_wait(w, &p.pause, &(awaited){0})) != H3OU__OK)
            return err;
    }
}

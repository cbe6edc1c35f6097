/* SPDX-License-Identifier: BSD-3-Clause */
#include "player.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "os/os_clock.h"

enum { TAG_BAIT = 500 };

static pthread_mutex_t telling = PTHREAD_MUTEX_INITIALIZER;

int player_wrong(player *y, int line, const char *what)
{
    char error[1000];
    snprintf(error, sizeof error, "%s", waitio_error());
    pthread_mutex_lock(&telling);
    if (!*y->me->text)
        snprintf(y->me->text, sizeof y->me->text, "line %d, thread %d, round %d: %s: %s", line, y->thread,
                 y->plan.gid / 16, what, error);
    pthread_mutex_unlock(&telling);
    y->code = line;
    return line;
}

bool player_chance(player *y, uint64_t of)
{
    return plan_dice(&y->dice, of) == 0;
}

int player_post(player *y, op *o)
{
    const message *m = &y->plan.message[o->message];
    int code, source = y->plan.rank[m->from];
    waitio_tag_t tag = m->tag;
    o->posted = y->posted++;
    o->state = OP_ACTIVE;
    if (o->kind == OP_SEND) {
        plan_fill(&y->plan, o->message, ++y->sent, o->buffer);
        code = waitio_isend(y->group, y->plan.rank[m->to], o->buffer, m->length, m->tag, &o->req);
        return code ? player_wrong(y, __LINE__, "isend") : 0;
    }
    enum way way = y->plan.way[y->number];
    if (o->kind == OP_BAIT)
        tag = TAG_BAIT + o->message, source = WAITIO_ANY_SOURCE;
    else if (way == WAY_BY_TAG && tag % 2 == 0)
        source = WAITIO_ANY_SOURCE;
    else if (way == WAY_ANY_TAG || way == WAY_ANY)
        tag = WAITIO_ANY_TAG;
    if (way == WAY_ANY && o->kind != OP_BAIT)
        source = WAITIO_ANY_SOURCE;
    memset(o->buffer + o->room, 0x5a, GUARD);
    code = waitio_irecv(y->group, source, o->buffer, o->room, tag, &o->req);
    return code ? player_wrong(y, __LINE__, "irecv") : 0;
}

static bool is_untouched(const char *guard)
{
    for (int i = 0; i < GUARD; i++)
        if (guard[i] != 0x5a)
            return false;
    return true;
}

/* What came is a message of the plan that has not come yet. */
static int check_received(player *y, op *o, const waitio_status_t *st)
{
    size_t here = 0, most = st->length < o->room ? st->length : o->room;
    if (waitio_received(&o->req, &here) || here != most)
        return player_wrong(y, __LINE__, "waitio_received");
    if (st->source < 0 || st->source >= y->plan.members)
        return player_wrong(y, __LINE__, "the source is no member");
    o->came = plan_find(&y->plan, y->plan.member[st->source], y->number, st->tag, st->length, o->buffer, here, y->had,
                        &o->order);
    if (o->came < 0)
        return player_wrong(y, __LINE__, "the message is not one that was sent, or comes again");
    y->had[o->came] = true;
    return is_untouched(o->buffer + o->room) ? 0 : player_wrong(y, __LINE__, "written behind the buffer");
}

/* The request has ended. */
static int finished(player *y, op *o, int code)
{
    waitio_status_t st;
    bool is_cut = o->kind == OP_RECEIVE && y->plan.message[o->message].is_cut;
    if (waitio_get_status(&o->req, &st))
        return player_wrong(y, __LINE__, "get_status");
    if (st.is_cancelled) {
        /* A bait is done with; the others are started anew, later. */
        o->state = o->kind == OP_BAIT ? OP_DONE : OP_NEW;
        return o->is_cancelled && !code ? 0 : player_wrong(y, __LINE__, "cancelled by nobody");
    }
    o->state = OP_DONE;
    if (code != (is_cut ? WAITIO_ETRUNC : 0) || st.error != code)
        return player_wrong(y, __LINE__, o->kind == OP_SEND ? "send" : "receive");
    if (o->kind == OP_BAIT)
        return player_wrong(y, __LINE__, "a message for a receive that none fits");
    return o->kind == OP_RECEIVE ? check_received(y, o, &st) : 0;
}

op *player_active(player *y)
{
    int first = (int)plan_dice(&y->dice, (uint64_t)y->n + 1);
    for (int i = 0; i < y->n; i++)
        if (y->op[(first + i) % y->n].state == OP_ACTIVE)
            return &y->op[(first + i) % y->n];
    return NULL;
}

static int test_one(player *y, op *o)
{
    int done = 0, code = waitio_test(&o->req, &done);
    return done ? finished(y, o, code) : code ? player_wrong(y, __LINE__, "test") : 0;
}

int player_cancel(player *y, op *o)
{
    if (waitio_cancel(&o->req))
        return player_wrong(y, __LINE__, "cancel");
    o->is_cancelled = true;
    return test_one(y, o);
}

/* Up to `most` active ones, moved to where waitany and waitall want them. */
static int gather(player *y, int most, op *list[], waitio_req_t req[])
{
    int n = 0, first = (int)plan_dice(&y->dice, (uint64_t)y->n + 1);
    for (int i = 0; i < y->n && n < most; i++) {
        op *o = &y->op[(first + i) % y->n];
        if (o->state != OP_ACTIVE)
            continue;
        req[n] = o->req;
        list[n++] = o;
    }
    return n;
}

int player_wait_any(player *y, double seconds)
{
    op *list[OPS];
    waitio_req_t req[OPS];
    int index = -1, n = gather(y, 1 + (int)plan_dice(&y->dice, OPS), list, req);
    waitio_status_t st;
    int code = seconds < 0 ? waitio_waitany(n, req, &index, &st) : waitio_waitany_for(n, req, seconds, &index, &st);
    for (int i = 0; i < n; i++)
        list[i]->req = req[i];
    if (index >= 0)
        return finished(y, list[index], code);
    return code == WAITIO_ETIMEOUT && seconds >= 0 ? 0 : player_wrong(y, __LINE__, "waitany");
}

int player_wait_all(player *y, int most)
{
    op *list[OPS];
    waitio_req_t req[OPS];
    waitio_status_t st[OPS];
    int n = gather(y, most, list, req), failed = 0;
    waitio_waitall(n, req, st);
    for (int i = 0; i < n && !failed; i++) {
        list[i]->req = req[i];
        failed = finished(y, list[i], st[i].error);
    }
    return failed;
}

int player_wait(player *y, op *o)
{
    waitio_status_t st;
    if (player_chance(y, 2))
        return finished(y, o, waitio_wait(&o->req));
    int code = waitio_wait_for(&o->req, (double)plan_dice(&y->dice, 100) * 1e-3, &st);
    if (code == WAITIO_ETIMEOUT)
        code = waitio_wait(&o->req);
    return finished(y, o, code);
}

int player_dabble(player *y)
{
    int flag;
    waitio_status_t st;
    op *o = player_active(y);
    switch (plan_dice(&y->dice, 24)) {
    case 0:
        h3ou__sleep((double)plan_dice(&y->dice, 3000) * 1e-6);
        return 0;
    case 1:
        return waitio_progress((double)plan_dice(&y->dice, 1000) * 1e-6) ? player_wrong(y, __LINE__, "progress") : 0;
    case 2:
        return waitio_iprobe(y->group, WAITIO_ANY_SOURCE, WAITIO_ANY_TAG, &flag, &st)
                   ? player_wrong(y, __LINE__, "iprobe")
                   : 0;
    case 3:
        return o && (o->kind != OP_SEND || player_chance(y, 2)) ? player_cancel(y, o) : 0;
    case 4:
        return o ? player_wait_any(y, (double)plan_dice(&y->dice, 1000) * 1e-6) : 0;
    case 5:
    case 6:
    case 7:
        return o ? test_one(y, o) : 0;
    }
    return 0;
}

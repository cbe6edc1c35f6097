/* SPDX-License-Identifier: BSD-3-Clause */
#include "play.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "player.h"

enum { BAITS = 4, STORM_THREADS = 4 };

static op *add(player *y, int kind, int i, size_t room)
{
    op *o = &y->op[y->n++];
    memset(o, 0, sizeof *o);
    o->kind = kind;
    o->message = i;
    o->room = room;
    o->came = -1;
    o->buffer = malloc(room + GUARD);
    if (!o->buffer)
        abort();
    return o;
}

static size_t room_for(const player *y, int i)
{
    const plan *p = &y->plan;
    size_t most = 0;
    if (p->message[i].is_cut)
        return p->message[i].length / 2;
    for (int k = 0; k < p->n; k++)
        if (p->message[k].to == y->number && p->message[k].length > most)
            most = p->message[k].length;
    return most;
}

static void prepare(player *y)
{
    const plan *p = &y->plan;
    bool probes = p->way[y->number] == WAY_PROBE;
    y->n = y->posted = 0;
    y->sent = 0;
    memset(y->had, 0, sizeof y->had);
    for (int i = 0; i < p->n; i++) {
        if (p->message[i].from == y->number)
            add(y, OP_SEND, i, p->message[i].length);
        if (p->message[i].to == y->number && !probes)
            add(y, OP_RECEIVE, i, room_for(y, i));
    }
    for (int i = 0; i < (int)plan_dice(&y->dice, BAITS + 1); i++)
        add(y, OP_BAIT, 2 * i, 100);
    for (int i = y->n - 1; i > 0; i--) {
        int k = (int)plan_dice(&y->dice, (uint64_t)i + 1);
        op swap = y->op[k];
        y->op[k] = y->op[i];
        y->op[i] = swap;
    }
}

/* Time for connections to rest while messages are announced. */
static int linger(player *y)
{
    int code = 0;
    for (int n = (int)plan_dice(&y->dice, 8); n > 0 && !code; n--) {
        code = waitio_progress((double)plan_dice(&y->dice, 300) * 1e-6) ? player_wrong(y, __LINE__, "progress") : 0;
        code = code ? code : player_dabble(y);
    }
    return code;
}

static int start_all(player *y, bool sends, bool receives)
{
    int code = 0;
    for (int i = 0; i < y->n && !code; i++) {
        if (y->op[i].state == OP_NEW && (y->op[i].kind == OP_SEND ? sends : receives)) {
            code = player_post(y, &y->op[i]);
            code = code || !y->is_slow ? code : linger(y);
        }
        for (int k = 0; k < 2 && !code; k++)
            code = player_dabble(y);
    }
    return code;
}

/* In some rounds the receives come late, when all is announced. */
static int start(player *y)
{
    int code = 0;
    y->is_slow = player_chance(y, 3);
    if (player_chance(y, 3))
        code = start_all(y, true, false);
    if (!code && player_chance(y, 3))
        code = linger(y);
    return code ? code : start_all(y, true, true);
}

/* What was cancelled is started again before this process waits for others, who may wait for just that. */
static int post_cancelled(player *y)
{
    int code = 0;
    for (int i = 0; i < y->n && !code; i++)
        if (y->op[i].state == OP_NEW)
            code = player_post(y, &y->op[i]);
    return code;
}

/* Without a receive beforehand: looks, then receives just that. */
static int take_by_probe(player *y)
{
    int n = 0, code = 0;
    for (int i = 0; i < y->plan.n; i++)
        n += y->plan.message[i].to == y->number;
    for (int i = 0; i < n && !code; i++) {
        waitio_status_t st;
        waitio_req_t req;
        code = post_cancelled(y);
        if (code)
            return code;
        if (waitio_probe(y->group, WAITIO_ANY_SOURCE, WAITIO_ANY_TAG, -1, &st))
            return player_wrong(y, __LINE__, "probe");
        op *o = add(y, OP_RECEIVE, 0, st.length);
        o->posted = y->posted++;
        o->state = OP_ACTIVE;
        memset(o->buffer + o->room, 0x5a, GUARD);
        for (int k = 0; k < y->plan.n; k++)
            if (!y->plan.message[k].is_cut)
                o->message = k;
        if (waitio_irecv(y->group, st.source, o->buffer, o->room, st.tag, &req))
            return player_wrong(y, __LINE__, "irecv");
        o->req = req;
        if (player_chance(y, 3))
            code = player_wait(y, o);
        for (int k = 0; k < 2 && !code; k++)
            code = player_dabble(y);
    }
    return code;
}

static int cancel_baits(player *y)
{
    int code = 0;
    for (int i = 0; i < y->n && !code; i++)
        if (y->op[i].kind == OP_BAIT && y->op[i].state == OP_ACTIVE)
            code = player_cancel(y, &y->op[i]);
    return code;
}

static bool has_new(const player *y)
{
    for (int i = 0; i < y->n; i++)
        if (y->op[i].state == OP_NEW)
            return true;
    return false;
}

static int start_again(player *y)
{
    int code = cancel_baits(y);
    while (!code && has_new(y))
        code = start_all(y, true, true);
    return code;
}

/* All are started, so whatever this process waits for, nobody waits for it in a circle. */
static int complete_all(player *y)
{
    int code = 0;
    for (op *o; !code && (o = player_active(y)) != NULL;)
        switch (plan_dice(&y->dice, 4)) {
        case 0:
            code = player_wait_all(y, OPS);
            break;
        case 1:
            code = player_wait_all(y, 1 + (int)plan_dice(&y->dice, 4));
            break;
        case 2:
            code = player_wait_any(y, -1);
            break;
        default:
            code = player_wait(y, o);
        }
    return code;
}

/* Of two messages of one sender that fit two receives, the one sent first is in the one posted first. */
static int check_order(player *y)
{
    const plan *p = &y->plan;
    bool by_tag = p->way[y->number] == WAY_BY_TAG || p->way[y->number] == WAY_PROBE;
    for (int i = 0; i < y->n; i++)
        for (int k = 0; k < y->n; k++) {
            const op *a = &y->op[i], *b = &y->op[k];
            if (a->kind != OP_RECEIVE || b->kind != OP_RECEIVE || !a->order || !b->order || a->posted >= b->posted)
                continue;
            const message *m = &p->message[a->came], *n = &p->message[b->came];
            if (m->from == n->from && (!by_tag || m->tag == n->tag) && a->order > b->order)
                return player_wrong(y, __LINE__, "two messages came in the wrong order");
        }
    return 0;
}

static int check_all(player *y)
{
    for (int i = 0; i < y->plan.n; i++)
        if (y->plan.message[i].to == y->number && !y->had[i])
            return player_wrong(y, __LINE__, "a message did not come");
    return check_order(y);
}

static int play_members(player *y)
{
    prepare(y);
    int code = start(y);
    if (!code && y->plan.way[y->number] == WAY_PROBE)
        code = take_by_probe(y);
    code = code ? code : start_again(y);
    /* The requests hold their group. */
    bool is_freed = !code && player_chance(y, 3);
    if (is_freed && waitio_group_free(y->group))
        return player_wrong(y, __LINE__, "group_free");
    code = code ? code : complete_all(y);
    code = code ? code : check_all(y);
    for (int i = 0; i < y->n && !code; i++)
        free(y->op[i].buffer);
    return is_freed || code ? code : waitio_group_free(y->group) ? player_wrong(y, __LINE__, "group_free") : 0;
}

static int play_round(player *y)
{
    int rank = -2;
    y->group = plan_group(&y->plan);
    if (!y->group || waitio_group_rank(y->group, &rank) || rank != y->plan.rank[y->number])
        return player_wrong(y, __LINE__, "group");
    if (rank >= 0)
        return play_members(y);
    return waitio_group_free(y->group) ? player_wrong(y, __LINE__, "group_free") : 0;
}

static void *play_thread(void *arg)
{
    player *y = arg;
    for (int round = 0; round < y->storm->rounds && !y->code; round++) {
        plan_round(&y->plan, round, y->thread, y->storm->longest);
        if (y->thread == 0)
            y->me->step = round;
        play_round(y);
    }
    return NULL;
}

static int play_all(seat *me, const storm *s)
{
    static player all[STORM_THREADS];
    pthread_t id[STORM_THREADS];
    int code = 0, n = s->threads;
    for (int i = 0; i < n; i++) {
        all[i].me = me;
        all[i].storm = s;
        all[i].plan = s->plan;
        all[i].number = s->plan.first[me->pb] + me->rank;
        all[i].thread = i;
        all[i].dice = s->plan.seed * 77 + (uint64_t)(all[i].number * 16 + i);
    }
    for (int i = 1; i < n; i++)
        if (pthread_create(&id[i], NULL, play_thread, &all[i]))
            abort();
    play_thread(&all[0]);
    for (int i = 1; i < n; i++)
        pthread_join(id[i], NULL);
    for (int i = 0; i < n; i++)
        code = code ? code : all[i].code;
    return code;
}

/* Nobody leaves before all have played: who leaves ends the receives from any source of those whom nobody else can
 * send to. */
static int meet(seat *me, const plan *p)
{
    char in[PLAN_PROCESSES], out = 1;
    waitio_req_t req[2 * PLAN_PROCESSES];
    waitio_group_t g = group_of_all(1 << 20);
    for (int i = 0; g && i < p->nprocess; i++)
        if (waitio_irecv(g, i, &in[i], 1, 0, &req[2 * i]) || waitio_isend(g, i, &out, 1, 0, &req[2 * i + 1]))
            return seat_keep(me, __LINE__);
    if (!g || waitio_waitall(2 * p->nprocess, req, NULL) || waitio_group_free(g))
        return seat_keep(me, __LINE__);
    return 0;
}

int storm_play(seat *me, const storm *s)
{
    if (seat_join(me, 60) || waitio_set_patience(s->patience))
        return __LINE__;
    int code = play_all(me, s);
    code = code ? code : meet(me, &s->plan);
    /* The others are not to wait for who has gone wrong. */
    if (code)
        waitio_abort(me->text, 1);
    int left = waitio_finalize();
    return code ? code : seat_keep(me, left) ? __LINE__ : 0;
}

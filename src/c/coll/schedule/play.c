/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll/schedule/play.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/grow.h"

static const char *const kind_name[] = {"sends", "receives", "copies", "combines", "combines"};

typedef struct member {
    int64_t begin, end; /* steps of its round */
    int64_t left;       /* messages of it that have not met */
} member;

typedef struct play {
    const h3ou__schedule *s;
    int n;
    const h3ou__play_ops *ops;
    void *user;
    member *member; /* [n] */
    bool **has_met; /* [n][steps] */
    int *ready;     /* [n] stack of the members that can begin a round */
    int nready;
} play;

/* Returns the first message that has not met in the round of `to`, of a kind, whose peer is `from`; NULL: there is
 * none. */
static const h3ou__step *find_message(play *p, int to, int kind, int from)
{
    const member *m = &p->member[to];
    for (int64_t i = m->begin; i < m->end; i++) {
        const h3ou__step *step = &p->s[to].step[i];
        if (step->kind == kind && step->peer == from && !p->has_met[to][i])
            return step;
    }
    return NULL;
}

static void mark_met(play *p, int rank, const h3ou__step *step)
{
    p->has_met[rank][step - p->s[rank].step] = true;
    if (--p->member[rank].left == 0)
        p->ready[p->nready++] = rank;
}

/* Lets a message that a member has just started meet its counterpart, if that is started. */
static int meet(play *p, int rank, const h3ou__step *step)
{
    bool is_send = step->kind == H3OU__STEP_SEND;
    if (step->peer < 0 || step->peer >= p->n)
        return h3ou__fail(H3OU__EARG, "member %d %s a message whose peer is %d, of %d members", rank,
                          kind_name[step->kind], step->peer, p->n);
    const h3ou__step *other = find_message(p, step->peer, is_send ? H3OU__STEP_RECV : H3OU__STEP_SEND, rank);
    if (!other)
        return H3OU__OK;
    if (other->bytes != step->bytes)
        return h3ou__fail(H3OU__EARG, "member %d sends %lld bytes to member %d, which receives %lld",
                          is_send ? rank : step->peer, (long long)(is_send ? step : other)->bytes,
                          is_send ? step->peer : rank, (long long)(is_send ? other : step)->bytes);
    if (p->ops)
        p->ops->message(p->user, is_send ? rank : step->peer, is_send ? step : other, is_send ? step->peer : rank,
                        is_send ? other : step);
    mark_met(p, step->peer, other);
    mark_met(p, rank, step);
    return H3OU__OK;
}

/* Begins the next round of a member: performs its local steps, then starts its messages one after the other. */
static int begin_round(play *p, int rank)
{
    member *m = &p->member[rank];
    const h3ou__schedule *s = &p->s[rank];
    int64_t first = m->end, end = h3ou__schedule_round_end(s, first);
    int err = H3OU__OK;
    for (int64_t i = first; i < end; i++)
        m->left += h3ou__step_is_message(&s->step[i]);
    bool is_local = m->left == 0;
    m->begin = first;
    for (int64_t i = first; i < end && !err; i++) {
        m->end = i + 1;
        if (h3ou__step_is_message(&s->step[i]))
            err = meet(p, rank, &s->step[i]);
        else if (p->ops)
            p->ops->local(p->user, rank, &s->step[i]);
    }
    if (is_local && end > first)
        p->ready[p->nready++] = rank;
    return err;
}

/* Says why a member cannot go on. */
static int fail_stuck(const play *p, int rank)
{
    const member *m = &p->member[rank];
    int64_t i = m->begin;
    while (i < m->end - 1 && (!h3ou__step_is_message(&p->s[rank].step[i]) || p->has_met[rank][i]))
        i++;
    const h3ou__step *step = &p->s[rank].step[i];
    bool is_send = step->kind == H3OU__STEP_SEND, has_ended = p->member[step->peer].left == 0;
    return h3ou__fail(H3OU__EARG, "step %lld of member %d %s %lld bytes %s member %d, which %s", (long long)i, rank,
                      kind_name[step->kind], (long long)step->bytes, is_send ? "to" : "from", step->peer,
                      has_ended ? is_send ? "does not receive them" : "does not send them"
                                : "waits itself: the schedules do not fit");
}

static int play_all(play *p)
{
    int err = H3OU__OK;
    for (int rank = 0; rank < p->n; rank++)
        p->ready[p->nready++] = p->n - 1 - rank;
    while (p->nready && !err)
        err = begin_round(p, p->ready[--p->nready]);
    for (int rank = 0; rank < p->n && !err; rank++)
        if (p->member[rank].left)
            err = fail_stuck(p, rank);
    return err;
}

int h3ou__schedule_play(const h3ou__schedule s[], int n, const h3ou__play_ops *ops, void *user)
{
    play p = {.s = s, .n = n, .ops = ops, .user = user};
    int64_t total = 0;
    if (n < 1)
        return H3OU__OK;
    for (int rank = 0; rank < n; rank++)
        total += s[rank].n;
    p.member = calloc((size_t)n, sizeof *p.member);
    p.ready = malloc(sizeof *p.ready * (size_t)n);
    p.has_met = malloc(sizeof *p.has_met * (size_t)n);
    bool *all = calloc((size_t)total + 1, sizeof *all);
    int err = p.member && p.ready && p.has_met && all ? H3OU__OK : h3ou__no_memory("the check of schedules");
    for (int64_t rank = 0, at = 0; rank < n && !err; at += s[rank++].n)
        p.has_met[rank] = all + at;
    if (!err)
        err = play_all(&p);
    free(all);
    free(p.has_met);
    free(p.ready);
    free(p.member);
    return err;
}

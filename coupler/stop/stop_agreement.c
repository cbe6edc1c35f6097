/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/stop/stop_agreement.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "coupler/stop/stop_line.h"
#include "coupler/stop/stop_wish.h"
#include "os/os_clock.h"

enum { CHILDREN = 8 };
enum letter_kind { HELLO = 1, WANT, PROPOSAL, REPLY, DECISION, BYE, NO_MORE };
/* Words of letters. PROPOSAL: to TIME, inside a component LAST and EVERY of its rhythm, and IS_UNEVEN. REPLY: to ACCEPTS, the first time
 * (LAST), and of a leader EVERY, the number of times and these. DECISION: TIME.
 * BYE: the end (LAST). */
enum { KIND, ROUND, TIME, ACCEPTS = TIME, LAST_NUM, LAST_DEN, EVERY_NUM, EVERY_DEN, IS_UNEVEN, COUNT = IS_UNEVEN, LIST, FIRST_WORDS = LIST };

static const double LOOKS_EVERY = 5e-4;  /* seconds, while nothing is agreed on */
static const double ROUND_LASTS = 0.02;  /* seconds for which the root waits at the time of its first proposal */

/* How often a model asks. */
typedef struct rhythm {
    h3ou__rational last, every;
    bool is_uneven;
} rhythm;

typedef struct leader {
    h3ou__stop_line line;
    bool has_greeted, has_left, has_replied, accepts;
} leader;

struct h3ou__stop {
    h3ou__world *world; /* borrowed */
    h3ou__stop_model model;
    bool is_leader, is_root;
    h3ou__rational lead; /* of my component, which stops so much later than the time that is proposed and decided on */
    bool has_begun;      /* a step has begun */
    h3ou__rational last; /* the model has asked then; before that its first step began then */
    h3ou__rational end;  /* of the current step */
    int asks, steps;     /* how often it has asked; steps since */
    rhythm mine;         /* of the leader */
    bool leaves_out;     /* the model has not asked at the end of each step */
    bool is_wanted, has_greeted, has_wanted, is_leaving, was_told;
    bool has_no_more;    /* my component has ended: those below were told so */
    bool is_released;    /* no letters of the process above will come */
    /* The proposal that counts: `proposed`, of round `round`, which is 0 while there is none, and 1 for the first, which only asks
     * how far everybody is. */
    int64_t round, proposed;
    int64_t below; /* the last round that those below were told of: at the root that has ended not all */
    rhythm asked; /* of my component */
    bool has_time, has_replied, accepts, all_accept;
    h3ou__rational first;  /* has_time: the first time at which my process can stop */
    h3ou__rational merged; /* the latest of those of my process and of those below it */
    bool is_decided;
    int64_t time; /* is_decided: -1: the run does not stop early */
    h3ou__rational ended; /* at the root: the latest end of the components that have ended, without their leads */
    double began; /* at the root: when the round began, or the wait at its time */
    h3ou__stop_line parent;
    int nchild, nleader;
    leader *child, *leaders; /* leaders: at the root, by component id - 1 */
    h3ou__stop_times *times; /* at the root, of all components */
    h3ou__stop_post post;
    bool is_busy, is_holding;
    double looked;
    int err;
};

/* Global does not tell apart the components of one process, and Leader does not know of jobs that may be lost. */
static h3ou__stop_line line_to_leader(h3ou__world *w, int id)
{
    if (h3ou__world_is_shared(w))
        return (h3ou__stop_line){.comm = h3ou__world_leader(w), .rank = id};
    return (h3ou__stop_line){.comm = h3ou__world_lossy(w), .rank = h3ou__world_component_first(w, id)};
}

/* Finds the processes above and below mine. */
static int connect_lines(h3ou__stop *s)
{
    h3ou__comm *local = h3ou__world_local(s->world);
    int rank = h3ou__comm_rank(local), size = h3ou__comm_size(local), n = h3ou__world_components(s->world);
    s->is_leader = rank == 0;
    s->is_root = s->is_leader && h3ou__world_me(s->world) == 0;
    s->parent = s->is_leader ? line_to_leader(s->world, 0) : (h3ou__stop_line){.comm = local, .rank = (rank - 1) / CHILDREN};
    for (int child = rank * CHILDREN + 1; child <= (rank + 1) * CHILDREN && child < size; child++)
        s->nchild++;
    s->nleader = s->is_root ? n - 1 : 0;
    s->child = calloc((size_t)s->nchild + 1, sizeof *s->child);
    s->leaders = calloc((size_t)s->nleader + 1, sizeof *s->leaders);
    s->times = calloc((size_t)s->nleader + 1, sizeof *s->times);
    if (!s->child || !s->leaders || !s->times)
        return h3ou__no_memory("a list of %d components", n);
    for (int i = 0; i < s->nchild; i++)
        s->child[i].line = (h3ou__stop_line){.comm = local, .rank = rank * CHILDREN + 1 + i};
    for (int i = 0; i < s->nleader; i++)
        s->leaders[i].line = line_to_leader(s->world, i + 1);
    return H3OU__OK;
}

int h3ou__stop_create(h3ou__world *world, const h3ou__stop_model *model, h3ou__stop **out)
{
    h3ou__stop *s = calloc(1, sizeof *s);
    if (!s)
        return h3ou__no_memory("the agreement on a stop");
    *out = s;
    s->world = world;
    s->model = *model;
    s->time = -1;
    s->lead = model->lead(model->user, h3ou__world_me(world));
    s->ended = h3ou__rational_make(INT64_MIN / 2, 1);
    s->mine.every = H3OU__NEVER;
    return connect_lines(s);
}

void h3ou__stop_free(h3ou__stop *s)
{
    if (!s)
        return;
    h3ou__stop_post_free(&s->post);
    free(s->child);
    free(s->leaders);
    free(s->times);
    free(s);
}

static int send_down(h3ou__stop *s, leader *to, int n, int words, const int64_t word[])
{
    int err = H3OU__OK;
    for (int i = 0; i < n && !err; i++)
        if (!to[i].has_left)
            err = h3ou__stop_post_send(&s->post, &to[i].line, words, word);
    return err;
}

static int send_up(h3ou__stop *s, int kind, h3ou__rational time)
{
    const int64_t word[COUNT] = {kind, 0, 0, time.num, time.den};
    return h3ou__stop_post_send(&s->post, &s->parent, COUNT, word);
}

/* Finds the first time at which my process can stop: it asks then, and has not come that far. */
static void find_first(h3ou__stop *s)
{
    const rhythm *r = &s->asked;
    bool is_in_step = h3ou__rational_compare(s->end, s->last) > 0;
    h3ou__rational from = is_in_step ? s->end : s->last;
    if (r->is_uneven) {
        s->first = is_in_step ? from : s->model.next_exchange(s->model.user, from);
        return;
    }
    int64_t k = h3ou__rational_divide(h3ou__rational_subtract(from, r->last), r->every);
    s->first = h3ou__rational_add(r->last, h3ou__rational_times(r->every, k));
    int order = h3ou__rational_compare(s->first, from);
    if (order < 0 || (order == 0 && !is_in_step))
        s->first = h3ou__rational_add(s->first, r->every);
}

static void merge(h3ou__stop *s, h3ou__rational time)
{
    if (h3ou__rational_is_finite(time) && h3ou__rational_compare(time, s->merged) > 0)
        s->merged = time;
}

/* Begins a round, of which the process above or the root itself tells. */
static int take_proposal(h3ou__stop *s, int64_t round, int64_t time, rhythm asked)
{
    const int64_t word[] = {PROPOSAL, round, time, asked.last.num, asked.last.den, asked.every.num, asked.every.den, asked.is_uneven};
    s->round = s->below = round;
    s->proposed = time;
    s->asked = asked;
    s->has_time = s->has_replied = s->accepts = false;
    s->all_accept = true;
    s->merged = h3ou__rational_make(INT64_MIN / 2, 1);
    for (int i = 0; i < s->nchild; i++)
        s->child[i].has_replied = false;
    return send_down(s, s->child, s->nchild, FIRST_WORDS, word);
}

static int take_decision(h3ou__stop *s, int64_t time)
{
    const int64_t word[] = {DECISION, s->round, time};
    s->is_decided = true;
    s->time = time;
    if (s->is_leader)
        h3ou__stop_wish_end();
    int err = send_down(s, s->leaders, s->nleader, 3, word);
    return err || s->has_no_more ? err : send_down(s, s->child, s->nchild, 3, word);
}

/* A component that has left takes no part any more. */
static bool is_gone(const h3ou__stop *s)
{
    return s->is_leader && s->is_leaving;
}

/* My component, or that of the process above, ends: nothing more comes down. */
static int end_below(h3ou__stop *s)
{
    const int64_t word[] = {NO_MORE};
    s->has_no_more = true;
    return send_down(s, s->child, s->nchild, 1, word);
}

static int take_letter_from_above(h3ou__stop *s)
{
    const int64_t *word = s->parent.word;
    s->is_released = word[KIND] == NO_MORE || word[KIND] == DECISION;
    if (word[KIND] == PROPOSAL && !is_gone(s)) {
        rhythm its = {{word[LAST_NUM], word[LAST_DEN]}, {word[EVERY_NUM], word[EVERY_DEN]}, word[IS_UNEVEN] != 0};
        return take_proposal(s, word[ROUND], word[TIME], s->is_leader ? s->mine : its);
    }
    if (word[KIND] == DECISION && !is_gone(s))
        return take_decision(s, word[TIME]);
    return word[KIND] == NO_MORE && !s->has_no_more ? end_below(s) : H3OU__OK;
}

/* A component that has ended, and was asked before, awaits the last letter, so that none is left over. */
static bool is_done_above(const h3ou__stop *s)
{
    return s->is_root || s->parent.is_lost || (s->is_leader ? s->is_released : s->has_no_more);
}

static int look_at_parent(h3ou__stop *s)
{
    bool came = true;
    int err = H3OU__OK;
    while (came && !is_done_above(s) && !err) {
        err = h3ou__stop_line_look(&s->parent, &came);
        if (!err && came)
            err = take_letter_from_above(s);
    }
    return !err && s->parent.is_lost && s->round && !s->is_decided ? take_decision(s, -1) : err;
}

/* Returns whether all processes below mine have replied in this round, if there is one. */
static bool have_children_replied(const h3ou__stop *s)
{
    bool have = true;
    for (int i = 0; i < s->nchild && s->below; i++)
        have &= s->child[i].has_replied;
    return have;
}

static int look_at_child(h3ou__stop *s, leader *child)
{
    bool came = true;
    int err = H3OU__OK;
    while (!child->has_replied && came && !err) {
        err = h3ou__stop_line_look(&child->line, &came);
        const int64_t *word = child->line.word;
        if (err || !came || word[ROUND] != s->below)
            continue; /* an earlier round counts no more */
        child->has_replied = true;
        s->all_accept &= word[ACCEPTS] != 0;
        merge(s, (h3ou__rational){word[LAST_NUM], word[LAST_DEN]});
    }
    return err;
}

static int look_at_children(h3ou__stop *s)
{
    int err = H3OU__OK;
    for (int i = 0; i < s->nchild && s->below && !err; i++)
        err = look_at_child(s, &s->child[i]);
    return err;
}

/* Returns when my component stops, for a time that is proposed or decided on. */
static h3ou__rational mine_of(const h3ou__stop *s, int64_t time)
{
    return h3ou__rational_add(h3ou__whole(time), s->lead);
}

/* The others cannot stop before the end of a component that has ended. */
static void note_end(h3ou__stop *s, int component, h3ou__rational time)
{
    h3ou__rational end = h3ou__rational_subtract(time, s->model.lead(s->model.user, component));
    s->ended = h3ou__rational_compare(end, s->ended) > 0 ? end : s->ended;
}

static int take_leaders_letter(h3ou__stop *s, int i)
{
    leader *l = &s->leaders[i];
    const int64_t *word = l->line.word;
    l->has_greeted |= word[KIND] == HELLO;
    if (word[KIND] == BYE)
        note_end(s, i + 1, (h3ou__rational){word[LAST_NUM], word[LAST_DEN]});
    l->has_left |= word[KIND] == BYE;
    s->is_wanted |= word[KIND] == WANT;
    const int64_t last[] = {NO_MORE};
    if (word[KIND] == BYE && s->round && !s->is_decided)
        return h3ou__stop_post_send(&s->post, &l->line, 1, last);
    if (word[KIND] != REPLY)
        return H3OU__OK;
    h3ou__stop_times *t = &s->times[i + 1];
    *t = (h3ou__stop_times){{word[LAST_NUM], word[LAST_DEN]}, {word[EVERY_NUM], word[EVERY_DEN]}, (int)word[COUNT], {0}};
    memcpy(t->list, word + LIST, sizeof t->list);
    l->has_replied = word[ROUND] == s->round;
    l->accepts = word[ACCEPTS] != 0;
    return H3OU__OK;
}

static int look_at_leaders(h3ou__stop *s)
{
    int err = H3OU__OK;
    for (int i = 0; i < s->nleader && !err; i++) {
        bool came = true;
        while (came && !err && !s->leaders[i].has_left) {
            err = h3ou__stop_line_look(&s->leaders[i].line, &came);
            s->leaders[i].has_left |= s->leaders[i].line.is_lost;
            if (!err && came)
                err = take_leaders_letter(s, i);
        }
    }
    return err;
}

/* Puts together when my component can stop. */
static void find_times(const h3ou__stop *s, h3ou__stop_times *t)
{
    *t = (h3ou__stop_times){.from = s->merged, .every = s->asked.is_uneven ? H3OU__NEVER : s->asked.every};
    if (!s->asked.is_uneven || s->leaves_out)
        return;
    int64_t whole = h3ou__rational_divide(h3ou__rational_subtract(s->merged, h3ou__whole(1)), h3ou__whole(1));
    h3ou__rational at = h3ou__whole(whole);
    while (t->n < H3OU__STOP_TIMES_MOST) {
        at = s->model.next_exchange(s->model.user, at);
        if (!h3ou__rational_is_finite(at))
            break;
        if (at.den == 1 && h3ou__rational_compare(at, s->merged) >= 0)
            t->list[t->n++] = at.num;
    }
}

/* Finds my own reply: a time that my process has not passed is accepted, and not passed without a decision or another proposal. */
static void find_own_reply(h3ou__stop *s)
{
    s->has_time = true;
    if (s->is_leaving)
        return;
    find_first(s);
    merge(s, s->first);
    s->accepts = s->proposed >= 0 && h3ou__rational_compare(s->first, mine_of(s, s->proposed)) <= 0;
    s->all_accept &= s->accepts;
}

/* Replies when all below have. A process that has not begun yet cannot; one that has ended accepts everything. */
static int reply(h3ou__stop *s)
{
    if (!s->round || s->has_replied || !(s->has_begun || s->is_leaving) || is_gone(s))
        return H3OU__OK;
    if (!s->has_time)
        find_own_reply(s);
    if (!have_children_replied(s))
        return H3OU__OK;
    s->has_replied = true;
    if (s->is_root) {
        find_times(s, &s->times[0]);
        return H3OU__OK;
    }
    h3ou__stop_times t = {.from = s->merged};
    if (s->is_leader)
        find_times(s, &t);
    int64_t word[H3OU__STOP_WORDS] = {REPLY, s->round, s->all_accept, t.from.num, t.from.den, t.every.num, t.every.den, t.n};
    memcpy(word + LIST, t.list, sizeof t.list);
    return h3ou__stop_post_send(&s->post, &s->parent, H3OU__STOP_WORDS, word);
}

/* Returns whether a component takes part: 0 is the root's, i that of leader i - 1. */
static bool takes_part(const h3ou__stop *s, int i)
{
    return i ? !s->leaders[i - 1].has_left : !s->is_leaving;
}

/* Of the root: begins the next round. */
static int propose(h3ou__stop *s, int64_t time)
{
    int64_t round = s->round + 1;
    const int64_t word[] = {PROPOSAL, round, time};
    for (int i = 0; i < s->nleader; i++)
        s->leaders[i].has_replied = false;
    s->began = h3ou__now();
    int err = send_down(s, s->leaders, s->nleader, 3, word);
    if (err || !s->is_leaving)
        return err ? err : take_proposal(s, round, time, s->mine);
    s->round = round;
    s->proposed = time;
    return H3OU__OK;
}

static bool is_good_and_later(void *user, int64_t time)
{
    const h3ou__stop *s = user;
    bool is_late = time > s->proposed && h3ou__rational_compare(h3ou__whole(time), s->ended) >= 0;
    return is_late && s->model.is_good(s->model.user, time);
}

/* Of the root: proposes a time that is so far ahead that nobody should have passed it when he is told, the farther the more
 * proposals came too late. */
static int propose_next(h3ou__stop *s)
{
    int n = 0;
    for (int i = 0; i <= s->nleader; i++)
        if (takes_part(s, i)) {
            s->times[n] = s->times[i];
            h3ou__stop_times_lead(&s->times[n], s->model.lead(s->model.user, i));
            h3ou__stop_times_put_off(&s->times[n++], INT64_C(1) << (s->round - 1 < 20 ? s->round - 1 : 20));
        }
    int64_t time = h3ou__stop_times_common(n, s->times, is_good_and_later, s);
    return time < 0 ? take_decision(s, -1) : propose(s, time);
}

/* Returns whether the root waits in vain: a process that has passed the time without knowing of it may wait, inside the model, for
 * one that does not go on. */
static bool is_round_over(const h3ou__stop *s)
{
    int64_t doubled = s->round < 12 ? s->round : 12;
    bool is_waiting = s->is_leaving || s->is_holding;
    return s->proposed >= 0 && is_waiting && h3ou__now() - s->began > ROUND_LASTS * (double)(INT64_C(1) << doubled);
}

/* Of the root: asks when a stop is wanted and all know how often they ask, and decides when all have accepted. */
static int lead(h3ou__stop *s)
{
    bool can_ask = s->asks > 1 || s->is_leaving, have_replied = s->has_replied || s->is_leaving;
    bool accept = s->all_accept || s->is_leaving;
    if (!s->is_root || !s->is_wanted || s->is_decided)
        return H3OU__OK;
    if (!s->model.can_stop(s->model.user))
        return take_decision(s, -1);
    for (int i = 0; i < s->nleader; i++) {
        const leader *l = &s->leaders[i];
        can_ask &= l->has_greeted || l->has_left;
        have_replied &= l->has_replied || l->has_left;
        accept &= l->accepts || l->has_left;
    }
    if (!s->round)
        return can_ask ? propose(s, -1) : H3OU__OK;
    if (have_replied && accept && s->proposed >= 0)
        return take_decision(s, s->proposed);
    return have_replied || is_round_over(s) ? propose_next(s) : H3OU__OK;
}

/* Of a leader: greets when the rhythm of its model is known, and hands wishes on. */
static int tell_root(h3ou__stop *s)
{
    int err = H3OU__OK;
    if (!s->is_leader || s->is_leaving)
        return H3OU__OK;
    if (!s->is_root && !s->has_greeted && s->asks > 1) {
        err = send_up(s, HELLO, s->last);
        s->has_greeted = true;
    }
    if (!err && !s->has_wanted && h3ou__stop_wish_is_there()) {
        s->has_wanted = s->is_wanted = true;
        err = s->is_root ? H3OU__OK : send_up(s, WANT, s->last);
    }
    return err;
}

static int do_all(h3ou__stop *s)
{
    bool left;
    int err = h3ou__stop_post_sweep(&s->post, s->world, &left);
    if (!err)
        err = tell_root(s);
    if (!err)
        err = look_at_parent(s);
    if (!err)
        err = look_at_leaders(s);
    if (!err)
        err = lead(s);
    if (!err)
        err = look_at_children(s);
    if (!err)
        err = reply(s);
    return err ? err : lead(s);
}

void h3ou__stop_poll(h3ou__stop *s)
{
    if (s->is_busy || s->err)
        return;
    s->is_busy = true;
    s->err = do_all(s);
    s->is_busy = false;
    s->looked = h3ou__now();
}

void h3ou__stop_begin_step(h3ou__stop *s, h3ou__rational now, h3ou__rational end, bool is_uneven)
{
    if (!s->has_begun)
        s->last = now;
    s->has_begun = true;
    s->end = end;
    s->steps++;
    s->mine.is_uneven |= is_uneven;
    if (!s->is_decided && h3ou__now() - s->looked > LOOKS_EVERY)
        h3ou__stop_poll(s); /* letters that were sent at the ends of the others' last steps */
}

/* Learns how often the model asks. */
static void note_question(h3ou__stop *s, h3ou__rational now)
{
    h3ou__rational passed = h3ou__rational_subtract(now, s->last);
    if (s->asks && h3ou__rational_compare(passed, h3ou__whole(0)) <= 0)
        return; /* a second time in this step */
    if (s->asks > 1 && h3ou__rational_compare(passed, s->mine.every) != 0)
        s->mine.is_uneven = true;
    if (s->asks == 1)
        s->mine.every = passed;
    s->leaves_out |= s->steps > 1;
    s->steps = 0;
    s->asks++;
    s->last = s->mine.last = now;
}

/* Returns whether my process has come to a time that it has accepted, and that may be the one. */
static bool must_hold(const h3ou__stop *s)
{
    return s->round && s->accepts && !s->is_decided && !s->has_no_more &&
           h3ou__rational_compare(s->last, mine_of(s, s->proposed)) >= 0;
}

static bool is_hold_over(void *user)
{
    h3ou__stop *s = user;
    h3ou__stop_poll(s);
    return s->err || !must_hold(s);
}

/* Waits for the decision. */
static int hold(h3ou__stop *s)
{
    s->is_holding = true;
    s->began = h3ou__now();
    int err = h3ou__world_await(s->world, is_hold_over, s, "the time of an early stop", "the other components", false);
    s->is_holding = false;
    return err;
}

int h3ou__stop_ask(h3ou__stop *s, h3ou__rational now, bool *is_now)
{
    *is_now = false;
    if (!s->has_begun)
        return H3OU__OK;
    note_question(s, now);
    if (!s->is_decided && (s->round || h3ou__now() - s->looked > LOOKS_EVERY))
        h3ou__stop_poll(s);
    int err = !s->err && must_hold(s) ? hold(s) : s->err;
    if (err || s->err)
        return err ? err : s->err;
    int order = s->is_decided && s->time >= 0 ? h3ou__rational_compare(now, mine_of(s, s->time)) : -1;
    *is_now = order >= 0;
    s->was_told |= order == 0;
    if (order <= 0 || s->was_told)
        return H3OU__OK;
    return h3ou__fail(H3OU__ETIME,
                      "h3ou_should_stop: the components stop %lld s after the start, but this one, whose steps or questions "
                      "have changed, ended no step there: let steps of changing length end at each exchange time",
                      (long long)mine_of(s, s->time).num);
}

bool h3ou__stop_is_decided(const h3ou__stop *s, int64_t *time)
{
    *time = s->time < 0 ? -1 : mine_of(s, s->time).num;
    return s->is_decided;
}

int h3ou__stop_leave(h3ou__stop *s, h3ou__rational end)
{
    bool is_first = s->is_leader && !s->is_leaving;
    int err = s->err;
    s->is_leaving = true;
    note_end(s, h3ou__world_me(s->world), end);
    if (!err && is_first)
        err = end_below(s);
    return err || !is_first || s->is_root ? err : send_up(s, BYE, end);
}

static bool is_unasked(void *user)
{
    h3ou__stop *s = user;
    h3ou__stop_poll(s);
    bool is_over = have_children_replied(s) && s->has_no_more && (!s->round || (s->is_leader ? is_done_above(s) : s->has_replied));
    for (int i = 0; i < s->nleader; i++)
        is_over &= s->leaders[i].has_left;
    return is_over || s->err;
}

static bool has_sent_all(void *user)
{
    h3ou__stop *s = user;
    bool left = false;
    s->err = s->err ? s->err : h3ou__stop_post_sweep(&s->post, s->world, &left);
    return !left || s->err;
}

int h3ou__stop_end(h3ou__stop *s)
{
    static const char what[] = "the end of all who may agree on an early stop", who[] = "other processes";
    int err = h3ou__world_await(s->world, is_unasked, s, what, who, true);
    if (s->is_root)
        h3ou__stop_wish_end();
    if (!err && !s->err)
        err = h3ou__world_await(s->world, has_sent_all, s, what, who, false);
    return err ? err : s->err;
}

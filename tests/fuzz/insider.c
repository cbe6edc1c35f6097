/* SPDX-License-Identifier: BSD-3-Clause */
#include "insider.h"

#include <stdlib.h>
#include <string.h>

#include "alone.h"
#include "must.h"
#include "phrase.h"
#include "run.h"
#include "waitio/joining/king_link.h"
#include "waitio/joining/king_reconnect.h"
#include "waitio/message/lane_connect.h"
#include "waitio/message/match.h"
#include "waitio/message/peer.h"
#include "waitio/progress/progress.h"
#include "world.h"

enum { REQUESTS = 10, STREAMS = 4, STEPS = 300 };

typedef struct request {
    waitio_req_t req;
    unsigned char *bytes; /* of its size, so that one byte too many is seen; NULL: not active */
} request;

typedef struct session { /* of one process of the company with number 0 */
    world *w;
    int rank;
    waitio_group_t group[PHRASE_GROUPS];
    request request[REQUESTS];
    speaker *speaker[STREAMS];
    uint64_t completed;
} session;

/* What the program of number 0 wants of the process: messages of any length, there and back, from it or from any. */
static void want(session *s, int i)
{
    request *r = &s->request[i];
    waitio_group_t g = s->group[dice(PHRASE_GROUPS)];
    size_t n = dice(dice(2) ? PHRASE_SHORT : PHRASE_LONG);
    int64_t tag = dice(4) ? (int64_t)dice(PHRASE_TAGS) : WAITIO_ANY_TAG;
    r->bytes = calloc(1, n ? n : 1);
    MUST(r->bytes);
    if (i % 3 == 0)
        MUST(!waitio_isend(g, s->rank, (char *)r->bytes, n, (int64_t)dice(PHRASE_TAGS), &r->req));
    else
        MUST(!waitio_irecv(g, dice(8) ? s->rank : WAITIO_ANY_SOURCE, (char *)r->bytes, n, tag, &r->req));
}

/* A message that has ended gives its buffer back at once: nobody may touch it any more. */
static void look(session *s, int i)
{
    request *r = &s->request[i];
    int done = 0, code = r->bytes ? waitio_test(&r->req, &done) : 0;
    if (!r->bytes || !done)
        return;
    s->completed += !code;
    free(r->bytes);
    r->bytes = NULL;
}

/* All that concerned the process has ended, with it or before. */
static void settle(session *s)
{
    bool has_failed = s->w->in[0]->failed;
    for (int i = 0; i < REQUESTS; i++) {
        look(s, i);
        MUST(has_failed || !s->request[i].bytes);
        free(s->request[i].bytes);
    }
}

static void call(session *s, speaker *who)
{
    waitio__link link[2];
    world_pair(link);
    waitio__lane_accept(s->w->in[0], &link[0]);
    speaker_call(who, &link[1]);
}

/* False: the other end wants to hear no more. */
static bool step(session *s)
{
    speaker *who = s->speaker[dice(3) ? dice(STREAMS) : 0];
    if (who->talks && dice(100) == 0)
        speaker_hang_up(who);
    else if (who->talks)
        for (uint64_t n = 1 + dice(6); n && who->talks; n--)
            speaker_say(who);
    else if (who->was_refused && dice(4) == 0)
        return false;
    else if (!who->greeting)
        call(s, who);
    world_turn(s->w);
    const waitio__instance *in = s->w->in[0];
    for (int i = (int)dice(3); i < REQUESTS; i += 3) {
        if (!in->failed)
            look(s, i);
        if (!in->failed && !s->request[i].bytes)
            want(s, i);
    }
    return !in->failed;
}

static uint64_t speak_as(world *w, int rank)
{
    session s = {.w = w, .rank = rank};
    waitio__instance *in = w->in[0];
    waitio__peer *p;
    for (int i = 0; i < PHRASE_GROUPS; i++)
        s.group[i] = group_of_all(i);
    for (int i = 0; i < REQUESTS; i++)
        want(&s, i);
    MUST(!waitio__peer_get(in, rank, &p));
    for (int i = 0; i < STREAMS; i++) {
        waitio__greet hello = {.purpose = WAITIO__FOR_LANE, .lane = i ? (int)dice(WAITIO__LANES) : 0, .source = rank};
        s.speaker[i] = speaker_new(&w->all, &hello);
    }
    for (int i = 0; i < STEPS && step(&s) && !p->failed; i++)
        MUST(in->counters.unexpected_bytes <= (uint64_t)WORLD_RANKS * WORLD_CREDIT);
    company_clear(&w->all);
    for (p = in->peers.first; p; p = p->next) /* it may have spoken as one of the others, too */
        if (p->global >= w->all.honest)
            waitio__peer_fail(p, WAITIO_EPEER, "the test ends it");
    settle(&s);
    for (int i = 0; i < PHRASE_GROUPS; i++)
        waitio_group_free(s.group[i]);
    return s.completed;
}

static void count(insider_counts *counts, const company *all)
{
    counts->said += all->said;
    counts->stood += all->stood;
}

void insider_as_process(insider_counts *counts)
{
    world *w = world_begin();
    w->all.honest = 2;
    w->all.encrypts = dice(4) == 0;
    w->in[0]->set.connections_most = dice(4) ? 1024 : 2;
    for (int rank = 2; rank < WORLD_RANKS && !w->in[0]->failed; rank++) {
        static const uint64_t one_in[] = {6, 12, 40, 200};
        w->all.bends_greetings = dice(3) == 0;
        w->all.bends_one_in = one_in[dice(4)];
        counts->completed += speak_as(w, rank);
    }
    counts->arrived += w->arrived;
    count(counts, &w->all);
    world_end(w);
}

enum { JOBS = 4, KING_STEPS = 60 };
static const int one_each[JOBS] = {1, 1, 1, 1};

static waitio__instance *begin_alone(company *all, int me)
{
    waitio__key key[2];
    waitio__random(key, sizeof key);
    waitio__instance *in = world_instance(JOBS, one_each, me, &key[0]);
    in->self.join_key = key[1];
    in->patience = 0.01;
    company_open(all, &key[0], &key[1]);
    all->npb = JOBS;
    return in;
}

static speaker *new_king(company *all)
{
    waitio__greet hello = {.purpose = dice(3) ? WAITIO__FOR_JOIN : WAITIO__FOR_REJOIN, .source = (int)dice(JOBS + 1)};
    return speaker_new(all, &hello);
}

static void call_gate(waitio__instance *in, speaker *king)
{
    waitio__link link[2];
    world_pair(link);
    waitio__king_link_accept(in, &link[0]);
    speaker_call(king, &link[1]);
}

void insider_as_king(insider_counts *counts)
{
    company all;
    waitio__instance *in = begin_alone(&all, 0);
    speaker *king[JOBS];
    in->is_joined = dice(3) == 0;
    all.bends_greetings = dice(3) == 0;
    for (int i = 0; i < JOBS; i++)
        king[i] = new_king(&all);
    for (int i = 0; i < KING_STEPS; i++) {
        speaker *k = king[dice(JOBS)];
        in->is_joined = in->is_joined || dice(30) == 0;
        if (k->talks && dice(30) == 0)
            speaker_hang_up(k);
        else if (k->talks)
            speaker_say(k);
        else if (!k->greeting)
            call_gate(in, k);
        waitio__progress(in, 0);
        company_turn(&all);
    }
    count(counts, &all);
    company_close(&all);
    waitio__instance_free(in);
}

static void king_speaks(void *owner, waitio__greet *proof)
{
    (void)owner;
    (void)proof;
}

static void king_greeted(void *owner, waitio__greeting *g, const waitio__greet *other, waitio__link *link)
{
    waitio__instance *in = owner;
    waitio__king_link *k;
    if (other->verdict == WAITIO__TAKEN && !waitio__king_link_new(in, g, link, false, &k))
        waitio__king_link_send(k, WAITIO__JOIN, in->set.pbid, NULL, 0);
}

static void king_failed(void *owner, waitio__greeting *g, int code)
{
    (void)owner;
    (void)g;
    (void)code;
}

void insider_as_master(insider_counts *counts)
{
    static const waitio__greeting_ops king_ops = {.speak = king_speaks, .greeted = king_greeted, .failed = king_failed};
    company all;
    waitio__link link[2];
    waitio__instance *in = begin_alone(&all, 1);
    waitio__greet hello = {.purpose = WAITIO__FOR_JOIN, .source = 1};
    in->is_joined = dice(3) == 0;
    world_pair(link);
    company_hear(&all, &link[1]);
    MUST(waitio__greeting_open(&in->greetings, &link[0], &hello, &in->self.join_key, &king_ops, in));
    for (int i = 0; i < KING_STEPS; i++) {
        if (all.first && all.first->talks && i > 5)
            speaker_say(all.first);
        waitio__progress(in, 0);
        company_turn(&all);
    }
    count(counts, &all);
    company_close(&all);
    waitio__instance_free(in);
}

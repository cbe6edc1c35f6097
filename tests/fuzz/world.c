/* SPDX-License-Identifier: BSD-3-Clause */
#include "world.h"

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "alone.h"
#include "must.h"
#include "run.h"
#include "waitio/message/lane_connect.h"
#include "waitio/progress/progress.h"

enum { GROUP = 77 };

static world *of_links; /* whose processes `pairing` connects */

void world_pair(waitio__link link[2])
{
    int fd[2];
    struct sockaddr any = {.sa_family = AF_UNIX}; /* one end has a name, or it would seem to be connected to itself */
    MUST(!socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, fd) &&
         !bind(fd[0], &any, sizeof any.sa_family));
    for (int i = 0; i < 2; i++)
        link[i] = (waitio__link){.conduit = &waitio__tcp, .fd = fd[i]};
}

/* A process is known by its port, which is its number and 1. */
static int pairing_open(const waitio__conduit_settings *set, const waitio__address *to, waitio__link *out)
{
    waitio__link link[2];
    int number = to->port - 1;
    (void)set;
    if (!of_links || (number > 1 && dice(16) == 0))
        return h3ou__fail(of_links ? H3OU__EPEER : H3OU__EREFUSED, "the way is not passable");
    world_pair(link);
    if (number > 1)
        company_hear(&of_links->all, &link[1]);
    else
        waitio__lane_accept(of_links->in[number], &link[1]);
    *out = link[0];
    return H3OU__OK;
}

static const waitio__conduit pairing = {.name = "pairing", .open = pairing_open};

static void fill_table(waitio__instance *in, int npb, const int size[])
{
    waitio__endpoint_table_reader *reader = NULL;
    uint64_t n;
    unsigned char bytes[WORLD_RANKS * (WAITIO__SALT + WAITIO__ADDRESS)] = {0}, *next = bytes;
    const unsigned char *records[WORLD_RANKS];
    int all = 0;
    for (int pb = 0; pb < npb; pb++) {
        records[pb] = next;
        next += WAITIO__SALT;
        for (int i = 0; i < size[pb]; i++, all++, next += WAITIO__ADDRESS) {
            MUST(all < WORLD_RANKS);
            waitio__address at = {.ip = {[10] = 255, [11] = 255, [12] = 127, [15] = 1}, .port = (uint16_t)(all + 1)};
            waitio__endpoint_put(&at, next);
        }
    }
    unsigned char *table = waitio__endpoints_pack(npb, records, size, &n);
    MUST(table && !waitio__endpoint_table_begin(&reader, &in->table, 0, &in->memory));
    MUST(!waitio__endpoint_table_end(reader, waitio__endpoint_table_take(reader, table, n), 1));
    free(table);
}

waitio__instance *world_instance(int npb, const int size[], int me, const waitio__key *lane_key)
{
    waitio__instance *in;
    MUST(!waitio__instance_new(&in));
    fill_table(in, npb, size);
    in->set.npb = npb;
    in->set.eager = 3000;
    in->set.credit = WORLD_CREDIT;
    in->set.route[0] = &pairing;
    in->set.route[1] = NULL;
    in->id = 42;
    in->patience = 3600;
    in->is_joined = true;
    in->self.lane_key = *lane_key;
    in->me = me;
    waitio__endpoints_find(&in->table, me, &in->set.pbid, &in->self.rank);
    waitio__instance_set_own(in);
    return in;
}

static void open_stream(stream *s, waitio__instance *from, waitio__instance *to)
{
    *s = (stream){.from = from, .to = to, .source = from->me, .target = to->me};
    for (int i = 0; i < 2; i++) {
        waitio__instance_set_own(i ? to : from);
        s->group[i] = group_of_all(GROUP);
        MUST(s->group[i]);
    }
}

world *world_begin(void)
{
    static const int size[] = {WORLD_RANKS};
    waitio__key key[2];
    world *w = calloc(1, sizeof *w);
    MUST(w);
    waitio__random(key, sizeof key);
    for (int i = 0; i < 2; i++)
        w->in[i] = world_instance(1, size, i, &key[0]);
    company_open(&w->all, &key[0], &key[1]);
    of_links = w;
    for (int i = 0; i < 2; i++)
        open_stream(&w->stream[i], w->in[i], w->in[1 - i]);
    return w;
}

static int start(stream *s, bool sends)
{
    waitio__instance_set_own(sends ? s->from : s->to);
    int64_t tag = (int64_t)s->number;
    return sends ? waitio_isend(s->group[0], s->target, s->out, s->size, tag, &s->send)
                 : waitio_irecv(s->group[1], s->source, s->in, s->size, tag, &s->receive);
}

static void drop_message(stream *s)
{
    free(s->out);
    free(s->in);
    s->out = s->in = NULL;
    s->is_under_way = false;
}

static void begin_message(stream *s)
{
    static const size_t most[] = {1, 200, 4000, 4000, 90000};
    bool sends_first = dice(2);
    s->size = dice(most[dice(5)]);
    s->out = malloc(s->size ? s->size : 1);
    s->in = malloc(s->size ? s->size : 1);
    MUST(s->out && s->in);
    fill_pattern(s->out, s->size, s->number);
    s->is_under_way = true;
    int code = start(s, sends_first);
    MUST(!code && !start(s, !sends_first));
}

/* False: no, and only since its instance was made to fail. */
static bool is_done(waitio__instance *in, waitio_req_t *req)
{
    int done = 0;
    waitio__instance_set_own(in);
    int code = waitio_test(req, &done);
    if (code && !in->failed)
        fprintf(stderr, "%s\n", waitio_error());
    MUST(!code || in->failed);
    return !code && done;
}

/* True: a message has arrived, and is the one that was sent. */
static bool step_message(stream *s)
{
    if (!s->is_under_way)
        begin_message(s);
    bool sent = is_done(s->from, &s->send), received = is_done(s->to, &s->receive);
    if (!sent || !received)
        return false;
    size_t n;
    MUST(!waitio_received(&s->receive, &n) && n == s->size);
    MUST(is_pattern(s->in, s->size, s->number));
    drop_message(s);
    s->number++;
    return true;
}

/* To be called while no instance has failed. */
void world_turn(world *w)
{
    for (int i = 0; i < 2; i++)
        waitio__progress(w->in[i], 0);
    company_turn(&w->all);
    for (int i = 0; i < 2; i++)
        if (!w->in[0]->failed && !w->in[1]->failed)
            w->arrived += step_message(&w->stream[i]);
    waitio__instance_set_own(w->in[0]);
}

/* What was under way still arrives. */
static void finish(world *w)
{
    for (int i = 0; i < 2; i++)
        for (int turns = 0; w->stream[i].is_under_way; turns++) {
            MUST(turns < 100000);
            waitio__progress(w->in[i], 0);
            waitio__progress(w->in[1 - i], 0);
            w->arrived += step_message(&w->stream[i]);
        }
}

void world_end(world *w)
{
    company_clear(&w->all);
    MUST(!w->in[1]->failed);
    if (!w->in[0]->failed)
        finish(w);
    of_links = NULL;
    for (int i = 0; i < 2; i++) {
        drop_message(&w->stream[i]);
        for (int k = 0; k < 2; k++)
            waitio_group_free(w->stream[i].group[k]);
    }
    for (int i = 0; i < 2; i++)
        waitio__instance_free(w->in[i]);
    company_close(&w->all);
    free(w);
}

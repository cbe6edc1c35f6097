/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/pingpong/pingpong_crew.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/bytes.h"
#include "base/error.h"
#include "tools/harness/player.h"
#include "tools/harness/wire_tcp.h"
#include "tools/harness/wire_waitio.h"

enum tag { TAG_INVITE = WIRE_WAITIO_TAGS, TAG_ORDER, TAG_RESULT, TAG_BARRIER };
enum { ORDER_BYTES = 32, RESULT_BYTES = 16 };

/* What rank 0 orders the others to do; repeats 0: to end. */
typedef struct order {
    uint64_t link, pairs, bytes, repeats;
} order;

static int send_bytes(pingpong_crew *c, int to, void *bytes, size_t n, enum tag tag)
{
    waitio_req_t req;
    int code = waitio_isend(c->all, to, bytes, n, tag, &req);
    if (!code)
        code = waitio_wait(&req);
    return wire_waitio_result(code);
}

static int receive_bytes(pingpong_crew *c, int from, void *bytes, size_t n, enum tag tag)
{
    waitio_req_t req;
    int code = waitio_irecv(c->all, from, bytes, n, tag, &req);
    if (!code)
        code = waitio_wait(&req);
    return wire_waitio_result(code);
}

/* Returns the rank of a player; players are numbered pair by pair: 0 and 1 are pair 0, 2 and 3 pair 1 ... */
static int player_rank(const pingpong_crew *c, int number)
{
    int pair = number / 2, side = number % 2;
    if (c->npb == 2)
        return side ? c->first + pair : pair;
    return c->is_far ? pair + side * (c->size / 2) : number;
}

static void find_own_pair(pingpong_crew *c)
{
    int other = c->size - c->first;
    c->pairs = c->npb == 2 ? (c->first < other ? c->first : other) : c->size / 2;
    c->pair = -1;
    for (int i = 0; i < 2 * c->pairs; i++)
        if (player_rank(c, i) == c->rank) {
            c->pair = i / 2;
            c->side = i % 2;
            c->partner = player_rank(c, i ^ 1);
        }
}

/* Opens the wires to the partner of my pair. */
static int connect_pair(pingpong_crew *c)
{
    char invitation[WIRE_TCP_INVITATION];
    wire *raw = &c->wire[PINGPONG_LINK_RAW];
    if (c->pair < 0)
        return H3OU__OK;
    int code = wire_waitio_use(&c->wire[PINGPONG_LINK_WAITIO], c->all, c->partner);
    if (code)
        return code;
    if (c->side) {
        code = receive_bytes(c, c->partner, invitation, sizeof invitation, TAG_INVITE);
        return code ? code : wire_tcp_connect(raw, invitation);
    }
    code = wire_tcp_listen(raw, invitation);
    if (!code)
        code = send_bytes(c, c->partner, invitation, sizeof invitation, TAG_INVITE);
    return code ? code : wire_tcp_accept(raw);
}

int pingpong_crew_join(pingpong_crew *c, int timeout)
{
    int *nprocs = NULL;
    c->wire[PINGPONG_LINK_RAW] = (wire){.ops = &wire_tcp, .wait = WIRE_YIELD};
    c->wire[PINGPONG_LINK_WAITIO] = (wire){.ops = &wire_waitio};
    sched_getaffinity(0, sizeof c->allowed, &c->allowed);
    int code = waitio_init(timeout);
    if (!code)
        code = waitio_pb_size(&c->npb);
    if (!code && c->npb > 2)
        return h3ou__fail(H3OU__EARG, "WAITIO_NPB=%d: ping-pong is played by one PB, or between two", c->npb);
    if (!code)
        code = waitio_get_nprocs(&nprocs);
    if (code < 0)
        return wire_waitio_result(code);
    c->first = nprocs[0];
    free(nprocs);
    code = wire_waitio_group(1, &c->all);
    if (code)
        return code;
    if (waitio_group_rank(c->all, &c->rank) || waitio_group_size(c->all, &c->size))
        return wire_waitio_result(WAITIO_EARG);
    find_own_pair(c);
    if (c->pairs < 1)
        return h3ou__fail(H3OU__EARG, "a single process: ping-pong needs two, start the job with -n 2 or more");
    return connect_pair(c);
}

/* Binds each player to a core of its own when there are enough, else to none. */
static void pin_player(pingpong_crew *c, int pairs)
{
    bool is_room = c->may_pin && 2 * pairs <= CPU_COUNT(&c->allowed);
    if (is_room && c->pair >= 0 && c->pinned != pairs)
        player_bind(player_core(&c->allowed, 2 * c->pair + c->side));
    else if (!is_room && c->pinned)
        sched_setaffinity(0, sizeof c->allowed, &c->allowed);
    c->pinned = is_room ? pairs : 0;
}

static int resize_buffer(pingpong_crew *c, size_t n)
{
    if (n <= c->room)
        return H3OU__OK;
    if (c->buf)
        munmap(c->buf, c->room);
    c->room = n;
    c->buf = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (c->buf == MAP_FAILED) {
        c->buf = NULL;
        c->room = 0;
        return h3ou__fail(H3OU__ENOMEM, "no memory for a message of %zu bytes: say a smaller one with --sizes", n);
    }
    memset(c->buf, 'p', n); /* touch the memory before the measurement */
    return H3OU__OK;
}

/* A barrier of the players (dissemination: log2 steps). */
static int player_barrier(pingpong_crew *c, int players)
{
    int me = 2 * c->pair + c->side, code = H3OU__OK;
    for (int step = 1; step < players && !code; step *= 2) {
        char in, out = 1;
        waitio_req_t send, receive;
        code = waitio_irecv(c->all, player_rank(c, (me - step + players) % players), &in, 1, TAG_BARRIER, &receive);
        if (!code)
            code = waitio_isend(c->all, player_rank(c, (me + step) % players), &out, 1, TAG_BARRIER, &send);
        if (!code)
            code = waitio_wait(&send);
        if (!code)
            code = waitio_wait(&receive);
    }
    return wire_waitio_result(code);
}

static int perform_order(pingpong_crew *c, const order *o, double *ns)
{
    wire *w = &c->wire[o->link];
    pin_player(c, (int)o->pairs);
    int code = resize_buffer(c, (size_t)o->bytes);
    if (!code)
        code = player_barrier(c, 2 * (int)o->pairs);
    if (code)
        return code;
    code = play_ping_pongs(w, c->side, c->buf, (size_t)o->bytes, o->repeats, ns);
    return code ? h3ou__fail_in(code, "ping-pong with rank %d", c->partner) : H3OU__OK;
}

int pingpong_crew_serve(pingpong_crew *c)
{
    for (;;) {
        unsigned char bytes[ORDER_BYTES];
        double ns = 0;
        int code = receive_bytes(c, 0, bytes, sizeof bytes, TAG_ORDER);
        order o = {h3ou__get64(bytes), h3ou__get64(bytes + 8), h3ou__get64(bytes + 16), h3ou__get64(bytes + 24)};
        if (code || o.repeats == 0)
            return code;
        if (c->pair < 0 || o.link >= PINGPONG_LINKS || o.pairs > (uint64_t)c->pairs || (uint64_t)c->pair >= o.pairs ||
            o.bytes < 1 || o.bytes > PINGPONG_BYTES_MOST)
            return h3ou__fail(H3OU__EPROTO,
                              "an order that this process cannot follow: is h3ou of one version in both jobs?");
        code = perform_order(c, &o, &ns);
        h3ou__put64(bytes, (uint64_t)ns);
        h3ou__put64(bytes + 8, o.repeats);
        if (!code)
            code = send_bytes(c, 0, bytes, RESULT_BYTES, TAG_RESULT);
        if (code)
            return code;
    }
}

static int send_order(pingpong_crew *c, int to, const order *o)
{
    unsigned char bytes[ORDER_BYTES];
    h3ou__put64(bytes, o->link);
    h3ou__put64(bytes + 8, o->pairs);
    h3ou__put64(bytes + 16, o->bytes);
    h3ou__put64(bytes + 24, o->repeats);
    return send_bytes(c, to, bytes, sizeof bytes, TAG_ORDER);
}

/* What rank 0 needs in a round. */
typedef struct conductor {
    pingpong_crew *crew;
    int pairs;
    const pingpong_sink *sink;
} conductor;

/* Lets all pairs play one round; each side 0 measures its pair. */
static int play_round(void *user, round_result *r)
{
    const conductor *me = user;
    pingpong_crew *c = me->crew;
    const order o = {(uint64_t)r->link, (uint64_t)me->pairs, (uint64_t)r->bytes, (uint64_t)r->repeats};
    double ns = 0;
    int code = H3OU__OK, players = 2 * me->pairs;
    for (int i = 1; i < players && !code; i++)
        code = send_order(c, player_rank(c, i), &o);
    if (!code)
        code = perform_order(c, &o, &ns);
    r->pairs = me->pairs;
    r->is_pinned = c->pinned != 0;
    r->slowest = r->mean = ns;
    for (int i = 1; i < players && !code; i++) {
        unsigned char bytes[RESULT_BYTES];
        code = receive_bytes(c, player_rank(c, i), bytes, sizeof bytes, TAG_RESULT);
        double took = code ? 0 : (double)h3ou__get64(bytes);
        if (i % 2 == 0) {
            r->slowest = took > r->slowest ? took : r->slowest;
            r->mean += took;
        }
    }
    r->mean /= me->pairs;
    return code;
}

static int put_round(void *user, const round_result *r)
{
    const conductor *me = user;
    return me->sink->round(me->sink->user, r);
}

int pingpong_crew_conduct(pingpong_crew *c, const pingpong_plan *plan, const pingpong_sink *to)
{
    static const round_ops ops = {play_round, put_round};
    const order last = {.pairs = 1, .bytes = 1};
    int code = H3OU__OK;
    for (int i = 0; i < plan->npairs && !code; i++)
        if (plan->pairs[i] > c->pairs)
            code = h3ou__fail(H3OU__EARG, "--pairs %d: these jobs have processes for %d", plan->pairs[i], c->pairs);
    for (int i = 0; i < plan->npairs && !code; i++) {
        conductor me = {c, plan->pairs[i], to};
        for (int k = 0; k < plan->nsize && !code; k++)
            code = measure_rounds(&plan->round, PINGPONG_LINKS, plan->size[k], &ops, &me);
    }
    for (int i = 1; i < c->size && !code; i++)
        code = send_order(c, i, &last);
    return code;
}

void pingpong_crew_free(pingpong_crew *c)
{
    wire_tcp_close(&c->wire[PINGPONG_LINK_RAW]);
    free(c->wire[PINGPONG_LINK_WAITIO].own);
    if (c->buf)
        munmap(c->buf, c->room);
    if (c->all)
        waitio_group_free(c->all);
}

int pingpong_crew_leave(pingpong_crew *c)
{
    pingpong_crew_free(c);
    return wire_waitio_result(waitio_finalize());
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/pingpong/pingpong_crew.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "base/bytes.h"
#include "base/error.h"

enum tag { TAG_INVITE = 1, TAG_ORDER, TAG_RESULT, TAG_BARRIER, TAG_BALL };
enum { MOST_PROCESSES = 1 << 20, ORDER_BYTES = 32, RESULT_BYTES = 16, STAMP = 8, CALIBRATING = 8 };

/* What rank 0 tells the others to do; repeats 0: the end. */
typedef struct order {
    uint64_t link, pairs, bytes, repeats;
} order;

/* The library may keep the sentence where ours is written. */
static int waitio_failed(int code)
{
    char text[H3OU__ERROR_TEXT];
    snprintf(text, sizeof text, "%s", waitio_error());
    return h3ou__fail(code, "%s", text);
}

static int send_to(pingpong_crew *c, int to, void *bytes, size_t n, enum tag tag)
{
    waitio_req_t req;
    int code = waitio_isend(c->all, to, bytes, n, tag, &req);
    if (!code)
        code = waitio_wait(&req);
    return code ? waitio_failed(code) : H3OU__OK;
}

static int receive_from(pingpong_crew *c, int from, void *bytes, size_t n, enum tag tag)
{
    waitio_req_t req;
    int code = waitio_irecv(c->all, from, bytes, n, tag, &req);
    if (!code)
        code = waitio_wait(&req);
    return code ? waitio_failed(code) : H3OU__OK;
}

/* Processes that play are counted: pair 0's two, pair 1's two, ... */
static int player(const pingpong_crew *c, int number)
{
    int pair = number / 2, side = number % 2;
    if (c->npb == 2)
        return side ? c->first + pair : pair;
    return c->is_far ? pair + side * (c->size / 2) : number;
}

static void find_pair(pingpong_crew *c)
{
    int other = c->size - c->first;
    c->pairs = c->npb == 2 ? (c->first < other ? c->first : other) : c->size / 2;
    c->pair = -1;
    for (int i = 0; i < 2 * c->pairs; i++)
        if (player(c, i) == c->rank) {
            c->pair = i / 2;
            c->side = i % 2;
            c->partner = player(c, i ^ 1);
        }
}

/* The raw connection of my pair. */
static int connect_raw(pingpong_crew *c)
{
    char invitation[PINGPONG_INVITATION];
    if (c->pair < 0)
        return H3OU__OK;
    if (c->side) {
        int code = receive_from(c, c->partner, invitation, sizeof invitation, TAG_INVITE);
        return code ? code : pingpong_raw_connect(&c->raw, invitation);
    }
    int code = pingpong_raw_listen(&c->raw, invitation);
    if (!code)
        code = send_to(c, c->partner, invitation, sizeof invitation, TAG_INVITE);
    return code ? code : pingpong_raw_accept(&c->raw);
}

static int everyone(int pbid, int rank)
{
    (void)pbid;
    (void)rank;
    return 1;
}

int pingpong_crew_join(pingpong_crew *c, int timeout)
{
    waitio_filter_func_t members[] = {everyone, everyone};
    int place[] = {0, 1}, *nprocs = NULL;
    c->raw.fd = c->raw.listener = -1;
    sched_getaffinity(0, sizeof c->allowed, &c->allowed);
    int code = waitio_init(timeout);
    if (!code)
        code = waitio_pb_size(&c->npb);
    if (!code && c->npb > 2)
        return h3ou__fail(H3OU__EARG, "WAITIO_NPB=%d: ping-pong is played by one PB, or between two", c->npb);
    if (!code)
        code = waitio_get_nprocs(&nprocs);
    if (code < 0)
        return waitio_failed(code);
    c->first = nprocs[0];
    free(nprocs);
    c->all = waitio_create_group(1, members, place);
    if (!c->all || waitio_group_rank(c->all, &c->rank) || waitio_group_size(c->all, &c->size))
        return waitio_failed(WAITIO_EARG);
    find_pair(c);
    if (c->pairs < 1)
        return h3ou__fail(H3OU__EARG, "a single process: ping-pong needs two, start the job with -n 2 or more");
    return connect_raw(c);
}

int pingpong_core(const cpu_set_t *allowed, int n)
{
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
        if (CPU_ISSET(cpu, allowed) && n-- == 0)
            return cpu;
    return -1;
}

/* Each player on a core of its own, when there are enough; else wherever the system likes. */
static bool pin(pingpong_crew *c, int pairs)
{
    bool is_room = c->may_pin && 2 * pairs <= CPU_COUNT(&c->allowed);
    cpu_set_t mine = c->allowed;
    if (is_room && c->pair >= 0) {
        CPU_ZERO(&mine);
        CPU_SET(pingpong_core(&c->allowed, 2 * c->pair + c->side), &mine);
    }
    if (c->may_pin && c->pinned != (is_room ? pairs : 0))
        sched_setaffinity(0, sizeof mine, &mine);
    c->pinned = is_room ? pairs : 0;
    return is_room;
}

static int make_room(pingpong_crew *c, size_t n)
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
    memset(c->buf, 'p', n); /* first touch is no part of the measurement */
    return H3OU__OK;
}

/* Who plays leaves together (dissemination: log2 steps). */
static int barrier(pingpong_crew *c, int players)
{
    int me = 2 * c->pair + c->side, code = H3OU__OK;
    for (int step = 1; step < players && !code; step *= 2) {
        char in, out = 1;
        waitio_req_t send, receive;
        code = waitio_irecv(c->all, player(c, (me - step + players) % players), &in, 1, TAG_BARRIER, &receive);
        if (!code)
            code = waitio_isend(c->all, player(c, (me + step) % players), &out, 1, TAG_BARRIER, &send);
        if (!code)
            code = waitio_wait(&send);
        if (!code)
            code = waitio_wait(&receive);
    }
    return code ? waitio_failed(code) : H3OU__OK;
}

static int move(pingpong_crew *c, enum pingpong_link link, size_t n, bool is_send)
{
    if (link == PINGPONG_LINK_RAW)
        return pingpong_raw_move(&c->raw, c->buf, n, is_send);
    return is_send ? send_to(c, c->partner, c->buf, n, TAG_BALL) : receive_from(c, c->partner, c->buf, n, TAG_BALL);
}

/* The first and the last bytes tell which message this is: what is measured must also have arrived. */
static void stamp(char *buf, size_t n, uint64_t number)
{
    unsigned char bytes[STAMP];
    h3ou__put64(bytes, number);
    memcpy(buf, bytes, n < STAMP ? n : STAMP);
    memcpy(buf + (n < STAMP ? 0 : n - STAMP), bytes, n < STAMP ? n : STAMP);
}

static bool is_stamped(const char *buf, size_t n, uint64_t number)
{
    char right[2 * STAMP];
    size_t ends = n < STAMP ? n : STAMP;
    stamp(right, ends, number);
    return !memcmp(buf, right, ends) && !memcmp(buf + n - ends, right, ends);
}

static int play(pingpong_crew *c, const order *o)
{
    size_t n = (size_t)o->bytes;
    for (uint64_t i = 0; i < 2 * o->repeats; i++) {
        bool is_mine = (int)(i % 2) == c->side;
        if (is_mine)
            stamp(c->buf, n, i);
        int code = move(c, (enum pingpong_link)o->link, n, is_mine);
        if (code)
            return code;
        if (!is_mine && !is_stamped(c->buf, n, i))
            return h3ou__fail(H3OU__EPROTO, "message %llu of %zu bytes from rank %d is not what was sent",
                              (unsigned long long)i, n, c->partner);
    }
    return H3OU__OK;
}

static uint64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static int perform(pingpong_crew *c, const order *o, uint64_t *ns)
{
    pin(c, (int)o->pairs);
    int code = make_room(c, (size_t)o->bytes);
    if (!code)
        code = barrier(c, 2 * (int)o->pairs);
    uint64_t began = now_ns();
    if (!code)
        code = play(c, o);
    *ns = now_ns() - began;
    return code;
}

int pingpong_crew_serve(pingpong_crew *c)
{
    for (;;) {
        unsigned char bytes[ORDER_BYTES];
        uint64_t ns = 0;
        int code = receive_from(c, 0, bytes, sizeof bytes, TAG_ORDER);
        order o = {h3ou__get64(bytes), h3ou__get64(bytes + 8), h3ou__get64(bytes + 16), h3ou__get64(bytes + 24)};
        if (code || o.repeats == 0)
            return code;
        if (c->pair < 0 || o.link >= PINGPONG_LINKS || o.pairs > (uint64_t)c->pairs || (uint64_t)c->pair >= o.pairs ||
            o.bytes < 1 || o.bytes > PINGPONG_BYTES_MOST)
            return h3ou__fail(H3OU__EPROTO,
                              "an order that this process cannot follow: is h3ou of one version in both jobs?");
        code = perform(c, &o, &ns);
        h3ou__put64(bytes, ns);
        h3ou__put64(bytes + 8, o.repeats);
        if (!code)
            code = send_to(c, 0, bytes, RESULT_BYTES, TAG_RESULT);
        if (code)
            return code;
    }
}

static int tell(pingpong_crew *c, int to, const order *o)
{
    unsigned char bytes[ORDER_BYTES];
    h3ou__put64(bytes, o->link);
    h3ou__put64(bytes + 8, o->pairs);
    h3ou__put64(bytes + 16, o->bytes);
    h3ou__put64(bytes + 24, o->repeats);
    return send_to(c, to, bytes, sizeof bytes, TAG_ORDER);
}

/* Nanoseconds of the slowest pair and on average; only who has the first throw measures. */
static int run_once(pingpong_crew *c, const order *o, double *slowest, double *mean)
{
    uint64_t ns = 0;
    int code = H3OU__OK;
    for (int i = 1; i < 2 * (int)o->pairs && !code; i++)
        code = tell(c, player(c, i), o);
    if (!code)
        code = perform(c, o, &ns);
    *slowest = *mean = (double)ns;
    for (int i = 1; i < 2 * (int)o->pairs && !code; i++) {
        unsigned char bytes[RESULT_BYTES];
        code = receive_from(c, player(c, i), bytes, sizeof bytes, TAG_RESULT);
        double took = (double)h3ou__get64(bytes);
        if (i % 2 == 0) {
            *slowest = took > *slowest ? took : *slowest;
            *mean += took;
        }
    }
    *mean /= (double)o->pairs;
    return code;
}

/* How many ping-pongs fit into a round, by what they took so far. */
static uint64_t choose_repeats(const pingpong_plan *plan, double ns)
{
    double n = ns > 0.0 ? 1e9 * plan->seconds / ns : 1.0;
    if (plan->repeat)
        return (uint64_t)plan->repeat;
    return n < 1.0 ? 1 : n > 1e7 ? 10000000 : (uint64_t)n;
}

static int measure_size(pingpong_crew *c, const pingpong_plan *plan, int pairs, int64_t bytes, const pingpong_sink *to)
{
    double each[PINGPONG_LINKS], slowest, mean;
    int code = H3OU__OK;
    for (unsigned link = 0; link < PINGPONG_LINKS && !code; link++) {
        order o = {link, (uint64_t)pairs, (uint64_t)bytes, 1};
        code = run_once(c, &o, &slowest, &mean); /* opens connections, fills caches */
        o.repeats = bytes <= 65536 ? CALIBRATING : 1;
        if (!code)
            code = run_once(c, &o, &slowest, &mean);
        each[link] = slowest / (double)o.repeats;
    }
    for (int round = 0; round < plan->rounds && !code; round++)
        for (unsigned link = 0; link < PINGPONG_LINKS && !code; link++) {
            order o = {link, (uint64_t)pairs, (uint64_t)bytes, choose_repeats(plan, each[link])};
            code = run_once(c, &o, &slowest, &mean);
            each[link] = slowest / (double)o.repeats;
            if (!code)
                code = to->round(to->user, (enum pingpong_link)link, pairs, c->pinned != 0, bytes, (int64_t)o.repeats,
                                 slowest, mean);
        }
    return code;
}

int pingpong_crew_conduct(pingpong_crew *c, const pingpong_plan *plan, const pingpong_sink *to)
{
    const order last = {.pairs = 1, .bytes = 1};
    int code = H3OU__OK;
    for (int i = 0; i < plan->npairs && !code; i++)
        if (plan->pairs[i] > c->pairs)
            code = h3ou__fail(H3OU__EARG, "--pairs %d: these jobs have processes for %d", plan->pairs[i], c->pairs);
    for (int i = 0; i < plan->npairs && !code; i++)
        for (int k = 0; k < plan->nsize && !code; k++)
            code = measure_size(c, plan, plan->pairs[i], plan->size[k], to);
    for (int i = 1; i < c->size && !code; i++)
        code = tell(c, i, &last);
    return code;
}

int pingpong_crew_leave(pingpong_crew *c)
{
    pingpong_raw_close(&c->raw);
    if (c->buf)
        munmap(c->buf, c->room);
    waitio_group_free(c->all);
    int code = waitio_finalize();
    return code ? waitio_failed(code) : H3OU__OK;
}

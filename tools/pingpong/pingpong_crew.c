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

/* What rank 0 orders the others to do; repeats 0: to end. */
typedef struct order {
    uint64_t link, pairs, bytes, repeats;
} order;

/* Fails with WaitIO's sentence, copied first, because it may lie where h3ou__fail writes. */
static int fail_with_waitio(int code)
{
    char text[H3OU__ERROR_TEXT];
    snprintf(text, sizeof text, "%s", waitio_error());
    return h3ou__fail(code, "%s", text);
}

static int send_bytes(pingpong_crew *c, int to, void *bytes, size_t n, enum tag tag)
{
    waitio_req_t req;
    int code = waitio_isend(c->all, to, bytes, n, tag, &req);
    if (!code)
        code = waitio_wait(&req);
    return code ? fail_with_waitio(code) : H3OU__OK;
}

static int receive_bytes(pingpong_crew *c, int from, void *bytes, size_t n, enum tag tag)
{
    waitio_req_t req;
    int code = waitio_irecv(c->all, from, bytes, n, tag, &req);
    if (!code)
        code = waitio_wait(&req);
    return code ? fail_with_waitio(code) : H3OU__OK;
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

/* Opens the raw TCP connection of my pair. */
static int connect_pair(pingpong_crew *c)
{
    char invitation[PINGPONG_INVITATION];
    if (c->pair < 0)
        return H3OU__OK;
    if (c->side) {
        int code = receive_bytes(c, c->partner, invitation, sizeof invitation, TAG_INVITE);
        return code ? code : pingpong_raw_connect(&c->raw, invitation);
    }
    int code = pingpong_raw_listen(&c->raw, invitation);
    if (!code)
        code = send_bytes(c, c->partner, invitation, sizeof invitation, TAG_INVITE);
    return code ? code : pingpong_raw_accept(&c->raw);
}

static int accept_all(int pbid, int rank)
{
    (void)pbid;
    (void)rank;
    return 1;
}

int pingpong_crew_join(pingpong_crew *c, int timeout)
{
    waitio_filter_func_t members[] = {accept_all, accept_all};
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
        return fail_with_waitio(code);
    c->first = nprocs[0];
    free(nprocs);
    c->all = waitio_create_group(1, members, place);
    if (!c->all || waitio_group_rank(c->all, &c->rank) || waitio_group_size(c->all, &c->size))
        return fail_with_waitio(WAITIO_EARG);
    find_own_pair(c);
    if (c->pairs < 1)
        return h3ou__fail(H3OU__EARG, "a single process: ping-pong needs two, start the job with -n 2 or more");
    return connect_pair(c);
}

int pingpong_core(const cpu_set_t *allowed, int n)
{
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
        if (CPU_ISSET(cpu, allowed) && n-- == 0)
            return cpu;
    return -1;
}

/* Binds each player to a core of its own when there are enough, else to none. */
static bool pin_player(pingpong_crew *c, int pairs)
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
    return code ? fail_with_waitio(code) : H3OU__OK;
}

static int move_ball(pingpong_crew *c, enum pingpong_link link, size_t n, bool is_send)
{
    if (link == PINGPONG_LINK_RAW)
        return pingpong_raw_move(&c->raw, c->buf, n, is_send);
    return is_send ? send_bytes(c, c->partner, c->buf, n, TAG_BALL) : receive_bytes(c, c->partner, c->buf, n, TAG_BALL);
}

/* Writes the number of the message into its first and last bytes, so that the receiver can check that the whole message
 * came. */
static void stamp_message(char *buf, size_t n, uint64_t number)
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
    stamp_message(right, ends, number);
    return !memcmp(buf, right, ends) && !memcmp(buf + n - ends, right, ends);
}

static int play_round(pingpong_crew *c, const order *o)
{
    size_t n = (size_t)o->bytes;
    for (uint64_t i = 0; i < 2 * o->repeats; i++) {
        bool is_mine = (int)(i % 2) == c->side;
        if (is_mine)
            stamp_message(c->buf, n, i);
        int code = move_ball(c, (enum pingpong_link)o->link, n, is_mine);
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

static int perform_order(pingpong_crew *c, const order *o, uint64_t *ns)
{
    pin_player(c, (int)o->pairs);
    int code = resize_buffer(c, (size_t)o->bytes);
    if (!code)
        code = player_barrier(c, 2 * (int)o->pairs);
    uint64_t began = now_ns();
    if (!code)
        code = play_round(c, o);
    *ns = now_ns() - began;
    return code;
}

int pingpong_crew_serve(pingpong_crew *c)
{
    for (;;) {
        unsigned char bytes[ORDER_BYTES];
        uint64_t ns = 0;
        int code = receive_bytes(c, 0, bytes, sizeof bytes, TAG_ORDER);
        order o = {h3ou__get64(bytes), h3ou__get64(bytes + 8), h3ou__get64(bytes + 16), h3ou__get64(bytes + 24)};
        if (code || o.repeats == 0)
            return code;
        if (c->pair < 0 || o.link >= PINGPONG_LINKS || o.pairs > (uint64_t)c->pairs || (uint64_t)c->pair >= o.pairs ||
            o.bytes < 1 || o.bytes > PINGPONG_BYTES_MOST)
            return h3ou__fail(H3OU__EPROTO,
                              "an order that this process cannot follow: is h3ou of one version in both jobs?");
        code = perform_order(c, &o, &ns);
        h3ou__put64(bytes, ns);
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

/* Runs one round; sets the nanoseconds of the slowest pair and of the pairs on average, measured on side 0 of each
 * pair. */
static int run_once(pingpong_crew *c, const order *o, double *slowest, double *mean)
{
    uint64_t ns = 0;
    int code = H3OU__OK;
    for (int i = 1; i < 2 * (int)o->pairs && !code; i++)
        code = send_order(c, player_rank(c, i), o);
    if (!code)
        code = perform_order(c, o, &ns);
    *slowest = *mean = (double)ns;
    for (int i = 1; i < 2 * (int)o->pairs && !code; i++) {
        unsigned char bytes[RESULT_BYTES];
        code = receive_bytes(c, player_rank(c, i), bytes, sizeof bytes, TAG_RESULT);
        double took = (double)h3ou__get64(bytes);
        if (i % 2 == 0) {
            *slowest = took > *slowest ? took : *slowest;
            *mean += took;
        }
    }
    *mean /= (double)o->pairs;
    return code;
}

/* Returns how many ping-pongs fit into a round, by the time that one took so far. */
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
        code = send_order(c, i, &last);
    return code;
}

int pingpong_crew_leave(pingpong_crew *c)
{
    pingpong_raw_close(&c->raw);
    if (c->buf)
        munmap(c->buf, c->room);
    waitio_group_free(c->all);
    int code = waitio_finalize();
    return code ? fail_with_waitio(code) : H3OU__OK;
}

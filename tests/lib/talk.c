/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Processes of several jobs that talk to each other, for tests in which what lies between them is not to be trusted.
 * Every rank of every job runs this; the driver reads lines of standard output: "begin" when every pair has talked, one
 * "end ..." for each call that was to end, and "done" when all was right. What is wrong is said on standard error.
 *
 *   talk exchange ROUNDS PACE LARGEST   each pair of ranks of different jobs sends messages both ways, one a round and
 *                                       PACE ms between rounds, of up to LARGEST bytes
 *   talk slow SECONDS COUNT             the first job sends COUNT messages at once, which the others leave alone so
 * long talk lost LARGEST                   each rank waits for what never comes, and reports how the waiting ended talk
 * abort                          one rank ends the run, and the others report what they hear
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#ifdef TALK_MPI
#include <mpi.h>
#endif

#include "waitio.h"

enum { PBS = 16, WINDOW = 4, HEADER = 24, GUARD = 64, PARTNERS = 64, FIRST_ROUNDS = 4 };

/* Beyond 32 bits: nobody may shorten a tag. */
static const waitio_tag_t tag = ((waitio_tag_t)0x1234567 << 36) + 0x7fffffff;
static const char farewell[] = "rank 7 of the test says: \"enough\"";

static const size_t sizes[] = {0,     1,  8,      16384, 24,    4194304, 65536, 16385, 1000,
                               99999, 31, 262145, 8192,  65537, 23,      5,     40000, 1048576};

typedef struct partner {
    int rank;
    char *out[WINDOW], *in[WINDOW];
    waitio_req_t send[WINDOW], receive[WINDOW];
} partner;

static waitio_group_t all;
static int me, my_pb, npb, nprocs[PBS], first_of[PBS + 1];
static partner partners[PARTNERS];
static int npartners;
static int wrong;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void nap(double seconds)
{
    struct timespec t = {.tv_sec = (time_t)seconds, .tv_nsec = (long)(1e9 * (seconds - (double)(time_t)seconds))};
    while (nanosleep(&t, &t))
        ;
}

/* One line, whole, though other processes write to the same place. */
static void say(const char *text)
{
    fflush(stdout);
    char line[4096];
    int n = snprintf(line, sizeof line, "%s\n", text);
    if (n > 0 && write(STDOUT_FILENO, line, n < (int)sizeof line ? (size_t)n : sizeof line - 1) < 0)
        wrong++;
}

static int failed(const char *what, int partner_rank, long round)
{
    fprintf(stderr, "talk: rank %d (PB %d): %s, rank %d, message %ld: %s\n", me, my_pb, what, partner_rank, round,
            waitio_error());
    wrong++;
    return 1;
}

static uint64_t mix(uint64_t x)
{
    x ^= x >> 31;
    x *= 0x9e3779b97f4a7c15u;
    return x ^ x >> 29;
}

/* Bytes mean the same on every machine: the lowest first. */
static void put64(char *at, uint64_t value)
{
    for (int i = 0; i < 8; i++)
        at[i] = (char)(value >> 8 * i);
}

static uint64_t get64(const char *at)
{
    uint64_t value = 0;
    for (int i = 0; i < 8; i++)
        value |= (uint64_t)(unsigned char)at[i] << 8 * i;
    return value;
}

/* From, to and number, then bytes that follow from these. */
static void compose(char *buf, size_t size, int from, int to, long number)
{
    uint64_t seed = mix((uint64_t)from << 48 ^ (uint64_t)to << 32 ^ (uint64_t)number);
    for (size_t i = 0; i < size; i += 8) {
        char word[8];
        uint64_t value = i == 0 ? (uint64_t)from : i == 8 ? (uint64_t)to : i == 16 ? (uint64_t)number : mix(seed + i);
        put64(word, size < HEADER ? mix(seed + i) : value);
        memcpy(buf + i, word, size - i < 8 ? size - i : 8);
    }
}

/* Nothing missing, nothing more, nothing changed. The buffer is longer than the message, and was full of 0xa5. */
static int check(const char *buf, size_t size, int from, long number)
{
    char *expected = malloc(size + GUARD);
    if (!expected)
        return failed("no memory", from, number);
    compose(expected, size, from, me, number);
    memset(expected + size, 0xa5, GUARD);
    size_t at = 0;
    while (at < size + GUARD && buf[at] == expected[at])
        at++;
    if (at < size + GUARD) {
        wrong++;
        fprintf(stderr, "talk: rank %d (PB %d): message %ld of rank %d, %zu bytes: byte %zu is not as sent", me, my_pb,
                number, from, size, at);
        if (size >= HEADER)
            fprintf(stderr, "; it says it is message %lld of rank %lld to rank %lld", (long long)get64(buf + 16),
                    (long long)get64(buf), (long long)get64(buf + 8));
        fprintf(stderr, "\n");
    }
    free(expected);
    return at < size + GUARD;
}

static size_t size_of_round(long round, size_t largest)
{
    size_t size = sizes[(size_t)round % (sizeof sizes / sizeof *sizes)];
    return size > largest ? (size_t)round % (largest + 1) : size;
}

static int make_partners(size_t largest)
{
    for (int pb = 0; pb < npb; pb++)
        for (int rank = first_of[pb]; pb != my_pb && rank < first_of[pb + 1]; rank++) {
            if (npartners == PARTNERS)
                return failed("too many partners", rank, 0);
            partner *p = &partners[npartners++];
            p->rank = rank;
            for (int i = 0; i < WINDOW; i++) {
                p->out[i] = malloc(largest + GUARD);
                p->in[i] = malloc(largest + GUARD);
                if (!p->out[i] || !p->in[i])
                    return failed("no memory", rank, 0);
            }
        }
    return 0;
}

static void free_partners(void)
{
    for (int k = 0; k < npartners; k++)
        for (int i = 0; i < WINDOW; i++) {
            free(partners[k].out[i]);
            free(partners[k].in[i]);
        }
    npartners = 0;
}

static int start_round(partner *p, long round, size_t size)
{
    int i = (int)(round % WINDOW);
    memset(p->in[i], 0xa5, size + GUARD);
    compose(p->out[i], size, me, p->rank, round);
    if (waitio_irecv(all, p->rank, p->in[i], size + GUARD, tag, &p->receive[i]))
        return failed("waitio_irecv", p->rank, round);
    if (waitio_isend(all, p->rank, p->out[i], size, tag, &p->send[i]))
        return failed("waitio_isend", p->rank, round);
    return 0;
}

static int end_round(partner *p, long round, size_t size)
{
    int i = (int)(round % WINDOW);
    if (waitio_wait(&p->receive[i]))
        return failed("waiting for a message", p->rank, round);
    if (waitio_wait(&p->send[i]))
        return failed("waiting for a send", p->rank, round);
    return check(p->in[i], size, p->rank, round);
}

/* WINDOW rounds are under way at a time, all pairs in both directions. */
static int exchange(long rounds, double pace, size_t largest)
{
    int error = 0;
    for (long round = 0; round < rounds + WINDOW && !error; round++) {
        long old = round - WINDOW;
        for (int k = 0; k < npartners && !error && old >= 0; k++)
            error = end_round(&partners[k], old, size_of_round(old, largest));
        if (old + 1 == FIRST_ROUNDS && !error)
            say("begin");
        /* A rest after each round: those that were held up do not hurry then, and are there for the next blow. */
        if (round < rounds)
            nap(pace);
        for (int k = 0; k < npartners && !error && round < rounds; k++)
            error = start_round(&partners[k], round, size_of_round(round, largest));
    }
    return error;
}

static size_t slow_size(long n)
{
    return n % 100 == 99 ? 1048576 : (size_t)(n * 37 % 3000);
}

static int send_much(long count)
{
    size_t each = (size_t)count * (size_t)npartners;
    waitio_req_t *req = malloc(each * sizeof *req);
    char **buf = calloc(each, sizeof *buf);
    int error = !req || !buf;
    for (size_t i = 0; i < each && !error; i++) {
        int to = partners[i % (size_t)npartners].rank;
        long n = (long)(i / (size_t)npartners);
        buf[i] = malloc(slow_size(n) + 1);
        if (!buf[i])
            return failed("no memory", to, n);
        compose(buf[i], slow_size(n), me, to, n);
        if (waitio_isend(all, to, buf[i], slow_size(n), tag, &req[i]))
            error = failed("waitio_isend", to, n);
    }
    say("begin");
    for (size_t i = 0; i < each && !error; i++)
        if (waitio_wait(&req[i]))
            error = failed("waiting for a send", partners[i % (size_t)npartners].rank, (long)(i / (size_t)npartners));
    for (size_t i = 0; i < each && buf; i++)
        free(buf[i]);
    free(buf);
    free(req);
    return error;
}

static int slow(double seconds, long count)
{
    int error = 0;
    if (my_pb == 0)
        return send_much(count);
    nap(seconds);
    for (long n = 0; n < count && !error; n++)
        for (int k = 0; k < npartners && partners[k].rank < first_of[1] && !error; k++) {
            partner *p = &partners[k];
            memset(p->in[0], 0xa5, slow_size(n) + GUARD);
            error = waitio_irecv(all, p->rank, p->in[0], slow_size(n) + GUARD, tag, &p->receive[0]) ||
                    waitio_wait(&p->receive[0]);
            error = error ? failed("receiving", p->rank, n) : check(p->in[0], slow_size(n), p->rank, n);
        }
    return error;
}

/* For the driver: which call ended how, and when. */
static void report(const char *call, int code, double since)
{
    char line[3000];
    snprintf(line, sizeof line, "end rank=%d call=%s code=%d seconds=%.2f text=%.2000s", me, call, code, now() - since,
             code ? waitio_error() : "none");
    say(line);
}

static void await_message(const char *name, int from)
{
    static char nothing[8];
    waitio_req_t r;
    double since = now();
    int code = waitio_irecv(all, from, nothing, sizeof nothing, tag + 1, &r);
    report(name, code ? code : waitio_wait(&r), since);
}

static void await_send(const char *name, int to, char *buf, size_t size)
{
    waitio_req_t r;
    double since = now();
    int code = waitio_isend(all, to, buf, size, tag + 2, &r);
    report(name, code ? code : waitio_wait(&r), since);
}

/* Ranks take turns in what they wait for: to receive, or to be rid of a message that nobody takes. */
static int lost(size_t largest)
{
    partner *p = &partners[(me - first_of[my_pb]) % npartners];
    if (exchange(FIRST_ROUNDS, 0, largest))
        return 1;
    if ((me - first_of[my_pb]) % 2 == 0)
        await_message("receive", p->rank);
    else
        await_send("send", p->rank, p->out[0], largest);
    await_message("receive_after", p->rank);
    await_send("send_after", p->rank, p->out[0], largest);
    return 0;
}

static int hear_abort(size_t largest)
{
    int who = first_of[npb] - 1;
    if (exchange(FIRST_ROUNDS, 0, largest))
        return 1;
    double since = now();
    if (me == who) {
        nap(0.5);
        report("abort", waitio_abort(farewell, 10), since);
    } else if (my_pb != npb - 1) {
        await_message("receive", who);
        await_message("receive_after", who);
    }
    return 0;
}

static int everyone(int pbid, int rank)
{
    (void)pbid;
    (void)rank;
    return 1;
}

static int join(void)
{
    int *count = NULL, order[PBS];
    waitio_filter_func_t members[PBS];
    if (waitio_init(60) || waitio_pb_rank(&my_pb) || waitio_pb_size(&npb) || waitio_get_nprocs(&count) != npb)
        return failed("joining", 0, 0);
    for (int pb = 0; pb < npb && pb < PBS; pb++) {
        nprocs[pb] = count[pb];
        first_of[pb + 1] = first_of[pb] + count[pb];
        members[pb] = everyone;
        order[pb] = pb;
    }
    free(count);
    all = waitio_create_group(1, members, order);
    return !all || waitio_group_rank(all, &me) ? failed("making the group", 0, 0) : 0;
}

static int talk(int argc, char **argv)
{
    const char *mode = argc > 1 ? argv[1] : "";
    long a = argc > 2 ? atol(argv[2]) : 0, b = argc > 3 ? atol(argv[3]) : 0, c = argc > 4 ? atol(argv[4]) : 0;
    size_t largest = !strcmp(mode, "exchange") ? (size_t)c : !strcmp(mode, "lost") ? (size_t)a : 1048576;
    int error = join() || make_partners(largest);
    if (error)
        return 1;
    if (!strcmp(mode, "exchange"))
        error = exchange(a, 1e-3 * (double)b, largest);
    else if (!strcmp(mode, "slow"))
        error = slow((double)a, b);
    else if (!strcmp(mode, "lost"))
        error = lost(largest);
    else if (!strcmp(mode, "abort"))
        error = hear_abort(largest);
    else
        error = failed("no such mode", me, 0);
    bool to_fail = !strcmp(mode, "lost") || !strcmp(mode, "abort");
    double since = now();
    waitio_group_free(all);
    int code = waitio_finalize();
    if (to_fail)
        report("finalize", code, since);
    else if (code)
        error = failed("waitio_finalize", me, 0);
    free_partners();
    return error || wrong;
}

int main(int argc, char **argv)
{
#ifdef TALK_MPI
    MPI_Init(&argc, &argv);
#endif
    int error = talk(argc, argv);
    if (!error)
        say("done");
#ifdef TALK_MPI
    /* The other ranks of this job may wait for ever for one that failed. */
    if (error)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Finalize();
#endif
    return error;
}

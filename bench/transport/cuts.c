/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Messages of mixed sizes both ways between two processes, while in each of them a thread breaks a random TCP
 * connection at random times, by turns politely (shutdown) and with the loss of all that is under way (a reset).
 *
 *   transport_cuts [MESSAGES [CUTS_PER_SECOND [SEED]]]      10000000 20 1
 *
 * Length, tag and content of the n-th message follow from n, and both know them: one that is lost, doubled, reordered
 * or changed does not fit what its receive expects. The links on which the jobs watch each other (the master's port)
 * are left alone. Prints messages=... cuts=... seconds=... bytes=...; a fault is a sentence and the exit code 1.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "launch.h"
#include "os/os_clock.h"
#include "tools/harness/player.h"
#include "tools/harness/wire_waitio.h"

enum { WINDOW = 64, TAGS = 4, LONGEST = 1 << 20, PATIENCE = 900, MOST_FDS = 64, NEAR = 4096, JOIN_SECONDS = 60 };

typedef struct result {
    uint64_t bytes;
    long cuts;
    double seconds;
} result;

typedef struct cutter {
    int port; /* connections of this port are left alone */
    double per_second;
    uint64_t dice;
    atomic_int is_over;
    long cuts;
} cutter;

typedef struct lane {
    char *buf[WINDOW];
    waitio_req_t req[WINDOW];
    int from; /* the side that sends it */
} lane;

static waitio_group_t all;
static int64_t counted; /* messages that each side sends; TAGS more end the run */

static uint64_t mix_bits(uint64_t x)
{
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

static uint64_t key_of(int from, int64_t n)
{
    return mix_bits((uint64_t)n * 2 + (uint64_t)from + 1);
}

/* Returns the length of a message: nine of ten have up to 64 B, of the rest nine of ten up to 4 KB, then 64 KB; one of
 * 10,000 has up to 1 MB. */
static size_t length_of(uint64_t key)
{
    uint64_t dice = key % 10000, size = mix_bits(key);
    size_t most = dice < 9000 ? 64 : dice < 9900 ? 4096 : dice < 9999 ? 65536 : LONGEST;
    return size % (most + 1);
}

static waitio_tag_t tag_of(uint64_t key, int64_t n)
{
    return n < counted ? (waitio_tag_t)(key >> 40) % TAGS : n % TAGS;
}

static uint64_t word_of(uint64_t key, size_t at)
{
    uint64_t x = (key + at) * 0x9e3779b97f4a7c15u;
    return x ^ x >> 29;
}

static void fill_buffer(char *buf, uint64_t key, size_t n)
{
    for (size_t i = 0; i < n; i += 8) {
        uint64_t word = word_of(key, i);
        memcpy(buf + i, &word, n - i < 8 ? n - i : 8);
    }
}

static int is_filled(const char *buf, uint64_t key, size_t n)
{
    uint64_t different = 0;
    for (size_t i = 0; i + 8 <= n; i += 8) {
        uint64_t word;
        memcpy(&word, buf + i, 8);
        different |= word ^ word_of(key, i);
    }
    uint64_t last = word_of(key, n - n % 8);
    return !different && !memcmp(buf + n - n % 8, &last, n % 8);
}

static void check_call(int code)
{
    check_result(wire_waitio_result(code));
}

/* Reports what came instead of message n, as far as its first word shows. */
static void tell_fault(const lane *l, int64_t n, const char *buf, size_t length)
{
    char text[160];
    int64_t found = -1;
    for (int64_t i = n > NEAR ? n - NEAR : 0; length >= 8 && i < n + NEAR; i++) {
        uint64_t word = word_of(key_of(l->from, i), 0);
        if (i != n && !memcmp(buf, &word, 8))
            found = i;
    }
    snprintf(text, sizeof text, "message %" PRId64 " of side %d (%zu B): there came %zu B, %s %" PRId64, n, l->from,
             length_of(key_of(l->from, n)), length,
             found < 0   ? "changed, or far from its place, near"
             : found < n ? "a double of"
                         : "with others lost or overtaken:",
             found < 0 ? n : found);
    errno = 0;
    die(text);
}

static void post_message(lane *l, int64_t n, int me)
{
    int k = (int)(n % WINDOW);
    uint64_t key = key_of(l->from, n);
    if (l->from == me) {
        fill_buffer(l->buf[k], key, length_of(key));
        check_call(waitio_isend(all, 1 - me, l->buf[k], length_of(key), tag_of(key, n), &l->req[k]));
    } else {
        check_call(waitio_irecv(all, 1 - me, l->buf[k], LONGEST, tag_of(key, n), &l->req[k]));
    }
}

static size_t complete_message(lane *l, int64_t n, int me)
{
    int k = (int)(n % WINDOW);
    uint64_t key = key_of(l->from, n);
    size_t length = length_of(key);
    check_call(waitio_wait(&l->req[k]));
    if (l->from != me) {
        check_call(waitio_received(&l->req[k], &length));
        if (length != length_of(key) || !is_filled(l->buf[k], key, length))
            tell_fault(l, n, l->buf[k], length);
    }
    return length;
}

/* Exchanges all messages. The last ones are one of each tag, in whose place a duplicate of an earlier one would come.
 */
static uint64_t exchange_all(int me)
{
    lane out = {.from = me}, in = {.from = 1 - me};
    int64_t each = counted + TAGS;
    uint64_t bytes = 0;
    for (int k = 0; k < WINDOW; k++) {
        out.buf[k] = malloc(LONGEST);
        in.buf[k] = malloc(LONGEST);
        if (!out.buf[k] || !in.buf[k])
            die("exchange");
    }
    for (int64_t n = 0; n < each + WINDOW; n++) {
        if (n >= WINDOW) {
            bytes += complete_message(&in, n - WINDOW, me);
            complete_message(&out, n - WINDOW, me);
        }
        if (n < each) {
            post_message(&in, n, me);
            post_message(&out, n, me);
        }
    }
    for (int k = 0; k < WINDOW; k++) {
        free(out.buf[k]);
        free(in.buf[k]);
    }
    return bytes;
}

/* Cuts one connection. Connecting its socket to AF_UNSPEC resets it: what either end has not read is lost. The
 * duplicate of the descriptor keeps its number from being reused for another file meanwhile. */
static int cut_one(const cutter *c, uint64_t dice)
{
    int fd[MOST_FDS], n = connections(c->port, fd, MOST_FDS), mine, done;
    const struct sockaddr nobody = {.sa_family = AF_UNSPEC};
    if (!n || (mine = dup(fd[dice % (uint64_t)n])) < 0)
        return 0;
    done = dice & 256 ? !connect(mine, &nobody, sizeof nobody) : !shutdown(mine, SHUT_RDWR);
    close(mine);
    return done;
}

static void *cut_until_end(void *given)
{
    cutter *c = given;
    while (!atomic_load(&c->is_over)) {
        c->dice = mix_bits(c->dice + 1);
        double pause = -log(1 - (double)(c->dice >> 11) * 0x1p-53) / c->per_second;
        struct timespec t = {.tv_sec = (time_t)pause, .tv_nsec = (long)(fmod(pause, 1) * 1e9)};
        nanosleep(&t, NULL);
        if (!atomic_load(&c->is_over))
            c->cuts += cut_one(c, mix_bits(c->dice));
    }
    return NULL;
}

static void run_side(int me, int port, double per_second, uint64_t seed, result *r)
{
    cutter c = {.port = port, .per_second = per_second, .dice = mix_bits(seed * 2 + (uint64_t)me)};
    pthread_t thread;
    player_set_place(port, 2, me, 1, 0);
    check_call(waitio_init(JOIN_SECONDS));
    check_result(wire_waitio_group(1, &all));
    if (per_second > 0 && pthread_create(&thread, NULL, cut_until_end, &c))
        die("pthread_create");
    double begin = h3ou__now();
    r->bytes = exchange_all(me);
    r->seconds = h3ou__now() - begin;
    if (per_second > 0) {
        atomic_store(&c.is_over, 1);
        pthread_join(thread, NULL);
    }
    r->cuts = c.cuts;
    check_call(waitio_finalize());
}

int main(int argc, char **argv)
{
    int64_t messages = argc > 1 ? strtoll(argv[1], NULL, 10) : 10000000;
    double per_second = argc > 2 ? strtod(argv[2], NULL) : 20;
    uint64_t seed = argc > 3 ? strtoull(argv[3], NULL, 10) : 1;
    result *r = share(2 * sizeof *r);
    int port = free_port(), bad = 0;
    pid_t side[2];
    counted = (messages + 1) / 2;
    setenv("WAITIO_COMM_TYPE", "socket", 1);
    for (int me = 0; me < 2; me++)
        if (!(side[me] = start(PATIENCE))) {
            run_side(me, port, per_second, seed, &r[me]);
            _exit(0);
        }
    for (int me = 0; me < 2; me++)
        bad |= reap(side[me]);
    if (!bad)
        printf("messages=%" PRId64 " cuts=%ld seconds=%.1f bytes=%" PRIu64 "\n", counted * 2, r[0].cuts + r[1].cuts,
               r[0].seconds > r[1].seconds ? r[0].seconds : r[1].seconds, r[0].bytes + r[1].bytes);
    return bad != 0;
}

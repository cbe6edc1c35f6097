/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Connections that break at any moment, also those between Kings and master: what was sent comes once, in order and
 * unchanged. In every process a thread breaks random TCP connections while all send to all: by named receives, and by
 * receives from any source with any tag. Length, tag and content of a message follow from who sends it to whom and from
 * its number, so that one that is lost, doubled, overtaken or changed does not fit where it arrives.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <dirent.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "os/os_clock.h"
#include "run.h"

enum { MOST = 4, WINDOW = 8, TAGS = 3, LONGEST = 1200000, NAMED = 0, ANY = 1, STREAMS = 2, FDS = 64 };

typedef struct result {
    long cuts, control_cuts;
    uint64_t reconnections, retransmitted, strangers;
} result;

static result *results; /* [MOST], shared */
static int each, cuts_each, long_one_in;

typedef struct cutter {
    int master_port;
    uint64_t dice;
    atomic_int is_over;
    atomic_long cuts, control_cuts;
} cutter;

static uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

static uint64_t key_of(int from, int to, int stream, int n)
{
    return mix(((uint64_t)n << 8 | (uint64_t)from << 4 | (uint64_t)to << 1 | (uint64_t)stream) + 1);
}

/* Most are small; a few are announced first (64 KiB and more), of those some go by several streams (1 MiB and more). */
static size_t length_of(uint64_t key)
{
    uint64_t dice = key % 1000, size = mix(key);
    size_t most = dice < 850 ? 64 : dice < 980 ? 8192 : 65536;
    if (size % (uint64_t)long_one_in == 0)
        most = LONGEST;
    return (size >> 20) % (most + 1);
}

static waitio_tag_t tag_of(uint64_t key)
{
    return (waitio_tag_t)(key >> 40) % TAGS;
}

/* Either end of the connection is the master's port: 2; another connection: 1; none: 0. */
static int kind_of(int fd, int master_port)
{
    struct sockaddr_in here = {0}, there = {0};
    socklen_t n = sizeof here, m = sizeof there;
    if (getsockname(fd, (struct sockaddr *)&here, &n) || here.sin_family != AF_INET ||
        getpeername(fd, (struct sockaddr *)&there, &m))
        return 0;
    return ntohs(here.sin_port) == master_port || ntohs(there.sin_port) == master_port ? 2 : 1;
}

static int connections(int fd[FDS])
{
    int n = 0;
    DIR *folder = opendir("/proc/self/fd");
    for (struct dirent *e; folder && n < FDS && (e = readdir(folder)) != NULL;)
        if (e->d_name[0] != '.' && kind_of(atoi(e->d_name), 0))
            fd[n++] = atoi(e->d_name);
    if (folder)
        closedir(folder);
    return n;
}

/* To connect a connection to nobody resets it: what either end has not read is gone. The copy of the descriptor keeps
 * its number from being another file's in between. */
static void cut_one(cutter *c)
{
    const struct sockaddr nobody = {.sa_family = AF_UNSPEC};
    int fd[FDS], n = connections(fd), mine;
    c->dice = mix(c->dice + 1);
    if (!n || (mine = dup(fd[c->dice % (uint64_t)n])) < 0)
        return;
    int kind = kind_of(mine, c->master_port);
    if (kind && !(c->dice & 1 << 20 ? connect(mine, &nobody, sizeof nobody) : shutdown(mine, SHUT_RDWR))) {
        c->cuts++;
        c->control_cuts += kind == 2;
    }
    close(mine);
}

static void *cut_always(void *given)
{
    cutter *c = given;
    while (!c->is_over) {
        h3ou__sleep((double)(mix(c->dice + 7) % 10000) * 1e-6);
        if (!c->is_over)
            cut_one(c);
    }
    return NULL;
}

typedef struct traffic {
    int me, size;
    waitio_group_t group[STREAMS];
    char *sent[STREAMS][MOST][WINDOW], *received[STREAMS][MOST][WINDOW];
    waitio_req_t send[STREAMS][MOST][WINDOW], receive[STREAMS][MOST][WINDOW];
    int next[MOST]; /* number of the message that comes next from there, of those for any source */
} traffic;

static int post(traffic *t, int n)
{
    int k = n % WINDOW, code = 0;
    for (int peer = 0; peer < t->size; peer++)
        for (int s = 0; s < STREAMS && peer != t->me && !code; s++) {
            uint64_t in = key_of(peer, t->me, s, n), out = key_of(t->me, peer, s, n);
            code = waitio_irecv(t->group[s], s == ANY ? WAITIO_ANY_SOURCE : peer, t->received[s][peer][k], LONGEST,
                                s == ANY ? WAITIO_ANY_TAG : tag_of(in), &t->receive[s][peer][k]);
            fill_pattern(t->sent[s][peer][k], length_of(out), out);
            if (!code)
                code = waitio_isend(t->group[s], peer, t->sent[s][peer][k], length_of(out), tag_of(out),
                                    &t->send[s][peer][k]);
        }
    return code;
}

/* 0, an error of the transport, or 1 for a message that should not have come there; me->text says which. */
static int check(traffic *t, seat *me, int s, int peer, int n)
{
    waitio_status_t status;
    int k = n % WINDOW, code = waitio_wait_for(&t->receive[s][peer][k], 300, &status);
    if (code)
        return code;
    int from = s == ANY ? status.source : peer, number = s == ANY ? t->next[from]++ : n;
    uint64_t key = key_of(from, t->me, s, number);
    if (status.source == from && status.tag == tag_of(key) && status.length == length_of(key) &&
        is_pattern(t->received[s][peer][k], status.length, key))
        return 0;
    snprintf(me->text, sizeof me->text,
             "message %d of stream %d from %d: came from %d with tag %lld and %zu bytes, not %zu", number, s, from,
             status.source, (long long)status.tag, status.length, length_of(key));
    return 1;
}

static int complete(traffic *t, seat *me, int n)
{
    int k = n % WINDOW, code = 0;
    for (int peer = 0; peer < t->size; peer++)
        for (int s = 0; s < STREAMS && peer != t->me && !code; s++) {
            code = check(t, me, s, peer, n);
            if (!code)
                code = waitio_wait_for(&t->send[s][peer][k], 300, NULL);
        }
    return code;
}

static int exchange(traffic *t, seat *me, cutter *c)
{
    int code = 0;
    for (int n = 0; n < each + WINDOW && !code; n++) {
        if (n >= WINDOW)
            code = complete(t, me, n - WINDOW);
        if (n < each && !code)
            code = post(t, n);
        /* As many cuts as asked for, however fast the messages are. */
        while (!code && n < each && (int64_t)c->cuts * each < (int64_t)n * cuts_each)
            code = waitio_progress(0.001);
        me->step = n;
    }
    return code == 1 ? 1 : seat_keep(me, code);
}

static void open_traffic(traffic *t)
{
    for (int s = 0; s < STREAMS; s++) {
        t->group[s] = group_of_all(s);
        waitio_group_rank(t->group[s], &t->me);
        waitio_group_size(t->group[s], &t->size);
        for (int peer = 0; peer < t->size; peer++)
            for (int k = 0; k < WINDOW; k++) {
                t->sent[s][peer][k] = malloc(LONGEST);
                t->received[s][peer][k] = malloc(LONGEST);
                if (!t->sent[s][peer][k] || !t->received[s][peer][k])
                    abort();
            }
    }
}

static void close_traffic(traffic *t)
{
    for (int s = 0; s < STREAMS; s++) {
        waitio_group_free(t->group[s]);
        for (int peer = 0; peer < t->size; peer++)
            for (int k = 0; k < WINDOW; k++) {
                free(t->sent[s][peer][k]);
                free(t->received[s][peer][k]);
            }
    }
}

static int talks(seat *me)
{
    static traffic t;
    static cutter c;
    pthread_t thread;
    waitio_counters_t counters = {0};
    if (seat_join(me, 30))
        return 2;
    open_traffic(&t);
    c.master_port = atoi(getenv("WAITIO_MASTER_PORT"));
    c.dice = mix((uint64_t)t.me + 1);
    if (pthread_create(&thread, NULL, cut_always, &c))
        abort();
    int code = exchange(&t, me, &c);
    waitio_get_counters(&counters);
    c.is_over = 1;
    pthread_join(thread, NULL);
    results[t.me] =
        (result){c.cuts, c.control_cuts, counters.reconnections, counters.retransmitted_bytes, counters.strangers};
    close_traffic(&t);
    int finalized = waitio_finalize();
    return code ? code : seat_keep(me, finalized);
}

static void run_cut(int messages, int cuts, int rare, double seconds)
{
    run r;
    result sum = {0};
    each = messages / (MOST * (MOST - 1) * STREAMS) + 1;
    cuts_each = cuts;
    long_one_in = rare;
    results = mmap(NULL, MOST * sizeof *results, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_true(results != MAP_FAILED);
    setenv("WAITIO_ROUTES", "tcp", 1);
    run_begin(&r, 3, (int[]){1, 2, 1});
    run_start_all(&r, talks);
    bool all = run_end(&r, seconds);
    for (int i = 0; i < MOST; i++) {
        if (r.seat[i].code || r.seat[i].status)
            print_message("process %d (step %d of %d, status %d): %d %s\n", i, r.seat[i].step, each, r.seat[i].status,
                          r.seat[i].code, r.seat[i].text);
        sum.cuts += results[i].cuts;
        sum.control_cuts += results[i].control_cuts;
        sum.reconnections += results[i].reconnections;
        sum.retransmitted += results[i].retransmitted;
    }
    print_message("%ld cuts (%ld of control links), %zu reconnections, %zu bytes sent again\n", sum.cuts,
                  sum.control_cuts, (size_t)sum.reconnections, (size_t)sum.retransmitted);
    assert_true(all);
    for (int i = 0; i < MOST; i++) {
        assert_int_equal(r.seat[i].status, 0);
        assert_int_equal(r.seat[i].code, 0);
    }
    assert_true(sum.cuts >= (long)MOST * (cuts - cuts / each - 1));
    assert_true(sum.reconnections > 0);
    assert_true(sum.retransmitted > 0);
    munmap(results, MOST * sizeof *results);
    run_close(&r);
}

static void run_with(const char *name, const char *value)
{
    setenv(name, value, 1);
    run_cut(6000, 40, 200, 60);
    unsetenv(name);
}

static void test_cuts(void **state)
{
    (void)state;
    run_cut(12000, 60, 200, 60);
}

static void test_cuts_with_checksums(void **state)
{
    (void)state;
    run_with("WAITIO_CHECKSUM", "1");
}

static void test_cuts_of_several_streams(void **state)
{
    (void)state;
    run_with("WAITIO_STREAMS", "3");
}

static void test_cuts_of_sealed_connections(void **state)
{
    (void)state;
    run_with("WAITIO_ENCRYPT", "1");
}

/* Connections rest and break in turns. */
static void test_cuts_with_few_connections(void **state)
{
    (void)state;
    run_with("WAITIO_MAX_CONNECTIONS", "2");
}

static void test_many_messages(void **state)
{
    (void)state;
    run_cut(200000, 400, 2000, 280);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest some[] = {
        cmocka_unit_test(test_cuts),
        cmocka_unit_test(test_cuts_with_checksums),
        cmocka_unit_test(test_cuts_of_several_streams),
        cmocka_unit_test(test_cuts_of_sealed_connections),
        cmocka_unit_test(test_cuts_with_few_connections),
    };
    const struct CMUnitTest many[] = {cmocka_unit_test(test_many_messages)};
    if (argc > 1 && !strcmp(argv[1], "many"))
        return cmocka_run_group_tests(many, NULL, NULL);
    if (argc > 1)
        cmocka_set_test_filter(argv[1]);
    return cmocka_run_group_tests(some, NULL, NULL);
}

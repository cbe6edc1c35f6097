/* SPDX-License-Identifier: BSD-3-Clause */
/* Collective calls in memory that the processes of a host share. Threads stand for processes: each opens the memory for itself. */
#include "host/host_call.h"
#include "host/host_map.h"

#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/error.h"
#include "host/core_session.h"
#include "os/group_bell.h"

enum { MOST = 9 };

typedef struct player {
    pthread_t thread;
    const int64_t *offer;
    int n, me;
    int (*body)(struct player *p, h3ou__host_block *b); /* returns how much was wrong */
    int bad;
} player;

static void add(const void *user, void *to, const void *from, int64_t count)
{
    double *x = to;
    const double *y = from;
    (void)user;
    for (int64_t i = 0; i < count; i++)
        x[i] = y[i] + x[i];
}

static double value(int process, int64_t i)
{
    return 1.0 / (1.0 + process) + 0.1 * (double)(i % 1000);
}

/* The sum in the order that host_call.h promises. */
static double sum_of(int n, int64_t i)
{
    double sum = value(n - 1, i);
    for (int process = n - 2; process >= 0; process--)
        sum = value(process, i) + sum;
    return sum;
}

/* Fails when nobody rings for this process though it sleeps: all others then sleep, too. */
static int complete(h3ou__host_block *b, int n, h3ou__host_call call[])
{
    const double LONG = 30.0; /* seconds */
    for (;;) {
        uint32_t heard = h3ou__host_block_heard(b);
        bool all = true, moved = false;
        for (int i = 0; i < n; i++) {
            bool done = false;
            int err = h3ou__host_call_test(b, &call[i], &done, &moved);
            if (err)
                return err;
            all &= done;
        }
        if (all)
            return H3OU__OK;
        if (!moved && !h3ou__host_block_sleep(b, heard, LONG))
            return H3OU__ETIMEOUT;
    }
}

static h3ou__host_call call_of(int kind, int root, const double *in, double *out, int64_t count)
{
    return (h3ou__host_call){
        .kind = kind, .root = root, .in = in, .out = out, .count = count, .element = sizeof(double), .combine = add};
}

static int giver_of(int kind, int n, int root)
{
    return kind == H3OU__HOST_PASS ? (root + n - 1) % n : root;
}

static int differ(const double *got, int kind, int n, int root, int64_t count)
{
    int bad = 0;
    bool is_copied = kind == H3OU__HOST_BCAST || kind == H3OU__HOST_PASS;
    for (int64_t i = 0; i < count; i++)
        bad += got[i] != (is_copied ? value(giver_of(kind, n, root), i) : sum_of(n, i));
    return bad != 0;
}

/* One call of a kind, in place or not, or together with another one that is started before it is done. */
static int check_call(const player *p, h3ou__host_block *b, int kind, int root, int64_t count, bool in_place)
{
    size_t bytes = sizeof(double) * (size_t)count + 1;
    double *in = malloc(bytes), *out = in_place ? in : calloc(1, bytes), *second = calloc(1, bytes), *given = malloc(bytes);
    for (int64_t i = 0; i < count; i++)
        given[i] = in[i] = value(p->me, i);
    if (kind == H3OU__HOST_BCAST && p->me == root)
        memcpy(out, in, bytes - 1);
    const double *from = kind == H3OU__HOST_BCAST ? out : in;
    h3ou__host_call call[2] = {call_of(kind, root, from, out, count), call_of(H3OU__HOST_ALLREDUCE, 0, given, second, count)};
    call[0].giver = giver_of(kind, p->n, root);
    for (int i = 0; i < 2; i++)
        h3ou__host_call_start(b, &call[i]);
    int bad = complete(b, 2, call) != H3OU__OK;
    if ((kind != H3OU__HOST_REDUCE && kind != H3OU__HOST_PASS) || p->me == root)
        bad += differ(out, kind, p->n, root, count);
    bad += differ(second, H3OU__HOST_ALLREDUCE, p->n, 0, count);
    if (out != in)
        free(out);
    free(in);
    free(second);
    free(given);
    return bad;
}

/* Short ones; those that take several pieces; and those that take more pieces than there are slots. */
static int make_calls(player *p, h3ou__host_block *b)
{
    static const int64_t counts[] = {0, 1, 7, 3000, 40000, 300000};
    int bad = 0;
    for (int i = 0; i < 6; i++)
        for (int root = 0; root < p->n; root += i < 4 ? 1 : p->n - 1)
            for (int kind = H3OU__HOST_BCAST; kind <= (p->n > 1 ? H3OU__HOST_PASS : H3OU__HOST_ALLREDUCE); kind++)
                bad += check_call(p, b, kind, kind == H3OU__HOST_ALLREDUCE ? 0 : root, counts[i], (root + i) % 2);
    return bad;
}

/* Some are far ahead of others, who take what is theirs later, also of calls of unlike lengths. */
static int run_ahead(player *p, h3ou__host_block *b)
{
    enum { CALLS = 100, LONG = 3000 };
    int bad = 0;
    double in[LONG], out[LONG];
    for (int k = 0; k < CALLS; k++) {
        int n = k % 5 ? 1 : LONG;
        bool is_bcast = k % 3 == 0;
        for (int i = 0; i < n; i++) {
            in[i] = k + i;
            out[i] = is_bcast && p->me == 0 ? in[i] : 0;
        }
        h3ou__host_call call = call_of(is_bcast ? H3OU__HOST_BCAST : H3OU__HOST_REDUCE, 0, is_bcast && !p->me ? out : in, out, n);
        h3ou__host_call_start(b, &call);
        bad += complete(b, 1, &call) != H3OU__OK;
        for (int i = 0; i < n && (is_bcast || p->me == 0); i++)
            bad += out[i] != (double)(k + i) * (is_bcast ? 1 : p->n);
    }
    return bad;
}

/* Process 0 has two long calls under way, and awaits slots for pieces of both: more than half of all slots lie between these. */
static int broadcast_two(player *p, h3ou__host_block *b)
{
    enum { MANY = 20 * (1 << 18) / sizeof(double), FEW = MANY / 10 };
    double *first = malloc(sizeof *first * MANY), *second = malloc(sizeof *second * FEW);
    for (int i = 0; i < MANY; i++)
        first[i] = p->me ? 0 : value(0, i);
    for (int i = 0; i < FEW; i++)
        second[i] = p->me ? 0 : value(1, i);
    h3ou__host_call call[2] = {call_of(H3OU__HOST_BCAST, 0, first, first, MANY), call_of(H3OU__HOST_BCAST, 0, second, second, FEW)};
    for (int i = 0; i < 2; i++)
        h3ou__host_call_start(b, &call[i]);
    int bad = complete(b, 2, call) != H3OU__OK;
    bad += first[0] != value(0, 0) || first[MANY - 1] != value(0, MANY - 1) || second[FEW - 1] != value(1, FEW - 1);
    free(first);
    free(second);
    return bad;
}

/* Process 1 makes another call than the others: they fail, or it does. */
static int make_unlike(player *p, h3ou__host_block *b)
{
    double in[2] = {0}, out[2];
    h3ou__host_call call = call_of(H3OU__HOST_REDUCE, 0, in, out, p->me == 1 ? 2 : 1);
    h3ou__host_call_start(b, &call);
    bool done = false, moved = false;
    int err = H3OU__OK;
    for (int k = 0; k < 40 && !err && !done; k++) {
        uint32_t heard = h3ou__host_block_heard(b);
        err = h3ou__host_call_test(b, &call, &done, &moved);
        if (!err && !done)
            h3ou__host_block_sleep(b, heard, 0.02);
    }
    return err == H3OU__ETRUNC && strstr(h3ou__fail_text(), "16 bytes") && strstr(h3ou__fail_text(), "8 bytes") ? 1 : 0;
}

static void *play(void *user)
{
    player *p = user;
    h3ou__host_block *b = h3ou__host_block_open(p->offer, p->n, p->me, true);
    p->bad = b ? p->body(p, b) : 1000000;
    h3ou__host_block_free(b);
    return NULL;
}

/* Returns how much was wrong on all. */
static int run(int n, int (*body)(player *p, h3ou__host_block *b))
{
    int64_t offer[H3OU__HOST_OFFER];
    player p[MOST];
    int bad = 0;
    h3ou__host_block_offer(n, offer);
    for (int i = 0; i < n; i++) {
        p[i] = (player){.offer = offer, .n = n, .me = i, .body = body};
        assert_int_equal(pthread_create(&p[i].thread, NULL, play, &p[i]), 0);
    }
    for (int i = 0; i < n; i++) {
        pthread_join(p[i].thread, NULL);
        bad += p[i].bad;
    }
    h3ou__host_block_close_offer(offer);
    return bad;
}

static void all_calls(void **state)
{
    (void)state;
    for (int n = 2; n <= MOST; n += n < 4 ? 1 : 5)
        assert_int_equal(run(n, make_calls), 0);
}

static void some_ahead(void **state)
{
    (void)state;
    for (int n = 2; n <= 5; n++) {
        assert_int_equal(run(n, run_ahead), 0);
        assert_int_equal(run(n, broadcast_two), 0);
    }
}

static void unlike_calls(void **state)
{
    (void)state;
    assert_int_equal(run(2, make_unlike), 1);
    assert_in_range(run(4, make_unlike), 1, 3);
}

/* What cannot be opened is not an error. */
static void no_memory(void **state)
{
    int64_t offer[H3OU__HOST_OFFER], other[H3OU__HOST_OFFER];
    (void)state;
    h3ou__host_block_offer(H3OU__HOST_MOST + 1, offer);
    assert_null(h3ou__host_block_open(offer, H3OU__HOST_MOST + 1, 0, true));
    h3ou__host_block_offer(2, offer);
    assert_null(h3ou__host_block_open(offer, 2, 0, false));
    for (int i = 0; i < H3OU__HOST_OFFER; i++) { /* another host, process, descriptor and key */
        memcpy(other, offer, sizeof other);
        other[i] ^= 1 << 20;
        assert_null(h3ou__host_block_open(other, 2, 0, true));
    }
    h3ou__host_block *b = h3ou__host_block_open(offer, 2, 0, true);
    assert_non_null(b);
    h3ou__host_block_close_offer(offer);
    assert_null(h3ou__host_block_open(offer, 2, 1, true));
    h3ou__host_block_free(b);
}

/* Processes of three hosts, numbered by their first processes, in runs of 2, 1, 1, 1 and 1. */
static void hosts(void **state)
{
    static const int64_t host[] = {70, 70, 5, 70, 9, 5};
    static const int wanted[] = {0, 0, 1, 0, 2, 1}, head[] = {0, 2, 4}, members[] = {3, 3, 2, 3, 1, 2}, place[] = {0, 1, 0, 2, 0, 1};
    (void)state;
    for (int me = 0; me < 6; me++) {
        h3ou__host_map map;
        assert_int_equal(h3ou__host_map_make(host, 6, me, &map), 0);
        assert_int_equal(map.nhost, 3);
        assert_memory_equal(map.head, head, sizeof head);
        assert_int_equal(map.nrun, 5);
        assert_int_equal(map.mine, wanted[me]);
        assert_int_equal(map.nmember, members[me]);
        assert_int_equal(map.me, place[me]);
        for (int i = 0; i < 6; i++) {
            assert_int_equal(h3ou__host_map_find(&map, i), wanted[i]);
            assert_int_equal(h3ou__host_map_place(&map, i), wanted[i] == wanted[me] ? place[i] : -1);
        }
        h3ou__host_map_free(&map);
    }
}

/* Opens the memory as process 1, in a session of its own. */
static void open_elsewhere(const int64_t offer[H3OU__HOST_OFFER])
{
    int status;
    pid_t child = fork();
    if (child == 0)
        _exit(setsid() < 0 || !h3ou__host_block_open(offer, 2, 1, true));
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

/* Two processes, each of which may run on one core; the other one in a session of its own, too. */
static bool must_sleep(int core, int other, bool has_session)
{
    int64_t offer[H3OU__HOST_OFFER];
    cpu_set_t one, two;
    h3ou__host_block_offer(2, offer);
    CPU_ZERO(&one);
    CPU_ZERO(&two);
    CPU_SET(core, &one);
    CPU_SET(other, &two);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    h3ou__host_block *a = h3ou__host_block_open(offer, 2, 0, true);
    assert_int_equal(sched_setaffinity(0, sizeof two, &two), 0);
    h3ou__host_block *b = h3ou__host_block_open(offer, 2, 1, true);
    if (has_session)
        open_elsewhere(offer);
    h3ou__host_block_close_offer(offer);
    assert_non_null(a);
    assert_non_null(b);
    bool is = h3ou__host_block_must_sleep(a);
    assert_int_equal(h3ou__host_block_must_sleep(b), is);
    assert_int_equal(h3ou__host_block_is_crowded(a), core == other);
    assert_int_equal(h3ou__host_block_is_crowded(b), core == other);
    h3ou__host_block_free(a);
    h3ou__host_block_free(b);
    return is;
}

static void crowds(void **state)
{
    int64_t session = h3ou__core_session();
    cpu_set_t mine;
    int core[2], n = 0;
    (void)state;
    assert_int_equal(sched_getaffinity(0, sizeof mine, &mine), 0);
    for (int i = 0; i < CPU_SETSIZE && n < 2; i++)
        if (CPU_ISSET(i, &mine))
            core[n++] = i;
    assert_int_equal(must_sleep(core[0], core[0], false), session < 0);
    assert_int_equal(must_sleep(core[0], core[0], true), session != 0);
    if (n == 2)
        assert_false(must_sleep(core[0], core[1], true));
    assert_int_equal(sched_setaffinity(0, sizeof mine, &mine), 0);
}

static void *wait_as_40(void *bell)
{
    return h3ou__group_bell_wait(bell, 40, 0, 20) ? bell : NULL;
}

static void bells(void **state)
{
    h3ou__group_bell bell = {0};
    pthread_t thread;
    void *rung;
    (void)state;
    assert_false(h3ou__group_bell_wait(&bell, 3, 0, 0.001));
    assert_int_equal(pthread_create(&thread, NULL, wait_as_40, &bell), 0);
    while (!atomic_load(&bell.sleepers))
        sched_yield();
    assert_int_equal(atomic_load(&bell.sleepers), UINT64_C(1) << 40);
    h3ou__group_bell_ring(&bell, UINT64_C(1) << 40 | 1);
    pthread_join(thread, &rung);
    assert_non_null(rung);
    assert_int_equal(atomic_load(&bell.sleepers), 0);
    assert_true(h3ou__group_bell_wait(&bell, 3, 0, 20)); /* rung since */
    assert_int_equal(h3ou__group_bell_heard(&bell), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_calls), cmocka_unit_test(some_ahead),
                                       cmocka_unit_test(unlike_calls), cmocka_unit_test(no_memory), cmocka_unit_test(hosts),
                                       cmocka_unit_test(crowds), cmocka_unit_test(bells)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

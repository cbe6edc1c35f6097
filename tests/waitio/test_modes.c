/* SPDX-License-Identifier: BSD-3-Clause */
/* The same talk in every mode: how it waits, checksums, encryption, several streams, few connections, threads. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include "os/os_clock.h"
#include "run.h"

enum { LONG = 5 << 20 };

static char big[LONG], other_big[LONG];

static int bad(seat *me, int line, const char *what)
{
    snprintf(me->text, sizeof me->text, "line %d: %s: %.1500s", line, what, waitio_error());
    return line;
}

static int deliver(waitio_group_t g, int to, char *buf, size_t n, waitio_tag_t tag)
{
    waitio_req_t r;
    int code = waitio_isend(g, to, buf, n, tag, &r);
    return code ? code : waitio_wait(&r);
}

static int receive(waitio_group_t g, int from, char *buf, size_t n, waitio_tag_t tag)
{
    waitio_req_t r;
    int code = waitio_irecv(g, from, buf, n, tag, &r);
    return code ? code : waitio_wait(&r);
}

/* The environment of the processes: of all, and of those of PB 1 alone. */
static const char *const *setting, *const *setting_of_1;
static int (*scene)(seat *me, waitio_group_t g, int rank, int size);

static int play(seat *me)
{
    int rank, size;
    for (int i = 0; setting && setting[i]; i += 2)
        setenv(setting[i], setting[i + 1], 1);
    for (int i = 0; setting_of_1 && me->pb == 1 && setting_of_1[i]; i += 2)
        setenv(setting_of_1[i], setting_of_1[i + 1], 1);
    if (seat_join(me, 20) || waitio_set_patience(30))
        return bad(me, __LINE__, "join");
    waitio_group_t g = group_of_all(3);
    if (!g || waitio_group_rank(g, &rank) || waitio_group_size(g, &size))
        return bad(me, __LINE__, "group");
    int code = scene(me, g, rank, size);
    if (code)
        return code;
    waitio_group_free(g);
    return waitio_finalize() ? bad(me, __LINE__, "finalize") : 0;
}

static void run_scene(int (*s)(seat *, waitio_group_t, int, int), int npb, const int size[],
                      const char *const environment[], const char *const of_1[])
{
    run r;
    scene = s;
    setting = environment;
    setting_of_1 = of_1;
    run_begin(&r, npb, size);
    run_start_all(&r, play);
    assert_true(run_ends_well(&r, 60));
}

/* Messages of many lengths between all, several at once. */
static int talks(seat *me, waitio_group_t g, int rank, int size)
{
    static const size_t lengths[] = {0, 1, 1000, 16384, 16385, 65536, 65537, 300000, LONG};
    enum { N = sizeof lengths / sizeof lengths[0] };
    waitio_req_t r[2 * N];
    char *in[N], *out[N];
    int to = (rank + 1) % size, from = (rank + size - 1) % size;
    for (int i = 0; i < N; i++) {
        in[i] = malloc(lengths[i] + 1);
        out[i] = malloc(lengths[i] + 1);
    }
    for (int round = 0; round < 4; round++) {
        for (int i = 0; i < N; i++) {
            int early = round % 2 ? i : N - 1 - i;
            fill_pattern(out[i], lengths[i], (uint64_t)(rank + round * N + i));
            if (waitio_irecv(g, round / 2 ? WAITIO_ANY_SOURCE : from, in[early], lengths[early], round * N + early,
                             &r[early]) ||
                waitio_isend(g, to, out[i], lengths[i], round * N + i, &r[N + i]))
                return bad(me, __LINE__, "start");
        }
        if (waitio_waitall(2 * N, r, NULL))
            return bad(me, __LINE__, "waitall");
        for (int i = 0; i < N; i++)
            if (!is_pattern(in[i], lengths[i], (uint64_t)(from + round * N + i)))
                return bad(me, __LINE__, "content");
    }
    for (int i = 0; i < N; i++) {
        free(in[i]);
        free(out[i]);
    }
    return 0;
}

static const char *const routes[] = {"tcp", "unix", "shm"};
static const char *const modes[] = {"adaptive", "spin", "block", "thread"};

static void test_modes(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 4; k++) {
            const char *const mode[] = {"WAITIO_ROUTES", routes[i], "WAITIO_PROGRESS", modes[k], NULL};
            const char *const other[] = {"WAITIO_PROGRESS", modes[(k + i) % 4], NULL};
            run_scene(talks, 2, (int[]){1, 1 + (k == 3)}, mode, other);
        }
}

static int talks_over_streams(seat *me, waitio_group_t g, int rank, int size)
{
    waitio_counters_t c = {0};
    int code = 0;
    /* Connections are made while messages already move; who has seen them all says so, and both end. */
    for (int i = 0, all = 0; i < 200 && all < 2; i++) {
        char mine, other;
        waitio_req_t r;
        code = talks(me, g, rank, size);
        if (code || waitio_get_counters(&c))
            return code ? code : bad(me, __LINE__, "counters");
        mine = c.connections_opened >= 3;
        if (waitio_isend(g, 1 - rank, &mine, 1, 777, &r) || receive(g, 1 - rank, &other, 1, 777) || waitio_wait(&r))
            return bad(me, __LINE__, "agree");
        all = mine + other;
    }
    return c.connections_opened >= 3 ? 0 : bad(me, __LINE__, "not three connections");
}

static void test_protected(void **state)
{
    (void)state;
    static const char *const checks[] = {"WAITIO_ROUTES", "tcp", "WAITIO_CHECKSUM", "1", NULL};
    static const char *const checks_shm[] = {"WAITIO_CHECKSUM", "1", NULL};
    static const char *const tcp[] = {"WAITIO_ROUTES", "tcp", NULL};
    static const char *const sealed[] = {"WAITIO_ROUTES", "tcp", "WAITIO_ENCRYPT", "1", NULL};
    static const char *const all[] = {
        "WAITIO_ROUTES", "tcp", "WAITIO_ENCRYPT", "1", "WAITIO_CHECKSUM", "1", "WAITIO_STREAMS", "3", NULL};
    static const char *const streams[] = {"WAITIO_ROUTES", "tcp", "WAITIO_STREAMS", "3", NULL};
    run_scene(talks, 2, (int[]){1, 1}, checks, NULL);
    run_scene(talks, 2, (int[]){1, 1}, tcp, checks);
    run_scene(talks, 2, (int[]){1, 1}, checks_shm, NULL);
    run_scene(talks, 2, (int[]){1, 1}, sealed, NULL);
    run_scene(talks, 2, (int[]){1, 2}, tcp, sealed);
    run_scene(talks, 2, (int[]){2, 1}, tcp, sealed);
    run_scene(talks_over_streams, 2, (int[]){1, 1}, streams, NULL);
    run_scene(talks_over_streams, 2, (int[]){1, 1}, all, NULL);
}

/* Whether `mine` holds in every process, agreed along a ring: each process uses the connections to its two neighbours. */
static int all_say(waitio_group_t g, int rank, int size, bool mine, bool *all)
{
    char so_far = 1;
    int next = (rank + 1) % size, last = (rank + size - 1) % size;
    /* The first lap collects, the second tells. */
    for (int lap = 0; lap < 2; lap++) {
        if (rank && receive(g, last, &so_far, 1, 900 + lap))
            return 1;
        so_far = lap ? so_far : (char)(so_far && mine);
        if (deliver(g, next, &so_far, 1, 900 + lap) || (!rank && receive(g, last, &so_far, 1, 900 + lap)))
            return 1;
    }
    *all = so_far;
    return 0;
}

/* Connections beyond the allowed number rest as soon as nobody uses them: only those of a ring are used from here on. */
static int everybody_rests(seat *me, waitio_group_t g, int rank, int size)
{
    waitio_counters_t c;
    bool all = false;
    for (int i = 0; i < 1000 && !all; i++) {
        if (waitio_get_counters(&c) || all_say(g, rank, size, c.connections_rested > 0, &all))
            return bad(me, __LINE__, "agree");
        h3ou__sleep(0.002);
    }
    return all ? 0 : bad(me, __LINE__, "no connection rested");
}

/* More peers than connections: each round everybody has to do with everybody, in an order of its own. */
static int few_connections(seat *me, waitio_group_t g, int rank, int size)
{
    enum { ROUNDS = 25 };
    static char in[RUN_SEATS][3000], out[RUN_SEATS][3000];
    waitio_req_t r[2 * RUN_SEATS];
    for (int round = 0; round < ROUNDS; round++) {
        me->step = round;
        /* Whole exchanges one after the other, so that connections fall idle between. */
        for (int k = 0; k < size; k++) {
            int to = (rank + k) % size, from = (rank + size - k) % size;
            size_t n = (size_t)(round * 97 + k * 311) % sizeof in[0];
            fill_pattern(out[k], n, (uint64_t)(rank * 1000 + round));
            if (waitio_irecv(g, from, in[k], n, round, &r[2 * k]) ||
                waitio_isend(g, to, out[k], n, round, &r[2 * k + 1]))
                return bad(me, __LINE__, "start");
            if (round % 3 && waitio_waitall(2, &r[2 * k], NULL))
                return bad(me, __LINE__, "wait");
        }
        if (waitio_waitall(2 * size, r, NULL))
            return bad(me, __LINE__, "waitall");
        for (int k = 0; k < size; k++)
            if (!is_pattern(in[k], (size_t)(round * 97 + k * 311) % sizeof in[0],
                            (uint64_t)((rank + size - k) % size * 1000 + round)))
                return bad(me, __LINE__, "content");
    }
    return everybody_rests(me, g, rank, size);
}

static void test_few_connections(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++) {
        const char *const few[] = {"WAITIO_ROUTES", routes[i], "WAITIO_MAX_CONNECTIONS", "2", NULL};
        run_scene(few_connections, 2, (int[]){3, 3}, few, NULL);
    }
}

enum { THREADS = 4, EACH = 200 };
typedef struct lane_of_talk {
    seat *me;
    waitio_group_t g;
    int rank, tag, code;
} lane_of_talk;

static void *talk(void *arg)
{
    lane_of_talk *t = arg;
    static const size_t lengths[] = {8, 1000, 20000, 100000, 0};
    char *in = malloc(100000), *out = malloc(100000);
    for (int i = 0; i < EACH && !t->code; i++) {
        waitio_req_t r[2];
        size_t n = lengths[(i + t->tag) % 5];
        fill_pattern(out, n, (uint64_t)(t->rank * 100000 + t->tag * 1000 + i));
        if (waitio_irecv(t->g, 1 - t->rank, in, n, t->tag, &r[0]) ||
            waitio_isend(t->g, 1 - t->rank, out, n, t->tag, &r[1]) || waitio_waitall(2, r, NULL))
            t->code = bad(t->me, __LINE__, "exchange");
        else if (!is_pattern(in, n, (uint64_t)((1 - t->rank) * 100000 + t->tag * 1000 + i)))
            t->code = bad(t->me, __LINE__, "content");
    }
    free(in);
    free(out);
    return NULL;
}

/* Threads of the program, each with a tag of its own. */
static int many_threads(seat *me, waitio_group_t g, int rank, int size)
{
    pthread_t id[THREADS];
    lane_of_talk t[THREADS];
    int code = 0;
    (void)size;
    for (int i = 0; i < THREADS; i++) {
        t[i] = (lane_of_talk){me, g, rank, i, 0};
        if (pthread_create(&id[i], NULL, talk, &t[i]))
            return bad(me, __LINE__, "thread");
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(id[i], NULL);
        code = code ? code : t[i].code;
    }
    return code;
}

/* Looks at memory that another thread writes without asking it: that is what this test is about. */
#if defined(__has_attribute)
#if __has_attribute(no_sanitize_thread)
__attribute__((no_sanitize_thread))
#endif
#endif
static bool has_arrived(const volatile char *memory, const char *expected, size_t n)
{
    bool is_same = true;
    for (size_t i = 0; i < n && is_same; i++)
        is_same = memory[i] == expected[i];
    return is_same;
}

/* A long message arrives while its receiver, and its sender, do something else. */
static int computes(seat *me, waitio_group_t g, int rank, int size)
{
    waitio_req_t r;
    int done = 0;
    char byte = 0;
    (void)size;
    if (rank == 0) {
        fill_pattern(big, LONG, 5);
        if (waitio_isend(g, 1, big, LONG, 1, &r))
            return bad(me, __LINE__, "isend");
        me->step = 1;
        seat_idle(me, 1);
        return waitio_wait(&r) || receive(g, 1, &byte, 1, 2) ? bad(me, __LINE__, "wait") : 0;
    }
    memset(other_big, 0, LONG);
    fill_pattern(big, LONG, 5);
    if (waitio_irecv(g, 0, other_big, LONG, 1, &r))
        return bad(me, __LINE__, "irecv");
    me->step = 1;
    seat_idle(me, 1);
    /* Looking at memory is no call of the library; the test gave it time, and this bound is for a slow machine. */
    for (int i = 0; i < 5000 && !done; i++) {
        done = has_arrived(other_big, big, LONG);
        if (!done)
            h3ou__sleep(0.002);
    }
    if (!done)
        return bad(me, __LINE__, "nothing moved while it computed");
    return waitio_wait(&r) || deliver(g, 0, &byte, 1, 2) ? bad(me, __LINE__, "wait") : 0;
}

static void test_threads(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++) {
        const char *const thread[] = {"WAITIO_ROUTES", routes[i], "WAITIO_PROGRESS", "thread", NULL};
        run_scene(many_threads, 2, (int[]){1, 1}, thread, NULL);
        run r;
        scene = computes;
        setting = thread;
        setting_of_1 = NULL;
        run_begin(&r, 2, (int[]){1, 1});
        run_start_all(&r, play);
        for (int k = 0; k < 2; k++)
            assert_true(seat_reaches(&r.seat[k], 1, 20));
        r.seat[1].go = 1;
        h3ou__sleep(0.05);
        r.seat[0].go = 1;
        assert_true(run_ends_well(&r, 30));
    }
}

static char disk[] = "/dev/shm/waitio-modes-XXXXXX";
static bool is_full_first;

static unsigned long blocks_left(void)
{
    struct statvfs s;
    return statvfs(disk, &s) ? 0 : (unsigned long)s.f_bavail;
}

/* Fills the disk and, in a process of its own, takes also what others free later: one free page would be enough for a
 * message, page by page. */
static pid_t fill_disk(void)
{
    char path[100];
    snprintf(path, sizeof path, "%s/ballast", disk);
    int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    while (fd >= 0 && write(fd, big, 4096) > 0)
        ;
    pid_t pid = fork();
    if (!pid) {
        double end = h3ou__now() + 30;
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        while (h3ou__now() < end)
            if (write(fd, big, 4096) <= 0)
                h3ou__sleep(0.0002);
        _exit(0);
    }
    if (fd >= 0)
        close(fd);
    return pid;
}

/* Long messages by a disk that is full; the error of the sender says so. */
static int sends_to_full_disk(seat *me)
{
    int rank;
    char *text = calloc(1, 300000);
    waitio_group_t g;
    setenv("WAITIO_COMM_TYPE", "hybrid", 1);
    setenv("WAITIO_HYBRID_THRESHOULD", "50000", 1);
    setenv("WAITIO_SCRATCH_DIR", disk, 1);
    if (!text || seat_join(me, 20) || !(g = group_of_all(3)) || waitio_group_rank(g, &rank))
        return bad(me, __LINE__, "join");
    /* The other one has its inbox. */
    if (rank ? deliver(g, 0, text, 1, 3) : receive(g, 1, text, 1, 3))
        return bad(me, __LINE__, "short message");
    unsigned long before = blocks_left();
    fill_pattern(text, 300000, 1);
    if (!is_full_first && (rank ? receive(g, 0, text, 100000, 1) : deliver(g, 1, text, 100000, 1)))
        return bad(me, __LINE__, "message before the disk was full");
    if (rank) {
        receive(g, 0, text, 300000, 2); /* the message never arrives */
        return 0;
    }
    for (int i = 0; i < 2000 && blocks_left() + 16 < before; i++)
        if (waitio_progress(0.01))
            return bad(me, __LINE__, "progress");
    pid_t filler = fill_disk();
    int code = waitio_set_patience(1) ? 0 : deliver(g, 1, text, 300000, 2);
    if (filler > 0 && !kill(filler, SIGKILL))
        waitpid(filler, NULL, 0);
    if (code != WAITIO_ETIMEOUT)
        return bad(me, __LINE__, "not the end of patience");
    return strstr(waitio_error(), disk) && strstr(waitio_error(), strerror(ENOSPC)) ? 0 : bad(me, __LINE__, "error");
}

static void test_hybrid_full_disk(void **state)
{
    (void)state;
    assert_non_null(mkdtemp(disk));
    for (int i = 0; i < 2; i++) {
        run r;
        if (unshare(CLONE_NEWNS) || mount("none", "/", "", MS_REC | MS_PRIVATE, "") ||
            mount("none", disk, "tmpfs", 0, "size=1m")) {
            print_message("mounting a small tmpfs: %s; a full disk is not tested\n", strerror(errno));
            rmdir(disk);
            skip();
        }
        is_full_first = i == 0;
        run_begin(&r, 2, (int[]){1, 1});
        run_start_all(&r, sends_to_full_disk);
        assert_true(run_ends_well(&r, 60));
        assert_int_equal(umount2(disk, MNT_DETACH), 0);
    }
    rmdir(disk);
}

/* Ten thousand processes may wait for one that is busy, on its machine: each wakes seldom to look at its timeouts. */
static int waits_for_busy(seat *me, waitio_group_t g, int rank, int size)
{
    enum { BUSY = 6, WAITED = 5 /* s */, WAKES = 20 };
    waitio_counters_t before, after;
    waitio_req_t r;
    char byte = 1;
    (void)size;
    if (rank == 1)
        return 0;
    if (rank == 0) {
        h3ou__sleep(BUSY);
        return receive(g, 2, &byte, 1, 1);
    }
    if (waitio_isend(g, 0, &byte, 1, 1, &r) || waitio_get_counters(&before))
        return bad(me, __LINE__, "isend");
    for (double end = h3ou__now() + WAITED, rest; (rest = end - h3ou__now()) > 0;)
        if (waitio_progress(rest))
            return bad(me, __LINE__, "progress");
    if (waitio_get_counters(&after) || after.sleeps - before.sleeps > WAKES)
        return bad(me, __LINE__, "woke too often");
    return waitio_wait(&r) ? bad(me, __LINE__, "wait") : 0;
}

static void test_wakes_seldom(void **state)
{
    (void)state;
    static const char *const tcp[] = {"WAITIO_ROUTES", "tcp", NULL};
    run_scene(waits_for_busy, 2, (int[]){1, 2}, tcp, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_modes),
        cmocka_unit_test(test_wakes_seldom),
        cmocka_unit_test(test_protected),
        cmocka_unit_test(test_few_connections),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_hybrid_full_disk),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

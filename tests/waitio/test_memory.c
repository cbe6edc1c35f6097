/* SPDX-License-Identifier: BSD-3-Clause */
/* docs/memory.md against the program: its constants, its formulas, and the case of 4,194,304 processes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "run.h"
#include "waitio/joining/king_link.h"
#include "waitio/message/match.h"
#include "waitio/message/peer.h"

enum { PIECE = 1 << 20, NODES = 1 << 20, PER_NODE = 4, MIB = 1 << 20 };

static uint64_t real(uint64_t n)
{
    return (n + 8 + 15) & ~(uint64_t)15;
}

/* The number in the document's row "| `name` | number |". */
static uint64_t documented(const char *name)
{
    char line[512], begin[64];
    uint64_t value = 0;
    int found = 0;
    FILE *f = fopen(MEMORY_DOCUMENT, "r");
    assert_non_null(f);
    snprintf(begin, sizeof begin, "| `%s` | ", name);
    while (fgets(line, sizeof line, f))
        if (!strncmp(line, begin, strlen(begin))) {
            value = strtoull(line + strlen(begin), NULL, 10);
            found++;
        }
    fclose(f);
    if (found != 1)
        fail_msg("docs/memory.md has %d rows of `%s`", found, name);
    return value;
}

static void check_constant(const char *name, uint64_t value)
{
    uint64_t said = documented(name);
    if (said != value)
        fail_msg("docs/memory.md says %s = %llu, the program has %llu", name, (unsigned long long)said,
                 (unsigned long long)value);
}

static void test_constants(void **state)
{
    (void)state;
    waitio__settings s;
    waitio__settings_default(&s);
    check_constant("instance", sizeof(waitio__instance));
    check_constant("staging", real(65536));
    check_constant("peer", real(sizeof(waitio__peer)));
    check_constant("slot", sizeof(struct waitio__int_map_slot));
    check_constant("lane", real(sizeof(waitio__lane)));
    check_constant("control", real(sizeof(waitio__king_link)));
    check_constant("greeting", real(sizeof(waitio__greeting) + sizeof(void *)));
    check_constant("span", real(sizeof(waitio__span)));
    check_constant("request", sizeof(waitio__request) + sizeof(waitio__request *));
    check_constant("arrival", sizeof(waitio__arrival));
    check_constant("cost", WAITIO__COST);
    check_constant("connections", (uint64_t)s.connections_most);
    check_constant("credit", s.credit);
    check_constant("unexpected", s.unexpected);
    assert_true(real(sizeof(waitio__arrival)) <= WAITIO__COST);
}

/* An idle connection: its peer, its place in the map (half to a quarter full), its lane, and the span it keeps. */
static uint64_t idle(void)
{
    return documented("peer") + 4 * documented("slot") + documented("lane") + documented("span");
}

static void test_an_idle_connection_is_small(void **state)
{
    (void)state;
    check_constant("idle", idle());
    assert_true(idle() <= 1300);
}

static uint64_t table_bytes(uint64_t npb, uint64_t hosts, uint64_t processes)
{
    return 64 + 8 * npb + 4 * (npb + 1) + 18 * hosts + 6 * processes;
}

/* The document's case: 2^20 nodes of 4 processes, each with as many peers as connections, three of them on its node. */
static void test_a_million_nodes(void **state)
{
    (void)state;
    uint64_t table = table_bytes(2, NODES, (uint64_t)NODES * PER_NODE), peers = documented("connections");
    uint64_t quiet = documented("instance") + documented("staging") + peers * idle() +
                     (PER_NODE - 1) * documented("ring") + 64 * documented("request");
    uint64_t busy = quiet + documented("pool") + documented("busy") * documented("chunk") + documented("limit") +
                    peers * documented("least");
    check_constant("million.table", table);
    check_constant("million.quiet", table + PER_NODE * quiet);
    check_constant("million.busy", table + PER_NODE * busy);
    assert_true(table + PER_NODE * busy <= (uint64_t)128 * MIB);
}

static void make_up(unsigned char *record, uint32_t n, uint32_t per_host)
{
    waitio__address a = {.port = (uint16_t)(10000 + n % per_host)};
    uint32_t host = n / per_host;
    a.ip[10] = a.ip[11] = 255;
    a.ip[12] = 10;
    a.ip[13] = (unsigned char)(host >> 16);
    a.ip[14] = (unsigned char)(host >> 8);
    a.ip[15] = (unsigned char)host;
    waitio__endpoint_put(&a, record);
}

/* As the master packs it: two PBs, one half of the processes each. */
static unsigned char *pack(uint32_t hosts, uint32_t per_host, uint64_t *bytes)
{
    uint32_t n = hosts * per_host;
    unsigned char *records = calloc(1, 2 * WAITIO__SALT + (size_t)n * WAITIO__ADDRESS);
    assert_non_null(records);
    unsigned char *of_pb[2] = {records, records + WAITIO__SALT + (size_t)(n / 2) * WAITIO__ADDRESS};
    for (uint32_t i = 0; i < n; i++)
        make_up(of_pb[i >= n / 2] + WAITIO__SALT + (size_t)(i < n / 2 ? i : i - n / 2) * WAITIO__ADDRESS, i, per_host);
    unsigned char *packed =
        waitio__endpoints_pack(2, (const unsigned char *const *)of_pb, (int[]){(int)(n / 2), (int)(n - n / 2)}, bytes);
    free(records);
    return packed;
}

static int take(waitio__endpoints *e, uint64_t instance, waitio__memory *m, const unsigned char *packed, uint64_t bytes)
{
    waitio__endpoint_table_reader *r;
    int code = waitio__endpoint_table_begin(&r, e, instance, m);
    if (code)
        return code;
    for (uint64_t at = 0; at < bytes && !code; at += PIECE)
        code = waitio__endpoint_table_take(r, packed + at, bytes - at < PIECE ? bytes - at : PIECE);
    return waitio__endpoint_table_end(r, code, 20);
}

static uint64_t some_instance(void)
{
    static uint64_t last;
    return (uint64_t)getpid() << 32 | 0xabcd0000u | ++last;
}

static int count_wrong(const waitio__endpoints *e, uint32_t per_host)
{
    int wrong = 0, n = waitio__endpoints_count(e);
    for (int global = 0; global < n; global += global < 100 ? 1 : 997) {
        unsigned char is[WAITIO__ADDRESS], should[WAITIO__ADDRESS];
        waitio__address a;
        int pb, rank;
        waitio__endpoints_address(e, global, &a);
        waitio__endpoint_put(&a, is);
        make_up(should, (uint32_t)global, per_host);
        waitio__endpoints_find(e, global, &pb, &rank);
        wrong += memcmp(is, should, WAITIO__ADDRESS) || waitio__endpoints_global(e, pb, rank) != global;
    }
    return wrong;
}

static uint64_t number_in(const char *file, const char *name)
{
    char line[256];
    uint64_t value = 0;
    FILE *f = fopen(file, "r");
    while (f && fgets(line, sizeof line, f))
        if (!strncmp(line, name, strlen(name)))
            value = strtoull(line + strlen(name), NULL, 10) * 1024;
    if (f)
        fclose(f);
    return value;
}

typedef struct seen {
    ino_t inode;
    uint64_t grown, pss;
    int code, wrong, fd;
} seen;

/* What a process sees that comes second. */
static void look(seen *s, uint64_t instance, const unsigned char *packed, uint64_t bytes)
{
    waitio__memory m = {0};
    waitio__endpoints e;
    struct stat st;
    uint64_t before = number_in("/proc/self/status", "RssAnon:");
    s->code = take(&e, instance, &m, packed, bytes);
    if (s->code)
        return;
    s->wrong = count_wrong(&e, PER_NODE);
    uint64_t after = number_in("/proc/self/status", "RssAnon:");
    s->grown = after > before ? after - before : 0; /* the system may take memory away */
    s->pss = number_in("/proc/self/smaps_rollup", "Pss_Shmem:");
    s->fd = e.fd;
    if (!fstat(e.fd, &st))
        s->inode = st.st_ino;
    s->grown += waitio__memory_held(&m);
    waitio__endpoints_free(&e);
}

static void test_a_table_of_four_million(void **state)
{
    (void)state;
    waitio__memory m = {0};
    waitio__endpoints e;
    uint64_t bytes, instance = some_instance();
    struct stat st;
    seen *s = mmap(NULL, sizeof *s, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    unsigned char *packed = pack(NODES, PER_NODE, &bytes);
    assert_non_null(packed);
    assert_int_equal(take(&e, instance, &m, packed, bytes), 0);
    assert_int_equal(e.nhost, NODES);
    assert_int_equal(e.bytes, table_bytes(2, NODES, (uint64_t)NODES * PER_NODE));
    assert_int_equal(count_wrong(&e, PER_NODE), 0);
    if (e.fd < 0) {
        print_message("no shared memory here: the table is private, its sharing is not tested\n");
    } else {
        assert_int_equal(waitio__memory_held(&m), 0);
        assert_int_equal(fstat(e.fd, &st), 0);
        pid_t pid = fork();
        if (!pid) {
            look(s, instance, packed, bytes);
            _exit(0);
        }
        assert_int_equal(waitpid(pid, NULL, 0), pid);
        assert_int_equal(s->code, 0);
        assert_int_equal(s->wrong, 0);
        assert_true(s->fd >= 0 && s->inode == st.st_ino);
#if !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__) /* which keep shadows of what they see */
        assert_true(s->grown < MIB);
#endif
        print_message("second process: %.1f MB of its own, share of the table (Pss) %.1f MB of %.1f\n",
                      (double)s->grown / 1e6, (double)s->pss / 1e6, (double)e.bytes / 1e6);
    }
    free(packed);
    waitio__endpoints_free(&e);
    munmap(s, sizeof *s);
}

static void test_one_process_a_host(void **state)
{
    (void)state;
    waitio__memory m = {0};
    waitio__endpoints e;
    uint64_t bytes;
    unsigned char *packed = pack(100000, 1, &bytes);
    assert_non_null(packed);
    assert_int_equal(take(&e, 0, &m, packed, bytes), 0);
    assert_int_equal(e.bytes, table_bytes(2, 100000, 100000));
    assert_true(e.bytes - 64 - 28 <= 24 * 100000);
    assert_int_equal(m.held[WAITIO__USE_TABLE], real(e.bytes));
    assert_int_equal(count_wrong(&e, 1), 0);
    waitio__endpoints_free(&e);
    assert_int_equal(waitio__memory_held(&m), 0);
    free(packed);
}

/* Killed while it holds a table: the next run that looks after a minute takes it away. */
static void test_a_killed_process_leaves_nothing(void **state)
{
    (void)state;
    waitio__memory m = {0};
    waitio__endpoints e;
    uint64_t bytes, instance = some_instance(), next = some_instance();
    char path[96];
    int ready[2];
    char word = 0;
    unsigned char *packed = pack(1000, PER_NODE, &bytes);
    assert_int_equal(pipe(ready), 0);
    snprintf(path, sizeof path, "/dev/shm/waitio-%u-%016llx", (unsigned)geteuid(), (unsigned long long)instance);
    pid_t pid = fork();
    if (!pid) {
        word = take(&e, instance, &m, packed, bytes) || e.fd < 0 ? 'n' : 'y';
        if (write(ready[1], &word, 1) == 1)
            for (int i = 0; i < 600; i++)
                usleep(100000);
        _exit(0);
    }
    assert_int_equal(read(ready[0], &word, 1), 1);
    if (word == 'y') {
        const struct timespec old[2] = {{.tv_sec = 1}, {.tv_sec = 1}};
        /* In use it stays, however old it is. */
        assert_int_equal(utimensat(AT_FDCWD, path, old, 0), 0);
        assert_int_equal(take(&e, next, &m, packed, bytes), 0);
        waitio__endpoints_free(&e);
        assert_int_equal(access(path, F_OK), 0);
    }
    kill(pid, SIGKILL);
    assert_int_equal(waitpid(pid, NULL, 0), pid);
    assert_int_equal(take(&e, next, &m, packed, bytes), 0);
    waitio__endpoints_free(&e);
    assert_int_not_equal(access(path, F_OK), 0);
    close(ready[0]);
    close(ready[1]);
    free(packed);
}

/* A process of another user has the name already: it is not believed, and not waited for. */
static void test_a_table_of_another_user(void **state)
{
    (void)state;
    uint64_t instance = some_instance(), bytes;
    waitio__endpoints e;
    waitio__memory m = {0};
    char name[64];
    int status;
    if (geteuid()) {
        print_message("only root can be another user\n");
        skip();
    }
    unsigned char *packed = pack(1000, PER_NODE, &bytes);
    snprintf(name, sizeof name, "/waitio-%u-%016llx", (unsigned)geteuid(), (unsigned long long)instance);
    pid_t pid = fork();
    if (!pid) {
        umask(0);
        int fd = setuid(65534) ? -1 : shm_open(name, O_RDWR | O_CREAT | O_EXCL, 0666);
        _exit(fd < 0 || ftruncate(fd, (off_t)table_bytes(2, 1000, 1000 * PER_NODE)));
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    if (status == 0) {
        assert_int_equal(take(&e, instance, &m, packed, bytes), 0);
        assert_int_equal(e.fd, -1);
        assert_int_equal(count_wrong(&e, PER_NODE), 0);
        waitio__endpoints_free(&e);
    }
    shm_unlink(name);
    waitio__memory_free(&m);
    free(packed);
    if (status) {
        print_message("the other user has no shared memory\n");
        skip();
    }
}

static int in_a_small_folder(const unsigned char *packed, uint64_t bytes)
{
    waitio__memory m = {0};
    waitio__endpoints e;
    if (unshare(CLONE_NEWNS) || mount("none", "/", "", MS_REC | MS_PRIVATE, NULL) ||
        mount("none", "/dev/shm", "tmpfs", 0, "size=64k"))
        return 77;
    if (take(&e, some_instance(), &m, packed, bytes))
        return 1;
    if (e.fd >= 0 || m.held[WAITIO__USE_TABLE] != real(e.bytes) || count_wrong(&e, PER_NODE))
        return 2;
    waitio__endpoints_free(&e);
    return waitio__memory_held(&m) != 0;
}

static void test_a_full_folder(void **state)
{
    (void)state;
    uint64_t bytes;
    int status;
    unsigned char *packed = pack(10000, PER_NODE, &bytes);
    pid_t pid = fork();
    if (!pid)
        _exit(in_a_small_folder(packed, bytes));
    assert_int_equal(waitpid(pid, &status, 0), pid);
    free(packed);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 77) {
        print_message("only root can make a small /dev/shm\n");
        skip();
    }
    assert_int_equal(status, 0);
}

enum { PROCESSES = 8 };
static waitio__memory *held; /* of process 0, shared with the test program */
static waitio_counters_t *counters;

static int say(waitio_group_t g, int from, int to, int rank)
{
    char word[100] = "";
    waitio_req_t req;
    int code = 0;
    if (rank == from)
        code = waitio_isend(g, to, word, sizeof word, 1, &req);
    else if (rank == to)
        code = waitio_irecv(g, from, word, sizeof word, 1, &req);
    return code || (rank != from && rank != to) ? code : waitio_wait(&req);
}

/* Process 0 has a word with each, then nothing. */
static int rests(seat *me)
{
    if (seat_join(me, 30))
        return 1;
    int rank, code = 0;
    waitio_group_t g = group_of_all(0);
    waitio_group_rank(g, &rank);
    for (int i = 1; i < PROCESSES && !code; i++)
        code = say(g, 0, i, rank) || say(g, i, 0, rank);
    for (int i = 0; i < 40 && !code; i++)
        code = waitio_progress(0.02);
    if (rank == 0) {
        *held = waitio__instance_current()->memory;
        waitio_get_counters(counters);
    }
    me->step = 1;
    if (!code)
        code = seat_turn(me, 1);
    waitio_group_free(g);
    return seat_keep(me, code ? code : waitio_finalize());
}

static void rest_over(const char *routes)
{
    run r;
    held = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    counters = (waitio_counters_t *)(held + 1);
    setenv("WAITIO_ROUTES", routes, 1);
    run_begin(&r, 2, (int[]){PROCESSES / 2, PROCESSES / 2});
    run_start_all(&r, rests);
    for (int i = 0; i < PROCESSES; i++)
        seat_reaches(&r.seat[i], 1, 40);
    for (int i = 0; i < PROCESSES; i++)
        r.seat[i].go = 1;
    assert_true(run_end(&r, 40));
    for (int i = 0; i < PROCESSES; i++)
        assert_int_equal(r.seat[i].code, 0);
    run_close(&r);
    unsetenv("WAITIO_ROUTES");
}

static void check_held(uint64_t rings)
{
    const uint64_t n = PROCESSES - 1;
    uint64_t spared = held->spared, buffers = held->held[WAITIO__USE_BUFFERS];
    assert_int_equal(counters->memory, waitio__memory_held(held));
    assert_int_equal(counters->connections, n);
    /* The array of those that are asked grows by powers of two. */
    assert_in_range(held->held[WAITIO__USE_FIXED], documented("instance") + documented("staging"),
                    documented("instance") + documented("staging") + 2 * 8 * (n + 8) + 16);
    assert_int_equal(held->held[WAITIO__USE_PEERS], n * documented("peer") + real(16 * documented("slot")));
    assert_int_equal(held->held[WAITIO__USE_LINKS],
                     n * documented("lane") + documented("control") + documented("seal"));
    assert_int_equal(held->held[WAITIO__USE_REQUESTS], real(16 * sizeof(waitio__request)) + real(16 * sizeof(void *)));
    assert_int_equal(held->held[WAITIO__USE_UNEXPECTED], 0);
    assert_int_equal(held->held[WAITIO__USE_RINGS], rings);
    /* One span each, also of the control link, and what the pool keeps. */
    assert_in_range(buffers, spared, (n + 1) * documented("span") + spared + spared / 512 * 16);
    assert_true(spared <= documented("pool"));
    if (counters->node_memory) {
        assert_int_equal(counters->node_memory, table_bytes(2, 1, PROCESSES));
        assert_int_equal(held->held[WAITIO__USE_TABLE], 0);
    }
    munmap(held, 4096);
}

static void test_idle_over_tcp(void **state)
{
    (void)state;
    rest_over("tcp");
    check_held(0);
}

static void test_idle_over_shared_memory(void **state)
{
    (void)state;
    rest_over("shm,tcp");
    check_held((PROCESSES - 1) * documented("ring"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_constants),
        cmocka_unit_test(test_an_idle_connection_is_small),
        cmocka_unit_test(test_a_million_nodes),
        cmocka_unit_test(test_a_table_of_four_million),
        cmocka_unit_test(test_a_table_of_another_user),
        cmocka_unit_test(test_one_process_a_host),
        cmocka_unit_test(test_a_killed_process_leaves_nothing),
        cmocka_unit_test(test_a_full_folder),
        cmocka_unit_test(test_idle_over_tcp),
        cmocka_unit_test(test_idle_over_shared_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A process that runs out of memory: a scene of two jobs is played again and again, each time with another allocation
 * of one of them that fails. What is delivered without an error must be the message, errors must be of the process that
 * had no memory and say so, and nobody may wait until patience ends. The allocator is replaced by the linker (--wrap).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h>

#include "os/os_clock.h"
#include "run.h"

enum { MESSAGES = 12, LONGEST = 200000, AT_ONCE = 16, PATIENCE = 30, JOINING = 5, TRIES = 8, LAST_TAG = 9 };

/* Which allocations of this process fail: from number `first` on, `length` of them. 0: none. */
static atomic_long allocations;
static long first_to_fail, to_fail;

static bool fails(void)
{
    long n = atomic_fetch_add(&allocations, 1) + 1;
    return first_to_fail && n >= first_to_fail && n - first_to_fail < to_fail;
}

void *__real_malloc(size_t n);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *p, size_t n);
char *__real_strdup(const char *text);
char *__real_strndup(const char *text, size_t n);
void *__wrap_malloc(size_t n);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *p, size_t n);
char *__wrap_strdup(const char *text);
char *__wrap_strndup(const char *text, size_t n);

void *__wrap_malloc(size_t n)
{
    return fails() ? NULL : __real_malloc(n);
}

void *__wrap_calloc(size_t n, size_t size)
{
    return fails() ? NULL : __real_calloc(n, size);
}

void *__wrap_realloc(void *p, size_t n)
{
    return fails() ? NULL : __real_realloc(p, n);
}

char *__wrap_strdup(const char *text)
{
    return fails() ? NULL : __real_strdup(text);
}

char *__wrap_strndup(const char *text, size_t n)
{
    return fails() ? NULL : __real_strndup(text, n);
}

/* What a process found, in memory that the test program sees. */
typedef struct found {
    long allocations;
    int errors, wrong, late;                                  /* late: patience ended */
    bool said;                                                /* the first error says that memory was missing */
    bool sent[MESSAGES], again[MESSAGES], received[MESSAGES]; /* again: after an error, so perhaps in another order */
    bool gave_up;
    char first[RUN_TEXT], worst[RUN_TEXT]; /* sentences of the first error, and of what is wrong */
} found;

static found *results; /* [2 * AT_ONCE], shared memory */
static found *mine;

/* The result of a call: false when it was an error. */
static bool is_well(int code)
{
    if (!code)
        return true;
    const char *text = waitio_error();
    if (!mine->errors++) {
        snprintf(mine->first, sizeof mine->first, "%d: %s", code, text);
        mine->said = strstr(text, "memory") != NULL;
    }
    if (code == WAITIO_ETIMEOUT) {
        mine->late++;
        snprintf(mine->worst, sizeof mine->worst, "%s", text);
    }
    return false;
}

static void wrong(const char *what, int number)
{
    mine->wrong++;
    snprintf(mine->worst, sizeof mine->worst, "%s (message %d)", what, number);
}

/* Short ones and long ones, two of each length one after the other; each says which it is. */
static size_t length_of(int i)
{
    static const size_t length[] = {8, 1000, 20000, 60000, 120000, LONGEST};
    return length[i / 2 % 6];
}

static void compose(char *buf, int i)
{
    fill_pattern(buf, length_of(i), (uint64_t)i);
    memcpy(buf, &i, sizeof i);
}

static char buffer[MESSAGES][LONGEST + 8], expected[LONGEST + 8];

static void check(const char *buf, size_t length, const found *sender, int *last)
{
    int i;
    memcpy(&i, buf, sizeof i);
    if (i < 0 || i >= MESSAGES || mine->received[i] || (i < *last && !sender->again[i])) {
        wrong("a message twice, out of order, or of other bytes", i);
        return;
    }
    *last = sender->again[i] ? *last : i;
    mine->received[i] = true;
    compose(expected, i);
    if (length != length_of(i) || memcmp(buf, expected, length))
        wrong("a message with other bytes or of another length", i);
}

/* An operation that fails is tried again, so that the other process does not wait for ever. */
static bool start(waitio_group_t g, int to, int tag, char *buf, size_t n, waitio_req_t *req)
{
    for (int tries = 0; tries < TRIES; tries++)
        if (is_well(waitio_isend(g, to, buf, n, tag, req)))
            return true;
    return false;
}

static bool end(waitio_group_t g, int to, int tag, char *buf, size_t n, waitio_req_t *req, bool *again)
{
    if (is_well(waitio_wait(req)))
        return true;
    *again = true;
    return start(g, to, tag, buf, n, req) && is_well(waitio_wait(req));
}

static void send_all(waitio_group_t g, int to)
{
    waitio_req_t req[MESSAGES], last;
    bool begun[MESSAGES], again;
    char nothing = 0;
    for (int i = 0; i < MESSAGES; i++) {
        compose(buffer[i], i);
        begun[i] = start(g, to, 1, buffer[i], length_of(i), &req[i]);
    }
    bool ends = start(g, to, LAST_TAG, &nothing, 1, &last) && end(g, to, LAST_TAG, &nothing, 1, &last, &again);
    for (int i = 0; i < MESSAGES; i++)
        mine->sent[i] = begun[i] && end(g, to, 1, buffer[i], length_of(i), &req[i], &mine->again[i]);
    mine->gave_up = mine->gave_up || !ends;
}

static void receive_last(waitio_group_t g, int from)
{
    waitio_req_t req;
    char nothing;
    if (is_well(waitio_irecv(g, from, &nothing, 1, LAST_TAG, &req)) ||
        is_well(waitio_irecv(g, from, &nothing, 1, LAST_TAG, &req)))
        is_well(waitio_wait(&req));
}

/* The last one first, so that the others come before their receives; or it is the last. */
static void receive_all(waitio_group_t g, int from, const found *sender, bool late)
{
    waitio_req_t req;
    waitio_status_t status;
    int last = -1;
    if (late)
        receive_last(g, from);
    for (int i = 0, failed = 0; i < MESSAGES && failed < TRIES; i++) {
        memset(buffer[i], 0x5a, sizeof buffer[i]);
        if (!is_well(waitio_irecv(g, i % 2 ? WAITIO_ANY_SOURCE : from, buffer[i], sizeof buffer[i], 1, &req))) {
            failed++;
            i--;
        } else if (is_well(waitio_wait(&req)) && !waitio_get_status(&req, &status)) {
            check(buffer[i], status.length, sender, &last);
        }
    }
    if (!late)
        receive_last(g, from);
}

static void talk(bool is_first)
{
    waitio_group_t g = NULL;
    for (int tries = 0; tries < TRIES && !g; tries++)
        if (!(g = group_of_all(3)))
            is_well(WAITIO_ENOMEM);
    if (!g)
        return;
    if (is_first) {
        send_all(g, 1);
        receive_all(g, 1, mine + 1, false);
    } else {
        receive_all(g, 0, mine - 1, true);
        send_all(g, 0);
    }
    waitio_group_free(g);
}

static const char *const *setting;
static bool with_join; /* else allocations count from when it has joined */
static int which;      /* of the runs side by side */
static int poor;       /* the PB whose process runs out of memory */

static int play(seat *me)
{
    mine = &results[2 * which + me->pb];
    for (int i = 0; setting[i]; i += 2)
        setenv(setting[i], setting[i + 1], 1);
    char patience[16];
    snprintf(patience, sizeof patience, "%d", PATIENCE);
    setenv("WAITIO_PATIENCE", patience, 1);
    long first = me->pb == poor ? first_to_fail : 0;
    first_to_fail = with_join ? first : 0;
    atomic_store(&allocations, 0);
    bool joined = is_well(seat_join(me, JOINING));
    mine->late = 0; /* who cannot join need not say so to those that wait for it */
    if (!with_join) {
        atomic_store(&allocations, 0);
        first_to_fail = first;
    }
    if (joined) {
        talk(me->pb == 0);
        is_well(waitio_finalize());
    }
    mine->allocations = atomic_load(&allocations);
    return 0;
}

static int judge(const char *name, long n, const found two[2])
{
    const found *it = &two[poor], *other = &two[1 - poor];
    const char *why = NULL;
    if (two[0].wrong || two[1].wrong)
        why = two[0].wrong ? two[0].worst : two[1].worst;
    else if (two[0].late || two[1].late)
        why = two[0].late ? two[0].worst : two[1].worst;
    else if (it->errors && !it->said)
        why = "the first error of the process without memory does not say so";
    else if (!it->errors && other->errors)
        why = "an error, but not where there was no memory";
    for (int from = 0; from < 2 && !why; from++)
        for (int i = 0; i < MESSAGES && !why; i++)
            if (two[from].sent[i] && !two[1 - from].received[i] && !it->errors && !other->errors)
                why = "a message that was sent has not been delivered, and no call said so";
    if (why)
        print_message("%s, PB %d, allocation %ld (%ld fail): %s\n  PB %d: %s\n  PB %d: %s\n", name, poor, n, to_fail,
                      why, poor, it->first, 1 - poor, other->first);
    return why != NULL;
}

/* AT_ONCE runs side by side, each with another allocation that fails: most of their time they wait. *all: the last of
 * them came to its end before its allocation. */
static int run_some(const char *name, long n, bool *all)
{
    int bad = 0;
    run r[AT_ONCE];
    memset(results, 0, 2 * AT_ONCE * sizeof *results);
    for (int i = 0; i < AT_ONCE; i++) {
        which = i;
        first_to_fail = n + i;
        run_begin(&r[i], 2, (int[]){1, 1});
        run_start_all(&r[i], play);
    }
    for (int i = 0; i < AT_ONCE; i++) {
        bool ended = run_end(&r[i], 2 * PATIENCE);
        bool crashed = r[i].seat[0].status || r[i].seat[1].status;
        if (!ended || crashed)
            print_message("%s, PB %d, allocation %ld: %s\n", name, poor, n + i, ended ? "a process crashed" : "a hang");
        bad += !ended || crashed ? 1 : judge(name, n + i, &results[2 * i]);
        run_close(&r[i]);
    }
    *all = results[2 * (AT_ONCE - 1) + poor].allocations < n + AT_ONCE - 1;
    first_to_fail = 0;
    return bad;
}

static void play_all(const char *name, const char *const settings[], long length)
{
    setting = settings;
    to_fail = length;
    for (poor = 0; poor < 2; poor++) {
        bool all = false;
        int bad = 0;
        long n = 1;
        for (; !all && n < 2000 && bad < 8; n += AT_ONCE)
            bad += run_some(name, n, &all);
        print_message("%s, PB %d: %ld runs, %d bad\n", name, poor, n - 1, bad);
        assert_int_equal(bad, 0);
        assert_true(all && n > AT_ONCE);
    }
}

static void test_tcp(void **state)
{
    (void)state;
    with_join = true;
    play_all("tcp", (const char *const[]){"WAITIO_ROUTES", "tcp", NULL}, 1);
    with_join = false;
}

static void test_shm(void **state)
{
    (void)state;
    play_all("shm", (const char *const[]){"WAITIO_ROUTES", "shm,tcp", NULL}, 1);
}

static void test_sealed(void **state)
{
    (void)state;
    static const char *const sealed[] = {"WAITIO_ROUTES", "tcp", "WAITIO_ENCRYPT", "1", "WAITIO_CHECKSUM", "1", NULL};
    play_all("sealed", sealed, 1);
}

/* Several in a row, so that also what is tried in place of the first one fails. */
static void test_several(void **state)
{
    (void)state;
    play_all("several by tcp", (const char *const[]){"WAITIO_ROUTES", "tcp", NULL}, 3);
    play_all("several by unix", (const char *const[]){"WAITIO_ROUTES", "unix", NULL}, 3);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tcp),
        cmocka_unit_test(test_shm),
        cmocka_unit_test(test_sealed),
        cmocka_unit_test(test_several),
    };
    results = mmap(NULL, 2 * AT_ONCE * sizeof *results, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (results == MAP_FAILED)
        return 1;
    if (argc > 1)
        cmocka_set_test_filter(argv[1]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}

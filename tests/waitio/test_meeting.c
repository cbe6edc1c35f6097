/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A job without MPI meets, and others are there too: processes of another user, and at WAITIO_KING_HOST whoever can
 * connect. They are not joined, learn nothing, and keep nobody from meeting.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <arpa/inet.h>
#include <cmocka.h>
#include <dirent.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/bytes.h"
#include "os/os_clock.h"
#include "os/socket.h"
#include "run.h"
#include "waitio/identity/greeting.h"
#include "waitio/message/instance.h"

enum { NOBODY = 65534, NAMES = 32, NAME = 108, SILENT = 60, TAPE = 1 << 20 };

static int with_port, with_size; /* of the processes that are started next: WAITIO_KING_PORT; WAITIO_SIZE, if not 0 */
static double with_timeout = 10;

static int meets(seat *me)
{
    char text[32];
    snprintf(text, sizeof text, "%d", with_port);
    if (with_port) {
        setenv("WAITIO_KING_HOST", "127.0.0.1", 1);
        setenv("WAITIO_KING_PORT", text, 1);
    }
    snprintf(text, sizeof text, "%d", with_size);
    if (with_size)
        setenv("WAITIO_SIZE", text, 1);
    me->step = 1;
    int code = seat_join(me, with_timeout);
    me->step = 2;
    if (code)
        return code;
    memcpy(me->text, &waitio__instance_current()->self.lane_key, WAITIO__KEY);
    return waitio_finalize() ? seat_keep(me, 1) : 0;
}

static void assert_seat(const seat *s, int code, const char *part)
{
    bool is_right = s->code == code && (!code || strstr(s->text, part));
    if (!is_right)
        print_message("rank %d: code %d: %s\nexpected %d: ...%s...\n", s->rank, s->code, s->code ? s->text : "", code,
                      part);
    assert_int_equal(s->status, 0);
    assert_true(is_right);
}

static void assert_met(run *r)
{
    bool all = run_end(r, 30);
    for (int i = 0; i < r->n; i++)
        assert_seat(&r->seat[i], 0, "");
    assert_true(all);
    run_close(r);
}

static bool has_socket(pid_t pid, const char *inode)
{
    char folder[64], path[400], target[64], wanted[64];
    bool found = false;
    snprintf(folder, sizeof folder, "/proc/%d/fd", (int)pid);
    snprintf(wanted, sizeof wanted, "socket:[%.40s]", inode);
    DIR *d = opendir(folder);
    for (struct dirent *e; d && !found && (e = readdir(d)) != NULL;) {
        snprintf(path, sizeof path, "%s/%.300s", folder, e->d_name);
        ssize_t n = readlink(path, target, sizeof target - 1);
        target[n > 0 ? n : 0] = 0;
        found = !strcmp(target, wanted);
    }
    if (d)
        closedir(d);
    return found;
}

/* The names in the abstract name space of this host at which that process listens. */
static int read_names(pid_t pid, char name[NAMES][NAME])
{
    char line[512], inode[41], path[NAME];
    int n = 0;
    FILE *f = fopen("/proc/net/unix", "r");
    while (f && n < NAMES && fgets(line, sizeof line, f))
        if (sscanf(line, "%*s %*s %*s 00010000 %*s %*s %40s @%100s", inode, path) == 2 && has_socket(pid, inode))
            snprintf(name[n++], NAME, "%s", path);
    if (f)
        fclose(f);
    return n;
}

/* What a process of another user does and sees. */
typedef struct other_user {
    pid_t pid;
    volatile int ready, came, bytes; /* came: connections; bytes: what was said over them */
} other_user;

/* In a process of another user: listens at the names, or connects to them, and speaks as the King once did. */
static void be_nobody(other_user *o, char name[NAMES][NAME], int n, bool connects)
{
    static const char lie[12] = {'W', 'I', 'K', '1', 1, 0, 0, 0, 9, 0, 0, 0};
    int fd[NAMES + SILENT], nfd = 0;
    char bytes[512];
    if (setgid(NOBODY) || setuid(NOBODY))
        _exit(1);
    for (int i = 0; i < n && !connects; i++)
        nfd += !h3ou__local_listen(name[i], &fd[nfd]);
    for (int i = 0; i < SILENT && connects; i++)
        nfd += !h3ou__local_connect(name[i % n], &fd[nfd]);
    o->ready = nfd ? nfd : -1;
    for (int turn = 0;; turn++) {
        for (int i = 0; i < nfd; i++) {
            int guest = connects ? fd[i] : accept4(fd[i], NULL, NULL, SOCK_CLOEXEC);
            if (guest < 0)
                continue;
            o->came++;
            if (turn < 3 || !connects)
                send(guest, lie, sizeof lie, MSG_NOSIGNAL | MSG_DONTWAIT);
            h3ou__sleep(connects ? 0 : 0.02);
            ssize_t got = recv(guest, bytes, sizeof bytes, MSG_DONTWAIT);
            o->bytes += got > 0 ? (int)got : 0;
            if (!connects)
                close(guest);
        }
        h3ou__sleep(0.005);
    }
}

static other_user *start_nobody(char name[NAMES][NAME], int n, bool connects)
{
    other_user *o = mmap(NULL, sizeof *o, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (o == MAP_FAILED)
        abort();
    fflush(NULL);
    pid_t pid = fork();
    if (!pid) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        be_nobody(o, name, n, connects);
    }
    o->pid = pid;
    double end = h3ou__now() + 10;
    while (!o->ready && h3ou__now() < end)
        h3ou__sleep(0.002);
    return o;
}

static void end_nobody(other_user *o)
{
    kill(o->pid, SIGKILL);
    waitpid(o->pid, NULL, 0);
}

/* Starts the King of a job, and learns from the kernel's list, as any user can, where it waits. */
static int learn_names(run *r, char name[NAMES][NAME])
{
    int n;
    seat *king = run_start(r, 0, 0, meets);
    double end = h3ou__now() + 10;
    while (!(n = read_names(king->pid, name)) && h3ou__now() < end)
        h3ou__sleep(0.01);
    return n;
}

/* Another user has seen where a run's King waited, and waits there before the next run begins. */
static void test_name_held_by_another_user(void **state)
{
    (void)state;
    run r;
    char name[NAMES][NAME];
    if (geteuid())
        skip();
    with_port = with_size = 0;
    run_begin(&r, 1, (int[]){3});
    int n = learn_names(&r, name);
    assert_true(n > 0);
    seat_kill(&r.seat[0]);
    assert_true(run_end(&r, 10));
    r.n = 0;
    other_user *o = start_nobody(name, n, false);
    assert_int_equal(o->ready, n);
    run_start(&r, 0, 1, meets);
    double end = h3ou__now() + 10;
    while (!o->came && h3ou__now() < end) /* it is asked, and not believed */
        h3ou__sleep(0.002);
    run_start(&r, 0, 0, meets);
    run_start(&r, 0, 2, meets);
    bool all = run_end(&r, 30);
    end_nobody(o);
    assert_true(all && o->came > 0);
    assert_int_equal(o->bytes, 0);
    assert_met(&r);
}

/* Another user connects where the King waits, in silence or with a lie. */
static void test_another_user_connects(void **state)
{
    (void)state;
    run r;
    char name[NAMES][NAME];
    if (geteuid())
        skip();
    with_port = with_size = 0;
    run_begin(&r, 1, (int[]){3});
    int n = learn_names(&r, name);
    assert_true(n > 0);
    other_user *o = start_nobody(name, n, true);
    assert_true(o->ready > 0);
    run_start(&r, 0, 1, meets);
    run_start(&r, 0, 2, meets);
    bool all = run_end(&r, 30);
    end_nobody(o);
    assert_true(all);
    assert_int_equal(o->bytes, 0);
    assert_met(&r);
}

/* Someone who does not know the secret listens at the King's port, before the King does. */
static void test_impostor_at_port(void **state)
{
    (void)state;
    run r;
    unsigned char bytes[4096], lie[WAITIO__GREET];
    with_size = 0;
    with_port = free_port();
    run_begin(&r, 1, (int[]){2});
    run_start(&r, 0, 1, meets); /* before there is a descriptor that it would inherit */
    int ear = listen_on(with_port);
    assert_true(ear >= 0);
    int guest = accept4(ear, NULL, NULL, SOCK_CLOEXEC);
    assert_int_equal(recv(guest, bytes, WAITIO__GREET, MSG_WAITALL), WAITIO__GREET);
    waitio__greet g;
    assert_int_equal(waitio__greet_get(bytes, WAITIO__HELLO, &g), 0);
    g.kind = WAITIO__CHALLENGE;
    waitio__greet_put(&g, lie);
    assert_int_equal(send(guest, lie, sizeof lie, MSG_NOSIGNAL), sizeof lie);
    assert_true(recv(guest, bytes, sizeof bytes, 0) <= 0); /* no proof, no address: it hangs up */
    close(guest);
    close(ear);
    run_start(&r, 0, 0, meets);
    assert_met(&r);
    with_port = 0;
}

static int connect_soon(int port)
{
    int fd;
    double end = h3ou__now() + 10;
    while ((fd = connect_to(port)) < 0 && h3ou__now() < end)
        h3ou__sleep(0.005);
    return fd;
}

/* What comes back to these bytes, until the other end closes: at most a challenge. */
static size_t provoke(int port, const void *bytes, size_t n)
{
    char answer[4096];
    size_t all = 0;
    ssize_t got = 0;
    int fd = connect_soon(port);
    struct timeval patience = {.tv_sec = 15};
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    if (send(fd, bytes, n, MSG_NOSIGNAL) == (ssize_t)n)
        while ((got = recv(fd, answer, sizeof answer, 0)) > 0)
            all += (size_t)got;
    close(fd);
    return all;
}

/* At WAITIO_KING_HOST: silence, the greeting of a rank without the secret, wrong numbers, noise, half a greeting. */
static void test_strangers_at_port(void **state)
{
    (void)state;
    run r;
    int silent[SILENT];
    unsigned char hello[2 * WAITIO__GREET], noise[500];
    static const int32_t size[3] = {3, 99, 3}, rank[3] = {1, 1, 77};
    with_size = 0;
    with_port = free_port();
    run_begin(&r, 1, (int[]){3});
    run_start(&r, 0, 0, meets);
    for (int i = 0; i < SILENT; i++)
        silent[i] = connect_soon(with_port);
    for (int i = 0; i < 3; i++) {
        unsigned char lie[12];
        h3ou__put32(lie, 0x314b4957);
        h3ou__put32(lie + 4, (uint32_t)rank[i]);
        h3ou__put32(lie + 8, (uint32_t)size[i]);
        assert_int_equal(provoke(with_port, lie, sizeof lie), 0);
        waitio__greet g = {
            .kind = WAITIO__HELLO, .purpose = WAITIO__FOR_KING, .source = rank[i], .epoch = (uint32_t)size[i]};
        waitio__greet_put(&g, hello);
        g.kind = WAITIO__PROOF;
        waitio__greet_put(&g, hello + WAITIO__GREET);
        assert_true(provoke(with_port, hello, sizeof hello) <= WAITIO__GREET);
        fill_pattern((char *)noise, sizeof noise, (uint64_t)i);
        assert_int_equal(provoke(with_port, noise, sizeof noise), 0);
    }
    int half = connect_soon(with_port);
    assert_int_equal(send(half, hello, 100, MSG_NOSIGNAL), 100);
    run_start(&r, 0, 1, meets);
    run_start(&r, 0, 2, meets);
    assert_met(&r);
    for (int i = 0; i < SILENT; i++)
        close(silent[i]);
    close(half);
    with_port = 0;
}

/* A program on the way between a process and its King: records all that passes, and may change one byte of it. */
typedef struct relay {
    int ear, side[2];
    size_t n, change_at; /* of what the King says; 0: nothing is changed */
    unsigned char *tape; /* [TAPE] */
} relay;

static bool pass_on(relay *t, int from)
{
    unsigned char bytes[4096];
    ssize_t n = recv(t->side[from], bytes, sizeof bytes, MSG_DONTWAIT);
    if (n <= 0 || t->n + (size_t)n > TAPE)
        return false;
    memcpy(t->tape + t->n, bytes, (size_t)n);
    t->n += (size_t)n;
    if (from && t->change_at && t->n > t->change_at) {
        bytes[n - 1] ^= 1;
        t->change_at = 0;
    }
    return send(t->side[!from], bytes, (size_t)n, MSG_NOSIGNAL) == n;
}

static void relay_run(relay *t, int king_port)
{
    t->n = 0;
    t->side[0] = accept4(t->ear, NULL, NULL, SOCK_CLOEXEC);
    t->side[1] = connect_soon(king_port);
    struct pollfd p[2] = {{.fd = t->side[0], .events = POLLIN}, {.fd = t->side[1], .events = POLLIN}};
    bool is_open = true;
    while (is_open && poll(p, 2, 30000) > 0)
        for (int from = 0; from < 2 && is_open; from++)
            if (p[from].revents)
                is_open = pass_on(t, from);
    close(t->side[0]);
    close(t->side[1]);
}

static void meet_through_relay(relay *t, run *r)
{
    int king_port = free_port(), relay_port = free_port();
    t->ear = listen_on(relay_port);
    run_begin(r, 1, (int[]){2});
    with_size = 0;
    with_port = king_port;
    run_start(r, 0, 0, meets);
    with_port = relay_port;
    run_start(r, 0, 1, meets);
    relay_run(t, king_port);
    close(t->ear);
    with_port = 0;
}

/* Over a network nobody can read the key of the run, or where its processes listen, and nobody can change it. */
static void test_sealed(void **state)
{
    (void)state;
    run r;
    relay t = {.tape = malloc(TAPE)};
    meet_through_relay(&t, &r);
    assert_true(run_end(&r, 30));
    assert_seat(&r.seat[0], 0, "");
    assert_seat(&r.seat[1], 0, "");
    assert_memory_equal(r.seat[0].text, r.seat[1].text, WAITIO__KEY);
    assert_true(t.n > 4 * WAITIO__GREET + WAITIO__KEY);
    assert_null(memmem(t.tape, t.n, r.seat[0].text, WAITIO__KEY));
    assert_null(memmem(t.tape, t.n, (unsigned char[]){0xff, 0xff, 127, 0, 0, 1}, 6)); /* an address */
    run_close(&r);

    t.change_at = 4 * WAITIO__GREET + 8;
    meet_through_relay(&t, &r);
    assert_true(run_end(&r, 30));
    assert_seat(&r.seat[1], WAITIO_EPROTO, "rank 0 of this job (without MPI): an encrypted record that was changed");
    run_close(&r);
    free(t.tape);
}

/* Whoever has the secret and says something wrong is of this job: it ends, and each process says why. */
static void test_wrong_numbers(void **state)
{
    (void)state;
    run r;
    with_port = 0;
    run_begin(&r, 1, (int[]){3});
    run_start(&r, 0, 0, meets);
    assert_true(seat_reaches(&r.seat[0], 1, 10));
    with_size = 4;
    run_start(&r, 0, 1, meets);
    assert_true(run_end(&r, 30));
    assert_seat(&r.seat[0], WAITIO_EJOIN, "rank 1 of this job says that it has 4 processes, rank 0 says 3");
    assert_seat(&r.seat[1], WAITIO_EJOIN, "rank 0 of this job (without MPI) does not expect a rank 1 of 4");
    run_close(&r);
    with_size = 0;
    run_begin(&r, 1, (int[]){3});
    run_start(&r, 0, 0, meets);
    run_start(&r, 0, 1, meets);
    run_start(&r, 0, 1, meets);
    assert_true(run_end(&r, 30));
    assert_seat(&r.seat[0], WAITIO_EJOIN, "two processes of this job say that they are rank 1 of 3");
    run_close(&r);
}

static int meets_with_other_secret(seat *me)
{
    char path[] = "/tmp/waitio-other-XXXXXX";
    int fd = mkstemp(path);
    if (write(fd, "another secret of 24 bytes", 24) != 24)
        return 1;
    close(fd);
    setenv("WAITIO_SECRET_FILE", path, 1);
    int code = meets(me);
    unlink(path);
    return code;
}

static void test_other_secret(void **state)
{
    (void)state;
    run r;
    for (int across = 0; across < 2; across++) {
        with_port = across ? free_port() : 0;
        with_timeout = 4;
        run_begin(&r, 1, (int[]){2});
        run_start(&r, 0, 0, meets);
        run_start(&r, 0, 1, meets_with_other_secret);
        assert_true(run_end(&r, 30));
        assert_seat(&r.seat[0], WAITIO_ETIMEOUT, "1 of the 2 processes of this job (without MPI) did not come");
        assert_seat(&r.seat[1], WAITIO_ETIMEOUT,
                    across ? "what answers in its place is of another job, or does not know the secret"
                           : "no process with the same secret waits in its place");
        run_close(&r);
    }
    with_port = 0;
    with_timeout = 10;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_name_held_by_another_user),
        cmocka_unit_test(test_another_user_connects),
        cmocka_unit_test(test_impostor_at_port),
        cmocka_unit_test(test_strangers_at_port),
        cmocka_unit_test(test_sealed),
        cmocka_unit_test(test_wrong_numbers),
        cmocka_unit_test(test_other_secret),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * WAITIO_MASTER_HOST with several addresses, and with one that only this host reaches, as Debian writes it into
 * /etc/hosts. Each process has a file /etc/hosts of its own, in a mount name space of its own.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/log.h"
#include "os/os_clock.h"
#include "run.h"
#include "waitio/stream/settings.h"

static const char two[] = "127.0.1.1 couplerhost\n127.0.0.9 couplerhost\n127.0.1.1 couplerhost\n";
static const char hidden[] = "127.0.1.1 couplerhost\n";
static const char real_and_hidden[] = "127.0.1.1 couplerhost\n192.0.2.7 couplerhost\n"; /* an address for documents */

/* Replaces /etc/hosts for this process alone. */
static bool set_hosts(const char *text)
{
    char path[] = "/tmp/waitio-hosts-XXXXXX";
    int fd = mkstemp(path);
    bool done = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text) && !fchmod(fd, 0644) &&
                !unshare(CLONE_NEWNS) && !mount("none", "/", "none", MS_REC | MS_PRIVATE, NULL) &&
                !mount(path, "/etc/hosts", "none", MS_BIND, NULL);
    if (fd >= 0) {
        close(fd);
        unlink(path);
    }
    return done;
}

static bool can_set_hosts(void)
{
    int status, n;
    fflush(NULL);
    pid_t pid = fork();
    if (!pid) {
        h3ou__address a;
        _exit(!set_hosts(hidden) || h3ou__address_resolve("couplerhost", 1, &a, 1, &n));
    }
    return waitpid(pid, &status, 0) == pid && status == 0;
}

static double with_timeout;

static int joins(seat *me)
{
    me->step = 1;
    int code = seat_join(me, with_timeout);
    return code ? code : seat_keep(me, waitio_finalize());
}

static int joins_as_master(seat *me)
{
    setenv("WAITIO_MASTER_HOST", "couplerhost", 1);
    return set_hosts(two) ? joins(me) : 1;
}

static int joins_at_first(seat *me)
{
    setenv("WAITIO_MASTER_HOST", "127.0.1.1", 1);
    return joins(me);
}

static int joins_at_second(seat *me)
{
    setenv("WAITIO_MASTER_HOST", "127.0.0.9", 1);
    return joins(me);
}

/* The master listens at all addresses of its name, whichever the others know it by. */
static void test_all_addresses(void **state)
{
    (void)state;
    run r;
    if (!can_set_hosts())
        skip();
    with_timeout = 10;
    run_begin(&r, 3, (int[]){1, 1, 1});
    run_start(&r, 0, 0, joins_as_master);
    run_start(&r, 1, 0, joins_at_first);
    run_start(&r, 2, 0, joins_at_second);
    bool all = run_end(&r, 30);
    for (int i = 0; i < 3; i++) {
        if (r.seat[i].code)
            print_message("PB %d: %d %s\n", i, r.seat[i].code, r.seat[i].text);
        assert_int_equal(r.seat[i].code, 0);
    }
    assert_true(all);
    run_close(&r);
}

/* The King of a job without MPI does so, too. */
static int meets_as_king(seat *me)
{
    setenv("WAITIO_KING_HOST", me->rank ? me->rank == 1 ? "127.0.1.1" : "127.0.0.9" : "couplerhost", 1);
    return me->rank || set_hosts(two) ? joins(me) : 1;
}

static void test_all_addresses_of_a_king(void **state)
{
    (void)state;
    run r;
    char port[16];
    if (!can_set_hosts())
        skip();
    with_timeout = 10;
    run_begin(&r, 1, (int[]){3});
    snprintf(port, sizeof port, "%d", free_port());
    setenv("WAITIO_KING_PORT", port, 1);
    run_start_all(&r, meets_as_king);
    unsetenv("WAITIO_KING_PORT");
    bool all = run_end(&r, 30);
    for (int i = 0; i < 3; i++) {
        if (r.seat[i].code)
            print_message("rank %d: %d %s\n", i, r.seat[i].code, r.seat[i].text);
        assert_int_equal(r.seat[i].code, 0);
    }
    assert_true(all);
    run_close(&r);
}

/* What other hosts reach is tried first; each address stands there once. */
static int resolves(seat *me)
{
    static const unsigned char real[4] = {192, 0, 2, 7}, near[4] = {127, 0, 1, 1};
    waitio__settings s;
    setenv("WAITIO_MASTER_HOST", "couplerhost", 1);
    if (!set_hosts(me->rank ? two : real_and_hidden))
        return 1;
    if (waitio__settings_read(&s) || s.nmaster != 2)
        return seat_keep(me, 2);
    if (me->rank)
        return 0;
    return memcmp(s.master[0].ip + 12, real, 4) || memcmp(s.master[1].ip + 12, near, 4) ? 3 : 0;
}

static void test_order(void **state)
{
    (void)state;
    run r;
    if (!can_set_hosts())
        skip();
    run_begin(&r, 2, (int[]){2, 1});
    run_start(&r, 0, 0, resolves);
    run_start(&r, 0, 1, resolves);
    assert_true(run_end(&r, 30));
    assert_int_equal(r.seat[0].code, 0);
    assert_int_equal(r.seat[1].code, 0);
    run_close(&r);
}

static char said[RUN_TEXT];

static void keep_line(void *user, int level, const char *line)
{
    (void)user;
    if (level == H3OU__LOG_WHISPER && !strncmp(line, "only_this_host ", 15))
        snprintf(said, sizeof said, "%s", line);
}

/* Says at once what it will say when patience ends. */
static int joins_hidden(seat *me)
{
    setenv("WAITIO_MASTER_HOST", "couplerhost", 1);
    if (!set_hosts(hidden))
        return 1;
    h3ou__log_to(H3OU__LOG_WHISPER, keep_line, NULL);
    int code = seat_join(me, 1);
    h3ou__log_to(H3OU__LOG_SILENT, NULL, NULL);
    snprintf(me->text, sizeof me->text, "%.900s|%.900s", said, waitio_error());
    return code;
}

static void test_only_this_host(void **state)
{
    (void)state;
    run r;
    static const char why[] = "WAITIO_MASTER_HOST=couplerhost leads to 127.0.1.1:";
    if (!can_set_hosts())
        skip();
    run_begin(&r, 2, (int[]){1, 1});
    run_start(&r, 0, 0, joins_hidden);
    assert_true(run_end(&r, 30));
    seat *s = &r.seat[0];
    char *log = strstr(s->text, why), *sentence = log ? strstr(log + 1, why) : NULL;
    if (!sentence)
        print_message("%d %s\n", s->code, s->text);
    assert_int_equal(s->code, WAITIO_ETIMEOUT);
    assert_int_equal(strncmp(s->text, "only_this_host ", 15), 0);
    assert_non_null(sentence);
    assert_non_null(strstr(sentence, "only jobs on this host can join"));
    run_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_addresses),
        cmocka_unit_test(test_all_addresses_of_a_king),
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_only_this_host),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

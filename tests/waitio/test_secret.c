/* SPDX-License-Identifier: BSD-3-Clause */
/* Which files are taken as the secret, and what the user is told about the others. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/error.h"
#include "waitio/identity/secret.h"

static char folder[64], path[96];

static int begin(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/waitio-secret-XXXXXX");
    if (!mkdtemp(folder))
        return 1;
    snprintf(path, sizeof path, "%s/secret", folder);
    return setenv("WAITIO_SECRET_FILE", path, 1);
}

static int end(void **state)
{
    (void)state;
    unlink(path);
    return rmdir(folder);
}

static void write_file(const char *name, const char *text, mode_t mode)
{
    FILE *f = fopen(name, "w");
    assert_non_null(f);
    assert_true(fputs(text, f) >= 0);
    assert_int_equal(fclose(f), 0);
    assert_int_equal(chmod(name, mode), 0);
}

static void assert_refused(int code, const char *part)
{
    waitio__key key;
    int is = waitio__secret_read(&key);
    if (is != code || !strstr(h3ou__fail_text(), part))
        print_message("%d %s\nexpected %d ...%s...\n", is, h3ou__fail_text(), code, part);
    assert_int_equal(is, code);
    assert_non_null(strstr(h3ou__fail_text(), part));
}

static void test_same_for_all(void **state)
{
    waitio__key a, b;
    (void)state;
    write_file(path, "0123456789abcdef\n", 0600);
    assert_int_equal(waitio__secret_read(&a), 0);
    write_file(path, "0123456789abcdef", 0600);
    assert_int_equal(waitio__secret_read(&b), 0);
    assert_memory_equal(&a, &b, sizeof a); /* the end of the line is not part of it */
    write_file(path, "0123456789abcdeF", 0600);
    assert_int_equal(waitio__secret_read(&b), 0);
    assert_memory_not_equal(&a, &b, sizeof a);
}

/* A pipe that nobody writes to, and a socket: refused at once. A test that hangs here is ended by its timeout. */
static void test_no_ordinary_file(void **state)
{
    (void)state;
    unlink(path);
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_refused(H3OU__EFILE, "is no ordinary file");
    unlink(path);
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    snprintf(name.sun_path, sizeof name.sun_path, "%s", path);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_int_equal(bind(fd, (struct sockaddr *)&name, sizeof name), 0);
    assert_refused(H3OU__EFILE, "is no ordinary file");
    close(fd);
    unlink(path);
    assert_int_equal(mkdir(path, 0700), 0);
    assert_refused(H3OU__EFILE, "is no ordinary file");
    rmdir(path);
}

static void test_too_open(void **state)
{
    (void)state;
    write_file(path, "0123456789abcdef", 0640);
    assert_refused(H3OU__EFILE, "can be read or written by others: chmod 600 it");
    write_file(path, "0123456789abcdef", 0602);
    assert_refused(H3OU__EFILE, "can be read or written by others: chmod 600 it");
    if (geteuid() == 0) {
        write_file(path, "0123456789abcdef", 0600);
        assert_int_equal(chown(path, 65534, 65534), 0);
        assert_refused(H3OU__EFILE, "belongs to another user");
    }
    unlink(path);
}

/* The remedy must be one that works: a file that the user named is not made anew. */
static void test_too_short(void **state)
{
    waitio__key key;
    (void)state;
    write_file(path, "short\n", 0600);
    assert_refused(H3OU__EFILE, "has 5 bytes; 16 are the least: write at least 16 random bytes into it");
    unlink(path);
    assert_refused(H3OU__EFILE, "(WAITIO_SECRET_FILE names it)");

    char home[80], own[100];
    snprintf(home, sizeof home, "%s/.waitio", folder);
    snprintf(own, sizeof own, "%s/.waitio/secret", folder);
    setenv("HOME", folder, 1);
    unsetenv("WAITIO_SECRET_FILE");
    assert_int_equal(mkdir(home, 0700), 0);
    write_file(own, "short\n", 0600);
    assert_refused(H3OU__EFILE, "remove it, and a good one is made");
    unlink(own);
    assert_int_equal(waitio__secret_read(&key), 0); /* it is */
    unlink(own);
    rmdir(home);
    setenv("WAITIO_SECRET_FILE", path, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_same_for_all, begin, end),
        cmocka_unit_test_setup_teardown(test_no_ordinary_file, begin, end),
        cmocka_unit_test_setup_teardown(test_too_open, begin, end),
        cmocka_unit_test_setup_teardown(test_too_short, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

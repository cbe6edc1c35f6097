/* SPDX-License-Identifier: BSD-3-Clause */
/* What the environment says, and the sentences about what it says wrongly. One process, no other. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/error.h"
#include "waitio/stream/settings.h"

#define BLANKS "                                                                "

static int read_with_routes(const char *routes, waitio__settings *s)
{
    setenv("WAITIO_NPB", "1", 1);
    setenv("WAITIO_PBID", "0", 1);
    setenv("WAITIO_ROUTES", routes, 1);
    return waitio__settings_read(s);
}

static void assert_refused(const char *routes, const char *sentence)
{
    waitio__settings s;
    assert_int_equal(read_with_routes(routes, &s), H3OU__EENV);
    assert_string_equal(h3ou__fail_text(), sentence);
}

static void test_routes(void **state)
{
    (void)state;
    waitio__settings s;
    assert_int_equal(read_with_routes(" tcp,," BLANKS BLANKS "unix , shm", &s), H3OU__OK);
    assert_ptr_equal(s.route[0], &waitio__tcp);
    assert_ptr_equal(s.route[1], &waitio__unix);
    assert_ptr_equal(s.route[2], &waitio__shm);
    assert_null(s.route[3]);
}

static void test_wrong_routes(void **state)
{
    (void)state;
    assert_refused("tcp,tcpp", "WAITIO_ROUTES=tcp,tcpp: \"tcpp\" is none of shm, unix, tcp, file");
    assert_refused("inproc", "WAITIO_ROUTES=inproc: \"inproc\" is none of shm, unix, tcp, file");
    assert_refused("shm,a_word_of_more_than_15,tcp",
                   "WAITIO_ROUTES=shm,a_word_of_more_than_15,tcp: \"a_word_of_more_than_15\" is none of shm, unix, tcp, "
                   "file");
    assert_refused("shm,tcp,unix,tcp,file",
                   "WAITIO_ROUTES=shm,tcp,unix,tcp,file has more than 4 routes: name each one once");
    assert_refused(", ", "WAITIO_ROUTES=,  names no route");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_routes),
        cmocka_unit_test(test_wrong_routes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

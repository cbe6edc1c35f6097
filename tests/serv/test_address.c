/* SPDX-License-Identifier: BSD-3-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tools/serv/address.h"

static const waitio_address sample = {.host = "node-17.example.org", .port = 7100, .written = 1700000000};

static int parse(const char *text, size_t n, waitio_address *out)
{
    /* From the heap and without a NUL: reading past the end is seen by the sanitizer. */
    char *copy = malloc(n ? n : 1);
    const char *why = NULL;
    memcpy(copy, text, n);
    int code = waitio_address_parse(copy, n, out, &why);
    free(copy);
    assert_non_null(why);
    return code;
}

static int parse_text(const char *text)
{
    waitio_address out;
    return parse(text, strlen(text), &out);
}

static void test_round_trip(void **state)
{
    char text[WAITIO_ADDRESS_MOST];
    waitio_address out, most = {.port = 65535, .written = INT64_C(999999999999999999)};
    size_t n = waitio_address_print(&sample, text);
    (void)state;
    assert_int_equal(parse(text, n, &out), 0);
    assert_memory_equal(&out, &sample, sizeof out);
    memset(most.host, 'x', 255);
    n = waitio_address_print(&most, text);
    assert_true(n < sizeof text);
    assert_int_equal(parse(text, n, &out), 0);
    assert_memory_equal(&out, &most, sizeof out);
}

/* Every beginning of a good text is refused, and so is anything behind it. */
static void test_truncated(void **state)
{
    char text[WAITIO_ADDRESS_MOST];
    waitio_address out;
    size_t n = waitio_address_print(&sample, text);
    (void)state;
    for (size_t i = 0; i < n; i++)
        assert_int_equal(parse(text, i, &out), -1);
    text[n] = 'x';
    assert_int_equal(parse(text, n + 1, &out), -1);
}

static void test_hostile(void **state)
{
    static const char *const bad[] = {
        "waitio-address 2\nhost=a\nport=1\nwritten=1\nend\n",
        "waitio-address 1\nhost=\nport=1\nwritten=1\nend\n",
        "waitio-address 1\nhost=a;rm\nport=1\nwritten=1\nend\n",
        "waitio-address 1\nhost=$(id)\nport=1\nwritten=1\nend\n",
        "waitio-address 1\nhost=a b\nport=1\nwritten=1\nend\n",
        "waitio-address 1\nhost=-rf\nport=1\nwritten=1\nend\n",
        "waitio-address 1\nhost=\303\244\nport=1\nwritten=1\nend\n",
        "waitio-address 1\nhost=a\nport=0\nwritten=1\nend\n",
        "waitio-address 1\nhost=a\nport=65536\nwritten=1\nend\n",
        "waitio-address 1\nhost=a\nport=-1\nwritten=1\nend\n",
        "waitio-address 1\nhost=a\nport= 1\nwritten=1\nend\n",
        "waitio-address 1\nhost=a\nport=99999999999999999999\nwritten=1\nend\n",
        "waitio-address 1\nhost=a\nport=1\nwritten=\nend\n",
        "waitio-address 1\nport=1\nhost=a\nwritten=1\nend\n",
        "waitio-address 1\r\nhost=a\r\nport=1\r\nwritten=1\r\nend\r\n",
    };
    (void)state;
    assert_int_equal(parse_text("waitio-address 1\nhost=a\nport=1\nwritten=1\nend\n"), 0);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(parse_text(bad[i]), -1);
    assert_true(waitio_address_is_host("fe80::1%eth0"));
    assert_false(waitio_address_is_host("a`b`"));
    assert_false(waitio_address_is_host(""));
}

/* A byte changed anywhere: refused, or still an address that is safe to print. */
static void test_any_byte(void **state)
{
    char text[WAITIO_ADDRESS_MOST];
    waitio_address out;
    size_t n = waitio_address_print(&sample, text);
    (void)state;
    for (size_t i = 0; i < n; i++)
        for (int c = 0; c < 256; c++) {
            char kept = text[i];
            text[i] = (char)c;
            if (parse(text, n, &out) == 0) {
                assert_true(waitio_address_is_host(out.host));
                assert_in_range(out.port, 1, 65535);
            }
            text[i] = kept;
        }
}

static void test_long(void **state)
{
    static char text[100000];
    waitio_address out;
    (void)state;
    memset(text, 'a', sizeof text);
    assert_int_equal(parse(text, sizeof text, &out), -1);
    assert_int_equal(parse(text, WAITIO_ADDRESS_MOST, &out), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip), cmocka_unit_test(test_truncated), cmocka_unit_test(test_hostile),
        cmocka_unit_test(test_any_byte),   cmocka_unit_test(test_long),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

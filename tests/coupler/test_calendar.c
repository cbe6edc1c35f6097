/* SPDX-License-Identifier: BSD-3-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "base/error.h"
#include "coupler/calendar.h"

/* The C library's own Gregorian calendar is the reference. */
static void seconds_agree_with_timegm(void **state)
{
    (void)state;
    for (int64_t s = INT64_C(-80000000000); s < INT64_C(80000000000); s += INT64_C(12345677)) {
        time_t t = (time_t)s;
        struct tm tm;
        int date[6];
        int64_t back;
        gmtime_r(&t, &tm);
        h3ou__date_from_seconds(s, date);
        assert_int_equal(date[0], tm.tm_year + 1900);
        assert_int_equal(date[1], tm.tm_mon + 1);
        assert_int_equal(date[2], tm.tm_mday);
        assert_int_equal(date[3], tm.tm_hour);
        assert_int_equal(date[4], tm.tm_min);
        assert_int_equal(date[5], tm.tm_sec);
        assert_int_equal(h3ou__date_seconds(date, &back), 0);
        assert_true(back == s);
    }
}

static void what_is_no_date_is_refused(void **state)
{
    (void)state;
    static const int bad[][6] = {{2001, 2, 29, 0, 0, 0}, {1900, 2, 29, 0, 0, 0}, {2000, 13, 1, 0, 0, 0},
                                 {2000, 0, 1, 0, 0, 0},  {2000, 4, 31, 0, 0, 0}, {2000, 1, 0, 0, 0, 0},
                                 {2000, 1, 1, 24, 0, 0}, {2000, 1, 1, 0, 60, 0}, {2000, 1, 1, 0, 0, 60},
                                 {2000, 1, 1, -1, 0, 0}};
    int64_t s;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(h3ou__date_seconds(bad[i], &s), H3OU__ETIME);
    static const int leap[6] = {2000, 2, 29, 23, 59, 59};
    assert_int_equal(h3ou__date_seconds(leap, &s), 0);
    char text[32];
    assert_string_equal(h3ou__date_text(s + 1, text), "2000-03-01 00:00:00");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(seconds_agree_with_timegm),
        cmocka_unit_test(what_is_no_date_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

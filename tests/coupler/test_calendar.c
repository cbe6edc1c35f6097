/* SPDX-License-Identifier: BSD-3-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "base/error.h"
#include "coupler/time/calendar.h"

/* The C library's own Gregorian calendar is the reference. */
static void seconds_agree_with_timegm(void **state)
{
    (void)state;
    for (int64_t s = INT64_C(-80000000000); s < INT64_C(80000000000); s += INT64_C(12345677)) {
        time_t t = (time_t)s;
        struct tm tm;
        int date[6];
        gmtime_r(&t, &tm);
        h3ou__date_from_seconds(H3OU__GREGORIAN, s, date);
        assert_int_equal(date[0], tm.tm_year + 1900);
        assert_int_equal(date[1], tm.tm_mon + 1);
        assert_int_equal(date[2], tm.tm_mday);
        assert_int_equal(date[3], tm.tm_hour);
        assert_int_equal(date[4], tm.tm_min);
        assert_int_equal(date[5], tm.tm_sec);
        assert_int_equal(h3ou__date_check(H3OU__GREGORIAN, date), 0);
        assert_true(h3ou__date_seconds(H3OU__GREGORIAN, date) == s);
    }
}

static int month_days(int calendar, int year, int month)
{
    static const int days[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    int leap = calendar == H3OU__JULIAN     ? year % 4 == 0
               : calendar == H3OU__NOLEAP   ? 0
               : calendar == H3OU__ALL_LEAP ? 1
                                            : (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return calendar == H3OU__360_DAY ? 30 : days[month - 1] + (month == 2 && leap);
}

/* Day by day over four centuries. */
static void every_calendar_counts_days(void **state)
{
    (void)state;
    static const int calendars[] = {H3OU__NO_CALENDAR, H3OU__GREGORIAN, H3OU__360_DAY,
                                    H3OU__NOLEAP,      H3OU__JULIAN,    H3OU__ALL_LEAP};
    for (size_t i = 0; i < sizeof calendars / sizeof *calendars; i++) {
        int date[6] = {-2, 1, 1, 12, 0, 0}, back[6], noon[6] = {1970, 1, 1, 12, 0, 0};
        int64_t seconds = h3ou__date_seconds(calendars[i], date);
        while (date[0] < 402) {
            assert_true(h3ou__date_seconds(calendars[i], date) == seconds);
            h3ou__date_from_seconds(calendars[i], seconds, back);
            assert_memory_equal(back, date, sizeof date);
            assert_int_equal(h3ou__date_check(calendars[i], date), 0);
            seconds += 86400;
            if (++date[2] <= month_days(calendars[i], date[0], date[1]))
                continue;
            assert_int_equal(h3ou__date_check(calendars[i], date) != 0, calendars[i] != H3OU__NO_CALENDAR);
            date[2] = 1;
            date[0] += date[1] == 12;
            date[1] = date[1] % 12 + 1;
        }
        assert_true(h3ou__date_seconds(calendars[i], noon) == 43200);
    }
}

static void what_is_no_date_is_refused(void **state)
{
    (void)state;
    static const int bad[][6] = {{2001, 2, 29, 0, 0, 0}, {1900, 2, 29, 0, 0, 0}, {2000, 13, 1, 0, 0, 0},
                                 {2000, 0, 1, 0, 0, 0},  {2000, 4, 31, 0, 0, 0}, {2000, 1, 0, 0, 0, 0},
                                 {2000, 1, 1, 24, 0, 0}, {2000, 1, 1, 0, 60, 0}, {2000, 1, 1, 0, 0, 60},
                                 {2000, 1, 1, -1, 0, 0}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(h3ou__date_check(H3OU__GREGORIAN, bad[i]), H3OU__ETIME);
        assert_int_equal(h3ou__date_check(H3OU__NO_CALENDAR, bad[i]), 0);
    }
    assert_non_null(strstr(h3ou__fail_text(), "2000-01-01 -1:00:00 is no date"));
    static const int leap[6] = {2000, 2, 29, 23, 59, 59}, thirty[6] = {2001, 2, 30, 0, 0, 0};
    assert_int_equal(h3ou__date_check(H3OU__GREGORIAN, leap), 0);
    assert_int_equal(h3ou__date_check(H3OU__NOLEAP, leap), H3OU__ETIME);
    assert_int_equal(h3ou__date_check(H3OU__360_DAY, thirty), 0);
}

static void adds_to(int calendar, const int from[6], int seconds, const char *awaited)
{
    int date[6];
    char text[H3OU__DATE_TEXT];
    memcpy(date, from, sizeof date);
    h3ou__date_add(calendar, date, seconds);
    assert_string_equal(h3ou__date_text(date, text), awaited);
}

/* Hours above 23 are counted on; dates of zeros become counters of days. */
static void seconds_are_added_to_any_date(void **state)
{
    (void)state;
    static const int leap[6] = {2000, 2, 29, 23, 59, 59}, hours[6] = {1999, 12, 31, 47, 0, 0}, zeros[6] = {0};
    static const int after_hours[6] = {2000, 1, 2, 0, 0, 0}, days[6] = {0, 0, 40, 1, 0, 0};
    adds_to(H3OU__GREGORIAN, leap, 1, "2000-03-01 00:00:00");
    adds_to(H3OU__360_DAY, leap, 1, "2000-02-30 00:00:00");
    adds_to(H3OU__GREGORIAN, leap, -86400, "2000-02-28 23:59:59");
    adds_to(H3OU__GREGORIAN, hours, 3600, "2000-01-02 00:00:00");
    adds_to(H3OU__GREGORIAN, zeros, 3600, "0000-00-00 01:00:00");
    adds_to(H3OU__GREGORIAN, zeros, 90000, "0000-00-01 01:00:00");
    adds_to(H3OU__NO_CALENDAR, zeros, 40 * 86400, "0000-00-40 00:00:00");
    assert_true(h3ou__date_seconds(H3OU__GREGORIAN, hours) + 3600 == h3ou__date_seconds(H3OU__GREGORIAN, after_hours));
    assert_true(h3ou__date_seconds(H3OU__NOLEAP, days) - h3ou__date_seconds(H3OU__NOLEAP, zeros) == 40 * 86400 + 3600);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(seconds_agree_with_timegm),
        cmocka_unit_test(every_calendar_counts_days),
        cmocka_unit_test(seconds_are_added_to_any_date),
        cmocka_unit_test(what_is_no_date_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

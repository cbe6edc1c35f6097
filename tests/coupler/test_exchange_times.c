/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/clock/exchange_times.h"

#include "coupler/time/calendar.h"
#include "units.h"

/* A field of a run that starts on 2000-01-15; sender, receiver: when these start, in seconds after it. */
static h3ou__schedule make(h3ou__interval every, int lag, int64_t sender, int64_t receiver)
{
    static const int start[6] = {2000, 1, 15, 0, 0, 0};
    const h3ou__config_var v = {.intvl = every, .lag = lag};
    return h3ou__schedule_make(&v, H3OU__NOLEAP, start, h3ou__whole(sender), h3ou__whole(receiver));
}

static const h3ou__interval hour = {0, 3600, 1}, third = {0, 1, 3}, month = {1, 0, 1}, none = {0, 0, 1};

static void is_time(h3ou__rational time, int64_t num, int64_t den)
{
    if (time.num != num || time.den != den)
        fail_msg("%lld/%lld, not %lld/%lld", (long long)time.num, (long long)time.den, (long long)num, (long long)den);
}

static void an_interval_has_exchanges_at_its_multiples(void **state)
{
    const h3ou__schedule s = make(hour, -1, 0, 0);
    (void)state;
    is_time(h3ou__exchange_time(&s, 3), 10800, 1);
    assert_true(h3ou__exchange_mark(&s, 3) == 10800.0);
    is_time(h3ou__exchange_after(&s, h3ou__whole(0)), 3600, 1);
    is_time(h3ou__exchange_after(&s, h3ou__whole(3599)), 3600, 1);
    is_time(h3ou__exchange_after(&s, h3ou__whole(3600)), 7200, 1);
    assert_int_equal(h3ou__exchange_at(&s, h3ou__whole(7199)), 1);
    assert_int_equal(h3ou__exchange_at(&s, h3ou__whole(7200)), 2);
    assert_true(h3ou__exchange_is_due(&s, h3ou__whole(7200)));
    assert_false(h3ou__exchange_is_due(&s, h3ou__whole(7199)));
    assert_false(h3ou__exchange_is_over(&s, 2, h3ou__whole(7200)));
    assert_true(h3ou__exchange_is_over(&s, 2, h3ou__whole(7201)));
}

static void intervals_are_fractions_or_months(void **state)
{
    const h3ou__schedule s = make(third, -1, 0, 0), m = make(month, -1, 0, 0);
    const int64_t day = 86400;
    (void)state;
    is_time(h3ou__exchange_time(&s, 4), 4, 3);
    is_time(h3ou__exchange_after(&s, (h3ou__rational){1, 2}), 2, 3);
    assert_true(h3ou__exchange_is_due(&s, h3ou__whole(7)));
    assert_false(h3ou__exchange_is_due(&s, (h3ou__rational){1, 2}));
    is_time(h3ou__exchange_time(&m, 2), 59 * day, 1); /* of a year without leap day */
    is_time(h3ou__exchange_time(&m, 12), 365 * day, 1);
    for (int64_t k = 0; k < 30; k++) {
        h3ou__rational time = h3ou__exchange_time(&m, k), before = h3ou__rational_subtract(time, (h3ou__rational){1, 3});
        assert_int_equal(h3ou__exchange_at(&m, time), k);
        assert_true(h3ou__exchange_is_due(&m, time));
        if (k > 0)
            assert_int_equal(h3ou__exchange_at(&m, before), k - 1);
    }
    assert_true(h3ou__exchange_fits(&m, h3ou__whole(0), h3ou__whole(day)));
    assert_true(h3ou__exchange_fits(&m, h3ou__whole(0), h3ou__whole(31 * day)));
    assert_false(h3ou__exchange_fits(&m, h3ou__whole(31 * day), h3ou__whole(31 * day)));
    assert_false(h3ou__exchange_fits(&s, h3ou__whole(0), (h3ou__rational){1, 2}));
    assert_true(h3ou__exchange_fits(&s, h3ou__whole(0), (h3ou__rational){1, 6}));
}

/* With a lag above 0 the values of an interval leave at its end, with one below -1 they arrive later. */
static void the_lag_moves_the_interval(void **state)
{
    const h3ou__schedule s[] = {make(hour, -1, 0, 0), make(hour, 1, 0, 0), make(hour, 3, 0, 0), make(hour, -3, 0, 0)};
    (void)state;
    for (int64_t k = 0; k < 5; k++) {
        is_time(h3ou__exchange_leaves(&s[0], k), 3600 * k, 1);
        is_time(h3ou__exchange_leaves(&s[1], k), 3600 * (k + 1), 1);
        is_time(h3ou__exchange_gathers(&s[1], k), 3600 * k, 1);
        is_time(h3ou__exchange_leaves(&s[2], k), 3600 * (k + 3), 1);
        is_time(h3ou__exchange_leaves(&s[3], k), k < 2 ? 0 : 3600 * (k - 2), 1);
        for (int i = 0; i < 4; i++)
            is_time(h3ou__exchange_time(&s[i], k), 3600 * k, 1);
        assert_int_equal(h3ou__exchange_is_initial(&s[0], k), k == 0);
        assert_false(h3ou__exchange_is_initial(&s[1], k));
        assert_int_equal(h3ou__exchange_is_initial(&s[3], k), k < 3);
    }
    assert_int_equal(h3ou__exchange_first_of_sender(&s[2]), -2); /* its first two intervals are not sent */
    assert_int_equal(h3ou__exchange_first_of_sender(&s[3]), 0);
}

/* The exchanges of a field begin with the first time at which both components run. */
static void components_may_start_later(void **state)
{
    const h3ou__schedule late_sender = make(hour, -1, 5400, 0), late_receiver = make(hour, -1, 0, 5400),
                         ahead = make(hour, 1, 5400, 0), once = make(none, -1, 0, 5400);
    (void)state;
    assert_int_equal(h3ou__exchange_first(&late_sender), 2);
    assert_int_equal(h3ou__exchange_first_of_sender(&late_sender), 2);
    assert_false(h3ou__exchange_is_initial(&late_sender, 2)); /* it has what was put from 5400 to 7200 */
    assert_int_equal(h3ou__exchange_first(&late_receiver), 2);
    assert_int_equal(h3ou__exchange_first_of_sender(&late_receiver), 0);
    assert_false(h3ou__exchange_is_due(&late_sender, h3ou__whole(3600)));
    assert_true(h3ou__exchange_is_due(&late_sender, h3ou__whole(7200)));
    assert_int_equal(h3ou__exchange_first(&ahead), 2);
    assert_int_equal(h3ou__exchange_first_of_sender(&ahead), 1);
    is_time(h3ou__exchange_leaves(&ahead, 2), 10800, 1);
    is_time(h3ou__exchange_leaves(&once, 0), 5400, 1);
    assert_true(h3ou__exchange_is_due(&once, h3ou__whole(5400)));
    const h3ou__schedule at_once = make(hour, -1, 7200, 0);
    assert_true(h3ou__exchange_is_initial(&at_once, 2));
}

static void without_lag_exchanges_are_counted(void **state)
{
    const h3ou__schedule s = make(hour, 0, 0, 0);
    (void)state;
    assert_true(h3ou__exchange_mark(&s, 7) == 7.0);
    is_time(h3ou__exchange_leaves(&s, 0), 1, 0);
    is_time(h3ou__exchange_after(&s, h3ou__whole(5)), 1, 0);
    assert_true(h3ou__exchange_is_due(&s, h3ou__whole(17)));
    assert_false(h3ou__exchange_is_over(&s, 0, h3ou__whole(1000000)));
}

static void without_interval_there_is_one_exchange(void **state)
{
    const h3ou__schedule s = make(none, -1, 0, 0);
    (void)state;
    is_time(h3ou__exchange_leaves(&s, 0), 0, 1);
    is_time(h3ou__exchange_leaves(&s, 1), 1, 0);
    is_time(h3ou__exchange_after(&s, h3ou__whole(0)), 1, 0);
    assert_int_equal(h3ou__exchange_at(&s, h3ou__whole(99)), 0);
    assert_true(h3ou__exchange_is_due(&s, h3ou__whole(0)));
    assert_false(h3ou__exchange_is_due(&s, h3ou__whole(1)));
    assert_true(h3ou__exchange_is_over(&s, 0, h3ou__whole(1)));
    assert_false(h3ou__exchange_is_over(&s, 1, h3ou__whole(1)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_interval_has_exchanges_at_its_multiples),
        cmocka_unit_test(intervals_are_fractions_or_months),
        cmocka_unit_test(the_lag_moves_the_interval),
        cmocka_unit_test(components_may_start_later),
        cmocka_unit_test(without_lag_exchanges_are_counted),
        cmocka_unit_test(without_interval_there_is_one_exchange),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

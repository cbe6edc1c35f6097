/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/config/exchange_times.h"

#include "units.h"

static const h3ou__config_var hourly = {.intvl = 3600, .lag = -1}, late = {.intvl = 3600, .lag = 1},
                              counted = {.intvl = 0, .lag = 0}, once = {.intvl = 0, .lag = -1};

static void an_interval_has_exchanges_at_its_multiples(void **state)
{
    (void)state;
    assert_int_equal(h3ou__exchange_time(&hourly, 3), 10800);
    assert_int_equal(h3ou__exchange_after(&hourly, -1), 0);
    assert_int_equal(h3ou__exchange_after(&hourly, 0), 3600);
    assert_int_equal(h3ou__exchange_after(&hourly, 3599), 3600);
    assert_int_equal(h3ou__exchange_after(&hourly, 3600), 7200);
    assert_int_equal(h3ou__exchange_at(&hourly, 7199), 1);
    assert_int_equal(h3ou__exchange_at(&hourly, 7200), 2);
    assert_true(h3ou__exchange_is_due(&hourly, 7200));
    assert_false(h3ou__exchange_is_due(&hourly, 7199));
    assert_false(h3ou__exchange_is_over(&hourly, 2, 7200));
    assert_true(h3ou__exchange_is_over(&hourly, 2, 7201));
}

/* With lag=1 the values of an interval leave at its end. */
static void the_lag_delays_the_sender(void **state)
{
    (void)state;
    for (int64_t k = 0; k < 5; k++) {
        assert_int_equal(h3ou__exchange_leaves(&hourly, k), 3600 * k);
        assert_int_equal(h3ou__exchange_leaves(&late, k), 3600 * (k + 1));
        assert_int_equal(h3ou__exchange_time(&late, k), 3600 * k);
    }
}

static void without_lag_exchanges_are_counted(void **state)
{
    (void)state;
    assert_int_equal(h3ou__exchange_time(&counted, 7), 7);
    assert_true(h3ou__exchange_leaves(&counted, 0) == INT64_MAX);
    assert_true(h3ou__exchange_after(&counted, 5) == INT64_MAX);
    assert_true(h3ou__exchange_is_due(&counted, 17));
    assert_false(h3ou__exchange_is_over(&counted, 0, 1000000));
}

static void without_interval_there_is_one_exchange(void **state)
{
    (void)state;
    assert_int_equal(h3ou__exchange_leaves(&once, 0), 0);
    assert_true(h3ou__exchange_leaves(&once, 1) == INT64_MAX);
    assert_true(h3ou__exchange_after(&once, 0) == INT64_MAX);
    assert_int_equal(h3ou__exchange_at(&once, 99), 0);
    assert_true(h3ou__exchange_is_due(&once, 0));
    assert_false(h3ou__exchange_is_due(&once, 1));
    assert_true(h3ou__exchange_is_over(&once, 0, 1));
    assert_false(h3ou__exchange_is_over(&once, 1, 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_interval_has_exchanges_at_its_multiples),
        cmocka_unit_test(the_lag_delays_the_sender),
        cmocka_unit_test(without_lag_exchanges_are_counted),
        cmocka_unit_test(without_interval_there_is_one_exchange),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

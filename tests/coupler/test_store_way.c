/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/cells/store_way.h"

#include "units.h"

enum { BYTES = 1 << 19 };

/* A machine on which each way takes so many nanoseconds a byte. */
typedef struct machine {
    double plain, past;
} machine;

/* Writes some messages; returns how many went past the caches. */
static int write_some(h3ou__store_way *w, machine m, int messages)
{
    int past = 0;
    for (int i = 0; i < messages; i++) {
        bool is_past = h3ou__store_way_is_past(w);
        h3ou__store_way_took(w, BYTES, 1e-9 * BYTES * (is_past ? m.past : m.plain));
        past += is_past;
    }
    return past;
}

static const machine shared = {0.025, 0.045}, apart = {0.6, 0.1}, apart_in_order = {0.16, 0.095}, slow = {0.2, 0.18};

static void shared_caches_are_used(void **state)
{
    h3ou__store_way w = {0};
    (void)state;
    assert_int_equal(write_some(&w, shared, 10000), 0);
}

static void caches_apart_are_passed(void **state)
{
    h3ou__store_way w = {0};
    (void)state;
    assert_int_equal(write_some(&w, apart, 3), 0);
    assert_int_equal(write_some(&w, apart, 16), 16);
    assert_true(write_some(&w, apart, 10000) > 9900);
    w = (h3ou__store_way){0};
    assert_int_equal(write_some(&w, apart_in_order, 3), 0);
    assert_true(write_some(&w, apart_in_order, 10000) > 9900);
}

/* A single message that took long, because the process lost its core, changes nothing. */
static void what_takes_long_once_is_no_reason(void **state)
{
    h3ou__store_way w = {0};
    (void)state;
    for (int i = 0; i < 100; i++) {
        assert_int_equal(write_some(&w, apart, 2), 0);
        assert_int_equal(write_some(&w, shared, 5), 0);
    }
}

/* The processes come to cores that share a cache again: soon their messages go through it. */
static void shared_caches_are_found_again(void **state)
{
    h3ou__store_way w = {0};
    (void)state;
    write_some(&w, apart, 5000);
    assert_true(write_some(&w, shared, 1100) <= 1024);
    assert_int_equal(write_some(&w, shared, 5000), 0);
    assert_int_equal(write_some(&w, apart, 3), 0);
    assert_int_equal(write_some(&w, apart, 10), 10);
}

/* Where memory is as slow as the caches the other way is tried less and less often. */
static void a_trial_without_gain_is_repeated_seldom(void **state)
{
    h3ou__store_way w = {0};
    (void)state;
    assert_int_equal(write_some(&w, slow, 4), 1);
    assert_true(write_some(&w, slow, 10000) < 20);
    assert_true(write_some(&w, apart, 2000) > 900);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shared_caches_are_used),
        cmocka_unit_test(caches_apart_are_passed),
        cmocka_unit_test(what_takes_long_once_is_no_reason),
        cmocka_unit_test(shared_caches_are_found_again),
        cmocka_unit_test(a_trial_without_gain_is_repeated_seldom),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

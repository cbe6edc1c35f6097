/* SPDX-License-Identifier: BSD-3-Clause */
/* Sets of indices beside a list that is sorted. */
#include "coupler/common/index_set.h"

#include "base/compare.h"
#include "units.h"

enum { MOST = 3000 };

/* Fills number[n] with n different numbers below n * spread, in no order. */
static void fill(int64_t number[], int64_t n, int64_t spread)
{
    for (int64_t i = 0; i < n; i++)
        number[i] = (i * 1009 % n) * spread + (spread > 1 ? i % spread : 0);
}

static void check_set(int64_t n, int64_t spread)
{
    int64_t number[MOST] = {0}, list[MOST], twice;
    h3ou__index_set s = {0};
    fill(number, n, spread);
    assert_int_equal(h3ou__index_set_add_all(&s, n, number, 0, &twice), H3OU__OK);
    h3ou__index_set_count(&s);
    assert_int_equal(twice, -1);
    assert_int_equal(s.n, n);
    qsort(number, (size_t)n, sizeof *number, h3ou__compare_int64);
    h3ou__index_set_list(&s, list);
    assert_memory_equal(list, number, sizeof *number * (size_t)n);
    for (int64_t i = 0; i < n; i++)
        assert_int_equal(h3ou__index_set_place(&s, number[i]), i);
    for (int64_t i = 0; i + 1 < n && spread > 2; i++)
        if (number[i + 1] > number[i] + 1)
            assert_int_equal(h3ou__index_set_place(&s, number[i] + 1), -1);
    assert_int_equal(h3ou__index_set_place(&s, number[n - 1] + 1), -1);
    assert_int_equal(h3ou__index_set_place(&s, -1), -1);
    assert_int_equal(h3ou__index_set_place(&s, INT32_MAX), -1);
    h3ou__index_set_free(&s);
}

static void places_are_those_of_a_sorted_list(void **state)
{
    (void)state;
    check_set(1, 1);
    check_set(64, 1);
    check_set(MOST, 1); /* 1009 has no divisor with these in common */
    check_set(MOST, 7);
    check_set(500, 100003);
}

static void a_second_time_is_told(void **state)
{
    static const int64_t number[5] = {12, 5000, 11, 5000, 13};
    h3ou__index_set s = {0};
    int64_t twice;
    (void)state;
    assert_int_equal(h3ou__index_set_add_all(&s, 5, number, 10, &twice), H3OU__OK);
    assert_int_equal(twice, 3);
    assert_int_equal(s.n, 4);
    h3ou__index_set_count(&s);
    assert_int_equal(h3ou__index_set_place(&s, 4990), 3);
    h3ou__index_set_free(&s);
    assert_null(s.page);
}

static void an_empty_set_has_no_place(void **state)
{
    h3ou__index_set s = {0};
    (void)state;
    h3ou__index_set_count(&s);
    assert_int_equal(h3ou__index_set_place(&s, 0), -1);
    h3ou__index_set_list(&s, NULL);
    h3ou__index_set_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places_are_those_of_a_sorted_list),
        cmocka_unit_test(a_second_time_is_told),
        cmocka_unit_test(an_empty_set_has_no_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

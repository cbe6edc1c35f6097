/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/monitor/value_range.h"

#include <float.h>

#include "units.h"

static void values_are_counted_and_bounded(void **state)
{
    (void)state;
    const double value[] = {2.5, -7.0, NAN, 4.5, INFINITY, -INFINITY};
    h3ou__value_range s;
    h3ou__value_range_clear(&s);
    for (size_t i = 0; i < sizeof value / sizeof *value; i++)
        h3ou__value_range_add(&s, value[i]);
    assert_true(s.values == 3 && s.missing == 3);
    assert_true(s.most == 4.5 && -s.minus_least == -7.0);
    assert_true(s.scaled / H3OU__VALUE_RANGE_SCALE == 0.0);
}

static void huge_values_do_not_overflow(void **state)
{
    (void)state;
    h3ou__value_range s;
    h3ou__value_range_clear(&s);
    for (int i = 0; i < 1000; i++)
        h3ou__value_range_add(&s, DBL_MAX);
    assert_true(isfinite(s.scaled) && s.values == 1000);
}

static void nothing_seen_has_no_bounds(void **state)
{
    (void)state;
    h3ou__value_range s;
    h3ou__value_range_clear(&s);
    h3ou__value_range_add(&s, NAN);
    assert_true(s.most == -INFINITY && s.minus_least == -INFINITY && s.values == 0 && s.missing == 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_counted_and_bounded),
        cmocka_unit_test(huge_values_do_not_overflow),
        cmocka_unit_test(nothing_seen_has_no_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

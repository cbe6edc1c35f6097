/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/time/rational.h"

#include <math.h>

#include "units.h"

static void is_fraction(h3ou__rational a, int64_t num, int64_t den)
{
    if (a.num != num || a.den != den)
        fail_msg("%lld/%lld, not %lld/%lld", (long long)a.num, (long long)a.den, (long long)num, (long long)den);
}

static void reals_are_recognised(void **state)
{
    (void)state;
    is_fraction(h3ou__rational_nearest(3600.0), 3600, 1);
    is_fraction(h3ou__rational_nearest(0.1), 1, 10);
    is_fraction(h3ou__rational_nearest(1.0 / 3.0), 1, 3);
    is_fraction(h3ou__rational_nearest(-2.0 / 3.0), -2, 3);
    is_fraction(h3ou__rational_nearest(3600.0 / 7.0), 3600, 7);
    is_fraction(h3ou__rational_nearest(86400.0 + 1.0 / 3.0), 259201, 3);
    is_fraction(h3ou__rational_nearest(0.0), 0, 1);
    is_fraction(h3ou__rational_nearest(3.14159265358979), 1570796327, 500000000); /* in whole billionths */
    is_fraction(h3ou__rational_nearest(1e15), INT64_C(1000000000000000), 1);
    is_fraction(h3ou__rational_nearest(NAN), 1, 0);
    is_fraction(h3ou__rational_nearest(INFINITY), 1, 0);
    is_fraction(h3ou__rational_nearest(1e300), 1, 0);
    for (int den = 1; den <= 1000; den++)
        for (int num = 1; num <= 2000; num += 7) {
            h3ou__rational exact = h3ou__rational_make(num, den);
            is_fraction(h3ou__rational_nearest((double)num / den), exact.num, exact.den);
        }
}

static void arithmetic_is_exact(void **state)
{
    h3ou__rational sum = h3ou__whole(0), tenth = {1, 10};
    (void)state;
    for (int i = 0; i < 36000; i++)
        sum = h3ou__rational_add(sum, tenth);
    is_fraction(sum, 3600, 1);
    is_fraction(h3ou__rational_subtract((h3ou__rational){1, 3}, (h3ou__rational){1, 2}), -1, 6);
    is_fraction(h3ou__rational_times((h3ou__rational){3, 7}, 14), 6, 1);
    is_fraction(h3ou__rational_times((h3ou__rational){3, 7}, -1), -3, 7);
    is_fraction(h3ou__rational_make(6, 4), 3, 2);
    assert_int_equal(h3ou__rational_divide((h3ou__rational){7, 2}, (h3ou__rational){1, 2}), 7);
    assert_int_equal(h3ou__rational_divide((h3ou__rational){10, 3}, h3ou__whole(1)), 3);
    assert_int_equal(h3ou__rational_divide((h3ou__rational){-10, 3}, h3ou__whole(1)), -4);
    assert_true(h3ou__rational_is_multiple((h3ou__rational){1, 2}, (h3ou__rational){1, 6}));
    assert_false(h3ou__rational_is_multiple((h3ou__rational){1, 2}, (h3ou__rational){1, 3}));
    assert_true(h3ou__rational_compare((h3ou__rational){1, 3}, (h3ou__rational){333333333, 1000000000}) > 0);
    assert_true(h3ou__rational_compare(H3OU__NEVER, h3ou__whole(INT64_MAX)) > 0);
    assert_int_equal(h3ou__rational_compare(H3OU__NEVER, H3OU__NEVER), 0);
}

/* Whole numbers take a shorter way: the same as halves of twice their size. */
static void whole_numbers_are_fractions_too(void **state)
{
    static const int64_t some[] = {-7, -3600, -1, 0, 1, 2, 3, 600, 3600, 86400, INT64_C(1) << 40};
    const size_t n = sizeof some / sizeof *some;
    (void)state;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n; k++) {
            h3ou__rational a = h3ou__whole(some[i]), b = h3ou__whole(some[k]), half = {some[i] * 2 + 1, 2};
            is_fraction(h3ou__rational_add(a, b), some[i] + some[k], 1);
            is_fraction(h3ou__rational_subtract(a, b), some[i] - some[k], 1);
            assert_int_equal(h3ou__rational_compare(a, b), (some[i] > some[k]) - (some[i] < some[k]));
            assert_int_equal(h3ou__rational_compare(a, half), -1);
            if (some[k] <= 0)
                continue;
            int64_t quotient = h3ou__rational_divide(a, b);
            assert_true(quotient * some[k] <= some[i] && (quotient + 1) * some[k] > some[i]);
            assert_int_equal(h3ou__rational_is_multiple(a, b), some[i] == quotient * some[k]);
            if (some[i] < INT64_C(1) << 20 && some[k] < INT64_C(1) << 20)
                is_fraction(h3ou__rational_times(a, some[k]), some[i] * some[k], 1);
        }
    is_fraction(h3ou__rational_add(h3ou__whole(-INT64_MAX), h3ou__whole(-1)), 1, 0);
    is_fraction(h3ou__rational_times(h3ou__whole(-INT64_MAX), 2), 1, 0);
}

static void what_has_no_room_is_never(void **state)
{
    const h3ou__rational fine = {1, INT64_C(3037000507)}, other = {1, INT64_C(3037000493)};
    char text[H3OU__RATIONAL_TEXT];
    (void)state;
    is_fraction(h3ou__rational_add(fine, other), 1, 0);
    is_fraction(h3ou__rational_add(h3ou__whole(INT64_MAX), h3ou__whole(1)), 1, 0);
    is_fraction(h3ou__rational_add(H3OU__NEVER, h3ou__whole(1)), 1, 0);
    is_fraction(h3ou__rational_times(h3ou__whole(INT64_MAX), INT64_MAX), 1, 0);
    assert_string_equal(h3ou__rational_text((h3ou__rational){-1, 3}, text), "-1/3");
    assert_string_equal(h3ou__rational_text(h3ou__whole(3600), text), "3600");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reals_are_recognised),
        cmocka_unit_test(arithmetic_is_exact),
        cmocka_unit_test(whole_numbers_are_fractions_too),
        cmocka_unit_test(what_has_no_room_is_never),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

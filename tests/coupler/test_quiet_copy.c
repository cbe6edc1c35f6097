/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/common/quiet_copy.h"

#include <stdlib.h>

#include "units.h"

enum { MOST = 100 };

static uint64_t bits_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static double of_bits(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* All that is no NaN, and is near one: infinities, the largest and the smallest numbers, zeros. */
static void numbers_are_copied_bit_by_bit(void **state)
{
    const double numbers[] = {0.0, -0.0, 1.0, -2.5, INFINITY, -INFINITY, DBL_MAX, -DBL_MAX, DBL_MIN, of_bits(1), of_bits(UINT64_C(1) << 63 | 1)};
    const int kinds = sizeof numbers / sizeof *numbers;
    double from[MOST], to[MOST + 1];
    (void)state;
    for (int i = 0; i < MOST; i++)
        from[i] = numbers[i % kinds];
    for (int n = 0; n <= MOST; n++) {
        to[n] = 7.0;
        assert_false(h3ou__copy_noting_nan(n, from, to));
        assert_false(h3ou__quiet_copy(n, from, to));
        for (int i = 0; i < n; i++)
            assert_true(bits_of(to[i]) == bits_of(from[i]));
        assert_true(bits_of(to[n]) == bits_of(7.0));
    }
}

static void a_nan_is_noted_wherever_it_stands(void **state)
{
    const uint64_t nans[] = {UINT64_C(0x7ff0000000000001), UINT64_C(0xfff0000000000001), UINT64_C(0x7ff8000000000000), UINT64_MAX};
    const uint64_t quiet = UINT64_C(1) << 51;
    double from[MOST] = {0}, to[MOST];
    (void)state;
    for (int n = 1; n <= MOST; n++)
        for (int at = 0; at < n; at++) {
            from[at] = of_bits(nans[(n + at) % 4]);
            assert_true(h3ou__copy_noting_nan(n, from, to));
            assert_true(bits_of(to[at]) == bits_of(from[at]));
            assert_true(h3ou__quiet_copy(n, from, to));
            assert_true(bits_of(to[at]) == (bits_of(from[at]) | quiet));
            from[at] = 0.0;
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_copied_bit_by_bit),
        cmocka_unit_test(a_nan_is_noted_wherever_it_stands),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

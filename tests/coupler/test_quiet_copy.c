/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/cells/quiet_copy.h"

#include <fenv.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/single_precision.h"
#include "units.h"

enum { MOST = 150 }; /* values are looked at 64 at a time before they are rounded */

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

static float single_of_bits(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* The largest number that is rounded to FLT_MAX, and the one half a unit above it, which is rounded to infinity. */
static const double below_tie = 0x1.fffffefffffffp127, tie = 0x1.ffffffp127;

static void check_rounding(const double numbers[], int kinds)
{
    double from[MOST], wide[MOST];
    float to[MOST + 1], same[MOST];
    for (int i = 0; i < MOST; i++)
        from[i] = numbers[i % kinds];
    for (int n = 0; n <= MOST; n++) {
        to[n] = 7.0F;
        assert_false(h3ou__narrow(n, from, to));
        assert_false(h3ou__widen(n, to, wide));
        assert_false(h3ou__copy_singles(n, to, same));
        for (int i = 0; i < n; i++) {
            assert_true(bits_of_single(to[i]) == bits_of_single((float)from[i]));
            assert_true(bits_of_single(same[i]) == bits_of_single(to[i]));
            assert_true(bits_of(wide[i]) == bits_of((double)to[i]));
        }
        assert_true(to[n] == 7.0F);
    }
}

/* A block of values that has an infinity is rounded in another way than one of numbers only: both are checked. */
static void numbers_are_rounded_to_the_nearest_single(void **state)
{
    const double numbers[] = {-INFINITY,     0.0,     -0.0,       0.1,   -1.0 / 3.0, 1.0 + 0x1p-24,
                              1.0 + 0x3p-24, FLT_MAX, -below_tie, 1e-40, 0x1p-150};
    const int kinds = sizeof numbers / sizeof *numbers;
    (void)state;
    check_rounding(numbers, kinds);
    check_rounding(numbers + 1, kinds - 1);
}

/* Nothing of this may raise an exception that a model lets trap. */
static void what_is_no_single_is_infinite_or_a_quiet_nan(void **state)
{
    const double beyond[] = {tie, -tie, 1e39, -1e300, DBL_MAX};
    double from[MOST] = {0}, wide[MOST];
    float to[MOST], copy[MOST];
    (void)state;
    feclearexcept(FE_ALL_EXCEPT);
    for (int at = 0; at < MOST; at++) {
        from[at] = beyond[at % 5];
        assert_false(h3ou__narrow(MOST, from, to));
        assert_true(to[at] == (from[at] > 0.0 ? INFINITY : -INFINITY));
        from[at] = of_bits(UINT64_C(0xfff0000000000001));
        assert_true(h3ou__narrow(MOST, from, to));
        assert_true((bits_of_single(to[at]) & 0x7fc00000u) == 0x7fc00000u);
        to[at] = single_of_bits(0xff800001u);
        assert_true(h3ou__copy_singles(MOST, to, copy) && bits_of_single(copy[at]) == 0xff800001u);
        assert_true(h3ou__widen(MOST, to, wide) && isnan(wide[at]));
        assert_true((bits_of(wide[at]) & UINT64_C(1) << 51) != 0);
        from[at] = 0.0;
    }
    assert_false(fetestexcept(FE_INVALID | FE_OVERFLOW | FE_DIVBYZERO));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_copied_bit_by_bit),
        cmocka_unit_test(a_nan_is_noted_wherever_it_stands),
        cmocka_unit_test(numbers_are_rounded_to_the_nearest_single),
        cmocka_unit_test(what_is_no_single_is_infinite_or_a_quiet_nan),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/cells/quiet_copy.h"

#include <fenv.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/single_precision.h"
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

static float single_of_bits(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint32_t bits_of_single(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* The largest number that is rounded to FLT_MAX, and the one half a unit above it, which is rounded to infinity. */
static const double below_tie = 0x1.fffffefffffffp127, tie = 0x1.ffffffp127;

static void numbers_are_rounded_to_the_nearest_single(void **state)
{
    const double numbers[] = {0.0, -0.0, 0.1, -1.0 / 3.0, 1.0 + 0x1p-24, 1.0 + 0x3p-24, FLT_MAX, -below_tie, 1e-40, 0x1p-150, -INFINITY};
    const int kinds = sizeof numbers / sizeof *numbers;
    double from[MOST], wide[MOST];
    float to[MOST + 1], same[MOST];
    (void)state;
    for (int i = 0; i < MOST; i++)
        from[i] = numbers[i % kinds];
    for (int n = 0; n <= MOST; n++) {
        to[n] = 7.0F;
        h3ou__narrow(n, from, to);
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
        h3ou__narrow(MOST, from, to);
        assert_true(to[at] == (from[at] > 0.0 ? INFINITY : -INFINITY));
        from[at] = of_bits(UINT64_C(0xfff0000000000001));
        h3ou__narrow(MOST, from, to);
        assert_true((bits_of_single(to[at]) & 0x7fc00000u) == 0x7fc00000u);
        to[at] = single_of_bits(0xff800001u);
        assert_true(h3ou__copy_singles(MOST, to, copy) && bits_of_single(copy[at]) == 0xff800001u);
        assert_true(h3ou__widen(MOST, to, wide) && isnan(wide[at]));
        assert_true((bits_of(wide[at]) & UINT64_C(1) << 51) != 0);
        from[at] = 0.0;
    }
    assert_false(fetestexcept(FE_INVALID | FE_OVERFLOW | FE_DIVBYZERO));
}

enum { NO_HIT = -1 };

/* What is due of a value: a quiet NaN if it is NaN or missing, else the same bits. */
static bool is_right(float got, float due, bool is_missing)
{
    const uint32_t quiet = 0x7fc00000u;
    bool is_nan = is_missing || isnan(due);
    return is_nan ? (bits_of_single(got) & quiet) == quiet : bits_of_single(got) == bits_of_single(due);
}

/* n values, of which one at most, `hit`, is missing, or a signalling NaN. */
static void check_missing(double missing, int n, int at, double hit)
{
    const double numbers[] = {1.0, 0.5, -2.0, FLT_MAX, 1e-40, (double)0.1F};
    double from[MOST];
    float to[MOST + 1], singles[MOST], copy[MOST + 1];
    for (int i = 0; i < n; i++) {
        from[i] = numbers[i % 6];
        if (i == at)
            memcpy(&from[i], &hit, sizeof hit);
        singles[i] = h3ou__quiet_single(&from[i]);
    }
    float rounded = h3ou__quiet_single(&missing);
    to[n] = copy[n] = 7.0F;
    bool has_nan = h3ou__narrow_missing(n, missing, from, to),
         is_copied_nan = h3ou__copy_singles_missing(n, missing, singles, copy), is_due = at != NO_HIT,
         is_copy_due = is_due;
    for (int i = 0; i < n; i++) {
        bool is_one = singles[i] == rounded; /* 0.1 is that of single precision, too, but no double is 0.1 */
        is_copy_due |= is_one;
        assert_true(is_right(to[i], singles[i], i == at));
        assert_true(is_right(copy[i], singles[i], is_one));
    }
    assert_true(has_nan == is_due && is_copied_nan == is_copy_due && to[n] == 7.0F && copy[n] == 7.0F);
}

/* Nothing of this may raise an exception either. 0 has two signs. 0.1 is no number of single precision. */
static void what_is_missing_becomes_a_quiet_nan(void **state)
{
    const double missing[] = {-99.0, 0.0, -0.0, 0.1, 1e39, -INFINITY};
    const double nan = of_bits(UINT64_C(0xfff0000020000001));
    (void)state;
    feclearexcept(FE_ALL_EXCEPT);
    for (int k = 0; k < 6; k++)
        for (int n = 1; n <= MOST; n += 3) {
            check_missing(missing[k], n, NO_HIT, 0.0);
            for (int at = 0; at < n; at += 2) {
                check_missing(missing[k], n, at, missing[k]);
                check_missing(missing[k], n, at, missing[k] == 0.0 ? -missing[k] : missing[k]);
                check_missing(missing[k], n, at, nan);
                check_missing(NAN, n, at, nan);
            }
        }
    check_missing(-99.0, 1, NO_HIT, 0.0);
    assert_false(fetestexcept(FE_INVALID | FE_OVERFLOW | FE_DIVBYZERO));
}

/* The sign of 0 is kept where 0 is not missing. */
static void zeros_that_are_not_missing_keep_their_sign(void **state)
{
    const double from[] = {0.0, -0.0};
    float to[2], copy[2];
    (void)state;
    assert_false(h3ou__narrow_missing(2, -99.0, from, to));
    assert_false(h3ou__copy_singles_missing(2, -99.0, to, copy));
    assert_true(!signbit(to[0]) && signbit(to[1]) && !signbit(copy[0]) && signbit(copy[1]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_copied_bit_by_bit),
        cmocka_unit_test(a_nan_is_noted_wherever_it_stands),
        cmocka_unit_test(numbers_are_rounded_to_the_nearest_single),
        cmocka_unit_test(what_is_no_single_is_infinite_or_a_quiet_nan),
        cmocka_unit_test(what_is_missing_becomes_a_quiet_nan),
        cmocka_unit_test(zeros_that_are_not_missing_keep_their_sign),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

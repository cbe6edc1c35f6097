/* SPDX-License-Identifier: BSD-3-Clause */
/* Values that are taken have the bits of plain loops, for any number of cells and any alignment, and raise no
 * exception. */
#include "coupler/cells/take_cells.h"

#include <fenv.h>
#include <float.h>
#include <math.h>
#ifdef __SSE2__
#include <xmmintrin.h>
#endif

#include "base/single_precision.h"
#include "taken_value.h"
#include "units.h"

enum { MOST = 45, LONG = 1100, ROOM = LONG + 16 };

static double from[ROOM], share[ROOM], to[ROOM], due[ROOM];

static void copy_bits(uint64_t bits, double *value)
{
    memcpy(value, &bits, sizeof bits);
}

/* Among the values are signalling NaNs, which no operation may touch, and infinities where the share is 0. */
static void fill(void)
{
    for (int i = 0; i < ROOM; i++) {
        share[i] = i % 5 / 4.0;
        from[i] = i % 11 == 3 ? -0.0 : i % 5 == 0 ? INFINITY : i % 13 == 6 ? -999.0 : (i - 20) / 3.0;
        if (i % 10 == 5)
            copy_bits(UINT64_C(0x7ff0000000000001), &from[i]);
        to[i] = due[i] = -i;
    }
    feclearexcept(FE_ALL_EXCEPT);
}

static double taken(const h3ou__taking *t, int i, bool has_share)
{
    return has_share && share[i] <= 0.0 ? 0.0 : taken_value(&from[i], t->missing);
}

/* Takes n cells from number `first` on. */
static void check(const h3ou__taking *t, int first, int n, bool has_share)
{
    bool has_nan = false;
    fill();
    for (int i = first; i < first + n; i++) {
        due[i] = taken(t, i, has_share);
        has_nan |= isnan(due[i]);
    }
    feclearexcept(FE_ALL_EXCEPT);
    assert_int_equal(h3ou__take_cells(t, n, from + first, has_share ? share + first : NULL, to + first), has_nan);
    assert_false(fetestexcept(FE_INVALID | FE_OVERFLOW | FE_DIVBYZERO));
    assert_memory_equal(to, due, sizeof to);
}

static void all_lengths_have_the_bits_of_plain_loops(void **state)
{
    const double missing[] = {NAN, -999.0, 0.0, -0.0};
    (void)state;
    for (int kind = 0; kind < 16; kind++) {
        h3ou__taking t = {missing[kind % 4], kind / 4 % 2};
        for (int n = 0; n <= MOST; n++)
            for (int first = 0; first < 8; first++)
                check(&t, first, n, kind / 8);
        check(&t, 3, LONG, kind / 8);
    }
}

static void a_nan_is_noticed_wherever_it_stands(void **state)
{
    (void)state;
    for (int past = 0; past < 2; past++)
        for (int at = 0; at < MOST; at++) {
            h3ou__taking t = {NAN, past};
            for (int i = 0; i < MOST; i++)
                from[i] = i;
            from[at] = at % 2 ? (double)NAN : -(double)NAN;
            assert_true(h3ou__take_cells(&t, MOST, from, NULL, to));
            assert_false(h3ou__take_cells(&t, at, from, NULL, to));
        }
}

enum { NO_HIT = -1 };

/* What is due of a value: a quiet NaN if it is NaN or missing, else the same bits. */
static bool is_right(float got, float value, bool is_missing)
{
    const uint32_t quiet = 0x7fc00000u;
    bool is_nan = is_missing || isnan(value);
    return is_nan ? (bits_of_single(got) & quiet) == quiet : bits_of_single(got) == bits_of_single(value);
}

/* Takes n values as floats, of which one at most, `hit`, is missing, or a signalling NaN. */
static void check_floats(double missing, int n, int at, double hit)
{
    const double numbers[] = {1.0, 0.5, -2.0, FLT_MAX, 1e-40, (double)0.1F};
    float rounded[MOST + 1], singles[MOST], copy[MOST + 1];
    for (int i = 0; i < n; i++) {
        memcpy(&from[i], i == at ? &hit : &numbers[i % 6], sizeof hit);
        singles[i] = h3ou__quiet_single(&from[i]);
    }
    float missing_single = h3ou__quiet_single(&missing);
    rounded[n] = copy[n] = 7.0F;
    bool has_nan = h3ou__take_rounded(missing, n, from, rounded),
         is_copied_nan = h3ou__take_singles(missing, n, singles, copy), is_due = at != NO_HIT, is_copy_due = is_due;
    for (int i = 0; i < n; i++) {
        /* The missing value 0.1 is not the double (double)0.1F, but rounded it is the float 0.1F. */
        bool is_missing_single = singles[i] == missing_single;
        is_copy_due |= is_missing_single;
        assert_true(is_right(rounded[i], singles[i], i == at));
        assert_true(is_right(copy[i], singles[i], is_missing_single));
    }
    assert_true(has_nan == is_due && is_copied_nan == is_copy_due && rounded[n] == 7.0F && copy[n] == 7.0F);
}

/* Nothing of this may raise an exception either. 0 has two signs. */
static void floats_that_are_missing_become_quiet_nans(void **state)
{
    const double missing[] = {-99.0, 0.0, -0.0, 0.1, 1e39, -INFINITY};
    double nan;
    (void)state;
    copy_bits(UINT64_C(0xfff0000020000001), &nan);
    feclearexcept(FE_ALL_EXCEPT);
    for (int k = 0; k < 6; k++)
        for (int n = 1; n <= MOST; n += 3) {
            check_floats(missing[k], n, NO_HIT, 0.0);
            for (int at = 0; at < n; at += 2) {
                check_floats(missing[k], n, at, missing[k]);
                check_floats(missing[k], n, at, missing[k] == 0.0 ? -missing[k] : missing[k]);
                check_floats(missing[k], n, at, nan);
                check_floats(NAN, n, at, nan);
            }
        }
    assert_false(fetestexcept(FE_INVALID | FE_OVERFLOW | FE_DIVBYZERO));
}

/* The sign of 0 is kept where 0 is not missing. */
static void zeros_that_are_not_missing_keep_their_sign(void **state)
{
    const double zeros[] = {0.0, -0.0};
    float rounded[2], copy[2];
    (void)state;
    assert_false(h3ou__take_rounded(-99.0, 2, zeros, rounded));
    assert_false(h3ou__take_singles(-99.0, 2, rounded, copy));
    assert_true(!signbit(rounded[0]) && signbit(rounded[1]) && !signbit(copy[0]) && signbit(copy[1]));
}

#ifdef __SSE2__
/* A model that takes denormal numbers as 0, which compilers arrange for with fast mathematics, gets the same bits. */
static void denormal_numbers_are_not_the_missing_zero(void **state)
{
    const h3ou__taking taking = {.missing = 0.0};
    double tiny[MOST], taken_tiny[MOST];
    float tiny_single[MOST], copy[MOST], rounded[MOST];
    unsigned saved = _mm_getcsr();
    (void)state;
    for (int i = 0; i < MOST; i++) {
        tiny[i] = i % 2 ? DBL_TRUE_MIN : -DBL_TRUE_MIN;
        tiny_single[i] = i % 2 ? FLT_TRUE_MIN : -FLT_TRUE_MIN;
    }
    _mm_setcsr(saved | 0x8040); /* denormal operands and results are 0 */
    bool has_nan = h3ou__take_cells(&taking, MOST, tiny, NULL, taken_tiny);
    has_nan |= h3ou__take_rounded(0.0, MOST, tiny, rounded);
    has_nan |= h3ou__take_singles(0.0, MOST, tiny_single, copy);
    _mm_setcsr(saved);
    assert_false(has_nan);
    assert_memory_equal(taken_tiny, tiny, sizeof tiny);
    assert_memory_equal(copy, tiny_single, sizeof tiny_single);
    for (int i = 0; i < MOST; i++)
        assert_true(rounded[i] == 0.0F);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_lengths_have_the_bits_of_plain_loops),
        cmocka_unit_test(a_nan_is_noticed_wherever_it_stands),
        cmocka_unit_test(floats_that_are_missing_become_quiet_nans),
        cmocka_unit_test(zeros_that_are_not_missing_keep_their_sign),
#ifdef __SSE2__
        cmocka_unit_test(denormal_numbers_are_not_the_missing_zero),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/common/exact_sum.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "units.h"

/* Numbers of all sizes and both signs. */
static double number(uint64_t *seed)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    double value = (double)(int32_t)(*seed >> 32) + ldexp((double)(*seed >> 40), -30);
    return ldexp(value, (int)(*seed >> 8 & 0x7ff) - 1030);
}

static void large_values_that_cancel_leave_the_small_ones(void **state)
{
    (void)state;
    h3ou__exact_sum s = {{0}};
    const double value[] = {DBL_MAX, 1.0, -DBL_MAX, 1e-300, DBL_TRUE_MIN, -1.0, 0x1p60, -0x1p60};
    for (size_t i = 0; i < sizeof value / sizeof *value; i++)
        h3ou__exact_sum_add(&s, value[i]);
    assert_true(h3ou__exact_sum_round(&s) == 1e-300 + DBL_TRUE_MIN);
    h3ou__exact_sum_add(&s, -1e-300);
    assert_true(h3ou__exact_sum_round(&s) == DBL_TRUE_MIN);
    h3ou__exact_sum_add(&s, -DBL_TRUE_MIN);
    assert_true(h3ou__exact_sum_round(&s) == 0.0);
}

static void one_value_is_its_own_sum(void **state)
{
    (void)state;
    uint64_t seed = 5;
    for (int i = 0; i < 20000; i++) {
        double value = i == 0 ? DBL_MAX : i == 1 ? -DBL_MAX : i == 2 ? DBL_MIN : number(&seed);
        h3ou__exact_sum s = {{0}};
        h3ou__exact_sum_add(&s, value);
        assert_true(h3ou__exact_sum_round(&s) == value);
    }
}

/* The same bits in any order, and for any parts whose limbs are added. */
static void order_and_parts_make_no_difference(void **state)
{
    (void)state;
    enum { N = 5000, PARTS = 7 };
    static double value[N];
    uint64_t seed = 11;
    h3ou__exact_sum whole = {{0}}, part[PARTS] = {{{0}}}, sum = {{0}};
    for (int i = 0; i < N; i++)
        h3ou__exact_sum_add(&whole, value[i] = number(&seed));
    for (int i = N - 1; i >= 0; i--)
        h3ou__exact_sum_add(&part[i * 31 % PARTS], value[i]);
    for (int p = 0; p < PARTS; p++) {
        h3ou__exact_sum_carry(&part[p]);
        for (int k = 0; k < H3OU__EXACT_LIMBS; k++)
            sum.limb[k] += part[p].limb[k];
    }
    assert_true(h3ou__exact_sum_round(&sum) == h3ou__exact_sum_round(&whole));
    h3ou__exact_sum_carry(&sum);
    h3ou__exact_sum_carry(&whole);
    assert_memory_equal(&sum, &whole, sizeof sum);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(large_values_that_cancel_leave_the_small_ones),
                                       cmocka_unit_test(one_value_is_its_own_sum),
                                       cmocka_unit_test(order_and_parts_make_no_difference)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* The loops over cells give the bits of the same loops written plainly, for any number of cells, and raise no
 * exception. */
#include "coupler/cells/cell_values.h"

#include <fenv.h>
#include <math.h>
#include <string.h>

#include "units.h"

enum { MOST = 100 };

static double share[MOST], value[MOST], sum[MOST + 1], want[MOST + 1];

/* What stands in cells that do not count: signalling NaNs, infinities, the largest numbers. */
static double rubbish(int i)
{
    const uint64_t kinds[] = {UINT64_C(0x7ff0000000000001), UINT64_C(0xfff8000000000000), UINT64_C(0x7ff0000000000000),
                              UINT64_C(0xffefffffffffffff)};
    double number;
    memcpy(&number, &kinds[i % 4], sizeof number);
    return number;
}

static void fill(void)
{
    for (int i = 0; i < MOST; i++) {
        double part = i % 7 / 6.0, number = i % 11 == 0 ? -0.0 : (i - 40) / 3.0, other = rubbish(i);
        memcpy(&share[i], &part, sizeof part);
        memcpy(&value[i], part > 0.0 ? &number : &other, sizeof number);
        sum[i] = want[i] = i % 5 == 0 ? 0.0 : i / 7.0;
    }
    sum[MOST] = want[MOST] = 7.0;
    feclearexcept(FE_ALL_EXCEPT);
}

static void assert_as_wanted(const double got[], int n)
{
    assert_false(fetestexcept(FE_INVALID | FE_OVERFLOW | FE_DIVBYZERO));
    assert_memory_equal(got, want, sizeof *want * (size_t)n);
}

/* Fills the arrays, and with `nan` sets a value that counts to NaN. Returns whether it is one of the first n. */
static bool fill_with_nan(int n, int nan)
{
    int at = n / 2 / 7 * 7 + 1;
    fill();
    if (nan)
        value[at] = NAN;
    return nan && at < n;
}

static void cells_without_share_are_cleared(void **state)
{
    (void)state;
    for (int n = 0; n < MOST; n++)
        for (int nan = 0; nan < 2; nan++) {
            bool has_nan = fill_with_nan(n, nan);
            memcpy(want, value, sizeof value);
            for (int i = 0; i < n; i++)
                if (i % 7 == 0)
                    want[i] = 0.0;
            assert_int_equal(h3ou__cells_clear(n, share, value), has_nan);
            assert_as_wanted(value, MOST);
        }
}

static void shares_outside_are_found_wherever_they_stand(void **state)
{
    const double bad[] = {-1e-300, -0.0, nextafter(1.0, 2.0), 2.0, INFINITY, -INFINITY, NAN, -NAN, -1.0};
    (void)state;
    for (int n = 1; n <= MOST; n++) {
        fill();
        assert_true(h3ou__cells_are_shares(n, share));
        share[n - 1] = bad[n % 9];
        assert_false(h3ou__cells_are_shares(n, share));
        assert_true(h3ou__cells_are_shares(n - 1, share));
        memcpy(sum, value, sizeof value);
        assert_false(h3ou__cells_copy_shares(n, share, sum));
        assert_true(h3ou__cells_copy_shares(n - 1, share, sum));
        assert_memory_equal(sum, share, sizeof *share * (size_t)n);
        assert_memory_equal(sum + n, value + n, sizeof *value * (size_t)(MOST - n));
    }
}

static void pairs_are_made_and_taken_apart(void **state)
{
    double pairs[2 * MOST + 1], of_share[MOST], of_value[MOST];
    (void)state;
    for (int n = 0; n < MOST; n++)
        for (int nan = 0; nan < 2; nan++) {
            bool has_nan = fill_with_nan(n, nan);
            pairs[2 * n] = -7.0;
            assert_int_equal(h3ou__cells_pair(n, share, value, pairs), has_nan);
            assert_true(pairs[2 * n] == -7.0);
            h3ou__cells_split(n, pairs, of_share, of_value);
            assert_memory_equal(of_share, share, sizeof *share * (size_t)n);
            memcpy(want, value, sizeof value);
            h3ou__cells_clear(n, share, want);
            assert_as_wanted(of_value, n);
        }
}

/* Values without share were cleared before. */
static void sums_have_the_bits_of_plain_ones(void **state)
{
    const double weight = 1.0 / 3.0;
    (void)state;
    for (int n = 0; n < MOST; n++) {
        fill();
        h3ou__cells_clear(MOST, share, value);
        for (int i = 0; i < n; i++)
            want[i] += weight * value[i];
        h3ou__cells_add(n, weight, value, sum);
        assert_as_wanted(sum, MOST + 1);
    }
}

/* The sum of ten tenths is not 1: each is added to the sum of those before. */
static void values_are_added_one_time_after_the_other(void **state)
{
    enum { MANY = 200 };
    double tenth[MANY], of_many[MANY + 1], plain[MANY];
    (void)state;
    for (int n = 0; n <= MANY; n++)
        for (int times = 1; times < 11; times++)
            for (int begins = 0; begins < 2; begins++) {
                for (int i = 0; i < n; i++) {
                    tenth[i] = 0.1 * (i % 11);
                    of_many[i] = plain[i] = begins ? NAN : 0.7 * i;
                    plain[i] = begins ? 0.0 : plain[i];
                    for (int k = 0; k < times; k++)
                        plain[i] += tenth[i];
                }
                of_many[n] = -7.0;
                h3ou__cells_add_times(n, tenth, times, begins, of_many);
                assert_memory_equal(of_many, plain, sizeof *plain * (size_t)n);
                assert_true(of_many[n] == -7.0);
            }
    assert_true(of_many[1] != 1.0 && of_many[10] == 10.0);
}

static void cells_without_weight_become_0(void **state)
{
    (void)state;
    for (int n = 0; n < MOST; n++) {
        fill();
        memcpy(want, value, sizeof value);
        for (int i = 0; i < n; i++)
            want[i] = share[i] > 0.0 ? value[i] / share[i] * 600.0 : 0.0;
        assert_false(h3ou__cells_divide(n, share, 600.0, value));
        assert_as_wanted(value, MOST);
    }
    fill();
    value[8] = NAN;
    assert_true(h3ou__cells_divide(9, share, 1.0, value));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells_without_share_are_cleared),
        cmocka_unit_test(shares_outside_are_found_wherever_they_stand),
        cmocka_unit_test(pairs_are_made_and_taken_apart),
        cmocka_unit_test(sums_have_the_bits_of_plain_ones),
        cmocka_unit_test(values_are_added_one_time_after_the_other),
        cmocka_unit_test(cells_without_weight_become_0),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

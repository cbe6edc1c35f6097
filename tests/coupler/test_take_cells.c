/* SPDX-License-Identifier: BSD-3-Clause */
/* Values that are taken have the bits of plain loops, for any number of cells and any alignment, and raise no
 * exception. */
#include "coupler/cells/take_cells.h"

#include <fenv.h>
#include <math.h>

#include "units.h"

enum { MOST = 45, ROOM = MOST + 16 };

static double from[ROOM], share[ROOM], newest[ROOM], sum[ROOM], due_newest[ROOM], due_sum[ROOM];

static void copy_bits(uint64_t bits, double *to)
{
    memcpy(to, &bits, sizeof bits);
}

/* Among the values are signalling NaNs, which no operation may touch, and infinities where the share is 0. */
static void fill(void)
{
    for (int i = 0; i < ROOM; i++) {
        share[i] = i % 5 / 4.0;
        from[i] = i % 11 == 3 ? -0.0 : i % 5 == 0 ? INFINITY : i % 13 == 6 ? -999.0 : (i - 20) / 3.0;
        if (i % 10 == 5)
            copy_bits(UINT64_C(0x7ff0000000000001), &from[i]);
        newest[i] = due_newest[i] = -i;
        sum[i] = due_sum[i] = i / 7.0;
    }
    feclearexcept(FE_ALL_EXCEPT);
}

static double taken(const h3ou__taking *t, int i, bool has_share)
{
    uint64_t bits;
    double value;
    memcpy(&bits, &from[i], sizeof bits);
    if (has_share && share[i] <= 0.0)
        return 0.0;
    if ((bits & UINT64_C(0x7fffffffffffffff)) > UINT64_C(0x7ff0000000000000))
        bits |= UINT64_C(1) << 51;
    memcpy(&value, &bits, sizeof value);
    return !isnan(value) && value == t->missing ? (double)NAN : value;
}

/* Takes n cells from number `first` on. */
static void check(const h3ou__taking *t, int first, int n, bool has_share)
{
    bool has_nan = false;
    fill();
    for (int i = first; i < first + n; i++) {
        double value = due_newest[i] = taken(t, i, has_share);
        double term = (has_share ? t->weight * share[i] : t->weight) * value;
        due_sum[i] = t->action == H3OU__SUM_BEGIN ? 0.0 + term
                     : t->action == H3OU__SUM_ADD ? due_sum[i] + term
                                                  : due_sum[i];
        has_nan |= isnan(value);
    }
    feclearexcept(FE_ALL_EXCEPT);
    assert_int_equal(h3ou__take_cells(t, n, from + first, has_share ? share + first : NULL, newest + first,
                                      t->action == H3OU__SUM_NONE ? NULL : sum + first),
                     has_nan);
    assert_false(fetestexcept(FE_INVALID | FE_OVERFLOW | FE_DIVBYZERO));
    assert_memory_equal(newest, due_newest, sizeof newest);
    assert_memory_equal(sum, due_sum, sizeof sum);
}

static void all_lengths_have_the_bits_of_plain_loops(void **state)
{
    const double missing[] = {NAN, -999.0, 0.0};
    (void)state;
    for (int kind = 0; kind < 12 * H3OU__SUM_ACTIONS; kind++) {
        h3ou__taking t = {missing[kind % 3], 1.0 / 3.0, (enum h3ou__sum_action)(kind / 12), kind / 3 % 2};
        for (int n = 0; n <= MOST; n++)
            for (int first = 0; first < 8; first++)
                check(&t, first, n, kind / 6 % 2);
    }
}

/* A sum that does not stand as the values do is not written past the caches, which would need it. */
static void sums_may_stand_anywhere(void **state)
{
    h3ou__taking t = {NAN, 1.0, H3OU__SUM_BEGIN, true};
    (void)state;
    for (int shift = 0; shift < 8; shift++) {
        fill();
        for (int i = 0; i < MOST; i++)
            from[i] = i;
        assert_false(h3ou__take_cells(&t, MOST, from, NULL, newest, sum + shift));
        assert_memory_equal(newest, from, sizeof *from * MOST);
        assert_memory_equal(sum + shift, from, sizeof *from * MOST);
        assert_true(sum[shift + MOST] == (shift + MOST) / 7.0);
    }
}

static void a_nan_is_noticed_wherever_it_stands(void **state)
{
    (void)state;
    for (int past = 0; past < 2; past++)
        for (int at = 0; at < MOST; at++) {
            h3ou__taking t = {NAN, 1.0, H3OU__SUM_NONE, past};
            for (int i = 0; i < MOST; i++)
                from[i] = i;
            from[at] = at % 2 ? (double)NAN : -(double)NAN;
            assert_true(h3ou__take_cells(&t, MOST, from, NULL, newest, NULL));
            assert_false(h3ou__take_cells(&t, at, from, NULL, newest, NULL));
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_lengths_have_the_bits_of_plain_loops),
        cmocka_unit_test(sums_may_stand_anywhere),
        cmocka_unit_test(a_nan_is_noticed_wherever_it_stands),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

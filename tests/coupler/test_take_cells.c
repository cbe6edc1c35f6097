/* SPDX-License-Identifier: BSD-3-Clause */
/* Values that are taken have the bits of plain loops, for any number of cells and any alignment, and raise no
 * exception. */
#include "coupler/cells/take_cells.h"

#include <fenv.h>
#include <math.h>

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
    const double missing[] = {NAN, -999.0, 0.0};
    (void)state;
    for (int kind = 0; kind < 12; kind++) {
        h3ou__taking t = {missing[kind % 3], kind / 3 % 2};
        for (int n = 0; n <= MOST; n++)
            for (int first = 0; first < 8; first++)
                check(&t, first, n, kind / 6);
        check(&t, 3, LONG, kind / 6);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_lengths_have_the_bits_of_plain_loops),
        cmocka_unit_test(a_nan_is_noticed_wherever_it_stands),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

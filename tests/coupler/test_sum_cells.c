/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums and extremes have the bits of plain loops, for any number of cells and any alignment, and neither cells that do
 * not count nor those that no receiver needs raise an exception. */
#include "coupler/cells/sum_cells.h"

#include <fenv.h>
#include <math.h>

#include "taken_value.h"
#include "units.h"

enum { MOST = 45, LONG = 1100, ROOM = LONG + 16 };

static double from[ROOM], share[ROOM], newest[ROOM], sum[ROOM], due_newest[ROOM], due_sum[ROOM];
static uint8_t needed[ROOM];

static void copy_bits(uint64_t bits, double *to)
{
    memcpy(to, &bits, sizeof bits);
}

/* Among the values are NaNs, signalling ones, too, zeros of both signs, and numbers that stand in the sums already;
 * where the share is 0, or no receiver needs the cell, also what overflows. Some extremes are NaN. */
static void fill(bool has_share, bool extremes)
{
    for (int i = 0; i < ROOM; i++) {
        share[i] = i % 5 / 4.0;
        needed[i] = i % 3 != 1;
        from[i] = i % 11 == 3 ? -0.0 : i % 13 == 6 ? -999.0 : i % 17 == 4 ? (double)NAN : (i % 40 - 20) / 3.0;
        if (i % 10 == 5)
            copy_bits(UINT64_C(0x7ff0000000000001), &from[i]);
        if ((has_share && i % 5 == 0) || (i % 6 == 1 && i % 10 != 5))
            from[i] = 1.7e308;
        newest[i] = due_newest[i] = -i;
        sum[i] = due_sum[i] = i % 11 == 3 ? 0.0 : extremes && i % 19 == 2 ? (double)NAN : (i % 23 - 11) / 3.0;
    }
    feclearexcept(FE_ALL_EXCEPT);
}

static double taken(double missing, int i, bool has_share)
{
    return has_share && share[i] <= 0.0 ? 0.0 : taken_value(&from[i], missing);
}

static double summed(const h3ou__summing *s, double value, double part, double before)
{
    switch (s->action) {
    case H3OU__SUM_BEGIN:
        return 0.0 + s->weight * part * value;
    case H3OU__SUM_ADD:
        return before + s->weight * part * value;
    case H3OU__SUM_LEAST:
        return isnan(value) || isless(value, before) ? value : before;
    case H3OU__SUM_MOST:
        return isnan(value) || isgreater(value, before) ? value : before;
    default:
        return value;
    }
}

/* What a call has. */
typedef struct call {
    h3ou__summing s;
    bool has_share, has_newest;
} call;

/* Of n cells from number `first` on. The sums stand `apart` further than the others. */
static void check(const call *c, int first, int n, int apart)
{
    bool has_nan = false;
    fill(c->has_share, c->s.action == H3OU__SUM_LEAST || c->s.action == H3OU__SUM_MOST);
    for (int i = first; i < first + n; i++) {
        double value = taken(c->s.missing, i, c->has_share);
        if (c->has_newest)
            due_newest[i] = value;
        bool counts = !c->has_share || share[i] > 0.0 || c->s.action <= H3OU__SUM_ADD;
        double part = c->has_share ? share[i] : 1.0;
        value = needed[i] ? counts ? value : c->s.uncounted : 0.0;
        due_sum[i + apart] = summed(&c->s, value, part, due_sum[i + apart]);
        has_nan |= isnan(value);
    }
    feclearexcept(FE_ALL_EXCEPT);
    h3ou__summed cells = {from + first, c->has_share ? share + first : NULL, needed + first,
                          c->has_newest ? newest + first : NULL, sum + first + apart};
    assert_int_equal(h3ou__sum_cells(&c->s, n, &cells), has_nan);
    assert_false(fetestexcept(FE_INVALID | FE_OVERFLOW | FE_DIVBYZERO));
    assert_memory_equal(newest, due_newest, sizeof newest);
    for (int i = 0; i < ROOM; i++)
        if (!isnan(sum[i]) || !isnan(due_sum[i]))
            assert_memory_equal(&sum[i], &due_sum[i], sizeof *sum);
}

static void all_lengths_have_the_bits_of_plain_loops(void **state)
{
    const double missing[] = {NAN, -999.0, 0.0};
    (void)state;
    for (int action = H3OU__SUM_BEGIN; action < H3OU__SUM_ACTIONS; action++)
        for (int kind = 0; kind < 24; kind++) {
            double uncounted = action == H3OU__SUM_MOST ? -(double)INFINITY : (double)INFINITY;
            call c = {{missing[kind % 3], (kind % 2 ? 1.0 : 7.0) / 3.0, (enum h3ou__sum_action)action, uncounted,
                       kind / 3 % 2},
                      kind / 6 % 2,
                      kind / 12};
            for (int n = 0; n <= MOST; n++)
                for (int first = 0; first < 8; first++)
                    check(&c, first, n, n % 3);
            check(&c, 3, LONG, 0);
            check(&c, 5, LONG, 1);
        }
}

static void a_nan_is_noticed_where_it_is_needed(void **state)
{
    (void)state;
    for (int past = 0; past < 2; past++)
        for (int at = 0; at < MOST; at++) {
            h3ou__summing s = {NAN, 1.0, H3OU__SUM_BEGIN, 0.0, past};
            h3ou__summed cells = {from, NULL, needed, newest, sum};
            fill(false, false);
            for (int i = 0; i < MOST; i++)
                from[i] = i;
            from[at] = at % 2 ? (double)NAN : -(double)NAN;
            assert_int_equal(h3ou__sum_cells(&s, MOST, &cells), needed[at]);
            assert_false(h3ou__sum_cells(&s, at, &cells));
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_lengths_have_the_bits_of_plain_loops),
        cmocka_unit_test(a_nan_is_noticed_where_it_is_needed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

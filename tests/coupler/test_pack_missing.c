/* SPDX-License-Identifier: BSD-3-Clause */
/* Cells are packed with the missing value and NaN as one quiet NaN: the bits are those of plain loops, in both layouts,
 * for any cells and numbers of layers, through the caches and past them. */
#include "coupler/cells/pack_missing.h"

#include <fenv.h>
#include <math.h>

#include "units.h"

enum { N = 700, SOME_ROWS = 70, MOST_ROWS = 600, AROUND = 8, LONG = 70001 };

static double from[MOST_ROWS * N];
static _Alignas(64) double to[MOST_ROWS * N + AROUND];
static int32_t place[N];

static void copy_bits(uint64_t bits, double *value)
{
    memcpy(value, &bits, sizeof bits);
}

/* Whole blocks have ordinary values, whole blocks none, others have some of each kind: signalling and quiet NaN of
 * either sign, the missing value, its negative, and a value that has the same upper half. */
static void fill(double missing)
{
    const uint64_t nan[] = {UINT64_C(0x7ff0000000000001), UINT64_C(0xfff0000000000007), UINT64_C(0x7ff8000000000005)};
    for (int i = 0; i < MOST_ROWS * N; i++) {
        from[i] = (i % 997 - 400) / 3.0;
        if (i % N / 150 % 2 == 0)
            continue;
        if (i % N > 500)
            from[i] = i % 3 ? missing : (double)NAN;
        else if (i % 7 == 2)
            copy_bits(nan[i / 7 % 3], &from[i]);
        else if (i % 5 == 1)
            from[i] = i % 2 ? missing : -missing;
        else if (i % 9 == 4)
            from[i] = nextafter(missing, INFINITY);
    }
}

static double written(double value, double missing)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    bool is_nan = (bits & UINT64_C(0x7fffffffffffffff)) > UINT64_C(0x7ff0000000000000);
    return is_nan || value == missing ? (double)NAN : value;
}

/* Of a NaN only that it is quiet. */
static bool is_same(double due, double got)
{
    uint64_t bits;
    memcpy(&bits, &got, sizeof bits);
    return isnan(due) ? isnan(got) && bits >> 51 & 1 : memcmp(&due, &got, sizeof due) == 0;
}

/* Lists cells: a run; runs between gaps; every second one; those of a permutation. Returns how many. */
static int64_t list_cells(int kind)
{
    int64_t count = 0;
    for (int32_t i = 0; i < N; i++)
        if (kind == 0 || kind == 3 || (kind == 1 ? i % 300 < 200 : i % 2))
            place[count++] = kind == 3 ? i * 11 % N : i;
    return count;
}

static void check(const h3ou__picked *p, double missing, int rows, bool together)
{
    int64_t wrong = 0, count = p->count;
    bool has_nan = false, got;
    for (int i = 0; i < AROUND; i++)
        to[count * rows + i] = -3.0;
    feclearexcept(FE_ALL_EXCEPT);
    got = together ? h3ou__pack_missing_together(p, missing, from, N, rows, to)
                   : h3ou__pack_missing_rows(p, missing, from, N, rows, to);
    assert_false(fetestexcept(FE_INVALID | FE_OVERFLOW | FE_DIVBYZERO));
    for (int64_t i = 0; i < count; i++)
        for (int row = 0; row < rows; row++) {
            double due = written(from[row * N + p->at[i]], missing);
            has_nan |= isnan(due);
            wrong += !is_same(due, to[together ? i * rows + row : row * count + i]);
        }
    for (int i = 0; i < AROUND; i++)
        wrong += to[count * rows + i] != -3.0;
    assert_int_equal(wrong, 0);
    assert_int_equal(got, has_nan);
}

static void check_kinds(double missing)
{
    for (int kind = 0; kind < 4; kind++) {
        int64_t all = list_cells(kind);
        for (int rows = 1; rows <= SOME_ROWS; rows += rows < 18 ? 1 : 13)
            for (int64_t count = all; count >= 0; count -= rows % 3 ? 260 : 67) {
                h3ou__picked p = h3ou__picked_of(place, count);
                check(&p, missing, rows, false);
                check(&p, missing, rows, true);
            }
    }
}

static void all_layouts_have_the_bits_of_plain_loops(void **state)
{
    const double missing[] = {-999.0, NAN, 0.0, INFINITY, -1e30};
    (void)state;
    for (int i = 0; i < 5; i++) {
        fill(isnan(missing[i]) ? -1.0 : missing[i]);
        check_kinds(missing[i]);
    }
}

/* The more rows, the fewer cells are packed together. */
static void very_many_layers_have_the_bits_of_plain_loops(void **state)
{
    const int rows[] = {128, 129, 137, 171, 257, 510, 512, 513, MOST_ROWS};
    (void)state;
    fill(-999.0);
    for (int kind = 0; kind < 4; kind++) {
        int64_t all = list_cells(kind);
        for (int k = 0; k < 9; k++)
            for (int64_t count = all; count >= 0; count -= 149) {
                h3ou__picked p = h3ou__picked_of(place, count);
                check(&p, -999.0, rows[k], true);
            }
    }
}

/* A message that is written past the caches, with one value that is missing and without it. */
static void long_messages_have_all_values(void **state)
{
    enum { ROWS = 65 };
    const int numbers[] = {8, 9, 20, ROWS};
    double *many = malloc(sizeof *many * LONG * ROWS),
           *message = aligned_alloc(64, sizeof *message * (LONG + 7) * ROWS);
    int32_t *cell = malloc(sizeof *cell * LONG);
    (void)state;
    assert_true(many && message && cell);
    for (int32_t i = 0; i < LONG; i++)
        cell[i] = i;
    h3ou__picked p = h3ou__picked_of(cell, LONG);
    for (int64_t i = 0; i < LONG * ROWS; i++)
        many[i] = (double)i;
    for (int which = 0; which < 4; which++)
        for (int k = 0; k < 4; k++) {
            int rows = numbers[which];
            int64_t wrong = 0;
            many[3 * LONG + 50000] = k % 2 ? -99.0 : 1.0;
            bool got = k / 2 ? h3ou__pack_missing_together(&p, -99.0, many, LONG, rows, message)
                             : h3ou__pack_missing_rows(&p, -99.0, many, LONG, rows, message);
            assert_int_equal(got, k % 2);
            for (int64_t i = 0; i < LONG; i++)
                for (int row = 0; row < rows; row++) {
                    double due = written(many[row * LONG + i], -99.0);
                    wrong += !is_same(due, message[k / 2 ? i * rows + row : row * LONG + i]);
                }
            assert_int_equal(wrong, 0);
        }
    free(many);
    free(message);
    free(cell);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_layouts_have_the_bits_of_plain_loops),
        cmocka_unit_test(very_many_layers_have_the_bits_of_plain_loops),
        cmocka_unit_test(long_messages_have_all_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

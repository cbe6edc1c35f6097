/* SPDX-License-Identifier: BSD-3-Clause */
/* Cells are packed with the missing value and NaN as one quiet NaN: the bits are those of plain loops, in both layouts,
 * for any cells and numbers of layers, through the caches and past them. */
#include "coupler/cells/pack_missing.h"

#include <fenv.h>
#include <math.h>

#include "units.h"

enum { N = 700, SOME_ROWS = 70, MOST_ROWS = 600, AROUND = 8, LONG = 110001, LONG_ROWS = 20 };

static double few[MOST_ROWS * N];
static _Alignas(64) double room[MOST_ROWS * N + 2 * AROUND];
static int32_t place[LONG];

/* Rows of values, and memory for their messages, which begins where a line of memory does. */
typedef struct rows_of_values {
    double *from, *to;
    int64_t n; /* values of a row */
} rows_of_values;

static const rows_of_values short_rows = {few, room, N};

static void copy_bits(uint64_t bits, double *value)
{
    memcpy(value, &bits, sizeof bits);
}

/* Whole blocks have ordinary values, whole blocks none, others have some of each kind: signalling and quiet NaN of
 * either sign, the missing value, its negative, and a value that has the same upper half. */
static void fill(int64_t count, double missing, double *from)
{
    const uint64_t nan[] = {UINT64_C(0x7ff0000000000001), UINT64_C(0xfff0000000000007), UINT64_C(0x7ff8000000000005)};
    for (int64_t i = 0; i < count; i++) {
        from[i] = (double)(i % 997 - 400) / 3.0;
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
static int64_t list_cells(int kind, int64_t n)
{
    int64_t count = 0;
    for (int64_t i = 0; i < n; i++)
        if (kind == 0 || kind == 3 || (kind == 1 ? i % 300 < 200 : i % 2))
            place[count++] = (int32_t)(kind == 3 ? i * 11 % n : i);
    return count;
}

/* shift: values by which the message begins behind a line of memory. */
static void check(const rows_of_values *r, const h3ou__picked *p, double missing, int rows, bool together, int shift)
{
    int64_t wrong = 0, count = p->count;
    double *to = r->to + shift;
    bool has_nan = false, got;
    for (int i = 0; i < AROUND; i++)
        to[count * rows + i] = -3.0;
    feclearexcept(FE_ALL_EXCEPT);
    got = together ? h3ou__pack_missing_together(p, missing, r->from, r->n, rows, to)
                   : h3ou__pack_missing_rows(p, missing, r->from, r->n, rows, to);
    assert_false(fetestexcept(FE_INVALID | FE_OVERFLOW | FE_DIVBYZERO));
    for (int64_t i = 0; i < count; i++)
        for (int row = 0; row < rows; row++) {
            double due = written(r->from[row * r->n + p->at[i]], missing);
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
        int64_t all = list_cells(kind, N);
        for (int rows = 1; rows <= SOME_ROWS; rows += rows < 18 ? 1 : 13)
            for (int64_t count = all; count >= 0; count -= 67) {
                h3ou__picked p = h3ou__picked_of(place, count);
                check(&short_rows, &p, missing, rows, false, (int)(count % 3));
                check(&short_rows, &p, missing, rows, true, (int)(count % 3));
            }
    }
}

static void all_layouts_have_the_bits_of_plain_loops(void **state)
{
    const double missing[] = {-999.0, NAN, 0.0, -0.0, INFINITY, -1e30};
    (void)state;
    for (int i = 0; i < 6; i++) {
        fill(MOST_ROWS * N, isnan(missing[i]) ? -1.0 : missing[i], few);
        check_kinds(missing[i]);
    }
}

/* The more rows, the fewer cells are packed together. */
static void very_many_layers_have_the_bits_of_plain_loops(void **state)
{
    const int rows[] = {128, 129, 137, 171, 257, 510, 512, 513, MOST_ROWS};
    (void)state;
    fill(MOST_ROWS * N, -999.0, few);
    for (int kind = 0; kind < 4; kind++) {
        int64_t all = list_cells(kind, N);
        for (int k = 0; k < 9; k++)
            for (int64_t count = all; count >= 0; count -= 149) {
                h3ou__picked p = h3ou__picked_of(place, count);
                check(&short_rows, &p, -999.0, rows[k], true, 0);
            }
    }
}

/* What stands between cells, and behind the last one of a row, may be a halo that nobody has written. */
static void values_of_no_cell_are_not_seen(void **state)
{
    const int rows[] = {1, 4, 5, 8, 9, 16, 19};
    (void)state;
    for (int kind = 0; kind < 4; kind++) {
        int64_t all = list_cells(kind, N - 9);
        h3ou__picked p = h3ou__picked_of(place, all);
        for (int64_t i = 0; i < MOST_ROWS * N; i++)
            few[i] = i % 3 ? (double)NAN : -999.0;
        for (int64_t i = 0; i < all; i++)
            for (int row = 0; row < MOST_ROWS; row++)
                few[row * N + place[i]] = (double)(i + row);
        for (int k = 0; k < 7; k++) {
            check(&short_rows, &p, -999.0, rows[k], true, 0);
            check(&short_rows, &p, -999.0, rows[k], false, 0);
        }
    }
}

/* Messages of more than 4 MiB are written past the caches. */
static void check_long(const rows_of_values *r, int rows, int kind)
{
    h3ou__picked p = h3ou__picked_of(place, list_cells(kind, r->n));
    check(r, &p, -999.0, rows, true, 0);
    check(r, &p, -999.0, rows, true, 1);
}

static void long_messages_have_the_bits_of_plain_loops(void **state)
{
    const int rows[] = {5, 8, 9, 16, LONG_ROWS};
    rows_of_values r = {malloc(sizeof *r.from * LONG * LONG_ROWS),
                        aligned_alloc(64, sizeof *r.to * (LONG + 11) * LONG_ROWS), LONG};
    (void)state;
    assert_true(r.from && r.to);
    fill(LONG * LONG_ROWS, -999.0, r.from);
    for (int k = 0; k < 5; k++)
        for (int kind = 0; kind < 2; kind++)
            check_long(&r, rows[k], kind);
    h3ou__picked p = h3ou__picked_of(place, list_cells(0, LONG));
    check(&r, &p, -999.0, LONG_ROWS, false, 1);
    for (int many = 65; many <= 513; many += 448) {
        r.n = LONG * LONG_ROWS / many;
        for (int kind = 0; kind < 4; kind++)
            check_long(&r, many, kind);
    }
    free(r.from);
    free(r.to);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_layouts_have_the_bits_of_plain_loops),
        cmocka_unit_test(very_many_layers_have_the_bits_of_plain_loops),
        cmocka_unit_test(values_of_no_cell_are_not_seen),
        cmocka_unit_test(long_messages_have_the_bits_of_plain_loops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

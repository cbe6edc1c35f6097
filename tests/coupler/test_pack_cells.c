/* SPDX-License-Identifier: BSD-3-Clause */
/* Cells out of rows: each layout of a message has the same bits, and one NaN anywhere is noticed. */
#include <fenv.h>
#include <math.h>

#include "base/single_precision.h"
#include "coupler/cells/pack_cells.h"
#include "units.h"

enum { N = 200, ROWS = 19, SPARE = 3 };

static double from[ROWS * N], to[ROWS * N + SPARE * N];
static float singles[ROWS * N], packed[ROWS * N + SPARE * N];
static int32_t place[N];

/* Of a signalling NaN, too, the bits are copied. */
static const uint64_t signalling = UINT64_C(0xfff0000000000007);

static void fill(void)
{
    for (int i = 0; i < ROWS * N; i++)
        memcpy(&from[i], &(double){i % 7 == 0 ? INFINITY : -1.5 * i}, sizeof *from);
}

static bool is_same(int64_t at, int row, int64_t cell)
{
    return memcmp(&to[at], &from[row * N + cell], sizeof *to) == 0;
}

/* Row after row with width 0, else all rows of a cell together. */
static void check_singles(const h3ou__picked *p, int rows, int64_t width)
{
    for (int row = 0; row < rows; row++)
        for (int64_t i = 0; i < p->count; i++) {
            float got = packed[width ? i * width + row : row * p->count + i], due = singles[row * N + p->at[i]];
            assert_true(isnan(due) ? isnan(got) : memcmp(&got, &due, sizeof due) == 0);
        }
}

/* The same of floats, and of doubles that are rounded. */
static void check_layouts_of_singles(const h3ou__picked *p, int rows, int64_t width, bool has_nan)
{
    const h3ou__floats all = {from, NULL, NAN};
    h3ou__narrow(ROWS * N, from, singles);
    assert_int_equal(h3ou__pack_single_rows(p, singles, N, rows, packed), has_nan);
    check_singles(p, rows, 0);
    assert_int_equal(h3ou__pack_single_together(p, singles, N, rows, width, packed), has_nan);
    check_singles(p, rows, width);
    assert_int_equal(h3ou__pack_floats_rows(p, &all, 0, N, rows, packed), has_nan);
    check_singles(p, rows, 0);
    assert_int_equal(h3ou__pack_floats_together(p, &all, 0, N, rows, width, packed), has_nan);
    check_singles(p, rows, width);
}

/* Floats, and doubles that are rounded, where what the first cell has in its first row is missing. */
static void check_missing_of_singles(const h3ou__picked *p, int rows, int64_t width)
{
    double missing = p->count > 0 ? from[p->at[0]] : 1.0;
    if (memcmp(&missing, &signalling, sizeof missing) == 0)
        missing = NAN; /* no value is missing */
    const h3ou__floats both[] = {{from, NULL, missing}, {NULL, singles, missing}};
    for (int k = 0; k < 2; k++)
        for (int layout = 0; layout < 2; layout++) {
            h3ou__narrow(ROWS * N, from, singles);
            bool has_nan = layout == 0 ? h3ou__pack_floats_rows(p, &both[k], 0, N, rows, packed)
                                       : h3ou__pack_floats_together(p, &both[k], 0, N, rows, width, packed);
            assert_int_equal(has_nan, p->count > 0 && rows > 0);
            for (int i = 0; i < ROWS * N; i++) /* all values are far apart, in single precision, too */
                if (memcmp(&from[i], &missing, sizeof missing) == 0)
                    singles[i] = NAN;
            check_singles(p, rows, layout ? width : 0);
        }
}

static void check_layouts(const h3ou__picked *p, int rows, bool has_nan)
{
    int64_t width = rows + SPARE;
    assert_int_equal(h3ou__pack_rows(p, from, N, rows, to), has_nan);
    for (int row = 0; row < rows; row++)
        for (int64_t i = 0; i < p->count; i++)
            assert_true(is_same(row * p->count + i, row, p->at[i]));
    assert_int_equal(h3ou__pack_together(p, from, N, rows, width, to), has_nan);
    for (int row = 0; row < rows; row++)
        for (int64_t i = 0; i < p->count; i++)
            assert_true(is_same(i * width + row, row, p->at[i]));
    check_layouts_of_singles(p, rows, rows % 2 ? rows : width, has_nan);
    check_missing_of_singles(p, rows, rows % 2 ? rows : width);
}

static void both_layouts_have_all_values(void **state)
{
    (void)state;
    fill();
    for (int rows = 1; rows <= ROWS; rows++)
        for (int64_t count = 0; count <= N; count += count < 70 ? 7 : 65)
            for (int step = 1; step <= 3; step += 2) {
                for (int64_t i = 0; i < count; i++)
                    place[i] = (N - count + i) * step % N;
                h3ou__picked p = h3ou__picked_of(place, count);
                assert_true(p.is_run == (step == 1 || count < 2));
                check_layouts(&p, rows, false);
            }
}

/* Runs of cells between gaps are copied together, those of any length. */
static void runs_between_gaps_have_all_values(void **state)
{
    (void)state;
    for (int run = 1; run <= N; run += run < 70 ? 3 : 40)
        for (int nan = -1; nan < N; nan += 13) {
            int64_t count = 0;
            fill();
            for (int64_t i = 0; i < N; i++)
                if (i % (run + 2) < run)
                    place[count++] = i;
            h3ou__picked p = h3ou__picked_of(place, count);
            assert_true(p.ascends);
            if (nan >= 0)
                memcpy(&from[nan], &signalling, sizeof *from);
            for (int rows = 3; rows <= ROWS; rows += 4)
                check_layouts(&p, rows, nan >= 0 && nan % (run + 2) < run);
        }
}

static void one_nan_is_noticed_and_kept(void **state)
{
    (void)state;
    for (int is_run = 0; is_run < 2; is_run++)
        for (int at = 0; at < ROWS * N; at += 11) {
            fill();
            for (int64_t i = 0; i < N; i++)
                place[i] = is_run ? i : N - 1 - i;
            h3ou__picked p = h3ou__picked_of(place, N);
            feclearexcept(FE_ALL_EXCEPT);
            memcpy(&from[at], &signalling, sizeof from[at]);
            check_layouts(&p, ROWS, true);
            assert_false(fetestexcept(FE_INVALID));
        }
}

enum { CELLS = 20003, AT = CELLS + CELLS / 50 + 1, LAYERS = 24, WIDTH = 32 };

/* Makes a list of cells: those of a permutation, or runs between gaps. */
static int32_t *new_list(bool is_permuted)
{
    int32_t *cell = malloc(sizeof *cell * CELLS);
    assert_non_null(cell);
    for (int64_t i = 0; i < CELLS; i++)
        cell[i] = is_permuted ? i * 7 % CELLS : i + i / 50;
    return cell;
}

/* Long messages that begin on a cache line are written past the caches. */
static void long_messages_have_all_values(void **state)
{
    double *many = malloc(sizeof *many * AT * LAYERS), *message = aligned_alloc(64, sizeof *message * CELLS * WIDTH);
    (void)state;
    assert_true(many && message);
    for (int64_t i = 0; i < AT * LAYERS; i++)
        many[i] = (double)i;
    for (int k = 0; k < 8; k++) {
        int rows = k < 4 ? LAYERS : LAYERS - 3; /* which fill lines, or not */
        int32_t *cell = new_list(k / 2 % 2);
        int64_t nan = 17 * AT + cell[CELLS - 1];
        h3ou__picked p = h3ou__picked_of(cell, CELLS);
        many[nan] = k % 2 ? NAN : 1.0;
        assert_int_equal(h3ou__pack_together(&p, many, AT, rows, WIDTH, message), k % 2);
        for (int64_t i = 0; i < CELLS; i++)
            for (int row = 0; row < rows; row++)
                assert_memory_equal(&message[i * WIDTH + row], &many[row * AT + cell[i]], sizeof *many);
        many[nan] = 1.0;
        free(cell);
    }
    free(many);
    free(message);
}

enum { SOME = 1301, SOME_AT = 2 * SOME, MOST_LAYERS = 78, AROUND = 16 };

/* Makes a list of SOME cells: a run; runs between gaps; pairs; single ones; those of a permutation. */
static void list_some(int kind, int32_t *cell)
{
    for (int32_t i = 0; i < SOME; i++) {
        int32_t kinds[] = {i + 3, i + i / 50, i + i / 2, 2 * i, i * 7 % SOME};
        cell[i] = kinds[kind];
    }
}

/* Packs doubles, or floats, of part of a message that is long enough to go past the caches, and checks them and what
 * stands behind them. */
static void check_part(const h3ou__picked *p, int layers, const double *many, const float *single, bool has_nan)
{
    static _Alignas(64) double message[SOME * MOST_LAYERS + AROUND];
    static _Alignas(64) float packed_some[SOME * MOST_LAYERS + AROUND], rounded[2][SOME * MOST_LAYERS + 2 * AROUND];
    const h3ou__floats all = {many, NULL, NAN};
    int64_t n = p->count * layers, wrong = 0;
    for (int i = 0; i < AROUND; i++)
        message[n + i] = packed_some[n + i] = rounded[0][n + i] = rounded[1][n + 1 + i] = -3.0F;
    assert_int_equal(h3ou__pack_together(p, many, SOME_AT, layers, layers, message), has_nan);
    assert_int_equal(h3ou__pack_single_together(p, single, SOME_AT, layers, layers, packed_some), has_nan);
    for (int k = 0; k < 2; k++) /* at the beginning of a line, and elsewhere */
        assert_int_equal(h3ou__pack_floats_together(p, &all, 0, SOME_AT, layers, layers, rounded[k] + k), has_nan);
    for (int64_t i = 0; i < p->count; i++)
        for (int k = 0; k < layers; k++) {
            int64_t at = k * SOME_AT + p->at[i];
            wrong += memcmp(&message[i * layers + k], &many[at], sizeof *many) != 0;
            wrong += memcmp(&packed_some[i * layers + k], &single[at], sizeof *single) != 0;
            wrong += memcmp(&rounded[0][i * layers + k], &single[at], sizeof *single) != 0;
            wrong += memcmp(&rounded[1][i * layers + k + 1], &single[at], sizeof *single) != 0;
        }
    for (int i = 0; i < AROUND; i++)
        wrong += message[n + i] != -3.0 || packed_some[n + i] != -3.0F || rounded[0][n + i] != -3.0F ||
                 rounded[1][n + 1 + i] != -3.0F;
    assert_int_equal(wrong, 0);
}

/* Long messages of any number of layers are written past the caches: by lines, by half lines, or from room. */
static void any_number_of_layers_has_all_values(void **state)
{
    static const int LAYERS_OF[] = {1, 3, 4, 5, 7, 8, 12, 16, 20, 23, 24, 40, MOST_LAYERS};
    static double many[SOME_AT * MOST_LAYERS];
    static float single[SOME_AT * MOST_LAYERS];
    static int32_t cell[SOME];
    (void)state;
    for (int64_t i = 0; i < SOME_AT * MOST_LAYERS; i++)
        many[i] = single[i] = (float)i;
    for (int kind = 0; kind < 5; kind++) {
        list_some(kind, cell);
        h3ou__picked p = h3ou__picked_of(cell, SOME);
        p.all = INT32_MAX;
        for (size_t k = 0; k < sizeof LAYERS_OF / sizeof *LAYERS_OF; k++)
            for (int i = -1; i < SOME; i += i < 0 ? 1 : 433) { /* the cell with a NaN, or none */
                int64_t bad = (LAYERS_OF[k] - 1) * SOME_AT + cell[i < 0 ? 0 : i];
                many[bad] = single[bad] = i < 0 ? 1.0F : NAN;
                check_part(&p, LAYERS_OF[k], many, single, i >= 0);
                many[bad] = single[bad] = 1.0F;
            }
    }
}

/* A message of floats with `width` values for each cell. */
static void check_long_singles(const double *many, const float *single, bool is_permuted, int width, float *message)
{
    int32_t *cell = new_list(is_permuted);
    h3ou__picked p = h3ou__picked_of(cell, CELLS);
    const double missing = many[cell[0]]; /* no other cell or layer has it */
    const h3ou__floats of_doubles = {many, NULL, missing}, of_singles = {NULL, single, missing},
                       all = {many, NULL, NAN};
    const h3ou__floats *const of[] = {&all, NULL, &of_doubles, &of_singles};
    for (int way = 0; way < 4; way++) {
        memset(message, 0, sizeof *message * CELLS * WIDTH);
        bool has_nan = way == 1 ? h3ou__pack_single_together(&p, single, AT, LAYERS, width, message)
                                : h3ou__pack_floats_together(&p, of[way], 0, AT, LAYERS, width, message);
        assert_int_equal(has_nan, way >= 2);
        for (int64_t i = 0; i < CELLS; i++)
            for (int row = 0; row < LAYERS; row++)
                assert_true(way >= 2 && i == 0 && row == 0 ? isnan(message[0])
                                                           : message[i * width + row] == single[row * AT + cell[i]]);
        for (int64_t i = CELLS * width; i < CELLS * WIDTH; i++)
            assert_true(message[i] == 0.0F);
    }
    free(cell);
}

static void long_messages_of_singles_have_all_values(void **state)
{
    enum { MANY = 2500 };
    double *many = malloc(sizeof *many * AT * LAYERS);
    float *single = malloc(sizeof *single * AT * LAYERS), *message = aligned_alloc(64, sizeof *message * CELLS * WIDTH);
    int32_t *cell = new_list(true);
    (void)state;
    assert_true(many && single && message);
    for (int64_t i = 0; i < AT * LAYERS; i++)
        many[i] = single[i] = (float)i / 8.0F;
    for (int k = 0; k < 4; k++)
        check_long_singles(many, single, k % 2, k < 2 ? LAYERS : WIDTH, message);
    h3ou__picked few = h3ou__picked_of(cell, 3);
    /* More layers than are rounded at a time. */
    const h3ou__floats all = {many, NULL, NAN};
    assert_false(h3ou__pack_floats_together(&few, &all, 0, 100, MANY, MANY, message));
    for (int i = 0; i < 3; i++)
        for (int row = 0; row < MANY; row++)
            assert_true(message[i * MANY + row] == single[row * 100 + cell[i]]);
    free(many);
    free(single);
    free(message);
    free(cell);
}

/* Makes a list of `count` cells with runs of many lengths and one of some MB, which begins and ends on no cache line.
 * Returns how many cells the array has. */
static int64_t fill_runs(int32_t *cell, int64_t count, int64_t begin, int64_t end)
{
    int64_t next = 1;
    for (int64_t i = 0, length = 1; i < count; length = length * 5 % 331 + 1, next++)
        for (int64_t k = 0; i < count && (k < length || (i > begin && i < end)); k++)
            cell[i++] = next++;
    return next;
}

enum { COUNT = 700000 };

/* Packs one row of cells, of which that at place `bad` of the list has a NaN, below 0 none. */
static void check_row(const int32_t *cell, int64_t bad, double *values, float *single, int64_t n)
{
    double *message = malloc(sizeof *message * COUNT);
    float *floats = malloc(sizeof *floats * COUNT);
    int64_t at = cell[bad < 0 ? 0 : bad], wrong = 0;
    h3ou__picked p = h3ou__picked_of(cell, COUNT);
    assert_true(message && floats);
    if (bad >= 0) {
        memcpy(&values[at], &signalling, sizeof *values);
        single[at] = NAN;
    }
    assert_int_equal(h3ou__pack_rows(&p, values, n, 1, message), bad >= 0);
    assert_int_equal(h3ou__pack_single_rows(&p, single, n, 1, floats), bad >= 0);
    for (int64_t i = 0; i < COUNT; i++)
        wrong += memcmp(&message[i], &values[cell[i]], sizeof *message) ||
                 memcmp(&floats[i], &single[cell[i]], sizeof *floats);
    assert_int_equal(wrong, 0);
    values[at] = single[at] = (float)at;
    free(message);
    free(floats);
}

/* Runs of any length are found, and long ones, which are written past the caches, have each value and notice each NaN;
 * so do as many cells in another order. */
static void long_rows_have_all_values(void **state)
{
    enum { BEGIN = 3001, END = COUNT - 2003 };
    static const int64_t bad[] = {-1,      BEGIN + 300, BEGIN + 301, BEGIN + 302, COUNT / 2, COUNT / 2 + 3,
                                  END - 5, END - 1,     END,         COUNT - 1,   0};
    int32_t *cell = malloc(sizeof *cell * COUNT);
    (void)state;
    assert_non_null(cell);
    int64_t n = fill_runs(cell, COUNT, BEGIN, END);
    double *values = malloc(sizeof *values * (size_t)n);
    float *single = malloc(sizeof *single * (size_t)n);
    assert_true(values && single);
    for (int64_t i = 0; i < n; i++)
        values[i] = single[i] = (float)i;
    for (int order = 0; order < 2; order++) {
        h3ou__picked p = h3ou__picked_of(cell, COUNT);
        assert_true(order ? !p.ascends : p.ascends && !p.is_run);
        for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
            check_row(cell, bad[k], values, single, n);
        for (int64_t i = 0; i < COUNT / 2; i++) { /* in the second round the list descends */
            int32_t other = cell[i];
            cell[i] = cell[COUNT - 1 - i];
            cell[COUNT - 1 - i] = other;
        }
    }
    free(cell);
    free(values);
    free(single);
}

/* A NaN in a cell that the message lacks does not count. */
static void other_cells_do_not_matter(void **state)
{
    (void)state;
    fill();
    from[5] = NAN;
    for (int64_t i = 0; i < 5; i++)
        place[i] = 4 - i;
    h3ou__picked p = h3ou__picked_of(place, 5);
    check_layouts(&p, ROWS, false);
}

/* Values that need more than a conversion, beside any others, are rounded to the right float without an exception. */
static void special_values_are_rounded_quietly(void **state)
{
    static const uint64_t special[] = {UINT64_C(0x7ff0000000000001),
                                       UINT64_C(0xfff8000000000005),
                                       UINT64_C(0x7ff0000000000000),
                                       UINT64_C(0xfff0000000000000),
                                       UINT64_C(0x7fefffffffffffff),
                                       H3OU__BEYOND_SINGLE,
                                       H3OU__BEYOND_SINGLE - 1,
                                       UINT64_C(0x8000000000000000),
                                       UINT64_C(0xc7efffffefffffff),
                                       UINT64_C(0xc7f0000000000000),
                                       UINT64_C(1),
                                       UINT64_C(0xc014000000000000)}; /* the last: -5 */
    enum { KINDS = sizeof special / sizeof *special };
    const double missing[] = {NAN, 0.0, -5.0, 1e300, INFINITY};
    (void)state;
    for (int64_t i = 0; i < N; i++)
        place[i] = i;
    for (int some = 1; some < 40; some += 3)
        for (int k = 0; k < 5; k++) {
            fill();
            for (int i = some; i < ROWS * N; i += some)
                memcpy(&from[i], &special[i / some * 7 % KINDS], sizeof *from);
            const h3ou__floats floats = {from, NULL, missing[k]};
            h3ou__picked p = h3ou__picked_of(place, N - some);
            bool due = false;
            for (int64_t i = 0; i <= p.count; i++) /* what stands behind the rows of each cell, and the cells */
                packed[i * (ROWS + 1) + (i < p.count ? ROWS : 0)] = 7.0F;
            feclearexcept(FE_ALL_EXCEPT);
            bool has_nan = h3ou__pack_floats_together(&p, &floats, 0, N, ROWS, ROWS + 1, packed);
            assert_false(fetestexcept(FE_INVALID | FE_OVERFLOW | FE_DIVBYZERO));
            for (int64_t i = 0; i < p.count * ROWS; i++) {
                const double *value = &from[i % ROWS * N + i / ROWS];
                uint64_t bits = h3ou__bits_without(missing[k], h3ou__bits_of(value));
                float single = h3ou__quiet_single(&(double){h3ou__value_of(bits)});
                due |= h3ou__nan_mark_of(bits) >> 63;
                assert_memory_equal(&packed[i / ROWS * (ROWS + 1) + i % ROWS], &single, sizeof single);
            }
            assert_int_equal(has_nan, due);
            for (int64_t i = 0; i <= p.count; i++)
                assert_true(packed[i * (ROWS + 1) + (i < p.count ? ROWS : 0)] == 7.0F);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_layouts_have_all_values),
        cmocka_unit_test(runs_between_gaps_have_all_values),
        cmocka_unit_test(one_nan_is_noticed_and_kept),
        cmocka_unit_test(long_messages_have_all_values),
        cmocka_unit_test(any_number_of_layers_has_all_values),
        cmocka_unit_test(long_messages_of_singles_have_all_values),
        cmocka_unit_test(long_rows_have_all_values),
        cmocka_unit_test(other_cells_do_not_matter),
        cmocka_unit_test(special_values_are_rounded_quietly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

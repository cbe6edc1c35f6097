/* SPDX-License-Identifier: BSD-3-Clause */
/* Divided cells have the bits of plain loops in messages of any number of layers, through the caches and past them. */
#include "coupler/cells/divide_cells.h"

#include <fenv.h>
#include <math.h>

#include "units.h"

enum { N = 410, ROWS = 27, MANY_ROWS = 330, WIDTH = 32, COUNT = 200 };

static double from[MANY_ROWS * N], by[COUNT];
static _Alignas(64) double to[MANY_ROWS * (COUNT + 1)];
static int32_t place[COUNT];

enum { SCATTERED, RUN, EVERY_SECOND, PLACES };

static int32_t place_of(int kind, int i)
{
    return kind == RUN ? i + 3 : kind == EVERY_SECOND ? 2 * i : i * 37 % N;
}

/* Cells that are divided by 0 do not count, and hold what no operation may touch. alike: all are divided by 7. */
static void fill(int kind, bool alike)
{
    const uint64_t rubbish[] = {UINT64_C(0x7ff0000000000001), UINT64_C(0x7ff0000000000000),
                                UINT64_C(0xffefffffffffffff)};
    for (int i = 0; i < MANY_ROWS * N; i++)
        from[i] = (i % 17 - 8) / 3.0;
    for (int i = 0; i < COUNT; i++) {
        place[i] = place_of(kind, i);
        by[i] = alike ? 7.0 : i % 4 / 3.0;
        for (int row = 0; row < ROWS && by[i] <= 0.0; row++)
            memcpy(&from[row * N + place[i]], &rubbish[(i + row) % 3], sizeof *from);
    }
    for (int i = 0; i < MANY_ROWS * (COUNT + 1); i++)
        to[i] = -7.0;
    feclearexcept(FE_ALL_EXCEPT);
}

static double due(int i, int row, double times)
{
    return by[i] > 0.0 ? from[row * N + place[i]] / by[i] * times : 0.0;
}

static void check(int kind, bool alike, int rows, int width, int shift, int64_t all)
{
    double *message = to + shift, row_due[MANY_ROWS];
    fill(kind, alike);
    h3ou__picked cells = h3ou__picked_of(place, COUNT);
    cells.all = all;
    assert_false(h3ou__divide_together(&cells, from, N, rows, width, by, 600.0, message));
    assert_false(fetestexcept(FE_INVALID | FE_OVERFLOW | FE_DIVBYZERO));
    for (int i = 0; i < COUNT; i++) {
        for (int row = 0; row < width; row++)
            row_due[row] = row < rows ? due(i, row, 600.0) : -7.0;
        assert_memory_equal(message + i * width, row_due, sizeof *row_due * (size_t)width);
    }
    assert_true(message[COUNT * width] == -7.0);
}

static void all_layers_have_the_bits_of_plain_loops(void **state)
{
    (void)state;
    for (int kind = 0; kind < 2 * PLACES; kind++)
        for (int rows = 1; rows <= ROWS; rows++)
            for (int width = rows; width <= WIDTH; width += rows == width ? 1 : 7)
                for (int shift = 0; shift < 2; shift++)
                    check(kind / 2, kind % 2, rows, width, shift, (rows + width) % 2 ? H3OU__MANY : COUNT);
}

static void very_many_layers_are_divided_in_parts(void **state)
{
    (void)state;
    for (int kind = 0; kind < PLACES; kind++)
        check(kind, kind % 2, MANY_ROWS, MANY_ROWS, 0, H3OU__MANY);
}

static void a_nan_is_noticed_where_it_counts(void **state)
{
    (void)state;
    for (int kind = 0; kind < 2 * PLACES; kind++)
        for (int row = 0; row < ROWS; row += 5)
            for (int i = 0; i < COUNT; i += 3) {
                fill(kind / 2, kind % 2);
                h3ou__picked cells = h3ou__picked_of(place, COUNT);
                from[row * N + place[i]] = NAN;
                assert_int_equal(h3ou__divide_together(&cells, from, N, ROWS, WIDTH, by, 1.0, to), by[i] > 0.0);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_layers_have_the_bits_of_plain_loops),
        cmocka_unit_test(very_many_layers_are_divided_in_parts),
        cmocka_unit_test(a_nan_is_noticed_where_it_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

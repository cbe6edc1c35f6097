/* SPDX-License-Identifier: BSD-3-Clause */
/* Divided cells have the bits of plain loops in messages of any number of layers, through the caches and past them. */
#include "coupler/cells/divide_cells.h"

#include <fenv.h>
#include <math.h>

#include "units.h"

enum { N = 90, ROWS = 27, WIDTH = 32, COUNT = 40 };

static double from[ROWS * N], by[COUNT];
static _Alignas(64) double to[WIDTH * (COUNT + 1)];
static int32_t place[COUNT];

/* Cells that are divided by 0 do not count, and hold what no operation may touch. */
static void fill(void)
{
    const uint64_t rubbish[] = {UINT64_C(0x7ff0000000000001), UINT64_C(0x7ff0000000000000),
                                UINT64_C(0xffefffffffffffff)};
    for (int i = 0; i < ROWS * N; i++)
        from[i] = (i % 17 - 8) / 3.0;
    for (int i = 0; i < COUNT; i++) {
        place[i] = i * 37 % N;
        by[i] = i % 4 / 3.0;
        for (int row = 0; row < ROWS && i % 4 == 0; row++)
            memcpy(&from[row * N + place[i]], &rubbish[(i + row) % 3], sizeof *from);
    }
    for (int i = 0; i < WIDTH * (COUNT + 1); i++)
        to[i] = -7.0;
    feclearexcept(FE_ALL_EXCEPT);
}

static double due(int i, int row, double times)
{
    return by[i] > 0.0 ? from[row * N + place[i]] / by[i] * times : 0.0;
}

static void check(int rows, int width, int shift, int64_t all)
{
    h3ou__picked cells = {place, COUNT, false, false, all};
    double *message = to + shift;
    fill();
    assert_false(h3ou__divide_together(&cells, from, N, rows, width, by, 600.0, message));
    assert_false(fetestexcept(FE_INVALID | FE_OVERFLOW | FE_DIVBYZERO));
    for (int i = 0; i < COUNT; i++)
        for (int row = 0; row < width; row++) {
            double value = row < rows ? due(i, row, 600.0) : -7.0;
            assert_memory_equal(&message[i * width + row], &value, sizeof value);
        }
    assert_true(message[COUNT * width] == -7.0);
}

static void all_layers_have_the_bits_of_plain_loops(void **state)
{
    (void)state;
    for (int rows = 1; rows <= ROWS; rows++)
        for (int width = rows; width <= WIDTH; width++)
            for (int large = 0; large < 2; large++)
                for (int shift = 0; shift < 2; shift++)
                    check(rows, width, shift, large ? H3OU__MANY : COUNT);
}

static void a_nan_is_noticed_where_it_counts(void **state)
{
    (void)state;
    for (int row = 0; row < ROWS; row++)
        for (int i = 0; i < COUNT; i++) {
            h3ou__picked cells = {place, COUNT, false, false, COUNT};
            fill();
            from[row * N + place[i]] = NAN;
            assert_int_equal(h3ou__divide_together(&cells, from, N, ROWS, WIDTH, by, 1.0, to), by[i] > 0.0);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_layers_have_the_bits_of_plain_loops),
        cmocka_unit_test(a_nan_is_noticed_where_it_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Arrays of models: which shapes fit a grid, and what is read from and written to them. */
#include <fenv.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/error.h"
#include "coupler/array/model_array.h"

enum { NX = 3, NY = 2, N = NX * NY, WIDTH = 1 + NX + 2, HEIGHT = 3 + NY + 4, LAYER = 2 };

/* 3 x 2 cells, with a halo of 1, 2, 3 and 4. */
static h3ou__grid block_grid(void)
{
    h3ou__grid g = {.name = "g", .n = N};
    static const int halo[4] = {1, 2, 3, 4};
    assert_int_equal(h3ou__block_set(&g.local, "g", N, NX, NY), H3OU__OK);
    assert_int_equal(h3ou__block_set_halo(&g.local, "g", halo), H3OU__OK);
    assert_int_equal(h3ou__block_complete(&g.local, "g", NULL, N, 0), H3OU__OK);
    return g;
}

static bool fits(const h3ou__grid *g, int rank, int64_t i, int64_t j, int64_t k, int layer)
{
    h3ou__place place;
    h3ou__arrays a = {.rank = rank, .extent = {i, j, k}};
    return h3ou__place_find(g, &a, layer, &place);
}

static void shapes_that_hold_the_cells_fit(void **state)
{
    (void)state;
    h3ou__grid g = block_grid();
    assert_true(fits(&g, 1, N, 1, 1, 1));
    assert_true(fits(&g, 2, N, LAYER, 1, LAYER));
    assert_true(fits(&g, 2, WIDTH, HEIGHT, 1, 1));
    assert_true(fits(&g, 3, WIDTH, HEIGHT, LAYER, LAYER));
    assert_true(fits(&g, 1, WIDTH * HEIGHT, 1, 1, 1));
    assert_true(fits(&g, 2, WIDTH * HEIGHT, LAYER, 1, LAYER));
    g.local = (h3ou__block){0};
    assert_true(fits(&g, 2, N, LAYER, 1, LAYER));
    g.n = 0;
    assert_true(fits(&g, 2, 7, 0, 1, 1));
    assert_true(fits(&g, 3, 7, 9, LAYER, LAYER));
}

/* A slice for each of three members: (cell, layer, member), or all layers in one index. */
static void slices_fit(void **state)
{
    enum { SLICES = 3 };
    (void)state;
    h3ou__grid g = block_grid();
    h3ou__place place;
    const h3ou__arrays right[] = {{.rank = 3, .extent = {N, LAYER, SLICES}},
                                  {.rank = 2, .extent = {N, LAYER * SLICES}},
                                  {.rank = 3, .extent = {WIDTH * HEIGHT, LAYER, SLICES}},
                                  {.rank = 3, .extent = {WIDTH, HEIGHT, LAYER * SLICES}}};
    const h3ou__arrays wrong[] = {{.rank = 3, .extent = {N, SLICES, LAYER}},
                                  {.rank = 2, .extent = {N, LAYER}},
                                  {.rank = 3, .extent = {N, LAYER, SLICES + 1}},
                                  {.rank = 3, .extent = {N + 1, LAYER, SLICES}}};
    for (int i = 0; i < 4; i++) {
        assert_true(h3ou__place_find_slices(&g, &right[i], LAYER, SLICES, &place));
        assert_false(h3ou__place_find_slices(&g, &wrong[i], LAYER, SLICES, &place));
    }
    const h3ou__arrays one = {.rank = 3, .extent = {N, LAYER, 1}};
    assert_true(h3ou__place_find_slices(&g, &one, LAYER, 1, &place)); /* of an ensemble of one member */
    g.n = 0;
    g.local = (h3ou__block){0};
    const h3ou__arrays none = {.rank = 3, .extent = {0, LAYER, SLICES}};
    assert_true(h3ou__place_find_slices(&g, &none, LAYER, SLICES, &place));
}

static void other_shapes_do_not(void **state)
{
    (void)state;
    h3ou__grid g = block_grid();
    assert_false(fits(&g, 2, HEIGHT, WIDTH, 1, 1)); /* transposed */
    assert_false(fits(&g, 2, NX, NY, 1, 1));        /* without the halo that was said */
    assert_false(fits(&g, 3, NX, NY, LAYER, LAYER));
    assert_false(fits(&g, 2, WIDTH, HEIGHT, 1, LAYER)); /* one layer of two */
    assert_false(fits(&g, 3, WIDTH, HEIGHT, LAYER + 1, LAYER));
    assert_false(fits(&g, 1, N, 1, 1, LAYER));
    assert_false(fits(&g, 2, N, 1, 1, LAYER));
    assert_false(fits(&g, 3, N, 1, 1, 1));
    g.local = (h3ou__block){0};
    assert_false(fits(&g, 2, NX, NY, 1, 1));
    assert_false(fits(&g, 3, NX, NY, LAYER, LAYER));
    g.n = 0;
    assert_false(fits(&g, 2, 0, LAYER, 1, LAYER + 1));
}

/* (3, 3) cells of layer=3 and (3, 3) x and y: the number of layers decides. */
static void layers_decide_between_cells_and_x_y(void **state)
{
    (void)state;
    h3ou__grid g = {.name = "g", .n = 3};
    h3ou__place place;
    static const int halo[4] = {0, 0, 1, 1};
    h3ou__arrays a = {.rank = 2, .extent = {3, 3, 1}};
    assert_int_equal(h3ou__block_set(&g.local, "g", 3, 3, 1), H3OU__OK);
    assert_int_equal(h3ou__block_set_halo(&g.local, "g", halo), H3OU__OK);
    assert_true(h3ou__place_find(&g, &a, 3, &place));
    assert_int_equal(place.first, 0);
    assert_true(h3ou__place_find(&g, &a, 1, &place));
    assert_int_equal(place.first, 3);
}

static void says_of(int slices, const h3ou__grid *g, int rank, int64_t i, int64_t j, int64_t k, const char *sentence)
{
    h3ou__config config = {.file = "c.conf"};
    h3ou__config_var var = {.line = 7, .layer = 4};
    h3ou__arrays a = {.rank = rank, .extent = {i, j, k}};
    assert_int_equal(h3ou__arrays_misfit(&a, &config, &var, "sst", g, slices), H3OU__ESIZE);
    assert_string_equal(h3ou__fail_text(), sentence);
}

static void says(const h3ou__grid *g, int rank, int64_t i, int64_t j, int64_t k, const char *sentence)
{
    says_of(1, g, rank, i, j, k, sentence);
}

static void what_does_not_fit_is_told(void **state)
{
    (void)state;
    h3ou__grid g = block_grid();
    says(&g, 2, 5, 6, 1,
         "c.conf:7: field sst: the array has 5 x 6 elements, this process's part of the grid has 6 cells, which are 6 "
         "x 9 "
         "with their halo, and the namelist says layer=4: pass 6 x 9 x 4 elements, or 6 cells x 4 layers");
    g.local = (h3ou__block){0};
    says_of(3, &g, 3, N, 3, 4,
            "c.conf:7: field sst: the array has 6 x 3 x 4 elements, this process's part of the grid has 6 cells and the "
            "namelist says layer=4: pass 6 cells x 4 layers x 3 members");
    says(&g, 1, 5, 1, 1,
         "c.conf:7: field sst: the array has 5 cells and 1 layers, this process's part of the grid has 6 cells and the "
         "namelist says layer=4: pass 6 cells x 4 layers");
    says(&g, 3, 5, 6, 4,
         "c.conf:7: field sst: the array has 5 x 6 x 4 elements, this process's part of the grid has 6 cells, of which "
         "local_shape or grid_shape must say how they lie in x and y, and the namelist says layer=4: pass 6 cells x 4 "
         "layers");
}

static void rows_are_found_by_their_indices(void **state)
{
    (void)state;
    static const struct {
        int64_t index[6];
        int n, nx, found_nx, found_ny; /* found_nx -1: none */
    } cases[] = {{{1, 2, 3, 4, 5, 6}, 6, 6, 6, 1},
                 {{1, 2, 3, 4, 5, 6}, 6, 3, 3, 2},
                 {{1, 2, 3, 4, 5, 6}, 6, 4, -1, 0},
                 {{7, 8, 9, 17, 18, 19}, 6, 10, 3, 2},
                 {{9, 10, 1, 19, 20, 11}, 6, 10, 3, 2}, /* over the date line */
                 {{17, 18, 19, 7, 8, 9}, 6, 10, 3, 2},
                 {{7, 8, 9, 17, 19, 18}, 6, 10, -1, 0},
                 {{7, 8, 9, 17, 18, 28}, 6, 10, -1, 0},
                 {{7, 8, 17, 18, 27}, 5, 10, -1, 0},
                 {{3}, 1, 10, 1, 1},
                 {{0}, 0, 10, 0, 0},
                 {{1, 2, 3}, 3, 0, -1, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        h3ou__block b = {0};
        assert_int_equal(h3ou__block_complete(&b, "g", cases[i].index, cases[i].n, cases[i].nx), H3OU__OK);
        assert_int_equal(b.is_known, cases[i].found_nx >= 0);
        if (b.is_known) {
            assert_int_equal(b.nx, cases[i].found_nx);
            assert_int_equal(b.ny, cases[i].found_ny);
        }
    }
}

/* Where cell (x, y) of a layer stands in an array with the halo. */
static int64_t at(int64_t cell, int64_t layer)
{
    return layer * WIDTH * HEIGHT + (3 + cell / NX) * WIDTH + 1 + cell % NX;
}

static void halos_are_left_out(void **state)
{
    (void)state;
    h3ou__grid g = block_grid();
    h3ou__place place;
    for (int single = 0; single < 2; single++) {
        double model[LAYER * WIDTH * HEIGHT], read[LAYER * N], written[LAYER * N];
        float singles[LAYER * WIDTH * HEIGHT];
        static const int64_t some[] = {5, 0, 4};
        h3ou__arrays a = {.is_single = single, .rank = 3, .extent = {WIDTH, HEIGHT, LAYER}};
        for (int i = 0; i < LAYER * WIDTH * HEIGHT; i++)
            singles[i] = (float)(model[i] = 100 + i);
        assert_true(h3ou__place_find(&g, &a, LAYER, &place));
        assert_false(h3ou__place_is_plain(&place, N));
        h3ou__place_read(&place, N, LAYER, single ? (void *)singles : model, read);
        for (int i = 0; i < LAYER * N; i++) {
            assert_true(read[i] == 100 + at(i % N, i / N));
            written[i] = i == 4 ? NAN : -read[i];
        }
        h3ou__place_write(&place, N, LAYER, written, some, 3, true, single ? (void *)singles : model);
        for (int i = 0; i < LAYER * WIDTH * HEIGHT; i++) {
            bool set = false;
            for (int k = 0; k < 3 * LAYER; k++)
                set = set || (i == at(some[k % 3], k / 3) && (some[k % 3] != 4 || k / 3 > 0));
            assert_true((single ? (double)singles[i] : model[i]) == (set ? -100 - i : 100 + i));
        }
    }
}

/* Three cells in arrays of (4, layer, 2): at (1, ., 1), (3, ., 0) and (0, ., 0). */
static h3ou__grid scattered_grid(bool layers_last)
{
    h3ou__grid g = {.name = "g", .n = 3};
    static const int64_t index[] = {7, 8, 9};
    static const int middle[] = {4, H3OU__LAYERS_HERE, 2}, last[] = {4, 2}, position[] = {1, 1, 3, 0, 0, 0};
    assert_int_equal(h3ou__positions_set(&g.positions, "g", 3, index, layers_last ? 2 : 3, layers_last ? last : middle, position),
                     H3OU__OK);
    return g;
}

static void positions_fit_their_shape(void **state)
{
    (void)state;
    h3ou__grid g = scattered_grid(false);
    assert_true(fits(&g, 3, 4, LAYER, 2, LAYER));
    assert_true(fits(&g, 3, 4, 1, 2, 1));
    assert_true(fits(&g, 2, 4, 2, 1, 1));
    assert_true(fits(&g, 1, 8, 1, 1, 1));
    assert_true(fits(&g, 2, 8, 3, 1, 3));
    assert_true(fits(&g, 2, 3, 3, 1, 3)); /* the cells alone */
    assert_false(fits(&g, 3, 4, 2, 3, 3));
    assert_false(fits(&g, 3, 2, 3, 4, 3));
    assert_false(fits(&g, 2, 4, 2, 1, 2));
    says(&g, 3, 4, 2, 3,
         "c.conf:7: field sst: the array has 4 x 2 x 3 elements, this process's part of the grid has 3 cells, each at its "
         "position, and the namelist says layer=4: pass 4 x 4 x 2 elements, or 3 cells x 4 layers");
    h3ou__positions_free(&g.positions);
    g = scattered_grid(true);
    assert_true(fits(&g, 3, 4, 2, 3, 3));
    assert_false(fits(&g, 3, 4, 3, 2, 3));
    h3ou__positions_free(&g.positions);
}

/* What is read from, and written to, an array of a shape, whose element i has 100 + i. */
static void moved(const h3ou__grid *g, bool is_single, h3ou__arrays a, const int64_t at[3], int64_t next_layer)
{
    enum { SIZE = 8 * LAYER };
    double model[SIZE], read[3 * LAYER], written[3 * LAYER];
    float singles[SIZE];
    static const int64_t some[] = {2, 0};
    h3ou__place place;
    a.is_single = is_single;
    for (int i = 0; i < SIZE; i++)
        singles[i] = (float)(model[i] = 100 + i);
    assert_true(h3ou__place_find(g, &a, LAYER, &place));
    assert_false(h3ou__place_is_plain(&place, 3));
    h3ou__place_read(&place, 3, LAYER, is_single ? (void *)singles : model, read);
    for (int i = 0; i < 3 * LAYER; i++) {
        assert_true(read[i] == 100 + (double)(at[i % 3] + i / 3 * next_layer));
        written[i] = -read[i];
    }
    h3ou__place_write(&place, 3, LAYER, written, some, 2, false, is_single ? (void *)singles : model);
    for (int i = 0; i < SIZE; i++) {
        bool set = false;
        for (int k = 0; k < LAYER; k++)
            set = set || i == at[0] + k * next_layer || i == at[2] + k * next_layer;
        assert_true((is_single ? (double)singles[i] : model[i]) == (set ? -100 - i : 100 + i));
    }
}

static void positions_are_read_and_written(void **state)
{
    (void)state;
    static const int64_t middle[] = {4 * LAYER + 1, 3, 0}, last[] = {5, 3, 0};
    for (int single = 0; single < 2; single++) {
        h3ou__grid g = scattered_grid(false);
        moved(&g, single, (h3ou__arrays){.rank = 3, .extent = {4, LAYER, 2}}, middle, 4);
        moved(&g, single, (h3ou__arrays){.rank = 2, .extent = {8, LAYER, 1}}, last, 8);
        h3ou__positions_free(&g.positions);
        g = scattered_grid(true);
        moved(&g, single, (h3ou__arrays){.rank = 3, .extent = {4, 2, LAYER}}, last, 8);
        h3ou__positions_free(&g.positions);
    }
}

static void a_signalling_nan_raises_nothing(void **state)
{
    (void)state;
    h3ou__grid g = {.name = "g", .n = 2};
    h3ou__arrays a = {.is_single = true, .rank = 1, .extent = {2, 1, 1}};
    h3ou__place place;
    uint32_t bits[2] = {0x7f800001u, 0xff800000u}; /* a signalling NaN, minus infinity */
    float model[2];
    double read[2];
    memcpy(model, bits, sizeof model);
    assert_true(h3ou__place_find(&g, &a, 1, &place));
    feclearexcept(FE_ALL_EXCEPT);
    h3ou__place_read(&place, 2, 1, model, read);
    assert_int_equal(fetestexcept(FE_INVALID | FE_OVERFLOW | FE_DIVBYZERO), 0);
    assert_true(isnan(read[0]) && read[1] == -INFINITY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes_that_hold_the_cells_fit), cmocka_unit_test(slices_fit),      cmocka_unit_test(other_shapes_do_not),
        cmocka_unit_test(layers_decide_between_cells_and_x_y), cmocka_unit_test(what_does_not_fit_is_told),
        cmocka_unit_test(rows_are_found_by_their_indices),     cmocka_unit_test(halos_are_left_out),
        cmocka_unit_test(positions_fit_their_shape),           cmocka_unit_test(positions_are_read_and_written),
        cmocka_unit_test(a_signalling_nan_raises_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

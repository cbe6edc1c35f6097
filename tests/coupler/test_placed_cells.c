/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists of cells become lists of the elements where these stand in the arrays of a model. */
#include "coupler/array/placed_cells.h"

#include "units.h"

enum { NX = 100, NY = 3, N = NX * NY, WIDTH = NX + 2, HEIGHT = NY + 2, LAYER = 4 };

/* NX x NY cells, with a halo of one cell. */
static h3ou__grid block_grid(void)
{
    h3ou__grid g = {.name = "g", .n = N};
    static const int halo[4] = {1, 1, 1, 1};
    assert_int_equal(h3ou__block_set(&g.local, "g", N, NX, NY), H3OU__OK);
    assert_int_equal(h3ou__block_set_halo(&g.local, "g", halo), H3OU__OK);
    assert_int_equal(h3ou__block_complete(&g.local, "g", NULL, N, 0), H3OU__OK);
    return g;
}

static h3ou__place place_of_block(const h3ou__grid *g)
{
    h3ou__place place;
    h3ou__arrays a = {.rank = 3, .extent = {WIDTH, HEIGHT, LAYER}};
    assert_true(h3ou__place_find(g, &a, LAYER, &place));
    assert_int_equal(place.next_layer, WIDTH * HEIGHT);
    return place;
}

static int64_t element(int64_t cell)
{
    return (cell / NX + 1) * WIDTH + 1 + cell % NX;
}

static void cells_of_messages_are_placed(void **state)
{
    int32_t first[] = {7, 8, 9}, second[] = {NX - 1, NX, 0};
    h3ou__picked list[] = {h3ou__picked_of(first, 3), h3ou__picked_of(second, 3), h3ou__picked_of(first, 0)};
    h3ou__grid g = block_grid();
    h3ou__place place = place_of_block(&g), dense = {.row = N, .next_row = N, .next_layer = N};
    h3ou__placed_cells placed = {0};
    (void)state;
    const h3ou__picked *found = h3ou__placed_cells_find(&placed, &place, 3, list);
    assert_non_null(found);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(found[0].at[i], element(first[i]));
        assert_int_equal(found[1].at[i], element(second[i]));
    }
    assert_true(found[0].is_run && !found[1].is_run && !found[1].ascends && found[2].count == 0);
    assert_ptr_equal(h3ou__placed_cells_find(&placed, &place, 3, list), found);
    found = h3ou__placed_cells_find(&placed, &dense, 3, list); /* another shape */
    assert_non_null(found);
    for (int i = 0; i < 3; i++)
        assert_int_equal(found[1].at[i], second[i]);
    h3ou__placed_cells_free(&placed);
}

/* An array may have more elements than the numbers of lists count. */
static void elements_that_do_not_fit_are_refused(void **state)
{
    int32_t cell[] = {0, 1};
    h3ou__picked list[] = {h3ou__picked_of(cell, 2)};
    h3ou__place place = {.row = 1, .next_row = INT32_MAX};
    h3ou__placed_cells placed = {0};
    (void)state;
    assert_non_null(h3ou__placed_cells_find(&placed, &place, 1, list));
    place.first = 1;
    assert_null(h3ou__placed_cells_find(&placed, &place, 1, list));
    h3ou__placed_cells_free(&placed);
}

static void rows_are_placed_with_their_runs(void **state)
{
    enum { ROWS = N - 2 };
    int64_t cell[ROWS];
    h3ou__grid g = block_grid();
    h3ou__place place = place_of_block(&g);
    h3ou__placed_rows placed = {0};
    (void)state;
    for (int64_t i = 0; i < ROWS; i++)
        cell[i] = i < 150 ? i : i + 2; /* cells 150 and 151 have no row */
    assert_true(h3ou__placed_rows_find(&placed, &place, 1, ROWS, cell));
    for (int64_t i = 0; i < ROWS; i++)
        assert_int_equal(placed.at[i], element(cell[i]));
    assert_int_equal(placed.nrun, 4);
    static const int64_t runs[] = {0, NX, 150, 2 * NX - 2};
    assert_memory_equal(placed.run, runs, sizeof runs);
    const int64_t *before = placed.at;
    assert_true(h3ou__placed_rows_find(&placed, &place, 1, ROWS, cell));
    assert_ptr_equal(placed.at, before);
    h3ou__placed_rows_free(&placed);
}

static void short_runs_are_not_listed(void **state)
{
    int64_t cell[N / 2];
    h3ou__grid g = block_grid();
    h3ou__place place = place_of_block(&g);
    h3ou__placed_rows placed = {0};
    (void)state;
    for (int64_t i = 0; i < N / 2; i++)
        cell[i] = 2 * i;
    assert_true(h3ou__placed_rows_find(&placed, &place, 1, N / 2, cell));
    assert_null(placed.run);
    assert_int_equal(placed.nrun, 0);
    assert_int_equal(placed.at[N / 2 - 1], element(N - 2));
    h3ou__placed_rows_free(&placed);
}

/* Three cells of which the last one stands between the others. */
static void elements_that_do_not_ascend_are_refused(void **state)
{
    static const int64_t index[] = {1, 2, 3}, cell[] = {0, 1, 2};
    static const int shape[] = {9}, position[] = {4, 6, 5};
    h3ou__grid g = {.name = "g", .n = 3};
    h3ou__arrays a = {.rank = 1, .extent = {9}};
    h3ou__place place;
    h3ou__placed_rows placed = {0};
    (void)state;
    assert_int_equal(h3ou__positions_set(&g.positions, "g", 3, index, 1, shape, position), H3OU__OK);
    assert_true(h3ou__place_find(&g, &a, 1, &place));
    for (int k = 0; k < 2; k++)
        assert_false(h3ou__placed_rows_find(&placed, &place, 1, 3, cell));
    h3ou__placed_rows_free(&placed);
    assert_true(h3ou__placed_rows_find(&placed, &place, 1, 2, cell));
    assert_int_equal(placed.at[1], 6);
    h3ou__placed_rows_free(&placed);
    h3ou__positions_free(&g.positions);
}

/* The layers of a cell stand together: columns are numbered. */
static void columns_are_placed(void **state)
{
    static const int64_t index[] = {1, 2, 3}, cell[] = {0, 2};
    static const int shape[] = {H3OU__LAYERS_HERE, 9}, position[] = {4, 5, 8};
    h3ou__grid g = {.name = "g", .n = 3};
    h3ou__arrays a = {.rank = 2, .extent = {LAYER, 9}}, flat = {.rank = 2, .extent = {9, LAYER}};
    h3ou__place place;
    h3ou__placed_rows placed = {0};
    (void)state;
    assert_int_equal(h3ou__positions_set(&g.positions, "g", 3, index, 2, shape, position), H3OU__OK);
    assert_true(h3ou__place_find(&g, &flat, LAYER, &place));
    assert_false(h3ou__place_has_columns(&place));
    assert_true(h3ou__place_find(&g, &a, LAYER, &place));
    assert_true(h3ou__place_has_columns(&place));
    assert_true(h3ou__placed_rows_find(&placed, &place, LAYER, 2, cell));
    assert_int_equal(placed.at[1], 8);
    assert_true(h3ou__placed_rows_find(&placed, &place, 1, 2, cell));
    assert_int_equal(placed.at[1], 8 * LAYER);
    h3ou__placed_rows_free(&placed);
    h3ou__positions_free(&g.positions);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells_of_messages_are_placed),
        cmocka_unit_test(elements_that_do_not_fit_are_refused),
        cmocka_unit_test(rows_are_placed_with_their_runs),
        cmocka_unit_test(short_runs_are_not_listed),
        cmocka_unit_test(elements_that_do_not_ascend_are_refused),
        cmocka_unit_test(columns_are_placed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

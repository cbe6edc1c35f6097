/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/grid/local_block.h"

#include "units.h"

static void sizes_are_given_once_and_fit(void **state)
{
    (void)state;
    h3ou__block b = {0};
    assert_int_equal(h3ou__block_set(&b, "g", 11, 3, 4), H3OU__EARG);
    says("3 x 4 cells does not fit the 11 cells");
    assert_int_equal(h3ou__block_set(&b, "g", 12, -3, -4), H3OU__EARG);
    assert_false(b.is_known);
    assert_int_equal(h3ou__block_set(&b, "g", 12, 3, 4), H3OU__OK);
    assert_int_equal(h3ou__block_set(&b, "g", 12, 3, 4), H3OU__ESTATE);
    assert_int_equal(h3ou__block_width(&b), 3);
    assert_int_equal(h3ou__block_height(&b), 4);
}

static void the_halo_widens_the_array(void **state)
{
    (void)state;
    h3ou__block b = {0};
    assert_int_equal(h3ou__block_set(&b, "g", 12, 3, 4), H3OU__OK);
    assert_int_equal(h3ou__block_set_halo(&b, "g", (const int[]){1, 2, -1, 4}), H3OU__EARG);
    says("a halo of width -1");
    assert_int_equal(h3ou__block_set_halo(&b, "g", (const int[]){1, 2, 3, 5}), H3OU__OK);
    assert_int_equal(h3ou__block_set_halo(&b, "g", (const int[]){1, 2, 3, 5}), H3OU__ESTATE);
    assert_int_equal(h3ou__block_width(&b), 6);
    assert_int_equal(h3ou__block_height(&b), 12);
}

/* Of a grid of 10 columns: the block of columns 3 to 5 and rows 2 to 3. */
static void rows_are_found_from_indices(void **state)
{
    (void)state;
    const int64_t rows[6] = {13, 14, 15, 23, 24, 25}, shifted[6] = {13, 14, 15, 24, 25, 26},
                  ragged[5] = {13, 14, 15, 23, 24};
    h3ou__block b = {0};
    assert_int_equal(h3ou__block_complete(&b, "g", rows, 6, 10), H3OU__OK);
    assert_true(b.is_known && b.nx == 3 && b.ny == 2);
    b = (h3ou__block){0};
    assert_int_equal(h3ou__block_complete(&b, "g", shifted, 6, 10), H3OU__OK);
    assert_false(b.is_known);
    assert_int_equal(h3ou__block_complete(&b, "g", ragged, 5, 10), H3OU__OK);
    assert_false(b.is_known);
    assert_int_equal(h3ou__block_complete(&b, "g", rows, 0, 10), H3OU__OK);
    assert_true(b.is_known && b.nx == 0 && b.ny == 0);
}

static void a_halo_needs_a_block(void **state)
{
    (void)state;
    const int64_t index[2] = {1, 12};
    h3ou__block b = {0};
    assert_int_equal(h3ou__block_set_halo(&b, "g", (const int[]){1, 1, 1, 1}), H3OU__OK);
    assert_int_equal(h3ou__block_complete(&b, "g", index, 2, 0), H3OU__EARG);
    says("there is no grid_shape");
    assert_int_equal(h3ou__block_complete(&b, "g", index, 2, 10), H3OU__EARG);
    says("no rows of grid_shape");
    assert_int_equal(h3ou__block_set(&b, "g", 2, 2, 1), H3OU__OK);
    assert_int_equal(h3ou__block_complete(&b, "g", index, 2, 0), H3OU__OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_are_given_once_and_fit),
        cmocka_unit_test(the_halo_widens_the_array),
        cmocka_unit_test(rows_are_found_from_indices),
        cmocka_unit_test(a_halo_needs_a_block),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "coupler/weights/made_rows.h"

#include <math.h>

#include "units.h"

/* Sources 11, 14, 17, 20 of processes 2, 0, 2, 1; links of target cells 3, 1, 3 again (as creep appends them). */
static h3ou__made_rows *make_rows(void)
{
    const int64_t id[4] = {10, 13, 16, 19}, owner[4] = {2, 0, 2, 1};
    h3ou__made_rows *r = NULL;
    assert_int_equal(h3ou__made_rows_create(4, id, owner, &r), H3OU__OK);
    assert_int_equal(h3ou__made_rows_reserve(r, 3), H3OU__OK);
    h3ou__made_rows_append(r, 3, 3, 0.5);
    h3ou__made_rows_append(r, 3, 0, 0.25);
    h3ou__made_rows_append(r, 1, 2, 1.0);
    return r;
}

static void check_source(const h3ou__made_rows *r, int64_t at, int64_t index, int64_t owner)
{
    assert_true(at < r->nsource && r->source[at] == index && r->owner[at] == owner);
}

static void only_used_sources_stay_with_their_owners(void **state)
{
    (void)state;
    h3ou__made_rows *r = make_rows();
    assert_int_equal(h3ou__made_rows_compact(r), H3OU__OK);
    assert_int_equal(r->nsource, 3);
    check_source(r, 0, 11, 2);
    check_source(r, 1, 17, 2);
    check_source(r, 2, 20, 1);
    assert_true(r->col[0] == 2 && r->col[1] == 0 && r->col[2] == 1);
    assert_int_equal(h3ou__made_rows_compact(r), H3OU__OK);
    assert_int_equal(r->nsource, 3);
    h3ou__made_rows_free(r);
}

/* Sources that another process found come last, and may be known here already. */
static void sources_of_other_processes_fall_in_line(void **state)
{
    (void)state;
    const int64_t index[4] = {18, 11, 5, 18}, owner[4] = {3, 2, 1, 3};
    h3ou__made_rows *r = make_rows();
    assert_int_equal(h3ou__made_rows_reserve(r, 4), H3OU__OK);
    for (int k = 0; k < 4; k++) {
        assert_int_equal(h3ou__made_rows_add_source(r, index[k], owner[k]), H3OU__OK);
        h3ou__made_rows_append(r, 0, r->nsource - 1, k);
    }
    assert_int_equal(h3ou__made_rows_compact(r), H3OU__OK);
    assert_int_equal(r->nsource, 5);
    check_source(r, 0, 5, 1);
    check_source(r, 1, 11, 2);
    check_source(r, 2, 17, 2);
    check_source(r, 3, 18, 3);
    check_source(r, 4, 20, 1);
    const int32_t col[7] = {4, 1, 2, 3, 1, 0, 3};
    assert_memory_equal(r->col, col, sizeof col);
    h3ou__made_rows_free(r);
}

static void free_arrays(h3ou__sparse *s)
{
    free(s->row);
    free(s->start);
    free(s->col);
    free(s->coef);
}

static void rows_ascend_and_keep_the_order_of_summation(void **state)
{
    (void)state;
    h3ou__made_rows *r = make_rows();
    h3ou__sparse s = {0};
    assert_int_equal(h3ou__made_rows_to_sparse(r, 5, &s), H3OU__OK);
    assert_int_equal(s.nrow, 2);
    assert_true(s.row[0] == 1 && s.row[1] == 3);
    assert_true(s.start[0] == 0 && s.start[1] == 1 && s.start[2] == 3);
    assert_true(s.col[0] == 2 && s.col[1] == 3 && s.col[2] == 0);
    assert_true(s.coef[0] == 1.0 && s.coef[1] == 0.5 && s.coef[2] == 0.25);
    free_arrays(&s);
    h3ou__made_rows_free(r);
}

static void a_coefficient_is_finite(void **state)
{
    (void)state;
    h3ou__made_rows *r = make_rows();
    h3ou__sparse s = {0};
    r->coef[2] = NAN;
    assert_int_equal(h3ou__made_rows_to_sparse(r, 5, &s), H3OU__EARG);
    says("the coefficient of source cell 17 is not a finite number");
    free_arrays(&s);
    h3ou__made_rows_free(r);
}

static void links_for_the_cache_are_global_and_in_order(void **state)
{
    (void)state;
    const int64_t index[4] = {101, 102, 103, 104};
    h3ou__cache_rows links = {0};
    h3ou__made_rows *r = make_rows();
    assert_int_equal(h3ou__made_rows_to_links(r, index, &links), H3OU__OK);
    assert_int_equal(h3ou__made_rows_to_links(r, index, &links), H3OU__OK);
    const int send[6] = {20, 11, 17, 20, 11, 17}, recv[6] = {104, 104, 102, 104, 104, 102};
    assert_int_equal(links.n, 6);
    assert_memory_equal(links.send, send, sizeof send);
    assert_memory_equal(links.recv, recv, sizeof recv);
    assert_true(links.coef[3] == 0.5 && links.coef[4] == 0.25 && links.coef[5] == 1.0);
    free(links.send);
    free(links.recv);
    free(links.coef);
    h3ou__made_rows_free(r);
}

static void a_process_may_have_neither_sources_nor_cells(void **state)
{
    (void)state;
    h3ou__made_rows *r = NULL;
    h3ou__sparse s = {0};
    h3ou__cache_rows links = {0};
    assert_int_equal(h3ou__made_rows_create(0, NULL, NULL, &r), H3OU__OK);
    assert_int_equal(h3ou__made_rows_reserve(r, 0), H3OU__OK);
    assert_int_equal(h3ou__made_rows_compact(r), H3OU__OK);
    assert_int_equal(h3ou__made_rows_to_sparse(r, 0, &s), H3OU__OK);
    assert_int_equal(h3ou__made_rows_to_links(r, NULL, &links), H3OU__OK);
    assert_true(r->nsource == 0 && s.nrow == 0 && s.start[0] == 0 && links.n == 0);
    free_arrays(&s);
    free(links.send);
    free(links.recv);
    free(links.coef);
    h3ou__made_rows_free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_used_sources_stay_with_their_owners),
        cmocka_unit_test(sources_of_other_processes_fall_in_line),
        cmocka_unit_test(rows_ascend_and_keep_the_order_of_summation),
        cmocka_unit_test(a_coefficient_is_finite),
        cmocka_unit_test(links_for_the_cache_are_global_and_in_order),
        cmocka_unit_test(a_process_may_have_neither_sources_nor_cells),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* The directory of a grid whose cells three processes hold, and what processes ask it. */
#include <math.h>
#include <stdio.h>

#include "coupler/grid/grid.h"
#include "coupler/weights/grid_range.h"
#include "coupler/weights/mark_served.h"
#include "thread_world.h"
#include "units.h"

enum { PROCESSES = 3, CELLS = 10, MOST = CELLS + 1 };

/* Process r holds the cells r + 1, r + 4 ..., the highest first. */
static int64_t cells_of(int rank, int index[])
{
    int64_t n = 0;
    for (int i = CELLS; i > 0; i--)
        if ((i - 1) % PROCESSES == rank)
            index[n++] = i;
    return n;
}

typedef struct found {
    int keeper[CELLS + 2];
    int64_t nentry, entry[3 * MOST], missing;
    unsigned char served[PROCESSES][MOST];
    h3ou__grid_range range;
} found;

static int register_cells(thread_process *me)
{
    found *f = (found *)me->user + me->rank;
    h3ou__grid *g = NULL;
    int index[MOST];
    int64_t n = cells_of(me->rank, index);
    int err = h3ou__grid_create("ocean", index, n, 1, &g);
    if (!err)
        err = h3ou__grid_register(g, me->local);
    for (int i = 0; i < CELLS + 2 && !err; i++)
        f->keeper[i] = h3ou__grid_keeper(g, i);
    for (int64_t i = 1; i <= CELLS && !err; i++) {
        int owner;
        int64_t place;
        if (h3ou__grid_owner(g, i, &owner, &place))
            memcpy(f->entry + 3 * f->nentry++, (int64_t[]){i, owner, place}, 3 * sizeof *f->entry);
    }
    int owner;
    int64_t place;
    f->missing = !err && !h3ou__grid_owner(g, CELLS + 5, &owner, &place) && !h3ou__grid_owner(g, 0, &owner, &place);
    h3ou__grid_free(g);
    return err;
}

static void each_block_of_indices_has_a_keeper(void **state)
{
    static const int keeper[CELLS + 2] = {-1, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, -1};
    thread_process p[PROCESSES];
    found f[PROCESSES] = {0};
    int64_t at = 1;
    (void)state;
    run_threads(PROCESSES, 0, register_cells, f, p);
    for (int r = 0; r < PROCESSES; r++) {
        int64_t place[PROCESSES] = {3, 2, 2}; /* of the lowest cell of each process */
        assert_int_equal(p[r].err, H3OU__OK);
        assert_memory_equal(f[r].keeper, keeper, sizeof keeper);
        assert_true(f[r].missing);
        for (int64_t k = 0; k < f[r].nentry; k++, at++) {
            int64_t owner = (at - 1) % PROCESSES;
            assert_int_equal(f[r].entry[3 * k], at);
            assert_int_equal(f[r].entry[3 * k + 1], owner);
            assert_int_equal(f[r].entry[3 * k + 2], place[owner] - (at - 1) / PROCESSES);
        }
    }
    assert_int_equal(at, CELLS + 1);
}

static int register_one_cell_each(thread_process *me)
{
    const int index = me->rank == 1 ? 3 : 5; /* processes 0 and 2 both have cell 5 */
    h3ou__grid *g = NULL;
    int err = h3ou__grid_create("ocean", &index, 1, 1, &g);
    if (!err)
        err = h3ou__grid_register(g, me->local);
    h3ou__grid_free(g);
    return err;
}

static void a_cell_of_two_processes_is_an_error(void **state)
{
    thread_process p[PROCESSES];
    int failed = 0;
    (void)state;
    run_threads(PROCESSES, 0, register_one_cell_each, NULL, p);
    for (int r = 0; r < PROCESSES; r++)
        if (p[r].err) {
            failed++;
            assert_int_equal(p[r].err, H3OU__EINDEX);
            assert_non_null(strstr(p[r].said, "grid ocean: index 5 is given twice, by ranks 0 and 2"));
        }
    assert_int_equal(failed, 1);
}

static void wrong_indices_are_refused(void **state)
{
    static const int twice[] = {4, 2, 4}, low[] = {1, 0};
    h3ou__grid *g = NULL;
    (void)state;
    assert_int_equal(h3ou__grid_create("ocean", twice, 3, 1, &g), H3OU__EINDEX);
    says("index 4 is given twice by this process");
    assert_int_equal(h3ou__grid_create("ocean", low, 2, 1, &g), H3OU__EINDEX);
    says("index 0 of cell 2");
    assert_null(g);
}

static int mark_cells(thread_process *me)
{
    found *f = (found *)me->user + me->rank;
    static const int recv[PROCESSES][4] = {{1, 1, 2, 10}, {5, 4}, {0}};
    static const int64_t nrecv[PROCESSES] = {4, 2, 0};
    h3ou__grid *g = NULL;
    int index[MOST];
    int64_t n = cells_of(me->rank, index);
    int err = h3ou__grid_create("ocean", index, n, 1, &g);
    if (!err)
        err = h3ou__grid_register(g, me->local);
    if (!err)
        err = h3ou__mark_served(g, me->local, nrecv[me->rank], recv[me->rank], f->served[0]);
    h3ou__grid_free(g);
    return err;
}

static void owners_learn_which_cells_others_name(void **state)
{
    thread_process p[PROCESSES];
    found f[PROCESSES] = {0};
    (void)state;
    run_threads(PROCESSES, 0, mark_cells, f, p);
    for (int r = 0; r < PROCESSES; r++) {
        int index[MOST];
        int64_t n = cells_of(r, index);
        assert_int_equal(p[r].err, H3OU__OK);
        for (int64_t k = 0; k < n; k++) {
            int i = index[k];
            assert_int_equal(f[r].served[0][k], i == 1 || i == 2 || i == 4 || i == 5 || i == 10);
        }
    }
}

static int mark_cell_of_nobody(thread_process *me)
{
    static const int index[] = {1, 4};
    const int *recv = me->user;
    unsigned char served[2] = {0};
    h3ou__grid *g = NULL;
    int err = h3ou__grid_create("ocean", index, 2, 1, &g);
    if (!err)
        err = h3ou__grid_register(g, me->local);
    if (!err)
        err = h3ou__mark_served(g, me->local, 1, recv, served);
    h3ou__grid_free(g);
    return err;
}

static void a_cell_that_nobody_holds_is_named(void **state)
{
    static const int nobody[] = {2, 5, -1};
    (void)state;
    for (size_t i = 0; i < sizeof nobody / sizeof *nobody; i++) {
        thread_process p;
        char said[64];
        snprintf(said, sizeof said, "target cell %d, which grid ocean does not have", nobody[i]);
        run_threads(1, 0, mark_cell_of_nobody, (void *)&nobody[i], &p);
        assert_int_equal(p.err, H3OU__EINDEX);
        assert_non_null(strstr(p.said, said));
    }
}

/* Process 1 has no cells, and the others have centres at two places each. */
static int find_range(thread_process *me)
{
    found *f = (found *)me->user + me->rank;
    static const double lon[PROCESSES][2] = {{350.0, 10.0}, {0}, {-20.0, 40.0}},
                        lat[PROCESSES][2] = {{-5.0, 5.0}, {0}, {80.0, 0.0}};
    const int index[2] = {2 * me->rank + 1, 2 * me->rank + 2};
    int64_t n = me->rank == 1 ? 0 : 2;
    h3ou__grid *g = NULL;
    int err = h3ou__grid_create("ocean", index, n, 1, &g);
    if (!err)
        err = h3ou__geometry_centres(&g->geometry, "ocean", n, g->index, lon[me->rank], lat[me->rank], "degrees");
    if (!err)
        err = h3ou__grid_range_find(g, me->local, &f->range);
    h3ou__grid_free(g);
    return err;
}

static void the_range_is_that_of_all_processes(void **state)
{
    thread_process p[PROCESSES];
    found f[PROCESSES] = {0};
    char text[128];
    (void)state;
    run_threads(PROCESSES, 0, find_range, f, p);
    for (int r = 0; r < PROCESSES; r++) {
        assert_int_equal(p[r].err, H3OU__OK);
        assert_string_equal(h3ou__grid_range_text(&f[r].range, text, sizeof text), "-20 to 350 E, -5 to 80 N");
        assert_false(h3ou__grid_range_like_radians(&f[r].range));
    }
    const h3ou__grid_range small = {-3.1, 3.1, -1.5, 1.5}, none = {1, -1, 1, -1}, high = {-3.1, 3.1, -1.5, 1.6};
    assert_true(h3ou__grid_range_like_radians(&small));
    assert_false(h3ou__grid_range_like_radians(&high));
    assert_false(h3ou__grid_range_like_radians(&none));
    assert_true(h3ou__grid_range_has_cells(&small) && !h3ou__grid_range_has_cells(&none));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_block_of_indices_has_a_keeper), cmocka_unit_test(a_cell_of_two_processes_is_an_error),
        cmocka_unit_test(wrong_indices_are_refused),          cmocka_unit_test(owners_learn_which_cells_others_name),
        cmocka_unit_test(a_cell_that_nobody_holds_is_named),  cmocka_unit_test(the_range_is_that_of_all_processes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Items that the first process of a component sends to the owners of cells. */
#include "coupler/grid/deal_to_owners.h"
#include "thread_world.h"
#include "units.h"

enum { PROCESSES = 4, HOLDERS = 3, CELLS = 12, WIDTH = 2, ITEMS = 50, AT_ONCE = 7, STRANGE = 5, STRANGE_ITEM = 7 };

/* Cell i is held by process i % HOLDERS, the highest first; the last process holds none, nor does anybody STRANGE. */
static int64_t cells_of(int rank, int index[])
{
    int64_t n = 0;
    for (int i = CELLS; i > 0; i--)
        if (i % HOLDERS == rank && i != STRANGE)
            index[n++] = i;
    return n;
}

/* The cell of the item of a number. */
static int64_t cell_of(int64_t number)
{
    int64_t cell = number * 7 % CELLS + 1;
    return cell == STRANGE ? 1 : cell;
}

typedef struct found {
    bool asks_strange; /* in */
    bool suits_many, suits_one;
    int64_t n, item[WIDTH * ITEMS];
    int index[CELLS];
} found;

static int no_owner(const h3ou__grid *g, const int64_t item[])
{
    return h3ou__fail(H3OU__EINDEX, "nobody holds cell %d of %s, item %d", (int)item[0], g->name, (int)item[1]);
}

static void keep(found *f, int64_t n, const int64_t item[])
{
    if (n > 0)
        memcpy(f->item + WIDTH * f->n, item, sizeof *item * (size_t)(WIDTH * n));
    f->n += n;
}

static int pass_all(h3ou__dealer *d, found *f)
{
    int err = H3OU__OK;
    for (int64_t at = 0; at < ITEMS && !err; at += AT_ONCE) {
        int64_t item[WIDTH * AT_ONCE], n = ITEMS - at < AT_ONCE ? ITEMS - at : AT_ONCE, nmine = 0;
        const int64_t *mine = NULL;
        for (int64_t i = 0; i < n; i++) {
            item[WIDTH * i] = f->asks_strange && at + i == STRANGE_ITEM ? STRANGE : cell_of(at + i);
            item[WIDTH * i + 1] = at + i;
        }
        err = h3ou__dealer_pass(d, n, item, no_owner, &mine, &nmine);
        keep(f, err ? 0 : nmine, mine);
    }
    int ended = h3ou__dealer_end(d);
    return err ? err : ended;
}

static int take_all(h3ou__dealer *d, found *f)
{
    const int64_t *item = NULL;
    int64_t n = 1;
    int err = H3OU__OK;
    while (n > 0 && !err) {
        err = h3ou__dealer_take(d, &item, &n);
        keep(f, err ? 0 : n, item);
    }
    return err;
}

static int deal(thread_process *me)
{
    found *f = (found *)me->user + me->rank;
    h3ou__grid *g = NULL;
    h3ou__dealer *d = NULL;
    int64_t n = cells_of(me->rank, f->index);
    int err = h3ou__grid_create("ocean", f->index, n, 1, &g);
    if (!err)
        err = h3ou__grid_register(g, me->local);
    if (!err)
        err = h3ou__dealer_suits(g, me->local, ITEMS, &f->suits_many);
    if (!err)
        err = h3ou__dealer_suits(g, me->local, 1, &f->suits_one);
    if (!err)
        err = h3ou__dealer_open(g, me->local, WIDTH, AT_ONCE, &d);
    if (!err)
        err = me->rank == 0 ? pass_all(d, f) : take_all(d, f);
    h3ou__dealer_close(d);
    h3ou__grid_free(g);
    return err;
}

static void owners_get_items_in_their_order(void **state)
{
    static found f[PROCESSES];
    thread_process p[PROCESSES];
    int64_t seen[PROCESSES] = {0};
    (void)state;
    run_threads(PROCESSES, 0, deal, f, p);
    for (int r = 0; r < PROCESSES; r++)
        assert_int_equal(p[r].err, H3OU__OK);
    for (int64_t i = 0; i < ITEMS; i++) {
        found *of = &f[cell_of(i) % HOLDERS];
        const int64_t *item = of->item + WIDTH * seen[cell_of(i) % HOLDERS]++;
        assert_int_equal(of->index[item[0]], cell_of(i));
        assert_int_equal(item[1], i);
    }
    for (int r = 0; r < PROCESSES; r++) {
        assert_int_equal(f[r].n, seen[r]);
        assert_true(f[r].suits_many && !f[r].suits_one);
    }
}

static void a_cell_that_nobody_holds_is_an_error(void **state)
{
    static found f[PROCESSES] = {{.asks_strange = true}};
    thread_process p[PROCESSES];
    (void)state;
    run_threads(PROCESSES, 0, deal, f, p);
    assert_int_equal(p[0].err, H3OU__EINDEX);
    assert_non_null(strstr(p[0].said, "nobody holds cell 5 of ocean, item 7"));
    for (int r = 1; r < PROCESSES; r++)
        assert_int_equal(p[r].err, H3OU__OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(owners_get_items_in_their_order),
        cmocka_unit_test(a_cell_that_nobody_holds_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

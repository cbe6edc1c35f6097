/* SPDX-License-Identifier: BSD-3-Clause */
/* Schedules are data: a simulator of members that do not exist plays them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "coll/schedule.h"

enum { MOST = 70 };

/* Plays all members until nobody can go on; a send waits for its receive. Answers the steps left. */
static int play(h3ou__schedule s[], int size, long value[])
{
    int at[MOST] = {0}, left = 0;
    for (bool moved = true; moved;) {
        moved = false;
        for (int me = 0; me < size; me++) {
            if (at[me] == s[me].n || s[me].step[at[me]].kind != H3OU__STEP_SEND)
                continue;
            int peer = s[me].step[at[me]].peer;
            assert_in_range(peer, 0, size - 1);
            if (at[peer] == s[peer].n || s[peer].step[at[peer]].kind == H3OU__STEP_SEND ||
                s[peer].step[at[peer]].peer != me)
                continue;
            value[peer] = s[peer].step[at[peer]].kind == H3OU__STEP_RECV ? value[me] : value[peer] * 3 + value[me];
            at[me]++;
            at[peer]++;
            moved = true;
        }
    }
    for (int me = 0; me < size; me++)
        left += s[me].n - at[me];
    return left;
}

static void run(h3ou__algorithm *algorithm, int size, int root, long value[])
{
    h3ou__schedule s[MOST] = {0};
    for (int me = 0; me < size; me++)
        assert_int_equal(algorithm(size, me, root, &s[me]), 0);
    assert_int_equal(play(s, size, value), 0);
    for (int me = 0; me < size; me++)
        h3ou__schedule_free(&s[me]);
}

static void broadcast_reaches_everybody(void **state)
{
    (void)state;
    for (int size = 1; size <= MOST; size++)
        for (int root = 0; root < size; root++) {
            long value[MOST] = {0};
            value[root] = 42;
            run(h3ou__bcast_binomial, size, root, value);
            for (int me = 0; me < size; me++)
                assert_int_equal(value[me], 42);
        }
}

static void reduction_combines_in_ascending_order(void **state)
{
    (void)state;
    for (int size = 1; size <= 9; size++)
        for (int root = 0; root < size; root++) {
            long value[MOST], expected = root + 1;
            for (int me = 0; me < size; me++)
                value[me] = me + 1;
            for (int me = 0; me < size; me++)
                expected = me == root ? expected : expected * 3 + me + 1;
            run(h3ou__reduce_linear, size, root, value);
            assert_int_equal(value[root], expected);
        }
}

/* Each member but the root sends once, after it has combined all that it combines, and every send is taken: so all are in
 * the result, each once. */
static void reduction_by_a_tree_combines_each_once(void **state)
{
    (void)state;
    for (int size = 1; size <= MOST; size++)
        for (int root = 0; root < size; root++) {
            long value[MOST] = {0};
            run(h3ou__reduce_binomial, size, root, value);
            for (int me = 0; me < size; me++) {
                h3ou__schedule s = {0};
                assert_int_equal(h3ou__reduce_binomial(size, me, root, &s), 0);
                for (int i = 0; i < s.n; i++)
                    assert_int_equal(s.step[i].kind,
                                     me != root && i == s.n - 1 ? H3OU__STEP_SEND : H3OU__STEP_REDUCE);
                assert_true(me == root || s.n > 0);
                h3ou__schedule_free(&s);
            }
        }
}

static void every_collective_has_an_algorithm(void **state)
{
    (void)state;
    const char *name;
    assert_true(h3ou__coll_select(H3OU__COLL_BCAST, 1 << 20, &name) == h3ou__bcast_binomial);
    assert_string_equal(name, "binomial");
    assert_true(h3ou__coll_select(H3OU__COLL_REDUCE, 8, &name) == h3ou__reduce_linear);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(broadcast_reaches_everybody),
        cmocka_unit_test(reduction_combines_in_ascending_order),
        cmocka_unit_test(reduction_by_a_tree_combines_each_once),
        cmocka_unit_test(every_collective_has_an_algorithm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

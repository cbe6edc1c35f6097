/* SPDX-License-Identifier: BSD-3-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "coupler/search/number_pairs.h"

static int by_both(const void *a, const void *b)
{
    const int64_t *x = a, *y = b;
    int k = x[0] == y[0];
    return (x[k] > y[k]) - (x[k] < y[k]);
}

/* Beside qsort: with repetitions, of small and of large numbers, sorted already, by one of both only, or empty. */
static void pairs_are_sorted_each_once(void **state)
{
    (void)state;
    enum { MOST = 3000 };
    static int64_t expected[2 * MOST];
    static const int64_t range[][2] = {{3, 5}, {1, 4000}, {5000, 1}, {INT64_C(1) << 33, 9}, {7, INT64_C(1) << 40}};
    uint64_t seed = 5;
    for (int k = 0; k < 5; k++)
        for (int64_t n = 0; n <= MOST; n += n < 4 ? 1 : n) {
            h3ou__pairs p = {0};
            int64_t count = 0;
            for (int64_t i = 0; i < n; i++) {
                for (int which = 0; which < 2; which++) {
                    seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
                    expected[2 * i + which] = (int64_t)(seed >> 20) % range[k][which];
                }
                assert_int_equal(h3ou__pairs_add(&p, expected[2 * i], expected[2 * i + 1]), 0);
            }
            qsort(expected, (size_t)n, 2 * sizeof *expected, by_both);
            for (int turn = 0; turn < 2; turn++) /* the second one finds them sorted */
                assert_int_equal(h3ou__pairs_sort(&p), 0);
            for (int64_t i = 0; i < n; i++) {
                if (i > 0 && by_both(expected + 2 * i, expected + 2 * i - 2) == 0)
                    continue;
                assert_true(count < p.n && by_both(expected + 2 * i, p.item + 2 * count) == 0);
                int64_t first = h3ou__pairs_first(&p, expected[2 * i]);
                assert_true(p.item[2 * first] == expected[2 * i]);
                assert_true(first == 0 || p.item[2 * first - 2] < expected[2 * i]);
                count++;
            }
            assert_int_equal(p.n, count);
            free(p.item);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_are_sorted_each_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "coupler/common/bin_set.h"
#include "tests/lib/stride.h"

static uint64_t seed = 11;

static double random_part(void) /* SplitMix64, 0 to 1 */
{
    uint64_t z = (seed += UINT64_C(0x9E3779B97F4A7C15));
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return (double)((z ^ (z >> 31)) >> 11) / 9007199254740992.0;
}

static void random_place(double x[3])
{
    double z = 2 * random_part() - 1, a = 6.283185307179586 * random_part(), r = sqrt(1 - z * z);
    x[0] = r * cos(a);
    x[1] = r * sin(a);
    x[2] = z;
}

/* A place at an angle from x, in a random direction. */
static void step_from(const double x[3], double angle, double y[3])
{
    double t[3], dot = 0, length = 0;
    random_place(t);
    for (int k = 0; k < 3; k++)
        dot += t[k] * x[k];
    for (int k = 0; k < 3; k++) {
        t[k] -= dot * x[k];
        length += t[k] * t[k];
    }
    for (int k = 0; k < 3; k++)
        y[k] = cos(angle) * x[k] + sin(angle) * t[k] / sqrt(length);
}

static bool share(const int64_t *a, int64_t na, const int64_t *b, int64_t nb)
{
    for (int64_t i = 0, k = 0; i < na && k < nb;) {
        if (a[i] == b[k])
            return true;
        if (a[i] < b[k])
            i++;
        else
            k++;
    }
    return false;
}

static int by_number(const void *a, const void *b)
{
    const int64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static int64_t sort_unique(int64_t *list, int64_t n)
{
    int64_t kept = 0;
    if (n)
        qsort(list, (size_t)n, sizeof *list, by_number);
    for (int64_t i = 0; i < n; i++)
        if (i == 0 || list[i] != list[i - 1])
            list[kept++] = list[i];
    return kept;
}

/* What the search rests on: two caps that have a point in common have a bin in common. */
static void caps_that_touch_share_a_bin(void **state)
{
    (void)state;
    int64_t *a = NULL, *b = NULL, na, nb, room_a = 0, room_b = 0;
    for (int i = 0; i < 20000; i += test_stride()) {
        int level = i % 8;
        double x[3], y[3], r = 3.2 * pow(random_part(), 6), s = fmin(3.2, 4.0 / (1 << level)) * random_part();
        random_place(x);
        step_from(x, 0.999999 * fmin(r + s, 3.14159), y);
        na = nb = 0;
        assert_int_equal(h3ou__sphere_bins_of_cap(level, x, r, NULL, &a, &na, &room_a), 0);
        assert_int_equal(h3ou__sphere_bins_of_cap(level, y, s, NULL, &b, &nb, &room_b), 0);
        na = sort_unique(a, na);
        nb = sort_unique(b, nb);
        assert_true(share(a, na, b, nb));
    }
    free(a);
    free(b);
}

/* A point touches few bins, and the whole sphere all of them, each once. */
static void bins_are_tight_and_distinct(void **state)
{
    (void)state;
    int64_t *list = NULL, n, room = 0, all = 0;
    double x[3];
    for (int i = 0; i < 20000; i += test_stride()) {
        random_place(x);
        n = 0;
        assert_int_equal(h3ou__sphere_bins_of_cap(6, x, 0.0, NULL, &list, &n, &room), 0);
        assert_true(n >= 1 && n <= 8);
        all += n;
    }
    assert_true(all < 3 * 20000);
    n = 0;
    assert_int_equal(h3ou__sphere_bins_of_cap(5, x, 3.15, NULL, &list, &n, &room), 0);
    assert_int_equal(n, 6 << 10);
    assert_int_equal(sort_unique(list, n), 6 << 10);
    assert_int_equal(list[0], 0);
    assert_int_equal(list[n - 1], (6 << 10) - 1);
    free(list);
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double distance(const double x[3], const double y[3])
{
    double d2 = 0;
    for (int k = 0; k < 3; k++)
        d2 += (x[k] - y[k]) * (x[k] - y[k]);
    return 2 * asin(fmin(1.0, 0.5 * sqrt(d2)));
}

/* The cap that the counts promise holds as many points as are wanted, and is hardly larger than it must be, for points
 * all over the sphere and on an island, seen from near and from far. */
static void counts_bound_the_distance_of_the_nearest(void **state)
{
    (void)state;
    enum { POINTS = 500 };
    static double point[POINTS][3], far[POINTS];
    double island[3], x[3];
    random_place(island);
    for (int level = 0; level < 7; level++) {
        h3ou__bin_counts counts;
        assert_int_equal(h3ou__bin_counts_create(level, &counts), 0);
        for (int i = 0; i < POINTS; i++) {
            random_place(point[i]);
            if (level % 2)
                step_from(island, 0.2 * random_part(), point[i]);
            h3ou__bin_counts_add(&counts, point[i]);
        }
        for (int i = 0; i < 200; i += test_stride()) {
            int wanted = i % 3 ? 1 : 1 + i % 64;
            random_place(x);
            for (int k = 0; k < POINTS; k++)
                far[k] = distance(x, point[k]);
            qsort(far, POINTS, sizeof *far, by_value);
            double reach = h3ou__bin_counts_reach(&counts, x, wanted);
            assert_true(reach >= far[wanted - 1]);
            assert_true(reach <= fmin(3.1416, far[wanted - 1] + 2.83 / (1 << level) + 1e-6));
        }
        h3ou__bin_counts_free(&counts);
    }
    h3ou__bin_counts few;
    assert_int_equal(h3ou__bin_counts_create(3, &few), 0);
    assert_true(h3ou__bin_counts_reach(&few, x, 1) > 3.14159);
    h3ou__bin_counts_add(&few, x);
    assert_true(h3ou__bin_counts_reach(&few, x, 2) > 3.14159);
    assert_true(h3ou__bin_counts_reach(&few, x, 1) < 1.0);
    h3ou__bin_counts_free(&few);
}

/* Of the bins that a cap touches those that hold points, and no others, are left when counts are given. */
static void empty_bins_are_left_out(void **state)
{
    (void)state;
    enum { LEVEL = 6, COARSE = 4 };
    int64_t *all = NULL, *full = NULL, n = 0, kept = 0, room_all = 0, room_full = 0, expected = 0;
    double x[3] = {0.6, 0.0, 0.8}, y[3];
    h3ou__bin_counts fine, coarse;
    assert_int_equal(h3ou__bin_counts_create(LEVEL, &fine), 0);
    assert_int_equal(h3ou__bin_counts_create(COARSE, &coarse), 0);
    for (int i = 0; i < 300; i++) {
        random_place(y);
        h3ou__bin_counts_add(&fine, y);
        h3ou__bin_counts_add(&coarse, y);
    }
    int64_t first = fine.n - (INT64_C(6) << (2 * LEVEL)), coarse_first = coarse.n - (INT64_C(6) << (2 * COARSE));
    assert_int_equal(h3ou__sphere_bins_of_cap(LEVEL, x, 1.1, NULL, &all, &n, &room_all), 0);
    for (int turn = 0; turn < 2; turn++) {
        kept = expected = 0;
        assert_int_equal(
            h3ou__sphere_bins_of_cap(LEVEL, x, 1.1, turn ? &coarse : &fine, &full, &kept, &room_full), 0);
        for (int64_t i = 0; i < n; i++) {
            int64_t above = all[i] >> (2 * (LEVEL - COARSE));
            if (turn ? coarse.count[coarse_first + above] : fine.count[first + all[i]])
                assert_int_equal(full[expected++], all[i]);
        }
        assert_true(kept == expected && kept > 10 && kept < n / 2);
    }
    free(all);
    free(full);
    h3ou__bin_counts_free(&fine);
    h3ou__bin_counts_free(&coarse);
}

/* A set of rectangles lists the bins of small caps, each once, and only those that are new; a set of bins one by one does so, too. */
static void sets_list_what_is_new(void **state)
{
    (void)state;
    int64_t *list = NULL, *all = NULL, n, count = 0, room = 0;
    for (int level = 0; level < 9; level += 2) {
        h3ou__bin_set caps, bins, known;
        assert_int_equal(h3ou__bin_set_create(level, &caps), 0);
        assert_int_equal(h3ou__bin_set_create(level, &bins), 0);
        assert_int_equal(h3ou__bin_set_create(level, &known), 0);
        count = 0;
        for (int i = 0; i < 60; i++) {
            double x[3], radius = i % 20 ? 0.25 * random_part() * random_part() : 0.0;
            h3ou__bin_rectangle r[3];
            random_place(x);
            int faces = h3ou__sphere_bins_rectangles(level, x, radius, r);
            assert_true(faces >= 1);
            for (int k = 0; k < faces; k++)
                h3ou__bin_set_add_rectangle(&caps, &r[k]);
            assert_int_equal(h3ou__sphere_bins_of_cap(level, x, radius, NULL, &all, &count, &room), 0);
        }
        count = sort_unique(all, count);
        for (int64_t k = 0; k < count; k++)
            h3ou__bin_set_add(&bins, all[k]);
        for (int turn = 0; turn < 2; turn++) {
            h3ou__bin_set one = {0};
            h3ou__bin_set_free(&known);
            assert_int_equal(h3ou__bin_set_create(level, &known), 0);
            assert_int_equal(h3ou__bin_set_create(level, &one), 0);
            h3ou__bin_set_add(&one, all[count / 2]);
            assert_int_equal(h3ou__bin_set_list_new(&one, &known, &list, &n), 0);
            assert_true(n == 1 && list[0] == all[count / 2]);
            free(list);
            assert_int_equal(h3ou__bin_set_list_new(turn ? &bins : &caps, &known, &list, &n), 0);
            assert_int_equal(sort_unique(list, n), n);
            assert_int_equal(n, count - 1);
            for (int64_t k = 0; k < n; k++)
                assert_int_equal(list[k], all[k + (k >= count / 2)]);
            free(list);
            assert_int_equal(h3ou__bin_set_list_new(&caps, &known, &list, &n), 0);
            assert_int_equal(n, 0);
            free(list);
            h3ou__bin_set_free(&one);
        }
        h3ou__bin_set_free(&caps);
        h3ou__bin_set_free(&bins);
        h3ou__bin_set_free(&known);
    }
    free(all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(caps_that_touch_share_a_bin),
        cmocka_unit_test(bins_are_tight_and_distinct),
        cmocka_unit_test(counts_bound_the_distance_of_the_nearest),
        cmocka_unit_test(empty_bins_are_left_out),
        cmocka_unit_test(sets_list_what_is_new),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

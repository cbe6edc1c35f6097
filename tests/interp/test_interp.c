/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/error.h"
#include "interp/cells.h"
#include "interp/kdtree.h"
#include "interp/sparse.h"
#include "interp/weights.h"

static const double PI = 3.14159265358979323846;
static uint64_t seed;

static double uniform(void)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(seed >> 11) / 9007199254740992.0;
}

/* Points of three kinds: a regular grid with both pole rows (many equal points), a Fibonacci sphere, random ones. */
static h3ou__cells *make_cells(int kind, int64_t n, bool with_mask)
{
    double *lon = malloc(sizeof(double) * (size_t)n), *lat = malloc(sizeof(double) * (size_t)n);
    int *mask = malloc(sizeof(int) * (size_t)n), side = (int)sqrt((double)n / 2);
    h3ou__cells *c = NULL;
    for (int64_t i = 0; i < n; i++) {
        if (kind == 0) {
            lon[i] = 2 * PI * (double)(i % (2 * side)) / (2 * side) - PI;
            lat[i] = fmin(PI / 2, -PI / 2 + PI * (double)(i / (2 * side)) / (side - 1));
        } else if (kind == 1) {
            lon[i] = fmod((double)i * PI * (3 - sqrt(5.0)), 2 * PI);
            lat[i] = asin(1 - (2 * (double)i + 1) / (double)n);
        } else {
            lon[i] = 2 * PI * uniform();
            lat[i] = asin(2 * uniform() - 1);
        }
        mask[i] = !with_mask || uniform() < 0.6;
    }
    assert_int_equal(h3ou__cells_create("cells", n, lon, lat, mask, &c), 0);
    free(lon);
    free(lat);
    free(mask);
    return c;
}

/* Brute force: all points, kept sorted by chord, then number. */
static int brute(const h3ou__cells *c, const double q[3], int k, h3ou__near found[])
{
    int n = 0;
    for (int64_t i = 0; i < c->n; i++) {
        if (!c->mask[i])
            continue;
        double d = h3ou__chord2(q, c->xyz + 3 * i);
        if (n == k && !(d < found[k - 1].chord2))
            continue;
        int at = n < k ? n++ : k - 1;
        for (; at > 0 && d < found[at - 1].chord2; at--)
            found[at] = found[at - 1];
        found[at] = (h3ou__near){i, d};
    }
    return n;
}

static void tree_equals_brute_force(void **state)
{
    (void)state;
    for (int kind = 0; kind < 3; kind++)
        for (int masked = 0; masked < 2; masked++) {
            h3ou__cells *source = make_cells(kind, 1800, masked), *target = make_cells(2 - kind, 1250, false);
            h3ou__kdtree *tree;
            assert_int_equal(h3ou__kdtree_create(source->xyz, source->mask, source->n, &tree), 0);
            for (int k = 1; k <= 8; k++)
                for (int64_t i = 0; i < target->n + 50; i++) {
                    /* The last fifty ask at source points themselves: ties and coincidence. */
                    const double *q = i < target->n ? target->xyz + 3 * i : source->xyz + 3 * (i - target->n) * 7;
                    h3ou__near a[8], b[8];
                    int n = h3ou__kdtree_nearest(tree, q, k, a);
                    assert_int_equal(n, brute(source, q, k, b));
                    for (int j = 0; j < n; j++) {
                        assert_true(a[j].point == b[j].point);
                        assert_memory_equal(&a[j].chord2, &b[j].chord2, sizeof(double));
                    }
                }
            h3ou__kdtree_free(tree);
            h3ou__cells_free(source);
            h3ou__cells_free(target);
        }
}

static void small_trees_answer_what_there_is(void **state)
{
    (void)state;
    const double xyz[6] = {1, 0, 0, 0, 1, 0};
    const unsigned char none[2] = {0, 0};
    h3ou__near found[4];
    h3ou__kdtree *tree;
    assert_int_equal(h3ou__kdtree_create(xyz, NULL, 2, &tree), 0);
    assert_int_equal(h3ou__kdtree_nearest(tree, xyz, 4, found), 2);
    assert_true(found[0].point == 0 && found[1].point == 1);
    h3ou__kdtree_free(tree);
    assert_int_equal(h3ou__kdtree_create(xyz, none, 2, &tree), 0);
    assert_int_equal(h3ou__kdtree_size(tree), 0);
    assert_int_equal(h3ou__kdtree_nearest(tree, xyz, 4, found), 0);
    h3ou__kdtree_free(tree);
}

static double field(const h3ou__cells *c, int64_t i)
{
    return 2 - cos(PI * acos(cos(c->lon[i]) * cos(c->lat[i])) / (1.2 * PI));
}

/* Mean relative misfit of a smooth function. */
static double misfit(const h3ou__weights *w, const h3ou__cells *source, const h3ou__cells *target)
{
    double *value = calloc((size_t)target->n, sizeof *value), sum = 0;
    for (int64_t i = 0; i < w->n; i++)
        value[w->dst[i]] += w->coef[i] * field(source, w->src[i]);
    for (int64_t i = 0; i < target->n; i++)
        sum += fabs(value[i] - field(target, i)) / field(target, i);
    free(value);
    return sum / (double)target->n;
}

static void rows_sum_to_one_and_errors_shrink_with_the_grid(void **state)
{
    (void)state;
    static const char *const stacks[] = {"nearest", "distance"};
    for (int s = 0; s < 2; s++) {
        double before = 1.0;
        for (int64_t n = 800; n <= 12800; n *= 4) {
            h3ou__cells *source = make_cells(1, n, false), *target = make_cells(2, 2000, false);
            h3ou__weights *w;
            h3ou__weights_facts f;
            assert_int_equal(h3ou__weights_make(stacks[s], source, target, 4, 2.0, &w), 0);
            h3ou__weights_look(w, &f);
            assert_true(f.served == target->n && f.unserved == 0 && f.masked == 0);
            assert_true(f.row_misfit < 1e-14 && f.least >= 0.0);
            double now = misfit(w, source, target);
            assert_true(now < 0.62 * before); /* half the distance: half the error */
            before = now;
            h3ou__weights_free(w);
            h3ou__cells_free(source);
            h3ou__cells_free(target);
        }
    }
}

static void a_source_at_the_target_s_place_takes_all(void **state)
{
    (void)state;
    h3ou__cells *c = make_cells(1, 500, false);
    h3ou__weights *w;
    assert_int_equal(h3ou__weights_make("distance", c, c, 4, 2.0, &w), 0);
    assert_true(w->n == c->n);
    for (int64_t i = 0; i < w->n; i++)
        assert_true(w->src[i] == w->dst[i] && w->coef[i] == 1.0);
    h3ou__weights_free(w);
    h3ou__cells_free(c);
}

static void masks_are_obeyed_on_both_sides(void **state)
{
    (void)state;
    h3ou__cells *source = make_cells(1, 700, true), *target = make_cells(2, 900, true);
    h3ou__weights *w;
    assert_int_equal(h3ou__weights_make("distance", source, target, 3, 1.0, &w), 0);
    for (int64_t i = 0; i < w->n; i++)
        assert_true(source->mask[w->src[i]] && target->mask[w->dst[i]]);
    for (int64_t i = 0; i < target->n; i++)
        assert_int_equal(w->served[i], target->mask[i] ? 0 : -2);
    h3ou__weights_free(w);
    memset(source->mask, 0, (size_t)source->n);
    assert_int_equal(h3ou__weights_make("distance,nearest", source, target, 3, 1.0, &w), 0);
    h3ou__weights_facts f;
    h3ou__weights_look(w, &f);
    assert_true(f.links == 0 && f.served == 0 && f.unserved > 0);
    h3ou__weights_free(w);
    h3ou__cells_free(source);
    h3ou__cells_free(target);
}

static void wrong_wishes_are_refused(void **state)
{
    (void)state;
    h3ou__cells *c = make_cells(1, 20, false);
    h3ou__weights *w;
    assert_int_equal(h3ou__weights_make("distence", c, c, 4, 2.0, &w), H3OU__ENAME);
    assert_non_null(strstr(h3ou__fail_text(), "did you mean 'distance'"));
    assert_int_equal(h3ou__weights_make("distance", c, c, 0, 2.0, &w), H3OU__EARG);
    assert_int_equal(h3ou__weights_make("distance", c, c, 4, 0.0, &w), H3OU__EARG);
    h3ou__cells_free(c);
    const double lon[2] = {0, 0}, lat[2] = {0, 2.0}, nan_lat[2] = {0, NAN};
    assert_int_equal(h3ou__cells_create("grid.nc", 2, lon, lat, NULL, &c), H3OU__EARG);
    assert_non_null(strstr(h3ou__fail_text(), "grid.nc: cell 2"));
    assert_int_equal(h3ou__cells_create("grid.nc", 2, lon, nan_lat, NULL, &c), H3OU__EARG);
}

/* Rows cut into parts give the same bits as all rows together, for any number of layers; other cells are left alone. */
static void apply_is_the_same_however_rows_are_spread(void **state)
{
    (void)state;
    enum { ROWS = 300, SOURCES = 500, LAYERS = 7, LINKS = 5 };
    static double source[SOURCES * LAYERS], whole[2 * ROWS * LAYERS], parts[2 * ROWS * LAYERS];
    int64_t row[ROWS], start[ROWS + 1], col[ROWS * LINKS];
    double coef[ROWS * LINKS];
    for (int i = 0; i < SOURCES * LAYERS; i++)
        source[i] = uniform() - 0.5;
    for (int r = 0; r <= ROWS; r++)
        start[r] = r * LINKS;
    for (int r = 0; r < ROWS; r++)
        row[r] = 2 * r;
    for (int i = 0; i < ROWS * LINKS; i++) {
        col[i] = (int64_t)(uniform() * SOURCES);
        coef[i] = uniform() - 0.5;
    }
    for (int i = 0; i < 2 * ROWS * LAYERS; i++)
        whole[i] = parts[i] = -7;
    h3ou__sparse all = {ROWS, row, start, col, coef};
    h3ou__sparse_apply(&all, SOURCES, source, 2 * ROWS, whole, LAYERS, 2.5);
    for (int from = 0; from < ROWS; from += 77) {
        int n = ROWS - from < 77 ? ROWS - from : 77;
        h3ou__sparse part = {n, row + from, start + from, col, coef};
        h3ou__sparse_apply(&part, SOURCES, source, 2 * ROWS, parts, LAYERS, 2.5);
    }
    assert_memory_equal(whole, parts, sizeof whole);
    for (int layer = 0; layer < LAYERS; layer++)
        for (int r = 0; r < ROWS; r++) {
            double sum = 0;
            for (int i = 0; i < LINKS; i++)
                sum += coef[r * LINKS + i] * source[layer * SOURCES + col[r * LINKS + i]];
            sum *= 2.5;
            assert_memory_equal(&sum, &whole[layer * 2 * ROWS + 2 * r], sizeof sum);
            assert_true(whole[layer * 2 * ROWS + 2 * r + 1] == -7);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tree_equals_brute_force),
        cmocka_unit_test(small_trees_answer_what_there_is),
        cmocka_unit_test(rows_sum_to_one_and_errors_shrink_with_the_grid),
        cmocka_unit_test(a_source_at_the_target_s_place_takes_all),
        cmocka_unit_test(masks_are_obeyed_on_both_sides),
        cmocka_unit_test(wrong_wishes_are_refused),
        cmocka_unit_test(apply_is_the_same_however_rows_are_spread),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

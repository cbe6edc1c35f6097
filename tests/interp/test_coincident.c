/* SPDX-License-Identifier: BSD-3-Clause */
/* Cells that lie at one place: weights are those of the grid that has each place once. */
#include "grids.h"
#include "interp/grid/coincident.h"
#include "interp/weights/weights.h"
#include "ocean_grids.h"
#include "stacks.h"

static const char *const METHODS[] = {
    "conservative",  "conservative2", "bilinear",   "barycentric", "bicubic", "nearest",
    "distance(n=5)", "average(n=5)",  "gauss(n=5)", "radial",      NULL};

static h3ou__weights *weights_of(const char *stack, h3ou__cells *s, h3ou__cells *t, int norm)
{
    h3ou__weights *w = NULL;
    h3ou__weights_options o = {.norm = norm, .threads = 1};
    int err = make_weights(stack, s, t, &o, &w);
    if (err)
        print_error("%s: %s\n", stack, h3ou__fail_text());
    assert_int_equal(err, 0);
    return w;
}

/* The links of a row by cells of the grid of `period` columns. */
static void gather_row(const h3ou__weights *w, int64_t i, int64_t nx, int64_t period, double sum[])
{
    for (int64_t k = w->start[i]; k < w->start[i + 1]; k++)
        sum[w->src[k] / nx * period + w->src[k] % nx % period] += w->coef[k];
}

/* Every row by the grid s with overlap columns is that by the grid `once` without them, for all methods. */
static void compare_rows(h3ou__cells *s, h3ou__cells *once, h3ou__cells *t, double slack)
{
    double *sum = malloc(sizeof *sum * (size_t)once->n);
    for (int m = 0; METHODS[m]; m++) {
        h3ou__weights *a = weights_of(METHODS[m], s, t, H3OU__DESTAREA),
                      *b = weights_of(METHODS[m], once, t, H3OU__DESTAREA);
        double worst = 0;
        int64_t unlike = 0;
        for (int64_t i = 0; i < t->n; i++) {
            memset(sum, 0, sizeof *sum * (size_t)once->n);
            unlike += a->served[i] != b->served[i];
            gather_row(b, i, once->dims[0], once->dims[0], sum);
            for (int64_t k = 0; k < once->n; k++)
                sum[k] = -sum[k];
            gather_row(a, i, s->dims[0], once->dims[0], sum);
            for (int64_t k = 0; k < once->n; k++)
                worst = fmax(worst, fabs(sum[k]));
        }
        if (unlike || !(worst < slack))
            print_error("%s: %d cells served unlike, weights differ by %g\n", METHODS[m], (int)unlike, worst);
        assert_int_equal(unlike, 0);
        assert_true(worst < slack);
        h3ou__weights_free(a);
        h3ou__weights_free(b);
    }
    free(sum);
}

static void longitudes_to_360_inclusive_are_one_place(void **state)
{
    (void)state;
    static const int edges[2] = {H3OU__EDGES_DEFAULT, H3OU__EDGES_GREAT};
    h3ou__cells *t = boxes(30, 20, 1.3, NULL);
    for (int k = 0; k < 2; k++)
        for (int overlap = 1; overlap < 3; overlap++) {
            h3ou__cells *s = column_boxes(36 + overlap, 36, 18, false, NULL, edges[k]);
            h3ou__cells *once = column_boxes(36, 36, 18, false, NULL, edges[k]);
            compare_rows(s, once, t, 1e-9);
            h3ou__cells_free(s);
            h3ou__cells_free(once);
        }
    h3ou__cells_free(t);
}

/* In ocean models the overlap columns are often masked at one end, or the outermost at both. */
static void the_cell_that_takes_part_stands_for_its_place(void **state)
{
    (void)state;
    static int mask[38 * 18];
    h3ou__cells *t = boxes(30, 20, 1.3, NULL), *once = column_boxes(36, 36, 18, false, NULL, 0);
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < 38 * 18; i++)
            mask[i] = i % 38 != 0 && i % 38 != 37;
        h3ou__cells *s = column_boxes(38, 36, 18, false, mask, k ? H3OU__EDGES_GREAT : H3OU__EDGES_DEFAULT);
        h3ou__cells *o = column_boxes(36, 36, 18, false, NULL, k ? H3OU__EDGES_GREAT : H3OU__EDGES_DEFAULT);
        compare_rows(s, o, t, 1e-9);
        h3ou__cells_free(s);
        h3ou__cells_free(o);
    }
    h3ou__cells_free(once);
    h3ou__cells_free(t);
}

static void overlap_columns_of_a_tripolar_grid_are_one_place(void **state)
{
    (void)state;
    const lattice with = {42, 26, 40, 0, 18, 0}, without = {40, 26, 40, 0, 18, 0};
    h3ou__cells *t = boxes(30, 20, 1.3, NULL), *s = lattice_cells(&with, NULL, true);
    h3ou__cells *once = lattice_cells(&without, NULL, true);
    compare_rows(s, once, t, 1e-8);
    h3ou__coincident found;
    h3ou__coincident_count(s, s->same_centre, &found);
    assert_int_equal(found.count, 2 * 26);
    assert_int_equal(found.first, 41);
    assert_int_equal(found.first_as, 1);
    h3ou__cells_free(s);
    h3ou__cells_free(once);
    h3ou__cells_free(t);
}

static double remapped(const h3ou__weights *w, int64_t i, const h3ou__cells *s)
{
    double sum = 0;
    for (int64_t k = w->start[i]; k < w->start[i + 1]; k++)
        sum += w->coef[k] * sinusoid(s->xyz + 3 * (int64_t)w->src[k]);
    return sum;
}

/* The fold runs through centres: half a row and another whole one are there twice, nothing of it masked but the poles.
 */
static void rows_behind_a_fold_are_one_place(void **state)
{
    (void)state;
    const lattice g = {42, 28, 40, 3, 18, 0};
    h3ou__cells *t = boxes(30, 20, 1.3, NULL), *s = lattice_cells(&g, NULL, true);
    for (int m = 0; METHODS[m]; m++) {
        h3ou__weights *w = weights_of(METHODS[m], s, t, H3OU__DESTAREA);
        int64_t left = 0, repeated = 0;
        double worst = 0, most = 0;
        for (int64_t i = 0; i < t->n; i++) {
            if (t->lat[i] < 0 || fabs(t->lat[i] - PI / 3) < 0.2) /* the two poles' cells are masked */
                continue;
            double sum = 0;
            left += w->served[i] < 0;
            for (int64_t k = w->start[i]; k < w->start[i + 1]; k++) {
                sum += w->coef[k];
                repeated += (m < 2 ? s->same_polygon : s->same_centre)[w->src[k]] != w->src[k];
            }
            most = fmax(most, sum);
            worst = fmax(worst, fabs(remapped(w, i, s) - sinusoid(t->xyz + 3 * i)));
        }
        if (left || repeated || most > 1 + 1e-6 || worst > 0.2)
            print_error("%s: %d left, %d links to repeated cells, sum %g, misfit %g\n", METHODS[m], (int)left,
                        (int)repeated, most, worst);
        assert_int_equal(left, 0);
        assert_int_equal(repeated, 0);
        assert_true(most <= 1 + 1e-6);
        assert_true(worst < 0.2);
        h3ou__weights_free(w);
    }
    h3ou__cells_free(s);
    h3ou__cells_free(t);
}

/* All centres of the first row are the south pole, of the last one the north pole, while the cells share the cap. */
static void points_at_a_pole_are_one_place(void **state)
{
    (void)state;
    static const int edges[2] = {H3OU__EDGES_DEFAULT, H3OU__EDGES_GREAT};
    h3ou__cells *t = boxes(20, 40, 1.3, NULL);
    for (int kind = 0; kind < 2; kind++) {
        h3ou__cells *s = column_boxes(36, 36, 19, true, NULL, edges[kind]);
        for (int m = 0; METHODS[m]; m++) {
            h3ou__weights *w = weights_of(METHODS[m], s, t, H3OU__FRACAREA);
            for (int64_t i = 0; i < t->n; i++) {
                int at_pole = 0;
                if (m == 4 && kind == 1 && fabs(t->lat[i]) > 70 * PI / 180)
                    continue; /* no quadrilaterals of centres there: left to the next method */
                if (w->served[i] != 0)
                    print_error("%s leaves cell %d at latitude %g\n", METHODS[m], (int)i + 1, t->lat[i] * 180 / PI);
                assert_true(w->served[i] == 0);
                for (int64_t k = w->start[i]; k < w->start[i + 1]; k++)
                    at_pole += fabs(s->xyz[3 * w->src[k] + 2]) > 1 - 1e-15;
                assert_true(m < 2 || at_pole <= 1);
                if (m != 5) /* nearest */
                    assert_true(fabs(remapped(w, i, s) - sinusoid(t->xyz + 3 * i)) < 0.1);
            }
            h3ou__weights_free(w);
        }
        h3ou__coincident found;
        h3ou__coincident_count(s, s->same_centre, &found);
        assert_int_equal(found.count, 2 * 35);
        assert_int_equal(found.first, 2);
        assert_int_equal(found.first_as, 1);
        assert_null(s->same_polygon);
        h3ou__cells_free(s);
    }
    h3ou__cells_free(t);
}

/* A column that lies nearly, but not quite, on another: not one place, and no weight may grow beyond bounds by it. */
static void nearly_coincident_cells_give_moderate_weights(void **state)
{
    (void)state;
    static const double shift[] = {3e-9, 1e-7, 1e-5};
    h3ou__cells *t = boxes(30, 20, 1.3, NULL);
    for (int k = 0; k < 3; k++) {
        h3ou__cells *plain = column_boxes(37, 36, 18, false, NULL, H3OU__EDGES_GREAT), *s;
        double *x4 = malloc(4 * sizeof *x4 * (size_t)plain->n), *y4 = malloc(4 * sizeof *y4 * (size_t)plain->n);
        for (int64_t i = 0; i < plain->n; i++) {
            int64_t corners = plain->first[i + 1] - plain->first[i];
            for (int64_t c = 0; c < 4; c++)
                to_angles(plain->corner + 3 * (plain->first[i] + (c < corners ? c : corners - 1)), &x4[4 * i + c],
                          &y4[4 * i + c]);
            for (int c = 0; c < 4 && i % 37 == 36; c++)
                x4[4 * i + c] += shift[k];
            plain->lon[i] += i % 37 == 36 ? shift[k] : 0;
        }
        assert_int_equal(h3ou__cells_create("near", plain->n, plain->lon, plain->lat, NULL, &s), 0);
        assert_int_equal(h3ou__cells_set_corners(s, 4, x4, y4, NULL, H3OU__EDGES_GREAT), 0);
        s->rank = 2;
        memcpy(s->dims, plain->dims, sizeof s->dims);
        for (int m = 0; METHODS[m]; m++) {
            h3ou__weights *w = weights_of(METHODS[m], s, t, H3OU__FRACAREA);
            for (int64_t l = 0; l < w->start[w->ntarget]; l++)
                assert_true(fabs(w->coef[l]) < 4.0);
            h3ou__weights_free(w);
        }
        free(x4);
        free(y4);
        h3ou__cells_free(plain);
        h3ou__cells_free(s);
    }
    h3ou__cells_free(t);
}

static void weights_that_cannot_be_right_are_refused(void **state)
{
    (void)state;
    h3ou__cells *s = boxes(12, 6, 0, NULL), *t = boxes(10, 5, 0, NULL);
    h3ou__weights *w = NULL;
    h3ou__weights_options o = {.norm = H3OU__DESTAREA};
    t->area = calloc((size_t)t->n, sizeof *t->area);
    for (int64_t i = 0; i < t->n; i++)
        t->area[i] = i == 7 ? 0.0 : 4 * PI / (double)t->n;
    assert_int_equal(make_weights("conservative", s, t, &o, &w), H3OU__EARG);
    assert_non_null(strstr(h3ou__fail_text(), "to cell 8"));
    h3ou__cells_free(s);
    h3ou__cells_free(t);
}

/* Pairs of points at the borders of the lattice's boxes, where a point and its partner are in different boxes: 0.9e-9
 * apart they are one place, 1.1e-9 apart they are not. */
static void places_are_found_across_the_borders_of_boxes(void **state)
{
    (void)state;
    enum { PAIRS = 3000 };
    double *xyz = malloc(sizeof *xyz * 6 * PAIRS);
    for (int i = 0; i < PAIRS; i++)
        for (int d = 0; d < 3; d++) {
            double border = ((i * 131 + d * 17) % 1000 - 500) * 1e-6, off = (i % 41 - 20) * 1.3e-10;
            xyz[6 * i + d] = border + (d == i % 3 ? off : i * 2e-8 + d * 3e-7);
            xyz[6 * i + 3 + d] = xyz[6 * i + d] + (d == i % 3 ? (i / 3 % 2 ? 0.9e-9 : 1.1e-9) : 0.0);
        }
    int32_t *same = NULL;
    assert_int_equal(h3ou__coincident_places(2 * PAIRS, xyz, NULL, &same), H3OU__OK);
    assert_non_null(same);
    for (int i = 0; i < PAIRS; i++) {
        assert_int_equal(same[2 * i], 2 * i);
        assert_int_equal(same[2 * i + 1], i / 3 % 2 ? 2 * i : 2 * i + 1);
    }
    free(same);
    free(xyz);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(longitudes_to_360_inclusive_are_one_place),
        cmocka_unit_test(the_cell_that_takes_part_stands_for_its_place),
        cmocka_unit_test(overlap_columns_of_a_tripolar_grid_are_one_place),
        cmocka_unit_test(rows_behind_a_fold_are_one_place),
        cmocka_unit_test(points_at_a_pole_are_one_place),
        cmocka_unit_test(nearly_coincident_cells_give_moderate_weights),
        cmocka_unit_test(weights_that_cannot_be_right_are_refused),
        cmocka_unit_test(places_are_found_across_the_borders_of_boxes),
    };
    return cmocka_run_group_tests_name("coincident", tests, NULL, NULL);
}

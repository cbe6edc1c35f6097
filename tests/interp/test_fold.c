/* SPDX-License-Identifier: BSD-3-Clause */
/* Tripolar grids: whichever pivot their fold has, and whatever of them is there twice, it is found by the centres, and
 * the methods go on across it as in the middle of the grid. */
#include "grids.h"
#include "interp/weights/weights.h"
#include "ocean_grids.h"
#include "stacks.h"

static const char *const METHODS[] = {"bilinear", "barycentric", "bicubic", "conservative", "conservative2", NULL};
enum { BICUBIC = 2, CORNERS = 3 }; /* methods from the latter on need corners */

/* The same grid with rows beyond the fold and columns that are there again; the first of each pivot is without. */
static const lattice GRIDS[] = {
    {40, 26, 40, 0, 18, 0}, {40, 27, 40, 2, 18, 0}, {42, 26, 40, 0, 18, 0}, {42, 26, 40, 0, 18, 1},
    {42, 27, 40, 2, 18, 1}, {41, 27, 40, 2, 18, 0}, {40, 27, 40, 1, 18, 0}, {40, 28, 40, 3, 18, 0},
    {42, 27, 40, 1, 18, 0}, {42, 28, 40, 3, 18, 1}, {41, 27, 40, 1, 18, 1}, {42, 29, 40, 5, 18, 1},
};
enum { NGRIDS = sizeof GRIDS / sizeof *GRIDS, FIRST_T = 6 };

static const lattice *plain_grid(int k)
{
    return &GRIDS[k < FIRST_T ? 0 : FIRST_T];
}

/* The number in the plain grid of the cell with this number; rows beyond the fold are those before it. */
static int64_t plain_cell(int k, int64_t id)
{
    const lattice *g = &GRIDS[k], *plain = plain_grid(k);
    int64_t x = id % g->nx - g->west, y = id / g->nx;
    if (y >= plain->ny) {
        x = g->rows % 2 ? -x : -1 - x;
        y = 2 * g->ny - 1 - g->rows - y;
    }
    x = (x + 2 * g->period) % g->period;
    return x + y * plain->nx;
}

static void both_pivots_and_overlaps_are_found(void **state)
{
    (void)state;
    for (int k = 0; k < NGRIDS; k++) {
        const lattice *g = &GRIDS[k];
        h3ou__cells *c = lattice_cells(g, NULL, false);
        assert_true(c->fold && c->cyclic);
        assert_int_equal(c->fold_rows, g->rows);
        assert_int_equal(c->overlap, g->nx - g->period);
        int64_t sum = g->nx - 1 + c->fold_shift; /* of the columns of a cell and its image */
        assert_int_equal((sum - 2 * g->west + (g->rows % 2 ? 0 : 1)) % g->period, 0);
        h3ou__cells_free(c);
    }
}

/* Cells that are wider or narrower than the rows are apart, few columns and many. */
static void a_fold_is_found_whatever_the_cells_shape(void **state)
{
    static const int columns[] = {8, 12, 16, 20, 24, 26, 30, 44, 62, 90, 180, 360}, caps[] = {2, 3, 4, 8, 20, 60};
    (void)state;
    for (int k = 0; k < 12; k++)
        for (int i = 0; i < 6; i++)
            for (int rows = 0; rows < 3; rows++) {
                lattice g = {columns[k], 18 + caps[i] + rows / 2, columns[k], rows, 18, 0};
                h3ou__cells *c = lattice_cells(&g, NULL, false);
                assert_true(c->fold);
                assert_int_equal(c->fold_rows, rows);
                assert_int_equal((g.nx - 1 + c->fold_shift + (rows % 2 ? 0 : 1)) % g.period, 0);
                h3ou__cells_free(c);
            }
}

/* Single precision, land of which no centre is known, and land whose centres are all at one place. */
static void centres_need_not_be_complete(void **state)
{
    (void)state;
    for (int k = 0; k < NGRIDS; k++) {
        h3ou__cells *c = lattice_cells(&GRIDS[k], NULL, false);
        bool at_one_place = k % 2;
        for (int64_t i = 0; i < c->n; i++) {
            int64_t x = plain_cell(k, i) % 40;
            bool land = (x > 4 && x < 9) || (x > 30 && x < 36);
            c->lon[i] = at_one_place && land ? 0.0 : !at_one_place && land ? NAN : (float)c->lon[i];
            c->lat[i] = at_one_place && land ? 0.0 : (float)c->lat[i];
        }
        c->fold = false;
        c->fold_rows = c->fold_shift = -1;
        find_fold(c);
        assert_true(c->fold);
        assert_int_equal(c->fold_rows, GRIDS[k].rows);
        h3ou__cells_free(c);
    }
}

static void other_grids_have_no_fold(void **state)
{
    (void)state;
    h3ou__cells *grid[] = {boxes(36, 18, 0, NULL), column_boxes(38, 36, 18, false, NULL, 0),
                           column_boxes(36, 36, 19, true, NULL, 0), rings(30, 15, 0.1)};
    for (int k = 0; k < 4; k++) {
        h3ou__fold f;
        double *xyz = malloc(sizeof *xyz * (size_t)h3ou__fold_room(grid[k]->dims));
        assert_int_equal(h3ou__cells_centre_by_corners(grid[k]), 0);
        h3ou__fold_copy_rows(grid[k], xyz);
        h3ou__fold_find(grid[k]->dims, xyz, &f);
        assert_false(f.found);
        free(xyz);
        h3ou__cells_free(grid[k]);
    }
}

static h3ou__weights *weights_of(const char *method, h3ou__cells *s, h3ou__cells *t)
{
    h3ou__weights *w = NULL;
    h3ou__weights_options o = {.norm = H3OU__FRACAREA, .threads = 1};
    if (make_weights(method, s, t, &o, &w))
        print_error("%s: %s\n", method, h3ou__fail_text());
    assert_non_null(w);
    return w;
}

/* The cells of a grid at the lattice's places, in the middle between its rows and columns and elsewhere. */
static h3ou__cells *targets_between(const lattice *g, double low, double high)
{
    enum { N = 600 };
    static double lon[N], lat[N];
    chance_state = 7;
    for (int i = 0; i < N; i++)
        lattice_place(g, g->period * (0.06 + 0.38 * chance() + (i % 2 ? 0.5 : 0.0)), low + (high - low) * chance(),
                      &lon[i], &lat[i]);
    return make("between", N, lon, lat, NULL);
}

/* Around the two poles of a fold through centres triangles overlap, and which is taken goes by the cells' numbers. */
static bool is_near_pole(const h3ou__cells *t, int64_t i)
{
    double across = fabs(remainder(t->lon[i] - 80 * PI / 180, PI));
    return across < 0.2 && fabs(t->lat[i] - PI / 3) < 0.2;
}

static void all_ways_to_write_a_grid_give_the_same_weights(void **state)
{
    (void)state;
    h3ou__cells *t = boxes(30, 20, 1.3, NULL);
    double sum[40 * 28];
    for (int k = 0; k < NGRIDS; k++) {
        h3ou__cells *s = lattice_cells(&GRIDS[k], NULL, true), *plain = lattice_cells(plain_grid(k), NULL, true);
        for (int m = 0; METHODS[m]; m++) {
            h3ou__weights *a = weights_of(METHODS[m], s, t), *b = weights_of(METHODS[m], plain, t);
            for (int64_t i = 0; i < t->n; i++) {
                if (is_near_pole(t, i))
                    continue;
                memset(sum, 0, sizeof sum);
                for (int64_t l = a->start[i]; l < a->start[i + 1]; l++)
                    sum[plain_cell(k, a->src[l])] += a->coef[l];
                for (int64_t l = b->start[i]; l < b->start[i + 1]; l++)
                    sum[plain_cell(plain_grid(k) - GRIDS, b->src[l])] -= b->coef[l];
                for (int64_t c = 0; c < 40 * 28; c++)
                    if (!(fabs(sum[c]) < 1e-7)) {
                        print_error("grid %d, %s, target %d: %g\n", k, METHODS[m], (int)i, sum[c]);
                        fail();
                    }
            }
            h3ou__weights_free(a);
            h3ou__weights_free(b);
        }
        h3ou__cells_free(s);
        h3ou__cells_free(plain);
    }
    h3ou__cells_free(t);
}

static double misfit(const h3ou__weights *w, const h3ou__cells *s, const h3ou__cells *t)
{
    double worst = 0;
    for (int64_t i = 0; i < t->n; i++) {
        double sum = 0;
        if (w->served[i] != 0)
            return INFINITY;
        for (int64_t k = w->start[i]; k < w->start[i + 1]; k++)
            sum += w->coef[k] * sinusoid(s->xyz + 3 * (int64_t)w->src[k]);
        worst = fmax(worst, fabs(sum - sinusoid(t->xyz + 3 * i)));
    }
    return worst;
}

/* Between the two rows at the fold, and between those two rows before it; not beside the fold's poles. */
static void the_seam_is_as_good_as_the_interior(void **state)
{
    (void)state;
    for (int k = 0; k < NGRIDS; k++) {
        const lattice *g = &GRIDS[k];
        double fold = g->ny - g->rows / 2.0;
        h3ou__cells *s = lattice_cells(g, NULL, false);
        h3ou__cells *seam = targets_between(g, fold - 1.0, fold), *inside = targets_between(g, fold - 3.0, fold - 2.0);
        for (int m = 0; m < CORNERS; m++) {
            h3ou__weights *a = weights_of(METHODS[m], s, seam), *b = weights_of(METHODS[m], s, inside);
            double at_seam = misfit(a, s, seam), elsewhere = misfit(b, s, inside);
            if (!(at_seam < 1.5 * elsewhere))
                print_error("grid %d, %s: misfit %g at the seam, %g elsewhere\n", k, METHODS[m], at_seam, elsewhere);
            assert_true(elsewhere < (m == BICUBIC ? 1e-3 : 1e-2));
            assert_true(at_seam < 1.5 * elsewhere);
            h3ou__weights_free(a);
            h3ou__weights_free(b);
        }
        h3ou__cells_free(s);
        h3ou__cells_free(seam);
        h3ou__cells_free(inside);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_pivots_and_overlaps_are_found),
        cmocka_unit_test(a_fold_is_found_whatever_the_cells_shape),
        cmocka_unit_test(centres_need_not_be_complete),
        cmocka_unit_test(other_grids_have_no_fold),
        cmocka_unit_test(all_ways_to_write_a_grid_give_the_same_weights),
        cmocka_unit_test(the_seam_is_as_good_as_the_interior),
    };
    return cmocka_run_group_tests_name("fold", tests, NULL, NULL);
}

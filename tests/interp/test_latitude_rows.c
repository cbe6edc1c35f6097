/* SPDX-License-Identifier: BSD-3-Clause */
/* Bilinear weights from rows of unlike length, as in reduced Gaussian grids: linear in each of two rows, then between
 * the rows, whatever the order of the cells, with corners or without. */
#include "grids.h"
#include "interp/rows/latitude_rows.h"
#include "interp/sphere/vector.h"
#include "interp/weights/weights.h"
#include "stacks.h"

enum { HALF = 12, ROWS = 2 * HALF, MOST = 20 + 4 * HALF, TARGETS = 3000 };

/* Octahedral: 20 + 4 i cells in row i from either pole, the first of each at `first` of a step east of Greenwich. */
static int row_length(int row)
{
    return 20 + 4 * (row < HALF ? row : ROWS - 1 - row);
}

static double row_latitude(int row)
{
    return PI * ((row + 0.5) / ROWS - 0.5);
}

static int cells_before(int row)
{
    int n = 0;
    for (int r = 0; r < row; r++)
        n += row_length(r);
    return n;
}

/* stride: 1, or cell i of the rows' order stands at i * stride modulo n. */
static h3ou__cells *reduced_grid(double first, bool corners, int stride)
{
    int n = cells_before(ROWS);
    double *lon = malloc(sizeof *lon * (size_t)n), *lat = malloc(sizeof *lat * (size_t)n);
    double *x = malloc(4 * sizeof *x * (size_t)n), *y = malloc(4 * sizeof *y * (size_t)n);
    h3ou__cells *c;
    for (int row = 0, i = 0; row < ROWS; row++)
        for (int k = 0; k < row_length(row); k++, i++) {
            double step = 2 * PI / row_length(row), half = PI / ROWS / 2;
            int at = (int)((int64_t)i * stride % n);
            lon[at] = (k + first) * step;
            lat[at] = row_latitude(row);
            for (int v = 0; v < 4; v++) {
                x[4 * at + v] = lon[at] + (v == 1 || v == 2 ? 0.5 : -0.5) * step;
                y[4 * at + v] = lat[at] + (v > 1 ? half : -half);
            }
        }
    assert_int_equal(h3ou__cells_create("reduced", n, lon, lat, NULL, &c), 0);
    if (corners)
        assert_int_equal(h3ou__cells_set_corners(c, 4, x, y, NULL, H3OU__EDGES_DEFAULT), 0);
    assert_int_equal(h3ou__cells_places(c), 0);
    free(lon);
    free(lat);
    free(x);
    free(y);
    return c;
}

static h3ou__weights *bilinear(h3ou__cells *s, h3ou__cells *t)
{
    h3ou__weights *w = NULL;
    h3ou__weights_options o = {.norm = H3OU__FRACAREA, .threads = 1};
    int err = make_weights("bilinear", s, t, &o, &w);
    if (err)
        print_error("%s\n", h3ou__fail_text());
    assert_int_equal(err, 0);
    return w;
}

/* Adds what a row gives at a longitude, by the formula. */
static void add_row(double sum[], int row, double first, double lon, double coef)
{
    int n = row_length(row);
    double u = lon / (2 * PI) * n - first, part = u - floor(u);
    int west = ((int)floor(u) % n + n) % n;
    sum[cells_before(row) + west] += coef * (1 - part);
    sum[cells_before(row) + (west + 1) % n] += coef * part;
}

static void put_formula(double sum[], double first, double lon, double lat)
{
    double v = (lat / PI + 0.5) * ROWS - 0.5, part = v - floor(v);
    int south = (int)floor(v), north = south + 1;
    add_row(sum, south < 0 ? 0 : south, first, south < 0 ? lon + PI : lon, 1 - part);
    add_row(sum, north == ROWS ? ROWS - 1 : north, first, north == ROWS ? lon + PI : lon, part);
}

static void weights_are_those_of_the_formula(void **state)
{
    (void)state;
    static double sum[ROWS * MOST];
    const double first[] = {0.0, 0.3};
    h3ou__cells *t = make_points(3, TARGETS, false);
    int n = cells_before(ROWS);
    for (int k = 0; k < 4; k++) {
        int stride = k < 2 ? 1 : 5;
        h3ou__cells *s = reduced_grid(first[k % 2], k != 1, stride);
        h3ou__weights *w = bilinear(s, t);
        for (int64_t i = 0; i < t->n; i++) {
            memset(sum, 0, sizeof sum);
            assert_int_equal(w->served[i], 0);
            put_formula(sum, first[k % 2], t->lon[i], t->lat[i]);
            for (int cell = 0; cell < n; cell++)
                for (int64_t l = w->start[i]; l < w->start[i + 1]; l++)
                    sum[cell] -= w->src[l] == (int64_t)cell * stride % n ? w->coef[l] : 0.0;
            for (int cell = 0; cell < n; cell++)
                assert_true(fabs(sum[cell]) < 1e-11);
        }
        h3ou__weights_free(w);
        h3ou__cells_free(s);
    }
    h3ou__cells_free(t);
}

/* Exactly on a row, on a centre, at a pole, and on Greenwich. */
static void targets_may_be_on_rows_and_poles(void **state)
{
    (void)state;
    double lon[] = {0.0, 0.0, 1.0, 2.0, 2.0, 2 * PI, -1e-17},
           lat[] = {row_latitude(5), 0.1, PI / 2, -PI / 2, row_latitude(0), 0.2, 0.3};
    const int links[] = {1, 2, 4, 4, 2, 2, 2};
    h3ou__cells *s = reduced_grid(0.0, false, 1), *t = make("special", 7, lon, lat, NULL);
    h3ou__weights *w = bilinear(s, t);
    for (int i = 0; i < 7; i++) {
        assert_int_equal(w->served[i], 0);
        assert_int_equal(w->start[i + 1] - w->start[i], links[i]);
    }
    h3ou__weights_free(w);
    h3ou__cells_free(s);
    h3ou__cells_free(t);
}

/* A list of rows of one length gives what the same rows and columns give. */
static void rows_of_one_length_are_a_regular_grid(void **state)
{
    (void)state;
    h3ou__cells *regular = boxes(36, 18, 3, NULL), *t = make_points(4, TARGETS, false);
    h3ou__cells *list = make("list", (int)regular->n, regular->lon, regular->lat, NULL);
    h3ou__weights *a = bilinear(list, t), *b = bilinear(regular, t);
    assert_int_equal(a->start[t->n], b->start[t->n]);
    for (int64_t l = 0; l < a->start[t->n]; l++) {
        assert_int_equal(a->src[l], b->src[l]);
        assert_true(fabs(a->coef[l] - b->coef[l]) < 1e-12);
    }
    h3ou__weights_free(a);
    h3ou__weights_free(b);
    h3ou__cells_free(list);
    h3ou__cells_free(regular);
    h3ou__cells_free(t);
}

static void a_masked_neighbour_leaves_the_target(void **state)
{
    (void)state;
    double lon[] = {0.01, 3.0}, lat[] = {row_latitude(6) + 0.01, row_latitude(6) + 0.01};
    h3ou__cells *s = reduced_grid(0.0, true, 1), *t = make("two", 2, lon, lat, NULL);
    s->mask[cells_before(6)] = 0;
    h3ou__weights *w = bilinear(s, t);
    assert_true(w->served[0] < 0 && w->served[1] == 0);
    h3ou__weights_free(w);
    h3ou__cells_free(s);
    h3ou__cells_free(t);
}

/* Of the grid only the cells near the targets are held, as in a run: the weights have the same bits. */
static void parts_give_the_same_bits(void **state)
{
    (void)state;
    double lon[50], lat[50];
    h3ou__cells *s = reduced_grid(0.3, false, 5);
    chance_state = 5;
    for (int i = 0; i < 50; i++) {
        lon[i] = 0.4 * chance();
        lat[i] = 1.17 + 0.4 * chance();
    }
    h3ou__cells *t = make("near", 50, lon, lat, NULL);
    bool *keep = calloc((size_t)s->n, sizeof *keep);
    double reach = 16 / sqrt((double)s->n);
    for (int64_t i = 0; i < s->n; i++)
        for (int k = 0; k < 50; k++)
            keep[i] |= h3ou__dot(s->xyz + 3 * i, t->xyz + 3 * k) > cos(reach);
    h3ou__weights *whole = bilinear(s, t);
    h3ou__cells *part = part_of(s, keep);
    assert_true(part->n < s->n / 2 && s->latitude_rows == 1);
    part->latitude_rows = 1;
    part->dims[0] = s->n;
    h3ou__weights *w = bilinear(part, t);
    assert_int_equal(w->start[t->n], whole->start[t->n]);
    for (int64_t l = 0; l < w->start[t->n]; l++)
        assert_int_equal(part->id[w->src[l]], whole->src[l]);
    assert_memory_equal(w->coef, whole->coef, sizeof(double) * (size_t)w->start[t->n]);
    free(keep);
    h3ou__weights_free(w);
    h3ou__weights_free(whole);
    h3ou__cells_free(part);
    h3ou__cells_free(s);
    h3ou__cells_free(t);
}

static void other_lists_have_no_rows(void **state)
{
    (void)state;
    h3ou__cells *s = make_points(6, 2000, false), *hexagons = triangles(4, NULL), *t = make_points(7, 50, false);
    h3ou__weights *w = NULL;
    h3ou__weights_options o = {.norm = H3OU__FRACAREA};
    assert_int_equal(make_weights("bilinear", s, t, &o, &w), H3OU__EARG);
    assert_non_null(strstr(h3ou__fail_text(), "neither rows and columns nor corners"));
    assert_int_equal(s->latitude_rows, -1);
    w = bilinear(hexagons, t); /* by their corners */
    assert_int_equal(hexagons->latitude_rows, 0);
    h3ou__weights_free(w);
    h3ou__cells_free(s);
    h3ou__cells_free(hexagons);
    h3ou__cells_free(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(weights_are_those_of_the_formula),
        cmocka_unit_test(targets_may_be_on_rows_and_poles),
        cmocka_unit_test(rows_of_one_length_are_a_regular_grid),
        cmocka_unit_test(a_masked_neighbour_leaves_the_target),
        cmocka_unit_test(parts_give_the_same_bits),
        cmocka_unit_test(other_lists_have_no_rows),
    };
    return cmocka_run_group_tests_name("latitude rows", tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Target cells from source values: rows, vectors, missing values and cells without a row. */
#include <math.h>

#include "coupler/exchange/incoming.h"
#include "coupler/exchange/outgoing.h"
#include "units.h"

enum { SLOTS = 3, CELLS = 4, NONE = -7 };

/* Cell 2 is the mean of sources 0 and 1; cell 0 is three times source 2, less source 0; cell 1 has no row, and cell 3
 * gets a fixed value. */
static int64_t row[2] = {0, 2}, first[3] = {0, 2, 4}, begin[2] = {0, SLOTS}, unserved[1] = {1}, fixed[1] = {3};
static int32_t col[4] = {2, 0, 0, 1};
static double coef[4] = {3.0, -1.0, 0.5, 0.5}, fixed_value[1] = {40.0};
static int64_t number[CELLS] = {1, 2, 3, 4};

typedef struct case_of {
    h3ou__config config;
    h3ou__config_var var;
    h3ou__config_pair pair;
    h3ou__plan plan;
    h3ou__grid grid;
    h3ou__incoming in;
    double source[3 * SLOTS], share[SLOTS], raised[3 * CELLS], data[3][CELLS];
    h3ou__vector_frame frame[CELLS];
} case_of;

static void set_up(case_of *c)
{
    static const double source[SLOTS] = {1.0, 3.0, 10.0};
    memset(c, 0, sizeof *c);
    c->var = (h3ou__config_var){.layer = 1, .factor = 2.0, .get = "t", .put = "t"};
    c->plan = (h3ou__plan){.npartner = 1,
                           .start = begin,
                           .rows = {.nrow = 2, .row = row, .start = first, .col = col, .coef = coef},
                           .is_made = true};
    c->plan.left =
        (h3ou__remainder){.nunserved = 1, .unserved = unserved, .nfixed = 1, .fixed = fixed, .value = fixed_value};
    c->grid = (h3ou__grid){.n = CELLS, .index = number};
    memcpy(c->source, source, sizeof source);
    c->in = (h3ou__incoming){.config = &c->config,
                             .var = &c->var,
                             .plan = &c->plan,
                             .n = CELLS,
                             .layer = 1,
                             .model_layer = 1,
                             .grid = &c->grid,
                             .source = c->source,
                             .share = c->share};
    for (int i = 0; i < 3 * CELLS; i++)
        c->data[i / CELLS][i % CELLS] = NONE;
}

static void apply(case_of *c, int count)
{
    const h3ou__arrays to = {
        .rank = 1, .extent = {CELLS}, .count = count, .component = {c->data[0], c->data[1], c->data[2]}};
    h3ou__place place;
    assert_true(h3ou__place_find(&c->grid, &to, 1, &place));
    assert_int_equal(h3ou__incoming_apply(&c->in, &to, &place), H3OU__OK);
    free(c->in.aside_room);
}

static void rows_are_summed_and_the_others_filled(void **state)
{
    case_of c;
    (void)state;
    set_up(&c);
    apply(&c, 1);
    assert_true(c.data[0][0] == 58.0 && c.data[0][2] == 4.0);
    assert_true(isnan(c.data[0][1]) && c.data[0][3] == 40.0);
}

static void a_table_of_the_model_leaves_cells_without_a_row(void **state)
{
    case_of c;
    (void)state;
    set_up(&c);
    c.plan.is_made = false;
    c.plan.left = (h3ou__remainder){0};
    apply(&c, 1);
    assert_true(c.data[0][0] == 58.0 && c.data[0][1] == NONE && c.data[0][3] == NONE);
}

static void missing_sources_do_not_count(void **state)
{
    case_of c;
    (void)state;
    set_up(&c);
    c.source[1] = NAN;
    c.in.has_nan = true;
    c.var.remap.has_missing = 1;
    c.var.remap.missing = -1e30;
    apply(&c, 1);
    assert_true(c.data[0][2] == 2.0); /* of sources 0 and 1 only 0 counts, fully */
    assert_true(c.data[0][1] == -1e30);
    set_up(&c);
    c.source[0] = c.source[1] = NAN;
    c.in.has_nan = true;
    apply(&c, 1);
    assert_true(isnan(c.data[0][2]));
}

static void the_model_may_keep_its_own_values(void **state)
{
    case_of c;
    (void)state;
    set_up(&c);
    c.source[0] = c.source[1] = NAN;
    c.in.has_nan = true;
    c.var.remap.has_missing = c.var.remap.keep_missing = 1;
    c.var.remap.missing = NAN;
    apply(&c, 1);
    assert_true(c.data[0][1] == NONE && c.data[0][2] == NONE && c.data[0][3] == 40.0);
    assert_true(c.data[0][0] == 2.0 * 2.0 * 10.0); /* source 2 alone, with the sum of the row's coefficients */
}

static void shares_weight_the_sources(void **state)
{
    case_of c;
    (void)state;
    set_up(&c);
    c.in.has_share = true;
    c.share[0] = 0.25;
    c.share[1] = 0.75;
    c.share[2] = 1.0;
    apply(&c, 1);
    assert_true(fabs(c.data[0][2] - 2.0 * (0.25 * 1.0 + 0.75 * 3.0)) < 1e-12);
}

/* Each link turns by a right angle: what was north becomes west. */
static void a_table_turns_vectors(void **state)
{
    static double turn[8] = {0, 1, 0, 1, 0, 1, 0, 1};
    case_of c;
    (void)state;
    set_up(&c);
    c.var.is_vector = true;
    c.plan.rotated = true;
    c.plan.turn = turn;
    const double both[2 * SLOTS] = {1.0, 3.0, 10.0, 5.0, 7.0, 9.0};
    memcpy(c.source, both, sizeof both);
    apply(&c, 2);
    assert_true(c.data[0][2] == 2.0 * -6.0 && c.data[1][2] == 2.0 * 2.0);
    assert_true(c.data[0][0] == 2.0 * -(27.0 - 5.0) && c.data[1][0] == 2.0 * 29.0);
    assert_true(isnan(c.data[0][1]) && isnan(c.data[1][1]) && c.data[0][3] == 40.0);
}

/* Cell 2 has a frame whose first direction is y, and whose second is z. */
static void cartesian_components_are_projected(void **state)
{
    case_of c;
    (void)state;
    set_up(&c);
    c.var.is_vector = true;
    c.in.raised = c.raised;
    assert_true(h3ou__axes_create(c.plan.rows.nrow, false, &c.in.axes));
    for (int64_t r = 0; r < c.plan.rows.nrow; r++)
        h3ou__axes_set(&c.in.axes, r, &(h3ou__vector_frame){.first = {0, 1, 0}, .second = {0, 0, 1}});
    const double three[3 * SLOTS] = {1.0, 3.0, 10.0, 5.0, 7.0, 9.0, 2.0, 4.0, 6.0};
    memcpy(c.source, three, sizeof three);
    apply(&c, 2);
    assert_true(c.data[0][2] == 2.0 * 6.0 && c.data[1][2] == 2.0 * 3.0);
    h3ou__axes_free(&c.in.axes);
    set_up(&c);
    c.var.is_vector = c.var.get_xyz = true;
    c.in.raised = c.raised;
    memcpy(c.source, three, sizeof three);
    apply(&c, 3);
    assert_true(c.data[0][2] == 4.0 && c.data[1][2] == 12.0 && c.data[2][2] == 6.0);
    assert_true(isnan(c.data[2][1]) && c.data[2][3] == 40.0);
}

static bool is_near(const double a[3], double x, double y, double z)
{
    return fabs(a[0] - x) < 1e-14 && fabs(a[1] - y) < 1e-14 && fabs(a[2] - z) < 1e-14;
}

static void frames_are_east_and_north_turned_by_the_angle(void **state)
{
    double lon[CELLS] = {0.0, 0.5, 0.0, 0.0}, lat[CELLS] = {0.0, 0.3, 0.0, 1.5707963267948966};
    double angle[CELLS] = {0.0, 0.7, 1.5707963267948966, INFINITY}, x[3], u, v;
    h3ou__grid g = {.name = "bg", .n = CELLS, .index = number, .geometry = {.lon = lon, .lat = lat, .angle = angle}};
    h3ou__vector_frame *f = NULL;
    (void)state;
    assert_int_equal(h3ou__vector_frames_create(&g, &f), H3OU__OK);
    assert_true(is_near(f[0].first, 0, 1, 0) && is_near(f[0].second, 0, 0, 1));
    assert_true(is_near(f[2].first, 0, 0, 1) && is_near(f[2].second, 0, -1, 0));
    assert_true(isnan(f[3].first[0]));
    h3ou__vector_frame_raise(&f[1], 3.0, -4.0, x, 1);
    assert_true(fabs(sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]) - 5.0) < 1e-14);
    h3ou__vector_frame_lower(&f[1], x, 1, &u, &v);
    assert_true(fabs(u - 3.0) < 1e-14 && fabs(v + 4.0) < 1e-14);
    free(f);
    g.geometry = (h3ou__geometry){0};
    assert_int_equal(h3ou__vector_frames_create(&g, &f), H3OU__EARG);
    says("grid bg has no centres");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_summed_and_the_others_filled),
        cmocka_unit_test(a_table_of_the_model_leaves_cells_without_a_row),
        cmocka_unit_test(missing_sources_do_not_count),
        cmocka_unit_test(the_model_may_keep_its_own_values),
        cmocka_unit_test(shares_weight_the_sources),
        cmocka_unit_test(a_table_turns_vectors),
        cmocka_unit_test(cartesian_components_are_projected),
        cmocka_unit_test(frames_are_east_and_north_turned_by_the_angle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

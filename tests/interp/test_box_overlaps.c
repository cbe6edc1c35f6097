/* SPDX-License-Identifier: BSD-3-Clause */
/* The overlaps of columns and rows of two grids of boxes, or of parts of them, beside every pair of columns and of
 * rows. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "interp/grid/box_overlaps.h"
#include "interp/grid/cells.h"
#include "interp/sphere/angles.h"

enum { LINES = 40 };

/* What a grid of boxes is made of: `width` gives the columns, which begin at `west`, degrees. Rows go from south to
 * north, or back. */
typedef struct plan {
    int nx, ny;
    double west, width[LINES];
    bool southward;
    int step; /* of each row this process holds every step-th column, and of the rows every step-th */
} plan;

static h3ou__cells *make_boxes(const plan *p)
{
    double x[2 * LINES], y[2 * LINES], at = p->west;
    for (int i = 0; i < p->nx; i++) {
        x[2 * i] = at * H3OU__RADIANS_PER_DEGREE;
        at += p->width[i];
        x[2 * i + 1] = at * H3OU__RADIANS_PER_DEGREE;
    }
    for (int j = 0; j < p->ny; j++) {
        int k = p->southward ? p->ny - 1 - j : j;
        y[2 * j] = -H3OU__PI / 2 + H3OU__PI * k / p->ny;
        y[2 * j + 1] = -H3OU__PI / 2 + H3OU__PI * (k + 1) / p->ny;
    }
    int64_t id[LINES * LINES], n = 0;
    for (int j = 0; j < p->ny; j += p->step)
        for (int i = 0; i < p->nx; i += p->step)
            id[n++] = i + (int64_t)p->nx * j;
    h3ou__cells *c;
    double lon[LINES * LINES], lat[LINES * LINES];
    for (int64_t k = 0; k < n; k++) {
        lon[k] = 0.5 * (x[2 * (id[k] % p->nx)] + x[2 * (id[k] % p->nx) + 1]);
        lat[k] = 0.5 * (y[2 * (id[k] / p->nx)] + y[2 * (id[k] / p->nx) + 1]);
    }
    assert_int_equal(h3ou__cells_create("boxes", n, lon, lat, NULL, &c), 0);
    assert_int_equal(h3ou__cells_number(c, id), 0);
    assert_int_equal(h3ou__cells_set_boxes(c, p->nx, p->ny, x, y, H3OU__EDGES_LATITUDE), 0);
    return c;
}

static double overlap(double low, double high, double other_low, double other_high)
{
    return fmin(high, other_high) - fmax(low, other_low);
}

/* The target's line t: how many overlaps it has with lines of the source that are held, and how long they are in all.
 */
static void check_line(const h3ou__lists *found, const double *from, const double *to, int t, int nsource, int step,
                       const double *low, const double *high, double tlow, double thigh, double turn)
{
    int64_t n = 0;
    double length = 0.0, have = 0.0;
    for (int s = 0; s < nsource; s += step)
        for (int k = turn > 0 ? -3 : 0; k <= (turn > 0 ? 3 : 0); k++) {
            double common = overlap(tlow, thigh, low[s] + k * turn, high[s] + k * turn);
            n += common > 1e-14;
            length += common > 1e-14 ? common : 0.0;
        }
    assert_int_equal(found->start[t + 1] - found->start[t], n);
    for (int64_t i = found->start[t]; i < found->start[t + 1]; i++) {
        assert_true(i == found->start[t] || found->list[i - 1] <= found->list[i]);
        assert_int_equal(found->list[i] % step, 0);
        have += to[i] - from[i];
    }
    assert_true(fabs(have - length) < 1e-12);
}

static void compare(const plan *from, const plan *to)
{
    h3ou__cells *source = make_boxes(from), *target = make_boxes(to);
    h3ou__box_overlaps o;
    assert_int_equal(h3ou__box_overlaps_make(source, target, &o), 0);
    for (int t = 0; t < to->nx; t += to->step)
        check_line(&o.column, o.west, o.east, t, from->nx, from->step, source->lon_west, source->lon_east,
                   target->lon_west[t], target->lon_east[t], 2 * H3OU__PI);
    for (int t = 0; t < to->ny; t += to->step)
        check_line(&o.row, o.south, o.north, t, from->ny, from->step, source->lat_south, source->lat_north,
                   target->lat_south[t], target->lat_north[t], 0.0);
    for (int y = 0; y < from->ny; y++)
        for (int x = 0; x < from->nx; x++) {
            int64_t id = x + (int64_t)from->nx * y,
                    i = h3ou__cells_find_between(source, id, o.first[y], o.first[y + 1]);
            assert_int_equal(i, h3ou__cells_find(source, id));
            assert_int_equal(i >= 0, x % from->step == 0 && y % from->step == 0);
        }
    assert_int_equal(o.first[from->ny], source->n);
    h3ou__box_overlaps_free(&o);
    h3ou__cells_free(source);
    h3ou__cells_free(target);
}

static plan even(int nx, int ny, double west, bool southward, int step)
{
    plan p = {.nx = nx, .ny = ny, .west = west, .southward = southward, .step = step};
    for (int i = 0; i < nx; i++)
        p.width[i] = nx < 3 ? 179.0 : 360.0 / nx; /* the widest that a grid of boxes may have */
    return p;
}

static void every_pair_that_overlaps_is_found(void **state)
{
    (void)state;
    const double west[] = {0.0, -180.0, -13.7, 355.0, 359.999, 720.0, -1e-15};
    const int columns[] = {1, 2, 3, 7, 24, 36};
    for (size_t w = 0; w < sizeof west / sizeof *west; w++)
        for (size_t a = 0; a < sizeof columns / sizeof *columns; a++)
            for (size_t b = 0; b < sizeof columns / sizeof *columns; b++)
                for (int step = 1; step < 4; step++) {
                    plan from = even(columns[a], 3 + columns[b], west[w], step == 2, step);
                    plan to = even(columns[b], 2 + columns[a], 10.0 * step, a % 2, 1 + (int)w % 3);
                    compare(&from, &to);
                }
}

static void columns_may_have_any_width(void **state)
{
    (void)state;
    unsigned seed = 7;
    for (int run = 0; run < 200; run++) {
        plan p[2];
        for (int k = 0; k < 2; k++) {
            double all = 0.0;
            p[k] = even(2 + rand_r(&seed) % 30, 2 + rand_r(&seed) % 30, rand_r(&seed) % 720 - 360, run % 3 == k,
                        1 + rand_r(&seed) % 3);
            for (int i = 0; i < p[k].nx; i++)
                all += p[k].width[i] = 1.0 + pow(rand_r(&seed) % 100, 2.0);
            for (int i = 0; i < p[k].nx; i++) /* round the sphere, or over a part of it */
                p[k].width[i] = fmin(179.0, p[k].width[i] * (run % 2 ? 360.0 : 200.0) / all);
        }
        compare(&p[0], &p[1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_pair_that_overlaps_is_found),
                                       cmocka_unit_test(columns_may_have_any_width)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

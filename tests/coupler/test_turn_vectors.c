/* SPDX-License-Identifier: BSD-3-Clause */
/* Many vectors are turned with the bits of one, in any number, and a NaN among them is noticed. */
#include "coupler/grid/turn_vectors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "units.h"

enum { CELLS = 67, APART = CELLS + 3 };

static h3ou__vector_frame frame[CELLS];
static double u[CELLS], v[CELLS], x[3 * APART];

/* Sets the frames of a grid, whose first unit vectors are turned from east by `angle`. */
static void make_frames(double angle)
{
    static double lon[CELLS], lat[CELLS], turned[CELLS];
    h3ou__vector_frame *f = NULL;
    for (int i = 0; i < CELLS; i++) { /* the first one at longitude 0, where a number is 0 */
        lon[i] = i * 0.1;
        lat[i] = (i - 33) / 22.0;
        turned[i] = angle;
    }
    h3ou__grid g = {.name = "g", .n = CELLS, .geometry = {.lon = lon, .lat = lat, .angle = turned}};
    assert_int_equal(h3ou__vector_frames_create(&g, &f), H3OU__OK);
    memcpy(frame, f, sizeof frame);
    free(f);
}

static h3ou__axes make(bool point_east)
{
    h3ou__axes a;
    make_frames(point_east ? 0.0 : 0.3);
    assert_true(h3ou__vector_frames_point_east(CELLS, frame) == point_east);
    assert_true(h3ou__axes_create(CELLS, point_east, &a));
    for (int i = 0; i < CELLS; i++) {
        h3ou__axes_set(&a, i, &frame[i]);
        u[i] = i % 9 == 4 ? -0.0 : (i - 30) / 7.0;
        v[i] = i % 7 == 1 ? INFINITY : (i + 3) / 9.0;
    }
    return a;
}

static void raise_in_any_number(bool point_east)
{
    h3ou__axes a = make(point_east);
    for (int first = 0; first < 5; first++)
        for (int n = 0; n <= CELLS - first; n++) {
            for (int i = 0; i < 3 * APART; i++)
                x[i] = -7.0;
            assert_false(h3ou__vectors_raise(&a, first, n, u + first, v + first, APART, x));
            for (int i = 0; i < n; i++) {
                double due[3];
                h3ou__vector_frame_raise(&frame[first + i], u[first + i], v[first + i], due, 1);
                for (int k = 0; k < 3; k++)
                    assert_memory_equal(&x[k * APART + i], &due[k], sizeof *due);
            }
            for (int k = 0; k < 3; k++)
                assert_true(x[k * APART + n] == -7.0);
        }
    for (int at = 0; at < CELLS; at++) {
        double before = u[at];
        u[at] = NAN;
        assert_true(h3ou__vectors_raise(&a, 0, CELLS, u, v, APART, x));
        assert_false(h3ou__vectors_raise(&a, 0, at, u, v, APART, x));
        u[at] = before;
    }
    h3ou__axes_free(&a);
}

static void lower_in_any_number(bool point_east)
{
    h3ou__axes a = make(point_east);
    double got[2][CELLS + 1];
    for (int i = 0; i < 3 * APART; i++)
        x[i] = i % 13 == 5 ? -0.0 : (i - 100) / 11.0;
    for (int first = 0; first < 5; first++)
        for (int n = 0; n <= CELLS - first; n++) {
            got[0][n] = got[1][n] = -7.0;
            h3ou__vectors_lower(&a, first, n, x, APART, got[0], got[1]);
            for (int i = 0; i < n; i++) {
                double due[2];
                h3ou__vector_frame_lower(&frame[first + i], x + i, APART, &due[0], &due[1]);
                assert_memory_equal(&got[0][i], &due[0], sizeof *due);
                assert_memory_equal(&got[1][i], &due[1], sizeof *due);
            }
            assert_true(got[0][n] == -7.0 && got[1][n] == -7.0);
        }
    h3ou__axes_free(&a);
}

static void vectors_are_raised_as_one_is(void **state)
{
    (void)state;
    raise_in_any_number(true);
    raise_in_any_number(false);
}

static void vectors_are_lowered_as_one_is(void **state)
{
    (void)state;
    lower_in_any_number(true);
    lower_in_any_number(false);
}

/* One cell that is turned, or whose second unit vector has other bits, is enough for all six numbers. */
static void frames_that_point_elsewhere_are_noticed(void **state)
{
    (void)state;
    for (int i = 0; i < CELLS; i++)
        for (int k = 0; k < 4; k++) {
            make_frames(0.0);
            assert_true(h3ou__vector_frames_point_east(CELLS, frame));
            double *number = k == 0 ? &frame[i].first[2] : k == 1 ? &frame[i].sine : &frame[i].second[k - 2];
            *number += 0.001;
            assert_false(h3ou__vector_frames_point_east(CELLS, frame));
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vectors_are_raised_as_one_is),
        cmocka_unit_test(vectors_are_lowered_as_one_is),
        cmocka_unit_test(frames_that_point_elsewhere_are_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

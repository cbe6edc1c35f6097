/* SPDX-License-Identifier: BSD-3-Clause */
/* Many vectors are turned with the bits of one, in any number, and a NaN among them is noticed. */
#include "coupler/grid/turn_vectors.h"

#include <math.h>

#include "units.h"

enum { CELLS = 67, APART = CELLS + 3 };

static h3ou__vector_frame frame[CELLS];
static double u[CELLS], v[CELLS], x[3 * APART];

static h3ou__axes make(void)
{
    h3ou__axes a;
    assert_true(h3ou__axes_create(CELLS, &a));
    for (int i = 0; i < CELLS; i++) {
        for (int k = 0; k < 3; k++) {
            frame[i].first[k] = sin(i + k);
            frame[i].second[k] = cos(7.0 * i - k);
        }
        h3ou__axes_set(&a, i, &frame[i]);
        u[i] = i % 9 == 4 ? -0.0 : (i - 30) / 7.0;
        v[i] = i % 7 == 1 ? INFINITY : (i + 3) / 9.0;
    }
    return a;
}

static void vectors_are_raised_as_one_is(void **state)
{
    h3ou__axes a = make();
    (void)state;
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

static void vectors_are_lowered_as_one_is(void **state)
{
    h3ou__axes a = make();
    double got[2][CELLS + 1];
    (void)state;
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vectors_are_raised_as_one_is),
        cmocka_unit_test(vectors_are_lowered_as_one_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* The line through times of messages. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tools/pingpong/route_fit.h"

enum { N = 6 };
static const double bytes[N] = {8, 64, 4096, 65536, 1 << 20, 1 << 24};

static void finds_the_line(void **state)
{
    (void)state;
    double us[N];
    route_fit fit;
    for (int i = 0; i < N; i++)
        us[i] = 1.73 + bytes[i] / 6340;
    assert_int_equal(route_fit_points(bytes, us, N, &fit), 0);
    assert_true(fabs(fit.latency - 1.73) < 1e-9 && fabs(fit.bandwidth - 6340) < 1e-6 && fit.worst < 1e-9);
}

/* Times with errors of up to a tenth: each size counts alike, though the largest takes a thousand times as long. */
static void bears_errors(void **state)
{
    (void)state;
    double us[N];
    route_fit fit;
    for (int i = 0; i < N; i++)
        us[i] = (20 + bytes[i] / 1000) * (i % 2 ? 1.1 : 0.9);
    assert_int_equal(route_fit_points(bytes, us, N, &fit), 0);
    assert_true(fabs(fit.latency - 20) < 2.5 && fabs(fit.bandwidth - 1000) < 120);
    assert_true(fit.worst > 0.05 && fit.worst < 0.25);
}

static void stays_above_zero(void **state)
{
    (void)state;
    route_fit fit;
    const double falling[2] = {10, 5}, steep[3] = {1, 100, 1e6};
    assert_int_equal(route_fit_points(bytes, falling, 2, &fit), 0);
    assert_true(fit.latency > 0 && fit.bandwidth == 64 / 5.0);
    assert_int_equal(route_fit_points(bytes, steep, 3, &fit), 0);
    assert_true(fit.latency > 0 && fit.bandwidth > 0);
    assert_true(route_fit_points(bytes, falling, 1, &fit) != 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(finds_the_line), cmocka_unit_test(bears_errors),
                                       cmocka_unit_test(stays_above_zero)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

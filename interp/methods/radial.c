/* SPDX-License-Identifier: BSD-3-Clause */
/* Radial basis functions over the n nearest sources: multiquadrics (R. L. Hardy, 1971) of the chord and a constant,
 * whose system of equations has one solution for any distinct places (C. A. Micchelli, 1986). */
#include <math.h>
#include <stdbool.h>

#include "interp/stencils/nearest_common.h"

/* NEAREST: sources without the key n. MOST: unknowns. */
enum { NEAREST = 9, MOST = H3OU__NEAR_MOST + 1 };

/* Solves a x = b in place of b, by elimination with pivots; false when a is singular to rounding. */
static bool solve_system(int n, double a[MOST][MOST], double b[MOST])
{
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++)
            best = fabs(a[i][k]) > fabs(a[best][k]) ? i : best;
        if (!(fabs(a[best][k]) > 1e-13))
            return false;
        for (int j = k; j < n; j++) {
            double keep = a[k][j];
            a[k][j] = a[best][j];
            a[best][j] = keep;
        }
        double keep = b[k];
        b[k] = b[best];
        b[best] = keep;
        for (int i = k + 1; i < n; i++) {
            double f = a[i][k] / a[k][k];
            for (int j = k + 1; j < n; j++)
                a[i][j] -= f * a[k][j];
            b[i] -= f * b[k];
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        for (int j = k + 1; j < n; j++)
            b[k] -= a[k][j] * b[j];
        b[k] /= a[k][k];
    }
    return true;
}

/* Of sources that are nearly at one place, as distances of the others go, keeps the first: their system of equations
 * would be nearly singular. */
static int keep_distinct(const h3ou__cells *c, int n, h3ou__near found[])
{
    const double SAME = 1e-3;
    double mean = 0.0;
    int to = 0;
    for (int i = 0; i < n; i++)
        mean += sqrt(found[i].chord2) / n;
    for (int i = 0; i < n; i++) {
        bool again = false;
        for (int k = 0; k < to && !again; k++)
            again = h3ou__chord2(c->xyz + 3 * found[i].point, c->xyz + 3 * found[k].point) <= SAME * SAME * mean * mean;
        if (!again)
            found[to++] = found[i];
    }
    return to;
}

/* The coefficients of the n found; false when the system is singular to rounding (places nearly equal, or a width far
 * too large). */
static bool weigh_found(const h3ou__method_task *task, int n, const h3ou__near found[], double b[MOST])
{
    double a[MOST][MOST], mean = 0.0;
    for (int i = 0; i < n; i++)
        mean += sqrt(found[i].chord2) / n;
    /* Lengths are in mean distances, so that the numbers of the system are about 1. */
    double width2 = task->keys.width * task->keys.width;
    for (int i = 0; i < n; i++) {
        const double *x = task->source->xyz + 3 * found[i].point;
        for (int j = 0; j < n; j++)
            a[i][j] = sqrt(width2 + h3ou__chord2(x, task->source->xyz + 3 * found[j].point) / (mean * mean));
        b[i] = sqrt(width2 + found[i].chord2 / (mean * mean));
        a[i][n] = a[n][i] = 1.0;
    }
    a[n][n] = 0.0;
    b[n] = 1.0;
    return solve_system(n + 1, a, b);
}

static bool is_moderate(int n, const double b[])
{
    const double MOST_COEF = 4.0; /* near 1 where the sources surround the target */
    for (int i = 0; i < n; i++)
        if (!(fabs(b[i]) < MOST_COEF))
            return false;
    return true;
}

static int serve_radial(const h3ou__method_task *task, const void *state, int64_t target, h3ou__row *row)
{
    h3ou__near found[H3OU__NEAR_MOST];
    double b[MOST];
    int n = keep_distinct(task->source, h3ou__near_find(task, state, target, found), found);
    if (n == 0)
        return 0;
    if (n == 1 || found[0].chord2 < 1e-24)
        return h3ou__row_add(row, found[0].point, 1.0);
    if (!weigh_found(task, n, found, b))
        return 0; /* left to the next method */
    /* Far from all sources, or where some of them crowd, fewer of them give less wild coefficients. */
    while (n > 1 && !is_moderate(n, b)) {
        n /= 2;
        if (!weigh_found(task, n, found, b))
            return 0;
    }
    return h3ou__near_add(row, n, found, b);
}

const h3ou__method h3ou__method_radial = {
    .name = "radial",
    .help = "radial basis functions (multiquadrics) over the n (9) nearest",
    .keys = "n width radius",
    .open = h3ou__near_open,
    .serve = serve_radial,
    .close = h3ou__near_close,
    .halo = h3ou__near_halo,
    .nearest = NEAREST,
};

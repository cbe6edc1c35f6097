/* SPDX-License-Identifier: BSD-3-Clause */
#include "interp/stencils/planar_polygon.h"

#include <math.h>

#include "base/error.h"
#include "interp/grid/coincident.h"

static const double SLACK = 1e-12; /* of the polygon: less beyond an edge is rounding */
static const double MOST =
    1e100; /* a quotient beyond this may overflow, which stops models that run with floating-point traps */

static double cross_product(const double a[2], const double b[2])
{
    return a[0] * b[1] - a[1] * b[0];
}

/* Twice the area of the triangle. */
static double double_area(const double a[2], const double b[2], const double c[2])
{
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

static bool is_convex(int n, const double p[][2], double turn)
{
    for (int i = 0; i < n; i++)
        if (double_area(p[i], p[(i + 1) % n], p[(i + 2) % n]) * turn <= 0.0)
            return false;
    return true;
}

/* Coefficients by products of the areas between the origin and the edges: no division, so the edges are no exception.
 */
static void wachspress_coefs(int n, const double p[][2], const double edge[], double coef[])
{
    for (int i = 0; i < n; i++) {
        int before = (i + n - 1) % n;
        coef[i] = double_area(p[before], p[i], p[(i + 1) % n]);
        for (int j = 0; j < n; j++)
            if (j != i && j != before)
                coef[i] *= edge[j];
    }
}

/* Mean value coordinates; false outside (by the number of turns round the origin). */
static bool mean_value(int n, const double p[][2], double scale, double coef[])
{
    double half[H3OU__PATCH_MOST], far[H3OU__PATCH_MOST], turn = 0.0;
    for (int i = 0; i < n; i++) {
        coef[i] = 0.0;
        far[i] = hypot(p[i][0], p[i][1]);
    }
    for (int i = 0; i < n; i++)
        if (far[i] < SLACK * scale) {
            coef[i] = 1.0;
            return true;
        }
    for (int i = 0; i < n; i++) {
        int k = (i + 1) % n;
        double sine = cross_product(p[i], p[k]), cosine = p[i][0] * p[k][0] + p[i][1] * p[k][1];
        if (cosine < 0.0 && fabs(sine) < SLACK * scale * (far[i] + far[k])) { /* on the edge */
            coef[i] = far[k] / (far[i] + far[k]);
            coef[k] = far[i] / (far[i] + far[k]);
            return true;
        }
        double angle = atan2(sine, cosine);
        turn += angle;
        half[i] = tan(0.5 * angle);
    }
    for (int i = 0; i < n; i++)
        coef[i] = (half[(i + n - 1) % n] + half[i]) / far[i];
    return fabs(turn) > 3.0;
}

bool h3ou__patch_barycentric(int n, const double p[][2], double coef[])
{
    double edge[H3OU__PATCH_MOST], whole = 0.0, sum = 0.0;
    if (n < 3 || n > H3OU__PATCH_MOST)
        return false;
    for (int i = 0; i < n; i++) {
        edge[i] = cross_product(p[i], p[(i + 1) % n]);
        whole += edge[i];
    }
    if (whole == 0.0)
        return false;
    if (n <= 12 && is_convex(n, p, whole)) {
        for (int i = 0; i < n; i++) {
            edge[i] /= whole;
            if (edge[i] < -SLACK)
                return false;
        }
        wachspress_coefs(n, p, edge, coef);
    } else if (!mean_value(n, p, sqrt(fabs(whole)), coef))
        return false;
    for (int i = 0; i < n; i++)
        sum += coef[i];
    if (sum == 0.0)
        return false;
    for (int i = 0; i < n; i++)
        coef[i] /= sum;
    return true;
}

/* Where the map is at (u, v), and its derivatives. */
static void bilinear_map(const double p[4][2], const double uv[2], double at[2], double du[2], double dv[2])
{
    double u = uv[0], v = uv[1];
    for (int d = 0; d < 2; d++) {
        at[d] = (1 - u) * (1 - v) * p[0][d] + u * (1 - v) * p[1][d] + u * v * p[2][d] + (1 - u) * v * p[3][d];
        du[d] = (1 - v) * (p[1][d] - p[0][d]) + v * (p[2][d] - p[3][d]);
        dv[d] = (1 - u) * (p[3][d] - p[0][d]) + u * (p[2][d] - p[1][d]);
    }
}

bool h3ou__patch_bilinear(const double p[4][2], double uv[2], bool *convex)
{
    double whole = 0.0, edge[4];
    for (int i = 0; i < 4; i++) {
        edge[i] = cross_product(p[i], p[(i + 1) % 4]);
        whole += edge[i];
    }
    *convex = is_convex(4, p, whole);
    if (!*convex)
        return false;
    for (int i = 0; i < 4; i++)
        if (edge[i] / whole < -SLACK)
            return false;
    /* Begins where a parallelogram of the same middle lines would have it; in a convex quadrilateral I. Newton's steps
     * lead to the one solution. */
    uv[0] = uv[1] = 0.5;
    for (int step = 0; step < 50; step++) {
        double at[2], du[2], dv[2];
        bilinear_map(p, uv, at, du, dv);
        double det = cross_product(du, dv), u = -cross_product(at, dv), v = -cross_product(du, at);
        if (fabs(u) + fabs(v) < MOST * fabs(det)) {
            u /= det;
            v /= det;
        } else { /* the map folds here, outside the quadrilateral: the next step is tried from nearer to its middle */
            u = 0.5 * (0.5 - uv[0]);
            v = 0.5 * (0.5 - uv[1]);
        }
        uv[0] = fmin(1.5, fmax(-0.5, uv[0] + u));
        uv[1] = fmin(1.5, fmax(-0.5, uv[1] + v));
        if (!(fabs(u) + fabs(v) > 1e-15))
            break;
    }
    return uv[0] > -1e-9 && uv[0] < 1 + 1e-9 && uv[1] > -1e-9 && uv[1] < 1 + 1e-9;
}

bool h3ou__patch_put(const h3ou__cells *c, int n, const int64_t cell[], const double coef[], h3ou__row *row, int *err)
{
    double sum = 0.0;
    *err = H3OU__OK;
    for (int i = 0; i < n; i++) {
        if (fabs(coef[i]) < SLACK)
            continue;
        if (cell[i] < 0 || !c->mask[h3ou__cell_of_centre(c, cell[i])])
            return false;
        sum += coef[i];
    }
    if (!(sum > 0.5)) /* coefficients sum to 1, but for rounding */
        return false;
    for (int i = 0; i < n && !*err; i++)
        if (fabs(coef[i]) >= SLACK)
            *err = h3ou__row_add(row, h3ou__cell_of_centre(c, cell[i]), coef[i] / sum);
    return true;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Weights that the coupler makes: a rotation of the sphere from a longitude-latitude grid, its frames turned at random,
 * to scattered cells, some at the poles; and values that are missing.
 *
 *   made A|B CONFIG NX FILE
 *
 * B writes the largest error of the rotation's wind into FILE. Exit code 0 on every rank, or 1 on every rank of B when
 * something else is wrong.
 */
#include <math.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "h3ou.h"

enum { STEP = 600, NEVER = 7, NTARGET = 300, MISSING = -999 };

static const double PI = 3.14159265358979323846;
static const double AXIS[3] = {0.8, -0.3, 0.5};

typedef struct place {
    double lon, lat, angle;
} place;

static double noise(int i, int k) /* 0 to 1 */
{
    uint64_t z = ((uint64_t)i * 4 + (uint64_t)k + 1) * UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return (double)((z ^ (z >> 31)) >> 11) / 9007199254740992.0;
}

static void check(int err, h3ou_ctx *ctx)
{
    if (err)
        h3ou_abort(ctx, err);
}

/* Index from 1. */
static place source(int index, int nx)
{
    int x = (index - 1) % nx, y = (index - 1) / nx;
    return (place){2 * PI * (x + 0.5) / nx, PI * ((y + 0.5) / (nx / 2.0) - 0.5), 2 * PI * noise(index, 0)};
}

static place target(int index)
{
    double lat = index == 1 ? PI / 2 : index == 2 ? -PI / 2 : asin(2 * noise(index, 1) - 1);
    if (index > 2 && index < 40) /* around the poles, inside the last row of the source */
        lat = (index % 2 ? 1 : -1) * (PI / 2 - 0.03 * noise(index, 1));
    return (place){2 * PI * noise(index, 2), lat, 2 * PI * noise(index, 3)};
}

static void wind(place p, double *u, double *v)
{
    double x[3] = {cos(p.lat) * cos(p.lon), cos(p.lat) * sin(p.lon), sin(p.lat)}, w[3];
    for (int k = 0; k < 3; k++)
        w[k] = AXIS[(k + 1) % 3] * x[(k + 2) % 3] - AXIS[(k + 2) % 3] * x[(k + 1) % 3];
    double east = -w[0] * sin(p.lon) + w[1] * cos(p.lon);
    double north = -(w[0] * cos(p.lon) + w[1] * sin(p.lon)) * sin(p.lat) + w[2] * cos(p.lat);
    *u = east * cos(p.angle) + north * sin(p.angle);
    *v = -east * sin(p.angle) + north * cos(p.angle);
}

static int is_masked(int index)
{
    return index % 7 == 3;
}

/* Beyond 60 degrees south nothing is known, and here and there. */
static int is_missing(int index, int nx)
{
    return source(index, nx).lat < -PI / 3 || noise(index, 1) < 0.2;
}

static void define(h3ou_ctx *ctx, int side, int nx, const int *index, int n)
{
    const char *grid = side ? "B_g" : "A_g";
    double *lon = malloc(sizeof(double) * (size_t)(n + 1)), *lat = malloc(sizeof(double) * (size_t)(n + 1));
    double *angle = malloc(sizeof(double) * (size_t)(n + 1));
    int *mask = malloc(sizeof(int) * (size_t)(n + 1));
    for (int i = 0; i < n; i++) {
        place p = side ? target(index[i]) : source(index[i], nx);
        lon[i] = p.lon;
        lat[i] = p.lat;
        angle[i] = p.angle * 180 / PI;
        mask[i] = !is_masked(index[i]);
    }
    check(h3ou_grid_define(ctx, side ? "B" : "A", grid, index, n, 1), ctx);
    check(h3ou_grid_centres(ctx, grid, lon, lat, "radians"), ctx);
    check(h3ou_grid_angle(ctx, grid, angle, "degrees"), ctx);
    if (side)
        check(h3ou_grid_mask(ctx, grid, mask), ctx);
    else
        check(h3ou_grid_shape(ctx, grid, nx, nx / 2, 1, 0), ctx);
    check(h3ou_grid_end(ctx), ctx);
    free(lon);
    free(lat);
    free(angle);
    free(mask);
}

static void put_all(h3ou_ctx *ctx, int nx, const int *index, int n, double *u, double *v)
{
    for (int i = 0; i < n; i++)
        wind(source(index[i], nx), &u[i], &v[i]);
    check(h3ou_put_vector(ctx, "wind", u, v, n, 1), ctx);
    for (int i = 0; i < n; i++) {
        u[i] = is_missing(index[i], nx) ? NAN : 5.0;
        v[i] = is_missing(index[i], nx) ? MISSING : 5.0;
    }
    check(h3ou_put(ctx, "gap", u, n, 1), ctx);
    check(h3ou_put(ctx, "hole", v, n, 1), ctx);
}

static int wrong(const char *what, int cell, double got)
{
    printf("B: %s, cell %d: %g\n", what, cell, got);
    return 1;
}

static int get_all(h3ou_ctx *ctx, const int *index, int n, double *u, double *v, double *error)
{
    int ok, bad = 0;
    for (int i = 0; i < n; i++)
        u[i] = v[i] = NEVER;
    check(h3ou_get_vector(ctx, "wind", u, v, n, 1, &ok), ctx);
    for (int i = 0; i < n; i++) {
        double a, b;
        wind(target(index[i]), &a, &b);
        if (is_masked(index[i]))
            bad += u[i] == NEVER && v[i] == NEVER ? 0 : wrong("a masked cell was set", index[i], u[i]);
        else if (!(hypot(u[i] - a, v[i] - b) <= *error))
            *error = hypot(u[i] - a, v[i] - b);
    }
    for (int i = 0; i < n; i++)
        u[i] = v[i] = NEVER;
    check(h3ou_get(ctx, "gap", u, n, 1, &ok), ctx);
    check(h3ou_get(ctx, "hole", v, n, 1, &ok), ctx);
    for (int i = 0; i < n; i++) {
        if (is_masked(index[i]))
            bad += u[i] == NEVER && v[i] == NEVER ? 0 : wrong("a masked cell was set", index[i], u[i]);
        else if (target(index[i]).lat < -PI / 3 - 0.1)
            bad += isnan(u[i]) && v[i] == MISSING ? 0 : wrong("not missing", index[i], u[i]);
        else if (target(index[i]).lat > -PI / 3 + 0.2)
            bad += (isnan(u[i]) && v[i] == MISSING) || (fabs(u[i] - 5) < 1e-12 && fabs(v[i] - 5) < 1e-12)
                       ? 0
                       : wrong("neither missing nor 5", index[i], u[i]);
    }
    return bad;
}

int main(int argc, char **argv)
{
    if (argc != 5)
        return 2;
    int side = argv[1][0] == 'B', nx = atoi(argv[3]), bad = 0, worst = 0, n = 0;
    int comm, group, size, rank, time[6] = {2000, 2, 28, 23, 0, 0};
    double error = 0.0, largest = 0.0;
    h3ou_ctx *ctx;
    int err = h3ou_open(argv[1], argv[2], 1, &ctx);
    check(err, ctx);
    check(h3ou_local(ctx, &comm, &group, &size, &rank), ctx);
    int all = side ? NTARGET : nx * (nx / 2);
    int *index = malloc(sizeof(int) * (size_t)(all + 1));
    for (int i = 1; i <= all; i++)
        if ((int)(noise(i, 2) * size) % size == rank)
            index[n++] = i;
    for (int i = 0; i < n / 2; i++) { /* in no order */
        int keep = index[i], j = (i * 7919) % n;
        index[i] = index[j];
        index[j] = keep;
    }
    double *u = malloc(sizeof(double) * (size_t)(n + 1)), *v = malloc(sizeof(double) * (size_t)(n + 1));
    define(ctx, side, nx, index, n);
    check(h3ou_time_init(ctx, time), ctx);
    if (side == 0)
        put_all(ctx, nx, index, n, u, v);
    check(h3ou_time_set(ctx, argv[1], time, STEP), ctx);
    if (side == 1)
        bad = get_all(ctx, index, n, u, v, &error);
    MPI_Allreduce(&bad, &worst, 1, MPI_INT, MPI_MAX, MPI_Comm_f2c(comm));
    MPI_Allreduce(&error, &largest, 1, MPI_DOUBLE, MPI_MAX, MPI_Comm_f2c(comm));
    check(h3ou_time_inc(time, STEP), ctx);
    FILE *f = side && rank == 0 ? fopen(argv[4], "w") : NULL;
    if (f) {
        fprintf(f, "%.17g\n", largest);
        fclose(f);
    }
    check(h3ou_close(ctx, time, 1), ctx);
    free(index);
    free(u);
    free(v);
    return worst ? 1 : 0;
}

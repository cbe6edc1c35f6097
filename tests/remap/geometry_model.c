/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A grid of boxes, sheared but for the fault "boxes", some of whose cells are not as they should be, for weights that the
 * coupler makes.
 *
 *   geometry A|B CONFIG FAULT
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "h3ou.h"

enum { NX = 12, NY = 6, BAD = 17, STEP = 60 };

static void check(int err, h3ou_ctx *ctx)
{
    if (err)
        h3ou_abort(ctx, err);
}

static void swap(double *a, double *b)
{
    double keep = *a;
    *a = *b;
    *b = keep;
}

/* Anticlockwise from the south-west; cells at a pole have it twice. */
static void corners(int index, double shear, double lon[4], double lat[4])
{
    static const int right[4] = {0, 1, 1, 0}, up[4] = {0, 0, 1, 1};
    int x = (index - 1) % NX, y = (index - 1) / NX;
    for (int k = 0; k < 4; k++) {
        lat[k] = 180.0 / NY * (y + up[k]) - 90.0;
        lon[k] = 360.0 / NX * (x + right[k]) + shear * lat[k];
    }
}

static void spoil(const char *fault, double lon[4], double lat[4])
{
    if (!strcmp(fault, "crossing") || !strcmp(fault, "masked")) {
        swap(&lon[0], &lon[1]);
    } else if (!strcmp(fault, "degenerate")) {
        for (int k = 0; k < 4; k++) {
            lon[k] = lon[0];
            lat[k] = lat[0];
        }
    } else if (!strcmp(fault, "nan")) {
        lon[2] = NAN;
    } else if (!strcmp(fault, "beyond")) {
        lat[3] = 90.5;
    } else if (!strcmp(fault, "missing")) {
        for (int k = 0; k < 4; k++)
            lon[k] = lat[k] = k % 2 ? 1e20 : NAN;
    }
}

static void turn(double lon[4], double lat[4])
{
    swap(&lon[1], &lon[3]);
    swap(&lat[1], &lat[3]);
}

static void define(h3ou_ctx *ctx, const char *me, const char *fault, const int *index, int n)
{
    const char *grid = me[0] == 'A' ? "A_g" : "B_g";
    double *lon = malloc(sizeof(double) * 4 * (size_t)(n + 1)), *lat = malloc(sizeof(double) * 4 * (size_t)(n + 1));
    double *x = malloc(sizeof(double) * (size_t)(n + 1)), *y = malloc(sizeof(double) * (size_t)(n + 1));
    double *area = malloc(sizeof(double) * (size_t)(n + 1));
    int *mask = malloc(sizeof(int) * (size_t)(n + 1));
    for (int i = 0; i < n; i++) {
        corners(index[i], strcmp(fault, "boxes") != 0 ? 0.1 : 0.0, lon + 4 * i, lat + 4 * i);
        mask[i] = (strcmp(fault, "masked") != 0 && strcmp(fault, "missing") != 0) || index[i] != BAD;
        area[i] = mask[i] ? 0.1 : NAN;
        x[i] = 0.5 * (lon[4 * i] + lon[4 * i + 1]);
        y[i] = 0.5 * (lat[4 * i] + lat[4 * i + 3]);
        if (index[i] == BAD && (!strcmp(fault, "missing") || !strcmp(fault, "nowhere")))
            x[i] = y[i] = me[0] == 'A' ? NAN : 1e20;
        if (me[0] == 'A' && index[i] == BAD)
            spoil(fault, lon + 4 * i, lat + 4 * i);
        if (me[0] == 'A' && !strcmp(fault, "clockwise") && index[i] % 3 == 2)
            turn(lon + 4 * i, lat + 4 * i);
    }
    check(h3ou_grid_define(ctx, me, grid, index, n, 1), ctx);
    check(h3ou_grid_corners(ctx, grid, 4, lon, lat, "degrees"), ctx);
    check(h3ou_grid_mask(ctx, grid, mask), ctx); /* before the centres, which masked cells need not have */
    if (!strcmp(fault, "missing") || !strcmp(fault, "nowhere"))
        check(h3ou_grid_centres(ctx, grid, x, y, "degrees"), ctx);
    if (!strcmp(fault, "missing"))
        check(h3ou_grid_area(ctx, grid, area), ctx);
    if (!strcmp(fault, "shape"))
        check(h3ou_grid_shape(ctx, grid, NX, NY - 1, 1, 0), ctx);
    check(h3ou_grid_end(ctx), ctx);
    free(lon);
    free(lat);
    free(x);
    free(y);
    free(area);
    free(mask);
}

int main(int argc, char **argv)
{
    if (argc != 4)
        return 2;
    int comm, group, size, rank, n = 0, ok, bad = 0, time[6] = {2000, 1, 1, 0, 0, 0}, index[NX * NY];
    double data[NX * NY];
    h3ou_ctx *ctx;
    int err = h3ou_open(argv[1], argv[2], 1, &ctx);
    check(err, ctx);
    check(h3ou_local(ctx, &comm, &group, &size, &rank), ctx);
    for (int i = NX * NY - rank; i >= 1; i -= size)
        index[n++] = i;
    define(ctx, argv[1], argv[3], index, n);
    check(h3ou_time_init(ctx, time), ctx);
    for (int i = 0; i < n; i++)
        data[i] = index[i];
    if (argv[1][0] == 'A')
        check(h3ou_put(ctx, "f", data, n, 1), ctx);
    check(h3ou_time_set(ctx, argv[1], time, STEP), ctx);
    for (int i = 0; i < n; i++)
        data[i] = -1.0;
    if (argv[1][0] == 'B')
        check(h3ou_get(ctx, "f", data, n, 1, &ok), ctx);
    for (int i = 0; i < n && argv[1][0] == 'B'; i++) { /* the two grids have the same cells */
        double want = (!strcmp(argv[3], "masked") || !strcmp(argv[3], "missing")) && index[i] == BAD ? -1.0 : index[i];
        bad += !(fabs(data[i] - want) < 1e-9);
    }
    check(h3ou_time_inc(time, STEP), ctx);
    check(h3ou_close(ctx, time, 1), ctx);
    if (bad)
        printf("%s: %d cells have a wrong value\n", argv[1], bad);
    return bad ? 1 : 0;
}

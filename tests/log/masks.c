/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A component with a grid of boxes, for the log of grids and masks: no field is exchanged.
 *
 * masks A|B CONFIG NX NY MASK SKIP UNITS, MASK: none, sea, land, all, lakes; cells whose index SKIP divides are held by
 * nobody (0: all are held). UNITS is what the corners, which are in radians, are said to be; "turned": radians two
 * turns on; "east": only a part in the east, in radians; "angles": radians, with angles of 90.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "h3ou.h"

static void check(h3ou_ctx *ctx, int code)
{
    if (code)
        h3ou_abort(ctx, code);
}

static int takes_part(const char *mask, double lon, double lat)
{
    int is_land = cos(lat) * cos(lon) > 0.4 || lat > 1.2, is_lake = fabs(lon - 1.0) < 0.2 && fabs(lat) < 0.2;
    return !strcmp(mask, "sea")     ? !is_land
           : !strcmp(mask, "land")  ? is_land
           : !strcmp(mask, "lakes") ? is_lake
                                    : strcmp(mask, "all") != 0;
}

static void define(h3ou_ctx *ctx, char *argv[], int rank, int size)
{
    const char *how = argv[7], *units = strcmp(how, "degrees") ? "radians" : how;
    double width = strcmp(how, "east") ? 1.0 : 0.1, west = width < 1.0 ? 7.0 : strcmp(how, "turned") ? 0.0 : 13.0;
    const double PI = 3.14159265358979323846;
    int nx = atoi(argv[3]), ny = atoi(argv[4]), skip = atoi(argv[6]), n = 0;
    int *index = malloc(sizeof *index * (size_t)(nx * ny)), *mask = malloc(sizeof *mask * (size_t)(nx * ny));
    double(*x)[4] = malloc(sizeof *x * (size_t)(nx * ny)), (*y)[4] = malloc(sizeof *y * (size_t)(nx * ny));
    char grid[8];
    for (int i = rank; i < nx * ny; i += size) {
        double w = west + width * 2 * PI * (i % nx) / nx, e = w + width * 2 * PI / nx, s = -PI / 2 + PI * (i / nx) / ny,
               t = s + PI / ny;
        const double lon[4] = {w, e, e, w}, lat[4] = {s, s, fmin(t, PI / 2), fmin(t, PI / 2)};
        if (skip && (i + 1) % skip == 0)
            continue;
        memcpy(x[n], lon, sizeof lon);
        memcpy(y[n], lat, sizeof lat);
        mask[n] = takes_part(argv[5], 0.5 * (w + e), 0.5 * (s + t));
        index[n++] = i + 1;
    }
    snprintf(grid, sizeof grid, "%s_g", argv[1]);
    check(ctx, h3ou_grid_define(ctx, argv[1], grid, index, n, 1));
    check(ctx, h3ou_grid_corners(ctx, grid, 4, &x[0][0], &y[0][0], units));
    if (strcmp(argv[5], "none") != 0)
        check(ctx, h3ou_grid_mask(ctx, grid, mask));
    double *angle = &x[0][0];
    for (int i = 0; i < n; i++)
        angle[i] = 90.0;
    if (!strcmp(how, "angles"))
        check(ctx, h3ou_grid_angle(ctx, grid, angle, "radians"));
    check(ctx, h3ou_grid_shape(ctx, grid, nx, ny, 1, 0));
    check(ctx, h3ou_grid_end(ctx));
    free(index);
    free(mask);
    free(x);
    free(y);
}

int main(int argc, char **argv)
{
    h3ou_ctx *ctx = NULL;
    int time[6] = {2000, 1, 1, 0, 0, 0}, comm, group, size, rank;
    if (argc != 8)
        return 2;
    check(ctx, h3ou_open(argv[1], argv[2], 1, &ctx));
    check(ctx, h3ou_local(ctx, &comm, &group, &size, &rank));
    define(ctx, argv, rank, size);
    check(ctx, h3ou_time_init(ctx, time));
    check(ctx, h3ou_close(ctx, time, -1));
    return 0;
}

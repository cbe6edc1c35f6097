/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A component that takes no memory of its own once h3ou is open, so that what a process needs then is h3ou's: for check.py and
 * bench/memory_forecast.py.
 *
 *   sized_model COMPONENT OTHER CONFIG NX NY LAYERS FIELDS [bare]
 *
 * Grid COMPONENT_g has the NX x NY boxes of equal degrees, of which each process has rows; it puts COMPONENT_v0, ... and gets
 * OTHER_v0, ..., FIELDS each, for four steps of 600 s. bare: the grid has no coordinates.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mpi.h>

#include "h3ou.h"

enum { STEPS = 4, STEP = 600, CORNERS = 4 };

typedef struct part {
    int nx, ny, n, layers, fields, *index;
    double *lon, *lat, *x, *y; /* degrees; corners [CORNERS * n] */
    double *put, *got;         /* [layers * n] */
} part;

static h3ou_ctx *ctx;

static void check(int err)
{
    if (err)
        h3ou_abort(ctx, err);
}

/* malloc of memory that is there at once. */
static void *take(size_t size)
{
    void *at = malloc(size + 1);
    if (!at)
        exit(1);
    memset(at, 1, size + 1);
    return at;
}

static void add_box(part *p, int i, int j)
{
    double w = 360.0 * i / p->nx, e = 360.0 * (i + 1) / p->nx, s = -90 + 180.0 * j / p->ny, t = -90 + 180.0 * (j + 1) / p->ny;
    const double x[CORNERS] = {w, e, e, w}, y[CORNERS] = {s, s, t, t};
    p->index[p->n] = j * p->nx + i + 1;
    p->lon[p->n] = 0.5 * (w + e);
    p->lat[p->n] = 0.5 * (s + t);
    memcpy(p->x + CORNERS * p->n, x, sizeof x);
    memcpy(p->y + CORNERS * p->n, y, sizeof y);
    p->n++;
}

/* rank, size: of this process in its component, whose processes follow one another. */
static void make_part(part *p, int rank, int size)
{
    int from = p->ny * rank / size, to = p->ny * (rank + 1) / size;
    size_t n = (size_t)(to - from) * (size_t)p->nx;
    p->index = take(sizeof *p->index * n);
    p->lon = take(sizeof *p->lon * n);
    p->lat = take(sizeof *p->lat * n);
    p->x = take(sizeof *p->x * CORNERS * n);
    p->y = take(sizeof *p->y * CORNERS * n);
    p->put = take(sizeof *p->put * n * (size_t)p->layers);
    p->got = take(sizeof *p->got * n * (size_t)p->layers);
    for (int j = from; j < to; j++)
        for (int i = 0; i < p->nx; i++)
            add_box(p, i, j);
}

static void run(const part *p, const char *me, const char *other)
{
    char name[80];
    int time[6] = {2000, 1, 1, 0, 0, 0}, ok;
    check(h3ou_time_init(ctx, time));
    for (int step = -1; step < STEPS; step++) {
        if (step >= 0)
            check(h3ou_time_set(ctx, me, time, STEP));
        for (int k = 0; k < p->fields && step >= 0; k++) {
            snprintf(name, sizeof name, "%s_v%d", other, k);
            check(h3ou_get(ctx, name, p->got, p->n, p->layers, &ok));
        }
        for (int k = 0; k < p->fields; k++) {
            snprintf(name, sizeof name, "%s_v%d", me, k);
            check(h3ou_put(ctx, name, p->put, p->n, p->layers));
        }
        if (step >= 0)
            check(h3ou_time_inc(time, STEP));
    }
    check(h3ou_close(ctx, time, 1));
}

int main(int argc, char **argv)
{
    if (argc < 8)
        return 2;
    part p = {.nx = atoi(argv[4]), .ny = atoi(argv[5]), .layers = atoi(argv[6]), .fields = atoi(argv[7])};
    int rank, size;
    char grid[80];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size); /* the job has this component alone */
    make_part(&p, rank, size);
    check(h3ou_open(argv[1], argv[3], 1, &ctx));
    snprintf(grid, sizeof grid, "%s_g", argv[1]);
    check(h3ou_grid_define(ctx, argv[1], grid, p.index, p.n, p.layers));
    if (argc == 8) {
        check(h3ou_grid_centres(ctx, grid, p.lon, p.lat, "degrees"));
        check(h3ou_grid_corners(ctx, grid, CORNERS, p.x, p.y, "degrees"));
    }
    check(h3ou_grid_end(ctx));
    run(&p, argv[1], argv[2]);
    return 0;
}

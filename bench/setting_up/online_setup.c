/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Time and memory of h3ou_time_init when the coupler makes the weights from coordinates: a component with its part of a
 * grid of boxes of equal degrees. A holds bands of latitude, B sectors of longitude, so that every process of one needs
 * cells of every process of the other.
 *
 *   online_setup A|B CONFIG NX NY [SOURCE_NX SOURCE_NY]
 *
 * With SOURCE_NX and SOURCE_NY, those of A, the leader of B gives a table of four links a cell in place of that, and
 * h3ou_table_set is measured, too. Each process prints: component, wall s, CPU s, MB at most before the calls, MB at
 * most after them, its rank.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "h3ou.h"

typedef struct part {
    int n, *index;
    double *lon, *lat, *x, *y; /* degrees; corners [4 * n] */
} part;

static h3ou_ctx *ctx;

static void check(int err)
{
    if (err)
        h3ou_abort(ctx, err);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double cpu_seconds(const struct rusage *u)
{
    return (double)(u->ru_utime.tv_sec + u->ru_stime.tv_sec) +
           1e-6 * (double)(u->ru_utime.tv_usec + u->ru_stime.tv_usec);
}

static void add_box(part *p, int i, int j, int nx, int ny)
{
    double w = 360.0 * i / nx, e = 360.0 * (i + 1) / nx, s = -90 + 180.0 * j / ny, t = -90 + 180.0 * (j + 1) / ny;
    const double x[4] = {w, e, e, w}, y[4] = {s, s, t, t};
    p->index[p->n] = j * nx + i + 1;
    p->lon[p->n] = 0.5 * (w + e);
    p->lat[p->n] = 0.5 * (s + t);
    memcpy(p->x + 4 * p->n, x, sizeof x);
    memcpy(p->y + 4 * p->n, y, sizeof y);
    p->n++;
}

static part make_part(int nx, int ny, int i0, int i1, int j0, int j1)
{
    size_t n = (size_t)(i1 - i0) * (size_t)(j1 - j0) + 1;
    part p = {.index = malloc(sizeof(int) * n),
              .lon = malloc(sizeof(double) * n),
              .lat = malloc(sizeof(double) * n),
              .x = malloc(4 * sizeof(double) * n),
              .y = malloc(4 * sizeof(double) * n)};
    if (!p.index || !p.lon || !p.lat || !p.x || !p.y)
        exit(1);
    for (int j = j0; j < j1; j++)
        for (int i = i0; i < i1; i++)
            add_box(&p, i, j, nx, ny);
    return p;
}

static void define_grid(const char *me, const part *p, int nx, int ny)
{
    const char *name = me[0] == 'A' ? "A_g" : "B_g";
    check(h3ou_grid_define(ctx, me, name, p->index, p->n, 1));
    check(h3ou_grid_centres(ctx, name, p->lon, p->lat, "degrees"));
    check(h3ou_grid_corners(ctx, name, 4, p->x, p->y, "degrees"));
    check(h3ou_grid_shape(ctx, name, nx, ny, 1, 0));
    check(h3ou_grid_end(ctx));
}

/* A table as bilinear interpolation has it: each target cell has those four source cells between whose centres its own
 * stands. */
typedef struct table {
    int64_t n;
    int *from, *to; /* [n] */
    double *coef;
} table;

static void add_link(table *t, int from, int to, double coef)
{
    t->from[t->n] = from + 1;
    t->to[t->n] = to + 1;
    t->coef[t->n++] = coef;
}

static table make_table(int nx, int ny, int source_nx, int source_ny)
{
    size_t most = (size_t)nx * (size_t)ny * 4;
    table t = {0, malloc(sizeof(int) * most), malloc(sizeof(int) * most), malloc(sizeof(double) * most)};
    if (!t.from || !t.to || !t.coef)
        exit(1);
    for (int to = 0; to < nx * ny; to++) {
        double x = (to % nx + 0.5) * source_nx / nx - 0.5, y = (to / nx + 0.5) * source_ny / ny - 0.5;
        int i = (int)floor(x), j = (int)floor(y);
        for (int k = 0; k < 4; k++) {
            int at_i = (i + k % 2 + source_nx) % source_nx, at_j = j + k / 2;
            at_j = at_j < 0 ? 0 : at_j >= source_ny ? source_ny - 1 : at_j;
            add_link(&t, at_j * source_nx + at_i, to, (k % 2 ? x - i : 1 - (x - i)) * (k / 2 ? y - j : 1 - (y - j)));
        }
    }
    return t;
}

/* Gives what the leader has of the table, or awaits it. */
static void give_table(const char *me, const table *t)
{
    check(h3ou_table_set(ctx, me, "A", "A_g", "B", "B_g", 1, t->from, t->to, t->coef, t->n, H3OU_TABLE_LEADER));
}

int main(int argc, char **argv)
{
    int time[6] = {2000, 1, 1, 0, 0, 0}, comm, group, size, rank, word = 0;
    struct rusage before, after;
    table t = {0};
    if (argc != 5 && argc != 7)
        return 2;
    int nx = atoi(argv[3]), ny = atoi(argv[4]), is_a = argv[1][0] == 'A';
    check(h3ou_open(argv[1], argv[2], 1, &ctx));
    check(h3ou_local(ctx, &comm, &group, &size, &rank));
    part p = is_a ? make_part(nx, ny, 0, nx, ny * rank / size, ny * (rank + 1) / size)
                  : make_part(nx, ny, nx * rank / size, nx * (rank + 1) / size, 0, ny);
    define_grid(argv[1], &p, nx, ny);
    if (argc == 7 && !is_a && rank == 0)
        t = make_table(nx, ny, atoi(argv[5]), atoi(argv[6]));
    /* All begin together, and the last to end is waited for. */
    check(h3ou_bcast_global(ctx, "A", &word, 1, H3OU_TYPE_INT32));
    check(h3ou_bcast_global(ctx, "B", &word, 1, H3OU_TYPE_INT32));
    getrusage(RUSAGE_SELF, &before);
    double begin = now();
    if (argc == 7)
        give_table(argv[1], &t);
    check(h3ou_time_init(ctx, time));
    double took = now() - begin;
    getrusage(RUSAGE_SELF, &after);
    printf("%s %.4f %.4f %.1f %.1f %d\n", argv[1], took, cpu_seconds(&after) - cpu_seconds(&before),
           (double)before.ru_maxrss / 1024, (double)after.ru_maxrss / 1024, rank);
    fflush(stdout);
    check(h3ou_close(ctx, time, 1));
    free(p.index);
    free(p.lon);
    free(p.lat);
    free(p.x);
    free(p.y);
    free(t.from);
    free(t.to);
    free(t.coef);
    return 0;
}

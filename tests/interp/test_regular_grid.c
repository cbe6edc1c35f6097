/* SPDX-License-Identifier: BSD-3-Clause */
/* Processes, here threads, that hold parts of a grid agree on the bounds that one process finds in the whole grid. */
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "interp/grid/cells.h"
#include "interp/rows/regular_grid.h"

enum { NX = 6, NY = 5, N = NX * NY, PROCS = 3, MOST = 400 };

static const double DEGREE = H3OU__PI / 180;

/* The whole grid: radians. */
typedef struct grid {
    double x[4 * N], y[4 * N], lon[N], lat[N];
    unsigned char mask[N];
} grid;

static void make_boxes(grid *g)
{
    for (int i = 0; i < N; i++) {
        double w = 350 + 10.0 * (i % NX), s = -90 + 36.0 * (i / NX);
        const double x[4] = {w, w + 10, w + 10, w}, y[4] = {s, s, s + 36, s + 36};
        for (int k = 0; k < 4; k++) {
            /* Longitudes from 0 to 360, so that neighbours say the same bound with another rounding. */
            g->x[4 * i + k] = fmod(x[k], 360.0) * DEGREE + 1e-13 * i;
            g->y[4 * i + k] = y[k] * DEGREE;
        }
        g->lon[i] = (w + 5) * DEGREE;
        g->lat[i] = (s + 18) * DEGREE;
        g->mask[i] = 1;
    }
}

/* Threads that meet: the last one to come has the least of all. */
typedef struct meeting {
    pthread_barrier_t barrier;
    double given[PROCS][MOST];
} meeting;

typedef struct process {
    meeting *meet;
    const grid *whole;
    int rank, err;
    int64_t nx, ny;
    h3ou__regular_grid found;
    bool aligned;
} process;

static int least(void *user, double value[], int64_t n)
{
    process *p = user;
    meeting *m = p->meet;
    memcpy(m->given[p->rank], value, sizeof *value * (size_t)n);
    pthread_barrier_wait(&m->barrier);
    for (int r = 0; r < PROCS; r++)
        for (int64_t k = 0; k < n; k++)
            value[k] = fmin(value[k], m->given[r][k]);
    pthread_barrier_wait(&m->barrier);
    return 0;
}

/* Process 2 of 3 has no cell; the others have every other one. */
static int take_part(const process *p, grid *mine, int64_t id[])
{
    int n = 0;
    for (int i = 0; i < N; i++)
        if (!p->meet || p->rank == i % 2) {
            memcpy(mine->x + 4 * n, p->whole->x + 4 * i, 4 * sizeof *mine->x);
            memcpy(mine->y + 4 * n, p->whole->y + 4 * i, 4 * sizeof *mine->y);
            mine->lon[n] = p->whole->lon[i];
            mine->lat[n] = p->whole->lat[i];
            mine->mask[n] = p->whole->mask[i];
            id[n++] = i;
        }
    return n;
}

static void *search(void *user)
{
    process *p = user;
    grid mine;
    int64_t id[N];
    int n = take_part(p, &mine, id);
    const h3ou__agreement agree = {p, least}, *with = p->meet ? &agree : NULL;
    const h3ou__corner_lists lists = {.n = n, .most = 4, .lon = mine.x, .lat = mine.y, .mask = mine.mask, .id = id};
    h3ou__cells cells = {.n = n, .id = id, .lon = mine.lon, .lat = mine.lat};
    p->err = h3ou__regular_grid_find(&lists, p->nx, p->ny, N, with, &p->found);
    if (!p->err && p->found.nx > 0)
        p->err = h3ou__regular_grid_centres(&p->found, &cells, with, &p->aligned);
    return NULL;
}

/* What one process finds in the whole grid; all of several must find the same. nx 0: a list. Returns whether it is
 * regular. */
static bool all_find(const grid *whole, int64_t nx, int64_t ny, bool *aligned)
{
    meeting meet;
    pthread_t thread[PROCS];
    process alone = {.whole = whole, .nx = nx, .ny = ny}, p[PROCS];
    search(&alone);
    assert_int_equal(alone.err, 0);
    pthread_barrier_init(&meet.barrier, NULL, PROCS);
    for (int r = 0; r < PROCS; r++) {
        p[r] = (process){.meet = &meet, .whole = whole, .rank = r, .nx = nx, .ny = ny};
        assert_int_equal(pthread_create(&thread[r], NULL, search, &p[r]), 0);
    }
    for (int r = 0; r < PROCS; r++)
        pthread_join(thread[r], NULL);
    pthread_barrier_destroy(&meet.barrier);
    for (int r = 0; r < PROCS; r++) {
        assert_int_equal(p[r].err, 0);
        assert_true(p[r].found.nx == alone.found.nx && p[r].found.ny == alone.found.ny &&
                    p[r].aligned == alone.aligned);
        if (alone.found.nx > 0) {
            assert_memory_equal(p[r].found.lon_bounds, alone.found.lon_bounds, 2 * NX * sizeof(double));
            assert_memory_equal(p[r].found.lat_bounds, alone.found.lat_bounds, 2 * NY * sizeof(double));
        }
        h3ou__regular_grid_free(&p[r].found);
    }
    bool regular = alone.found.nx == NX && alone.found.ny == NY;
    *aligned = alone.aligned;
    h3ou__regular_grid_free(&alone.found);
    return regular;
}

static void whole_grids(void **state)
{
    (void)state;
    grid g;
    bool aligned;
    make_boxes(&g);
    assert_true(all_find(&g, NX, NY, &aligned) && aligned);
    assert_true(all_find(&g, 0, 0, &aligned) && aligned);
    assert_false(all_find(&g, NY, NX, &aligned));
    g.lon[8] += 1e-15;
    assert_true(all_find(&g, 0, 0, &aligned) && !aligned);
}

/* Masked cells may have any corners, but say the bounds of a column or a row that is masked as a whole. */
static void masked_cells(void **state)
{
    (void)state;
    grid g;
    bool aligned;
    make_boxes(&g);
    for (int i = 0; i < N; i++)
        g.mask[i] = i % NX != 2 && i / NX != 3;
    g.y[4 * 2] = 0.3; /* the first of the masked column is no box; the second one says its bounds */
    assert_true(all_find(&g, NX, NY, &aligned));
    for (int i = 2; i < N; i += NX)
        g.y[4 * i] = 0.3;
    assert_false(all_find(&g, NX, NY, &aligned));
    make_boxes(&g);
    for (int k = 0; k < 4; k++)
        g.y[4 * 13 + k] += 0.1;
    assert_false(all_find(&g, NX, NY, &aligned));
    g.mask[13] = 0; /* a box of no row of the grid, whose column and row others say */
    assert_true(all_find(&g, NX, NY, &aligned));
}

/* One cell away from the poles, of whichever process, that is no box or another box. */
static void one_that_differs(void **state)
{
    (void)state;
    for (int i = 7; i < N - NX; i += 7)
        for (int kind = 0; kind < 2; kind++) {
            grid g;
            bool aligned;
            make_boxes(&g);
            g.x[4 * i] += 0.01;
            g.x[4 * i + 3] += kind ? 0.01 : 0.0;
            assert_false(all_find(&g, NX, NY, &aligned));
            assert_false(all_find(&g, 0, 0, &aligned));
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(whole_grids), cmocka_unit_test(masked_cells),
                                       cmocka_unit_test(one_that_differs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Arrays of C programs whose cells stand in regions, each with a halo (h3ou_grid_positions). A has the layers at the
 * index in the middle, B as the last one. Each cell but the first goes to itself.
 *
 *   positions A|B CONFIG
 *
 * Exit code 1 on every rank of the component that found a difference.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "h3ou.h"

enum {
    INSIDE = 6,
    REGIONS = 3,
    HELD = 4,
    LAYERS = 2,
    CELLS = REGIONS * HELD,
    OWN = -7,
    MOST = INSIDE * LAYERS * REGIONS
};

static h3ou_ctx *ctx;
static int is_a, rank, nregion, n, index_of[CELLS], position[2 * CELLS];

static void check(int err)
{
    if (err)
        h3ou_abort(ctx, err);
}

/* Region r is held by process r modulo their number; its cells stand at 4, 3, 2, 1: 0 and 5 are halo. */
static void deal_regions(int size)
{
    for (int r = rank; r < REGIONS; r += size, nregion++)
        for (int i = 0; i < HELD; i++, n++) {
            index_of[n] = r * HELD + i + 1;
            position[2 * n] = HELD - i;
            position[2 * n + 1] = nregion;
        }
}

/* Returns where an element stands in an array (INSIDE, LAYERS, regions) of A or (INSIDE, regions, LAYERS) of B. */
static int place(int cell, int layer, int layers)
{
    const int *at = position + 2 * cell;
    return at[0] + INSIDE * (is_a ? layer + layers * at[1] : at[1] + nregion * layer);
}

static double value(int field, int cell, int layer, int step)
{
    return field * 10000 + step * 1000 + index_of[cell] * 10 + layer;
}

/* An array of the model, of `layers` layers; a plane has the rank 2. */
static h3ou_arrays arrays_of(int type, int rank_of, int layers, void *first, void *second)
{
    h3ou_arrays a = {.type = type, .rank = rank_of, .count = second ? 2 : 1, .component = {first, second}};
    a.extent[0] = INSIDE;
    a.extent[1] = rank_of == 3 && is_a ? layers : nregion;
    a.extent[2] = is_a ? nregion : layers;
    return a;
}

static void put_all(int step)
{
    double cube[MOST], other[MOST], plane[MOST];
    float single[MOST];
    for (int i = 0; i < MOST; i++)
        cube[i] = other[i] = plane[i] = single[i] = OWN;
    for (int c = 0; c < n; c++)
        for (int k = 0; k < LAYERS; k++) {
            cube[place(c, k, LAYERS)] = value(1, c, k, step);
            other[place(c, k, LAYERS)] = -value(1, c, k, step);
            single[place(c, k, LAYERS)] = (float)value(2, c, k, step);
            plane[place(c, 0, 1)] = value(3, c, 0, step);
        }
    h3ou_arrays a = arrays_of(H3OU_TYPE_DOUBLE, 3, LAYERS, cube, NULL),
                f = arrays_of(H3OU_TYPE_FLOAT, 3, LAYERS, single, NULL),
                p = arrays_of(H3OU_TYPE_DOUBLE, 2, 1, plane, NULL),
                v = arrays_of(H3OU_TYPE_DOUBLE, 3, LAYERS, cube, other);
    check(h3ou_put_arrays(ctx, "cube", &a));
    check(h3ou_put_arrays(ctx, "single", &f));
    check(h3ou_put_arrays(ctx, "plane", &p));
    check(h3ou_put_arrays(ctx, "wind", &v));
    check(h3ou_put(ctx, "whole", plane, (int64_t)INSIDE * nregion, 1)); /* h3ou_put takes the array of one layer, too */
}

/* Compares an array with what A put in the step before; elements where no cell of the table stands are as they were. */
static int differs(const char *field, const double got[], int number, int layers, double sign, int step)
{
    double awaited[MOST];
    int bad = 0;
    for (int i = 0; i < MOST; i++)
        awaited[i] = OWN;
    for (int c = 0; c < n; c++)
        for (int k = 0; k < layers; k++)
            if (index_of[c] > 1)
                awaited[place(c, k, layers)] = sign * value(number, c, k, step - 1);
    for (int i = 0; i < INSIDE * nregion * layers; i++)
        if (!(got[i] - awaited[i] < 1e-6 && awaited[i] - got[i] < 1e-6) && bad++ < 3)
            printf("B.%d: %s in step %d at %d: %.17g instead of %.17g\n", rank, field, step, i, got[i], awaited[i]);
    return bad;
}

static int get_all(int step)
{
    double cube[MOST], first[MOST], second[MOST], plane[MOST], whole[MOST], widened[MOST];
    float single[MOST];
    int ok[5], bad = 0;
    for (int i = 0; i < MOST; i++)
        cube[i] = first[i] = second[i] = plane[i] = whole[i] = single[i] = OWN;
    h3ou_arrays a = arrays_of(H3OU_TYPE_DOUBLE, 3, LAYERS, cube, NULL),
                f = arrays_of(H3OU_TYPE_FLOAT, 3, LAYERS, single, NULL),
                p = arrays_of(H3OU_TYPE_DOUBLE, 2, 1, plane, NULL),
                v = arrays_of(H3OU_TYPE_DOUBLE, 3, LAYERS, first, second);
    check(h3ou_get_arrays(ctx, "cube", &a, &ok[0]));
    check(h3ou_get_arrays(ctx, "single", &f, &ok[1]));
    check(h3ou_get_arrays(ctx, "plane", &p, &ok[2]));
    check(h3ou_get_arrays(ctx, "wind", &v, &ok[3]));
    check(h3ou_get(ctx, "whole", whole, (int64_t)INSIDE * nregion, 1, &ok[4]));
    for (int i = 0; i < MOST; i++)
        widened[i] = single[i];
    bad += differs("cube", cube, 1, LAYERS, 1, step) + differs("single", widened, 2, LAYERS, 1, step);
    bad += differs("plane", plane, 3, 1, 1, step) + differs("whole", whole, 3, 1, 1, step);
    bad += differs("wind", first, 1, LAYERS, 1, step) + differs("wind", second, 1, LAYERS, -1, step);
    return bad + (ok[0] + ok[1] + ok[2] + ok[3] + ok[4] != 5);
}

static void define(const char *me)
{
    const int shape_a[] = {INSIDE, -1, nregion}, shape_b[] = {INSIDE, nregion},
              beyond[] = {INSIDE, nregion + CELLS, -1};
    int every[CELLS];
    double lon[CELLS], lat[CELLS], one[CELLS];
    for (int i = 0; i < CELLS; i++) {
        every[i] = i + 1;
        one[i] = 1.0;
    }
    for (int c = 0; c < n; c++) {
        lon[c] = 9.0 * index_of[c];
        lat[c] = 4.0 * index_of[c] - 20.0;
    }
    check(h3ou_grid_define(ctx, me, "g", index_of, n, LAYERS));
    check(h3ou_grid_centres(ctx, "g", lon, lat, "degrees"));
    /* Two cells in one place are refused, and the grid can still be described. */
    if (n > 1) {
        int twice[2 * CELLS] = {0};
        if (h3ou_grid_positions(ctx, "g", 3, beyond, twice) != H3OU_EARG)
            check(h3ou_wrong("two cells in one place were taken"));
    }
    check(h3ou_grid_positions(ctx, "g", is_a ? 3 : 2, is_a ? shape_a : shape_b, position));
    check(h3ou_grid_end(ctx));
    check(h3ou_table_set(ctx, me, "A", "g", "B", "g", 1, is_a ? every + 1 : NULL, is_a ? every + 1 : NULL,
                         is_a ? one : NULL, is_a ? CELLS - 1 : 0, 0));
}

int main(int argc, char **argv)
{
    int comm, group, size, bad = 0, worst = 0, time[6] = {2001, 1, 1, 0, 0, 0};
    if (argc != 3)
        return 2;
    is_a = argv[1][0] == 'A';
    check(h3ou_open(argv[1], argv[2], 1, &ctx));
    check(h3ou_local(ctx, &comm, &group, &size, &rank));
    deal_regions(size);
    define(argv[1]);
    check(h3ou_time_init(ctx, time));
    for (int step = 0; step < 3; step++) {
        if (step > 0)
            check(h3ou_time_set(ctx, argv[1], time, 60));
        if (step > 0 && !is_a)
            bad += get_all(step);
        if (is_a)
            put_all(step);
        if (step > 0)
            check(h3ou_time_add(ctx, time, 60));
    }
    MPI_Allreduce(&bad, &worst, 1, MPI_INT, MPI_MAX, MPI_Comm_f2c(comm));
    check(h3ou_close(ctx, time, 1));
    return worst ? 1 : 0;
}

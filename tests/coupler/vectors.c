/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Vectors on grids of many cells and with many layers, which are turned some at a time: A puts, and B compares what it
 * gets with what plain loops make of the directions at both ends.
 *
 *   vectors A|B CONFIG LAYERS PUTS LARGEST_DIFFERENCE [turned|cartesian]
 *
 * PUTS: in an interval, whose mean is sent; put k has k times the first one's values. turned: the table says by which
 * angle each link turns vectors; cartesian: A puts three components. A has so many cells that its messages of few
 * values are in the order in which rows read them.
 */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "h3ou.h"

enum { CELLS_A = 9000, CELLS_B = 6001, LINKS = 3, STEP = 60, INTERVALS = 3 };

static const double coef_of[LINKS] = {0.5, 0.3, 0.2};
static h3ou_ctx *ctx;
static int is_a, is_turned, is_cartesian, layers, n;
static double *u, *v, *raised[3]; /* [layers][n]; raised: of A, if it puts three components */

static void check(int err)
{
    if (err)
        h3ou_abort(ctx, err);
}

static double lon_of(int i)
{
    return 6.2831853 * fmod(0.618034 * i, 1.0);
}

static double lat_of(int i, int cells)
{
    return asin(-0.98 + 1.96 * (i + 0.5) / cells);
}

/* The directions of east and north. */
static void directions(int i, int cells, double east[3], double north[3])
{
    double lon = lon_of(i), lat = lat_of(i, cells);
    east[0] = -sin(lon);
    east[1] = cos(lon);
    east[2] = 0.0;
    north[0] = -sin(lat) * cos(lon);
    north[1] = -sin(lat) * sin(lon);
    north[2] = cos(lat);
}

static double u_of(int i, int layer)
{
    return sin(0.1 * i + layer);
}

static double v_of(int i, int layer)
{
    return cos(0.3 * i - 2.0 * layer);
}

static int source_of(int target, int link)
{
    return (target * 7 + link * (CELLS_A / LINKS)) % CELLS_A;
}

/* By so much a link turns vectors, in radians. */
static double angle_of(int target, int link)
{
    return 0.01 * target + link;
}

/* In the first half of the targets some have no row, so that the others do not all follow one another. */
static int has_row(int target)
{
    return target > CELLS_B / 2 || target % 11 != 5;
}

/* A gives the table. */
static void set_table(const char *me)
{
    static int from[CELLS_B * LINKS], to[CELLS_B * LINKS];
    static double coef[CELLS_B * LINKS], cosine[CELLS_B * LINKS], sine[CELLS_B * LINKS];
    int entries = 0;
    for (int target = 0; target < CELLS_B && is_a; target++)
        for (int k = 0; k < LINKS && has_row(target); k++, entries++) {
            from[entries] = source_of(target, k) + 1;
            to[entries] = target + 1;
            coef[entries] = coef_of[k];
            cosine[entries] = cos(angle_of(target, k));
            sine[entries] = sin(angle_of(target, k));
        }
    if (is_turned)
        check(h3ou_table_set_rotated(ctx, me, "A", "g", "B", "g", 1, is_a ? from : NULL, is_a ? to : NULL,
                                     is_a ? coef : NULL, is_a ? cosine : NULL, is_a ? sine : NULL, entries,
                                     H3OU_TABLE_LEADER));
    else
        check(h3ou_table_set(ctx, me, "A", "g", "B", "g", 1, is_a ? from : NULL, is_a ? to : NULL, is_a ? coef : NULL,
                             entries, H3OU_TABLE_LEADER));
}

static void set_up(const char *me, int time[6])
{
    int *index = malloc(sizeof *index * (size_t)n);
    double *lon = malloc(sizeof *lon * (size_t)n), *lat = malloc(sizeof *lat * (size_t)n);
    for (int i = 0; i < n; i++) {
        index[i] = i + 1;
        lon[i] = lon_of(i);
        lat[i] = lat_of(i, n);
    }
    check(h3ou_grid_define(ctx, me, "g", index, n, layers));
    check(h3ou_grid_centres(ctx, "g", lon, lat, "radians"));
    check(h3ou_grid_end(ctx));
    set_table(me);
    check(h3ou_time_init(ctx, time));
    free(index);
    free(lon);
    free(lat);
}

static void raise_all(void)
{
    double east[3], north[3];
    for (int i = 0; i < n; i++) {
        directions(i, n, east, north);
        for (int at = i; at < n * layers; at += n)
            for (int d = 0; d < 3; d++)
                raised[d][at] = u[at] * east[d] + v[at] * north[d];
    }
}

static void put(double factor)
{
    h3ou_arrays given = {H3OU_TYPE_DOUBLE, 2, {n, layers}, 2, {u, v}, NULL, 0},
                three = {H3OU_TYPE_DOUBLE, 2, {n, layers}, 3, {raised[0], raised[1], raised[2]}, NULL, 0};
    for (int layer = 0; layer < layers; layer++)
        for (int i = 0; i < n; i++) {
            u[layer * n + i] = factor * u_of(i, layer);
            v[layer * n + i] = factor * v_of(i, layer);
        }
    if (is_cartesian)
        raise_all();
    check(h3ou_put_arrays(ctx, "wind", is_cartesian ? &three : &given));
}

/* Finds a vector by the table that turns each link. */
static void find_turned(int target, int layer, double factor, double due[2])
{
    due[0] = due[1] = 0.0;
    for (int k = 0; k < LINKS; k++) {
        int i = source_of(target, k);
        double a = angle_of(target, k), of_u = factor * u_of(i, layer), of_v = factor * v_of(i, layer);
        due[0] += coef_of[k] * (cos(a) * of_u - sin(a) * of_v);
        due[1] += coef_of[k] * (sin(a) * of_u + cos(a) * of_v);
    }
}

/* Finds it by its Cartesian components. */
static void find_lowered(int target, int layer, double factor, double due[2])
{
    double x[3] = {0.0}, east[3], north[3];
    for (int k = 0; k < LINKS; k++) {
        int i = source_of(target, k);
        directions(i, CELLS_A, east, north);
        for (int d = 0; d < 3; d++)
            x[d] += coef_of[k] * factor * (u_of(i, layer) * east[d] + v_of(i, layer) * north[d]);
    }
    directions(target, n, east, north);
    due[0] = east[0] * x[0] + east[1] * x[1] + east[2] * x[2];
    due[1] = north[0] * x[0] + north[1] * x[1] + north[2] * x[2];
}

/* Returns by how much a vector differs from what it should be. */
static double difference_of(int target, int layer, double factor)
{
    double due[2] = {-5.0, -5.0};
    if (has_row(target))
        (is_turned ? find_turned : find_lowered)(target, layer, factor, due);
    return fmax(fabs(u[layer * n + target] - due[0]), fabs(v[layer * n + target] - due[1]));
}

/* Returns whether something came, and it was not right. */
static int get(double factor, double most)
{
    h3ou_arrays to = {H3OU_TYPE_DOUBLE, 2, {n, layers}, 2, {u, v}, NULL, 0};
    double largest = 0.0;
    int ok;
    for (int i = 0; i < n * layers; i++)
        u[i] = v[i] = -5.0;
    check(h3ou_get_arrays(ctx, "wind", &to, &ok));
    for (int layer = 0; layer < layers && ok; layer++)
        for (int target = 0; target < n; target++)
            largest = fmax(largest, difference_of(target, layer, factor));
    if (ok)
        printf("B: largest difference %g\n", largest);
    return ok && !(largest <= most);
}

int main(int argc, char **argv)
{
    int time[6] = {2000, 1, 1, 0, 0, 0}, wrong = 0;
    if (argc != 6 && argc != 7)
        return 2;
    is_turned = argc == 7 && !strcmp(argv[6], "turned");
    is_cartesian = argc == 7 && !is_turned;
    is_a = !strcmp(argv[1], "A");
    layers = atoi(argv[3]);
    n = is_a ? CELLS_A : CELLS_B;
    u = malloc(sizeof *u * (size_t)(n * layers));
    v = malloc(sizeof *v * (size_t)(n * layers));
    for (int d = 0; d < 3; d++)
        raised[d] = malloc(sizeof *u * (size_t)(n * layers));
    int puts = atoi(argv[4]);
    check(h3ou_open(argv[1], argv[2], 1, &ctx));
    set_up(argv[1], time);
    if (is_a)
        put(1.0);
    for (int step = 0; step <= puts * INTERVALS; step++) {
        check(h3ou_time_set(ctx, argv[1], time, STEP));
        if (is_a)
            put(1.0 + step % puts);
        else
            wrong += get(step == 0 ? 1.0 : 0.5 * (1.0 + puts), atof(argv[5]));
        check(h3ou_time_add(ctx, time, STEP));
    }
    free(u);
    free(v);
    for (int d = 0; d < 3; d++)
        free(raised[d]);
    check(h3ou_close(ctx, time, 1));
    return wrong > 0;
}

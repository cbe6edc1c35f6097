/* SPDX-License-Identifier: BSD-3-Clause */
/* LU-like: symmetric Gauss-Seidel sweeps through a grid of points with five values each. Columns of points are divided in x and y; a process goes on
 * with a layer as soon as it has the edges of those before it, so that short messages run through the grid as a pipeline. */
#include <math.h>
#include <stdlib.h>

#include "kernel.h"

enum { VALUES = 5 };
static const double COUPLING = 0.2;

typedef struct waves {
    int n, first[2], count[2], neighbours[4]; /* points in each direction; mine in x and y; west, east, south, north */
    MPI_Comm comm;
    MPI_Datatype row, column; /* edges of a layer: y constant, x constant */
    double *u;                /* [n + 2][count[1] + 2][count[0] + 2][VALUES] */
} waves;

static double *point(const waves *w, int x, int y, int z)
{
    return w->u + (((size_t)z * (size_t)(w->count[1] + 2) + (size_t)y) * (size_t)(w->count[0] + 2) + (size_t)x) * VALUES;
}

static void waves_make(waves *w, int n)
{
    int dims[2] = {0, 0}, periods[2] = {0, 0}, at[2], rank;
    w->n = n;
    MPI_Dims_create(kernel_size, 2, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &w->comm);
    MPI_Comm_rank(w->comm, &rank);
    MPI_Cart_coords(w->comm, rank, 2, at);
    for (int d = 0; d < 2; d++) {
        w->first[d] = n * at[d] / dims[d];
        w->count[d] = n * (at[d] + 1) / dims[d] - w->first[d];
        MPI_Cart_shift(w->comm, d, 1, &w->neighbours[2 * d], &w->neighbours[2 * d + 1]);
    }
    MPI_Type_contiguous(VALUES * w->count[0], MPI_DOUBLE, &w->row);
    MPI_Type_vector(w->count[1], VALUES, VALUES * (w->count[0] + 2), MPI_DOUBLE, &w->column);
    MPI_Type_commit(&w->row);
    MPI_Type_commit(&w->column);
    w->u = zeros((size_t)(n + 2) * (size_t)(w->count[1] + 2) * (size_t)(w->count[0] + 2), VALUES * sizeof *w->u);
}

static void waves_free(waves *w)
{
    free(w->u);
    MPI_Type_free(&w->row);
    MPI_Type_free(&w->column);
    MPI_Comm_free(&w->comm);
}

static double source(const waves *w, int x, int y, int z, int value)
{
    return ((x + w->first[0]) * 3 + (y + w->first[1]) * 5 + z * 7) % 11 - 5 + value;
}

static const double DIAGONAL = 7 + 0.2 * VALUES;

/* What the equations ask of a value beside its own part. */
static double demand(const waves *w, int x, int y, int z, int value)
{
    const double *p = point(w, x, y, z);
    double sum = source(w, x, y, z, value);
    sum += point(w, x - 1, y, z)[value] + point(w, x + 1, y, z)[value];
    sum += point(w, x, y - 1, z)[value] + point(w, x, y + 1, z)[value];
    sum += point(w, x, y, z - 1)[value] + point(w, x, y, z + 1)[value];
    for (int other = 0; other < VALUES; other++)
        sum += other == value ? 0 : COUPLING * p[other];
    return sum;
}

/* One layer: forward with the values of west and south that are new, backward with those of east and north. */
static void layer_sweep(waves *w, int z, bool is_back)
{
    int nx = w->count[0], ny = w->count[1], before = is_back ? 1 : 0;
    MPI_Recv(point(w, is_back ? nx + 1 : 0, 1, z), 1, w->column, w->neighbours[before], z, w->comm, MPI_STATUS_IGNORE);
    MPI_Recv(point(w, 1, is_back ? ny + 1 : 0, z), 1, w->row, w->neighbours[2 + before], z, w->comm, MPI_STATUS_IGNORE);
    for (int j = 1; j <= ny; j++)
        for (int i = 1; i <= nx; i++) {
            int x = is_back ? nx + 1 - i : i, y = is_back ? ny + 1 - j : j;
            double *p = point(w, x, y, z);
            for (int value = 0; value < VALUES; value++)
                p[value] = demand(w, x, y, z, value) / DIAGONAL;
        }
    MPI_Send(point(w, is_back ? 1 : nx, 1, z), 1, w->column, w->neighbours[1 - before], z, w->comm);
    MPI_Send(point(w, 1, is_back ? 1 : ny, z), 1, w->row, w->neighbours[3 - before], z, w->comm);
}

/* West and south have values from before the way back; then each side is that of the neighbour. */
static void edges_exchange(waves *w)
{
    int nx = w->count[0], ny = w->count[1];
    for (int z = 1; z <= w->n; z++) {
        MPI_Sendrecv(point(w, nx, 1, z), 1, w->column, w->neighbours[1], z, point(w, 0, 1, z), 1, w->column, w->neighbours[0], z, w->comm,
                     MPI_STATUS_IGNORE);
        MPI_Sendrecv(point(w, 1, ny, z), 1, w->row, w->neighbours[3], z, point(w, 1, 0, z), 1, w->row, w->neighbours[2], z, w->comm,
                     MPI_STATUS_IGNORE);
    }
}

/* The norm of what the equations lack, whose parts are lines along z; the sum of all values as the checksum. */
static double residual(waves *w, uint64_t *checksum)
{
    size_t lines = (size_t)w->n * (size_t)w->n;
    double *lacks = zeros(lines, sizeof *lacks), *sums = zeros(lines, sizeof *sums);
    edges_exchange(w);
    for (int y = 1; y <= w->count[1]; y++)
        for (int x = 1; x <= w->count[0]; x++) {
            size_t line = (size_t)(y + w->first[1] - 1) * (size_t)w->n + (size_t)(x + w->first[0] - 1);
            for (int z = 1; z <= w->n; z++)
                for (int value = 0; value < VALUES; value++) {
                    double is = point(w, x, y, z)[value], lack = demand(w, x, y, z, value) - DIAGONAL * is;
                    lacks[line] += lack * lack;
                    sums[line] += is;
                }
        }
    double norm = sqrt(parts_sum(lacks, (int)lines));
    checksum_add(checksum, norm);
    checksum_add(checksum, parts_sum(sums, (int)lines));
    free(lacks);
    free(sums);
    return norm;
}

static bool wavefront_run(bool is_small, double *seconds, uint64_t *checksum)
{
    waves w;
    waves_make(&w, is_small ? 12 : 32);
    double first = residual(&w, checksum), begin = common_time();
    for (int sweep = 0; sweep < (is_small ? 10 : 40); sweep++) {
        for (int z = 1; z <= w.n; z++)
            layer_sweep(&w, z, false);
        for (int z = w.n; z >= 1; z--)
            layer_sweep(&w, z, true);
    }
    *seconds = common_time() - begin;
    double last = residual(&w, checksum);
    waves_free(&w);
    return last < first * (is_small ? 1e-2 : 1e-6);
}

const kernel kernel_wavefront = {"LU", wavefront_run};

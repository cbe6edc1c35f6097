/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Two components whose fields are monitored: A has rows and columns, with a mask; B a list of cells, dealt in no order.
 *
 *   model A|B CONFIG STEPS FILE|- [SECONDS]
 *
 * A puts all fields of the namelist in each step of 600 s, B gets them. FILE.RANK gets a row for each value that was put, or got with
 * ok: field's number from 1, time, component of its layer from 0, cell's index, value. With SECONDS A waits so long in each step.
 * With SLOW_STEP in the environment A waits 3 s
 * in that step. A has so many MEMBERS, if that is set, and with CENTRES the grids have no corners. With FILE_LIMIT in the environment no file may become longer than so many bytes from the second step on.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "h3ou.h"

enum { AX = 24, AY = 12, BX = 15, BY = 10, STEP = 600, LAYERS = 2 };

typedef struct model {
    h3ou_ctx *ctx;
    int is_a, n, *index;
    double *lon, *lat; /* [n][4] degrees */
    FILE *rows;
} model;

static void check(const model *m, int code)
{
    if (code)
        h3ou_abort(m->ctx, code);
}

/* A's cell i, or B's, which are turned by 7 degrees. */
static void corners_of(int is_a, int i, double lon[4], double lat[4])
{
    int nx = is_a ? AX : BX, ny = is_a ? AY : BY;
    double west = (is_a ? 0.0 : 7.0) + 360.0 * (i % nx) / nx, south = -90.0 + 180.0 * (i / nx) / ny;
    const double x[4] = {0, 1, 1, 0}, y[4] = {0, 0, 1, 1};
    for (int k = 0; k < 4; k++) {
        lon[k] = west + 360.0 / nx * x[k];
        lat[k] = south + 180.0 / ny * y[k];
    }
}

static void define(model *m, int rank, int size)
{
    int nx = m->is_a ? AX : BX, ny = m->is_a ? AY : BY, all = nx * ny;
    const char *me = m->is_a ? "A" : "B", *grid = m->is_a ? "A_g" : "B_g";
    int *mask = malloc(sizeof *mask * (size_t)all);
    m->index = malloc(sizeof *m->index * (size_t)all);
    m->lon = malloc(sizeof *m->lon * 4 * (size_t)all);
    m->lat = malloc(sizeof *m->lat * 4 * (size_t)all);
    for (int i = 0; i < all; i++) {
        int cell = m->is_a ? i : (i * 7) % all;
        if (m->is_a ? i * size / all != rank : i % size != rank)
            continue;
        corners_of(m->is_a, cell, m->lon + 4 * m->n, m->lat + 4 * m->n);
        mask[m->n] = cell % 11 != 3;
        m->index[m->n++] = cell + 1;
    }
    check(m, h3ou_grid_define(m->ctx, me, grid, m->index, m->n, LAYERS));
    if (getenv("CENTRES"))
        check(m, h3ou_grid_centres(m->ctx, grid, m->lon, m->lat, "degrees")); /* places of corners do as well */
    else
        check(m, h3ou_grid_corners(m->ctx, grid, 4, m->lon, m->lat, "degrees"));
    if (m->is_a) {
        check(m, h3ou_grid_shape(m->ctx, grid, nx, ny, 1, 0));
        check(m, h3ou_grid_mask(m->ctx, grid, mask));
    }
    check(m, h3ou_grid_end(m->ctx));
    free(mask);
}

/* What is put: of fields whose name begins with s of both signs, of the others above 0; with m some are missing. */
static double value_of(const char *field, const double lon[4], const double lat[4], int layer, int time, int index)
{
    double a = 0.5 * (lon[0] + lon[1]) / 57.29577951308232, b = 0.5 * (lat[0] + lat[2]) / 57.29577951308232;
    double value = cos(b) * cos(a + 1e-4 * time) + 0.3 * sin(3 * b) + 0.1 * layer;
    if (field[0] == 'm' && index % 7 == 0)
        return -999.0;
    return field[0] == 's' ? value : 2.0 + value;
}

static void write_rows(const model *m, int field, int time, int layers, const double data[])
{
    for (int i = 0; m->rows && i < m->n * layers; i++) {
        const double row[5] = {field, time, i / m->n, m->index[i % m->n], data[i]};
        fwrite(row, sizeof row, 1, m->rows);
    }
}

/* Puts or gets all fields of a step. */
static void exchange(const model *m, int time)
{
    int n = m->is_a ? h3ou_put_count(m->ctx) : h3ou_get_count(m->ctx);
    double *data = malloc(sizeof *data * LAYERS * (size_t)(m->n + 1));
    char name[65];
    for (int f = 1; f <= n; f++) {
        int ok = 1;
        check(m, m->is_a ? h3ou_put_name(m->ctx, f, name) : h3ou_get_name(m->ctx, f, name));
        int layers = name[1] == '2' ? LAYERS : 1;
        for (int i = 0; i < m->n * layers; i++)
            data[i] = m->is_a ? value_of(name, m->lon + 4 * (i % m->n), m->lat + 4 * (i % m->n), i / m->n, time, m->index[i % m->n]) : 77.0;
        if (m->is_a)
            check(m, h3ou_put(m->ctx, name, data, m->n, layers));
        else
            check(m, h3ou_get(m->ctx, name, data, m->n, layers, &ok));
        if (ok)
            write_rows(m, f, time, layers, data);
    }
    free(data);
}

int main(int argc, char **argv)
{
    model m = {0};
    int time[6] = {2001, 2, 27, 0, 0, 0}, comm, group, size, rank;
    char file[4096];
    if (argc < 5)
        return 2;
    m.is_a = argv[1][0] == 'A';
    check(&m, h3ou_open(argv[1], argv[2], m.is_a && getenv("MEMBERS") ? atoi(getenv("MEMBERS")) : 1, &m.ctx));
    check(&m, h3ou_local(m.ctx, &comm, &group, &size, &rank));
    snprintf(file, sizeof file, "%s.%d", argv[4], rank);
    if (argv[4][0] != '-' && !(m.rows = fopen(file, "wb")))
        return 3;
    define(&m, rank, size);
    check(&m, h3ou_time_init(m.ctx, time));
    if (m.is_a)
        exchange(&m, -STEP); /* the initial values */
    for (int step = 0; step < atoi(argv[3]); step++) {
        check(&m, h3ou_time_set(m.ctx, m.is_a ? "A" : "B", time, STEP));
        exchange(&m, step * STEP);
        if (step == 0 && getenv("FILE_LIMIT")) {
            const rlim_t bytes = (rlim_t)atol(getenv("FILE_LIMIT"));
            setrlimit(RLIMIT_FSIZE, &(struct rlimit){bytes, bytes});
        }
        if (m.is_a && getenv("SLOW_STEP") && step == atoi(getenv("SLOW_STEP")))
            usleep(3000000);
        if (m.is_a && argc > 5)
            usleep((useconds_t)(1e6 * atof(argv[5])));
        check(&m, h3ou_time_add(m.ctx, time, STEP));
    }
    if (m.rows)
        fclose(m.rows);
    check(&m, h3ou_close(m.ctx, time, -1));
    free(m.index);
    free(m.lon);
    free(m.lat);
    return 0;
}

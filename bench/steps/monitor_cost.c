/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A coupled pair whose steps bench/steps/monitor_cost.py times in turns with those of other pairs.
 *
 *   monitor_cost A|B CONFIG NX NY FIELDS STEPS GO DONE
 *
 * A and B have a process each, which exchanges FIELDS fields of NX times NY cells both ways in every step. For each byte that comes from the pipe
 * GO the process makes a step that is not timed, and STEPS more; A writes the microseconds of one of them to the pipe DONE. At the end of GO
 * it ends.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "h3ou.h"
#include "bench/spread.h"

enum { STEP = 60, MOST_FIELDS = 100 };

typedef struct model {
    h3ou_ctx *ctx;
    char me[2], other[2];
    int nx, ny, cells, fields, time[6], put[MOST_FIELDS], get[MOST_FIELDS];
    double *value, *got;
} model;

static h3ou_ctx *open_ctx;

static void check_call(int err)
{
    if (err)
        h3ou_abort(open_ctx, err);
}

/* Both components have the same grid, of rows and columns. */
static void define_grid(const model *m, const char *name)
{
    static const double x[4] = {0, 1, 1, 0}, y[4] = {0, 0, 1, 1};
    int *index = malloc(sizeof *index * (size_t)m->cells);
    double *lon = malloc(sizeof *lon * 4 * (size_t)m->cells), *lat = malloc(sizeof *lat * 4 * (size_t)m->cells);
    for (int i = 0; i < m->cells; i++) {
        index[i] = i + 1;
        for (int k = 0; k < 4; k++) {
            lon[4 * i + k] = 360.0 * (i % m->nx + x[k]) / m->nx;
            lat[4 * i + k] = -90.0 + 180.0 * (i / m->nx + y[k]) / m->ny;
        }
        m->value[i] = 280.0 + lat[4 * i] / 7.0;
    }
    check_call(h3ou_grid_define(m->ctx, m->me, name, index, m->cells, 1));
    check_call(h3ou_grid_corners(m->ctx, name, 4, lon, lat, "degrees"));
    check_call(h3ou_grid_end(m->ctx));
    free(index);
    free(lon);
    free(lat);
}

static void set_up(model *m, const char *config)
{
    char name[16], grid[3] = {*m->me, 'g'};
    check_call(h3ou_open(m->me, config, 1, &open_ctx));
    m->ctx = open_ctx;
    define_grid(m, grid);
    check_call(h3ou_time_init(m->ctx, m->time));
    for (int k = 0; k < m->fields; k++) {
        snprintf(name, sizeof name, "%s_v%d", m->me, k);
        check_call(h3ou_field(m->ctx, name, &m->put[k]));
        snprintf(name, sizeof name, "%s_v%d", m->other, k);
        check_call(h3ou_field(m->ctx, name, &m->get[k]));
        check_call(h3ou_field_put(m->ctx, m->put[k], m->value, m->cells, 1));
    }
}

static void make_step(model *m)
{
    int ok;
    check_call(h3ou_time_set(m->ctx, m->me, m->time, STEP));
    for (int k = 0; k < m->fields; k++)
        check_call(h3ou_field_get(m->ctx, m->get[k], m->got, m->cells, 1, &ok));
    for (int k = 0; k < m->fields; k++)
        check_call(h3ou_field_put(m->ctx, m->put[k], m->value, m->cells, 1));
    check_call(h3ou_time_inc(m->time, STEP));
}

/* Makes a round for each byte of the pipe. */
static void run_rounds(model *m, int steps, int go, int done)
{
    char byte;
    while (read(go, &byte, 1) == 1) {
        make_step(m);
        double begin = seconds_now();
        for (int i = 0; i < steps; i++)
            make_step(m);
        if (*m->me == 'A')
            dprintf(done, "%.9g\n", 1e6 * (seconds_now() - begin) / steps);
    }
}

int main(int argc, char **argv)
{
    if (argc != 9)
        return 2;
    char me = argv[1][0], other = me == 'A' ? 'B' : 'A';
    static model m = {.time = {2000, 1, 1, 0, 0, 0}};
    m.me[0] = me;
    m.other[0] = other;
    m.nx = atoi(argv[3]);
    m.ny = atoi(argv[4]);
    m.fields = atoi(argv[5]);
    if (m.nx < 1 || m.ny < 1 || m.nx > 10000 || m.ny > 10000 || m.fields < 1 || m.fields > MOST_FIELDS)
        return 2;
    m.cells = m.nx * m.ny;
    m.value = calloc((size_t)m.cells, sizeof *m.value);
    m.got = calloc((size_t)m.cells, sizeof *m.got);
    set_up(&m, argv[2]);
    int go = open(argv[7], O_RDONLY), done = open(argv[8], O_WRONLY);
    if (go < 0 || done < 0)
        h3ou_abort_text(m.ctx, "monitor_cost: its pipes cannot be opened");
    run_rounds(&m, atoi(argv[6]), go, done);
    close(go);
    close(done);
    check_call(h3ou_close(m.ctx, m.time, 1));
    free(m.value);
    free(m.got);
    return 0;
}

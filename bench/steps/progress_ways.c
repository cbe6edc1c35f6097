/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Models that compute while long messages travel between their jobs, both ways in every step.
 *
 *   progress_ways A|B CONFIG CELLS WORK DEVICE STEPS ROUNDS
 *
 * Each process has CELLS cells, which it exchanges with the process of its rank in the other component. A step begins, gets, puts, and
 * computes: WORK million dependent multiplications on its core, or, with DEVICE above 0, it sleeps for so many milliseconds, as a model
 * does that computes on another device. ROUNDS of STEPS steps without the computation, of the computation alone, and of both take
 * turns. Rank 0 of A prints for each of the three the median, least and most milliseconds of a step over the rounds.
 */
#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "h3ou.h"
#include "bench/spread.h"
#include "waitio.h"

enum { STEP = 60, KINDS = 3 }; /* s; exchange alone, computation alone, both */

typedef struct model {
    h3ou_ctx *ctx;
    char me[2], other[2], grid[3], other_grid[3], put[3], get[3];
    int cells, rank, work, device, time[6];
    double *value;
} model;

static volatile double sink = 1.0;
static h3ou_ctx *open_ctx;

static void check_call(int err)
{
    if (err)
        h3ou_abort(open_ctx, err);
}

static void set_up(model *m, const char *config)
{
    int comm, group, size, *index = malloc(sizeof(int) * (size_t)m->cells);
    double *coef = malloc(sizeof(double) * (size_t)m->cells);
    check_call(h3ou_open(m->me, config, 1, &open_ctx));
    m->ctx = open_ctx;
    check_call(h3ou_local(m->ctx, &comm, &group, &size, &m->rank));
    for (int i = 0; i < m->cells; i++) {
        index[i] = m->rank * m->cells + i + 1;
        coef[i] = 1.0;
    }
    check_call(h3ou_grid_define(m->ctx, m->me, m->grid, index, m->cells, 1));
    check_call(h3ou_grid_end(m->ctx));
    for (int k = 0; k < 2; k++) {
        int i_get = (*m->me == 'A') == k;
        check_call(h3ou_table_set(m->ctx, m->me, i_get ? m->other : m->me, i_get ? m->other_grid : m->grid, i_get ? m->me : m->other,
                                  i_get ? m->grid : m->other_grid, 1, i_get ? index : NULL, i_get ? index : NULL, i_get ? coef : NULL,
                                  i_get ? m->cells : 0, H3OU_TABLE_SPREAD));
    }
    check_call(h3ou_time_init(m->ctx, m->time));
    check_call(h3ou_put(m->ctx, m->put, m->value, m->cells, 1));
    free(index);
    free(coef);
}

static void exchange(model *m)
{
    int ok;
    check_call(h3ou_time_set(m->ctx, m->me, m->time, STEP));
    check_call(h3ou_get(m->ctx, m->get, m->value, m->cells, 1, &ok));
    if (!ok)
        h3ou_abort_text(m->ctx, "progress_ways: a get returned nothing");
    check_call(h3ou_put(m->ctx, m->put, m->value, m->cells, 1));
    check_call(h3ou_time_inc(m->time, STEP));
}

static void compute(const model *m)
{
    struct timespec device = {m->device / 1000, m->device % 1000 * 1000000L};
    double x = sink;
    if (m->device)
        nanosleep(&device, NULL);
    else
        for (int64_t i = 0; i < m->work * INT64_C(1000000); i++)
            x = x * 0.999999 + 1e-6;
    sink = x;
}

/* Waits for all processes of this job, without taking a core from those that compute. What other jobs receive from this process goes
 * on meanwhile, or they could wait for it for ever. */
static void await_job(void)
{
    MPI_Request request;
    int done = 0;
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    for (MPI_Test(&request, &done, MPI_STATUS_IGNORE); !done; MPI_Test(&request, &done, MPI_STATUS_IGNORE))
        waitio_progress(1e-4);
}

/* Returns the milliseconds of a step of a round, from when all processes of both jobs begin until those of this one have ended. */
static double run_round(model *m, bool exchanges, bool computes, int steps)
{
    exchange(m);
    await_job();
    exchange(m);
    await_job();
    double begin = seconds_now();
    for (int i = 0; i < steps; i++) {
        if (exchanges)
            exchange(m);
        if (computes)
            compute(m);
    }
    await_job();
    return 1e3 * (seconds_now() - begin) / steps;
}

static void run_rounds(model *m, int steps, int rounds)
{
    double *took[KINDS];
    for (int kind = 0; kind < KINDS; kind++)
        took[kind] = malloc(sizeof **took * (size_t)(rounds + 1));
    for (int i = 0; i < 4; i++) /* opens connections, and memory that both share */
        exchange(m);
    for (int i = 0; i < rounds; i++)
        for (int kind = 0; kind < KINDS; kind++)
            took[kind][i] = run_round(m, kind != 1, kind != 0, steps);
    for (int kind = 0; kind < KINDS; kind++) {
        if (*m->me == 'A' && m->rank == 0)
            spread_print(took[kind], rounds, 1.0);
        free(took[kind]);
    }
}

int main(int argc, char **argv)
{
    if (argc != 8)
        return 2;
    char me = argv[1][0], other = me == 'A' ? 'B' : 'A';
    model m = {.me = {me}, .other = {other}, .grid = {me, 'g'}, .other_grid = {other, 'g'}, .put = {me, 'v'}, .get = {other, 'v'},
               .cells = atoi(argv[3]), .work = atoi(argv[4]), .device = atoi(argv[5]), .time = {2000, 1, 1, 0, 0, 0}};
    MPI_Init(NULL, NULL);
    m.value = calloc((size_t)m.cells + 1, sizeof *m.value);
    set_up(&m, argv[2]);
    run_rounds(&m, atoi(argv[6]), atoi(argv[7]));
    check_call(h3ou_close(m.ctx, NULL, 0));
    free(m.value);
    MPI_Finalize();
    return 0;
}

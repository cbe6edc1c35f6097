/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Many fields between many processes, both ways in every step, beside the same messages in plain MPI.
 *
 *   many_fields A|B CONFIG PROCESSES FIELDS CELLS STEPS ROUNDS PAIRS
 *
 * Both components are in one job, A's processes first, PROCESSES each, with CELLS cells each. A target is the mean of two sources, of
 * which one is half a block further: every process sends its whole block to one process of the other component, and half of it to
 * another. The plain messages have the same lengths, one for each field and partner, and are waited for by MPI_Testall and sched_yield.
 * Rounds of STEPS steps alternate. Rank 0 of A prints the seconds that set-up took (h3ou_open to h3ou_time_init), then for the library
 * and for plain MPI the median, least and most microseconds of a step over the rounds. PAIRS: pairs of grids in each
 * direction, each with a table.
 */
#include <mpi.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

#include "h3ou.h"
#include "bench/spread.h"

enum { HEAD = 8, PARTNERS = 2 }; /* numbers in front of the values of a message; partners of a process in each direction */

typedef struct model {
    h3ou_ctx *ctx;
    char me, other;
    int processes, fields, cells, rank, time[6];
    int *put, *get; /* [fields] handles */
    double *value;
    int to[PARTNERS], from[PARTNERS], sent[PARTNERS], received[PARTNERS]; /* world ranks, and lengths */
    MPI_Request *request;
    MPI_Status *status;
    double *buffer;
} model;

static h3ou_ctx *open_ctx;

static void check_call(int err)
{
    if (err)
        h3ou_abort(open_ctx, err);
}

static void set_tables(model *m, int pairs)
{
    int n = m->cells, all = n * m->processes, *send = malloc(sizeof(int) * (size_t)(2 * n)), *recv = malloc(sizeof(int) * (size_t)(2 * n));
    double *coef = malloc(sizeof(double) * (size_t)(2 * n));
    const char me[2] = {m->me}, other[2] = {m->other}, mine[3] = {m->me, 'g'}, theirs[3] = {m->other, 'g'};
    for (int i = 0; i < n; i++) {
        int cell = m->rank * n + i;
        recv[2 * i] = recv[2 * i + 1] = cell + 1;
        send[2 * i] = cell + 1;
        send[2 * i + 1] = (cell + n / 2) % all + 1;
        coef[2 * i] = coef[2 * i + 1] = 0.5;
    }
    for (int k = 0; k < 2 * pairs; k++) {
        int i_get = (m->me == 'A') != (k < pairs);
        check_call(h3ou_table_set(m->ctx, me, i_get ? other : me, i_get ? theirs : mine, i_get ? me : other, i_get ? mine : theirs,
                                  k % pairs + 1, i_get ? send : NULL, i_get ? recv : NULL, i_get ? coef : NULL, i_get ? 2 * n : 0, H3OU_TABLE_SPREAD));
    }
    free(send);
    free(recv);
    free(coef);
}

static void set_up(model *m, const char *config, int pairs)
{
    const char me[2] = {m->me}, grid[3] = {m->me, 'g'};
    int comm, group, size, *index = malloc(sizeof(int) * (size_t)m->cells);
    check_call(h3ou_open(me, config, 1, &open_ctx));
    m->ctx = open_ctx;
    check_call(h3ou_local(m->ctx, &comm, &group, &size, &m->rank));
    for (int i = 0; i < m->cells; i++)
        index[i] = m->rank * m->cells + i + 1;
    check_call(h3ou_grid_define(m->ctx, me, grid, index, m->cells, 1));
    check_call(h3ou_grid_end(m->ctx));
    set_tables(m, pairs);
    check_call(h3ou_time_init(m->ctx, m->time));
    free(index);
}

static void find_fields(model *m)
{
    m->put = malloc(sizeof(int) * (size_t)(m->fields + 1));
    m->get = malloc(sizeof(int) * (size_t)(m->fields + 1));
    for (int k = 0; k < m->fields; k++) {
        char name[16];
        snprintf(name, sizeof name, "%c_v%d", m->me, k);
        check_call(h3ou_field(m->ctx, name, &m->put[k]));
        snprintf(name, sizeof name, "%c_v%d", m->other, k);
        check_call(h3ou_field(m->ctx, name, &m->get[k]));
    }
}

static void put_all(model *m)
{
    for (int k = 0; k < m->fields; k++)
        check_call(h3ou_field_put(m->ctx, m->put[k], m->value, m->cells, 1));
}

static void step_library(model *m)
{
    const char me[2] = {m->me};
    int ok;
    check_call(h3ou_time_set(m->ctx, me, m->time, 60));
    for (int k = 0; k < m->fields; k++) {
        check_call(h3ou_field_get(m->ctx, m->get[k], m->value, m->cells, 1, &ok));
        if (!ok)
            h3ou_abort_text(m->ctx, "many_fields: a get returned nothing");
    }
    put_all(m);
    check_call(h3ou_time_inc(m->time, 60));
}

static void prepare_plain(model *m)
{
    int n = m->cells, p = m->processes, theirs = m->me == 'A' ? p : 0;
    m->to[0] = m->from[0] = theirs + m->rank;
    m->to[1] = theirs + (m->rank + p - 1) % p;
    m->from[1] = theirs + (m->rank + 1) % p;
    m->sent[0] = m->received[0] = n + HEAD;
    m->sent[1] = m->received[1] = n / 2 + HEAD;
    m->request = malloc(sizeof *m->request * (size_t)(2 * PARTNERS * m->fields));
    m->status = malloc(sizeof *m->status * (size_t)(2 * PARTNERS * m->fields));
    m->buffer = calloc((size_t)(2 * PARTNERS * m->fields) * (size_t)(n + HEAD), sizeof *m->buffer);
}

static void step_plain(model *m)
{
    int n = 0, done = 0;
    double *at = m->buffer;
    for (int k = 0; k < m->fields; k++)
        for (int i = 0; i < PARTNERS; i++, at += m->cells + HEAD)
            MPI_Irecv(at, m->received[i], MPI_DOUBLE, m->from[i], k, MPI_COMM_WORLD, &m->request[n++]);
    for (int k = 0; k < m->fields; k++)
        for (int i = 0; i < PARTNERS; i++, at += m->cells + HEAD)
            MPI_Isend(at, m->sent[i], MPI_DOUBLE, m->to[i], k, MPI_COMM_WORLD, &m->request[n++]);
    for (;;) {
        MPI_Testall(n, m->request, &done, m->status);
        if (done)
            return;
        sched_yield();
    }
}

/* Returns the microseconds of a step of one round. */
static double run_round(model *m, void step(model *), int steps)
{
    MPI_Barrier(MPI_COMM_WORLD);
    double begin = seconds_now();
    for (int i = 0; i < steps; i++)
        step(m);
    MPI_Barrier(MPI_COMM_WORLD);
    return 1e6 * (seconds_now() - begin) / steps;
}

static void run_rounds(model *m, int steps, int rounds, double setup)
{
    double *library = malloc(sizeof *library * (size_t)(rounds + 1)), *plain = malloc(sizeof *plain * (size_t)(rounds + 1));
    prepare_plain(m);
    run_round(m, step_library, 1); /* opens connections */
    run_round(m, step_plain, 1);
    for (int i = 0; i < rounds; i++) {
        library[i] = run_round(m, step_library, steps);
        plain[i] = run_round(m, step_plain, steps);
    }
    if (m->me == 'A' && m->rank == 0) {
        printf(" %.4f", setup);
        spread_print(library, rounds, 1.0);
        spread_print(plain, rounds, 1.0);
        printf("\n");
    }
    free(library);
    free(plain);
    free(m->request);
    free(m->status);
    free(m->buffer);
}

int main(int argc, char **argv)
{
    if (argc != 9)
        return 2;
    model m = {.me = argv[1][0], .time = {2000, 1, 1, 0, 0, 0}};
    m.other = m.me == 'A' ? 'B' : 'A';
    m.processes = atoi(argv[3]);
    m.fields = atoi(argv[4]);
    m.cells = atoi(argv[5]);
    int steps = atoi(argv[6]), rounds = atoi(argv[7]);
    MPI_Init(NULL, NULL);
    MPI_Barrier(MPI_COMM_WORLD);
    double begin = seconds_now();
    m.value = calloc((size_t)m.cells, sizeof *m.value);
    set_up(&m, argv[2], atoi(argv[8]));
    MPI_Barrier(MPI_COMM_WORLD);
    double setup = seconds_now() - begin;
    find_fields(&m);
    put_all(&m);
    run_rounds(&m, steps, rounds, setup);
    check_call(h3ou_close(m.ctx, NULL, 0));
    free(m.put);
    free(m.get);
    free(m.value);
    MPI_Finalize();
    return 0;
}

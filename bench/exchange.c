/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Set-up and step time of one exchange, beside its raw cost in the same run: two components, one process each; every
 * step both put and get one field through a table of four links per target cell.
 *
 *   exchange A|B CONFIG CELLS_A CELLS_B LAYERS ROUNDS STEPS
 *
 * Raw: the same bytes in both directions (MPI_Sendrecv inside one job, a TCP connection of its own between two jobs),
 * and the product of the same table with the received values. Rounds of h3ou and raw alternate. A prints one line:
 * set-up in s, then h3ou's time, the raw time and their ratio in ms per step, each as median, least, most.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "h3ou.h"
#include "raw_tcp.h"
#include "spread.h"
#include "link_table.h"

enum { LINKS = CELL_LINKS, STEP = 60, MOST_ROUNDS = 1000 };

typedef struct side {
    int n;     /* my cells */
    int other; /* the other's */
    int layers;
    double *mine, *theirs, *got; /* what is put; what arrives raw; the interpolated field */
    link_table table;
} side;

static h3ou_ctx *ctx;

static void check_call(int err)
{
    if (err)
        h3ou_abort(ctx, err);
}

static void run_raw_steps(const side *s, int fd, int rank, int steps)
{
    int64_t nout = (int64_t)s->n * s->layers, nin = (int64_t)s->other * s->layers;
    for (int i = 0; i < steps; i++) {
        if (fd >= 0)
            raw_tcp_swap(fd, s->mine, sizeof(double) * (size_t)nout, s->theirs, sizeof(double) * (size_t)nin);
        else
            MPI_Sendrecv(s->mine, (int)nout, MPI_DOUBLE, 1 - rank, 0, s->theirs, (int)nin, MPI_DOUBLE, 1 - rank, 0,
                         MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        link_table_apply(&s->table, s->layers, s->theirs, s->got);
    }
}

static void run_coupled_steps(const side *s, const char *me, int steps, int time[6])
{
    int ok;
    for (int i = 0; i < steps; i++) {
        check_call(h3ou_time_set(ctx, me, time, STEP));
        check_call(h3ou_get(ctx, me[0] == 'A' ? "B_v" : "A_v", s->got, s->n, s->layers, &ok));
        check_call(h3ou_put(ctx, me[0] == 'A' ? "A_v" : "B_v", s->mine, s->n, s->layers));
        check_call(h3ou_time_inc(time, STEP));
    }
    /* A send is completed by later calls only, so both must have received everything before the raw part begins. */
    int word = 0;
    check_call(h3ou_bcast_global(ctx, "A", &word, 1, H3OU_TYPE_INT32));
    check_call(h3ou_bcast_global(ctx, "B", &word, 1, H3OU_TYPE_INT32));
}

static double set_up(const side *s, const char *me, int time[6])
{
    int is_a = me[0] == 'A', *index = malloc(sizeof(int) * (size_t)s->n),
        *send = malloc(sizeof(int) * (size_t)s->n * LINKS), *recv = malloc(sizeof(int) * (size_t)s->n * LINKS);
    for (int i = 0; i < s->n; i++)
        index[i] = i + 1;
    for (int i = 0; i < s->n * LINKS; i++) {
        send[i] = s->table.col[i] + 1;
        recv[i] = i / LINKS + 1;
    }
    double begin = seconds_now();
    check_call(h3ou_grid_define(ctx, me, is_a ? "A_g" : "B_g", index, s->n, s->layers));
    check_call(h3ou_grid_end(ctx));
    /* Each side gives the table of what it gets. */
    check_call(h3ou_table_set(ctx, me, "A", "A_g", "B", "B_g", 1, is_a ? NULL : send, is_a ? NULL : recv,
                              is_a ? NULL : s->table.coef, is_a ? 0 : (int64_t)s->n * LINKS, 0));
    check_call(h3ou_table_set(ctx, me, "B", "B_g", "A", "A_g", 1, is_a ? send : NULL, is_a ? recv : NULL,
                              is_a ? s->table.coef : NULL, is_a ? (int64_t)s->n * LINKS : 0, 0));
    check_call(h3ou_time_init(ctx, time));
    double took = seconds_now() - begin;
    free(index);
    free(send);
    free(recv);
    return took;
}

int main(int argc, char **argv)
{
    if (argc != 8)
        return 2;
    const char *me = argv[1];
    int is_a = me[0] == 'A', rounds = atoi(argv[6]), steps = atoi(argv[7]), world, rank,
        time[6] = {2000, 1, 1, 0, 0, 0};
    static double ours[MOST_ROUNDS], raw[MOST_ROUNDS], ratio[MOST_ROUNDS];
    side s = {.n = atoi(argv[is_a ? 3 : 4]), .other = atoi(argv[is_a ? 4 : 3]), .layers = atoi(argv[5])};
    size_t n = (size_t)s.n * (size_t)s.layers;
    s.mine = malloc(sizeof(double) * n);
    s.got = malloc(sizeof(double) * n);
    s.theirs = calloc((size_t)s.other * (size_t)s.layers, sizeof(double));
    link_table_make(&s.table, s.n, s.other);
    for (size_t i = 0; i < n; i++)
        s.mine[i] = (double)i;
    check_call(h3ou_open(me, argv[2], 1, &ctx));
    MPI_Comm_size(MPI_COMM_WORLD, &world);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int fd = world == 1 ? raw_tcp_connect(ctx, is_a ? "B" : "A", is_a) : -1;
    double setup = set_up(&s, me, time);
    check_call(h3ou_put(ctx, is_a ? "A_v" : "B_v", s.mine, s.n, s.layers));
    run_coupled_steps(&s, me, steps, time);
    run_raw_steps(&s, fd, rank, steps);
    for (int r = 0; r < rounds && r < MOST_ROUNDS; r++) {
        double t0 = seconds_now();
        run_coupled_steps(&s, me, steps, time);
        double t1 = seconds_now();
        run_raw_steps(&s, fd, rank, steps);
        double t2 = seconds_now();
        ours[r] = (t1 - t0) / steps;
        raw[r] = (t2 - t1) / steps;
        ratio[r] = ours[r] / raw[r];
    }
    if (fd >= 0)
        close(fd);
    if (is_a) {
        printf("%.4f", setup);
        spread_print(ours, rounds, 1e3);
        spread_print(raw, rounds, 1e3);
        spread_print(ratio, rounds, 1.0);
        printf("\n");
    }
    check_call(h3ou_close(ctx, time, 1));
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Step time of an ensemble, beside its raw cost in the same run: members of A of one process each and one B. Every step
 * each member puts a field, whose mean B gets, and gets what B put, each through a table of four links per target cell.
 *
 *   ensemble_exchange A|B CONFIG MEMBERS CELLS_A CELLS_B LAYERS ROUNDS STEPS
 *
 * Raw: the same bytes by plain messages along the same binomial tree over the members (MPI inside a job, a TCP
 * connection for each edge between jobs), the same additions, and the products of the same tables at both ends. Rounds
 * of h3ou and raw alternate. The first member prints one line: h3ou's time, the raw time and their ratio in ms per
 * step, each as median, least, most, and then the most memory of B in MB.
 */
#include <mpi.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "h3ou.h"
#include "raw/link_table.h"
#include "raw/raw_tcp.h"
#include "spread.h"

enum { STEP = 60, MOST_ROUNDS = 1000, MOST_CHILDREN = 14, NOBODY = -1, BY_MPI = -1 };

/* One process that plain messages are exchanged with. */
typedef struct edge {
    int rank; /* of MPI_COMM_WORLD, where fd is BY_MPI */
    int fd;
} edge;

typedef struct seat {
    int place, members; /* of A: from 0; B has the place NOBODY */
    int n, other, layers;
    double *mine, *theirs, *got, *sum, *in[MOST_CHILDREN]; /* [layers][n], theirs [layers][other] */
    link_table table;
    int nchild;
    edge parent, child[MOST_CHILDREN], across; /* across: between B and the first member */
} seat;

static h3ou_ctx *ctx;

static void check_call(int err)
{
    if (err)
        h3ou_abort(ctx, err);
}

/* Waits without keeping a core from other processes: there are more of them than cores. */
static void await(int n, MPI_Request r[])
{
    for (int i = 0; i < n; i++)
        for (int done = 0; MPI_Test(&r[i], &done, MPI_STATUS_IGNORE) == MPI_SUCCESS && !done;)
            sched_yield();
}

static void swap(const edge *e, double *out, size_t nout, double *in, size_t nin)
{
    MPI_Request r[2];
    if (e->fd != BY_MPI) {
        raw_tcp_swap(e->fd, out, sizeof *out * nout, in, sizeof *in * nin);
        return;
    }
    MPI_Irecv(in, (int)nin, MPI_DOUBLE, e->rank, 0, MPI_COMM_WORLD, &r[0]);
    MPI_Isend(out, (int)nout, MPI_DOUBLE, e->rank, 0, MPI_COMM_WORLD, &r[1]);
    await(2, r);
}

static void move(const edge *e, double *value, size_t n, int sends)
{
    MPI_Request r;
    if (e->fd != BY_MPI) {
        raw_tcp_swap(e->fd, value, sends ? sizeof *value * n : 0, value, sends ? 0 : sizeof *value * n);
        return;
    }
    if (sends)
        MPI_Isend(value, (int)n, MPI_DOUBLE, e->rank, 1, MPI_COMM_WORLD, &r);
    else
        MPI_Irecv(value, (int)n, MPI_DOUBLE, e->rank, 1, MPI_COMM_WORLD, &r);
    await(1, &r);
}

/* Adds up the members' values along the tree, and divides at its root. */
static void sum_up(seat *s, size_t n)
{
    MPI_Request r[MOST_CHILDREN];
    for (int k = 0; k < s->nchild && s->child[k].fd == BY_MPI; k++)
        MPI_Irecv(s->in[k], (int)n, MPI_DOUBLE, s->child[k].rank, 1, MPI_COMM_WORLD, &r[k]);
    memcpy(s->sum, s->mine, sizeof *s->sum * n);
    for (int k = 0; k < s->nchild; k++) {
        if (s->child[k].fd == BY_MPI)
            await(1, &r[k]);
        else
            move(&s->child[k], s->in[k], n, 0);
        for (size_t i = 0; i < n; i++)
            s->sum[i] += s->in[k][i];
    }
    for (size_t i = 0; i < n && s->place == 0; i++)
        s->sum[i] /= s->members;
    if (s->place > 0)
        move(&s->parent, s->sum, n, 1);
}

static void pass_down(seat *s, size_t n)
{
    if (s->place > 0)
        move(&s->parent, s->got, n, 0);
    for (int k = s->nchild - 1; k >= 0; k--)
        move(&s->child[k], s->got, n, 1);
}

static void run_raw_steps(seat *s, int steps)
{
    size_t n = (size_t)s->n * (size_t)s->layers, other = (size_t)s->other * (size_t)s->layers;
    for (int i = 0; i < steps; i++) {
        if (s->place != NOBODY)
            sum_up(s, n);
        if (s->place <= 0) {
            swap(&s->across, s->place == NOBODY ? s->mine : s->sum, n, s->theirs, other);
            link_table_apply(&s->table, s->layers, s->theirs, s->got);
        }
        if (s->place != NOBODY)
            pass_down(s, n);
    }
}

/* Names the member at a place of A. */
static const char *name_of(int place, char name[65])
{
    snprintf(name, 65, "A%04d", place);
    return name;
}

/* A send is completed by later calls only, so all must have received everything before the raw part begins. */
static void meet_all(const seat *s)
{
    int word = 0;
    char name[65];
    for (int k = 0; k < s->nchild; k++)
        check_call(h3ou_recv(ctx, name_of(s->place + (1 << k), name), &word, 1, H3OU_TYPE_INT32));
    if (s->place > 0) {
        check_call(h3ou_send(ctx, name_of(s->place & (s->place - 1), name), &word, 1, H3OU_TYPE_INT32));
        check_call(h3ou_recv(ctx, name, &word, 1, H3OU_TYPE_INT32));
    } else {
        const char *across = s->place == 0 ? "B0000" : "A0000";
        check_call(h3ou_send(ctx, across, &word, 1, H3OU_TYPE_INT32));
        check_call(h3ou_recv(ctx, across, &word, 1, H3OU_TYPE_INT32));
    }
    for (int k = s->nchild - 1; k >= 0; k--)
        check_call(h3ou_send(ctx, name_of(s->place + (1 << k), name), &word, 1, H3OU_TYPE_INT32));
}

static void run_coupled_steps(const seat *s, const char *me, int steps, int time[6])
{
    int ok;
    for (int i = 0; i < steps; i++) {
        check_call(h3ou_time_set(ctx, me, time, STEP));
        check_call(h3ou_get(ctx, me[0] == 'A' ? "B_v" : "A_v", s->got, s->n, s->layers, &ok));
        check_call(h3ou_put(ctx, me[0] == 'A' ? "A_v" : "B_v", s->mine, s->n, s->layers));
        check_call(h3ou_time_inc(time, STEP));
    }
    meet_all(s);
}

static edge open_edge(const char *other, int listens, int is_inside, int rank)
{
    return (edge){rank, is_inside ? BY_MPI : raw_tcp_connect(ctx, other, listens)};
}

static void open_edges(seat *s)
{
    int world;
    char name[65];
    MPI_Comm_size(MPI_COMM_WORLD, &world);
    for (int k = 0; s->place != NOBODY && (s->place >> k & 1) == 0 && s->place + (1 << k) < s->members; k++) {
        s->child[s->nchild++] = open_edge(name_of(s->place + (1 << k), name), 1, world > 1, s->place + (1 << k));
        s->in[k] = malloc(sizeof(double) * (size_t)s->n * (size_t)s->layers);
    }
    if (s->place > 0) {
        s->parent = open_edge(name_of(s->place & (s->place - 1), name), 0, world > 1, s->place & (s->place - 1));
    } else if (s->place == 0) {
        s->across = open_edge("B0000", 1, world > s->members, s->members);
    } else {
        s->across = open_edge("A0000", 0, world > s->members, 0);
    }
}

static void set_up(const seat *s, const char *me, int time[6])
{
    int is_a = me[0] == 'A', links = s->n * CELL_LINKS, *index = malloc(sizeof(int) * (size_t)s->n),
        *send = malloc(sizeof(int) * (size_t)links), *recv = malloc(sizeof(int) * (size_t)links);
    for (int i = 0; i < s->n; i++)
        index[i] = i + 1;
    for (int i = 0; i < links; i++) {
        send[i] = s->table.col[i] + 1;
        recv[i] = i / CELL_LINKS + 1;
    }
    check_call(h3ou_grid_define(ctx, me, is_a ? "A_g" : "B_g", index, s->n, s->layers));
    check_call(h3ou_grid_end(ctx));
    /* Each side gives the table of what it gets. */
    check_call(h3ou_table_set(ctx, me, "A", "A_g", "B", "B_g", 1, is_a ? NULL : send, is_a ? NULL : recv,
                              is_a ? NULL : s->table.coef, is_a ? 0 : links, 0));
    check_call(h3ou_table_set(ctx, me, "B", "B_g", "A", "A_g", 1, is_a ? send : NULL, is_a ? recv : NULL,
                              is_a ? s->table.coef : NULL, is_a ? links : 0, 0));
    check_call(h3ou_time_init(ctx, time));
    free(index);
    free(send);
    free(recv);
}

static double most_memory(void)
{
    struct rusage u;
    getrusage(RUSAGE_SELF, &u);
    return (double)u.ru_maxrss / 1024;
}

static void print_result(const seat *s, double memory, double *ours, double *raw, double *ratio, int rounds)
{
    if (s->place == NOBODY)
        check_call(h3ou_send(ctx, "A0000", &memory, 1, H3OU_TYPE_DOUBLE));
    if (s->place != 0)
        return;
    check_call(h3ou_recv(ctx, "B0000", &memory, 1, H3OU_TYPE_DOUBLE));
    spread_print(ours, rounds, 1e3);
    spread_print(raw, rounds, 1e3);
    spread_print(ratio, rounds, 1.0);
    printf(" %.1f\n", memory);
}

int main(int argc, char **argv)
{
    if (argc != 9)
        return 2;
    const char *me = argv[1];
    char name[65];
    int is_a = me[0] == 'A', rounds = atoi(argv[7]), steps = atoi(argv[8]), time[6] = {2000, 1, 1, 0, 0, 0};
    static double ours[MOST_ROUNDS], raw[MOST_ROUNDS], ratio[MOST_ROUNDS];
    seat s = {.members = atoi(argv[3]),
              .n = atoi(argv[is_a ? 4 : 5]),
              .other = atoi(argv[is_a ? 5 : 4]),
              .layers = atoi(argv[6])};
    size_t n = (size_t)s.n * (size_t)s.layers;
    s.mine = malloc(sizeof(double) * n);
    s.got = calloc(n, sizeof(double));
    s.sum = malloc(sizeof(double) * n);
    s.theirs = calloc((size_t)s.other * (size_t)s.layers, sizeof(double));
    link_table_make(&s.table, s.n, s.other);
    check_call(h3ou_open(me, argv[2], is_a ? s.members : 1, &ctx));
    check_call(h3ou_my_name(ctx, name));
    s.place = is_a ? atoi(name + 1) : NOBODY;
    for (size_t i = 0; i < n; i++)
        s.mine[i] = (double)i + s.place;
    set_up(&s, me, time);
    open_edges(&s);
    check_call(h3ou_put(ctx, is_a ? "A_v" : "B_v", s.mine, s.n, s.layers));
    run_coupled_steps(&s, me, steps, time);
    double memory = most_memory();
    link_table_tune(&s.table, s.layers);
    run_raw_steps(&s, steps);
    for (int r = 0; r < rounds && r < MOST_ROUNDS; r++) {
        double t0 = seconds_now();
        run_coupled_steps(&s, me, steps, time);
        double t1 = seconds_now();
        run_raw_steps(&s, 1); /* all have come this far */
        double t2 = seconds_now();
        run_raw_steps(&s, steps);
        double t3 = seconds_now();
        ours[r] = (t1 - t0) / steps;
        raw[r] = (t3 - t2) / steps;
        ratio[r] = ours[r] / raw[r];
    }
    print_result(&s, memory, ours, raw, ratio, rounds);
    check_call(h3ou_close(ctx, time, 1));
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Two components with random grids and a random table, exchanged over several intervals; every value that arrives is
 * compared to the bit with the same sums made locally from the whole table.
 *
 *   exchange A|B CONFIG SEED leader-put|leader-get|spread-put|spread-get LAYERS
 *
 * Exit code 0 on every rank, or 1 on every rank of the component that found a difference.
 */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "h3ou.h"

enum { STEPS = 6, STEP = 600, INTERVAL = 1200, NEVER = 7 };

typedef struct problem {
    int ncell[2]; /* cells that exist, of A and of B */
    int *cell[2]; /* their global indices: with gaps, in random order */
    int nlink;
    int *send, *recv; /* global indices */
    double *coef;
} problem;

static uint64_t seed;

static uint64_t next_random(void) /* SplitMix64: the same on every process */
{
    uint64_t z = (seed += UINT64_C(0x9E3779B97F4A7C15));
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

static int below(int n)
{
    return (int)(next_random() % (uint64_t)n);
}

static double real_random(void)
{
    return (double)(next_random() >> 11) / 9007199254740992.0 - 0.5;
}

static void check(int err, h3ou_ctx *ctx)
{
    if (err)
        h3ou_abort(ctx, err);
}

static void make_problem(problem *p)
{
    for (int c = 0; c < 2; c++) {
        p->ncell[c] = 40 + below(300);
        p->cell[c] = malloc(sizeof(int) * (size_t)p->ncell[c]);
        int index = 0;
        for (int i = 0; i < p->ncell[c]; i++)
            p->cell[c][i] = index += 1 + below(3);
        for (int i = p->ncell[c] - 1; i > 0; i--) {
            int j = below(i + 1), keep = p->cell[c][i];
            p->cell[c][i] = p->cell[c][j];
            p->cell[c][j] = keep;
        }
    }
    p->nlink = 4 * p->ncell[1];
    p->send = malloc(sizeof(int) * (size_t)p->nlink);
    p->recv = malloc(sizeof(int) * (size_t)p->nlink);
    p->coef = malloc(sizeof(double) * (size_t)p->nlink);
    for (int i = 0; i < p->nlink; i++) {
        p->send[i] = p->cell[0][below(p->ncell[0])];
        p->recv[i] = p->cell[1][below(p->ncell[1])]; /* some targets get no link */
        p->coef[i] = real_random();
    }
}

/* What A puts in a cell at a time: a value that no other cell, layer or time has. */
static double value_of(int cell, int layer, int time)
{
    return cell * 1.25 + layer * 1000.0625 + time / 7.0;
}

/* Mean over the two steps of an interval, as the library sums it. */
static double mean_of(int cell, int layer, int from)
{
    double sum = 0.0;
    for (int t = from; t < from + INTERVAL; t += STEP)
        sum += value_of(cell, layer, t);
    return sum / (INTERVAL / STEP);
}

static double expected(const problem *p, int target, int layer, int time, int mean, int *covered)
{
    double sum = 0.0;
    *covered = 0;
    for (int i = 0; i < p->nlink; i++) {
        if (p->recv[i] != target)
            continue;
        double v = time == 0 ? value_of(p->send[i], layer, -STEP)
                   : mean    ? mean_of(p->send[i], layer, time - INTERVAL)
                             : value_of(p->send[i], layer, time - STEP);
        sum += p->coef[i] * v;
        *covered = 1;
    }
    return sum;
}

/* Cells are dealt at random; a process may get none. */
static int my_cells(const problem *p, int side, int size, int rank, int *mine)
{
    int n = 0;
    for (int i = 0; i < p->ncell[side]; i++)
        if (below(size) == rank)
            mine[n++] = p->cell[side][i];
    return n;
}

static void give_table(h3ou_ctx *ctx, const problem *p, const char *me, const char *mode, int rank, int size)
{
    int is_spread = !strncmp(mode, "spread", 6);
    int is_giver = (strstr(mode, "put") != NULL) == (me[0] == 'A');
    static const int one_i[1] = {1};
    static const double one_c[1] = {99.0};
    if (!is_giver) {
        check(h3ou_table_set(ctx, me, "A", "A_g", "B", "B_g", 3, NULL, NULL, NULL, 0, 0), ctx);
    } else if (is_spread) {
        int from = (int)((int64_t)p->nlink * rank / size), to = (int)((int64_t)p->nlink * (rank + 1) / size);
        check(h3ou_table_set(ctx, me, "A", "A_g", "B", "B_g", 3, p->send + from, p->recv + from, p->coef + from,
                             to - from, H3OU_TABLE_SPREAD),
              ctx);
    } else if (rank == 0) {
        check(h3ou_table_set(ctx, me, "A", "A_g", "B", "B_g", 3, p->send, p->recv, p->coef, p->nlink, 0), ctx);
    } else { /* what existing models pass elsewhere: a dummy */
        check(h3ou_table_set(ctx, me, "A", "A_g", "B", "B_g", 3, one_i, one_i, one_c, 1, 0), ctx);
    }
}

static void put_all(h3ou_ctx *ctx, const int *mine, int n, int layers, int time, double *data)
{
    for (int layer = 0; layer < layers; layer++)
        for (int i = 0; i < n; i++)
            data[layer * n + i] = value_of(mine[i], layer, time);
    check(h3ou_put(ctx, "snap", data, n, layers), ctx);
    check(h3ou_put(ctx, "mean", data, n, layers), ctx);
}

static int get_one(h3ou_ctx *ctx, const problem *p, const char *field, const int *mine, int n, int layers, int time,
                   double *data)
{
    int ok, bad = 0;
    for (int i = 0; i < n * layers; i++)
        data[i] = NEVER;
    check(h3ou_get(ctx, field, data, n, layers, &ok), ctx);
    if (ok != (time % INTERVAL == 0)) {
        printf("B: %s at %d: ok is %d\n", field, time, ok);
        return 1;
    }
    for (int layer = 0; layer < layers; layer++)
        for (int i = 0; i < n; i++) {
            int covered;
            double v = expected(p, mine[i], layer, time, field[0] == 'm', &covered);
            double want = ok && covered ? v : NEVER;
            if (memcmp(&want, &data[layer * n + i], sizeof want) != 0 && bad++ < 3)
                printf("B: %s at %d, cell %d layer %d: %.17g instead of %.17g\n", field, time, mine[i], layer,
                       data[layer * n + i], want);
        }
    return bad;
}

int main(int argc, char **argv)
{
    if (argc != 6)
        return 2;
    const char *me = argv[1];
    int side = me[0] == 'B', layers = atoi(argv[5]), bad = 0, worst = 0;
    int comm, group, size, rank, time[6] = {2000, 2, 28, 23, 0, 0};
    problem p;
    h3ou_ctx *ctx;
    seed = strtoull(argv[3], NULL, 10);
    make_problem(&p);
    int err = h3ou_open(me, argv[2], 1, &ctx);
    check(err, ctx);
    check(h3ou_local(ctx, &comm, &group, &size, &rank), ctx);
    int *mine = malloc(sizeof(int) * (size_t)p.ncell[side]);
    int n = my_cells(&p, side, size, rank, mine);
    double *data = malloc(sizeof(double) * (size_t)(n * layers + 1));
    check(h3ou_grid_define(ctx, me, side ? "B_g" : "A_g", mine, n, layers), ctx);
    check(h3ou_grid_end(ctx), ctx);
    give_table(ctx, &p, me, argv[4], rank, size);
    check(h3ou_time_init(ctx, time), ctx);
    if (side == 0)
        put_all(ctx, mine, n, layers, -STEP, data);
    for (int t = 0; t < STEPS * STEP; t += STEP) {
        check(h3ou_time_set(ctx, me, time, STEP), ctx);
        if (side == 1) {
            /* One exchange is skipped by the model: the next one must not be disturbed. */
            if (t != INTERVAL)
                bad += get_one(ctx, &p, "snap", mine, n, layers, t, data);
            bad += get_one(ctx, &p, "mean", mine, n, layers, t, data);
        } else {
            put_all(ctx, mine, n, layers, t, data);
        }
        check(h3ou_time_inc(time, STEP), ctx);
    }
    MPI_Allreduce(&bad, &worst, 1, MPI_INT, MPI_MAX, MPI_Comm_f2c(comm));
    check(h3ou_close(ctx, time, 1), ctx);
    free(mine);
    free(data);
    for (int c = 0; c < 2; c++)
        free(p.cell[c]);
    free(p.send);
    free(p.recv);
    free(p.coef);
    return worst ? 1 : 0;
}

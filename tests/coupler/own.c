/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A component that exchanges with itself: from grid "from", dealt out in blocks, to grid "to", dealt out in turn, on
 * which cell i gets what cell N + 1 - i of the other has.
 *
 *   own CONFIG CELLS MEMBERS all|get-first|recv-first|send-often|to-one
 *
 * to-one: process 0 holds no cells of "from", the others none of "to". What arrives is compared; exit code 1 where it
 * differs.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "h3ou.h"

enum { STEPS = 9, STEP = 60, NOTHING = -9 };

static h3ou_ctx *ctx;
static int rank, size, cells, member, nfrom, nto, *from, *to;
static double *data;

static void check(int err)
{
    if (err)
        h3ou_abort(ctx, err);
}

static double value(int cell, int step)
{
    return member * 1e7 + step * 1e6 + cell;
}

static void define(const char *what)
{
    int only = !strcmp(what, "to-one"), *all = malloc(sizeof *all * (size_t)cells),
        *back = malloc(sizeof *back * (size_t)cells);
    double *one = malloc(sizeof *one * (size_t)cells);
    from = malloc(sizeof *from * (size_t)cells);
    to = malloc(sizeof *to * (size_t)cells);
    data = malloc(sizeof *data * (size_t)cells);
    for (int i = 0; i < cells; i++) {
        all[i] = i + 1;
        back[i] = cells - i;
        one[i] = 1.0;
        if (only ? rank == 1 + i % (size - 1) : rank == (int)((long)i * size / cells))
            from[nfrom++] = i + 1;
        if (only ? rank == 0 : rank == i % size)
            to[nto++] = i + 1;
    }
    check(h3ou_grid_define(ctx, "S", "from", from, nfrom, 1));
    check(h3ou_grid_define(ctx, "S", "to", to, nto, 1));
    check(h3ou_grid_end(ctx));
    check(h3ou_table_set(ctx, "S", "S", "from", "S", "to", 1, all, back, one, cells, H3OU_TABLE_LEADER));
    free(all);
    free(back);
    free(one);
}

static void put(const char *field, int step)
{
    for (int i = 0; i < nfrom; i++)
        data[i] = value(from[i], step);
    check(h3ou_put(ctx, field, data, nfrom, 1));
}

/* Gets what was put in `step`; step NOTHING: no value is due. Returns how many values differ. */
static int get(const char *field, int now, int step)
{
    int ok, bad = 0;
    for (int i = 0; i < nto; i++)
        data[i] = NOTHING;
    check(h3ou_get(ctx, field, data, nto, 1, &ok));
    for (int i = 0; i < nto; i++) {
        double awaited = step == NOTHING ? NOTHING : value(cells + 1 - to[i], step);
        if (data[i] != awaited && bad++ < 3)
            printf("S.%d: %s in step %d, cell %d: %.17g instead of %.17g\n", rank, field, now, to[i], data[i], awaited);
    }
    return bad + (ok != (step != NOTHING));
}

/* late: as of 2 intervals before; rare: seldom got, never: not at all; order: lag=0; now: sent at once. */
static int run_all(void)
{
    int bad = 0, time[6] = {2000, 1, 1, 0, 0, 0};
    static const char *const fields[] = {"each", "late", "rare", "never", "now"};
    for (int f = 0; f < 5; f++)
        put(fields[f], -1);
    for (int step = 0; step < STEPS; step++) {
        check(h3ou_time_set(ctx, "S", time, STEP));
        bad += get("each", step, step - 1);
        bad += get("late", step, step < 2 ? -1 : step - 2);
        if (step % 4 == 2)
            bad += get("rare", step, step - 1);
        for (int f = 0; f < 5; f++)
            put(fields[f], step);
        for (int k = 0; k < 1 + step % 2; k++) /* several may be on their way */
            put("order", 10 * step + k);
        for (int k = 0; k < 1 + step % 2; k++)
            bad += get("order", step, 10 * step + k);
        if (step % 3 == 1) {
            check(h3ou_send_now(ctx, "S", "S"));
            check(h3ou_recv_now(ctx, "S", "S"));
            bad += get("now", step, step);
        }
        check(h3ou_time_add(ctx, time, STEP));
    }
    return bad;
}

/* What would wait for ever, on the process that holds cells of both grids. */
static void run_wrong(const char *what)
{
    int time[6] = {2000, 1, 1, 0, 0, 0};
    put("now", -1);
    check(h3ou_time_set(ctx, "S", time, STEP));
    if (!strcmp(what, "get-first"))
        get("order", 0, 0);
    if (!strcmp(what, "recv-first"))
        check(h3ou_recv_now(ctx, "S", "S"));
    put("order", 0);
    for (int k = 0; k < 9; k++)
        check(h3ou_send_now(ctx, "S", "S"));
}

int main(int argc, char **argv)
{
    int comm, group, bad = 0, worst = 0, nsource, ntarget, time[6] = {2000, 1, 1, 0, 0, 0};
    char name[65];
    if (argc != 5)
        return 2;
    cells = atoi(argv[2]);
    check(h3ou_open("S", argv[1], atoi(argv[3]), &ctx));
    check(h3ou_local(ctx, &comm, &group, &size, &rank));
    member = h3ou_couple_id(ctx);
    define(argv[4]);
    check(h3ou_time_init(ctx, time));
    check(h3ou_pair_cells(ctx, "S", "S", 1, &nsource, &ntarget));
    check(h3ou_target_name(ctx, name));
    bad += nsource != nto || ntarget != nto || strcmp(name, "NO_TARGET") != 0;
    if (!strcmp(argv[4], "all") || !strcmp(argv[4], "to-one"))
        bad += run_all();
    else
        run_wrong(argv[4]);
    MPI_Allreduce(&bad, &worst, 1, MPI_INT, MPI_MAX, MPI_Comm_f2c(comm));
    check(h3ou_close(ctx, NULL, 1));
    free(from);
    free(to);
    free(data);
    return worst ? 1 : 0;
}

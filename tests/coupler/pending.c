/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A component's own message goes on while it waits in h3ou_get: process 0 of A begins to send much to process 1, and then waits for what B puts after it has got
 * what process 1 puts after it has received the message.
 *
 *   pending A|B CONFIG
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "h3ou.h"

enum { STEPS = 4, STEP = 60, PART = 10, CELLS = 2 * PART, MUCH = 1 << 22 };

static h3ou_ctx *ctx;
static int is_a, rank, size, local;
static double values[CELLS];
static char much[MUCH];

static void check(int err)
{
    if (err)
        h3ou_abort(ctx, err);
}

static void set_up(const char *me)
{
    int index[CELLS], time[6] = {2000, 1, 1, 0, 0, 0}, group;
    double coef[CELLS];
    for (int i = 0; i < CELLS; i++) {
        index[i] = i + 1;
        coef[i] = 1.0;
    }
    check(h3ou_local(ctx, &local, &group, &size, &rank));
    check(h3ou_grid_define(ctx, me, "g", index + rank * PART, is_a ? PART : CELLS, 1));
    check(h3ou_grid_end(ctx));
    for (int k = 0; k < 2; k++) {
        const char *const from = k ? "B" : "A", *const to = k ? "A" : "B";
        int gives = !strcmp(me, from) && rank == 0;
        check(h3ou_table_set(ctx, me, from, "g", to, "g", 1, gives ? index : NULL, gives ? index : NULL, gives ? coef : NULL,
                             gives ? CELLS : 0, H3OU_TABLE_LEADER));
    }
    check(h3ou_time_init(ctx, time));
}

static void put(const char *field, int count, double value)
{
    for (int i = 0; i < count; i++)
        values[i] = value;
    check(h3ou_put(ctx, field, values, count, 1));
}

/* Returns whether the value came. */
static int get(const char *field, int count, double value)
{
    int ok;
    check(h3ou_get(ctx, field, values, count, 1, &ok));
    for (int i = 0; i < count; i++)
        ok = ok && values[i] == value;
    return ok;
}

static int step_of_a(int step)
{
    MPI_Comm comm = MPI_Comm_f2c(local);
    MPI_Request request = MPI_REQUEST_NULL;
    int ok = 1;
    memset(much, rank == 0 ? step : 0, MUCH);
    if (rank == 0) {
        MPI_Isend(much, MUCH, MPI_CHAR, 1, 0, comm, &request);
    } else {
        usleep(100000); /* process 0 sleeps in h3ou_get by then */
        MPI_Recv(much, MUCH, MPI_CHAR, 0, 0, comm, MPI_STATUS_IGNORE);
        ok = much[0] == step && much[MUCH - 1] == step;
    }
    put("a", PART, step);
    ok &= get("b", PART, 10 * step);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    return ok;
}

static int step_of_b(int step)
{
    int ok = get("a", CELLS, step);
    put("b", CELLS, 10 * step);
    return ok;
}

int main(int argc, char **argv)
{
    int time[6] = {2000, 1, 1, 0, 0, 0}, right = 0;
    if (argc != 3)
        return 2;
    is_a = !strcmp(argv[1], "A");
    check(h3ou_open(argv[1], argv[2], 1, &ctx));
    set_up(argv[1]);
    for (int step = 1; step <= STEPS; step++) {
        check(h3ou_time_set(ctx, argv[1], time, STEP));
        right += is_a ? step_of_a(step) : step_of_b(step);
        check(h3ou_time_add(ctx, time, STEP));
    }
    printf("%s.%d: %d of %d steps\n", argv[1], rank, right, STEPS);
    check(h3ou_close(ctx, NULL, 1));
    return right == STEPS ? 0 : 1;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The calls of h3ou_collectives.h, on each communicator, with each type and operation, and with functions of the program.
 *
 *   public_calls COMPONENT CONFIG
 *
 * Prints the communicators that it has tried, and what was wrong; exit code 0 on all processes of all jobs, or 1 on all.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../lib/typed_values.h"
#include "h3ou_collectives.h"

enum { TYPES = H3OU_TYPE_DOUBLE + 1, MOST = 8, ROOM = 3 * MOST * MOST };

/* A communicator, and a type of elements. */
typedef struct place {
    h3ou_ctx *ctx;
    const char *name;
    int comm, size, rank, type;
} place;

static int bad;

static void ok(h3ou_ctx *ctx, int err)
{
    if (err)
        h3ou_abort(ctx, err);
}

static void expect(const place *p, int is, const char *what)
{
    if (!is && bad++ < 8)
        printf("%s on %s, rank %d of %d, type %d\n", what, p->name, p->rank, p->size, p->type);
}

/* Compares n elements from first on with from, from + step, ... */
static void expect_row(const place *p, const void *got, int64_t first, int n, double from, double step, const char *what)
{
    for (int i = 0; i < n; i++)
        expect(p, get_value(got, p->type, first + i) == from + i * step, what);
}

static void fill(const place *p, void *to, int64_t first, int n, double from, double step)
{
    for (int i = 0; i < n; i++)
        set_value(to, p->type, first + i, from + i * step);
}

static void try_bcast(const place *p, int root)
{
    double data[3] = {0};
    fill(p, data, 0, 3, p->rank == root ? 10 + root : 0, 1);
    ok(p->ctx, h3ou_bcast(p->ctx, p->comm, root, data, 3, p->type));
    expect_row(p, data, 0, 3, 10 + root, 1, "bcast");
}

static void try_parts(const place *p, int root)
{
    double mine[3] = {0}, all[ROOM] = {0};
    int64_t counts[MOST], displs[MOST];
    for (int i = 0; i < p->size; i++) {
        counts[i] = i % 3;
        displs[i] = 3 * (p->size - 1 - i);
    }
    fill(p, mine, 0, 2, 4 * p->rank, 1);
    ok(p->ctx, h3ou_gather(p->ctx, p->comm, root, mine, 2, all, p->type));
    for (int i = 0; i < p->size && p->rank == root; i++)
        expect_row(p, all, 2 * i, 2, 4 * i, 1, "gather");
    memset(mine, 0, sizeof mine);
    ok(p->ctx, h3ou_scatter(p->ctx, p->comm, root, all, mine, 2, p->type));
    expect_row(p, mine, 0, 2, 4 * p->rank, 1, "scatter");
    memset(all, 0, sizeof all);
    ok(p->ctx, h3ou_gatherv(p->ctx, p->comm, root, mine, p->rank % 3, all, counts, displs, p->type));
    for (int i = 0; i < p->size && p->rank == root; i++)
        expect_row(p, all, displs[i], i % 3, 4 * i, 1, "gatherv");
    memset(mine, 0, sizeof mine);
    ok(p->ctx, h3ou_scatterv(p->ctx, p->comm, root, all, counts, displs, mine, p->rank % 3, p->type));
    expect_row(p, mine, 0, p->rank % 3, 4 * p->rank, 1, "scatterv");
}

static void try_all_parts(const place *p)
{
    double out[ROOM] = {0}, in[ROOM] = {0};
    int64_t counts[MOST];
    for (int i = 0; i < p->size; i++)
        counts[i] = i + 1;
    fill(p, out, 0, MOST, 8 * p->rank, 1);
    ok(p->ctx, h3ou_allgather(p->ctx, p->comm, out, 2, in, p->type));
    for (int i = 0; i < p->size; i++)
        expect_row(p, in, 2 * i, 2, 8 * i, 1, "allgather");
    ok(p->ctx, h3ou_allgatherv(p->ctx, p->comm, out, in, counts, NULL, p->type));
    for (int i = 0; i < p->size; i++)
        expect_row(p, in, i * (i + 1) / 2, i + 1, 8 * i, 1, "allgatherv without displacements");
    ok(p->ctx, h3ou_alltoall(p->ctx, p->comm, out, in, 1, p->type));
    for (int i = 0; i < p->size; i++)
        expect_row(p, in, i, 1, 8 * i + p->rank, 1, "alltoall");
    int64_t send_counts[MOST], send_displs[MOST], recv_counts[MOST], recv_displs[MOST];
    for (int i = 0; i < p->size; i++) { /* rank r sends its first r elements to those above it, and one to the others */
        send_counts[i] = i > p->rank ? p->rank : 1;
        send_displs[i] = 0;
        recv_counts[i] = p->rank > i ? i : 1;
        recv_displs[i] = MOST * i;
    }
    ok(p->ctx, h3ou_alltoallv(p->ctx, p->comm, out, send_counts, send_displs, in, recv_counts, recv_displs, p->type));
    for (int i = 0; i < p->size; i++)
        expect_row(p, in, MOST * i, (int)recv_counts[i], 8 * i, 1, "alltoallv");
}

static void try_reductions(const place *p, int root)
{
    int n = p->size, sum = n * (n - 1) / 2;
    double send[ROOM], recv[3], mine[3];
    int64_t counts[MOST], first = 0;
    for (int op = H3OU_OP_SUM; op <= H3OU_OP_MAX; op++) {
        double from = op == H3OU_OP_SUM ? sum : op == H3OU_OP_MIN ? 0 : n - 1, step = op == H3OU_OP_SUM ? n : 1;
        fill(p, send, 0, 3, p->rank, 1);
        memset(recv, 0, sizeof recv);
        ok(p->ctx, h3ou_reduce(p->ctx, p->comm, root, send, recv, 3, p->type, op));
        if (p->rank == root)
            expect_row(p, recv, 0, 3, from, step, "reduce");
        ok(p->ctx, h3ou_allreduce(p->ctx, p->comm, send, send, 3, p->type, op)); /* in place */
        expect_row(p, send, 0, 3, from, step, "allreduce");
    }
    for (int i = 0; i < n; i++) {
        counts[i] = i % 3;
        first += i < p->rank ? counts[i] : 0;
    }
    fill(p, send, 0, 3 * n, p->rank, 1);
    ok(p->ctx, h3ou_reduce_scatter(p->ctx, p->comm, send, mine, counts, p->type, H3OU_OP_SUM));
    expect_row(p, mine, 0, p->rank % 3, sum + n * (double)first, n, "reduce_scatter");
    ok(p->ctx, h3ou_scan(p->ctx, p->comm, send, send, 2, p->type, H3OU_OP_SUM));
    expect_row(p, send, 0, 2, p->rank * (p->rank + 1) / 2, p->rank + 1, "scan");
}

/* An element is a function a x + b of numbers modulo 16, as 16 a + b: in op inout is x -> inout(in(x)), and does not commute. */
static int compose(int first, int second)
{
    int a = (first / 16) * (second / 16) % 16, b = (second / 16 * (first % 16) + second % 16) % 16;
    return 16 * a + b;
}

static void compose_all(const void *in, void *inout, int64_t count, int type, void *user)
{
    *(int *)user += 1;
    for (int64_t i = 0; i < count; i++)
        set_value(inout, type, i, compose((int)get_value(in, type, i), (int)get_value(inout, type, i)));
}

/* One that commutes: the numbers' bits in which an odd number of them has a 1. */
static void find_parity(const void *in, void *inout, int64_t count, int type, void *user)
{
    (void)user;
    for (int64_t i = 0; i < count; i++)
        set_value(inout, type, i, (int)get_value(in, type, i) ^ (int)get_value(inout, type, i));
}

static int function_of(int rank, int i)
{
    return 16 * (2 * rank + 3) % 256 + (rank + i) % 16;
}

static void try_functions(const place *p, int root)
{
    double send[ROOM], recv[3] = {0};
    int calls = 0, composition, parity, want[3], upto[3], odd = 0;
    int64_t counts[MOST];
    ok(p->ctx, h3ou_op_create(p->ctx, compose_all, &calls, 0, &composition));
    ok(p->ctx, h3ou_op_create(p->ctx, find_parity, NULL, 1, &parity));
    for (int i = 0; i < 3; i++) {
        want[i] = upto[i] = function_of(0, i);
        for (int rank = 1; rank < p->size; rank++) {
            want[i] = compose(want[i], function_of(rank, i));
            upto[i] = rank <= p->rank ? compose(upto[i], function_of(rank, i)) : upto[i];
        }
        set_value(send, p->type, i, function_of(p->rank, i));
    }
    ok(p->ctx, h3ou_reduce(p->ctx, p->comm, root, send, recv, 3, p->type, composition));
    for (int i = 0; i < 3 && p->rank == root; i++)
        expect(p, get_value(recv, p->type, i) == want[i], "reduce by a function");
    ok(p->ctx, h3ou_allreduce(p->ctx, p->comm, send, recv, 3, p->type, composition));
    for (int i = 0; i < 3; i++)
        expect(p, get_value(recv, p->type, i) == want[i], "allreduce by a function");
    ok(p->ctx, h3ou_scan(p->ctx, p->comm, send, recv, 3, p->type, composition));
    for (int i = 0; i < 3; i++)
        expect(p, get_value(recv, p->type, i) == upto[i], "scan by a function");
    for (int i = 0; i < p->size; i++) {
        set_value(send, p->type, i, 1 + (p->rank + i) % 100);
        odd ^= 1 + (p->rank + i) % 100; /* of the ranks' elements number my rank */
        counts[i] = 1;
    }
    ok(p->ctx, h3ou_reduce_scatter(p->ctx, p->comm, send, recv, counts, p->type, parity));
    expect(p, get_value(recv, p->type, 0) == odd, "reduce_scatter by a function that commutes");
    expect(p, calls > 0 || p->size == 1 || p->rank == 0, "a function is called");
    ok(p->ctx, h3ou_op_free(p->ctx, parity));
    ok(p->ctx, h3ou_op_free(p->ctx, composition));
    expect(p, h3ou_op_free(p->ctx, composition) == H3OU_EARG, "an operation that was freed");
}

static void try_comm(h3ou_ctx *ctx, int comm, const char *name)
{
    place p = {.ctx = ctx, .comm = comm, .name = name};
    ok(ctx, h3ou_comm_rank(ctx, comm, &p.rank));
    ok(ctx, h3ou_comm_size(ctx, comm, &p.size));
    if (p.rank < 0)
        return;
    for (p.type = 0; p.type < TYPES; p.type++) {
        int root = p.type % p.size;
        try_bcast(&p, root);
        try_parts(&p, root);
        try_all_parts(&p);
        if (p.type != H3OU_TYPE_BYTE)
            try_reductions(&p, root);
        try_functions(&p, root);
    }
    ok(ctx, h3ou_barrier(ctx, comm));
    printf("%s: %d of %d\n", name, p.rank, p.size);
}

/* Wrong arguments are refused before anything is sent. */
static void try_errors(h3ou_ctx *ctx)
{
    place p = {.ctx = ctx, .comm = H3OU_COMM_LOCAL, .name = "Local"};
    double x = 1, y[MOST];
    int64_t negative[MOST] = {-1};
    int op, comm;
    expect(&p, h3ou_bcast(ctx, H3OU_COMM_LOCAL, MOST, &x, 1, H3OU_TYPE_DOUBLE) == H3OU_EARG, "a root that is none");
    expect(&p, h3ou_bcast(ctx, H3OU_COMM_LOCAL, 0, &x, -1, H3OU_TYPE_DOUBLE) == H3OU_EARG, "a negative number of elements");
    expect(&p, h3ou_bcast(ctx, 999, 0, &x, 1, H3OU_TYPE_DOUBLE) == H3OU_EARG, "a communicator that is none");
    expect(&p, h3ou_allreduce(ctx, H3OU_COMM_LOCAL, &x, y, 1, TYPES, H3OU_OP_SUM) == H3OU_EARG, "a type that is none");
    expect(&p, h3ou_allreduce(ctx, H3OU_COMM_LOCAL, &x, y, 1, H3OU_TYPE_BYTE, H3OU_OP_SUM) == H3OU_EARG, "a sum of bytes");
    expect(&p, h3ou_allreduce(ctx, H3OU_COMM_LOCAL, &x, y, 1, H3OU_TYPE_DOUBLE, 99) == H3OU_EARG, "an operation that is none");
    expect(&p, h3ou_allgatherv(ctx, H3OU_COMM_LOCAL, &x, y, negative, NULL, H3OU_TYPE_DOUBLE) == H3OU_EARG, "a negative part");
    expect(&p, h3ou_op_create(ctx, NULL, NULL, 1, &op) == H3OU_EARG, "an operation without a function");
    expect(&p, h3ou_comm_model(ctx, "a", "nobody", &comm) == H3OU_ENAME, "a component that is none");
}

int main(int argc, char **argv)
{
    h3ou_ctx *ctx = NULL;
    int comm, mine, worst;
    if (argc != 3)
        return 2;
    ok(ctx, h3ou_open(argv[1], argv[2], 1, &ctx));
    try_comm(ctx, H3OU_COMM_GLOBAL, "Global");
    try_comm(ctx, H3OU_COMM_LEADER, "Leader");
    try_comm(ctx, H3OU_COMM_LOCAL, "Local");
    for (int with = 'b'; with <= 'c'; with++) { /* the components are a, b and c */
        const char name[2] = {(char)with, 0};
        if (argv[1][0] != 'a' && argv[1][0] != with)
            continue;
        ok(ctx, h3ou_comm_model(ctx, "a", name, &comm));
        try_comm(ctx, comm, with == 'b' ? "Model of a and b" : "Model of a and c");
    }
    try_errors(ctx);
    mine = bad > 0;
    ok(ctx, h3ou_allreduce(ctx, H3OU_COMM_GLOBAL, &mine, &worst, 1, H3OU_TYPE_INT32, H3OU_OP_MAX));
    ok(ctx, h3ou_close(ctx, NULL, 1));
    return worst;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Collective calls over all processes of all jobs, in several ways, in turns.
 *
 *   collectives COMPONENT WAYS ROUNDS CALLS BYTES...
 *
 * WAYS: "ours" (this library alone) or "tree" (BT alone), to trace one; "hybrid" (this library, 2L and BT over WaitIO alone, and what a broadcast cannot do without: one message
 * between two jobs, also while each other process copies as many bytes, and the broadcast of each job's MPI), "algorithms" (every algorithm of the operation, and the one that
 * is selected), "link" (broadcasts alone: this library, BT, and one message between two jobs), or "mpi" (one job: its MPI alone). All processes begin at a time that rank 0 says, by the clock of the
 * machine, which they share, and make CALLS calls in a row, each with another root, so that it needs what the one before it brought; these last
 * until the last process has returned. With "hybrid" there is also a way that calls nothing: what it takes to wake all processes. BENCH_KINGS: how
 * many processes of each job pass long messages on. Each round takes the ways in another order. Rank 0
 * prints a line for each operation, size and way: the microseconds of a call in every round, and after it one with how often in a call all
 * processes together left their cores (context switches), in every round.
 */
#include <mpi.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <time.h>

#include "base/error.h"
#include "coll/algorithm_table.h"
#include "comm/collective/collective.h"
#include "raw/socket_tree.h"
#include "spread.h"

enum { MOST_WAYS = 24, MOST_BYTES = 1 << 24 };
enum kind { HYBRID, LAYERED, BINOMIAL, WIRE, INSIDE, COPIES, PLAIN, NOTHING, ALGORITHM };

typedef struct way {
    int kind;
    const char *name; /* of the algorithm, where it is one */
} way;

static h3ou__world *world;
static h3ou__comm *global;
static socket_tree tree;
static double *in, *out;
static int ncall; /* in a row */
static const char *const operation_text[] = {"bcast", "reduce", "allreduce"};
static const char *const variable[] = {"H3OU_COLL_BCAST", "H3OU_COLL_REDUCE", "H3OU_COLL_ALLREDUCE"};
static const char *const kind_text[] = {"hybrid", "2L", "BT", "wire", "inside", "copies", "mpi", "nothing"};

static void check_call(int err)
{
    if (!err)
        return;
    fprintf(stderr, "collectives: %s\n", h3ou__fail_text());
    h3ou__world_abort(world, 1, h3ou__fail_text(), 1.0);
    exit(1);
}

/* Returns the root of call i of those in a row: another one each time, of each job in turn, so that each call needs what the one before it brought. */
static int root_of(int i)
{
    return i * (tree.size / tree.njob + 1) % tree.size;
}

/* Fails when the sum, or the value, of all is not what it must be. */
static void check_result(int operation, int64_t n)
{
    int size = h3ou__comm_size(global), is_root = h3ou__comm_rank(global) == root_of(ncall - 1);
    double want = operation == H3OU__COLL_BCAST ? 7 : size * (size + 1) / 2;
    const double *got = operation == H3OU__COLL_BCAST ? in : out;
    if ((is_root || operation != H3OU__COLL_REDUCE) && (got[0] != want || got[n - 1] != want))
        check_call(h3ou__fail(H3OU__ESTATE, "%s of %lld bytes: got %g and %g instead of %g", operation_text[operation],
                              (long long)n * 8, got[0], got[n - 1], want));
}

static int call_ours(int operation, int64_t n, int root)
{
    return operation == H3OU__COLL_BCAST    ? h3ou__bcast(global, in, n, H3OU__DOUBLE, root)
           : operation == H3OU__COLL_REDUCE ? h3ou__reduce(global, in, out, n, H3OU__DOUBLE, H3OU__SUM, root)
                                            : h3ou__allreduce(global, in, out, n, H3OU__DOUBLE, H3OU__SUM);
}

static int call_tree(int operation, int64_t n, int root)
{
    return operation == H3OU__COLL_BCAST    ? socket_tree_bcast(&tree, in, (size_t)n, root)
           : operation == H3OU__COLL_REDUCE ? socket_tree_reduce(&tree, in, out, (size_t)n, root)
                                            : socket_tree_allreduce(&tree, in, out, (size_t)n);
}

static int call_mpi(int operation, int64_t n, int root)
{
    return operation == H3OU__COLL_BCAST ? MPI_Bcast(in, (int)n, MPI_DOUBLE, root, MPI_COMM_WORLD)
           : operation == H3OU__COLL_REDUCE
               ? MPI_Reduce(in, out, (int)n, MPI_DOUBLE, MPI_SUM, root, MPI_COMM_WORLD)
               : MPI_Allreduce(in, out, (int)n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

/* One message from rank 0 to the first process of the next job. */
static int call_wire(int64_t n)
{
    waitio_req_t req;
    int other = tree.size / tree.njob, err = 0;
    if (tree.rank == 0)
        err = waitio_isend(tree.group, other, (char *)in, (size_t)n * sizeof *in, 1, &req);
    else if (tree.rank == other)
        err = waitio_irecv(tree.group, 0, (char *)in, (size_t)n * sizeof *in, 1, &req);
    else
        return 0;
    return err ? err : waitio_wait(&req);
}

/* The same, while each other process copies as many bytes: less than a broadcast needs on cores that these processes share. */
static int call_copies(int64_t n)
{
    int other = tree.size / tree.njob;
    if (tree.rank == 0 || tree.rank == other)
        return call_wire(n);
    memcpy(out, in, (size_t)n * sizeof *in);
    return 0;
}

static int make_call(const way *w, int operation, int64_t n, int root)
{
    switch (w->kind) {
    case NOTHING:
        return 0;
    case COPIES:
        return call_copies(n);
    case WIRE:
        return call_wire(n);
    case INSIDE:
    case PLAIN:
        return call_mpi(operation, n, root % (tree.size / tree.njob));
    case LAYERED:
    case BINOMIAL:
        tree.is_layered = w->kind == LAYERED;
        return call_tree(operation, n, root);
    }
    return call_ours(operation, n, root);
}

/* Returns when all processes of all jobs begin, which is soon. They sleep until then: one that only yields may keep its core while others,
 * which have not been told yet, want it. */
static double agree_begin(void)
{
    double begin;
    check_call(h3ou__barrier(global));
    begin = seconds_now() + 5e-4 + 1e-4 * h3ou__comm_size(global);
    check_call(h3ou__bcast(global, &begin, 1, H3OU__DOUBLE, 0));
    struct timespec at = {.tv_sec = (time_t)begin, .tv_nsec = (long)((begin - (double)(time_t)begin) * 1e9)};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL) == EINTR)
        ;
    return begin;
}

/* Returns how often this process has left its core. */
static double count_switches(void)
{
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    return (double)(used.ru_nvcsw + used.ru_nivcsw);
}

/* Returns the seconds until this process has returned from a call. */
static double time_call(const way *w, int operation, int64_t n, double *switches)
{
    int rank = h3ou__comm_rank(global);
    for (int64_t i = 0; i < n; i += n > 1 ? n - 1 : 1) {
        in[i] = operation == H3OU__COLL_BCAST ? 7 * (rank == 0) : rank + 1;
        out[i] = 0;
    }
    if (w->kind == ALGORITHM)
        setenv(variable[operation], w->name, 1);
    double begin = agree_begin(), before = count_switches();
    for (int i = 0; i < ncall; i++)
        check_call(make_call(w, operation, n, root_of(i)));
    double took = (seconds_now() - begin) / ncall;
    *switches = (count_switches() - before) / ncall;
    if (w->kind == ALGORITHM)
        unsetenv(variable[operation]);
    if (w->kind != WIRE && w->kind != INSIDE && w->kind != COPIES && w->kind != NOTHING)
        check_result(operation, n);
    return took;
}

/* Puts the ways into another order, which is the same on all processes: what came before a call changes its time. */
static void shuffle(int order[], int n)
{
    static uint32_t state = 1;
    for (int i = n - 1; i > 0; i--) {
        state = state * 1664525u + 1013904223u;
        int k = (int)(state >> 16) % (i + 1), kept = order[i];
        order[i] = order[k];
        order[k] = kept;
    }
}

/* Prints what was measured of the ways, of which each has a number for each round. */
static void print_rounds(const way *ways, int nway, int operation, int64_t bytes, int rounds, const char *of, const double *values)
{
    for (int k = 0; k < nway && h3ou__comm_rank(global) == 0; k++) {
        printf("%s %lld %s%s", operation_text[operation], (long long)bytes, ways[k].name ? ways[k].name : kind_text[ways[k].kind], of);
        for (int r = 0; r < rounds; r++)
            printf(" %.2f", values[k * rounds + r]);
        printf("\n");
    }
    fflush(stdout);
}

static void measure_size(const way *ways, int nway, int operation, int64_t bytes, int rounds)
{
    int order[MOST_WAYS], each = nway * rounds;
    double *took = malloc(sizeof *took * (size_t)(4 * each)), *last = took + each, *left = last + each, *all_left = left + each;
    for (int k = 0; k < nway; k++)
        order[k] = k;
    for (int r = bytes <= 1 << 12 ? -6 : -1; r < rounds; r++) { /* the first one opens connections */
        shuffle(order, nway);
        for (int k = 0; k < nway; k++) {
            double switches, t = time_call(&ways[order[k]], operation, bytes / 8, &switches);
            if (r < 0)
                continue;
            took[order[k] * rounds + r] = 1e6 * t;
            left[order[k] * rounds + r] = switches;
        }
    }
    check_call(h3ou__allreduce(global, took, last, each, H3OU__DOUBLE, H3OU__MAX));
    check_call(h3ou__allreduce(global, left, all_left, each, H3OU__DOUBLE, H3OU__SUM));
    print_rounds(ways, nway, operation, bytes, rounds, "", last);
    print_rounds(ways, nway, operation, bytes, rounds, ":switches", all_left);
    free(took);
}

/* Lists the ways of an operation; returns their number. */
static int list_ways(const char *which, int operation, way ways[])
{
    int n = 0;
    if (!strcmp(which, "mpi")) {
        ways[n++] = (way){.kind = PLAIN};
        return n;
    }
    if (!strcmp(which, "link") && operation != H3OU__COLL_BCAST)
        return 0;
    if (strcmp(which, "tree") != 0)
        ways[n++] = (way){.kind = HYBRID};
    else
        ways[n++] = (way){.kind = BINOMIAL};
    if (!strcmp(which, "link")) {
        ways[n++] = (way){.kind = BINOMIAL};
        ways[n++] = (way){.kind = WIRE};
    }
    for (int i = 0; h3ou__algorithm_table[i] && !strcmp(which, "algorithms"); i++)
        if (h3ou__algorithm_table[i]->operation == operation)
            ways[n++] = (way){.kind = ALGORITHM, .name = h3ou__algorithm_table[i]->name};
    if (!strcmp(which, "hybrid")) {
        ways[n++] = (way){.kind = LAYERED};
        ways[n++] = (way){.kind = BINOMIAL};
        ways[n++] = (way){.kind = NOTHING};
        if (operation == H3OU__COLL_BCAST) {
            ways[n++] = (way){.kind = WIRE};
            ways[n++] = (way){.kind = INSIDE};
            ways[n++] = (way){.kind = COPIES};
        }
    }
    return n;
}

static int is_member(int pb, int rank)
{
    (void)pb;
    (void)rank;
    return 1;
}

static void make_group(void)
{
    int order[64];
    waitio_filter_func_t member[64];
    tree = (socket_tree){.rank = h3ou__comm_rank(global), .size = h3ou__comm_size(global), .njob = h3ou__world_jobs(world)};
    for (int i = 0; i < 64; i++) {
        order[i] = i;
        member[i] = is_member;
    }
    tree.partial = malloc(MOST_BYTES);
    tree.group = tree.njob > 1 ? waitio_create_group_func(5, member, order) : NULL;
}

int main(int argc, char **argv)
{
    way ways[MOST_WAYS];
    ncall = argc > 4 ? atoi(argv[4]) : 0;
    if (argc < 6 || ncall < 1)
        return 2;
    prctl(PR_SET_TIMERSLACK, 1, 0, 0, 0); /* agree_begin: to the nanosecond */
    MPI_Init(&argc, &argv);
    check_call(h3ou__world_open(argv[1], 1, NULL, &world));
    if (getenv("BENCH_KINGS"))
        h3ou__collectives_set_kings(atoi(getenv("BENCH_KINGS")));
    global = h3ou__world_global(world);
    make_group();
    in = calloc(1, MOST_BYTES);
    out = calloc(1, MOST_BYTES);
    for (int operation = H3OU__COLL_BCAST; operation <= H3OU__COLL_ALLREDUCE; operation++)
        for (int i = 5; i < argc; i++) {
            int64_t bytes = atoll(argv[i]);
            int n = list_ways(argv[2], operation, ways), rounds = atoi(argv[3]);
            if (bytes > MOST_BYTES || bytes < 8)
                return 2;
            if (bytes >= 1 << 18) /* these take long, and vary less */
                rounds = rounds < 20 ? (rounds + 1) / 2 : bytes >= 1 << 24 ? rounds / 8 : rounds / 4;
            else if (bytes <= 1 << 12)
                rounds *= 4;
            measure_size(ways, n, operation, bytes, rounds);
        }
    free(in);
    free(out);
    free(tree.partial);
    if (tree.group)
        waitio_group_free(tree.group);
    check_call(h3ou__world_close(world, 1));
    return 0;
}

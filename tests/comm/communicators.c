/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Every communicator, every collective with every root, type and operation, and messages between all pairs.
 *
 *   communicators COMPONENT
 *
 * With TEST_HOSTS=0010, for instance, process 2 of a job of four counts as being on another host. With TEST_KINGS=2 two processes of each job
 * pass long messages on. Exit code 0 on all processes of all jobs, or 1 on all.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "../lib/emulated_host.h"
#include "../lib/typed_values.h"
#include "comm/collective/collective.h"
#include "comm/world.h"

static h3ou__world *world;
static const char *where;
static int bad;

static void expect(int is, const char *what)
{
    if (!is && bad++ < 8)
        printf("%s on %s: %s\n", what, where, h3ou__fail_text());
}

static void ok(int err, const char *what)
{
    if (err) {
        printf("%s on %s: error %d: %s\n", what, where, err, h3ou__fail_text());
        fflush(stdout);
        h3ou__world_abort(world, 1, "test failed", 1.0);
        exit(1);
    }
}

static void check_bcast(h3ou__comm *c, int root, int type, int64_t count)
{
    void *buf = calloc((size_t)count + 1, 8);
    for (int64_t i = 0; i < count && h3ou__comm_rank(c) == root; i++)
        set_value(buf, type, i, (double)(i % 100 + root));
    ok(h3ou__bcast(c, buf, count, type, root), "bcast");
    for (int64_t i = 0; i < count; i++)
        expect(get_value(buf, type, i) == (double)(i % 100 + root), "bcast");
    free(buf);
}

static double reduced(int op, int n, int i)
{
    return op == H3OU__SUM ? n * (n - 1) / 2 - 3 * n + i * n : op == H3OU__MIN ? -3 + i : n - 1 - 3 + i;
}

static void check_reduce(h3ou__comm *c, int root, int type, int op)
{
    double send[4], recv[4], all[4];
    int n = h3ou__comm_size(c), me = h3ou__comm_rank(c);
    for (int i = 0; i < 4; i++)
        set_value(send, type, i, me - 3 + i); /* signed: negative values must stay below */
    ok(h3ou__reduce(c, send, recv, 4, type, op, root), "reduce");
    ok(h3ou__allreduce(c, send, all, 4, type, op), "allreduce");
    for (int i = 0; i < 4; i++) {
        expect(me != root || get_value(recv, type, i) == reduced(op, n, i), "reduce");
        expect(get_value(all, type, i) == reduced(op, n, i), "allreduce");
    }
}

/* Inside a job an MPI may sum in another order for another root. */
static bool is_sum(double got, double wanted)
{
    const char *memory = getenv("H3OU_SHARED_MEMORY");
    double difference = memory && !strcmp(memory, "0") ? 1e-14 * wanted : 0.0;
    return got >= wanted - difference && got <= wanted + difference;
}

/* Long reductions, and sums whose bits may depend neither on the root nor on the number of elements. */
static void check_long_reduce(h3ou__comm *c)
{
    enum { MANY = 300000 };
    int n = h3ou__comm_size(c), me = h3ou__comm_rank(c);
    double *in = malloc(sizeof *in * MANY), *out = malloc(sizeof *out * MANY), first = 0, wanted = 0;
    h3ou__collectives_keep_order(true);
    for (int i = 0; i < MANY; i++)
        in[i] = 1.0 / (3 + me * 7 + i % 11);
    ok(h3ou__allreduce(c, in, &first, 1, H3OU__DOUBLE, H3OU__SUM), "a sum of one element");
    for (int rank = 0; rank < n; rank++)
        wanted += 1.0 / (3 + rank * 7);
    expect(first > wanted * (1 - 1e-14) && first < wanted * (1 + 1e-14), "the value of a sum");
    for (int root = -1; root < n; root++) {
        memset(out, 0, sizeof *out * MANY);
        ok(root < 0 ? h3ou__allreduce(c, in, out, MANY, H3OU__DOUBLE, H3OU__SUM)
                    : h3ou__reduce(c, in, out, MANY, H3OU__DOUBLE, H3OU__SUM, root), "a long sum");
        expect(!(root < 0 || me == root) || (is_sum(out[0], first) && is_sum(out[MANY - MANY % 11 - 11], first)), "the bits of a long sum");
    }
    memcpy(out, in, sizeof *out * MANY);
    ok(h3ou__allreduce(c, out, out, MANY, H3OU__DOUBLE, H3OU__SUM), "a long sum in place");
    expect(is_sum(out[0], first) && is_sum(out[11], first), "the bits of a long sum in place");
    h3ou__collectives_keep_order(false);
    free(in);
    free(out);
}

static void check_gather(h3ou__comm *c, int root)
{
    int n = h3ou__comm_size(c), me = h3ou__comm_rank(c);
    int64_t *counts = malloc(sizeof *counts * (size_t)n), *at = malloc(sizeof *at * (size_t)n);
    int32_t *all = calloc((size_t)(3 * n), sizeof *all), mine[3] = {me, 2 * me, 3 * me};
    ok(h3ou__gather(c, mine, 3, all, H3OU__INT32, root), "gather");
    for (int i = 0; i < n && me == root; i++)
        expect(all[3 * i] == i && all[3 * i + 2] == 3 * i, "gather");
    mine[0] = -1;
    ok(h3ou__scatter(c, all, mine, 3, H3OU__INT32, root), "scatter");
    expect(mine[0] == me && mine[2] == 3 * me, "scatter");
    for (int i = 0; i < n; i++) {
        counts[i] = i % 3;
        at[i] = 3 * i;
    }
    memset(all, 0, sizeof *all * (size_t)(3 * n));
    ok(h3ou__gatherv(c, mine, counts[me], all, counts, at, H3OU__INT32, root), "gatherv");
    for (int i = 0; i < n && me == root; i++)
        expect((i % 3 < 1 || all[3 * i] == i) && (i % 3 < 2 ? all[3 * i + 1] == 0 : all[3 * i + 1] == 2 * i),
               "gatherv");
    mine[0] = mine[1] = -1;
    ok(h3ou__scatterv(c, all, counts, at, mine, counts[me], H3OU__INT32, root), "scatterv");
    expect(mine[0] == (me % 3 > 0 ? me : -1) && mine[1] == (me % 3 > 1 ? 2 * me : -1), "scatterv");
    free(counts);
    free(at);
    free(all);
}

/* A value is some digits, and their number: the operation writes the digits of the second operand behind those of the first. */
static int64_t join_digits(int64_t a, int64_t b)
{
    int64_t power = 1;
    for (int64_t i = 0; i < b % 100; i++)
        power *= 10;
    return (a / 100 * power + b / 100) * 100 + a % 100 + b % 100;
}

static void join(const void *in, void *inout, int64_t count, int type, void *user)
{
    int64_t *to = inout;
    expect(type == H3OU__INT64 && user == &bad, "what a function is given");
    for (int64_t i = 0; i < count; i++)
        to[i] = join_digits(((const int64_t *)in)[i], to[i]);
}

static void join_bytes(const void *in, void *inout, int64_t count, int type, void *user)
{
    expect(type == H3OU__BYTE && !user, "what a function of bytes is given");
    for (int64_t i = 0; i < count; i++)
        ((unsigned char *)inout)[i] ^= ((const unsigned char *)in)[i];
}

enum { MOST = 5 };

/* The digit of a rank, as element i has it, and those of ranks 0 to last, joined. */
static int64_t digit_of(int rank, int i)
{
    return ((rank + i) % 9 + 1) * 100 + 1;
}

static int64_t joined(int last, int i)
{
    int64_t all = digit_of(0, i);
    for (int rank = 1; rank <= last; rank++)
        all = join_digits(all, digit_of(rank, i));
    return all;
}

/* Operations of a function that does not commute, and of one that does. */
static void check_functions(h3ou__comm *c, int root)
{
    int n = h3ou__comm_size(c), me = h3ou__comm_rank(c);
    h3ou__reduction in_order = {.combine = join, .user = &bad}, any = {.combine = join_bytes, .commutes = true};
    int64_t send[MOST], recv[MOST] = {0}, all[MOST] = {0}, scan[MOST];
    unsigned char letter = (unsigned char)(me + 1), every = 0, odd = 0;
    for (int i = 0; i < MOST; i++)
        scan[i] = send[i] = digit_of(me, i);
    ok(h3ou__reduce_by(c, send, recv, MOST, H3OU__INT64, &in_order, root), "reduce by a function");
    ok(h3ou__allreduce_by(c, send, all, MOST, H3OU__INT64, &in_order), "allreduce by a function");
    ok(h3ou__scan(c, scan, scan, MOST, H3OU__INT64, &in_order), "scan by a function");
    ok(h3ou__allreduce_by(c, &letter, &every, 1, H3OU__BYTE, &any), "allreduce of bytes");
    for (int i = 0; i < MOST; i++) {
        expect(me != root || recv[i] == joined(n - 1, i), "reduce by a function");
        expect(all[i] == joined(n - 1, i), "allreduce by a function");
        expect(scan[i] == joined(me, i), "scan by a function");
    }
    for (int i = 0; i < n; i++)
        odd ^= (unsigned char)(i + 1);
    expect(every == odd, "allreduce of bytes by a function");
    ok(h3ou__reduce_by(c, send, send, MOST, H3OU__INT64, &in_order, root), "reduce in place");
    expect(me != root || send[1] == joined(n - 1, 1), "reduce by a function, in place");
}

/* Rank r sends r + s elements to rank s. */
static void check_alltoall(h3ou__comm *c)
{
    int n = h3ou__comm_size(c), me = h3ou__comm_rank(c);
    int64_t *counts = malloc(sizeof *counts * (size_t)n), *at = malloc(sizeof *at * (size_t)n);
    size_t most = (size_t)(2 * n) * (size_t)n;
    int32_t *out = calloc(most, sizeof *out), *in = calloc(most, sizeof *in);
    for (int i = 0; i < n; i++) {
        out[2 * i] = 100 * me + i;
        counts[i] = me + i;
        at[i] = (int64_t)2 * n * i;
    }
    ok(h3ou__alltoall(c, out, in, 2, H3OU__INT32), "alltoall");
    for (int i = 0; i < n; i++)
        expect(in[2 * i] == 100 * i + me && in[2 * i + 1] == 0, "alltoall");
    for (int i = 0; i < n; i++)
        for (int k = 0; k < me + i; k++)
            out[at[i] + k] = 1000 * me + 100 * i + k;
    ok(h3ou__alltoall_parts(c, out, counts, at, in, counts, at, H3OU__INT32), "alltoallv");
    for (int i = 0; i < n; i++)
        for (int k = 0; k < me + i; k++)
            expect(in[at[i] + k] == 1000 * i + 100 * me + k, "alltoallv");
    free(counts);
    free(at);
    free(out);
    free(in);
}

static void check_allgather(h3ou__comm *c, int type)
{
    int n = h3ou__comm_size(c), me = h3ou__comm_rank(c);
    double mine[3], *all = calloc((size_t)(3 * n), sizeof *all);
    int64_t *counts = malloc(sizeof *counts * (size_t)n), *at = malloc(sizeof *at * (size_t)n);
    for (int i = 0; i < 3; i++)
        set_value(mine, type, i, 10 * me + i);
    ok(h3ou__allgather(c, mine, 2, all, type), "allgather");
    for (int i = 0; i < n; i++)
        expect(get_value(all, type, 2 * i) == 10 * i && get_value(all, type, 2 * i + 1) == 10 * i + 1, "allgather");
    memset(all, 0, (size_t)(3 * n) * sizeof *all);
    for (int i = 0; i < n; i++) {
        counts[i] = (i + 1) % 3;
        at[i] = 3 * (n - 1 - i);
    }
    ok(h3ou__allgatherv(c, mine, all, counts, at, type), "allgatherv");
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 3; k++)
            expect(get_value(all, type, at[i] + k) == (k < counts[i] ? 10 * i + k : 0), "allgatherv");
    free(counts);
    free(at);
    free(all);
}

/* Rank r gets r % 3 elements of the sum, and the scan's rank r the sum of ranks 0 to r. */
static void check_scan(h3ou__comm *c, int type)
{
    int n = h3ou__comm_size(c), me = h3ou__comm_rank(c);
    h3ou__reduction sum = {.op = H3OU__SUM};
    int64_t *counts = malloc(sizeof *counts * (size_t)n), first = 0;
    double *send = calloc((size_t)(3 * n), sizeof *send), mine[3] = {0}, scan[2];
    for (int i = 0; i < n; i++)
        counts[i] = i % 3;
    for (int i = 0; i < me; i++)
        first += counts[i];
    for (int i = 0; i < 3 * n; i++)
        set_value(send, type, i, me + i);
    ok(h3ou__reduce_scatter(c, send, mine, counts, type, &sum), "reduce_scatter");
    ok(h3ou__scan(c, send, scan, 2, type, &sum), "scan");
    for (int i = 0; i < me % 3; i++)
        expect(get_value(mine, type, i) == n * (n - 1) / 2 + n * (double)(first + i), "reduce_scatter");
    for (int i = 0; i < 2; i++)
        expect(get_value(scan, type, i) == me * (me + 1) / 2 + (me + 1) * i, "scan");
    free(counts);
    free(send);
}

/* Everybody to everybody, itself too: short, empty and long messages, in order for each tag. */
static void check_messages(h3ou__comm *c)
{
    enum { KINDS = 4 };
    static const int64_t length[KINDS] = {1, 0, 700, 70000};
    int n = h3ou__comm_size(c), me = h3ou__comm_rank(c);
    h3ou__req *req = calloc((size_t)(2 * n * KINDS), sizeof *req);
    int32_t **in = calloc((size_t)(n * KINDS), sizeof *in), **out = calloc((size_t)(n * KINDS), sizeof *out);
    int q = 0;
    for (int peer = 0; peer < n; peer++)
        for (int k = 0; k < KINDS; k++) {
            int32_t **i = &in[peer * KINDS + k], **o = &out[peer * KINDS + k];
            *i = calloc((size_t)length[k] + 10, 4);
            *o = calloc((size_t)length[k] + 1, 4);
            for (int64_t e = 0; e < length[k]; e++)
                (*o)[e] = (int32_t)(me * 1000 + peer * 100 + k + e);
            ok(h3ou__irecv(c, peer, k % 2, *i, length[k] + 10, H3OU__INT32, "test", &req[q++]), "irecv");
            ok(h3ou__isend(c, peer, k % 2, *o, length[k], H3OU__INT32, "test", &req[q++]), "isend");
        }
    ok(h3ou__waitall(world, q, req), "waitall");
    q = 0;
    for (int peer = 0; peer < n; peer++)
        for (int k = 0; k < KINDS; k++, q += 2) {
            expect(h3ou__req_count(&req[q], H3OU__INT32) == length[k], "length of a message");
            for (int64_t e = 0; e < length[k]; e++)
                expect(in[peer * KINDS + k][e] == (int32_t)(peer * 1000 + me * 100 + k + e), "message");
            free(in[peer * KINDS + k]);
            free(out[peer * KINDS + k]);
        }
    free(in);
    free(out);
    free(req);
}

/* Checks that each of the Kings of my job sends its share of a long broadcast to the other jobs, and that those that are none send nothing.
 * Of two Kings the second one is in the middle of its job. */
static void check_kings(h3ou__comm *c, int nking)
{
    enum { MANY = 400000 };
    waitio_counters_t before, after;
    int block_size = h3ou__comm_block_size(c, c->block), least = block_size, king = -1;
    double *values = calloc(MANY, sizeof *values);
    for (int block = 0; block < c->nblock; block++)
        least = h3ou__comm_block_size(c, block) < least ? h3ou__comm_block_size(c, block) : least;
    nking = nking < least ? nking : least;
    for (int i = 0; i < nking; i++)
        king = c->block_rank == i * block_size / nking ? i : king;
    for (int i = 0; i < MANY && c->rank == 0; i++)
        values[i] = i;
    waitio_get_counters(&before);
    ok(h3ou__bcast(c, values, MANY, H3OU__DOUBLE, 0), "broadcast by several Kings");
    waitio_get_counters(&after);
    double sent = (double)(after.bytes_sent - before.bytes_sent) / ((c->nblock - 1) * MANY * 8.0);
    double wanted = c->block != 0 || king < 0 ? 0.0 : 1.0 / nking;
    expect(values[MANY - 1] == MANY - 1, "broadcast by several Kings");
    expect(sent >= wanted - 0.1 && sent <= wanted + 0.1, "the share of a King");
    free(values);
}

static void check_communicator(h3ou__comm *c, const char *name)
{
    h3ou__req req;
    where = name;
    int n = h3ou__comm_size(c);
    for (int root = 0; root < n; root++) {
        check_bcast(c, root, root % H3OU__TYPES, 5);
        check_reduce(c, root, 1 + root % (H3OU__TYPES - 1), root % H3OU__OPS); /* not of bytes */
        check_gather(c, root);
    }
    for (int type = 0; type < H3OU__TYPES; type++) {
        check_bcast(c, n / 2, type, 5);
        for (int op = 0; op < H3OU__OPS && type != H3OU__BYTE; op++)
            check_reduce(c, n / 2, type, op);
    }
    check_functions(c, n / 2);
    for (int type = 0; type < H3OU__TYPES; type++) {
        check_allgather(c, type);
        if (type != H3OU__BYTE)
            check_scan(c, type);
    }
    check_alltoall(c);
    check_bcast(c, n - 1, H3OU__DOUBLE, 0);
    check_bcast(c, n - 1, H3OU__DOUBLE, 300000);
    if (getenv("TEST_HOSTS") || getenv("TEST_KINGS"))
        check_long_reduce(c);
    check_messages(c);
    ok(h3ou__barrier(c), "barrier");
    expect(h3ou__bcast(c, &req, 1, H3OU__BYTE, n) == H3OU__EARG, "a root that is none");
    expect(h3ou__isend(c, n, 0, NULL, 0, H3OU__BYTE, NULL, &req) == H3OU__EARG, "a rank that is none");
}

/* Rank r sends r + s elements to rank s. */
static void check_alltoallv(h3ou__comm *local)
{
    int n = h3ou__comm_size(local), me = h3ou__comm_rank(local);
    int64_t *counts = malloc(sizeof *counts * (size_t)n), *got = malloc(sizeof *got * (size_t)n), all = 0, *out, at = 0;
    void *in;
    for (int i = 0; i < n; i++)
        all += counts[i] = me + i;
    out = malloc(sizeof *out * (size_t)(all + 1));
    for (int i = 0; i < n; i++)
        for (int64_t k = 0; k < counts[i]; k++)
            out[at++] = 1000 * me + i;
    ok(h3ou__alltoallv(local, out, counts, H3OU__INT64, &in, got), "alltoallv");
    at = 0;
    for (int i = 0; i < n; i++) {
        expect(got[i] == me + i, "counts of alltoallv");
        for (int64_t k = 0; k < got[i]; k++)
            expect(((int64_t *)in)[at++] == 1000 * i + me, "alltoallv");
    }
    free(in);
    free(out);
    free(counts);
    free(got);
}

static int count_hosts(const char *layout)
{
    int n = 0;
    for (int i = 0; layout[i]; i++)
        n += strchr(layout, layout[i]) == layout + i;
    return n;
}

int main(int argc, char **argv)
{
    int32_t mine, worst = 0;
    where = "world";
    if (argc != 2)
        return 2;
    int err = h3ou__world_open(argv[1], 1, NULL, &world);
    if (err) {
        fprintf(stderr, "open: %s\n", h3ou__fail_text());
        return 1;
    }
    if (getenv("TEST_HOSTS"))
        check_messages(h3ou__world_global(world)); /* a process that has no network any more keeps its connections */
    if (enter_emulated_host(getenv("TEST_HOSTS"))) {
        fprintf(stderr, "no emulated hosts can be made\n");
        h3ou__world_abort(world, 1, "no emulated hosts", 0);
    }
    if (getenv("TEST_KINGS")) {
        h3ou__collectives_set_kings(atoi(getenv("TEST_KINGS")));
        check_kings(h3ou__world_global(world), atoi(getenv("TEST_KINGS")));
    }
    int me = h3ou__world_me(world), n = h3ou__world_components(world);
    expect(!strcmp(h3ou__world_component_name(world, me), argv[1]), "my name");
    expect(h3ou__world_find(world, "nobody") == -1, "a name that is none");
    for (int i = 1; i < n; i++)
        expect(h3ou__world_component_first(world, i - 1) < h3ou__world_component_first(world, i),
               "order of components");
    check_communicator(h3ou__world_global(world), "global");
    if (getenv("TEST_HOSTS"))
        expect(world->job_host->is_shared && world->job_host->map.nhost == count_hosts(getenv("TEST_HOSTS")), "memory of each host");
    check_communicator(h3ou__world_local(world), "local");
    check_alltoallv(h3ou__world_local(world));
    if (h3ou__world_leader(world))
        check_communicator(h3ou__world_leader(world), "leader");
    for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++) {
            h3ou__comm *model;
            int wanted = a != b && (me == a || me == b);
            where = "model";
            expect((h3ou__world_model(world, a, b, &model) == 0) == wanted, "who is in a Model");
            if (wanted)
                check_communicator(model, "model");
        }
    mine = bad > 0;
    ok(h3ou__allreduce(h3ou__world_global(world), &mine, &worst, 1, H3OU__INT32, H3OU__MAX), "verdict");
    ok(h3ou__world_close(world, 1), "close");
    return worst ? 1 : 0;
}

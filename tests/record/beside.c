/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One of two components, A or B, that talk beside the exchange by all calls of h3ou.h that bring something from another one.
 *
 *   beside A|B LINES CHANGED
 *
 * Each process writes LINES.A.RANK: for each call its name and a number made of the bits that it brought. CHANGED: 1: makes a call
 * that is missing when it is 0.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "h3ou.h"

enum { ROUNDS = 3, MOST = 256 };

typedef struct model {
    h3ou_ctx *ctx;
    const char *me, *other;
    int rank, size;
    FILE *lines;
    double mine[MOST], got[MOST];
} model;

static void check(const model *m, int err)
{
    if (err)
        h3ou_abort(m->ctx, err);
}

static void note(model *m, const char *call)
{
    uint64_t sum = 0;
    for (int i = 0; i < MOST; i++) {
        uint64_t bits;
        memcpy(&bits, &m->got[i], sizeof bits);
        sum = (sum ^ bits) * UINT64_C(0x9E3779B97F4A7C15) + (sum >> 29);
    }
    fprintf(m->lines, "%s %016llx\n", call, (unsigned long long)sum);
    for (int i = 0; i < MOST; i++)
        m->got[i] = -1.0;
}

static void talk(model *m, int round)
{
    int is_a = m->me[0] == 'A', partners = 1; /* the processes of both with a rank below this one talk to each other */
    for (int i = 0; i < MOST; i++)
        m->mine[i] = 1000.0 * m->rank + i + 0.25 * round + (is_a ? 0.0 : 0.125);
    memcpy(m->got, m->mine, sizeof m->got);
    check(m, h3ou_bcast_global(m->ctx, "A", m->got, 5, H3OU_TYPE_DOUBLE));
    note(m, "bcast_global");
    memcpy(m->got, m->mine, sizeof m->got);
    check(m, h3ou_bcast_model(m->ctx, "B", "A", m->got, 6, H3OU_TYPE_DOUBLE));
    note(m, "bcast_model");
    if (is_a)
        check(m, h3ou_send(m->ctx, m->other, m->mine, 3, H3OU_TYPE_DOUBLE));
    else
        check(m, h3ou_recv(m->ctx, m->other, m->got, 3, H3OU_TYPE_DOUBLE));
    note(m, "recv");
    if (m->rank < partners && is_a) {
        check(m, h3ou_send_model(m->ctx, m->other, m->rank, m->mine, 2, H3OU_TYPE_DOUBLE));
        check(m, h3ou_irecv_model(m->ctx, m->other, m->rank, m->got, 2, H3OU_TYPE_DOUBLE));
        check(m, h3ou_irecv_model(m->ctx, m->other, m->rank, m->got + 4, 1, H3OU_TYPE_DOUBLE));
        check(m, h3ou_irecv_waitall(m->ctx));
    } else if (m->rank < partners) {
        check(m, h3ou_recv_model(m->ctx, m->other, m->rank, m->got, 2, H3OU_TYPE_DOUBLE));
        check(m, h3ou_isend_model(m->ctx, m->other, m->rank, m->mine, 2, H3OU_TYPE_DOUBLE));
        check(m, h3ou_isend_model(m->ctx, m->other, m->rank, m->mine + 2, 1, H3OU_TYPE_DOUBLE));
        check(m, h3ou_isend_waitall(m->ctx));
    }
    note(m, "model");
}

/* Every collective call on a communicator. */
static void collect(model *m, int comm)
{
    int n, rank, root = 1;
    int64_t counts[MOST], displs[MOST];
    check(m, h3ou_comm_size(m->ctx, comm, &n));
    check(m, h3ou_comm_rank(m->ctx, comm, &rank));
    m->got[0] = n;
    m->got[1] = rank;
    note(m, "comm");
    for (int i = 0; i < n; i++) {
        counts[i] = 1 + i % 3;
        displs[i] = 4 * (n - 1 - i);
    }
    check(m, h3ou_barrier(m->ctx, comm));
    memcpy(m->got, m->mine, sizeof m->got);
    check(m, h3ou_bcast(m->ctx, comm, root, m->got, 3, H3OU_TYPE_DOUBLE));
    note(m, "bcast");
    check(m, h3ou_gather(m->ctx, comm, root, m->mine, 2, m->got, H3OU_TYPE_DOUBLE));
    note(m, "gather");
    check(m, h3ou_gatherv(m->ctx, comm, root, m->mine, counts[rank], m->got, counts, displs, H3OU_TYPE_DOUBLE));
    note(m, "gatherv");
    check(m, h3ou_scatter(m->ctx, comm, root, m->mine, m->got, 2, H3OU_TYPE_DOUBLE));
    note(m, "scatter");
    check(m, h3ou_scatterv(m->ctx, comm, root, m->mine, counts, displs, m->got, counts[rank], H3OU_TYPE_DOUBLE));
    note(m, "scatterv");
    check(m, h3ou_allgather(m->ctx, comm, m->mine, 3, m->got, H3OU_TYPE_DOUBLE));
    note(m, "allgather");
    check(m, h3ou_allgatherv(m->ctx, comm, m->mine, m->got, counts, displs, H3OU_TYPE_DOUBLE));
    note(m, "allgatherv");
    check(m, h3ou_alltoall(m->ctx, comm, m->mine, m->got, 2, H3OU_TYPE_DOUBLE));
    note(m, "alltoall");
    for (int i = 0; i < n; i++)
        counts[i] = 1 + (i + rank) % 3;
    check(m, h3ou_alltoallv(m->ctx, comm, m->mine, counts, displs, m->got, counts, displs, H3OU_TYPE_DOUBLE));
    note(m, "alltoallv");
    for (int i = 0; i < n; i++)
        counts[i] = 1 + i % 3;
    check(m, h3ou_reduce(m->ctx, comm, root, m->mine, m->got, 4, H3OU_TYPE_DOUBLE, H3OU_OP_SUM));
    note(m, "reduce");
    check(m, h3ou_allreduce(m->ctx, comm, m->mine, m->got, 4, H3OU_TYPE_DOUBLE, H3OU_OP_MAX));
    note(m, "allreduce");
    check(m, h3ou_reduce_scatter(m->ctx, comm, m->mine, m->got, counts, H3OU_TYPE_DOUBLE, H3OU_OP_SUM));
    note(m, "reduce_scatter");
    check(m, h3ou_scan(m->ctx, comm, m->mine, m->got, 4, H3OU_TYPE_DOUBLE, H3OU_OP_SUM));
    note(m, "scan");
}

int main(int argc, char **argv)
{
    if (argc != 4)
        return 2;
    model m = {.me = argv[1], .other = argv[1][0] == 'A' ? "B" : "A"};
    int comm, group, both;
    char file[4096];
    check(&m, h3ou_open(m.me, "/dev/null", 1, &m.ctx));
    check(&m, h3ou_local(m.ctx, &comm, &group, &m.size, &m.rank));
    snprintf(file, sizeof file, "%s.%s.%d", argv[2], m.me, m.rank);
    if (!(m.lines = fopen(file, "w")))
        return 1;
    check(&m, h3ou_comm_model(m.ctx, "A", "B", &both));
    for (int round = 0; round < ROUNDS; round++) {
        talk(&m, round);
        if (getenv("TALKS_ONLY"))
            continue;
        collect(&m, H3OU_COMM_GLOBAL);
        collect(&m, both);
        collect(&m, H3OU_COMM_LOCAL);
        if (m.rank == 0)
            check(&m, h3ou_allreduce(m.ctx, H3OU_COMM_LEADER, m.mine, m.got, 4, H3OU_TYPE_DOUBLE, H3OU_OP_SUM));
        note(&m, "leaders");
    }
    if (atoi(argv[3]))
        check(&m, h3ou_barrier(m.ctx, both));
    if (fclose(m.lines) != 0)
        return 1;
    check(&m, h3ou_close(m.ctx, (int[6]){0}, 1));
    return 0;
}

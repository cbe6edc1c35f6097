/* SPDX-License-Identifier: BSD-3-Clause */
/* Collective calls that move values, blocking: all roots, in place, with counts, places and types. */
#include "communicators.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 8, LONG = 300000 };

static int value(int rank, int i)
{
    return 1000 * rank + i % 977 + 7;
}

/* Two ints with a gap between and after them. */
static MPI_Datatype pair_type(void)
{
    MPI_Datatype vector, pair;
    CALL(MPI_Type_vector(2, 1, 2, MPI_INT, &vector));
    CALL(MPI_Type_create_resized(vector, 0, 16, &pair));
    CALL(MPI_Type_commit(&pair));
    CALL(MPI_Type_free(&vector));
    return pair;
}

static void bcast_count(const members *m, int root, int n)
{
    int *v = malloc(((size_t)n + 1) * sizeof *v), wrong = 0;
    for (int i = 0; i <= n; i++)
        v[i] = m->rank == root && i < n ? value(root, i) : -1;
    CALL(MPI_Bcast(v, n, MPI_INT, root, m->comm));
    for (int i = 0; i < n; i++)
        wrong += v[i] != value(root, i);
    EQUAL(wrong, 0);
    EQUAL(v[n], -1);
    free(v);
}

static void bcast(const members *m)
{
    MPI_Datatype pair = pair_type();
    for (int root = 0; root < m->size; root++) {
        int v[8] = {-1, -1, -1, -1, -1, -1, -1, -1}, is_root = m->rank == root;
        bcast_count(m, root, 0);
        bcast_count(m, root, 1);
        bcast_count(m, root, root ? 1000 : LONG);
        for (int i = 0; i < 4 && is_root; i++)
            v[2 * i] = value(root, i);
        /* The root has pairs, the others four ints: the signatures agree. */
        CALL(is_root ? MPI_Bcast(v, 2, pair, root, m->comm) : MPI_Bcast(v, 4, MPI_INT, root, m->comm));
        for (int i = 0; i < 4; i++)
            EQUAL(v[is_root ? 2 * i : i], value(root, i));
        EQUAL(v[is_root ? 1 : 5], -1);
        CALL(MPI_Barrier(m->comm));
    }
    CALL(MPI_Type_free(&pair));
}

static void gather_scatter_root(const members *m, int root, int n, MPI_Datatype pair)
{
    bool is_root = m->rank == root;
    size_t all = (size_t)(n * m->size);
    int *mine = malloc((size_t)n * sizeof *mine), *parts = calloc(4 * all, sizeof *parts), wrong = 0;
    for (int i = 0; i < n; i++)
        mine[i] = value(m->rank, i);
    CALL(MPI_Gather(mine, n, MPI_INT, is_root ? parts : NULL, is_root ? n : -1, is_root ? MPI_INT : MPI_DATATYPE_NULL, root, m->comm));
    for (int i = 0; i < n * m->size && is_root; i++)
        wrong += parts[i] != value(i / n, i % n);
    if (is_root) {
        memset(parts, 0, all * sizeof *parts);
        memcpy(parts + n * root, mine, (size_t)n * sizeof *mine);
        CALL(MPI_Gather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, parts, n, MPI_INT, root, m->comm));
    } else {
        CALL(MPI_Gather(mine, n, MPI_INT, NULL, 0, MPI_INT, root, m->comm));
    }
    for (int i = 0; i < n * m->size && is_root; i++) {
        wrong += parts[i] != value(i / n, i % n);
        parts[i] += 3;
    }
    memset(mine, 0, (size_t)n * sizeof *mine);
    CALL(MPI_Scatter(is_root ? parts : NULL, n, MPI_INT, mine, n, MPI_INT, root, m->comm));
    for (int i = 0; i < n; i++)
        wrong += mine[i] != value(m->rank, i) + 3;
    CALL(MPI_Scatter(parts, n, MPI_INT, is_root ? MPI_IN_PLACE : mine, n, MPI_INT, root, m->comm));
    for (int i = 0; i < n; i++)
        wrong += mine[i] != value(m->rank, i) + 3;
    if (n % 2 == 0) {
        CALL(MPI_Gather(mine, n, MPI_INT, parts, n / 2, pair, root, m->comm));
        for (int i = 0; i < n * m->size && is_root; i++)
            wrong += parts[2 * i] != value(i / n, i % n) + 3;
        memset(mine, 0, (size_t)n * sizeof *mine);
        CALL(MPI_Scatter(parts, n / 2, pair, mine, n, MPI_INT, root, m->comm));
        for (int i = 0; i < n; i++)
            wrong += mine[i] != value(m->rank, i) + 3;
    }
    EQUAL(wrong, 0);
    free(mine);
    free(parts);
}

static void gather_scatter(const members *m)
{
    MPI_Datatype pair = pair_type();
    for (int root = 0; root < m->size; root++) {
        gather_scatter_root(m, root, 1, pair);
        gather_scatter_root(m, root, root ? 6 : 5000, pair);
    }
    CALL(MPI_Type_free(&pair));
}

/* Part r has r values, after a hole of one; part 0 is empty. */
typedef struct {
    int counts[MOST], places[MOST], total;
} parts_of;

static parts_of make_parts(const members *m)
{
    parts_of p = {.total = 1};
    for (int r = 0; r < m->size; r++) {
        p.counts[r] = r;
        p.places[r] = p.total;
        p.total += r + 1;
    }
    return p;
}

/* Counts the values that are not what member r has in part r, plus `more`, with -1 in the holes. */
static int count_wrong(const members *m, const parts_of *p, const int v[], int more)
{
    int wrong = v[0] != -1;
    for (int r = 0; r < m->size; r++) {
        for (int i = 0; i < r; i++)
            wrong += v[p->places[r] + i] != value(r, i) + more;
        wrong += v[p->places[r] + r] != -1;
    }
    return wrong;
}

static void gather_scatter_v(const members *m)
{
    parts_of p = make_parts(m);
    int mine[MOST], all[MOST * MOST], got[MOST];
    int *part = m->rank ? mine : NULL, *place = m->rank ? got : NULL; /* a part without values needs no memory */
    for (int i = 0; i < MOST; i++)
        mine[i] = value(m->rank, i);
    for (int root = 0; root < m->size; root++) {
        bool is_root = m->rank == root;
        memset(all, -1, sizeof all);
        CALL(MPI_Gatherv(part, m->rank, MPI_INT, is_root ? all : NULL, is_root ? p.counts : NULL, is_root ? p.places : NULL, MPI_INT, root, m->comm));
        if (is_root)
            EQUAL(count_wrong(m, &p, all, 0), 0);
        for (int i = 0; i < p.total && is_root; i++)
            all[i] += all[i] == -1 ? 0 : 5;
        memset(got, -1, sizeof got);
        CALL(MPI_Scatterv(is_root ? all : NULL, is_root ? p.counts : NULL, is_root ? p.places : NULL, MPI_INT, place, m->rank, MPI_INT, root, m->comm));
        for (int i = 0; i < MOST; i++)
            EQUAL(got[i], i < m->rank ? value(m->rank, i) + 5 : -1);
    }
}

static void allgather(const members *m)
{
    enum { N = 3000 };
    parts_of p = make_parts(m);
    int mine[MOST], all[MOST * MOST], wrong = 0, *many = malloc(N * (size_t)m->size * sizeof *many);
    for (int i = 0; i < MOST; i++)
        mine[i] = value(m->rank, i);
    CALL(MPI_Allgather(mine, 2, MPI_INT, all, 2, MPI_INT, m->comm));
    for (int r = 0; r < m->size; r++)
        wrong += all[2 * r] != value(r, 0) || all[2 * r + 1] != value(r, 1);
    memset(all, -1, sizeof all);
    CALL(MPI_Allgatherv(mine, m->rank, MPI_INT, all, p.counts, p.places, MPI_INT, m->comm));
    EQUAL(count_wrong(m, &p, all, 0), 0);
    memset(all, -1, sizeof all);
    memcpy(all + p.places[m->rank], mine, sizeof *mine * (size_t)m->rank);
    CALL(MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, p.counts, p.places, MPI_INT, m->comm));
    EQUAL(count_wrong(m, &p, all, 0), 0);
    for (int i = 0; i < N; i++)
        many[m->rank * N + i] = value(m->rank, i);
    CALL(MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, many, N, MPI_INT, m->comm));
    for (int i = 0; i < N * m->size; i++)
        wrong += many[i] != value(i / N, i % N);
    MPI_Datatype pair = pair_type();
    CALL(MPI_Allgather(mine, 2, MPI_INT, all, 1, pair, m->comm));
    for (int r = 0; r < m->size; r++)
        wrong += all[4 * r] != value(r, 0) || all[4 * r + 2] != value(r, 1);
    CALL(MPI_Type_free(&pair));
    EQUAL(wrong, 0);
    free(many);
}

/* Member r sends member s the values of r from 10 * s on. */
static void alltoall(const members *m)
{
    int n = m->size, mine[2 * MOST], got[2 * MOST], wrong = 0;
    for (int i = 0; i < 2 * n; i++)
        mine[i] = value(m->rank, 10 * (i / 2) + i % 2);
    CALL(MPI_Alltoall(mine, 2, MPI_INT, got, 2, MPI_INT, m->comm));
    for (int i = 0; i < 2 * n; i++)
        wrong += got[i] != value(i / 2, 10 * m->rank + i % 2);
    CALL(MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, mine, 2, MPI_INT, m->comm));
    for (int i = 0; i < 2 * n; i++)
        wrong += mine[i] != got[i];
    EQUAL(wrong, 0);
}

/* Member r sends member s r + s values, from the end of the buffer on, and receives them from the beginning on. */
static void alltoallv(const members *m)
{
    int n = m->size, mine[2 * MOST * MOST], got[2 * MOST * MOST], counts[MOST], from[MOST], to[MOST], wrong = 0;
    for (int s = 0, at = 0; s < n; s++) {
        counts[s] = m->rank + s;
        to[s] = at;
        at += counts[s];
        from[s] = 2 * MOST * MOST - at;
        for (int i = 0; i < counts[s]; i++)
            mine[from[s] + i] = value(m->rank, 20 * s + i);
    }
    memset(got, -1, sizeof got);
    CALL(MPI_Alltoallv(mine, counts, from, MPI_INT, got, counts, to, MPI_INT, m->comm));
    for (int r = 0; r < n; r++)
        for (int i = 0; i < counts[r]; i++)
            wrong += got[to[r] + i] != value(r, 20 * m->rank + i);
    CALL(MPI_Alltoallv(MPI_IN_PLACE, NULL, NULL, MPI_DATATYPE_NULL, mine, counts, from, MPI_INT, m->comm));
    for (int r = 0; r < n; r++)
        for (int i = 0; i < counts[r]; i++)
            wrong += mine[from[r] + i] != value(r, 20 * m->rank + i);
    EQUAL(wrong, 0);
}

/* Two ints to each, as ints or as a pair with gaps. */
static void alltoallw(const members *m)
{
    int n = m->size, mine[2 * MOST], got[4 * MOST], counts[MOST], ones[MOST], from[MOST], to[MOST], wrong = 0;
    MPI_Datatype pair = pair_type(), send[MOST], recv[MOST];
    for (int s = 0; s < n; s++) {
        send[s] = MPI_INT;
        recv[s] = s % 2 ? pair : MPI_INT;
        counts[s] = 2;
        ones[s] = s % 2 ? 1 : 2;
        from[s] = 8 * (n - 1 - s);
        to[s] = 16 * s;
        for (int i = 0; i < 2; i++)
            mine[from[s] / 4 + i] = value(m->rank, 10 * s + i);
    }
    memset(got, -1, sizeof got);
    CALL(MPI_Alltoallw(mine, counts, from, send, got, ones, to, recv, m->comm));
    for (int r = 0; r < n; r++) {
        int second = r % 2 ? 2 : 1;
        wrong += got[4 * r] != value(r, 10 * m->rank) || got[4 * r + second] != value(r, 10 * m->rank + 1) || got[4 * r + 3 - second] != -1;
    }
    CALL(MPI_Alltoallw(MPI_IN_PLACE, NULL, NULL, NULL, mine, counts, from, send, m->comm));
    for (int r = 0; r < n; r++)
        for (int i = 0; i < 2; i++)
            wrong += mine[from[r] / 4 + i] != value(r, 10 * m->rank + i);
    EQUAL(wrong, 0);
    CALL(MPI_Type_free(&pair));
}

CASE(collective_bcast)
{
    on_communicators(bcast);
}

CASE(collective_gather)
{
    on_communicators(gather_scatter);
}

CASE(collective_gatherv)
{
    on_communicators(gather_scatter_v);
}

CASE(collective_allgather)
{
    on_communicators(allgather);
}

CASE(collective_alltoall)
{
    on_communicators(alltoall);
    on_communicators(alltoallv);
    on_communicators(alltoallw);
}

CASE(collective_error)
{
    int v = 0;
    MPI_Comm comm;
    CALL(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    CALL(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
    FAILS(MPI_ERR_ROOT, MPI_Bcast(&v, 1, MPI_INT, world_size, comm));
    FAILS(MPI_ERR_ROOT, MPI_Bcast(&v, 1, MPI_INT, -1, comm));
    FAILS(MPI_ERR_ROOT, MPI_Gather(&v, 1, MPI_INT, NULL, 1, MPI_INT, -1, comm));
    FAILS(MPI_ERR_COUNT, MPI_Bcast(&v, -1, MPI_INT, 0, comm));
    FAILS(MPI_ERR_TYPE, MPI_Bcast(&v, 1, MPI_DATATYPE_NULL, 0, comm));
    FAILS(MPI_ERR_OP, MPI_Allreduce(MPI_IN_PLACE, &v, 1, MPI_INT, MPI_OP_NULL, comm));
    CALL(MPI_Comm_free(&comm));
}

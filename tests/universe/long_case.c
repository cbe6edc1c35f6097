/* SPDX-License-Identifier: BSD-3-Clause */
/* Broadcasts and reductions of long messages, which pass in segments; those that do not block go on at the same time. */
#include "communicators.h"

#include <stdlib.h>

enum { BYTES = 3000003, SOME = 1000003, NUMBERS = 330000, MAPS = 70001, CALLS = 4 };

static unsigned char byte_of(int root, int i)
{
    return (unsigned char)(i * 7 + i / 251 + root);
}

static void bcast(const members *m)
{
    unsigned char *buf = malloc(BYTES + 1);
    for (int root = 0; root < m->size; root += m->size - 1) {
        int wrong = 0;
        for (int i = 0; i <= BYTES; i++)
            buf[i] = m->rank == root ? byte_of(root, i) : 99;
        buf[BYTES] = 77;
        CALL(MPI_Bcast(buf, BYTES, MPI_BYTE, root, m->comm));
        for (int i = 0; i < BYTES; i++)
            wrong += buf[i] != byte_of(root, i);
        EQUAL(wrong, 0);
        EQUAL(buf[BYTES], 77);
    }
    free(buf);
}

/* Sums of small numbers are exact. */
static void sum(const members *m)
{
    double *in = malloc(NUMBERS * sizeof *in), *out = malloc(NUMBERS * sizeof *out);
    int wrong = 0, n = m->size, root = n - 1;
    for (int i = 0; i < NUMBERS; i++) {
        in[i] = m->rank + i % 1000;
        out[i] = -1;
    }
    CALL(MPI_Allreduce(in, out, NUMBERS, MPI_DOUBLE, MPI_SUM, m->comm));
    for (int i = 0; i < NUMBERS; i++)
        wrong += out[i] != n * (n - 1) / 2 + n * (i % 1000);
    EQUAL(wrong, 0);
    CALL(MPI_Reduce(out, m->rank == root ? in : NULL, NUMBERS, MPI_DOUBLE, MPI_MAX, root, m->comm));
    for (int i = 0; i < NUMBERS && m->rank == root; i++)
        wrong += in[i] != out[i];
    EQUAL(wrong, 0);
    free(in);
    free(out);
}

/* Two numbers with a gap, as a map x -> a x + b: the operation, one map after another, does not commute. */
typedef struct {
    unsigned a, gap, b;
} map;

static void compose(void *in, void *inout, int *n, MPI_Datatype *type)
{
    map *x = in, *y = inout;
    (void)type;
    for (int i = 0; i < *n; i++)
        y[i] = (map){x[i].a * y[i].a, y[i].gap, y[i].a * x[i].b + y[i].b};
}

static map map_of(int rank, int i)
{
    return (map){2u * (unsigned)rank + 3, 5, (unsigned)(i % 1000 + rank)};
}

static int differ(const map got[], int size)
{
    int wrong = 0;
    for (int i = 0; i < MAPS; i++) {
        map all = map_of(0, i), next;
        for (int r = 1; r < size; r++) {
            int one = 1;
            next = map_of(r, i);
            compose(&all, &next, &one, NULL);
            all = next;
        }
        wrong += got[i].a != all.a || got[i].b != all.b;
    }
    return wrong;
}

static void set(map values[], int rank)
{
    for (int i = 0; i < MAPS; i++)
        values[i] = map_of(rank, i);
}

/* All processes start the calls in the same order, and complete them in different ones. */
static void started(const members *m)
{
    map *in = malloc(sizeof *in * MAPS), *out = malloc(sizeof *out * MAPS), *place = malloc(sizeof *place * MAPS);
    unsigned char *buf = malloc(SOME);
    MPI_Datatype type, wide;
    MPI_Op op;
    MPI_Request request[CALLS];
    int root = m->size / 2, wrong = 0;
    set(in, m->rank);
    set(place, m->rank);
    for (int i = 0; i < SOME; i++)
        buf[i] = m->rank == root ? byte_of(root, i) : 0;
    CALL(MPI_Type_vector(2, 1, 2, MPI_UNSIGNED, &type));
    CALL(MPI_Type_create_resized(type, 0, sizeof(map), &wide));
    CALL(MPI_Type_commit(&wide));
    CALL(MPI_Op_create(compose, 0, &op));
    CALL(MPI_Iallreduce(MPI_IN_PLACE, place, MAPS, wide, op, m->comm, &request[0]));
    CALL(MPI_Ibcast(buf, SOME, MPI_BYTE, root, m->comm, &request[1]));
    CALL(MPI_Ireduce(in, out, MAPS, wide, op, root, m->comm, &request[2]));
    CALL(MPI_Ibarrier(m->comm, &request[3]));
    for (int i = 0; i < CALLS; i++)
        CALL(MPI_Wait(&request[m->rank % 2 ? i : CALLS - 1 - i], MPI_STATUS_IGNORE));
    for (int i = 0; i < SOME; i++)
        wrong += buf[i] != byte_of(root, i);
    EQUAL(wrong, 0);
    EQUAL(differ(place, m->size), 0);
    if (m->rank == root)
        EQUAL(differ(out, m->size), 0);
    CALL(MPI_Allreduce(in, place, MAPS, wide, op, m->comm));
    EQUAL(differ(place, m->size), 0);
    CALL(MPI_Op_free(&op));
    CALL(MPI_Type_free(&wide));
    CALL(MPI_Type_free(&type));
    free(in);
    free(out);
    free(place);
    free(buf);
}

CASE(long_bcast)
{
    on_communicators(bcast);
}

CASE(long_sum)
{
    on_communicators(sum);
}

CASE(long_started)
{
    on_communicators(started);
}

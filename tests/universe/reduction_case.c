/* SPDX-License-Identifier: BSD-3-Clause */
/* Reductions and scans, blocking, with operations of MPI and of the program. Those that do not commute show the order of ranks. */
#include "communicators.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 8, LONG = 200000 };

/* x -> a x + b, modulo 2^32; two after one another are not commutative. */
typedef struct {
    unsigned a, b;
} map;

/* The same with gaps. */
typedef struct {
    unsigned a, gap, b, end;
} wide_map;

static map after(map first, map second)
{
    return (map){first.a * second.a, second.a * first.b + second.b};
}

static void compose(void *in, void *inout, int *n, MPI_Datatype *type)
{
    MPI_Aint low, extent;
    MPI_Type_get_extent(*type, &low, &extent);
    for (int i = 0; i < *n; i++)
        if (extent == sizeof(map)) {
            map *x = in, *y = inout;
            y[i] = after(x[i], y[i]);
        } else {
            wide_map *x = in, *y = inout;
            map z = after((map){x[i].a, x[i].b}, (map){y[i].a, y[i].b});
            y[i].a = z.a;
            y[i].b = z.b;
        }
}

static map map_of(int rank, int i)
{
    return (map){2u * (unsigned)rank + 3, (unsigned)(i % 1000 + rank)};
}

/* The maps of members first to last, one after the other. */
static map maps_to(int last, int i)
{
    map m = map_of(0, i);
    for (int r = 1; r <= last; r++)
        m = after(m, map_of(r, i));
    return m;
}

static bool is_equal(map x, map y)
{
    return x.a == y.a && x.b == y.b;
}

static double term(int rank, int i)
{
    return (rank + 1) * 0.5 + i % 100;
}

/* Sums of halves are exact, whatever their order. */
static double sum_to(int last, int i)
{
    return (last + 1) * (last + 2) * 0.25 + (last + 1) * (i % 100);
}

static void sum_count(const members *m, int root, int n)
{
    bool is_root = m->rank == root;
    double *mine = malloc((size_t)n * sizeof *mine), *got = calloc((size_t)n + 1, sizeof *got);
    int wrong = 0;
    for (int i = 0; i < n; i++)
        mine[i] = term(m->rank, i);
    got[n] = -1;
    CALL(MPI_Reduce(mine, is_root ? got : NULL, n, MPI_DOUBLE, MPI_SUM, root, m->comm));
    for (int i = 0; i < n && is_root; i++)
        wrong += got[i] != sum_to(m->size - 1, i);
    memcpy(got, mine, (size_t)n * sizeof *mine);
    CALL(MPI_Reduce(is_root ? MPI_IN_PLACE : got, is_root ? got : NULL, n, MPI_DOUBLE, MPI_SUM, root, m->comm));
    for (int i = 0; i < n && is_root; i++)
        wrong += got[i] != sum_to(m->size - 1, i);
    memset(got, 0, (size_t)n * sizeof *mine);
    CALL(MPI_Allreduce(mine, got, n, MPI_DOUBLE, MPI_SUM, m->comm));
    for (int i = 0; i < n; i++)
        wrong += got[i] != sum_to(m->size - 1, i) || mine[i] != term(m->rank, i);
    memcpy(got, mine, (size_t)n * sizeof *mine);
    CALL(MPI_Allreduce(MPI_IN_PLACE, got, n, MPI_DOUBLE, MPI_SUM, m->comm));
    for (int i = 0; i < n; i++)
        wrong += got[i] != sum_to(m->size - 1, i);
    EQUAL(wrong, 0);
    EQUAL(got[n], -1);
    free(mine);
    free(got);
}

static void sums(const members *m)
{
    for (int root = 0; root < m->size; root++) {
        sum_count(m, root, 1);
        sum_count(m, root, root ? 200 : LONG); /* MPICH 4.0.2 ends in place at other roots than 0 from 2 KiB on */
    }
    struct {
        double value;
        int rank;
    } pair[2], least[2];
    for (int i = 0; i < 2; i++) {
        pair[i].value = i ? -m->rank : (m->rank + 1) % m->size;
        pair[i].rank = m->rank;
    }
    CALL(MPI_Allreduce(pair, least, 2, MPI_DOUBLE_INT, MPI_MINLOC, m->comm));
    EQUAL(least[0].rank, m->size - 1);
    EQUAL(least[1].rank, m->size - 1);
    CALL(MPI_Reduce(m->rank ? pair : MPI_IN_PLACE, pair, 2, MPI_DOUBLE_INT, MPI_MAXLOC, 0, m->comm));
    if (m->rank == 0) {
        EQUAL(pair[0].rank, m->size - 2);
        EQUAL(pair[0].value, m->size - 1);
        EQUAL(pair[1].rank, 0);
    }
}

/* Compositions of n maps of a type, whose elements are `step` unsigned numbers apart; a and b are `apart`. */
static void compose_type(const members *m, MPI_Datatype type, int step, int n)
{
    MPI_Op op;
    int wrong = 0, last = m->size - 1, apart = step / 2;
    unsigned *mine = calloc((size_t)(step * n), sizeof *mine), *got = calloc((size_t)(step * n), sizeof *got);
    CALL(MPI_Op_create(compose, 0, &op));
    for (int i = 0; i < n; i++) {
        mine[step * i] = map_of(m->rank, i).a;
        mine[step * i + apart] = map_of(m->rank, i).b;
    }
#define WRONG(last_) (!is_equal((map){got[step * i], got[step * i + apart]}, maps_to(last_, i)))
    for (int root = 0; root < m->size; root++) {
        CALL(MPI_Reduce(mine, got, n, type, op, root, m->comm));
        for (int i = 0; i < n && m->rank == root; i++)
            wrong += WRONG(last);
    }
    CALL(MPI_Allreduce(mine, got, n, type, op, m->comm));
    for (int i = 0; i < n; i++)
        wrong += WRONG(last);
    CALL(MPI_Scan(mine, got, n, type, op, m->comm));
    for (int i = 0; i < n; i++)
        wrong += WRONG(m->rank);
    memset(got, 7, (size_t)(step * n) * sizeof *got);
    CALL(MPI_Exscan(mine, got, n, type, op, m->comm));
    for (int i = 0; i < n; i++)
        wrong += m->rank ? WRONG(m->rank - 1) : got[step * i] != 0x07070707;
    memcpy(got, mine, (size_t)(step * n) * sizeof *got);
    CALL(MPI_Exscan(MPI_IN_PLACE, got, n, type, op, m->comm));
    for (int i = 0; i < n && m->rank; i++)
        wrong += WRONG(m->rank - 1);
    memcpy(got, mine, (size_t)(step * n) * sizeof *got);
    CALL(MPI_Scan(MPI_IN_PLACE, got, n, type, op, m->comm));
    for (int i = 0; i < n; i++)
        wrong += WRONG(m->rank);
#undef WRONG
    EQUAL(wrong, 0);
    CALL(MPI_Op_free(&op));
    free(mine);
    free(got);
}

static void compositions(const members *m)
{
    MPI_Datatype pair, vector, wide;
    CALL(MPI_Type_contiguous(2, MPI_UNSIGNED, &pair));
    CALL(MPI_Type_vector(2, 1, 2, MPI_UNSIGNED, &vector));
    CALL(MPI_Type_create_resized(vector, 0, sizeof(wide_map), &wide));
    CALL(MPI_Type_commit(&pair));
    CALL(MPI_Type_commit(&wide));
    compose_type(m, pair, 2, 9000);
    compose_type(m, wide, 4, 3);
    CALL(MPI_Type_free(&pair));
    CALL(MPI_Type_free(&vector));
    CALL(MPI_Type_free(&wide));
}

static void add_blocks(void *in, void *inout, int *n, MPI_Datatype *type)
{
    int size;
    MPI_Type_size(*type, &size);
    int *x = in, *y = inout;
    for (size_t i = 0; i < (size_t)*n * (size_t)size / sizeof *y; i++)
        y[i] += x[i];
}

/* Elements that are longer than what is passed at a time in memory. */
static void long_elements(const members *m)
{
    enum { BLOCK = 100000, BLOCKS = 3, ALL = BLOCK * BLOCKS };
    MPI_Datatype block;
    MPI_Op op;
    int *mine = malloc(ALL * sizeof *mine), *got = malloc(ALL * sizeof *got), wrong = 0, last = m->size - 1;
    CALL(MPI_Type_contiguous(BLOCK, MPI_INT, &block));
    CALL(MPI_Type_commit(&block));
    CALL(MPI_Op_create(add_blocks, 1, &op));
    for (int i = 0; i < ALL; i++) {
        mine[i] = i * (m->rank + 1);
        got[i] = -1;
    }
    CALL(MPI_Allreduce(mine, got, BLOCKS, block, op, m->comm));
    for (int i = 0; i < ALL; i++)
        wrong += got[i] != i * (m->size * (m->size + 1) / 2);
    CALL(MPI_Bcast(m->rank == last ? mine : got, BLOCKS, block, last, m->comm));
    for (int i = 0; i < ALL; i++)
        wrong += m->rank != last && got[i] != i * m->size;
    EQUAL(wrong, 0);
    CALL(MPI_Op_free(&op));
    CALL(MPI_Type_free(&block));
    free(mine);
    free(got);
}

static void scans(const members *m)
{
    double mine[3], got[3] = {-1, -1, -1};
    for (int i = 0; i < 3; i++)
        mine[i] = term(m->rank, i);
    CALL(MPI_Exscan(mine, got, 3, MPI_DOUBLE, MPI_SUM, m->comm));
    for (int i = 0; i < 3; i++)
        CHECK(got[i] == (m->rank ? sum_to(m->rank - 1, i) : -1));
    CALL(MPI_Scan(mine, got, 3, MPI_DOUBLE, MPI_SUM, m->comm));
    for (int i = 0; i < 3; i++)
        CHECK(got[i] == sum_to(m->rank, i));
    CALL(MPI_Scan(MPI_IN_PLACE, mine, 3, MPI_DOUBLE, MPI_SUM, m->comm));
    for (int i = 0; i < 3; i++)
        CHECK(mine[i] == sum_to(m->rank, i));
}

/* Member r gets r * n values; of those of equal size each gets n. */
static void scatter_count(const members *m, int n, MPI_Datatype type, MPI_Op op)
{
    int counts[MOST], total = 0, before = 0, wrong = 0;
    for (int r = 0; r < m->size; r++) {
        before = r == m->rank ? total : before;
        counts[r] = r * n;
        total += counts[r];
    }
    map *mine = malloc(((size_t)total + MOST * (size_t)n) * sizeof *mine), *got = malloc(((size_t)total + MOST * (size_t)n) * sizeof *got);
    for (int i = 0; i < total || i < m->size * n; i++)
        mine[i] = map_of(m->rank, i);
    CALL(MPI_Reduce_scatter(mine, got, counts, type, op, m->comm));
    for (int i = 0; i < counts[m->rank]; i++)
        wrong += !is_equal(got[i], maps_to(m->size - 1, before + i));
    CALL(MPI_Reduce_scatter_block(mine, got, n, type, op, m->comm));
    for (int i = 0; i < n; i++)
        wrong += !is_equal(got[i], maps_to(m->size - 1, m->rank * n + i));
    CALL(MPI_Reduce_scatter(MPI_IN_PLACE, mine, counts, type, op, m->comm));
    for (int i = 0; i < counts[m->rank]; i++)
        wrong += !is_equal(mine[i], maps_to(m->size - 1, before + i));
    EQUAL(wrong, 0);
    free(mine);
    free(got);
}

static void scatters(const members *m)
{
    MPI_Datatype pair;
    MPI_Op op;
    int mine[MOST * MOST], got[MOST], counts[MOST], before = 0;
    CALL(MPI_Type_contiguous(2, MPI_UNSIGNED, &pair));
    CALL(MPI_Type_commit(&pair));
    CALL(MPI_Op_create(compose, 0, &op));
    scatter_count(m, 1, pair, op);
    scatter_count(m, 3000, pair, op);
    CALL(MPI_Type_free(&pair));
    CALL(MPI_Op_free(&op));
    for (int r = 0; r < m->size; r++) {
        before += r < m->rank ? r : 0;
        counts[r] = r;
    }
    for (int i = 0; i < MOST * MOST; i++)
        mine[i] = i * (m->rank + 1);
    CALL(MPI_Reduce_scatter(mine, got, counts, MPI_INT, MPI_SUM, m->comm));
    for (int i = 0; i < m->rank; i++)
        EQUAL(got[i], (before + i) * m->size * (m->size + 1) / 2);
    CALL(MPI_Reduce_scatter_block(MPI_IN_PLACE, mine, 2, MPI_INT, MPI_MAX, m->comm));
    for (int i = 0; i < 2; i++)
        EQUAL(mine[i], (2 * m->rank + i) * m->size);
}

CASE(reduction_sum)
{
    on_communicators(sums);
}

CASE(reduction_order)
{
    on_communicators(compositions);
}

CASE(reduction_long_elements)
{
    on_communicators(long_elements);
}

CASE(reduction_scan)
{
    on_communicators(scans);
}

CASE(reduction_scatter)
{
    on_communicators(scatters);
}
